"""Clients and what a wire, or a server, does to them (specs/network.md, "What a client does by itself")."""

import asyncio
import json
import shutil
import signal
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import pytest

from ledger.client import (
    CheatedError,
    Connection,
    Link,
    Participant,
    Remotes,
    Spectator,
    agree,
    look,
    open_table,
    sit,
    wait_for_start,
)
from ledger.client import start as start_table
from ledger.client.sse import StreamEvent
from ledger.errors import AwayError, RefusedError, UsageError
from ledger.home import Home
from ledger.lobby import LobbyError
from ledger.seats.identity import Identity
from tests.server.served import PASSPHRASE, Server, roomy
from tests.server.wire import Answer, Wire, checkpoint_of, resigned
from tests.support.cli import LIMIT, QUICK
from verifier.log.merkle import leaf_hash

T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, T]], T]
NAMES = ("alice", "bob")


def home_of(folder: Path, name: str | None = None) -> Home:
    home = Home(folder, folder / "state")
    if name is not None:
        home.new_identity(name, PASSPHRASE, QUICK)
    return home


class Played:
    """A game of alice and bob, and a wire to each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.homes = {name: home_of(folder / name, name) for name in NAMES}
        self.wires = {name: Wire() for name in NAMES}
        self.links: dict[str, Link] = {}
        self.game = b""
        self.at: dict[str, Participant] = {}

    async def open(self, address: str, judge_after: int | None = None) -> None:
        """A table with both seated; it has not started."""
        async with Connection(address) as connection:
            host, options = self.identity("alice"), msgspec.Raw(b"{}")
            made = await open_table(
                *(connection, Remotes(self.homes["alice"]), host, "dice-1", options, ("player", "judge", "spectator")),
                judge_after=judge_after,
            )
            self.links = dict(made.items())
            for name in NAMES:
                connection.token = self.links["player"].token
                await sit(connection, Remotes(self.homes[name]), self.links["player"], self.identity(name))

    async def start(self) -> None:
        link = self.links["player"]
        async with Connection(link.address, link.token) as connection:
            await start_table(connection, link, self.identity("alice"))

    async def enter(self, links: int = 1_024) -> None:
        joining = (
            Participant.join(
                self.homes[name],
                self.links["player"],
                name,
                PASSPHRASE,
                patience=LIMIT,
                transport=self.wires[name],
                links=links,
            )
            for name in NAMES
        )
        self.at = dict(zip(NAMES, await asyncio.gather(*joining), strict=True))
        self.game = self.at["alice"].game
        for party in self.at.values():
            await party.attend()
            await party.fetch()

    def identity(self, name: str) -> Identity:
        return self.homes[name].identity(name, PASSPHRASE)

    async def again(self, name: str, patience: float = LIMIT) -> Participant:
        """The party's program ends, and starts again on an honest wire."""
        await self.at[name].close()
        self.wires[name] = Wire()
        self.at[name] = Participant(
            self.homes[name], self.game, name, PASSPHRASE, patience=patience, transport=self.wires[name]
        )
        await self.at[name].attend()
        return self.at[name]

    async def level(self) -> None:
        """Everybody has all lines."""
        for party in self.at.values():
            await party.fetch()

    async def close(self) -> None:
        for party in self.at.values():
            await party.close()

    @property
    def lines(self) -> list[bytes]:
        return list(self.at["alice"].view.lines(0))


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with roomy(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def keeper(server: Server) -> Identity:
    home = Home(server.root / "home", server.root / "state")
    return home.identity(home.names()[0], PASSPHRASE)


@pytest.fixture(scope="module")
def begun(runner: asyncio.Runner, server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    played = Played(tmp_path_factory.mktemp("played"))

    async def begin() -> None:
        await played.open(server.address)
        await played.start()
        await played.enter()
        for name in (*NAMES, *NAMES):
            assert (await played.at[name].roll("d20")).dice

    runner.run(begin())
    yield played
    runner.run(played.close())


@pytest.fixture
def played(runner: asyncio.Runner, begun: Played) -> Played:
    """A game in which both have rolled, and have all lines."""
    runner.run(begun.level())
    return begun


@pytest.fixture
def table(runner: asyncio.Runner, server: Server, tmp_path: Path) -> Played:
    """A table with alice and bob, before its start."""
    table = Played(tmp_path)
    runner.run(table.open(server.address, 600))
    return table


# --- lost answers, absent servers ------------------------------------------------------------------------------------


async def until(done: Callable[[], bool]) -> None:
    """Wait for what somebody's program does by itself."""
    async with asyncio.timeout(LIMIT):
        while not done():
            await asyncio.sleep(0.05)


def requests(played: Played) -> int:
    return played.at["alice"].view.replay.session.requests


@pytest.mark.long
def test_an_answer_that_is_lost_repeats_nothing(runner: asyncio.Runner, played: Played) -> None:
    async def lost() -> None:
        before, wire, lost = requests(played), played.wires["alice"], list[bytes]()

        def lose(request: httpx.Request) -> bool:
            if request.method == "POST" and len(lost) < 2:
                lost.append(request.content)
                return True
            return False

        wire.lose = lose
        record = await played.at["alice"].roll("2d6")
        assert record.dice
        assert len(lost) == 2
        await played.at["alice"].fetch()
        assert requests(played) == before + 1
        assert not Remotes(played.homes["alice"]).kept(played.game)

    runner.run(lost())


@pytest.mark.long
def test_what_could_not_be_sent_is_sent_by_whoever_comes_next(runner: asyncio.Runner, played: Played) -> None:
    async def sent() -> None:
        before = requests(played)
        alice = played.at["alice"]
        alice._connection.patience = 0.2
        played.wires["alice"].lose = lambda request: request.url.path.endswith("/lines")
        with pytest.raises(AwayError):
            await alice.roll("3d6")
        (kept,) = Remotes(played.homes["alice"]).kept(played.game)
        alice = await played.again("alice")
        await alice.fetch()
        await asyncio.to_thread(alice.table.carry_on)
        assert kept in played.lines
        assert requests(played) == before + 1
        assert not Remotes(played.homes["alice"]).kept(played.game)

    runner.run(sent())


@pytest.mark.long
def test_what_could_not_be_sent_makes_room_for_what_came_first(runner: asyncio.Runner, played: Played) -> None:
    async def overtaken() -> None:
        alice = await played.again("alice")
        alice._connection.patience = 0.2
        played.wires["alice"].cut = lambda request: request.method == "POST"
        with pytest.raises(AwayError):
            await alice.roll("4d6")
        (kept,) = Remotes(played.homes["alice"]).kept(played.game)
        played.wires["alice"].honest()
        await asyncio.to_thread(played.at["bob"].table.act, "bob", "away", _away("bob"))
        await asyncio.to_thread(played.at["bob"].table.act, "bob", "back", _back("bob"))
        alice = await played.again("alice")
        await alice.fetch()
        assert alice._carrier.outbox.untaken == [kept]
        assert kept not in played.lines
        assert (await alice.roll("4d6")).dice

    runner.run(overtaken())


def _away(party: str) -> Any:
    from verifier.log.bodies import AwayBody

    return AwayBody(party)


def _back(party: str) -> Any:
    from rules.protocol import Back

    return Back(party)


def test_receipts_for_openings_are_kept_until_the_roll_is_shown(runner: asyncio.Runner, played: Played) -> None:
    async def rolled() -> None:
        for _ in range(3):
            await played.at["alice"].roll("d20")
        await played.level()
        held = played.at["bob"]._seat.keyless.received(played.game)
        assert {received.receiver for received in held} >= {"keeper"}
        assert len({received.request for received in held}) == 1

    runner.run(rolled())


def test_lines_that_the_keeper_never_took_make_room_for_those_that_it_did(
    runner: asyncio.Runner, played: Played, tmp_path: Path
) -> None:
    """A server that streamed a line, was put back before it had signed over it, and was caught up without it."""

    async def put_back() -> None:
        alice = await played.again("alice")
        view = await alice.fetch()
        folder = tmp_path / "eve"
        eve = Spectator(await copied(played, folder), played.game)
        stray = played.at["bob"]._seat.sign((await played.at["bob"].fetch()), "away", _away("bob"))
        assert eve._carrier.inbox.take_line(view.replay.size, stray)
        await alice.act("away", _away("alice"))
        await alice.act("back", _back("alice"))
        assert (await eve.fetch()).replay.head == alice.view.replay.head
        await eve.close()

    runner.run(put_back())


async def copied(played: Played, folder: Path) -> Home:
    """A home that knows the game as it stands."""
    home, remote = home_of(folder), Remotes(played.homes["alice"]).of_game(played.game)
    assert remote is not None
    Remotes(home).save(remote)
    ledger = home.ledger()
    for seq, line in enumerate(played.lines):
        ledger.importer.take_line(played.game, seq, line)
    ledger.close()
    return home


def test_all_roll_at_once_and_everybody_is_served(runner: asyncio.Runner, played: Played) -> None:
    async def at_once() -> None:
        before = requests(played)
        records = await asyncio.gather(*(played.at[name].roll(f"d20 + {n}") for n in range(2) for name in NAMES))
        assert all(record.dice for record in records)
        await played.at["alice"].fetch()
        assert requests(played) == before + 4

    runner.run(at_once())


@pytest.mark.long
def test_whoever_watches_commits_anew_when_its_chain_is_spent(
    runner: asyncio.Runner, server: Server, tmp_path: Path
) -> None:
    """With chains for two rolls six are rolled, and nobody is asked for anything."""
    table = Played(tmp_path)

    async def play() -> list[tuple[str, str]]:
        await table.open(server.address)
        await table.start()
        await table.enter(links=3)
        for number in range(6):
            record = await table.at[NAMES[number % 2]].roll("d20")
            while not record.dice:
                record = await shown(table, record.roll)
        await table.level()
        events = [json.loads(line) for line in table.lines]
        await table.close()
        return [(event["author"], event["type"]) for event in events]

    events = runner.run(play())
    assert [event for event in events if event[1] == "reveal"] == [("keeper", "reveal")] * 6
    for name in NAMES:
        assert events.count((name, "commit")) >= 3


async def shown(table: Played, roll: int) -> Any:
    """A roll that did not come to its dice in time, as it stands a little later."""
    alice = table.at["alice"]
    await asyncio.sleep(0.1)
    session = (await alice.fetch()).replay.session
    settled, opened = session.system.rolls(session.game)
    return next(each for each in (*opened, *settled) if each.roll == roll)


def test_a_spectator_sees_all_and_signs_nothing(runner: asyncio.Runner, played: Played, tmp_path: Path) -> None:
    async def looked() -> None:
        async with await Spectator.look(home_of(tmp_path), played.links["spectator"]) as eve:
            came = eve.watch()
            first = asyncio.ensure_future(anext(came))
            await played.at["bob"].roll("d8")
            size = (await played.at["alice"].fetch()).replay.size
            seen = [await first]
            while seen[-1].seq != size - 1:
                seen.append(await asyncio.wait_for(anext(came), 10))
            assert [each.seq for each in seen if each.what == "line"] == list(range(1, size))
            assert eve.view.replay.head == played.at["alice"].view.replay.head

    runner.run(looked())


# --- a server that cheats --------------------------------------------------------------------------------------------


def cheated(
    runner: asyncio.Runner,
    played: Played,
    tmp_path: Path,
    change: Callable[[Answer], None],
    *,
    until: int | None = None,
) -> CheatedError:
    """What bob's program, on a copy of bob's machine, finds when it fetches; it has `until` lines if told."""
    folder = tmp_path / "bob"
    if until is None:
        shutil.copytree(played.homes["bob"].root, folder)
        home = home_of(folder)
    else:
        home = home_of(folder)
        remote = Remotes(played.homes["bob"]).of_game(played.game)
        assert remote is not None
        Remotes(home).save(remote)
        ledger = home.ledger()
        for seq, line in enumerate(played.lines[:until]):
            ledger.importer.take_line(played.game, seq, line)
        ledger.close()
    wire = Wire()
    wire.answer = change

    async def fetch() -> CheatedError:
        async with Spectator(home, played.game, transport=wire) as bob:
            before = bob.view.replay.head
            with pytest.raises(CheatedError) as caught:
                await bob.fetch()
            if until is None:
                assert bob.view.replay.head == before
            with pytest.raises(CheatedError):
                bob._carrier.inbox.check()
        return caught.value

    error = runner.run(fetch())
    assert (Path(error.evidence) / "why.txt").exists()
    return error


def reveal_of(lines: list[bytes]) -> int:
    return next(seq for seq, line in enumerate(lines) if json.loads(line)["type"] == "reveal")


def test_changed_dice(runner: asyncio.Runner, played: Played, keeper: Identity, tmp_path: Path) -> None:
    """By somebody on the way, and by the keeper itself, which signs them."""
    seq = reveal_of(played.lines)
    natural = json.loads(played.lines[seq])["body"]["naturals"][0]
    changed = resigned(played.lines[seq], keeper, body={"naturals": [natural % 20 + 1]})
    on_the_way = played.lines[seq].replace(b'"naturals":[%d]' % natural, b'"naturals":[%d]' % (natural % 20 + 1))
    for number, line in enumerate((changed, on_the_way)):

        def change(answer: Answer, line: bytes = line) -> None:
            answer.body = answer.body.replace(played.lines[seq], line)

        error = cheated(runner, played, tmp_path / str(number), change, until=seq)
        assert "does not hold" in str(error)
        assert (Path(error.evidence) / "given.jsonl").read_bytes() == line + b"\n"


def test_a_forked_log(runner: asyncio.Runner, played: Played, keeper: Identity, tmp_path: Path) -> None:
    """Another history, of the same length, which the keeper signed."""
    lines = played.lines
    other = [*lines[:-1], resigned(lines[-1], keeper, time=json.loads(lines[-1])["time"].replace("Z", "Z"))]
    forged = resigned(lines[-1], keeper, author=keeper.key.name, type="close", body={})
    other[-1] = forged

    def change(answer: Answer) -> None:
        if answer.path.endswith("/checkpoint"):
            answer.body = checkpoint_of(other, keeper)
        if "/log" in answer.path:
            start = int(answer.path.rpartition("=")[2])
            answer.body = b"".join(line + b"\n" for line in other[start:])

    error = cheated(runner, played, tmp_path, change)
    assert "another history" in str(error)
    evidence = Path(error.evidence)
    assert (evidence / "here.jsonl").read_bytes().splitlines() == lines
    assert (evidence / "there.jsonl").read_bytes().splitlines() == other
    assert (evidence / "given.checkpoint").read_bytes() == checkpoint_of(other, keeper)


def test_a_line_that_goes_on_from_another_history(
    runner: asyncio.Runner, played: Played, keeper: Identity, tmp_path: Path
) -> None:
    size = len(played.lines)
    line = resigned(*(played.lines[-1], keeper), author=keeper.key.name, type="close", body={}, prev="1" * 64, seq=size)

    def change(answer: Answer) -> None:
        if answer.path.endswith(f"from={size}"):
            answer.body, answer.headers["rollproof-size"] = line + b"\n", str(size + 1)

    assert "does not hold" in str(cheated(runner, played, tmp_path, change))


def test_a_log_that_is_shorter_than_what_was_seen(runner: asyncio.Runner, played: Played, tmp_path: Path) -> None:
    """Where the server takes what it lacks, it is caught up; one that does not hides something."""
    size = len(played.lines)

    def change(answer: Answer) -> None:
        if "/log" in answer.path:
            answer.body, answer.headers["rollproof-size"] = b"", str(size - 2)
        if answer.path.endswith("/catch-up"):
            problem = {"type": "t", "title": "t", "status": 422, "detail": "No.", "code": "chain.seq"}
            answer.status, answer.body = 422, json.dumps(problem).encode()

    assert "shorter" in str(cheated(runner, played, tmp_path, change))


def test_a_server_that_forgets_what_it_is_given(runner: asyncio.Runner, played: Played, tmp_path: Path) -> None:
    def change(answer: Answer) -> None:
        if "/log" in answer.path:
            answer.body, answer.headers["rollproof-size"] = b"", str(len(played.lines) - 2)

    assert "though it was given" in str(cheated(runner, played, tmp_path, change))


def test_a_checkpoint_for_lines_that_are_hidden(
    runner: asyncio.Runner, played: Played, keeper: Identity, tmp_path: Path
) -> None:
    lines = [*played.lines, resigned(played.lines[-1], keeper, seq=len(played.lines))]

    def change(answer: Answer) -> None:
        if answer.path.endswith("/checkpoint"):
            answer.body = checkpoint_of(lines, keeper)

    assert "hides" in str(cheated(runner, played, tmp_path, change))


def test_a_checkpoint_by_nobody(runner: asyncio.Runner, played: Played, tmp_path: Path) -> None:
    def change(answer: Answer) -> None:
        if answer.path.endswith("/checkpoint"):
            answer.body = checkpoint_of(played.lines, Identity.generate("keeper"))

    assert "does not fit" in str(cheated(runner, played, tmp_path, change))


def test_a_line_that_is_said_to_be_taken(runner: asyncio.Runner, played: Played) -> None:
    """The answer's checkpoint is not for it."""

    async def said() -> None:
        alice = await played.again("alice", patience=1.0)
        await alice.fetch()
        old, seq = bytes(alice.view.checkpoint or b""), len(played.lines)

        def change(answer: Answer) -> None:
            if answer.path.endswith("/lines"):
                answer.body = json.dumps({"checkpoint": old.decode(), "seq": seq}).encode()

        played.wires["alice"].answer = change
        played.wires["alice"].event = lambda _event: []  # else the line stands by what the stream brings meanwhile
        with pytest.raises(CheatedError, match=f"took event {seq}, and gives no checkpoint for it"):
            await alice.roll("d4")
        alice = await played.again("alice")
        await alice.fetch()
        await asyncio.to_thread(alice.table.carry_on)
        assert alice.view.replay.pending is None

    runner.run(said())


def test_a_race_that_nobody_won(runner: asyncio.Runner, played: Played) -> None:
    """A server that says that others came first, and shows nobody, is not asked for ever. One that took it, and says
    that it did not, is found out: the line stands.
    """
    problem = {"type": "t", "title": "t", "status": 409, "detail": "No.", "code": "chain.seq", "size": 1}

    async def lied() -> None:
        alice, wire = await played.again("alice"), played.wires["alice"]
        await alice.fetch()
        before = len(played.lines)

        def refuse(request: httpx.Request) -> httpx.Response | None:
            return httpx.Response(409, json=problem) if request.url.path.endswith("/lines") else None

        def change(answer: Answer) -> None:
            if answer.path.endswith("/lines"):
                answer.status, answer.body = 409, json.dumps(problem).encode()

        wire.instead = refuse
        wire.sent.clear()
        with pytest.raises(RefusedError):
            await alice.act("away", _away("alice"))
        assert len([request for request in wire.sent if request.method == "POST"]) == 1
        wire.instead, wire.answer = Wire().instead, change
        assert (await alice.act("away", _away("alice"))).seq == before
        wire.answer = Wire().answer
        assert (await alice.act("back", _back("alice"))).seq == before + 1

    runner.run(lied())


@pytest.mark.long
def test_openings_that_were_moved_or_changed_open_nothing(runner: asyncio.Runner, played: Played) -> None:
    """Bob rolls and so opens last: not before he holds alice's opening, for this roll, by her."""

    async def moved() -> None:
        for change in (
            {"request": "1" * 64},
            {"game": "1" * 64},
            {"opening": {"link": "1" * 64}},
            {"opening": {"index": 1}},
            {"opening": {"author": "keeper"}},
            {"opening": {"sig": "1" * 128}},
        ):
            bob = await played.again("bob", patience=0.7)
            await bob.fetch()

            def event(event: StreamEvent, change: dict[str, Any] = change) -> list[StreamEvent]:
                if event.name != "opening":
                    return [event]
                sent = json.loads(event.data)
                inner = sent["opening"] | change.get("opening", {})
                changed = sent | change | {"opening": inner}
                return [event._replace(data=msgspec.json.encode(changed, order="sorted"))]

            played.wires["bob"].event = event
            record = await bob.roll("d10")
            assert record.status == "pending", change
            assert bob.view.replay.pending is not None
            assert not [o for o in bob._ledger.openings(played.game) if o.author in ("bob", "keeper")]
            bob = await played.again("bob")
            await bob.fetch()
            await asyncio.to_thread(bob.table.carry_on)
            assert bob.view.replay.pending is None

    runner.run(moved())


@pytest.mark.long
def test_an_opening_is_handed_in_again_to_a_server_that_comes_back(runner: asyncio.Runner, played: Played) -> None:
    """It may have lost it. What it says when it ends the stream is no end, as long as the game is not closed."""

    async def back() -> None:
        bob, alice = await played.again("bob"), await played.again("alice", patience=1.0)
        played.wires["alice"].event = lambda event: [] if event.name == "opening" else [event]
        # The server ends bob's stream, as if for good, as soon as it has his opening.
        end = StreamEvent("bye", b'{"retry":null}', "")
        played.wires["bob"].event = lambda event: [end] if event.name == "opening" else [event]
        assert (await alice.roll("d12")).status == "pending"

        def handed_in() -> int:
            return sum(each.url.path.endswith("/openings") for each in played.wires["bob"].sent)

        await until(lambda: handed_in() >= 2)
        played.wires["bob"].honest()
        alice = await played.again("alice")
        await asyncio.to_thread(alice.table.carry_on)
        await until(lambda: bob.view.replay.pending is None)

    runner.run(back())


@pytest.mark.long
def test_an_opening_that_is_not_handed_on_is_told(
    runner: asyncio.Runner, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When one stream has stood for long enough: as long as none stands, nothing is late."""

    async def dropped() -> None:
        monkeypatch.setattr("ledger.client.participant.HAND_ON", 0.5)
        bob, alice = await played.again("bob"), await played.again("alice", patience=2.0)

        def drop(event: StreamEvent) -> list[StreamEvent]:
            own = event.name == "opening" and json.loads(event.data)["opening"]["author"] == "bob"
            return [] if own else [event]

        played.wires["bob"].event = played.wires["alice"].event = drop
        record = await alice.roll("d12")
        assert record.status == "pending"
        await until(lambda: bob.kept_back)
        monkeypatch.setattr(bob._carrier, "standing", time.monotonic())
        assert not bob.kept_back
        await until(lambda: bob.kept_back)
        monkeypatch.setattr(bob._carrier, "standing", None)
        assert not bob.kept_back
        alice = await played.again("alice")
        await alice.fetch()
        await asyncio.to_thread(alice.table.carry_on)
        assert alice.view.replay.pending is None
        await bob.fetch()
        assert not bob.kept_back

    runner.run(dropped())


@pytest.mark.long
def test_an_opening_that_could_not_be_sent_is_sent_again(
    runner: asyncio.Runner, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut() -> None:
        monkeypatch.setattr("ledger.client.participant.AGAIN", 0.1)
        bob, alice = await played.again("bob"), await played.again("alice")
        await bob.fetch()
        bob._connection.patience = 0.0
        lost = list[bytes]()

        def cut(request: httpx.Request) -> bool:
            if request.url.path.endswith("/openings") and len(lost) < 3:
                lost.append(request.content)
                return True
            return False

        played.wires["bob"].cut = cut
        assert (await alice.roll("d6")).dice
        assert len(lost) == 3
        assert len(set(lost)) == 1
        await played.again("bob")

    runner.run(cut())


@pytest.mark.long
def test_nobody_opens_for_a_request_that_the_keeper_has_not_signed_over(runner: asyncio.Runner, played: Played) -> None:
    async def withheld() -> None:
        bob, alice = await played.again("bob"), await played.again("alice", patience=1.5)
        await bob.fetch()
        old = bytes(bob.view.checkpoint or b"")
        played.wires["bob"].event = lambda event: [] if event.name == "checkpoint" else [event]

        def change(answer: Answer) -> None:
            if answer.path.endswith("/checkpoint"):
                answer.body = old

        played.wires["bob"].answer = change
        record = await alice.roll("d6")
        assert record.status == "pending"
        await until(lambda: bob.view.replay.pending is not None)
        assert not bob._ledger.openings(played.game)
        await played.again("bob")
        alice = await played.again("alice")
        await alice.fetch()
        await asyncio.to_thread(alice.table.carry_on)
        assert alice.view.replay.pending is None

    runner.run(withheld())


def test_a_log_that_is_dated_ahead_is_signed_upon_by_nobody(runner: asyncio.Runner, played: Played) -> None:
    async def ahead() -> None:
        alice = await played.again("alice")
        await alice.fetch()
        alice._seat._signer.clock = lambda: "2020-01-01T00:00:00.000Z"
        with pytest.raises(RefusedError, match="ahead of the clock"):
            await alice.roll("d6")
        await played.again("alice")

    runner.run(ahead())


# --- before event 0 --------------------------------------------------------------------------------------------------


def shown_otherwise(
    runner: asyncio.Runner, table: Played, change: Callable[[dict[str, Any]], None], line: bytes | None = None
) -> str:
    """The code with which bob's program refuses a started table that the server shows with a change."""

    async def agreed() -> str:
        await table.start()
        wire, link = Wire(), table.links["player"]

        def answer(answer: Answer) -> None:
            if answer.path == f"/v1/tables/{link.table.hex()}":
                state = json.loads(answer.body)
                change(state)
                answer.body = json.dumps(state).encode()
            elif "/log" in answer.path and line is not None:
                answer.body = line + b"\n"

        wire.answer = answer
        home = table.homes["bob"]
        async with Connection(link.address, link.token, transport=wire) as connection:
            with pytest.raises(LobbyError) as caught:
                await agree(connection, Remotes(home), home, await look(connection, link))
        assert not home.ledger_path.exists() or not home.games()
        return caught.value.code

    return runner.run(agreed())


def event_zero(runner: asyncio.Runner, table: Played) -> bytes:
    async def first() -> bytes:
        await table.start()
        link = table.links["player"]
        async with Connection(link.address, link.token) as connection:
            shown = await wait_for_start(connection, link)
            assert shown.state.game is not None
            return (await connection.lines(bytes.fromhex(shown.state.game), 0))[0][0]

    return runner.run(first())


@pytest.mark.parametrize("member", ["title", "contributors", "away", "judge", "parties"])
def test_a_swapped_event_0(
    runner: asyncio.Runner, server: Server, table: Played, keeper: Identity, member: str
) -> None:
    """Another game than was agreed to, signed by the keeper, with an id that fits."""
    line = event_zero_of_another(runner, table, keeper, member)

    async def shown() -> str:
        wire, link, home = Wire(), table.links["player"], table.homes["bob"]

        def answer(answer: Answer) -> None:
            if answer.path == f"/v1/tables/{link.table.hex()}":
                answer.body = json.dumps(json.loads(answer.body) | {"game": leaf_hash(line).hex()}).encode()
            elif answer.path.startswith("/v1/games/"):
                answer.status, answer.body, answer.headers["rollproof-size"] = 200, line + b"\n", "1"

        wire.answer = answer
        async with Connection(link.address, link.token, transport=wire) as connection:
            with pytest.raises(LobbyError) as caught:
                await agree(connection, Remotes(home), home, await look(connection, link))
        assert list((home.root / "evidence").glob("*/given.jsonl"))
        return caught.value.code

    assert runner.run(shown()) == "table.opened"


def event_zero_of_another(runner: asyncio.Runner, table: Played, keeper: Identity, member: str) -> bytes:
    line = event_zero(runner, table)
    shown = json.loads(line)["body"]
    assert shown["judge"] == "timer"
    timer = {"key": str(Identity.generate("timer").key), "role": "judge"}
    value = {
        "title": "Another",
        "contributors": "roller",
        "away": "others",
        "judge": None,
        "parties": [party if party["role"] != "judge" else timer for party in shown["parties"]],
    }[member]
    if value is None:  # whose judge it is, is left out
        del shown[member]
        return resigned(json.dumps(json.loads(line) | {"body": shown}).encode(), keeper)
    return resigned(line, keeper, body={member: value})


def test_a_party_more(runner: asyncio.Runner, table: Played) -> None:
    stranger = Identity.generate("zoe")

    def change(state: dict[str, Any]) -> None:
        state["start"]["parties"].append({"key": str(stranger.key), "role": "player"})

    assert shown_otherwise(runner, table, change) == "table.host"


def test_a_seat_that_is_not_its_partys(runner: asyncio.Runner, table: Played) -> None:
    def change(state: dict[str, Any]) -> None:
        state["seats"][0]["sig"] = state["seats"][1]["sig"]

    assert shown_otherwise(runner, table, change) == "table.start"


def test_terms_of_another_table(runner: asyncio.Runner, table: Played) -> None:
    def change(state: dict[str, Any]) -> None:
        state["terms"] = state["terms"].replace('"title":""', '"title":"x"')

    assert shown_otherwise(runner, table, change) == "table.terms"


def test_a_table_that_was_agreed_to_begins_once(runner: asyncio.Runner, table: Played, keeper: Identity) -> None:
    """A second game of the same table, its event 0 with another nonce, is not joined."""
    line = resigned(event_zero(runner, table), keeper, body={"nonce": "1" * 64})

    async def again() -> None:
        wire, link, home = Wire(), table.links["player"], table.homes["bob"]
        async with Connection(link.address, link.token, transport=wire) as connection:
            await agree(connection, Remotes(home), home, await look(connection, link))

            def answer(answer: Answer) -> None:
                if answer.path == f"/v1/tables/{link.table.hex()}":
                    answer.body = json.dumps(json.loads(answer.body) | {"game": leaf_hash(line).hex()}).encode()

            wire.answer = answer
            with pytest.raises(UsageError, match="has started as game"):
                await agree(connection, Remotes(home), home, await look(connection, link))

    runner.run(again())


# --- a server that is away -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_server_that_is_killed_and_comes_back(runner: asyncio.Runner, tmp_path: Path) -> None:
    """Everybody goes on by themselves; a roll that was under way comes to its dice."""
    server, table = Server(tmp_path / "server"), Played(tmp_path)

    async def begin() -> None:
        await table.open(server.address)
        await table.start()
        await table.enter()
        assert (await table.at["alice"].roll("d20")).dice

    async def go_on() -> None:
        alice, bob = table.at["alice"], table.at["bob"]
        rolling = asyncio.ensure_future(alice.roll("d20 + 1"))
        await asyncio.sleep(0.3)
        again = await asyncio.to_thread(Server, tmp_path / "server", port=server.port)
        try:
            record = await rolling
            while not record.dice:
                await asyncio.to_thread(alice.table.carry_on)
                view = await alice.fetch()
                settled, opened = view.replay.session.system.rolls(view.replay.session.game)
                record = next(each for each in (*opened, *settled) if each.roll == record.roll)
            alice._carrier.be_patient()
            assert (await bob.roll("2d6")).dice or (await bob.fetch()).replay.pending is None
            assert (await alice.fetch()).replay.session.requests == 3
            rolls = [json.loads(line) for line in table.lines if json.loads(line)["type"] == "roll"]
            assert [roll["body"]["dice"] for roll in rolls] == ["d20", "d20 + 1", "2d6"]
            await table.close()
        finally:
            again.stop(signal.SIGKILL)

    runner.run(begin())
    server.stop(signal.SIGKILL)
    runner.run(go_on())
