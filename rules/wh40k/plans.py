"""Which dice a step of attacks rolls, what they need and what changes them (specs/wh40k.md, "Bodies", W9, W17, W18)."""

from collections.abc import Callable, Iterable

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.bounds import MAX_DICE
from rules.shared import refuse
from rules.wh40k import bodies as b
from rules.wh40k.attacks import least_attacks, wound_roll_needs
from rules.wh40k.course import (
    CHOOSING,
    armour,
    armour_changes,
    check_inflict,
    checked,
    due,
    first_random,
    target_of,
    times_of,
    to_roll,
)
from rules.wh40k.state import Game, Group, Purpose, Roll
from rules.wh40k.units import allocate
from rules.wh40k.values import Dice, parse

__all__ = ["roll_for"]

D6 = Dice(1, 6, 0)


def roll_for(game: Game, author: str, seq: int, body: b.RollBody) -> Roll:
    """The roll that a step of the open sequence asks for."""
    for kind, plan in _PLANS:
        if isinstance(body, kind):
            return replace(plan(game, author, seq, body), asked=body)
    raise TypeError(f"no such roll: {body!r}")


def _plan_attacks(game: Game, author: str, seq: int, body: b.AttacksRoll) -> Roll:
    sequence = due(game, author, *CHOOSING)
    group = sequence.group(body.group)
    if group.queue is not None or group.A.dice is None:
        blast = any(step.op == "blast" for step in group.A.steps[:1])
        text = "the attacks of group {group} are known: {attacks}"
        refuse("W24" if blast else "W9", text, group=group.group, attacks=group.attacks)
    purpose = Purpose("attacks", sequence.sequence, sequence.unit, (group.group,))
    bearers = len(group.body.bearers)
    roll = _of_characteristic("A", group, purpose, author, seq, group.A.dice, bearers, "attacks")
    return replace(roll, least=least_attacks(group))


def _plan_hit(game: Game, author: str, seq: int, body: b.HitRoll) -> Roll:
    sequence = due(game, author, *CHOOSING)
    taken = checked(game, sequence, body.groups, given(body.count, None))
    group = taken[0][0]
    if any(g.auto_hit for g, _ in taken):
        refuse("W19", "attacks with {weapon} hit without a roll: resolve them", weapon=group.body.weapon)
    attacks = tuple((g.group, attack) for g, attack in taken)
    purpose = Purpose("hit", sequence.sequence, sequence.unit, body.groups, len(taken), attacks=attacks)
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
    model = allocate(target_of(game, sequence), body.model)
    of = "invulnerable" if body.invulnerable is True else "save"
    if body.invulnerable is not True:
        save = armour(model, group)
        if save.value == "-":
            refuse("W18", "model {model} has no armour save", model=model.model)
        needs, changes = save.number, armour_changes(group, wound)
    else:
        if isinstance(model.line.invulnerable, UnsetType):
            refuse("W18", "model {model} has no invulnerable save", model=model.model)
        needs, changes = model.line.invulnerable, group.changes("invulnerable")
    purpose = Purpose("save", sequence.sequence, sequence.target, (group.group,), model=model.model)
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
    ward = target_of(game, sequence).models[unsaved.model - 1].line.ignores_wounds
    needs = (given(ward, 7),) * min(unsaved.damage, MAX_DICE)
    purpose = Purpose("ignore", sequence.sequence, sequence.target, (group.group,), model=unsaved.model)
    source = f"ignore: {sequence.target}"
    notation = _notation(D6, len(needs))
    return Roll(seq, author, purpose, source, notation, D6, needs, rerolls=group.rerolls("ignore"))


def _plan_ignore_mortal(game: Game, author: str, seq: int, number: int, count: int) -> Roll:
    sequence = due(game, author, "inflict")
    model = check_inflict(game, sequence, number, count)
    if isinstance(model.line.ignores_wounds, UnsetType):
        refuse("W22", "model {model} ignores no wounds: resolve them", model=number)
    purpose = Purpose("ignore", sequence.sequence, sequence.target, count=count, model=number)
    needs = (model.line.ignores_wounds,) * count
    return Roll(seq, author, purpose, f"ignore: {sequence.target}", _notation(D6, count), D6, needs)


def _plan_mortal(game: Game, author: str, seq: int, _: b.MortalRoll) -> Roll:
    sequence = due(game, author, "mortal", "inflict")
    item = first_random(sequence)
    if item is None:
        refuse("W19", "the number of mortal wounds is known: {target} takes them", target=sequence.target)
    dice, times = parse(str(item.amount)), times_of(item)
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


# --- helpers --------------------------------------------------------------------------------------------------------


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
        _notation(D6, len(needs)),
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
    return Dice(dice.count * times, dice.sides, 0).text
