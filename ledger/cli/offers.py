"""What is typed, completed by what the rules offer: no rule of a game stands here (specs/rules.md, "Actions").

What somebody leaves out is filled in where only one thing is possible: members that an action has decided, and fields
with a single option. An offer is an action with what was typed; from it comes the command that a hint suggests, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.cli.forms import Form, form_of, typed_out, written
from rules.actions import Action, Domain, Field, Free, OneOf, Range, Records, SomeOf, agrees, fits
from rules.base import System
from rules.language import Translate

__all__ = [
    "Offer",
    "choices_told",
    "command_told",
    "completed",
    "decided",
    "fields_told",
    "offers_for",
    "only",
    "suggested",
    "unclear",
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
        """Whether nothing has to be said any more."""
        return not self.missing and not self.unsaid


def offers_for(
    system: System[Any], actions: Iterable[Action], type: str, given: Mapping[str, Any], form: Form | None = None
) -> list[Offer]:
    """The offers of a type of event that agree with the members given, due ones first; each body once."""
    found: list[Offer] = []
    for action in actions:
        if action.type != type or type not in system.bodies:
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
    """The one value that a field can have; None where there are several."""
    match domain:
        case OneOf(options=(option,)):
            return option.value
        case Range(least=least, most=most) if least == most:
            return least
        case SomeOf(options=offered, least=least) if least == len(offered):
            return [option.value for option in offered]
        case _:
            return None


def decided(offers: Sequence[Offer]) -> Offer | None:
    """The offer that is meant where nobody is asked: the only one, or the only one that is due and has all it needs.

    What was not named is not given away: of two, with a tag to exhaust and without, it is the one without.
    """
    if len(offers) == 1:
        return offers[0]
    ready = [offer for offer in offers if offer.action.due and offer.is_whole]
    plain = [offer for offer in ready if not offer.assumed]
    return next((few[0] for few in (plain, ready) if len(few) == 1), None) if ready else None


def completed(
    system: System[Any], actions: Sequence[Action], type: str, given: Mapping[str, Any], form: Form | None = None
) -> Mapping[str, Any] | list[Offer]:
    """The body that is meant; the offers that fit where more has to be said; none where nothing that is offered fits.

    What is a whole body already is left as it is.
    """
    if form is not None:
        told = {name: value for name, value in {**form.fixed, **given}.items() if name not in form.claims}
        if any(action.type == type and fits(action, told) for action in actions):
            return {**form.fixed, **given}
    found = offers_for(system, actions, type, given if form is None else {**form.fixed, **given}, form)
    meant = decided(found)
    return meant.body if meant is not None and meant.is_whole else found


# --- what to type ----------------------------------------------------------------------------------------------------


def suggested(
    system: System[Any],
    actions: Sequence[Action],
    action: Action,
    game: str,
    party: str,
    translate: Translate = str,
    given: Mapping[str, Any] = {},
) -> list[str]:
    """The arguments of the shortest command that does this, with an example for each field that must be filled in and
    is not `given`.
    """
    if action.type not in system.bodies:
        arguments = _of_protocol(action, game, party, translate)
    else:
        form = form_of(system, action.type, action.body)
        arguments = _of_system(actions, action, game, form, _example(action, form, translate, given))
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:at], "--as", party, *arguments[at:]]


def _of_system(actions: Sequence[Action], action: Action, game: str, form: Form, body: Mapping[str, Any]) -> list[str]:
    system = form.system
    if action.type == "roll" and completed(system, actions, "roll", {}) == body:
        return ["roll", game]
    members = {name: value for name, value in body.items() if name != form.tag_field}
    for name in list(members):
        fewer = {other: value for other, value in members.items() if other != name}
        if completed(system, actions, action.type, fewer, form) == body:
            members = fewer
    if any(isinstance(field.domain, Free) and field.name in members for field in action.fields):
        return written(system, action.type, {**form.fixed, **members}, game)
    return [system.name, *form.words, game, *form.options(members)]


def _example(action: Action, form: Form, translate: Translate, given: Mapping[str, Any]) -> dict[str, Any]:
    """A whole body of the action; where all of it can be said on one line, the example of that notation."""
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


def _of_protocol(action: Action, game: str, party: str, translate: Translate) -> list[str]:
    body = action.body
    if action.type != "ruling":
        concerned = body.get("party", party)
        return [action.type, game, *(["--party", concerned] if concerned != party else [])]
    text = next(field.label for field in action.fields if field.name == "text").message(translate)
    about = next(field.domain for field in action.fields if field.name == "subject")
    subject = about.most if isinstance(about, Range) else 0
    arguments = ["ruling", game, str(body["ruling"]), "--subject", str(subject), "--text", text]
    for field in action.fields:
        if isinstance(field.domain, OneOf) and field.name == "party":
            arguments += ["--party", str(field.domain.options[0].value)]
    return arguments


# --- in words --------------------------------------------------------------------------------------------------------


_MOST = 12
"""options that are listed; of more, the first ones"""


def choices_told(field: Field, translate: Translate) -> str:
    """What a field takes, shortly: `1 to 3 of 1 (4), 2 (6), 3 (1)`."""
    _ = translate
    match field.domain:
        case OneOf(options=offered):
            return ", ".join(_option(option, translate) for option in offered[:_MOST]) + _more(len(offered))
        case Range(least=least, most=most):
            return _("a whole number from {least} to {most}").format(least=least, most=most)
        case SomeOf(options=offered, least=least, most=most):
            listed = ", ".join(_option(option, translate) for option in offered[:_MOST]) + _more(len(offered))
            if least == most:
                return _("{least} of {options}").format(least=least, options=listed)
            return _("{least} to {most} of {options}").format(least=least, most=most, options=listed)
        case Records(fields=fields):
            return ", ".join(one.label.message(translate) for one in fields)
        case Free(grammar=grammar):
            return "" if grammar in ("text", field.name) else _(grammar)


def _more(count: int) -> str:
    return ", …" if count > _MOST else ""


def _option(option: Any, translate: Translate) -> str:
    told = option.label.message(translate) if option.label is not None else ""
    value = {True: "yes", False: "no"}[option.value] if isinstance(option.value, bool) else str(option.value)
    return f"{value} ({told})" if told else value


def fields_told(action: Action, translate: Translate) -> str:
    """What can be filled in, shortly, for who looks at the action in a list; nothing where nothing can."""
    told = []
    for field in action.fields:
        choices = choices_told(field, translate)
        if field.required and choices and only(field.domain) is None:
            told.append(f"{field.name}: {choices}")
    return "; ".join(told)


def command_told(arguments: Sequence[str]) -> str:
    """The whole command, as it is typed in a shell."""
    return f"rollproof {typed_out(arguments)}"


def unclear(offers: Sequence[Offer], commands: Sequence[Sequence[str]], translate: Translate) -> str:
    """What to say where nobody can be asked: what can be typed."""
    lines = [translate("say which is meant:")]
    if len(offers) == 1:
        (offer,) = offers
        known, names = offer.form.known, [*(field.name for field in offer.missing), *offer.unsaid]
        needed = ", ".join(known[name].option for name in names)
        lines = [translate("{options} must be said too; for example:").format(options=needed)]
    for offer, arguments in zip(offers, commands, strict=True):
        told, fields = offer.action.label.message(translate), fields_told(offer.action, translate)
        lines += [f"{told} ({fields}):" if fields else f"{told}:", f"  {command_told(arguments)}"]
    return "\n".join(lines)
