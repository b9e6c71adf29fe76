"""Two machines serve the games of one keeper, which remembers in a service: any serves any, and one dies."""

import json
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import psycopg
import pytest

from ledger.cli import run
from tests.server.event_day import Day, identity
from tests.server.killed import killing
from tests.server.machines import until
from tests.server.meeting import meeting
from tests.server.served import PASSPHRASE, Plain, Server, UnableError, with_limits
from tests.support.postgres import Cluster, cluster
from verifier import verify

TABLES, ROLLS = 3, 3


@pytest.fixture(scope="module")
def clusters() -> Iterator[tuple[Cluster, Cluster]]:
    """For games, and for what the keeper remembers."""
    with cluster() as games, cluster() as memory:
        if games is None or memory is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield games, memory


@pytest.fixture
def options(tmp_path: Path, clusters: tuple[Cluster, Cluster]) -> tuple[str, ...]:
    games, memory = clusters
    names = ("--database", games.make(tmp_path.name), "--memory", memory.make(tmp_path.name))
    return *names, *with_limits(tmp_path)


def second(first: Server, root: Path, options: tuple[str, ...], kind: type[Server] = Server) -> Server:
    """Another machine, to which the identities of the first were brought, and nothing else."""
    shutil.copytree(first.root / "home" / "identities", root / "home" / "identities")
    return kind(root, *options)


def at(tmp_path: Path, servers: tuple[Server, Server], name: str = "") -> tuple[Plain, Plain]:
    """Alice at one machine and bob at the other, at one table."""
    alice = Plain(tmp_path / f"alice{name}", "alice", servers[0].address)
    bob = Plain(tmp_path / f"bob{name}", "bob", servers[1].address)
    link = alice.open_table("dice-1")["player"]
    for party in (alice, bob):
        assert party.sit(link).status_code == 201
    assert alice.start().status_code == 201
    for party in (alice, bob):
        party.enter()
    return alice, bob


def opens(party: Plain) -> None:
    """Open, as often as it takes: a machine that lost a race says that it could not."""

    def opened() -> bool:
        try:
            return party.open().status_code in (200, 201)
        except UnableError:
            return False

    until(opened)


def asks(party: Plain) -> None:
    """Ask for dice, as a client does that sends a line again until it has an answer."""

    def fetched() -> bool:
        try:
            party.fetch()
        except UnableError:
            return False
        return party.view.replay.session.phase == "idle"

    until(fetched)
    line = party.seat.sign(party.view, "roll", party.typed())
    until(lambda: party.offer(line).status_code in (200, 201))


def log_of(party: Plain) -> bytes:
    until(lambda: party.get(party.path("log")).status_code == 200)
    return party.get(party.path("log")).content


def rolls_of(log: bytes) -> int:
    """How many rolls have their dice, in a log that holds."""
    report, _ = verify(log)
    assert report.verdict == "holds", report.findings
    assert report.state is not None
    return sum(bool(roll["dice"]) for roll in report.state["rolls"])


@pytest.mark.slow
def test_one_machine_is_killed_in_mid_roll_and_the_other_goes_on(tmp_path: Path, options: tuple[str, ...]) -> None:
    one = Server(tmp_path / "one", *options)
    two = second(one, tmp_path / "two", options)
    try:
        alice, bob = at(tmp_path, (one, two))
        asks(alice)
        opens(bob)
        one.stop(signal.SIGKILL)
        alice.http.base_url = httpx.URL(two.address)
        opens(alice)
        until(lambda: rolls_of(log_of(bob)) == 1)
        asks(bob)
        opens(alice)
        one = one.again()
        bob.http.base_url = httpx.URL(one.address)
        opens(bob)
        until(lambda: rolls_of(log_of(alice)) == 2)
        asks(alice)
        two.stop(signal.SIGKILL)
        alice.http.base_url = httpx.URL(one.address)
        opens(bob)
        opens(alice)
        until(lambda: rolls_of(log_of(alice)) == 3)
        for party in (alice, bob):
            party.close()
    finally:
        for server in (one, two):
            if server.process.poll() is None:
                assert server.stop() == 0


@pytest.mark.long
def test_both_machines_work_at_the_same_tables_at_once(tmp_path: Path, options: tuple[str, ...]) -> None:
    """They meet at every roll: of two that sign for one game one loses, looks again, and nothing is signed twice."""
    one = Server(tmp_path / "one", *options)
    two = second(one, tmp_path / "two", options)
    try:
        seated = [at(tmp_path, (one, two), str(number)) for number in range(TABLES)]
        with ThreadPoolExecutor(TABLES) as threads:
            for done in [threads.submit(plays, *parties) for parties in seated]:
                done.result()
        for party in (party for parties in seated for party in parties):
            party.close()
    finally:
        for server in (one, two):
            if server.process.poll() is None:
                assert server.stop() == 0


def plays(alice: Plain, bob: Plain) -> None:
    """Rolls of a table whose parties are at two machines."""
    for _ in range(ROLLS):
        asks(alice)
        opens(bob)
        opens(alice)
    until(lambda: rolls_of(log_of(bob)) == ROLLS)


