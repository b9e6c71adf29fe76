"""What an audit by a Dask cluster costs, against logs and workers (`python -m tests.bench.cluster`).

Scheduler and workers are processes here: beyond this machine's cores more of them win nothing, and what the table shows
is what a log costs besides its signatures. The folder has copies of a few logs; they are as much work as others.
"""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from ledger.cluster import cluster
from tests.bench.measure import cores
from tests.bench.scribe import game
from tests.cluster.clusters import started
from verifier import Pins
from verifier.shell.audit import AuditOptions, audit
from verifier.shell.files import Brought

__all__ = ["Row", "measure"]

HEAD = "     logs      events           by  first s     all s    cpu s  events/s   cpu s/10^6"


class Row(Struct, frozen=True):
    """One audit."""

    logs: int
    events: int
    workers: int
    """0: processes here, without Dask, as many as there are cores"""
    first: float
    """seconds until the first answer: the workers' processes start"""
    seconds: float
    cpu: float
    """seconds of processor time of all processes, the scheduler's too: others' work beside it changes little in it"""

    @property
    def told(self) -> str:
        """As a line of the table."""
        by = f"{self.workers} workers" if self.workers else f"{cores()} processes"
        after = self.seconds - self.first
        rate = self.events * (self.logs - 1) / self.logs / after if self.logs > 1 else 0
        total = self.events
        times = f"{self.first:>8.2f} {self.seconds:>9.1f} {self.cpu:>8.1f}"
        return f"{self.logs:>9,} {total:>11,} {by:>12} {times} {rate:>9,.0f} {1e6 * self.cpu / total:>12,.0f}"


def measure(logs: Sequence[int], workers: Sequence[int], events: int) -> Iterator[Row]:
    """Audits of so many logs of so many events each; of 0 workers, without Dask."""
    with TemporaryDirectory(prefix="rollproof-bench-") as folder:
        place = Path(folder)
        made = [game(events)[0] for _ in range(4)]
        count = sum(log.count(b"\n") for log in made) // 4
        files = [place / f"table-{number:07}.jsonl" for number in range(max(logs))]
        for number, file in enumerate(files):
            file.write_bytes(made[number % 4])
        for many in workers:
            with nullcontext() if not many else started(place / f"cluster-{many}", many) as found:
                for size in logs:
                    yield _audited(files[:size], count, many, None if found is None else found.address)


def _audited(files: Sequence[Path], events: int, workers: int, address: str | None) -> Row:
    options = AuditOptions(Pins(), Brought(one_log=False), brief=True)
    begun, before, first = time.perf_counter(), _cpu(), 0.0
    with nullcontext() if address is None else cluster(address, workers) as make_pool:
        for number, log in enumerate(audit(files, options, cores(), make_pool)):
            assert log.exit_code == 0, log.text
            first = first if number else time.perf_counter() - begun
        seconds, cpu = time.perf_counter() - begun, 0.0 if address is None else _cpu() - before
    return Row(len(files), events * len(files), workers, first, seconds, cpu or _cpu() - before)


def _cpu() -> float:
    """Seconds of processor time of this process and all that it has begun."""
    from psutil import NoSuchProcess, Process

    taken, me = 0.0, Process()
    for process in (me, *me.children(recursive=True)):
        with suppress(NoSuchProcess):
            taken += sum(process.cpu_times()[:4])  # of itself, and of its processes that have ended
    return taken


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m tests.bench.cluster", description=__doc__)
    parser.add_argument("--logs", type=int, nargs="+", default=[10, 100, 400], help="logs of an audit")
    parser.add_argument("--workers", type=int, nargs="+", default=[0, 1, 2, 4], help="workers; 0: without Dask")
    parser.add_argument("--events", type=int, default=300, help="events of each log")
    given = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{cores()} cores, load {load:.1f}, logs of {given.events} events")
    print(HEAD)
    for row in measure(given.logs, given.workers, given.events):
        print(row.told, flush=True)


if __name__ == "__main__":
    main()
