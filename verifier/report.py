"""The report of a verification, for programs and for people (specs/verification.md, "The report")."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from rules import Phase
from rules.data.language import counted
from rules.data.text import isolated, plain
from verifier.dice.voided import VoidedRoll
from verifier.errors import Finding
from verifier.language import Translate, join_names, join_sentences
from verifier.log.conduct import LateArrival, Replacement
from verifier.replay import Replay

__all__ = [
    "VERDICT_EXIT_CODES",
    "Head",
    "Report",
    "coverage",
    "headline",
    "not_judged",
    "notices",
    "render",
    "shown_naturals",
    "trust_statement",
    "would_have_shown",
]

MAX_SHOWN_ROLLS = 5
"""the latest voided rolls of one party of which a notice says what they would have shown"""
MAX_SHOWN_DICE = 20
"""dice that a notice lists for one roll"""
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
    kind: Literal["log", "evidence", "event", "bundle", "roll"] = "log"
    """the kind of file"""

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
        text = _("The judge {judge} corrected results ({count}×).")
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


def notices(
    replay: Replay, _: Translate = str, *, ended: bool, taken: int = 0, offer: Finding | None = None
) -> tuple[Finding, ...]:
    """Return the notices of a log (step 24).

    With `ended`, the valid prefix is the whole log. `taken` is the number of events that receipts show the keeper
    accepted. `offer` is the notice for a line that was offered behind the log.
    """
    found = [*_at_the_end(replay, max(taken, replay.sealed + 1), _)] if ended else []
    found += [] if offer is None else [offer]
    continued = replay.terms.continues
    if continued is not None:
        text = _("By its keeper's word this game goes on from game {game}, after its {events}, root {root}.")
        events = counted(continued.size, "event").message(_)
        text = text.format(game=continued.game, events=events, root=continued.root)
        found.insert(0, _notice("game.continues", text, 0))
    return (*found, *_in_its_course(replay, _))


def _notice(code: str, message: str, seq: int | None = None, fault: str | None = None) -> Finding:
    return Finding(code, "notice", 24, seq, fault, None, message)


def _at_the_end(replay: Replay, taken: int, _: Translate) -> Iterator[Finding]:
    """Yield notices about what a continued log would still contain."""
    keeper, pending = replay.terms.keeper, replay.pending
    if replay.session.phase is not Phase.CLOSED:
        text = _("The game is not closed: it may go on, or its end may be missing from this file.")
        yield _notice("log.unfinished", text)
    if pending is not None and replay.session.phase is Phase.PENDING:
        others = join_names([name for name in pending.contributors if name != keeper], _)
        text = _(
            "The roll that {roller} asked for in event {seq} has no dice here: it waits for the openings of {others}, "
            "and then for {keeper} to reveal it. {closer} may call it off before opening; otherwise a judge voids it."
        )
        names = {"roller": pending.roller, "others": others, "keeper": keeper, "closer": pending.closer}
        yield _notice("log.pending", text.format(seq=pending.seq, **names), pending.seq)
    if replay.session.phase is Phase.VOIDED:
        text = _("A roll was voided, and {keeper}, the keeper, has not yet disclosed what was opened for it.")
        yield _notice("log.undisclosed", text.format(keeper=keeper), replay.size - 1)
    if taken < replay.size:
        text = _(
            "{keeper}, the keeper, has not signed over what stands from event {seq} on; only the authors vouch for it."
        )
        yield _notice("log.unsealed", text.format(keeper=keeper, seq=taken), taken)


def _in_its_course(replay: Replay, _: Translate) -> Iterator[Finding]:
    """Yield notices about matters that somebody should examine."""
    yield from _rolls_without_dice(replay, _)
    seals = replay.session.seals
    holders = [name for name in replay.terms.roles if name in seals and seals[name].secret]
    for name in sorted(holders, key=lambda name: min(seals[name].secret)):
        rolls = counted(len(seals[name].secret), "roll").message(_)
        text = _("{name} has not shown {rolls} that {name} holds in secret: only {name} knows the dice.")
        yield _notice("roll.unshown", text.format(name=name, rolls=rolls), min(seals[name].secret))
    yield from _undone_rolls(replay, _)
    for party, late in replay.conduct.late.items():
        sentences = _admitted(replay, party, late, _)
        yield _notice("party.admitted", join_sentences(sentences, _), late.seq)
    for seq, replaced in replay.conduct.replaced.items():
        yield _notice("party.replaced", _replaced(replaced, _), seq)
    for party, (author, seq) in replay.conduct.removed.items():
        text = _("{author} took {party} out of the game: {party} has no part in later dice.")
        yield _notice("party.removed", text.format(author=author, party=party), seq)
    for seq, (party, request) in replay.conduct.left_owing.items():
        text = _(
            "When {party} left, {party} still owed the roll of event {request}: it was voided, and never made again."
        )
        yield _notice("roll.owed", text.format(party=party, request=request), seq)
    for party, (author, away) in replay.conduct.signed_away.items():
        text = _("{author} signed {party} away ({count}×): while away {party} has no part in the dice.")
        yield _notice("party.away", text.format(author=author, party=party, count=away.count), away.first)
    for party, (count, accepted) in replay.conduct.made_without().items():
        text = _(
            "Made without {party}, whom somebody else had signed away: {rolls}. {party} has accepted {accepted} of "
            "them; the others count in no luck and no season."
        )
        rolls = counted(count.count, "roll").message(_)
        yield _notice("roll.without", text.format(party=party, rolls=rolls, accepted=accepted), count.first)


def _undone_rolls(replay: Replay, _: Translate) -> Iterator[Finding]:
    """Yield notices about what judges ruled, and about each roll that was taken back."""
    for name, struck in replay.conduct.struck.items():
        text = _("The judge {name} ruled rolls void ({count}×).")
        yield _notice("roll.struck", text.format(name=name, count=struck.count), struck.first)
    for seq, roll in replay.conduct.taken_back.items():
        text = _(
            "{names} together took back the roll that {roller} had asked for in event {request}; its dice showed "
            "{naturals}."
        )
        values = {"names": join_names(roll.by, _), "roller": roll.roller, "request": roll.request}
        yield _notice("roll.taken-back", text.format(**values, naturals=cut_naturals(roll.naturals)), seq)
    for name, corrected in replay.conduct.corrected.items():
        text = _("The judge {name} put other results in the place of those that the dice gave ({count}×).")
        yield _notice("roll.corrected", text.format(name=name, count=corrected.count), corrected.first)


def _replaced(replaced: Replacement, _: Translate) -> str:
    """Return by whose word a party goes on under a new key."""
    party, by = replaced.party, replaced.by
    if replaced.word == "recovery":
        text = _("{party} goes on under a new key: {party}'s recovery key signed for it.")
        return text.format(party=party)
    if replaced.word == "others":
        text = _("{party} goes on under a new key: {names} consented to it. {party} may be somebody else now.")
        return text.format(party=party, names=join_names(by, _))
    text = _(
        "{party} goes on under a new key: {organizer}, an organizer of the event, corrected the key, and the judge "
        "{judge} had signed {party} away. {party} may be somebody else now."
    )
    return text.format(party=party, organizer=by[0], judge=by[1])


def _admitted(replay: Replay, party: str, late: LateArrival, _: Translate) -> Iterator[str]:
    """Yield sentences about how a party joined later, and whether the others have consented."""
    if late.organizer is not None:
        text = _("{keeper}, the keeper, let {party} in as a judge: {organizer}, an organizer of the event, signed it.")
        yield text.format(keeper=replay.terms.keeper, party=party, organizer=late.organizer)
        return
    text = _("{keeper}, the keeper, let {party} in by the host's word.")
    if not late.by_host:
        text = _("{keeper}, the keeper, let {party} in alone: {party} may be {keeper}'s own hand.")
    yield text.format(keeper=replay.terms.keeper, party=party)
    settled = replay.session.parties.late[party].settled
    text = _("Everybody who was to consent has (event {seq}).")
    if settled is None:
        text = _("Not everybody has consented, so {party} has no say in what the others decide.")
    yield text.format(party=party, seq=settled)


def _rolls_without_dice(replay: Replay, _: Translate) -> Iterator[Finding]:
    left = replay.conduct.left_waiting
    if left is not None:
        text = _("{by} closed the game while the roll that {roller} asked for waited: it was left without dice.")
        text = text.format(by=left.by, roller=left.pending.roller) + would_have_shown(left, _)
        yield _notice("roll.left", text, left.pending.seq)
    for name, voids in replay.conduct.voids.items():
        text = _("{name} voided {rolls}.").format(name=name, rolls=counted(voids.count, "roll").message(_))
        missing = replay.conduct.named_missing[name]
        if missing:
            said = _("Who had not opened, by {name}'s word: {missing}.").format(
                name=name, missing=join_names(missing, _)
            )
            text = join_sentences([text, said], _)
        known = [roll for roll in replay.voided if roll.by == name and roll.how == "void" and roll.naturals]
        if known:
            shown = _("; ").join(_shown(roll, _) for roll in known[-MAX_SHOWN_ROLLS:])
            text = join_sentences(
                [text, _("As far as is known they would have shown: {rolls}.").format(rolls=shown)], _
            )
        yield _notice("roll.voids", text, voids.first)
    for name, both in replay.conduct.opened_and_voided.items():
        text = _(
            "{name} opened for {rolls} that {name} voided: the keeper's disclose has the opening. Both are signed with "
            "{name}'s key, and who closes a roll does not do both: {keeper}, the keeper, and {name} together could "
            "have known the dice first. Ask {name} who has that key."
        )
        sentence = text.format(name=name, rolls=counted(both.count, "roll").message(_), keeper=replay.terms.keeper)
        yield _notice("void.opened", sentence, both.first, name)
    for name, objections in replay.conduct.objections.items():
        text = _(
            "{name} shows openings that {judge} called missing ({count}×). Either {keeper}, who runs {judge}, had "
            "them, and knew the dice when the roll was called off, or they were lost on their way. Ask both, and "
            "whoever has a receipt for one."
        )
        values = {"judge": replay.terms.keepers_judge, "keeper": replay.terms.keeper}
        yield _notice("void.objected", text.format(name=name, count=objections.count, **values), objections.first)
    undisclosed = replay.pending.seq if replay.session.phase is Phase.VOIDED and replay.pending else None
    unknown = replay.voided.hidden(but=undisclosed)
    for name in sorted((name for name in replay.terms.roles if name in unknown), key=lambda name: unknown[name].first):
        hidden = unknown[name]
        text = _("{rolls} without dice and without the link of {name}: what would have been shown is not known.")
        text = text.format(rolls=counted(hidden.count, "roll").message(_), name=name)
        yield _notice("roll.hidden", text, hidden.first)


def _shown(roll: VoidedRoll, _: Translate) -> str:
    """Return what a voided roll would have shown, such as `11, 4 (event 7)`."""
    return _("{naturals} ({event})").format(
        naturals=shown_naturals(roll), event=_("event {seq}").format(seq=roll.pending.seq)
    )


def shown_naturals(roll: VoidedRoll) -> str:
    """Return what a voided roll would have shown, cut to MAX_SHOWN_DICE; empty if it is not known."""
    return cut_naturals(roll.naturals)


def cut_naturals(naturals: Sequence[int]) -> str:
    """Return the naturals as text, cut to MAX_SHOWN_DICE."""
    more = [] if len(naturals) <= MAX_SHOWN_DICE else ["…"]
    return ", ".join([*map(str, naturals[:MAX_SHOWN_DICE]), *more])


def would_have_shown(roll: VoidedRoll, _: Translate = str) -> str:
    """Return a sentence about a voided roll, with a blank before it; empty if its dice are not known."""
    if not roll.naturals:
        return ""
    text = _("It would have shown {naturals}.").format(naturals=shown_naturals(roll))
    return _(" ") + text


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
        text = _("Anything from event {seq} on: it stands on an event that does not hold.")
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


def render(report: Report, _: Translate = str) -> str:
    """Return the report as plain text that can be read aloud, without colours and symbols."""
    lines = [f"{isolated(report.file)}: {headline(report, _)}"]
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
    if report.valid_prefix == report.events:
        return _(
            "FAILS (something is wrong): its {events} events hold, but not with what was given beside them"
        ).format(events=report.events)
    text = _("FAILS (something is wrong) at event {seq} of {events}; the events before it hold")
    return text.format(seq=report.valid_prefix, events=report.events)
