"""Checkpoints: signed tree heads of a game (specs/checkpoints.md; c2sp.org/tlog-checkpoint, tlog-cosignature).

A receipt is a checkpoint that the keeper signed. Parsing checks only its form; `keeper_signed` checks its signature.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable

from msgspec import Struct

from rules.data.language import N_
from verifier.checkpoints.head import SignedHead, TreeHead, parse_signed_head
from verifier.checkpoints.mldsa import MLDSA_COSIGNATURE, MlDsaCosignerKey
from verifier.checkpoints.note import Note, NoteSignature, format_note, key_name_is_valid, signature_line, signed_by
from verifier.errors import NoteError
from verifier.log.identity import VerifierKey, decode_base64, holds, is_small_order

__all__ = [
    "Checkpoint",
    "CosignerKey",
    "SignedCheckpoint",
    "cosign",
    "keeper_signed",
    "parse_checkpoint",
    "parse_cosigner_key",
    "sign_checkpoint",
]

ORIGIN_PREFIX = "rollproof/v1/"
MAX_TIMESTAMP = 2**63 - 1

_COSIGNATURE = "cosignature/v1"
_ED25519_COSIGNATURE = b"\x04"
_ORIGIN = re.compile(re.escape(ORIGIN_PREFIX) + r"([0-9a-f]{64})\Z")


class Checkpoint(Struct, frozen=True):
    """The tree head of the first `size` lines of a game."""

    game: bytes
    size: int
    root: bytes

    @property
    def origin(self) -> str:
        """The origin line: `rollproof/v1/` and the game's id."""
        return ORIGIN_PREFIX + self.game.hex()

    @property
    def text(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


class SignedCheckpoint(Struct, frozen=True):
    """A checkpoint with signatures, which may or may not have been verified."""

    head: Checkpoint
    signatures: tuple[NoteSignature, ...]

    @property
    def note(self) -> Note:
        """The signed note: the text of the head and its signatures."""
        return Note(self.head.text, self.signatures)

    @property
    def of_log(self) -> SignedHead:
        """The same checkpoint as a tree head of any log."""
        return SignedHead(TreeHead(self.head.origin, self.head.size, self.head.root), self.signatures)

    @classmethod
    def of_game(cls, signed: SignedHead) -> "SignedCheckpoint":
        """Return the tree head of a log as a checkpoint of a game. Raises NoteError if the log is no game."""
        head, origin = signed.head, _ORIGIN.match(signed.head.origin)
        if origin is None:
            raise NoteError("its first line, {line!r}, is not rollproof/v1/ and a game's id", line=head.origin[:100])
        return cls(Checkpoint(bytes.fromhex(origin[1]), head.size, head.root), signed.signatures)

    def __bytes__(self) -> bytes:
        """Encode it as a file."""
        return format_note(self.note)


def parse_checkpoint(data: bytes) -> SignedCheckpoint:
    """Parse a checkpoint of a game. Raises NoteError."""
    return SignedCheckpoint.of_game(parse_signed_head(data))


def sign_checkpoint(head: Checkpoint, key: VerifierKey, sign: Callable[[bytes], bytes]) -> SignedCheckpoint:
    """Return the head as a note that the keeper signed. `sign` makes an Ed25519 signature of `key` over bytes."""
    return SignedCheckpoint(head, (signature_line(key, sign(head.text.encode())),))


def keeper_signed(checkpoint: SignedCheckpoint | SignedHead, keeper: VerifierKey) -> bool:
    """Return whether the keeper signed it. A signature of the keeper that is wrong counts as none."""
    try:
        return signed_by(checkpoint.note, keeper) is not None
    except NoteError:
        return False


class CosignerKey:
    """The name and public key of a witness: a C2SP verifier key of type 0x04, timestamped Ed25519 cosignatures."""

    __slots__ = ("name", "public_bytes")

    def __init__(self, name: str, public_bytes: bytes) -> None:
        """Raise NoteError for an invalid name, a key that is not 32 bytes long, or a key of small order."""
        if not key_name_is_valid(name):
            raise NoteError("{name!r} is no name for a key: no blanks, no plus signs", name=name[:80])
        if len(public_bytes) != 32 or is_small_order(public_bytes):
            raise NoteError("the key of {name} is no Ed25519 key that can be trusted", name=name[:80])
        self.name = name
        self.public_bytes = public_bytes

    @classmethod
    def parse(cls, text: str) -> "CosignerKey":
        """Parse `name+hash+base64`. Raises NoteError."""
        key = parse_cosigner_key(text)
        if not isinstance(key, CosignerKey):
            text_ = N_("the key of {name} is not one for cosignatures (cosignature/v1, type 4)")
            raise NoteError(text_, name=key.name[:80])
        return key

    @property
    def can_check(self) -> bool:
        """True if this platform can verify signatures of the key: always true."""
        return True

    @property
    def key_id(self) -> bytes:
        """The first 4 bytes of SHA-256(name || 0x0A || 0x04 || key)."""
        return hashlib.sha256(self.name.encode() + b"\n" + _ED25519_COSIGNATURE + self.public_bytes).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{b64encode(_ED25519_COSIGNATURE + self.public_bytes).decode()}"

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Verify a cosignature of the text `message`: 8 bytes of time and 64 bytes of Ed25519."""
        if len(signature) != 72:
            return False
        time = int.from_bytes(signature[:8], "big")
        if not 0 < time <= MAX_TIMESTAMP:
            return False
        return holds(self.public_bytes, signature[8:], _cosigned(time, message))


def parse_cosigner_key(text: str) -> "CosignerKey | MlDsaCosignerKey":
    """Parse the key of a witness, of type 0x04 or 0x06: `name+hash+base64`. Raises NoteError."""
    parts = text.split("+", 2)
    data = decode_base64(parts[-1]) if len(parts) == 3 else None
    if data is None:
        raise NoteError("{text!r} is no verifier key: it has the form name+hash+base64", text=text[:80])
    key: CosignerKey | MlDsaCosignerKey
    if data[:1] == _ED25519_COSIGNATURE:
        key = CosignerKey(parts[0], data[1:])
    elif data[:1] == MLDSA_COSIGNATURE:
        key = MlDsaCosignerKey(parts[0], data[1:])
    else:
        text_ = N_("the key of {name} is not one for cosignatures (type 4, Ed25519, or 6, ML-DSA-44)")
        raise NoteError(text_, name=parts[0][:80])
    if str(key) != text:
        raise NoteError("the key of {name} has a hash that does not fit; it should be {key}", name=key.name, key=key)
    return key


def cosign(head: Checkpoint | TreeHead, key: CosignerKey, time: int, sign: Callable[[bytes], bytes]) -> NoteSignature:
    """Return a witness's signature line for a checkpoint.

    `time` is in seconds since 1970. `sign` makes an Ed25519 signature over bytes.
    """
    signature = sign(_cosigned(time, head.text.encode()))
    return signature_line(key, time.to_bytes(8, "big") + signature)


def _cosigned(time: int, text: bytes) -> bytes:
    return f"{_COSIGNATURE}\ntime {time}\n".encode() + text
