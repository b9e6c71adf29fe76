"""The forms of a system's events: each type, and where its body is one of several, each of these (`declare unit`).

A form knows the members that can be typed, how a line of its notation becomes a body, and the way back.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from ledger.errors import UsageError
from ledger.forms.members import Member, members_of, notations_of
from rules.base import Notation, NotationError, RuledResult, Ruling, System
from rules.data.language import Message, Translate
from rules.protocol import Away, Back, Join, Leave, Strike

__all__ = ["Form", "convert_body", "form_of", "forms", "option_members", "short_forms"]


@dataclass(frozen=True)
class Form:
    """One kind of body of one type of event."""

    system: System[Any]
    type: str
    schema: Any
    """the class"""
    tag_field: str | None
    tag: str | None
    members: tuple[Member, ...]
    notation: Notation | None
    """of the body, or of the one member that has to be said"""
    is_noted: bool
    """whether it is the body's own"""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the command: `roll`, or `declare unit`."""
        return (self.type,) if self.tag is None else (self.type, self.tag)

    @property
    def claims(self) -> frozenset[str]:
        """The members that only put on record what was announced."""
        return self.system.claims.get(self.type, frozenset())

    @cached_property
    def known(self) -> Mapping[str, Member]:
        """The members by name."""
        return {member.name: member for member in self.members}

    @property
    def fixed(self) -> dict[str, Any]:
        """The member that tells which form it is."""
        return {} if self.tag_field is None else {self.tag_field: self.tag}

    def parsed(self, text: str) -> dict[str, Any]:
        """Return the members that a text in the body's notation says. Raises NotationError."""
        if self.notation is None:
            text_ = "{words} has no notation of its own: give options instead"
            raise NotationError(text_, words=" ".join((self.system.name, *self.words)))
        return {**self.fixed, **self.notation.parse(text)}

    def line(self, body: Mapping[str, Any]) -> str | None:
        """Return the body in its notation; None if the notation cannot express all of it."""
        if self.notation is None:
            return None
        try:
            text = self.notation.write(body)
            said = {**self.fixed, **self.notation.parse(text)}
        except (NotationError, KeyError, ValueError, TypeError):
            return None
        return text if said == dict(body) else None


_PROTOCOL: Mapping[str, Any] = {
    "join": Join,
    "leave": Leave,
    "away": Away,
    "back": Back,
    "ruling": Ruling,
    "strike": Strike,
}
"""the protocol's events that are actions; what a seat adds to them (`burned`) is none of their words"""


def _ruled_result(text: str) -> dict[str, int]:
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*=\s*([+-]?[0-9]{1,15})\s*", text, re.ASCII)
    if found is None:
        raise NotationError(
            "a die and its result are wanted, for example {example}; not {text}", example="2=15", text=repr(text)
        )
    return {"die": int(found[1]), "result": int(found[2])}


_PROTOCOL_NOTATIONS = {
    RuledResult: Notation("result", "1=6", _ruled_result, lambda ruled: f"{ruled['die']}={ruled['result']}"),
}


@lru_cache(maxsize=128)
def _forms(system_id: str, type: str) -> tuple[Form, ...]:
    from rules import SYSTEMS

    system = SYSTEMS[system_id]
    notations = notations_of({**system.notations, **_PROTOCOL_NOTATIONS})
    kind = inspect.type_info(system.bodies[type] if type in system.bodies else _PROTOCOL[type])
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    found = []
    for one in kinds:
        while isinstance(one, inspect.Metadata):
            one = one.type
        assert isinstance(one, inspect.StructType), one
        tag_field, tag = _tag(one)
        members = members_of(one, notations, () if tag_field is None else (tag_field,))
        own = notations.get(frozenset({one.cls}))
        notation = own or _of_only_needed(members)
        found.append(Form(system, type, one.cls, tag_field, tag, members, notation, own is not None))
    return tuple(found)


def _of_only_needed(members: tuple[Member, ...]) -> Notation | None:
    """Return the notation of the one required object or value, which stands alone: `declare phase GAME shooting`."""
    required = [member for member in members if member.required]
    objects = [member for member in required if member.how == "one" and member.value.is_object]
    needed = objects if len(objects) == 1 else required
    if len(needed) != 1 or needed[0].how != "one" or needed[0].value.shape == "JSON":
        return None
    (one,) = needed
    value = one.value
    return Notation(
        value.shape.lower(),
        value.example,
        lambda text: {one.name: value.parse(text)},
        lambda body: value.write(body[one.name]),
    )


def forms(system: System[Any], type: str) -> tuple[Form, ...]:
    """Return the forms of a type of event, in schema order: the system's, or the protocol's own.

    Raises LookupError.
    """
    return _forms(system.id, type)


def form_of(system: System[Any], type: str, body: Mapping[str, Any]) -> Form:
    """Return the form of a body, or of a part of one; the first if nothing distinguishes them. Raises LookupError."""
    found = forms(system, type)
    told = [form for form in found if form.tag_field is None or body.get(form.tag_field) == form.tag]
    return told[0] if told else found[0]


def _tag(kind: inspect.StructType) -> tuple[str | None, str | None]:
    """Return the member that tells which of several it is: the schema's, or one that can have one value only."""
    if kind.tag_field is not None:
        return kind.tag_field, str(kind.tag)
    for field in kind.fields:
        if field.required and isinstance(field.type, inspect.LiteralType) and len(field.type.values) == 1:
            (value,) = field.type.values
            if isinstance(value, str):
                return field.encode_name, value
    return None, None


def option_members(system: System[Any]) -> tuple[Member, ...]:
    """Return the options of a new game."""
    kind = inspect.type_info(system.options)
    assert isinstance(kind, inspect.StructType)
    return members_of(kind, notations_of(system.notations))


def convert_body(members: Any, schema: Any, what: str, translate: Translate) -> Any:
    """Return a body of this schema from JSON values. Raises UsageError."""
    from rules.data.jsontext import UNREADABLE
    from rules.data.schema import value_problem

    try:
        return msgspec.convert(members, schema)
    except UNREADABLE as error:
        problem = value_problem(error, members, schema)
        told = Message("{what} cannot be written: {problem}", what=what, problem=problem)
        raise UsageError(told.message(translate)) from None


def short_forms(system: System[Any]) -> tuple[Form, ...]:
    """Return the rolls that have a notation of their own, which `rollproof roll GAME` takes."""
    return tuple(form for form in forms(system, "roll") if form.is_noted) if "roll" in system.bodies else ()
