"""Two Pythons, and two hash seeds, say the same of every log, script and typed line (`tests.oracles.answers`).

Each asks a process of its own. Other Pythons are named in PYTHONS, by their paths: each needs msgspec and cryptography.
"""

import os
import subprocess
import sys

import pytest

from tests.conftest import SPECS

ROOT = SPECS.parent


def said(python: str, seed: str, *asked: str) -> list[str]:
    """The lines that a Python prints."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [python, "-m", "tests.oracles.answers", *asked]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def differing(one: list[str], other: list[str]) -> list[str]:
    """The names of what is said otherwise."""
    assert len(one) == len(other)
    return [line.rpartition(" ")[0] for line, same in zip(one, other, strict=True) if line != same]


@pytest.mark.slow
def test_three_hash_seeds_say_the_same() -> None:
    told = [said(sys.executable, seed, "--damaged", "40", "--part", "40") for seed in ("0", "1", "4242")]
    assert len(told[0]) > 200
    assert differing(told[0], told[1]) == []
    assert differing(told[0], told[2]) == []


@pytest.mark.slow
@pytest.mark.parametrize("python", os.environ.get("PYTHONS", "").split() or [""])
def test_another_python_says_the_same(python: str) -> None:
    if not python:
        pytest.skip("PYTHONS names none")
    assert differing(said(sys.executable, "0", "--damaged", "2000"), said(python, "7", "--damaged", "2000")) == []
