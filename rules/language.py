"""Messages that can be translated: an English template and its values, put together where the message is shown.

A template is a whole sentence or a whole clause of one. It stands as a literal where the catalogue's extraction
finds it (specs/languages.md): in a call of Message or of an error that is one, else in `N_`.
"""

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["N_", "Message", "Translate", "one_of", "schema_problem"]

Translate = Callable[[str], str]
"""from an English template to the reader's"""


def N_(text: str) -> str:  # noqa: N802 - gettext's customary name
    """Mark a template for translation where it stands; it is translated where it is shown."""
    return text


class Message:
    """A template with values. Errors whose message can be translated are messages too."""

    def __init__(self, template: str, /, **values: Any) -> None:
        """A value that is a Message itself is translated with the template."""
        self.template = template
        self.values = values

    def message(self, translate: Translate = str) -> str:
        """The message, in the language that `translate` gives."""
        told = {
            name: value.message(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return translate(self.template).format(**told)

    def __str__(self) -> str:
        return self.message()


def one_of(words: Iterable[Message]) -> Message:
    """`player`, `gm or player`; at least one word."""
    told, *others = words
    for word in others:
        told = Message("{first} or {second}", first=told, second=word)
    return told


def schema_problem(error: Exception) -> object:
    """What an error of JSON or of its schema says: a Message where a check of ours is behind it, else as it is."""
    problem = error if isinstance(error, Message) else error.__cause__
    if not isinstance(problem, Message):
        return error
    path = str(error).removeprefix(str(problem)).removeprefix(" - at ")
    return Message("{problem} - at {path}", problem=problem, path=path) if path else problem
