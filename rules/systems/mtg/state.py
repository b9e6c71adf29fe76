"""The state of a Magic game (specs/mtg.md, "State"). Immutable."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.base import given
from rules.common.ranges import Range
from rules.common.shared import Exchanged, Rerolled, RuledStep, Tally, weight
from rules.data.language import N_
from rules.history import History
from rules.records import RollStatus
from rules.systems.mtg.bodies import Effect, Ignores, RollBody
from rules.systems.mtg.table import TableRow

__all__ = [
    "COIN",
    "COIN_SIDES",
    "PLANAR",
    "PLANAR_SIDES",
    "Ability",
    "Adjusted",
    "Demand",
    "Die",
    "Done",
    "EffectState",
    "Game",
    "Kind",
    "PendingReroll",
    "Permanent",
    "Roll",
    "RowResult",
    "Standing",
    "StoredResult",
    "Trigger",
    "concerns",
]

PLANAR = "planar"
PLANAR_SIDES = 6
COIN = "coin"
COIN_SIDES = 2
_FACES, _BLANK = {1: N_("planeswalk"), 6: N_("chaos")}, N_("blank")
_COIN_FACES = {1: N_("heads"), 2: N_("tails")}

Kind = tuple[int, str]
"""sides of a die, and what it is where it has no number: `planar` or `coin`, else empty"""


def concerns(only: str | None, kind: Kind) -> bool:
    """Whether an effect for dice of this kind alone, or of any, concerns such a die."""
    sides, special = kind
    return only is None or only == (special or f"d{sides}")


class Adjusted(msgspec.Struct, frozen=True):
    """The step of a die that was increased or decreased."""

    adjust: int
    source: str


class Die(msgspec.Struct, frozen=True):
    die: int
    sides: int
    planar: bool
    coin: bool
    naturals: tuple[int, ...]
    result: int | None
    """None for the planar die and a coin, which have no number (706.7, 705)"""
    status: Literal["counted", "ignored"] = "counted"
    steps: tuple[Adjusted | Exchanged | Rerolled | RuledStep, ...] = ()

    @property
    def kind(self) -> Kind:
        """Its sides, and what it is where it has no number."""
        return self.sides, PLANAR if self.planar else COIN if self.coin else ""

    @property
    def natural(self) -> int:
        return self.naturals[-1]

    @property
    def counted(self) -> bool:
        return self.status == "counted"

    @property
    def adjusted(self) -> bool:
        """Rerolls come before increases and decreases (706.2b), so the latest of either tells."""
        return bool(self.steps) and self._latest_of(Adjusted, Rerolled) is Adjusted

    @property
    def exchanged(self) -> bool:
        """An exchange comes last (706.2)."""
        return bool(self.steps) and self._latest_of(Exchanged, Adjusted, Rerolled) is Exchanged

    def _latest_of(self, *kinds: type) -> type | None:
        """The kind of the latest step that is of one of these kinds. There can be a hundred steps before it."""
        return next((type(step) for step in reversed(self.steps) if type(step) in kinds), None)

    @property
    def face(self) -> str | None:
        """What the planar die shows (901.3), or a coin (705)."""
        return face(self.natural) if self.planar else _COIN_FACES[self.natural] if self.coin else None


def face(natural: int) -> str:
    """What a planar die shows (901.3)."""
    return _FACES.get(natural, _BLANK)


class EffectState(msgspec.Struct, frozen=True):
    """An effect of a roll and whether the player who rolled has answered it."""

    effect: int
    source: str
    controller: str
    kind: Literal["reroll", "adjust", "exchange"]
    amounts: tuple[int, ...]
    number: int | None
    """what a result is exchanged with"""
    scope: Literal["each", "one", "any"]
    optional: bool
    cost: str | None
    mana_cost: str | None
    once: bool
    """for this roll alone, not for its repeat"""
    only: str | None = None
    """the kind of dice that it concerns"""
    standing: int | None = None
    """the number of the standing effect that it came from"""
    answer: Literal["applied", "declined", "ended"] | None = None

    @property
    def costs(self) -> bool:
        return self.cost is not None or self.mana_cost is not None

    @property
    def declinable(self) -> bool:
        return self.optional or self.costs

    @property
    def text(self) -> str:
        """All that it says."""
        return self.source + (self.cost or "") + (self.mana_cost or "")


class RowResult(msgspec.Struct, frozen=True):
    die: int
    row: int
    """from 1; 0 where no row covers the result"""
    effect: str | None


class Demand(msgspec.Struct, frozen=True):
    """Dice that are still to be ignored: `count` of those that count; of a `pair`, of the group `dice`."""

    source: str
    which: Literal["lowest", "highest", "any", "pair"]
    count: int
    dice: tuple[int, ...] = ()
    only: str | None = None
    """the kind of dice that it concerns"""


class Done(msgspec.Struct, frozen=True):
    """What was done to a roll between its dice and its end, or by a judge: for its explanation."""

    what: Literal["ignored", "applied", "declined", "ended", "ruled"]
    dice: tuple[int, ...] = ()
    effect: int = 0
    """number of the effect that was applied or declined, or that ended"""
    results: tuple[int, ...] = ()
    """what was ruled, one for each of `dice`"""
    source: str = ""
    """what has dice ignored"""
    mana_abilities: tuple[str, ...] | None = None
    """those that were activated before a mana cost was paid"""


Whose = Literal["you", "opponents", "any"]


def _looks_at(whose: Whose, controller: str, player: str) -> bool:
    return whose == "any" or (whose == "you") == (player == controller)


class Trigger(msgspec.Struct, frozen=True):
    """An ability that triggers on rolls."""

    trigger: int
    controller: str
    source: str
    on: Literal["rolled", "die", "result", "natural", "highest", "won", "lost"]
    range: Range | None
    whose: Whose

    def looks_at(self, player: str) -> bool:
        """Whether it triggers on this player's rolls."""
        return _looks_at(self.whose, self.controller, player)


