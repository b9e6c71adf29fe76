"""The course of attacks: what comes next, by whom, with which dice (specs/wh40k.md, "Course", W9 to W12, W18 to W24).

    attacks (random A) → hit → strength (random S) → wound → save → damage (random D) → ignore → … → mortal → inflict

A request only says what is rolled; what the dice do to the attacks stands in rules.wh40k.consequences.
"""

from collections.abc import Callable, Iterable

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.bounds import MAX_DICE
from rules.shared import refuse
from rules.wh40k import bodies as b
from rules.wh40k.attacks import check_equal, wound_roll_needs
from rules.wh40k.state import Attack, Batch, Game, Group, Hit, Model, Mortal, Next, Purpose, Roll, Sequence, Unit, Wound
from rules.wh40k.units import allocate, of_model
from rules.wh40k.values import Computed, Dice, characteristic, parse, roll_result

__all__ = ["auto_hits", "due", "first_random", "next_step", "roll_for", "take", "to_roll", "unsaveable"]

D6 = Dice(1, 6, 0)
_CHOOSING = ("attacks or hit", "hit")


def next_step(game: Game) -> Next | None:
    """What is to be done next in the open sequence."""
    sequence = game.sequence
    if sequence is None:
        return None
    if sequence.batch is not None:
        return _next_of_batch(game, sequence, sequence.batch)
    groups = [g for g in sequence.groups if g.left and sequence.target in (None, g.target)]
    if groups:
        return Next(sequence.player, _CHOOSING[0] if any(g.queue is None for g in groups) else _CHOOSING[1])
    item = first_random(sequence)
    if item is not None:
        return Next(sequence.player, "mortal", parse(str(item.amount)).count * _times(item))
    return Next(_defender(game, sequence), "inflict")


def _next_of_batch(game: Game, sequence: Sequence, batch: Batch) -> Next:
    if batch.hits:
        rolled = to_roll(batch)
        dice = sequence.group(rolled[0].group).S.dice
        if dice is not None and rolled[0].strength is None:
            return Next(sequence.player, "strength", dice.count * len(rolled))
        return Next(sequence.player, "wound", len(rolled))
    if batch.unsaved is None:
        return Next(_defender(game, sequence), "save", 1)
    if batch.unsaved.damage is not None:
        return Next(_defender(game, sequence), "ignore", min(batch.unsaved.damage, MAX_DICE))
    damage = sequence.group(batch.unsaved.group).D.dice
    assert damage is not None
    return Next(sequence.player, "damage", damage.count)


def due(game: Game, author: str, *steps: str) -> Sequence:
    """The open sequence, where one of these steps is next and the author's: else Violation W19, W12."""
    sequence, coming = game.sequence, next_step(game)
    if sequence is None or coming is None:
        refuse("W19", "no attacks are under way, so there is no {step}", step=steps[0])
    if coming.step not in steps:
        if "inflict" in steps and any(m.target == sequence.target for m in sequence.mortal):
            refuse("W12", "mortal wounds come after all normal damage: {step} is next", step=coming.step)
        text = "{step} comes next, by {player}"
        refuse("W19", text, step=coming.step, player=coming.player)
    if coming.player != author:
        refuse("W19", "{step} is for {player}, not {author}", step=coming.step, player=coming.player, author=author)
    return sequence


def to_roll(batch: Batch) -> list[Hit]:
    """The hits that need a wound roll."""
    return [hit for hit in batch.hits if not hit.wounds]


def first_random(sequence: Sequence) -> Mortal | None:
    """The mortal wounds on the target whose number is to be rolled next."""
    return next((m for m in sequence.mortal if m.target == sequence.target and isinstance(m.amount, str)), None)


def take(sequence: Sequence, numbers: tuple[int, ...], count: int | None) -> list[tuple[Group, Attack]]:
    """The attacks that a batch of these groups takes (W10, W19, W20)."""
    pools: list[tuple[Group, Attack]] = []
    for number in dict.fromkeys(numbers):
        group = sequence.group(number)
        if sequence.target not in (None, group.target):
            text = "the attacks on {target} are finished first, then group {group}"
            refuse("W20", text, target=sequence.target, group=number)
        if group.queue is None:
            refuse("W9", "group {group} makes {A} attacks: roll them first", group=number, A=group.body.A)
        pools += [(group, attack) for attack in group.queue]
    pool = [(g, attack) for g, attack in pools if not attack.extra] or pools
    if not pool or (count or 0) > len(pool):
        refuse("W19", "these groups have {left} attacks left", left=len(pool))
    return pool[:count]


def auto_hits(game: Game, author: str, body: b.ResolveBody) -> list[tuple[Group, Attack]]:
    """The attacks that hit without a roll."""
    assert not isinstance(body.groups, UnsetType)
    taken = _checked(game, due(game, author, *_CHOOSING), body.groups, given(body.count, None))
    if not all(group.auto_hit for group, _ in taken):
        refuse("W19", "these attacks do not hit by themselves: roll to hit")
    return taken


