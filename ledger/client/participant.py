"""A participant at a table on a server, and a spectator: a few lines for a bot (specs/network.md).

    async with await Participant.join(Home.locate(), LINK, "bob", passphrase) as bob:
        async for came in bob.watch():
            ...

It opens by itself for every roll, when it has checked all that specs/seats.md says, and commits anew when its chain is
spent; it signs nothing else unasked.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from ledger.client.carrier import Came, Carrier
from ledger.client.connection import Connection
from ledger.client.remotes import Remotes
from ledger.client.tables import Shown, agree, sit, started
from ledger.errors import AwayError, CheatedError, LedgerError, RefusedError, UsageError
from ledger.game.core import Due
from ledger.home import Home
from ledger.keeper.table import OnReading, Table
from ledger.lobby import Link, parse_link
from ledger.seats.seat import Seat
from ledger.seats.seed_chain import DEFAULT_CHAIN_LENGTH
from ledger.store.events import GameView, Receipt
from rules import Body
from rules.records import RollRecord
from verifier import Replay

__all__ = ["Participant", "Spectator", "connected"]

T = TypeVar("T")
AGAIN = 2.0
"""seconds after which a client tries again what it could not do by itself"""
HAND_ON = 10.0
"""seconds for which a stream stands until it must have handed on an opening that the keeper has signed a receipt for"""
Transport = Any
"""an `httpx.AsyncBaseTransport`, in the place of the network"""


def connected(home: Home, game: bytes, transport: Transport = None) -> tuple[Connection, Remotes]:
    """The way to the server that keeps a game of this home. Raises UsageError where none is known."""
    remotes = Remotes(home)
    remote = remotes.of_game(game)
    if remote is None:
        raise UsageError(f"game {game.hex()[:12]} is on no server that is known here")
    return Connection(remote.address, bytes.fromhex(remote.token), transport=transport), remotes


class Spectator:
    """Who follows a game and takes no part. Leave it with `close`, or use it as a context manager."""

    def __init__(
        self,
        home: Home,
        game: bytes,
        *,
        patience: float = 20.0,
        transport: Transport = None,
    ) -> None:
        """`game` is stored in `home`, and was joined or looked at by its link. Within a running event loop.

        `patience`: for how many seconds a roll waits for others before it is given back as pending.
        """
        self.home = home
        self.game = game
        self._stack = ExitStack()
        self._ledger = self._stack.enter_context(closing(home.ledger()))
        self._connection, self._remotes = connected(home, game, transport)
        self._loop = asyncio.get_running_loop()
        self._carrier = Carrier(self._ledger, game, self._connection, self._remotes, self._run, patience=patience)
        self._work = ThreadPoolExecutor(8, f"game-{game.hex()[:12]}")
        """for what is asked for: those who wait for others do not keep anybody else's work up"""
        self._listeners: list[asyncio.Queue[Came | BaseException | None]] = []
        """each ends with None where the game is closed"""
        self._following: asyncio.Task[None] | None = None
        self._again: asyncio.Task[None] | None = None
        self._closing = False
        self._ended: BaseException | None = None
        self._over = False
        """the game is closed: nothing more comes"""
        """why it follows no more"""

    @classmethod
    async def look(cls, home: Home, link: str | Link, **settings: Any) -> Self:
        """By a link; waits until the game has begun. Raises LobbyError, ServerError, CheatedError."""
        parsed = parse_link(link) if isinstance(link, str) else link
        async with Connection(parsed.address, parsed.token, transport=settings.get("transport")) as connection:
            shown = await started(connection, parsed)
            game = await agree(connection, Remotes(home), home, shown)
        return cls(home, game, **settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End: nothing is opened any more until somebody comes back."""
        self._closing = True
        for task in (self._following, self._again):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
        self._carrier.end()
        await asyncio.to_thread(self._carrier.close)
        await asyncio.to_thread(self._work.shutdown)
        await self._connection.close()
        await asyncio.to_thread(self._stack.close)

    @property
    def view(self) -> GameView:
        """The game as it stands here, verified."""
        return self._ledger.view(self.game)

    async def awaited(self) -> tuple[Replay, tuple[str, ...]]:
        """The game as it stands, and whom the roll that waits waits for: as far as openings were handed on."""

        def look() -> tuple[Replay, tuple[str, ...]]:
            kept = self._ledger.kept(self.game)
            return kept.replay, kept.awaited

        return await self._do(look)

    async def fetch(self) -> GameView:
        """The game as it stands at the server now. Raises AwayError, CheatedError, ServerError."""
        await self._do(self._carrier.fetch)
        return self.view

    async def watch(self) -> AsyncIterator[Came]:
        """What comes from now on, as it comes, until the game is closed. Goes on when the server was away.

        Raises CheatedError, ServerError.
        """
        queue: asyncio.Queue[Came | BaseException | None] = asyncio.Queue()
        self._listeners.append(queue)
        try:
            self._follow()
            while True:
                if self._ended is not None and queue.empty():
                    raise self._ended
                if self._over and queue.empty():
                    return
                came = await queue.get()
                if came is None:
                    return
                if isinstance(came, BaseException):
                    raise came
                yield came
        finally:
            self._listeners.remove(queue)

    def _follow(self) -> None:
        """Begin to follow the stream, where that was not done; from the loop."""
        if self._following is None:
            self._following = self._loop.create_task(self._listen())

    async def _listen(self) -> None:
        try:
            async for came in self._carrier.follow():
                await self._carrier.aside(partial(self._act_on, came))
                for queue in self._listeners:
                    queue.put_nowait(came)
            self._over = True
            for queue in self._listeners:
                queue.put_nowait(None)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._ended = error
            for queue in self._listeners:
                queue.put_nowait(error)
            self._carrier.heard()
            if not isinstance(error, LedgerError):
                raise

    def _act_on(self, came: Came) -> None:
        """What is done by itself."""

    async def _do(self, work: Callable[[], T]) -> T:
        """Do work on files in a thread."""
        return await self._loop.run_in_executor(self._work, work)

    def _run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


class Participant(Spectator):
    """A party with its seat. It opens by itself for as long as it is there."""

    def __init__(
        self,
        home: Home,
        game: bytes,
        name: str,
        passphrase: bytes,
        *,
        patience: float = 20.0,
        transport: Transport = None,
        links: int = DEFAULT_CHAIN_LENGTH,
        failed: Callable[[str], object] = lambda _text: None,
    ) -> None:
        """`links`: of each seed chain that it commits to.

        `failed` is told, in words, what could not be done by itself, and what the party has to know.

        Raises IdentityError, MemoryLostError, StoreError.
        """
        super().__init__(home, game, patience=patience, transport=transport)
        self.name = name
        self._failed = failed
        self._seat = self._stack.enter_context(closing(home.seat(name, passphrase)))
        self.table = Table(self._ledger, game, self._seat_of, self._carrier, links)
        """for threads: everything that a local game can do"""
        self._carrier.follower = self._begin_to_follow
        self._carrier.own = name
        self._handed_on: set[str] = set()
        """requests for which the stream had this party's opening"""

    @classmethod
    async def join(
        cls,
        home: Home,
        link: str | Link,
        name: str,
        passphrase: bytes,
        *,
        told: Callable[[Shown], object] = lambda _shown: None,
        **settings: Any,
    ) -> Self:
        """Take a seat by a link, wait for the start, check event 0, join and commit. The identity is in the home.

        Asked again it goes on where it was. `told` is told of each change at the table. Raises LobbyError, AwayError,
        ServerError, CheatedError, IdentityError.
        """
        parsed = parse_link(link) if isinstance(link, str) else link
        remotes = Remotes(home)
        identity = await asyncio.to_thread(home.identity, name, passphrase)
        async with Connection(parsed.address, parsed.token, transport=settings.get("transport")) as connection:
            known = await asyncio.to_thread(remotes.of_table, parsed.table.hex())
            if known is None or known.game is None:
                await sit(connection, remotes, parsed, identity)
            shown = await started(connection, parsed, told)
            game = await agree(connection, remotes, home, shown)
        party = cls(home, game, name, passphrase, **settings)
        try:
            await party.agree()
            await party.access()
        except BaseException:
            await party.close()
            raise
        return party

    async def agree(self) -> None:
        """Join and commit, if that is not done."""
        await self._do(self._agree)

    def _agree(self) -> None:
        self._carrier.fetch()
        for what in ("join", "commit"):
            if Due(self.name, what) in self.table.kept.outstanding():
                self.table.do(Due(self.name, what))
        self.table.tend(self.name)

    async def roll(self, line: str, on_reading: OnReading | None = None) -> RollRecord:
        """A roll, as the game writes it on one line; its status is `pending` where somebody did not open in time.

        `on_reading` as in `Table.roll`; it is called in another thread.

        Raises what `Table.roll` raises, AwayError, CheatedError.
        """
        self._carrier.be_patient()
        return await self._do(partial(self.table.roll, self.name, line, on_reading))

    async def act(self, type: str, body: Body) -> Receipt:
        """Any event, with a body of the game's schemas. Raises what `Table.act` raises, AwayError, CheatedError."""
        return await self._do(partial(self.table.act, self.name, type, body))

    async def access(self) -> None:
        """Have a token of its own, from now on: so the others see who is here. Raises AwayError, ServerError."""
        token = await self._connection.access(self.game, await self._do(partial(self._seat.access, self.game)))
        self._connection.token = token
        await self._do(partial(self._remotes.set_token, self.game, token))

    async def warnings(self) -> tuple[str, ...]:
        """What was done in the party's name or against it, each time, until `told`."""
        return await self._do(partial(self._seat.warnings, self.game))

    async def told(self, warnings: Collection[str]) -> None:
        """The owner has seen these."""
        await self._do(partial(self._seat.told, self.game, warnings))

    @property
    def kept_back(self) -> bool:
        """Whether an opening of this party's for the roll that waits, with the server's receipt, was not handed on.

        Each stream begins with all that waits, so it is late when one and the same stream has stood for `HAND_ON`
        seconds since the receipt (specs/network.md, "What a client does by itself").
        """
        pending = self.view.replay.pending
        request = "" if pending is None else pending.request.hex()
        received, standing = self._carrier.received.get(request), self._carrier.standing
        if received is None or standing is None or request in self._handed_on:
            return False
        return time.monotonic() >= max(received, standing) + HAND_ON

    async def attend(self) -> None:
        """Open for every roll from now on, in the background."""
        self._follow()
        await asyncio.sleep(0)

    def _begin_to_follow(self) -> None:
        self._loop.call_soon_threadsafe(self._follow)

    def _act_on(self, came: Came) -> None:
        pending = self.view.replay.pending if came.what == "opening" else None
        if pending is not None and came.opening is not None and came.opening.author == self.name:
            self._handed_on.add(pending.request.hex())
        if came.what in ("checkpoint", "opening", "received", "alive", "back") and not self._acted_on(came):
            self._loop.call_soon_threadsafe(self._try_again)

    def _acted_on(self, came: Came) -> bool:
        """Do what is done by itself; whether that went well. Raises CheatedError: then nothing more is done."""
        try:
            act_by_itself(self.table, self._carrier, self._seat, came)
        except AwayError:
            return False  # what is to be sent is sent when it is back
        except CheatedError:
            raise
        except LedgerError as error:
            if Due(self.name, "open") not in self.table.kept.outstanding() and not self.table.renews(self.name):
                return True  # the roll has come to its end meanwhile
            self._failed(str(error))
            return False
        return True

    def _try_again(self) -> None:
        """What could not be done is tried again soon; from the loop."""
        if not self._closing and (self._again is None or self._again.done()):
            self._again = self._loop.create_task(self._act_again())

    async def _act_again(self) -> None:
        done = False
        while not done:
            await asyncio.sleep(AGAIN)
            try:
                done = await self._carrier.aside(partial(self._acted_on, Came("alive")))
            except CheatedError:  # whoever follows is told it by the next event
                return

    def _seat_of(self, name: str) -> AbstractContextManager[Seat | None]:
        return nullcontext(self._seat if name == self.name else None)


def act_by_itself(table: Table, carrier: Carrier, seat: Seat, came: Came) -> None:
    """What a client does unasked: it opens, gives receipts for openings, keeps those for its own, commits anew.

    Raises what a seat and a carrier raise.
    """
    if came.opening is not None and came.opening.author != seat.name:
        with suppress(UsageError):  # the roll has ended
            carrier.acknowledge(seat, came.opening)
    if came.received is not None and came.received.author == seat.name:
        with suppress(UsageError):  # it is worth nothing
            seat.keep_received(came.received, table.view)
    if Due(seat.name, "open") in table.kept.outstanding():
        table.do(Due(seat.name, "open"))
    table.renew(seat.name)
    with suppress(RefusedError):  # somebody asked for dice first: then afterwards
        table.tend(seat.name)
