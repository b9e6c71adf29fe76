"""What a server advises a client that has no rules (specs/network.md, "Advice")."""

import asyncio
import json
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import httpx
import msgspec
import pytest

from ledger.analysis.advice import _within_bounds
from ledger.client.connection import Connection
from ledger.errors import UsageError
from ledger.forms.reading import AskedAction
from ledger.network.wire import ReadRequest
from ledger.server.admission import Quiet
from ledger.server.advice import Advice
from ledger.server.advice import read as read_request
from ledger.server.limits import Gate, Limits
from ledger.server.problems import Problem
from ledger.store.ledger import Ledger
from rules import Session
from rules.records import RollRecord
from tests.server.served import ROOMY, Plain, Server, serving, with_limits
from tests.server.test_reading import DICE, JAPANESE, ROLES, made_options, view_of

CALLER = ("203.0.113.7", "")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    root = tmp_path_factory.mktemp("server")
    with serving(root, *with_limits(root, ROOMY | {"MAX_REFUSED": 3})) as server:
        yield server


@pytest.fixture(scope="module")
def parties(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Iterator[tuple[Plain, Plain]]:
    """Alice and Bob, and a roll of Alice's: 4d6kh3."""
    root = tmp_path_factory.mktemp("parties")
    alice, bob = (Plain(root / name, name, server.address) for name in ("alice", "bob"))
    links = alice.open_table("dice-1")
    for each in (alice, bob):
        assert each.sit(links["player"]).status_code == 201
    assert alice.start().status_code == 201
    for each in (alice, bob):
        each.enter()
    alice.fetch()
    alice.act("roll", alice.typed("4d6kh3 + 2 for Strength"))
    for each in (bob, alice):
        assert each.open().status_code == 201
    alice.fetch()
    yield alice, bob
    alice.close()
    bob.close()


def read(party: Plain, body: Any, language: str = "en") -> httpx.Response:
    headers = {**party.headers, "Accept-Language": language}
    return party.http.post(party.path("read"), json=body, headers=headers)


@pytest.mark.long
def test_the_state_has_the_rolls_as_the_rules_have_them(parties: tuple[Plain, Plain]) -> None:
    alice, _ = parties
    state = alice.get(alice.path("state")).json()
    assert set(state) == {"own", "phase", "rolls", "size", "tables", "waits"}
    assert (state["phase"], state["size"], state["waits"]) == ("idle", alice.view.replay.size, None)
    (roll,) = state["rolls"]
    naturals = alice.view.replay.session.view()["rolls"][0]["dice"]
    assert [die["naturals"] for die in roll["dice"]] == [die["naturals"] for die in naturals]
    assert [die["status"] for die in roll["dice"]].count("ignored") == 1
    assert [die["text"].startswith("~~") for die in roll["dice"]] == [d["status"] == "ignored" for d in roll["dice"]]
    kept = sum(die["result"] for die in roll["dice"] if die["status"] == "counted")
    assert roll["summary"] in roll["text"]
    assert str(kept + 2) in roll["text"]
    assert (roll["player"], roll["source"], roll["status"]) == ("alice", "Strength", "resolved")
    assert roll["notes"]
    view = alice.view.replay.session.view()
    assert roll["own"] == {name: value for name, value in view["rolls"][0].items() if name != "dice"}
    assert state["own"] == {"calls": [], "decks": {}}
    few = alice.get(alice.path("state?rolls=1")).json()
    assert few == state
    assert [alice.get(alice.path(f"state?rolls={n}")).status_code for n in (0, 201, "x")] == [400] * 3


@pytest.mark.long
def test_a_state_is_told_anew_when_the_game_went_on(parties: tuple[Plain, Plain]) -> None:
    alice, bob = parties
    before = bob.get(bob.path("state")).json()
    assert bob.get(bob.path("state")).json() == before
    bob.fetch()
    bob.act("declare", _deck(bob))
    after = bob.get(bob.path("state")).json()
    assert after["size"] == before["size"] + 1
    (table,) = [table for table in after["tables"] if table not in before["tables"]]
    assert set(table) == {"columns", "rows", "title"}
    assert all(len(row) == len(table["columns"]) for row in table["rows"])
    japanese = bob.http.get(bob.path("state"), headers={**bob.headers, "Accept-Language": "ja"}).json()
    assert japanese["tables"][-1]["title"] != after["tables"][-1]["title"]
    alice.fetch()


def _deck(party: Plain) -> Any:
    body = {"what": "deck", "deck": "bag", "items": [{"item": "red"}, {"item": "blue", "count": 2}]}
    return msgspec.convert(body, party.view.replay.session.system.bodies["declare"])


def test_what_a_party_can_do_says_how_it_is_typed(parties: tuple[Plain, Plain]) -> None:
    alice, _ = parties
    told = alice.get(alice.path("actions?party=alice")).json()
    assert told["size"] == alice.view.replay.size
    rolls = [action for action in told["actions"] if action["type"] == "roll" and "line" in action]
    assert rolls
    assert rolls[0]["line"]["example"]
    dice = next(field for field in rolls[0]["fields"] if field["name"] == "dice")
    assert dice["typed"] == {"example": dice["typed"]["example"], "lines": False}
    tables = [f for a in told["actions"] for f in a["fields"] if f["name"] in ("items", "table")]
    assert tables
    assert all(field["typed"]["lines"] for field in tables)
    assert all("typed" not in f for a in told["actions"] for f in a["fields"] if f["kind"] != "free")
    japanese = alice.http.get(
        alice.path("actions?party=alice"), headers={**alice.headers, "Accept-Language": "ja"}
    ).json()
    assert [action["body"] for action in japanese["actions"]] == [action["body"] for action in told["actions"]]
    assert japanese["actions"][0]["label"] != told["actions"][0]["label"]
    answer = read(alice, {"action": rolls[0], "line": "2d20kh1 for Stealth", "party": "alice"})
    assert answer.json()["body"] == {"dice": "2d20kh1", "source": "Stealth"}
    assert "Stealth" in answer.json()["words"]
    assert alice.get(alice.path("actions?party=judy")).status_code == 404
    assert alice.get(alice.path("actions")).status_code == 400
    assert alice.get(alice.path("actions?party=keeper")).json()["actions"] is not None


def test_what_is_read_is_not_written(parties: tuple[Plain, Plain]) -> None:
    alice, _ = parties
    size = alice.get(alice.path("state")).json()["size"]
    answer = read(alice, {"line": "d20", "type": "roll"})
    assert (answer.status_code, answer.json()["body"]) == (200, {"dice": "d20"})
    assert alice.get(alice.path("state")).json()["size"] == size


def test_what_cannot_be_read_is_told_in_the_reader_s_language_as_often_as_it_is_typed(
    parties: tuple[Plain, Plain],
) -> None:
    alice, _ = parties
    for _ in range(6):  # more than may be refused in a minute
        refused = read(alice, {"line": "4d", "type": "roll"})
        assert (refused.status_code, refused.json()["code"]) == (422, "notation")
    assert "4d6kh3" in refused.json()["detail"], "with what would be right"
    assert refused.json()["lines"] == []
    offered = read(alice, {"line": "d20+5 adv", "type": "roll"}).json()
    assert offered["lines"] == ["d20adv+5"]
    assert "d20adv+5" not in offered["detail"]
    assert read(alice, {"line": "4d", "type": "roll"}, "ja").json()["detail"] != refused.json()["detail"]
    assert read(alice, {"line": "d20", "type": "roll"}).status_code == 200


def test_why_the_dice_came_to_what_they_came_to(parties: tuple[Plain, Plain]) -> None:
    alice, _ = parties
    number = alice.get(alice.path("state")).json()["rolls"][0]["roll"]
    told = alice.get(alice.path(f"explain?roll={number}")).json()
    assert told["reasons"]
    assert all(set(reason) == {"clause", "text"} for reason in told["reasons"])
    assert alice.get(alice.path("explain?roll=0")).status_code == 404
    assert alice.get(alice.path("explain")).status_code == 400


@pytest.mark.parametrize("path", ["state", "actions?party=alice", "explain?roll=5"])
def test_without_a_token_there_is_nothing(parties: tuple[Plain, Plain], path: str) -> None:
    alice, _ = parties
    answer = alice.http.get(alice.path(path))
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"{}", b'{"line":"d20"}', b'{"type":"roll","line":"d20","typed":{}, "action":{"type":"roll"}}'],
)
def test_requests_that_are_none(body: bytes) -> None:
    session = Session.start(DICE, made_options(DICE), ROLES)
    with pytest.raises(Problem) as refused:
        read_request(view_of(session, 1), body, str)
    assert (refused.value.status, refused.value.code) == (400, "malformed")


