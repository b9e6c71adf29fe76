"""What Warhammer 40,000 bodies are put together from (specs/wh40k.md, "Values"): values, changes, abilities, groups."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, given
from rules.bounds import Id, Integer, Items, Positive, RequiredText, SomeItems, Yes
from rules.language import N_

__all__ = [
    "AP_OPS",
    "MAX_TRIGGERED",
    "MAX_VALUE",
    "OTHER_OPS",
    "ROLLS",
    "ROLL_OPS",
    "Ability",
    "Announced",
    "AnyAbility",
    "AutoHit",
    "Blast",
    "Change",
    "Characteristic",
    "Dash",
    "From1to100",
    "Group",
    "Modifier",
    "OfModel",
    "On",
    "Op",
    "Random",
    "RandomOrDash",
    "RandomOrUser",
    "Reroll",
    "RerollAbility",
    "Signed",
    "Skill",
    "Trigger",
    "Upto100",
    "Ward",
    "check_extras",
    "check_ops",
    "ops_of",
]

Dash = Literal["-"]
_DICE = r"([1-9]|1[0-9]|20)?[dD][36](\+(0|[1-9][0-9]?))?"
Random = Annotated[
    str,
    Meta(pattern=rf"\A{_DICE}\Z", description=N_("dice such as d6, 2d3 or d6+1")),
]
RandomOrDash = Annotated[
    str,
    Meta(pattern=rf"\A(-|{_DICE})\Z", description=N_("dice such as d6, 2d3 or d6+1, or a hyphen for none")),
]
RandomOrUser = Annotated[
    str,
    Meta(pattern=rf"\A(user|{_DICE})\Z", description=N_("dice such as d6, 2d3 or d6+1, or user")),
]
MAX_VALUE = 100
"""the size of a characteristic and of a change of one"""
MAX_TRIGGERED = 10
"""what one trigger makes, and the triggers of one kind on one roll together"""

Upto100 = Annotated[int, Meta(ge=0, le=MAX_VALUE)]
From1to100 = Annotated[int, Meta(ge=1, le=MAX_VALUE)]
Signed = Annotated[int, Meta(ge=-MAX_VALUE, le=MAX_VALUE)]
Skill = Annotated[int, Meta(ge=1, le=7)]
Ward = Annotated[int, Meta(ge=2, le=6)]
Op = Literal["set", "divide", "multiply", "add", "worsen", "subtract", "improve", "floor", "treat"]
OfModel = Literal["M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv"]
Characteristic = Literal["M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv", "AP", "D"]
On = Literal["hit", "wound", "save", "invulnerable", "WS", "BS", "S", "T", "A", "AP", "D", "Sv"]

ROLL_OPS = frozenset({"divide", "multiply", "add", "subtract"})
AP_OPS = frozenset({"set", "divide", "multiply", "worsen", "improve", "treat"})
OTHER_OPS = frozenset({"set", "divide", "multiply", "add", "subtract", "floor", "treat"})
ROLLS = frozenset({"hit", "wound", "save", "invulnerable"})

_LEAST = {"set": -MAX_VALUE, "treat": -MAX_VALUE, "floor": 0}


def check_ops(changes: "Iterable[Change]", ops: frozenset[str], what: str) -> None:
    """Raises BodyError where `what` takes no such change."""
    for change in changes:
        if change.op not in ops:
            text = "{what} takes no change {op}; there are {ops}"
            raise BodyError(text, what=what, op=change.op, ops=", ".join(sorted(ops)))
        if what == "AP" and change.op in ("set", "treat") and change.amount > 0:
            raise BodyError("an AP is at most 0")


def ops_of(characteristic: str) -> frozenset[str]:
    """The changes that a characteristic takes."""
    return AP_OPS if characteristic == "AP" else OTHER_OPS


class Change(Body, frozen=True):
    """One rule's change of a roll or characteristic."""

    source: RequiredText
    op: Op
    amount: Signed
    when: SomeItems[Integer] | UnsetType = UNSET

    def __post_init__(self) -> None:
        least = _LEAST.get(self.op, 1)
        if self.amount < least:
            raise BodyError("the amount of {op} is at least {least}", op=self.op, least=least)
        if self.when is not UNSET and self.op not in ("set", "treat"):
            raise BodyError("only set and treat have a when")


class Modifier(Body, frozen=True):
    """A change with what it changes."""

    source: RequiredText
    on: On
    op: Op
    amount: Signed
    when: SomeItems[Integer] | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_ops((self.change,), ROLL_OPS if self.on in ROLLS else ops_of(self.on), self.on)

    @property
    def change(self) -> Change:
        return Change(self.source, self.op, self.amount, self.when)


class Reroll(Body, frozen=True):
    """A rule that lets dice be rerolled."""

    source: RequiredText
    results: SomeItems[Integer] | UnsetType = UNSET
    failed: Yes | UnsetType = UNSET
    apart: Yes | UnsetType = UNSET

    def __post_init__(self) -> None:
        _check_either(self.results, self.failed)


def _check_either(results: object, failed: object) -> None:
    if results is not UNSET and failed is not UNSET:
        raise BodyError("a reroll rule names results or failed rolls, not both")


class Ability(Body, frozen=True, tag_field="kind"):
    """An ability of a group of attacks, told by `kind`."""

    source: RequiredText


class RerollAbility(Ability, frozen=True, tag="reroll"):
    of: Literal["hit", "wound", "damage", "attacks", "strength", "save", "invulnerable", "ignore"]
    results: SomeItems[Integer] | UnsetType = UNSET
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
    results: SomeItems[Integer]
    does: Literal["extra_hits", "extra_attacks", "wound", "mortal", "improve_ap", "slay"]
    unmodified: Yes | UnsetType = UNSET
    amount: Annotated[int, Meta(ge=1, le=MAX_TRIGGERED)] | Random | UnsetType = UNSET
    instead: Yes | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.amount is UNSET) != (self.does in ("wound", "slay")):
            raise BodyError("extra_hits, extra_attacks, mortal and improve_ap have an amount, wound and slay none")
        if isinstance(self.amount, str) and self.does != "mortal":
            raise BodyError("only mortal has a random amount")
        if self.instead is not UNSET and self.does != "mortal":
            raise BodyError("only mortal can be instead of the attack")


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
    bearers: SomeItems[Positive]
    A: From1to100 | RandomOrUser
    S: From1to100 | RandomOrUser
    AP: Annotated[int, Meta(ge=-MAX_VALUE, le=0)]
    D: Upto100 | Random
    modifiers: Items[Modifier] | UnsetType = UNSET
    abilities: Items[AnyAbility] | UnsetType = UNSET
    announced: Announced | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_extras(given(self.abilities, ()))


def check_extras(abilities: Iterable[AnyAbility]) -> None:
    """Raises BodyError where what one roll sets off is more than the bounds allow."""
    triggers = [ability for ability in abilities if isinstance(ability, Trigger)]
    for does, what in (("extra_hits", "extra hits"), ("extra_attacks", "extra attacks")):
        if sum(t.amount for t in triggers if t.does == does and isinstance(t.amount, int)) > MAX_TRIGGERED:
            raise BodyError("the {what} that one roll makes come to at most {most}", what=what, most=MAX_TRIGGERED)
