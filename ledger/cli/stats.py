"""`rollproof stats`: luck, honestly (specs/luck.md)."""

import io
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, TypeVar

import typer

from ledger.cli.app import app, command
from ledger.cli.arguments import game_argument
from ledger.cli.call import Call
from ledger.cli.language import Translate
from ledger.cli.output import Output, printable
from ledger.cli.sources import LogSource, named_log
from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.analysis.luck import Luck
    from ledger.analysis.significance import Tested
    from verifier import Replay, Report
    from verifier.log.succession import Followed
    from verifier.shell.audit import Forked

__all__ = ["SOURCES", "SUCCESSION", "Log", "each_game_once", "followed_by", "forks_among", "logs_of", "season_of"]

T = TypeVar("T")

MAX_PANELS = 40
"""tests that are drawn"""

SOURCES = Annotated[list[str], game_argument("FILE|DIR|GAME…", "Logs, folders of *.jsonl files, or stored games.")]

SUCCESSION = Annotated[
    list[Path] | None,
    typer.Option("--succession", metavar="FILE", help="Keys that went on as others count as one; repeatable."),
]


class Log:
    """A log that was verified: its report, its replay, and its lines again."""

    def __init__(self, source: LogSource, translate: Translate) -> None:
        """Raises OSError."""
        self._source = source
        self.report, replay = source.verified(translate)
        self.replay: Replay | None = replay
        self.replaced = () if replay is None or not replay.size else tuple(replay.terms.former)
        """the parties that go on under a new key in it"""
        self.file, self.game, self.head = self.report.file, self.report.game, self.report.head

    def open(self) -> BinaryIO:
        """Return the log again, from its start. Raises OSError."""
        return self._source.open()

    def lines(self) -> Iterator[bytes]:
        """Return the lines of the valid prefix, without line feeds."""
        return self._source.lines(self.report.valid_prefix)


def logs_of(call: Call, what: list[str], needed: Callable[[], None]) -> Iterator[Log | str]:
    """Yield each named log, verified as `verify` does; or a sentence if it could not be opened.

    `needed` raises if a library is missing. It is called at the first log, so that mistakes in the arguments are
    reported first.
    """
    for source in _sources(call, what):
        if isinstance(source, LogSource):
            needed()
            yield _tried(partial(Log, source, call.translate), source.name, call.translate)
        else:
            yield source


def _sources(call: Call, what: list[str]) -> Iterator[LogSource | str]:
    """Yield the logs that the arguments name, unverified."""
    _ = call.translate
    from verifier.shell.files import find_logs, leads_out

    for text in what:
        if not text:
            raise UsageError("an empty argument names no log and no game")
        path = Path(text)
        for file in find_logs([path]) if path.is_dir() else [path]:
            name = printable(str(file))
            if leads_out(file, [path]):
                yield _("{path}: this link leads out of the folder, and is not followed").format(path=name)
            elif file.is_dir():
                yield _("{path}: there are no *.jsonl files in this folder").format(path=name)
            elif file.exists() and not file.is_file():
                yield _("{path}: this is no regular file").format(path=name)
            else:
                # A title or an address is no path: it stays as it was typed.
                yield _tried(partial(named_log, call, text if file is path else str(file)), name, _)


def _tried(make: Callable[[], T], name: str, _: Translate) -> T | str:
    """Return the result of `make`, or a sentence with its error."""
    from verifier import NoteError

    try:
        return make()
    except OSError as error:
        return f"{printable(str(error.filename or name))}: {error.strerror or error}"
    except UsageError as error:
        return str(error)
    except NoteError as error:
        return error.message(_)


def forks_among(logs: list[Log]) -> "list[Forked]":
    """Pairs of these logs that are two histories of one game."""
    from verifier.shell.audit import forks

    return forks(logs, Log.open)


def each_game_once(logs: list[Log]) -> list[Log]:
    """Of several logs of one game the one with the longest valid prefix (specs/luck.md)."""
    best: dict[str, Log] = {}
    for log in logs:
        game = log.report.game
        if game is not None and (game not in best or log.report.valid_prefix > best[game].report.valid_prefix):
            best[game] = log
    return list(best.values())


