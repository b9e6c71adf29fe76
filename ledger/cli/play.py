"""A command at work on a stored game: take seats, append events, collect openings.

One party's seat is open at a time, except that the keeper's may be opened meanwhile, to sign for events of others. A
party on another machine does its part there, by the same commands.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from ledger.cli.call import Call
from ledger.cli.failures import failure_text
from ledger.cli.output import command_line
from ledger.cli.passphrase import passphrase, passphrase_if_at_hand, passphrase_if_set
from ledger.errors import LedgerError, RefusedError, TurnError, WaitingError

if TYPE_CHECKING:
    from ledger.game.core import Due
    from ledger.keeper.table import Table
    from ledger.seats.keyless_seat import KeylessSeat
    from ledger.seats.seat import Seat
    from ledger.store.game_view import GameView
    from ledger.store.receipts import Receipt
    from rules import Body, Session
    from verifier import Replay
    from verifier.checkpoints.checkpoint import SignedCheckpoint

__all__ = ["Play"]

_T = TypeVar("_T")


class Play:
    """A game that a command writes to, and the events that it wrote."""

    def __init__(self, call: Call, game: str | bytes) -> None:
        """`game` is an id, its beginning, or a title. Raises UsageError."""
        self.call = call
        self.ledger = call.ledger
        self.game = call.find(game) if isinstance(game, str) else game
        self.carrier = call.carrier(self.game)
        """the way to the game's server, where one keeps it"""
        self.notes: list[str] = []
        self.away: str | None = None
        """the advice if the keeper is on another machine; printed instead of who is awaited, which only it knows"""
        self._seat: Seat | None = None
        """the open seat"""
        self._acted: dict[str, KeylessSeat] = {}
        """the parties that acted in this command, without their keys"""
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
        """The replay of the stored game."""
        return self.ledger.view(self.game).replay

    @property
    def session(self) -> "Session":
        """The state of the stored game."""
        return self.replay.session

    @property
    def keeper_here(self) -> bool:
        """True if the keeper's identity is on this machine, so that it takes events at once."""
        return self.is_here(self.replay.terms.keeper)

    @property
    def parties_here(self) -> list[str]:
        """The parties with identities on this machine, in party order."""
        return [name for name in self.replay.terms.keys if self.is_here(name)]

    def is_here(self, name: str) -> bool:
        """Return True if the identity with a party's key of event 0 is on this machine. Raises IdentityError."""
        return self.call.home.has(self.replay.terms.keys[name])

    def _signed(self) -> list[str]:
        """Describe what this command signed and stored: events, and openings for the pending roll."""
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
        from rules.protocol import REQUESTS
        from verifier.log.plainjson import encode

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
        """Return True if the keeper's checkpoints cover every stored event."""
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
        """Open the seat of a party that must act."""
        self.check_party(name)
        secret = self.call.secrets[name] = self.call.secrets.get(name) or passphrase(name)
        with self.taking(self.call.home.seat(name, secret, self.call.home.snapshots())) as seat:
            yield seat

    @contextmanager
    def taking(self, seat: "Seat") -> Iterator["Seat"]:
        """Use a party's seat within the block; afterwards only its memory stays open, for receipts."""
        self._seat, before = seat, self._seat
        try:
            yield seat
        finally:
            self._seat = before
            holder = self._acted[seat.name] = seat.retire()
            self.call.closing.callback(holder.close)
            self._warn(holder)

    def _warn(self, holder: "KeylessSeat") -> None:
        """Print the warnings about acts in the party's name or against it, until somebody has seen them."""
        try:
            warnings = holder.warnings(self.game)
            for text in warnings:
                self.call.out.note(f"{holder.name}: {text}")
            if warnings and sys.stderr.isatty():
                holder.dismiss_warnings(self.game, warnings)
        except LedgerError:
            pass  # the failure was printed already

    def append(self, make: Callable[["GameView"], bytes]) -> "Receipt":
        """Append the event that the open seat signs by `make`, as `Table.append` does, when no roll is pending."""
        seat = self._seat
        assert seat is not None, "nobody's turn"
        return self.when_settled(lambda: self.table.append(seat, make))

    def when_settled(self, act: Callable[[], _T]) -> _T:
        """Act; at a server, wait for the end of the pending roll first.

        Others may request a roll at any moment, which is then waited for. Raises what `act` raises; WaitingError if
        others have not opened when the patience ends.
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
        """Carry a server's pending roll on; return True if it has ended, False also for a game without a server."""
        if self.carrier is None:
            return False
        if self.session.phase not in ("pending", "voided"):
            return True
        return all(due.what in ("join", "commit") for due in self.carry_on())

    def in_turn(self, act: Callable[["GameView"], _T]) -> _T:
        """Act on the latest state of the game, as `Table.in_turn` does."""
        return self.table.in_turn(act)

    def act(self, type: str, body: "Body") -> None:
        """Sign and append one event as the acting identity."""
        author = self.call.acting
        self.when_settled(lambda: self.check(author, type, body))
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))

    # --- the course of a roll --------------------------------------------------------------------------------------

    def request(self, type: str, body: "Body", *, only: bool) -> None:
        """Request dice as the acting identity; then, unless `only`, carry the roll on with the parties here."""
        _ = self.call.translate
        author = self.call.acting
        self.when_settled(lambda: self.check(author, type, body))
        self._open_ahead(author, only=only)
        self._tell_absent(author)
        with self.seat(author) as seat:
            self.append(lambda view: seat.sign(view, type, body))
        if self.carrier is not None and not only:
            self.carry_on()
        elif self.carrier is None and not self.keeper_here:
            keeper, request = self.replay.terms.keeper, self.written[0]
            text = _(
                "Export the log and send it to {keeper}, who keeps the log. Open when the log with event "
                "{request} is back:"
            )
            self.away = text.format(keeper=keeper, request=request) + command_line(
                "export", self.short, "--out", "request.jsonl"
            )
        elif not only:
            self.carry_on()

    def _open_ahead(self, author: str, *, only: bool) -> None:
        """Begin to derive the keys that this roll needs, of all whose passphrases the environment has."""
        names = [author] if only else self.replay.contributors(author)
        secrets = {name: passphrase_if_set(name) for name in names if self.is_here(name)}
        self.call.home.open_ahead({name: secret for name, secret in secrets.items() if secret is not None})

    def _tell_absent(self, author: str) -> None:
        """Print, before a request at a server, which parties it will wait for."""
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
        """Wait, at a server, until all who open before `name` have opened, or the patience ends."""
        while self.carrier is not None:
            awaited = self.table.kept.awaited
            if awaited[:1] == (name,) or name not in awaited or not self.carrier.wait():
                return

    def carry_on(self) -> "tuple[Due, ...]":
        """Do all outstanding steps of parties with identity and passphrase here; return the remaining steps."""
        outstanding = self.table.carry_on(self._note)
        self.tend()
        return outstanding

    def tend(self) -> None:
        """Write the automatic events of parties here when no roll is pending (specs/seats.md)."""
        replay = self.replay
        for name in self.parties_here if replay.terms.holders or replay.accused else ():
            holds = replay.terms.roles[name] in replay.terms.holders
            if (holds and name in replay.session.parties.joined) or name in replay.accused:
                try:
                    self.table.tend(name)
                except LedgerError as error:
                    text, _ = self.call.translate("{name} did not act: {error}"), self.call.translate
                    self.notes.append(text.format(name=name, error=failure_text(error, _)))

    def _note(self, due: "Due", error: LedgerError) -> None:
        """Note a failed step; the events written before it are unaffected."""
        text, _ = self.call.translate("{name} did not act: {error}"), self.call.translate
        self.notes.append(text.format(name=due.party, error=failure_text(error, _)))

    @contextmanager
    def _at_hand(self, name: str) -> Iterator["Seat | None"]:
        """Open the seat of a party, if its identity and passphrase are here."""
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
        """Have a keeper on this machine sign for the new events; all parties that acted keep that receipt.

        Return the last checkpoint. A failure becomes a note: the events are stored already.
        """
        checkpoint = self.ledger.checkpoint(self.game)
        keeper = self.replay.terms.keeper
        if checkpoint is None or checkpoint.head.size < self.replay.size:
            secret = passphrase_if_set(keeper) if self.keeper_here else None
            if secret is None and self.keeper_here:
                self.notes.append(
                    f"{keeper}, the keeper, has not signed for this yet and does with its next event, or with:"
                    + command_line("checkpoint", self.short, "--as", keeper)
                )
            if secret is None:
                return checkpoint
            try:
                self.check_party(keeper)
                with self.taking(self.call.home.seat(keeper, secret, self.call.home.snapshots())) as seat:
                    checkpoint = self.ledger.sign_checkpoint(self.game, seat)
            except LedgerError as error:
                self.notes.append(f"{keeper} did not sign a checkpoint: {failure_text(error, self.call.translate)}")
                return checkpoint
        for name, holder in self._acted.items():
            if name != keeper:
                self._keep(holder, checkpoint)
        return checkpoint

    def _keep(self, holder: "KeylessSeat", receipt: "SignedCheckpoint") -> None:
        try:
            self.in_turn(lambda view: holder.keep(receipt, view))
        except LedgerError as error:
            self.notes.append(f"{holder.name} did not keep the receipt: {failure_text(error, self.call.translate)}")


def _event(line: bytes) -> dict[str, Any]:
    import msgspec

    event: dict[str, Any] = msgspec.json.decode(line)
    return event
