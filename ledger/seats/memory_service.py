"""A seat's memory in a PostgreSQL cluster of its own (specs/seats.md, "In a service").

Each game has one sealed row, which is replaced by compare-and-swap. So any machine with the key can serve any game; of
two machines at one game one loses, and looks again. The service learns the number of games and the times of their
changes, and no contents.

Each machine also stores the last seen number of each row (`KnownNumbers`), outside of the service. If a row is behind
it, the service was restored from a backup, or a failover has lost the row, and the seat stops.
"""

import secrets
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import RLock
from typing import Any

import msgspec
import psycopg
from psycopg.pq import TransactionStatus

from ledger.database.postgres import Connection
from ledger.database.schemas import statements
from ledger.errors import MemoryLostError, StaleMemoryError, StoreError
from ledger.seats.known import KnownNumbers
from ledger.seats.memory import Turn
from ledger.seats.records import Memories, Record, mark_moved
from ledger.seats.service_checks import check_service, connect_service, first_line, service_errors
from ledger.seats.service_rows import DAMAGE, Begun, ServiceRow, ServiceRows

__all__ = ["ServiceMemory", "last_begun"]

LOOK_EVERY = 5.0
"""seconds between two checks that the service is durable: a standby may have been added"""

LOOK_UP_WITHIN = 20.0
"""seconds in which the outcome of an unanswered transaction is looked up"""


_MADE = "SELECT coalesce(sum(number), 0)::bigint FROM records WHERE seat = %s"

_ADD = """
INSERT INTO records (record, number, sealed, seat)
SELECT new.*, %(seat)s FROM unnest(%(names)s::bytea[], %(numbers)s::bigint[], %(sealed)s::bytea[])
    AS new (record, number, sealed)
ORDER BY record ON CONFLICT DO NOTHING
RETURNING record, pg_current_xact_id()::text::bigint"""

_REPLACE = """
WITH found AS (
    SELECT record, new.number, new.sealed
    FROM records JOIN unnest(%(names)s::bytea[], %(numbers)s::bigint[], %(sealed)s::bytea[])
        AS new (record, number, sealed) USING (record)
    WHERE seat = %(seat)s ORDER BY record FOR UPDATE OF records)
UPDATE records SET number = found.number, sealed = found.sealed FROM found
WHERE seat = %(seat)s AND records.record = found.record AND records.number = found.number - 1
RETURNING records.record, pg_current_xact_id()::text::bigint"""
"""Rows are locked in order, so that two machines never wait for one another in a circle."""


