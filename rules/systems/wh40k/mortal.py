"""Mortal wounds, which are declared or set off by attacks (specs/wh40k.md, "Course", W12, W22).

The step asks for their number if it is random. Then the target's player gives them to models, which may ignore them.
"""

from collections.abc import Iterator

from msgspec import UnsetType
from msgspec.structs import replace

from rules.actions import Action
from rules.base import Event, given
from rules.common.shared import refuse
from rules.data.language import N_, Message
from rules.history import find_roll
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.fields import free, one_of, one_unit, range_of
from rules.systems.wh40k.next_step import at, idle, random_on, times_of
from rules.systems.wh40k.record import MortalNumber, Roll, ToIgnoreMortal
from rules.systems.wh40k.rolls import D6, counts
from rules.systems.wh40k.state import AttackSequence, Choosing, Game, Inflicting, Model, Mortal, RollingMortal
from rules.systems.wh40k.units import allocate, eligible, forced_model, lose, model_option, standing, unit_of
from rules.systems.wh40k.values import Dice, parse

__all__ = [
    "declare",
    "inflict",
    "offers",
    "offers_of_declaring",
    "owed_on",
    "plan_ignore",
    "plan_number",
    "settle_ignore",
    "settle_number",
    "without_choice",
]


def declare(game: Game, event: Event, body: b.DeclareMortal) -> Game:
    """Return the game with mortal wounds that come from no attack. Raises Violation."""
    unit = standing(unit_of(game, body.target))
    count = given(body.count, 0)
    if not isinstance(body.roll, UnsetType):
        count = _rolled(game, event.author, body.roll)
    mortal = (Mortal(unit.unit, body.source, count, 1),) if count > 0 else ()
    sequence = AttackSequence(event.seq, event.author, None, Choosing(None), mortal=mortal)
    return replace(game, sequence=idle(sequence, None))


def _rolled(game: Game, author: str, number: int) -> int:
    roll = find_roll(game.settled, None, number)
    if roll is None or roll.player != author or roll.purpose.of != "free" or roll.status != "resolved":
        refuse("W20", "{author} has no settled free roll {roll}", author=author, roll=number)
    return sum(part.result or 0 for part in roll.parts)


# --- the number ----------------------------------------------------------------------------------------------------


def plan_number(game: Game, author: str, seq: int) -> Roll:
    """Return the roll for the first random mortal wounds on the target."""
    sequence, step = at(game, author, RollingMortal)
    item = random_on(sequence, step.target)[0]
    dice, times = parse(str(item.amount)), times_of(item)
    notation = Dice(dice.count * times, dice.sides, 0).text
    purpose = MortalNumber(sequence.sequence, times)
    return Roll(seq, author, purpose, f"mortal: {item.source}", notation, dice, (None,) * times)


def settle_number(game: Game, sequence: AttackSequence, step: RollingMortal, roll: Roll, purpose: MortalNumber) -> Game:
    """Return the game with the rolled number in place of the random mortal wounds."""
    item = random_on(sequence, step.target)[0]
    rest = (replace(item, times=item.times - purpose.times),) if item.times > purpose.times else ()
    count = sum(counts(roll.parts))
    total = (Mortal(item.target, item.source, count, 1),) if count else ()
    position = next(i for i, m in enumerate(sequence.mortal) if m is item)
    mortal = (*sequence.mortal[:position], *total, *rest, *sequence.mortal[position + 1 :])
    return _on(game, replace(sequence, mortal=mortal), step)


# --- distribution to models ----------------------------------------------------------------------------------------


def inflict(game: Game, author: str, number: int, count: int) -> Game:
    """Return the game after mortal wounds on a model that ignores none (W12, W22). Raises Violation."""
    sequence, step = at(game, author, Inflicting)
    model = _check(game, sequence, step, number, count)
    if model.line.ward_of_mortal is not None:
        refuse("W22", "model {model} may ignore wounds: roll for them", model=number)
    return _dealt(game, sequence, step, number, count, count)


def plan_ignore(game: Game, author: str, seq: int, number: int, count: int) -> Roll:
    """Return the roll of a die for each of `count` mortal wounds on a model. Raises Violation."""
    sequence, step = at(game, author, Inflicting)
    model = _check(game, sequence, step, number, count)
    ward = model.line.ward_of_mortal
    if ward is None:
        refuse("W22", "model {model} ignores no wounds: resolve them", model=number)
    needs = (ward,) * count
    purpose = ToIgnoreMortal(sequence.sequence, number)
    return Roll(seq, author, purpose, f"ignore: {step.target}", Dice(count, 6, 0).text, D6, needs)


