"""A seat's memory in a file: one sealed file for each key, outside of the home (specs/seats.md).

Only a holder of the key can change, remove or restore records unnoticed. A record is on the disk before the block of
`Memory.game`, or of the `Memory.group` around it, ends, and so before any signature that it records leaves the program.
"""

import os
import secrets
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ledger.database.sqlite import DAMAGE, MEMORY_KIND, data_version, open_database, transaction
from ledger.errors import MemoryLostError, StoreError
from ledger.seats.memory import Turn
from ledger.seats.records import Memories, Record, mark_moved
from ledger.seats.sealed_records import (
    Counter,
    RecordsDigest,
    SealedRecord,
    seal_counter,
    seal_record,
    unseal_counter,
    unseal_record,
)

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = ["Memory", "peek_counters"]


class Memory:
    """The memory of one key in a file of this machine. Any thread may use it; several wait their turn."""

    def __init__(self, path: Path, copy: Path, name: str, key: bytes) -> None:
        """Open a memory that was begun: `path` is its file, `copy` that of the counter's copy, `key` (32 bytes) seals.

        Raises MemoryLostError where it is missing, damaged or older than the copy, or there is no copy.
        """
        self._path, self._copy, self._name = path, copy, name
        self._aead = ChaCha20Poly1305(key)
        self._rows: dict[bytes, SealedRecord] = {}
        self._digest = RecordsDigest({})
        self._counter: Counter | None = None
        self._version: int | None = None
        self._sealed = b""
        """the sealed counter of the file"""
        self._grouped = False
        self._turns = RLock()
        """of whichever thread has a turn"""
        if not path.exists():
            raise self._lost(f"{name}'s memory is not on this machine ({path})")
        try:
            self._database: Database = _open(path)
        except StoreError as error:
            raise self._lost(f"{name}'s memory on this machine cannot be read ({error})") from None
        try:
            with transaction(self._database):  # so that nobody records anything between a look at it and at the copy
                self._refresh()
        except BaseException:
            self.close()
            raise

    @classmethod
    def begin(
        cls, path: Path, copy: Path, name: str, key: bytes, *, since: str = "", taken: Memories | None = None
    ) -> "Memory":
        """Begin an empty memory, or one that was moved here; whatever stood in its place is gone.

        With `since`, a time, it takes part only in games that were opened later. Raises StoreError.
        """
        aead = ChaCha20Poly1305(key)
        known = [counter.count for counter in peek_counters(path, copy, aead)]
        for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            with suppress(FileNotFoundError):
                each.unlink()
        rows: dict[bytes, SealedRecord] = {}
        count = max([*known, 0 if taken is None else taken.count])
        for game, record in sorted({} if taken is None else taken.records.items()):
            count += 1
            rows[bytes.fromhex(game)] = seal_record(aead, bytes.fromhex(game), count, mark_moved(record))
        epoch, digest = secrets.token_hex(16), RecordsDigest(rows).hex()
        counter = Counter(epoch, count + 1, digest, since if taken is None else taken.since)
        sealed = seal_counter(aead, counter)
        with closing(_open(path)) as database, transaction(database):
            for identifier, row in rows.items():
                database.execute("INSERT INTO records VALUES (?, ?, ?)", (identifier, *row))
            database.execute("INSERT INTO counter VALUES (1, ?)", (sealed,))
            # First, for once: a memory that has no copy is lost, a copy that has no memory is begun again.
            _write_copy(copy, sealed, durable=True)
        return cls(path, copy, name, key)

    def close(self) -> None:
        """Close the file."""
        with self._turns:
            self._database.close()

    @property
    def counter(self) -> Counter:
        """The state of all records when they were last read."""
        assert self._counter is not None
        return self._counter

    @property
    def left(self) -> bool:
        """True if the seat was moved to another machine."""
        return self.counter.left

    @property
    def count(self) -> int:
        """The number of records that were made."""
        return self.counter.count

    @contextmanager
    def game(self, game: bytes) -> Iterator[Turn]:
        """Take the seat's turn in a game: look up, check, record, in one transaction, its own or that of the group.

        A changed record is on the disk when this block, or the group around it, ends. After an error only the settled
        record is kept. Raises MemoryLostError, StoreError.
        """
        with self._turns, nullcontext() if self._grouped else self.group():
            before = self._record(game)
            turn = Turn(before, self.counter.since)
            try:
                yield turn
                turn.settle()
            finally:
                if turn.settled is not before:
                    self._write(game, turn.settled)

    @contextmanager
    def group(self, games: Collection[bytes] = ()) -> Iterator[None]:  # noqa: ARG002 - all records are at hand
        """Take several turns, in any games, in one transaction with one sync.

        No signature or opening made within may leave the program before the block ends without an error. After an
        error the records of its turns are kept. Raises MemoryLostError, and StoreError, after which none is kept.
        """
        error: BaseException | None = None
        sealed = None
        with self._turns, transaction(self._database):
            self._refresh()
            if self.counter.left:
                raise MemoryLostError(
                    f"{self._name} was moved to another machine, and signs and opens nothing here any more. "
                    f"Go on there, or move {self._name} back",
                    "identity.take",
                )
            version, count, self._grouped = self._version, self.counter.count, True
            try:
                yield
            except DAMAGE:
                raise
            except BaseException as raised:
                error = raised
            finally:
                self._grouped = False
            if self.counter.count != count:
                sealed = self._write_counter(msgspec.structs.replace(self.counter, digest=self._digest.hex()))
        if sealed is not None:
            self._committed(sealed, version)
        if error is not None:
            raise error

    def records(self) -> dict[bytes, Record]:
        """Return what is remembered of each game, by its id. Raises MemoryLostError, StoreError."""
        with self._turns, transaction(self._database):
            self._refresh()
            return {game: self._record(game) for game in self._rows}

    def leave(self) -> Memories:
        """End the seat on this machine for good, and only then return its records for another machine.

        A second call returns the same: the file with them may never have been written.
        """
        with self._turns, transaction(self._database):
            self._refresh()
            records = {game.hex(): self._record(game) for game in self._rows}
            if self.counter.left:
                return Memories(self.counter.count - 1, self.counter.since, records)
            given = Memories(self.counter.count, self.counter.since, records)
            version = self._version
            sealed = self._write_counter(msgspec.structs.replace(self.counter, count=given.count + 1, left=True))
        self._committed(sealed, version)
        return given

    # --- beneath ---------------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """Read and check everything if another process has written since."""
        try:
            version = data_version(self._database)
            if version == self._version:
                return
            self._version = None
            found = self._database.execute("SELECT sealed FROM counter").fetchall()
            counter = unseal_counter(self._aead, found[0][0]) if found else None
            if counter is None or not self._follow(counter):
                rows = self._database.execute("SELECT game, number, sealed FROM records").fetchall()
                self._rows = {game: SealedRecord(number, sealed) for game, number, sealed in rows}
                self._digest = RecordsDigest(self._rows)
        except Exception as error:
            raise self._lost(f"{self._name}'s memory on this machine cannot be read ({error})") from None
        if counter is None:
            raise self._lost(f"{self._name}'s memory on this machine is empty, damaged, or another key's")
        if counter.digest != self._digest.hex():
            raise self._lost(
                f"records of {self._name}'s memory on this machine were changed, taken away or put back by somebody "
                f"else"
            )
        self._check_copy(counter)
        self._counter, self._version, self._sealed = counter, version, found[0][0]

    def _follow(self, counter: Counter) -> bool:
        """Read another process's new records; return True if the hash over all records confirms them.

        Records that were removed or changed meanwhile are not used; reading everything again finds them.
        """
        if self._counter is None or self._counter.count >= counter.count:
            return False
        since = self._counter.count
        rows = self._database.execute("SELECT game, number, sealed FROM records WHERE number > ?", (since,)).fetchall()
        for game, number, sealed in rows:
            self._rows[game] = SealedRecord(number, sealed)
            self._digest.put(game, self._rows[game])
        return counter.digest == self._digest.hex()

    def _check_copy(self, counter: Counter) -> None:
        try:
            copy = unseal_counter(self._aead, self._copy.read_bytes())
        except FileNotFoundError:
            raise self._lost(f"{self._copy}, the copy of what {self._name} has recorded, is missing") from None
        except OSError as error:
            raise StoreError(f"{self._copy} cannot be read: {error.strerror}") from None
        if copy is None:
            raise self._lost(f"{self._copy}, the copy of what {self._name} has recorded, is damaged or another key's")
        if copy.epoch != counter.epoch:
            raise self._lost(f"{self._name}'s memory on this machine is not the one that {self._copy} belongs to")
        if copy.count > counter.count:
            raise self._lost(
                f"{self._name}'s memory on this machine is older than {self._name}'s own folder says "
                f"({counter.count} records, {copy.count} were made): it was put back from a backup"
            )
        if copy.count == counter.count and copy != counter:
            raise self._lost(f"{self._name}'s memory on this machine has other records than {self._copy} says")

    def _lost(self, problem: str) -> MemoryLostError:
        return MemoryLostError(
            f"{problem}. {self._name} signs and opens nothing in games that have begun.\n"
            f"Go on where {self._name}'s memory is, or begin anew",
            "identity.forget",
            self._name,
        )

    def _record(self, game: bytes) -> Record:
        row = self._rows.get(game)
        if row is None:
            return Record()
        record = unseal_record(self._aead, game, row)
        if record is None:
            raise self._lost(f"{self._name}'s memory of game {game.hex()[:12]} is damaged")
        return record

    def _write(self, game: bytes, record: Record) -> None:
        """Write a record; the counter comes after all of the group."""
        count = self.counter.count + 1
        row = seal_record(self._aead, game, count, record)
        self._version = None  # until this is committed
        self._database.execute(
            "INSERT INTO records VALUES (?1, ?2, ?3) ON CONFLICT (game) DO UPDATE SET number = ?2, sealed = ?3",
            (game, *row),
        )
        self._rows[game] = row
        self._digest.put(game, row)
        self._counter = msgspec.structs.replace(self.counter, count=count)

    def _write_counter(self, counter: Counter) -> bytes:
        self._version = None
        sealed = seal_counter(self._aead, counter)
        self._database.execute("UPDATE counter SET sealed = ?", (sealed,))
        self._counter = counter
        return sealed

    def _committed(self, sealed: bytes, version: int | None) -> None:
        """Note that the file has what is known here, and write the copy; only others' writes change `version`.

        The copy is written in a turn, too, with the latest counter of any process: else a slower process could replace
        a newer copy, whose signature has left, by an older one.
        """
        self._version = version
        self._sealed = sealed
        count = self.counter.count
        with self._turns, transaction(self._database):  # another thread may be within a turn of its own
            self._refresh()
            if self.counter.count < count:
                raise self._lost(f"{self._name}'s memory on this machine was put back while it was used")
            _write_copy(self._copy, self._sealed)


def peek_counters(path: Path, copy: Path, aead: ChaCha20Poly1305) -> list[Counter]:
    """Return the counters of a memory and its copy, as far as they can be read; the memory may be any file."""
    sealed: list[bytes] = []
    with suppress(OSError):
        sealed.append(copy.read_bytes())
    with suppress(*DAMAGE), closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        sealed += [row[0] for row in database.execute("SELECT sealed FROM counter")]
    return [counter for each in sealed if (counter := unseal_counter(aead, each)) is not None]


def _open(path: Path) -> "Database":
    return open_database(path, "memory", kind=MEMORY_KIND, mode=0o600)


def _write_copy(path: Path, sealed: bytes, *, durable: bool = False) -> None:
    """After a crash of the machine it may be one behind, so it is not waited for."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb", buffering=0) as file:
            file.write(sealed)
            if durable:
                os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from None
