"""What a party's program does by itself, at a server whose answers a test gives: whatever comes, and whatever fails."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from ledger.client import participant
from ledger.client.inbox import RemoteUpdate
from ledger.client.participant import Participant, Spectator
from ledger.client.remotes import Remote, Remotes
from ledger.client.sse import StreamEvent
from ledger.errors import AwayError, CheatedError, RefusedError, ServerError, UsageError
from ledger.game.core import Due
from ledger.home import Home
from ledger.keeper.table import Table as Played
from ledger.lobby import Link
from tests.server.test_game_sync import Server as Answers
from tests.server.test_game_sync import server_error
from tests.support.table import ROLL, Table, make_body
from verifier.log.bodies import Opening
from verifier.log.plainjson import encode
from verifier.opening import SentOpening

LATE = 10.0
"""seconds after which a test fails that waits for what never comes"""
ALIVE, CLOSED = StreamEvent(""), StreamEvent("bye", b'{"retry":null}')


class Server(Answers):
    """An honest server, until a test changes an answer; its stream brings what a test puts into it."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.events = asyncio.Queue[StreamEvent | Exception]()
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1

    @asynccontextmanager
    async def stream(self, _game: bytes, start: int) -> AsyncIterator[AsyncIterator[StreamEvent]]:
        async def events() -> AsyncIterator[StreamEvent]:
            while True:
                event = await self.events.get()
                if isinstance(event, Exception):
                    raise event
                yield event

        yield events()

    def checkpoint_event(self) -> StreamEvent:
        return StreamEvent("checkpoint", msgspec.json.encode({"checkpoint": self._note().decode()}))


class OneSeat(Home):
    """A home with a store of its own and one seat of a table."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.folder / "client", table.folder / "client-state")
        self.table = table

    def seat(self, name: str, *_: Any, **__: Any) -> Any:
        return self.table.seat(name)


class Program:
    """Bob's program, which follows the game."""

    def __init__(self, table: Table, server: Server, party: Participant, told: list[str]) -> None:
        self.table, self.server, self.party, self.told = table, server, party, told
        self.updates = party.watch()

    async def came(self, *events: StreamEvent | Exception) -> list[str]:
        """What is told when these events have come, and the program has done what they ask for."""
        found = list[str]()
        for event in events:
            self.server.events.put_nowait(event)
            found.append((await asyncio.wait_for(anext(self.updates), LATE)).what)
        return found

    async def acts_on(self, came: RemoteUpdate) -> None:
        await self.party._carrier.aside(lambda: self.party._act_on(came))

    def opening_event(self, opening: Opening) -> StreamEvent:
        pending = self.table.view.replay.pending
        assert pending is not None
        return StreamEvent("opening", encode(SentOpening.of(self.table.game, pending.request, opening)))

    def asked(self, what: str) -> int:
        return self.server.asked.count(what)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(LATE):
            while not done():
                await asyncio.sleep(0.005)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Callable[[Table, Callable[[Program], Awaitable[None]]], None]:
    """Run a test with bob's program at a table."""
    monkeypatch.setattr(participant, "AGAIN", 0.01)

    def run(table: Table, test: Callable[[Program], Awaitable[None]]) -> None:
        async def playing() -> None:
            server, told = Server(table), list[str]()
            monkeypatch.setattr(participant, "connect", lambda home, *_: (server, Remotes(home)))
            async with Participant(OneSeat(table), table.game, "bob", b"", patience=0.0, on_failure=told.append) as bob:
                await bob.fetch()
                await asyncio.wait_for(test(Program(table, server, bob, told)), 3 * LATE)

        asyncio.run(playing())

    return run


Play = Callable[[Table, Callable[[Program], Coroutine[Any, Any, None]]], None]


def again(table: Table) -> None:
    """The roll that waits is called off, and alice asks for another one."""
    table.void("dana")
    table.act("alice", "roll", ROLL | {"dice": "20d20", "use": "compare"})
    table.take("host")


