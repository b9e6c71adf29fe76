"""Rolls in everyday words: what a line plainly means that is not in the notation (specs/mtg.md, "Notation").

It has the number and kind of dice that were typed. What is left of the words is the name of the card; where nothing is
left, it is called `a card`.
"""

import re

import msgspec

from rules.common.free_text import BLANKS, is_doubtful, narrow

__all__ = ["Meant", "meant"]


class Meant(msgspec.Struct, frozen=True):
    """A roll of dice of one kind."""

    dice: str
    name: str
    """what instructs the roll: a card's name, or `a card` if none is named"""
    is_named: bool = True
    """whether a card is named"""
    told: str = ""
    """the words for what is ignored, as they were typed; empty if nothing is"""
    which: str = ""
    """`lowest` or `highest`; empty if nothing is ignored"""
    count: int = 0
    """how many dice are ignored"""
    amount: int = 0
    """what is added to each die"""
    rest: str = ""
    """the text after the name, from its colon or bar on"""


_MOST = 200
"""characters of a line that is looked at"""
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10}
_NUMBERS |= {"twelve": 12, "twenty": 20}
_COUNT = rf"[1-9][0-9]{{0,3}}|{'|'.join(_NUMBERS)}"
_DICE = re.compile(
    rf"(?:roll +)?(?:(?P<count>{_COUNT}) +|(?P<times>[1-9][0-9]{{0,3}}))?"
    rf"(?:d(?P<sides>[1-9][0-9]{{0,3}})(?P<plural>s)?|(?P<sided>{_COUNT})-sided +(?:die|dice))"
    r"(?P<end>[kd][hl][0-9]{0,3})?(?=$|[ ,:|])",
    re.IGNORECASE | re.ASCII,
)
_BEGINS = r"(?:^|(?<=[ ,]))"
_IGNORING = re.compile(
    rf"{_BEGINS}(?P<verb>ignor(?:e|es|ing)|drop(?:s|ping)?|keep(?:s|ing)?) +(?:the +)?(?:(?P<count>{_COUNT}) +)?"
    r"(?P<which>(?:high|low)(?:est|er))(?: +(?:die|dice|rolls?|results?|ones?|numbers?|of (?:them|those|these)))*"
    r"(?=$|[ ,.])"
    r"|(?:最も|一番)?(?P<low>[低高])い(?:方|ほう|出目|目|ダイス)?[をは]?無視(?:する|して)?",
    re.IGNORECASE | re.ASCII,
)
_ADDED = re.compile(
    rf"{_BEGINS}(?P<sign>[+-]|plus(?= )|minus(?= )) *(?P<amount>{_COUNT})(?=$|[ ,.])", re.IGNORECASE | re.ASCII
)
_JOINING = re.compile(
    r"^(?:[ ,.]|(?:and|for|of|by|with|then|from|because)(?= |$))+|(?:[ ,.]|(?<= )and$|^and$)+$", re.IGNORECASE
)


def meant(text: str) -> Meant | None:
    """Return the roll that a text plainly means; None if there is none.

    >>> roll = meant("roll two d20 and ignore the lower")
    >>> roll.dice, roll.name, roll.is_named, roll.told, roll.which, roll.count
    ('2d20', 'a card', False, 'ignore the lower', 'lowest', 1)
    """
    typed = text.strip(BLANKS)
    line = narrow(typed)
    dice = _DICE.match(line)
    if dice is None or len(line) > _MOST:
        return None
    number = _number(dice["count"] or dice["times"] or "1")
    sides = _number(dice["sides"] or dice["sided"])
    at = next((found.start() for found in re.finditer(" *[:|]", line[dice.end() :])), len(line)) + dice.end()
    words, rest = typed[dice.end() : at], typed[at:]
    ignoring = _IGNORING.search(narrow(words))
    start, end = (0, 0) if ignoring is None else ignoring.span()
    told, left = words[start:end], f"{words[:start]} {words[end:]}"
    added = _ADDED.search(narrow(left))
    amount = 0 if added is None else _number(added["amount"]) * (-1 if added["sign"].lower() in ("-", "minus") else 1)
    left = left if added is None else f"{left[: added.start()]} {left[added.end() :]}"
    name = " ".join(_JOINING.sub("", _JOINING.sub("", left)).split())
    which, count = _ignored(dice["end"], ignoring, number)
    does_not_fit = (told or dice["end"]) and not which
    if not (name or told) or is_doubtful(name) or does_not_fit or (dice["plural"] and number == 1):
        return None
    unnamed = "カード" if ignoring is not None and ignoring["low"] else "a card"
    told = told or dice["end"] or ""
    return Meant(
        f"{number if number > 1 else ''}d{sides}", name or unnamed, bool(name), told, which, count, amount, rest
    )


def _ignored(kept: str | None, ignoring: re.Match[str] | None, number: int) -> tuple[str, int]:
    """Return which dice are ignored, and how many, of so many; nothing if none or all would be."""
    if kept is not None and ignoring is not None:
        return "", 0
    if kept is not None:
        keeps, high, count = kept[0] in "kK", kept[1] in "hH", int(kept[2:] or 1)
    elif ignoring is None:
        return "", 0
    elif ignoring["low"]:
        keeps, high, count = False, ignoring["low"] == "高", 1
    else:
        which = ignoring["which"].lower()
        if which.endswith("er") and number != 2:
            return "", 0
        keeps, high = ignoring["verb"].lower().startswith("keep"), which.startswith("high")
        count = _number(ignoring["count"] or "1")
    ignored = number - count if keeps else count
    return ("highest" if high != keeps else "lowest", ignored) if 0 < ignored < number else ("", 0)


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)
