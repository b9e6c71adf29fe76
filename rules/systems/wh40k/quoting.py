"""Texts within notations: with quotation marks, and without them where that is possible (specs/wh40k.md)."""

import re
from collections.abc import Sequence

from rules.base import NotationError
from rules.common.free_text import check_free, narrow
from rules.data.letters import LETTER

__all__ = ["TEXT", "Quoted", "integers", "read_integers", "write_text"]

_QUOTED = re.compile(r'(?<![0-9])"((?:[^"]|"")+)"')
_MARK = "\ue000{}\ue001"
_MASKED = re.compile("\ue000([0-9]+)\ue001")
TEXT = rf"(?:\ue000[0-9]+\ue001|{LETTER}[^,;\ue000]*?)"
"""pattern of a text in a line whose quotations are masked"""
_DASHES = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "″": '"', "”": '"', "“": '"', "×": "x", "\u00a0": " "})
_FULL_COMMA = re.compile("(?<![0-9０-９])[，、]|[，、](?![0-9０-９])")
"""a full-width comma, which has no blank behind it; one between two numbers belongs to a list of numbers"""
_FULL_COLON = re.compile("：[ \u3000]*")
_PLAIN = re.compile(r"[A-Za-z](?:[A-Za-z' -]*[A-Za-z'])?")
_WORDS = frozenset(
    {
        "a",
        "all",
        "always",
        "announced",
        "any",
        "ap",
        "apart",
        "assault",
        "at",
        "at-most",
        "attacks",
        "auto-hit",
        "blast",
        "bs",
        "by",
        "d",
        "discard",
        "each",
        "extra",
        "failed",
        "fails",
        "fnp",
        "for",
        "grenade",
        "heavy",
        "hit",
        "hits",
        "improve",
        "instead",
        "inv",
        "invulnerable",
        "ld",
        "least",
        "m",
        "melee",
        "mortal",
        "most",
        "on",
        "once",
        "ones",
        "passes",
        "pistol",
        "ranged",
        "rapid",
        "reroll",
        "s",
        "save",
        "saves",
        "set",
        "slays",
        "sum",
        "sv",
        "t",
        "to",
        "treat",
        "unmodified",
        "w",
        "when",
        "worsen",
        "wound",
        "wounds",
        "ws",
        "x",
    }
)


class Quoted:
    """A line with its quotations masked, so that it can be split at commas and words."""

    def __init__(self, text: str) -> None:
        """Mask quotations, and outside of them replace dashes, primes and full-width characters by ASCII.

        Raises NotationError for a line that contains the characters of the mask.
        """
        self.values: list[str] = []
        cut = 0
        kept = []
        for match in _QUOTED.finditer(narrow(text)):
            kept += [text[cut : match.start()], _MARK.format(len(self.values))]
            self.values.append(text[match.start(1) : match.end(1)].replace('""', '"'))
            cut = match.end()
        rest = text[cut:]
        if any(mark in piece for piece in (*kept[::2], rest) for mark in "\ue000\ue001"):
            raise NotationError("a character of this text is none that is written: put quotation marks around it")
        self._typed = _FULL_COLON.sub(": ", _FULL_COMMA.sub(", ", "".join((*kept, rest)).strip()))
        self.text = narrow(self._typed).translate(_DASHES)

    def read(self, text: str) -> str:
        """Return a text that `TEXT` matched, as it was quoted or typed.

        Raises NotationError for a partly quoted text, and for one without quotation marks that reads like notation.
        """
        if (match := _MASKED.fullmatch(text)) is not None:
            return self.values[int(match[1])]
        if "\ue000" in text:
            raise NotationError("{text}: put quotation marks around all of it", text=self.shown(text))
        at = self.text.find(text)
        typed = self._typed[at : at + len(text)].strip() if at >= 0 else text
        return check_free(typed, write_text(typed))

    def shown(self, text: str) -> str:
        """Return a piece of the line with its quotations."""
        return _MASKED.sub(lambda m: f'"{self.values[int(m[1])]}"', text)


def write_text(text: str) -> str:
    """Return a text for a line, in quotation marks if it would be misread without them."""
    plain = _PLAIN.fullmatch(text) and "  " not in text and _WORDS.isdisjoint(text.casefold().split(" "))
    return text if plain else '"' + text.replace('"', '""') + '"'


def read_integers(text: str, what: str) -> list[int]:
    """Return the integers of a list, so that `1-3,7` is [1, 2, 3, 7]; single numbers may be negative.

    Raises NotationError.
    """
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"(-?[0-9]{1,16})(?:-([0-9]{1,4}))?", part.strip(), re.ASCII)
        if match is None:
            raise NotationError(
                "{what}: numbers and ranges with commas between them, 1-5,7; not {text}", what=what, text=text
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last - first >= 1_000 or len(found) > 1_000:
            raise NotationError("{what}: {part} is no range of at most a thousand numbers", what=what, part=part)
        found += range(first, last + 1)
    return found


def integers(numbers: Sequence[int]) -> str:
    """Return a list of integers such as `1-3,7`, with runs of three or more as ranges, in the given order."""
    parts: list[str] = []
    at = 0
    while at < len(numbers):
        end = at
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1 and numbers[at] >= 0:
            end += 1
        if end - at >= 2:
            parts.append(f"{numbers[at]}-{numbers[end]}")
        else:
            parts += map(str, numbers[at : end + 1])
        at = end + 1
    return ",".join(parts)
