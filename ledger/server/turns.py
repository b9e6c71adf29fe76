"""Run work in threads, in fair turns: a caller with much work delays itself, not the others.

For the event loop only.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ledger.server.admission import Quiet
from ledger.server.limits import Bucket, Caller, Gate, network_of, too_many
from rules.data.language import Message

__all__ = ["Turns"]

T = TypeVar("T")

MAX_WAITING = 1_024
"""questions of all callers that wait"""


class _Question(NamedTuple):
    """A piece of work, its caller, and the future of its result."""

    caller: Caller
    work: Callable[[], Any]
    answer: "asyncio.Future[Any]"


class _Done(NamedTuple):
    """The result of a piece of work, and the processor time (seconds) that it took."""

    found: Any
    error: Exception | None
    seconds: float


class Turns:
    """Threads that take one question of each address after the other, and of an address one of each holder."""

    def __init__(self, name: str, threads: int, gate: Gate, quiet: Quiet) -> None:
        """`gate` counts the processor time of each caller, and refuses callers that have used too much.

        No work begins while `quiet` says that the writer is writing.
        """
        self._threads = ThreadPoolExecutor(threads, name)
        self._free = threads
        self._gate = gate
        self._quiet = quiet
        self._work = Bucket(gate.limits.work_all / 1_000, gate.limits.work_all / 1_000, time.monotonic())
        """the processor time of all callers; the rest is left to players' posts"""
        self._queues: OrderedDict[str, OrderedDict[str, deque[_Question]]] = OrderedDict()
        """questions by network and holder; those whose turn is next come first"""
        self._waiting = 0
        self._later: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Answer no more."""
        if self._later is not None:
            self._later.cancel()
        self._threads.shutdown(cancel_futures=True)

    def soon(self, work: Callable[[], Any]) -> None:
        """Do something that nobody waits for; from any thread."""
        self._threads.submit(work)

    async def ask(self, caller: Caller, work: Callable[[], T]) -> T:
        """Run work for a caller. Raises Problem if the caller asks too much, and what `work` raises."""
        address, holder = caller
        self._gate.may_ask(caller)
        holders = self._queues.get(network_of(address))
        before = 0 if holders is None else len(holders.get(holder, ()))
        if before >= self._gate.limits.questions or self._waiting >= MAX_WAITING:
            raise too_many(Message("too many questions wait for an answer"), 0.5)
        return await self._ask(caller, work)

    async def go_on(self, caller: Caller, work: Callable[[], T]) -> T:
        """Work out the next piece of an answer that has begun: it waits where it would be refused."""
        while wait := self._gate.asked_too_much(caller):
            await asyncio.sleep(wait)
        return await self._ask(caller, work)

    async def _ask(self, caller: Caller, work: Callable[[], T]) -> T:
        address, holder = caller
        answer = asyncio.get_running_loop().create_future()
        holders = self._queues.setdefault(network_of(address), OrderedDict())
        holders.setdefault(holder, deque()).append(_Question(caller, work, answer))
        self._waiting += 1
        self._begin()
        found: T = await answer
        return found

    def _next(self) -> _Question:
        """Return the question whose turn it is; its caller's next question comes after all other callers'."""
        network, holders = self._queues.popitem(last=False)
        holder, queue = holders.popitem(last=False)
        question = queue.popleft()
        if queue:
            holders[holder] = queue
        if holders:
            self._queues[network] = holders
        self._waiting -= 1
        return question

    def _begin(self) -> None:
        """Give free threads the next questions, now or when it is time."""
        while self._free and self._queues and self._later is None:
            if self._work.overdrawn(time.monotonic()) or self._quiet.writes:
                self._later = asyncio.create_task(self._begin_later())
            else:
                self._give_out()

    async def _begin_later(self) -> None:
        await asyncio.sleep(self._work.overdrawn(time.monotonic()))
        await self._quiet.come()
        self._later = None
        if self._free and self._queues:
            self._give_out()
        self._begin()

    def _give_out(self) -> None:
        question = self._next()
        if not question.answer.done():  # else the caller has left
            self._free -= 1
            done = asyncio.get_running_loop().run_in_executor(self._threads, _timed, question.work)
            done.add_done_callback(partial(self._answer, question))

    def _answer(self, question: _Question, future: "asyncio.Future[_Done]") -> None:
        self._free += 1
        if future.cancelled():
            question.answer.cancel()
            return
        done = future.result()
        self._gate.worked(question.caller, done.seconds)
        self._work.spend(time.monotonic(), done.seconds)
        if not question.answer.done():
            if done.error is None:
                question.answer.set_result(done.found)
            else:
                question.answer.set_exception(done.error)
        self._begin()


def _timed(work: Callable[[], Any]) -> _Done:
    began = time.thread_time()
    try:
        found, error = work(), None
    except Exception as problem:
        found, error = None, problem
    return _Done(found, error, time.thread_time() - began)
