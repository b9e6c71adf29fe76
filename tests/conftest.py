"""Fixtures that the tests share."""

import gc
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx._config
import pytest
from hypothesis import HealthCheck, settings

from tests.support.table import Table

# Where the environment forbids compiled modules, each of the hundreds of children would compile the product anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A test that asks a server waits for it as long as it takes: 5 seconds are over on a busy machine. Clients of ours say
# themselves how long they wait.
for phase in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, phase, 60.0)

SPECS = Path(__file__).parent.parent / "specs"

# Examples take milliseconds of signatures and databases each: no deadline for one, a bound on their number.
settings.register_profile("quick", deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
settings.register_profile("thorough", parent=settings.get_profile("quick"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much was tried: what the tests that passed recorded, such as points at which a process was struck."""
    tried: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        tried.update(dict(report.user_properties))
    for name, count in tried.items():
        terminalreporter.write_line(f"{name}: {count:,} tried")


@pytest.fixture(autouse=True, scope="session")
def no_state_of_whoever_runs_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What seats remember stands in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_STATE", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture
def make_table(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Makes tables, each in a folder of its own, and closes them in the end."""
    tables: list[Table] = []

    def make(**terms: Any) -> Table:
        tables.append(Table(tmp_path / f"table-{len(tables)}", **terms))
        return tables[-1]

    yield make
    for table in tables:
        table.close()


@pytest.fixture
def table(make_table: Callable[..., Table]) -> Table:
    """Host, alice, bob and dana have joined and committed; nothing has been rolled."""
    return make_table().begin()


@pytest.fixture
def pending(table: Table) -> Table:
    """Alice has asked for twenty twenty-sided dice; nobody has opened yet."""
    table.act("alice", "roll", {"source": "Delina, Wild Mage", "dice": "20d20", "use": "compare"})
    return table


def pytest_collection_finish() -> None:
    """What was collected stays until the end: the collector of garbage need not look at it each time."""
    gc.collect()
    gc.freeze()
