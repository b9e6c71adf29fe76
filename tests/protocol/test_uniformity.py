"""Every natural of a die is equally likely (706.1a; specs/dice.md): shown by counting, not by statistics.

The stream is replaced by one that runs through all values of k bytes, each once. A die that keeps equally many values
for each natural is uniform if the stream is.
"""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import reference
from tests.support.bundles import bundled
from verifier.dice import derivation
from verifier.dice.derivation import draw

SEED = b"\x07" * 32
TWO_BYTES = (257, 258, 511, 512, 513, 1_000, 4_096, 10_000, 32_767, 32_768, 32_769, 65_521, 65_535, 65_536)
LARGE = (65_537, 10**6, 2**24 - 1, 2**24, 2**24 + 1, 2**32 - 1, 2**32, 2**32 + 1, 10**15, 2**53 - 2, 2**53 - 1)


@pytest.fixture
def stream(monkeypatch: pytest.MonkeyPatch) -> "Stream":
    return Stream(monkeypatch)


class Stream:
    """Lets dice be drawn from given bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bytes = b""
        self.taken = 0

        def blocks(stream: object, count: int) -> bytes:
            at, self.taken = self.taken, self.taken + 32 * count
            if self.taken - 32 >= len(self.bytes):
                raise StopIteration
            return self.bytes[at : at + 32 * count].ljust(32 * count, b"\0")

        monkeypatch.setattr(derivation.Stream, "_blocks", blocks)

    def draw(self, data: bytes, sides: Iterable[int]) -> tuple[int, ...]:
        """These dice, from these bytes; StopIteration where the bytes are not enough."""
        self.bytes, self.taken = data, 0
        return draw(SEED, sides)


def width(n: int) -> int:
    """The least number of bytes that can hold n - 1."""
    return next(k for k in range(9) if 256**k >= n)


@bundled("n", range(1, 257))
def test_each_natural_of_a_small_die_comes_from_equally_many_bytes(stream: Stream, n: int) -> None:
    every = bytes(range(256))
    kept = 256 // n * n
    naturals = stream.draw(every, [n] * kept)
    assert Counter(naturals) == dict.fromkeys(range(1, n + 1), kept // n)
    # Each value in front of bytes that are surely kept: just the values from `kept` on are passed over.
    for value in range(256):
        behind = stream.draw(bytes([value, 0, 1 % n]), [n])
        one_at_a_time = value % n + 1 if value < kept else 1
        assert behind == (one_at_a_time,)


@pytest.mark.parametrize("n", TWO_BYTES)
def test_each_natural_of_a_middling_die_comes_from_equally_many_pairs_of_bytes(stream: Stream, n: int) -> None:
    every = b"".join(value.to_bytes(2, "big") for value in range(65_536))
    kept = 65_536 // n * n
    counts = Counter(stream.draw(every, [n] * kept))
    assert counts == dict.fromkeys(range(1, n + 1), kept // n)
    if kept < 65_536:
        for value in (kept, 65_535):
            assert stream.draw(value.to_bytes(2, "big") + b"\0\x05", [n]) == (6,)


@pytest.mark.parametrize("n", [*TWO_BYTES, *LARGE])
def test_the_values_from_the_largest_multiple_on_are_passed_over_and_no_others(stream: Stream, n: int) -> None:
    k = width(n)
    limit = 256**k // n * n
    # Exactly: among the values below the limit, each remainder occurs limit / n times.
    assert limit % n == 0
    assert 256**k - limit < n

    def first(value: int) -> int:
        (natural,) = stream.draw(value.to_bytes(k, "big") + (4).to_bytes(k, "big"), [n])
        return natural

    for value in {0, 1, n - 1, n % limit, limit - n, limit - 2, limit - 1}:
        assert first(value) == value % n + 1
    for value in {limit, limit + 1, 256**k - 1}:
        if limit <= value < 256**k:
            assert first(value) == 5


@pytest.mark.parametrize("n", [2, 6, 20, 256, *TWO_BYTES, *LARGE])
def test_a_die_takes_the_least_bytes_that_hold_its_naturals(stream: Stream, n: int) -> None:
    k = width(n)
    dice = 64
    data = b"".join((i % n).to_bytes(k, "big") for i in range(dice))
    assert stream.draw(data, [n] * dice) == tuple(i % n + 1 for i in range(dice))
    with pytest.raises((StopIteration, RuntimeError)):
        stream.draw(data[: (len(data) - 1) // 32 * 32], [n] * (dice + 32 // k))


def test_a_die_of_one_side_takes_nothing_from_the_stream(stream: Stream) -> None:
    assert stream.draw(b"", [1] * 1_000) == (1,) * 1_000
    assert stream.draw(bytes(range(32)), [1, 20, 1, 20]) == (1, 1, 1, 2)


telling = st.sampled_from([1, 2, 6, 20, 100, 256, *TWO_BYTES, *LARGE])
sides = st.integers(1, 300) | telling | st.integers(1, 2**53 - 1)


@given(seed=st.binary(min_size=32, max_size=32), dice=st.lists(sides, max_size=40))
def test_mixed_dice_are_those_of_the_reference_stream(seed: bytes, dice: list[int]) -> None:
    assert list(draw(seed, dice)) == reference.naturals_of(seed, dice)


@given(seed=st.binary(min_size=32, max_size=32), n=sides, count=st.integers(0, 300))
def test_many_dice_at_once_are_those_that_are_drawn_one_at_a_time(seed: bytes, n: int, count: int) -> None:
    at_once = draw(seed, [n] * count)
    assert len(at_once) == count
    assert list(at_once) == reference.naturals_of(seed, [n] * count)
    # And the first of many are the same as of few: nothing is skipped or rewound.
    assert draw(seed, [n] * (count // 2)) == at_once[: count // 2]


@given(seed=st.binary(min_size=32, max_size=32), counts=st.lists(st.tuples(sides, st.integers(1, 60)), max_size=6))
def test_runs_of_dice_leave_off_and_go_on_at_the_same_byte(seed: bytes, counts: list[tuple[int, int]]) -> None:
    dice = [n for n, count in counts for _ in range(count)]
    assert list(draw(seed, dice)) == reference.naturals_of(seed, dice)
