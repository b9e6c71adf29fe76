"""How a command ends: one code for each meaning, in words and in JSON (specs/commands.md, "Exit codes")."""

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from verifier.shell.stdio import give_up
from verifier.shell.stopping import stop_code

__all__ = ["EXIT_CODES", "Failed", "abridged", "bug", "reader_gone", "stopped", "tell"]

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
_READER_GONE = 141
"""as a shell tells that SIGPIPE ended a program"""


class Failed(NamedTuple):
    """What a command that failed says: a sentence for people; for programs what kind of failure it is."""

    kind: str
    message: str
    code: str | None = None
    """where protocol or rules refused an event: the finding's code, and the clause"""
    clause: str | None = None

    @property
    def exit_code(self) -> int:
        """What the program ends with."""
        return EXIT_CODES[self.kind]

    @property
    def in_json(self) -> dict[str, Any]:
        """As programs read it."""
        return {"error": {**self._asdict(), "exit_code": self.exit_code}}


def bug(error: Exception) -> Failed:
    """What is said of an error that nobody foresaw, behind its traceback."""
    import traceback

    traceback.print_exception(error)
    return Failed("bug", f"this is a bug; please report it, with what stands above: {error!r}")


def stopped(signed: Sequence[str] = ()) -> dict[str, Any]:
    """What is said of a command that was stopped: what it had signed by then."""
    text = f"stopped; signed and written before that: {', '.join(signed)}" if signed else "stopped; nothing was signed"
    return {"error": {"kind": "stopped", "message": text, "exit_code": stop_code(), "signed": list(signed)}}


def tell(program: str, answer: Mapping[str, Any], *, in_json: bool) -> int:
    """Say an error, if anything can be written: on standard error, and to programs on standard output. Its code."""
    with suppress(OSError):
        if in_json:
            import msgspec

            from verifier.shell.screen import say_json

            say_json(msgspec.json.encode(answer).decode())
    with suppress(OSError):
        print("\n".join(map(_told, f"{program}: {answer['error']['message']}".split("\n"))), file=sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:  # what could not be said is given up, or it would be tried again
        give_up(sys.stdout)
    code: int = answer["error"]["exit_code"]
    return code


_LONGEST, _START, _END = 4_000, 2_000, 300
"""characters of a line that is told as it is; and of a longer one, from its two ends"""
_COMMAND = re.compile(r"\b(?:rollproof(?:-verify)?|openssl|sed|printf) ")


def abridged(line: str) -> str:
    """A line as it is told beside an answer: of a long one, which quotes what was typed, its beginning and its end.

    Where a command to type begins before the cut, nothing stands behind it: two pieces of one could be another one.
    """
    if len(line) <= _LONGEST:
        return line
    start = line[:_START]
    return f"{start}…" if _COMMAND.search(start) else f"{start} … {line[-_END:]}"


def _told(line: str) -> str:
    line = abridged(line)
    if line.isascii() and line.isprintable():
        return line
    from rules.data.text import plain

    return plain(line.encode(errors="backslashreplace").decode())


def reader_gone() -> int:
    """Whoever read our output has gone; nothing is left to say to it. The code."""
    give_up(sys.stdout)
    return _READER_GONE
