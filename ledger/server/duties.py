"""Periodic duties of a server: delete expired games, finish steps, measure room (specs/network.md)."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ledger import lobby
from ledger.errors import LedgerError, StoreError
from ledger.game.times import format_time
from ledger.keeper.host import Host
from ledger.keeper.operations import KeeperFailure, NewLine, News, Resume
from ledger.seats.seat import Seat
from ledger.server.problems import Problem
from ledger.server.room import Room
from ledger.server.tables import TableRow, Tables
from ledger.server.writer import Writer
from ledger.store.ledger import Ledger
from ledger.transparency.anchors import Anchors
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.format import glance

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["LOOK_EVERY", "Anchoring", "Finishing", "days_before", "find_expired", "measure"]

UNSTARTED_DAYS = 30
"""how many days a table stays that does not start"""

LOOK_EVERY = 1.0
"""seconds between two checks of pending rolls, or of the free room"""

FINISH_EVERY = 2.0
"""seconds between two looks for unfinished steps; a game is finished if it did not change between two of them"""


def find_expired(host: Host, tables: Tables, now: str, keep_days: int | None) -> list[TableRow]:
    """Return the tables whose time is over; `keep_days` as in `Service`."""
    found = []
    if keep_days is not None:
        for game in host.ledger.catalog.closed_before(days_before(now, keep_days)):
            row = tables.of_game(game.hex())
            found += [] if row is None or row.deleted else [row]
    oldest = days_before(now, UNSTARTED_DAYS)
    return [*found, *(row for row in tables.unstarted() if lobby.parse_terms(row.terms.encode()).time < oldest)]


class Anchoring:
    """Puts the final checkpoints of games that were closed into the anchor log. All is for the writer's thread."""

    def __init__(
        self,
        ledger: Ledger,
        anchors: Anchors,
        seat: Seat,
        changed: Callable[[], None],
        log: "FilteringBoundLogger",
    ) -> None:
        """`seat` is the keeper's; `changed` is called when there is a new head."""
        self._ledger = ledger
        self._anchors = anchors
        self._seat = seat
        self._changed = changed
        self._log = log
        self.failed = False
        """whether entries could not be made that can be made later"""

    def take(self, news: Mapping[bytes, Sequence[News]]) -> None:
        """Add the final checkpoints of games that were closed in these news."""
        closed = [
            game
            for game, found in news.items()
            if any(isinstance(each, NewLine) and glance(each.line).type == "close" for each in found)
        ]
        self._add([each for game in closed if (each := self._ledger.checkpoint(game)) is not None])

    def take_all(self) -> None:
        """The same of all that are not there, since the server or the database was away."""
        ledger = self._ledger
        self.failed = False
        try:
            missing = sorted({game.hex() for game in ledger.catalog.closed_games()} - self._anchors.games())
            found = [ledger.checkpoint(bytes.fromhex(game)) for game in missing]
            self._add([each for each in found if each and each.head.size == ledger.size(each.head.game)])
        except LedgerError as error:
            self._log.error("anchors", problem=str(error))

    def _add(self, finals: Sequence[SignedCheckpoint]) -> None:
        if not finals:
            return
        try:
            self._anchors.add(finals, self._seat.log_head)
        except LedgerError as error:  # where the log was put back its operator has to mend that first
            self.failed |= isinstance(error, StoreError)
            self._log.error("anchors", problem=str(error))
        else:
            self._changed()


class Finishing:
    """Finishes steps that a keeper left undone: a disk or database was away, or a machine died in the middle.

    The client that asked for the step may never come back.
    """

    def __init__(self, host: Host, writer: Writer, anchoring: Anchoring) -> None:
        self._host = host
        self._writer = writer
        self._anchoring = anchoring
        self._stood: Mapping[bytes, tuple[int, int, int]] = {}
        """how each unfinished game stood at the last look"""
        self._done: dict[bytes, tuple[int, int, int]] = {}
        """and how, when everything was done that could be done"""

    async def work(self) -> None:
        """Look every two seconds."""
        while True:
            await asyncio.sleep(FINISH_EVERY)
            if self._anchoring.failed:
                with contextlib.suppress(Problem):
                    await self._writer.write(self._anchoring.take_all)
            with contextlib.suppress(LedgerError, Problem):  # the database is away, or a turn was not to be had
                await self._look()

    async def _look(self) -> None:
        now = await asyncio.to_thread(self._host.ledger.catalog.unfinished)
        before, self._stood = self._stood, now
        self._done = {game: stands for game, stands in self._done.items() if now.get(game) == stands}
        for game, stands in now.items():
            # Another process may be at work on a game: only a game that did not change since the last look is finished.
            if before.get(game) == stands and game not in self._done:
                outcome = await self._writer.ask(Resume(game))
                if not (isinstance(outcome, KeeperFailure) and outcome.code == "keeper.failed"):  # that is tried again
                    self._done[game] = stands


async def measure(room: Room, log: "FilteringBoundLogger") -> None:
    """Look every second whether there is room for more."""
    while True:
        try:
            if await asyncio.to_thread(room.look):
                log.error("full", problem="the databases or a disk have no room for more; see MAX_STORE and MIN_FREE")
        except OSError as error:
            log.warning("room", problem=str(error))
        await asyncio.sleep(LOOK_EVERY)


def days_before(time: str, days: int) -> str:
    """Return a time of the log's form, so many days earlier."""
    return format_time(datetime.fromisoformat(time) - timedelta(days=days))
