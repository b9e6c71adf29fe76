"""A machine's clock that is set to another time while a server runs (specs/seats.md, "Before it signs or opens")."""

import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ledger.game.times import utc_now
from ledger.home import Home
from ledger.server.clock import SteadyClock
from ledger.server.run import Settings, open_service
from rules import SYSTEMS, Body
from tests.server.served import PASSPHRASE
from tests.support.cli import QUICK
from verifier.log.format import glance

BEGAN = 1_800_000_000.0


class _Machine:
    def __init__(self) -> None:
        self.wall, self.passed = BEGAN, 50.0
        self.told: list[float] = []
        self.clock = SteadyClock(self.told.append, lambda: self.wall, lambda: self.passed)

    def pass_(self, seconds: float, set_by: float = 0) -> float:
        """By how much the clock is off after so many seconds."""
        self.wall += seconds + set_by
        self.passed += seconds
        return datetime.fromisoformat(self.clock()).timestamp() - (BEGAN + self.passed - 50)


@pytest.mark.parametrize("jump", [3_600.0, -3_600.0, 61.0, -61.0])
def test_a_clock_that_jumps_is_noticed_and_the_time_goes_on(jump: float) -> None:
    machine = _Machine()
    assert machine.pass_(10) == 0
    assert machine.pass_(10, set_by=jump) == 0
    assert machine.told == [jump]
    for _ in range(30):
        assert machine.pass_(10) == 0
    assert machine.told == [jump] * 6, "once a minute"
    assert machine.pass_(10, set_by=-jump) == 0, "it was set right again"
    assert machine.told == [jump] * 6


def test_a_clock_that_is_set_right_bit_by_bit_is_followed() -> None:
    machine = _Machine()
    assert machine.pass_(10, set_by=59) == 59
    for step in range(100):
        assert machine.pass_(10, set_by=-1) == 58 - step
    assert machine.told == []


def test_a_clock_that_runs_fast_is_followed_however_far() -> None:
    """What counts is how far it goes at once: a minute is not too far."""
    machine = _Machine()
    assert machine.pass_(10, set_by=60) == 60
    for step in range(1, 200):
        assert machine.pass_(10, set_by=1) == 60 + step
    assert machine.told == []


def test_a_server_dates_nothing_by_a_clock_that_jumped(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", tmp_path / "state")
    for name in ("keeper", "timer"):
        home.new_identity(name, PASSPHRASE, QUICK)
    with open_service(home, "keeper", PASSPHRASE, Settings(judge="timer")) as service:
        clock = service.now
        assert isinstance(clock, SteadyClock)
        clock._wall = lambda: time.time() + 3_600
        keeper, judge = service.seat, service.host.judge
        assert judge is not None
        line = keeper.open_game("dice-1", _options(), [(keeper.key, "keeper"), (judge.key, "player")])
        wish = judge.access(bytes(32))
        for told in (service.now(), glance(line).time, wish.time, service.host.ledger._clock()):
            assert abs(datetime.fromisoformat(told) - datetime.fromisoformat(utc_now())) < timedelta(minutes=5)


def _options() -> Body:

    return SYSTEMS["dice-1"].options()
