"""The way between a stored game and the server that keeps it: what comes is verified and stored, what is written goes.

Nothing is taken on trust. Every line passes `Ledger.take_line`, which verifies it as the next of the log; every
checkpoint `Ledger.take_checkpoint`, which compares it with all lines; every opening `Ledger.hand_in`. What does not fit
is kept as evidence, and from then on this carrier sends nothing.

Work on files is done in threads; `Carrier` has what threads call, `run` takes them to the event loop and back.
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
from ledger.store.events import Receipt
from ledger.store.ledger import Ledger
from rules.data.language import N_, Message
from rules.data.text import one_line
from rules.session import Phase
from verifier import NoteError, Pins
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.log.format import UNREADABLE, Opening, encode, glance
from verifier.log.merkle import leaf_hash
from verifier.opening import ReceivedOpening, SentOpening, parse_received, parse_sent

__all__ = ["Came", "Carrier"]

_T = TypeVar("_T")
MAX_SHOWN = 100_000_000
"""bytes of lines that are kept as evidence of what a server shows"""
MAX_KEPT = 65_536
"""bytes of an answer that are kept as evidence"""


class Came(Struct, frozen=True):
    """Something that a server sent, verified; or that it is away, or back."""

    what: Literal["line", "checkpoint", "opening", "received", "here", "alive", "away", "back"]
    """`alive`: nothing, which comes every few seconds"""
    seq: int | None = None
    """of a line"""
    line: bytes = b""
    opening: Opening | None = None
    received: ReceivedOpening | None = None
    here: tuple[str, ...] = ()
    text: str = ""
    """why it is away"""


class Carrier:
    """A stored game and its server: a `ledger.keeper.table.Carrier`. All methods but `follow` are for threads."""

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
        """`run` runs a coroutine on the event loop, from a thread, and gives what it comes to.

        `patience`: for how many seconds `wait` waits for others altogether.
        """
        self.ledger = ledger
        self.game = game
        self.connection = connection
        self.trouble: CheatedError | None = None
        """why nothing more is sent"""
        self.untaken: list[bytes] = []
        """own lines that could not be sent before others came first: their authors are to be told"""
        self.received: dict[str, float] = {}
        """requests (hex) for which the keeper gave a receipt for an opening from here, and when (`time.monotonic`)"""
        self.standing: float | None = None
        """since when the stream that is followed has stood (`time.monotonic`); None: there is none"""
        self.own = ""
        """whose openings are handed in again to a server that comes back"""
        self.follower: Callable[[], None] | None = None
        """begins to follow the stream, where nobody does yet"""
        self._remotes = remotes
        self._run = run
        self._patience = patience
        self._deadline: float | None = None
        self._aside = ThreadPoolExecutor(1, f"follow-{game.hex()[:12]}")
        self._news = Condition()
        self._count = 0
        self._seen = 0

    def end(self) -> None:
        """Nothing more is waited for: whoever waits is told so."""
        self.connection.patience = 0.0
        self._patience, self._deadline = 0.0, 0.0
        self.heard()

    def close(self) -> None:
        """Let go of what works aside, when it has done what it does."""
        self.end()
        self._aside.shutdown(cancel_futures=True)

    async def aside(self, work: Callable[[], _T]) -> _T:
        """Do work on files in the thread that follows: one thing at a time, and never behind whoever waits for it."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    # --- reading ---------------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many lines are stored."""
        try:
            return self.ledger.view(self.game).replay.size
        except UsageError:
            return 0

    def fetch(self) -> None:
        """Bring the store up to what the server has, and send what is still to be sent."""
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
        """The server's database was put back: what it lacks is here (specs/network.md, "Catching up")."""
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
        """Take a line that the server shows; whether it is new here. Raises CheatedError."""
        try:
            return self.ledger.take_line(self.game, seq, line)
        except StoreError:
            raise
        except LedgerError as error:
            if self._made_room() and next(self.ledger.lines(self.game, seq, seq + 1), None) == line:
                return True
            problem = f"Line {seq} that the server sent does not hold: {error}"
            raise self._cheated(_sentence(problem), {"given.jsonl": line + b"\n"}) from None

    def take_checkpoint(self, note: bytes) -> None:
        """Take a checkpoint that the server shows.

        Raises CheatedError; BehindError where its lines are not here yet.
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
        """Whether lines here that the keeper is not known to have taken made room for others, over which it signed.

        They came from a server whose database was put back before it had signed for them, and was caught up without
        (specs/protocol.md, "Taken and untaken").
        """
        try:
            if self.ledger.taken(self.game) >= self.size:
                return False
            shown = self._run(self._shown())
            data, note = shown["there.jsonl"], shown["there.jsonl.checkpoint"]
            imported = self.ledger.import_log(data, name="the server's log", pins=Pins(self.game), checkpoint=note)
        except (LedgerError, NoteError, TimeoutError):
            return False
        return bool(imported.untaken)

    def _cheated(self, problem: str, files: dict[str, bytes] | None = None) -> CheatedError:
        """Keep what the server showed; the error to raise."""
        files = files or {}
        log = BytesIO()
        with suppress(LedgerError):
            self.ledger.export(self.game, log)
            files["here.jsonl"] = log.getvalue()
            checkpoint = self.ledger.checkpoint(self.game)
            if checkpoint is not None:
                files["here.jsonl.checkpoint"] = bytes(checkpoint)
        with suppress(LedgerError):
            files |= self._run(self._shown())
        files["why.txt"] = f"{problem}\n{self.connection.address}\n".encode()
        self.trouble = CheatedError(problem, str(self._remotes.keep_evidence(self.game, files)))
        self.heard()
        return self.trouble

    async def _shown(self) -> dict[str, bytes]:
        """The whole log as the server shows it now, for `rollproof compare`."""
        shown, size = list[bytes](), 0
        async with asyncio.timeout(10):
            while size <= MAX_SHOWN:
                lines, there = await self.connection.lines(self.game, len(shown))
                shown += lines
                size += sum(map(len, lines))
                if not lines or len(shown) >= there:
                    break
            note = await self.connection.checkpoint(self.game)
        return {"there.jsonl": b"".join(line + b"\n" for line in shown), "there.jsonl.checkpoint": note}

    def check(self) -> None:
        """Raises CheatedError where the server was found to cheat."""
        if self.trouble is not None:
            raise self.trouble

    # --- writing ---------------------------------------------------------------------------------------------------

    def offer(self, line: bytes) -> Receipt:
        """Have the keeper take a line; kept until it has."""
        self.check()
        self._remotes.keep(self.game, line)
        receipt = self._offer(line)
        if receipt is None:
            text = N_("The game has gone on since this event was signed: look at its new end and sign again.")
            raise RefusedError(Message(text), "chain.prev", None)
        return receipt

    def _send_again(self, line: bytes) -> None:
        """A line whose answer did not come, or that was never sent."""
        try:
            if self._stands(line) is None and self._offer(line) is None:
                self.untaken.append(line)
            self._remotes.drop(self.game, line)
        except ServerError:
            self.untaken.append(line)

    def _offer(self, line: bytes) -> Receipt | None:
        """What the keeper gave for a line; None where another event came first, which is in the store then."""
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
        """A line that the server says it took: it stands here, and the keeper's checkpoint is for it."""
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
        """The receipt of a line that stands in the store; None where it does not."""
        seq = glance(line).seq
        if next(self.ledger.lines(self.game, seq, seq + 1), None) != line:
            return None
        replay = self.ledger.view(self.game).replay
        checkpoint = self.ledger.checkpoint(self.game)
        return Receipt(self.game.hex(), seq, leaf_hash(line).hex(), replay.size, replay.tree.root().hex(), checkpoint)

    def hand_in(self, seat: Seat, opening: Opening) -> None:
        """Hand in an opening; the party keeps the keeper's receipt."""
        self.check()
        view = self.ledger.view(self.game)
        if view.replay.session.phase is not Phase.PENDING or view.replay.pending is None:
            return
        sent = SentOpening.of(self.game, view.replay.pending.request, opening)
        try:
            data = self._run(self.connection.hand_in(self.game, encode(sent)))
        except ServerError as error:
            self._catch_up()  # the roll was called off, or shown: another program of this party opened too
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
            seat.keep_received(received, view)
        except (NoteError, UsageError, *UNREADABLE) as problem:
            text = f"The receipt that the server gave for {seat.name}'s opening is worthless: {one_line(str(problem))}"
            raise self._cheated(_sentence(text), {"given.received": data[:MAX_KEPT]}) from None
        self.received[sent.request] = time.monotonic()

    def _hand_in_again(self) -> None:
        """The own opening for the roll that waits: a server that was put back has lost it (specs/network.md)."""
        kept = self.ledger.kept(self.game)
        if kept.replay.pending is None:
            return
        for opening in kept.openings:
            if opening.author == self.own:
                sent = SentOpening.of(self.game, kept.replay.pending.request, opening)
                with suppress(ServerError):  # the roll has ended meanwhile
                    self._run(self.connection.hand_in(self.game, encode(sent)))

    def acknowledge(self, seat: Seat, opening: Opening) -> None:
        """Hand on a party's receipt for another's opening."""
        self.check()
        received = seat.acknowledge(self.ledger.view(self.game), opening)
        with suppress(ServerError):  # the roll has ended meanwhile
            self._run(self.connection.acknowledge(self.game, encode(received)))

    # --- following -------------------------------------------------------------------------------------------------

    def heard(self) -> None:
        """Wake who waits."""
        with self._news:
            self._count += 1
            self._news.notify_all()

    def wait(self) -> bool:
        """Wait until the server has sent something; False where patience is over."""
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
        """What comes next is waited for as long as at first."""
        self._deadline = None

    async def follow(self, start: int | None = None) -> AsyncIterator[Came]:
        """What comes, from line `start` on (else what is not here yet), as it comes; each line once.

        Ends where the game is closed and the server says so. Where the server is away it is tried again.
        Raises CheatedError; ServerError where it refuses.
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
                            yield Came("back")
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
                    yield Came("away", text=str(error))
            finally:
                self.standing = None
            self.check()
            await asyncio.sleep(pause if pause is not None else wait * random.uniform(0.5, 1.0))  # noqa: S311
            wait = min(2 * wait, LONGEST_WAIT)
            with suppress(AwayError):
                await self.aside(self.fetch)  # what is to be sent, and what is missing, here or there

    def _is_closed(self) -> bool:
        """Whether the game has come to its end here, and the keeper has signed for all of it."""
        kept = self.ledger.kept(self.game)
        return kept.replay.session.phase is Phase.CLOSED and self.ledger.taken(self.game) == kept.replay.size

    def _take(self, event: StreamEvent) -> Came | None:
        """Something that was streamed, verified and stored; None where it tells nothing. Raises CheatedError."""
        match event.name:
            case "":
                return Came("alive")
            case "line":
                if re.fullmatch("[0-9]{1,10}", event.id) is None:
                    raise StreamError("the server sent a line without its number")
                self.take_line(int(event.id), event.data)
                return Came("line", seq=int(event.id), line=event.data)
            case "checkpoint":
                try:
                    self.take_checkpoint(_decoded(event.data, TakenLine).checkpoint.encode())
                except BehindError:
                    self._catch_up()
                return Came("checkpoint")
            case "opening":
                return self._take_opening(event.data)
            case "received":
                try:
                    return Came("received", received=parse_received(event.data))
                except NoteError as problem:
                    raise StreamError(f"the server sent no receipt: {problem}") from None
            case "here":
                return Came("here", here=_decoded(event.data, Here).here)
            case _:
                return None

    def _take_opening(self, data: bytes) -> Came | None:
        """One that does not hold is left out: nobody can open with it, and whose it is cannot be known."""
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
            return Came("opening", text=str(error))
        return Came("opening", opening=sent.opening)


def _decoded(data: bytes, kind: type[_T]) -> _T:
    try:
        return msgspec.json.decode(data, type=kind)
    except UNREADABLE as error:
        raise StreamError(f"the server sent something else than it said: {one_line(str(error))}") from None


def _retry(data: bytes) -> float | None:
    """In how many seconds to come back; None: the server says that nothing more comes. Raises StreamError."""
    retry = _decoded(data, Bye).retry
    return None if retry is None else float(max(FIRST_WAIT, min(retry, LONGEST_WAIT)))


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."
