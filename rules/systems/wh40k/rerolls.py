"""Rerolls: the dice that a rule takes, the player who can still choose, and the dice that are rerolled
(W3 to W6, W21).
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from rules.base import Event, given
from rules.common.shared import Rerolled, check_load, check_roller, check_room, find_die, open_roll, refuse
from rules.data.language import N_, Listed, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.record import OfSequence, Part, Replaced, Roll
from rules.systems.wh40k.rolls import check_no_off, fails_by_itself, with_parts
from rules.systems.wh40k.state import Game, PendingReroll
from rules.systems.wh40k.terms import Reroll

__all__ = [
    "COMMAND",
    "always",
    "can_command",
    "declare_reroll",
    "has_command",
    "holder",
    "replace_die",
    "request_reroll",
    "reroll",
    "takes",
    "waits_for",
    "waive",
    "whole",
]

COMMAND = "Command Re-roll"
_COMMANDED = frozenset({"hit", "wound", "save", "damage", "attacks", "free"})
_SPOKEN = {
    "ignore": N_("ignore-wounds"),
    "mortal": N_("mortal wounds"),
    "move": N_("move"),
    "strength": N_("strength"),
}


# --- choices -------------------------------------------------------------------------------------------------------


def holder(roll: Roll, rule: Reroll) -> str:
    """Return the player who may use the rule."""
    return given(rule.by, roll.player)


def whole(roll: Roll, rule: Reroll) -> bool:
    """Return whether the rule rerolls all dice of a sum together (W4)."""
    return roll.dice_of_part.count > 1 and rule.results is rule.apart is UNSET


def takes(game: Game, roll: Roll, rule: Reroll) -> tuple[int, ...]:
    """Return the dice that the rule may reroll in the open roll (W3), in their order."""
    if not _left(game, roll, rule):
        return ()
    return tuple(number for part in roll.parts for number in _takes(roll, rule, part, frozenset()))


def always(roll: Roll) -> Iterator[tuple[str, int]]:
    """Yield the dice that are rerolled as part of the roll itself, each with the source of the rule that takes it."""
    gone: set[int] = set()
    for rule in roll.rerolls:
        for part in roll.parts if rule.always is True else ():
            found = _takes(roll, rule, part, gone)
            gone |= {*found}
            yield from ((rule.source, number) for number in found)


def parts_taken(game: Game, roll: Roll, rule: Reroll) -> int:
    """Return how many parts limited rules with this source have taken, of this roll and of such rolls
    in the sequence.
    """
    before = 0
    if isinstance(roll.purpose, OfSequence) and game.sequence is not None:
        limited = game.sequence.limited
        before = sum(x.taken for x in limited if (x.source, x.of) == (rule.source, roll.purpose.of))
    return before + roll.taken.get(rule.source, 0)


def has_command(game: Game, player: str) -> bool:
    """Return whether the player still has a Command Re-roll in this phase."""
    return game.options.command_reroll and player not in game.command


def can_command(game: Game, roll: Roll) -> tuple[Part, ...]:
    """Return the parts that the player who rolled can still reroll by the Command Re-roll (W21)."""
    if not has_command(game, roll.player) or roll.purpose.of not in _COMMANDED or _together(roll):
        return ()
    return tuple(part for part in roll.parts if all(roll.dice[number - 1].fresh for number in part.dice))


def waits_for(game: Game, roll: Roll) -> str | None:
    """Return the player who can still choose on the open roll; None if the roll stands.

    Other players whom a rule names come before the player who rolled.
    """
    found = {holder(roll, rule) for rule in _taking(game, roll)}
    for player in game.players:
        if player in found - {roll.player} and player not in roll.waived and player not in game.left:
            return player
    return roll.player if roll.player in found or can_command(game, roll) else None


class _Kind(NamedTuple):
    """The aspects of a part that reroll rules look at. A roll has few kinds of parts, however many parts it has."""

    unmodified: int
    needs: int | None
    fresh: frozenset[int]
    """the values of its dice that may be rerolled"""
    whole: bool
    """whether all of its dice may be rerolled"""


def _taking(game: Game, roll: Roll) -> list[Reroll]:
    """Return the rules for which `takes` is not empty."""
    if not roll.rerolls:
        return []
    kinds = set[_Kind]()
    for part in roll.parts:
        fresh = [die.value for die in (roll.dice[number - 1] for number in part.dice) if die.fresh]
        kinds.add(_Kind(part.unmodified, part.needs, frozenset(fresh), len(fresh) == len(part.dice)))
    return [
        rule for rule in roll.rerolls if any(_takes_of(roll, rule, kind) for kind in kinds) and _left(game, roll, rule)
    ]


def _takes_of(roll: Roll, rule: Reroll, kind: _Kind) -> bool:
    if rule.failed is True and (kind.needs is None or not fails_by_itself(roll, kind.unmodified, kind.needs)):
        return False
    if not isinstance(rule.results, UnsetType):
        return not kind.fresh.isdisjoint(rule.results)
    return bool(kind.fresh) if rule.apart is True else kind.whole


def _left(game: Game, roll: Roll, rule: Reroll) -> bool:
    """Return whether the rule may take any more parts."""
    return isinstance(rule.most, UnsetType) or rule.most > parts_taken(game, roll, rule)


def _takes(roll: Roll, rule: Reroll, part: Part, gone: frozenset[int] | set[int]) -> tuple[int, ...]:
    if rule.failed is True and (part.needs is None or not fails_by_itself(roll, part.unmodified, part.needs)):
        return ()
    fresh = tuple(number for number in part.dice if number not in gone and roll.dice[number - 1].fresh)
    if not isinstance(rule.results, UnsetType):
        return tuple(number for number in fresh if roll.dice[number - 1].value in rule.results)
    return fresh if rule.apart is True or len(fresh) == len(part.dice) else ()


def _together(roll: Roll) -> bool:
    """Return whether the roll consists of several saves."""
    return roll.purpose.of == "save" and len(roll.needs) > 1


# --- requests ------------------------------------------------------------------------------------------------------


def request_reroll(game: Game, event: Event, body: b.RerollBody) -> tuple[Game, tuple[int, ...]]:
    """Take a reroll of dice of the open roll. Return the game and the sides of the dice to draw.

    Raises Violation W3 to W6 or W21.
    """
    roll = open_roll(game.open, body.roll, "W3")
    number = given(body.reroll, None)
    if number is None:
        check_roller(roll, event.author, "W3")
        _check_command(game, roll)
        rule = Reroll(COMMAND)
    else:
        rule = _rule(roll, number, event.author)
    dice = _numbers(roll, given(body.dice, None))
    _check_parts(roll, rule, dice)
    parts = sum(bool(set(part.dice) & set(dice)) for part in roll.parts)
    if parts > 1 and number is None:
        refuse("W21", "the Command Re-roll takes one roll, not several: name its die, or its dice if they are added")
    if parts > 1 and whole(roll, rule):
        refuse("W4", "dice that are added together are rerolled one such roll at a time: name those of one")
    if not isinstance(rule.most, UnsetType) and parts_taken(game, roll, rule) + parts > rule.most:
        refuse("W4", "{source} rerolls no more than {most} in all", source=rule.source, most=rule.most)
    for die in dice:
        if not roll.dice[die - 1].fresh:
            text = N_("die {die} has been rerolled or replaced: no die is ever rerolled after that")
            refuse("W3", text, die=die)
    return replace(game, pending=PendingReroll(roll, game, rule.source, dice, number)), (6,) * len(dice)


def reroll(roll: Roll, dice: tuple[tuple[str, int], ...], naturals: tuple[int, ...]) -> Roll:
    """Return the roll with these dice rerolled, each by the rule with its source."""
    found = list(roll.dice)
    for (source, number), natural in zip(dice, naturals, strict=True):
        die = found[number - 1]
        value = roll.dice_of_part.value(natural)
        steps = (*die.steps, Rerolled(die.naturals[-1], source))
        found[number - 1] = replace(die, naturals=(*die.naturals, natural), value=value, result=value, steps=steps)
    return with_parts(replace(roll, dice=tuple(found)))


def declare_reroll(game: Game, author: str, body: b.DeclareReroll) -> Game:
    """Return the game with one more reroll rule for the author's open roll. Raises Violation W3, W19 or W25."""
    roll = open_roll(game.open, body.roll, "W19")
    check_roller(roll, author, "W3")
    check_no_off(roll)
    check_room(len(roll.rerolls), "W3")
    roll = replace(roll, rerolls=(*roll.rerolls, body.reroll))
    check_load(roll.entry_weight, len(roll.needs), "W3")
    return replace(game, open=roll)


