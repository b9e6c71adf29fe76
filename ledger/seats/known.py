"""The progress of a memory in a service, as one machine last saw it (specs/seats.md, "In a service")."""

from pathlib import Path

from ledger.database.sqlite import DAMAGE, MEMORY_KIND, error_text, open_database, transaction
from ledger.errors import StoreError

__all__ = ["KnownNumbers"]


class KnownNumbers:
    """The last seen number of each row. The file is not synced: a crash of the machine may lose some."""

    def __init__(self, path: Path, epoch: str) -> None:
        """`epoch`: that of the memory; what was seen of one before counts no more. Raises StoreError."""
        self._epoch = epoch
        self._database = open_database(path, "known", kind=MEMORY_KIND, mode=0o600, durable=False)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def all(self) -> dict[bytes, int]:
        """Return the numbers by row. Raises StoreError."""
        try:
            statement = "SELECT record, number FROM known WHERE epoch = ?"
            return dict(self._database.execute(statement, (self._epoch,)).fetchall())
        except DAMAGE as error:
            raise StoreError(f"what this machine knows of its memory cannot be read: {error_text(error)}") from None

    def put(self, numbers: dict[bytes, int]) -> None:
        """Numbers only grow, whichever process puts them. Raises StoreError."""
        with transaction(self._database):
            self._database.conn.executemany(
                "INSERT INTO known VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET number = max(number, ?3)",
                [(self._epoch, *each) for each in numbers.items()],
            )
