"""Actions of a player (specs/wh40k.md, "Actions", "Course").

Each step of an attack sequence has its own offers. This module puts them together with what can be done to an open
roll.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import UnsetType

from rules.actions import Action
from rules.base import WaitsFor
from rules.data.bounds import MAX_ITEMS
from rules.data.language import N_, Message
from rules.systems.wh40k import (
    damage,
    declare,
    extra,
    hit,
    ignore,
    mortal,
    move,
    rerolls,
    rolloff,
    save,
    standalone_rolls,
    turn,
    units,
    wound,
)
from rules.systems.wh40k.fields import free, one_of, range_of, some_of
from rules.systems.wh40k.next_step import next_step
from rules.systems.wh40k.record import Off, Roll
from rules.systems.wh40k.settling import awaited_player, settle
from rules.systems.wh40k.state import Game
from rules.systems.wh40k.terms import Reroll

__all__ = ["actions"]

_REROLL = N_("the dice to reroll")


def actions(game: Game, party: str) -> tuple[Action, ...]:
    """Return what a player can do now, due actions first."""
    if party not in game.players:
        return ()
    found = [*_of_roll(game, party), *_always(game, party)]
    roll = game.open
    waits = None if roll is None else rerolls.waits_for(game, roll)
    if roll is None or waits is None or waits == roll.player == party:
        after = game if roll is None else settle(game, roll)
        found += _steps(after, party, None if waits is not None else awaited_player(after))
    return tuple(sorted(found, key=lambda action: not action.due))


# --- the open roll -------------------------------------------------------------------------------------------------


def _of_roll(game: Game, party: str) -> Iterator[Action]:
    roll = game.open
    modified = [roll, game.undo.roll if game.undo is not None and not game.undo.spent else None]
    for each in modified:
        if each is not None and not isinstance(each.purpose, Off):
            changes = free("modifiers", N_("what changes it"), "changes", "W2", "W8", "W9", "W19")
            label = Message("modify roll {roll}", roll=each.roll)
            yield Action("modify", label, "W2", (changes,), {"roll": each.roll})
    if roll is None:
        return
    waits = rerolls.waits_for(game, roll)
    due = waits == party
    for number, rule in enumerate(roll.rerolls, 1):
        if rerolls.holder(roll, rule) == party and party not in roll.waived:
            yield from _rerolls(game, roll, number, rule, due)
    if party != roll.player:
        if party not in roll.waived and any(rule.by == party for rule in roll.rerolls):
            label = Message("let roll {roll} stand", roll=roll.roll)
            yield Action("declare", label, "W21", (), {"what": "waive", "roll": roll.roll}, due)
        return
    yield from _command(game, roll, due)
    if waits in (None, party):
        yield Action("resolve", Message("let the dice stand"), "W19", (), {"roll": roll.roll}, due)
    if not isinstance(roll.purpose, Off):
        yield from _changed(roll)


def _changed(roll: Roll) -> Iterator[Action]:
    """Yield the declarations about the open roll by the player who made it."""
    if len(roll.rerolls) < MAX_ITEMS:
        rule_ = free("reroll", N_("the rule that lets dice be rerolled"), "reroll-rule", "W3")
        label = Message("declare a further reroll rule")
        yield Action("declare", label, "W3", (rule_,), {"what": "reroll", "roll": roll.roll})
    dice = [(d.die, _shown(d.value)) for d in roll.dice if d.status == "counted" and not d.replaced]
    if dice:
        die = one_of("die", N_("the die"), dice)
        value = range_of("shows", N_("what it counts as"), 1, roll.dice_of_part.sides)
        source = free("source", N_("the rule that says so"), "text")
        body = {"what": "replace", "roll": roll.roll}
        yield Action("declare", Message("replace a die"), "W3", (die, value, source), body)


def _rerolls(game: Game, roll: Roll, number: int, rule: Reroll, due: bool) -> Iterator[Action]:
    dice = rerolls.takes(game, roll, rule)
    label = Message("reroll dice by {source}", source=rule.source)
    body = {"roll": roll.roll, "reroll": number}
    if not dice:
        return
    if rerolls.whole(roll, rule):
        parts = [part.dice for part in roll.parts if set(part.dice) <= set(dice)]
        yield from _parts(roll, parts, label, "W4", body, due)
        return
    most = (
        len(dice)
        if isinstance(rule.most, UnsetType)
        else min(len(dice), rule.most - rerolls.parts_taken(game, roll, rule))
    )
    all_of_it = len(roll.parts) == 1 and most == len(roll.parts[0].dice)
    field = some_of("dice", _REROLL, _values(roll, dice), 1, most, required=not all_of_it)
    yield Action("reroll", label, "W3", (field,), body, due)


def _command(game: Game, roll: Roll, due: bool) -> Iterator[Action]:
    parts = rerolls.can_command(game, roll)
    label = Message("use the Command Re-roll")
    body = {"roll": roll.roll, "command": True}
    if parts and roll.dice_of_part.count == 1:
        dice = [number for part in parts for number in part.dice]
        field = some_of("dice", _REROLL, _values(roll, dice), 1, 1, required=len(roll.parts) > 1)
        yield Action("reroll", label, "W21", (field,), body, due)
    else:
        yield from _parts(roll, [part.dice for part in parts], label, "W21", body, due)


def _parts(
    roll: Roll, parts: list[tuple[int, ...]], label: Message, clause: str, body: dict[str, Any], due: bool
) -> Iterator[Action]:
    """Yield one action for each part, all of whose dice are rerolled."""
    for dice in parts:
        size = len(dice)
        field = some_of("dice", _REROLL, _values(roll, dice), size, size, required=len(roll.parts) > 1)
        yield Action("reroll", label, clause, (field,), body, due)


def _values(roll: Roll, dice: tuple[int, ...] | list[int]) -> list[tuple[int, Message]]:
    return [(number, _shown(roll.dice[number - 1].value)) for number in dice]


def _shown(value: int) -> Message:
    return Message("{natural}", natural=value)


# --- at any time ---------------------------------------------------------------------------------------------------


def _always(game: Game, party: str) -> Iterator[Action]:
    yield from declare.offers_of_rules(game, party)
    yield from units.offers(game)
    if rerolls.has_command(game, party):
        label = Message("do without the Command Re-roll in this phase")
        yield Action("declare", label, "W21", (), {"what": "waive"})


# --- steps ---------------------------------------------------------------------------------------------------------


def _steps(game: Game, party: str, waits: WaitsFor | None) -> Iterator[Action]:
    """Yield the steps that settle the open roll first. `waits` is what the game waits for."""
    mine = waits is not None and waits.party == party
    sequence = game.sequence
    if sequence is not None:
        coming = next_step(game)
        if sequence.player == party:
            yield from hit.offers(
                game, sequence, mine and coming is not None and coming.step in ("hit", "attacks or hit")
            )
        if coming is not None and coming.player == party:
            yield from extra.offers(sequence, mine)
            yield from wound.offers(sequence, mine)
            yield from save.offers(game, sequence, mine)
            yield from damage.offers(sequence, mine)
            yield from ignore.offers(sequence, mine)
            yield from mortal.offers(game, sequence, mine)
    else:
        yield from declare.offers(game, party)
        yield from turn.offers(game, party)
        yield from move.offers(game, party)
        yield from mortal.offers_of_declaring(game, party)
        yield from units.offers_between(game, party)
    waiting = next((unit.unit for unit in game.units.values() if unit.to_move), None)
    yield from move.rolls(game, party, waiting if mine and sequence is None else None)
    yield from standalone_rolls.offers()
    yield from rolloff.offers(game)