# --- by itself -------------------------------------------------------------------------------------------------------


def test_a_program_opens_and_gives_receipts_for_others_openings(pending: Table, play: Play) -> None:
    """A receipt that is forged, or somebody else's, keeps it from nothing."""

    async def test(bob: Program) -> None:
        kept = bob.party._seat.keyless.received
        danas = pending.seats["dana"].acknowledge(pending.view, pending.open("bob"))
        for worthless in (replace(danas, receiver="alice"), replace(danas, author="alice")):
            assert await bob.came(StreamEvent("received", encode(worthless))) == ["received"]
            assert bob.asked("hand_in") == 1
        assert [each.receiver for each in kept(pending.game)] == ["host"]
        assert await bob.came(StreamEvent("received", encode(danas))) == ["received"]
        assert {each.receiver for each in kept(pending.game)} == {"host", "dana"}
        (own,) = pending.ledger.openings(pending.game)
        assert await bob.came(bob.opening_event(own), bob.opening_event(pending.open("alice"))) == ["opening"] * 2
        assert (bob.asked("hand_in"), bob.asked("acknowledge")) == (1, 1)
        assert bob.told == []

    play(pending, test)


def test_an_opening_of_a_roll_that_has_ended_keeps_a_program_from_nothing(pending: Table, play: Play) -> None:
    async def test(bob: Program) -> None:
        pending.hand_in("bob")
        alices = pending.open("alice")
        again(pending)
        await bob.party.fetch()
        await bob.acts_on(RemoteUpdate("opening", opening=alices))
        assert (bob.asked("acknowledge"), bob.asked("hand_in"), bob.told) == (0, 1, [])

    play(pending, test)


def test_a_program_signs_for_nobody_else(table: Table, play: Play) -> None:
    async def test(bob: Program) -> None:
        body = make_body("declare", {"what": "trigger", "source": "x", "on": "rolled"})
        with pytest.raises(KeyError):
            await asyncio.to_thread(bob.party.table.act, "alice", "declare", body)
        assert (await bob.party.act("declare", body)).seq == 7
        assert bob.asked("offer") == 1

    play(table, test)


# --- what fails ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [AwayError("gone"), server_error()])
def test_an_opening_that_could_not_be_handed_in_is_tried_again(pending: Table, play: Play, error: Exception) -> None:
    """A refusal is told, not that the server is away."""

    async def test(bob: Program) -> None:
        bob.server.refuse["hand_in"] = [error, error, None]  # type: ignore[list-item]
        assert await bob.came(ALIVE) == ["alive"]
        await bob.until(lambda: bob.asked("hand_in") == 3)
        await bob.until(lambda: bob.party._again is not None and bob.party._again.done())
        assert bob.told == ([] if isinstance(error, AwayError) else ["No."] * 2)
        assert await bob.came(ALIVE) == ["alive"]
        assert bob.asked("hand_in") == 3

    play(pending, test)


def test_a_renewal_that_is_refused_is_told_and_tried_again(make_table: Callable[..., Table], play: Play) -> None:
    table = make_table().begin(2)
    table.roll("alice")

    async def test(bob: Program) -> None:
        assert bob.party.table.renews("bob")
        bob.server.refuse["offer"] = [server_error(), None]
        assert await bob.came(ALIVE) == ["alive"]
        await bob.until(lambda: not bob.party.table.renews("bob"))
        assert bob.told == ["No."]

    play(table, test)


def test_an_opening_of_a_roll_that_has_ended_keeps_nobody_from_renewing(
    make_table: Callable[..., Table], play: Play
) -> None:
    table = make_table().begin(2)
    table.roll("alice")

    async def test(bob: Program) -> None:
        assert bob.party.table.renews("bob")
        await bob.acts_on(RemoteUpdate("opening", opening=Opening("alice", 1, "00" * 32, "00" * 64)))
        assert not bob.party.table.renews("bob")
        assert bob.told == []

    play(table, test)


