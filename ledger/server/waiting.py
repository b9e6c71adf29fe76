"""Find the lines that a keeper has signed for and its store lacks (specs/seats.md)."""

from collections.abc import Mapping
from hashlib import sha256

from ledger.seats.records import Record
from ledger.seats.seat import Seat
from ledger.store.contents import Contents, Lacking, read_contents
from ledger.store.storage import Storage
from ledger.transparency.anchors import Anchors, anchor_origin
from verifier import VerifierKey

__all__ = ["find_missing", "remembered_contents"]


def remembered_contents(records: Mapping[bytes, Record], keeper: VerifierKey) -> Contents:
    """Return the sizes of the games and of the anchor log that the keeper's memory records."""
    anchors = sha256(anchor_origin(keeper).encode()).digest()
    sizes = {game: record.head.size for game, record in records.items() if record.head.size}
    return Contents(
        {game.hex(): size for game, size in sizes.items() if game != anchors}, anchors=sizes.get(anchors, 0)
    )


def find_missing(seat: Seat, of_games: Storage, anchors: Anchors) -> list[Lacking]:
    """Return the lines that an open store lacks. Raises MemoryLostError, StoreError."""
    stored = read_contents({"games", "deleted"}, of_games.read)
    stored = Contents(stored.games, stored.deleted, anchors=anchors.size)
    return list(stored.lacks(remembered_contents(seat.keyless.records(), seat.key)))
