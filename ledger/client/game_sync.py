"""Synchronize a stored game with the server that keeps it: verify and store what arrives, send what is written.

Threads work on files and call the methods of `GameSync`, whose `run` executes coroutines on the event loop.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Condition
from typing import Any, TypeVar

from ledger.client.connection import FIRST_WAIT, LONGEST_WAIT, Connection
from ledger.client.inbox import Inbox, RemoteUpdate, decode_event
from ledger.client.outbox import Outbox
from ledger.client.remotes import Remotes
from ledger.client.sse import StreamError
from ledger.errors import AwayError
from ledger.network.wire import Bye
from ledger.seats.seat import Seat
from ledger.store.ledger import Ledger
from ledger.store.receipts import Receipt
from verifier.log.bodies import Opening

__all__ = ["GameSync"]

_T = TypeVar("_T")


class GameSync:
    """Synchronizes one stored game with its server; a `ledger.keeper.table.Carrier`.

    Threads call all methods but `follow` and `aside`, which are coroutines.
    """

    def __init__(
        self,
        ledger: Ledger,
        game: bytes,
        connection: Connection,
        remotes: Remotes,
        run: Callable[[Coroutine[Any, Any, Any]], Any],
        *,
        patience: float = 20.0,
    ) -> None:
        """`run` executes a coroutine on the event loop for a thread, and returns its result.

        `patience`: the seconds that all calls of `wait` together wait for other parties.
        """
        self.connection = connection
        self.inbox = Inbox(ledger, game, connection, remotes, run, self.heard)
        self.outbox = Outbox(self.inbox, connection, remotes, run)
        self.standing: float | None = None
        """when the current stream began (`time.monotonic`); None without a stream"""
        self.follower: Callable[[], None] | None = None
        """starts to follow the stream if nobody follows it yet"""
        self._patience = patience
        self._deadline: float | None = None
        self._aside = ThreadPoolExecutor(1, f"follow-{game.hex()[:12]}")
        self._news = Condition()
        self._count = 0
        self._seen = 0

    def end(self) -> None:
        """Stop waiting: each thread in `wait` returns False."""
        self.connection.patience = 0.0
        self._patience, self._deadline = 0.0, 0.0
        self.heard()

    def close(self) -> None:
        """Stop the worker thread when its current work is done."""
        self.end()
        self._aside.shutdown(cancel_futures=True)

    async def aside(self, work: Callable[[], _T]) -> _T:
        """Do work on files in the follower's own thread, one task at a time. Tasks that wait for it run elsewhere."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    # --- one thing after the other -----------------------------------------------------------------------------------

    def fetch(self) -> None:
        """Fetch all that the server has, then send the lines and the opening that it lacks."""
        self.inbox.catch_up()
        self.outbox.send_kept()

    def offer(self, line: bytes) -> Receipt:
        """Send a line to the keeper. It is kept on disk until the keeper has taken it."""
        return self.outbox.offer(line)

    def hand_in(self, seat: Seat, opening: Opening) -> None:
        """Hand in a party's opening; the seat keeps the keeper's receipt."""
        self.outbox.hand_in(seat, opening)

    def acknowledge(self, seat: Seat, opening: Opening) -> None:
        """Send a party's receipt for another party's opening."""
        self.outbox.acknowledge(seat, opening)

    # --- following ---------------------------------------------------------------------------------------------------

    def heard(self) -> None:
        """Wake all threads in `wait`."""
        with self._news:
            self._count += 1
            self._news.notify_all()

    def wait(self) -> bool:
        """Wait until the server has sent something; False after `patience` seconds altogether."""
        self.inbox.check()
        if self.follower is not None:
            self.follower()
        now = time.monotonic()
        self._deadline = now + self._patience if self._deadline is None else self._deadline
        with self._news:
            self._news.wait_for(lambda: self._count != self._seen, max(0.0, self._deadline - now))
            there, self._seen = self._count != self._seen and self._patience > 0, self._count
        self.inbox.check()
        return there

    def be_patient(self) -> None:
        """Restart the clock of `wait`, so that it waits for the full `patience` again."""
        self._deadline = None

    async def follow(self, start: int | None = None) -> AsyncIterator[RemoteUpdate]:
        """Yield each update from line `start` on, or from the first line that is not stored; each line once.

        Ends when the game is closed and the server says so. Reconnects when the server is away.
        Raises CheatedError; ServerError if the server refuses.
        """
        cursor = await self.aside(lambda: self.inbox.size) if start is None else start
        wait, away = FIRST_WAIT, False
        while True:
            pause: float | None = None
            try:
                async with self.connection.stream(self.inbox.game, cursor) as events:
                    async for event in events:
                        if self.standing is None:
                            self.standing = time.monotonic()
                        if away:
                            away = False
                            yield RemoteUpdate("back")
                        wait = FIRST_WAIT
                        if event.name == "bye":
                            pause = _retry(event.data)
                            if pause is None and await self.aside(self.inbox.is_closed):
                                return
                            break
                        came = await self.aside(partial(self.inbox.take, event))
                        if came is not None:
                            cursor = cursor if came.seq is None else came.seq + 1
                            self.heard()
                            yield came
            except (AwayError, StreamError) as error:
                if not away:
                    away = True
                    yield RemoteUpdate("away", text=str(error))
            finally:
                self.standing = None
            self.inbox.check()
            await asyncio.sleep(pause if pause is not None else wait * random.uniform(0.5, 1.0))  # noqa: S311
            wait = min(2 * wait, LONGEST_WAIT)
            with suppress(AwayError):
                await self.aside(self.fetch)  # both sides catch up before the next stream


def _retry(data: bytes) -> float | None:
    """Return the seconds after which to reconnect; None if the server says the stream has ended. Raises StreamError."""
    retry = decode_event(data, Bye).retry
    return None if retry is None else float(min(retry, LONGEST_WAIT))
