"""`ledger/web/core` in Node: browsers without a page play at a real server (specs/page.md)."""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.conftest import SPECS
from tests.rules import (
    test_actions_dice,
    test_actions_doubledown,
    test_actions_mtg,
    test_actions_t9a,
    test_actions_wh40k,
)
from tests.server.served import Server
from tests.web.browsers import NODE, Browsers, CoreError
from tests.web.tables import At
from verifier.checkpoints.checkpoint import Checkpoint
from verifier.checkpoints.code import parse_code, table_code
from verifier.log.merkle import leaf_hash, root_of

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.usefixtures("all_leave"),
]

GRAMMARS = {
    "dice-1": test_actions_dice.GRAMMARS,
    "doubledown-1": test_actions_doubledown.GRAMMARS,
    "mtg-706-2023-11-17": test_actions_mtg.GRAMMARS,
    "t9a-2022": test_actions_t9a.GRAMMARS,
    "wh40k-9e": test_actions_wh40k.GRAMMARS,
}
OPTIONS = {"mtg-706-2023-11-17": {"planechase": True}, "wh40k-9e": {"fast_rolling": True}}
SHEET = {
    "what": "sheet",
    "character": "Ash",
    "stats": {"agility": 3},
    "track": [1, 2, 3],
    "stress": 0,
    "tags": {},
    "drive": 0,
}
BEFORE: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "doubledown-1": [
        ("alice", SHEET),
        ("gail", {"what": "confirm", "player": "alice"}),
        ("gail", {"what": "call", "source": "a bridge", "stat": "agility", "difficulty": 14, "players": ["alice"]}),
    ]
}
"""declarations without which nobody rolls"""
CODE = "00044 85251 36140 11504 32282 23918"
WIDE = "".join(chr(ord(each) + 0xFEE0) if each != " " else "\u3000" for each in CODE)
ARABIC, DOUBLE_STRUCK = ("".join(chr(zero + int(each)) for each in CODE if each != " ") for zero in (0x0660, 0x1D7D8))
CODES = [
    CODE,
    f" 43 :{CODE.replace(' ', '-')}",
    f"43: {CODE.replace(' ', ' – ')}",
    f"４３：{WIDE}",
    ARABIC,
    DOUBLE_STRUCK,
]
CODES += [CODE[:-1], f"{CODE}1", f"0: {CODE}", f"-: {CODE}", f": {CODE}", f"{2**53}: {CODE}", f"{2**53 - 1}: {CODE}"]
CODES += [f"{'9' * 60_000}: {CODE}", f"{'0' * 17}1: {CODE}", f"1: 2: {CODE}", f"{CODE[:-1]}²", f"{CODE[:-1]}x", "", ":"]
"""as somebody might type them"""


@pytest.mark.long
def test_what_is_made_from_links_and_checked_of_tables_is_that_of_the_vectors(browsers: Browsers) -> None:
    vectors: Any = json.loads((SPECS / "vectors" / "network.json").read_text(encoding="utf-8"))
    results = browsers("vectors", vectors=vectors)
    for kind in ("tables", "starts", "opened"):
        expected = [(case["about"], case["flaw"]) for case in vectors[kind]]
        assert [(about, flaw) for (about, _), flaw in zip(expected, results[kind], strict=True)] == expected
    assert results["invited_links"] == [case["flaw"] for case in vectors["invited_links"]]
    assert results["ended"] == [case["ended"] for case in vectors["invited_links"]]
    forms = [case["flaw"] if case["flaw"] == "malformed" else None for case in vectors["going_on"]]
    assert results["going_on_forms"] == forms
    assert results["going_on"] == [int(case["flaw"] is None) for case in vectors["going_on"]]
    assert results["invited_seats"] == [case["shown"] for case in vectors["invited_seats"]]
    for case, found in zip(vectors["links"], results["links"], strict=True):
        assert found["flaw"] == case["flaw"], case["about"]
        if case["flaw"] is None:
            assert found["again"] == case["link"]
            assert {name: found[name] for name in case if name not in ("about", "link")} == {
                name: case[name] for name in case if name not in ("about", "link")
            }


@pytest.mark.long
def test_a_game_is_played_from_the_link_to_the_saved_log(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address)
    for who in ("alice", "bob", "alice"):
        assert 1 <= at.roll(who)[0] <= 20
    state = at.snapshot("alice")
    assert [roll["fair"] for roll in state["game"]["rolls"]] == [True] * 3
    assert state["game"]["rolls"][0]["contributors"] == ["keeper", "alice", "bob"]
    steps = at("explain", "dana", seq=state["game"]["rolls"][0]["seq"])["steps"]
    assert len(steps) == 5
    at.close_and_verify()


@pytest.mark.slow
def test_a_roll_can_be_taken_back_where_the_terms_say_so_and_nowhere_else(server: Server, browsers: Browsers) -> None:
    for strike, missing in (("all", ["alice", "bob", "gail", "dana"]), (None, None)):
        at = At(browsers, server.address, gm="gail", strike=strike)
        at.roll("alice")
        for who in ("alice", "gail", "dana"):
            game = at.until(who, "s.game.rolls[0]?.ended === 'reveal'")["game"]
            assert game["strike"] == (missing and {"roll": game["rolls"][0]["seq"], "by": [], "missing": missing}), who
        at.close_and_verify()


