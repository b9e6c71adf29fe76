"""Who comes when the game has begun, at a served table (specs/network.md, "Who comes later")."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from ledger import lobby
from ledger.lobby import Link, LobbyError
from rules import Body
from rules.base import Ruling
from rules.protocol import Consent
from tests.server.served import Plain, Server, roomy, serving, with_limits
from verifier import verify

ADMITS: dict[str, Any] = {"roles": ("player", "judge", "spectator"), "admits": ("player", "judge")}
pytestmark = pytest.mark.long


@contextmanager
def begun(
    root: Path, server: Server, *late: str, start: bool = True, **agreed: Any
) -> Iterator[tuple[dict[str, Link], list[Plain]]]:
    """Alice, who is the host, and bob have begun; the `late` are at hand, each with a home of its own."""
    parties = [Plain(root / name, name, server.address) for name in ("alice", "bob", *late)]
    try:
        links = parties[0].open_table("dice-1", **{**ADMITS, **agreed})
        for party in parties[:2]:
            assert party.sit(links["player"]).status_code == 201
        if start:
            assert parties[0].start().status_code == 201
            for party in parties[:2]:
                party.enter(64)
        yield links, parties
    finally:
        for party in parties:
            party.close()


def word(host: Plain, guest: Plain, role: str = "player", head: bytes | None = None, by: Plain | None = None) -> bytes:
    """The host's word for a guest, upon the game as it stands."""
    host.fetch()
    game, head = host.game, host.view.replay.head if head is None else head
    return bytes(lobby.new_admit((by or host).identity, game, head, guest.identity.key, role))  # type: ignore[arg-type]


def let_in(host: Plain, body: bytes) -> httpx.Response:
    assert host.link is not None
    return host.post(f"/v1/tables/{host.link.table.hex()}/admit", body)


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def roll(who: Plain, *others: Plain) -> dict[str, Any]:
    """A roll for which all open; its reveal."""
    who.act("roll", who.typed())
    for party in (*others, who):
        assert party.open().status_code == 201
    who.fetch()
    reveal: dict[str, Any] = json.loads(list(who.view.lines(0))[-1])
    assert reveal["type"] == "reveal"
    return reveal


def authors(reveal: dict[str, Any]) -> list[str]:
    return [each["author"] for each in reveal["body"]["openings"]]


def report(party: Plain) -> Any:
    party.fetch()
    found, _ = verify(b"".join(line + b"\n" for line in party.view.lines(0)))
    assert found.verdict == "holds", found.findings
    return found


