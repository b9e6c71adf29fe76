"""Changes to JSON that leave it JSON: so that inputs come past the decoder and to what the members mean."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

__all__ = ["mutate_bytes", "mutate_json"]

_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 6, 7, 20, 100, 101, 1_000, 1_001, 2**31, 2**53 - 1, 2**53, -(2**53), 2**64),
    *(
        1.5,
        1e308,
        "",
        " ",
        "a",
        "d",
        "d20",
        "1000d6",
        "1001d6",
        "0d6",
        "d0",
        "d9007199254740991",
        "2d6+1d8",
        "1-2",
        "3+",
    ),
    *("1–14", "\u202e", "\x00", "\ud800", "é" * 501, "x" * 70_000, [], {}, [[]], {"a": 1}, "file", "host", "alice"),
)


def mutate_json(data: bytes, random: Random, other: bytes = b"") -> bytes:
    """Another JSON text: some values changed, dropped, doubled or moved; `other` is a text to take values from.

    Bytes that are no JSON are changed as bytes.
    """
    try:
        value = json.loads(data)
        given = list(_values(json.loads(other))) if other else []
    except (ValueError, RecursionError):
        return mutate_bytes(data, random)
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        value = _change(value, random, given)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=random.random() < 0.9)
    return text.encode("utf-8", "surrogatepass")


def mutate_bytes(data: bytes, random: Random) -> bytes:
    """Other bytes: a few changed, dropped, doubled or put in."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(changed) + 1)
        match random.randrange(4):
            case 0:
                changed[at : at + 1] = bytes([random.randrange(256)])
            case 1:
                del changed[at : at + random.choice((1, 1, 8, 64))]
            case 2:
                changed[at:at] = changed[at : at + random.choice((1, 8, 64))]
            case _:
                changed[at:at] = random.randbytes(random.choice((1, 2, 8)))
    return bytes(changed)


def _values(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _values(item)


def _change(value: Any, random: Random, given: list[Any]) -> Any:
    """The value with one change somewhere in it."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        return _change_object(dict(value), random, given)
    if isinstance(value, list) and value and random.random() < 0.9:
        return _change_array(list(value), random, given)
    if isinstance(value, int) and random.random() < 0.5:
        return value + random.choice((-1, 1, -(10**6), 10**6))
    return random.choice(given) if given and random.random() < 0.4 else random.choice(_VALUES)


def _change_object(value: dict[str, Any], random: Random, given: list[Any]) -> dict[str, Any]:
    name = random.choice(list(value))
    match random.randrange(12):
        case 0:
            del value[name]
        case 1:
            value[random.choice(list(value))] = value[name]
        case 2:
            value[name + random.choice("sx")] = random.choice(given or _VALUES)
        case _:
            value[name] = _change(value[name], random, given)
    return value


def _change_array(value: list[Any], random: Random, given: list[Any]) -> list[Any]:
    at = random.randrange(len(value))
    match random.randrange(8):
        case 0:
            del value[at]
        case 1:
            value.insert(random.randrange(len(value) + 1), value[at])
        case 2:
            value.insert(at, random.choice(given or _VALUES))
        case 3:
            value[at:at] = [value[at]] * random.choice((2, 100, 1_001))
        case _:
            value[at] = _change(value[at], random, given)
    return value
