"""Convert between bodies of events and the arguments of a command: options, lines of notation, and files of these.

`@FILE` reads a file, one object a line where several are allowed; `@@` is an `@` at the start of a notation; `-` reads
a notation of the whole body from standard input (specs/commands.md, "Options").
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from ledger.forms.form import Form, form_of, short_forms
from ledger.forms.members import Member
from rules.base import NotationError, System

__all__ = ["MAX_FILE", "arguments_of", "options_of", "parse_notation", "read_member"]

MAX_FILE = 1 << 20
"""bytes of a file that has a notation"""


# --- from the arguments ----------------------------------------------------------------------------------------------


def parse_notation(form: Form, text: str) -> dict[str, Any]:
    """Return the members of a line, or a file, in the body's notation. Raises NotationError, OSError."""
    if text == "-" or _is_file(text):
        return form.parsed(_read_file(text.removeprefix("@")).strip("\n"))
    return form.parsed(_unescaped(text))


def read_member(member: Member, given: Sequence[str]) -> Any:
    """Return the JSON value of a member, from a text for each time it was given. Raises NotationError, OSError."""
    texts = given
    if member.value.is_object:
        if member.how == "several":
            texts = [line for text in given for line in _lines(text)]
        elif member.how == "named":
            pairs = (text.partition("=") for text in given)
            texts = [f"{name}{equals}{_unescaped(rest.strip())}" for name, equals, rest in pairs]
        else:
            texts = [_unescaped(text) for text in given]
    return member.read(texts, member.option)


def _is_file(text: str) -> bool:
    return text.startswith("@") and not text.startswith("@@")


def _unescaped(text: str) -> str:
    return text[1:] if text.startswith("@@") else text


def _lines(text: str) -> list[str]:
    if not _is_file(text):
        return [_unescaped(text)]
    return [_unescaped(line) for line in _read_file(text[1:]).splitlines() if line.strip()]


def _read_file(name: str) -> str:
    """Return the text of a file that has a notation; `-` is standard input. Raises OSError, NotationError."""
    from ledger.cli.files import read_bounded

    data = read_bounded(Path(name), MAX_FILE)
    if len(data) > MAX_FILE:
        raise NotationError("{file} is too long for a notation", file=name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise NotationError("{file} is not UTF-8 text", file=name) from None


# --- to the arguments -------------------------------------------------------------------------------------------------


def arguments_of(system: System[Any], type: str, body: Mapping[str, Any], game: str) -> list[str]:
    """Return the arguments that mean this body: a notation if it expresses the whole body, else options."""
    form = form_of(system, type, body)
    line = form.line(body)
    if line is None or "\n" in line or line == "-":
        return [system.name, *form.words, game, *options_of(form, body)]
    text = [f"@{line}"] if line.startswith("@") else _separate(line)
    if type == "roll" and short_forms(system) == (form,):
        return ["roll", game, *text]
    return [system.name, *form.words, game, *text]


def options_of(form: Form, members: Mapping[str, Any]) -> list[str]:
    """Return the options that some members of a body are typed with, in the order of the schema."""
    return [word for name, one in form.known.items() if name in members for word in _options(one, members[name])]


def _options(member: Member, value: Any) -> list[str]:
    if member.how in ("flag", "switch"):
        return [member.option if value else member.emptied]
    texts = member.texts(value)
    if not texts:
        return [member.emptied]
    return [word for text in texts for word in _option(member, text)]


def _option(member: Member, text: str) -> list[str]:
    if member.value.is_object and text.startswith("@"):
        text = f"@{text}"
    # A text that begins with a hyphen could be taken for an option.
    return [f"{member.option}={text}"] if text.startswith("-") else [member.option, text]


def _separate(line: str) -> list[str]:
    """Split a line into words if it means the same without quotes; else return it as one."""
    words = line.split(" ")
    plain = all(word and word == quote(word) and not word.startswith("-") for word in words)
    if plain:
        return words
    return ["--", line] if line.startswith("-") else [line]
