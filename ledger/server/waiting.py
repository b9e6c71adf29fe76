"""What a keeper waits for: lines that its seat has signed over and its store lacks (specs/seats.md)."""

from collections.abc import Mapping
from hashlib import sha256

from ledger.seats.memory import Record
from ledger.seats.seat import Seat
from ledger.store.contents import Contents, Lacking, read_contents
from ledger.store.storage import Storage
from ledger.transparency.anchors import Anchors, anchor_origin
from verifier import VerifierKey

__all__ = ["awaited", "remembered"]


def remembered(records: Mapping[bytes, Record], keeper: VerifierKey) -> Contents:
    """How far the games and the anchor log had come when the keeper's seat looked at them last."""
    anchors = sha256(anchor_origin(keeper).encode()).digest()
    sizes = {game: record.head.size for game, record in records.items() if record.head.size}
    return Contents(
        {game.hex(): size for game, size in sizes.items() if game != anchors}, anchors=sizes.get(anchors, 0)
    )


def awaited(seat: Seat, of_games: Storage, anchors: Anchors) -> list[Lacking]:
    """What the keeper waits for, in a store that is open. Raises MemoryLostError, StoreError."""
    stored = read_contents({"games", "deleted"}, of_games.read)
    stored = Contents(stored.games, stored.deleted, anchors=anchors.size)
    return list(stored.lacks(remembered(seat.records(), seat.key)))
