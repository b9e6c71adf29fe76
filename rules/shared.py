"""Ideas that several systems share, each standing once. Where systems differ, the difference is in the system's own module."""

from collections.abc import Sequence
from typing import Any, Literal, NoReturn, TypeVar

import msgspec

from rules.base import Violation
from rules.bounds import MAX_ITEMS

__all__ = ["RuledStep", "check_room", "d3", "extremes", "refuse", "replaced", "succeeds"]

T = TypeVar("T")


class RuledStep(msgspec.Struct, frozen=True):
    """In a die's history: a judge ruled this to be its result (specs/rules.md, "Void, leave, rulings")."""

    ruled: int


def refuse(clause: str, template: str, /, **values: Any) -> NoReturn:
    """Raise the violation of `clause`: the rules forbid the event."""
    raise Violation(clause, template, **values)


def check_room(count: int, clause: str, what: str) -> None:
    """Raises Violation of `clause` where there are MAX_ITEMS already."""
    if count >= MAX_ITEMS:
        refuse(clause, "there can be at most {most} {what}", most=MAX_ITEMS, what=what)


def replaced(items: tuple[T, ...], old: T, new: T) -> tuple[T, ...]:
    """`items` with `new` in the place of `old`, which is found by identity."""
    return tuple(new if item is old else item for item in items)


def d3(natural: int) -> int:
    """The D3 of a D6: halved, rounded up (Warhammer 40,000 W1, The 9th Age T5)."""
    return (natural + 1) // 2


def succeeds(value: int, target: int) -> bool:
    """Whether a roll of `value` passes a `target`+ test."""
    return value >= target


def extremes(values: Sequence[int], count: int, which: Literal["lowest", "highest"]) -> frozenset[int]:
    """Positions (from 0) of the `count` lowest or highest values; among equals the earliest go first."""
    order = sorted(range(len(values)), key=lambda i: (values[i] if which == "lowest" else -values[i], i))
    return frozenset(order[:count])
