"""The sequence of attacks from step to step: dispatch to the module of a step, and steps that need no choice.

See specs/wh40k.md, "Course".
"""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import given
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k import damage, extra, hit, ignore, mortal, save, wound
from rules.systems.wh40k.next_step import end, idle
from rules.systems.wh40k.record import MortalNumber, Number, Roll, ToHit, ToIgnoreMortal, ToSave
from rules.systems.wh40k.state import (
    AttackSequence,
    Choosing,
    Ended,
    Game,
    Ignoring,
    Inflicting,
    RollingDamage,
    RollingExtra,
    RollingMortal,
    RollingStrength,
    RollingWounds,
    Saving,
)

__all__ = ["abandon", "advance", "plan", "resolve", "settle"]


_BARE: Mapping[type[b.RollBody], Callable[[Game, str, int], Roll]] = {
    b.ExtraRoll: extra.plan,
    b.StrengthRoll: wound.plan_strength,
    b.WoundRoll: wound.plan,
    b.DamageRoll: damage.plan,
    b.MortalRoll: mortal.plan_number,
}
"""type of request without further members → function that plans its roll"""


def plan(game: Game, author: str, seq: int, body: b.RollBody) -> Roll:
    """Return the roll that a step of the open sequence asks for. Raises Violation."""
    match body:
        case b.AttacksRoll():
            roll = hit.plan_number(game, author, seq, body)
        case b.HitRoll():
            roll = hit.plan(game, author, seq, body)
        case b.SaveRoll():
            roll = save.plan(game, author, seq, body)
        case b.IgnoreRoll(model=int(model)):
            roll = mortal.plan_ignore(game, author, seq, model, given(body.count, 1))
        case b.IgnoreRoll():
            roll = ignore.plan(game, author, seq)
        case _:
            roll = _BARE[type(body)](game, author, seq)
    return replace(roll, asked=body)


def settle(game: Game, sequence: AttackSequence, roll: Roll) -> Game:
    """Return the game after a settled roll of the sequence has taken effect, with the automatic steps that follow."""
    return advance(_done(game, sequence, roll))


def _done(game: Game, sequence: AttackSequence, roll: Roll) -> Game:
    match roll.purpose, sequence.at:
        case Number() as purpose, _:
            return hit.settle_number(game, sequence, roll, purpose)
        case ToHit() as purpose, _:
            return hit.settle(game, sequence, roll, purpose)
        case ToSave() as purpose, Saving() as step:
            return save.settle(game, sequence, step, roll, purpose)
        case ToIgnoreMortal() as purpose, Inflicting() as step:
            return mortal.settle_ignore(game, sequence, step, roll, purpose)
        case MortalNumber() as purpose, RollingMortal() as step:
            return mortal.settle_number(game, sequence, step, roll, purpose)
        case _:
            return _done_in_batch(game, sequence, roll)


def _done_in_batch(game: Game, sequence: AttackSequence, roll: Roll) -> Game:
    """Return the game after a roll has taken effect whose step alone decides what it does."""
    match sequence.at:
        case RollingExtra() as step:
            return extra.settle(game, sequence, step, roll)
        case RollingStrength() as step:
            return wound.settle_strength(game, sequence, step, roll)
        case RollingWounds() as step:
            return wound.settle(game, sequence, step, roll)
        case RollingDamage() as step:
            return damage.settle(game, sequence, step, roll)
        case Ignoring() as step:
            return ignore.settle(game, sequence, step, roll)
        case _:
            raise TypeError(f"a roll of another step: {roll.purpose!r} at {sequence.at!r}")


def advance(game: Game) -> Game:
    """Return the game with the sequence advanced to the next choice or dice."""
    targets = () if game.sequence is None else game.sequence.targets
    while game.sequence is not None:
        sequence = _tidied(game, game.sequence, targets)
        if isinstance(sequence.at, Ended):
            return end(game, sequence)
        game = replace(game, sequence=sequence)
        targets = (
            () if sequence.at.target is None else (sequence.at.target,)
        )  # automatic steps concern this target only
        further = _by_itself(game, sequence)
        if further is None:
            return game
        game = further
    return game


def _tidied(game: Game, sequence: AttackSequence, targets: tuple[str, ...]) -> AttackSequence:
    """Return the sequence without anything that is left for destroyed targets, and with empty batches ended."""
    for target in targets:
        if target not in game.units or not game.units[target].stands:
            for group in sequence.groups:
                if group.target == target and group.left:
                    sequence = sequence.with_group(replace(group, queue=()))
            mortal = tuple(item for item in sequence.mortal if item.target != target)
            sequence = replace(sequence, mortal=mortal)
            if sequence.at.target == target:
                sequence = idle(sequence, None)
    match sequence.at:
        case Saving(target=target, wounds=()):
            return idle(sequence, target)
        case Choosing(target=under_way) | RollingMortal(target=under_way) | Inflicting(target=under_way):
            return idle(sequence, under_way)
        case _:
            return sequence


def _by_itself(game: Game, sequence: AttackSequence) -> Game | None:
    """Return the game after an automatic step; None if the next step needs a choice or dice."""
    match sequence.at:
        case (RollingStrength(hits=hits) | RollingWounds(hits=hits)) as step if not wound.hits_to_wound(hits):
            return wound.without_roll(game, sequence, step)
        case Saving() as step:
            return save.without_roll(game, sequence, step)
        case Inflicting() as step:
            return mortal.without_choice(game, sequence, step)
        case _:
            return None


def abandon(game: Game, status: Literal["struck", "abandoned"]) -> Game:
    """Return the game with the open sequence ended early."""
    sequence = game.sequence
    if sequence is None:
        return game
    # The remaining attacks lapse. A state keeps many ended sequences, so none may keep its queue.
    groups = tuple(replace(group, queue=()) for group in sequence.groups)
    return end(game, replace(sequence, at=Ended(status), mortal=(), groups=groups))


def resolve(game: Game, author: str, body: b.ResolveBody) -> Game:
    """Return the game after a choice without dice: automatic hits, wounds that nothing saves, mortal wounds."""
    if not isinstance(body.groups, UnsetType):
        return advance(hit.without_roll(game, author, body.groups, given(body.count, None)))
    model = given(body.model, 0)
    if isinstance(body.mortal, UnsetType):
        return advance(save.without_save(game, author, model))
    return advance(mortal.inflict(game, author, model, body.mortal))
