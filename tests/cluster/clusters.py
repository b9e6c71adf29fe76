"""A Dask cluster for tests: a scheduler and workers under nannies, each a process of its own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support.cli import LIMIT, REPOSITORY

__all__ = ["Cluster", "started"]


class Cluster(NamedTuple):
    """Where the scheduler listens, and its process."""

    address: str
    scheduler: "subprocess.Popen[bytes]"


@contextmanager
def started(folder: Path, workers: int, *paths: Path) -> Iterator[Cluster]:
    """A scheduler with so many workers, whose Python finds packages in these places first."""
    folder.mkdir(exist_ok=True)
    told = folder / "scheduler"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*paths, REPOSITORY)))}
    environment |= {"DASK_TEMPORARY_DIRECTORY": str(folder), "PYTHONWARNINGS": "ignore"}

    def begun(module: str, *arguments: str, err: Path) -> "subprocess.Popen[bytes]":
        line = [sys.executable, "-m", module, *arguments]
        with err.open("wb") as stream:
            return subprocess.Popen(line, cwd=folder, env=environment, stdout=stream, stderr=stream)

    scheduler = begun(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", err=told
    )
    processes = [scheduler]
    try:
        address = _said(told, rb"Scheduler at:\s+(\S+)").decode()
        counts = ("--nworkers", str(workers), "--nthreads", "1")
        processes.append(
            begun("distributed.cli.dask_worker", address, *counts, "--no-dashboard", err=folder / "workers")
        )
        _said(told, rb"(?s)(Register worker.*){%d}" % workers)
        yield Cluster(address, scheduler)
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(LIMIT)


def _said(file: Path, pattern: bytes) -> bytes:
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        found = re.search(pattern, file.read_bytes())
        if found:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(file.read_text())
