"""Double Down's events in words, one short sentence each; what a roll comes to; the tables of a state."""

import json
from typing import Any

import msgspec
import pytest

from rules import Event, Session
from rules.script import read, run
from rules.systems.doubledown import DoubleDown
from tests.conftest import SPECS
from tests.support.bundles import bundled, script_id

SCRIPTS = sorted((SPECS / "vectors" / "scripts" / "doubledown").glob("*.json"))
SHEET = {"what": "sheet", "character": "Ash", "stats": {"agility": 3}, "track": [1, 1, 2], "stress": 1, "drive": 2}
CALL = {"what": "call", "source": "Jump", "stat": "agility", "difficulty": 14, "players": ["alice"]}


@pytest.mark.parametrize(
    ("type_", "body", "told"),
    [
        (
            "declare",
            {**SHEET, "tags": {"rogue": {"stars": 2}, "loud": {"stars": 1, "exhausted": True}}},
            "a sheet for Ash: agility 3; stress 1 on the track 1 1 2; tags rogue 2, loud 1 exhausted; drive 2",
        ),
        (
            "declare",
            {**SHEET, "tags": {}},
            "a sheet for Ash: agility 3; stress 1 on the track 1 1 2; tags nothing; drive 2",
        ),
        ("declare", {"what": "confirm", "player": "alice"}, "the sheet of alice is in force"),
        ("declare", CALL, "alice called to roll agility against 14: Jump"),
        (
            "declare",
            {**CALL, "players": ["alice", "bob"], "support": True, "combat": True},
            "alice, bob called to roll agility against 14: Jump, a support roll, in combat",
        ),
        ("declare", {"what": "withdraw", "call": 2}, "call 2 is off"),
        ("declare", {"what": "rest", "player": "alice"}, "alice rested and recovers all tags"),
        (
            "declare",
            {"what": "rest", "player": "alice", "tags": ["rogue", "loud"]},
            "alice rested and recovers rogue, loud",
        ),
        ("declare", {"what": "rest", "player": "alice", "tags": []}, "alice rested and recovers nothing"),
        ("declare", {"what": "vote", "roll": 7, "double": True}, "roll 7: a vote to double down"),
        ("declare", {"what": "vote", "roll": 7, "double": False}, "roll 7: a vote to let it stand"),
        ("declare", {"what": "roller", "call": 2, "player": "bob"}, "call 2: bob rolls for the group"),
        ("declare", {"what": "spend", "roll": 7, "buy": "stress"}, "roll 7 buys stress 1"),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "drive", "amount": 2, "player": "bob"},
            "roll 7 buys drive 2 for bob",
        ),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "tag", "tag": "rogue", "player": "bob"},
            "roll 7 buys the tag rogue for bob",
        ),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "story", "amount": 3, "text": "A way in"},
            "roll 7 buys a story reward at 3 (A way in)",
        ),
        ("declare", {"what": "spend", "roll": 7, "buy": "tension"}, "roll 7 buys tension 1"),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "complication", "amount": 2, "text": "{x}"},
            "roll 7 buys a complication at 2 ({x})",
        ),
        ("modify", {"call": 2, "roller": "alice"}, "call 2: alice is to roll; given: nothing"),
        (
            "modify",
            {"call": 2, "roller": "alice", "stat": True, "tag": "loud", "irrelevant": True, "drive": 2},
            "call 2: alice is to roll; given: the base stat, the tag loud (irrelevant), drive 2",
        ),
        ("roll", {"call": 2}, "the roll of call 2"),
        ("roll", {"call": 2, "tag": "loud", "drive": 1}, "the roll of call 2, with the tag loud, drive 1"),
        ("reroll", {"roll": 7}, "roll 7 is doubled down"),
        ("resolve", {"roll": 7}, "roll 7 is settled"),
        (
            "resolve",
            {"roll": 7, "outcome": "critical success", "boons": 5, "drive": 0},
            "roll 7 is settled, critical success, boons 5, drive 0",
        ),
    ],
)
def test_an_event_is_one_short_sentence(type_: str, body: dict[str, Any], told: str) -> None:
    assert summarize(type_, body) == told


def summarize(type_: str, body: dict[str, Any]) -> str:
    return str(DoubleDown().summarize(Event(1, "alice", type_, msgspec.convert(body, DoubleDown.bodies[type_]))))


def test_every_event_of_the_scripts_is_told_without_json() -> None:
    told = 0
    for path in SCRIPTS:
        for event in json.loads(path.read_bytes())["events"]:
            if event["type"] not in DoubleDown.bodies:
                continue
            try:
                text = summarize(event["type"], event["body"])
            except msgspec.ValidationError:
                continue  # no log has it
            assert not set("{}[]") & set(text)
            assert "None" not in text
            assert len(text) < 250
            told += 1
    assert told > 500


# --- rolls and states ------------------------------------------------------------------------------------------------


def after(name: str) -> Session:
    return run(read((SCRIPTS[0].parent / f"{name}.json").read_bytes())).session


def notes(name: str, number: int) -> list[str]:
    session = after(name)
    return [str(note) for note in session.system.notes(session.game, number)]


DOUBLING = (
    "doubling down rolls a second d20, same modifier and difficulty: success moves the outcome up one tier, critical "
    "success two; failure down one, critical failure two"
)


def test_a_roll_says_what_it_comes_to_and_what_can_be_done() -> None:
    assert notes("R4--each-has-a-roll-open", 7) == ["modifier +4: agility +3, stress track +1", DOUBLING]
    assert notes("R5--worked-example", 4) == [
        "modifier +7: agility +3, stress track +1, tag rogue +2, drive +1",
        "doubled down: total 13 is a failure; natural 20 is a critical success, so it goes up two tiers to critical "
        "success",
        "critical success: 5 boons",
        "bought with 4 boons: alice gains drive: 2",
        "bought with 1 boon: alice recovers stress: 1",
    ]
    assert notes("R9--voted-against-stands", 9) == [
        "modifier +4: agility +3, stress track +1",
        "votes: bob to stand, carol to stand",
        "the group does not double down",
        "failure: 2 banes, alice gains 1 drive",
        "2 banes left for a GM to spend: inflict stress, 1 each; add tension, 2 each; a complication, any",
    ]
    assert notes("R1--called-and-rolled", 999) == []


def test_a_state_is_told_in_tables() -> None:
    session = after("R9--waits-for-whom-the-gm-said")
    tables = {str(table.title): table.rows for table in session.system.tables(session.game)}
    told = [[str(cell) for cell in row] for row in tables["Calls for a roll"]]
    gives = "alice: alice rolls; bob: bob rolls; on a tie bob rolls"
    assert told == [["1", "Cross the rickety bridge", "agility", "14", "alice, bob", "a group", gives]]
    assert [str(cell) for cell in tables["Characters"][0]] == [
        "alice",
        "Alice",
        "agility 3",
        "0 of 2 (+1)",
        "nothing",
        "0",
    ]


@bundled("path", SCRIPTS, script_id)
def test_every_state_reads(path: Any) -> None:
    session = run(read(path.read_bytes())).session
    for roll in session.view()["rolls"]:
        assert all(
            "None" not in str(note) and "{" not in str(note)
            for note in session.system.notes(session.game, roll["roll"])
        )
    for table in session.system.tables(session.game):
        for row in table.rows:
            assert len(row) == len(table.columns)
            assert all("None" not in str(cell) for cell in row)
