"""Ideas that several systems share, each standing once. Where systems differ, the system's own module shows it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TypeVar

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Event, Notation, Reason, Role, Ruling, Table, Violation
from rules.data.bounds import MAX_DICE, MAX_ITEMS, MAX_LOAD, MAX_TOLD
from rules.data.language import N_, Message
from rules.data.sentences import Sentences, summarize
from rules.history import History, keep_roll
from rules.records import DieRecord, RollRecord

if TYPE_CHECKING:
    from rules.actions import Action

__all__ = [
    "Exchanged",
    "FirstStands",
    "InModules",
    "NobodyLater",
    "NothingSecret",
    "PlayersRoll",
    "Rerolled",
    "RuledStep",
    "Tally",
    "add_to_tally",
    "called_off",
    "check_dice_count",
    "check_load",
    "check_none_open",
    "check_roller",
    "check_room",
    "check_told",
    "corrected",
    "d3",
    "extremes",
    "find_die",
    "open_roll",
    "refuse",
    "ruled",
    "ruled_results",
    "ruled_steps",
    "succeeds",
    "tallies",
    "view_head",
    "weight",
]

R = TypeVar("R", bound=RollRecord)
D = TypeVar("D", bound=DieRecord)
RD = TypeVar("RD", bound="RuledDie")
S = TypeVar("S")

_changed: Callable[..., Any] = replace
"""`replace` of what is known by its members, not as a struct"""


class PlayersRoll:
    """What a system has in whose games players alone roll, no die depends on the dice before it, and nobody is asked
    whether the others are at the table.
    """

    rollers: frozenset[Role] = frozenset({"player"})
    rollers_clause: str | None = None

    def away(self, game: Any, away: frozenset[str]) -> Any:  # noqa: ARG002
        """Nothing depends on who is away."""
        return game

    def draw_next(self, game: object, naturals: tuple[int, ...]) -> tuple[int, ...]:  # noqa: ARG002
        """A request says at once which dice it draws."""
        return ()


class NothingSecret:
    """What a system has that takes no secret rolls, because the game goes on by what dice come to."""

    seals: bool = False
    seals_clause: str | None = None

    def show(self, game: Any, roll: int, naturals: tuple[int, ...]) -> Any:  # noqa: ARG002
        """There is nothing to show."""
        return game

    def secret_sides(self, dice: str) -> tuple[int, ...]:  # noqa: ARG002
        """There is none."""
        return ()

    def secret_notes(self, game: Any, roll: int, naturals: tuple[int, ...]) -> tuple[Message, ...]:  # noqa: ARG002
        """There is none."""
        return ()


class NobodyLater:
    """What a system has whose games are played by those who began: judges and witnesses alone come later."""

    late: frozenset[Role] = frozenset()

    def admit(self, game: Any, party: str, role: Role) -> Any:  # noqa: ARG002
        """The rules know nothing of judges and witnesses."""
        return game


class InModules:
    """What a system has whose package keeps in modules what verifying alone does not need: `actions`, `explain`,
    `notation`, `sentences`, `titles` and `words`, each with functions of the names below. They are loaded when they are
    first asked.
    """

    @property
    def notations(self) -> Mapping[Any, Notation]:
        found: Mapping[Any, Notation] = self._module("notation").NOTATIONS
        return found

    @property
    def titles(self) -> Mapping[str, str]:
        found: Mapping[str, str] = self._module("titles").TITLES
        return found

    def actions(self, game: Any, party: str) -> "tuple[Action, ...]":
        found: tuple[Action, ...] = self._module("actions").actions(game, party)
        return found

    def explain(self, game: Any, roll: int) -> tuple[Reason, ...]:
        told: tuple[Reason, ...] = self._module("explain").explain(game, roll)
        return told

    @property
    def sentences(self) -> Sentences:
        found: Sentences = self._module("sentences").SENTENCES
        return found

    def summarize(self, event: Event) -> Message | None:
        return summarize(self.sentences, self.titles, event.type, event.author, event.body)

    def notes(self, game: Any, roll: int) -> tuple[Message, ...]:
        told: tuple[Message, ...] = self._module("words").notes(game, roll)
        return told

    def tables(self, game: Any) -> tuple[Table, ...]:
        told: tuple[Table, ...] = self._module("words").tables(game)
        return told

    def _module(self, name: str) -> Any:
        return import_module(f"{type(self).__module__}.{name}")


# --- dice ----------------------------------------------------------------------------------------------------------


def d3(natural: int) -> int:
    """The D3 of a D6: halved, rounded up (Warhammer 40,000 W1, The 9th Age T5)."""
    return (natural + 1) // 2


def succeeds(value: int, target: int) -> bool:
    """Whether a roll of `value` passes a `target`+ test."""
    return value >= target


def extremes(values: Sequence[int], count: int, which: Literal["lowest", "highest"]) -> frozenset[int]:
    """Positions (from 0) of the `count` lowest or highest values; among equals the earliest go first."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=which == "highest")
    return frozenset(order[:count])


