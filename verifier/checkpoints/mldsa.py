"""Cosignatures with ML-DSA-44 (specs/checkpoints.md, "Cosignatures"; c2sp.org/tlog-cosignature; FIPS 204).

    >>> message = cosigned_message("w", 1, "log", 2, bytes(32))
    >>> message[:13], len(message)
    (b'subtree/v1\\n\\x00\\x01', 74)

`cryptography` provides the algorithm from version 47 on, if its OpenSSL has it.
"""

import hashlib
from base64 import b64encode
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

from rules.data.language import N_
from verifier.checkpoints.head import parse_head
from verifier.checkpoints.note import key_name_is_valid
from verifier.errors import NoteError

__all__ = ["MLDSA_COSIGNATURE", "MlDsaCosignerKey", "cosigned_message", "mldsa_is_available"]

MLDSA_COSIGNATURE = b"\x06"
PUBLIC_BYTES = 1_312
SIGNATURE_BYTES = 2_420
MAX_TIMESTAMP = 2**63 - 1

_LABEL = b"subtree/v1\n\x00"
_MAX_STRING = 255
"""bytes of a cosigner's name or an origin"""


@cache
def mldsa_is_available() -> bool:
    """Return whether this platform can verify signatures of ML-DSA-44."""
    try:
        _load(bytes(PUBLIC_BYTES))
    except (ImportError, UnsupportedAlgorithm):
        return False
    return True


def _load(public_bytes: bytes) -> Any:
    from cryptography.hazmat.primitives.asymmetric import mldsa

    return mldsa.MLDSA44PublicKey.from_public_bytes(public_bytes)


def cosigned_message(name: str, time: int, origin: str, size: int, root: bytes) -> bytes:
    """Return the message that witness `name` signs for a checkpoint.

    `time` is in seconds since 1970; `root` is 32 bytes.
    """
    return b"".join(
        (
            _LABEL,
            _string(name),
            time.to_bytes(8, "big"),
            _string(origin),
            bytes(8),
            size.to_bytes(8, "big"),
            root,
        )
    )


def _string(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(1, "big") + data


class MlDsaCosignerKey:
    """The name and public key of a witness: a C2SP verifier key of type 0x06."""

    __slots__ = ("name", "public_bytes")

    def __init__(self, name: str, public_bytes: bytes) -> None:
        """Raise NoteError for an invalid name, or a key that is not 1,312 bytes long."""
        if not key_name_is_valid(name) or len(name.encode()) > _MAX_STRING:
            text = N_("{name!r} is no name for a key: no blanks, no plus signs, and at most 255 bytes")
            raise NoteError(text, name=name[:80])
        if len(public_bytes) != PUBLIC_BYTES:
            text = N_("the key of {name} has {count} bytes, and one of ML-DSA-44 has {most}")
            raise NoteError(text, name=name[:80], count=len(public_bytes), most=PUBLIC_BYTES)
        self.name = name
        self.public_bytes = public_bytes

    @property
    def key_id(self) -> bytes:
        """The first 4 bytes of SHA-256(name || 0x0A || 0x06 || key)."""
        return hashlib.sha256(self.name.encode() + b"\n" + MLDSA_COSIGNATURE + self.public_bytes).digest()[:4]

    @property
    def can_check(self) -> bool:
        """True if this platform can verify signatures of the key."""
        return mldsa_is_available()

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{b64encode(MLDSA_COSIGNATURE + self.public_bytes).decode()}"

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Verify a cosignature of the text `message`: 8 bytes of time and 2,420 bytes of ML-DSA.

        Raises UnsupportedAlgorithm or ImportError if this platform cannot verify it.
        """
        if len(signature) != 8 + SIGNATURE_BYTES:
            return False
        time = int.from_bytes(signature[:8], "big")
        if not 0 < time <= MAX_TIMESTAMP:
            return False
        try:
            head = parse_head(message.decode())
        except (NoteError, UnicodeDecodeError):
            return False
        if len(head.origin.encode()) > _MAX_STRING:
            return False
        try:
            _load(self.public_bytes).verify(
                signature[8:], cosigned_message(self.name, time, head.origin, head.size, head.root)
            )
        except InvalidSignature:
            return False
        return True
