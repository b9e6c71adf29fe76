"""Ranges of numbers in the rows of a results table (specs/mtg.md, 706.3a; specs/dice-1.md, clause D9)."""

from collections.abc import Iterable
from itertools import pairwise

import msgspec

__all__ = ["NumberRange", "overlap"]


class NumberRange(msgspec.Struct, frozen=True):
    """The numbers from `low` to `high`, both included. None means that there is no bound on that side."""

    text: str
    """the range as its author wrote it"""
    low: int | None
    high: int | None

    def __contains__(self, number: int) -> bool:
        return (self.low is None or self.low <= number) and (self.high is None or number <= self.high)


def overlap(ranges: Iterable[NumberRange]) -> tuple[NumberRange, NumberRange] | None:
    """Return two ranges that have a number in common, the lower one first; None if all are disjoint."""
    for before, after in pairwise(sorted(ranges, key=lambda one: (one.low is not None, one.low or 0))):
        if after.low is None or before.high is None or after.low <= before.high:
            return before, after
    return None
