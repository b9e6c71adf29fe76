"""Connections, bounded for each address, and closed if a request is too slow (specs/network.md, "Limits").

uvicorn times only the idle time between two requests. A head that arrives byte by byte would stay for ever, and so
would an answer that nobody reads. Its own answers to malformed requests have neither the form of our refusals nor our
policies.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from ssl import SSLContext
from typing import Any, ClassVar, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr

from ledger.server.connections import Connections
from ledger.server.front import CALLER, HOLDER
from ledger.server.limits import Limits, Unsent, network_of
from ledger.server.policies import add_policies
from ledger.server.problems import MEDIA_TYPE, Problem
from rules.data.language import Message

__all__ = ["begin_tls", "bounded_protocol"]

IN_SYSTEM = 131_072
"""bytes that the operating system holds of an answer; without this bound they are several megabytes a connection"""

PIECES = 128
"""pieces in which any request may come: reads of its connection, and chunks of its body"""

LEAST = 128
"""bytes of a body for each further piece: a piece costs as much as hundreds of bytes"""

MAX_UNREAD = 1_048_576
"""bytes of a body that come after its answer"""


class _Http(h11.Connection):
    """HTTP/1.1 on one connection. Every answer leaves with its policies."""

    def __init__(self, most_head: int, secure: Callable[[], bool], answers: Callable[[], None]) -> None:
        """`most_head`: bytes that a head may have; `secure` returns True if the answer goes over TLS.

        `answers` is called when an answer begins.
        """
        super().__init__(h11.SERVER, most_head)
        self._secure = secure
        self._answers = answers
        self._pieces = self._bytes = self._unread = 0

    def send(self, event: Any) -> Any:
        """As in h11."""
        if isinstance(event, h11.Response):
            self._answers()
            headers = add_policies(event.headers, self._secure())
            event = h11.Response(
                status_code=event.status_code, headers=headers, http_version=event.http_version, reason=event.reason
            )
        return super().send(event)

    def next_event(self) -> Any:
        """Return h11's next event; refuse what costs more than its bytes, or could be read in another way.

        That is a body with two lengths (RFC 9112, 6.1), very many small pieces, and a long body after its answer.
        """
        event = super().next_event()
        if isinstance(event, h11.Request | h11.EndOfMessage):
            self._pieces = self._bytes = self._unread = 0
        if isinstance(event, h11.Request):
            named = {name for name, _ in event.headers}
            if {b"content-length", b"transfer-encoding"} <= named:
                raise h11.RemoteProtocolError("a body with two lengths")
        if isinstance(event, h11.Data):
            self._bytes += len(event.data)
            self._unread += len(event.data) if self.our_state is h11.DONE else 0
        self._pieces += 1
        if self._pieces > PIECES + self._bytes // LEAST:
            raise h11.RemoteProtocolError("a request in very small pieces")
        if self._unread > MAX_UNREAD:
            raise h11.RemoteProtocolError("a body that nobody reads")
        return event


class _Bounded(H11Protocol):
    """A connection. Its class, and so these, is made for each server."""

    limits: ClassVar[Limits]
    open: ClassVar[Connections]
    is_proxy: ClassVar["staticmethod[[str], bool]"]

    unsent: ClassVar[Unsent]

    _since = 0.0
    """when the connection was made, or the latest request began or was answered"""
    _head: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None
    _held: tuple[str | None, int] = None, 0
    """of whose answers how many bytes are unsent"""
    _counted: str | None = None
    """the network that this connection counts for; None for a proxy, whose callers are counted by request"""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn = _Http(self.config.h11_max_incomplete_event_size or 16_384, self._is_secure, self._known)

    def _known(self) -> None:
        """Count the connection by the holder of its event token, instead of its address, when an answer begins."""
        holder = None if self.scope is None else self.scope.get(HOLDER)
        if not isinstance(holder, str) or self._counted in (None, holder):
            return
        if self.open.move(self._counted, holder, self):
            self._counted = holder

    def _is_secure(self) -> bool:
        """Return True if the caller uses TLS, to this server or to the proxy in front of it."""
        return self.scheme == "https" or (self.scope is not None and self.scope["scheme"] == "https")

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # An answer's next piece is written when all before it has left the process.
        transport.set_write_buffer_limits(high=1, low=0)  # with 0 a connection with TLS is paused for good
        connected: socket.socket = transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, IN_SYSTEM)
        self._since = self.loop.time()
        self._counted = self.network(transport)
        if self.open.enter(self._counted, self):
            self._await_head()
        else:
            self.drop()

    def network(self, transport: asyncio.Transport) -> str | None:
        """Return the network that a connection counts for."""
        address, _ = get_remote_addr(transport) or ("", 0)
        return None if self.is_proxy(address) else network_of(address)

    @property
    def idle(self) -> bool:
        """Return True if no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def waiting_since(self) -> float | None:
        """The time when it began to wait for a request, or the rest of one; None if a whole request is answered."""
        return self._since if self.idle or self.conn.their_state is h11.SEND_BODY else None

    def drop(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self._taken()
        self.open.leave(self._counted, self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head is None and self.idle:
            self._await_head()  # a further request has begun
        super().data_received(data)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._since = self.loop.time()
            self._head_came()

    def on_response_complete(self) -> None:
        self._since = self.loop.time()
        super().on_response_complete()

    def send_400_response(self, _: str) -> None:
        """Answer a malformed request with a refusal in our form, and close the connection."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # the pending answer has no receiver any more
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            problem = Problem(400, "malformed", Message("this is no request that a server of HTTP/1.1 takes"))
            body = problem.body(str)
            headers = [("content-type", MEDIA_TYPE), ("content-length", str(len(body))), ("connection", "close")]
            for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def pause_writing(self) -> None:
        """Count the unsent bytes of a reader that is behind, and start its time limit."""
        super().pause_writing()
        caller = self._counted
        if caller is None and self.scope is not None:  # of a proxy
            caller = self.scope.get(CALLER)  # type: ignore[assignment]
        held = caller, self.transport.get_write_buffer_size()
        if self.unsent.hold(*held):
            self._held = held
            self._stuck = self.loop.call_later(self.limits.sending, self.transport.abort)
        else:
            self.transport.abort()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken()

    def _taken(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
            self.unsent.release(*self._held)

    def _await_head(self) -> None:
        self._head_came()
        self._head = self.loop.call_later(self.limits.idle, self.transport.abort)

    def _head_came(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None


class _Handshake(asyncio.Protocol):
    """A connection until TLS has begun on it.

    The event loop hands a connection over when TLS has begun: one that says nothing would stay for a minute, uncounted.
    """

    def __init__(self, secured: _Bounded, tls: SSLContext) -> None:
        """`secured` goes on when TLS has begun."""
        self.waiting_since = secured.loop.time()
        self._secured = secured
        self._tls = tls
        self._early = b""
        """what came over TLS before `secured` could take it"""
        self._lost = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self._counted = self._secured.network(transport)
        if self._secured.open.enter(self._counted, self):
            self._secured.connections.add(self)  # type: ignore[arg-type] # as it is ended when the server stops
            self._beginning = self._secured.loop.create_task(self._begin())
        else:
            self.drop()

    async def _begin(self) -> None:
        loop, wait = self._secured.loop, self._secured.limits.idle
        secured: asyncio.Transport | None = None
        with suppress(OSError):  # whoever connects is gone, too slow, or does not speak TLS
            secured = await loop.start_tls(
                self._transport, self, self._tls, server_side=True, ssl_handshake_timeout=wait
            )
        self._secured.open.leave(self._counted, self)
        self._secured.connections.discard(self)
        if secured is None or self._lost:
            self.drop()
            return
        secured.set_protocol(self._secured)
        self._secured.connection_made(secured)
        if self._early:
            self._secured.data_received(self._early)

    def data_received(self, data: bytes) -> None:
        self._early += data

    def connection_lost(self, _: Exception | None) -> None:
        self._lost = True

    def drop(self) -> None:
        """End the connection at once."""
        self._transport.abort()

    def shutdown(self) -> None:
        """End the connection when the server stops."""
        self.drop()


def begin_tls(config: uvicorn.Config) -> None:
    """Have connections counted before TLS begins on them. `config` is loaded, and of a bounded protocol."""
    tls, protocol = config.ssl, cast("type[_Bounded]", config.http_protocol_class)
    if tls is None:
        return

    def begin(**given: Any) -> _Handshake:
        return _Handshake(protocol(**given), tls)

    config.ssl, config.http_protocol_class = None, cast(Any, begin)


def bounded_protocol(limits: Limits, is_proxy: Callable[[str], bool]) -> type[H11Protocol]:
    """Return a protocol class whose connections share these limits; a proxy's are not counted by its address."""
    members = {"limits": limits, "open": Connections(limits), "is_proxy": staticmethod(is_proxy)}
    members["unsent"] = Unsent(limits)
    return type("BoundedProtocol", (_Bounded,), members)
