"""The state of a Warhammer 40,000 game (specs/wh40k.md, "State"). Immutable."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from rules.base import given
from rules.history import History
from rules.shared import Rerolled, RuledStep, Tally, refuse
from rules.wh40k import bodies as b
from rules.wh40k.values import Computed, Dice, Step

_SIGNS = {"divide": "/", "multiply": "×", "add": "+", "subtract": "-"}

Status = Literal["pending", "open", "resolved", "void", "struck", "abandoned"]


class Die(msgspec.Struct, frozen=True):
    die: int
    naturals: tuple[int, ...]
    value: int
    """of the last natural, halved for a D3 (W1)"""
    result: int
    sides: int = 6
    status: Literal["counted", "ignored"] = "counted"
    """ignored: what it was rolled for is no more, by a later modifier or ruling"""
    steps: tuple[Rerolled | RuledStep, ...] = ()

    @property
    def ruled(self) -> int | None:
        """What a judge ruled it to be, and no reroll came after."""
        last = self.steps[-1] if self.steps else None
        return last.ruled if isinstance(last, RuledStep) else None

    @property
    def rerolled(self) -> bool:
        return len(self.naturals) > 1


class Part(msgspec.Struct, frozen=True):
    """Dice that are added together, or one die."""

    part: int
    dice: tuple[int, ...]
    unmodified: int
    needs: int | None
    result: int | None = None
    passed: bool | None = None
    steps: tuple[Step, ...] = ()


class Purpose(msgspec.Struct, frozen=True):
    """What a roll is for, and what its settling needs to know."""

    of: str
    """the `for` of its body"""
    sequence: int | None = None
    unit: str | None = None
    groups: tuple[int, ...] = ()
    count: int = 0
    model: int | None = None
    attacks: "tuple[tuple[int, Attack], ...]" = ()
    """of a hit roll: the attacks that are rolled for, with their groups"""


class Roll(msgspec.Struct, frozen=True):
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
    asked: b.RollBody | None = None
    """the body of a step of a sequence: what is asked again when an earlier roll changes"""
    status: Status = "pending"
    dice: tuple[Die, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def sides(self) -> tuple[int, ...]:
        return (6,) * (len(self.needs) * self.dice_of_part.count)

    @property
    def summary(self) -> str | None:
        """What is added, what each part comes to, and how many pass; modifiers count when the roll is settled."""
        plain = self.dice_of_part == Dice(1, 6, 0) and set(self.needs) == {None}
        if not self.parts or (plain and not self.changes and not self.least):
            return None
        settled = self.parts[0].result is not None
        order = sorted((c for c in self.changes if settled and c.op in _SIGNS), key=lambda c: list(_SIGNS).index(c.op))
        change = " ".join(f"{_SIGNS[c.op]} {c.amount}" for c in order)
        plus = f"+ {self.dice_of_part.plus} " if self.dice_of_part.plus else ""
        results = ", ".join(str(part.unmodified if part.result is None else part.result) for part in self.parts)
        text = f"{plus}{change} = {results}".strip().replace("  ", " ")
        needs = set(self.needs)
        if not settled or needs == {None}:
            return text
        passed = sum(part.passed is True for part in self.parts)
        told = f"{needs.pop()}+" if len(needs) == 1 else "passed"
        if len(self.parts) > 1:
            return f"{text}; {told}: {passed} of {len(self.parts)}"
        return f"{text}, {told} {'succeeds' if passed else 'fails'}"


class Model(msgspec.Struct, frozen=True):
    model: int
    line: b.Line
    lost: int = 0

    @property
    def destroyed(self) -> bool:
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
        return tuple(model for model in self.models if not model.destroyed)

    @property
    def to_move(self) -> bool:
        """Whether it was selected to move, and is there to roll for it."""
        return bool(self.alive) and self.move is not None and self.move.computed is None

    def model(self, number: int, clause: str) -> Model:
        """The model, which must be there and not destroyed: else Violation of `clause`."""
        if not 1 <= number <= len(self.models):
            refuse(clause, "{unit} has no model {model}", unit=self.unit, model=number)
        model = self.models[number - 1]
        if model.destroyed:
            refuse(clause, "model {model} of {unit} is destroyed", unit=self.unit, model=number)
        return model


class Attack(msgspec.Struct, frozen=True):
    bearer: int
    extra: bool = False
    """made by a trigger: it sets off none on its hit roll (W23)"""


class Hit(msgspec.Struct, frozen=True):
    group: int
    of: tuple[int, int] = (0, 0)
    """the part of the hit roll that made it, and which of its hits it is: 0 its own, then the extra ones"""
    wounds: bool = False
    """without a wound roll"""
    strength: int | None = None
    """as rolled, where S is random"""


class Wound(msgspec.Struct, frozen=True):
    group: int
    changes: tuple[b.Change, ...] = ()
    """of its AP, by triggers"""


class Unsaved(msgspec.Struct, frozen=True):
    group: int
    model: int
    damage: int | None


class Batch(msgspec.Struct, frozen=True):
    """The attacks that are being resolved."""

    hits: tuple[Hit, ...] = ()
    wounds: tuple[Wound, ...] = ()
    unsaved: Unsaved | None = None


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
    started: bool = False
    attacks: int | None = None
    hits: int = 0
    wounds: int = 0
    saved: int = 0
    failed: int = 0

    @property
    def target(self) -> str:
        return self.body.target

    @property
    def abilities(self) -> tuple[b.AnyAbility, ...]:
        return given(self.body.abilities, ())

    @property
    def auto_hit(self) -> bool:
        return any(isinstance(ability, b.AutoHit) for ability in self.abilities)

    @property
    def blast(self) -> bool:
        return any(isinstance(ability, b.Blast) for ability in self.abilities)

    @property
    def left(self) -> bool:
        """Whether attacks of the group are left, or not known yet."""
        return self.queue is None or bool(self.queue)

    def changes(self, on: str) -> tuple[b.Change, ...]:
        """The declared changes of a roll or characteristic."""
        return tuple(m.change for m in given(self.body.modifiers, ()) if m.on == on)

    def rerolls(self, of: str) -> tuple[b.Reroll, ...]:
        return tuple(a.rule for a in self.abilities if isinstance(a, b.RerollAbility) and a.of == of)

    def triggers(self, on: str) -> list[tuple[int, b.Trigger]]:
        """The triggers on such a roll, with the numbers of the abilities."""
        return [(n, a) for n, a in enumerate(self.abilities, 1) if isinstance(a, b.Trigger) and a.on == on]


class Sequence(msgspec.Struct, frozen=True):
    """A unit's attacks, or mortal wounds without attacks."""

    sequence: int
    player: str
    unit: str | None
    groups: tuple[Group, ...] = ()
    status: Literal["open", "resolved", "struck", "abandoned"] = "open"
    target: str | None = None
    batch: Batch | None = None
    mortal: tuple[Mortal, ...] = ()
    damage: tuple[Loss, ...] = ()

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*(g.target for g in self.groups), *(m.target for m in self.mortal)]))

    def group(self, number: int) -> Group:
        if not 1 <= number <= len(self.groups):
            refuse("W19", "there is no group {group} in these attacks", group=number)
        return self.groups[number - 1]

    def with_group(self, group: Group) -> "Sequence":
        groups = (*self.groups[: group.group - 1], group, *self.groups[group.group :])
        return replace(self, groups=groups)

    def counted(self, more: Mapping[int, int], what: str) -> "Sequence":
        """The sequence with so many more hits, wounds, saved or failed (`what`) in groups, by their numbers."""
        sequence = self
        for number, count in more.items():
            group = sequence.group(number)
            sequence = sequence.with_group(replace(group, **{what: getattr(group, what) + count}))
        return sequence


class Next(msgspec.Struct, frozen=True):
    """What is to be done next in a sequence: by whom, and with how many dice where no choice decides that."""

    player: str
    step: str
    dice: int | None = None


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
    player: str
    phase: str


class PendingReroll(msgspec.Struct, frozen=True):
    source: str
    dice: tuple[int, ...]
    command: bool


class Pending(msgspec.Struct, frozen=True):
    """A request that waits for its dice: the game before it, and what it rerolls if it is no new roll."""

    before: "Game"
    reroll: PendingReroll | None = None


class Undo(msgspec.Struct, frozen=True):
    """The game before the roll that was settled last, as long as nothing but requests came after."""

    roll: int
    before: "Game"


class Game(msgspec.Struct, frozen=True):
    fast_rolling: bool
    players: Mapping[str, Tally]
    open: Roll | None = None
    """pending or open"""
    pending: Pending | None = None
    settled: History[Roll] = History()
    turn: Turn | None = None
    units: Mapping[str, Unit] = {}
    sequence: Sequence | None = None
    sequences: tuple[Sequence, ...] = ()
    computed: tuple[Computation, ...] = ()
    command: tuple[str, ...] = ()
    undo: Undo | None = None
