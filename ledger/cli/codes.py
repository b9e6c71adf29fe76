"""`rollproof code`: the code that people read to each other to compare their logs (specs/disputes.md)."""

from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import GameOrFile
from ledger.cli.call import Call
from ledger.cli.language import Translate
from ledger.cli.sources import named_log
from ledger.errors import UsageError, WaitingError

if TYPE_CHECKING:
    from ledger.game.party_view import View
    from verifier import Replay

__all__ = ["code_line", "code_now", "code_of"]


def code_now(replay: "Replay") -> str:
    """Return the code for all lines of a replay."""
    return _code(replay.terms.game, replay.size, replay.tree.root())


def code_of(view: "View", size: int) -> str:
    """Return the code for the first `size` lines of a game."""
    from verifier.log.merkle import root_of

    return _code(view.replay.terms.game, size, root_of([view.leaf(seq) for seq in range(size)]))


def _code(game: bytes, size: int, root: bytes) -> str:
    from verifier.checkpoints.checkpoint import Checkpoint
    from verifier.checkpoints.code import table_code

    return table_code(Checkpoint(game, size, root))


def code_line(size: int, code: str, _: Translate) -> str:
    """Return the sentence with a code for `size` events."""
    return _("Code of the table, to read to the others: {size}: {code}").format(size=size, code=code)


@command(
    app,
    "code",
    reads=True,
    examples=[
        "rollproof code tavern",
        "rollproof code tavern '43: 87031 25567 90418 00226 61953 74480'",
        "rollproof code table-12.jsonl --events 40",
    ],
)
def code(
    call: Call,
    game: GameOrFile,
    said: Annotated[
        str | None, typer.Argument(metavar="CODE", help="The code that another reads or sends you, to compare.")
    ] = None,
    events: Annotated[
        int | None, typer.Option("--events", metavar="N", min=1, help="Of the first N events (else of all).")
    ] = None,
) -> None:
    """Show a short number for a game's events: a player with another number was shown another history.

    Read it to the others in a way that does not use the server. With CODE, compare it. Exit code: 0 the same, 1 not; 75
    this log has fewer events.
    """
    _ = call.translate
    from verifier.log.merkle import leaf_hash, root_of

    size, theirs = _read(said, events, _)
    source = named_log(call, game)
    report, replay = source.verified(_)
    held = 0 if replay is None else replay.size
    wanted = held if size is None else size
    if replay is None or not held or wanted > held:
        if report.error is not None:
            raise UsageError(_("{file}: {problem}").format(file=source.name, problem=report.error.message))
        text = _("{held} of {wanted} events are here: wait for the others, or ask for the code of {held} events")
        raise WaitingError(text.format(held=held, wanted=wanted))
    if report.error is not None:
        told = _("{file}: {problem} Shown is what stands before event {seq}.")
        call.out.note(told.format(file=source.name, problem=report.error.message, seq=held))
    root = root_of([leaf_hash(line) for line in source.lines(wanted)])
    ours = _code(replay.terms.game, wanted, root)
    if call.out.json:
        compared = {} if theirs is None else {"same": theirs == ours}
        call.out.value({"game": replay.terms.game.hex(), "events": wanted, "code": ours, **compared})
    else:
        call.out.line(f"{wanted}: {ours}") if theirs is None else call.out.say(_verdict(wanted, ours, theirs, _))
    if theirs not in (None, ours) or report.error is not None:
        raise typer.Exit(1)


def _read(said: str | None, events: int | None, _: Translate) -> tuple[int | None, str | None]:
    """Return the number of events and the other's code. Raises UsageError."""
    from verifier.checkpoints.code import parse_code

    if said is None:
        return events, None
    parsed = parse_code(said)
    if parsed is None:
        text = _("this is not a code: a code has 30 digits; the number of events and a colon may stand before them")
        raise UsageError(text)
    size, theirs = parsed
    if size is not None and events is not None and size != events:
        raise UsageError(_("CODE is for {size} events, and --events says {events}").format(size=size, events=events))
    return size if events is None else events, theirs


def _verdict(size: int, ours: str, theirs: str, _: Translate) -> str:
    if ours == theirs:
        return _("THE SAME: both have the same first {events} events of this game.").format(events=size)
    text = _(
        "NOT THE SAME: here the code is {size}: {code}. Ask for theirs again. If every digit is right, they have "
        "another history of the first {size} events: export both logs, and compare them with rollproof compare."
    )
    return text.format(size=size, code=ours)
