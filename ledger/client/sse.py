"""Parse server-sent events (HTML Living Standard, 9.2) as far as this protocol uses them: lines end with LF or CR LF.

The length of an event is bounded: a server that never ends one is cut off.
"""

from collections.abc import AsyncIterator
from typing import NamedTuple

from ledger.errors import LedgerError

__all__ = ["MAX_EVENT", "StreamError", "StreamEvent", "read_events"]

MAX_EVENT = 300_000
"""bytes of an event: a line, or a checkpoint with all its signatures"""

MAX_PARTS = 1_000
"""lines of the data of an event"""


class StreamError(LedgerError):
    """A malformed event stream."""


class StreamEvent(NamedTuple):
    """One event, its `data` without the last line feed. A comment, the server's sign of life, has an empty name."""

    name: str
    data: bytes = b""
    id: str = ""


async def read_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[StreamEvent]:
    """Yield the events and comments of a stream. Raises StreamError for an event that is too long."""
    fields: dict[bytes, bytes] = {}
    data, size = list[bytes](), 0
    async for line in _lines(chunks):
        name, _, value = line.partition(b":")
        if not line:
            if data:
                yield StreamEvent(
                    fields.get(b"event", b"message").decode(errors="replace"),
                    b"\n".join(data),
                    fields.get(b"id", b"").decode(errors="replace"),
                )
            fields, data, size = {}, [], 0
        elif not name:
            yield StreamEvent("")
        elif name == b"data":
            data.append(value.removeprefix(b" "))
            size += len(data[-1]) + 1
            if size > MAX_EVENT or len(data) > MAX_PARTS:
                raise StreamError("the server sent an event without end")
        elif name in (b"event", b"id"):
            fields[name] = value.removeprefix(b" ")


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    rest = bytearray()
    async for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            rest += chunk[start:end]
            yield bytes(rest.removesuffix(b"\r"))
            rest.clear()
            start = end + 1
        rest += chunk[start:]
        if len(rest) > MAX_EVENT:
            raise StreamError("the server sent a line without end")
