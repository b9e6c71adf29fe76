"""The follower and the fork guard of a page, each branch by itself, upon logs of the vectors (specs/seats.md)."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.web.browsers import NODE


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_every_guard_of_a_seat_does_its_part() -> None:
    assert NODE is not None
    done = subprocess.run([NODE, Path(__file__).with_name("guards.mjs")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "22 checks\n", done.stdout


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_no_text_of_a_stranger_keeps_a_pattern_busy() -> None:
    """Links, files, notes, policies, lines, weapons: 50,000 hostile characters each, within a second."""
    assert NODE is not None
    program = Path(__file__).with_name("regexes.mjs")
    done = subprocess.run([NODE, program], capture_output=True, text=True, check=True, timeout=120)
    slowest = json.loads(done.stdout)
    assert len(slowest) > 10
    assert {name: spent for name, spent in slowest.items() if spent > 1_000} == {}