def replace_die(game: Game, author: str, body: b.DeclareReplace) -> Game:
    """Return the game with a die of the author's open roll counting as another number (W3). Raises Violation."""
    roll = open_roll(game.open, body.roll, "W19")
    check_roller(roll, author, "W3")
    check_no_off(roll)
    die = find_die(roll.dice, body.die, "W3")
    if die.status == "ignored" or die.replaced:
        refuse("W3", "die {die} is ignored, or replaced already", die=body.die)
    if body.shows > roll.dice_of_part.sides:
        refuse("W1", "a D3 shows 1 to 3, not {shows}", shows=body.shows)
    steps = (*die.steps, Replaced(die.value, body.source))
    new = replace(die, value=body.shows, result=body.shows, steps=steps)
    dice = (*roll.dice[: die.die - 1], new, *roll.dice[die.die :])
    return replace(game, open=with_parts(replace(roll, dice=dice)))


def waive(game: Game, author: str, body: b.DeclareWaive) -> Game:
    """Return the game after the author waived the Command Re-roll in this phase, or a reroll of the open roll.

    Raises Violation W19 or W21.
    """
    if isinstance(body.roll, UnsetType):
        if not has_command(game, author):
            refuse("W21", "{author} has no Command Re-roll in this phase", author=author)
        return replace(game, command=(*game.command, author))
    roll = open_roll(game.open, body.roll, "W19")
    known = author in (roll.player, *roll.waived)
    if known or not any(rule.by == author for rule in roll.rerolls):
        refuse("W21", "no rule lets {author} have dice of roll {roll} rerolled", author=author, roll=roll.roll)
    return replace(game, open=replace(roll, waived=(*roll.waived, author)))


