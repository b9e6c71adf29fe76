"""The stored logs: their lines and latest checkpoints, from the database, unverified.

Committed data are read on another connection than the writer's, so that nobody waits.
"""

from collections.abc import Iterator
from typing import Any

from ledger.errors import StoreError
from ledger.store.statements import LINES
from ledger.store.storage import Storage
from rules.data.bounds import MAX_SAFE_INTEGER
from verifier import Replay
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.log.merkle import leaf_hash

__all__ = ["StoredLogs"]

LINES_AT_A_TIME = 512
"""lines that are read before other threads may read"""


class StoredLogs:
    """The logs in one database. Any thread may read what is committed; the writing thread, what it has written too."""

    def __init__(self, database: Storage) -> None:
        self._database = database

    def read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return rows of committed data. Raises StoreError."""
        return self._database.read(statement, values)

    def lines(self, game: bytes, start: int = 0, stop: int = MAX_SAFE_INTEGER) -> Iterator[bytes]:
        """Yield the committed lines `start` to before `stop`, without their line feeds. Raises StoreError."""
        while start < stop:
            rows = self.read(LINES + " LIMIT ?", game.hex(), start, stop, LINES_AT_A_TIME)
            yield from (line.encode() for (line,) in rows)
            if len(rows) < LINES_AT_A_TIME:
                return
            start += len(rows)

    def checkpoint(self, game: bytes) -> SignedCheckpoint | None:
        """Return the latest committed checkpoint of a game, with its cosignatures; None if there is none.

        Raises StoreError.
        """
        rows = self.read("SELECT note FROM checkpoints WHERE game = ?", game.hex())
        return parse_checkpoint(rows[0][0].encode()) if rows else None

    def written(self, game: bytes, start: int) -> Iterator[bytes]:
        """Yield the lines from number `start` on as the transaction sees them. Raises StoreError."""
        with self._database.reading():
            for (line,) in self._database.execute(LINES, (game.hex(), start, MAX_SAFE_INTEGER)):
                yield line.encode()

    def has_last_line(self, replay: Replay) -> bool:
        """Return whether the last line of a replay is still stored, and so all lines before it. Raises StoreError."""
        with self._database.reading():
            row = self._database.execute(LINES, (replay.game.hex(), replay.size - 1, replay.size)).fetchone()
        return row is not None and leaf_hash(row[0].encode()) == replay.head

    def change_error(self, game: bytes, seq: int, problem: object) -> StoreError:
        """Return the error for a stored line that is not what was appended."""
        return StoreError(
            f"{self._database.name} was changed by something else: event {seq} of game {game.hex()[:12]} does "
            f"not hold ({problem}). "
            f"Restore it from a backup or from an exported log."
        )
