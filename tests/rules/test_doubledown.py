"""Double Down: the vectors of specs/vectors/scripts/doubledown, the tables in full, and what holds in any play."""

from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import SYSTEMS, Body, Event, Role, Ruling, Session, Violation
from rules.protocol import REQUESTS, Leave
from rules.script import read, run
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.state import Game, Roll
from rules.systems.doubledown.tables import OUTCOMES, SHIFT, Kind, by_difficulty, outcome_of
from tests.make.parts import table
from tests.support.bundles import bundled
from tests.support.scripts import Vector, scripts
from verifier.replay import Replay

SYSTEM = SYSTEMS["doubledown-1"]
SCRIPTS = scripts("doubledown")
UNBREAKABLE = {"T1"}
"""Clauses that no event can break by itself; specs/doubledown.md says why."""


@bundled("vector", [vector for vector in SCRIPTS if vector.violates])
def test_violation_is_of_the_clause_it_is_filed_under(vector: Vector) -> None:
    violation = run(read(vector.data)).violation
    assert violation is not None
    expected = {"script": None, "rulings": "ruling"}
    assert violation.clause == expected.get(vector.clause, vector.clause)


def test_every_clause_is_kept_and_broken() -> None:
    kept = {vector.clause for vector in SCRIPTS if not vector.violates}
    broken = {vector.clause for vector in SCRIPTS if vector.violates}
    clauses = {clause.number for clause in SYSTEM.clauses}
    assert clauses <= kept
    assert clauses - UNBREAKABLE <= broken


def test_a_group_roll_in_a_log() -> None:
    """The same events, signed and chained by the oracle's writer, pass the verifier."""
    roles = {"host": "keeper", "gil": "gm", "alice": "player", "bob": "player"}
    log = table("double down", roles, system="doubledown-1", options={})
    for name in ("alice", "bob"):
        log.write(name, "declare", {**SHEET, "tags": {"rogue": {"stars": 2}}})
        log.write("gil", "declare", {"what": "confirm", "player": name})
    called = {
        "what": "call",
        "source": "Lift the gate",
        "stat": "agility",
        "difficulty": 14,
        "players": ["alice", "bob"],
    }
    log.write("gil", "declare", called)
    log.write("bob", "modify", {"call": 1, "roller": "alice", "tag": "rogue", "drive": 1})
    number = log.request("alice", "roll", {"call": 1, "drive": 1}, [20])
    log.reveal()
    log.write("alice", "declare", {"what": "vote", "roll": number, "double": True})
    log.request("alice", "reroll", {"roll": number}, [20])
    log.reveal()
    replay = Replay()
    for line in log.lines:
        replay.step(line)
    (roll,) = replay.session.game.opened
    assert (roll.stands, roll.decided, roll.doubled, roll.modifier) == (True, True, True, 9)
    assert replay.session.game.sheets["bob"].drive == 2


# --- the tables, restated ------------------------------------------------------------------------------------------

LADDER = (
    *("legendary failure", "overwhelming failure", "critical failure", "failure"),
    *("success", "critical success", "overwhelming success", "legendary success"),
)

STEPS = {"critical success": 2, "success": 1, "failure": -1, "critical failure": -2}


def _naive(natural: int, modifier: int, difficulty: int) -> str:
    if natural in (19, 20):
        return "critical success"
    if natural in (1, 2):
        return "critical failure"
    return "failure" if natural + modifier < difficulty else "success"


@pytest.mark.parametrize("modifier", [2, 7, 18])
@pytest.mark.parametrize("difficulty", [10, 14, 20, 25, 40])
def test_all_pairs_of_dice(modifier: int, difficulty: int) -> None:
    for first in range(1, 21):
        for second in range(1, 21):
            tier = outcome_of(first, first + modifier, difficulty)
            assert OUTCOMES[tier].name == _naive(first, modifier, difficulty)
            moved = tier + SHIFT[outcome_of(second, second + modifier, difficulty)]
            expected = LADDER.index(_naive(first, modifier, difficulty)) + STEPS[_naive(second, modifier, difficulty)]
            assert 0 <= moved == expected <= 7


def test_boons_are_even_so_half_of_them_is_whole() -> None:
    assert all(by_difficulty(d).boons % 2 == 0 for d in range(10, 60))


