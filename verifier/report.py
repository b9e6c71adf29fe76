"""What a verification says, for programs and for people (specs/verification.md, "The report")."""

import re
from typing import Any, Literal

import msgspec

from rules import Phase
from rules.language import counted
from verifier.errors import Finding
from verifier.language import Translate, join_names, join_sentences
from verifier.replay import Replay

__all__ = ["EXIT_CODES", "Head", "Report", "coverage", "notices", "plain", "render", "trust_statement"]

_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""what no text of a log may have (specs/log.md)"""
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
    kind: Literal["log", "evidence"] = "log"
    """what the file is"""

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    @property
    def error(self) -> Finding | None:
        """The failure, if there is one."""
        return next((finding for finding in self.findings if finding.severity == "error"), None)


def trust_statement(replay: Replay, _: Translate = str) -> str:
    """Step 25: whose collusion it would take to choose or predict the dice."""
    terms, left = replay.terms, replay.session.left
    sets = replay.contributor_sets
    if not sets:
        sets = {terms.contributors_of(roller, left): 0 for roller in replay.session.present("player")}
    if not sets:
        return _("No dice were rolled, and no player is left to roll any.")
    sentences = []
    for contributors, rolls in sets.items():
        names = join_names(contributors, _)
        if len(sets) == 1:
            text = _("Nobody could choose or predict these dice unless ALL of {names} worked together.")
        else:
            text = _("Dice of {rolls}: nobody could choose or predict them unless ALL of {names} worked together.")
        sentences.append(text.format(names=names, rolls=counted(rolls, "roll").message(_)))
        others = [
            name
            for name, role in terms.roles.items()
            if role in ("player", "gm", "witness") and name not in contributors
        ]
        if others:
            text = _("{others} had no part in these dice: {names} together could have chosen them.")
            sentences.append(text.format(others=join_names(others, _), names=names))
    return join_sentences(sentences, _)


def notices(replay: Replay, _: Translate = str, *, ended: bool, taken: int = 0) -> tuple[Finding, ...]:
    """Step 24. `ended`: the valid prefix is the whole log; `taken`: how many events receipts show as taken."""
    found: list[Finding] = []

    def notice(code: str, message: str, seq: int | None = None, fault: str | None = None) -> None:
        found.append(Finding(code, "notice", 24, seq, fault, None, message))

    keeper, pending = replay.terms.keeper, replay.pending
    if ended and replay.session.phase is not Phase.CLOSED:
        text = _("The game is not closed: it may go on, or its end may be missing from this file.")
        notice("log.unfinished", text)
    if ended and pending is not None:
        others = join_names([name for name in pending.contributors if name != keeper], _)
        text = _(
            "The roll that {roller} asked for in event {seq} has no dice yet: it waits for the openings of {others}, "
            "and for {keeper}, who must then reveal or void it."
        )
        text = text.format(roller=pending.roller, seq=pending.seq, others=others, keeper=keeper)
        notice("log.pending", text, pending.seq, keeper)
    taken = max(taken, replay.sealed + 1)
    if ended and taken < replay.size:
        text = _(
            "{keeper}, the keeper, has not signed over what stands from event {seq} on; only the authors vouch for it."
        )
        notice("log.unsealed", text.format(keeper=keeper, seq=taken), taken)
    for name, voids in replay.voids.items():
        text = _("{name} failed to open, says {keeper} ({count}×): such a roll is void and its links are used up.")
        notice("roll.voids", text.format(name=name, keeper=keeper, count=voids.count), voids.first, name)
    for name, struck in replay.struck.items():
        text = _("The judge {name} ruled rolls void ({count}×).")
        notice("roll.struck", text.format(name=name, count=struck.count), struck.first, name)
    return tuple(found)


def coverage(
    replay: Replay | None, error: Finding | None, _: Translate = str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What was checked and what was not, in words."""
    if replay is None or replay.size == 0:
        return (), (_("Nothing in the file could be judged."),)
    rolls = sum(replay.contributor_sets.values())
    checked = [
        _("Events 0 to {last}: form, order, chain, and that each was signed with its author's key.").format(
            last=replay.size - 1
        ),
        _("Dice ({rolls}): every opening leads to its commitment; the naturals follow from the links.").format(
            rolls=counted(rolls, "roll").message(_)
        ),
        _("Rules ({system}): every event was allowed when it was made.").format(system=replay.terms.system),
    ]
    not_checked = []
    if error is not None:
        text = _("Anything from event {seq} on: it stands on an event that does not hold.")
        not_checked.append(text.format(seq=error.seq))
    roster = replay.pins.roster
    if roster is not None:
        text = _("Whose keys these are: by version {version} of the roster of {event}.")
        checked.append(text.format(version=roster.version, event=roster.event))
    pinned = {key.name for key in replay.pins.keys}
    unpinned = [name for name in replay.terms.roles if name not in pinned and roster is None]
    if unpinned:
        text = _("Whose keys these are: compare the keys of {names} with what they gave you, or pass them with --key.")
        not_checked.append(text.format(names=join_names(unpinned, _)))
    if replay.session.phase is not Phase.CLOSED or replay.sealed < replay.size - 1:
        text = _("Whether events are missing at the end: compare size and root with the keeper's or another copy.")
        not_checked.append(text)
    not_checked.append(_("Whether what was said at the table is what was signed, and whether the clocks were right."))
    return tuple(checked), tuple(not_checked)


