"""A seat's memory: one sealed file for each key, outside of the home (specs/seats.md).

Only a holder of the key can change, remove or restore records unnoticed. A record is on the disk before the block of
`Memory.game`, or of the `Memory.group` around it, ends, and so before any signature that it records leaves the program.
"""

import hashlib
import os
import secrets
import sqlite3
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from ledger.database import DAMAGE, MEMORY_KIND, data_version, open_database, transaction
from ledger.errors import MemoryLostError, StoreError

if TYPE_CHECKING:
    from sqlite_utils import Database

    from ledger.seats.identity import Identity

__all__ = [
    "IN_SERVICE",
    "STATE_VARIABLE",
    "Acknowledgements",
    "Memories",
    "Memory",
    "OwnChain",
    "OwnSeal",
    "Record",
    "RememberedReceipt",
    "SeatHead",
    "SeatMemory",
    "Turn",
    "begin_memory",
    "default_state",
    "has_file",
    "has_left",
    "is_in_service",
    "mark_moved",
    "open_memory",
    "seal",
    "unseal",
]

STATE_VARIABLE = "ROLLPROOF_STATE"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS records (
    game BLOB PRIMARY KEY, number INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT;

CREATE INDEX IF NOT EXISTS records_by_number ON records (number);

CREATE TABLE IF NOT EXISTS counter (
    only INTEGER PRIMARY KEY CHECK (only = 1), sealed BLOB NOT NULL) STRICT"""

_LABEL = b"rollproof/v1/memory\n"
_COUNTER = b"counter\n"
_RECORD = b"record\n"
IN_SERVICE = b"service\n"
"""the label that a service's record is bound to"""
_COPY_FILE = "memory"
"""in the identity's folder"""
_OVERHEAD = 28
"""bytes by which sealing makes data longer: nonce and tag"""
_COPY_SIZE = 512
"""bytes of the counter's copy: within one sector, and always as many, so that writing it over is all or nothing"""


class SeatHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line of a log that the seat has verified itself."""

    size: int
    """number of lines"""
    leaf: str
    """leaf hash (hex) of the last line"""


class OwnChain(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the seat's own seed chains. Hashes and secrets are hex."""

    tip: str
    length: int
    secret: str
    opened: int = 0
    """the highest index that was opened; 0: none"""
    request: str = ""
    """the request that it was opened for"""
    moved: bool = False
    """True if the chain came from another machine, and is opened for no roll here"""
    replaced: bool = False
    """a link of it went into a commit to another chain: it is used up"""


class OwnSeal(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the seat's own seals: numbers of its tags, and the key (hex) that its secrets are made of."""

    first: int
    count: int
    key: str


class RememberedReceipt(Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint that the keeper signed for the seat."""

    size: int
    root: str
    """hex"""
    note: str
    """the checkpoint, as in a file"""
    leaf: str = ""
    """hex: leaf hash of its last line, when it was compared with a log that agrees"""


class Acknowledgements(Struct, frozen=True, forbid_unknown_fields=True):
    """The request for which the seat gave receipts last, as one that may void it."""

    request: str
    """hex: its leaf hash"""
    authors: tuple[str, ...]
    """the authors of the acknowledged openings"""


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's record of one game. Hashes are hex."""

    head: SeatHead = SeatHead(0, "")
    chains: tuple[OwnChain, ...] = ()
    signed: Mapping[str, int] = {}
    """own events that are not yet among the verified lines: number by leaf hash"""
    voided: str = ""
    """the request that the seat voided last, or declined to open for"""
    acknowledged: Acknowledgements = Acknowledgements("", ())
    receipts: tuple[RememberedReceipt, ...] = ()
    received: tuple[str, ...] = ()
    """receipts for its openings, as they travel"""
    stopped: str = ""
    """why it signs nothing more in this game"""
    warnings: tuple[str, ...] = ()
    """warnings that the owner has not seen yet"""
    seals: tuple[OwnSeal, ...] = ()
    denied: str = ""
    """the request for which it opened, of which the keeper's judge says that it did not"""
    lines: tuple[str, ...] = ()
    """of an event log that it keeps: the lines that it signed together last"""
    hidden: Mapping[str, tuple[str, str]] = {}
    """salt (hex) and text of the purposes of own secret rolls, by their hash in the request (hex)"""


class Counter(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of all records together; a sealed copy is in the identity's folder."""

    epoch: str
    """hex, 16 bytes: drawn when the memory was begun"""
    count: int
    """records made"""
    digest: str
    """hash (hex) over all sealed records"""
    since: str = ""
    """it takes part only in games that were opened later"""
    left: bool = False
    """the seat was moved to another machine"""


class Memories(Struct, frozen=True, forbid_unknown_fields=True):
    """All that goes with a seat to another machine. As secret as its chains."""

    count: int
    since: str
    records: Mapping[str, Record]
    """by game, hex"""


class _Row(NamedTuple):
    number: int
    sealed: bytes


class _Digest:
    """The hash over all records (specs/seats.md, "Sealed"), updated for changed records only."""

    def __init__(self, rows: Mapping[bytes, _Row]) -> None:
        self._hashes: list[dict[bytes, bytes]] = [{} for _ in range(256)]
        """hashes of records by the first byte of the game's id, and by the id"""
        self._parts = [hashlib.sha256().digest()] * 256
        self._stale: set[int] = set()
        for game, row in rows.items():
            self.put(game, row)

    def put(self, game: bytes, row: _Row) -> None:
        """A record, in the place of the one before."""
        hashed = hashlib.sha256(game + row.number.to_bytes(8, "big") + row.sealed).digest()
        self._hashes[game[0]][game] = hashed
        self._stale.add(game[0])

    def hex(self) -> str:
        for first in self._stale:
            hashes = self._hashes[first]
            self._parts[first] = hashlib.sha256(b"".join(hashes[game] for game in sorted(hashes))).digest()
        self._stale.clear()
        return hashlib.sha256(b"".join(self._parts)).hexdigest()


class Turn:
    """The seat's turn in one game: no other program can change its record until it ends."""

    def __init__(self, record: Record, since: str) -> None:
        self.record = record
        """change it by putting another in its place"""
        self.since = since
        """with no record: the game must have been opened later than this"""
        self.settled = self._before = record

    def change(self, **members: object) -> Record:
        """Replace members of the record."""
        self.record = msgspec.structs.replace(self.record, **members)
        return self.record

    def forget(self) -> None:
        """The record is as it was when the turn began."""
        self.record = self.settled = self._before

    def settle(self) -> None:
        """Keep the record as it is now, even if an error follows."""
        self.settled = self.record


class SeatMemory(Protocol):
    """The interface of a seat's memory: a file (`Memory`) or a service (`ledger.seats.memory_service`)."""

    @property
    def left(self) -> bool:
        """True if the seat was moved to another machine."""

    @property
    def count(self) -> int:
        """The number of records that were made, as far as is known here."""

    def game(self, game: bytes) -> AbstractContextManager[Turn]:
        """The seat's turn in a game: look up, check, record. Durable when it is left, or the group around it."""

    def group(self, games: Collection[bytes] = ()) -> AbstractContextManager[None]:
        """Several turns as one transaction. Nothing signed within may leave the program before this ends well.

        `games`: those that turns are known to be in; a service reads them at once.
        """

    def records(self) -> dict[bytes, Record]:
        """Return what is remembered of each game, by its id."""

    def leave(self) -> Memories:
        """End the seat here, for good; the records, for another machine."""

    def close(self) -> None:
        """Let go of it."""


class Memory:
    """The memory of one key in a file of this machine. Any thread may use it; several wait their turn."""

    def __init__(self, path: Path, copy: Path, name: str, key: bytes) -> None:
        """Open a memory that was begun: `path` is its file, `copy` that of the counter's copy, `key` (32 bytes) seals.

        Raises MemoryLostError where it is missing, damaged or older than the copy, or there is no copy.
        """
        self._path, self._copy, self._name = path, copy, name
        self._aead = ChaCha20Poly1305(key)
        self._rows: dict[bytes, _Row] = {}
        self._digest = _Digest({})
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
        known = [counter.count for counter in _peek(path, copy, aead)]
        for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            with suppress(FileNotFoundError):
                each.unlink()
        rows: dict[bytes, _Row] = {}
        count = max([*known, 0 if taken is None else taken.count])
        for game, record in sorted({} if taken is None else taken.records.items()):
            count += 1
            rows[bytes.fromhex(game)] = _seal_record(aead, bytes.fromhex(game), count, mark_moved(record))
        epoch, digest = secrets.token_hex(16), _Digest(rows).hex()
        counter = Counter(epoch, count + 1, digest, since if taken is None else taken.since)
        sealed = _seal_counter(aead, counter)
        with closing(_open(path)) as database, transaction(database):
            for identifier, row in rows.items():
                database.execute("INSERT INTO records VALUES (?, ?, ?)", (identifier, *row))
            database.execute("INSERT INTO counter VALUES (1, ?)", (sealed,))
            # First, for once: a memory that has no copy is lost, a copy that has no memory is begun again.
            _write_copy(copy, sealed, durable=True)
        return cls(path, copy, name, key)

    def close(self) -> None:
        """Let go of the file."""
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
            counter = self._unseal_counter(found[0][0]) if found else None
            if counter is None or not self._follow(counter):
                rows = self._database.execute("SELECT game, number, sealed FROM records").fetchall()
                self._rows = {game: _Row(number, sealed) for game, number, sealed in rows}
                self._digest = _Digest(self._rows)
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
            self._rows[game] = _Row(number, sealed)
            self._digest.put(game, self._rows[game])
        return counter.digest == self._digest.hex()

    def _check_copy(self, counter: Counter) -> None:
        try:
            copy = self._unseal_counter(self._copy.read_bytes())
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
        try:
            return msgspec.json.decode(unseal(self._aead, row.sealed, _bound(game, row.number)), type=Record)
        except (InvalidTag, msgspec.MsgspecError, ValueError):
            raise self._lost(f"{self._name}'s memory of game {game.hex()[:12]} is damaged") from None

    def _unseal_counter(self, sealed: bytes) -> Counter | None:
        try:
            return msgspec.json.decode(unseal(self._aead, sealed, _COUNTER), type=Counter)
        except (InvalidTag, msgspec.MsgspecError, ValueError):
            return None

    def _write(self, game: bytes, record: Record) -> None:
        """Write a record; the counter comes after all of the group."""
        count = self.counter.count + 1
        row = _seal_record(self._aead, game, count, record)
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
        sealed = _seal_counter(self._aead, counter)
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


def default_state() -> Path:
    """Return the platform's folder for a program's own state, which nobody backs up or syncs."""
    given = os.environ.get(STATE_VARIABLE)
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "rollproof-state"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rollproof-state"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "rollproof"


def open_memory(identity: "Identity", folder: Path, state: Path) -> Memory:
    """The memory of an identity: `folder` is the identity's own, `state` that of all memories on this machine."""
    return Memory(*_place(identity, folder, state), identity.name, identity.storage_key())


def begin_memory(
    identity: "Identity", folder: Path, state: Path, *, since: str = "", taken: Memories | None = None
) -> Memory:
    """As `Memory.begin`."""
    path, copy = _place(identity, folder, state)
    return Memory.begin(path, copy, identity.name, identity.storage_key(), since=since, taken=taken)


def has_left(identity: "Identity", folder: Path, state: Path, memories: Memories) -> bool:
    """Return True if no seat of this identity here is, or was, later than the moved records."""
    path, copy = _place(identity, folder, state)
    found = _peek(path, copy, ChaCha20Poly1305(identity.storage_key()))
    here = path.exists() and not all(counter.left for counter in found)
    return not here and all(memories.count >= counter.count for counter in found)


def has_file(identity: "Identity", state: Path) -> bool:
    """Return True if an identity has a memory in a file of this machine."""
    return (state / f"{identity.key.public_bytes.hex()}.db").exists()


def is_in_service(identity: "Identity", folder: Path) -> bool:
    """Return True if the copy in the identity's folder names a service (specs/seats.md, "In a service")."""
    try:
        unseal(ChaCha20Poly1305(identity.storage_key()), (folder / _COPY_FILE).read_bytes(), IN_SERVICE)
    except (OSError, InvalidTag, ValueError):
        return False
    return True


def _peek(path: Path, copy: Path, aead: ChaCha20Poly1305) -> list[Counter]:
    """The counters of a memory and its copy, as far as they can be read; the memory may be any file."""
    sealed: list[bytes] = []
    with suppress(OSError):
        sealed.append(copy.read_bytes())
    with suppress(*DAMAGE), closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        sealed += [row[0] for row in database.execute("SELECT sealed FROM counter")]
    found = []
    for each in sealed:
        with suppress(InvalidTag, msgspec.MsgspecError, ValueError):
            found.append(msgspec.json.decode(unseal(aead, each, _COUNTER), type=Counter))
    return found


def _place(identity: "Identity", folder: Path, state: Path) -> tuple[Path, Path]:
    return state / f"{identity.key.public_bytes.hex()}.db", folder / _COPY_FILE


def _open(path: Path) -> "Database":
    return open_database(path, _SCHEMA, kind=MEMORY_KIND, mode=0o600)


def mark_moved(record: Record) -> Record:
    """Return the record for another machine, where its chains open nothing."""
    chains = tuple(msgspec.structs.replace(chain, moved=True) for chain in record.chains)
    return msgspec.structs.replace(record, chains=chains)


def _seal_counter(aead: ChaCha20Poly1305, counter: Counter) -> bytes:
    return seal(aead, msgspec.json.encode(counter).ljust(_COPY_SIZE - _OVERHEAD), _COUNTER)


def _bound(game: bytes, number: int) -> bytes:
    return _RECORD + game + number.to_bytes(8, "big")


def _seal_record(aead: ChaCha20Poly1305, game: bytes, number: int, record: Record) -> _Row:
    return _Row(number, seal(aead, msgspec.json.encode(record), _bound(game, number)))


def seal(aead: ChaCha20Poly1305, data: bytes, bound: bytes) -> bytes:
    """Seal data, bound to a label (specs/seats.md, "Sealed")."""
    # A random nonce, not a counter: a restored counter would use one nonce for two records.
    nonce = secrets.token_bytes(12)
    return nonce + aead.encrypt(nonce, data, _LABEL + bound)


def unseal(aead: ChaCha20Poly1305, sealed: bytes, bound: bytes) -> bytes:
    """Return sealed data. Raises InvalidTag, ValueError."""
    return aead.decrypt(sealed[:12], sealed[12:], _LABEL + bound)


def _write_copy(path: Path, sealed: bytes, *, durable: bool = False) -> None:
    """After a crash of the machine it may be one behind, so it is not waited for."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb", buffering=0) as file:
            file.write(sealed)
            if durable:
                os.fsync(file.fileno())
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from None
