"""Read posted bodies, bounded in size and time (specs/network.md, "Limits")."""

import asyncio
from typing import Any

from litestar import Request
from litestar.exceptions import InternalServerException

from ledger.server.problems import Problem
from rules.data.language import Message

__all__ = ["read_body"]


async def read_body(request: Request[Any, Any, Any], most: int, seconds: float) -> bytes:
    """At most so many bytes, within so many seconds. Raises Problem."""
    length = request.headers.get("content-length", "0")
    found = bytearray()
    if not length.isascii() or not length.isdigit() or int(length) > most:
        raise _too_large(most)
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                found += part
                if len(found) > most:
                    raise _too_large(most)
    except (TimeoutError, InternalServerException):  # the framework raises the latter when the caller left
        raise Problem(408, "too-slow", Message("the body did not come in time")) from None
    return bytes(found)


def _too_large(most: int) -> Problem:
    return Problem(413, "too-large", Message("the body has more than {most} bytes", most=most))
