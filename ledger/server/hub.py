"""Who follows what: bounded queues of events that are ready to be sent. Used from the event loop alone."""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

__all__ = ["Hub", "Item", "Subscription"]


class Item(NamedTuple):
    """An event as it goes over the wire; `seq` is the line's number, where it is a line."""

    data: bytes
    seq: int | None = None


class Subscription:
    """What one reader has not been sent yet."""

    def __init__(self, topic: bytes, party: str | None, limit: int) -> None:
        self.topic = topic
        self.party = party
        """who reads, where a signature said so"""
        self.ended = False
        """the reader is too slow, or the server stops: nothing more comes"""
        self._items: deque[Item] = deque()
        self._limit = limit
        self._wake = asyncio.Event()

    def push(self, items: Iterable[Item]) -> None:
        """Add what is new. A reader that is too far behind is cut off: coming back is cheap."""
        if self.ended:
            return
        self._items.extend(items)
        if len(self._items) > self._limit:
            self.end()
            self._items.clear()
        self._wake.set()

    def end(self) -> None:
        """Nothing more comes; who waits is woken."""
        self.ended = True
        self._wake.set()

    async def take(self, timeout: float) -> list[Item]:
        """All that came, at least one item; none where nothing came in time, or nothing more will."""
        if not self._items and not self.ended:
            self._wake.clear()
            try:
                async with asyncio.timeout(timeout):
                    await self._wake.wait()
            except TimeoutError:
                return []
        items = list(self._items)
        self._items.clear()
        return items


class Hub:
    """All who follow anything. A topic is the id of a game or of a table."""

    def __init__(self, waiting: int) -> None:
        """`waiting` is how many events a reader may be behind."""
        self._waiting = waiting
        self._topics: dict[bytes, set[Subscription]] = {}
        self.count = 0

    @contextmanager
    def follow(self, topic: bytes, party: str | None = None) -> Iterator[Subscription]:
        """Follow a topic, until the end of the block."""
        subscription = Subscription(topic, party, self._waiting)
        self._topics.setdefault(topic, set()).add(subscription)
        self.count += 1
        try:
            yield subscription
        finally:
            self.count -= 1
            readers = self._topics[topic]
            readers.discard(subscription)
            if not readers:
                del self._topics[topic]

    def publish(self, topic: bytes, items: Iterable[Item]) -> None:
        """Give every reader of a topic what is new."""
        items = tuple(items)
        for subscription in tuple(self._topics.get(topic, ())):
            subscription.push(items)

    def readers(self, topic: bytes) -> int:
        """How many follow."""
        return len(self._topics.get(topic, ()))

    def here(self, topic: bytes) -> list[str]:
        """The parties who follow, sorted."""
        return sorted({each.party for each in self._topics.get(topic, ()) if each.party is not None})

    def end(self, topic: bytes | None = None) -> None:
        """Nothing more comes, of a topic or of any."""
        for readers in [self._topics.get(topic, set())] if topic is not None else list(self._topics.values()):
            for subscription in tuple(readers):
                subscription.end()
