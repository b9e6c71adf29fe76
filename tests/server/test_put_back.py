"""Databases that are put back while a server runs (specs/network.md, "Catching up")."""

import sqlite3
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from ledger import lobby
from tests.server.machines import until
from tests.server.served import Plain, Server, seated, serving
from tests.support.postgres import Cluster, cluster, programs
from verifier import verify
from verifier.log.merkle import root_of

Restore = Callable[[], None]
"""puts back what was there when the copy was made"""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster | None]:
    with cluster() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def served(request: pytest.FixtureRequest, tmp_path: Path, postgres: Cluster | None) -> Iterator[Server]:
    arguments: list[str] = []
    if request.param == "postgres":
        if postgres is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        arguments = ["--database", postgres.make(tmp_path.name)]
    with serving(tmp_path / "server", *arguments) as server:
        yield server


def copied(server: Server, *names: str) -> Restore:
    """Copy a server's databases as its operator would, while it runs: all of PostgreSQL's, or the files of SQLite."""
    if server.arguments:
        return _dumped(server.arguments[-1], server.root / "dump")
    for name in names:
        _copy(server.root / "home" / name, server.root / f"{name}.kept")

    def restore() -> None:
        for name in names:
            _copy(server.root / f"{name}.kept", server.root / "home" / name)

    return restore


def _copy(source: Path, target: Path) -> None:
    """By SQLite's own means for it (sqlite.org, "Online Backup API")."""
    with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(target, timeout=30)) as other:
        one.backup(other)


def _dumped(url: str, file: Path) -> Restore:
    found = programs()
    assert found is not None
    subprocess.run([found / "pg_dump", "-Fc", "-f", file, url], check=True)
    return lambda: _run([found / "pg_restore", "--clean", "-d", url, file])


def _run(command: list[str | Path]) -> None:
    subprocess.run(command, check=True)


def rolled(roller: Plain, *others: Plain) -> None:
    """A whole roll."""
    roller.act("roll", roller.typed())
    for each in (*others, roller):
        assert each.open().status_code in (200, 201)
    for each in (roller, *others):
        each.fetch()


def log_of(party: Plain) -> bytes:
    answer = party.get(party.path("log"))
    assert answer.status_code == 200, answer.text
    return answer.content


def told_until_the_end(reader: Plain, meanwhile: Callable[[], httpx.Response]) -> list[str]:
    """The names of what a stream brings, when something is done after what stands has come, until its end."""
    names: list[str] = []
    with reader.http.stream("GET", reader.path("stream"), headers=reader.headers) as answer:
        for line in answer.iter_lines():
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
                if names[-1] == "here" and names.count("here") == 1:
                    assert meanwhile().status_code == 200
    return names


@pytest.mark.slow
def test_nothing_is_written_behind_a_hole_and_the_game_goes_on(tmp_path: Path, served: Server) -> None:
    with seated(tmp_path, served.address, "alice", "bob") as [alice, bob]:
        restore = copied(served, "ledger.db")
        before = log_of(alice)
        rolled(alice, bob)
        rolled(bob, alice)
        whole = log_of(alice)
        restore()
        # Upon the end that the players saw: there is nothing for it to stand upon.
        refused = alice.offer(alice.seat.sign(alice.view, "roll", alice.typed()))
        assert (refused.status_code, refused.json()["code"]) == (503, "keeper.behind")
        assert refused.json()["size"] == before.count(b"\n")
        # In the place of a line over which the keeper has signed.
        taken = list(alice.view.lines(0))[before.count(b"\n")]
        assert alice.offer(taken).json()["code"] == "keeper.behind"
        assert log_of(alice) == before, "nothing was written"
        assert "bye" in told_until_the_end(alice, lambda: bob.post(bob.path("catch-up"), whole))
        assert log_of(alice) == whole
        rolled(bob, alice)
        report, _ = verify(log_of(alice))
        assert report.verdict == "holds"
        assert served.stop() == 0
        again = served.again()
        try:
            rolled(alice, bob)
        finally:
            assert again.stop() == 0


