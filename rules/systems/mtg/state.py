"""The state of a game. Immutable (specs/mtg.md, "State")."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.base import given
from rules.common.ranges import NumberRange
from rules.common.shared import Exchanged, Rerolled, RuledStep, Tally, weight
from rules.data.language import N_
from rules.history import History
from rules.records import RollStatus
from rules.systems.mtg.bodies import Effect, Ignores, RollBody
from rules.systems.mtg.table import ResultRow

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
"""the sides of a die, and `planar` or `coin` for a die without a number, else empty"""


def concerns(only: str | None, kind: Kind) -> bool:
    """Return whether an effect that is limited to the kind `only`, or to none, concerns dice of this kind."""
    sides, special = kind
    return only is None or only == (special or f"d{sides}")


class Adjusted(msgspec.Struct, frozen=True):
    """The step of a die that was increased or decreased."""

    adjust: int
    source: str


class Die(msgspec.Struct, frozen=True):
    """A die, the planar die or a coin of a roll, with what was done to it."""

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
        """The sides of the die, and `planar` or `coin` if it has no number."""
        return self.sides, PLANAR if self.planar else COIN if self.coin else ""

    @property
    def natural(self) -> int:
        """The last natural: a reroll replaces the one before."""
        return self.naturals[-1]

    @property
    def counted(self) -> bool:
        """True if the die is not ignored (706.6)."""
        return self.status == "counted"

    @property
    def adjusted(self) -> bool:
        """True if the die was increased or decreased since its last reroll.

        Rerolls come before increases and decreases (706.2b), so the latest step of either kind decides.
        """
        return bool(self.steps) and self._latest_of(Adjusted, Rerolled) is Adjusted

    @property
    def exchanged(self) -> bool:
        """True if the result was exchanged. An exchange comes last (706.2)."""
        return bool(self.steps) and self._latest_of(Exchanged, Adjusted, Rerolled) is Exchanged

    def _latest_of(self, *kinds: type) -> type | None:
        """Return the type of the latest step that has one of these types.

        The steps are searched from the end, because there can be a hundred of them.
        """
        return next((type(step) for step in reversed(self.steps) if type(step) in kinds), None)

    @property
    def face(self) -> str | None:
        """The face that a planar die (901.3) or a coin (705) shows; None for other dice."""
        return face(self.natural) if self.planar else _COIN_FACES[self.natural] if self.coin else None


def face(natural: int) -> str:
    """Return the face that a planar die shows (901.3)."""
    return _FACES.get(natural, _BLANK)


class EffectState(msgspec.Struct, frozen=True):
    """An effect on a roll, with the answer of the player who rolled."""

    effect: int
    source: str
    controller: str
    kind: Literal["reroll", "adjust", "exchange"]
    amounts: tuple[int, ...]
    number: int | None
    """the number that a result is exchanged with"""
    scope: Literal["each", "one", "any"]
    optional: bool
    cost: str | None
    mana_cost: str | None
    once: bool
    """whether it is for this roll only, not for its repeat"""
    only: str | None = None
    """the kind of dice that it concerns"""
    standing: int | None = None
    """the number of the standing effect that brought it"""
    answer: Literal["applied", "declined", "ended"] | None = None

    @property
    def costs(self) -> bool:
        """True if the effect has a cost, in mana or otherwise."""
        return self.cost is not None or self.mana_cost is not None

    @property
    def declinable(self) -> bool:
        """True if the player can decline the effect: it is optional or has a cost."""
        return self.optional or self.costs

    @property
    def text(self) -> str:
        """All texts of the effect, joined."""
        return self.source + (self.cost or "") + (self.mana_cost or "")


class RowResult(msgspec.Struct, frozen=True):
    """A die, and the row of the results table that contains its result (706.3)."""

    die: int
    row: int
    """the number of the row, from 1; 0 if no row contains the result"""
    effect: str | None


class Demand(msgspec.Struct, frozen=True):
    """Dice that are still to be ignored: `count` of the dice that count, or of the group `dice` for a `pair`."""

    source: str
    which: Literal["lowest", "highest", "any", "pair"]
    count: int
    dice: tuple[int, ...] = ()
    only: str | None = None
    """the kind of dice that it concerns"""


class Done(msgspec.Struct, frozen=True):
    """A step in the course of a roll, for its explanation: an ignored die, an answered effect, a ruling."""

    what: Literal["ignored", "applied", "declined", "ended", "ruled"]
    dice: tuple[int, ...] = ()
    effect: int = 0
    """the number of the effect that was applied or declined, or that ended"""
    results: tuple[int, ...] = ()
    """the results that a judge ruled, one for each of `dice`"""
    source: str = ""
    """the effect because of which dice were ignored"""
    mana_abilities: tuple[str, ...] | None = None
    """the mana abilities that were activated before a mana cost was paid"""


Whose = Literal["you", "opponents", "any"]


def _looks_at(whose: Whose, controller: str, player: str) -> bool:
    return whose == "any" or (whose == "you") == (player == controller)


class Trigger(msgspec.Struct, frozen=True):
    """An ability that triggers on rolls (603)."""

    trigger: int
    controller: str
    source: str
    on: Literal["rolled", "die", "result", "natural", "highest", "won", "lost"]
    range: NumberRange | None
    whose: Whose

    def looks_at(self, player: str) -> bool:
        """Return whether it triggers on this player's rolls."""
        return _looks_at(self.whose, self.controller, player)


