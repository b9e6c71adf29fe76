"""How help looks: wrapped between words at any width, with what is long below its name where there is little room."""

import shutil
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

__all__ = ["PageContext"]

_WIDEST = 100
_NARROW = 60
"""columns below which every explanation stands below what it explains"""
_FIRST = 28
"""columns of the names beside which explanations stand"""

if TYPE_CHECKING:
    from typer._click.formatting import HelpFormatter
else:
    HelpFormatter = typer.Context.formatter_class


class _Page(HelpFormatter):
    def __init__(self, *_: object, **__: object) -> None:
        super().__init__(width=max(20, min(_WIDEST, shutil.get_terminal_size().columns)))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        self.write(_wrapped(f"{prefix or 'Usage: '}{prog} {args}", self.width, "", "    ") + "\n")

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        for number, paragraph in enumerate(text.split("\n\n")):
            self.write("\n" if number else "")
            if paragraph.startswith("\b"):  # as it stands
                lines = paragraph.removeprefix("\b").strip("\n").split("\n")
                self.write("".join(f"{indent}{line}\n" for line in lines))
            else:
                self.write(_wrapped(" ".join(paragraph.split()), self.width, indent, indent) + "\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:  # noqa: ARG002
        fitting = [len(first) for first, _ in rows if len(first) <= _FIRST]
        beside = self.current_indent + max(fitting, default=0) + col_spacing
        for first, second in rows:
            start, below = " " * self.current_indent + first, " " * (self.current_indent + 6)
            if not second:
                self.write(start + "\n")
            elif self.width < _NARROW or len(first) > _FIRST:
                indent = below if self.width < _NARROW else " " * beside
                name = _wrapped(first, self.width, " " * self.current_indent, below)
                self.write(f"{name}\n{_wrapped(second, self.width, indent, indent)}\n")
            else:
                self.write(_wrapped(second, self.width, start.ljust(beside), " " * beside) + "\n")


def _wrapped(text: str, width: int, first: str, further: str) -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=further,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


class PageContext(typer.Context):
    """Of every command: its help is such a page."""

    formatter_class = _Page
