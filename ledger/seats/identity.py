"""A party's key pair on disk (specs/log.md, "Identities"; specs/security.md, "Secrets at rest")."""

import os
from collections.abc import Mapping
from contextlib import suppress
from errno import EEXIST, ENOTEMPTY
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import MappingProxyType

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from ledger.errors import IdentityError, PassphraseError
from ledger.seats.key_file import COST, MAX_FILE, Cost, KeyFile, SealError, open_key, parse_key_file, seal_key
from verifier import KeyFormatError, VerifierKey
from verifier.checkpoints.checkpoint import CosignerKey

__all__ = ["MIN_PASSPHRASE", "Identity", "check_passphrase", "write_once"]

MIN_PASSPHRASE = 12
"""characters; scrypt makes a guess dear, not a short passphrase long"""
MAX_PASSPHRASE = 1_000
"""bytes"""

_KEY_FILE = "key.json"
_PUBLIC_FILE = "key.txt"
_MEMORY_INFO = b"rollproof/v1/memory\n"


class Identity:
    """A name and its Ed25519 key pair, with which its holder signs as that party."""

    def __init__(self, name: str, private_key: Ed25519PrivateKey) -> None:
        """Raises IdentityError for a name that no party can have."""
        try:
            self.key = VerifierKey(name, private_key.public_key().public_bytes_raw())
        except KeyFormatError as error:
            raise IdentityError(str(error)) from None
        self._private_key = private_key

    @property
    def name(self) -> str:
        """The party's name, as in its key."""
        return self.key.name

    @classmethod
    def generate(cls, name: str) -> "Identity":
        """Return a new key pair, not stored yet."""
        return cls(name, Ed25519PrivateKey.generate())

    @classmethod
    def from_pem(cls, name: str, pem: bytes, passphrase: bytes | None) -> "Identity":
        """Return the key pair of a PKCS#8 file (RFC 5958), encrypted or not. Raises IdentityError."""
        try:
            private_key = load_pem_private_key(pem, passphrase)
        except TypeError:
            if passphrase is None:
                raise PassphraseError("the PEM file is encrypted: its passphrase is needed") from None
            raise PassphraseError("the PEM file is not encrypted: it has no passphrase") from None
        except (ValueError, UnsupportedAlgorithm):
            raise PassphraseError("the PEM file cannot be read, or its passphrase is wrong") from None
        if not isinstance(private_key, Ed25519PrivateKey):
            raise IdentityError("the PEM file has no Ed25519 key")
        return cls(name, private_key)

    def sign(self, message: bytes) -> bytes:
        """64 bytes (RFC 8032, Ed25519)."""
        return self._private_key.sign(message)

    @property
    def cosigner_key(self) -> CosignerKey:
        """The same key as a witness's (specs/checkpoints.md, "Cosignatures")."""
        return CosignerKey(self.name, self.key.public_bytes)

    def storage_key(self) -> bytes:
        """32 bytes that only the holder of the private key can derive; seals the seat's memory."""
        kdf = HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=_MEMORY_INFO)
        return kdf.derive(self._private_key.private_bytes_raw())

    def save(
        self, folder: Path, passphrase: bytes, cost: Cost = COST, beside: Mapping[str, bytes] = MappingProxyType({})
    ) -> None:
        """Make a folder with `key.json` (sealed, mode 0600), `key.txt` (the verifier key) and more files: all or none.

        `cost` is the cost of trying a passphrase; `beside` has the contents of more files. Raises IdentityError if the
        folder is not empty, or the passphrase is too short or too long.
        """
        check_passphrase(passphrase)
        sealed = seal_key(self._private_key.private_bytes_raw(), self.name, str(self.key), passphrase, cost)
        self.store(folder, sealed, beside)

    @staticmethod
    def store(folder: Path, sealed: KeyFile, beside: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """Make the folder of a key file, as `save`."""
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))  # mode 0700
        try:
            _write(part / _KEY_FILE, bytes(sealed), 0o600)
            _write(part / _PUBLIC_FILE, f"{sealed.key}\n".encode(), 0o644)
            for name, data in beside.items():
                _write(part / name, data, 0o600)
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
        """Read and open a folder that `save` wrote. Raises IdentityError."""
        public, path = cls.read_key(folder), folder / _KEY_FILE
        file = cls.read_file(folder)
        if (file.name, file.key) != (public.name, str(public)):
            raise IdentityError(f"{folder / _PUBLIC_FILE} does not belong to the key beside it")
        return cls.open(file, passphrase, str(path))

    @classmethod
    def open(cls, file: KeyFile, passphrase: bytes, path: str = "the file") -> "Identity":
        """Open a key file, which messages place at `path`. Raises IdentityError."""
        try:
            secret = open_key(file, passphrase)
        except SealError:
            raise PassphraseError(
                f"the passphrase for {file.name} is wrong, or {path} is damaged; nothing was signed"
            ) from None
        identity = cls(file.name, Ed25519PrivateKey.from_private_bytes(secret))
        if str(identity.key) != file.key:
            raise IdentityError(f"{path} holds another key than it says; nothing was signed")
        return identity

    @staticmethod
    def read_file(folder: Path) -> KeyFile:
        """Return a stored identity's key file, unopened. Raises IdentityError."""
        path = folder / _KEY_FILE
        try:
            with path.open("rb") as stream:
                return parse_key_file(stream.read(MAX_FILE + 1))
        except OSError as error:
            raise IdentityError(f"the key of {folder.name} cannot be read: {error}") from None
        except SealError as error:
            raise IdentityError(
                f"{path} is damaged, or no key file: {error}. Put back a copy of it; nothing was signed"
            ) from None

    @staticmethod
    def read_key(folder: Path) -> VerifierKey:
        """Return the public key of a stored identity, without its passphrase. Raises IdentityError."""
        try:
            return VerifierKey.parse((folder / _PUBLIC_FILE).read_text("utf-8").strip())
        except FileNotFoundError:
            problem = f"there is no identity {folder.name!r} here"
            raise IdentityError(problem, "identity.make", folder.name) from None
        except (OSError, UnicodeDecodeError, KeyFormatError) as error:
            raise IdentityError(f"{folder / _PUBLIC_FILE} cannot be used: {error}") from None


def check_passphrase(passphrase: bytes) -> None:
    """Raise PassphraseError for a passphrase that is too short or too long."""
    if len(passphrase.decode(errors="replace")) < MIN_PASSPHRASE:
        text = f"the passphrase is too short: use at least {MIN_PASSPHRASE} characters, a few words for example"
        raise PassphraseError(text)
    if len(passphrase) > MAX_PASSPHRASE:
        raise PassphraseError(f"the passphrase is too long: at most {MAX_PASSPHRASE} bytes")


def write_once(path: Path, data: bytes) -> None:
    """Have a file with this content, mode 0600, where there is none yet; of two programs at once one has its way."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.unlink(missing_ok=True)
    try:
        _write(part, data, 0o600)
        with suppress(FileExistsError):
            os.link(part, path)
    except OSError as error:
        raise IdentityError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _write(path: Path, data: bytes, mode: int) -> None:
    """Write a new file with this mode, and have it on the disk."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
