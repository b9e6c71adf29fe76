"""Free text on a typed line: full-width characters, and text that reads like notation (specs/rules.md, "Free text")."""

import re

from rules.base import NotationError
from rules.data.letters import WORD

__all__ = [
    "BLANKS",
    "COIN",
    "DOUBTFUL",
    "TypedLine",
    "check_free",
    "instructs",
    "is_doubtful",
    "narrow",
    "reads_like_notation",
]

BLANKS = " \u3000"
"""the blank, and the full-width blank"""
_NARROW = {0xFF01 + offset: 0x21 + offset for offset in range(94) if chr(0x21 + offset) not in '"\\\\'} | {0x3000: 0x20}

_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred"
_MORE = "[0-9][a-z0-9]*"
_DICE = rf"(?<![a-z0-9])(?:[0-9]+x)?(?:[0-9]+d(?:{_MORE}|%|f)?|d(?:{_MORE}|%))(?![a-z0-9])"
# Digits match only from the beginning of their run: else the time for a long run grows with its square.
_SIDED = "(?<![a-z0-9])[a-z0-9]+-sided(?![a-z])|(?<![0-9〇一二三四五六七八九十百])[0-9〇一二三四五六七八九十百]+面"
COIN = re.compile(r"coin[ ](?:flip|toss)|flip[ ]a[ ]coin|コインを?投げ")
"""phrases that ask for the flip of a coin"""
_TARGET = (
    r"(?<![a-z0-9])[0-9]+[+\-−–—](?![a-z0-9])"
    r"|(?<![a-z])(?:vs\.?|versus|under|dc|needs?|beats?|at least|at most) *[0-9]+"
    r"|[<>=≤≥≦≧]+ *[0-9]+"
    r"|(?<![0-9])[0-9]+ or (?:more|less|better|worse|above|below|over|under)(?![a-z])"
    r"|(?<![0-9])[0-9]+(?:以上|以下|未満)"
)
_CHANGE = (
    r"(?<![a-z0-9+\-*/])[+\-−–—*/] *[0-9]+|[×÷] *[0-9]+|(?<![a-z0-9])x *[0-9]+(?![a-z0-9])|(?<![0-9])[0-9]+倍"
    rf"|(?<![a-z])(?:plus|minus|times) +(?:[0-9]+|(?:{_NUMBERS})(?![a-z]))"
)
_INSTRUCTION = (
    r"(?P<instruction>(?<![a-z])(?:(?:dis)?advantage|adv|dis|reroll(?:s|ed|ing)?|ignor(?:e|es|ed|ing)|(?:keep|drop)s?"
    r"|(?:high|low)(?:er|est)|twice|thrice)(?![a-z])"
    r"|(?<![a-z0-9])[0-9]+ times(?![a-z])|(?<![0-9])[0-9]+回(?!目)|振り直|無視|有利|不利)"
)
_NOTATION = re.compile("|".join((_DICE, _SIDED, COIN.pattern, _TARGET, _CHANGE, _INSTRUCTION)))

_SIGN = re.compile(r"[0-9+*/×÷=<>≤≥≦≧%^|#@&−–—]|(?<![a-z])-|-(?![a-z])")
_WORDS = (
    "add|added|adding|adds|advantaged|again|another|best|better|bonus|both|bottom|call|coin|coins|"
    "crit|critical|crits|dh|dice|die|disadvantaged|dl|double|doubled|doubles|doubling|dropped|dropping|"
    "each|eight|either|exclude|excluding|explode|exploded|explodes|exploding|extra|five|for|four|half|"
    "halve|halved|halves|halving|heads|hundred|instead|join|joins|keeping|kh|kl|max|maximised|"
    "maximized|maximum|melee|min|minimised|minimized|minimum|minus|mod|nine|one|penalty|plus|private|"
    "privately|random|ranged|roll|rolled|rolling|rolls|secret|secretly|separate|separately|seven|six|"
    "subtract|success|successes|sum|tails|ten|three|times|together|top|total|triple|twelve|twenty|two|"
    "under|unless|versus|vs|with|without|worse|worst"
)
DOUBTFUL = frozenset(_WORDS.split("|"))
"""words that can be an instruction about dice, but occur in names too"""
_JAPANESE = re.compile(
    r"倍|半分|半減|合計|以上|以下|未満|もう一度|コイン|ダイス|サイコロ|[高低良悪]い方|大きい方|小さい方|加算|最大|最小"
    r"|最高|最低|上位|下位|追加|再度|やり直|無作為|秘密|シークレット|クリティカル|ボーナス|ペナルティ|[〇一二三四五六七八九十百][回個]"
    rf"|(?<!{WORD})[表裏](?!{WORD})"
)


def narrow(text: str) -> str:
    """Return the text with full-width digits, letters and signs as ASCII, character for character.

    >>> narrow("２ｄ６＋１")
    '2d6+1'
    """
    return text.translate(_NARROW)


class TypedLine(str):
    """A typed line with its full-width characters replaced by ASCII. `typed` is the original, of the same length."""

    typed: str

    def __new__(cls, typed: str) -> "TypedLine":
        """Normalize a line and keep the original."""
        line = super().__new__(cls, narrow(typed))
        line.typed = typed
        return line


def reads_like_notation(text: str) -> str | None:
    """Return the first part of a text that reads like dice, a target, a change or an instruction; else None.

    >>> reads_like_notation("Delina, Wild Mage"), reads_like_notation("six-sided die X"), reads_like_notation("6D fire")
    (None, 'six-sided', '6d')
    """
    found = _NOTATION.search(narrow(text).lower())
    return None if found is None else found[0].strip(" ")


def instructs(text: str) -> bool:
    """Return whether a part of a text reads like an instruction about dice.

    >>> instructs("Delina, ignore the lowest"), instructs("Longsword +1")
    (True, False)
    """
    return any(found["instruction"] is not None for found in _NOTATION.finditer(narrow(text).lower()))


def is_doubtful(text: str) -> bool:
    """Return whether a text may be more than a name: it has a digit, a sign or a word of some notation.

    >>> is_doubtful("Delina, Wild Mage"), is_doubtful("orc #2"), is_doubtful("fireball, halved")
    (False, True, True)
    """
    plain = narrow(text).lower()
    found = (pattern.search(plain) for pattern in (_SIGN, _JAPANESE, _NOTATION))
    return any(found) or not DOUBTFUL.isdisjoint(re.findall("[a-z]+", plain))


def check_free(text: str, quoted: str, *, is_line: bool = False) -> str:
    """Return a name or purpose that was typed without quotation marks, after checking that it is no notation.

    `quoted` is how to write the text in quotation marks, or with `is_line` the whole line, which would be read. It is
    offered but for an instruction, which would be a name then and not be followed. Raises NotationError for a text that
    reads like notation: otherwise a typing error would become a name, and other dice would be rolled than were typed.
    """
    part = reads_like_notation(text)
    if part is not None and is_line and not instructs(text):
        raise NotationError(
            "“{part}” reads like dice or an instruction, and stands where a name does. A name like that is written in "
            "quotation marks",
            lines=[quoted],
            part=part,
        )
    if part is not None:
        raise NotationError(
            "“{part}” reads like dice or an instruction, and stands where a name does. A name like that is written in "
            "quotation marks: {quoted}",
            part=part,
            quoted=quoted,
        )
    return text
