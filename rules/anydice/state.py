"""The state of a game (specs/dice-1.md, "State")."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.anydice.bodies import Row
from rules.anydice.drawing import Throw
from rules.anydice.totals import Result
from rules.base import Role, RollStatus
from rules.history import History
from rules.language import Listed, Message
from rules.shared import RuledStep

__all__ = ["Call", "Deck", "Die", "Game", "Roll", "Stack"]


class Die(msgspec.Struct, frozen=True):
    """A die of a roll, or the draw of an item."""

    die: int
    sides: int
    naturals: tuple[int, ...]
    result: int | None
    status: Literal["counted", "ignored"] = "counted"
    face: str | None = None
    origin: int | None = msgspec.field(name="from", default=None)
    """the number of the die that it is the explosion of"""
    steps: tuple[RuledStep, ...] = ()


class Roll(msgspec.Struct, frozen=True):
    """A request, and what became of it."""

    roll: int
    player: str
    source: str
    notation: str
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    call: int | None = None
    least: int | None = None
    most: int | None = None
    table: tuple[Row, ...] = ()
    deck: str | None = None
    results: tuple[Result, ...] = ()
    throws: tuple[tuple[Throw, ...], ...] = ()
    """positions of dice, by term of each repetition"""
    generation: int = 0
    """of a draw: the event by which the deck was declared or last shuffled"""
    load: int = 0
    """what is told of its dice and repetitions (specs/dice-1.md, "Load")"""

    @property
    def has_target(self) -> bool:
        """Whether there is something to pass."""
        return self.least is not None or self.most is not None

    @property
    def summary(self) -> Message | None:
        """`= 16`, or a total for each repetition."""
        if not self.results:
            return None
        return Message("= {results}", results=Listed(str(result.total) for result in self.results))


class Call(msgspec.Struct, frozen=True):
    """A game master's call."""

    call: int
    gm: str
    source: str
    dice: str | None
    least: int | None
    most: int | None
    parties: tuple[str, ...]
    """in party order, without those who have left and not answered"""
    answers: Mapping[str, int] = {}
    """name → roll"""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Who has still to answer, in party order."""
        return tuple(name for name in self.parties if name not in self.answers)


class Stack(msgspec.Struct, frozen=True):
    """Items of a deck that are alike."""

    item: str
    count: int
    left: int


class Deck(msgspec.Struct, frozen=True):
    """A declared list, and what of it is left."""

    owner: str
    declared: int
    items: tuple[Stack, ...]
    generation: int
    """the event by which it was declared or last shuffled"""

    @property
    def left(self) -> int:
        """How many items can still be drawn."""
        return sum(stack.left for stack in self.items)


class Game(msgspec.Struct, frozen=True):
    """Everything, immutable."""

    roles: Mapping[str, Role]
    left: frozenset[str] = frozenset()
    calls: tuple[Call, ...] = ()
    decks: Mapping[str, Deck] = {}
    pending: Roll | None = None
    settled: History[Roll] = History()

    @property
    def waiting(self) -> tuple[Roll, ...]:
        """The roll that waits for its dice, if one does."""
        return () if self.pending is None else (self.pending,)

    def rollers(self) -> tuple[str, ...]:
        """The players and game masters that have not left, in party order."""
        return tuple(n for n, role in self.roles.items() if role in ("player", "gm") and n not in self.left)

    def players(self) -> tuple[str, ...]:
        """The players that have not left, in party order."""
        return tuple(name for name in self.rollers() if self.roles[name] == "player")
