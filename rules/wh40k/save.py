"""Saving throws (specs/wh40k.md, "Course", W11, W16, W18).

Asked: which model takes the first wound of the batch, and by which save; in a game with fast saves several at once. A
failed save brings the damage; a save that nothing can pass fails by itself where it is decided which model takes it.
"""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.actions import Action
from rules.base import given
from rules.language import N_, Message
from rules.shared import refuse
from rules.wh40k import bodies as b
from rules.wh40k.damage import inflict
from rules.wh40k.fields import count_of, one_of
from rules.wh40k.order import at
from rules.wh40k.record import Roll, ToSave
from rules.wh40k.rolls import of_test
from rules.wh40k.state import Game, Group, Model, Saving, Sequence, Unit, Wound
from rules.wh40k.units import alike, allocate, choose, decided, eligible, of_model, wounded
from rules.wh40k.values import Computed, characteristic, roll_result

__all__ = ["fail", "offers", "plan", "settle", "unsaved", "without_roll"]


# --- asked ---------------------------------------------------------------------------------------------------------


def plan(game: Game, author: str, seq: int, body: b.SaveRoll) -> Roll:
    """The save, or in a game with fast saves the saves, of the first wounds of the batch."""
    sequence, step = at(game, author, Saving)
    wound = step.wounds[0]
    group, unit = sequence.group(wound.group), game.units[step.target]
    model = _model(game, unit, given(body.model, None))
    invulnerable = body.invulnerable is True
    needs = _needs(model, group, invulnerable)
    most = _together(game, sequence, step, model, invulnerable)
    count = given(body.count, most)
    if count > len(step.wounds):
        refuse("W19", "{count} saves are too many: {left} wounds are left", count=count, left=len(step.wounds))
    if count > most:
        text = "saves are rolled one at a time; of these {most} can be rolled together, not {count}"
        refuse("W11", text, most=most, count=count)
    roll = of_test("save", group, ToSave(sequence.sequence, model.model), author, seq, (needs,) * count)
    changes = group.changes("invulnerable") if invulnerable else _armour_changes(group, wound)
    return replace(roll, changes=changes, rerolls=_rules(group, invulnerable))


def unsaved(game: Game, author: str, number: int) -> Game:
    """The first wound goes to a model that cannot save it."""
    sequence, step = at(game, author, Saving)
    model = allocate(game.units[step.target], number)
    if _can_save(model, sequence.group(step.wounds[0].group), step.wounds[0]):
        refuse("W11", "model {model} may still save: roll for it", model=number)
    return fail(game, sequence, step, number)


def _model(game: Game, unit: Unit, number: int | None) -> Model:
    if number is not None:
        return allocate(unit, number)
    model = decided(game, unit)
    if model is None:
        refuse("W11", "say which model of {unit} takes the wound", unit=unit.unit)
    return model


def _needs(model: Model, group: Group, invulnerable: bool) -> int:
    if invulnerable:
        if isinstance(model.line.invulnerable, UnsetType):
            refuse("W18", "model {model} has no invulnerable save", model=model.model)
        return model.line.invulnerable
    save = _armour(model, group)
    if save.value == "-":
        refuse("W18", "model {model} has no armour save", model=model.model)
    return save.number


def _rules(group: Group, invulnerable: bool) -> tuple[b.Reroll, ...]:
    of = ("invulnerable" if invulnerable else "save", "saves")
    return tuple(a.rule for a in group.abilities if isinstance(a, b.RerollAbility) and a.of in of)


def _armour(model: Model, group: Group) -> Computed:
    """The model's Sv against attacks of the group."""
    return of_model(model, "Sv", group.changes("Sv"))


def _armour_changes(group: Group, wound: Wound) -> tuple[b.Change, ...]:
    """The changes of an armour save: the wound's AP is one of them (W18)."""
    ap = characteristic("AP", group.body.AP, (*group.changes("AP"), *wound.changes)).number
    own = (b.Change("AP", "subtract", -ap),) if ap < 0 else ()
    return (*own, *group.changes("save"))


def _can_save(model: Model, group: Group, wound: Wound) -> bool:
    """Whether any die could save the model (W11)."""
    if not isinstance(model.line.invulnerable, UnsetType):
        return True
    save = _armour(model, group)
    return save.value != "-" and roll_result(6, _armour_changes(group, wound), False).number >= save.number


