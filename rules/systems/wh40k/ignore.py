"""Ignoring wounds, and losing them (specs/wh40k.md, W22).

Asked: a die for each wound that the damage would cost. Those that are not ignored are lost; then comes the next wound.
"""

from collections.abc import Iterator

from msgspec import UnsetType
from msgspec.structs import replace

from rules.actions import Action
from rules.base import given
from rules.data.bounds import MAX_DICE
from rules.data.language import Message
from rules.systems.wh40k.order import at
from rules.systems.wh40k.record import Roll, ToIgnore
from rules.systems.wh40k.rolls import D6
from rules.systems.wh40k.state import AttackSequence, Game, Ignoring, Saving, Wound
from rules.systems.wh40k.units import lose
from rules.systems.wh40k.values import Dice

__all__ = ["offers", "plan", "settle", "suffer"]


def suffer(
    game: Game, sequence: AttackSequence, target: str, wounds: tuple[Wound, ...], failed: Wound, model: int, damage: int
) -> Game:
    """A model suffers the damage of a wound: it may ignore it, or loses the wounds; `wounds` are left of the batch."""
    ward = game.units[target].models[model - 1].line.ignores_wounds
    if damage > 0 and not isinstance(ward, UnsetType):
        return replace(game, sequence=replace(sequence, at=Ignoring(target, wounds, failed, model, damage)))
    game, sequence = lose(game, sequence, target, model, damage, "normal")
    return replace(game, sequence=replace(sequence, at=Saving(target, wounds)))


def plan(game: Game, author: str, seq: int) -> Roll:
    """A die for each wound to be lost."""
    sequence, step = at(game, author, Ignoring)
    group = sequence.group(step.failed.group)
    ward = game.units[step.target].models[step.model - 1].line.ignores_wounds
    needs = (given(ward, 7),) * min(step.damage, MAX_DICE)
    purpose = ToIgnore(sequence.sequence, step.model)
    notation, rules = Dice(len(needs), 6, 0).text, group.rerolls("ignore")
    return Roll(seq, author, purpose, f"ignore: {step.target}", notation, D6, needs, rerolls=rules)


def settle(game: Game, sequence: AttackSequence, step: Ignoring, roll: Roll) -> Game:
    """The model loses the wounds that it did not ignore."""
    lost = sum(1 for part in roll.parts if not part.passed)
    game, sequence = lose(game, sequence, step.target, step.model, lost, "normal")
    return replace(game, sequence=replace(sequence, at=Saving(step.target, step.wounds)))


def offers(sequence: AttackSequence, due: bool) -> Iterator[Action]:
    """The roll that the defender makes now."""
    if isinstance(sequence.at, Ignoring):
        yield Action("roll", Message("roll to ignore wounds"), "W22", (), {"for": "ignore"}, due)
