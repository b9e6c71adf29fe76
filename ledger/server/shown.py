"""What the readers of a game have been told, whoever wrote it; and that others may have written."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable

from ledger.keeper.operations import NewCheckpoint, NewLine, NewOpening, NewReceived, News
from ledger.server.hub import Item
from ledger.server.sse import event, line_event, raw_event
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash

__all__ = ["LATEST", "Shown", "Signal", "checkpoint_event"]

LATEST = 32
"""lines among which a request is looked for: what comes for one comes within a few lines"""


class Shown:
    """What the readers of a game have been told: each thing once, whoever wrote it."""

    def __init__(self, size: int, checkpoint: int, last: Iterable[bytes]) -> None:
        """`size` lines are told, or found by readers when they come; `last` are those at their end.

        The latest checkpoint is of `checkpoint` lines.
        """
        self.size = size
        self._checkpoint = checkpoint
        self._closed = False
        self._leaves = deque((leaf_hash(line).hex() for line in last), maxlen=LATEST)
        """leaf hashes of the latest of these lines"""
        self._request = ""
        self._told: set[tuple[str, ...]] = set()
        """openings and receipts for the request"""

    @property
    def over(self) -> bool:
        """Whether the game's `close` was told, and the keeper's checkpoint of it: nothing comes after them."""
        return self._closed and self._checkpoint >= self.size

    def item(self, news: News) -> list[Item]:
        """As it goes over the wire, if it is new."""
        match news:
            case NewLine(seq, line):
                return self._line(seq, line)
            case NewCheckpoint(checkpoint):
                new = checkpoint.head.size > self._checkpoint
                self._checkpoint = max(self._checkpoint, checkpoint.head.size)
                return [checkpoint_event(checkpoint)] if new else []
            case NewOpening(sent):
                new = self._is_new(sent.request, sent.opening.author)
                return [raw_event("opening", bytes(sent))] if new else []
            case NewReceived(received):
                new = self._is_new(received.request, received.author, received.receiver)
                return [raw_event("received", bytes(received))] if new else []

    def _line(self, seq: int, line: bytes) -> list[Item]:
        if seq < self.size:
            return []
        self.size = seq + 1
        self._leaves.append(leaf_hash(line).hex())
        self._closed = glance(line).type == "close"
        return [line_event(seq, line)]

    def _is_new(self, request: str, *names: str) -> bool:
        if request not in self._leaves:
            return False  # another process wrote the request: what came for it is told behind its line
        if request != self._request:
            self._request = request
            self._told.clear()
        new = names not in self._told
        self._told.add(names)
        return new


class Signal:
    """Something may have happened. Set from any thread; waited for in the loop."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """In the loop's thread."""
        self._event.set()

    async def wait_for(self, seconds: float) -> None:
        """Until it is set, or so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
        self._event.clear()


def checkpoint_event(checkpoint: SignedCheckpoint) -> Item:
    """A checkpoint as it goes over the wire."""
    return event("checkpoint", {"checkpoint": bytes(checkpoint).decode()})
