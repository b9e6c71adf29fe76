"""Bodies of Magic's events (specs/mtg.md, "Bodies")."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError
from rules.bounds import (
    MAX_DICE,
    MAX_MODIFIER,
    DieNumbers,
    Id,
    Integer,
    Items,
    Name,
    Positive,
    RequiredText,
    SomeItems,
    Text,
    Yes,
)

MAX_AMOUNTS = 10
"""alternatives that an effect offers"""
MAX_IGNORED = 100
"""dice that one effect adds or has ignored"""
MAX_STORED = 100
"""results stored on one permanent"""
MAX_OWED = 1_000
"""triggers owed at a time"""

Amount = Annotated[int, Meta(ge=-MAX_MODIFIER, le=MAX_MODIFIER)]


class Options(Body, frozen=True):
    planechase: bool


class Modifier(Body, frozen=True):
    """A modifier in the instruction itself, added to every die (706.2)."""

    source: RequiredText
    amount: Amount

    def __post_init__(self) -> None:
        if self.amount == 0:
            raise BodyError("an amount is not 0")


class Effect(Body, frozen=True):
    """An effect that would modify a roll (706.2, 706.2a, 706.2b)."""

    source: RequiredText
    kind: Literal["reroll", "adjust", "exchange"]
    controller: Name | UnsetType = UNSET
    amounts: Annotated[tuple[Amount, ...], Meta(min_length=1, max_length=MAX_AMOUNTS)] | UnsetType = UNSET
    number: Amount | UnsetType = UNSET
    scope: Literal["each", "one", "any"] = "each"
    optional: Yes | UnsetType = UNSET
    cost: RequiredText | UnsetType = UNSET
    mana_cost: RequiredText | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.kind == "adjust") != (self.amounts is not UNSET):
            raise BodyError("an adjust effect has amounts, and no other effect has")
        if (self.kind == "exchange") != (self.number is not UNSET):
            raise BodyError("an exchange effect has a number, and no other effect has")
        if self.kind == "exchange" and self.scope != "one":
            raise BodyError("an exchange is of one die: its scope is one")
        if not isinstance(self.amounts, UnsetType) and 0 in self.amounts:
            raise BodyError("an amount is not 0")


class Ignores(Body, frozen=True):
    """A replacement effect: `extra` more dice are rolled and `count` are ignored (706.6)."""

    source: RequiredText
    which: Literal["lowest", "highest", "any"]
    extra: Annotated[int, Meta(ge=0, le=MAX_IGNORED)] = 0
    count: Annotated[int, Meta(ge=1, le=MAX_IGNORED)] = 1


class Row(Body, frozen=True):
    """A row of a results table (706.3a)."""

    range: Text
    effect: Text
    again: Yes | Literal["may"] | UnsetType = UNSET


class RollBody(Body, frozen=True):
    source: RequiredText
    dice: Text | UnsetType = UNSET
    modifiers: Items[Modifier] | UnsetType = UNSET
    effects: Items[Effect] | UnsetType = UNSET
    ignores: Items[Ignores] | UnsetType = UNSET
    table: SomeItems[Row] | UnsetType = UNSET
    use: RequiredText | UnsetType = UNSET
    doubles: RequiredText | UnsetType = UNSET
    store: Id | UnsetType = UNSET
    again: Positive | UnsetType = UNSET


class RerollBody(Body, frozen=True):
    """Either of dice of the open roll (`roll`, `effect`), or of stored results (`permanent`, `stored`, `source`)."""

    roll: Positive | UnsetType = UNSET
    effect: Positive | UnsetType = UNSET
    dice: DieNumbers | UnsetType = UNSET
    paid: Yes | UnsetType = UNSET
    mana_abilities: Items[Text] | UnsetType = UNSET
    permanent: Id | UnsetType = UNSET
    stored: DieNumbers | UnsetType = UNSET
    source: RequiredText | UnsetType = UNSET
    by: Id | UnsetType = UNSET
    modifiers: Items[Modifier] | UnsetType = UNSET
    ignores: Items[Ignores] | UnsetType = UNSET

    def __post_init__(self) -> None:
        of_roll = {"roll", "effect"}, {"dice", "paid", "mana_abilities"}
        of_stored = {"permanent", "stored", "source"}, {"by", "modifiers", "ignores"}
        present = {name for name in self.__struct_fields__ if getattr(self, name) is not UNSET}
        if not any(needed <= present <= needed | further for needed, further in (of_roll, of_stored)):
            raise BodyError("a reroll has roll and effect, or permanent, stored and source")


class ModifyBody(Body, frozen=True):
    roll: Positive
    effect: Positive
    choice: Literal["apply", "decline"]
    dice: DieNumbers | UnsetType = UNSET
    amount: Amount | UnsetType = UNSET
    paid: Yes | UnsetType = UNSET
    mana_abilities: Items[Text] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.choice == "decline":
            for name in ("dice", "amount", "paid", "mana_abilities"):
                if getattr(self, name) is not UNSET:
                    raise BodyError("an effect that is declined has no {member}", member=name)


class IgnoreBody(Body, frozen=True):
    roll: Positive
    dice: DieNumbers


class StoreBody(Body, frozen=True):
    roll: Positive
    permanent: Id


class ResolveBody(Body, frozen=True):
    """Either of the open roll, with what was announced, or of an owed trigger."""

    roll: Positive | UnsetType = UNSET
    results: Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE)] | UnsetType = UNSET
    rows: Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE)] | UnsetType = UNSET
    doubles: bool | UnsetType = UNSET
    again: bool | UnsetType = UNSET
    trigger: Positive | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.roll is UNSET) == (self.trigger is UNSET):
            raise BodyError("a resolve has roll or trigger")
        if self.trigger is not UNSET and any(
            x is not UNSET for x in (self.results, self.rows, self.doubles, self.again)
        ):
            raise BodyError("the resolve of a trigger announces nothing")


class DeclareBody(Body, frozen=True, tag_field="what"):
    """What is declared is told by `what`."""


class DeclareEffect(DeclareBody, frozen=True, tag="effect"):
    roll: Positive
    effect: Effect


class DeclareTrigger(DeclareBody, frozen=True, tag="trigger"):
    source: RequiredText
    on: Literal["rolled", "result", "natural", "highest"]
    range: Text | UnsetType = UNSET
    whose: Literal["you", "opponents", "any"] = "you"

    def __post_init__(self) -> None:
        if (self.on in ("rolled", "highest")) != (self.range is UNSET):
            raise BodyError("a trigger on result or natural has a range, and no other trigger has")


class DeclarePermanent(DeclareBody, frozen=True, tag="permanent"):
    permanent: Id
    name: RequiredText


class DeclareGone(DeclareBody, frozen=True, tag="gone"):
    permanent: Id


class DeclareEnds(DeclareBody, frozen=True, tag="ends"):
    """Either of an ability that triggers, or of an effect of the open roll."""

    trigger: Positive | UnsetType = UNSET
    roll: Positive | UnsetType = UNSET
    effect: Positive | UnsetType = UNSET

    def __post_init__(self) -> None:
        of_effect = self.roll is not UNSET, self.effect is not UNSET
        if of_effect != ((True, True) if self.trigger is UNSET else (False, False)):
            raise BodyError("what ends is a trigger, or an effect of a roll: give trigger, or roll and effect")


Declare = DeclareEffect | DeclareTrigger | DeclarePermanent | DeclareGone | DeclareEnds

BODIES: Mapping[str, object] = {
    "roll": RollBody,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "ignore": IgnoreBody,
    "store": StoreBody,
    "resolve": ResolveBody,
    "declare": Declare,
}
"""A type that msgspec can decode, for each type of the domain."""