class Standing(msgspec.Struct, frozen=True):
    """An effect that was declared once, for every roll that it fits (604)."""

    standing: int
    controller: str
    what: Ignores | Effect
    whose: Whose
    permanent: str | None
    """the permanent with which it ends, if any"""
    declared: int
    """the number of the event that declared it"""

    @property
    def source(self) -> str:
        """The card or ability that says so."""
        return self.what.source

    @property
    def only(self) -> str | None:
        """The kind of dice that it is limited to; None for any."""
        return given(self.what.only, None)

    @property
    def text(self) -> str:
        """All texts of the effect, joined."""
        if isinstance(self.what, Ignores):
            return self.source
        return self.source + given(self.what.cost, "") + given(self.what.mana_cost, "")

    def looks_at(self, player: str) -> bool:
        """Return whether it is for this player's rolls."""
        return _looks_at(self.whose, self.controller, player)

    def fits(self, called: tuple[Kind, ...]) -> bool:
        """Return whether it concerns one of these dice."""
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
    """A result on a permanent, with its number there and the roll and die that it comes from (706.8)."""

    stored: int
    sides: int
    value: int
    roll: int
    die: int


class Permanent(msgspec.Struct, frozen=True):
    """A permanent that can store results (706.8)."""

    name: str
    controller: str
    number: int
    """the number of its declaration, because a later permanent can have the same id"""
    stored: tuple[StoredResult, ...] = ()
    last: int = 0
    """the highest number given to a stored result"""


