"""Read text that was typed into an action, or on a line, as a body (specs/network.md, "Advice").

Nothing here knows whose keyboard it was: a text is never a file's name, and what is wrong is told in words.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from ledger.forms.form import Form, form_of, forms
from ledger.forms.members import Member
from ledger.forms.offers import complete_body, decided_offer
from rules.actions import Action, Field, Free
from rules.base import Body, NotationError, System
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Listed
from rules.data.schema import value_problem

__all__ = [
    "AskedAction",
    "AskedField",
    "Typed",
    "Written",
    "line_for",
    "read_action",
    "read_line",
    "schema_of",
    "typed_for",
]

MAX_SHOWN = 5
"""names that a message lists"""


class Typed(Struct, frozen=True):
    """The typed form of a free field."""

    example: str
    lines: bool
    """whether there can be several, one a line"""


class Written(Struct, frozen=True):
    """The notation of all that is left of an action, on one line."""

    example: str
    grammar: str


class AskedField(Struct, frozen=True):
    """A field of an action, as it was given out: what is needed of it to read what was typed."""

    name: str
    label: str = ""
    required: bool = True
    kind: str = "free"
    options: tuple[Mapping[str, Any], ...] = ()


class AskedAction(Struct, frozen=True):
    """An action, as it was given out."""

    type: str
    body: Mapping[str, Any] = {}
    fields: tuple[AskedField, ...] = ()


# --- how it is typed -------------------------------------------------------------------------------------------------


def typed_for(form: Form, field: Field) -> Typed | None:
    """Return the typed form of a field, or None if it is chosen from a list."""
    member = form.known.get(field.name)
    if not isinstance(field.domain, Free) or member is None:
        return None
    return Typed(_example(member), member.how in ("several", "named"))


def _example(member: Member) -> str:
    match member.how:
        case "flag" | "switch":
            return "yes"
        case "named":
            return f"x={member.value.example}"
        case _:
            return member.value.example


def line_for(form: Form, action: Action) -> Written | None:
    """Return the notation for the rest of an action; None if there is none, or nothing to write."""
    left = {field.name for field in action.fields if field.required}
    if form.notation is None or not any(isinstance(field.domain, Free) for field in action.fields):
        return None
    said = form.notation.parse(form.notation.example)
    sayable = {field.name for field in action.fields} | action.body.keys()
    if not left or not left <= said.keys() or not said.keys() <= sayable:
        return None
    return Written(form.notation.example, form.notation.grammar)


# --- what was meant --------------------------------------------------------------------------------------------------


def read_action(
    system: System[Any],
    asked: AskedAction,
    line: str | None = None,
    typed: Mapping[str, str | Sequence[str]] = {},
    given: Mapping[str, Any] = {},
) -> dict[str, Any]:
    """The body of an action, with a line of notation or what was typed for its fields; `given` are JSON values of those
    that were chosen. Raises NotationError.
    """
    form = _form(system, asked.type, asked.body)
    fields = {field.name: field for field in asked.fields}
    said = {} if line is None else _line(form, line)
    for name, texts in typed.items():
        if name not in fields or name not in form.known:
            raise NotationError("there is nothing called {name} to be filled in here", name=name)
        said[name] = _read(form.known[name], texts, fields[name].label or name)
    body = {**form.fixed, **asked.body}
    for name, value in (*given.items(), *said.items()):
        if name in body and body[name] != value:
            raise NotationError("{name} is decided here, and is not what was typed", name=name)
        if name not in body and name not in fields and name not in form.claims:
            raise NotationError("this says {name}, which is not part of what was chosen", name=name)
        body[name] = value
    missing = []
    for field in asked.fields:
        if field.required and field.name not in body:
            if field.kind == "one-of" and len(field.options) == 1:
                body[field.name] = field.options[0].get("value")
            else:
                missing.append(field.label or field.name)
    if missing:
        raise NotationError("this must be said too: {names}", names=Listed(missing[:MAX_SHOWN], N_("; ")))
    schema_of(form, body)
    return body


def read_line(
    system: System[Any], actions: Sequence[Action], type: str, line: str, kind: str | None = None
) -> dict[str, Any]:
    """Return the body of a typed line, completed by the actions that are offered to its author.

    Of a type of event with several kinds of body, `kind` names one; without it the line is read in the notations of
    whole bodies of all of them, and must fit exactly one. Raises NotationError.
    """
    every = _forms(system, type)
    known = [form for form in every if kind is None or form.tag == kind]
    is_one = len(every) == 1 or kind is not None
    able = [form for form in known if form.notation is not None and (form.is_noted or is_one)]
    if not able:
        raise NotationError("there is no way to write this event on one line: {type}", type=type)
    read, problems = [], []
    for form in able:
        try:
            read.append((form, _line(form, line)))
        except NotationError as problem:
            problems.append(problem)
    if len(read) > 1:
        raise NotationError("this line can be {count} kinds of event", count=len(read))
    if not read:
        raise problems[0]
    (form, said), *_ = read
    found = complete_body(system, actions, type, said, form)
    if isinstance(found, list):
        meant = decided_offer(found)
        found = {**form.fixed, **said} if meant is None else meant.body
    body = dict(found)
    schema_of(form, body)
    return body


def schema_of(form: Form, body: Mapping[str, Any]) -> Body:
    """Return the body as its schema has it. Raises NotationError."""
    try:
        found: Body = msgspec.convert(body, form.schema)
    except UNREADABLE as error:
        problem = value_problem(error, body, form.schema)
        raise NotationError("this is not whole: {problem}", problem=problem) from None
    return found


def _forms(system: System[Any], type: str) -> tuple[Form, ...]:
    try:
        return forms(system, type)
    except LookupError:
        raise NotationError("these rules have no event {type}", type=type) from None


def _form(system: System[Any], type: str, body: Mapping[str, Any]) -> Form:
    _forms(system, type)
    return form_of(system, type, body)


def _line(form: Form, line: str) -> dict[str, Any]:
    try:
        return form.parsed(line)
    except NotationError as problem:
        if form.notation is None:
            raise
        raise problem.with_example(form.notation.example) from None


def _read(member: Member, texts: str | Sequence[str], called: str) -> Any:
    if isinstance(texts, str):
        several = member.how in ("several", "named")
        texts = [line for line in texts.splitlines() if line.strip()] if several else [texts]
    if not texts and not member.may_be_empty:
        raise NotationError("{option}: there is nothing typed", option=called)
    if member.how in ("flag", "switch"):
        return _yes_or_no(texts[-1], called, flag=member.how == "flag")
    return member.read(texts, called)


def _yes_or_no(text: str, called: str, *, flag: bool) -> bool:
    words = {"yes": True, "true": True} if flag else {"yes": True, "true": True, "no": False, "false": False}
    if text.strip() not in words:
        raise NotationError("{option} takes yes or no", option=called)
    return words[text.strip()]
