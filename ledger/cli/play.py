"""A command at work on a stored game: taking seats, appending, collecting what a roll waits for, telling what happened.

No function here holds the secrets of two parties at once: a seat is taken for one party, acts as that party, and is
left before another is taken. A party on another machine does its part there, by the same commands.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ledger.cli.app import Call
from ledger.cli.describe import event_line, roll_lines
from ledger.cli.failures import failure
from ledger.cli.now import next_lines
from ledger.cli.output import typed
from ledger.cli.passphrase import passphrase, passphrase_if_at_hand, passphrase_if_set
from ledger.errors import BehindError, LedgerError, RefusedError, UsageError

if TYPE_CHECKING:
    from ledger.seat import Holder, Seat
    from ledger.store import GameView, Receipt
    from rules import Body, Session
    from verifier import Replay
    from verifier.checkpoint import SignedCheckpoint
    from verifier.format import Opening

__all__ = ["Play"]

_T = TypeVar("_T")


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
        self.away: str | None = None
        """what to do where the keeper is on another machine: said in the place of who is awaited, known there alone"""
        self._seat: Seat | None = None
        """whose turn it is"""
        self._secrets: dict[str, bytes] = {}
        """the passphrases of those who acted in this command, who may have to act twice in it"""
        self._acted: dict[str, Holder] = {}
        """who acted in this command, without their keys"""

    @property
    def short(self) -> str:
        """The game's id as people type it."""
        return self.game.hex()[:12]

    @property
    def replay(self) -> "Replay":
        """The game's events as they stand now, replayed."""
        return self.ledger.view(self.game).replay

    @property
    def session(self) -> "Session":
        """The game's state as it stands now."""
        return self.replay.session

    @property
    def keeper_here(self) -> bool:
        """Whether the keeper's identity is on this machine, so that what is appended is taken at once."""
        return self.is_here(self.replay.terms.keeper)

    @property
    def parties_here(self) -> list[str]:
        """The parties whose identities are on this machine, in party order."""
        return [name for name in self.replay.terms.keys if self.is_here(name)]

    def is_here(self, name: str) -> bool:
        """Whether a party's identity is on this machine, by its key of event 0. Raises IdentityError."""
        return self.call.home.has(self.replay.terms.keys[name])

    # --- acting ----------------------------------------------------------------------------------------------------

    def check(self, author: str, type: str, body: "Body") -> None:
        """Raises RefusedError where protocol or rules forbid the event: before anybody is asked for a passphrase."""
        from rules import Event, Violation
        from rules.session import REQUESTS
        from verifier.format import encode

        self.check_party(author)
        self.check_taken()
        replay = self.replay
        event = Event(replay.size, author, type, body, encode(body) if type in REQUESTS else b"")
        try:
            replay.session.check_role(author, type)
            replay.session.check_state(event)
            replay.session.apply(event)
        except Violation as violation:
            raise RefusedError(violation, violation.code, violation.clause) from None

    def check_turn(self, author: str, type: str) -> None:
        """Raises RefusedError where the author can write no event of this type now, whatever it says."""
        from rules import Body, Event, Violation

        self.check_party(author)
        session = self.replay.session
        try:
            session.check_role(author, type)
            session.check_state(Event(self.replay.size, author, type, Body()))
        except Violation as violation:
            raise RefusedError(violation, violation.code, violation.clause) from None

    def is_taken(self) -> bool:
        """Whether the keeper is known to have taken every event."""
        return self.ledger.taken(self.game) >= self.replay.size

    def check_taken(self) -> None:
        """Raises UsageError where somebody would sign upon an event that the keeper may not take."""
        replay, taken = self.replay, self.ledger.taken(self.game)
        if self.keeper_here or taken >= replay.size:
            return
        keeper = replay.terms.keeper
        raise UsageError(
            f"{keeper}, the keeper, is not known to have taken the events from {taken} on. Send {keeper} what "
            f"`rollproof export {self.short}` writes, import the log that comes back with its .checkpoint beside it, "
            f"and run the command again"
        )

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
        secret = self._secrets[name] = passphrase(name)
        with self.taking(self.call.home.seat(name, secret)) as seat:
            yield seat

    @contextmanager
    def taking(self, seat: "Seat") -> Iterator["Seat"]:
        """It is this party's turn; its seat is left afterwards, and what it remembers stays at hand for receipts."""
        self._seat, before = seat, self._seat
        try:
            yield seat
        finally:
            self._seat = before
            holder = self._acted[seat.name] = seat.retire()
            self.call.closing.callback(holder.close)
            self._warn(holder)

    def _warn(self, holder: "Holder") -> None:
        """Tell the party's owner what was done in its name or against it: each time, until somebody has seen it."""
        try:
            warnings = holder.warnings(self.game)
            for text in warnings:
                self.call.out.note(f"{holder.name}: {text}")
            if warnings and sys.stderr.isatty():
                holder.told(self.game, warnings)
        except LedgerError:
            pass  # what went wrong was told already

    def append(self, make: Callable[["GameView"], bytes]) -> "Receipt":
        """Append what `make` signs on the game as it stands; it signs anew if somebody else's event comes first."""
        receipt = self.in_turn(lambda view: self.ledger.append(self.game, make(view), self._keeper()))
        self.written.append(receipt.seq)
        return receipt

    def in_turn(self, act: Callable[["GameView"], _T]) -> _T:
        """Act on the game as it stands; anew if it has gone on meanwhile (specs/protocol.md, "Taken and untaken").

        There is no last attempt: each that fails is an event that somebody else wrote. Raises what `act` raises, on a
        game that did not go on.
        """
        while True:
            view = self.ledger.view(self.game)
            head = view.replay.head  # now: the replay itself goes on with the game
            try:
                return act(view)
            except (RefusedError, BehindError) as error:
                if not _is_stale(error) or self.replay.head == head:
                    raise

    def _keeper(self) -> "Seat | None":
        """The keeper's seat, if it is its turn: it signs the checkpoint with the event."""
        return self._seat if self._seat is not None and self._seat.name == self.replay.terms.keeper else None

    def act(self, type: str, body: "Body") -> None:
        """One event by whoever acts."""
        author = self.call.acting
        self.check(author, type, body)
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))

    # --- the course of a roll --------------------------------------------------------------------------------------

    def request(self, type: str, body: "Body", *, only: bool) -> None:
        """A request for dice by whoever acts; then, unless `only`, all that can be done for it here."""
        _ = self.call.translate
        author = self.call.acting
        self.check(author, type, body)
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))
        if not self.keeper_here:
            keeper, request = self.replay.terms.keeper, self.written[0]
            text = _(
                "Send {keeper}, who keeps the log, what you export; open when the log with event {request} is back:"
            )
            self.away = text.format(keeper=keeper, request=request) + typed(
                f"rollproof export {self.short} --out request.jsonl"
            )
        elif not only:
            self._collect()

    def awaited(self) -> list[str]:
        """Who still has to open for the request that waits, in this order; the keeper, who comes last, aside."""
        replay = self.replay
        if replay.pending is None or replay.session.phase != "pending":
            return []
        pending, received = replay.pending, {opening.author for opening in self.ledger.openings(self.game)}
        awaited = [n for n in pending.contributors if n not in received and n != replay.terms.keeper]
        return sorted(awaited, key=lambda name: name == pending.closer)

    def hand_in(self, seat: "Seat") -> "Opening":
        """The party's opening for the pending request."""
        opening = self.in_turn(
            lambda view: seat.opening(view, self.ledger.openings(self.game), self.ledger.checkpoint(self.game))
        )
        self.ledger.hand_in(self.game, opening)
        return opening

    def reveal(self, seat: "Seat") -> None:
        """The dice, by the keeper."""
        self.append(lambda view: seat.reveal(view, self.ledger.openings(self.game)))

    def disclose(self) -> None:
        """After a void: what was opened, by the keeper, if it is here."""
        self._try(self.replay.terms.keeper, self.disclose_as)

    def disclose_as(self, seat: "Seat") -> None:
        """What was opened for the voided roll, by the keeper."""
        self.append(lambda view: seat.disclose(view, self.ledger.openings(self.game)))

    def _collect(self) -> None:
        """Take the request as the keeper; open as each contributor whose identity and passphrase are here, one by one;
        then reveal as the keeper.
        """
        if self.ledger.taken(self.game) < self.replay.size:
            self._try(self.replay.terms.keeper, lambda seat: self.ledger.sign_checkpoint(self.game, seat))
        for name in self.awaited():
            pending = self.replay.pending
            if pending is not None and (name != pending.closer or self.awaited() == [name]):  # who closes opens last
                self._try(name, self.hand_in)
        if self.replay.pending is not None and not self.awaited():
            self._try(self.replay.terms.keeper, self.reveal)

    def _try(self, name: str, do: Callable[["Seat"], object]) -> None:
        """Act as a party if it is here."""
        if not self.is_here(name):
            return
        secret = self._secrets.get(name) or passphrase_if_at_hand(name)
        if secret is None:
            return
        self._secrets[name] = secret

        def act() -> None:
            self.check_party(name)
            with self.taking(self.call.home.seat(name, secret)) as seat:
                do(seat)

        self._noting(name, act)

    def _noting(self, name: str, act: Callable[[], object]) -> None:
        """The request stands whatever comes of this, so a failure is told and no more."""
        try:
            act()
        except LedgerError as error:
            text, _ = self.call.translate("{name} did not act: {error}"), self.call.translate
            self.notes.append(text.format(name=name, error=failure(error, _)))

    # --- receipts --------------------------------------------------------------------------------------------------

    def close_books(self) -> "SignedCheckpoint | None":
        """Have the keeper sign for what was written, if it is here; all who acted keep that receipt.

        Returns the last checkpoint. What goes wrong is told and no more: the events stand.
        """
        checkpoint = self.ledger.checkpoint(self.game)
        keeper = self.replay.terms.keeper
        if checkpoint is None or checkpoint.head.size < self.replay.size:
            secret = passphrase_if_set(keeper) if self.keeper_here else None
            if secret is None and self.keeper_here:
                self.notes.append(
                    f"{keeper}, the keeper, has not signed for this yet and does with its next event, or with:"
                    + typed(f"rollproof checkpoint {self.short} --as {keeper}")
                )
            if secret is None:
                return checkpoint
            try:
                self.check_party(keeper)
                with self.taking(self.call.home.seat(keeper, secret)) as seat:
                    checkpoint = self.ledger.sign_checkpoint(self.game, seat)
            except LedgerError as error:
                self.notes.append(f"{keeper} did not sign a checkpoint: {failure(error, self.call.translate)}")
                return checkpoint
        for name, holder in self._acted.items():
            if name != keeper:
                self._keep(holder, checkpoint)
        return checkpoint

    def _keep(self, holder: "Holder", receipt: "SignedCheckpoint") -> None:
        try:
            self.in_turn(lambda view: holder.keep(receipt, view))
        except LedgerError as error:
            self.notes.append(f"{holder.name} did not keep the receipt: {failure(error, self.call.translate)}")

    # --- telling ---------------------------------------------------------------------------------------------------

    def tell(self, subject: int | None = None, **members: Any) -> None:
        """Say what was written and how the game stands. `subject`: the roll that it was about, if not the open one."""
        checkpoint = self.close_books()
        replay, out = self.replay, self.call.out
        session = replay.session
        opened = session.system.rolls(session.game)[1]
        number = subject if subject is not None else opened[-1].roll if opened else None
        if out.json:
            import msgspec

            events = [_event(next(self.ledger.lines(self.game, seq))) for seq in self.written]
            out.value(
                {
                    "game": self.game.hex(),
                    "seq": self.written[0] if self.written else None,
                    "events": events,
                    "roll": None if number is None else session.view_roll(number),
                    "waits_for": msgspec.to_builtins(session.waits_for()),
                    "awaited": self.awaited(),
                    "chains_used_up": self._spent(),
                    "checkpoint": None if checkpoint is None else bytes(checkpoint).decode(),
                    "notes": self.notes,
                    **members,
                }
            )
            return
        for seq in self.written:
            event = _event(next(self.ledger.lines(self.game, seq)))
            out.say(out.cut(event_line(event, replay.terms.system, out.translate)))
        waiting = next_lines(self) if self.away is None else [self.away]
        for line in [*roll_lines(session, number, out.translate), *self.notes, *waiting]:
            out.say(line)

    def _spent(self) -> list[str]:
        """Contributors who must commit anew before the next roll."""
        replay = self.replay
        absent = replay.session.left | replay.session.away
        chains = {name: replay.chains.get(name) for name in replay.terms.roles if name not in absent}
        return [name for name, chain in chains.items() if chain is not None and chain.next >= chain.length]


def _event(line: bytes) -> dict[str, Any]:
    import msgspec

    event: dict[str, Any] = msgspec.json.decode(line)
    return event


def _is_stale(error: LedgerError) -> bool:
    return isinstance(error, BehindError) or (isinstance(error, RefusedError) and error.code.startswith("chain."))
