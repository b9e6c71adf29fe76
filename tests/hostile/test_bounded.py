"""Whatever a log says, verifying it costs at most so many times what an ordinary one costs (specs/rules.md, "Load").

Times are compared with those of random games in the same run, never with a clock.
"""

from pathlib import Path

import pytest

from tests.hostile.bombs import BOMBS
from tests.hostile.cost import MOST_STATE, TIMES, cost, peak

LARGE = 256
"""megabytes for a log of ten million bytes"""


def check(name: str, size: int) -> None:
    system, make = BOMBS[name]
    log = make(size)
    found = cost(system, log)
    print(f"{name}: {found.times:.1f} times the time, {found.state / len(log):.1f} times the bytes")
    assert found.report.verdict == "holds", found.report.findings[0].message
    assert found.times < TIMES
    assert found.state < max(TIMES * len(log), MOST_STATE)


@pytest.mark.long
@pytest.mark.parametrize("name", BOMBS)
def test_a_short_log_that_was_made_to_be_expensive(name: str) -> None:
    check(name, 25_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_log_that_was_made_to_be_expensive(name: str) -> None:
    check(name, 1_000_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_memory_for_ten_megabytes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(BOMBS[name][1](10_000_000))
    most, verdict = peak(path)
    print(f"{name}: {most:.0f} MB")
    assert verdict == "holds"
    assert most < LARGE
