"""Magic 706: the questions that several kinds of events ask of a roll."""

from collections.abc import Iterable
from typing import Any, NoReturn

from msgspec.structs import replace

from rules.base import Violation, given
from rules.bounds import MAX_ITEMS
from rules.mtg import bodies as b
from rules.mtg.state import (
    Die,
    EffectState,
    Game,
    Permanent,
    Roll,
    RowResult,
)


def refuse(clause: str, template: str, **values: Any) -> NoReturn:
    raise Violation(clause, template, **values)


def check_nothing_open(game: Game) -> None:
    if game.open is not None:
        text = "roll {roll} of {player} is not finished: resolve it first"
        refuse("706.3b", text, roll=game.open.roll, player=game.open.player)
    if game.again is not None:
        text = "{player} still has to roll again for roll {roll}"
        refuse("706.3b", text, roll=game.again.roll, player=game.again.player)


def open_roll(game: Game, number: int) -> Roll:
    if game.open is None:
        refuse("706.3b", "roll {roll} is not open: no roll is", roll=number)
    if game.open.roll != number:
        refuse("706.3b", "roll {roll} is not open; roll {open} is", roll=number, open=game.open.roll)
    return game.open


def check_roller(roll: Roll, author: str, clause: str, does: str) -> None:
    if author != roll.player:
        text = "{player}, who rolled, {does}; {author} does not"
        refuse(clause, text, player=roll.player, does=does, author=author)


def check_ignored(roll: Roll) -> None:
    if roll.demands:
        count = sum(demand.count for demand in roll.demands)
        text = "dice are ignored before anything else: {player} still has {count} to ignore"
        refuse("706.6", text, player=roll.player, count=count)


def check_room(count: int, clause: str, what: str) -> None:
    if count >= MAX_ITEMS:
        refuse(clause, "there can be at most {most} {what}", most=MAX_ITEMS, what=what)


def find_die(roll: Roll, number: int, clause: str) -> Die:
    if not 1 <= number <= len(roll.dice):
        refuse(clause, "roll {roll} has no die {die}; it has {count}", roll=roll.roll, die=number, count=len(roll.dice))
    return roll.dice[number - 1]


def with_die(roll: Roll, die: Die) -> tuple[Die, ...]:
    return (*roll.dice[: die.die - 1], die, *roll.dice[die.die :])


def answer(roll: Roll, number: int, answer: str) -> Roll:
    effects = tuple(replace(e, answer=answer) if e.effect == number else e for e in roll.effects)
    return replace(roll, effects=effects)


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


def replace_settled(game: Game, old: Roll, new: Roll) -> Game:
    return replace(game, settled=tuple(new if r is old else r for r in game.settled))


def add_to_tally(game: Game, player: str, rolls: int = 0, dice: int = 0, ignored: int = 0, rerolled: int = 0) -> Game:
    tally = game.players[player]
    tally = replace(
        tally,
        rolls=tally.rolls + rolls,
        dice=tally.dice + dice,
        ignored=tally.ignored + ignored,
        rerolled=tally.rerolled + rerolled,
    )
    return replace(game, players={**game.players, player: tally})


def new_effects(game: Game, author: str, effects: Iterable[b.Effect], first: int = 1) -> tuple[EffectState, ...]:
    states = []
    for number, effect in enumerate(effects, first):
        controller = given(effect.controller, author)
        if controller not in game.players:
            refuse("706.2b", "{controller} is no player of this game, so controls no effect", controller=controller)
        states.append(
            EffectState(
                effect=number,
                source=effect.source,
                controller=controller,
                kind=effect.kind,
                amounts=given(effect.amounts, ()),
                scope=effect.scope,
                optional=effect.optional is True,
                cost=given(effect.cost, None),
                mana_cost=given(effect.mana_cost, None),
            )
        )
    return tuple(states)


def answerable(roll: Roll, author: str, number: int) -> EffectState:
    """The effect, if `author` may apply or decline it now."""
    check_roller(roll, author, "706.2b", "chooses which effect to apply")
    check_ignored(roll)
    if not 1 <= number <= len(roll.effects):
        refuse("706.2b", "roll {roll} has no effect {effect}", roll=roll.roll, effect=number)
    effect = roll.effects[number - 1]
    if effect.answer is not None:
        refuse("706.2a", "effect {effect} has been {answer} already", effect=number, answer=effect.answer)
    return effect


def targets(roll: Roll, effect: EffectState, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    """The dice that an effect is applied to; None stands for all, where the scope is `each`."""
    applicable = roll.applicable(effect)
    if chosen is None and effect.scope == "each":
        chosen = tuple(applicable)
    if chosen is None:
        refuse("706.2b", "say which dice effect {effect} is applied to", effect=effect.effect)
    for number in chosen:
        die = find_die(roll, number, "706.2b")
        if not die.counted:
            refuse("706.6", "die {die} is ignored: no effect applies to it", die=number)
        if number not in applicable:
            if die.planar:
                refuse("706.7", "the planar die has no number: an increase or decrease does nothing to it")
            refuse("706.2b", "die {die} has been increased or decreased; rerolls come before that", die=number)
    fits = {
        "each": sorted(chosen) == applicable and bool(chosen),
        "one": len(chosen) == 1,
        "any": bool(chosen) and len(set(chosen)) == len(chosen),
    }
    if not fits[effect.scope]:
        which = {"each": "every die of the roll", "one": "exactly one die", "any": "one die or more, each once"}
        text = "effect {effect} is applied to {which}"
        refuse(
            "706.7" if roll.planar and not applicable else "706.2b",
            text,
            effect=effect.effect,
            which=which[effect.scope],
        )
    return chosen


def check_paid(effect: EffectState, paid: bool, mana_abilities: bool) -> None:
    problem = None
    if effect.costs and not paid:
        problem = "effect {effect} has a cost ({cost}): pay it or decline"
    elif paid and not effect.costs:
        problem = "effect {effect} has no cost to pay"
    elif effect.mana_cost is not None and not mana_abilities:
        problem = (
            "effect {effect} has a mana cost ({cost}): first comes the chance to activate mana "
            "abilities; say which, or none"
        )
    elif mana_abilities and effect.mana_cost is None:
        problem = "effect {effect} has no mana cost, so there are no mana abilities to activate"
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
