"""The state of a game. Immutable; throws are computed from the dice (specs/t9a.md, "State")."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Literal

import msgspec

from rules.common.shared import FirstStands, Rerolled, RuledStep, Tally, d3, succeeds, weight
from rules.history import History
from rules.records import RollStatus
from rules.systems.t9a.bodies import Of, Which

Kind = Literal["d6", "d3", "arrow", "face", "bearing"]

SIDES: Mapping[Kind, int] = {"d6": 6, "d3": 6, "arrow": 360, "face": 6, "bearing": 360}


def _same(natural: int) -> int:
    return natural


def _degrees(natural: int) -> int:
    """Return the direction of a natural in degrees, with a full circle as 0 (T7.1)."""
    return natural % 360


def _arrow_side(natural: int) -> int:
    """Return the side that is the arrow: the 1, or the central dot of the 5 if the 1 is on top or below (T7.2)."""
    return 5 if natural in (1, 6) else 1


VALUE: Mapping[Kind, Callable[[int], int]] = {
    "d6": _same,
    "d3": d3,
    "arrow": _degrees,
    "face": _arrow_side,
    "bearing": _degrees,
}
"""kind of die → function from its natural to its result"""


class Die(msgspec.Struct, frozen=True):
    """A die of a throw, with its naturals and its result."""

    die: int
    throw: int
    kind: Kind
    sides: int
    naturals: tuple[int, ...]
    status: Literal["counted", "ignored"]
    """`ignored` means dropped (T6.5)"""
    result: int
    steps: tuple[Rerolled | FirstStands | RuledStep, ...] = ()

    @property
    def natural(self) -> int:
        """The last natural, or the first if that was allowed to stand (T4.3).

        It is before modifiers, and for a D3 before halving (T3.1, T5.2).
        """
        if len(self.naturals) == 1:
            return self.naturals[0]
        first = any(isinstance(step, FirstStands) for step in self.steps)
        return self.naturals[0 if first else 1]  # no die is rerolled twice (T4.1)

    @property
    def kept(self) -> bool:
        """True if the die counts, because Maximised or Minimised did not drop it (T6.5)."""
        return self.status == "counted"

    @property
    def rerolled(self) -> bool:
        """True if the die was rerolled, which happens once at most (T4.1)."""
        return len(self.naturals) > 1


class AppliedModifier(msgspec.Struct, frozen=True):
    """A modifier of a roll, which adds to totals or multiplies them."""

    source: str
    by: str
    late: bool
    """whether it was brought after the dice were revealed"""
    add: int | None = None
    multiply: int | None = None

    def applied(self, value: int) -> int:
        """Return the value after the modifier."""
        return value + (self.add or 0) if self.multiply is None else value * self.multiply


class Rule(msgspec.Struct, frozen=True):
    """A reroll rule of a roll (T4)."""

    rule: int
    source: str
    by: str
    late: bool
    which: Which
    naturals: tuple[int, ...]
    may: bool
    pick: int | None
    dropped: bool
    """whether dropped dice are rerolled too (T6.5)"""
    first: bool
    """whether the first result may stand (T4.3)"""
    rerolled: int = 0
    """the number of pieces that it has rerolled"""

    @property
    def left(self) -> int | None:
        """The number of pieces that it may still reroll; None without a limit (T4.2)."""
        return None if self.pick is None else self.pick - self.rerolled

    @property
    def judged(self) -> bool:
        """True if it concerns throws that failed or that succeeded."""
        return self.which in ("failed", "successful")

    @property
    def words(self) -> str:
        """The dice that it concerns, such as `failed` or `natural 1 or 2`."""
        return f"natural {' or '.join(map(str, self.naturals))}" if self.which == "natural" else self.which


class Piece(msgspec.Struct, frozen=True):
    """Dice that are rerolled together: a throw, the part of a throw that a rule concerns, or a single die (T4.2)."""

    throw: int | None
    """the number of the throw; None if the piece is a single die"""
    dice: tuple[int, ...]
    """the numbers of the dice, in ascending order"""

    @property
    def number(self) -> int:
        """The number by which players choose it: that of the throw, or of the die."""
        return self.dice[0] if self.throw is None else self.throw


class First(msgspec.Struct, frozen=True):
    """A piece whose first result may stand, by the rule with this number (T4.3)."""

    rule: int
    piece: Piece


class Source(msgspec.Struct, frozen=True):
    """The earlier results for which a roll's throws are made (T1.5)."""

    which: Of
    roll: int
    count: int


class Target(msgspec.Struct, frozen=True):
    """The number that a total is compared with."""

    text: str
    number: int
    low: bool
    """whether the target is `N-`, so that low totals succeed"""

    def met(self, total: int) -> bool:
        """Return whether a total succeeds."""
        return total <= self.number if self.low else succeeds(total, self.number)


class DecisiveNaturals(msgspec.Struct, frozen=True):
    """Naturals that decide a throw of one kept die (T3). Rolls with more dice have none."""

    success: tuple[int, ...] = ()
    failure: tuple[int, ...] = ()


class DiceThrow(msgspec.Struct, frozen=True):
    """One dice roll in the sense of the printed rules, with its current outcome."""

    throw: int
    kept: tuple[int, ...]
    dropped: tuple[int, ...]
    sum: int | None
    total: int | None
    success: bool | None
    degrees: int | None
    face: int | None


