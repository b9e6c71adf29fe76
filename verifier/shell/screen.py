"""Standard output: unchanged in a pipe; on a terminal wrapped at its width, with verdicts in colour."""

import os
import shutil
import sys
import unicodedata

from rules.data.text import balanced, plain, safe_json
from verifier.shell.stdio import abridge, print_line

__all__ = ["say", "say_beside", "say_json"]

_COLORS = {"HOLDS": "32", "FAILS": "31", "DOES": "31", "COULD": "33", "FORKED": "31"}
"""word of a verdict → its colour in ECMA-48; in other languages the verdict is only bold"""


def say_json(text: str) -> None:
    """Print a line of JSON."""
    print_line(safe_json(text))


def say_beside(program: str, text: str) -> None:
    """Print a sentence to standard error."""
    print(abridge(f"{program}: {plain(text)}"), file=sys.stderr)


def say(text: str, *, verdict_after: str | None = None, color: bool = True) -> None:
    """Print lines of text, in which only line feeds can move a terminal's cursor.

    `verdict_after` is the beginning of the first line, a file's name for display, behind which a verdict comes.
    """
    terminal = sys.stdout.isatty()
    lines = text.split("\n")
    colored = terminal and color and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    before = -1 if verdict_after is None or not colored else len(f"{verdict_after}:".split(" "))
    for number, line in enumerate(map(plain, lines)):
        words = line.lstrip(" ").split(" ")
        styled = _verdict_at(words, before) if number == 0 and before > 0 else None
        if terminal:
            print_line("\n".join(_broken(words, len(line) - len(line.lstrip(" ")), styled)))
        else:
            print_line(line)


def _verdict_at(words: list[str], first: int) -> int | None:
    """Return the position of the verdict's word: the first known one behind the name, else the first."""
    known = (at for at in range(first, len(words)) if words[at].rstrip(",:") in _COLORS)
    return next(known, first) if first < len(words) else None


def _broken(words: list[str], indent: int, styled: int | None) -> list[str]:
    """Return lines that fit the terminal's columns, except for longer words; all but the first are indented further."""
    columns = max(20, shutil.get_terminal_size().columns)
    lines: list[list[str]] = [[]]
    room = columns - indent
    for number, word in enumerate(words):
        needed = _cells(word) + (1 if lines[-1] else 0)
        if lines[-1] and needed > room:
            lines.append([])
            room, needed = columns - indent - 2, _cells(word)
        room -= needed
        lines[-1].append(_styled(word) if number == styled else word)
    first, *others = balanced([" ".join(line) for line in lines])
    return [" " * indent + first, *(" " * (indent + 2) + line for line in others)]


def _cells(word: str) -> int:
    """Return the number of columns that a word takes."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in word)
    return len(word) + wide - sum(word.count(mark) for mark in "\u2066\u2067\u2068\u2069")


def _styled(word: str) -> str:
    color = _COLORS.get(word.rstrip(",:"))
    return f"\x1b[1{';' + color if color else ''}m{word}\x1b[0m"
