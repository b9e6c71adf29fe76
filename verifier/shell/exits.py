"""The end of a command: one exit code for each meaning, in words and in JSON (specs/commands.md, "Exit codes")."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from verifier.shell.stdio import abridge, give_up
from verifier.shell.stopping import stop_code

__all__ = ["EXIT_CODES", "Failed", "bug", "reader_gone", "stopped_answer", "tell"]

EXIT_CODES: Mapping[str, int] = {
    "usage": 64,
    "refused": 65,
    "missing": 66,
    "bug": 70,
    "machine": 74,
    "waiting": 75,
    "passphrase": 77,
}
"""kind of error → exit code"""
_READER_GONE = 141
"""the code with which shells report that SIGPIPE ended a program"""


class Failed(NamedTuple):
    """A command's failure: a sentence for people, and for programs the kind of failure."""

    kind: str
    message: str
    code: str | None = None
    """if protocol or rules refused an event, the finding's code; `clause` is then the rule's clause"""
    clause: str | None = None

    @property
    def exit_code(self) -> int:
        """The exit code for the kind of failure."""
        return EXIT_CODES[self.kind]

    @property
    def in_json(self) -> dict[str, Any]:
        """The failure as JSON values."""
        return {"error": {**self._asdict(), "exit_code": self.exit_code}}


def bug(error: Exception) -> Failed:
    """Print the traceback of an unexpected error, and return the failure."""
    import traceback

    traceback.print_exception(error)
    return Failed("bug", f"this is a bug; please report it, with what stands above: {error!r}")


def stopped_answer(signed: Sequence[str] = ()) -> dict[str, Any]:
    """Return the answer of a command that was stopped, with the events that it had signed by then."""
    text = f"stopped; signed and written before that: {', '.join(signed)}" if signed else "stopped; nothing was signed"
    return {"error": {"kind": "stopped", "message": text, "exit_code": stop_code(), "signed": list(signed)}}


def tell(program: str, answer: Mapping[str, Any], *, in_json: bool) -> int:
    """Print an error to standard error and, with `in_json`, to standard output. Return its exit code."""
    with suppress(OSError):
        if in_json:
            import msgspec

            from verifier.shell.screen import say_json

            say_json(msgspec.json.encode(answer).decode())
    with suppress(OSError):
        print("\n".join(map(_printable, f"{program}: {answer['error']['message']}".split("\n"))), file=sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:  # drop what could not be written, or Python would try again
        give_up(sys.stdout)
    code: int = answer["error"]["exit_code"]
    return code


def _printable(line: str) -> str:
    line = abridge(line)
    if line.isascii() and line.isprintable():
        return line
    from rules.data.text import plain

    return plain(line.encode(errors="backslashreplace").decode())


def reader_gone() -> int:
    """Handle that the reader of our output is gone, and return the exit code."""
    give_up(sys.stdout)
    return _READER_GONE
