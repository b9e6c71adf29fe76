"""The benchmark runs and gives its ratios by name; what they are is for the machine to say, not for a test."""

import math

import pytest

from ledger.bench import chi_square_p, run

KEYS = {
    "verify_to_bare_ed25519",
    "verify_one_thread_to_bare_ed25519",
    "append_to_bare_insert",
    "append_at_length_to_bare_insert",
    "append_late_to_early",
    "roll_to_bare_inserts",
    "rebuild_to_bare_inserts",
    "d6_to_bare_hmac",
    "d6_to_10_million_per_second",
    "d20_to_bare_hmac",
    "start_to_bare_imports",
    "memory_limit_to_peak",
    "memory_quarter_to_whole",
    *(f"chi_square_p_d{sides}" for sides in (4, 6, 8, 10, 12, 20, 100, 1000)),
}


def test_a_quick_run_gives_every_ratio() -> None:
    said: list[str] = []
    results = run(said.append, quick=True)
    # Memory is read from /proc, which not every system has.
    assert KEYS - {"memory_limit_to_peak", "memory_quarter_to_whole"} <= results.keys() <= KEYS
    assert all(math.isfinite(value) and value > 0 for value in results.values())
    assert not any("NOT as a fair die" in line for line in said)
    assert not any(line.endswith("reached") for line in said), "a quick run judges no target"


@pytest.mark.parametrize(
    ("counts", "p"),
    # From tables: with 5 degrees of freedom 11.070 and 20.515 are the 95 % and 99.9 % points.
    [
        ([100] * 6, 1.0),
        ([100 + math.sqrt(11.070 * 50), 100 - math.sqrt(11.070 * 50), 100, 100, 100, 100], 0.05),
        ([100 + math.sqrt(20.515 * 50), 100 - math.sqrt(20.515 * 50), 100, 100, 100, 100], 0.001),
    ],
)
def test_chi_square_agrees_with_the_tables(counts: list[float], p: float) -> None:
    assert chi_square_p(counts) == pytest.approx(p, abs=0.003)


def test_a_loaded_die_is_found() -> None:
    assert chi_square_p([1_666_667 + 6_000, *[1_666_667 - 1_200] * 5]) < 0.001
