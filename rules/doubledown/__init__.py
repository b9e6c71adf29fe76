"""Double Down, rolls (specs/doubledown.md)."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from rules.base import Body, Clause, Event, Role, Ruling, Told, WaitsFor
from rules.doubledown import engine
from rules.doubledown.bodies import BODIES, Options
from rules.doubledown.clauses import CLAUSES
from rules.doubledown.state import Call, Game, Roll, Sheet, Tally
from rules.doubledown.tables import Kind
from rules.history import History, find_roll
from rules.shared import PlayersRoll

__all__ = ["DoubleDown"]


class DoubleDown(PlayersRoll):
    """The system `doubledown-1`."""

    id = "doubledown-1"
    title = "Double Down, rolls"
    roles: frozenset[Role] = frozenset({"gm"})
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        assert isinstance(options, Options)
        seated = tuple(name for name, role in parties.items() if role == "player")
        gms = tuple(name for name, role in parties.items() if role == "gm")
        return Game(gms, seated, {name: Tally() for name in seated})

    def request(self, game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
        return engine.request(game, event)

    def reveal(self, game: Game, naturals: tuple[int, ...]) -> Game:
        return engine.reveal(game, naturals)

    def void(self, game: Game) -> Game:
        return engine.void(game)

    def act(self, game: Game, event: Event) -> Game:
        return engine.act(game, event)

    def leave(self, game: Game, party: str) -> Game:
        return engine.leave(game, party)

    def rule(self, game: Game, ruling: Ruling) -> Game:
        return engine.rule(game, ruling)

    def waits_for(self, game: Game) -> WaitsFor | None:
        if game.open is not None:
            return _waits_open(game, game.open)
        for roll, kind, _ in _owed(game):
            if kind == "boons":
                return WaitsFor(roll.player, "spend boons")
            if game.gms:
                return WaitsFor(game.gms[0], "spend banes")
        return _waits_call(game.calls[0]) if game.calls else None

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, (game.open,) if game.open else ()

    def explain(self, game: Game, roll: int) -> tuple[Told, ...]:
        from rules.doubledown.explain import explain  # verifying alone does not need it

        return explain(game, roll)

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.open, roll)
        return None if found is None else _roll(game, found)

    def view(self, game: Game) -> dict[str, Any]:
        return {
            "rolls": [_roll(game, roll) for roll in (*game.settled, *((game.open,) if game.open else ()))],
            "open": game.open.roll if game.open else None,
            "sheets": {name: _sheet(sheet) for name, sheet in game.sheets.items()},
            "proposed": {name: _sheet(sheet) for name, sheet in game.proposed.items()},
            "calls": msgspec.to_builtins(game.calls),
            "owed": [
                {"roll": roll.roll, "kind": kind, "party": roll.player if kind == "boons" else None, "left": left}
                for roll, kind, left in _owed(game)
            ],
            "tension": game.tension,
            "players": msgspec.to_builtins(game.players),
        }


def _waits_open(game: Game, roll: Roll) -> WaitsFor:
    if roll.doubled:
        return WaitsFor(roll.player, "resolve")
    if not game.group(roll):
        return WaitsFor(roll.player, "double down or resolve")
    match game.decision(roll):
        case None:
            return WaitsFor(next(name for name in game.voters(roll) if name not in roll.votes), "vote")
        case double:
            return WaitsFor(roll.player, "double down" if double else "resolve")


def _waits_call(call: Call) -> WaitsFor:
    chosen = next((name for name in call.players if call.chosen(name)), None)
    if chosen is not None:
        return WaitsFor(chosen, "roll")
    silent = (name for name in call.players if name not in call.contributions)
    return WaitsFor(next(silent, call.players[0]), "contribute")


def _owed(game: Game) -> Iterator[tuple[Roll, Kind, int]]:
    """The rolls with boons or banes left, and how many."""
    for roll in game.settled:
        owed = game.owed(roll)
        if owed is not None:
            yield roll, *owed


def _roll(game: Game, roll: Roll) -> dict[str, Any]:
    call = roll.called
    return {
        "roll": roll.roll,
        "player": roll.player,
        "status": roll.status,
        "source": roll.source,
        "notation": roll.notation,
        "call": call.call,
        "stat": call.stat,
        "difficulty": call.difficulty,
        "players": list(call.players),
        "support": call.support,
        "combat": call.combat,
        "modifiers": msgspec.to_builtins(roll.modifiers),
        "modifier": roll.modifier,
        "votes": dict(roll.votes),
        "counted": roll.counted,
        "doubled": roll.doubled,
        "dice": msgspec.to_builtins(roll.dice),
        "before": roll.before.name if roll.before else None,
        "outcome": roll.outcome.name if roll.outcome else None,
        "boons": {"earned": roll.earned("boons"), "spent": roll.spent("boons")},
        "banes": {"earned": roll.earned("banes"), "spent": roll.spent("banes")},
        "left": (game.owed(roll) or (None, 0))[1],
        "damage": roll.damage,
        "drive": roll.drive,
        "bought": msgspec.to_builtins(roll.bought),
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {**msgspec.to_builtins(sheet), "stars": sheet.stars}
