"""Synchronize a stored game with the server that keeps it: verify and store what arrives, send what is written.

Nothing is trusted. `Ledger.take_line` verifies each line as the next of the log, `Ledger.take_checkpoint` compares
each checkpoint with all lines, `Ledger.hand_in` verifies each opening. Data that does not fit is kept as evidence, and
from then on nothing is sent.

Threads work on files and call the methods of `GameSync`, whose `run` executes coroutines on the event loop.
"""

import asyncio
import random
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from io import BytesIO
from threading import Condition
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from ledger.client.connection import FIRST_WAIT, LONGEST_WAIT, Connection
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
from ledger.network.wire import Bye, Here, TakenLine
from ledger.seats.seat import Seat
from ledger.store.ledger import Ledger
from ledger.store.receipts import Receipt
from rules.data.language import N_, Message
from rules.data.text import one_line
from rules.protocol import Phase
from verifier import NoteError, Pins
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.log.format import UNREADABLE, Opening, encode, glance
from verifier.log.merkle import leaf_hash
from verifier.opening import ReceivedOpening, SentOpening, parse_received, parse_sent

__all__ = ["GameSync", "RemoteUpdate"]

_T = TypeVar("_T")
MAX_SHOWN = 100_000_000
"""bytes of a server's lines that are kept as evidence"""
MAX_KEPT = 65_536
"""bytes of one answer that are kept as evidence"""
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


