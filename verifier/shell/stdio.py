"""Standard output and error, which may be closed, full, or unable to show a letter."""

import io
import os
import sys
from pathlib import Path
from typing import TextIO

__all__ = ["all_said", "give_up", "prepare", "print_line"]

_cut: list[TextIO] = []
"""The stream whose last line was cut off in the middle, if one was."""


def prepare() -> None:
    """What a terminal or pipe cannot show is shown by its number; what is closed swallows what is said."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_line(text: str) -> None:
    """Write a line to standard output at once.

    Raises OSError where it cannot be written. Where Ctrl-C cut off the line before in the middle (its reader is slow),
    that line ends here first: a reader of JSON lines finds each answer on a line of its own.
    """
    start = "\n" if sys.stdout in _cut else ""
    _cut.clear()
    try:
        sys.stdout.write(f"{start}{text}\n")
        sys.stdout.flush()
    except KeyboardInterrupt:
        _cut.append(sys.stdout)
        raise


def all_said() -> bool:
    """Whether what was printed has gone out; where it cannot (a full disk), it is given up."""
    said = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            give_up(stream)
            said = False
    return said


def give_up(stream: TextIO) -> None:
    """Nobody takes any more what is written to this stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
