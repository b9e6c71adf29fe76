"""A command's way to the servers that keep its games: fetched before, sent after.

Loaded for games on a server alone.
"""

from typing import TYPE_CHECKING, Any

from ledger.cli.app import Call
from ledger.errors import AwayError, CheatedError, ServerError, UsageError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from ledger.client.carrier import Carrier
    from ledger.client.connection import Connection

__all__ = ["Remoted"]

READING = 4.0
"""seconds that a command waits for a server that is away, before it goes on with what is here"""
WRITING = 20.0
"""seconds that it tries to send, and that it waits for what others do"""


class Remoted:
    """The servers that a command talks to. Ends with the call."""

    def __init__(self, call: Call) -> None:
        """Raises UsageError where the extra `client` is not installed."""
        try:
            from ledger.client.portal import Portal
            from ledger.client.remotes import Remotes
        except ImportError:
            raise UsageError("a table on a server needs more packages", "extra.install", "client") from None
        self.call = call
        self.remotes: Remotes = Remotes(call.home)
        self._portal = Portal()
        self._carriers: dict[bytes, Carrier] = {}
        call.closing.callback(self._portal.close)

    def run(self, coroutine: "Coroutine[Any, Any, Any]") -> Any:
        """Run it on the portal's loop."""
        return self._portal.run(coroutine)

    def connect(self, address: str, token: bytes | None = None) -> "Connection":
        """The way to a server. Raises UsageError where the address is none."""
        from ledger.client.connection import Connection

        if not address.startswith(("http://", "https://")):
            raise UsageError(f"{address!r} is no server's address: it begins with https:// (or http://)")
        connection = Connection(address, token, patience=WRITING, language=self.call.language)
        self.call.closing.callback(lambda: self.run(connection.close()))
        return connection

    def carrier(self, game: bytes) -> "Carrier | None":
        """The way to the server that keeps a game; None for one that is on none."""
        from ledger.client.carrier import Carrier

        if game not in self._carriers:
            remote = self.remotes.of_game(game)
            if remote is None:
                return None
            connection = self.connect(remote.address, bytes.fromhex(remote.token))
            carrier = Carrier(self.call.ledger, game, connection, self.remotes, self.run, patience=WRITING)
            carrier.follower = lambda: self._follow(carrier)
            self.call.closing.callback(carrier.close)
            self._carriers[game] = carrier
        return self._carriers[game]

    def _follow(self, carrier: "Carrier") -> None:
        carrier.follower = None
        self._portal.begin(_followed(carrier))

    def refresh(self, game: bytes) -> None:
        """Bring a game up to what its server has. Where it is away, or cheats, that is said; what is here is used."""
        carrier = self.carrier(game)
        if carrier is None:
            return
        out = self.call.out
        try:
            carrier.connection.patience = READING
            carrier.fetch()
        except AwayError as error:
            out.note(f"{error}. This is the game as it is known here")
        except (CheatedError, ServerError) as error:
            out.note(str(error))
        finally:
            carrier.connection.patience = WRITING
        from verifier.format import glance

        for line in carrier.untaken:
            event = glance(line)
            out.note(
                f"{event.author}'s {event.type}, which was to be event {event.seq}, was not taken: another event came "
                f"first. Run it again"
            )
        carrier.untaken.clear()


async def _followed(carrier: "Carrier") -> None:
    from contextlib import suppress

    with suppress(CheatedError, ServerError):
        async for _ in carrier.follow():
            pass
