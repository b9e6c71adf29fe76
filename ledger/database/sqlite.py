"""Opening SQLite so that what was acknowledged stays (specs/security.md; sqlite.org, "PRAGMA synchronous")."""

import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.database.schemas import statements
from ledger.errors import StoreError
from rules.data.text import one_line

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = [
    "DAMAGE",
    "EVENTS_KIND",
    "LEDGER_KIND",
    "MEMORY_KIND",
    "WITNESS_KIND",
    "data_version",
    "deleting",
    "error_text",
    "forget_deleted",
    "open_database",
    "open_reader",
    "open_to_read",
    "reading",
    "transaction",
    "wrap_connection",
    "writing",
]

LEDGER_KIND = int.from_bytes(b"RpLd", "big")
MEMORY_KIND = int.from_bytes(b"RpMm", "big")
WITNESS_KIND = int.from_bytes(b"RpWt", "big")
EVENTS_KIND = int.from_bytes(b"RpEv", "big")
"""application ids of the kinds of databases"""

DAMAGE = (sqlite3.Error, UnicodeDecodeError)
"""what Python's sqlite3 raises; the second where SQLite's own message has a byte of a damaged database in it"""
BUSY_TIMEOUT = 60.0
"""seconds that a writer waits for another"""

FORGET_WITHIN = 200
"""milliseconds that who has deleted waits for readers"""


def error_text(error: Exception) -> str:
    """Return the message of SQLite, or of the system, about a database, on one line."""
    text = error.object.decode(errors="backslashreplace") if isinstance(error, UnicodeDecodeError) else str(error)
    return one_line(text)


def _of_ledger(said: str) -> str:
    """Return SQLite's message about a store, and what to do if it is damaged. (A memory put back is lost.)"""
    if not re.search("malformed|not a database", said):
        return said
    return f"{said}. It is damaged: put a copy back, or move it away and import the logs of its games"


def wrap_connection(connection: sqlite3.Connection) -> "Database":
    """Return the connection as sqlite-utils has it.

    It is imported here: commands that need no database start faster without it. It would import numpy and pandas,
    where they are installed, to know their types, which takes longer than all else of a roll; nothing here is of them.
    It would also look through all installed packages for plugins, and run them here: nothing here is of them either.
    """
    hidden = [name for name in ("numpy", "pandas") if not {name, "sqlite_utils"} & sys.modules.keys()]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type] # None: not to be imported
    try:
        from sqlite_utils import Database
    finally:
        for name in hidden:
            del sys.modules[name]
    return Database(connection, execute_plugins=False)


def open_database(path: Path, schema: str | None, *, kind: int, mode: int, durable: bool = True) -> "Database":
    """Open or create a database in WAL mode; `mode` is the file's, and that of those beside it, whatever the umask is.
    Any thread may use it, one at a time: who holds it sees to that. What is deleted is written over.

    What is written survives a crash of the machine (synchronous FULL); if not `durable`, only one of the program.

    `schema` names a file of `sql/sqlite`, with the tables to create if they do not exist. `kind` is the application id
    that SQLite notes in the file. Raises StoreError, also for a database of another kind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=mode, exist_ok=True)
        for each in (path, *(path.with_name(f"{path.name}-{each}") for each in ("wal", "shm"))):
            with suppress(FileNotFoundError, PermissionError):  # somebody else's are left as they are
                each.chmod(mode)
        connection = _connected(path.absolute().as_uri())
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        connection.execute("PRAGMA fullfsync = ON")  # macOS: without it, what is synced can be in the drive's cache
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        database = wrap_connection(connection)
        found = connection.execute("PRAGMA application_id").fetchone()[0]
        if found not in (0, kind):
            connection.close()
            raise StoreError(f"{path} is a database of another kind: it is left as it is")
        with transaction(database):
            if found != kind:
                database.execute(f"PRAGMA application_id = {kind}")
            for statement in statements("sqlite", schema) if schema else ():
                database.execute(statement)
    except (*DAMAGE, OSError) as error:
        said = _of_ledger(error_text(error)) if kind == LEDGER_KIND else error_text(error)
        raise StoreError(f"{path} cannot be opened as a database: {said}") from None
    return database


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open an existing database for reading, even where nothing can be written. Any thread may use it, one at a time.

    SQLite reads a database in WAL mode only where it can make files beside it. Where it cannot, and nobody has written
    what is not yet in the database, that is read alone; else a copy of both. Raises StoreError.
    """
    uri = path.resolve().as_uri()
    try:
        try:
            return _checked(_connected(f"{uri}?mode=ro"))
        except sqlite3.OperationalError:
            written = path.with_name(f"{path.name}-wal")
            if not written.exists() or not written.stat().st_size:
                return _checked(_connected(f"{uri}?mode=ro&immutable=1"))
            return _checked(_copied(path, written))
    except (*DAMAGE, OSError) as error:
        raise StoreError(f"{path} cannot be read: {_of_ledger(error_text(error))}") from None


