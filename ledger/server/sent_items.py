"""Remember which items a game's readers have received, and signal that others may have written."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterable

from ledger.keeper.operations import NewCheckpoint, NewLine, NewOpening, NewReceived, News
from ledger.server.hub import StreamItem
from ledger.server.sse import event, line_event, raw_event
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash

__all__ = ["LATEST", "SentItems", "Signal", "checkpoint_event"]

LATEST = 32
"""lines among which a request is looked for: its openings arrive within a few lines"""


class SentItems:
    """Drops items that a game's readers have received, whichever process wrote them."""

    def __init__(self, size: int, checkpoint: int, last: Iterable[bytes]) -> None:
        """Readers have `size` lines, or read them when they subscribe; `last` are the last of them.

        The latest checkpoint covers `checkpoint` lines.
        """
        self.size = size
        self._checkpoint = checkpoint
        self._closed = False
        self._leaves = deque((leaf_hash(line).hex() for line in last), maxlen=LATEST)
        """leaf hashes of the latest of these lines"""
        self._request = ""
        self._reported: set[tuple[str, ...]] = set()
        """openings and receipts for the request"""

    @property
    def over(self) -> bool:
        """True if the game's `close` and the checkpoint over it were sent: no item follows them."""
        return self._closed and self._checkpoint >= self.size

    def item(self, news: News) -> list[StreamItem]:
        """Return the encoded item if it is new, else nothing."""
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

    def _line(self, seq: int, line: bytes) -> list[StreamItem]:
        if seq < self.size:
            return []
        self.size = seq + 1
        self._leaves.append(leaf_hash(line).hex())
        self._closed = glance(line).type == "close"
        return [line_event(seq, line)]

    def _is_new(self, request: str, *names: str) -> bool:
        if request not in self._leaves:
            return False  # another process wrote the request: its openings are sent after its line
        if request != self._request:
            self._request = request
            self._reported.clear()
        new = names not in self._reported
        self._reported.add(names)
        return new


class Signal:
    """Wakes a task of the loop, and tells it what others wrote."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._ids: frozenset[str] | None = frozenset()

    def set(self, ids: frozenset[str] | None) -> None:
        """Set the signal, in the loop's thread; `ids` are those of games and events, None: it may be any."""
        self._ids = None if self._ids is None or ids is None else self._ids | ids
        self._event.set()

    async def wait_for(self, seconds: float) -> frozenset[str] | None:
        """Wait until the signal is set, at most so many seconds; then reset it, and return the items since.

        None: it may be any.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
        self._event.clear()
        ids, self._ids = self._ids, frozenset()
        return ids


def checkpoint_event(checkpoint: SignedCheckpoint) -> StreamItem:
    """Return the event with a checkpoint."""
    return event("checkpoint", {"checkpoint": bytes(checkpoint).decode()})
