"""Ask the database beside the event loop, in threads (specs/network.md, "Limits"). For the event loop only."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from ledger.server.limits import too_many
from ledger.server.problems import Problem
from rules.data.language import Message

__all__ = ["Lookups"]

T = TypeVar("T")

THREADS = 4
AT_ONCE = 2
"""questions of one network that are asked at once: threads are left for others"""

MAX_WAITING = 8_192
"""questions of all that wait"""
MAX_WAITING_OF_ONE = 2_048
"""and of one network: a whole hall may share an address"""

WITHIN = 5.0
"""seconds after which a waiting request is refused"""


class _Lookup:
    """A piece of work, and the future of its result."""

    __slots__ = ("answer", "network", "work")

    def __init__(self, network: str, work: Callable[[], Any], answer: "asyncio.Future[Any]") -> None:
        self.network, self.work, self.answer = network, work, answer


class Lookups:
    """Threads that take a question of each network in turn. However slow the database is, nothing else waits for it."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "lookups")
        self._free = THREADS
        self._queues: OrderedDict[str, deque[_Lookup]] = OrderedDict()
        """waiting questions by network; the network whose turn is next comes first"""
        self._waiting = 0
        self._asked: Counter[str] = Counter()
        """by network: how many threads are at its questions"""

    def close(self) -> None:
        """Ask nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def ask(self, network: str, work: Callable[[], T]) -> T:
        """Run work in a thread. Raises Problem if too many wait or it takes too long, and what `work` raises."""
        queue = self._queues.get(network)
        if self._waiting >= MAX_WAITING or (queue is not None and len(queue) >= MAX_WAITING_OF_ONE):
            raise too_many(Message("too many questions wait for an answer"), 0.5)
        question = _Lookup(network, work, asyncio.get_running_loop().create_future())
        self._queues.setdefault(network, deque()).append(question)
        self._waiting += 1
        self._begin()
        try:
            async with asyncio.timeout(WITHIN):
                found: T = await question.answer
        except TimeoutError:
            text = Message("the server's database is not there at the moment")
            raise Problem(503, "keeper.failed", text, retry=5) from None
        finally:
            self._leave(question)
        return found

    def _begin(self) -> None:
        """Give free threads the next questions."""
        while self._free:
            network = next((each for each in self._queues if self._asked[each] < AT_ONCE), None)
            if network is None:
                return
            question = self._queues[network].popleft()
            self._waiting -= 1
            self._queues.move_to_end(network)
            self._forget_empty(network)
            self._free -= 1
            self._asked[network] += 1
            done = asyncio.get_running_loop().run_in_executor(self._threads, question.work)
            done.add_done_callback(partial(self._answer, question))

    def _answer(self, question: _Lookup, done: "asyncio.Future[Any]") -> None:
        self._free += 1
        self._asked[question.network] -= 1
        if not self._asked[question.network]:
            del self._asked[question.network]
        error = None if done.cancelled() else done.exception()
        if question.answer.done():
            pass  # whoever asked has left
        elif done.cancelled():
            question.answer.cancel()
        elif error is not None:
            question.answer.set_exception(error)
        else:
            question.answer.set_result(done.result())
        self._begin()

    def _leave(self, question: _Lookup) -> None:
        """Stop waiting."""
        queue = self._queues.get(question.network)
        if queue is not None and question in queue:
            queue.remove(question)
            self._waiting -= 1
            self._forget_empty(question.network)

    def _forget_empty(self, network: str) -> None:
        if not self._queues[network]:
            del self._queues[network]
