"""The events of a server, for its paths (specs/event.md, "At a server"). All methods are for the event loop."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any

import msgspec

from ledger import lobby
from ledger.errors import LedgerError, MissingError, RefusedError
from ledger.event.bundles import write_bundle
from ledger.keeper.operations import News
from ledger.lobby import LobbyError
from ledger.network import wire
from ledger.server.access import TokenAccess
from ledger.server.cosigning import CosignedLog, PublicWitness
from ledger.server.event_cosigned import EventLogHead
from ledger.server.event_keeper import EventKeeper
from ledger.server.event_words import corrected_keys, games_without_result, waiting_for_a_judge
from ledger.server.hub import StreamItem, Subscription
from ledger.server.limits import Caller, Limits
from ledger.server.lookups import Lookups
from ledger.server.problems import Problem, not_found, problem_of
from ledger.server.readers import Readers
from ledger.server.room import Room
from ledger.server.sent_items import Signal
from ledger.server.sse import PIECE, line_event
from ledger.server.writer import Writer
from ledger.store.ledger import Ledger
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message
from verifier import VerifierKey
from verifier.errors import NoteError
from verifier.event.names import name_hash, parse_names
from verifier.event.verification import event_state
from verifier.log.format import glance

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["STREAM", "WALL", "Events"]

LOOK_EVERY = 1.0
"""seconds between two looks for lines of other processes, and for outstanding steps"""

WALL = "wall"
STREAM = "stream"
"""the party of tokens for a screen that everybody sees"""

IN_MEMORY = 8_000_000
"""bytes of a bundle that are made in memory; the rest in a file"""


class Events:
    """Events at one server."""

    def __init__(
        self,
        keeper: EventKeeper,
        ledger: Ledger,
        writer: Writer,
        readers: Readers,
        room: Room,
        limits: Limits,
        clock: Callable[[], str],
        access: TokenAccess,
        lookups: Lookups,
        written: Callable[[dict[bytes, list[News]]], None],
        publish: Callable[[dict[bytes, list[News]]], None],
        cosign: Callable[[CosignedLog], None],
        witnesses: Sequence[PublicWitness],
        log: "FilteringBoundLogger",
    ) -> None:
        """`written` is told of news in the writer's thread, which anchors closed games; `publish` sends them to the
        readers of games; `cosign` has a log cosigned by `witnesses`.
        """
        self._keeper = keeper
        self._logs = keeper.logs
        self.tokens = keeper.tokens
        self._ledger = ledger
        self._writer = writer
        self._readers = readers
        self.changed = Signal()
        """set when another process has written"""
        self._room = room
        self._limits = limits
        self._clock = clock
        self._access = access
        self._lookups = lookups
        self._written_news = written
        self._publish = publish
        self._cosign = cosign
        self._witnesses = witnesses
        self._log = log
        self._sent: dict[bytes, int] = {}
        """by event, the number of lines that its readers have received"""
        self._bundling = asyncio.Semaphore(1)
        self._tending: set[asyncio.Task[None]] = set()

    # --- who may -----------------------------------------------------------------------------------------------------

    async def known(self, network: str, event: str) -> bytes:
        """Return the event with this id. Raises Problem if it is not here."""
        found = bytes.fromhex(event)
        if found not in self._sent and not await self._lookups.ask(network, lambda: self._logs.size(found)):
            raise not_found()
        return found

    async def party(self, network: str, event: bytes, token: bytes | None) -> str | None:
        """Return the holder of a token: a name of the event, `wall`, or `stream`; None for an unknown token."""
        return await self._access.open_event(network, event.hex(), token)

    async def insider(self, network: str, event: bytes, token: bytes | None) -> bool:
        """Return True for a holder of a token who is in the hall: a stream reads games, and nothing else."""
        return await self.party(network, event, token) not in (None, STREAM)

    async def check_organizer(self, network: str, event: bytes, token: bytes | None) -> str:
        """Return the organizer that holds a token. Raises Problem."""
        party = await self.party(network, event, token)

        def role() -> str | None:
            with self._logs.looking(event) as replay:
                return None if party is None else replay.state.role_of(party)

        if party is None or await self._lookups.ask(network, role) != "organizer":
            raise not_found()
        return party

    async def grant(self, network: str, event: bytes, body: bytes) -> str:
        """Return a token (hex) for staff in office, or a player who has checked in, who signed. Raises Problem."""
        try:
            access = lobby.parse_access(body)
            key = await self._lookups.ask(network, lambda: self._key_of(event, access.party))
            lobby.check_access([] if key is None else [key], event, access, self._clock())
        except LobbyError as error:
            raise problem_of(error) from None
        token = secrets.token_bytes(32)
        digest = hashlib.sha256(token).hexdigest()
        await asyncio.to_thread(self.tokens.grant, event.hex(), [(access.party, digest)], self._limits.access)
        return token.hex()

    def _key_of(self, event: bytes, party: str) -> VerifierKey | None:
        with self._logs.looking(event) as replay:
            return replay.state.key_of(party)

    async def keep_tokens(self, network: str, event: bytes, body: bytes) -> None:
        """As an organizer: let the holders of codes read. Raises Problem."""
        try:
            given = msgspec.json.decode(body, type=wire.EventTokens)
        except UNREADABLE:
            raise Problem(400, "malformed", Message("this is no list of tokens")) from None

        def unknown() -> str | None:
            with self._logs.looking(event) as replay:
                named = (each.party for each in given.tokens if each.party not in (WALL, STREAM))
                return next((party for party in named if replay.state.player_named(party) is None), None)

        wrong = await self._lookups.ask(network, unknown)
        if wrong is not None:
            raise Problem(403, "event.terms", Message(N_("{party} is no registered player"), party=wrong))
        digests = [(each.party, each.token) for each in given.tokens]
        await asyncio.to_thread(self.tokens.grant, event.hex(), digests, self._limits.access)

    # --- acts --------------------------------------------------------------------------------------------------------

    async def create(self, body: bytes) -> tuple[bool, str]:
        """Begin an event; whether it is new, and its id. Raises Problem."""
        self._room.check()
        new, event = await self._written(lambda: self._keeper.create(body))
        self._sent.setdefault(event, 0)
        await self._tell(event)
        if new:
            self._log.info("new event", id=event.hex()[:12])
        return new, event.hex()

    async def take(self, event: bytes, body: bytes) -> tuple[bool, int]:
        """Put an act into a line; whether it is new, and its number. Raises Problem."""
        self._room.check()
        new, seq = await self._written(lambda: self._keeper.take(event, body))
        await self._tell(event)
        if new:
            self._tend_soon(event)
        return new, seq

    async def _written(self, work: Callable[[], Any]) -> Any:
        try:
            return await self._writer.write(work)
        except MissingError:
            raise not_found() from None
        except RefusedError as error:
            raise problem_of(error) from None

    def _tend_soon(self, event: bytes) -> None:
        """Start `tend` in the background: the signer is answered at once."""
        task = asyncio.get_running_loop().create_task(self._tend(event))
        self._tending.add(task)
        task.add_done_callback(self._tending.discard)

    async def _tend(self, event: bytes) -> None:
        try:
            if not await self._writer.write(lambda: self._keeper.outstanding(event)):
                return
            self._publish(await self._writer.write(partial(self._tended, event)))
            await self._tell(event)
        except (LedgerError, Problem) as error:  # it is tried again
            self._log.warning("tending", id=event.hex()[:12], problem=str(error))

    def _tended(self, event: bytes) -> dict[bytes, list[News]]:
        """In the writer's thread: do what is outstanding, and anchor what was closed."""
        news = self._keeper.tend(event)
        self._written_news(news)
        return news

    async def work(self) -> None:
        """Look for lines of other processes, and for unfinished steps, as long as the server runs.

        A step is done when it was outstanding at two looks: else several processes would do it at once.
        """
        before = set[bytes]()
        first = True
        while True:
            try:
                outstanding = set[bytes]()
                for event in await asyncio.to_thread(lambda: list(self._keeper.kept())):
                    await self._tell(event)
                    if await self._writer.write(partial(self._keeper.outstanding, event)):
                        outstanding.add(event)
                        if first or event in before:
                            await self._tend(event)
                before, first = outstanding, False
            except (LedgerError, Problem) as error:
                self._log.warning("events", problem=str(error))
            await self.changed.wait_for(LOOK_EVERY)

    # --- reading -----------------------------------------------------------------------------------------------------

    async def _tell(self, event: bytes) -> None:
        """Send new lines to the readers of an event, once and in order, and have the log cosigned."""
        sent, size = self._sent.get(event), await asyncio.to_thread(self._logs.size, event)
        if sent is None or sent < size:
            self._have_cosigned(event)
        if sent is None or not self._readers.hub.readers(event):
            self._sent[event] = max(size, self._sent.get(event, 0))
        elif sent < size:
            lines = await asyncio.to_thread(lambda: list(self._logs.lines(event, sent, size)))
            skip = self._sent[event] - sent  # another task has sent these meanwhile
            if skip < len(lines):
                self._sent[event] = sent + len(lines)
                items = [line_event(sent + at, line) for at, line in enumerate(lines)]
                self._readers.hub.publish(event, items[skip:])
        if await asyncio.to_thread(self._closed, event):
            self._readers.hub.end(event, over=True)

    async def lines(self, caller: Caller, event: bytes, start: int) -> tuple[int, list[bytes]]:
        """Return the number of lines, and some of them from `start` on. Raises Problem."""
        stop = start + self._limits.lines_sent

        def read() -> tuple[int, list[bytes]]:
            return self._logs.size(event), list(self._logs.lines(event, start, stop))

        return await self._readers.turns.ask(caller, read)

    async def so_far(
        self, caller: Caller, event: bytes, start: int, subscription: Subscription
    ) -> AsyncIterator[list[StreamItem]]:
        """Yield the existing lines from `start` on. End the subscription if the event is closed."""
        while True:
            found = await self._readers.turns.go_on(
                caller, partial(lambda at: list(self._logs.lines(event, at, at + self._limits.lines_sent)), start)
            )
            if not found:
                break
            yield [line_event(start + at, line) for at, line in enumerate(found)]
            start += len(found)
        if await self._readers.turns.go_on(caller, partial(self._closed, event)):
            subscription.end(over=True)

    def _closed(self, event: bytes) -> bool:
        with self._logs.looking(event) as replay:
            return replay.closed

    async def state(self, caller: Caller, event: bytes) -> wire.EventAsItStands:
        """Return the event as its log has it. Raises Problem."""

        def look() -> wire.EventAsItStands:
            with self._logs.looking(event) as replay:
                state = msgspec.json.encode(event_state(replay.state))
                return wire.EventAsItStands(
                    event.hex(), replay.size, replay.tree.root().hex(), msgspec.Raw(state), self._clock()
                )

        return await self._readers.turns.ask(caller, look)

    async def waiting(self, caller: Caller, event: bytes) -> wire.EventWaiting:
        """Return the tables at which players are missing, a phone waits for a judge, or a roll for a player.

        Raises Problem.
        """

        def look() -> wire.EventWaiting:
            with self._logs.looking(event) as replay:
                tables = {bytes.fromhex(game): opened.table for game, (_, opened) in replay.state.games.items()}
                running = games_without_result(replay.state)
                corrected = corrected_keys(replay.state)
            found = [
                self._waiting_table(game, tables[game], request)
                for game, request in self._ledger.catalog.waiting().items()
                if game in tables
            ]
            missing = self._ledger.catalog.not_seated(list(running))
            phones = {game: self._waiting_phones(game, keys) for game, keys in corrected.items()}
            return wire.EventWaiting(
                tuple(
                    wire.UnseatedTable(running[game], game.hex(), missing[game]) for game in running if game in missing
                ),
                tuple(wire.NewPhones(running[game], game.hex(), phones[game]) for game in running if phones.get(game)),
                tuple(sorted((each for each in found if each.parties), key=lambda each: each.time)),
            )

        return await self._readers.turns.ask(caller, look)

    def _waiting_phones(self, game: bytes, keys: Sequence[str]) -> tuple[str, ...]:
        try:
            return waiting_for_a_judge(keys, self._ledger.kept(game).replay)
        except MissingError:  # it was deleted
            return ()

    def _waiting_table(self, game: bytes, table: int, request: int) -> wire.WaitingTable:
        kept = self._ledger.kept(game)
        line = next(iter(self._ledger.lines(game, request, request + 1)))
        parties = kept.next_to_open if kept.replay.size == request + 1 else ()  # its dice came meanwhile
        return wire.WaitingTable(table, game.hex(), request, glance(line).time, parties)

    async def checkpoint(self, event: bytes) -> bytes:
        """Size and root of the log, signed, with the cosignatures of the same. Raises Problem."""
        found: bytes = await self._written(lambda: self._keeper.checkpoint(event))
        return found

    # --- witnesses ---------------------------------------------------------------------------------------------------

    def have_cosigned(self) -> None:
        """Have all stored events cosigned, closed ones too: unanswered requests are repeated."""
        for known in self._logs.events():
            self._have_cosigned(bytes.fromhex(known.event))

    def _have_cosigned(self, event: bytes) -> None:
        if self._witnesses:
            sign = partial(self.checkpoint, event)
            self._cosign(EventLogHead(event, self._logs, self._keeper.cosignatures, sign))

    async def cosigned(self, event: bytes) -> wire.EventCosigned:
        """Return the latest cosignature of each configured witness."""
        found = await asyncio.to_thread(self._keeper.cosignatures.of_event, event)
        notes = {each.key: bytes(each.head).decode() for each in found}
        return wire.EventCosigned(
            tuple(wire.CosignedBy(str(each.key), notes.get(str(each.key))) for each in self._witnesses)
        )

    # --- names and bundle --------------------------------------------------------------------------------------------

    async def keep_names(self, network: str, event: bytes, body: bytes) -> None:
        """As an organizer: keep a names file, each name of which was registered. Raises Problem."""
        try:
            names = parse_names(body)
        except NoteError as error:
            raise Problem(400, "malformed", error) from None

        def wrong() -> bool:
            with self._logs.looking(event) as replay:
                players = replay.state.players
                return names.event != event.hex() or any(
                    each.number not in players or players[each.number].name != name_hash(each.name, each.salt)
                    for each in names.names
                )

        if await self._lookups.ask(network, wrong):
            raise Problem(403, "event.names", Message("a name, with its salt, is not the one that was registered"))
        await self._writer.write(lambda: self.tokens.keep_names(event.hex(), body))

    async def names(self, network: str, event: bytes, token: bytes | None) -> bytes:
        """Return the names file to a holder of an event's token. Raises Problem."""
        found = None
        if await self.insider(network, event, token):
            found = await self._lookups.ask(network, lambda: self.tokens.names(event.hex()))
        if found is None:
            raise not_found()
        return found

    async def bundle(self, caller: Caller, event: bytes) -> AsyncIterator[bytes]:
        """Return the event and its games in one file, without names; made by one at a time. Raises Problem."""
        note = await self.checkpoint(event)
        async with self._bundling:
            spooled = await self._readers.turns.ask(caller, partial(self._bundled, event, note))
        return _in_pieces(spooled)

    def _bundled(self, event: bytes, note: bytes) -> IO[bytes]:
        lines = list(self._logs.lines(event))
        with self._logs.looking(event) as replay:
            games = [game for game in replay.state.games if self._ledger.size(bytes.fromhex(game))]
        size = int(note.split(b"\n", 2)[1])
        first = {"event.checkpoint": note, "event.jsonl": b"".join(line + b"\n" for line in lines[:size])}
        out: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - its reader closes it
        try:
            write_bundle(out, self._ledger, first, games, {})  # type: ignore[arg-type]
        except BaseException:
            out.close()
            raise
        out.seek(0)
        return out


async def _in_pieces(stream: IO[bytes]) -> AsyncIterator[bytes]:
    with contextlib.closing(stream):
        while piece := await asyncio.to_thread(stream.read, PIECE):
            yield piece
