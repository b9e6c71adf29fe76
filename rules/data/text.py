"""Text that people write: what none may have, and how one is shown among other words (specs/log.md, "Text")."""

import re
from collections.abc import Mapping
from typing import Any

from rules.data.unseen import UNSEEN

__all__ = [
    "TEXT_PATTERN",
    "balanced",
    "full_name",
    "has_unseen",
    "isolated",
    "isolated_in",
    "one_line",
    "plain",
    "quoted",
    "safe_json",
]

# Scripts and emoji need these three: behind what is not ASCII, U+200D behind U+FE0F, U+FE0F in keycaps.
_JOINERS = "\u200c\u200d\ufe0f"
_JOINED = rf"(?:(?<=[^\x00-\x7f{_JOINERS}])[{_JOINERS}]|(?<=\ufe0f)\u200d|(?<=[#*0-9])\ufe0f(?=\u20e3))"
_SEEN = f"[^{UNSEEN}{_JOINERS}]*"
TEXT_PATTERN = rf"\A{_SEEN}(?:{_JOINED}{_SEEN})*\Z"
"""what a text looks like: a log looks the same on every screen, and nothing in it is unseen"""

# First strong isolate, pop directional isolate (UAX #9): what is between them changes nothing outside.
_OPEN, _CLOSE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""blocks of scripts that are written from right to left, whatever the platform knows of them"""
_PAIR = re.compile(f"{_OPEN}([^{UNSEEN}]*){_CLOSE}")
_PAIR_OR_UNSEEN = re.compile(f"{_PAIR.pattern}|[{UNSEEN}]")
_UNSEEN = re.compile(f"[{UNSEEN}]")


def has_unseen(text: str) -> bool:
    """Return whether a character in it is refused in texts wherever it stands."""
    return _UNSEEN.search(text) is not None


def safe_json(text: str) -> str:
    """Escape in JSON what moves a cursor, reorders a line or is not seen: it has the same value."""
    return text if text.isascii() else _UNSEEN.sub(lambda found: _escaped(found[0]), text)


def _escaped(character: str) -> str:
    """Escape a character as JSON does: one outside of the first plane is two escapes."""
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _numbered(character: str) -> str:
    code = f"{ord(character):04x}"
    return f"\\u{code}" if len(code) == 4 else f"\\u{{{code}}}"


def quoted(text: str) -> str:
    """Text in quotes as Python writes it, with the characters that no text has by their numbers.

    >>> print(quoted("it's"), quoted('a\\n"' + "\u200b'"))
    "it's" 'a\\n"\\u200b\\''
    """
    mark = '"' if "'" in text and '"' not in text else "'"
    return mark + "".join(_in_quotes(character, mark) for character in text) + mark


_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _in_quotes(character: str, mark: str) -> str:
    if character == mark:
        return f"\\{mark}"
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if not has_unseen(character) and not 0xD800 <= code <= 0xDFFF:
        return character
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def plain(text: str) -> str:
    """Text that a log, a file name or a decoder brought, with nothing in it that moves a cursor or reorders a line.

    What `isolated` has put around a text stays: it keeps order.
    """
    return _PAIR_OR_UNSEEN.sub(lambda m: m[0] if m[1] is not None else _numbered(m[0]), text)


def one_line(text: str, most: int = 1_000) -> str:
    """Text that a stranger wrote, on one line, and not longer than so many characters.

    >>> one_line("no\\nroll 7 holds", 12)
    'no roll 7 ho…'
    """
    words = " ".join(text[: 4 * most].split())
    return plain(words if len(words) <= most else f"{words[:most]}…")


def isolated(text: str) -> str:
    """A party's text as it is shown among other words: one with right-to-left script stands by itself.

    >>> isolated("Lightning Bolt") == "Lightning Bolt", ascii(isolated("\u05d0 10"))
    (True, "'\\\\u2068\\\\u05d0 10\\\\u2069'")
    """
    if text.isascii() or _RIGHT_TO_LEFT.search(_PAIR.sub("", text)) is None:
        return text
    return _OPEN + _PAIR.sub(r"\1", plain(text)) + _CLOSE


def full_name(name: str, called: str | None) -> str:
    """What a party is called, and the name of its key, as both are shown among other words."""
    return name if called is None or called == name else isolated(f"{called} ({name})")


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
