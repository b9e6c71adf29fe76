"""What The 9th Age offers is what it takes (tests.support.actions); its one-line notation (specs/t9a.md)."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import SYSTEMS, Session, Violation
from rules.base import NotationError
from rules.offered import offered
from rules.script import read, step
from rules.systems.t9a import NinthAge, bodies
from rules.systems.t9a.notation import NOTATIONS
from tests.conftest import SPECS
from tests.oracles.test_properties import PARTIES, code_step
from tests.oracles.test_t9a_differential import Marshal
from tests.support.actions import Grammars, Props, check_complete, play_offered
from tests.support.bundles import bundled
from tests.support.differential import shown
from tests.support.scripts import Vector, scripts

ROLES: dict[str, rules.Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge"}


# --- grammars --------------------------------------------------------------------------------------------------------


def _naturals(random: Random) -> list[int]:
    return random.sample(range(1, 7), random.randint(1, 3))


def _reroll(random: Random) -> dict[str, Any]:
    which = random.choice(["failed", "failed", "successful", "natural", "any", "throw"])
    rule: dict[str, Any] = {"source": random.choice(["Hatred", "Hex"]), "which": which}
    if which == "natural":
        rule["naturals"] = _naturals(random)
    if random.random() < 0.5:
        rule["may"] = True
    if random.random() < 0.4:
        rule["pick"] = random.randint(1, 3)
    if random.random() < 0.3:
        rule["first"] = True
    if which not in ("natural", "any") and random.random() < 0.4:
        rule["dropped"] = True
    return rule


def _modifier(random: Random) -> dict[str, Any]:
    if random.random() < 0.3:
        return {"source": "Rage", "multiply": random.choice([2, 3, 10**9])}
    return {"source": "Fog", "add": random.choice([1, -1, 2, -3])}


GRAMMARS: Grammars = {
    "dice": lambda random: random.choice([*["1d6", "2d6"] * 4, "d6", "d3", "direction", "direction-d6", "d8"]),
    "target": lambda random: random.choice([*["4+", "3+", "7-"] * 3, "2d6"]),
    "modifier": _modifier,
    "modifiers": lambda random: [_modifier(random) for _ in range(random.randint(0, 2))],
    "sources": lambda random: ["Swiftstride"] * random.randint(1, 2),
    "always": lambda random: {"success": [6]} if random.random() < 0.7 else {"success": [1], "failure": [1]},
    "reroll": _reroll,
    "rerolls": lambda random: [_reroll(random) for _ in range(random.randint(0, 2))],
}


def _shown(random: Random) -> Callable[[tuple[int, ...]], list[int]]:
    return lambda sides: [random.randint(1, n) for n in sides]


# --- what is offered -------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_the_ninth_age_takes_what_it_offers_and_nothing_beside_it(seed: int) -> None:
    props = _played(seed, games=6)
    assert {"roll dice", "keep what shows", "bring a modifier", "bring a reroll rule"} <= props.accepted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_the_ninth_age_takes_what_it_offers_in_many_games(seed: int) -> None:
    _played(1000 + seed, games=12)


def test_every_action_is_offered_and_accepted() -> None:
    """In states that random games seldom come to."""
    props = Props(GRAMMARS, Random("t9a states"))
    may = {"source": "Charm", "which": "any", "may": True, "first": True}
    order = {"source": "Hatred", "which": "failed", "pick": 2, "first": True, "dropped": True}
    roll = {
        "source": "to hit",
        "dice": "2d6",
        "times": 3,
        "target": "8+",
        "maximised": ["Rage"],
        "rerolls": [may, order],
    }
    events: list[tuple[str, str, dict[str, Any], list[int]]] = [
        ("alice", "roll", roll, [1, 2, 3, 6, 6, 6, 1, 1, 1]),
        ("alice", "reroll", {"roll": 1, "rule": 1, "dice": [3, 5]}, [4, 5]),
        ("alice", "reroll", {"roll": 1, "rule": 2}, [1, 6, 1, 2, 3]),
        ("alice", "ignore", {"roll": 1, "throws": [3]}, []),
        ("alice", "resolve", {"roll": 1}, []),
    ]
    session = Session.start(NinthAge(), bodies.Options(), ROLES)
    session = session.with_joined(ROLES)
    for seq, (player, type_, body, naturals) in enumerate(events, 1):
        event = {"author": player, "type": type_, "body": body} | ({"naturals": naturals} if naturals else {})
        session, violation = code_step(session, seq, event)
        assert violation is None
        for _ in range(3):
            props.check(session, seq + 1)
    assert props.accepted >= {
        "roll dice",
        "roll for what succeeded",
        "roll for what failed",
        "reroll {which}, as {source} lets you",
        "reroll {which}, as {source} orders",
        "let the first result stand",
        "keep what shows",
        "bring a modifier",
        "bring a reroll rule",
    }, props.offered - props.accepted


def _played(seed: int, games: int) -> Props:
    random = Random(f"t9a {seed}")
    props = Props(GRAMMARS, random)
    for _ in range(games):
        session = Session.start(NinthAge(), bodies.Options(), ROLES)
        session = session.with_joined(ROLES)
        play_offered(props, session, 26, naturals=_shown(random))
    return props


@bundled("vector", scripts("t9a"))
def test_what_a_script_brings_was_offered(vector: Vector) -> None:
    script = read(vector.data)
    system = SYSTEMS[script.system]
    session = Session.start(system, bodies.Options(), script.parties)
    if not any(event.type == "join" for event in script.events):
        session = session.with_joined(script.parties)
    for seq, line in enumerate(script.events, 1):
        try:
            after = step(session, seq, line)
        except Violation:
            return
        if line.type in system.bodies:
            check_complete(session, seq, line.author, line.type, json.loads(bytes(line.body)))
            _check_due(session)
        session = after


@pytest.mark.parametrize("seed", range(8))
def test_what_a_game_made_from_the_schemas_brings_was_offered(seed: int) -> None:
    """Made by who knows nothing of actions."""
    deal = Marshal(Random(f"t9a offered {seed}"))
    taken: Counter[str] = Counter()
    for _ in range(4):
        session = Session.start(NinthAge(), bodies.Options(), PARTIES)
        session = session.with_joined(PARTIES)
        seq = 1
        for _ in range(60):
            event = deal.event(session.view())
            before, (session, violation) = session, code_step(session, seq, event)
            if violation is not None:
                continue
            if session.phase == "pending" and not deal.chance(10):
                session, _ = code_step(before, seq, event | {"naturals": shown(deal, session)})
            if event["type"] in session.system.bodies:
                check_complete(before, seq, event["author"], event["type"], event["body"])
                taken[event["type"]] += 1
            _check_due(session)
            seq += 1
    assert set(taken) >= {"roll", "reroll", "modify", "declare", "resolve"}


FIGHT = (
    ("alice", "10 to hit 4+ reroll failed (Hatred)", [6, 5, 4, 4, 3, 1, 5, 6, 2, 6, 5, 1, 4], 9),
    ("alice", "to wound 3+ of successes reroll 1s (Lethal)", [1, 2, 3, 4, 5, 6, 2, 3, 4, 6], 7),
    ("bob", "armour 4+ of successes -1 (AP 1)", [4, 5, 6, 1, 2, 5, 3], 3),
    ("bob", "aegis 5+ of failures reroll 1s (Blessed)", [1, 5, 2, 6, 5], 3),
    ("bob", "break test 2d6 8- may reroll failed (Rally)", [5, 4], 0),
)


def test_a_fight_takes_six_events() -> None:
    """To hit, to wound, armour, aegis, break test, with rerolls (issue “Play light”); with its end, nothing waits."""
    session = Session.start(NinthAge(), bodies.Options(), ROLES)
    session = session.with_joined(ROLES)
    events = 0
    for player, line, naturals, successes in FIGHT:
        events += 1
        body = NOTATIONS[bodies.RollBody].parse(line)
        event = {"author": player, "type": "roll", "body": body, "naturals": naturals}
        session, violation = code_step(session, events, event)
        assert violation is None, line
        assert session.view()["rolls"][-1]["successes"] == successes, line
    (reroll,) = (action for action in offered(session, "bob", 6) if action.due and action.type == "reroll")
    event = {"author": "bob", "type": "reroll", "body": dict(reroll.body), "naturals": [3, 2]}
    session, violation = code_step(session, events + 1, event)
    assert violation is None
    assert session.waits_for() is None
    assert session.view()["rolls"][-1]["successes"] == 1


def _check_due(session: Session) -> None:
    """Due is what is waited for, and where nothing is, what stands is settled (specs/rules.md)."""
    if session.phase != "idle":
        return
    waits = session.waits_for()
    due = {name for name in session.parties.roles for action in offered(session, name, 99) if action.due}
    assert due - set(session.owes) <= ({waits.party} if waits else set())
    settled = session.system.settle(session.game)
    assert (settled.open is None) == (waits is None)


# --- one line --------------------------------------------------------------------------------------------------------

texts = st.text(
    st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs")) | st.sampled_from("é“−×　"), min_size=1
)
names = st.one_of(st.sampled_from(["to hit", "Advance Rate", "Hatred", "reroll any", "of successes", "at once"]), texts)
naturals = st.lists(st.integers(1, 6), min_size=1, max_size=6)


def _some(**members: st.SearchStrategy[Any]) -> Mapping[str, st.SearchStrategy[Any]]:
    return members


modifiers = st.one_of(
    st.fixed_dictionaries({"source": names, "add": st.integers(-(10**9), 10**9).filter(bool)}),
    st.fixed_dictionaries({"source": names, "multiply": st.integers(2, 10**9)}),
)
flags = st.just(True)
rerolls = st.one_of(
    st.fixed_dictionaries(
        {"source": names, "which": st.just("natural"), "naturals": naturals},
        optional=_some(may=flags, pick=st.integers(1, 1000), first=flags),
    ),
    st.fixed_dictionaries(
        {"source": names, "which": st.just("any")}, optional=_some(may=flags, pick=st.integers(1, 1000), first=flags)
    ),
    st.fixed_dictionaries(
        {"source": names, "which": st.sampled_from(["failed", "successful", "throw"])},
        optional=_some(may=flags, pick=st.integers(1, 1000), first=flags, dropped=flags),
    ),
)
always = st.fixed_dictionaries({}, optional=_some(success=naturals, failure=naturals))
rolls = st.fixed_dictionaries(
    {
        "source": names,
        "dice": st.one_of(
            st.sampled_from(["1d6", "d6", "2d6", "10d6", "d3", "3d3", "2d6+1d6", "direction", "direction-d6"]), texts
        ),
    },
    optional=_some(
        times=st.integers(1, 1000),
        of=st.sampled_from(["successes", "failures"]),
        maximised=st.lists(names, min_size=1, max_size=3),
        minimised=st.lists(names, min_size=1, max_size=3),
        modifiers=st.lists(modifiers, min_size=1, max_size=3),
        target=st.one_of(st.sampled_from(["4+", "13+", "8-", "1+"]), texts),
        always=always,
        rerolls=st.lists(rerolls, min_size=1, max_size=3),
        at_once=flags,
        zero=names,
    ),
)


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        (bodies.RollBody, rolls),
        (bodies.Modifier, modifiers),
        (bodies.RerollRule, rerolls),
        (bodies.Always, always),
    ],
)
def test_what_is_written_reads_as_it_was(schema: type, values: st.SearchStrategy[Any]) -> None:
    notation = NOTATIONS[schema]

    @settings(deadline=None)
    @given(values)
    def check(value: dict[str, Any]) -> None:
        msgspec.convert(value, schema)
        assert notation.parse(notation.write(value)) == value

    check()
    assert notation.write(notation.parse(notation.example)) == notation.example
    msgspec.convert(notation.parse(notation.example), schema)


def test_the_example_of_the_page_is_played_and_written_on_one_line() -> None:
    page = (SPECS / "t9a.md").read_text()
    block = page.partition("```json\n")[2].partition("```")[0]
    events = json.loads("[" + re.sub(r"^(?!\A)(?=\{)", ",", block, flags=re.MULTILINE) + "]")
    lines = re.findall(r"`([^`]+)`", page.partition("On one line each (*Notation*): ")[2].partition("\n\n")[0])
    rolled = [event["body"] for event in events if event["type"] == "roll"]
    assert [NOTATIONS[bodies.RollBody].parse(line) for line in lines] == rolled
    session = Session.start(NinthAge(), bodies.Options(), ROLES)
    session = session.with_joined(ROLES)
    for seq, event in enumerate(events, 1):
        session, violation = code_step(session, seq, event)
        assert violation is None, event
    assert session.waits_for() is None
    assert session.view()["rolls"][-1]["successes"] == 2


HIT = {"source": "to hit", "dice": "1d6", "times": 10, "target": "4+"}


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("10 to hit 4+", HIT),
        ("10d6 to hit 4+", HIT),
        ("to hit, 4+, 10", HIT),
        ("10 X 1D6 to hit 4+", HIT),
        ("10d6 to hit 4+ -1 (Fog)", HIT | {"modifiers": [{"source": "Fog", "add": -1}]}),
        ("10D6 to hit 11+ always 6", HIT | {"target": "11+", "always": {"success": [6]}}),
        (
            "10d6 to hit 4+ reroll failed (Hatred)",
            HIT | {"rerolls": [{"source": "Hatred", "which": "failed"}], "at_once": True},
        ),
        ("10 to hit 4+ reroll failed (Hatred) later", HIT | {"rerolls": [{"source": "Hatred", "which": "failed"}]}),
        (
            "10 to hit 4+ MAY REROLL 1s",
            HIT | {"rerolls": [{"source": "to hit", "which": "natural", "naturals": [1], "may": True}]},
        ),
        (
            "2d6 charge range + 5 (Advance Rate) maximised (Swiftstride) 13+",
            {
                "source": "charge range",
                "dice": "2d6",
                "modifiers": [{"source": "Advance Rate", "add": 5}],
                "maximised": ["Swiftstride"],
                "target": "13+",
            },
        ),
        ("break test 2d6 8-", {"source": "break test", "dice": "2d6", "target": "8-"}),
        ("sum 2d6 cast 5+", {"source": "cast", "dice": "2d6", "target": "5+"}),
        ("sum 10d6 to hit 4+", {"source": "to hit", "dice": "10d6", "target": "4+"}),
        ("2d6 cast 7+", {"source": "cast", "dice": "2d6", "target": "7+"}),
        ("to wound 3+ of successes", {"source": "to wound", "dice": "1d6", "target": "3+", "of": "successes"}),
        ("d3 wounds", {"source": "wounds", "dice": "d3"}),
        (
            "d6x2+1 Rage",
            {
                "source": "Rage",
                "dice": "d6",
                "modifiers": [{"source": "Rage", "multiply": 2}, {"source": "Rage", "add": 1}],
            },
        ),
        ("d6 − 1 (Mud) Rage", {"source": "Rage", "dice": "d6", "modifiers": [{"source": "Mud", "add": -1}]}),
        (
            "direction direction of flight zero (north)",
            {"source": "direction of flight", "dice": "direction", "zero": "north"},
        ),
        (
            "2d6 maximized (A) (B) minimised flight",
            {"source": "flight", "dice": "2d6", "maximised": ["A", "B"], "minimised": ["flight"]},
        ),
        ('2d6 "Multiple Wounds 2"', {"source": "Multiple Wounds 2", "dice": "2d6"}),
        ("2d6 flee (", None),
        ("2d6", None),
        ("to hit 4+", None),
        ("2d6 to hit 4+", None),
        ("5d6 to wound 6+", None),
        ("10d6 x2 (Rage) 4+ fire", None),
        ("10d6 -8 (Rage) 4+ fire", None),
        ("10 to hit 4+ rerol failed", None),
        ("10 to hit 4+ 5+", None),
        ("10 to hit 2d6", None),
        ("10 to hit always 6 always 5", None),
        ("1234567890123456 to hit", None),
    ],
)
def test_a_line_says(line: str, body: dict[str, Any] | None) -> None:
    parse = NOTATIONS[bodies.RollBody].parse
    if body is None:
        with pytest.raises(NotationError):
            parse(line)
    else:
        assert parse(line) == body
        msgspec.convert(body, bodies.RollBody)


@pytest.mark.parametrize("line", ["failed", "reroll failed", "-1", "reroll failed (a) reroll any (b)", "always 6", "x"])
def test_a_part_alone_says_whose_it_is(line: str) -> None:
    for schema in (bodies.Modifier, bodies.RerollRule):
        with pytest.raises(NotationError):
            NOTATIONS[schema].parse(line)
