"""Games as they are stored: their lines, byte for byte, replays of them, and the read tables.

Every line is offered to the keeper's core before it is stored, so what was appended verifies. Holds no secrets:
anybody can keep a store of games that they follow.

Any thread may use it. Who writes holds the one lock, from the look at a game to the commit, and may ask a seat within
it; so what a seat asks of a view takes that lock at no time: a view reads what is committed, on another connection.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, BinaryIO, Protocol

from msgspec import Struct

from ledger.database import LEDGER_KIND
from ledger.errors import MissingError, RefusedError, StoreError, TurnError, UsageError
from ledger.game.core import KeptGame
from ledger.game.party_view import View
from ledger.seats.seat import utc_now
from ledger.seats.snapshots import Snapshot, Snapshots
from ledger.store.projections import READ_SCHEMA, READ_TABLES, Rebuilding, project
from ledger.store.rebuilding import POLL, Logs, rebuild, replaying
from ledger.store.storage import SqliteStorage, Storage
from rules.data.bounds import MAX_SAFE_INTEGER
from verifier import Failure, Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.log.format import Opening, glance
from verifier.log.merkle import leaf_hash
from verifier.log.signatures import Check
from verifier.opening import ReceivedOpening, parse_received

__all__ = ["GameView", "Games", "Keeper", "Receipt"]

MARKS_AT_A_TIME = 500
"""games that are asked about in one statement"""

LINES_AT_A_TIME = 512
"""that are read from the store before others may read"""

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS events (
    game TEXT NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (game, seq)) STRICT;

CREATE TABLE IF NOT EXISTS openings (
    number INTEGER PRIMARY KEY, game TEXT NOT NULL, request TEXT NOT NULL, author TEXT NOT NULL,
    link_index INTEGER NOT NULL, link TEXT NOT NULL, sig TEXT NOT NULL, UNIQUE (game, request, author)) STRICT;

CREATE TABLE IF NOT EXISTS received (
    number INTEGER PRIMARY KEY, game TEXT NOT NULL, request TEXT NOT NULL, author TEXT NOT NULL,
    receiver TEXT NOT NULL, line TEXT NOT NULL, UNIQUE (game, request, author, receiver)) STRICT;

CREATE TABLE IF NOT EXISTS checkpoints (
    game TEXT PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS deleted (game TEXT PRIMARY KEY) STRICT;

CREATE VIEW IF NOT EXISTS timeline AS
    SELECT game, seq, json_extract(line, '$.time') AS time, json_extract(line, '$.author') AS author,
           json_extract(line, '$.type') AS type, json_extract(line, '$.body') AS body FROM events;

{READ_SCHEMA}"""


_APPEND_ONLY = ("events", "openings", "received")

_LINES = "SELECT line FROM events WHERE game = ? AND seq >= ? AND seq < ? ORDER BY seq"

_NEXT = """INSERT INTO events SELECT ?, ?, ? WHERE ? = (SELECT coalesce(max(seq) + 1, 0) FROM events WHERE game = ?)
AND (? = '' OR EXISTS (SELECT 1 FROM games WHERE game = ? AND head = ?))"""
"""a line with its game and number, if it is the next one, and the line before it has this hash"""


class Receipt(Struct, frozen=True):
    """What an append came to: the event's number and leaf hash, and the log's size and root with it (hex).

    `checkpoint` is the keeper's word for it; None where the keeper had no part in the append.
    """

    game: str
    seq: int
    leaf: str
    size: int
    root: str
    checkpoint: SignedCheckpoint | None = None


class Keeper(Protocol):
    """Who signs checkpoints: the keeper's `Seat`."""

    @property
    def key(self) -> VerifierKey:
        """The key that the checkpoints are signed with."""

    def check(self, view: View) -> None:
        """Whether it would sign the head. Raises LedgerError, and records nothing."""

    def checkpoint(self, view: View) -> SignedCheckpoint:
        """Sign the head, which is stored, and remember that. Raises LedgerError."""


class _Group:
    """Writings that are one transaction."""

    def __init__(self, version: int) -> None:
        self.version = version
        """of the database, to all of them: nobody else writes meanwhile"""
        self.failed: BaseException | None = None
        """by what"""


