"""Requests to a server: one method for each path of specs/network.md. The answers are parsed, not judged."""

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import IO, Any, TypeVar

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
    ReplaceWish,
    Start,
    TableState,
    TableTerms,
    Unseat,
    parse_table,
)
from ledger.lobby.addresses import is_private, server_address
from ledger.lobby.published import Publish, Revoke
from ledger.network.answers import AnswerError, answer, new_client, parts, read_into, read_whole
from ledger.network.bearer import authorization_of
from ledger.network.wire import (
    AdvisedState,
    EventTokens,
    EventWaiting,
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
from rules.data.jsontext import UNREADABLE
from rules.data.text import one_line

__all__ = ["Connection"]

_T = TypeVar("_T")

MAX_ANSWER = 1_000_000
"""bytes of an answer, except lines"""
MAX_LINES = 1_024
"""lines that one answer may have"""
MAX_LINES_ANSWER = MAX_LINES * 65_536
MAX_BUNDLE = 1_000_000_000
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""seconds before a request is repeated: the first and the longest wait"""
FIRST_HEAD_WAIT = 10.0
"""least seconds that the head of an answer is waited for"""
HEAD_WAIT, BODY_WAIT, LINES_WAIT, BUNDLE_WAIT = 30.0, 60.0, 300.0, 3_600.0
"""seconds for the head of an answer, then for its body, or for a body of lines, or for a bundle"""
SLOWEST = 100_000
"""least bytes of a request that are sent in a second"""
LONGEST_PAUSE = 600.0
"""most seconds that a server can ask a client to pause"""
SILENCE = 45.0
"""seconds without a byte after which a stream is opened anew"""
_JSON = {"Content-Type": "application/json"}
_JSONL = {"Content-Type": "application/jsonl"}
_AWAY = frozenset({429, 502, 503, 504})
"""statuses after which a request is sent again"""


class Connection:
    """A connection to one server. A request is repeated, byte for byte, for `patience` seconds (None: for ever).

    Every method raises AwayError if no answer came in that time, and ServerError with the server's code if the server
    refuses.
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
        """`address` begins with http:// or https://; `transport` replaces the network in tests.

        Raises UsageError for another address.
        """
        self.address = server_address(address)
        self.token = token
        self.patience = patience
        headers = {"Accept-Language": language} if language else {}
        self._http = new_client(headers, transport=transport)

    @property
    def is_private(self) -> bool:
        """True if nobody on the way can read along: the connection uses TLS, or stays on this machine."""
        return is_private(self.address)

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    # --- tables ----------------------------------------------------------------------------------------------------

    async def server(self) -> Server:
        """Return the server's description of itself."""
        return await self._value(Server, "GET", "/v1/server")

    async def open_table(self, terms: TableTerms) -> str:
        """Open a table; return its id (hex)."""
        return (await self._value(NewTable, "POST", "/v1/tables", bytes(terms))).table

    async def table(self, table: bytes) -> TableState:
        """Return the current state of a table."""
        return parse_table(await self._bytes("GET", f"/v1/tables/{table.hex()}"))

    async def table_changes(self, table: bytes) -> AsyncIterator[TableState]:
        """Yield a table now and after each change. Reconnects when the server was away."""
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
        """Remove a seat, as the host."""
        await self._bytes("POST", f"/v1/tables/{table.hex()}/unseat", bytes(unseat))

    async def invite(self, table: bytes, invite: Invite) -> None:
        """Replace the link of a role."""
        await self._bytes("POST", f"/v1/tables/{table.hex()}/invites", bytes(invite))

    async def start(self, table: bytes, start: Start) -> str:
        """Start the game; return its id (hex)."""
        return (await self._value(Started, "POST", f"/v1/tables/{table.hex()}/start", bytes(start))).game

    async def let_in(self, table: bytes, word: AdmitWord) -> TakenLine:
        """Admit a person who asks to join."""
        return await self._value(TakenLine, "POST", f"/v1/tables/{table.hex()}/admit", bytes(word))

    async def replace(self, table: bytes, wish: ReplaceWish) -> TakenLine:
        """Wish that somebody who asks go on under a new key."""
        return await self._value(TakenLine, "POST", f"/v1/tables/{table.hex()}/replace", bytes(wish))

    async def close_game(self, table: bytes, closing: Closing) -> TakenLine:
        """Have the keeper close the game."""
        return await self._value(TakenLine, "POST", f"/v1/tables/{table.hex()}/close", bytes(closing))

    async def delete(self, table: bytes, delete: Delete) -> None:
        """Have the server delete all it has of a table."""
        await self._bytes("POST", f"/v1/tables/{table.hex()}/delete", bytes(delete))

    # --- games -----------------------------------------------------------------------------------------------------

    async def access(self, game: bytes, access: Access) -> bytes:
        """Return a token for a party (32 bytes)."""
        told = await self._value(Token, "POST", f"/v1/games/{game.hex()}/access", bytes(access))
        return bytes.fromhex(told.token)

    async def lines(self, game: bytes, start: int) -> tuple[list[bytes], int]:
        """Return some lines from number `start` on, without line feeds, and the number of all lines at the server."""
        return await self._lines(f"/v1/games/{game.hex()}/log?from={start}")

    async def _lines(self, path: str) -> tuple[list[bytes], int]:
        response, data = await self._ask("GET", path, most=MAX_LINES_ANSWER, wait=LINES_WAIT)
        size = _number(response.headers.get("Rollproof-Size"))
        if size is None:
            raise self._odd("it does not say how many lines there are")
        lines = data.removesuffix(b"\n").split(b"\n", MAX_LINES) if data else []
        return lines[:MAX_LINES], size

    async def checkpoint(self, game: bytes) -> bytes:
        """Return the keeper's latest checkpoint, a signed note."""
        return await self._bytes("GET", f"/v1/games/{game.hex()}/checkpoint")

    async def offer(self, game: bytes, line: bytes) -> TakenLine:
        """Offer a line to the keeper."""
        return await self._value(TakenLine, "POST", f"/v1/games/{game.hex()}/lines", line)

    async def hand_in(self, game: bytes, opening: bytes) -> bytes:
        """Hand in an encoded opening; return the keeper's encoded receipt."""
        path = f"/v1/games/{game.hex()}/openings"
        return bytes((await self._value(OpeningReceived, "POST", path, opening)).received)

    async def acknowledge(self, game: bytes, received: bytes) -> None:
        """Send an encoded receipt for an opening."""
        await self._bytes("POST", f"/v1/games/{game.hex()}/received", received)

    async def catch_up(self, game: bytes, log: bytes) -> None:
        """Send the whole log to a server that lacks its end."""
        await self._bytes("POST", f"/v1/games/{game.hex()}/catch-up", log, headers=_JSONL)

    async def state(self, game: bytes, rolls: int = 50) -> AdvisedState:
        """Return the state of the game with its latest `rolls` rolls, by the server's rules: advice, not proof."""
        return await self._value(AdvisedState, "GET", f"/v1/games/{game.hex()}/state?rolls={rolls}")

    async def actions(self, game: bytes, party: str) -> OfferedActions:
        """Return what a party can do now: advice."""
        return await self._value(OfferedActions, "GET", f"/v1/games/{game.hex()}/actions?party={party}")

    async def read(self, game: bytes, asked: ReadRequest) -> ReadBody:
        """Return the body that typed text means: advice. ServerError `notation` says what is wrong with the text."""
        return await self._value(ReadBody, "POST", f"/v1/games/{game.hex()}/read", msgspec.json.encode(asked))

    async def explain(self, game: bytes, roll: int) -> Explained:
        """Return the steps from a roll's naturals to its outcome: advice."""
        return await self._value(Explained, "GET", f"/v1/games/{game.hex()}/explain?roll={roll}")

    async def publish(self, publish: Publish) -> str:
        """Publish one roll; return the id of its link."""
        return (await self._value(NewRoll, "POST", f"/v1/games/{publish.game}/rolls", bytes(publish))).roll

    async def published(self, game: bytes) -> PublishedRolls:
        """Return the published rolls of a game, as the server lists them."""
        return await self._value(PublishedRolls, "GET", f"/v1/games/{game.hex()}/rolls")

    async def revoke(self, revoke: Revoke) -> None:
        """End the link to a roll."""
        await self._bytes("POST", f"/v1/rolls/{revoke.roll}/revoke", bytes(revoke))

    def stream(self, game: bytes, start: int) -> AbstractAsyncContextManager[AsyncIterator[StreamEvent]]:
        """Return the live stream of a game, which begins with line `start`.

        Entering and reading it raise AwayError if the server cannot be reached; then open a new one.
        """
        return self._stream(f"/v1/games/{game.hex()}/stream?from={start}")

    # --- events ----------------------------------------------------------------------------------------------------

    async def begin_event(self, act: bytes) -> bytes:
        """Begin an event by its encoded `open` act; return the event's id."""
        return bytes.fromhex((await self._value(NewEvent, "POST", "/v1/events", act)).event)

    async def event_lines(self, event: bytes, start: int) -> tuple[list[bytes], int]:
        """Return lines of an event, as `lines` does of a game."""
        return await self._lines(f"/v1/events/{event.hex()}/log?from={start}")

    def event_stream(self, event: bytes, start: int) -> AbstractAsyncContextManager[AsyncIterator[StreamEvent]]:
        """Return the live stream of an event, as `stream` does of a game."""
        return self._stream(f"/v1/events/{event.hex()}/stream?from={start}")

    async def offer_act(self, event: bytes, act: bytes) -> int:
        """Offer an encoded act; return the number of its line."""
        return (await self._value(TakenAct, "POST", f"/v1/events/{event.hex()}/acts", act)).seq

    async def event_access(self, event: bytes, access: Access) -> bytes:
        """Return a token (32 bytes) for staff, or for a player who has checked in."""
        told = await self._value(Token, "POST", f"/v1/events/{event.hex()}/access", bytes(access))
        return bytes.fromhex(told.token)

    async def let_read(self, event: bytes, tokens: EventTokens) -> None:
        """Let the holders of tokens read the event, as an organizer."""
        await self._bytes("POST", f"/v1/events/{event.hex()}/tokens", msgspec.json.encode(tokens))

    async def keep_names(self, event: bytes, names: bytes) -> None:
        """Replace the names file that the server keeps, as an organizer."""
        await self._bytes("POST", f"/v1/events/{event.hex()}/names", names)

    async def event_waiting(self, event: bytes) -> EventWaiting:
        """Return the tables of an event at which players are missing, or whose roll waits."""
        return await self._value(EventWaiting, "GET", f"/v1/events/{event.hex()}/waiting")

    async def event_bundle(self, event: bytes, out: IO[bytes]) -> None:
        """Write the bundle of an event to a file, as it comes."""
        path = f"/v1/events/{event.hex()}/bundle"
        await self._ask("GET", path, most=MAX_BUNDLE, wait=BUNDLE_WAIT, out=out)

    async def names(self, event: bytes) -> bytes:
        """Return the names file of an event."""
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
        most: int | None = None,
        wait: float | None = None,
        out: IO[bytes] | None = None,
    ) -> tuple[httpx.Response, bytes]:
        """Send a request until it is answered with 200 or 201, for `patience` seconds (specs/network.md).

        `most`: bytes of the answer's body (else MAX_ANSWER); `wait`: seconds for it (else BODY_WAIT); `out`: where the
        body is written instead of being returned.
        """
        most, wait = MAX_ANSWER if most is None else most, BODY_WAIT if wait is None else wait
        pause, begun = FIRST_WAIT, time.monotonic()
        headers = self._headers({} if body is None else headers or _JSON)
        while True:
            after: float | None = None
            try:
                async with self._answered(method, path, body, headers) as response:
                    data = b""
                    if out is None or response.status_code not in (200, 201):
                        data = await read_whole(response, most if out is None else MAX_ANSWER, wait)
                    else:
                        await read_into(response, out, most, wait)
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
        """Return an answer whose head has arrived. A short `patience` shortens the wait for it."""
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
        return others if self.token is None else {**others, "Authorization": authorization_of(self.token)}

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
        return AwayError(f"{self.address} gave an answer that does not follow the protocol: {what}")

    def _away(self, problem: Exception) -> AwayError:
        if isinstance(problem, TimeoutError | httpx.ReadTimeout):
            return AwayError(f"{self.address} gave no whole answer in the time that it has for one")
        return AwayError(f"{self.address} cannot be reached: {one_line(str(problem) or type(problem).__name__)}")


def _number(text: str | None) -> int | None:
    """Parse the number of a header, of at most ten digits; None for other text."""
    return int(text) if text is not None and re.fullmatch("[0-9]{1,10}", text) else None
