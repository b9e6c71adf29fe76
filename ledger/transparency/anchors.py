"""The anchor log: one entry for each game that was closed, open to everybody (specs/network.md, "The anchor log")."""

import hashlib
import secrets
from base64 import b64encode
from collections.abc import Callable, Sequence
from threading import RLock

from msgspec import Struct

from ledger.store.storage import Storage
from verifier import VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.checkpoints.head import SignedHead, parse_signed_head
from verifier.checkpoints.note import MAX_SIGNATURES, NoteSignature
from verifier.checkpoints.policy import WitnessKey
from verifier.log.merkle import inclusion_proof, leaf_hash, root_of

__all__ = ["Anchor", "Anchors", "anchor_entry", "anchor_origin", "create_anchors", "head_text"]

ANCHORS_KIND = int.from_bytes(b"RpAn", "big")

_LABEL = b"rollproof/v1/anchor\n"

SignHead = Callable[[str, Sequence[bytes]], bytes]
"""signs the head of a log with this origin and these leaf hashes, if it extends all that was signed before: the note"""


def anchor_origin(keeper: VerifierKey) -> str:
    """Return the first line of the log's checkpoints."""
    return f"rollproof/v1/anchors/{hashlib.sha256(str(keeper).encode()).hexdigest()}"


def anchor_entry(salt: bytes, final: SignedCheckpoint) -> bytes:
    """32 bytes; `salt` is 32 bytes, `final` the last checkpoint of a game that is closed."""
    return hashlib.sha256(_LABEL + salt + final.head.text.encode()).digest()


def head_text(origin: str, leaves: Sequence[bytes]) -> str:
    """Return the text that a checkpoint over these leaf hashes signs (c2sp.org/tlog-checkpoint)."""
    return f"{origin}\n{len(leaves)}\n{b64encode(root_of(leaves)).decode()}\n"


class Anchor(Struct, frozen=True):
    """The place of a game's final checkpoint in the anchor log, with its proof."""

    checkpoint: bytes
    """of the anchor log, in its file format"""
    final: bytes
    """of the game"""
    index: int
    proof: list[bytes]
    salt: bytes


def create_anchors(storage: Storage) -> None:
    """Make the tables of an anchor log, if they are not there. Raises StoreError."""
    storage.create("anchors")


