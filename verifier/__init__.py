"""Verify logs of provably fair dice rolls: format, chain, derivation, replay, report (specs/verification.md).

    >>> report, replay = verify(b"", name="empty.jsonl")
    >>> report.verdict, report.findings[0].code
    ('unreadable', 'file.empty')

Takes bytes and public keys. Needs no network, no database and no code that writes logs.
"""

from verifier.errors import Failure, Finding, KeyFormatError, NoteError, VerifierError
from verifier.identity import VerifierKey
from verifier.replay import Replay
from verifier.report import Report, render
from verifier.terms import Pins
from verifier.verification import verify

__all__ = [
    "Failure",
    "Finding",
    "KeyFormatError",
    "NoteError",
    "Pins",
    "Replay",
    "Report",
    "VerifierError",
    "VerifierKey",
    "render",
    "verify",
]
