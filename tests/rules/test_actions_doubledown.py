"""What Double Down offers is what it takes, no more and no less; and what people type says what they mean."""

import json
import re
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules import Session, Violation
from rules.base import NotationError
from rules.data.text import TEXT_PATTERN
from rules.protocol import REQUESTS
from rules.script import ScriptError, ScriptEvent, read, step
from rules.systems.doubledown import DoubleDown
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown.notation import NOTATIONS
from tests.oracles.test_doubledown_differential import PARTIES, GameMaster
from tests.support.actions import Grammars, Props, check_complete, play_offered
from tests.support.bundles import bundled
from tests.support.scripts import Vector, scripts

NATURALS = (1, 2, 3, 8, 12, 18, 19, 20)


def _stars(random: Random, most: int) -> int:
    return random.choice([random.randint(1, most)] * 9 + [0, most + 1])


GRAMMARS: Grammars = {
    "stats": lambda random: {"agility": _stars(random, 5), **({"wits": 2} if random.random() < 0.6 else {})},
    "track": lambda random: [_stars(random, 3) for _ in range(random.choice([0, 1, 2, 3, 3, 4, 4]))],
    "number": lambda random: random.choice([0, 0, 0, 1, 1, 2, 3, 1_000]),
    "tags": lambda random: {
        "rogue": {"stars": _stars(random, 5)},
        **random.choice([{}, {"loud": {"stars": 1, "exhausted": True}}]),
    },
    "id": lambda random: random.choice(["agility", "wits", "wits", "charm"]),
}
"""The grammars of free fields (specs/doubledown.md, "Notations"), as JSON."""


def ready(parties: dict[str, rules.Role]) -> Session:
    session = Session.start(DoubleDown(), b.Options(), parties)
    return session.with_joined(parties)


def naturals(random: Random, sides: tuple[int, ...]) -> list[int]:
    return [random.choice(NATURALS) for _ in sides]


TABLE: dict[str, rules.Role] = {
    "host": "keeper",
    "gil": "gm",
    "alice": "player",
    "bob": "player",
    "cleo": "player",
    "gwen": "gm",
    "dana": "judge",
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_double_down_takes_what_it_offers_and_nothing_beside_it(seed: int) -> None:
    props = play(f"offered {seed}", 50)
    assert {"make roll {source}", "contribute to {source}"} <= props.accepted


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_it_takes_what_it_offers_in_many_games(seed: int) -> None:
    play(f"slow {seed}", 150)


def play(seed: str, length: int) -> Props:
    random = Random(seed)
    props = Props(GRAMMARS, random)
    play_offered(props, begun(random), length, naturals=lambda sides: naturals(random, sides))
    return props


def begun(random: Random) -> Session:
    """A game in which sheets are in force and a few calls stand, so that a short one comes to all that there is."""
    session = ready(TABLE)
    seq = 0
    for name in ("alice", "bob", "cleo"):
        sheet = {
            "what": "sheet",
            "character": name.title(),
            "stats": {"agility": 3},
            "track": [1, 2, 3],
            "stress": 1,
            "tags": {"rogue": {"stars": 2}, "loud": {"stars": 1, "exhausted": True}},
            "drive": random.choice([0, 2]),
        }
        if random.random() < 0.5:
            sheet["stats"] = {"agility": 2, "wits": 1}
        for author, body in ((name, sheet), ("gil", {"what": "confirm", "player": name})):
            seq += 1
            session = step(session, seq, line(author, "declare", body))
    for _ in range(3):
        seq += 1
        players = random.sample(["alice", "bob", "cleo"], random.choice([1, 2, 3]))
        body = {"what": "call", "source": "Try", "stat": "agility", "difficulty": 14, "players": players}
        session = step(session, seq, line("gil", "declare", body))
    return session


def line(author: str, type: str, body: dict[str, Any], shown: tuple[int, ...] = ()) -> ScriptEvent:
    raw = msgspec.Raw(msgspec.json.encode(body))
    return ScriptEvent(author, type, raw, shown) if shown else ScriptEvent(author, type, raw)


# --- complete --------------------------------------------------------------------------------------------------------


@pytest.mark.long
@bundled("vector", scripts("doubledown"))
def test_every_event_of_a_script_was_offered(vector: Vector) -> None:
    script = read(vector.data)
    session = Session.start(DoubleDown(), b.Options(), script.parties)
    if not any(event.type == "join" for event in script.events):
        session = session.with_joined(script.parties)
    props = Props(GRAMMARS, Random(vector.stem))
    for seq, event in enumerate(script.events, 1):
        try:
            after = step(session, seq, event)
        except Violation:
            break
        if event.type not in ("close", "void"):
            check_complete(session, seq, event.author, event.type, json.loads(bytes(event.body)))
        session = after
    if len(session.parties.joined) == len(script.parties) and len(session.game.calls) < 10:
        props.check(session, len(script.events) + 1)


@pytest.mark.parametrize("seed", range(8))
def test_every_event_that_is_taken_was_offered(seed: int) -> None:
    """Games made up from the schemas, and from the state that is shown."""
    deal = GameMaster(Random(f"offered {seed}"))
    taken: set[str] = set()
    for _ in range(3):
        session, seq = ready(PARTIES), 1
        for _ in range(100):
            event = deal.event(session.view())
            try:
                after = step(session, seq, line(event["author"], event["type"], event["body"]))
                if after.draw and not deal.chance(8):
                    shown = tuple(deal.naturals(after.draw))
                    after = step(session, seq, line(event["author"], event["type"], event["body"], shown))
            except (Violation, ScriptError):
                continue
            if event["type"] not in ("close", "void"):
                check_complete(session, seq, event["author"], event["type"], event["body"])
            taken.add(event["body"].get("what", event["type"]))
            session, seq = after, seq + 1
    assert {"sheet", "confirm", "call", "modify", *REQUESTS, "resolve", "vote", "spend", "away"} <= taken


# --- notations -------------------------------------------------------------------------------------------------------

identifier = st.from_regex(r"\A[a-z0-9._-]{1,40}\Z") | st.sampled_from(
    ["stat", "stress", "tag", "call", "drive", "irrelevant", "for", "roll", "exhausted", "support", "rolls", "3", "-1"]
)
name = st.from_regex(r"\A[a-z0-9][a-z0-9._-]{0,31}\Z") | st.sampled_from(["for", "rolls", "alice"])
text = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from(' ;:,"'), min_size=1
).filter(lambda text: re.fullmatch(TEXT_PATTERN, text) is not None)
number = st.integers(1, 2**53 - 1)
integer = st.integers(-(2**53) + 1, 2**53 - 1)
yes = st.just(True)
tag = st.fixed_dictionaries({"stars": integer}, optional={"exhausted": yes})


