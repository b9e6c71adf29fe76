"""The command line, `rollproof`. Thin: what it does stands in the public interfaces of ledger, verifier and rules."""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from ledger.cli import (
    checkpoints,
    compare,
    demo,
    explain,
    game,
    identity,
    importing,
    online,
    openings,
    report,
    rolls,
    roster,
    rules,
    serve,
    show,
    stats,
    verify,
    verifypage,
    witness,
)
from ledger.cli.app import FailedError, app
from ledger.cli.failures import failure
from ledger.cli.output import ReaderGone

__all__ = ["app", "main", "run"]

# Loaded for their commands, which are listed in this order.
_COMMANDS = (
    identity,
    game,
    online,
    rolls,
    openings,
    show,
    importing,
    serve,
    verify,
    verifypage,
    explain,
    compare,
    checkpoints,
    witness,
    roster,
    report,
    stats,
    rules,
    demo,
)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    lang: Annotated[  # noqa: ARG001 - of the commands below
        str | None, typer.Option("--lang", metavar="LANG", help="Language of what is told: en, ja.")
    ] = None,
) -> None:
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
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed: what is said is lost, and no error
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
        # What a terminal cannot show is shown by its number; a command that has done its work does not fail for it.
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    code = run(sys.argv[1:])
    sys.exit(code if _all_said() else code or 2)


def _all_said() -> bool:
    """Whether what was printed has gone out; where it cannot (a full disk), it is given up."""
    said = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            said = False
    return said


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
        _say("stopped")
        return 130
    except UnicodeEncodeError:
        _say("an argument is not in UTF-8: type it again, or rename the file")
        return 2
    except FailedError as error:
        if error.refused is not None:
            _give(error.refused)
        _say(str(error))
        return 2
    except Exception as error:
        sentence = failure(error, str)
        if sentence is None:
            raise
        _say(sentence)
        return 2


def _give(refused: Mapping[str, Any]) -> None:
    """Programs that asked for JSON read what protocol and rules refuse by its code and clause."""
    import msgspec

    with suppress(OSError):
        print(msgspec.json.encode({"refused": refused}).decode(), flush=True)


def _say(sentence: str) -> None:
    """On standard error, if anything can be written there."""
    with suppress(OSError):
        print(f"rollproof: {sentence}", file=sys.stderr)
