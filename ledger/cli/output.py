"""The output of commands: tables, JSON and colour.

The output is plain text without box characters. On a terminal, lines are wrapped to its width and headings are bold;
no information depends on colour or style alone.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.cli.isolation import balanced, isolated
from ledger.cli.language import Translate

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.measure import Measurement
    from rich.text import Text

__all__ = ["Output", "ReaderGone", "command_line", "printable", "rollproof"]

_UNLIMITED = 100_000
"""columns of a table that is not shown on a terminal: one line a row"""


_SHORTEST = 60
"""columns of a text that is cut, however narrow the terminal"""
_TYPED = "  rollproof "


def command_line(*words: str | Path) -> str:
    """Return a command of `rollproof` to type, as the end of a sentence: on a line of its own, never wrapped."""
    return f"\n  {rollproof(*words)}"


def rollproof(*words: str | Path) -> str:
    """Return a command of `rollproof` for people to type: the only place where one is put together."""
    from verifier.shell.typed import command

    return command("rollproof", *words)


class ReaderGone(Exception):
    """The reader of the output has closed it."""


class Output:
    """Standard output, in words or as JSON, and standard error for notes."""

    def __init__(self, *, json: bool = False, color: bool = True, translate: Translate = str) -> None:
        self.json = json
        self.translate = translate
        """from an English text to the reader's language"""
        self._color = color and not os.environ.get("NO_COLOR")
        self._console: Console | None = None

    def value(self, value: Any) -> None:
        """Print one JSON value on a line."""
        import msgspec

        from rules.data.text import safe_json

        self._print(safe_json(msgspec.json.encode(value).decode()))

    def say(self, text: str = "") -> None:
        """Print a paragraph; on a terminal it is wrapped between words, except a command to type (`typed`)."""
        for line in map(printable, text.rstrip().split("\n")):
            if sys.stdout.isatty() and not line.startswith(_TYPED):
                self._render(_cell(line))
            else:
                self._print(line.rstrip())

    def cut(self, text: str, *, beside: int = 0) -> str:
        """Cut a long text to two lines on a terminal, `beside` so many used columns; elsewhere return it whole."""
        if not sys.stdout.isatty():
            return text
        import shutil

        from rich.cells import cell_len, set_cell_size

        most = max(_SHORTEST, 2 * (shutil.get_terminal_size().columns - beside))
        if cell_len(text) <= most:
            return text
        start, blank, rest = set_cell_size(text, most - 2).rpartition(" ")
        # At a blank, if that does not cost much.
        shortened = (start if blank and len(rest) < most // 4 else start + blank + rest).rstrip(" ,;:")
        return balanced([shortened])[0] + " …"

    def line(self, text: str) -> None:
        """Lines as they are, however narrow the terminal: something to be copied. In a pipe, byte for byte."""
        self._print("\n".join(map(printable, text.split("\n"))) if sys.stdout.isatty() else text)

    def heading(self, text: str) -> None:
        """Print a title, with an empty line before it."""
        self.say()
        if sys.stdout.isatty():
            self._render(printable(text), style="bold")
        else:
            self._print(printable(text))

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], *, whole: int = 1) -> None:
        """Columns without lines between them.

        On a narrow terminal cells are folded; the first `whole` columns (names, ids, numbers) are not.
        """
        from rich.table import Table

        table = Table(box=None, pad_edge=False, header_style="bold")
        for position, column in enumerate(columns):
            table.add_column(column, overflow="fold", no_wrap=position < whole)
        for row in rows:
            table.add_row(*(_cell("" if cell is None else isolated(str(cell))) for cell in row))
        self._render(table)

    def note(self, text: str) -> None:
        """Print a sentence beside the answer, on standard error."""
        from verifier.shell.stdio import abridge

        lines = f"rollproof: {text}".split("\n")
        print("\n".join(printable(abridge(line)) for line in lines), file=sys.stderr)

    def problem(self, text: str, exit_code: int) -> None:
        """Say why a file does not hold (1), could not be read (2) or finished (3): as a note, or as a line of JSON."""
        if self.json:
            kind = {1: "fails", 2: "unreadable", 3: "unfinished"}[exit_code]
            error = {"kind": kind, "message": text, "code": None, "clause": None, "exit_code": exit_code}
            self.value({"error": error})
        self.note(text)

    def _render(self, renderable: Any, **options: Any) -> None:
        if self._console is None:
            from rich.console import Console

            terminal = sys.stdout.isatty()
            self._console = Console(
                file=sys.stdout,
                width=None if terminal else _UNLIMITED,
                color_system="auto" if terminal and self._color else None,
                markup=False,
                highlight=False,
                emoji=False,
            )
        with self._console.capture() as capture:
            self._console.print(renderable, **options)
        lines = [line.rstrip() for line in capture.get().splitlines()]
        self._print("\n".join(lines))

    def _print(self, text: str) -> None:
        from verifier.shell.stdio import print_line

        try:
            print_line(text)
        except BrokenPipeError:
            raise ReaderGone from None


def _cell(text: str) -> Any:
    """Return a cell that rich can break into lines, with isolated texts isolated in each line."""
    from rich.text import Text

    whole = Text(printable(text))
    return whole if text.isascii() else _IsolatingText(whole)


class _IsolatingText:
    """A text with isolated parts, for rich."""

    def __init__(self, text: "Text") -> None:
        self._text = text

    def __rich_measure__(self, console: "Console", options: "ConsoleOptions") -> "Measurement":
        from rich.measure import Measurement

        return Measurement.get(console, options, self._text)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.text import Text

        broken = self._text.wrap(console, options.max_width, overflow="fold", no_wrap=options.no_wrap)
        if len(broken) > 1 and any("\u2068" in line.plain for line in broken):  # with room for one in each line
            broken = self._text.wrap(console, max(1, options.max_width - 2), overflow="fold", no_wrap=options.no_wrap)
        yield Text("\n".join(balanced([line.plain for line in broken])))


def printable(name: str | Path) -> str:
    """Return a file's name as it can be printed on a line and encoded, whatever bytes it has."""
    text = str(name).encode(errors="backslashreplace").decode()
    if text.isascii() and text.isprintable():
        return text
    from rules.data.text import plain

    return plain(text)
