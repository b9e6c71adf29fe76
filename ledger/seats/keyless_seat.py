"""A seat without its key: it keeps receipts, warns its owner, and reads its own memory (specs/seats.md)."""

from collections.abc import Collection

from ledger.errors import MissingError
from ledger.game.party_view import View
from ledger.seats.fork_guard import add_receipt, check_log, check_receipts
from ledger.seats.memory import SeatMemory, Turn
from ledger.seats.records import Record
from ledger.seats.sealing import SecretOutcome, secret_of, shown_by
from rules.protocol import Phase
from verifier import NoteError, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.log.format import glance
from verifier.opening import ReceivedOpening, check_received, check_received_now, parse_received

__all__ = ["KeylessSeat", "acknowledged_authors"]


class KeylessSeat:
    """A seat without its key: it keeps receipts and warns its owner, and signs nothing.

    A seat has one, and leaves it when its turn is over.
    """

    def __init__(self, key: VerifierKey, memory: SeatMemory) -> None:
        self.name = key.name
        self.key = key
        """the party's verifier key"""
        self._memory = memory

    def close(self) -> None:
        """Close the memory."""
        self._memory.close()

    def keep(self, receipt: SignedCheckpoint, view: View) -> None:
        """Keep a receipt; from now on this party signs on no log that contradicts it.

        Raises UsageError where it is none; ForkError where it contradicts the log as shown (it is kept as evidence).
        """
        with self._memory.game(view.replay.terms.game) as turn:
            add_receipt(turn, view, receipt)
            turn.settle()
            check_log(turn, view, self.key)
            check_receipts(turn, view, self.name)

    def latest(self, game: bytes) -> SignedCheckpoint | None:
        """Return the receipt for the most events; None if the party holds none."""
        with self._memory.game(game) as turn:
            held = max(turn.record.receipts, key=lambda held: held.size, default=None)
        return None if held is None else parse_checkpoint(held.note.encode())

    def keep_received(self, received: ReceivedOpening, view: View) -> None:
        """Keep what another party signed when it received this party's opening, until its roll is shown.

        Raises MissingError where it is none.
        """
        replay = view.replay
        waiting = replay.pending if replay.session.phase is Phase.PENDING else None
        try:
            if waiting is not None and waiting.request.hex() == received.request:
                check_received_now(replay, received)
            else:
                check_received(view.lines(0), received)
        except NoteError as problem:
            raise MissingError(f"this is no receipt for an opening: {problem}") from None
        if received.author != self.name:
            raise MissingError(f"this is a receipt for {received.author}'s opening, not for {self.name}'s")
        with self._memory.game(replay.terms.game) as turn:
            line = bytes(received).decode()
            if line in turn.record.received:
                return
            before = [parse_received(kept.encode()) for kept in turn.record.received]
            shown = _shown(view) if any(kept.request != received.request for kept in before) else frozenset()
            kept = tuple(bytes(each).decode() for each in before if each.request not in shown)
            turn.change(received=(*kept, line))

    def seen(self, game: bytes) -> Record:
        """Return the party's record of a game."""
        with self._memory.game(game) as turn:
            return turn.record

    def records(self) -> dict[bytes, Record]:
        """Return the party's records, by the game's id."""
        return self._memory.records()

    def received(self, game: bytes) -> list[ReceivedOpening]:
        """Return the receipts that this party holds for its openings."""
        with self._memory.game(game) as turn:
            return [parse_received(line.encode()) for line in turn.record.received]

    def acknowledged(self, game: bytes, request: bytes) -> frozenset[str]:
        """Return the authors whose openings for a request this party acknowledged, if it or its judge may void it."""
        with self._memory.game(game) as turn:
            return acknowledged_authors(turn, request)

    def outcomes(self, view: View) -> list[SecretOutcome]:
        """Return the outcomes of this party's secret rolls that are not shown yet: for its owner only."""
        replay, game = view.replay, view.replay.terms.game
        holder, record = replay.session.seals.get(self.name), self.seen(game)
        found = []
        for roll in () if holder is None else holder.secret.values():
            secret = secret_of(game, self.name, record.seals, roll.tag)
            if secret is not None and roll.revealed:
                found.append(SecretOutcome.of(replay, shown_by(replay, roll, secret, record.hidden)))
        return found

    def warnings(self, game: bytes) -> tuple[str, ...]:
        """Return the warnings that the party's owner has not seen yet."""
        with self._memory.game(game) as turn:
            return turn.record.warnings

    def dismiss_warnings(self, game: bytes, warnings: Collection[str]) -> None:
        """Mark warnings as seen by the owner."""
        with self._memory.game(game) as turn:
            left = tuple(text for text in turn.record.warnings if text not in warnings)
            if left != turn.record.warnings:
                turn.change(warnings=left)


def acknowledged_authors(turn: Turn, request: bytes) -> frozenset[str]:
    """Return the authors whose openings for a request the seat acknowledged, if it or its judge may void it."""
    given = turn.record.acknowledged
    return frozenset(given.authors if given.request == request.hex() else ())


def _shown(view: View) -> frozenset[str]:
    """Return the requests (leaf hashes, hex) of a game that were revealed."""
    lines = map(glance, view.lines(0))
    return frozenset(event.prev for event in lines if event.type == "reveal")
