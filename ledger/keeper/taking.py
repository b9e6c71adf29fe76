"""Take the lines, openings and receipts of others into the store, in one transaction."""

from collections.abc import Sequence

from ledger.errors import LedgerError, RefusedError, StoreError, UsageError
from ledger.keeper.calling_away import Calling
from ledger.keeper.keepers import Keepers, by_seat
from ledger.keeper.operations import (
    CreateGame,
    HandIn,
    HandInReceived,
    KeeperFailure,
    NewLine,
    NewOpening,
    NewReceived,
    News,
    Offer,
    OpenGame,
    ReceiptOutcome,
)
from ledger.keeper.tickets import BEGINNING, ActiveGame, Ticket, activate
from ledger.seats.seat import Seat
from verifier import VerifierKey
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash

__all__ = ["Taking"]


class Taking:
    """The first step of a batch: what others have written is verified and stored."""

    def __init__(self, keepers: Keepers, calling: Calling, games: dict[bytes, ActiveGame]) -> None:
        self._keepers = keepers
        self._ledger = keepers.ledger
        self._calling = calling
        self._games = games

    def take(self, tickets: Sequence[Ticket]) -> None:
        """Take or refuse what is not answered yet."""
        created = self._open_games(tickets)
        named = {ticket.game for ticket in tickets if not isinstance(ticket.operation, BEGINNING)}
        taken: list[tuple[bytes, News]] = []
        try:
            with self._ledger.group(named | _begun(tickets, created)):
                for ticket in tickets:
                    if ticket.is_open and ticket.receipt is None:
                        taken += self._try(ticket, created.get(ticket))
        except StoreError as error:
            for ticket in tickets:
                ticket.outcome = KeeperFailure.of(error)
            return
        for game, news in taken:
            self._games.setdefault(game, ActiveGame()).news.append(news)
        for ticket in tickets:
            if isinstance(ticket.operation, HandIn) and ticket.is_open:
                activate(self._games, ticket).to_receive.append(ticket.operation.opening)

    def _open_games(self, tickets: Sequence[Ticket]) -> dict[Ticket, bytes]:
        """Return event 0 of each new game, signed by its keeper."""
        opening: list[tuple[Seat, tuple[Ticket, OpenGame]]] = []
        for ticket in tickets:
            if isinstance(ticket.operation, OpenGame):
                keeper = next((each.key for each in ticket.operation.body.parties if each.role == "keeper"), None)
                seat = None if keeper is None else self._keepers.seat_at(VerifierKey.parse(keeper))
                if seat is None:
                    ticket.outcome = KeeperFailure("keeper.away", "the keeper of this game is not here")
                else:
                    opening.append((seat, (ticket, ticket.operation)))
        lines: dict[Ticket, bytes] = {}
        for seat, games in by_seat(opening):
            signed: dict[Ticket, bytes] = {}
            try:
                with seat.group():
                    for ticket, opened in games:
                        try:
                            signed[ticket] = seat.open_agreed(opened.body)
                        except RefusedError as error:
                            ticket.error = error
            except LedgerError as error:
                for ticket, _ in games:
                    ticket.outcome = KeeperFailure.of(error)
            else:
                lines |= signed
        return lines

    def _try(self, ticket: Ticket, created: bytes | None) -> list[tuple[bytes, News]]:
        """Take or refuse an operation, within the group; return its news."""
        try:
            new = self._take_one(ticket, created)
        except RefusedError as error:
            ticket.error = error
        except UsageError as error:
            ticket.outcome = KeeperFailure.of(error, "not-found")
        else:
            if new is not None:
                ticket.new = True
                return [new]
        return []

    def _take_one(self, ticket: Ticket, created: bytes | None) -> tuple[bytes, News] | None:
        """Take an operation, within the group; return its news, if any. Raises RefusedError, UsageError."""
        ledger = self._ledger
        match ticket.operation:
            case Offer(game, line):
                kept = self._keepers.sound(game)
                assert kept is not None, "the keeper has looked at what it takes a line for"
                self._keepers.check_room(kept, line)
                receipt = ticket.receipt = ledger.append(game, line, upon=kept)
                self._calling.took(game, glance(line).type, receipt.seq)
                return game, NewLine(receipt.seq, line)
            case OpenGame() if created is not None:
                receipt = ticket.receipt = ledger.create(created)
                return bytes.fromhex(receipt.game), NewLine(0, created)
            case CreateGame(line):
                receipt = ticket.receipt = ledger.create(line)
                return bytes.fromhex(receipt.game), NewLine(0, line)
            case HandIn(sent):
                new = ledger.hand_in(ticket.game, sent.opening)
                return (ticket.game, NewOpening(sent)) if new else None
            case HandInReceived(received):
                new = ledger.hand_in_received(received)
                ticket.outcome = ReceiptOutcome(new)
                return (ticket.game, NewReceived(received)) if new else None
            case _:
                return None


def _begun(tickets: Sequence[Ticket], created: dict[Ticket, bytes]) -> set[bytes]:
    """Return the games that begin in this batch."""
    given = (ticket.operation.line for ticket in tickets if isinstance(ticket.operation, CreateGame))
    return {leaf_hash(line) for line in (*created.values(), *given)}
