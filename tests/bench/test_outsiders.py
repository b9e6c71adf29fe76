"""A day of outsiders goes from the list of players to a bundle that another home verifies."""

from pathlib import Path

import pytest

from tests.bench.outsiders import play
from tests.web.table_page import CHROMIUM

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")]


def test_outsiders_play_three_rounds_with_all_that_goes_wrong(tmp_path: Path) -> None:
    pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
    outcome = play(tmp_path)
    assert (outcome.verdict, outcome.games, list(outcome.problems)) == ("holds", 25, [])
    assert outcome.quiet <= 4
    assert {"event.desk", "event.rekeyed", "event.repaired", "event.judged", "event.left"} <= set(outcome.notices)
