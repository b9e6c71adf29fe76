"""Plain JSON (specs/verification.md, "The file"): what every reader reads alike, whatever its decoder does."""

import json
import re
from typing import Any

from rules.bounds import MAX_SAFE_INTEGER
from rules.language import Message

__all__ = ["MAX_DEPTH", "OddNumber", "PlainJsonError", "plain_json", "strict_value"]

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
    if _depth(data) > MAX_DEPTH:
        raise PlainJsonError("it nests too deep")
    try:
        return json.loads(data.decode(), parse_int=_integer, parse_float=OddNumber, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise PlainJsonError(
            "it is not UTF-8 text: byte {byte} belongs to no character", byte=error.start + 1
        ) from None
    except json.JSONDecodeError as error:
        raise PlainJsonError(
            "it is no JSON: it cannot be read from character {column} on", column=error.pos + 1
        ) from None


def strict_value(value: Any) -> bool:
    """Whether something in a value of plain JSON is null.

    Raises PlainJsonError where a number is none that an event has, or a text has half a character.
    """
    match value:
        case dict():
            for name in value:
                strict_value(name)
            return True in [strict_value(member) for member in value.values()]
        case list():
            return True in [strict_value(element) for element in value]
        case OddNumber(text=text):
            raise PlainJsonError("{number} is not an integer, or out of bounds", number=text[:40])
        case str():
            try:
                value.encode()
            except UnicodeEncodeError:
                text = "a text in it has half a character, a surrogate that stands alone"
                raise PlainJsonError(text) from None
            return False
        case _:
            return value is None


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


def _no_constant(text: str) -> Any:
    raise PlainJsonError("{text} is no JSON number", text=text)
