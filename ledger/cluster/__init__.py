"""Logs verified by workers of a Dask cluster (specs/verification.md, "Other machines"). Needs the extra `cluster`."""

import logging
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from ledger.cluster.task import OtherVersion, Setup, follow_silently, verify_there
from ledger.distribution.optional_dependencies import needs_extra
from ledger.distribution.version import fingerprint, own_version
from ledger.errors import AwayError, LedgerError
from verifier.log.workers import WorkResult
from verifier.shell.audit import AuditOptions, MakePool

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["ClusterError", "cluster"]

CONNECT = 15
"""seconds within which a scheduler answers, and within which it has a worker"""
AHEAD = 3
"""tasks for each of the workers' threads that are begun and not done: they wait there while others are done"""
TASK = 0.5
"""seconds that a task should take, at most"""
MOST = 32
"""logs of a task"""
LOOK = 5
"""seconds after which it is looked how many workers there are"""
ALONE = 120
"""seconds for which a cluster may be without workers"""
LOCAL = "local"
"""the address that starts a cluster on this machine"""

Work = tuple[int, bytes]
"""a piece of work, with its number"""


class ClusterError(LedgerError):
    """The cluster cannot do what it is to do."""

    kind = "machine"


@contextmanager
def cluster(address: str, jobs: int) -> Iterator[MakePool]:
    """Yield what verifies logs on a scheduler's workers; for `local`, on `jobs` workers started for it.

    Raises UsageError where the extra is not installed, AwayError where there is no scheduler or no worker. Then and
    later ClusterError, where the workers are not fit for it.
    """
    needs_extra("distributed", extra="cluster")
    before = logging.root.manager.disable
    logging.disable()  # of what goes wrong there is told in one sentence, and the rest goes on by itself
    try:
        with _client(address, jobs) as client:
            yield _pool_of(client)
    finally:
        logging.disable(before)


@contextmanager
def _client(address: str, jobs: int) -> Iterator["Client"]:
    """Raises AwayError."""
    from distributed import Client, LocalCluster

    if address == LOCAL:
        here = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        with LocalCluster(**here) as started, Client(started) as client:
            client.run(follow_silently)
            yield client
        return
    try:
        connected = Client(address, timeout=CONNECT)
    except (OSError, ValueError, TypeError) as error:
        raise AwayError(f"{address}: no Dask scheduler answers there, so nothing was verified ({error})") from None
    with connected as client:
        yield client


def _pool_of(client: "Client") -> Callable[[AuditOptions], "DaskPool"]:
    try:
        client.wait_for_workers(1, timeout=CONNECT)
    except TimeoutError:
        raise AwayError(f"{client.scheduler.addr}: this Dask scheduler has no workers") from None
    return lambda options: DaskPool(client, options)


class DaskPool:
    """A pool whose work is done by Dask's workers, each log in a process of its own beside one of them.

    What a worker was doing when it was lost, Dask gives to another one; what is given up is a log under which more
    workers were lost than the scheduler allows (`distributed.scheduler.allowed-failures`). A task of Dask's has as many
    logs as take about `TASK` seconds: the scheduler has some milliseconds' work with each, however small its logs are.
    """

    def __init__(self, client: "Client", options: AuditOptions) -> None:
        self._client = client
        self._setup = pickle.dumps(Setup(own_version(), fingerprint(), str(Path.cwd()), options))
        self._next: list[Work] = []
        self._doing: dict[Future, list[Work]] = {}
        self._size = 1
        """logs of the next task"""
        self._count_threads()

    @property
    def room(self) -> bool:
        """Return True if `submit` can be called."""
        return len(self._doing) < self._most

    def submit(self, number: int, work: bytes) -> None:
        """Begin a piece of work; there must be `room`."""
        self._next.append((number, work))
        if len(self._next) >= self._size:
            self._begin(self._next)
            self._next = []

    def wait(self) -> list[WorkResult]:
        """Wait for results and return them, one at least. Raises ClusterError, AwayError."""
        if self._next:
            self._begin(self._next)
            self._next = []
        done: list[WorkResult] = []
        while not done:
            for future in self._finished():
                done += self._done(self._doing.pop(future), future)
        if monotonic() - self._counted > LOOK:  # workers come and go
            self._count_threads()
        return done

    def close(self) -> None:
        """Give up what is not done."""
        self._client.cancel(list(self._doing), force=True)
        self._doing = {}

    def _begin(self, works: list[Work]) -> None:
        names = [name for _, name in works]
        self._doing[self._client.submit(verify_there, self._setup, names, pure=False)] = works

    def _finished(self) -> "set[Future]":
        from distributed import CancelledError, wait

        alive = monotonic()
        while True:
            try:
                found: set[Future] = wait(list(self._doing), LOOK, "FIRST_COMPLETED").done
                return found
            except TimeoutError:
                alive = monotonic() if self._threads() else alive
            except CancelledError:
                raise _lost() from None
            if monotonic() - alive > ALONE:
                text = f"the Dask scheduler has had no worker for {ALONE} seconds"
                raise AwayError(f"{text}; what was told until then stands, the other logs are not verified")

    def _done(self, works: list[Work], future: "Future") -> list[WorkResult]:
        """Return the results of a task that has ended. Raises ClusterError, AwayError."""
        from distributed import KilledWorker

        if future.status == "finished":
            seconds, results = _told(future.result(), len(works))
            self._size = max(1, min(MOST, int(TASK * len(works) / max(seconds, 0.001))))
            return [WorkResult(number, result) for (number, _), result in zip(works, results, strict=True)]
        if future.status != "error":
            raise _lost()
        error: Any = future.exception()
        if isinstance(error, KilledWorker):
            if len(works) == 1:
                return [WorkResult(works[0][0], None)]
            for work in works:  # one of them may be at fault: each by itself
                self._begin([work])
            return []
        if isinstance(error, OtherVersion):
            raise ClusterError(str(error))
        if isinstance(error, ImportError):
            text = f"a worker of the cluster does not have this program, or not this version ({own_version()}): {error}"
            raise ClusterError(text)
        raise ClusterError(f"a worker of the cluster could not begin: {error!r}")

    def _threads(self) -> int:
        """Return the number of the workers' threads. Raises AwayError."""
        try:
            return sum(self._client.nthreads().values())
        except Exception:  # whatever the library makes of a scheduler that is gone
            raise _lost() from None

    def _count_threads(self) -> None:
        self._most, self._counted = AHEAD * max(1, self._threads()), monotonic()


def _told(answer: Any, count: int) -> tuple[float, list[bytes | None]]:
    """Return a worker's seconds and results for `count` logs. Raises ClusterError for a malformed answer."""
    match answer:
        case (float() as seconds, list() as results) if (
            seconds >= 0 and len(results) == count and all(each is None or type(each) is bytes for each in results)
        ):
            return seconds, results
    raise ClusterError("a worker of the cluster gave an answer that this program does not give")


def _lost() -> AwayError:
    return AwayError("the Dask scheduler is gone; what was told until then stands, the other logs are not verified")
