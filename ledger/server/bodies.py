"""Read posted bodies, bounded in size and time (specs/network.md, "Limits")."""

import asyncio
from collections.abc import Callable
from typing import IO, Any

from litestar import Request
from litestar.exceptions import InternalServerException

from ledger.server.problems import Problem
from rules.data.language import Message

__all__ = ["read_body", "read_into"]


async def read_body(request: Request[Any, Any, Any], most: int, seconds: float) -> bytes:
    """At most so many bytes, within so many seconds. Raises Problem."""
    found = bytearray()
    await _read(request, most, seconds, found.extend)
    return bytes(found)


async def read_into(request: Request[Any, Any, Any], most: int, seconds: float, file: IO[bytes]) -> None:
    """Write a body to a file, as `read_body` reads it: it is not in memory as a whole. Raises Problem."""
    await _read(request, most, seconds, file.write)


async def _read(request: Request[Any, Any, Any], most: int, seconds: float, take: Callable[[bytes], object]) -> None:
    length = request.headers.get("content-length", "0")
    if not length.isascii() or not length.isdigit() or int(length) > most:
        raise _too_large(most)
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise _too_large(most)
                take(part)
    except (TimeoutError, InternalServerException):  # the framework raises the latter when the caller left
        raise Problem(408, "too-slow", Message("the body did not come in time")) from None


def _too_large(most: int) -> Problem:
    return Problem(413, "too-large", Message("the body has more than {most} bytes", most=most))
