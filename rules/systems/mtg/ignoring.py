"""Ignored dice (706.6). Dice that must be ignored without a choice are ignored at once (specs/mtg.md, "706.6")."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from rules.common.shared import add_to_tally, check_roller, find_die, open_roll, refuse
from rules.data.language import N_
from rules.systems.mtg import bodies as b
from rules.systems.mtg.state import Demand, Die, Done, Game, Roll, concerns

__all__ = ["Choice", "check_ignored", "choice", "ignore", "without_ignored"]


class Choice(msgspec.Struct, frozen=True):
    """A choice of the player who rolled: `count` of the dice `of` have to be ignored."""

    source: str
    which: str
    of: tuple[int, ...]
    count: int


def choice(roll: Roll) -> Choice | None:
    """Return the choice that the player who rolled has to make; None without one. `without_ignored`
    returned the roll.
    """
    if not roll.demands:
        return None
    demand = roll.demands[0]
    return Choice(demand.source, demand.which, *_open(roll, demand)[1:])


def check_ignored(roll: Roll) -> None:
    """Raise Violation 706.6 if dice are still to be ignored."""
    asked = choice(roll)
    if asked is not None:
        text = N_("dice are ignored before anything else: {player} still has {count} to ignore")
        refuse("706.6", text, player=roll.player, count=asked.count)


def without_ignored(game: Game, roll: Roll) -> Game:
    """Return the game with this roll open, and the dice ignored that must be ignored without a choice."""
    if not roll.demands:
        return replace(game, open=roll)
    demands = list(roll.demands)
    while demands:
        forced, among, count = _open(roll, demands[0])
        if forced:
            game, roll = _ignored(game, roll, demands[0], forced)
        if among:
            demands[0] = replace(demands[0], count=count)
            break
        del demands[0]
    return replace(game, open=replace(roll, demands=tuple(demands)))


def ignore(game: Game, author: str, body: b.IgnoreBody) -> Game:
    """Return the game after the player who rolled chose dice to ignore. Raises Violation 706.3b or 706.6."""
    roll = open_roll(game.open, body.roll, "706.3b")
    check_roller(roll, author, "706.6")
    asked = choice(roll)
    if asked is None:
        refuse("706.6", "there is no choice of dice to ignore in roll {roll}", roll=roll.roll)
    of = frozenset(asked.of)
    for number in body.dice:
        die = find_die(roll.dice, number, "706.6")
        if not die.counted:
            refuse("706.6", "die {die} is ignored already", die=number)
        if number not in of:
            text = N_("die {die} is none of those to choose from for {source}: {dice}")
            refuse("706.6", text, die=number, source=asked.source, dice=_list(asked.of))
    if len(body.dice) != asked.count or len(set(body.dice)) != asked.count:
        text = N_("{source} has {player} ignore dice of {dice}, each once: {count}")
        refuse("706.6", text, source=asked.source, player=roll.player, dice=_list(asked.of), count=asked.count)
    game, roll = _ignored(game, roll, roll.demands[0], tuple(sorted(body.dice)))
    return without_ignored(game, replace(roll, demands=roll.demands[1:]))


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _ignored(game: Game, roll: Roll, demand: Demand, numbers: tuple[int, ...]) -> tuple[Game, Roll]:
    dice = list(roll.dice)
    for number in numbers:
        dice[number - 1] = replace(dice[number - 1], status="ignored")
    course = (*roll.course, Done("ignored", numbers, source=demand.source))
    players = add_to_tally(game.players, roll.player, ignored=len(numbers))
    return replace(game, players=players), replace(roll, dice=tuple(dice), course=course)


def _open(roll: Roll, demand: Demand) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return the dice that a demand determines, the dice that the player can choose from, and how many to choose."""
    if demand.which == "pair":
        return (), demand.dice, demand.count
    among = roll.counted if demand.which == "any" else roll.numbered
    dice = [die for die in among if concerns(demand.only, die.kind)]
    if demand.count >= len(dice):
        return tuple(die.die for die in dice), (), 0
    if demand.which == "any":
        return (), tuple(die.die for die in dice), demand.count
    return _extremes(dice, demand)


def _extremes(dice: Sequence[Die], demand: Demand) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return the same for a demand for the lowest or highest dice: there is a choice only among equal results."""
    sign = 1 if demand.which == "lowest" else -1
    last = sorted(sign * (die.result or 0) for die in dice)[demand.count - 1]
    beyond = tuple(die.die for die in dice if sign * (die.result or 0) < last)
    tied = tuple(die.die for die in dice if sign * (die.result or 0) == last)
    left = demand.count - len(beyond)
    return (beyond + tied, (), 0) if left == len(tied) else (beyond, tied, left)
