"""A table whose parties are all on one machine, and leave snapshots there."""

from collections.abc import Mapping
from copy import copy
from pathlib import Path
from shutil import copytree
from typing import Any, Self

from ledger.seats.memory_places import begin_memory, open_memory
from ledger.seats.seat import Seat
from ledger.seats.snapshots import Snapshots
from ledger.store.ledger import Ledger
from rules import Body
from tests.support.table import Table, make_body
from verifier import VerifierKey

EVERY = 8
"""lines between two snapshots, in the place of the five hundred: let a test set `snapshots.EVERY` to it"""


class TableWithSnapshots(Table):
    """Seats and store as a command has them."""

    def __init__(self, folder: Path, **more: Any) -> None:
        self.here: set[str] | None = None
        """whose keys are on this machine; None: everybody's"""
        super().__init__(folder, **more)
        self.ledger.close()
        self._open()

    def _open(self) -> None:
        self.ledger = Ledger(self.folder / "ledger.db", self.clock, snapshots=self._snapshots())

    def _snapshots(self) -> Snapshots:
        def is_here(key: VerifierKey) -> bool:
            return self.here is None or key.name in self.here

        return Snapshots(self.folder / "state", is_here)

    def copied(self, folder: Path) -> Self:
        """The same, of a table that is closed, in a folder of its own."""
        copytree(self.folder, folder)
        other = copy(self)
        other.folder, other.clock = folder, copy(self.clock)
        other.seats = {name: other.seat(name) for name in self.roles}
        other._open()
        return other

    def seat(self, name: str) -> Seat:
        identity, place = self.identities[name], self.folder / name
        if not place.exists():
            place.mkdir(parents=True)
            begin_memory(identity, place, self.folder / "state").close()
        memory = open_memory(identity, place, self.folder / "state")
        return Seat(identity, memory, self.clock, self._snapshots())

    def restart(self) -> None:
        super().restart()
        self.ledger.close()
        self._open()

    def body(self, type: str, members: Mapping[str, Any]) -> Body:
        return make_body(type, members)

    @property
    def snapshot_folder(self) -> Path:
        return self.folder / "state" / "snapshots"

    def snapshot_files(self) -> list[Path]:
        return sorted(self.snapshot_folder.glob("*"))

    def snapshot_of(self, name: str) -> Path:
        """Where a party's snapshot of this game stands."""
        key = self.identities[name].key.public_bytes.hex()
        return self.snapshot_folder / f"{self.game.hex()}-{key}.snapshot"
