"""Questions about all games of a store: which there are, and which wait for something."""

from collections.abc import Sequence

from ledger.errors import MissingError, UsageError
from ledger.store.statements import GAMES_AT_A_TIME, places
from ledger.store.stored_logs import StoredLogs
from verifier import VerifierKey

__all__ = ["GameCatalog"]


class GameCatalog:
    """The games of one database, as the read tables list them. All of it raises StoreError."""

    def __init__(self, logs: StoredLogs) -> None:
        self._read = logs.read

    def games(self) -> list[bytes]:
        """Return the ids of all games, in the order of their opening."""
        return [bytes.fromhex(row[0]) for row in self._read("SELECT game FROM games ORDER BY opened, game")]

    def find(self, text: str) -> bytes:
        """Return the id of the game that `text` names: an id, its beginning (4 digits or more), or a title.

        Raises UsageError.
        """
        rows = self._read("SELECT game, title FROM games ORDER BY opened, game")
        ids = [game for game, _ in rows if game == text.lower()]  # a title cannot hide a game from its whole id
        if not ids:
            ids = [game for game, title in rows if title == text or (len(text) >= 4 and game.startswith(text.lower()))]
        if len(ids) == 1:
            return bytes.fromhex(ids[0])
        if ids:
            raise UsageError(f"{text!r} fits {len(ids)} games: {', '.join(i[:12] for i in ids)}. Give more of the id.")
        raise MissingError(f"there is no game {text!r} here", "games.list")

    def marks(self, games: Sequence[bytes]) -> dict[bytes, tuple[int, ...]]:
        """Return, for each game, numbers that grow with lines, checkpoint, openings and receipts. Raises StoreError."""
        found: dict[bytes, list[int]] = {game: [0, 0, 0, 0] for game in games}
        columns = (("games", "events"), ("checkpoints", "size"), ("openings", "number"), ("received", "number"))
        for start in range(0, len(games), GAMES_AT_A_TIME):
            part = [game.hex() for game in games[start : start + GAMES_AT_A_TIME]]
            for at, (table, column) in enumerate(columns):
                statement = f"SELECT game, MAX({column}) FROM {table} WHERE game IN ({places(part)}) GROUP BY game"
                for game, number in self._read(statement, *part):
                    found[bytes.fromhex(game)][at] = number
        return {game: tuple(numbers) for game, numbers in found.items()}

    def closed_before(self, time: str) -> list[bytes]:
        """Return the games whose last event is a close before a time. Raises StoreError."""
        rows = self._read("SELECT game FROM games WHERE phase = 'closed' AND changed < ?", time)
        return [bytes.fromhex(row[0]) for row in rows]

    def closed_games(self) -> list[bytes]:
        """Return all games that were closed. Raises StoreError."""
        return [bytes.fromhex(game) for (game,) in self._read("SELECT game FROM games WHERE phase = 'closed'")]

    def unfinished(self) -> dict[bytes, tuple[int, int, int]]:
        """Return the games in which a keeper may have something to sign: a line without checkpoint, or a pending roll.

        Each with its number of events, the number that its keeper has signed, and the number of openings for its last
        event. Raises StoreError.
        """
        rows = self._read(
            "SELECT game, events, coalesce(size, 0), (SELECT count(*) FROM openings "
            "WHERE openings.game = games.game AND request = head) FROM games LEFT JOIN checkpoints USING (game) "
            "WHERE phase IN ('pending', 'voided') OR coalesce(size, 0) < events ORDER BY opened, game"
        )
        return {bytes.fromhex(game): (events, signed, openings) for game, events, signed, openings in rows}

    def pending_with(self, judge: VerifierKey) -> dict[bytes, int]:
        """Return the games of a judge in which a roll is pending, and the number of its request. Raises StoreError."""
        rows = self._read(
            "SELECT game, events - 1 FROM games WHERE phase = 'pending' AND EXISTS "
            "(SELECT 1 FROM parties WHERE parties.game = games.game AND role = 'judge' AND key = ?)",
            str(judge),
        )
        return {bytes.fromhex(game): request for game, request in rows}

    def idle(self) -> set[bytes]:
        """Return the games that go on, and in which no roll waits. Raises StoreError."""
        return {bytes.fromhex(game) for (game,) in self._read("SELECT game FROM games WHERE phase = 'idle'")}

    def waiting(self) -> dict[bytes, int]:
        """Return each game in which a roll waits, with the number of its request. Raises StoreError."""
        rows = self._read("SELECT game, events - 1 FROM games WHERE phase = 'pending'")
        return {bytes.fromhex(game): request for game, request in rows}

    def not_seated(self, games: Sequence[bytes]) -> dict[bytes, tuple[str, ...]]:
        """Return, for each game that lacks any, the players who have neither joined nor left, in party order.

        Raises StoreError.
        """
        found: dict[bytes, tuple[str, ...]] = {}
        for start in range(0, len(games), GAMES_AT_A_TIME):
            part = [game.hex() for game in games[start : start + GAMES_AT_A_TIME]]
            statement = (
                f"SELECT game, party FROM parties WHERE game IN ({places(part)}) "
                "AND role = 'player' AND joined = 0 AND gone = 0 ORDER BY position"
            )
            for game, party in self._read(statement, *part):
                found[bytes.fromhex(game)] = (*found.get(bytes.fromhex(game), ()), party)
        return found
