"""How many lines a second several server processes take on one PostgreSQL (`python -m tests.bench.processes`).

Processes, database and clients share this machine's cores, and others may too. So beside the lines a second stands what
holds on any machine: the processor time of a line, in the servers and in PostgreSQL, in how large groups the lines were
taken, and how many writers waited for another's lock, on the average.
"""

import argparse
import asyncio
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psycopg
from msgspec import Struct
from psutil import NoSuchProcess, Process

from rules.systems.mtg.bodies import DeclareTrigger
from tests.bench.measure import Measure, Sizes, cores
from tests.bench.posting import begin_all, post_all, served
from tests.support.postgres import Cluster, cluster, programs

__all__ = ["Row", "measure", "measure_processes"]

SHARED_TARGET = 1 / 1.1
"""of the processor time of a line by one process"""

HEAD = "processes   tables    lines   lines/s   servers us/line   PostgreSQL us/line   groups   lines/group   waiting"

LOOK_EVERY = 0.02
"""seconds between two looks at who waits for a lock"""

_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


class Row(Struct, frozen=True):
    """One number of processes."""

    processes: int
    """0: one, with SQLite in its home"""
    tables: int
    lines: int
    seconds: float
    servers: float
    """seconds of processor time of the server processes"""
    database: float
    """and of PostgreSQL's"""
    groups: int
    """groups in which the lines were taken"""
    waiting: float
    """connections that waited for a lock, on the average"""

    @property
    def told(self) -> str:
        """As a line of the table."""
        each = 1e6 / self.lines
        by, rate = f"{self.processes}" if self.processes else "SQLite", self.lines / self.seconds
        taken = f"{self.servers * each:>17,.0f} {self.database * each:>20,.0f}"
        return (
            f"{by:>9} {self.tables:>8,} {self.lines:>8,} {rate:>9,.0f} {taken} "
            f"{self.groups:>8,} {self.lines / self.groups:>13.1f} {self.waiting:>9.2f}"
        )


def measure(processes: Sequence[int], tables: int, lines: int, others: int = 0) -> Iterator[Row]:
    """So many lines at each of so many tables, by so many processes; `others` are tables where nothing goes on."""
    with TemporaryDirectory(prefix="rollproof-bench-") as folder, cluster() as database:
        assert database is not None, "PostgreSQL is not installed here"
        for many in processes:
            yield _measured(Path(folder, f"by-{many}"), database, many, tables, lines, others)


def _measured(folder: Path, database: Cluster, processes: int, tables: int, lines: int, others: int) -> Row:
    options = ("--database", database.make(f"by-{processes}")) if processes else ()
    with ExitStack() as stack:
        found = [stack.enter_context(served(folder, *options)) for _ in range(processes or 1)]
        addresses = [address for address, _ in found]
        begin_all(addresses[0], others, ["alice"], 8)
        games = begin_all(addresses[0], tables, ["alice"], 8)
        declared = DeclareTrigger(source="Delina", on="rolled")
        warm = [(game, [game.line("alice", "declare", declared)]) for game in games]
        asyncio.run(post_all(addresses, warm))
        posts = [(game, [game.line("alice", "declare", declared) for _ in range(lines)]) for game in games]
        servers = [Process(process.pid) for _, process in found]
        own, theirs, groups = _cpu(servers), _cpu(_backends(database)), _groups(addresses)
        began = time.perf_counter()
        with _waits(database) as waits:
            asyncio.run(post_all(addresses, posts))
        taken = time.perf_counter() - began
        own, theirs = _cpu(servers) - own, _cpu(_backends(database)) - theirs
        waiting = sum(waits) / max(1, len(waits))
        return Row(processes, tables, tables * lines, taken, own, theirs, _groups(addresses) - groups, waiting)


def measure_processes(sizes: Sizes) -> Iterator[Measure]:
    """What a line costs several processes beside one; nothing where PostgreSQL is not installed."""
    if programs() is None:
        return
    one, many = measure((1, sizes.shared_processes), sizes.shared_tables, sizes.served_lines)
    costs = [(row.servers + row.database) / row.lines * 1e6 for row in (one, many)]
    yield Measure(
        "processes_to_one",
        f"a line by {many.processes} processes on one PostgreSQL, {many.tables} tables, processor time",
        "the same by one process",
        f"{costs[1]:,.0f} us",
        f"{costs[0]:,.0f} us",
        costs[0] / costs[1],
        SHARED_TARGET,
    )


@contextmanager
def _waits(database: Cluster) -> Iterator[list[int]]:
    """Count again and again how many connections wait for a lock, until the end of the block."""
    found: list[int] = []
    end = threading.Event()

    def look() -> None:
        with psycopg.connect(database.url(), autocommit=True) as connection:
            while not end.wait(LOOK_EVERY):
                found.extend(count for (count,) in connection.execute(_WAITING))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield found
    finally:
        end.set()
        looking.join()


def _backends(database: Cluster) -> list[Process]:
    assert database.pid is not None, "it runs"
    main = Process(database.pid)
    return [main, *main.children()]


def _cpu(processes: Sequence[Process]) -> float:
    """Seconds of processor time."""
    taken = 0.0
    for process in processes:
        with suppress(NoSuchProcess):
            taken += sum(process.cpu_times()[:2])
    return taken


def _groups(addresses: Sequence[str]) -> int:
    """How many groups the servers have written, by their own figures."""
    told = (httpx.get(f"{address}/metrics").text for address in addresses)
    return sum(int(float(text.partition("\nrollproof_group_size_count ")[2].split()[0])) for text in told)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m tests.bench.processes", description=__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[0, 1, 2, 4], help="0: one, with SQLite")
    parser.add_argument("--tables", type=int, default=64, help="tables at which lines are posted at once")
    parser.add_argument("--lines", type=int, default=20, help="lines of each, one after the other")
    parser.add_argument("--others", type=int, default=0, help="tables beside them where nothing goes on")
    given = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{cores()} cores, load {load:.1f}, {given.others} other tables")
    print(HEAD)
    for row in measure(given.processes, given.tables, given.lines, given.others):
        print(row.told, flush=True)


if __name__ == "__main__":
    main()
