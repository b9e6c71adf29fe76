"""The parts of event bodies: values, changes, abilities, groups (specs/wh40k.md, "Values")."""

import re
from collections.abc import Iterable
from typing import Annotated, Literal, get_args

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, given
from rules.data.bounds import Id, Integer, Items, Name, Positive, RequiredText, SomeItems, Yes
from rules.data.language import N_

__all__ = [
    "AP_OPS",
    "MAX_TRIGGERED",
    "MAX_VALUE",
    "OF_ATTACKER",
    "OF_DEFENDER",
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
    "Fails",
    "From1to100",
    "Group",
    "Modifier",
    "NamedResults",
    "Of",
    "OfModel",
    "On",
    "Op",
    "Passes",
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
    "WoundsOn",
    "check_discards",
    "check_extras",
    "check_of_attacker",
    "check_ops",
    "check_whose",
    "most_of",
    "ops_of",
]

Dash = Literal["-"]
_DICE = r"([1-9]|1[0-9]|20)?[dD][36]([dD][hH][1-9][0-9]{0,2})?([dD][lL][1-9][0-9]{0,2})?(\+(0|[1-9][0-9]?))?"
_PARTS = re.compile(r"([0-9]*)[dD]([36])(?:[dD][hH]([0-9]+))?(?:[dD][lL]([0-9]+))?(?:\+([0-9]+))?")
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
"""the highest absolute value of a characteristic, and of a change of one"""
MAX_TRIGGERED = 10
"""the most that one trigger makes, and that all triggers of one kind make on one roll"""

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
    """Raise BodyError if `what` cannot be changed by one of these operations."""
    for change in changes:
        if change.op not in ops:
            text = N_("{what} takes no change {op}; there are {ops}")
            raise BodyError(text, what=what, op=change.op, ops=", ".join(sorted(ops)))
        if what == "AP" and change.op in ("set", "treat") and change.amount > 0:
            raise BodyError("an AP is at most 0")


def check_discards(*values: object) -> None:
    """Raise BodyError if a random value discards all its dice."""
    for value in values:
        match = _PARTS.match(value) if isinstance(value, str) else None
        if match is not None and int(match[3] or 0) + int(match[4] or 0) >= int(match[1] or 1):
            raise BodyError("{dice} discards all of its dice", dice=value)


def most_of(amount: int | str | UnsetType) -> int:
    """Return the highest number that an amount can be."""
    match = _PARTS.match(amount) if isinstance(amount, str) else None
    if match is None:
        return amount if isinstance(amount, int) else 0
    count, sides, highest, lowest, plus = (int(digits or 0) for digits in match.groups())
    return (max(count, 1) - highest - lowest) * sides + plus


def ops_of(characteristic: str) -> frozenset[str]:
    """Return the operations that can change a characteristic."""
    return AP_OPS if characteristic == "AP" else OTHER_OPS


Source = Annotated[RequiredText, Meta(title=N_("the rule that says so"))]
Results = Annotated[SomeItems[Integer], Meta(title=N_("only these results"))]