def tagged(body: dict[str, Any], irrelevant: bool) -> dict[str, Any]:
    return body | ({"irrelevant": True} if irrelevant and "tag" in body else {})


BODIES: dict[Any, st.SearchStrategy[Any]] = {
    b.RollBody: st.builds(
        tagged, st.fixed_dictionaries({"call": number}, optional={"tag": identifier, "drive": number}), st.booleans()
    ),
    b.ModifyBody: st.builds(
        tagged,
        st.fixed_dictionaries(
            {"call": number, "roller": name},
            optional={"stat": yes, "stress": yes, "tag": identifier, "drive": number},
        ),
        st.booleans(),
    ),
    b.DeclareCall: st.fixed_dictionaries(
        {
            "what": st.just("call"),
            "source": text,
            "stat": identifier,
            "difficulty": integer,
            "players": st.lists(name, max_size=3),
        },
        optional={"support": yes, "combat": yes},
    ),
    b.DeclareSpend: st.builds(
        lambda roll, buy: {"what": "spend", "roll": roll, **buy},
        number,
        st.one_of(
            st.fixed_dictionaries(
                {"buy": st.sampled_from(["stress", "drive"])},
                optional={"player": name, "amount": st.integers(1, 1_000)},
            ),
            st.fixed_dictionaries({"buy": st.just("tension")}, optional={"amount": st.integers(1, 1_000)}),
            st.fixed_dictionaries({"buy": st.just("tag"), "tag": identifier}, optional={"player": name}),
            st.fixed_dictionaries(
                {"buy": st.sampled_from(["story", "complication"]), "amount": st.integers(1, 1_000), "text": text}
            ),
        ),
    ),
    b.DeclareSheet: st.fixed_dictionaries(
        {
            "what": st.just("sheet"),
            "character": text,
            "stats": st.dictionaries(identifier, integer, max_size=3),
            "track": st.lists(integer, max_size=4),
            "stress": st.integers(0, 1_000),
            "tags": st.dictionaries(identifier, tag, max_size=3),
            "drive": st.integers(0, 1_000),
        }
    ),
    b.Stats: st.dictionaries(identifier, integer, max_size=3),
    b.Track: st.lists(integer, max_size=4),
    b.Tags: st.dictionaries(identifier, tag, max_size=3),
    b.TagBody: tag,
}


