"""Bodies of the system's events (specs/dice-1.md, "Bodies")."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, DeclareBody
from rules.data.bounds import (
    MAX_DICE,
    MAX_ITEMS,
    MAX_MODIFIER,
    MAX_PARTIES,
    Id,
    Integer,
    Name,
    Positive,
    RequiredText,
    RollNumber,
    SomeItems,
    Text,
    Yes,
)
from rules.data.language import N_

__all__ = [
    "BODIES",
    "CLAIMS",
    "DeclareCall",
    "DeclareCards",
    "DeclareDeck",
    "DeclarePlay",
    "DeclareRemove",
    "DeclareReturn",
    "DeclareShuffle",
    "DeclareWithdraw",
    "Item",
    "Options",
    "ResolveBody",
    "RollBody",
    "Row",
]

Target = Annotated[int, Meta(ge=-MAX_MODIFIER, le=MAX_MODIFIER)]
Many = Annotated[int, Meta(ge=1, le=MAX_DICE)]
DiceText = Annotated[Text, Meta(title=N_("the dice, such as 4d6kh3 + 2"))]
Purpose = Annotated[Text, Meta(title=N_("what it is for"))]
Least = Annotated[Target, Meta(title=N_("the target: this much or more passes"))]
Most = Annotated[Target, Meta(title=N_("the target: this much or less passes"))]
CallNumber = Annotated[Positive, Meta(title=N_("the number of the game master's call"))]
Holder = Annotated[Name, Meta(title=N_("who holds the secret roll"))]
Sides = Annotated[
    tuple[Positive, ...], Meta(min_length=1, max_length=MAX_DICE, title=N_("the sides of the dice of a secret roll"))
]
_HASH = N_("64 hexadecimal digits, 0 to 9 and a to f")
Hidden = Annotated[
    str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description=_HASH, title=N_("the hash of what a secret roll is for"))
]
DeckId = Annotated[Id, Meta(title=N_("the deck's short name"))]


class Options(Body, frozen=True):
    """The body `{}`: the system has no options."""


class Row(Body, frozen=True):
    """A row of a table of outcomes."""

    range: Annotated[Text, Meta(title=N_("the totals: 7, 7-9, 10+ or 6-"))]
    effect: Annotated[RequiredText, Meta(title=N_("what comes of it"))]


class RollBody(Body, frozen=True):
    """A request: a roll of its own, an answer to a call, or a draw from a deck."""

    dice: DiceText | UnsetType = UNSET
    source: Purpose | UnsetType = UNSET
    least: Least | UnsetType = UNSET
    most: Most | UnsetType = UNSET
    table: Annotated[SomeItems[Row], Meta(title=N_("what totals mean"))] | UnsetType = UNSET
    call: CallNumber | UnsetType = UNSET
    deck: DeckId | UnsetType = UNSET
    draw: Annotated[Many, Meta(title=N_("how many are drawn"))] | UnsetType = UNSET
    hand: Annotated[Yes, Meta(title=N_("what is drawn is held in the hand"))] | UnsetType = UNSET
    sealed: Holder | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    hidden: Hidden | UnsetType = UNSET

    def __post_init__(self) -> None:
        present = {name for name in self.__struct_fields__ if getattr(self, name) is not UNSET}
        if "call" in present:
            allowed = {"call", "dice"}
        elif "deck" in present:
            allowed = {"deck", "draw", "hand", "source"}
        elif "sealed" in present:
            allowed = {"dice", "sealed", "sides", "hidden" if "hidden" in present else "source"}
            if not present >= {"dice", "sides"}:
                raise BodyError("a secret roll has dice, and their sides")
        elif "dice" in present:
            allowed = {"dice", "source", "least", "most", "table"}
        else:
            raise BodyError("a roll has dice, a call that it answers, or a deck")
        if present - allowed:
            names = ", ".join(sorted(present - allowed))
            raise BodyError(
                "a roll with {first} has no {names}", first=min(present & _FIRST, key=_ORDER.index), names=names
            )


_ORDER = ("call", "deck", "sealed", "dice")
_FIRST = frozenset(_ORDER)


class Item(Body, frozen=True):
    """An item of a deck, and how many of it there are."""

    item: Annotated[RequiredText, Meta(title=N_("what is on the card"))]
    count: Annotated[Many, Meta(title=N_("how many of it there are"))] | UnsetType = UNSET


class DeclareCall(DeclareBody, frozen=True, tag="call"):
    """A call by a game master for rolls."""

    source: Annotated[RequiredText, Meta(title=N_("what the roll is for"))]
    dice: DiceText | UnsetType = UNSET
    least: Least | UnsetType = UNSET
    most: Most | UnsetType = UNSET
    parties: (
        Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MAX_PARTIES, title=N_("who is called to roll"))]
        | UnsetType
    ) = UNSET


class DeclareWithdraw(DeclareBody, frozen=True, tag="withdraw"):
    """The withdrawal of a call."""

    call: CallNumber


class DeclareDeck(DeclareBody, frozen=True, tag="deck"):
    """The declaration of a deck or bag. It replaces a deck with the same id."""

    deck: DeckId
    items: Annotated[SomeItems[Item], Meta(title=N_("what is in it"))]


class DeclareCards(DeclareBody, frozen=True, tag="cards"):
    """The declaration of a ready-made deck. It replaces a deck with the same id."""

    deck: DeckId
    cards: Annotated[Literal["52", "54", "tarot"], Meta(title=N_("which cards"))]


class DeclareReturn(DeclareBody, frozen=True, tag="return"):
    """The return of a drawn item to its deck."""

    deck: DeckId
    item: Annotated[RequiredText, Meta(title=N_("what goes back"))]


class DeclareShuffle(DeclareBody, frozen=True, tag="shuffle"):
    """The return of all drawn items that nobody holds."""

    deck: DeckId


class DeclareRemove(DeclareBody, frozen=True, tag="remove"):
    """The removal of a deck."""

    deck: DeckId


class DeclarePlay(DeclareBody, frozen=True, tag="play"):
    """The play of items from the author's hand."""

    deck: DeckId
    items: Annotated[SomeItems[RequiredText], Meta(title=N_("what is played"))]


Declare = (
    DeclareCall
    | DeclareWithdraw
    | DeclareDeck
    | DeclareCards
    | DeclareReturn
    | DeclareShuffle
    | DeclareRemove
    | DeclarePlay
)


class ResolveBody(Body, frozen=True):
    """The outcome of a roll as its player announced it."""

    roll: RollNumber
    totals: (
        Annotated[tuple[Integer, ...], Meta(max_length=MAX_ITEMS, title=N_("the totals that were announced"))]
        | UnsetType
    ) = UNSET
    passed: (
        Annotated[tuple[bool, ...], Meta(max_length=MAX_ITEMS, title=N_("whether each was said to pass"))] | UnsetType
    ) = UNSET


BODIES: Mapping[str, object] = {"roll": RollBody, "declare": Declare, "resolve": ResolveBody}
"""event type → type that msgspec decodes its body to"""

CLAIMS: Mapping[str, frozenset[str]] = {"resolve": frozenset({"totals", "passed"})}
"""event type → members that only record what was announced"""
