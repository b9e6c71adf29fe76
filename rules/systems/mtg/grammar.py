"""The grammar of one-line notations: tokens, words and a parser of a line (specs/mtg.md, "Notation").

Reading and writing share it, so that what one writes the other reads.
"""

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from rules.base import NotationError
from rules.common.free_text import BLANKS, narrow
from rules.data.language import N_, Message

__all__ = [
    "AMOUNT",
    "BAR",
    "COLON",
    "DICE",
    "FLIPS",
    "LINK",
    "MARKS",
    "RANDOM",
    "RANGE",
    "TRIGGER_RANGE",
    "WHAT",
    "WHO",
    "WHOSE",
    "WORD",
    "Json",
    "LineParser",
    "is_begun",
    "quote",
    "says_again",
    "signed_number",
]

Json = dict[str, Any]

_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
COLON = re.compile(r" *: *")
BAR = re.compile(r" *\| *")
_PLAIN = re.compile(r"[^|]*")
AMOUNT = re.compile(r"([+\u2212-]) *([1-9][0-9]*)(?![0-9])")
_TERM = r"(?:(?:[1-9][0-9]*)?(?:[dD][1-9][0-9]*|planar|coin(?! (?:flip|toss))))"
DICE = re.compile(rf"{_TERM}(?:\+{_TERM})*(?=$|[ +:\u2212-])", re.ASCII)
LINK = re.compile(r"(again|joins) ([1-9][0-9]*)(?=$|[ :])")
RANDOM = re.compile(r"random(?= )")
WORD = re.compile(r'[^\s:|,"]+')
RANGE = re.compile(r"[0-9][^:|]*")
TRIGGER_RANGE = re.compile(rf"[\u2212-]?{RANGE.pattern}")

MARKS: Mapping[str, Any] = {"[again]": True, "[may again]": "may", "[no again]": None}
_SAYS = (
    (re.compile(r"(you may roll again|振り直してもよい)[.。]?\Z", re.IGNORECASE), "may"),
    (re.compile(r"(roll again|振り直す)[.。]?\Z", re.IGNORECASE), True),
)

WHO = {"you roll": "you", "an opponent rolls": "opponents", "a player rolls": "any"}
FLIPS = {
    " ".join((who, word + end, "a", "coin", "flip")): (whose, on)
    for who, end, whose in (("you", "", "you"), ("an opponent", "s", "opponents"), ("a player", "s", "any"))
    for word, on in (("win", "won"), ("lose", "lost"))
}
WHAT = {"one or more dice": "rolled", "a die's highest natural result": "highest", "a die": "die"}
WHOSE = {"opponents": "opponents", "any player": "any"}


class LineParser:
    """A line that is parsed from the left. `text` has full-width characters as ASCII; `typed` is the original."""

    def __init__(self, text: str) -> None:
        self.typed = text.strip(BLANKS)
        self.text = narrow(self.typed)
        self.at = 0

    @property
    def rest(self) -> str:
        """The text from the current place on."""
        return self.text[self.at :]

    def skip(self) -> None:
        """Skip blanks."""
        while self.rest.startswith(" "):
            self.at += 1

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match the pattern at the current place, and skip it with the blanks behind it."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            self.skip()
        return found

    def word(self, *words: str) -> str | None:
        """Return the first of these words that stands at the current place, and skip it; None if none does."""
        for word in words:
            after = self.at + len(word)
            if self.text.startswith(word, self.at) and self.text[after : after + 1] in ("", " ", ",", ":"):
                self.at = after
                self.skip()
                return word
        return None

    def expect(self, wanted: str) -> NoReturn:
        """Raise NotationError that says what would be right at the current place."""
        right = Message(wanted)
        if not self.rest:
            text = N_("{text!r} ends too early; expected: {wanted}")
            raise NotationError(text, text=self.text, wanted=right)
        text = N_("in {text!r}, what would be right in place of {rest!r} is {wanted}")
        raise NotationError(text, text=self.text, rest=self.rest, wanted=right)

    def as_typed(self, found: re.Match[str], group: int = 0) -> str:
        """Return the original text of a match."""
        return self.typed[found.start(group) : found.end(group)]

    def quoted(self) -> str | None:
        """Return the text of a quotation at the current place, and skip it; None if none stands there."""
        found = self.take(_QUOTED)
        return None if found is None else re.sub(r"\\(.)", r"\1", self.as_typed(found, 1))

    def colon(self) -> None:
        """Skip a colon with its blanks. Raises NotationError if none stands here."""
        if self.take(COLON) is None:
            self.expect(N_("`: ` and a text"))

    def plain(self, pattern: re.Pattern[str] = _PLAIN) -> str:
        """Return the text that the pattern matches at the current place, without blanks at its end; else empty."""
        found = self.take(pattern)
        return "" if found is None else self.as_typed(found).rstrip(BLANKS)

    def required_text(self, pattern: re.Pattern[str] = _PLAIN) -> str:
        """Return a text in quotation marks, or the text up to a bar. Raises NotationError if it is empty."""
        if self.rest.startswith('"'):
            quoted = self.quoted()
            return quoted or self.expect(N_('a text, with `"` at its end'))
        text = self.plain(pattern)
        return text or self.expect(N_("a text"))

    def end(self) -> None:
        """Raise NotationError if text is left."""
        if self.rest:
            self.expect(N_("the end of the line"))


def signed_number(match: re.Match[str]) -> int:
    """Return the integer of a match of AMOUNT, or of another pattern with a sign and digits as its groups."""
    return -int(match[2]) if match[1] in ("-", "\u2212") else int(match[2])


def quote(text: str) -> str:
    """Return the text in quotation marks, with quotation marks and backslashes escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def is_begun(body: Mapping[str, Any]) -> bool:
    """Return whether an unquoted name can follow, because dice or the roll that it continues came first."""
    return not body.keys().isdisjoint({"dice", "again", "joins"})


def says_again(effect: str) -> Any:
    """Return what the words of an effect say about rolling again; None if they do not mention it."""
    return next((again for words, again in _SAYS if words.search(effect)), None)
