"""What settled dice do to attacks, units and models (specs/wh40k.md, "Course", W7, W11, W12, W22, W23)."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import keep
from rules.shared import refuse
from rules.wh40k import bodies as b
from rules.wh40k.attacks import queue
from rules.wh40k.course import auto_hits, check_inflict, due, first_random, take, to_roll, unsaveable
from rules.wh40k.rolls import counts
from rules.wh40k.state import Attack, Batch, Game, Group, Hit, Mortal, Part, Roll, Sequence, Unsaved, Wound
from rules.wh40k.triggers import more_attacks, owe, set_off, slay, subjects, triggers_on
from rules.wh40k.units import choose, lose, with_unit
from rules.wh40k.values import Computed, rule_ap

__all__ = ["abandon", "advance", "apply", "hit_without_roll", "inflict", "unsaved"]


def apply(game: Game, roll: Roll) -> Game:
    """What a settled roll does."""
    if roll.purpose.of == "move":
        return _move(game, roll)
    if roll.purpose.sequence is None:
        return game
    assert game.sequence is not None
    return advance(_APPLY[roll.purpose.of](game, game.sequence, roll))


def advance(game: Game) -> Game:
    """Bring the sequence to where a choice or dice are needed."""
    sequence = game.sequence
    if sequence is None:
        return game
    if sequence.batch is not None and sequence.batch.hits and not to_roll(sequence.batch):
        wounds = tuple(Wound(hit.group) for hit in sequence.batch.hits)
        batch = replace(sequence.batch, hits=(), wounds=wounds)
        sequence = replace(sequence.counted(Counter(w.group for w in wounds), "wounds"), batch=batch)
    for target in sequence.targets:
        if target not in game.units or not game.units[target].alive:
            sequence = _lapse(sequence, target)
    if sequence.batch == Batch():
        sequence = replace(sequence, batch=None)
    if sequence.batch is None and not _anything_on(sequence, sequence.target):
        sequence = replace(sequence, target=None)
    if sequence.target is None and not any(g.left for g in sequence.groups) and not sequence.mortal:
        return replace(game, sequence=None, sequences=keep(game.sequences, replace(sequence, status="resolved")))
    return replace(game, sequence=sequence)


def abandon(game: Game, status: Literal["struck", "abandoned"]) -> Game:
    """The open sequence ends before its time."""
    assert game.sequence is not None
    # What is left of it lapses; a state keeps many sequences, and none with a queue.
    groups = tuple(replace(group, queue=()) for group in game.sequence.groups)
    ended = replace(game.sequence, status=status, target=None, batch=None, mortal=(), groups=groups)
    return replace(game, sequence=None, sequences=keep(game.sequences, ended))


# --- acts without dice ---------------------------------------------------------------------------------------------


def hit_without_roll(game: Game, author: str, body: b.ResolveBody) -> Game:
    taken = auto_hits(game, author, body)
    assert game.sequence is not None
    sequence = _remove(game.sequence, taken)
    hits = tuple(Hit(group.group, (part, 0)) for part, (group, _) in enumerate(taken, 1))
    sequence = sequence.counted(Counter(hit.group for hit in hits), "hits")
    return advance(replace(game, sequence=replace(sequence, batch=Batch(hits), target=taken[0][0].target)))


def unsaved(game: Game, author: str, model: int) -> Game:
    """The first wound goes to a model that cannot save."""
    unsaveable(game, author, model)
    assert game.sequence is not None
    return advance(_fail(game, game.sequence, model))


def inflict(game: Game, author: str, model: int, count: int) -> Game:
    """Mortal wounds on a model that ignores none (W12, W22)."""
    sequence = due(game, author, "inflict")
    if not isinstance(check_inflict(game, sequence, model, count).line.ignores_wounds, UnsetType):
        refuse("W22", "model {model} may ignore wounds: roll for them", model=model)
    return advance(_mortal_wounds(game, sequence, model, count, count))


# --- rolls ---------------------------------------------------------------------------------------------------------


def _move(game: Game, roll: Roll) -> Game:
    assert roll.purpose.unit is not None
    unit = game.units[roll.purpose.unit]
    assert unit.move is not None
    return with_unit(game, replace(unit, move=replace(unit.move, computed=_computed(roll.parts[0]))))


def _attacks(game: Game, sequence: Sequence, roll: Roll) -> Game:
    group = sequence.group(roll.purpose.groups[0])
    attacks = queue(group, counts(roll.parts))
    return replace(
        game, sequence=sequence.with_group(replace(group, queue=attacks, attacks=len(attacks), started=True))
    )


def _hit(game: Game, sequence: Sequence, roll: Roll) -> Game:
    rolled = subjects(game, roll)
    taken = take(sequence, roll.purpose.groups, roll.purpose.count)
    sequence = replace(_remove(sequence, taken), target=taken[0][0].target)
    hits: list[Hit] = []
    slain: list[int] = []
    more: dict[int, list[Attack]] = {}
    owed: Counter[tuple[int, int]] = Counter()
    triggers = triggers_on(game, roll)
    for part, group, attack in rolled:
        own, further = Hit(group.group, (part.part, 0)), 0
        lands = part.passed is True
        for number, trigger in set_off(triggers, part, group, attack):
            match trigger.does:
                case "extra_hits" if isinstance(trigger.amount, int):
                    further += trigger.amount
                case "extra_attacks" if isinstance(trigger.amount, int) and attack is not None:
                    extra = Attack(attack.bearer, extra=True)
                    more.setdefault(group.group, []).extend([extra] * trigger.amount)
                case "wound":
                    own = replace(own, wounds=True)
                case "mortal":
                    owed[group.group, number] += 1
                    lands = lands and trigger.instead is not True
                case "slay" if attack is not None:
                    slain.append(attack.bearer)
                case _:
                    pass
        hits += [own] * lands + [Hit(group.group, (part.part, n)) for n in range(1, further + 1)]
    sequence = owe(sequence, owed).counted(Counter(hit.group for hit in hits), "hits")
    game, sequence = slay(game, more_attacks(sequence, more), slain)
    return replace(game, sequence=replace(sequence, batch=Batch(tuple(hits))))


def _strength(game: Game, sequence: Sequence, roll: Roll) -> Game:
    assert sequence.batch is not None
    rolled = iter(roll.parts)
    hits = tuple(hit if hit.wounds else replace(hit, strength=next(rolled).result) for hit in sequence.batch.hits)
    return replace(game, sequence=replace(sequence, batch=replace(sequence.batch, hits=hits)))


def _wound(game: Game, sequence: Sequence, roll: Roll) -> Game:
    assert sequence.batch is not None
    rolled = iter(subjects(game, roll))
    wounds: list[Wound] = []
    owed: Counter[tuple[int, int]] = Counter()
    triggers = triggers_on(game, roll)
    for hit in sequence.batch.hits:
        new = Wound(hit.group)
        lands = True
        if not hit.wounds:
            part, group, _ = next(rolled)
            lands = part.passed is True
            for number, trigger in set_off(triggers, part, group, None):
                if trigger.does == "improve_ap" and isinstance(trigger.amount, int):
                    new = replace(new, changes=(*new.changes, rule_ap(trigger.amount, trigger.source)))
                elif trigger.does == "mortal":
                    owed[group.group, number] += 1
                    lands = lands and trigger.instead is not True
        wounds += [new] * lands
    batch = replace(sequence.batch, hits=(), wounds=tuple(wounds))
    sequence = owe(sequence, owed).counted(Counter(wound.group for wound in wounds), "wounds")
    return replace(game, sequence=replace(sequence, batch=batch))


def _save(game: Game, sequence: Sequence, roll: Roll) -> Game:
    assert sequence.batch is not None
    assert sequence.target is not None
    assert roll.purpose.model is not None
    if not roll.parts[0].passed:
        return _fail(game, sequence, roll.purpose.model)
    game = choose(game, sequence.target, roll.purpose.model)
    group = sequence.batch.wounds[0].group
    batch = replace(sequence.batch, wounds=sequence.batch.wounds[1:])
    return replace(game, sequence=replace(sequence.counted({group: 1}, "saved"), batch=batch))


def _damage(game: Game, sequence: Sequence, roll: Roll) -> Game:
    assert sequence.batch is not None
    assert sequence.batch.unsaved is not None
    return _hurt(game, sequence, replace(sequence.batch.unsaved, damage=counts(roll.parts)[0]))


def _ignore(game: Game, sequence: Sequence, roll: Roll) -> Game:
    assert sequence.target is not None
    assert roll.purpose.model is not None
    lost = sum(1 for part in roll.parts if not part.passed)
    if sequence.batch is None:
        return _mortal_wounds(game, sequence, roll.purpose.model, roll.purpose.count, lost)
    game, sequence = lose(game, sequence, sequence.target, roll.purpose.model, lost, "normal")
    assert sequence.batch is not None
    return replace(game, sequence=replace(sequence, batch=replace(sequence.batch, unsaved=None)))


def _mortal(game: Game, sequence: Sequence, roll: Roll) -> Game:
    item = first_random(sequence)
    assert item is not None
    rest = (replace(item, times=item.times - roll.purpose.count),) if item.times > roll.purpose.count else ()
    count = sum(counts(roll.parts))
    total = (Mortal(item.target, item.source, count, 1),) if count else ()
    position = next(i for i, m in enumerate(sequence.mortal) if m is item)
    mortal = (*sequence.mortal[:position], *total, *rest, *sequence.mortal[position + 1 :])
    return replace(game, sequence=replace(sequence, mortal=mortal))


_APPLY: Mapping[str, Callable[[Game, Sequence, Roll], Game]] = {
    "attacks": _attacks,
    "hit": _hit,
    "strength": _strength,
    "wound": _wound,
    "save": _save,
    "damage": _damage,
    "ignore": _ignore,
    "mortal": _mortal,
}


# --- wounds --------------------------------------------------------------------------------------------------------


def _fail(game: Game, sequence: Sequence, model: int) -> Game:
    """The first wound of the batch is not saved."""
    assert sequence.batch is not None
    assert sequence.target is not None
    game = choose(game, sequence.target, model)
    group = sequence.group(sequence.batch.wounds[0].group)
    batch = replace(sequence.batch, wounds=sequence.batch.wounds[1:])
    sequence = replace(sequence.counted({group.group: 1}, "failed"), batch=batch)
    damage = group.D.value
    return _hurt(game, sequence, Unsaved(group.group, model, damage if isinstance(damage, int) else None))


def _hurt(game: Game, sequence: Sequence, hurt: Unsaved) -> Game:
    """Damage on a model: it waits for dice, or is suffered."""
    assert sequence.batch is not None
    assert sequence.target is not None
    line = game.units[sequence.target].models[hurt.model - 1].line
    if hurt.damage is not None:
        hurt = replace(hurt, damage=max(0, hurt.damage))
    if hurt.damage is None or (hurt.damage and not isinstance(line.ignores_wounds, UnsetType)):
        return replace(game, sequence=replace(sequence, batch=replace(sequence.batch, unsaved=hurt)))
    game, sequence = lose(game, sequence, sequence.target, hurt.model, hurt.damage, "normal")
    assert sequence.batch is not None
    return replace(game, sequence=replace(sequence, batch=replace(sequence.batch, unsaved=None)))


def _mortal_wounds(game: Game, sequence: Sequence, model: int, count: int, lost: int) -> Game:
    """So many mortal wounds are dealt with; a model loses those that it did not ignore."""
    assert sequence.target is not None
    left: list[Mortal] = []
    for item in sequence.mortal:
        if item.target != sequence.target or not isinstance(item.amount, int) or not count:
            left.append(item)
            continue
        total = item.amount * item.times
        used = min(count, total)
        count -= used
        if total > used:
            left.append(replace(item, amount=total - used, times=1))
    game = choose(game, sequence.target, model)
    game, sequence = lose(game, sequence, sequence.target, model, lost, "mortal")
    return replace(game, sequence=replace(sequence, mortal=tuple(left)))


# --- groups --------------------------------------------------------------------------------------------------------


def _remove(sequence: Sequence, taken: list[tuple[Group, Attack]]) -> Sequence:
    """The attacks of a batch are no longer left in their groups, which have begun."""
    for number in dict.fromkeys(group.group for group, _ in taken):
        group = sequence.group(number)
        count = sum(1 for g, _ in taken if g.group == number)
        sequence = sequence.with_group(replace(group, queue=(group.queue or ())[count:], started=True))
    return sequence


def _lapse(sequence: Sequence, target: str) -> Sequence:
    """Nothing more comes of attacks on a target that is destroyed."""
    for group in sequence.groups:
        if group.target == target and group.left:
            sequence = sequence.with_group(replace(group, queue=()))
    mortal = tuple(m for m in sequence.mortal if m.target != target)
    return replace(sequence, mortal=mortal, batch=None if sequence.target == target else sequence.batch)


def _anything_on(sequence: Sequence, target: str | None) -> bool:
    return any(g.left and g.target == target for g in sequence.groups) or any(
        m.target == target for m in sequence.mortal
    )


def _computed(part: Part) -> Computed:
    return Computed(part.result or 0, part.steps)
