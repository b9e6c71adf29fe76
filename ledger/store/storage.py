"""The interface of a store of games to its database, and SQLite's implementation (`ledger.store.postgres` is another).

Statements are in the SQL that both understand: `?` for values; TEXT, INTEGER (up to 2^63 - 1) and BLOB for types.
"""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Lock, RLock
from typing import Any, Protocol

from ledger.database.schemas import statements
from ledger.database.sqlite import (
    data_version,
    deleting,
    forget_deleted,
    open_database,
    open_reader,
    open_to_read,
    reading,
    transaction,
    wrap_connection,
)

__all__ = ["Rows", "SqliteStorage", "Storage"]


class Rows(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """The number of rows that it changed."""

    def fetchone(self) -> Any:
        """Return the first row; None if there is none."""

    def fetchall(self) -> list[Any]:
        """Return the rows that were not fetched yet."""

    def __iter__(self) -> Iterator[Any]: ...


class Storage(Protocol):
    """A database. One thread at a time writes, and reads within its transaction; any thread reads committed data."""

    @property
    def name(self) -> str:
        """The name of the database, for messages."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> Rows:
        """Execute a statement in the writing thread."""

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Insert rows, and replace those with the same primary keys."""

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *, new: bool = True) -> None:
        """Insert rows in their order; if not `new`, pass over those that are there. Raises for a row that is there."""

    def update(self, table: str, columns: Sequence[str], key: int, rows: Sequence[Sequence[object]]) -> None:
        """Set columns of rows; the first `key` columns say which, and no two rows are the same there."""

    def together(self) -> AbstractContextManager[None]:
        """Send the statements of the block one behind the other, within a transaction; none of them is asked for rows.

        What one of them raises may be raised when the block ends.
        """

    def create(self, *schemas: str) -> None:
        """Create the tables that do not exist, by files of `ledger/database/sql`."""

    def define(self, schema: str) -> None:
        """Create the tables of one file that do not exist, within a transaction."""

    def transaction(
        self, names: Collection[str] | None = None, *, durable: bool = True
    ) -> AbstractContextManager[None]:
        """Run the block as a transaction after all that others wrote of `names`; durable when it ends.

        `names` are the ids of the games, tables or logs that the block writes to: nobody else writes to them meanwhile.
        None: nobody else writes anything. Raises StoreError.

        If not `durable`, others see it when it ends, but it is durable only with the first durable transaction after
        it.
        """

    def reading(self) -> AbstractContextManager[None]:
        """Guard statements that read. Raises StoreError if the database cannot."""

    def deleting(self, table: str) -> AbstractContextManager[None]:
        """Allow, within a transaction, to delete rows of an append-only table."""

    def forget_deleted(self) -> None:
        """Remove deleted rows from the files, as far as the database can; after a transaction. Raises StoreError."""

    def read(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return rows of committed data. Raises StoreError."""

    def version(self) -> int:
        """Return a number that changes as soon as anybody else has written, and may change where nobody has."""

    def tell(self, names: Collection[str]) -> None:
        """Tell those who listen that something of these games or events (ids, hex) was written. Raises nothing."""

    def size(self) -> int:
        """Return the number of bytes that the database takes, without free pages. Raises StoreError."""

    def close(self) -> None:
        """Close the database; then no other method is called."""


class SqliteStorage:
    """An SQLite file in WAL mode; committed data survive a crash of the machine."""

    def __init__(self, path: Path, *, kind: int, mode: int, writable: bool = True) -> None:
        """Open or create the file; if not `writable`, only read it. Raises StoreError.

        `kind`, `mode`: `ledger.database.sqlite.open_database`.
        """
        self.path = path
        if writable:
            self._database = open_database(path, None, kind=kind, mode=mode)
            self._reader = open_reader(path)
        else:
            self._database, self._reader = wrap_connection(open_to_read(path)), open_to_read(path)
        self._at_reader = Lock()
        self._turn = RLock()
        """held by the writer: several classes that share one file write through one connection"""

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def conn(self) -> sqlite3.Connection:
        """The connection of the writer."""
        return self._database.conn

    def execute(self, statement: str, values: Sequence[object] = ()) -> Rows:
        found: Rows = self._database.execute(statement, values)
        return found

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            places = ", ".join("?" * len(rows[0]))
            self._database.conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", rows)

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *, new: bool = True) -> None:
        if rows:
            places, there = ", ".join("?" * len(columns)), "" if new else " ON CONFLICT DO NOTHING"
            statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places}){there}"
            self._database.conn.executemany(statement, rows)

    def update(self, table: str, columns: Sequence[str], key: int, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            changed = ", ".join(f"{column} = ?" for column in columns[key:])
            which = " AND ".join(f"{column} = ?" for column in columns[:key])
            statement = f"UPDATE {table} SET {changed} WHERE {which}"
            self._database.conn.executemany(statement, [(*row[key:], *row[:key]) for row in rows])

    def together(self) -> AbstractContextManager[None]:
        return nullcontext()

    def create(self, *schemas: str) -> None:
        with self.transaction():
            for schema in schemas:
                self.define(schema)

    def define(self, schema: str) -> None:
        for statement in statements("sqlite", schema):
            self._database.execute(statement)

    @contextmanager
    def transaction(
        self,
        names: Collection[str] | None = None,  # noqa: ARG002 - SQLite has one writer, whatever it writes
        *,
        durable: bool = True,
    ) -> Iterator[None]:
        with self._turn, transaction(self._database, durable=durable):
            yield

    def reading(self) -> AbstractContextManager[None]:
        return reading(self.path)

    def deleting(self, table: str) -> AbstractContextManager[None]:
        return deleting(self._database, table)

    def forget_deleted(self) -> None:
        with self._at_reader:
            forget_deleted(self._database)

    def read(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._at_reader, reading(self.path):
            return self._reader.execute(statement, values).fetchall()

    def version(self) -> int:
        with reading(self.path):
            return data_version(self._database)

    def tell(self, names: Collection[str]) -> None:
        """Do nothing: nobody listens to SQLite, and others look each second."""

    def size(self) -> int:
        statement = (
            "SELECT (page_count - freelist_count) * page_size "
            "FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
        )
        ((pages,),) = self.read(statement)
        return int(pages)

    def close(self) -> None:
        with self._at_reader:
            self._reader.close()
            self._database.close()
