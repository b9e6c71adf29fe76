"""A database that is damaged wherever: what is wrong with it, and what to do, on one line."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.support.cli import Cli, make_home, state_of

PLACES = (b"CREATE TABLE", b"CREATE TRIGGER", b"sqlite_auto", b"TEXT NOT", b"games", b"SQLite format", b"indexevents")
READS = (("games",), ("state", "Table 12"), ("verify", "Table 12"), ("export", "Table 12"), ("log", "Table 12"))
WRITES = (("rebuild",), ("declare", "Table 12"), ("close", "Table 12", "--as", "host"), ("code", "Table 12"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a game, all of it in the databases themselves."""
    home = make_home(tmp_path_factory.mktemp("made") / "home")
    for database in databases(home):
        connection = sqlite3.connect(database)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    return home


def databases(home: Path) -> list[Path]:
    return [home / "ledger.db", *state_of(home).rglob("*.db")]


@pytest.fixture
def cli(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    shutil.copytree(made, tmp_path / "home")
    return Cli(tmp_path / "home", capsys, monkeypatch)


def damage(cli: Cli, database: Path, place: bytes) -> bool:
    """Put bytes that are no text wherever the file has this: the first may be a page that is no longer in use."""
    data = database.read_bytes()
    database.write_bytes(data.replace(place, place[:4] + b"\xff\x0a" + place[6:]))
    return place in data


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.long
def test_a_damaged_store_is_told(cli: Cli, place: bytes) -> None:
    if not damage(cli, cli.home / "ledger.db", place):
        pytest.skip("it is not in this version's schema")
    told = [cli(*words) for words in (*READS, *WRITES)]
    assert not [each for each in told if each.code == 70 or "Traceback" in each.err]
    for each in told:
        if each.code == 74:
            assert each.err.count("\n") == 1
            assert "ledger.db" in each.err or "database" in each.err
            assert not set(each.err) & {"\xff", "\x1b"}


@pytest.mark.parametrize("place", [b"CREATE TABLE", b"SQLite format"])
def test_a_damaged_store_is_told_with_what_to_do(cli: Cli, place: bytes) -> None:
    damage(cli, cli.home / "ledger.db", place)
    told = cli.refused("games", code=74)
    assert "ledger.db cannot be read" in told
    assert "import the logs" in told


@pytest.mark.parametrize("place", [b"CREATE TABLE", b"sqlite_auto", b"SQLite format", b"counter"])
@pytest.mark.long
def test_a_damaged_memory_is_told(cli: Cli, place: bytes) -> None:
    for database in databases(cli.home)[1:]:
        damage(cli, database, place)
    for words in (
        ("close", "Table 12", "--as", "host"),
        ("commit", "Table 12", "--as", "alice"),
        ("receipt", "Table 12", "--as", "alice"),
    ):
        told = cli(*words)
        assert told.code not in (0, 70), told
        assert "bug" not in told.err
        assert "import the logs" not in told.err
