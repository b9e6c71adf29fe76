"""Warhammer 40,000 offers what it takes, no more and no less (tests.support.actions has the three properties)."""

import json
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from rules import SYSTEMS, Role, Session, Violation
from rules.script import ScriptEvent, read, step
from rules.systems.wh40k.bodies import Options
from rules.systems.wh40k.terms import OF_ATTACKER, OF_DEFENDER
from tests.oracles.test_wh40k_differential import PARTIES, Commander
from tests.support.actions import Grammars, Props, check_complete, play_offered
from tests.support.scripts import scripts

SYSTEM = SYSTEMS["wh40k-9e"]
ROLES: dict[str, Role] = {"host": "keeper", "alice": "player", "bob": "player", "dana": "judge", "cleo": "player"}

# --- grammars: what the free fields take ---------------------------------------------------------------------------


def several(make: Callable[[Random], Any], most: int = 2, least: int = 0) -> Callable[[Random], list[Any]]:
    return lambda random: [make(random) for _ in range(random.randint(least, most))]


def change(random: Random, on: str = "D") -> dict[str, Any]:
    if on in ("hit", "wound", "save", "invulnerable", "roll"):
        op = random.choice(["add", "add", "subtract", "subtract", "divide", "multiply"])
    elif on == "AP":
        op = random.choice(["worsen", "improve", "set", "treat", "multiply"])
    else:
        op = random.choice(["add", "subtract", "divide", "multiply", "set", "treat", "floor"])
    amount = random.choice([1, 1, 1, 2, 3, 100])
    if op in ("set", "treat"):
        amount = -random.choice([0, 1, 2]) if on == "AP" else random.choice([1, 2, 4, 0])
    when = {"when": [random.randint(1, 6)]} if op in ("set", "treat") and random.random() < 0.5 else {}
    return {"source": random.choice(["a", "b"]), "op": op, "amount": amount, **when}


def modifier(random: Random) -> dict[str, Any]:
    ons = ["hit", "wound", "save", "invulnerable", "hit", "BS", "WS", "S", "T", "A", "AP", "D", "Sv"]
    on = random.choice(ons)
    return {**change(random, on), "on": on}


def plain_rule(random: Random) -> dict[str, Any]:
    rule: dict[str, Any] = {"source": random.choice(["x", "y"])}
    rule |= random.choice([{}, {"results": [1]}, {"results": [6, 1]}, {"failed": True}, {"failed": True}])
    return rule | ({"apart": True} if random.random() < 0.2 else {})


def reroll_rule(random: Random) -> dict[str, Any]:
    rule = plain_rule(random)
    rule |= random.choice([{}, {}, {}, {"most": random.randint(1, 2)}, {"by": random.choice(list(ROLES))}])
    return rule | ({"always": True} if {"most", "by"}.isdisjoint(rule) and random.random() < 0.2 else {})


def ability(random: Random, always: bool = False) -> dict[str, Any]:
    """An ability; with `always` that of an attacker, which may say it of own rolls."""
    match random.randrange(10):
        case 8:
            return {"kind": "wounds-on", "source": "Poison", "needs": random.choice([2, 4, 4])}
        case 9:
            named = {
                "kind": random.choice(["passes", "fails"]),
                "source": "Venom",
                "on": random.choice(["hit", "wound"]),
            }
            return {**named, "results": random.choice([[1, 2, 3], [4, 5, 6], [6, 2]])}
        case 0:
            return {"kind": "auto-hit", "source": "Flamer"}
        case 1:
            return {"kind": "blast", "source": "Frag"}
        case 2 | 3 | 4:
            of = random.choice(["hit", *OF_ATTACKER, *OF_DEFENDER])
            rule = reroll_rule(random)
            if not always or of in OF_DEFENDER:
                rule.pop("always", None)
            return {"kind": "reroll", "of": of, **rule}
    on = random.choice(["hit", "wound"])
    does = random.choice(["extra_hits", "extra_attacks", "wound", "mortal", "slay"])
    does = random.choice(["mortal", "improve_ap"]) if on == "wound" else does
    found: dict[str, Any] = {"kind": "trigger", "source": "t", "on": on, "results": [6], "does": does}
    if does not in ("wound", "slay"):
        found["amount"] = random.choice([1, 2, "d3"] if does in ("mortal", "extra_hits") else [1, 2])
    return found


def group(random: Random) -> dict[str, Any]:
    found: dict[str, Any] = {
        "target": random.choice(["u1", "u2", "u3", "u4"]),
        "weapon": random.choice(["Bolter", "Plasma"]),
        "type": random.choice(["ranged", "ranged", "melee"]),
        "A": random.choice([1, 2, 3, "d6", "2d3", "user"]),
        "S": random.choice([4, 4, 4, 8, "user", "d6"]),
        "AP": random.choice([0, -1, -3, -6]),
        "D": random.choice([1, 1, 2, "d3", "2d6dl1"]),
    }
    if random.random() < 0.7:
        found["bearers"] = sorted(random.sample(range(1, 6), random.randint(1, 3)))
    for name, make in (("modifiers", modifier), ("abilities", partial(ability, always=True))):
        if random.random() < 0.4:
            found[name] = several(make)(random)
    return found | ({"once": True} if random.random() < 0.1 else {})


