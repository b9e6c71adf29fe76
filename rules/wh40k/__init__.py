"""Warhammer 40,000, 9th edition: dice, rerolls, modifiers, characteristics, attacks (specs/wh40k.md)."""

from collections.abc import Mapping
from typing import Any

from rules.base import Body, Clause, Event, Role, Ruling, Told, WaitsFor
from rules.history import History, find_roll
from rules.shared import PlayersRoll, Tally
from rules.wh40k import engine
from rules.wh40k.bodies import BODIES, Options
from rules.wh40k.clauses import CLAUSES
from rules.wh40k.course import next_step
from rules.wh40k.state import Game, Roll
from rules.wh40k.view import view, view_roll

__all__ = ["Warhammer40k"]


class Warhammer40k(PlayersRoll):
    """The system `wh40k-9e`."""

    id = "wh40k-9e"
    title = "Warhammer 40,000, 9th edition"
    roles: frozenset[Role] = frozenset()
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        assert isinstance(options, Options)
        return Game(options.fast_rolling, {name: Tally() for name, role in parties.items() if role == "player"})

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
            return WaitsFor(game.open.player, "reroll or resolve")
        coming = next_step(game)
        if coming is not None:
            return WaitsFor(coming.player, coming.step)
        return next((WaitsFor(unit.player, "move") for unit in game.units.values() if unit.to_move), None)

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, (game.open,) if game.open else ()

    def explain(self, game: Game, roll: int) -> tuple[Told, ...]:
        from rules.wh40k.explain import explain  # verifying alone does not need it

        return explain(game, roll)

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.open, roll)
        return None if found is None else view_roll(found)

    def view(self, game: Game) -> dict[str, Any]:
        return view(game)
