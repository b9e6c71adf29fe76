"""The anchor log: one entry for each game that was closed, open to everybody (specs/network.md, "The anchor log")."""

import hashlib
import secrets
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from threading import RLock

from msgspec import Struct

from ledger.database import append_only, open_database, reading, transaction
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.merkle import inclusion_proof, leaf_hash, root_of

__all__ = ["Anchor", "Anchors", "anchor_entry", "anchor_origin", "head_text"]

ANCHORS_KIND = int.from_bytes(b"RpAn", "big")

_LABEL = b"rollproof/v1/anchor\n"

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, entry BLOB NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS finals (
    game TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, salt BLOB NOT NULL, final TEXT NOT NULL) STRICT;

CREATE TABLE IF NOT EXISTS head (only INTEGER PRIMARY KEY CHECK (only = 1), note TEXT NOT NULL) STRICT;

{append_only("entries")}"""

SignHead = Callable[[str, Sequence[bytes]], bytes]
"""signs the head of a log with this origin and these leaf hashes, if it extends all that was signed before: the note"""


def anchor_origin(keeper: VerifierKey) -> str:
    """The first line of the log's checkpoints."""
    return f"rollproof/v1/anchors/{hashlib.sha256(str(keeper).encode()).hexdigest()}"


def anchor_entry(salt: bytes, final: SignedCheckpoint) -> bytes:
    """32 bytes; `salt` is 32 bytes, `final` the last checkpoint of a game that is closed."""
    return hashlib.sha256(_LABEL + salt + final.head.text.encode()).digest()


def head_text(origin: str, leaves: Sequence[bytes]) -> str:
    """What is signed of a log with these leaf hashes (c2sp.org/tlog-checkpoint)."""
    return f"{origin}\n{len(leaves)}\n{b64encode(root_of(leaves)).decode()}\n"


class Anchor(Struct, frozen=True):
    """Where a game's final checkpoint stands."""

    checkpoint: bytes
    """of the anchor log, as it stands in a file"""
    final: bytes
    """of the game"""
    index: int
    proof: list[bytes]
    salt: bytes


class Anchors:
    """A server's anchor log, in one SQLite file. Any thread may use it."""

    def __init__(self, path: Path, keeper: VerifierKey) -> None:
        """Open or create. Raises StoreError."""
        self.path = path
        self.origin = anchor_origin(keeper)
        self._database = open_database(path, _SCHEMA, kind=ANCHORS_KIND, mode=0o600)
        self._turn = RLock()
        with reading(path), closing(self._database.execute("SELECT entry FROM entries ORDER BY number")) as rows:
            self._entries = [row[0] for row in rows]
        self._leaves = [leaf_hash(entry) for entry in self._entries]

    def close(self) -> None:
        with self._turn:
            self._database.close()

    @property
    def size(self) -> int:
        return len(self._leaves)

    @property
    def checkpoint(self) -> bytes | None:
        """The log's latest; None before the first entry."""
        with self._turn, reading(self.path):
            row = self._database.execute("SELECT note FROM head").fetchone()
        return None if row is None else row[0].encode()

    def leaves(self, start: int, stop: int) -> Sequence[bytes]:
        return self._leaves[start:stop]

    def entries(self, start: int, stop: int) -> Sequence[bytes]:
        return self._entries[start:stop]

    def add(self, finals: Sequence[SignedCheckpoint], sign: SignHead) -> None:
        """Add the final checkpoints of games that have none yet, and sign the log's new head.

        Raises what `sign` raises, and StoreError; what was added stands, and the next head is for it too.
        """
        with self._turn:
            entries = list(self._entries)
            with transaction(self._database):
                for final in finals:
                    game = final.head.game.hex()
                    if self._database.execute("SELECT 1 FROM finals WHERE game = ?", (game,)).fetchone():
                        continue
                    salt = secrets.token_bytes(32)
                    entry = anchor_entry(salt, final)
                    self._database.execute("INSERT INTO entries VALUES (?, ?)", (len(entries), entry))
                    self._database.execute(
                        "INSERT INTO finals VALUES (?, ?, ?, ?)", (game, len(entries), salt, bytes(final).decode())
                    )
                    entries.append(entry)
            self._leaves += [leaf_hash(entry) for entry in entries[self.size :]]
            self._entries = entries
            note = sign(self.origin, self._leaves).decode()
            with transaction(self._database):
                self._database.execute(
                    "INSERT INTO head VALUES (1, ?1) ON CONFLICT (only) DO UPDATE SET note = ?1", (note,)
                )

    def of(self, game: str) -> Anchor | None:
        """Where a game's final checkpoint stands; None where it has none."""
        with self._turn, reading(self.path):
            row = self._database.execute("SELECT number, salt, final FROM finals WHERE game = ?", (game,)).fetchone()
            checkpoint = self.checkpoint
            if row is None or checkpoint is None:
                return None
            number, salt, final = row
            size = int(checkpoint.split(b"\n")[1])
            if number >= size:
                return None
            return Anchor(checkpoint, final.encode(), number, inclusion_proof(self._leaves[:size], number), salt)

    def forget(self, game: str) -> None:
        """Keep of a game only its entry, which tells nothing without the salt."""
        with self._turn, transaction(self._database):
            self._database.execute("DELETE FROM finals WHERE game = ?", (game,))