class _Base:
    """A snapshot that a game was taken up from."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.game = snapshot.game
        self.key = snapshot.key.public_bytes
        self.size = snapshot.size
        self.head = snapshot.head
        self.linked = snapshot.size - 1
        """the first line from which on the stored lines are known to lead to its head"""


class GameView:
    """A stored game, replayed: as it stood when it was looked at. Serves as a `ledger.seats.seat.View`."""

    def __init__(self, games: "Games", replay: Replay, latest: Sequence[bytes] = ()) -> None:
        """`latest` are the replay's last lines, as far as they are at hand: those that are not committed must be."""
        self._games = games
        self.replay = replay
        self._latest = latest
        self._base = games.base(replay.game)

    @property
    def game(self) -> bytes:
        """The game's id, 32 bytes."""
        return self.replay.terms.game

    def leaf(self, seq: int) -> bytes:
        """The leaf hash of line `seq`, 32 bytes."""
        if seq == self.replay.size - 1:
            return self.replay.head
        self._games.check_linked(self._base, seq)
        stored = self.replay.size - len(self._latest)
        line = self._latest[seq - stored] if seq >= stored else next(self._games.lines(self.game, seq, seq + 1))
        return leaf_hash(line)

    @property
    def checkpoint(self) -> SignedCheckpoint | None:
        """The last that is stored."""
        return self._games.checkpoint(self.game)

    @property
    def trusted(self) -> int:
        """How many lines this program took from the store as they stood."""
        return min(self._games.trusted(self.game), self.replay.size)

    def lines(self, start: int) -> Iterator[bytes]:
        """The lines of the replay from number `start` on. Raises StoreError where they are not those."""
        self._games.check_linked(self._base, start)
        yield from self.stored_lines(start)

    def stored_lines(self, start: int) -> Iterator[bytes]:
        """The same as they stand in the store, for whoever checks them."""
        stored = self.replay.size - len(self._latest)
        yield from self._games.lines(self.game, start, stored)
        yield from self._latest[max(0, start - stored) :]

    def stands_for(self, key: VerifierKey) -> bool:
        """Whether the replay rests on lines, or on a snapshot of the seat with this key."""
        return self._base is None or self._base.key == key.public_bytes

    def verify(self, start: int, key: VerifierKey) -> None:
        """Verify the lines from number `start` on: steps 4 to 23. Raises StoreError where one does not hold."""
        self.replay, self._base = self._games.verify(self, start, key)


