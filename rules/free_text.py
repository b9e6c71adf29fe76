"""Free text on a typed line: what is kept of it, and what of it reads like notation (specs/rules.md, "Free text")."""

import re

from rules.base import NotationError

__all__ = ["BLANKS", "COIN", "Line", "check_free", "narrow", "reads_like_notation"]

BLANKS = " \u3000"
"""a blank, and one of full width"""
_NARROW = {0xFF01 + offset: 0x21 + offset for offset in range(94) if chr(0x21 + offset) not in '"\\\\'} | {0x3000: 0x20}

_DICE = r"(?<![a-z0-9])(?:[0-9]+d(?:[0-9]+|%|f)?|d(?:[0-9]+|%))(?![a-z0-9])"
_SIDED = r"(?<![a-z])[a-z0-9]+-sided(?![a-z])|[0-9〇一二三四五六七八九十百]+面"
COIN = re.compile(r"coin[ ](?:flip|toss)|flip[ ]a[ ]coin|コイン(?:投げ|を投げ)")
"""how people say that a coin is flipped"""
_TARGET = r"(?<![a-z0-9])[0-9]+[+\-](?![a-z0-9])|(?<![a-z])(?:vs|under|dc) *[0-9]"
_CHANGE = r"(?:^|[^a-z0-9+\-*/])[+\-−*/×] *[0-9]"
_INSTRUCTION = (
    r"(?<![a-z])(?:(?:dis)?advantage|reroll(?:s|ed|ing)?|ignor(?:e|es|ed|ing)|(?:keep|drop)s?"
    r"|(?:high|low)(?:er|est))(?![a-z])|振り直|無視"
)
_NOTATION = re.compile("|".join((_DICE, _SIDED, COIN.pattern, _TARGET, _CHANGE, _INSTRUCTION)))


def narrow(text: str) -> str:
    """Return the text with full-width digits, letters and signs as ASCII, character for character.

    >>> narrow("２ｄ６＋１")
    '2d6+1'
    """
    return text.translate(_NARROW)


class Line(str):
    """A line as it is read: full-width characters are ASCII; `typed` has it as it was typed, of the same length."""

    typed: str

    def __new__(cls, typed: str) -> "Line":
        """Read a line as it stands."""
        line = super().__new__(cls, narrow(typed))
        line.typed = typed
        return line


def reads_like_notation(text: str) -> str | None:
    """Return the first part of a text that reads like dice, a target, a change or an instruction; None without one.

    >>> reads_like_notation("Delina, Wild Mage"), reads_like_notation("six-sided die X"), reads_like_notation("6D fire")
    (None, 'six-sided', '6d')
    """
    found = _NOTATION.search(narrow(text).lower())
    return None if found is None else found[0].strip(" ")


def check_free(text: str, quoted: str) -> str:
    """Return a text that was typed without quotation marks, where a name or a purpose stands.

    `quoted` is how the text is written where it is meant. Raises NotationError for one that reads like notation:
    a typing error would become a name, and other dice would be rolled than were typed.
    """
    part = reads_like_notation(text)
    if part is not None:
        raise NotationError(
            "“{part}” reads like dice or an instruction, and stands where a name does. A name like that is written in "
            "quotation marks: {quoted}",
            part=part,
            quoted=quoted,
        )
    return text
