"""Commands for people to type. Pasted into a shell they do what they say, whatever names they contain."""

from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from rules.data.text import plain

__all__ = ["NOT_SHOWN", "command", "file_word"]

NOT_SHOWN = "…"
"""the placeholder for a word that cannot be shown on a line"""


def command(*words: str | Path) -> str:
    r"""Return a command for a POSIX shell. A Path is always treated as a file name, even if it begins like an option.

    >>> command("rollproof", "verify", Path("-e1e$(touch x).jsonl"))
    "rollproof verify './-e1e$(touch x).jsonl'"
    >>> command("rollproof", "verify", Path("a\nb"))
    "rollproof verify '…'"
    """
    return " ".join(_words(words))


def file_word(name: str | Path) -> str:
    """Return the name of a file as one word of a shell, even if it begins like an option."""
    text = str(name)
    return _word(f"./{text}" if text.startswith("-") else text)


def _words(words: Iterable[str | Path]) -> Iterable[str]:
    return (file_word(word) if isinstance(word, Path) else _word(word) for word in words)


def _word(word: str) -> str:
    shown = plain(word.encode(errors="backslashreplace").decode())
    return quote(word if shown == word else NOT_SHOWN)
