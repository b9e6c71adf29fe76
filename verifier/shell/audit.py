"""The verification of many logs by several processes, in which no log can hide the result of another."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar

import msgspec
from msgspec import Struct

from rules.data.language import Translate
from rules.data.text import isolated, plain
from verifier.errors import Finding, NoteError, TimeLimit
from verifier.event.changes import change_words
from verifier.language import join_names, join_sentences, translator
from verifier.log.merkle import MerkleTree, leaf_hash
from verifier.log.terms import Pins
from verifier.log.workers import Pool, Workers
from verifier.replay import Replay
from verifier.report import VERDICT_EXIT_CODES, Head, Report, not_judged, render
from verifier.shell.files import (
    Brought,
    Elsewhere,
    Place,
    is_address,
    is_one_log,
    leads_out,
    path_text,
    unopened_report,
    verify_elsewhere,
    verify_file,
)
from verifier.shell.limits import time_limit
from verifier.shell.rolls import roll_lines
from verifier.shell.typed import command
from verifier.verification import read_lines

__all__ = [
    "AuditOptions",
    "Audited",
    "Fault",
    "Forked",
    "MakePool",
    "audit",
    "audit_result",
    "faults",
    "fork_in_json",
    "forks",
    "in_order",
    "make_auditor",
    "tell_fork",
    "tell_summary",
]


_EXCEPTIONS = frozenset(
    (
        *("game.continues", "roll.left", "roll.voids", "void.opened"),
        *("roll.struck", "roll.taken-back", "roll.corrected", "party.removed", "party.away", "roll.without"),
        *("table.changed", "table.ended"),
    )
)
"""codes of notices whose subject is part of the trust statement, besides the collusion that it names"""
_BRIEF = ("file", "verdict", "game", "events", "valid_prefix", "error", "trust")
"""members of a report that remain if each log gets one line"""
AHEAD = 1_000
"""files that may be begun or done behind the first one whose result is not out yet"""


class Audited(Struct, frozen=True):
    """The result for one log."""

    file: str
    text: str
    """the report in JSON or in words; for a file that could not be opened, in words a sentence that says why"""
    verdict: str
    game: str | None = None
    events: int = 0
    findings: tuple[Finding, ...] = ()
    head: Head | None = None
    """the head of the valid prefix"""

    @property
    def exit_code(self) -> int:
        """The exit code for the verdict."""
        return VERDICT_EXIT_CODES[self.verdict]

    @property
    def unopened(self) -> bool:
        """True if the file could not be opened, and nothing else is known."""
        return any(finding.code == "file.unopened" for finding in self.findings)

    @property
    def error(self) -> Finding | None:
        """The first error; None without one."""
        return next((finding for finding in self.findings if finding.severity == "error"), None)


class Fault(Struct, frozen=True):
    """The logs in which one party was at fault for one code. A name counts within its game; keys say who it is."""

    fault: str
    code: str
    severity: str
    logs: tuple[str, ...]


class AuditOptions(Struct, frozen=True):
    """Options of an audit."""

    pins: Pins
    brought: Brought
    json: bool = False
    brief: bool = False
    """whether each log gets one line instead of its report"""
    language: str | None = None
    """the language of messages; None means the locale's"""
    named: tuple[Path, ...] = ()
    """the files and folders that the caller named; a link that leads out of all of them is not followed"""
    time_limit: int | None = None
    """seconds of processor time for each file"""
    rolls: bool = False
    """whether each roll is listed, in words"""
    elsewhere: Callable[[str], Elsewhere] | None = None
    """returns the log at an address; None if the program cannot read addresses"""

    @property
    def alone(self) -> bool:
        """True if there is one file, named by the caller, which may be a pipe."""
        return is_one_log(self.named)


MakePool = Callable[[AuditOptions], Pool]
"""makes a pool that verifies logs like the function from `make_auditor`"""


