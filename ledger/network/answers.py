"""Read a server's answers over HTTP as they are, bounded in bytes and in time: for every client here.

Nothing is decompressed: a few thousand bytes can expand to gigabytes. No redirect is followed, no cookie is kept
(specs/network.md, "What a client does by itself").
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http.cookiejar import DefaultCookiePolicy
from typing import IO

import httpx

__all__ = ["AnswerError", "answer", "new_client", "parts", "read_into", "read_whole"]


class AnswerError(Exception):
    """An answer that no client takes."""


def new_client(
    headers: Mapping[str, str] = {},
    *,
    trust_env: bool = True,
    transport: httpx.AsyncBaseTransport | None = None,
) -> httpx.AsyncClient:
    """Return a client of one or several servers. `transport` replaces the network."""
    found = httpx.AsyncClient(
        headers={**headers, "Accept-Encoding": "identity"},
        timeout=httpx.Timeout(10.0, read=None),
        follow_redirects=False,
        trust_env=trust_env,
        transport=transport,
    )
    found.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return found


@asynccontextmanager
async def answer(
    client: httpx.AsyncClient,
    method: str,
    url: str,
    body: bytes | None = None,
    headers: Mapping[str, str] = {},
    *,
    wait: float,
    silence: float | None = None,
    known_as: str | None = None,
) -> AsyncIterator[httpx.Response]:
    """An answer whose head came within `wait` seconds, its body not yet read, with `silence` seconds between two bytes.

    `known_as`: the name that its certificate must have, where the URL has an address that was looked up before.
    Raises AnswerError where it is encoded, TimeoutError, httpx.HTTPError.
    """
    timeout = httpx.Timeout(10.0, read=silence, write=30.0)
    known = {} if known_as is None else {"sni_hostname": known_as}
    request = client.build_request(method, url, content=body, headers=dict(headers), timeout=timeout, extensions=known)
    async with asyncio.timeout(wait):
        response = await client.send(request, stream=True)
    try:
        encodings = response.headers.get("Content-Encoding", "identity")
        if encodings.strip().lower() != "identity":
            raise AnswerError(f"it is encoded ({encodings[:40]!r}), which nobody asked for")
        yield response
    finally:
        await response.aclose()


async def read_whole(response: httpx.Response, most: int, wait: float) -> bytes:
    """Return an answer's body. Raises AnswerError if it is longer than `most` bytes, TimeoutError, httpx.HTTPError."""
    data = bytearray()
    async with asyncio.timeout(wait):
        async for part in parts(response):
            data += part
            if len(data) > most:
                raise AnswerError(f"it is longer than {most} bytes")
    return bytes(data)


async def read_into(response: httpx.Response, out: IO[bytes], most: int, wait: float) -> None:
    """Write an answer's body in the place of what `out` has. Raises as `read_whole`, and OSError."""
    out.seek(0)
    out.truncate()
    async with asyncio.timeout(wait):
        async for part in parts(response):
            if out.tell() + len(part) > most:
                raise AnswerError(f"it is longer than {most} bytes")
            out.write(part)


def parts(response: httpx.Response) -> AsyncIterator[bytes]:
    """Return the body of an answer as it comes, not decompressed. Reading raises httpx.HTTPError."""
    assert isinstance(response.stream, httpx.AsyncByteStream)
    return aiter(response.stream)