def settle_ignore(game: Game, sequence: AttackSequence, step: Inflicting, roll: Roll, purpose: ToIgnoreMortal) -> Game:
    """Return the game after the model lost the mortal wounds that it did not ignore."""
    lost = sum(1 for part in roll.parts if not part.passed)
    return _dealt(game, sequence, step, purpose.model, len(roll.parts), lost)


def without_choice(game: Game, sequence: AttackSequence, step: Inflicting) -> Game | None:
    """Return the game after mortal wounds on the only model that can take them, if it ignores none; else None."""
    model = forced_model(game, game.units[step.target])
    if model is None or model.line.ward_of_mortal is not None:
        return None
    count = min(model.left, owed_on(sequence, step.target))
    return _dealt(game, sequence, step, model.model, count, count)


def _check(game: Game, sequence: AttackSequence, step: Inflicting, number: int, count: int) -> Model:
    """Return the model if this many mortal wounds can be given to it now. Raises Violation W11 or W12."""
    model = allocate(game.units[step.target], number)
    owed = owed_on(sequence, step.target)
    most = min(owed, model.left)
    if count > most:
        text = N_(
            "model {model} can be given {most} now, not {count}: owed in all {owed}, wounds that it has left {left}"
        )
        refuse("W12", text, most=most, count=count, owed=owed, model=number, left=model.left)
    return model


def owed_on(sequence: AttackSequence, target: str) -> int:
    """Return the number of mortal wounds that wait for a target, without those whose number is not rolled yet."""
    return sum(m.amount * m.times for m in sequence.mortal if m.target == target and isinstance(m.amount, int))


def _dealt(game: Game, sequence: AttackSequence, step: Inflicting, model: int, count: int, lost: int) -> Game:
    """Return the game after `count` mortal wounds were dealt to a model that lost `lost` of them."""
    left: list[Mortal] = []
    for item in sequence.mortal:
        if item.target != step.target or not isinstance(item.amount, int) or not count:
            left.append(item)
            continue
        total = item.amount * item.times
        used = min(count, total)
        count -= used
        if total > used:
            left.append(replace(item, amount=total - used, times=1))
    game, sequence = lose(game, sequence, step.target, model, lost, "mortal")
    return _on(game, replace(sequence, mortal=tuple(left)), step)


def _on(game: Game, sequence: AttackSequence, step: RollingMortal | Inflicting) -> Game:
    return replace(game, sequence=idle(sequence, step.target))


# --- offers --------------------------------------------------------------------------------------------------------


def offers(game: Game, sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """Yield the roll for their number, or the ways to give them to models."""
    step = sequence.at
    if isinstance(step, RollingMortal):
        yield Action("roll", Message("roll the number of mortal wounds"), "W12", (), {"for": "mortal"}, due)
    if not isinstance(step, Inflicting):
        return
    owed = owed_on(sequence, step.target)
    alike: dict[tuple[bool, int], list[Model]] = {}
    for model in eligible(game.units[step.target]):
        alike.setdefault((model.line.ward_of_mortal is None, min(model.left, owed)), []).append(model)
    for (bare, most), models in alike.items():
        which = one_of("model", N_("the model that suffers them"), map(model_option, models))
        count = range_of("mortal" if bare else "count", N_("how many mortal wounds"), 1, most)
        if bare:
            label = Message("give mortal wounds to a model of {unit}", unit=game.unit_name(step.target))
            yield Action("resolve", label, "W12", (which, count), {}, due)
        else:
            text = N_("roll to ignore mortal wounds on a model of {unit}")
            label = Message(text, unit=game.unit_name(step.target))
            yield Action("roll", label, "W22", (which, count), {"for": "ignore"}, due)


def offers_of_declaring(game: Game, party: str) -> Iterator[Action]:
    """Yield declarations of mortal wounds that come from no attack."""
    units = [unit.unit for unit in game.units.values() if unit.alive]
    if not units:
        return
    target = one_unit("target", N_("the unit that suffers them"), game, units)
    source = free("source", N_("the rule that says so"), "text")
    label = Message("declare mortal wounds")
    count = range_of("count", N_("how many mortal wounds"), 1, 100)
    yield Action("declare", label, "W12", (target, source, count), {"what": "mortal"})
    rolls = [
        (roll.roll, Message("{source}", source=roll.source))
        for roll in game.settled
        if roll.player == party and roll.purpose.of == "free" and roll.status == "resolved"
    ]
    if rolls:
        of = one_of("roll", N_("your roll that tells how many"), rolls)
        yield Action("declare", label, "W12", (target, source, of), {"what": "mortal"})
