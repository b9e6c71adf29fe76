"""What witnesses and auditors read: the tile log of each game, and the anchor log (specs/network.md)."""

import asyncio
from typing import Any

from ledger.server.anchors import Anchors
from ledger.server.problems import not_found
from ledger.server.tiles import entries_tile, hash_tile, parse_tile
from ledger.store import Ledger
from verifier.merkle import leaf_hash

__all__ = ["TileLogs"]


class TileLogs:
    """All methods are for the event loop, and raise Problem where there is no such thing."""

    def __init__(self, ledger: Ledger, anchors: Anchors) -> None:
        self._ledger = ledger
        self._anchors = anchors

    async def tile(self, game: bytes, path: str) -> bytes:
        """A tile of a game's log."""
        return await asyncio.to_thread(self._tile, game, path)

    def _tile(self, game: bytes, path: str) -> bytes:
        tile, ledger = parse_tile(path), self._ledger
        if tile is None:
            raise not_found()
        size = ledger.size(game)
        if tile.level is None:
            found = entries_tile(tile, size, lambda start, stop: list(ledger.lines(game, start, stop)))
        else:
            found = hash_tile(
                tile, size, lambda start, stop: [leaf_hash(line) for line in ledger.lines(game, start, stop)]
            )
        if found is None:
            raise not_found()
        return found

    async def anchor(self, game: bytes) -> dict[str, Any]:
        """Where a closed game's final checkpoint stands."""
        found = await asyncio.to_thread(self._anchors.of, game.hex())
        if found is None:
            raise not_found()
        return {
            "checkpoint": found.checkpoint.decode(),
            "final": found.final.decode(),
            "index": found.index,
            "proof": [each.hex() for each in found.proof],
            "salt": found.salt.hex(),
        }

    async def anchors_checkpoint(self) -> bytes:
        """The anchor log's latest checkpoint; there is none before its first entry."""
        found = await asyncio.to_thread(lambda: self._anchors.checkpoint)
        if found is None:
            raise not_found()
        return found

    async def anchors_tile(self, path: str) -> bytes:
        """A tile of the anchor log."""
        tile = parse_tile(path)
        if tile is None:
            raise not_found()
        if tile.level is None:
            found = entries_tile(tile, self._anchors.size, self._anchors.entries)
        else:
            found = hash_tile(tile, self._anchors.size, self._anchors.leaves)
        if found is None:
            raise not_found()
        return found
