"""A command's access to the servers of its games: fetch before it acts, send after.

The module is imported only for games on a server.
"""

from typing import TYPE_CHECKING, Any

from ledger.errors import AwayError, CheatedError, LedgerError, ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from contextlib import ExitStack

    from ledger.cli.output import Output
    from ledger.client.connection import Connection
    from ledger.client.game_sync import GameSync
    from ledger.home import Home
    from ledger.seats.seat import Seat
    from ledger.store.ledger import Ledger

__all__ = ["ServerAccess"]

READING = 2.0
"""seconds that a command waits for a server that is away, before it goes on with stored data"""
WRITING = 20.0
"""seconds that a command tries to send, and waits for other parties"""


class ServerAccess:
    """The servers that a command talks to."""

    def __init__(
        self, home: "Home", out: "Output", language: str | None, ledger: "Callable[[], Ledger]", closing: "ExitStack"
    ) -> None:
        """`ledger` opens the store of games when it is first needed; `closing` ends all connections.

        Raises UsageError where the extra `client` is not installed.
        """
        from ledger.distribution.optional_dependencies import needs_extra

        needs_extra("httpx", extra="client")
        from ledger.client.event_loop_thread import EventLoopThread
        from ledger.client.remotes import Remotes

        self.remotes: Remotes = Remotes(home)
        self._out = out
        self._language = language
        self._ledger = ledger
        self._closing = closing
        self._event_loop = EventLoopThread()
        self._carriers: dict[bytes, GameSync] = {}
        self._told: set[str] = set()
        closing.callback(self._event_loop.close)

    def run(self, coroutine: "Coroutine[Any, Any, Any]") -> Any:
        """Run a coroutine on the event loop, and return its result."""
        return self._event_loop.run(coroutine)

    def connect(self, address: str, token: bytes | None = None) -> "Connection":
        """Return the way to a server. Raises UsageError if the address is none."""
        from ledger.client.connection import Connection

        connection = Connection(address, token, patience=WRITING, language=self._language)
        if not connection.is_private and address not in self._told:
            self._told.add(address)
            self._out.note(f"{address} is not encrypted: whoever is on the way can read along, and what a link opens")
        self._closing.callback(lambda: self.run(connection.close()))
        return connection

    def carrier(self, game: bytes) -> "GameSync | None":
        """Return the way to the server that keeps a game; None for one that is on none."""
        from ledger.client.game_sync import GameSync

        if game not in self._carriers:
            remote = self.remotes.of_game(game)
            if remote is None:
                return None
            connection = self.connect(remote.address, bytes.fromhex(remote.token))
            carrier = GameSync(self._ledger(), game, connection, self.remotes, self.run, patience=WRITING)
            carrier.follower = lambda: self._follow(carrier)
            self._closing.callback(carrier.close)
            self._carriers[game] = carrier
        return self._carriers[game]

    def read_as(self, seat: "Seat", game: bytes) -> None:
        """Read a game with this party's own token from now on, which shows the others that it is present."""
        carrier = self.carrier(game)
        assert carrier is not None
        token = self.run(carrier.connection.access(game, seat.access(game)))
        carrier.connection.token = token
        self.remotes.set_token(game, token)

    def absent(self, game: bytes, names: "Sequence[str]") -> tuple[str, ...]:
        """Return those of `names` that the server says are not connected: advice; empty if it does not say."""
        carrier, remote = self.carrier(game), self.remotes.of_game(game)
        if carrier is None or remote is None or remote.table is None:
            return ()
        try:
            carrier.connection.patience = READING
            here = self.run(carrier.connection.table(bytes.fromhex(remote.table))).here
        except LedgerError:
            return ()
        finally:
            carrier.connection.patience = WRITING
        return tuple(name for name in names if name not in here)

    def _follow(self, carrier: "GameSync") -> None:
        carrier.follower = None
        self._event_loop.begin(_followed(carrier))

    def refresh(self, game: bytes) -> None:
        """Fetch a game from its server. If the server is away or cheats, print that and go on with stored data."""
        carrier = self.carrier(game)
        if carrier is None:
            return
        out = self._out
        try:
            carrier.connection.patience = READING
            carrier.fetch()
        except AwayError as error:
            out.note(f"{error}. This is the game as it is known here")
        except (CheatedError, ServerError) as error:
            out.note(str(error))
        finally:
            carrier.connection.patience = WRITING
        from verifier.log.format import glance

        for line in carrier.outbox.untaken:
            event = glance(line)
            out.note(
                f"{event.author}'s {event.type}, which was to be event {event.seq}, was not taken: another event came "
                f"first. Run it again"
            )
        carrier.outbox.untaken.clear()


async def _followed(carrier: "GameSync") -> None:
    from contextlib import suppress

    with suppress(CheatedError, ServerError):
        async for _ in carrier.follow():
            pass
