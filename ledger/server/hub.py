"""Subscriptions of readers: bounded queues of events that are ready to be sent. For the event loop only."""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

from ledger.keeper.calling_away import HEARD

__all__ = ["Hub", "StreamItem", "Subscription"]

MAX_TOPICS = 1_000
"""topics of which it is known when a party's stream ended"""


class StreamItem(NamedTuple):
    """An event as it goes over the wire; `seq` is the line's number, where it is a line."""

    data: bytes
    seq: int | None = None


class Subscription:
    """The unsent events of one reader."""

    def __init__(self, topic: bytes, party: str | None, limit: int, behind: int) -> None:
        """The reader may be `limit` events and `behind` bytes behind."""
        self.topic = topic
        self.party = party
        """the reader, if it signed for its token"""
        self.ended = False
        """the reader is too slow, or the server stops, or the game is closed: nothing more comes"""
        self.over = False
        """the game is closed: nothing more will ever come"""
        self._items: deque[StreamItem] = deque()
        self._limit = limit
        self._behind = behind
        self._bytes = 0
        self._wake = asyncio.Event()

    def push(self, items: Iterable[StreamItem]) -> None:
        """Add new events. A reader that is too far behind is cut off: reconnecting is cheap."""
        if self.ended:
            return
        for item in items:
            self._items.append(item)
            self._bytes += len(item.data)
        if len(self._items) > self._limit or self._bytes > self._behind:
            self.end()
            self._items.clear()
            self._bytes = 0
        self._wake.set()

    def end(self, *, over: bool = False) -> None:
        """End the subscription, with `over` for good, and wake the waiting reader."""
        self.ended = True
        self.over = self.over or over
        self._wake.set()

    async def take(self, timeout: float, most: int) -> list[StreamItem]:
        """Return the oldest items, up to `most` bytes or one item; none after `timeout` seconds, or at the end."""
        if not self._items and not self.ended:
            self._wake.clear()
            try:
                async with asyncio.timeout(timeout):
                    await self._wake.wait()
            except TimeoutError:
                return []
        items: list[StreamItem] = []
        size = 0
        while self._items and (not items or size + len(self._items[0].data) <= most):
            items.append(self._items.popleft())
            size += len(items[-1].data)
        self._bytes -= size
        return items


class Hub:
    """All subscriptions. A topic is the id of a game or of a table."""

    def __init__(self, waiting: int, behind: int) -> None:
        """A reader may be `waiting` events and `behind` bytes behind. Readers share the events in memory."""
        self._waiting = waiting
        self._behind = behind
        self._topics: dict[bytes, set[Subscription]] = {}
        self.count = 0
        self._looking = Lock()
        self._ended: OrderedDict[bytes, dict[str, float]] = OrderedDict()
        """topic → party → when a stream of it ended last (`time.monotonic`); the topics that changed last come last"""

    @contextmanager
    def follow(self, topic: bytes, party: str | None = None) -> Iterator[Subscription]:
        """Follow a topic, until the end of the block."""
        subscription = Subscription(topic, party, self._waiting, self._behind)
        with self._looking:
            self._topics.setdefault(topic, set()).add(subscription)
        self.count += 1
        try:
            yield subscription
        finally:
            self.count -= 1
            with self._looking:
                self._leave(subscription)

    def _leave(self, subscription: Subscription) -> None:
        topic, now = subscription.topic, time.monotonic()
        readers = self._topics[topic]
        readers.discard(subscription)
        if not readers:
            del self._topics[topic]
        if subscription.party is not None:
            self._ended.setdefault(topic, {})[subscription.party] = now
            self._ended.move_to_end(topic)
            if len(self._ended) > MAX_TOPICS:
                self._ended.popitem(last=False)

    def heard(self, topic: bytes) -> frozenset[str]:
        """Return the parties that follow, or whose stream ended less than HEARD seconds ago; for any thread."""
        with self._looking:
            parties = {each.party for each in self._topics.get(topic, ())}
            since = time.monotonic() - HEARD
            parties |= {party for party, ended in self._ended.get(topic, {}).items() if ended >= since}
        return frozenset(party for party in parties if party is not None)

    def left(self, topic: bytes) -> dict[str, float]:
        """Return the parties that followed and do not now, and when they ended (`time.monotonic`); for any thread."""
        with self._looking:
            following = {each.party for each in self._topics.get(topic, ())}
            return {party: ended for party, ended in self._ended.get(topic, {}).items() if party not in following}

    def publish(self, topic: bytes, items: Iterable[StreamItem]) -> None:
        """Add new events to every subscription of a topic."""
        items = tuple(items)
        for subscription in tuple(self._topics.get(topic, ())):
            subscription.push(items)

    def readers(self, topic: bytes) -> int:
        """Return the number of subscriptions of a topic; for any thread."""
        return len(self._topics.get(topic, ()))

    def here(self, topic: bytes) -> list[str]:
        """Return the parties that follow a topic, sorted; for any thread."""
        with self._looking:
            return sorted({each.party for each in self._topics.get(topic, ()) if each.party is not None})

    def end(self, topic: bytes | None = None, *, over: bool = False) -> None:
        """End the streams of a topic, or all; `over`: for good."""
        for readers in [self._topics.get(topic, set())] if topic is not None else list(self._topics.values()):
            for subscription in tuple(readers):
                subscription.end(over=over)