def _together(game: Game, sequence: Sequence, step: Saving, model: Model, invulnerable: bool) -> int:
    """How many saves may be rolled together: as many as are sure to be rolled so if each fails (W11)."""
    first = step.wounds[0]
    group = sequence.group(first.group)
    damage = group.D.value
    limited = any(rule.most is not UNSET for rule in _rules(group, invulnerable))
    alone = limited or not isinstance(damage, int) or not isinstance(model.line.ignores_wounds, UnsetType)
    if alone or not game.options.fast_saves or isinstance(damage, str):
        return 1
    unit, taker = game.units[step.target], model
    count = 0
    for wound in step.wounds:
        if (wound.group, wound.changes) != (first.group, first.changes):
            break
        count += 1
        unit = wounded(_chosen(unit, taker.model), taker.model, min(taker.line.W, taker.lost + max(0, damage)))
        following = _following(unit, taker)
        if following is None:
            break
        taker = following
    return count


def _chosen(unit: Unit, model: int) -> Unit:
    return replace(unit, chosen=(*unit.chosen, model))


def _following(unit: Unit, model: Model) -> Model | None:
    """The model that takes the next save of several: the same, or when it is destroyed one alike."""
    now = unit.models[model.model - 1]
    if not now.destroyed:
        return now
    return next((other for other in eligible(unit) if alike(other, model)), None)


# --- what the dice do ----------------------------------------------------------------------------------------------


def settle(game: Game, sequence: Sequence, step: Saving, roll: Roll, purpose: ToSave) -> Game:
    """Each die is the save of the next wound; what fails is suffered before the next is looked at."""
    model: Model | None = game.units[step.target].models[purpose.model - 1]
    for part in roll.parts:
        model = None if model is None else _following(game.units[step.target], model)
        if game.sequence is None or not isinstance(game.sequence.at, Saving) or model is None:
            break
        sequence, step = game.sequence, game.sequence.at
        if not part.passed:
            game = fail(game, sequence, step, model.model)
            continue
        game = choose(game, step.target, model.model)
        sequence = sequence.counted({step.wounds[0].group: 1}, "saved")
        game = replace(game, sequence=replace(sequence, at=Saving(step.target, step.wounds[1:])))
    return game


def fail(game: Game, sequence: Sequence, step: Saving, model: int) -> Game:
    """The first wound of the batch is not saved by the model."""
    game = choose(game, step.target, model)
    failed, *wounds = step.wounds
    sequence = sequence.counted({failed.group: 1}, "failed")
    return inflict(game, sequence, step.target, tuple(wounds), failed, model)


def without_roll(game: Game, sequence: Sequence, step: Saving) -> Game | None:
    """The game with the first wound not saved, where nothing could save it and nobody chooses the model; else None."""
    model = decided(game, game.units[step.target])
    if model is None or _can_save(model, sequence.group(step.wounds[0].group), step.wounds[0]):
        return None
    return fail(game, sequence, step, model.model)


# --- what can be done ----------------------------------------------------------------------------------------------


def offers(game: Game, sequence: Sequence, due: bool) -> Iterator[Action]:
    """The saves that the defender can roll now, and models that can be taken off without one."""
    step = sequence.at
    if not isinstance(step, Saving):
        return
    unit, wound = game.units[step.target], step.wounds[0]
    group = sequence.group(wound.group)
    models = eligible(unit)
    armoured = [model for model in models if _armour(model, group).value != "-"]
    warded = [model for model in models if not isinstance(model.line.invulnerable, UnsetType)]
    sure = decided(game, unit)
    for invulnerable, able in ((False, armoured), (True, warded)):
        most = {model.model: _together(game, sequence, step, model, invulnerable) for model in able}
        several = [model for model in able if most[model.model] > 1]
        single = [model for model in able if most[model.model] == 1]
        for some in ([several[i : i + 1] for i in range(len(several))] + [single]) if able else ():
            if some:
                told = [(m.model, Message("{model}, {name}", model=m.model, name=m.line.name)) for m in some]
                optional = sure is not None and sure.model in [m.model for m in some]
                model = one_of("model", N_("the model that takes it"), told, required=not optional)
                count = count_of("count", N_("how many wounds"), most[some[0].model], required=False)
                body = {"for": "save", **({"invulnerable": True} if invulnerable else {})}
                label = Message("roll an invulnerable save") if invulnerable else Message("roll a save")
                yield Action("roll", label, "W18", (model, count), body, due)
    lost = [model.model for model in models if not _can_save(model, group, wound)]
    if lost:
        field = one_of("model", N_("the model that takes it"), lost)
        yield Action("resolve", Message("take a wound that no die can save"), "W11", (field,), {}, due)
