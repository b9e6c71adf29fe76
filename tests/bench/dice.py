"""Dice from seeds: how fast, and how fair."""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from statistics import NormalDist

from rules.base import Event
from rules.systems.anydice import AnyDice
from rules.systems.anydice.bodies import Options, RollBody
from tests.bench.measure import Measure, Sizes, race, rate
from tests.bench.peers import Peers
from verifier.dice.derivation import draw, roll_seed

__all__ = ["chi_square_p", "fairness", "measure_dice"]

DICE_TARGET = 10_000_000
"""d6 a second"""
P_LIMITS = (0.001, 0.999)
"""a fair die falls outside once in 500 tests"""


def measure_dice(sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    """Many dice of one roll, and one die of many rolls."""
    seed, many = secrets.token_bytes(32), (6,) * sizes.dice
    many_d6 = race(lambda: draw(seed, many), lambda: _stream(seed, sizes.dice), 2 * sizes.turns)
    ours, beside = rate(sizes.dice, many_d6.ours, "dice"), rate(sizes.dice, many_d6.bare, "dice")
    wanted = f"{DICE_TARGET:,} dice/s"
    what, against = f"derive {sizes.dice:,} d6 from a seed", "the figure to reach, on any machine"
    reached = sizes.dice / many_d6.ours / DICE_TARGET
    yield Measure("d6_to_10_million_per_second", what, against, ours, wanted, reached, 1.0)
    what, against = "the same", "the HMAC-SHA256 blocks that they are read from, alone"
    yield Measure("d6_to_bare_hmac", what, against, ours, beside, many_d6.ratio)
    game, links = bytes(32), [("host", seed), ("alice", seed), ("bob", seed)]
    single = race(
        _repeat(lambda: sum(draw(roll_seed(game, 0, links), (20,))) + 5),
        _repeat(lambda: hmac.digest(seed, b"d20", "sha256")),
        sizes.turns,
    )
    ours, beside = rate(1000, single.ours, "rolls"), rate(1000, single.bare, "rolls")
    what = "derive 1d20+5 from the links of three"
    yield Measure("d20_to_bare_hmac", what, "one HMAC-SHA256", ours, beside, single.ratio)
    if peers.there:
        theirs = peers.race("d20", 1000, _repeat(lambda: sum(draw(roll_seed(game, 0, links), (20,))) + 5), sizes)
        ours, beside = rate(1000, theirs.ours, "rolls"), rate(1000, theirs.bare, "rolls")
        against = f"{peers.versions['d20']}: d20.roll('1d20+5'), random and without proof"
        yield Measure("d20_to_d20_package", what, against, ours, beside, theirs.ratio, 1.0)
        yield from _expressions(sizes, peers)


def _expressions(sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    """A notation read and added up, in `dice-1` from naturals that are given, in the package from random ones."""
    system = AnyDice()
    game = system.start(Options(), {"host": "keeper", "alice": "player"})
    for work, text, naturals in (("keep", "4d6kh3+2", (6, 5, 3, 2)), ("hundred", "100d6", (1, 2, 3, 4, 5) * 20)):
        event = Event(1, "alice", "roll", RollBody(dice=text))

        def roll(event: Event = event, naturals: tuple[int, ...] = naturals) -> None:
            pending, _ = system.request(game, event)
            next(system.waves(pending, naturals), ())
            system.reveal(pending, naturals)

        theirs = peers.race(f"d20_{work}", 1000, _repeat(roll), sizes)
        ours, beside = rate(1000, theirs.ours, "rolls"), rate(1000, theirs.bare, "rolls")
        what, against = f"read and add up {text}", f"{peers.versions['d20']}: d20.roll('{text}')"
        yield Measure(f"{work}_to_d20_package", what, against, ours, beside, theirs.ratio, 1.0)


def _stream(seed: bytes, count: int) -> bytes:
    """At least `count` bytes of stream, and as many more as d6 reject (specs/dice.md)."""
    keyed = hmac.new(seed, b"rollproof/v1/dice\n", "sha256")
    blocks = []
    for counter in range(count * 256 // 252 // 32 + 1):
        block = keyed.copy()
        block.update(counter.to_bytes(8, "big"))
        blocks.append(block.digest())
    return b"".join(blocks)


def _repeat(work: Callable[[], object]) -> Callable[[], None]:
    def thousand() -> None:
        for _ in range(1000):
            work()

    return thousand


def fairness(say: Callable[[str], None], sizes: Sizes) -> dict[str, float]:
    """The p-values of dice of several kinds, by name; says them."""
    say("Are the dice uniform? Pearson's chi-square of dice from fixed seeds, so that every run gives the same;")
    say("p by the Wilson–Hilferty approximation. A fair die has any p from 0 to 1 equally often.")
    results = {}
    for sides in (4, 6, 8, 10, 12, 20, 100, 1000):
        count = sizes.fairness_d6 if sides == 6 else sizes.fairness
        p = chi_square_p(_counts(sides, count))
        results[f"chi_square_p_d{sides}"] = p
        words = "as a fair die" if P_LIMITS[0] < p < P_LIMITS[1] else "NOT as a fair die"
        say(f"  {count:>10,} d{sides:<5} p = {p:.3f}, {words}")
    return results


def _counts(sides: int, count: int) -> list[int]:
    """How often each natural comes among `count` dice, a hundred thousand from a seed."""
    counter: Counter[int] = Counter()
    for part, start in enumerate(range(0, count, 100_000)):
        seed = hashlib.sha256(f"rollproof bench d{sides} {part}".encode()).digest()
        counter.update(draw(seed, (sides,) * min(100_000, count - start)))
    assert counter.keys() <= set(range(1, sides + 1))
    return [counter[natural] for natural in range(1, sides + 1)]


def chi_square_p(counts: Sequence[float]) -> float:
    """The chance that a fair die with a side for each of `counts` strays as far from equal counts, or farther.

    Pearson's chi-square; its upper tail by Wilson and Hilferty (1931), good to two decimals from four sides on.
    """
    expected = sum(counts) / len(counts)
    freedom = len(counts) - 1
    chi_square = sum((count - expected) ** 2 for count in counts) / expected
    spread = 2 / (9 * freedom)
    z = ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)
    return NormalDist().cdf(-z)
