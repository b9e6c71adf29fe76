"""Parts of statements that several modules of the store put together."""

from collections.abc import Sequence

__all__ = ["GAMES_AT_A_TIME", "LINES", "fill_up", "places"]

GAMES_AT_A_TIME = 500
"""the number of games in one statement"""

LINES = "SELECT line FROM events WHERE game = ? AND seq >= ? AND seq < ? ORDER BY seq"


def fill_up(values: list[str]) -> list[str]:
    """Repeat the last value up to a power of two: so there are few statements, and the database knows them."""
    return values + values[-1:] * ((1 << (len(values) - 1).bit_length()) - len(values))


def places(values: Sequence[object]) -> str:
    """Return a place for each value of a list."""
    return ", ".join("?" * len(values))
