"""The notation of `dice-1`, and rolls on one line: what is refused, and both ways (specs/dice-1.md)."""

import re
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.base import NotationError
from rules.data.bounds import MAX_DICE, MAX_TEXT
from rules.data.text import TEXT_PATTERN
from rules.systems.anydice import AnyDice
from rules.systems.anydice.bodies import (
    BODIES,
    DeclareCall,
    DeclareCards,
    DeclareDeck,
    DeclarePlay,
    DeclareReturn,
    Item,
    RollBody,
    Row,
)
from rules.systems.anydice.grammar import parse
from rules.systems.anydice.problems import DiceError
from tests.support import anydice_random as games

SYSTEM = AnyDice()


# --- what is refused is told with its place and what would be right -------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "right"),
    [
        ("4d6r<2", "character 4 on, “r<2”", "write ro to reroll once, rr to reroll until it no longer matches"),
        ("2D6", "character 2 on, “D6”", "write a small d"),
        ("4d6 kh3", "character 4 on, “ kh3”", "write no blank before it: 4d6kh3"),
        ("4d6kh3!", "character 7 on, “!”", "in this order: adv, ro or rr, !, min or max, keep or drop, successes"),
        ("4d6kk", "character 5 on, “k”", "a keep or drop before another has its number: 4d6dl1dh1"),
        ("4d6dlkh1", "character 6 on, “kh1”", "a keep or drop before another has its number"),
        ("{d6, d8}kk + 2", "character 10 on, “k + 2”", "a keep or drop before another has its number"),
        ("d20 + ", "ends too early", "dice or a number would be right: 4d6kh3, d%, 4dF, 2"),
        ("(d20 + 2", "ends too early", "a ) is missing"),
        ("d6 // 2", "character 4 on, “// 2”", "write / for division that is rounded down"),
        ("d6 × 2", "character 4 on, “× 2”", "write * for times"),
        ("d6 / 0", "character 4 on, “/ 0”", "divide by a number from 1 up"),
        ("3d6e6", "character 4 on, “e6”", "write ! for dice that explode: 3d6! or 3d6!>=5"),
        ("3d6x6", "character 4 on, “x6”", "write ! for dice that explode"),
        ("3d6mi2", "character 4 on, “mi2”", "write min2 or max5"),
        ("3d6pl1", "character 4 on, “pl1”", "write dh or dl for dice to drop"),
        ("2d6[fire", "character 4 on, “[fire”", "a label stands in brackets"),
        ("{4d6}kh3", "character 5 on, “}kh3”", "a group has two parts or more: {d8, d6}kh1"),
        ("d{a,,b}", "character 5 on, “,b}”", "a face is a number, a name, or a name and its number: hit=1"),
        ("roll", "character 1 on, “roll”", "dice or a number would be right"),
        ("7", "has no dice", "write for example d20 + 5"),
        ("d6!>=1", "would explode for ever", "every face of it is >=1"),
        ("2d20adv", "advantage and disadvantage are for one die", "write 3d20kh"),
        ("600d6 + 401d6", "1001 dice", "there can be 1000 in one roll"),
    ],
)
def test_an_unknown_notation_is_refused_with_its_place_and_what_would_be_right(
    text: str, place: str, right: str
) -> None:
    with pytest.raises(DiceError) as caught:
        parse(text)
    assert place in str(caught.value)
    assert right in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("d20+5 vs", "character 6 on, “ vs”: + 2, vs 15, under 45, for Strength, | 10+ done or the end would be right"),
        ("d20 for ", "character 4 on, “ for”"),
        ("2d6 | high x", "character 7 on, “high x”: a row is a range and what comes of it: 7-9 at a cost"),
        ("call x", "write 4d6kh3 + 2 for Strength, call 4: d20+3, draw 2 from initiative"),
        ("call 4: d20r1", "write ro to reroll once"),
        ("call 4: d20 vs 15", "the dice end here"),
        ("draw 2 initiative", "draw 2 from initiative"),
        ('d20 for "a', "some words would be right"),
        ("d6" + "+d6" * (MAX_TEXT // 3 + 1), "at most 500 characters"),
    ],
)
def test_a_line_that_is_no_roll_says_what_would_be_right(text: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        SYSTEM.notations[RollBody].parse(text)
    assert told in str(caught.value)


def test_whatever_is_almost_notation_is_read_or_refused() -> None:
    random, refused = Random(5), Counter[str]()
    for _ in range(3000):
        text = games.broken(random)
        try:
            found = parse(text)
        except DiceError as error:
            refused[error.clause] += 1
            continue
        assert found.text == text
        assert found.named <= MAX_DICE
    assert set(refused) <= {"D1", "D2", "D3", "D4", "D5", "D6"}
    assert refused["D1"] > 500


# --- one line for each roll, both ways ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "body"),
    [
        ("4d6kh3 + 2", {"dice": "4d6kh3 + 2"}),
        ("  d20+5  vs 15 ", {"dice": "d20+5", "least": 15}),
        ("d% under 45 for Stealth", {"dice": "d%", "most": 45, "source": "Stealth"}),
        ("4dF vs -1 under 1", {"dice": "4dF", "least": -1, "most": 1}),
        ("d6 for the road for ever", {"dice": "d6", "source": "the road for ever"}),
        ("d{vs, under 3}[for 2] for x", {"dice": "d{vs, under 3}[for 2]", "source": "x"}),
        (
            "2d6+1 for Hack | 6- the GM moves | 7-9 at a cost |10+ unharmed",
            {
                "dice": "2d6+1",
                "source": "Hack",
                "table": [
                    {"range": "6-", "effect": "the GM moves"},
                    {"range": "7-9", "effect": "at a cost"},
                    {"range": "10+", "effect": "unharmed"},
                ],
            },
        ),
        ('d6 for "a | b"', {"dice": "d6", "source": "a | b"}),
        ("call 4", {"call": 4}),
        ("call 4: d20+3", {"call": 4, "dice": "d20+3"}),
        ("draw from initiative", {"deck": "initiative"}),
        ("draw 5 from poker to hand", {"deck": "poker", "draw": 5, "hand": True}),
        ("draw from poker to hand for luck", {"deck": "poker", "hand": True, "source": "luck"}),
        ("draw 3 from initiative for round 2", {"deck": "initiative", "draw": 3, "source": "round 2"}),
    ],
)
def test_a_roll_on_one_line(line: str, body: dict[str, Any]) -> None:
    notation = SYSTEM.notations[RollBody]
    assert notation.parse(line) == body
    assert notation.parse(notation.write(body)) == body


