"""What a party can do now, as data (specs/rules.md, "Actions"). Surfaces ask for it; none of them restates a rule.

An action is an event that is nearly written: its type, the members of its body that are decided already, and the
fields that are left to fill in.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from rules.data.language import Message, Translate

__all__ = [
    "Action",
    "Domain",
    "Field",
    "Free",
    "OneOf",
    "Option",
    "Range",
    "Records",
    "Scalar",
    "SomeOf",
    "agrees",
    "as_json",
    "fits",
    "options",
]

Scalar = str | int | bool


class Option(msgspec.Struct, frozen=True):
    """A value to choose, and what it stands for where the value does not say it."""

    value: Scalar
    label: Message | None = None


class OneOf(msgspec.Struct, frozen=True, tag="one-of"):
    """Bound: one of these values."""

    options: tuple[Option, ...]


class Range(msgspec.Struct, frozen=True, tag="range"):
    """Bound: a whole number from `least` to `most`."""

    least: int
    most: int


class SomeOf(msgspec.Struct, frozen=True, tag="some-of"):
    """Bound: an array of `least` to `most` of these values, each once, in any order: k of these dice."""

    options: tuple[Option, ...]
    least: int
    most: int


class Free(msgspec.Struct, frozen=True, tag="free"):
    """What the party writes itself: a text, a notation, a declared rule.

    `grammar` names what can be written, on the system's page; `clauses` are those under which it can be refused.
    """

    grammar: str
    clauses: tuple[str, ...] = ()


class Records(msgspec.Struct, frozen=True, tag="records"):
    """An array of `least` to `most` objects, each with these fields."""

    fields: "tuple[Field, ...]"
    least: int
    most: int


Domain = OneOf | Range | SomeOf | Free | Records


class Field(msgspec.Struct, frozen=True):
    """A member of the body that is left to fill in."""

    name: str
    label: Message
    """what it means"""
    domain: Domain
    required: bool = True
    default: Any = None
    """JSON: what an absent member stands for, where that is a value"""


class Action(msgspec.Struct, frozen=True):
    """An event that a party can write now. Without fields, it is only to be signed."""

    type: str
    label: Message
    """what it does, in the imperative: “store the results on the Centaur”"""
    clause: str | None
    """the clause that gives it, or None for the protocol's own"""
    fields: tuple[Field, ...] = ()
    body: Mapping[str, Any] = {}
    """JSON: the members that are filled in already"""
    due: bool = False
    """whether the state waits for it; else it may be brought at any time"""


def options(values: Iterable[Scalar | tuple[Scalar, Message]]) -> tuple[Option, ...]:
    """Options of values, or of values with their labels."""
    return tuple(Option(*value) if isinstance(value, tuple) else Option(value) for value in values)


# --- does a body fit? ------------------------------------------------------------------------------------------------


def fits(action: Action, body: Mapping[str, Any]) -> bool:
    """Whether a body (JSON, without claims) is an instance of the action.

    What a free field holds is for its grammar to say; a body that was decoded by its schema has that right.
    """
    return _fits_fields(action.fields, action.body, body)


def agrees(action: Action, members: Mapping[str, Any]) -> bool:
    """Whether some members of a body (JSON, without claims) are those of an instance of the action, others left out."""
    known = {field.name: field for field in action.fields}
    for name, value in members.items():
        if name in action.body:
            if action.body[name] != value or isinstance(action.body[name], bool) != isinstance(value, bool):
                return False
        elif name not in known or not _fits_domain(known[name].domain, value):
            return False
    return True


def _fits_fields(fields: Sequence[Field], filled: Mapping[str, Any], body: Mapping[str, Any]) -> bool:
    known = {field.name: field for field in fields}
    if any(name not in known and name not in filled for name in body):
        return False
    if any(name not in body or body[name] != value for name, value in filled.items()):
        return False
    return all(
        _fits_domain(field.domain, body[field.name]) if field.name in body else not field.required for field in fields
    )


def _fits_domain(domain: Domain, value: Any) -> bool:
    match domain:
        case OneOf(options=offered):
            return any(_same(option.value, value) for option in offered)
        case Range(least=least, most=most):
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        case SomeOf(options=offered, least=least, most=most):
            if not isinstance(value, Sequence) or isinstance(value, str) or not least <= len(value) <= most:
                return False
            distinct = {(type(item), item) for item in value}
            return len(distinct) == len(value) and distinct <= {(type(o.value), o.value) for o in offered}
        case Records(fields=fields, least=least, most=most):
            return least <= len(value) <= most and all(_fits_fields(fields, {}, record) for record in value)
        case Free():
            return True


def _same(offered: Scalar, value: Any) -> bool:
    return type(offered) is type(value) and offered == value


# --- for surfaces ----------------------------------------------------------------------------------------------------


def as_json(action: Action, translate: Translate = str) -> dict[str, Any]:
    """The action as JSON values, its words in the language that `translate` gives."""
    return {
        "type": action.type,
        "label": action.label.message(translate),
        "clause": action.clause,
        "due": action.due,
        "body": dict(action.body),
        "fields": [_field_as_json(field, translate) for field in action.fields],
    }


def _field_as_json(field: Field, translate: Translate) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label.message(translate),
        "required": field.required,
        "default": field.default,
        **_domain_as_json(field.domain, translate),
    }


def _domain_as_json(domain: Domain, translate: Translate) -> dict[str, Any]:
    match domain:
        case OneOf(options=offered):
            return {"kind": "one-of", "options": _options_as_json(offered, translate)}
        case Range(least=least, most=most):
            return {"kind": "range", "least": least, "most": most}
        case SomeOf(options=offered, least=least, most=most):
            return {"kind": "some-of", "options": _options_as_json(offered, translate), "least": least, "most": most}
        case Records(fields=fields, least=least, most=most):
            told = [_field_as_json(field, translate) for field in fields]
            return {"kind": "records", "fields": told, "least": least, "most": most}
        case Free(grammar=grammar, clauses=clauses):
            return {"kind": "free", "grammar": grammar, "clauses": list(clauses)}


def _options_as_json(offered: Iterable[Option], translate: Translate) -> list[dict[str, Any]]:
    return [{"value": o.value, "label": o.label.message(translate) if o.label else str(o.value)} for o in offered]
