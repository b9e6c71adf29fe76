"""The keeper's core: one game as its keeper's program holds it (specs/protocol.md, "The course of a roll").

It takes or refuses lines and openings, and exposes pending duties and their parties. It reads no clock, file
or database, signs nothing and prints nothing: other modules store, send and sign.

    idle      join, commit        whoever has to, before the next roll
    pending   take                the keeper signs over the request
              open                the contributors, each for itself, in any order
              open                the closer of the roll, when it has all the others' openings
              reveal              the keeper
    voided    disclose            the keeper
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from ledger.errors import RefusedError
from ledger.game.signature_cache import verify_once
from rules import Event
from rules.data.language import N_, Message
from rules.protocol import Phase
from verifier import Failure, Replay
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.dice.derivation import received_message, roll_seed
from verifier.dice.pending import draw_all, in_order
from verifier.log.bodies import Opening, Reveal
from verifier.log.format import glance
from verifier.log.signatures import Check, verify_now
from verifier.opening import ReceivedOpening

__all__ = ["MAX_CLOCK_SKEW", "Due", "KeptGame", "refusal_of", "reveal_of"]

MAX_CLOCK_SKEW = timedelta(minutes=5)
"""how far ahead of the keeper's clock an event's time may be"""


class Due(msgspec.Struct, frozen=True):
    """Something that the course of the game asks of a party now."""

    party: str
    what: Literal["join", "commit", "take", "open", "reveal", "disclose"]


class KeptGame:
    """A game up to its latest line, with the openings that came for the roll that waits.

    What it takes goes to every party: lines, openings, checkpoints.
    """

    def __init__(
        self,
        replay: Replay | None = None,
        checkpoint: SignedCheckpoint | None = None,
        openings: Iterable[Opening] = (),
    ) -> None:
        """`checkpoint` is the keeper's latest, of this game; `openings` were taken for the pending request."""
        self.replay = replay or Replay()
        self.checkpoint = checkpoint
        self.latest: tuple[bytes, ...] = ()
        """the last lines that were offered, two at most: whoever looks at what is new needs no more"""
        self.bytes = 0
        """of the lines that were taken here, with their line feeds"""
        self._openings: dict[str, Opening] = {}
        self.restore(openings)

    def restore(self, openings: Iterable[Opening]) -> None:
        """Restore the openings that were taken for the pending request."""
        self._openings = {opening.author: opening for opening in openings}

    @property
    def taken(self) -> int:
        """Return the number of events that the keeper has signed over, by an event of its own or its checkpoint."""
        return max(self.replay.sealed + 1, 0 if self.checkpoint is None else self.checkpoint.head.size)

    @property
    def openings(self) -> tuple[Opening, ...]:
        """Those that were taken for the pending request, in the order of their coming."""
        return tuple(self._openings.values())

    def snapshot(self) -> Replay:
        """Return a snapshot of the game, which does not change when the game goes on."""
        return self.replay.copy()

    def offer(self, line: bytes, now: str | None, check: Check = verify_now) -> Event:
        """Take the next event, a line without its line feed. `now` is the time in the log's form; None asks no clock.

        Raises RefusedError where the log would not verify with it (a stale head among the reasons), or where it is
        dated ahead; the game is then unchanged. Later events cannot be earlier than this one, so a clock that runs
        ahead would drag the game along. It is not asked of an event that is no later than the one before: that drags
        nothing along, and after this clock was set back every event is so until it has caught up.
        """
        problem = None if now is None else self._ahead(line, now)
        try:
            event = (self.replay.copy() if problem else self.replay).step(line, check)
        except Failure as failure:
            raise refusal_of(failure) from None
        if problem is not None:
            raise RefusedError(problem, "time.ahead", None)
        self.latest = (*self.latest[-1:], line)
        self.bytes += len(line) + 1
        if self.replay.pending is None or self.replay.pending.seq == event.seq:
            self._openings.clear()
        return event

    def follow(self, line: bytes) -> None:
        """Take the next line of a log that was verified before (`Replay.follow`). Raises Failure."""
        self.latest = ()
        self.replay.follow(line)
        self.bytes += len(line) + 1

    def take(self, opening: Opening, check: Check = verify_once) -> bool:
        """Take a contributor's opening for the pending request; whether it is new. Raises RefusedError.

        Never the keeper's: anybody who saw it would know the dice before all have opened.
        """
        if opening.author == self.replay.terms.keeper:
            text = N_("{keeper} keeps the log and opens last, in the reveal itself")
            raise RefusedError(Message(text, keeper=opening.author), "opening.set", None)
        try:
            self.replay.check_opening(opening, check)
        except Failure as failure:
            raise refusal_of(failure) from None
        known = opening.author in self._openings
        self._openings.setdefault(opening.author, opening)
        return not known

    def check_received(self, received: ReceivedOpening) -> None:
        """Verify a receipt for an opening that was taken for the pending request. Raises RefusedError."""
        keys, pending, opening = self.replay.terms.keys, self.replay.pending, self._openings.get(received.author)
        if pending is None or opening is None or received.request != pending.request.hex():
            text = N_("No opening of {author} was taken for this request, so there is no receipt for it.")
            raise RefusedError(Message(text, author=received.author), "opening.set", None)
        if received.receiver not in keys or (received.index, received.link) != (opening.index, opening.link):
            text = N_("This is no receipt by a party of this game for the opening that {author} gave.")
            raise RefusedError(Message(text, author=received.author), "opening.link", None)
        link = bytes.fromhex(received.link)
        message = received_message(self.replay.game, pending.request, received.author, received.index, link)
        if not keys[received.receiver].verify(bytes.fromhex(received.sig), message):
            text = N_("The signature of this receipt is not {receiver}'s.")
            raise RefusedError(Message(text, receiver=received.receiver), "opening.signature", None)

    def outstanding(self) -> tuple[Due, ...]:
        """Return the protocol's duties that can be done now. The session gives the choices that the rules wait for."""
        replay = self.replay
        if not replay.size:
            return ()
        session, keeper = replay.session, replay.terms.keeper
        if session.phase is Phase.VOIDED:
            return (Due(keeper, "disclose"),)
        if session.phase is Phase.PENDING:
            return self._outstanding_of_roll()
        if session.phase is Phase.CLOSED:
            return ()
        present = [name for name in replay.terms.roles if name not in session.parties.left | session.parties.away]
        joins = [Due(name, "join") for name in present if name not in session.parties.joined]
        return (
            *joins,
            *(Due(name, "commit") for name in present if name in session.parties.joined and self._spent(name)),
        )

    @property
    def awaited(self) -> tuple[str, ...]:
        """Return the parties that still have to open for the pending roll, in order, without the keeper.

        The closer opens when it has all the others' openings: until then only it may call the roll off.
        """
        if self.replay.session.phase is not Phase.PENDING:
            return ()
        pending, keeper = self.replay.pending, self.replay.terms.keeper
        assert pending is not None
        missing = [name for name in pending.contributors if name not in self._openings and name != keeper]
        return tuple(sorted(missing, key=lambda name: name == pending.closer))

    @property
    def next_to_open(self) -> tuple[str, ...]:
        """Return the parties whose turn it is to open: the closer's comes when all others have opened."""
        awaited, pending = self.awaited, self.replay.pending
        others = tuple(name for name in awaited if pending is not None and name != pending.closer)
        return others or awaited

    def _outstanding_of_roll(self) -> tuple[Due, ...]:
        pending, keeper = self.replay.pending, self.replay.terms.keeper
        assert pending is not None
        if self.taken < self.replay.size:
            return (Due(keeper, "take"),)
        now = [name for name in self.awaited if name != pending.closer] or self.awaited
        return tuple(Due(name, "open") for name in now) or (Due(keeper, "reveal"),)

    def _spent(self, name: str) -> bool:
        """Return True if a contributor has no link for a further roll."""
        chain = self.replay.chains.get(name)
        return self.replay.terms.may_contribute(name) and (chain is None or chain.next >= chain.length)

    def _ahead(self, line: bytes, now: str) -> Message | None:
        try:
            time = glance(line).time
            ahead = datetime.fromisoformat(time) > datetime.fromisoformat(now) + MAX_CLOCK_SKEW
        except (Failure, ValueError):
            return None  # it is refused for what it is
        if not ahead or time <= self.replay.time:
            return None
        text = N_(
            "the event is dated {time}, more than {minutes} minutes ahead of the clock here ({clock}): "
            "set the clock right and sign again"
        )
        return Message(text, time=time, minutes=MAX_CLOCK_SKEW.seconds // 60, clock=now)


def reveal_of(replay: Replay, openings: Iterable[Opening]) -> Reveal:
    """Return the reveal of the pending roll from all openings, the keeper's too.

    Its openings are in the order of the contributors. They are not checked here, nor that they are complete.
    """
    pending = replay.pending
    assert pending is not None, "no roll waits"
    opened = {opening.author: opening for opening in openings}
    links = {name: bytes.fromhex(opening.link) for name, opening in opened.items()}
    seed = roll_seed(replay.terms.game, pending.roll_index, in_order(pending.contributors, links))
    sides, naturals = draw_all(replay.session, seed)
    return Reveal(pending.roll_index, tuple(opened[name] for name in pending.contributors), sides, naturals)


def refusal_of(failure: Failure) -> RefusedError:
    """Return the error that tells an author why its line is not taken."""
    problem: Message = failure
    if failure.step == 7:
        text = N_("The game has gone on since this event was signed: look at its new end and sign again. {problem}")
        problem = Message(text, problem=failure)
    return RefusedError(problem, failure.code, failure.clause)
