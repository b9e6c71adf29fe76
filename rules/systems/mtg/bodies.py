"""Bodies of the system's events (specs/mtg.md, "Bodies")."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from rules.base import Body, BodyError, DeclareBody
from rules.data.bounds import (
    MAX_DICE,
    MAX_MODIFIER,
    MAX_PARTIES,
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

MAX_AMOUNTS = 10
"""alternative amounts that one effect may offer"""
MAX_IGNORED = 100
"""dice that one effect may add, and dice that it may have ignored"""
MAX_STORED = 100
"""results that one permanent may store"""

_KIND = N_("a kind of dice: d and a number, planar or coin")
Kind = Annotated[str, Meta(pattern=r"\A(d[1-9][0-9]{0,15}|planar|coin)\Z", description=_KIND)]
Standing = Annotated[Positive, Meta(title=N_("the number of the standing effect"))]
Without = Annotated[SomeItems[Standing] | UnsetType, Meta(title=N_("standing effects that are left out of this roll"))]
Whose = Annotated[Literal["you", "opponents", "any"], Meta(title=N_("whose rolls it looks at"))]

Amount = Annotated[int, Meta(ge=-MAX_MODIFIER, le=MAX_MODIFIER)]


class Options(Body, frozen=True):
    """Options of a game, which everybody agrees to with event 0."""

    planechase: Annotated[bool, Meta(title=N_("a Planechase game: the planar die may be rolled"))]


class Modifier(Body, frozen=True):
    """A modifier in the instruction itself. It is added to every die that has a number (706.2)."""

    source: Annotated[RequiredText, Meta(title=N_("the card or ability that says so"))]
    amount: Annotated[Amount, Meta(title=N_("what is added to each die"))]

    def __post_init__(self) -> None:
        if self.amount == 0:
            raise BodyError("an amount is not 0")


class Effect(Body, frozen=True):
    """An effect that would modify a roll (706.2, 706.2a, 706.2b)."""

    source: Annotated[RequiredText, Meta(title=N_("the card or ability that says so"))]
    kind: Annotated[Literal["reroll", "adjust", "exchange"], Meta(title=N_("what it does to a die"))]
    amounts: Annotated[
        Annotated[tuple[Amount, ...], Meta(min_length=1, max_length=MAX_AMOUNTS)] | UnsetType,
        Meta(title=N_("what an adjustment adds, or what there is to choose from")),
    ] = UNSET
    number: Annotated[Amount | UnsetType, Meta(title=N_("what a result is exchanged with"))] = UNSET
    scope: Annotated[Literal["each", "one", "any"], Meta(title=N_("which dice it is for"))] = "each"
    optional: Annotated[Yes | UnsetType, Meta(title=N_("whether the player who rolls may decline it"))] = UNSET
    cost: Annotated[RequiredText | UnsetType, Meta(title=N_("its cost, other than mana"))] = UNSET
    mana_cost: Annotated[RequiredText | UnsetType, Meta(title=N_("its mana cost"))] = UNSET
    once: Annotated[Yes | UnsetType, Meta(title=N_("whether it is for this roll alone, not for its repeat"))] = UNSET
    only: Annotated[Kind | UnsetType, Meta(title=N_("the kind of dice that it concerns"))] = UNSET

    def __post_init__(self) -> None:
        if self.only == "coin" or (self.only == "planar" and self.kind != "reroll"):
            raise BodyError("no effect modifies a coin, and none but a reroll the planar die")
        if (self.kind == "adjust") != (self.amounts is not UNSET):
            raise BodyError("an adjust effect has amounts, and no other effect has")
        if (self.kind == "exchange") != (self.number is not UNSET):
            raise BodyError("an exchange effect has a number, and no other effect has")
        if self.kind == "exchange" and self.scope != "one":
            raise BodyError("an exchange is of one die: its scope is one")
        if not isinstance(self.amounts, UnsetType) and 0 in self.amounts:
            raise BodyError("an amount is not 0")


class Ignores(Body, frozen=True):
    """A replacement effect: `extra` more dice are rolled, and `count` dice are ignored (706.6).

    With `pair`, two dice are rolled for each one, and one of the two is ignored.
    """

    source: Annotated[RequiredText, Meta(title=N_("the card or ability that says so"))]
    which: Annotated[Literal["lowest", "highest", "any", "pair"], Meta(title=N_("which dice are ignored"))]
    extra: Annotated[int, Meta(ge=0, le=MAX_IGNORED, title=N_("how many more dice are rolled"))] = 0
    sides: Annotated[Positive | UnsetType, Meta(title=N_("how many sides these dice have"))] = UNSET
    count: Annotated[int, Meta(ge=1, le=MAX_IGNORED, title=N_("how many dice are ignored"))] = 1
    only: Annotated[Kind | UnsetType, Meta(title=N_("the kind of dice that it concerns"))] = UNSET

    def __post_init__(self) -> None:
        if self.only in ("planar", "coin") and self.which in ("lowest", "highest"):
            raise BodyError("planar dice and coins have no number: none is the lowest or the highest")
        if self.sides is not UNSET and self.only is not UNSET:
            raise BodyError("extra dice are of the kind that is concerned: only or sides, not both")
        if self.which == "pair" and (self.extra, self.count) != (0, 1):
            raise BodyError("where each die becomes two and one is ignored, there is no extra and no count")
        if self.sides is not UNSET and not self.extra:
            raise BodyError("sides are those of extra dice: without extra there are none")


class Row(Body, frozen=True):
    """A row of a results table (706.3a)."""

    range: Annotated[Text, Meta(title=N_("the results that it is for: 7, 1-9 or 10+"))]
    effect: Annotated[Text, Meta(title=N_("what happens"))]
    again: Annotated[
        Yes | Literal["may"] | UnsetType, Meta(title=N_("whether it says “Roll again.” or “You may roll again.”"))
    ] = UNSET


class RollBody(Body, frozen=True):
    """A roll that a card instructs, a roll again, a part in somebody's roll, or a choice at random (706, 705)."""

    source: Annotated[RequiredText | UnsetType, Meta(title=N_("the card or ability that instructs the roll"))] = UNSET
    dice: Annotated[Text | UnsetType, Meta(title=N_("kind and number of dice: d20, 2d6, 2d6+1d8, planar"))] = UNSET
    modifiers: Annotated[Items[Modifier] | UnsetType, Meta(title=N_("modifiers in the instruction itself"))] = UNSET
    effects: Annotated[Items[Effect] | UnsetType, Meta(title=N_("other effects that would modify the roll"))] = UNSET
    ignores: Annotated[Items[Ignores] | UnsetType, Meta(title=N_("effects that have dice ignored"))] = UNSET
    table: Annotated[SomeItems[Row] | UnsetType, Meta(title=N_("the results table"))] = UNSET
    use: Annotated[RequiredText | UnsetType, Meta(title=N_("how the results are used without a table"))] = UNSET
    doubles: Annotated[RequiredText | UnsetType, Meta(title=N_("what happens on doubles"))] = UNSET
    store: Annotated[Id | UnsetType, Meta(title=N_("the permanent that stores the results"))] = UNSET
    again: Annotated[Positive | UnsetType, Meta(title=N_("the roll that is rolled again"))] = UNSET
    joins: Annotated[
        Positive | UnsetType, Meta(title=N_("the first roll of the ability by which several players roll"))
    ] = UNSET
    call: Annotated[
        Literal["heads", "tails"] | UnsetType, Meta(title=N_("what is called before coins are flipped"))
    ] = UNSET
    without: Without = UNSET
    random: Annotated[Yes | UnsetType, Meta(title=N_("something is chosen at random: no die is rolled"))] = UNSET

    def __post_init__(self) -> None:
        if self.random is not UNSET:
            for name in set(self.__struct_fields__) - {"source", "dice", "table", "use", "random"}:
                if getattr(self, name) is not UNSET:
                    raise BodyError("a choice at random has source, dice, table and use alone")
        if self.again is not UNSET and self.joins is not UNSET:
            raise BodyError("a roll repeats another or joins another, not both")
        if self.source is UNSET and self.again is UNSET and self.joins is UNSET:
            raise BodyError("a roll says what instructs it: its source is missing")


