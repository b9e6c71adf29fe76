"""The state of a table: terms, seats, links, start, and connected parties (specs/network.md, "The table")."""

import asyncio
from contextlib import suppress

from ledger import lobby
from ledger.errors import LedgerError
from ledger.lobby import TableState
from ledger.server.hub import Hub
from ledger.server.lookups import Lookups
from ledger.server.problems import Problem, not_found
from ledger.server.sse import event
from ledger.server.tables import TableRow, Tables
from ledger.server.writer import Writer

__all__ = ["TableStates"]


class TableStates:
    """Shows tables to those who ask, and to their readers when they change."""

    def __init__(self, tables: Tables, hub: Hub, lookups: Lookups, writer: Writer) -> None:
        self._tables = tables
        self._hub = hub
        self._lookups = lookups
        self._writer = writer
        self._telling = set[asyncio.Task[None]]()

    async def look(self, network: str, table: str) -> TableState:
        """Return the current state of a table, for the event loop. Raises Problem."""
        return await self._lookups.ask(network, lambda: self.of(table))

    def row(self, table: str) -> TableRow:
        """Return what is stored of a table that was not deleted; in a thread. Raises Problem."""
        row = self._tables.get(table)
        if row is None or row.deleted:
            raise not_found()
        return row

    def of(self, table: str) -> TableState:
        """Return the current state of a table; in a thread. Raises Problem."""
        row = self.row(table)
        here = set(self._hub.here(bytes.fromhex(table)))
        if row.game is not None:
            here.update(self._hub.here(bytes.fromhex(row.game)))
        return TableState(
            game=row.game,
            here=tuple(sorted(here)),
            invites=tuple(lobby.parse_invite(invite.encode()) for invite in self._tables.invites(table)),
            seats=tuple(lobby.parse_seat(seat.encode()) for seat in self._tables.seats(table)),
            start=None if row.start is None else lobby.parse_start(row.start.encode()),
            terms=row.terms,
        )

    def tell(self, table: str) -> None:
        """Send the current state to the readers of a table; in the writer's thread, so that states keep their order."""
        topic = bytes.fromhex(table)
        if self._hub.readers(topic):
            with suppress(LedgerError, Problem):  # readers who come again see it
                self._writer.soon(self._hub.publish, topic, [event("table", self.of(table))])

    def tell_soon(self, table: str) -> None:
        """As `tell`, for the event loop, beside what is answered."""
        telling = asyncio.get_running_loop().create_task(self._tell_later(table))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def _tell_later(self, table: str) -> None:
        with suppress(Problem):  # the server is about to stop, and its readers come again
            await self._writer.write(lambda: self.tell(table))
