"""Access to tables and games by a token, which links and signatures give (specs/network.md, "Access")."""

import asyncio
import contextlib
import re
import secrets
from collections.abc import Callable

from ledger import lobby
from ledger.errors import LedgerError, UsageError
from ledger.lobby import LobbyError
from ledger.server.event_tokens import EventTokenStore
from ledger.server.limits import Caller, Limits
from ledger.server.problems import not_found, problem_of, table_deleted
from ledger.server.tables import Tables
from ledger.server.turns import Turns
from ledger.store.ledger import Ledger

__all__ = ["TokenAccess"]

_OF_EVENT = re.compile(r"/v1/(?P<kind>events|games)/(?P<id>[0-9a-f]{64})(?:/|\Z)")
_BEARER = re.compile(r"Bearer ([0-9a-f]{64})\Z", re.IGNORECASE)


class TokenAccess:
    """Decides what a token opens. All methods are for the event loop."""

    def __init__(
        self,
        tables: Tables,
        ledger: Ledger,
        turns: Turns,
        limits: Limits,
        clock: Callable[[], str],
        of_events: EventTokenStore | None,
    ) -> None:
        """`of_events` are the tokens of events; None: there are no events. `turns` run the lookups of games."""
        self._tables = tables
        self._ledger = ledger
        self._turns = turns
        self._limits = limits
        self._now = clock
        self._of_events = of_events

    def open_table(self, table: str, token: bytes | None) -> str | None:
        """The party that reads a table, where a signature said so; the token opens the table. Raises Problem."""
        row = self._tables.get(table)
        if row is not None and row.deleted:
            raise table_deleted()
        access = None if row is None else self._tables.opens_table(table, token)
        if access is None:
            raise not_found()
        return access.party

    def open_game(self, game: str, token: bytes | None) -> str | None:
        """The party that reads a game, where a signature said so; the token opens the game. Raises Problem."""
        access = self._tables.opens_game(game, token)
        if access is None and self._of_events is not None and self._of_events.opens_game(game, token) is not None:
            return None
        if access is None:
            raise not_found()
        if access.deleted:
            raise table_deleted()
        return access.party

    def holder(self, path: str, authorization: str) -> str | None:
        """Return the holder of a request's event token, for whom the request is counted; None without a token."""
        found = _OF_EVENT.match(path) if self._of_events is not None else None
        token = _BEARER.match(authorization)
        if found is None or token is None or self._of_events is None:
            return None
        topic, secret = found["id"], bytes.fromhex(token[1].lower())
        tokens, party = self._of_events, None
        with contextlib.suppress(LedgerError):
            if found["kind"] == "events":
                event, party = topic, tokens.opens(topic, secret)
            elif (of_game := tokens.opens_game(topic, secret)) is not None:
                party, event = of_game
            else:
                event = tokens.event_of(topic) or ""
                access = self._tables.opens_game(topic, secret) if event else None
                party = None if access is None else access.party
        return None if party is None else f"{event} {party}"

    async def grant(self, caller: Caller, game: bytes, body: bytes) -> str:
        """A token for a party of a game, which signed for it; hex. Raises Problem."""
        try:
            access = lobby.parse_access(body)
            view = await self._turns.ask(caller, lambda: self._ledger.view(game))
            keys = view.replay.terms.keys
            lobby.check_access(keys, game, access, self._now())
        except LobbyError as error:
            raise problem_of(error) from None
        except UsageError:
            raise not_found() from None
        token = secrets.token_bytes(32)
        await asyncio.to_thread(self._tables.grant, game.hex(), access.party, token, self._limits.access)
        return token.hex()