def check_dice_count(count: int, clause: str) -> None:
    """Raises Violation of `clause` where an instruction comes to more than MAX_DICE dice."""
    if count > MAX_DICE:
        refuse(clause, "this comes to {count} dice; there can be {most} in one roll", count=count, most=MAX_DICE)


# --- how much bears on a roll (specs/rules.md, "Load") ---------------------------------------------------------------


def weight(texts: Iterable[str]) -> int:
    """What entries weigh that have one text each."""
    return sum(32 + len(text.encode()) for text in texts)


def check_told(told: int, clause: str, template: str, most: int = MAX_TOLD) -> None:
    """Raises Violation of `clause` where entries weigh more than `most`; `template` has `told` and `most`."""
    if told > most:
        refuse(clause, template, told=told, most=most)


def check_load(told: int, dice: int, clause: str) -> None:
    """Raises Violation of `clause` where what bears on a roll of so many dice weighs too much; `told` is its weight."""
    check_told(told, clause, N_("what bears on this roll comes to {told}, names and all; there can be {most}"))
    if (load := told * (dice + 1)) > MAX_LOAD:
        text = N_("what bears on this roll, {told} names and all, is too much for {dice} dice: {load}, above {most}")
        refuse(clause, text, told=told, dice=dice, load=load, most=MAX_LOAD)


# --- what has been done to a die -----------------------------------------------------------------------------------


class Rerolled(msgspec.Struct, frozen=True):
    """The step of a die that was rolled again."""

    reroll: int
    """the natural that the new one replaces"""
    source: str


class FirstStands(msgspec.Struct, frozen=True):
    """The step of a rerolled die whose first result stands again, because a rule lets it."""

    first: int
    """the natural that counts, the first"""
    source: str


class Exchanged(msgspec.Struct, frozen=True):
    """The step of a die whose result was exchanged with another number."""

    exchange: int
    """the result that the die had, and that the other thing now has"""
    number: int
    """the result that it took"""
    source: str


class RuledStep(msgspec.Struct, frozen=True):
    """The step of a die whose result a judge has ruled (specs/rules.md, "Void, leave, rulings")."""

    ruled: int


class RuledDie(DieRecord, Protocol):
    """A die that tells what was done to it, step by step."""

    @property
    def steps(self) -> tuple[Any, ...]:
        """The last one is a RuledStep, where nothing was done to it after a ruling."""


def ruled_steps(steps: tuple[S, ...], result: int) -> tuple[S | RuledStep, ...]:
    """A die's steps with a ruling, which takes the place of the last one where that is a ruling too."""
    before = steps[:-1] if steps and isinstance(steps[-1], RuledStep) else steps
    return (*before, RuledStep(result))


def ruled(die: RD, result: int) -> RD:
    """The die with a judge's result."""
    after: RD = _changed(die, result=result, steps=ruled_steps(die.steps, result))
    return after


def ruled_results(ruling: Ruling) -> Mapping[int, int] | None:
    """The results that a `correct` gives, by the number of the die; None of a ruling that gives none."""
    if ruling.ruling != "correct" or isinstance(ruling.results, UnsetType):
        return None
    return {one.die: one.result for one in ruling.results}


