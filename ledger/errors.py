"""What can go wrong while writing. Every message says what, where, whose, and what to do now."""

__all__ = [
    "BehindError",
    "ForkError",
    "IdentityError",
    "LedgerError",
    "RefusedError",
    "SeedError",
    "StoreError",
    "UsageError",
]


class LedgerError(Exception):
    """Base of all errors of this package."""


class UsageError(LedgerError):
    """What was asked for cannot be done as it was asked."""


class IdentityError(LedgerError):
    """An identity is missing, exists already, or its file or passphrase is wrong."""


class SeedError(LedgerError):
    """A party cannot open: its secret is not here, or it has opened this link for another request."""


class StoreError(LedgerError):
    """The store cannot be opened or written, or has no such game."""


class ForkError(LedgerError):
    """A log does not extend what was seen of the same game before."""


class BehindError(ForkError):
    """A log is shorter than what was seen of the same game before."""


class RefusedError(LedgerError):
    """An event that would not verify was kept out of the log.

    `code` is the finding code of specs/verification.md, `clause` the rule's clause or None.
    """

    def __init__(self, message: str, code: str, clause: str | None) -> None:
        super().__init__(message)
        self.code = code
        self.clause = clause
