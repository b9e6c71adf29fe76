"""Saving throws (specs/wh40k.md, "Course", W11, W16, W18).

The step asks which model takes the first wound of the batch, and by which save. In a game with fast saves it can be
several at once. A failed save leads to the damage. A save that no die can pass fails automatically, as soon as it is
certain which model takes the wound. Of saves that were rolled at once, each takes effect after what the one before it
led to.
"""

from collections.abc import Iterator
from itertools import takewhile

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.actions import Action
from rules.base import given
from rules.common.shared import refuse
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.damage import inflict
from rules.systems.wh40k.fields import count_of, one_of
from rules.systems.wh40k.next_step import at
from rules.systems.wh40k.record import Roll, ToSave
from rules.systems.wh40k.rolls import of_test
from rules.systems.wh40k.state import AttackGroup, AttackSequence, Game, Model, SaveOutcome, Saving, Unit, Wound
from rules.systems.wh40k.terms import Change, Reroll, RerollAbility
from rules.systems.wh40k.units import (
    alike,
    allocate,
    choose,
    eligible,
    forced_model,
    lose,
    model_option,
    of_model,
    possible,
)
from rules.systems.wh40k.values import Computed, characteristic, highest, roll_result

__all__ = ["fail", "offers", "plan", "settle", "without_roll", "without_save"]


# --- requests ------------------------------------------------------------------------------------------------------


def plan(game: Game, author: str, seq: int, body: b.SaveRoll) -> Roll:
    """Return the save against the first wound of the batch, or the saves in a game with fast saves.
    Raises Violation.
    """
    sequence, step = at(game, author, Saving)
    wound = step.wounds[0]
    group, unit = sequence.group(wound.group), game.units[step.target]
    model = _model(game, unit, given(body.model, None))
    invulnerable = body.invulnerable is True
    needs = _needs(model, group, invulnerable)
    wanted = given(body.count, len(step.wounds))
    most = _together(game, sequence, step, model, invulnerable, wanted)
    count = given(body.count, most)
    if count > len(step.wounds):
        refuse("W19", "{count} saves are too many: {left} wounds are left", count=count, left=len(step.wounds))
    if count > most:
        most = _together(game, sequence, step, model, invulnerable)
        text = N_("saves are rolled one at a time; of these {most} can be rolled together, not {count}")
        refuse("W11", text, most=most, count=count)
    roll = of_test("save", group, ToSave(sequence.sequence, model.model), author, seq, (needs,) * count)
    changes = group.changes("invulnerable") if invulnerable else _armour_changes(group, wound)
    return replace(roll, changes=changes, rerolls=_rules(group, invulnerable))


def without_save(game: Game, author: str, number: int) -> Game:
    """Return the game after the first wound went to a model that cannot save it. Raises Violation W11 or W19."""
    sequence, step = at(game, author, Saving)
    model = allocate(game.units[step.target], number)
    if _can_save(model, sequence.group(step.wounds[0].group), step.wounds[0]):
        refuse("W11", "model {model} may still save: roll for it", model=number)
    return fail(game, sequence, step, number)


def _model(game: Game, unit: Unit, number: int | None) -> Model:
    if number is not None:
        return allocate(unit, number)
    model = forced_model(game, unit)
    if model is None:
        refuse("W11", "say which model of {unit} takes the wound", unit=unit.unit)
    return model


def _needs(model: Model, group: AttackGroup, invulnerable: bool) -> int:
    if invulnerable:
        if isinstance(model.line.invulnerable, UnsetType):
            refuse("W18", "model {model} has no invulnerable save", model=model.model)
        return model.line.invulnerable
    save = _armour(model, group)
    if save.value == "-":
        refuse("W18", "model {model} has no armour save", model=model.model)
    return save.number


def _rules(group: AttackGroup, invulnerable: bool) -> tuple[Reroll, ...]:
    of = ("invulnerable" if invulnerable else "save", "saves")
    return tuple(a.rule for a in group.abilities if isinstance(a, RerollAbility) and a.of in of)


def _armour(model: Model, group: AttackGroup) -> Computed:
    """Return the model's Sv against attacks of the group."""
    return of_model(model, "Sv", group.changes("Sv"))


def _armour_changes(group: AttackGroup, wound: Wound) -> tuple[Change, ...]:
    """Return the changes of an armour save. The AP of the wound is one of them (W18)."""
    ap = characteristic("AP", group.body.AP, (*group.changes("AP"), *wound.changes)).number
    own = (Change("AP", "subtract", -ap),) if ap < 0 else ()
    return (*own, *group.changes("save"))


