"""Admit requests in order: players' posts first; all others only while nothing is being written (specs/network.md).

For the event loop only.
"""

import asyncio
import re
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

from ledger.server.limits import Bucket, Limits

__all__ = ["Admission", "Quiet"]

FIRST_AT_ONCE = 16
"""posts of one address that go first and are not answered yet"""

PATIENCE = 0.05
"""seconds that others wait at most for a moment in which nothing is being written"""

LENT = 0.25
"""the part of the time for which others waited in which they may then begin work, although something is written"""

MAX_PAUSE = 0.005
"""seconds between two requests that wait in turn, at most: so no fewer than 200 a second are let in"""

SWEEP = 1_000
"""refusals between two sweeps of forgotten networks"""

_PLAYS = re.compile(r"/v1/games/[0-9a-f]{64}/(?:lines|openings|received)")


class Quiet:
    """Holds other work back while the writer writes.

    The interpreter runs one thread at a time. The writer's group has dozens of statements, and after each it would wait
    for other threads: so no other work begins while a group is being written. If one group follows another at once,
    nothing would begin between them: so waiting work gets `LENT` after each.
    """

    def __init__(self) -> None:
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._lent_until = 0.0

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Something is being written until the end of the block."""
        self._quiet.clear()
        try:
            yield
        finally:
            self._quiet.set()

    @property
    def writes(self) -> bool:
        """True if the writer is writing now, and no time is lent to others."""
        return not self._quiet.is_set() and time.monotonic() >= self._lent_until

    async def come(self) -> None:
        """Wait until nothing is being written, or for `PATIENCE`; then all who wait have the time that is lent."""
        if not self.writes:
            return
        began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._quiet.wait()
        now = time.monotonic()
        self._lent_until = max(self._lent_until, now + LENT * (now - began))


class Admission:
    """Lets requests in: one of each address in turn, and one in each turn of the loop."""

    def __init__(
        self,
        limits: Limits,
        quiet: Quiet,
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.thread_time,
    ) -> None:
        """`used` tells the processor time of the loop's thread."""
        self._limits = limits
        self._quiet = quiet
        self._clock = clock
        self._used = used
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """waiting requests by network; the network whose turn is next comes first"""
        self._letting_in: asyncio.Task[None] | None = None
        self._first: Counter[str] = Counter()
        """by network: how many posts that went first are not answered"""
        self._refused: dict[str, Bucket] = {}
        """by network: how many more of its posts may be refused"""
        self._refusals = 0

    @asynccontextmanager
    async def enter(self, network: str, method: str, path: str) -> AsyncIterator[bool]:
        """Wait for a request's turn; yield True if it went first. The block ends when the request is answered.

        A player's post goes first, if few posts of its network were refused and few are unanswered.
        """
        if not self._goes_first(network, method, path):
            await self._turn(network)
            yield False
            return
        self._first[network] += 1
        try:
            yield True
        finally:
            self._first[network] -= 1
            if not self._first[network]:
                del self._first[network]

    def _goes_first(self, network: str, method: str, path: str) -> bool:
        if method != "POST" or _PLAYS.fullmatch(path) is None or self._first[network] >= FIRST_AT_ONCE:
            return False
        bucket = self._refused.get(network)
        return bucket is None or not bucket.missing(self._clock(), 1)

    def refused(self, network: str) -> None:
        """Count a post that went first and was refused for its content."""
        now = self._clock()
        self._refusals += 1
        if self._refusals % SWEEP == 0:
            self._refused = {each: bucket for each, bucket in self._refused.items() if not bucket.is_full(now)}
        bucket = self._refused.get(network)
        if bucket is None:
            bucket = self._refused[network] = Bucket(self._limits.refused / 60, self._limits.refused, now)
        bucket.take(now)

    async def _turn(self, network: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        if self._letting_in is None:
            self._letting_in = asyncio.create_task(self._let_in())
        await turn

    async def _let_in(self) -> None:
        try:
            while self._waiting:
                await self._quiet.come()
                network, turns = self._waiting.popitem(last=False)
                turn = turns.popleft()
                if turns:
                    self._waiting[network] = turns  # after everybody else's
                if not turn.done():  # else whoever asked is gone
                    began = self._used()
                    turn.set_result(None)
                    await asyncio.sleep(0)
                    if self._waiting:  # half of the loop's time is left to posts that go first
                        await asyncio.sleep(min(MAX_PAUSE, self._used() - began))
        finally:
            self._letting_in = None
