"""Bounds of results, and dice that would be rolled without end (specs/dice-1.md, clauses D2 to D4)."""

from collections.abc import Iterator

from rules.data.bounds import MAX_DICE, MAX_SAFE_INTEGER
from rules.systems.anydice.problems import DiceError
from rules.systems.anydice.terms import (
    Adds,
    DiceTerm,
    Divided,
    ExpressionGroup,
    Function,
    Labelled,
    Negated,
    Node,
    Number,
    Power,
    Times,
    Within,
)
from rules.systems.anydice.totals import TooLargeError, power_of, within_bound

__all__ = ["endless", "size_of"]


def size_of(node: Node) -> int:
    """Return the largest absolute value that an expression can have. Raises DiceError D2 if it is too large."""
    try:
        return within_bound(_size(node))
    except TooLargeError:
        raise DiceError("D2", "what comes out of this could be above {most}", most=MAX_SAFE_INTEGER) from None


def _size(node: Node) -> int:  # noqa: C901 - a line for each kind
    match node:
        case Number(value=value):
            return value
        case DiceTerm():
            largest = max((abs(number or 0) for number in node.faces), default=0) if node.faces else node.sides[0]
            largest = max([100 if node.percentile else largest, *(abs(limit.number) for limit in node.limits)])
            throws = MAX_DICE if node.explode else node.number
            size = throws * largest
            if (
                node.count and size <= MAX_SAFE_INTEGER
            ):  # the values stay in the bound: they are shown, though only counted
                size = 2 * throws
            return size
        case Divided(of=of, sign=sign, by=by):
            size = size_of(of)
            return by if sign == "%" else size
        case Negated(of=of) | Labelled(of=of) | Within(of=of):
            return size_of(of)
        case Adds(parts=parts):
            return sum(size_of(part) for _, part in parts)
        case Times(left=left, right=right):
            return size_of(left) * size_of(right)
        case Power(of=of, exponent=exponent):
            return power_of(size_of(of), exponent)
        case Function(parts=inner):
            return max(size_of(part) for part in inner)
        case ExpressionGroup(parts=inner, count=count):
            sizes = [size_of(part) for part in inner]
            return 2 * len(inner) if count else sum(sizes)


def endless(term: DiceTerm) -> Iterator[DiceError]:
    """Yield errors for the rerolls and explosions of a term that never end, whatever the dice show."""
    faces = [number or 0 for number in term.faces] if term.faces else [1, 100 if term.percentile else term.sides[0]]
    if term.reroll == "rr" and all(map(term.reroll_match, faces)):
        yield DiceError(
            "D3",
            "{dice} would be rerolled for ever: every face of it is {match}",
            dice=term.text,
            match=str(term.reroll_match),
        )
    if term.explode and term.percentile:
        yield DiceError("D4", "two ten-sided dice do not explode: write {dice}", dice="d%!")
    if term.explode not in (None, "!o") and all(map(term.explode_match, faces)):
        yield DiceError(
            "D4",
            "{dice} would explode for ever: every face of it is {match}",
            dice=term.text,
            match=str(term.explode_match),
        )
