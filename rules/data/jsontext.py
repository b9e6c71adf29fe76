"""JSON text that cannot be read, in words; and JSON values as messages show them."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import msgspec

from rules.data.language import Message

if TYPE_CHECKING:
    from json import JSONDecodeError

__all__ = ["MAX_DEPTH", "UNREADABLE", "DoubledError", "broken_at", "json_problem", "nesting", "shown"]

MAX_DEPTH: Final = 64
"""levels of objects and arrays"""

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError, ValueError)
"""what decoding raises for JSON, or a value, that is not as its schema has it"""

_MAX_SHOWN = 40
"""characters of a text that a message shows; of an array or object five times as many"""
_MAX_SHOWN_DEPTH = 5
"""arrays and objects in one another that a message shows"""
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEPS = [(byte in b"[{") - (byte in b"]}") for byte in range(256)]
"""by byte: a level more, or less"""


class DoubledError(Message, ValueError):
    """JSON that another reader may understand otherwise: a member twice in one object, a constant that is not JSON."""


def nesting(data: bytes) -> int:
    """Return how deep arrays and objects stand in one another in a JSON text, whether it can be read or not.

    64 kB of brackets must not cost 20 ms. It is asked before a decoder: how deep those go depends on the platform.
    """
    brackets = _STRINGS.sub(b"", data).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


def json_problem(data: bytes, *, doubled: bool = False) -> Message | None:
    """Why `data` is no JSON in UTF-8; None where it is. With `doubled`, no object may have a member twice."""
    import json  # only what is wrong needs it

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


def shown(value: Any, depth: int = 0) -> str:
    """A JSON value as a message shows it: a text in quotes, shortened, and nothing that a screen would obey."""
    import json

    from rules.data.text import has_unseen

    if isinstance(value, str):
        quoted = json.dumps(_clipped(value, _MAX_SHOWN), ensure_ascii=False)
        return "".join(f"\\u{ord(char):04x}" if has_unseen(char) or _is_half(char) else char for char in quoted)
    if isinstance(value, Mapping | Sequence) and depth == _MAX_SHOWN_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        members = ", ".join(f"{shown(key)}: {shown(member, depth + 1)}" for key, member in value.items())
        return _clipped(f"{{{members}}}", _MAX_SHOWN * 5)
    if isinstance(value, Sequence):
        return _clipped(f"[{', '.join(shown(item, depth + 1) for item in value)}]", _MAX_SHOWN * 5)
    return json.dumps(value, default=str)


def _is_half(char: str) -> bool:
    return "\ud800" <= char <= "\udfff"


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in members:
        if name in found:
            raise DoubledError("an object in it has the member {name} twice", name=shown(name))
        found[name] = value
    return found


def _no_constant(text: str) -> Any:
    raise DoubledError("{text} is no JSON number", text=text)


def broken_at(error: "JSONDecodeError") -> int:
    """Return the position, from 0, from which on a text cannot be read.

    Python 3.13 and newer point at a comma behind which nothing stands, older ones at what closes the object or array:
    that is what counts here.
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
