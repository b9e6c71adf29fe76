"""Random JSON values of a schema, as msgspec.inspect tells it: bodies that no hand thought of."""

import re
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

__all__ = ["made_body", "made_part"]

_TEXTS = ["a word", "two words", "x", "-1", "@home", "1,3", "a=b", "it's", '"quoted"', "2d6", "a; b", "--as", "é ü"]
_FORMS = ["0" * 64, "0" * 128, "2026-11-20T19:00:00.000Z"]
"""where only texts of one form can stand: hashes, signatures, times"""
_TRIES = 5_000


def made_body(schema: Any, random: Random) -> Any:
    """A value that the schema takes. Raises LookupError where none is found."""
    kind = inspect.type_info(schema)
    for _ in range(_TRIES):
        try:
            value = _made(kind, random)
            msgspec.convert(value, schema)
        except (msgspec.ValidationError, ValueError):
            continue
        return value
    raise LookupError(schema)


def made_part(kind: Any, random: Random) -> Any:
    """A value of a kind, as `made_body` makes them; an object that msgspec takes."""
    return _made(kind, random)


def _made(kind: Any, random: Random) -> Any:
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    match kind:
        case inspect.IntType(ge=least, le=most):
            low, high = -1_000 if least is None else least, 1_000 if most is None else most
            return random.choice([low, high, random.randint(max(low, -9), min(high, 9)) if low <= 9 else low])
        case inspect.BoolType() | inspect.AnyType():
            return random.random() < 0.5
        case inspect.LiteralType(values=values):
            return random.choice(values)
        case inspect.StrType(pattern=pattern, min_length=least):
            return random.choice(_fitting(pattern, least or 0))
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            count = random.randint(least or 0, min(most or 3, (least or 0) + 2))
            return [_made(item, random) for _ in range(count)]
        case inspect.DictType(key_type=key, value_type=item):
            return {_made(key, random): _made(item, random) for _ in range(random.randint(0, 2))}
        case inspect.UnionType(types=kinds):
            return _made(random.choice(kinds), random)
        case inspect.StructType():
            return _object(kind, random)
        case _:
            raise LookupError(kind)


def _fitting(pattern: str | None, least: int) -> list[str]:
    """Texts that may stand where a pattern says so; where it takes none of these, notations and numbers."""
    texts = [*_TEXTS, *_FORMS] if pattern is not None else _TEXTS
    fitting = [text for text in texts if len(text) >= least and (pattern is None or re.search(pattern, text))]
    return fitting or ["-", "d6", "2d6", "3+", "7"]


def _object(kind: inspect.StructType, random: Random) -> dict[str, Any]:
    """Each object by itself, so that few tries are in vain."""
    for _ in range(_TRIES):
        likely = random.choice([0.1, 0.5, 0.9])
        found = {f.encode_name: _made(f.type, random) for f in kind.fields if f.required or random.random() < likely}
        found |= {kind.tag_field: kind.tag} if kind.tag_field else {}
        try:
            msgspec.convert(found, kind.cls)
        except (msgspec.ValidationError, ValueError):
            continue
        return found
    raise LookupError(kind.cls)
