"""How Magic tells a roll (rules/systems/mtg/explain.py): every step, in the order of the log, under its clause."""

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from rules.common.explain import explain_ruled
from rules.common.shared import Rerolled, RuledStep
from rules.script import Outcome, read, run
from rules.systems.t9a.state import Die
from tests.oracles.test_properties import code_step, start
from tests.rules.test_mtg import correct, event, play
from tests.support.bundles import bundled
from tests.support.dealer import Dealer
from tests.support.scripts import Vector, scripts

LOWEST = {"source": "Barbarian Class", "which": "lowest", "extra": 1}
MONITOR = {"source": "Monitor", "kind": "reroll", "mana_cost": "{1}", "scope": "one"}
BLESSING = {"source": "Blessing", "kind": "adjust", "amounts": [1], "scope": "one"}
SHIFT = {"source": "Shift", "kind": "adjust", "amounts": [1, -1], "optional": True, "scope": "one"}


def told(outcome: Outcome, roll: int) -> list[tuple[str | None, str]]:
    assert outcome.violation is None, outcome.violation
    session = outcome.session
    return [(step.clause, str(step)) for step in session.system.explain(session.game, roll)]


def test_an_ignored_die_that_is_corrected_is_told_to_stay_ignored() -> None:
    roll = event("roll", [4, 12], source="Farideh", dice="d20", ignores=[LOWEST])
    assert [
        clause for clause, text in told(play([roll, correct(1, {2: 19})]), 1) if "still does not count" in text
    ] == []
    outcome = play([roll, correct(1, {1: 19})])
    text = "die 1 was corrected, and still does not count: which dice count is not decided anew"
    assert ("706.6", text) in told(outcome, 1)
    assert text in map(str, outcome.session.system.notes(outcome.session.game, 1))


def test_a_roll_with_everything() -> None:
    """Extra dice, ignored, rerolled, ruled, adjusted, table, doubles, roll again: each where it happened."""
    table = [{"range": "1-9", "effect": "Draw."}, {"range": "10+", "effect": "Win. Roll again.", "again": True}]
    body: dict[str, Any] = {
        "source": "Farideh",
        "dice": "2d20",
        "modifiers": [{"source": "Sword", "amount": 2}],
        "ignores": [LOWEST],
        "effects": [MONITOR, BLESSING],
        "table": table,
        "doubles": "Win the game.",
    }
    events = [
        event("declare", what="trigger", source="Dwarf", on="rolled"),
        event("roll", [4, 17, 9], **body),
        event("declare", author="bob", what="effect", roll=2, effect=SHIFT),
        correct(2, {2: 8}),
        event("reroll", [15], roll=2, effect=1, dice=[2], paid=True, mana_abilities=["Forest", "Llanowar Elves"]),
        correct(2, {3: 12}),
        event("modify", roll=2, effect=2, choice="apply", dice=[3]),
        event("modify", roll=2, effect=3, choice="decline"),
        event("resolve", roll=2, results=[17, 13]),
    ]
    assert told(play(events), 2) == [
        ("706.1", "alice rolls 2d20 for Farideh"),
        ("706.6", "Barbarian Class adds dice: 1"),
        ("706.1a", "die 1 shows 4"),
        ("706.1a", "die 2 shows 17"),
        ("706.1a", "die 3 shows 9"),
        ("706.2", "+2 for each die, from the instruction (Sword)"),
        ("706.6", "die 1 is ignored (Barbarian Class): it counts for nothing"),
        (None, "a judge ruled: the result of die 2 is 8"),
        ("706.2a", "alice activates mana abilities: Forest, Llanowar Elves"),
        ("706.2a", "alice pays {1} for Monitor"),
        ("706.2b", "die 2, which showed 17, is rerolled (Monitor) and shows 15"),
        (None, "a judge ruled: the result of die 3 is 12"),
        ("706.2b", "+1 for die 3 (Blessing)"),
        ("706.2a", "alice declined Shift"),
        ("706.2", "the result of die 2 is 17"),
        ("706.2", "the result of die 3 is 13"),
        ("706.3a", "the result of die 2 is in row 2: Win. Roll again."),
        ("706.3a", "the result of die 3 is in row 2: Win. Roll again."),
        ("706.5", "no doubles"),
        ("706.3c", "a row says “Roll again.”"),
        ("603", "Dwarf (alice) triggers"),
    ]
    again = told(play([*events, event("roll", [20, 20, 20], again=2)]), 10)
    assert again[:2] == [
        ("706.3c", "alice rolls again, as a row of roll 2 says"),
        ("706.1", "alice rolls 2d20 for Farideh"),
    ]
    assert again[-1] == (None, "the roll is not ended yet")


