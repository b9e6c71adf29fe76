"""Give the loser of a race the next turn (specs/network.md, "Losing a race"). For the event loop only."""

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

from ledger.server.limits import Bucket

__all__ = ["BUDGET", "HOLD", "LONGEST", "REFILL", "Races"]

HOLD = 0.5
"""seconds that a turn lasts at most"""
LONGEST = 1.0
"""seconds that it lasts at most where the party's turn before was too short for it"""
BUDGET = 4.0
"""seconds of turns that a party of a game can have in a row"""
REFILL = 0.1
"""seconds of turns that a party of a game gets back in a second"""
SWEEP = 1_000
"""turns between two sweeps of idle parties"""


class _Party:
    """The budget of one party in one game."""

    def __init__(self, now: float) -> None:
        self.budget = Bucket(REFILL, BUDGET, now)
        self.next = HOLD


class _Turn(NamedTuple):
    author: str
    began: float
    ends: asyncio.TimerHandle


class _RacingGame:
    """A game in which somebody has a turn."""

    def __init__(self) -> None:
        self.turn: _Turn | None = None
        self.row: list[str] = []
        """the other parties that lost a race, in the order of their turns; each once"""
        self.changed = asyncio.Event()


class Races:
    """Holds others' lines back while a loser has its turn, until its line is stored or the turn ends."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._games: dict[bytes, _RacingGame] = {}
        self._parties: dict[tuple[bytes, str], _Party] = {}
        self._count = 0

    async def wait(self, game: bytes, author: str) -> None:
        """Wait while it is another party's turn in a game."""
        while (state := self._games.get(game)) is not None and state.turn is not None and state.turn.author != author:
            await state.changed.wait()

    def lost(self, game: bytes, author: str) -> None:
        """Give the author of a signed line that lost a race a turn, after the earlier turns."""
        state = self._games.setdefault(game, _RacingGame())
        if (state.turn is not None and state.turn.author == author) or author in state.row:
            return
        state.row.append(author)
        if state.turn is None:
            self._next(game, state)

    def wrote(self, game: bytes, author: str) -> None:
        """End the author's turn: its line is stored."""
        state = self._games.get(game)
        if state is not None and state.turn is not None and state.turn.author == author:
            self._end(game, state, used=True)

    def _next(self, game: bytes, state: _RacingGame) -> None:
        """Begin the turn of the next party with budget left; none if no party has any."""
        state.turn, now = None, self._clock()
        while state.row and state.turn is None:
            author = state.row.pop(0)
            party = self._party(game, author, now)
            # The unused part of a turn is given back when it ends.
            if party.budget.take(now, party.next) == 0:
                ends = asyncio.get_running_loop().call_later(party.next, self._over, game, author)
                state.turn = _Turn(author, now, ends)
        if state.turn is None:
            del self._games[game]
        before, state.changed = state.changed, asyncio.Event()
        before.set()

    def _over(self, game: bytes, author: str) -> None:
        state = self._games.get(game)
        if state is not None and state.turn is not None and state.turn.author == author:
            self._end(game, state, used=False)

    def _end(self, game: bytes, state: _RacingGame, *, used: bool) -> None:
        assert state.turn is not None
        author, began, ends = state.turn
        ends.cancel()
        now = self._clock()
        party = self._party(game, author, now)
        if used:
            party.budget.give(party.next - (now - began))
        party.next = HOLD if used else min(2 * party.next, LONGEST)
        self._next(game, state)

    def _party(self, game: bytes, author: str, now: float) -> _Party:
        self._count += 1
        if self._count % SWEEP == 0:
            idle = [key for key, party in self._parties.items() if party.budget.is_full(now)]
            for key in idle:
                del self._parties[key]
        return self._parties.setdefault((game, author), _Party(now))
