"""The end of a command: the events that it wrote, the state of the game after them, and what comes next."""

from typing import TYPE_CHECKING, Any

from ledger.cli.describe import event_line, roll_lines
from ledger.cli.hints import next_lines
from ledger.cli.play import Play

if TYPE_CHECKING:
    from verifier.checkpoints.checkpoint import SignedCheckpoint

__all__ = ["print_outcome"]


def print_outcome(play: Play, subject: int | None = None, **members: Any) -> None:
    """Print the events that the command wrote and the state of the game, after the keeper's receipt for them.

    `subject` is the roll concerned, if not the open one. `members` are further members of the answer in JSON.
    """
    checkpoint, session, out = play.close_books(), play.session, play.call.out
    opened = session.system.rolls(session.game)[1]
    number = subject if subject is not None else opened[-1].roll if opened else None
    if out.json:
        out.value({**_answer(play, number, checkpoint), **members})
        return
    from verifier.shell.display import known_rolls

    terms, known = play.replay.terms, known_rolls(session)
    for event in _written(play):
        out.say(out.cut(event_line(event, terms.system, out.translate, terms.called, known)))
    waiting = next_lines(play) if play.away is None else [play.away]
    for line in [*roll_lines(session, number, out.translate), *play.notes, *waiting]:
        out.say(line)


def _answer(play: Play, roll: int | None, checkpoint: "SignedCheckpoint | None") -> dict[str, Any]:
    import msgspec

    session, kept = play.session, play.table.kept
    spent = [due.party for due in kept.outstanding() if due.what == "commit"]
    return {
        "game": play.game.hex(),
        "seq": play.written[0] if play.written else None,
        "events": _written(play),
        "roll": None if roll is None else session.view_roll(roll),
        "waits_for": msgspec.to_builtins(session.waits_for()),
        "awaited": kept.awaited,
        "chains_used_up": [name for name in spent if name in kept.replay.chains],
        "checkpoint": None if checkpoint is None else bytes(checkpoint).decode(),
        "notes": play.notes,
    }


def _written(play: Play) -> list[dict[str, Any]]:
    """Return the events that the command wrote, as JSON values."""
    import msgspec

    return [msgspec.json.decode(next(play.ledger.lines(play.game, seq))) for seq in play.written]
