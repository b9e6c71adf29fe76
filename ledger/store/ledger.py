"""The append-only store of logs, and the keeper's sequencing (specs/protocol.md)."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ledger.errors import NotTakenError, StoreError
from ledger.game.core import KeptGame
from ledger.game.signature_cache import verify_once
from ledger.seats.seat import utc_now
from ledger.seats.snapshots import Snapshots
from ledger.store.checkpoints import CheckpointStore
from ledger.store.cosignatures import CheckpointUpdate
from ledger.store.game_view import GameView
from ledger.store.games import Games
from ledger.store.importing import ImportResult, LogImporter
from ledger.store.projections import READ_TABLES
from ledger.store.receipts import Keeper, Receipt
from ledger.store.storage import Storage
from rules.data.language import Translate
from verifier import Pins, Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.checkpoints.policy import WitnessKey
from verifier.log.format import Opening
from verifier.log.merkle import leaf_hash
from verifier.log.signatures import trust
from verifier.opening import ReceivedOpening

__all__ = ["GameView", "ImportResult", "Keeper", "Ledger", "Receipt"]


class Ledger(Games):
    """A store of games in one database, with the keeper's appends and imports of what others send."""

    def __init__(
        self,
        where: str | Path | Storage,
        clock: Callable[[], str] = utc_now,
        *,
        writable: bool = True,
        snapshots: Snapshots | None = None,
    ) -> None:
        """As `Games`."""
        super().__init__(where, clock, writable=writable, snapshots=snapshots)
        self._checkpoints = CheckpointStore(self._logs, self._cache, self._transactions)
        self._importer = LogImporter(
            *(self._logs, self._cache, self._transactions, self._checkpoints),
            *(clock, self._append, self._cut),
        )

    # --- what others send --------------------------------------------------------------------------------------------

    def taken(self, game: bytes) -> int:
        """Return the number of events that the keeper has signed a checkpoint over (specs/protocol.md)."""
        return self.kept(game).taken

    def import_log(
        self,
        data: bytes,
        *,
        name: str,
        pins: Pins | None = None,
        checkpoint: bytes | None = None,
        translate: Translate = str,
        is_here: Callable[[VerifierKey], bool] | None = None,
        cosigners: Collection[WitnessKey] = (),
    ) -> ImportResult:
        """Import a log from a file: all of it, or nothing if it does not verify. `checkpoint` came with it.

        The checkpoint's cosignatures are stored as by `take_checkpoint`.

        A log that continues a stored game adds its new lines. If it differs from the stored log, the keeper's signature
        decides (specs/protocol.md, "Taken and untaken"): stored lines that the keeper has not signed over are replaced.
        Raises NotTakenError if those of the file are not signed over, or neither side's are; ForkError if both sides'
        are. If `is_here` says that the keeper's key is on this machine, so that the new lines will be signed over:
        RefusedError if a new event is dated ahead of the clock.
        """
        return self._importer.import_log(
            data,
            name=name,
            pins=pins,
            checkpoint=checkpoint,
            translate=translate,
            is_here=is_here,
            cosigners=cosigners,
        )

    def take_line(self, game: bytes, seq: int, line: bytes) -> bool:
        """Store line `seq` of a game, without its line feed, as a server streams it; return whether it is new.

        The line is verified like any other. Event 0 begins the game. Raises RefusedError if it does not hold or lines
        before it are missing; NotTakenError if another line is stored in its place; StoreError.
        """
        return self._importer.take_line(game, seq, line)

    def take_checkpoint(self, checkpoint: SignedCheckpoint, cosigners: Collection[WitnessKey] = ()) -> CheckpointUpdate:
        """Store a checkpoint that came with a log, or came back with cosignatures.

        A cosignature is stored if it holds with a key of a witness of the game or with one of `cosigners`
        (specs/checkpoints.md, "Cosignatures in a store"). A checkpoint older than the stored one is ignored. Raises
        UsageError if it is not the keeper's, BehindError and ForkError if it contradicts the stored log.
        """
        return self._checkpoints.take(checkpoint, cosigners)

    # --- the keeper's appends ----------------------------------------------------------------------------------------

    def create(self, line: bytes, keeper: Keeper | None = None) -> Receipt:
        """Begin a game with its event 0; `keeper` signs the checkpoint. Raises RefusedError, StoreError."""
        with self._transactions.adding(leaf_hash(line)):
            receipt = self._append(KeptGame(), line, verify_once, self._clock(), keeper)
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
            receipt = self._append(kept, line, verify_once, self._clock(), keeper)
        return self._signed(receipt, keeper)

    def append_all(self, game: bytes, lines: Sequence[bytes], keeper: Keeper | None = None) -> list[Receipt]:
        """Append events that follow one another, as `append` does: all of them or none, in one transaction.

        One checkpoint over all of them is the receipt for each (specs/checkpoints.md). Raises as `append`.
        """
        with self._transactions.writing([game]):
            kept = self._cache.look(game)
            try:
                receipts = [self._append(kept, line, verify_once, self._clock()) for line in lines]
                if keeper is not None:
                    self._check_keeper(kept.replay, keeper)
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
                    self._append(kept, line, trust, None)
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
            for table in ("checkpoints", *READ_TABLES):
                self._database.execute(f"DELETE FROM {table} WHERE game = ?", (game.hex(),))
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
            self._append(kept, line, verify_once, self._clock())
            return True

    def closed_games(self) -> list[bytes]:
        """Return all games that were closed. Raises StoreError."""
        return [bytes.fromhex(game) for (game,) in self._read("SELECT game FROM games WHERE phase = 'closed'")]

    def count_rulings(self, game: bytes, request: int, size: int) -> int:
        """Return how many rulings and strikes the first `size` lines of a game have about a roll. Raises StoreError."""
        statement = "SELECT COUNT(*) FROM rulings WHERE game = ? AND seq < ? AND subject IN (?, ?)"
        ((rulings,),) = self._read(statement, game.hex(), size, request, request + 1)
        statement = "SELECT COUNT(*) FROM events WHERE game = ? AND seq > ? AND seq < ? AND line LIKE ?"
        strike = f'{{"author":"%","body":{{"roll":{request}}},%,"type":"strike"}}'
        ((strikes,),) = self._read(statement, game.hex(), request, size, strike)
        return int(rulings) + int(strikes)

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
        self._check_keeper(replay, keeper)
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
