"""`rollproof report`: a page to file."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli.app import app, command
from ledger.cli.call import Call
from ledger.cli.output import printable
from ledger.cli.stats import SOURCES, SUCCESSION, Log, each_game_once, followed_by, forks_among, logs_of, season_of
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from verifier.log.succession import Followed

__all__: list[str] = []


@command(
    app,
    "report",
    reads=True,
    examples=[
        "rollproof report table-12.jsonl --out report.html",
        "rollproof report round-3/ --out round-3.html",
        "rollproof report 9c31 --out report.html --lang ja",
        "rollproof report season/ --out season.html",
        "rollproof report spring-open.bundle --out spring-open.html",
    ],
)
def report(
    call: Call,
    what: SOURCES,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE.html",
            help="Where the page is written; - is standard output.",
            show_default=False,
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace FILE.html if it exists.")] = False,
    succession: SUCCESSION = None,
    names: Annotated[
        Path | None,
        typer.Option("--names", metavar="FILE", help="Of an event: the names of its players, as a bundle has them."),
    ] = None,
) -> None:
    """Write a page about logs: verdict, every roll with its natural, steps and result, findings, trust, luck.

    For a season's data (export --parquet) it has events, logs that do not hold, and players and keepers by corrected p.

    For an organized event (its log, its bundle, or its title) it has rounds with results, corrections and their
    reasons, penalties, judges, games with their verdicts, and the record in words. Players are numbers, unless the
    bundle or --names has their names. With --json all of this is data.

    One file that needs no network and no scripts, to read, print or file. The exit codes are those of verify: 0 every
    log holds, 1 at least one does not, 2 at least one could not be read; the page is written in each case.
    """
    if _of_event(call, what, out, names, force=force):
        return
    season, followed = season_of(what), followed_by(call, succession)
    if season is not None:
        raise typer.Exit(_of_season(call, season, out, followed, force=force))
    raise typer.Exit(_of_logs(call, what, out, followed, force=force))


def _of_event(call: Call, what: list[str], out: Path, names: Path | None, *, force: bool) -> bool:
    """Write an event's page; return whether an event is named. Raises UsageError, Exit for one that does not hold."""
    from ledger.cli.event_sources import named_event, names_for

    events = [event for text in what if (event := named_event(call, text, refresh=True)) is not None]
    if not events:
        if names is not None:
            raise UsageError("--names goes with an event: its log, its bundle, or its title")
        return False
    if len(what) > 1:
        raise UsageError("an event has a page of its own: name it alone")
    from msgspec import to_builtins

    from ledger.cli.event_log import line_in_json
    from ledger.distribution.optional_dependencies import needs_extra
    from ledger.report.event import render_event, tell_event

    needs_extra("jinja2", extra="report")
    (event,), _ = events, call.translate
    report = event.verify()
    known = names_for(call, event, report, names)
    story = tell_event(report, event.lines() if report.valid_prefix else (), known)
    page = render_event(report, story, known, call.language or "en", _)
    answer = {"report": to_builtins(report), "lines": [line_in_json(each, _) for each in story]}
    rounds = (report.state or {}).get("rounds", ())
    text = _("Rounds of the event: {rounds}. Matches at tables: {tables}.")
    text = text.format(rounds=len(rounds), tables=sum(len(each["tables"]) for each in rounds))
    _write(call, page, out, answer, text, force=force)
    if report.exit_code:
        raise typer.Exit(report.exit_code)
    return True


def _of_season(call: Call, place: str, out: Path, followed: "Followed", *, force: bool) -> int:
    """Return a season's page; the exit code."""
    from ledger.cli.season import place_of
    from ledger.report.season import render_season
    from ledger.season import Season

    page, luck = render_season(Season(place_of(place)), call.language or "en", call.translate, followed)
    logs = sum(luck.verdicts.values())
    _write(call, page, out, {"games": luck.games, "logs": logs}, _logs(call, logs), force=force)
    return luck.exit_code


def _of_logs(call: Call, what: list[str], out: Path, followed: "Followed", *, force: bool) -> int:
    """Return a page about logs; the exit code."""
    _ = call.translate
    from msgspec import to_builtins

    from ledger.analysis.luck import LuckTally
    from ledger.distribution.optional_dependencies import needs_extra
    from ledger.report import MAX_SECTIONS, make_game, render_page
    from verifier.shell.audit import tell_fork

    games, logs, unread, tally, worst = [], list[Log](), list[str](), LuckTally(followed), 0
    for log in logs_of(call, what, lambda: needs_extra("jinja2", extra="report")):
        if isinstance(log, str):
            unread.append(log)
            call.out.note(log)
            worst = 2
            continue
        worst = max(worst, log.report.exit_code)
        logs.append(log)
        games.append(make_game(log.report, log.replay, log.lines(), _))
        log.replay = None  # free the memory: it was reported
    if not logs:
        raise MissingError(_("none of these logs could be read, so no page is written"))
    for log in each_game_once(logs):
        tally.add(log.lines(), log.replaced)
    found = forks_among(logs)
    forked = [tell_fork(fork, _) for fork in found]
    worst = max(worst, 1) if forked else worst
    for text in forked:
        call.out.note(text)
    if len(games) > MAX_SECTIONS:
        text = _(
            "many logs are looked at sooner as a season's data (rollproof export --parquet DIR, then rollproof report "
            "DIR), with luck over all players and keepers"
        )
        call.out.note(text)
    page = render_page(games, tally, [*forked, *unread], call.language or "en", _)
    answer = {"logs": len(games), "forks": to_builtins(found), "unread": unread}
    _write(call, page, out, answer, _logs(call, len(games)), force=force)
    return worst


def _logs(call: Call, count: int) -> str:
    return call.translate("Logs: {count}.").format(count=count)


def _write(call: Call, page: str, out: Path, answer: dict[str, Any], counted: str, *, force: bool) -> None:
    """Write the page; print `answer` with --json, else its path and what was `counted`. Raises UsageError, OSError."""
    from ledger.cli.files import write_files

    if out == Path("-"):
        sys.stdout.buffer.write(page.encode())
        return
    write_files({out: lambda stream: stream.write(page.encode())}, force=force)
    if call.out.json:
        call.out.value({"file": str(out), **answer})
    else:
        text = call.translate("{file} is written. {counted}")
        call.out.say(text.format(file=printable(out), counted=counted))
