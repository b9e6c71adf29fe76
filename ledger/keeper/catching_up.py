"""Find and take the lines that a store lacks after a restore (specs/network.md, "Catching up").

The keeper's memory identifies these lines: the leaf hash of the last line that it verified commits, by the chain, to
all lines before it. So lines that a client sends are hashed, and not verified a second time.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import IO

from msgspec import Struct

from ledger.errors import BehindError, NotTakenError
from verifier import Failure
from verifier.log.format import MAX_LINE, glance
from verifier.log.merkle import leaf_hash

__all__ = ["LackingGame", "MissingLines"]


class MissingLines(Struct, frozen=True):
    """The place of the missing lines in a log that somebody brings."""

    at: int
    """the byte at which the first one begins"""
    count: int

    def pieces(self, log: IO[bytes], most: int, size: int) -> Iterator[tuple[bytes, ...]]:
        """Yield the lines, up to `most` of them or `size` bytes at a time, or one longer line."""
        log.seek(self.at)
        piece: list[bytes] = []
        for line in islice(_rest(log), self.count):
            if len(piece) == most or (piece and sum(map(len, piece)) + len(line) > size):
                yield tuple(piece)
                piece = []
            piece.append(line)
        if piece:
            yield tuple(piece)


class LackingGame(Struct, frozen=True):
    """A game of which a store has less than its keeper has seen."""

    game: bytes
    here: int
    """how many lines are stored"""
    head: bytes
    """leaf hash of the last one; empty where there is none"""
    seen: int
    """how many the keeper has looked at"""
    leaf: str
    """hex: leaf hash of the last one"""
    signed: Mapping[str, int]
    """the keeper's own events after these: number by leaf hash"""

    def missing_in(self, log: IO[bytes]) -> MissingLines:
        """Return where the missing lines are in a log that begins with line 0; later lines are ignored.

        Raises NotTakenError for another log, BehindError for a log that is too short.
        """
        at = count = came = 0
        end = self.head
        for seq, line in enumerate(_lines(log, self.seen + len(self.signed))):
            came = seq + 1
            if seq < self.here:
                at += len(line) + 1
                continue
            leaf = leaf_hash(line)
            if seq >= self.seen and self.signed.get(leaf.hex()) != seq:
                break
            if len(line) > MAX_LINE or (seq and _prev(line) != end.hex()):
                raise self._other()
            if seq == self.seen - 1 and leaf.hex() != self.leaf:
                raise self._other()
            end = leaf
            count += 1
        if came < self.seen:
            raise BehindError(f"the keeper has seen {self.seen} events of game {self.game.hex()[:12]}, and {came} came")
        return MissingLines(at, count)

    def _other(self) -> NotTakenError:
        return NotTakenError(f"this is another log of game {self.game.hex()[:12]} than the one that its keeper saw")


def _prev(line: bytes) -> str:
    try:
        return glance(line).prev
    except Failure:
        return ""


def _lines(log: IO[bytes], most: int) -> Iterator[bytes]:
    """Yield the first lines of a log."""
    log.seek(0)
    return islice(_rest(log), most)


def _rest(log: IO[bytes]) -> Iterator[bytes]:
    """Yield lines without line feeds; of one that is too long only its beginning, and it is too long as well."""
    while line := log.readline(MAX_LINE + 2):
        yield line.removesuffix(b"\n")
