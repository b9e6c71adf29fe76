"""A party's key pair on disk (specs/log.md, "Identities"; specs/threats.md, "Secrets at rest")."""

import os
from errno import EEXIST, ENOTEMPTY
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from ledger.errors import IdentityError
from verifier import KeyFormatError, VerifierKey
from verifier.checkpoint import CosignerKey

__all__ = ["MIN_PASSPHRASE", "Identity", "check_passphrase"]

MIN_PASSPHRASE = 12
"""characters; PKCS#8's key derivation is quick, so the passphrase must be long"""
MAX_PASSPHRASE = 1_000
"""bytes; what the crypto library takes for PKCS#8"""

_KEY_FILE = "key.pem"
_PUBLIC_FILE = "key.txt"
_SEEDS_INFO = b"rollproof/v1/seeds\n"


class Identity:
    """A name and its Ed25519 key pair. Whoever holds one can sign as that party."""

    def __init__(self, name: str, private_key: Ed25519PrivateKey) -> None:
        """Raises IdentityError where the name cannot be a party's."""
        try:
            self.key = VerifierKey(name, private_key.public_key().public_bytes_raw())
        except KeyFormatError as error:
            raise IdentityError(str(error)) from None
        self._private_key = private_key

    @property
    def name(self) -> str:
        return self.key.name

    @classmethod
    def generate(cls, name: str) -> "Identity":
        """A new key pair, nowhere stored yet."""
        return cls(name, Ed25519PrivateKey.generate())

    def sign(self, message: bytes) -> bytes:
        """64 bytes (RFC 8032, Ed25519)."""
        return self._private_key.sign(message)

    @property
    def cosigner_key(self) -> CosignerKey:
        """The same key as a witness's (specs/checkpoints.md, "Cosignatures")."""
        return CosignerKey(self.name, self.key.public_bytes)

    def storage_key(self) -> bytes:
        """32 bytes that only the holder of the private key can derive; seals the party's seeds at rest."""
        kdf = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_SEEDS_INFO)
        return kdf.derive(self._private_key.private_bytes_raw())

    def save(self, folder: Path, passphrase: bytes) -> None:
        """Make a folder with `key.pem` (PKCS#8, encrypted, mode 0600) and `key.txt` (the verifier key): both or none.

        Raises IdentityError where the folder holds anything already, or the passphrase is too short or too long.
        """
        check_passphrase(passphrase)
        pem = self._private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase))
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))  # mode 0700
        try:
            _write(part / _KEY_FILE, pem, 0o600)
            _write(part / _PUBLIC_FILE, f"{self.key}\n".encode(), 0o644)
            part.rename(folder)
        except OSError as error:
            if error.errno not in (ENOTEMPTY, EEXIST):
                raise IdentityError(f"{folder} cannot be written: {error.strerror}") from None
            raise IdentityError(
                f"{folder} holds an identity already. Choose another name, or move that folder away: "
                f"games that the old key signed need it."
            ) from None
        finally:
            rmtree(part, ignore_errors=True)

    @classmethod
    def load(cls, folder: Path, passphrase: bytes) -> "Identity":
        """Read what `save` wrote. Raises IdentityError."""
        public = cls.read_key(folder)
        try:
            private_key = load_pem_private_key((folder / _KEY_FILE).read_bytes(), passphrase or None)
        except OSError as error:
            raise IdentityError(f"the key of {public.name} cannot be read: {error}") from None
        except TypeError:
            raise IdentityError(f"the passphrase for {public.name} does not fit {folder / _KEY_FILE}") from None
        except (ValueError, UnsupportedAlgorithm):
            raise IdentityError(
                f"the passphrase for {public.name} is wrong, or {folder / _KEY_FILE} is damaged; nothing was signed"
            ) from None
        if not isinstance(private_key, Ed25519PrivateKey):
            raise IdentityError(f"{folder / _KEY_FILE} is no Ed25519 key")
        identity = cls(public.name, private_key)
        if str(identity.key) != str(public):
            raise IdentityError(f"{folder / _PUBLIC_FILE} does not belong to the key beside it")
        return identity

    @staticmethod
    def read_key(folder: Path) -> VerifierKey:
        """The public key of a stored identity, without its passphrase. Raises IdentityError."""
        try:
            return VerifierKey.parse((folder / _PUBLIC_FILE).read_text().strip())
        except FileNotFoundError:
            raise IdentityError(
                f"there is no identity {folder.name!r} here. Make one with: rollproof identity new {folder.name}"
            ) from None
        except (OSError, UnicodeDecodeError, KeyFormatError) as error:
            raise IdentityError(f"{folder / _PUBLIC_FILE} cannot be used: {error}") from None


def check_passphrase(passphrase: bytes) -> None:
    """Raises IdentityError where the passphrase is too short or too long."""
    if len(passphrase.decode(errors="replace")) < MIN_PASSPHRASE:
        text = f"the passphrase is too short: use at least {MIN_PASSPHRASE} characters, a few words for example"
        raise IdentityError(text)
    if len(passphrase) > MAX_PASSPHRASE:
        raise IdentityError(f"the passphrase is too long: at most {MAX_PASSPHRASE} bytes")


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a new file with this mode, and have it on the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
