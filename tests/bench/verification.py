"""Verification: one game on all cores, a folder of games, and the memory that it takes."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from nacl.bindings import crypto_sign_open

from tests.bench.measure import Measure, Sizes, cores, environment, race, rate
from tests.bench.scribe import Scribe, game
from verifier import Pins, Replay, render, verify
from verifier.log import identity
from verifier.log.ed25519_backend import by_libsodium, by_openssl
from verifier.log.signatures import SignatureCheck
from verifier.shell.audit import AuditOptions, audit
from verifier.shell.files import Brought

__all__ = ["measure_folder", "measure_memory", "measure_verification"]

FOLDER_TARGET = 0.9
MEMORY_TARGET = 150
"""megabytes, to verify a log of any length"""
GROWTH_TARGET = 10 / 11
"""a log ten times as long takes at most eleven times as long"""
FOLDER_EVENTS = 300
"""events of each log in the folder"""


_Message = tuple[bytes, bytes, bytes]
"""public key, signature, message"""


class _Row(NamedTuple):
    """Verification by one library for signatures, beside the bare loop of one."""

    key: str
    ours: str
    bare: str
    one_core: bool
    target: float | None


_ROWS = (
    _Row("verify_to_bare_ed25519", "openssl", "openssl", False, 0.9),
    _Row("verify_one_core_to_bare_ed25519", "openssl", "openssl", True, None),
    _Row("verify_fast_to_bare_ed25519", "libsodium", "openssl", False, 1.5),
    _Row("verify_fast_to_bare_libsodium", "libsodium", "libsodium", False, 0.8),
)
_FOLDER_ROWS = (
    _Row("folder_to_bare_ed25519", "openssl", "openssl", False, 0.9),
    _Row("folder_fast_to_bare_ed25519", "libsodium", "openssl", False, 1.5),
    _Row("folder_fast_to_bare_libsodium", "libsodium", "libsodium", False, 0.8),
)
_TOLD = {"openssl": "cryptography's", "libsodium": "libsodium's"}


def measure_verification(sizes: Sizes) -> Iterator[Measure]:
    """One game on all cores, and on one; by either library for signatures."""
    for row in _ROWS:
        log, scribe = game(sizes.one_core_events if row.one_core else sizes.verify_events)
        yield _verify(row, log, scribe.size, 1 if row.one_core else cores(), sizes.turns)


def _verify(row: _Row, log: bytes, events: int, jobs: int, turns: int) -> Measure:
    with _library(row.ours):
        _check_holds(log)
    on = "one core" if jobs == 1 else f"{jobs} cores"
    what = f"verify a game of {events:,} events on {on}"
    return _beside_loop(row, what, events, lambda: verify(log, jobs=jobs), list(_messages(log)), jobs, turns)


def _beside_loop(
    row: _Row, what: str, events: int, work: Callable[[], object], messages: list[_Message], jobs: int, turns: int
) -> Measure:
    """`work`, which verifies so many events, beside a loop over the messages of their signatures by `jobs` threads."""
    loop = _by_openssl if row.bare == "openssl" else _by_libsodium

    def bare() -> None:
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(loop, (messages[i::jobs] for i in range(jobs))))

    with _library(row.ours):
        result = race(work, bare, turns)
    by = "one thread" if jobs == 1 else f"{jobs} threads"
    ours = "" if row.ours == "openssl" else ", with libsodium"
    return Measure(
        row.key,
        what + ours,
        f"{_TOLD[row.bare]} Ed25519 verify over the same {len(messages):,} messages, by {by}",
        rate(events, result.ours, "events"),
        rate(events, result.bare, "events"),
        result.ratio,
        row.target,
    )


def _messages(log: bytes) -> Iterator[_Message]:
    """What the signatures of a log that holds are over, in its order."""
    checks: list[SignatureCheck] = []
    replay = Replay()
    for line in log.splitlines():
        replay.step(line, checks.append)
    return ((check.public_key, check.signature, check.message) for check in checks)


def _by_openssl(messages: Iterable[_Message]) -> None:
    keys: dict[bytes, Ed25519PublicKey] = {}
    for public_key, signature, message in messages:
        key = keys.get(public_key) or keys.setdefault(public_key, Ed25519PublicKey.from_public_bytes(public_key))
        key.verify(signature, message)


def _by_libsodium(messages: Iterable[_Message]) -> None:
    for public_key, signature, message in messages:
        crypto_sign_open(signature + message, public_key)


def _library(name: str) -> AbstractContextManager[object]:
    """Signatures are checked by this library, in processes that are forked meanwhile too."""
    found = by_openssl if name == "openssl" else by_libsodium()
    assert found is not None, "libsodium is not installed, or answers otherwise than it must"
    return patch.object(identity, "equation", lambda: found)


def _check_holds(log: bytes) -> None:
    report, _ = verify(log)
    assert report.verdict == "holds", render(report)


def measure_folder(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    """A folder of logs, by as many jobs as there are cores and by one, and beside loops over their signatures."""
    files = [folder / f"table-{number:04}.jsonl" for number in range(sizes.folder_logs)]
    logs = [game(FOLDER_EVENTS)[0] for _ in range(4)]
    for number, file in enumerate(files):
        file.write_bytes(logs[number % len(logs)])
    jobs = cores()

    def work(jobs: int) -> None:
        for log in audit(files, AuditOptions(Pins(), Brought(), brief=True), jobs):
            assert log.exit_code == 0, log.text

    result = race(lambda: work(jobs), lambda: work(1), max(1, sizes.turns // 2))
    yield Measure(
        "folder_to_one_job",
        f"verify {len(files)} logs of {FOLDER_EVENTS} events by {jobs} jobs",
        f"the same by one job, {jobs} times as fast",
        rate(len(files), result.ours, "logs"),
        rate(len(files), result.bare, "logs"),
        result.ratio / jobs,
        FOLDER_TARGET,
    )
    messages = [message for log in logs for message in _messages(log)] * (len(files) // len(logs))
    events = len(files) * FOLDER_EVENTS
    for row in _FOLDER_ROWS:
        what = f"verify {len(files)} logs of {FOLDER_EVENTS} events by {jobs} jobs"
        yield _beside_loop(row, what, events, lambda: work(jobs), messages, jobs, max(1, sizes.turns // 2))


def measure_memory(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    """The most that `rollproof-verify` and all its processes take, and how time grows with the log."""
    path, taken, most = folder / "long.jsonl", [], sizes.memory_events
    with path.open("wb") as log:
        scribe = Scribe(log, most // 30)
        for events in (most // 10, most):
            scribe.write_rolls(events)
            log.flush()
            taken.append((*_run_verifier(path), scribe.size))
    (early, _, fewer), (late, peak, events) = taken
    growth = (late / events) / (early / fewer)
    what = f"time to verify {events:,} events"
    against = f"ten times what its first {fewer:,} take"
    times = (f"{late:.1f} s", f"{early:.1f} s")
    yield Measure("time_to_linear", what, against, *times, 1 / growth, GROWTH_TARGET)
    if peak:
        what, limit = f"peak memory to verify {events:,} events, all processes", f"{MEMORY_TARGET} MB"
        against = "the figure to stay below, for a log of any length"
        yield Measure("memory_limit_to_peak", what, against, f"{peak:.0f} MB", limit, MEMORY_TARGET / peak, 1.0)


def _run_verifier(path: Path) -> tuple[float, float]:
    """Seconds and megabytes that the verifier takes for a log; 0 megabytes where the system does not say."""
    start, peak = time.perf_counter(), 0.0
    command = [sys.executable, "-m", "verifier", "--summary", str(path)]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(_proportional, _family(process.pid))))
            time.sleep(0.05)
    assert process.returncode == 0, f"{path} does not verify"
    return time.perf_counter() - start, peak


def _family(pid: int) -> list[int]:
    """A process and its children."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        children = []
    return [pid, *map(int, children)]


def _proportional(pid: int) -> float:
    """Megabytes of a process; what it shares with others is divided among them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # not this system, or it has just ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
