"""Bodies of Warhammer 40,000's events (specs/wh40k.md, "Bodies"); members are named as on the datasheet."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, given
from rules.bounds import (
    MAX_DICE,
    MAX_ITEMS,
    DieNumbers,
    Id,
    Integer,
    Items,
    Positive,
    RequiredText,
    SomeItems,
    Text,
    Yes,
)
from rules.wh40k.terms import (
    AP_OPS,
    OTHER_OPS,
    ROLL_OPS,
    ROLLS,
    Ability,
    Announced,
    AnyAbility,
    AutoHit,
    Blast,
    Change,
    Characteristic,
    Dash,
    From1to100,
    Group,
    Modifier,
    RandomOrDash,
    Reroll,
    RerollAbility,
    Signed,
    Skill,
    Trigger,
    Upto100,
    Ward,
    check_ops,
    ops_of,
)

__all__ = [
    "AP_OPS",
    "BODIES",
    "OTHER_OPS",
    "ROLLS",
    "ROLL_OPS",
    "Ability",
    "Announced",
    "AnyAbility",
    "AnyRoll",
    "AttacksRoll",
    "AutoHit",
    "Blast",
    "Change",
    "DamageRoll",
    "Declare",
    "DeclareAttacks",
    "DeclareBody",
    "DeclareCharacteristic",
    "DeclareGone",
    "DeclareMortal",
    "DeclareMove",
    "DeclarePhase",
    "DeclareReroll",
    "DeclareRules",
    "DeclareUnit",
    "DeclareWounds",
    "FreeRoll",
    "Group",
    "HitRoll",
    "IgnoreRoll",
    "Line",
    "Modifier",
    "ModifyBody",
    "MortalRoll",
    "MoveRoll",
    "Options",
    "Phase",
    "Reroll",
    "RerollAbility",
    "RerollBody",
    "ResolveBody",
    "RollBody",
    "SaveRoll",
    "StrengthRoll",
    "Trigger",
    "Triggered",
    "WoundRoll",
]

Phase = Literal["command", "movement", "psychic", "shooting", "charge", "fight", "morale"]


class Options(Body, frozen=True):
    fast_rolling: bool


# --- declare -------------------------------------------------------------------------------------------------------


class DeclareBody(Body, frozen=True, tag_field="what"):
    """What is declared is told by `what`."""


class DeclarePhase(DeclareBody, frozen=True, tag="phase"):
    phase: Phase


class Line(Body, frozen=True):
    """Models of one kind, as the datasheet has them."""

    count: From1to100
    name: RequiredText
    M: Upto100 | RandomOrDash
    WS: Skill | Dash
    BS: Skill | Dash
    S: From1to100 | RandomOrDash
    T: From1to100
    W: From1to100
    A: From1to100 | RandomOrDash
    Ld: Upto100 | Dash
    Sv: Skill | Dash
    invulnerable: Ward | UnsetType = UNSET
    ignores_wounds: Ward | UnsetType = UNSET


class DeclareUnit(DeclareBody, frozen=True, tag="unit"):
    unit: Id
    name: RequiredText
    models: SomeItems[Line]

    def __post_init__(self) -> None:
        if sum(line.count for line in self.models) > MAX_ITEMS:
            raise BodyError("a unit has at most {most} models", most=MAX_ITEMS)


class DeclareGone(DeclareBody, frozen=True, tag="gone"):
    unit: Id


class DeclareWounds(DeclareBody, frozen=True, tag="wounds"):
    unit: Id
    model: Positive
    lost: Upto100
    source: RequiredText


class DeclareMove(DeclareBody, frozen=True, tag="move"):
    unit: Id
    modifiers: Items[Change] | UnsetType = UNSET
    source: RequiredText | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_ops(given(self.modifiers, ()), OTHER_OPS, "M")


class DeclareCharacteristic(DeclareBody, frozen=True, tag="characteristic"):
    characteristic: Characteristic
    unit: Id | UnsetType = UNSET
    model: Positive | UnsetType = UNSET
    printed: Signed | Dash | UnsetType = UNSET
    modifiers: Items[Change] | UnsetType = UNSET
    value: Integer | Dash | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.unit is UNSET) != (self.model is UNSET) or (self.unit is UNSET) == (self.printed is UNSET):
            raise BodyError("a characteristic is that of a unit's model, or printed")
        if self.unit is not UNSET and self.characteristic in ("AP", "D"):
            raise BodyError("AP and D are a weapon's: give what is printed")
        check_ops(given(self.modifiers, ()), ops_of(self.characteristic), self.characteristic)


class DeclareAttacks(DeclareBody, frozen=True, tag="attacks"):
    unit: Id
    groups: SomeItems[Group]


class DeclareRules(DeclareBody, frozen=True, tag="rules"):
    groups: SomeItems[Positive]
    modifiers: Items[Modifier] | UnsetType = UNSET
    abilities: Items[AnyAbility] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.modifiers is UNSET and self.abilities is UNSET:
            raise BodyError("rules are modifiers or abilities")


class DeclareMortal(DeclareBody, frozen=True, tag="mortal"):
    target: Id
    source: RequiredText
    count: From1to100 | UnsetType = UNSET
    roll: Positive | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.count is UNSET) == (self.roll is UNSET):
            raise BodyError("mortal wounds have a count or the roll that tells it")


class DeclareReroll(DeclareBody, frozen=True, tag="reroll"):
    roll: Positive
    reroll: Reroll


Declare = (
    DeclarePhase
    | DeclareUnit
    | DeclareGone
    | DeclareWounds
    | DeclareMove
    | DeclareCharacteristic
    | DeclareAttacks
    | DeclareRules
    | DeclareMortal
    | DeclareReroll
)


# --- roll, reroll, modify, resolve ---------------------------------------------------------------------------------


class RollBody(Body, frozen=True, tag_field="for"):
    """What is rolled is told by `for`."""


class FreeRoll(RollBody, frozen=True, tag="free"):
    source: RequiredText
    dice: Text
    sum: Yes | UnsetType = UNSET
    test: Literal["hit", "wound", "save"] | UnsetType = UNSET
    needs: Integer | UnsetType = UNSET
    modifiers: Items[Change] | UnsetType = UNSET
    rerolls: Items[Reroll] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.test is not UNSET and self.needs is UNSET:
            raise BodyError("a test says what it needs")
        check_ops(given(self.modifiers, ()), ROLL_OPS, "a roll")


class MoveRoll(RollBody, frozen=True, tag="move"):
    unit: Id


class AttacksRoll(RollBody, frozen=True, tag="attacks"):
    group: Positive


class HitRoll(RollBody, frozen=True, tag="hit"):
    groups: SomeItems[Positive]
    count: Positive | UnsetType = UNSET


class StrengthRoll(RollBody, frozen=True, tag="strength"):
    """`{"for": "strength"}`"""


class WoundRoll(RollBody, frozen=True, tag="wound"):
    """`{"for": "wound"}`"""


class SaveRoll(RollBody, frozen=True, tag="save"):
    model: Positive
    invulnerable: Yes | UnsetType = UNSET


class DamageRoll(RollBody, frozen=True, tag="damage"):
    """`{"for": "damage"}`"""


class IgnoreRoll(RollBody, frozen=True, tag="ignore"):
    model: Positive | UnsetType = UNSET
    count: Positive | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.model is UNSET) != (self.count is UNSET):
            raise BodyError("mortal wounds to ignore have a model and a count")


class MortalRoll(RollBody, frozen=True, tag="mortal"):
    """`{"for": "mortal"}`"""


AnyRoll = (
    FreeRoll
    | MoveRoll
    | AttacksRoll
    | HitRoll
    | StrengthRoll
    | WoundRoll
    | SaveRoll
    | DamageRoll
    | IgnoreRoll
    | MortalRoll
)


class RerollBody(Body, frozen=True):
    roll: Positive
    reroll: Positive | UnsetType = UNSET
    command: Yes | UnsetType = UNSET
    dice: DieNumbers | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.reroll is UNSET) == (self.command is UNSET):
            raise BodyError("a reroll is by a rule of the roll or by the Command Re-roll")


class ModifyBody(Body, frozen=True):
    roll: Positive
    modifiers: SomeItems[Change]

    def __post_init__(self) -> None:
        ops = ROLL_OPS | AP_OPS | OTHER_OPS
        check_ops(self.modifiers, ops - {"worsen", "improve"}, "a roll")


class Triggered(Body, frozen=True):
    ability: Positive
    parts: DieNumbers


class ResolveBody(Body, frozen=True):
    """Of the open roll with what was announced, attacks that hit by themselves, or wounds that nobody rolls for."""

    roll: Positive | UnsetType = UNSET
    results: Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE)] | UnsetType = UNSET
    passed: DieNumbers | UnsetType = UNSET
    triggered: Items[Triggered] | UnsetType = UNSET
    groups: SomeItems[Positive] | UnsetType = UNSET
    count: Positive | UnsetType = UNSET
    model: Positive | UnsetType = UNSET
    mortal: Positive | UnsetType = UNSET

    def __post_init__(self) -> None:
        forms = (
            ({"roll"}, {"results", "passed", "triggered"}),
            ({"groups"}, {"count"}),
            ({"model"}, {"mortal"}),
        )
        present = {name for name in self.__struct_fields__ if getattr(self, name) is not UNSET}
        if not any(needed <= present <= needed | further for needed, further in forms):
            raise BodyError("a resolve has roll (with claims), groups (with count) or model (with mortal)")


BODIES: Mapping[str, object] = {
    "roll": AnyRoll,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "resolve": ResolveBody,
    "declare": Declare,
}
"""A type that msgspec can decode, for each type of the domain that the system uses."""
