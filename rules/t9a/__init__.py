"""The 9th Age: Fantasy Battles (2022), dice (specs/t9a.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.base import Body, Clause, Event, Role, Ruling, Told, WaitsFor
from rules.history import History, find_roll, keep_roll
from rules.shared import PlayersRoll, Tally
from rules.t9a import acts
from rules.t9a.bodies import BODIES, DeclareReroll, ModifyBody, Options, RerollBody, ResolveBody, RollBody
from rules.t9a.clauses import CLAUSES
from rules.t9a.rerolls import allowed, ordered, request_reroll, reveal_reroll
from rules.t9a.rolls import request_roll, reveal_roll
from rules.t9a.state import Game, Roll

__all__ = ["NinthAge"]


class NinthAge(PlayersRoll):
    """The system `t9a-2022`."""

    id = "t9a-2022"
    title = "The 9th Age: Fantasy Battles (2022), dice"
    roles: frozenset[Role] = frozenset()
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:  # noqa: ARG002 - there are none
        return Game({name: Tally() for name, role in parties.items() if role == "player"})

    def request(self, game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
        match event.body:
            case RollBody() as body:
                return request_roll(game, event, body)
            case RerollBody() as body:
                return request_reroll(game, event.author, body)
            case body:
                raise TypeError(f"{event.type} has no body {body!r}")

    def reveal(self, game: Game, naturals: tuple[int, ...]) -> Game:
        assert game.open is not None, "no request is pending"
        if game.pending is not None:
            return reveal_reroll(game, game.open, game.pending, naturals)
        return reveal_roll(game, game.open, naturals)

    def void(self, game: Game) -> Game:
        """A reroll leaves its roll as it was; a roll is listed as void."""
        assert game.open is not None, "no request is pending"
        if game.pending is not None:
            return replace(game, pending=None)
        return replace(game, open=None, settled=keep_roll(game.settled, replace(game.open, status="void")))

    def act(self, game: Game, event: Event) -> Game:
        match event.body:
            case DeclareReroll() as body:
                return acts.declare(game, event.author, body)
            case ModifyBody() as body:
                return acts.modify(game, event.author, body)
            case ResolveBody() as body:
                return acts.resolve(game, event.author, body)
            case body:
                raise TypeError(f"{event.type} has no body {body!r}")

    def leave(self, game: Game, party: str) -> Game:
        return acts.leave(game, party)

    def rule(self, game: Game, ruling: Ruling) -> Game:
        return acts.rule(game, ruling)

    def waits_for(self, game: Game) -> WaitsFor | None:
        if game.open is None:
            return None
        if ordered(game.open):
            return WaitsFor(game.open.player, "reroll")
        return WaitsFor(game.open.player, "reroll or resolve" if allowed(game.open) else "resolve")

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, (game.open,) if game.open else ()

    def explain(self, game: Game, roll: int) -> tuple[Told, ...]:
        from rules.t9a.explain import explain  # verifying alone does not need it

        return explain(game, roll)

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.open, roll)
        return None if found is None else _roll(found)

    def view(self, game: Game) -> dict[str, Any]:
        return {
            "rolls": [_roll(roll) for roll in (*game.settled, *((game.open,) if game.open else ()))],
            "open": game.open.roll if game.open else None,
            "players": msgspec.to_builtins(game.players),
        }


def _roll(roll: Roll) -> dict[str, Any]:
    return {
        "roll": roll.roll,
        "player": roll.player,
        "status": roll.status,
        "source": roll.source,
        "notation": roll.notation,
        "times": roll.times,
        "maximised": roll.maximised,
        "minimised": roll.minimised,
        "modifiers": msgspec.to_builtins(roll.modifiers),
        "target": roll.target.text if roll.target else None,
        "always": msgspec.to_builtins(roll.always),
        "rerolls": msgspec.to_builtins(roll.rules),
        "zero": roll.zero,
        "dice": msgspec.to_builtins(roll.dice),
        "throws": msgspec.to_builtins(roll.throws),
        "successes": roll.successes,
    }
