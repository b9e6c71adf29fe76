"""What dice come to: which count, successes, totals (specs/dice-1.md, "What it comes to")."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from rules.anydice.drawing import Drawn, Throw
from rules.anydice.terms import (
    Adds,
    Count,
    Dice,
    Divided,
    Group,
    Keep,
    Labelled,
    Negated,
    Node,
    Notation,
    Number,
    Times,
    Within,
)
from rules.bounds import MAX_SAFE_INTEGER
from rules.shared import extremes

__all__ = ["Label", "Result", "Term", "Thrown", "TooLargeError", "first_results", "totals"]


class TooLargeError(ArithmeticError):
    """Dice come to more than can be shown: D2 leaves that to results that a judge has ruled."""


class Thrown(msgspec.Struct, frozen=True):
    """A throw of a term."""

    dice: tuple[int, ...]
    """numbers of its dice, from 1"""
    value: int
    """after `min` and `max`"""
    kept: bool
    successes: int | None


class Term(msgspec.Struct, frozen=True):
    """The dice of a term, and what they come to."""

    dice: str
    """as written"""
    value: int
    throws: tuple[Thrown, ...]


class Label(msgspec.Struct, frozen=True):
    """What a label names."""

    label: str
    value: int


class Result(msgspec.Struct, frozen=True):
    """One repetition."""

    total: int
    terms: tuple[Term, ...]
    labels: tuple[Label, ...] = ()
    passed: bool | None = None
    row: int | None = None


def first_results(notation: Notation, drawn: Drawn) -> Sequence[int | None]:
    """The result of each die before rulings, in the order of the draw; None for a face without a number."""
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


def totals(notation: Notation, throws: Sequence[Sequence[Throw]], results: Sequence[int | None]) -> tuple[Result, ...]:
    """What each repetition comes to, from the throws of each term and the results of the dice, by position from 0.

    Raises TooLargeError.
    """
    found = []
    for first in range(0, len(throws), len(notation.terms)):
        reckoning = _Reckoning(throws[first : first + len(notation.terms)], results)
        total = reckoning.value(notation.root)
        found.append(Result(total, tuple(reckoning.terms), tuple(reckoning.labels)))
    return tuple(found)


class _Reckoning:
    """Goes through an expression once, from left to right, as its terms were drawn."""

    def __init__(self, throws: Sequence[Sequence[Throw]], results: Sequence[int | None]) -> None:
        self.throws = throws
        self.results = results
        self.terms: list[Term] = []
        self.labels: list[Label] = []

    def value(self, node: Node) -> int:
        return _shown(self._value(node))

    def _value(self, node: Node) -> int:
        match node:
            case Dice():
                return self.dice(node)
            case Number(value=value):
                return value
            case Group():
                return self.group(node)
            case Adds(parts=parts):
                return self.sum(parts)
            case Within(of=of):
                return self.value(of)
            case Labelled(of=of, label=label):
                at = len(self.labels)
                value = self.value(of)
                self.labels.insert(at, Label(label, value))
                return value
            case Negated(of=of):
                return -self.value(of)
            case Times(left=left, right=right):
                return self.value(left) * self.value(right)
            case Divided(of=of, sign=sign, by=by):
                return _divided(self.value(of), sign, by)

    def sum(self, parts: Sequence[tuple[int, Node]]) -> int:
        total = 0
        for sign, part in parts:
            total = _shown(total + sign * self.value(part))
        return total

    def dice(self, term: Dice) -> int:
        throws = self.throws[len(self.terms)]
        values = self._values(term, throws)
        kept = _kept(values, term.keeps) if term.keeps else range(len(values))
        numbers = [tuple([die + 1 for die in throw]) for throw in throws]
        if term.count is None and len(kept) == len(values):
            value = sum(values)
            thrown = [Thrown(*one, True, None) for one in zip(numbers, values, strict=True)]
        else:
            counting = set(kept)
            known = {value: _successes(term.count, value) if term.count else None for value in set(values)}
            counts = [known[value] for value in values]
            thrown = [
                Thrown(number, value, True, count) if at in counting else Thrown(number, value, False, None)
                for at, (number, value, count) in enumerate(zip(numbers, values, counts, strict=True))
            ]
            value = sum((counts[at] or 0) if term.count else values[at] for at in kept)
        self.terms.append(Term(term.text, value, tuple(thrown)))
        return value

    def _values(self, term: Dice, throws: Sequence[Throw]) -> list[int]:
        results = self.results
        if term.percentile:
            values = [_shown(sum([results[die] or 0 for die in throw]) or 100) for throw in throws]
        elif term.explode in ("!!", "!!p"):
            values = [_shown(sum([results[die] or 0 for die in throw])) for throw in throws]
        else:
            values = [results[throw[0]] or 0 for throw in throws]
        for limit in term.limits:
            bound = max if limit.which == "min" else min
            values = [bound(value, limit.number) for value in values]
        return values

    def group(self, group: Group) -> int:
        if not group.keeps:
            values = [self.value(part) for part in group.parts]
            return sum(values if group.count is None else [_successes(group.count, value) for value in values])
        values = []
        spans: list[tuple[int, int]] = []
        for part in group.parts:
            start = len(self.terms)
            values.append(self.value(part))
            spans.append((start, len(self.terms)))
        kept = _kept(values, group.keeps)
        for at in set(range(len(values))) - set(kept):
            for term in range(*spans[at]):
                self.terms[term] = _dropped(self.terms[term])
        if group.count is not None:
            return sum(_successes(group.count, values[at]) for at in kept)
        return sum(values[at] for at in kept)


def _shown(value: int) -> int:
    if abs(value) > MAX_SAFE_INTEGER:
        raise TooLargeError
    return value


def _kept(values: Sequence[int], keeps: Sequence[Keep]) -> Sequence[int]:
    """The positions that keep and drop leave, one after the other."""
    kept: Sequence[int] = range(len(values))
    for keep in keeps:
        chosen = extremes([values[at] for at in kept], keep.number, keep.which)
        kept = [at for place, at in enumerate(kept) if (place in chosen) == (keep.action == "keep")]
    return kept


def _successes(count: Count, value: int) -> int:
    successes = 2 if count.double is not None and count.double(value) else int(count.success(value))
    return successes - (count.failure is not None and count.failure(value))


def _dropped(term: Term) -> Term:
    return replace(term, throws=tuple(replace(throw, kept=False) for throw in term.throws))


def _divided(value: int, sign: str, by: int) -> int:
    match sign:
        case "/^":
            return -(-value // by)
        case "/~":
            return (2 * value + by) // (2 * by)
        case _:
            return value // by
