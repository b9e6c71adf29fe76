"""Find and take the lines that a store lacks after a restore (specs/network.md, "Catching up").

The keeper's memory identifies these lines: the leaf hash of the last line that it verified commits, by the chain, to
all lines before it. So lines that a client sends are hashed, and not verified a second time.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ledger.errors import BehindError, NotTakenError
from verifier import Failure
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash

__all__ = ["LackingGame"]


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

    def lines(self, log: bytes) -> Sequence[bytes]:
        """Return the missing lines of a log that begins with line 0; later lines are ignored.

        Raises NotTakenError for another log, BehindError for a log that is too short.
        """
        most = self.seen + len(self.signed)
        lines = log.removesuffix(b"\n").split(b"\n", most)[:most]
        if len(lines) < self.seen:
            raise BehindError(
                f"the keeper has seen {self.seen} events of game {self.game.hex()[:12]}, and {len(lines)} came"
            )
        end, found = self.head, lines[self.here :]
        for count, line in enumerate(found):
            leaf, seq = leaf_hash(line), self.here + count
            if seq >= self.seen and self.signed.get(leaf.hex()) != seq:
                return found[:count]
            if seq and _prev(line) != end.hex():
                raise self._other()
            if seq == self.seen - 1 and leaf.hex() != self.leaf:
                raise self._other()
            end = leaf
        return found

    def _other(self) -> NotTakenError:
        return NotTakenError(f"this is another log of game {self.game.hex()[:12]} than the one that its keeper saw")


def _prev(line: bytes) -> str:
    try:
        return glance(line).prev
    except Failure:
        return ""