def test_a_request_that_comes_before_an_automatic_event_is_no_failure(
    table: Table, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(bob: Program) -> None:
        def overtaken(*_: object) -> None:
            table.act("alice", "roll", ROLL)
            table.take("host")
            bob.party._carrier.inbox.catch_up()
            raise RefusedError("A roll waits.", "state.pending", None)

        with monkeypatch.context() as patch:
            patch.setattr(Played, "tend", overtaken)
            assert await bob.came(ALIVE) == ["alive"]
        assert bob.told == []
        assert await bob.came(ALIVE) == ["alive"]
        assert bob.asked("hand_in") == 1

    play(table, test)


def test_a_step_for_a_roll_that_has_ended_meanwhile_is_not_told(
    pending: Table, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(bob: Program) -> None:
        tried = list[Due]()

        def overtaken(_: Played, due: Due) -> bool:
            tried.append(due)
            pending.void("dana")
            bob.party._carrier.inbox.catch_up()
            raise RefusedError("The roll has ended.", "opening.request", None)

        with monkeypatch.context() as patch:
            patch.setattr(Played, "do", overtaken)
            assert await bob.came(ALIVE) == ["alive"]
        assert tried == [Due("bob", "open")]
        assert (bob.told, bob.party._again) == ([], None)

    play(pending, test)


@pytest.mark.parametrize("later", [False, True])
def test_a_cheat_that_a_step_finds_ends_the_program(pending: Table, play: Play, later: bool) -> None:
    """At once, or when the step is tried again. It is no failed step, and nothing more is sent."""

    async def test(bob: Program) -> None:
        bob.server.received = lambda _: b"[]"
        if later:
            bob.server.refuse["hand_in"] = [AwayError("gone"), None]
            assert await bob.came(ALIVE) == ["alive"]
            await bob.until(lambda: bob.party._carrier.inbox.trouble is not None)
        with pytest.raises(CheatedError, match="bob's opening is worthless"):
            await bob.came(ALIVE)
        with pytest.raises(CheatedError, match="bob's opening is worthless"):
            await asyncio.wait_for(anext(bob.party.watch()), LATE)
        assert bob.told == []
        assert bob.asked("hand_in") == 1 + later

    play(pending, test)


# --- watching --------------------------------------------------------------------------------------------------------


def test_whoever_watches_sees_all_up_to_the_end_of_the_game(table: Table, play: Play) -> None:
    table.ledger.append(table.game, table.seats["host"].close_game(table.view))

    async def test(bob: Program) -> None:
        for event in (ALIVE, ALIVE, CLOSED):
            bob.server.events.put_nowait(event)
        assert (await asyncio.wait_for(anext(bob.updates), LATE)).what == "alive"
        await bob.until(lambda: bob.party._over)
        async with asyncio.timeout(LATE):
            assert [came.what async for came in bob.updates] == ["alive"]
            assert [came async for came in bob.party.watch()] == []

    play(table, test)


@pytest.mark.parametrize("error", [server_error(), ZeroDivisionError()])
def test_whoever_watches_sees_all_up_to_an_error_and_then_the_error(table: Table, play: Play, error: Exception) -> None:
    """What is a defect of the program is hidden from nobody."""

    async def test(bob: Program) -> None:
        for event in (ALIVE, ALIVE, error):
            bob.server.events.put_nowait(event)
        assert (await asyncio.wait_for(anext(bob.updates), LATE)).what == "alive"
        following = bob.party._following
        assert following is not None
        await bob.until(following.done)
        assert (await asyncio.wait_for(anext(bob.updates), LATE)).what == "alive"
        for updates in (bob.updates, bob.party.watch()):
            with pytest.raises(type(error)):
                await asyncio.wait_for(anext(updates), LATE)
        assert following.exception() is (None if isinstance(error, ServerError) else error)

    play(table, test)


def test_whoever_watches_is_left_waiting_by_nobody_who_closes(table: Table, play: Play) -> None:
    async def test(bob: Program) -> None:
        bob.server.events.put_nowait(ALIVE)
        assert (await asyncio.wait_for(anext(bob.updates), LATE)).what == "alive"
        watching = asyncio.create_task(anext(bob.updates, None))
        await asyncio.sleep(0)
        await bob.party.close()
        assert await asyncio.wait_for(watching, LATE) is None
        async with asyncio.timeout(LATE):
            assert [came async for came in bob.party.watch()] == []

    play(table, test)


# --- what a server keeps back ----------------------------------------------------------------------------------------


KEPT_BACK = (
    (5.0, 7.0, 17.0, True),
    (5.0, 7.0, 16.9, False),
    (7.0, 5.0, 17.0, True),
    (7.0, 5.0, 16.9, False),
    (7.0, None, 99.0, False),
    (None, 7.0, 99.0, False),
)
"""since when there is a receipt, and a stream; what the clock shows; whether the opening is late then"""


def test_an_opening_is_kept_back_where_one_stream_does_not_hand_it_on(
    pending: Table, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For ten seconds since the receipt and since the stream began."""

    async def test(bob: Program) -> None:
        sync, waiting = bob.party._carrier, pending.view.replay.pending
        assert waiting is not None
        assert await bob.came(ALIVE) == ["alive"]
        (opening,) = pending.ledger.openings(pending.game)
        with monkeypatch.context() as patch:
            for received, standing, now, late in KEPT_BACK:
                patch.setattr(participant, "time", SimpleNamespace(monotonic=lambda now=now: now))
                patch.setattr(sync, "standing", standing)
                sync.outbox.received = {} if received is None else {waiting.request.hex(): received}
                assert bob.party.kept_back is late
            sync.outbox.received = {waiting.request.hex(): 5.0}
            await bob.acts_on(RemoteUpdate("opening", opening=pending.open("alice")))
            assert bob.party.kept_back, "it is another's that was handed on"
            await bob.acts_on(RemoteUpdate("opening", opening=opening))
            assert not bob.party.kept_back
            sync.outbox.received = {waiting.request.hex(): 5.0}
            again(pending)
            await bob.party.fetch()
            pending.void("dana")
            await bob.party.fetch()
            assert not bob.party.kept_back, "there is none"

    play(pending, test)


# --- joining ---------------------------------------------------------------------------------------------------------


def test_a_game_on_no_server_is_followed_by_nobody(tmp_path: Any) -> None:
    home = Home(tmp_path, tmp_path / "state")

    async def look() -> Spectator:
        return Spectator(home, bytes(32))

    with pytest.raises(UsageError, match="game 000000000000 is on no server"):
        asyncio.run(look())
    Remotes(home).save(Remote("https://d.example.org", "11" * 32, game="00" * 32))
    connection = asyncio.run(look())._connection
    assert (connection.address, connection.token) == ("https://d.example.org", b"\x11" * 32)


@pytest.mark.parametrize("step", ["agree", "access"])
def test_who_cannot_join_leaves_nothing_open(table: Table, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(*_: Any) -> None:
        pass

    async def agreed(*_: Any) -> bytes:
        return table.game

    async def fail(_: Participant) -> None:
        raise AwayError("gone")

    async def join() -> None:
        server = Server(table)
        monkeypatch.setattr(participant, "connect", lambda home, *_: (server, Remotes(home)))
        monkeypatch.setattr(participant, "agree", agreed)
        for name in ("sit", "wait_for_start"):
            monkeypatch.setattr(participant, name, none)
        for name in ("agree", "access"):
            monkeypatch.setattr(Participant, name, fail if name == step else none)
        monkeypatch.setattr(Home, "identity", lambda *_: table.identities["bob"])
        with pytest.raises(AwayError, match="gone"):
            await Participant.join(OneSeat(table), Link("http://localhost", bytes(32), "player", bytes(32)), "bob", b"")
        assert server.closed == 1

    asyncio.run(join())
