"""Damage of a failed save (specs/wh40k.md, "Course", W9, W10). Fixed damage is applied at once, random damage is
rolled.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rules.actions import Action
from rules.data.language import Message
from rules.systems.wh40k.ignore import suffer
from rules.systems.wh40k.next_step import at
from rules.systems.wh40k.record import OfDamage, Roll
from rules.systems.wh40k.rolls import counts, of_characteristic
from rules.systems.wh40k.state import AttackSequence, Game, RollingDamage, Wound

__all__ = ["inflict", "offers", "plan", "settle"]


def inflict(
    game: Game, sequence: AttackSequence, target: str, wounds: tuple[Wound, ...], failed: Wound, model: int
) -> Game:
    """Return the game after a model failed to save a wound. `wounds` are the others of the batch."""
    damage = sequence.group(failed.group).D.value
    if isinstance(damage, int):
        return suffer(game, sequence, target, wounds, failed, model, max(0, damage))
    return replace(game, sequence=replace(sequence, at=RollingDamage(target, wounds, failed, model)))


def plan(game: Game, author: str, seq: int) -> Roll:
    """Return the roll of a random D."""
    sequence, step = at(game, author, RollingDamage)
    group = sequence.group(step.failed.group)
    if group.D.dice is None:
        raise TypeError("damage is rolled only where it is random")
    return of_characteristic("D", group, OfDamage(sequence.sequence), author, seq, group.D.dice, 1)


def settle(game: Game, sequence: AttackSequence, step: RollingDamage, roll: Roll) -> Game:
    """Return the game after the model suffered the damage that was rolled."""
    return suffer(game, sequence, step.target, step.wounds, step.failed, step.model, counts(roll.parts)[0])


def offers(sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """Yield the damage roll of the attacker, if it is due."""
    if isinstance(sequence.at, RollingDamage):
        yield Action("roll", Message("roll the damage"), "W9", (), {"for": "damage"}, due)
