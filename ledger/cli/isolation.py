"""Isolate parties' texts within sentences (rules.data.text); the rules are imported on demand."""

from typing import Any

__all__ = ["balanced", "isolated", "isolated_in"]


def isolated(text: str) -> str:
    """Return a party's text, isolated for display among other words."""
    from rules.data.text import isolated as shown

    return text if text.isascii() else shown(text)


def isolated_in(value: Any) -> Any:
    """Return a JSON value with each of its texts isolated for display."""
    from rules.data.text import isolated_in as shown

    return shown(value)


def balanced(lines: list[str]) -> list[str]:
    """Return the lines of a wrapped text with isolated parts, each part isolated in every line that it is in."""
    from rules.data.text import balanced as shown

    return shown(lines)
