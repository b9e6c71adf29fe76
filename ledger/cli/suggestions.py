"""Suggest the command for an action that the rules offer."""

from collections.abc import Mapping, Sequence
from typing import Any

from ledger.cli.argv import arguments_of, options_of
from ledger.cli.output import rollproof
from ledger.forms.form import Form, form_of
from ledger.forms.offers import Offer, choices_told, complete_body, example_of, fields_told
from rules.actions import Action, Field, Free, OneOf, Range, SomeOf
from rules.base import System
from rules.data.language import Translate

__all__ = ["command_told", "offered_as", "only_they_know", "suggest", "unclear"]


def suggest(
    system: System[Any],
    actions: Sequence[Action],
    action: Action,
    game: str,
    party: str,
    translate: Translate = str,
    given: Mapping[str, Any] = {},
) -> list[str]:
    """Return the arguments of the shortest command for this, with an example for each field that must be filled in and
    is not `given`.
    """
    if action.type not in system.bodies:
        arguments = _of_protocol(action, game, party)
    else:
        form = form_of(system, action.type, action.body)
        arguments = _of_system(actions, action, game, form, example_of(action, form, translate, given))
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return [*arguments[:at], "--as", party, *arguments[at:]]


def offered_as(
    system: System[Any], actions: Sequence[Action], number: int, game: str, party: str, translate: Translate
) -> tuple[list[str], str | None]:
    """Return the arguments of a command that does the action with this number, and how it can be written on one line.

    If the party has to enter or choose something, the command asks for it: nobody signs an example by mistake.
    """
    action = actions[number - 1]
    if not any(field.required and _is_open(field) for field in action.fields):
        return suggest(system, actions, action, game, party, translate), None
    form = form_of(system, action.type, action.body) if action.type in system.bodies else None
    notation = form.notation.example if form is not None and form.is_noted and form.notation is not None else None
    return ["do", game, str(number), "--as", party], notation


def _is_open(field: Field) -> bool:
    """Return True if the value of a field matters: of ten equal models, the first is as good as any."""
    match field.domain:
        case OneOf(options=options):
            return len(options) > 1 and (options[0].label is None or any(o.label != options[0].label for o in options))
        case Range(least=least, most=most):
            return least < most and field.default is None
        case SomeOf(options=options, least=least):
            return 0 < least < len(options)
        case _:
            return True


def _of_system(actions: Sequence[Action], action: Action, game: str, form: Form, body: Mapping[str, Any]) -> list[str]:
    system = form.system
    if action.type == "roll" and complete_body(system, actions, "roll", {}) == body:
        return ["roll", game]
    members = {name: value for name, value in body.items() if name != form.tag_field}
    for name in list(members):
        fewer = {other: value for other, value in members.items() if other != name}
        if complete_body(system, actions, action.type, fewer, form) == body:
            members = fewer
    if any(isinstance(field.domain, Free) and field.name in members for field in action.fields):
        return arguments_of(system, action.type, {**form.fixed, **members}, game)
    return [system.name, *form.words, game, *options_of(form, members)]


def _of_protocol(action: Action, game: str, party: str) -> list[str]:
    body = action.body
    concerned = body.get("party", party)
    return [action.type, game, *(["--party", concerned] if concerned != party else [])]


def command_told(arguments: Sequence[str]) -> str:
    """Return the whole command, as it is typed in a shell."""
    return rollproof(*arguments)


def unclear(offers: Sequence[Offer], commands: Sequence[Sequence[str]], translate: Translate) -> str:
    """Return the message that lists the possible commands, if nobody can be asked."""
    lines = [translate("say which is meant:")]
    if len(offers) == 1:
        (offer,) = offers
        if any(isinstance(field.domain, Free) for field in offer.missing):
            return only_they_know(offer, translate)
        known, names = offer.form.known, [*(field.name for field in offer.missing), *offer.unsaid]
        needed = ", ".join(known[name].option for name in names)
        lines = [translate("{options} must be said too; for example:").format(options=needed)]
    for offer, arguments in zip(offers, commands, strict=True):
        told, fields = offer.action.label.message(translate), fields_told(offer.action, translate)
        lines += [f"{told} ({fields}):" if fields else f"{told}:", f"  {command_told(arguments)}"]
    return "\n".join(lines)


def only_they_know(offer: Offer, translate: Translate, pattern: str = "") -> str:
    """Say which input is missing, and its notation; a command with made-up dice or words would roll those.

    Each is named as its option, or by a `pattern` of its name: `{name}=`.
    """
    known = offer.form.known
    written = {name: pattern.format(name=name) if pattern else known[name].option for name in known}
    unsaid = () if pattern else offer.unsaid  # the action says it
    needed = ", ".join(written[name] for name in (*(field.name for field in offer.missing), *unsaid))
    text = translate("{options} must be said too; nothing was rolled")
    told = [text.format(options=needed)]
    for field in offer.missing:
        member = known[field.name]
        example = "" if member.value.shape == "TEXT" else member.value.example
        if not isinstance(field.domain, Free):
            example = choices_told(field, translate)
        label = field.label.message(translate)
        told.append(f"  {written[field.name]}: {label}" + (f" ({example})" if example and example not in label else ""))
    return "\n".join(told)
