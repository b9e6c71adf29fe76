"""A private key in a file, sealed under a passphrase (specs/security.md, "Identity files")."""

import os
from typing import Annotated, Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from msgspec import Meta, Struct, ValidationError
from msgspec.json import decode

from rules.data.jsontext import UNREADABLE
from rules.data.text import one_line
from verifier.log.plainjson import encode

__all__ = ["COST", "MAX_COST", "MAX_PARALLEL", "Cost", "KeyFile", "SealError", "open_key", "parse_key_file", "seal_key"]

MAX_COST = 2**18
"""of scrypt's N: 256 MiB, so that no file asks for more memory than a small machine has"""
MAX_PARALLEL = 4
"""of scrypt's p, which multiplies the time"""
MAX_FILE = 2_000
"""bytes of a key file"""


class SealError(Exception):
    """A key file cannot be used. `wrong`: it has its form, but does not open with this passphrase."""

    def __init__(self, problem: str, *, wrong: bool = False) -> None:
        super().__init__(problem)
        self.wrong = wrong


class Cost(Struct, frozen=True, forbid_unknown_fields=True, rename={"n": "N"}):
    """The cost of trying a passphrase: scrypt's N, r and p (RFC 7914)."""

    name: Literal["scrypt"] = "scrypt"
    n: Annotated[int, Meta(ge=2, le=MAX_COST)] = 2**15
    r: Literal[8] = 8
    p: Annotated[int, Meta(ge=1, le=MAX_PARALLEL)] = 1

    @property
    def is_weak(self) -> bool:
        """True if trying a passphrase is cheaper than in files of this program."""
        return self.n < COST.n


COST = Cost()
"""the cost of new key files: 32 MiB, some 0.1 s"""


class KeyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The members of `key.json`."""

    format: Literal["rollproof/identity/v1"]
    name: str
    key: str
    """the verifier key"""
    kdf: Cost
    salt: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    nonce: Annotated[str, Meta(pattern=r"\A[0-9a-f]{24}\Z")]
    sealed: Annotated[str, Meta(pattern=r"\A[0-9a-f]{96}\Z")]

    @property
    def beside(self) -> bytes:
        """All other members in canonical form, to which the sealed key is bound."""
        return encode({name: getattr(self, name) for name in self.__struct_fields__ if name != "sealed"})

    def __bytes__(self) -> bytes:
        return encode(self) + b"\n"


def seal_key(secret: bytes, name: str, key: str, passphrase: bytes, cost: Cost = COST) -> KeyFile:
    """Seal 32 bytes of private key under a passphrase, with a fresh salt and nonce."""
    made = KeyFile("rollproof/identity/v1", name, key, cost, os.urandom(16).hex(), os.urandom(12).hex(), "")
    cipher = ChaCha20Poly1305(_derive(made, passphrase))
    sealed = cipher.encrypt(bytes.fromhex(made.nonce), secret, made.beside)
    return KeyFile(made.format, name, key, cost, made.salt, made.nonce, sealed.hex())


def parse_key_file(data: bytes) -> KeyFile:
    """Read a key file without opening it. Raises SealError where it has not its form, or asks for too much work."""
    if len(data) > MAX_FILE:
        raise SealError("it is too long")
    try:
        found = decode(data, type=KeyFile)
    except ValidationError as error:
        raise SealError(one_line(str(error))) from None
    except UNREADABLE:
        raise SealError("it is no JSON") from None
    if bytes(found) != data:
        raise SealError("it is not in canonical form")
    if found.kdf.n & (found.kdf.n - 1):
        raise SealError("scrypt's N is a power of two")
    return found


def open_key(file: KeyFile, passphrase: bytes) -> bytes:
    """Return the private key (32 bytes). Raises SealError for a wrong passphrase, or a changed file."""
    try:
        return ChaCha20Poly1305(_derive(file, passphrase)).decrypt(
            bytes.fromhex(file.nonce), bytes.fromhex(file.sealed), file.beside
        )
    except InvalidTag:
        raise SealError("the passphrase is wrong, or the file was changed", wrong=True) from None


def _derive(file: KeyFile, passphrase: bytes) -> bytes:
    cost = file.kdf
    return Scrypt(salt=bytes.fromhex(file.salt), length=32, n=cost.n, r=cost.r, p=cost.p).derive(passphrase)
