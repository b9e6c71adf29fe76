"""The state of a game. Immutable (specs/wh40k.md, "State").

The position of a sequence of attacks is one of the step classes below. Each has exactly the data that its step needs.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from rules.base import given
from rules.common.shared import Tally, refuse, weight
from rules.data.bounds import MAX_DICE
from rules.history import History
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.record import Attack, Roll
from rules.systems.wh40k.terms import (
    AnyAbility,
    AutoHit,
    Blast,
    Change,
    Group,
    NamedResults,
    Reroll,
    RerollAbility,
    Trigger,
    WoundsOn,
)
from rules.systems.wh40k.values import Computed, Step


class Model(msgspec.Struct, frozen=True):
    """A model, with the wounds that it has lost."""

    model: int
    line: b.Line
    kind: int
    """the number of the first model in its unit with the same datasheet"""
    lost: int = 0

    @property
    def destroyed(self) -> bool:
        """True if it has lost as many wounds as its W."""
        return self.lost >= self.line.W

    @property
    def left(self) -> int:
        """The number of wounds that it still has."""
        return self.line.W - self.lost


class Move(msgspec.Struct, frozen=True):
    """The selection of a unit to move (W9)."""

    selected: int
    changes: tuple[Change, ...]
    computed: Computed | None = None


class Unit(msgspec.Struct, frozen=True):
    """A unit on the table."""

    unit: str
    name: str
    player: str
    models: tuple[Model, ...]
    declared: int
    """the number of the event that declared it, because a later unit can have the same id"""
    chosen: tuple[int, ...] = ()
    """the models that had an attack allocated in this phase (W11)"""
    move: Move | None = None
    """its selection to move in this phase"""

    @property
    def alive(self) -> tuple[Model, ...]:
        """Its models that are not destroyed."""
        return tuple(model for model in self.models if not model.destroyed)

    @property
    def stands(self) -> bool:
        """True if any of its models is not destroyed."""
        return any(not model.destroyed for model in self.models)

    @property
    def to_move(self) -> bool:
        """True if it was selected to move and can still roll for it."""
        return self.stands and self.move is not None and self.move.computed is None

    def model(self, number: int, clause: str) -> Model:
        """Return the model with this number. Raises Violation of `clause` if there is none or it is destroyed."""
        if not 1 <= number <= len(self.models):
            refuse(clause, "{unit} has no model {model}", unit=self.unit, model=number)
        model = self.models[number - 1]
        if model.destroyed:
            refuse(clause, "model {model} of {unit} is destroyed", unit=self.unit, model=number)
        return model


class Hit(msgspec.Struct, frozen=True):
    """A hit that waits for its wound roll."""

    group: int
    of: tuple[int, int]
    """the part of the hit roll that made it, and its number among the part's hits: 0, then extra hits from 1"""
    wounds: bool = False
    """whether it wounds without a roll"""
    strength: int | None = None
    """the rolled S; None if S is fixed or not rolled yet"""


class Extra(msgspec.Struct, frozen=True):
    """A random number of extra hits that waits to be rolled."""

    group: int
    of: tuple[int, int]
    """the part of the hit roll that set it off, and the number of the ability"""
    source: str
    amount: str


class SaveOutcome(msgspec.Struct, frozen=True):
    """The outcome of a save that was rolled together with those before it, whose effects come first."""

    model: int
    """the model that the saves were rolled for: it, or one like it, takes the wound"""
    passed: bool


class Wound(msgspec.Struct, frozen=True):
    """A wound that waits for its save."""

    group: int
    of: tuple[int, int]
    """the hit that made it (`Hit.of`), which identifies the wound in its batch"""
    changes: tuple[Change, ...] = ()
    """the changes of its AP by triggers"""
    rolled: SaveOutcome | None = None


class Mortal(msgspec.Struct, frozen=True):
    """Mortal wounds to come: `times` times `amount`, which may be random."""

    target: str
    source: str
    amount: int | str
    times: int


class Loss(msgspec.Struct, frozen=True):
    """The wounds that a model lost through a sequence."""

    unit: str
    model: int
    normal: int = 0
    mortal: int = 0
    slain: int = 0


