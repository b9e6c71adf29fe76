"""What a notation says, once it is read: dice, what is done with them, and sums of them (specs/dice-1.md)."""

import operator
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

__all__ = [
    "COMPARISONS",
    "Adds",
    "Count",
    "Dice",
    "Divided",
    "Function",
    "Group",
    "Keep",
    "Labelled",
    "Limit",
    "Match",
    "Negated",
    "Node",
    "Notation",
    "Number",
    "Power",
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
    """A comparison that a value meets, or does not."""

    sign: str
    number: int

    def __call__(self, value: int) -> bool:
        return COMPARISONS[self.sign](value, self.number)

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"


class Limit(msgspec.Struct, frozen=True):
    """`min2`, `max5`."""

    which: Literal["min", "max"]
    number: int


class Keep(msgspec.Struct, frozen=True):
    """`kh3`, `dl1`: how many of the highest or lowest are kept or dropped."""

    action: Literal["keep", "drop"]
    which: Literal["highest", "lowest"]
    number: int


class Count(msgspec.Struct, frozen=True):
    """Successes, failures, and what counts double."""

    success: Match
    failure: Match | None
    double: Match | None


class Dice(msgspec.Struct, frozen=True):
    """A term: dice of one kind, and what is done with them."""

    text: str
    """as written"""
    number: int
    """throws, none or more, with the one more of `adv`"""
    sides: tuple[int, ...]
    """of the dice of one throw: one, or two tens-sided ones"""
    faces: tuple[int | None, ...] | None
    """the number on each face; None for 1 to the number of sides"""
    names: tuple[str | None, ...]
    """of each face, where there are faces"""
    reroll: str | None
    """`ro` or `rr`"""
    reroll_match: Match
    explode: str | None
    """`!`, `!!`, `!p`, `!!p` or `!o`"""
    explode_match: Match
    limits: tuple[Limit, ...]
    keeps: tuple[Keep, ...]
    count: Count | None

    @property
    def percentile(self) -> bool:
        """Whether a throw is two ten-sided dice."""
        return len(self.sides) == 2

    @property
    def draws_on(self) -> bool:
        """Whether which dice are drawn depends on others."""
        return self.reroll is not None or self.explode is not None

    def shows(self, natural: int) -> int:
        """The number on a face of a die."""
        return natural if self.faces is None else self.faces[natural - 1] or 0


class Number(msgspec.Struct, frozen=True):
    """A constant."""

    value: int


class Negated(msgspec.Struct, frozen=True):
    """A minus before a primary."""

    of: "Node"


class Labelled(msgspec.Struct, frozen=True):
    """A primary with its label."""

    of: "Node"
    label: str


class Adds(msgspec.Struct, frozen=True):
    """A sum: each part with 1 or −1 before it."""

    parts: tuple[tuple[int, "Node"], ...]


class Times(msgspec.Struct, frozen=True):
    """A product of two."""

    left: "Node"
    right: "Node"


class Divided(msgspec.Struct, frozen=True):
    """A quotient, with how it is rounded, or the remainder."""

    of: "Node"
    sign: Literal["/", "/^", "/~", "%"]
    by: int
    """1 or more"""
    exact: bool
    """whether it is a fraction, which a function around it rounds"""


class Power(msgspec.Struct, frozen=True):
    """`d6^2`."""

    of: "Node"
    exponent: int
    """0 or more"""


class Function(msgspec.Struct, frozen=True):
    """`max(d6, 3)`; all but `max` and `min` have one part."""

    name: Literal["floor", "ceil", "round", "abs", "max", "min"]
    parts: tuple["Node", ...]


class Within(msgspec.Struct, frozen=True):
    """Parentheses: they are told as they were written."""

    of: "Node"


class Group(msgspec.Struct, frozen=True):
    """`{a, b}kh1`."""

    parts: tuple["Node", ...]
    keeps: tuple[Keep, ...]
    count: Count | None
    text: str
    """what stands behind the brace"""


Node = Dice | Number | Negated | Labelled | Adds | Times | Divided | Power | Function | Within | Group


class Notation(msgspec.Struct, frozen=True):
    """A text of the notation, read."""

    text: str
    times: int
    root: Node
    terms: tuple[Dice, ...]
    """in the order in which they are written, of one repetition"""
    named: int
    """dice that the text names in all"""
    draws_on: bool
    """whether which dice are drawn depends on others"""
    plain: bool
    """whether each die counts what its natural is"""