def test_a_late_player_asks_is_let_in_and_is_in_the_next_roll(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, begun(tmp_path, server, "carol") as (links, [alice, bob, carol]):
        assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"]
        assert [carol.sit(links["player"]).status_code for _ in range(2)] == [201, 200]
        asks = lobby.asking(alice.table().seats, alice.view.replay.terms)
        assert [(seat.name, seat.role) for seat in asks] == [("carol", "player")]
        assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"], "asking holds nobody up"
        given = word(alice, carol)
        answer = let_in(alice, given)
        assert answer.status_code == 201, answer.text
        alice.fetch()
        admit = json.loads(list(alice.view.lines(0))[answer.json()["seq"]])
        assert (admit["type"], admit["author"]) == ("admit", "keeper")
        assert admit["body"]["word"]["head"] == json.loads(given)["head"]
        assert let_in(alice, given).status_code == 200, "sent again it is answered by what became of it"
        assert let_in(alice, word(alice, carol)).json()["seq"] == admit["seq"]
        assert lobby.asking(alice.table().seats, alice.view.replay.terms) == []
        assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"], "nobody waits for who has no chain"
        carol.enter(64)
        assert lobby.check_newcomer(carol.view.replay, carol.identity.key, "player")
        assert authors(roll(bob, alice, carol)) == ["keeper", "alice", "bob", "carol"]
        assert authors(roll(carol, alice, bob)) == ["keeper", "alice", "bob", "carol"]
        told = report(carol)
        assert not any("alone" in each.message for each in told.findings if each.code == "party.admitted")


def test_a_judge_who_is_called_judges_when_all_have_consented(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, begun(tmp_path, server, "dana") as (links, [alice, bob, dana]):
        assert dana.sit(links["judge"]).status_code == 201
        assert let_in(alice, word(alice, dana, "judge")).status_code == 201
        dana.enter()
        roll(bob, alice)
        dana.fetch()
        number = dana.view.replay.session.parties.late["dana"].admit
        ruling = ruled(dana)
        with pytest.raises(Exception, match="judges nothing"):
            dana.act("ruling", ruling)
        alice.act("consent", Consent(number))
        bob.act("consent", Consent(number))
        dana.act("ruling", ruling)
        assert report(alice).verdict == "holds"


def ruled(judge: Plain) -> Body:
    latest = next(number for number, line in enumerate(judge.view.lines(0)) if json.loads(line)["type"] == "roll")
    return Ruling("uphold", latest, "it holds")


def test_nobody_comes_in_on_another_word_than_the_hosts(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        begun(tmp_path, server, "carol", "eve") as (links, [alice, bob, carol, eve]),
    ):
        assert code(let_in(alice, word(alice, carol))) == (403, "table.seat"), "carol does not ask"
        assert carol.sit(links["player"]).status_code == 201
        assert code(let_in(bob, word(alice, carol, by=bob))) == (403, "table.host")
        assert code(let_in(alice, word(alice, eve))) == (403, "table.seat")
        assert code(let_in(alice, word(alice, carol, "judge"))) == (403, "table.seat")
        assert code(let_in(alice, word(alice, carol, head=os.urandom(32)))) == (422, "admit.word")
        given = word(alice, carol)
        for _ in range(17):  # of four lines each
            roll(bob, alice)
            roll(alice, bob)
        assert code(let_in(alice, given)) == (422, "admit.word"), "a word lapses"
        assert "carol" not in report(alice).state.get("newcomers", [])
        bob.act("roll", bob.typed())
        assert code(let_in(alice, word(alice, carol))) == (422, "state.pending")
        assert [party.open().status_code for party in (alice, bob)] == [201, 201]
        assert let_in(alice, word(alice, carol)).status_code == 201


def test_who_may_ask_and_who_not(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, begun(tmp_path, server, "b0b") as (links, [alice, bob, posing]):
        assert code(posing.sit(links["player"])) == (409, "table.name")
        assert "looks like bob" in posing.sit(links["player"]).json()["detail"]
        same = Plain(tmp_path / "same", "bob", server.address)
        assert code(same.sit(links["player"])) == (409, "table.name")
        same.close()
        assert bob.sit(links["player"]).status_code == 200, "who plays is answered as before"
        alice.fetch()
        body = bytes(lobby.new_closing(alice.identity, links["player"].table, alice.game))
        assert alice.post(f"/v1/tables/{links['player'].table.hex()}/close", body).status_code == 201
        late = Plain(tmp_path / "late", "carol", server.address)
        assert code(late.sit(links["player"])) == (409, "table.started")
        assert "is over" in late.sit(links["player"]).json()["detail"]
        late.close()


def test_nobody_asks_at_a_table_where_nobody_comes_later(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        begun(tmp_path, server, "carol", "dana", admits=("player",)) as (links, [alice, _bob, carol, dana]),
    ):
        assert code(dana.sit(links["judge"])) == (409, "table.started")
        assert carol.sit(links["player"]).status_code == 201
        with pytest.raises(LobbyError, match="no judge comes later"):
            lobby.check_asks(
                lobby.parse_terms(alice.table().terms.encode()),
                lobby.new_seat(dana.identity, links["judge"]),
                alice.view.replay.terms.keys,
            )


def test_whoever_asks_too_much_is_bounded_and_a_host_turns_away(tmp_path: Path) -> None:
    limits = with_limits(tmp_path / "server", {"MAX_SEATS_ADDRESS": 4, "MAX_SEATS": 3})
    names = ("m1", "m2", "m3")
    with (
        serving(tmp_path / "server", *limits) as server,
        begun(tmp_path, server, *names) as (links, [alice, bob, *crowd]),
    ):
        assert [party.sit(links["player"]).status_code for party in crowd[:2]] == [201, 201]
        assert code(crowd[2].sit(links["player"])) == (429, "too-many"), "four of one address"
        body = bytes(lobby.new_unseat(alice.identity, links["player"].table, crowd[0].identity.key))
        table = f"/v1/tables/{links['player'].table.hex()}"
        assert alice.post(f"{table}/unseat", body).status_code == 200
        assert code(crowd[0].sit(links["player"])) == (403, "table.seat"), "that key asks no more"
        assert crowd[2].sit(links["player"]).status_code == 201
        plays = bytes(lobby.new_unseat(alice.identity, links["player"].table, bob.identity.key))
        assert code(alice.post(f"{table}/unseat", plays)) == (409, "table.started"), "who plays is taken out by none"
        made = Link(server.address, links["player"].table, "player", os.urandom(32))
        answer = alice.post(f"{table}/invites", bytes(lobby.new_invite(alice.identity, made, 1)))
        assert answer.status_code == 201
        again = Plain(tmp_path / "again", "m4", server.address)
        assert code(again.post_seat(links["player"])) == (403, "table.seat")
        again.close()
        assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"], "who sits by the old link plays on"


def test_what_was_asked_and_given_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, begun(tmp_path, server, "carol") as (links, [alice, bob, carol]):
        assert carol.sit(links["player"]).status_code == 201
        given = word(alice, carol)
        server.process.kill()
        server.wait()
        again = server.again()
        try:
            assert let_in(alice, given).status_code == 201
            carol.enter(64)
            assert authors(roll(carol, alice, bob)) == ["keeper", "alice", "bob", "carol"]
            report(bob)
        finally:
            again.process.kill()
            again.wait()
