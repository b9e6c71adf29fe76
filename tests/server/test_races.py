"""Who comes second to a seat or a start is told what became of it (specs/network.md, "The table")."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from ledger import lobby
from ledger.game.times import utc_now
from ledger.home import Home
from ledger.lobby import Link
from ledger.seats.identity import Identity
from ledger.server.problems import Problem
from ledger.server.run import Settings, open_service
from ledger.server.service import Service
from ledger.server.tables import Tables
from rules import SYSTEMS
from tests.server.served import PASSPHRASE
from tests.support.cli import QUICK
from verifier import VerifierKey


class _NoLoop:
    """Nobody follows anything."""

    def call_soon_threadsafe(self, *_: object) -> None: ...


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    home = Home(tmp_path / "home", tmp_path / "state")
    home.new_identity("keeper", PASSPHRASE, QUICK)
    with open_service(home, "keeper", PASSPHRASE, Settings()) as service:
        monkeypatch.setattr(service.writer, "_loop", _NoLoop(), raising=False)
        yield service


class _Table:
    """A table in its lobby, without a network."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.host = Identity.generate("alice")
        secret = os.urandom(32)
        options = msgspec.convert({}, SYSTEMS["dice-1"].options)
        invitations = [Link("", bytes(32), "player", secret).invitation]
        terms = lobby.new_terms(
            *(self.host, service.keeper, "dice-1", options, invitations), nonce=os.urandom(32), time=utc_now()
        )
        self.link = Link("", terms.id, "player", secret)
        self.id = terms.id.hex()
        assert service.tables.add(self.id, bytes(terms).decode(), [])

    def seat(self, identity: Identity) -> bytes:
        return bytes(lobby.new_seat(identity, self.link))

    def sit(self, identity: Identity) -> bool:
        return asyncio.run(self.service.seating.sit(self.id, self.seat(identity), ("127.0.0.1", "")))

    def start(self, *names: str) -> bytes:
        seats = [seat for seat in self.service.states.of(self.id).seats if seat.name in names]
        return bytes(lobby.new_start(self.host, self.link.table, seats))


@pytest.mark.parametrize("rival", ["itself", "bob", "carol"])
def test_who_lost_a_race_for_a_seat_is_told_so(service: Service, monkeypatch: pytest.MonkeyPatch, rival: str) -> None:
    """Between the look and the seat another process seats somebody: the same key, its name, or somebody else."""
    table, bob = _Table(service), Identity.generate("bob")
    first = bob if rival == "itself" else Identity.generate(rival)
    sit = Tables.sit

    def late(
        tables: Tables, where: str, seat: str, key: VerifierKey, address: str, most: int, *, named: bool
    ) -> bool | None:
        monkeypatch.setattr(Tables, "sit", sit)
        assert sit(tables, where, table.seat(first).decode(), first.key, address, most, named=named)
        return sit(tables, where, seat, key, address, most, named=named)

    monkeypatch.setattr(Tables, "sit", late)
    if rival == "bob":
        with pytest.raises(Problem) as refused:
            table.sit(bob)
        assert (refused.value.status, refused.value.code) == (409, "table.name")
    else:
        assert table.sit(bob) is (rival == "carol")
    sitting = [seat.key for seat in service.states.of(table.id).seats]
    assert sitting == ([str(first.key), str(bob.key)] if rival == "carol" else [str(first.key)])


def test_a_second_start_is_answered_by_the_first(service: Service) -> None:
    """The same again by its game; another one by that the table has begun."""
    table = _Table(service)
    for identity in (table.host, Identity.generate("bob")):
        assert table.sit(identity)
    both, alone = table.start("alice", "bob"), table.start("alice")
    new, game = service.lifecycle._start(table.id, both)
    assert new
    assert service.lifecycle._start(table.id, both) == (False, game)
    with pytest.raises(Problem) as refused:
        service.lifecycle._start(table.id, alone)
    assert (refused.value.status, refused.value.code) == (409, "table.started")
    assert [each.hex() for each in service.host.ledger.catalog.games()] == [game]
    assert service.states.of(table.id).game == game


@pytest.mark.parametrize("same", [True, False])
def test_a_start_that_another_process_was_faster_with_leaves_no_game(
    service: Service, monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    table = _Table(service)
    for identity in (table.host, Identity.generate("bob")):
        assert table.sit(identity)
    mine = table.start("alice", "bob")
    theirs = mine if same else table.start("alice")
    start, begun = Tables.start, list[str]()

    def late(tables: Tables, where: str, body: str, game: str) -> bool:
        monkeypatch.setattr(Tables, "start", start)
        begun.append(service.lifecycle._start(where, theirs)[1])
        return start(tables, where, body, game)

    monkeypatch.setattr(Tables, "start", late)
    if same:
        assert service.lifecycle._start(table.id, mine) == (False, begun[0])
    else:
        with pytest.raises(Problem) as refused:
            service.lifecycle._start(table.id, mine)
        assert refused.value.code == "table.started"
    assert service.states.of(table.id).game == begun[0]
    assert [each.hex() for each in service.host.ledger.catalog.games()] == begun
