"""Suggestions for a text that is not dice notation (specs/dice-1.md, clauses D1 to D6)."""

import re
from typing import Any

from rules.base import NotationError
from rules.data.language import Message

__all__ = ["BLANK_MODIFIER", "DiceError", "right"]


class DiceError(NotationError):
    """Raised for a text that is not dice notation or asks for impossible dice. `clause` is the violated clause."""

    def __init__(self, clause: str, template: str, /, **values: Any) -> None:
        super().__init__(template, **values)
        self.clause = clause


_FIRST: tuple[tuple[str, Message], ...] = (
    (r"[dD]66", Message("two dice for tens and units are d6 * 10 + d6")),
    (r"[0-9]*D[0-9%F{]", Message("write a small d")),
    (r"[sS][0-9]*[dD][0-9]", Message("there are no secret dice here: all see all")),
    (r"C\(", Message("a roll has dice: a sum without dice is not rolled")),
    (r"[a-z]+\(", Message("the functions are floor, ceil, round, abs, max and min")),
    (r"(?:dis)?advantage", Message("write adv or dis right behind the die that it is for: d20adv + 5")),
    (r"[/!.,][a-z]|roll(?= )", Message("leave that out: the dice come first")),
    (r"\[\[", Message("leave the brackets out: the dice come first")),
    (r"#|//", Message("the dice come first; a comment stands behind them: d20 # comment")),
    (r"(?:a )?coin|flip", Message("a coin is a die with two faces: d{{heads, tails}}")),
    (
        r"[a-z0-9]+-sided|[0-9〇一二三四五六七八九十百]+面",
        Message("a die is written with d and the number of its sides"),
    ),
)
"""pattern at the beginning of a text → suggestion"""

_HINTS: tuple[tuple[str, Message], ...] = (
    (r"D(?=[0-9%F{])", Message("write a small d")),
    (r"D", Message("dice have a number of sides: 2d6")),
    (r"df(?![0-9])|(?<=F)\.", Message("dice for Fate have a large F: 4dF")),
    (r"(?<=\))d", Message("how many dice there are is known before any is drawn: roll those in parentheses first")),
    (r"\*\*|\^", Message("a power is a number from 0 up, and stands once: d6^2, (2^3)^2, 2^(1+2)")),
    (r" *[.,][0-9]", Message("numbers are whole: half as much again is * 3 / 2")),
    (r"cs[0-9]", Message("write cs=20 to count, and f for failures: 6d10cs>=7f=1")),
    (r" *[,;]", Message("one roll stands on a line: write the next by itself")),
    (r"[@?%]\{|(?:[<>]=?|=)[A-Za-z]", Message("there are no macros: write the number, as in 1d20 + 3")),
    (r"[LH](?![a-z])|[lh][0-9]", Message("write kh1 or kl1 to keep dice, dh1 or dl1 to drop them")),
    (r"TN|t[0-9]", Message("successes are counted by a comparison: 3d6>=4")),
    (r"i?r(?![or])|R", Message("write ro to reroll once, rr to reroll until it no longer matches")),
    (r"x[0-9]", Message("write ! for dice that explode, 3d6! or 3d6!>=5, and * for times")),
    (
        r"[×·]| *x *[0-9d]",
        Message("write * for times, and how often all of it is rolled before the dice: 3x 2d6"),
    ),
    (r"÷|:", Message("write / for divided by")),
    (r"[−–—]", Message("write - for minus")),
    (r"i?e(?=[0-9<>=]|$)|x(?=[<>=]|$)", Message("write ! for dice that explode: 3d6! or 3d6!>=5")),
    (r"mi[0-9]|ma[0-9]", Message("write min2 or max5")),
    (r"p[hl]", Message("write dh or dl for dice to drop")),
    (r"cf|df|sf", Message("write f for failures: 6d10>=7f=1")),
    (r" *\[", Message("a label stands in brackets, at most 40 characters: 2d6[fire]")),
    (r"//", Message("write / for division that is rounded down")),
    (
        r"(?:/|%) *(?:\(|[0-9]*d|0)",
        Message("divide by a number from 1 up, or by a sum of such in parentheses: / (1+1)"),
    ),
    (r"(?<=[khld])[kd]", Message("a keep or drop before another has its number: 4d6dl1dh1")),
    (
        r"adv|dis|ro|rr|!|min|max|(?:[kd][hl]?|cs|f)(?![a-zA-Z])|[<>=]",
        Message("what is done with dice stands in this order: adv, ro or rr, !, min or max, keep or drop, successes"),
    ),
    (r" +$", Message("nothing would be right: there is no blank at the end")),
)
BLANK_COMPARISON = re.compile(r" +(?:<=|>=|<|>)")
BLANK_MODIFIER = re.compile(r" +(?:adv|dis|ro|rr|!|min|max|kh|kl|k[0-9]|dh|dl|cs|[<>=])")
_PLACES: tuple[tuple[str, str, Message], ...] = (
    (r"\(*[0-9]*", r"d(?![1-9%fF{(])", Message("dice have a number of sides: 2d6")),
    (
        r"[0-9]+",
        r"(?![dD])[A-Za-z@]+[0-9]",
        Message("dice are written with a small d: 2d6; those that match are rolled on with !: 2d6!>=5"),
    ),
    (
        r"[0-9]+ +",
        r"[0-9]*[dD][0-9]",
        Message("how often all of it is rolled has an x: 3x 2d6"),
    ),
    (
        r".*",
        BLANK_COMPARISON.pattern,
        Message("right behind dice a comparison counts them, 6d6>=5; vs and under are for the total, 6d6 vs 20"),
    ),
    (r".*", BLANK_MODIFIER.pattern, Message("write no blank before it: 4d6kh3")),
)
"""patterns before and behind a place → suggestion"""


def right(text: str, at: int, missing: str | None = None) -> Message:
    """Return a suggestion for the place where a text stops being notation. `missing` is an expected bracket."""
    rest = text[at:]
    for before, pattern, right in _PLACES:
        if re.fullmatch(before, text[:at]) and re.match(pattern, rest):
            return right
    for pattern, right in () if at > 1 else _FIRST:
        if re.match(pattern, text):
            return right
    for pattern, right in _HINTS:
        if at and re.compile(pattern).match(text, at):
            return right
    if not at or text[:at].rstrip(" ").endswith(("+", "-", "*", "/", "(", "{", ",", "x")):
        return Message("dice or a number would be right: {examples}", examples="4d6kh3, d%, 4dF, 2")
    if missing is not None:
        return Message("a {bracket} is missing", bracket=missing)
    return Message("+, -, *, / or the end would be right")
