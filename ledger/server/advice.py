"""Advice: the rules' view of a log, for clients without rules of their own (specs/network.md, "Advice").

One thread computes it, on the game as it was when the request came, so the writer never waits for it. Callers take
turns. An answer that many ask for at the same moment, the state after each line, is computed once.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from ledger.analysis.advice import actions_of, explain_roll, refusal, state_of
from ledger.analysis.advice import read as read_typed
from ledger.errors import MissingError, UsageError
from ledger.network.wire import ReadBody, ReadRequest
from ledger.server.admission import Quiet
from ledger.server.limits import Caller, Gate
from ledger.server.problems import Problem, not_found
from ledger.server.turns import Turns
from ledger.store.game_view import GameView
from ledger.store.ledger import Ledger
from rules.base import NotationError
from rules.data.jsontext import UNREADABLE
from rules.data.language import Translate
from rules.data.schema import schema_problem

__all__ = ["DEFAULT_ROLLS", "Advice", "read"]

DEFAULT_ROLLS = 50
MAX_KEPT = 128
"""answers that are kept"""
MAX_KEPT_BYTES = 131_072
"""of one that is kept"""

Answer = Callable[[GameView], Any]


class Advice:
    """Answers, for the event loop."""

    def __init__(self, ledger: Ledger, gate: Gate, quiet: Quiet) -> None:
        self._ledger = ledger
        self._turns = Turns("advice", 1, gate, quiet)
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        """answers by question and size of the game; used only in the thread"""

    def close(self) -> None:
        """Answer no more."""
        self._turns.close()

    def forget(self, game: bytes) -> None:
        """Keep nothing of a game; from any thread."""
        self._turns.soon(lambda: self._forget(game))

    def _forget(self, game: bytes) -> None:
        for key in [key for key in self._kept if key[0] == game]:
            del self._kept[key]

    async def state(self, caller: Caller, game: bytes, rolls: int, language: str, translate: Translate) -> bytes:
        """JSON of the state. Raises Problem."""
        key = ("state", rolls, language)
        return await self._answer(caller, game, key, lambda view: state_of(view.replay, rolls, translate))

    async def actions(self, caller: Caller, game: bytes, party: str, language: str, translate: Translate) -> bytes:
        """Return the actions of a party, as JSON. Raises Problem."""
        key = ("actions", party, language)
        return await self._answer(caller, game, key, lambda view: actions_of(view.replay, party, translate))

    async def explain(self, caller: Caller, game: bytes, roll: int, language: str, translate: Translate) -> bytes:
        """Return the steps from a roll's naturals to its outcome, as JSON. Raises Problem."""
        key = ("explain", roll, language)
        return await self._answer(caller, game, key, lambda view: explain_roll(view.replay, roll, translate))

    async def read(self, caller: Caller, game: bytes, body: bytes, translate: Translate) -> bytes:
        """JSON of the body that was meant. Raises Problem."""
        return await self._answer(caller, game, None, lambda view: read(view, body, translate))

    async def _answer(self, caller: Caller, game: bytes, key: tuple[object, ...] | None, answer: Answer) -> bytes:
        return await self._turns.ask(caller, lambda: self._work(game, key, answer))

    def _work(self, game: bytes, key: tuple[object, ...] | None, answer: Answer) -> bytes:
        """In the thread."""
        if key is not None:
            known = self._kept.get((game, self._ledger.size(game), *key))
            if known is not None:
                return known
        try:
            view = self._ledger.view(game)
        except UsageError:
            raise not_found() from None
        try:
            found = msgspec.json.encode(answer(view), order="sorted")
        except MissingError:
            raise not_found() from None
        if key is not None and len(found) <= MAX_KEPT_BYTES:
            self._kept[game, view.replay.size, *key] = found
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        return found


def read(view: GameView, body: bytes, translate: Translate) -> ReadBody:
    """Return the body that was meant, and the system's words for it. Raises Problem."""
    try:
        asked = msgspec.json.decode(body, type=ReadRequest)
    except UNREADABLE as error:
        raise Problem(400, "malformed", schema_problem(error, body, ReadRequest)) from None
    try:
        return read_typed(view.replay, asked, translate)
    except NotationError as problem:
        text, lines = refusal(problem, translate)
        raise Problem(422, "notation", text, extra={"lines": lines}) from None
    except UsageError as problem:
        raise Problem(400, "malformed", problem.problem) from None
