"""How Double Down explains a roll: every step under its clause, in the order of play."""

import json
from random import Random

import pytest

from ledger.analysis.explanation import explain
from rules.script import read, run
from rules.session import Session
from rules.systems.doubledown.state import Game, Roll
from rules.systems.doubledown.tables import CLAUSE_OF
from tests.make.parts import table
from tests.oracles.test_doubledown_differential import GameMaster, start
from tests.oracles.test_properties import code_step
from tests.support.scripts import script


def told(name: str, *, without: int = 0) -> list[tuple[str | None, str]]:
    """The steps of the first roll of a script; `without` so many of its last events."""
    value = script(f"doubledown/{name}").value
    del value["expect"]
    value["events"] = value["events"][: len(value["events"]) - without]
    outcome = run(read(json.dumps(value).encode()))
    assert outcome.violation is None
    session = outcome.session
    return [(s.clause, str(s)) for s in session.system.explain(session.game, session.view()["rolls"][0]["roll"])]


ASKED = [
    ("R1", "alice rolls agility for Cross the rickety bridge, as called by a GM, against 14"),
    ("R2", "+3 from alice: the stat agility"),
    ("R2", "+1 from alice: the stress track"),
]


def test_the_texts_own_example() -> None:
    assert told("R5--worked-example") == [
        *ASKED,
        ("R2", "+2 from alice: the tag rogue"),
        ("R2", "+1 from alice: drive"),
        ("R3", "die 1 shows 6"),
        ("R3", "6 +7 is 13, against 14: failure"),
        ("R4", "die 2 shows 20"),
        ("R3", "a natural 20 comes ahead of any total: critical success"),
        ("R4", "the second die moves failure by +2 in the table of outcomes: critical success"),
        ("R5", "boons for difficulty 14: 4, times 1 for critical success"),
        ("R5", "boons for the drive spent, never multiplied: 1"),
        ("R5", "boons: 5"),
        ("T3", "boons spent: 4; alice gains drive: 2"),
        ("T3", "boons spent: 1; alice recovers stress: 1"),
    ]


def test_a_group_that_votes() -> None:
    steps = told("R9--voted-for")
    assert ("R9", "+4 from bob: the tag four-arms") in steps
    assert [text for clause, text in steps if "votes" in text] == [
        "bob votes to double down",
        "carol votes to double down",
    ]
    at = [text for _, text in steps]
    assert at.index("3 +15 is 18, against 22: failure") < at.index("bob votes to double down")
    assert at.index("carol votes to double down") < at.index("die 2 shows 3")
    assert ("R5", "the drive spent gives nothing on a failure") in steps
    assert at.index("carol votes to double down") < at.index("the group doubles down") < at.index("die 2 shows 3")
    assert ("R9", "the group does not double down") in told("R9--voted-against-stands")


def test_an_irrelevant_tag_says_why_it_is_one_less() -> None:
    assert ("R9", "+3 from bob: the tag four-arms, irrelevant, so one star less") in told(
        "R9--irrelevant-tag-of-another"
    )


def test_a_support_roll_is_halved() -> None:
    assert told("R8--a-group-supports")[-3:] == [
        ("R8", "a plain success in a support roll: half of 6 boons"),
        ("R5", "boons for the drive spent, never multiplied: 3"),
        ("R5", "boons: 6"),
    ]


def test_a_ruled_total_is_not_told_as_a_sum() -> None:
    steps = told("rulings--corrected-before-doubling-down")
    assert steps[3:6] == [
        ("R3", "die 1 shows 9"),
        (None, "a judge ruled: the result of die 1 is 14"),
        ("R3", "14, against 14: success"),
    ]
    assert ("R3", "10 +4 is 14, against 14: success") in steps


def test_banes_and_what_they_buy() -> None:
    steps = told("T4--everything")
    assert ("T4", "banes spent: 6; tension rises by 3") in steps
    assert ("T4", "banes spent: 2; alice takes stress: 2") in steps


