"""The writer: one thread that stores everything, in groups of the requests that arrived meanwhile."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ledger.errors import LedgerError
from ledger.keeper.host import Host
from ledger.keeper.operations import Acceptance, BatchResult, Operation, Outcome
from ledger.server.admission import Quiet
from ledger.server.metrics import Metrics
from ledger.server.problems import Problem, problem_of, problem_of_outcome
from rules.data.language import Message

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["Writer", "answer_of"]

T = TypeVar("T")

MAX_GROUP = 256
"""operations that are done together"""

GATHER_WITHIN = 0.02
"""seconds that a group waits at most for posts that come at the same time"""


class _Waiting(NamedTuple):
    """A waiting task: an operation of the keeper's core, or any function."""

    do: Operation | Callable[[], Any]
    done: "asyncio.Future[Any]"


class Writer:
    """All methods are for the event loop, but `soon`, which is for any thread."""

    def __init__(
        self,
        host: Host,
        done: Callable[[BatchResult], None],
        tell: Callable[[BatchResult], None],
        log: "FilteringBoundLogger",
        metrics: Metrics,
        quiet: Quiet,
    ) -> None:
        """`done` is called in the writer's thread when a group is durable, then `tell` in the loop."""
        self._host = host
        self._done = done
        self._tell = tell
        self._log = log
        self._metrics = metrics
        self._quiet = quiet
        self._waiting: list[_Waiting] = []
        self._wake = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "writer")
        self._loop: asyncio.AbstractEventLoop
        self.draining = False
        """whether nothing more is taken"""

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Run the writer until the end of the block; then finish waiting tasks, and take no more."""
        self._loop = asyncio.get_running_loop()
        await self._loop.run_in_executor(self._thread, self._host.resume)
        pump = asyncio.create_task(self._pump())
        try:
            yield
        finally:
            self.draining = True
            self._wake.set()
            await pump
            self._thread.shutdown()

    async def operate(self, operation: Operation, kind: type[T]) -> T:
        """Have the keeper's core run an operation. Raises Problem if the outcome is of another kind."""
        outcome = await self.ask(operation)
        if not isinstance(outcome, kind):
            raise problem_of_outcome(outcome)
        return outcome

    async def ask(self, operation: Operation) -> Outcome:
        """Have the keeper's core run an operation; return its outcome."""
        outcome: Outcome = await self._submit(operation)
        return outcome

    async def write(self, function: Callable[[], T]) -> T:
        """Run a function in the writer's thread; return its result. Raises what it raises."""
        found: T = await self._submit(function)
        return found

    def soon(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Do something in the loop."""
        self._loop.call_soon_threadsafe(function, *arguments)

    async def _submit(self, do: Operation | Callable[[], Any]) -> Any:
        if self.draining:
            raise Problem(503, "draining", Message("the server is about to stop; it comes back"), retry=5)
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(do, done))
        self._metrics.waiting(len(self._waiting))
        self._wake.set()
        return await done

    async def _pump(self) -> None:
        """Pass waiting tasks to the thread, group by group, until the server drains and none wait."""
        while not (self.draining and not self._waiting):
            if not self._waiting:
                await self._wake.wait()
                self._wake.clear()
                continue
            await self._gather()
            group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
            began = time.perf_counter()
            try:
                with self._quiet.writing():
                    await self._loop.run_in_executor(self._thread, self._write_group, group)
            except Exception as error:  # a bug: stored lines remain, and are answered when they are sent again
                self._log.error("group", size=len(group), exc_info=error)
                for waiting in group:
                    _fail(waiting.done, error)
            self._metrics.group(len(group), time.perf_counter() - began)

    async def _gather(self) -> None:
        """Wait briefly for more tasks: else the first of many posts forms a group alone, and delays all others."""
        until, size = time.perf_counter() + GATHER_WITHIN, 0
        while size < len(self._waiting) < MAX_GROUP and time.perf_counter() < until:
            size = len(self._waiting)
            await asyncio.sleep(0)

    def _write_group(self, group: Sequence[_Waiting]) -> None:
        """Run operations together and functions one by one, in the thread. Callers are answered from the loop."""
        operations = [(each.do, each.done) for each in group if not callable(each.do)]
        if operations:
            processed = self._host.process([operation for operation, _ in operations])
            self._done(processed)
            self.soon(self._answer, processed, [done for _, done in operations])
        for waiting in group:
            if callable(waiting.do):
                try:
                    self.soon(_give, waiting.done, waiting.do())
                except Exception as error:
                    self.soon(_fail, waiting.done, error)

    def _answer(self, processed: BatchResult, waiting: Sequence["asyncio.Future[Any]"]) -> None:
        self._tell(processed)
        for done, outcome in zip(waiting, processed.outcomes, strict=True):
            _give(done, outcome)


def answer_of(outcome: Acceptance) -> tuple[bool, int, bytes]:
    """Return True if the line is new, its number, and the keeper's checkpoint."""
    assert outcome.receipt.checkpoint is not None, "what stands has a checkpoint"
    return outcome.new, outcome.receipt.seq, bytes(outcome.receipt.checkpoint)


def _give(done: "asyncio.Future[Any]", found: object) -> None:
    if not done.done():
        done.set_result(found)


def _fail(done: "asyncio.Future[Any]", error: Exception) -> None:
    if not done.done():
        done.set_exception(problem_of(error) if isinstance(error, LedgerError) else error)
