"""The state of a Magic game (specs/mtg.md, "State"). Immutable."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.language import N_
from rules.mtg.bodies import RollBody
from rules.mtg.table import Range
from rules.shared import Rerolled, RuledStep, Tally


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
    steps: tuple[Adjusted | Rerolled | RuledStep, ...] = ()

    @property
    def natural(self) -> int:
        return self.naturals[-1]

    @property
    def counted(self) -> bool:
        return self.status == "counted"

    @property
    def adjusted(self) -> bool:
        return any(isinstance(step, Adjusted) for step in self.steps)

    @property
    def face(self) -> str | None:
        """What the planar die shows (901.3)."""
        return _FACES.get(self.natural, _BLANK) if self.planar else None


class EffectState(msgspec.Struct, frozen=True):
    """An effect of a roll and whether the player who rolled has answered it."""

    effect: int
    source: str
    controller: str
    kind: Literal["reroll", "adjust"]
    amounts: tuple[int, ...]
    scope: Literal["each", "one", "any"]
    optional: bool
    cost: str | None
    mana_cost: str | None
    answer: Literal["applied", "declined"] | None = None

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
        return tuple(die for die in self.dice if die.counted)

    def applicable(self, effect: EffectState) -> list[int]:
        """Numbers of the dice that an effect can be applied to (706.2b, 706.7)."""
        if effect.kind == "reroll":
            return [die.die for die in self.counted if not die.adjusted]
        return [die.die for die in self.counted if not die.planar]

    @property
    def unanswered(self) -> list[EffectState]:
        return [effect for effect in self.effects if effect.answer is None and self.applicable(effect)]


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
    on: Literal["rolled", "result", "natural"]
    range: Range | None
    whose: Literal["you", "opponents", "any"]


class Owed(msgspec.Struct, frozen=True):
    owed: int
    controller: str
    source: str
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
    settled: tuple[Roll, ...] = ()
    permanents: Mapping[str, Permanent] = {}
    triggers: tuple[Trigger, ...] = ()
    last_trigger: int = 0
    owed: tuple[Owed, ...] = ()
    last_owed: int = 0