def render(report: Report, _: Translate = str) -> str:
    """The report as plain text, readable aloud: no colour, no symbols."""
    lines = [f"{report.file}: {_headline(report, _)}"]
    for finding in report.findings:
        lines += _finding(finding, _)
    if report.head is not None:
        whole = report.verdict == "holds"
        of_all, of_part = _("size and root of the log: {size} {root}"), _("size and root of what holds: {size} {root}")
        text = of_all if whole else of_part
        lines.append("  " + _("game {game}").format(game=report.game))
        lines.append("  " + text.format(size=report.head.size, root=report.head.root))
    if report.trust:
        lines.append("  " + _("trust: {text}").format(text=report.trust))
    lines += ["  " + _("checked: {text}").format(text=text) for text in report.checked]
    lines += ["  " + _("not checked: {text}").format(text=text) for text in report.not_checked]
    return "\n".join(map(plain, lines))


def plain(text: str) -> str:
    """Text that a log, a file name or a decoder brought, with nothing in it that moves a cursor or reorders a line."""
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _finding(finding: Finding, _: Translate) -> list[str]:
    where = [] if finding.seq is None else [_("event {seq}").format(seq=finding.seq)]
    where += [_("fault: {fault}").format(fault=finding.fault)] if finding.fault else []
    where += [_("rule {clause}").format(clause=finding.clause)] if finding.clause else []
    kind = _("error") if finding.severity == "error" else _("notice")
    lines = [f"  {kind} {finding.code}" + (f" ({_(', ').join(where)})" if where else ""), f"    {finding.message}"]
    if finding.severity == "error":
        lines += ["    " + _("expected {text}").format(text=finding.expected)] if finding.expected else []
        lines += ["    " + _("found    {text}").format(text=finding.actual)] if finding.actual else []
    return lines


def _headline(report: Report, _: Translate) -> str:
    if report.kind == "evidence":
        return _("the evidence HOLDS") if report.verdict == "holds" else _("the evidence DOES NOT HOLD")
    if report.verdict == "holds":
        return _("HOLDS, {events}").format(events=counted(report.events, "event").message(_))
    if report.verdict == "unreadable":
        return _("COULD NOT BE READ as a log")
    if report.valid_prefix == report.events:
        return _("FAILS: its {events} events hold, but not with what was given beside them").format(
            events=report.events
        )
    text = _("FAILS at event {seq} of {events}; the events before it hold")
    return text.format(seq=report.valid_prefix, events=report.events)
