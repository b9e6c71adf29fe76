"""The state of a game. Immutable (specs/doubledown.md, "State")."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.common.shared import RuledStep
from rules.history import History, find_roll
from rules.records import RollStatus
from rules.systems.doubledown.tables import OUTCOMES, SHIFT, SUCCESS, Kind, OutcomeTier, by_difficulty, outcome_of

SIDES = 20
NOTATION = "1d20"


class CharacterTag(msgspec.Struct, frozen=True):
    """A tag of a character: its stars, and whether it is exhausted."""

    stars: int
    exhausted: bool


class Sheet(msgspec.Struct, frozen=True):
    """A character sheet."""

    character: str
    stats: Mapping[str, int]
    track: tuple[int, ...]
    """the stars of the stress track with no stress taken, with one, and so on"""
    stress: int
    tags: Mapping[str, CharacterTag]
    drive: int

    @property
    def stars(self) -> int:
        """The stars that the stress track gives now."""
        return self.track[self.stress]

    @property
    def room(self) -> int:
        """The stress that the track still has room for."""
        return len(self.track) - 1 - self.stress


class Contribution(msgspec.Struct, frozen=True):
    """A participant's contribution to a roll, and the roller that it names."""

    roller: str
    stat: bool
    stress: bool
    tag: str | None
    irrelevant: bool
    drive: int


class RollCall(msgspec.Struct, frozen=True):
    """A call for a roll by a GM."""

    call: int
    source: str
    stat: str
    difficulty: int
    players: tuple[str, ...]
    support: bool
    combat: bool
    roller: str | None = None
    """the roller whom a GM chose on a tie (R9)"""
    contributions: Mapping[str, Contribution] = {}

    @property
    def group(self) -> bool:
        """True if several players take part (R9)."""
        return len(self.players) > 1


class RollModifier(msgspec.Struct, frozen=True):
    """A stat, stress, a tag or drive of `player`, and the amount that it adds to a roll."""

    kind: Literal["stat", "stress", "tag", "drive"]
    player: str
    source: str
    amount: int


class Die(msgspec.Struct, frozen=True):
    """A die of a roll, with its naturals and its result."""

    die: int
    naturals: tuple[int, ...]
    result: int
    sides: int = SIDES
    status: Literal["counted"] = "counted"
    steps: tuple[RuledStep, ...] = ()

    @property
    def natural(self) -> int:
        """The number that the die shows now."""
        return self.naturals[-1]


class Purchase(msgspec.Struct, frozen=True):
    """A purchase with boons or banes. Members that this kind of purchase does not have are None."""

    kind: Kind
    buy: str
    player: str | None
    tag: str | None
    amount: int | None
    text: str | None
    cost: int


