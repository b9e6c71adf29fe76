"""The state as JSON values (specs/wh40k.md, "State")."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.base import given
from rules.common.shared import view_head
from rules.history import find_roll
from rules.systems.wh40k.declare import announced_wound
from rules.systems.wh40k.next_step import next_step
from rules.systems.wh40k.record import Die, Off, OfSequence, Part, Roll
from rules.systems.wh40k.settling import settle_open
from rules.systems.wh40k.state import (
    At,
    AttackGroup,
    AttackSequence,
    Game,
    Ignoring,
    RollingDamage,
    RollingExtra,
    RollingStrength,
    RollingWounds,
    Saving,
    Unit,
)
from rules.systems.wh40k.terms import Ability
from rules.systems.wh40k.values import Computed, Step, plain

__all__ = ["roll_for_display", "view", "view_rest", "view_roll"]


def roll_for_display(game: Game, number: int) -> Roll | None:
    """Return a roll for display, with its outcome if it stands; None if the state does not keep it."""
    if game.open is not None and game.open.roll == number:
        after = settle_open(game)
        found = find_roll(after.settled, after.open, number)
        return None if found is None else replace(found, status=game.open.status)
    return find_roll(game.settled, None, number)


def view(game: Game) -> dict[str, Any]:
    """Return the members of the state, with the outcome of a roll that stands."""
    stands, after = game.open, settle_open(game)
    rolls = [view_roll(roll) for roll in (*after.settled, *((after.open,) if after.open else ()))]
    if stands is not None and after.open is None:
        rolls[-1]["status"] = "open"
    return {"rolls": rolls, **view_rest(game)}


def view_rest(game: Game) -> dict[str, Any]:
    """Return the members of the state without its rolls."""
    stands, game = game.open, settle_open(game)
    return {
        "open": stands.roll if stands else None,
        "turn": msgspec.to_builtins(game.turn),
        "units": {key: _unit(unit) for key, unit in game.units.items()},
        "sequence": _sequence(game, game.sequence) if game.sequence else None,
        "sequences": [_sequence(game, sequence) for sequence in game.sequences],
        "computed": [msgspec.to_builtins(c) | {"steps": _steps(c.steps)} for c in game.computed],
        "command": list(game.command),
        "players": msgspec.to_builtins(game.players),
    }


def view_roll(roll: Roll) -> dict[str, Any]:
    """Return the members of one roll."""
    purpose = roll.purpose
    return {
        **view_head(roll),
        "for": roll.purpose.of,
        "d3": roll.dice_of_part.d3,
        "sequence": purpose.sequence if isinstance(purpose, OfSequence) else None,
        "rerolls": [{"reroll": n, **msgspec.to_builtins(rule)} for n, rule in enumerate(roll.rerolls, 1)],
        "modifiers": msgspec.to_builtins(roll.changes),
        "at_most": roll.at_most,
        "passes": list(roll.passes),
        "fails": list(roll.fails),
        "off": {"players": list(purpose.players), "winner": roll.winner} if isinstance(purpose, Off) else None,
        "waived": list(roll.waived),
        "dice": [_die(die) for die in roll.dice],
        "parts": [_part(part) for part in roll.parts],
    }


def _die(die: Die) -> dict[str, Any]:
    members: dict[str, Any] = msgspec.to_builtins(die)
    return members


def _part(part: Part) -> dict[str, Any]:
    members: dict[str, Any] = msgspec.to_builtins(part)
    return members | {"steps": _steps(part.steps)}


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


def _sequence(game: Game, sequence: AttackSequence) -> dict[str, Any]:
    at = sequence.at
    return {
        "sequence": sequence.sequence,
        "player": sequence.player,
        "unit": sequence.unit,
        "status": sequence.status,
        "groups": [_group(group) for group in sequence.groups],
        "target": sequence.target,
        "next": msgspec.to_builtins(next_step(game)) if sequence is game.sequence else None,
        "hits": len(at.hits) if isinstance(at, RollingExtra | RollingStrength | RollingWounds) else 0,
        "extra": [{"source": source, "amount": amount, "times": times} for (source, amount), times in _extra(at)],
        "wounds": len(at.wounds) if isinstance(at, Saving | RollingDamage | Ignoring) else 0,
        "rolled": _rolled(at),
        "unsaved": {"model": at.model, "damage": at.damage if isinstance(at, Ignoring) else None}
        if isinstance(at, RollingDamage | Ignoring)
        else None,
        "mortal": msgspec.to_builtins(sequence.mortal),
        "damage": msgspec.to_builtins(tuple(sequence.damage.values())),
        "limited": [{"source": x.source, "for": x.of, "taken": x.taken} for x in sequence.limited],
    }


def _rolled(at: At) -> dict[str, int] | None:
    """Return how many of the wounds that wait are saved, and how many are not, by dice that were rolled before."""
    wounds = at.wounds if isinstance(at, RollingDamage | Ignoring) else ()
    passed = [wound.rolled.passed for wound in wounds if wound.rolled is not None]
    return {"saved": sum(passed), "failed": len(passed) - sum(passed)} if passed else None


def _extra(at: At) -> Iterable[tuple[tuple[str, str], int]]:
    """Return the numbers of extra hits that wait, by source and amount, the next first."""
    return Counter((extra.source, extra.amount) for extra in at.owed).items() if isinstance(at, RollingExtra) else ()


def _ability(ability: Ability) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(ability)
    return {**found, "amount": plain(found["amount"])} if "amount" in found else found


def _group(group: AttackGroup) -> dict[str, Any]:
    body = group.body
    return {
        "group": group.group,
        "target": body.target,
        "weapon": body.weapon,
        "type": body.type,
        "bearers": list(group.bearers),
        "skill": _computed(group.skill),
        "A": _computed(group.A),
        "S": _computed(group.S),
        "T": _computed(group.T),
        "AP": _computed(group.AP),
        "D": _computed(group.D),
        "wound": announced_wound(group),
        "modifiers": msgspec.to_builtins(given(body.modifiers, ())),
        "abilities": [_ability(ability) for ability in group.abilities],
        "attacks": group.attacks,
        "left": None if group.queue is None else len(group.queue),
        "hits": group.hits,
        "wounds": group.wounds,
        "saved": group.saved,
        "failed": group.failed,
    }
