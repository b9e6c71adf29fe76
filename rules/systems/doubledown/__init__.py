"""The system `doubledown-1`: Double Down, rolls (specs/doubledown.md)."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.base import Body, Clause, Event, Role, WaitsFor
from rules.common.shared import InModules, NothingSecret, PlayersRoll, view_head
from rules.data.language import N_
from rules.history import History
from rules.systems.doubledown import bodies as b
from rules.systems.doubledown import calls, rolling, rulings, sheets, spending, voting
from rules.systems.doubledown.clauses import CLAUSES
from rules.systems.doubledown.state import Game, PlayerTally, Roll, Sheet

__all__ = ["DoubleDown"]


_ACTS: Mapping[type[Body], Callable[[Game, str, Any], Game]] = {
    b.DeclareSheet: sheets.propose,
    b.DeclareConfirm: sheets.confirm,
    b.DeclareRest: sheets.rest,
    b.DeclareCall: calls.call,
    b.DeclareWithdraw: calls.withdraw,
    b.DeclareRoller: calls.name_roller,
    b.ModifyBody: calls.contribute,
    b.DeclareVote: voting.vote,
    b.ResolveBody: rolling.resolve,
    b.DeclareSpend: spending.spend,
}
"""type of body → function for that event, for all events but requests. It gets the game, the author and the body, and
returns the game after the event or raises Violation."""


class DoubleDown(InModules, NothingSecret, PlayersRoll):
    """The system `doubledown-1`."""

    id = "doubledown-1"
    name = "doubledown"
    title = N_("Double Down, rolls")
    roles: frozenset[Role] = frozenset({"gm"})
    late: frozenset[Role] = frozenset({"player", "gm"})
    rollers_clause: str | None = "R1"
    seals_clause: str | None = "R3"
    agreement: str | None = None
    options: type[Body] = b.Options
    bodies: Mapping[str, Any] = b.BODIES
    claims: Mapping[str, frozenset[str]] = b.CLAIMS
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        assert isinstance(options, b.Options)
        seated = tuple(name for name, role in parties.items() if role == "player")
        gms = tuple(name for name, role in parties.items() if role == "gm")
        return Game(gms, seated, {name: PlayerTally() for name in seated})

    def admit(self, game: Game, party: str, role: Role) -> Game:
        if role == "player":
            return replace(game, seated=(*game.seated, party), players={**game.players, party: PlayerTally()})
        return replace(game, gms=(*game.gms, party)) if role == "gm" else game

    request = staticmethod(rolling.request)
    reveal = staticmethod(rolling.reveal)
    void = staticmethod(rolling.void)
    settle = staticmethod(rolling.settle_all)
    leave = staticmethod(rulings.leave)
    away = staticmethod(rulings.away)
    rule = staticmethod(rulings.rule)

    def act(self, game: Game, event: Event) -> Game:
        return _ACTS[type(event.body)](game, event.author, event.body)

    def waits_for(self, game: Game) -> WaitsFor | None:
        from rules.systems.doubledown.actions import waits_for  # not needed to verify a log

        return waits_for(game)

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, game.opened

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = game.find(roll)
        return None if found is None else _roll(game, found)

    def view(self, game: Game) -> dict[str, Any]:
        return {"rolls": [_roll(game, roll) for roll in (*game.settled, *game.opened)], **self.view_rest(game)}

    def view_rest(self, game: Game) -> dict[str, Any]:
        return {
            "open": [roll.roll for roll in game.opened],
            "sheets": {name: _sheet(sheet) for name, sheet in game.sheets.items()},
            "proposed": {name: _sheet(sheet) for name, sheet in game.proposed.items()},
            "calls": msgspec.to_builtins(game.calls),
            "owed": [
                {"roll": roll.roll, "kind": kind, "party": roll.player if kind == "boons" else None, "left": left}
                for roll, kind, left in game.all_owed()
            ],
            "tension": game.tension,
            "players": msgspec.to_builtins(game.players),
        }


def _roll(game: Game, roll: Roll) -> dict[str, Any]:
    call = roll.called
    return {
        **view_head(roll),
        "call": call.call,
        "stat": call.stat,
        "difficulty": call.difficulty,
        "players": list(call.players),
        "support": call.support,
        "combat": call.combat,
        "modifiers": msgspec.to_builtins(roll.modifiers),
        "modifier": roll.modifier,
        "votes": dict(roll.votes),
        "decided": roll.decided,
        "stands": roll.stands,
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
