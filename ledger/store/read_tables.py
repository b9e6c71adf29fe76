"""The read tables of a store, made from the logs: of one game, or of all of them anew."""

from collections.abc import Callable

from ledger.store.game_database import GameDatabase
from ledger.store.projections import READ_TABLES, Rebuilding
from ledger.store.rebuilding import POLL, Logs, rebuild, replaying
from verifier import Failure, Replay

__all__ = ["ReadTables"]


class ReadTables:
    """The rows that are derived from the lines of games."""

    def __init__(self, games: GameDatabase) -> None:
        self._storage = games.storage
        self._logs = games.logs
        self._transactions = games.transactions

    def rebuild(self, jobs: int = 1) -> int:
        """Rebuild the read tables, as `Ledger.rebuild` does."""
        counted = "SELECT game, COUNT(*) FROM events GROUP BY game"
        lines = sum(row[1] for row in self._logs.read(counted))
        # The processes begin before the transaction, so that none of them inherits the database's lock.
        with replaying(jobs, lines) as workers, self._transactions.writing():
            games: dict[str, int] = dict(self._storage.execute(counted).fetchall())
            for table in READ_TABLES:
                self._storage.execute(f"DROP TABLE IF EXISTS {table}")  # fixed names
            self._storage.define("read_tables")
            if workers is None:
                for game in games:
                    self.write(game)
            else:
                rebuild(games, Logs(self._storage, self.write), workers)
        return len(games)

    def write(self, game: str, look_after: Callable[[], None] | None = None) -> Replay:
        """Write the rows of a game (hex) that has none, and return its replay. `look_after` is called now and then."""
        replay, id_ = Replay(), bytes.fromhex(game)
        rows = Rebuilding(self._storage, replay)
        for line in self._logs.written(id_, 0):
            try:
                rows.take(replay.follow(line))
            except Failure as failure:
                raise self._logs.change_error(id_, replay.size, failure) from None
            if look_after is not None and replay.size % POLL == 0:
                look_after()
        rows.write()
        return replay

    def clear(self, game: str) -> None:
        """Delete the rows of a game (hex), within a transaction."""
        for table in READ_TABLES:
            self._storage.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # fixed names
