"""A lost browser or home at a served table (specs/network.md, "A lost browser"): what a server takes and writes."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from ledger import lobby
from ledger.lobby import Link
from rules.protocol import Back, Consent
from tests.server.served import PASSPHRASE, Plain, Server, roomy, serving, with_limits
from tests.server.test_late import authors, code, report, roll
from verifier.log.bodies import AwayBody, Succession
from verifier.log.succession import parse_successions

pytestmark = pytest.mark.long


@contextmanager
def playing(
    root: Path, server: Server, *names: str, kept: bool = True, **agreed: Any
) -> Iterator[tuple[dict[str, Link], list[Plain]]]:
    """These play, alice as host; bob has kept a file of his profile, where `kept`."""
    parties = [Plain(root / name, name, server.address) for name in names]
    try:
        links = parties[0].open_table("dice-1", **{"away": "others", **agreed})
        for party in parties:
            if party.name == "bob" and kept:
                (root / "bob.profile").write_bytes(party.home.back_up("bob", PASSPHRASE))
                party.seat.close()
                party.seat = party.home.seat("bob", PASSPHRASE)
            assert party.sit(links["player"]).status_code == 201
        assert parties[0].start().status_code == 201
        for party in parties:
            party.enter(64)
        yield links, parties
    finally:
        for party in parties:
            party.close()


@contextmanager
def new_home(root: Path, server: Server, lost: Plain, folder: str = "new", *, restore: bool = False) -> Iterator[Plain]:
    """A home of somebody who has a key of the name of who is lost, by its profile's file if `restore`, and the link."""
    if restore:
        from ledger.home import Home

        home = Home(root / folder / "home", root / folder / "state")
        home.restore((root / "bob.profile").read_bytes(), lambda _name: PASSPHRASE, "2026-11-20T19:00:00.000Z")
    found = Plain(root / folder, lost.name, server.address)
    found.link, found.game, found.token = lost.link, lost.game, lost.link.token if lost.link else b""
    try:
        found.fetch()
        yield found
    finally:
        found.close()


def successions(party: Plain) -> tuple[Succession, ...]:
    return tuple(parse_successions(party.home.successions(party.name)))


def ask(new: Plain, lost: Plain, succession: Succession | None = None, link: Link | None = None) -> httpx.Response:
    """Ask to go on in the place of who is lost."""
    assert new.link is not None
    seat = lobby.new_seat(new.identity, link or new.link, replaces=lost.identity.key, succession=succession)
    return new.post(f"/v1/tables/{new.link.table.hex()}/seats", bytes(seat))


def wish(by: Plain, new: Plain, **changed: bytes) -> httpx.Response:
    """Wish that a key which asks go on."""
    assert new.link is not None
    body = lobby.new_replace(by.identity, changed.get("game", new.game), new.identity.key)
    return by.post(f"/v1/tables/{new.link.table.hex()}/replace", bytes(body))


def asks(party: Plain) -> list[str]:
    party.fetch()
    return [seat.key for seat in lobby.goes_on(party.table().seats, party.view.replay.terms)]


def return_as_new(new: Plain) -> None:
    """What the program of a new key does when it may join."""
    new.fetch()
    new.offered(new.seat.join(new.view))
    new.act("back", Back(new.name))
    new.offered(new.seat.commit(new.view, 64))


def sign_away(name: str, *parties: Plain) -> None:
    for party in parties:
        party.act("away", AwayBody(name))


