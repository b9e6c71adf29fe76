"""Messages for values that do not fit their schema: the place, the allowed values, and the actual one.

msgspec does the decoding, but its errors speak of regular expressions and Python types. When it refuses a value, this
module finds the first misfit and describes it. It decides nothing: values that msgspec accepts never get here.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from typing import Any

import msgspec

from rules.data.jsontext import json_problem, quote_value
from rules.data.language import N_, Message, one_of

__all__ = ["Path", "schema_problem", "value_problem", "where"]

_NO_BOUND = 2**53 - 1
Path = tuple[str | int, ...]
"""the place of a value within another: names of members, and positions in arrays, from 0"""


def schema_problem(error: Exception, data: bytes | msgspec.Raw, type: Any) -> Message:
    """Return why `data` is not JSON of type `type`. `error` is what decoding it raised."""
    if isinstance(error, Message):
        return error
    problem = json_problem(bytes(data))
    if problem is not None:
        return problem
    import json

    return value_problem(error, json.loads(bytes(data)), type)


def value_problem(error: Exception, value: Any, type: Any) -> Message:
    """Return why a JSON value is not of type `type`. `error` is what converting it raised."""
    problem = _misfit(value, _type_info(type), ())
    if problem is not None:
        return problem
    return error if isinstance(error, Message) else Message("a value in it is not as the specification has it")


@cache
def _type_info(type: Any) -> Any:
    """Return msgspec's description of a type. It is cached because it is slow to compute; there are few types."""
    from msgspec.inspect import type_info

    return type_info(type)


# --- values --------------------------------------------------------------------------------------------------------


def _misfit(value: Any, kind: Any, path: Path) -> Message | None:
    """Return the first misfit of `value` with `kind`, a type of msgspec.inspect; None if it fits."""
    from msgspec import inspect

    description = None
    while isinstance(kind, inspect.Metadata):
        description = description or (kind.extra_json_schema or {}).get("description")
        kind = kind.type
    match kind:
        case inspect.AnyType() | inspect.RawType() | inspect.CustomType():
            return None
        case inspect.UnionType():
            return _misfit_of_union(value, kind, path)
        case _ if _json_kind(value) != _KINDS.get(type(kind).__name__, _json_kind(value)):
            return _must(path, Message(description) if description else _words(kind), value)
        case inspect.StructType():
            return _misfit_of_object(value, kind, path)
        case inspect.VarTupleType() | inspect.ListType():
            return _length(path, len(value), kind, value) or next(
                (m for at, item in enumerate(value) if (m := _misfit(item, kind.item_type, (*path, at)))), None
            )
        case inspect.DictType():
            return _misfit_of_mapping(value, kind, path)
        case inspect.StrType() if too := _length(path, len(value), kind, value):
            return too
        case _:
            return (
                None
                if _fits(value, kind)
                else _must(path, Message(description) if description else _words(kind), value)
            )


def _misfit_of_object(value: Mapping[str, Any], kind: Any, path: Path) -> Message | None:
    members = {field.encode_name: field for field in kind.fields}
    known = [kind.tag_field, *members] if kind.tag_field else [*members]
    if kind.tag_field and value.get(kind.tag_field) != kind.tag:
        return _tag(value, (kind,), path)
    for name in value:
        if name not in known and kind.forbid_unknown_fields:
            return _unknown(path, name, known)
    for name, field in members.items():
        if name not in value and field.required:
            return _missing(path, name)
        if name in value and (problem := _misfit(value[name], field.type, (*path, name))):
            return problem
    try:
        msgspec.convert(value, kind.cls)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        # Each member fits by itself, so the error is about how they go together.
        return _together(error.__cause__, path)
    return None


def _misfit_of_union(value: Any, kind: Any, path: Path) -> Message | None:
    from msgspec import inspect

    kinds = kind.types
    objects = [one for one in kinds if isinstance(one, inspect.StructType)]
    if isinstance(value, Mapping) and len(objects) > 1:
        chosen = [one for one in objects if one.tag_field is None or value.get(one.tag_field) == one.tag]
        return _misfit(value, chosen[0], path) if chosen else _tag(value, objects, path)
    problems = [(one, _misfit(value, one, path)) for one in kinds]
    if any(problem is None for _, problem in problems):
        return None
    # The JSON kind usually tells which type was meant. Otherwise all are named.
    meant = [problem for one, problem in problems if _KINDS.get(type(_bare(one)).__name__) == _json_kind(value)]
    if len(meant) == 1:
        return meant[0]
    described = {str(words): words for words in map(_described, kinds)}
    return _must(path, one_of(described.values()), value)


def _misfit_of_mapping(value: Mapping[str, Any], kind: Any, path: Path) -> Message | None:
    too = _length(path, len(value), kind, value)
    if too:
        return too
    for name, member in value.items():
        if _misfit(name, kind.key_type, ()):
            what = _described(kind.key_type)
            text = N_("a name in {where} must be {what}, but is {actual}")
            return Message(text, where=where(path), what=what, actual=quote_value(name))
        if problem := _misfit(member, kind.value_type, (*path, name)):
            return problem
    return None


