"""Measure a server's room (specs/network.md, "Room"): its stored bytes, and the free space of its disks."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from ledger.errors import LedgerError
from ledger.server.limits import Limits
from ledger.server.problems import Problem
from ledger.store.storage import Storage
from rules.data.language import N_, Message

__all__ = ["Room"]


class Room:
    """The result of the last measurement. `look` measures; any thread may call it, and it blocks."""

    def __init__(self, limits: Limits, stored: Sequence[Storage] = (), folders: Sequence[Path] = ()) -> None:
        """`stored` are the databases, each counted once; `folders` are on the disks that the server writes to."""
        self._limits = limits
        self._stored = stored
        self._folders = folders
        self.full = False
        """True if only events are taken that end what has begun"""

    def look(self) -> bool:
        """Measure; whether it is full now and was not before."""
        before = self.full
        try:
            full = sum(storage.size() for storage in self._stored) >= self._limits.store
        except LedgerError:
            full = before  # the database is away: writers get that error
        self.full = full or any(shutil.disk_usage(each).free < self._limits.free for each in self._folders)
        return self.full and not before

    def check(self) -> None:
        """Raises Problem where it is full."""
        if self.full:
            text = N_("the server has no room for more at the moment; what has begun can be ended")
            raise Problem(503, "store.full", Message(text), retry=60)
