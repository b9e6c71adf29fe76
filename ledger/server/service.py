"""The server of one keeper: its parts, their work in the background, start and end (specs/network.md).

`access` says who may read; `states`, `seating`, `lifecycle` and `deletion` are for tables, `games` for what parties
post to their games. The writer stores; `news` reach the readers of a game when they are durable.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ledger.game.times import utc_now
from ledger.keeper.host import Host
from ledger.keeper.operations import BatchResult
from ledger.seats.seat import Seat
from ledger.server.access import TokenAccess
from ledger.server.admission import Quiet
from ledger.server.advice import Advice
from ledger.server.calling_off import CallingOff
from ledger.server.cosigned import AnchorLog
from ledger.server.cosigning import Cosigning, PublicWitness
from ledger.server.deletion import Deletion
from ledger.server.duties import Anchoring, Finishing, measure
from ledger.server.event_keeper import EventKeeper
from ledger.server.events import Events
from ledger.server.game_posts import GamePosts
from ledger.server.limits import Gate, Limits
from ledger.server.logs import TileLogs
from ledger.server.lookups import Lookups
from ledger.server.metrics import Metrics
from ledger.server.news import NewsDelivery
from ledger.server.problems import Problem
from ledger.server.public_games import PublicFolder, PublicGames
from ledger.server.published import PublishedStore
from ledger.server.readers import LOOK_EVERY_NOTIFIED, Readers
from ledger.server.rolls import Rolls
from ledger.server.room import Room
from ledger.server.seating import Seating
from ledger.server.table_lifecycle import TableLifecycle
from ledger.server.table_states import TableStates
from ledger.server.tables import Tables
from ledger.server.webhook import Posting, PostingTo, Webhook
from ledger.server.writer import Writer
from ledger.transparency.anchors import Anchors
from rules import SYSTEMS
from verifier import VerifierKey

if TYPE_CHECKING:
    from litestar import Litestar
    from structlog.typing import FilteringBoundLogger

__all__ = ["Service"]

Listen = Callable[[threading.Event], Iterable[frozenset[str] | None]]
"""gives the ids of games and events that others have written to, until the event is set; None: it may be any"""

EXPIRE_EVERY = 3_600.0
"""seconds between two looks for expired games"""


class Service:
    """The server of one keeper. All methods are for the event loop; blocking work runs in threads."""

    def __init__(
        self,
        host: Host,
        seat: Seat,
        tables: Tables,
        published: PublishedStore,
        anchors: Anchors,
        log: "FilteringBoundLogger",
        limits: Limits | None = None,
        room: Room | None = None,
        clock: Callable[[], str] = utc_now,
        keep_days: int | None = None,
        listen: Listen | None = None,
        witnesses: Sequence[PublicWitness] = (),
        witness_games: bool = False,
        event_keeper: EventKeeper | None = None,
        posting: PostingTo | None = None,
        address: str | None = None,
        public: PublicGames | None = None,
    ) -> None:
        """`keep_days` is how many days closed games stay, None: for ever; `listen` says when others have written.

        `event_keeper` keeps events, None: there are none. `witnesses` are asked to cosign the anchor log and
        events, and with `witness_games` each game. `posting` says where results are posted, None: nowhere.
        `address` is the public one, as links have it; None: the one by which the server is asked. `public` says
        where everybody can read closed games, None: nowhere.
        """
        self.host = host
        self.seat = seat
        self.tables = tables
        self.anchors = anchors
        self.log = log
        self.limits = limits or Limits()
        self.gate = Gate(self.limits)
        self.room = room or Room(self.limits)
        self.metrics = Metrics()
        self.quiet = Quiet()
        self._prepare_reading(published, address, notified=listen is not None)
        self.lookups = Lookups()
        of_events = None if event_keeper is None else event_keeper.tokens
        self.access = TokenAccess(tables, host.ledger, self.readers.turns, self.lookups, self.limits, clock, of_events)
        self.writer = Writer(host, self._written, self._tell, log, self.metrics, self.quiet)
        self.now = clock
        self.keep_days = keep_days
        self._listen = listen
        self.witnesses = witnesses
        self.witness_games = witness_games
        self._posting = None if posting is None else self._posting_to(posting)
        self.news = NewsDelivery(
            *(host.ledger, self.readers, self.metrics, self._posting, self.writer), witness_games=witness_games
        )
        with_folder = (seat.key, host.ledger, tables, anchors, log, clock)
        self.public = None if public is None else PublicFolder(public, *with_folder)
        self._calling_off = CallingOff(host, tables, self.writer, log)
        self._anchoring = Anchoring(host.ledger, anchors, seat, self._anchored, log)
        self.events = None if event_keeper is None else self._events_of(event_keeper)
        self._finishing = Finishing(host, self.writer, self._anchoring)
        self._prepare_tables(published)
        self.games = GamePosts(host, self.writer, self.readers, self.room)

    def _prepare_reading(self, published: PublishedStore, address: str | None, *, notified: bool) -> None:
        """Make the parts that are for reading games: streams, advice, logs and rolls.

        `notified`: others' writes are heard of, so that it is enough to look for them now and then.
        """
        host = self.host
        self.readers = Readers(host.ledger, self.gate, self.quiet, self.metrics, self.log)
        if notified:
            self.readers.look_every = LOOK_EVERY_NOTIFIED
        self.advice = Advice(host.ledger, self.gate, self.quiet)
        self.logs = TileLogs(host.ledger, self.anchors, self.readers)
        self.rolls = Rolls(host.ledger, published, self.readers.turns, self.gate, self.room, address, self.log)
        host.streaming, host.left = self.readers.hub.heard, self.readers.hub.left

    def _posting_to(self, posting: PostingTo) -> Posting:
        """Return what posts results to a channel."""
        return Posting(
            *(posting.webhook, self.host.ledger, self.tables, posting.address, self.quiet, self.metrics, self.log),
            translate=posting.translate,
        )

    def _events_of(self, keeper: EventKeeper) -> Events:
        """Return the organized events that a keeper keeps."""
        return Events(
            *(keeper, self.host.ledger, self.writer, self.readers, self.room, self.limits, self.now),
            *(self.access, self.lookups),
            written=self._anchoring.take,
            publish=self.news.publish,
            cosign=self.news.have_cosigned,
            witnesses=self.witnesses,
            log=self.log,
        )

    def _prepare_tables(self, published: PublishedStore) -> None:
        """Make the parts that keep tables: their states, seats, course and deletion."""
        host, tables = self.host, self.tables
        self.states = TableStates(tables, self.readers.hub, self.lookups, self.writer)
        self.seating = Seating(
            *(tables, self.states, host.ledger, self.writer, self.readers.turns, self.room, self.limits)
        )
        host.going_on = self.seating.going_on
        self.lifecycle = TableLifecycle(
            *(host, self.keeper, tables, self.states, self.writer, self.news, self.room),
            *(self.metrics, self.log, self.now),
            webhook=self.webhook,
            public=None if self.public is None else self.public.address,
        )
        self.deletion = Deletion(
            *(host, tables, self.states, published, self.anchors, self.advice, self.public),
            *(self.writer, self.readers.hub, self.log, self.now, self.keep_days),
        )

    @property
    def keeper(self) -> VerifierKey:
        """The keeper's key."""
        return self.seat.key

    @property
    def judge(self) -> VerifierKey | None:
        """The key of the judge that tables may have."""
        return None if self.host.judge is None else self.host.judge.key

    @property
    def webhook(self) -> Webhook | None:
        """The channel for results of tables whose terms allow that; None without one."""
        return None if self._posting is None else self._posting.webhook

    @property
    def systems(self) -> list[str]:
        """The ids of the rules that can be played here."""
        return list(SYSTEMS)

    @asynccontextmanager
    async def lifespan(self, _: "Litestar") -> AsyncIterator[None]:
        """Run the writer's work as long as the application runs."""
        stop = threading.Event()
        listening = threading.Thread(target=self._hear, args=(stop,))
        by_and_by = (self._expire_by_and_by, self._follow_others, self._calling_off.work, self._finishing.work)
        try:
            async with self.writer.working():
                listening.start()
                others = [asyncio.create_task(work()) for work in by_and_by]
                if self.events is not None:
                    others.append(asyncio.create_task(self.events.work()))
                others.append(asyncio.create_task(measure(self.room, self.log)))
                if self.public is not None:
                    others.append(asyncio.create_task(self.public.work()))
                if self.witnesses:
                    cosigning = self.news.cosigning = Cosigning(self.witnesses, self.log)
                    cosigning.start()
                    cosigning.changed(AnchorLog(self.anchors))
                    if self.events is not None:
                        self.events.have_cosigned()
                if self._posting is not None:
                    self._posting.start()
                try:
                    yield
                finally:
                    if self.news.cosigning is not None:
                        await self.news.cosigning.stop()
                    for task in others:
                        task.cancel()
                    if self._posting is not None:
                        await self._posting.stop()
        finally:
            stop.set()
            self.advice.close()
            self.lookups.close()
            self.readers.turns.close()
            if listening.ident is not None:
                await asyncio.to_thread(listening.join)

    def _hear(self, stop: threading.Event) -> None:
        """Wake the readers whenever another process has written; runs in a thread of its own."""
        for ids in self._listen(stop) if self._listen is not None else ():
            self.writer.soon(self._heard, ids)

    def _heard(self, ids: frozenset[str] | None) -> None:
        self.readers.changed.set(ids)
        if self.events is not None:
            self.events.changed.set(ids)

    def drain(self) -> None:
        """Take no more requests, finish those that came, and end all streams: readers reconnect to the next server."""
        self.writer.draining = True
        self.readers.hub.end()

    def drain_soon(self) -> None:
        """Drain in the loop; for a signal's handler."""
        self.writer.soon(self.drain)

    async def _expire_by_and_by(self) -> None:
        while True:
            with contextlib.suppress(Problem):
                await self.writer.write(self._expire)
            await asyncio.sleep(EXPIRE_EVERY)

    def _expire(self) -> None:
        """In the writer's thread."""
        self.deletion.expire()
        self._anchoring.take_all()

    def _written(self, processed: BatchResult) -> None:
        """In the writer's thread."""
        self._anchoring.take(processed.news)

    def _tell(self, processed: BatchResult) -> None:
        """In the loop."""
        self.news.deliver(processed.news)

    def _anchored(self) -> None:
        """In the writer's thread."""
        self.writer.soon(self.news.have_cosigned, AnchorLog(self.anchors))
        if self.public is not None:
            self.writer.soon(self.public.changed)

    async def _follow_others(self) -> None:
        async for news in self.readers.written_by_others():
            self.news.publish(news)
