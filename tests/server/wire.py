"""A wire between a client and a real server, on which somebody sits: it changes answers, streams, and what is sent.

What a cheating server could send is made from what the honest one sends, and with its keeper's key.
"""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import msgspec

from ledger.client.sse import StreamEvent, read_events
from ledger.seats.identity import Identity
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.log.format import EVENT_LABEL
from verifier.log.merkle import MerkleTree, leaf_hash
from verifier.log.plainjson import encode

__all__ = ["Answer", "Wire", "checkpoint_of", "resigned"]


class Answer(msgspec.Struct):
    """An answer that may be changed."""

    path: str
    method: str
    status: int
    body: bytes
    headers: dict[str, str]


class Wire(httpx.AsyncBaseTransport):
    """The network, with somebody on it."""

    def __init__(self) -> None:
        self.inner = httpx.AsyncHTTPTransport()
        self.answer: Callable[[Answer], None] = lambda _answer: None
        """changes an answer"""
        self.event: Callable[[StreamEvent], list[StreamEvent]] = lambda event: [event]
        """what comes in the place of an event of a stream"""
        self.lose: Callable[[httpx.Request], bool] = lambda _request: False
        """whether the connection is cut when the server has answered"""
        self.cut: Callable[[httpx.Request], bool] = lambda _request: False
        """whether it is cut before the server hears anything"""
        self.instead: Callable[[httpx.Request], httpx.Response | None] = lambda _request: None
        """what answers in the place of the server"""
        self.sent: list[httpx.Request] = []

    def honest(self) -> None:
        """Nobody is on it any more."""
        fresh = Wire()
        self.answer, self.event, self.lose, self.cut = fresh.answer, fresh.event, fresh.lose, fresh.cut

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        if self.cut(request):
            raise httpx.ConnectError("no route to host")
        if (answered := self.instead(request)) is not None:
            return answered
        response = await self.inner.handle_async_request(request)
        if "text/event-stream" in response.headers.get("content-type", ""):
            return httpx.Response(response.status_code, headers=response.headers, stream=_Changed(self, response))
        body = await response.aread()
        await response.aclose()
        if self.lose(request):
            raise httpx.ReadError("the connection was cut")
        answer = Answer(request.url.raw_path.decode(), request.method, response.status_code, body, {})
        answer.headers = {k: v for k, v in response.headers.items() if k not in ("content-length", "content-encoding")}
        self.answer(answer)
        return httpx.Response(answer.status, headers=answer.headers, content=answer.body)

    async def aclose(self) -> None:
        await self.inner.aclose()


class _Changed(httpx.AsyncByteStream):
    def __init__(self, wire: Wire, response: httpx.Response) -> None:
        self._wire, self._response = wire, response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._response.stream, httpx.AsyncByteStream)
        async for event in read_events(aiter(self._response.stream)):
            if not event.name:
                yield b": \n\n"
                continue
            for changed in self._wire.event(event):
                number = f"id: {changed.id}\n".encode() if changed.id else b""
                yield b"event: %b\n%bdata: %b\n\n" % (changed.name.encode(), number, changed.data)

    async def aclose(self) -> None:
        await self._response.aclose()


def resigned(line: bytes, key: Identity, **members: Any) -> bytes:
    """An event with other members (`body` replaces members of the body), signed by `key`."""
    event = json.loads(line)
    event["body"] |= members.pop("body", {})
    event |= members
    del event["sig"]
    event["sig"] = key.sign(EVENT_LABEL + encode(event)).hex()
    return encode(event)


def checkpoint_of(lines: list[bytes], keeper: Identity) -> bytes:
    """The keeper's checkpoint of a log."""
    tree = MerkleTree()
    for line in lines:
        tree.append(leaf_hash(line))
    head = Checkpoint(leaf_hash(lines[0]), len(lines), tree.root())
    return bytes(sign_checkpoint(head, keeper.key, keeper.sign))
