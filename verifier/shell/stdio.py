"""Standard output and error, which may be closed, full, or unable to show a letter."""

import io
import os
import sys
from pathlib import Path
from typing import TextIO

__all__ = ["all_said", "give_up", "prepare"]


def prepare() -> None:
    """What a terminal or pipe cannot show is shown by its number; what is closed swallows what is said."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


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
