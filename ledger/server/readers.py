"""Send news of tables and games to their readers: each item once, whichever process wrote it (specs/network.md)."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from ledger.errors import LedgerError
from ledger.keeper.operations import NewCheckpoint, NewLine, NewOpening, NewReceived, News
from ledger.server.admission import Quiet
from ledger.server.hub import Hub, StreamItem, Subscription
from ledger.server.limits import Caller, Gate
from ledger.server.metrics import Metrics
from ledger.server.problems import Problem, not_found
from ledger.server.sent_items import LATEST, SentItems, Signal, checkpoint_event
from ledger.server.sse import PIECE, event, line_event, raw_event
from ledger.server.turns import Turns
from ledger.store.ledger import Ledger
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.protocol import Phase
from verifier.opening import SentOpening

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["LOOK_EVERY_NOTIFIED", "Readers"]

LINES_AT_A_TIME = 64
"""lines of a log that are read at once, at most: of a line's longest they are 4 MB"""

READ_AT_ONCE = 3
"""threads that read the store for requests"""

LOOK_EVERY = 1.0
"""seconds between two looks at all followed games for lines of other programs"""

LOOK_EVERY_NOTIFIED = 3.0
"""the same where the database tells what others have written, but for what was lost on the way"""


class Readers:
    """All readers of one server. Methods are for the event loop; blocking work runs in threads."""

    def __init__(self, ledger: Ledger, gate: Gate, quiet: Quiet, metrics: Metrics, log: "FilteringBoundLogger") -> None:
        self.hub = Hub(gate.limits.waiting, gate.limits.behind)
        self.turns = Turns("reading", READ_AT_ONCE, gate, quiet)
        self.changed = Signal()
        """set when another process has written"""
        self.look_every = LOOK_EVERY
        self._ledger = ledger
        self._metrics = metrics
        self._log = log
        self._shown: dict[bytes, SentItems] = {}
        """for each followed game, the items that were sent"""

    @contextmanager
    def follow(self, topic: bytes, party: str | None) -> Iterator[Subscription]:
        """Subscribe as `Hub.follow` does, and tell the other readers who is here."""
        size = self._ledger.size(topic)  # before the first read, so that no line is missed
        if size:  # else it is a table
            checkpoint = self._ledger.checkpoint(topic)
            last = self._ledger.lines(topic, max(0, size - LATEST), size)
            self._shown.setdefault(topic, SentItems(size, 0 if checkpoint is None else checkpoint.head.size, last))
        try:
            with self.hub.follow(topic, party) as subscription:
                self._tell_here(topic, party)
                yield subscription
        finally:
            if not self.hub.readers(topic):
                self._shown.pop(topic, None)
            self._tell_here(topic, party)  # also for a reader that was cut off

    def _tell_here(self, topic: bytes, party: str | None) -> None:
        self._metrics.streams(self.hub.count)
        if party is not None:
            self.hub.publish(topic, [event("here", {"here": self.hub.here(topic)})])

    def tell(self, game: bytes, news: Sequence[News]) -> None:
        """Send the news of a game to its readers, each item once."""
        shown = self._shown.get(game)
        if shown is not None:
            self.hub.publish(game, [item for each in news for item in shown.item(each)])
            if shown.over:
                self.hub.end(game, over=True)

    async def lines(self, caller: Caller, game: bytes, start: int, stop: int) -> "Lines":
        """Return the lines from `start` to before `stop`, which are read as they are sent. Raises Problem."""
        return await self.turns.ask(caller, lambda: Lines(self._ledger, self.turns, caller, game, start, stop))

    async def so_far(
        self, caller: Caller, game: bytes, start: int, subscription: Subscription
    ) -> AsyncIterator[list[StreamItem]]:
        """Yield the existing items from a line on: lines, the checkpoint, openings and receipts of the pending roll.

        End the subscription if the game is closed.
        """
        while True:
            found = await self.turns.go_on(caller, partial(self._lines, caller, game, start))
            if start >= found.size:
                break
            async for first, lines in found:
                yield [line_event(first + at, line) for at, line in enumerate(lines)]
                start = first + len(lines)
        items, over = await self.turns.go_on(caller, lambda: self._waiting_now(game))
        yield items
        if over:
            subscription.end(over=True)

    def _lines(self, caller: Caller, game: bytes, start: int) -> "Lines":
        return Lines(self._ledger, self.turns, caller, game, start, MAX_SAFE_INTEGER)

    def _waiting_now(self, game: bytes) -> tuple[list[StreamItem], bool]:
        """Return the items after the lines, and True if none will ever follow."""
        kept = self._ledger.kept(game)
        items = [] if kept.checkpoint is None else [checkpoint_event(kept.checkpoint)]
        pending = kept.replay.pending
        if pending is not None:
            request = pending.request
            items += [raw_event("opening", bytes(SentOpening.of(game, request, each))) for each in kept.openings]
            receipts = self._ledger.received(game, request)
            items += [raw_event("received", bytes(each)) for each in receipts]
        closed = kept.replay.session.phase is Phase.CLOSED
        over = closed and kept.checkpoint is not None and kept.checkpoint.head.size == kept.replay.size
        return [*items, event("here", {"here": self.hub.here(game)})], over

    async def written_by_others(self) -> AsyncIterator[Mapping[bytes, Sequence[News]]]:
        """Yield news of followed games that other programs wrote: another server process, a keeper's command line."""
        marks: dict[bytes, tuple[int, ...]] = {}
        looked = -self.look_every
        while True:
            written = await self.changed.wait_for(self.look_every)
            now = time.monotonic()
            if written is None or now - looked >= self.look_every:
                games, looked = list(self._shown), now
                marks = {game: marks[game] for game in games if game in marks}
            else:
                games = [game for each in written if (game := bytes.fromhex(each)) in self._shown]
            try:
                found = await asyncio.to_thread(self._ledger.catalog.marks, games)
                for game in games:
                    if found[game] != marks.get(game):
                        yield {game: await asyncio.to_thread(self._since, game)}
                marks |= found
            except (LedgerError, Problem) as error:
                self._log.warning("follow", problem=str(error))

    def _since(self, game: bytes) -> list[News]:
        """Return all news of a game that its readers may not have received."""
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


