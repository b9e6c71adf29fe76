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
    rest, name, data, id_ = b"", "message", list[bytes](), ""
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_EVENT:
            raise StreamError("the server sent a line without end")
        for line in lines:
            field, _, value = line.removesuffix(b"\r").partition(b":")
            value = value.removeprefix(b" ")
            if not field and not value and b":" not in line:
                if data:
                    yield StreamEvent(name, b"\n".join(data), id_)
                name, data = "message", []
            elif not field:
                yield StreamEvent("")
            elif field == b"data":
                data.append(value)
                if sum(map(len, data)) + len(data) > MAX_EVENT:
                    raise StreamError("the server sent an event without end")
            elif field == b"event":
                name = value.decode(errors="replace")
            elif field == b"id":
                id_ = value.decode(errors="replace")
