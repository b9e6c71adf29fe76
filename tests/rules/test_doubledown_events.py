"""Double Down's events in words, one short sentence each; what a roll comes to; the tables of a state."""

from typing import Any

import msgspec
import pytest

from rules import Event, Session
from rules.script import read, run
from rules.systems.doubledown import DoubleDown
from tests.support.bundles import bundled
from tests.support.scripts import Vector, script, scripts

SHEET = {"what": "sheet", "character": "Ash", "stats": {"agility": 3}, "track": [1, 1, 2], "stress": 1, "drive": 2}
CALL = {"what": "call", "source": "Jump", "stat": "agility", "difficulty": 14, "players": ["alice"]}


@pytest.mark.parametrize(
    ("type_", "body", "told"),
    [
        (
            "declare",
            {**SHEET, "tags": {"rogue": {"stars": 2}, "loud": {"stars": 1, "exhausted": True}}},
            "hands in a sheet for Ash, stats: agility 3, stress 1 on the track 1, 1, 2, "
            "tags: rogue 2, loud 1 (exhausted), drive 2",
        ),
        (
            "declare",
            {**SHEET, "tags": {}},
            "hands in a sheet for Ash, stats: agility 3, stress 1 on the track 1, 1, 2, tags: none, drive 2",
        ),
        ("declare", {"what": "confirm", "player": "alice"}, "confirms the sheet of alice"),
        ("declare", CALL, "calls alice to roll agility against 14, for Jump"),
        (
            "declare",
            {**CALL, "players": ["alice", "bob"], "support": True, "combat": True},
            "calls alice, bob to roll agility against 14, for Jump, a support roll, in combat",
        ),
        ("declare", {"what": "withdraw", "call": 2}, "takes back call 2"),
        ("declare", {"what": "rest", "player": "alice"}, "lets alice rest, recovering all tags"),
        (
            "declare",
            {"what": "rest", "player": "alice", "tags": ["rogue", "loud"]},
            "lets alice rest, recovering rogue, loud",
        ),
        ("declare", {"what": "rest", "player": "alice", "tags": []}, "lets alice rest, recovering no tag"),
        ("declare", {"what": "vote", "roll": 7, "double": True}, "votes to double down (roll 7)"),
        ("declare", {"what": "vote", "roll": 7, "double": False}, "votes against doubling down (roll 7)"),
        ("declare", {"what": "roller", "call": 2, "player": "bob"}, "lets bob roll for the group (call 2)"),
        ("declare", {"what": "spend", "roll": 7, "buy": "stress"}, "spends on stress (roll 7)"),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "drive", "amount": 2, "player": "bob"},
            "spends on drive (roll 7), amount 2, for bob",
        ),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "tag", "tag": "rogue", "player": "bob"},
            "spends on a tag that is recovered (roll 7), the tag rogue, for bob",
        ),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "story", "amount": 3, "text": "A way in"},
            "spends on a turn of the story (roll 7), amount 3, A way in",
        ),
        ("declare", {"what": "spend", "roll": 7, "buy": "tension"}, "spends on tension (roll 7)"),
        (
            "declare",
            {"what": "spend", "roll": 7, "buy": "complication", "amount": 2, "text": "{x}"},
            "spends on a complication (roll 7), amount 2, {x}",
        ),
        ("modify", {"call": 2, "roller": "alice"}, "contributes: alice rolls for the group (call 2)"),
        (
            "modify",
            {"call": 2, "roller": "alice", "stat": True, "tag": "loud", "irrelevant": True, "drive": 2},
            "contributes: alice rolls for the group (call 2), the base stat, the tag loud (irrelevant), drive 2",
        ),
        ("roll", {"call": 2}, "rolls for call 2"),
        ("roll", {"call": 2, "tag": "loud", "drive": 1}, "rolls for call 2, the tag loud, drive 1"),
        ("reroll", {"roll": 7}, "doubles down (roll 7)"),
        ("resolve", {"roll": 7}, "lets it stand (roll 7)"),
        (
            "resolve",
            {"roll": 7, "outcome": "critical success", "boons": 5, "drive": 0},
            "lets it stand (roll 7), critical success, boons 5, drive 0",
        ),
    ],
)
def test_an_event_is_one_short_sentence(type_: str, body: dict[str, Any], told: str) -> None:
    assert summarize(type_, body) == told


def summarize(type_: str, body: dict[str, Any]) -> str:
    return str(DoubleDown().summarize(Event(1, "alice", type_, msgspec.convert(body, DoubleDown.bodies[type_]))))


def test_every_event_of_the_scripts_is_told_without_json() -> None:
    told = 0
    for vector in scripts("doubledown"):
        for event in vector.value["events"]:
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
    return run(read(script(f"doubledown/{name}").data)).session


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


@bundled("vector", scripts("doubledown"))
def test_every_state_reads(vector: Vector) -> None:
    session = run(read(vector.data)).session
    for roll in session.view()["rolls"]:
        assert all(
            "None" not in str(note) and "{" not in str(note)
            for note in session.system.notes(session.game, roll["roll"])
        )
    for table in session.system.tables(session.game):
        for row in table.rows:
            assert len(row) == len(table.columns)
            assert all("None" not in str(cell) for cell in row)
