"""What Warhammer 40,000 says of events and rolls, and its tables (rules/systems/wh40k/words.py, tables.py)."""

from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Event, Session, Violation
from rules.base import Table
from rules.script import read, step
from rules.systems.wh40k.bodies import Options
from tests.rules.test_wh40k_light import HITS, RIFLES, Scene
from tests.support.scripts import scripts

SYSTEM = SYSTEMS["wh40k-9e"]


def cells(table: Table) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in table.rows]


@pytest.mark.parametrize("part", range(3))
def test_every_event_and_roll_of_the_vectors_is_told(part: int) -> None:
    for vector in scripts("wh40k")[part::3]:
        script = read(vector.data)
        session = Session.start(SYSTEM, msgspec.json.decode(script.options, type=Options), script.parties)
        session = session.with_joined(script.parties)
        for seq, event in enumerate(script.events, 1):
            try:
                session = step(session, seq, event)
            except Violation:
                break
            if event.type in SYSTEM.bodies:
                body = msgspec.json.decode(event.body, type=SYSTEM.bodies[event.type])
                told = SYSTEM.summarize(Event(seq, event.author, event.type, body))
                assert told is not None, (vector.stem, seq)
                assert "{" not in str(told)
        for roll in session.view()["rolls"]:
            assert all("{" not in str(note) for note in SYSTEM.notes(session.game, roll["roll"]))
        for table in SYSTEM.tables(session.game):
            assert all(len(row) == len(table.columns) for row in table.rows)


def shot() -> Scene:
    scene = Scene()
    scene.attack(f"squad: {RIFLES}", HITS)
    return scene


def notes(scene: Scene) -> list[str]:
    opened: Any = scene.session.game.open
    return [str(note) for note in SYSTEM.notes(scene.session.game, opened.roll)]


def test_a_roll_that_waits_says_what_it_waits_for() -> None:
    assert notes(shot()) == [
        "3+ is needed",
        "to be modified: -1 (Dense Cover)",
        "rule 1, Captain, may reroll results of 1: 1 (1), 2 (1)",
    ]


def test_a_roll_that_stands_says_what_it_did() -> None:
    scene = shot()
    scene.reroll([1, 2], [4, 1])
    assert "successes: dice 1, 3-5, 7-12, 16-20" in notes(scene)
    scene.do("alice", "roll", {"for": "wound"}, [2, *[5] * 8, *[2] * 6])
    scene.do("bob", "roll", {"for": "save"}, [6, *[1] * 7])
    assert notes(scene)[-2:] == [
        "Boyz: destroyed: 1-7",
        "attacks of Intercessors: finished; Boyz lost 7 wounds on 7 models",
    ]


def test_the_tables_say_what_stands_and_what_is_under_way() -> None:
    scene = shot()
    scene.reroll([1, 2], [4, 1])
    found = {str(table.title): cells(table) for table in SYSTEM.tables(scene.session.game)}
    assert found["Units"][1] == ["boyz, Boyz", "bob", "1-30 Boyz, W 1", "30 of 30"]
    assert found["Next"] == [["alice", "rolling to wound", "15"]]
    assert found["Still to do"] == [["15 hits on boyz to wound"]]
    (group,) = found["Under way: attacks of Intercessors, of event 4"]
    assert group[2] == "20 attacks, hit on 3+, S 4 against T 5, AP -1, D 1"
    assert group[3] == "0 left, 15 hits"
