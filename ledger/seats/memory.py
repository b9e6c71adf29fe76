"""The interface of a seat's memory, whatever keeps it (specs/seats.md, "What a seat remembers").

`memory_file` keeps it in a file of this machine, `memory_service` in a service that several machines use.
"""

from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from ledger.seats.records import Memories, Record

__all__ = ["SeatMemory", "Turn"]


class Turn:
    """The seat's turn in one game: no other program can change its record until it ends."""

    def __init__(self, record: Record, since: str) -> None:
        self.record = record
        """change it by putting another in its place"""
        self.since = since
        """a game of which no line was verified must have been opened later than this"""
        self.settled = self._before = record

    def change(self, **members: object) -> Record:
        """Replace members of the record."""
        self.record = msgspec.structs.replace(self.record, **members)
        return self.record

    def forget(self) -> None:
        """Restore the record as it was when the turn began."""
        self.record = self.settled = self._before

    def settle(self) -> None:
        """Keep the record as it is now, even if an error follows."""
        self.settled = self.record


class SeatMemory(Protocol):
    """The interface of a seat's memory: a file (`memory_file`) or a service (`memory_service`)."""

    @property
    def left(self) -> bool:
        """True if the seat was moved to another machine."""

    @property
    def count(self) -> int:
        """The number of records that were made, as far as is known here."""

    def game(self, game: bytes) -> AbstractContextManager[Turn]:
        """Return the seat's turn in a game: look up, check, record. Durable when it is left, or the group around it."""

    def group(self, games: Collection[bytes] = ()) -> AbstractContextManager[None]:
        """Several turns as one transaction. Nothing signed within may leave the program before this ends well.

        `games`: those that turns are known to be in; a service reads them at once.
        """

    def records(self) -> dict[bytes, Record]:
        """Return what is remembered of each game, by its id."""

    def leave(self) -> Memories:
        """End the seat here, for good; the records, for another machine."""

    def close(self) -> None:
        """Close the memory."""
