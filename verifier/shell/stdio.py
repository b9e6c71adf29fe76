"""Standard output and error, which may be closed, full, or unable to encode a character."""

import io
import os
import re
import sys
from pathlib import Path
from typing import TextIO

__all__ = ["abridge", "all_said", "give_up", "prepare", "print_line"]

_cut: list[TextIO] = []
"""the stream whose last line was interrupted, if there is one"""

_LONGEST, _START, _END = 4_000, 2_000, 300
"""characters up to which a line is printed whole; and characters from the two ends of a longer one"""
_COMMAND = re.compile(r"\b(?:rollproof(?:-verify)?|openssl|sed|printf) ")


def prepare() -> None:
    """Make both streams escape characters that they cannot encode, and replace closed streams by the null device."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - stays open until the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_line(text: str) -> None:
    """Write a line to standard output at once. Raises OSError if it cannot be written.

    If Ctrl-C interrupted the previous line (its reader is slow), that line is ended first, so that a reader of JSON
    lines finds each answer on its own line.
    """
    start = "\n" if sys.stdout in _cut else ""
    _cut.clear()
    try:
        sys.stdout.write(f"{start}{text}\n")
        sys.stdout.flush()
    except KeyboardInterrupt:
        _cut.append(sys.stdout)
        raise


def abridge(line: str) -> str:
    """Return a line for printing; a long one, which quotes what was typed, is cut to its beginning and its end.

    If a command to type begins before the cut, the end is left out, because the two pieces could read as another
    command.
    """
    if len(line) <= _LONGEST:
        return line
    start = line[:_START]
    return f"{start}…" if _COMMAND.search(start) else f"{start} … {line[-_END:]}"


def all_said() -> bool:
    """Flush both streams. Return whether everything was written; what cannot be (a full disk) is dropped."""
    said = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            give_up(stream)
            said = False
    return said


def give_up(stream: TextIO) -> None:
    """Redirect a stream to the null device, because nobody takes its output any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
