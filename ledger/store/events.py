"""The stored games: their lines, byte for byte, replays of them, and the read tables.

Every line is replayed by the keeper's core before it is stored, so that the stored log verifies. The store holds no
secrets; anybody can keep a store of games that they follow.

Any thread may use it. A writer holds the one lock from the look at a game to the commit, and may ask a seat while it
holds it. Therefore the view that a seat uses never takes that lock: it reads what is committed, on another connection.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
from ledger.store.writes import Writes
from rules.data.bounds import MAX_SAFE_INTEGER
from verifier import Failure, Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.log.format import Opening, glance
from verifier.log.merkle import leaf_hash
from verifier.log.signatures import Check
from verifier.opening import ReceivedOpening, parse_received

__all__ = ["GameView", "Games", "Keeper", "Receipt"]

MARKS_AT_A_TIME = 500
"""the number of games in one statement"""

LINES_AT_A_TIME = 512
"""lines that are read before other threads may read"""

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

_ENDS = """WITH named (game) AS (VALUES {places})
SELECT named.game, (SELECT max(seq) + 1 FROM events WHERE events.game = named.game),
       (SELECT head FROM games WHERE games.game = named.game) FROM named"""
"""the number of lines of games, and the leaf hash of the last one"""


class Receipt(Struct, frozen=True):
    """The result of an append: the event's number and leaf hash, and the log's size and root with it (hex).

    `checkpoint` is the keeper's; None if the keeper did not take part in the append.
    """

    game: str
    seq: int
    leaf: str
    size: int
    root: str
    checkpoint: SignedCheckpoint | None = None


class Keeper(Protocol):
    """The signer of checkpoints: the keeper's `Seat`."""

    @property
    def key(self) -> VerifierKey:
        """The key that signs the checkpoints."""

    def check(self, view: View) -> None:
        """Check that it would sign the head; record nothing. Raises LedgerError."""

    def checkpoint(self, view: View) -> SignedCheckpoint:
        """Sign the head, which is stored, and record that. Raises LedgerError."""


class _Group:
    """Several writes that form one transaction."""

    def __init__(self, games: frozenset[bytes] | None, version: int) -> None:
        self.games = games
        """the games that it may write to; None: any"""
        self.version = version
        """the version of the database for all of them: nobody else writes to these games meanwhile"""
        self.failed: BaseException | None = None
        """the error that made the group fail"""


