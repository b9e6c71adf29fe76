"""The transactions of a store of games: who may write when, what is written together, and what a failure discards.

A writer holds the one lock from the look at a game to the commit, and may ask a seat while it holds it.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import RLock

from ledger.errors import MissingError, RefusedError, StoreError, UsageError
from ledger.store.game_cache import GameCache
from ledger.store.statements import GAMES_AT_A_TIME, fill_up
from ledger.store.storage import Storage
from ledger.store.writes import Writes

__all__ = ["Transactions"]

_ENDS = """WITH named (game) AS (VALUES {places})
SELECT named.game, (SELECT max(seq) + 1 FROM events WHERE events.game = named.game),
       (SELECT head FROM games WHERE games.game = named.game) FROM named"""
"""the number of lines of games, and the leaf hash of the last one"""


class _Group:
    """Several writes that form one transaction."""

    def __init__(self, games: frozenset[bytes] | None) -> None:
        self.games = games
        """the games that it may write to; None: any"""
        self.failed: BaseException | None = None
        """the error that made the group fail"""


class Transactions:
    """The writes to one database. `cache` has the games in memory, which are discarded when a transaction fails."""

    def __init__(self, database: Storage, cache: GameCache, writer: RLock) -> None:
        self.writer = writer
        self.writes = Writes()
        """what the current transaction is to write"""
        self._database = database
        self._cache = cache
        self._group: _Group | None = None

    @property
    def in_group(self) -> bool:
        """True within a `group`, where nothing is signed."""
        return self._group is not None

    @contextmanager
    def group(self, games: Iterable[bytes] | None = None, *, durable: bool = True) -> Iterator[None]:
        """Run the block as one transaction of several `adding`, as `Ledger.group` says. Raises StoreError."""
        named = None if games is None else frozenset(games)
        with self.writing(named, durable=durable):
            # Nobody else writes to these games meanwhile.
            version = self._database.version()
            self._group = _Group(named)
            try:
                with self._cache.at_version(version):
                    self._cache.pass_over(named or (), version)
                    yield
                if self._group.failed is not None:
                    raise self._group.failed
            except RefusedError as error:
                # Other games in memory are now ahead of the database.
                raise StoreError(f"nothing of the group was written: {error}") from error
            finally:
                self._group = None

    @contextmanager
    def looking(self, games: Iterable[bytes]) -> Iterator[None]:
        """Ask only once, for several looks at games, whether others have written."""
        with self.committed():
            version: int | None = None
            with suppress(StoreError):  # otherwise each look raises it
                version = self._database.version()
                self._cache.pass_over(games, version)
            with nullcontext() if version is None else self._cache.at_version(version):
                yield

    @contextmanager
    def writing(self, games: Collection[bytes] | None = None, *, durable: bool = True) -> Iterator[None]:
        """Run the block as a transaction that writes to `games`, or to any; nobody else writes to these meanwhile.

        If it fails, the games in memory may be ahead, and are discarded.
        """
        names = None if games is None else {game.hex() for game in games}
        with self.committed():
            self.writes = Writes()
            try:
                with self._database.transaction(names, durable=durable):
                    yield
                    self._check_ends()
                    self.writes.write(self._database)
            except RefusedError:
                raise  # a game that refuses a line is as it was
            except BaseException:
                self._cache.clear()
                raise
            self._database.tell(names or ())

    @contextmanager
    def adding(self, *games: bytes) -> Iterator[None]:
        """Run the block as a transaction that writes to `games`, or as part of a group's; a RefusedError or UsageError
        leaves nothing written.
        """
        with self.writer:
            group = self._group
            if group is None:
                with self.writing(games):
                    yield
                return
            assert group.games is None or group.games.issuperset(games), "the group has locked all that it writes to"
            try:
                yield
            except (RefusedError, UsageError):
                raise
            except BaseException as error:
                group.failed = error
                raise

    @contextmanager
    def committed(self) -> Iterator[None]:
        """Keep others from writing; within the block, the games in memory equal what is committed."""
        with self.writer:
            assert self._group is None, "within a group nothing is looked at or signed"
            yield

    def check_deleted(self, game: bytes) -> None:
        """Raise MissingError for a game that was deleted: it must not come back."""
        with self._database.reading():
            if self._database.execute("SELECT 1 FROM deleted WHERE game = ?", (game.hex(),)).fetchone():
                raise MissingError(f"game {game.hex()[:12]} was deleted here")

    def _check_ends(self) -> None:
        """Check that each stored log ends where the new lines of this transaction begin. Raises StoreError."""
        ends = self.writes.ends
        for start in range(0, len(ends), GAMES_AT_A_TIME):
            part = fill_up(list(ends)[start : start + GAMES_AT_A_TIME])
            statement = _ENDS.replace("{places}", ", ".join(["(?)"] * len(part)))
            with self._database.reading():
                rows = self._database.execute(statement, part).fetchall()
            for game, size, head in rows:
                seq, before = ends[game]
                if (size or 0, head or "") != (seq, before):
                    raise StoreError(
                        f"{self._database.name} was put back while it was in use: event {seq} of game {game[:12]} has "
                        f"nothing to stand upon there. Nothing was written."
                    )
