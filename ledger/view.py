"""A game as a party sees it; and one held in memory, from its lines: what a party on another machine sees of it."""

from collections.abc import Iterable
from typing import Protocol

from verifier import Replay
from verifier.chain import leaf_hash

__all__ = ["LogView", "View"]


class View(Protocol):
    """A game as a party sees it."""

    @property
    def replay(self) -> Replay:
        """The game's events, replayed."""

    def leaf(self, seq: int) -> bytes:
        """The leaf hash of line `seq`."""


class LogView:
    """Lines without their line feeds, verified as they come. Serves as a `ledger.seat.View`."""

    def __init__(self, lines: Iterable[bytes] = ()) -> None:
        """Raises verifier.Failure where a line does not hold."""
        self.replay = Replay()
        self._leaves: list[bytes] = []
        for line in lines:
            self.append(line)

    def append(self, line: bytes) -> None:
        """Take the next line. Raises verifier.Failure, and is then unchanged."""
        self.replay.step(line)
        self._leaves.append(leaf_hash(line))

    def leaf(self, seq: int) -> bytes:
        """The leaf hash of line `seq`, 32 bytes."""
        return self._leaves[seq]
