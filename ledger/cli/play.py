"""A command at work on a stored game: taking seats, appending, collecting what a roll waits for, telling what happened.

A seat is taken for one party, acts as that party, and is left before another is taken; but for the keeper, which signs
in between over what others wrote first. A party on another machine does its part there, by the same commands.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from ledger.cli.app import Call
from ledger.cli.describe import event_line, roll_lines
from ledger.cli.failures import failure
from ledger.cli.hints import next_lines
from ledger.cli.output import typed
from ledger.cli.passphrase import passphrase, passphrase_if_at_hand, passphrase_if_set
from ledger.errors import LedgerError, RefusedError, TurnError, WaitingError

if TYPE_CHECKING:
    from ledger.game.core import Due
    from ledger.keeper.table import Table
    from ledger.seats.seat import Holder, Seat
    from ledger.store.events import GameView, Receipt
    from rules import Body, Session
    from verifier import Replay
    from verifier.checkpoints.checkpoint import SignedCheckpoint

__all__ = ["Play"]

_T = TypeVar("_T")


class Play:
    """A game that a command writes to, and what it wrote."""

    def __init__(self, call: Call, game: str | bytes) -> None:
        """`game` is an id, its beginning, or a title. Raises UsageError."""
        self.call = call
        self.ledger = call.ledger
        self.game = call.find(game) if isinstance(game, str) else game
        self.carrier = call.carrier(self.game)
        """the way to the game's server, where one keeps it"""
        self.notes: list[str] = []
        self.away: str | None = None
        """what to do where the keeper is on another machine: said in the place of who is awaited, known there alone"""
        self._seat: Seat | None = None
        """whose turn it is"""
        self._acted: dict[str, Holder] = {}
        """who acted in this command, without their keys"""
        self._begun = self.ledger.kept(self.game)
        """the game before this command"""
        call.signed = self._signed

    @cached_property
    def table(self) -> "Table":
        """The game, and the seats that are at hand."""
        from ledger.keeper.table import Table  # not above: help starts faster without it

        return Table(self.ledger, self.game, self._at_hand, self.carrier)

    @property
    def written(self) -> list[int]:
        """Numbers of the events that this command appended."""
        return [receipt.seq for receipt in self.table.receipts]

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

    def _signed(self) -> list[str]:
        """What parties signed in this command and the game has: events, and openings for the roll that waits."""
        names = {*self._acted, *([] if self._seat is None else [self._seat.name])}
        kept, first = self.ledger.kept(self.game), min([self._begun.replay.size, *self.written])
        events = [event for event in map(_event, self.ledger.lines(self.game, first)) if event["author"] in names]
        told = [f"event {event['seq']}, {event['author']}'s {event['type']}" for event in events]
        opened = {opening.author for opening in kept.openings} - {opening.author for opening in self._begun.openings}
        return [*told, *(f"{name}'s opening" for name in sorted(opened & names))]

    # --- acting ----------------------------------------------------------------------------------------------------

    def check(self, author: str, type: str, body: "Body") -> None:
        """Raises RefusedError where protocol or rules forbid the event: before anybody is asked for a passphrase."""
        from rules import Event, Violation
        from rules.session import REQUESTS
        from verifier.log.format import encode

        self.check_party(author)
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

    def check_party(self, name: str) -> None:
        """Raises UsageError where the identity `name` here is no party of the game."""
        keys, own = self.replay.terms.keys, self.call.home.key(name)
        if keys.get(name) != own:
            from ledger.seats.fork_guard import no_party, waits

            if waits(self.replay, own):
                return
            raise TurnError(no_party(self.replay.terms, own))

    @contextmanager
    def seat(self, name: str) -> Iterator["Seat"]:
        """The seat of a party that must act."""
        self.check_party(name)
        secret = self.call.secrets[name] = self.call.secrets.get(name) or passphrase(name)
        with self.taking(self.call.home.seat(name, secret, self.call.home.snapshots())) as seat:
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
        """Append what whoever's turn it is signs with `make`, as `Table.append` does, when no roll waits."""
        seat = self._seat
        assert seat is not None, "nobody's turn"
        return self.when_settled(lambda: self.table.append(seat, make))

    def when_settled(self, act: Callable[[], _T]) -> _T:
        """Where a server keeps the game: act when the roll that waits has come to its end.

        Others, on other machines, may ask for a roll at any moment: then theirs is waited for first. Raises what `act`
        raises; WaitingError where others have not opened when patience is over.
        """
        while True:
            settled = self.settle()
            try:
                return act()
            except RefusedError as error:
                if error.code not in ("state.pending", "state.voided"):
                    raise
                if settled:
                    continue
                awaited = () if self.carrier is None else self.table.kept.awaited
                names = [name for name in awaited if not self.is_here(name)]
                if not names:
                    raise
                text = self.call.translate("a roll waits for {names}: then comes the next")
                raise WaitingError(text.format(names=", ".join(names))) from None

    def settle(self) -> bool:
        """Whether, where a server keeps the game, the roll that waits has come to its end."""
        if self.carrier is None:
            return False
        if self.session.phase not in ("pending", "voided"):
            return True
        return all(due.what in ("join", "commit") for due in self.carry_on())

    def in_turn(self, act: Callable[["GameView"], _T]) -> _T:
        """Act on the game as it stands, as `Table.in_turn` does."""
        return self.table.in_turn(act)

    def act(self, type: str, body: "Body") -> None:
        """One event by whoever acts."""
        author = self.call.acting
        self.when_settled(lambda: self.check(author, type, body))
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))

    # --- the course of a roll --------------------------------------------------------------------------------------

    def request(self, type: str, body: "Body", *, only: bool) -> None:
        """A request for dice by whoever acts; then, unless `only`, all that can be done for it here."""
        _ = self.call.translate
        author = self.call.acting
        self.when_settled(lambda: self.check(author, type, body))
        self._tell_absent(author)
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))
        if self.carrier is not None and not only:
            self.carry_on()
        elif self.carrier is None and not self.keeper_here:
            keeper, request = self.replay.terms.keeper, self.written[0]
            text = _(
                "Send {keeper}, who keeps the log, what you export; open when the log with event {request} is back:"
            )
            self.away = text.format(keeper=keeper, request=request) + typed(
                "export", self.short, "--out", "request.jsonl"
            )
        elif not only:
            self.carry_on()

    def _tell_absent(self, author: str) -> None:
        """Where a server keeps the game: for whom a roll is going to wait, before it is asked for."""
        if self.carrier is None:
            return
        others = [name for name in self.replay.contributors(author) if name not in (author, self.replay.terms.keeper)]
        absent = self.call.remoted.absent(self.game, others)
        if absent:
            self.call.out.note(
                f"no program of {' and '.join(absent)} is at the table now: the roll waits for "
                f"{'them' if len(absent) > 1 else 'it'}"
            )

    def wait_for_others(self, name: str) -> None:
        """Where a server keeps the game: wait until whoever opens before `name` has, as long as there is patience."""
        while self.carrier is not None:
            awaited = self.table.kept.awaited
            if awaited[:1] == (name,) or name not in awaited or not self.carrier.wait():
                return

    def carry_on(self) -> "tuple[Due, ...]":
        """Do what is outstanding for whoever's identity and passphrase are here, one by one; what then still is."""
        outstanding = self.table.carry_on(self._note)
        self.tend()
        return outstanding

    def tend(self) -> None:
        """What parties that are here write by themselves when nothing waits (specs/seats.md)."""
        replay = self.replay
        for name in self.parties_here if replay.terms.holders or replay.accused else ():
            holds = replay.terms.roles[name] in replay.terms.holders
            if (holds and name in replay.session.joined) or name in replay.accused:
                try:
                    self.table.tend(name)
                except LedgerError as error:
                    text, _ = self.call.translate("{name} did not act: {error}"), self.call.translate
                    self.notes.append(text.format(name=name, error=failure(error, _)))

    def _note(self, due: "Due", error: LedgerError) -> None:
        """What was written stands whatever comes of this, so a failure is told and no more."""
        text, _ = self.call.translate("{name} did not act: {error}"), self.call.translate
        self.notes.append(text.format(name=due.party, error=failure(error, _)))

    @contextmanager
    def _at_hand(self, name: str) -> Iterator["Seat | None"]:
        """The seat of a party, if its identity and passphrase are here."""
        if self._seat is not None and self._seat.name == name:
            yield self._seat
            return
        secret = (self.call.secrets.get(name) or passphrase_if_at_hand(name)) if self.is_here(name) else None
        if secret is None:
            yield None
            return
        self.call.secrets[name] = secret
        self.check_party(name)
        with self.taking(self.call.home.seat(name, secret, self.call.home.snapshots())) as seat:
            yield seat

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
                    + typed("checkpoint", self.short, "--as", keeper)
                )
            if secret is None:
                return checkpoint
            try:
                self.check_party(keeper)
                with self.taking(self.call.home.seat(keeper, secret, self.call.home.snapshots())) as seat:
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
                    "awaited": self.table.kept.awaited,
                    "chains_used_up": self._spent(),
                    "checkpoint": None if checkpoint is None else bytes(checkpoint).decode(),
                    "notes": self.notes,
                    **members,
                }
            )
            return
        for seq in self.written:
            event = _event(next(self.ledger.lines(self.game, seq)))
            out.say(out.cut(event_line(event, replay.terms.system, out.translate, replay.terms.called)))
        waiting = next_lines(self) if self.away is None else [self.away]
        for line in [*roll_lines(session, number, out.translate), *self.notes, *waiting]:
            out.say(line)

    def _spent(self) -> list[str]:
        """Contributors who must commit anew before the next roll."""
        kept = self.table.kept
        spent = [due.party for due in kept.outstanding() if due.what == "commit"]
        return [name for name in spent if name in kept.replay.chains]


def _event(line: bytes) -> dict[str, Any]:
    import msgspec

    event: dict[str, Any] = msgspec.json.decode(line)
    return event
