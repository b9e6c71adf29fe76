"""What comes before a program's paths: whose requests are looked at at all (specs/network.md, "Who may ask").

The whole rule for pages of other sites stands here, in `_from_another_site`.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from litestar.enums import ScopeType

from ledger.server.limits import Limits, Pace, network_of, too_many
from ledger.server.problems import MEDIA_TYPE, Problem, not_found, preferred
from rules.language import Message
from verifier.language import translator

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

__all__ = ["Front", "Refusal", "in_details"]

Refusal = Callable[[Problem, str], tuple[str, bytes]]
"""from a problem and an Accept-Language: the media type and the body of the answer"""

_METHODS = ("GET", "POST")


def in_details(problem: Problem, accept_language: str) -> tuple[str, bytes]:
    """Answer with problem details, in the reader's language."""
    return MEDIA_TYPE, problem.body(translator(preferred(accept_language)))


class Front:
    """An application, and before it what is refused whatever is asked for."""

    def __init__(self, app: "ASGIApp", limits: Limits, address: str | None = None, refusal: Refusal = in_details):
        """`address` is the public one, as links have it."""
        self._app = app
        self._limits = limits
        self._own = None if address is None else urlsplit(address).netloc.lower().encode()
        self._refusal = refusal
        self._asking: Counter[str] = Counter()
        """by network: how many requests are not answered in full"""
        self._pace = Pace(limits)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Call the application, or refuse."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        client = scope["client"]
        caller = network_of(client[0] if client else "")
        if self._asking[caller] >= self._limits.connections:
            busy = too_many(Message("more requests at once than this server answers for one address"), 1)
            await self._refuse(busy, headers, send)
            return
        self._asking[caller] += 1
        try:
            if wait := self._pace.wait(caller):
                await asyncio.sleep(wait)
            problem = self._problem(scope["method"], headers)
            if problem is not None:
                await self._refuse(problem, headers, send)
            else:
                await self._app(scope, receive, send)
        finally:
            self._asking[caller] -= 1
            if not self._asking[caller]:
                del self._asking[caller]

    def _problem(self, method: str, headers: Mapping[bytes, bytes]) -> Problem | None:
        if method not in _METHODS:
            return not_found()
        if method == "POST" and _from_another_site(headers, self._own):
            return Problem(403, "cross-site", Message("a page of another site has sent this"))
        return None

    async def _refuse(self, problem: Problem, headers: Mapping[bytes, bytes], send: "Send") -> None:
        media_type, body = self._refusal(problem, headers.get(b"accept-language", b"").decode("latin-1"))
        told: list[tuple[bytes, bytes]] = [
            (b"content-type", media_type.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
        ]
        await send({"type": "http.response.start", "status": problem.status, "headers": told})
        message: Any = {"type": "http.response.body", "body": body, "more_body": False}
        await send(message)


def _from_another_site(headers: Mapping[bytes, bytes], own: bytes | None) -> bool:
    """Whether a browser says that another site's page sent this. No page can change these headers (Fetch, 2.2.2).

    Browsers that do not send the first send the second with every post; other programs send neither.
    """
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is not None and origin.partition(b"://")[2] not in (own, headers.get(b"host", b"").lower())
