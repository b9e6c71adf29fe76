"""Magic in words: events on one line, what a roll comes to, its part of the state as tables."""

import re
from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Event
from rules.script import ScriptError, read, run
from tests.rules.test_mtg import event, play, roll
from tests.support.bundles import bundled
from tests.support.scripts import Vector, scripts

MAGIC = SYSTEMS["mtg-706-2023-11-17"]
PLACEHOLDER = re.compile(r"\{[a-z_]+[:}]")


def said(type: str, body: dict[str, Any]) -> str:
    typed = msgspec.convert(body, MAGIC.bodies[type])
    return str(MAGIC.summarize(Event(1, "alice", type, typed)))


@pytest.mark.parametrize(
    ("type", "body", "told"),
    [
        ("roll", {"source": "Fireball", "dice": "2d6", "use": "damage"}, "2d6 for Fireball, use: damage"),
        ("roll", {"again": 7, "ignores": []}, "rolls again (roll 7), nothing is ignored"),
        (
            "roll",
            {"joins": 7, "ignores": [{"source": "Pixie Guide", "which": "lowest", "extra": 1, "sides": 8}]},
            "rolls in the same ability (roll 7), ignore the lowest (Pixie Guide), dice added: 1 (d8)",
        ),
        (
            "declare",
            {
                "what": "effect",
                "roll": 2,
                "effect": {"source": "K", "kind": "adjust", "amounts": [1, -1], "once": True},
            },
            "adds an effect (roll 2): K: adjust by 1, −1, every die, for this roll alone",
        ),
        (
            "declare",
            {"what": "trigger", "source": "D", "on": "result", "range": "3 or less"},
            "D: whenever you roll a result of 3 or less",
        ),
        ("resolve", {"roll": 3, "again": False, "results": [4]}, "does not roll again (roll 3), results 4"),
        (
            "modify",
            {"roll": 3, "effect": 1, "choice": "apply", "dice": [1, 2], "paid": True, "mana_abilities": []},
            "applies effect 1 to dice 1, 2 (roll 3), paid, mana abilities: none",
        ),
    ],
)
def test_an_event_is_told_on_one_line(type: str, body: dict[str, Any], told: str) -> None:
    assert said(type, body) == told


def test_what_a_roll_comes_to_and_what_can_still_be_done() -> None:
    table = [{"range": "1+", "effect": "Draw. You may roll again.", "again": "may"}]
    trigger = event("declare", what="trigger", source="Dwarf", on="rolled")
    session = play([trigger, roll([4], table=table)]).session
    assert [str(note) for note in MAGIC.notes(session.game, 2)] == [
        "die 1: row 1: Draw. You may roll again.",
        "Dwarf (alice) triggers",
        "alice may roll again",
    ]
    tied = play([roll([4, 4], ignores=[{"source": "Pixie Guide", "which": "lowest"}])]).session
    told = "alice chooses dice to ignore (Pixie Guide), so many: 1; of 1, 2"
    assert [str(note) for note in MAGIC.notes(tied.game, 1)] == [told]


def test_the_state_as_tables() -> None:
    session = play(
        [
            event("declare", what="trigger", source="Dwarf", on="natural", range="20", whose="opponents"),
            event("declare", what="permanent", permanent="c", name="Centaur"),
            event("roll", [2, 5], source="Centaur", dice="2d6", store="c"),
        ]
    ).session
    rows = [[[str(cell) for cell in row] for row in table.rows] for table in MAGIC.tables(session.game)]
    assert rows == [
        [],
        [["1", "alice", "Dwarf", "whenever an opponent of alice rolls a natural result of 20"]],
        [["c", "Centaur", "alice", "1: 2 (d6), 2: 5 (d6)"]],
    ]


@bundled("vector", scripts("mtg"))
def test_whatever_a_script_has_can_be_told(vector: Vector) -> None:
    try:
        outcome = run(read(vector.data))
    except ScriptError:
        return
    accepted = vector.value["events"][: outcome.seq - (outcome.violation is not None)]
    lines = [said(told["type"], told.get("body", {})) for told in accepted if told["type"] in MAGIC.bodies]
    game = outcome.session.game
    lines += [str(note) for one in outcome.session.view()["rolls"] for note in MAGIC.notes(game, one["roll"])]
    lines += [str(cell) for table in MAGIC.tables(game) for row in table.rows for cell in row]
    assert not [line for line in lines if PLACEHOLDER.search(line) or "\n" in line or line == "None"]
