"""A log in the form of c2sp.org/tlog-tiles (specs/network.md, "The tile log")."""

import re
from collections.abc import Callable, MutableMapping, Sequence

from msgspec import Struct

from verifier.log.merkle import root_of

__all__ = ["WIDTH", "Kept", "Nodes", "Tile", "covers", "entry", "hash_tile", "parse_tile", "tile_path"]

WIDTH = 256
"""hashes or entries of a full tile"""

MAX_LEVEL = 6
"""256 to the seventh lines do not fit a log"""

_NUMBER = r"((?:x[0-9]{3}/){0,5}[0-9]{3})"
_PATH = re.compile(rf"(entries|0|[1-9][0-9]?)/{_NUMBER}(?:\.p/([1-9][0-9]{{0,2}}))?\Z")

Kept = MutableMapping[tuple[int, int], bytes]
"""by level and number, of full tiles: all leaf hashes of level 0, and the root for any other level"""

Leaves = Callable[[int, int], Sequence[bytes]]
"""leaf hashes from one number to before another"""


class Tile(Struct, frozen=True):
    """The coordinates of a tile."""

    level: int | None
    """None: the entries"""
    index: int
    width: int
    """hashes or entries in it, 1 to 256"""


def parse_tile(path: str) -> Tile | None:
    """Parse the path after `tile/`; return None if it names no tile."""
    match = _PATH.match(path)
    if match is None:
        return None
    level = None if match[1] == "entries" else int(match[1])
    index = int(match[2].replace("x", "").replace("/", ""))
    width = WIDTH if match[3] is None else int(match[3])
    if (level is not None and level > MAX_LEVEL) or width > WIDTH:
        return None
    tile = Tile(level, index, width)
    return tile if tile_path(tile) == path else None


def tile_path(tile: Tile) -> str:
    """Return the path of a tile, after `tile/`: groups of three digits, all but the last after an x."""
    digits = str(tile.index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    number = "/".join([f"x{group}" for group in groups[:-1]] + groups[-1:])
    level = "entries" if tile.level is None else str(tile.level)
    return f"{level}/{number}" + ("" if tile.width == WIDTH else f".p/{tile.width}")


def covers(tile: Tile, size: int) -> bool:
    """Return True if a log of `size` lines has all that the tile stands for."""
    each: int = WIDTH ** (tile.level or 0)
    return (tile.index * WIDTH + tile.width) * each <= size


def hash_tile(tile: Tile, nodes: "Nodes") -> bytes:
    """Return the hashes of a tile, 32 bytes each."""
    assert tile.level is not None, "a tile of hashes"
    start = tile.index * WIDTH
    return b"".join(nodes.hashes(tile.level, start, start + tile.width))


def entry(line: bytes) -> bytes:
    """Return an entry in its tile format: after its length in two bytes."""
    return len(line).to_bytes(2, "big") + line


class Nodes:
    """The hashes of a log by level.

    Those of a full tile never change, where nobody takes lines back. So `kept` has them, and each is worked out once:
    else one tile of level 2 would read 16 million lines.
    """

    def __init__(self, leaves: Leaves, kept: Kept) -> None:
        self._leaves = leaves
        self._kept = kept

    def hashes(self, level: int, start: int, stop: int) -> Sequence[bytes]:
        """Return the hashes of a level from one number to before another; they are of one tile."""
        if level > 0:
            return [self._root(level, number) for number in range(start, stop)]
        if stop - start < WIDTH:
            return self._leaves(start, stop)
        found = self._kept.get((0, start // WIDTH))
        if found is None:
            found = self._kept[0, start // WIDTH] = b"".join(self._leaves(start, stop))
        return [found[at : at + 32] for at in range(0, len(found), 32)]

    def _root(self, level: int, number: int) -> bytes:
        """Return the root over a full tile of the level below."""
        found = self._kept.get((level, number))
        if found is None:
            start = number * WIDTH
            found = self._kept[level, number] = root_of(self.hashes(level - 1, start, start + WIDTH))
        return found
