"""`rollproof verify`: the verifier's own command line, which also accepts stored games."""

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import LazyCommand, app
from ledger.cli.call import Call, complete_game
from ledger.cli.output import Output
from ledger.errors import UsageError
from ledger.home import Home

if TYPE_CHECKING:
    from verifier import Pins, Report
    from verifier.shell.audit import Audited, MakePool
    from verifier.shell.command import Keeping, Stored
    from verifier.shell.exits import Failed
    from verifier.shell.files import Elsewhere, Place

__all__ = ["each_file", "pins_of", "show_report"]

BAR_INTERVAL = 0.1
"""seconds between two drawings of the progress bar"""
_HELP = "Verify logs: signatures, chain, dice, rules. This needs no key of yours, and changes nothing."


class _Handed(typer.core.TyperCommand):
    """A command that passes its arguments to the verifier unchanged, and parses them for completion only."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """All of them are one parameter."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        ctx.params = {"words": list(args)}
        return []

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Complete options with their help, else games."""
        if not incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from typer._click.shell_completion import CompletionItem

        from verifier.shell.options import KEEPING, OPTIONS

        return [CompletionItem(o.flag, help=o.help) for o in (*OPTIONS, *KEEPING) if o.flag.startswith(incomplete)]


def _whole() -> Any:
    alone = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    settings = {"ignore_unknown_options": True, "help_option_names": []}
    alone.command("verify", cls=_Handed, help=_HELP, context_settings=settings, add_help_option=False)(_verify)
    return typer.main.get_command(alone)


def _verify(
    context: typer.Context,
    words: Annotated[list[str] | None, typer.Argument(autocompletion=complete_game)] = None,
) -> None:
    from verifier.shell.command import run

    language = context.find_root().params.get("lang")
    typed = [word.removeprefix("file://") if word.startswith("file:///") else word for word in words or ()]
    raise typer.Exit(run([*([f"--lang={language}"] if language else []), *typed], _keeping()))


_named: Any = partial(LazyCommand, _whole)
app.command("verify", cls=_named, help=_HELP)(lambda: None)


def _keeping() -> "Keeping":
    """Return the verifier's program, as one that keeps games."""
    from rules.data.language import N_
    from verifier.shell.command import Keeping
    from verifier.shell.files import is_address

    class LocalLog(Keeping):
        program, typed, what = "rollproof", "rollproof verify", "FILE|DIR|GAME"
        missing = N_("{what}: there is no such file, folder or stored game")

        def stored(self, word: str, home: Path | None) -> "Stored | None":
            return _stored(Home.locate(home), word)

        def at(self, word: str) -> "Sequence[Place] | None":
            if not is_address(word):
                return None
            from ledger.network.remote_logs import logs_at

            return logs_at(word)

        @property
        def elsewhere(self) -> "Callable[[str], Elsewhere]":
            from ledger.network.remote_logs import Address

            return Address

        def cluster(self, address: str, jobs: int) -> "AbstractContextManager[MakePool]":
            from ledger.cluster import cluster

            return cluster(address, jobs)

        def failed(self, error: Exception) -> "Failed | None":
            from ledger.cli.failures import failure_of

            return failure_of(error, str)

        def progress(self, count: int, logs: "Iterator[Audited]", *, quiet: bool) -> "Iterator[Audited]":
            return _progress((count, logs), quiet=quiet)

    return LocalLog()


def _stored(home: Home, text: str) -> "Stored | None":
    """Return a stored game or event, from its bytes as they would be exported."""
    from verifier.shell.command import Stored

    call = Call(home, Output(), reads=True)
    with call.closing:
        try:
            id_ = call.find(text) if home.ledger_path.exists() else None
        except UsageError:
            id_ = None
        if id_ is None:
            return _stored_event(call, text)
        stream = io.BytesIO()
        call.ledger.export(id_, stream)
        name, checkpoint = f"game {id_.hex()[:12]}", call.ledger.checkpoint(id_)
    receipts = {} if checkpoint is None else {f"{name}.checkpoint": bytes(checkpoint)}
    return Stored(name, stream.getvalue(), receipts)


def _stored_event(call: Call, text: str) -> "Stored | None":
    from ledger.cli.event_sources import event_of_home
    from verifier.shell.command import Stored

    event = event_of_home(call, text)
    return None if event is None else Stored(event.name, b"".join(line + b"\n" for line in event.lines()), {})


def each_file(paths: list[Path]) -> Iterator[Path]:
    """Yield the logs among these paths and in these folders. Raises UsageError for a folder without any."""
    from verifier.shell.files import find_logs

    for path in find_logs(paths):
        if path.is_dir() and path in paths:
            raise UsageError(f"{path}: there are no *.jsonl files in this folder")
        yield path


def pins_of(game: str | None, keys: list[str] | None) -> "Pins":
    """Return the caller's pins. Raises UsageError, KeyFormatError."""
    from verifier import Pins, VerifierKey

    return Pins(_game_id(game) if game else None, tuple(VerifierKey.parse(key) for key in keys or ()))


def show_report(out: Output, report: "Report") -> None:
    """A report as specs/verification.md has it, in JSON or in words."""
    _ = out.translate
    from verifier import render

    if out.json:
        out.value(report)
    else:
        for line in render(report, _).splitlines():
            out.say(line)


def _progress(audit: "tuple[int, Iterator[Audited]]", *, quiet: bool) -> "Iterator[Audited]":
    """Yield the logs, with a bar on standard error while they come. Only on a terminal, and if its reports are not."""
    count, logs = audit
    if count == 1 or not sys.stderr.isatty() or (sys.stdout.isatty() and quiet):
        yield from logs
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    # Standard output is not the bar's to redirect: it may be a pipe. And no thread: the audit forks.
    with Progress(*columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False) as bar:
        task = bar.add_task("verified", total=count)
        drawn = monotonic()
        for done, log in enumerate(logs, 1):
            on_screen = sys.stdout.isatty() or log.unopened
            if on_screen:
                bar.stop()
            yield log
            if on_screen:
                bar.start()
            due = monotonic() - drawn > BAR_INTERVAL
            bar.update(task, completed=done, refresh=due)
            drawn = monotonic() if due else drawn


def _game_id(text: str) -> bytes:
    try:
        id_ = bytes.fromhex(text)
    except ValueError:
        id_ = b""
    if len(id_) != 32:
        raise UsageError(f"--game takes the game's whole id, 64 hex digits; not {text!r}")
    return id_