class RerollBody(Body, frozen=True):
    """A reroll of dice of the open roll (`roll`, `effect`), or of stored results (`permanent`, `stored`, `source`)."""

    roll: RollNumber | UnsetType = UNSET
    effect: Annotated[Positive | UnsetType, Meta(title=N_("the number of the effect"))] = UNSET
    dice: Annotated[DieNumbers | UnsetType, Meta(title=N_("the dice that it is applied to"))] = UNSET
    paid: Annotated[Yes | UnsetType, Meta(title=N_("whether its cost was paid"))] = UNSET
    mana_abilities: Annotated[
        Items[Text] | UnsetType, Meta(title=N_("mana abilities that were activated before its mana cost was paid"))
    ] = UNSET
    permanent: Annotated[Id | UnsetType, Meta(title=N_("the permanent whose stored results are rerolled"))] = UNSET
    stored: Annotated[DieNumbers | UnsetType, Meta(title=N_("the numbers of the stored results"))] = UNSET
    source: Annotated[RequiredText | UnsetType, Meta(title=N_("the card or ability that instructs the reroll"))] = UNSET
    by: Annotated[Id | UnsetType, Meta(title=N_("the permanent whose ability says so"))] = UNSET
    modifiers: Annotated[Items[Modifier] | UnsetType, Meta(title=N_("modifiers in the instruction itself"))] = UNSET
    ignores: Annotated[Items[Ignores] | UnsetType, Meta(title=N_("effects that have dice ignored"))] = UNSET
    without: Without = UNSET

    def __post_init__(self) -> None:
        of_roll = {"roll", "effect"}, {"dice", "paid", "mana_abilities"}
        of_stored = {"permanent", "stored", "source"}, {"by", "modifiers", "ignores", "without"}
        present = {name for name in self.__struct_fields__ if getattr(self, name) is not UNSET}
        if not any(needed <= present <= needed | further for needed, further in (of_roll, of_stored)):
            raise BodyError("a reroll has roll and effect, or permanent, stored and source")


