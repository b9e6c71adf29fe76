"""Format the help of a command like that of the verifier's program (verifier.shell.pages)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from verifier.shell.pages import explained_names, paragraphs, width, wrap_text

__all__ = ["PageContext"]

if TYPE_CHECKING:
    from typer._click.formatting import HelpFormatter
else:
    HelpFormatter = typer.Context.formatter_class


class _Page(HelpFormatter):
    def __init__(self, *_: object, **__: object) -> None:
        super().__init__(width=width())

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        self.write(wrap_text(f"{prefix or 'Usage: '}{prog} {args}", self.width, "", "    ") + "\n")

    def write_text(self, text: str) -> None:
        self.write(paragraphs(text, self.width, " " * self.current_indent))

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:  # noqa: ARG002
        self.write(explained_names(rows, self.width, self.current_indent, col_spacing))


class PageContext(typer.Context):
    """Of every command: its help is such a page."""

    formatter_class = _Page
