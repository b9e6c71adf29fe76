"""Text that people write: forbidden characters, and isolation among other words (specs/log.md, "Text")."""

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

# Scripts and emoji need these joiners: behind a non-ASCII character, U+200D behind U+FE0F, U+FE0F in keycaps.
_JOINERS = "\u200c\u200d\ufe0f"
_JOINED = rf"(?:(?<=[^\x00-\x7f{_JOINERS}])[{_JOINERS}]|(?<=\ufe0f)\u200d|(?<=[#*0-9])\ufe0f(?=\u20e3))"
_SEEN = f"[^{UNSEEN}{_JOINERS}]*"
TEXT_PATTERN = rf"\A{_SEEN}(?:{_JOINED}{_SEEN})*\Z"
"""pattern of a text: it has no invisible or reordering characters, so it looks the same on every screen"""

# First strong isolate, pop directional isolate (UAX #9): text between them does not reorder text outside.
_OPEN, _CLOSE = "\u2068", "\u2069"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""blocks of right-to-left scripts, independent of the platform's version of Unicode"""
_PAIR = re.compile(f"{_OPEN}([^{UNSEEN}]*){_CLOSE}")
_PAIR_OR_UNSEEN = re.compile(f"{_PAIR.pattern}|[{UNSEEN}]")
_UNSEEN = re.compile(f"[{UNSEEN}]")


def has_unseen(text: str) -> bool:
    """Return whether a text contains a character that is forbidden in texts at any position."""
    return _UNSEEN.search(text) is not None


def safe_json(text: str) -> str:
    """Escape control, reordering and invisible characters in a JSON text; its value stays the same."""
    return text if text.isascii() else _UNSEEN.sub(lambda found: _escaped(found[0]), text)


def _escaped(character: str) -> str:
    """Escape a character as JSON does; one outside the Basic Multilingual Plane becomes two escapes."""
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _numbered(character: str) -> str:
    code = f"{ord(character):04x}"
    return f"\\u{code}" if len(code) == 4 else f"\\u{{{code}}}"


def quoted(text: str) -> str:
    """Return the text in quotes as Python writes it, with the forbidden characters as escapes.

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
    """Return text from a log, a file name or a decoder with control and reordering characters escaped.

    Isolates that `isolated` put around a part stay, because they keep the reading order.
    """
    return _PAIR_OR_UNSEEN.sub(lambda m: m[0] if m[1] is not None else _numbered(m[0]), text)


def one_line(text: str, most: int = 1_000) -> str:
    """Return a stranger's text on one line, cut to `most` characters.

    >>> one_line("no\\nroll 7 holds", 12)
    'no roll 7 ho…'
    """
    words = " ".join(text[: 4 * most].split())
    return plain(words if len(words) <= most else f"{words[:most]}…")


def isolated(text: str) -> str:
    """Return a party's text for display among other words: text with a right-to-left script is put into isolates.

    >>> isolated("Lightning Bolt") == "Lightning Bolt", ascii(isolated("\u05d0 10"))
    (True, "'\\\\u2068\\\\u05d0 10\\\\u2069'")
    """
    if text.isascii() or _RIGHT_TO_LEFT.search(_PAIR.sub("", text)) is None:
        return text
    return _OPEN + _PAIR.sub(r"\1", plain(text)) + _CLOSE


def full_name(name: str, called: str | None) -> str:
    """Return a party's called name with the name of its key, for display among other words."""
    return name if called is None or called == name else isolated(f"{called} ({name})")


def isolated_in(value: Any) -> Any:
    """Return a JSON value with `isolated` applied to each of its texts."""
    match value:
        case str():
            return isolated(value)
        case Mapping():
            return {isolated(name): isolated_in(member) for name, member in value.items()}
        case list() | tuple():
            return [isolated_in(item) for item in value]
    return value


def balanced(lines: list[str]) -> list[str]:
    """Return the lines of a wrapped text such that each line isolates the parts that an isolate spans across lines."""
    whole: list[str] = []
    within = False
    for line in lines:
        opened = _OPEN + line if within else line
        within = opened.rfind(_OPEN) > opened.rfind(_CLOSE)
        whole.append(opened + _CLOSE if within else opened)
    return whole
