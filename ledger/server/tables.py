"""The store of tables: terms, seats, starts and tokens (specs/network.md, "The table").

Signed objects are stored byte for byte; of tokens only hashes are stored.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, NamedTuple

from ledger.store.storage import Storage
from verifier import VerifierKey

__all__ = ["AccessRow", "TableRow", "Tables"]

TABLES_KIND = int.from_bytes(b"RpTb", "big")


_OPENS_GAME = """
SELECT (SELECT deleted FROM tables WHERE game = ?),
       (SELECT party FROM party_tokens WHERE digest = ? AND game = ?),
       (SELECT 1 FROM link_tokens JOIN tables ON tables.id = table_id WHERE digest = ? AND game = ?)"""


class TableRow(NamedTuple):
    """A stored table. Ids are hex."""

    id: str
    terms: str
    start: str | None
    """the host's signed start"""
    game: str | None
    deleted: bool


class AccessRow(NamedTuple):
    """The access that a token gives."""

    party: str | None
    """the party, if it signed for the token"""
    deleted: bool = False
    """the host had the table deleted"""


class Tables:
    """The tables of a server. Any thread may use it."""

    def __init__(self, storage: Storage) -> None:
        """The owner of the storage closes it. Raises StoreError."""
        self._database = storage
        self._database.create("tables")
        self._turn = RLock()
        self.changes = 0
        """how often tables were deleted here: what tokens opened before may open nothing any more"""

    def get(self, table: str) -> TableRow | None:
        """Return the table with this id."""
        return self._one("id", table)

    def of_game(self, game: str) -> TableRow | None:
        """Return the table of a game; None without one."""
        return self._one("game", game)

    def deleted_games(self) -> set[str]:
        """Return the games of tables that were deleted."""
        return {row[0] for row in self._read("SELECT game FROM tables WHERE deleted = 1 AND game IS NOT NULL")}

    def unstarted(self) -> list[TableRow]:
        """Return the tables that have not begun."""
        rows = self._read("SELECT * FROM tables WHERE start IS NULL AND deleted = 0")
        return [_row(row) for row in rows]

    def seats(self, table: str) -> list[str]:
        """Return the signed seats, in the order in which they were taken."""
        return [row[0] for row in self._read("SELECT seat FROM seats WHERE table_id = ? ORDER BY id", table)]

    def add(self, table: str, terms: str, digests: list[str]) -> bool:
        """Keep the terms of a new table, and the hashes of its links' tokens; whether it is new."""
        with self._writing(table):
            new = self._database.execute(
                "INSERT INTO tables (id, terms) VALUES (?, ?) ON CONFLICT DO NOTHING", (table, terms)
            )
            if not new.rowcount:
                return False
            for digest in digests:
                self._database.execute("INSERT INTO link_tokens VALUES (?, ?)", (digest, table))
        return True

    def sit(
        self, table: str, seat: str, key: VerifierKey, address: str, most: int, *, named: bool = True
    ) -> bool | None:
        """Keep a seat; whether it is new, None where this address has taken `most`. Without `named` it takes no name.

        The name must be free, or this key's, and the key none that was taken out: that is for the caller to say, where
        this is not so.
        """
        whose = hashlib.sha256(f"{table}\n{address}".encode()).hexdigest()
        with self._writing(table):
            known = self._database.execute(
                "SELECT 1 FROM seats WHERE table_id = ? AND (name = ? OR key = ?)",
                (table, key.name if named else "", str(key)),
            ).fetchall()
            if known or self._is_unseated(table, key):
                return False
            taken = self._database.execute(
                "SELECT COUNT(*) FROM seats WHERE table_id = ? AND whose = ?", (table, whose)
            ).fetchall()
            if taken[0][0] >= most:
                return None
            self._database.execute(
                "INSERT INTO seats (table_id, name, key, seat, whose) VALUES (?, ?, ?, ?, ?)",
                (table, key.name, str(key), seat, whose),
            )
        return True

    def unseat(self, table: str, key: VerifierKey, most: int) -> bool:
        """Bar a key from the table, and free its seat; False if `most` keys are barred already."""
        with self._writing(table):
            if self._is_unseated(table, key):
                return True
            count = self._database.execute("SELECT COUNT(*) FROM unseated WHERE table_id = ?", (table,)).fetchall()
            if count[0][0] >= most:
                return False
            self._database.execute("INSERT INTO unseated VALUES (?, ?)", (table, key.public_bytes.hex()))
            for identifier, held in self._database.execute(
                "SELECT id, key FROM seats WHERE table_id = ?", (table,)
            ).fetchall():
                if VerifierKey.parse(held).public_bytes == key.public_bytes:
                    self._database.execute("DELETE FROM seats WHERE id = ?", (identifier,))
        return True

    def is_unseated(self, table: str, key: VerifierKey) -> bool:
        """Return True if the host has barred this key."""
        return bool(self._read("SELECT 1 FROM unseated WHERE table_id = ? AND key = ?", table, key.public_bytes.hex()))

    def _is_unseated(self, table: str, key: VerifierKey) -> bool:
        found = self._database.execute(
            "SELECT 1 FROM unseated WHERE table_id = ? AND key = ?", (table, key.public_bytes.hex())
        )
        return bool(found.fetchall())

    def invites(self, table: str) -> list[str]:
        """Return the signed invitations that replaced links, in the order in which they came."""
        return [row[0] for row in self._read("SELECT invite FROM invites WHERE table_id = ? ORDER BY id", table)]

    def invite(self, table: str, invite: str, digest: str) -> None:
        """Keep a new link, and the hash of its token."""
        with self._writing(table):
            self._database.execute("INSERT INTO invites (table_id, invite) VALUES (?, ?)", (table, invite))
            self._database.execute(
                "INSERT INTO link_tokens (digest, table_id) VALUES (?, ?) ON CONFLICT DO NOTHING", (digest, table)
            )

    def end_tokens(self, table: str, digests: Iterable[str]) -> None:
        """End the tokens of these links."""
        with self._writing(table):
            for digest in digests:
                self._database.execute("DELETE FROM link_tokens WHERE digest = ? AND table_id = ?", (digest, table))

    def start(self, table: str, start: str, game: str) -> bool:
        """Keep the start, and the game that was made from it, unless the table has started; whether it had not."""
        with self._writing(table):
            rows = self._database.execute(
                "UPDATE tables SET start = ?, game = ? WHERE id = ? AND start IS NULL AND deleted = 0",
                (start, game, table),
            )
            return rows.rowcount > 0

    def grant(self, game: str, party: str, token: bytes, most: int) -> None:
        """Let a party of a game read with this token, and with so many in all: others that it has are not good more."""
        with self._writing(game):
            of_party = "SELECT digest FROM party_tokens WHERE game = ? AND party = ?"
            known = self._database.execute(of_party, (game, party)).fetchall()
            for (digest,) in known[: max(0, len(known) + 1 - most)]:
                self._database.execute("DELETE FROM party_tokens WHERE digest = ?", (digest,))
            self._database.upsert("party_tokens", [(_digest(token), game, party)])

    def opens_table(self, table: str, token: bytes | None) -> AccessRow | None:
        """Return the access that a token gives to a table; None for no access."""
        if token is None:
            return None
        rows = self._read("SELECT 1 FROM link_tokens WHERE digest = ? AND table_id = ?", _digest(token), table)
        if rows:
            return AccessRow(None)
        row = self.get(table)
        return None if row is None or row.game is None else self._opens_as_party(row.game, token)

    def opens_game(self, game: str, token: bytes | None) -> AccessRow | None:
        """Return the access that a token gives to a game; None for no access. A deleted game is marked so."""
        digest = "" if token is None else _digest(token)
        ((deleted, party, by_link),) = self._read(_OPENS_GAME, game, digest, game, digest, game)
        if deleted:
            return AccessRow(None, deleted=True)
        if party is None and not by_link:
            return None
        return AccessRow(party)

    def delete(self, table: str) -> None:
        """Keep nothing of a table but its id and its game's."""
        row = self.get(table)
        try:
            self._delete(table, row)
            self._database.forget_deleted()
        finally:
            self.changes += 1

    def _delete(self, table: str, row: TableRow | None) -> None:
        with self._writing(table, *([] if row is None or row.game is None else [row.game])):
            self._database.execute("DELETE FROM seats WHERE table_id = ?", (table,))
            for each in ("link_tokens", "invites", "unseated"):
                self._database.execute(f"DELETE FROM {each} WHERE table_id = ?", (table,))
            if row is not None and row.game is not None:
                self._database.execute("DELETE FROM party_tokens WHERE game = ?", (row.game,))
            self._database.execute("UPDATE tables SET terms = '', start = NULL, deleted = 1 WHERE id = ?", (table,))

    def _opens_as_party(self, game: str, token: bytes) -> AccessRow | None:
        rows = self._read("SELECT party FROM party_tokens WHERE digest = ? AND game = ?", _digest(token), game)
        return AccessRow(rows[0][0]) if rows else None

    def _one(self, column: str, value: str) -> TableRow | None:
        rows = self._read(f"SELECT * FROM tables WHERE {column} = ?", value)
        return _row(rows[0]) if rows else None

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self._database.read(statement, values)

    @contextmanager
    def _writing(self, *names: str) -> Iterator[None]:
        """Run the block as a transaction that writes to these tables and games, by their ids."""
        with self._turn, self._database.transaction(names):
            yield


def _row(row: tuple[Any, ...]) -> TableRow:
    return TableRow(row[0], row[1], row[2], row[3], bool(row[4]))


def _digest(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()
