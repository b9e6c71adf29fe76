"""Logs for witnesses and auditors: the tile log of each game, and the anchor log (specs/network.md)."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from threading import Lock
from typing import Any

from ledger.server.limits import Caller
from ledger.server.problems import not_found
from ledger.server.readers import Readers
from ledger.store.ledger import Ledger
from ledger.transparency.anchors import Anchor, Anchors
from ledger.transparency.tiles import WIDTH, Kept, Nodes, Tile, covers, entry, hash_tile, parse_tile
from verifier.log.merkle import leaf_hash

__all__ = ["TileLogs", "anchor_members"]


MAX_KEPT = 2_048
"""hashes of full tiles that are kept, of 8 kB at most"""

LINES_AT_A_TIME = 16
"""lines that are hashed at once: 1 MB at most"""


def anchor_members(anchor: Anchor) -> dict[str, Any]:
    """Return the place of a game in the anchor log, as it is served."""
    return {
        "checkpoint": anchor.checkpoint.decode(),
        "final": anchor.final.decode(),
        "index": anchor.index,
        "proof": [each.hex() for each in anchor.proof],
        "salt": anchor.salt.hex(),
    }


class TileLogs:
    """All methods are for the event loop, and raise Problem where there is no such thing."""

    def __init__(self, ledger: Ledger, anchors: Anchors, readers: Readers) -> None:
        self._ledger = ledger
        self._anchors = anchors
        self._readers = readers
        self._kept: OrderedDict[bytes, Kept] = OrderedDict()
        """by game: hashes of full tiles"""
        self._of_anchors: Kept = {}
        self._turn = Lock()

    async def tile(self, caller: Caller, game: bytes, path: str) -> bytes | AsyncIterator[bytes]:
        """Return a tile of a game's log; entries in pieces."""
        tile = parse_tile(path)
        if tile is None:
            raise not_found()
        if tile.level is not None:
            return await self._readers.turns.ask(caller, lambda: self._hash_tile(game, tile))
        start = tile.index * WIDTH
        lines = await self._readers.lines(caller, game, start, start + tile.width)
        if not covers(tile, lines.size):
            raise not_found()
        return (b"".join(map(entry, piece)) async for _, piece in lines)

    def _hash_tile(self, game: bytes, tile: Tile) -> bytes:
        if not covers(tile, self._ledger.size(game)):
            raise not_found()
        checkpoint = self._ledger.checkpoint(game)
        taken = checkpoint is not None and covers(tile, checkpoint.head.size)
        kept = self._kept_of(game) if taken else {}
        return hash_tile(tile, Nodes(lambda start, stop: self._leaves(game, start, stop), kept))

    def _kept_of(self, game: bytes) -> Kept:
        with self._turn:
            found = self._kept.setdefault(game, {})
            self._kept.move_to_end(game)
            while sum(map(len, self._kept.values())) > MAX_KEPT:
                self._kept.popitem(last=False)
            return found

    def _leaves(self, game: bytes, start: int, stop: int) -> Sequence[bytes]:
        found: list[bytes] = []
        for at in range(start, stop, LINES_AT_A_TIME):
            found += map(leaf_hash, self._ledger.lines(game, at, min(stop, at + LINES_AT_A_TIME)))
        if len(found) < stop - start:
            raise not_found()  # it was deleted meanwhile
        return found

    async def anchor(self, caller: Caller, game: bytes) -> dict[str, Any]:
        """Return the entry of a closed game's final checkpoint in the anchor log. Raises Problem."""
        found = await self._readers.turns.ask(caller, lambda: self._anchors.of(game.hex()))
        if found is None:
            raise not_found()
        return anchor_members(found)

    async def anchors_checkpoint(self, caller: Caller) -> bytes:
        """Return the anchor log's latest checkpoint; there is none before its first entry."""
        found = await self._readers.turns.ask(caller, lambda: self._anchors.checkpoint)
        if found is None:
            raise not_found()
        return found

    async def anchors_tile(self, caller: Caller, path: str) -> bytes:
        """Return a tile of the anchor log."""
        tile = parse_tile(path)
        if tile is None or not covers(tile, self._anchors.size):
            raise not_found()
        if tile.level is not None:
            nodes = Nodes(self._anchors.leaves, self._of_anchors)
            return await self._readers.turns.ask(caller, lambda: hash_tile(tile, nodes))
        start = tile.index * WIDTH
        return b"".join(map(entry, self._anchors.entries(start, start + tile.width)))
