"""What hit and wound rolls set off (specs/wh40k.md, W7, W23)."""

from collections.abc import Mapping

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.shared import refuse
from rules.wh40k import bodies as b
from rules.wh40k.course import take, to_roll
from rules.wh40k.state import Attack, Game, Group, Mortal, Part, Roll, Sequence
from rules.wh40k.units import lose
from rules.wh40k.values import plain

__all__ = ["check_triggered", "more_attacks", "owe", "set_off", "slay", "subjects", "triggers_on"]


def check_triggered(game: Game, roll: Roll, body: b.ResolveBody) -> None:
    """The abilities that were announced are those that the dice set off (W7)."""
    claimed = given(body.triggered, None)
    if claimed is None:
        return
    expected: dict[int, list[int]] = {}
    triggers = triggers_on(game, roll)
    for part, group, attack in subjects(game, roll):
        for number, _ in set_off(triggers, part, group, attack):
            expected.setdefault(number, []).append(part.part)
    actual = {t.ability: sorted(t.parts) for t in claimed}
    if actual != expected or len(actual) != len(claimed):
        text = "the abilities set off, with their dice, are {expected}, not {actual}"
        refuse("W7", text, expected=_told(expected), actual=_told(actual))


def _told(set_off: Mapping[int, list[int]]) -> str:
    """Abilities with their dice: `1 (2, 5), 3 (2)`."""
    told = (f"{ability} ({', '.join(map(str, parts))})" for ability, parts in sorted(set_off.items()))
    return ", ".join(told) or "none"


def subjects(game: Game, roll: Roll) -> list[tuple[Part, Group, Attack | None]]:
    """Each part of a hit or wound roll with the group, and for hits the attack, that it is rolled for."""
    sequence = game.sequence
    if sequence is None or roll.purpose.sequence is None:
        return []
    if roll.purpose.of == "hit":
        taken = take(sequence, roll.purpose.groups, roll.purpose.count)
        return [(part, group, attack) for part, (group, attack) in zip(roll.parts, taken, strict=True)]
    if roll.purpose.of == "wound" and sequence.batch is not None:
        hits = to_roll(sequence.batch)
        return [(part, sequence.group(hit.group), None) for part, hit in zip(roll.parts, hits, strict=True)]
    return []


def triggers_on(game: Game, roll: Roll) -> Mapping[int, list[tuple[int, b.Trigger]]]:
    """The triggers on a roll, by group."""
    groups = game.sequence.groups if game.sequence is not None else ()
    return {group.group: group.triggers(roll.purpose.of) for group in groups}


def set_off(
    triggers: Mapping[int, list[tuple[int, b.Trigger]]], part: Part, group: Group, attack: Attack | None
) -> list[tuple[int, b.Trigger]]:
    """The triggers that a part sets off (W7, W23)."""
    if attack is not None and attack.extra:
        return []
    found = []
    for number, trigger in triggers[group.group]:
        looked_at = part.result if trigger.unmodified is UNSET else part.unmodified
        needs_success = trigger.does in ("wound", "improve_ap")
        if looked_at in trigger.results and (part.passed or not needs_success):
            found.append((number, trigger))
    return found


def owe(sequence: Sequence, more: Mapping[tuple[int, int], int]) -> Sequence:
    """Mortal wounds wait that abilities set off (group and ability, how often); those alike stand together."""
    owed = {replace(item, times=1): item.times for item in sequence.mortal}
    for (number, ability), times in more.items():
        group = sequence.group(number)
        trigger = group.abilities[ability - 1]
        if isinstance(trigger, b.Trigger) and not isinstance(trigger.amount, UnsetType):
            item = Mortal(group.target, trigger.source, plain(trigger.amount), 1)
            owed[item] = owed.get(item, 0) + times
    return replace(sequence, mortal=tuple(replace(item, times=times) for item, times in owed.items()))


def more_attacks(sequence: Sequence, more: Mapping[int, list[Attack]]) -> Sequence:
    """The groups with further attacks."""
    for number, attacks in more.items():
        group = sequence.group(number)
        queue_ = (*(group.queue or ()), *attacks)
        sequence = sequence.with_group(replace(group, queue=queue_, attacks=(group.attacks or 0) + len(attacks)))
    return sequence


def slay(game: Game, sequence: Sequence, bearers: list[int]) -> tuple[Game, Sequence]:
    """Bearers are destroyed; what attacks they had left lapse."""
    for bearer in dict.fromkeys(bearers):
        assert sequence.unit is not None
        left = game.units[sequence.unit].models[bearer - 1].left
        game, sequence = lose(game, sequence, sequence.unit, bearer, left, "slain")
        for group in sequence.groups:
            others = tuple(n for n in group.body.bearers if n != bearer)
            attacks = None if group.queue is None else tuple(a for a in group.queue if a.bearer != bearer)
            lapsed = replace(group, body=replace(group.body, bearers=others), queue=attacks if others else ())
            sequence = sequence.with_group(lapsed)
    return game, sequence