class _Base:
    """A snapshot from which the replay of a game began."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.game = snapshot.game
        self.key = snapshot.key.public_bytes
        self.size = snapshot.size
        self.head = snapshot.head
        self.linked = snapshot.size - 1
        """the number of the first line from which the stored lines are known to lead to its head"""


class GameView:
    """A replay of a stored game as of one moment. Serves as a `ledger.seats.seat.View`."""

    def __init__(self, games: "Games", replay: Replay, latest: Sequence[bytes] = ()) -> None:
        """Make a view of `replay`; `latest` are its last lines, including all that are not committed."""
        self._games = games
        self.replay = replay
        self._latest = latest
        self._base = games.base(replay.game)

    @property
    def game(self) -> bytes:
        """The game's id, 32 bytes."""
        return self.replay.terms.game

    def leaf(self, seq: int) -> bytes:
        """Return the leaf hash of line `seq`, 32 bytes."""
        if seq == self.replay.size - 1:
            return self.replay.head
        self._games.check_linked(self._base, seq)
        stored = self.replay.size - len(self._latest)
        line = self._latest[seq - stored] if seq >= stored else next(self._games.lines(self.game, seq, seq + 1))
        return leaf_hash(line)

    @property
    def checkpoint(self) -> SignedCheckpoint | None:
        """The latest checkpoint that is stored."""
        return self._games.checkpoint(self.game)

    @property
    def trusted(self) -> int:
        """The number of lines that this program took from the store without verifying them."""
        return min(self._games.trusted(self.game), self.replay.size)

    def lines(self, start: int) -> Iterator[bytes]:
        """Yield the lines of the replay from number `start` on. Raises StoreError if the stored lines are others."""
        self._games.check_linked(self._base, start)
        yield from self.stored_lines(start)

    def stored_lines(self, start: int) -> Iterator[bytes]:
        """Yield the stored lines from number `start` on, unchecked; the caller checks them."""
        stored = self.replay.size - len(self._latest)
        yield from self._games.lines(self.game, start, stored)
        yield from self._latest[max(0, start - stored) :]

    def stands_for(self, key: VerifierKey) -> bool:
        """Return whether the replay began at line 0, or at a snapshot of the seat with this key."""
        return self._base is None or self._base.key == key.public_bytes

    def verify(self, start: int, key: VerifierKey) -> None:
        """Verify the lines from number `start` on: steps 4 to 23. Raises StoreError if one does not hold."""
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
        """Open a database, or open or create an SQLite file; `close` closes it.

        If not `writable`, a file is only read, and nothing is changed. `snapshots` are those of the seats here, from
        which replays of games begin. Raises StoreError.
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
        """by game: the game in memory, and the version of the database that it is up to date with"""
        self._trusted: dict[bytes, int] = {}
        """by game: the number of its lines that were taken from the store without being verified"""
        self._bases: dict[bytes, _Base] = {}
        """by game: the snapshot from which its replay began"""
        self._group: _Group | None = None
        self._writes = Writes()
        """what the current transaction is to write"""
        self._looked: int | None = None
        """the version of the database for all looks within one `looking`"""

    def close(self) -> None:
        """Close the store."""
        with self._writer:
            self._database.close()

    @property
    def path(self) -> str:
        """The name of the database, for messages."""
        return self._database.name

    # --- reading ---------------------------------------------------------------------------------------------------

    def games(self) -> list[bytes]:
        """Return the ids of all games, in the order of their opening."""
        return [bytes.fromhex(row[0]) for row in self._read("SELECT game FROM games ORDER BY opened, game")]

    def find(self, text: str) -> bytes:
        """Return the id of the game that `text` names: an id, its beginning (4 digits or more), or a title.

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
        """Yield the stored lines `start` to before `stop`, without their line feeds. Raises StoreError."""
        while start < stop:
            rows = self._read(_LINES + " LIMIT ?", game.hex(), start, stop, LINES_AT_A_TIME)
            yield from (line.encode() for (line,) in rows)
            if len(rows) < LINES_AT_A_TIME:
                return
            start += len(rows)

    def size(self, game: bytes) -> int:
        """Return the number of stored lines of a game; 0 if there is none. Raises StoreError."""
        found: int = self._read("SELECT COALESCE(MAX(seq) + 1, 0) FROM events WHERE game = ?", game.hex())[0][0]
        return found

    def marks(self, games: Sequence[bytes]) -> dict[bytes, tuple[int, ...]]:
        """Return, for each game, numbers that grow with lines, checkpoint, openings and receipts. Raises StoreError."""
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
        """Return the games whose last event is a close before a time. Raises StoreError."""
        rows = self._read("SELECT game FROM games WHERE phase = 'closed' AND changed < ?", time)
        return [bytes.fromhex(row[0]) for row in rows]

    def unfinished(self) -> dict[bytes, tuple[int, int, int]]:
        """Return the games in which a keeper may have something to sign: a line without checkpoint, or a pending roll.

        Each with its number of events, the number that its keeper has signed, and the number of openings for its last
        event. Raises StoreError.
        """
        rows = self._read(
            "SELECT game, events, coalesce(size, 0), (SELECT count(*) FROM openings "
            "WHERE openings.game = games.game AND request = head) FROM games LEFT JOIN checkpoints USING (game) "
            "WHERE phase IN ('pending', 'voided') OR coalesce(size, 0) < events ORDER BY opened, game"
        )
        return {bytes.fromhex(game): (events, signed, openings) for game, events, signed, openings in rows}

    def pending_with(self, judge: VerifierKey) -> dict[bytes, int]:
        """Return the games of a judge in which a roll is pending, and the number of its request. Raises StoreError."""
        rows = self._read(
            "SELECT game, events - 1 FROM games WHERE phase = 'pending' AND EXISTS "
            "(SELECT 1 FROM parties WHERE parties.game = games.game AND role = 'judge' AND key = ?)",
            str(judge),
        )
        return {bytes.fromhex(game): request for game, request in rows}

    def idle(self) -> set[bytes]:
        """Return the games that go on, and in which no roll waits. Raises StoreError."""
        return {bytes.fromhex(game) for (game,) in self._read("SELECT game FROM games WHERE phase = 'idle'")}

    def waiting(self) -> dict[bytes, int]:
        """Return each game in which a roll waits, with the number of its request. Raises StoreError."""
        rows = self._read("SELECT game, events - 1 FROM games WHERE phase = 'pending'")
        return {bytes.fromhex(game): request for game, request in rows}

    def view(self, game: bytes) -> GameView:
        """Return a view of the game as of now, which does not change.

        Raises UsageError if there is no such game, StoreError if the store was tampered with.
        """
        with self._committed():
            return self.view_of(self._look(game))

    def kept(self, game: bytes) -> KeptGame:
        """Return a copy of the game as of now, with the openings for the pending roll. Raises as `view`."""
        with self._committed():
            kept = self._look(game)
            return KeptGame(kept.snapshot(), kept.checkpoint, kept.openings)

    def waits_for_closer(self, game: bytes) -> bool:
        """Return whether a pending roll lacks only its closer's opening, and the keeper's. Raises as `view`."""
        with self._committed():
            kept = self._look(game)
            pending = kept.replay.pending
            return pending is not None and kept.awaited == (pending.closer,)

    def live(self, game: bytes) -> KeptGame:
        """Return the game itself, which goes on: for the writing thread, to be read and not stored.
        Raises as `view`.
        """
        with self._committed():
            return self._look(game)

    def view_of(self, kept: KeptGame) -> GameView:
        """Return a view of a `live` game as of now, which does not change."""
        return GameView(self, kept.snapshot(), kept.latest)

    def trusted(self, game: bytes) -> int:
        """Return the number of lines of a game that were taken from the store without being verified here.

        Stored lines prove nothing: whoever may write the file can replace them.
        """
        return self._trusted.get(game, 0)

    def verify(self, view: GameView, start: int, key: VerifierKey) -> tuple[Replay, _Base | None]:
        """Verify the lines of a view from line `start` on: steps 4 to 23 of specs/verification.md.

        The seat with this key has verified the lines before `start`: only its own snapshot may stand for them. Returns
        the replay, and that snapshot. Raises StoreError if a line does not hold.
        """
        base, replay = self._own_base(view.game, start, key)
        try:
            for line in view.stored_lines(replay.size):
                replay.step(line) if replay.size >= start else replay.follow(line)
        except Failure as failure:
            raise self._changed(view.game, replay.size, failure) from None
        if replay.head != view.replay.head:
            raise self._changed(view.game, replay.size, "it was changed meanwhile")
        # If a snapshot was used, the lines were verified for this seat only. Further lines may be stored after these.
        if view.game not in self._bases and self.trusted(view.game) <= replay.size:
            self._trusted[view.game] = min(start, self.trusted(view.game))
        self._go_on_from(replay, base)
        return replay, base

    def _go_on_from(self, replay: Replay, base: _Base | None) -> None:
        """If the replay of a game began at a snapshot, replace it by one that a seat has verified.

        A seat never waits for a writer: while another thread writes, the earlier replay stays.
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
        """Return the snapshot from which the replay of a game began; None if all its lines were replayed."""
        return self._bases.get(game)

    def check_linked(self, base: _Base | None, start: int) -> None:
        """Check that the stored lines from number `start` on lead to the snapshot. Raises StoreError."""
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
        """Return the seat's own snapshot of at most `start` lines, if it fits the log, and the replay from there."""
        found = None if self._snapshots is None or game not in self._bases else self._snapshots.of(game, key)
        if found is not None and found.size <= start and (replay := self._taken_up(found)) is not None:
            return _Base(found), replay
        return None, Replay()

    def _from_snapshot(self, game: bytes) -> KeptGame | None:
        """Return a game replayed from the latest fitting snapshot of a seat here; None if none fits."""
        if self._snapshots is None or not self._snapshots.keys(game):
            return None
        for snapshot in self._snapshots.of_seats_here(game, lambda seq: next(self.lines(game, seq, seq + 1), b"")):
            replay = self._taken_up(snapshot)
            if replay is not None:
                self._bases[game] = _Base(snapshot)
                return KeptGame(replay)
        return None

    def _taken_up(self, snapshot: Snapshot) -> Replay | None:
        """Return the replay of a snapshot; None if the stored log does not fit it."""
        game, last = snapshot.game, snapshot.size - 1
        line = next(self.lines(game, last, last + 1), None)
        if line is None or leaf_hash(line) != snapshot.head:
            return None
        return snapshot.restore(next(self.lines(game, 0, 1)))

    def openings(self, game: bytes) -> tuple[Opening, ...]:
        """Return the openings that were handed in for the pending request."""
        return self.kept(game).openings

    def opening(self, game: bytes, request: bytes, author: str) -> Opening | None:
        """Return a party's opening for a request (its leaf hash), even if it was never used. Raises StoreError."""
        rows = self._read(
            "SELECT author, link_index, link, sig FROM openings WHERE game = ? AND request = ? AND author = ?",
            game.hex(),
            request.hex(),
            author,
        )
        return Opening(*rows[0]) if rows else None

    def received(self, game: bytes, request: bytes) -> tuple[ReceivedOpening, ...]:
        """Return the receipts for openings of a request (its leaf hash), in order of arrival. Raises StoreError."""
        rows = self._read(
            "SELECT line FROM received WHERE game = ? AND request = ? ORDER BY number", game.hex(), request.hex()
        )
        return tuple(parse_received(line.encode()) for (line,) in rows)

    def checkpoint(self, game: bytes) -> SignedCheckpoint | None:
        """Return the latest checkpoint of a game, with its cosignatures; None if there is none. Raises StoreError."""
        rows = self._read("SELECT note FROM checkpoints WHERE game = ?", game.hex())
        return parse_checkpoint(rows[0][0].encode()) if rows else None

    def export(self, game: bytes, stream: BinaryIO) -> int:
        """Write the log to a stream, byte for byte; return the number of lines."""
        self.check_linked(self.base(game), 0)
        count = 0
        for line in self.lines(game):
            stream.write(line + b"\n")
            count += 1
        return count

    # --- writing ---------------------------------------------------------------------------------------------------

    def rebuild(self, jobs: int = 1) -> int:
        """Make the read tables anew from the logs, with so many processes; return the number of games."""
        counted = "SELECT game, COUNT(*) FROM events GROUP BY game"
        lines = sum(row[1] for row in self._read(counted))
        # The processes begin before the transaction, so that none of them inherits the database's lock.
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
        """Write the rows of a game (hex) that has none, and return its replay. `look_after` is called now and then."""
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
        """Keep only the first `size` lines of a game."""
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
        """Return rows of committed data. Raises StoreError."""
        return self._database.read(statement, values)

    def _written(self, game: bytes, start: int) -> Iterator[bytes]:
        """Yield the lines from number `start` on as the transaction sees them. Raises StoreError."""
        with self._database.reading():
            for (line,) in self._database.execute(_LINES, (game.hex(), start, MAX_SAFE_INTEGER)):
                yield line.encode()

    @contextmanager
    def group(self, games: Iterable[bytes] | None = None, *, durable: bool = True) -> Iterator[None]:
        """Write several appends, openings and checkpoints, also of many games, in one transaction.

        `games` are those that it may write to; None: any, and nobody else writes meanwhile. The group is durable when
        the block ends, unless `durable` is false (for what would be signed again byte for byte: specs/seats.md); if an
        error leaves the block, nothing of it is written. A refusal (RefusedError, or UsageError for a game that is not
        here) that is caught within the block leaves the rest valid; any other error fails the whole group. Within the
        block nothing is signed and no game is looked at, because nobody may see what is not durable.

        Raises StoreError.
        """
        named = None if games is None else frozenset(games)
        with self._writing(named, durable=durable):
            self._group = _Group(named, self._database.version())
            try:
                self._pass_over(named or (), self._group.version)
                yield
                if self._group.failed is not None:
                    raise self._group.failed
            except RefusedError as error:
                # Other games in memory are now ahead of the database.
                raise StoreError(f"nothing of the group was written: {error}") from error
            finally:
                self._group = None

    @contextmanager
    def looking(self, games: Iterable[bytes]) -> Iterator[None]:
        """Ask only once, for several looks at games, whether others have written."""
        with self._committed():
            with suppress(StoreError):  # otherwise each look raises it
                self._looked = self._database.version()
                self._pass_over(games, self._looked)
            try:
                yield
            finally:
                self._looked = None

    def _pass_over(self, games: Iterable[bytes], version: int) -> None:
        """Mark those of many games as current to which nobody has written. Raises StoreError."""
        stale = [game for game in games if game in self._kept and self._kept[game][1] != version]
        for start in range(0, len(stale), MARKS_AT_A_TIME):
            part = _filled([game.hex() for game in stale[start : start + MARKS_AT_A_TIME]])
            statement = (
                "SELECT game, events, head, coalesce(size, 0) FROM games LEFT JOIN checkpoints USING (game) "
                f"WHERE game IN ({', '.join('?' * len(part))})"
            )
            pending: list[KeptGame] = []
            with self._database.reading():
                rows = self._database.execute(statement, part).fetchall()
            for game, *found in rows:
                kept = self._kept[bytes.fromhex(game)][0]
                replay, signed = kept.replay, 0 if kept.checkpoint is None else kept.checkpoint.head.size
                if found == [replay.size, replay.head.hex(), signed]:
                    self._kept[replay.game] = kept, version
                    pending += [kept] if replay.pending is not None else []
            if pending:
                self._restore_openings(pending)

    def _restore_openings(self, games: Sequence[KeptGame]) -> None:
        """Load the openings of games with a pending roll."""
        pending = {kept.replay.game.hex(): kept.replay.pending for kept in games}
        part, requests = _filled([*pending]), _filled([each.request.hex() for each in pending.values() if each])
        places = ", ".join("?" * len(part))
        statement = (
            "SELECT game, author, link_index, link, sig FROM openings "
            f"WHERE game IN ({places}) AND request IN ({places}) ORDER BY number"
        )
        with self._database.reading():
            rows = self._database.execute(statement, (*part, *requests)).fetchall()
        found: dict[str, list[Opening]] = {}
        for game, *opening in rows:
            found.setdefault(game, []).append(Opening(*opening))
        for kept in games:
            kept.restore(found.get(kept.replay.game.hex(), ()))

    @contextmanager
    def _writing(self, games: Collection[bytes] | None = None, *, durable: bool = True) -> Iterator[None]:
        """Run the block as a transaction that writes to `games`, or to any; nobody else writes to these meanwhile.

        If it fails, the games in memory may be ahead, and are discarded.
        """
        names = None if games is None else {game.hex() for game in games}
        with self._committed():
            self._writes = Writes()
            try:
                with self._database.transaction(names, durable=durable):
                    yield
                    self._check_ends()
                    self._writes.write(self._database)
            except RefusedError:
                raise  # a game that refuses a line is as it was
            except BaseException:
                self._kept.clear()
                self._bases.clear()
                self._trusted.clear()
                raise
            self._database.tell(names or ())

    @contextmanager
    def _adding(self, *games: bytes) -> Iterator[None]:
        """Run the block as a transaction that writes to `games`, or as part of a group's; a RefusedError or UsageError
        leaves nothing written.
        """
        with self._writer:
            group = self._group
            if group is None:
                with self._writing(games):
                    yield
                return
            assert group.games is None or group.games.issuperset(games), "the group has locked all that it writes to"
            try:
                yield
            except (RefusedError, UsageError):
                raise
            except BaseException as error:
                group.failed = error
                raise

    @contextmanager
    def _committed(self) -> Iterator[None]:
        """Keep others from writing; within the block, the games in memory equal what is committed."""
        with self._writer:
            assert self._group is None, "within a group nothing is looked at or signed"
            yield

    def is_deleted(self, game: bytes) -> bool:
        """Return whether the game was here and was deleted. Raises StoreError."""
        return bool(self._read("SELECT 1 FROM deleted WHERE game = ?", game.hex()))

    def _check_deleted(self, game: bytes) -> None:
        """Raise MissingError for a game that was deleted: it must not come back."""
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
        """Return a stored game, brought up to date with what other processes have added; empty if there is none.

        The store's lines were verified when they were appended. Raises StoreError if they are no longer the same: all
        of them, or with `snapshots` those after the snapshot.
        """
        version = self._version()
        if not snapshots and game in self._bases:
            self._drop(game)
        if game in self._kept and self._kept[game][1] != version:
            self._look_again(game, version)
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
        # Another process may have appended since the query: there can be more lines now, but never fewer.
        if replay.size < events or (replay.size == events and replay.head.hex() != head and events):
            self._drop(game)
            raise self._changed(game, replay.size, "it, or what follows it, is not what was appended")
        if replay.size:
            if replay.size > before:
                self._trusted[game] = replay.size
            self._restore(kept)
            self._kept[game] = kept, version
        return kept

    def _look_again(self, game: bytes, version: int) -> None:
        """Mark a game in memory as current if nobody has written to it; drop it if an older copy was restored."""
        self._pass_over([game], version)
        kept, known = self._kept[game]
        if known == version:
            self._restore(kept)  # the checkpoint may have more cosignatures
        elif not self._stands(kept.replay):
            self._drop(game)

    def _stands(self, replay: Replay) -> bool:
        """Return whether the last line of a replay is still stored, and so all lines before it. Raises StoreError."""
        with self._database.reading():
            row = self._database.execute(_LINES, (replay.game.hex(), replay.size - 1, replay.size)).fetchone()
        return row is not None and leaf_hash(row[0].encode()) == replay.head

    def _drop(self, game: bytes) -> None:
        """Discard the game in memory, so that it is read anew."""
        self._kept.pop(game, None)
        self._bases.pop(game, None)

    def _version(self) -> int:
        """Return the version of the database: within a group or a `looking`, the one read at its beginning."""
        if self._group is not None:
            return self._group.version
        return self._database.version() if self._looked is None else self._looked

    def _restore(self, kept: KeptGame) -> None:
        """Load the checkpoint and the openings of a game."""
        game = kept.replay.game.hex()
        with self._database.reading():
            rows = self._database.execute("SELECT note FROM checkpoints WHERE game = ?", (game,)).fetchall()
        kept.checkpoint = parse_checkpoint(rows[0][0].encode()) if rows else None
        if kept.replay.pending is not None:
            self._restore_openings([kept])

    def _changed(self, game: bytes, seq: int, problem: object) -> StoreError:
        return StoreError(
            f"{self.path} was changed by something else: event {seq} of game {game.hex()[:12]} does "
            f"not hold ({problem}). "
            f"Restore it from a backup or from an exported log."
        )

    def _append(
        self, kept: KeptGame, line: bytes, check: Check, now: str | None, keeper: Keeper | None = None
    ) -> Receipt:
        """Replay a line, and write it; `now` as in `KeptGame.offer`."""
        replay = kept.replay
        before, head = (replay.session, replay.head.hex()) if replay.size else (None, "")
        event = kept.offer(line, now, check)
        self._writes.add_line(replay.game.hex(), event.seq, line, head)
        project(self._writes, replay, before, event)
        game = replay.terms.game
        if game not in self._kept:
            self._kept[game] = kept, self._database.version()
        if keeper is not None:
            try:
                self._check_keeper(replay, keeper)
                keeper.check(GameView(self, replay, (line,)))
            except BaseException:
                self._drop(game)  # the game in memory has this line
                raise
        return Receipt(game.hex(), event.seq, replay.head.hex(), replay.size, replay.tree.root().hex())

    def _check_ends(self) -> None:
        """Check that each stored log ends where the new lines of this transaction begin. Raises StoreError."""
        ends = self._writes.ends
        for start in range(0, len(ends), MARKS_AT_A_TIME):
            part = _filled(list(ends)[start : start + MARKS_AT_A_TIME])
            statement = _ENDS.replace("{places}", ", ".join(["(?)"] * len(part)))
            with self._database.reading():
                rows = self._database.execute(statement, part).fetchall()
            for game, size, head in rows:
                seq, before = ends[game]
                if (size or 0, head or "") != (seq, before):
                    raise StoreError(
                        f"{self.path} was put back while it was in use: event {seq} of game {game[:12]} has nothing to "
                        f"stand upon there. Nothing was written."
                    )

    def _check_keeper(self, replay: Replay, keeper: Keeper) -> None:
        terms = replay.terms
        key = terms.keys[terms.keeper]
        if (key.name, key.public_bytes) != (keeper.key.name, keeper.key.public_bytes):
            raise TurnError(f"{keeper.key.name} with this key is not the keeper of game {terms.game.hex()[:12]}")


def _filled(values: list[str]) -> list[str]:
    """Repeat the last value up to a power of two: so there are few statements, and the database knows them."""
    return values + values[-1:] * ((1 << (len(values) - 1).bit_length()) - len(values))
