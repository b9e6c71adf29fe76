"""`rollproof join` and `commit`: agree to a game and to a seed chain for its dice."""

from typing import Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import LINKS, Game, Links, game_argument
from ledger.cli.call import Call
from ledger.cli.outcome import print_outcome
from ledger.cli.output import command_line
from ledger.cli.play import Play
from ledger.errors import TurnError, UsageError

__all__ = ["join_game"]


@command(
    app,
    "join",
    signed=True,
    examples=[
        "rollproof join 9c31 --as alice",
        "rollproof join 'https://dice.example.org/t/7d0c…e1#player.pZ3v…' --as bob",
    ],
)
def join(
    call: Call,
    game: Annotated[
        str, game_argument("GAME|LINK", "The game, or the link that you were sent to a table on a server.")
    ],
    links: Links = LINKS,
    called: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="With a link: what you are called, in any script; your key keeps its name."),
    ] = None,
    lost: Annotated[
        bool,
        typer.Option("--lost", help="With a link: you play there, and the home or browser with your key is lost."),
    ] = False,
    no_watch: Annotated[
        bool, typer.Option("--no-watch", help="At a server: return when you have joined, and do not go on as `watch`.")
    ] = False,
) -> None:
    """Agree to a game's terms, and commit to a seed chain. With a LINK: take a seat, and wait for the start first.

    The digital dice are part of the terms. A party that contributes to no dice (a judge) commits to nothing. With a
    link, an identity is made if there is none of your name, and the game that the server began is compared with the
    table that you were shown. Then the command goes on as `rollproof watch`, and opens for each roll by itself.
    """
    from ledger.cli.online import is_link, join_at

    if is_link(game):
        join_at(call, game, links, called, watch=not no_watch, lost=lost)
        return
    if lost:
        raise UsageError("--lost is for a link; without a server the keeper says who goes on (rollproof replace)")
    if called is not None:
        raise UsageError("--called is for a link; without a server whoever opens the game says what each is called")
    join_game(Play(call, game), links)


def join_game(play: Play, links: int) -> None:
    """Join as the acting identity, commit if the keeper is here, and print the result."""
    from rules.protocol import Back, Join
    from verifier.report import trust_statement

    name, _ = play.call.acting, play.call.translate
    play.check(name, "join", Join())
    with play.seat(name) as seat:
        play.append(seat.join)
        if name in play.session.parties.away:  # a new key, in the place of one that is lost
            play.append(lambda view: seat.sign(view, "back", Back(name)))
        if play.replay.terms.may_contribute(name):
            play.append(lambda view: seat.commit(view, links))
    play.tend()
    if play.carrier is None and not play.keeper_here:
        text = _(
            "Export the log and send it to {keeper}, who keeps the log. Go on when the log with your join is back:"
        )
        play.away = text.format(keeper=play.replay.terms.keeper) + command_line(
            "export", play.short, "--out", "join.jsonl"
        )
    play.notes.append(trust_statement(play.replay, _))
    print_outcome(play)


@command(app, "commit", signed=True, examples=["rollproof commit 9c31 --as alice --links 4096"])
def commit(call: Call, game: Game, links: Links = LINKS) -> None:
    """Commit to a new seed chain.

    This is possible between rolls, and replaces the chain from before. A chain lasts for as many rolls as it has links,
    less one: the last link is for the commitment that replaces it, so commit anew when a chain is used up.
    """
    play, name = Play(call, game), call.acting
    _check_may_commit(play, name)
    with play.seat(name) as seat:
        play.append(lambda view: seat.commit(view, links))
    print_outcome(play)


def _check_may_commit(play: Play, name: str) -> None:
    """Check that a party may commit, before `Seat.commit` spends time on a chain. Raises TurnError."""
    from verifier.log.bodies import MIN_CHAIN, Commit

    play.check(name, "commit", Commit(MIN_CHAIN, "0" * 64))
    if not play.replay.terms.may_contribute(name):
        raise TurnError(f"{name} contributes to no roll of this game, so has nothing to commit to")
