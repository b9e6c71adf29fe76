"""What a verification says, for programs and for people (specs/verification.md, "The report")."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from rules import Phase
from verifier.errors import Finding
from verifier.replay import Replay

__all__ = ["EXIT_CODES", "Head", "Report", "notices", "render", "trust_statement"]

EXIT_CODES = {"holds": 0, "fails": 1, "unreadable": 2}


class Head(msgspec.Struct, frozen=True):
    """The tree head of the valid prefix; two who read the same to each other hold the same log."""

    size: int
    leaf: str
    root: str


class Report(msgspec.Struct, frozen=True):
    """The report on one file. `to_builtins` gives the JSON of the specification."""

    file: str
    verdict: Literal["holds", "fails", "unreadable"]
    game: str | None
    events: int
    valid_prefix: int
    head: Head | None
    findings: tuple[Finding, ...]
    trust: str
    checked: tuple[str, ...]
    not_checked: tuple[str, ...]
    state: dict[str, Any] | None

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    @property
    def error(self) -> Finding | None:
        """The failure, if there is one."""
        return next((finding for finding in self.findings if finding.severity == "error"), None)


def and_(names: Iterable[str]) -> str:
    """`alice`, `alice and bob`, `alice, bob and carol`."""
    *most, last = list(names)
    return f"{', '.join(most)} and {last}" if most else last


def trust_statement(replay: Replay) -> str:
    """Step 25: whose collusion it would take to choose or predict the dice."""
    terms, left = replay.terms, replay.session.left
    sets = replay.contributor_sets
    if not sets:
        rollers = replay.session.present("player")
        sets = {terms.contributors_of(roller, left): 0 for roller in rollers}
    sentences = []
    for names, rolls in sets.items():
        if not names:
            continue
        one = len(sets) == 1
        these = "these dice" if one else f"the dice of {rolls} roll{'s' if rolls != 1 else ''}"
        text = f"Nobody could choose or predict {these} unless ALL of {and_(names)} worked together."
        others = [n for n, role in terms.roles.items() if role in ("player", "gm", "witness") and n not in names]
        if others:
            text += f" {and_(others)} had no part in them: {and_(names)} together could have chosen them."
        sentences.append(text)
    return " ".join(sentences)


def notices(replay: Replay, *, ended: bool) -> tuple[Finding, ...]:
    """Step 24. `ended`: the valid prefix is the whole log."""
    found: list[Finding] = []

    def notice(code: str, message: str, seq: int | None, fault: str | None = None) -> None:
        found.append(Finding(code, "notice", 24, seq, fault, None, message))

    size, terms, pending = replay.size, replay.terms, replay.pending
    if ended and replay.session.phase is not Phase.CLOSED:
        notice(
            "log.unfinished",
            "The game is not closed: it may go on, or its end may be missing from this file.",
            None,
        )
    if ended and pending is not None:
        others = [name for name in pending.contributors if name != terms.keeper]
        text = (
            f"The roll that {pending.roller} asked for in event {pending.seq} has no dice yet: it "
            f"waits for the openings of "
            f"{and_(others)} and for {terms.keeper}, who must then reveal or void it."
        )
        notice("log.pending", text, pending.seq, terms.keeper)
    if ended and replay.sealed < size - 1:
        first = replay.sealed + 1
        which = f"event {first}" if first == size - 1 else f"events {first} to {size - 1}"
        notice(
            "log.unsealed",
            f"The keeper, {terms.keeper}, has not signed over {which} yet; only the authors vouch for that.",
            first,
        )
    for name, voids in replay.voids.items():
        times = "once" if voids.count == 1 else f"{voids.count} times"
        text = f"{name} failed to open {times}, says {terms.keeper}; each such roll was void and its links are used up."
        notice("roll.voids", text, voids.first, name)
    for name, struck in replay.struck.items():
        times = "once" if struck.count == 1 else f"{struck.count} times"
        notice("roll.struck", f"Judge {name} ruled a roll void {times}.", struck.first, name)
    return tuple(found)


def coverage(replay: Replay | None, failed: Finding | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was checked and what was not, in words."""
    if replay is None or replay.size == 0:
        return (), ("Nothing in the file could be judged.",)
    n, rolls = replay.size, sum(replay.contributor_sets.values())
    checked = (
        f"{n} event{'s' if n != 1 else ''}: form, order, chain, and that each was signed by its author's key.",
        f"{rolls} roll{'s' if rolls != 1 else ''}: every opening leads to its commitment, and the "
        f"dice follow from the links.",
        f"The rules {replay.terms.system}: every event was allowed when it was made.",
    )
    not_checked = []
    if failed is not None and failed.seq is not None:
        not_checked.append(f"Anything from event {failed.seq} on: it stands on an event that does not hold.")
    pinned = {key.name for key in replay.pins.keys}
    unpinned = [name for name in replay.terms.roles if name not in pinned]
    if unpinned:
        text = "Whose keys these are: compare the keys of {} with what they gave you, or pass them with --key."
        not_checked.append(text.format(and_(unpinned)))
    if replay.session.phase is not Phase.CLOSED or replay.sealed < n - 1:
        not_checked.append(
            "Whether events are missing at the end: compare size and root with the keeper's or another copy."
        )
    not_checked.append("Whether what was said at the table is what was signed, and whether the clocks were right.")
    return checked, tuple(not_checked)


def render(report: Report) -> str:
    """The report as plain text, readable aloud: no colour, no symbols."""
    lines = [f"{report.file}: {_headline(report)}"]
    for finding in report.findings:
        where = [] if finding.seq is None else [f"event {finding.seq}"]
        where += [f"fault: {finding.fault}"] if finding.fault else []
        where += [f"rule {finding.clause}"] if finding.clause else []
        lines.append(
            f"  {finding.severity} {finding.code} ({', '.join(where)})"
            if where
            else f"  {finding.severity} {finding.code}"
        )
        lines.append(f"    {finding.message}")
        if finding.severity == "error":
            lines += [f"    expected {finding.expected}"] if finding.expected else []
            lines += [f"    found    {finding.actual}"] if finding.actual else []
    if report.head is not None:
        of = "log" if report.verdict == "holds" else "part that holds"
        lines.append(f"  game {report.game}")
        lines.append(f"  size and root of the {of}: {report.head.size} {report.head.root}")
    if report.trust:
        lines.append(f"  trust: {report.trust}")
    lines += _listed("checked", report.checked) + _listed("not checked", report.not_checked)
    return "\n".join(lines)


def _headline(report: Report) -> str:
    if report.verdict == "holds":
        return f"HOLDS, {report.events} events"
    if report.verdict == "unreadable":
        return "COULD NOT BE READ as a log"
    return f"FAILS at event {report.valid_prefix} of {report.events}; the events before it hold"


def _listed(title: str, texts: Sequence[str]) -> list[str]:
    return [f"  {title}: {text}" for text in texts]
