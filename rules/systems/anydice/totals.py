"""Results of dice: which ones count, successes, totals (specs/dice-1.md, "What it comes to")."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from rules.common.shared import extremes
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.systems.anydice.drawing import DrawnDice, Throw
from rules.systems.anydice.terms import (
    Adds,
    DiceTerm,
    Divided,
    ExpressionGroup,
    Function,
    Keep,
    Labelled,
    Negated,
    Node,
    Number,
    ParsedText,
    Power,
    SuccessCount,
    Times,
    Within,
)

__all__ = [
    "Label",
    "Result",
    "Term",
    "ThrowValue",
    "TooLargeError",
    "first_results",
    "fixed_value",
    "power_of",
    "totals",
    "within_bound",
]

Value = int | Fraction
"""the value of an expression; a fraction occurs only inside a rounding function"""
V = TypeVar("V", int, Value)


class TooLargeError(ArithmeticError):
    """Raised for a value beyond the bound. Clause D2 excludes this except after a judge's correction."""


class ThrowValue(msgspec.Struct, frozen=True):
    """The value of a throw, and whether it counts."""

    dice: tuple[int, ...]
    """the numbers of the throw's dice, from 1"""
    value: int
    """the value after `min` and `max`"""
    kept: bool
    successes: int | None


class Term(msgspec.Struct, frozen=True):
    """The value of a term, with its throws."""

    dice: str
    """the term as it was written"""
    value: int
    throws: tuple[ThrowValue, ...]


class Label(msgspec.Struct, frozen=True):
    """The value of a labelled part."""

    label: str
    value: int


class Result(msgspec.Struct, frozen=True):
    """The result of one repetition."""

    total: int
    terms: tuple[Term, ...]
    labels: tuple[Label, ...] = ()
    passed: bool | None = None
    row: int | None = None


def first_results(notation: ParsedText, drawn: DrawnDice) -> Sequence[int | None]:
    """Return the result of each die before rulings, in the order of the draw; None for a face without a number."""
    if notation.plain:
        return [naturals[-1] for naturals in drawn.naturals]
    results: list[int | None] = [None] * len(drawn.naturals)
    for term, throws in zip(notation.terms * notation.times, drawn.throws, strict=True):
        penetrates = term.explode in ("!p", "!!p")
        for throw in throws:
            for place, die in enumerate(throw):
                natural = drawn.naturals[die][-1]
                if term.percentile:
                    results[die] = natural % 10 * (1 if place else 10)
                elif term.faces is None:
                    results[die] = natural - (penetrates and die in drawn.origins)
                elif (number := term.faces[natural - 1]) is not None:
                    results[die] = number - (penetrates and die in drawn.origins)
    return results


def totals(
    notation: ParsedText, throws: Sequence[Sequence[Throw]], results: Sequence[int | None]
) -> tuple[Result, ...]:
    """Return the result of each repetition. Raises TooLargeError.

    `throws` has the throws of each term of each repetition; `results` has the dice's results by position, from 0.
    """
    found = []
    for first in range(0, len(throws), len(notation.terms)):
        reckoning = _Reckoning(throws[first : first + len(notation.terms)], results)
        total = reckoning.whole(notation.root)
        found.append(Result(total, tuple(reckoning.terms), tuple(reckoning.labels)))
    return tuple(found)


def fixed_value(node: Node) -> int:
    """Return the value of an expression without dice. Raises TooLargeError."""
    return _Reckoning((), ()).whole(node)


def power_of(value: int, exponent: int) -> int:
    """Return a power. Raises TooLargeError."""
    if abs(value) <= 1:
        exponent = min(exponent, 2 - exponent % 2)  # larger exponents give the same values as 0, 1 or 2
    if exponent >= MAX_SAFE_INTEGER.bit_length():
        raise TooLargeError
    power: int = value**exponent
    within_bound(power)
    return power


