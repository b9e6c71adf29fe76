"""The server as the keeper of events (specs/event.md, "At a server"): it takes acts, opens, closes and seals tables.

It also lets later judges and other phones in.

Each step leaves a trace that the next look finds, and event 0 of a table follows from the event log and the keeper's
key, byte for byte. So a process that is killed between two steps, and several processes that do the same, end with the
same games. All methods block, and are for the writer's thread.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

from msgspec import Raw

from ledger.errors import MissingError, RefusedError
from ledger.event.acts import keeper_line, line_of, parse_act
from ledger.keeper.host import Host
from ledger.keeper.operations import CloseGame, CreateGame, News, Operation, Resume
from ledger.seats.identity import Identity
from ledger.seats.seat import Seat
from ledger.server.event_cosigned import EventCosignatures
from ledger.server.event_tokens import EventTokenStore
from ledger.server.event_words import due_words
from ledger.store.event_logs import EventLogs
from rules import Body
from rules.data.language import N_, Message
from rules.protocol import Phase
from verifier import Failure, Replay, VerifierKey
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.errors import KeyFormatError
from verifier.event.acts import (
    ActFile,
    Dismiss,
    EventOpen,
    Opened,
    OpenedGame,
    SealedGame,
    SealTables,
    decode_act,
)
from verifier.event.records import TableOpening
from verifier.event.replay import EventReplay
from verifier.event.state import EventState
from verifier.event.tables import event_zero
from verifier.log.bodies import CorrectKey
from verifier.log.bodies import Open as GameOpen
from verifier.log.format import decode_body
from verifier.log.merkle import leaf_hash
from verifier.log.plainjson import encode

__all__ = ["EventKeeper"]

OPENED_AT_ONCE = 300
SEALED_AT_ONCE = 300
GamesNews = dict[bytes, list[News]]


class EventKeeper:
    """The keeper of a server's events."""

    def __init__(
        self,
        logs: EventLogs,
        host: Host,
        seat: Seat,
        identity: Identity,
        tokens: EventTokenStore,
        cosignatures: EventCosignatures,
        organizers: Iterable[VerifierKey],
        clock: Callable[[], str],
    ) -> None:
        """`identity` is the seat's; `organizers` are the keys that may begin an event here."""
        self.logs = logs
        self.tokens = tokens
        self.cosignatures = cosignatures
        self._host = host
        self._seat = seat
        self._identity = identity
        self._organizers = {key.public_bytes for key in organizers}
        self._clock = clock
        self._done: set[str] = set()
        """games that are closed, and sealed as they are"""

    # --- what others sign --------------------------------------------------------------------------------------------

    def create(self, data: bytes) -> tuple[bool, bytes]:
        """Begin an event by its organizer's `open`; whether it is new, and its id. Raises RefusedError, StoreError."""
        act = parse_act(data)
        terms = _decoded(act)
        if not isinstance(terms, EventOpen):
            raise RefusedError(Message("an event begins with an open"), "event.terms", None)
        if terms.keeper != str(self._identity.key):
            raise RefusedError(Message("another keeper is named than this server's"), "event.terms", None)
        try:
            first = VerifierKey.parse(terms.organizers[0])
        except KeyFormatError as error:
            raise RefusedError(Message("its organizer has no key that can be read"), "event.terms", None) from error
        if first.public_bytes not in self._organizers:
            text = N_("{name} may not begin an event at this server: its operator names the organizers")
            raise RefusedError(Message(text, name=first.name), "event.organizer", None)
        line = line_of(self._identity, EventReplay(), act, self._clock())
        return self.logs.create(line, self._seat.memory)

    def take(self, event: bytes, data: bytes) -> tuple[bool, int]:
        """Put an act into a line; whether it is new, and the line's number. Raises RefusedError, StoreError."""
        act = parse_act(data)
        if act.event != event.hex():
            raise RefusedError(Message("this was signed for another event"), "event.terms", None)
        with self.logs.looking(event) as replay:
            known = replay.line_of(act)
        if known is not None:
            return False, known
        replay = self.logs.write(event, [partial(self._line, act)], self._seat.memory)
        taken = _decoded(act)
        if isinstance(taken, CorrectKey):  # tokens of the old phone end
            self.tokens.end(act.event, f"p{taken.number}")
        if isinstance(taken, Dismiss):
            self.tokens.end(act.event, taken.name)
        return True, replay.size - 1

    def _line(self, act: ActFile, replay: EventReplay) -> bytes:
        return line_of(self._identity, replay, act, self._clock())

    def checkpoint(self, event: bytes) -> bytes:
        """Sign size and root of the current log; return the note, with the cosignatures for the same head.

        Raises StoreError, also if the store was restored from a backup.
        """
        replay = self.logs.write(event, [], self._seat.memory)
        head = Checkpoint(event, replay.size, replay.tree.root())
        signed = sign_checkpoint(head, self._identity.key, self._identity.sign)
        return bytes(self.cosignatures.added(event, signed.of_log))

    # --- what follows for the keeper ---------------------------------------------------------------------------------

    def kept(self) -> Iterator[bytes]:
        """Yield the events that this server keeps and that are not closed."""
        for known in self.logs.events():
            event = bytes.fromhex(known.event)
            with suppress(MissingError), self.logs.looking(event) as replay:
                if not replay.closed and str(replay.terms.keeper_key) == str(self._identity.key):
                    yield event

    def tend(self, event: bytes) -> GamesNews:
        """Do all outstanding steps: open tables, close those of ended rounds, seal; return the news of the games."""
        news: GamesNews = {}
        with self.logs.looking(event) as replay:
            closed, openings = replay.closed, _unopened(replay.state)
        if closed:
            return news
        for opening in openings:
            self._open(event, opening, news)
        with self.logs.looking(event) as replay:
            to_close = list(self._to_close(replay.state))
        self._process([CloseGame(bytes.fromhex(game)) for game in to_close], news)
        with self.logs.looking(event) as replay:
            words = list(due_words(replay.state, self._replay))
        self._process(words, news)
        self._seal(event)
        return news

    def outstanding(self, event: bytes) -> bool:
        """Return True if `tend` has something to do."""
        with self.logs.looking(event) as replay:
            if replay.closed:
                return False
            state = replay.state
            outstanding = (iter(_unopened(state)), self._to_close(state), due_words(state, self._replay))
            return any(True for _ in chain(*outstanding)) or bool(self._unsealed(state))

    def _process(self, operations: Sequence[Operation], news: GamesNews) -> None:
        if operations:
            for game, found in self._host.process(operations).news.items():
                news.setdefault(game, []).extend(found)

    def _open(self, event: bytes, opening: TableOpening, news: GamesNews) -> None:
        """Begin the games of a line's tables, and name those that have begun."""
        with self.logs.looking(event) as replay:
            tables = [each for each in opening.tables.values() if each.game is None and not each.cancelled]
            zeros = [event_zero(replay.terms, opening, table) for table in tables]
        lines: dict[int, bytes] = {}
        with self._seat.group():
            for table, zero in zip(tables, zeros, strict=True):
                with suppress(RefusedError):
                    body = decode_body(encode(zero["body"]), GameOpen, "open")
                    lines[table.table] = self._seat.open_with(body, zero["time"])
        games = {table: leaf_hash(line) for table, line in lines.items()}
        self.tokens.add_games(event.hex(), [game.hex() for game in games.values()])
        known = {table for table, game in games.items() if self._host.ledger.size(game)}
        self._process(
            [Resume(games[table]) if table in known else CreateGame(line) for table, line in lines.items()], news
        )
        begun = [(table, game) for table, game in games.items() if self._host.ledger.size(game)]

        def make(replay: EventReplay) -> bytes:
            now = replay.state.openings[opening.seq].tables
            left = [OpenedGame(game.hex(), table) for table, game in begun if now[table].game is None]
            if not left:
                raise _Nothing
            return self._own("opened", Opened(tuple(left[:OPENED_AT_ONCE]), opening.seq), replay)

        for _ in range(0, len(begun), OPENED_AT_ONCE):
            with suppress(_Nothing):  # another process was faster
                self.logs.write(event, [make], self._seat.memory)

    def _own(self, kind: str, act: Body, replay: EventReplay) -> bytes:
        return keeper_line(self._identity, kind, act, self._clock)(replay)

    def _to_close(self, state: EventState) -> Iterator[str]:
        """Games that are open and should not be: cancelled ones, and of a round that has ended those with a result."""
        for opening in state.openings.values():
            round_ = state.rounds[opening.round - 1]
            for table in opening.tables.values():
                if table.game is None or table.game in self._done:
                    continue
                now = round_.tables.get(table.table)
                over = round_.state == "ended" and now is not None and now.result is not None
                if (table.cancelled or over) and self._phase(table.game) is not Phase.CLOSED:
                    yield table.game

    def _replay(self, game: bytes) -> Replay | None:
        """Return the replay of a game; None if it was deleted."""
        try:
            return self._host.ledger.live(game).replay
        except MissingError:
            return None

    def _phase(self, game: str) -> Phase:
        replay = self._replay(bytes.fromhex(game))
        return Phase.CLOSED if replay is None else replay.session.phase

    def _unsealed(self, state: EventState) -> dict[int, list[SealedGame]]:
        """By round that has ended: games that are longer than was sealed, and closed or never sealed."""
        found: dict[int, list[SealedGame]] = {}
        for opening in state.openings.values():
            if state.rounds[opening.round - 1].state != "ended":
                continue
            for table in opening.tables.values():
                if table.game is None or table.game in self._done:
                    continue
                with suppress(MissingError):
                    replay = self._host.ledger.live(bytes.fromhex(table.game)).replay
                    closed = replay.session.phase is Phase.CLOSED
                    if replay.size > table.size and (closed or not table.size):
                        sealed = SealedGame(table.game, replay.tree.root().hex(), replay.size, table.table)
                        found.setdefault(opening.round, []).append(sealed)
                    elif closed:
                        self._done.add(table.game)
        return found

    def _seal(self, event: bytes) -> None:
        def make(number: int, replay: EventReplay) -> bytes:
            games = self._unsealed(replay.state).get(number, [])
            if not games:
                raise _Nothing
            return self._own("seal", SealTables(tuple(games[:SEALED_AT_ONCE]), number), replay)

        with self.logs.looking(event) as replay:
            many = {number: len(games) for number, games in self._unsealed(replay.state).items()}
        for number, count in many.items():
            for _ in range(0, count, SEALED_AT_ONCE):
                with suppress(_Nothing):
                    self.logs.write(event, [partial(make, number)], self._seat.memory)


class _Nothing(Exception):
    """The signal that nothing is left to write."""


def _unopened(state: EventState) -> list[TableOpening]:
    """Lines with tables that have no game yet."""
    return [
        opening
        for opening in state.openings.values()
        if any(table.game is None and not table.cancelled for table in opening.tables.values())
    ]


def _decoded(act: ActFile) -> Any:
    """Return the act by its schema. Raises RefusedError."""
    try:
        return decode_act(act.type, Raw(encode(act.signed)))[0]
    except (Failure, KeyError) as error:
        problem = error if isinstance(error, Failure) else Message("there is no such act")
        raise RefusedError(problem, getattr(error, "code", "malformed"), None) from None
