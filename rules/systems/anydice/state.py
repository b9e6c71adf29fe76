"""The state of a game (specs/dice-1.md, "State")."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.base import Role
from rules.common.shared import RuledStep
from rules.data.language import Listed, Message
from rules.history import History
from rules.records import RollStatus
from rules.systems.anydice.bodies import Row
from rules.systems.anydice.drawing import Throw
from rules.systems.anydice.totals import Result

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
    hand: bool = False
    """of a draw: whether what is drawn is held"""
    sealed: str | None = None
    """of a secret roll: who holds it"""
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
    shuffled: int
    """the event by which it was declared or last shuffled"""
    hands: Mapping[str, Mapping[str, int]] = {}
    """name → item → how many of it are held: of those who hold something, one or more of each"""

    @property
    def left(self) -> int:
        """How many items can still be drawn."""
        return sum(stack.left for stack in self.items)

    def held(self, party: str) -> Mapping[str, int]:
        """What a party holds, and how many of each, in the order of the list."""
        hand = self.hands.get(party, {})
        return {stack.item: hand[stack.item] for stack in self.items if stack.item in hand}

    def lies(self, stack: Stack) -> int:
        """How many of these items are out and held by nobody."""
        return stack.count - stack.left - sum(hand.get(stack.item, 0) for hand in self.hands.values())


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
