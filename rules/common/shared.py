"""Rules and checks that several systems share. Their differences are in their own modules."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TypeVar

import msgspec
from msgspec import UnsetType
from msgspec.structs import replace

from rules.base import Event, Notation, Reason, Role, Ruling, Table, Violation, Waves
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
    "check_weight",
    "d3",
    "extremes",
    "find_die",
    "open_roll",
    "refuse",
    "ruled_results",
    "ruled_steps",
    "succeeds",
    "tallies",
    "view_head",
    "weight",
    "with_ruling",
    "with_rulings",
]

R = TypeVar("R", bound=RollRecord)
D = TypeVar("D", bound=DieRecord)
RD = TypeVar("RD", bound="RuledDie")
S = TypeVar("S")

_changed: Callable[..., Any] = replace
"""`replace` for types that are declared as protocols, which type checkers do not know to be structs"""


class PlayersRoll:
    """Mixin of systems in which only players roll, dice never depend on earlier dice, and absence has no effect."""

    rollers: frozenset[Role] = frozenset({"player"})
    rollers_clause: str | None = None

    def away(self, game: Any, away: frozenset[str]) -> Any:  # noqa: ARG002
        """Return the game unchanged: nothing depends on absence."""
        return game

    def waves(self, game: object, first: tuple[int, ...]) -> Waves:  # noqa: ARG002
        """Draw no further dice: a request determines all its dice at once."""
        yield from ()


class NothingSecret:
    """Mixin of systems without secret rolls, because every roll changes the course of the game."""

    seals: bool = False
    seals_clause: str | None = None

    def show(self, game: Any, roll: int, naturals: tuple[int, ...]) -> Any:  # noqa: ARG002
        """Return the game unchanged: no roll is secret."""
        return game

    def secret_sides(self, dice: str) -> tuple[int, ...]:  # noqa: ARG002
        """Return no dice: no roll is secret."""
        return ()

    def secret_notes(self, game: Any, roll: int, naturals: tuple[int, ...]) -> tuple[Message, ...]:  # noqa: ARG002
        """Return nothing: no roll is secret."""
        return ()


class NobodyLater:
    """Mixin of systems that nobody can join in mid-game, except as judge or witness."""

    late: frozenset[Role] = frozenset()

    def admit(self, game: Any, party: str, role: Role) -> Any:  # noqa: ARG002
        """Return the game unchanged: the rules do not concern judges and witnesses."""
        return game


class InModules:
    """Mixin of systems that load what verification does not need from modules of their package.

    The modules are `actions`, `explain`, `notation`, `sentences`, `titles` and `words`. Each has functions or tables
    with the names below and is imported when it is first needed.
    """

    rolls_stand_alone = False

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
        reasons: tuple[Reason, ...] = self._module("explain").explain(game, roll)
        return reasons

    @property
    def sentences(self) -> Sentences:
        found: Sentences = self._module("sentences").SENTENCES
        return found

    def summarize(self, event: Event) -> Message | None:
        return summarize(self.sentences, self.titles, event.type, event.author, event.body)

    def notes(self, game: Any, roll: int) -> tuple[Message, ...]:
        notes: tuple[Message, ...] = self._module("words").notes(game, roll)
        return notes

    def summary(self, roll: Any) -> Message | None:
        summary: Message | None = self._module("words").summary(roll)
        return summary

    def tables(self, game: Any) -> tuple[Table, ...]:
        tables: tuple[Table, ...] = self._module("words").tables(game)
        return tables

    def _module(self, name: str) -> Any:
        return import_module(f"{type(self).__module__}.{name}")


# --- dice ----------------------------------------------------------------------------------------------------------


def d3(natural: int) -> int:
    """Return the D3 that a D6 stands for: half of it, rounded up (Warhammer 40,000 W1, The 9th Age T5)."""
    return (natural + 1) // 2


def succeeds(value: int, target: int) -> bool:
    """Return whether a roll of `value` passes a test against `target`+."""
    return value >= target


def extremes(values: Sequence[int], count: int, which: Literal["lowest", "highest"]) -> frozenset[int]:
    """Return the positions, from 0, of the `count` lowest or highest values. Among equals, earlier
    positions go first.
    """
    order = sorted(range(len(values)), key=values.__getitem__, reverse=which == "highest")
    return frozenset(order[:count])


def check_dice_count(count: int, clause: str) -> None:
    """Raise Violation of `clause` if an instruction makes more than MAX_DICE dice."""
    if count > MAX_DICE:
        refuse(clause, "this comes to {count} dice; there can be {most} in one roll", count=count, most=MAX_DICE)


# --- the load of a roll (specs/rules.md, "Load") ----------------------------------------------------------------------


def weight(texts: Iterable[str]) -> int:
    """Return the weight of entries that have one text each: 32, and the bytes of the text in UTF-8, for each."""
    return sum(32 + len(text.encode()) for text in texts)


def check_weight(weight: int, clause: str, template: str, most: int = MAX_TOLD) -> None:
    """Raise Violation of `clause` if entries weigh more than `most`. `template` has slots `told` and `most`."""
    if weight > most:
        refuse(clause, template, told=weight, most=most)


def check_load(weight: int, dice: int, clause: str) -> None:
    """Raise Violation of `clause` if the entries that bear on a roll weigh too much for its number of dice.

    `weight` is the weight of the entries.
    """
    check_weight(
        weight, clause, N_("everything that affects this roll weighs {told}, names included; the most is {most}")
    )
    if (load := weight * (dice + 1)) > MAX_LOAD:
        text = N_(
            "everything that affects this roll weighs {told}; for {dice} dice that makes a load of {load}, above {most}"
        )
        refuse(clause, text, told=weight, dice=dice, load=load, most=MAX_LOAD)


# --- the steps of a die: changes to its result -----------------------------------------------------------------------


class Rerolled(msgspec.Struct, frozen=True):
    """The step of a die that was rolled again."""

    reroll: int
    """the natural that the new one replaced"""
    source: str


class FirstStands(msgspec.Struct, frozen=True):
    """The step of a rerolled die whose first natural counts again because a rule allows it."""

    first: int
    """the first natural, which counts"""
    source: str


class Exchanged(msgspec.Struct, frozen=True):
    """The step of a die whose result was exchanged with another number."""

    exchange: int
    """the former result of the die, which is now the other number"""
    number: int
    """the new result of the die"""
    source: str


class RuledStep(msgspec.Struct, frozen=True):
    """The step of a die whose result a judge has ruled (specs/rules.md, "Void, leave, rulings")."""

    ruled: int


class RuledDie(DieRecord, Protocol):
    """A die that records, step by step, what changed its result."""

    @property
    def steps(self) -> tuple[Any, ...]:
        """The steps in their order. A RuledStep is last if nothing changed the result after the ruling."""


def ruled_steps(steps: tuple[S, ...], result: int) -> tuple[S | RuledStep, ...]:
    """Return a die's steps with a ruling appended. A ruling directly before it is replaced."""
    before = steps[:-1] if steps and isinstance(steps[-1], RuledStep) else steps
    return (*before, RuledStep(result))


