"""Actions: what a party can do now, as data (specs/rules.md, "Actions").

An action is an event that is nearly written. It has the event's type, the members of the body that are decided already,
and the fields that are still to be filled in. User interfaces build their choices from actions and restate no rule.
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
    """A value to choose, with a label where the value does not explain itself."""

    value: Scalar
    label: Message | None = None


class OneOf(msgspec.Struct, frozen=True, tag="one-of"):
    """Domain of a field whose value is one of these."""

    options: tuple[Option, ...]


class Range(msgspec.Struct, frozen=True, tag="range"):
    """Domain of a field whose value is a whole number from `least` to `most`, both included."""

    least: int
    most: int


class SomeOf(msgspec.Struct, frozen=True, tag="some-of"):
    """Domain of a field whose value is an array of `least` to `most` of these values, in any order, none twice."""

    options: tuple[Option, ...]
    least: int
    most: int


class Free(msgspec.Struct, frozen=True, tag="free"):
    """Domain of a field that the party writes: a text, a notation, a declared rule.

    `grammar` names the notation, as the system's page has it. `clauses` are those under which the text can be refused.
    """

    grammar: str
    clauses: tuple[str, ...] = ()


class Records(msgspec.Struct, frozen=True, tag="records"):
    """Domain of a field whose value is an array of `least` to `most` objects, each with these fields."""

    fields: "tuple[Field, ...]"
    least: int
    most: int


Domain = OneOf | Range | SomeOf | Free | Records


class Field(msgspec.Struct, frozen=True):
    """A member of the body that is still to be filled in."""

    name: str
    label: Message
    """what it means"""
    domain: Domain
    required: bool = True
    default: Any = None


"""the JSON value that an absent member stands for, if it stands for one"""


class Action(msgspec.Struct, frozen=True):
    """An event that a party can write now. Without fields, it only has to be signed."""

    type: str
    label: Message
    """what it does, in the imperative: “store the results on the Centaur”"""
    clause: str | None
    """the clause that permits it; None for an action of the protocol"""
    fields: tuple[Field, ...] = ()
    body: Mapping[str, Any] = {}
    """the members that are decided already, as JSON values"""
    due: bool = False
    """whether the game waits for it; an action that is not due can be taken at any time"""


def options(values: Iterable[Scalar | tuple[Scalar, Message]]) -> tuple[Option, ...]:
    """Return options for values, or for pairs of a value and its label."""
    return tuple(Option(*value) if isinstance(value, tuple) else Option(value) for value in values)


# --- does a body fit? ------------------------------------------------------------------------------------------------


def fits(action: Action, body: Mapping[str, Any]) -> bool:
    """Return whether a body is an instance of the action. `body` is JSON, without the members that are claims.

    The text of a free field is not checked: its grammar decides on it, and a body that its schema decoded has passed
    that.
    """
    return _fits_fields(action.fields, action.body, body)


def agrees(action: Action, members: Mapping[str, Any]) -> bool:
    """Return whether an instance of the action can have these members; the body's other members may be missing.

    `members` are JSON, without claims.
    """
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
    """Return the action as JSON values, with labels in the language of `translate`."""
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
            members = [_field_as_json(field, translate) for field in fields]
            return {"kind": "records", "fields": members, "least": least, "most": most}
        case Free(grammar=grammar, clauses=clauses):
            return {"kind": "free", "grammar": grammar, "clauses": list(clauses)}


def _options_as_json(offered: Iterable[Option], translate: Translate) -> list[dict[str, Any]]:
    return [{"value": o.value, "label": o.label.message(translate) if o.label else str(o.value)} for o in offered]
