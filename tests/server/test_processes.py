"""Several server processes on one PostgreSQL: the same tables, and any of them may be killed (specs/network.md)."""

import asyncio
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx
import msgspec
import psycopg
import pytest

from ledger.client import Connection, Participant, Remotes, open_table, sit
from ledger.client import start as start_table
from ledger.errors import AwayError, WaitingError
from ledger.home import Home
from ledger.store.ledger import Ledger
from ledger.store.postgres import PostgresStorage
from rules.records import RollRecord
from tests.server.load import Player, check_all
from tests.server.machines import until
from tests.server.served import PASSPHRASE, Plain, Server, with_limits
from tests.support.cli import QUICK
from tests.support.postgres import Cluster, cluster
from verifier import verify


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield found


@pytest.mark.long
def test_two_processes_serve_the_same_tables_and_one_is_killed(tmp_path: Path, postgres: Cluster) -> None:
    url = postgres.make("two")
    first = Server(tmp_path / "server", "--database", url)
    second = Server(tmp_path / "server", "--database", url)
    alice, bob = Plain(tmp_path / "a", "alice", first.address), Plain(tmp_path / "b", "bob", second.address)
    try:
        link = alice.open_table("dice-1")["player"]
        assert alice.sit(link).status_code == 201
        assert bob.sit(link).status_code == 201
        assert alice.start().status_code == 201
        alice.enter()
        bob.enter()
        seen: list[str] = []
        ready = threading.Event()
        follower = threading.Thread(target=_follow, args=(bob, seen, ready))
        follower.start()
        assert ready.wait(20)
        alice.act("roll", alice.typed())
        assert bob.open().status_code == 201
        assert alice.open().status_code == 201
        follower.join(30)
        assert not follower.is_alive()
        # The last opening may come in the reveal alone: both are written at once.
        told = [name for name in seen if name in ("line", "opening")]
        assert told in (["line", "opening", "line"], ["line", "opening", "opening", "line"])
        first.stop(signal.SIGKILL)
        alice.http.base_url = second.address
        bob.act("roll", bob.typed())
        assert alice.open().status_code == 201
        assert bob.open().status_code == 201
        alice.fetch()
        log = b"".join(line + b"\n" for line in alice.view.lines(0))
        report, _ = verify(log)
        assert report.verdict == "holds"
        assert report.state is not None
        assert len(report.state["rolls"]) == 2
    finally:
        for party in (alice, bob):
            party.close()
        for server in (first, second):
            if server.process.poll() is None:
                assert server.stop() == 0


def _follow(party: Plain, seen: list[str], ready: threading.Event) -> None:
    """The names of the events of a stream, until two lines have come."""
    path = party.path(f"stream?from={party.view.replay.size}")
    headers = {**party.headers}

    with httpx.stream("GET", f"{party.http.base_url}{path}", headers=headers, timeout=30) as answer:
        for line in answer.iter_lines():
            if line == "event: here":
                ready.set()
            elif line.startswith("event: "):
                seen.append(line.removeprefix("event: "))
            if seen.count("line") == 2:
                return


@pytest.mark.long
def test_a_server_starts_while_another_is_writing(postgres: Cluster) -> None:
    """It makes what is missing in a writer's turn: neither waits for the other for ever."""
    url = postgres.make("starting")
    with closing(PostgresStorage(url)) as storage, closing(PostgresStorage(url)) as another:
        Ledger(storage)
        with ThreadPoolExecutor(1) as threads:
            with storage.transaction():
                storage.execute("INSERT INTO openings VALUES (1, 'g', 'r', 'a', 1, 'l', 's')")
                starting = threads.submit(Ledger, another)
                _until_one_waits(postgres, "starting")
                storage.execute("INSERT INTO events VALUES ('g', 0, '{}')")
            starting.result(60)


def _until_one_waits(postgres: Cluster, database: str) -> None:
    waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = %s AND wait_event_type = 'Lock'"
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        until(lambda: connection.execute(waiting, [database]).fetchone() is not None)


@pytest.mark.slow
def test_the_database_is_restarted_under_a_server(tmp_path: Path, postgres: Cluster) -> None:
    server = Server(tmp_path / "server", "--database", postgres.make("under"))
    alice = Plain(tmp_path / "a", "alice", server.address)
    try:
        alice.sit(alice.open_table("dice-1")["player"])
        alice.start()
        alice.enter()
        alice.act("roll", alice.typed())
        postgres.stop()
        assert alice.get(alice.path("log")).status_code == 503
        postgres.start()
        assert alice.open().status_code == 201
        alice.fetch()
        assert alice.view.replay.session.phase == "idle"
    finally:
        alice.close()
        if server.process.poll() is None:
            assert server.stop() == 0


