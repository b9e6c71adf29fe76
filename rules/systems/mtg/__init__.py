"""The system `mtg-706-2023-11-17`: Magic: The Gathering, Comprehensive Rules 706 of 2023-11-17 (specs/mtg.md)."""

from collections.abc import Mapping
from typing import Any

from rules.base import Body, Clause, Event, Role, WaitsFor
from rules.common.shared import InModules, NobodyLater, NothingSecret, PlayersRoll, tallies
from rules.data.language import N_
from rules.history import History
from rules.systems.mtg import bodies as b
from rules.systems.mtg import requests, rulings
from rules.systems.mtg.clauses import CLAUSES
from rules.systems.mtg.declarations import declare
from rules.systems.mtg.effects import modify
from rules.systems.mtg.ignoring import ignore
from rules.systems.mtg.outcome import for_display, resolve, settle, shown_roll
from rules.systems.mtg.state import Game, Roll
from rules.systems.mtg.view import view, view_rest, view_roll

__all__ = ["Magic"]


class Magic(InModules, NothingSecret, NobodyLater, PlayersRoll):
    """The system `mtg-706-2023-11-17`."""

    id = "mtg-706-2023-11-17"
    name = "magic"
    title = N_("Magic: The Gathering, Comprehensive Rules 706 (2023-11-17)")
    roles: frozenset[Role] = frozenset()
    seals_clause: str | None = "706.2"
    agreement: str | None = "706.1b"
    options: type[Body] = b.Options
    bodies: Mapping[str, Any] = b.BODIES
    claims: Mapping[str, frozenset[str]] = b.CLAIMS
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        if not isinstance(options, b.Options):
            raise TypeError(f"these are no options of {self.id}: {options!r}")
        return Game(options.planechase, tallies(parties))

    request = staticmethod(requests.request)
    reveal = staticmethod(requests.reveal)
    void = staticmethod(requests.void)
    settle = staticmethod(settle)
    leave = staticmethod(rulings.leave)
    rule = staticmethod(rulings.rule)
    view = staticmethod(view)
    view_rest = staticmethod(view_rest)

    def act(self, game: Game, event: Event) -> Game:
        match event.body:
            case b.IgnoreBody() as body:
                return ignore(game, event.author, body)
            case b.ModifyBody() as body:
                return modify(game, event.author, body)
            case b.ResolveBody() as body:
                return resolve(game, event.author, body)
            case body:
                return declare(game, event.author, event.seq, body)

    def waits_for(self, game: Game) -> WaitsFor | None:
        from rules.systems.mtg.actions import waits_for  # not needed to verify a log

        return waits_for(game)

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        opened = for_display(game)[0]
        return game.settled, () if opened is None else (opened,)

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = shown_roll(game, roll)
        return None if found is None else view_roll(found)