class Lines:
    """Lines of a log, read piece by piece: the next piece when the one before was sent."""

    def __init__(self, ledger: Ledger, turns: Turns, caller: Caller, game: bytes, start: int, stop: int) -> None:
        """Read the first piece. Raises Problem where there is no such game."""
        self._ledger = ledger
        self._turns = turns
        self._caller = caller
        self._game = game
        self._at = start
        self._many = LINES_AT_A_TIME
        """lines that are read at once: about as many as make a piece"""
        self.size = ledger.size(game)  # before the lines are read: later ones belong to the stream
        """the number of lines"""
        if not self.size:
            raise not_found()
        self._stop = min(stop, self.size)
        self._next = self._read()

    @property
    def whole(self) -> list[bytes] | None:
        """All lines, where they are a single piece."""
        return self._next[1] if self._at >= self._stop else None

    async def __aiter__(self) -> AsyncIterator[tuple[int, list[bytes]]]:
        """Yield pieces: the number of the first line, and lines of at most `PIECE` bytes, or one longer line."""
        while self._next[1]:
            piece, self._next = self._next, (0, [])
            yield piece
            if self._at < self._stop:
                self._next = await self._turns.go_on(self._caller, self._read)

    def _read(self) -> tuple[int, list[bytes]]:
        first, lines, size = self._at, list[bytes](), 0
        for line in self._ledger.lines(self._game, first, min(self._stop, first + self._many)):
            size += len(line) + 1
            if lines and size > PIECE:
                break  # it is read again: nothing is kept for a reader that may never come for it
            lines.append(line)
        self._many = min(LINES_AT_A_TIME, 2 * len(lines))
        self._at = first + len(lines) if lines else self._stop
        return first, lines
