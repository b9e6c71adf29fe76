"""One batch of operations: each has a ticket, which goes from step to step until it has an outcome."""

from collections.abc import Sequence
from contextlib import suppress

from ledger.errors import LedgerError, MissingError, RefusedError
from ledger.keeper.calling_away import Calling
from ledger.keeper.keepers import Keepers
from ledger.keeper.known import KnownAnswers
from ledger.keeper.operations import (
    Acceptance,
    BatchResult,
    CatchUp,
    CaughtUp,
    CloseGame,
    HandIn,
    KeeperFailure,
    LetIn,
    Offer,
    OpeningOutcome,
    Operation,
    Outcome,
    Rejection,
    ResumeOutcome,
)
from ledger.keeper.signing import Signing
from ledger.keeper.taking import Taking
from ledger.keeper.tickets import BEGINNING, ActiveGame, Ticket
from ledger.store.receipts import Receipt
from verifier import Replay
from verifier.log.format import decode_envelope, signed_message

__all__ = ["Batch"]


class Batch:
    """Operations that are done together."""

    def __init__(self, keepers: Keepers, calling: Calling, links: int, operations: Sequence[Operation]) -> None:
        self._ledger = keepers.ledger
        tickets: dict[object, Ticket] = {}
        self._order = [
            tickets.setdefault(index if isinstance(operation, BEGINNING) else operation, Ticket(operation))
            for index, operation in enumerate(operations)
        ]
        """a ticket for each operation; one that was sent twice is done once"""
        self._tickets = [*tickets.values()]
        self._games: dict[bytes, ActiveGame] = {}
        self._known = KnownAnswers(keepers, self._games)
        self._taking = Taking(keepers, calling, self._games)
        self._signing = Signing(keepers, calling, links, self._games)

    def run(self) -> BatchResult:
        """Do all operations, and return their outcomes in their order, with the news of each game."""
        self._catch_up()
        self._known.answer(self._open())
        self._taking.take(self._open())
        self._signing.finish()
        outcomes = tuple(ticket.outcome or self._outcome(ticket) for ticket in self._order)
        return BatchResult(outcomes, {game: active.news for game, active in self._games.items() if active.news})

    def _open(self) -> list[Ticket]:
        return [ticket for ticket in self._tickets if ticket.is_open]

    def _catch_up(self) -> None:
        """Take missing lines, each log by itself, so that an invalid one affects no other. Readers must start anew."""
        for ticket in self._tickets:
            if not isinstance(ticket.operation, CatchUp):
                continue
            game, first, lines = ticket.operation.game, ticket.operation.first, ticket.operation.lines
            try:
                size = self._ledger.fill(game, first, lines)
            except LedgerError as error:
                code = "not-found" if isinstance(error, MissingError) else None
                ticket.outcome = KeeperFailure.of(error, code, self._size(game))
            else:
                ticket.outcome = CaughtUp(size, len(lines))

    # --- outcomes ----------------------------------------------------------------------------------------------------

    def _outcome(self, ticket: Ticket) -> Outcome:
        operation = ticket.operation
        if ticket.error is not None:
            return self._refused(operation, ticket.error)
        if isinstance(operation, BEGINNING | Offer | LetIn):
            if ticket.receipt is None:
                assert isinstance(operation, LetIn), "what is offered is taken or refused"
                failed = self._games[operation.game].failed
                assert failed is not None, "whom the host lets in is let in or refused, or the keeper cannot"
                return failed
            return self._signed(bytes.fromhex(ticket.receipt.game), ticket.receipt, new=ticket.new)
        active = self._games[operation.game]
        if isinstance(operation, HandIn):
            sent = operation.opening
            received = active.received.get((sent.request, sent.opening.author))
            if received is None and active.failed is not None:
                return active.failed
            return OpeningOutcome(received, new=ticket.new)
        if active.failed is not None:
            return active.failed
        try:
            replay = self._ledger.live(operation.game).replay
        except LedgerError as error:  # another program has deleted the game, or changed the store
            return KeeperFailure.of(error)
        if not isinstance(operation, CloseGame):
            return ResumeOutcome(replay.size)
        last = Receipt(operation.game.hex(), replay.size - 1, replay.head.hex(), replay.size, replay.tree.root().hex())
        return self._signed(operation.game, last, new=active.closed)

    def _signed(self, game: bytes, receipt: Receipt, *, new: bool) -> Outcome:
        """Return the outcome of a line that is stored: it stands once it is under a checkpoint."""
        active = self._games[game]
        checkpoint = active.signed
        if checkpoint is None or checkpoint.head.size <= receipt.seq:
            assert active.failed is not None, "a line that is taken ends under a checkpoint, or the keeper cannot"
            return active.failed
        return Acceptance(Receipt(receipt.game, receipt.seq, receipt.leaf, receipt.size, receipt.root, checkpoint), new)

    def _refused(self, operation: Operation, error: RefusedError) -> Rejection:
        """Return a refusal with the log's end as it is now: another may have been faster in the same batch."""
        with suppress(LedgerError):
            if not isinstance(operation, BEGINNING):
                replay = self._ledger.live(operation.game).replay
                return Rejection(error, replay.size, replay.head, _author_of_stale(operation, error, replay))
        return Rejection(error, 0, bytes(32))

    def _size(self, game: bytes) -> int:
        with suppress(LedgerError):
            return self._ledger.live(game).replay.size
        return 0


def _author_of_stale(operation: Operation, error: RefusedError, replay: Replay) -> str | None:
    """Return the author of a line that lost a race, by its signature: anybody can write any name."""
    if error.code not in ("chain.seq", "chain.prev"):
        return None
    assert isinstance(operation, Offer), "all else is written by the keeper, at the log's end"
    event = decode_envelope(operation.line)
    key = replay.terms.keys.get(event.author)
    if key is None or event.game != replay.game.hex():
        return None
    return event.author if key.verify(bytes.fromhex(event.sig), signed_message(event)) else None
