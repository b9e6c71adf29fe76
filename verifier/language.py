"""Translation of messages by gettext. Codes, steps, clauses and member names are the same in every language."""

import gettext
import os
from collections.abc import Iterable
from functools import reduce
from pathlib import Path

from rules.data.language import Translate

__all__ = [
    "DOMAIN",
    "LOCALE_FOLDER",
    "join_names",
    "join_sentences",
    "languages",
    "translator",
]

LOCALE_FOLDER = Path(__file__).with_name("locale")
DOMAIN = "rollproof"


def translator(language: str | None = None) -> Translate:
    """Return the translation into a language such as `ja`; texts without a translation stay English.

    None stands for the locale's language (LANGUAGE, LC_ALL, LC_MESSAGES, LANG).
    """
    languages = None if language is None else [language]
    if (language or _of_locale()).partition(".")[0] in ("", "C", "POSIX", "en", "en_US", "en_GB"):
        return str  # English needs no catalogue
    return gettext.translation(DOMAIN, LOCALE_FOLDER, languages, fallback=True).gettext


def _of_locale() -> str:
    """Return the variable that gettext uses for the locale's language."""
    variables = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    return next((value for variable in variables if (value := os.environ.get(variable))), "")


def join_names(names: Iterable[str], _: Translate) -> str:
    """Return `alice`, `alice and bob`, or `alice, bob and carol`."""
    *most, last = list(names)
    return _("{names} and {last}").format(names=_(", ").join(most), last=last) if most else last


def join_sentences(sentences: Iterable[str], _: Translate) -> str:
    """Return one or more sentences as a paragraph."""
    return reduce(lambda text, sentence: _("{text} {sentence}").format(text=text, sentence=sentence), sentences)


def languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, sorted, without English."""
    return tuple(sorted(folder.name for folder in LOCALE_FOLDER.iterdir() if (folder / "LC_MESSAGES").is_dir()))
