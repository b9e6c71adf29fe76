"""Copies of SQLite files: taken while others write, and put back while nobody has the files open."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ledger.database.sqlite import DAMAGE, error_text, open_to_read
from ledger.errors import RestoreError, StoreError
from ledger.store.contents import FILES
from rules.data.language import N_, Message

__all__ = ["MARK", "check_whole", "copy_files", "put_files_back"]

MARK = "restoring"
"""a file that is in the home while files are put back, so that no server begins before it is done"""

_IN_USE = N_("{file} is in use ({problem}): stop the server, and whatever else has it open")
_DAMAGED = N_("{file} is damaged ({problem}): move it away, then restore")
_CUT = N_("a restore into {home} was cut short ({problem}): restore again, before anything is served")


def copy_files(home: Path, folder: Path) -> list[str]:
    """Copy the databases of a home into a folder, each as of one moment; return the names of those that exist.

    Uses SQLite's "Online Backup API" (sqlite.org), so a server may write meanwhile. Raises StoreError.
    """
    found = []
    for name in FILES:
        if not (home / name).exists():
            continue
        try:
            with closing(open_to_read(home / name)) as source, closing(sqlite3.connect(folder / name)) as copy:
                source.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
        except DAMAGE as error:
            raise StoreError(f"{home / name} cannot be copied: {error_text(error)}") from None
        found.append(name)
    return found


def put_files_back(folder: Path, home: Path) -> None:
    """Replace the databases of a home by the copies in a folder on the same disk: all of them, or none.

    If it is cut short, the mark remains, and no server begins before a restore is complete. Raises RestoreError if a
    database is in use; StoreError.
    """
    mark = home / MARK
    begun = mark.exists()
    mark.touch(mode=0o600)
    try:
        for name in FILES:
            with _alone(home / name):
                pass
    except RestoreError:
        if not begun:
            mark.unlink()
        raise
    try:
        for name in FILES:
            copy = folder / name
            if copy.exists():
                copy.chmod(0o600)
                copy.replace(home / name)
            else:
                (home / name).unlink(missing_ok=True)
        _sync(home)
        mark.unlink()
        _sync(home)
    except OSError as error:
        raise StoreError(Message(_CUT, home=str(home), problem=error.strerror or str(error))) from None


def check_whole(home: Path) -> None:
    """Raise StoreError if a restore was cut short. To be called with the databases already open."""
    if (home / MARK).exists():
        raise StoreError(Message(_CUT, home=str(home), problem=MARK))


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a database that nobody else has open, and leave no journal beside it. Raises RestoreError."""
    if not path.exists():
        yield
        return
    uri = f"{path.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(uri, timeout=0, isolation_level=None, uri=True)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            raise RestoreError(Message(_IN_USE, file=str(path), problem=error_text(error))) from None
        except DAMAGE as error:
            raise RestoreError(Message(_DAMAGED, file=str(path), problem=error_text(error))) from None
        yield


def _sync(folder: Path) -> None:
    """Flush renames in a folder to the disk, on platforms that can."""
    with suppress(PermissionError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