class Roll(msgspec.Struct, frozen=True, dict=True):
    """A roll of one or more throws, pending, open or settled."""

    roll: int
    player: str
    source: str
    notation: str
    kinds: tuple[Kind, ...]
    """the kinds of the dice of one throw, including those that Maximised and Minimised add"""
    times: int
    maximised: tuple[str, ...]
    minimised: tuple[str, ...]
    modifiers: tuple[AppliedModifier, ...]
    target: Target | None
    always: DecisiveNaturals
    rules: tuple[Rule, ...]
    zero: str | None
    of: Source | None
    at_once: bool
    firsts: tuple[First, ...] = ()
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    # `dict=True` is needed only for cached_property.

    @property
    def direction(self) -> bool:
        """True if the dice show arrows or faces, so that they have no total."""
        return self.kinds[0] in ("arrow", "face")

    @property
    def net(self) -> int:
        """The instances of Maximised that are left after cancelling; below 0, the instances of Minimised (T6.4)."""
        return len(self.maximised) - len(self.minimised)

    @property
    def reach(self) -> int:
        """An upper bound of the absolute value of every total that the roll can have (T2.3)."""
        values = [6] if self.direction else [6, *(abs(die.result) for die in self.dice if die.kept)]
        reach = (len(self.kinds) - abs(self.net)) * max(values)
        for modifier in self.modifiers:
            reach = reach * modifier.multiply if modifier.multiply else reach + abs(modifier.add or 0)
        return reach

    def of_throw(self, throw: int) -> tuple[Die, ...]:
        """Return the dice of a throw; throws count from 1."""
        size = len(self.kinds)
        return self.dice[(throw - 1) * size : throw * size]

    @property
    def failures(self) -> int | None:
        """The number of throws that fail; None without a target or dice."""
        return None if self.successes is None else self.times - self.successes

    def total(self, sum_: int) -> int:
        """Return the total of a sum after the modifiers (T2.1)."""
        times, added = self._modified
        return sum_ * times + added

    @cached_property
    def _modified(self) -> tuple[int, int]:
        """The factor and the summand that all modifiers together amount to, so that many throws take one step each."""
        times, added = 1, 0
        for modifier in self.modifiers:
            times, added = times * (modifier.multiply or 1), modifier.applied(added)
        return times, added

    @cached_property
    def fresh(self) -> frozenset[tuple[bool | None, int]]:
        """Return, for the kept dice that were not rerolled, whether their throw succeeds, and their natural.

        There are few such pairs, however many dice there are. They show whether a rule has anything to reroll.
        """
        size, dice = len(self.kinds), self.dice
        return frozenset(
            (throw.success, die.natural)
            for throw in self.throws
            for die in dice[(throw.throw - 1) * size : throw.throw * size]
            if die.status == "counted" and not die.rerolled
        )

    @property
    def entry_weight(self) -> int:
        """The weight of its modifiers and reroll rules (T2.3)."""
        return weight(modifier.source for modifier in self.modifiers) + weight(rule.source for rule in self.rules)

    @property
    def load(self) -> int:
        """The weight, times the number of dice that it draws first plus one."""
        return self.entry_weight * (len(self.kinds) * self.times + 1)

    @cached_property
    def throws(self) -> tuple[DiceThrow, ...]:
        """The throws with their outcomes; none before the dice are revealed."""
        return tuple(self._throw(throw) for throw in range(1, self.times + 1)) if self.dice else ()

    @property
    def successes(self) -> int | None:
        """The number of throws that succeed; None without a target or dice."""
        if self.target is None or not self.dice:
            return None
        return sum(throw.success is True for throw in self.throws)

    def _throw(self, throw: int) -> DiceThrow:
        dice = self.of_throw(throw)
        kept = tuple(die for die in dice if die.kept)
        numbers = {
            "kept": tuple(die.die for die in kept),
            "dropped": tuple(die.die for die in dice if not die.kept),
        }
        if self.direction:
            face = kept[0].result if kept[0].kind == "face" else None
            return DiceThrow(throw, **numbers, sum=None, total=None, success=None, degrees=kept[-1].result, face=face)
        sum_ = sum(die.result for die in kept)
        total = self.total(sum_)
        success = self._success(kept, total)
        return DiceThrow(throw, **numbers, sum=sum_, total=total, success=success, degrees=None, face=None)

    def _success(self, kept: tuple[Die, ...], total: int) -> bool | None:
        if self.target is None:
            return None
        if kept[0].natural in self.always.success:
            return True
        if kept[0].natural in self.always.failure:
            return False
        return self.target.met(total)


class PendingReroll(msgspec.Struct, frozen=True):
    """A reroll that waits for its dice, by `rule` and of `pieces`, which are in the order of the draw."""

    rule: int
    pieces: tuple[Piece, ...]


class Game(msgspec.Struct, frozen=True):
    """The state of a game, which no event changes: each returns a new one."""

    players: Mapping[str, Tally]
    open: Roll | None = None
    """the roll that is pending or open"""
    pending: PendingReroll | None = None
    """the pending reroll; None if the pending request is a roll"""
    before: "Game | None" = None
    """the game before a pending roll, whose request may have settled another (specs/rules.md, "A roll that stands")"""
    settled: History[Roll] = History()
