"""The people, rounds and tables of an event, as its state keeps them (specs/event.md)."""

from typing import Literal

from msgspec import Struct

from verifier.event.acts import SideResult
from verifier.log.identity import VerifierKey

__all__ = ["Claim", "EventTable", "OpenedTable", "Person", "PersonRole", "RegisteredPlayer", "Round", "TableOpening"]

PersonRole = Literal["organizer", "head", "judge"]


class Person(Struct):
    """A member of staff, in office from line `since` to line `until`."""

    key: VerifierKey
    role: PersonRole
    since: int
    until: int | None = None


class RegisteredPlayer(Struct):
    """The player who is registered under a number."""

    number: int
    name: str
    """the salted hash of the name, in hex"""
    claim: str | None
    key: VerifierKey | None = None
    state: Literal["registered", "in", "dropped"] = "registered"
    before: Literal["registered", "in"] = "registered"
    """the state of a dropped player before the drop"""
    desk: bool = False
    """whether staff checked the player in"""
    rekeyed: int = -1
    """the number of the latest line that corrected the key"""


class Claim(Struct):
    """A slip that waits for the other sides."""

    seq: int
    sides: tuple[SideResult, ...]
    signed: frozenset[int]
    """the positions of the sides that have signed"""


class EventTable(Struct):
    """A table of a round, in its current state."""

    number: int
    sides: tuple[tuple[int, ...], ...]
    line: int | None = None
    """the number of the line that opened it"""
    claim: Claim | None = None
    result: tuple[SideResult, ...] | None = None
    by: str | None = None
    """the author of the result that stands: staff, or a player with whom the others agreed"""
    extended: int = 0
    """minutes of additional time"""
    left: str | None = None
    """the reason why it was left without a result"""
    by_hand: str | None = None
    """the reason why its dice are thrown by hand"""

    @property
    def players(self) -> list[int]:
        """All players at the table."""
        return [number for side in self.sides for number in side]

    def side_of(self, number: int) -> int | None:
        """Return the position of a player's side; None if the player is not at the table."""
        return next((at for at, side in enumerate(self.sides) if number in side), None)


class Round(Struct):
    """A round with its tables and byes."""

    number: int
    tables: dict[int, EventTable] = {}
    byes: tuple[int, ...] = ()
    state: Literal["pairing", "running", "ended"] = "pairing"
    paired: int = 0
    """the number of the latest line with pairings"""
    minutes: int = 0
    paused: int = 0
    """minutes for which its clock was stopped"""
    started: str = ""
    ended: str = ""


class OpenedTable(Struct):
    """A table when a line opened it: players and keys."""

    table: int
    sides: tuple[tuple[int, ...], ...]
    keys: tuple[VerifierKey, ...]
    game: str | None = None
    """the id of its game in hex, according to the keeper"""
    cancelled: bool = False
    size: int = 0
    root: str = ""
    """the root that was sealed last"""


class TableOpening(Struct):
    """A line that opens tables."""

    seq: int
    time: str
    round: int
    judges: tuple[VerifierKey, ...]
    organizers: tuple[VerifierKey, ...]
    tables: dict[int, OpenedTable]