def followed_by(call: Call, files: list[Path] | None) -> "Followed":
    """Read from files which keys succeed others; print contradictions.

    Raises OSError, NoteError, UsageError.
    """
    _ = call.translate
    from ledger.cli.files import read_whole
    from verifier.log.bodies import Succession
    from verifier.log.succession import MAX_SUCCESSIONS_FILE, SuccessionError, follow, parse_successions

    found = list[Succession]()
    for path in files or ():
        try:
            found += parse_successions(read_whole(path, MAX_SUCCESSIONS_FILE))
        except SuccessionError as problem:
            raise UsageError(f"{printable(path)}: {problem.message(_)}") from None
    followed = follow(found)
    for key in followed.split:
        text = _("Two successions of the key {key} differ: neither is followed. Ask who made them.")
        call.out.note(text.format(key=key))
    for key in followed.joined:
        text = _("Two keys have the successor {key}: neither is followed, because two people cannot become one.")
        call.out.note(text.format(key=key))
    return followed


@command(
    app,
    "stats",
    reads=True,
    examples=[
        "rollproof stats table-12.jsonl",
        "rollproof stats round-3/ --plot luck.svg",
        "rollproof stats 9c31 --json",
        "rollproof stats season/ --top 50",
    ],
)
def stats(
    call: Call,
    what: SOURCES,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the counts too.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE.svg if it exists.")] = False,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Of a season: the tests that are shown.")] = 20,
    succession: SUCCESSION = None,
) -> None:
    """Count the dice, and say how unusual the counts are; and what that does not show.

    For a season's data (export --parquet) it lists players and keepers, by corrected p.

    Rerolled and ignored dice count as thrown; only what verifies is counted. The exit codes are those of verify: 0
    every log holds, 1 at least one does not, 2 at least one could not be read. The dice never change them.
    """
    if (season := season_of(what)) is not None:
        if plot is not None:
            raise UsageError("--plot draws the dice of logs; a season's data are Parquet, for tools that draw them")
        from ledger.cli.season import tell_season

        raise typer.Exit(tell_season(call, season, top, followed_by(call, succession)))
    raise typer.Exit(_of_logs(call, what, plot, followed_by(call, succession), force=force))


def _of_logs(call: Call, what: list[str], plot: Path | None, followed: "Followed", *, force: bool) -> int:
    """Tell the luck of logs; the exit code."""
    _ = call.translate
    from ledger.analysis.luck import LuckTally
    from ledger.distribution.optional_dependencies import needs_extra

    tally, worst, logs = LuckTally(followed), 0, list[Log]()
    modules = ("scipy",) if plot is None else ("scipy", "matplotlib")
    for log in logs_of(call, what, lambda: needs_extra(*modules, extra="stats")):
        if isinstance(log, str):
            call.out.note(log)
            worst = 2
            continue
        worst = max(worst, log.report.exit_code)
        log.replay = None  # free the memory: the counts are read from the lines
        logs.append(log)
    if not logs:
        return worst
    counted = each_game_once(logs)
    for log in counted:
        tally.add(log.lines(), log.replaced)
    luck = tally.luck()
    left_out = [log.report.file for log in logs if log not in counted]
    forked = forks_among(logs)
    worst = max(worst, 1) if forked else worst
    if plot is not None:
        _plot(luck, plot, _, force=force)
        if len(luck.tests) > MAX_PANELS:
            call.out.note(_("only the first {count} tests are drawn").format(count=MAX_PANELS))
    if call.out.json:
        call.out.value(_as_json(luck, [log.report for log in logs], left_out, forked, _))
    else:
        _tell(call.out, luck, [log.report for log in counted], left_out, forked)
    return worst


def season_of(what: list[str]) -> str | None:
    """Return the season's data that the words name. Raises UsageError if they name more."""
    from ledger.cli.season import place_of
    from ledger.season import is_season

    found = [word for word in what if word and is_season(str(place_of(word)))]
    if found and len(what) > 1:
        raise UsageError("a season's data stand alone: export the other logs into them")
    return found[0] if found else None


