"""A server is replaced by another version of itself in mid-roll (specs/guide/operating.md)."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.served import Plain, Server, seated
from tests.support.postgres import Cluster, cluster
from verifier import verify

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster | None]:
    with cluster() as found:
        yield found


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> type[Server]:
    """A server of another version, installed elsewhere: its modules are others, and so is the hash over them."""
    folder = tmp_path_factory.mktemp("newer")
    for package in ("ledger", "rules", "verifier"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "verifier" / "replay.py").open("a") as module:
        module.write("\n# Another version.\n")
    program = (
        f"import sys; sys.path.insert(0, {str(folder)!r}); import verifier; "
        f"assert verifier.__file__.startswith({str(folder)!r}); from ledger.cli import main; main()"
    )
    return type("Newer", (Server,), {"program": program})


def finished(alice: Plain, bob: Plain) -> None:
    """The roll that waits for alice comes to its dice, and a whole roll after it; the log holds."""
    assert alice.open().status_code == 201
    bob.act("roll", bob.typed())
    for each in (alice, bob):
        assert each.open().status_code == 201
    alice.fetch()
    report, _ = verify(b"".join(line + b"\n" for line in alice.view.lines(0)))
    assert report.verdict == "holds"
    assert report.state is not None
    assert [len(roll["dice"]) for roll in report.state["rolls"]] == [1, 1]


@pytest.mark.long
def test_a_version_follows_another_in_mid_roll(tmp_path: Path, newer: type[Server]) -> None:
    server = Server(tmp_path / "server")
    try:
        with seated(tmp_path, server.address, "alice", "bob") as [alice, bob]:
            alice.act("roll", alice.typed())
            assert bob.open().status_code == 201
            assert server.stop() == 0
            server = newer(tmp_path / "server", port=server.port)
            finished(alice, bob)
            assert server.stop() == 0
            server = Server(tmp_path / "server", port=server.port)
            alice.act("roll", alice.typed())  # and back, where the newer one is not liked
    finally:
        if server.process.poll() is None:
            assert server.stop() == 0


@pytest.mark.slow
def test_two_versions_serve_one_database_while_one_takes_the_place_of_the_other(
    tmp_path: Path, newer: type[Server], postgres: Cluster | None
) -> None:
    if postgres is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    database = ("--database", postgres.make("upgrade"))
    older = Server(tmp_path / "server", *database)
    try:
        with seated(tmp_path, older.address, "alice", "bob") as [alice, bob]:
            alice.act("roll", alice.typed())
            later = newer(tmp_path / "server", *database)
            try:
                bob.http.base_url = later.address
                assert bob.open().status_code == 201
                assert older.stop() == 0
                alice.http.base_url = later.address
                finished(alice, bob)
            finally:
                assert later.stop() == 0
    finally:
        if older.process.poll() is None:
            assert older.stop() == 0
