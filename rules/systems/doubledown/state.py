"""The state of a Double Down game (specs/doubledown.md, "State"). Immutable."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from rules.common.shared import RuledStep
from rules.data.language import N_, Message
from rules.history import History, find_roll
from rules.records import RollStatus
from rules.systems.doubledown.tables import OUTCOMES, SHIFT, SUCCESS, Kind, Outcome, by_difficulty, outcome_of

SIDES = 20
NOTATION = "1d20"


class Tag(msgspec.Struct, frozen=True):
    stars: int
    exhausted: bool


class Sheet(msgspec.Struct, frozen=True):
    """A character sheet."""

    character: str
    stats: Mapping[str, int]
    track: tuple[int, ...]
    """stars of the stress track with no stress taken, with one, …"""
    stress: int
    tags: Mapping[str, Tag]
    drive: int

    @property
    def stars(self) -> int:
        """The stars of the stress track now."""
        return self.track[self.stress]

    @property
    def room(self) -> int:
        """How much more stress the track has room for."""
        return len(self.track) - 1 - self.stress


class Contribution(msgspec.Struct, frozen=True):
    """What a participant gives to a roll, and whom it names as the roller."""

    roller: str
    stat: bool
    stress: bool
    tag: str | None
    irrelevant: bool
    drive: int


class Call(msgspec.Struct, frozen=True):
    """A roll that a GM has called for."""

    call: int
    source: str
    stat: str
    difficulty: int
    players: tuple[str, ...]
    support: bool
    combat: bool
    roller: str | None = None
    """who rolls on a tie, as a GM said (R9)"""
    contributions: Mapping[str, Contribution] = {}

    @property
    def group(self) -> bool:
        return len(self.players) > 1


class Modifier(msgspec.Struct, frozen=True):
    kind: Literal["stat", "stress", "tag", "drive"]
    player: str
    source: str
    amount: int


class Die(msgspec.Struct, frozen=True):
    die: int
    naturals: tuple[int, ...]
    result: int
    sides: int = SIDES
    status: Literal["counted"] = "counted"
    steps: tuple[RuledStep, ...] = ()

    @property
    def natural(self) -> int:
        return self.naturals[-1]


class Purchase(msgspec.Struct, frozen=True):
    """Something bought with boons or banes; None for what this kind of purchase does not have."""

    kind: Kind
    buy: str
    player: str | None
    tag: str | None
    amount: int | None
    text: str | None
    cost: int


class Roll(msgspec.Struct, frozen=True):
    roll: int
    player: str
    called: Call
    """as it was when the roll was requested"""
    modifiers: tuple[Modifier, ...]
    status: RollStatus = "pending"
    dice: tuple[Die, ...] = ()
    votes: Mapping[str, bool] = {}
    decided: bool | None = None
    """what the group has decided about doubling down (R9)"""
    bought: tuple[Purchase, ...] = ()

    @property
    def source(self) -> str:
        return self.called.source

    @property
    def notation(self) -> str:
        return NOTATION

    @property
    def modifier(self) -> int:
        return sum(m.amount for m in self.modifiers)

    @property
    def doubled(self) -> bool:
        return len(self.dice) > 1

    @property
    def stands(self) -> bool:
        """Whether nothing is left to choose, though no event has settled it."""
        return self.status == "open" and (self.doubled or self.decided is False)

    @property
    def before(self) -> Outcome | None:
        """The first die's outcome (R3)."""
        return None if self._first is None else OUTCOMES[self._first]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome that stands now: the first die's, moved by the second (R4)."""
        tier = self._first
        if tier is None:
            return None
        if self.doubled:
            tier += SHIFT[self._tier(self.dice[1])]
        return OUTCOMES[tier]

    @property
    def result(self) -> Outcome | None:
        """The final outcome, of a roll that is resolved or stands."""
        return self.outcome if self.status == "resolved" or self.stands else None

    @property
    def load(self) -> int:
        """Nothing is told of each die."""
        return 0

    @property
    def summary(self) -> Message | None:
        """The modifier, the difficulty and the outcome."""
        if self.outcome is None:
            return None
        outcome, difficulty = Message(self.outcome.name), self.called.difficulty
        text = N_("+ {modifier} against {difficulty}: {outcome}")
        return Message(text, modifier=self.modifier, difficulty=difficulty, outcome=outcome)

    @property
    def spent_drive(self) -> int:
        """The drive that all participants together spent on the roll."""
        return sum(m.amount for m in self.modifiers if m.kind == "drive")

    @property
    def halved(self) -> bool:
        """Whether R8 gives half the boons: a plain success in a support roll."""
        return self.called.support and self.outcome is OUTCOMES[SUCCESS]

    def earned(self, kind: Kind) -> int:
        """Boons or banes of a roll that is resolved or stands (R5, R8)."""
        result = self.result
        if result is None or result.kind != kind:
            return 0
        column = by_difficulty(self.called.difficulty)
        if kind == "banes":
            return result.multiple * column.banes
        return (column.boons // 2 if self.halved else result.multiple * column.boons) + self.spent_drive

    def spent(self, kind: Kind) -> int:
        return sum(p.cost for p in self.bought if p.kind == kind)

    @property
    def left(self) -> tuple[Kind, int] | None:
        """The boons or banes that were earned and not spent; Game.owed has those that have not lapsed."""
        if self.result is None:
            return None
        kind = self.result.kind
        left = self.earned(kind) - self.spent(kind)
        return (kind, left) if left > 0 else None

    @property
    def damage(self) -> int | None:
        """The damage that a roll deals in combat, resolved or standing (R6)."""
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


class Tally(msgspec.Struct, frozen=True):
    rolls: int = 0
    dice: int = 0
    doubled: int = 0


class Pending(msgspec.Struct, frozen=True):
    """The request that waits for its die."""

    roll: int
    doubling: bool
    """it is for the second die of that roll"""
    before: "Game"
    """the game before the request, which may have settled a roll that stood"""


class Game(msgspec.Struct, frozen=True):
    gms: tuple[str, ...]
    """those who have not left, in party order"""
    seated: tuple[str, ...]
    """the players who have not left, in party order"""
    players: Mapping[str, Tally]
    away: frozenset[str] = frozenset()
    sheets: Mapping[str, Sheet] = {}
    proposed: Mapping[str, Sheet] = {}
    calls: tuple[Call, ...] = ()
    last_call: int = 0
    opened: tuple[Roll, ...] = ()
    """rolls that are pending or open, one of a player at most, in the order of their requests"""
    pending: Pending | None = None
    settled: History[Roll] = History()
    tension: int = 0

    def find(self, number: int) -> Roll | None:
        """The roll with this number, open or kept."""
        opened = next((roll for roll in self.opened if roll.roll == number), None)
        return opened or find_roll(self.settled, None, number)

    def own(self, player: str) -> Roll | None:
        """The player's open roll."""
        return next((roll for roll in self.opened if roll.player == player), None)

    def present(self, participants: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the participants that have neither left nor are away (R9)."""
        there = frozenset(self.seated) - self.away
        return tuple(name for name in participants if name in there)

    def owed(self, roll: Roll) -> tuple[Kind, int] | None:
        """The boons or banes that can still be spent: boons of a player who left have lapsed."""
        left = roll.left
        lapsed = left is not None and left[0] == "boons" and roll.player not in self.seated
        return None if lapsed else left

    def all_owed(self) -> list[tuple[Roll, Kind, int]]:
        """The rolls with boons or banes left, and how many; the open ones last."""
        found = ((roll, self.owed(roll)) for roll in (*self.settled, *self.opened))
        return [(roll, *owed) for roll, owed in found if owed is not None]
