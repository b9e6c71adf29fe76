"""A phrase for each part that specs/rules.md, "Free text", lists: what reads like notation, and what is only doubtful.

Each phrase has one part, and the part is told as it stands: so a phrase fails for each alternative that is lost, and
the plain names fail for each that finds too much.
"""

import re
from pathlib import Path

import pytest

from rules.common.free_text import DOUBTFUL, is_doubtful, narrow, reads_like_notation

WRITTEN = (Path(__file__).parents[2] / "specs" / "rules.md").read_text(encoding="utf-8")
PAGE = re.sub(r"\n +(?=[^\s-])|(?<=[^\n|])\n(?=[^\n|#>`\s-])", " ", WRITTEN)
"""the page with each paragraph and each item of a list on one line"""
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty", "hundred"]
KANJI = "〇一二三四五六七八九十百"
BEFORE = ("vs", "vs.", "versus", "under", "dc", "need", "needs", "beat", "beats")
BEHIND = ("more", "less", "better", "worse", "above", "below", "over", "under")


def whole(*phrases: str) -> dict[str, str]:
    """Phrases that are a part and nothing else."""
    return dict(zip(phrases, phrases, strict=True))


PARTS: dict[str, dict[str, str]] = {
    "dice": {
        **whole("2d6", "16d", "12d10", "d20", "d20s", "d8x", "2d20kh1", "4d6b", "3d%", "12d%", "4df", "d%"),
        **whole("d6", "2xd20", "12x3d6", "12xd%", "14d", "d12"),
        "6d fire": "6d",
        "a 2d6": "2d6",
        "(d20)": "d20",
        "稲妻2d6": "2d6",
        "2d6、稲妻": "2d6",
        "２Ｄ６": "2d6",
    },
    "a die or coin in words": {
        **whole(
            "six-sided", "12-sided", "d-sided", "coin flip", "coin toss", "flip a coin", "コイン投げ", "コインを投げ"
        ),
        **{f"{one}面": f"{one}面" for one in KANJI},
        "a six-sided die": "six-sided",
        "20面ダイス": "20面",
        "十二面体": "十二面",
        "コインを投げる": "コインを投げ",
    },
    "a target": {
        **whole("4+", "8-", "8−", "8–", "8—"),
        "on 14+ only": "14+",
        "(3+)": "3+",
        "命中4+": "4+",
        **{f"{word} 15": f"{word} 15" for word in BEFORE},
        **whole("dc15", "at least 15", "at most 15", "at least15"),
        **{f"{sign}15": f"{sign}15" for sign in ("<", ">", "=", "≤", "≥", "≦", "≧", ">=", "<=", "==")},
        "to dc 15": "dc 15",
        ">= 15": ">= 15",
        "a >15": ">15",
        **{f"15 or {word}": f"15 or {word}" for word in BEHIND},
        "15以上": "15以上",
        "15以下": "15以下",
        "15未満": "15未満",
        "突撃 7以上": "7以上",
    },
    "a change": {
        **{f"{sign}15": f"{sign}15" for sign in "+-−–—*/×÷"},
        **{f"{sign} 15": f"{sign} 15" for sign in "+-−–—*/×÷"},
        **{f"fire {sign}15": f"{sign}15" for sign in "+-−–—*/"},
        "fire×15": "×15",
        "12÷ 15": "÷ 15",
        "(+15)": "+15",
        "突撃+15": "+15",
        "−−15": "−15",
        **whole("x 15", "x15", "12倍", "plus 15", "minus 15", "times 15", "plus  15"),
        "fire x2": "x2",
        "(x2)": "x2",
        **{f"plus {word}": f"plus {word}" for word in NUMBERS},
    },
    "an instruction": {
        **whole("advantage", "disadvantage", "adv", "dis", "reroll", "rerolls", "rerolled", "rerolling"),
        **whole("ignore", "ignores", "ignored", "ignoring", "keep", "keeps", "drop", "drops"),
        **whole("higher", "highest", "lower", "lowest", "twice", "thrice", "12 times"),
        **whole("振り直", "無視", "有利", "不利", "12回"),
        "with advantage, so": "advantage",
        "剣に有利": "有利",
        "振り直す": "振り直",
        "3回振る": "3回",
        "in 2 times": "2 times",
    },
}
"""kind → phrase → the part of it that reads like notation"""

