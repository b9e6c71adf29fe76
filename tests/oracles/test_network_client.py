"""The pages suffice: a client written from them alone plays a whole game at a real server."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.oracles.network_client import (
    Client,
    Link,
    Refused,
    Roll,
    Wrong,
    admits_hold,
    ask_flaw,
    canonical,
    check_opened,
    check_terms,
    leaf_hash,
    public_of,
    total_of,
    word_flaw,
)
from tests.server.served import serving

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "specs/vectors/network.json").read_bytes())


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server.address


@contextmanager
def clients(address: str, *names: str) -> Iterator[list[Client]]:
    made = [Client(name, address) for name in names]
    try:
        yield made
    finally:
        for client in made:
            client.close()


def begin(alice: Client, bob: Client, admits: Sequence[str] = (), recovery: str | None = None) -> dict[str, str]:
    """A table that alice opens, where both sit, and whose game has begun; the links. `recovery`: bob's key."""
    links = alice.open_table(["player", "spectator"], title="Pages", admits=admits)
    for player in (alice, bob):
        state = player.visit(links["player"])
        assert state["game"] is None
        assert state["start"] is None
        assert player.sit().status_code == 201
        assert player.sit().status_code == 200
    game = alice.start()
    assert alice.start() == game
    for player in (alice, bob):
        player.enter()
        assert player.game.game.hex() == game
        if player is bob and recovery is not None:
            player.write("join", {"recovery": recovery})
        else:
            player.join()
        player.commit(16)
    return links


def roll(author: Client, other: Client, watcher: Client, body: dict[str, Any]) -> Roll:
    """A request by one, opened by both in their order, and its dice as all three have worked them out."""
    seq = author.write("roll", body)
    assert not author.may_open()  # as the closer it waits for the other
    other.follow(other.may_open)
    assert other.open().status_code == 201
    assert other.open().status_code == 200
    author.follow(author.may_open)
    author.open()
    for each in (author, other, watcher):
        each.follow_to(seq + 2)
        assert each.openings.keys() == {author.name, other.name}
        receipts = {(receipt["receiver"], receipt["author"]) for receipt in each.received}
        keeper = each.game.keeper
        assert receipts >= {(keeper, author.name), (keeper, other.name), (author.name, other.name)}
    assert author.game.rolls[-1] == other.game.rolls[-1] == watcher.game.rolls[-1]
    assert author.game.rolls[-1].status == "revealed"
    return author.game.rolls[-1]


def refused(status: int, code: str, error: pytest.ExceptionInfo[Refused]) -> dict[str, Any]:
    assert (error.value.status, error.value.code) == (status, code)
    return error.value.problem


