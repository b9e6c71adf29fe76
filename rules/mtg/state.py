"""The state of a Magic game (specs/mtg.md, "State"). Immutable."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.history import History
from rules.language import N_
from rules.mtg.bodies import RollBody
from rules.mtg.table import Range
from rules.shared import Exchanged, Rerolled, RuledStep, Tally


class Adjusted(msgspec.Struct, frozen=True):
    adjust: int
    source: str


_FACES, _BLANK = {1: N_("planeswalk"), 6: N_("chaos")}, N_("blank")


class Die(msgspec.Struct, frozen=True):
    die: int
    sides: int
    planar: bool
    naturals: tuple[int, ...]
    result: int | None
    """None for the planar die, which has no number (706.7)"""
    status: Literal["counted", "ignored"] = "counted"
    steps: tuple[Adjusted | Exchanged | Rerolled | RuledStep, ...] = ()

    @property
    def natural(self) -> int:
        return self.naturals[-1]

    @property
    def counted(self) -> bool:
        return self.status == "counted"

    @property
    def adjusted(self) -> bool:
        """Rerolls come before increases and decreases (706.2b), so the latest of either tells."""
        return self._latest_of(Adjusted, Rerolled) is Adjusted

    @property
    def exchanged(self) -> bool:
        """An exchange comes last (706.2b)."""
        return self._latest_of(Exchanged, Adjusted, Rerolled) is Exchanged

    def _latest_of(self, *kinds: type) -> type | None:
        """The kind of the latest step that is of one of these kinds. There can be a hundred steps before it."""
        return next((type(step) for step in reversed(self.steps) if type(step) in kinds), None)

    @property
    def face(self) -> str | None:
        """What the planar die shows (901.3)."""
        return _FACES.get(self.natural, _BLANK) if self.planar else None


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
    answer: Literal["applied", "declined", "ended"] | None = None

    @property
    def costs(self) -> bool:
        return self.cost is not None or self.mana_cost is not None

    @property
    def declinable(self) -> bool:
        return self.optional or self.costs


class RowResult(msgspec.Struct, frozen=True):
    die: int
    row: int
    """from 1; 0 where no row covers the result"""
    effect: str | None


class Demand(msgspec.Struct, frozen=True):
    """Dice that are still to be ignored."""

    which: Literal["lowest", "highest", "any"]
    count: int


class TableRow(msgspec.Struct, frozen=True):
    range: Range
    effect: str
    again: bool
    optional: bool
    """“You may roll again.”"""


class Done(msgspec.Struct, frozen=True):
    """What was done to a roll between its dice and its resolve, or by a judge after that: for its explanation."""

    what: Literal["ignored", "applied", "declined", "ended", "stored", "ruled"]
    dice: tuple[int, ...] = ()
    effect: int = 0
    """number of the effect that was applied or declined, or that ended"""
    results: tuple[int, ...] = ()
    """what was stored, or ruled, one for each of `dice`"""


class Roll(msgspec.Struct, frozen=True):
    roll: int
    player: str
    source: str
    notation: str
    instruction: RollBody
    """what a “Roll again.” repeats (706.3c)"""
    sides: tuple[int, ...]
    """of all dice to draw, extra ones included"""
    status: Literal["pending", "open", "resolved", "void", "struck", "abandoned"] = "pending"
    dice: tuple[Die, ...] = ()
    effects: tuple[EffectState, ...] = ()
    demands: tuple[Demand, ...] = ()
    table: tuple[TableRow, ...] = ()
    again: int | None = None
    store: str | None = None
    stored: bool = False
    rerolls: str | None = None
    rows: tuple[RowResult, ...] = ()
    doubles: bool | None = None
    announced: bool | None = None
    """whether a “You may roll again.” is taken, as far as the player said"""
    named: int = 0
    """how many effects its body named; those after them were declared for this roll alone (706.3c)"""
    last_trigger: int = 0
    """the highest number of an ability that triggers, when the roll was resolved"""
    course: tuple[Done, ...] = ()
    """in the order of the log; rulings that follow one another are one"""

    @property
    def planar(self) -> bool:
        return self.notation == PLANAR

    @property
    def modifier(self) -> int:
        """The sum of the instruction's own modifiers."""
        modifiers = self.instruction.modifiers
        return 0 if isinstance(modifiers, msgspec.UnsetType) else sum(m.amount for m in modifiers)

    @property
    def summary(self) -> None:
        """Each die has a result of its own, so there is nothing more to say."""

    @property
    def counted(self) -> tuple[Die, ...]:
        return tuple([die for die in self.dice if die.status == "counted"])

    def applicable(self, effect: EffectState) -> list[int]:
        """Numbers of the dice that an effect can be applied to (706.2b, 706.7)."""
        untouched = [die for die in self.counted if not die.exchanged]
        if effect.kind == "reroll":
            return [die.die for die in untouched if not die.adjusted]
        return [die.die for die in untouched if not die.planar]

    @property
    def unanswered(self) -> list[EffectState]:
        if not self.effects:
            return []
        open_ = [effect for effect in self.effects if effect.answer is None]
        possible = {effect.kind: bool(self.applicable(effect)) for effect in {e.kind: e for e in open_}.values()}
        return [effect for effect in open_ if possible[effect.kind]]

    @property
    def makes_again(self) -> bool:
        """Whether a row of these results says “Roll again.” (706.3c)."""
        return any(row.again and not row.optional for row in self._selected)

    @property
    def offers_again(self) -> bool:
        """Whether a row of these results says “You may roll again.” (706.3c)."""
        return any(row.optional for row in self._selected)

    @property
    def _selected(self) -> list[TableRow]:
        return [self.table[row.row - 1] for row in self.rows if row.row] if self.rows else []


