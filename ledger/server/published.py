"""The store of published rolls: their links and proofs (specs/roll-proof.md)."""

from enum import Enum
from typing import NamedTuple

from ledger.lobby.published import Publish
from ledger.store.storage import Storage

__all__ = ["PublishOutcome", "PublishedRow", "PublishedStore"]

_ALL = "published"
"""what a transaction writes to: rolls are published, and taken back, one at a time"""

_COLUMNS = "id, game, party, request, names, proof, rulings, reason"


class PublishOutcome(Enum):
    """The outcome of publishing a roll."""

    NEW = "new"
    STANDS = "stands"
    ENDED = "ended"
    """its link was revoked, or its game deleted"""
    TAKEN_DOWN = "taken down"
    """the operator took the roll down, and shows it under no other link"""
    FULL = "full"
    """the game has as many links as it may have"""


class PublishedRow(NamedTuple):
    """A roll that was published. Ids are hex."""

    id: str
    game: str
    party: str
    request: int
    names: bool
    proof: bytes
    """empty: the link was revoked, or its game deleted"""
    rulings: int
    """about the roll, in its proof"""
    reason: str = ""
    """why the operator took it down; empty: nobody did"""


class PublishedStore:
    """The rolls that a server shows. Any thread may use it."""

    def __init__(self, storage: Storage) -> None:
        """The owner of the storage closes it. Raises StoreError."""
        self._database = storage
        storage.create("published")

    def get(self, roll: str) -> PublishedRow | None:
        """Return the roll with this id."""
        rows = self._database.read(f"SELECT {_COLUMNS} FROM published WHERE id = ?", (roll,))
        return _row(rows[0]) if rows else None

    def of_game(self, game: str) -> list[PublishedRow]:
        """Return the rolls of a game that are shown, in the order of publication."""
        statement = f"SELECT {_COLUMNS} FROM published WHERE game = ? AND proof <> '' ORDER BY number"
        return [_row(row) for row in self._database.read(statement, (game,))]

    def add(self, publish: Publish, proof: bytes, rulings: int, most: int) -> PublishOutcome:
        """Keep a roll with its proof, unless its game has `most` links."""
        with self._database.transaction([_ALL]):
            known = self._database.execute("SELECT proof FROM published WHERE id = ?", (publish.id,)).fetchall()
            if known:
                return PublishOutcome.STANDS if known[0][0] else PublishOutcome.ENDED
            taken = "SELECT 1 FROM published WHERE game = ? AND request = ? AND reason <> ''"
            if self._database.execute(taken, (publish.game, publish.request)).fetchall():
                return PublishOutcome.TAKEN_DOWN
            count = self._database.execute("SELECT COUNT(*) FROM published WHERE game = ?", (publish.game,)).fetchall()
            if count[0][0] >= most:
                return PublishOutcome.FULL
            self._database.execute(
                f"INSERT INTO published ({_COLUMNS}, signed) VALUES (?, ?, ?, ?, ?, ?, ?, '', ?)",
                (
                    *(publish.id, publish.game, publish.party, publish.request, int(publish.names)),
                    *(proof.decode(), rulings, bytes(publish).decode()),
                ),
            )
        return PublishOutcome.NEW

    def renew(self, roll: str, proof: bytes, rulings: int) -> None:
        """Keep another proof of a roll that is still shown."""
        with self._database.transaction([_ALL]):
            self._database.execute(
                "UPDATE published SET proof = ?, rulings = ? WHERE id = ? AND proof <> ''",
                (proof.decode(), rulings, roll),
            )

    def revoke(self, roll: str) -> None:
        """Show a roll no more; its id is kept, so that its link never comes back."""
        self._end("id = ?", roll)

    def take_down(self, roll: str, reason: str) -> list[str]:
        """Show a roll no more under any link, as the operator, and say why; the ids of its links that were shown.

        Asked again, it says another reason. None where no such roll was published, or its link was taken back.
        """
        with self._database.transaction([_ALL]):
            found = self._database.execute("SELECT game, request FROM published WHERE id = ?", (roll,)).fetchall()
            which = "game = ? AND request = ? AND (proof <> '' OR reason <> '')"
            rows = []
            if found:
                rows = self._database.execute(f"SELECT id FROM published WHERE {which}", found[0]).fetchall()
            if rows:
                ended = f"UPDATE published SET party = '', names = 0, signed = '', proof = '', reason = ? WHERE {which}"
                self._database.execute(ended, (reason, *found[0]))
        self._database.forget_deleted()
        return [str(row[0]) for row in rows]

    def forget(self, game: str) -> None:
        """Forget all rolls of a game."""
        self._end("game = ?", game)

    def _end(self, which: str, value: str) -> None:
        with self._database.transaction([_ALL]):
            self._database.execute(
                f"UPDATE published SET party = '', request = 0, names = 0, signed = '', proof = '' WHERE {which}"
                " AND reason = ''",
                (value,),
            )
        self._database.forget_deleted()


def _row(row: tuple[str, str, str, int, int, str, int, str]) -> PublishedRow:
    roll, game, party, request, names, proof, rulings, reason = row
    return PublishedRow(roll, game, party, request, bool(names), proof.encode(), rulings, reason)
