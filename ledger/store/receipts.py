"""The result of an append, and the signer of the checkpoint in it."""

from typing import Protocol

from msgspec import Struct

from ledger.game.party_view import View
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint

__all__ = ["Keeper", "Receipt"]


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