def test_a_recovery_key_brings_a_new_one_to_a_table_of_two(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server, playing(tmp_path, server, "alice", "bob") as (_, [alice, bob]):
        roll(bob, alice)
        with new_home(tmp_path, server, bob, restore=True) as new:
            (succession,) = successions(new)
            assert code(wish(new, new)) == (403, "table.seat"), "nobody asks yet"
            assert [ask(new, bob, succession).status_code for _ in range(2)] == [201, 200]
            assert asks(alice) == [str(new.identity.key)]
            assert code(wish(new, new)) == (422, "state.replace"), "who is here is not replaced"
            assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"], "asking holds nobody up"
            bob.act("away", AwayBody("bob"))
            assert code(wish(alice, new)) == (403, "table.seat"), "the recovery key says so, and nobody else"
            answer = wish(new, new)
            assert answer.status_code == 201, answer.text
            assert wish(new, new).json()["seq"] == answer.json()["seq"], "sent again it stands"
            alice.fetch()
            written = json.loads(list(alice.view.lines(0))[answer.json()["seq"]])
            assert (written["type"], written["author"]) == ("replace", "keeper")
            assert asks(alice) == [str(new.identity.key)], "it has not joined"
            return_as_new(new)
            assert asks(alice) == []
            assert wish(new, new).status_code == 200
            assert lobby.asking(alice.table().seats, alice.view.replay.terms) == [], (
                "the lost key does not ask to come in"
            )
            assert authors(roll(new, alice)) == ["keeper", "alice", "bob"]
            assert code(bob.offer(bob.seat.sign(bob.view, "back", Back("bob")))) == (409, "chain.seq")
            told = report(alice)
            assert any(each.code == "party.replaced" for each in told.findings)


def test_a_stranger_with_the_link_writes_nothing_and_takes_no_name(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob", "carol", roles=("player", "judge", "witness", "spectator")) as (
            links,
            [alice, bob, carol],
        ),
        new_home(tmp_path, server, bob) as thief,
        new_home(tmp_path, server, bob, "another") as another,
        new_home(tmp_path, server, alice, "third") as third,
    ):
        alice.fetch()
        size = alice.view.replay.size
        assert code(ask(thief, alice)) == (400, "malformed"), "another's name"
        assert code(ask(thief, thief)) == (403, "table.seat"), "a key that bob does not have"
        for role in ("judge", "witness"):
            assert code(ask(thief, bob, link=links[role])) == (403, "table.seat"), "another role"
        assert ask(thief, bob).status_code == 201
        assert ask(another, bob).status_code == 201, "two ask for one place"
        assert ask(third, alice).status_code == 201
        assert asks(carol) == [str(each.identity.key) for each in (thief, another, third)]
        assert code(wish(thief, thief)) == (403, "table.seat")
        assert code(wish(alice, thief)) == (422, "state.replace"), "bob is here"
        bob.act("away", AwayBody("bob"))
        assert code(wish(alice, thief)) == (422, "state.replace"), "nobody else has signed bob away"
        assert code(wish(bob, thief)) == (403, "table.seat"), "the lost key has no say"
        assert code(wish(alice, thief, game=os.urandom(32))) == (403, "table.seat")
        table = f"/v1/tables/{links['player'].table.hex()}"
        unseat = bytes(lobby.new_unseat(alice.identity, links["player"].table, thief.identity.key))
        assert alice.post(f"{table}/unseat", unseat).status_code == 200
        assert code(ask(thief, bob)) == (403, "table.seat"), "that key asks no more"
        made = Link(server.address, links["player"].table, "player", os.urandom(32))
        assert alice.post(f"{table}/invites", bytes(lobby.new_invite(alice.identity, made, 1))).status_code == 201
        with new_home(tmp_path, server, bob, "fourth") as fourth:
            assert code(ask(fourth, bob)) == (403, "table.seat"), "the host has made a new link"
            assert ask(fourth, bob, link=made).status_code == 201
        alice.fetch()
        assert alice.view.replay.size == size + 1, "bob's `away` alone"
        assert alice.view.replay.session.parties.asked == {}
        report(carol)


@pytest.mark.slow
def test_all_others_consent_to_who_asks_and_the_keeper_calls_away_who_is_not_heard(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob", "carol", kept=False) as (_, [alice, bob, carol]),
        new_home(tmp_path, server, bob) as new,
    ):
        roll(bob, alice, carol)
        assert ask(new, bob).status_code == 201
        sign_away("bob", alice, carol)
        assert "bob" not in carol.view.replay.session.parties.away, "bob may just have been heard"
        until_away(alice, "bob")
        assert code(wish(new, new)) == (403, "table.seat"), "it has no word of its own"
        answer = wish(carol, new)
        assert answer.status_code == 201, answer.text
        number = answer.json()["seq"]
        assert wish(alice, new).json()["seq"] == number, "it stands"
        carol.act("consent", Consent(number))
        assert wish(alice, new).json()["seq"] == number, "and keeps the consents that it has"
        new.fetch()
        with pytest.raises(Exception, match="consented"):
            new.seat.join(new.view)
        alice.act("consent", Consent(number))
        return_as_new(new)
        assert authors(roll(new, alice, carol)) == ["keeper", "alice", "bob", "carol"]
        report(alice)