def corrected(dice: Sequence[RD], results: Mapping[int, int], ruled: Callable[[RD, int], RD] = ruled) -> tuple[RD, ...]:
    """The dice of a roll with a judge's results, which `ruled` gives each. Raises Violation `ruling`."""
    after = list(dice)
    for number, result in results.items():
        after[number - 1] = ruled(find_die(dice, number, "ruling"), result)
    return tuple(after)


# --- rolls that come to nothing -------------------------------------------------------------------------------------


class _KeepsRolls(Protocol):
    @property
    def settled(self) -> "History[Any]":
        """The settled rolls that are kept."""


G = TypeVar("G", bound=_KeepsRolls)


def called_off(before: G, roll: RollRecord) -> G:
    """The game before a request that draws nothing, with its roll listed as void."""
    after: G = _changed(before, settled=keep_roll(before.settled, _changed(roll, status="void")))
    return after


# --- one roll is open at a time ------------------------------------------------------------------------------------


def refuse(clause: str, template: str, /, **values: Any) -> NoReturn:
    """Raise the violation of `clause`: the rules forbid the event."""
    raise Violation(clause, template, **values)


def check_none_open(roll: RollRecord | None, clause: str) -> None:
    """Raises Violation of `clause` where a roll is open."""
    if roll is not None:
        text = N_("roll {roll} of {player} is not finished: resolve it first")
        refuse(clause, text, roll=roll.roll, player=roll.player)


def open_roll(roll: R | None, number: int, clause: str) -> R:
    """The open roll `roll`, if it is the one with this number. Raises Violation of `clause`."""
    if roll is None:
        refuse(clause, "roll {roll} is not open: no roll is", roll=number)
    if roll.roll != number:
        refuse(clause, "roll {roll} is not open; roll {open} is", roll=number, open=roll.roll)
    return roll


def check_roller(roll: RollRecord, author: str, clause: str) -> None:
    """Raises Violation of `clause` where `author` did not make the roll."""
    if author != roll.player:
        text = N_("{player} made roll {roll}, so this is for {player} to say, not for {author}")
        refuse(clause, text, player=roll.player, roll=roll.roll, author=author)


_NO_ROOM = N_("there are {most} of these already, and there can be no more")


def check_room(count: int, clause: str, template: str = _NO_ROOM) -> None:
    """Raises Violation of `clause` where there are MAX_ITEMS or more of something already; `template` has `most`."""
    if count >= MAX_ITEMS:
        refuse(clause, template, most=MAX_ITEMS)


def find_die(dice: Sequence[D], number: int, clause: str) -> D:
    """The die with this number, from 1. Raises Violation of `clause`."""
    if not 1 <= number <= len(dice):
        refuse(clause, "there is no die {die}; the roll has {count}", die=number, count=len(dice))
    return dice[number - 1]


def view_head(roll: RollRecord) -> dict[str, Any]:
    """The members of a roll in the state that every system tells first (specs/rules.md, "State")."""
    return {
        "roll": roll.roll,
        "player": roll.player,
        "status": roll.status,
        "source": roll.source,
        "notation": roll.notation,
    }


# --- counts ----------------------------------------------------------------------------------------------------------


class Tally(msgspec.Struct, frozen=True):
    """What a player has rolled so far."""

    rolls: int = 0
    dice: int = 0
    ignored: int = 0
    rerolled: int = 0


def tallies(parties: Mapping[str, Role]) -> Mapping[str, Tally]:
    """An empty tally for each player."""
    return {name: Tally() for name, role in parties.items() if role == "player"}


def add_to_tally(
    players: Mapping[str, Tally], player: str, rolls: int = 0, dice: int = 0, ignored: int = 0, rerolled: int = 0
) -> Mapping[str, Tally]:
    """The tallies with these counts added to the player's."""
    tally = players[player]
    tally = Tally(tally.rolls + rolls, tally.dice + dice, tally.ignored + ignored, tally.rerolled + rerolled)
    return {**players, player: tally}
