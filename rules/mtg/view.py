"""The state of a Magic game as JSON values (specs/mtg.md, "State")."""

from typing import Any

import msgspec

from rules.mtg.ignoring import choice
from rules.mtg.outcome import repeat, shown
from rules.mtg.state import Die, EffectState, Game, Roll, Trigger
from rules.shared import view_head

__all__ = ["view", "view_roll"]


def view(game: Game) -> dict[str, Any]:
    """The whole state."""
    roll, permanents = shown(game)
    again = repeat(game) or game.again
    return {
        "rolls": [view_roll(one) for one in (*game.settled, *((roll,) if roll else ()))],
        "open": roll.roll if roll else None,
        "again": again.roll if again else None,
        "ability": game.ability.first.roll if game.ability else None,
        "triggers": [_trigger(trigger) for trigger in game.triggers],
        "permanents": {
            key: {"name": p.name, "controller": p.controller, "stored": msgspec.to_builtins(p.stored)}
            for key, p in permanents.items()
        },
        "players": msgspec.to_builtins(game.players),
    }


def view_roll(roll: Roll) -> dict[str, Any]:
    """One roll, as `outcome.shown` has it."""
    told = msgspec.to_builtins(roll.instruction)
    asked = choice(roll) if roll.status == "open" else None
    return {
        **view_head(roll),
        "modifiers": told.get("modifiers", []),
        "effects": [_effect(effect) for effect in roll.effects],
        "again": roll.again,
        "joins": roll.joins,
        "store": roll.store,
        "stored": roll.stored,
        "rerolls": roll.rerolls,
        "replaced": [result.stored for result in roll.replaced],
        "use": told.get("use"),
        "ignoring": msgspec.to_builtins(asked) if asked else None,
        "dice": [_die(die) for die in roll.dice],
        "rows": msgspec.to_builtins(roll.rows),
        "doubles": roll.doubles,
        "triggered": [
            {"trigger": t.trigger, "controller": t.controller, "source": t.source, "times": times}
            for t, times in roll.triggered
        ],
    }


def _effect(effect: EffectState) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.to_builtins(effect)
    return told


def _die(die: Die) -> dict[str, Any]:
    return {**msgspec.to_builtins(die), "face": die.face}


def _trigger(trigger: Trigger) -> dict[str, Any]:
    return {**msgspec.to_builtins(trigger), "range": trigger.range.text if trigger.range else None}
