"""Plain JSON (specs/verification.md, "The file"): what every reader reads alike, whatever its decoder does."""

import json
import re
from typing import Any

from rules.bounds import MAX_SAFE_INTEGER
from rules.language import N_, Message

__all__ = ["MAX_DEPTH", "OddNumber", "PlainJsonError", "has_null", "plain_json", "strict_json"]

MAX_DEPTH = 64
"""levels of objects and arrays"""
_DIGITS = len(str(MAX_SAFE_INTEGER)) + 1
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


class PlainJsonError(Message, ValueError):
    """It is no plain JSON, or has a value that no event has."""


class OddNumber:
    """A number that no event has: with a fraction or an exponent, or out of bounds."""

    def __init__(self, text: str) -> None:
        self.text = text


def plain_json(data: bytes) -> Any:
    """The value of a JSON text; of a doubled name the last counts. Numbers that no event has are `OddNumber`.

    Raises PlainJsonError.
    """
    return _load(data, _integer, OddNumber, None)


def strict_json(data: bytes) -> Any:
    """The same, where all numbers are such as events have, and no text has half a character, wherever they stand.

    Raises PlainJsonError.
    """
    value = _load(data, _refuse_odd, _refuse_float, _refuse_halves)
    _check_halves(value)
    return value


def has_null(value: Any) -> bool:
    """Whether anything in the value is null."""
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    if isinstance(value, list):
        return any(map(has_null, value))
    return value is None


def _load(data: bytes, integer: Any, fraction: Any, pairs: Any) -> Any:
    if _depth(data) > MAX_DEPTH:
        raise PlainJsonError("it nests too deep")
    try:
        text = data.decode()
        return json.loads(
            text, parse_int=integer, parse_float=fraction, parse_constant=_no_constant, object_pairs_hook=pairs
        )
    except UnicodeDecodeError as error:
        raise PlainJsonError(
            "it is not UTF-8 text: byte {byte} belongs to no character", byte=error.start + 1
        ) from None
    except json.JSONDecodeError as error:
        raise PlainJsonError(
            "it is no JSON: it cannot be read from character {column} on", column=error.pos + 1
        ) from None


def _refuse_halves(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of its members those that do not count are looked at too."""
    for name, value in pairs:
        _check_halves(name)
        _check_halves(value)
    return dict(pairs)


def _check_halves(value: Any) -> None:
    """Objects have been looked at when they were made."""
    if isinstance(value, list):
        for element in value:
            _check_halves(element)
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            text = N_("a text in it has half a character, a surrogate that stands alone")
            raise PlainJsonError(text) from None


def _depth(data: bytes) -> int:
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", data)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _integer(text: str) -> int | OddNumber:
    if len(text) > _DIGITS or abs(int(text)) > MAX_SAFE_INTEGER:
        return OddNumber(text)
    return int(text)


def _refuse_odd(text: str) -> int:
    number = _integer(text)
    if isinstance(number, OddNumber):
        raise PlainJsonError("{number} is out of bounds", number=text[:40])
    return number


def _refuse_float(text: str) -> Any:
    raise PlainJsonError("{number} is not an integer", number=text[:40])


def _no_constant(text: str) -> Any:
    raise PlainJsonError("{text} is no JSON number", text=text)
