"""`rollproof event log`: the record of an event, to be read (specs/event.md, "Acts")."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import command
from ledger.cli.call import Call
from ledger.cli.event_desk import EventDesk, event_group
from ledger.cli.output import printable
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from rules.data.language import Message, Translate
    from verifier.event.names import Names
    from verifier.event.story import StoryLine

__all__: list[str] = []


@command(
    event_group,
    "log",
    examples=[
        "rollproof event log 'Spring Open'",
        "rollproof event log 'Spring Open' --type penalty --type correct-penalty",
        "rollproof event log spring-open.bundle --names names.json",
    ],
)
def log(
    call: Call,
    event: Annotated[
        str,
        typer.Argument(
            metavar="EVENT|FILE", help="An event of your home, a file with its log, or a bundle.", show_default=False
        ),
    ],
    type: Annotated[list[str] | None, typer.Option(metavar="TYPE", help="Only lines of this type; repeatable.")] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the latest N.")] = None,
    names: Annotated[
        Path | None, typer.Option("--names", metavar="FILE", help="The names of its players, as a bundle has them.")
    ] = None,
) -> None:
    """Show what happened at an event, one line of its log a line: who did what, when and why.

    The number in front is the line's, which `event correct-penalty` asks for. Players have their names where these are
    known: in your home, in the bundle, or in FILE; else numbers. Of a file, the lines that hold are shown; exit code 1
    if these are not all.
    """
    from ledger.cli.files import read_whole
    from rules.data.language import N_, Message
    from verifier.errors import Failure
    from verifier.event.acts import ACTS
    from verifier.event.names import MAX_NAMES
    from verifier.event.story import Story

    unknown = [name for name in type or () if name not in ACTS]
    if unknown:
        raise UsageError(f"--type: there is no act {unknown[0]!r}; there are {', '.join(ACTS)}")
    file = Path(event)
    lines, known = _of_file(call, file) if file.is_file() else _of_home(call, event)
    if names is not None:
        known = _names(call, names, read_whole(names, MAX_NAMES))
    story, _ = Story({} if known is None else known.by_number()), call.translate
    told: deque[StoryLine] = deque(maxlen=limit)
    problem = None
    try:
        for line in lines:
            one = story.tell(line)
            if not type or one.type in type:
                told.append(one)
    except Failure as failure:
        problem = Message(
            N_("Line {line} does not hold, and nothing behind it is shown: {problem}"),
            line=story.replay.size,
            problem=failure,
        )
    if problem is not None and not story.replay.size:
        raise MissingError(f"{printable(file)}: {_(str(problem))}")
    if call.out.json:
        call.out.value({"event": story.replay.terms.game.hex(), "lines": [_value(each, _) for each in told]})
    else:
        rows = [(each.line, _second(each.time), _said(each.by, _), each.what.message(_)) for each in told]
        call.out.table([_("line"), _("time (UTC)"), _("who"), _("what")], rows)
    if problem is not None:
        call.out.note(problem.message(_))
        raise typer.Exit(1)


def _of_home(call: Call, event: str) -> "tuple[Iterator[bytes], Names | None]":
    """Return lines and names of an event of the home. Raises MissingError, UsageError."""
    desk = EventDesk(call, event)
    return desk.logs.lines(desk.event), desk.names()


def _of_file(call: Call, file: Path) -> "tuple[Iterator[bytes], Names | None]":
    """Return lines and names of a log or bundle. Raises MissingError."""
    from verifier.errors import NoteError
    from verifier.event.bundle import BEGINNING, is_bundle, read_part

    def part(name: str) -> bytes | None:
        with file.open("rb") as stream:
            return read_part(stream, name)

    with file.open("rb") as stream:
        if not is_bundle(stream.read(len(BEGINNING))):
            return _lines(file), None
    try:
        log, names = part("event.jsonl"), part("names.json")
    except NoteError as error:
        raise MissingError(f"{printable(file)}: {error.message(call.translate)}") from None
    return iter((log or b"").splitlines()), None if names is None else _names(call, file, names)


def _lines(file: Path) -> Iterator[bytes]:
    from verifier.log.format import MAX_LINE

    with file.open("rb") as stream:
        while line := stream.readline(MAX_LINE + 2):
            yield line.removesuffix(b"\n")


def _names(call: Call, file: Path, data: bytes) -> "Names":
    """Parse a names file. Raises MissingError."""
    from verifier.errors import NoteError
    from verifier.event.names import parse_names

    try:
        return parse_names(data)
    except NoteError as problem:
        raise MissingError(f"{printable(file)}: {problem.message(call.translate)}") from None


def _said(text: "Message | str", translate: "Translate") -> str:
    return text if isinstance(text, str) else text.message(translate)


def _second(time: str) -> str:
    return time.replace("T", " ").partition(".")[0]


def _value(told: "StoryLine", translate: "Translate") -> dict[str, Any]:
    by, what = _said(told.by, translate), told.what.message(translate)
    return {"line": told.line, "time": told.time, "by": by, "type": told.type, "what": what}
