"""Opening SQLite so that what was acknowledged stays (specs/threats.md; sqlite.org, "PRAGMA synchronous")."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.errors import StoreError

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = ["append_only", "open_database", "transaction"]

BUSY_TIMEOUT = 60.0
"""seconds that a writer waits for another"""


def open_database(path: Path, schema: str, *, mode: int) -> "Database":
    """Open or create a database in WAL mode with synchronous FULL; `mode` is the file's when it is created.

    Raises StoreError.
    """
    # Here and not above: commands that need no database start faster without it.
    from sqlite_utils import Database

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=mode, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        database = Database(connection)
        with transaction(database):
            for statement in schema.split(";\n\n"):
                database.execute(statement)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{path} cannot be opened as a database: {error}") from None
    return database


@contextmanager
def transaction(database: "Database", *, durable: bool = True) -> Iterator[None]:
    """A write transaction: all of it or nothing.

    Takes the write lock at once, so that writers queue and do not collide.

    When it has ended, what it wrote survives a crash of the machine; if not `durable`, only one of the program.

    Raises StoreError where SQLite cannot write (disk full, read-only, …); an error from inside passes through.
    """
    try:
        database.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if database.conn.in_transaction:
                database.execute("ROLLBACK")
            raise
        database.execute("COMMIT")
    except sqlite3.Error as error:
        if database.conn.in_transaction:
            database.execute("ROLLBACK")
        raise StoreError(f"the database could not be written, and is as it was: {error}") from error


def append_only(table: str) -> str:
    """Triggers that refuse UPDATE and DELETE (and so REPLACE) on a table."""
    return ";\n\n".join(
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        for verb in ("UPDATE", "DELETE")
    )
