"""The command line, `rollproof`: a thin layer over the public interfaces of ledger, verifier and rules."""

import sys
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, NoReturn

import typer
from typer.main import get_command

from ledger.cli import (
    backup,
    checkpoints,
    close_game,
    codes,
    compare,
    demo,
    dev,
    docs,
    event,
    event_files,
    event_floor,
    event_lists,
    event_log,
    event_status,
    event_tables,
    explain,
    identity,
    importing,
    joining,
    latecomers,
    lobby,
    new_game,
    online,
    openings,
    presence,
    report,
    rolls,
    roster,
    rules,
    rulings,
    sdk,
    secret,
    serve,
    share,
    show,
    stats,
    unpublish,
    verify,
    verifypage,
    version,
    webmanifest,
    witness,
)
from ledger.cli.app import app
from ledger.cli.call import CommandStoppedError, FailedError
from ledger.cli.failures import failure_of
from ledger.cli.output import ReaderGone
from ledger.cli.root import Root
from verifier.shell.exits import EXIT_CODES, Failed, bug, reader_gone, stopped_answer, tell
from verifier.shell.secrecy import keep_secrets
from verifier.shell.stdio import all_said, prepare

__all__ = ["app", "main", "run"]

# Loaded for their commands, which are listed in this order.
_COMMANDS = (
    identity,
    new_game,
    joining,
    presence,
    latecomers,
    rulings,
    close_game,
    lobby,
    online,
    rolls,
    secret,
    openings,
    show,
    importing,
    serve,
    backup,
    unpublish,
    verify,
    verifypage,
    webmanifest,
    version,
    sdk,
    dev,
    explain,
    codes,
    compare,
    checkpoints,
    share,
    witness,
    roster,
    event,
    event_lists,
    event_log,
    event_floor,
    event_tables,
    event_status,
    event_files,
    report,
    stats,
    rules,
    demo,
    docs,
)


@app.callback(cls=Root, invoke_without_command=True)
def _root(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    lang: Annotated[  # noqa: ARG001 - of the commands below
        str | None, typer.Option("--lang", metavar="LANG", help="Language of messages: en, de, ja.")
    ] = None,
) -> None:
    if show_version:
        from ledger.distribution.version import own_version

        typer.echo(f"rollproof {own_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(EXIT_CODES["usage"])


def main() -> NoReturn:
    """Run the command that the process was given, and exit."""
    keep_secrets()
    prepare()
    code = run(sys.argv[1:])
    sys.exit(code if all_said() else EXIT_CODES["machine"])


@cache
def command_tree() -> Any:
    """Return the tree of all commands as click has it; it takes 20 ms to build."""
    return get_command(app)


def run(arguments: Sequence[str]) -> int:
    """Run one command; return its exit code. Print an error as one sentence, with --json as JSON."""
    try:
        for argument in arguments:
            argument.encode()
        code = command_tree()(list(arguments), prog_name="rollproof", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except (BrokenPipeError, ReaderGone):
        return reader_gone()
    except (CommandStoppedError, KeyboardInterrupt, typer.Abort) as error:
        answer = stopped_answer(error.signed if isinstance(error, CommandStoppedError) else ())
    except Exception as error:
        answer = _describe(error, arguments).in_json
    return tell("rollproof", answer, in_json="--json" in arguments)


def _describe(error: Exception, typed: Sequence[str]) -> Failed:
    """Describe an error for its message; a bug with its traceback."""
    if isinstance(error, FailedError):
        return error.failed
    if isinstance(error, UnicodeEncodeError):
        return Failed("usage", "an argument is not in UTF-8: type it again, or rename the file")
    return failure_of(error, str, typed) or bug(error)
