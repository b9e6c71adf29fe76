"""Bodies of Warhammer 40,000's events (specs/wh40k.md, "Values", "Bodies"); members are named as on the datasheet."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, given
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

Dash = Literal["-"]
Random = Annotated[str, Meta(pattern=r"\A([2-9]|1[0-9]|20)?d[36](\+[1-9][0-9]?)?\Z")]
RandomOrDash = Annotated[str, Meta(pattern=r"\A(-|([2-9]|1[0-9]|20)?d[36](\+[1-9][0-9]?)?)\Z")]
RandomOrUser = Annotated[str, Meta(pattern=r"\A(user|([2-9]|1[0-9]|20)?d[36](\+[1-9][0-9]?)?)\Z")]
Upto100 = Annotated[int, Meta(ge=0, le=100)]
From1to100 = Annotated[int, Meta(ge=1, le=100)]
Skill = Annotated[int, Meta(ge=1, le=7)]
Ward = Annotated[int, Meta(ge=2, le=6)]
Op = Literal["set", "divide", "multiply", "add", "worsen", "subtract", "improve", "floor", "treat"]
OfModel = Literal["M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv"]
Characteristic = Literal["M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv", "AP", "D"]
On = Literal["hit", "wound", "save", "invulnerable", "WS", "BS", "S", "T", "A", "AP", "D", "Sv"]
Phase = Literal["command", "movement", "psychic", "shooting", "charge", "fight", "morale"]

ROLL_OPS = frozenset({"divide", "multiply", "add", "subtract"})
AP_OPS = frozenset({"set", "divide", "multiply", "worsen", "improve", "treat"})
OTHER_OPS = frozenset({"set", "divide", "multiply", "add", "subtract", "floor", "treat"})
ROLLS = frozenset({"hit", "wound", "save", "invulnerable"})

_LEAST = {"set": -100, "treat": -100, "floor": 0}


def _check_ops(changes: "Iterable[Change]", ops: frozenset[str], what: str) -> None:
    for change in changes:
        if change.op not in ops:
            raise ValueError(f"{what} takes no change {change.op}; there are {', '.join(sorted(ops))}")
        if what == "AP" and change.op in ("set", "treat") and change.amount > 0:
            raise ValueError("an AP is at most 0")


def ops_of(characteristic: str) -> frozenset[str]:
    """The changes that a characteristic takes."""
    return AP_OPS if characteristic == "AP" else OTHER_OPS


class Options(Body, frozen=True):
    fast_rolling: bool


class Change(Body, frozen=True):
    """One rule's change of a roll or characteristic."""

    source: RequiredText
    op: Op
    amount: Annotated[int, Meta(ge=-100, le=100)]
    when: Annotated[tuple[Integer, ...], Meta(min_length=1, max_length=MAX_ITEMS)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        least = _LEAST.get(self.op, 1)
        if self.amount < least:
            raise ValueError(f"the amount of {self.op} is at least {least}")
        if self.when is not UNSET and self.op not in ("set", "treat"):
            raise ValueError("only set and treat have a when")


class Modifier(Body, frozen=True):
    """A change with what it changes."""

    source: RequiredText
    on: On
    op: Op
    amount: Annotated[int, Meta(ge=-100, le=100)]
    when: Annotated[tuple[Integer, ...], Meta(min_length=1, max_length=MAX_ITEMS)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        _check_ops((self.change,), ROLL_OPS if self.on in ROLLS else ops_of(self.on), self.on)

    @property
    def change(self) -> Change:
        return Change(self.source, self.op, self.amount, self.when)


class Reroll(Body, frozen=True):
    """A rule that lets dice be rerolled."""

    source: RequiredText
    results: Annotated[tuple[Integer, ...], Meta(min_length=1, max_length=MAX_ITEMS)] | UnsetType = UNSET
    failed: Yes | UnsetType = UNSET
    apart: Yes | UnsetType = UNSET

    def __post_init__(self) -> None:
        _check_either(self.results, self.failed)


def _check_either(results: object, failed: object) -> None:
    if results is not UNSET and failed is not UNSET:
        raise ValueError("a reroll rule names results or failed rolls, not both")


class Ability(Body, frozen=True, tag_field="kind"):
    """An ability of a group of attacks, told by `kind`."""

    source: RequiredText


class RerollAbility(Ability, frozen=True, tag="reroll"):
    of: Literal["hit", "wound", "damage", "attacks", "strength", "save", "invulnerable", "ignore"]
    results: Annotated[tuple[Integer, ...], Meta(min_length=1, max_length=MAX_ITEMS)] | UnsetType = UNSET
    failed: Yes | UnsetType = UNSET
    apart: Yes | UnsetType = UNSET

    def __post_init__(self) -> None:
        _check_either(self.results, self.failed)

    @property
    def rule(self) -> Reroll:
        return Reroll(self.source, self.results, self.failed, self.apart)


class Trigger(Ability, frozen=True, tag="trigger"):
    """What a hit or wound roll of certain results sets off (W7, W23)."""

    on: Literal["hit", "wound"]
    results: Annotated[tuple[Integer, ...], Meta(min_length=1, max_length=MAX_ITEMS)]
    does: Literal["extra_hits", "extra_attacks", "wound", "mortal", "improve_ap", "slay"]
    unmodified: Yes | UnsetType = UNSET
    amount: Annotated[int, Meta(ge=1, le=10)] | Random | UnsetType = UNSET
    instead: Yes | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.amount is UNSET) != (self.does in ("wound", "slay")):
            raise ValueError("extra_hits, extra_attacks, mortal and improve_ap have an amount, wound and slay none")
        if isinstance(self.amount, str) and self.does != "mortal":
            raise ValueError("only mortal has a random amount")
        if self.instead is not UNSET and self.does != "mortal":
            raise ValueError("only mortal can be instead of the attack")


class AutoHit(Ability, frozen=True, tag="auto-hit"):
    """The attacks hit without a roll."""


class Blast(Ability, frozen=True, tag="blast"):
    """The weapon makes more attacks against large units (W24)."""


AnyAbility = RerollAbility | Trigger | AutoHit | Blast


class Announced(Body, frozen=True):
    """What the player says these are; the system checks it."""

    hit: Integer | UnsetType = UNSET
    wound: Integer | UnsetType = UNSET
    S: Integer | UnsetType = UNSET
    T: Integer | UnsetType = UNSET
    AP: Integer | UnsetType = UNSET


class Group(Body, frozen=True):
    """Attacks with one weapon at one target."""

    target: Id
    weapon: RequiredText
    type: Literal["ranged", "melee"]
    bearers: Annotated[tuple[Positive, ...], Meta(min_length=1, max_length=MAX_ITEMS)]
    A: From1to100 | RandomOrUser
    S: From1to100 | RandomOrUser
    AP: Annotated[int, Meta(ge=-100, le=0)]
    D: Upto100 | Random
    modifiers: Items[Modifier] | UnsetType = UNSET
    abilities: Items[AnyAbility] | UnsetType = UNSET
    announced: Announced | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_extras(given(self.abilities, ()))


def check_extras(abilities: Iterable[AnyAbility]) -> None:
    """Raises ValueError where what one roll sets off is more than the bounds allow."""
    for does in ("extra_hits", "extra_attacks"):
        if (
            sum(a.amount for a in abilities if isinstance(a, Trigger) and a.does == does and isinstance(a.amount, int))
            > 10
        ):
            raise ValueError(f"{does} of one roll come to at most 10")


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
            raise ValueError(f"a unit has at most {MAX_ITEMS} models")


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
        _check_ops(given(self.modifiers, ()), OTHER_OPS, "M")


class DeclareCharacteristic(DeclareBody, frozen=True, tag="characteristic"):
    characteristic: Characteristic
    unit: Id | UnsetType = UNSET
    model: Positive | UnsetType = UNSET
    printed: Annotated[int, Meta(ge=-100, le=100)] | Dash | UnsetType = UNSET
    modifiers: Items[Change] | UnsetType = UNSET
    value: Integer | Dash | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.unit is UNSET) != (self.model is UNSET) or (self.unit is UNSET) == (self.printed is UNSET):
            raise ValueError("a characteristic is that of a unit's model, or printed")
        if self.unit is not UNSET and self.characteristic in ("AP", "D"):
            raise ValueError("AP and D are a weapon's: give what is printed")
        _check_ops(given(self.modifiers, ()), ops_of(self.characteristic), self.characteristic)