@pytest.mark.long
def test_a_request_without_a_token_reads_nothing(parties: tuple[Plain, Plain]) -> None:
    alice, _ = parties
    answer = alice.http.post(alice.path("read"), json={"line": "d20", "type": "roll"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_a_program_asks_for_advice(parties: tuple[Plain, Plain]) -> None:
    alice, _ = parties

    async def ask() -> None:
        async with Connection(str(alice.http.base_url), alice.token, patience=5) as connection:
            state = await connection.state(alice.game, rolls=1)
            reasons = await connection.explain(alice.game, state.rolls[0].roll)
            actions = await connection.actions(alice.game, "alice")
            roll = next(action for action in actions.actions if action["type"] == "roll")
            asked = ReadRequest(action=msgspec.convert(roll, AskedAction), typed={"dice": "d20"}, party="alice")
            answer = await connection.read(alice.game, asked)
        assert (len(state.rolls), actions.size) == (1, state.size)
        assert reasons.reasons
        assert answer.body == {**roll["body"], "dice": "d20"}

    asyncio.run(ask())


class _Ledger:
    """One game, and how often it was looked at."""

    def __init__(self) -> None:
        self.now, self.looked, self.asked = 1, 0, threading.Event()
        self.session = Session.start(DICE, made_options(DICE), ROLES)
        self.asked.set()

    def size(self, game: bytes) -> int:
        return self.now if game == b"game" else 0

    def view(self, game: bytes) -> Any:
        if game != b"game":
            raise UsageError("there is none")
        self.asked.wait(10)
        self.looked += 1
        return view_of(self.session, self.now)


def test_what_many_ask_for_is_worked_out_once() -> None:
    ledger = _Ledger()
    advice = Advice(cast(Ledger, ledger), Gate(Limits()), Quiet())

    async def ask() -> None:
        first = await asyncio.gather(*(advice.state(CALLER, b"game", 50, "en", str) for _ in range(20)))
        assert (len(set(first)), ledger.looked) == (1, 1)
        await advice.state(CALLER, b"game", 50, "ja", JAPANESE)
        await advice.actions(CALLER, b"game", "alice", "en", str)
        assert ledger.looked == 3
        ledger.now = 2
        assert json.loads(await advice.state(CALLER, b"game", 50, "en", str))["size"] == 2
        assert ledger.looked == 4
        advice.forget(b"game")
        await advice.state(CALLER, b"game", 50, "en", str)
        assert ledger.looked == 5
        with pytest.raises(Problem, match="there is no such table or game"):
            await advice.state(CALLER, b"other", 50, "en", str)

    asyncio.run(ask())
    advice.close()


def test_of_too_many_questions_some_are_asked_again_later() -> None:
    ledger = _Ledger()
    advice = Advice(cast(Ledger, ledger), Gate(Limits()), Quiet())
    ledger.asked.clear()

    async def ask() -> None:
        waiting = [
            asyncio.ensure_future(advice.state(CALLER, b"game", n, "en", str)) for n in range(Limits().questions + 1)
        ]
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await advice.state(CALLER, b"game", 1, "en", str)
        assert (refused.value.status, refused.value.retry) == (429, 1)
        ledger.asked.set()
        await asyncio.gather(*waiting)
        assert await advice.state(CALLER, b"game", 1, "en", str)

    asyncio.run(ask())
    advice.close()


def test_a_state_has_so_many_dice() -> None:
    """However many a roll has: the latest rolls, and always the last."""

    def told(*dice: int) -> list[int]:
        rolls = [cast(RollRecord, SimpleNamespace(dice=range(count))) for count in dice]
        return [len(roll.dice) for roll in _within_bounds(rolls)]

    assert told() == []
    assert told(9_000) == [9_000]
    assert told(1, 9_000) == [9_000]
    assert told(1_000, 1_000, 1_000, 500, 1_000) == [1_000, 500, 1_000]
    assert told(*[10] * 200) == [10] * 200