class Roll(msgspec.Struct, frozen=True):
    """A roll, pending, open or settled."""

    roll: int
    player: str
    source: str
    notation: str
    instruction: RollBody
    """the instruction, which a “Roll again.” repeats (706.3c)"""
    sides: tuple[int, ...]
    """the sides of all dice to draw, including those that `ignores` add"""
    special: tuple[str, ...] = ()
    """for each of these dice `planar` or `coin` if it has no number, else empty"""
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    effects: tuple[EffectState, ...] = ()
    demands: tuple[Demand, ...] = ()
    table: tuple[ResultRow, ...] = ()
    again: int | None = None
    joins: int | None = None
    store: str | None = None
    home: int = 0
    """the number of the permanent that `store` names"""
    stored: bool = False
    rerolls: str | None = None
    replaced: tuple[StoredResult, ...] = ()
    """the stored results that the roll replaces"""
    rows: tuple[RowResult, ...] = ()
    doubles: bool | None = None
    ignores: tuple[Ignores, ...] = ()
    """the effects that have dice ignored: those of the instruction, then standing ones"""
    standing: tuple[int, ...] = ()
    """the numbers of the standing effects that apply"""
    without: tuple[Standing, ...] = ()
    """the standing effects that fit and that the player left out"""
    no_room: tuple[Standing, ...] = ()
    """the standing effects that fit but would exceed a bound of dice, effects or load"""
    triggered: tuple[tuple[Trigger, int], ...] = ()
    """the abilities that it triggers, and how many times"""
    watching: tuple[Trigger, ...] = ()
    """all abilities that existed when it was settled"""
    declined: bool = False
    """whether the player declined a “You may roll again.”"""
    course: tuple[Done, ...] = ()
    """the steps in the order of the log; consecutive rulings are one step"""

    @property
    def all_planar(self) -> bool:
        """True if all its dice are planar (706.7)."""
        return all(special == PLANAR for special in self.special)

    @property
    def has_outcome(self) -> bool:
        """True if it is resolved, or finished and shown as if it were settled."""
        return self.doubles is not None and self.status != "struck"

    @property
    def flips(self) -> bool:
        """True if coins are flipped (705)."""
        return COIN in self.special

    @property
    def random(self) -> bool:
        """True if it is a choice at random."""
        return self.instruction.random is True

    @property
    def call(self) -> str | None:
        """The face that was called before the flip; None without a call."""
        return given(self.instruction.call, None)

    @property
    def heads(self) -> int | None:
        """The number of coins that show heads; None without coins."""
        return sum(die.natural == 1 for die in self.counted) if self.flips else None

    @property
    def won(self) -> int | None:
        """The number of flips that were won; None without a call."""
        return None if self.call is None else sum(die.face == self.call for die in self.counted)

    @property
    def modifier(self) -> int:
        """The sum of the modifiers in the instruction."""
        modifiers = self.instruction.modifiers
        return 0 if isinstance(modifiers, msgspec.UnsetType) else sum(m.amount for m in modifiers)

    @property
    def entry_weight(self) -> int:
        """The weight of its entries: modifiers, effects, ignores except pairs, and the longest row.

        See specs/mtg.md, "706.2".
        """
        modifiers, ignores = given(self.instruction.modifiers, ()), self.ignores
        if not (modifiers or self.effects or ignores or self.table):  # the usual case
            return 0
        return (
            weight(modifier.source for modifier in modifiers)
            + weight(effect.text for effect in self.effects)
            + weight(rule.source for rule in ignores if rule.which != "pair")
            + max((weight((row.effect,)) for row in self.table), default=0)
        )

    @property
    def load(self) -> int:
        """The weight of its entries, times the number of its dice plus one."""
        return self.entry_weight * (len(self.sides) + 1)

    @property
    def counted(self) -> tuple[Die, ...]:
        """The dice that are not ignored, also those without a number."""
        return tuple([die for die in self.dice if die.status == "counted"])

    @property
    def numbered(self) -> tuple[Die, ...]:
        """The dice that count and have a number."""
        return tuple([die for die in self.dice if die.status == "counted" and die.result is not None])

    @property
    def results(self) -> tuple[int, ...]:
        """The results of the dice that count and have a number."""
        return tuple([die.result for die in self.dice if die.status == "counted" and die.result is not None])

    @property
    def makes_again(self) -> bool:
        """True if a row of these results says “Roll again.” (706.3c)."""
        return any(row.again is True for row in self._selected)

    @property
    def offers_again(self) -> bool:
        """True if a row says “You may roll again.”, none says “Roll again.”, and the player has not declined."""
        return not self.declined and not self.makes_again and any(row.again == "may" for row in self._selected)

    @property
    def repeats(self) -> bool:
        """True if its repeat is due or offered."""
        return bool(self.rows) and (self.makes_again or self.offers_again)

    @property
    def _selected(self) -> list[ResultRow]:
        return [self.table[row.row - 1] for row in self.rows if row.row] if self.rows else []


class PendingReroll(msgspec.Struct, frozen=True):
    """A reroll that waits for its dice, by `effect` of the open roll and for its dice `dice`."""

    effect: int
    dice: tuple[int, ...]
    mana_abilities: tuple[str, ...] | None


class Ability(msgspec.Struct, frozen=True):
    """The latest ability in which several players can roll (706.3b): its first roll, and the players
    that have rolled.
    """

    first: Roll
    rolled: frozenset[str]


class Game(msgspec.Struct, frozen=True):
    """The state of a game, which no event changes: each returns a new one."""

    planechase: bool
    players: Mapping[str, Tally]
    open: Roll | None = None
    """the roll that is pending or open"""
    rerolling: PendingReroll | None = None
    """the pending reroll of dice of the open roll"""
    before: "Game | None" = None
    """the game before the pending roll, because the request may have settled another roll"""
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
    """the players that have left; none of them has to repeat a roll"""
