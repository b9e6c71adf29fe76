"""The rolls of a log, one on each line: player, purpose, dice, and whether the roll was fair and why."""

from collections.abc import Iterator, Mapping

from rules.common.shared import RuledStep
from rules.data.text import isolated
from rules.records import RollRecord
from verifier.dice.voided import VoidedRoll
from verifier.language import Translate, join_names
from verifier.log.conduct import Conduct
from verifier.replay import Replay
from verifier.shell.display import roll_text

__all__ = ["roll_lines"]


def roll_lines(replay: Replay, translate: Translate = str) -> list[str]:
    """Return the rolls of the valid prefix: a sentence that explains what fair means, and a line for each roll.

    Rolls that the state does not keep are only counted (specs/rules.md, "State").
    """
    _ = translate
    system = replay.session.system
    settled, opened = system.rolls(replay.session.game)
    rolls = [*settled, *opened]
    if not rolls:
        return ["  " + _("Nothing was rolled.")]
    voided = {roll.pending.seq: roll for roll in replay.voided}
    lines = [_what_fair_means(replay, _)] if any(roll.dice for roll in rolls) else []
    revealed = sum(replay.conduct.contributor_sets.values())
    earlier = revealed - sum(1 for roll in rolls if roll.dice or roll.status == "sealed")
    if earlier > 0:
        lines.append(_("Only the latest rolls are shown; of fair ones before them: {count}.").format(count=earlier))
    each = _each(replay, rolls, voided, _)
    return [*(f"  {line}" for line in lines), *(f"    {line}" for line in each)]


def _what_fair_means(replay: Replay, _: Translate) -> str:
    sets = list(replay.conduct.contributor_sets)
    if len(sets) != 1:
        return _("Fair: the dice follow from secrets that each contributor had fixed before. Who they are: see trust.")
    text = _(
        "Fair: the dice follow from secrets that {names} had fixed before; nobody could choose them unless "
        "all of these worked together."
    )
    return text.format(names=join_names(sets[0], _))


def _each(replay: Replay, rolls: list[RollRecord], voided: Mapping[int, VoidedRoll], _: Translate) -> Iterator[str]:
    system, conduct = replay.session.system, replay.conduct
    for roll in rolls:
        text = _("roll {roll}, {player}, {source}: {dice}") if roll.source else _("roll {roll}, {player}: {dice}")
        dice, source = roll_text(roll, system, _), isolated(_(roll.source)) if roll.source else ""
        line = text.format(roll=roll.roll, player=roll.player, source=source, dice=dice)
        fair = _fairness(roll, voided.get(roll.roll), conduct, _)
        gone = conduct.without.get(roll.roll, ())
        if gone:
            accepted = not conduct.unaccepted(roll.roll)
            text = _("{fair}; without {names}, who accepted it") if accepted else _("{fair}; without {names}")
            fair = text.format(fair=fair, names=join_names(gone, _))
        yield _("{roll}: {fair}").format(roll=line, fair=fair)


def _fairness(roll: RollRecord, voided: VoidedRoll | None, conduct: Conduct, _: Translate) -> str:
    """Return whether a roll was fair, and if not why."""
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