@pytest.mark.long
def test_a_whole_game(address: str, tmp_path: Path) -> None:
    with clients(address, "alice", "bob", "watcher") as (alice, bob, watcher):
        links = begin(alice, bob)
        watcher.visit(links["spectator"])
        watcher.enter()
        watcher.join_stream()

        first = roll(alice, bob, watcher, {"dice": "4d6kh3", "source": "Strength"})
        total = total_of("4d6kh3", first.naturals)
        with pytest.raises(Refused) as error:
            alice.write("resolve", {"roll": first.seq, "totals": [total + 1]})
        assert refused(422, "rules.violation", error)["clause"] == "D7"
        alice.write("resolve", {"roll": first.seq, "totals": [total]})

        second = roll(bob, alice, watcher, {"dice": "d20+5", "least": 15})
        assert 6 <= total_of("d20+5", second.naturals) <= 25

        # Both write upon the same line: the second is told where the log ends, and signs anew.
        alice.fetch()
        late = bob.line("declare", {"what": "deck", "deck": "bobs", "items": [{"item": "ace"}]})
        line = alice.line("declare", {"what": "deck", "deck": "alices", "items": [{"item": "king"}]})
        assert alice.offer(line).status_code == 201
        assert alice.offer(line).status_code == 200
        with pytest.raises(Refused) as error:
            bob.offer(late)
        assert error.value.code.startswith("chain.")
        assert error.value.problem["size"] == len(alice.game.lines)
        assert error.value.problem["head"] == leaf_hash(line).hex()
        bob.write("declare", {"what": "deck", "deck": "bobs", "items": [{"item": "ace"}]})

        # A roll that is called off: the keeper discloses, and the same request is owed.
        seq = bob.write("roll", {"dice": "2d6"})
        bob.void(["alice"])
        bob.follow(lambda: bob.game.phase == "idle")
        assert bob.game.events[-1]["type"] == "disclose"
        with pytest.raises(Refused) as error:
            bob.write("roll", {"dice": "d8"})
        refused(422, "state.owed", error)
        alice.follow_to(seq + 3)
        roll(bob, alice, watcher, {"dice": "2d6"})

        assert alice.catch_up().json() is None  # nothing was lacking

        # A token of one's own reads as a link's does.
        token, bob.token = bob.token, bob.access()
        assert bob.token != token
        bob.fetch()
        with pytest.raises(Refused) as error:
            bob.access("2020-01-01T00:00:00.000Z")
        refused(403, "access.time", error)

        # The end.
        with pytest.raises(Refused) as error:
            alice.anchor()
        refused(404, "not-found", error)
        assert alice.end().status_code == 201
        assert alice.end().status_code == 200
        size = len(bob.game.lines) + 1  # the close, behind what bob has just fetched
        for each in (alice, bob, watcher):
            each.follow_to(size)
            assert each.game.phase == "closed"
        anchor = watcher.anchor()
        watcher.token, token = None, watcher.token
        _, entries = watcher.tiles("/v1/anchors", watcher.anchor_origin())
        assert entries[anchor["index"]] == anchor["entry"]
        watcher.token = token
        base = f"/v1/games/{watcher.game.game.hex()}"
        checkpoint, lines = watcher.tiles(base, f"rollproof/v1/{watcher.game.game.hex()}")
        assert lines == watcher.game.lines == alice.game.lines == bob.game.lines
        assert checkpoint.size == len(lines)
        verified(tmp_path / "game.jsonl", lines)

        # Who has no token sees what is not there; what the host had deleted says so to those who had a link.
        watcher.token = None
        with pytest.raises(Refused) as error:
            watcher.get(f"{base}/log?from=0")
        nothing = refused(404, "not-found", error)
        with pytest.raises(Refused) as error:
            watcher.get(f"/v1/games/{'0' * 64}/log?from=0")
        assert refused(404, "not-found", error) == nothing
        assert alice.delete().status_code == 200
        for path in (f"{base}/log?from=0", f"/v1/tables/{alice.table}"):
            with pytest.raises(Refused) as error:
                alice.get(path)
            refused(410, "deleted", error)
        _, after = watcher.tiles("/v1/anchors", watcher.anchor_origin())
        assert after[: len(entries)] == entries


