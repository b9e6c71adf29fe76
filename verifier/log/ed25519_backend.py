"""The Ed25519 equation, check 4 of a signature: by libsodium if it is installed, else by OpenSSL.

Both give the same answer for every signature that passes checks 1 to 3 (specs/log.md, "Signatures"); libsodium is about
twice as fast (extra `fast`). A release that uses the equation with the cofactor would differ, so a libsodium is tested
on such signatures first.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

__all__ = ["ASKED", "Equation", "KnownAnswer", "by_libsodium", "by_openssl", "equation"]

Equation = Callable[[bytes, bytes, bytes], bool]
"""verifies (public key, signature, message) by the equation; to be called only if checks 1 to 3 have passed"""


class KnownAnswer(NamedTuple):
    """A test case for libsodium: key, signature and message in hex, and whether the signature is valid."""

    public_key: str
    signature: str
    message: str
    valid: bool


ASKED = (
    KnownAnswer(  # mixed A, pure R, no part of small order left
        "ebe2a45b3009acb13357e1fb46256f1c271394d5f34c9797297eae2c1a35cdba",
        "6782a1083c265fb4c659775a83e36fc32835b0731c5eeeb82813bfaae3241d99"
        "586851504c9021384faf604fd6f3d61900dff449e003808456a6c9987c02c00a",
        "6d697865642041203131",
        True,
    ),
    KnownAnswer(  # mixed A, pure R
        "ebe2a45b3009acb13357e1fb46256f1c271394d5f34c9797297eae2c1a35cdba",
        "6782a1083c265fb4c659775a83e36fc32835b0731c5eeeb82813bfaae3241d99"
        "5f268296496942c147215e9daa896b8d9f072a00503b80ed31e352cff6cb7202",
        "6d6978656420412030",
        False,
    ),
    KnownAnswer(  # mixed A, mixed R, parts cancel
        "ebe2a45b3009acb13357e1fb46256f1c271394d5f34c9797297eae2c1a35cdba",
        "934576151293419f9f4c76a5c0e93ee076c21d85dbe60cf80af5ef4b08324bfe"
        "323966bea2297615075375d3ce7030992a7dcab33d0ebda6998af22abb203b0b",
        "6d69786564204120616e6420522033",
        True,
    ),
    KnownAnswer(  # pure A, mixed R
        "845d17ede4ba298b4dae2f12f7b51f8b322a797ee2e572f4306baeb107f86703",
        "934576151293419f9f4c76a5c0e93ee076c21d85dbe60cf80af5ef4b08324bfe"
        "6f2884d9b7805a5fb41368dfe69d25d46271e88ab654b6a3fa1b0671d0c3b90f",
        "6d6978656420522030",
        False,
    ),
)
"""cases of specs/vectors/signatures.json, of which some depend on the cofactor and some do not"""


@lru_cache(maxsize=1024)
def _key(public_key: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public_key)


def by_openssl(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Verify a signature by `cryptography`."""
    try:
        _key(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def by_libsodium() -> Equation | None:
    """Return the verification by PyNaCl; None if it is not installed, or fails the test cases."""
    try:
        from nacl.bindings import crypto_sign_open
        from nacl.exceptions import CryptoError
    except ImportError:
        return None

    def holds(public_key: bytes, signature: bytes, message: bytes) -> bool:
        try:
            crypto_sign_open(signature + message, public_key)
        except CryptoError:
            return False
        return True

    right = all(holds(*map(bytes.fromhex, asked[:3])) == asked.valid for asked in ASKED)
    return holds if right else None


@cache
def equation() -> Equation:
    """Return the fastest available implementation."""
    return by_libsodium() or by_openssl
