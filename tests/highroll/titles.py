"""What the events are called (highroll.md)."""

from collections.abc import Mapping

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = {
    "roll": "a roll",
    "reroll": "dice are rolled again",
    "resolve": "the total",
}