class ModifyBody(Body, frozen=True):
    """An effect of the open roll, applied to some of its dice, or declined (706.2, 706.2b)."""

    roll: RollNumber
    effect: Annotated[Positive, Meta(title=N_("the number of the effect"))]
    choice: Annotated[Literal["apply", "decline"], Meta(title=N_("what becomes of it"))]
    dice: Annotated[DieNumbers | UnsetType, Meta(title=N_("the dice that it is applied to"))] = UNSET
    amount: Annotated[Amount | UnsetType, Meta(title=N_("which of its amounts"))] = UNSET
    paid: Annotated[Yes | UnsetType, Meta(title=N_("whether its cost was paid"))] = UNSET
    mana_abilities: Annotated[
        Items[Text] | UnsetType, Meta(title=N_("mana abilities that were activated before its mana cost was paid"))
    ] = UNSET

    def __post_init__(self) -> None:
        if self.choice == "decline":
            for name in ("dice", "amount", "paid", "mana_abilities"):
                if getattr(self, name) is not UNSET:
                    raise BodyError("an effect that is declined has no {member}", member=name)


class IgnoreBody(Body, frozen=True):
    """The dice of the open roll that its roller ignores (706.6)."""

    roll: RollNumber
    dice: Annotated[DieNumbers, Meta(title=N_("the dice that are ignored"))]


class ResolveBody(Body, frozen=True):
    """The announced outcome of a finished roll, or the refusal of a “You may roll again.”"""

    roll: RollNumber
    results: Annotated[
        Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE)] | UnsetType,
        Meta(title=N_("the results that were announced")),
    ] = UNSET
    rows: Annotated[
        Annotated[tuple[Integer, ...], Meta(max_length=MAX_DICE)] | UnsetType,
        Meta(title=N_("the rows of the table that were announced, 0 for none")),
    ] = UNSET
    doubles: Annotated[bool | UnsetType, Meta(title=N_("whether doubles were announced"))] = UNSET
    total: Annotated[Integer | UnsetType, Meta(title=N_("the sum of the results that was announced"))] = UNSET
    highest: Annotated[Integer | UnsetType, Meta(title=N_("the highest result that was announced"))] = UNSET
    lowest: Annotated[Integer | UnsetType, Meta(title=N_("the lowest result that was announced"))] = UNSET
    best: Annotated[
        Annotated[tuple[Name, ...], Meta(max_length=MAX_PARTIES)] | UnsetType,
        Meta(title=N_("who was announced to have the highest total in the ability")),
    ] = UNSET
    heads: Annotated[Integer | UnsetType, Meta(title=N_("how many heads were announced"))] = UNSET
    won: Annotated[Integer | UnsetType, Meta(title=N_("how many won flips were announced"))] = UNSET
    again: Annotated[Literal[False] | UnsetType, Meta(title=N_("false: “You may roll again.” is declined"))] = UNSET


