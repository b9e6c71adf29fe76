"""The wound roll, preceded by the random S of the hits (specs/wh40k.md, W9, W17, W23).

The step asks for dice for all hits of the batch. They make wounds, some with a better AP, and mortal wounds. The saves
follow.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from rules.actions import Action
from rules.data.language import Message
from rules.systems.wh40k.declare import wound_roll_needs
from rules.systems.wh40k.next_step import at
from rules.systems.wh40k.record import OfStrength, Roll, ToWound
from rules.systems.wh40k.rolls import of_characteristic, of_test
from rules.systems.wh40k.state import AttackSequence, Game, Hit, RollingStrength, RollingWounds, Saving, Wound
from rules.systems.wh40k.triggers import Triggers, owe
from rules.systems.wh40k.values import rule_ap

__all__ = ["begin", "hits_to_wound", "offers", "plan", "plan_strength", "settle", "settle_strength", "without_roll"]


def begin(game: Game, sequence: AttackSequence, target: str, hits: tuple[Hit, ...]) -> Game:
    """Return the game with hits that wait for wound rolls, or first for a random S that decides what they need."""
    group = sequence.group(hits[0].group) if hits else None
    random = group is not None and group.S.dice is not None and group.wounds_on is None
    return replace(game, sequence=replace(sequence, at=(RollingStrength if random else RollingWounds)(target, hits)))


def hits_to_wound(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Return the hits that need a wound roll."""
    return tuple(hit for hit in hits if not hit.wounds)


# --- strength ------------------------------------------------------------------------------------------------------


def plan_strength(game: Game, author: str, seq: int) -> Roll:
    """Return the roll of a random S for each hit that needs a wound roll."""
    sequence, step = at(game, author, RollingStrength)
    hits = hits_to_wound(step.hits)
    group = sequence.group(hits[0].group)
    if group.S.dice is None:
        raise TypeError("hits wait for their S only where it is random")
    purpose = OfStrength(sequence.sequence)
    roll = of_characteristic("S", group, purpose, author, seq, group.S.dice, len(hits))
    return replace(roll, hits=tuple(hit.of for hit in hits))


def settle_strength(game: Game, sequence: AttackSequence, step: RollingStrength, roll: Roll) -> Game:
    """Return the game with the rolled S of each hit."""
    values = iter(roll.parts)
    hits = tuple(hit if hit.wounds else replace(hit, strength=next(values).result or 0) for hit in step.hits)
    return replace(game, sequence=replace(sequence, at=RollingWounds(step.target, hits)))


# --- wound ---------------------------------------------------------------------------------------------------------


def plan(game: Game, author: str, seq: int) -> Roll:
    """Return the wound roll of all hits that need one."""
    sequence, step = at(game, author, RollingWounds)
    needs = tuple(wound_roll_needs(sequence.group(hit.group), hit.strength) for hit in step.rolled)
    group = sequence.group(step.rolled[0].group)
    roll = of_test("wound", group, ToWound(sequence.sequence), author, seq, needs)
    return replace(roll, hits=tuple(hit.of for hit in step.rolled))


def settle(game: Game, sequence: AttackSequence, step: RollingWounds, roll: Roll) -> Game:
    """Return the game after a wound roll: wounds in the order of the hits, and mortal wounds (W23)."""
    rolled = iter(roll.parts)
    wounds: list[Wound] = []
    owed: Counter[tuple[int, int]] = Counter()
    triggers = Triggers("wound")
    for hit in step.hits:
        if hit.wounds:
            wounds.append(Wound(hit.group, hit.of))
            continue
        part = next(rolled)
        group = sequence.group(hit.group)
        new, lands = Wound(group.group, hit.of), part.passed is True
        for number, trigger in triggers.set_off(group, part):
            if trigger.does == "improve_ap" and isinstance(trigger.amount, int):
                new = replace(new, changes=(*new.changes, rule_ap(trigger.amount, trigger.source)))
            elif trigger.does == "mortal":
                owed[group.group, number] += 1
                lands = lands and trigger.instead is not True
        wounds += [new] * lands
    return _wounded(game, owe(sequence, owed), step.target, tuple(wounds))


def without_roll(game: Game, sequence: AttackSequence, step: RollingStrength | RollingWounds) -> Game:
    """Return the game after all hits wounded automatically, or if there are none."""
    return _wounded(game, sequence, step.target, tuple(Wound(hit.group, hit.of) for hit in step.hits))


def _wounded(game: Game, sequence: AttackSequence, target: str, wounds: tuple[Wound, ...]) -> Game:
    sequence = sequence.counted(Counter(wound.group for wound in wounds), "wounds")
    return replace(game, sequence=replace(sequence, at=Saving(target, wounds)))


def offers(sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """Yield the roll that the attacker makes now."""
    if isinstance(sequence.at, RollingStrength):
        yield Action("roll", Message("roll the Strength"), "W9", (), {"for": "strength"}, due)
    if isinstance(sequence.at, RollingWounds):
        yield Action("roll", Message("roll to wound"), "W17", (), {"for": "wound"}, due)