class Change(Body, frozen=True):
    """A change of a roll or characteristic by one rule."""

    source: Source
    op: Annotated[Op, Meta(title=N_("how it changes the value"))]
    amount: Annotated[Signed, Meta(title=N_("by how much, or to what"))]
    when: Annotated[SomeItems[Integer], Meta(title=N_("only where the value is one of these"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        least = _LEAST.get(self.op, 1)
        if self.amount < least:
            raise BodyError("the amount of {op} is at least {least}", op=self.op, least=least)
        if self.when is not UNSET and self.op not in ("set", "treat"):
            raise BodyError("only set and treat have a when")


class Modifier(Body, frozen=True):
    """A change, with the roll or characteristic that it changes."""

    source: Source
    on: Annotated[On, Meta(title=N_("the roll or characteristic that it changes"))]
    op: Annotated[Op, Meta(title=N_("how it changes the value"))]
    amount: Annotated[Signed, Meta(title=N_("by how much, or to what"))]
    when: Annotated[SomeItems[Integer], Meta(title=N_("only where the value is one of these"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_ops((self.change,), ROLL_OPS if self.on in ROLLS else ops_of(self.on), self.on)

    @property
    def change(self) -> Change:
        """The change without its target."""
        return Change(self.source, self.op, self.amount, self.when)


Failed = Annotated[Yes, Meta(title=N_("only failed rolls"))]
Apart = Annotated[Yes, Meta(title=N_("dice that are added may be rerolled one by one"))]
Most = Annotated[From1to100, Meta(title=N_("only so many rolls"))]
Always = Annotated[Yes, Meta(title=N_("all dice that it takes are rerolled at once, with the roll"))]
By = Annotated[Name, Meta(title=N_("another player, who may have the dice rerolled"))]


class Reroll(Body, frozen=True):
    """A rule that allows a reroll of dice."""

    source: Source
    results: Results | UnsetType = UNSET
    failed: Failed | UnsetType = UNSET
    apart: Apart | UnsetType = UNSET
    most: Most | UnsetType = UNSET
    always: Always | UnsetType = UNSET
    by: By | UnsetType = UNSET

    def __post_init__(self) -> None:
        _check_rule(self)


class Ability(Body, frozen=True, tag_field="kind"):
    """Base class of abilities of a group of attacks; the member `kind` names the kind."""

    source: Source


OfAttacker = Literal["hit", "wound", "damage", "attacks", "strength"]
OfDefender = Literal["save", "invulnerable", "saves", "ignore"]
Of = Annotated[OfAttacker | OfDefender, Meta(title=N_("the rolls that it is for"))]
OF_ATTACKER: tuple[OfAttacker, ...] = get_args(OfAttacker)
OF_DEFENDER: tuple[OfDefender, ...] = get_args(OfDefender)
"""the rolls of an attack that the target's player makes"""


class RerollAbility(Ability, frozen=True, tag="reroll"):
    """An ability that allows a reroll of certain rolls."""

    of: Of
    results: Results | UnsetType = UNSET
    failed: Failed | UnsetType = UNSET
    apart: Apart | UnsetType = UNSET
    most: Most | UnsetType = UNSET
    always: Always | UnsetType = UNSET
    by: By | UnsetType = UNSET

    def __post_init__(self) -> None:
        _check_rule(self)

    @property
    def rule(self) -> Reroll:
        """The reroll rule without the kind of rolls."""
        return Reroll(self.source, self.results, self.failed, self.apart, self.most, self.always, self.by)


def _check_rule(rule: Reroll | RerollAbility) -> None:
    if rule.results is not UNSET and rule.failed is not UNSET:
        raise BodyError("a reroll rule names results or failed rolls, not both")
    if rule.always is not UNSET and (rule.most is not UNSET or rule.by is not UNSET):
        raise BodyError("what always happens is neither limited nor another player's choice")


def check_whose(abilities: Iterable["AnyAbility"], allowed: Iterable[str], problem: str) -> None:
    """Raise BodyError if a rule that always rerolls is for other rolls than `allowed`."""
    for ability in abilities:
        if isinstance(ability, RerollAbility) and ability.always is True and ability.of not in allowed:
            raise BodyError(problem)


class Trigger(Ability, frozen=True, tag="trigger"):
    """An ability that certain results of a hit or wound roll set off (W7, W23)."""

    on: Annotated[Literal["hit", "wound"], Meta(title=N_("the roll that sets it off"))]
    results: Annotated[SomeItems[Integer], Meta(title=N_("the results that set it off"))]
    does: Annotated[
        Literal["extra_hits", "extra_attacks", "wound", "mortal", "improve_ap", "slay"],
        Meta(title=N_("what it does")),
    ]
    unmodified: Annotated[Yes, Meta(title=N_("before modifiers"))] | UnsetType = UNSET
    amount: (
        Annotated[Annotated[int, Meta(ge=1, le=MAX_TRIGGERED)] | Random, Meta(title=N_("how many, or by how much"))]
        | UnsetType
    ) = UNSET
    instead: Annotated[Yes, Meta(title=N_("and the attack ends"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.amount is UNSET) != (self.does in ("wound", "slay")):
            raise BodyError("extra_hits, extra_attacks, mortal and improve_ap have an amount, wound and slay none")
        if isinstance(self.amount, str) and self.does not in ("mortal", "extra_hits"):
            raise BodyError("only mortal and extra_hits have a random amount")
        if self.instead is not UNSET and self.does != "mortal":
            raise BodyError("only mortal can be instead of the attack")
        check_discards(self.amount)


class NamedResults(Ability, frozen=True):
    """An ability by which certain unmodified results of hit or wound rolls always pass or fail (W16)."""

    on: Annotated[Literal["hit", "wound"], Meta(title=N_("the rolls that it is for"))]
    results: Annotated[SomeItems[Integer], Meta(title=N_("unmodified results"))]


class Passes(NamedResults, frozen=True, tag="passes"):
    """Unmodified results that always hit or wound."""


class Fails(NamedResults, frozen=True, tag="fails"):
    """Unmodified results that never hit or wound."""


class WoundsOn(Ability, frozen=True, tag="wounds-on"):
    """An ability by which hits wound on a fixed number, whatever S and T are (W17)."""

    needs: Annotated[Ward, Meta(title=N_("needed to wound"))]


class AutoHit(Ability, frozen=True, tag="auto-hit"):
    """An ability by which attacks hit automatically."""


class Blast(Ability, frozen=True, tag="blast"):
    """An ability by which the weapon makes more attacks against large units (W24)."""


AnyAbility = RerollAbility | Trigger | Passes | Fails | WoundsOn | AutoHit | Blast


class Announced(Body, frozen=True):
    """Characteristics that the player announces, and that the system checks."""

    hit: Annotated[Integer, Meta(title=N_("needed to hit"))] | UnsetType = UNSET
    wound: Annotated[Integer, Meta(title=N_("needed to wound"))] | UnsetType = UNSET
    S: Annotated[Integer, Meta(title=N_("the Strength"))] | UnsetType = UNSET
    T: Annotated[Integer, Meta(title=N_("the Toughness of the target"))] | UnsetType = UNSET
    AP: Annotated[Integer, Meta(title=N_("the Armour Penetration"))] | UnsetType = UNSET


class Group(Body, frozen=True):
    """Attacks with one weapon at one target."""

    target: Annotated[Id, Meta(title=N_("the unit that is attacked"))]
    weapon: Annotated[RequiredText, Meta(title=N_("the weapon"))]
    type: Annotated[Literal["ranged", "melee"], Meta(title=N_("ranged uses BS, melee WS"))]
    A: Annotated[From1to100 | RandomOrUser, Meta(title=N_("attacks of each bearer"))]
    S: Annotated[From1to100 | RandomOrUser, Meta(title=N_("the Strength"))]
    AP: Annotated[int, Meta(ge=-MAX_VALUE, le=0, title=N_("the Armour Penetration"))]
    D: Annotated[Upto100 | Random, Meta(title=N_("the Damage"))]
    bearers: (
        Annotated[SomeItems[Positive], Meta(title=N_("numbers of the models that use it, if not all"))] | UnsetType
    ) = UNSET
    once: Annotated[Yes, Meta(title=N_("a random number of attacks is rolled once for all"))] | UnsetType = UNSET
    modifiers: Annotated[Items[Modifier], Meta(title=N_("what changes its rolls and characteristics"))] | UnsetType = (
        UNSET
    )
    abilities: Annotated[Items[AnyAbility], Meta(title=N_("its abilities"))] | UnsetType = UNSET
    announced: Annotated[Announced, Meta(title=N_("what you say the numbers are"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        check_discards(self.A, self.S, self.D)
        check_extras(given(self.abilities, ()))


def check_of_attacker(groups: Iterable[Group]) -> None:
    """Raise BodyError if a group declares what always happens to rolls of the defender."""
    problem = N_("what always happens to saves and ignored wounds is for the player who rolls them to declare")
    for group in groups:
        check_whose(given(group.abilities, ()), OF_ATTACKER, problem)


def check_extras(abilities: Iterable[AnyAbility]) -> None:
    """Raise BodyError if one roll can set off more than the bounds allow."""
    triggers = [ability for ability in abilities if isinstance(ability, Trigger)]
    for does, what in (("extra_hits", "extra hits"), ("extra_attacks", "extra attacks")):
        if sum(most_of(t.amount) for t in triggers if t.does == does) > MAX_TRIGGERED:
            raise BodyError("the {what} that one roll makes come to at most {most}", what=what, most=MAX_TRIGGERED)