PLAIN = (
    *("Delina, Wild Mage", "orc two", "ed20", "ab6d", "b52d6", "b2xd6", "dx", "9dx", "2dfx"),
    *("d%a", "d%5", "xd20", "c4x", "d"),
    *("six-sidedness", "sided", "-sided", "面", "coin", "flip", "coinflip", "flip the coin", "コイン", "投げ"),
    *("a4+", "a45+", "4+a", "4+5", "4-5", "3–4", "p4-", "10-foot", "xdc 15", "thunder 15", "vs fire"),
    *("need", "dc", "at least", "15 or so"),
    *("15 or moreover", "fire or more", "> fire", "以上", "五以上", "未満"),
    *("fire+15", "5-15", "5+15", "+fire", "++15", "-+15", "*-15", "//15", "5*15", "**a", "×", "÷ a"),
    *("x", "ax 15", "5x15", "x15a"),
    *("x fire", "surplus 15", "plus fire", "plus onerous", "plus2", "plus", "倍", "二倍"),
    *("advantageous", "badv", "advent", "dish", "this", "discard", "rerolle", "prereroll", "ignor", "ignorant"),
    *("keeper", "upkeep", "droplet", "raindrop", "high", "low", "highers", "slower", "lowestoft", "twicea"),
    *("b12 times", "12 timesheets", "times", ", times", "12回目", "回", "振り", "無", "利"),
)
"""what has no part: words that have one within them, and halves of one"""


@pytest.mark.parametrize("kind", PARTS)
def test_what_has_a_part_of_the_notation_reads_like_it(kind: str) -> None:
    phrases = PARTS[kind]
    assert {phrase: reads_like_notation(phrase) for phrase in phrases} == phrases
    assert {phrase: reads_like_notation(phrase.upper()) for phrase in phrases} == phrases
    assert all(map(is_doubtful, phrases))


@pytest.mark.parametrize("kind", PARTS)
def test_every_part_that_the_page_names_has_a_phrase(kind: str) -> None:
    (row,) = re.findall(rf"^\| {re.escape(kind)} \| (.*) \|$", PAGE, re.MULTILINE)
    row = row.replace("none of `+ - * /`", "").replace(KANJI, "")
    tried = " ".join((*PARTS[kind], *PLAIN))
    named = [*re.findall("`([^`]+)`", row), *re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]+", row)]
    assert [part for part in named if part not in tried] == []


def test_what_has_none_is_a_plain_name() -> None:
    assert {name: reads_like_notation(name) for name in PLAIN} == dict.fromkeys(PLAIN)


# --- what is only doubtful --------------------------------------------------------------------------------------------

(SIGNS,) = re.findall(r"^A text is \*doubtful\* if .*; one of `([^`]+)`, or a hyphen", PAGE, re.MULTILINE)
(ENGLISH,) = re.findall(r"^- English words, by themselves: (.*)\.$", PAGE, re.MULTILINE)
(JAPANESE,) = re.findall(
    r"^- Japanese: ([^;]+); one of (\S+) before (\S) or (\S); (\S) or (\S) by itself\.$", PAGE, re.MULTILINE
)


def test_the_words_are_those_of_the_page() -> None:
    assert re.findall("`([^`]+)`", ENGLISH) == sorted(DOUBTFUL)


@pytest.mark.parametrize("text", [*SIGNS.split(" "), *(f"fire {sign} ice" for sign in SIGNS.split(" "))])
def test_a_sign_is_doubtful(text: str) -> None:
    assert is_doubtful(text)


def test_a_word_is_doubtful_by_itself_and_not_within_another() -> None:
    for word in DOUBTFUL:
        assert all(is_doubtful(text) for text in (word, word.upper(), f"the {word}, orc", f"稲妻{word}")), word
        assert not any(is_doubtful(text) for text in (f"q{word}", f"{word}q")), word
    assert not is_doubtful("Delina, Wild Mage")


def test_japanese_words_are_doubtful() -> None:
    words, numbers, *counted, front, back = JAPANESE
    for word in (*words.split(", "), *(number + unit for number in numbers for unit in counted)):
        assert is_doubtful(word), word
        assert is_doubtful(f"剣{word}剣"), word
    for side in (front, back):
        assert is_doubtful(side)
        assert is_doubtful(f"剣 {side}、")
        assert not any(is_doubtful(text) for text in (f"{side}門", f"剣{side}"))
    assert not any(is_doubtful(text) for text in ("剣", "一", "回", "個", "方", "い方", "大", "小さい"))


@pytest.mark.parametrize(
    ("text", "doubtful"), [("- fire", True), ("fire-", True), ("-fire", True), ("fire-ice", False)]
)
def test_a_hyphen_is_doubtful_unless_letters_stand_on_both_sides(text: str, doubtful: bool) -> None:
    assert is_doubtful(text) is doubtful


@pytest.mark.parametrize("digit", "0123456789０９")
def test_a_digit_is_doubtful(digit: str) -> None:
    assert is_doubtful(f"orc {digit}")


def test_full_width_is_ascii_but_for_two_signs() -> None:
    wide = "".join(map(chr, range(0xFF01, 0xFF5F)))
    ascii_ = "".join(map(chr, range(0x21, 0x7F)))
    assert narrow(wide) == ascii_.replace('"', "\uff02").replace("\\", "\uff3c")
    assert narrow("\u3000\u3001\uff00\uff5f") == " \u3001\uff00\uff5f"