def line(random: Random) -> dict[str, Any]:
    stats = {"M": random.choice([6, 6, "2d6"]), "WS": 3, "BS": random.choice([3, 4, "-"]), "S": 4, "T": 4}
    more = {"W": random.choice([1, 1, 2, 3]), "A": random.choice([1, 2, "d3"]), "Ld": 7}
    more["Sv"] = random.choice([3, 6, "-"])
    wards = {name: 5 for name in ("invulnerable", "ignores_wounds", "ignores_mortal") if random.random() < 0.3}
    return {"count": random.randint(1, 5), "name": random.choice(["Boy", "Nob"]), **stats, **more, **wards}


def dice(random: Random) -> str:
    return random.choice(["d6", "2d6", "10d6", "d3", "2d3+1", "3d6dh1", "4d6dl1+2", "d20", "d6+d6", "dice"])


GRAMMARS: Grammars = {
    "id": lambda random: random.choice(["u1", "u2", "u3", "u4"]),
    "models": several(line, 2, 1),
    "printed": lambda random: random.choice([3, 4, 0, -2, "-"]),
    "changes": several(partial(change, on="roll"), 2, 1),
    "ap-changes": several(partial(change, on="AP"), 2, 1),
    "modifiers": several(modifier, 2, 1),
    "abilities": several(ability, 2, 1),
    "groups": several(group, 3, 1),
    "dice": dice,
    "integers": lambda random: [random.randint(1, 12)],
    "plain-rule": plain_rule,
    "reroll-rule": reroll_rule,
    "reroll-rules": several(reroll_rule),
}


def options(random: Random) -> Options:
    return Options(random.random() < 0.8, random.random() < 0.6, random.random() < 0.5)


# --- sound, exact --------------------------------------------------------------------------------------------------


def begun(random: Random) -> Session:
    """A game with units on the table."""
    session = Session.start(SYSTEM, options(random), ROLES)
    session = session.with_joined(ROLES)
    for seq, (player, unit) in enumerate((("alice", "u1"), ("bob", "u2"), ("bob", "u3")), 1):
        lines = [{**line(random), "count": 5 if number == 0 else 1, "M": 6} for number in range(random.randint(1, 2))]
        body = {"what": "unit", "unit": unit, "name": unit, "models": lines}
        session = step(session, seq, ScriptEvent(player, "declare", msgspec.Raw(json.dumps(body).encode())))
    return session


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_what_is_offered_is_taken_and_nothing_beside_it(seed: int) -> None:
    random = Random(seed)
    props = Props(GRAMMARS, random)
    play_offered(props, begun(random), 20, naturals=lambda sides: [random.randint(1, n) for n in sides])


def test_what_always_happens_is_for_the_player_who_rolls_to_declare() -> None:
    random = Random(0)
    groups = [
        {"target": target, "weapon": "Knife", "type": "melee", "bearers": [1], "A": 1, "S": 4, "AP": 0, "D": 1}
        for target in ("u2", "u3")
    ]
    body = {"what": "attacks", "unit": "u1", "groups": groups}
    session = step(begun(random), 4, ScriptEvent("alice", "declare", msgspec.Raw(json.dumps(body).encode())))
    props = Props(GRAMMARS, random)
    props.check(session, 5)
    assert {
        "declare what is always rerolled of your attacks",
        "declare what is always rerolled of your saves",
    } <= props.accepted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_what_is_offered_is_taken_in_many_games(seed: int) -> None:
    random = Random(f"slow {seed}")
    props = Props(GRAMMARS, random)
    play_offered(props, begun(random), 50, naturals=lambda sides: [random.randint(1, n) for n in sides])


# --- complete ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(4))
def test_every_event_of_the_vectors_was_offered(part: int) -> None:
    for vector in scripts("wh40k")[part::4]:
        script = read(vector.data)
        session = Session.start(SYSTEM, msgspec.json.decode(script.options, type=Options), script.parties)
        if not any(event.type == "join" for event in script.events):
            session = session.with_joined(script.parties)
        for seq, event in enumerate(script.events, 1):
            before = session
            try:
                session = step(session, seq, event)
            except Violation:
                break
            if event.type in SYSTEM.bodies:
                check_complete(before, seq, event.author, event.type, msgspec.json.decode(event.body))


def _random_game(random: Random, length: int) -> int:
    told = options(random)
    deal = Commander(random, told)
    session = Session.start(SYSTEM, told, PARTIES)
    session = deal.session = session.with_joined(PARTIES)
    accepted = 0
    for seq in range(1, length + 1):
        event = deal.event(session.view())
        line_ = ScriptEvent(event["author"], event["type"], msgspec.Raw(json.dumps(event["body"]).encode()))
        try:
            after = step(session, seq, line_)
        except Violation:
            deal.offered = None
            deal.session = session
            continue
        if event["type"] in SYSTEM.bodies:
            check_complete(session, seq, event["author"], event["type"], event["body"])
            accepted += 1
        if after.phase == "pending":
            shown: list[int] = []
            while len(sides := after.sides_drawn(tuple(shown))) > len(shown):
                shown += [random.randint(1, n) for n in sides[len(shown) :]]
            after = step(session, seq, msgspec.structs.replace(line_, naturals=tuple(shown)))
        session = deal.session = after
        deal.offered, deal.seq = None, seq
    return accepted


@pytest.mark.parametrize("seed", range(6))
def test_every_event_of_a_random_game_was_offered(seed: int) -> None:
    assert _random_game(Random(f"complete {seed}"), 60) > 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_every_event_of_many_random_games_was_offered(seed: int) -> None:
    _random_game(Random(f"complete slow {seed}"), 150)
