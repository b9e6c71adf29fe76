"""Send the server what the parties here have signed: lines, openings, receipts; again where an answer is missing."""

import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import msgspec

from ledger.client.connection import Connection
from ledger.client.inbox import Inbox, sentence
from ledger.client.remotes import Remotes
from ledger.errors import BehindError, RefusedError, ServerError, UsageError
from ledger.network.wire import TakenLine
from ledger.seats.seat import Seat
from ledger.store.receipts import Receipt
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message
from rules.data.text import one_line
from rules.protocol import Phase
from verifier import NoteError
from verifier.log.bodies import Opening
from verifier.log.format import glance
from verifier.log.plainjson import encode
from verifier.opening import SentOpening, parse_received

__all__ = ["Outbox"]

MAX_KEPT = 65_536
"""bytes of one answer that are kept as evidence"""


class Outbox:
    """Sends what is written in one game. What the server sends in between goes through the inbox."""

    def __init__(
        self,
        inbox: Inbox,
        connection: Connection,
        remotes: Remotes,
        run: Callable[[Coroutine[Any, Any, Any]], Any],
    ) -> None:
        """`run` executes a coroutine on the event loop."""
        self.untaken: list[bytes] = []
        """own lines that others' lines overtook; the caller reports them to their authors and clears the list"""
        self.received: dict[str, float] = {}
        """requests (leaf hash, hex) whose openings the keeper acknowledged, with the time (`time.monotonic`)"""
        self.own = ""
        """the party whose openings are handed in again when the server comes back"""
        self._inbox = inbox
        self._ledger = inbox.ledger
        self._game = inbox.game
        self._connection = connection
        self._remotes = remotes
        self._run = run

    def send_kept(self) -> None:
        """Send the lines and the opening that the server lacks. Raises CheatedError, AwayError, ServerError."""
        for line in self._remotes.kept(self._game):
            self._send_again(line)
        self._hand_in_again()

    def offer(self, line: bytes) -> Receipt:
        """Send a line to the keeper. It is kept on disk until the keeper has taken it."""
        self._inbox.check()
        self._remotes.keep(self._game, line)
        receipt = self._offer(line)
        if receipt is None:
            text = N_("The game has gone on since this event was signed: look at its new end and sign again.")
            raise RefusedError(Message(text), "chain.prev", None)
        return receipt

    def _send_again(self, line: bytes) -> None:
        """Send a line that was never sent, or never answered."""
        try:
            if self._inbox.receipt_of(line) is None and self._offer(line) is None:
                self.untaken.append(line)
            self._remotes.drop(self._game, line)
        except ServerError:
            self.untaken.append(line)

    def _offer(self, line: bytes) -> Receipt | None:
        """Send a line and return the keeper's receipt; None if another event came first, which is stored then."""
        try:
            taken = self._sent(line)
        except ServerError as error:
            self._remotes.drop(self._game, line)
            if error.status != 409:
                raise
            self._inbox.catch_up()
            return self._inbox.receipt_of(line)
        receipt = self._taken(line, taken)
        self._remotes.drop(self._game, line)
        return receipt

    def _sent(self, line: bytes) -> TakenLine:
        try:
            return self._post(line)
        except ServerError as error:
            if error.code != "keeper.behind" or error.size is None or error.size >= self._inbox.size:
                raise
            self._inbox.give_lines(error.size)
            return self._post(line)

    def _post(self, line: bytes) -> TakenLine:
        taken: TakenLine = self._run(self._connection.offer(self._game, line))
        return taken

    def _taken(self, line: bytes, taken: TakenLine) -> Receipt:
        """Store a line that the server says it took, and the checkpoint that must cover it; return the receipt."""
        seq = glance(line).seq
        note = taken.checkpoint.encode()
        if self._inbox.size == seq:
            self._inbox.take_line(seq, line)
        try:
            self._inbox.take_checkpoint(note)
        except BehindError:
            self._inbox.catch_up()
        receipt = self._inbox.receipt_of(line)
        checkpoint = self._ledger.checkpoint(self._game)
        if taken.seq != seq or receipt is None or checkpoint is None or checkpoint.head.size <= seq:
            files = {"given.jsonl": line + b"\n", "given.checkpoint": note}
            raise self._inbox.cheated(
                f"The server says that it took event {seq}, and gives no checkpoint for it.", files
            )
        return receipt

    def hand_in(self, seat: Seat, opening: Opening) -> None:
        """Hand in a party's opening; the seat keeps the keeper's receipt."""
        self._inbox.check()
        view = self._ledger.view(self._game)
        if view.replay.session.phase is not Phase.PENDING or view.replay.pending is None:
            return
        sent = SentOpening.of(self._game, view.replay.pending.request, opening)
        try:
            data = self._run(self._connection.hand_in(self._game, encode(sent)))
        except ServerError as error:
            self._inbox.catch_up()  # another program of this party opened too: the roll was called off, or revealed
            after = self._ledger.view(self._game).replay
            if after.head == view.replay.head:
                raise error from None
            return
        if data == b"null":  # the roll was ended before the keeper had signed one
            return
        try:
            received = parse_received(encode(msgspec.json.decode(data)))
            if (received.author, received.link, received.request) != (opening.author, opening.link, sent.request):
                raise UsageError("it is for another opening")
            seat.keyless.keep_received(received, view)
        except (NoteError, UsageError, *UNREADABLE) as problem:
            text = f"The receipt that the server gave for {seat.name}'s opening is worthless: {one_line(str(problem))}"
            raise self._inbox.cheated(sentence(text), {"given.received": data[:MAX_KEPT]}) from None
        self.received[sent.request] = time.monotonic()

    def _hand_in_again(self) -> None:
        """Hand in the own opening again: a server restored from a backup has lost it (specs/network.md)."""
        kept = self._ledger.kept(self._game)
        if kept.replay.pending is None:
            return
        for opening in kept.openings:
            if opening.author == self.own:
                sent = SentOpening.of(self._game, kept.replay.pending.request, opening)
                with suppress(ServerError):  # the roll has ended meanwhile
                    self._run(self._connection.hand_in(self._game, encode(sent)))

    def acknowledge(self, seat: Seat, opening: Opening) -> None:
        """Send a party's receipt for another party's opening."""
        self._inbox.check()
        received = seat.acknowledge(self._ledger.view(self._game), opening)
        with suppress(ServerError):  # the roll has ended meanwhile
            self._run(self._connection.acknowledge(self._game, encode(received)))
