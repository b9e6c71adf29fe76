"""A game as a party sees it; and one held in memory, from its lines: what a party on another machine sees of it."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from verifier import Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.merkle import leaf_hash

__all__ = ["LogView", "View"]


class View(Protocol):
    """A game as a party sees it."""

    @property
    def replay(self) -> Replay:
        """The game's events, replayed."""

    @property
    def checkpoint(self) -> SignedCheckpoint | None:
        """The keeper's that came with the lines, not yet looked at; None where there is none."""

    @property
    def trusted(self) -> int:
        """Return the number of lines that the replay took unverified; it has verified those after them."""

    def leaf(self, seq: int) -> bytes:
        """Return the leaf hash of line `seq`."""

    def lines(self, start: int) -> Iterator[bytes]:
        """Return the lines of the replay from number `start` on, without their line feeds."""

    def stands_for(self, key: VerifierKey) -> bool:
        """Return True if the replay rests on lines, or on a snapshot by the seat with this key, not another's."""

    def verify(self, start: int, key: VerifierKey) -> None:
        """Verify the lines from number `start` on; those before are trusted. Raises where one does not hold.

        For the seat with this key, which has verified the lines before `start`: the replay stands for it then.
        """


class LogView:
    """Lines without their line feeds, verified as they come. Serves as a `View`."""

    trusted = 0

    def __init__(self, lines: Iterable[bytes] = (), checkpoint: SignedCheckpoint | None = None) -> None:
        """Raises verifier.Failure where a line does not hold."""
        self.replay = Replay()
        self.checkpoint = checkpoint
        self._lines: list[bytes] = []
        for line in lines:
            self.append(line)

    def append(self, line: bytes) -> None:
        """Take the next line. Raises verifier.Failure, and is then unchanged."""
        self.replay.step(line)
        self._lines.append(line)

    def leaf(self, seq: int) -> bytes:
        """Return the leaf hash of line `seq`, 32 bytes."""
        return leaf_hash(self._lines[seq])

    def lines(self, start: int) -> Iterator[bytes]:
        """Return the lines from number `start` on."""
        return iter(self._lines[start:])

    def stands_for(self, key: VerifierKey) -> bool:  # noqa: ARG002
        """Return False: this view has no snapshots."""
        return True

    def verify(self, start: int, key: VerifierKey) -> None:
        """Do nothing: the lines were verified on arrival."""
