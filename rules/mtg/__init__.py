"""Magic: The Gathering, Comprehensive Rules 706, 2023-11-17 (specs/mtg.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.base import Body, Clause, Event, Role, Ruling, Told, WaitsFor
from rules.history import History, find_roll
from rules.language import N_
from rules.mtg import acts, requests, rulings
from rules.mtg.bodies import BODIES, Options
from rules.mtg.checks import stores
from rules.mtg.clauses import CLAUSES
from rules.mtg.state import Die, Game, Owed, Roll, Trigger
from rules.shared import PlayersRoll, Tally

__all__ = ["Magic"]


class Magic(PlayersRoll):
    """The system `mtg-706-2023-11-17`."""

    id = "mtg-706-2023-11-17"
    title = N_("Magic: The Gathering, Comprehensive Rules 706 (2023-11-17)")
    roles: frozenset[Role] = frozenset()
    agreement: str | None = "706.1b"
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        if not isinstance(options, Options):
            raise TypeError(f"these are no options of {self.id}: {options!r}")
        return Game(options.planechase, {name: Tally() for name, role in parties.items() if role == "player"})

    def request(self, game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
        return requests.request(game, event)

    def reveal(self, game: Game, naturals: tuple[int, ...]) -> Game:
        return requests.reveal(game, naturals)

    def void(self, game: Game) -> Game:
        return requests.void(game)

    def act(self, game: Game, event: Event) -> Game:
        return acts.act(game, event)

    def leave(self, game: Game, party: str) -> Game:
        return rulings.leave(game, party)

    def rule(self, game: Game, ruling: Ruling) -> Game:
        return rulings.rule(game, ruling)

    def waits_for(self, game: Game) -> WaitsFor | None:
        roll = game.open
        if roll is None:
            if game.again is None:
                return None
            return WaitsFor(game.again.player, "may roll again" if game.offered else "roll again")
        if roll.demands:
            return WaitsFor(roll.player, "ignore")
        if roll.unanswered:
            return WaitsFor(roll.player, "effects")
        return WaitsFor(roll.player, "store" if stores(game, roll) and not roll.stored else "resolve")

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, (game.open,) if game.open else ()

    def explain(self, game: Game, roll: int) -> tuple[Told, ...]:
        from rules.mtg.explain import explain  # verifying alone does not need it

        return explain(game, roll)

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.open, roll)
        return None if found is None else _roll(found)

    def view(self, game: Game) -> dict[str, Any]:
        return {
            "rolls": [_roll(roll) for roll in (*game.settled, *((game.open,) if game.open else ()))],
            "open": game.open.roll if game.open else None,
            "again": game.again.roll if game.again else None,
            "triggers": [_trigger(trigger) for trigger in game.triggers],
            "owed": [_owed(owed) for owed in game.owed],
            "permanents": {
                key: {"name": p.name, "controller": p.controller, "stored": msgspec.to_builtins(p.stored)}
                for key, p in game.permanents.items()
            },
            "players": msgspec.to_builtins(game.players),
        }


def _roll(roll: Roll) -> dict[str, Any]:
    told = msgspec.to_builtins(roll.instruction)
    return {
        "roll": roll.roll,
        "player": roll.player,
        "status": roll.status,
        "source": roll.source,
        "notation": roll.notation,
        "modifiers": told.get("modifiers", []),
        "effects": msgspec.to_builtins(roll.effects),
        "again": roll.again,
        "store": roll.store,
        "stored": roll.stored,
        "rerolls": roll.rerolls,
        "use": told.get("use"),
        "dice": [_die(die) for die in roll.dice],
        "rows": msgspec.to_builtins(roll.rows),
        "doubles": roll.doubles,
    }


def _die(die: Die) -> dict[str, Any]:
    return {**msgspec.to_builtins(die), "face": die.face}


def _trigger(trigger: Trigger) -> dict[str, Any]:
    return {**msgspec.to_builtins(trigger), "range": trigger.range.text if trigger.range else None}


def _owed(owed: Owed) -> dict[str, Any]:
    told = _trigger(owed.trigger)
    del told["whose"]
    return {"owed": owed.owed, **told, "roll": owed.roll, "die": owed.die}