@pytest.mark.long
@pytest.mark.parametrize("schema", BODIES, ids=lambda schema: NOTATIONS[schema].grammar)
@settings(max_examples=60)
@given(data=st.data())
def test_what_is_written_is_read_as_it_was(schema: Any, data: st.DataObject) -> None:
    notation, value = NOTATIONS[schema], data.draw(BODIES[schema])
    assert notation.parse(notation.write(value)) == value


def test_every_notation_has_a_strategy_and_an_example() -> None:
    assert set(BODIES) == set(NOTATIONS)
    for schema, notation in NOTATIONS.items():
        assert notation.write(notation.parse(notation.example)) == notation.example
        filled = {b.RollBody: {"call": 1}, b.ModifyBody: {"call": 1}, b.DeclareSpend: {"roll": 4}}.get(schema, {})
        assert msgspec.convert({**filled, **notation.parse(notation.example)}, schema) if filled else True


@pytest.mark.parametrize(
    ("schema", "text_", "value"),
    [
        (b.RollBody, "", {}),
        (b.RollBody, "Drive 2, Four Arms", {"drive": 2, "tag": "four-arms"}),
        (b.RollBody, "call 2, loud irrelevant", {"call": 2, "tag": "loud", "irrelevant": True}),
        (b.RollBody, "stat", {"tag": "stat"}),
        (b.RollBody, "tag call irrelevant", {"tag": "call", "irrelevant": True}),
        (b.RollBody, "tag 0", {"tag": "0"}),
        (b.ModifyBody, "alice rolls, stat, tag stat", {"roller": "alice", "stat": True, "tag": "stat"}),
        (b.DeclareSpend, "stress", {"what": "spend", "buy": "stress"}),
        (b.DeclareSpend, "tag Four Arms for bob", {"what": "spend", "buy": "tag", "tag": "four-arms", "player": "bob"}),
        (
            b.DeclareSpend,
            "roll 4, story 3: A way in, at last",
            {"what": "spend", "roll": 4, "buy": "story", "amount": 3, "text": "A way in, at last"},
        ),
        (
            b.DeclareCall,
            "support Animal Care 16✦ for alice, bob: Mend: the hawk",
            {
                "what": "call",
                "source": "Mend: the hawk",
                "stat": "animal-care",
                "difficulty": 16,
                "players": ["alice", "bob"],
                "support": True,
            },
        ),
        (
            b.DeclareSheet,
            "Ash\nStats: Agility 3✦, Wits 2\r\n\nTrack: 1, 1 2 3\nTags: Four Arms 4, Loud 1 exhausted\n",
            {
                "what": "sheet",
                "character": "Ash",
                "stats": {"agility": 3, "wits": 2},
                "track": [1, 1, 2, 3],
                "stress": 0,
                "tags": {"four-arms": {"stars": 4}, "loud": {"stars": 1, "exhausted": True}},
                "drive": 0,
            },
        ),
    ],
)
def test_what_people_type(schema: Any, text_: str, value: Any) -> None:
    assert NOTATIONS[schema].parse(text_) == value


@pytest.mark.parametrize(
    ("schema", "text_", "says"),
    [
        (b.RollBody, "drive 1, drive 2", "drive is there twice"),
        (b.RollBody, "rogue,, drive 1", "between two commas"),
        (b.RollBody, "rogue!", "rogue! is no name of a stat or tag"),
        (b.DeclareCall, "agility for alice: Jump", "agility 14 for alice"),
        (b.DeclareSpend, "luck 2", "story 3: A way in"),
        (b.DeclareSheet, "Ash; luck 3", "begins with stats, track"),
        (b.DeclareSheet, "Ash; stats agility", "as in rogue 2"),
        (b.DeclareSheet, "Ash; track one", "a whole number, not one"),
        (b.DeclareSheet, "; stats agility 3", "begins with the character's name"),
        (b.TagBody, "2 tired", "2 exhausted"),
    ],
)
def test_what_is_wrong_says_what_would_be_right(schema: Any, text_: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        NOTATIONS[schema].parse(text_)


def test_every_member_says_what_it_means() -> None:
    schemas = [*get_args(b.Declare), b.RollBody, b.ModifyBody, b.RerollBody, b.ResolveBody, b.TagBody]
    for schema in schemas:
        info = msgspec.inspect.type_info(schema)
        assert isinstance(info, msgspec.inspect.StructType)
        for field in info.fields:
            assert "title" in (getattr(field.type, "extra_json_schema", None) or {}), (schema, field.name)
