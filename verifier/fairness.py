"""Fairness of the dice of each roll, and its reason (specs/verification.md, "The report")."""

from collections.abc import Mapping

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
    voided = {roll.pending.seq: roll for roll in replay.voided}
    return {roll.roll: _fairness(roll, voided, replay.conduct, translate) for roll in (*settled, *opened)}


def _fairness(roll: RollRecord, voided: Mapping[int, VoidedRoll], conduct: Conduct, _: Translate) -> RollFairness:
    called_off = voided.get(roll.roll)
    reason = _reason(roll, called_off, conduct, _)
    gone = conduct.without.get(roll.roll, ())
    if gone:
        accepted = not conduct.unaccepted(roll.roll)
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
