"""The append-only store of logs, and the keeper's sequencing (specs/protocol.md)."""

from contextlib import suppress

import msgspec
from msgspec.structs import replace

from ledger.errors import StoreError
from ledger.games import GameView, Keeper, Receipt
from ledger.importing import Imported, Importing
from ledger.keeper import KeptGame
from verifier import Replay
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.format import Opening
from verifier.signatures import verify_now

__all__ = ["GameView", "Imported", "Keeper", "Ledger", "Receipt"]


class Ledger(Importing):
    """A store of games in one SQLite file."""

    def create(self, line: bytes, keeper: Keeper | None = None) -> Receipt:
        """Begin a game with its event 0; `keeper` signs the checkpoint. Raises RefusedError, StoreError."""
        with self._writing():
            receipt = self._append(KeptGame(), line, verify_now, self._clock(), keeper)
        return self._signed(receipt, keeper)

    def append(self, game: bytes, line: bytes, keeper: Keeper | None = None) -> Receipt:
        """Add an event, without its line feed, to the end of a game; then `keeper` signs the checkpoint.

        Durable when this returns; without a trace if it raises. Without the keeper, and where its checkpoint cannot be
        stored, the line stands, and its checkpoint comes with the next one (`sign_checkpoint`).

        Raises RefusedError where the log would not verify with it (a stale head among the reasons), StoreError,
        UsageError where `keeper` is not the game's, ForkError where the keeper signed another history.
        """
        with self._writing():
            receipt = self._append(self._look(game), line, verify_now, self._clock(), keeper)
        return self._signed(receipt, keeper)

    def hand_in(self, game: bytes, opening: Opening) -> None:
        """Take a contributor's opening for the pending request. Raises RefusedError where it is not one.

        Never the keeper's: whoever sees the store would know the dice before everybody has opened.
        """
        with self._writing():
            kept = self._look(game)
            kept.take(opening)
            assert kept.replay.pending is not None, "what is taken is for a request that waits"
            self._database.execute(
                "INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?, ?, ?)",
                (game.hex(), kept.replay.pending.request.hex(), *msgspec.structs.astuple(opening)),
            )

    def sign_checkpoint(self, game: bytes, keeper: Keeper) -> SignedCheckpoint:
        """The checkpoint of the game as it stands: the one that is there, or a new one by its keeper.

        Raises UsageError where `keeper` is not the game's, ForkError where the keeper signed another history.
        """
        with self._writing():
            replay = self._look(game).replay
            found = self.checkpoint(game)
            if found is not None and found.head.size == replay.size:
                return found
            return self._sign(replay, keeper)

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
        with suppress(StoreError):
            return replace(receipt, checkpoint=self.sign_checkpoint(bytes.fromhex(receipt.game), keeper))
        return receipt
