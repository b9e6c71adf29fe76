"""The rows of a seat in a service: their names and contents reveal nothing (specs/seats.md, "In a service")."""

import hmac
from typing import NamedTuple

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec import Struct

from ledger.seats.records import Record
from ledger.seats.sealed_records import IN_SERVICE, seal, unseal

__all__ = ["DAMAGE", "Begun", "ServiceRow", "ServiceRows"]

DAMAGE = (InvalidTag, ValueError)
"""what is raised for a row that was not sealed by this seat, or for another place"""

_PADDED = 1_024
"""bytes to whose multiples records are padded, so that lengths reveal nothing"""

_NAMES_INFO = b"rollproof/v1/memory names\n"


class Begun(Struct, frozen=True, forbid_unknown_fields=True):
    """The sealed record of a seat in the service; a copy is in the identity's folder on each machine."""

    epoch: str
    """hex, 16 bytes: drawn when the memory was begun"""
    since: str = ""
    """the seat takes part only in games that were opened after this time"""
    left: bool = False
    """True if the seat was moved to another machine"""
    count: int = 0
    """the number of records that were made before it was begun"""


class _Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """The sealed contents of a row."""

    game: str
    record: Record


class ServiceRow(NamedTuple):
    """A row as it was read, or is to be written."""

    number: int
    """0: there is none yet"""
    record: Record


class ServiceRows:
    """Names and seals the rows of one seat."""

    def __init__(self, key: bytes) -> None:
        """`key` seals; the key that names are made with follows from it."""
        self._aead = ChaCha20Poly1305(key)
        self._names = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_NAMES_INFO).derive(key)
        self.seat = hmac.digest(self._names, b"seat\n", "sha256")
        """the name of the seat"""

    def name_of(self, game: bytes) -> bytes:
        """Return the name of a game's row."""
        return hmac.digest(self._names, b"game\n" + game, "sha256")

    def seal_begun(self, begun: Begun) -> bytes:
        """Seal the seat's own record."""
        return seal(self._aead, msgspec.json.encode(begun), IN_SERVICE)

    def unseal_begun(self, sealed: bytes) -> Begun:
        """Return the seat's own record. Raises one of `DAMAGE`."""
        return msgspec.json.decode(unseal(self._aead, sealed, IN_SERVICE), type=Begun)

    def seal(self, begun: Begun, game: bytes, row: ServiceRow) -> bytes:
        """Seal a row of a game."""
        data = msgspec.json.encode(_Entry(game.hex(), row.record))
        padded = data.ljust(-len(data) % _PADDED + len(data))
        return seal(self._aead, padded, _place(begun, self.name_of(game), row.number))

    def unseal(self, begun: Begun, name: bytes, number: int, sealed: bytes) -> tuple[bytes, Record]:
        """Return the game of a row, and its record. Raises one of `DAMAGE`."""
        entry = msgspec.json.decode(unseal(self._aead, sealed, _place(begun, name, number)), type=_Entry)
        return bytes.fromhex(entry.game), entry.record


def _place(begun: Begun, name: bytes, number: int) -> bytes:
    """Return what a sealed row is bound to."""
    return b"service record\n" + bytes.fromhex(begun.epoch) + name + number.to_bytes(8, "big")