class AttackGroup(msgspec.Struct, frozen=True):
    """A group of attacks with its computed characteristics."""

    group: int
    body: Group
    skill: Computed
    A: Computed
    S: Computed
    T: Computed
    AP: Computed
    D: Computed
    models: int
    """the number of models in the target when the attacks were declared (W24)"""
    queue: tuple[Attack, ...] | None
    """the remaining attacks; None until their number is known"""
    bearers: tuple[int, ...] = ()
    """the bearers that were not slain"""
    selected: int | None = None
    """the number of attacks when it was declared; None if that is rolled (W12)"""
    started: bool = False
    attacks: int | None = None
    hits: int = 0
    wounds: int = 0
    saved: int = 0
    failed: int = 0

    @property
    def target(self) -> str:
        """The unit that is attacked."""
        return self.body.target

    @property
    def abilities(self) -> tuple[AnyAbility, ...]:
        """The declared abilities in order. Their numbers begin with 1."""
        return given(self.body.abilities, ())

    @property
    def entry_weight(self) -> int:
        """The weight of its modifiers and abilities (specs/wh40k.md, "Bounds")."""
        return weight(m.source for m in given(self.body.modifiers, ())) + weight(a.source for a in self.abilities)

    @property
    def auto_hit(self) -> bool:
        """True if its attacks hit automatically."""
        return any(isinstance(ability, AutoHit) for ability in self.abilities)

    @property
    def blast(self) -> bool:
        """True if its weapon is a blast weapon (W24)."""
        return any(isinstance(ability, Blast) for ability in self.abilities)

    @property
    def left(self) -> bool:
        """True if attacks remain, or their number is not known yet."""
        return self.queue is None or bool(self.queue)

    def changes(self, on: str) -> tuple[Change, ...]:
        """Return the declared changes of a roll or characteristic."""
        return tuple(m.change for m in given(self.body.modifiers, ()) if m.on == on)

    def rerolls(self, of: str) -> tuple[Reroll, ...]:
        """Return the declared reroll rules for such rolls."""
        return tuple(a.rule for a in self.abilities if isinstance(a, RerollAbility) and a.of == of)

    def named(self, kind: type[NamedResults], on: str) -> tuple[int, ...]:
        """Return the unmodified results that abilities of this kind name for such rolls (W16)."""
        return tuple(n for a in self.abilities if isinstance(a, kind) and a.on == on for n in a.results)

    @property
    def wounds_on(self) -> int | None:
        """The number that its hits need to wound, if an ability fixes it; None if S and T decide (W17)."""
        return next((a.needs for a in self.abilities if isinstance(a, WoundsOn)), None)

    def triggers(self, on: str) -> list[tuple[int, Trigger]]:
        """Return the triggers on such a roll, with the numbers of the abilities."""
        return [(n, a) for n, a in enumerate(self.abilities, 1) if isinstance(a, Trigger) and a.on == on]


# --- steps of a sequence ---------------------------------------------------------------------------------------------


class Choosing(msgspec.Struct, frozen=True):
    """The attacker chooses the next attacks. `target` is the one already under attack, or None."""

    target: str | None


class RollingExtra(msgspec.Struct, frozen=True):
    """Numbers of extra hits are rolled. After that, all hits wait for wound rolls."""

    target: str
    hits: tuple[Hit, ...]
    owed: tuple[Extra, ...]

    @property
    def first(self) -> tuple[Extra, ...]:
        """The numbers that are rolled together now."""
        source, amount = self.owed[0].source, self.owed[0].amount
        return tuple(extra for extra in self.owed if (extra.source, extra.amount) == (source, amount))


class RollingStrength(msgspec.Struct, frozen=True):
    """Hits wait for their random S, then for wound rolls."""

    target: str
    hits: tuple[Hit, ...]


class RollingWounds(msgspec.Struct, frozen=True):
    """Hits wait for wound rolls, except those that wound without one."""

    target: str
    hits: tuple[Hit, ...]

    @property
    def rolled(self) -> tuple[Hit, ...]:
        """The hits that need a wound roll."""
        return tuple(hit for hit in self.hits if not hit.wounds)


class Saving(msgspec.Struct, frozen=True):
    """Wounds wait for saves, in their order."""

    target: str
    wounds: tuple[Wound, ...]


class RollingDamage(msgspec.Struct, frozen=True):
    """A save has failed, and the damage is rolled."""

    target: str
    wounds: tuple[Wound, ...]
    """that come after it"""
    failed: Wound
    model: int


class Ignoring(msgspec.Struct, frozen=True):
    """A save has failed, and the model may ignore the damage."""

    target: str
    wounds: tuple[Wound, ...]
    """that come after it"""
    failed: Wound
    model: int
    damage: int


class RollingMortal(msgspec.Struct, frozen=True):
    """The number of mortal wounds on the target is rolled. Attacks on it may remain (W12)."""

    target: str


class Inflicting(msgspec.Struct, frozen=True):
    """The target's player gives mortal wounds to models. Attacks on it may remain (W12)."""

    target: str


class Ended(msgspec.Struct, frozen=True):
    """The sequence has ended."""

    status: Literal["resolved", "struck", "abandoned"]
    target: None = None


At = (
    Choosing
    | RollingExtra
    | RollingStrength
    | RollingWounds
    | Saving
    | RollingDamage
    | Ignoring
    | RollingMortal
    | Inflicting
    | Ended
)
"""the step of a sequence"""


