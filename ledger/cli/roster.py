"""`rollproof roster`: the keys of players, signed by an organizer (specs/roster.md)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli.app import command, group
from ledger.cli.call import Call
from ledger.cli.isolation import isolated
from ledger.cli.output import printable
from ledger.cli.passphrase import passphrase
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from ledger.seats.identity import Identity
    from verifier.log.roster import Entry, Roster

_roster = group("roster", "Sign which key belongs to whom, as an organizer; change a key.")

_Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where it is written.")]
_Force = Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")]
_File = Annotated[Path, typer.Argument(metavar="ROSTER", help="A roster.", show_default=False)]
_Add = Annotated[
    list[str] | None, typer.Option("--add", metavar="KEY", help="A person's verifier key, name and all; repeatable.")
]


@command(
    _roster,
    "new",
    signed=True,
    examples=["rollproof roster new --event 'Spring Open' --add alice+4f5a... --add bob+e02b... --out open.roster"],
)
def new(
    call: Call,
    event: Annotated[str, typer.Option("--event", metavar="TEXT", help="The event of the roster.", show_default=False)],
    out: _Out,
    add: _Add = None,
    force: _Force = False,
) -> None:
    """Sign the first version of a roster, as the organizer."""
    from verifier.log.roster import Roster

    if not add:
        raise UsageError("a roster has at least one key: give them with --add")
    _write(call, Roster(event, 1, "0" * 64, tuple(_entries(add))), out, force=force)


@command(
    _roster,
    "change",
    signed=True,
    examples=[
        "rollproof roster change open.roster --add carol+77a1... --out open-2.roster",
        "rollproof roster change open.roster --rotation alice.rotation --out open-2.roster",
        "rollproof roster change open.roster --succession alice.succession --out open-2.roster",
        "rollproof roster change open.roster --lost bob --since 2026-11-20T18:00:00.000Z "
        "--replace bob+91c0... --out open-2.roster",
    ],
)
def change(
    call: Call,
    file: _File,
    out: _Out,
    add: _Add = None,
    rotation: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A change of key that its owner signed; repeatable.")
    ] = None,
    succession: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A person's file that shows how they came to another key; repeatable."),
    ] = None,
    lost: Annotated[
        str | None,
        typer.Option(metavar="NAME|KEY", help="A person whose key was lost or stolen: the key ends at --since."),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="When it was lost, as 2026-11-20T18:00:00.000Z (default: now).")
    ] = None,
    replace: Annotated[str | None, typer.Option(metavar="KEY", help="The key that its owner has from then on.")] = None,
    force: _Force = False,
) -> None:
    """Sign the next version of a roster: add people, change keys, end lost keys."""
    from verifier.log.roster import Roster
    from verifier.rosters.roster import check_extends

    old = _read(call, file)
    entries = list(old.entries) + _entries(add or [])
    for path in rotation or ():
        entries = _rotated(old, entries, path)
    entries = _succeeded(entries, succession or ())
    if lost is not None:
        entries = _without(entries, lost, since, replace)
    elif since is not None or replace is not None:
        raise UsageError("--since and --replace go with --lost: say which key was lost")
    later = Roster(old.event, old.version + 1, old.hash, tuple(entries))
    check_extends(later, old)
    _write(call, later, out, force=force, changes=_changes(old, later))


@command(
    _roster,
    "rotate",
    signed=True,
    examples=["rollproof roster rotate --as alice --event 'Spring Open' --new-home ./new --out alice.rotation"],
)
def rotate(
    call: Call,
    event: Annotated[str, typer.Option("--event", metavar="TEXT", help="The roster's event.", show_default=False)],
    new_home: Annotated[
        Path,
        typer.Option(
            "--new-home", metavar="DIR", help="A home with your new identity of the same name.", show_default=False
        ),
    ],
    out: _Out,
    force: _Force = False,
) -> None:
    """Sign a change of your key, with the old key and with the new one; the organizer takes it into the roster.

    Make the new key first, in another folder: rollproof identity new NAME --home DIR.
    """
    from ledger.cli.files import write_files
    from ledger.game.times import utc_now
    from ledger.home import Home
    from verifier.checkpoints.note import Note, format_note, signature_line
    from verifier.rosters.roster import Rotation, parse_rotation

    name = call.acting
    old = call.home.identity(name, passphrase(name))
    later = Home(new_home).identity(name, passphrase(name))
    time = utc_now()
    text = Rotation(event, old.key, later.key, time).text
    lines = tuple(signature_line(identity.key, identity.sign(text.encode())) for identity in (old, later))
    data = format_note(Note(text, lines))
    parse_rotation(data)
    write_files({out: lambda stream: stream.write(data)}, force=force)
    if call.out.json:
        call.out.value({"file": str(out), "event": event, "old": str(old.key), "new": str(later.key), "time": time})
    else:
        call.out.say(f"{out}: {name}'s change of key, for the organizer")


@command(
    _roster,
    "show",
    examples=[
        "rollproof roster show open.roster --organizer olga+7d66...",
        "rollproof roster show open-2.roster --organizer olga+7d66... --before open.roster",
    ],
)
def show(
    call: Call,
    file: _File,
    organizer: Annotated[
        str, typer.Option("--organizer", metavar="KEY", help="The organizer's verifier key.", show_default=False)
    ],
    before: Annotated[
        Path | None, typer.Option("--before", metavar="OLD", help="An older version: does this one extend it?")
    ] = None,
) -> None:
    """Check a roster and print it. Exit code: 0 it holds, 1 it does not extend the older one, 66 it cannot be used."""
    from verifier.errors import NoteError
    from verifier.rosters.roster import check_extends
    from verifier.shell.files import read_roster

    roster = read_roster(file, organizer)
    if before is not None:
        older = read_roster(before, organizer)
        try:
            check_extends(roster, older)
        except NoteError as error:
            call.out.note(f"{printable(file)} does not extend {printable(before)}: {error}")
            raise typer.Exit(1) from None
    entries = [(entry.key.name, entry.since, entry.until, str(entry.key)) for entry in roster.entries]
    if call.out.json:
        names = ("name", "from", "until", "key")
        call.out.value(
            {
                "event": roster.event,
                "version": roster.version,
                "previous": roster.previous,
                "hash": roster.hash,
                "keys": [dict(zip(names, entry, strict=True)) for entry in entries],
            }
        )
        return
    call.out.say(f"{isolated(roster.event)}, version {roster.version}, {roster.hash}")
    call.out.table(["name", "from", "until", "verifier key"], entries)


def _entries(keys: list[str]) -> "list[Entry]":
    """Raises KeyFormatError."""
    from verifier import VerifierKey
    from verifier.log.roster import Entry

    return [Entry(VerifierKey.parse(key)) for key in keys]


def _read(call: Call, path: Path) -> "Roster":
    """Read a roster that the acting identity has signed. Raises OSError, NoteError."""
    from verifier.shell.files import read_roster

    return read_roster(path, str(call.home.key(call.acting)))


def _write(call: Call, roster: "Roster", out: Path, *, force: bool, changes: Sequence[str] = ()) -> None:
    """Sign a roster as the acting identity, and write it. Raises NoteError if it would be invalid."""
    from ledger.cli.files import write_files
    from verifier.checkpoints.note import signature_line
    from verifier.rosters.roster import parse_roster, signed_roster

    name = call.acting
    organizer: Identity = call.home.identity(name, passphrase(name))
    data = signed_roster(roster, signature_line(organizer.key, organizer.sign(roster.text.encode())))
    parse_roster(data, organizer.key)
    write_files({out: lambda stream: stream.write(data)}, force=force)
    if call.out.json:
        call.out.value({"file": str(out), "event": roster.event, "version": roster.version, "hash": roster.hash})
    else:
        contents = f"{isolated(roster.event)}, version {roster.version}, keys: {len(roster.entries)}"
        call.out.say(f"{printable(out)}: {contents}")
        for change in changes:
            call.out.say(f"  {change}")
        call.out.say("It is good for whoever knows your key:")
        call.out.line(str(organizer.key))


def _rotated(old: "Roster", entries: "list[Entry]", path: Path) -> "list[Entry]":
    """Return the entries with a change of key that both keys signed. Raises OSError, NoteError, UsageError."""
    from ledger.cli.files import read_bounded
    from verifier.checkpoints.note import MAX_NOTE
    from verifier.rosters.roster import parse_rotation

    rotation = parse_rotation(read_bounded(path, MAX_NOTE))
    if rotation.event != old.event:
        events = f"{isolated(rotation.event)}, not for {isolated(old.event)}"
        raise UsageError(f"{printable(path)} is a change of key for {events}")
    return _ended(entries, str(rotation.old), rotation.time, str(rotation.new))


def _succeeded(entries: "list[Entry]", paths: Sequence[Path]) -> "list[Entry]":
    """Return the entries with the successions of files, from each valid key to its newest.

    Raises OSError, NoteError, UsageError.
    """
    from ledger.cli.files import read_whole
    from verifier import VerifierKey
    from verifier.log.succession import MAX_SUCCESSIONS_FILE, follow, parse_successions

    files = {path: parse_successions(read_whole(path, MAX_SUCCESSIONS_FILE)) for path in paths}
    found = [one for chain in files.values() for one in chain]
    followed = follow(found)
    for key in followed.split:
        raise UsageError(
            f"two successions of the key {key} differ: ask whose they are, and leave out what is not theirs"
        )
    for key in followed.joined:
        raise UsageError(f"two keys have the successor {key}: ask whose it is, and leave out what is not theirs")
    going_on = (one for one in found if VerifierKey.parse(one.key).public_bytes.hex() in followed.newest)
    step = {one.key: one for one in sorted(going_on, key=lambda one: one.time, reverse=True)}
    taken = set[str]()
    for key in [str(entry.key) for entry in entries if entry.until is None]:
        at = key
        while (one := step.get(at)) is not None:
            entries = _ended(entries, at, one.time, one.new)
            taken.add(at)
            at = one.new
    for path, chain in files.items():
        if taken.isdisjoint(one.key for one in chain):
            raise MissingError(
                f"{printable(path)}: none of these successions is of a key of this roster that still counts"
            )
    return entries


def _without(entries: "list[Entry]", lost: str, since: str | None, new: str | None) -> "list[Entry]":
    """Return the entries with a lost key ended, and its replacement added. Raises UsageError, KeyFormatError."""
    from ledger.game.times import utc_now

    return _ended(entries, lost, since or utc_now(), new)


def _ended(entries: "list[Entry]", lost: str, time: str, new: str | None) -> "list[Entry]":
    """End a valid key, by the key or its name, and begin another. Raises UsageError, KeyFormatError."""
    from msgspec.structs import replace

    from verifier import VerifierKey
    from verifier.log.roster import Entry

    counting = (entry for entry in entries if entry.until is None)
    current = next((entry for entry in counting if lost in (entry.key.name, str(entry.key))), None)
    if current is None:
        raise MissingError(f"{lost} is not a key of this roster that still counts")
    ended = [replace(entry, until=time) if entry is current else entry for entry in entries]
    if new is None:
        return ended
    key = VerifierKey.parse(new)
    if key.name != current.key.name:
        raise UsageError(
            f"the new key is {key.name}'s: a key of {current.key.name} is replaced by one of the same name"
        )
    return [*ended, Entry(key, since=time)]


def _changes(old: "Roster", later: "Roster") -> list[str]:
    """Describe the changes of a version; an end in the past invalidates signatures made since."""
    before, said = old.by_key(), []
    for entry in later.entries:
        was, name = before.get(entry.key.public_bytes), entry.key.name
        if was is None:
            said.append(f"{name}: a new key, from {entry.since}" if entry.since else f"{name}: added")
        elif was.until != entry.until:
            said.append(f"{name}: the key ends, and what it signed from {entry.until} on does not count")
    return said
