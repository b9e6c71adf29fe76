"""A typing error never becomes a name, with other dice than were typed (specs/rules.md, "Free text")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.forms.form import short_forms
from rules import SYSTEMS
from rules.base import NotationError
from rules.free_text import narrow, reads_like_notation

DICE, MAGIC, WH40K, T9A, DOUBLE_DOWN = "dice-1", "mtg-706-2023-11-17", "wh40k-9e", "t9a-2022", "doubledown-1"


def read(system: str, line: str) -> list[dict[str, object]]:
    """The bodies of a roll that a line can be."""
    found = []
    for form in short_forms(SYSTEMS[system]):
        try:
            found.append(form.parsed(line))
        except NotationError:
            continue
    return found


def refusal(system: str, line: str) -> str:
    (form, *_) = short_forms(SYSTEMS[system])
    with pytest.raises(NotationError) as caught:
        form.parsed(line)
    return str(caught.value)


@pytest.mark.parametrize(
    ("system", "line"),
    [
        (MAGIC, "0d6 Delina"),
        (MAGIC, "6D Delina"),
        (MAGIC, "six-sided die X"),
        (MAGIC, "coin flip: Krark's Thumb"),
        (MAGIC, "コイン投げ：クラークの親指"),
        (MAGIC, "d20, Delina"),
        (MAGIC, "roll a d20 for Delina"),
        (MAGIC, "2d20 ignore lower"),
        (MAGIC, "d20 reroll"),
        (MAGIC, "d20 advantage"),
        (MAGIC, "６面サイコロ"),
        (WH40K, "2d6 for Charge, 7+"),
        (WH40K, "d6 for Charge 7+"),
        (WH40K, "2d6 for Charge -1"),
        (T9A, "3 x 4+ to hit"),
        (T9A, "3 - 4+"),
        (T9A, "d6 4+/5+"),
        (T9A, "d6 ignore lowest"),
        (DOUBLE_DOWN, "2d6"),
        (DOUBLE_DOWN, "d20"),
        (DICE, "d20 for attack vs 15"),
        (DICE, "d20 for Longsword +1"),
        (DICE, "2d6 for fire, 3d6 for cold"),
        (DICE, "d20 for attack, advantage"),
    ],
)
def test_what_reads_like_notation_is_no_name(system: str, line: str) -> None:
    assert read(system, line) == []


@pytest.mark.parametrize(
    ("system", "line", "body"),
    [
        (MAGIC, "２ｄ６　稲妻：攻撃", {"dice": "2d6", "source": "稲妻", "use": "攻撃"}),
        (MAGIC, 'd6 "Six-Sided Die"', {"dice": "d6", "source": "Six-Sided Die"}),
        (MAGIC, "d20 Delina, Wild Mage", {"dice": "d20", "source": "Delina, Wild Mage"}),
        (MAGIC, "ｄ２０ Ｆｉｒｅ", {"dice": "d20", "source": "Ｆｉｒｅ"}),
        (DICE, "２ｄ６＋１ for 稲妻", {"dice": "2d6+1", "source": "稲妻"}),
        (DICE, 'd20 for "Longsword +1"', {"dice": "d20", "source": "Longsword +1"}),
        (DICE, "d20 for room 12", {"dice": "d20", "source": "room 12"}),
        (T9A, "２ｄ６ ８－ 突撃", {"dice": "2d6", "target": "8-", "source": "突撃"}),
        (WH40K, "２ｄ６ sum for 突撃, ７＋", {"for": "free", "dice": "2d6", "sum": True, "source": "突撃", "needs": 7}),
        (WH40K, "3d6 each for Hits, 3+", {"for": "free", "dice": "3d6", "source": "Hits", "needs": 3}),
        (WH40K, "d6 for Hazard, 2+", {"for": "free", "dice": "d6", "source": "Hazard", "needs": 2}),
        (DOUBLE_DOWN, "ｗｉｔｓ", {"tag": "wits"}),
        (DOUBLE_DOWN, "tag 2d6", {"tag": "2d6"}),
    ],
)
def test_what_is_plain_or_quoted_is_read_and_texts_stay_as_typed(
    system: str, line: str, body: dict[str, object]
) -> None:
    assert read(system, line) == [body]


@pytest.mark.parametrize(
    ("system", "line", "right"),
    [
        (DICE, "4df", "a large F: 4dF"),
        (DICE, "D20", "write a small d"),
        (DICE, "6D for attack", "a number of sides"),
        (DICE, "0d6", "at least one die"),
        (DICE, "(1+2)d6", "written as a number"),
        (DICE, "# comment", "the dice come first"),
        (DICE, "d6 fire", "d6 for fire"),
        (DICE, "d6 # fire", "d6 for fire"),
        (DICE, "d20+5 adv", "write adv right behind the die"),
        (DICE, "d20 advantage", "write adv right behind the die"),
        (DICE, "/r 2d6", "the dice come first"),
        (DICE, "[[2d6]]", "leave the brackets out"),
        (DICE, "floor(d6/2)", "/ rounds down"),
        (DICE, "2d6^2", "no powers"),
        (DICE, "coin flip", "d{heads, tails}"),
        (DICE, "d20 for Longsword +1", 'd20 for "Longsword +1"'),
        (WH40K, "2d6 for Charge, 7+", "2d6 sum for Charge, 7+, or 2d6 each for Charge, 7+"),
        (T9A, "3 x 4+ to hit", "a target stands by itself: 4+"),
        (MAGIC, "2d20 ignore lower", '2d20 "ignore lower"'),
    ],
)
def test_a_refusal_says_what_would_be_right(system: str, line: str, right: str) -> None:
    assert right in refusal(system, line)


WORDS = (
    "2d6",
    "d20",
    "6D",
    "0d6",
    "+1",
    "x 2",
    "4+",
    "reroll",
    "for",
    "fire",
    "稲妻",
    "advantage",
    '"',
    ",",
    ":",
    "｜",
    "３",
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), st.sampled_from(list(SYSTEMS)))
def test_no_plain_name_has_a_part_of_the_notation(line: str, system: str) -> None:
    for body in read(system, line):
        source = body.get("source")
        if isinstance(source, str) and reads_like_notation(source) and source != body.get("dice"):
            assert '"' in narrow(line), (line, body)


@given(st.text(max_size=40))
def test_full_width_is_read_character_for_character(text: str) -> None:
    assert len(narrow(text)) == len(text)
