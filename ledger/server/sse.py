"""Server-sent events (HTML Living Standard, 9.2; specs/network.md, "The stream")."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response

from ledger.server.hub import Item

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

__all__ = ["PING", "PING_EVERY", "EventStream", "event", "line_event"]

PING_EVERY = 15.0
"""seconds between comments where nothing else is sent"""

PING = b": here\n\n"

SEND_WITHIN = 30.0
"""seconds that a reader may take for what is sent at once, before it is dropped"""


def event(name: str, data: object) -> Item:
    """An event whose data is JSON."""
    return Item(b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data, order="sorted")))


def raw_event(name: str, data: bytes) -> Item:
    """An event whose data is one line of JSON, byte for byte."""
    return Item(b"event: %b\ndata: %b\n\n" % (name.encode(), data.removesuffix(b"\n")))


def line_event(seq: int, line: bytes) -> Item:
    """A line of a log, byte for byte; its number is the event's id."""
    return Item(b"id: %d\nevent: line\ndata: %b\n\n" % (seq, line), seq)


class EventStream(Response[None]):
    """An answer that goes on as long as `events` gives more, and the reader takes it."""

    def __init__(self, events: AsyncIterator[bytes]) -> None:
        super().__init__(None, media_type="text/event-stream")
        self._events = events

    def to_asgi_response(self, *_: Any, **__: Any) -> "ASGIApp":  # type: ignore[override]
        """What Litestar calls to have it sent."""
        return self._send_all

    async def _send_all(self, _: "Scope", receive: "Receive", send: "Send") -> None:
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        sending = asyncio.ensure_future(self._feed(send))
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, gone):
                task.cancel()
            with suppress(asyncio.CancelledError):
                await sending
            with suppress(asyncio.CancelledError):
                await gone

    async def _feed(self, send: "Send") -> None:
        try:
            async for data in self._events:
                try:
                    async with asyncio.timeout(SEND_WITHIN):
                        await send({"type": "http.response.body", "body": data, "more_body": True})
                except TimeoutError:
                    return  # the connection is ended with the answer incomplete
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            close = getattr(self._events, "aclose", None)
            if close is not None:
                await close()


async def _disconnected(receive: "Receive") -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def joined(items: Iterable[Item]) -> bytes:
    return b"".join(item.data for item in items)
