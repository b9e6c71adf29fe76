"""How dice are told in explanations: what all systems say alike (specs/explanations.md, "The rules' steps")."""

from collections.abc import Iterator
from itertools import zip_longest

from rules.base import DieRecord, RollRecord, Told
from rules.language import N_
from rules.shared import Rerolled, RuledStep

__all__ = ["told_end", "told_naturals", "told_ruled"]

_ENDS = {
    "pending": N_("the dice have not been revealed"),
    "open": N_("the roll is not ended yet"),
    "void": N_("the roll is void: nothing comes of it"),
    "struck": N_("a judge ruled the roll void: nothing comes of it"),
    "abandoned": N_("{player} left: nothing comes of the roll"),
}


def told_naturals(die: DieRecord, shows: str, rerolls: str) -> Iterator[Told]:
    """The naturals of a die, each under its clause: `shows` the first, `rerolls` those that replaced it."""
    first, *later = die.naturals
    yield Told(shows, "die {die} shows {natural}", die=die.die, natural=first)
    sources = [step.source for step in getattr(die, "steps", ()) if isinstance(step, Rerolled)]
    for old, natural, source in zip_longest(die.naturals[: len(later)], later, sources):
        text = N_("die {die}, which showed {old}, is rerolled and shows {natural}")
        if source:
            text = N_("die {die}, which showed {old}, is rerolled ({source}) and shows {natural}")
        yield Told(rerolls, text, die=die.die, old=old, source=source, natural=natural)


def told_ruled(die: DieRecord) -> Iterator[Told]:
    """The result that a judge gave a die, if one did and no reroll has set it aside."""
    steps = getattr(die, "steps", ())
    rerolls = [number for number, step in enumerate(steps, 1) if isinstance(step, Rerolled)]
    for step in steps[max(rerolls, default=0) :]:
        if isinstance(step, RuledStep):
            yield Told(None, "a judge ruled: the result of die {die} is {result}", die=die.die, result=step.ruled)


def told_end(roll: RollRecord) -> Iterator[Told]:
    """How a roll stands, where it has not come to its end."""
    if roll.status in _ENDS:
        yield Told(None, _ENDS[roll.status], player=roll.player)
