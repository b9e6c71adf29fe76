"""A PostgreSQL database as the storage of games (`ledger.store.storage`): for many tables, or several processes.

Each game, table and log has an order of its own: a transaction locks those that it writes to, and no others. Whoever
waits for news listens to a channel, which tells what was written to (specs/decisions/0019).
"""

import hashlib
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from threading import Event, RLock
from typing import Any
from urllib.parse import urlsplit

import psycopg
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

from ledger.database.postgres import connect, noticing
from ledger.database.schemas import statements
from ledger.errors import StoreError
from ledger.store.storage import Rows

__all__ = ["CHANNEL", "SERVING", "PostgresStorage"]

CHANNEL = "rollproof"
"""the channel that tells the ids of games and events that were written to; nothing: any of them"""

SERVING = int.from_bytes(b"RpServe", "big")
"""the advisory lock that each storage shares while it is connected, so that nothing is restored meanwhile"""

CONNECT_WITHIN = 10.0
"""seconds that a reader waits for a connection"""

LISTEN_WITHIN = 5.0
"""seconds for a connection that listens"""

MAX_READERS = 8

_ANY = int.from_bytes(b"RpWrite", "big")
"""the advisory lock that each writer shares, and that is held alone by who writes to anything"""

MAX_LOCKS = 1_024
"""names that a transaction locks one by one: with more it locks all, because the server's table of locks is finite"""

IDLE_WITHIN = 10_000
"""milliseconds after which the server ends a transaction whose machine is silent, and lets go of what it locked"""

TOLD_AT_ONCE = 100
"""ids in one notification, which has at most 8,000 bytes"""

_ID = 64
"""the length of an id"""


