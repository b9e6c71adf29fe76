"""Public identities: C2SP verifier keys (specs/log.md, "Identities")."""

import hashlib
import re
from base64 import b64decode, b64encode

from rules.data.bounds import MAX_NAME, NAME_PATTERN
from verifier.errors import KeyFormatError
from verifier.log.ed25519_backend import equation

__all__ = ["RESERVED", "VerifierKey", "decode_base64", "holds", "is_small_order", "looks_alike", "valid_name"]

RESERVED = frozenset({"file"})
"""names that reports use for something else"""

_ED25519 = b"\x01"
_NAME = re.compile(NAME_PATTERN)
# What is left out stands first, and pairs before single letters: a dot between r and n hides little.
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
# Encodings of points of small order, sign bit cleared: one signature under such a key fits many messages.
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

# Sign bit either way, as A and R stand in a key and a signature; beside them the integers that are not below p.
_FIELD = 2**255 - 19
_REFUSED_POINTS = frozenset(
    (y | sign << 255).to_bytes(32, "little")
    for y in (*(int.from_bytes(point, "little") for point in _SMALL_ORDER), *range(_FIELD, 2**255))
    for sign in (0, 1)
)
_GROUP_ORDER = 2**252 + 27742317777372353535851937790883648493


def valid_name(name: str) -> bool:
    """Whether `name` can be a party's name."""
    return _NAME.match(name) is not None and name not in RESERVED


def looks_alike(one: str, other: str) -> bool:
    """Whether two names look alike (specs/verification.md, "Keys that the caller expects"). A hint, nothing more."""
    return _skeleton(one) == _skeleton(other)


def _skeleton(name: str) -> str:
    for shown, as_ in _ALIKE:
        name = name.replace(shown, as_)
    return name


def is_small_order(public_bytes: bytes) -> bool:
    """Whether these 32 bytes encode a point of small order: anybody can sign under such a key."""
    return public_bytes[:31] + bytes([public_bytes[31] & 0x7F]) in _SMALL_ORDER


def holds(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether `signature` (64 bytes) over `message` is by the key with these 32 bytes (specs/log.md, "Signatures").

    What libraries read differently is refused here, so that it does not matter which one checks the equation.
    """
    if len(signature) != 64 or signature[:32] in _REFUSED_POINTS or public_key in _REFUSED_POINTS:
        return False
    # The last byte decides for all signatures that anybody makes: the group order is hardly above 2^252.
    if signature[63] >= 0x10 and int.from_bytes(signature[32:], "little") >= _GROUP_ORDER:
        return False
    return equation()(public_key, signature, message)


def decode_base64(text: str) -> bytes | None:
    """The bytes, or None where the text is not their only base64 form (RFC 4648, section 4, with padding)."""
    try:
        data = b64decode(text, validate=True)
    except ValueError:  # binascii.Error is one, and what is not ASCII is another
        return None
    return data if b64encode(data).decode() == text else None


class VerifierKey:
    """A party's name and Ed25519 public key: `name+hash+base64`."""

    __slots__ = ("name", "public_bytes")

    def __init__(self, name: str, public_bytes: bytes) -> None:
        """Raises KeyFormatError where the name is none, or the 32 bytes are no key or one of small order."""
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
        """Read `name+hash+base64`. Raises KeyFormatError."""
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

    def __reduce__(self) -> tuple[type["VerifierKey"], tuple[str, bytes]]:
        return VerifierKey, (self.name, self.public_bytes)  # for processes that need one too

    @property
    def key_id(self) -> bytes:
        """4 bytes of SHA-256(name || 0x0A || 0x01 || key)."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519 + self.public_bytes).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{b64encode(_ED25519 + self.public_bytes).decode()}"

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Whether `signature` (64 bytes) is this key's over `message`."""
        return holds(self.public_bytes, signature, message)
