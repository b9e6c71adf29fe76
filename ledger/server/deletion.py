"""Delete tables with their games: when the host says so, or when they expire (specs/network.md)."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from ledger import lobby
from ledger.keeper.host import Host
from ledger.lobby import LobbyError
from ledger.server.advice import Advice
from ledger.server.duties import find_expired
from ledger.server.hub import Hub
from ledger.server.problems import problem_of
from ledger.server.public_games import PublicFolder
from ledger.server.published import PublishedStore
from ledger.server.table_states import TableStates
from ledger.server.tables import TableRow, Tables
from ledger.server.writer import Writer
from ledger.transparency.anchors import Anchors

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["Deletion"]


class Deletion:
    """Deletes tables and games wherever the server has something of them."""

    def __init__(
        self,
        host: Host,
        tables: Tables,
        states: TableStates,
        published: PublishedStore,
        anchors: Anchors,
        advice: Advice,
        public: PublicFolder | None,
        writer: Writer,
        hub: Hub,
        log: "FilteringBoundLogger",
        clock: Callable[[], str],
        keep_days: int | None,
    ) -> None:
        """`keep_days` is how many days closed games stay, None: for ever."""
        self._host = host
        self._tables = tables
        self._states = states
        self._published = published
        self._anchors = anchors
        self._advice = advice
        self._public = public
        self._writer = writer
        self._hub = hub
        self._log = log
        self._now = clock
        self._keep_days = keep_days

    async def delete(self, table: str, body: bytes) -> None:
        """Keep nothing of a table and its game but their ids. Raises Problem."""
        row = await asyncio.to_thread(self._states.row, table)
        try:
            lobby.check_delete(lobby.parse_terms(row.terms.encode()), lobby.parse_delete(body))
        except LobbyError as error:
            raise problem_of(error) from None
        await self._writer.write(lambda: self._delete(row))

    def _delete(self, row: TableRow) -> None:
        """In the writer's thread. The table first: from then on nobody reads, whatever crashes."""
        self._tables.delete(row.id)
        if row.game is not None:
            self._host.ledger.delete(bytes.fromhex(row.game))
            self._published.forget(row.game)
            self._anchors.forget(row.game)
            self._advice.forget(bytes.fromhex(row.game))
        for topic in (row.id, row.game):
            if topic is not None:
                self._writer.soon(self._hub.end, bytes.fromhex(topic))
        if self._public is not None:
            self._writer.soon(self._public.changed)
        self._log.info("deleted", table=row.id[:12])

    def expire(self) -> None:
        """In the writer's thread: delete what has stayed for as long as it may."""
        for row in find_expired(self._host, self._tables, self._now(), self._keep_days):
            self._delete(row)
