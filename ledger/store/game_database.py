"""One open database of games: its lines, the games in memory, and who may write.

Any thread may use it. A writer holds the one lock from the look at a game to the commit, and may ask a seat while it
holds it. Therefore the view that a seat uses never takes that lock: it reads what is committed, on another connection.
"""

from pathlib import Path
from threading import RLock

from ledger.database.sqlite import LEDGER_KIND
from ledger.seats.snapshots import Snapshots
from ledger.store.game_cache import GameCache
from ledger.store.snapshot_starts import SnapshotStarts
from ledger.store.storage import SqliteStorage, Storage
from ledger.store.stored_logs import StoredLogs
from ledger.store.transactions import Transactions

__all__ = ["GameDatabase"]


class GameDatabase:
    """An open database of games, which the parts of a store share."""

    def __init__(
        self, where: str | Path | Storage, *, writable: bool = True, snapshots: Snapshots | None = None
    ) -> None:
        """Open a database, or open or create an SQLite file. As `Ledger`; raises StoreError."""
        self.storage: Storage
        if isinstance(where, str | Path):
            self.storage = SqliteStorage(Path(where), kind=LEDGER_KIND, mode=0o600, writable=writable)
        else:
            self.storage = where
        if writable:
            self.storage.create("games", "read_tables")
        writer = RLock()
        self.logs = StoredLogs(self.storage)
        self.cache = GameCache(self.storage, self.logs, SnapshotStarts(self.logs, snapshots), writer)
        self.transactions = Transactions(self.storage, self.cache, writer)

    def close(self) -> None:
        """Close the database, when nobody writes."""
        with self.transactions.writer:
            self.storage.close()
