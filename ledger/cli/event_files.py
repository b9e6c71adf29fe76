"""`rollproof event`: acts, logs and bundles as files (specs/event.md)."""

import hashlib
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, cast

import typer

from ledger.cli.app import command
from ledger.cli.call import Call
from ledger.cli.event_desk import Event, EventDesk, Force, RoundNumber, event_group
from ledger.cli.output import printable
from ledger.errors import MissingError, RefusedError, UsageError

if TYPE_CHECKING:
    from ledger.seats.identity import Identity
    from ledger.store.event_logs import EventLogs
    from verifier.checkpoints.checkpoint import SignedCheckpoint
    from verifier.event.acts import ActFile
    from verifier.event.replay import EventReplay

__all__: list[str] = []

MAX_LOG = 1_000_000_000
"""bytes of an event log that is taken from a file"""
_IN_MEMORY = 50_000_000
"""bytes of a bundle from a server, beyond which it is kept in a file until it is written"""
_File = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to.", show_default=False)]


@command(
    event_group,
    "take",
    signed=True,
    examples=["rollproof event take 'Spring Open' p17.act slip.act"],
)
def take(
    call: Call,
    event: Event,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Act files.", show_default=False)],
) -> None:
    """Put acts that others signed into the log, as the keeper. Each is taken or refused by itself.

    Exit code: 0 all taken, 65 at least one was refused.
    """
    from ledger.cli.files import read_whole
    from ledger.event.acts import parse_act_file
    from verifier.log.format import MAX_LINE

    desk, refused = EventDesk(call, event), False
    if not desk.keeper_here:
        raise UsageError(f"{desk.replay.terms.keeper}, who keeps this event, is not here")
    keeper = desk.identity(desk.replay.terms.keeper)
    for file in files:
        for data in read_whole(file, 700 * MAX_LINE).splitlines():
            told: dict[str, Any] = {"file": str(file)}
            try:
                act = parse_act_file(data)
                told |= {"type": act.type, "by": act.by}
                first = desk.replay.size
                desk.write([partial(_taken, desk, keeper, act)], keeper)
                told["line"] = first
            except (RefusedError, UsageError) as error:
                refused = True
                code = error.code if isinstance(error, RefusedError) else None
                told["refused"] = {"code": code, "message": error.message(call.translate)}
            if call.out.json:
                call.out.value(told)
            elif "refused" in told:
                code = f" ({told['refused']['code']})" if told["refused"]["code"] else ""
                call.out.note(f"{printable(file)}: refused{code}: {told['refused']['message']}")
            else:
                call.out.say(f"line {told['line']}: {told['type']} by {told['by']}")
    if refused:
        raise typer.Exit(65)


def _taken(desk: EventDesk, keeper: "Identity", act: "ActFile", replay: "EventReplay") -> bytes:
    """Return the line for an act from a file."""
    from ledger.event.acts import line_of

    return line_of(keeper, replay, act, desk.now())


@command(
    event_group,
    "import",
    examples=[
        "rollproof event import spring-open.jsonl",
        "rollproof event import spring-open/event.jsonl --names spring-open/names.json",
        "rollproof event import https://dice.example.org/e/5f0c…#3fA9…",
    ],
)
def import_(
    call: Call,
    source: Annotated[
        str, typer.Argument(metavar="LOG|LINK", help="An event log, or a link to an event.", show_default=False)
    ],
    names: Annotated[
        Path | None, typer.Option("--names", metavar="FILE", help="The names of its players, as a bundle has them.")
    ] = None,
) -> None:
    """Take somebody's event log into your home, or its new lines, if it holds and continues the log that is here.

    After an import with a link to an event at a server, all commands first fetch its new lines, and hand in what they
    sign.
    """
    from ledger.cli.online import is_link

    logs = call.home.event_logs()
    call.closing.callback(logs.close)
    if is_link(source):
        event, new = _import_from(call, logs, source)
    else:
        event, new = _take_log(call, logs, Path(source), names_wanted=names is not None)
    replay = logs.replay(event)
    if names is not None:
        _take_names(EventDesk(call, event.hex()), names)
    if call.out.json:
        call.out.value({"event": event.hex(), "lines": replay.size, "new": new})
    else:
        call.out.say(f"event {event.hex()}, {replay.terms.body.title}: {replay.size} lines, new: {new}")


