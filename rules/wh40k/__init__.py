"""Warhammer 40,000, 9th edition: dice, rerolls, modifiers, characteristics, attacks (specs/wh40k.md)."""

from collections.abc import Mapping
from typing import Any

from rules.actions import Action
from rules.base import Body, Clause, Event, Notation, Role, Ruling, Table, Told, WaitsFor
from rules.history import History
from rules.language import Message
from rules.shared import PlayersRoll, Tally
from rules.wh40k import engine
from rules.wh40k.actions import actions, waits_for
from rules.wh40k.bodies import BODIES, CLAIMS, Options
from rules.wh40k.clauses import CLAUSES
from rules.wh40k.notation import NOTATIONS
from rules.wh40k.record import Roll
from rules.wh40k.settling import settled
from rules.wh40k.state import Game
from rules.wh40k.view import shown, view, view_roll

__all__ = ["Warhammer40k"]


class Warhammer40k(PlayersRoll):
    """The system `wh40k-9e`."""

    id = "wh40k-9e"
    name = "wh40k"
    title = "Warhammer 40,000, 9th edition"
    roles: frozenset[Role] = frozenset()
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    claims: Mapping[str, frozenset[str]] = CLAIMS
    notations: Mapping[Any, Notation] = NOTATIONS
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        if not isinstance(options, Options):
            raise TypeError("these are another system's options")
        return Game(options, {name: Tally() for name, role in parties.items() if role == "player"})

    def request(self, game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
        return engine.request(game, event)

    def draw_next(self, game: object, naturals: tuple[int, ...]) -> tuple[int, ...]:
        """The dice of rules that always reroll are drawn once the roll's own are known (W3)."""
        return engine.draw_next(game, naturals) if isinstance(game, Game) else ()

    def reveal(self, game: Game, naturals: tuple[int, ...]) -> Game:
        return engine.reveal(game, naturals)

    def void(self, game: Game) -> Game:
        return engine.void(game)

    def act(self, game: Game, event: Event) -> Game:
        return engine.act(game, event)

    def actions(self, game: Game, party: str) -> tuple[Action, ...]:
        return actions(game, party)

    def settle(self, game: Game) -> Game:
        return settled(game)

    def leave(self, game: Game, party: str) -> Game:
        return engine.leave(game, party)

    def rule(self, game: Game, ruling: Ruling) -> Game:
        return engine.rule(game, ruling)

    def waits_for(self, game: Game) -> WaitsFor | None:
        return waits_for(game)

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        opened = None if game.open is None else shown(game, game.open.roll)
        return game.settled, (opened,) if opened else ()

    def explain(self, game: Game, roll: int) -> tuple[Told, ...]:
        from rules.wh40k.explain import explain  # verifying alone does not need it

        return explain(game, roll)

    def summarize(self, event: Event) -> Message | None:
        from rules.wh40k.words import summarize

        return summarize(event)

    def notes(self, game: Game, roll: int) -> tuple[Message, ...]:
        from rules.wh40k.words import notes

        return notes(game, roll)

    def tables(self, game: Game) -> tuple[Table, ...]:
        from rules.wh40k.tables import tables

        return tables(game)

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = shown(game, roll)
        return None if found is None else view_roll(found)

    def view(self, game: Game) -> dict[str, Any]:
        return view(game)
