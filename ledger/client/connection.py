"""A server, over HTTP: what specs/network.md has in its tables, a method each; nothing here judges what comes back."""

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import Any, TypeVar

import httpx
import msgspec

from ledger.client.sse import StreamEvent, read_events
from ledger.errors import AwayError, LedgerError, ServerError
from ledger.lobby import (
    Access,
    AdmitWord,
    Closing,
    Delete,
    Invite,
    LobbySeat,
    Start,
    TableState,
    TableTerms,
    Unseat,
    parse_table,
)
from ledger.lobby.addresses import is_private, server_address
from ledger.lobby.published import Publish, Revoke
from ledger.network.answers import AnswerError, answer, new_client, parts, read_whole
from ledger.network.wire import (
    AdvisedState,
    EventTokens,
    Explained,
    NewEvent,
    NewRoll,
    NewTable,
    OfferedActions,
    OpeningReceived,
    Problem,
    PublishedRolls,
    ReadBody,
    ReadRequest,
    Server,
    Started,
    TakenAct,
    TakenLine,
    Token,
)
from rules.data.text import one_line
from verifier.log.format import UNREADABLE

__all__ = ["Connection"]

_T = TypeVar("_T")

MAX_ANSWER = 1_000_000
"""bytes of an answer, but for lines"""
MAX_LINES = 1_024
"""lines that are taken of one answer"""
MAX_LINES_ANSWER = MAX_LINES * 65_536
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""seconds before a request is repeated"""
FIRST_HEAD_WAIT = 10.0
"""seconds for the head of an answer, however little patience there is"""
HEAD_WAIT, BODY_WAIT, LINES_WAIT = 30.0, 60.0, 300.0
"""seconds until the head of an answer has come, and then its body, and that of an answer with lines"""
SLOWEST = 100_000
"""bytes of a request that are sent in a second, at least"""
LONGEST_PAUSE = 600.0
"""seconds for which a server can ask to be left alone"""
SILENCE = 45.0
"""seconds without a sign of life, after which a stream is opened anew"""
_JSON = {"Content-Type": "application/json"}
_JSONL = {"Content-Type": "application/jsonl"}
_AWAY = frozenset({429, 502, 503, 504})
"""answers after which a request is sent again"""


class Connection:
    """The way to one server. `patience` is for how many seconds a request is repeated (None: for ever).

    Whatever repeats is sent again byte for byte. Every method raises AwayError where no answer came in that time, and
    ServerError with the server's code where it refuses.
    """

    def __init__(
        self,
        address: str,
        token: bytes | None = None,
        *,
        patience: float | None = 30.0,
        language: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """`address` begins with http:// or https://; `transport` takes the place of the network.

        Raises UsageError where the address is none.
        """
        self.address = server_address(address)
        self.token = token
        self.patience = patience
        headers = {"Accept-Language": language} if language else {}
        self._http = new_client(headers, transport=transport)

    @property
    def is_private(self) -> bool:
        """Whether nobody on the way can read along: TLS, or the own machine."""
        return is_private(self.address)

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of all connections."""
        await self._http.aclose()

    # --- tables ----------------------------------------------------------------------------------------------------

    async def server(self) -> Server:
        """What the server is."""
        return await self._value(Server, "GET", "/v1/server")

    async def open_table(self, terms: TableTerms) -> str:
        """Open a table; its id, hex."""
        return (await self._value(NewTable, "POST", "/v1/tables", bytes(terms))).table

    async def table(self, table: bytes) -> TableState:
        """A table as it stands."""
        return parse_table(await self._bytes("GET", f"/v1/tables/{table.hex()}"))

    async def table_changes(self, table: bytes) -> AsyncIterator[TableState]:
        """A table at once, and at each change, for as long as somebody looks. Goes on when the server comes back."""
        wait = FIRST_WAIT
        while True:
            try:
                async with self._stream(f"/v1/tables/{table.hex()}/stream") as events:
                    async for event in events:
                        if event.name == "table":
                            wait = FIRST_WAIT
                            yield parse_table(event.data)
                        elif event.name == "bye":
                            break
            except AwayError:
                pass
            await asyncio.sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
            wait = min(2 * wait, LONGEST_WAIT)

    async def sit(self, table: bytes, seat: LobbySeat) -> None:
        """Take a seat."""
        await self._bytes("POST", f"/v1/tables/{table.hex()}/seats", bytes(seat))

    async def unseat(self, table: bytes, unseat: Unseat) -> None:
        """Take somebody out."""
        await self._bytes("POST", f"/v1/tables/{table.hex()}/unseat", bytes(unseat))

    async def invite(self, table: bytes, invite: Invite) -> None:
        """Put a new link in the place of a role's."""
        await self._bytes("POST", f"/v1/tables/{table.hex()}/invites", bytes(invite))

    async def start(self, table: bytes, start: Start) -> str:
        """Start the game; its id, hex."""
        return (await self._value(Started, "POST", f"/v1/tables/{table.hex()}/start", bytes(start))).game

    async def let_in(self, table: bytes, word: AdmitWord) -> TakenLine:
        """Let in somebody who asks."""
        return await self._value(TakenLine, "POST", f"/v1/tables/{table.hex()}/admit", bytes(word))

    async def close_game(self, table: bytes, closing: Closing) -> TakenLine:
        """Have the keeper close the game."""
        return await self._value(TakenLine, "POST", f"/v1/tables/{table.hex()}/close", bytes(closing))

    async def delete(self, table: bytes, delete: Delete) -> None:
        """Have all deleted that the server has of a table."""
        await self._bytes("POST", f"/v1/tables/{table.hex()}/delete", bytes(delete))

    # --- games -----------------------------------------------------------------------------------------------------

    async def access(self, game: bytes, access: Access) -> bytes:
        """A token for a party, 32 bytes."""
        told = await self._value(Token, "POST", f"/v1/games/{game.hex()}/access", bytes(access))
        return bytes.fromhex(told.token)

    async def lines(self, game: bytes, start: int) -> tuple[list[bytes], int]:
        """Some of the lines from number `start` on, without line feeds, and how many the server has altogether."""
        return await self._lines(f"/v1/games/{game.hex()}/log?from={start}")

    async def _lines(self, path: str) -> tuple[list[bytes], int]:
        response, data = await self._ask("GET", path, lines=True)
        size = _number(response.headers.get("Rollproof-Size"))
        if size is None:
            raise self._odd("it does not say how many lines there are")
        lines = data.removesuffix(b"\n").split(b"\n", MAX_LINES) if data else []
        return lines[:MAX_LINES], size

    async def checkpoint(self, game: bytes) -> bytes:
        """The keeper's latest checkpoint."""
        return await self._bytes("GET", f"/v1/games/{game.hex()}/checkpoint")

    async def offer(self, game: bytes, line: bytes) -> TakenLine:
        """Offer a line."""
        return await self._value(TakenLine, "POST", f"/v1/games/{game.hex()}/lines", line)

    async def hand_in(self, game: bytes, opening: bytes) -> bytes:
        """Hand in an opening, as it travels; the keeper's receipt, as it travels."""
        path = f"/v1/games/{game.hex()}/openings"
        return bytes((await self._value(OpeningReceived, "POST", path, opening)).received)

    async def acknowledge(self, game: bytes, received: bytes) -> None:
        """Hand on a receipt for an opening, as it travels."""
        await self._bytes("POST", f"/v1/games/{game.hex()}/received", received)

    async def catch_up(self, game: bytes, log: bytes) -> None:
        """Give the server the lines that it lacks: a log from its first line on."""
        await self._bytes("POST", f"/v1/games/{game.hex()}/catch-up", log, headers=_JSONL)

    async def state(self, game: bytes, rolls: int = 50) -> AdvisedState:
        """The game as the server's rules have it, with the latest so many rolls: advice."""
        return await self._value(AdvisedState, "GET", f"/v1/games/{game.hex()}/state?rolls={rolls}")

    async def actions(self, game: bytes, party: str) -> OfferedActions:
        """What a party can do now: advice."""
        return await self._value(OfferedActions, "GET", f"/v1/games/{game.hex()}/actions?party={party}")

    async def read(self, game: bytes, asked: ReadRequest) -> ReadBody:
        """The body that was meant by what was typed: advice. ServerError `notation` says what is wrong with it."""
        return await self._value(ReadBody, "POST", f"/v1/games/{game.hex()}/read", msgspec.json.encode(asked))

    async def explain(self, game: bytes, roll: int) -> Explained:
        """How the dice of a roll came to what they came to: advice."""
        return await self._value(Explained, "GET", f"/v1/games/{game.hex()}/explain?roll={roll}")

    async def publish(self, publish: Publish) -> str:
        """Have one roll shown; the id of its link."""
        return (await self._value(NewRoll, "POST", f"/v1/games/{publish.game}/rolls", bytes(publish))).roll

    async def published(self, game: bytes) -> PublishedRolls:
        """The rolls of a game that are shown: the server's word."""
        return await self._value(PublishedRolls, "GET", f"/v1/games/{game.hex()}/rolls")

    async def revoke(self, revoke: Revoke) -> None:
        """End the link to a roll."""
        await self._bytes("POST", f"/v1/rolls/{revoke.roll}/revoke", bytes(revoke))

    def stream(self, game: bytes, start: int) -> AbstractAsyncContextManager[AsyncIterator[StreamEvent]]:
        """The live stream, of which the first line is that with the number `start`.

        Entering it, and reading, raise AwayError where the server cannot be reached (any more): open it anew then.
        """
        return self._stream(f"/v1/games/{game.hex()}/stream?from={start}")

    # --- events ----------------------------------------------------------------------------------------------------

    async def begin_event(self, act: bytes) -> bytes:
        """Begin an event by its `open`, as it travels; the event's id."""
        return bytes.fromhex((await self._value(NewEvent, "POST", "/v1/events", act)).event)

    async def event_lines(self, event: bytes, start: int) -> tuple[list[bytes], int]:
        """As `lines`, of an event."""
        return await self._lines(f"/v1/events/{event.hex()}/log?from={start}")

    def event_stream(self, event: bytes, start: int) -> AbstractAsyncContextManager[AsyncIterator[StreamEvent]]:
        """As `stream`, of an event."""
        return self._stream(f"/v1/events/{event.hex()}/stream?from={start}")

    async def offer_act(self, event: bytes, act: bytes) -> int:
        """Offer an act, as it travels; the number of its line."""
        return (await self._value(TakenAct, "POST", f"/v1/events/{event.hex()}/acts", act)).seq

    async def event_access(self, event: bytes, access: Access) -> bytes:
        """A token for staff, or a player who has checked in, 32 bytes."""
        told = await self._value(Token, "POST", f"/v1/events/{event.hex()}/access", bytes(access))
        return bytes.fromhex(told.token)

    async def let_read(self, event: bytes, tokens: EventTokens) -> None:
        """As an organizer: let the holders of tokens read."""
        await self._bytes("POST", f"/v1/events/{event.hex()}/tokens", msgspec.json.encode(tokens))

    async def keep_names(self, event: bytes, names: bytes) -> None:
        """As an organizer: have the server keep a names file, in the place of the one before."""
        await self._bytes("POST", f"/v1/events/{event.hex()}/names", names)

    async def names(self, event: bytes) -> bytes:
        """The names file of an event."""
        return await self._bytes("GET", f"/v1/events/{event.hex()}/names")

    # --- beneath ---------------------------------------------------------------------------------------------------

    async def _value(self, kind: type[_T], method: str, path: str, body: bytes | None = None) -> _T:
        try:
            return msgspec.json.decode(await self._bytes(method, path, body), type=kind)
        except UNREADABLE as error:
            raise self._odd(one_line(str(error))) from None

    async def _bytes(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> bytes:
        return (await self._ask(method, path, body, headers=headers))[1]

    async def _ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        headers: dict[str, str] | None = None,
        lines: bool = False,
    ) -> tuple[httpx.Response, bytes]:
        """An answer of 200 or 201; repeated where specs/network.md says so, as long as there is patience."""
        pause, begun = FIRST_WAIT, time.monotonic()
        most, wait = (MAX_LINES_ANSWER, LINES_WAIT) if lines else (MAX_ANSWER, BODY_WAIT)
        headers = self._headers({} if body is None else headers or _JSON)
        while True:
            after: float | None = None
            try:
                async with self._answered(method, path, body, headers) as response:
                    data = await read_whole(response, most, wait)
                if response.status_code in (200, 201):
                    return response, data
                error: LedgerError = self._refused(response, data)
                if response.status_code not in _AWAY or (isinstance(error, ServerError) and error.is_final):
                    raise error
                after = _number(response.headers.get("Retry-After"))
            except AnswerError as problem:
                raise self._odd(str(problem)) from None
            except (httpx.HTTPError, TimeoutError) as problem:
                error = self._away(problem)
            slept = max(min(after or 0.0, LONGEST_PAUSE), pause * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
            if self.patience is not None and time.monotonic() + slept > begun + self.patience:
                raise error if isinstance(error, AwayError) else AwayError(f"{self.address}: {error}")
            await asyncio.sleep(slept)
            pause = min(2 * pause, LONGEST_WAIT)

    def _answered(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str], silence: float = HEAD_WAIT
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """An answer whose head has come. Whoever has little patience waits less for it."""
        wait = HEAD_WAIT if self.patience is None else min(HEAD_WAIT, max(FIRST_HEAD_WAIT, self.patience))
        wait += len(body or b"") / SLOWEST
        return answer(self._http, method, self.address + path, body, headers, wait=wait, silence=silence)

    @asynccontextmanager
    async def _stream(self, path: str) -> AsyncIterator[AsyncIterator[StreamEvent]]:
        headers = self._headers({"Accept": "text/event-stream"})
        try:
            async with self._answered("GET", path, None, headers, SILENCE) as response:
                if response.status_code != 200:
                    error = self._refused(response, await read_whole(response, MAX_ANSWER, BODY_WAIT))
                    if response.status_code in _AWAY and not (isinstance(error, ServerError) and error.is_final):
                        raise AwayError(f"{self.address}: {error}")
                    raise error
                yield read_events(parts(response))
        except AnswerError as problem:
            raise self._odd(str(problem)) from None
        except (httpx.HTTPError, TimeoutError) as problem:
            raise self._away(problem) from None

    def _headers(self, others: dict[str, str]) -> dict[str, str]:
        return others if self.token is None else {**others, "Authorization": f"Bearer {self.token.hex()}"}

    def _refused(self, response: httpx.Response, data: bytes) -> LedgerError:
        try:
            problem = msgspec.json.decode(data, type=Problem)
        except UNREADABLE:
            return self._odd(f"status {response.status_code}")
        extra: dict[str, Any] = {
            name: value for name in ("size", "head") if isinstance(value := getattr(problem, name), int | str)
        }
        clause = one_line(problem.clause) if isinstance(problem.clause, str) else None
        return ServerError(one_line(problem.detail), one_line(problem.code), clause, response.status_code, **extra)

    def _odd(self, what: str) -> LedgerError:
        return AwayError(f"{self.address} gave an answer that is none of this protocol: {what}")

    def _away(self, problem: Exception) -> AwayError:
        if isinstance(problem, TimeoutError | httpx.ReadTimeout):
            return AwayError(f"{self.address} gave no whole answer in the time that it has for one")
        return AwayError(f"{self.address} cannot be reached: {one_line(str(problem) or type(problem).__name__)}")


def _number(text: str | None) -> int | None:
    """A number of a header, of ten digits at most."""
    return int(text) if text is not None and re.fullmatch("[0-9]{1,10}", text) else None
