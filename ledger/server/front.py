"""A filter before the application: which requests reach a path at all (specs/network.md, "Who may ask").

The whole rule for pages of other sites is here (specs/network.md, "Pages of other sites").
"""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from litestar.enums import ScopeType

from ledger.server.admission import Admission, Quiet
from ledger.server.limits import Limits, network_of, too_many
from ledger.server.problems import MEDIA_TYPE, Problem, not_found, preferred_language
from rules.data.language import Message
from verifier.language import translator

if TYPE_CHECKING:
    from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
    from litestar.types import Message as Sent

__all__ = ["CALLER", "HOLDER", "Front", "Holding", "Refusal", "in_details"]

HOLDER = "rollproof.holder"
"""the key, in a request's scope, of the event token's holder, for whom the request is counted"""

CALLER = "rollproof.caller"
"""the same: that holder, else the network of the address, as a proxy tells it"""

Holding = Callable[[str, str, str], Awaitable[str | None]]
"""from the caller's network, a path and an Authorization: that holder, or None"""

Refusal = Callable[[Problem, str], tuple[str, bytes]]
"""from a problem and an Accept-Language: the media type and the body of the answer"""

_METHODS = ("GET", "POST")

_OTHER_PATH = re.compile(rb"%|//|./\Z")
"""what no path of a server has; the framework would take it for the path without"""

_NO_NAME = re.compile(rb"(?:[0-9.]+|\[[0-9a-f:.]+]|localhost)(?::[0-9]+)?")
"""host and port of an origin that no name server leads anywhere"""

_FOR_EVERY_SITE = "/v1/"
"""paths whose answers pages of any site may read"""

_READABLE = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"Retry-After, Rollproof-Size"),
)

_ASKED_FIRST = (
    *_READABLE,
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"Accept-Language, Authorization, Content-Type, Last-Event-ID"),
    (b"access-control-max-age", b"7200"),
)
"""headers of the answer to a preflight request of another site's page"""

_NO_FORMS = (b"application/json", b"application/jsonl")
"""types of a body before which a browser asks"""

_REFUSALS = (400, 403, 404, 413, 422, 429)

REFUSED_EVERY = 1.0
"""seconds: a caller who was refused by a rate less than so long ago waits as long for the next such refusal"""

REMEMBERED = 10_000
"""callers whose latest refusal by a rate is remembered"""


def in_details(problem: Problem, accept_language: str) -> tuple[str, bytes]:
    """Answer with problem details, in the reader's language."""
    return MEDIA_TYPE, problem.body(translator(preferred_language(accept_language)))


