"""A process that is struck at a system call of its own choosing, by strace's fault injection (Debian's strace)."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.cli import LIMIT, PASSPHRASE, REPOSITORY, state_of

__all__ = ["WRITES", "Point", "Struck", "points", "strace_works", "strike"]

WRITES = (
    *("write", "pwrite64", "writev", "pwritev", "pwritev2"),
    *("fsync", "fdatasync", "msync", "ftruncate", "truncate", "fallocate"),
    *("rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir"),
)
"""what changes a file or has it on the disk"""


class Point(NamedTuple):
    """The `number`-th call (from 1) of one kind."""

    call: str
    number: int


class Struck(NamedTuple):
    """How a process ended that was struck."""

    code: int
    """negative: the signal that ended it"""
    out: str
    err: str


def strace_works() -> bool:
    """Whether processes can be traced here."""
    if shutil.which("strace") is None:
        return False
    tried = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True)
    return tried.returncode == 0


COMMAND = "from ledger.cli import main; main()"


def points(arguments: Sequence[str], home: Path, trace: Path, program: str = COMMAND) -> list[Point]:
    """Every write-type call of a `rollproof` command, in the order of their kinds; runs it.

    `program` is another than the command, in Python.
    """
    run = subprocess.run(
        ["strace", "-f", "-o", str(trace), "-e", f"trace={','.join(WRITES)}", *_command(program, arguments)],
        env=_environment(home),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    lines = trace.read_text().splitlines()
    first = lines[0].split()[0]
    calls = Counter(match[1] for line in lines if line.startswith(first) and (match := re.match(r"\d+ +(\w+)\(", line)))
    return [Point(call, number) for call, count in calls.items() for number in range(1, count + 1)]


def strike(arguments: Sequence[str], home: Path, point: Point, blow: str, program: str = COMMAND) -> Struck:
    """Run a `rollproof` command; at this call there comes `blow`: `signal=SIGKILL`, `error=EIO`, …

    `blow` ending in `+` strikes every later call of the kind too.
    """
    when = f"{point.number}+" if blow.endswith("+") else str(point.number)
    inject = f"inject={point.call}:{blow.removesuffix('+')}:when={when}"
    run = subprocess.run(
        ["strace", "-f", "-o", os.devnull, "-e", f"trace={point.call}", "-e", inject, *_command(program, arguments)],
        env=_environment(home),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    return Struck(run.returncode, run.stdout, run.stderr)


def _command(program: str, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-c", program, *arguments]


def _environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONDONTWRITEBYTECODE": "1",
        "ROLLPROOF_HOME": str(home),
        "ROLLPROOF_STATE": str(state_of(home)),
        "ROLLPROOF_PASSPHRASE": PASSPHRASE,
        "ROLLPROOF_LANG": "en",
    }
