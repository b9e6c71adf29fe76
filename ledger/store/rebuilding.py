"""The rebuilding of read tables from many logs at once (specs/decisions/0010-the-store-beside-eventsourcing.md).

Processes replay games and send back rows. The main process hands out logs and writes rows, and replays games itself
while the others are busy. It repeats whatever a process could not do, so that a log that does not hold is reported as
ever.
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
"""the number of lines below which no process is started, because starting one takes longer"""

PIECE = 1_000
"""the number of lines in one piece of work, made of several short games"""

LONG = 20_000
"""the number of lines above which a game is replayed here as it is read, so that no process holds it all"""

POLL = 64
"""the number of lines that are replayed here before the other processes are served again"""

_LINES = "SELECT line FROM events WHERE game = ? ORDER BY seq"

_NOT_DONE = b""


class _Rows:
    """Collected rows, by table."""

    def __init__(self) -> None:
        self.found: dict[str, list[Sequence[object]]] = {}

    def upsert(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        self.found.setdefault(table, []).extend(rows)


@contextmanager
def replaying(jobs: int, lines: int) -> Iterator[Workers | None]:
    """Give the processes beside this one that replay so many `lines`; None if it is quicker alone."""
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
    """writes the rows of a game (its id in hex) here, and calls the given function after each `POLL` lines"""

    def read(self, game: str) -> list[str]:
        """Return all lines of a game."""
        with self.database.reading():
            return [line for (line,) in self.database.execute(_LINES, (game,))]

    def write(self, table: str, rows: Sequence[Sequence[object]]) -> None:
        """Insert rows."""
        self.database.upsert(table, rows)


def rebuild(games: Mapping[str, int], logs: Logs, workers: Workers) -> None:
    """Write the rows of games, each game's derived by a process or here. Raises what `logs` raises.

    `games`: numbers of lines, by id.
    """
    _Rebuild(games, logs, workers).run()


class _Piece(NamedTuple):
    """Games for a process, and their lines in the encoding that is sent."""

    number: int
    games: list[str]
    work: bytes


class _Rebuild:
    def __init__(self, games: Mapping[str, int], logs: Logs, workers: Workers) -> None:
        self._logs = logs
        self._workers = workers
        self._here = [game for game, lines in games.items() if lines > LONG]
        """games that remain for this process"""
        self._pieces = dict(enumerate(_pieces(games)))
        """pieces that remain, by number; the longest games last"""
        self._ready: _Piece | None = None
        """the next piece, read in advance so that no process waits for it"""
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
        """Give waiting processes more work, then write what was done."""
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
        """Return the next piece; None if none remains."""
        if not self._pieces:
            return None
        number, games = self._pieces.popitem()
        return _Piece(number, games, msgspec.msgpack.encode([self._logs.read(game) for game in games]))


def _pieces(games: Mapping[str, int]) -> list[list[str]]:
    """Return the games for other processes in pieces, short games together; the longest last."""
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
    """Return the rows of games as msgpack, from lists of lines; `_NOT_DONE` if a line does not hold."""
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
