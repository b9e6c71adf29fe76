"""The server's operations: tables and games, access to them, and periodic work (specs/network.md).

The writer stores; the readers of a game receive the news when they are durable.
"""

import asyncio
import contextlib
import re
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from msgspec import UNSET

from ledger import lobby
from ledger.errors import LedgerError, UsageError
from ledger.game.core import refusal_of
from ledger.keeper.calling_away import HEARD, IDLE
from ledger.keeper.host import Host, ends
from ledger.keeper.operations import (
    BatchResult,
    CloseGame,
    HandIn,
    HandInReceived,
    LetIn,
    NewCheckpoint,
    NewLine,
    NewOpening,
    News,
    Offer,
    OpenGame,
    OpeningOutcome,
    ReceiptOutcome,
    Rejection,
    Resume,
    ResumeOutcome,
    Stands,
)
from ledger.lobby import LobbyError, TableState
from ledger.seats.seat import Seat, utc_now
from ledger.server.admission import Quiet
from ledger.server.advice import Advice
from ledger.server.calling_off import CallingOff
from ledger.server.catching_up import CatchingUp
from ledger.server.cosigned import AnchorLog, GameLog
from ledger.server.cosigning import CosignedLog, Cosigning, PublicWitness
from ledger.server.duties import Anchoring, Finishing, find_expired, measure
from ledger.server.event_keeper import EventKeeper
from ledger.server.events import Events
from ledger.server.limits import Caller, Gate, Limits, network_of
from ledger.server.logs import TileLogs
from ledger.server.metrics import Metrics
from ledger.server.problems import Problem, not_found, problem_of, problem_of_outcome
from ledger.server.public_games import PublicFolder, PublicGames
from ledger.server.published import PublishedStore
from ledger.server.races import Races
from ledger.server.readers import LOOK_EVERY_TOLD, Readers
from ledger.server.rolls import Rolls
from ledger.server.room import Room
from ledger.server.sse import event
from ledger.server.tables import TableRow, Tables
from ledger.server.webhook import Posting, PostingTo, Webhook
from ledger.server.writer import Writer
from ledger.transparency.anchors import Anchors
from rules import SYSTEMS
from rules.data.language import N_, Message
from rules.protocol import Phase
from verifier import Failure, NoteError, Replay, VerifierKey
from verifier.log.format import AdmitBody, ReplaceBody, glance
from verifier.opening import ReceivedOpening, parse_received, parse_sent

if TYPE_CHECKING:
    from litestar import Litestar
    from structlog.typing import FilteringBoundLogger

__all__ = ["Service"]

Listen = Callable[[threading.Event], Iterable[frozenset[str] | None]]
"""gives the ids of games and events that others have written to, until the event is set; None: it may be any"""

MAX_UNSEATED = 256
"""keys that a host takes out of one table"""

_OF_EVENT = re.compile(r"/v1/(?P<kind>events|games)/(?P<id>[0-9a-f]{64})(?:/|\Z)")
_BEARER = re.compile(r"Bearer ([0-9a-f]{64})\Z", re.IGNORECASE)

EXPIRE_EVERY = 3_600.0
"""seconds between two looks for expired games"""


