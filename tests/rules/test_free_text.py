"""A typing error never becomes a name, with other dice than were typed (specs/rules.md, "Free text")."""

import json
import re
import unicodedata
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.forms.form import short_forms
from ledger.forms.readback import read_back
from rules import SYSTEMS
from rules.base import NotationError
from rules.common.free_text import DOUBTFUL, is_doubtful, narrow, reads_like_notation
from rules.data.text import one_line

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
        (T9A, "3 – 4+ to hit"),
        (WH40K, "2d6 for Charge, +1 Advance"),
        (WH40K, "2d6 for Charge, reroll failed Icon"),
        (T9A, "d6 4+/5+"),
        (T9A, "d6 ignore lowest"),
        (DOUBLE_DOWN, "2d6"),
        (DOUBLE_DOWN, "d20"),
        (DICE, "d20 for attack vs 15"),
        (DICE, "d20 for Longsword +1"),
        (DICE, "d20+7 for Longsword +8"),
        (DICE, "d20+7 for Longsword -7"),
        (DICE, "d20+7 for +7"),
        (DICE, "d20+7 for 2d6 +7"),
        (DICE, "d20+7 for Longsword 17 +7 +7"),
        (DICE, '"4dF>=-1" for Odd -1'),
        (DICE, "d20 + 7 * 2 for Longsword +7"),
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
        (DICE, "d20+7 for Longsword +7", {"dice": "d20+7", "source": "Longsword +7"}),
        (DICE, "d20 - 2 # 棍棒　−　２", {"dice": "d20 - 2", "source": "棍棒　−　２"}),
        (DICE, "d20 for room 12", {"dice": "d20", "source": "room 12"}),
        (DICE, "d20 + 5 # the door", {"dice": "d20 + 5", "source": "the door"}),
        (
            DICE,
            "(1+2)d6#fire | 9- so",
            {"dice": "(1+2)d6", "source": "fire", "table": [{"range": "9-", "effect": "so"}]},
        ),
        (DICE, "d20 vs 15 ＃ 稲妻", {"dice": "d20", "least": 15, "source": "稲妻"}),
        (DICE, "draw 2 from d # luck", {"deck": "d", "draw": 2, "source": "luck"}),
        (T9A, "２ｄ６ ８－ 突撃", {"dice": "2d6", "target": "8-", "source": "突撃"}),
        (T9A, "2d6 rally 8–", {"dice": "2d6", "target": "8-", "source": "rally"}),
        (
            T9A,
            "2d6 rally —1 (Fear) 8−",
            {"dice": "2d6", "target": "8-", "source": "rally", "modifiers": [{"source": "Fear", "add": -1}]},
        ),
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
        (DICE, "0d6", "draws no die"),
        (DICE, "(d4)d6", "roll those in parentheses first"),
        (DICE, "# comment", "the dice come first"),
        (DICE, "d6 fire", "d6 for fire"),
        (DICE, "d6 # fire + 2", 'd6 # "fire + 2"'),
        (DICE, "d20+5 adv", "d20adv+5"),
        (DICE, "d20 advantage", "d20adv"),
        (DICE, "/r 2d6", "the dice come first"),
        (DICE, "[[2d6]]", "leave the brackets out"),
        (DICE, "d6 * 1.5", "* 3 / 2"),
        (DICE, "2d6^2^2", "stands once"),
        (DICE, "coin flip", "d{heads, tails}"),
        (DICE, "d20 for Longsword +1", 'd20 for "Longsword +1"'),
        (WH40K, "2d6 for Charge, 7+", "2d6 sum for Charge, 7+ or 2d6 each for Charge, 7+"),
        (T9A, "3 x 4+ to hit", "a target stands by itself: 4+"),
        (MAGIC, "2d20 ignore lower", "| ignore lowest: a card"),
        (MAGIC, "2d20 ignore lower", "Write the card's name in the place of “a card”"),
        (MAGIC, "2d20 Wyll ignore lower", "at the end, with the name of the card that says so: | ignore lowest: Wyll"),
    ],
)
def test_a_refusal_says_what_would_be_right(system: str, line: str, right: str) -> None:
    assert right in refusal(system, line)


@pytest.mark.parametrize(
    ("system", "line", "offered"),
    [
        (DICE, "d20 for Longsword +1", ('d20 for "Longsword +1"',)),
        (DICE, "d20 for attack, reroll 1", ()),
        (MAGIC, 'd20 Delina >= 15 | "a" b', ()),
        (MAGIC, "d20 Delina >= 15 | 1-9: b", ('d20 "Delina >= 15" | 1-9: b',)),
        (MAGIC, "d20 Delina, advantage", ()),
        (MAGIC, "3d6 Fireball, ignore lower", ()),
        (MAGIC, "roll a d20 for the best of two", ()),
        (MAGIC, "roll a d20s for Delina", ()),
        (MAGIC, "two d20, ignore the lower roll", ("2d20 a card | ignore lowest: a card",)),
        (MAGIC, "2d20 Wyll, ignore lower", ("2d20 Wyll | ignore lowest: Wyll",)),
        (DICE, "d20 for attack, advantage", ("d20adv for attack",)),
    ],
)
def test_a_name_is_offered_in_quotation_marks_where_it_says_nothing_about_dice(
    system: str, line: str, offered: tuple[str, ...]
) -> None:
    """An instruction would be a name then, and not be followed."""
    (form, *_) = short_forms(SYSTEMS[system])
    with pytest.raises(NotationError) as caught:
        form.parsed(line)
    assert caught.value.lines == offered


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
        dice = str(body.get("dice"))
        if system == DICE and dice.endswith("+1") and isinstance(source, str):
            source = source.removesuffix("+1")  # what is added to the dice may stand in the name too
        if isinstance(source, str) and reads_like_notation(source) and source != body.get("dice"):
            assert '"' in narrow(line), (line, body)


