"""`rollproof verify`: the verifier on files, folders and stored games. Nothing is judged here."""

import io
import os
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli.app import Call, app, command, complete_game
from ledger.cli.arguments import GamePin, KeyPins
from ledger.cli.output import Output, printable
from ledger.errors import UsageError

if TYPE_CHECKING:
    from verifier import Pins, Report
    from verifier.shell.audit import Audited, AuditOptions

__all__ = ["each_file", "pins_of", "show_report"]

BAR_INTERVAL = 0.1
"""seconds between two drawings of the progress bar"""


@command(
    app,
    "verify",
    examples=[
        "rollproof verify table-12.jsonl",
        "rollproof verify round-3/ --summary",
        "rollproof verify --json round-3/ | jq -r 'select(.verdict != \"holds\") | .file'",
        "rollproof verify 9c31",
        "rollproof verify table-12.jsonl --receipt mine.checkpoint",
        "rollproof verify round-3/ --policy league.policy",
        "rollproof verify round-3/ --roster open.roster --organizer olga+7d66...",
        "rollproof verify fork.evidence --roster open.roster --organizer olga+7d66...",
    ],
)
def verify(
    call: Call,
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR|GAME…",
            help="Logs, folders of *.jsonl files, stored games, or evidence of a fork.",
            autocompletion=complete_game,
            show_default=False,
        ),
    ],
    game: GamePin = None,
    key: KeyPins = None,
    receipt: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A checkpoint by the keeper that you hold: the log must have what it says; repeatable. "
            "FILE.checkpoint beside a log is taken as one.",
        ),
    ] = None,
    policy: Annotated[Path | None, typer.Option(metavar="FILE", help="Whose cosignatures each log must have.")] = None,
    roster: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Whose keys are whose, signed by the organizer.")
    ] = None,
    organizer: Annotated[
        str | None, typer.Option(metavar="KEY", help="The verifier key that must have signed the roster.")
    ] = None,
    summary: Annotated[bool, typer.Option("--summary", help="A line a log instead of its report.")] = False,
    time_limit: Annotated[
        int | None,
        typer.Option(
            metavar="SECONDS",
            min=1,
            help="Processor time for each file; one that takes longer is told as not finished.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            max=64,
            help="Processes: each takes a log, or of one long log a part of the signatures (default: all cores).",
        ),
    ] = None,
) -> None:
    """Verify logs: signatures, chain, dice, rules. Nothing of yours is needed for it, and nothing is changed.

    Says whether a log holds, what is wrong and whose fault it is, whom you have to trust for the dice, what was checked
    and what was not. Several logs are told in their order; who was at fault, for what and how often, at the end. Exit
    code: 0 every log holds, 1 at least one does not, 2 at least one could not be read, 3 at least one could not be
    finished (memory, time, a process that died).
    """
    _ = call.translate
    from msgspec.structs import replace

    from verifier.shell.audit import AuditOptions, fork_in_json, forks, tell_fork, tell_summary
    from verifier.shell.files import Brought, is_one_log, read_roster

    if "" in what:
        raise UsageError("an empty argument names no log and no game")
    if organizer is not None and roster is None:
        raise UsageError("--organizer goes with --roster")
    paths = [Path(text) for text in what]
    alone = is_one_log(paths)
    brought = Brought.read(receipt or (), policy, one_log=alone)
    if summary and brought.policy is not None and (split := brought.policy.split) is not None:
        call.out.note(f"{policy}: policy.split: {split.message(_)}")
    pins = pins_of(game, key)
    if roster is not None:
        pins = replace(pins, roster=read_roster(roster, organizer))
    options = AuditOptions(pins, brought, call.out.json, summary, call.language, tuple(paths), time_limit)
    logs = []
    for log in _progress(_audit(call, paths, options, jobs or os.cpu_count() or 1), quiet=not summary):
        _tell(call.out, log)
        logs.append(replace(log, text=""))
    for line in () if call.out.json else tell_summary(logs, _, brief=summary):
        call.out.say(line)
    worst = max(log.exit_code for log in logs)
    for fork in forks(logs):
        worst = max(worst, 1)
        if call.out.json:
            call.out.line(fork_in_json(fork))
        else:
            call.out.say(tell_fork(fork, _))
    for name in brought.unused({log.game for log in logs}):
        call.out.note(_("{name} is a receipt of a game that is none of these").format(name=name))
        worst = 2
    raise typer.Exit(worst)


def each_file(paths: list[Path]) -> Iterator[Path]:
    """The logs among these paths and in these folders. Raises UsageError for a folder without any."""
    from verifier.shell.files import find_logs

    for path in find_logs(paths):
        if path.is_dir() and path in paths:
            raise UsageError(f"{path}: there are no *.jsonl files in this folder")
        yield path


def pins_of(game: str | None, keys: list[str] | None) -> "Pins":
    """What the caller knows. Raises UsageError, KeyFormatError."""
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


def _tell(out: Output, log: "Audited") -> None:
    if log.unopened and not out.json:
        out.note(log.text)
    elif out.json:
        out.line(log.text)
    else:
        for line in log.text.splitlines():
            out.say(line)


def _audit(call: Call, paths: list[Path], options: "AuditOptions", jobs: int) -> "tuple[int, Iterator[Audited]]":
    """How many logs there are, and what comes of each, in their order."""
    from verifier.shell.audit import audit
    from verifier.shell.files import find_logs

    there = [path for path in paths if os.path.lexists(path)]
    files = list(find_logs(there))
    stored = [str(path) for path in paths if path not in there]
    found = chain((_stored(call, text, options, jobs) for text in stored), audit(files, options, jobs))
    return len(stored) + len(files), found


def _progress(audit: "tuple[int, Iterator[Audited]]", *, quiet: bool) -> "Iterator[Audited]":
    """The logs, with a bar on standard error while they come. Only on a terminal, and if its reports are not."""
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


def _stored(call: Call, text: str, options: "AuditOptions", jobs: int) -> "Audited":
    """What comes of a stored game, from its bytes as they would be exported."""
    _ = call.translate
    from verifier import verify as verify_log
    from verifier.shell.audit import audited
    from verifier.shell.files import unopened

    missing = _("{what}: there is no such file, folder or stored game").format(what=printable(text))
    nothing = audited(unopened(Path(text), missing, _), options, _)
    if not call.home.ledger_path.exists():
        return nothing
    try:
        id_ = call.find(text)
    except UsageError:
        return nothing
    stream = io.BytesIO()
    call.ledger.export(id_, stream)
    name = f"game {id_.hex()[:12]}"
    checkpoint = call.ledger.checkpoint(id_)
    stored = {} if checkpoint is None else {f"{name}.checkpoint": bytes(checkpoint)}
    report, _replay = verify_log(
        stream.getvalue(),
        name=name,
        pins=options.pins,
        jobs=jobs,
        translate=_,
        receipts={**options.brought.receipts_of(id_.hex()), **stored},
        policy=options.brought.policy,
    )
    return audited(report, options, _)


def _game_id(text: str) -> bytes:
    try:
        id_ = bytes.fromhex(text)
    except ValueError:
        id_ = b""
    if len(id_) != 32:
        raise UsageError(f"--game takes the game's whole id, 64 hex digits; not {text!r}")
    return id_