def with_ruling(die: RD, result: int) -> RD:
    """Return the die with the result that a judge gave it."""
    after: RD = _changed(die, result=result, steps=ruled_steps(die.steps, result))
    return after


def ruled_results(ruling: Ruling) -> Mapping[int, int] | None:
    """Return the results that a `correct` gives, by number of the die; None for a ruling that gives none."""
    if ruling.ruling != "correct" or isinstance(ruling.results, UnsetType):
        return None
    return {one.die: one.result for one in ruling.results}


def with_rulings(
    dice: Sequence[RD], results: Mapping[int, int], ruled: Callable[[RD, int], RD] = with_ruling
) -> tuple[RD, ...]:
    """Return the dice of a roll with a judge's results, each applied by `ruled`. Raises Violation `ruling`."""
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
    """Return the game as before a request that draws nothing, with the roll listed as void."""
    after: G = _changed(before, settled=keep_roll(before.settled, _changed(roll, status="void")))
    return after


# --- one roll is open at a time ------------------------------------------------------------------------------------


def refuse(clause: str, template: str, /, **values: Any) -> NoReturn:
    """Raise Violation of `clause`: the rules forbid the event."""
    raise Violation(clause, template, **values)


def check_none_open(roll: RollRecord | None, clause: str) -> None:
    """Raise Violation of `clause` if a roll is open."""
    if roll is not None:
        text = N_("roll {roll} of {player} is not finished: resolve it first")
        refuse(clause, text, roll=roll.roll, player=roll.player)


def open_roll(roll: R | None, number: int, clause: str) -> R:
    """Return the open roll if it is the one with this number; raise Violation of `clause` otherwise."""
    if roll is None:
        refuse(clause, "roll {roll} is not open: no roll is", roll=number)
    if roll.roll != number:
        refuse(clause, "roll {roll} is not open; roll {open} is", roll=number, open=roll.roll)
    return roll


def check_roller(roll: RollRecord, author: str, clause: str) -> None:
    """Raise Violation of `clause` if `author` did not make the roll."""
    if author != roll.player:
        text = N_("{player} made roll {roll}, so this is for {player} to say, not for {author}")
        refuse(clause, text, player=roll.player, roll=roll.roll, author=author)


_NO_ROOM = N_("there are already {most} of these, and no more are allowed")


def check_room(count: int, clause: str, template: str = _NO_ROOM) -> None:
    """Raise Violation of `clause` if there are MAX_ITEMS or more of something already. `template` has a slot `most`."""
    if count >= MAX_ITEMS:
        refuse(clause, template, most=MAX_ITEMS)


def find_die(dice: Sequence[D], number: int, clause: str) -> D:
    """Return the die with this number, counted from 1. Raises Violation of `clause` if there is none."""
    if not 1 <= number <= len(dice):
        refuse(clause, "there is no die {die}; the roll has {count}", die=number, count=len(dice))
    return dice[number - 1]


def view_head(roll: RollRecord) -> dict[str, Any]:
    """Return the members that come first in the view of every system's rolls (specs/rules.md, "State")."""
    return {
        "roll": roll.roll,
        "player": roll.player,
        "status": roll.status,
        "source": roll.source,
        "notation": roll.notation,
    }


# --- counts ----------------------------------------------------------------------------------------------------------


class Tally(msgspec.Struct, frozen=True):
    """The number of rolls and dice of a player so far, and how many of the dice were ignored and rerolled."""

    rolls: int = 0
    dice: int = 0
    ignored: int = 0
    rerolled: int = 0


def tallies(parties: Mapping[str, Role]) -> Mapping[str, Tally]:
    """Return an empty tally for each player."""
    return {name: Tally() for name, role in parties.items() if role == "player"}


def add_to_tally(
    players: Mapping[str, Tally], player: str, rolls: int = 0, dice: int = 0, ignored: int = 0, rerolled: int = 0
) -> Mapping[str, Tally]:
    """Return the tallies with these counts added to those of the player."""
    tally = players[player]
    tally = Tally(tally.rolls + rolls, tally.dice + dice, tally.ignored + ignored, tally.rerolled + rerolled)
    return {**players, player: tally}
