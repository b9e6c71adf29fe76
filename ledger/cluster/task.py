"""The work of a Dask worker: a process beside it, one for each of its threads, verifies one log at a time.

A process, and not the worker's own thread: so a log that ends the process that reads it leaves the worker and what else
it does alone, limits of time can be kept, and a worker with several threads uses several cores. It is started as a
program: Dask's workers are daemons, which `multiprocessing` lets start nothing.
"""

import logging
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from socket import gethostname
from time import monotonic
from typing import IO

from msgspec import Struct

from ledger.cluster.frames import read_frame, write_frame
from verifier.shell.audit import AuditOptions

__all__ = ["OtherVersion", "Setup", "follow_silently", "verify_there"]

TRIES = 2
"""how often a log is begun whose process dies"""
_here = threading.local()


class Setup(Struct, frozen=True):
    """The orders of a worker: the code that it has to run, its working folder, and the options of the audit."""

    version: str
    fingerprint: str
    folder: str
    options: AuditOptions


class OtherVersion(Exception):
    """A worker cannot do this: it has another version, or another file system."""


class _Child:
    def __init__(self, setup: bytes) -> None:
        """Raises OtherVersion."""
        self.setup = setup
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ledger.cluster.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        answer = self.ask(setup)
        if answer:
            self.end()
            raise OtherVersion(f"the worker at {gethostname()} {answer.decode()}")

    def ask(self, work: bytes) -> bytes | None:
        """Return the answer; None if the process is gone."""
        into, out = self._pipes
        with suppress(OSError):
            write_frame(into, work)
            return read_frame(out)
        return None

    def end(self) -> None:
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.close()
        self.process.kill()
        self.process.wait()

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        return self.process.stdin, self.process.stdout


def follow_silently() -> None:
    """Leave messages and Ctrl-C to the caller, in a worker on the caller's own terminal.

    Ctrl-C reaches all processes of a terminal.
    """
    logging.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def verify_there(setup: bytes, works: list[bytes]) -> tuple[float, list[bytes | None]]:
    """Verify logs; return the seconds that they took, and the result of each as `make_auditor` gives it.

    None for a log over which the process that read it died, twice. `setup`: a `Setup`, pickled. Raises OtherVersion.
    """
    begun = monotonic()
    results = [_verified(setup, work) for work in works]
    return monotonic() - begun, results


def _verified(setup: bytes, work: bytes) -> bytes | None:
    for _ in range(TRIES):
        child: _Child | None = getattr(_here, "child", None)
        if child is not None and child.setup != setup:
            child.end()
            child = None
        if child is None:
            child = _here.child = _Child(setup)
        answer = child.ask(work)
        if answer is not None:
            return answer
        child.end()
        _here.child = None
    return None
