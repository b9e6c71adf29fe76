"""Magic 706.6: dice that are ignored, and the demands that ask for it (specs/mtg.md, "Clauses")."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from rules.language import N_
from rules.mtg.state import Demand, Die, Done, Roll
from rules.shared import find_die, refuse

__all__ = ["ignored"]

_NOT_THE = {
    frozenset({"lowest"}): N_("the result of die {die} is {result}; only a die that is the lowest can be ignored"),
    frozenset({"highest"}): N_("the result of die {die} is {result}; only a die that is the highest can be ignored"),
    frozenset({"lowest", "highest"}): N_(
        "the result of die {die} is {result}; only a die that is the highest or lowest can be ignored"
    ),
}


def ignored(roll: Roll, numbers: Sequence[int]) -> Roll:
    """The roll with these dice ignored, one after the other. Raises Violation 706.6."""
    dice, counted = list(roll.dice), _Counted(roll)
    demands = list(roll.demands)
    for number in numbers:
        die = find_die(dice, number, "706.6")
        if not die.counted:
            refuse("706.6", "die {die} is ignored already", die=number)
        demands = _without_one(roll, demands, die, counted)
        counted.remove(die)
        dice[number - 1] = replace(die, status="ignored")
        if not counted.left:
            demands = []
    course = (*roll.course, Done("ignored", tuple(numbers)))
    return replace(roll, dice=tuple(dice), demands=tuple(demands), course=course)


class _Counted:
    """The results of the dice that still count: which are the extremes, however many go."""

    def __init__(self, roll: Roll) -> None:
        self._results = Counter(die.result for die in roll.counted if die.result is not None)
        self._order = sorted(self._results)
        self._ends = {"lowest": 0, "highest": -1}
        self.left = len(roll.counted)

    def is_the(self, which: Literal["lowest", "highest"], die: Die) -> bool:
        while not self._results[self._order[self._ends[which]]]:
            self._ends[which] += 1 if which == "lowest" else -1
        return die.result == self._order[self._ends[which]]

    def remove(self, die: Die) -> None:
        self.left -= 1
        if die.result is not None:
            self._results[die.result] -= 1


def _without_one(roll: Roll, demands: list[Demand], die: Die, counted: _Counted) -> list[Demand]:
    """The demands without the one that this die meets: the first that is not `any`, else the first."""
    if not demands:
        refuse("706.6", "nothing tells {player} to ignore die {die}", player=roll.player, die=die.die)
    kinds = {demand.which for demand in demands}
    met = {which for which in kinds if which == "any" or counted.is_the(which, die)}
    if not met:
        refuse("706.6", _NOT_THE[frozenset(kinds)], die=die.die, result=die.result)
    first = next(i for i, demand in enumerate(demands) if demand.which in (met - {"any"} or met))
    count = demands[first].count - 1
    left = [replace(demands[first], count=count)] if count else []
    return [*demands[:first], *left, *demands[first + 1 :]]
