"""The state of a Warhammer 40,000 game (specs/wh40k.md, "State"). Immutable.

Where a sequence of attacks stands is one of the steps below, each with what it needs and nothing else.
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
from rules.systems.wh40k.values import Computed, Step


class Model(msgspec.Struct, frozen=True):
    """A model with the wounds that it has lost."""

    model: int
    line: b.Line
    kind: int
    """the first model of its unit with the same datasheet"""
    lost: int = 0

    @property
    def destroyed(self) -> bool:
        """Whether it has lost as many wounds as its W."""
        return self.lost >= self.line.W

    @property
    def left(self) -> int:
        """Wounds that it still has."""
        return self.line.W - self.lost


class Move(msgspec.Struct, frozen=True):
    """A unit's selection to move (W9)."""

    selected: int
    changes: tuple[b.Change, ...]
    computed: Computed | None = None


class Unit(msgspec.Struct, frozen=True):
    """A unit on the table."""

    unit: str
    name: str
    player: str
    models: tuple[Model, ...]
    declared: int
    """the event that declared it: a unit with the same id, declared later, is another"""
    chosen: tuple[int, ...] = ()
    """models that had an attack allocated in this phase (W11)"""
    move: Move | None = None
    """its selection to move in this phase"""

    @property
    def alive(self) -> tuple[Model, ...]:
        """Its models that are not destroyed."""
        return tuple(model for model in self.models if not model.destroyed)

    @property
    def stands(self) -> bool:
        """Whether any model is not destroyed."""
        return any(not model.destroyed for model in self.models)

    @property
    def to_move(self) -> bool:
        """Whether it was selected to move, and is there to roll for it."""
        return self.stands and self.move is not None and self.move.computed is None

    def model(self, number: int, clause: str) -> Model:
        """The model, which must be there and not destroyed: else Violation of `clause`."""
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
    """the part of the hit roll that made it, and which of its hits it is: 0 its own, then the extra ones"""
    wounds: bool = False
    """without a wound roll"""
    strength: int | None = None
    """as rolled, where S is random"""


class Extra(msgspec.Struct, frozen=True):
    """A random number of extra hits that waits to be rolled."""

    group: int
    of: tuple[int, int]
    """the part of the hit roll that set it off, and the number of the ability"""
    source: str
    amount: str


class Wound(msgspec.Struct, frozen=True):
    """A wound that waits for its save."""

    group: int
    of: tuple[int, int]
    """the hit that made it (`Hit.of`): which wound of its batch it is"""
    changes: tuple[b.Change, ...] = ()
    """of its AP, by triggers"""


class Mortal(msgspec.Struct, frozen=True):
    """Mortal wounds to come: `times` times `amount`, which may be a random value."""

    target: str
    source: str
    amount: int | str
    times: int


class Loss(msgspec.Struct, frozen=True):
    """Wounds that a model lost through a sequence."""

    unit: str
    model: int
    normal: int = 0
    mortal: int = 0
    slain: int = 0


class Group(msgspec.Struct, frozen=True):
    """A group of attacks with its characteristics computed."""

    group: int
    body: b.Group
    skill: Computed
    A: Computed
    S: Computed
    T: Computed
    AP: Computed
    D: Computed
    models: int
    """of the target, when the attacks were declared (W24)"""
    queue: tuple[Attack, ...] | None
    """attacks left; None until their number is known"""
    bearers: tuple[int, ...] = ()
    """those that were not slain"""
    selected: int | None = None
    """its attacks when it was declared; None where their number is rolled (W12)"""
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
    def abilities(self) -> tuple[b.AnyAbility, ...]:
        """What was declared, in order: they are numbered from 1."""
        return given(self.body.abilities, ())

    @property
    def told(self) -> int:
        """What its modifiers and abilities weigh (specs/wh40k.md, "Bounds")."""
        return weight(m.source for m in given(self.body.modifiers, ())) + weight(a.source for a in self.abilities)

    @property
    def auto_hit(self) -> bool:
        """Whether its attacks hit without a roll."""
        return any(isinstance(ability, b.AutoHit) for ability in self.abilities)

    @property
    def blast(self) -> bool:
        """Whether its weapon is a blast weapon (W24)."""
        return any(isinstance(ability, b.Blast) for ability in self.abilities)

    @property
    def left(self) -> bool:
        """Whether attacks of the group are left, or not known yet."""
        return self.queue is None or bool(self.queue)

    def changes(self, on: str) -> tuple[b.Change, ...]:
        """The declared changes of a roll or characteristic."""
        return tuple(m.change for m in given(self.body.modifiers, ()) if m.on == on)

    def rerolls(self, of: str) -> tuple[b.Reroll, ...]:
        """The declared reroll rules of such rolls."""
        return tuple(a.rule for a in self.abilities if isinstance(a, b.RerollAbility) and a.of == of)

    def named(self, kind: type[b.NamedResults], on: str) -> tuple[int, ...]:
        """The unmodified results of such rolls that abilities of this kind name (W16)."""
        return tuple(n for a in self.abilities if isinstance(a, kind) and a.on == on for n in a.results)

    @property
    def wounds_on(self) -> int | None:
        """What its hits need to wound, whatever S and T are; None where S and T tell (W17)."""
        return next((a.needs for a in self.abilities if isinstance(a, b.WoundsOn)), None)

    def triggers(self, on: str) -> list[tuple[int, b.Trigger]]:
        """The triggers on such a roll, with the numbers of the abilities."""
        return [(n, a) for n, a in enumerate(self.abilities, 1) if isinstance(a, b.Trigger) and a.on == on]


# --- where a sequence stands -----------------------------------------------------------------------------------------