@pytest.mark.long
@pytest.mark.parametrize("system", sorted(GRAMMARS))
def test_games_of_every_system_are_played(server: Server, browsers: Browsers, system: str) -> None:
    gm = "gail" if system == "doubledown-1" else None
    at = At(browsers, server.address, system, options=OPTIONS.get(system), gm=gm)
    for name, body in BEFORE.get(system, []):
        at.sign(name, "declare", body)
    types = at.play(Random(f"core {system}"), GRAMMARS[system], 14)
    assert "roll" in types
    at.close_and_verify()


@pytest.mark.long
def test_secrets_of_chains_stay_in_no_buffer() -> None:
    """Neither links above the one that is opened, nor what HMAC makes of them (specs/page.md, "Keys and memory")."""
    assert NODE is not None
    done = subprocess.run([NODE, Path(__file__).with_name("secrets.mjs")], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["tip"]
    assert told["opened"]
    assert told["noted"] > 50
    assert told["found"] == []
    assert told["constants"] == [8, 64], "the constants of SHA-256, and no other words"


def test_the_code_of_a_table_is_that_of_the_vectors(browsers: Browsers) -> None:
    cases: Any = json.loads((SPECS / "vectors" / "codes.json").read_text(encoding="utf-8"))
    assert browsers("codes", texts=[case["text"] for case in cases]) == [case["code"] for case in cases]


def test_a_code_is_read_as_the_program_reads_it(browsers: Browsers) -> None:
    read = [None if found is None else {"size": found[0], "code": found[1]} for found in map(parse_code, CODES)]
    assert browsers("parsedCodes", texts=CODES) == read
    assert {"size": 43, "code": CODE} in read
    assert None in read


@pytest.mark.long
def test_everybody_has_the_same_code_for_the_same_lines(server: Server, browsers: Browsers) -> None:
    at = At(browsers, server.address)
    at.roll("alice")
    shown = at.until("bob", "s.game.rolls.length === 1 && s.game.phase === 'idle'")["game"]
    lines = at("save", "bob")["bytes"].encode().splitlines()
    head = Checkpoint(bytes.fromhex(shown["id"]), len(lines), root_of([leaf_hash(line) for line in lines]))
    assert shown["code"] == table_code(head)
    for typed in (f"{shown['size']}: {shown['code']}", shown["code"].replace(" ", "")):
        assert at("compareCode", "alice", text=typed) == {
            "size": shown["size"],
            "mine": shown["code"],
            "theirs": shown["code"],
        }
    other = at("compareCode", "alice", text=f"{shown['size'] - 1}: {shown['code']}")
    assert other["mine"] not in (None, other["theirs"])
    assert at("compareCode", "alice", text=f"{shown['size'] + 9}: {shown['code']}")["mine"] is None
    assert at("compareCode", "alice", text="12345") is None


@pytest.mark.long
def test_a_host_takes_somebody_out_and_makes_a_new_link_that_ends_the_old(server: Server, browsers: Browsers) -> None:
    prefix = "hosts"
    for who in ("host", "alice", "mallory", "carol"):
        browsers("here", f"{prefix} {who}", address=server.address, storage=f"{prefix} {who}")
    opened = browsers("open", f"{prefix} host", system="dice-1", options={}, title="Tavern", roles=["player"])
    old = opened["links"]["player"]
    browsers("table", f"{prefix} host", link=old)
    for who, name in (("alice", "alice"), ("mallory", "a1ice")):
        browsers("table", f"{prefix} {who}", link=old)
        browsers("sit", f"{prefix} {who}", name=name)
    state = browsers.until(f"{prefix} host", "s.table && s.table.seats.length === 2")
    assert [seat["alike"] for seat in state["table"]["seats"]] == [None, "alice"]
    new = browsers("newLink", f"{prefix} host", role="player")
    assert browsers("links", f"{prefix} host", table=opened["table"]) == {"player": new}
    browsers("unseat", f"{prefix} host", key=state["table"]["seats"][1]["key"])
    browsers.until(f"{prefix} mallory", "s.table.ended && s.table.seats.every(seat => !seat.mine)")
    browsers("table", f"{prefix} carol", link=old)
    with pytest.raises(CoreError, match="has made a new link"):
        browsers("sit", f"{prefix} carol", name="carol")
    browsers("close", f"{prefix} carol")
    browsers("here", f"{prefix} carol", address=server.address, storage=f"{prefix} carol again")
    browsers("table", f"{prefix} carol", link=new)
    browsers("sit", f"{prefix} carol", name="carol")
    state = browsers.until(f"{prefix} host", "s.table.seats.length === 2")
    browsers("start", f"{prefix} host", keys=[seat["key"] for seat in state["table"]["seats"]])
    for who in ("alice", "carol"):
        browsers.until(f"{prefix} {who}", "s.stage === 'agreeing'")
