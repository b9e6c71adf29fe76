"""What others send to a keeper's program, what became of it, and what is new by it (`ledger.keeper.host`)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Raw, Struct

from ledger.errors import RefusedError
from ledger.store.ledger import Receipt
from rules import Body, Role
from rules.base import LateRole
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.format import AdmitBody
from verifier.opening import ReceivedOpening, SentOpening

__all__ = [
    "CallOff",
    "CatchUp",
    "CaughtUp",
    "CloseGame",
    "CreateGame",
    "Failed",
    "HandIn",
    "HandInReceived",
    "LetIn",
    "NewCheckpoint",
    "NewLine",
    "NewOpening",
    "NewReceived",
    "News",
    "Noted",
    "Offer",
    "OpenGame",
    "Opened",
    "Operation",
    "Outcome",
    "Processed",
    "Refused",
    "Resume",
    "Resumed",
    "Stands",
]


# --- what goes in ----------------------------------------------------------------------------------------------------


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
    """A new game, as `Seat.open_game`, by the party that is the keeper."""

    system: str
    options: Body | Raw
    parties: tuple[tuple[VerifierKey, Role], ...]
    contributors: Literal["all", "roller"] | tuple[str, ...] = "all"
    title: str = ""
    others_away: bool = False
    judge: str | None = None
    """the party that is the keeper's judge"""
    admits: tuple[LateRole, ...] = ()
    """the roles in which somebody may come later"""
    host: VerifierKey | None = None
    """whose word says who comes later"""
    called: Mapping[str, str] = {}
    """by name, what parties are called"""
    sealed: Literal["kept", "everyone"] | None = None
    """who may hold secret rolls"""


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
    """whether it is the turn of the roll's closer, who opens when all others have"""


class LetIn(Struct, frozen=True):
    """An `admit`, by the game's keeper, with the host's word."""

    game: bytes
    body: AdmitBody


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
    """Do what is outstanding for the keeper in a game: its program ended before it had."""

    game: bytes


Operation = Offer | HandIn | HandInReceived | OpenGame | CreateGame | LetIn | CloseGame | CallOff | CatchUp | Resume


# --- what comes out --------------------------------------------------------------------------------------------------


class Stands(Struct, frozen=True):
    """The line stands, durably, and the receipt has a checkpoint of a log with it: that of now where it stood."""

    receipt: Receipt
    new: bool


class Opened(Struct, frozen=True):
    """The opening stands, durably, with the keeper's receipt; None where its roll was ended before there was one."""

    received: ReceivedOpening | None
    new: bool


class Noted(Struct, frozen=True):
    """The receipt for an opening was handed on."""

    new: bool


class CaughtUp(Struct, frozen=True):
    """The game has so many lines now, of which these were missing."""

    size: int
    added: int


class Resumed(Struct, frozen=True):
    """Nothing is outstanding for the keeper in the game, of so many lines."""

    size: int


class Refused(Struct, frozen=True):
    """What was sent does not hold, and left no trace."""

    error: RefusedError
    size: int
    """lines of the game"""
    head: bytes
    """the leaf hash of the last one, 32 bytes"""
    author: str | None = None
    """whose line it is by its signature, where it lost a race"""

    @property
    def code(self) -> str:
        """Of specs/verification.md, or `time.ahead`, or `author.keeper`."""
        return self.error.code

    @property
    def stale(self) -> bool:
        """Whether it was signed on another end of the log than the one that stands: somebody was faster."""
        return self.code in ("chain.seq", "chain.prev")


class Failed(Struct, frozen=True):
    """The keeper's side cannot. What was sent may stand all the same: sent again, it is answered by what became of it.

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


Outcome = Stands | Opened | Noted | CaughtUp | Resumed | Refused | Failed


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
    """The keeper's signature over the game as it stands."""

    checkpoint: SignedCheckpoint


News = NewLine | NewOpening | NewReceived | NewCheckpoint
"""what is new in a game, and durable"""


class Processed(Struct, frozen=True):
    """What a batch came to."""

    outcomes: tuple[Outcome, ...]
    """of each operation, in their order"""
    news: Mapping[bytes, Sequence[News]]
    """by game, in the order in which it came to be"""
