"""JSON text that cannot be read, in words; and JSON values as messages show them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from rules.language import Message

if TYPE_CHECKING:
    from json import JSONDecodeError

__all__ = ["UNREADABLE", "DoubledError", "json_problem", "shown"]

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError, ValueError)
"""what decoding raises for JSON, or a value, that is not as its schema has it"""

_MAX_SHOWN = 40
"""characters of a text that a message shows; of an array or object five times as many"""
_MAX_DEPTH = 5
"""arrays and objects in one another that a message shows"""


class DoubledError(Message, ValueError):
    """JSON that another reader may understand otherwise: a member twice in one object, a constant that is not JSON."""


def json_problem(data: bytes, *, doubled: bool = False) -> Message | None:
    """Why `data` is no JSON in UTF-8; None where it is. With `doubled`, no object may have a member twice."""
    import json  # only what is wrong needs it

    if not data.strip():
        return Message("it is empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Message("it is UTF-16 text: save it as UTF-8")
    if data.startswith(b"\xef\xbb\xbf"):
        return Message("it begins with a byte order mark: save it as UTF-8 without one")
    try:
        text = data.decode()
        value = json.loads(text, object_pairs_hook=_once if doubled else None, parse_constant=_no_constant)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        return Message("it is not UTF-8 text: byte {byte} belongs to no character", byte=error.start + 1)
    except UnicodeEncodeError:
        return Message("a text in it has half a character, a surrogate that stands alone")
    except json.JSONDecodeError as error:
        return _broken_at(error)
    except RecursionError:
        return Message("it nests too deep")
    except ValueError as error:
        return error if isinstance(error, Message) else Message("a number in it has too many digits")
    return None


def shown(value: Any, depth: int = 0) -> str:
    """A JSON value as a message shows it: a text in quotes, shortened, and nothing that a screen would obey."""
    import json

    from rules.text import has_unseen

    if isinstance(value, str):
        quoted = json.dumps(_clipped(value, _MAX_SHOWN), ensure_ascii=False)
        return "".join(
            char if char.isprintable() and not has_unseen(char) else f"\\u{ord(char):04x}" for char in quoted
        )
    if isinstance(value, Mapping | Sequence) and depth == _MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        members = ", ".join(f"{shown(key)}: {shown(member, depth + 1)}" for key, member in value.items())
        return _clipped(f"{{{members}}}", _MAX_SHOWN * 5)
    if isinstance(value, Sequence):
        return _clipped(f"[{', '.join(shown(item, depth + 1) for item in value)}]", _MAX_SHOWN * 5)
    return json.dumps(value, default=str)


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


def _broken_at(error: "JSONDecodeError") -> Message:
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        return Message("it is no JSON: it ends too early")
    if "\n" in error.doc.strip():
        return Message(
            "it is no JSON: line {line} cannot be read from column {column} on", line=error.lineno, column=error.colno
        )
    return Message("it is no JSON: it cannot be read from character {column} on", column=error.colno)
