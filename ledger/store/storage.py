"""Where games are stored: the least that a ledger asks of a database, and SQLite (`ledger.store.postgres` is another).

Statements are SQL that both know: `?` for values; TEXT, INTEGER (up to 2^63 - 1) and BLOB for types.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Lock, RLock
from typing import Any, Protocol

from ledger.database import (
    append_only as _append_only,
)
from ledger.database import (
    data_version,
    deleting,
    forget_deleted,
    open_database,
    open_reader,
    open_to_read,
    reading,
    transaction,
)

__all__ = ["Rows", "SqliteStorage", "Storage"]


class Rows(Protocol):
    """What a statement gives."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""

    def fetchone(self) -> Any:
        """The first row; None where there is none."""

    def fetchall(self) -> list[Any]: ...

    def __iter__(self) -> Iterator[Any]: ...


class Storage(Protocol):
    """A database. One thread at a time writes, and looks within its transaction; any thread reads what is committed."""

    @property
    def name(self) -> str:
        """For messages."""

    def execute(self, statement: str, values: Sequence[object] = ()) -> Rows:
        """By the one who writes."""

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Put rows in, in the places of those with their primary keys."""

    def create(self, schema: str, append_only: Sequence[str] = ()) -> None:
        """Make tables that are not there, some of which nobody can change or delete from."""

    def define(self, schema: str) -> None:
        """Within a transaction: make tables that are not there."""

    def transaction(self, *, durable: bool = True) -> AbstractContextManager[None]:
        """All of it or nothing, durable when it ends, after all that others wrote. Raises StoreError.

        If not `durable`, it is with the first transaction after it that is; others see it when it ends.
        """

    def reading(self) -> AbstractContextManager[None]:
        """Around statements that read. Raises StoreError where the database cannot."""

    def deleting(self, table: str) -> AbstractContextManager[None]:
        """Within a transaction: rows of an append-only table can be deleted for once."""

    def forget_deleted(self) -> None:
        """After a transaction: leave nothing of what was deleted in files, as far as it can. Raises StoreError."""

    def read(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Rows of what is committed. Raises StoreError."""

    def version(self) -> int:
        """A number that is another one as soon as anybody else has written."""

    def size(self) -> int:
        """How many bytes it takes, without what is free within it. Raises StoreError."""

    def close(self) -> None: ...


class SqliteStorage:
    """An SQLite file in WAL mode; what is committed survives a crash of the machine."""

    def __init__(self, path: Path, *, kind: int, mode: int, writable: bool = True) -> None:
        """Open or create; if not `writable`, only read what is there. `kind`, `mode`: `ledger.database.open_database`.

        Raises StoreError.
        """
        self.path = path
        if writable:
            self._database = open_database(path, "SELECT 1", kind=kind, mode=mode)
            self._reader = open_reader(path)
        else:
            from sqlite_utils import Database

            self._database, self._reader = Database(open_to_read(path)), open_to_read(path)
        self._at_reader = Lock()
        self._turn = RLock()
        """who writes: what several classes keep in one file goes through one connection"""

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def conn(self) -> sqlite3.Connection:
        """The connection of the one who writes."""
        return self._database.conn

    def execute(self, statement: str, values: Sequence[object] = ()) -> Rows:
        found: Rows = self._database.execute(statement, values)
        return found

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            places = ", ".join("?" * len(rows[0]))
            self._database.conn.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({places})", rows)

    def create(self, schema: str, append_only: Sequence[str] = ()) -> None:
        with self.transaction():
            for each in (schema, *map(_append_only, append_only)):
                self.define(each)

    def define(self, schema: str) -> None:
        for statement in schema.split(";\n\n"):
            self._database.execute(statement)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[None]:
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
