"""Derivation of dice from links (specs/dice.md). Every key is exactly 32 bytes."""

import hmac
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from itertools import groupby

__all__ = [
    "Stream",
    "chain_step",
    "draw",
    "hidden_purpose",
    "link_message",
    "opening_message",
    "received_message",
    "roll_seed",
    "seal_tag",
    "sealed_seed_message",
    "seed_message",
    "walk_down",
]

LINK_LABEL = b"rollproof/v1/link\n"
OPENING_LABEL = b"rollproof/v1/opening\n"
RECEIVED_LABEL = b"rollproof/v1/received\n"
SEED_LABEL = b"rollproof/v1/seed\n"
DICE_LABEL = b"rollproof/v1/dice\n"
SEAL_LABEL = b"rollproof/v1/seal\n"
SEALED_SEED_LABEL = b"rollproof/v1/sealed seed\n"
HIDDEN_LABEL = b"rollproof/v1/hidden\n"


@lru_cache(maxsize=1024)
def _lp(name: str) -> bytes:
    return bytes([len(name)]) + name.encode("ascii")


@lru_cache(maxsize=1024)
def _link_head(game: bytes, name: str) -> bytes:
    """Return the beginning that all link messages of a chain have in common."""
    return LINK_LABEL + game + _lp(name)


def _u64(n: int) -> bytes:
    return n.to_bytes(8, "big")


def link_message(game: bytes, name: str, index: int) -> bytes:
    """Return the message whose MAC under link `index` is link `index - 1`."""
    return _link_head(game, name) + _u64(index)


def chain_step(link: bytes, game: bytes, name: str, index: int) -> bytes:
    """Return link[index - 1] for `link` = link[index]."""
    return walk_down(link, game, name, index, index - 1)


def walk_down(link: bytes, game: bytes, name: str, index: int, known: int) -> bytes:
    """Return link[known] for `link` = link[index], where index >= known."""
    head = _link_head(game, name)
    for i in range(index, known, -1):
        link = hmac.digest(link, head + i.to_bytes(8, "big"), "sha256")
    return link


def opening_message(game: bytes, request: bytes, name: str, index: int, link: bytes) -> bytes:
    """Return the message that a contributor signs when it opens `link` for the request with this leaf hash."""
    return OPENING_LABEL + game + request + _lp(name) + index.to_bytes(8, "big") + link


def received_message(game: bytes, request: bytes, author: str, index: int, link: bytes) -> bytes:
    """Return the message that the receiver of an opening by `author` signs.

    See specs/protocol.md, "A receipt for an opening".
    """
    return RECEIVED_LABEL + game + request + _lp(author) + _u64(index) + link


def seed_message(roll_index: int, links: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the message whose MAC under the game's id is the seed of a roll.

    `links` are the (name, link) of all contributors, in party order.
    """
    return SEED_LABEL + _u64(roll_index) + b"".join([_lp(name) + link for name, link in links])


def roll_seed(game: bytes, roll_index: int, links: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the seed of a roll, 32 bytes; `links` as for `seed_message`."""
    return hmac.digest(game, seed_message(roll_index, links), "sha256")


def seal_tag(game: bytes, holder: str, number: int, secret: bytes) -> bytes:
    """Return the tag of a holder's `secret` (32 bytes) with this number (specs/protocol.md, "Secret rolls")."""
    return sha256(SEAL_LABEL + game + _lp(holder) + _u64(number) + secret).digest()


def hidden_purpose(game: bytes, author: str, salt: bytes, text: str) -> bytes:
    """Return the commitment to the purpose of a secret roll, as its request has it; `salt` is 32 bytes."""
    return sha256(HIDDEN_LABEL + game + _lp(author) + salt + text.encode()).digest()


def sealed_seed_message(
    roll_index: int, holder: str, number: int, secret: bytes, links: Iterable[tuple[str, bytes]]
) -> bytes:
    """Return the message whose MAC under the game's id is the seed of a secret roll.

    `number` is the number of the holder's tag that the roll took.
    """
    named = b"".join([_lp(name) + link for name, link in links])
    return SEALED_SEED_LABEL + _u64(roll_index) + _lp(holder) + _u64(number) + secret + named


def draw(seed: bytes, sides: Iterable[int]) -> tuple[int, ...]:
    """Return the naturals of dice with these sides (1 to 2**53 - 1 each), in order.

    They are exactly uniform if the stream of the seed is.
    """
    return Stream(seed).draw(sides)


@lru_cache(maxsize=256)
def _tables(n: int) -> tuple[bytes, bytes]:
    """Return for dice with n < 256 sides a table from bytes to naturals, and the bytes to reject."""
    limit = 256 // n * n
    return bytes(v % n + 1 for v in range(256)), bytes(range(limit, 256))


class Stream:
    """The byte stream of a seed."""

    __slots__ = ("_buffer", "_counter", "_position", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._counter = 0
        self._buffer = b""
        self._position = 0

    def _blocks(self, count: int) -> bytes:
        start, self._counter = self._counter, self._counter + count
        if count == 1:  # most rolls need only one block, and this is the quickest way to it
            return hmac.digest(self._seed, DICE_LABEL + _u64(start), "sha256")
        keyed = hmac.new(self._seed, DICE_LABEL, "sha256")
        blocks = []
        for counter in range(start, start + count):
            block = keyed.copy()
            block.update(_u64(counter))
            blocks.append(block.digest())
        return b"".join(blocks)

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        missing = count - (len(self._buffer) - self._position)
        if missing > 0:
            self._buffer = self._buffer[self._position :] + self._blocks((missing + 31) // 32)
            self._position = 0
        taken = self._buffer[self._position : self._position + count]
        self._position += count
        return taken

    def draw(self, sides: Iterable[int]) -> tuple[int, ...]:
        """Return the naturals of the next dice, which have these sides."""
        sides = tuple(sides)
        if sides and sides.count(sides[0]) == len(sides):  # most rolls have dice of one kind
            return tuple(self.dice(sides[0], len(sides)))
        naturals: list[int] = []
        for n, run in groupby(sides):
            naturals += self.dice(n, sum(1 for _ in run))
        return tuple(naturals)

    def dice(self, n: int, count: int) -> Iterable[int]:
        """Return the next `count` dice with n sides."""
        return self._small_dice(n, count) if n <= 256 else self._large_dice(n, count)

    def _small_dice(self, n: int, count: int) -> Iterable[int]:
        """Return dice with at most 256 sides, which take one byte each, all at once."""
        if n == 1:
            return [1] * count
        if n == 256:
            return [v + 1 for v in self.take(count)]
        naturals, rejected = _tables(n)
        kept = self.take(count).translate(naturals, rejected)
        while len(kept) < count:
            kept += self.take(count - len(kept)).translate(naturals, rejected)
        return kept

    def _large_dice(self, n: int, count: int) -> list[int]:
        width = ((n - 1).bit_length() + 7) // 8
        limit = 256**width // n * n
        naturals = []
        for _ in range(count):
            while (value := int.from_bytes(self.take(width), "big")) >= limit:
                pass
            naturals.append(value % n + 1)
        return naturals
