"""Seats at a table: taken, freed, and asked for when the game has begun (specs/network.md, "The table")."""

import asyncio
from collections.abc import Collection

from msgspec import UNSET

from ledger import lobby
from ledger.keeper.operations import Acceptance, LetIn
from ledger.lobby import LobbyError, TableState
from ledger.server.limits import Caller, Limits, network_of
from ledger.server.problems import Problem, problem_of
from ledger.server.room import Room
from ledger.server.table_states import TableStates
from ledger.server.tables import Tables
from ledger.server.turns import Turns
from ledger.server.writer import Writer, answer_of
from ledger.store.ledger import Ledger
from rules.data.language import N_, Message
from rules.protocol import Phase
from verifier import Replay, VerifierKey
from verifier.log.bodies import AdmitBody, ReplaceBody

__all__ = ["Seating"]

MAX_UNSEATED = 256
"""keys that a host takes out of one table"""


class Seating:
    """Gives seats and takes them away. All methods are for the event loop, but those that say otherwise."""

    def __init__(
        self,
        tables: Tables,
        states: TableStates,
        ledger: Ledger,
        writer: Writer,
        turns: Turns,
        room: Room,
        limits: Limits,
    ) -> None:
        """`turns` run the lookups of games."""
        self._tables = tables
        self._states = states
        self._ledger = ledger
        self._writer = writer
        self._turns = turns
        self._room = room
        self._limits = limits

    async def sit(self, table: str, body: bytes, caller: Caller) -> bool:
        """Take a seat, or when the game has begun ask for one; whether it is new. Raises Problem."""
        state = await self._states.look(network_of(caller[0]), table)
        try:
            seat = lobby.parse_seat(body)
            terms = lobby.parse_terms(state.terms.encode())
            lobby.check_seat(terms, seat, state.invites)
            if not lobby.check_free(state.seats, seat):
                return False
            lobby.check_seat(terms, seat, state.invites, latest=True)
            waiting = await self._waiting(caller, state, terms, seat)
            if await asyncio.to_thread(self._tables.is_unseated, table, seat.party_key):
                text = N_("{host}, the host, has taken {name} out of this table")
                raise LobbyError("table.seat", Message(text, host=terms.host_key.name, name=seat.name))
        except LobbyError as error:
            raise problem_of(error) from None
        self._room.check()
        if waiting >= self._limits.seats:
            raise Problem(429, "too-many", Message("nobody more can sit at this table"), retry=60)
        most, network = self._limits.seats_address, network_of(caller[0])
        named = seat.replaces is UNSET
        new = await asyncio.to_thread(
            self._tables.sit, table, body.decode(), seat.party_key, network, most, named=named
        )
        if new is None:
            text = N_("one address takes at most {most} seats at a table: somebody else may sit down from another")
            raise Problem(429, "too-many", Message(text, most=most), retry=60)
        if not new:  # somebody sat down meanwhile, or was taken out
            return await self.sit(table, body, caller)
        self._states.tell_soon(table)
        return True

    async def _waiting(self, caller: Caller, state: TableState, terms: lobby.TableTerms, seat: lobby.LobbySeat) -> int:
        """Return the number of waiting seats. Raises LobbyError if this seat may not be taken, Problem."""
        if state.game is None:
            if seat.replaces is not UNSET:
                raise LobbyError("table.started", Message("the game of this table has not begun"))
            return len(state.seats)
        game = bytes.fromhex(state.game)
        replay = (await self._turns.ask(caller, lambda: self._ledger.view(game))).replay
        if seat.replaces is UNSET:
            lobby.check_asks(terms, seat, replay.terms.keys, replay.terms.called)
        else:
            lobby.check_goes_on(seat, replay)
        if replay.session.phase is Phase.CLOSED:
            raise LobbyError("table.started", Message("the game of this table is over"))
        return sum(replay.terms.owner_of(each.party_key.public_bytes) is None for each in state.seats)

    async def let_in(self, table: str, body: bytes, caller: Caller) -> tuple[bool, int, bytes]:
        """Admit a person who asks, as the host; return as `GamePosts.offer`, for the `admit`. Raises Problem."""
        state = await self._states.look(network_of(caller[0]), table)
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
        taken = answer_of(await self._writer.operate(LetIn(game, admit), Acceptance))
        self._states.tell_soon(table)
        return taken

    async def replace(self, table: str, body: bytes, caller: Caller) -> tuple[bool, int, bytes]:
        """Have the keeper write that a party goes on under a key that asks; as `GamePosts.offer`. Raises Problem."""
        state = await self._states.look(network_of(caller[0]), table)
        if state.game is None:
            raise Problem(409, "table.started", Message("the game of this table has not begun"))
        game = bytes.fromhex(state.game)
        view = await self._turns.ask(caller, lambda: self._ledger.view(game))
        try:
            seat = lobby.check_replace(lobby.parse_replace(body), state.seats, view.replay)
        except LobbyError as error:
            raise problem_of(error) from None
        taken = answer_of(await self._writer.operate(LetIn(game, ReplaceBody(seat.key, seat.succession)), Acceptance))
        self._states.tell_soon(table)
        return taken

    def going_on(self, replay: Replay) -> Collection[str]:
        """Return the parties in whose place somebody asks to go on; for the writer's thread."""
        row = self._tables.of_game(replay.game.hex())
        seats = [] if row is None else [lobby.parse_seat(seat.encode()) for seat in self._tables.seats(row.id)]
        return {seat.name for seat in lobby.goes_on(seats, replay.terms)}

    async def unseat(self, table: str, body: bytes) -> None:
        """Take a key's seat away for good, as the host. Raises Problem."""
        await self._writer.write(lambda: self._unseat(table, body))

    def _unseat(self, table: str, body: bytes) -> None:
        """In the writer's thread: the start is made there too."""
        state = self._states.of(table)
        try:
            unseat = lobby.parse_unseat(body)
            lobby.check_unseat(lobby.parse_terms(state.terms.encode()), unseat)
        except LobbyError as error:
            raise problem_of(error) from None
        self._check_lobby(state, VerifierKey.parse(unseat.key))
        if not self._tables.unseat(table, VerifierKey.parse(unseat.key), MAX_UNSEATED):
            raise Problem(429, "too-many", Message("nobody more can be taken out: make a new link"), retry=60)
        self._end_links(table)

    async def invite(self, table: str, body: bytes) -> bool:
        """Replace a role's link, as the host; return whether the new one is new. Raises Problem."""
        return await self._writer.write(lambda: self._invite(table, body))

    def _invite(self, table: str, body: bytes) -> bool:
        """In the writer's thread."""
        state = self._states.of(table)
        try:
            invite = lobby.parse_invite(body)
            new = lobby.check_invite(lobby.parse_terms(state.terms.encode()), state.invites, invite)
        except LobbyError as error:
            raise problem_of(error) from None
        self._check_lobby(state)
        if new:
            self._tables.invite(table, body.decode(), invite.link.token)
            self._end_links(table)
        return new

    def _check_lobby(self, state: TableState, key: VerifierKey | None = None) -> None:
        """Check that the host still decides about seats, and that this key may leave. Raises Problem."""
        if state.game is None:
            return
        replay = self._ledger.view(bytes.fromhex(state.game)).replay
        parties = {each.public_bytes for each in replay.terms.keys.values()}
        ended = replay.session.phase is Phase.CLOSED
        if ended or (key is not None and key.public_bytes in parties):
            raise Problem(409, "table.started", Message("the game of this table has begun"))

    def _end_links(self, table: str) -> None:
        """In the writer's thread: links that were replaced open nothing from when nobody sits by them."""
        state = self._states.of(table)
        terms = lobby.parse_terms(state.terms.encode())
        self._tables.end_tokens(table, lobby.ended_tokens(terms, state.invites, state.seats))
        self._states.tell(table)
