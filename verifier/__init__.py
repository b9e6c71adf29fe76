"""Verify logs of provably fair dice rolls: format, chain, derivation, replay, report (specs/verification.md).

    >>> from verifier import verify
    >>> report, replay = verify(b"", name="empty.jsonl")
    >>> report.verdict, report.findings[0].code
    ('unreadable', 'file.empty')

The package takes bytes and public keys. It needs no network, no database and no code that writes logs.
"""

# typing is not imported: it loads slowly, and before signals are handled a stop is not clean (verifier.shell.leaving).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from verifier.errors import Failure, Finding, KeyFormatError, NoteError, VerifierError
    from verifier.log.identity import VerifierKey
    from verifier.log.terms import Pins
    from verifier.replay import Replay
    from verifier.report import Report, render
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

_HOMES = {
    "Failure": "verifier.errors",
    "Finding": "verifier.errors",
    "KeyFormatError": "verifier.errors",
    "NoteError": "verifier.errors",
    "Pins": "verifier.log.terms",
    "Replay": "verifier.replay",
    "Report": "verifier.report",
    "VerifierError": "verifier.errors",
    "VerifierKey": "verifier.log.identity",
    "render": "verifier.report",
    "verify": "verifier.verification",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that programs load only what they need."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(_HOMES[name]), name)
    return found
