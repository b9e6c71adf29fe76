"""Tree heads of logs, which are those of games and of servers (specs/checkpoints.md; c2sp.org/tlog-checkpoint)."""

import re
from base64 import b64encode

from msgspec import Struct

from rules.data.bounds import MAX_SAFE_INTEGER
from verifier.checkpoints.note import Note, NoteSignature, format_note, parse_note
from verifier.errors import NoteError
from verifier.log.identity import decode_base64

__all__ = ["SignedHead", "TreeHead", "parse_head", "parse_signed_head", "parse_size"]

_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,15})\Z")


class TreeHead(Struct, frozen=True):
    """The tree head of the first `size` entries of a log, which is a game's or the anchor log of a server."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"


class SignedHead(Struct, frozen=True):
    """A tree head with signatures, which may or may not have been verified."""

    head: TreeHead
    signatures: tuple[NoteSignature, ...]

    @property
    def note(self) -> Note:
        """The signed note: the text of the head and its signatures."""
        return Note(self.head.text, self.signatures)

    def __bytes__(self) -> bytes:
        """Encode it as a file."""
        return format_note(self.note)


def parse_signed_head(data: bytes) -> SignedHead:
    """Parse a checkpoint of any log, if it has the three lines of a game's. Raises NoteError."""
    note = parse_note(data)
    return SignedHead(parse_head(note.text), note.signatures)


def parse_head(text: str) -> TreeHead:
    """Parse the text of a checkpoint. Raises NoteError."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) != 3:
        raise NoteError("it has {count} lines above its signatures; a checkpoint of a game has 3", count=len(lines))
    size, root = parse_size(lines[1]), decode_base64(lines[2])
    if not size:
        raise NoteError("its second line, {line!r}, is no number of events", line=lines[1][:30])
    if root is None or len(root) != 32:
        raise NoteError("its third line is not base64 of 32 bytes")
    return TreeHead(lines[0], size, root)


def parse_size(text: str) -> int | None:
    """Parse a number in plain decimal, 0 to MAX_SAFE_INTEGER; return None for any other text."""
    number = int(text) if _DECIMAL.match(text) else None
    return number if number is None or number <= MAX_SAFE_INTEGER else None