@given(st.integers(max_value=9))
def test_no_column_under_ten(difficulty: int) -> None:
    with pytest.raises(Violation) as caught:
        by_difficulty(difficulty)
    assert caught.value.clause == "T2"


# --- any play ------------------------------------------------------------------------------------------------------

ROLES: dict[str, Role] = {"host": "keeper", "gil": "gm", "alice": "player", "bob": "player", "carol": "player"}
PLAYERS = [name for name, role in ROLES.items() if role == "player"]
SHEET = {"what": "sheet", "character": "Ash", "stats": {"agility": 3}, "track": [1, 2, 3], "stress": 1, "drive": 3}
OPENING = [
    line
    for name in PLAYERS
    for line in (
        (name, "declare", {**SHEET, "tags": {"rogue": {"stars": 2}}}, 0),
        ("gil", "declare", {"what": "confirm", "player": name}, 0),
    )
]
CLAUSES = {clause.number for clause in SYSTEM.clauses}

Step = tuple[str, str, dict[str, Any], int]
"""Author, type, body, and the natural where a die is drawn. `roll` and `call` in it count back from the latest."""

player = st.sampled_from(PLAYERS)
somebody = st.sampled_from(["gil", *PLAYERS])
back = st.sampled_from([0, 0, 0, 1])
natural = st.sampled_from([1, 2, 3, 8, 10, 12, 18, 19, 20])
amount = st.integers(1, 3)
yes = st.just(True)
buys = st.one_of(
    st.fixed_dictionaries({"buy": st.sampled_from(["stress", "drive"])}, optional={"player": player, "amount": amount}),
    st.fixed_dictionaries({"buy": st.just("tag"), "tag": st.just("rogue")}, optional={"player": player}),
    st.fixed_dictionaries({"buy": st.just("tension")}, optional={"amount": amount}),
    st.fixed_dictionaries(
        {"buy": st.sampled_from(["story", "complication"]), "amount": amount, "text": st.just("So be it")}
    ),
)
calls = st.fixed_dictionaries(
    {
        "what": st.just("call"),
        "source": st.just("Try"),
        "stat": st.just("agility"),
        "difficulty": st.sampled_from([9, 10, 14, 18, 25]),
        "players": st.lists(player, min_size=1, max_size=3, unique=True),
    },
    optional={"support": yes, "combat": yes},
)
tagged = st.sampled_from([{}, {"tag": "rogue"}, {"tag": "rogue", "irrelevant": True}])
driven = st.fixed_dictionaries({"call": back}, optional={"drive": st.integers(1, 6)})
gives = st.builds(lambda drive, tag: {**drive, **tag}, driven, tagged)
named = st.fixed_dictionaries({"roller": player}, optional={"stat": yes, "stress": yes})
offers = st.builds(lambda named, gives: {**named, **gives}, named, gives)
votes = st.fixed_dictionaries({"what": st.just("vote"), "roll": back, "double": st.booleans()})
spending = st.builds(lambda roll, buy: {"what": "spend", "roll": roll, **buy}, back, buys)
said = st.fixed_dictionaries({"what": st.just("roller"), "call": back, "player": player})
rests = st.fixed_dictionaries({"what": st.just("rest"), "player": player})
of_roll = st.fixed_dictionaries({"roll": back})
stray = st.one_of(
    st.tuples(st.just("gil"), st.just("declare"), calls | rests | said, natural),
    st.tuples(player, st.just("modify"), offers, natural),
    st.tuples(player, st.just("roll"), gives, natural),
    st.tuples(player, st.just("declare"), votes, natural),
    st.tuples(player, st.just("reroll"), of_roll, natural),
    st.tuples(somebody, st.just("resolve"), of_roll, natural),
    st.tuples(somebody, st.just("declare"), spending, natural),
)


@st.composite
def turn(draw: st.DrawFn) -> list[Step]:
    """What a table does for one roll, in order; the rules may still refuse some of it."""
    called: dict[str, Any] = draw(calls)
    roller, *others = called["players"]
    made: list[Step] = [("gil", "declare", called, 0)]
    made += [(name, "modify", {**draw(offers), "call": 0, "roller": roller}, 0) for name in others]
    made.append((roller, "roll", {**draw(gives), "call": 0}, draw(natural)))
    made.append((roller, "roll", {"call": 0}, draw(natural)))
    made += [(name, "declare", {**draw(votes), "roll": 0}, 0) for name in called["players"]]
    made.append((roller, "reroll", {"roll": 0}, draw(natural)))
    made.append((roller, "resolve", {"roll": 0}, 0))
    made += [(name, "declare", {**draw(spending), "roll": 0}, 0) for name in (roller, roller, "gil", "gil")]
    return [step for step in made if draw(st.integers(0, 9))]


