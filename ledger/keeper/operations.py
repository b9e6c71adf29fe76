"""The operations of a keeper's program, their outcomes, and news for readers (`ledger.keeper.host`)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from ledger.errors import BehindError, LedgerError, NotTakenError, RefusedError, StoreError
from ledger.store.receipts import Receipt
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.bodies import AdmitBody, Open, ReplaceBody
from verifier.opening import ReceivedOpening, SentOpening

__all__ = [
    "Acceptance",
    "BatchResult",
    "CallOff",
    "CatchUp",
    "CaughtUp",
    "CloseGame",
    "CreateGame",
    "HandIn",
    "HandInReceived",
    "KeeperFailure",
    "LetIn",
    "NewCheckpoint",
    "NewLine",
    "NewOpening",
    "NewReceived",
    "News",
    "Offer",
    "OpenGame",
    "OpeningOutcome",
    "Operation",
    "Outcome",
    "ReceiptOutcome",
    "Rejection",
    "Resume",
    "ResumeOutcome",
]


# --- operations ------------------------------------------------------------------------------------------------------


class Offer(Struct, frozen=True):
    """A line, without its line feed, to be the next of a game (its id, 32 bytes)."""

    game: bytes
    line: bytes


class HandIn(Struct, frozen=True):
    """A contributor's opening."""

    opening: SentOpening

    @property
    def game(self) -> bytes:
        """The game's id, 32 bytes."""
        return bytes.fromhex(self.opening.game)


class HandInReceived(Struct, frozen=True):
    """A participant's receipt for another's opening."""

    received: ReceivedOpening

    @property
    def game(self) -> bytes:
        """The game's id, 32 bytes."""
        return bytes.fromhex(self.received.game)


class OpenGame(Struct, frozen=True):
    """A new game with the terms that were agreed to, by the party that is the keeper."""

    body: Open
    """of event 0, whose nonce the keeper draws"""


class CreateGame(Struct, frozen=True):
    """A new game, with an event 0 that its keeper has signed already."""

    line: bytes
    """without its line feed"""


class CallOff(Struct, frozen=True):
    """The void of a request that waits, by the keeper's judge: a turn has lasted too long (specs/network.md)."""

    game: bytes
    request: int
    """its number"""
    closer: bool = False
    """True if it is the turn of the roll's closer, who opens after all others"""


class LetIn(Struct, frozen=True):
    """An `admit` or a `replace`, by the game's keeper: what the host, or those who may wish it, have it write."""

    game: bytes
    body: AdmitBody | ReplaceBody

    @property
    def what(self) -> Literal["admit", "replace"]:
        """The type of the event."""
        return "admit" if isinstance(self.body, AdmitBody) else "replace"


class CloseGame(Struct, frozen=True):
    """The end of a game, by its keeper; over a request that waits too."""

    game: bytes


class CatchUp(Struct, frozen=True):
    """Lines of a game that are missing here, and that its keeper has seen (`ledger.keeper.catching_up`)."""

    game: bytes
    first: int
    """the number of the first of them"""
    lines: tuple[bytes, ...]


class Resume(Struct, frozen=True):
    """Finish the keeper's outstanding steps in a game, which its program left undone."""

    game: bytes


Operation = Offer | HandIn | HandInReceived | OpenGame | CreateGame | LetIn | CloseGame | CallOff | CatchUp | Resume


# --- outcomes --------------------------------------------------------------------------------------------------------


class Acceptance(Struct, frozen=True):
    """The line is stored durably; the receipt has a checkpoint over it, the latest one if the line was known."""

    receipt: Receipt
    new: bool


class OpeningOutcome(Struct, frozen=True):
    """The opening is stored durably, with the keeper's receipt; None if its roll ended before there was one."""

    received: ReceivedOpening | None
    new: bool


class ReceiptOutcome(Struct, frozen=True):
    """The receipt for an opening was handed on."""

    new: bool


class CaughtUp(Struct, frozen=True):
    """The game has so many lines now, of which these were missing."""

    size: int
    added: int


class ResumeOutcome(Struct, frozen=True):
    """The outcome that the keeper has no pending duties in the game, of so many lines."""

    size: int


class Rejection(Struct, frozen=True):
    """The operation is invalid, and left no trace."""

    error: RefusedError
    size: int
    """lines of the game"""
    head: bytes
    """the leaf hash of the last line, 32 bytes"""
    author: str | None = None
    """the signer of a line that lost a race"""

    @property
    def code(self) -> str:
        """Return the code: of specs/verification.md, or `time.ahead`, or `author.keeper`."""
        return self.error.code

    @property
    def stale(self) -> bool:
        """True if the line was signed upon an older end of the log: another line came first."""
        return self.code in ("chain.seq", "chain.prev")


class KeeperFailure(Struct, frozen=True):
    """The keeper cannot act. The operation may be stored all the same: sent again, it is answered accordingly.

    | code | |
    |---|---|
    | `not-found` | there is no such game here |
    | `keeper.away` | the keeper's seat is not at this program |
    | `keeper.behind` | the store has less than the keeper has seen: until somebody catches it up nothing is signed |
    | `keeper.stopped` | the keeper's seat signs nothing more in this game, or at all |
    | `keeper.failed` | the disk or the database: later it may go on |
    | `catch-up` | the lines are not the next ones here |
    """

    code: str
    problem: str
    size: int = 0
    """lines of the game"""

    @classmethod
    def of(cls, error: LedgerError, code: str | None = None, size: int = 0) -> "KeeperFailure":
        """Return the outcome that reports an error of store or seat; `code`: in place of the error's own."""
        match error:
            case BehindError():
                found = "keeper.behind"
            case NotTakenError():
                found = "catch-up"
            case StoreError():
                found = "keeper.failed"
            case RefusedError():
                found = error.code
            case _:
                found = "keeper.stopped"
        return cls(code or found, str(error), size)


Outcome = Acceptance | OpeningOutcome | ReceiptOutcome | CaughtUp | ResumeOutcome | Rejection | KeeperFailure


class NewLine(Struct, frozen=True):
    """An event with its number: the line, without its line feed."""

    seq: int
    line: bytes


class NewOpening(Struct, frozen=True):
    """An opening for the request that waits."""

    opening: SentOpening


class NewReceived(Struct, frozen=True):
    """A participant's receipt for an opening."""

    received: ReceivedOpening


class NewCheckpoint(Struct, frozen=True):
    """The keeper's signature over the current log."""

    checkpoint: SignedCheckpoint


News = NewLine | NewOpening | NewReceived | NewCheckpoint
"""durable news of a game"""


class BatchResult(Struct, frozen=True):
    """The result of a batch."""

    outcomes: tuple[Outcome, ...]
    """one for each operation, in their order"""
    news: Mapping[bytes, Sequence[News]]
    """the news of each game, in their order"""
