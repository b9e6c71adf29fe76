"""A table as it stands: terms, seats, links, start, and who is here (specs/network.md, "The table")."""

from ledger import lobby
from ledger.lobby import TableState
from ledger.server.hub import Hub
from ledger.server.problems import not_found
from ledger.server.sse import event
from ledger.server.tables import TableRow, Tables

__all__ = ["TableStates"]


class TableStates:
    """Shows tables to those who ask, and to their readers when they change."""

    def __init__(self, tables: Tables, hub: Hub) -> None:
        self._tables = tables
        self._hub = hub

    def row(self, table: str) -> TableRow:
        """Return what is stored of a table that was not deleted. Raises Problem."""
        row = self._tables.get(table)
        if row is None or row.deleted:
            raise not_found()
        return row

    def of(self, table: str) -> TableState:
        """Return the current state of a table. Raises Problem."""
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
        """Send the current state to the readers of a table; for the event loop."""
        topic = bytes.fromhex(table)
        if self._hub.readers(topic):
            self._hub.publish(topic, [event("table", self.of(table))])
