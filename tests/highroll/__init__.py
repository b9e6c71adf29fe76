"""High Roll: the small system of specs/adding-a-system.md (tests/highroll/highroll.md)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from rules.actions import Action, Field, Free, SomeOf, options
from rules.base import Body, Clause, Event, Notation, Role, Ruling, Table, Told, WaitsFor, given
from rules.bounds import DieNumbers, Integer, Positive, Text
from rules.dice import DiceNotationError, parse
from rules.history import History, find_roll, keep_roll, replaced
from rules.language import Message
from rules.shared import RuledStep, check_none_open, check_roller, find_die, open_roll, refuse
from rules.told import told_end, told_naturals

__all__ = ["HighRoll"]


class Options(Body, frozen=True):
    pass


class RollBody(Body, frozen=True):
    dice: Annotated[Text, Meta(title="the dice: 3d6, or 3d6! for dice that explode")]


class RerollBody(Body, frozen=True):
    roll: Annotated[Positive, Meta(title="the number of the roll")]
    dice: Annotated[DieNumbers, Meta(title="the numbers of the dice to reroll")]


class ResolveBody(Body, frozen=True):
    roll: Annotated[Positive, Meta(title="the number of the roll")]
    total: Annotated[Integer, Meta(title="the sum")] | UnsetType = UNSET


class Die(msgspec.Struct, frozen=True):
    die: int
    sides: int
    naturals: tuple[int, ...]
    result: int
    status: Literal["counted"] = "counted"
    steps: tuple[RuledStep, ...] = ()


class Roll(msgspec.Struct, frozen=True):
    roll: int
    player: str
    source: str
    notation: str
    status: Literal["pending", "open", "resolved", "void", "struck", "abandoned"] = "pending"
    dice: tuple[Die, ...] = ()
    rerolled: bool = False
    total: int | None = None

    @property
    def summary(self) -> str | None:
        return f"= {sum(die.result for die in self.dice)}" if self.dice else None


class Game(msgspec.Struct, frozen=True):
    open: Roll | None = None
    rerolling: tuple[int, ...] = ()
    before: "Game | None" = None
    """the game before the pending roll, which may have settled another"""
    settled: History[Roll] = History()


class HighRoll:
    """The system `highroll-1`."""

    id = "highroll-1"
    name = "highroll"
    title = "High Roll"
    roles: frozenset[Role] = frozenset({"gm"})
    rollers: frozenset[Role] = frozenset({"player", "gm"})
    rollers_clause: str | None = None
    agreement: str | None = None
    options: type[Body] = Options
    bodies: Mapping[str, Any] = {"roll": RollBody, "reroll": RerollBody, "resolve": ResolveBody}
    claims: Mapping[str, frozenset[str]] = {"resolve": frozenset({"total"})}
    notations: Mapping[Any, Notation] = {
        RollBody: Notation("dice", "3d6!", lambda text: {"dice": text}, lambda body: str(body["dice"]))
    }
    clauses = (
        Clause("H1", "A roll names its dice.", "Other texts are refused.", "H1--two-dice", "H1--no-dice.violates"),
        Clause("H2", "One reroll.", "A second one is refused.", "H2--once", "H2--twice.violates"),
        Clause("H3", "The sum counts.", "An announcement must agree.", "H3--sum", "H3--wrong-sum.violates"),
        Clause("H4", "Dice explode.", "They are drawn on.", "H4--explodes", "H4--two-kinds.violates"),
    )

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

    def draw_next(self, game: Game, naturals: tuple[int, ...]) -> tuple[int, ...]:
        assert game.open is not None
        if game.rerolling or not game.open.notation.endswith("!"):
            return ()
        first = parse(game.open.notation.removesuffix("!"))
        return first[:1] * (len(first) + naturals.count(first[0]) - len(naturals))

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
        void = replace(game.open, status="void", dice=())
        return replace(game.before, settled=keep_roll(game.before.settled, void))

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
        if roll is None or ruling.ruling not in ("void", "correct"):
            return game
        if ruling.ruling == "void":
            ruled = replace(roll, status="struck", total=None)
        else:
            dice = list(roll.dice)
            for correction in given(ruling.results, ()):
                die = find_die(dice, correction.die, "ruling")
                steps = (*die.steps, RuledStep(correction.result))
                dice[die.die - 1] = replace(die, result=correction.result, steps=steps)
            ruled = replace(roll, dice=tuple(dice))
            if ruled.total is not None:
                ruled = replace(ruled, total=sum(die.result for die in ruled.dice))
        if roll is not game.open:
            return replace(game, settled=replaced(game.settled, roll, ruled))
        return self._settle(game, ruled) if ruled.status == "struck" else replace(game, open=ruled)

    def waits_for(self, game: Game) -> WaitsFor | None:
        if game.open is None or game.open.rerolled:
            return None
        return WaitsFor(game.open.player, "reroll or resolve")

    def actions(self, game: Game, party: str) -> tuple[Action, ...]:
        roll = game.open
        if roll is None or (roll.rerolled and roll.player != party):
            return (self._new,)
        if roll.player != party:
            return ()
        body = {"roll": roll.roll}
        resolve = Action("resolve", Message("keep what shows"), "H3", body=body, due=not roll.rerolled)
        if roll.rerolled:
            return (resolve, self._new)
        shown = options((die.die, Message("{natural}", natural=die.result)) for die in roll.dice)
        dice = Field("dice", Message("the dice to reroll"), SomeOf(shown, 1, len(shown)))
        return (Action("reroll", Message("reroll dice"), "H2", (dice,), body, due=True), resolve)

    _new = Action(
        "roll",
        Message("roll dice"),
        "H1",
        (Field("dice", Message("the dice"), Free("dice", ("H1", "H4"))),),
    )

    def settle(self, game: Game) -> Game:
        if game.open is None or not game.open.rerolled:
            return game
        total = sum(die.result for die in game.open.dice)
        return self._settle(game, replace(game.open, status="resolved", total=total))

    def summarize(self, event: Event) -> Message | None:
        match event.body:
            case RollBody(dice=dice):
                return Message("{dice}", dice=dice)
            case RerollBody(dice=dice):
                return Message("dice {dice}", dice=", ".join(map(str, dice)))
            case _:
                return None

    def notes(self, game: Game, roll: int) -> tuple[Message, ...]:
        found = find_roll(game.settled, game.open, roll)
        if found is None or not found.dice:
            return ()
        return (Message("total {total}", total=sum(die.result for die in found.dice)),)

    def tables(self, game: Game) -> tuple[Table, ...]:
        return ()

    def rolls(self, game: Game) -> tuple[History[Roll], tuple[Roll, ...]]:
        return game.settled, (game.open,) if game.open else ()

    def explain(self, game: Game, roll: int) -> tuple[Told, ...]:
        found = find_roll(game.settled, game.open, roll)
        if found is None:
            return ()
        shown = [told for die in found.dice for told in told_naturals(die, "H1", "H2")]
        total = [] if found.total is None else [Told("H3", "the sum is {total}", total=found.total)]
        return (*shown, *total, *told_end(found))

    def view_roll(self, game: Game, roll: int) -> dict[str, Any] | None:
        found = find_roll(game.settled, game.open, roll)
        return None if found is None else msgspec.to_builtins(found)

    def view(self, game: Game) -> dict[str, Any]:
        kept = (*game.settled, *((game.open,) if game.open else ()))
        return {"rolls": msgspec.to_builtins(kept), "open": game.open.roll if game.open else None}

    @staticmethod
    def _settle(game: Game, roll: Roll) -> Game:
        return replace(game, open=None, settled=keep_roll(game.settled, roll))
