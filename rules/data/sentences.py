"""Sentences for events: one table a system, for command line and page (specs/rules.md, "Sentences").

A table is data, so that the page can use it too (`systems.json`, `ledger/web/ui/sentences.js`). A test verifies that
both readers produce the same words.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from msgspec import UNSET, Struct

from rules.data.language import N_, Listed, Message, Translate

__all__ = ["FEW", "REFERENCES", "Known", "Say", "Sentences", "ranges", "summarize"]


@dataclass(frozen=True, slots=True)
class Say:
    """A template for a body, or for an object within one.

    `text` names members in braces. `{#dice}` is the number of items of a member; `{~groups}` its numbers as ranges;
    `{@roll}` a reference to something, such as an earlier roll, dice of it, or a call; `{amount:+d}` a number with its
    sign. `[Reroll|rerolls]` has the words for a button and for a log. `when` lists conditions that must all hold:
    `member` is present and not empty, `!member` is not, `member=value`, `member=` is present and empty, `member?` is
    present, `member>1` is greater than 1 or has more items, `@own` is about the event's author. `more` are clauses to
    append, each if its conditions hold.
    """

    text: str
    when: str = ""
    more: tuple["Say", ...] = ()


Sentences = Mapping[str, tuple[Say, ...]]
"""`TYPE KIND`, `TYPE` or name of an object → templates, of which the first whose conditions hold is used"""

FEW: Final = 6
"""items of a list that are named; the others are only counted"""

REFERENCES: Final[Mapping[str, tuple[str, str]]] = {
    "roll": (N_("roll {number}"), ""),
    "again": (N_("roll {number}"), ""),
    "joins": (N_("roll {number}"), ""),
    "call": (N_("call {number}"), ""),
    "effect": (N_("effect {number}"), ""),
    "trigger": (N_("ability {number}"), ""),
    "standing": (N_("standing effect {number}"), ""),
    "rule": (N_("reroll rule {number}"), ""),
    "reroll": (N_("reroll rule {number}"), ""),
    "subject": (N_("event {number}"), ""),
    "request": (N_("event {number}"), ""),
    "admit": (N_("event {number}"), ""),
    "die": (N_("die {number}"), ""),
    "dice": (N_("die {number}"), N_("dice {number}")),
    "throws": (N_("throw {number}"), N_("throws {number}")),
}
"""member → templates for one number that refers to something, and for a list of such numbers"""

_FORMS: Final = re.compile(r"\[([^][|]*)\|([^][|]*)\]")
_SLOT: Final = re.compile(r"\{([#~@]?)(\w+)(:\+d)?\}")
_CONDITION: Final = re.compile(r"(!?)(\w+)(?:([=>?])(.*))?")


class _Sentence(Message):
    """A template of a table, in the form for a log."""

    def message(self, translate: Translate = str) -> str:
        return super().message(lambda template: _FORMS.sub(r"\2", translate(template)).replace(":+d}", "}"))


def ranges(numbers: Iterable[int]) -> list[str]:
    """Return the numbers as ranges.

    >>> ranges([1, 2, 3, 7, 8])
    ['1-3', '7', '8']
    """
    runs = groupby(enumerate(sorted(set(numbers))), key=lambda pair: pair[1] - pair[0])
    found = [[number for _, number in run] for _, run in runs]
    return [text for run in found for text in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run))]


Known = Callable[[int], Message | None]
"""returns whose an earlier event was, and what; None where that is not known"""


def summarize(
    sentences: Sentences, titles: Mapping[str, str], type: str, author: str, body: Any, known: Known | None = None
) -> Message | None:
    """Return a one-line summary of an event; None if the table has no template for its body.

    `known` describes the earlier events that it refers to; without it they are named by their numbers alone.
    """
    return _Teller(sentences, titles, author, known).tell(type, body)


class _Teller:
    def __init__(self, sentences: Sentences, titles: Mapping[str, str], author: str, known: Known | None) -> None:
        self._sentences = sentences
        self._titles = titles
        self._author = author
        self._known = known

    def tell(self, key: str, value: Any) -> Message | None:
        """Return the sentence for a body by its type, or for an object by its name."""
        ways = self._sentences.get(f"{key} {_kind(value)}") or self._sentences.get(key, ())
        found = next((way for way in ways if self._fits(way.when, value)), None)
        if found is None:
            return None
        said = (found, *(way for way in found.more if self._fits(way.when, value)))
        clauses = [self._filled(way.text, value) for way in said]
        return Listed(clauses) if len(clauses) > 1 else clauses[0]

    def _filled(self, text: str, value: Any) -> Message:
        values = {}
        for sign, name, signed in _SLOT.findall(text):
            found = getattr(value, name)
            values[sign + name] = _signed(found) if signed else self._told(sign, name, found)
        return _Sentence(text, **values)

    def _told(self, sign: str, name: str, value: Any) -> object:
        match sign:
            case "#":
                return len(value)
            case "~":
                return _listed(ranges(value))
            case "@" if isinstance(value, str):
                return value.partition("+")[0]  # a key's name
            case "@" if isinstance(value, tuple):
                one, several = REFERENCES[name]
                return Message(several if len(value) > 1 else one, number=_listed(ranges(value)))
            case "@":
                number = Message(REFERENCES[name][0], number=value)
                what = None if self._known is None else self._known(value)
                return number if what is None else Message("{reference}, {what}", reference=number, what=what)
            case _:
                return self._value(name, value)

    def _value(self, name: str, value: Any) -> Message | str:
        match value:
            case bool():
                return Message("yes") if value else Message("no")
            case str():
                title = self._titles.get(f"{name} {value}")
                return value if title is None else Message(title)
            case int():
                return f"−{-value}" if value < 0 else str(value)
            case Struct():
                return self.tell(type(value).__name__, value) or Message("…")
            case Mapping():
                members = ((key, self._value(name, each)) for key, each in value.items())
                return _listed([Message("{name} {value}", name=key, value=each) for key, each in members])
            case (Struct(), *_):
                return Listed(_few([self._value(name, each) for each in value]), N_("; "))
            case _:
                return _listed([self._value(name, each) for each in value])

    def _fits(self, when: str, value: Any) -> bool:
        return all(self._holds(condition, value) for condition in when.split())

    def _holds(self, condition: str, value: Any) -> bool:
        if condition.endswith("@own"):
            return (value.party == self._author) is (condition == "@own")
        return _holds(condition, value)


def _kind(value: Any) -> object:
    """Return the kind of a body: its tag, or its member `what`."""
    tag = value.__struct_config__.tag
    return getattr(value, "what", None) if tag is None else tag


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}"


def _listed(parts: Sequence[Message | str]) -> Message:
    return Listed(_few(parts)) if parts else Message("none")


def _few(parts: Sequence[Message | str]) -> Iterable[Message | str]:
    more = [Message("{count} more", count=len(parts) - FEW)] if len(parts) > FEW else []
    return (*parts[:FEW], *more)


def _holds(condition: str, value: Any) -> bool:
    match = _CONDITION.fullmatch(condition)
    assert match is not None, condition
    negated, name, sign, wanted = match.groups()
    found = getattr(value, name)
    if sign == "?":
        return found is not UNSET and found is not None
    if sign == ">":
        size = found if isinstance(found, int) else 0 if found is UNSET else len(found)
        return size > int(wanted)
    if sign == "=":
        return _plain(found) == wanted
    return (found is UNSET or found is None or found is False or found in ("", ())) is bool(negated)


def _plain(value: Any) -> str | None:
    """Return a value as conditions write it, such as `true` or `3`. An absent member is None, an empty one the empty
    text.
    """
    if value is UNSET or value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | str) or value else ""