class DeclareAttacks(DeclareBody, frozen=True, tag="attacks"):
    unit: Id
    groups: SomeItems[Group]


class DeclareRules(DeclareBody, frozen=True, tag="rules"):
    groups: SomeItems[Positive]
    modifiers: Items[Modifier] | UnsetType = UNSET
    abilities: Items[AnyAbility] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.modifiers is UNSET and self.abilities is UNSET:
            raise ValueError("rules are modifiers or abilities")


class DeclareMortal(DeclareBody, frozen=True, tag="mortal"):
    target: Id
    source: RequiredText
    count: From1to100 | UnsetType = UNSET
    roll: Positive | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.count is UNSET) == (self.roll is UNSET):
            raise ValueError("mortal wounds have a count or the roll that tells it")


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
            raise ValueError("a test says what it needs")
        _check_ops(given(self.modifiers, ()), ROLL_OPS, "a roll")


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
            raise ValueError("mortal wounds to ignore have a model and a count")


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
            raise ValueError("a reroll is by a rule of the roll or by the Command Re-roll")


class ModifyBody(Body, frozen=True):
    roll: Positive
    modifiers: SomeItems[Change]

    def __post_init__(self) -> None:
        ops = ROLL_OPS | AP_OPS | OTHER_OPS
        _check_ops(self.modifiers, ops - {"worsen", "improve"}, "a roll")


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
            raise ValueError("a resolve has roll (with claims), groups (with count) or model (with mortal)")


BODIES: Mapping[str, object] = {
    "roll": AnyRoll,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "resolve": ResolveBody,
    "declare": Declare,
}
"""A type that msgspec can decode, for each type of the domain that the system uses."""