def audit(
    logs: Sequence[Place], options: AuditOptions, jobs: int, make_pool: MakePool | None = None
) -> Iterator[Audited]:
    """Yield the result for each log in the order of the logs, as soon as all before it are done.

    `jobs` processes verify one log each at a time. With fewer logs than that, each log has several processes for its
    signatures. So a process that dies affects one log only. A single log is verified in this process. With `make_pool`,
    that pool verifies all logs.
    """
    translate = translator(options.language)
    if make_pool is None and len(logs) < 2:
        for log in logs:
            yield _audit_one(log, options, jobs, translate)
        return
    pool = _processes(min(jobs, len(logs)), options, jobs) if make_pool is None else make_pool(options)
    results = in_order(pool, [os.fsencode(log) for log in logs])
    for log, result in zip(logs, results, strict=True):
        yield _outcome(log, options, result, translate)


def in_order(pool: Pool, works: Sequence[bytes]) -> Iterator[bytes | None]:
    """Yield the results of a pool for pieces of work in their order, then close the pool.

    A result is None if the process for it died.
    """
    begun = given = 0
    done = dict[int, bytes | None]()  # number → result that waits for an earlier piece
    try:
        while given < len(works):
            while begun < min(len(works), given + AHEAD) and pool.room:
                pool.submit(begun, works[begun])
                begun += 1
            done.update(pool.wait())
            while given in done:
                yield done.pop(given)
                given += 1
    finally:
        pool.close()