def _can_save(model: Model, group: AttackGroup, wound: Wound) -> bool:
    """Return whether any die could save the model (W11)."""
    if not isinstance(model.line.invulnerable, UnsetType):
        return True
    save = _armour(model, group)
    return save.value != "-" and roll_result(6, _armour_changes(group, wound), False).number >= save.number


def _together(
    game: Game, sequence: AttackSequence, step: Saving, model: Model, invulnerable: bool, wanted: int | None = None
) -> int:
    """Return how many saves may be rolled together: as many as are of models alike even if each of them fails (W11).

    No more than `wanted` are examined.
    """
    first = step.wounds[0]
    group = sequence.group(first.group)
    limited = any(rule.most is not UNSET for rule in _rules(group, invulnerable))
    if limited or not game.options.fast_saves:
        return 1
    alike_ = _alike(step.wounds[:wanted])
    takers = _Takers(game.units[step.target], model, _most_damage(group))
    for count in range(1, alike_):
        if not takers.take(failed=True):
            return count if takers.stands else alike_
    return alike_


def _most_damage(group: AttackGroup) -> int:
    """Return the most damage that a failed save can lead to, as far as it is known now."""
    dice = group.D.dice
    return group.D.number if dice is None else highest("D", possible(dice), group.changes("D"))


def _alike(wounds: tuple[Wound, ...]) -> int:
    """Return how many of the first wounds are equal."""
    first = wounds[0]
    return sum(1 for _ in takewhile(lambda wound: (wound.group, wound.changes) == (first.group, first.changes), wounds))


def _plain(group: AttackGroup, model: Model) -> bool:
    """Return whether the effect of a failed save on the model is certain, with neither random damage nor ignored
    wounds.
    """
    return isinstance(group.D.value, int) and isinstance(model.line.ignores_wounds, UnsetType)


class _Takers:
    """The models that take the wounds of a batch in turn: one model, and after it is destroyed one like it."""

    def __init__(self, unit: Unit, model: Model, damage: int) -> None:
        """`model` takes the next wound, and each that is not saved costs `damage`."""
        self.damage = max(0, damage)
        self.saved = self.failed = 0
        self.lost: dict[int, int] = {}
        """model → wounds lost in all, for models that had an attack allocated, in the order of allocation"""
        self._unit = unit
        self._chosen = frozenset(unit.chosen)
        self._model: Model | None = model

    def take(self, *, failed: bool) -> bool:
        """Apply the next wound. Return whether a model is there for the wound after it."""
        model = self._model
        assert model is not None, "a model was there"
        lost = self.lost.get(model.model, model.lost)
        if failed:
            self.failed += 1
            lost = min(model.line.W, lost + self.damage)
        else:
            self.saved += 1
        self.lost[model.model] = lost
        if lost >= model.line.W:
            self._model = self._next(model)
        return self._model is not None

    @property
    def stands(self) -> bool:
        """True if any model of the unit is not destroyed."""
        return bool(self._alive)

    @property
    def _alive(self) -> list[Model]:
        return [m for m in self._unit.models if self.lost.get(m.model, m.lost) < m.line.W]

    def _next(self, model: Model) -> Model | None:
        """Return the model that follows a destroyed one, among those that can take the next wound (W11)."""
        alive = self._alive
        first = [m for m in alive if m.lost or m.model in self._chosen] or alive
        return next((other for other in first if alike(other, model)), None)

    def settle(self, game: Game, sequence: AttackSequence, step: Saving) -> Game:
        """Return the game with the wounds that the models took."""
        group = sequence.group(step.wounds[0].group)
        wounds = step.wounds[self.saved + self.failed :]
        group = replace(group, saved=group.saved + self.saved, failed=group.failed + self.failed)
        sequence = replace(sequence.with_group(group), at=Saving(step.target, wounds))
        for number, lost in self.lost.items():
            game = choose(game, step.target, number)
            before = self._unit.models[number - 1].lost
            game, sequence = lose(game, sequence, step.target, number, lost - before, "normal")
        return replace(game, sequence=sequence)


# --- effects of the dice -------------------------------------------------------------------------------------------


