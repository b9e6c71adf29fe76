"""Tokens that open an event, and its players' names (specs/event.md, "At a server"). Only hashes are stored."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import RLock

from ledger.store.storage import Storage

__all__ = ["EventTokenStore"]

_OPENS = "SELECT party FROM event_tokens WHERE event = ? AND digest = ?"
_OPENS_GAME = "SELECT t.party, t.event FROM event_tokens t JOIN event_games g ON g.event = t.event WHERE g.game = ? "


class EventTokenStore:
    """The tokens of events. Any thread may use it."""

    def __init__(self, storage: Storage) -> None:
        """The owner of the storage closes it. Raises StoreError."""
        self._database = storage
        storage.create("event_tokens")
        self._turn = RLock()
        self.changes = 0
        """how often what tokens open was changed here"""

    def grant(self, event: str, digests: Iterable[tuple[str, str]], most: int) -> None:
        """Let parties read with tokens (party and SHA-256, hex), each with so many in all: its oldest end."""
        with self._changing(event):
            for party, digest in digests:
                self._database.execute(
                    "INSERT INTO event_tokens (event, digest, party) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    (event, digest, party),
                )
                self._database.execute(
                    "DELETE FROM event_tokens WHERE event = ? AND party = ? AND id NOT IN "
                    "(SELECT id FROM event_tokens WHERE event = ? AND party = ? ORDER BY id DESC LIMIT ?)",
                    (event, party, event, party, most),
                )

    def end(self, event: str, party: str) -> None:
        """End a party's tokens."""
        with self._changing(event):
            self._database.execute("DELETE FROM event_tokens WHERE event = ? AND party = ?", (event, party))

    def add_games(self, event: str, games: Iterable[str]) -> None:
        """Let the event's tokens open these games."""
        with self._changing(event):
            self._database.upsert("event_games", [(game, event) for game in games])

    @contextmanager
    def _changing(self, event: str) -> Iterator[None]:
        """Run the block as a transaction that changes what tokens of an event open."""
        with self._turn:
            try:
                with self._database.transaction([event]):
                    yield
            finally:
                self.changes += 1

    def opens(self, event: str, token: bytes | None) -> str | None:
        """Return the holder of a token; None if it opens nothing of this event."""
        found = self._look(event, token, _OPENS, event)
        return None if found is None else found[0]

    def opens_game(self, game: str, token: bytes | None) -> tuple[str, str] | None:
        """Return holder and event of a token; None if it opens nothing of this game."""
        return self._look(game, token, f"{_OPENS_GAME} AND t.digest = ?", game)

    def event_of(self, game: str) -> str | None:
        """Return the event that a game is of; None: of none."""
        rows = self._look(game, b"", "SELECT event, event FROM event_games WHERE game = ? AND '' <> ?", game)
        return None if rows is None else rows[1]

    def _look(self, topic: str, token: bytes | None, statement: str, first: str) -> tuple[str, str] | None:
        if token is None:
            return None
        rows = self._database.read(statement, (first, hashlib.sha256(token).hexdigest()))
        return (rows[0][0], rows[0][1] if len(rows[0]) > 1 else topic) if rows else None

    def names(self, event: str) -> bytes | None:
        """Return the names file, if it is here."""
        rows = self._database.read("SELECT names FROM event_names WHERE event = ?", (event,))
        return bytes(rows[0][0]) if rows else None

    def keep_names(self, event: str, names: bytes) -> None:
        """Replace the names file, and keep nothing of the earlier one."""
        with self._turn, self._database.transaction([event]):
            self._database.upsert("event_names", [(event, names)])
        self._database.forget_deleted()