def _processes(count: int, options: AuditOptions, jobs: int) -> Pool:
    return Workers(count, partial(make_auditor, options, jobs // count), parents=jobs // count > 1)


def audit_result(report: Report, options: AuditOptions, translate: Translate, replay: Replay | None = None) -> Audited:
    """Return the result for a log with this report; `replay` is that of its valid prefix."""
    text = _in_json(report, options) if options.json else _in_words(report, replay, options, translate)
    return Audited(report.file, text, report.verdict, report.game, report.events, report.findings, report.head)


def faults(logs: Iterable[Audited]) -> list[Fault]:
    """Return the faults of all logs: errors first, then by the number of logs."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for log in logs:
        for finding in log.findings:
            if finding.fault is not None:
                found.setdefault((finding.fault, finding.code, finding.severity), []).append(log.file)
    all_faults = [Fault(*key, tuple(sorted(files))) for key, files in found.items()]
    return sorted(all_faults, key=lambda f: (f.severity, -len(f.logs), f.fault, f.code))


class Verified(Protocol):
    """A log that was verified: its report, or the result of an audit."""

    @property
    def file(self) -> str:
        """The name of the file, as messages give it."""

    @property
    def game(self) -> str | None:
        """The game's id (hex); None if line 0 is not valid."""

    @property
    def head(self) -> Head | None:
        """The size and root of the log; None unless all of it is valid."""


L = TypeVar("L", bound=Verified)


def _open(log: Verified) -> BinaryIO:
    return Path(log.file).open("rb")


class Forked(Struct, frozen=True):
    """Two logs whose valid prefixes are two histories of one game."""

    game: str
    one: str
    other: str


def forks(logs: Iterable[L], open_log: Callable[[L], BinaryIO] = _open) -> list[Forked]:
    """Return for each game with a fork one pair: the longest log and another one.

    The longest log is read again. It is skipped if it has changed, because its report was about the earlier content.
    """
    by_game: dict[str, dict[tuple[int, str], L]] = {}
    for log in logs:
        if log.head is not None and log.game is not None:
            by_game.setdefault(log.game, {}).setdefault((log.head.size, log.head.root), log)
    found = []
    for game, each in sorted(by_game.items()):
        longest = max(each)
        others = [log for head, log in sorted(each.items()) if head != longest]
        roots = _roots(partial(open_log, each[longest]), longest, {size for size, _ in each}) if others else {}
        for log in others:
            assert log.head is not None
            if roots.get(log.head.size, log.head.root) != log.head.root:
                found.append(Forked(game, each[longest].file, log.file))
                break
    return found


def _roots(open_log: Callable[[], BinaryIO], head: tuple[int, str], sizes: Set[int]) -> dict[int, str]:
    """Return the roots of a log's first lines, by number of lines; empty if it cannot be read or its
    head has changed.
    """
    tree, roots = MerkleTree(), dict[int, str]()
    try:
        with open_log() as stream:
            for line in islice(read_lines(stream), max(sizes)):
                tree.append(leaf_hash(line.removesuffix(b"\n")))
                if tree.size in sizes:
                    roots[tree.size] = tree.root().hex()
    except (OSError, NoteError):
        return {}
    size, root = head
    return roots if roots.get(size) == root else {}


def tell_fork(fork: Forked, translate: Translate) -> str:
    """Return a fork in words."""
    text = translate("FORKED: {one} and {other} are two histories of game {game}. See who signed both: {command}")
    shell_line = command("rollproof", "compare", Path(fork.one), Path(fork.other))
    return plain(text.format(one=fork.one, other=fork.other, game=fork.game[:12], command=shell_line))


def fork_in_json(fork: Forked) -> str:
    """Return a fork as a line of JSON."""
    return msgspec.json.encode({"kind": "fork", "verdict": "forked", **msgspec.structs.asdict(fork)}).decode()


def tell_summary(logs: Sequence[Audited], translate: Translate, *, brief: bool = False) -> list[str]:
    """Return lines that summarize the audit: how many logs hold, the faults, and exceptions to the trust in dice.

    For a single log only the exceptions are returned, and only with `brief`, because its report has them otherwise.
    """
    if len(logs) == 1:
        return _exceptions(logs[0], translate) if brief else []
    counts = Counter(log.verdict for log in logs)
    text = translate("Logs: {all}. Games: {games}. Hold: {held}. Fail: {fails}. Could not be read: {unreadable}.")
    games = len({log.game for log in logs} - {None})
    numbers = {"held": counts["holds"], "all": len(logs), "games": games, "fails": counts["fails"]}
    lines = [text.format(**numbers, unreadable=counts["unreadable"])]
    if counts["unfinished"]:
        lines[0] += translate(" Could not be finished: {count}.").format(count=counts["unfinished"])
    for fault in faults(logs):
        text = translate("  {kind} {code}, fault: {fault}: in {count} of the logs, such as {log}")
        kind = translate("error") if fault.severity == "error" else translate("notice")
        text = text.format(kind=kind, code=fault.code, fault=fault.fault, count=len(fault.logs), log=fault.logs[0])
        lines.append(plain(text))
    return [*lines, *(line for log in logs for line in _exceptions(log, translate))]


def _exceptions(log: Audited, translate: Translate) -> list[str]:
    """Return a line about what somebody's word changed in a log; empty if there is nothing."""
    messages = [finding.message for finding in log.findings if finding.code in _EXCEPTIONS]
    if not messages:
        return []
    text = translate("  {log}: {text}").format(log=isolated(log.file), text=join_sentences(messages, translate))
    return [plain(text)]


def _in_json(report: Report, options: AuditOptions) -> str:
    if not options.brief:
        return msgspec.json.encode(report).decode()
    short = {name: getattr(report, name) for name in _BRIEF}
    return msgspec.json.encode(short).decode()


def _in_words(report: Report, replay: Replay | None, options: AuditOptions, translate: Translate) -> str:
    if any(finding.code == "file.unopened" for finding in report.findings):
        return report.findings[0].message
    headline, *rest = render(report, translate, partial(_in_full, report, translate)).split("\n")
    rolls = roll_lines(replay, translate) if options.rolls and replay is not None and replay.size else []
    error = report.error
    if options.brief and error is not None:
        fault = [translate("fault: {fault}").format(fault=error.fault)] if error.fault else []
        headline += plain(f" ({', '.join([error.code, *fault])})")
    return "\n".join([headline, *map(plain, rolls), *([] if options.brief else rest)])


_TOLD_BY = {
    "event.desk": ("check-in",),
    "event.tablet": ("check-in",),
    "event.rekeyed": ("correct-key",),
    "event.repaired": ("correct-pairing",),
    "event.judged": ("slip",),
    "event.by-hand": ("by-hand",),
    "event.corrected": ("correct-result", "correct-penalty", "correct-drop"),
    "event.left": ("end",),
    "event.unagreed": ("slip", "agree"),
}
"""code of a notice about an event → the acts that it counts"""


def _in_full(report: Report, translate: Translate, finding: Finding) -> list[str]:
    """Return what a notice about an event counts, or the command that shows it."""
    if finding.code == "table.changed":
        return _changes(report, translate)
    types = _TOLD_BY.get(finding.code, ())
    if not types:
        return []
    options = (word for type_ in types for word in ("--type", type_))
    file = Path(report.file) if os.path.lexists(report.file) else report.file
    return [translate("in full: {command}").format(command=command("rollproof", "event", "log", file, *options))]


MAX_TOLD_CHANGES = 200
"""changes at tables that are told in words; the report's page and JSON have more"""


def _changes(report: Report, translate: Translate) -> list[str]:
    """Return a line for each change at a table of an event."""
    template = translate("round {round}, table {table}, event {event}, {by}: {what}")
    games = (report.state or {}).get("games", ())
    lines = [
        template.format(
            round=game["round"],
            table=game["table"],
            event=change["event"],
            by=join_names(change["by"], translate),
            what=change_words(change).message(translate),
        )
        for game in sorted(games, key=lambda game: (game["round"], game["table"]))
        for change in game.get("changes", ())
    ]
    if len(lines) <= MAX_TOLD_CHANGES:
        return lines
    page = command("rollproof", "report", Path(report.file), "--out", "report.html")
    more = translate("{count} more: {command}").format(count=len(lines) - MAX_TOLD_CHANGES, command=page)
    return [*lines[:MAX_TOLD_CHANGES], more]


def _audit_one(log: Place, options: AuditOptions, jobs: int, translate: Translate) -> Audited:
    name = _name(log)
    if isinstance(log, Path) and leads_out(log, options.named):
        text = translate("{path}: this link leads out of the folder, and is not followed. To verify it, name it")
        return audit_result(unopened_report(log, text.format(path=name), translate), options, translate)
    replay = None
    try:
        with time_limit(options.time_limit):
            report, replay = _verify(log, options, jobs, translate)
    except MemoryError:
        text = translate("There was not enough memory to verify this log.")
        report = not_judged(name, "unfinished", "limit.memory", text, translate)
    except TimeLimit as limit:
        report = not_judged(name, "unfinished", "limit.time", limit.message(translate), translate)
    except Exception as error:  # a bug, which must not affect the other files
        text = translate("The verifier broke over it, which is a bug. Please report it with the file: {error}")
        report = not_judged(name, "unfinished", "process.broke", plain(text.format(error=repr(error))), translate)
    return audit_result(report, options, translate, replay)


def _verify(log: Place, options: AuditOptions, jobs: int, translate: Translate) -> tuple[Report, Replay | None]:
    if isinstance(log, Path):
        return verify_file(log, options.pins, jobs, translate, options.brought, alone=options.alone)
    assert options.elsewhere is not None
    return verify_elsewhere(options.elsewhere(log), options.pins, jobs, translate, options.brought)


def make_auditor(options: AuditOptions, jobs: int) -> Callable[[bytes], bytes]:
    """Return the function of a process: from the name of a log to the result as JSON."""
    translate = translator(options.language)

    def audit_log(name: bytes) -> bytes:
        text = os.fsdecode(name)
        log = text if is_address(text) else Path(text)
        return msgspec.json.encode(_audit_one(log, options, jobs, translate))

    return audit_log


def _name(log: Place) -> str:
    return path_text(log) if isinstance(log, Path) else log


def _outcome(log: Place, options: AuditOptions, result: bytes | None, translate: Translate) -> Audited:
    if result is not None:
        return msgspec.json.decode(result, type=Audited)
    text = translate("The process that verified it was ended from outside, or ran out of memory.")
    return audit_result(not_judged(_name(log), "unfinished", "process.died", text, translate), options, translate)
