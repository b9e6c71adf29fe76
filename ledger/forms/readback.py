"""What a typed line was read as, told before anything is signed (specs/rules.md, "Free text")."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ledger.forms.form import Form, form_of
from rules.actions import Action, Free, agrees
from rules.base import System
from rules.free_text import reads_like_notation
from rules.language import N_, Listed, Message
from rules.text import one_line

__all__ = ["read_back"]

MAX_SHOWN = 60
"""characters of a text that are shown"""

_DIGIT = re.compile("[0-9]")


def read_back(system: System[Any], actions: Sequence[Action], type: str, body: Mapping[str, Any]) -> Message | None:
    """Return what the body of a typed line has, where somebody could have meant something else; None elsewhere.

    That is where a text in it has digits or reads like notation, and where a field was left out that stands for dice
    of somebody else's, such as those of a call.
    """
    left_out = [*_left_out(actions, type, body)]
    texts = [*_texts(form_of(system, type, body), body)]
    if not left_out and not any(_could_be_more(str(body[name])) for name in texts):
        return None
    members = [*_members(body, texts), *left_out]
    return Message("read as {members}", members=Listed(members, N_("; ")))


def _could_be_more(text: str) -> bool:
    return _DIGIT.search(text) is not None or reads_like_notation(text) is not None


def _texts(form: Form, body: Mapping[str, Any]) -> Iterator[str]:
    """The members that are texts of the players' own; `dice` is notation in every system."""
    for name, value in body.items():
        if name != "dice" and isinstance(value, str) and name in form.known and form.known[name].value.shape == "TEXT":
            yield name


def _members(body: Mapping[str, Any], texts: Sequence[str]) -> Iterator[Message]:
    for name, value in body.items():
        match value:
            case _ if name in texts:
                yield Message("{name} “{text}”", name=name, text=one_line(value, MAX_SHOWN))
            case str() | int():
                yield Message("{name} {value}", name=name, value=value)
            case _:
                yield Message("{name} ({count})", name=name, count=len(value))


def _left_out(actions: Sequence[Action], type: str, body: Mapping[str, Any]) -> Iterator[Message]:
    for action in actions:
        if action.type == type and action.body and agrees(action, body):
            for field in action.fields:
                if field.name not in body and isinstance(field.domain, Free) and isinstance(field.default, str):
                    text = N_("{name} {value}, and nothing added")
                    yield Message(text, name=field.name, value=field.default)