@pytest.mark.slow
def test_who_waits_for_the_database_to_know_a_token_holds_up_nobody(tmp_path: Path, postgres: Cluster) -> None:
    """Somebody has locked the table of tokens: whoever needs it is refused after a while, all others are answered."""
    url = postgres.make("held")
    server = Server(tmp_path / "server", "--database", url)
    alice = Plain(tmp_path / "a", "alice", server.address)
    try:
        alice.sit(alice.open_table("dice-1")["player"])
        alice.start()
        alice.enter()
        time.sleep(1.1)  # until her token is not known any more
        with psycopg.connect(url) as connection, ThreadPoolExecutor(1) as threads:
            connection.execute("LOCK TABLE party_tokens IN ACCESS EXCLUSIVE MODE")
            waiting = threads.submit(alice.get, alice.path("checkpoint"))
            _until_one_waits(postgres, "held")
            assert httpx.get(f"{server.address}/v1/server", timeout=3).status_code == 200
            assert not waiting.done()
            refused = waiting.result(30)
            assert (refused.status_code, refused.json()["code"]) == (503, "keeper.failed")
        until(lambda: alice.get(alice.path("checkpoint")).status_code == 200)
    finally:
        alice.close()
        if server.process.poll() is None:
            assert server.stop() == 0


RESTARTS = 10


@pytest.mark.slow
def test_a_database_that_is_killed_under_load_loses_nothing_that_was_acknowledged(
    tmp_path: Path, postgres: Cluster
) -> None:
    """PostgreSQL ends at once, as if killed, and comes back; plain parties and real clients go on by themselves."""
    until = threading.Event()
    database = ("--database", postgres.make("load"), *with_limits(tmp_path))
    server = Server(tmp_path / "server", *database)
    clients = _Clients(tmp_path / "clients", server.address, until)
    players = [_player(tmp_path / str(number), server.address, until) for number in range(3)]
    loads: list[Player | _Clients] = [*players, clients]
    try:
        for load in loads:
            load.start()
        for load in loads:
            _goes_on(load)
        chance = random.Random(RESTARTS)
        for _ in range(RESTARTS):
            time.sleep(chance.uniform(0.3, 1.2))
            postgres.stop(signal.SIGQUIT)
            time.sleep(chance.uniform(0.0, 0.5))
            postgres.start()
        for load in loads:
            _goes_on(load)
    finally:
        until.set()
        for load in loads:
            load.join(120)
    check_all(players)
    if clients.problem is not None:
        raise clients.problem
    report, _ = verify(clients.log)
    assert report.verdict == "holds", report.findings
    for player in players:
        player.party.close()
    assert server.stop() == 0


def _player(folder: Path, address: str, until: threading.Event) -> Player:
    party = Plain(folder, "alice", address)
    assert party.sit(party.open_table("dice-1")["player"]).status_code == 201
    assert party.start().status_code == 201
    party.enter()
    return Player(party, until)


def _goes_on(thread: "Player | _Clients") -> None:
    """Wait until something more has been acknowledged."""
    before, end = len(thread.acknowledged), time.monotonic() + 90
    while len(thread.acknowledged) <= before + 1:
        assert thread.is_alive(), thread.problem
        assert time.monotonic() < end, "it does not go on"
        time.sleep(0.1)


class _Clients(threading.Thread):
    """Alice and bob with their own programs: she rolls, his opens by itself."""

    def __init__(self, folder: Path, address: str, until: threading.Event) -> None:
        super().__init__()
        self.folder, self.address, self.until = folder, address, until
        self.acknowledged: dict[int, bool] = {}
        """rolls that came to their dice"""
        self.problem: BaseException | None = None
        self.log = b""

    def run(self) -> None:
        try:
            asyncio.run(self._play())
        except BaseException as problem:
            self.problem = problem

    async def _play(self) -> None:
        homes = {name: Home(self.folder / name, self.folder / name / "state") for name in ("alice", "bob")}
        for name, home in homes.items():
            home.new_identity(name, PASSPHRASE, QUICK)
        async with Connection(self.address) as connection:
            host, remotes = homes["alice"].identity("alice", PASSPHRASE), Remotes(homes["alice"])
            links = await open_table(connection, remotes, host, "dice-1", msgspec.Raw(b"{}"))
            link = links["player"]
            connection.token = link.token
            for name, home in homes.items():
                await sit(connection, Remotes(home), link, home.identity(name, PASSPHRASE))
            await start_table(connection, link, host)
        joining = (Participant.join(home, link, name, PASSPHRASE) for name, home in homes.items())
        alice, bob = await asyncio.gather(*joining)
        try:
            await bob.attend()
            await alice.attend()
            await alice.fetch()
            while not self.until.is_set():
                try:
                    record = await alice.roll("d20")
                except (AwayError, WaitingError):
                    await asyncio.sleep(0.1)
                    continue
                if record.dice:
                    self.acknowledged[record.roll] = True
            lines = list((await alice.fetch()).lines(0))
            self.log = b"".join(line + b"\n" for line in lines)
            shown = {roll.roll for roll in _revealed(alice)}
            assert set(self.acknowledged) <= shown, "dice that were shown are gone"
            await bob.fetch()
        finally:
            await alice.close()
            await bob.close()


def _revealed(party: Participant) -> list[RollRecord]:
    session = party.view.replay.session
    settled, opened = session.system.rolls(session.game)
    return [roll for roll in (*settled, *opened) if roll.dice]
