"""Bodies of the system's events (specs/wh40k.md, "Bodies"). Members are named as on the datasheet."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, DeclareBody, given
from rules.data.bounds import (
    MAX_DICE,
    MAX_ITEMS,
    DieNumbers,
    Id,
    Integer,
    Items,
    Name,
    Positive,
    RequiredText,
    RollNumber,
    SomeItems,
    Text,
    Yes,
)
from rules.data.language import N_
from rules.systems.wh40k.terms import (
    AP_OPS,
    OTHER_OPS,
    ROLL_OPS,
    AnyAbility,
    Change,
    Characteristic,
    Dash,
    From1to100,
    Group,
    Modifier,
    Of,
    RandomOrDash,
    Reroll,
    RerollAbility,
    Signed,
    Skill,
    Upto100,
    Ward,
    check_discards,
    check_of_attacker,
    check_ops,
    check_whose,
    ops_of,
)

__all__ = [
    "BODIES",
    "CLAIMS",
    "AnyRoll",
    "AttackRoll",
    "AttacksRoll",
    "DamageRoll",
    "Declare",
    "DeclareAlways",
    "DeclareAttacks",
    "DeclareCharacteristic",
    "DeclareGone",
    "DeclareMortal",
    "DeclareMove",
    "DeclarePhase",
    "DeclareReplace",
    "DeclareReroll",
    "DeclareRules",
    "DeclareUnit",
    "DeclareWaive",
    "DeclareWounds",
    "ExtraRoll",
    "FreeRoll",
    "HitRoll",
    "IgnoreRoll",
    "Line",
    "ModifyBody",
    "MortalRoll",
    "MoveRoll",
    "OffRoll",
    "Options",
    "Phase",
    "RerollBody",
    "ResolveBody",
    "RollBody",
    "SaveRoll",
    "StrengthRoll",
    "Triggered",
    "WoundRoll",
]

Phase = Literal["command", "movement", "psychic", "shooting", "charge", "fight", "morale"]


class Options(Body, frozen=True):
    """Options of a game, which everybody agrees to with event 0."""

    fast_rolling: Annotated[bool, Meta(title=N_("attacks that are alike may be rolled together"))]
    fast_saves: Annotated[bool, Meta(title=N_("saves of models that are alike may be rolled together"))] = False
    command_reroll: Annotated[bool, Meta(title=N_("the game has the Command Re-roll"))] = True


# --- declare -------------------------------------------------------------------------------------------------------

Unit = Annotated[Id, Meta(title=N_("the unit"))]
Source = Annotated[RequiredText, Meta(title=N_("the rule that says so"))]
Groups = Annotated[SomeItems[Positive], Meta(title=N_("numbers of groups of attacks"))]
Changes = Annotated[Items[Change], Meta(title=N_("what changes it"))]


class DeclarePhase(DeclareBody, frozen=True, tag="phase"):
    """The beginning of a phase of the author's turn (W19)."""

    phase: Annotated[Phase, Meta(title=N_("the phase that begins"))]