def settle(game: Game, sequence: AttackSequence, step: Saving, roll: Roll, purpose: ToSave) -> Game:
    """Return the game after the saves, each against the next wound. A failed one takes effect before the next."""
    unit = game.units[step.target]
    model = _following(unit, unit.models[purpose.model - 1])
    if model is None:
        return game
    group = sequence.group(step.wounds[0].group)
    if not _plain(group, model):
        rolled = [
            replace(wound, rolled=SaveOutcome(purpose.model, part.passed is True))
            for wound, part in zip(step.wounds, roll.parts, strict=False)
        ]
        wounds = (*rolled, *step.wounds[len(rolled) :])
        return replace(game, sequence=replace(sequence, at=Saving(step.target, wounds)))
    takers = _Takers(unit, model, group.D.number)
    for part in roll.parts:
        if not takers.take(failed=not part.passed):
            break
    return takers.settle(game, sequence, step)


def _following(unit: Unit, model: Model) -> Model | None:
    """Return the model that takes the next save: the named one, or one like it if that is destroyed."""
    if not model.destroyed:
        return model
    return next((other for other in eligible(unit) if alike(other, model)), None)


def fail(game: Game, sequence: AttackSequence, step: Saving, model: int) -> Game:
    """Return the game after a model failed to save the first wound of the batch."""
    game = choose(game, step.target, model)
    failed, *wounds = step.wounds
    sequence = sequence.counted({failed.group: 1}, "failed")
    return inflict(game, sequence, step.target, tuple(wounds), failed, model)


def _take_effect(game: Game, sequence: AttackSequence, step: Saving, saved: SaveOutcome) -> Game:
    """Return the game after the save of the first wound, rolled before, took effect.

    If no model like the one that it was rolled for can take the wound, all wounds wait for saves again.
    """
    unit = game.units[step.target]
    model = _following(unit, unit.models[saved.model - 1])
    if model is None:
        wounds = tuple(replace(wound, rolled=None) for wound in step.wounds)
        return replace(game, sequence=replace(sequence, at=Saving(step.target, wounds)))
    if not saved.passed:
        return fail(game, sequence, step, model.model)
    game = choose(game, step.target, model.model)
    sequence = sequence.counted({step.wounds[0].group: 1}, "saved")
    return replace(game, sequence=replace(sequence, at=Saving(step.target, step.wounds[1:])))


def without_roll(game: Game, sequence: AttackSequence, step: Saving) -> Game | None:
    """Return the game after wounds whose saves were rolled before, or that no die could save and whose model nobody
    chooses; None if there are none.

    Equal wounds that no die could save are taken together, until the model is destroyed.
    """
    if (saved := step.wounds[0].rolled) is not None:
        return _take_effect(game, sequence, step, saved)
    unit = game.units[step.target]
    model = forced_model(game, unit)
    group = sequence.group(step.wounds[0].group)
    if model is None or _can_save(model, group, step.wounds[0]):
        return None
    if not _plain(group, model):
        return fail(game, sequence, step, model.model)
    takers = _Takers(unit, model, group.D.number)
    for _ in range(_alike(step.wounds)):
        takers.take(failed=True)
        if takers.lost[model.model] == model.line.W:
            break
    return takers.settle(game, sequence, step)


# --- offers --------------------------------------------------------------------------------------------------------


def offers(game: Game, sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """Yield the saves that the defender can roll now, and the models that can take the wound without one."""
    step = sequence.at
    if not isinstance(step, Saving):
        return
    unit, wound = game.units[step.target], step.wounds[0]
    group = sequence.group(wound.group)
    models = eligible(unit)
    armoured = [model for model in models if _armour(model, group).value != "-"]
    warded = [model for model in models if not isinstance(model.line.invulnerable, UnsetType)]
    sure = forced_model(game, unit)
    for invulnerable, able in ((False, armoured), (True, warded)):
        most = {model.model: _together(game, sequence, step, model, invulnerable) for model in able}
        for wounds in sorted({*most.values()}, reverse=True):
            some = [model for model in able if most[model.model] == wounds]
            optional = sure is not None and sure.model in [m.model for m in some]
            model = one_of("model", N_("the model that takes it"), map(model_option, some), required=not optional)
            count = count_of("count", N_("how many wounds"), wounds, required=False)
            body = {"for": "save", **({"invulnerable": True} if invulnerable else {})}
            label = Message("roll an invulnerable save") if invulnerable else Message("roll a save")
            yield Action("roll", label, "W18", (model, count), body, due)
    lost = [model.model for model in models if not _can_save(model, group, wound)]
    if lost:
        field = one_of("model", N_("the model that takes it"), lost)
        yield Action("resolve", Message("take a wound that no die can save"), "W11", (field,), {}, due)
