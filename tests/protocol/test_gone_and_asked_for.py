"""Whom a keeper calls away because somebody asks to go on in its place (specs/network.md, "Signed away")."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.keeper.calling_away import HEARD, IDLE
from ledger.keeper.operations import Acceptance
from tests.protocol.test_gone_without_link import ROLL, Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Bob has a chain with links; somebody asks to go on as bob."""
    table = Table(tmp_path, commits=16)
    table.hosted.host.going_on = lambda _replay: {"bob"}
    yield table
    table.hosted.close()


def test_who_is_not_heard_and_is_asked_for_is_called_away_after_fifteen_seconds(table: Table) -> None:
    table.call()
    assert table.later(HEARD - 0.1) == set()
    assert table.later(HEARD) == {"bob"}


def test_nobody_is_called_away_whom_nobody_asks_for(table: Table) -> None:
    table.hosted.host.going_on = lambda _replay: ()
    table.call()
    assert table.later(10 * IDLE) == set()


def test_nobody_is_called_away_whom_nobody_else_calls(table: Table) -> None:
    assert table.later(10 * IDLE) == set()


def test_who_has_a_stream_open_is_here_however_long(table: Table) -> None:
    table.hosted.host.streaming = lambda _game: {"bob"}
    table.call()
    assert table.later(10 * IDLE) == set()


def test_who_writes_a_line_is_here_and_the_time_begins_anew(table: Table) -> None:
    table.call()
    assert table.later(HEARD - 1.0) == set()
    (outcome,) = table.hosted.process(table.client("bob").act("roll", ROLL))
    assert isinstance(outcome, Acceptance)
    table.hosted.settle()
    assert table.later(2 * HEARD) == set(), "with a line of bob's the call has lapsed"
    table.call()
    assert table.later(3 * HEARD - 0.1) == set()
    assert table.later(3 * HEARD) == {"bob"}
