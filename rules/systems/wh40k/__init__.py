"""The system `wh40k-9e`: Warhammer 40,000, 9th edition (specs/wh40k.md)."""

from collections.abc import Mapping
from typing import Any

from rules.base import Body, Clause, Role, Waves
from rules.common.shared import InModules, NobodyLater, NothingSecret, PlayersRoll, tallies
from rules.data.language import N_
from rules.history import History
from rules.systems.wh40k import engine
from rules.systems.wh40k.bodies import BODIES, CLAIMS, Options
from rules.systems.wh40k.clauses import CLAUSES
from rules.systems.wh40k.record import Roll
from rules.systems.wh40k.settling import awaited_player, settle_open
from rules.systems.wh40k.state import Game
from rules.systems.wh40k.view import roll_for_display, view, view_rest, view_roll

__all__ = ["Warhammer40k"]


class Warhammer40k(InModules, NothingSecret, NobodyLater, PlayersRoll):
    """The system `wh40k-9e`."""

    id = "wh40k-9e"
    name = "wh40k"
    title = N_("Warhammer 40,000, 9th edition")
    roles: frozenset[Role] = frozenset()
    seals_clause: str | None = "W19"
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    claims: Mapping[str, frozenset[str]] = CLAIMS
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        """Return the state of a new game."""
        if not isinstance(options, Options):
            raise TypeError("these are another system's options")
        return Game(options, tallies(parties))

    request = staticmethod(engine.request)
    reveal = staticmethod(engine.reveal)
    void = staticmethod(engine.void)
    act = staticmethod(engine.act)
    leave = staticmethod(engine.leave)
    rule = staticmethod(engine.rule)
    settle = staticmethod(settle_open)
    waits_for = staticmethod(awaited_player)
    view = staticmethod(view)
    view_rest = staticmethod(view_rest)

    def waves(self, game: object, first: tuple[int, ...]) -> Waves:
        """Draw the dice of rules that always reroll (W3, W25)."""
        assert isinstance(game, Game)
        return engine.waves(game, first)

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        """Return the settled rolls that are kept, and the open one, with its outcome if it stands."""
        opened = None if game.open is None else roll_for_display(game, game.open.roll)
        return game.settled, (opened,) if opened else ()

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        """Return a roll as the state has it."""
        found = roll_for_display(game, roll)
        return None if found is None else view_roll(found)
