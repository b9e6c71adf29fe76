"""Signed notes: a text with signature lines below it (specs/checkpoints.md, "Signed notes"; c2sp.org/signed-note).

    >>> note = parse_note("hello\\n\\n— alice AAAAAQA=\\n".encode())
    >>> note.text, note.signatures[0].name, note.signatures[0].key_id.hex()
    ('hello\\n', 'alice', '00000001')

Parsing checks only the form. The text must not be trusted before `signed_by` has verified a signature.
"""

import re
from base64 import b64encode
from typing import Protocol

from msgspec import Struct

from rules.data.language import N_
from verifier.errors import NoteError
from verifier.log.identity import decode_base64

__all__ = [
    "MAX_NOTE",
    "MAX_SIGNATURES",
    "Key",
    "Note",
    "NoteSignature",
    "format_note",
    "key_name_is_valid",
    "parse_note",
    "parse_signatures",
    "signature_line",
    "signed_by",
]

MAX_NOTE = 262_144
"""bytes of a note"""
MAX_SIGNATURES = 64
"""signature lines that a note may have"""

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
# Control characters, "+", and White_Space as the specification lists it. str.isspace accepts four more characters.
_NOT_IN_NAMES = re.compile("[\x00-\x20+\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_DASH = "— "


class NoteSignature(Struct, frozen=True):
    """A signature line: the name of the key, its 4-byte id, and the signature of the text."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """The line as it stands in a note, with its line feed."""
        return f"{_DASH}{self.name} {b64encode(self.key_id + self.signature).decode()}\n"


class Note(Struct, frozen=True):
    """A text, with its final line feed, and signatures, which may or may not have been verified."""

    text: str
    signatures: tuple[NoteSignature, ...]


class Key(Protocol):
    """A public key that signs notes, such as `verifier.VerifierKey` or
    `verifier.checkpoints.checkpoint.CosignerKey`.
    """

    @property
    def name(self) -> str:
        """The name of the key, as on its signature lines."""

    @property
    def key_id(self) -> bytes:
        """The 4-byte id of the key."""

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Verify a signature of this key over the message."""


def parse_note(data: bytes, *, most: int = MAX_NOTE) -> Note:
    """Parse a note of at most `most` bytes. Raises NoteError."""
    if len(data) > most:
        raise NoteError("it is longer than {most} bytes", most=most)
    try:
        decoded = data.decode()
    except UnicodeDecodeError:
        raise NoteError("it is not UTF-8") from None
    if _CONTROL.search(decoded):
        raise NoteError("it has a control character other than the line feed")
    text, blank, lines = decoded.rpartition("\n\n")
    if not blank or not lines:
        raise NoteError("it has no empty line with signatures below it")
    return Note(text + "\n", parse_signatures(lines))


def parse_signatures(lines: str) -> tuple[NoteSignature, ...]:
    """Parse one or more signature lines, each with its line feed. Raises NoteError."""
    if not lines.endswith("\n"):
        raise NoteError("its last line has no line feed")
    split = lines[:-1].split("\n")
    if len(split) > MAX_SIGNATURES:
        raise NoteError("it has more than {most} signatures", most=MAX_SIGNATURES)
    return tuple(_parse_signature(line) for line in split)


def _parse_signature(line: str) -> NoteSignature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not key_name_is_valid(name):
        text = N_("this is no signature line, which has a dash, a name and base64: {line!r}")
        raise NoteError(text, line=line[:80])
    data = decode_base64(encoded)
    if data is None or len(data) < 5:
        raise NoteError("the signature of {name} is not base64 of a key id and a signature", name=name[:80])
    return NoteSignature(name, data[:4], data[4:])


def format_note(note: Note) -> bytes:
    """Return the bytes of a note, which `parse_note` turns back into the note."""
    return (note.text + "\n" + "".join(signature.line for signature in note.signatures)).encode()


def signature_line(key: Key, signature: bytes) -> NoteSignature:
    """Return the line for a signature by the holder of `key`."""
    return NoteSignature(key.name, key.key_id, signature)


def signed_by(note: Note, key: Key) -> NoteSignature | None:
    """Return the valid signature of `key` on the note; None if it has none of that key.

    Raises NoteError for a signature of that key that is wrong, because then the note was changed.
    """
    lines = [line for line in note.signatures if line.name == key.name and line.key_id == key.key_id]
    for line in lines:
        if not key.verify(line.signature, note.text.encode()):
            raise NoteError("the signature of {name} does not fit the text", name=key.name)
    return lines[0] if lines else None


def key_name_is_valid(name: str) -> bool:
    """Return whether a key may have this name: it is not empty and has no white space and no plus sign."""
    return bool(name) and _NOT_IN_NAMES.search(name) is None
