"""The command line, `rollproof`. Thin: what it does stands in the public interfaces of ledger, verifier and rules."""

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from ledger.cli import game, identity, rolls, rules, show, shows, verify
from ledger.cli.app import Language, app
from ledger.cli.failures import failure
from ledger.cli.language import choose
from ledger.cli.output import ReaderGone

__all__ = ["app", "main", "run"]

# Loaded for their commands, which are listed in this order.
_COMMANDS = (identity, game, rolls, show, verify, rules, shows)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    lang: Language = None,
) -> None:
    choose(lang)
    if show_version:
        typer.echo(f"rollproof {_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rollproof")
    except PackageNotFoundError:
        return "(not installed)"


def main() -> NoReturn:
    """Run the command that the process was given, and exit."""
    # What a terminal cannot show is shown by its number; a command that has done its work does not fail for it.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code. Prints one sentence for an error; only a bug raises."""
    try:
        for argument in arguments:
            argument.encode()
        code = app(list(arguments), prog_name="rollproof", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except (BrokenPipeError, ReaderGone):
        # The reader of our output has gone; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print("rollproof: stopped", file=sys.stderr)
        return 130
    except UnicodeEncodeError:
        print("rollproof: an argument is not in UTF-8: type it again, or rename the file", file=sys.stderr)
        return 2
    except Exception as error:
        sentence = failure(error)
        if sentence is None:
            raise
        print(f"rollproof: {sentence}", file=sys.stderr)
        return 2