def roll_for(game: Game, author: str, seq: int, body: b.RollBody) -> Roll:
    """The roll that a step of the open sequence asks for."""
    for kind, plan in _PLANS:
        if isinstance(body, kind):
            return plan(game, author, seq, body)
    raise TypeError(f"no such roll: {body!r}")


def unsaveable(game: Game, author: str, number: int) -> None:
    """The first wound is allocated to a model that cannot save: else Violation W11."""
    sequence = due(game, author, "save")
    assert sequence.batch is not None
    group, wound = sequence.group(sequence.batch.wounds[0].group), sequence.batch.wounds[0]
    model = allocate(_target(game, sequence), number)
    save = _armour(model, group)
    best = roll_result(6, _armour_changes(group, wound), False).number
    if not isinstance(model.line.invulnerable, UnsetType) or (save.value != "-" and best >= save.number):
        refuse("W11", "model {model} may still save: roll for it", model=number)


# --- plans ---------------------------------------------------------------------------------------------------------


def _plan_attacks(game: Game, author: str, seq: int, body: b.AttacksRoll) -> Roll:
    sequence = due(game, author, *_CHOOSING)
    group = sequence.group(body.group)
    if group.queue is not None or group.A.dice is None:
        blast = any(step.op == "blast" for step in group.A.steps)
        text = "the attacks of group {group} are known: {attacks}"
        refuse("W24" if blast else "W9", text, group=group.group, attacks=group.attacks)
    purpose = Purpose("attacks", sequence.sequence, sequence.unit, (group.group,))
    return _of_characteristic("A", group, purpose, author, seq, group.A.dice, len(group.body.bearers), "attacks")


def _plan_hit(game: Game, author: str, seq: int, body: b.HitRoll) -> Roll:
    sequence = due(game, author, *_CHOOSING)
    taken = _checked(game, sequence, body.groups, given(body.count, None))
    group = taken[0][0]
    if any(g.auto_hit for g, _ in taken):
        refuse("W19", "attacks with {weapon} hit without a roll: resolve them", weapon=group.body.weapon)
    purpose = Purpose("hit", sequence.sequence, sequence.unit, body.groups, len(taken))
    needs = tuple(g.skill.number for g, _ in taken)
    return _of_test("hit", group, purpose, author, seq, needs, group.changes("hit"))


def _plan_strength(game: Game, author: str, seq: int, _: b.StrengthRoll) -> Roll:
    sequence = due(game, author, "strength")
    assert sequence.batch is not None
    rolled = to_roll(sequence.batch)
    group = sequence.group(rolled[0].group)
    assert group.S.dice is not None
    purpose = Purpose("strength", sequence.sequence, sequence.unit, (group.group,))
    return _of_characteristic("S", group, purpose, author, seq, group.S.dice, len(rolled), "strength")


def _plan_wound(game: Game, author: str, seq: int, _: b.WoundRoll) -> Roll:
    sequence = due(game, author, "wound")
    assert sequence.batch is not None
    rolled = to_roll(sequence.batch)
    group = sequence.group(rolled[0].group)
    needs = tuple(wound_roll_needs(sequence.group(hit.group), hit.strength) for hit in rolled)
    groups = tuple(dict.fromkeys(hit.group for hit in rolled))
    purpose = Purpose("wound", sequence.sequence, sequence.unit, groups)
    return _of_test("wound", group, purpose, author, seq, needs, group.changes("wound"))


def _plan_save(game: Game, author: str, seq: int, body: b.SaveRoll) -> Roll:
    sequence = due(game, author, "save")
    assert sequence.batch is not None
    wound = sequence.batch.wounds[0]
    group = sequence.group(wound.group)
    model = allocate(_target(game, sequence), body.model)
    of = "invulnerable" if body.invulnerable is True else "save"
    if body.invulnerable is not True:
        save = _armour(model, group)
        if save.value == "-":
            refuse("W18", "model {model} has no armour save", model=model.model)
        needs, changes = save.number, _armour_changes(group, wound)
    else:
        if isinstance(model.line.invulnerable, UnsetType):
            refuse("W18", "model {model} has no invulnerable save", model=model.model)
        needs, changes = model.line.invulnerable, group.changes("invulnerable")
    unit, invulnerable = sequence.target, body.invulnerable is True
    purpose = Purpose("save", sequence.sequence, unit, (group.group,), model=model.model, invulnerable=invulnerable)
    roll = _of_test("save", group, purpose, author, seq, (needs,), changes)
    return replace(roll, rerolls=group.rerolls(of))


def _plan_damage(game: Game, author: str, seq: int, _: b.DamageRoll) -> Roll:
    sequence = due(game, author, "damage")
    assert sequence.batch is not None
    assert sequence.batch.unsaved is not None
    group = sequence.group(sequence.batch.unsaved.group)
    assert group.D.dice is not None
    purpose = Purpose("damage", sequence.sequence, sequence.unit, (group.group,))
    return _of_characteristic("D", group, purpose, author, seq, group.D.dice, 1, "damage")


