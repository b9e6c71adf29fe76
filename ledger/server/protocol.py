"""Connections: bounded for each address, and ended where a request does not come in time (specs/network.md, "Limits").

uvicorn times only what is idle between two requests; a head that comes a byte at a time would stay for ever.
"""

import asyncio
from collections import Counter
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from ledger.server.limits import Limits

__all__ = ["bounded_protocol"]


class _Bounded(H11Protocol):
    """A connection. Its class, and so these, is made for each server."""

    limits: ClassVar[Limits]
    open_by_address: ClassVar[Counter[str]]

    _head: asyncio.TimerHandle | None = None
    _address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self.open_by_address[self._address] += 1
        if self.open_by_address[self._address] > self.limits.connections:
            transport.abort()
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_came()
        self.open_by_address[self._address] -= 1
        if not self.open_by_address[self._address]:
            del self.open_by_address[self._address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head is None and (self.cycle is None or self.cycle.response_complete):
            self._await_head()  # a further request has begun
        super().data_received(data)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._head_came()

    def _await_head(self) -> None:
        self._head_came()
        self._head = self.loop.call_later(self.limits.idle, self.transport.abort)

    def _head_came(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None


def bounded_protocol(limits: Limits) -> type[H11Protocol]:
    """A protocol class whose connections together keep to these limits."""
    return type("BoundedProtocol", (_Bounded,), {"limits": limits, "open_by_address": Counter()})