class Roll(msgspec.Struct, frozen=True):
    """A roll of one player, or of a group, with its one or two dice."""

    roll: int
    player: str
    called: RollCall
    """the call as it was when the roll was requested"""
    modifiers: tuple[RollModifier, ...]
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    votes: Mapping[str, bool] = {}
    decided: bool | None = None
    """whether the group doubles down (R9); None before it has decided"""
    bought: tuple[Purchase, ...] = ()

    @property
    def source(self) -> str:
        """The text that its caller gave: what is rolled for."""
        return self.called.source

    @property
    def notation(self) -> str:
        """The die that every roll of this game begins with."""
        return NOTATION

    @property
    def modifier(self) -> int:
        """The sum of all modifiers."""
        return sum(m.amount for m in self.modifiers)

    @property
    def doubled(self) -> bool:
        """True if the roll has its second die."""
        return len(self.dice) > 1

    @property
    def stands(self) -> bool:
        """True if no choice is left, though no event has settled the roll."""
        return self.status == "open" and (self.doubled or self.decided is False)

    @property
    def before(self) -> OutcomeTier | None:
        """The outcome of the first die (R3)."""
        return None if self._first is None else OUTCOMES[self._first]

    @property
    def outcome(self) -> OutcomeTier | None:
        """The current outcome: that of the first die, moved by the second (R4)."""
        tier = self._first
        if tier is None:
            return None
        if self.doubled:
            tier += SHIFT[self._tier(self.dice[1])]
        return OUTCOMES[tier]

    @property
    def result(self) -> OutcomeTier | None:
        """The final outcome; None before the roll is resolved or stands."""
        return self.outcome if self.status == "resolved" or self.stands else None

    @property
    def load(self) -> int:
        """The load is 0: nothing is listed for each die."""
        return 0

    @property
    def spent_drive(self) -> int:
        """The drive that all participants together have spent on the roll."""
        return sum(m.amount for m in self.modifiers if m.kind == "drive")

    @property
    def halved(self) -> bool:
        """True if the boons are halved (R8): a plain success in a support roll."""
        return self.called.support and self.outcome is OUTCOMES[SUCCESS]

    def earned(self, kind: Kind) -> int:
        """Return the boons or banes that a resolved or standing roll earned (R5, R8)."""
        result = self.result
        if result is None or result.kind != kind:
            return 0
        column = by_difficulty(self.called.difficulty)
        if kind == "banes":
            return result.multiple * column.banes
        return (column.boons // 2 if self.halved else result.multiple * column.boons) + self.spent_drive

    def spent(self, kind: Kind) -> int:
        """Return how many boons or banes were spent."""
        return sum(p.cost for p in self.bought if p.kind == kind)

    @property
    def left(self) -> tuple[Kind, int] | None:
        """The boons or banes that are not spent. `Game.owed` leaves out those that have lapsed."""
        if self.result is None:
            return None
        kind = self.result.kind
        left = self.earned(kind) - self.spent(kind)
        return (kind, left) if left > 0 else None

    @property
    def damage(self) -> int | None:
        """The damage that a resolved or standing roll deals in combat (R6); else None."""
        return self.result.damage if self.called.combat and self.result is not None else None

    @property
    def drive(self) -> int:
        """The drive that the roller gains (R7)."""
        return int(self.result is not None and not self.result.success)

    @property
    def _first(self) -> int | None:
        return self._tier(self.dice[0]) if self.dice and self.status in ("open", "resolved") else None

    def _tier(self, die: Die) -> int:
        return outcome_of(die.natural, die.result, self.called.difficulty)


class PlayerTally(msgspec.Struct, frozen=True):
    """The number of rolls and dice that a player has rolled, and of rolls on which a second die was rolled."""

    rolls: int = 0
    dice: int = 0
    doubled: int = 0


class Pending(msgspec.Struct, frozen=True):
    """The request that waits for its die."""

    roll: int
    doubling: bool
    """whether the request is for the roll's second die"""
    before: "Game"
    """the game before the request, because the request may have settled a roll that stood"""


class Game(msgspec.Struct, frozen=True):
    """The state of a game, which no event changes: each returns a new one."""

    gms: tuple[str, ...]
    """the GMs that have not left, in party order"""
    seated: tuple[str, ...]
    """the players that have not left, in party order"""
    players: Mapping[str, PlayerTally]
    away: frozenset[str] = frozenset()
    sheets: Mapping[str, Sheet] = {}
    proposed: Mapping[str, Sheet] = {}
    calls: tuple[RollCall, ...] = ()
    last_call: int = 0
    opened: tuple[Roll, ...] = ()
    """the pending and open rolls, at most one for each player, in the order of their requests"""
    pending: Pending | None = None
    settled: History[Roll] = History()
    tension: int = 0

    def find(self, number: int) -> Roll | None:
        """Return the roll with this number, open or kept; None without one."""
        opened = next((roll for roll in self.opened if roll.roll == number), None)
        return opened or find_roll(self.settled, None, number)

    def own(self, player: str) -> Roll | None:
        """Return the player's open roll; None without one."""
        return next((roll for roll in self.opened if roll.player == player), None)

    def present(self, participants: tuple[str, ...]) -> tuple[str, ...]:
        """Return the participants that have not left and are not away (R9)."""
        there = frozenset(self.seated) - self.away
        return tuple(name for name in participants if name in there)

    def owed(self, roll: Roll) -> tuple[Kind, int] | None:
        """Return the boons or banes that can still be spent. Boons of a player that left have lapsed."""
        left = roll.left
        lapsed = left is not None and left[0] == "boons" and roll.player not in self.seated
        return None if lapsed else left

    def all_owed(self) -> list[tuple[Roll, Kind, int]]:
        """Return the rolls with boons or banes to spend, their kind and number; open rolls last."""
        found = ((roll, self.owed(roll)) for roll in (*self.settled, *self.opened))
        return [(roll, *owed) for roll, owed in found if owed is not None]
