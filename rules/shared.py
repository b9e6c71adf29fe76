"""Ideas that several systems share, each standing once.

Where systems differ, the difference is in the system's own module.
"""

from collections.abc import Sequence
from typing import Literal

__all__ = ["d3", "extremes", "succeeds"]


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
