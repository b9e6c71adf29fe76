"""The contents of a store of games, and what one store lacks that another has (specs/guide/operating.md)."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from ledger.database.sqlite import open_to_read, reading

__all__ = ["FILES", "Contents", "Lacking", "contents_of_files", "read_contents"]

FILES = ("anchors.db", "events.db", "tables.db", "ledger.db")
"""the databases of a home, in the order in which they are copied: games last, so that a copied table has its game"""

_SIZES = "SELECT game, events FROM games"
_DELETED = "SELECT game FROM deleted"
_EVENTS = "SELECT event, count(*) FROM event_lines GROUP BY event"
_ANCHORS = "SELECT count(*) FROM anchors"


class Lacking(Struct, frozen=True):
    """A game, an event or an anchor log of which this store has less than another."""

    what: str
    """`game`, `event` or `anchors`"""
    id: str
    """hex; empty for the anchor log"""
    here: int
    """lines, or entries"""
    there: int


class Contents(Struct, frozen=True, forbid_unknown_fields=True):
    """The games and events of a store by id (hex), with their numbers of lines; deleted games; entries of the anchor
    log.
    """

    games: Mapping[str, int] = {}
    deleted: tuple[str, ...] = ()
    events: Mapping[str, int] = {}
    anchors: int = 0

    def lacks(self, other: "Contents") -> Iterator[Lacking]:
        """Yield what another store has, or has deleted, and this one has not. A game deleted here is not lacking."""
        gone = set(self.deleted)
        for game, there in sorted(other.games.items()):
            if self.games.get(game, 0) < there and game not in gone:
                yield Lacking("game", game, self.games.get(game, 0), there)
        for game in sorted(set(other.deleted) & set(self.games)):
            yield Lacking("game", game, self.games[game], 0)
        for event, there in sorted(other.events.items()):
            if self.events.get(event, 0) < there:
                yield Lacking("event", event, self.events.get(event, 0), there)
        if self.anchors < other.anchors:
            yield Lacking("anchors", "", self.anchors, other.anchors)


def read_contents(tables: set[str], read: Callable[[str], list[Any]]) -> Contents:
    """Return the contents of a store that has these `tables`; `read` executes a statement."""
    games = dict(read(_SIZES)) if "games" in tables else {}
    deleted = tuple(sorted(row[0] for row in read(_DELETED))) if "deleted" in tables else ()
    events = dict(read(_EVENTS)) if "event_lines" in tables else {}
    anchors = read(_ANCHORS)[0][0] if "anchors" in tables else 0
    return Contents(games, deleted, events, anchors)


def contents_of_files(folder: Path) -> Contents:
    """Return the contents of the SQLite files in a folder; missing files count as empty.

    Raises StoreError if a file cannot be read.
    """
    parts = []
    for path in (folder / name for name in FILES):
        if path.exists():
            with closing(open_to_read(path)) as connection, reading(path):
                rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                tables = {name for (name,) in rows}
                parts.append(read_contents(tables, lambda statement: connection.execute(statement).fetchall()))
    return Contents(
        {game: size for part in parts for game, size in part.games.items()},
        tuple(game for part in parts for game in part.deleted),
        {event: size for part in parts for event, size in part.events.items()},
        sum(part.anchors for part in parts),
    )
