"""Fairness of the dice of each roll, and its reason (specs/verification.md, "The report")."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from rules.common.shared import RuledStep
from rules.data.language import Translate
from rules.records import RollRecord
from verifier.dice.voided import VoidedRoll
from verifier.language import join_names
from verifier.log.conduct import Conduct
from verifier.replay import Replay

__all__ = ["RollFairness", "fairness_of_rolls"]


class RollFairness(Struct, frozen=True):
    """The fairness of one roll, with the reason for people."""

    fair: bool
    """whether the dice are known and follow from the secrets of the contributors; false where there are no dice"""
    reason: str
    """what happened to the roll, and without whom it was made"""


def fairness_of_rolls(replay: Replay, translate: Translate = str) -> dict[int, RollFairness]:
    """Return the rolls that the state keeps, by the number of their request, in the order of the log."""
    settled, opened = replay.session.system.rolls(replay.session.game)
    voided, without = {roll.pending.seq: roll for roll in replay.voided}, dict[int, list[int]]()
    for request in replay.conduct.without:
        without.setdefault(replay.conduct.rerolled.get(request, request), []).append(request)
    return {
        roll.roll: _fairness(roll, voided, replay.conduct, without.get(roll.roll, ()), translate)
        for roll in sorted((*settled, *opened), key=lambda each: each.roll)
    }


def _fairness(
    roll: RollRecord, voided: Mapping[int, VoidedRoll], conduct: Conduct, without: Sequence[int], _: Translate
) -> RollFairness:
    """`without` are the requests of the roll and its rerolls in which somebody had no part."""
    called_off = voided.get(roll.roll)
    reason = _reason(roll, called_off, conduct, _)
    gone = list(dict.fromkeys(name for request in without for name in conduct.without[request]))
    if gone:
        accepted = not any(conduct.unaccepted(request) for request in without)
        text = _("{fair}; without {names}, who accepted it") if accepted else _("{fair}; without {names}")
        reason = text.format(fair=reason, names=join_names(gone, _))
    return RollFairness(called_off is None and bool(roll.dice), reason)


def _reason(roll: RollRecord, voided: VoidedRoll | None, conduct: Conduct, _: Translate) -> str:
    if voided is not None:
        return _("no dice, {party} called it off").format(party=voided.by)
    if roll.status == "sealed":
        return _("rolled in secret, and not shown")
    if not roll.dice:
        return _("no dice yet") if roll.status == "pending" else _("no dice")
    if roll.status == "shown":
        return _("fair; rolled in secret, and shown because its holder chose to")
    taken = next((each for each in conduct.taken_back.values() if each.request == roll.roll), None)
    if taken is not None:
        return _("the dice were fair; {names} took the roll back").format(names=join_names(taken.by, _))
    if roll.status == "struck":
        return _("the dice were fair; a judge ruled the roll void")
    if any(isinstance(step, RuledStep) for die in roll.dice for step in getattr(die, "steps", ())):
        return _("the dice were fair; a judge put another result in their place")
    return _("fair")
