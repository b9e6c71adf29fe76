"""A command at work on a stored game: taking seats, appending, collecting what a roll waits for, telling what happened.

No function here holds the secrets of two parties at once: a seat is taken for one party, acts as that party, and is
left before another is taken. A party on another machine does its part there, by the same commands.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from ledger.cli.app import Call
from ledger.cli.describe import event_line, roll_lines, waiting_lines
from ledger.cli.output import typed
from ledger.cli.passphrase import passphrase, passphrase_if_at_hand
from ledger.errors import BehindError, LedgerError, RefusedError, UsageError

if TYPE_CHECKING:
    from ledger.seat import Seat
    from ledger.store import GameView, Receipt
    from rules import Body, Session
    from verifier import Replay

__all__ = ["Play"]

_ATTEMPTS = 5
"""how often an event is signed anew because somebody else's came first"""


class Play:
    """A game that a command writes to, and what it wrote."""

    def __init__(self, call: Call, game: str | bytes) -> None:
        """`game` is an id, its beginning, or a title. Raises UsageError."""
        self.call = call
        self.ledger = call.ledger
        self.game = self.ledger.find(game) if isinstance(game, str) else game
        self.written: list[int] = []
        """numbers of the events that this command appended"""
        self.notes: list[str] = []

    @property
    def short(self) -> str:
        """The game's id as people type it."""
        return self.game.hex()[:12]

    @property
    def replay(self) -> "Replay":
        return self.ledger.view(self.game).replay

    @property
    def session(self) -> "Session":
        return self.replay.session

    # --- acting ----------------------------------------------------------------------------------------------------

    def check(self, author: str, type: str, body: "Body") -> None:
        """Raises RefusedError where protocol or rules forbid the event: before anybody is asked for a passphrase."""
        from rules import Event, Violation

        self.check_party(author)
        replay = self.replay
        event = Event(replay.size, author, type, body)
        try:
            replay.session.check_role(author, type)
            replay.session.check_state(event)
            replay.session.apply(event)
        except Violation as violation:
            raise RefusedError(violation, violation.code, violation.clause) from None

    def check_party(self, name: str) -> None:
        """Raises UsageError where the identity `name` here is no party of the game."""
        keys, own = self.replay.terms.keys, self.call.home.key(name)
        if name not in keys:
            raise UsageError(f"{name} is no party of game {self.short}; the parties are {', '.join(keys)}")
        if str(keys[name]) != str(own):
            raise UsageError(f"the key of {name} here, {own}, is not the {name} of game {self.short}: {keys[name]}")

    @contextmanager
    def seat(self, name: str) -> Iterator["Seat"]:
        """The seat of a party that must act."""
        self.check_party(name)
        with closing(self.call.home.seat(name, passphrase(name))) as seat:
            yield seat

    def append(self, make: Callable[["GameView"], bytes]) -> "Receipt":
        """Append what `make` signs on the game as it stands; it signs anew if somebody else's event comes first."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                receipt = self.ledger.append(self.game, make(self.ledger.view(self.game)))
                break
            except (RefusedError, BehindError) as error:
                if not _is_stale(error) or attempt == _ATTEMPTS:
                    raise
                time.sleep(0.02 * attempt)
        self.written.append(receipt.seq)
        return receipt

    def act(self, type: str, body: "Body") -> None:
        """One event by whoever acts."""
        author = self.call.acting
        self.check(author, type, body)
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))

    # --- the course of a roll --------------------------------------------------------------------------------------

    def request(self, type: str, body: "Body", *, only: bool) -> None:
        """A request for dice by whoever acts; then, unless `only`, all that can be done for it here."""
        author = self.call.acting
        self.check(author, type, body)
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))
            if not only and author in self.awaited():
                self._noting(author, lambda: self.hand_in(seat))
        if not only:
            self._collect(but=author)

    def awaited(self) -> list[str]:
        """Who still has to open for the pending request, besides the keeper, who comes last."""
        replay = self.replay
        if replay.pending is None:
            return []
        received = {opening.author for opening in self.ledger.openings(self.game)}
        return [n for n in replay.pending.contributors if n not in received and n != replay.terms.keeper]

    def hand_in(self, seat: "Seat") -> None:
        """The party's opening for the pending request."""
        self.ledger.hand_in(self.game, seat.opening(self.ledger.view(self.game)))

    def reveal(self, seat: "Seat") -> None:
        """The dice, by the keeper."""
        self.append(lambda view: seat.reveal(view, self.ledger.openings(self.game)))

    def _collect(self, *, but: str) -> None:
        """Open as each contributor whose identity and passphrase are here, one by one; then reveal as the keeper.

        `but` has had its turn.
        """
        for name in self.awaited():
            if name != but:
                self._try(name, self.hand_in)
        if self.replay.pending is not None and not self.awaited():
            self._try(self.replay.terms.keeper, self.reveal)

    def _try(self, name: str, do: Callable[["Seat"], None]) -> None:
        """Act as a party if it is here."""
        if name not in self.call.home.names():
            return
        secret = passphrase_if_at_hand(name)
        if secret is None:
            return

        def act() -> None:
            self.check_party(name)
            with closing(self.call.home.seat(name, secret)) as seat:
                do(seat)

        self._noting(name, act)

    def _noting(self, name: str, act: Callable[[], None]) -> None:
        """The request stands whatever comes of this, so a failure is told and no more."""
        try:
            act()
        except LedgerError as error:
            self.notes.append(f"{name} did not act: {error}")

    # --- telling ---------------------------------------------------------------------------------------------------

    def tell(self, subject: int | None = None, **members: Any) -> None:
        """Say what was written and how the game stands. `subject`: the roll that it was about, if not the open one."""
        replay, out = self.replay, self.call.out
        view, open_roll = replay.session.view(), replay.session.system.rolls(replay.session.game)[1]
        number = open_roll.roll if open_roll else subject
        roll = next((roll for roll in view["rolls"] if roll["roll"] == number), None)
        awaited, spent = self.awaited(), self._spent()
        if out.json:
            events = [_event(next(self.ledger.lines(self.game, seq))) for seq in self.written]
            out.value(
                {
                    "game": self.game.hex(),
                    "seq": self.written[0] if self.written else None,
                    "events": events,
                    "roll": roll,
                    "waits_for": view["waits_for"],
                    "awaited": awaited,
                    "chains_used_up": spent,
                    "notes": self.notes,
                    **members,
                }
            )
            return
        for seq in self.written:
            out.say(event_line(_event(next(self.ledger.lines(self.game, seq)))))
        for line in [*roll_lines(replay.session, number), *waiting_lines(replay, awaited, self.short), *self.notes]:
            out.say(line)
        for name in spent:
            out.say(f"{name}'s seed chain is used up:{typed(f'rollproof commit {self.short} --as {name}')}")

    def _spent(self) -> list[str]:
        """Contributors who must commit anew before the next roll."""
        replay = self.replay
        chains = {name: replay.chains.get(name) for name in replay.terms.roles if name not in replay.session.left}
        return [name for name, chain in chains.items() if chain is not None and chain.next > chain.length]


def _event(line: bytes) -> dict[str, Any]:
    import msgspec

    event: dict[str, Any] = msgspec.json.decode(line)
    return event


def _is_stale(error: LedgerError) -> bool:
    return isinstance(error, BehindError) or (isinstance(error, RefusedError) and error.code.startswith("chain."))