def _tell(out: Output, luck: "Luck", logs: "list[Report]", left_out: list[str], forked: "list[Forked]") -> None:
    _ = out.translate
    from ledger.analysis.luck import caveats, sentence
    from verifier.shell.audit import tell_fork

    for fork in forked:
        out.say(tell_fork(fork, _))
    for report in logs:
        if report.verdict != "holds":
            text = _("{file} does not hold: only its first {events} events are counted.")
            out.say(text.format(file=report.file, events=report.valid_prefix))
    if left_out:
        text = _(
            "Not counted, because nothing in them holds, or because another file has as much of their game or the "
            "other side of a fork (see rollproof compare): {files}"
        )
        out.say(text.format(files=", ".join(left_out)))
    if not luck.tests:
        out.say(_("No dice have been rolled: there is nothing to test."))
    else:
        columns = (_("player"), _("die"), _("dice"), _("counts"), _("p"), _("corrected"), _("method"))
        out.table(columns, (_row(test, _) for test in luck.tests))
        out.say()
        for test in luck.tests:
            out.say(sentence(test, _))
        out.say()
    for text in caveats(luck, _):
        out.say(text)


def _row(test: "Tested", _: Translate) -> tuple[object, ...]:
    from ledger.analysis.luck import whose

    counts = " ".join(str(b.count) for b in test.bins)
    return (
        whose(test, _),
        f"d{test.sides}",
        test.dice,
        counts,
        f"{test.p:.3g}",
        f"{test.corrected:.3g}",
        _(test.method),
    )


def _as_json(
    luck: "Luck", logs: "list[Report]", left_out: list[str], forked: "list[Forked]", _: Translate
) -> dict[str, Any]:
    import msgspec

    from ledger.analysis.luck import caveats, sentence

    return {
        "logs": [
            {"file": r.file, "verdict": r.verdict, "events": r.events, "valid_prefix": r.valid_prefix} for r in logs
        ],
        "not_counted": left_out,
        "forks": msgspec.to_builtins(forked),
        "tests": [{**msgspec.to_builtins(test), "sentence": sentence(test, _)} for test in luck.tests],
        "untested": luck.untested,
        "voids": msgspec.to_builtins(luck.voids),
        "struck": luck.struck,
        "taken_back": luck.taken_back,
        "secret": luck.secret,
        "without": luck.without,
        "notes": caveats(luck, _),
    }


def _plot(luck: "Luck", path: Path, _: Translate, *, force: bool) -> None:
    """Draw observed counts as bars and the expected ones as lines, a panel for each test. Raises UsageError."""
    import matplotlib as mpl

    from ledger.analysis.luck import whose
    from ledger.cli.files import write_files

    mpl.use("svg")
    from matplotlib import pyplot as plt

    tests = luck.tests[:MAX_PANELS]
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "rollproof", "hatch.linewidth": 0.4}):
        figure, panels = plt.subplots(max(1, len(tests)), 1, figsize=(7, 2.2 * max(1, len(tests))), squeeze=False)
        for panel, test in zip(panels[:, 0], tests, strict=False):
            places = range(len(test.bins))
            labels = [str(b.low) if b.low == b.high else f"{b.low}–{b.high}" for b in test.bins]
            panel.bar(
                places, [b.count for b in test.bins], color="white", edgecolor="black", hatch="///", label=_("observed")
            )
            panel.step(places, [b.expected for b in test.bins], where="mid", color="black", label=_("expected"))
            panel.set_xticks(list(places), labels, fontsize=7)
            panel.set_title(
                f"{whose(test, _)}, d{test.sides}, n = {test.dice}, p = {test.p:.3g}",
                fontsize=9,
            )
            panel.legend(fontsize=7)
        figure.tight_layout()
        stream = io.BytesIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Title": "Rollproof: dice"})
        plt.close(figure)
    write_files({path: lambda file: file.write(stream.getvalue())}, force=force)
