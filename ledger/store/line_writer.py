"""Write lines to a store: each is replayed before, so that the stored log verifies."""

from ledger.errors import TurnError
from ledger.game.core import KeptGame
from ledger.store.game_database import GameDatabase
from ledger.store.game_view import GameView
from ledger.store.projections import project
from ledger.store.read_tables import ReadTables
from ledger.store.receipts import Keeper, Receipt
from verifier import Replay
from verifier.log.signatures import Check

__all__ = ["LineWriter", "check_keeper"]


class LineWriter:
    """Adds lines to the end of games and cuts them off, within a transaction."""

    def __init__(self, games: GameDatabase, tables: ReadTables) -> None:
        self._storage = games.storage
        self._cache = games.cache
        self._transactions = games.transactions
        self._tables = tables

    def append(
        self, kept: KeptGame, line: bytes, check: Check, now: str | None, keeper: Keeper | None = None
    ) -> Receipt:
        """Replay a line, and write it; `now` as in `KeptGame.offer`. `keeper` looks at it before it is stored.

        Raises RefusedError if the line does not hold; TurnError and what `keeper` raises.
        """
        replay = kept.replay
        before, head = (replay.session, replay.head.hex()) if replay.size else (None, "")
        event = kept.offer(line, now, check)
        self._transactions.writes.add_line(replay.game.hex(), event.seq, line, head)
        project(self._transactions.writes, replay, before, event)
        self._cache.add(kept)
        game = replay.terms.game
        if keeper is not None:
            try:
                check_keeper(replay, keeper)
                keeper.check(GameView(self._cache, replay, (line,)))
            except BaseException:
                self._cache.drop(game)  # the game in memory has this line
                raise
        return Receipt(game.hex(), event.seq, replay.head.hex(), replay.size, replay.tree.root().hex())

    def cut(self, game: bytes, size: int) -> KeptGame:
        """Keep only the first `size` lines of a game."""
        with self._storage.deleting("events"):
            self._storage.execute("DELETE FROM events WHERE game = ? AND seq >= ?", (game.hex(), size))
        self._tables.clear(game.hex())
        kept = KeptGame(self._tables.write(game.hex()))
        self._cache.restore(kept)
        self._cache.replace(kept)
        return kept


def check_keeper(replay: Replay, keeper: Keeper) -> None:
    """Check that this is the keeper of a game. Raises TurnError."""
    terms = replay.terms
    key = terms.keys[terms.keeper]
    if (key.name, key.public_bytes) != (keeper.key.name, keeper.key.public_bytes):
        raise TurnError(f"{keeper.key.name} with this key is not the keeper of game {terms.game.hex()[:12]}")
