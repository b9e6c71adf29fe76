"""Lists in a sentence: a few of many."""

from collections.abc import Sequence

__all__ = ["few"]

_FEW = 3
"""items of a list that are printed; the others are counted"""


def few(items: Sequence[str]) -> str:
    """Return `a, b and c`; `a, b, c and 4 more`."""
    more = len(items) - _FEW
    shown = [*items[:_FEW], *([f"{more} more"] if more > 0 else [])]
    return " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
