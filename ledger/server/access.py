"""Access to tables, games and events by their tokens (specs/network.md). For the event loop only.

A token is looked up beside the loop, and what was found is known for a second: so nobody who plays waits for a database
that answers slowly.
"""

import asyncio
import re
import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from ledger import lobby
from ledger.errors import LedgerError, UsageError
from ledger.lobby import LobbyError
from ledger.network.bearer import token_in
from ledger.server.event_tokens import EventTokenStore
from ledger.server.limits import Caller, Limits
from ledger.server.lookups import Lookups
from ledger.server.problems import Problem, not_found, problem_of, table_deleted
from ledger.server.tables import AccessRow, Tables
from ledger.server.turns import Turns
from ledger.store.ledger import Ledger
from verifier import Replay, VerifierKey

__all__ = ["TokenAccess"]

T = TypeVar("T")

KNOWN_FOR = 1.0
"""seconds for which what a token opens is known: another process may delete the table, or end the token"""

KNOWN = 20_000
"""tokens of which that is known"""

_OF_EVENT = re.compile(r"/v1/(?P<kind>events|games)/(?P<id>[0-9a-f]{64})(?:/|\Z)")


class _Known(NamedTuple):
    """The result of a lookup, and how long it holds."""

    until: float
    changes: tuple[int, int]
    """how often this process had changed what tokens open, before it was looked up"""
    found: Any


class TokenAccess:
    """Find what tokens open."""

    def __init__(
        self,
        tables: Tables,
        ledger: Ledger,
        turns: Turns,
        lookups: Lookups,
        limits: Limits,
        clock: Callable[[], str],
        of_events: EventTokenStore | None,
    ) -> None:
        """`of_events` are the tokens of events; None: there are no events. `turns` run the lookups of games."""
        self._tables = tables
        self._ledger = ledger
        self._turns = turns
        self._lookups = lookups
        self._limits = limits
        self._now = clock
        self._of_events = of_events
        self._known: dict[tuple[str, str, bytes | None], _Known] = {}

    async def open_table(self, network: str, table: str, token: bytes | None) -> str | None:
        """Return the party that reads a table, if a signature proved it; the token opens the table. Raises Problem."""

        def look() -> AccessRow | None:
            row = self._tables.get(table)
            if row is None or row.deleted:
                return None if row is None else AccessRow(None, deleted=True)
            return self._tables.opens_table(table, token)

        return _party(await self._lookups.ask(network, look))

    async def open_game(self, network: str, game: str, token: bytes | None) -> str | None:
        """Return the party that reads a game, if a signature proved it; the token opens the game. Raises Problem."""

        def look() -> tuple[AccessRow | None, bool]:
            access = self._tables.opens_game(game, token)
            if access is None and self._of_events is not None and self._of_events.opens_game(game, token):
                access = AccessRow(None)
            return access, access is not None and not access.deleted

        return _party(await self._find(network, ("game", game, token), look))

    async def open_event(self, network: str, event: str, token: bytes | None) -> str | None:
        """Return the holder of an event's token; None if it opens nothing of the event. Raises Problem."""
        tokens = self._of_events
        if token is None or tokens is None:
            return None
        return await self._find(network, ("event", event, token), lambda: (tokens.opens(event, token), True))

    async def holder(self, network: str, path: str, authorization: str) -> str | None:
        """Return the holder of a request's event token, for whom the request is counted; None without a token."""
        tokens = self._of_events
        found, token = _OF_EVENT.match(path), token_in(authorization)
        if found is None or token is None or tokens is None:
            return None
        topic, of_event = found["id"], found["kind"] == "events"

        def look() -> tuple[str | None, bool]:
            if of_event:
                party, event = tokens.opens(topic, token), topic
            else:
                party, event = tokens.opens_game(topic, token) or (None, tokens.event_of(topic) or "")
                if party is None and event:
                    access = self._tables.opens_game(topic, token)
                    party = None if access is None else access.party
            holder = None if party is None else f"{event} {party}"
            return holder, of_event or holder is not None or not event

        try:
            return await self._find(network, (f"holder of {found['kind']}", topic, token), look)
        except (LedgerError, Problem):
            return None

    async def grant(self, caller: Caller, game: bytes, body: bytes) -> str:
        """Return a token for a party of a game, which signed for it; hex. Raises Problem."""
        try:
            access = lobby.parse_access(body)
            view = await self._turns.ask(caller, lambda: self._ledger.view(game))
            lobby.check_access(_keys_now(view.replay), game, access, self._now())
        except LobbyError as error:
            raise problem_of(error) from None
        except UsageError:
            raise not_found() from None
        token = secrets.token_bytes(32)
        await asyncio.to_thread(self._tables.grant, game.hex(), access.party, token, self._limits.access)
        return token.hex()

    async def _find(self, network: str, key: tuple[str, str, bytes | None], look: Callable[[], tuple[T, bool]]) -> T:
        """Return what is known of a token, else what `look` finds, in a thread; it says whether that is kept."""
        changes, known = self._changes(), self._known.get(key)
        if known is not None and known.changes == changes and time.monotonic() < known.until:
            held: T = known.found
            return held

        def timed() -> tuple[float, tuple[T, bool]]:
            return time.monotonic(), look()

        began, (found, kept) = await self._lookups.ask(network, timed)
        if kept:
            if len(self._known) >= KNOWN:
                self._known.clear()
            self._known[key] = _Known(began + KNOWN_FOR, changes, found)
        return found

    def _changes(self) -> tuple[int, int]:
        return self._tables.changes, 0 if self._of_events is None else self._of_events.changes


def _keys_now(replay: Replay) -> list[VerifierKey]:
    """Return the keys of a game's parties, and those that wait to take a party's place."""
    asked = (VerifierKey.parse(each.key) for each in replay.session.parties.asked.values())
    return [*replay.terms.keys.values(), *asked]


def _party(access: AccessRow | None) -> str | None:
    """Return the party that an access is of. Raises Problem."""
    if access is None:
        raise not_found()
    if access.deleted:
        raise table_deleted()
    return access.party