class Choosing(msgspec.Struct, frozen=True):
    """The attacker chooses which attacks come next; `target` is under way, or None."""

    target: str | None


class RollingExtra(msgspec.Struct, frozen=True):
    """Numbers of extra hits are rolled, before all hits wait for wound rolls."""

    target: str
    hits: tuple[Hit, ...]
    owed: tuple[Extra, ...]

    @property
    def first(self) -> tuple[Extra, ...]:
        """Those that are rolled together now."""
        source, amount = self.owed[0].source, self.owed[0].amount
        return tuple(extra for extra in self.owed if (extra.source, extra.amount) == (source, amount))


class RollingStrength(msgspec.Struct, frozen=True):
    """Hits wait for their random S, then for wound rolls."""

    target: str
    hits: tuple[Hit, ...]


class RollingWounds(msgspec.Struct, frozen=True):
    """Hits wait for wound rolls, but those that wound without one."""

    target: str
    hits: tuple[Hit, ...]

    @property
    def rolled(self) -> tuple[Hit, ...]:
        """Those that need a wound roll."""
        return tuple(hit for hit in self.hits if not hit.wounds)


class Saving(msgspec.Struct, frozen=True):
    """Wounds wait for saves, the first one first."""

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
    """The number of mortal wounds on the target is rolled; attacks on it may be left (W12)."""

    target: str


class Inflicting(msgspec.Struct, frozen=True):
    """The target's player gives mortal wounds to models; attacks on it may be left (W12)."""

    target: str


class Ended(msgspec.Struct, frozen=True):
    """Nothing is left to be done."""

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
"""where a sequence stands"""


class Limited(msgspec.Struct, frozen=True):
    """What rules with `most` and this source have rerolled of such rolls of the sequence."""

    source: str
    of: str
    taken: int


class AttackSequence(msgspec.Struct, frozen=True):
    """A unit's attacks, or mortal wounds without attacks."""

    sequence: int
    player: str
    unit: str | None
    """None for mortal wounds without attacks"""
    at: At
    groups: tuple[Group, ...] = ()
    mortal: tuple[Mortal, ...] = ()
    damage: Mapping[tuple[str, int], Loss] = {}
    """unit and model → what it lost, in the order of the first"""
    limited: tuple[Limited, ...] = ()

    @property
    def status(self) -> Literal["open", "resolved", "struck", "abandoned"]:
        """How it stands, in the words of the state."""
        return self.at.status if isinstance(self.at, Ended) else "open"

    @property
    def target(self) -> str | None:
        """The one under way, else the one whose mortal wounds come next."""
        return self.at.target

    @property
    def targets(self) -> tuple[str, ...]:
        """All that it attacks or that mortal wounds wait on."""
        return tuple(dict.fromkeys([*(g.target for g in self.groups), *(m.target for m in self.mortal)]))

    def group(self, number: int) -> Group:
        """The group with this number: else Violation W19."""
        if not 1 <= number <= len(self.groups):
            refuse("W19", "there is no group {group} in these attacks", group=number)
        return self.groups[number - 1]

    def with_group(self, group: Group) -> "AttackSequence":
        """The sequence with the group in its place."""
        groups = (*self.groups[: group.group - 1], group, *self.groups[group.group :])
        return replace(self, groups=groups)

    def counted(self, more: Mapping[int, int], what: str) -> "AttackSequence":
        """The sequence with so many more hits, wounds, saved or failed (`what`) in groups, by their numbers."""
        sequence = self
        for number, count in more.items():
            group = sequence.group(number)
            sequence = sequence.with_group(replace(group, **{what: getattr(group, what) + count}))
        return sequence

    def left_on(self, target: str | None) -> tuple[Group, ...]:
        """Groups with attacks left, or not known yet: on the target, or on any for None."""
        return tuple(group for group in self.groups if group.left and target in (None, group.target))


class Computation(msgspec.Struct, frozen=True):
    """A characteristic that a player asked for."""

    declared: int
    player: str
    characteristic: str
    unit: str | None
    model: int | None
    value: int | str
    steps: tuple[Step, ...]


class Turn(msgspec.Struct, frozen=True):
    """Whose turn it is, and its phase."""

    player: str
    phase: b.Phase


class PendingRoll(msgspec.Struct, frozen=True):
    """A roll that waits for its dice, and the game before it, which may have settled another."""

    roll: Roll
    before: "Game"


class PendingReroll(msgspec.Struct, frozen=True):
    """Dice of the open roll that are rolled again; `rule` is its number, None for the Command Re-roll."""

    roll: Roll
    before: "Game"
    source: str
    dice: tuple[int, ...]
    rule: int | None


class Undo(msgspec.Struct, frozen=True):
    """The game before the roll that was settled last, as long as nothing but requests came after."""

    roll: Roll
    before: "Game"
    times: int = 0
    """how often it has been taken up again"""

    @property
    def spent(self) -> bool:
        """Whether it cannot be taken up again: all that came of it is worked out anew each time."""
        return self.times >= MAX_DICE // len(self.roll.needs)


class Game(msgspec.Struct, frozen=True):
    """All of a game."""

    options: b.Options
    players: Mapping[str, Tally]
    open: Roll | None = None
    """pending or open"""
    pending: PendingRoll | PendingReroll | None = None
    settled: History[Roll] = History()
    turn: Turn | None = None
    units: Mapping[str, Unit] = {}
    sequence: AttackSequence | None = None
    sequences: tuple[AttackSequence, ...] = ()
    computed: tuple[Computation, ...] = ()
    command: tuple[str, ...] = ()
    """who used or waived the Command Re-roll in this phase"""
    left: frozenset[str] = frozenset()
    undo: Undo | None = None
