"""The report of a verification, for programs and for people (specs/verification.md, "The report")."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from rules import Phase
from rules.data.language import Translate, counted
from rules.data.text import isolated, plain
from verifier.errors import Finding
from verifier.fairness import RollFairness
from verifier.language import join_names, join_sentences
from verifier.replay import Replay

__all__ = [
    "VERDICT_EXIT_CODES",
    "Head",
    "Report",
    "coverage",
    "headline",
    "not_judged",
    "render",
    "trust_statement",
]

VERDICT_EXIT_CODES = {"holds": 0, "fails": 1, "unreadable": 2, "unfinished": 3}


class Head(msgspec.Struct, frozen=True):
    """The tree head of the valid prefix. Two people who read the same to each other have the same log."""

    size: int
    leaf: str
    root: str


class Report(msgspec.Struct, frozen=True):
    """The report on one file. `to_builtins` gives the JSON of the specification."""

    file: str
    verdict: Literal["holds", "fails", "unreadable", "unfinished"]
    game: str | None
    events: int
    valid_prefix: int
    head: Head | None
    findings: tuple[Finding, ...]
    trust: str
    checked: tuple[str, ...]
    not_checked: tuple[str, ...]
    state: dict[str, Any] | None
    """the state after the valid prefix (specs/rules.md, "State")"""
    kind: Literal["log", "evidence", "event", "bundle", "roll"] = "log"
    """the kind of file"""
    rolls: dict[int, RollFairness] = {}
    """number of the request → whether the dice of the roll were fair, for the rolls that the state keeps"""

    @property
    def exit_code(self) -> int:
        """The exit code of a program that verifies this file only (verification.md, "Exit codes")."""
        return VERDICT_EXIT_CODES[self.verdict]

    @property
    def error(self) -> Finding | None:
        """The first error; None without one."""
        return next((finding for finding in self.findings if finding.severity == "error"), None)


def not_judged(
    name: str,
    verdict: Literal["unreadable", "unfinished"],
    code: str,
    message: str,
    _: Translate = str,
    *,
    game: str | None = None,
    events: int = 0,
    valid_prefix: int = 0,
) -> Report:
    """Return the report on a file that could not be opened, or whose verification could not be finished."""
    finding = Finding(code, "error", 0, None, None, None, message, None, None)
    nothing = _("Nothing in the file could be judged.")
    if valid_prefix:
        nothing = _("Anything from event {seq} on.").format(seq=valid_prefix)
    return Report(name, verdict, game, events, valid_prefix, None, (finding,), "", (), (nothing,), None)


def trust_statement(replay: Replay, _: Translate = str, *, holds: bool = True) -> str:
    """Return whose collusion could have chosen or predicted the dice, according to the log (step 25)."""
    parts = [_promise(replay, _), *_repeats(replay, _), *_changes(replay, _), *_ends(replay, _)]
    statement = join_sentences(parts, _)
    if holds:
        return statement
    text = _("This log does not hold. Up to event {last}: {statement}")
    return text.format(last=replay.size - 1, statement=statement)


def _promise(replay: Replay, _: Translate) -> str:
    """Return the statement about the dice of each set of contributors."""
    terms, session, sets = replay.terms, replay.session, replay.conduct.contributor_sets
    if not sets:
        sets = {replay.contributors(roller): 0 for roller in session.parties.present(*sorted(terms.rollers))}
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


def _repeats(replay: Replay, _: Translate) -> list[str]:
    """Return statements about parties that could have known dice and had them rolled again."""
    keeper, total = replay.terms.keeper, sum(voids.count for voids in replay.conduct.voids.values())
    judge, sentences = replay.terms.keepers_judge, []
    if judge is not None:
        text = _("{keeper} runs the judge {judge} too, and could have a roll called off whose dice it knew.")
        sentences.append(text.format(keeper=keeper, judge=judge))
    if not total:
        return sentences
    each = []
    for name, voids in replay.conduct.voids.items():
        closers = [closer for closer in replay.conduct.closers[name] if closer != name]
        text = _("{count} by {name} ({keeper} and {name} together could have known the dice first)")
        if closers:  # a judge voided: a closer that had opened could let it be said that it had not
            text = _("{count} by {name} ({keeper} with {name}, or with {closers}, could have known the dice first)")
        if name == judge:
            text = _("{count} by {name} ({keeper}, who runs {name}, could have known the dice first)")
        each.append(
            text.format(count=voids.count, name=name, keeper=keeper, closers=join_names(closers, _) if closers else "")
        )
    text = _("Called off before the dice were shown: {rolls}, {each}.")
    sentences.append(text.format(rolls=counted(total, "roll").message(_), each=_("; ").join(each)))
    for name, both in replay.conduct.opened_and_voided.items():
        text = _(
            "{name} opened for {rolls} that {name} voided: both are signed with {name}'s key, and who closes a roll "
            "does not do both."
        )
        sentences.append(text.format(name=name, rolls=counted(both.count, "roll").message(_)))
    for name, shown in replay.conduct.objections.items():
        text = _("{name} shows openings that {judge} called missing ({count}×, first in event {seq}).")
        sentences.append(text.format(name=name, judge=judge, count=shown.count, seq=shown.first))
    return sentences


def _new_keys(replay: Replay, _: Translate) -> Iterator[str]:
    """Yield statements about who goes on under a new key, and by whose word."""
    for seq, replaced in replay.conduct.replaced.items():
        party, by = replaced.party, replaced.by
        text = _("{party} goes on under a new key, by {party}'s recovery key (event {seq}).")
        if by:
            text = _(
                "{party} goes on under a new key, by the word of {names} (event {seq}): {party} may be somebody else "
                "now."
            )
        yield text.format(party=party, seq=seq, names=join_names(by, _) if by else "")


def _undone(replay: Replay, _: Translate) -> Iterator[str]:
    """Yield statements about results that a judge changed, and rolls that were undone after their dice were shown."""
    for judge, count in replay.conduct.corrected.items():
        text = _("The judge {judge} set results of dice ({count}×).")
        yield text.format(judge=judge, count=count.count)
    for judge, count in replay.conduct.struck.items():
        text = _("The judge {judge} ruled rolls void ({count}×).")
        yield text.format(judge=judge, count=count.count)
    taken: dict[tuple[str, ...], list[int]] = {}
    for seq, roll in replay.conduct.taken_back.items():
        taken.setdefault(roll.by, []).append(seq)
    for by, seqs in taken.items():
        text = _("{names} together took back {rolls} after their dice were shown (first in event {seq}).")
        rolls = counted(len(seqs), "roll").message(_)
        yield text.format(names=join_names(by, _), rolls=rolls, seq=seqs[0])


def _changes(replay: Replay, _: Translate) -> list[str]:
    """Return statements about changes by somebody's word: to the parties at the table, and to results."""
    sentences = []
    for party, (seq, by_host, organizer) in replay.conduct.late.items():
        text = _("{party} came later, by the host's word (event {seq}).")
        if organizer is not None:
            text = _("{party} came later, appointed by {organizer}, an organizer of the event (event {seq}).")
        elif not by_host:
            text = _("{keeper} let {party} in later, alone (event {seq}): {party} may be {keeper}'s own hand.")
        sentences.append(text.format(keeper=replay.terms.keeper, party=party, seq=seq, organizer=organizer))
    sentences += _new_keys(replay, _)
    for party, (author, seq) in replay.conduct.removed.items():
        text = _("{author} took {party} out of the game (event {seq}).")
        sentences.append(text.format(author=author, party=party, seq=seq))
    for party, (author, count) in replay.conduct.signed_away.items():
        text = _("{author} signed {party} away ({count}×, first in event {seq}).")
        sentences.append(text.format(author=author, party=party, count=count.count, seq=count.first))
    for party, (count, accepted) in replay.conduct.made_without().items():
        text = _("Made without {party}, whom somebody else had signed away: {rolls}; {party} has accepted {accepted}.")
        sentences.append(text.format(party=party, rolls=counted(count.count, "roll").message(_), accepted=accepted))
    sentences += _undone(replay, _)
    for (holder, author), count in replay.conduct.secret.items():
        text = _("{holder} rolled {rolls} in secret and showed {shown}: {holder} alone chose which.")
        if author != holder:
            text = _(
                "{author} asked for {rolls} blind, which {holder} alone saw; {holder} showed {shown} and alone chose "
                "which."
            )
        shown, rolls = replay.conduct.shown_secret.get((holder, author), 0), counted(count.count, "roll").message(_)
        sentences.append(text.format(author=author, holder=holder, rolls=rolls, shown=shown))
    return sentences


