"""Steps 1 to 3 of specs/verification.md: whether a file is a log, of a format and rules that this program has."""

from typing import Any

from rules import SYSTEMS
from rules.data.language import N_
from verifier.errors import Failure
from verifier.log.format import FORMAT, MAX_LINE
from verifier.log.plainjson import PlainJsonError, plain_json

__all__ = ["check_first_line"]


def check_first_line(line: bytes | None) -> None:
    """Check that a file with this first line, with or without its line feed, is a log. Raises Failure (steps 1 to 3).

    None stands for an empty file. The check is lenient, because a line that passes goes through all other steps.
    """
    if line is None:  # 1
        raise Failure(1, "file.empty", "The file is empty.")
    body = _opened(line.removesuffix(b"\n"))
    version = body.get("format")
    if not isinstance(version, str) or not version.startswith("rollproof/"):
        raise Failure(1, "file.not-a-log", "The file is not a Rollproof log: its first line opens no game.")
    if version != FORMAT:  # 2
        text = N_("The log has format {actual!r}; this program reads {expected!r}. Use a newer program to judge it.")
        raise Failure(2, "file.version", text, expected=FORMAT, actual=version)
    system = body.get("system")
    if isinstance(system, str) and system not in SYSTEMS:  # 3
        text = N_("The log was made for the rules {actual!r}, which this program does not have.")
        raise Failure(3, "file.system", text, expected=", ".join(sorted(SYSTEMS)), actual=system)


def _opened(line: bytes) -> dict[str, Any]:
    """Return the body of an `open` in plain JSON; empty if the line is none."""
    if len(line) > MAX_LINE:
        return {}
    try:
        head = plain_json(line)
    except PlainJsonError:
        return {}
    body = head.get("body") if isinstance(head, dict) and head.get("type") == "open" else None
    return body if isinstance(body, dict) else {}
