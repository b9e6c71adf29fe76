"""The command line, `rollproof`. Thin: what it does stands in the public interfaces of ledger, verifier and rules."""

import io
import os
import sys
import traceback
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
    openings,
    report,
    rolls,
    roster,
    rules,
    show,
    stats,
    verify,
    witness,
)
from ledger.cli.app import FailedError, StoppedError, app
from ledger.cli.exits import EXIT_CODES, READER_GONE
from ledger.cli.failures import Failed, failed
from ledger.cli.output import ReaderGone
from ledger.cli.stopping import stop_code

__all__ = ["app", "main", "run"]

# Loaded for their commands, which are listed in this order.
_COMMANDS = (
    identity,
    game,
    rolls,
    openings,
    show,
    importing,
    verify,
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
        raise typer.Exit(EXIT_CODES["usage"])


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
    sys.exit(code if _all_said() else EXIT_CODES["machine"])


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
    """Run one command; returns the exit code. What goes wrong is told in one sentence, and with --json as JSON."""
    try:
        for argument in arguments:
            argument.encode()
        code = app(list(arguments), prog_name="rollproof", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except (BrokenPipeError, ReaderGone):
        # The reader of our output has gone; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except (StoppedError, KeyboardInterrupt, typer.Abort) as stopped:
        code, answer = _stopped(stopped.signed if isinstance(stopped, StoppedError) else ())
    except Exception as error:
        told = _told(error)
        code, answer = told.exit_code, told.in_json
    if "--json" in arguments:
        _give(answer)
    _say(answer["error"]["message"])
    return code


def _told(error: Exception) -> Failed:
    """What is said of an error; of a bug, with the traceback."""
    if isinstance(error, FailedError):
        return error.failed
    if isinstance(error, UnicodeEncodeError):
        return Failed("usage", "an argument is not in UTF-8: type it again, or rename the file")
    found = failed(error, str)
    if found is None:
        traceback.print_exc()
    return found or Failed("bug", f"this is a bug; please report it, with what stands above: {error!r}")


def _stopped(signed: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """That the command was stopped, and what it had signed by then."""
    code = stop_code()
    text = f"stopped; signed and written before that: {', '.join(signed)}" if signed else "stopped; nothing was signed"
    return code, {"error": {"kind": "stopped", "message": text, "exit_code": code, "signed": list(signed)}}


def _give(answer: Mapping[str, Any]) -> None:
    """An answer to programs, if anything can be written there."""
    import msgspec

    with suppress(OSError):
        print(msgspec.json.encode(answer).decode(), flush=True)


def _say(sentence: str) -> None:
    """On standard error, if anything can be written there."""
    with suppress(OSError):
        print(f"rollproof: {sentence}", file=sys.stderr)
