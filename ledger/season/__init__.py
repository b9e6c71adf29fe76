"""A season as data: verified games as Parquet (specs/luck.md, "A season as data"). Needs the extra `season`."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

from msgspec import to_builtins

from ledger.errors import MissingError, UsageError
from ledger.season.places import Folder
from ledger.season.rows import SeasonRows
from verifier.shell.files import is_address

if TYPE_CHECKING:
    from pyarrow import Schema, Table

__all__ = ["CHUNK", "FORMAT", "TABLES", "Season", "is_season"]

FORMAT = "rollproof/season/v1"
MARK = "season.json"
"""the file that marks a folder as the data of a season"""
TABLES = ("games", "rolls", "dice", "rulings")
CHUNK = 5_000
"""games whose rows are in memory at a time"""
NO_DAY = "__HIVE_DEFAULT_PARTITION__"
"""the day of a log whose event 0 does not hold, in the notation of Hive"""


class _Place(NamedTuple):
    """A partition."""

    event: str
    day: str

    def of(self, table: str) -> str:
        return f"{table}/event={quote(self.event, safe=' ')}/day={self.day}/part.parquet"


def is_season(place: str) -> bool:
    """Return whether this is the folder of a season, or storage at an address with one.

    Raises UsageError, NoteError.
    """
    if is_address(place):
        return not place.startswith(("http://", "https://")) and Folder(place).has(MARK)
    return (Path(place) / MARK).is_file()


class Season:
    """A folder of Parquet files, one for each table, event and day."""

    def __init__(self, place: str | Path, *, make: bool = False) -> None:
        """Open the data at `place`: a folder, or storage at an address. With `make`, begin them if none are there.

        All methods raise UsageError, MissingError, OSError or NoteError.
        """
        self.folder = Folder(place)
        there = self.folder.has(MARK)
        if make and not there:
            if not self.folder.is_free:
                raise UsageError(f"{place}: this is there already, and no season's data; name an empty or new folder")
            self.folder.write(MARK, f'{{"format": "{FORMAT}"}}\n'.encode())
        elif not there:
            raise MissingError(f"{place}: there is no season's data here")
        if f'"{FORMAT}"'.encode() not in self.folder.read(MARK):
            raise UsageError(f"{place}: its data have another format than {FORMAT}; export the logs again")

    def add(self, event: str, rows: Sequence[SeasonRows]) -> list[tuple[str, str, str]]:
        """Write the rows of some logs, each game once, and replace earlier rows of the same games and files.

        Of several logs of one game that hold, the longest counts, of equally long ones the first; a stored log is
        replaced unless it is longer. Returns the forks: game, and two files of equal length with different histories.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        held, forked = self._chosen(rows)
        beside = [row for row in rows if row.verdict != "holds"]
        files = pa.array([row.file for row in rows], pa.string())
        games = pa.array([row.game for row in held], pa.string())
        new: dict[_Place, list[SeasonRows]] = {}
        for row in (*held, *beside):
            new.setdefault(_Place(event, (row.opened or NO_DAY)[:10] if row.opened else NO_DAY), []).append(row)
        touched = set(new)
        known = self._known()
        stale = pc.or_kleene(pc.is_in(known["file"], files), pc.is_in(known["game"], games))
        stale_games = known.filter(stale)
        touched |= {_Place(e, d) for e, d in zip(*(stale_games[c].to_pylist() for c in ("event", "day")), strict=True)}
        replaced = stale_games.filter(pc.equal(stale_games["verdict"], "holds"))["game"].to_pylist()
        dropped = pa.concat_arrays([games, pa.array(replaced, pa.string())])
        for place in sorted(touched):
            for table, made in _tables(new.get(place, [])).items():
                if table != "games":
                    self._write(place, table, made, lambda old: pc.invert(pc.is_in(old["game"], dropped)))
        for place in sorted(touched):  # last: the other tables' rows count only with their game's row
            self._write(
                place,
                "games",
                _tables(new.get(place, []))["games"],
                lambda old: pc.invert(pc.or_(pc.is_in(old["file"], files), _is_held(old, games))),
            )
        return forked

    def table(self, name: str, columns: Sequence[str]) -> "Table":
        """Return columns of a table over all events and days; `event` and `day` are columns too. Raises UsageError."""
        import pyarrow as pa
        import pyarrow.dataset as ds

        schema = _schemas()[name]
        texts = [field.name for field in schema if field.type == pa.string() and field.name in columns]
        kind = ds.ParquetFileFormat(dictionary_columns=[name for name in texts if name not in ("body", "text", "file")])
        parts = ds.partitioning(pa.schema([("event", pa.string()), ("day", pa.string())]), flavor="hive")
        found = self.folder.parts(name)
        if not found:
            return schema.empty_table().select([c for c in columns if c in schema.names])
        try:
            table = self.folder.dataset(found, list(columns), format=kind, partitioning=parts)
            return table.unify_dictionaries()
        except (pa.ArrowException, KeyError) as error:
            text = f"{self.folder.place}: the table {name} cannot be read, export the logs again: {error}"
            raise UsageError(text) from None

    def _known(self) -> "Table":
        """Return the identifying columns of each stored log, one row each."""
        import pyarrow as pa

        names = ("file", "game", "verdict", "events", "root")
        parts = []
        for path in self.folder.parts("games"):
            part = self._read(path, names)
            event, day = (unquote(step.partition("=")[2]) for step in path.split("/")[-3:-1])
            for name, value in (("event", event), ("day", day)):
                part = part.append_column(name, pa.array([value] * part.num_rows, pa.string()))
            parts.append(part)
        schema = _schemas()["games"]
        empty = pa.schema([*(schema.field(name) for name in names), ("event", pa.string()), ("day", pa.string())])
        return pa.concat_tables(parts) if parts else empty.empty_table()

    def _chosen(self, rows: Iterable[SeasonRows]) -> tuple[list[SeasonRows], list[tuple[str, str, str]]]:
        """Return one log for each game that holds, and the pairs of logs of equal length that differ."""
        files = {row.file for row in rows}
        known = self._known().select(["file", "game", "verdict", "events", "root"]).to_pylist()
        before = {one["game"]: one for one in known if one["verdict"] == "holds" and one["file"] not in files}
        best, forked = dict[str, SeasonRows](), list[tuple[str, str, str]]()
        for row in rows:
            if row.verdict != "holds" or row.game is None:
                continue
            other = best.get(row.game)
            if (
                other is not None
                and (other.events, other.root) != (row.events, row.root)
                and other.events == row.events
            ):
                forked.append((row.game, other.file, row.file))
            if other is None or row.events > other.events:
                best[row.game] = row
        kept = []
        for game, row in best.items():
            old = before.get(game)
            if old is not None and old["events"] == row.events and old["root"] != row.root:
                forked.append((game, old["file"], row.file))
            if old is None or row.events >= old["events"]:
                kept.append(row)
        return kept, forked

    def _write(self, place: _Place, table: str, new: "Table", keeps: Any) -> None:
        """Put rows into a partition, and keep the old rows that `keeps` selects; all of it or nothing."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        path, there = place.of(table), False
        if self.folder.has(path):
            old, there = self._read(path), True
            new = pa.concat_tables([old.filter(keeps(old)), new])
        if new.num_rows:
            buffer = pa.BufferOutputStream()
            pq.write_table(new, buffer, compression="zstd")
            self.folder.write(path, buffer.getvalue())
        elif there:
            self.folder.remove(path)

    def _read(self, path: str, columns: Sequence[str] | None = None) -> "Table":
        """Return one file's rows, without the columns `event` and `day`."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.ParquetFile(pa.BufferReader(self.folder.read(path))).read(columns=columns)
        except pa.ArrowException as error:
            raise UsageError(f"{self.folder.place}: {path} cannot be read, export the logs again: {error}") from None