class Standing(msgspec.Struct, frozen=True):
    """An effect that was declared once, for every roll that it fits (604)."""

    standing: int
    controller: str
    what: Ignores | Effect
    whose: Whose
    permanent: str | None
    """with which it goes"""
    declared: int
    """the number of the event"""

    @property
    def source(self) -> str:
        return self.what.source

    @property
    def only(self) -> str | None:
        """The kind of dice that it concerns."""
        return given(self.what.only, None)

    @property
    def text(self) -> str:
        """All that it says."""
        if isinstance(self.what, Ignores):
            return self.source
        return self.source + given(self.what.cost, "") + given(self.what.mana_cost, "")

    def looks_at(self, player: str) -> bool:
        """Whether it is for this player's rolls."""
        return _looks_at(self.whose, self.controller, player)

    def fits(self, called: tuple[Kind, ...]) -> bool:
        """Whether it concerns one of the dice that are called for."""
        if isinstance(self.what, Ignores):
            needs_number = self.what.which in ("lowest", "highest")
        else:
            needs_number = self.what.kind != "reroll"
        return any(
            concerns(self.only, kind)
            for kind in called
            if (kind[1] != COIN or self.only == COIN) and not (needs_number and kind[1])
        )


class StoredResult(msgspec.Struct, frozen=True):
    stored: int
    sides: int
    value: int
    roll: int
    die: int


class Permanent(msgspec.Struct, frozen=True):
    name: str
    controller: str
    number: int
    """of its declaration: an id names another permanent once the first is gone"""
    stored: tuple[StoredResult, ...] = ()
    last: int = 0
    """the highest number given to a stored result"""


