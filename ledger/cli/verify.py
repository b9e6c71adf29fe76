"""`rollproof verify`: the verifier on files, folders and stored games. Nothing is judged here."""

import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli.app import Call, app, command, complete_game
from ledger.cli.arguments import GamePin, KeyPins
from ledger.cli.language import _
from ledger.cli.output import Output, printable
from ledger.errors import UsageError

if TYPE_CHECKING:
    from verifier import Pins, Report

__all__ = ["each_file", "pins_of", "show_report"]


@command(
    app,
    "verify",
    examples=[
        "rollproof verify table-12.jsonl",
        "rollproof verify round-3/ --summary",
        "rollproof verify --json round-3/ | jq -r 'select(.verdict != \"holds\") | .file'",
        "rollproof verify 9c31",
    ],
)
def verify(
    call: Call,
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR|GAME…",
            help="Logs, folders of *.jsonl files, or stored games.",
            autocompletion=complete_game,
            show_default=False,
        ),
    ],
    game: GamePin = None,
    key: KeyPins = None,
    summary: Annotated[bool, typer.Option("--summary", help="One line a log.")] = False,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=64, help="Threads for signatures (default: all cores).")
    ] = None,
) -> None:
    """Verify logs: signatures, chain, dice, rules. Nothing of yours is needed for it, and nothing is changed.

    Says whether a log holds, what is wrong and whose fault it is, whom you have to trust for the dice, what was checked
    and what was not. Exit code: 0 every log holds, 1 at least one does not, 2 at least one could not be read.
    """
    pins, worst, reports = pins_of(game, key), 0, []
    for report in _reports(call, what, pins, threads or os.cpu_count() or 1):
        if isinstance(report, str):
            call.out.note(report)
            worst = 2
            continue
        worst = max(worst, report.exit_code)
        if summary and not call.out.json:
            reports.append(report)
        else:
            show_report(call.out, report)
    if reports:
        _summarize(call.out, reports)
    raise typer.Exit(worst)


def each_file(paths: list[Path]) -> Iterator[Path]:
    """The logs among these paths and in these folders. Raises UsageError for a folder without any."""
    from verifier.__main__ import find_logs

    for path in find_logs(paths):
        if path.is_dir():
            raise UsageError(f"{path}: there are no *.jsonl files in this folder")
        yield path


def pins_of(game: str | None, keys: list[str] | None) -> "Pins":
    """What the caller knows. Raises UsageError, KeyFormatError."""
    from verifier import Pins, VerifierKey

    return Pins(_game_id(game) if game else None, tuple(VerifierKey.parse(key) for key in keys or ()))


def show_report(out: Output, report: "Report") -> None:
    """A report as specs/verification.md has it, in JSON or in words."""
    from verifier import render

    if out.json:
        out.value(report)
    else:
        for line in render(report, _).splitlines():
            out.say(line)


def _reports(call: Call, what: list[str], pins: "Pins", threads: int) -> Iterator["Report | str"]:
    """A report for each log, or a sentence for what could not be opened."""
    import msgspec

    from verifier.__main__ import find_logs, verify_file

    for text in what:
        path = Path(text)
        if not path.exists():
            nothing = f"{text}: there is no such file, folder or stored game"
            yield _stored(call, text, pins, threads) or nothing
            continue
        for file in find_logs([path]):
            report = verify_file(file, pins, threads, _)
            yield report if isinstance(report, str) else msgspec.structs.replace(report, file=printable(report.file))


def _stored(call: Call, text: str, pins: "Pins", threads: int) -> "Report | None":
    """The report on a stored game, from its bytes as they would be exported; None where there is no such game."""
    if not call.home.ledger_path.exists():
        return None
    from verifier import verify as verify_log

    try:
        id_ = call.ledger.find(text)
    except UsageError:
        return None
    stream = io.BytesIO()
    call.ledger.export(id_, stream)
    name = f"game {id_.hex()[:12]}"
    return verify_log(stream.getvalue(), name=name, pins=pins, threads=threads, translate=_)[0]


def _summarize(out: Output, reports: list["Report"]) -> None:
    rows = []
    for report in reports:
        error = report.error
        where = "" if error is None else f"event {error.seq}, {error.code}, fault: {error.fault}"
        rows.append((report.file, report.verdict, report.events, where))
    out.table(["log", "verdict", "events", "finding"], rows, whole=0)
    held = sum(report.verdict == "holds" for report in reports)
    out.say(f"{held} of {len(reports)} hold.")


def _game_id(text: str) -> bytes:
    try:
        id_ = bytes.fromhex(text)
    except ValueError:
        id_ = b""
    if len(id_) != 32:
        raise UsageError(f"--game takes the game's whole id, 64 hex digits; not {text!r}")
    return id_
