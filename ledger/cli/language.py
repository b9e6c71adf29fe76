"""The language of a run: --lang, else ROLLPROOF_LANG, else the locale's (specs/languages.md)."""

import os
from collections.abc import Callable

__all__ = ["LANGUAGE_VARIABLE", "N_", "_", "choose", "language"]

LANGUAGE_VARIABLE = "ROLLPROOF_LANG"

_language: str | None = None
_translate: Callable[[str], str] | None = None


def choose(language: str | None) -> None:
    """Speak this language from now on."""
    global _language, _translate
    _language, _translate = language or os.environ.get(LANGUAGE_VARIABLE) or None, None


def language() -> str | None:
    """The language of this run; None means the locale's."""
    return _language


def _(text: str) -> str:
    """The text in the language of this run."""
    global _translate
    if _translate is None:
        from verifier.language import translator

        _translate = translator(_language)
    return _translate(text)


def N_(text: str) -> str:  # noqa: N802 - gettext's customary name
    """Mark a text for translation where it stands; `_` translates it where it is shown."""
    return text
