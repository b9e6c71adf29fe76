"""What the ledger and the verifier cost beside what they cannot do without, and beside peers (`python -m tests.bench`).

Absolute figures drift by half from minute to minute on a busy machine. So everything is measured in turns with a
counterpart: one that does only the unavoidable part (the signatures, the commit, the hashes), or a peer. What counts is
the median of the turns' ratios: at 1 ours is as fast as the counterpart, at 0.5 it takes twice as long.
"""

import os
import platform
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from tests.bench.commands import measure_commands
from tests.bench.dice import chi_square_p, fairness, measure_dice
from tests.bench.hosts import measure_hosts
from tests.bench.measure import FULL, QUICK, Measure, Sizes, cores
from tests.bench.peers import Peers
from tests.bench.processes import measure_processes
from tests.bench.served import measure_served
from tests.bench.start import measure_start
from tests.bench.store import measure_store
from tests.bench.verification import measure_folder, measure_memory, measure_verification

__all__ = ["Measure", "chi_square_p", "run"]


def run(say: Callable[[str], None], *, quick: bool) -> dict[str, Any]:
    """Measure everything and tell it line by line; returns it as JSON values.

    Full takes some minutes and installs the peers, `quick` some seconds with small sizes, whose ratios say little.
    """
    sizes = QUICK if quick else FULL
    measures: list[dict[str, Any]] = []
    machine = _machine()
    say(f"{datetime.now(UTC):%Y-%m-%d}, {machine}")
    if (load := _load()) > 0.5:
        say(f"Others keep {load:.1f} of the cores busy: the figures are rough. Measure again when the machine is idle.")
    if quick:
        say("Quick run: these sizes are too small to tell whether a target is met.")
    with TemporaryDirectory(prefix="rollproof-bench-") as folder:
        peers = Peers(say, Path(folder), install=not quick)
        say("")
        say(_row("what", "ours", "beside", "ratio", "target"))
        for measure in _measures(Path(folder), sizes, peers):
            met = None if quick else measure.met
            measures.append({**msgspec.to_builtins(measure), "met": met})
            words = "" if measure.target is None else f"{measure.target:.2f}"
            words += "" if met is None else " met" if met else " NOT met"
            say(_row(measure.what, measure.ours, measure.bare, f"{measure.ratio:.2f}", words))
            say(f"    beside {measure.against}")
    say("")
    return {"machine": machine, "quick": quick, "measures": measures, "fairness": fairness(say, sizes)}


def _measures(folder: Path, sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    yield from measure_verification(sizes)
    yield from measure_folder(folder, sizes)
    yield from measure_store(folder, sizes, peers)
    yield from measure_hosts(folder / "hosts", sizes, peers)
    yield from measure_served(folder / "served", sizes, peers)
    yield from measure_processes(sizes)
    yield from measure_dice(sizes, peers)
    yield from measure_start(folder, sizes)
    yield from measure_commands(folder / "commands", sizes)
    yield from measure_memory(folder, sizes)


def _machine() -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("cryptography", "msgspec"))
    return (
        f"{platform.python_implementation()} {platform.python_version()}, {packages}, SQLite {sqlite3.sqlite_version}, "
        f"{cores()} cores, {platform.system()} {platform.machine()}"
    )


def _load() -> float:
    """How many processes wanted to run, on average over the last minute; 0 where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def _row(what: str, ours: str, bare: str, ratio: str, target: str) -> str:
    return f"{what:<72}{ours:>20}{bare:>20}{ratio:>7}  {target}".rstrip()
