"""A host says who sits at its table: seats by address, who is taken out, new links (specs/network.md, "The table")."""

from collections.abc import Iterator
from contextlib import contextmanager
from os import urandom
from pathlib import Path

import httpx
import pytest

from ledger import lobby
from ledger.lobby import Link
from tests.server.served import Plain, Server, roomy, serving, with_limits


@contextmanager
def parties(root: Path, server: Server, *names: str) -> Iterator[list[Plain]]:
    """Parties, each with a home of its own."""
    found = [Plain(root / name, name, server.address) for name in names]
    try:
        yield found
    finally:
        for party in found:
            party.close()


def unseat(host: Plain, link: Link, whom: Plain, by: Plain | None = None) -> httpx.Response:
    body = lobby.new_unseat((by or host).identity, link.table, whom.identity.key)
    return host.post(f"/v1/tables/{link.table.hex()}/unseat", bytes(body))


def new_link(host: Plain, old: Link, count: int = 1, by: Plain | None = None) -> tuple[Link, httpx.Response]:
    made = Link(old.address, old.table, old.role, urandom(32))
    body = lobby.new_invite((by or host).identity, made, count)
    return made, host.post(f"/v1/tables/{old.table.hex()}/invites", bytes(body))


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def names(party: Plain) -> list[str]:
    return [seat.name for seat in party.table().seats]


@pytest.mark.long
def test_one_address_takes_so_many_seats_and_the_limit_is_told(tmp_path: Path) -> None:
    limits = {"MAX_SEATS_ADDRESS": 3}
    with (
        serving(tmp_path / "server", *with_limits(tmp_path / "server", limits)) as server,
        parties(tmp_path, server, "alice", "m1", "m2", "m3") as [alice, *crowd],
    ):
        link = alice.open_table("dice-1")["player"]
        assert [party.sit(link).status_code for party in (alice, *crowd[:2])] == [201] * 3
        answer = crowd[2].sit(link)
        assert code(answer) == (429, "too-many")
        assert "one address takes at most 3 seats" in answer.json()["detail"]
        assert alice.sit(link).status_code == 200, "who sits there is answered as before"
        assert unseat(alice, link, crowd[0]).status_code == 200
        assert crowd[2].sit(link).status_code == 201, "a seat of this address is free again"
        assert server.address
        assert alice.http.get("/v1/server").json()["limits"]["MAX_SEATS_ADDRESS"] == 3


@pytest.mark.long
def test_a_host_takes_somebody_out_who_sits_there_no_more(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        parties(tmp_path, server, "alice", "bob", "mallory") as [alice, bob, eve],
    ):
        link = alice.open_table("dice-1")["player"]
        assert [party.sit(link).status_code for party in (alice, bob, eve)] == [201] * 3
        assert code(unseat(alice, link, eve, by=bob)) == (403, "table.host")
        assert [unseat(alice, link, eve).status_code for _ in range(2)] == [200, 200]
        assert names(alice) == ["alice", "bob"]
        assert code(eve.sit(link)) == (403, "table.seat")
        assert "taken mallory out" in eve.sit(link).json()["detail"]
        renamed = Plain(tmp_path / "again", "mallory", server.address)
        assert renamed.sit(link).status_code == 201, "the name is free, for another key"
        renamed.close()
        assert alice.start().status_code == 201
        assert code(unseat(alice, link, bob)) == (409, "table.started")


@pytest.mark.long
def test_a_new_link_ends_the_old_one_and_who_sits_there_goes_on(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        parties(tmp_path, server, "alice", "bob", "carol") as [alice, bob, carol],
    ):
        old = alice.open_table("dice-1")["player"]
        assert [party.sit(old).status_code for party in (alice, bob)] == [201, 201]
        new, answer = new_link(alice, old)
        assert answer.status_code == 201
        assert code(carol.post_seat(old)) == (403, "table.seat")
        assert "ask for the new one" in carol.post_seat(old).json()["detail"]
        assert carol.sit(new).status_code == 201
        assert names(bob) == ["alice", "bob", "carol"], "who sits by the old link reads on"
        assert code(new_link(alice, old)[1]) == (409, "table.invite"), "one with this count is there"
        assert code(new_link(alice, old, 2, by=bob)[1]) == (403, "table.host")
        state = carol.table()
        terms = lobby.parse_terms(state.terms.encode())
        assert lobby.is_ended(terms, state.invites, old.invitation)
        assert not lobby.is_ended(terms, state.invites, new.invitation)
        assert alice.start().status_code == 201
        for party in (alice, bob, carol):
            party.enter(16)
        assert not carol.view.replay.session.parties.not_agreed()


@pytest.mark.long
def test_a_link_that_was_ended_and_by_which_nobody_sits_opens_nothing(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, parties(tmp_path, server, "alice", "mallory") as [alice, eve]:
        links = alice.open_table("dice-1")
        assert eve.sit(links["player"]).status_code == 201
        alice.link, alice.token = links["spectator"], links["spectator"].token
        new, answer = new_link(alice, links["player"])
        assert answer.status_code == 201
        assert names(eve) == ["mallory"]
        assert unseat(alice, links["player"], eve).status_code == 200
        assert eve.get(f"/v1/tables/{new.table.hex()}").status_code == 404
        watched, answer = new_link(alice, links["spectator"])
        assert answer.status_code == 201
        assert alice.get(f"/v1/tables/{new.table.hex()}").status_code == 404
        alice.link, alice.token = watched, watched.token
        assert names(alice) == []
