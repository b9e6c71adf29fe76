"""How The 9th Age is told: how a roll came to what it came to, and its events on one line of a log."""

import json
from random import Random
from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Event, Session
from rules.script import read, run
from rules.systems.t9a import NinthAge
from rules.systems.t9a.bodies import Options
from rules.systems.t9a.state import Roll
from tests.oracles.test_properties import PARTIES, code_step
from tests.oracles.test_t9a_differential import Marshal
from tests.support.differential import shown
from tests.support.scripts import scripts


def played(*events: tuple[str, str, dict[str, Any], list[int] | None]) -> Session:
    lines = [
        {"author": author, "type": type_, "body": body} | ({} if shown is None else {"naturals": shown})
        for author, type_, body, shown in events
    ]
    script = {
        "format": "rollproof/script/v1",
        "system": NinthAge.id,
        "options": {},
        "parties": {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"},
        "events": lines,
    }
    outcome = run(read(json.dumps(script).encode()))
    assert outcome.violation is None, outcome.violation
    return outcome.session


def told(session: Session, roll: int = 1) -> list[tuple[str | None, str]]:
    return [(step.clause, str(step)) for step in session.system.explain(session.game, roll)]


# --- explained -----------------------------------------------------------------------------------------------------


def test_a_dropped_die_that_is_corrected_is_told_to_stay_dropped() -> None:
    body = {"source": "Charge", "dice": "2d6", "maximised": ["Swift"]}
    ruling = {"ruling": "correct", "subject": 1, "text": "A cocked die.", "results": [{"die": 1, "result": 6}]}
    session = played(("alice", "roll", body, [1, 4, 5]), ("dana", "ruling", ruling, None))
    text = "die 1 was corrected, and still does not count: which dice count is not decided anew"
    steps = told(session)
    at = steps.index(("T6.5", "die 1 is dropped"))
    assert steps[at + 1 : at + 3] == [(None, "a judge ruled: the result of die 1 is 6"), ("T6.5", text)]
    assert text in map(str, session.system.notes(session.game, 1))


def test_a_roll_with_everything() -> None:
    """Dropped, rerolled, ruled, modified late, decided by a natural: each where it happened, with whose it was."""
    body = {
        "source": "To hit",
        "dice": "1d6",
        "times": 3,
        "maximised": ["Fury", "Rage"],
        "minimised": ["Mud"],
        "target": "4+",
        "always": {"failure": [1]},
        "modifiers": [{"source": "Charge", "add": 1}],
        "rerolls": [{"source": "Hatred", "which": "failed", "may": True, "pick": 1}],
    }
    rule = {"source": "Hex", "which": "natural", "naturals": [5, 6]}
    session = played(
        ("alice", "roll", body, [1, 2, 6, 1, 3, 3]),
        ("alice", "reroll", {"roll": 1, "rule": 1}, [1]),
        ("bob", "declare", {"what": "reroll", "roll": 1, "rule": rule}, None),
        ("alice", "reroll", {"roll": 1, "rule": 2}, [4]),
        ("bob", "modify", {"roll": 1, "modifier": {"source": "Fog", "multiply": 2}}, None),
        (
            "dana",
            "ruling",
            {"ruling": "correct", "subject": 1, "text": "So.", "results": [{"die": 6, "result": 1}]},
            None,
        ),
    )
    assert told(session) == [
        ("T1.1", "alice rolls 3x1d6 for To hit"),
        ("T6.1", "Maximised by Fury"),
        ("T6.1", "Maximised by Rage"),
        ("T6.2", "Minimised by Mud"),
        ("T6.4", "Maximised and Minimised cancel one for one: Maximised 1 is left"),
        ("T4.2", "Hatred: alice may reroll failed rolls, 1 at most"),
        ("T4.2", "Hex: alice must reroll natural 5s or 6s (bob brought it when the dice had been shown)"),
        ("T2.1", "Fog bears on the roll (bob brought it when the dice had been shown)"),
        ("T3.1", "die 1 shows 1"),
        ("T6.5", "die 1 is dropped"),
        ("T3.1", "die 2 shows 2"),
        ("T4.1", "die 2, which showed 2, is rerolled (Hatred) and shows 1"),
        ("T3.1", "die 3 shows 6"),
        ("T4.1", "die 3, which showed 6, is rerolled (Hex) and shows 4"),
        ("T3.1", "die 4 shows 1"),
        ("T6.5", "die 4 is dropped"),
        ("T3.1", "die 5 shows 3"),
        ("T6.5", "die 5 is dropped"),
        ("T3.1", "die 6 shows 3"),
        (None, "a judge ruled: the result of die 6 is 1"),
        ("T1.2", "the dice of throw 1 that are kept add up to 1"),
        ("T2.1", "+ 1 (Charge): 2"),
        ("T2.1", "× 2 (Fog): 4"),
        ("T3.1", "throw 1 fails: a natural 1 always does"),
        ("T1.2", "the dice of throw 2 that are kept add up to 4"),
        ("T2.1", "+ 1 (Charge): 5"),
        ("T2.1", "× 2 (Fog): 10"),
        ("T1.3", "throw 2 succeeds: 10 against 4+"),
        ("T1.2", "the dice of throw 3 that are kept add up to 1"),
        ("T2.1", "+ 1 (Charge): 2"),
        ("T2.1", "× 2 (Fog): 4"),
        ("T1.3", "throw 3 succeeds: 4 against 4+"),
        ("T1.3", "2 of 3 succeed"),
        (None, "the roll is not ended yet"),
    ]


def test_a_d3_is_halved_and_a_direction_has_its_side() -> None:
    session = played(
        ("alice", "roll", {"source": "Wounds", "dice": "d3"}, [5]),
        ("alice", "resolve", {"roll": 1}, None),
        ("bob", "roll", {"source": "Flight", "dice": "direction-d6"}, [6, 360]),
    )
    assert told(session) == [
        ("T1.1", "alice rolls d3 for Wounds"),
        ("T3.1", "die 1 shows 5"),
        ("T5.1", "die 1 is a D3: half of 5, rounded up"),
        ("T1.2", "the dice of the throw that are kept add up to 3"),
    ]
    assert told(session, 3) == [
        ("T7.1", "bob rolls direction-d6 for Flight"),
        ("T7.2", "die 1 shows 6"),
        ("T7.1", "die 2 shows 360"),
        ("T7.2", "the throw: the arrow is the central dot of the 5"),
        ("T7.1", "the throw points to 0 degrees"),
        (None, "the roll is not ended yet"),
    ]


@pytest.mark.parametrize("seed", range(10))
def test_every_roll_of_random_games_is_explained_by_its_dice_and_clauses(seed: int) -> None:
    deal = Marshal(Random(f"told {seed}"))
    session = Session.start(SYSTEMS[NinthAge.id], Options(), PARTIES)
    session = session.with_joined(PARTIES)
    clauses = {clause.number for clause in session.system.clauses}
    explained = 0
    for seq in range(1, 80):
        event = deal.event(session.view())
        after, violation = code_step(session, seq, event)
        if violation is None and after.phase == "pending":
            event["naturals"] = shown(deal, after)
            after, violation = code_step(session, seq, event)
        session = after
        for roll in session.view()["rolls"][-1:]:
            steps = told(session, roll["roll"])
            texts = [text for _, text in steps]
            assert {clause for clause, _ in steps} <= clauses | {None}
            for die in roll["dice"]:
                assert f"die {die['die']} shows {die['naturals'][0]}" in texts
                assert (f"die {die['die']} is dropped" in texts) == (die["status"] == "ignored")
                again = [text for text in texts if text.startswith(f"die {die['die']}, which showed")]
                assert [text.rpartition(" ")[2] for text in again] == [str(n) for n in die["naturals"][1:]]
            sums = [int(text.rpartition(" ")[2]) for text in texts if "add up to" in text]
            assert sums == [throw["sum"] for throw in roll["throws"] if throw["sum"] is not None]
            explained += bool(roll["dice"])
    assert explained > 20


def test_the_arithmetic_is_true_as_written() -> None:
    changes = [{"source": "Mud", "add": -2}, {"source": "Rage", "multiply": 2}]
    session = played(("alice", "roll", {"source": "x", "dice": "2d6", "modifiers": changes}, [2, 3]))
    assert summary(session) == "= ((2 + 3) − 2) × 2 = 6"
    session = played(("alice", "roll", {"source": "x", "dice": "12d6", "modifiers": changes}, [1] * 12))
    assert summary(session) == "= (12 − 2) × 2 = 20"
    session = played(("alice", "roll", {"source": "x", "dice": "1d6", "times": 2, "modifiers": changes}, [1, 6]))
    assert summary(session) == "each − 2, then × 2: −2, 8"
    body = {"source": "x", "dice": "2d6", "modifiers": changes[:1], "target": "8-"}
    assert summary(played(("alice", "roll", body, [6, 6]))) == "= (6 + 6) − 2 = 10 against 8-: failure"


def summary(session: Session) -> str | None:
    opened: Roll = session.game.open
    found = session.system.summary(opened)
    return None if found is None else str(found)


def test_what_bears_on_a_roll_is_noted() -> None:
    body = {
        "source": "charge range",
        "dice": "2d6",
        "maximised": ["Swiftstride", "Spell"],
        "minimised": ["Mud"],
        "target": "8+",
        "modifiers": [{"source": "Rage", "add": 1}],
        "rerolls": [
            {"source": "Horn", "which": "throw", "may": True, "first": True, "dropped": True},
            {"source": "Charm", "which": "any", "may": True, "pick": 1},
        ],
    }
    charge = ("alice", "roll", body, [1, 5, 6])
    fog = ("bob", "modify", {"roll": 1, "modifier": {"source": "Fog", "add": -2}}, None)
    session = played(charge, fog)
    assert noted(session) == [
        "Maximised (Swiftstride, Spell) and Minimised (Mud): one more die in each throw, the lowest dropped",
        "modifiers, in this order: + 1 Rage, − 2 Fog (by bob, after the dice were shown)",
        "reroll 1, Horn: may reroll the whole throw, dropped dice too, the first result may stand: "
        "throw 1 (1 and 5 and 6)",
        "reroll 2, Charm: may reroll any dice, 1 at most: die 2 (5), die 3 (6)",
    ]
    session = played(charge, ("alice", "reroll", {"roll": 1, "rule": 1}, [2, 2, 3]))
    assert noted(session)[2:] == [
        "reroll 1, Horn: may reroll the whole throw, dropped dice too, the first result may stand: no die now",
        "reroll 2, Charm: may reroll any dice, 1 at most: no die now",
        "the first result may stand: throw 1 (2 and 2 and 3)",
    ]
    hits = ("alice", "roll", {"source": "to hit", "dice": "d3", "times": 2, "target": "2+"}, [1, 6])
    session = played(hits, ("alice", "roll", {"source": "flight", "dice": "direction-d6", "of": "failures"}, [6, 90]))
    assert noted(session, 1) == ["a D3 is half of what the D6 shows, rounded up"]
    assert noted(session, 2) == [
        "for 1 failure of roll 1",
        "0° is straight away from alice's table edge; degrees go clockwise, seen from above",
        "the D6 shows 6; the arrow is the central dot of the 5",
    ]
    (table,) = session.system.tables(session.game)
    assert list(table.rows) == [("alice", 1, 4, 0, 0), ("bob", 0, 0, 0, 0)]
    assert noted(session, 99) == []


def noted(session: Session, roll: int = 1) -> list[str]:
    return [str(note) for note in session.system.notes(session.game, roll)]


# --- on one line ---------------------------------------------------------------------------------------------------


def line_of(type_: str, body: dict[str, Any]) -> str:
    event = Event(9, "alice", type_, msgspec.convert(body, NinthAge.bodies[type_]))
    return str(NinthAge().summarize(event))


@pytest.mark.parametrize(
    ("type_", "body", "line"),
    [
        (
            "roll",
            {
                "source": "Charge range",
                "dice": "2d6",
                "maximised": ["Swiftstride"],
                "modifiers": [{"source": "Advance Rate", "add": 5}],
                "target": "13+",
            },
            "2d6 for Charge range, Maximised (Swiftstride), +5 Advance Rate, on 13+",
        ),
        (
            "roll",
            {
                "source": "To hit",
                "dice": "1d6",
                "times": 10,
                "target": "4+",
                "modifiers": [{"source": "Rage", "multiply": 2}, {"source": "Long range", "add": -1}],
                "always": {"success": [6], "failure": [1]},
                "rerolls": [
                    {"source": "Guiding hand", "which": "failed", "may": True, "pick": 2},
                    {"source": "Blessed", "which": "natural", "naturals": [1, 2]},
                ],
            },
            "10 dice for To hit, × 2 Rage; −1 Long range, on 4+, a natural 6 always succeeds, "
            "a natural 1 always fails, "
            "Guiding hand: may reroll failed rolls, 2 at most; Blessed: must reroll natural 1, 2",
        ),
        (
            "roll",
            {"source": "Flight", "dice": "direction-d6", "zero": "the north edge"},
            "a direction by a D6 for Flight, 0° is the north edge",
        ),
        ("roll", {"source": "x", "dice": "", "modifiers": [], "rerolls": []}, "no dice for x"),
        (
            "declare",
            {"what": "reroll", "roll": 3, "rule": {"source": "Horn", "which": "throw", "may": True}},
            "adds a reroll rule (roll 3): Horn: may reroll the whole throw",
        ),
        ("modify", {"roll": 3, "modifier": {"source": "Fog", "add": -1}}, "adds a modifier (roll 3): −1 Fog"),
        ("reroll", {"roll": 3, "rule": 1}, "rerolls all that reroll rule 1 allows (roll 3)"),
        ("reroll", {"roll": 3, "rule": 2, "dice": [7, 1, 2, 3]}, "rerolls dice 1-3, 7 (roll 3), by reroll rule 2"),
        ("reroll", {"roll": 3, "rule": 2, "throws": [4]}, "rerolls throw 4 (roll 3), by reroll rule 2"),
        ("ignore", {"roll": 3, "dice": [1, 4]}, "keeps the first result of dice 1, 4 (roll 3)"),
        ("ignore", {"roll": 3, "throws": [1]}, "keeps the first result of throw 1 (roll 3)"),
        (
            "roll",
            {"source": "To wound", "dice": "1d6", "target": "3+", "of": "successes"},
            "a die for each success, for To wound, on 3+",
        ),
        (
            "roll",
            {"source": "Aegis", "dice": "1d6", "times": 2, "of": "failures"},
            "2 dice for Aegis, for failures",
        ),
        (
            "roll",
            {
                "source": "To hit",
                "dice": "1d6",
                "target": "4+",
                "at_once": True,
                "rerolls": [{"source": "Horn", "which": "failed", "dropped": True, "first": True}],
            },
            "1d6 for To hit, on 4+, Horn: must reroll failed rolls, dropped dice too, "
            "the first result may stand, at once",
        ),
        ("resolve", {"roll": 3}, "keeps the dice (roll 3)"),
        ("resolve", {"roll": 3, "successes": 1, "totals": [14]}, "keeps the dice (roll 3), totals 14, successes 1"),
        (
            "resolve",
            {"roll": 3, "directions": [90, 0], "faces": [1, 5]},
            "keeps the dice (roll 3), degrees 90, 0, faces 1, 5",
        ),
    ],
)
def test_an_event_is_one_short_sentence(type_: str, body: dict[str, Any], line: str) -> None:
    assert line_of(type_, body) == line


def test_every_event_of_the_scripts_is_told_without_json() -> None:
    lines = 0
    for vector in scripts("t9a"):
        for event in vector.value["events"]:
            if event["type"] not in NinthAge.bodies:
                continue
            try:
                msgspec.convert(event["body"], NinthAge.bodies[event["type"]])
            except msgspec.ValidationError:
                continue  # no log has it
            line = line_of(event["type"], event["body"])
            assert not set("{}[]_") & set(line)
            told_as_json = len(json.dumps(event["body"]))
            assert len(line) < 300 or told_as_json > 1000 or len(line) < told_as_json, "texts take their room"
            lines += 1
    assert lines > 400


def test_a_long_list_is_told_by_how_many_there_are() -> None:
    line = line_of("reroll", {"roll": 1, "rule": 1, "dice": list(range(1, 1001, 2))})
    assert line == "rerolls dice 1, 3, 5, 7, 9, 11, 494 more (roll 1), by reroll rule 1"