def _connected(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False, uri=True)


def _checked(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
        connection.execute("PRAGMA query_only = ON")
    except DAMAGE:
        connection.close()
        raise
    return connection


def _copied(path: Path, written: Path) -> sqlite3.Connection:
    """Return an in-memory copy of a database, including the writes in its log."""
    import shutil
    from contextlib import closing
    from tempfile import TemporaryDirectory

    memory = _connected(":memory:")
    with TemporaryDirectory() as folder:
        for each in (path, written):
            shutil.copyfile(each, Path(folder, each.name))
        with closing(_connected(Path(folder, path.name).as_uri())) as copy:
            copy.backup(memory)
    return memory


def open_reader(path: Path) -> sqlite3.Connection:
    """Open another connection to an open database, for committed data. Any thread may use it, one at a time.

    Raises StoreError.
    """
    try:
        connection = _connected(path.absolute().as_uri())
        connection.execute("PRAGMA query_only = ON")
    except DAMAGE as error:
        raise StoreError(f"{path} cannot be opened as a database: {error_text(error)}") from None
    return connection


@contextmanager
def reading(database_path: object) -> Iterator[None]:
    """Raises StoreError where SQLite cannot read (damaged file, no permission, …)."""
    try:
        yield
    except DAMAGE as error:
        raise StoreError(f"{database_path} cannot be read: {error_text(error)}") from None


@contextmanager
def writing() -> Iterator[None]:
    """Around one statement, which is a transaction of its own. Raises StoreError where SQLite cannot write."""
    try:
        yield
    except DAMAGE as error:
        raise _unwritten(error) from error


@contextmanager
def transaction(database: "Database", *, durable: bool = True) -> Iterator[None]:
    """A write transaction: all of it or nothing.

    Takes the write lock at once, so that writers queue and do not collide. If not `durable`, it is not waited for until
    it is on the disk: all later transactions that are durable come after it, and a crash of the machine may take it.

    Raises StoreError where SQLite cannot write (disk full, read-only, …); any other error from inside passes through.
    """
    if not durable:
        with _unsynced(database), transaction(database):
            yield
        return
    try:
        database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if database.conn.in_transaction:
                database.execute("ROLLBACK")
            raise
        database.execute("COMMIT")
    except DAMAGE as error:
        if database.conn.in_transaction:
            database.execute("ROLLBACK")
        raise _unwritten(error) from error


@contextmanager
def _unsynced(database: "Database") -> Iterator[None]:
    """In WAL mode a commit under NORMAL is written and not synced."""
    database.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        database.execute("PRAGMA synchronous = FULL")


def _unwritten(error: Exception) -> StoreError:
    return StoreError(f"the database could not be written, and is as it was: {error_text(error)}")


def data_version(database: "Database") -> int:
    """Return a number that changes when another connection has written (sqlite.org, "PRAGMA data_version")."""
    version: int = database.execute("PRAGMA data_version").fetchone()[0]
    return version


@contextmanager
def deleting(database: "Database", table: str) -> Iterator[None]:
    """Inside a transaction, rows of an append-only table can be deleted for once."""
    trigger = f"{table}_no_delete"
    found = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", [trigger]).fetchone()
    if found is None:
        raise StoreError(f"the database is not as this program makes it: {table} has no {trigger}")
    database.execute(f"DROP TRIGGER {trigger}")
    yield
    database.execute(found[0])


def forget_deleted(database: "Database") -> None:
    """Bring what was written into the database, and empty the file in which it stood before. Raises StoreError.

    While others read it can't be done; then it is done with what is deleted next, or when the last one closes.
    """
    with writing():
        database.execute(f"PRAGMA busy_timeout = {FORGET_WITHIN}")
        try:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            database.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT * 1000)}")
