"""The search for expensive logs (tests/hostile/expensive.py): it prints the worst that it finds, for each system."""

import os
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings, target

from tests.hostile.cost import MOST_STATE, TIMES, Cost, cost
from tests.hostile.expensive import STEPS, Steps, expensive, work
from tests.hostile.ordinary import SYSTEMS, ordinary

EXAMPLES = int(os.environ.get("EXPENSIVE_EXAMPLES", "400"))


@cache
def usual(system: str) -> float:
    """Lines of rules for a byte of ordinary games."""
    logs = ordinary(system, 60_000)
    return sum(map(work, logs)) / sum(map(len, logs))


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_log_that_is_searched_for_costs_more_than_it_may(system: str) -> None:
    worst: list[tuple[float, bytes]] = [(0.0, b"")]
    states = [0.0]

    @settings(max_examples=EXAMPLES, deadline=None, database=None)
    @given(STEPS)
    def search(steps: Steps) -> None:
        forge = expensive(system, steps)
        log = forge.log
        times = work(log) / len(log) / usual(system)
        state = len(msgspec.json.encode(forge.session.view())) / len(log)
        target(times, label="lines of rules")
        target(state, label="bytes of state")
        states.append(state)
        worst.append((times, log))
        worst[:] = sorted(worst, key=lambda one: one[0])[-3:]
        assert state < TIMES or state * len(log) < MOST_STATE

    search()
    found: list[Cost] = [cost(system, log) for times, log in worst if log]
    times = max(one.times for one in found)
    lines, state = worst[-1][0], max(states)
    print(f"\n{system}: {lines:.1f} times the lines of rules, {times:.1f} times the time, {state:.1f} times the bytes")
    assert times < TIMES


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_search_makes_games(system: str) -> None:
    steps = [(number * 7_919 % 65_536, number % 7, 2) for number in range(12)]
    forge = expensive(system, steps)
    assert forge.seq > 12
    assert work(forge.log) > 0
