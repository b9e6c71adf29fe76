"""From links to dice (specs/dice.md). Every key is exactly 32 bytes."""

import hmac
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby

__all__ = ["chain_step", "draw", "link_message", "opening_message", "roll_seed", "walk_down"]

LINK_LABEL = b"rollproof/v1/link\n"
OPENING_LABEL = b"rollproof/v1/opening\n"
SEED_LABEL = b"rollproof/v1/seed\n"
DICE_LABEL = b"rollproof/v1/dice\n"


@lru_cache(maxsize=1024)
def _lp(name: str) -> bytes:
    return bytes([len(name)]) + name.encode("ascii")


def _u64(n: int) -> bytes:
    return n.to_bytes(8, "big")


def link_message(game: bytes, name: str, index: int) -> bytes:
    """What is MACed under link `index` to give link `index - 1`."""
    return LINK_LABEL + game + _lp(name) + _u64(index)


def chain_step(link: bytes, game: bytes, name: str, index: int) -> bytes:
    """link[index - 1], from `link` = link[index]."""
    return hmac.digest(link, link_message(game, name, index), "sha256")


def walk_down(link: bytes, game: bytes, name: str, index: int, known: int) -> bytes:
    """link[known], from `link` = link[index], index >= known."""
    for i in range(index, known, -1):
        link = chain_step(link, game, name, i)
    return link


def opening_message(game: bytes, request: bytes, name: str, index: int, link: bytes) -> bytes:
    """What a contributor signs when it opens `link` for the request with that leaf hash."""
    return OPENING_LABEL + game + request + _lp(name) + _u64(index) + link


def roll_seed(keeper_link: bytes, game: bytes, roll_index: int, links: Iterable[tuple[str, bytes]]) -> bytes:
    """32 bytes: the seed of a roll. `links` are (name, link) of the contributors but the keeper, in party order."""
    message = SEED_LABEL + game + _u64(roll_index) + b"".join(_lp(name) + link for name, link in links)
    return hmac.digest(keeper_link, message, "sha256")


def draw(seed: bytes, sides: Iterable[int]) -> tuple[int, ...]:
    """The naturals of dice with these sides (1 to 2**53 - 1 each), in order: exactly uniform given a uniform stream."""
    stream = _Stream(seed)
    naturals: list[int] = []
    for n, run in groupby(sides):
        count = sum(1 for _ in run)
        naturals += stream.small_dice(n, count) if n <= 256 else stream.large_dice(n, count)
    return tuple(naturals)


@lru_cache(maxsize=256)
def _tables(n: int) -> tuple[bytes, bytes]:
    """For a die of n <= 256 sides: byte to natural - 1, and the bytes that are rejected."""
    limit = 256 // n * n
    return bytes(v % n for v in range(256)), bytes(range(limit, 256))


class _Stream:
    """The byte stream of a seed, read from its start."""

    def __init__(self, seed: bytes) -> None:
        self._blocks = self._make_blocks(seed)
        self._buffer = b""
        self._position = 0

    @staticmethod
    def _make_blocks(seed: bytes) -> Iterator[bytes]:
        keyed = hmac.new(seed, DICE_LABEL, "sha256")
        counter = 0
        while True:
            block = keyed.copy()
            block.update(_u64(counter))
            yield block.digest()
            counter += 1

    def take(self, count: int) -> bytes:
        missing = count - (len(self._buffer) - self._position)
        if missing > 0:
            blocks = [next(self._blocks) for _ in range((missing + 31) // 32)]
            self._buffer = self._buffer[self._position :] + b"".join(blocks)
            self._position = 0
        taken = self._buffer[self._position : self._position + count]
        self._position += count
        return taken

    def small_dice(self, n: int, count: int) -> list[int]:
        """Dice of at most 256 sides: a byte each, all at once."""
        if n == 1:
            return [1] * count
        values, rejected = _tables(n)
        kept = b""
        while len(kept) < count:
            kept += self.take(count - len(kept)).translate(values, rejected)
        return [v + 1 for v in kept]

    def large_dice(self, n: int, count: int) -> list[int]:
        width = ((n - 1).bit_length() + 7) // 8
        limit = 256**width // n * n
        naturals = []
        for _ in range(count):
            while (value := int.from_bytes(self.take(width), "big")) >= limit:
                pass
            naturals.append(value % n + 1)
        return naturals
