"""What a server does by itself, now and then: it deletes, finishes, and measures (specs/network.md)."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ledger import lobby
from ledger.errors import LedgerError
from ledger.host import Host
from ledger.operations import Failed, Outcome, Resume, Resumed
from ledger.server.problems import Problem
from ledger.server.room import Room
from ledger.server.tables import TableRow, Tables
from ledger.server.writer import Writer

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["LOOK_EVERY", "Finishing", "expired", "measure"]

UNSTARTED_DAYS = 30
"""how many days a table stays that does not start"""

LOOK_EVERY = 1.0
"""seconds between two looks for what waits, or is unfinished"""


def expired(host: Host, tables: Tables, now: str, keep_days: int | None) -> list[TableRow]:
    """The tables that have stayed for as long as they may; `keep_days` as in `Service`."""
    found = []
    if keep_days is not None:
        for game in host.ledger.closed_before(_days_before(now, keep_days)):
            row = tables.of_game(game.hex())
            found += [] if row is None or row.deleted else [row]
    oldest = _days_before(now, UNSTARTED_DAYS)
    return [*found, *(row for row in tables.unstarted() if lobby.parse_terms(row.terms.encode()).time < oldest)]


class Finishing:
    """Does what the keeper could not, when disk or database are back: whoever sent it may never come again."""

    def __init__(self, host: Host, writer: Writer, anchor: Callable[[], None]) -> None:
        """`anchor` puts into the anchor log what is missing there, in the writer's thread."""
        self._host = host
        self._writer = writer
        self._anchor = anchor
        self._unfinished = False
        """whether something may be outstanding for the keeper, which it could not do"""

    def saw(self, outcomes: Sequence[Outcome]) -> None:
        """What came of a batch."""
        self._unfinished |= any(isinstance(each, Failed) and each.code == "keeper.failed" for each in outcomes)

    def anchors_failed(self) -> None:
        """An entry could not be made."""
        self._unfinished = True

    async def work(self) -> None:
        """Look every second."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if not self._unfinished:
                continue
            self._unfinished = False
            try:
                games = await asyncio.to_thread(self._host.ledger.unfinished)
            except LedgerError:
                self._unfinished = True
                continue
            for game in games:
                with contextlib.suppress(Problem):  # where it failed again, it is tried again
                    await self._writer.operate(Resume(game), Resumed)
            with contextlib.suppress(Problem):
                await self._writer.write(self._anchor)


async def measure(room: Room, log: "FilteringBoundLogger") -> None:
    """Look every second whether there is room for more."""
    while True:
        try:
            if await asyncio.to_thread(room.look):
                log.error("full", problem="the databases or a disk have no room for more; see MAX_STORE and MIN_FREE")
        except OSError as error:
            log.warning("room", problem=str(error))
        await asyncio.sleep(LOOK_EVERY)


def _days_before(time: str, days: int) -> str:
    """A time of the log's form, so many days earlier."""
    earlier = datetime.fromisoformat(time) - timedelta(days=days)
    return earlier.isoformat(timespec="milliseconds").replace("+00:00", "Z")
