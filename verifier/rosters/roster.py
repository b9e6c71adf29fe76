"""Rosters as files: names and keys, signed by an organizer, and changes of a key (specs/roster.md)."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple, TypeVar

from rules.data.bounds import MAX_TEXT
from rules.data.text import TEXT_PATTERN
from verifier.checkpoints.head import parse_size
from verifier.checkpoints.note import Note, NoteSignature, format_note, parse_note, signed_by
from verifier.errors import KeyFormatError, NoteError
from verifier.log.identity import VerifierKey
from verifier.log.roster import ROSTER_LABEL, Entry, Roster

__all__ = [
    "MAX_ROSTER",
    "RosterError",
    "Rotation",
    "check_extends",
    "parse_roster",
    "parse_rotation",
    "signed_roster",
]

T = TypeVar("T")

MAX_ROSTER = 8_388_608
"""bytes that a roster may have"""

ROTATION_LABEL = b"rollproof/v1/rotation\n"
_TEXT = re.compile(TEXT_PATTERN)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z\Z")
_HASH = re.compile(r"[0-9a-f]{64}\Z")


class RosterError(NoteError):
    """Raised for a roster that cannot be used.

    `code` is `roster.signature` if the organizer did not sign it, else `roster.malformed`.
    """

    def __init__(self, code: str, problem: NoteError) -> None:
        super().__init__(problem.template, **problem.values)
        self.code = code


class Rotation(NamedTuple):
    """A change of key by a player, signed with both keys."""

    event: str
    old: VerifierKey
    new: VerifierKey
    time: str

    @property
    def text(self) -> str:
        """The text that both keys sign."""
        return f"{ROTATION_LABEL.decode()}event {self.event}\nold {self.old}\nnew {self.new}\ntime {self.time}\n"


def parse_roster(data: bytes, organizer: VerifierKey) -> Roster:
    """Parse a roster that the organizer signed. Raises RosterError."""
    try:
        note = parse_note(data, most=MAX_ROSTER)
    except NoteError as problem:
        raise RosterError("roster.malformed", problem) from None
    try:
        if signed_by(note, organizer) is None:
            raise NoteError("it is not signed by {organizer}, the organizer", organizer=organizer.name)
    except NoteError as problem:
        raise RosterError("roster.signature", problem) from None
    try:
        return _read(note)
    except NoteError as problem:
        raise RosterError("roster.malformed", problem) from None


def _read(note: Note) -> Roster:
    """Parse the text of a roster. Raises NoteError."""
    lines = _Lines(note, ROSTER_LABEL, 5)
    roster = Roster(
        lines.member("event", _text),
        lines.member("version", _version),
        lines.member("previous", _hash),
        tuple(lines.member("key", _entry) for _ in range(lines.left)),
    )
    if (roster.version == 1) != (roster.previous == "0" * 64):
        raise NoteError("version 1 and no other has zeros for the version before it")
    _check_entries(roster.entries)
    return roster


def signed_roster(roster: Roster, signature: NoteSignature) -> bytes:
    """Return a roster as a file. Raises NoteError if `parse_roster` would refuse it."""
    _check_entries(roster.entries)
    data = format_note(Note(roster.text, (signature,)))
    if len(data) > MAX_ROSTER:
        raise NoteError("it is longer than {most} bytes", most=MAX_ROSTER)
    return data


def parse_rotation(data: bytes) -> Rotation:
    """Parse a change of key that both keys signed. Raises NoteError."""
    note = parse_note(data)
    lines = _Lines(note, ROTATION_LABEL, 5)
    rotation = Rotation(
        lines.member("event", _text),
        lines.member("old", _key),
        lines.member("new", _key),
        lines.member("time", _time),
    )
    if lines.left:
        raise NoteError("it has more lines than a change of key has")
    if rotation.old.name != rotation.new.name or rotation.old.public_bytes == rotation.new.public_bytes:
        raise NoteError("the old and the new key are not two keys of one name")
    for key in (rotation.old, rotation.new):
        if signed_by(note, key) is None:
            raise NoteError("it is not signed by {key}", key=key)
    return rotation


def check_extends(new: Roster, old: Roster) -> None:
    """Raise NoteError unless `new` is a possible later version of `old`."""
    if new.event != old.event:
        raise NoteError("they are rosters of two events, {old} and {new}", old=old.event, new=new.event)
    if new.version == old.version and new.text != old.text:
        raise NoteError("the organizer signed two different versions {version}", version=new.version)
    if new.version < old.version:
        raise NoteError("version {new} is older than version {old}", new=new.version, old=old.version)
    if new.version == old.version + 1 and new.previous != old.hash:
        raise NoteError("version {new} was made from another version {old}", new=new.version, old=old.version)
    entries = new.by_key()
    for entry in old.entries:
        later = entries.get(entry.key.public_bytes)
        if later is None or later.key.name != entry.key.name:
            raise NoteError("the key of {name} was taken away: {key}", name=entry.key.name, key=entry.key)
        if later.since != entry.since or entry.until not in (None, later.until):
            raise NoteError("the times of {name}'s key were changed: {key}", name=entry.key.name, key=entry.key)


def _check_entries(entries: Iterable[Entry]) -> None:
    """Raise NoteError if a key occurs twice, or two keys of one name count at the same time."""
    seen: set[bytes] = set()
    of_name: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.key.public_bytes in seen:
            raise NoteError("the key of {name} stands twice", name=entry.key.name)
        if entry.since is not None and entry.until is not None and entry.since >= entry.until:
            raise NoteError("the key of {name} ends before it begins", name=entry.key.name)
        seen.add(entry.key.public_bytes)
        of_name.setdefault(entry.key.name, []).append(entry)
    for name, keys in of_name.items():
        keys.sort(key=lambda entry: entry.since or "")
        for one, other in pairwise(keys):
            if one.until is None or other.since is None or one.until > other.since:
                raise NoteError("two keys of {name} count at the same time", name=name)


class _Lines:
    """The lines of a note after its label. Each is taken once, and errors name its number."""

    def __init__(self, note: Note, label: bytes, least: int) -> None:
        self._lines = note.text.removesuffix("\n").split("\n")
        self._taken = 1
        if self._lines[0] != label.decode().removesuffix("\n"):
            raise NoteError("its first line is not {label}", label=label.decode().removesuffix("\n"))
        if len(self._lines) < least:
            raise NoteError("it ends too early")

    @property
    def left(self) -> int:
        return len(self._lines) - self._taken

    def member(self, name: str, read: Callable[[str], T]) -> T:
        """Parse the next line, which must begin with `name`. Raises NoteError."""
        line = self._lines[self._taken]
        self._taken += 1
        try:
            if not line.startswith(f"{name} "):
                raise NoteError("where {name} should stand there is {line!r}", name=name, line=line[:80])
            return read(line.removeprefix(f"{name} "))
        except NoteError as problem:
            raise NoteError("line {number}: {problem}", number=self._taken, problem=problem) from None


def _text(text: str) -> str:
    if not text or len(text) > MAX_TEXT or not _TEXT.match(text):
        raise NoteError("its event has no name that can be shown")
    return text


def _version(text: str) -> int:
    version = parse_size(text)
    if not version:
        raise NoteError("{text!r} is no number of a version", text=text[:30])
    return version


def _hash(text: str) -> str:
    if not _HASH.match(text):
        raise NoteError("{text!r} is no hash of the version before", text=text[:80])
    return text


def _key(text: str) -> VerifierKey:
    try:
        return VerifierKey.parse(text)
    except KeyFormatError as error:
        raise NoteError("{problem}", problem=error) from None


def _time(text: str) -> str:
    try:
        if _TIME.match(text):
            datetime.fromisoformat(text)
            return text
    except ValueError:
        pass
    raise NoteError("{text!r} is no time; it has the form 2026-11-20T19:00:00.000Z", text=text[:40])


def _entry(text: str) -> Entry:
    parts = text.split(" ")
    if len(parts) != 3:
        raise NoteError("a line has a key and two times, and not {text!r}", text=text[:100])
    key, since, until = parts
    bounds = (None if time == "-" else _time(time) for time in (since, until))
    return Entry(_key(key), *bounds)
