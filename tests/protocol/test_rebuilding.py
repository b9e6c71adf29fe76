"""Read tables made again by several processes: the same rows, and what does not hold is told as by one alone."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import StoreError
from ledger.store import rebuilding
from ledger.store.ledger import Ledger
from ledger.store.rebuilding import _make_replayer, _pieces, _rows_of
from tests.bench.scribe import game
from tests.support.table import dump
from verifier.log.workers import Workers, WorkResult

GAMES = 6


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database of some games."""
    path = tmp_path_factory.mktemp("rebuilding") / "ledger.db"
    ledger = Ledger(path)
    for number in range(GAMES):
        ledger.importer.import_log(game(20 + 6 * number)[0], name="game")
    ledger.close()
    return path.read_bytes()


@pytest.fixture
def store(stored: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ledger]:
    """Some games, so few that processes have to be asked for them all the same."""
    monkeypatch.setattr(rebuilding, "FEW", 1)
    monkeypatch.setattr(rebuilding, "PIECE", 40)
    path = tmp_path / "ledger.db"
    path.write_bytes(stored)
    ledger = Ledger(path)
    yield ledger
    ledger.close()


class Played:
    """What stands for processes, in this one: it does every piece, or none as if it had died, or takes none."""

    def __init__(self, *, dies: bool = False, room: int = GAMES) -> None:
        self.dies = dies
        self.left = room
        self.done: list[WorkResult] = []

    @property
    def room(self) -> bool:
        return self.left > 0

    @property
    def busy(self) -> bool:
        return bool(self.done)

    def submit(self, number: int, work: bytes) -> None:
        self.left -= 1
        self.done.append(WorkResult(number, None if self.dies else _rows_of(work)))

    def wait(self, timeout: float | None = None) -> list[WorkResult]:
        done, self.done = self.done, []
        return done

    def close(self) -> None:
        pass


def damage(store: Ledger) -> None:
    with sqlite3.connect(store.path) as connection:
        for table in ("games", "dice", "rolls", "parties"):
            assert connection.execute(f"DELETE FROM {table}").rowcount > 0
    connection.close()


def test_processes_make_the_rows_that_one_makes(store: Ledger) -> None:
    before = dump(store)
    damage(store)
    assert store.rebuild(2) == GAMES
    assert dump(store) == before


@pytest.mark.parametrize(
    "played", [Played(), Played(dies=True), Played(room=0), Played(room=2), Played(dies=True, room=1)]
)
def test_whoever_does_it_the_rows_are_the_same(store: Ledger, monkeypatch: pytest.MonkeyPatch, played: Played) -> None:
    before = dump(store)
    damage(store)
    monkeypatch.setattr(rebuilding, "Workers", lambda count, make: played)
    assert store.rebuild(2) == GAMES
    assert dump(store) == before


def test_a_game_that_is_too_long_for_a_message_is_replayed_here(store: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    before, played = dump(store), Played()
    damage(store)
    monkeypatch.setattr(rebuilding, "LONG", 30)
    monkeypatch.setattr(rebuilding, "POLL", 8)
    monkeypatch.setattr(rebuilding, "Workers", lambda count, make: played)
    assert store.rebuild(2) == GAMES
    assert GAMES - played.left in range(1, 3), "the short ones alone are given away"
    assert dump(store) == before


@pytest.mark.parametrize("statement", ["replace(line, 'Delina', 'Celina')", "line || char(10) || line"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_line_that_was_changed_is_told_and_nothing_is_written(store: Ledger, statement: str, jobs: int) -> None:
    with sqlite3.connect(store.path) as connection:
        connection.execute("DROP TRIGGER events_no_update")
        changed = f"UPDATE events SET line = {statement} WHERE game = ? AND seq = 9"
        assert connection.execute(changed, (store.catalog.games()[3].hex(),)).rowcount == 1
    connection.close()
    before = dump(store)
    with pytest.raises(StoreError, match=r"was changed by something else: event \d+ of game"):
        store.rebuild(jobs)
    assert dump(store) == before


def test_a_process_that_is_killed_costs_its_piece_alone(store: Ledger) -> None:
    workers = Workers(1, _make_replayer)
    try:
        (worker,) = workers._workers
        assert worker.process.pid is not None
        os.kill(worker.process.pid, 9)
        workers.submit(0, b"\x90")
        assert workers.wait() == [WorkResult(0, None)]
        workers.submit(1, b"\x90")  # no games
        assert workers.wait() == [WorkResult(1, b"\x80")]
    finally:
        workers.close()


def test_pieces_have_all_games_that_are_not_too_long_and_the_longest_come_last() -> None:
    games: dict[str, Any] = {"a": 900, "b": 50, "c": 50, "d": 15_000, "e": 2_000, "f": 25_000, "g": 20_000}
    assert _pieces(games) == [["b", "c", "a"], ["e"], ["d"], ["g"]]
