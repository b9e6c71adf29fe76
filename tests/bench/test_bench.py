"""The benchmark runs and gives its ratios by name; what they are is for the machine to say, not for a test."""

import json
import math
from pathlib import Path

import pytest

from tests.bench import Measure, chi_square_p, run
from tests.bench.peers import Peers
from tests.support.postgres import programs

KEYS = {
    "verify_to_bare_ed25519",
    "verify_fast_to_bare_ed25519",
    "verify_fast_to_bare_libsodium",
    "verify_one_core_to_bare_ed25519",
    "folder_to_one_job",
    "folder_to_bare_ed25519",
    "folder_fast_to_bare_ed25519",
    "folder_fast_to_bare_libsodium",
    "append_to_bare_insert",
    "append_at_length_to_bare_insert",
    "append_late_to_early",
    "roll_to_bare_inserts",
    "rebuild_to_bare_inserts",
    "d6_to_bare_hmac",
    "d6_to_10_million_per_second",
    "d20_to_bare_hmac",
    "served_lines_to_bare_inserts",
    "served_dice_to_round_trip",
    "served_idle_memory",
    "start_verify_to_bare_imports",
    "start_help_to_bare_imports",
    "start_roll_to_bare_imports",
    "state_long_to_short",
    "roll_long_to_short",
    "roll_within",
    "explain_to_verify",
    "report_to_verify",
    "stats_to_verify",
    "time_to_linear",
}
PEERS = {
    "append_to_eventsourcing",
    "append_row_to_eventsourcing",
    "groups_to_eventsourcing",
    "served_lines_to_eventsourcing",
    "rebuild_to_eventsourcing",
    "rebuild_to_eventsourcing_projection",
    "rebuild_store_to_eventsourcing",
    "d20_to_d20_package",
    "keep_to_d20_package",
    "hundred_to_d20_package",
}


@pytest.mark.slow
def test_a_quick_run_gives_every_ratio_and_judges_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where no peers are
    said: list[str] = []
    results = run(said.append, quick=True)
    measures = {measure["key"]: measure for measure in results["measures"]}
    memory = {"memory_limit_to_peak"} if Path("/proc").exists() else set()  # not every system has it
    shared = {"processes_to_one"} if programs() is not None else set()
    assert measures.keys() >= KEYS
    assert measures.keys() - KEYS == {*memory, *shared}
    assert all(math.isfinite(measure["ratio"]) and measure["ratio"] > 0 for measure in measures.values())
    assert all(measure["met"] is None for measure in measures.values()), "a quick run judges no target"
    assert results["fairness"].keys() == {f"chi_square_p_d{sides}" for sides in (4, 6, 8, 10, 12, 20, 100, 1000)}
    assert not any("NOT" in line for line in said)
    assert any(line.startswith("Without the peers") for line in said)
    assert json.loads(json.dumps(results)) == results


@pytest.mark.long
def test_peers_that_cannot_be_installed_are_told_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("tests.bench.peers.PACKAGES", ("--no-index", "no-such-package"))
    said: list[str] = []
    peers = Peers(said.append, tmp_path, install=True)
    assert not peers.there
    assert "cannot be installed" in said[-1]


@pytest.mark.long
def test_the_table_of_a_cluster_has_a_row_for_each_size_and_number_of_workers() -> None:
    pytest.importorskip("distributed")
    from tests.bench.cluster import measure

    rows = list(measure([2, 5], [0, 1], 30))
    assert [(row.logs, row.workers) for row in rows] == [(2, 0), (5, 0), (2, 1), (5, 1)]
    assert all(0 < row.first <= row.seconds for row in rows)


@pytest.mark.long
def test_the_table_of_processes_has_a_row_for_each_number_of_them() -> None:
    if programs() is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    from tests.bench.processes import measure

    rows = list(measure([0, 2], tables=3, lines=2))
    assert [(row.processes, row.tables, row.lines) for row in rows] == [(0, 3, 6), (2, 3, 6)]
    assert all(row.seconds > 0 and 1 <= row.groups <= 6 for row in rows)


def test_a_target_is_met_at_its_figure() -> None:
    assert Measure("k", "w", "a", "o", "b", ratio=0.85, target=0.85).met is True
    assert Measure("k", "w", "a", "o", "b", ratio=0.84, target=0.85).met is False
    assert Measure("k", "w", "a", "o", "b", ratio=0.84).met is None


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
