"""Error messages for JSON that cannot be parsed, and JSON values as messages show them."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import msgspec

from rules.data.language import Message

if TYPE_CHECKING:
    from json import JSONDecodeError

__all__ = ["MAX_DEPTH", "UNREADABLE", "DoubledError", "broken_at", "json_problem", "nesting", "quote_value"]

MAX_DEPTH: Final = 64
"""nested levels of objects and arrays that a JSON text may have"""

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError, ValueError)
"""errors that decoding raises for JSON that is malformed or does not fit its schema"""

_MAX_SHOWN = 40
"""characters of a text that a message shows; of an array or object it shows five times as many"""
_MAX_SHOWN_DEPTH = 5
"""nested levels of arrays and objects that a message shows"""
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = [(byte in b"[{") - (byte in b"]}") for byte in range(256)]
"""for each byte: 1 if it opens a level, -1 if it closes one, else 0"""


class DoubledError(Message, ValueError):
    """Raised for JSON that parsers read differently: a member twice in one object, or a constant such as NaN."""


def nesting(data: bytes) -> int:
    """Return how many levels deep arrays and objects are nested in a JSON text, which may be malformed.

    It is called before any decoder, because the depth that a decoder survives depends on the platform. It must stay
    fast: 64 kB of brackets may not take 20 ms.
    """
    brackets = _STRINGS.sub(b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def json_problem(data: bytes, *, doubled: bool = False) -> Message | None:
    """Return why `data` is not JSON in UTF-8; None if it is. With `doubled`, a repeated member is a problem too."""
    import json  # needed for malformed data only

    if not data.strip():
        return Message("it is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Message("it is UTF-16 text: save it as UTF-8")
    if data.startswith(b"\xef\xbb\xbf"):
        return Message("it begins with a byte order mark: save it as UTF-8 without one")
    if nesting(data) > MAX_DEPTH:
        return Message("it nests too deep")
    try:
        text = data.decode()
        value = json.loads(text, object_pairs_hook=_once if doubled else None, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        return Message("it is not UTF-8 text: byte {byte} belongs to no character", byte=error.start + 1)
    except UnicodeEncodeError:
        return Message("a text in it has half a character, a surrogate that stands alone")
    except json.JSONDecodeError as error:
        return _broken(error)
    except ValueError as error:
        return error if isinstance(error, Message) else Message("a number in it has too many digits")
    return None


def quote_value(value: Any, depth: int = 0) -> str:
    """Return a JSON value as a message shows it: texts quoted and shortened, control characters escaped."""
    import json

    from rules.data.text import has_unseen

    if isinstance(value, str):
        quoted = json.dumps(_clipped(value, _MAX_SHOWN), ensure_ascii=False)
        return "".join(f"\\u{ord(char):04x}" if has_unseen(char) or _is_half(char) else char for char in quoted)
    if isinstance(value, Mapping | Sequence) and depth == _MAX_SHOWN_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        members = ", ".join(f"{quote_value(key)}: {quote_value(member, depth + 1)}" for key, member in value.items())
        return _clipped(f"{{{members}}}", _MAX_SHOWN * 5)
    if isinstance(value, Sequence):
        return _clipped(f"[{', '.join(quote_value(item, depth + 1) for item in value)}]", _MAX_SHOWN * 5)
    return json.dumps(value, default=str)


def _is_half(char: str) -> bool:
    return "\ud800" <= char <= "\udfff"


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in members:
        if name in found:
            raise DoubledError("an object in it has the member {name} twice", name=quote_value(name))
        found[name] = value
    return found


def _no_constant(text: str) -> Any:
    raise DoubledError("{text} is no JSON number", text=text)


def broken_at(error: "JSONDecodeError") -> int:
    """Return the position, from 0, at which a JSON text becomes malformed.

    For a comma with nothing behind it, Python 3.13 and later point at the comma, earlier versions at the closing
    bracket. The bracket is returned for both, so that messages do not depend on the version.
    """
    if not error.msg.startswith("Illegal trailing comma"):
        return error.pos
    behind = error.doc[error.pos + 1 :]
    return error.pos + 1 + len(behind) - len(behind.lstrip(" \t\n\r"))


def _broken(error: "JSONDecodeError") -> Message:
    import json

    error = json.JSONDecodeError(error.msg, error.doc, broken_at(error))
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return Message("it is no JSON: it ends too early")
    if "\n" in error.doc.strip():
        return Message(
            "it is no JSON: line {line} cannot be read from column {column} on", line=error.lineno, column=error.colno
        )
    return Message("it is no JSON: it cannot be read from character {column} on", column=error.colno)
