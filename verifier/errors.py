"""What can be wrong with a log (specs/verification.md). One error tree; every message can be translated."""

from typing import Any

from msgspec import Struct

from rules.data.language import Message

__all__ = ["ChangedError", "Failure", "Finding", "KeyFormatError", "NoteError", "TimeLimit", "VerifierError"]


class VerifierError(Exception):
    """Base of all errors of this package."""


class KeyFormatError(Message, VerifierError):
    """A text is no valid verifier key; the message says why (specs/log.md, "Identities")."""


class ChangedError(Message, VerifierError):
    """A file was another when it was read again; the message says which."""


class NoteError(Message, VerifierError):
    """Bytes are no signed note, checkpoint, proof or policy; the message says why (specs/checkpoints.md)."""


class Failure(Message, VerifierError):
    """A step of the verification procedure failed for one line.

    `step` and `code` are those of specs/verification.md. `opening` is the author of the opening that is wrong,
    where one is.
    """

    def __init__(
        self,
        step: int,
        code: str,
        template: str,
        /,
        *,
        clause: str | None = None,
        opening: str | None = None,
        expected: object = None,
        actual: object = None,
        **values: Any,
    ) -> None:
        super().__init__(template, **values, expected=expected, actual=actual)
        self.step = step
        self.code = code
        self.clause = clause
        self.opening = opening
        self.expected = None if expected is None else str(expected)
        self.actual = None if actual is None else str(actual)


class TimeLimit(Message, Exception):
    """The time is up. Not an Exception of the verifier's: nothing that a log says raises it."""


class Finding(Struct, frozen=True):
    """One finding of a report."""

    code: str
    severity: str
    """`error` or `notice`"""
    step: int
    seq: int | None
    fault: str | None
    """the name of a party, or `file`, or None for most notices"""
    clause: str | None
    message: str
    expected: str | None = None
    actual: str | None = None