def _take_log(call: Call, logs: "EventLogs", file: Path, *, names_wanted: bool) -> tuple[bytes, int]:
    """Take a log, and return its event and how many lines are new.

    One that is shorter than what is here will do where its names are wanted. Raises BehindError, RefusedError.
    """
    from ledger.cli.files import read_whole
    from ledger.errors import BehindError
    from verifier.log.merkle import leaf_hash

    data = read_whole(file, MAX_LOG)
    try:
        return logs.take(data)
    except BehindError as problem:
        if not names_wanted:
            raise
        call.out.note(call.translate("{problem}. The names are taken").format(problem=problem.message(call.translate)))
        return leaf_hash(data.partition(b"\n")[0]), 0


def _take_names(desk: EventDesk, file: Path) -> None:
    """Keep the names of a file, each of which must be the one that was registered. Raises RefusedError."""
    from ledger.cli.files import read_whole
    from rules.data.language import N_, Message
    from verifier.errors import NoteError
    from verifier.event.names import MAX_NAMES, parse_names, wrong_name

    try:
        given = parse_names(read_whole(file, MAX_NAMES))
    except NoteError as problem:
        raise MissingError(f"{printable(file)}: {problem.message(desk.call.translate)}") from None
    if given.event != desk.event.hex():
        raise RefusedError(Message("The names file is that of another event."), "bundle.names", None)
    wrong = wrong_name(given, {number: player.name for number, player in desk.state.players.items()})
    if wrong is not None:
        text = N_("Player {number} was not registered with the name that the names file has.")
        raise RefusedError(Message(text, number=wrong), "bundle.names", None)
    desk.save_names(given)


def _import_from(call: Call, logs: "EventLogs", text: str) -> tuple[bytes, int]:
    """Take an event from a server: its id, and how many lines are new."""
    import msgspec

    from ledger.cli.event_server import EventRemote, EventServer
    from ledger.event.links import parse_event_link

    link = parse_event_link(text)
    known = EventServer.of(call, link.event)
    remote = known.remote if known is not None else EventRemote(link.address)
    server = EventServer(call, link.event, msgspec.structs.replace(remote, address=link.address))
    before = logs.size(link.event)
    server.fetch(logs)
    server.keep(**({} if link.code is None else {"code": link.code}))
    return link.event, logs.size(link.event) - before


@command(
    event_group,
    "export",
    examples=["rollproof event export 'Spring Open' --out spring-open.jsonl"],
)
def export(call: Call, event: Event, out: _File, force: Force = False) -> None:
    """Write the event log to a file that everybody can verify."""
    from ledger.cli.files import write_files

    desk = EventDesk(call, event)
    write_files({out: lambda stream: _write_lines(desk, stream)}, force=force)
    if call.out.json:
        call.out.value({"file": str(out), "event": desk.event.hex(), "lines": desk.replay.size})
    else:
        call.out.say(f"{printable(out)}: {desk.replay.size} lines")


def _write_lines(desk: EventDesk, stream: BinaryIO) -> None:
    stream.writelines(line + b"\n" for line in desk.logs.lines(desk.event))


@command(
    event_group,
    "results",
    examples=["rollproof event results 'Spring Open' --round 1 --out results.csv"],
)
def results(call: Call, event: Event, out: _File, round_: RoundNumber = None, force: Force = False) -> None:
    """Write the results of a round as CSV, for your pairing tool."""
    from ledger.cli.files import write_files
    from ledger.event.lists import results_text

    desk = EventDesk(call, event)
    number = desk.round_number(round_)
    if number > len(desk.state.rounds):
        raise UsageError(f"round {number} has not been paired")
    found = desk.state.rounds[number - 1]
    text = results_text(found, desk.state.terms.body.results, desk.names().by_number())
    rows = len(found.tables) + len(found.byes)
    write_files({out: lambda stream: stream.write(text.encode())}, force=force)
    if call.out.json:
        call.out.value({"file": str(out), "round": number, "rows": rows})
    else:
        call.out.say(f"{printable(out)}: round {number}, {rows} lines")


@command(
    event_group,
    "checkpoint",
    signed=True,
    examples=["rollproof event checkpoint 'Spring Open' --out event.checkpoint --as hall"],
)
def checkpoint(call: Call, event: Event, out: _File, force: Force = False) -> None:
    """Sign size and root of the event log, as its keeper: a receipt, and what a witness cosigns."""
    from ledger.cli.files import write_files

    note = bytes(_checkpoint(EventDesk(call, event)))
    write_files({out: lambda stream: stream.write(note)}, force=force)
    if call.out.json:
        call.out.value({"file": str(out), "note": note.decode()})
    else:
        call.out.line(note.decode().rstrip("\n"))


def _checkpoint(desk: EventDesk) -> "SignedCheckpoint":
    from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint

    keeper = desk.identity(desk.replay.terms.keeper)
    head = Checkpoint(desk.event, desk.replay.size, desk.replay.tree.root())
    return sign_checkpoint(head, keeper.key, keeper.sign)