class Anchors:
    """A server's anchor log. Any thread may use it."""

    def __init__(self, storage: Storage, keeper: VerifierKey) -> None:
        """Read the log from a storage, which its owner closes. Raises StoreError."""
        self.origin = anchor_origin(keeper)
        self._database = storage
        create_anchors(storage)
        self._turn = RLock()
        self._entries: list[bytes] = []
        self._leaves: list[bytes] = []
        self._sound = False
        """whether the keeper has looked at the entries that were there when they were read"""
        self._catch_up()

    def _catch_up(self) -> None:
        """Take what another process has added; all anew where the log was put back."""
        last = len(self._entries) - 1
        if last >= 0 and self._database.read("SELECT entry FROM anchors WHERE number = ?", (last,)) != [
            (self._entries[last],)
        ]:
            self._entries, self._leaves, self._sound = [], [], False
        statement = "SELECT entry FROM anchors WHERE number >= ? ORDER BY number"
        added = [row[0] for row in self._database.read(statement, (len(self._entries),))]
        self._entries = [*self._entries, *added]
        self._leaves = [*self._leaves, *map(leaf_hash, added)]

    @property
    def size(self) -> int:
        """Return the number of entries."""
        return len(self._leaves)

    @property
    def checkpoint(self) -> bytes | None:
        """The log's latest, with the cosignatures that it has; None before the first entry."""
        rows = self._database.read("SELECT note FROM anchors_head")
        if not rows:
            return None
        note: str = rows[0][0]
        size = int(note.split("\n")[1])
        statement = "SELECT line FROM anchors_cosigned WHERE size = ? ORDER BY witness"
        lines = self._database.read(statement, (size,))[: MAX_SIGNATURES - 1]
        return (note + "".join(line for (line,) in lines)).encode()

    def head(self) -> tuple[SignedHead, Sequence[bytes]] | None:
        """Return the log's latest checkpoint and its leaf hashes; None before the first entry."""
        with self._turn:
            self._catch_up()
            note = self.checkpoint
            if note is None:
                return None
            signed = parse_signed_head(note)
            return signed, self._leaves[: signed.head.size]

    def cosigned(self, size: int, witness: WitnessKey, line: NoteSignature) -> None:
        """Keep a witness's line, which holds, for the head of this size. An older one never takes a newer's place."""
        with self._turn, self._database.transaction([self.origin]):
            row = self._database.execute("SELECT size FROM anchors_cosigned WHERE witness = ?", (str(witness),))
            before = row.fetchone()
            if before is None or before[0] <= size:
                self._database.upsert("anchors_cosigned", [(str(witness), size, line.line)])

    def leaves(self, start: int, stop: int) -> Sequence[bytes]:
        """Return the leaf hashes of the entries from `start` up to but not `stop`, 32 bytes each."""
        return self._leaves[start:stop]

    def entries(self, start: int, stop: int) -> Sequence[bytes]:
        """Return the entries from `start` up to but not `stop`."""
        return self._entries[start:stop]

    def add(self, finals: Sequence[SignedCheckpoint], sign: SignHead) -> None:
        """Add the final checkpoints of games that have none yet, and sign the log's new head.

        Raises what `sign` raises, and StoreError. Nothing is added to a log that was put back: the keeper would sign
        no head of it, and the entries that are missing could not come back to their places. Else what was added
        stands, and the next head is for it too.
        """
        with self._turn:
            with self._database.transaction([self.origin]):
                self._catch_up()
                if not self._sound:
                    sign(self.origin, self._leaves)
                    self._sound = True
                entries = list(self._entries)
                for final in finals:
                    game = final.head.game.hex()
                    if self._database.execute("SELECT 1 FROM anchored WHERE game = ?", (game,)).fetchone():
                        continue
                    salt = secrets.token_bytes(32)
                    entry = anchor_entry(salt, final)
                    self._database.execute("INSERT INTO anchors VALUES (?, ?)", (len(entries), entry))
                    self._database.execute(
                        "INSERT INTO anchored VALUES (?, ?, ?, ?)", (game, len(entries), salt, bytes(final).decode())
                    )
                    entries.append(entry)
            self._leaves += [leaf_hash(entry) for entry in entries[self.size :]]
            self._entries = entries
            with self._database.transaction([self.origin]):  # so that no older head takes a newer one's place
                self._catch_up()
                note = sign(self.origin, self._leaves).decode()
                self._database.upsert("anchors_head", [(1, note)])

    def games(self) -> set[str]:
        """Return the games (hex) that have an entry, except deleted ones."""
        return {game for (game,) in self._database.read("SELECT game FROM anchored")}

    def of(self, game: str) -> Anchor | None:
        """Return the place of a game's final checkpoint, or None if no signed checkpoint covers it."""
        with self._turn:
            self._catch_up()
            rows = self._database.read("SELECT number, salt, final FROM anchored WHERE game = ?", (game,))
            checkpoint = self.checkpoint
            if not rows or checkpoint is None:
                return None
            number, salt, final = rows[0]
            size = int(checkpoint.split(b"\n")[1])
            if number >= size:
                return None
            return Anchor(checkpoint, final.encode(), number, inclusion_proof(self._leaves[:size], number), salt)

    def forget(self, game: str) -> None:
        """Keep of a game only its entry, which tells nothing without the salt."""
        with self._turn, self._database.transaction([self.origin]):
            self._database.execute("DELETE FROM anchored WHERE game = ?", (game,))
        self._database.forget_deleted()
