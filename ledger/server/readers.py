"""Who follows tables and games, and what they are told: each thing once, whoever wrote it (specs/network.md)."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ledger.errors import LedgerError, UsageError
from ledger.operations import NewCheckpoint, NewLine, NewOpening, NewReceived, News
from ledger.server.hub import Hub, Item, Subscription
from ledger.server.metrics import Metrics
from ledger.server.problems import Problem, not_found
from ledger.server.shown import Shown, Signal, checkpoint_event
from ledger.server.sse import event, line_event, raw_event
from ledger.store import Ledger
from verifier.opening import SentOpening

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["Readers"]

LINES_AT_A_TIME = 256
"""lines of a log that a stream is sent at once"""

LOOK_EVERY = 1.0
"""seconds between two looks for what other programs have written"""


class Readers:
    """All readers of one server. Methods are for the event loop; what blocks is done in threads."""

    def __init__(self, ledger: Ledger, waiting: int, metrics: Metrics, log: "FilteringBoundLogger") -> None:
        """`waiting` is how many events a reader may be behind."""
        self.hub = Hub(waiting)
        self.changed = Signal()
        """set where somebody else may have written"""
        self._ledger = ledger
        self._metrics = metrics
        self._log = log
        self._shown: dict[bytes, Shown] = {}
        """by game that somebody follows: what has been told"""

    @contextmanager
    def follow(self, topic: bytes, party: str | None) -> Iterator[Subscription]:
        """As `Hub.follow`; the others are told who is here."""
        size = self._ledger.size(topic)  # before the first look at it, so that nothing falls between
        if size:  # else it is a table
            checkpoint = self._ledger.checkpoint(topic)
            self._shown.setdefault(topic, Shown(size, 0 if checkpoint is None else checkpoint.head.size))
        try:
            with self.hub.follow(topic, party) as subscription:
                self._tell_here(topic, party)
                yield subscription
        finally:
            if not self.hub.readers(topic):
                self._shown.pop(topic, None)
            self._tell_here(topic, party)  # whoever is cut off leaves too

    def _tell_here(self, topic: bytes, party: str | None) -> None:
        self._metrics.streams(self.hub.count)
        if party is not None:
            self.hub.publish(topic, [event("here", {"here": self.hub.here(topic)})])

    def tell(self, game: bytes, news: Sequence[News]) -> None:
        """Tell whoever follows a game what is new in it, once."""
        shown = self._shown.get(game)
        if shown is not None:
            self.hub.publish(game, [item for each in news for item in shown.item(each)])

    async def lines(self, game: bytes, start: int, stop: int) -> tuple[Sequence[bytes], int]:
        """Lines from one number to before another, and how many there are."""
        return await asyncio.to_thread(self._lines, game, start, stop)

    def _lines(self, game: bytes, start: int, stop: int) -> tuple[Sequence[bytes], int]:
        ledger = self._ledger
        try:
            size = ledger.size(game)  # before the lines: what comes meanwhile is in neither, or a reader would miss it
            return list(ledger.lines(game, start, min(stop, size))), size
        except UsageError:
            raise not_found() from None

    async def so_far(self, game: bytes, start: int) -> AsyncIterator[list[Item]]:
        """What stands from a line on: lines, then the checkpoint and what came for the roll that waits."""
        while True:
            lines, _ = await self.lines(game, start, start + LINES_AT_A_TIME)
            if lines:
                yield [line_event(start + at, line) for at, line in enumerate(lines)]
            start += len(lines)
            if len(lines) < LINES_AT_A_TIME:
                break
        yield await asyncio.to_thread(self._waiting_now, game)

    def _waiting_now(self, game: bytes) -> list[Item]:
        kept = self._ledger.kept(game)
        items = [] if kept.checkpoint is None else [checkpoint_event(kept.checkpoint)]
        pending = kept.replay.pending
        if pending is not None:
            request = pending.request
            items += [raw_event("opening", bytes(SentOpening.of(game, request, each))) for each in kept.openings]
            receipts = self._ledger.received(game, request)
            items += [raw_event("received", bytes(each)) for each in receipts]
        return [*items, event("here", {"here": self.hub.here(game)})]

    async def written_by_others(self) -> AsyncIterator[Mapping[bytes, Sequence[News]]]:
        """What other programs write to games that are followed: another server's process, a keeper's command line."""
        marks: dict[bytes, tuple[int, ...]] = {}
        while True:
            await self.changed.wait_for(LOOK_EVERY)
            games = list(self._shown)
            try:
                now = await asyncio.to_thread(self._ledger.marks, games)
                for game in games:
                    if now[game] != marks.get(game):
                        yield {game: await asyncio.to_thread(self._since, game)}
                marks = now
            except (LedgerError, Problem) as error:
                self._log.warning("follow", problem=str(error))

    def _since(self, game: bytes) -> list[News]:
        """All of a game that readers may not have been told."""
        shown, ledger = self._shown.get(game), self._ledger
        if shown is None:
            return []
        start = shown.size
        found: list[News] = [NewLine(start + at, line) for at, line in enumerate(ledger.lines(game, start))]
        kept = ledger.kept(game)
        if kept.checkpoint is not None and kept.checkpoint.head.size == start + len(found):  # else it is told later
            found.append(NewCheckpoint(kept.checkpoint))
        if kept.replay.pending is not None:
            request = kept.replay.pending.request
            found += [NewOpening(SentOpening.of(game, request, each)) for each in kept.openings]
            found += [NewReceived(each) for each in ledger.received(game, request)]
        return found
