"""The syntax tree of a notation (specs/dice-1.md, "The notation")."""

import operator
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

__all__ = [
    "COMPARISONS",
    "Adds",
    "DiceTerm",
    "Divided",
    "ExpressionGroup",
    "Function",
    "Keep",
    "Labelled",
    "Limit",
    "Match",
    "Negated",
    "Node",
    "Number",
    "ParsedText",
    "Power",
    "SuccessCount",
    "Times",
    "Within",
]

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}


class Match(msgspec.Struct, frozen=True):
    """A comparison with a number, which values meet or fail."""

    sign: str
    number: int

    def __call__(self, value: int) -> bool:
        """Return whether a value meets the comparison."""
        return COMPARISONS[self.sign](value, self.number)

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"


class Limit(msgspec.Struct, frozen=True):
    """A limit of values, such as `min2` or `max5`."""

    which: Literal["min", "max"]
    number: int


class Keep(msgspec.Struct, frozen=True):
    """A keep or drop of some of the highest or lowest values, such as `kh3` or `dl1`."""

    action: Literal["keep", "drop"]
    which: Literal["highest", "lowest"]
    number: int


class SuccessCount(msgspec.Struct, frozen=True):
    """A count of successes, minus failures, with values that count twice."""

    success: Match
    failure: Match | None
    double: Match | None


class DiceTerm(msgspec.Struct, frozen=True):
    """A term: dice of one kind with their modifiers."""

    text: str
    """the term as it was written"""
    number: int
    """the number of throws, 0 or more; `adv` and `dis` add one"""
    sides: tuple[int, ...]
    """the sides of the dice of one throw: one die, or two ten-sided dice"""
    faces: tuple[int | None, ...] | None
    """the number on each face; None for 1 to the number of sides"""
    names: tuple[str | None, ...]
    """the name of each face; empty without faces"""
    reroll: str | None
    """`ro` or `rr`"""
    reroll_match: Match
    explode: str | None
    """`!`, `!!`, `!p`, `!!p` or `!o`"""
    explode_match: Match
    limits: tuple[Limit, ...]
    keeps: tuple[Keep, ...]
    count: SuccessCount | None

    @property
    def percentile(self) -> bool:
        """True if a throw is two ten-sided dice."""
        return len(self.sides) == 2

    @property
    def draws_on(self) -> bool:
        """True if some dice are drawn only because of what others show."""
        return self.reroll is not None or self.explode is not None

    def shows(self, natural: int) -> int:
        """Return the number on the face that a natural selects."""
        return natural if self.faces is None else self.faces[natural - 1] or 0


class Number(msgspec.Struct, frozen=True):
    """A constant."""

    value: int


class Negated(msgspec.Struct, frozen=True):
    """A minus before a primary."""

    of: "Node"


class Labelled(msgspec.Struct, frozen=True):
    """A primary with a label."""

    of: "Node"
    label: str


class Adds(msgspec.Struct, frozen=True):
    """A sum. Each part comes with its sign, 1 or −1."""

    parts: tuple[tuple[int, "Node"], ...]


class Times(msgspec.Struct, frozen=True):
    """A product of two factors."""

    left: "Node"
    right: "Node"


class Divided(msgspec.Struct, frozen=True):
    """A quotient, which says how it is rounded, or a remainder."""

    of: "Node"
    sign: Literal["/", "/^", "/~", "%"]
    by: int
    """the divisor, 1 or more"""
    exact: bool
    """whether the quotient stays a fraction, because a function around it rounds"""


class Power(msgspec.Struct, frozen=True):
    """A power, such as `d6^2`."""

    of: "Node"
    exponent: int
    """the exponent, 0 or more"""


class Function(msgspec.Struct, frozen=True):
    """A function call, such as `max(d6, 3)`. All functions but `max` and `min` have one argument."""

    name: Literal["floor", "ceil", "round", "abs", "max", "min"]
    parts: tuple["Node", ...]


class Within(msgspec.Struct, frozen=True):
    """An expression in parentheses, which are kept for display."""

    of: "Node"


class ExpressionGroup(msgspec.Struct, frozen=True):
    """A group of expressions, such as `{a, b}kh1`."""

    parts: tuple["Node", ...]
    keeps: tuple[Keep, ...]
    count: SuccessCount | None
    text: str
    """the modifiers behind the closing brace, as they were written"""


Node = DiceTerm | Number | Negated | Labelled | Adds | Times | Divided | Power | Function | Within | ExpressionGroup


class ParsedText(msgspec.Struct, frozen=True):
    """A parsed text."""

    text: str
    times: int
    root: Node
    terms: tuple[DiceTerm, ...]
    """the dice of one repetition, in the order in which they are written"""
    named: int
    """the number of dice that are drawn at least, in all repetitions"""
    draws_on: bool
    """whether some dice are drawn only because of what others show"""
    plain: bool
    """whether the result of each die is its natural"""
