"""The store of event logs (specs/event.md): lines in one SQLite file, each checked before it is stored.

The last line that the keeper signed stands in a file outside of the home too, before it is stored. So a store that was
put back is noticed, and a line that was signed when the machine stopped is not signed a second time.
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ledger.database import EVENTS_KIND, append_only, open_database, reading, transaction
from ledger.errors import BehindError, ForkError, MissingError, RefusedError, StoreError, UsageError
from verifier import Failure
from verifier.event.replay import EventReplay
from verifier.log.merkle import leaf_hash

__all__ = ["EventLogs", "StoredEvent"]

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS event_lines (
    event TEXT NOT NULL, seq INTEGER NOT NULL, line BLOB NOT NULL, PRIMARY KEY (event, seq)) STRICT;

CREATE TABLE IF NOT EXISTS event_titles (event TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT;

{append_only("event_lines")}"""


class StoredEvent(Struct, frozen=True):
    """An event of the store: its id (hex), its title, and how many lines there are."""

    event: str
    title: str
    lines: int


class EventLogs:
    """The event logs of a home. Whoever takes it closes it."""

    def __init__(self, path: Path, state: Path) -> None:
        """`path`: the database. `state`: where the last line of each event that is kept here stands once more.

        Raises StoreError.
        """
        self._path, self._state = path, state
        self._database = open_database(path, _SCHEMA, kind=EVENTS_KIND, mode=0o600)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def events(self) -> list[StoredEvent]:
        """All events, by title. Raises StoreError."""
        statement = (
            "SELECT event, title, (SELECT count(*) FROM event_lines WHERE event_lines.event = event_titles.event) "
            "FROM event_titles ORDER BY title, event"
        )
        with reading(self._path):
            return [StoredEvent(*row) for row in self._database.execute(statement).fetchall()]

    def find(self, text: str) -> bytes:
        """The id of the event that a title, or the beginning of an id, means. Raises MissingError, UsageError."""
        events = self.events()
        found = [each for each in events if each.title == text]
        if not found and re.fullmatch("[0-9a-f]{4,64}", text):
            found = [each for each in events if each.event.startswith(text)]
        if not found:
            raise MissingError(f"there is no event {text!r} here")
        if len(found) > 1:
            ids = ", ".join(each.event[:12] for each in found)
            raise UsageError(f"{text!r} is more than one event here: say which by its id ({ids})")
        return bytes.fromhex(found[0].event)

    def lines(self, event: bytes) -> Iterator[bytes]:
        """The lines of an event, without line feeds. Raises StoreError."""
        with reading(self._path):
            statement = "SELECT line FROM event_lines WHERE event = ? ORDER BY seq"
            for (line,) in self._database.execute(statement, (event.hex(),)):
                yield bytes(line)

    def replay(self, event: bytes) -> EventReplay:
        """The event as it stands here. Raises StoreError where the store is damaged."""
        replay = EventReplay()
        try:
            for line in self.lines(event):
                replay.step(line, trusted=True)
        except Failure as failure:
            raise StoreError(
                f"{self._path} is damaged at line {replay.size} of event {event.hex()[:12]}: {failure}"
            ) from None
        return replay

    def create(self, line: bytes) -> bytes:
        """Begin an event with its line 0, by the keeper; its id. Raises RefusedError, StoreError."""
        replay, event = EventReplay(), leaf_hash(line)
        _step(replay, line)
        with transaction(self._database):
            self._insert(event, 0, line)
            self._database.execute("INSERT INTO event_titles VALUES (?, ?)", (event.hex(), replay.terms.body.title))
            self._note(event, line)
        return event

    def write(self, event: bytes, makers: Sequence[Callable[[EventReplay], bytes]]) -> EventReplay:
        """Add lines that the keeper signs, each made from the event as it stands then: all of them or none.

        Durable when this returns. Raises RefusedError where the log would not hold with one, StoreError, also where the
        store was put back.
        """
        with transaction(self._database):
            replay = self._recovered(event)
            for make in makers:
                line = make(replay)
                _step(replay, line)
                self._insert(event, replay.size - 1, line)
            if makers:
                self._note(event, line)
        return replay

    def take(self, data: bytes) -> tuple[bytes, int]:
        """Store a log of somebody else's, or what is new in it: the event id, and how many lines are new.

        Raises RefusedError where it does not hold, ForkError where it is another history than the one here,
        BehindError where it is shorter.
        """
        *lines, rest = data.split(b"\n")
        if rest or not lines:
            raise RefusedError("The last line has no line feed: the file was cut inside it.", "line.unterminated", None)
        replay = EventReplay()
        event = leaf_hash(lines[0])
        with transaction(self._database):
            stored = list(self.lines(event))
            if stored != lines[: len(stored)]:
                if lines == stored[: len(lines)]:
                    raise BehindError(f"the file has {len(lines)} lines of this event, and {len(stored)} are here")
                raise ForkError("the file is another history of this event than the one here: keep both")
            for line in lines:
                _step(replay, line)
                if replay.size > len(stored):
                    self._insert(event, replay.size - 1, line)
            if not stored:
                self._database.execute("INSERT INTO event_titles VALUES (?, ?)", (event.hex(), replay.terms.body.title))
        return event, len(lines) - len(stored)

    def _insert(self, event: bytes, seq: int, line: bytes) -> None:
        self._database.execute("INSERT INTO event_lines VALUES (?, ?, ?)", (event.hex(), seq, line))

    def _recovered(self, event: bytes) -> EventReplay:
        """The event, with the line that was signed and not yet stored. Raises StoreError where it was put back."""
        replay, last = self.replay(event), self._last(event)
        if last is None:
            raise StoreError(f"event {event.hex()[:12]} is not kept on this machine, or {self._state} was lost")
        if replay.head == leaf_hash(last):
            return replay
        try:
            replay.step(last)
        except Failure:
            raise StoreError(
                f"{self._path} was put back: more of this event was signed here than stands there. Nothing was written"
            ) from None
        self._insert(event, replay.size - 1, last)
        return replay

    def _last_path(self, event: bytes) -> Path:
        return self._state / f"{event.hex()}.event-line"

    def _last(self, event: bytes) -> bytes | None:
        try:
            return self._last_path(event).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{self._last_path(event)} cannot be read: {error.strerror}") from None

    def _note(self, event: bytes, line: bytes) -> None:
        """Put the last line outside of the store, on the disk."""
        path = self._last_path(event)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            with os.fdopen(descriptor, "wb") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
            Path(part).replace(path)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from None


def _step(replay: EventReplay, line: bytes) -> None:
    """Raises RefusedError."""
    try:
        replay.step(line)
    except Failure as failure:
        raise RefusedError(failure, failure.code, failure.clause) from None
