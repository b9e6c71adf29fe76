"""The state of a batch: a ticket for each operation, and each game in which something was taken."""

from typing import Literal

from msgspec import Struct

from ledger.errors import RefusedError
from ledger.keeper.operations import CallOff, CreateGame, KeeperFailure, News, OpenGame, Operation, Outcome
from ledger.store.receipts import Receipt
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.opening import ReceivedOpening, SentOpening

__all__ = ["BEGINNING", "ActiveGame", "Ticket", "ToSign", "activate"]

BEGINNING = OpenGame | CreateGame
"""operations that create a game"""

ToSign = Literal["commit", "reveal", "disclose", "close", "checkpoint", "admit", "replace", "away", "join", "void"]
"""the events that a keeper signs; the last two are its judge's"""


class Ticket(Struct, eq=False):
    """An operation, and what became of it so far. Equal operations share a ticket."""

    operation: Operation
    outcome: Outcome | None = None
    """the answer, once it is certain"""
    error: RefusedError | None = None
    """why it was refused"""
    receipt: Receipt | None = None
    """of its stored line; the keeper has yet to sign for it"""
    new: bool = False
    """True if it changed something"""

    @property
    def is_open(self) -> bool:
        """True while the operation is neither answered nor refused."""
        return self.outcome is None and self.error is None

    @property
    def game(self) -> bytes:
        """The id of the game of an operation that does not create it."""
        assert not isinstance(self.operation, BEGINNING)
        return self.operation.game


class ActiveGame(Struct, eq=False):
    """A game in which something was taken in this batch."""

    news: list[News] = []
    to_receive: list[SentOpening] = []
    """openings for which the keeper has not signed a receipt"""
    received: dict[tuple[str, str], ReceivedOpening] = {}
    """the keeper's receipts, by request and author"""
    to_close: bool = False
    """close the game when nothing else is outstanding for the keeper"""
    closed: bool = False
    """by this batch"""
    to_let_in: list[Ticket] = []
    """operations that admit a party, done when nothing else is outstanding for the keeper"""
    to_call_off: CallOff | None = None
    """the request that the keeper's judge voids when nothing else is outstanding"""
    judging: bool = True
    """whether that judge still does its part"""
    failed: KeeperFailure | None = None
    """why the keeper does no more in it"""
    signed: SignedCheckpoint | None = None
    """the latest, when it was looked at last"""


def activate(games: dict[bytes, ActiveGame], ticket: Ticket) -> ActiveGame:
    """Return the game of a ticket, which is active from now on."""
    return games.setdefault(ticket.game, ActiveGame())