class ServiceMemory:
    """The memory of one key in a service. Any thread may use it; several wait their turn."""

    def __init__(self, url: str, known: Path, copy: Path, name: str, key: bytes) -> None:
        """Open a memory that was begun. `known`: a file of this machine; `copy`: in the identity's folder.

        Raises MemoryLostError if the memory is missing, damaged, not that of the copy, or behind the numbers that this
        machine knows; StoreError if the service cannot be reached, or is not durable.
        """
        self._url, self._name = url, name
        self._rows = ServiceRows(key)
        self._seat = self._rows.seat
        self._turns = RLock()
        self._connection: Connection | None = None
        self._looked = 0.0
        """when the service was looked at last (`time.monotonic`)"""
        self._notices: list[str] = []
        self._grouped = False
        self._reads: dict[bytes, ServiceRow] = {}
        """of the group that is on: rows as they were read, by game"""
        self._writes: dict[bytes, Record] = {}
        self._numbers: dict[bytes, int] = {}
        """how far rows had come when they were seen last, by name"""
        self.begun = self._read_copy(copy)
        self._known = KnownNumbers(known, self.begun.epoch)
        try:
            self._begin()
            self._commit()
        except BaseException:
            self.close()
            raise

    @classmethod
    def begin(
        cls,
        url: str,
        known: Path,
        copy: Path,
        name: str,
        key: bytes,
        *,
        since: str = "",
        taken: Memories | None = None,
    ) -> "ServiceMemory":
        """Begin an empty memory, or one that was moved here. The one before, if there was one, is gone.

        Raises StoreError.
        """
        rows, moved = ServiceRows(key), taken or Memories(0, since, {})
        with service_errors(), connect_service(url, lambda _: None) as connection, connection.transaction():
            check_service(connection)
            connection.execute("SELECT pg_advisory_xact_lock(hashtext('rollproof/memory'))")
            for statement in statements("postgres", "memory"):
                connection.execute(statement.encode())
            last = last_begun(connection, rows)
            count = max(moved.count, 0 if last is None else last.count)
            begun = Begun(secrets.token_hex(16), moved.since, count=count)
            sealed = rows.seal_begun(begun)
            connection.execute("DELETE FROM records WHERE seat = %s", [rows.seat])
            connection.execute(
                "INSERT INTO seats VALUES (%s, %s) ON CONFLICT (seat) DO UPDATE SET sealed = excluded.sealed",
                [rows.seat, sealed],
            )
            for game, record in moved.records.items():
                row = rows.seal(begun, bytes.fromhex(game), ServiceRow(1, mark_moved(record)))
                values = [rows.seat, rows.name_of(bytes.fromhex(game)), row]
                connection.execute("INSERT INTO records VALUES (%s, %s, 1, %s)", values)
        try:
            copy.write_bytes(sealed)
            copy.chmod(0o600)
        except OSError as error:
            raise StoreError(f"{copy} cannot be written: {error.strerror}") from None
        made = cls(url, known, copy, name, key)
        made._known.put({rows.name_of(bytes.fromhex(game)): 1 for game in moved.records})
        return made

    def close(self) -> None:
        """Close the connection to the service."""
        with self._turns:
            self._drop()
            self._known.close()

    @property
    def left(self) -> bool:
        """True if the seat was moved away, at the last look."""
        return self.begun.left

    @property
    def count(self) -> int:
        """The number of records that were made, as far as this machine has seen."""
        return self.begun.count + sum(self._known.all().values())

    @contextmanager
    def game(self, game: bytes) -> Iterator[Turn]:
        """Take a turn as `Memory.game`. Raises StaleMemoryError, too, if another machine wrote: nothing is kept."""
        with self._turns, nullcontext() if self._grouped else self.group():
            before = self._writes.get(game) or self._read(game).record
            turn = Turn(before, self.begun.since)
            try:
                yield turn
                turn.settle()
            finally:
                if turn.settled is not before:
                    self._writes[game] = turn.settled

    @contextmanager
    def group(self, games: Collection[bytes] = ()) -> Iterator[None]:
        """As `Memory.group`: one transaction, durable on the service and its standbys when this ends.

        The rows of `games` are read in one statement. Raises StaleMemoryError where another machine has recorded
        something of one of the turns' games meanwhile.
        """
        error: BaseException | None = None
        with self._turns:
            self._begin()
            self._check_here()
            self._grouped = True
            try:
                self._read_all(games)
                yield
            except psycopg.Error as lost:
                self._drop()
                raise self._unreached(lost) from None
            except BaseException as raised:
                error = raised
            finally:
                self._grouped = False
            self._commit()
        if error is not None:
            raise error

    def records(self) -> dict[bytes, Record]:
        """Return all records, as `Memory.records` does."""
        with self._turns, self.group():
            return self._all_records()

    def leave(self) -> Memories:
        """As `Memory.leave`: on every machine at once."""
        with self._turns:
            self._begin()
            left = msgspec.structs.replace(self.begun, left=True)
            try:
                # Every group shares this lock: so another machine's group is done before.
                self._execute("SELECT pg_advisory_xact_lock(%s)", [self._lock])
                update = "UPDATE seats SET sealed = %s WHERE seat = %s RETURNING seat"
                self._execute(update, [self._rows.seal_begun(left), self._seat])
                records = self._all_records()
                count = left.count + self._execute(_MADE, [self._seat])[0][0]
            except psycopg.Error as error:
                self._drop()
                raise self._unreached(error) from None
            except MemoryLostError:
                self._drop()
                raise
            self._commit()
            self.begun = left
        return Memories(count, left.since, {game.hex(): record for game, record in records.items()})

    def _all_records(self) -> dict[bytes, Record]:
        """Return what is remembered of each game. Raises MemoryLostError."""
        rows = self._execute("SELECT record, number, sealed FROM records WHERE seat = %s", [self._seat])
        self._check_all_known({bytes(name): number for name, number, _ in rows})
        return dict(self._unsealed(*row) for row in rows)

    # --- one transaction ---------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Begin a transaction on a checked connection, and read the seat's record."""
        self._reads, self._writes = {}, {}
        for again in (True, False):
            try:
                connection = self._connected()
                if time.monotonic() - self._looked > LOOK_EVERY:
                    check_service(connection)
                    self._looked = time.monotonic()
                begin = f"BEGIN; SELECT pg_advisory_xact_lock_shared({self._lock})".encode()
                connection.execute(begin, prepare=False)
                row = connection.execute("SELECT sealed FROM seats WHERE seat = %s", [self._seat]).fetchone()
                break
            except psycopg.Error as error:
                self._drop()
                if not again or not isinstance(error, psycopg.OperationalError):  # it was restarted since
                    raise self._unreached(error) from None
        try:
            self._check_begun(None if row is None else bytes(row[0]))
        except MemoryLostError:
            self._drop()
            raise

    def _check_begun(self, sealed: bytes | None) -> None:
        if sealed is None:
            raise self._lost(f"{self._name}'s memory is not in the service")
        try:
            found = self._rows.unseal_begun(sealed)
        except DAMAGE:
            raise self._lost(f"{self._name}'s memory in the service is damaged, or another key's") from None
        if found.epoch != self.begun.epoch:
            raise self._lost(f"{self._name}'s memory in the service is another one than this machine's")
        self.begun = found

    def _check_here(self) -> None:
        """Raises MemoryLostError where the seat was moved away."""
        if self.left:
            self._drop()
            raise MemoryLostError(
                f"{self._name} was moved to another machine, and signs and opens nothing here any more. "
                f"Go on there, or move {self._name} back",
                "identity.take",
            )

    def _read_all(self, games: Collection[bytes]) -> None:
        """Read the rows of games at once. One that is damaged or behind is read again in its turn, which fails."""
        names = [self._rows.name_of(game) for game in games]
        found = self._read_rows(names) if names else {}
        for game, name in zip(games, names, strict=True):
            with suppress(MemoryLostError):
                self._reads[game] = self._checked(name, found.get(name))

    def _read(self, game: bytes) -> ServiceRow:
        """Return the current row of a game, which is not behind the number that this machine knows."""
        if game not in self._reads:
            name = self._rows.name_of(game)
            self._reads[game] = self._checked(name, self._read_rows([name]).get(name))
        return self._reads[game]

    def _read_rows(self, names: Sequence[bytes]) -> dict[bytes, tuple[int, bytes]]:
        """Return number and sealed record of those rows that there are, by name."""
        statement = "SELECT record, number, sealed FROM records WHERE seat = %s AND record = ANY(%s)"
        rows = self._execute(statement, [self._seat, names])
        return {bytes(name): (number, sealed) for name, number, sealed in rows}

    def _checked(self, name: bytes, row: tuple[int, bytes] | None) -> ServiceRow:
        found = ServiceRow(0, Record())
        if row is not None:
            found = ServiceRow(row[0], self._unsealed(name, *row)[1])
        self._check_known(name, found.number, self._numbers.get(name, 0))
        return found

    def _commit(self) -> None:
        """Write changed rows, each over the one that was read, durably on the service and its standbys."""
        names = {self._rows.name_of(game): game for game in self._writes}
        numbers = {name: self._reads[game].number + 1 for name, game in names.items()}
        transaction_id: int | None = None
        try:
            changed, transaction_id = self._swap(names, numbers)
            if len(changed) != len(names):
                stale = next(game for name, game in names.items() if name not in changed)
                raise StaleMemoryError(
                    f"another machine was at game {stale.hex()[:12]} at the same time: nothing was signed here"
                )
            connection = self._connection
            assert connection is not None, "a group began"
            self._notices.clear()
            done = connection.execute("COMMIT")
            # A wait for the standby that was broken off ends as if it were well, with a warning.
            if self._notices or done.statusmessage != "COMMIT":
                said = self._notices[0] if self._notices else str(done.statusmessage)
                raise StoreError(f"the memory's service has not confirmed what was recorded: {said}")
        except psycopg.Error as error:
            self._drop()
            if transaction_id is None or not self._came_through(transaction_id):
                raise self._unreached(error) from None
        except StoreError:
            self._drop()
            raise
        seen = {self._rows.name_of(game): row.number for game, row in self._reads.items()} | numbers
        newer = {name: number for name, number in seen.items() if number > self._numbers.get(name, 0)}
        if newer:
            self._numbers |= newer
            self._known.put(newer)

    def _swap(self, names: Mapping[bytes, bytes], numbers: Mapping[bytes, int]) -> tuple[set[bytes], int | None]:
        """Replace the previous rows that are unchanged; return their names, and the id of the transaction."""
        changed, transaction_id = set[bytes](), None
        for statement, new in ((_ADD, True), (_REPLACE, False)):
            rows = [(name, number) for name, number in numbers.items() if (number == 1) is new]
            if rows:
                columns = {
                    "seat": self._seat,
                    "names": [name for name, _ in rows],
                    "numbers": [number for _, number in rows],
                    "sealed": [self._sealed(names[name], number) for name, number in rows],
                }
                for name, id_ in self._execute(statement, columns):
                    changed.add(bytes(name))
                    transaction_id = id_
        return changed, transaction_id

    def _sealed(self, game: bytes, number: int) -> bytes:
        return self._rows.seal(self.begun, game, ServiceRow(number, self._writes[game]))

    def _came_through(self, transaction_id: int) -> bool:
        """Look up whether a transaction whose answer was lost was committed. Raises StoreError if that is unknown.

        If it was, one more transaction makes sure that the standbys have it, too.
        """
        end = time.monotonic() + LOOK_UP_WITHIN
        while time.monotonic() < end:
            with suppress(psycopg.Error, StoreError):
                connection = self._connected()
                statement = "SELECT pg_xact_status(%s::text::xid8)"
                ((status,),) = connection.execute(statement, [str(transaction_id)]).fetchall()
                if status == "aborted":
                    return False
                if status == "committed":
                    self._notices.clear()
                    connection.execute("UPDATE seats SET looked = looked + 1 WHERE seat = %s", [self._seat])
                    if not self._notices:
                        return True
            self._drop_unless_idle()
            time.sleep(0.1)
        raise StoreError(
            f"it is not known whether the memory's service has recorded what {self._name} was about to sign: nothing "
            f"was signed, and it is looked at again"
        )

    # --- beneath -----------------------------------------------------------------------------------------------------

    @property
    def _lock(self) -> int:
        return int.from_bytes(self._seat[:8], "big", signed=True)

    def _connected(self) -> Connection:
        """Return a connection to a durable service whose rows are not behind the numbers that this machine knows.

        Raises StoreError, MemoryLostError.
        """
        if self._connection is None:
            # Before the rows are read: another process here may record more meanwhile, and that is no loss.
            self._numbers = self._known.all()
            connection = connect_service(self._url, self._notices.append)
            try:
                check_service(connection)
                rows = connection.execute("SELECT record, number FROM records WHERE seat = %s", [self._seat])
                self._check_all_known({bytes(record): number for record, number in rows})
            except psycopg.errors.UndefinedTable:
                connection.close()
                raise self._lost(f"{self._name}'s memory is not in the service") from None
            except BaseException:
                connection.close()
                raise
            self._connection, self._looked = connection, time.monotonic()
        return self._connection

    def _check_all_known(self, here: Mapping[bytes, int]) -> None:
        for name, number in self._numbers.items():
            self._check_known(name, here.get(name, 0), number)

    def _check_known(self, name: bytes, here: int, known: int) -> None:
        if here < known:
            raise self._lost(
                f"{self._name}'s memory in the service is older than this machine knows ({here} records of "
                f"{name.hex()[:8]}, {known} were made): it was put back, or a failover has lost them"
            )

    def _execute(self, statement: str, values: Sequence[object] | Mapping[str, object]) -> list[tuple[Any, ...]]:
        assert self._connection is not None, "within a group"
        return self._connection.execute(statement.encode(), values).fetchall()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _drop_unless_idle(self) -> None:
        if self._connection is not None and self._connection.info.transaction_status != TransactionStatus.IDLE:
            self._drop()

    def _unsealed(self, name: bytes, number: int, sealed: bytes) -> tuple[bytes, Record]:
        """Return the game of a row, and its record. Raises MemoryLostError."""
        try:
            return self._rows.unseal(self.begun, bytes(name), number, bytes(sealed))
        except DAMAGE:
            raise self._lost(f"{self._name}'s memory in the service was changed by somebody else") from None

    def _read_copy(self, copy: Path) -> Begun:
        try:
            return self._rows.unseal_begun(copy.read_bytes())
        except FileNotFoundError:
            raise self._lost(f"{copy}, which says where {self._name}'s memory is, is missing") from None
        except DAMAGE:
            raise self._lost(f"{self._name}'s memory was not begun in a service: {copy} is of another") from None

    def _lost(self, problem: str) -> MemoryLostError:
        return MemoryLostError(
            f"{problem}. {self._name} signs and opens nothing in games that have begun.\n"
            f"Go on where {self._name}'s memory is, or begin anew",
            "identity.forget",
            self._name,
        )

    def _unreached(self, error: Exception) -> StoreError:
        return StoreError(f"the memory's service cannot be used: {first_line(error)}")


def last_begun(connection: Connection, rows: ServiceRows) -> Begun | None:
    """Return the seat's own record, its count that of all records made; None without one that can be read."""
    found = connection.execute("SELECT sealed FROM seats WHERE seat = %s", [rows.seat]).fetchone()
    try:
        begun = None if found is None else rows.unseal_begun(bytes(found[0]))
    except DAMAGE:
        return None
    ((made,),) = connection.execute(_MADE.encode(), [rows.seat]).fetchall()
    return None if begun is None else msgspec.structs.replace(begun, count=begun.count + made)
