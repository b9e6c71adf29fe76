"""A participant at a table on a server, and a spectator: a few lines for a bot (specs/network.md).

    async with await Participant.join(Home.locate(), LINK, "bob", passphrase) as bob:
        async for came in bob.watch():
            ...

A participant opens for every roll by itself, after all checks of specs/seats.md, and commits to a new chain when its
chain is spent. It signs nothing else unasked.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from ledger.client.connection import Connection
from ledger.client.game_sync import GameSync
from ledger.client.inbox import RemoteUpdate
from ledger.client.remotes import Remotes
from ledger.client.tables import CheckedTable, agree, sit, wait_for_start
from ledger.errors import AwayError, CheatedError, LedgerError, RefusedError, UsageError
from ledger.game.core import Due
from ledger.home import Home
from ledger.keeper.table import OnReading, Table
from ledger.lobby import Link, parse_link
from ledger.seats.seat import Seat
from ledger.seats.seed_chain import DEFAULT_CHAIN_LENGTH
from ledger.store.game_view import GameView
from ledger.store.receipts import Receipt
from rules import Body
from rules.records import RollRecord
from verifier import Replay

__all__ = ["Participant", "Spectator", "connect"]

T = TypeVar("T")
AGAIN = 2.0
"""seconds after which a client retries an automatic step that failed"""
HAND_ON = 10.0
"""seconds within which a stream must hand on an opening for which the keeper has signed a receipt"""
Transport = Any
"""an `httpx.AsyncBaseTransport` that replaces the network"""


def connect(home: Home, game: bytes, transport: Transport = None) -> tuple[Connection, Remotes]:
    """Connect to the server that keeps a game of this home. Raises UsageError if no server is known."""
    remotes = Remotes(home)
    remote = remotes.of_game(game)
    if remote is None:
        raise UsageError(f"game {game.hex()[:12]} is on no server that is known here")
    return Connection(remote.address, bytes.fromhex(remote.token), transport=transport), remotes


class Spectator:
    """Follows a game without taking part. Leave it with `close`, or use it as a context manager."""

    def __init__(
        self,
        home: Home,
        game: bytes,
        *,
        patience: float = 20.0,
        transport: Transport = None,
    ) -> None:
        """Call it within a running event loop. `game` is stored in `home`, and was joined or looked at by its link.

        `patience`: the seconds that a roll waits for others before it is returned as pending.
        """
        self.home = home
        self.game = game
        self._stack = ExitStack()
        self._ledger = self._stack.enter_context(closing(home.ledger()))
        self._connection, self._remotes = connect(home, game, transport)
        self._loop = asyncio.get_running_loop()
        self._carrier = GameSync(self._ledger, game, self._connection, self._remotes, self._run, patience=patience)
        self._work = ThreadPoolExecutor(8, f"game-{game.hex()[:12]}")
        """runs the caller's work; several threads, so that a roll that waits delays nothing else"""
        self._listeners: list[asyncio.Queue[RemoteUpdate | BaseException | None]] = []
        """one queue for each `watch`; None says that the game is closed"""
        self._following: asyncio.Task[None] | None = None
        self._again: asyncio.Task[None] | None = None
        self._closing = False
        self._ended: BaseException | None = None
        """the error that ended the following"""
        self._over = False
        """the game is closed, or this: no update follows"""

    @classmethod
    async def look(cls, home: Home, link: str | Link, **settings: Any) -> Self:
        """Watch a game by its link; wait until it has begun. Raises LobbyError, ServerError, CheatedError."""
        parsed = parse_link(link) if isinstance(link, str) else link
        async with Connection(parsed.address, parsed.token, transport=settings.get("transport")) as connection:
            shown = await wait_for_start(connection, parsed)
            game = await agree(connection, Remotes(home), home, shown)
        return cls(home, game, **settings)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Stop following; whoever watches is told nothing more. A closed participant opens for no roll."""
        self._closing = True
        for task in (self._following, self._again):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
        self._end_watching()
        self._carrier.end()
        await asyncio.to_thread(self._carrier.close)
        await asyncio.to_thread(self._work.shutdown)
        await self._connection.close()
        await asyncio.to_thread(self._stack.close)

    @property
    def view(self) -> GameView:
        """The stored game, verified."""
        return self._ledger.view(self.game)

    async def awaited(self) -> tuple[Replay, tuple[str, ...]]:
        """Return the stored game, and the parties that have yet to open, as far as openings have arrived."""

        def look() -> tuple[Replay, tuple[str, ...]]:
            kept = self._ledger.kept(self.game)
            return kept.replay, kept.awaited

        return await self._do(look)

    async def fetch(self) -> GameView:
        """Fetch the game from the server, and return it. Raises AwayError, CheatedError, ServerError."""
        await self._do(self._carrier.fetch)
        return self.view

    async def watch(self) -> AsyncIterator[RemoteUpdate]:
        """Yield each update from now on until the game, or this, is closed. Reconnects when the server was away.

        Raises CheatedError, ServerError.
        """
        queue: asyncio.Queue[RemoteUpdate | BaseException | None] = asyncio.Queue()
        self._listeners.append(queue)
        try:
            if not self._closing:
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
        """Start to follow the stream, once; call it on the loop."""
        if self._following is None:
            self._following = self._loop.create_task(self._listen())

    async def _listen(self) -> None:
        try:
            async for came in self._carrier.follow():
                await self._carrier.aside(partial(self._act_on, came))
                for queue in self._listeners:
                    queue.put_nowait(came)
            self._end_watching()
        except Exception as error:
            self._ended = error
            for queue in self._listeners:
                queue.put_nowait(error)
            self._carrier.heard()
            if not isinstance(error, LedgerError):
                raise

    def _end_watching(self) -> None:
        self._over = True
        for queue in self._listeners:
            queue.put_nowait(None)

    def _act_on(self, came: RemoteUpdate) -> None:
        """React to an update in the follower's thread; a spectator does nothing."""

    async def _do(self, work: Callable[[], T]) -> T:
        """Do work on files in a thread."""
        return await self._loop.run_in_executor(self._work, work)

    def _run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


