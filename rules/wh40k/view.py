"""The state as JSON values (specs/wh40k.md, "State")."""

from typing import Any

import msgspec

from rules.base import given
from rules.wh40k.attacks import wound_roll_needs
from rules.wh40k.course import next_step
from rules.wh40k.state import Die, Game, Group, Part, Roll, Sequence, Unit
from rules.wh40k.values import Computed, Step

__all__ = ["view"]


def view(game: Game) -> dict[str, Any]:
    return {
        "rolls": [view_roll(roll) for roll in (*game.settled, *((game.open,) if game.open else ()))],
        "open": game.open.roll if game.open else None,
        "turn": msgspec.to_builtins(game.turn),
        "units": {key: _unit(unit) for key, unit in game.units.items()},
        "sequence": _sequence(game, game.sequence) if game.sequence else None,
        "sequences": [_sequence(game, sequence) for sequence in game.sequences],
        "computed": [msgspec.to_builtins(c) | {"steps": _steps(c.steps)} for c in game.computed],
        "command": list(game.command),
        "players": msgspec.to_builtins(game.players),
    }


def view_roll(roll: Roll) -> dict[str, Any]:
    return {
        "roll": roll.roll,
        "player": roll.player,
        "status": roll.status,
        "for": roll.purpose.of,
        "source": roll.source,
        "notation": roll.notation,
        "d3": roll.dice_of_part.d3,
        "sequence": roll.purpose.sequence,
        "rerolls": [{"reroll": n, **msgspec.to_builtins(rule)} for n, rule in enumerate(roll.rerolls, 1)],
        "modifiers": msgspec.to_builtins(roll.changes),
        "dice": [_die(die) for die in roll.dice],
        "parts": [_part(part) for part in roll.parts],
    }


def _die(die: Die) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(die)
    return told


def _part(part: Part) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(part)
    return told | {"steps": _steps(part.steps)}


def _steps(steps: tuple[Step, ...]) -> list[dict[str, Any]]:
    return [{"op": s.op, "amount": s.amount, "source": s.source, "value": s.value} for s in steps]


def _computed(computed: Computed) -> dict[str, Any]:
    return {"value": computed.value, "steps": _steps(computed.steps)}


def _unit(unit: Unit) -> dict[str, Any]:
    move = unit.move
    return {
        "name": unit.name,
        "player": unit.player,
        "models": [
            {"model": m.model, "name": m.line.name, "W": m.line.W, "lost": m.lost, "destroyed": m.destroyed}
            for m in unit.models
        ],
        "chosen": list(unit.chosen),
        "move": move
        and {
            "selected": move.selected,
            "value": move.computed.value if move.computed else None,
            "steps": _steps(move.computed.steps) if move.computed else [],
        },
    }


def _sequence(game: Game, sequence: Sequence) -> dict[str, Any]:
    batch = sequence.batch
    unsaved = batch.unsaved if batch else None
    return {
        "sequence": sequence.sequence,
        "player": sequence.player,
        "unit": sequence.unit,
        "status": sequence.status,
        "groups": [_group(group) for group in sequence.groups],
        "target": sequence.target,
        "next": msgspec.to_builtins(next_step(game)) if sequence is game.sequence else None,
        "hits": len(batch.hits) if batch else 0,
        "wounds": len(batch.wounds) if batch else 0,
        "unsaved": unsaved and {"model": unsaved.model, "damage": unsaved.damage},
        "mortal": msgspec.to_builtins(sequence.mortal),
        "damage": msgspec.to_builtins(sequence.damage),
    }


def _group(group: Group) -> dict[str, Any]:
    body = group.body
    return {
        "group": group.group,
        "target": body.target,
        "weapon": body.weapon,
        "type": body.type,
        "bearers": list(body.bearers),
        "skill": _computed(group.skill),
        "A": _computed(group.A),
        "S": _computed(group.S),
        "T": _computed(group.T),
        "AP": _computed(group.AP),
        "D": _computed(group.D),
        "wound": wound_roll_needs(group, None) if isinstance(group.S.value, int) else None,
        "modifiers": msgspec.to_builtins(given(body.modifiers, ())),
        "abilities": msgspec.to_builtins(group.abilities),
        "attacks": group.attacks,
        "left": None if group.queue is None else len(group.queue),
        "hits": group.hits,
        "wounds": group.wounds,
        "saved": group.saved,
        "failed": group.failed,
    }
