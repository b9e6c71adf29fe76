"""Magic 706: the questions that several kinds of events ask of a roll."""

from collections.abc import Iterable
from typing import Literal

from msgspec.structs import replace

from rules.base import given
from rules.language import N_
from rules.mtg import bodies as b
from rules.mtg.state import (
    Die,
    Done,
    EffectState,
    Game,
    Permanent,
    Roll,
    RowResult,
)
from rules.shared import add_to_tally, check_none_open, check_roller, find_die, refuse


def check_nothing_open(game: Game) -> None:
    check_none_open(game.open, "706.3b")
    if game.again is not None:
        text = N_("{player} still has to roll again for roll {roll}")
        if game.offered is not None:
            text = N_("{player} may roll again for roll {roll}, and still has to do so or decline")
        refuse("706.3b", text, roll=game.again.roll, player=game.again.player)


def check_ignored(roll: Roll) -> None:
    if roll.demands:
        count = sum(demand.count for demand in roll.demands)
        text = N_("dice are ignored before anything else: {player} still has {count} to ignore")
        refuse("706.6", text, player=roll.player, count=count)


def with_dice(roll: Roll, changed: Iterable[Die]) -> Roll:
    """The roll with these dice in the place of those with their numbers."""
    dice = list(roll.dice)
    for die in changed:
        dice[die.die - 1] = die
    return replace(roll, dice=tuple(dice))


def stores(game: Game, roll: Roll) -> bool:
    """Whether the results of this roll can be stored: a permanent that is gone stores nothing (706.8a)."""
    return roll.store is not None and roll.store in game.permanents


def answer(
    roll: Roll, number: int, answer: Literal["applied", "declined", "ended"], dice: tuple[int, ...] = ()
) -> Roll:
    """The roll with its effect of this number answered: applied to `dice`, or not."""
    effects = tuple(replace(e, answer=answer) if e.effect == number else e for e in roll.effects)
    return replace(roll, effects=effects, course=(*roll.course, Done(answer, dice, number)))


def own_permanent(game: Game, author: str, permanent: str, clause: str) -> Permanent:
    found = game.permanents.get(permanent)
    if found is None:
        refuse("706.8", "there is no permanent {permanent}: declare it first", permanent=permanent)
    if found.controller != author:
        refuse(
            clause,
            "{controller} controls {permanent}, not {author}",
            controller=found.controller,
            permanent=permanent,
            author=author,
        )
    return found


def with_permanent(game: Game, key: str, permanent: Permanent) -> Game:
    return replace(game, permanents={**game.permanents, key: permanent})


def new_effects(game: Game, author: str, effects: Iterable[b.Effect], first: int = 1) -> tuple[EffectState, ...]:
    states = []
    for number, effect in enumerate(effects, first):
        controller = given(effect.controller, author)
        if controller not in game.players:
            refuse("706.2b", "{controller} is no player of this game, so controls no effect", controller=controller)
        if controller in game.left:
            refuse("706.2b", "{controller} has left the game, so controls no effect", controller=controller)
        states.append(
            EffectState(
                effect=number,
                source=effect.source,
                controller=controller,
                kind=effect.kind,
                amounts=given(effect.amounts, ()),
                number=given(effect.number, None),
                scope=effect.scope,
                optional=effect.optional is True,
                cost=given(effect.cost, None),
                mana_cost=given(effect.mana_cost, None),
            )
        )
    return tuple(states)


def answerable(roll: Roll, author: str, number: int) -> EffectState:
    """The effect, if `author` may apply or decline it now."""
    check_roller(roll, author, "706.2b")
    check_ignored(roll)
    return listed_effect(roll, number)


