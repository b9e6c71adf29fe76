"""A profile's file: the recovery key of one person's key, sealed under a passphrase (specs/profile.md)."""

import os
from typing import Annotated, Literal

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.errors import IdentityError, PassphraseError
from ledger.seats.identity import Identity
from rules.base import Body
from rules.data.bounds import Called, Text
from rules.data.jsontext import UNREADABLE
from rules.data.language import N_, Message
from rules.data.schema import schema_problem
from verifier import KeyFormatError, NoteError, VerifierKey
from verifier.log.bodies import Hex32, Hex64, Succession
from verifier.log.plainjson import encode
from verifier.log.succession import (
    SuccessionError,
    naming_message,
    parse_succession,
    recovery_problem,
    succession_message,
)

__all__ = [
    "MAX_PROFILE",
    "MAX_SUCCESSIONS",
    "ProfileError",
    "ProfileFile",
    "Recovered",
    "new_profile",
    "parse_profile",
    "read_profile",
    "succeed",
]

ITERATIONS = 600_000
MAX_ITERATIONS = 10_000_000
"""above this a file would only keep a machine busy"""
MAX_PROFILE = 65_536
"""bytes of a file"""
MAX_SUCCESSIONS = 64
_DIGITS = N_("as many hexadecimal digits as it needs, 0 to 9 and a to f")


class ProfileError(IdentityError):
    """A profile's file cannot be used. `code` is that of specs/profile.md."""

    def __init__(self, code: str, problem: Message | str) -> None:
        super().__init__(problem)
        self.code = code


class ProfilePassphraseError(PassphraseError):
    """It does not open with this passphrase, or was changed."""

    code = "profile.passphrase"


class ProfileFile(Body, frozen=True):
    """The members of a profile's file."""

    format: Literal["rollproof/profile/v1"]
    iterations: Annotated[int, Meta(ge=ITERATIONS, le=MAX_ITERATIONS)]
    key: str
    """the profile's verifier key"""
    named: Hex64
    nonce: Annotated[str, Meta(pattern=r"\A[0-9a-f]{24}\Z", description=_DIGITS)]
    recovery: Hex32
    """the public recovery key"""
    salt: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z", description=_DIGITS)]
    sealed: Annotated[str, Meta(pattern=r"\A[0-9a-f]{96}\Z", description=_DIGITS)]
    successions: Annotated[tuple[Succession, ...], Meta(max_length=MAX_SUCCESSIONS)]
    called: Called | UnsetType = UNSET
    server: Text | UnsetType = UNSET

    def __bytes__(self) -> bytes:
        """As it stands in a file, with its line feed."""
        return encode(self) + b"\n"

    @property
    def beside(self) -> bytes:
        """All other members in canonical form: what is sealed fits them and no others."""
        members = {name: getattr(self, name) for name in self.__struct_fields__ if name != "sealed"}
        return encode({name: value for name, value in members.items() if value is not UNSET})

    @property
    def party_key(self) -> VerifierKey:
        """The profile's key. Raises KeyFormatError."""
        return VerifierKey.parse(self.key)


class Recovered(Struct, frozen=True):
    """A file that was opened: whose, and the key that signs a succession."""

    file: ProfileFile
    recovery: Ed25519PrivateKey


def new_profile(identity: Identity, passphrase: bytes, successions: tuple[Succession, ...] = ()) -> ProfileFile:
    """Make the file of an identity, with a recovery key that nobody has yet."""
    secret = Ed25519PrivateKey.generate()
    recovery = secret.public_key().public_bytes_raw().hex()
    named = identity.sign(naming_message(str(identity.key), recovery)).hex()
    made = ProfileFile(
        "rollproof/profile/v1",
        ITERATIONS,
        str(identity.key),
        named,
        os.urandom(12).hex(),
        recovery,
        os.urandom(16).hex(),
        "0" * 96,
        successions,
    )
    sealed = _cipher(made, passphrase).encrypt(bytes.fromhex(made.nonce), secret.private_bytes_raw(), made.beside)
    return msgspec.structs.replace(made, sealed=sealed.hex())


def parse_profile(data: bytes) -> ProfileFile:
    """Read a file without opening it. Raises ProfileError."""
    try:
        return _parsed(data)
    except (NoteError, KeyFormatError) as problem:
        text = Message("this is no file of a profile, or it is damaged: {problem}", problem=problem)
        raise ProfileError("profile.malformed", text) from None


def read_profile(data: bytes, passphrase: bytes) -> Recovered:
    """Open a file, and check all that is in it. Raises ProfileError, PassphraseError."""
    file = parse_profile(data)
    name = file.party_key.name
    try:
        cipher = _cipher(file, passphrase)
        secret = cipher.decrypt(bytes.fromhex(file.nonce), bytes.fromhex(file.sealed), file.beside)
    except InvalidTag:
        text = Message("the passphrase for {name} is wrong, or the file was changed; nothing was made", name=name)
        raise ProfilePassphraseError(text) from None
    recovery = Ed25519PrivateKey.from_private_bytes(secret)
    if recovery.public_key().public_bytes_raw().hex() != file.recovery:
        raise ProfileError("profile.key", Message("this file holds another recovery key than it says"))
    if not file.party_key.verify(bytes.fromhex(file.named), naming_message(file.key, file.recovery)):
        raise ProfileError("profile.named", Message("{name}'s key has not named this recovery key", name=name))
    _check_successions(file)
    return Recovered(file, recovery)


def succeed(opened: Recovered, new: Identity, time: str) -> Succession:
    """Sign the succession to a new key, with the recovery key and with the new one."""
    file = opened.file
    message = succession_message(file.key, str(new.key), file.recovery, time)
    made = Succession(
        "rollproof/succession/v1",
        file.key,
        file.named,
        str(new.key),
        new.sign(message).hex(),
        file.recovery,
        opened.recovery.sign(message).hex(),
        time,
    )
    return parse_succession(bytes(made))


def _check_successions(file: ProfileFile) -> None:
    """Raises ProfileError."""
    try:
        for one in file.successions:
            parse_succession(bytes(one))
    except SuccessionError as problem:
        raise ProfileError("profile.successions", Message("{problem}", problem=problem)) from None
    later = [*(one.key for one in file.successions[1:]), file.key]
    if any(one.new != key for one, key in zip(file.successions, later, strict=False)):
        raise ProfileError("profile.successions", Message("its successions do not lead to its key"))


def _parsed(data: bytes) -> ProfileFile:
    """Raises NoteError, KeyFormatError."""
    line = data.removesuffix(b"\n")
    if len(data) > MAX_PROFILE:
        raise NoteError("it is longer than {most} bytes", most=MAX_PROFILE)
    try:
        found = msgspec.json.decode(line, type=ProfileFile)
    except UNREADABLE as error:
        raise NoteError("{problem}", problem=schema_problem(error, line, ProfileFile)) from None
    if bytes(found) != line + b"\n":
        raise NoteError("it is not in canonical form")
    problem = recovery_problem(bytes.fromhex(found.recovery), found.party_key)
    if problem is not None:
        raise NoteError(problem)
    return found


def _cipher(file: ProfileFile, passphrase: bytes) -> AESGCM:
    kdf = PBKDF2HMAC(hashes.SHA256(), 32, bytes.fromhex(file.salt), file.iterations)
    return AESGCM(kdf.derive(passphrase))
