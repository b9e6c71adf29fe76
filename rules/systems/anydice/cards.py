"""The ready-made decks (specs/dice-1.md, clause D11)."""

from collections.abc import Iterator, Mapping, Sequence

from rules.systems.anydice.bodies import Item

__all__ = ["CARDS"]

_NUMBERS = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_TRUMPS = (
    *("The Fool", "The Magician", "The High Priestess", "The Empress", "The Emperor", "The Hierophant", "The Lovers"),
    *("The Chariot", "Strength", "The Hermit", "Wheel of Fortune", "Justice", "The Hanged Man", "Death", "Temperance"),
    *("The Devil", "The Tower", "The Star", "The Moon", "The Sun", "Judgement", "The World"),
)


def _suits(suits: Sequence[str], courts: Sequence[str]) -> Iterator[Item]:
    for suit in suits:
        for value in (*_NUMBERS, *courts):
            yield Item(f"{value} of {suit}")


_FRENCH = tuple(_suits(("Clubs", "Diamonds", "Hearts", "Spades"), ("Jack", "Queen", "King")))

CARDS: Mapping[str, tuple[Item, ...]] = {
    "52": _FRENCH,
    "54": (*_FRENCH, Item("Black Joker"), Item("Red Joker")),
    "tarot": (
        *map(Item, _TRUMPS),
        *_suits(("Wands", "Cups", "Swords", "Pentacles"), ("Page", "Knight", "Queen", "King")),
    ),
}
"""name of a deck → its items, in their order"""