@st.composite
def steps_(draw: st.DrawFn) -> list[Step]:
    """Turns, and strays between them; between turns whoever can ends a roll that was left open."""
    made: list[Step] = []
    for found in draw(st.lists(turn() | st.lists(stray, max_size=3), min_size=3, max_size=10)):
        made += found
        made += [(name, "declare", {"what": "vote", "roll": 0, "double": False}, 0) for name in PLAYERS]
        made += [(name, "resolve", {"roll": 0}, 0) for name in PLAYERS]
    return made


steps = steps_()


def play(steps: list[Step]) -> list[Session]:
    """Every state of a game in which each step was taken if the rules allow it."""
    states = [Session.start(SYSTEM, b.Options(), ROLES)]
    for seq, (author, type_, body, drawn) in enumerate([*OPENING, *steps], 1):
        event = Event(seq, author, type_, _decode(type_, body, states[-1].game))
        try:
            after = states[-1].apply(event)
        except Violation as violation:
            clause = violation.clause
        else:
            states.append(after)
            if type_ in REQUESTS:
                states.append(after.apply(Event(seq, "host", "reveal", Leave("host")), (drawn,)))
            continue
        assert clause in CLAUSES
    return states


def _decode(type_: str, body: dict[str, Any], game: Game) -> Body:
    """The body with its numbers: those of the latest roll and call, or the one before."""
    body = dict(body)
    if "call" in body:
        body["call"] = max(1, game.last_call - body["call"])
    if "roll" in body:
        made = [roll.roll for roll in rolls(game)] or [1]
        body["roll"] = made[max(-len(made), -1 - body["roll"])]
    decoded: Body = msgspec.convert(body, SYSTEM.bodies[type_])
    return decoded


def rolls(game: Game) -> list[Roll]:
    """Those that are kept and those that are open, in the order of their requests."""
    return sorted((*game.settled, *game.opened), key=lambda roll: roll.roll)


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(steps)
def test_what_always_holds(steps: list[Step]) -> None:
    for session in play(steps):
        game: Game = session.game
        for held in game.sheets.values():
            assert held.drive >= 0
            assert 0 <= held.stress < len(held.track)
        for roll in rolls(game):
            check_modifier(roll)
            check_outcome(roll)


def check_modifier(roll: Roll) -> None:
    assert 2 <= roll.modifier <= 18
    assert [m.kind for m in roll.modifiers][:2] == ["stat", "stress"]
    assert sum(m.kind == "tag" for m in roll.modifiers) <= 1
    assert sum(m.amount for m in roll.modifiers if m.kind == "drive") <= 5
    assert all(die.result == die.natural + roll.modifier for die in roll.dice)


def check_outcome(roll: Roll) -> None:
    assert len(roll.dice) <= 2
    kinds: tuple[Kind, ...] = ("boons", "banes")
    for kind in kinds:
        assert 0 <= roll.spent(kind) <= roll.earned(kind)
    assert not (roll.earned("boons") and roll.earned("banes"))
    assert roll.outcome is None or roll.outcome.name in LADDER
    assert roll.drive == (roll.result is not None and roll.result.name.endswith("failure"))
    if roll.doubled and roll.before is not None and roll.outcome is not None:
        second = _naive(roll.dice[1].natural, roll.modifier, roll.called.difficulty)
        assert LADDER.index(roll.outcome.name) - LADDER.index(roll.before.name) == STEPS[second]