class _Reckoning:
    """Evaluation of an expression in one pass from left to right, in the order in which its terms were drawn."""

    def __init__(self, throws: Sequence[Sequence[Throw]], results: Sequence[int | None]) -> None:
        self.throws = throws
        self.results = results
        self.terms: list[Term] = []
        self.labels: list[Label] = []

    def value(self, node: Node) -> Value:
        return within_bound(self._value(node))

    def whole(self, node: Node) -> int:
        value = self.value(node)
        assert isinstance(value, int), "the notation has no fraction here"
        return value

    def _value(self, node: Node) -> Value:  # noqa: C901 - a line for each kind
        match node:
            case DiceTerm():
                return self.dice(node)
            case Number(value=value):
                return value
            case ExpressionGroup():
                return self.group(node)
            case Adds(parts=parts):
                return self.sum(parts)
            case Within(of=of):
                return self.value(of)
            case Labelled(of=of, label=label):
                at = len(self.labels)
                value = self.whole(of)
                self.labels.insert(at, Label(label, value))
                return value
            case Negated(of=of):
                return -self.value(of)
            case Times(left=left, right=right):
                return self.value(left) * self.value(right)
            case Divided(of=of, sign=sign, by=by):
                dividend = self.value(of)
                return Fraction(dividend, by) if node.exact else _divided(dividend, sign, by)
            case Power(of=of, exponent=exponent):
                return power_of(self.whole(of), exponent)
            case Function(name=name, parts=parts):
                return _FUNCTIONS[name]([self.value(part) for part in parts])

    def sum(self, parts: Sequence[tuple[int, Node]]) -> Value:
        total: Value = 0
        for sign, part in parts:
            total = within_bound(total + sign * self.value(part))
        return total

    def dice(self, term: DiceTerm) -> int:
        throws = self.throws[len(self.terms)]
        values = self._values(term, throws)
        kept = _kept(values, term.keeps) if term.keeps else range(len(values))
        numbers = [tuple([die + 1 for die in throw]) for throw in throws]
        if term.count is None and len(kept) == len(values):
            value = sum(values)
            thrown = [ThrowValue(*one, True, None) for one in zip(numbers, values, strict=True)]
        else:
            counting = set(kept)
            known = {value: _successes(term.count, value) if term.count else None for value in set(values)}
            counts = [known[value] for value in values]
            thrown = [
                ThrowValue(number, value, True, count) if at in counting else ThrowValue(number, value, False, None)
                for at, (number, value, count) in enumerate(zip(numbers, values, counts, strict=True))
            ]
            value = sum((counts[at] or 0) if term.count else values[at] for at in kept)
        self.terms.append(Term(term.text, value, tuple(thrown)))
        return value

    def _values(self, term: DiceTerm, throws: Sequence[Throw]) -> list[int]:
        results = self.results
        if term.percentile:
            values = [within_bound(sum([results[die] or 0 for die in throw]) or 100) for throw in throws]
        elif term.explode in ("!!", "!!p"):
            values = [within_bound(sum([results[die] or 0 for die in throw])) for throw in throws]
        else:
            values = [results[throw[0]] or 0 for throw in throws]
        for limit in term.limits:
            bound = max if limit.which == "min" else min
            values = [bound(value, limit.number) for value in values]
        return values

    def group(self, group: ExpressionGroup) -> int:
        if not group.keeps:
            values = [self.whole(part) for part in group.parts]
            return sum(values if group.count is None else [_successes(group.count, value) for value in values])
        values = []
        spans: list[tuple[int, int]] = []
        for part in group.parts:
            start = len(self.terms)
            values.append(self.whole(part))
            spans.append((start, len(self.terms)))
        kept = _kept(values, group.keeps)
        for at in set(range(len(values))) - set(kept):
            for term in range(*spans[at]):
                self.terms[term] = _dropped(self.terms[term])
        if group.count is not None:
            return sum(_successes(group.count, values[at]) for at in kept)
        return sum(values[at] for at in kept)


def within_bound(value: V) -> V:
    """Return the value unchanged. Raises TooLargeError if it is beyond the bound."""
    if not -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
        raise TooLargeError
    return value


def _kept(values: Sequence[int], keeps: Sequence[Keep]) -> Sequence[int]:
    """Return the positions that remain after each keep and drop in turn."""
    kept: Sequence[int] = range(len(values))
    for keep in keeps:
        chosen = extremes([values[at] for at in kept], keep.number, keep.which)
        kept = [at for place, at in enumerate(kept) if (place in chosen) == (keep.action == "keep")]
    return kept


def _successes(count: SuccessCount, value: int) -> int:
    successes = 2 if count.double is not None and count.double(value) else int(count.success(value))
    return successes - (count.failure is not None and count.failure(value))


def _dropped(term: Term) -> Term:
    return replace(term, throws=tuple(replace(throw, kept=False) for throw in term.throws))


def _divided(value: Value, sign: str, by: int) -> Value:
    match sign:
        case "/^":
            return -(-value // by)
        case "/~":
            return (2 * value + by) // (2 * by)
        case "%":
            return value % by
        case _:
            return value // by


_FUNCTIONS: Mapping[str, Callable[[Sequence[Value]], Value]] = {
    "floor": lambda values: math.floor(values[0]),
    "ceil": lambda values: math.ceil(values[0]),
    "round": lambda values: _divided(values[0], "/~", 1),
    "abs": lambda values: max(values[0], -values[0]),
    "max": lambda values: max(values),
    "min": lambda values: min(values),
}