@given(
    st.sampled_from(["d20", "d20 ", "2d6 -1 ", "coin ", "again 7 "]),
    st.lists(
        st.sampled_from([*(each for each in WORDS if each != "｜"), "+0", "-2", "ｘ２"]), min_size=1, max_size=4
    ).map(" ".join),
    st.sampled_from(["", ": use", " | 1-6: so", "｜call heads"]),
)
def test_a_line_that_magic_offers_in_quotation_marks_is_read(head: str, name: str, rest: str) -> None:
    (form, *_) = short_forms(SYSTEMS[MAGIC])
    try:
        form.parsed(head + name + rest)
    except NotationError as problem:
        _, _, told = str(problem.problem).partition("A name like that is written in quotation marks: ")
        for line in (*problem.lines, *([told] if told and not told.startswith('"') else [])):
            body = form.parsed(line)
            assert ("table" in body, "call" in body) == ("1-6" in rest, "call" in rest)
            if reads_like_notation(body["source"]):
                typed, offered = (re.sub(r"[\\\" ]", "", narrow(text)) for text in (head + name + rest, line))
                assert typed == offered


@given(st.text(max_size=40))
def test_full_width_is_read_character_for_character(text: str) -> None:
    assert len(narrow(text)) == len(text)


# --- what is shown before anything is signed -------------------------------------------------------------------------

SIGNS = {"+", "*", "/", "×", "÷", "=", "<", ">", "≤", "≥", "%", "^", "|", "#", "@", "&", "−", "–"}
JAPANESE = {"倍", "半分", "合計", "以上", "もう一度", "コイン", "高い方", "加算", "最大", "無作為"}
OWN_TEXTS = ("source", "use", "effect", "weapon", "doubles")


def doubtful_by_the_page(text: str) -> bool:
    """A digit, a sign, a word of the notation: most of what the page says (test_free_text_parts.py), by other code."""
    plain = unicodedata.normalize("NFKC", text).lower()
    words = re.findall(r"[a-z]+", plain)
    return (
        any(char.isdigit() or char in SIGNS for char in plain)
        or not DOUBTFUL.isdisjoint(words)
        or any(word in text for word in JAPANESE)
    )


def own_texts(value: object, name: str = "") -> Iterator[str]:
    """The texts of the player's own in a body, at whatever depth."""
    match value:
        case dict():
            for key, one in value.items():
                yield from own_texts(one, key)
        case list():
            for one in value:
                yield from own_texts(one, name)
        case str() if name in OWN_TEXTS:
            yield value


PARTS = st.one_of(
    st.sampled_from(
        sorted(DOUBTFUL | JAPANESE | SIGNS | {"Delina", "fire", "稲妻", "攻撃", "３", "12", "orc", "to", "|", ":"})
    ),
    st.text(alphabet="abdefx0123456789 +-*/=<>#|:ー一二倍表剣", min_size=1, max_size=6),
)
BEGINS = {
    DICE: ("d20 for ", "2d6 # ", "d20 | 1-20 ", "draw 1 from deck for "),
    MAGIC: ("d20 ", "d6 Delina: ", "d6 Delina | 1-6: ", "coin ", "random d7 ", 'd20 "a" | doubles: '),
    WH40K: ("d6 for ", "2d6 sum for ", "a: Gun at b, A1 S4, hit -1 ", "a: ", "d6 for A, +1 ", "roll-off for "),
    T9A: ("2d6 ", "10 ", "d6 4+ ", "d6 to hit +1 (", "d6 maximised ("),
    DOUBLE_DOWN: ("", "drive 1, ", "tag "),
}
ENDS = {"a: ": " at b, A1 S4 D1", "d6 to hit +1 (": ")", "d6 maximised (": ") charge"}


@settings(max_examples=200)
@given(st.data(), st.sampled_from(list(SYSTEMS)), st.booleans())
def test_what_was_taken_as_a_text_is_shown_wherever_it_could_be_more(
    data: st.DataObject, system: str, quoted: bool
) -> None:
    begin = data.draw(st.sampled_from(BEGINS[system]))
    words = data.draw(st.lists(PARTS, min_size=1, max_size=4).map(" ".join))
    if quoted:
        words = json.dumps(words, ensure_ascii=False)
    line = f"{begin}{words}{ENDS.get(begin, '')}"
    for body in read(system, line):
        shown = str(read_back(SYSTEMS[system], (), "roll", body) or "")
        for text in own_texts(body):
            if doubtful_by_the_page(text):
                assert f"“{one_line(text, 60)}”" in shown, (line, text, shown)


@given(st.text(max_size=40))
def test_what_reads_like_notation_is_doubtful(text: str) -> None:
    assert is_doubtful(text) or reads_like_notation(text) is None
