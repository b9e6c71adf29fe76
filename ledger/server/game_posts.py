"""Lines, openings and receipts that parties post to a game (specs/network.md, "Paths")."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import IO

from ledger.game.core import refusal_of
from ledger.keeper.calling_away import HEARD, IDLE
from ledger.keeper.host import Host
from ledger.keeper.keepers import ends
from ledger.keeper.operations import (
    Acceptance,
    HandIn,
    HandInReceived,
    Offer,
    OpeningOutcome,
    ReceiptOutcome,
    Rejection,
    Resume,
    ResumeOutcome,
)
from ledger.server.catching_up import CatchingUp
from ledger.server.limits import Caller
from ledger.server.problems import Problem, not_found, problem_of, problem_of_outcome
from ledger.server.races import Races
from ledger.server.readers import Readers
from ledger.server.room import Room
from ledger.server.writer import Writer, answer_of
from rules.data.language import Message
from verifier import Failure, NoteError
from verifier.log.format import glance
from verifier.opening import ReceivedOpening, parse_received, parse_sent

__all__ = ["GamePosts"]


class GamePosts:
    """Takes what parties post to their games. All methods are for the event loop."""

    def __init__(self, host: Host, writer: Writer, readers: Readers, room: Room) -> None:
        self._ledger = host.ledger
        self._writer = writer
        self._readers = readers
        self._room = room
        self._races = Races()
        self._catching_up = CatchingUp(host, writer, readers.turns)
        self._looking: dict[bytes, asyncio.Task[None]] = {}
        """by game: the keeper's next looks, after somebody was called away"""

    async def offer(self, game: bytes, line: bytes) -> tuple[bool, int, bytes]:
        """Take a line; whether it is new, its number, and the keeper's checkpoint. Raises Problem."""
        if self._room.full and not ends(line):
            self._room.check()
        author = _author(line)
        await self._races.wait(game, author)
        outcome = await self._writer.ask(Offer(game, line))
        if isinstance(outcome, Rejection) and outcome.author is not None:
            self._races.lost(game, outcome.author)
        if not isinstance(outcome, Acceptance):
            raise problem_of_outcome(outcome)
        if outcome.new:
            self._races.wrote(game, author)
            if glance(line).type == "away":
                self._look_later(game)
        return answer_of(outcome)

    def _look_later(self, game: bytes) -> None:
        """Have the keeper look again later: a party called away may have been heard just now, and then no more."""
        before = self._looking.pop(game, None)  # the new line was looked at just now, so the clock starts again
        if before is not None:
            before.cancel()
        self._looking[game] = asyncio.get_running_loop().create_task(self._look_again(game))

    async def _look_again(self, game: bytes) -> None:
        for seconds in (HEARD + 1.0, IDLE - HEARD):
            await asyncio.sleep(seconds)
            with contextlib.suppress(Problem):
                await self._writer.operate(Resume(game), ResumeOutcome)
        del self._looking[game]

    async def hand_in(self, game: bytes, body: bytes) -> tuple[bool, ReceivedOpening | None]:
        """Take an opening; whether it is new, and the keeper's receipt for it. Raises Problem.

        There is no receipt where the roll was ended before the keeper had signed one.
        """
        try:
            sent = parse_sent(body)
        except NoteError as problem:
            raise Problem(400, "malformed", problem) from None
        if sent.game != game.hex():
            raise Problem(422, "opening.set", Message("this is an opening for another game"))
        outcome = await self._writer.operate(HandIn(sent), OpeningOutcome)
        return outcome.new, outcome.received

    async def hand_on(self, game: bytes, body: bytes) -> None:
        """Hand a participant's receipt for an opening on to all. Raises Problem."""
        try:
            received = parse_received(body)
        except NoteError as problem:
            raise Problem(400, "malformed", problem) from None
        if received.game != game.hex():
            raise Problem(422, "opening.set", Message("this is a receipt for another game"))
        await self._writer.operate(HandInReceived(received), ReceiptOutcome)

    async def catch_up(
        self, game: bytes, caller: Caller, admit: Callable[[int], None], body: Callable[[IO[bytes]], Awaitable[None]]
    ) -> None:
        """Take the lines that are missing here, as `CatchingUp.take`. Raises Problem."""
        if await self._catching_up.take(game, caller, admit, body):
            self._readers.hub.end(game)  # readers that began meanwhile lack earlier news: they reconnect

    async def checkpoint(self, caller: Caller, game: bytes) -> bytes:
        """Return the keeper's latest checkpoint. Raises Problem."""
        found = await self._readers.turns.ask(caller, lambda: self._ledger.checkpoint(game))
        if found is None:
            raise not_found()
        return bytes(found)


def _author(line: bytes) -> str:
    """Return the author that a line names. Raises Problem for a malformed line, which the writer never sees."""
    try:
        return glance(line).author
    except Failure as failure:
        raise problem_of(refusal_of(failure)) from None
