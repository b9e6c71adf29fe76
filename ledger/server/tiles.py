"""A log in the form of c2sp.org/tlog-tiles (specs/network.md, "The tile log")."""

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from verifier.merkle import root_of

__all__ = ["WIDTH", "Tile", "entries_tile", "hash_tile", "parse_tile", "tile_path"]

WIDTH = 256
"""hashes or entries of a full tile"""

MAX_LEVEL = 6
"""256 to the seventh lines do not fit a log"""

_NUMBER = r"((?:x[0-9]{3}/)*[0-9]{3})"
_PATH = re.compile(rf"(entries|0|[1-9][0-9]?)/{_NUMBER}(?:\.p/([1-9][0-9]{{0,2}}))?\Z")

Leaves = Callable[[int, int], Sequence[bytes]]
"""leaf hashes from one number to before another"""


class Tile(Struct, frozen=True):
    """Which tile is meant."""

    level: int | None
    """None: the entries"""
    index: int
    width: int
    """hashes or entries in it, 1 to 256"""


def parse_tile(path: str) -> Tile | None:
    """What stands behind `tile/`; None where it names no tile."""
    match = _PATH.match(path)
    if match is None:
        return None
    level = None if match[1] == "entries" else int(match[1])
    index = int(match[2].replace("x", "").replace("/", ""))
    width = WIDTH if match[3] is None else int(match[3])
    if (level is not None and level > MAX_LEVEL) or width > WIDTH or (width == WIDTH and match[3] is not None):
        return None
    tile = Tile(level, index, width)
    return tile if tile_path(tile) == path else None


def tile_path(tile: Tile) -> str:
    """The path of a tile, behind `tile/`: groups of three digits, all but the last after an x."""
    digits = str(tile.index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    number = "/".join([f"x{group}" for group in groups[:-1]] + groups[-1:])
    level = "entries" if tile.level is None else str(tile.level)
    return f"{level}/{number}" + ("" if tile.width == WIDTH else f".p/{tile.width}")


def hash_tile(tile: Tile, size: int, leaves: Leaves) -> bytes | None:
    """The hashes of a tile of a log of `size` lines, 32 bytes each; None where the log does not have them all."""
    assert tile.level is not None, "a tile of hashes"
    each = WIDTH**tile.level
    start = tile.index * WIDTH * each
    stop = start + tile.width * each
    if stop > size:
        return None
    return b"".join(root_of(leaves(at, at + each)) for at in range(start, stop, each))


def entries_tile(tile: Tile, size: int, entries: Leaves) -> bytes | None:
    """The entries of a tile, each after its length in two bytes; None where the log does not have them all."""
    start = tile.index * WIDTH
    if start + tile.width > size:
        return None
    found = entries(start, start + tile.width)
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in found)
