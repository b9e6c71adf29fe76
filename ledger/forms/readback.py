"""Read a typed line back to its author before anything is signed (specs/rules.md, "Free text")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import inspect

from ledger.forms.form import form_of
from rules.actions import Action, Free, agrees
from rules.base import System
from rules.common.free_text import is_doubtful
from rules.data.language import N_, Listed, Message
from rules.data.text import one_line

__all__ = ["read_back"]

MAX_SHOWN = 60
"""characters of a text that are shown"""

NOTED = frozenset({"dice", "range", "target"})
"""members that are notation in every system, and no text of the players' own"""

Path = tuple[str, ...]


def read_back(system: System[Any], actions: Sequence[Action], type: str, body: Mapping[str, Any]) -> Message | None:
    """Return what the body of a typed line has, where somebody could have meant something else; None elsewhere.

    That is where a text in it, at whatever depth, has a digit, a sign or a word of some notation, where its dice could
    be meant otherwise, and where a field was left out that stands for dice of somebody else's, such as those of a call.
    """
    form = form_of(system, type, body)
    remarks = () if form.notation is None else form.notation.remarks(body)
    left_out = [*_left_out(actions, type, body)]
    texts = {path: text for path, text in _texts(_type_of(form.schema), body) if len(path) == 1 or is_doubtful(text)}
    if not left_out and not remarks and not any(map(is_doubtful, texts.values())):
        return None
    said = {name: value for name, value in body.items() if name not in form.fixed}
    members = [*_members(said, texts), *remarks, *left_out]
    return Message("read as {members}", members=Listed(members, N_("; ")))


@lru_cache(maxsize=128)
def _type_of(schema: Any) -> inspect.Type:
    return inspect.type_info(schema)


def _texts(kind: inspect.Type, value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield the players' own texts in a JSON value of this type, each with the names and numbers of its path."""
    match kind:
        case inspect.Metadata(type=inner):
            yield from _texts(inner, value, path)
        case inspect.UnionType(types=kinds):
            for one in kinds:
                yield from _texts(one, value, path)
        case inspect.StrType(pattern=pattern) if isinstance(value, str):
            if pattern is None or re.search(pattern, "a b"):
                yield path, value
        case _:
            for name, item, one in _parts(kind, value):
                yield from _texts(item, one, (*path, name))


def _parts(kind: inspect.Type, value: Any) -> Iterator[tuple[str, inspect.Type, Any]]:
    """Yield the parts of an object or array: name or number, type, and value."""
    match kind:
        case inspect.StructType(fields=fields) if isinstance(value, Mapping) and _is_of(kind, value):
            for field in fields:
                if field.encode_name in value and field.encode_name not in NOTED:
                    yield field.encode_name, field.type, value[field.encode_name]
        case inspect.DictType(value_type=item) if isinstance(value, Mapping):
            yield from ((str(name), item, one) for name, one in value.items())
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item) if isinstance(value, list):
            yield from ((str(number), item, one) for number, one in enumerate(value, 1))


def _is_of(kind: inspect.StructType, value: Mapping[str, Any]) -> bool:
    """Return True if an object is of this kind, where it says so."""
    return kind.tag_field is None or value.get(kind.tag_field, kind.tag) == kind.tag


def _members(body: Mapping[str, Any], texts: Mapping[Path, str]) -> Iterator[Message]:
    for name, value in body.items():
        match value:
            case _ if (name,) in texts:
                yield Message("{name} “{text}”", name=name, text=one_line(value, MAX_SHOWN))
            case True:
                yield Message("{name}", name=name)
            case str() | int():
                yield Message("{name} {value}", name=name, value=value)
            case _:
                yield Message("{name} ({count})", name=name, count=len(value))
                for path, text in texts.items():
                    if path[0] == name:
                        yield Message("{name} “{text}”", name=" ".join(path), text=one_line(text, MAX_SHOWN))


def _left_out(actions: Sequence[Action], type: str, body: Mapping[str, Any]) -> Iterator[Message]:
    for action in actions:
        if action.type == type and action.body and agrees(action, body):
            for field in action.fields:
                if field.name not in body and isinstance(field.domain, Free) and isinstance(field.default, str):
                    text = N_("{name} {value}, and nothing added")
                    yield Message(text, name=field.name, value=field.default)