@pytest.mark.long
def test_a_game_that_a_database_lacks_is_brought(tmp_path: Path, served: Server) -> None:
    """The copy is older than the game. Whoever has been in it brings all of it."""
    restore = copied(served, "ledger.db")
    if served.arguments:
        pytest.skip("of PostgreSQL the tables are put back too: nobody is let in any more")
    with seated(tmp_path, served.address, "alice", "bob") as [alice, bob]:
        rolled(alice, bob)
        whole = log_of(alice)
        restore()
        refused = alice.offer(alice.seat.sign(alice.view, "roll", alice.typed()))
        assert (refused.status_code, refused.json()["code"], refused.json()["size"]) == (503, "keeper.behind", 0)
        assert bob.post(bob.path("catch-up"), whole).status_code == 200
        assert log_of(alice) == whole
        rolled(bob, alice)


@pytest.mark.long
def test_what_was_opened_after_the_copy_is_not_there(tmp_path: Path, served: Server) -> None:
    """All databases are older than the table: its link opens nothing, and other tables go on."""
    with seated(tmp_path / "old", served.address, "alice", "bob") as [alice, bob]:
        restore = copied(served, "ledger.db", "tables.db", "anchors.db")
        with seated(tmp_path / "new", served.address, "carol") as [carol]:
            restore()
            assert carol.offer(carol.seat.sign(carol.view, "roll", carol.typed())).status_code in (404, 503)
            rolled(alice, bob)
            line = carol.seat.sign(carol.view, "roll", carol.typed())
            until(lambda: carol.offer(line).status_code == 404)  # what a token opens is known for a second
            assert carol.get(carol.path("log")).status_code == 404
            with seated(tmp_path / "later", served.address, "dave") as [dave]:
                rolled(dave)


def closed(party: Plain) -> None:
    assert party.link is not None
    wish = bytes(lobby.new_closing(party.identity, party.link.table, party.game))
    assert party.post(f"/v1/tables/{party.link.table.hex()}/close", wish).status_code == 201


def anchors(party: Plain) -> int:
    """How many entries the anchor log's latest checkpoint is for."""
    return int(party.get("/v1/anchors/checkpoint").text.split("\n")[1])


@pytest.mark.long
def test_an_anchor_log_that_was_put_back_shows_no_second_history(tmp_path: Path) -> None:
    """Nothing is added to it: an entry would stand in the place of another. When the right one is back it goes on."""
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path / "server"))
        tables = [stack.enter_context(seated(tmp_path / str(n), server.address, "alice"))[0] for n in range(4)]
        closed(tables[0])
        restore = copied(server, "anchors.db")
        closed(tables[1])
        heads = {2: tables[0].get("/v1/anchors/checkpoint").text}
        kept = tmp_path / "kept.db"
        _copy(server.root / "home" / "anchors.db", kept)
        restore()
        for at in (2, 3):
            closed(tables[at])
            assert anchors(tables[0]) == 1
            assert tables[at].get(tables[at].path("anchor")).status_code == 404
        with closing(sqlite3.connect(server.root / "home" / "anchors.db")) as database:
            assert database.execute("SELECT count(*) FROM anchors").fetchone() == (1,), "nothing took a missing place"
        _copy(kept, server.root / "home" / "anchors.db")
        assert tables[0].get("/v1/anchors/checkpoint").text == heads[2]
        server.stop()
        again = server.again()
        try:
            until(lambda: anchors(tables[0]) == 4)
            for table in tables:
                assert table.get(table.path("anchor")).status_code == 200
            first = tables[0].get("/v1/anchors/tile/0/000.p/4").content[:64]
            root = b64encode(root_of([first[:32], first[32:]])).decode()
            assert heads[2].split("\n")[2] == root, "the same entries as before"
        finally:
            assert again.stop() == 0
