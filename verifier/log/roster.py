"""A roster: whose keys are whose, by the word of an organizer (specs/roster.md). `verifier.rosters` reads the files."""

import hashlib

from msgspec import Struct

from verifier.log.identity import VerifierKey

__all__ = ["ROSTER_LABEL", "Entry", "Roster"]

ROSTER_LABEL = b"rollproof/v1/roster\n"
"""the first line of the text that the organizer signs"""


class Entry(Struct, frozen=True):
    """A key with the times between which it counts; None means no bound."""

    key: VerifierKey
    since: str | None = None
    until: str | None = None

    def __str__(self) -> str:
        return f"key {self.key} {self.since or '-'} {self.until or '-'}\n"

    def counts(self, time: str) -> bool:
        """Return whether something dated `time` was signed while the key counted."""
        return (self.since is None or time >= self.since) and (self.until is None or time < self.until)


class Roster(Struct, frozen=True):
    """The names and keys of the participants of an event."""

    event: str
    version: int
    previous: str
    """SHA-256 of the text of the previous version, in hex; 64 zeros in version 1"""
    entries: tuple[Entry, ...]

    @property
    def text(self) -> str:
        """The text that the organizer signs."""
        head = f"{ROSTER_LABEL.decode()}event {self.event}\nversion {self.version}\nprevious {self.previous}\n"
        return head + "".join(map(str, self.entries))

    @property
    def hash(self) -> str:
        """SHA-256 of the text, in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def by_key(self) -> dict[bytes, Entry]:
        """Return the entries by public key."""
        return {entry.key.public_bytes: entry for entry in self.entries}