@settings(max_examples=60, deadline=None)
@given(naturals=st.lists(natural, min_size=2, max_size=2), drive=st.integers(0, 3), difficulty=st.integers(10, 30))
def test_doubling_down_is_a_choice_between_two_outcomes(naturals: list[int], drive: int, difficulty: int) -> None:
    """The second die changes the outcome and what follows from it, and nothing that the roll cost."""
    called = {"what": "call", "source": "Try", "stat": "agility", "difficulty": difficulty, "players": ["alice"]}
    begun: list[Step] = [
        ("gil", "declare", called, 0),
        ("alice", "roll", {"call": 0, "tag": "rogue", **({"drive": drive} if drive else {})}, naturals[0]),
    ]
    end: Step = ("alice", "resolve", {"roll": 0}, 0)
    stood: Game = play([*begun, end])[-1].game
    doubled: Game = play([*begun, ("alice", "reroll", {"roll": 0}, naturals[1]), end])[-1].game
    (one,), (two,) = stood.settled, doubled.settled
    assert (one.modifiers, one.dice, one.result) == (two.modifiers, two.dice[:1], two.before)
    assert one.outcome is not two.outcome
    for roll, game in ((one, stood), (two, doubled)):
        assert game.sheets["alice"].drive == 3 - drive + roll.drive
        assert game.sheets["alice"].tags["rogue"].exhausted
        assert roll.result is not None
        if roll.result.success:
            assert roll.earned("boons") == roll.result.multiple * by_difficulty(difficulty).boons + drive


@settings(max_examples=60, deadline=None)
@given(st.lists(offers, min_size=2, max_size=2), st.permutations(range(2)))
def test_the_order_of_contributions_does_not_matter(given_: list[dict[str, Any]], order: list[int]) -> None:
    """Where both can be given, the roll has the same modifiers whoever speaks first."""
    called = {"what": "call", "source": "Try", "stat": "agility", "difficulty": 14, "players": PLAYERS}
    gifts: list[Step] = [
        (name, "modify", {**gives, "call": 0, "roller": "alice"}, 0)
        for name, gives in zip(("bob", "carol"), given_, strict=True)
    ]
    rolled: Step = ("alice", "roll", {"call": 0}, 10)
    straight = play([("gil", "declare", called, 0), *gifts, rolled])[-1].game
    turned = play([("gil", "declare", called, 0), *(gifts[at] for at in order), rolled])[-1].game
    both = [all(len(roll.called.contributions) == 3 for roll in game.opened) for game in (straight, turned)]
    assert both[0] == both[1]
    if both[0]:
        assert [roll.modifiers for roll in straight.opened] == [roll.modifiers for roll in turned.opened]


@settings(max_examples=50, deadline=None)
@given(steps)
def test_drive_comes_from_failures_and_boons_alone(steps: list[Step]) -> None:
    game: Game = play(steps)[-1].game
    bought = sum(p.amount or 0 for roll in rolls(game) for p in roll.bought if p.buy == "drive")
    gained = sum(roll.drive for roll in rolls(game))
    paid = sum(m.amount for roll in rolls(game) if roll.dice for m in roll.modifiers if m.kind == "drive")
    assert sum(held.drive for held in game.sheets.values()) == 3 * len(PLAYERS) + gained + bought - paid


@settings(max_examples=50, deadline=None)
@given(steps)
def test_a_voided_request_changes_nothing_but_the_list(steps: list[Step]) -> None:
    for before, pending in pairwise(play(steps)):
        if pending.phase == "pending":
            after = pending.apply(Event(999, "host", "void", Leave("host")))
            assert replace(after.game, settled=()) == replace(before.game, settled=())


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(steps)
def test_what_a_state_shows_is_json(steps: list[Step]) -> None:
    session = play(steps)[-1]
    shown = msgspec.json.decode(msgspec.json.encode(session.view()))
    opened = [roll["roll"] for roll in shown["rolls"] if roll["status"] in ("pending", "open")]
    assert shown["open"] == opened == [roll["roll"] for roll in shown["rolls"][len(shown["rolls"]) - len(opened) :]]
    chooses = any(not roll["stands"] for roll in shown["rolls"] if roll["status"] == "open")
    if shown["waits_for"] is None:
        assert not chooses
        assert not shown["owed"]


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(steps)
def test_striking_every_roll_gives_back_what_it_cost(steps: list[Step]) -> None:
    """Without purchases and rests, striking the rolls from the last to the first leads back to the first sheets."""
    session = play([step for step in steps if step[2].get("what") not in ("spend", "rest")])[-1]
    made = [roll.roll for roll in rolls(session.game)]
    for number in [*reversed(made), *made]:
        ruling = Ruling("void", number, "All of them.")
        session = session.apply(Event(9_999, "dana", "ruling", ruling))
    assert session.game.sheets == play([])[-1].game.sheets
