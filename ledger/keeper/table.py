"""A table: a stored game and the seats of this program (specs/protocol.md, "The course of a roll").

Commands, bots and demonstrations share this code: sign, append, and do the outstanding steps of the parties here. It
neither asks for a passphrase nor prints.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext, suppress
from threading import RLock
from typing import Literal, Protocol, TypeVar

import msgspec

from ledger.errors import BehindError, LedgerError, RefusedError, TurnError, UntakenError, UsageError, WaitingError
from ledger.forms.readback import read_back
from ledger.game.core import Due, KeptGame
from ledger.home import Home
from ledger.seats.seat import Seat
from ledger.seats.seed_chain import DEFAULT_CHAIN_LENGTH
from ledger.store.game_view import GameView
from ledger.store.ledger import Ledger
from ledger.store.receipts import Receipt
from rules import Body
from rules.data.language import Message, Translate
from rules.lines import read_roll
from rules.offered import offered
from rules.protocol import Phase
from rules.records import RollRecord
from verifier.log.bodies import Opening
from verifier.shell.display import roll_text

__all__ = ["Carrier", "OnReading", "SeatOf", "Table", "open_table"]

T = TypeVar("T")

OnReading = Callable[[Message], None]
"""receives how a line was read"""

SeatOf = Callable[[str], AbstractContextManager[Seat | None]]
"""a party's turn, by its name: within it the seat may be used; None for a party that is not at hand"""


class Carrier(Protocol):
    """The way to the server that keeps a stored game (specs/network.md)."""

    def fetch(self) -> None:
        """Fetch all that the server has, and send all that it lacks.

        Raises AwayError, CheatedError, ServerError.
        """

    def offer(self, line: bytes) -> Receipt:
        """Have the keeper take a line; store it with the keeper's checkpoint.

        Raises RefusedError, with a code `chain.…` if another event came first, which is stored then; and what `fetch`
        raises. Without an answer the line is kept, and the next `fetch` sends it again.
        """

    def hand_in(self, seat: Seat, opening: Opening) -> None:
        """Hand in a party's opening; the party keeps the receipt. Raises as `fetch`."""

    def acknowledge(self, seat: Seat, opening: Opening) -> None:
        """Send a party's receipt for another's opening. Raises as `fetch`, and what `Seat.acknowledge` raises."""

    def wait(self) -> bool:
        """Wait until the server has sent something; False where patience is over. Raises CheatedError."""


