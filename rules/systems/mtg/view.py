"""The state of a game as JSON values (specs/mtg.md, "State")."""

from typing import Any

import msgspec

from rules.common.shared import view_head
from rules.systems.mtg.bodies import Effect, Ignores
from rules.systems.mtg.effects import new_effects
from rules.systems.mtg.ignoring import choice
from rules.systems.mtg.outcome import for_display, repeat
from rules.systems.mtg.state import Die, EffectState, Game, Roll, Standing, Trigger

__all__ = ["view", "view_rest", "view_roll"]


def view(game: Game) -> dict[str, Any]:
    """Return the whole state."""
    roll = for_display(game)[0]
    return {"rolls": [view_roll(one) for one in (*game.settled, *((roll,) if roll else ()))], **view_rest(game)}


def view_rest(game: Game) -> dict[str, Any]:
    """Return the state without its rolls."""
    roll, permanents = for_display(game)
    again = repeat(game) or game.again
    return {
        "open": roll.roll if roll else None,
        "again": again.roll if again else None,
        "ability": game.ability.first.roll if game.ability else None,
        "triggers": [_trigger(trigger) for trigger in game.triggers],
        "standing": [_standing(standing) for standing in game.standing],
        "permanents": {
            key: {"name": p.name, "controller": p.controller, "stored": msgspec.to_builtins(p.stored)}
            for key, p in permanents.items()
        },
        "players": msgspec.to_builtins(game.players),
    }


def view_roll(roll: Roll) -> dict[str, Any]:
    """Return one roll, as `outcome.shown` returned it."""
    instruction = msgspec.to_builtins(roll.instruction)
    asked = choice(roll) if roll.status == "open" else None
    return {
        **view_head(roll),
        "modifiers": instruction.get("modifiers", []),
        "effects": [_effect(effect) for effect in roll.effects],
        "again": roll.again,
        "joins": roll.joins,
        "store": roll.store,
        "stored": roll.stored,
        "rerolls": roll.rerolls,
        "replaced": [result.stored for result in roll.replaced],
        "use": instruction.get("use"),
        "ignoring": msgspec.to_builtins(asked) if asked else None,
        "dice": [_die(die) for die in roll.dice],
        "rows": msgspec.to_builtins(roll.rows),
        "doubles": roll.doubles,
        **_together(roll),
        "random": roll.random,
        "call": roll.call,
        "standing": list(roll.standing),
        "without": [_left_out(one, "left out") for one in roll.without]
        + [_left_out(one, "no room") for one in roll.no_room],
        "triggered": [
            {"trigger": t.trigger, "controller": t.controller, "source": t.source, "times": times}
            for t, times in roll.triggered
        ],
    }


def _left_out(standing: Standing, why: str) -> dict[str, Any]:
    return {
        "standing": standing.standing,
        "controller": standing.controller,
        "source": standing.source,
        "why": why,
    }


def _together(roll: Roll) -> dict[str, Any]:
    """Return the outcome of several results together; all None before the roll is finished."""
    members: dict[str, Any] = dict.fromkeys(("total", "highest", "lowest", "heads", "won"))
    if not roll.has_outcome:
        return members
    if roll.flips:
        return members | {"heads": roll.heads, "won": roll.won}
    results = roll.results
    ends = {"highest": max(results, default=None), "lowest": min(results, default=None)}
    return members | {"total": sum(results), **ends}


_OF_EFFECTS = ("kind", "amounts", "number", "scope", "optional", "cost", "mana_cost")


def _standing(standing: Standing) -> dict[str, Any]:
    what = standing.what
    members: dict[str, Any] = {"ignore": None, "effect": None}
    if isinstance(what, Ignores):
        members["ignore"] = {"which": what.which, "extra": what.extra, "count": what.count}
    elif isinstance(what, Effect):
        (effect,) = new_effects(standing.controller, (what,))
        members["effect"] = {name: getattr(effect, name) for name in _OF_EFFECTS} | {"amounts": list(effect.amounts)}
    return {
        "standing": standing.standing,
        "controller": standing.controller,
        "source": standing.source,
        "whose": standing.whose,
        "permanent": standing.permanent,
        "only": standing.only,
        **members,
    }


def _effect(effect: EffectState) -> dict[str, Any]:
    members: dict[str, Any] = msgspec.to_builtins(effect)
    return members


def _die(die: Die) -> dict[str, Any]:
    return {**msgspec.to_builtins(die), "face": die.face}


def _trigger(trigger: Trigger) -> dict[str, Any]:
    return {**msgspec.to_builtins(trigger), "range": trigger.range.text if trigger.range else None}