@pytest.mark.long
def test_a_late_friend(address: str, tmp_path: Path) -> None:
    with clients(address, "alice", "bob", "zoe", "b0b") as (alice, bob, zoe, mallory):
        links = begin(alice, bob, admits=["player"])
        for late in (zoe, mallory):
            late.visit(links["player"])
            late.enter()  # who asks reads as a spectator does
        with pytest.raises(Refused) as error:
            mallory.sit()
        refused(409, "table.name", error)
        for each in (alice, bob):
            each.fetch()
        with pytest.raises(Refused) as error:
            alice.admit(zoe.vkey, "player")
        refused(403, "table.seat", error)
        assert zoe.sit().status_code == 201
        assert zoe.sit().status_code == 200
        with pytest.raises(Refused) as error:
            bob.admit(zoe.vkey, "player")
        refused(403, "table.host", error)

        seq = alice.admit(zoe.vkey, "player")
        for each in (alice, bob, zoe):
            each.fetch()
            assert each.game.admitted == {seq: "zoe"}
            assert each.game.worded == {"zoe"}
            assert each.game.newcomers == {"zoe": set()}
        assert alice.admit(zoe.vkey, "player") == seq  # it stands
        zoe.join()
        alice.fetch()
        zoe.join_stream()
        roll(alice, bob, zoe, {"dice": "d6"})  # zoe has no chain yet, and is not waited for

        zoe.commit(16)
        for each in (alice, bob):
            each.fetch()
            each.consent("zoe")
        assert bob.game.newcomers == {}
        with pytest.raises(Refused) as error:
            alice.consent("zoe")
        assert error.value.status == 422

        # Now all three are asked, and the newcomer's opening counts like the others'.
        for each in (alice, bob, zoe):
            each.fetch()
        seq = zoe.write("roll", {"dice": "3d6"})
        for each in (alice, bob):
            each.follow(each.may_open)
            each.open()
        zoe.follow(zoe.may_open)
        zoe.open()
        for each in (alice, bob, zoe):
            each.follow_to(seq + 2)
            assert each.game.rolls[-1].contributors == [each.game.keeper, "alice", "bob", "zoe"]
            assert each.game.rolls[-1].status == "revealed"
        assert alice.end().status_code == 201
        zoe.fetch()
        verified(tmp_path / "game.jsonl", zoe.game.lines)


@pytest.mark.long
def test_a_lost_browser(address: str, tmp_path: Path) -> None:
    with clients(address, "alice", "bob", "bob", "bob") as (alice, bob, new, mallory):
        recovery = Ed25519PrivateKey.generate()
        links = begin(alice, bob)
        alice.fetch()
        assert bob.game.recovery == {"alice": None, "bob": None}
        for each in (new, mallory):
            each.visit(links["player"])
            each.enter()
        with pytest.raises(Refused) as error:
            mallory.sit(replaces=bob.vkey, succession=succession(bob, mallory, recovery))
        refused(403, "table.seat", error)  # bob's join names no recovery key
        for each in (new, mallory):
            assert each.sit(replaces=bob.vkey).status_code == 201
        with pytest.raises(Refused) as error:
            alice.replace(new.vkey)
        refused(422, "state.replace", error)  # bob is here
    with clients(address, "alice", "bob", "bob", "watcher") as (alice, bob, new, watcher):
        links = begin(alice, bob, recovery=public_of(recovery).hex())
        watcher.visit(links["spectator"])
        watcher.enter()
        watcher.join_stream()
        bob.write("away", {"party": "bob"})
        new.visit(links["player"])
        new.enter()
        assert new.sit(replaces=bob.vkey, succession=succession(bob, new, recovery)).status_code == 201
        with pytest.raises(Refused) as error:
            alice.replace(new.vkey)
        refused(403, "table.seat", error)
        seq = new.replace(new.vkey)
        assert new.replace(new.vkey) == seq
        new.fetch()
        new.join()
        new.write("back", {"party": "bob"})
        new.commit(16)
        for each in (alice, bob):
            each.fetch()
            assert each.game.keys["bob"] == new.vkey
        roll(new, alice, watcher, {"dice": "d6"})
        bob.fetch()
        with pytest.raises(Wrong, match="not in the game"):
            bob.write("roll", {"dice": "d6"})
        assert alice.end().status_code == 201
        new.fetch()
        verified(tmp_path / "game.jsonl", new.game.lines)