class Service:
    """The server of one keeper. All methods are for the event loop; blocking work runs in threads."""

    def __init__(
        self,
        host: Host,
        seat: Seat,
        tables: Tables,
        published: PublishedStore,
        anchors: Anchors,
        log: "FilteringBoundLogger",
        limits: Limits | None = None,
        room: Room | None = None,
        clock: Callable[[], str] = utc_now,
        keep_days: int | None = None,
        listen: Listen | None = None,
        witnesses: Sequence[PublicWitness] = (),
        witness_games: bool = False,
        event_keeper: EventKeeper | None = None,
        posting: PostingTo | None = None,
        address: str | None = None,
        public: PublicGames | None = None,
    ) -> None:
        """`keep_days` is how many days closed games stay, None: for ever; `listen` says when others have written.

        `event_keeper` keeps events, None: there are none. `witnesses` are asked to cosign the anchor log and
        events, and with `witness_games` each game. `posting` says where results are posted, None: nowhere.
        `address` is the public one, as links have it; None: the one by which the server is asked. `public` says
        where everybody can read closed games, None: nowhere.
        """
        self.host = host
        self.seat = seat
        self.tables = tables
        self.anchors = anchors
        self.log = log
        self.limits = limits or Limits()
        self.gate = Gate(self.limits)
        self.room = room or Room(self.limits)
        self.metrics = Metrics()
        self.quiet = Quiet()
        self.readers = Readers(host.ledger, self.gate, self.quiet, self.metrics, log)
        self.advice = Advice(host.ledger, self.gate, self.quiet)
        self.logs = TileLogs(host.ledger, anchors, self.readers)
        self.rolls = Rolls(host.ledger, published, self.readers.turns, self.gate, self.room, address, log)
        self._published = published
        self.races = Races()
        host.streaming = self.readers.hub.heard
        host.going_on = self._going_on
        self.writer = Writer(host, self._written, self._tell, log, self.metrics, self.quiet)
        self.now = clock
        self.keep_days = keep_days
        self._listen = listen
        if listen is not None:
            self.readers.look_every = LOOK_EVERY_TOLD
        self.witnesses = witnesses
        self.witness_games = witness_games
        self._cosigning: Cosigning | None = None
        self._posting = None
        if posting is not None:
            self._posting = Posting(
                *(posting.webhook, host.ledger, tables, posting.address, self.quiet, self.metrics, log),
                translate=posting.translate,
            )
        self.public = None
        if public is not None:
            self.public = PublicFolder(public, seat.key, host.ledger, tables, anchors, log, clock)
        self._looking: dict[bytes, asyncio.Task[None]] = {}
        self._catching_up = CatchingUp(host, self.writer, self.readers.turns)
        self._calling_off = CallingOff(host, tables, self.writer, log)
        self._anchoring = Anchoring(host.ledger, anchors, seat, self._anchored, log)
        self.events = None
        if event_keeper is not None:
            self.events = Events(
                *(event_keeper, host.ledger, self.writer, self.readers, self.room, self.limits, clock),
                written=self._anchoring.take,
                publish=self._publish,
                cosign=self._have_cosigned,
                witnesses=witnesses,
                log=log,
            )
        self._finishing = Finishing(host, self.writer, self._anchoring)

    @property
    def keeper(self) -> VerifierKey:
        """The keeper's key."""
        return self.seat.key

    @property
    def judge(self) -> VerifierKey | None:
        """The key of the judge that tables may have."""
        return None if self.host.judge is None else self.host.judge.key

    @property
    def webhook(self) -> Webhook | None:
        """The channel for results of tables whose terms allow that; None without one."""
        return None if self._posting is None else self._posting.webhook

    @property
    def systems(self) -> list[str]:
        """The ids of the rules that can be played here."""
        return list(SYSTEMS)

    @asynccontextmanager
    async def lifespan(self, _: "Litestar") -> AsyncIterator[None]:
        """The writer's work, as long as the application runs."""
        stop = threading.Event()
        listening = threading.Thread(target=self._hear, args=(stop,))
        by_and_by = (self._expire_by_and_by, self._follow_others, self._calling_off.work, self._finishing.work)
        try:
            async with self.writer.working():
                listening.start()
                others = [asyncio.create_task(work()) for work in by_and_by]
                if self.events is not None:
                    others.append(asyncio.create_task(self.events.work()))
                others.append(asyncio.create_task(measure(self.room, self.log)))
                if self.public is not None:
                    others.append(asyncio.create_task(self.public.work()))
                if self.witnesses:
                    self._cosigning = Cosigning(self.witnesses, self.log)
                    self._cosigning.start()
                    self._cosigning.changed(AnchorLog(self.anchors))
                    if self.events is not None:
                        self.events.have_cosigned()
                if self._posting is not None:
                    self._posting.start()
                try:
                    yield
                finally:
                    if self._cosigning is not None:
                        await self._cosigning.stop()
                    for task in others:
                        task.cancel()
                    if self._posting is not None:
                        await self._posting.stop()
        finally:
            stop.set()
            self.advice.close()
            self.readers.turns.close()
            if listening.ident is not None:
                await asyncio.to_thread(listening.join)

    def _hear(self, stop: threading.Event) -> None:
        """Wake the readers whenever another process has written; runs in a thread of its own."""
        for ids in self._listen(stop) if self._listen is not None else ():
            self.writer.soon(self._heard, ids)

    def _heard(self, ids: frozenset[str] | None) -> None:
        self.readers.changed.set(ids)
        if self.events is not None:
            self.events.changed.set(ids)

    def drain(self) -> None:
        """Take no more requests, finish those that came, and end all streams: readers reconnect to the next server."""
        self.writer.draining = True
        self.readers.hub.end()

    # --- who may -----------------------------------------------------------------------------------------------------

    def open_table(self, table: str, token: bytes | None) -> str | None:
        """The party that reads a table, where a signature said so; the token opens the table. Raises Problem."""
        row = self.tables.get(table)
        if row is not None and row.deleted:
            raise _deleted()
        access = None if row is None else self.tables.opens_table(table, token)
        if access is None:
            raise not_found()
        return access.party

    def open_game(self, game: str, token: bytes | None) -> str | None:
        """The party that reads a game, where a signature said so; the token opens the game. Raises Problem."""
        access = self.tables.opens_game(game, token)
        if access is None and self.events is not None and self.events.tokens.opens_game(game, token) is not None:
            return None
        if access is None:
            raise not_found()
        if access.deleted:
            raise _deleted()
        return access.party

    def holder(self, path: str, authorization: str) -> str | None:
        """Return the holder of a request's event token, for whom the request is counted; None without a token."""
        found = _OF_EVENT.match(path) if self.events is not None else None
        token = _BEARER.match(authorization)
        if found is None or token is None or self.events is None:
            return None
        topic, secret = found["id"], bytes.fromhex(token[1].lower())
        tokens, party = self.events.tokens, None
        with contextlib.suppress(LedgerError):
            if found["kind"] == "events":
                event, party = topic, tokens.opens(topic, secret)
            elif (of_game := tokens.opens_game(topic, secret)) is not None:
                party, event = of_game
            else:
                event = tokens.event_of(topic) or ""
                access = self.tables.opens_game(topic, secret) if event else None
                party = None if access is None else access.party
        return None if party is None else f"{event} {party}"

    async def grant(self, caller: Caller, game: bytes, body: bytes) -> str:
        """A token for a party of a game, which signed for it; hex. Raises Problem."""
        try:
            access = lobby.parse_access(body)
            view = await self.readers.turns.ask(caller, lambda: self.host.ledger.view(game))
            keys = view.replay.terms.keys
            lobby.check_access(keys, game, access, self.now())
        except LobbyError as error:
            raise problem_of(error) from None
        except UsageError:
            raise not_found() from None
        token = secrets.token_bytes(32)
        await asyncio.to_thread(self.tables.grant, game.hex(), access.party, token, self.limits.access)
        return token.hex()

    # --- the table ---------------------------------------------------------------------------------------------------

    async def add_table(self, body: bytes, admit: Callable[[], None]) -> tuple[bool, str]:
        """Open a table; whether it is new, and its id. `admit` is asked before one more is kept. Raises Problem."""
        self.room.check()
        try:
            terms = lobby.parse_terms(body)
            posts = None if self.webhook is None or not self.webhook.takes(terms) else self.webhook.name
            public = None if self.public is None else self.public.address
            lobby.check_terms(terms, self.keeper, self.now(), self.judge, posts, public)
        except LobbyError as error:
            raise problem_of(error) from None
        table, digests = terms.id.hex(), [invitation.token for invitation in terms.invitations]
        known = self.tables.get(table)
        if known is not None and known.deleted:
            raise _deleted()
        if known is None:
            admit()
        new = await asyncio.to_thread(self.tables.add, table, body.decode(), digests)
        if new:
            self.metrics.table()
            self.log.info("table", table=table[:12], system=terms.system)
        return new, table

    def state(self, table: str) -> TableState:
        """Return the current state of a table."""
        row = self.tables.get(table)
        if row is None or row.deleted:
            raise not_found()
        here = set(self.readers.hub.here(bytes.fromhex(table)))
        if row.game is not None:
            here.update(self.readers.hub.here(bytes.fromhex(row.game)))
        return TableState(
            game=row.game,
            here=tuple(sorted(here)),
            invites=tuple(lobby.parse_invite(invite.encode()) for invite in self.tables.invites(table)),
            seats=tuple(lobby.parse_seat(seat.encode()) for seat in self.tables.seats(table)),
            start=None if row.start is None else lobby.parse_start(row.start.encode()),
            terms=row.terms,
        )

    async def sit(self, table: str, body: bytes, caller: Caller) -> bool:
        """Take a seat, or when the game has begun ask for one; whether it is new. Raises Problem."""
        state = self.state(table)
        try:
            seat = lobby.parse_seat(body)
            terms = lobby.parse_terms(state.terms.encode())
            lobby.check_seat(terms, seat, state.invites)
            if not lobby.check_free(state.seats, seat):
                return False
            lobby.check_seat(terms, seat, state.invites, latest=True)
            waiting = await self._waiting(caller, state, terms, seat)
            if self.tables.is_unseated(table, seat.party_key):
                text = N_("{host}, the host, has taken {name} out of this table")
                raise LobbyError("table.seat", Message(text, host=terms.host_key.name, name=seat.name))
        except LobbyError as error:
            raise problem_of(error) from None
        self.room.check()
        if waiting >= self.limits.seats:
            raise Problem(429, "too-many", Message("nobody more can sit at this table"), retry=60)
        most, network = self.limits.seats_address, network_of(caller[0])
        named = seat.replaces is UNSET
        new = await asyncio.to_thread(self.tables.sit, table, body.decode(), seat.party_key, network, most, named=named)
        if new is None:
            text = N_("one address takes at most {most} seats at a table: somebody else may sit down from another")
            raise Problem(429, "too-many", Message(text, most=most), retry=60)
        if not new:  # somebody sat down meanwhile, or was taken out
            return await self.sit(table, body, caller)
        self._tell_table(table)
        return True

    async def _waiting(self, caller: Caller, state: TableState, terms: lobby.TableTerms, seat: lobby.LobbySeat) -> int:
        """Return the number of waiting seats. Raises LobbyError if this seat may not be taken, Problem."""
        if state.game is None:
            if seat.replaces is not UNSET:
                raise LobbyError("table.started", Message("the game of this table has not begun"))
            return len(state.seats)
        game = bytes.fromhex(state.game)
        replay = (await self.readers.turns.ask(caller, lambda: self.host.ledger.view(game))).replay
        if seat.replaces is UNSET:
            lobby.check_asks(terms, seat, replay.terms.keys, replay.terms.called)
        else:
            lobby.check_goes_on(seat, replay)
        if replay.session.phase is Phase.CLOSED:
            raise LobbyError("table.started", Message("the game of this table is over"))
        return sum(replay.terms.owner_of(each.party_key.public_bytes) is None for each in state.seats)

    async def let_in(self, table: str, body: bytes) -> tuple[bool, int, bytes]:
        """Admit a person who asks, as the host; return as `offer`, for the `admit`. Raises Problem."""
        state = self.state(table)
        if state.game is None:
            raise Problem(409, "table.started", Message("the game of this table has not begun"))
        game = bytes.fromhex(state.game)
        try:
            word = lobby.parse_admit(body)
            lobby.check_admit(lobby.parse_terms(state.terms.encode()), game, word)
            seat = next((seat for seat in state.seats if (seat.key, seat.role) == (word.key, word.role)), None)
            if seat is None:
                text = N_("{name} does not ask to come in as {role}")
                raise LobbyError("table.seat", Message(text, name=word.party_key.name, role=word.role))
        except LobbyError as error:
            raise problem_of(error) from None
        admit = AdmitBody(word.key, word.role, word.word, seat.called)
        taken = _taken(await self.writer.operate(LetIn(game, admit), Stands))
        self._tell_table(table)
        return taken

    async def replace(self, table: str, body: bytes, caller: Caller) -> tuple[bool, int, bytes]:
        """Have the keeper write that a party is to go on under a key that asks; as `offer`. Raises Problem."""
        state = self.state(table)
        if state.game is None:
            raise Problem(409, "table.started", Message("the game of this table has not begun"))
        game = bytes.fromhex(state.game)
        view = await self.readers.turns.ask(caller, lambda: self.host.ledger.view(game))
        try:
            seat = lobby.check_replace(lobby.parse_replace(body), state.seats, view.replay)
        except LobbyError as error:
            raise problem_of(error) from None
        taken = _taken(await self.writer.operate(LetIn(game, ReplaceBody(seat.key, seat.succession)), Stands))
        self._tell_table(table)
        return taken

    def _going_on(self, replay: Replay) -> Collection[str]:
        """Return the parties in whose place somebody asks to go on; for the writer's thread."""
        row = self.tables.of_game(replay.game.hex())
        seats = [] if row is None else [lobby.parse_seat(seat.encode()) for seat in self.tables.seats(row.id)]
        return {seat.name for seat in lobby.goes_on(seats, replay.terms)}

    async def unseat(self, table: str, body: bytes) -> None:
        """As the host: take a key's seat away, for good. Raises Problem."""
        await self.writer.write(lambda: self._unseat(table, body))

    def _unseat(self, table: str, body: bytes) -> None:
        """In the writer's thread: the start is made there too."""
        state = self.state(table)
        try:
            unseat = lobby.parse_unseat(body)
            lobby.check_unseat(lobby.parse_terms(state.terms.encode()), unseat)
        except LobbyError as error:
            raise problem_of(error) from None
        self._check_lobby(state, VerifierKey.parse(unseat.key))
        if not self.tables.unseat(table, VerifierKey.parse(unseat.key), MAX_UNSEATED):
            raise Problem(429, "too-many", Message("nobody more can be taken out: make a new link"), retry=60)
        self._end_links(table)

    async def invite(self, table: str, body: bytes) -> bool:
        """As the host: put a new link in the place of a role's; whether it is new. Raises Problem."""
        return await self.writer.write(lambda: self._invite(table, body))

    def _invite(self, table: str, body: bytes) -> bool:
        """In the writer's thread."""
        state = self.state(table)
        try:
            invite = lobby.parse_invite(body)
            new = lobby.check_invite(lobby.parse_terms(state.terms.encode()), state.invites, invite)
        except LobbyError as error:
            raise problem_of(error) from None
        self._check_lobby(state)
        if new:
            self.tables.invite(table, body.decode(), invite.link.token)
            self._end_links(table)
        return new

    def _check_lobby(self, state: TableState, key: VerifierKey | None = None) -> None:
        """Check that the host still decides about seats, and that this key may leave. Raises Problem."""
        if state.game is None:
            return
        replay = self.host.ledger.view(bytes.fromhex(state.game)).replay
        parties = {each.public_bytes for each in replay.terms.keys.values()}
        ended = replay.session.phase is Phase.CLOSED
        if ended or (key is not None and key.public_bytes in parties):
            raise Problem(409, "table.started", Message("the game of this table has begun"))

    def _end_links(self, table: str) -> None:
        """In the writer's thread: links that were replaced open nothing from when nobody sits by them."""
        state = self.state(table)
        terms = lobby.parse_terms(state.terms.encode())
        self.tables.end_tokens(table, lobby.ended_tokens(terms, state.invites, state.seats))
        self.writer.soon(self._tell_table, table)

    async def start(self, table: str, body: bytes) -> tuple[bool, str]:
        """Begin the game; whether it is new, and its id. Raises Problem."""
        return await self.writer.write(lambda: self._start(table, body))

    def _start(self, table: str, body: bytes) -> tuple[bool, str]:
        """In the writer's thread."""
        state = self.state(table)
        try:
            start = lobby.parse_start(body)
            terms = lobby.parse_terms(state.terms.encode())
            lobby.check_start(terms, state.seats, start, state.invites)
        except LobbyError as error:
            raise problem_of(error) from None
        if state.start is not None:
            if state.start != start or state.game is None:
                raise Problem(409, "table.started", Message("the game has begun with another start"))
            return False, state.game
        self.room.check()
        processed = self.host.process([OpenGame(lobby.event_zero_terms(terms, start))])
        outcome = processed.outcomes[0]
        if not isinstance(outcome, Stands):
            raise problem_of_outcome(outcome)
        # If the server dies here, nobody knows of the game, and the host's next start makes another.
        game = outcome.receipt.game
        if not self.tables.start(table, body.decode(), game):  # another process was faster: its game is the table's
            self.host.ledger.delete(bytes.fromhex(game))
            return self._start(table, body)
        self.writer.soon(self._publish, processed.news)
        self.writer.soon(self._tell_table, table)
        self.log.info("game", table=table[:12], game=game[:12])
        return True, game

    async def close(self, table: str, body: bytes) -> tuple[bool, int, bytes]:
        """Have the keeper close a table's game; as `offer`, of its `close`. Raises Problem."""
        row = self.tables.get(table)
        if row is None or row.deleted:
            raise not_found()
        if row.game is None:
            raise Problem(409, "table.started", Message("the game of this table has not begun"))
        try:
            terms = lobby.parse_terms(row.terms.encode())
            lobby.check_closing(terms, bytes.fromhex(row.game), lobby.parse_closing(body))
        except LobbyError as error:
            raise problem_of(error) from None
        return _taken(await self.writer.operate(CloseGame(bytes.fromhex(row.game)), Stands))

    async def delete(self, table: str, body: bytes) -> None:
        """Keep nothing of a table and its game but their ids. Raises Problem."""
        row = self.tables.get(table)
        if row is None or row.deleted:
            raise not_found()
        try:
            lobby.check_delete(lobby.parse_terms(row.terms.encode()), lobby.parse_delete(body))
        except LobbyError as error:
            raise problem_of(error) from None
        await self.writer.write(lambda: self._delete(row))

    def _delete(self, row: TableRow) -> None:
        """In the writer's thread. The table first: from then on nobody reads, whatever crashes."""
        self.tables.delete(row.id)
        if row.game is not None:
            self.host.ledger.delete(bytes.fromhex(row.game))
            self._published.forget(row.game)
            self.anchors.forget(row.game)
            self.advice.forget(bytes.fromhex(row.game))
        for topic in (row.id, row.game):
            if topic is not None:
                self.writer.soon(self.readers.hub.end, bytes.fromhex(topic))
        if self.public is not None:
            self.writer.soon(self.public.changed)
        self.log.info("deleted", table=row.id[:12])

    def _expire(self) -> None:
        """Delete expired games, in the writer's thread."""
        for row in find_expired(self.host, self.tables, self.now(), self.keep_days):
            self._delete(row)
        self._anchoring.take_all()

    async def _expire_by_and_by(self) -> None:
        while True:
            with contextlib.suppress(Problem):
                await self.writer.write(self._expire)
            await asyncio.sleep(EXPIRE_EVERY)

    def _tell_table(self, table: str) -> None:
        topic = bytes.fromhex(table)
        if self.readers.hub.readers(topic):
            self.readers.hub.publish(topic, [event("table", self.state(table))])

    # --- the game ----------------------------------------------------------------------------------------------------

    async def offer(self, game: bytes, line: bytes) -> tuple[bool, int, bytes]:
        """Take a line; whether it is new, its number, and the keeper's checkpoint. Raises Problem."""
        if self.room.full and not ends(line):
            self.room.check()
        author = _author(line)
        await self.races.wait(game, author)
        outcome = await self.writer.ask(Offer(game, line))
        if isinstance(outcome, Rejection) and outcome.author is not None:
            self.races.lost(game, outcome.author)
        if not isinstance(outcome, Stands):
            raise problem_of_outcome(outcome)
        if outcome.new:
            self.races.wrote(game, author)
            if glance(line).type == "away":
                self._look_later(game)
        return _taken(outcome)

    def _look_later(self, game: bytes) -> None:
        """Have the keeper look again later: a party called away may have been heard just now, and then no more."""
        before = self._looking.pop(game, None)  # the new line was looked at just now, so the clock starts again
        if before is not None:
            before.cancel()
        self._looking[game] = asyncio.get_running_loop().create_task(self._look_again(game))

    async def _look_again(self, game: bytes) -> None:
        for seconds in (HEARD + 1.0, IDLE - HEARD):
            await asyncio.sleep(seconds)
            with contextlib.suppress(Problem):
                await self.writer.operate(Resume(game), ResumeOutcome)
        del self._looking[game]

    async def hand_in(self, game: bytes, body: bytes) -> tuple[bool, ReceivedOpening | None]:
        """Take an opening; whether it is new, and the keeper's receipt for it. Raises Problem.

        There is no receipt where the roll was ended before the keeper had signed one.
        """
        try:
            sent = parse_sent(body)
        except NoteError as problem:
            raise Problem(400, "malformed", problem) from None
        if sent.game != game.hex():
            raise Problem(422, "opening.set", Message("this is an opening for another game"))
        outcome = await self.writer.operate(HandIn(sent), OpeningOutcome)
        return outcome.new, outcome.received

    async def hand_on(self, game: bytes, body: bytes) -> None:
        """Hand a participant's receipt for an opening on to all. Raises Problem."""
        try:
            received = parse_received(body)
        except NoteError as problem:
            raise Problem(400, "malformed", problem) from None
        if received.game != game.hex():
            raise Problem(422, "opening.set", Message("this is a receipt for another game"))
        await self.writer.operate(HandInReceived(received), ReceiptOutcome)

    async def catch_up(
        self, game: bytes, caller: Caller, admit: Callable[[int], None], body: Callable[[], Awaitable[bytes]]
    ) -> None:
        """Take the lines that are missing here, as `CatchingUp.take`. Raises Problem."""
        if await self._catching_up.take(game, caller, admit, body):
            self.readers.hub.end(game)  # readers that began meanwhile lack earlier news: they reconnect

    async def checkpoint(self, caller: Caller, game: bytes) -> bytes:
        """The keeper's latest. Raises Problem."""
        found = await self.readers.turns.ask(caller, lambda: self.host.ledger.checkpoint(game))
        if found is None:
            raise not_found()
        return bytes(found)

    # --- what was written --------------------------------------------------------------------------------------------

    def _written(self, processed: BatchResult) -> None:
        """In the writer's thread."""
        self._anchoring.take(processed.news)

    def _tell(self, processed: BatchResult) -> None:
        """Send the news to readers, metrics and the webhook, in the loop."""
        self._publish(processed.news)
        self._count(processed.news)
        if self._posting is not None:
            for game, found in processed.news.items():
                self._posting.take(game, found)

    def _anchored(self) -> None:
        """In the writer's thread."""
        self.writer.soon(self._have_cosigned, AnchorLog(self.anchors))
        if self.public is not None:
            self.writer.soon(self.public.changed)

    def _have_cosigned(self, log: CosignedLog) -> None:
        if self._cosigning is not None:
            self._cosigning.changed(log)

    def _publish(self, news: Mapping[bytes, Sequence[News]]) -> None:
        """Send the news of games to their readers, once, and have witnesses cosign."""
        for game, found in news.items():
            if self.witness_games and any(isinstance(each, NewCheckpoint) for each in found):
                self._have_cosigned(GameLog(self.host.ledger, game, self.writer.write))
            self.readers.tell(game, found)

    def _count(self, news: Mapping[bytes, Sequence[News]]) -> None:
        new = [each for found in news.values() for each in found]
        lines, openings = (sum(isinstance(each, kind) for each in new) for kind in (NewLine, NewOpening))
        self.metrics.taken(lines, openings)

    async def _follow_others(self) -> None:
        async for news in self.readers.written_by_others():
            self._publish(news)

    def drain_soon(self) -> None:
        """Drain in the loop; for a signal's handler."""
        self.writer.soon(self.drain)


def _author(line: bytes) -> str:
    """Return the author that a line names. Raises Problem for a malformed line, which the writer never sees."""
    try:
        return glance(line).author
    except Failure as failure:
        raise problem_of(refusal_of(failure)) from None


def _taken(outcome: Stands) -> tuple[bool, int, bytes]:
    """Return True if the line is new, its number, and the keeper's checkpoint."""
    assert outcome.receipt.checkpoint is not None, "what stands has a checkpoint"
    return outcome.new, outcome.receipt.seq, bytes(outcome.receipt.checkpoint)


def _deleted() -> Problem:
    return Problem(410, "deleted", Message("whoever opened this table had it deleted"))
