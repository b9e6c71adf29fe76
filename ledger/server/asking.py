"""Helpers of all paths: the caller of a request, its bounded body, its answer, its stream."""

import hashlib
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.response import Stream

from ledger.network.bearer import token_in
from ledger.server.bodies import read_body
from ledger.server.front import HOLDER
from ledger.server.hub import StreamItem, Subscription
from ledger.server.limits import network_of
from ledger.server.problems import Problem, not_found
from ledger.server.service import Service
from ledger.server.sse import PIECE, PING, PING_EVERY, EventStream, event, pieces
from rules.data.language import Message

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

__all__ = [
    "HEX32",
    "JSON_LINES",
    "Asked",
    "Served",
    "SoFar",
    "address_of",
    "admit",
    "answer",
    "answer_in_pieces",
    "body_of",
    "bytes_answer",
    "caller_of",
    "event_stream",
    "game_of",
    "network_asking",
    "note_holder",
    "resumed_at",
    "table_of",
    "token_of",
    "whole_in_pieces",
]

HEX32 = re.compile(r"[0-9a-f]{64}\Z")
JSON_LINES = "application/jsonl"

Served = NamedDependency[Service]
Asked = Request[Any, Any, Any]
SoFar = Callable[[Subscription], AsyncIterator[list[StreamItem]]]


def address_of(request: Asked) -> str:
    """Return the caller's address."""
    return request.client.host if request.client else ""


def network_asking(request: Asked) -> str:
    """Return the network of the caller's address, whose look-ups are counted together."""
    return network_of(address_of(request))


def token_of(request: Asked) -> bytes | None:
    """Return the token that a request comes with."""
    return token_in(request.headers.get("authorization", ""))


async def table_of(service: Service, request: Asked, table: str) -> str:
    """Return the table's id, if the request may read it. Raises Problem."""
    if not HEX32.match(table):
        raise not_found()
    token = token_of(request)
    party = await service.access.open_table(network_asking(request), table, token)
    note_holder(request, table, party, token)
    return table


async def game_of(service: Service, request: Asked, game: str) -> tuple[bytes, str | None]:
    """Return the game's id, and the reading party, if the request may read it. Raises Problem."""
    if not HEX32.match(game):
        raise not_found()
    token = token_of(request)
    party = await service.access.open_game(network_asking(request), game, token)
    note_holder(request, game, party, token)
    return bytes.fromhex(game), party


def note_holder(request: Asked, topic: str, party: str | None, token: bytes | None) -> None:
    """Record the holder of a request's token. All tokens of a party count as one holder."""
    whose = hashlib.sha256(token or b"").hexdigest() if party is None else party
    request.state.holder = f"{topic} {whose}"


def _holder(request: Asked) -> str | None:
    """Return the holder of the event token in a request; None without one."""
    found = request.scope.get(HOLDER)
    return found if isinstance(found, str) else None


def caller_of(request: Asked) -> tuple[str, str]:
    """Return address and holder, by which posts are counted (specs/network.md, "Limits")."""
    return address_of(request), _holder(request) or request.state.get("holder", "")


def admit(service: Served, request: Asked) -> None:
    """Charge a post before it is examined. Raises Problem."""
    service.gate.post(*caller_of(request))
    if service.writer.draining:
        raise Problem(503, "draining", Message("the server is about to stop; it comes back"), retry=5)


async def body_of(service: Served, request: Asked, most: int) -> bytes:
    """Return the body of a post, of at most so many bytes, in time. Raises Problem."""
    admit(service, request)
    body = await read_body(request, most, service.limits.idle)
    address, holder = caller_of(request)
    service.gate.body(address, len(body), holder)
    request.state.posted = len(body)
    return body


def answer(status: int, content: Any) -> Response[Any]:
    """Answer in JSON that nobody keeps."""
    return Response(content, status_code=status, headers={"cache-control": "no-store"})


def bytes_answer(data: bytes, media_type: str, **headers: str) -> Response[bytes]:
    """Answer with bytes that nobody keeps; names of `headers` have underscores for hyphens."""
    return Response(data, media_type=media_type, headers=_no_store(headers))


def answer_in_pieces(pieces: AsyncIterator[bytes], media_type: str, **headers: str) -> Stream:
    """Return an answer that is streamed as its reader takes it."""
    return Stream(pieces, media_type=media_type, headers=_no_store(headers))


class _Whole(Stream):
    """Bytes that are at hand, sent piece by piece: a slow reader has its time for each of them."""

    def __init__(
        self, data: bytes, headers: Mapping[str, str], media_type: str | None, admitted: AbstractContextManager[None]
    ) -> None:
        super().__init__(_cut(data), media_type=media_type, headers={**headers, "content-length": str(len(data))})
        self._admitted = admitted

    def to_asgi_response(self, *given: Any, **named: Any) -> "ASGIApp":  # type: ignore[override]
        """Return the ASGI application that sends the answer, as long as it is admitted."""
        sends = super().to_asgi_response(*given, **named)

        async def send_all(scope: "Scope", receive: "Receive", send: "Send") -> None:
            with self._admitted:
                await sends(scope, receive, send)

        return send_all


def whole_in_pieces(
    data: bytes,
    headers: Mapping[str, str],
    media_type: str | None = None,
    *,
    admitted: AbstractContextManager[None] | None = None,
) -> Stream:
    """Answer with bytes that are at hand, piece by piece; `admitted` may raise Problem before anything is sent."""
    return _Whole(data, headers, media_type, admitted or nullcontext())


async def _cut(data: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(data), PIECE):
        yield data[at : at + PIECE]


def _no_store(headers: Mapping[str, str]) -> dict[str, str]:
    return {"cache-control": "no-store", **{name.replace("_", "-"): value for name, value in headers.items()}}


def resumed_at(request: Asked, start: int) -> int:
    """Return the number of the first line that a reader lacks: after its `Last-Event-ID`, else `start`."""
    last = request.headers.get("last-event-id", "")
    return int(last) + 1 if last.isascii() and last.isdigit() and len(last) < 17 else start


def event_stream(
    service: Served,
    request: Asked,
    topic: bytes,
    party: str | None,
    so_far: SoFar,
) -> EventStream:
    """Stream the existing items, then the new ones. The subscription starts first, so that no item is missed."""

    @contextmanager
    def follow() -> Iterator[Subscription]:
        readers = service.readers
        with (
            service.gate.stream(
                address_of(request), readers.hub.readers(topic), topic, caller_of(request)[1], _holder(request) or ""
            ) as admitted,
            readers.follow(topic, party) as subscription,
        ):
            admitted.end = subscription.end
            yield subscription

    async def events(subscription: Subscription) -> AsyncIterator[bytes]:
        sent = -1
        async for items in so_far(subscription):
            sent = max([sent, *(item.seq for item in items if item.seq is not None)])
            for piece in pieces(items):
                yield piece
        while True:
            came = await subscription.take(PING_EVERY, PIECE)
            if subscription.ended and not came:
                yield event("bye", {"retry": None if subscription.over else 1}).data
                return
            new = [item for item in came if item.seq is None or item.seq > sent]
            for piece in pieces(new) if new else (PING,):
                yield piece

    return EventStream(follow(), events)