WORDS = st.text(
    st.characters(blacklist_categories=("C", "Z"), whitelist_characters=' |"0'), min_size=1, max_size=12
).filter(lambda text: re.fullmatch(TEXT_PATTERN, text) is not None)
NUMBERS = st.integers(-(10**9), 10**9)
SEEDS = st.integers(0, 10**6)


ROWS = st.fixed_dictionaries(
    {"range": st.sampled_from(["6-", "7–9", "10+", "-3", "-4--2", "7 - 9", ""]), "effect": WORDS}
)
BODY = st.one_of(
    st.fixed_dictionaries(
        {"dice": SEEDS.map(lambda seed: games.accepted(Random(seed)))},
        optional={"source": WORDS, "least": NUMBERS, "most": NUMBERS, "table": st.lists(ROWS, min_size=1, max_size=3)},
    ),
    st.fixed_dictionaries(
        {"call": st.integers(1, 2**53 - 1)}, optional={"dice": SEEDS.map(lambda seed: games.accepted(Random(seed)))}
    ),
    st.fixed_dictionaries(
        {"deck": st.just("d.1")}, optional={"draw": st.integers(1, 1000), "hand": st.just(True), "source": WORDS}
    ),
)
ITEM = st.fixed_dictionaries({"item": WORDS}, optional={"count": st.integers(1, 1000)})


CALL = st.fixed_dictionaries(
    {"source": WORDS},
    optional={
        "dice": SEEDS.map(lambda seed: games.accepted(Random(seed))),
        "least": NUMBERS,
        "most": NUMBERS,
        "parties": st.lists(st.sampled_from(["alice", "bob", "4.x"]), min_size=1, max_size=3),
    },
)
DECK = st.fixed_dictionaries({"deck": st.just("d.1"), "items": st.lists(ITEM, min_size=1, max_size=4)})
CARDS = st.fixed_dictionaries({"deck": st.just("d.1"), "cards": st.sampled_from(["52", "54", "tarot"])})
PLAY = st.fixed_dictionaries({"deck": st.just("d.1"), "items": st.lists(WORDS, min_size=1, max_size=3)})
RETURN = st.fixed_dictionaries({"deck": st.just("4"), "item": WORDS})


