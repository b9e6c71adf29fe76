"""Plain JSON, which every parser reads alike (specs/verification.md, "The file"), and its canonical form."""

import json
from typing import Any

import msgspec

from rules.data.bounds import MAX_SAFE_INTEGER
from rules.data.jsontext import MAX_DEPTH, broken_at, nesting
from rules.data.language import N_, Message

__all__ = ["OddNumber", "PlainJsonError", "encode", "has_null", "plain_json", "strict_json"]

_DIGITS = len(str(MAX_SAFE_INTEGER)) + 1

# For the names in valid events, sorting by code point is the order of RFC 8785 (specs/log.md, "Canonical form").
_encoder = msgspec.json.Encoder(order="sorted")


class PlainJsonError(Message, ValueError):
    """Raised for text that is no plain JSON, or has a value that no event can have."""


class OddNumber:
    """A number that no event can have: with a fraction or an exponent, or out of bounds."""

    def __init__(self, text: str) -> None:
        self.text = text


def encode(value: Any) -> bytes:
    """Return the canonical form of an event, a body or any JSON value without floats."""
    return _encoder.encode(value)


def plain_json(data: bytes) -> Any:
    """Return the value of a JSON text. Raises PlainJsonError.

    Of repeated member names the last counts. Numbers that no event can have become `OddNumber`.
    """
    return _load(data, _integer, OddNumber, None)


def strict_json(data: bytes) -> Any:
    """Return the value of a JSON text in which all numbers and texts are such as events can have.

    Raises PlainJsonError, also for a member that is overridden by a repeated name.
    """
    value = _load(data, _refuse_odd, _refuse_float, _refuse_halves)
    _check_halves(value)
    return value


def has_null(value: Any) -> bool:
    """Return whether anything in the value is null."""
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    if isinstance(value, list):
        return any(map(has_null, value))
    return value is None


def _load(data: bytes, integer: Any, fraction: Any, pairs: Any) -> Any:
    if nesting(data) > MAX_DEPTH:
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
            "it is no JSON: it cannot be read from character {column} on", column=broken_at(error) + 1
        ) from None


def _refuse_halves(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, after checking all its members, including those that are overridden."""
    for name, value in pairs:
        _check_halves(name)
        _check_halves(value)
    return dict(pairs)


def _check_halves(value: Any) -> None:
    """Raise PlainJsonError for a text with a lone surrogate. Objects were checked when they were made."""
    if isinstance(value, list):
        for element in value:
            _check_halves(element)
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            text = N_("a text in it has half a character, a surrogate that stands alone")
            raise PlainJsonError(text) from None


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
