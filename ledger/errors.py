"""Errors of writing. Every message says what, where and whose.

The way out is a code: a command line shows a command for it, a page a button.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from rules.data.language import Message
    from verifier.checkpoints.head import SignedHead

__all__ = [
    "Advice",
    "AwayError",
    "BehindError",
    "CheatedError",
    "ForkError",
    "IdentityError",
    "Kind",
    "LedgerError",
    "MemoryLostError",
    "MissingError",
    "NotTakenError",
    "PassphraseError",
    "RefusedError",
    "RestoreError",
    "SeedError",
    "ServerError",
    "StaleMemoryError",
    "StoppedError",
    "StoreError",
    "TurnError",
    "UntakenError",
    "UsageError",
    "WaitingError",
    "WitnessError",
]


Advice = Literal["identity.make", "identity.take", "identity.forget", "games.list", "extra.install", "keeper.take"]
"""what can be done: make the identity `name`, take it back from a file, begin its memory anew, see which games there
are, install the extra `name`, have the keeper `name` sign over what is stored of `game`, or get its log where it is
"""


Kind = Literal["usage", "refused", "missing", "machine", "waiting", "passphrase"]
"""the exit code of an error (specs/commands.md, "Exit codes")"""


class LedgerError(Exception):
    """Base of all errors of this package. `advice` is what can be done, of or with `name` in `game` (id)."""

    kind: ClassVar[Kind] = "refused"

    def __init__(
        self, problem: "Message | str", advice: Advice | None = None, name: str = "", *, game: str = ""
    ) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.advice = advice
        self.name = name
        self.game = game

    def message(self, translate: Callable[[str], str]) -> str:
        """Return the message in another language, as far as it has one."""
        return self.problem if isinstance(self.problem, str) else self.problem.message(translate)


class UsageError(LedgerError):
    """The request cannot be done as it was asked."""

    kind: ClassVar[Kind] = "usage"


class MissingError(UsageError):
    """The thing that was named is not there, or cannot be used."""

    kind: ClassVar[Kind] = "missing"


class RestoreError(UsageError):
    """A backup is not put back: something would be lost, or an honest party could sign twice."""

    kind: ClassVar[Kind] = "refused"


class TurnError(UsageError):
    """It is not this party's to do, or not now, as the game stands."""

    kind: ClassVar[Kind] = "refused"


class WaitingError(UsageError):
    """Somebody else has to do something first."""

    kind: ClassVar[Kind] = "waiting"


class UntakenError(WaitingError):
    """A party would sign upon an event of somebody else that the keeper is not known to have taken."""


class IdentityError(LedgerError):
    """An identity is missing, exists already, or its file cannot be used."""

    kind: ClassVar[Kind] = "missing"


class PassphraseError(IdentityError):
    """A passphrase is needed, wrong, or too short or long."""

    kind: ClassVar[Kind] = "passphrase"


class SeedError(LedgerError):
    """A party cannot open: its secret is not here, or it has opened this link for another request."""


class MemoryLostError(LedgerError):
    """A seat's memory is missing, damaged, older than it should be, or on another machine (specs/seats.md)."""


class StoppedError(LedgerError):
    """A party has stopped in a game: something was done in its name that it did not do (specs/seats.md)."""


class StoreError(LedgerError):
    """The store cannot be opened, read or written."""

    kind: ClassVar[Kind] = "machine"


class StaleMemoryError(StoreError):
    """Another machine has recorded something of the same game meanwhile: nothing was recorded here, nor signed."""


class ForkError(LedgerError):
    """A log does not extend what was seen of the same game before."""


class BehindError(ForkError):
    """A log is shorter than what was seen of the same game before."""


class NotTakenError(LedgerError):
    """A log goes on in another way than the stored one, with events that the keeper has not signed over."""


class WitnessError(LedgerError):
    """A witness does not cosign (specs/checkpoints.md, "Witness").

    `status` is the code that a server of c2sp.org/tlog-witness answers with; `held` what the witness cosigned last.
    """

    def __init__(self, problem: str, status: int, held: "SignedHead | None" = None) -> None:
        super().__init__(problem)
        self.status = status
        self.held = held


class RefusedError(LedgerError):
    """An event that would not verify was kept out of the log.

    `code` is the finding code of specs/verification.md, `clause` the rule's clause or None.
    """

    def __init__(self, problem: "Message | str", code: str, clause: str | None) -> None:
        super().__init__(problem)
        self.code = code
        self.clause = clause


class ServerError(RefusedError):
    """A server refused something (specs/network.md, "Refusals").

    `size` and `head` (hex) are what the server has of the game, where it says so.
    """

    def __init__(
        self,
        problem: "Message | str",
        code: str,
        clause: str | None,
        status: int,
        size: int | None = None,
        head: str | None = None,
    ) -> None:
        super().__init__(problem, code, clause)
        self.status = status
        self.size = size
        self.head = head

    @property
    def is_final(self) -> bool:
        """True if it would be refused again, though the status says that the server is not at work."""
        return self.code in ("keeper.away", "keeper.behind", "keeper.stopped")


class AwayError(LedgerError):
    """A server gives no answer, or none that can be used. Unsent data is kept, and sent when the server is back."""

    kind: ClassVar[Kind] = "waiting"


class CheatedError(LedgerError):
    """A server's answer does not hold, or contradicts an earlier one. `evidence` is the folder that keeps it.

    `unkept`: why nothing keeps it.
    """

    def __init__(self, problem: str, evidence: str, unkept: str = "") -> None:
        kept = f"could not be kept ({unkept})" if unkept else f"is kept in {evidence}"
        super().__init__(f"{problem} What it showed {kept}; nothing was signed on it.")
        self.evidence = evidence
