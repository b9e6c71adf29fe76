"""The append-only store of logs, and the keeper's sequencing (specs/protocol.md).

Every line is replayed by the keeper's core before it is stored, so that the stored log verifies. The store holds no
secrets; anybody can keep a store of games that they follow. Any thread may use it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec.structs import replace

from ledger.errors import NotTakenError, StoreError
from ledger.game.core import KeptGame
from ledger.game.signature_cache import verify_once
from ledger.game.times import utc_now
from ledger.seats.snapshots import Snapshots
from ledger.store.catalog import GameCatalog
from ledger.store.checkpoints import CheckpointStore
from ledger.store.cosignatures import CheckpointUpdate
from ledger.store.game_database import GameDatabase
from ledger.store.game_view import GameView
from ledger.store.importing import LogImporter
from ledger.store.line_writer import LineWriter, check_keeper
from ledger.store.read_tables import ReadTables
from ledger.store.receipts import Keeper, Receipt
from ledger.store.snapshot_starts import SnapshotStart
from ledger.store.storage import Storage
from rules.data.bounds import MAX_SAFE_INTEGER
from verifier import Replay
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.checkpoints.policy import WitnessKey
from verifier.log.bodies import Opening
from verifier.log.merkle import leaf_hash
from verifier.log.signatures import trust
from verifier.opening import ReceivedOpening, parse_received

__all__ = ["Ledger"]


class Ledger:
    """A store of games in one database, with the keeper's appends and imports of what others send."""

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
        self._games = GameDatabase(where, writable=writable, snapshots=snapshots)
        self._database = self._games.storage
        self._logs, self._cache = self._games.logs, self._games.cache
        self._transactions = self._games.transactions
        self._tables = ReadTables(self._games)
        self._lines = LineWriter(self._games, self._tables)
        self._checkpoints = CheckpointStore(self._games)
        self._importer = LogImporter(self._games, self._lines, self._checkpoints, clock)
        self._catalog = GameCatalog(self._logs)

    def close(self) -> None:
        """Close the store."""
        self._games.close()

    @property
    def path(self) -> str:
        """The name of the database, for messages."""
        return self._database.name

    @property
    def catalog(self) -> GameCatalog:
        """Answers which games there are, and which wait for something."""
        return self._catalog

    @property
    def importer(self) -> LogImporter:
        """Takes logs and lines that others send."""
        return self._importer

    # --- reading -----------------------------------------------------------------------------------------------------

    def lines(self, game: bytes, start: int = 0, stop: int = MAX_SAFE_INTEGER) -> Iterator[bytes]:
        """Iterate over the stored lines `start` to before `stop`, without their line feeds. Raises StoreError."""
        return self._logs.lines(game, start, stop)

    def size(self, game: bytes) -> int:
        """Return the number of stored lines of a game; 0 if there is none. Raises StoreError."""
        found: int = self._logs.read("SELECT COALESCE(MAX(seq) + 1, 0) FROM events WHERE game = ?", game.hex())[0][0]
        return found

    def is_deleted(self, game: bytes) -> bool:
        """Return whether the game was here and was deleted. Raises StoreError."""
        return bool(self._logs.read("SELECT 1 FROM deleted WHERE game = ?", game.hex()))

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

    def live(self, game: bytes) -> KeptGame:
        """Return the game itself, which goes on: for the writing thread, to be read and not stored.
        Raises as `view`.
        """
        with self._transactions.committed():
            return self._cache.look(game)

    def view_of(self, kept: KeptGame) -> GameView:
        """Return a view of a `live` game as of now, which does not change."""
        return GameView(self._cache, kept.snapshot(), kept.latest)

    def looking(self, games: Iterable[bytes]) -> AbstractContextManager[None]:
        """Ask only once, for several looks at games, whether others have written."""
        return self._transactions.looking(games)

    def waits_for_closer(self, game: bytes) -> bool:
        """Return whether a pending roll lacks only its closer's opening, and the keeper's. Raises as `view`."""
        with self._transactions.committed():
            kept = self._cache.look(game)
            pending = kept.replay.pending
            return pending is not None and kept.awaited == (pending.closer,)

    def base(self, game: bytes) -> SnapshotStart | None:
        """Return the snapshot from which the replay of a game began; None if all its lines were replayed."""
        return self._cache.starts.of(game)

    def openings(self, game: bytes) -> tuple[Opening, ...]:
        """Return the openings that were handed in for the pending request."""
        return self.kept(game).openings

    def opening(self, game: bytes, request: bytes, author: str) -> Opening | None:
        """Return a party's opening for a request (its leaf hash), even if it was never used. Raises StoreError."""
        rows = self._logs.read(
            "SELECT author, link_index, link, sig FROM openings WHERE game = ? AND request = ? AND author = ?",
            game.hex(),
            request.hex(),
            author,
        )
        return Opening(*rows[0]) if rows else None

    def received(self, game: bytes, request: bytes) -> tuple[ReceivedOpening, ...]:
        """Return the receipts for openings of a request (its leaf hash), in order of arrival. Raises StoreError."""
        rows = self._logs.read(
            "SELECT line FROM received WHERE game = ? AND request = ? ORDER BY number", game.hex(), request.hex()
        )
        return tuple(parse_received(line.encode()) for (line,) in rows)

    def checkpoint(self, game: bytes) -> SignedCheckpoint | None:
        """Return the latest checkpoint of a game, with its cosignatures; None if there is none. Raises StoreError."""
        return self._logs.checkpoint(game)

    def taken(self, game: bytes) -> int:
        """Return the number of events that the keeper has signed a checkpoint over (specs/protocol.md)."""
        return self.kept(game).taken

    def count_rulings(self, game: bytes, request: int, size: int) -> int:
        """Return how many rulings and strikes the first `size` lines of a game have about a roll. Raises StoreError."""
        statement = "SELECT COUNT(*) FROM rulings WHERE game = ? AND seq < ? AND subject IN (?, ?)"
        ((rulings,),) = self._logs.read(statement, game.hex(), size, request, request + 1)
        statement = "SELECT COUNT(*) FROM events WHERE game = ? AND seq > ? AND seq < ? AND line LIKE ?"
        strike = f'{{"author":"%","body":{{"roll":{request}}},%,"type":"strike"}}'
        ((strikes,),) = self._logs.read(statement, game.hex(), request, size, strike)
        return int(rulings) + int(strikes)

    def export(self, game: bytes, stream: BinaryIO) -> int:
        """Write the log to a stream, byte for byte; return the number of lines."""
        self._cache.starts.check_linked(self.base(game), 0)
        count = 0
        for line in self.lines(game):
            stream.write(line + b"\n")
            count += 1
        return count

    # --- writing -----------------------------------------------------------------------------------------------------

    def take_checkpoint(self, checkpoint: SignedCheckpoint, cosigners: Collection[WitnessKey] = ()) -> CheckpointUpdate:
        """Store a checkpoint that came with a log, or came back with cosignatures.

        A cosignature is stored if it holds with a key of a witness of the game or with one of `cosigners`
        (specs/checkpoints.md, "Cosignatures in a store"). A checkpoint older than the stored one is ignored. Raises
        UsageError if it is not the keeper's, BehindError and ForkError if it contradicts the stored log.
        """
        return self._checkpoints.take(checkpoint, cosigners)

    def rebuild(self, jobs: int = 1) -> int:
        """Make the read tables anew from the logs, with so many processes; return the number of games."""
        return self._tables.rebuild(jobs)

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

    def create(self, line: bytes, keeper: Keeper | None = None) -> Receipt:
        """Begin a game with its event 0; `keeper` signs the checkpoint. Raises RefusedError, StoreError."""
        with self._transactions.adding(leaf_hash(line)):
            receipt = self._lines.append(KeptGame(), line, verify_once, self._clock(), keeper)
        return self._signed(receipt, keeper)

    def append(
        self, game: bytes, line: bytes, keeper: Keeper | None = None, *, upon: KeptGame | None = None
    ) -> Receipt:
        """Append an event, without its line feed, to a game; then `keeper` signs the checkpoint.

        Durable when this returns, without a trace if it raises. Without the keeper, or if its checkpoint cannot be
        stored, the line remains, and the next checkpoint covers it (`sign_checkpoint`). In a group no `keeper` is
        given, because it signs only what is durable. `upon` is the `live` game that the keeper looked at.

        Raises RefusedError if the log would not verify with it (also for a stale head), StoreError, also if an older
        database was restored since the look; UsageError if `keeper` is not the game's, ForkError if the keeper signed
        another history.
        """
        with self._transactions.adding(game):
            kept = self._cache.look(game)
            if upon is not None and kept is not upon:
                raise StoreError(f"{self.path} was put back while it was in use. Nothing was written.")
            receipt = self._lines.append(kept, line, verify_once, self._clock(), keeper)
        return self._signed(receipt, keeper)

    def append_all(self, game: bytes, lines: Sequence[bytes], keeper: Keeper | None = None) -> list[Receipt]:
        """Append events that follow one another, as `append` does: all of them or none, in one transaction.

        One checkpoint over all of them is the receipt for each (specs/checkpoints.md). Raises as `append`.
        """
        with self._transactions.writing([game]):
            kept = self._cache.look(game)
            try:
                receipts = [self._lines.append(kept, line, verify_once, self._clock()) for line in lines]
                if keeper is not None:
                    check_keeper(kept.replay, keeper)
                    keeper.check(GameView(self._cache, kept.replay, lines))
            except BaseException:
                self._cache.drop(game)  # it has taken the lines before
                raise
        signed = self._signed(receipts[-1], keeper).checkpoint
        return [replace(receipt, checkpoint=signed) for receipt in receipts]

    def fill(self, game: bytes, first: int, lines: Sequence[bytes]) -> int:
        """Append lines that a keeper has seen and that are missing here, from number `first`
        (`ledger.keeper.catching_up`).

        All of them or none; nothing is signed. Returns the number of lines afterwards. Raises NotTakenError if they are
        not the next ones here; MissingError if the game was deleted; RefusedError, StoreError.
        """
        with self._transactions.writing([game]):
            self._transactions.check_deleted(game)
            kept = self._cache.catch_up(game)
            if kept.replay.size != first:
                raise NotTakenError(f"game {game.hex()[:12]} has {kept.replay.size} events here, not {first}")
            try:
                for line in lines:
                    self._lines.append(kept, line, trust, None)
            except BaseException:
                self._cache.drop(game)
                raise
            self._cache.trust(game, kept.replay.size)
            return kept.replay.size

    def delete(self, game: bytes) -> None:
        """Delete a game. Its keeper's memory of it remains, so that it does not sign another history of it."""
        with self._transactions.writing([game]):
            for table in ("events", "openings", "received"):
                with self._database.deleting(table):
                    self._database.execute(f"DELETE FROM {table} WHERE game = ?", (game.hex(),))
            self._database.execute("DELETE FROM checkpoints WHERE game = ?", (game.hex(),))
            self._tables.clear(game.hex())
            self._database.upsert("deleted", [(game.hex(),)])
            self._cache.forget(game)
        with self._transactions.writer:
            self._database.forget_deleted()

    def append_void(self, game: bytes, line: bytes, missing: Sequence[str]) -> bool:
        """Append a void, unless a party of `missing` has opened by now; return whether it was appended.

        Raises as `append`.
        """
        with self._transactions.adding(game):
            kept = self._cache.look(game)
            if any(opening.author in missing for opening in kept.openings):
                return False
            self._lines.append(kept, line, verify_once, self._clock())
            return True

    def hand_in(self, game: bytes, opening: Opening) -> bool:
        """Store a contributor's opening for the pending request; return whether it is new. Raises RefusedError.

        The keeper's opening is never stored: whoever sees the store would know the dice before everybody has opened.
        """
        with self._transactions.adding(game):
            kept = self._cache.look(game)
            new = kept.take(opening)
            assert kept.replay.pending is not None, "what is taken is for a request that waits"
            columns = ("game", "request", "author", "link_index", "link", "sig")
            row = (game.hex(), kept.replay.pending.request.hex(), *msgspec.structs.astuple(opening))
            self._transactions.writes.add("openings", columns, row)
            return new

    def hand_in_received(self, received: ReceivedOpening) -> bool:
        """Store a receipt for an opening of the pending roll, by any party; return whether it is new.

        Raises RefusedError if it does not hold.
        """
        game = bytes.fromhex(received.game)
        with self._transactions.adding(game):
            kept = self._cache.look(game)
            kept.check_received(received)
            known = "SELECT 1 FROM received WHERE game = ? AND request = ? AND author = ? AND receiver = ?"
            key = (received.game, received.request, received.author, received.receiver)
            with self._database.reading():
                new = self._database.execute(known, key).fetchone() is None
            self._store_received(received)
            return new

    def _store_received(self, received: ReceivedOpening) -> None:
        columns = ("game", "request", "author", "receiver", "line")
        key = (received.game, received.request, received.author, received.receiver)
        self._transactions.writes.add("received", columns, (*key, bytes(received).decode()))

    def sign_checkpoint(self, game: bytes, keeper: Keeper) -> SignedCheckpoint:
        """Return the checkpoint over all lines of a game: the stored one, or a new one by its keeper.

        Raises UsageError if `keeper` is not the game's, ForkError if the keeper signed another history.
        """
        # Not durable: a checkpoint lost in a crash of the machine is signed again, byte for byte (specs/seats.md).
        with self._transactions.writing([game], durable=False):
            kept = self._cache.look(game)
            if kept.checkpoint is not None and kept.checkpoint.head.size == kept.replay.size:
                return kept.checkpoint
            return self._sign(kept.replay, keeper)

    def keep_signed(self, signed: Sequence[SignedCheckpoint | ReceivedOpening]) -> None:
        """Store what a keeper on this machine has signed, for games as they are stored here."""
        games = {bytes.fromhex(each.game) if isinstance(each, ReceivedOpening) else each.head.game for each in signed}
        with self._transactions.adding(*games):
            for each in signed:
                if isinstance(each, ReceivedOpening):
                    self._store_received(each)
                    continue
                kept = self._cache.look(each.head.game)
                if kept.replay.size < each.head.size:
                    raise StoreError(f"{self.path} was put back while it was in use: the lines signed for are gone")
                if kept.checkpoint is None or kept.checkpoint.head.size < each.head.size:
                    self._checkpoints.store(each)

    def _sign(self, replay: Replay, keeper: Keeper) -> SignedCheckpoint:
        """Sign a checkpoint over all lines of the game, store it and return it."""
        check_keeper(replay, keeper)
        signed = keeper.checkpoint(GameView(self._cache, replay))
        self._checkpoints.store(signed)
        return signed

    def _signed(self, receipt: Receipt, keeper: Keeper | None) -> Receipt:
        """Return the receipt with the keeper's checkpoint over a line that is stored.

        The line is stored before the keeper signs: a keeper whose memory is ahead of its store could never go on.
        """
        if keeper is None:
            return receipt
        assert not self._transactions.in_group, "in a group nothing is signed"
        with suppress(StoreError):
            return replace(receipt, checkpoint=self.sign_checkpoint(bytes.fromhex(receipt.game), keeper))
        return receipt
