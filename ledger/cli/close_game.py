"""`rollproof close`: end a game."""

from ledger.cli.app import app, command
from ledger.cli.arguments import Game
from ledger.cli.call import Call
from ledger.cli.outcome import print_outcome
from ledger.cli.play import Play


@command(app, "close", signed=True, examples=["rollproof close 9c31 --as host"])
def close(call: Call, game: Game) -> None:
    """End a game, as its keeper; or as the host of its table at a server, which then closes it.

    A roll that still waits is left without dice: the log says so, and has all that was opened for it.
    """
    _ = call.translate
    from ledger.cli.online import close_at
    from verifier.log.bodies import Close

    play, name = Play(call, game), call.acting
    if not (play.carrier is not None and close_at(play)):
        play.check(name, "close", Close())
        with play.seat(name) as seat:
            play.append(lambda view: seat.close_game(view, play.ledger.openings(play.game)))
    replay = play.replay
    text = _("Size and root of the log, to compare with others' copies: {size} {root}")
    play.notes.append(text.format(size=replay.size, root=replay.tree.root().hex()))
    print_outcome(play)
