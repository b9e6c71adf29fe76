"""Records as they are stored: sealed, counted, and hashed together (specs/seats.md, "Sealed")."""

import hashlib
import secrets
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from ledger.seats.records import Record

__all__ = [
    "IN_SERVICE",
    "Counter",
    "RecordsDigest",
    "SealedRecord",
    "seal",
    "seal_counter",
    "seal_record",
    "unseal",
    "unseal_counter",
    "unseal_record",
]

_LABEL = b"rollproof/v1/memory\n"
_COUNTER = b"counter\n"
_RECORD = b"record\n"
IN_SERVICE = b"service\n"
"""the label that a service's record is bound to"""
_OVERHEAD = 28
"""bytes by which sealing makes data longer: nonce and tag"""
_COPY_SIZE = 512
"""bytes of the counter's copy: within one sector, and always as many, so that writing it over is all or nothing"""


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


class SealedRecord(NamedTuple):
    """A sealed record of one game, with its number."""

    number: int
    sealed: bytes


class RecordsDigest:
    """The hash over all records (specs/seats.md, "Sealed"), updated for changed records only."""

    def __init__(self, rows: Mapping[bytes, SealedRecord]) -> None:
        self._hashes: list[dict[bytes, bytes]] = [{} for _ in range(256)]
        """hashes of records by the first byte of the game's id, and by the id"""
        self._parts = [hashlib.sha256().digest()] * 256
        self._stale: set[int] = set()
        for game, row in rows.items():
            self.put(game, row)

    def put(self, game: bytes, row: SealedRecord) -> None:
        """Replace a game's record."""
        hashed = hashlib.sha256(game + row.number.to_bytes(8, "big") + row.sealed).digest()
        self._hashes[game[0]][game] = hashed
        self._stale.add(game[0])

    def hex(self) -> str:
        """Return the hash over all records."""
        for first in self._stale:
            hashes = self._hashes[first]
            self._parts[first] = hashlib.sha256(b"".join(hashes[game] for game in sorted(hashes))).digest()
        self._stale.clear()
        return hashlib.sha256(b"".join(self._parts)).hexdigest()


def seal_record(aead: ChaCha20Poly1305, game: bytes, number: int, record: Record) -> SealedRecord:
    """Seal a game's record, bound to the game and to its number."""
    return SealedRecord(number, seal(aead, msgspec.json.encode(record), _bound(game, number)))


def unseal_record(aead: ChaCha20Poly1305, game: bytes, row: SealedRecord) -> Record | None:
    """Return a game's record; None if it is damaged, or bound to another game or number."""
    try:
        return msgspec.json.decode(unseal(aead, row.sealed, _bound(game, row.number)), type=Record)
    except (InvalidTag, ValueError):
        return None


def _bound(game: bytes, number: int) -> bytes:
    return _RECORD + game + number.to_bytes(8, "big")


def seal_counter(aead: ChaCha20Poly1305, counter: Counter) -> bytes:
    """Seal the counter, always to the same number of bytes."""
    return seal(aead, msgspec.json.encode(counter).ljust(_COPY_SIZE - _OVERHEAD), _COUNTER)


def unseal_counter(aead: ChaCha20Poly1305, sealed: bytes) -> Counter | None:
    """Return the counter; None if it is damaged, or sealed under another key."""
    try:
        return msgspec.json.decode(unseal(aead, sealed, _COUNTER), type=Counter)
    except (InvalidTag, ValueError):
        return None


def seal(aead: ChaCha20Poly1305, data: bytes, bound: bytes) -> bytes:
    """Seal data, bound to a label (specs/seats.md, "Sealed")."""
    # A random nonce, not a counter: a restored counter would use one nonce for two records.
    nonce = secrets.token_bytes(12)
    return nonce + aead.encrypt(nonce, data, _LABEL + bound)


def unseal(aead: ChaCha20Poly1305, sealed: bytes, bound: bytes) -> bytes:
    """Return sealed data. Raises InvalidTag, ValueError."""
    return aead.decrypt(sealed[:12], sealed[12:], _LABEL + bound)
