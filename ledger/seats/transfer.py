"""A seat on its way to another machine: key and memory in one file (specs/seats.md, "Moving to another machine")."""

import secrets
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Meta, Struct

from ledger.errors import IdentityError
from ledger.seats.identity import Identity
from ledger.seats.key_file import KeyFile, SealError, parse_key_file
from ledger.seats.records import Memories
from rules.data.jsontext import UNREADABLE
from rules.data.text import one_line
from verifier.log.plainjson import encode

__all__ = ["MAX_MOVED", "pack", "read_moved", "unpack"]

MAX_MOVED = 64_000_000
"""bytes"""

_LABEL = b"rollproof/v1/moved\n"


class _Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """The second line; the first is the key file."""

    format: Literal["rollproof/moved/v1"]
    sealed: Annotated[str, Meta(pattern=r"\A([0-9a-f]{2}){28,}\Z")]
    """hex: nonce and the memories, sealed under the identity's storage key, bound to the key file"""


def pack(file: KeyFile, identity: Identity, memories: Memories) -> bytes:
    """Return the bytes of the file."""
    nonce = secrets.token_bytes(12)
    sealed = _aead(identity).encrypt(nonce, msgspec.json.encode(memories), _LABEL + bytes(file))
    return bytes(file) + encode(_Moved("rollproof/moved/v1", (nonce + sealed).hex())) + b"\n"


def read_moved(data: bytes) -> tuple[KeyFile, str]:
    """Return the key file, unopened, and the sealed memory. Raises IdentityError."""
    first, _, second = data.partition(b"\n")
    try:
        if len(data) > MAX_MOVED:
            raise SealError("it is too long")
        moved = msgspec.json.decode(second, type=_Moved)
        if encode(moved) + b"\n" != second:
            raise SealError("it is not in canonical form")
        return parse_key_file(first + b"\n"), moved.sealed
    except (*UNREADABLE, SealError) as error:
        problem = one_line(str(error))
        raise IdentityError(f"this is no file of an identity that was moved, or it is damaged: {problem}") from None


def unpack(file: KeyFile, sealed: str, identity: Identity) -> Memories:
    """Return the seat's memory. Raises IdentityError."""
    data = bytes.fromhex(sealed)
    try:
        return msgspec.json.decode(_aead(identity).decrypt(data[:12], data[12:], _LABEL + bytes(file)), type=Memories)
    except (InvalidTag, *UNREADABLE):
        raise IdentityError(f"what {identity.name}'s seat remembered is damaged in this file") from None


def _aead(identity: Identity) -> ChaCha20Poly1305:
    return ChaCha20Poly1305(identity.storage_key())
