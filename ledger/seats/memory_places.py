"""The place of a memory's file on this machine, and whether one is there (specs/seats.md)."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ledger.seats.memory_file import Memory, peek_counters
from ledger.seats.records import Memories
from ledger.seats.sealed_records import IN_SERVICE, unseal

if TYPE_CHECKING:
    from ledger.seats.identity import Identity

__all__ = [
    "STATE_VARIABLE",
    "begin_memory",
    "default_state",
    "has_file",
    "has_left",
    "is_in_service",
    "open_memory",
]

STATE_VARIABLE = "ROLLPROOF_STATE"

_COPY_FILE = "memory"
"""in the identity's folder"""


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
    """Open the memory of an identity: `folder` is the identity's own, `state` that of all memories on this machine."""
    return Memory(*_place(identity, folder, state), identity.name, identity.storage_key())


def begin_memory(
    identity: "Identity", folder: Path, state: Path, *, since: str = "", taken: Memories | None = None
) -> Memory:
    """Begin a memory, as `Memory.begin` does."""
    path, copy = _place(identity, folder, state)
    return Memory.begin(path, copy, identity.name, identity.storage_key(), since=since, taken=taken)


def has_left(identity: "Identity", folder: Path, state: Path, memories: Memories) -> bool:
    """Return True if no seat of this identity here is, or was, later than the moved records."""
    path, copy = _place(identity, folder, state)
    found = peek_counters(path, copy, ChaCha20Poly1305(identity.storage_key()))
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


def _place(identity: "Identity", folder: Path, state: Path) -> tuple[Path, Path]:
    return state / f"{identity.key.public_bytes.hex()}.db", folder / _COPY_FILE