@command(
    event_group,
    "bundle",
    examples=[
        "rollproof event bundle 'Spring Open' --out spring-open.bundle",
        "rollproof event bundle 'Spring Open' --names --out with-names.bundle",
    ],
)
def bundle(
    call: Call,
    event: Event,
    out: _File,
    names: Annotated[bool, typer.Option("--names", help="With the names of the players: not for the public.")] = False,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A checkpoint of the event log, with cosignatures.")
    ] = None,
    policy: Annotated[Path | None, typer.Option(metavar="FILE", help="A policy for witnesses.")] = None,
    roster: Annotated[Path | None, typer.Option(metavar="FILE", help="A roster.")] = None,
    force: Force = False,
) -> None:
    """Put the event, a checkpoint of it, and all its games into one file for the archive: rollproof verify FILE.

    At a server it is the file that the desk saves. Elsewhere the keeper, if it is here, signs the checkpoint.
    """
    from ledger.cli.files import read_whole, write_files
    from verifier.checkpoints.note import MAX_NOTE
    from verifier.event.bundle import read_manifest
    from verifier.rosters.roster import MAX_ROSTER

    desk, last = EventDesk(call, event), dict[str, bytes]()
    if names and (path := call.home.names_path(desk.event)).exists():
        last["names.json"] = path.read_bytes()
    if policy is not None:
        last["event.policy"] = read_whole(policy, MAX_NOTE)
    if roster is not None:
        last["event.roster"] = read_whole(roster, MAX_ROSTER)
    note = None if checkpoint is None else read_whole(checkpoint, MAX_NOTE)
    write = _bundle_of_home(desk, note, last) if desk.server is None else _bundle_of_server(desk, note, last)
    write_files({out: write}, force=force)
    with out.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        stream.seek(0)
        games = sum(bool(re.fullmatch(r"games/.*\.jsonl", each.name)) for each in read_manifest(stream).files)
    missing = len(desk.state.games) - games
    if call.out.json:
        call.out.value({"file": str(out), "games": games, "missing": missing, "sha256": digest})
    else:
        call.out.say(f"{printable(out)}: the event and {games} games, SHA-256 {digest}")
    if missing:
        call.out.note(f"{missing} games that the event opened are not in it: if others have their logs, import them")


def _bundle_of_home(desk: EventDesk, note: bytes | None, last: dict[str, bytes]) -> "Callable[[BinaryIO], None]":
    """Return a function that writes the bundle from what is here."""
    from ledger.event.bundles import write_bundle

    if note is None and desk.keeper_here:
        note = bytes(_checkpoint(desk))
    first = {} if note is None else {"event.checkpoint": note}
    first["event.jsonl"] = b"".join(line + b"\n" for line in desk.logs.lines(desk.event))
    here = {row["game"] for row in desk.call.home.games()}
    games = [game for game in desk.state.games if game in here]
    return lambda stream: write_bundle(stream, desk.call.ledger, first, games, last)


def _bundle_of_server(desk: EventDesk, note: bytes | None, last: dict[str, bytes]) -> "Callable[[BinaryIO], None]":
    """Return a function that writes the bundle of the server, with the files of `last` behind its own."""
    from ledger.event.bundles import add_files

    assert desk.server is not None
    if note is not None:
        raise UsageError("--checkpoint is not for an event at a server: its bundle has a checkpoint")
    spool = cast(BinaryIO, SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - closed when the command ends
    desk.call.closing.callback(spool.close)
    desk.server.bundle(desk.logs, spool)

    def write(stream: BinaryIO) -> None:
        spool.seek(0)
        add_files(stream, spool, last)

    return write


@command(
    event_group,
    "unpack",
    examples=["rollproof event unpack spring-open.bundle --out spring-open"],
)
def unpack(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="BUNDLE", help="A bundle.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="A new folder.", show_default=False)],
) -> None:
    """Take the files out of a bundle. This verifies nothing; rollproof verify BUNDLE does that."""
    from verifier.event.bundle import read_manifest
    from verifier.shell.files import open_regular

    if out.exists():
        raise UsageError(f"{printable(out)} exists: choose another name")
    with open_regular(file) as stream:
        manifest = read_manifest(stream)
        (out / "games").mkdir(parents=True)
        for entry in manifest.files:  # the names are of the specification: none leads out
            with (out / entry.name).open("xb") as part:
                left = entry.size
                while left and (data := stream.read(min(left, 1_000_000))):
                    part.write(data)
                    left -= len(data)
    if call.out.json:
        call.out.value({"folder": str(out), "files": [entry.name for entry in manifest.files]})
    else:
        call.out.say(f"{printable(out)}: {len(manifest.files)} files")
