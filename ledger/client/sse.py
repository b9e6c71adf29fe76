"""Server-sent events (HTML Living Standard, 9.2), as far as this protocol has them: lines end with LF or CR LF.

What comes is bounded: a server that never ends an event is cut off.
"""

from collections.abc import AsyncIterator
from typing import NamedTuple

from ledger.errors import LedgerError

__all__ = ["MAX_EVENT", "StreamError", "StreamEvent", "read_events"]

MAX_EVENT = 300_000
"""bytes of an event: a line, or a checkpoint with all its signatures"""


class StreamError(LedgerError):
    """A stream has not the form of one."""


class StreamEvent(NamedTuple):
    """One event; `data` without the line feed that ends it. A comment, which says that all is well, has no name."""

    name: str
    data: bytes = b""
    id: str = ""


async def read_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[StreamEvent]:
    """The events of a stream, and its comments. Raises StreamError for what is too long."""
    fields: dict[bytes, bytes] = {}
    async for line in _lines(chunks):
        name, colon, value = line.partition(b":")
        if not line:
            if b"data" in fields:
                yield StreamEvent(
                    fields.get(b"event", b"message").decode(errors="replace"),
                    fields[b"data"],
                    fields.get(b"id", b"").decode(errors="replace"),
                )
            fields = {}
        elif colon and not name:
            yield StreamEvent("")
        elif name in (b"data", b"event", b"id"):
            value = value.removeprefix(b" ")
            fields[name] = b"%b\n%b" % (fields[name], value) if name == b"data" and name in fields else value
            if len(fields[name]) > MAX_EVENT:
                raise StreamError("the server sent an event without end")


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_EVENT:
            raise StreamError("the server sent a line without end")
        for line in lines:
            yield line.removesuffix(b"\r")
