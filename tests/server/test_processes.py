"""Several server processes on one PostgreSQL: the same tables, and any of them may be killed (specs/network.md)."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from rules import Body
from rules.lines import read_roll
from tests.server.served import Plain, Server
from tests.support.postgres import Cluster, cluster
from verifier import verify


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield found


def _roll(party: Plain) -> Body:
    session = party.view.replay.session
    return read_roll(session.system, "d20", session.game, party.name)


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
        alice.act("roll", _roll(alice))
        assert bob.open().status_code == 201
        assert alice.open().status_code == 201
        follower.join(30)
        assert not follower.is_alive()
        # The last opening may come in the reveal alone: both are written at once.
        told = [name for name in seen if name in ("line", "opening")]
        assert told in (["line", "opening", "line"], ["line", "opening", "opening", "line"])
        first.stop(signal.SIGKILL)
        alice.http.base_url = second.address
        bob.act("roll", _roll(bob))
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
def test_the_database_is_restarted_under_a_server(tmp_path: Path, postgres: Cluster) -> None:
    server = Server(tmp_path / "server", "--database", postgres.make("under"))
    alice = Plain(tmp_path / "a", "alice", server.address)
    try:
        alice.sit(alice.open_table("dice-1")["player"])
        alice.start()
        alice.enter()
        alice.act("roll", _roll(alice))
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
