"""Verify what a server sends of a game before it is stored: each line, checkpoint and opening.

Nothing is trusted. `LogImporter.take_line` verifies each line as the next of the log, `Ledger.take_checkpoint` compares
each checkpoint with all lines, `Ledger.hand_in` verifies each opening. Data that does not fit is kept as evidence, and
from then on nothing is sent.
"""

import asyncio
import re
from collections.abc import Callable, Coroutine
from contextlib import suppress
from io import BytesIO
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from ledger.client.connection import Connection
from ledger.client.remotes import Remotes
from ledger.client.sse import StreamError, StreamEvent
from ledger.errors import (
    AwayError,
    BehindError,
    CheatedError,
    ForkError,
    LedgerError,
    RefusedError,
    ServerError,
    StoreError,
    UsageError,
)
from ledger.network.wire import Here, TakenLine
from ledger.store.ledger import Ledger
from ledger.store.receipts import Receipt
from rules.data.jsontext import UNREADABLE
from rules.data.text import one_line
from rules.protocol import Phase
from verifier import NoteError, Pins
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.log.bodies import Opening
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash
from verifier.opening import ReceivedOpening, parse_received, parse_sent

__all__ = ["Inbox", "RemoteUpdate", "decode_event", "sentence"]

_T = TypeVar("_T")
MAX_SHOWN = 100_000_000
"""bytes of a server's lines that are kept as evidence"""
SHOW_WITHIN = 10.0
"""seconds in which a server shows its lines as evidence, or for them to make room"""


class RemoteUpdate(Struct, frozen=True):
    """A verified message of a server, or a change of the connection: `away`, `back`."""

    what: Literal["line", "checkpoint", "opening", "received", "here", "alive", "away", "back"]
    """`alive`: an empty message, which the server sends every few seconds"""
    seq: int | None = None
    """the number of the line"""
    line: bytes = b""
    opening: Opening | None = None
    received: ReceivedOpening | None = None
    here: tuple[str, ...] = ()
    text: str = ""
    """why the server is away, or why an opening was refused"""


