"""Every reader of a stranger's bytes: seeds, what fuzzing found, and some thousand changed inputs (tests/fuzz)."""

from random import Random

import pytest

from tests.fuzz.mutate import mutate_bytes, mutate_json
from tests.fuzz.targets import TARGETS, seeds


@pytest.mark.long
@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_finds(name: str) -> None:
    for about, data in seeds(name):
        try:
            TARGETS[name].read(data)
        except Exception as error:
            raise AssertionError(about) from error


def change(name: str, count: int, seed: int) -> None:
    """Read `count` changed seeds."""
    target, random = TARGETS[name], Random(seed)
    known = [data for _, data in seeds(name)]
    for number in range(count):
        data = random.choice(known)
        if target.json and random.random() < 0.8:
            data = mutate_json(data, random, random.choice(known))
        else:
            data = mutate_bytes(data, random)
        try:
            target.read(data)
        except Exception as error:
            raise AssertionError(f"input {number} of seed {seed}: {data!r}") from error


@pytest.mark.parametrize("name", TARGETS)
def test_changed_inputs(name: str) -> None:
    change(name, 60 if TARGETS[name].long else 400, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 10))
@pytest.mark.parametrize("name", TARGETS)
def test_many_changed_inputs(name: str, seed: int) -> None:
    change(name, 2_000 if TARGETS[name].long else 20_000, seed)
