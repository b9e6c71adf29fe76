"""Read tables made again from many logs at once (specs/decisions/0010-the-store-beside-eventsourcing.md).

Processes replay games and give back rows. The one that asks for it hands out logs, writes rows, and replays too while
the others are busy. What a process could not do is done here, so that what does not hold is found and told as ever.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.store.projections import Rebuilding
from verifier import Failure, Replay
from verifier.log.workers import Function, Workers

if TYPE_CHECKING:
    from ledger.store.storage import Storage

__all__ = ["FEW", "POLL", "Logs", "rebuild", "replaying"]

FEW = 4_000
"""lines for which no process is started: they are replayed sooner"""

PIECE = 1_000
"""lines that are a piece of work where games are shorter"""

LONG = 20_000
"""lines of a game that is replayed here, as it is read: nobody holds more of a log at once"""

POLL = 64
"""lines that are replayed here until the others are looked after again"""

_LINES = "SELECT line FROM events WHERE game = ? ORDER BY seq"

_NOT_DONE = b""


class _Rows:
    """Rows that are not written here, by table."""

    def __init__(self) -> None:
        self.found: dict[str, list[Sequence[object]]] = {}

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        self.found.setdefault(table, []).extend(rows)


@contextmanager
def replaying(jobs: int, lines: int) -> Iterator[Workers | None]:
    """The processes beside this one for so many `lines`; None where it is quicker alone."""
    if jobs < 2 or lines < FEW:
        yield None
        return
    workers = Workers(min(jobs - 1, lines // FEW), _make_replayer)
    try:
        yield workers
    finally:
        workers.close()


class Logs(NamedTuple):
    """The store, within a transaction."""

    database: "Storage"
    project: Callable[[str, Callable[[], None]], object]
    """makes the rows of a game (its id in hex) here, and calls what it is given after each `POLL` lines"""

    def read(self, game: str) -> list[str]:
        """All lines of a game."""
        with self.database.reading():
            return [line for (line,) in self.database.execute(_LINES, (game,))]

    def write(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Put rows in."""
        self.database.upsert(table, rows)


def rebuild(games: Mapping[str, int], logs: Logs, workers: Workers) -> None:
    """Have the rows of games written, each game's by a process or here. Raises what `logs` raises.

    `games`: numbers of lines, by id.
    """
    _Rebuild(games, logs, workers).run()


class _Piece(NamedTuple):
    """Games for a process, and their lines as they are sent."""

    number: int
    games: list[str]
    work: bytes


class _Rebuild:
    def __init__(self, games: Mapping[str, int], logs: Logs, workers: Workers) -> None:
        self._logs = logs
        self._workers = workers
        self._here = [game for game, lines in games.items() if lines > LONG]
        """what is left for this process"""
        self._pieces = dict(enumerate(_pieces(games)))
        """what is left, by number; the longest games last"""
        self._ready: _Piece | None = None
        """the next, so that no process waits while it is read"""
        self._given: dict[int, list[str]] = {}

    def run(self) -> None:
        while True:
            self._look_after()
            if not self._here and self._pieces:
                self._here += self._pieces.pop(min(self._pieces))
            elif not self._here and self._ready:
                self._here += self._ready.games
                self._ready = None
            if self._here:
                self._logs.project(self._here.pop(), self._look_after)
            elif self._workers.busy:
                self._look_after(None)
            else:
                return

    def _look_after(self, timeout: float | None = 0) -> None:
        """Write what the processes have done, when those that wait have more."""
        done = self._workers.wait(timeout) if self._workers.busy else []
        while self._workers.room and (piece := self._ready or self._read()):
            self._given[piece.number] = piece.games
            self._workers.submit(piece.number, piece.work)
            self._ready = None
        for number, result in done:
            games = self._given.pop(number)
            if not result:
                self._here += games
                continue
            for table, rows in msgspec.msgpack.decode(result).items():
                self._logs.write(table, rows)
        self._ready = self._ready or self._read()

    def _read(self) -> _Piece | None:
        """The next piece; None where none is left."""
        if not self._pieces:
            return None
        number, games = self._pieces.popitem()
        return _Piece(number, games, msgspec.msgpack.encode([self._logs.read(game) for game in games]))


def _pieces(games: Mapping[str, int]) -> list[list[str]]:
    """The games that a process can have, together as far as they are short; the longest last."""
    pieces: list[list[str]] = []
    room = 0
    for game, lines in sorted(games.items(), key=lambda each: each[1]):
        if lines > LONG:
            break
        if lines > room:
            pieces.append([])
            room = PIECE
        pieces[-1].append(game)
        room -= lines
    return pieces


def _make_replayer() -> Function:
    return _rows_of


def _rows_of(logs: bytes) -> bytes:
    """The rows of games, of lists of lines, as msgpack; nothing where a line does not hold."""
    rows = _Rows()
    try:
        for lines in msgspec.msgpack.decode(logs, type=list[list[str]]):
            replay = Replay()
            making = Rebuilding(rows, replay)
            for line in lines:
                making.take(replay.follow(line.encode()))
            making.write()
    except Failure:
        return _NOT_DONE
    return msgspec.msgpack.encode(rows.found)
