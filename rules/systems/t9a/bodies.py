"""Bodies of the system's events (specs/t9a.md, "Bodies")."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError
from rules.data.bounds import (
    MAX_DICE,
    MAX_MODIFIER,
    DieNumbers,
    Integer,
    Items,
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
    "Always",
    "DeclareReroll",
    "IgnoreBody",
    "Modifier",
    "ModifyBody",
    "Of",
    "Options",
    "RerollBody",
    "RerollRule",
    "ResolveBody",
    "RollBody",
    "Which",
]

Which = Literal["failed", "successful", "natural", "any", "throw"]
"""the dice that a reroll rule concerns (T4.2)"""
Of = Literal["successes", "failures"]
"""the results of an earlier roll for which throws are made (T1.5)"""
Natural = Annotated[int, Meta(ge=1, le=6)]
Naturals = Annotated[tuple[Natural, ...], Meta(min_length=1, max_length=6)]
Amount = Annotated[int, Meta(ge=-MAX_MODIFIER, le=MAX_MODIFIER)]
DiceCount = Annotated[int, Meta(ge=1, le=MAX_DICE)]
Factor = Annotated[int, Meta(ge=2, le=MAX_MODIFIER)]
Claims = Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE)]

_Source = Annotated[RequiredText, Meta(title=N_("the rule, spell or item that says so"))]


class Options(Body, frozen=True):
    """The body `{}`: the system has no options."""


class Modifier(Body, frozen=True):
    """One step from the sum of a throw to its total (T2)."""

    source: _Source
    add: Annotated[Amount, Meta(title=N_("what is added to the sum"))] | UnsetType = UNSET
    multiply: Annotated[Factor, Meta(title=N_("what the sum is multiplied by"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.add is UNSET) == (self.multiply is UNSET):
            raise BodyError("a modifier has add or multiply")
        if self.add == 0:
            raise BodyError("an amount is not 0")


class RerollRule(Body, frozen=True):
    """A rule by which dice must be rerolled, or may be with `may` (T4)."""

    source: _Source
    which: Annotated[Which, Meta(title=N_("which dice are rerolled"))]
    naturals: Annotated[Naturals, Meta(title=N_("the naturals that are rerolled"))] | UnsetType = UNSET
    may: Annotated[Yes, Meta(title=N_("the player who rolls chooses how many"))] | UnsetType = UNSET
    pick: Annotated[DiceCount, Meta(title=N_("how many, at most"))] | UnsetType = UNSET
    dropped: Annotated[Yes, Meta(title=N_("dropped dice are rerolled too"))] | UnsetType = UNSET
    first: Annotated[Yes, Meta(title=N_("the first result may stand"))] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.which == "natural") != (self.naturals is not UNSET):
            raise BodyError("a reroll rule about naturals says which, any other has none")
        if self.dropped is True and self.which in ("natural", "any"):
            raise BodyError("dropped dice are rerolled with a whole throw: of what failed, of what succeeded, or throw")


class Always(Body, frozen=True):
    """Naturals that succeed or fail whatever the total is (T3)."""

    success: Annotated[Naturals, Meta(title=N_("naturals that always succeed"))] | UnsetType = UNSET
    failure: Annotated[Naturals, Meta(title=N_("naturals that always fail"))] | UnsetType = UNSET


class RollBody(Body, frozen=True):
    """The request for a roll (T1)."""

    source: Annotated[RequiredText, Meta(title=N_("what is rolled for"))]
    dice: Annotated[Text, Meta(title=N_("the dice of one throw"))]
    times: Annotated[DiceCount, Meta(title=N_("how many throws"))] | UnsetType = UNSET
    of: Annotated[Of, Meta(title=N_("what the throws are for, of the roll before"))] | UnsetType = UNSET
    maximised: Annotated[SomeItems[RequiredText], Meta(title=N_("what makes it a Maximised Roll"))] | UnsetType = UNSET
    minimised: Annotated[SomeItems[RequiredText], Meta(title=N_("what makes it a Minimised Roll"))] | UnsetType = UNSET
    modifiers: Annotated[Items[Modifier], Meta(title=N_("modifiers, in the order in which they act"))] | UnsetType = (
        UNSET
    )
    target: Annotated[Text, Meta(title=N_("what it succeeds at: 4+ or 8-"))] | UnsetType = UNSET
    always: Annotated[Always, Meta(title=N_("naturals that decide by themselves"))] | UnsetType = UNSET
    rerolls: Annotated[Items[RerollRule], Meta(title=N_("rules by which dice are rerolled"))] | UnsetType = UNSET
    at_once: Annotated[Yes, Meta(title=N_("what must be rerolled is rerolled at once"))] | UnsetType = UNSET
    zero: Annotated[RequiredText, Meta(title=N_("where 0° of a direction points"))] | UnsetType = UNSET


_Throws = Annotated[DieNumbers, Meta(title=N_("numbers of the throws"))]
_Dice = Annotated[DieNumbers, Meta(title=N_("numbers of the dice"))]


class RerollBody(Body, frozen=True):
    """The application of a reroll rule (T4.2)."""

    roll: RollNumber
    rule: Annotated[Positive, Meta(title=N_("the number of the reroll rule"))]
    throws: _Throws | UnsetType = UNSET
    dice: _Dice | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.throws is not UNSET and self.dice is not UNSET:
            raise BodyError("a reroll is of throws or of dice")


class IgnoreBody(Body, frozen=True):
    """The choice of first results over second ones, where a rule allows it (T4.3)."""

    roll: RollNumber
    throws: _Throws | UnsetType = UNSET
    dice: _Dice | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.throws is UNSET) == (self.dice is UNSET):
            raise BodyError("say of which throws, or of which dice, the first result stands")


class ModifyBody(Body, frozen=True):
    """One more modifier of the open roll (T2)."""

    roll: RollNumber
    modifier: Annotated[Modifier, Meta(title=N_("the modifier"))]


class ResolveBody(Body, frozen=True):
    """The end of a roll, with its announced outcome."""

    roll: RollNumber
    totals: Annotated[Claims, Meta(title=N_("the total of each throw, as announced"))] | UnsetType = UNSET
    successes: Annotated[Integer, Meta(title=N_("how many throws succeeded, as announced"))] | UnsetType = UNSET
    directions: Annotated[Claims, Meta(title=N_("the degrees of each throw, as announced"))] | UnsetType = UNSET
    faces: Annotated[Claims, Meta(title=N_("the sides that were the arrow, as announced"))] | UnsetType = UNSET


class DeclareReroll(Body, frozen=True):
    """One more reroll rule for the open roll (T4)."""

    what: Literal["reroll"]
    """a plain member, because msgspec requires a tag only for a union of several bodies"""
    roll: RollNumber
    rule: Annotated[RerollRule, Meta(title=N_("the reroll rule"))]


BODIES: Mapping[str, object] = {
    "roll": RollBody,
    "reroll": RerollBody,
    "ignore": IgnoreBody,
    "modify": ModifyBody,
    "resolve": ResolveBody,
    "declare": DeclareReroll,
}
"""event type → type that msgspec decodes its body to"""

CLAIMS: Mapping[str, frozenset[str]] = {"resolve": frozenset({"totals", "successes", "directions", "faces"})}
