"""The rows that a transaction of the store writes, one statement for each table, when the transaction ends."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.store.storage import Storage

__all__ = ["Writes"]

Row = Sequence[object]


class Writes:
    """Rows in the order in which they came. Ids are hex."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, int, str]] = []
        """game, number and text of new lines"""
        self.ends: dict[str, tuple[int, str]] = {}
        """for each game with new lines: the number of its first one, and the leaf hash of the line before it"""
        self._rows: dict[str, list[Row]] = {}
        """by table: rows that replace those with the same primary key"""
        self._updates: dict[tuple[str, tuple[str, ...], int], dict[Row, Row]] = {}
        """by table, columns and number of key columns: the latest values of each row"""
        self._added: dict[tuple[str, tuple[str, ...]], list[Row]] = {}
        """by table and columns: rows that are passed over where they are there"""

    def add_line(self, game: str, seq: int, line: bytes, head: str) -> None:
        """Add line `seq`; `head` is the leaf hash of the line before it, empty for line 0."""
        self.ends.setdefault(game, (seq, head))
        self.lines.append((game, seq, line.decode()))

    def upsert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows, and replace those with the same primary keys."""
        self._rows.setdefault(table, []).extend(rows)

    def update(self, table: str, columns: tuple[str, ...], key: int, row: Row) -> None:
        """Set columns of a row; the first `key` columns say which."""
        self._updates.setdefault((table, columns, key), {})[tuple(row[:key])] = row

    def add(self, table: str, columns: tuple[str, ...], row: Row) -> None:
        """Insert a row, unless it is there."""
        self._added.setdefault((table, columns), []).append(row)

    def write(self, database: "Storage") -> None:
        """Write all rows, within a transaction. What the lines stand upon is for the caller to check."""
        with database.together():
            database.insert("events", ("game", "seq", "line"), self.lines)
            for table, rows in self._rows.items():
                database.upsert(table, rows)
            for (table, columns, key), latest in self._updates.items():
                database.update(table, columns, key, [*latest.values()])
            for (table, columns), rows in self._added.items():
                database.insert(table, columns, rows, new=False)