@pytest.mark.long
def test_one_cluster_for_games_and_memory_is_refused(
    tmp_path: Path,
    clusters: tuple[Cluster, Cluster],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games, _ = clusters
    monkeypatch.setenv("ROLLPROOF_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE.decode())
    same = ["--database", games.make("same"), "--memory", games.make("same-memory"), "--home", str(tmp_path / "home")]
    assert run(["serve", *same]) == 74
    assert run(["serve", "--check", "--port", "0", *same]) == 1
    out, err = capsys.readouterr()
    assert "one PostgreSQL cluster" in err
    assert "one PostgreSQL cluster" in out
    assert not (tmp_path / "home" / "identities").exists(), "nothing was made"


@pytest.mark.long
def test_commands_of_the_keeper_are_told_where_it_remembers(
    tmp_path: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without that they would begin a memory of their own, in a file, and the keeper would stop everywhere."""
    Server(tmp_path / "one", *options).stop()
    Server(tmp_path / "two").stop()
    monkeypatch.setenv("ROLLPROOF_STATE", str(tmp_path / "one" / "state"))
    monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE.decode())
    forget = ["identity", "forget", "keeper", "--home", str(tmp_path / "one" / "home")]
    assert run(forget) == 64
    assert "ROLLPROOF_MEMORY" in capsys.readouterr().err
    monkeypatch.setenv("ROLLPROOF_MEMORY", options[options.index("--memory") + 1])
    assert run(forget) == 64
    assert "here and whole" in capsys.readouterr().err
    monkeypatch.setenv("ROLLPROOF_STATE", str(tmp_path / "two" / "state"))
    assert run([*forget[:-1], str(tmp_path / "two" / "home")]) == 64
    assert "in a file of this machine" in capsys.readouterr().err


@pytest.mark.slow
def test_an_event_goes_on_at_the_other_machine_when_one_dies_with_a_line_that_it_signed(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    """It dies when the keeper has remembered the line that names the games, and the store does not have it yet."""
    options = (*options, "--organizer", str(identity("olga").key))
    one = Server(tmp_path / "one", *options)
    two = second(one, tmp_path / "two", options)
    servers = [one, two]
    try:
        with Day(one.address) as day:
            day.open()
            day.register()
            day.address = two.address
            day.reconnect()
            day.all_in()
            day.pair()
            _ = day.state
            start = day.act(day.olga, "start", {"minutes": 50, "round": 1})
            one.stop(signal.SIGKILL)
            # The other sleeps, so that this one opens the tables.
            two.process.send_signal(signal.SIGSTOP)
            dying = killing("noted")(tmp_path / "one", *options, port=one.port)
            servers.append(dying)
            day.address = dying.address
            day.reconnect()
            with suppress(httpx.HTTPError):
                day.post(f"/v1/events/{day.event}/acts", start)
            dying.wait()
            two.process.send_signal(signal.SIGCONT)
            day.address = two.address
            day.reconnect()
            until(lambda: day.post(f"/v1/events/{day.event}/acts", start).status_code in (200, 201))
            until(day.opened)
            day.does(day.olga, "slip", round=1, sides=[{"won": 2}, {"won": 0}], table=12, reason="a no-show")
            lines = day.http.get(f"/v1/events/{day.event}/log").content.splitlines()
            assert [json.loads(line)["type"] for line in lines].count("opened") == 1
            for game in day.state.games:
                log = day.http.get(f"/v1/games/{game}/log", headers={"authorization": f"Bearer {day.token}"}).content
                assert [json.loads(line)["type"] for line in log.splitlines()] == ["open", "commit"]
                assert verify(log)[0].verdict == "holds"
    finally:
        for server in servers:
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                assert server.stop() == 0


@pytest.mark.slow
@pytest.mark.parametrize("dies", [False, True])
def test_one_open_at_both_machines_at_once_begins_one_event(
    tmp_path: Path, options: tuple[str, ...], dies: bool
) -> None:
    """Each has made a first line of its own before either has stored one; or one of them dies with its line."""
    options = (*options, "--organizer", str(identity("olga").key))
    place = tmp_path / "meeting"
    one = meeting(place, dies=dies)(tmp_path / "one", *options)
    two = second(one, tmp_path / "two", options, meeting(place))
    try:
        with Day(one.address) as day, ThreadPoolExecutor(1) as threads:
            act = day.opening()
            there = threads.submit(day.post, "/v1/events", act)
            until(lambda: any(place.glob("[0-9]*")))
            here = httpx.post(f"{two.address}/v1/events", content=act, timeout=30)
            if dies:
                with pytest.raises(httpx.HTTPError):
                    there.result()
                one.wait()
                assert here.status_code == 201
            else:
                assert sorted([there.result().status_code, here.status_code]) == [200, 201]
                assert there.result().json() == here.json()
            again = httpx.post(f"{two.address}/v1/events", content=act, timeout=30)
            assert (again.status_code, again.json()) == (200, here.json())
            event = here.json()["event"]
            assert len(httpx.get(f"{two.address}/v1/events/{event}/log").content.splitlines()) == 1
        with psycopg.connect(options[options.index("--database") + 1]) as connection:
            assert connection.execute("SELECT DISTINCT event FROM event_lines").fetchall() == [(event,)]
    finally:
        for server in (one, two):
            if server.process.poll() is None:
                assert server.stop() == 0
