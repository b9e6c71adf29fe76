"""`dice-1` offers what it takes, no more and no less (tests.support.actions has the three properties)."""

import json
from random import Random

import msgspec
import pytest

from rules import SYSTEMS, Session, Violation
from rules.data.bounds import MAX_ITEMS, MAX_TEXT
from rules.offered import offered
from rules.protocol import REQUESTS
from rules.script import ScriptEvent, read, step
from rules.systems.anydice import AnyDice
from rules.systems.anydice.bodies import Options
from tests.support import anydice_random as games
from tests.support.actions import Grammars, Props, check_complete, play_offered
from tests.support.bundles import bundled
from tests.support.scripts import Vector, scripts


def dice(random: Random) -> str:
    """Dice, some of them broken, that a body has room for."""
    while len(text := games.broken(random) if random.random() < 0.2 else games.notation(random)) > MAX_TEXT:
        pass
    return text


GRAMMARS: Grammars = {
    "roll-dice": dice,
    "table": games.table,
    "deck": lambda random: random.choice(["d0", "d1", "d2", "d3"]),
    "items": lambda random: random.choice(
        [
            [{"item": "a"}],
            [{"item": "a", "count": 2}, {"item": "b"}],
            [{"item": "a"}] * 2,
            [{"item": "a", "count": 1000}],
        ]
    ),
    "words": lambda random: random.choice(["a save", "x"]),
}


def revealed(random: Random, session: Session, seq: int, line: ScriptEvent) -> Session:
    """The session after a request, its dice drawn wave by wave."""
    waiting = step(session, seq, line)
    shown: list[int] = []
    while len(sides := waiting.sides_drawn(tuple(shown))) > len(shown):
        shown += games.naturals(random, sides[len(shown) :])
    return step(session, seq, msgspec.structs.replace(line, naturals=tuple(shown)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_it_takes_what_it_offers_and_nothing_beside_it(seed: int) -> None:
    random = Random(seed)
    props = Props(GRAMMARS, random)
    for _ in range(2):
        session = Session.start(AnyDice(), Options(), games.ROLES)
        play_offered(props, session, 60, naturals=lambda sides: games.naturals(random, sides))
    wanted = {
        "roll dice",
        "answer the call of {gm}: {source}",
        "draw from {deck}",
        "declare a deck or bag",
        "declare the deck {deck} anew",
        "declare ready-made cards",
        "declare the deck {deck} anew, with ready-made cards",
        "play from the hand, of {deck}",
        "put back into {deck}",
        "shuffle {deck}, all back in it that nobody holds",
        "remove the deck {deck}",
        "call for a roll",
        "call off {source}",
        "put on record what came out",
    }
    assert wanted <= props.accepted


@pytest.mark.parametrize("seed", range(20))
def test_what_is_accepted_was_offered(seed: int) -> None:
    """In random games that are made from schemas."""
    random = Random(seed)
    session = Session.start(SYSTEMS["dice-1"], Options(), games.ROLES)
    session = session.with_joined(games.ROLES)
    accepted = 0
    for seq in range(1, 110):
        author, type_, body = games.event(random, session)
        line = ScriptEvent(author, type_, msgspec.Raw(msgspec.json.encode(body)))
        try:
            after = revealed(random, session, seq, line) if type_ in REQUESTS else step(session, seq, line)
        except Violation:
            continue
        check_complete(session, seq, author, type_, body)
        session, accepted = after, accepted + 1
    assert accepted > 15


@bundled("vector", scripts("dice"))
def test_what_a_script_does_was_offered(vector: Vector) -> None:
    script = read(vector.data)
    session = Session.start(SYSTEMS["dice-1"], Options(), script.parties)
    session = session.with_joined(script.parties)
    latest = script.events[-3:]  # a hundred calls are no different from three
    for seq, line in enumerate(script.events, 1):
        try:
            after = step(session, seq, line)
        except Violation:
            return
        if line.type not in ("void", "close") and (len(script.events) < 20 or line in latest):
            check_complete(session, seq, line.author, line.type, json.loads(bytes(line.body)))
        session = after


def test_what_is_full_is_not_offered_and_nobody_is_not_called() -> None:
    session = Session.start(AnyDice(), Options(), games.ROLES)
    session = session.with_joined(games.ROLES)
    seq = 1

    def act(author: str, type_: str, body: dict[str, object]) -> None:
        nonlocal session, seq
        session = step(session, seq, ScriptEvent(author, type_, msgspec.Raw(msgspec.json.encode(body))))
        seq += 1

    def labels(party: str) -> set[str]:
        return {action.label.template for action in offered(session, party, seq)}

    for number in range(MAX_ITEMS):
        assert {"declare a deck or bag", "call for a roll"} <= labels("gil")
        act("gil", "declare", {"what": "deck", "deck": f"d{number}", "items": [{"item": "a"}]})
        act("gil", "declare", {"what": "call", "source": "a save", "dice": "d20"})
    assert not {"declare a deck or bag", "call for a roll"} & labels("gil")
    assert "answer the call of {gm}: {source}" in labels("bob")
    act("gil", "declare", {"what": "remove", "deck": "d7"})
    act("gil", "declare", {"what": "withdraw", "call": 2})
    assert {"declare a deck or bag", "call for a roll"} <= labels("gil")
    for party in ("alice", "bob"):
        act(party, "leave", {"party": party})
    Props(GRAMMARS, Random(1)).check(session, seq)
