"""Warhammer 40,000, 9th edition: dice, rerolls, modifiers, characteristics, attacks (specs/wh40k.md)."""

from collections.abc import Mapping
from typing import Any

from rules.base import Body, Clause, Event, Notation, Role, Table, Told
from rules.history import History
from rules.language import Message
from rules.shared import Tally
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


class Warhammer40k:
    """The system `wh40k-9e`."""

    id = "wh40k-9e"
    name = "wh40k"
    title = "Warhammer 40,000, 9th edition"
    roles: frozenset[Role] = frozenset()
    rollers: frozenset[Role] = frozenset({"player"})
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

    request = staticmethod(engine.request)
    draw_next = staticmethod(engine.draw_next)
    reveal = staticmethod(engine.reveal)
    void = staticmethod(engine.void)
    act = staticmethod(engine.act)
    leave = staticmethod(engine.leave)
    rule = staticmethod(engine.rule)
    actions = staticmethod(actions)
    settle = staticmethod(settled)
    waits_for = staticmethod(waits_for)
    view = staticmethod(view)

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
