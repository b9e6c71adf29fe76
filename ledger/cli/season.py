"""`rollproof export --parquet`, and `rollproof stats` of its output (specs/luck.md, "A season as data")."""

import os
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.cli.call import Call
from ledger.cli.language import Translate
from ledger.cli.output import printable
from ledger.errors import MissingError, UsageError

if TYPE_CHECKING:
    from verifier.log.succession import Followed
    from verifier.shell.files import Place

__all__ = ["export_season", "place_of", "tell_season"]

MAX_EVENT = 100
"""characters of an event's name"""


def export_season(call: Call, place: str, what: list[str], event: str | None) -> int:
    """Verify logs and add their games to a season's data; the exit code. Raises UsageError, OSError, NoteError."""
    _ = call.translate
    from ledger.season import CHUNK, Season
    from ledger.season.rows import SeasonRows, decode, make_reader, not_finished
    from verifier.log.workers import Workers
    from verifier.shell.audit import Forked, in_order, tell_fork
    from verifier.shell.options import MAX_JOBS

    if not all(what):
        raise UsageError("an empty argument names no log")
    named = tuple(place_of(word) for word in what)
    _check_there(named, _)
    season = Season(place_of(place), make=True)
    verdicts, worst, forked = Counter[str](), 0, list[Forked]()
    for event_name, places in _by_event(named, event).items():
        logs = iter([log for each in places for log in _logs_of(each)])
        while chunk := list(islice(logs, CHUNK)):
            jobs = min(os.cpu_count() or 1, MAX_JOBS, len(chunk))
            found = in_order(Workers(jobs, partial(make_reader, named)), [os.fsencode(log) for log in chunk])
            rows = list[SeasonRows]()
            for log, result in zip(chunk, found, strict=True):
                row = not_finished(log) if result is None else decode(result)
                rows.append(row)
                verdicts[row.verdict] += 1
                worst = max(worst, row.exit_code)
                if row.verdict != "holds":
                    told = row.message or f"{printable(row.file)}: {row.verdict} ({row.error})"
                    call.out.note(told)
            forked += [Forked(*fork) for fork in season.add(event_name, rows)]
    for fork in forked:
        call.out.note(tell_fork(fork, _))
    worst = max(worst, 1) if forked else worst
    if call.out.json:
        forks = [{"game": fork.game, "one": fork.one, "other": fork.other} for fork in forked]
        call.out.value({"folder": place, "logs": verdicts.total(), "verdicts": dict(verdicts), "forks": forks})
    else:
        text = _("{folder}: the rows of {held} games are written; logs that do not hold: {others}")
        others = verdicts.total() - verdicts["holds"]
        call.out.say(text.format(folder=printable(place), held=verdicts["holds"], others=others))
    return worst


def place_of(word: str) -> "Place":
    """Return the path or address that an argument names; file:///… is a path."""
    from verifier.shell.files import is_address

    return word if is_address(word) and not word.startswith("file:///") else Path(word.removeprefix("file://"))


def _check_there(named: "tuple[Place, ...]", _: Translate) -> None:
    """Check that some word names something, before any work. Raises MissingError."""
    if any(isinstance(place, str) or os.path.lexists(place) for place in named):
        return
    text = _("{path}: there is no such file or folder")
    raise MissingError(text.format(path=printable(str(named[0]))))


def _logs_of(place: "Place") -> "Iterator[Place]":
    if isinstance(place, str):
        from ledger.network.remote_logs import logs_at

        yield from logs_at(place)
    else:
        from verifier.shell.files import find_logs

        yield from find_logs([place])


def _by_event(named: "tuple[Place, ...]", event: str | None) -> "dict[str, list[Place]]":
    """Group files, folders and addresses by their event. Raises UsageError."""
    from ledger.network.remote_logs import folder_of
    from rules.data.text import has_unseen

    found: dict[str, list[Place]] = {}
    for place in named:
        if event is not None:
            name = event
        elif isinstance(place, str):
            name = folder_of(place)
        else:
            name = (place if place.is_dir() else place.parent).resolve().name
        if not name or len(name) > MAX_EVENT or not name.isprintable() or has_unseen(name):
            raise UsageError(f"an event has a name of 1 to {MAX_EVENT} characters: give it with --event NAME")
        found.setdefault(name, []).append(place)
    return found


def tell_season(call: Call, place: str, top: int, followed: "Followed") -> int:
    """Tell the luck of a season; the exit code. Raises UsageError."""
    _ = call.translate
    from msgspec import to_builtins

    from ledger.analysis.luck import caveats_of_many
    from ledger.season import Season
    from ledger.season.luck import COLUMNS, row_of, season_luck, sentence, totals

    luck, out = season_luck(Season(place_of(place)), followed), call.out
    count = len(luck.ranked)
    if out.json:
        tests = [{**to_builtins(one), "sentence": sentence(one, count, _)} for one in luck.ranked]
        out.value({**to_builtins(luck), "ranked": tests, "notes": caveats_of_many(count, luck.untested, _)})
        return luck.exit_code
    out.say(totals(luck, _))
    if not count:
        out.say(_("No dice have been rolled: there is nothing to test."))
        return luck.exit_code
    out.table([_(name) for name in COLUMNS], (row_of(one, _) for one in luck.ranked[:top]))
    out.say()
    if count > top:
        out.say(_("{top} of {count} tests are shown; --json has all.").format(top=top, count=f"{count:,}"))
    for told in caveats_of_many(count, luck.untested, _):
        out.say(told)
    return luck.exit_code
