"""How help looks: wrapped between words at any width, with what is long below its name where there is little room."""

import shutil
import textwrap
from collections.abc import Sequence

__all__ = ["described", "paragraphs", "width", "wrapped"]

_WIDEST = 100
_NARROW = 60
"""columns below which every explanation stands below what it explains"""
_FIRST = 28
"""columns of the names beside which explanations stand"""


def width() -> int:
    """Columns of a page."""
    return max(20, min(_WIDEST, shutil.get_terminal_size().columns))


def wrapped(text: str, width: int, first: str = "", further: str = "") -> str:
    """A text in lines, broken between words alone; `first` and `further` begin the first line and the others."""
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


def paragraphs(text: str, width: int, indent: str) -> str:
    """Paragraphs, divided by empty lines; one that begins with a form feed's sign (`\\b`) stands as it is."""
    written = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b"):
            lines = paragraph.removeprefix("\b").strip("\n").split("\n")
            written.append("".join(f"{indent}{line}\n" for line in lines))
        else:
            written.append(wrapped(" ".join(paragraph.split()), width, indent, indent) + "\n")
    return "\n".join(written)


def described(rows: Sequence[tuple[str, str]], width: int, indent: int, spacing: int = 2) -> str:
    """Names, and what each means: beside it where there is room, else below it."""
    fitting = [len(first) for first, _ in rows if len(first) <= _FIRST]
    beside = indent + max(fitting, default=0) + spacing
    written = []
    for first, second in rows:
        start, below = " " * indent + first, " " * (indent + 6)
        if not second:
            written.append(start)
        elif width < _NARROW or len(first) > _FIRST:
            inner = below if width < _NARROW else " " * beside
            written += [wrapped(first, width, " " * indent, below), wrapped(second, width, inner, inner)]
        else:
            written.append(wrapped(second, width, start.ljust(beside), " " * beside))
    return "".join(f"{line}\n" for line in written)
