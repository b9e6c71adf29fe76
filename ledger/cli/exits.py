"""Exit codes: one for each meaning (specs/commands.md, "Exit codes")."""

from collections.abc import Mapping

__all__ = ["EXIT_CODES", "NO_DICE", "READER_GONE"]

EXIT_CODES: Mapping[str, int] = {
    "usage": 64,
    "refused": 65,
    "missing": 66,
    "bug": 70,
    "machine": 74,
    "waiting": 75,
    "passphrase": 77,
}
"""kinds of errors → codes"""
NO_DICE = EXIT_CODES["waiting"]
"""of a command that asked for dice and has none to show"""
READER_GONE = 141
"""as a shell tells that SIGPIPE ended a program"""