def test_results_that_are_stored_and_ruled_on_after_that() -> None:
    exchange = {"source": "Whacker", "kind": "exchange", "number": 3, "scope": "one"}
    leaving = {"source": "Curse", "kind": "adjust", "amounts": [-1]}
    events = [
        event("declare", what="permanent", permanent="centaur", name="Centaur"),
        event("roll", [5, 6], source="Centaur", dice="2d6", store="centaur", effects=[exchange, leaving]),
        event("declare", what="ends", roll=2, effect=2),
        event("modify", roll=2, effect=1, choice="apply", dice=[1]),
        event("resolve", roll=2),
        correct(2, {2: 5}),
        correct(2, {2: 4, 1: 1}),
        event("reroll", [2], permanent="centaur", stored=[2], source="Centaur"),
    ]
    assert told(play(events), 2)[2:] == [
        ("706.1a", "die 2 shows 6"),
        ("706.2b", "Curse has ended: it no longer applies"),
        ("706.2", "the result of die 1 is exchanged (Whacker): 5 for 3"),
        (None, "a judge ruled: the result of die 2 is 4"),
        (None, "a judge ruled: the result of die 1 is 1"),
        ("706.2", "the result of die 1 is 1"),
        ("706.2", "the result of die 2 is 4"),
        ("706.8a", "the results are stored on centaur"),
    ]
    assert told(play(events), 8)[:2] == [
        ("706.8b", "alice rerolls stored results of centaur: 1d6 for Centaur"),
        ("706.8b", "die 1 replaces stored result 2, whose value was 4"),
    ]


def test_who_declines_a_may_roll_again() -> None:
    table = [{"range": "1+", "effect": "You may roll again.", "again": "may"}]
    offered = [event("roll", [5], source="x", dice="1d6", table=table)]
    assert told(play(offered), 1)[-1] == ("706.3c", "a row says “You may roll again.”")
    declined = [*offered, event("resolve", roll=1, again=False)]
    assert told(play(declined), 1)[-1] == ("706.3c", "a row says “You may roll again.”: alice does not")


def test_a_planar_die_shows_its_face() -> None:
    thumb = {"source": "Thumb", "kind": "reroll"}
    events = [
        event("roll", [6], source="x", dice="planar", effects=[thumb]),
        event("reroll", [3], roll=1, effect=1),
    ]
    assert told(play(events, planechase=True), 1) == [
        ("706.7", "alice rolls the planar die for x"),
        ("706.7", "die 1, a planar die, shows chaos"),
        ("706.7", "die 1, a planar die that showed chaos, is rerolled (Thumb) and shows blank"),
        (None, "nothing is left to choose: the roll stands"),
    ]


def test_an_effect_that_no_die_was_left_for() -> None:
    effects = [{"source": "Late", "kind": "reroll"}]
    adjust = {"source": "Early", "kind": "adjust", "amounts": [1]}
    planar = [
        event("roll", [2], source="x", dice="1d6", use="u", effects=[adjust]),
        event("modify", roll=1, effect=1, choice="apply"),
        event("declare", what="effect", roll=1, effect=effects[0]),
        event("resolve", roll=1),
    ]
    assert ("706.2b", "Late applies to no die of this roll") in told(play(planar), 1)


@bundled("vector", scripts())
def test_every_roll_of_every_script_is_told(vector: Vector) -> None:
    """Nothing fails, and in Magic what is told last of a die's result is its result."""
    session = run(read(vector.data)).session
    for roll in session.view()["rolls"]:
        steps = session.system.explain(session.game, roll["roll"])
        assert not any(re.search(r"\{[a-z_]+[:}]", str(step)) for step in steps)
        if vector.folder == "mtg" and roll["status"] == "resolved":
            results = {s.values["die"]: s.values["result"] for s in steps if "result" in s.values}
            for die in roll["dice"]:
                if die["status"] == "counted" and not die["planar"] and not die["coin"]:
                    assert results[die["die"]] == die["result"]


@pytest.mark.parametrize("seed", range(30))
def test_every_roll_of_any_game_is_told(seed: int) -> None:
    """After every event, pending and voided requests too; results are told as they are."""
    deal = Dealer(Random(f"told {seed}"))
    session, _ = start(planechase=True, joined=True)
    for seq in range(1, 61):
        event_ = deal.event(session.view())
        after, violation = code_step(session, seq, event_)
        if violation is None and after.draw and not deal.chance(8):
            after, violation = code_step(session, seq, event_ | {"naturals": deal.naturals(after.draw)})
        session = after if violation is None else session
        if violation is None and event_["type"] in ("roll", "reroll"):
            deal.asked[seq] = event_
        for roll in session.view()["rolls"][-3:]:
            steps = session.system.explain(session.game, roll["roll"])
            results = {s.values["die"]: s.values["result"] for s in steps if "result" in s.values}
            for die in roll["dice"]:
                if die["status"] == "counted" and not die["planar"] and not die["coin"]:
                    assert results[die["die"]] == die["result"]
            assert sum(str(s).endswith("): it counts for nothing") for s in steps) == len(
                [die for die in roll["dice"] if die["status"] == "ignored"]
            )


def test_a_ruling_that_a_reroll_set_aside_is_not_told() -> None:
    """The 9th Age: the ruled die is rerolled, and only its new number counts."""
    die = Die(1, 1, "d6", 6, (3, 5), "counted", 5, (RuledStep(2), Rerolled(3, "x")))
    assert list(explain_ruled(die)) == []
    ruled_again = replace(die, steps=(*die.steps, RuledStep(4)))
    assert [str(step) for step in explain_ruled(ruled_again)] == ["a judge ruled: the result of die 1 is 4"]