@pytest.mark.parametrize("body", [{"source": ":"}, {"source": ",a: b"}, {"source": ": b", "parties": ["for"]}])
def test_a_purpose_that_looks_like_names_is_quoted(body: dict[str, Any]) -> None:
    notation = SYSTEM.notations[DeclareCall]
    assert notation.parse(notation.write(body)) == body


@settings(max_examples=100, deadline=None)
@given(st.tuples(BODY, ROWS, ITEM, CALL, DECK, CARDS, PLAY, RETURN))
def test_what_is_written_is_read_again(values: tuple[dict[str, Any], ...]) -> None:
    schemas = (RollBody, Row, Item, DeclareCall, DeclareDeck, DeclareCards, DeclarePlay, DeclareReturn)
    for schema, value in zip(schemas, values, strict=True):
        notation = SYSTEM.notations[schema]
        assert notation.parse(notation.write(value)) == value, notation.write(value)
        tag = schema.__struct_config__.tag
        msgspec.convert(value | ({"what": tag} if tag else {}), schema)


DRAWN = [{"item": "b", "count": 2}, {"item": "c", "count": 3}]


@pytest.mark.parametrize(
    ("schema", "line", "body"),
    [
        (DeclareCall, "d20 vs 15 for Dexterity save", {"dice": "d20", "least": 15, "source": "Dexterity save"}),
        (DeclareCall, "alice, bob: vs 12 for a", {"parties": ["alice", "bob"], "least": 12, "source": "a"}),
        (DeclareCall, "for Stealth", {"source": "Stealth"}),
        (
            DeclareCall,
            "bob: d20+7 vs 15 for Longsword +7",
            {"parties": ["bob"], "dice": "d20+7", "least": 15, "source": "Longsword +7"},
        ),
        (DeclareCall, "4d6!: x", None),
        (DeclareCall, "d20 vs 15", None),
        (DeclareCall, "d20r1 for x", None),
        (DeclareCall, "d20 for x | y", None),
        (DeclareDeck, "d:a, 2 b\n3 c\n", {"deck": "d", "items": [{"item": "a"}, *DRAWN]}),
        (DeclareDeck, 'd: 2 "a, b", "2 c"', {"deck": "d", "items": [{"item": "a, b", "count": 2}, {"item": "2 c"}]}),
        (DeclareDeck, "a, b", None),
        (DeclareDeck, "d: a |", None),
        (DeclareDeck, "d:", None),
        (DeclareDeck, "poker: 52 cards", None),
        (DeclareDeck, "poker: tarot", None),
        (DeclareDeck, "poker: 52", None),
        (
            DeclareDeck,
            "poker: 52 cards, 2 Joker",
            {"deck": "poker", "items": [{"item": "cards", "count": 52}, {"item": "Joker", "count": 2}]},
        ),
        (DeclareCards, "poker:54", {"deck": "poker", "cards": "54"}),
        (DeclareCards, "poker: 53", None),
        (DeclareCards, "54", None),
        (DeclarePlay, 'd: Ace of Spades, "a, b"', {"deck": "d", "items": ["Ace of Spades", "a, b"]}),
        (DeclarePlay, "d:", None),
        (DeclareReturn, "d: King, of Spades", {"deck": "d", "item": "King, of Spades"}),
    ],
)
def test_what_is_declared_on_one_line(schema: type[Any], line: str, body: dict[str, Any] | None) -> None:
    notation = SYSTEM.notations[schema]
    if body is not None:
        assert notation.parse(line) == body
        return
    with pytest.raises(NotationError) as caught:
        notation.parse(line)
    assert "would be right" in str(caught.value) or "write" in str(caught.value)


@pytest.mark.parametrize(
    "schema", [RollBody, Row, Item, DeclareCall, DeclareDeck, DeclareCards, DeclarePlay, DeclareReturn]
)
def test_the_example_of_a_notation_is_one(schema: type[Any]) -> None:
    notation = SYSTEM.notations[schema]
    assert notation.write(notation.parse(notation.example)) == notation.example


def test_every_member_says_what_it_means() -> None:
    for kind in (RollBody, Row, Item, BODIES["resolve"], *BODIES["declare"].__args__):  # type: ignore[attr-defined]
        for field in msgspec.inspect.type_info(kind).fields:  # type: ignore[attr-defined]
            types = field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else (field.type,)
            told = [(getattr(one, "extra_json_schema", None) or {}).get("title") for one in types]
            assert any(told), (kind, field.name)