class Table:
    """A stored game, and the parties whose seats are here. Any thread may use it; several wait their turn."""

    def __init__(
        self,
        ledger: Ledger,
        game: bytes,
        seat_of: SeatOf,
        carrier: Carrier | None = None,
        links: int = DEFAULT_CHAIN_LENGTH,
    ) -> None:
        """`carrier` is the way to the game's keeper, where it is a server's; `links`: of each new seed chain."""
        self.ledger = ledger
        self.game = game
        self.receipts: list[Receipt] = []
        """receipts of the events that were appended here"""
        self.carrier = carrier
        self.links = links
        self._seat_of = seat_of
        self._turn = RLock()
        """of whichever thread acts"""

    @property
    def kept(self) -> KeptGame:
        """The current game, and the outstanding steps."""
        return self.ledger.kept(self.game)

    @property
    def view(self) -> GameView:
        """The current game."""
        return self.ledger.view(self.game)

    def act(self, name: str, type: str, body: Body) -> Receipt:
        """Sign and append an event of a party here. Raises what `Seat.sign` and `Ledger.append` raise, and KeyError."""
        with self._turn, self._seat_of(name) as seat:
            if seat is None:
                raise KeyError(name)
            return self.append(seat, lambda view: seat.sign(view, type, body))

    def act_all(self, name: str, events: Sequence[tuple[str, Body]]) -> list[Receipt]:
        """Append several events (type, body) of a party here, each upon the one before; raises as `act`.

        All are stored or none, with one sync for all. At a server they are sent one by one, and those before an error
        remain.
        """
        if self.carrier is not None:
            return [self.act(name, *event) for event in events]
        with self._turn, self._seat_of(name) as seat:
            if seat is None:
                raise KeyError(name)

            def written(view: GameView) -> list[Receipt]:
                keeper = seat if seat.name == view.replay.terms.keeper else None
                return self.ledger.append_all(self.game, seat.sign_all(view, events), keeper)

            receipts = self.in_turn(written) if events else []
            self.receipts += receipts
        return receipts

    def roll(self, name: str, line: str, on_reading: OnReading | None = None) -> RollRecord:
        """Roll for a party here, by a line in the game's notation (`4d6kh3 + 2 for Strength`).

        If the line could mean something else, `on_reading` receives how it was read, before anything is signed. An
        error that it raises ends the roll (specs/rules.md, "Free text").

        The roll is carried on as far as possible: it has dice if all needed parties are here; else its status is
        `pending`, and `kept.outstanding()` names the awaited parties. Raises UsageError for a malformed line or a
        party that is not here; RefusedError if protocol or rules forbid the roll; what a seat raises.
        """
        # At a server, a roll that waits for others must let their openings be stored.
        with self._turn if self.carrier is None else nullcontext():
            number: int | None = None
            while number is None:
                if self._waiting():
                    raise WaitingError(f"a roll waits for {', '.join(self._waiting())}: then comes the next")
                session = self.view.replay.session
                system = session.system
                try:
                    body = read_roll(system, line, session.game, name)
                    if on_reading is not None:
                        actions = offered(session, name, self.view.replay.size)
                        reading = read_back(system, actions, "roll", msgspec.to_builtins(body))
                        if reading is not None:
                            on_reading(reading)
                        on_reading = None  # once, however often others come first
                    number = self.act(name, "roll", body).seq
                except KeyError:
                    raise UsageError(f"{name} is not at hand at this table") from None
                except ValueError as problem:
                    raise UsageError(str(problem)) from None
                except RefusedError as error:  # where others roll meanwhile, on other machines
                    if self.carrier is None or error.code not in ("state.pending", "state.not-committed"):
                        raise
                    if error.code == "state.not-committed" and not (self.renew(name) or self.carrier.wait()):
                        raise
            self.carry_on()
            settled, opened = system.rolls(self.view.replay.session.game)
            found: RollRecord = next(roll for roll in (*opened, *settled) if roll.roll == number)
            return found

    def text_of(self, roll: RollRecord, translate: Translate = str) -> str:
        """Return a roll of this game on one line: dice and outcome, such as `4d6kh3 (6, 5, ~~1~~, 3) = 14`."""
        return roll_text(roll, self.view.replay.session.system, translate)

    def renews(self, name: str) -> bool:
        """Return True if a party's chain is spent, so that it has to commit anew before the next roll."""
        return Due(name, "commit") in self.kept.outstanding() and name in self.view.replay.chains

    def renew(self, name: str) -> bool:
        """Commit anew, where the party's chain is spent and it is at hand; whether it was so. Raises as `do`."""
        with self._turn:
            try:
                return self.renews(name) and self.do(Due(name, "commit"))
            except TurnError:
                if self.renews(name):
                    raise
                return True  # another program of the party's was faster

    def take_place(self, name: str) -> None:
        """Join with a party's new key that waits by the event's word, and come back; commit afterwards, if at hand.

        Raises what `append` raises.
        """
        with self._turn, self._seat_of(name) as seat:
            replay = self.view.replay
            asked = replay.session.parties.asked.get(name)
            if seat is None or replay.session.phase is not Phase.IDLE:
                return
            if asked is not None and (asked.word, asked.key) == ("event", str(seat.key)):
                self.append(seat, seat.join)
                replay = self.view.replay
            if name in replay.lost and replay.terms.keys[name] == seat.key:
                if name in replay.session.parties.away:
                    self.append(seat, lambda view: seat.back(view, name))
                self.append(seat, lambda view: seat.commit(view, self.links))

    def tend(self, name: str) -> None:
        """Append the automatic events of a party here, when no roll is pending (specs/seats.md).

        Raises what `append` raises.
        """
        with self._turn, self._seat_of(name) as seat:
            while seat is not None and (made := seat.tend(self.view)):
                self.append(seat, made[0])

    def _waiting(self) -> list[str]:
        """Return the parties that the pending roll needs and that are not here."""
        return sorted({due.party for due in self.carry_on() if due.what not in ("join", "commit")})

    def append(self, seat: Seat, make: Callable[[GameView], bytes]) -> Receipt:
        """Append the event that the seat signs; sign again if another event comes first."""

        def written(view: GameView) -> Receipt:
            if self.carrier is not None:
                return self.carrier.offer(make(view))
            return self.ledger.append(self.game, make(view), seat if seat.name == view.replay.terms.keeper else None)

        with self._turn:
            receipt = self.in_turn(written)
            if self.carrier is not None and receipt.checkpoint is not None:
                seat.keyless.keep(receipt.checkpoint, self.view)
            self.receipts.append(receipt)
        return receipt

    def in_turn(self, act: Callable[[GameView], T]) -> T:
        """Act on the current game; again if it has changed meanwhile (specs/protocol.md, "Taken and untaken").

        The number of attempts has no bound: each failure is an event that another party wrote. If the party signs only
        upon taken events, and the keeper is here, the keeper takes them first. Raises what `act` raises on an unchanged
        game.
        """
        while True:
            view = self.view
            try:
                return act(view)
            except UntakenError:
                if not self.take(view.replay.size):
                    raise
            except (RefusedError, BehindError) as error:
                stale = isinstance(error, BehindError) or error.code.startswith("chain.")
                if not stale or self.view.replay.head == view.replay.head:
                    raise

    def take(self, size: int) -> bool:
        """Have a keeper here sign for the stored events; return True if it has taken `size` events."""
        kept = self.kept
        if kept.taken >= size:
            return True
        if self.carrier is not None:
            self.carrier.fetch()
            return self.kept.taken >= size
        with self._seat_of(kept.replay.terms.keeper) as seat:
            if seat is not None:
                self.ledger.sign_checkpoint(self.game, seat)
        return self.kept.taken >= size

    def carry_on(
        self, failed: Callable[[Due, LedgerError], object] | None = None, *, wait: bool = True
    ) -> tuple[Due, ...]:
        """Do the steps that a pending or voided roll needs from parties here; return the steps that remain.

        Each party acts alone, as its own program would. `failed` receives an error of a party's seat, which is then
        passed over; without it the error is raised. At a server this also waits for the server and for others, as long
        as the carrier has patience, unless `wait` is False.
        """
        failures: set[Due] = set()
        not_here: set[Due] = set()
        while True:
            outstanding = self.kept.outstanding()
            open_ = [due for due in outstanding if due.what not in ("join", "commit")]
            due = next((due for due in open_ if due not in failures | not_here), None)
            if due is None:
                if not open_ or not wait or self.carrier is None or not self.carrier.wait():
                    return outstanding
                not_here.clear()
                continue
            try:
                if not self.do(due):
                    not_here.add(due)
            except LedgerError as error:
                if self.carrier is not None and due not in self.kept.outstanding():
                    continue  # the game went on meanwhile, by another program of this party's
                if failed is None:
                    raise
                failed(due, error)
                failures.add(due)

    def do(self, due: Due) -> bool:
        """Have a party do an outstanding step; return False if it is not here. Raises what its seat raises."""
        with self._turn, self._seat_of(due.party) as seat:
            if seat is None:
                return False
            match due.what:
                case "take":
                    self.ledger.sign_checkpoint(self.game, seat)
                case "open":
                    self.open(seat)
                case what:
                    self.write(seat, what)
            return True

    def open(self, seat: Seat) -> Opening:
        """Open for the pending roll, and hand the opening in. Raises what `Seat.opening` raises."""
        opening = self.in_turn(lambda view: seat.opening(view, self.ledger.openings(self.game)))
        if self.carrier is None:
            self.ledger.hand_in(self.game, opening)
            return opening
        # It is outstanding until the server has it, and may be shown by then.
        self.carrier.hand_in(seat, opening)
        with suppress(RefusedError):
            self.ledger.hand_in(self.game, opening)
        return opening

    def write(self, seat: Seat, what: Literal["join", "commit", "reveal", "disclose"]) -> Receipt:
        """Append the event that the party owes. Raises what `Seat.due` raises."""
        return self.append(seat, lambda view: seat.due(what, view, self.ledger.openings(self.game), self.links))


@contextmanager
def open_table(home: Home, game: str, passphrases: Mapping[str, bytes]) -> Iterator[Table]:
    """The table of a game that is stored in `home`, with the seats of these parties at hand: passphrases by name.

    `game` is its id, the beginning of it, or its title. The seats are open, and theirs alone to act for, until the end
    of the block. Raises UsageError where there is no such game, or a name's key here is not the party's in it;
    IdentityError, MemoryLostError, StoreError.
    """
    with ExitStack() as stack:
        ledger = stack.enter_context(closing(home.ledger()))
        found = ledger.catalog.find(game)
        keys = ledger.view(found).replay.terms.keys
        seats: dict[str, Seat] = {}
        for name, passphrase in passphrases.items():
            if name not in keys or not home.has(keys[name]):
                raise TurnError(f"{name}'s key here is none of a party of this game")
            seats[name] = stack.enter_context(closing(home.seat(name, passphrase)))
        yield Table(ledger, found, lambda name: nullcontext(seats.get(name)))
