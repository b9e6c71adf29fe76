"""Parsing and writing of dice notation (specs/rules.md, "Dice notation")."""

import re
from functools import lru_cache

from rules.data.bounds import MAX_DICE, MAX_SAFE_INTEGER
from rules.data.language import Message

__all__ = ["DiceNotationError", "notation", "parse"]

_TERM = re.compile(r"([1-9][0-9]*)?d([1-9][0-9]*)", re.ASCII)
_DIGITS = len(str(MAX_SAFE_INTEGER))


class DiceNotationError(Message, ValueError):
    """Raised for a text that is not dice notation. The message says why and what would be right."""


@lru_cache(maxsize=256)
def parse(text: str) -> tuple[int, ...]:
    """Return the sides of each die of `text`, in the order of the draw.

    >>> parse("2d6+d20")
    (6, 6, 20)

    Raises DiceNotationError for a text that is not dice notation, and for more than MAX_DICE dice.
    """
    sides: list[int] = []
    for term in text.split("+"):
        match = _TERM.fullmatch(term)
        if match is None:
            raise _wrong(text)
        count_digits, sides_digits = match[1] or "1", match[2]
        # Check lengths first: int() of a very long text is slow, and Python 3.12 and later refuse it.
        if len(sides_digits) > _DIGITS or int(sides_digits) > MAX_SAFE_INTEGER:
            raise DiceNotationError(
                "a die in {text!r} has too many sides: at most {most}", text=text[:60], most=MAX_SAFE_INTEGER
            )
        if len(count_digits) > _DIGITS or len(sides) + int(count_digits) > MAX_DICE:
            raise DiceNotationError(
                "{text!r} asks for too many dice: at most {most} in one roll", text=text[:60], most=MAX_DICE
            )
        sides.extend([int(sides_digits)] * int(count_digits))
    return tuple(sides)


_NO_DICE = re.compile(r"0+d[0-9]+|[0-9]*d0+", re.ASCII)
_NARROW = {ord(upper): ord(upper) + 32 for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"} | {
    wide: ord(chr(wide - 0xFEE0).lower()) for wide in range(0xFF01, 0xFF5F)
}
_NARROW[0x3000] = 0x20
"""upper case and full width → lower case ASCII. The table does not depend on the platform's version of Unicode"""
_MODIFIER = re.compile(r"[^-]*d[0-9]+[+-][0-9]+", re.ASCII)


def _wrong(text: str) -> DiceNotationError:
    """Return an error that explains, as far as possible, why a text is not dice notation."""
    meant = re.sub(r"[\t\n\r ]+", "", text.translate(_NARROW))
    if meant != text and all(_TERM.fullmatch(term) for term in meant.split("+")):
        return DiceNotationError("{text!r} is not dice notation: write {meant}", text=text, meant=meant)
    if any(_NO_DICE.fullmatch(term) for term in text.split("+")):
        return DiceNotationError(
            "{text!r} is not dice notation: there is no die in it, or a die without sides", text=text
        )
    if _MODIFIER.fullmatch(text):
        return DiceNotationError("{text!r} is not dice notation: a modifier is given beside the dice", text=text)
    return DiceNotationError("{text!r} is not dice notation: write for example d20, 2d6 or 2d6+1d8", text=text)


def notation(sides: tuple[int, ...]) -> str:
    """Return the notation of these dice, with equal neighbours grouped. No dice give the empty text.

    >>> notation((6, 6, 20))
    '2d6+1d20'
    """
    runs: list[list[int]] = []
    for n in sides:
        if runs and runs[-1][1] == n:
            runs[-1][0] += 1
        else:
            runs.append([1, n])
    return "+".join(f"{count}d{n}" for count, n in runs)
