"""Random values, and changes of rolls and characteristics step by step (specs/wh40k.md, "Values").

There are no floats: values between the stages are exact fractions.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod

import msgspec
from msgspec import UnsetType

from rules.base import given
from rules.common.shared import d3, extremes, refuse
from rules.data.bounds import MAX_DICE, MAX_MODIFIER
from rules.data.language import N_
from rules.systems.wh40k.terms import Change

__all__ = [
    "Computed",
    "Dice",
    "Step",
    "characteristic",
    "check_improved",
    "check_size",
    "highest",
    "parse",
    "plain",
    "roll_result",
    "rule_ap",
    "wound_needs",
]

_DICE = re.compile(
    r"([1-9][0-9]*)?[dD]([0-9]+)(?:[dD][hH]([1-9][0-9]{0,2}))?(?:[dD][lL]([1-9][0-9]{0,2}))?(?:\+(0|[1-9][0-9]?))?",
    re.ASCII,
)
_WORDS = ("-", "user")
_AT_LEAST = {"S": 1, "T": 1, "A": 1, "Ld": 1, "M": 0, "W": 0, "D": 0}
_STAGES = (("divide",), ("multiply",), ("add", "worsen"), ("subtract", "improve"))


class Dice(msgspec.Struct, frozen=True):
    """`count` D6 or D3 that may be added together, plus `plus`. Some of the highest and lowest may be discarded."""

    count: int
    sides: int
    plus: int
    discard_highest: int = 0
    discard_lowest: int = 0

    @property
    def d3(self) -> bool:
        """True if the dice are D3, whose naturals are halved (W1)."""
        return self.sides == 3

    @property
    def lowest(self) -> int:
        """The lowest value of the sum."""
        return self.added + self.plus

    @property
    def highest(self) -> int:
        """The highest value of the sum."""
        return self.added * self.sides + self.plus

    @property
    def added(self) -> int:
        """The number of dice that are added, without those that are discarded."""
        return self.count - self.discard_highest - self.discard_lowest

    @property
    def text(self) -> str:
        """The canonical notation, as in the state: `d6`, `2d6`, `d3+3`."""
        off = (f"dh{self.discard_highest}" * bool(self.discard_highest), f"dl{self.discard_lowest}")
        return (
            f"{self.count if self.count > 1 else ''}d{self.sides}{off[0]}{off[1] if self.discard_lowest else ''}"
            f"{f'+{self.plus}' if self.plus else ''}"
        )

    def discarded(self, values: Sequence[int]) -> frozenset[int]:
        """Return the positions of the dice to discard: first the highest, then the lowest of the others.

        Among equals, earlier positions go first.
        """
        high = extremes(values, self.discard_highest, "highest")
        rest = [position for position in range(len(values)) if position not in high]
        low = extremes([values[position] for position in rest], self.discard_lowest, "lowest")
        return high | {rest[position] for position in low}

    def value(self, natural: int) -> int:
        """Return the value of one die (W1)."""
        return d3(natural) if self.d3 else natural


def parse(text: str) -> Dice:
    """Parse dice such as `2d6`, `d3+1` or `3d6dl1`. Raises Violation W1."""
    match = _DICE.fullmatch(text)
    if match is None:
        hint = N_("write one kind of dice, 2d6, d3 or d3+1; what is subtracted is a modifier")
        refuse("W1", "{text!r} is not dice as this game rolls them: {hint}", text=text, hint=hint)
    if match[2] not in ("3", "6"):
        refuse("W1", "{text!r}: this game rolls D6 and D3 only, for example 2d6, d3 or d3+1", text=text)
    count = int(match[1] or 1)
    if count > MAX_DICE:
        refuse("W1", "{text!r} asks for too many dice: at most {most} in one roll", text=text, most=MAX_DICE)
    dice = Dice(count, int(match[2]), int(match[5] or 0), int(match[3] or 0), int(match[4] or 0))
    if dice.added < 1:
        refuse("W1", "{text!r} discards all of its dice", text=text)
    return dice


def plain(value: int | str) -> int | str:
    """Return a characteristic in its canonical form: `d6` for `1D6` and `d6+0`."""
    return parse(value).text if isinstance(value, str) and value not in _WORDS else value


class Step(msgspec.Struct, frozen=True):
    """The value after one change: an integer, a fraction as text, or `-`."""

    op: str
    value: int | str
    amount: int | None = None
    source: str | None = None


class Computed(msgspec.Struct, frozen=True):
    """A computed value with its steps. It is `-` if there is none, and random if it has to be rolled."""

    value: int | str
    steps: tuple[Step, ...] = ()

    @property
    def number(self) -> int:
        """The value, which must be a number."""
        assert isinstance(self.value, int), self.value
        return self.value

    @property
    def dice(self) -> Dice | None:
        """The dice of a value that has to be rolled; else None."""
        return parse(self.value) if isinstance(self.value, str) and self.value != "-" else None

    @property
    def ops(self) -> frozenset[str]:
        """The operations among its steps."""
        return frozenset(step.op for step in self.steps)


def roll_result(unmodified: int, changes: Iterable[Change], capped: bool) -> Computed:
    """Return the result of a roll (W2). With `capped`, it differs from the unmodified value by at most 1 (W15)."""
    value, steps = _stages(unmodified, tuple(changes), [Step("unmodified", unmodified)])
    if capped and abs(value - unmodified) > 1:
        value = unmodified + (1 if value > unmodified else -1)
        steps.append(Step("cap", value))
    return Computed(value, tuple(steps))


def characteristic(name: str, start: int | str, changes: Iterable[Change], rolled: bool = False) -> Computed:
    """Return a characteristic after all changes (W8, W13, W14). Raises Violation for changes that conflict."""
    changes = tuple(changes)
    steps = [Step("rolled" if rolled else "printed", start)]
    if isinstance(start, str):
        return Computed(start, tuple(steps))  # “-” is never modified
    value = _replaced(name, "set", start, changes, steps)
    value, steps = _stages(value, changes, steps)
    value = _bounded(name, value, changes, steps)
    value = _replaced(name, "treat", value, changes, steps)
    return Computed(value, tuple(steps))


def rule_ap(amount: int, source: str) -> Change:
    """Return the change that a trigger makes to the AP of a wound (W23)."""
    return Change(source, "improve", amount)


def check_size(starts: Iterable[int], changes: Iterable[Change], name: str | None) -> None:
    """Verify that no possible value of a future roll can make the changes fail.

    `starts` are all values that it can have, at least one. `name` is the characteristic, or None for a roll. Raises
    Violation if a value exceeds MAX_MODIFIER (W2, W8) or changes conflict (W8, W13).
    """
    changes, starts = tuple(changes), tuple(starts)
    if name is None:
        # The changes are monotonic, so checking the extremes is enough.
        for start in (min(starts), max(starts)):
            roll_result(start, changes, False)
    else:
        highest(name, starts, changes)


def highest(name: str, starts: Iterable[int], changes: Iterable[Change]) -> int:
    """Return the highest value of a random characteristic whose roll is one of `starts`. Raises Violation as
    `check_size`.

    Its time grows with the number of starts and of changes, not with their product: a log may have many of both.
    """
    changes = tuple(changes)
    sets = tuple(c for c in changes if c.op == "set")
    after_set = {_replaced(name, "set", start, sets, []) for start in starts}
    for extreme in (min(after_set), max(after_set)):
        _stages(extreme, changes, [Step("rolled", extreme)])
    times = prod(c.amount for c in changes if c.op == "multiply")
    parts = prod(c.amount for c in changes if c.op == "divide")
    added = sum(c.amount for c in changes if c.op in _STAGES[2]) - sum(c.amount for c in changes if c.op in _STAGES[3])
    floors = tuple(c for c in changes if c.op == "floor")
    rounded = {added - (-value * times // parts) for value in after_set}
    return max(_treated(name, {_bounded(name, value, floors, []) for value in rounded}, changes))


def check_improved(printed: int, changes: Iterable[Change], amounts: Iterable[int]) -> None:
    """Verify that triggers can improve an AP by any of these amounts, at least one (W23).

    Raises Violation if it would exceed MAX_MODIFIER (W8) or rules conflict (W13).
    """
    changes, amounts = tuple(changes), tuple(amounts)
    value, _ = _stages(_replaced("AP", "set", printed, changes, []), changes, [Step("printed", printed)])
    if value - max(amounts) < -MAX_MODIFIER:
        refuse("W8", "a trigger would take AP beyond {most}", most=MAX_MODIFIER)
    _treated("AP", {min(0, value - amount) for amount in amounts}, changes)


def wound_needs(strength: int, toughness: int) -> int:
    """Return the number that a wound roll needs (W17).

    >>> [wound_needs(s, 4) for s in (8, 5, 4, 3, 2)]
    [2, 3, 4, 5, 6]
    """
    if strength >= 2 * toughness:
        return 2
    if 2 * strength <= toughness:
        return 6
    return 3 if strength > toughness else 4 if strength == toughness else 5


def _replaced(name: str, op: str, value: int, changes: tuple[Change, ...], steps: list[Step]) -> int:
    """Return the value after the changes that set or treat it. Raises Violation if two of them conflict."""
    acting = [c for c in changes if c.op == op and (isinstance(c.when, UnsetType) or value in c.when)]
    if len({change.amount for change in acting}) > 1:
        text = N_("{one} and {other} both {op} {name}, to {values}: whose turn it is says which acts last; declare it")
        refuse(
            "W13" if name == "AP" else "W8",
            text,
            one=acting[0].source,
            other=next(c.source for c in acting if c.amount != acting[0].amount),
            op=op,
            name=name,
            values=" and ".join(map(str, sorted({c.amount for c in acting}))),
        )
    for change in acting:
        value = change.amount
        steps.append(Step(op, value, change.amount, change.source))
    return value


def _treated(name: str, values: Iterable[int], changes: tuple[Change, ...]) -> list[int]:
    """Return what each of the values is finally treated as (stage 9). Raises Violation as `_replaced`."""
    treats = tuple(change for change in changes if change.op == "treat")
    always = {change.amount for change in treats if isinstance(change.when, UnsetType)}
    of_value: dict[int, set[int]] = {}
    for change in treats:
        for value in set(given(change.when, ())):
            of_value.setdefault(value, set()).add(change.amount)
    found = []
    for value in values:
        amounts = always | of_value.get(value, set())
        found.append(_replaced(name, "treat", value, treats, []) if len(amounts) > 1 else next(iter(amounts), value))
    return found


def _bounded(name: str, value: int, changes: tuple[Change, ...], steps: list[Step]) -> int:
    """Return the value after stages 7 and 8: floors set by rules, then those of the characteristic itself."""
    for change in changes:
        if change.op == "floor" and value < change.amount:
            value = change.amount
            steps.append(Step("floor", value, change.amount, change.source))
    if name in _AT_LEAST and value < _AT_LEAST[name]:
        value = _AT_LEAST[name]
        steps.append(Step("floor", value))
    if name == "AP" and value > 0:
        value = 0
        steps.append(Step("cap", value))
    return value


def _stages(start: int, changes: tuple[Change, ...], steps: list[Step]) -> tuple[int, list[Step]]:
    """Return the value after dividing, multiplying, adding, subtracting and one rounding up, with the steps."""
    value = Fraction(start)
    for ops in _STAGES:
        for change in changes:
            if change.op not in ops:
                continue
            if change.op == "divide":
                value /= change.amount
            elif change.op == "multiply":
                value *= change.amount
            else:
                value += change.amount if change.op in ("add", "worsen") else -change.amount
            if abs(value) > MAX_MODIFIER:
                clause = "W2" if steps[0].op == "unmodified" else "W8"
                refuse(clause, "{source} would take the value beyond {most}", source=change.source, most=MAX_MODIFIER)
            steps.append(Step(change.op, _shown(value), change.amount, change.source))
    rounded = -(-value.numerator // value.denominator)
    if value != rounded:
        steps.append(Step("round", rounded))
    return rounded, steps


def _shown(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else str(value)
