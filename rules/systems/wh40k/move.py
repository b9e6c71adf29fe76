"""Random Moves: a unit is selected, and one roll is made for all its models (specs/wh40k.md, W9)."""

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from rules.actions import Action
from rules.base import Event, given
from rules.common.shared import refuse
from rules.data.language import N_, Message
from rules.systems.wh40k import bodies as b
from rules.systems.wh40k.fields import free, one_unit
from rules.systems.wh40k.record import OfMove, Roll
from rules.systems.wh40k.state import Game, Move, Unit
from rules.systems.wh40k.units import own_unit, possible, standing, with_unit
from rules.systems.wh40k.values import Computed, Dice, check_size, parse

__all__ = ["offers", "plan", "rolls", "select", "settle"]


def select(game: Game, event: Event, body: b.DeclareMove) -> Game:
    """Return the game with a unit selected to move. Raises Violation W9 or W20."""
    unit = standing(own_unit(game, event.author, body.unit))
    dice = _random_move(unit)
    if unit.move is not None and body.source is UNSET:
        text = N_("{unit} was selected to move in this phase: a source says which rule lets it move again")
        refuse("W9", text, unit=unit.unit)
    changes = given(body.modifiers, ())
    check_size(possible(dice), changes, "M")
    return with_unit(game, replace(unit, move=Move(event.seq, changes)))


def plan(game: Game, author: str, seq: int, body: b.MoveRoll) -> Roll:
    """Return the roll of a selected unit. Raises Violation W9 or W20."""
    move, dice = _dice(game, author, body.unit)
    text = Dice(dice.count, dice.sides, 0).text
    source = f"move: {body.unit}"
    purpose = OfMove(body.unit)
    return Roll(seq, author, purpose, source, text, dice, (None,), characteristic="M", changes=move.changes)


def settle(game: Game, roll: Roll, purpose: OfMove) -> Game:
    """Return the game with the unit's Move as rolled."""
    unit, part = game.units[purpose.unit], roll.parts[0]
    if unit.move is None:
        return game
    return with_unit(game, replace(unit, move=replace(unit.move, computed=Computed(part.result or 0, part.steps))))


def offers(game: Game, party: str) -> Iterator[Action]:
    """Yield the units that the player can select between attacks."""
    random = [unit for unit in game.units.values() if unit.player == party and unit.alive and _is_random(unit)]
    changes = free("modifiers", N_("what changes its Move"), "changes", "W8", required=False)
    for again in (False, True):
        units = [unit.unit for unit in random if (unit.move is not None) == again]
        if units:
            source = free("source", N_("the rule that lets it move again"), "text", required=again)
            label = Message("select a unit to move again") if again else Message("select a unit to move")
            which = one_unit("unit", N_("the unit"), game, units)
            yield Action("declare", label, "W9", (which, changes, source), {"what": "move"})


def rolls(game: Game, party: str, due: str | None) -> Iterator[Action]:
    """Yield the Moves that can be rolled. `due` is the unit that the game waits for."""
    units = [unit.unit for unit in game.units.values() if unit.player == party and unit.to_move]
    if units:
        field = one_unit("unit", N_("the unit"), game, units)
        label = Message("roll the Move of a unit")
        yield Action("roll", label, "W9", (field,), {"for": "move"}, due=due in units)


def _dice(game: Game, author: str, unit: str) -> tuple[Move, Dice]:
    """Return the selection and the dice of a unit that is to roll its Move now. Raises Violation W9 or W20."""
    found = standing(own_unit(game, author, unit))
    dice = _random_move(found)
    if found.move is None:
        refuse("W9", "{unit} has not been selected to move: declare that first", unit=unit)
    if found.move.computed is not None:
        text = N_("the Move of {unit} has been rolled: once for the whole unit when it is selected")
        refuse("W9", text, unit=unit)
    return found.move, dice


def _is_random(unit: Unit) -> bool:
    move = unit.models[0].line.M
    return isinstance(move, str) and move != "-"


def _random_move(unit: Unit) -> Dice:
    printed = unit.models[0].line.M
    if not isinstance(printed, str) or printed == "-":
        refuse("W9", "the Move of {unit} is {M}: nothing is rolled for it", unit=unit.unit, M=printed)
    return parse(printed)
