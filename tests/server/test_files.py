"""What stands in the files of a server's databases, and who may read them (specs/guide/serving.md)."""

import os
import signal
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger import lobby
from ledger.store.ledger import Ledger
from ledger.store.postgres import PostgresStorage
from tests.server.served import Plain, seated, serving
from tests.support.postgres import Cluster, cluster


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def files(home: Path) -> list[Path]:
    return [path for path in home.iterdir() if ".db" in path.name]


@pytest.mark.long
def test_databases_are_their_owner_s_alone_whatever_the_umask(tmp_path: Path, open_umask: None) -> None:
    """Those from before too."""
    with serving(tmp_path / "server") as server, seated(tmp_path, server.address, "alice"):
        assert len(files(server.root / "home")) == 9
        assert {stat.S_IMODE(path.stat().st_mode) for path in files(server.root / "home")} == {0o600}
        server.stop(signal.SIGKILL)
        for path in files(server.root / "home"):
            path.chmod(0o666)
        again = server.again()
        try:
            assert {stat.S_IMODE(path.stat().st_mode) for path in files(server.root / "home")} == {0o600}
        finally:
            again.stop()


def deleted(party: Plain) -> None:
    assert party.link is not None
    wish = lobby.new_delete(party.identity, party.link.table)
    assert party.post(f"/v1/tables/{party.link.table.hex()}/delete", bytes(wish)).status_code == 200


@pytest.mark.long
def test_what_was_deleted_stands_in_no_file_any_more(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path / "a", server.address, "alice") as [alice],
        seated(tmp_path / "b", server.address, "bob") as [bob],
    ):
        alice.act("roll", alice.typed("d20 for the secret door of Undermountain"))
        assert alice.open().status_code == 201
        alice.fetch()
        lines = [line[-160:] for line in alice.view.lines(0)]
        told = [b"Undermountain", str(alice.identity.key).encode(), alice.view.replay.head.hex().encode(), *lines]
        home = server.root / "home"

        def found() -> set[bytes]:
            data = b"".join(path.read_bytes() for path in files(home))
            return {each for each in told if each in data}

        assert found() == set(told), "they stood there"
        deleted(alice)
        assert found() == set()
        assert alice.get(alice.path("log")).status_code == 410
        bob.act("roll", bob.typed())


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield found


@pytest.mark.slow
def test_a_checkpoint_that_was_answered_survives_that_postgresql_is_killed(tmp_path: Path, postgres: Cluster) -> None:
    """At once, with all its processes: nothing that is only in its memory is left."""
    url = postgres.make("killed")
    with (
        serving(tmp_path / "server", "--database", url) as server,
        seated(tmp_path, server.address, "alice") as [alice],
    ):
        for _ in range(3):
            alice.fetch()
            line = alice.seat.sign(alice.view, "roll", alice.typed())
            answer = alice.offer(line)
            killed(postgres)
            assert answer.status_code == 201
            postgres.start()
            with closing(Ledger(PostgresStorage(url))) as ledger:
                checkpoint = ledger.checkpoint(alice.game)
            assert checkpoint is not None
            assert bytes(checkpoint).decode() == answer.json()["checkpoint"]
            alice.fetch()
            assert alice.open().status_code == 201


def killed(postgres: Cluster) -> None:
    """All processes of the server, its first one first."""
    assert postgres.pid is not None
    processes = [postgres.pid, *children(postgres.pid)]
    for process in processes:
        os.kill(process, signal.SIGKILL)
    postgres.reap()


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
