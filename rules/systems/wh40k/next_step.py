"""The next step in a sequence, and the player who makes it (specs/wh40k.md, "Course", W12, W19).

    attacks (random A) → hit → extra (random hits) → strength (random S) → wound → save → damage (random D)
    → ignore → … → mortal → inflict

Each step has a module of its own. `rules.systems.wh40k.attack_sequence` leads from one to the next.
"""

from typing import NoReturn, TypeVar

import msgspec
from msgspec.structs import replace

from rules.base import keep
from rules.common.shared import refuse
from rules.data.bounds import MAX_DICE
from rules.data.language import N_, Message
from rules.systems.wh40k.state import (
    At,
    AttackGroup,
    AttackSequence,
    Choosing,
    Ended,
    Game,
    Ignoring,
    Inflicting,
    Mortal,
    RollingDamage,
    RollingExtra,
    RollingMortal,
    RollingStrength,
    RollingWounds,
    Saving,
)
from rules.systems.wh40k.terms import Trigger
from rules.systems.wh40k.values import Dice, parse

__all__ = [
    "SPOKEN",
    "Next",
    "at",
    "choosable",
    "choosing",
    "end",
    "idle",
    "next_step",
    "random_on",
    "times_of",
]

_At = TypeVar(
    "_At", RollingExtra, RollingStrength, RollingWounds, Saving, RollingDamage, Ignoring, RollingMortal, Inflicting
)


class Next(msgspec.Struct, frozen=True):
    """The next step of a sequence: its player and, if no choice decides it, its number of dice."""

    player: str
    step: str
    dice: int | None = None


SPOKEN = {
    N_("attacks or hit"): N_("rolling the number of attacks, or to hit"),
    N_("hit"): N_("rolling to hit"),
    N_("extra"): N_("rolling the number of further hits"),
    N_("strength"): N_("rolling S"),
    N_("wound"): N_("rolling to wound"),
    N_("save"): N_("a saving throw"),
    N_("damage"): N_("rolling the damage"),
    N_("ignore"): N_("rolling to ignore wounds"),
    N_("mortal"): N_("rolling the number of mortal wounds"),
    N_("inflict"): N_("giving mortal wounds to models"),
}
"""step of the course → words for it within a sentence"""

_STEPS: dict[type[At], str] = {
    RollingExtra: "extra",
    RollingStrength: "strength",
    RollingWounds: "wound",
    Saving: "save",
    RollingDamage: "damage",
    Ignoring: "ignore",
    RollingMortal: "mortal",
    Inflicting: "inflict",
}


def next_step(game: Game) -> Next | None:
    """Return the next step of the open sequence; None without one."""
    sequence = game.sequence
    if sequence is None:
        return None
    at = sequence.at
    if isinstance(at, Choosing):
        unknown = any(group.queue is None for group in sequence.left_on(at.target))
        return Next(sequence.player, "attacks or hit" if unknown else "hit")
    if isinstance(at, Ended):
        return None
    defending = isinstance(at, Saving | Ignoring | Inflicting)
    player = game.units[at.target].player if defending else sequence.player
    return Next(player, _STEPS[type(at)], _dice(sequence, at))


def _dice(sequence: AttackSequence, at: At) -> int | None:
    """Return the number of dice to roll; None if a choice decides it."""
    match at:
        case RollingExtra(first=first):
            return parse(first[0].amount).count * len(first)
        case RollingStrength(hits=hits):
            needed = sum(1 for hit in hits if not hit.wounds)
            return _count(sequence.group(hits[0].group).S.dice) * needed
        case RollingWounds(rolled=rolled):
            return len(rolled)
        case Saving():
            return 1
        case RollingDamage(failed=failed):
            return _count(sequence.group(failed.group).D.dice)
        case Ignoring(damage=damage):
            return min(damage, MAX_DICE)
        case RollingMortal(target=target):
            item = random_on(sequence, target)[0]
            return parse(str(item.amount)).count * times_of(item)
        case _:
            return None


def _count(dice: Dice | None) -> int:
    return 0 if dice is None else dice.count


# --- permission for a step -----------------------------------------------------------------------------------------


def at(game: Game, author: str, case: type[_At]) -> tuple[AttackSequence, _At]:
    """Return the open sequence and its step, which must be of type `case` and the author's. Raises Violation W12 or
    W19.
    """
    sequence = _open(game, Message(SPOKEN[_STEPS[case]]))
    step = sequence.at
    if not isinstance(step, case):
        if case in (RollingMortal, Inflicting) and sequence.mortal:
            coming = _coming(game)
            if coming.step not in ("mortal", "inflict") or (case is Inflicting and coming.step == "mortal"):
                text = N_("it is not the time of these mortal wounds: next is {step}, by {player}")
                refuse("W12", text, step=Message(SPOKEN[coming.step]), player=coming.player)
        _not_next(game)
    _check_player(game, author)
    return sequence, step