def until_away(party: Plain, name: str) -> None:
    import time

    for _ in range(400):
        party.fetch()
        if name in party.view.replay.session.parties.away:
            return
        time.sleep(0.1)
    raise AssertionError(f"{name} was not signed away")


@pytest.mark.slow
def test_the_old_key_comes_back_while_it_waits_and_that_ends_it(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob") as (_, [alice, bob]),
        new_home(tmp_path, server, bob, restore=True) as new,
    ):
        (succession,) = successions(new)
        bob.act("away", AwayBody("bob"))
        assert ask(new, bob, succession).status_code == 201
        assert wish(new, new).status_code == 201
        bob.act("back", Back("bob"))
        new.fetch()
        with pytest.raises(Exception, match=r"has another key|is no party|not a party|goes on|is not"):
            new.seat.join(new.view)
        assert code(wish(new, new)) == (422, "state.replace")
        assert authors(roll(bob, alice)) == ["keeper", "alice", "bob"]
        report(alice)


@pytest.mark.slow
def test_nobody_displaces_a_recovery_key_by_a_wish(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob", "carol") as (_, [alice, bob, carol]),
        new_home(tmp_path, server, bob, restore=True) as new,
        new_home(tmp_path, server, bob, "thief") as thief,
    ):
        (succession,) = successions(new)
        assert code(ask(thief, bob, succession)) == (403, "table.seat"), "a succession to another key"
        assert ask(thief, bob).status_code == 201
        assert ask(new, bob, succession).status_code == 201
        sign_away("bob", alice, carol)
        until_away(alice, "bob")
        assert wish(alice, thief).status_code == 201, "the others' word, so far"
        assert wish(new, new).status_code == 201, "the recovery key goes before it"
        assert code(wish(alice, thief)) == (403, "table.seat")
        return_as_new(new)
        assert code(wish(carol, thief)) == (422, "state.replace")
        report(carol)


def test_who_asks_is_bounded_by_address_and_in_all(tmp_path: Path) -> None:
    limits = with_limits(tmp_path / "server", {"MAX_SEATS_ADDRESS": 6, "MAX_SEATS": 2})
    with (
        serving(tmp_path / "server", *limits) as server,
        playing(tmp_path, server, "alice", "bob") as (links, [alice, bob]),
        new_home(tmp_path, server, bob, "m1") as one,
        new_home(tmp_path, server, bob, "m2") as two,
        new_home(tmp_path, server, bob, "m3") as three,
    ):
        assert [ask(each, bob).status_code for each in (one, two, three)] == [201, 201, 429]
        unseat = bytes(lobby.new_unseat(alice.identity, links["player"].table, one.identity.key))
        assert alice.post(f"/v1/tables/{links['player'].table.hex()}/unseat", unseat).status_code == 200
        assert ask(three, bob).status_code == 201


def test_what_was_asked_outlives_a_server_that_is_killed_and_a_closed_game_takes_nobody(tmp_path: Path) -> None:
    with (
        roomy(tmp_path / "server") as server,
        playing(tmp_path, server, "alice", "bob") as (links, [alice, bob]),
        new_home(tmp_path, server, bob, restore=True) as new,
    ):
        (succession,) = successions(new)
        bob.act("away", AwayBody("bob"))
        assert ask(new, bob, succession).status_code == 201
        server.process.kill()
        server.wait()
        again = server.again()
        try:
            assert asks(alice) == [str(new.identity.key)]
            assert wish(new, new).status_code == 201
            return_as_new(new)
            closing = bytes(lobby.new_closing(alice.identity, links["player"].table, alice.game))
            assert alice.post(f"/v1/tables/{links['player'].table.hex()}/close", closing).status_code == 201
            with new_home(tmp_path, again, new, "later") as later:
                assert code(ask(later, new)) == (409, "table.started")
            report(alice)
        finally:
            again.process.kill()
            again.wait()


def test_nobody_goes_on_before_the_game_has_begun(tmp_path: Path) -> None:
    with roomy(tmp_path / "server") as server:
        alice, new = (Plain(tmp_path / folder, "alice", server.address) for folder in ("alice", "new"))
        links = alice.open_table("dice-1")
        assert alice.sit(links["player"]).status_code == 201
        new.link, new.token, new.game = links["player"], links["player"].token, bytes(32)
        assert code(ask(new, alice)) == (409, "table.started")
        assert code(wish(alice, new)) == (409, "table.started")
        alice.close()
        new.close()
