"""The layout of help: wrapped between words at any width, with explanations below long names if there
is little room.
"""

import shutil
import textwrap
from collections.abc import Sequence

__all__ = ["explained_names", "paragraphs", "width", "wrap_text"]

_WIDEST = 100
_NARROW = 60
"""columns below which every explanation stands below its name"""
_FIRST = 28
"""columns up to which a name has its explanation beside it"""


def width() -> int:
    """Return the number of columns of a page."""
    return max(20, min(_WIDEST, shutil.get_terminal_size().columns))


def wrap_text(text: str, width: int, first: str = "", further: str = "") -> str:
    """Return a text as lines broken between words; `first` and `further` are the indents of the first
    and other lines.
    """
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
    """Return paragraphs, separated by empty lines. One that begins with `\\b` is not wrapped."""
    written = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b"):
            lines = paragraph.removeprefix("\b").strip("\n").split("\n")
            written.append("".join(f"{indent}{line}\n" for line in lines))
        else:
            written.append(wrap_text(" ".join(paragraph.split()), width, indent, indent) + "\n")
    return "\n".join(written)


def explained_names(rows: Sequence[tuple[str, str]], width: int, indent: int, spacing: int = 2) -> str:
    """Return names with their explanations, beside them if there is room, else below."""
    fitting = [len(first) for first, _ in rows if len(first) <= _FIRST]
    beside = indent + max(fitting, default=0) + spacing
    written = []
    for first, second in rows:
        start, below = " " * indent + first, " " * (indent + 6)
        if not second:
            written.append(start)
        elif width < _NARROW or len(first) > _FIRST:
            inner = below if width < _NARROW else " " * beside
            written += [wrap_text(first, width, " " * indent, below), wrap_text(second, width, inner, inner)]
        else:
            written.append(wrap_text(second, width, start.ljust(beside), " " * beside))
    return "".join(f"{line}\n" for line in written)
