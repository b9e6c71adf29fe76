"""A roll with its dice and its purpose (specs/wh40k.md, "State")."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from rules.common.shared import Rerolled, RuledStep, weight
from rules.records import RollStatus
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.terms import Change, Reroll
from rules.systems.wh40k.values import Dice, Step


class Replaced(msgspec.Struct, frozen=True):
    """The step of a die that counts, by a rule, as another number than it shows."""

    replaced: int
    """the former value of the die"""
    source: str


class Die(msgspec.Struct, frozen=True):
    """A die of a roll. It is always a D6."""

    die: int
    naturals: tuple[int, ...]
    value: int
    """the last natural, halved for a D3 (W1)"""
    result: int
    sides: int = 6
    status: Literal["counted", "ignored"] = "counted"
    """`ignored` if a later modifier or ruling removed what the die was rolled for"""
    steps: tuple[Rerolled | Replaced | RuledStep, ...] = ()

    @property
    def ruled(self) -> int | None:
        """The result that a judge ruled, if nothing changed it afterwards; else None."""
        last = self.steps[-1] if self.steps else None
        return last.ruled if isinstance(last, RuledStep) else None

    @property
    def rerolled(self) -> bool:
        """True if it has a second natural."""
        return len(self.naturals) > 1

    @property
    def replaced(self) -> bool:
        """True if a rule gave it another value."""
        return any(isinstance(step, Replaced) for step in self.steps)

    @property
    def fresh(self) -> bool:
        """True if it may still be rerolled (W3)."""
        return self.status == "counted" and not self.rerolled and not self.replaced


class Part(msgspec.Struct, frozen=True):
    """Dice that are added together, or a single die."""

    part: int
    dice: tuple[int, ...]
    unmodified: int
    needs: int | None
    result: int | None = None
    passed: bool | None = None
    steps: tuple[Step, ...] = ()
    discarded: tuple[int, ...] = ()
    """the dice of the part that are not added"""


class Attack(msgspec.Struct, frozen=True):
    """One attack of a bearer."""

    bearer: int
    extra: bool = False
    """whether a trigger made it; then its hit roll sets off no trigger (W23)"""


# --- purposes --------------------------------------------------------------------------------------------------------


class Purpose(msgspec.Struct, frozen=True):
    """The purpose of a roll, with all that settling it needs. `of` is the member `for` of the state."""

    of: ClassVar[str]


class FreePurpose(Purpose, frozen=True):
    """The purpose of a roll that the rules know nothing about."""

    of = "free"


class Off(Purpose, frozen=True):
    """A roll-off (W25)."""

    of = "off"
    players: tuple[str, ...]
    """the players of the dice, in the order of the dice"""


class OfMove(Purpose, frozen=True):
    """The random Move of a unit."""

    of = "move"
    unit: str


class OfSequence(Purpose, frozen=True):
    """A step of a sequence, which is named by its event."""

    sequence: int


class Number(OfSequence, frozen=True):
    """The random number of attacks of a group."""

    of = "attacks"
    group: int
    each: int
    """the number of bearers that each make as many attacks as one part shows"""


class ToHit(OfSequence, frozen=True):
    """The hit roll of a batch."""

    of = "hit"
    attacks: "tuple[tuple[int, Attack], ...]"
    """the attacks, each with the number of its group"""


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
    """The saves against the first wounds."""

    of = "save"
    model: int
    """the model that takes the first of them"""


class OfDamage(OfSequence, frozen=True):
    """The random D of a failed save."""

    of = "damage"


class ToIgnore(OfSequence, frozen=True):
    """The ignoring of wounds from an attack."""

    of = "ignore"
    model: int


class ToIgnoreMortal(OfSequence, frozen=True):
    """The ignoring of mortal wounds that a model was given."""

    of = "ignore"
    model: int


class MortalNumber(OfSequence, frozen=True):
    """The number of mortal wounds, rolled `times` times for the first random ones."""

    of = "mortal"
    times: int


class Roll(msgspec.Struct, frozen=True):
    """A roll: the request, the dice and, once it is settled, the results."""

    roll: int
    player: str
    purpose: Purpose
    source: str
    notation: str
    dice_of_part: Dice
    """the dice of one part"""
    needs: tuple[int | None, ...]
    """the number that each part needs, one entry for each part"""
    test: str | None = None
    """`hit` and `wound` are capped (W15); for these and `save` some naturals always pass or fail (W16)"""
    characteristic: str | None = None
    """the random characteristic that is rolled"""
    changes: tuple[Change, ...] = ()
    rerolls: tuple[Reroll, ...] = ()
    least: int = 0
    """the least result of a part, because of a blast weapon (W24)"""
    at_most: bool = False
    """whether a part passes on the needed number or less"""
    passes: tuple[int, ...] = ()
    """unmodified results that always pass, except those in `fails`"""
    fails: tuple[int, ...] = ()
    """unmodified results that never pass"""
    asked: b.RollBody | None = None
    """the body of the request, which is planned again if an earlier roll of the sequence changes"""
    hits: tuple[tuple[int, int], ...] = ()
    """for a strength, wound or extra roll, the hits of its parts (`Hit.of`, `Extra.of`)"""
    taken: Mapping[str, int] = {}
    """source of a limited reroll rule → number of parts that it rerolled"""
    waived: tuple[str, ...] = ()
    """the players who have waived a reroll of this roll"""
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides of the dice that it draws first."""
        return (6,) * (len(self.needs) * self.dice_of_part.count)

    @property
    def winner(self) -> str | None:
        """The winner of a settled roll-off; else None."""
        won = [part.part for part in self.parts if part.passed] if isinstance(self.purpose, Off) else []
        return self.purpose.players[won[0] - 1] if won and isinstance(self.purpose, Off) else None

    @property
    def entry_weight(self) -> int:
        """The weight of its changes and reroll rules (specs/wh40k.md, "Bounds")."""
        return weight(change.source for change in self.changes) + weight(rule.source for rule in self.rerolls)

    @property
    def load(self) -> int:
        """The weight, times the number of its parts plus one."""
        return self.entry_weight * (len(self.needs) + 1)