class Participant(Spectator):
    """A party with its seat. It opens for every roll while it is connected."""

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
        on_failure: Callable[[str], object] = lambda _text: None,
    ) -> None:
        """`links`: the length of each seed chain that the party commits to.

        `on_failure` receives, as text, each automatic step that failed, and what the party has to know.

        Raises IdentityError, MemoryLostError, StoreError.
        """
        super().__init__(home, game, patience=patience, transport=transport)
        self.name = name
        self._on_failure = on_failure
        self._seat = self._stack.enter_context(closing(home.seat(name, passphrase)))
        self.table = Table(self._ledger, game, self._seat_of, self._carrier, links)
        """everything that a local game can do; for threads"""
        self._carrier.follower = self._begin_to_follow
        self._carrier.outbox.own = name
        self._handed_on: set[str] = set()
        """requests (leaf hash, hex) for which the stream showed this party's opening"""

    @classmethod
    async def join(
        cls,
        home: Home,
        link: str | Link,
        name: str,
        passphrase: bytes,
        *,
        on_change: Callable[[CheckedTable], object] = lambda _shown: None,
        **settings: Any,
    ) -> Self:
        """Take a seat by a link, wait for the start, check event 0, join and commit. The identity is in the home.

        A second call resumes at the step that was reached. `on_change` receives each change at the table. Raises
        LobbyError, AwayError, ServerError, CheatedError, IdentityError.
        """
        parsed = parse_link(link) if isinstance(link, str) else link
        remotes = Remotes(home)
        identity = await asyncio.to_thread(home.identity, name, passphrase)
        async with Connection(parsed.address, parsed.token, transport=settings.get("transport")) as connection:
            known = await asyncio.to_thread(remotes.of_table, parsed.table.hex())
            if known is None or known.game is None:
                await sit(connection, remotes, parsed, identity)
            shown = await wait_for_start(connection, parsed, on_change)
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
        """Join and commit, unless that is done."""
        await self._do(self._agree)

    def _agree(self) -> None:
        self._carrier.fetch()
        self.table.take_place(self.name)
        for what in ("join", "commit"):
            if Due(self.name, what) in self.table.kept.outstanding():
                self.table.do(Due(self.name, what))
        self.table.tend(self.name)

    async def roll(self, line: str, on_reading: OnReading | None = None) -> RollRecord:
        """Roll by a line in the game's notation; the status is `pending` if a party did not open in time.

        `on_reading` is that of `Table.roll`, called in another thread.

        Raises what `Table.roll` raises, AwayError, CheatedError.
        """
        self._carrier.be_patient()
        return await self._do(partial(self.table.roll, self.name, line, on_reading))

    async def act(self, type: str, body: Body) -> Receipt:
        """Sign an event with a body of the game's schemas. Raises what `Table.act` raises, AwayError, CheatedError."""
        return await self._do(partial(self.table.act, self.name, type, body))

    async def access(self) -> None:
        """Use a token of the party's own from now on, which shows the others that it is present.

        Raises AwayError, ServerError.
        """
        token = await self._connection.access(self.game, await self._do(partial(self._seat.access, self.game)))
        self._connection.token = token
        await self._do(partial(self._remotes.set_token, self.game, token))

    async def warnings(self) -> tuple[str, ...]:
        """Return the warnings about acts in the party's name or against it, until `dismiss_warnings`."""
        return await self._do(partial(self._seat.keyless.warnings, self.game))

    async def dismiss_warnings(self, warnings: Collection[str]) -> None:
        """Mark warnings as seen by the owner."""
        await self._do(partial(self._seat.keyless.dismiss_warnings, self.game, warnings))

    @property
    def kept_back(self) -> bool:
        """True if the server gave a receipt for this party's opening, and does not hand the opening on.

        Each stream begins with all openings of the pending roll. The opening is late when one stream has lasted for
        `HAND_ON` seconds since the receipt (specs/network.md, "What a client does by itself").
        """
        pending = self.view.replay.pending
        request = "" if pending is None else pending.request.hex()
        received, standing = self._carrier.outbox.received.get(request), self._carrier.standing
        if received is None or standing is None or request in self._handed_on:
            return False
        return time.monotonic() >= max(received, standing) + HAND_ON

    async def attend(self) -> None:
        """Open for every roll from now on, in the background."""
        self._follow()
        await asyncio.sleep(0)

    def _begin_to_follow(self) -> None:
        self._loop.call_soon_threadsafe(self._follow)

    def _act_on(self, came: RemoteUpdate) -> None:
        if came.opening is not None and came.opening.author == self.name:
            pending = self.view.replay.pending
            if pending is not None:
                self._handed_on.add(pending.request.hex())
        if came.what in ("checkpoint", "opening", "received", "alive", "back") and not self._acted_on(came):
            self._loop.call_soon_threadsafe(self._try_again)

    def _acted_on(self, came: RemoteUpdate) -> bool:
        """Do the automatic steps; return False if they have to be retried. Raises CheatedError, which ends them."""
        try:
            act_by_itself(self.table, self._carrier, self._seat, came)
        except AwayError:
            return False  # it is sent when the server is back
        except CheatedError:
            raise
        except LedgerError as error:
            if Due(self.name, "open") not in self.table.kept.outstanding() and not self.table.renews(self.name):
                return True  # the roll has ended meanwhile
            self._on_failure(str(error))
            return False
        return True

    def _try_again(self) -> None:
        """Retry the automatic steps soon; call it on the loop."""
        if not self._closing and (self._again is None or self._again.done()):
            self._again = self._loop.create_task(self._act_again())

    async def _act_again(self) -> None:
        done = False
        while not done:
            await asyncio.sleep(AGAIN)
            try:
                done = await self._carrier.aside(partial(self._acted_on, RemoteUpdate("alive")))
            except CheatedError:  # the next update reports it to each `watch`
                return

    def _seat_of(self, name: str) -> AbstractContextManager[Seat | None]:
        return nullcontext(self._seat if name == self.name else None)


def act_by_itself(table: Table, carrier: GameSync, seat: Seat, came: RemoteUpdate) -> None:
    """Do what a client does unasked: open, give receipts for openings, keep those for its own, commit anew, go on under
    a new key by the event's word.

    Raises what `Seat` and `GameSync` raise.
    """
    if came.opening is not None and came.opening.author != seat.name:
        with suppress(UsageError, RefusedError):  # the roll has ended, and perhaps the next one waits
            carrier.acknowledge(seat, came.opening)
    if came.received is not None and came.received.author == seat.name:
        with suppress(UsageError):  # the receipt is invalid
            seat.keyless.keep_received(came.received, table.view)
    if Due(seat.name, "open") in table.kept.outstanding():
        table.do(Due(seat.name, "open"))
    table.take_place(seat.name)
    table.renew(seat.name)
    with suppress(RefusedError):  # another party's request came first: retried after that roll
        table.tend(seat.name)
