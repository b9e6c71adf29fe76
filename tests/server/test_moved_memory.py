"""A keeper's memory is moved from a file into a service and back, with games that go on (specs/seats.md)."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ledger.cli import run
from tests.server.machines import until
from tests.server.served import PASSPHRASE, Plain, Server, with_limits
from tests.server.test_two_machines import asks, log_of, opens, rolls_of
from tests.support.postgres import Cluster, cluster


@pytest.fixture(scope="module")
def clusters() -> Iterator[tuple[Cluster, Cluster]]:
    """For games, and for what the keeper remembers."""
    with cluster() as games, cluster() as memory:
        if games is None or memory is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield games, memory


@pytest.mark.slow
def test_a_keeper_moves_into_a_service_and_back(
    tmp_path: Path,
    clusters: tuple[Cluster, Cluster],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each time it signs no more where it was, and goes on where it came to, in the games that have begun."""
    games, service = clusters
    database, memory = games.make("moved"), service.make("memory")
    options = ["--database", database, *with_limits(tmp_path)]
    monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE.decode())

    def moved(here: str, there: str, *, at: str | None = None, to: str | None = None) -> None:
        for words, root, address in (
            (["move", "keeper", "--out", str(tmp_path / f"{there}.moved")], here, at),
            (["take", str(tmp_path / f"{there}.moved")], there, to),
        ):
            monkeypatch.setenv("ROLLPROOF_STATE", str(tmp_path / root / "state"))
            if address is None:
                monkeypatch.delenv("ROLLPROOF_MEMORY", raising=False)
            else:
                monkeypatch.setenv("ROLLPROOF_MEMORY", address)
            code = run(["identity", *words, "--home", str(tmp_path / root / "home")])
            assert code == 0, capsys.readouterr().err
        monkeypatch.delenv("ROLLPROOF_MEMORY", raising=False)

    def stays_away(where: str, *more: str) -> None:
        monkeypatch.setenv("ROLLPROOF_STATE", str(tmp_path / where / "state"))
        assert run(["serve", "--port", "0", "--home", str(tmp_path / where / "home"), *options, *more]) != 0
        assert "moved to another machine" in capsys.readouterr().err

    def plays(server: Server, rolls: int) -> None:
        for party in (alice, bob):
            party.http.base_url = server.address
        asks(alice)
        opens(bob)
        opens(alice)
        until(lambda: rolls_of(log_of(bob)) == rolls)

    with ExitStack() as stack:
        server = Server(tmp_path / "file", *options)
        alice, bob = (Plain(tmp_path / name, name, server.address) for name in ("alice", "bob"))
        stack.callback(alice.close)
        stack.callback(bob.close)
        link = alice.open_table("dice-1")["player"]
        for party in (alice, bob):
            assert party.sit(link).status_code == 201
        assert alice.start().status_code == 201
        for party in (alice, bob):
            party.enter()
        plays(server, 1)
        assert server.stop() == 0
        moved("file", "service", to=memory)
        server = Server(tmp_path / "service", *options, "--memory", memory)
        plays(server, 2)
        assert server.stop() == 0
        stays_away("file")
        moved("service", "back", at=memory)
        server = Server(tmp_path / "back", *options)
        plays(server, 3)
        assert server.stop() == 0
        stays_away("service", "--memory", memory)
