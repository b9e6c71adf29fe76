"""Complete typed text by what the rules offer (specs/rules.md, "Actions").

It contains no rule of a game. Omitted input is filled in if only one value is possible: members that an action has
decided, and fields with a single option. An offer is an action with typed input; it also gives the input that can be
typed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ledger.forms.form import Form, form_of
from rules.actions import Action, Domain, Field, Free, OneOf, Option, Range, Records, Scalar, SomeOf, agrees, fits
from rules.base import System
from rules.data.bounds import MAX_SAFE_INTEGER
from rules.data.language import Translate

__all__ = [
    "Offer",
    "choices_told",
    "complete_body",
    "decided_offer",
    "example_of",
    "fields_told",
    "offers_for",
    "only",
]


@dataclass(frozen=True)
class Offer:
    """An action with what was typed."""

    action: Action
    form: Form
    body: Mapping[str, Any]
    """JSON: what is decided"""
    missing: tuple[Field, ...]
    """the fields that have to be filled in yet"""
    given: Mapping[str, Any]
    """JSON: what was typed"""
    assumed: tuple[str, ...] = ()
    """the fields that can have one value only, and were not typed"""

    @property
    def unsaid(self) -> tuple[str, ...]:
        """The members that are a choice by what they mean, and were not typed: to decline, to pay, to do it again.

        Numbers and names are filled in; these are said, or asked for.
        """
        known = self.form.known
        choices = (name for name in self.action.body if name in known and name not in self.given)
        return tuple(n for n in choices if known[n].how in ("flag", "switch") or len(known[n].value.choices) > 1)

    @property
    def is_whole(self) -> bool:
        """True if nothing has to be said any more."""
        return not self.missing and not self.unsaid


def offers_for(
    system: System[Any], actions: Iterable[Action], type: str, given: Mapping[str, Any], form: Form | None = None
) -> list[Offer]:
    """Return the offers of a type of event that agree with the members given, due ones first; each body once."""
    found: list[Offer] = []
    for action in actions:
        if action.type != type:
            continue
        of_action = form_of(system, type, action.body)
        if form is not None and of_action is not form:
            continue
        told = {name: value for name, value in given.items() if name not in of_action.claims}
        if agrees(action, told):
            offer = _completed(action, of_action, given)
            if not any((o.body, o.missing) == (offer.body, offer.missing) for o in found):
                found.append(offer)
    return found


def _completed(action: Action, form: Form, given: Mapping[str, Any]) -> Offer:
    body, missing, assumed = {**form.fixed, **action.body, **given}, [], []
    for field in action.fields:
        if field.required and field.name not in body:
            value = only(field.domain)
            if value is None:
                missing.append(field)
            else:
                body[field.name] = value
                assumed.append(field.name)
    return Offer(action, form, body, tuple(missing), given, tuple(assumed))


def only(domain: Domain) -> Any:
    """Return the one value that a field can have; None if there are several."""
    match domain:
        case OneOf(options=(option,)):
            return option.value
        case Range(least=least, most=most) if least == most:
            return least
        case SomeOf(options=offered, least=least) if least == len(offered):
            return [option.value for option in offered]
        case _:
            return None


def decided_offer(offers: Sequence[Offer]) -> Offer | None:
    """Return the offer that is meant without a question: the only one, or the only complete one that is due.

    Optional costs are never assumed: of two offers, with a tag to exhaust and without, it is the one without.
    """
    if len(offers) == 1:
        return offers[0]
    ready = [offer for offer in offers if offer.action.due and offer.is_whole]
    plain = [offer for offer in ready if not offer.assumed]
    return next((few[0] for few in (plain, ready) if len(few) == 1), None) if ready else None


def complete_body(
    system: System[Any], actions: Sequence[Action], type: str, given: Mapping[str, Any], form: Form | None = None
) -> Mapping[str, Any] | list[Offer]:
    """Return the body that is meant, or the matching offers if more input is needed; none if no offer matches.

    A complete body is returned unchanged.
    """
    if form is not None:
        told = {name: value for name, value in {**form.fixed, **given}.items() if name not in form.claims}
        if any(action.type == type and fits(action, told) for action in actions):
            return {**form.fixed, **given}
    found = offers_for(system, actions, type, given if form is None else {**form.fixed, **given}, form)
    said = [offer for offer in found if not offer.unsaid]
    if said and not any(offer.action.due for offer in found):
        found = said  # of several, what needs a choice that was not said is not meant
    meant = decided_offer(found)
    return meant.body if meant is not None and meant.is_whole else found


# --- examples ---------------------------------------------------------------------------------------------------------


def example_of(action: Action, form: Form, translate: Translate = str, given: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Return a complete body of the action; the notation's example if one line can express all of it."""
    offer = _completed(action, form, given)
    if not offer.missing:
        return dict(offer.body)
    noted: Mapping[str, Any] = {}
    if form.notation is not None and any(isinstance(field.domain, Free) for field in offer.missing):
        noted = form.notation.parse(form.notation.example)
        body = {**form.fixed, **noted, **action.body}
        if not given and agrees(action, body) and all(field.name in body for field in offer.missing):
            return body
    found = {
        field.name: noted[field.name]
        if field.name in noted and agrees(action, {field.name: noted[field.name]})
        else _value(field, form, translate)
        for field in offer.missing
    }
    return {**offer.body, **found}


