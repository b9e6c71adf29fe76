"""The simulation of a hall runs to its end, small; what its figures are is for the machine to say, not for a test."""

import shutil
from pathlib import Path

import pytest

from tests.bench.hall import Sizes, measure, table

pytestmark = [pytest.mark.long, pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")]


def test_a_small_hall_plays_a_round(tmp_path: Path) -> None:
    sizes = Sizes(players=8, programs=1, checking_in=1, play=4, every=2, delay=20, loss=0.02, kills=1, lost_laptop=True)
    hall = measure(tmp_path / "hall", sizes)
    assert hall.errors == []
    assert (len(hall.check_ins), len(hall.going_on), hall.verdict) == (8, 8, "holds")
    assert len(hall.dice) >= 4
    assert "errors: 0" in table(hall)


def test_a_hall_tells_where_the_servers_time_goes(tmp_path: Path) -> None:
    sizes = Sizes(players=4, programs=1, checking_in=1, play=2, every=1, profile=True)
    told = table(measure(tmp_path / "hall", sizes))
    assert "errors: 0" in told
    assert "Ordered by: internal time" in told
    assert str(Path(__file__).parents[2]) not in told