class GameSync:
    """Synchronizes one stored game with its server; a `ledger.keeper.table.Carrier`.

    Threads call all methods but `follow` and `aside`, which are coroutines.
    """

    def __init__(
        self,
        ledger: Ledger,
        game: bytes,
        connection: Connection,
        remotes: Remotes,
        run: Callable[[Coroutine[Any, Any, Any]], Any],
        *,
        patience: float = 20.0,
    ) -> None:
        """`run` executes a coroutine on the event loop for a thread, and returns its result.

        `patience`: the seconds that all calls of `wait` together wait for other parties.
        """
        self.ledger = ledger
        self.game = game
        self.connection = connection
        self.trouble: CheatedError | None = None
        """how the server cheated; nothing more is sent then"""
        self.untaken: list[bytes] = []
        """own lines that others' lines overtook; the caller reports them to their authors and clears the list"""
        self.received: dict[str, float] = {}
        """requests (leaf hash, hex) whose openings the keeper acknowledged, with the time (`time.monotonic`)"""
        self.standing: float | None = None
        """when the current stream began (`time.monotonic`); None without a stream"""
        self.own = ""
        """the party whose openings are handed in again when the server comes back"""
        self.follower: Callable[[], None] | None = None
        """starts to follow the stream if nobody follows it yet"""
        self._remotes = remotes
        self._run = run
        self._patience = patience
        self._deadline: float | None = None
        self._aside = ThreadPoolExecutor(1, f"follow-{game.hex()[:12]}")
        self._news = Condition()
        self._count = 0
        self._seen = 0

    def end(self) -> None:
        """Stop waiting: each thread in `wait` returns False."""
        self.connection.patience = 0.0
        self._patience, self._deadline = 0.0, 0.0
        self.heard()

    def close(self) -> None:
        """Stop the worker thread when its current work is done."""
        self.end()
        self._aside.shutdown(cancel_futures=True)

    async def aside(self, work: Callable[[], _T]) -> _T:
        """Do work on files in the follower's own thread, one task at a time. Tasks that wait for it run elsewhere."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    # --- reading ---------------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """The number of stored lines."""
        try:
            return self.ledger.view(self.game).replay.size
        except UsageError:
            return 0

    def fetch(self) -> None:
        """Fetch all that the server has, then send the lines and the opening that it lacks."""
        self._catch_up()
        for line in self._remotes.kept(self.game):
            self._send_again(line)
        self._hand_in_again()

    def _catch_up(self, attempts: int = 3) -> None:
        self.check()
        while True:
            size = self.size
            lines, there = self._run(self.connection.lines(self.game, size))
            for seq, line in enumerate(lines, size):
                self.take_line(seq, line)
            if there < size:
                if not attempts:
                    problem = f"The server shows {there} of {size} events, though it was given what it lacks."
                    raise self._cheated(problem)
                attempts -= 1
                self._give_lines(there)
            elif not lines:
                if size < there:
                    raise AwayError(f"{self.connection.address} says that it has {there} events, and sends {size}")
                break
        note = self._run(self.connection.checkpoint(self.game))
        try:
            self.take_checkpoint(note)
        except BehindError as error:
            if not attempts:
                files = {"given.checkpoint": note}
                raise self._cheated(f"The server hides the end of the log: {error}", files) from None
            self._catch_up(attempts - 1)  # the game has gone on in between

    def _give_lines(self, there: int) -> None:
        """Give a server restored from a backup the lines that it lost (specs/network.md, "Catching up")."""
        log = BytesIO()
        self.ledger.export(self.game, log)
        try:
            self._run(self.connection.catch_up(self.game, log.getvalue()))
        except ServerError as error:
            problem = (
                f"The server shows a log that is shorter than the one that was seen, {there} of {self.size} events, "
                f"and takes none of those that it lacks: {error}"
            )
            raise self._cheated(_sentence(problem)) from None

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
            raise self._cheated(_sentence(problem), {"given.jsonl": line + b"\n"}) from None

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
                with suppress(BehindError):
                    self._take_checkpoint(note)
                return
            problem = f"The checkpoint that the server sent does not fit: {error}"
            raise self._cheated(_sentence(problem), {"given.checkpoint": note}) from None

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
        except (LedgerError, NoteError, TimeoutError):
            return False
        return bool(imported.untaken)

    def _cheated(self, problem: str, files: dict[str, bytes] | None = None) -> CheatedError:
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
        files["why.txt"] = f"{problem}\n{self.connection.address}\n".encode()
        try:
            self.trouble = CheatedError(problem, str(self._remotes.keep_evidence(self.game, files)))
        except StoreError as error:
            self.trouble = CheatedError(problem, "", str(error))
        self.heard()
        return self.trouble

    async def _shown(self) -> dict[str, bytes]:
        """Fetch the whole log and checkpoint from the server, to compare them with the stored ones."""
        shown, size = list[bytes](), 0
        async with asyncio.timeout(SHOW_WITHIN):
            while size <= MAX_SHOWN:
                lines, there = await self.connection.lines(self.game, len(shown))
                shown += lines
                size += sum(map(len, lines))
                if not lines or len(shown) >= there:
                    break
            note = await self.connection.checkpoint(self.game)
        return {"there.jsonl": b"".join(line + b"\n" for line in shown), "there.jsonl.checkpoint": note}

    def check(self) -> None:
        """Raise CheatedError if the server was found to cheat."""
        if self.trouble is not None:
            raise self.trouble

    # --- writing ---------------------------------------------------------------------------------------------------

    def offer(self, line: bytes) -> Receipt:
        """Send a line to the keeper. It is kept on disk until the keeper has taken it."""
        self.check()
        self._remotes.keep(self.game, line)
        receipt = self._offer(line)
        if receipt is None:
            text = N_("The game has gone on since this event was signed: look at its new end and sign again.")
            raise RefusedError(Message(text), "chain.prev", None)
        return receipt

    def _send_again(self, line: bytes) -> None:
        """Send a line that was never sent, or never answered."""
        try:
            if self._stands(line) is None and self._offer(line) is None:
                self.untaken.append(line)
            self._remotes.drop(self.game, line)
        except ServerError:
            self.untaken.append(line)

    def _offer(self, line: bytes) -> Receipt | None:
        """Send a line and return the keeper's receipt; None if another event came first, which is stored then."""
        try:
            taken = self._sent(line)
        except ServerError as error:
            self._remotes.drop(self.game, line)
            if error.status != 409:
                raise
            self._catch_up()
            return self._stands(line)
        receipt = self._taken(line, taken)
        self._remotes.drop(self.game, line)
        return receipt

    def _sent(self, line: bytes) -> TakenLine:
        try:
            return self._post(line)
        except ServerError as error:
            if error.code != "keeper.behind" or error.size is None or error.size >= self.size:
                raise
            self._give_lines(error.size)
            return self._post(line)

    def _post(self, line: bytes) -> TakenLine:
        taken: TakenLine = self._run(self.connection.offer(self.game, line))
        return taken

    def _taken(self, line: bytes, taken: TakenLine) -> Receipt:
        """Store a line that the server says it took, and the checkpoint that must cover it; return the receipt."""
        seq = glance(line).seq
        note = taken.checkpoint.encode()
        if self.size == seq:
            self.take_line(seq, line)
        try:
            self.take_checkpoint(note)
        except BehindError:
            self._catch_up()
        receipt = self._stands(line)
        checkpoint = self.ledger.checkpoint(self.game)
        if taken.seq != seq or receipt is None or checkpoint is None or checkpoint.head.size <= seq:
            files = {"given.jsonl": line + b"\n", "given.checkpoint": note}
            raise self._cheated(f"The server says that it took event {seq}, and gives no checkpoint for it.", files)
        return receipt

    def _stands(self, line: bytes) -> Receipt | None:
        """Return the receipt of a stored line; None if it is not stored."""
        seq = glance(line).seq
        if next(self.ledger.lines(self.game, seq, seq + 1), None) != line:
            return None
        replay = self.ledger.view(self.game).replay
        checkpoint = self.ledger.checkpoint(self.game)
        return Receipt(self.game.hex(), seq, leaf_hash(line).hex(), replay.size, replay.tree.root().hex(), checkpoint)

    def hand_in(self, seat: Seat, opening: Opening) -> None:
        """Hand in a party's opening; the seat keeps the keeper's receipt."""
        self.check()
        view = self.ledger.view(self.game)
        if view.replay.session.phase is not Phase.PENDING or view.replay.pending is None:
            return
        sent = SentOpening.of(self.game, view.replay.pending.request, opening)
        try:
            data = self._run(self.connection.hand_in(self.game, encode(sent)))
        except ServerError as error:
            self._catch_up()  # another program of this party opened too: the roll was called off, or revealed
            after = self.ledger.view(self.game).replay
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
            raise self._cheated(_sentence(text), {"given.received": data[:MAX_KEPT]}) from None
        self.received[sent.request] = time.monotonic()

    def _hand_in_again(self) -> None:
        """Hand in the own opening again: a server restored from a backup has lost it (specs/network.md)."""
        kept = self.ledger.kept(self.game)
        if kept.replay.pending is None:
            return
        for opening in kept.openings:
            if opening.author == self.own:
                sent = SentOpening.of(self.game, kept.replay.pending.request, opening)
                with suppress(ServerError):  # the roll has ended meanwhile
                    self._run(self.connection.hand_in(self.game, encode(sent)))

    def acknowledge(self, seat: Seat, opening: Opening) -> None:
        """Send a party's receipt for another party's opening."""
        self.check()
        received = seat.acknowledge(self.ledger.view(self.game), opening)
        with suppress(ServerError):  # the roll has ended meanwhile
            self._run(self.connection.acknowledge(self.game, encode(received)))

    # --- following -------------------------------------------------------------------------------------------------

    def heard(self) -> None:
        """Wake all threads in `wait`."""
        with self._news:
            self._count += 1
            self._news.notify_all()

    def wait(self) -> bool:
        """Wait until the server has sent something; False after `patience` seconds altogether."""
        self.check()
        if self.follower is not None:
            self.follower()
        now = time.monotonic()
        self._deadline = now + self._patience if self._deadline is None else self._deadline
        with self._news:
            self._news.wait_for(lambda: self._count != self._seen, max(0.0, self._deadline - now))
            there, self._seen = self._count != self._seen and self._patience > 0, self._count
        self.check()
        return there

    def be_patient(self) -> None:
        """Restart the clock of `wait`, so that it waits for the full `patience` again."""
        self._deadline = None

    async def follow(self, start: int | None = None) -> AsyncIterator[RemoteUpdate]:
        """Yield each update from line `start` on, or from the first line that is not stored; each line once.

        Ends when the game is closed and the server says so. Reconnects when the server is away.
        Raises CheatedError; ServerError if the server refuses.
        """
        cursor = await self.aside(lambda: self.size) if start is None else start
        wait, away = FIRST_WAIT, False
        while True:
            pause: float | None = None
            try:
                async with self.connection.stream(self.game, cursor) as events:
                    async for event in events:
                        if self.standing is None:
                            self.standing = time.monotonic()
                        if away:
                            away = False
                            yield RemoteUpdate("back")
                        wait = FIRST_WAIT
                        if event.name == "bye":
                            pause = _retry(event.data)
                            if pause is None and await self.aside(self._is_closed):
                                return
                            break
                        came = await self.aside(partial(self._take, event))
                        if came is not None:
                            cursor = cursor if came.seq is None else came.seq + 1
                            self.heard()
                            yield came
            except (AwayError, StreamError) as error:
                if not away:
                    away = True
                    yield RemoteUpdate("away", text=str(error))
            finally:
                self.standing = None
            self.check()
            await asyncio.sleep(pause if pause is not None else wait * random.uniform(0.5, 1.0))  # noqa: S311
            wait = min(2 * wait, LONGEST_WAIT)
            with suppress(AwayError):
                await self.aside(self.fetch)  # both sides catch up before the next stream

    def _is_closed(self) -> bool:
        """Return True if the stored game is closed, which its keeper alone can do."""
        return self.ledger.kept(self.game).replay.session.phase is Phase.CLOSED

    def _take(self, event: StreamEvent) -> RemoteUpdate | None:
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
                    self.take_checkpoint(_decoded(event.data, TakenLine).checkpoint.encode())
                except BehindError:
                    self._catch_up()
                return RemoteUpdate("checkpoint")
            case "opening":
                return self._take_opening(event.data)
            case "received":
                try:
                    return RemoteUpdate("received", received=parse_received(event.data))
                except NoteError as problem:
                    raise StreamError(f"the server sent no receipt: {problem}") from None
            case "here":
                return RemoteUpdate("here", here=_decoded(event.data, Here).here)
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


def _decoded(data: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as error:
        raise StreamError(f"the server sent something else than it said: {one_line(str(error))}") from None


def _retry(data: bytes) -> float | None:
    """Return the seconds after which to reconnect; None if the server says the stream has ended. Raises StreamError."""
    retry = _decoded(data, Bye).retry
    return None if retry is None else float(min(retry, LONGEST_WAIT))


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
