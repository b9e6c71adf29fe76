"""Replays of stored games that begin at a seat's snapshot instead of line 0 (specs/seats.md)."""

from collections.abc import Iterator

from ledger.seats.snapshots import Snapshot, Snapshots
from ledger.store.stored_logs import StoredLogs
from verifier import Replay, VerifierKey
from verifier.log.format import glance
from verifier.log.merkle import leaf_hash

__all__ = ["SnapshotStart", "SnapshotStarts"]


class SnapshotStart:
    """A snapshot from which the replay of a game began."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.game = snapshot.game
        self.key = snapshot.key.public_bytes
        self.size = snapshot.size
        self.head = snapshot.head
        self.linked = snapshot.size - 1
        """the number of the first line from which the stored lines are known to lead to its head"""


class SnapshotStarts:
    """The snapshots from which the replays in memory began, by game."""

    def __init__(self, logs: StoredLogs, snapshots: Snapshots | None) -> None:
        """`snapshots` are those of the seats here; None: every replay begins at line 0."""
        self._logs = logs
        self._snapshots = snapshots
        self._starts: dict[bytes, SnapshotStart] = {}

    def of(self, game: bytes) -> SnapshotStart | None:
        """Return the snapshot from which the replay of a game began; None if all its lines were replayed."""
        return self._starts.get(game)

    def set(self, game: bytes, start: SnapshotStart | None) -> None:
        """Record where the replay of a game began."""
        if start is None:
            self._starts.pop(game, None)
        else:
            self._starts[game] = start

    def clear(self) -> None:
        """Forget all of them."""
        self._starts.clear()

    def begin(self, game: bytes) -> Replay | None:
        """Return a game replayed from the latest fitting snapshot of a seat here; None if none fits."""
        if self._snapshots is None or not self._snapshots.keys(game):
            return None
        for snapshot in self._snapshots.of_seats_here(game, lambda seq: next(self._one(game, seq), b"")):
            replay = self._restore(snapshot)
            if replay is not None:
                self._starts[game] = SnapshotStart(snapshot)
                return replay
        return None

    def begin_own(self, game: bytes, size: int, key: VerifierKey) -> tuple[SnapshotStart | None, Replay]:
        """Return the seat's own snapshot of at most `size` lines, if it fits the log, and the replay from there."""
        found = None if self._snapshots is None or game not in self._starts else self._snapshots.of(game, key)
        if found is not None and found.size <= size and (replay := self._restore(found)) is not None:
            return SnapshotStart(found), replay
        return None, Replay()

    def check_linked(self, start: SnapshotStart | None, seq: int) -> None:
        """Check that the stored lines from number `seq` on lead to the snapshot. Raises StoreError."""
        if start is None or seq >= start.linked:
            return
        head = b""
        for number, line in enumerate(self._logs.lines(start.game, seq, start.size), seq):
            if number > seq and glance(line).prev != head.hex():
                raise self._logs.change_error(start.game, number - 1, "the line after it follows another")
            head = leaf_hash(line)
        if head != start.head:
            raise self._logs.change_error(start.game, start.size - 1, "it is not what was appended")
        start.linked = seq

    def _one(self, game: bytes, seq: int) -> Iterator[bytes]:
        return self._logs.lines(game, seq, seq + 1)

    def _restore(self, snapshot: Snapshot) -> Replay | None:
        """Return the replay of a snapshot; None if the stored log does not fit it."""
        line = next(self._one(snapshot.game, snapshot.size - 1), None)
        if line is None or leaf_hash(line) != snapshot.head:
            return None
        return snapshot.restore(next(self._one(snapshot.game, 0)))