class Limited(msgspec.Struct, frozen=True):
    """The number of parts that limited rules with this source have rerolled in such rolls of the sequence."""

    source: str
    of: str
    taken: int


class AttackSequence(msgspec.Struct, frozen=True):
    """The attacks of a unit, or mortal wounds without attacks."""

    sequence: int
    player: str
    unit: str | None
    """the attacking unit; None for mortal wounds without attacks"""
    at: At
    groups: tuple[AttackGroup, ...] = ()
    mortal: tuple[Mortal, ...] = ()
    damage: Mapping[tuple[str, int], Loss] = {}
    """unit and model → loss, in the order of the first loss of each"""
    limited: tuple[Limited, ...] = ()

    @property
    def status(self) -> Literal["open", "resolved", "struck", "abandoned"]:
        """The status of the sequence, as the state has it."""
        return self.at.status if isinstance(self.at, Ended) else "open"

    @property
    def target(self) -> str | None:
        """The unit under attack, else the one whose mortal wounds come next; None between targets."""
        return self.at.target

    @property
    def targets(self) -> tuple[str, ...]:
        """All units that are attacked or that mortal wounds wait for."""
        return tuple(dict.fromkeys([*(g.target for g in self.groups), *(m.target for m in self.mortal)]))

    def group(self, number: int) -> AttackGroup:
        """Return the group with this number. Raises Violation W19."""
        if not 1 <= number <= len(self.groups):
            refuse("W19", "there is no group {group} in these attacks", group=number)
        return self.groups[number - 1]

    def with_group(self, group: AttackGroup) -> "AttackSequence":
        """Return the sequence with the group in place of the one with its number."""
        groups = (*self.groups[: group.group - 1], group, *self.groups[group.group :])
        return replace(self, groups=groups)

    def counted(self, more: Mapping[int, int], what: str) -> "AttackSequence":
        """Return the sequence with numbers added to the count `what` of groups (hits, wounds, saved or failed)."""
        sequence = self
        for number, count in more.items():
            group = sequence.group(number)
            sequence = sequence.with_group(replace(group, **{what: getattr(group, what) + count}))
        return sequence

    def left_on(self, target: str | None) -> tuple[AttackGroup, ...]:
        """Return the groups with remaining or unknown attacks on the target, or on any target for None."""
        return tuple(group for group in self.groups if group.left and target in (None, group.target))


class Computation(msgspec.Struct, frozen=True):
    """A computed characteristic that a player asked for."""

    declared: int
    player: str
    characteristic: str
    unit: str | None
    model: int | None
    value: int | str
    steps: tuple[Step, ...]


class PlayerTurn(msgspec.Struct, frozen=True):
    """The player whose turn it is, and the phase."""

    player: str
    phase: b.Phase


class WaitingRoll(msgspec.Struct, frozen=True):
    """A roll that waits for its dice. `before` is the game before it, because it may have settled another."""

    roll: Roll
    before: "Game"


class PendingReroll(msgspec.Struct, frozen=True):
    """A pending reroll of dice of the open roll. `rule` is the number of the rule, None for the Command Re-roll."""

    roll: Roll
    before: "Game"
    source: str
    dice: tuple[int, ...]
    rule: int | None


class Undo(msgspec.Struct, frozen=True):
    """The game before the last settled roll. It is kept as long as only requests have come since."""

    roll: Roll
    before: "Game"
    times: int = 0
    """the number of times that the roll was reopened"""

    @property
    def spent(self) -> bool:
        """True if the roll cannot be reopened any more. Each time, all its consequences are computed again."""
        return self.times >= MAX_DICE // len(self.roll.needs)


class Game(msgspec.Struct, frozen=True):
    """The state of a game."""

    options: b.Options
    players: Mapping[str, Tally]
    open: Roll | None = None
    """the roll that is pending or open"""
    pending: WaitingRoll | PendingReroll | None = None
    settled: History[Roll] = History()
    turn: PlayerTurn | None = None
    units: Mapping[str, Unit] = {}
    sequence: AttackSequence | None = None
    sequences: tuple[AttackSequence, ...] = ()
    computed: tuple[Computation, ...] = ()
    command: tuple[str, ...] = ()
    """the players who used or waived the Command Re-roll in this phase"""
    left: frozenset[str] = frozenset()
    undo: Undo | None = None

    def unit_name(self, unit: str) -> str:
        """Return the name of a unit for players, with its id if it shares the name. A unit that is gone has its id."""
        if unit not in self.units:
            return unit
        name = self.units[unit].name
        return name if sum(each.name == name for each in self.units.values()) == 1 else f"{name} ({unit})"
