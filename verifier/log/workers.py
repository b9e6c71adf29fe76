"""Pieces of work in other processes. A process that dies loses only the work that it was doing."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from sys import platform
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

__all__ = ["Function", "Pool", "WorkResult", "Workers", "start_method"]

Function = Callable[[bytes], bytes]


class WorkResult(NamedTuple):
    """The result of the work with this number; None if its process died."""

    number: int
    result: bytes | None


class Pool(Protocol):
    """A place that does several pieces of work at a time, in processes here or elsewhere."""

    @property
    def room(self) -> bool:
        """True if `submit` can be called."""

    def submit(self, number: int, work: bytes) -> None:
        """Begin a piece of work. There must be `room`."""

    def wait(self) -> list[WorkResult]:
        """Wait for results and return them, at least one. Some work must have been begun."""

    def close(self) -> None:
        """Drop the work that is not done."""


class _Worker(NamedTuple):
    process: "BaseProcess"
    pipe: "Connection[bytes, bytes]"
    doing: deque[tuple[int, bytes]]
    """the work that it has not answered yet, in the order in which it will answer"""


class Workers:
    """Processes that turn bytes into bytes, each doing one piece of work after the other.

    `make` is called once in each process and returns the function that does the work. A process is given at most
    `depth` pieces ahead. Processes are forked where that is quick and safe, else spawned. Then `make` must be
    picklable, and a program's main module must do nothing when it is imported.
    """

    def __init__(self, count: int, make: Callable[[], Function], *, depth: int = 1, parents: bool = False) -> None:
        """With `parents`, the processes may start processes of their own."""
        # Imported here, because programs with little to do need no processes and start faster without.
        import multiprocessing

        self._make = make
        self._depth = depth
        self._parents = parents
        self._context: Any = multiprocessing.get_context(start_method())
        self._workers = [self._start() for _ in range(count)]

    @property
    def room(self) -> bool:
        """True if `submit` can be called."""
        return any(len(worker.doing) < self._depth for worker in self._workers)

    @property
    def busy(self) -> bool:
        """True if there is something to `wait` for."""
        return any(worker.doing for worker in self._workers)

    def submit(self, number: int, work: bytes) -> None:
        """Give a piece of work to the process with the least to do. There must be `room`."""
        self._give(min(self._workers, key=lambda worker: len(worker.doing)), number, work)

    def wait(self, timeout: float | None = None) -> list[WorkResult]:
        """Return the results that have come in, at least one. Some work must have been begun (`busy`).

        With a `timeout` in seconds, return what has come in by then, which may be nothing.
        """
        from multiprocessing.connection import wait

        pipes = {worker.pipe: worker for worker in self._workers if worker.doing}
        return [self._take(pipes[pipe]) for pipe in wait(list(pipes), timeout)]  # type: ignore[index]

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for worker in self._workers:
            worker.pipe.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
        self._workers = []

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        forked = self._context.get_start_method() == "fork"
        arguments = (theirs, self._make, ours if forked else None)
        process = self._context.Process(target=_serve, args=arguments, daemon=not self._parents)
        _hold_signals(hold=True)  # until the child has its own handlers: with ours it would print a traceback
        try:
            process.start()
        finally:
            _hold_signals(hold=False)
        theirs.close()  # so that the end of the process ends the stream
        return _Worker(process, ours, deque())

    def _give(self, worker: _Worker, number: int, work: bytes) -> None:
        worker.doing.append((number, work))
        with suppress(OSError):  # the process is dead, which `wait` will notice
            worker.pipe.send_bytes(work)

    def _take(self, worker: _Worker) -> WorkResult:
        try:
            result = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            return self._bury(worker)
        number, _ = worker.doing.popleft()
        return WorkResult(number, result)

    def _bury(self, dead: _Worker) -> WorkResult:
        """Replace a dead process with a new one, which gets the work that the dead one had not begun."""
        dead.pipe.close()
        dead.process.join()
        self._workers.remove(dead)
        (number, _), *waiting = dead.doing
        fresh = self._start()
        self._workers.append(fresh)
        for piece in waiting:
            self._give(fresh, *piece)
        return WorkResult(number, None)


def _hold_signals(*, hold: bool) -> None:
    """Block SIGINT and SIGTERM, or unblock them, on systems that can do that."""
    import signal

    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


def start_method() -> Literal["fork", "spawn"]:
    """Return how processes are started here (specs/decisions/0004-signatures-in-processes.md)."""
    import threading

    # A lock held by another thread stays locked in a forked child for ever. On macOS, system libraries start threads.
    return "fork" if platform == "linux" and threading.active_count() == 1 else "spawn"


def _serve(
    pipe: "Connection[bytes, bytes]", make: Callable[[], Function], inherited: "Connection[bytes, bytes] | None"
) -> None:
    """Run the main loop of a process, until the parent has ended."""
    import signal

    if inherited is not None:
        inherited.close()  # a forked process has the parent's end too, and would never see its stream end
    # Ctrl-C on a terminal reaches every process of the program. The parent decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _hold_signals(hold=False)
    function = make()
    with suppress(EOFError, OSError):  # the parent has ended
        while True:
            pipe.send_bytes(function(pipe.recv_bytes()))
