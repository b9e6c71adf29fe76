"""The simulation of a hall runs to its end, small; what its figures are is for the machine to say, not for a test."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.bench.hall import AIMS, Hall, Sizes, measure, table

pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")]


def test_a_small_hall_plays_a_round(tmp_path: Path) -> None:
    line: dict[str, Any] = {"delay": 20, "loss": 0.02, "kills": 1, "lost_laptop": True}
    sizes = Sizes(players=8, programs=1, checking_in=1, play=4, every=2, events=40, **line)
    hall = measure(tmp_path / "hall", sizes)
    assert hall.errors == []
    assert (len(hall.check_ins), len(hall.going_on), hall.verdict) == (8, 8, "holds")
    assert len([*hall.dice, *hall.dice_around_kills]) >= 4
    assert hall.dice == []  # it was killed once in these four seconds
    assert (len(hall.published), len(hall.again), len(hall.games), hall.anchored, hall.lost) == (8, 8, 4, 4, 0)
    assert min(hall.games) >= 40
    told = table(hall)
    assert "errors: 0" in told
    assert "rolls lost: 0 (0: met)" in told


def test_what_is_asked_of_a_hall_is_told_as_met_or_missed() -> None:
    good = Hall(2, [1], [1], [1], [1], [1], [1], [], 1, 1, 1, [1], "holds", [300], 0, 1, [1], 1, 1, 1)
    assert "MISSED" not in table(good)
    assert table(good).count(": met") == 9
    worse: list[dict[str, Any]] = [
        *({name: [1] * 98 + [aim + 1] * 2} for _, name, aim in AIMS if aim),
        *({name: []} for _, name, aim in AIMS if aim),
        {"errors": ["roll"]},
        {"away": [300_001]},
        {"lost": 1},
        {"ended": 60_000},
        {"anchored": 0},
        {"verdict": "fails"},
    ]
    for change in worse:
        assert table(replace(good, **change)).count("MISSED") == 1, change


def test_a_hall_tells_where_the_servers_time_goes(tmp_path: Path) -> None:
    sizes = Sizes(players=4, programs=1, checking_in=1, play=2, every=1, profile=True)
    told = table(measure(tmp_path / "hall", sizes))
    assert "errors: 0" in told
    assert "Ordered by: internal time" in told
    assert str(Path(__file__).parents[2]) not in told
