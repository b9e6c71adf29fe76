"""Lists in a sentence: a few of many, runs of numbers."""

from collections.abc import Iterable, Sequence
from itertools import groupby

__all__ = ["few", "numbered", "ranges"]

_FEW = 3
"""what is told of a list; of the rest only how many there are"""


def few(told: Sequence[str]) -> str:
    """`a, b and c`; `a, b, c and 4 more`."""
    more = len(told) - _FEW
    shown = [*told[:_FEW], *([f"{more} more"] if more > 0 else [])]
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))


def ranges(numbers: Iterable[int]) -> list[str]:
    """[1, 2, 3, 7, 8] as 1-3, 7, 8."""
    runs = groupby(enumerate(sorted(set(numbers))), key=lambda pair: pair[1] - pair[0])
    found = [[number for _, number in run] for _, run in runs]
    return [text for run in found for text in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run))]


def numbered(one: str, several: str, numbers: Sequence[int]) -> str:
    """`die 2`; `dice 1-3 and 7`."""
    return f"{one if len(set(numbers)) == 1 else several} {few(ranges(numbers))}"
