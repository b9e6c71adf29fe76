"""Tables on servers that a home knows, lines that are still to be sent, and evidence.

    HOME/remotes/TABLE.json          a table that has not started: address, token, links. Secrets: mode 0600
    HOME/remotes/GAME.json           one that has, or a game without a table
    HOME/remotes/GAME/LEAF.line      a line that was offered, until the keeper's checkpoint covers it
    HOME/evidence/GAME-DIGEST/        invalid data that a server showed

Several programs may use one home: each file is written under another name, and then renamed.
"""

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp

import msgspec
from msgspec import Struct

from ledger.errors import StoreError, UsageError
from ledger.home import Home
from ledger.lobby import InvitedRole
from rules.data.text import one_line
from verifier.log.merkle import leaf_hash

__all__ = ["Remote", "Remotes"]


class Remote(Struct, frozen=True, forbid_unknown_fields=True):
    """A table or game on a server. Ids and the token are hex."""

    address: str
    token: str
    table: str | None = None
    terms: str | None = None
    """the line of the terms"""
    game: str | None = None
    """the id of the game; None before the start"""
    links: Mapping[InvitedRole, str] = {}
    """links that were made or used in this home"""
    host: str | None = None
    """the identity of this home that opened the table"""

    @property
    def title(self) -> str:
        """The title in the terms; empty without one."""
        title = msgspec.json.decode(self.terms).get("title", "") if self.terms else ""
        return title if isinstance(title, str) else ""


class Remotes:
    """The tables on servers that a home knows."""

    def __init__(self, home: Home) -> None:
        self._folder = home.root / "remotes"
        self._evidence = home.root / "evidence"

    def save(self, remote: Remote) -> None:
        """Save a table. Links, host and game that were saved before are kept."""
        old = self.of_table(remote.table) if remote.table else None
        if old is not None:
            host = remote.host or old.host
            remote = msgspec.structs.replace(remote, links={**old.links, **remote.links}, host=host)
            remote = remote if remote.game else msgspec.structs.replace(remote, game=old.game)
        assert remote.game or remote.table
        self._write(self._folder / f"{remote.game or remote.table}.json", msgspec.json.encode(remote))
        if remote.game and remote.table:
            (self._folder / f"{remote.table}.json").unlink(missing_ok=True)

    def set_token(self, game: bytes, token: bytes) -> None:
        """Replace the token that reads a game."""
        remote = self.of_game(game)
        assert remote is not None
        self._write(
            self._folder / f"{game.hex()}.json",
            msgspec.json.encode(msgspec.structs.replace(remote, token=token.hex())),
        )

    def all(self) -> Iterator[Remote]:
        """Yield all saved tables and games."""
        for path in sorted(self._folder.glob("*.json")):
            found = self._read(path)
            if found is not None:
                yield found

    def of_game(self, game: bytes) -> Remote | None:
        """Return the saved entry of a game; None for a game on no server."""
        return self._read(self._folder / f"{game.hex()}.json")

    def of_table(self, table: str) -> Remote | None:
        """Return the saved entry of a table, by the table's id (hex)."""
        return self._read(self._folder / f"{table}.json") or next((r for r in self.all() if r.table == table), None)

    def find(self, text: str) -> Remote | None:
        """Find a table or game by its id (4 digits or more), title, or link. Raises UsageError if several match."""
        found = [remote for remote in self.all() if _means(text, remote)]
        if len(found) > 1:
            told = ", ".join(str(remote.table or remote.game)[:12] for remote in found)
            raise UsageError(f"{text!r} fits {len(found)} tables: {told}. Give more of the id.")
        return found[0] if found else None

    # --- lines to be sent ------------------------------------------------------------------------------------------

    def keep(self, game: bytes, line: bytes) -> None:
        """Keep a line until `drop`: durable when this returns."""
        self._write(self._line(game, line), line)

    def drop(self, game: bytes, line: bytes) -> None:
        """Delete a kept line, which was taken, or never can be."""
        self._line(game, line).unlink(missing_ok=True)

    def kept(self, game: bytes) -> list[bytes]:
        """Return the lines that are still to be sent, the oldest first."""
        found = []
        for path in (self._folder / game.hex()).glob("*.line"):
            try:
                found.append((path.stat().st_mtime_ns, path.read_bytes()))
            except FileNotFoundError:  # another program has just sent the line
                continue
        return [line for _, line in sorted(found)]

    def _line(self, game: bytes, line: bytes) -> Path:
        return self._folder / game.hex() / f"{leaf_hash(line).hex()}.line"

    # --- evidence --------------------------------------------------------------------------------------------------

    def keep_evidence(self, game: bytes, files: Mapping[str, bytes]) -> Path:
        """Store what a server showed; return the folder. Equal evidence is stored once."""
        digest = sha256(b"".join(name.encode() + b"\0" + sha256(files[name]).digest() for name in sorted(files)))
        folder = self._evidence / f"{game.hex()[:12]}-{digest.hexdigest()[:12]}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for name, data in files.items():
                (folder / name).write_bytes(data)
        except OSError as error:
            raise StoreError(f"{self._evidence} cannot be written: {error.strerror}") from None
        return folder

    # --- files -----------------------------------------------------------------------------------------------------

    def _read(self, path: Path) -> Remote | None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=Remote)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.DecodeError) as error:
            raise StoreError(f"{path} cannot be read: {one_line(str(error))}") from None

    def _write(self, path: Path, data: bytes) -> None:
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            number, part = mkstemp(prefix=".", dir=path.parent)  # mode 0600
            with os.fdopen(number, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(part).replace(path)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror}") from None


def _means(text: str, remote: Remote) -> bool:
    ids = [id_ for id_ in (remote.table, remote.game) if id_]
    return (len(text) >= 4 and any(id_.startswith(text.lower()) for id_ in ids)) or (
        text != "" and (text == remote.title or text in remote.links.values())
    )