def _is_held(old: "Table", games: Any) -> Any:
    import pyarrow.compute as pc

    return pc.and_(pc.equal(old["verdict"], "holds"), pc.fill_null(pc.is_in(old["game"], games), False))


def _schemas() -> "dict[str, Schema]":
    import pyarrow as pa

    text, number, time = pa.string(), pa.int64(), pa.timestamp("us", "UTC")
    mine = [("game", text), ("root", text)]
    party = pa.struct([("name", text), ("role", text), ("key", text), ("called", text)])
    counts = [(name, number) for name in ("rolls", "dice", "rulings")]
    return {
        "games": pa.schema(
            [
                *(("file", text), ("verdict", text), *mine, ("events", number), ("valid_prefix", number)),
                *(("error", text), ("opened", time), ("system", text), ("title", text), ("keeper", text)),
                *(("keeper_key", text), ("parties", pa.list_(party)), *counts),
            ]
        ),
        "rolls": pa.schema(
            [
                *(*mine, ("request", number), ("type", text), ("body", text), ("player", text), ("player_key", text)),
                *(
                    ("asked", time),
                    ("ended", time),
                    ("how", text),
                    ("ended_by", text),
                    ("ended_by_key", text),
                    ("known", pa.bool_()),
                ),
                *(
                    ("hidden_by", pa.list_(text)),
                    ("dice", number),
                    ("without", pa.list_(text)),
                    ("taken_back", pa.bool_()),
                ),
            ]
        ),
        "dice": pa.schema(
            [
                *(*mine, ("request", number), ("die", number), ("sides", number), ("natural", number)),
                *(("player", text), ("player_key", text), ("keeper_key", text), ("how", text), ("ended_by_key", text)),
            ]
        ),
        "rulings": pa.schema(
            [
                *(*mine, ("event_number", number), ("time", time), ("judge", text), ("judge_key", text)),
                *(("ruling", text), ("subject", number), ("text", text)),
            ]
        ),
    }


