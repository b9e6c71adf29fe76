"""The state of a game (specs/dice-1.md, "State")."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.base import Role
from rules.common.shared import RuledStep
from rules.history import History
from rules.records import RollStatus
from rules.systems.anydice.bodies import Row
from rules.systems.anydice.drawing import Throw
from rules.systems.anydice.totals import Result

__all__ = ["Deck", "DiceCall", "Die", "Game", "Roll", "Stack"]


class Die(msgspec.Struct, frozen=True):
    """A die of a roll, or an item of a draw."""

    die: int
    sides: int
    naturals: tuple[int, ...]
    result: int | None
    status: Literal["counted", "ignored"] = "counted"
    face: str | None = None
    origin: int | None = msgspec.field(name="from", default=None)
    """the number of the die whose explosion added this one"""
    steps: tuple[RuledStep, ...] = ()


class Roll(msgspec.Struct, frozen=True):
    """A request with its dice and results."""

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
    """for each term of each repetition, the positions of its dice by throw"""
    hand: bool = False
    """whether a draw goes to the player's hand"""
    sealed: str | None = None
    """the holder of a secret roll"""
    load: int = 0
    """the bytes that the view of the dice and repetitions needs (specs/dice-1.md, "Load")"""

    @property
    def has_target(self) -> bool:
        """True if the roll can pass or fail."""
        return self.least is not None or self.most is not None


class DiceCall(msgspec.Struct, frozen=True):
    """A call by a game master."""

    call: int
    gm: str
    source: str
    dice: str | None
    least: int | None
    most: int | None
    parties: tuple[str, ...]
    """the called parties in party order, without those that left before they answered"""
    answers: Mapping[str, int] = {}
    """name → number of the roll that answers"""

    @property
    def waiting(self) -> tuple[str, ...]:
        """The parties that still have to answer, in party order."""
        return tuple(name for name in self.parties if name not in self.answers)


class Stack(msgspec.Struct, frozen=True):
    """Equal items of a deck."""

    item: str
    count: int
    left: int


class Deck(msgspec.Struct, frozen=True):
    """A declared list of items, and how many of them are still in it."""

    owner: str
    declared: int
    items: tuple[Stack, ...]
    shuffled: int
    """the number of the event that declared or last shuffled it"""
    hands: Mapping[str, Mapping[str, int]] = {}
    """name → item → count, for parties that hold something; each count is 1 or more"""

    @property
    def left(self) -> int:
        """The number of items that can still be drawn."""
        return sum(stack.left for stack in self.items)

    def held(self, party: str) -> Mapping[str, int]:
        """Return the items that a party holds, with the count of each, in the order of the list."""
        hand = self.hands.get(party, {})
        return {stack.item: hand[stack.item] for stack in self.items if stack.item in hand}

    def lies(self, stack: Stack) -> int:
        """Return how many of these items are out of the deck and in nobody's hand."""
        return stack.count - stack.left - sum(hand.get(stack.item, 0) for hand in self.hands.values())


class Game(msgspec.Struct, frozen=True):
    """The state of a game. Immutable."""

    roles: Mapping[str, Role]
    left: frozenset[str] = frozenset()
    calls: tuple[DiceCall, ...] = ()
    decks: Mapping[str, Deck] = {}
    pending: Roll | None = None
    settled: History[Roll] = History()

    @property
    def waiting(self) -> tuple[Roll, ...]:
        """The pending roll, if there is one."""
        return () if self.pending is None else (self.pending,)

    def rollers(self) -> tuple[str, ...]:
        """Return the players and game masters that have not left, in party order."""
        return tuple(n for n, role in self.roles.items() if role in ("player", "gm") and n not in self.left)

    def players(self) -> tuple[str, ...]:
        """Return the players that have not left, in party order."""
        return tuple(name for name in self.rollers() if self.roles[name] == "player")