def _plan_ignore(game: Game, author: str, seq: int, body: b.IgnoreRoll) -> Roll:
    if not isinstance(body.model, UnsetType):
        return _plan_ignore_mortal(game, author, seq, body.model, given(body.count, 1))
    sequence = due(game, author, "ignore")
    assert sequence.batch is not None
    assert sequence.batch.unsaved is not None
    unsaved = sequence.batch.unsaved
    assert unsaved.damage is not None
    group = sequence.group(unsaved.group)
    ward = _target(game, sequence).models[unsaved.model - 1].line.ignores_wounds
    needs = (given(ward, 7),) * min(unsaved.damage, MAX_DICE)
    purpose = Purpose("ignore", sequence.sequence, sequence.target, (group.group,), model=unsaved.model)
    source = f"ignore: {sequence.target}"
    return Roll(seq, author, purpose, source, f"{len(needs)}d6", D6, needs, rerolls=group.rerolls("ignore"))


def _plan_ignore_mortal(game: Game, author: str, seq: int, number: int, count: int) -> Roll:
    sequence = due(game, author, "inflict")
    model = check_inflict(game, sequence, number, count)
    if isinstance(model.line.ignores_wounds, UnsetType):
        refuse("W22", "model {model} ignores no wounds: resolve them", model=number)
    purpose = Purpose("ignore", sequence.sequence, sequence.target, count=count, model=number)
    needs = (model.line.ignores_wounds,) * count
    return Roll(seq, author, purpose, f"ignore: {sequence.target}", f"{count}d6", D6, needs)


def _plan_mortal(game: Game, author: str, seq: int, _: b.MortalRoll) -> Roll:
    sequence = due(game, author, "mortal", "inflict")
    item = first_random(sequence)
    if item is None:
        refuse("W19", "the number of mortal wounds is known: {target} takes them", target=sequence.target)
    dice, times = parse(str(item.amount)), _times(item)
    purpose = Purpose("mortal", sequence.sequence, sequence.unit, count=times)
    notation = _notation(dice, times)
    return Roll(seq, author, purpose, f"mortal: {item.source}", notation, dice, (None,) * times)


_PLANS: tuple[tuple[type[b.RollBody], Callable[..., Roll]], ...] = (
    (b.AttacksRoll, _plan_attacks),
    (b.HitRoll, _plan_hit),
    (b.StrengthRoll, _plan_strength),
    (b.WoundRoll, _plan_wound),
    (b.SaveRoll, _plan_save),
    (b.DamageRoll, _plan_damage),
    (b.IgnoreRoll, _plan_ignore),
    (b.MortalRoll, _plan_mortal),
)


# --- helpers -------------------------------------------------------------------------------------------------------


def check_inflict(game: Game, sequence: Sequence, number: int, count: int) -> Model:
    """The model, if it can be given so many mortal wounds now (W11, W12)."""
    model = allocate(_target(game, sequence), number)
    owed = sum(m.amount * m.times for m in sequence.mortal if m.target == sequence.target and isinstance(m.amount, int))
    most = min(owed, model.left)
    if count > most:
        text = "at most {most} mortal wounds now: {owed} are owed, model {model} has {left} wounds left"
        refuse("W12", text, most=most, owed=owed, model=number, left=model.left)
    return model


def _checked(game: Game, sequence: Sequence, groups: tuple[int, ...], count: int | None) -> list[tuple[Group, Attack]]:
    taken = take(sequence, groups, count)
    check_equal(game, tuple({group.group: group for group, _ in taken}.values()), len(taken))
    return taken


def _of_test(
    test: str,
    group: Group,
    purpose: Purpose,
    author: str,
    seq: int,
    needs: tuple[int, ...],
    changes: Iterable[b.Change],
) -> Roll:
    return Roll(
        seq,
        author,
        purpose,
        f"{test}: {group.body.weapon}",
        f"{len(needs)}d6",
        D6,
        needs,
        test=test,
        changes=tuple(changes),
        rerolls=group.rerolls(test),
    )


def _of_characteristic(
    name: str, group: Group, purpose: Purpose, author: str, seq: int, dice: Dice, times: int, of: str
) -> Roll:
    return Roll(
        seq,
        author,
        purpose,
        f"{of}: {group.body.weapon}",
        _notation(dice, times),
        dice,
        (None,) * times,
        characteristic=name,
        changes=group.changes(name),
        rerolls=group.rerolls(of),
    )


def _notation(dice: Dice, times: int) -> str:
    """How the dice are shown: all of them, without what is added to each."""
    return f"{dice.count * times}d{dice.sides}"


def _times(item: Mortal) -> int:
    return min(item.times, MAX_DICE // parse(str(item.amount)).count)


def _target(game: Game, sequence: Sequence) -> Unit:
    assert sequence.target is not None
    return game.units[sequence.target]


def _defender(game: Game, sequence: Sequence) -> str:
    return _target(game, sequence).player


def _armour(model: Model, group: Group) -> Computed:
    return of_model(model, "Sv", group.changes("Sv"))


def _armour_changes(group: Group, wound: Wound) -> tuple[b.Change, ...]:
    """The changes of an armour save: the wound's AP is one of them (W18)."""
    ap = characteristic("AP", group.body.AP, (*group.changes("AP"), *wound.changes)).number
    own = (b.Change("AP", "subtract", -ap),) if ap < 0 else ()
    return (*own, *group.changes("save"))