def _tables(rows: Sequence[SeasonRows]) -> "dict[str, Table]":
    """Return the rows of some logs, as tables."""
    import pyarrow as pa

    made: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
    for row in rows:
        for name, found in _of_one(row):
            made[name].append(found)
    tables = {}
    for name, schema in _schemas().items():
        columns = zip(*made[name], strict=True) if made[name] else [()] * len(schema)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
        tables[name] = pa.Table.from_arrays(arrays, schema=schema)
    return tables


def _of_one(row: SeasonRows) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the rows of one log, each with the name of its table."""
    keys = {party.name: party.key for party in row.parties}
    mine = (row.game, row.root)
    counts = (len(row.throws), sum(len(throw.sides) for throw in row.throws), len(row.rulings))
    opened = None if row.opened is None else _time(row.opened)
    parties = [to_builtins(party) for party in row.parties]
    keeper = keys.get(row.keeper or "")
    about = (row.events, row.valid_prefix, row.error, opened, row.system, row.title, row.keeper, keeper, parties)
    yield "games", (row.file, row.verdict, *mine, *about, *counts)
    for throw in row.throws:
        who, by = (throw.player, keys[throw.player]), (throw.by, keys.get(throw.by or ""))
        asked = (throw.request, throw.type, throw.body, *who, _time(throw.asked), _time(throw.ended))
        found = (throw.known, list(throw.hidden_by), len(throw.sides), list(throw.without), throw.taken_back)
        yield "rolls", (*mine, *asked, throw.how, *by, *found)
        for number, (sides, natural) in enumerate(zip(throw.sides, throw.naturals, strict=True), 1):
            yield "dice", (*mine, throw.request, number, sides, natural, *who, keeper, throw.how, by[1])
    for ruling in row.rulings:
        columns = (ruling.judge, keys[ruling.judge], ruling.ruling, ruling.subject, ruling.text)
        yield "rulings", (*mine, ruling.event, _time(ruling.time), *columns)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
