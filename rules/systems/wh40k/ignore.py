"""Ignored wounds, and the loss of the others (specs/wh40k.md, W22).

The step asks for a die for each wound that the damage costs. Wounds that are not ignored are lost. The next wound
follows.
"""

from collections.abc import Iterator

from msgspec import UnsetType
from msgspec.structs import replace

from rules.actions import Action
from rules.base import given
from rules.data.bounds import MAX_DICE
from rules.data.language import Message
from rules.systems.wh40k.next_step import at
from rules.systems.wh40k.record import Roll, ToIgnore
from rules.systems.wh40k.rolls import D6
from rules.systems.wh40k.state import AttackSequence, Game, Ignoring, Saving, Wound
from rules.systems.wh40k.units import lose
from rules.systems.wh40k.values import Dice

__all__ = ["offers", "plan", "settle", "suffer"]


def suffer(
    game: Game, sequence: AttackSequence, target: str, wounds: tuple[Wound, ...], failed: Wound, model: int, damage: int
) -> Game:
    """Return the game after a model suffered damage: it may ignore wounds, or loses them. `wounds` is the rest of the
    batch.
    """
    ward = game.units[target].models[model - 1].line.ignores_wounds
    if damage > 0 and not isinstance(ward, UnsetType):
        return replace(game, sequence=replace(sequence, at=Ignoring(target, wounds, failed, model, damage)))
    game, sequence = lose(game, sequence, target, model, damage, "normal")
    return replace(game, sequence=replace(sequence, at=Saving(target, wounds)))


def plan(game: Game, author: str, seq: int) -> Roll:
    """Return the roll of a die for each wound."""
    sequence, step = at(game, author, Ignoring)
    group = sequence.group(step.failed.group)
    ward = game.units[step.target].models[step.model - 1].line.ignores_wounds
    needs = (given(ward, 7),) * min(step.damage, MAX_DICE)
    purpose = ToIgnore(sequence.sequence, step.model)
    notation, rules = Dice(len(needs), 6, 0).text, group.rerolls("ignore")
    return Roll(seq, author, purpose, f"ignore: {step.target}", notation, D6, needs, rerolls=rules)


def settle(game: Game, sequence: AttackSequence, step: Ignoring, roll: Roll) -> Game:
    """Return the game after the model lost the wounds that it did not ignore."""
    lost = sum(1 for part in roll.parts if not part.passed)
    game, sequence = lose(game, sequence, step.target, step.model, lost, "normal")
    return replace(game, sequence=replace(sequence, at=Saving(step.target, step.wounds)))


def offers(sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """Yield the roll that the defender makes now."""
    if isinstance(sequence.at, Ignoring):
        yield Action("roll", Message("roll to ignore wounds"), "W22", (), {"for": "ignore"}, due)