def choosing(game: Game, author: str) -> AttackSequence:
    """Return the open sequence, in which the author must be allowed to take new attacks or roll for their number.

    Raises Violation W12 or W19.
    """
    sequence = _open(game, Message(SPOKEN["hit"]))
    if _single_waits(sequence):
        coming = _coming(game)
        text = N_("the mortal wounds of a single attack come before other attacks: next is {step}, by {player}")
        refuse("W12", text, step=Message(SPOKEN[coming.step]), player=coming.player)
    match sequence.at:
        case Choosing():
            _check_player(game, author)
        case RollingMortal() | Inflicting() if sequence.left_on(None):
            if sequence.player != author:
                text = N_("these attacks are for {player}, not {author}")
                refuse("W19", text, player=sequence.player, author=author)
        case _:
            _not_next(game)
    return sequence


def choosable(sequence: AttackSequence) -> tuple[AttackGroup, ...]:
    """Return the groups whose attacks, or number of attacks, the attacker may roll now."""
    match sequence.at:
        case Choosing(target=target):
            return sequence.left_on(target)
        case RollingMortal() | Inflicting() if not _single_waits(sequence):
            return sequence.left_on(None)
        case _:
            return ()


def _open(game: Game, step: Message) -> AttackSequence:
    if game.sequence is None:
        refuse("W19", "no attacks are under way, so there is nothing to do for them ({step})", step=step)
    return game.sequence


def _coming(game: Game) -> Next:
    coming = next_step(game)
    if coming is None:
        raise TypeError("an open sequence has a next step")
    return coming


def _not_next(game: Game) -> NoReturn:
    coming = _coming(game)
    text = N_("in these attacks {step} comes next, by {player}")
    refuse("W19", text, step=Message(SPOKEN[coming.step]), player=coming.player)


def _check_player(game: Game, author: str) -> None:
    coming = _coming(game)
    if coming.player != author:
        text = N_("next in these attacks is {step}: that is for {player}, not {author}")
        refuse("W19", text, step=Message(SPOKEN[coming.step]), player=coming.player, author=author)


# --- between batches -----------------------------------------------------------------------------------------------


def idle(sequence: AttackSequence, target: str | None) -> AttackSequence:
    """Return the sequence with no batch open. `target` is the one that was attacked, or None (W12, W20)."""
    if target is not None and sequence.left_on(target):
        waiting = [item for item in sequence.mortal if item.target == target]
        if waiting and _single(sequence, target):
            return replace(sequence, at=_mortal(sequence, target))
        return replace(sequence, at=Choosing(target))
    if sequence.mortal:
        return replace(sequence, at=_mortal(sequence, sequence.mortal[0].target))
    return replace(sequence, at=Choosing(None) if sequence.left_on(None) else Ended("resolved"))


def _mortal(sequence: AttackSequence, target: str) -> RollingMortal | Inflicting:
    return RollingMortal(target) if random_on(sequence, target) else Inflicting(target)


def _single(sequence: AttackSequence, target: str) -> bool:
    """Return whether a single attack on the target, as selected, has a rule for mortal wounds (W12)."""
    selected = 0
    for group in sequence.groups:
        if group.target == target and any(isinstance(a, Trigger) and a.does == "mortal" for a in group.abilities):
            selected += 2 if group.selected is None else group.selected
    return selected == 1


def _single_waits(sequence: AttackSequence) -> bool:
    """Return whether mortal wounds of a single attack are waiting; other attacks come after them (W12)."""
    return any(_single(sequence, item.target) for item in sequence.mortal)


def random_on(sequence: AttackSequence, target: str) -> list[Mortal]:
    """Return the mortal wounds on the target whose number has to be rolled, the next first."""
    return [item for item in sequence.mortal if item.target == target and isinstance(item.amount, str)]


def times_of(item: Mortal) -> int:
    """Return how many times the random number is rolled at once."""
    return min(item.times, MAX_DICE // parse(str(item.amount)).count)


def end(game: Game, sequence: AttackSequence) -> Game:
    """Return the game with the sequence ended."""
    return replace(game, sequence=None, sequences=keep(game.sequences, sequence))
