"""High Roll: the small system of specs/adding-a-system.md (tests/highroll/highroll.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from rules.base import Body, Event, Role, Ruling, WaitsFor, Waves, given
from rules.common.dice import DiceNotationError, parse
from rules.common.shared import (
    InModules,
    NobodyLater,
    NothingSecret,
    called_off,
    check_none_open,
    check_roller,
    find_die,
    open_roll,
    refuse,
    ruled_results,
    with_rulings,
)
from rules.history import History, find_roll, keep_roll, replace_roll
from tests.highroll.bodies import BODIES, CLAIMS, Options, RerollBody, ResolveBody, RollBody
from tests.highroll.clauses import CLAUSES
from tests.highroll.state import Die, Game, Roll

__all__ = ["HighRoll", "Options", "RerollBody", "ResolveBody", "RollBody"]


class HighRoll(InModules, NobodyLater, NothingSecret):
    """The system `highroll-1`."""

    id = "highroll-1"
    name = "highroll"
    title = "High Roll"
    roles: frozenset[Role] = frozenset({"gm"})
    rollers: frozenset[Role] = frozenset({"player", "gm"})
    rollers_clause: str | None = None
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = BODIES
    claims: Mapping[str, frozenset[str]] = CLAIMS
    clauses = CLAUSES

    def start(self, options: Body, parties: Mapping[str, Role]) -> Game:
        return Game()

    def request(self, game: Game, event: Event) -> tuple[Game, tuple[int, ...]]:
        match event.body:
            case RollBody(dice=notation):
                before, game = game, self.settle(game)
                check_none_open(game.open, "H1")
                try:
                    sides = parse(notation.removesuffix("!"))
                except DiceNotationError as error:
                    refuse("H1", "{error}", error=error)
                if notation.endswith("!") and len(set(sides)) > 1:
                    refuse("H4", "dice that explode are of one kind")
                roll = Roll(event.seq, event.author, "High Roll", notation)
                return replace(game, open=roll, before=before), sides
            case RerollBody(roll=number, dice=numbers):
                roll = open_roll(game.open, number, "H2")
                check_roller(roll, event.author, "H2")
                if roll.rerolled or not numbers or len(set(numbers)) != len(numbers):
                    refuse("H2", "a roll is rerolled once: one die or more, each once")
                sides = tuple(find_die(roll.dice, n, "H2").sides for n in numbers)
                return replace(game, rerolling=numbers), sides
            case body:
                raise TypeError(f"{event.type} has no body {body!r}")

    def waves(self, game: Game, first: tuple[int, ...]) -> Waves:
        assert game.open is not None
        if game.rerolling or not game.open.notation.endswith("!"):
            return
        sides, drawn = parse(game.open.notation.removesuffix("!"))[0], first
        while again := drawn.count(sides):
            drawn = yield (sides,) * again

    def reveal(self, game: Game, naturals: tuple[int, ...]) -> Game:
        assert game.open is not None
        if not game.rerolling:
            sides = parse(game.open.notation.removesuffix("!"))
            sides += sides[-1:] * (len(naturals) - len(sides))
            shown = [
                Die(k, n, (natural,), natural) for k, (n, natural) in enumerate(zip(sides, naturals, strict=True), 1)
            ]
            return replace(game, open=replace(game.open, status="open", dice=tuple(shown)), before=None)
        dice = list(game.open.dice)
        for number, natural in zip(game.rerolling, naturals, strict=True):
            die = dice[number - 1]
            dice[number - 1] = replace(die, naturals=(*die.naturals, natural), result=natural)
        return replace(game, open=replace(game.open, dice=tuple(dice), rerolled=True), rerolling=())

    def void(self, game: Game) -> Game:
        assert game.open is not None
        if game.rerolling:
            return replace(game, rerolling=())
        assert game.before is not None
        return called_off(game.before, replace(game.open, dice=()))

    def act(self, game: Game, event: Event) -> Game:
        body = event.body
        assert isinstance(body, ResolveBody)
        roll = open_roll(game.open, body.roll, "H3")
        check_roller(roll, event.author, "H3")
        total = sum(die.result for die in roll.dice)
        if given(body.total, total) != total:
            refuse("H3", "the total is {expected}, not {actual}", expected=total, actual=given(body.total, total))
        return self._settle(game, replace(roll, status="resolved", total=total))

    def leave(self, game: Game, party: str) -> Game:
        if game.open is None or game.open.player != party:
            return game
        return self._settle(game, replace(game.open, status="abandoned"))

    def away(self, game: Game, away: frozenset[str]) -> Game:
        return game

    def rule(self, game: Game, ruling: Ruling) -> Game:
        roll = find_roll(game.settled, game.open, ruling.subject)
        if roll is None:
            return game
        results = ruled_results(ruling)
        if results is not None:
            ruled = replace(roll, dice=with_rulings(roll.dice, results))
            if ruled.total is not None:
                ruled = replace(ruled, total=sum(die.result for die in ruled.dice))
        elif ruling.ruling == "void":
            ruled = replace(roll, status="struck", total=None)
        else:
            return game
        if roll is not game.open:
            return replace(game, settled=replace_roll(game.settled, roll, ruled))
        return self._settle(game, ruled) if ruled.status == "struck" else replace(game, open=ruled)

    def waits_for(self, game: Game) -> WaitsFor | None:
        if game.open is None or game.open.rerolled:
            return None
        return WaitsFor(game.open.player, "reroll or resolve")

    def settle(self, game: Game) -> Game:
        if game.open is None or not game.open.rerolled:
            return game
        total = sum(die.result for die in game.open.dice)
        return self._settle(game, replace(game.open, status="resolved", total=total))

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, (game.open,) if game.open else ()

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.open, roll)
        return None if found is None else msgspec.to_builtins(found)

    def view(self, game: Game) -> dict[str, Any]:
        kept = (*game.settled, *((game.open,) if game.open else ()))
        return {"rolls": msgspec.to_builtins(kept), **self.view_rest(game)}

    def view_rest(self, game: Game) -> dict[str, Any]:
        return {"open": game.open.roll if game.open else None}

    @staticmethod
    def _settle(game: Game, roll: Roll) -> Game:
        return replace(game, open=None, settled=keep_roll(game.settled, roll))