@pytest.mark.parametrize(
    ("name", "without", "last"),
    [
        ("rulings--void-roll-struck", 3, "the dice have not been revealed"),
        ("rulings--void-roll-struck", 2, "the roll is void: nothing comes of it"),
        ("rulings--struck-twice", 1, "the roll was ruled void or taken back: nothing comes of it"),
        ("leaving--roller", 0, "alice left: nothing comes of the roll"),
        ("R1--one-has-the-stat", 0, "the roll is not ended yet"),
    ],
)
def test_a_roll_that_has_not_come_to_its_end(name: str, without: int, last: str) -> None:
    assert told(name, without=without)[-1] == (None, last)


def test_every_event_of_a_log_is_explained() -> None:
    """`rollproof explain` on a signed group roll: dice of both draws, and all events of the roll with each of them."""
    roles = {"host": "keeper", "gil": "gm", "alice": "player", "bob": "player"}
    log = table("explained", roles, system="doubledown-1", options={})
    sheet = {"character": "Ash", "stats": {"agility": 3}, "track": [1], "stress": 0, "tags": {}, "drive": 1}
    for name in ("alice", "bob"):
        log.write(name, "declare", {"what": "sheet", **sheet})
        log.write("gil", "declare", {"what": "confirm", "player": name})
    called = {"what": "call", "source": "Lift the gate", "stat": "agility", "difficulty": 14}
    log.write("gil", "declare", {**called, "players": ["alice", "bob"]})
    log.write("bob", "modify", {"call": 1, "roller": "alice", "drive": 1})
    number = log.request("alice", "roll", {"call": 1}, [20])
    log.reveal()
    log.write("alice", "declare", {"what": "vote", "roll": number, "double": True})
    log.request("alice", "reroll", {"roll": number}, [20])
    log.reveal()
    log.write("alice", "resolve", {"roll": number})
    of_roll = set(range(number, len(log.lines)))
    for seq in range(len(log.lines)):
        found = explain(lambda: log.lines, seq, "log")
        assert seq in found.events
        if seq in of_roll:
            assert of_roll <= set(found.events)
            naturals = [die.natural for draw in found.draws for die in draw.dice]
            assert [t.values["natural"] for t in found.told if "shows" in str(t)] == naturals
            assert len(naturals) == 2
            assert ("R9", "alice votes to double down") in [(t.clause, str(t)) for t in found.told]


@pytest.mark.parametrize("seed", range(10))
def test_every_roll_of_any_game_is_told_as_it_is(seed: int) -> None:
    deal = GameMaster(Random(f"told {seed}"))
    session, _ = start(joined=True)
    for seq in range(1, 81):
        event = deal.event(session.view())
        after, violation = code_step(session, seq, event)
        if violation is None and after.draw:
            after, violation = code_step(session, seq, event | {"naturals": deal.naturals(after.draw)})
        session = after if violation is None else session
        for seen in session.view()["rolls"][-3:]:
            roll = session.game.find(seen["roll"])
            assert roll is not None
            check_told(session, roll)


def check_told(session: Session, roll: Roll) -> None:
    """Modifiers, dice, earnings and purchases: as many steps as there are, with the numbers that they have."""
    game: Game = session.game
    steps = session.system.explain(game, roll.roll)
    clauses = {clause.number for clause in session.system.clauses} | {None}
    assert all(step.clause in clauses and "{" not in str(step) for step in steps)
    added = [step.values["amount"] for step in steps if " from " in str(step)]
    assert added == [m.amount for m in roll.modifiers]
    shown = [step.values["natural"] for step in steps if "shows" in str(step)]
    assert shown == [die.natural for die in roll.dice]
    bought = [(step.clause, step.values["cost"]) for step in steps if " spent: " in str(step)]
    assert bought == [(CLAUSE_OF[p.kind], p.cost) for p in roll.bought]
    if roll.result is not None:
        (count,) = [step.values["count"] for step in steps if "count" in step.values]
        assert count == roll.earned(roll.result.kind)
