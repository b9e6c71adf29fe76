"""The rolls of a log, one on each line: player, purpose, dice, and whether the roll was fair and why."""

from collections.abc import Iterator

from rules.data.language import Translate
from rules.data.text import isolated
from rules.records import RollRecord
from verifier.fairness import fairness_of_rolls
from verifier.language import join_names
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
    lines = [_what_fair_means(replay, _)] if any(roll.dice for roll in rolls) else []
    kept = {roll.roll for roll in rolls}
    earlier = sum(number not in kept for number in replay.conduct.rolls)
    if earlier:
        lines.append(_("Only the latest rolls are shown; of fair ones before them: {count}.").format(count=earlier))
    each = _each(replay, rolls, _)
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


def _each(replay: Replay, rolls: list[RollRecord], _: Translate) -> Iterator[str]:
    system, fairness = replay.session.system, fairness_of_rolls(replay, _)
    for roll in rolls:
        text = _("roll {roll}, {player}, {source}: {dice}") if roll.source else _("roll {roll}, {player}: {dice}")
        dice, source = roll_text(roll, system, _), isolated(_(roll.source)) if roll.source else ""
        line = text.format(roll=roll.roll, player=roll.player, source=source, dice=dice)
        yield _("{roll}: {fair}").format(roll=line, fair=fairness[roll.roll].reason)