class Line(Body, frozen=True):
    """Models of one kind, as on a datasheet."""

    count: Annotated[From1to100, Meta(title=N_("how many models"))]
    name: Annotated[RequiredText, Meta(title=N_("what they are called"))]
    M: Annotated[Upto100 | RandomOrDash, Meta(title=N_("the Move"))]
    WS: Annotated[Skill | Dash, Meta(title=N_("the Weapon Skill"))]
    BS: Annotated[Skill | Dash, Meta(title=N_("the Ballistic Skill"))]
    S: Annotated[From1to100 | RandomOrDash, Meta(title=N_("the Strength"))]
    T: Annotated[From1to100, Meta(title=N_("the Toughness"))]
    W: Annotated[From1to100, Meta(title=N_("the Wounds"))]
    A: Annotated[From1to100 | RandomOrDash, Meta(title=N_("the Attacks"))]
    Ld: Annotated[Upto100 | Dash, Meta(title=N_("the Leadership"))]
    Sv: Annotated[Skill | Dash, Meta(title=N_("the Save"))]
    invulnerable: Annotated[Ward, Meta(title=N_("the invulnerable save"))] | UnsetType = UNSET
    ignores_wounds: Annotated[Ward, Meta(title=N_("what a die needs to ignore a wound"))] | UnsetType = UNSET
    ignores_mortal: Annotated[Ward, Meta(title=N_("what a die needs to ignore a mortal wound"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_discards(self.M, self.S, self.A)

    @property
    def ward_of_mortal(self) -> int | None:
        """The number that a die needs to ignore a mortal wound; None if nothing ignores it (W22)."""
        wards = [ward for ward in (self.ignores_wounds, self.ignores_mortal) if isinstance(ward, int)]
        return min(wards, default=None)


class DeclareUnit(DeclareBody, frozen=True, tag="unit"):
    """A new unit of the author."""

    unit: Annotated[Id, Meta(title=N_("a short name for the unit"))]
    name: Annotated[RequiredText, Meta(title=N_("the unit's name"))]
    models: Annotated[SomeItems[Line], Meta(title=N_("its models, kind by kind"))]

    def __post_init__(self) -> None:
        if sum(line.count for line in self.models) > MAX_ITEMS:
            raise BodyError("a unit has at most {most} models", most=MAX_ITEMS)


class DeclareGone(DeclareBody, frozen=True, tag="gone"):
    """The removal of a unit from the table."""

    unit: Unit


class DeclareWounds(DeclareBody, frozen=True, tag="wounds"):
    """The number of wounds that a model has lost now, for another reason than attacks."""

    unit: Unit
    model: Annotated[Positive, Meta(title=N_("the number of the model"))]
    lost: Annotated[Upto100, Meta(title=N_("the wounds that it has lost now"))]
    source: Source


class DeclareMove(DeclareBody, frozen=True, tag="move"):
    """The selection of a unit with a random M to move (W9)."""

    unit: Unit
    modifiers: Annotated[Items[Change], Meta(title=N_("what changes its Move"))] | UnsetType = UNSET
    source: Annotated[RequiredText, Meta(title=N_("the rule that lets it move again"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_ops(given(self.modifiers, ()), OTHER_OPS, "M")


class DeclareCharacteristic(DeclareBody, frozen=True, tag="characteristic"):
    """The question for a computed characteristic (W8)."""

    characteristic: Annotated[Characteristic, Meta(title=N_("the characteristic that you ask for"))]
    unit: Unit | UnsetType = UNSET
    model: Annotated[Positive, Meta(title=N_("the number of the model"))] | UnsetType = UNSET
    printed: Annotated[Signed | Dash, Meta(title=N_("what is printed"))] | UnsetType = UNSET
    modifiers: Changes | UnsetType = UNSET
    value: Annotated[Integer | Dash, Meta(title=N_("what you say it is"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.unit is UNSET) != (self.model is UNSET) or (self.unit is UNSET) == (self.printed is UNSET):
            raise BodyError("a characteristic is that of a unit's model, or printed")
        if self.unit is not UNSET and self.characteristic in ("AP", "D"):
            raise BodyError("AP and D are a weapon's: give what is printed")
        check_ops(given(self.modifiers, ()), ops_of(self.characteristic), self.characteristic)


class DeclareAttacks(DeclareBody, frozen=True, tag="attacks"):
    """The selection of a unit to shoot or fight."""

    unit: Annotated[Id, Meta(title=N_("the unit that shoots or fights"))]
    groups: Annotated[SomeItems[Group], Meta(title=N_("its attacks, by weapon and target"))]

    def __post_init__(self) -> None:
        check_of_attacker(self.groups)


class DeclareRules(DeclareBody, frozen=True, tag="rules"):
    """More rules for the attacks of the open sequence (W20)."""

    groups: Groups
    modifiers: Annotated[Items[Modifier], Meta(title=N_("what changes rolls and characteristics"))] | UnsetType = UNSET
    abilities: Annotated[Items[AnyAbility], Meta(title=N_("abilities"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.modifiers is UNSET and self.abilities is UNSET:
            raise BodyError("rules are modifiers or abilities")
        check_whose(given(self.abilities, ()), (), N_("what always happens is declared as `always`, not with `rules`"))


class DeclareAlways(DeclareBody, frozen=True, tag="always"):
    """A reroll rule for the author's own rolls in the open sequence, which rerolls all dice that it takes (W20)."""

    groups: Groups
    of: Of
    reroll: Annotated[Reroll, Meta(title=N_("the rule by which dice are rerolled"))]

    def __post_init__(self) -> None:
        if not (self.reroll.always is self.reroll.most is self.reroll.by is UNSET):
            raise BodyError("a rule that is declared as `always` has neither always, most nor by")

    @property
    def abilities(self) -> tuple[RerollAbility]:
        """The ability that it gives to the groups, as in `DeclareRules`."""
        rule = self.reroll
        return (RerollAbility(rule.source, self.of, rule.results, rule.failed, rule.apart, always=True),)

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """No modifiers; `DeclareRules` has some."""
        return ()


class DeclareMortal(DeclareBody, frozen=True, tag="mortal"):
    """Mortal wounds that come from no attack (W12)."""

    target: Annotated[Id, Meta(title=N_("the unit that suffers them"))]
    source: Source
    count: Annotated[From1to100, Meta(title=N_("how many mortal wounds"))] | UnsetType = UNSET
    roll: Annotated[Positive, Meta(title=N_("your roll that tells how many"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.count is UNSET) == (self.roll is UNSET):
            raise BodyError("mortal wounds have a count, or the roll that gives it")


class DeclareReroll(DeclareBody, frozen=True, tag="reroll"):
    """One more reroll rule for the author's open roll."""

    roll: RollNumber
    reroll: Annotated[Reroll, Meta(title=N_("the rule that lets dice be rerolled"))]


class DeclareReplace(DeclareBody, frozen=True, tag="replace"):
    """A rule by which a die counts as another number than it shows (W3)."""

    roll: RollNumber
    die: Annotated[Positive, Meta(title=N_("the number of the die"))]
    shows: Annotated[int, Meta(ge=1, le=6, title=N_("what it counts as"))]
    source: Source


class DeclareWaive(DeclareBody, frozen=True, tag="waive"):
    """The author's refusal of the Command Re-roll in this phase, or of a reroll of somebody's roll (W21)."""

    roll: Annotated[Positive, Meta(title=N_("the roll of which you let no dice be rerolled"))] | UnsetType = UNSET


Declare = (
    DeclarePhase
    | DeclareUnit
    | DeclareGone
    | DeclareWounds
    | DeclareMove
    | DeclareCharacteristic
    | DeclareAttacks
    | DeclareRules
    | DeclareAlways
    | DeclareMortal
    | DeclareReroll
    | DeclareReplace
    | DeclareWaive
)


# --- roll, reroll, modify, resolve ---------------------------------------------------------------------------------


class RollBody(Body, frozen=True, tag_field="for"):
    """Base class of requests; the member `for` names the purpose of the roll."""


class FreeRoll(RollBody, frozen=True, tag="free"):
    """Dice for anything outside the attacks of the open sequence."""

    source: Annotated[RequiredText, Meta(title=N_("what is rolled for"))]
    dice: Annotated[Text, Meta(title=N_("the dice"))]
    sum: Annotated[Yes, Meta(title=N_("the dice are added together"))] | UnsetType = UNSET
    test: Annotated[Literal["hit", "wound", "save"], Meta(title=N_("what it is a roll of"))] | UnsetType = UNSET
    needs: Annotated[Integer, Meta(title=N_("what is needed to pass"))] | UnsetType = UNSET
    at_most: Annotated[Yes, Meta(title=N_("passes on that or less"))] | UnsetType = UNSET
    passes: Annotated[SomeItems[Integer], Meta(title=N_("unmodified results that always pass"))] | UnsetType = UNSET
    fails: Annotated[SomeItems[Integer], Meta(title=N_("unmodified results that always fail"))] | UnsetType = UNSET
    modifiers: Changes | UnsetType = UNSET
    rerolls: Annotated[Items[Reroll], Meta(title=N_("rules that let dice be rerolled"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.needs is UNSET and not (self.test is self.at_most is self.passes is self.fails is UNSET):
            raise BodyError("a test says what it needs")
        if self.test is not UNSET and self.at_most is not UNSET:
            raise BodyError("hits, wounds and saves pass on a number or more")
        check_ops(given(self.modifiers, ()), ROLL_OPS, "a roll")


class OffRoll(RollBody, frozen=True, tag="off"):
    """A roll-off (W25)."""

    source: Annotated[RequiredText, Meta(title=N_("what is rolled off for"))]
    players: Annotated[SomeItems[Name], Meta(title=N_("who rolls off, if not all"))] | UnsetType = UNSET


class AttackRoll(RollBody, frozen=True, tag="attack"):
    """The declaration of attacks together with their first dice."""

    unit: Annotated[Id, Meta(title=N_("the unit that shoots or fights"))]
    groups: Annotated[SomeItems[Group], Meta(title=N_("its attacks, by weapon and target"))]

    def __post_init__(self) -> None:
        check_of_attacker(self.groups)


class MoveRoll(RollBody, frozen=True, tag="move"):
    """The random M of a unit that was selected to move."""

    unit: Unit


class AttacksRoll(RollBody, frozen=True, tag="attacks"):
    """The random A of a group."""

    group: Annotated[Positive, Meta(title=N_("the number of the group of attacks"))]


class HitRoll(RollBody, frozen=True, tag="hit"):
    """The hit roll of a new batch."""

    groups: Groups
    count: Annotated[Positive, Meta(title=N_("how many of its attacks, if not all"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.count is not UNSET and len(self.groups) > 1:
            raise BodyError("a count is for the attacks of one group")


class ExtraRoll(RollBody, frozen=True, tag="extra"):
    """The random number of extra hits."""


class StrengthRoll(RollBody, frozen=True, tag="strength"):
    """The random S of hits."""


class WoundRoll(RollBody, frozen=True, tag="wound"):
    """The wound roll of the hits."""


class SaveRoll(RollBody, frozen=True, tag="save"):
    """The save against the first wound; with fast saves against several."""

    model: Annotated[Positive, Meta(title=N_("the number of the model"))] | UnsetType = UNSET
    invulnerable: Annotated[Yes, Meta(title=N_("the invulnerable save"))] | UnsetType = UNSET
    count: Annotated[Positive, Meta(title=N_("how many wounds, if not all that can be"))] | UnsetType = UNSET


class DamageRoll(RollBody, frozen=True, tag="damage"):
    """The random D of a failed save."""


class IgnoreRoll(RollBody, frozen=True, tag="ignore"):
    """Dice to ignore damage, or a number of mortal wounds on a model."""

    model: Annotated[Positive, Meta(title=N_("the model that suffers mortal wounds"))] | UnsetType = UNSET
    count: Annotated[Positive, Meta(title=N_("how many mortal wounds"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.model is UNSET) != (self.count is UNSET):
            raise BodyError("mortal wounds to ignore have a model and a count")


class MortalRoll(RollBody, frozen=True, tag="mortal"):
    """The random number of mortal wounds."""


AnyRoll = (
    FreeRoll
    | OffRoll
    | AttackRoll
    | MoveRoll
    | AttacksRoll
    | HitRoll
    | ExtraRoll
    | StrengthRoll
    | WoundRoll
    | SaveRoll
    | DamageRoll
    | IgnoreRoll
    | MortalRoll
)


class RerollBody(Body, frozen=True):
    """A reroll of dice of the open roll (W3 to W6, W21)."""

    roll: RollNumber
    reroll: Annotated[Positive, Meta(title=N_("the number of the reroll rule"))] | UnsetType = UNSET
    command: Annotated[Yes, Meta(title=N_("the Command Re-roll"))] | UnsetType = UNSET
    dice: Annotated[DieNumbers, Meta(title=N_("the dice to reroll"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.reroll is UNSET) == (self.command is UNSET):
            raise BodyError("a reroll is by a rule of the roll or by the Command Re-roll")


class ModifyBody(Body, frozen=True):
    """More changes of a roll (W2)."""

    roll: RollNumber
    modifiers: Annotated[SomeItems[Change], Meta(title=N_("what changes it"))]

    def __post_init__(self) -> None:
        ops = ROLL_OPS | AP_OPS | OTHER_OPS
        check_ops(self.modifiers, ops - {"worsen", "improve"}, "a roll")


class Triggered(Body, frozen=True):
    """An announced ability, with the dice that set it off."""

    ability: Annotated[Positive, Meta(title=N_("the number of the ability"))]
    parts: Annotated[DieNumbers, Meta(title=N_("the dice that set it off"))]


class ResolveBody(Body, frozen=True):
    """The end of the open roll with its announced outcome, attacks that hit automatically, or wounds without a roll."""

    roll: RollNumber | UnsetType = UNSET
    results: (
        Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE, title=N_("what you say the results are"))] | UnsetType
    ) = UNSET
    passed: Annotated[DieNumbers, Meta(title=N_("the dice that you say pass"))] | UnsetType = UNSET
    triggered: Annotated[Items[Triggered], Meta(title=N_("the abilities that you say are set off"))] | UnsetType = UNSET
    groups: Groups | UnsetType = UNSET
    count: Annotated[Positive, Meta(title=N_("how many of its attacks, if not all"))] | UnsetType = UNSET
    model: Annotated[Positive, Meta(title=N_("the number of the model"))] | UnsetType = UNSET
    mortal: Annotated[Positive, Meta(title=N_("how many mortal wounds"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        forms = (
            ({"roll"}, {"results", "passed", "triggered"}),
            ({"groups"}, {"count"}),
            ({"model"}, {"mortal"}),
        )
        present = {name for name in self.__struct_fields__ if getattr(self, name) is not UNSET}
        if not any(needed <= present <= needed | further for needed, further in forms):
            raise BodyError("a resolve has roll (with claims), groups (with count) or model (with mortal)")
        if self.count is not UNSET and len(given(self.groups, ())) > 1:
            raise BodyError("a count is for the attacks of one group")


BODIES: Mapping[str, object] = {
    "roll": AnyRoll,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "resolve": ResolveBody,
    "declare": Declare,
}
"""event type → type that msgspec decodes its body to"""

CLAIMS: Mapping[str, frozenset[str]] = {
    "resolve": frozenset({"results", "passed", "triggered"}),
    "declare": frozenset({"value"}),
}
"""event type → members that are claims; `announced` within a declared group is a claim too"""
