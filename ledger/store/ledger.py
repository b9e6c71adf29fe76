"""The append-only store of logs, and the keeper's sequencing (specs/protocol.md)."""

from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from ledger.errors import NotTakenError, StoreError
from ledger.game.core import KeptGame
from ledger.game.signature_cache import verify_once
from ledger.store.events import GameView, Keeper, Receipt
from ledger.store.importing import Imported, Importing
from ledger.store.projections import READ_TABLES
from verifier import Replay
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.format import Opening
from verifier.log.signatures import trust
from verifier.opening import ReceivedOpening

__all__ = ["GameView", "Imported", "Keeper", "Ledger", "Receipt"]


class Ledger(Importing):
    """A store of games in one SQLite file."""

    def create(self, line: bytes, keeper: Keeper | None = None) -> Receipt:
        """Begin a game with its event 0; `keeper` signs the checkpoint. Raises RefusedError, StoreError."""
        with self._adding():
            receipt = self._append(KeptGame(), line, verify_once, self._clock(), keeper)
        return self._signed(receipt, keeper)

    def append(
        self, game: bytes, line: bytes, keeper: Keeper | None = None, *, upon: KeptGame | None = None
    ) -> Receipt:
        """Add an event, without its line feed, to the end of a game; then `keeper` signs the checkpoint.

        Durable when this returns; without a trace if it raises. Without the keeper, and where its checkpoint cannot be
        stored, the line stands, and its checkpoint comes with the next one (`sign_checkpoint`). In a group the keeper
        has no part: it signs what is durable. `upon` is the game as it was `live` when the keeper looked at it.

        Raises RefusedError where the log would not verify with it (a stale head among the reasons), StoreError, also
        where the store was put back since it was looked at; UsageError where `keeper` is not the game's, ForkError
        where the keeper signed another history.
        """
        with self._adding():
            kept = self._look(game)
            if upon is not None and kept is not upon:
                raise StoreError(f"{self.path} was put back while it was in use. Nothing was written.")
            receipt = self._append(kept, line, verify_once, self._clock(), keeper)
        return self._signed(receipt, keeper)

    def append_all(self, game: bytes, lines: Sequence[bytes], keeper: Keeper | None = None) -> list[Receipt]:
        """Add events that stand one upon the other, as `append`: all of them or none, in one transaction.

        One checkpoint, of all of them, is the receipt for each (specs/checkpoints.md). Raises as `append`.
        """
        with self._writing():
            kept = self._look(game)
            try:
                receipts = [self._append(kept, line, verify_once, self._clock()) for line in lines]
                if keeper is not None:
                    self._check_keeper(kept.replay, keeper)
                    keeper.check(GameView(self, kept.replay, lines))
            except BaseException:
                self._drop(game)  # it has taken the lines before
                raise
        signed = self._signed(receipts[-1], keeper).checkpoint
        return [replace(receipt, checkpoint=signed) for receipt in receipts]

    def fill(self, game: bytes, first: int, lines: Sequence[bytes]) -> int:
        """Add lines that a keeper has seen and are missing here, from number `first` (`ledger.keeper.catching_up`).

        All of them or none; nothing is signed. Returns how many lines there are then. Raises NotTakenError where they
        are not the next ones here; MissingError where the game was deleted; RefusedError, StoreError.
        """
        with self._writing():
            self._check_deleted(game)
            kept = self._catch_up(game)
            if kept.replay.size != first:
                raise NotTakenError(f"game {game.hex()[:12]} has {kept.replay.size} events here, not {first}")
            try:
                for line in lines:
                    self._append(kept, line, trust, None)
            except BaseException:
                self._drop(game)
                raise
            self._trusted[game] = kept.replay.size
            return kept.replay.size

    def delete(self, game: bytes) -> None:
        """Keep nothing of a game. What its keeper remembers of it stays: it would not sign it a second time."""
        with self._writing():
            for table in ("events", "openings", "received"):
                with self._database.deleting(table):
                    self._database.execute(f"DELETE FROM {table} WHERE game = ?", (game.hex(),))
            for table in ("checkpoints", *READ_TABLES):
                self._database.execute(f"DELETE FROM {table} WHERE game = ?", (game.hex(),))
            self._database.upsert("deleted", [(game.hex(),)])
            self._drop(game)
            self._trusted.pop(game, None)
        with self._writer:
            self._database.forget_deleted()

    def append_void(self, game: bytes, line: bytes, missing: Sequence[str]) -> bool:
        """Add a void, unless somebody of `missing` has opened by now; whether it was added. Raises as `append`."""
        with self._adding():
            kept = self._look(game)
            if any(opening.author in missing for opening in kept.openings):
                return False
            self._append(kept, line, verify_once, self._clock())
            return True

    def count_rulings(self, game: bytes, request: int, size: int) -> int:
        """Count the rulings about a roll among the first `size` lines of a game. Raises StoreError."""
        statement = "SELECT COUNT(*) FROM rulings WHERE game = ? AND seq < ? AND subject IN (?, ?)"
        ((count,),) = self._read(statement, game.hex(), size, request, request + 1)
        return int(count)

    def hand_in(self, game: bytes, opening: Opening) -> bool:
        """Take a contributor's opening for the pending request; whether it is new. Raises RefusedError.

        Never the keeper's: whoever sees the store would know the dice before everybody has opened.
        """
        with self._adding():
            kept = self._look(game)
            new = kept.take(opening)
            assert kept.replay.pending is not None, "what is taken is for a request that waits"
            self._database.execute(
                "INSERT INTO openings (game, request, author, link_index, link, sig) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (game.hex(), kept.replay.pending.request.hex(), *msgspec.structs.astuple(opening)),
            )
            return new

    def hand_in_received(self, received: ReceivedOpening) -> bool:
        """Keep a receipt for an opening of the roll that waits, by whoever it is; whether it is new.

        Raises RefusedError where it does not hold.
        """
        with self._adding():
            kept = self._look(bytes.fromhex(received.game))
            kept.check_received(received)
            return self._store_received(received)

    def _store_received(self, received: ReceivedOpening) -> bool:
        key = (received.game, received.request, received.author, received.receiver)
        rows = self._database.execute(
            "INSERT INTO received (game, request, author, receiver, line) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO NOTHING",
            (*key, bytes(received).decode()),
        )
        return rows.rowcount > 0

    def sign_checkpoint(self, game: bytes, keeper: Keeper) -> SignedCheckpoint:
        """The checkpoint of the game as it stands: the one that is there, or a new one by its keeper.

        Raises UsageError where `keeper` is not the game's, ForkError where the keeper signed another history.
        """
        # Not waited for: what a crash of the machine takes of it is signed again, byte for byte (specs/seats.md).
        with self._writing(durable=False):
            kept = self._look(game)
            if kept.checkpoint is not None and kept.checkpoint.head.size == kept.replay.size:
                return kept.checkpoint
            return self._sign(kept.replay, keeper)

    def keep_signed(self, signed: Sequence[SignedCheckpoint | ReceivedOpening]) -> None:
        """Keep what a keeper on this machine has signed, of games as they stand here."""
        with self._adding():
            for each in signed:
                if isinstance(each, ReceivedOpening):
                    self._store_received(each)
                    continue
                kept = self._look(each.head.game)
                if kept.replay.size < each.head.size:
                    raise StoreError(f"{self.path} was put back while it was in use: the lines signed for are gone")
                if kept.checkpoint is None or kept.checkpoint.head.size < each.head.size:
                    self._store(each)

    def _sign(self, replay: Replay, keeper: Keeper) -> SignedCheckpoint:
        """A checkpoint of the game as it stands, signed and stored."""
        self._check_keeper(replay, keeper)
        signed = keeper.checkpoint(GameView(self, replay))
        self._store(signed)
        return signed

    def _signed(self, receipt: Receipt, keeper: Keeper | None) -> Receipt:
        """The receipt with the keeper's checkpoint of a line that is stored.

        What the keeper remembers may be ahead of its store at no time, whatever crashes, or it could never go on.
        """
        if keeper is None:
            return receipt
        assert self._group is None, "in a group nothing is signed"
        with suppress(StoreError):
            return replace(receipt, checkpoint=self.sign_checkpoint(bytes.fromhex(receipt.game), keeper))
        return receipt