class DeclareEffect(DeclareBody, frozen=True, tag="effect"):
    """An effect that would modify the open roll (706.2)."""

    roll: RollNumber
    effect: Annotated[Effect, Meta(title=N_("the effect that would modify it"))]
    controller: Annotated[Name | UnsetType, Meta(title=N_("the player who controls it"))] = UNSET


class DeclareStanding(DeclareBody, frozen=True, tag="standing"):
    """An effect that stands from now on, for every later roll that it fits (604)."""

    ignore: Annotated[Ignores | UnsetType, Meta(title=N_("what it has ignored"))] = UNSET
    effect: Annotated[Effect | UnsetType, Meta(title=N_("the effect that would modify rolls"))] = UNSET
    whose: Whose = "you"
    permanent: Annotated[Id | UnsetType, Meta(title=N_("the permanent with which it goes"))] = UNSET

    def __post_init__(self) -> None:
        if (self.ignore is UNSET) == (self.effect is UNSET):
            raise BodyError("what stands has dice ignored, or is an effect: give ignore or effect")

    @property
    def what_stands(self) -> Ignores | Effect:
        """The replacement effect or modifying effect, of which the body has exactly one."""
        what = self.effect if isinstance(self.ignore, UnsetType) else self.ignore
        assert not isinstance(what, UnsetType)
        return what


class DeclareTrigger(DeclareBody, frozen=True, tag="trigger"):
    """A triggered ability that looks at rolls from now on (603)."""

    source: Annotated[RequiredText, Meta(title=N_("the card or ability that says so"))]
    on: Annotated[
        Literal["rolled", "die", "result", "natural", "highest", "won", "lost"], Meta(title=N_("what it triggers on"))
    ]
    range: Annotated[Text | UnsetType, Meta(title=N_("which results or naturals: 20, 1-9, 15+ or 3 or less"))] = UNSET
    whose: Whose = "you"

    def __post_init__(self) -> None:
        if (self.on in ("result", "natural")) == (self.range is UNSET):
            raise BodyError("a trigger on result or natural has a range, and no other trigger has")


class DeclarePermanent(DeclareBody, frozen=True, tag="permanent"):
    """A new permanent, which can store results or have standing effects (706.8)."""

    permanent: Annotated[Id, Meta(title=N_("a short id for the permanent"))]
    name: Annotated[RequiredText, Meta(title=N_("the permanent's name"))]


class DeclareGone(DeclareBody, frozen=True, tag="gone"):
    """The end of such a permanent, of its stored results and its standing effects (706.8)."""

    permanent: Annotated[Id, Meta(title=N_("the permanent that left the battlefield"))]


class DeclareEnds(DeclareBody, frozen=True, tag="ends"):
    """The end of a triggered ability, of a standing effect, or of an effect on the open roll."""

    trigger: Annotated[Positive | UnsetType, Meta(title=N_("the number of the ability that triggers"))] = UNSET
    standing: Standing | UnsetType = UNSET
    roll: RollNumber | UnsetType = UNSET
    effect: Annotated[Positive | UnsetType, Meta(title=N_("the number of the effect"))] = UNSET

    def __post_init__(self) -> None:
        present = {name for name in self.__struct_fields__ if getattr(self, name) is not UNSET}
        if present not in ({"trigger"}, {"standing"}, {"roll", "effect"}):
            raise BodyError("what ends is a trigger, a standing effect or an effect of a roll: give its number")


Declare = DeclareEffect | DeclareStanding | DeclareTrigger | DeclarePermanent | DeclareGone | DeclareEnds

BODIES: Mapping[str, object] = {
    "roll": RollBody,
    "reroll": RerollBody,
    "modify": ModifyBody,
    "ignore": IgnoreBody,
    "resolve": ResolveBody,
    "declare": Declare,
}
"""event type → type that msgspec decodes its body to"""

CLAIMS: Mapping[str, frozenset[str]] = {
    "resolve": frozenset({"results", "rows", "doubles", "total", "highest", "lowest", "best", "heads", "won"})
}
"""event type → members that announce something, which must agree with the dice"""
