"""Bodies of The 9th Age's events (specs/t9a.md, "Bodies")."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body
from rules.bounds import (
    MAX_DICE,
    MAX_MODIFIER,
    DieNumbers,
    Integer,
    Items,
    Positive,
    RequiredText,
    SomeItems,
    Text,
    Yes,
)

Which = Literal["failed", "successful", "natural", "any", "throw"]
"""the dice that a reroll rule concerns (T4.2)"""
Natural = Annotated[int, Meta(ge=1, le=6)]
Naturals = Annotated[tuple[Natural, ...], Meta(min_length=1, max_length=6)]
Amount = Annotated[int, Meta(ge=-MAX_MODIFIER, le=MAX_MODIFIER)]
DiceCount = Annotated[int, Meta(ge=1, le=MAX_DICE)]
Factor = Annotated[int, Meta(ge=2, le=MAX_MODIFIER)]
Claims = Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE)]


class Options(Body, frozen=True):
    """`{}`"""


class Modifier(Body, frozen=True):
    """One step of the way from a throw's sum to its total (T2)."""

    source: RequiredText
    add: Amount | UnsetType = UNSET
    multiply: Factor | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.add is UNSET) == (self.multiply is UNSET):
            raise ValueError("a modifier has add or multiply")
        if self.add == 0:
            raise ValueError("an amount is not 0")


class RerollRule(Body, frozen=True):
    """A rule by which dice may, or without `may` must, be rerolled (T4)."""

    source: RequiredText
    which: Which
    naturals: Naturals | UnsetType = UNSET
    may: Yes | UnsetType = UNSET
    pick: DiceCount | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.which == "natural") != (self.naturals is not UNSET):
            raise ValueError("a reroll rule about naturals says which, any other has none")


class Always(Body, frozen=True):
    """Naturals that succeed or fail whatever the total (T3)."""

    success: Naturals | UnsetType = UNSET
    failure: Naturals | UnsetType = UNSET


class RollBody(Body, frozen=True):
    source: RequiredText
    dice: Text
    times: DiceCount = 1
    maximised: SomeItems[RequiredText] | UnsetType = UNSET
    minimised: SomeItems[RequiredText] | UnsetType = UNSET
    modifiers: Items[Modifier] | UnsetType = UNSET
    target: Text | UnsetType = UNSET
    always: Always | UnsetType = UNSET
    rerolls: Items[RerollRule] | UnsetType = UNSET
    zero: RequiredText | UnsetType = UNSET


class RerollBody(Body, frozen=True):
    roll: Positive
    rule: Positive
    dice: DieNumbers | UnsetType = UNSET


class ModifyBody(Body, frozen=True):
    roll: Positive
    modifier: Modifier


class ResolveBody(Body, frozen=True):
    """The end of a roll, with what was announced."""

    roll: Positive
    totals: Claims | UnsetType = UNSET
    successes: Integer | UnsetType = UNSET
    directions: Claims | UnsetType = UNSET
    faces: Claims | UnsetType = UNSET


class DeclareReroll(Body, frozen=True):
    """A further reroll rule for the open roll."""

    what: Literal["reroll"]
    """a member of its own: a tag is only asked for where there are several bodies to choose from"""
    roll: Positive
    rule: RerollRule


BODIES: Mapping[str, object] = {
    "roll": RollBody,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "resolve": ResolveBody,
    "declare": DeclareReroll,
}
"""A type that msgspec can decode, for each type of the domain that the system uses."""
