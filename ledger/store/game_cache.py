"""The games in memory: replays of stored games, brought up to date with what other processes have added.

Lines were verified when they were appended. A game in memory is dropped when the database no longer has its last line,
and read anew.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock

from ledger.errors import MissingError
from ledger.game.core import KeptGame
from ledger.store.snapshot_starts import SnapshotStart, SnapshotStarts
from ledger.store.statements import GAMES_AT_A_TIME, fill_up, places
from ledger.store.storage import Storage
from ledger.store.stored_logs import StoredLogs
from verifier import Failure, Replay, VerifierKey
from verifier.checkpoints.checkpoint import SignedCheckpoint, parse_checkpoint
from verifier.log.bodies import Opening

__all__ = ["GameCache"]


class GameCache:
    """The games of one database that are in memory. Whoever looks at one or changes one holds the `writer` lock."""

    def __init__(self, database: Storage, logs: StoredLogs, starts: SnapshotStarts, writer: RLock) -> None:
        self.logs = logs
        self.starts = starts
        self._database = database
        self._writer = writer
        self._kept: dict[bytes, tuple[KeptGame, int]] = {}
        """by game: the game in memory, and the version of the database that it is up to date with"""
        self._trusted: dict[bytes, int] = {}
        """by game: the number of its lines that were taken from the store without being verified"""
        self._fixed: int | None = None
        """the version of the database for all looks within one `at_version`"""

    # --- looking ---------------------------------------------------------------------------------------------------

    def look(self, game: bytes) -> KeptGame:
        """Return a game's current state. Raises MissingError if it is not here, StoreError if its lines changed."""
        with self._writer:
            kept = self.catch_up(game, snapshots=True)
            if kept.replay.size == 0:
                raise MissingError(f"there is no game {game.hex()[:12]} here")
            return kept

    def catch_up(self, game: bytes, *, snapshots: bool = False) -> KeptGame:
        """Return a stored game, brought up to date with what other processes have added; empty if there is none.

        Raises StoreError if the stored lines are no longer those that were appended: all of them, or with `snapshots`
        those after the snapshot.
        """
        version = self._version()
        if not snapshots and self.starts.of(game) is not None:
            self.drop(game)
        if game in self._kept and self._kept[game][1] != version:
            self._look_again(game, version)
        kept, known = self._kept.get(game) or (self._begin(game, snapshots=snapshots), None)
        if known == version:
            return kept
        with self._database.reading():
            row = self._database.execute("SELECT events, head FROM games WHERE game = ?", (game.hex(),)).fetchone()
        events, head = row or (0, "")
        replay, before = kept.replay, kept.replay.size if known is not None else 0
        for line in self.logs.written(game, replay.size):
            try:
                kept.follow(line)
            except Failure as failure:
                self.drop(game)
                raise self.logs.change_error(game, replay.size, failure) from None
        # Another process may have appended since the query: there can be more lines now, but never fewer.
        if replay.size < events or (replay.size == events and replay.head.hex() != head and events):
            self.drop(game)
            raise self.logs.change_error(game, replay.size, "it, or what follows it, is not what was appended")
        if replay.size:
            if replay.size > before:
                self._trusted[game] = replay.size
            self.restore(kept)
            self._kept[game] = kept, version
        return kept

    def _begin(self, game: bytes, *, snapshots: bool) -> KeptGame:
        """Return a game that is not in memory yet, as far as a snapshot has it."""
        replay = self.starts.begin(game) if snapshots else None
        return KeptGame() if replay is None else KeptGame(replay)

    def _look_again(self, game: bytes, version: int) -> None:
        """Mark a game in memory as current if nobody has written to it; drop it if an older copy was restored."""
        self.pass_over([game], version)
        kept, known = self._kept[game]
        if known == version:
            self.restore(kept)  # the checkpoint may have more cosignatures
        elif not self.logs.has_last_line(kept.replay):
            self.drop(game)

    def pass_over(self, games: Iterable[bytes], version: int) -> None:
        """Mark those of many games as current to which nobody has written. Raises StoreError."""
        stale = [game for game in games if game in self._kept and self._kept[game][1] != version]
        for start in range(0, len(stale), GAMES_AT_A_TIME):
            part = fill_up([game.hex() for game in stale[start : start + GAMES_AT_A_TIME]])
            statement = (
                "SELECT game, events, head, coalesce(size, 0) FROM games LEFT JOIN checkpoints USING (game) "
                f"WHERE game IN ({places(part)})"
            )
            pending: list[KeptGame] = []
            with self._database.reading():
                rows = self._database.execute(statement, part).fetchall()
            for game, *found in rows:
                kept = self._kept[bytes.fromhex(game)][0]
                replay, signed = kept.replay, 0 if kept.checkpoint is None else kept.checkpoint.head.size
                if found == [replay.size, replay.head.hex(), signed]:
                    self._kept[replay.game] = kept, version
                    pending += [kept] if replay.pending is not None else []
            if pending:
                self._restore_openings(pending)

    @contextmanager
    def at_version(self, version: int) -> Iterator[None]:
        """Let all looks within the block take the database to be at this version."""
        before, self._fixed = self._fixed, version
        try:
            yield
        finally:
            self._fixed = before

    def _version(self) -> int:
        return self._database.version() if self._fixed is None else self._fixed

    # --- loading what stands beside the lines ----------------------------------------------------------------------

    def restore(self, kept: KeptGame) -> None:
        """Load the checkpoint and the openings of a game."""
        game = kept.replay.game.hex()
        with self._database.reading():
            rows = self._database.execute("SELECT note FROM checkpoints WHERE game = ?", (game,)).fetchall()
        kept.checkpoint = parse_checkpoint(rows[0][0].encode()) if rows else None
        if kept.replay.pending is None:
            kept.restore(())
        else:
            self._restore_openings([kept])

    def _restore_openings(self, games: Sequence[KeptGame]) -> None:
        """Load the openings of games with a pending roll."""
        pending = {kept.replay.game.hex(): kept.replay.pending for kept in games}
        part, requests = fill_up([*pending]), fill_up([each.request.hex() for each in pending.values() if each])
        statement = (
            "SELECT game, author, link_index, link, sig FROM openings "
            f"WHERE game IN ({places(part)}) AND request IN ({places(part)}) ORDER BY number"
        )
        with self._database.reading():
            rows = self._database.execute(statement, (*part, *requests)).fetchall()
        found: dict[str, list[Opening]] = {}
        for game, *opening in rows:
            found.setdefault(game, []).append(Opening(*opening))
        for kept in games:
            kept.restore(found.get(kept.replay.game.hex(), ()))

    # --- changing --------------------------------------------------------------------------------------------------

    def add(self, kept: KeptGame) -> None:
        """Put a game that a line was appended to into memory, unless it is there."""
        game = kept.replay.terms.game
        if game not in self._kept:
            self._kept[game] = kept, self._database.version()

    def replace(self, kept: KeptGame) -> None:
        """Replace a game in memory; its lines are read from the store."""
        game = kept.replay.game
        self._kept[game] = kept, self._database.version()
        self._trusted[game] = kept.replay.size

    def set_checkpoint(self, checkpoint: SignedCheckpoint) -> None:
        """Give a game in memory the checkpoint that is to be stored."""
        if checkpoint.head.game in self._kept:
            self._kept[checkpoint.head.game][0].checkpoint = checkpoint

    def drop(self, game: bytes) -> None:
        """Discard the game in memory, so that it is read anew."""
        self._kept.pop(game, None)
        self.starts.set(game, None)

    def forget(self, game: bytes) -> None:
        """Discard the game in memory, and that its lines were trusted: it was deleted."""
        self.drop(game)
        self._trusted.pop(game, None)

    def clear(self) -> None:
        """Discard all games in memory."""
        self._kept.clear()
        self.starts.clear()
        self._trusted.clear()

    # --- trust -----------------------------------------------------------------------------------------------------

    def trusted(self, game: bytes) -> int:
        """Return the number of lines of a game that were taken from the store without being verified here."""
        return self._trusted.get(game, 0)

    def trust(self, game: bytes, size: int) -> None:
        """Record that the first `size` lines of a game were taken without being verified here."""
        self._trusted[game] = size

    def verify(
        self, game: bytes, head: bytes, lines: Callable[[int], Iterator[bytes]], start: int, key: VerifierKey
    ) -> tuple[Replay, SnapshotStart | None]:
        """Verify the lines of a game from line `start` on, up to the line with leaf hash `head`.

        `lines` yields the lines from a number on. The seat with this key has verified the lines before `start`: only
        its own snapshot may stand for them. Returns the replay, and that snapshot. Raises StoreError if a line does not
        hold.
        """
        own, replay = self.starts.begin_own(game, start, key)
        try:
            for line in lines(replay.size):
                replay.step(line) if replay.size >= start else replay.follow(line)
        except Failure as failure:
            raise self.logs.change_error(game, replay.size, failure) from None
        if replay.head != head:
            raise self.logs.change_error(game, replay.size, "it was changed meanwhile")
        # If a snapshot was used, the lines were verified for this seat only. Further lines may be stored after these.
        if self.starts.of(game) is None and self.trusted(game) <= replay.size:
            self._trusted[game] = min(start, self.trusted(game))
        self._go_on_from(replay, own)
        return replay, own

    def _go_on_from(self, replay: Replay, start: SnapshotStart | None) -> None:
        """If the replay of a game began at a snapshot, replace it by one that a seat has verified.

        Skipped while another thread holds the write lock.
        """
        game = replay.game
        if self.starts.of(game) is not None and self._writer.acquire(blocking=False):
            try:
                kept, _ = self._kept.get(game, (None, None))
                if kept is None or kept.replay.head != replay.head:
                    return
                kept.replay = replay.copy()
                self.starts.set(game, start)
            finally:
                self._writer.release()
