"""Steps of an explanation that all systems have in common (specs/explanations.md, "The rules' steps")."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rules.base import Reason
from rules.common.shared import Rerolled, RuledStep
from rules.data.language import N_, Listed, Message
from rules.records import DieRecord, RollRecord

__all__ = ["STILL_IGNORED", "explain_end", "explain_naturals", "explain_ruled", "few", "still_ignored"]

STILL_IGNORED = N_("die {die} was corrected, and still does not count: which dice count is not decided anew")

_ENDS = {
    "pending": N_("the dice have not been revealed"),
    "open": N_("the roll is not ended yet"),
    "void": N_("the roll is void: nothing comes of it"),
    "struck": N_("the roll was ruled void or taken back: nothing comes of it"),
    "abandoned": N_("{player} left: nothing comes of the roll"),
}


_FEW = 3
"""items of a list that are named; the others are only counted"""


def few(items: Sequence[Message | str]) -> Message:
    """Return `a, b and c`, or `a, b, c and 4 more`. At least one item is needed."""
    shown = list(items[:_FEW])
    if len(items) > _FEW:
        shown.append(Message("{count} more", count=len(items) - _FEW))
    if len(shown) == 1:
        return Listed(shown)
    return Message("{first} and {last}", first=Listed(shown[:-1]), last=shown[-1])


def explain_naturals(die: DieRecord, shows: str, rerolls: str) -> Iterator[Reason]:
    """Yield the naturals of a die: the first under the clause `shows`, each later one under `rerolls`."""
    first, *later = die.naturals
    yield Reason(shows, "die {die} shows {natural}", die=die.die, natural=first)
    sources = [step.source for step in getattr(die, "steps", ()) if isinstance(step, Rerolled)]
    for old, natural, source in zip_longest(die.naturals[: len(later)], later, sources):
        text = N_("die {die}, which showed {old}, is rerolled and shows {natural}")
        if source:
            text = N_("die {die}, which showed {old}, is rerolled ({source}) and shows {natural}")
        yield Reason(rerolls, text, die=die.die, old=old, source=source, natural=natural)


def explain_ruled(die: DieRecord) -> Iterator[Reason]:
    """Yield the result that a judge gave a die, unless a later reroll replaced it."""
    steps = getattr(die, "steps", ())
    rerolls = [number for number, step in enumerate(steps, 1) if isinstance(step, Rerolled)]
    for step in steps[max(rerolls, default=0) :]:
        if isinstance(step, RuledStep):
            yield Reason(None, "a judge ruled: the result of die {die} is {result}", die=die.die, result=step.ruled)


def still_ignored(dice: Sequence[DieRecord]) -> Iterator[int]:
    """Yield the ignored dice that a judge corrected, in systems where they stay ignored."""
    for die in dice:
        if die.status == "ignored" and any(isinstance(step, RuledStep) for step in getattr(die, "steps", ())):
            yield die.die


def explain_end(roll: RollRecord) -> Iterator[Reason]:
    """Yield the status of a roll that is not resolved."""
    if roll.status in _ENDS:
        yield Reason(None, _ENDS[roll.status], player=roll.player)
