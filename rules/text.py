"""Text that people write: what none may have, and how one is shown among other words (specs/log.md, "Text")."""

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["UNSEEN", "balanced", "isolated", "isolated_in", "one_line", "plain"]

UNSEEN = "\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff"
"""what no text of a log may have, as the inside of a character class"""

# First strong isolate, pop directional isolate (UAX #9): what is between them changes nothing outside.
_OPEN, _CLOSE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_PAIR = re.compile(f"{_OPEN}([^{UNSEEN}]*){_CLOSE}")
_PAIR_OR_UNSEEN = re.compile(f"{_PAIR.pattern}|[{UNSEEN}]")


def plain(text: str) -> str:
    """Text that a log, a file name or a decoder brought, with nothing in it that moves a cursor or reorders a line.

    What `isolated` has put around a text stays: it keeps order.
    """
    return _PAIR_OR_UNSEEN.sub(lambda m: m[0] if m[1] is not None else f"\\u{ord(m[0]):04x}", text)


def one_line(text: str, most: int = 1_000) -> str:
    """Text that a stranger wrote, on one line, and not longer than so many characters.

    >>> one_line("no\nroll 7 holds", 12)
    'no roll 7 ho…'
    """
    words = " ".join(text[: 4 * most].split())
    return plain(words if len(words) <= most else f"{words[:most]}…")


def isolated(text: str) -> str:
    """A party's text as it is shown among other words: one with right-to-left script stands by itself.

    >>> isolated("Lightning Bolt") == "Lightning Bolt", ascii(isolated("\u05d0 10"))
    (True, "'\\\\u2068\\\\u05d0 10\\\\u2069'")
    """
    if text.isascii() or not _runs_left(_PAIR.sub("", text)):
        return text
    return _OPEN + _PAIR.sub(r"\1", plain(text)) + _CLOSE


def isolated_in(value: Any) -> Any:
    """A JSON value with each of its texts as it is shown."""
    match value:
        case str():
            return isolated(value)
        case Mapping():
            return {isolated(name): isolated_in(member) for name, member in value.items()}
        case list() | tuple():
            return [isolated_in(item) for item in value]
    return value


def balanced(lines: list[str]) -> list[str]:
    """The lines that a text with isolated parts was broken into: each part is isolated in every line that it is in."""
    whole: list[str] = []
    within = False
    for line in lines:
        told = _OPEN + line if within else line
        within = told.rfind(_OPEN) > told.rfind(_CLOSE)
        whole.append(told + _CLOSE if within else told)
    return whole


def _runs_left(text: str) -> bool:
    if text.isascii():
        return False
    from unicodedata import bidirectional  # few texts need it

    return any(bidirectional(character) in _RIGHT_TO_LEFT for character in text)