def _value(field: Field, form: Form, translate: Translate) -> Any:
    match field.domain:
        case OneOf(options=offered):
            return offered[0].value
        case Range(least=least, most=most):
            default = field.default
            return default if isinstance(default, int) and least <= default <= most else least
        case SomeOf(options=offered, least=least):
            return [option.value for option in offered[:least]]
        case Records(fields=fields, least=least):
            return [{one.name: _value(one, form, translate) for one in fields if one.required}] * least
        case Free():
            member = form.known[field.name]
            text = member.value.shape == "TEXT"
            value = field.label.message(translate) if text else member.value.parse(member.value.example)
            return [value] if member.how in ("listed", "several") else {"x": value} if member.how == "named" else value


# --- in words --------------------------------------------------------------------------------------------------------


_MOST = 12
"""options that are listed; of more, the first ones"""


def choices_told(field: Field, translate: Translate) -> str:
    """Return what a field takes, in short: `1 to 3 of 1 (4), 2 (6), 3 (1)`."""
    _ = translate
    match field.domain:
        case OneOf(options=offered):
            return _listed(offered, translate)
        case Range(least=least, most=most) if most >= MAX_SAFE_INTEGER:
            return _("a whole number from {least} up").format(least=least) if least >= 0 else _("a whole number")
        case Range(least=least, most=most):
            return _("a whole number from {least} to {most}").format(least=least, most=most)
        case SomeOf(options=offered, least=least, most=most):
            listed = _listed(offered, translate)
            if least == most:
                return _("{least} of {options}").format(least=least, options=listed)
            return _("{least} to {most} of {options}").format(least=least, most=most, options=listed)
        case Records(fields=fields):
            return ", ".join(one.label.message(translate) for one in fields)
        case Free(grammar=grammar):
            return "" if grammar in ("text", field.name) else _(grammar)


def _listed(offered: Sequence[Option], translate: Translate) -> str:
    """Options with what they stand for; numbers in a row that stand for the same as `1-10 (Boy)`."""
    labels = [option.label.message(translate) if option.label is not None else "" for option in offered]
    told: list[str] = []
    for label, pairs in groupby(zip(labels, offered, strict=True), key=lambda pair: pair[0]):
        values = [_value_told(option.value) for _, option in pairs]
        numbers = [int(value) for value in values if value.isascii() and value.isdigit()]
        if len(numbers) == len(values) > 2 and numbers == [*range(numbers[0], numbers[-1] + 1)]:
            values = [f"{numbers[0]}-{numbers[-1]}"]
        told += [f"{value} ({label.removesuffix(f' ({value})')})" if label else value for value in values]
    return ", ".join(told[:_MOST]) + (", …" if len(told) > _MOST else "")


def _value_told(value: Scalar) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def fields_told(action: Action, translate: Translate) -> str:
    """Return the fields to fill in, in short, for a list of actions; empty if there are none."""
    told = []
    for field in action.fields:
        choices = choices_told(field, translate)
        if field.required and choices and only(field.domain) is None:
            told.append(f"{field.name}: {choices}")
    return "; ".join(told)