class Roll(msgspec.Struct, frozen=True):
    roll: int
    player: str
    source: str
    notation: str
    instruction: RollBody
    """what a “Roll again.” repeats (706.3c)"""
    sides: tuple[int, ...]
    """of all dice to draw, those that `ignores` add included"""
    special: tuple[str, ...] = ()
    """of the same dice what they are where they have no number: `planar` or `coin`, else empty"""
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    effects: tuple[EffectState, ...] = ()
    demands: tuple[Demand, ...] = ()
    table: tuple[TableRow, ...] = ()
    again: int | None = None
    joins: int | None = None
    store: str | None = None
    home: int = 0
    """the number of the permanent that `store` names"""
    stored: bool = False
    rerolls: str | None = None
    replaced: tuple[StoredResult, ...] = ()
    """the stored results that it rerolls"""
    rows: tuple[RowResult, ...] = ()
    doubles: bool | None = None
    ignores: tuple[Ignores, ...] = ()
    """all that has dice ignored: the instruction's own, then what stands"""
    standing: tuple[int, ...] = ()
    """the standing effects that were taken in"""
    without: tuple[Standing, ...] = ()
    """those that would have fitted and were left out"""
    no_room: tuple[Standing, ...] = ()
    """those for which there was no room: beyond a bound of dice, effects or load"""
    triggered: tuple[tuple[Trigger, int], ...] = ()
    """abilities that it triggers, and how many times"""
    watching: tuple[Trigger, ...] = ()
    """all abilities that were there when it was settled"""
    declined: bool = False
    """whether the player declined a “You may roll again.”"""
    course: tuple[Done, ...] = ()
    """in the order of the log; rulings that follow one another are one"""

    @property
    def all_planar(self) -> bool:
        """Whether there are planar dice alone in it (706.7)."""
        return all(special == PLANAR for special in self.special)

    @property
    def has_outcome(self) -> bool:
        """Whether it is resolved, or finished and seen as it would be settled."""
        return self.doubles is not None and self.status != "struck"

    @property
    def flips(self) -> bool:
        """Whether coins are flipped (705)."""
        return COIN in self.special

    @property
    def random(self) -> bool:
        """Whether it is a choice at random."""
        return self.instruction.random is True

    @property
    def call(self) -> str | None:
        """What was called before coins were flipped."""
        return given(self.instruction.call, None)

    @property
    def heads(self) -> int | None:
        """How many of the coins show heads; None where none are flipped."""
        return sum(die.natural == 1 for die in self.counted) if self.flips else None

    @property
    def won(self) -> int | None:
        """How many flips were won; None where nothing was called."""
        return None if self.call is None else sum(die.face == self.call for die in self.counted)

    @property
    def modifier(self) -> int:
        """The sum of the instruction's own modifiers."""
        modifiers = self.instruction.modifiers
        return 0 if isinstance(modifiers, msgspec.UnsetType) else sum(m.amount for m in modifiers)

    @property
    def told(self) -> int:
        """What its entries weigh (specs/mtg.md, "706.2"): modifiers, effects, ignores but pairs, the longest row."""
        modifiers, ignores = given(self.instruction.modifiers, ()), self.ignores
        if not (modifiers or self.effects or ignores or self.table):  # as of most rolls
            return 0
        return (
            weight(modifier.source for modifier in modifiers)
            + weight(effect.text for effect in self.effects)
            + weight(rule.source for rule in ignores if rule.which != "pair")
            + max((weight((row.effect,)) for row in self.table), default=0)
        )

    @property
    def load(self) -> int:
        """That, times its dice and one."""
        return self.told * (len(self.sides) + 1)

    @property
    def summary(self) -> None:
        """Each die has a result of its own, so there is nothing more to say."""

    @property
    def counted(self) -> tuple[Die, ...]:
        return tuple([die for die in self.dice if die.status == "counted"])

    @property
    def numbered(self) -> tuple[Die, ...]:
        """The dice that count and have a number."""
        return tuple([die for die in self.dice if die.status == "counted" and die.result is not None])

    @property
    def results(self) -> tuple[int, ...]:
        """Those of the dice that count and have a number."""
        return tuple([die.result for die in self.dice if die.status == "counted" and die.result is not None])

    @property
    def makes_again(self) -> bool:
        """Whether a row of these results says “Roll again.” (706.3c)."""
        return any(row.again is True for row in self._selected)

    @property
    def offers_again(self) -> bool:
        """Whether a row of these results says “You may roll again.”, none says “Roll again.”, and nobody declined."""
        return not self.declined and not self.makes_again and any(row.again == "may" for row in self._selected)

    @property
    def repeats(self) -> bool:
        """Whether its repeat is due or offered."""
        return bool(self.rows) and (self.makes_again or self.offers_again)

    @property
    def _selected(self) -> list[TableRow]:
        return [self.table[row.row - 1] for row in self.rows if row.row] if self.rows else []


class PendingReroll(msgspec.Struct, frozen=True):
    """A reroll that waits for its dice: `effect` of the open roll, on `dice`."""

    effect: int
    dice: tuple[int, ...]
    mana_abilities: tuple[str, ...] | None


class Ability(msgspec.Struct, frozen=True):
    """The latest ability in which several players can roll (706.3b): its first roll, and who has rolled."""

    first: Roll
    rolled: frozenset[str]


class Game(msgspec.Struct, frozen=True):
    planechase: bool
    players: Mapping[str, Tally]
    open: Roll | None = None
    """pending or open"""
    rerolling: PendingReroll | None = None
    """what a pending reroll of dice of the open roll replaces"""
    before: "Game | None" = None
    """the game before the pending roll, which may have settled another"""
    again: Roll | None = None
    """the settled roll whose repeat is due or offered"""
    ability: Ability | None = None
    settled: History[Roll] = History()
    permanents: Mapping[str, Permanent] = {}
    last_permanent: int = 0
    triggers: tuple[Trigger, ...] = ()
    last_trigger: int = 0
    standing: tuple[Standing, ...] = ()
    last_standing: int = 0
    left: frozenset[str] = frozenset()
    """players that left: no repeat is theirs any more"""
