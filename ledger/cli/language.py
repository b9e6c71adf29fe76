"""The language of a run: --lang, else ROLLPROOF_LANG, else the locale's (specs/languages.md).

It belongs to the run (`Call.translate`), not to the process: functions that print receive the translator as `_`.
"""

from collections.abc import Callable

__all__ = ["LANGUAGE_VARIABLE", "N_", "Translate", "translator"]

LANGUAGE_VARIABLE = "ROLLPROOF_LANG"

Translate = Callable[[str], str]
"""from an English text to the reader's language"""


def translator(language: str | None) -> Translate:
    """Translates into a language; None is the locale's. The catalogue is loaded with the first text."""
    loaded: list[Translate] = []

    def translate(text: str) -> str:
        if not loaded:
            from verifier.language import translator as load

            loaded.append(load(language))
        return loaded[0](text)

    return translate


def N_(text: str) -> str:  # noqa: N802 - gettext's customary name
    """Mark a text for translation; it is translated where it is printed."""
    return text