# --- checks --------------------------------------------------------------------------------------------------------


def _rule(roll: Roll, number: int, author: str) -> Reroll:
    if number > len(roll.rerolls):
        refuse("W3", "roll {roll} has no reroll rule {rule}", roll=roll.roll, rule=number)
    rule = roll.rerolls[number - 1]
    if author != holder(roll, rule):
        text = N_("{source} is for {player} to use, not for {author}")
        refuse("W3", text, source=rule.source, player=holder(roll, rule), author=author)
    if author in roll.waived:
        refuse("W3", "{author} has let roll {roll} stand", author=author, roll=roll.roll)
    return rule


def _numbers(roll: Roll, chosen: tuple[int, ...] | None) -> tuple[int, ...]:
    if chosen is None:
        if len(roll.parts) > 1:
            refuse("W3", "say which dice of roll {roll} are rerolled", roll=roll.roll)
        return roll.parts[0].dice
    if not chosen or len(set(chosen)) != len(chosen):
        refuse("W3", "a reroll names one die or more, each once")
    for number in chosen:
        if find_die(roll.dice, number, "W3").status == "ignored":
            refuse("W3", "die {die} is ignored: what it was rolled for is no more", die=number)
    return chosen


def _check_parts(roll: Roll, rule: Reroll, numbers: tuple[int, ...]) -> None:
    """Verify that the rule allows a reroll of these dice. Raises Violation W4, W5 or W6."""
    results = given(rule.results, None)
    clause = "W5" if roll.dice_of_part.d3 else "W4"
    for part in roll.parts:
        named = set(part.dice) & set(numbers)
        if not named:
            continue
        for number in sorted(named) if results is not None else ():
            value = roll.dice[number - 1].value
            if results is not None and value not in results:
                text = N_("{source} rerolls results of {results}; die {die} is a {value}")
                listed = Listed(map(str, results))
                refuse(clause, text, source=rule.source, results=listed, die=number, value=value)
        if rule.failed is True:
            _check_failed(roll, rule, part)
        if results is None and rule.apart is not True and named != set(part.dice):
            text = N_("dice that are added together are rerolled together: dice {dice}")
            refuse("W4", text, dice=Listed(map(str, part.dice)))


def _check_failed(roll: Roll, rule: Reroll, part: Part) -> None:
    if part.needs is None:
        text = N_("{source} rerolls failed rolls; roll {roll} cannot fail")
        refuse("W6", text, source=rule.source, roll=roll.roll)
    if not fails_by_itself(roll, part.unmodified, part.needs):
        text = N_("{source} rerolls failed rolls; an unmodified {value} where {needs} is needed has not failed")
        refuse("W6", text, source=rule.source, value=part.unmodified, needs=part.needs)


def _check_command(game: Game, roll: Roll) -> None:
    if roll.purpose.of not in _COMMANDED:
        text = N_(
            "the Command Re-roll takes no {of} roll: only hit, wound, save, damage, number of attacks and free rolls"
        )
        refuse("W21", text, of=Message(_SPOKEN.get(roll.purpose.of, roll.purpose.of)))
    if _together(roll):
        refuse("W21", "saves that are rolled together take no Command Re-roll: who wants it rolls them one at a time")
    if not game.options.command_reroll:
        refuse("W21", "this game has no Command Re-roll")
    if roll.player in game.command:
        refuse("W21", "{player} has used or waived the Command Re-roll in this phase", player=roll.player)