class Games:
    """The games in one database."""

    def __init__(
        self,
        where: str | Path | Storage,
        clock: Callable[[], str] = utc_now,
        *,
        writable: bool = True,
        snapshots: Snapshots | None = None,
    ) -> None:
        """Open a database, or open or create an SQLite file; whoever opens it closes it, and with it the database.

        If not `writable`, what is in a file is only read, and nothing changed. `snapshots`: of the seats here, which
        games are taken up from. Raises StoreError.
        """
        self._clock = clock
        self._snapshots = snapshots
        self._database: Storage
        if isinstance(where, str | Path):
            self._database = SqliteStorage(Path(where), kind=LEDGER_KIND, mode=0o600, writable=writable)
        else:
            self._database = where
        if writable:
            self._database.create(_SCHEMA, _APPEND_ONLY)
        self._writer = RLock()
        self._kept: dict[bytes, tuple[KeptGame, int]] = {}
        """by game: what is kept of it, and the version of the database that it is up to date with"""
        self._trusted: dict[bytes, int] = {}
        """by game: how many of its lines were taken as they stood in the store"""
        self._bases: dict[bytes, _Base] = {}
        """by game: the snapshot that its replay was taken up from"""
        self._group: _Group | None = None
        self._looked: int | None = None
        """version of the database, to all that is looked at together"""

    def close(self) -> None:
        """Let go of the store."""
        with self._writer:
            self._database.close()

    @property
    def path(self) -> str:
        """Where the games are, for messages."""
        return self._database.name

    # --- reading ---------------------------------------------------------------------------------------------------

    def games(self) -> list[bytes]:
        """The ids of all games, in the order of their opening."""
        return [bytes.fromhex(row[0]) for row in self._read("SELECT game FROM games ORDER BY opened, game")]

    def find(self, text: str) -> bytes:
        """The id of the game that `text` means: an id, its beginning (4 digits or more), or a title.

        Raises UsageError.
        """
        rows = self._read("SELECT game, title FROM games ORDER BY opened, game")
        ids = [game for game, _ in rows if game == text.lower()]  # a title cannot hide a game from its whole id
        if not ids:
            ids = [game for game, title in rows if title == text or (len(text) >= 4 and game.startswith(text.lower()))]
        if len(ids) == 1:
            return bytes.fromhex(ids[0])
        if ids:
            raise UsageError(f"{text!r} fits {len(ids)} games: {', '.join(i[:12] for i in ids)}. Give more of the id.")
        raise MissingError(f"there is no game {text!r} here", "games.list")

    def lines(self, game: bytes, start: int = 0, stop: int = MAX_SAFE_INTEGER) -> Iterator[bytes]:
        """The stored lines from number `start` to before `stop`, without their line feeds. Raises StoreError."""
        while start < stop:
            rows = self._read(_LINES + " LIMIT ?", game.hex(), start, stop, LINES_AT_A_TIME)
            yield from (line.encode() for (line,) in rows)
            if len(rows) < LINES_AT_A_TIME:
                return
            start += len(rows)

    def size(self, game: bytes) -> int:
        """How many lines are stored of a game; 0 where there is none. Raises StoreError."""
        found: int = self._read("SELECT COALESCE(MAX(seq) + 1, 0) FROM events WHERE game = ?", game.hex())[0][0]
        return found

    def marks(self, games: Sequence[bytes]) -> dict[bytes, tuple[int, ...]]:
        """Of these games: numbers that grow with lines, checkpoint, openings, receipts. Raises StoreError."""
        found: dict[bytes, list[int]] = {game: [0, 0, 0, 0] for game in games}
        columns = (("games", "events"), ("checkpoints", "size"), ("openings", "number"), ("received", "number"))
        for start in range(0, len(games), MARKS_AT_A_TIME):
            part = [game.hex() for game in games[start : start + MARKS_AT_A_TIME]]
            places = ", ".join("?" * len(part))
            for at, (table, column) in enumerate(columns):
                statement = f"SELECT game, MAX({column}) FROM {table} WHERE game IN ({places}) GROUP BY game"
                for game, number in self._read(statement, *part):
                    found[bytes.fromhex(game)][at] = number
        return {game: tuple(numbers) for game, numbers in found.items()}

    def closed_before(self, time: str) -> list[bytes]:
        """The games whose last event is a close, before a time. Raises StoreError."""
        rows = self._read("SELECT game FROM games WHERE phase = 'closed' AND changed < ?", time)
        return [bytes.fromhex(row[0]) for row in rows]

    def unfinished(self) -> dict[bytes, tuple[int, int, int]]:
        """The games in which a keeper may have something to sign: an end without checkpoint, a roll that waits.

        How each stands: its number of events, over how many its keeper has signed, and the openings for its last event.
        Raises StoreError.
        """
        rows = self._read(
            "SELECT game, events, coalesce(size, 0), (SELECT count(*) FROM openings "
            "WHERE openings.game = games.game AND request = head) FROM games LEFT JOIN checkpoints USING (game) "
            "WHERE phase IN ('pending', 'voided') OR coalesce(size, 0) < events ORDER BY opened, game"
        )
        return {bytes.fromhex(game): (events, signed, openings) for game, events, signed, openings in rows}

    def pending_with(self, judge: VerifierKey) -> dict[bytes, int]:
        """The games of a judge in which a roll waits, and the number of its request. Raises StoreError."""
        rows = self._read(
            "SELECT game, events - 1 FROM games WHERE phase = 'pending' AND EXISTS "
            "(SELECT 1 FROM parties WHERE parties.game = games.game AND role = 'judge' AND key = ?)",
            str(judge),
        )
        return {bytes.fromhex(game): request for game, request in rows}

    def waiting(self) -> dict[bytes, int]:
        """Return each game in which a roll waits, with the number of its request. Raises StoreError."""
        rows = self._read("SELECT game, events - 1 FROM games WHERE phase = 'pending'")
        return {bytes.fromhex(game): request for game, request in rows}

    def view(self, game: bytes) -> GameView:
        """The game as it stands now; what is given does not change.

        Raises UsageError where there is none, StoreError where the store was tampered with.
        """
        with self._committed():
            return self.view_of(self._look(game))

    def kept(self, game: bytes) -> KeptGame:
        """The game as it stands now with the openings for the roll that waits: what is outstanding, it says.

        Raises as `view`.
        """
        with self._committed():
            kept = self._look(game)
            return KeptGame(kept.snapshot(), kept.checkpoint, kept.openings)

    def waits_for_closer(self, game: bytes) -> bool:
        """Whether a roll waits for its closer alone, all others but the keeper having opened. Raises as `view`."""
        with self._committed():
            kept = self._look(game)
            pending = kept.replay.pending
            return pending is not None and kept.awaited == (pending.closer,)

    def live(self, game: bytes) -> KeptGame:
        """The game as it goes on: for the one thread that writes, to look at and not to keep. Raises as `view`."""
        with self._committed():
            return self._look(game)

    def view_of(self, kept: KeptGame) -> GameView:
        """The view of a game that is `live`, as it stands now; what is given does not change."""
        return GameView(self, kept.snapshot(), kept.latest)

    def trusted(self, game: bytes) -> int:
        """How many lines of a game were taken as they stood in the store; from the next on this program verified them.

        Lines in a store prove nothing: whoever may write its file can put others there.
        """
        return self._trusted.get(game, 0)

    def verify(self, view: GameView, start: int, key: VerifierKey) -> tuple[Replay, _Base | None]:
        """Verify all that a view shows from line `start` on: steps 4 to 23 of specs/verification.md.

        For the seat with this key, which has verified the lines before `start`: its own snapshot may stand for them,
        and nobody else's. Returns the replay, and that snapshot. Raises StoreError where a line does not hold.
        """
        base, replay = self._own_base(view.game, start, key)
        try:
            for line in view.stored_lines(replay.size):
                replay.step(line) if replay.size >= start else replay.follow(line)
        except Failure as failure:
            raise self._changed(view.game, replay.size, failure) from None
        if replay.head != view.replay.head:
            raise self._changed(view.game, replay.size, "it was changed meanwhile")
        # Where a snapshot was used, the lines were verified for this seat alone. Else there may be others after these.
        if view.game not in self._bases and self.trusted(view.game) <= replay.size:
            self._trusted[view.game] = min(start, self.trusted(view.game))
        self._go_on_from(replay, base)
        return replay, base

    def _go_on_from(self, replay: Replay, base: _Base | None) -> None:
        """Where a game was taken up from a snapshot, keep what a seat has verified in its place.

        A seat never waits for who writes: where another thread does, the snapshot's stays.
        """
        game = replay.game
        if game in self._bases and self._writer.acquire(blocking=False):
            try:
                kept, _ = self._kept.get(game, (None, None))
                if kept is None or kept.replay.head != replay.head:
                    return
                kept.replay = replay.copy()
                if base is None:
                    del self._bases[game]
                else:
                    self._bases[game] = base
            finally:
                self._writer.release()

    def base(self, game: bytes) -> _Base | None:
        """The snapshot that a game was taken up from; None where all its lines were replayed."""
        return self._bases.get(game)

    def check_linked(self, base: _Base | None, start: int) -> None:
        """Whether the stored lines from number `start` on lead to where the game was taken up. Raises StoreError."""
        if base is None or start >= base.linked:
            return
        head = b""
        for seq, line in enumerate(self.lines(base.game, start, base.size), start):
            if seq > start and glance(line).prev != head.hex():
                raise self._changed(base.game, seq - 1, "the line after it follows another")
            head = leaf_hash(line)
        if head != base.head:
            raise self._changed(base.game, base.size - 1, "it is not what was appended")
        base.linked = start

    def _own_base(self, game: bytes, start: int, key: VerifierKey) -> tuple[_Base | None, Replay]:
        """The seat's own snapshot of no more lines than `start`, if the log has it, and the replay from there."""
        found = None if self._snapshots is None or game not in self._bases else self._snapshots.of(game, key)
        if found is not None and found.size <= start and (replay := self._taken_up(found)) is not None:
            return _Base(found), replay
        return None, Replay()

    def _from_snapshot(self, game: bytes) -> KeptGame | None:
        """A game up to the latest snapshot of a seat here that the stored log has."""
        if self._snapshots is None or not self._snapshots.keys(game):
            return None
        for snapshot in self._snapshots.of_seats_here(game, lambda seq: next(self.lines(game, seq, seq + 1), b"")):
            replay = self._taken_up(snapshot)
            if replay is not None:
                self._bases[game] = _Base(snapshot)
                return KeptGame(replay)
        return None

    def _taken_up(self, snapshot: Snapshot) -> Replay | None:
        """The replay of a snapshot; None where the stored log does not have it."""
        game, last = snapshot.game, snapshot.size - 1
        line = next(self.lines(game, last, last + 1), None)
        if line is None or leaf_hash(line) != snapshot.head:
            return None
        return snapshot.restore(next(self.lines(game, 0, 1)))

    def openings(self, game: bytes) -> tuple[Opening, ...]:
        """The openings that were handed in for the pending request."""
        return self.kept(game).openings

    def opening(self, game: bytes, request: bytes, author: str) -> Opening | None:
        """What a party gave for a request (its leaf hash), whatever became of it. Raises StoreError."""
        rows = self._read(
            "SELECT author, link_index, link, sig FROM openings WHERE game = ? AND request = ? AND author = ?",
            game.hex(),
            request.hex(),
            author,
        )
        return Opening(*rows[0]) if rows else None

    def received(self, game: bytes, request: bytes) -> tuple[ReceivedOpening, ...]:
        """The receipts for openings for a request (its leaf hash), in the order of their coming. Raises StoreError."""
        rows = self._read(
            "SELECT line FROM received WHERE game = ? AND request = ? ORDER BY number", game.hex(), request.hex()
        )
        return tuple(parse_received(line.encode()) for (line,) in rows)

    def checkpoint(self, game: bytes) -> SignedCheckpoint | None:
        """The last checkpoint of a game, with what cosignatures it got; None where there is none. Raises StoreError."""
        rows = self._read("SELECT note FROM checkpoints WHERE game = ?", game.hex())
        return parse_checkpoint(rows[0][0].encode()) if rows else None

    def export(self, game: bytes, stream: BinaryIO) -> int:
        """Write the log as a file, byte for byte; returns the number of lines."""
        self.check_linked(self.base(game), 0)
        count = 0
        for line in self.lines(game):
            stream.write(line + b"\n")
            count += 1
        return count

    # --- writing ---------------------------------------------------------------------------------------------------

    def rebuild(self, jobs: int = 1) -> int:
        """Make the read tables again from the logs, by so many processes; returns the number of games."""
        counted = "SELECT game, COUNT(*) FROM events GROUP BY game"
        lines = sum(row[1] for row in self._read(counted))
        # They begin before the transaction: none of them has the database's lock, whenever it ends.
        with replaying(jobs, lines) as workers, self._writing():
            games: dict[str, int] = dict(self._database.execute(counted).fetchall())
            for table in READ_TABLES:
                self._database.execute(f"DROP TABLE IF EXISTS {table}")  # fixed names
            self._database.define(READ_SCHEMA)
            if workers is None:
                for game in games:
                    self._project(game)
            else:
                rebuild(games, Logs(self._database, self._project), workers)
        return len(games)

    def _project(self, game: str, look_after: Callable[[], None] | None = None) -> Replay:
        """Write the rows of a game (hex) that has none; returns its replay. `look_after` is called now and then."""
        replay, id_ = Replay(), bytes.fromhex(game)
        rows = Rebuilding(self._database, replay)
        for line in self._written(id_, 0):
            try:
                rows.take(replay.follow(line))
            except Failure as failure:
                raise self._changed(id_, replay.size, failure) from None
            if look_after is not None and replay.size % POLL == 0:
                look_after()
        rows.write()
        return replay

    def _cut(self, game: bytes, size: int) -> KeptGame:
        """Keep the first lines of a game alone."""
        with self._database.deleting("events"):
            self._database.execute("DELETE FROM events WHERE game = ? AND seq >= ?", (game.hex(), size))
        for table in READ_TABLES:
            self._database.execute(f"DELETE FROM {table} WHERE game = ?", (game.hex(),))  # fixed names
        kept = KeptGame(self._project(game.hex()))
        self._restore(kept)
        self._kept[game] = kept, self._database.version()
        self._trusted[game] = kept.replay.size
        return kept

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows of what is committed. Raises StoreError."""
        return self._database.read(statement, values)

    def _written(self, game: bytes, start: int) -> Iterator[bytes]:
        """The lines from number `start` on as they stand within the transaction. Raises StoreError."""
        with self._database.reading():
            for (line,) in self._database.execute(_LINES, (game.hex(), start, MAX_SAFE_INTEGER)):
                yield line.encode()

    @contextmanager
    def group(self, games: Iterable[bytes] = (), *, durable: bool = True) -> Iterator[None]:
        """Several appends, openings and checkpoints, also of many games, as one transaction.

        `games` are those that are known before. Durable when this is left, unless it need not be (what is signed again
        byte for byte: specs/seats.md); nothing of it where an error leaves it. What is refused within (RefusedError, or
        UsageError for a game that is not here) leaves the rest alone if it is caught there; any other error fails the
        whole. Nothing is signed within, and no game looked at: what is not durable is for nobody's eyes.

        Raises StoreError.
        """
        with self._writing(durable=durable):
            self._group = _Group(self._database.version())
            try:
                self._pass_over(games, self._group.version)
                yield
                if self._group.failed is not None:
                    raise self._group.failed
            except RefusedError as error:
                # What is kept of other games is ahead of what was written.
                raise StoreError(f"nothing of the group was written: {error}") from error
            finally:
                self._group = None

    @contextmanager
    def looking(self, games: Iterable[bytes]) -> Iterator[None]:
        """Several looks at games: whether others have written is asked once for all of them."""
        with self._committed():
            with suppress(StoreError):  # else each look says so
                self._looked = self._database.version()
                self._pass_over(games, self._looked)
            try:
                yield
            finally:
                self._looked = None

    def _pass_over(self, games: Iterable[bytes], version: int) -> None:
        """Find, of many games, those to which nobody has written: they need no look of their own. Raises StoreError."""
        stale = [game for game in games if game in self._kept and self._kept[game][1] != version]
        for start in range(0, len(stale), MARKS_AT_A_TIME):
            part = [game.hex() for game in stale[start : start + MARKS_AT_A_TIME]]
            statement = (
                "SELECT game, events, head, coalesce(size, 0) FROM games LEFT JOIN checkpoints USING (game) "
                f"WHERE game IN ({', '.join('?' * len(part))})"
            )
            with self._database.reading():
                rows = self._database.execute(statement, part).fetchall()
            for game, *found in rows:
                kept = self._kept[bytes.fromhex(game)][0]
                replay, signed = kept.replay, 0 if kept.checkpoint is None else kept.checkpoint.head.size
                # Where a roll waits, openings may have come.
                if replay.pending is None and found == [replay.size, replay.head.hex(), signed]:
                    self._kept[replay.game] = kept, version

    @contextmanager
    def _writing(self, *, durable: bool = True) -> Iterator[None]:
        """A transaction. If it does not end well, what is kept may be ahead of what was written, and is made anew."""
        with self._committed():
            try:
                with self._database.transaction(durable=durable):
                    yield
            except RefusedError:
                raise  # a game that refuses a line is as it was
            except BaseException:
                self._kept.clear()
                self._bases.clear()
                self._trusted.clear()
                raise

    @contextmanager
    def _adding(self) -> Iterator[None]:
        """A transaction, or a part of the group's, that writes nothing before a RefusedError or UsageError."""
        with self._writer:
            group = self._group
            if group is None:
                with self._writing():
                    yield
                return
            try:
                yield
            except (RefusedError, UsageError):
                raise
            except BaseException as error:
                group.failed = error
                raise

    @contextmanager
    def _committed(self) -> Iterator[None]:
        """While this lasts nobody else writes, and what is kept of games is what is committed."""
        with self._writer:
            assert self._group is None, "within a group nothing is looked at or signed"
            yield

    def is_deleted(self, game: bytes) -> bool:
        """Whether it was here, and was deleted. Raises StoreError."""
        return bool(self._read("SELECT 1 FROM deleted WHERE game = ?", game.hex()))

    def _check_deleted(self, game: bytes) -> None:
        """Raises MissingError for a game that was deleted: what it was may not come back."""
        with self._database.reading():
            if self._database.execute("SELECT 1 FROM deleted WHERE game = ?", (game.hex(),)).fetchone():
                raise MissingError(f"game {game.hex()[:12]} was deleted here")

    def _look(self, game: bytes) -> KeptGame:
        with self._writer:
            kept = self._catch_up(game, snapshots=True)
            if kept.replay.size == 0:
                raise MissingError(f"there is no game {game.hex()[:12]} here")
            return kept

    def _catch_up(self, game: bytes, *, snapshots: bool = False) -> KeptGame:
        """A stored game, brought up to what other processes have added; empty where there is none.

        The store's lines were verified. Raises StoreError where they are not those that were appended: all of them, or
        with `snapshots` those after the one that the game was taken up from.
        """
        version = self._version()
        if not snapshots and game in self._bases:
            self._drop(game)
        if game in self._kept and self._kept[game][1] != version and not self._stands(self._kept[game][0].replay):
            self._drop(game)  # the database was put back
        kept, known = self._kept.get(game) or ((self._from_snapshot(game) if snapshots else None) or KeptGame(), None)
        if known == version:
            return kept
        with self._database.reading():
            row = self._database.execute("SELECT events, head FROM games WHERE game = ?", (game.hex(),)).fetchone()
        events, head = row or (0, "")
        replay, before = kept.replay, kept.replay.size if known is not None else 0
        for line in self._written(game, replay.size):
            try:
                kept.follow(line)
            except Failure as failure:
                self._drop(game)
                raise self._changed(game, replay.size, failure) from None
        # Another process may have appended since; there can be more lines now than then, but never fewer.
        if replay.size < events or (replay.size == events and replay.head.hex() != head and events):
            self._drop(game)
            raise self._changed(game, replay.size, "it, or what follows it, is not what was appended")
        if replay.size:
            if replay.size > before:
                self._trusted[game] = replay.size
            self._restore(kept)
            self._kept[game] = kept, version
        return kept

    def _stands(self, replay: Replay) -> bool:
        """Whether the last line of a replay is stored in its place, and so all lines before it. Raises StoreError."""
        with self._database.reading():
            row = self._database.execute(_LINES, (replay.game.hex(), replay.size - 1, replay.size)).fetchone()
        return row is not None and leaf_hash(row[0].encode()) == replay.head

    def _drop(self, game: bytes) -> None:
        """Keep nothing of a game in memory: it is made anew."""
        self._kept.pop(game, None)
        self._bases.pop(game, None)

    def _version(self) -> int:
        """Of the database, where it was asked for all of a group, or of what is looked at together, the same."""
        if self._group is not None:
            return self._group.version
        return self._database.version() if self._looked is None else self._looked

    def _restore(self, kept: KeptGame) -> None:
        """What the store has beside the lines of a game."""
        game, pending = kept.replay.game.hex(), kept.replay.pending
        with self._database.reading():
            rows = self._database.execute("SELECT note FROM checkpoints WHERE game = ?", (game,)).fetchall()
            kept.checkpoint = parse_checkpoint(rows[0][0].encode()) if rows else None
            if pending is not None:
                openings = self._database.execute(
                    "SELECT author, link_index, link, sig FROM openings WHERE game = ? AND request = ? ORDER BY number",
                    (game, pending.request.hex()),
                )
                kept.restore(Opening(*row) for row in openings)

    def _changed(self, game: bytes, seq: int, problem: object) -> StoreError:
        return StoreError(
            f"{self.path} was changed by something else: event {seq} of game {game.hex()[:12]} does "
            f"not hold ({problem}). "
            f"Restore it from a backup or from an exported log."
        )

    def _append(
        self, kept: KeptGame, line: bytes, check: Check, now: str | None, keeper: Keeper | None = None
    ) -> Receipt:
        """Take a line, and write it; `now` as in `KeptGame.offer`."""
        replay = kept.replay
        before, head = (replay.session, replay.head.hex()) if replay.size else (None, "")
        event = kept.offer(line, now, check)
        self._write_line(replay, line, head)
        project(self._database, replay, before, event)
        game = replay.terms.game
        if game not in self._kept:
            self._kept[game] = kept, self._database.version()
        if keeper is not None:
            try:
                self._check_keeper(replay, keeper)
                keeper.check(GameView(self, replay, (line,)))
            except BaseException:
                self._drop(game)  # it has taken the line
                raise
        return Receipt(game.hex(), event.seq, replay.head.hex(), replay.size, replay.tree.root().hex())

    def _write_line(self, replay: Replay, line: bytes, head: str) -> None:
        """Store a replay's last line, if what is stored ends at the line before it, which has the leaf hash `head`."""
        game, seq = replay.game.hex(), replay.size - 1
        end = (head, game, head)
        if not self._database.execute(_NEXT, (game, seq, line.decode(), seq, game, *end)).rowcount:
            self._drop(replay.game)
            raise StoreError(
                f"{self.path} was put back while it was in use: event {seq} of game {game[:12]} has nothing to stand "
                f"upon there. Nothing was written."
            )

    def _check_keeper(self, replay: Replay, keeper: Keeper) -> None:
        terms = replay.terms
        key = terms.keys[terms.keeper]
        if (key.name, key.public_bytes) != (keeper.key.name, keeper.key.public_bytes):
            raise TurnError(f"{keeper.key.name} with this key is not the keeper of game {terms.game.hex()[:12]}")