def listed_effect(roll: Roll, number: int, controller: str | None = None) -> EffectState:
    """The effect with this number, not answered yet, and controlled by `controller` unless None.

    Raises Violation 706.2b or, where it is answered, 706.2a.
    """
    if not 1 <= number <= len(roll.effects):
        refuse("706.2b", "roll {roll} has no effect {effect}", roll=roll.roll, effect=number)
    effect = roll.effects[number - 1]
    if controller not in (None, effect.controller):
        text = N_("{controller} controls effect {effect} ({source}), not {author}")
        refuse("706.2b", text, controller=effect.controller, effect=number, source=effect.source, author=controller)
    if effect.answer == "ended":
        refuse("706.2a", "effect {effect} has ended: it no longer applies", effect=number)
    if effect.answer == "applied":
        refuse("706.2a", "effect {effect} has been applied already", effect=number)
    if effect.answer == "declined":
        refuse("706.2a", "effect {effect} has been declined already", effect=number)
    return effect


def targets(roll: Roll, effect: EffectState, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """The dice that an effect is applied to; None stands for all, where the scope is `each`."""
    if roll.planar and effect.kind != "reroll":
        text = N_("the planar die has no number: an increase or decrease does nothing to it")
        if effect.kind == "exchange":
            text = N_("the planar die has no number: there is no result to exchange")
        refuse("706.7", text)
    applicable = roll.applicable(effect)
    if chosen is None:
        if effect.scope != "each":
            refuse("706.2b", "say which dice effect {effect} is applied to", effect=effect.effect)
        chosen = tuple(applicable)
    for number in chosen:
        if number <= len(roll.dice) and not roll.dice[number - 1].counted:
            refuse("706.6", "die {die} is ignored: no effect applies to it", die=number)
    possible = set(applicable)
    for number in chosen:
        die = find_die(roll.dice, number, "706.2b")
        if die.exchanged:
            refuse("706.2b", "the result of die {die} has been exchanged; an exchange comes last", die=number)
        if number not in possible:
            refuse("706.2b", "die {die} has been increased or decreased; rerolls come before that", die=number)
    _check_scope(effect, chosen, applicable)
    return chosen


def _check_scope(effect: EffectState, chosen: tuple[int, ...], applicable: list[int]) -> None:
    """Raises Violation 706.2b where the dice are not as many as the effect is for."""
    if effect.scope == "each" and sorted(chosen) != applicable:
        refuse("706.2b", "effect {effect} is applied to every die of the roll", effect=effect.effect)
    if effect.scope == "one" and len(chosen) != 1:
        refuse("706.2b", "effect {effect} is applied to exactly one die", effect=effect.effect)
    if not chosen or len(set(chosen)) != len(chosen):
        refuse("706.2b", "effect {effect} is applied to one die or more, each once", effect=effect.effect)


def check_paid(effect: EffectState, paid: bool, mana_abilities: bool) -> None:
    problem = None
    if effect.costs and not paid:
        problem = N_("effect {effect} has a cost ({cost}): pay it or decline")
    elif paid and not effect.costs:
        problem = N_("effect {effect} has no cost to pay")
    elif effect.mana_cost is not None and not mana_abilities:
        problem = N_(
            "effect {effect} has a mana cost ({cost}): first comes the chance to activate mana abilities; "
            "say which, or none"
        )
    elif mana_abilities and effect.mana_cost is None:
        problem = N_("effect {effect} has no mana cost, so there are no mana abilities to activate")
    if problem:
        refuse("706.2a", problem, effect=effect.effect, cost=effect.mana_cost or effect.cost)


def outcome(roll: Roll) -> Roll:
    """The roll with its rows (706.3a) and doubles (706.5), from the results."""
    results = [(die.die, die.result) for die in roll.counted if die.result is not None]
    rows = []
    for die, result in results if roll.table else ():
        number = next((n for n, row in enumerate(roll.table, 1) if result in row.range), 0)
        rows.append(RowResult(die, number, roll.table[number - 1].effect if number else None))
    doubles = len(results) == 2 and results[0][1] == results[1][1]
    return replace(roll, rows=tuple(rows), doubles=doubles)


def tallied(game: Game, player: str, rolls: int = 0, dice: int = 0, ignored: int = 0, rerolled: int = 0) -> Game:
    """The game with these counts added to the player's."""
    return replace(game, players=add_to_tally(game.players, player, rolls, dice, ignored, rerolled))