class PostgresStorage:
    """A database of a PostgreSQL server."""

    def __init__(self, url: str) -> None:
        """Connect to `url`, which begins with postgresql://. Raises StoreError."""
        self._url = url
        parts = urlsplit(url)
        self.name = f"{parts.hostname or 'localhost'}{parts.path}"
        """host and database, without user and password"""
        self._turn = RLock()
        self._looks = count()
        self._own = 0
        """the process of the server that does what this storage writes"""
        self._keys: dict[str, tuple[dict[str, str], list[str]]] = {}
        """by table: its columns with their types, and those of its primary key"""
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None
        self._readers = ConnectionPool(
            url,
            min_size=1,
            max_size=MAX_READERS,
            open=False,
            timeout=CONNECT_WITHIN,
            kwargs={"autocommit": True, **noticing(url)},
        )
        self.create("refuse_change")
        self._readers.open()

    def close(self) -> None:
        with self._turn:
            self._readers.close()
            if self._connection is not None:
                self._connection.close()

    def execute(self, statement: str, values: Sequence[object] = ()) -> Rows:
        writer, text = self._writer(), _translated(statement).encode()
        alone = writer.info.transaction_status == TransactionStatus.IDLE
        try:
            return writer.execute(text, values)
        except psycopg.OperationalError:
            if not alone:
                raise
            self._reset()  # the server was restarted since
            return self._writer().execute(text, values)

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        types, key = self._columns(table)
        at = [list(types).index(column) for column in key]
        latest = {tuple(row[place] for place in at): row for row in rows}  # a statement writes a row only once
        others = ", ".join(f'"{column}" = excluded."{column}"' for column in types if column not in key)
        done = f"DO UPDATE SET {others}" if others else "DO NOTHING"
        self._insert(table, list(types), [*latest.values()], f"ON CONFLICT ({', '.join(key)}) {done}")

    def insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], *, new: bool = True) -> None:
        self._insert(table, columns, rows, "" if new else "ON CONFLICT DO NOTHING")

    def _insert(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]], done: str) -> None:
        """Insert many rows in one statement."""
        if rows:
            named = ", ".join(f'"{column}"' for column in columns)
            statement = f"INSERT INTO {table} ({named}) SELECT * FROM {self._rows(table, columns)} {done}"
            self._writer().execute(statement.encode(), _by_column(rows))

    def update(self, table: str, columns: Sequence[str], key: int, rows: Sequence[Sequence[object]]) -> None:
        if rows:
            named = ", ".join(f'"{column}"' for column in columns)
            changed = ", ".join(f'"{column}" = given."{column}"' for column in columns[key:])
            which = " AND ".join(f'{table}."{column}" = given."{column}"' for column in columns[:key])
            source = f"{self._rows(table, columns)} AS given ({named})"
            self._writer().execute(
                f"UPDATE {table} SET {changed} FROM {source} WHERE {which}".encode(), _by_column(rows)
            )

    def _rows(self, table: str, columns: Sequence[str]) -> str:
        """Return the expression for rows that are given column by column."""
        types, _ = self._columns(table)
        return f"unnest({', '.join(f'%s::{types[column]}[]' for column in columns)})"

    @contextmanager
    def together(self) -> Iterator[None]:
        """Wait for the server once, when the block ends, and not after each statement (specs/decisions/0019)."""
        if not psycopg.Pipeline.is_supported():  # libpq before 14
            yield
            return
        with self._writer().pipeline():
            yield

    def create(self, *schemas: str) -> None:
        with self.transaction():  # no writer waits for it, and it for none: DDL locks tables
            for schema in schemas:
                self.define(schema)

    def define(self, schema: str) -> None:
        for statement in statements("postgres", schema):
            self._writer().execute(statement.encode())

    @contextmanager
    def transaction(
        self,
        names: Collection[str] | None = None,
        *,
        durable: bool = True,  # noqa: ARG002
    ) -> Iterator[None]:
        """Run the block as a transaction. It is always durable.

        Data in the server's memory are lost with its process already, not only with the machine.
        """
        with self._turn:
            try:
                writer = self._begun(names)
                try:
                    yield
                except BaseException:
                    if not writer.closed:
                        writer.execute("ROLLBACK")
                    raise
                if writer.execute("COMMIT").statusmessage != "COMMIT":
                    raise StoreError(f"the database {self.name} could not be written: a statement failed")
            except psycopg.Error as error:
                self._reset()
                raise self._unwritten(error) from error

    def tell(self, names: Collection[str]) -> None:
        """Tell those who listen, after the transaction: within it each COMMIT would wait for all others' syncs."""
        ids = sorted(names)
        parts = ["".join(ids[at : at + TOLD_AT_ONCE]) for at in range(0, len(ids), TOLD_AT_ONCE)]
        with self._turn, suppress(psycopg.Error, StoreError):  # whoever misses it looks by itself
            statement = b"SELECT pg_notify(%s, part) FROM unnest(%s::text[]) AS part"
            self._writer().execute(statement, [CHANNEL, parts])

    @contextmanager
    def reading(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:  # a wait for a connection that was too long, too
            raise StoreError(f"{self.name} cannot be read: {_first_line(error)}") from None

    @contextmanager
    def deleting(self, table: str) -> Iterator[None]:
        self._writer().execute("SELECT set_config('rollproof.deleting', %s, true)", [table])
        yield
        self._writer().execute("SELECT set_config('rollproof.deleting', '', true)")

    def forget_deleted(self) -> None:
        """Do nothing: specs/guide/serving.md says what PostgreSQL keeps of deleted rows, and how long."""

    def read(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self.reading():
            for again in (True, False):
                try:
                    with self._readers.connection() as connection:
                        return connection.execute(_translated(statement).encode(), values).fetchall()
                except psycopg.OperationalError:
                    if not again:
                        raise
                    self._readers.check()  # the server was restarted
        raise AssertionError("it was read, or it was not")

    def version(self) -> int:
        """Return another number each time: whether others have written is asked for a game, and not for all."""
        return next(self._looks)

    def size(self) -> int:
        ((size,),) = self.read("SELECT pg_database_size(current_database())")
        return int(size)

    def listen(self, stop: Event) -> Generator[frozenset[str] | None, None, None]:
        """Yield the ids of games and events that others have written to, until `stop` is set.

        None: it may be any of them, also where a connection was lost, with what was told meanwhile.
        """
        while not stop.is_set():
            try:
                with connect(self._url, LISTEN_WITHIN) as connection:
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    yield None
                    while not stop.is_set():
                        for told in connection.notifies(timeout=0.5, stop_after=1):
                            if told.pid != self._own:
                                yield _ids(told.payload)
            except psycopg.Error:
                stop.wait(0.5)

    def _writer(self) -> "psycopg.Connection[tuple[Any, ...]]":
        if self._connection is None or self._connection.closed:
            try:
                self._connection = connect(self._url, CONNECT_WITHIN)
                self._connection.execute("SELECT pg_advisory_lock_shared(%s)", [SERVING])
                self._connection.execute(f"SET idle_in_transaction_session_timeout = {IDLE_WITHIN}".encode())
            except psycopg.Error as error:
                raise StoreError(f"{self.name} cannot be reached: {_first_line(error)}") from None
            self._own = self._connection.info.backend_pid
        return self._connection

    def _begun(self, names: Collection[str] | None) -> "psycopg.Connection[tuple[Any, ...]]":
        """Return the connection, in a transaction that has locked `names`; a new one if the server was restarted."""
        statements = f"BEGIN; {_locking(names)}".encode()
        try:
            self._writer().execute(statements, prepare=False)
        except psycopg.OperationalError:
            self._reset()
            self._writer().execute(statements, prepare=False)
        return self._writer()

    def _reset(self) -> None:
        """Close the connection after an error, because its state is unknown; the next use makes another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _columns(self, table: str) -> tuple[dict[str, str], list[str]]:
        if table not in self._keys:
            columns = self._writer().execute(
                "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute "
                "WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
                [table],
            )
            key = self._writer().execute(
                "SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) "
                "WHERE indrelid = %s::regclass AND indisprimary",
                [table],
            )
            self._keys[table] = dict(columns.fetchall()), [row[0] for row in key]
        return self._keys[table]

    def _unwritten(self, error: psycopg.Error) -> StoreError:
        return StoreError(f"the database {self.name} could not be written: {_first_line(error)}")


def _locking(names: Collection[str] | None) -> str:
    """Return the statements that lock these names, in one order: two who want the same never wait in a circle."""
    if names is None or len(names) > MAX_LOCKS:
        # What writes to anything may take its time over it.
        return f"SET LOCAL idle_in_transaction_session_timeout = 0; SELECT pg_advisory_xact_lock({_ANY})"
    keys = ", ".join(map(str, sorted({_lock(name) for name in names})))
    locks = f"SELECT pg_advisory_xact_lock(key) FROM unnest(ARRAY[{keys}]::bigint[]) AS key"
    return f"SELECT pg_advisory_xact_lock_shared({_ANY}); {locks}"


def _lock(name: str) -> int:
    """Return the number of a name's lock. Two names with one number would only wait for each other."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)


def _ids(told: str) -> frozenset[str] | None:
    """Return the ids in a notification; None for one without."""
    return frozenset(told[at : at + _ID] for at in range(0, len(told), _ID)) if told else None


def _by_column(rows: Iterable[Sequence[object]]) -> list[list[object]]:
    return [[_plain(value) for value in column] for column in zip(*rows, strict=True)]


def _translated(statement: str) -> str:
    return statement.replace("%", "%%").replace("?", "%s")


def _plain(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
