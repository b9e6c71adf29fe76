"""An event that an argument names: one of the home, a file with its log, or a bundle (specs/event.md)."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ledger.cli.call import Call
from ledger.cli.output import command_line, printable
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from verifier import Report
    from verifier.event.names import Names

__all__ = ["EventSource", "event_of_file", "event_of_home", "named_event", "names_for", "names_of", "refuse_event"]


class EventSource(NamedTuple):
    """An event: how it is named on a command line, its lines without line feeds, its names, and its verification."""

    name: str
    lines: Callable[[], Iterator[bytes]]
    names: "Callable[[], Names | None]"
    verify: "Callable[[], Report]"
    bundled: bool = False
    """whether it is in a bundle, with its games"""


def named_event(call: Call, text: str, *, refresh: bool = False) -> EventSource | None:
    """Return the event that `text` names; None for anything else. Raises UsageError, OSError."""
    from verifier.shell.files import is_event

    file = Path(text)
    if file.is_file():
        with file.open("rb") as stream:
            return event_of_file(call, file) if is_event(stream.read(1_000)) else None
    try:
        if call.home.ledger_path.exists():
            call.find(text)
            return None
    except UsageError:
        pass
    return event_of_home(call, text, refresh=refresh)


def refuse_event(call: Call, text: str, *command: str) -> None:
    """Say which command is for an event, where `text` names one. Raises UsageError."""
    event = named_event(call, text)
    if event is not None:
        typed = Path(text) if Path(text).is_file() else text
        told = call.translate("{what} is an event, and this command is for games. For an event there is:")
        raise UsageError(told.format(what=printable(text)) + command_line(*command, typed))


def event_of_home(call: Call, text: str, *, refresh: bool = False) -> EventSource | None:
    """Return an event of the home, with a part of its id as its name; None if `text` names none.

    With `refresh`, new lines of an event at a server are fetched first. Raises UsageError.
    """
    from ledger.cli.event_server import EventServer
    from verifier.event.verification import verify_event

    if not call.home.events_path.exists():
        return None
    logs = call.home.event_logs()
    call.closing.callback(logs.close)
    try:
        event = logs.find(text)
    except MissingError:
        return None
    server = EventServer.of(call, event) if refresh else None
    if server is not None:
        server.refresh(logs)
    name, path = event.hex()[:12], call.home.names_path(event)

    def names() -> "Names | None":
        return names_of(call, path, path.read_bytes()) if path.exists() else None

    def verify() -> "Report":
        stream = io.BytesIO(b"".join(line + b"\n" for line in logs.lines(event)))
        return verify_event(stream, name=name, translate=call.translate)[0]

    return EventSource(name, lambda: logs.lines(event), names, verify)


def event_of_file(call: Call, file: Path) -> EventSource:
    """Return the event of a log or bundle. Raises OSError; its functions raise MissingError too."""
    import os

    from verifier import Pins
    from verifier.errors import NoteError
    from verifier.event.bundle import BEGINNING, is_bundle, read_part
    from verifier.shell.files import verify_file

    with file.open("rb") as stream:
        bundled = is_bundle(stream.read(len(BEGINNING)))

    def part(name: str) -> bytes | None:
        try:
            with file.open("rb") as stream:
                return read_part(stream, name)
        except NoteError as error:
            raise MissingError(f"{printable(file)}: {error.message(call.translate)}") from None

    def lines() -> Iterator[bytes]:
        return iter((part("event.jsonl") or b"").splitlines()) if bundled else _lines(file)

    def names() -> "Names | None":
        data = part("names.json") if bundled else None
        return None if data is None else names_of(call, file, data)

    def verify() -> "Report":
        return verify_file(file, Pins(), os.cpu_count() or 1, call.translate)[0]

    return EventSource(str(file), lines, names, verify, bundled)


def _lines(file: Path) -> Iterator[bytes]:
    from verifier.log.format import MAX_LINE

    with file.open("rb") as stream:
        while line := stream.readline(MAX_LINE + 2):
            yield line.removesuffix(b"\n")


def names_for(call: Call, event: EventSource, report: "Report", file: Path | None) -> dict[int, str]:
    """Return the names to show on a page about an event, by number: those of `file`, or of its bundle.

    Each is the one that was registered. Raises MissingError, RefusedError.
    """
    from ledger.cli.files import read_whole
    from ledger.errors import RefusedError
    from rules.data.language import N_, Message
    from verifier.event.names import MAX_NAMES, wrong_name
    from verifier.event.replay import EventReplay

    if file is not None:
        names = names_of(call, file, read_whole(file, MAX_NAMES))
    elif report.kind != "bundle" or report.verdict != "holds" or (bundled := event.names()) is None:
        return {}
    else:
        names = bundled
    replay = EventReplay()
    for _, line in zip(range(report.valid_prefix), event.lines(), strict=False):
        replay.step(line, trusted=True)
    if not replay.size:
        return {}
    if names.event != report.game:
        raise RefusedError(Message("The names file is that of another event."), "bundle.names", None)
    wrong = wrong_name(names, {number: player.name for number, player in replay.state.players.items()})
    if wrong is not None:
        text = N_("Player {number} was not registered with the name that the names file has.")
        raise RefusedError(Message(text, number=wrong), "bundle.names", None)
    return names.by_number()


def names_of(call: Call, file: Path, data: bytes) -> "Names":
    """Parse a names file. Raises MissingError."""
    from verifier.errors import NoteError
    from verifier.event.names import parse_names

    try:
        return parse_names(data)
    except NoteError as problem:
        raise MissingError(f"{printable(file)}: {problem.message(call.translate)}") from None
