"""Begin and open an identity's memory in a service, and ask whether a seat left one (specs/seats.md)."""

from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from ledger.seats.memory_service import ServiceMemory, last_begun
from ledger.seats.records import Memories
from ledger.seats.service_checks import connect_service, service_errors
from ledger.seats.service_rows import ServiceRows

if TYPE_CHECKING:
    from ledger.seats.identity import Identity

__all__ = ["begin_service_memory", "has_left_service", "open_service_memory"]


def has_left_service(identity: "Identity", url: str, memories: Memories) -> bool:
    """Return True if no seat of this identity in the service is, or was, later than the moved records.

    Raises StoreError.
    """
    with service_errors(), connect_service(url, lambda _: None) as connection:
        try:
            last = last_begun(connection, ServiceRows(identity.storage_key()))
        except psycopg.errors.UndefinedTable:
            return True
    return last is None or (last.left and memories.count >= last.count)


def open_service_memory(identity: "Identity", folder: Path, state: Path, url: str) -> ServiceMemory:
    """Return the memory of an identity in a service. `folder` is the identity's own, `state` of this machine.

    Raises MemoryLostError, StoreError.
    """
    return ServiceMemory(url, *_place(identity, folder, state), identity.name, identity.storage_key())


def begin_service_memory(
    identity: "Identity", folder: Path, state: Path, url: str, *, since: str = "", taken: Memories | None = None
) -> ServiceMemory:
    """Begin a memory, as `ServiceMemory.begin` does."""
    place = _place(identity, folder, state)
    return ServiceMemory.begin(url, *place, identity.name, identity.storage_key(), since=since, taken=taken)


def _place(identity: "Identity", folder: Path, state: Path) -> tuple[Path, Path]:
    return state / f"{identity.key.public_bytes.hex()}.known.db", folder / "memory"
