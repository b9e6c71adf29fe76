"""The system `t9a-2022`: The 9th Age: Fantasy Battles (2022), dice (specs/t9a.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.base import Body, Clause, Event, Role, WaitsFor, Waves
from rules.common.shared import InModules, NobodyLater, NothingSecret, PlayersRoll, called_off, tallies, view_head
from rules.data.language import N_
from rules.history import History, find_roll
from rules.systems.t9a import bodies as b
from rules.systems.t9a import modifiers, rerolls, rolls, settling
from rules.systems.t9a.clauses import CLAUSES
from rules.systems.t9a.state import Game, Roll

__all__ = ["NinthAge"]


class NinthAge(InModules, NothingSecret, NobodyLater, PlayersRoll):
    """The system `t9a-2022`."""

    id = "t9a-2022"
    name = "t9a"
    title = N_("The 9th Age: Fantasy Battles (2022), dice")
    roles: frozenset[Role] = frozenset()
    rolls_stand_alone = True
    seals_clause: str | None = "T1.4"
    agreement: str | None = None
    options: type[Body] = b.Options
    bodies: Mapping[str, Any] = b.BODIES
    claims: Mapping[str, frozenset[str]] = b.CLAIMS
    clauses: tuple[Clause, ...] = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:  # noqa: ARG002 - there are none
        return Game(tallies(parties))

    settle = staticmethod(settling.settle)
    leave = staticmethod(settling.leave)
    rule = staticmethod(settling.rule)

    def request(self, game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
        match event.body:
            case b.RollBody() as body:
                return rolls.request_roll(game, event, body)
            case b.RerollBody() as body:
                return rerolls.request_reroll(game, event.author, body)
            case body:
                raise TypeError(f"{event.type} has no body {body!r}")

    def waves(self, game: object, first: tuple[int, ...]) -> Waves:
        """Draw the dice for reroll orders that are carried out at once (T4.4)."""
        assert isinstance(game, Game)
        assert game.open is not None, "no request is pending"
        if game.pending is None:
            yield from rolls.waves(game.open, first)

    def reveal(self, game: Game, naturals: tuple[int, ...]) -> Game:
        assert game.open is not None, "no request is pending"
        if game.pending is not None:
            return rerolls.reveal_reroll(game, game.open, game.pending, naturals)
        return rolls.reveal_roll(game, game.open, naturals)

    def void(self, game: Game) -> Game:
        """Return the game after the pending request was called off.

        A reroll leaves its roll as it was. A roll is listed as void, and the roll that it settled is open again.
        """
        assert game.open is not None, "no request is pending"
        if game.pending is not None:
            return replace(game, pending=None)
        assert game.before is not None, "a roll that waits for its dice was asked for in a game"
        return called_off(game.before, game.open)

    def act(self, game: Game, event: Event) -> Game:
        match event.body:
            case b.IgnoreBody() as body:
                return rerolls.stand(game, event.author, body)
            case b.DeclareReroll() as body:
                return rerolls.declare(game, event.author, body)
            case b.ModifyBody() as body:
                return modifiers.modify(game, event.author, body)
            case b.ResolveBody() as body:
                return settling.resolve(game, event.author, body)
            case body:
                raise TypeError(f"{event.type} has no body {body!r}")

    def waits_for(self, game: Game) -> WaitsFor | None:
        if game.open is None:
            return None
        choice = settling.choice(game.open)
        return None if choice is None else WaitsFor(game.open.player, choice)

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, (game.open,) if game.open else ()

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.open, roll)
        return None if found is None else _roll(found)

    def view(self, game: Game) -> dict[str, Any]:
        rolls = [_roll(roll) for roll in (*game.settled, *((game.open,) if game.open else ()))]
        return {"rolls": rolls, **self.view_rest(game)}

    def view_rest(self, game: Game) -> dict[str, Any]:
        return {
            "open": game.open.roll if game.open else None,
            "players": msgspec.to_builtins(game.players),
        }


def _roll(roll: Roll) -> dict[str, Any]:
    firsts = roll.firsts if roll.status == "open" else ()
    return {
        **view_head(roll),
        "times": roll.times,
        "of": msgspec.to_builtins(roll.of),
        "maximised": roll.maximised,
        "minimised": roll.minimised,
        "modifiers": msgspec.to_builtins(roll.modifiers),
        "target": roll.target.text if roll.target else None,
        "always": msgspec.to_builtins(roll.always),
        "rerolls": msgspec.to_builtins(roll.rules),
        "at_once": roll.at_once,
        "first": [{"rule": one.rule, **msgspec.to_builtins(one.piece)} for one in firsts],
        "zero": roll.zero,
        "dice": msgspec.to_builtins(roll.dice),
        "throws": msgspec.to_builtins(roll.throws),
        "successes": roll.successes,
    }
