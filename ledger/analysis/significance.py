"""Tests of the counts of some dice: bins, p-values, Holm's correction (specs/luck.md, "What is tested").

Needs numpy and scipy, the extra `stats`, for exact tests.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, erfc, exp, floor, fsum, lgamma, log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

__all__ = [
    "FINE",
    "MAX_FACES",
    "Bin",
    "DiceCounts",
    "Tested",
    "count_in",
    "holm_corrected",
    "look_at_faces",
    "look_at_sum",
    "p_value",
    "sum_p_value",
]

MAX_FACES = 100
"""the most faces that get a bin each"""
_BUDGET = 50_000_000
"""the most bins x dice^4 of an exact test"""
_EXACT_SUM = 10_000
"""the most dice x bins of an exact test of a sum"""
FINE = 1_000
"""bins in which dice of many sides are counted; they are merged later"""


class DiceCounts(Struct):
    """The dice of one player and number of sides: the counts in each of `bins` equal ranges of faces."""

    sides: int
    bins: int
    counts: Counter[int]

    @property
    def number(self) -> int:
        """The number of dice counted."""
        return self.counts.total()


class Bin(Struct, frozen=True):
    """Faces `low` to `high`, the number of dice that showed one of them, and the expected number."""

    low: int
    high: int
    count: int
    expected: float


class Tested(Struct, frozen=True):
    """One test: the player, the bins, and how unusual the counts are."""

    player: str | None
    """None: all players"""
    key: str | None
    """the public key, hex"""
    sides: int
    dice: int
    bins: tuple[Bin, ...]
    statistic: float
    p: float
    method: str
    """`exact`, `chi-square` or `normal`"""
    corrected: float = 1.0
    """p after Holm's correction over all tests"""
    voided_by: str | None = None
    """of dice that voided rolls would have shown: the party that ended those rolls; `statistic` is the distance of
    their sum from its expected value, in standard deviations"""
    voided_by_key: str | None = None
    """the public key, hex"""


_Counted = TypeVar("_Counted", bound=tuple[Any, ...])


