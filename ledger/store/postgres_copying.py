"""Copies of a PostgreSQL database: taken as of one moment while others write, and put back in one transaction."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from ledger.database.postgres import Connection, connect
from ledger.errors import RestoreError, StoreError
from ledger.store.contents import Contents, read_contents
from ledger.store.postgres import CHANNEL, SERVING
from rules.data.language import Message

__all__ = ["copy_tables", "postgres_contents", "put_tables_back"]


CONNECT_WITHIN = 10
PIECE = 1 << 20

_TABLES = b"""
SELECT relname, array_agg(attname ORDER BY attnum) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
GROUP BY relname"""

_REFERENCES = b"""
SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint
WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"""

_COUNTED = b"""
SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attidentity <> ''"""


def copy_tables(url: str, folder: Path) -> tuple[Mapping[str, list[str]], Contents]:
    """Copy each table into a file of its name; return the columns by table, and the contents.

    The copy is of one moment, even if others write meanwhile. Raises StoreError.
    """
    with _connected(url) as connection, connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        tables = _tables(connection)
        for table, columns in tables.items():
            statement = SQL("COPY {} ({}) TO STDOUT").format(Identifier(table), _listed(columns))
            with (folder / table).open("wb") as file, connection.cursor().copy(statement) as copy:
                for piece in copy:
                    file.write(piece)
        return tables, _contents(connection, set(tables))


def postgres_contents(url: str) -> Contents:
    """Return the contents of a database; missing tables count as empty. Raises StoreError."""
    with _connected(url) as connection:
        return _contents(connection, set(_tables(connection)))


def put_tables_back(url: str, folder: Path, tables: Mapping[str, list[str]], contents: Contents) -> None:
    """Replace the contents of a database by the copies of all tables: all of them, or none.

    The tables exist already. Raises RestoreError if a server on any machine uses the database, or if it has what the
    copy lacks; StoreError.
    """
    with _connected(url) as connection, connection.transaction():
        # Each server holds this lock while it is connected; one that begins meanwhile waits until this is done.
        ((alone,),) = connection.execute("SELECT pg_try_advisory_xact_lock(%s)", [SERVING]).fetchall()
        if not alone:
            raise RestoreError(Message("the database is in use: stop all servers that have it open, on every machine"))
        here = _tables(connection)
        for table, columns in tables.items():
            if not set(columns) <= set(here.get(table, ())):
                raise RestoreError(
                    Message(
                        "the backup is from a later version: this version does not know the table {table}", table=table
                    )
                )
        if any(contents.lacks(_contents(connection, set(here)))):
            raise RestoreError(Message("the database has changed meanwhile: look at it again"))
        connection.execute(SQL("TRUNCATE {}").format(SQL(", ").join(map(Identifier, here))))
        for table in _parents_first(connection, tables):
            statement = SQL("COPY {} ({}) FROM STDIN").format(Identifier(table), _listed(tables[table]))
            with (folder / table).open("rb") as file, connection.cursor().copy(statement) as copy:
                while piece := file.read(PIECE):
                    copy.write(piece)
        for table, column in connection.execute(_COUNTED).fetchall():
            connection.execute(
                SQL("SELECT setval(pg_get_serial_sequence({}, {}), coalesce(max({}), 0) + 1, false) FROM {}").format(
                    table, column, Identifier(column), Identifier(table)
                )
            )
        connection.execute(f"NOTIFY {CHANNEL}".encode())


@contextmanager
def _connected(url: str) -> Iterator[Connection]:
    try:
        with connect(url, CONNECT_WITHIN) as connection:
            yield connection
    except psycopg.Error as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise StoreError(f"the database cannot be copied: {said}") from None


def _tables(connection: Connection) -> dict[str, list[str]]:
    return dict(connection.execute(_TABLES).fetchall())


def _contents(connection: Connection, tables: set[str]) -> Contents:
    return read_contents(tables, lambda statement: connection.execute(statement.encode()).fetchall())


def _listed(columns: list[str]) -> Any:
    return SQL(", ").join(map(Identifier, columns))


def _parents_first(connection: Connection, tables: Mapping[str, list[str]]) -> list[str]:
    """Return the tables in an order in which each comes after the tables that its rows refer to."""
    order: TopologicalSorter[str] = TopologicalSorter({table: [] for table in tables})
    for table, parent in connection.execute(_REFERENCES).fetchall():
        order.add(table, parent)
    return [table for table in order.static_order() if table in tables]
