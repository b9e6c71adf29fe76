"""Bound the connections of a server, and close those that wait, to make room (specs/network.md, "Limits").

A connection costs a file descriptor. Without a free one a server can neither accept a connection nor open a file.
"""

from collections.abc import Iterable
from importlib import import_module
from operator import itemgetter
from typing import Protocol

import msgspec

from ledger.server.limits import Limits

__all__ = ["ACCEPTED_AT_ONCE", "Connections", "OpenConnection", "within_descriptors"]

ACCEPTED_AT_ONCE = 4
"""connections that are accepted before one of them is looked at"""

KEPT_FREE = 128 + 4 * ACCEPTED_AT_ONCE
"""descriptors for databases, files, what is asked of others, and connections that are about to be turned away: it takes
three turns of the event loop until one is closed"""

FEWEST = 16
"""connections of all, however few descriptors there are"""


def within_descriptors(limits: Limits) -> Limits:
    """Let this program have as many descriptors as it may, and bound connections by them."""
    try:
        resource = import_module("resource")
    except ImportError:  # Windows has no such bound
        return limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    if soft == resource.RLIM_INFINITY:
        return limits
    all_ = max(FEWEST, min(limits.concurrent, soft - KEPT_FREE))
    return msgspec.structs.replace(limits, concurrent=all_, connections=min(limits.connections, all_))


class OpenConnection(Protocol):
    """An open connection."""

    @property
    def waiting_since(self) -> float | None:
        """The time when it began to wait for a request, or the rest of one, in seconds; None if it is answered."""

    def drop(self) -> None:
        """End it at once."""


class Connections:
    """The open connections of a server, by network. None is a proxy, whose callers are counted by request."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[str | None, dict[OpenConnection, None]] = {}
        self._count = 0

    def enter(self, network: str | None, connection: OpenConnection) -> bool:
        """Count a connection; whether it may stay. Another one may have to go for it."""
        mine = self._open.setdefault(network, {})
        mine[connection] = None
        self._count += 1
        if network is not None and len(mine) > self._limits.connections:
            goes = _longest_waiting(each for each in mine if each is not connection)
            if goes is None:
                return False
            self.leave(network, goes)
            goes.drop()
        if self._count <= self._limits.concurrent:
            return True
        most = max(
            (each for each in self._open if each is not None), key=lambda each: len(self._open[each]), default=None
        )
        if most is None or most == network:
            return False
        others = self._open[most]
        goes = _longest_waiting(others) or next(reversed(others))
        self.leave(most, goes)  # now, not when it is closed: else newcomers meanwhile would count on the same room
        goes.drop()
        return True

    def move(self, before: str | None, after: str, connection: OpenConnection) -> bool:
        """Count a connection for its token's holder instead of its address; return False if that exceeds a bound."""
        if len(self._open.get(after, {})) >= self._limits.connections or connection not in self._open.get(before, {}):
            return False
        self.leave(before, connection)
        self._open.setdefault(after, {})[connection] = None
        self._count += 1
        return True

    def leave(self, network: str | None, connection: OpenConnection) -> None:
        """Forget a connection that is closed, or about to be."""
        mine = self._open.get(network, {})
        if connection in mine:
            del mine[connection]
            self._count -= 1
            if not mine:
                del self._open[network]


def _longest_waiting(connections: Iterable[OpenConnection]) -> OpenConnection | None:
    """Return the connection that has waited for its caller for longest; None if all are answered."""
    found = [(since, each) for each in connections if (since := each.waiting_since) is not None]
    return min(found, key=itemgetter(0))[1] if found else None
