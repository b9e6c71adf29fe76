"""Languages, through gettext. Codes, steps, clauses and members of reports never change with the language."""

import gettext
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["LOCALE_FOLDER", "N_", "Translate", "join_names", "translator"]

Translate = Callable[[str], str]
"""from an English template to the reader's"""

LOCALE_FOLDER = Path(__file__).with_name("locale")
_DOMAIN = "rollproof"


def N_(text: str) -> str:  # noqa: N802 - gettext's customary name
    """Mark a template for translation where it stands; it is translated where it is shown."""
    return text


def translator(language: str | None = None) -> Translate:
    """The translation into a language such as `ja`; None means the locale's (LANGUAGE, LC_ALL, LC_MESSAGES, LANG).

    What has no translation stays English.
    """
    languages = None if language is None else [language]
    return gettext.translation(_DOMAIN, LOCALE_FOLDER, languages, fallback=True).gettext


def join_names(names: Iterable[str], _: Translate) -> str:
    """`alice`, `alice and bob`, `alice, bob and carol`."""
    *most, last = list(names)
    return _(N_("{names} and {last}")).format(names=_(", ").join(most), last=last) if most else last
