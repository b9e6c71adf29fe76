"""Public identities: C2SP verifier keys (specs/log.md, "Identities")."""

import hashlib
import re
from base64 import b64decode, b64encode

from rules.data.bounds import MAX_NAME, NAME_PATTERN
from verifier.errors import KeyFormatError
from verifier.log.ed25519_backend import equation

__all__ = ["RESERVED", "VerifierKey", "decode_base64", "holds", "is_small_order", "looks_alike", "valid_name"]

RESERVED = frozenset({"file"})
"""names with another meaning in reports"""

_ED25519 = b"\x01"
_NAME = re.compile(NAME_PATTERN)
# Omissions come first, then pairs, then single letters: with a dot between r and n it still looks like m.
_ALIKE = (
    *((character, "") for character in "._-"),
    ("rn", "m"),
    ("vv", "w"),
    ("0", "o"),
    ("1", "l"),
    ("i", "l"),
    ("2", "z"),
    ("5", "s"),
)
# Encodings of points of small order, with the sign bit cleared. One signature under such a key fits many messages.
_SMALL_ORDER = frozenset(
    bytes.fromhex(encoding)
    for encoding in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    )
)

# These points with either sign bit, as keys and signatures encode them, and integers of p and above.
_FIELD = 2**255 - 19
_REFUSED_POINTS = frozenset(
    (y | sign << 255).to_bytes(32, "little")
    for y in (*(int.from_bytes(point, "little") for point in _SMALL_ORDER), *range(_FIELD, 2**255))
    for sign in (0, 1)
)
_GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493


def valid_name(name: str) -> bool:
    """Return whether a party can have this name."""
    return _NAME.match(name) is not None and name not in RESERVED


def looks_alike(one: str, other: str) -> bool:
    """Return whether two names look alike. It is only a hint.

    See specs/verification.md, "Keys that the caller expects".
    """
    return _skeleton(one) == _skeleton(other)


def _skeleton(name: str) -> str:
    for shown, as_ in _ALIKE:
        name = name.replace(shown, as_)
    return name


def is_small_order(public_bytes: bytes) -> bool:
    """Return whether these 32 bytes encode a point of small order, under which anybody can sign."""
    return public_bytes[:31] + bytes([public_bytes[31] & 0x7F]) in _SMALL_ORDER


def holds(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Verify an Ed25519 signature (64 bytes) over `message` by a public key (32 bytes).

    Inputs that libraries interpret differently are rejected first, so that every library gives the same answer
    (specs/log.md, "Signatures").
    """
    if len(signature) != 64 or signature[:32] in _REFUSED_POINTS or public_key in _REFUSED_POINTS:
        return False
    # The last byte decides for every ordinary signature, because the group order is hardly above 2^252.
    if signature[63] >= 0x10 and int.from_bytes(signature[32:], "little") >= _GROUP_ORDER:
        return False
    return equation()(public_key, signature, message)


def decode_base64(text: str) -> bytes | None:
    """Decode base64 in its only canonical form (RFC 4648, section 4, with padding); return None for other text."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:  # binascii.Error is a ValueError; so is the error for text that is not ASCII
        return None
    return data if b64encode(data).decode() == text else None


class VerifierKey:
    """The name and Ed25519 public key of a party: `name+hash+base64`."""

    __slots__ = ("name", "public_bytes")

    def __init__(self, name: str, public_bytes: bytes) -> None:
        """Raise KeyFormatError for an invalid name, a key that is not 32 bytes long, or a key of small order."""
        if not valid_name(name):
            raise KeyFormatError(
                "{name!r} is no name for a party: use 1 to {most} of a-z, 0-9, '.', '_', '-', a letter or digit first",
                name=name,
                most=MAX_NAME,
            )
        if len(public_bytes) != 32:
            raise KeyFormatError("the key of {name} has {count} bytes, not 32", name=name, count=len(public_bytes))
        if is_small_order(public_bytes):
            raise KeyFormatError("the key of {name} is of small order: anybody can sign with it", name=name)
        self.name = name
        self.public_bytes = public_bytes

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Parse `name+hash+base64`. Raises KeyFormatError."""
        parts = text.split("+", 2)
        if len(parts) != 3:
            raise KeyFormatError("{text!r} is no verifier key: it has the form name+hash+base64", text=text[:80])
        name, key_id, encoded = parts
        data = decode_base64(encoded)
        if data is None:
            raise KeyFormatError("the key of {name!r} is not base64", name=name[:80])
        if data[:1] != _ED25519:
            raise KeyFormatError("the key of {name!r} is not an Ed25519 key", name=name[:80])
        key = cls(name, data[1:])
        if str(key) != text:
            raise KeyFormatError(
                "the key of {name} has the hash {hash}, which does not fit; it should be {key}",
                name=name,
                hash=key_id,
                key=key,
            )
        return key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VerifierKey) and (self.name, self.public_bytes) == (other.name, other.public_bytes)

    def __hash__(self) -> int:
        return hash((self.name, self.public_bytes))

    def __reduce__(self) -> tuple[type["VerifierKey"], tuple[str, bytes]]:
        return VerifierKey, (self.name, self.public_bytes)  # worker processes get keys by pickling

    @property
    def key_id(self) -> bytes:
        """The first 4 bytes of SHA-256(name || 0x0A || 0x01 || key)."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public_bytes).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{b64encode(_ED25519 + self.public_bytes).decode()}"

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Verify a signature (64 bytes) of this key over `message`."""
        return holds(self.public_bytes, signature, message)