class Front:
    """An application behind the filter."""

    def __init__(
        self,
        app: "ASGIApp",
        limits: Limits,
        address: str | None = None,
        refusal: Refusal = in_details,
        quiet: Quiet | None = None,
        *,
        other_sites: bool = True,
        holding: Holding | None = None,
    ) -> None:
        """`address` is the public one, as in links; `quiet` is set while something is written, None: nothing is.

        `other_sites`: pages of other sites may use the paths of /v1; `holding` knows the tokens of events.
        """
        self._app = app
        self._limits = limits
        self._own = None if address is None else urlsplit(address).netloc.lower().encode()
        self._refusal = refusal
        self._other_sites = other_sites
        self._holding = holding
        self._asking: dict[str, dict[_UnansweredRequest, None]] = {}
        """by network: the requests that are not answered in full, in the order in which they came"""
        self._too_many: OrderedDict[str, float] = OrderedDict()
        """by caller: when its latest refusal by a rate was sent, or will be; the latest caller last"""
        self._admission = Admission(limits, quiet or Quiet())

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Call the application, or refuse."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        client = scope["client"]
        network, holder = network_of(client[0] if client else ""), None
        if self._holding is not None:
            holder = await self._holding(network, scope["path"], headers.get(b"authorization", b"").decode("latin-1"))
        caller = holder or network
        state: dict[str, Any] = scope  # type: ignore[assignment] # as the protocol has it
        state[HOLDER], state[CALLER] = holder, caller
        open_to_all = self._other_sites and scope["path"].startswith(_FOR_EVERY_SITE)
        if open_to_all:
            send = _readable(send)
        asking = self._asking.setdefault(caller, {})
        if len(asking) >= self._limits.connections and not _make_room(asking):
            busy = too_many(Message("more requests at once than this server answers for one address"), 1)
            await self._refuse(busy, headers, send)
            return
        asked = _UnansweredRequest(headers, receive, send)
        asking[asked] = None
        try:
            async with asked.patience:
                await self._enter(scope, asked, headers, open_to_all=open_to_all)
        except TimeoutError:
            if not asked.gave_way:
                raise
            if not asked.is_answered:
                slow = Problem(408, "too-slow", Message("the body did not come in time"))
                await self._refuse(slow, headers, send)
        finally:
            asking.pop(asked, None)
            if not asking and self._asking.get(caller) is asking:
                del self._asking[caller]

    async def _enter(
        self, scope: "HTTPScope", asked: "_UnansweredRequest", headers: Mapping[bytes, bytes], *, open_to_all: bool
    ) -> None:
        """Call the application when it is this request's turn, or refuse."""
        counted_as = str(scope.get(CALLER))
        elsewhere = _from_another_site(headers, self._own)
        if elsewhere:  # another site's page has limits apart from those of its visitor
            client = scope["client"]
            scope["client"] = f"{network_of(client[0] if client else '')} elsewhere", 0
            counted_as = f"{counted_as} elsewhere"
        async with self._admission.enter(counted_as, scope["method"], scope["path"]) as went_first:
            send = self._slowed(counted_as, asked.send)
            if went_first:
                send = self._counted(counted_as, send)
            if open_to_all and _asks_first(scope["method"], headers):
                await _allow(send)
                return
            problem = self._problem(scope, elsewhere and not (open_to_all and _is_asked(headers)))
            if problem is not None:
                await self._refuse(problem, headers, send)
            else:
                await self._app(scope, asked.receive, send)

    def _slowed(self, caller: str, send: "Send") -> "Send":
        """Return `send` that delays a repeated refusal by a rate, for a caller that did not wait."""

        async def slowed(message: "Sent") -> None:
            if message["type"] == "http.response.start" and message["status"] == 429:
                now = time.monotonic()
                wait = REFUSED_EVERY if now < self._too_many.pop(caller, 0) + REFUSED_EVERY else 0
                self._too_many[caller] = now + wait
                if len(self._too_many) > REMEMBERED:
                    self._too_many.popitem(last=False)
                if wait:
                    await asyncio.sleep(wait)
            await send(message)

        return slowed

    def _counted(self, caller: str, send: "Send") -> "Send":
        """Return `send` that counts refusals, except a lost race (409)."""

        async def counted(message: "Sent") -> None:
            if message["type"] == "http.response.start" and message["status"] in _REFUSALS:
                self._admission.refused(caller)
            await send(message)

        return counted

    def _problem(self, scope: "HTTPScope", unasked: bool) -> Problem | None:
        """Return why a request is refused; `unasked`: a page of another site sends it, and no browser asked before."""
        if scope["method"] not in _METHODS or _OTHER_PATH.search(scope["raw_path"]):
            return not_found()
        if scope["method"] == "POST" and (unasked or not (self._other_sites or self._is_own_page(scope["headers"]))):
            return Problem(403, "cross-site", Message("a page of another site has sent this"))
        return None

    def _is_own_page(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Return False for a page at a name that may lead here all of a sudden (DNS rebinding)."""
        origin = dict(headers).get(b"origin")
        if origin is None:
            return True
        told = origin.partition(b"://")[2].lower()
        return told == self._own or _NO_NAME.fullmatch(told) is not None

    async def _refuse(self, problem: Problem, headers: Mapping[bytes, bytes], send: "Send") -> None:
        media_type, body = self._refusal(problem, headers.get(b"accept-language", b"").decode("latin-1"))
        fields: list[tuple[bytes, bytes]] = [
            (b"content-type", media_type.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
        ]
        await send({"type": "http.response.start", "status": problem.status, "headers": fields})
        message: Any = {"type": "http.response.body", "body": body, "more_body": False}
        await send(message)


class _UnansweredRequest:
    """A request that is not answered in full. It may have to give way to another one while its body is incomplete."""

    def __init__(self, headers: Mapping[bytes, bytes], receive: "Receive", send: "Send") -> None:
        self.is_complete = b"transfer-encoding" not in headers and headers.get(b"content-length", b"0") == b"0"
        self.is_answered = False
        """the answer has begun"""
        self.gave_way = False
        self.patience = asyncio.timeout(None)
        self._receive = receive
        self._send = send

    async def receive(self) -> Any:
        """Receive as before, and note the end of the body."""
        message = await self._receive()
        if message["type"] == "http.request" and not message.get("more_body", False):
            self.is_complete = True
        return message

    async def send(self, message: "Sent") -> None:
        """Send as before, and note that the answer begins."""
        self.is_answered = True
        await self._send(message)

    def give_way(self) -> None:
        """End the request for another one."""
        self.gave_way = True
        self.patience.reschedule(0)


def _make_room(asking: dict[_UnansweredRequest, None]) -> bool:
    """End the request whose body has been incomplete for longest; return False without any."""
    goes = next((each for each in asking if not each.is_complete), None)
    if goes is None:
        return False
    del asking[goes]  # now, not when it has ended
    goes.give_way()
    return True


def _from_another_site(headers: Mapping[bytes, bytes], own: bytes | None) -> bool:
    """Return True if the browser says that another site's page sent the request.

    No page can change these headers (Fetch, 2.2.2). Browsers without the first one send the second with every post;
    other programs send neither.
    """
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is not None and origin.partition(b"://")[2] not in (own, headers.get(b"host", b"").lower())


def _asks_first(method: str, headers: Mapping[bytes, bytes]) -> bool:
    """Return True for a preflight request (Fetch, 4.8)."""
    return method == "OPTIONS" and b"origin" in headers and b"access-control-request-method" in headers


def _is_asked(headers: Mapping[bytes, bytes]) -> bool:
    """Return True if a browser sends such a request only after a preflight: no form could send it."""
    media_type = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    return b"authorization" in headers or media_type in _NO_FORMS


def _readable(send: "Send") -> "Send":
    """Let pages of any site read an answer."""

    async def sent(message: "Sent") -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *_READABLE]
        await send(message)

    return sent


async def _allow(send: "Send") -> None:
    """Answer a preflight request."""
    await send({"type": "http.response.start", "status": 204, "headers": list(_ASKED_FIRST[len(_READABLE) :])})
    message: Any = {"type": "http.response.body", "body": b"", "more_body": False}
    await send(message)
