"""Server-sent events (HTML Living Standard, 9.2; specs/network.md, "The stream")."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from litestar import Response

from ledger.server.hub import StreamItem

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

T = TypeVar("T")

__all__ = ["PIECE", "PING", "PING_EVERY", "EventStream", "event", "line_event"]

PIECE = 65_536
"""bytes of an answer that are sent at once, where not one event alone has more"""

PING_EVERY = 15.0
"""seconds after which a comment is sent if nothing else was"""

PING = b": here\n\n"


def event(name: str, data: object) -> StreamItem:
    """Return an event whose data is JSON."""
    return StreamItem(b"event: %b\ndata: %b\n\n" % (name.encode(), msgspec.json.encode(data, order="sorted")))


def raw_event(name: str, data: bytes) -> StreamItem:
    """Return an event whose data is one given line of JSON, byte for byte."""
    return StreamItem(b"event: %b\ndata: %b\n\n" % (name.encode(), data.removesuffix(b"\n")))


def line_event(seq: int, line: bytes) -> StreamItem:
    """Return a line of a log, byte for byte; its number is the event's id."""
    return StreamItem(b"id: %d\nevent: line\ndata: %b\n\n" % (seq, line), seq)


class EventStream(Response[None]):
    """An answer that lasts as long as `events` yields more and the reader reads.

    `follow` admits the reader, or raises Problem, before anything is sent; its value is passed to `events`. The
    connection limits the time for each piece.
    """

    def __init__(self, follow: AbstractContextManager[T], events: Callable[[T], AsyncIterator[bytes]]) -> None:
        super().__init__(None, media_type="text/event-stream")
        self._follow = follow
        self._events = events

    def to_asgi_response(self, *_: Any, **__: Any) -> "ASGIApp":  # type: ignore[override]
        """Return the ASGI application that Litestar calls to send the answer."""
        return self._send_all

    async def _send_all(self, _: "Scope", receive: "Receive", send: "Send") -> None:
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        with self._follow as followed:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            sending = asyncio.ensure_future(self._feed(self._events(followed), send))
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

    async def _feed(self, events: AsyncIterator[bytes], send: "Send") -> None:
        try:
            async for data in events:
                await send({"type": "http.response.body", "body": data, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            close = getattr(events, "aclose", None)
            if close is not None:
                await close()


async def _disconnected(receive: "Receive") -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def pieces(items: Iterable[StreamItem]) -> Iterator[bytes]:
    """Events as they are sent: as many at once as make a piece."""
    part: list[bytes] = []
    size = 0
    for item in items:
        if part and size + len(item.data) > PIECE:
            yield b"".join(part)
            part, size = [], 0
        part.append(item.data)
        size += len(item.data)
    if part:
        yield b"".join(part)