class Inbox:
    """Verifies and stores what the server of one game sends."""

    def __init__(
        self,
        ledger: Ledger,
        game: bytes,
        connection: Connection,
        remotes: Remotes,
        run: Callable[[Coroutine[Any, Any, Any]], Any],
        heard: Callable[[], None],
    ) -> None:
        """`run` executes a coroutine on the event loop; `heard` is called when the server is found to cheat."""
        self.ledger = ledger
        self.game = game
        self.trouble: CheatedError | None = None
        """how the server cheated; nothing more is sent then"""
        self._connection = connection
        self._remotes = remotes
        self._run = run
        self._heard = heard

    @property
    def size(self) -> int:
        """The number of stored lines."""
        try:
            return self.ledger.view(self.game).replay.size
        except UsageError:
            return 0

    def check(self) -> None:
        """Raise CheatedError if the server was found to cheat."""
        if self.trouble is not None:
            raise self.trouble

    def catch_up(self, attempts: int = 3) -> None:
        """Fetch and store the lines and the checkpoint of the server; give it the lines that it has lost.

        Raises CheatedError, AwayError, ServerError.
        """
        self.check()
        while True:
            size = self.size
            lines, there = self._run(self._connection.lines(self.game, size))
            for seq, line in enumerate(lines, size):
                self.take_line(seq, line)
            if there < size:
                if not attempts:
                    problem = f"The server shows {there} of {size} events, though it was given what it lacks."
                    raise self.cheated(problem)
                attempts -= 1
                self.give_lines(there)
            elif not lines:
                if size < there:
                    raise AwayError(f"{self._connection.address} says that it has {there} events, and sends {size}")
                break
        note = self._run(self._connection.checkpoint(self.game))
        try:
            self.take_checkpoint(note)
        except BehindError as error:
            if not attempts:
                files = {"given.checkpoint": note}
                raise self.cheated(f"The server hides the end of the log: {error}", files) from None
            self.catch_up(attempts - 1)  # the game has gone on in between

    def give_lines(self, there: int) -> None:
        """Give a server restored from a backup the lines that it lost (specs/network.md, "Catching up")."""
        log = BytesIO()
        self.ledger.export(self.game, log)
        try:
            self._run(self._connection.catch_up(self.game, log.getvalue()))
        except ServerError as error:
            problem = (
                f"The server shows a log that is shorter than the one seen here, {there} of {self.size} events, "
                f"and refuses the missing ones: {error}"
            )
            raise self.cheated(sentence(problem)) from None

    def take_line(self, seq: int, line: bytes) -> bool:
        """Store a line of the server; return True if it is new. Raises CheatedError."""
        try:
            return self.ledger.importer.take_line(self.game, seq, line)
        except StoreError:
            raise
        except LedgerError as error:
            if self._made_room() and next(self.ledger.lines(self.game, seq, seq + 1), None) == line:
                return True
            problem = f"Line {seq} that the server sent does not hold: {error}"
            raise self.cheated(sentence(problem), {"given.jsonl": line + b"\n"}) from None

    def take_checkpoint(self, note: bytes) -> None:
        """Store a checkpoint of the server.

        Raises CheatedError; BehindError if its lines are not stored yet.
        """
        try:
            self._take_checkpoint(note)
        except (BehindError, StoreError):
            raise
        except (NoteError, LedgerError) as error:
            if isinstance(error, ForkError) and self._made_room():
                self._take_checkpoint(note)
                return
            problem = f"The checkpoint that the server sent does not fit: {error}"
            raise self.cheated(sentence(problem), {"given.checkpoint": note}) from None

    def _take_checkpoint(self, note: bytes) -> None:
        checkpoint = parse_checkpoint(note)
        if checkpoint.head.game != self.game:
            raise UsageError("it is of another game")
        self.ledger.take_checkpoint(checkpoint)

    def _made_room(self) -> bool:
        """Replace stored lines that no checkpoint covers by the server's, which the keeper signed; True if that worked.

        Such lines came from a server that was restored from a backup before it had signed for them, and that went on
        without them (specs/protocol.md, "Taken and untaken").
        """
        try:
            if self.ledger.taken(self.game) >= self.size:
                return False
            shown = self._run(self._shown())
            data, note = shown["there.jsonl"], shown["there.jsonl.checkpoint"]
            imported = self.ledger.importer.import_log(
                data, name="the server's log", pins=Pins(self.game), checkpoint=note
            )
        except (LedgerError, TimeoutError):
            return False
        return bool(imported.untaken)

    def receipt_of(self, line: bytes) -> Receipt | None:
        """Return the receipt of a stored line; None if it is not stored."""
        seq = glance(line).seq
        if next(self.ledger.lines(self.game, seq, seq + 1), None) != line:
            return None
        replay = self.ledger.view(self.game).replay
        checkpoint = self.ledger.checkpoint(self.game)
        return Receipt(self.game.hex(), seq, leaf_hash(line).hex(), replay.size, replay.tree.root().hex(), checkpoint)

    def is_closed(self) -> bool:
        """Return True if the stored game is closed, which its keeper alone can do."""
        return self.ledger.kept(self.game).replay.session.phase is Phase.CLOSED

    # --- the stream --------------------------------------------------------------------------------------------------

    def take(self, event: StreamEvent) -> RemoteUpdate | None:
        """Verify and store an event of the stream; None if it means nothing to us. Raises CheatedError."""
        match event.name:
            case "":
                return RemoteUpdate("alive")
            case "line":
                if re.fullmatch("[0-9]{1,10}", event.id) is None:
                    raise StreamError("the server sent a line without its number")
                self.take_line(int(event.id), event.data)
                return RemoteUpdate("line", seq=int(event.id), line=event.data)
            case "checkpoint":
                try:
                    self.take_checkpoint(decode_event(event.data, TakenLine).checkpoint.encode())
                except BehindError:
                    self.catch_up()
                return RemoteUpdate("checkpoint")
            case "opening":
                return self._take_opening(event.data)
            case "received":
                try:
                    return RemoteUpdate("received", received=parse_received(event.data))
                except NoteError as problem:
                    raise StreamError(f"the server sent no receipt: {problem}") from None
            case "here":
                return RemoteUpdate("here", here=decode_event(event.data, Here).here)
            case _:
                return None

    def _take_opening(self, data: bytes) -> RemoteUpdate | None:
        """Store an opening. An invalid one is dropped: it opens nothing, and its author cannot be known."""
        try:
            sent = parse_sent(data)
        except NoteError as problem:
            raise StreamError(f"the server sent no opening: {problem}") from None
        pending = self.ledger.view(self.game).replay.pending
        if sent.game != self.game.hex() or pending is None or sent.request != pending.request.hex():
            return None
        try:
            self.ledger.hand_in(self.game, sent.opening)
        except RefusedError as error:
            after = self.ledger.view(self.game).replay.pending
            if after is None or after.request != pending.request:
                return None  # another program has gone on with this store meanwhile
            return RemoteUpdate("opening", text=str(error))
        return RemoteUpdate("opening", opening=sent.opening)

    # --- evidence ----------------------------------------------------------------------------------------------------

    def cheated(self, problem: str, files: dict[str, bytes] | None = None) -> CheatedError:
        """Store what the server showed as evidence, stop sending, and return the error to raise."""
        files = files or {}
        log = BytesIO()
        with suppress(LedgerError):
            self.ledger.export(self.game, log)
            files["here.jsonl"] = log.getvalue()
            checkpoint = self.ledger.checkpoint(self.game)
            if checkpoint is not None:
                files["here.jsonl.checkpoint"] = bytes(checkpoint)
        with suppress(LedgerError, TimeoutError):  # it shows no more
            files |= self._run(self._shown())
        files["why.txt"] = f"{problem}\n{self._connection.address}\n".encode()
        try:
            self.trouble = CheatedError(problem, str(self._remotes.keep_evidence(self.game, files)))
        except StoreError as error:
            self.trouble = CheatedError(problem, "", str(error))
        self._heard()
        return self.trouble

    async def _shown(self) -> dict[str, bytes]:
        """Fetch the whole log and checkpoint from the server, to compare them with the stored ones."""
        shown, size = list[bytes](), 0
        async with asyncio.timeout(SHOW_WITHIN):
            while size <= MAX_SHOWN:
                lines, there = await self._connection.lines(self.game, len(shown))
                shown += lines
                size += sum(map(len, lines))
                if not lines or len(shown) >= there:
                    break
            note = await self._connection.checkpoint(self.game)
        return {"there.jsonl": b"".join(line + b"\n" for line in shown), "there.jsonl.checkpoint": note}


def decode_event(data: bytes, kind: type[_T]) -> _T:
    """Decode the data of a stream's event. Raises StreamError."""
    try:
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as error:
        raise StreamError(f"the server sent something else than it said: {one_line(str(error))}") from None


def sentence(text: str) -> str:
    """End a text with a full stop."""
    return text if text.endswith(".") else f"{text}."
