"""Errors and findings (specs/verification.md). There is one tree of errors, and every message can be translated."""

from typing import Any

from msgspec import Struct

from rules.data.language import Message

__all__ = ["ChangedError", "Failure", "Finding", "KeyFormatError", "NoteError", "TimeLimit", "VerifierError"]


class VerifierError(Exception):
    """Base class of all errors of this package."""


class KeyFormatError(Message, VerifierError):
    """Raised for a text that is no valid verifier key; the message says why (specs/log.md, "Identities")."""


class ChangedError(Message, VerifierError):
    """Raised when a file has changed between two reads; the message names it."""


class NoteError(Message, VerifierError):
    """Raised for bytes that are no signed note, checkpoint, proof or policy; the message says why.

    See specs/checkpoints.md.
    """


class Failure(Message, VerifierError):
    """Raised when a step of the verification procedure fails for a line.

    `step` and `code` are those of specs/verification.md. `opening` is the author of a wrong opening, if that is the
    reason.
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
    """Raised when the time limit is exceeded. It is no VerifierError, because nothing in a log can cause it."""


class Finding(Struct, frozen=True):
    """One finding of a report."""

    code: str
    severity: str
    """`error` or `notice`"""
    step: int
    seq: int | None
    fault: str | None
    """the name of the party at fault, or `file`; None for most notices"""
    clause: str | None
    message: str
    expected: str | None = None
    actual: str | None = None
