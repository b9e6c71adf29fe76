"""Ask at a terminal for missing input: a choice among several actions, and the fields of one."""

import sys
from collections.abc import Sequence
from typing import Any

import typer

from ledger.cli.argv import parse_notation, read_member
from ledger.cli.output import Output
from ledger.forms.form import Form
from ledger.forms.offers import Offer, choices_told, only
from rules.actions import Action, Field, Free, Records, agrees
from rules.base import NotationError

__all__ = ["Asker", "asker"]


def asker(out: Output) -> "Asker | None":
    """Return an asker on a terminal; None if nobody would see the question, or a program reads the answer."""
    return Asker(out) if not out.json and sys.stdin.isatty() and sys.stderr.isatty() else None


def _is_choice(form: Form, field: Field) -> bool:
    """Return True if an optional field has several values to choose from, and takes no free text."""
    if isinstance(field.domain, Free | Records):
        return False
    return form.known[field.name].how in ("flag", "switch") or only(field.domain) is None


class Asker:
    """Prompts, on standard error."""

    def __init__(self, out: Output) -> None:
        self._translate = out.translate

    def which(self, actions: Sequence[Action]) -> int:
        """Return the position of the action that is meant, asked for by its number."""
        labels = [action.label.message(self._translate) for action in actions]
        return self._number(labels, "1" if actions[0].due else None)

    def one_of(self, question: str, answers: Sequence[str]) -> int:
        """Return the position of the answer that is meant; none is picked."""
        self._say(question)
        return self._number(answers, None)

    def _number(self, labels: Sequence[str], default: str | None) -> int:
        for number, label in enumerate(labels, 1):
            self._say(f"{number:3}  {label}")
        while True:
            typed = self._ask(self._translate("Which? Its number"), default)
            if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(labels):
                return int(typed) - 1
            self._say(self._translate("a number from {least} to {most}").format(least=1, most=len(labels)))

    def whole(self, offer: Offer) -> dict[str, Any]:
        """Return the body of the offer, its fields asked for one by one; in one line where the notation says it all."""
        form, free = offer.form, [field for field in offer.missing if isinstance(field.domain, Free)]
        if form.notation is not None and free:
            return {**offer.body, **self._line(offer)}
        body = dict(offer.body)
        for field in offer.action.fields:
            wanted = field in offer.missing
            if wanted or (field.name not in body and _is_choice(form, field)):
                value = self._field(form, offer.action, field, required=wanted)
                body |= {} if value is None else {field.name: value}
        return body

    def _line(self, offer: Offer) -> dict[str, Any]:
        notation = offer.form.notation
        assert notation is not None
        label = offer.action.label.message(self._translate)
        while True:
            text = self._translate("{label}, for example “{example}”").format(label=label, example=notation.example)
            try:
                return parse_notation(offer.form, self._ask(text))
            except (NotationError, OSError) as error:
                self._tell(error)

    def _field(self, form: Form, action: Action, field: Field, *, required: bool) -> Any:
        member, label = form.known[field.name], field.label.message(self._translate)
        choices = choices_told(field, self._translate)
        text = f"{label} ({choices})" if choices else label
        if not required:
            text += self._translate(" [empty: none]")
        while True:
            typed = self._ask(text, None if required else "")
            if not typed and not required:
                return None
            if member.how == "flag":
                return True
            try:
                value = typed in ("y", "yes") if member.how == "switch" else read_member(member, [typed])
            except NotationError as error:
                self._tell(error)
                continue
            if agrees(action, {field.name: value}):
                return value
            self._say(self._translate("that is not offered: {choices}").format(choices=choices))

    def _ask(self, text: str, default: str | None = None) -> str:
        shown = bool(default)
        answer: str = typer.prompt(text, default=default, show_default=shown, err=True)
        return answer.strip()

    def _tell(self, error: Exception) -> None:
        self._say(error.message(self._translate) if isinstance(error, NotationError) else str(error))

    def _say(self, text: str) -> None:
        print(text, file=sys.stderr)
