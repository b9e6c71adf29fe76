"""The notices of a report, which do not change its verdict (specs/verification.md, step 24)."""

from collections.abc import Iterator, Sequence

from rules import Phase
from rules.data.language import Translate, counted
from verifier.dice.voided import VoidedRoll
from verifier.errors import Finding
from verifier.language import join_names, join_sentences
from verifier.log.conduct import LateArrival, Replacement
from verifier.replay import Replay

__all__ = ["notices", "shown_naturals"]

MAX_SHOWN_ROLLS = 5
"""the latest voided rolls of one party of which a notice says what they would have shown"""
MAX_SHOWN_DICE = 20
"""dice that a notice lists for one roll"""


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
        text = _("The keeper says that this game goes on from game {game}, after its {events}, root {root}.")
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
            "The roll that {roller} asked for in event {seq} has no dice here: it waits for the openings of "
            "{others}, and then for {keeper} to reveal it. {closer} may call it off before opening; a judge can "
            "void it."
        )
        names = {"roller": pending.roller, "others": others, "keeper": keeper, "closer": pending.closer}
        yield _notice("log.pending", text.format(seq=pending.seq, **names), pending.seq)
    if replay.session.phase is Phase.VOIDED:
        text = _("A roll was voided, and {keeper}, the keeper, has not yet disclosed what was opened for it.")
        yield _notice("log.undisclosed", text.format(keeper=keeper), replay.size - 1)
    if taken < replay.size:
        text = _(
            "{keeper}, the keeper, has not signed over the events from event {seq} on; only their authors vouch "
            "for them."
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
        text = _("The judge {judge} ruled rolls void ({count}×).")
        yield _notice("roll.struck", text.format(judge=name, count=struck.count), struck.first)
    for seq, roll in replay.conduct.taken_back.items():
        text = _(
            "{names} together took back the roll that {roller} had asked for in event {request}; its dice showed "
            "{naturals}."
        )
        values = {"names": join_names(roll.by, _), "roller": roll.roller, "request": roll.request}
        yield _notice("roll.taken-back", text.format(**values, naturals=cut_naturals(roll.naturals)), seq)
    for name, corrected in replay.conduct.corrected.items():
        text = _("The judge {judge} set results of dice ({count}×).")
        yield _notice("roll.corrected", text.format(judge=name, count=corrected.count), corrected.first)


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
    text = _("Everybody who had to consent has consented (event {seq}).")
    if settled is None:
        text = _("Not everybody has consented, so {party} has no say in what the others decide.")
    yield text.format(party=party, seq=settled)


def _rolls_without_dice(replay: Replay, _: Translate) -> Iterator[Finding]:
    left = replay.conduct.left_waiting
    if left is not None:
        text = _("{by} closed the game while the roll that {roller} asked for waited: it was left without dice.")
        text = text.format(by=left.by, roller=left.pending.roller) + _would_have_shown(left, _)
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
    undisclosed = replay.pending.seq if replay.pending else None
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


def _would_have_shown(roll: VoidedRoll, _: Translate = str) -> str:
    """Return a sentence about a voided roll, with a blank before it; empty if its dice are not known."""
    if not roll.naturals:
        return ""
    text = _("It would have shown {naturals}.").format(naturals=shown_naturals(roll))
    return _(" ") + text