def succession(old: Client, new: Client, recovery: Ed25519PrivateKey) -> dict[str, Any]:
    """From one client's key to another's, by a recovery key."""
    public, time = public_of(recovery).hex(), "2026-11-20T19:00:00.000Z"
    naming = {"format": "rollproof/recovery/v1", "key": old.vkey, "recovery": public}
    told = {
        "format": "rollproof/succession/v1",
        "key": old.vkey,
        "new": new.vkey,
        "recovery": public,
        "time": time,
    }
    message = b"rollproof/v1/succession\n" + canonical(told)
    return told | {
        "named": old.key.sign(b"rollproof/v1/recovery\n" + canonical(naming)).hex(),
        "new_sig": new.key.sign(message).hex(),
        "sig": recovery.sign(message).hex(),
    }


def verified(path: Path, lines: list[bytes]) -> None:
    """The command line, which shares nothing with this client, takes the log."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    command = [sys.executable, "-c", "from ledger.cli import main; main()", "verify", str(path)]
    environment = {**os.environ, "ROLLPROOF_STATE": str(path.parent / "state")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("case", VECTORS["links"], ids=lambda case: case["about"])
def test_links(case: dict[str, Any]) -> None:
    if case["flaw"] is not None:
        with pytest.raises(Wrong):
            Link.parse(case["link"])
        return
    link = Link.parse(case["link"])
    assert str(link) == case["link"]
    assert (link.address, link.table, link.role) == (case["address"], case["table"], case["role"])
    assert (link.secret.hex(), link.token.hex()) == (case["secret"], case["token"])
    assert link.invitation()["token"] == case["token_hash"]
    if case["role"] != "spectator":
        assert public_of(link.invitation_key).hex() == case["invitation_key"]


@pytest.mark.parametrize("case", VECTORS["tables"], ids=lambda case: case["about"])
def test_terms(case: dict[str, Any]) -> None:
    link = Link.parse(case["link"])
    if case["flaw"] is None:
        assert canonical(check_terms(case["terms"].encode(), link)).decode() == case["terms"]
        return
    with pytest.raises(Wrong):
        check_terms(case["terms"].encode(), link)


@pytest.mark.parametrize(
    "case", [case for case in VECTORS["taken_tables"] if "come" in case["about"]], ids=lambda case: case["about"]
)
def test_terms_for_who_comes_later(case: dict[str, Any]) -> None:
    """What else the server looks at holds in these."""
    assert admits_hold(json.loads(case["terms"])) is (case["flaw"] is None)


@pytest.mark.parametrize("case", VECTORS["asked"], ids=lambda case: case["about"])
def test_asks(case: dict[str, Any]) -> None:
    """The game is one of those whom the vectors' start names."""
    table, terms = hashlib.sha256(case["terms"].encode()).hexdigest(), json.loads(case["terms"])
    parties = [terms["keeper"], *(party["key"] for party in json.loads(VECTORS["start"])["parties"])]
    assert ask_flaw(case["asks"].encode(), table, terms, parties) == case["flaw"]


@pytest.mark.parametrize("case", VECTORS["words"], ids=lambda case: case["about"])
def test_words(case: dict[str, Any]) -> None:
    assert word_flaw(case["word"].encode(), json.loads(case["terms"]), case["game"]) == case["flaw"]


def judged(case: dict[str, Any]) -> bool:
    """Whether this client can: it looks at the terms with the link, and knows dice-1 only."""
    return case["flaw"] != "table.terms" and '"system":"dice-1"' in case.get("terms", VECTORS["terms"])


@pytest.mark.parametrize("case", [case for case in VECTORS["opened"] if judged(case)], ids=lambda case: case["about"])
def test_event_zero(case: dict[str, Any]) -> None:
    seats = [json.loads(seat) for seat in case.get("seats", VECTORS["seats"])]
    start = json.loads(case.get("start", VECTORS["start"]))
    text = case.get("terms", VECTORS["terms"])
    table, terms = hashlib.sha256(text.encode()).hexdigest(), json.loads(text)
    if case["flaw"] is None:
        check_opened(table, terms, seats, start, case["line"].encode(), case["game"])
        return
    with pytest.raises(Wrong):
        check_opened(table, terms, seats, start, case["line"].encode(), case["game"])
