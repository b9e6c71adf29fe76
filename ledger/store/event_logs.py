"""The store of event logs (specs/event.md): lines in a database, each checked before it is stored.

The last lines that the keeper signed stand in a file outside of the database too, before they are stored. So a store
that was put back is noticed, and a line that was signed when the machine stopped is not signed a second time.
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from msgspec import Struct

from ledger.errors import BehindError, ForkError, MissingError, RefusedError, StoreError, UsageError
from ledger.store.storage import Storage
from verifier import Failure
from verifier.event.acts import MAX_EVENT_LINES
from verifier.event.replay import EventReplay
from verifier.log.merkle import leaf_hash

__all__ = ["EventLogs", "StoredEvent"]

_AT_ONCE = 512
"""lines that are read at once"""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS event_lines (
    event TEXT NOT NULL, seq INTEGER NOT NULL, line BLOB NOT NULL, PRIMARY KEY (event, seq)) STRICT;

CREATE TABLE IF NOT EXISTS event_titles (event TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT"""


class StoredEvent(Struct, frozen=True):
    """An event of the store: its id (hex), its title, and how many lines there are."""

    event: str
    title: str
    lines: int


class EventLogs:
    """The event logs of a home or server. One thread at a time writes; any thread reads."""

    def __init__(self, storage: Storage, state: Path) -> None:
        """`state`: where the last lines of each event that is kept here stand once more. `close` closes the storage.

        Raises StoreError.
        """
        self._storage, self._state = storage, state
        storage.create(_SCHEMA, ["event_lines"])
        self._live: dict[bytes, EventReplay] = {}
        """events as they were when they were last looked at"""
        self._inserted = False
        """whether the transaction that is on has put a line in"""
        self._turn = RLock()

    def close(self) -> None:
        """Let go of the database."""
        self._storage.close()

    def events(self) -> list[StoredEvent]:
        """All events, by title. Raises StoreError."""
        statement = (
            "SELECT event, title, (SELECT count(*) FROM event_lines WHERE event_lines.event = event_titles.event) "
            "FROM event_titles ORDER BY title, event"
        )
        return [StoredEvent(*row) for row in self._storage.read(statement)]

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

    def lines(self, event: bytes, start: int = 0, stop: int = MAX_EVENT_LINES) -> Iterator[bytes]:
        """The lines of an event from one number to before another, without line feeds. Raises StoreError."""
        statement = "SELECT line FROM event_lines WHERE event = ? AND seq >= ? AND seq < ? ORDER BY seq"
        while start < stop:
            rows = self._storage.read(statement, (event.hex(), start, min(stop, start + _AT_ONCE)))
            yield from (bytes(line) for (line,) in rows)
            start += _AT_ONCE if rows else stop

    def size(self, event: bytes) -> int:
        """How many lines there are; 0 for an event that is not here. Raises StoreError."""
        statement = "SELECT COALESCE(MAX(seq) + 1, 0) FROM event_lines WHERE event = ?"
        ((size,),) = self._storage.read(statement, (event.hex(),))
        return int(size)

    def replay(self, event: bytes) -> EventReplay:
        """The event as it stands here. Raises StoreError where the store is damaged."""
        replay = EventReplay()
        self._step_all(event, replay, self.lines(event))
        return replay

    @contextmanager
    def looking(self, event: bytes) -> Iterator[EventReplay]:
        """The event as it stands, to be read until the end of the block; nothing is written meanwhile.

        Raises MissingError, StoreError.
        """
        with self._turn:
            yield self._current(event, self._storage.read)

    def _current(self, event: bytes, read: Callable[..., Any]) -> EventReplay:
        """The event as `read` has it: what was seen before is not read again. Raises MissingError, StoreError."""
        replay = self._live.get(event) or EventReplay()
        statement = "SELECT line FROM event_lines WHERE event = ? AND seq >= ? ORDER BY seq"
        lines = [bytes(line) for (line,) in read(statement, (event.hex(), max(0, replay.size - 1)))]
        if replay.size and (not lines or leaf_hash(lines.pop(0)) != replay.head):  # the database was put back
            del self._live[event]
            return self._current(event, read)
        if not replay.size and not lines:
            raise MissingError(f"there is no event {event.hex()[:12]} here")
        self._step_all(event, replay, lines)
        self._live[event] = replay
        return replay

    def _step_all(self, event: bytes, replay: EventReplay, lines: Iterable[bytes]) -> None:
        try:
            for line in lines:
                replay.step(line, trusted=True)
        except Failure as failure:
            self._live.pop(event, None)
            raise StoreError(
                f"{self._storage.name} is damaged at line {replay.size} of event {event.hex()[:12]}: {failure}"
            ) from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction. What it has done to events that were looked at is forgotten where it fails."""
        with self._turn:
            self._inserted = False
            try:
                with self._storage.transaction():
                    yield
            except BaseException:
                if self._inserted:  # else what was refused has changed nothing
                    self._live.clear()
                raise

    def create(self, line: bytes) -> bytes:
        """Begin an event with its line 0, by the keeper; its id. Raises RefusedError, StoreError."""
        replay, event = EventReplay(), leaf_hash(line)
        _step(replay, line)
        with self._writing():
            self._insert(event, 0, line)
            self._name(event, replay)
            self._note(event, [line])
        return event

    def write(self, event: bytes, makers: Sequence[Callable[[EventReplay], bytes]]) -> EventReplay:
        """Add lines that the keeper signs, each made from the event as it stands then: all of them or none.

        Durable when this returns. Raises RefusedError where the log would not hold with one, MissingError, StoreError,
        also where the store was put back.
        """
        with self._writing():
            replay = self._recovered(event)
            recovered = self._inserted
            lines = list[bytes]()
            for make in () if recovered else makers:
                lines.append(make(replay))
                _step(replay, lines[-1])
                self._insert(event, replay.size - 1, lines[-1])
            if lines:
                self._note(event, lines)
        return self.write(event, makers) if recovered else replay  # what was recovered stands, whatever comes of these

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
        with self._writing():
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
                self._name(event, replay)
        return event, len(lines) - len(stored)

    def extend(self, event: bytes, lines: Sequence[bytes], first: int) -> int:
        """Take lines of somebody else's, of which the first has this number; how many are new.

        Raises RefusedError where the log would not hold with them, ForkError where others stand in their places.
        """
        with self._writing():
            size = self.size(event)
            known = list(self.lines(event, first, size))
            if list(lines[: len(known)]) != known[: len(lines)]:
                raise ForkError("other lines stand here in their places")
            replay = self._current(event, self._rows) if size else EventReplay()
            new = lines[len(known) :]
            for line in new:
                if not replay.size and leaf_hash(line) != event:
                    raise ForkError("line 0 is that of another event")
                _step(replay, line)
                self._insert(event, replay.size - 1, line)
            if not size and new:
                self._name(event, replay)
                self._live[event] = replay
        return len(new)

    def _insert(self, event: bytes, seq: int, line: bytes) -> None:
        self._inserted = True
        self._storage.execute("INSERT INTO event_lines VALUES (?, ?, ?)", (event.hex(), seq, line))

    def _name(self, event: bytes, replay: EventReplay) -> None:
        self._storage.upsert("event_titles", [(event.hex(), replay.terms.body.title)])

    def _recovered(self, event: bytes) -> EventReplay:
        """The event, with lines that were signed and not yet stored. Raises StoreError where it was put back."""
        replay, last = self._current(event, self._rows), self._last(event)
        if last is None:
            raise StoreError(f"event {event.hex()[:12]} is not kept on this machine, or {self._state} was lost")
        if replay.head == leaf_hash(last[-1]):
            return replay
        try:
            for line in last:
                replay.step(line)
                self._insert(event, replay.size - 1, line)
        except Failure:
            raise StoreError(
                f"{self._storage.name} was put back: more of this event was signed here than stands there. "
                "Nothing was written"
            ) from None
        return replay

    def _rows(self, statement: str, values: Sequence[object]) -> list[Any]:
        """Rows as the transaction sees them."""
        return self._storage.execute(statement, values).fetchall()

    def _last_path(self, event: bytes) -> Path:
        return self._state / f"{event.hex()}.event-line"

    def _last(self, event: bytes) -> list[bytes] | None:
        """The lines that were signed together last."""
        try:
            return self._last_path(event).read_bytes().split(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{self._last_path(event)} cannot be read: {error.strerror}") from None

    def _note(self, event: bytes, lines: Sequence[bytes]) -> None:
        """Put the last lines outside of the store, on the disk."""
        path = self._last_path(event)
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            with os.fdopen(descriptor, "wb") as file:
                file.write(b"\n".join(lines))
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