PLANAR = N_("planar")


class StoredResult(msgspec.Struct, frozen=True):
    stored: int
    sides: int
    value: int
    roll: int
    die: int


class Permanent(msgspec.Struct, frozen=True):
    name: str
    controller: str
    stored: tuple[StoredResult, ...] = ()
    last: int = 0
    """the highest number given to a stored result"""


class Trigger(msgspec.Struct, frozen=True):
    trigger: int
    controller: str
    source: str
    on: Literal["rolled", "result", "natural", "highest"]
    range: Range | None
    whose: Literal["you", "opponents", "any"]

    def looks_at(self, player: str) -> bool:
        """Whether it triggers on this player's rolls."""
        return self.whose == "any" or (self.whose == "you") == (player == self.controller)

    def number_of(self, die: Die) -> int | None:
        """What of a die it looks at; None for nothing."""
        if die.planar:
            return None
        return die.result if self.on == "result" else die.natural

    def fits(self, number: int | None, sides: int) -> bool:
        if number is None:
            return False
        return number == sides if self.range is None else number in self.range


class Owed(msgspec.Struct, frozen=True):
    owed: int
    trigger: Trigger
    roll: int
    die: int | None


class PendingReroll(msgspec.Struct, frozen=True):
    """A reroll that waits for its dice: `effect` of the open roll, on `dice`."""

    effect: int
    dice: tuple[int, ...]


class PendingStored(msgspec.Struct, frozen=True):
    """Stored results that are being rerolled, by number."""

    permanent: str
    stored: tuple[int, ...]


class Game(msgspec.Struct, frozen=True):
    planechase: bool
    players: Mapping[str, Tally]
    open: Roll | None = None
    """pending or open"""
    pending: PendingReroll | PendingStored | None = None
    """what a pending request replaces, besides a plain roll"""
    again: Roll | None = None
    settled: History[Roll] = History()
    permanents: Mapping[str, Permanent] = {}
    triggers: tuple[Trigger, ...] = ()
    last_trigger: int = 0
    owed: tuple[Owed, ...] = ()
    last_owed: int = 0
    left: frozenset[str] = frozenset()
    """players that left: no “Roll again.” is theirs any more"""

    @property
    def offered(self) -> Roll | None:
        """The roll whose “You may roll again.” is owed but was never asked about: a correction brought it (706.3c)."""
        roll = self.again
        return roll if roll is not None and roll.announced is None and not roll.makes_again else None
