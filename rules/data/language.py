"""Translatable messages: an English template with values, formatted when the message is shown.

A template is a whole sentence or a whole clause of one. It is a literal where the extraction of the catalogue finds it
(specs/languages.md): in a call of Message or of one of its subclasses, else in `N_`.
"""

from collections.abc import Callable, Iterable
from string import Formatter
from typing import Any

from rules.data.text import isolated, quoted

__all__ = ["N_", "Listed", "Message", "Translate", "counted", "one_of"]

Translate = Callable[[str], str]
"""translates an English template into the reader's language"""


def N_(text: str) -> str:  # noqa: N802 - gettext's customary name
    """Mark a template for the catalogue. It is translated when it is shown, not here."""
    return text


class _Isolating(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        return isolated(super().format_field(value, format_spec))

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """Quote texts by a fixed table: the characters that Python considers printable depend on its version."""
        return (
            quoted(value) if conversion == "r" and isinstance(value, str) else super().convert_field(value, conversion)
        )


_isolating = _Isolating()


class Message:
    """A template with values. Errors with a translatable message are subclasses."""

    def __init__(self, template: str, /, **values: Any) -> None:
        """A value that is itself a Message is translated together with the template."""
        self.template = template
        self.values = values

    def message(self, translate: Translate = str) -> str:
        """Return the message in the language of `translate`, with the texts of parties isolated (UAX #9)."""
        values = {
            name: value.message(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return _isolating.vformat(translate(self.template), (), values)

    def __str__(self) -> str:
        return self.message()


class Listed(Message):
    """Parts joined by a separator, which is translated too: `a, b` or `a; b`."""

    def __init__(self, parts: Iterable[Message | str], separator: str = N_(", ")) -> None:
        super().__init__(separator)
        self.parts = tuple(parts)

    def message(self, translate: Translate = str) -> str:
        """Return all parts and separators, translated."""
        parts = (part.message(translate) if isinstance(part, Message) else isolated(part) for part in self.parts)
        return translate(self.template).join(parts)


def one_of(words: Iterable[Message]) -> Message:
    """Return `player`, `gm or player`, or `a, b or c`. At least one word is needed."""
    joined, *others = words
    for word in others[:-1]:
        joined = Message("{first}, {second}", first=joined, second=word)
    return Message("{first} or {second}", first=joined, second=others[-1]) if others else joined


_COUNTED = {
    "event": (N_("{count} event"), N_("{count} events")),
    "roll": (N_("{count} roll"), N_("{count} rolls")),
    "die": (N_("{count} die"), N_("{count} dice")),
    "item": (N_("{count} item"), N_("{count} items")),
    "natural": (N_("{count} natural"), N_("{count} naturals")),
}


def counted(count: int, what: str) -> Message:
    """Return a count with its noun, such as `1 event` or `3 events`. `what` is event, roll, die, item or natural."""
    one, several = _COUNTED[what]
    return Message(one if count == 1 else several, count=count)