def _ends(replay: Replay, _: Translate) -> list[str]:
    """Return statements about what came before event 0 and what was left at the end."""
    sentences = []
    left = replay.conduct.left_waiting
    if left is not None:
        text = _("{keeper}, who could have known its dice, closed the game before the roll of {roller} had any.")
        sentences.append(text.format(keeper=replay.terms.keeper, roller=left.pending.roller))
    continued = replay.terms.continues
    if continued is not None:
        text = _("This game goes on from game {game}: look at that log too.")
        sentences.append(text.format(game=continued.game[:12]))
    return sentences


def coverage(
    replay: Replay | None, error: Finding | None, _: Translate = str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return in words what was checked and what was not."""
    if replay is None or replay.size == 0:
        return (), (_("Nothing in the file could be judged."),)
    rolls = sum(replay.conduct.contributor_sets.values())
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
    if error is not None and error.seq is not None:
        text = _("Anything from event {seq} on: it rests on an event that does not hold.")
        not_checked.append(text.format(seq=error.seq))
    roster = replay.pins.roster
    if roster is not None:
        text = _("Whose keys these are: by version {version} of the roster of {event}.")
        checked.append(text.format(version=roster.version, event=isolated(roster.event)))
    pinned = {key.name for key in replay.pins.keys if key.name not in replay.terms.former}
    unpinned = [name for name in replay.terms.roles if name not in pinned and roster is None]
    if unpinned:
        text = _("Whose keys these are: compare the keys of {names} with what they gave you, or verify with those.")
        not_checked.append(text.format(names=join_names([_named(replay, name) for name in unpinned], _)))
    if replay.session.phase is not Phase.CLOSED or replay.sealed < replay.size - 1:
        text = _("Whether events are missing at the end: compare size and root with the keeper's or another copy.")
        not_checked.append(text)
    not_checked.append(_("Whether what was said at the table is what was signed, and whether the clocks were right."))
    return tuple(checked), tuple(not_checked)


def _named(replay: Replay, name: str) -> str:
    """Return the name of a key with its party's called name."""
    called = replay.terms.called.get(name)
    return name if called is None else isolated(f"{name} ({called})")


def render(report: Report, _: Translate = str, below: Callable[[Finding], Sequence[str]] = lambda _finding: ()) -> str:
    """Return the report as plain text that can be read aloud, without colours and symbols.

    `below` returns what stands below a finding.
    """
    lines = [f"{isolated(report.file)}: {headline(report, _)}"]
    for finding in report.findings:
        lines += [*_finding(finding, _), *(f"    {text}" for text in below(finding))]
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


def _finding(finding: Finding, _: Translate) -> list[str]:
    where = [] if finding.seq is None else [_("event {seq}").format(seq=finding.seq)]
    where += [_("fault: {fault}").format(fault=finding.fault)] if finding.fault else []
    where += [_("rule {clause}").format(clause=finding.clause)] if finding.clause else []
    kind = _("error") if finding.severity == "error" else _("notice")
    lines = [f"  {kind} {finding.code}" + (f" ({_(', ').join(where)})" if where else ""), f"    {finding.message}"]
    if finding.severity == "error":
        lines += ["    " + _("expected {text}").format(text=isolated(finding.expected))] if finding.expected else []
        lines += ["    " + _("found    {text}").format(text=isolated(finding.actual))] if finding.actual else []
    return lines


def headline(report: Report, _: Translate) -> str:
    """Return the verdict in words."""
    if report.kind == "evidence":
        return (
            _("the evidence HOLDS (it is proof)")
            if report.verdict == "holds"
            else _("the evidence DOES NOT HOLD (it proves nothing)")
        )
    if report.kind == "roll":
        return (
            _("the proof of a roll HOLDS")
            if report.verdict == "holds"
            else _("the proof of a roll DOES NOT HOLD (it shows nothing)")
        )
    if report.verdict == "holds":
        return _("HOLDS (all in order), {events}").format(events=counted(report.events, "event").message(_))
    if report.verdict == "unreadable":
        return _("COULD NOT BE READ as a log")
    if report.verdict == "unfinished":
        return _("COULD NOT BE FINISHED: whether it holds is not known")
    if report.kind == "bundle" and report.valid_prefix == report.events:
        return _("FAILS (something is wrong): the event's log holds, and not all that lies with it")
    if report.valid_prefix == report.events:
        return _(
            "FAILS (something is wrong): its {events} events hold, but not with what was given beside them"
        ).format(events=report.events)
    text = _("FAILS (something is wrong) at event {seq} of {events}; the events before it hold")
    return text.format(seq=report.valid_prefix, events=report.events)
