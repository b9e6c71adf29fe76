"""The store of event logs (specs/event.md): lines in a database, each checked before it is stored.

The keeper's memory records the lines that it signed last, before they are stored. So a restored older database is
noticed, a line that was signed when a machine stopped is not signed a second time, and of two machines one is stale.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

from msgspec import Struct

from ledger.errors import BehindError, ForkError, MissingError, RefusedError, StoreError, UsageError
from ledger.seats.memory import SeatMemory
from ledger.store.storage import Storage
from verifier import Failure
from verifier.event.acts import MAX_EVENT_LINES
from verifier.event.replay import EventReplay
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode

__all__ = ["EventLogs", "StoredEvent"]

_AT_ONCE = 512
"""the number of lines read at a time"""


class StoredEvent(Struct, frozen=True):
    """An event of the store: its id (hex), its title, and its number of lines."""

    event: str
    title: str
    lines: int


class EventLogs:
    """The event logs of a home or server. One thread at a time writes; any thread reads."""

    def __init__(self, storage: Storage) -> None:
        """Use the database `storage`, which `close` closes. Raises StoreError."""
        self._storage = storage
        storage.create("event_logs")
        self._live: dict[bytes, EventReplay] = {}
        """replays of events as of the last look at them"""
        self._inserted = False
        """whether the current transaction has inserted a line"""
        self._turn = RLock()

    def close(self) -> None:
        """Close the database."""
        self._storage.close()

    def events(self) -> list[StoredEvent]:
        """Return all events, by title. Raises StoreError."""
        statement = (
            "SELECT event, title, (SELECT count(*) FROM event_lines WHERE event_lines.event = event_titles.event) "
            "FROM event_titles ORDER BY title, event"
        )
        return [StoredEvent(*row) for row in self._storage.read(statement)]

    def find(self, text: str) -> bytes:
        """Return the id of the event with this title, or beginning of an id. Raises MissingError, UsageError."""
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
        """Yield the lines `start` to before `stop` of an event, without line feeds. Raises StoreError."""
        statement = "SELECT line FROM event_lines WHERE event = ? AND seq >= ? AND seq < ? ORDER BY seq"
        stop = min(stop, MAX_EVENT_LINES)  # a reader may ask from any number on
        while start < stop:
            rows = self._storage.read(statement, (event.hex(), start, min(stop, start + _AT_ONCE)))
            yield from (bytes(line) for (line,) in rows)
            start += _AT_ONCE if rows else stop

    def size(self, event: bytes) -> int:
        """Return the number of lines; 0 for an event that is not here. Raises StoreError."""
        statement = "SELECT COALESCE(MAX(seq) + 1, 0) FROM event_lines WHERE event = ?"
        ((size,),) = self._storage.read(statement, (event.hex(),))
        return int(size)

    def replay(self, event: bytes) -> EventReplay:
        """Return a replay of all stored lines. Raises StoreError if the store is damaged."""
        replay = EventReplay()
        self._step_all(event, replay, self.lines(event))
        return replay

    @contextmanager
    def looking(self, event: bytes) -> Iterator[EventReplay]:
        """Give the current replay of an event, to be read within the block; nothing is written meanwhile.

        Raises MissingError, StoreError.
        """
        with self._turn:
            yield self._current(event, self._storage.read)

    def _current(self, event: bytes, read: Callable[..., Any]) -> EventReplay:
        """Return the current replay of an event; `read` returns only the lines not replayed before.

        Raises MissingError, StoreError.
        """
        replay = self._live.get(event) or EventReplay()
        statement = "SELECT line FROM event_lines WHERE event = ? AND seq >= ? ORDER BY seq"
        lines = [bytes(line) for (line,) in read(statement, (event.hex(), replay.size - 1))]
        if replay.size and (not lines or leaf_hash(lines.pop(0)) != replay.head):
            # The transaction with the last lines did not commit, or the database was put back.
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
    def _writing(self, event: bytes) -> Iterator[None]:
        """Run the block as a transaction that writes to an event."""
        with self._turn:
            self._inserted = False
            with self._storage.transaction([event.hex()]):
                yield
            if self._inserted:
                self._storage.tell([event.hex()])

    def create(self, line: bytes, memory: SeatMemory) -> tuple[bool, bytes]:
        """Begin an event with its line 0, by the keeper, whose memory this is; return whether it is new, and its id.

        There is one event for each `open`: if another process was faster, or it was there, the line is not kept, and
        the id is that of the event that was begun. Raises RefusedError, StoreError, MemoryLostError.
        """
        replay, event = EventReplay(), leaf_hash(line)
        _step(replay, line)
        with self._writing(event):
            begun = self._begun(event, replay)
            if self._rows("SELECT 1 FROM event_lines WHERE event = ? AND seq = 0", (begun,)):
                return False, bytes.fromhex(begun)
            with memory.game(event) as turn:  # the turn ends first: it is durable before the line is
                self._insert(event, 0, line)
                self._name(event, replay)
                turn.change(lines=(line.decode(),))
        return True, event

    def _begun(self, event: bytes, replay: EventReplay) -> str:
        """Return the event (hex) that was begun by the replay's `open`: this one, if there was none.

        The primary key decides: whoever comes second waits here until the first has committed.
        """
        opened = hashlib.sha256(encode(replay.terms.body)).hexdigest()
        self._storage.insert("event_begun", ("open", "event"), [(opened, event.hex())], new=False)
        ((begun,),) = self._rows("SELECT event FROM event_begun WHERE open = ?", (opened,))
        return str(begun)

    def write(self, event: bytes, makers: Sequence[Callable[[EventReplay], bytes]], memory: SeatMemory) -> EventReplay:
        """Add lines that the keeper signs, each made from the replay before it: all of them or none.

        `memory` is the keeper's. Durable when this returns. Raises RefusedError if the log would not hold with one,
        MissingError, MemoryLostError, StoreError, also if the database was restored from an older copy; if another
        machine wrote at the same time StaleMemoryError.
        """
        with self._writing(event), memory.game(event) as turn:
            replay = self._recovered(event, [line.encode() for line in turn.record.lines])
            recovered = self._inserted
            lines = list[bytes]()
            for make in () if recovered else makers:
                lines.append(make(replay))
                _step(replay, lines[-1])
                self._insert(event, replay.size - 1, lines[-1])
            if lines:
                turn.change(lines=tuple(line.decode() for line in lines))
        return (
            self.write(event, makers, memory) if recovered else replay
        )  # recovered lines remain, even if these are refused

    def take(self, data: bytes) -> tuple[bytes, int]:
        """Store another keeper's log, or its new lines; return the event id, and the number of new lines.

        Raises RefusedError if the log does not hold, ForkError if it is another history than the stored one,
        BehindError if it is shorter.
        """
        *lines, rest = data.split(b"\n")
        if rest or not lines:
            raise RefusedError("The last line has no line feed: the file was cut inside it.", "line.unterminated", None)
        replay = EventReplay()
        event = leaf_hash(lines[0])
        with self._writing(event):
            stored = list(self.lines(event))
            if stored != lines[: len(stored)]:
                if lines == stored[: len(lines)]:
                    here = f"{len(stored)} are here: nothing in it is new"
                    raise BehindError(f"the file has {len(lines)} lines of this event, and {here}")
                raise ForkError("the file is another history of this event than the one here: keep both")
            for line in lines:
                _step(replay, line)
                if replay.size > len(stored):
                    self._insert(event, replay.size - 1, line)
            self._name(event, replay)
        return event, len(lines) - len(stored)

    def extend(self, event: bytes, lines: Sequence[bytes], first: int) -> int:
        """Add another keeper's lines, the first of which has the number `first`; return how many are new.

        Raises RefusedError if the log would not hold with them, ForkError if other lines are stored in their places.
        """
        with self._writing(event):
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
            if new:
                self._name(event, replay)
                self._live[event] = replay
        return len(new)

    def _insert(self, event: bytes, seq: int, line: bytes) -> None:
        self._inserted = True
        self._storage.execute("INSERT INTO event_lines VALUES (?, ?, ?)", (event.hex(), seq, line))

    def _name(self, event: bytes, replay: EventReplay) -> None:
        self._begun(event, replay)
        self._storage.upsert("event_titles", [(event.hex(), replay.terms.body.title)])

    def _recovered(self, event: bytes, last: Sequence[bytes]) -> EventReplay:
        """Return the replay of an event, after storing the lines signed last, if they are not stored yet.

        Raises StoreError if the database was restored from an older copy.
        """
        replay = self._current(event, self._rows)
        if not last:
            raise StoreError(f"event {event.hex()[:12]} is not kept here, or what its keeper remembered of it was lost")
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
        """Return rows as the transaction sees them."""
        return self._storage.execute(statement, values).fetchall()


def _step(replay: EventReplay, line: bytes) -> None:
    """Replay a line. Raises RefusedError."""
    try:
        replay.step(line)
    except Failure as failure:
        raise RefusedError(failure, failure.code, failure.clause) from None
