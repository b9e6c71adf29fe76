"""Take the lines that a server lacks after a restore (specs/network.md, "Catching up"), piece by piece."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO

from ledger.errors import BehindError, LedgerError, MissingError, NotTakenError, UsageError
from ledger.keeper.catching_up import LackingGame
from ledger.keeper.host import Host
from ledger.keeper.operations import CatchUp, CaughtUp, KeeperFailure, Resume, ResumeOutcome
from ledger.server.limits import Caller
from ledger.server.problems import Problem, problem_of, problem_of_outcome
from ledger.server.turns import Turns
from ledger.server.writer import Writer
from rules.data.language import Message

__all__ = ["CatchingUp"]

AT_A_TIME = 64
"""lines that are stored in one turn of the writer: others have theirs in between"""

IN_MEMORY = 1_000_000
"""bytes of a log that are in memory: the rest is in a file"""

MOST = 4
"""logs that are taken at the same time"""

ATTEMPTS = 5
"""at storing a log of which others store lines too"""


class CatchingUp:
    """All methods are for the event loop."""

    def __init__(self, host: Host, writer: Writer, turns: Turns) -> None:
        """`turns` run the lookups of missing lines."""
        self._host = host
        self._turns = turns
        self._writer = writer
        self._at_work: set[str] = set()
        """the addresses and the games whose logs are being taken"""

    async def take(
        self, game: bytes, caller: Caller, admit: Callable[[int], None], body: Callable[[IO[bytes]], Awaitable[None]]
    ) -> bool:
        """Take the missing lines; return False if none are missing. Raises Problem.

        `admit` is called with the number of lines before `body` writes the log to a file, and may raise.
        """
        here = 0
        try:
            lacking = await self._turns.ask(caller, lambda: self._host.lacking(game))
            if lacking is None:
                return False
            here = lacking.here
            with self._one_of(caller[0], game.hex()), SpooledTemporaryFile(IN_MEMORY) as log:
                admit(lacking.seen)
                await body(log)
                await self._store(caller, lacking, log)
        except BehindError as error:
            raise problem_of_outcome(KeeperFailure("keeper.behind", str(error), here)) from None
        except NotTakenError as error:
            raise problem_of_outcome(KeeperFailure("catch-up", str(error), here)) from None
        except UsageError as error:
            code = "not-found" if isinstance(error, MissingError) else "keeper.away"
            raise problem_of_outcome(KeeperFailure(code, str(error))) from None
        except LedgerError as error:
            raise problem_of(error) from None
        except OSError:
            text = "the server has no room for more at the moment; what has begun can be ended"
            raise Problem(503, "store.full", Message(text), retry=60) from None
        return True

    async def _store(self, caller: Caller, lacking: LackingGame | None, log: IO[bytes]) -> None:
        """Store the missing lines, without those that another process of the server has stored meanwhile."""
        attempts = ATTEMPTS
        while lacking is not None:
            game, at = lacking.game, lacking.here
            pieces = (await asyncio.to_thread(lacking.missing_in, log)).pieces(log, AT_A_TIME, IN_MEMORY)
            try:
                while piece := await asyncio.to_thread(next, pieces, ()):
                    await self._writer.operate(CatchUp(game, at, piece), CaughtUp)
                    at += len(piece)
                await self._writer.operate(Resume(game), ResumeOutcome)
                return
            except Problem as problem:
                attempts -= 1
                if problem.code != "catch-up" or not attempts:
                    raise
            lacking = await self._turns.go_on(caller, partial(self._host.lacking, game))

    @contextmanager
    def _one_of(self, address: str, game: str) -> Iterator[None]:
        """One at a time of an address, and of a game, and few in all: each is a whole log in a file."""
        if {address, game} & self._at_work or len(self._at_work) >= 2 * MOST:
            text = Message("the server is catching up with a game at the moment")
            raise Problem(429, "too-many", text, retry=1)
        self._at_work |= {address, game}
        try:
            yield
        finally:
            self._at_work -= {address, game}
