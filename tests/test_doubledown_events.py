"""Double Down's events as `rollproof log` tells them: one short sentence each."""

import json
from typing import Any

import msgspec
import pytest
from ledger.cli.doubledown import summarize

from rules.doubledown import DoubleDown
from tests.conftest import SPECS

SCRIPTS = sorted((SPECS / "vectors" / "scripts" / "doubledown").glob("*.json"))
SHEET = {"what": "sheet", "character": "Ash", "stats": {"agility": 3}, "track": [1, 1, 2], "stress": 1, "drive": 2}
CALL = {"what": "call", "source": "Jump", "stat": "agility", "difficulty": 14, "players": ["alice"]}


@pytest.mark.parametrize(
    ("type_", "body", "told"),
    [
        (
            "declare",
            {**SHEET, "tags": {"rogue": {"stars": 2}, "loud": {"stars": 1, "exhausted": True}}},
            "a sheet for Ash: agility 3; stress 1 on the track 1-1-2; tags rogue 2 and loud 1 exhausted; drive 2",
        ),
        (
            "declare",
            {**SHEET, "tags": {}},
            "a sheet for Ash: agility 3; stress 1 on the track 1-1-2; tags none; drive 2",
        ),
        ("declare", {"what": "confirm", "player": "alice"}, "the sheet of alice is in force"),
        ("declare", CALL, "alice called to roll agility against 14: Jump"),
        (
            "declare",
            {**CALL, "players": ["alice", "bob"], "support": True, "combat": True},
            "alice and bob called to roll agility against 14: Jump, a support roll, in combat",
        ),
        ("declare", {"what": "withdraw", "call": 2}, "call 2 is off"),
        ("declare", {"what": "rest", "player": "alice"}, "alice rested and recovers all tags"),
        (
            "declare",
            {"what": "rest", "player": "alice", "tags": ["rogue", "loud"]},
            "alice rested and recovers rogue and loud",
        ),
        ("declare", {"what": "rest", "player": "alice", "tags": []}, "alice rested and recovers nothing"),
        ("declare", {"what": "vote", "roll": 7, "double": True}, "roll 7: a vote to double down"),
        ("declare", {"what": "vote", "roll": 7, "double": False}, "roll 7: a vote to let the die stand"),
        ("declare", {"what": "count", "roll": 7}, "roll 7: the vote ends, who has not voted abstains"),
        (
            "declare",
            {"what": "spend", "roll": 7, "buys": [{"buy": "stress"}, {"buy": "drive", "amount": 2, "player": "bob"}]},
            "roll 7 buys stress 1 and drive 2 for bob",
        ),
        (
            "declare",
            {
                "what": "spend",
                "roll": 7,
                "buys": [
                    {"buy": "tag", "tag": "rogue", "player": "bob"},
                    {"buy": "story", "amount": 3, "text": "A way in"},
                ],
            },
            "roll 7 buys the tag rogue for bob and a story reward at 3 (A way in)",
        ),
        (
            "declare",
            {
                "what": "spend",
                "roll": 7,
                "buys": [{"buy": "tension"}, {"buy": "complication", "amount": 2, "text": "{x}"}],
            },
            "roll 7 buys tension 1 and a complication at 2 ({x})",
        ),
        ("modify", {"call": 2, "roller": "alice"}, "call 2: alice is to roll; given: nothing"),
        (
            "modify",
            {"call": 2, "roller": "alice", "stat": True, "tag": "loud", "irrelevant": True, "drive": 2},
            "call 2: alice is to roll; given: the base stat, the tag loud (irrelevant) and drive 2",
        ),
        ("roll", {"call": 2}, "the roll of call 2"),
        ("roll", {"call": 2, "tag": "loud", "drive": 1}, "the roll of call 2, with the tag loud and drive 1"),
        ("reroll", {"roll": 7}, "roll 7 is doubled down"),
        ("resolve", {"roll": 7}, "roll 7 is settled"),
        (
            "resolve",
            {"roll": 7, "outcome": "critical success", "boons": 5, "drive": 0},
            "roll 7 is settled, critical success, boons 5 and drive 0",
        ),
    ],
)
def test_an_event_is_one_short_sentence(type_: str, body: dict[str, Any], told: str) -> None:
    assert msgspec.convert(body, DoubleDown.bodies[type_]) is not None
    assert summarize({"type": type_, "body": body}) == told


def test_every_event_of_the_scripts_is_told_without_json() -> None:
    told = 0
    for path in SCRIPTS:
        for event in json.loads(path.read_bytes())["events"]:
            if event["type"] not in DoubleDown.bodies:
                continue
            try:
                msgspec.convert(event["body"], DoubleDown.bodies[event["type"]])
            except msgspec.ValidationError:
                continue  # no log has it
            text = summarize(event)
            assert text is not None
            assert not set("{}[]") & set(text)
            assert "None" not in text
            assert len(text) < 250
            told += 1
    assert told > 500
