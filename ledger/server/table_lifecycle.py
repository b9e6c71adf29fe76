"""Take a table, begin its game, and close it (specs/network.md, "The table")."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from ledger import lobby
from ledger.keeper.host import Host
from ledger.keeper.operations import Acceptance, CloseGame, OpenGame
from ledger.lobby import LobbyError
from ledger.server.metrics import Metrics
from ledger.server.news import NewsDelivery
from ledger.server.problems import Problem, problem_of, problem_of_outcome, table_deleted
from ledger.server.room import Room
from ledger.server.table_states import TableStates
from ledger.server.tables import Tables
from ledger.server.webhook import Webhook
from ledger.server.writer import Writer, answer_of
from rules.data.language import Message
from verifier import VerifierKey

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["TableLifecycle"]


class TableLifecycle:
    """Takes tables, and begins and closes their games. Methods are for the event loop, but those that say otherwise."""

    def __init__(
        self,
        host: Host,
        keeper: VerifierKey,
        tables: Tables,
        states: TableStates,
        writer: Writer,
        news: NewsDelivery,
        room: Room,
        metrics: Metrics,
        log: "FilteringBoundLogger",
        clock: Callable[[], str],
        webhook: Webhook | None,
        public: str | None,
    ) -> None:
        """`public` is the address at which everybody can read closed games; None: nowhere."""
        self._host = host
        self._keeper = keeper
        self._judge = None if host.judge is None else host.judge.key
        self._tables = tables
        self._states = states
        self._writer = writer
        self._news = news
        self._room = room
        self._metrics = metrics
        self._log = log
        self._now = clock
        self._webhook = webhook
        self._public = public

    async def add(self, body: bytes, admit: Callable[[], None]) -> tuple[bool, str]:
        """Open a table; whether it is new, and its id. `admit` is asked before one more is kept. Raises Problem."""
        self._room.check()
        try:
            terms = lobby.parse_terms(body)
            posts = None if self._webhook is None or not self._webhook.takes(terms) else self._webhook.name
            lobby.check_terms(terms, self._keeper, self._now(), self._judge, posts, self._public)
        except LobbyError as error:
            raise problem_of(error) from None
        table, digests = terms.id.hex(), [invitation.token for invitation in terms.invitations]
        known = await asyncio.to_thread(self._tables.get, table)
        if known is not None and known.deleted:
            raise table_deleted()
        if known is None:
            admit()
        new = await asyncio.to_thread(self._tables.add, table, body.decode(), digests)
        if new:
            self._metrics.table()
            self._log.info("table", table=table[:12], system=terms.system)
        return new, table

    async def start(self, table: str, body: bytes) -> tuple[bool, str]:
        """Begin the game; whether it is new, and its id. Raises Problem."""
        return await self._writer.write(lambda: self._start(table, body))

    def _start(self, table: str, body: bytes) -> tuple[bool, str]:
        """In the writer's thread."""
        state = self._states.of(table)
        try:
            start = lobby.parse_start(body)
            terms = lobby.parse_terms(state.terms.encode())
            lobby.check_start(terms, state.seats, start, state.invites)
        except LobbyError as error:
            raise problem_of(error) from None
        if state.start is not None:
            if state.start != start or state.game is None:
                raise Problem(409, "table.started", Message("the game has begun with another start"))
            return False, state.game
        self._room.check()
        processed = self._host.process([OpenGame(lobby.agreed_open(terms, start))])
        outcome = processed.outcomes[0]
        if not isinstance(outcome, Acceptance):
            raise problem_of_outcome(outcome)
        # If the server dies here, nobody knows of the game, and the host's next start makes another.
        game = outcome.receipt.game
        if not self._tables.start(table, body.decode(), game):  # another process was faster: its game is the table's
            self._host.ledger.delete(bytes.fromhex(game))
            return self._start(table, body)
        self._writer.soon(self._news.publish, processed.news)
        self._states.tell(table)
        self._log.info("game", table=table[:12], game=game[:12])
        return True, game

    async def close(self, table: str, body: bytes) -> tuple[bool, int, bytes]:
        """Have the keeper close a table's game; as `GamePosts.offer`, of its `close`. Raises Problem."""
        row = await asyncio.to_thread(self._states.row, table)
        if row.game is None:
            raise Problem(409, "table.started", Message("the game of this table has not begun"))
        try:
            terms = lobby.parse_terms(row.terms.encode())
            lobby.check_closing(terms, bytes.fromhex(row.game), lobby.parse_closing(body))
        except LobbyError as error:
            raise problem_of(error) from None
        return answer_of(await self._writer.operate(CloseGame(bytes.fromhex(row.game)), Acceptance))
