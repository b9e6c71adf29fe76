"""The stored games: their lines, byte for byte, replays of them, and the read tables.

Every line is replayed by the keeper's core before it is stored, so that the stored log verifies. The store holds no
secrets; anybody can keep a store of games that they follow.

Any thread may use it. A writer holds the one lock from the look at a game to the commit, and may ask a seat while it
holds it. Therefore the view that a seat uses never takes that lock: it reads what is committed, on another connection.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from threading import RLock
from typing import Any, BinaryIO

from ledger.database.sqlite import LEDGER_KIND
from ledger.errors import MissingError, TurnError, UsageError
from ledger.game.core import KeptGame
from ledger.seats.seat import utc_now
from ledger.seats.snapshots import Snapshots
from ledger.store.game_cache import GameCache
from ledger.store.game_view import GameView
from ledger.store.projections import READ_SCHEMA, READ_TABLES, Rebuilding, project
from ledger.store.rebuilding import POLL, Logs, rebuild, replaying
from ledger.store.receipts import Keeper, Receipt
from ledger.store.schema import APPEND_ONLY, SCHEMA
from ledger.store.snapshot_starts import SnapshotStart, SnapshotStarts
from ledger.store.statements import GAMES_AT_A_TIME, places
from ledger.store.storage import SqliteStorage, Storage
from ledger.store.stored_logs import StoredLogs
from ledger.store.transactions import Transactions
from rules.data.bounds import MAX_SAFE_INTEGER
from verifier import Failure, Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.format import Opening
from verifier.log.signatures import Check
from verifier.opening import ReceivedOpening, parse_received

__all__ = ["Games"]


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
        self._database: Storage
        if isinstance(where, str | Path):
            self._database = SqliteStorage(Path(where), kind=LEDGER_KIND, mode=0o600, writable=writable)
        else:
            self._database = where
        if writable:
            self._database.create(SCHEMA, APPEND_ONLY)
        writer = RLock()
        self._logs = StoredLogs(self._database)
        self._cache = GameCache(self._database, self._logs, SnapshotStarts(self._logs, snapshots), writer)
        self._transactions = Transactions(self._database, self._cache, writer)

    def close(self) -> None:
        """Close the store."""
        with self._transactions.writer:
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
        """Iterate over the stored lines `start` to before `stop`, without their line feeds. Raises StoreError."""
        return self._logs.lines(game, start, stop)

    def size(self, game: bytes) -> int:
        """Return the number of stored lines of a game; 0 if there is none. Raises StoreError."""
        found: int = self._read("SELECT COALESCE(MAX(seq) + 1, 0) FROM events WHERE game = ?", game.hex())[0][0]
        return found

    def marks(self, games: Sequence[bytes]) -> dict[bytes, tuple[int, ...]]:
        """Return, for each game, numbers that grow with lines, checkpoint, openings and receipts. Raises StoreError."""
        found: dict[bytes, list[int]] = {game: [0, 0, 0, 0] for game in games}
        columns = (("games", "events"), ("checkpoints", "size"), ("openings", "number"), ("received", "number"))
        for start in range(0, len(games), GAMES_AT_A_TIME):
            part = [game.hex() for game in games[start : start + GAMES_AT_A_TIME]]
            for at, (table, column) in enumerate(columns):
                statement = f"SELECT game, MAX({column}) FROM {table} WHERE game IN ({places(part)}) GROUP BY game"
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
        with self._transactions.committed():
            return self.view_of(self._cache.look(game))

    def kept(self, game: bytes) -> KeptGame:
        """Return a copy of the game as of now, with the openings for the pending roll. Raises as `view`."""
        with self._transactions.committed():
            kept = self._cache.look(game)
            return KeptGame(kept.snapshot(), kept.checkpoint, kept.openings)

    def waits_for_closer(self, game: bytes) -> bool:
        """Return whether a pending roll lacks only its closer's opening, and the keeper's. Raises as `view`."""
        with self._transactions.committed():
            kept = self._cache.look(game)
            pending = kept.replay.pending
            return pending is not None and kept.awaited == (pending.closer,)

    def live(self, game: bytes) -> KeptGame:
        """Return the game itself, which goes on: for the writing thread, to be read and not stored.
        Raises as `view`.
        """
        with self._transactions.committed():
            return self._cache.look(game)

    def view_of(self, kept: KeptGame) -> GameView:
        """Return a view of a `live` game as of now, which does not change."""
        return GameView(self._cache, kept.snapshot(), kept.latest)

    def trusted(self, game: bytes) -> int:
        """Return the number of lines of a game that were taken from the store without being verified here.

        Stored lines prove nothing: whoever may write the file can replace them.
        """
        return self._cache.trusted(game)

    def verify(self, view: GameView, start: int, key: VerifierKey) -> tuple[Replay, SnapshotStart | None]:
        """Verify the lines of a view from line `start` on: steps 4 to 23 of specs/verification.md.

        The seat with this key has verified the lines before `start`: only its own snapshot may stand for them. Returns
        the replay, and that snapshot. Raises StoreError if a line does not hold.
        """
        return self._cache.verify(view.game, view.replay.head, view.stored_lines, start, key)

    def base(self, game: bytes) -> SnapshotStart | None:
        """Return the snapshot from which the replay of a game began; None if all its lines were replayed."""
        return self._cache.starts.of(game)

    def check_linked(self, base: SnapshotStart | None, start: int) -> None:
        """Check that the stored lines from number `start` on lead to the snapshot. Raises StoreError."""
        self._cache.starts.check_linked(base, start)

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
        return self._logs.checkpoint(game)

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
        with replaying(jobs, lines) as workers, self._transactions.writing():
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
        for line in self._logs.written(id_, 0):
            try:
                rows.take(replay.follow(line))
            except Failure as failure:
                raise self._logs.change_error(id_, replay.size, failure) from None
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
        self._cache.restore(kept)
        self._cache.replace(kept)
        return kept

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return rows of committed data. Raises StoreError."""
        return self._logs.read(statement, *values)

    def group(self, games: Iterable[bytes] | None = None, *, durable: bool = True) -> AbstractContextManager[None]:
        """Write several appends, openings and checkpoints, also of many games, in one transaction.

        `games` are those that it may write to; None: any, and nobody else writes meanwhile. The group is durable when
        the block ends, unless `durable` is false (for what would be signed again byte for byte: specs/seats.md); if an
        error leaves the block, nothing of it is written. A refusal (RefusedError, or UsageError for a game that is not
        here) that is caught within the block leaves the rest valid; any other error fails the whole group. Within the
        block nothing is signed and no game is looked at, because nobody may see what is not durable.

        Raises StoreError.
        """
        return self._transactions.group(games, durable=durable)

    def looking(self, games: Iterable[bytes]) -> AbstractContextManager[None]:
        """Ask only once, for several looks at games, whether others have written."""
        return self._transactions.looking(games)

    def is_deleted(self, game: bytes) -> bool:
        """Return whether the game was here and was deleted. Raises StoreError."""
        return bool(self._read("SELECT 1 FROM deleted WHERE game = ?", game.hex()))

    def _append(
        self, kept: KeptGame, line: bytes, check: Check, now: str | None, keeper: Keeper | None = None
    ) -> Receipt:
        """Replay a line, and write it; `now` as in `KeptGame.offer`."""
        replay = kept.replay
        before, head = (replay.session, replay.head.hex()) if replay.size else (None, "")
        event = kept.offer(line, now, check)
        self._transactions.writes.add_line(replay.game.hex(), event.seq, line, head)
        project(self._transactions.writes, replay, before, event)
        self._cache.add(kept)
        game = replay.terms.game
        if keeper is not None:
            try:
                self._check_keeper(replay, keeper)
                keeper.check(GameView(self._cache, replay, (line,)))
            except BaseException:
                self._cache.drop(game)  # the game in memory has this line
                raise
        return Receipt(game.hex(), event.seq, replay.head.hex(), replay.size, replay.tree.root().hex())

    def _check_keeper(self, replay: Replay, keeper: Keeper) -> None:
        terms = replay.terms
        key = terms.keys[terms.keeper]
        if (key.name, key.public_bytes) != (keeper.key.name, keeper.key.public_bytes):
            raise TurnError(f"{keeper.key.name} with this key is not the keeper of game {terms.game.hex()[:12]}")