_KINDS: Mapping[str, str] = {
    "StructType": "object",
    "DictType": "object",
    "VarTupleType": "array",
    "ListType": "array",
    "StrType": "string",
    "IntType": "integer",
    "BoolType": "boolean",
    "NoneType": "null",
}
"""name of a type of msgspec.inspect → JSON kind of its values; a literal can have any kind"""


def _json_kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case str():
            return "string"
        case Mapping():
            return "object"
        case list() | tuple():
            return "array"
        case _:
            return "number"


def _fits(value: Any, kind: Any) -> bool:
    """Return whether a value of the right JSON kind is within the bounds of its type."""
    from msgspec import inspect

    match kind:
        case inspect.IntType():
            return bool((kind.ge is None or value >= kind.ge) and (kind.le is None or value <= kind.le))
        case inspect.StrType():
            return kind.pattern is None or re.search(kind.pattern, value) is not None
        case inspect.LiteralType():
            return any(value == one and type(value) is type(one) for one in kind.values)
        case _:
            return True


# --- words ---------------------------------------------------------------------------------------------------------


def _bare(kind: Any) -> Any:
    while hasattr(kind, "extra_json_schema"):
        kind = kind.type
    return kind


def _described(kind: Any) -> Message:
    """Return the description of a type if it has one, else words for its bounds."""
    description = (getattr(kind, "extra_json_schema", None) or {}).get("description")
    return Message(description) if description else _words(_bare(kind))


def _words(kind: Any) -> Message:
    from msgspec import inspect

    match kind:
        case inspect.StructType() | inspect.DictType():
            return Message("an object")
        case inspect.VarTupleType() | inspect.ListType():
            return Message("an array")
        case inspect.IntType():
            return _number_words(kind.ge, kind.le)
        case inspect.BoolType():
            return Message("true or false")
        case inspect.LiteralType():
            return one_of(Message("{value}", value=quote_value(value)) for value in kind.values)
        case inspect.StrType():
            return Message("a text")
        case _:
            return Message("another value")


def _number_words(least: int | None, most: int | None) -> Message:
    if least is None or most is None:
        return Message("a whole number")
    if most == _NO_BOUND:
        return (
            Message("a whole number") if least == -_NO_BOUND else Message("a whole number from {least} up", least=least)
        )
    return Message("a whole number from {least} to {most}", least=least, most=most)


def where(path: Path) -> Message:
    """Return the place of a value in words, with positions from 1, such as `effects, item 2, amount`."""
    if not path:
        return Message("the whole")
    first, *rest = path
    start = (
        Message("{name}", name=_name(first)) if isinstance(first, str) else Message("item {number}", number=first + 1)
    )
    return reduce(_further, rest, start)


def _further(place: Message, step: str | int) -> Message:
    if isinstance(step, str):
        return Message("{place}, {name}", place=place, name=_name(step))
    return Message("{place}, item {number}", place=place, number=step + 1)


def _name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_.-]{1,40}", name) else quote_value(name)


def _must(path: Path, what: Message, value: Any) -> Message:
    if isinstance(value, int) and abs(value) > _NO_BOUND:
        return Message("{where} is out of bounds: whole numbers go to {most}", where=where(path), most=_NO_BOUND)
    return Message("{where} must be {what}, but is {actual}", where=where(path), what=what, actual=_actual(value))


def _actual(value: Any) -> Message:
    match value:
        case Mapping():
            return Message("an object")
        case list() | tuple():
            return Message("an array")
        case _:
            return Message("{value}", value=quote_value(value))


def _length(path: Path, count: int, kind: Any, value: Any) -> Message | None:
    least, most = kind.min_length or 0, kind.max_length
    if count >= least and (most is None or count <= most):
        return None
    counts = {"where": where(path), "least": least, "most": most, "count": count}
    if isinstance(value, str):
        if most is None or not count:
            return Message("{where} must not be empty", **counts)
        return Message("{where} must have at most {most} characters, but has {count}", **counts)
    if count > least:
        return Message("{where} must have at most {most} items, but has {count}", **counts)
    if not count:
        return Message("{where} must not be empty", **counts)
    return Message("{where} must have at least {least} items, but has {count}", **counts)


def _missing(path: Path, name: str) -> Message:
    if not path:
        return Message("{name} is missing", name=name)
    return Message("{where} has no {name}, which it needs", where=where(path), name=name)


def _unknown(path: Path, name: str, known: Sequence[str]) -> Message:
    if not known:
        return Message("there is no member {name} here; there can be none", name=_name(name))
    names = ", ".join(known)
    if not path:
        return Message("there is no member {name} here; there can be {known}", name=_name(name), known=names)
    text = N_("{where} has no member {name}; it can have {known}")
    return Message(text, where=where(path), name=_name(name), known=names)


def _tag(value: Mapping[str, Any], kinds: Sequence[Any], path: Path) -> Message:
    """Return a message for an object whose kind is missing or unknown."""
    member = kinds[0].tag_field
    if member not in value:
        return _missing(path, member)
    return _must(
        (*path, member), one_of(Message("{value}", value=quote_value(one.tag)) for one in kinds), value[member]
    )


def _together(cause: BaseException | None, path: Path) -> Message | None:
    if cause is None:
        return None
    problem = cause if isinstance(cause, Message) else Message("{problem}", problem=cause)
    return Message("{where}: {problem}", where=where(path), problem=problem) if path else problem
