"""Messages that can be translated: an English template and its values, put together where the message is shown.

A template is a whole sentence or a whole clause of one. It stands as a literal where the catalogue's extraction
finds it (specs/languages.md): in a call of Message or of an error that is one, else in `N_`.
"""

from collections.abc import Callable, Iterable
from string import Formatter
from typing import Any

from rules.data.text import isolated, quoted

__all__ = ["N_", "Listed", "Message", "Translate", "counted", "one_of"]

Translate = Callable[[str], str]
"""from an English template to the reader's"""


def N_(text: str) -> str:  # noqa: N802 - gettext's customary name
    """Mark a template for translation where it stands; it is translated where it is shown."""
    return text


class _Isolating(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        return isolated(super().format_field(value, format_spec))

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """A text in quotes, by the table that stands here; what Python takes for printable depends on its version."""
        return (
            quoted(value) if conversion == "r" and isinstance(value, str) else super().convert_field(value, conversion)
        )


_isolating = _Isolating()


class Message:
    """A template with values. Errors whose message can be translated are messages too."""

    def __init__(self, template: str, /, **values: Any) -> None:
        """A value that is a Message itself is translated with the template."""
        self.template = template
        self.values = values

    def message(self, translate: Translate = str) -> str:
        """The message, in the language that `translate` gives; texts of parties in it stand by themselves."""
        told = {
            name: value.message(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return _isolating.vformat(translate(self.template), (), told)

    def __str__(self) -> str:
        return self.message()


class Listed(Message):
    """Parts one after another: `a, b`; with another separator, which is translated, `a; b`."""

    def __init__(self, parts: Iterable[Message | str], separator: str = N_(", ")) -> None:
        super().__init__(separator)
        self.parts = tuple(parts)

    def message(self, translate: Translate = str) -> str:
        told = (part.message(translate) if isinstance(part, Message) else isolated(part) for part in self.parts)
        return translate(self.template).join(told)


def one_of(words: Iterable[Message]) -> Message:
    """`player`, `gm or player`, `a, b or c`; at least one word."""
    told, *others = words
    for word in others[:-1]:
        told = Message("{first}, {second}", first=told, second=word)
    return Message("{first} or {second}", first=told, second=others[-1]) if others else told


_COUNTED = {
    "event": (N_("{count} event"), N_("{count} events")),
    "roll": (N_("{count} roll"), N_("{count} rolls")),
    "die": (N_("{count} die"), N_("{count} dice")),
    "item": (N_("{count} item"), N_("{count} items")),
    "natural": (N_("{count} natural"), N_("{count} naturals")),
}


def counted(count: int, what: str) -> Message:
    """`1 event`, `3 events`; `what` is event, roll, die, item or natural."""
    one, several = _COUNTED[what]
    return Message(one if count == 1 else several, count=count)
