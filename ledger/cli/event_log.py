"""`rollproof event log`: the record of an event, to be read (specs/event.md, "Acts")."""

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import command
from ledger.cli.call import Call
from ledger.cli.event_desk import event_group
from ledger.cli.event_sources import EventSource, event_of_file, event_of_home, names_of
from ledger.cli.output import command_line, printable
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from rules.data.language import Message, Translate
    from verifier.errors import Failure
    from verifier.event.story import Story, StoryLine

__all__ = ["line_in_json"]


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
    from verifier.event.acts import ACTS
    from verifier.event.names import MAX_NAMES
    from verifier.event.story import Story

    unknown = [name for name in type or () if name not in ACTS]
    if unknown:
        raise UsageError(f"--type: there is no act {unknown[0]!r}; there are {', '.join(ACTS)}")
    file = Path(event)
    source = event_of_file(call, file) if file.is_file() else event_of_home(call, event, refresh=True)
    if source is None:
        raise MissingError(f"there is no event {event!r} here")
    known = source.names() if names is None else names_of(call, names, read_whole(names, MAX_NAMES))
    story, _ = Story({} if known is None else known.by_number()), call.translate
    told: deque[StoryLine] = deque(maxlen=limit)
    failure = _tell(story, source, type, told)
    if failure is not None and not story.replay.size:
        raise MissingError(f"{printable(file)}: {failure.message(_)}")
    if call.out.json:
        call.out.value({"event": story.replay.terms.game.hex(), "lines": [line_in_json(each, _) for each in told]})
    else:
        rows = [(each.line, _second(each.time), _said(each.by, _), each.what.message(_)) for each in told]
        call.out.table([_("line"), _("time (UTC)"), _("who"), _("what")], rows)
    if source.bundled:
        text = _("what judges changed at tables is in the logs of their games:")
        call.out.note(text + command_line("verify", file))
    if failure is not None:
        problem = N_("Line {line} does not hold, and nothing behind it is shown: {problem}")
        call.out.note(Message(problem, line=story.replay.size, problem=failure).message(_))
        raise typer.Exit(1)


def _tell(story: "Story", source: EventSource, types: list[str] | None, told: "deque[StoryLine]") -> "Failure | None":
    """Add what the lines of these types say (None: of all), up to one that does not hold; return why it does not."""
    from verifier.errors import Failure

    try:
        for line in source.lines():
            one = story.tell(line)
            if not types or one.type in types:
                told.append(one)
    except Failure as failure:
        return failure
    return None


def _said(text: "Message | str", translate: "Translate") -> str:
    return text if isinstance(text, str) else text.message(translate)


def _second(time: str) -> str:
    return time.replace("T", " ").partition(".")[0]


def line_in_json(told: "StoryLine", translate: "Translate") -> dict[str, Any]:
    """Return a line of an event in words, for programs."""
    by, what = _said(told.by, translate), told.what.message(translate)
    return {"line": told.line, "time": told.time, "by": by, "type": told.type, "what": what}
