"""A roll with its dice, and what it is for: one of the purposes, each with what it needs (specs/wh40k.md, "State")."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from rules.common.shared import Rerolled, RuledStep, weight
from rules.data.language import Message
from rules.records import RollStatus
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.values import Dice, Step


class Replaced(msgspec.Struct, frozen=True):
    """The step of a die that counts as if it had shown something else, by a rule."""

    replaced: int
    """the value that it had"""
    source: str


class Die(msgspec.Struct, frozen=True):
    """A die of a roll; always a D6."""

    die: int
    naturals: tuple[int, ...]
    value: int
    """of the last natural, halved for a D3 (W1)"""
    result: int
    sides: int = 6
    status: Literal["counted", "ignored"] = "counted"
    """ignored: what it was rolled for is no more, by a later modifier or ruling"""
    steps: tuple[Rerolled | Replaced | RuledStep, ...] = ()

    @property
    def ruled(self) -> int | None:
        """What a judge ruled it to be, and no reroll came after."""
        last = self.steps[-1] if self.steps else None
        return last.ruled if isinstance(last, RuledStep) else None

    @property
    def rerolled(self) -> bool:
        """Whether it has a second natural."""
        return len(self.naturals) > 1

    @property
    def replaced(self) -> bool:
        """Whether a rule gave it another value."""
        return any(isinstance(step, Replaced) for step in self.steps)

    @property
    def fresh(self) -> bool:
        """Whether it may still be rerolled (W3)."""
        return self.status == "counted" and not self.rerolled and not self.replaced


class Part(msgspec.Struct, frozen=True):
    """Dice that are added together, or one die."""

    part: int
    dice: tuple[int, ...]
    unmodified: int
    needs: int | None
    result: int | None = None
    passed: bool | None = None
    steps: tuple[Step, ...] = ()
    discarded: tuple[int, ...] = ()
    """dice of it that are not added"""


class Attack(msgspec.Struct, frozen=True):
    """One attack of a bearer."""

    bearer: int
    extra: bool = False
    """made by a trigger: it sets off none on its hit roll (W23)"""


# --- what a roll is for ----------------------------------------------------------------------------------------------


class Purpose(msgspec.Struct, frozen=True):
    """What a roll is for, and what its settling needs to know; `of` is the `for` of the state."""

    of: ClassVar[str]


class Free(Purpose, frozen=True):
    """For nothing that the rules know of."""

    of = "free"


class Off(Purpose, frozen=True):
    """A roll-off (W25)."""

    of = "off"
    players: tuple[str, ...]
    """whose dice these are, in their order"""


class OfMove(Purpose, frozen=True):
    """The Move of a unit."""

    of = "move"
    unit: str


class OfSequence(Purpose, frozen=True):
    """A roll of a sequence, named by its event."""

    sequence: int


class Number(OfSequence, frozen=True):
    """The number of attacks of a group."""

    of = "attacks"
    group: int
    each: int
    """how many bearers make what one part comes to"""


class ToHit(OfSequence, frozen=True):
    """The hit roll of a batch."""

    of = "hit"
    attacks: "tuple[tuple[int, Attack], ...]"
    """that are rolled for, with their groups"""


class OfExtra(OfSequence, frozen=True):
    """Random numbers of extra hits."""

    of = "extra"


class OfStrength(OfSequence, frozen=True):
    """The random S of hits."""

    of = "strength"


class ToWound(OfSequence, frozen=True):
    """The wound roll of hits."""

    of = "wound"


class ToSave(OfSequence, frozen=True):
    """Saves of the first wounds."""

    of = "save"
    model: int
    """the first that takes them"""


class OfDamage(OfSequence, frozen=True):
    """The random D of a failed save."""

    of = "damage"


class ToIgnore(OfSequence, frozen=True):
    """Wounds of an attack that the model would lose."""

    of = "ignore"
    model: int


class ToIgnoreMortal(OfSequence, frozen=True):
    """Mortal wounds that a model is given."""

    of = "ignore"
    model: int


class MortalNumber(OfSequence, frozen=True):
    """How many mortal wounds come of so many `times` of the first random ones that wait."""

    of = "mortal"
    times: int


class Roll(msgspec.Struct, frozen=True):
    """A roll: what was asked, the dice, and what they come to once it is settled."""

    roll: int
    player: str
    purpose: Purpose
    source: str
    notation: str
    dice_of_part: Dice
    """the dice of one part"""
    needs: tuple[int | None, ...]
    """what each part needs, one entry for each part"""
    test: str | None = None
    """`hit` and `wound` are capped (W15); they and `save` pass and fail by themselves (W16)"""
    characteristic: str | None = None
    """the characteristic that is being rolled"""
    changes: tuple[b.Change, ...] = ()
    rerolls: tuple[b.Reroll, ...] = ()
    least: int = 0
    """what a part comes to at least, by a blast weapon (W24)"""
    at_most: bool = False
    """passes on what is needed or less"""
    passes: tuple[int, ...] = ()
    """unmodified results that always pass, but for those that `fails` names"""
    fails: tuple[int, ...] = ()
    """unmodified results that never pass"""
    asked: b.RollBody | None = None
    """the body of a step of a sequence: what is asked again when an earlier roll changes"""
    hits: tuple[tuple[int, int], ...] = ()
    """that its dice were rolled for (`Hit.of`, `Extra.of`), part by part: of a strength, wound or extra roll"""
    taken: Mapping[str, int] = {}
    """source of a limited reroll rule → how many parts were rerolled by it"""
    waived: tuple[str, ...] = ()
    """players who force no reroll of it"""
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def sides(self) -> tuple[int, ...]:
        """Of the dice that it draws first."""
        return (6,) * (len(self.needs) * self.dice_of_part.count)

    @property
    def winner(self) -> str | None:
        """Who has won a roll-off that is computed; else None."""
        won = [part.part for part in self.parts if part.passed] if isinstance(self.purpose, Off) else []
        return self.purpose.players[won[0] - 1] if won and isinstance(self.purpose, Off) else None

    @property
    def told(self) -> int:
        """What its changes and reroll rules weigh (specs/wh40k.md, "Bounds")."""
        return weight(change.source for change in self.changes) + weight(rule.source for rule in self.rerolls)

    @property
    def load(self) -> int:
        """That, times its parts and one."""
        return self.told * (len(self.needs) + 1)

    @property
    def summary(self) -> Message | None:
        """What is added, what each part comes to, and how many pass; modifiers count when the roll is settled."""
        from rules.systems.wh40k.arithmetic import summary  # verifying alone does not need it

        return summary(self)
