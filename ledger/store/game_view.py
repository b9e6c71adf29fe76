"""A stored game as a seat sees it, as of one moment."""

from collections.abc import Iterator, Sequence

from ledger.store.game_cache import GameCache
from verifier import Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint
from verifier.log.merkle import leaf_hash

__all__ = ["GameView"]


class GameView:
    """A replay of a stored game as of one moment. Serves as a `ledger.game.party_view.View`."""

    def __init__(self, cache: GameCache, replay: Replay, latest: Sequence[bytes] = ()) -> None:
        """Make a view of `replay`; `latest` are its last lines, including all that are not committed."""
        self._cache = cache
        self.replay = replay
        self._latest = latest
        self._start = cache.starts.of(replay.game)

    @property
    def game(self) -> bytes:
        """The game's id, 32 bytes."""
        return self.replay.terms.game

    def leaf(self, seq: int) -> bytes:
        """Return the leaf hash of line `seq`, 32 bytes."""
        if seq == self.replay.size - 1:
            return self.replay.head
        self._cache.starts.check_linked(self._start, seq)
        stored = self.replay.size - len(self._latest)
        line = self._latest[seq - stored] if seq >= stored else next(self._cache.logs.lines(self.game, seq, seq + 1))
        return leaf_hash(line)

    @property
    def checkpoint(self) -> SignedCheckpoint | None:
        """The latest checkpoint that is stored."""
        return self._cache.logs.checkpoint(self.game)

    @property
    def trusted(self) -> int:
        """The number of lines that this program took from the store without verifying them."""
        return min(self._cache.trusted(self.game), self.replay.size)

    def lines(self, start: int) -> Iterator[bytes]:
        """Yield the lines of the replay from number `start` on. Raises StoreError if the stored lines are others."""
        self._cache.starts.check_linked(self._start, start)
        yield from self.stored_lines(start)

    def stored_lines(self, start: int) -> Iterator[bytes]:
        """Yield the stored lines from number `start` on, unchecked; the caller checks them."""
        stored = self.replay.size - len(self._latest)
        yield from self._cache.logs.lines(self.game, start, stored)
        yield from self._latest[max(0, start - stored) :]

    def stands_for(self, key: VerifierKey) -> bool:
        """Return whether the replay began at line 0, or at a snapshot of the seat with this key."""
        return self._start is None or self._start.key == key.public_bytes

    def verify(self, start: int, key: VerifierKey) -> None:
        """Verify the lines from number `start` on: steps 4 to 23. Raises StoreError if one does not hold."""
        self.replay, self._start = self._cache.verify(self.game, self.replay.head, self.stored_lines, start, key)