def count_in(counted: "dict[_Counted, DiceCounts]", kind: "_Counted", natural: int, count: int = 1) -> None:
    """Count dice that showed this natural; the last member of `kind` is their sides."""
    dice, n = counted.get(kind), kind[-1]
    if dice is None:
        dice = counted[kind] = DiceCounts(n, min(n, FINE), Counter())
    dice.counts[(natural - 1) * dice.bins // n] += count


def look_at_faces(player: str | None, key: str | None, dice: DiceCounts) -> Tested:
    """Test whether the faces come equally often (Pearson's test)."""
    bins = _in_bins(dice)
    statistic, p, method = p_value([b.count for b in bins], _ranges(dice.sides, dice.bins, len(bins)).chances)
    return Tested(player, key, dice.sides, dice.number, bins, statistic, p, method)


def look_at_sum(player: str, key: str, dice: DiceCounts, by: str, by_key: str) -> Tested:
    """Test whether the dice are high or low as a whole."""
    statistic, p, method = sum_p_value(dice)
    return Tested(player, key, dice.sides, dice.number, _in_bins(dice), statistic, p, method, 1.0, by, by_key)


def _in_bins(dice: DiceCounts) -> tuple[Bin, ...]:
    bins, number = _bins_for(dice), dice.number
    counts = [0] * bins
    for fine, count in dice.counts.items():
        counts[fine * bins // dice.bins] += count
    faces = _ranges(dice.sides, dice.bins, bins).faces
    return tuple(
        Bin(low, high - 1, count, number * (high - low) / dice.sides)
        for (low, high), count in zip(faces, counts, strict=True)
    )


class _Ranges(NamedTuple):
    """The faces of each bin, from its lowest to below the next one's, and the chances of the bins."""

    faces: tuple[tuple[int, int], ...]
    chances: tuple[Fraction, ...]


@lru_cache(1_000)
def _ranges(sides: int, fine: int, bins: int) -> _Ranges:
    """Return the faces and chances of bins. Equal chances are one object, so that comparing them takes no time."""
    edges = [_first_face(b, bins, fine, sides) for b in range(bins + 1)]
    each: dict[Fraction, Fraction] = {}
    chances = (Fraction(high - low, sides) for low, high in pairwise(edges))
    return _Ranges(tuple(pairwise(edges)), tuple(each.setdefault(chance, chance) for chance in chances))


def _bins_for(dice: DiceCounts) -> int:
    """Return the number of bins for this number of dice and faces."""
    n, sides = dice.number, dice.sides
    if sides == 1:
        return 1
    if sides <= MAX_FACES and (n >= 5 * sides or sides * n**4 <= _BUDGET):
        return sides
    return 10 if n >= 50 and sides >= 10 else 2


def _first_face(b: int, bins: int, fine: int, sides: int) -> int:
    """Return the lowest face of bin `b` of `bins` that `fine` bins are merged into; sides + 1 for b = bins."""
    first = -(-b * fine // bins)
    return -(-first * sides // fine) + 1


def p_value(counts: Sequence[int], chances: Sequence[Fraction]) -> tuple[float, float, str]:
    """Return Pearson's statistic, its p-value, and the method; the `chances` of the bins add up to 1."""
    n, k = sum(counts), len(counts)
    if k == 1:
        return 0.0, 1.0, "exact"
    alike, squares = chances.count(chances[0]) == k, sum(count * count for count in counts)
    if alike:
        exact = Fraction(k * squares, n) - n
    else:
        each = zip(counts, chances, strict=True)
        exact = sum(((count - n * chance) ** 2 / (n * chance) for count, chance in each), Fraction())
    if k == 2:
        return float(exact), _two_bins(counts[0], n, chances[0]), "exact"
    if alike and k * n**4 <= _BUDGET:
        return float(exact), _equal_bins(n, k, squares), "exact"
    return float(exact), _chi_square_tail(k - 1, float(exact)), "chi-square"


def _chi_square_tail(degrees: int, statistic: float) -> float:
    """Return the chance that chi-square with so many degrees of freedom is at least this.

    Abramowitz and Stegun, 26.4.4 and 26.4.5. It equals scipy.special.chdtrc, but importing scipy takes as long as
    everything else that a page of luck needs.
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    odd = degrees % 2 / 2
    terms = [exp((i + odd) * log(half) - half - lgamma(i + odd + 1)) for i in range((degrees - degrees % 2) // 2)]
    return min(1.0, fsum([erfc(sqrt(half)), *terms] if odd else terms))


def sum_p_value(dice: DiceCounts) -> tuple[float, float, str]:
    """Return the distance of the sum of the dice's bins from its mean in standard deviations, its p-value, and the
    method.
    """
    import numpy as np

    n, k = dice.number, dice.bins
    chances = _ranges(dice.sides, k, k).chances
    mean = sum((b * chance for b, chance in enumerate(chances)), Fraction())
    variance = sum((b * b * chance for b, chance in enumerate(chances)), -mean * mean)
    off = sum(b * count for b, count in dice.counts.items()) - n * mean
    statistic = float(off) / sqrt(n * variance)
    if not off:
        return 0.0, 1.0, "exact"
    if n * k > _EXACT_SUM:
        return statistic, erfc(abs(statistic) / sqrt(2)), "normal"
    one = np.array([float(chance) for chance in chances])
    sums = one
    for _ in range(n - 1):
        sums = np.convolve(sums, one)
    low, high = floor(n * mean - abs(off)), ceil(n * mean + abs(off))
    below = float(sums[: low + 1].sum()) if low >= 0 else 0.0
    return statistic, min(1.0, below + float(sums[high:].sum())), "exact"


def _two_bins(count: int, n: int, chance: Fraction) -> float:
    """Return the chance that the first of two bins has a count at least as far from the expected one."""
    from scipy.special import bdtr, bdtrc

    distance = abs(count - n * chance)
    if not distance:
        return 1.0
    low, high = n * chance - distance, n * chance + distance
    below = float(bdtr(floor(low), n, float(chance))) if low >= 0 else 0.0
    above = float(bdtrc(ceil(high) - 1, n, float(chance))) if high <= n else 0.0
    return min(1.0, below + above)


def _equal_bins(n: int, k: int, squares: int) -> float:
    """Return the chance that n dice over k equal bins have at least this sum of squared counts."""
    return min(1.0, float(_tails(n, k)[squares]))


@cache
def _tails(n: int, k: int) -> "NDArray[float64]":
    """Return, for each sum of squared counts of n dice over k equal bins, the chance of at least as much.

    Bin by bin: ways[m, s] is the weight of m dice with squares s so far, each count c weighing 1/c!.
    """
    import numpy as np

    inverse = [1.0]
    for c in range(1, n + 1):
        inverse.append(inverse[-1] / c)
    ways = np.zeros((n + 1, n * n + 1))
    ways[0, 0] = 1.0
    for b in range(k):
        after = np.zeros_like(ways)
        for c in range(n + 1):
            after[c:, c * c :] += ways[: n + 1 - c, : n * n + 1 - c * c] * inverse[c]
        ways = after / k if b else after
    tails: NDArray[float64] = np.cumsum(ways[n, ::-1])[::-1]
    return np.asarray(tails / tails[0])


def holm_corrected(tests: list[Tested]) -> list[Tested]:
    """Return the tests in their order, with Holm's correction over all of them."""
    from msgspec.structs import replace

    order = sorted(range(len(tests)), key=lambda number: tests[number].p)
    after, highest = [1.0] * len(tests), 0.0
    for rank, number in enumerate(order):
        highest = max(highest, min(1.0, (len(tests) - rank) * tests[number].p))
        after[number] = highest
    return [replace(test, corrected=p) for test, p in zip(tests, after, strict=True)]
