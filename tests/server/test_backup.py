"""Backups of a server, taken in mid-game and put back: nothing is lost unseen, and nothing is signed twice."""

import io
import json
import shutil
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.cli import run
from ledger.errors import RestoreError, StoreError
from ledger.store import copying
from ledger.store.contents import Contents, Lacking, contents_of_files
from tests.server.served import PASSPHRASE, Plain, Server, seated
from tests.support.cli import Cli, make_identity
from tests.support.postgres import Cluster, cluster
from verifier import verify

Capture = pytest.CaptureFixture[str]
Restore = Callable[..., tuple[int, str]]


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster | None]:
    with cluster() as found:
        yield found


class Operated:
    """A server whose operator backs it up and restores it, with the commands."""

    def __init__(self, root: Path, capture: Capture, patch: pytest.MonkeyPatch, postgres: Cluster | None) -> None:
        self.root, self.capture, self.postgres = root, capture, postgres
        self.file = root / "monday.rollproof"
        self.database: tuple[str, ...] = ()
        if postgres is not None:
            self.database = ("--database", postgres.make(root.name))
        patch.setenv("ROLLPROOF_STATE", str(root / "state"))
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE.decode())
        patch.setenv("LANGUAGE", "en")
        self.server = Server(root, *self.database)

    def command(self, *words: str, code: int = 0) -> str:
        """What a command says, which ends with this exit code."""
        got = run([*words, "--home", str(self.root / "home"), *self.database])
        out, err = self.capture.readouterr()
        assert got == code, (words, got, out, err)
        return out + err

    def lose_all(self) -> None:
        """The disk of the games dies: of SQLite its files, of PostgreSQL the database."""
        if self.postgres is not None:
            self.database = ("--database", self.postgres.make(f"{self.root.name}-new"))
        for path in (self.root / "home").glob("*.db*"):
            path.unlink()

    def start(self) -> Server:
        self.server = Server(self.root, *self.database, port=self.server.port)
        return self.server


@pytest.fixture(params=["sqlite", "postgres"])
def operated(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    postgres: Cluster | None,
) -> Iterator[Operated]:
    if request.param == "postgres" and postgres is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    found = Operated(tmp_path / "server", capsys, monkeypatch, postgres if request.param == "postgres" else None)
    try:
        yield found
    finally:
        if found.server.process.poll() is None:
            found.server.process.kill()
            found.server.process.communicate()


def opened(*parties: Plain) -> None:
    """The roll that waits comes to its dice."""
    for each in parties:
        assert each.open().status_code in (200, 201)
    for each in parties:
        each.fetch()


def log_of(party: Plain) -> bytes:
    return b"".join(line + b"\n" for line in party.view.lines(0))


@pytest.mark.long
def test_a_backup_of_mid_roll_is_put_back_and_the_game_goes_on(tmp_path: Path, operated: Operated) -> None:
    with seated(tmp_path, operated.server.address, "alice", "bob") as [alice, bob]:
        alice.act("roll", alice.typed())
        assert "games 1," in operated.command("backup", str(operated.file))
        assert operated.file.stat().st_mode & 0o777 == 0o600
        assert "in use" in operated.command("restore", str(operated.file), "--behind", code=65)
        opened(bob, alice)
        bob.act("roll", bob.typed())
        opened(alice, bob)
        whole = log_of(alice)
        assert operated.server.stop() == 0
        assert "more here than in the backup" in operated.command("restore", str(operated.file), "--behind", code=65)
        operated.lose_all()
        refused = operated.command("restore", str(operated.file), code=65)
        size, here = whole.count(b"\n"), whole.count(b"\n") - 3
        assert f"{here} of {size} lines" in refused, "its request, and two rolls without it"
        said = operated.command("restore", str(operated.file), "--behind")
        assert f"waits, and signs nothing there until it gets what is missing: game {alice.game.hex()[:12]}" in said
        server = operated.start()
        try:
            line = alice.seat.sign(alice.view, "roll", alice.typed())
            assert alice.offer(line).json()["code"] == "keeper.behind"
            assert bob.post(bob.path("catch-up"), whole).status_code == 200
            alice.act("roll", alice.typed())
            opened(bob, alice)
            assert verify(log_of(alice))[0].verdict == "holds"
        finally:
            server.process.terminate()
            _, told = server.process.communicate(timeout=60)
        waits = [json.loads(line) for line in told.splitlines() if b'"waits"' in line]
        assert [each["first"] for each in waits] == [[f"game {alice.game.hex()[:12]}: {here} of {size}"]]


# --- without a server --------------------------------------------------------------------------------------------


@pytest.fixture
def cli(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """A home with a game whose keeper is here."""
    for name in ("host", "alice"):
        make_identity(tmp_path / "home", name)
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    cli("dice", "new", "--keeper", "host", "--player", "alice", "--title", "tavern")
    return cli


def saved(cli: Cli) -> Path:
    file = cli.home.parent / "backup"
    cli("backup", str(file))
    return file


def restored(cli: Cli, file: Path, *more: str, code: int = 0) -> str:
    found = cli("restore", str(file), "--keeper", "host", *more)
    assert found.code == code, found
    return found.out + found.err


def test_the_memory_is_not_in_it_and_keys_stay_sealed(cli: Cli) -> None:
    file = saved(cli)
    with tarfile.open(file) as archive:
        names = archive.getnames()
    kept = {f"identities/{name}/{each}" for name in ("host", "alice") for each in ("key.json", "key.txt", "memory")}
    assert set(names) == {"manifest.json", "sqlite/ledger.db", *kept}


def test_what_is_here_already_is_never_written_over(cli: Cli) -> None:
    file = saved(cli)
    restored(cli, file)
    cli("join", "tavern", "--as", "alice")
    assert "more here" in restored(cli, file, "--behind", code=65)
    cli.home.joinpath("ledger.db").rename(cli.home / "aside.db")
    assert "--behind" in restored(cli, file, code=65)
    assert not cli.home.joinpath("ledger.db").exists(), "nothing was put back"
    assert "2 of 4 lines" in restored(cli, file, "--behind")


def test_another_key_under_the_same_name(cli: Cli) -> None:
    file = saved(cli)
    shutil.rmtree(cli.home)
    for name in ("host", "alice"):
        make_identity(cli.home, name)
    assert "another identity" in restored(cli, file, code=65)
    assert not cli.home.joinpath("ledger.db").exists()


def test_a_machine_without_the_memory_says_what_the_keeper_cannot_do(cli: Cli) -> None:
    file = saved(cli)
    shutil.rmtree(cli.home)
    state = cli.home.parent / "elsewhere"
    cli.monkeypatch.setenv("ROLLPROOF_STATE", str(state))
    said = restored(cli, file)
    assert "signs and opens nothing in games that have begun" in said
    assert (cli.home / "identities" / "alice" / "key.json").stat().st_mode & 0o777 == 0o600
    assert not state.exists(), "no memory takes the place of one that is missing"


def test_a_database_that_somebody_has_open(cli: Cli) -> None:
    file = saved(cli)
    with closing(sqlite3.connect(cli.home / "ledger.db")) as reader:
        reader.execute("SELECT count(*) FROM events").fetchall()
        assert "in use" in restored(cli, file, code=65)
    assert not cli.home.joinpath(copying.MARK).exists()
    restored(cli, file)


def test_a_damaged_database_is_not_written_over(cli: Cli, tmp_path: Path) -> None:
    saved(cli)
    copies, store = tmp_path / "copies", cli.home / "ledger.db"
    copies.mkdir()
    copying.copy_files(cli.home, copies)
    store.write_bytes(b"These are not the bytes of a database." * 200)
    with pytest.raises(RestoreError, match="is damaged"):
        copying.put_files_back(copies, cli.home)
    assert store.read_bytes().startswith(b"These are not")
    copying.check_whole(cli.home)


def test_a_restore_that_is_cut_short_is_done_again(cli: Cli) -> None:
    file = saved(cli)
    before = copying._sync

    def dies(folder: Path) -> None:
        raise KeyboardInterrupt

    cli.monkeypatch.setattr(copying, "_sync", dies)
    restored(cli, file, code=130)
    cli.monkeypatch.setattr(copying, "_sync", before)
    with pytest.raises(Exception, match="cut short"):
        copying.check_whole(cli.home)
    restored(cli, file)
    copying.check_whole(cli.home)


def test_a_place_for_copies_that_is_not_there_is_told(cli: Cli, tmp_path: Path) -> None:
    saved(cli)
    with pytest.raises(StoreError, match=r"ledger\.db cannot be copied"):
        copying.copy_files(cli.home, tmp_path / "nowhere")


def test_a_disk_that_is_full_cuts_a_restore_short(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved(cli)
    copies = tmp_path / "copies"
    copies.mkdir()
    assert copying.copy_files(cli.home, copies) == ["ledger.db"]

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fail)
        with pytest.raises(StoreError, match="cut short"):
            copying.put_files_back(copies, cli.home)
    with pytest.raises(StoreError, match="cut short"):
        copying.check_whole(cli.home)
    copying.put_files_back(copies, cli.home)
    copying.check_whole(cli.home)


def test_what_the_databases_of_a_home_have_is_added_up(tmp_path: Path) -> None:
    assert contents_of_files(tmp_path) == Contents()
    schemas = {
        "ledger.db": (
            "CREATE TABLE games (game, events); INSERT INTO games VALUES ('aa', 3), ('bb', 5);"
            "CREATE TABLE deleted (game); INSERT INTO deleted VALUES ('dd'), ('cc')"
        ),
        "events.db": (
            "CREATE TABLE event_lines (event, seq); INSERT INTO event_lines VALUES ('ee', 0), ('ee', 1), ('ff', 0)"
        ),
        "tables.db": "CREATE TABLE tables (id)",
        "anchors.db": "CREATE TABLE anchors (number); INSERT INTO anchors VALUES (0), (1)",
    }
    for name, schema in schemas.items():
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.executescript(schema)
    whole = contents_of_files(tmp_path)
    assert whole == Contents({"aa": 3, "bb": 5}, ("cc", "dd"), {"ee": 2, "ff": 1}, 2)
    here = Contents({"aa": 3, "bb": 4, "cc": 1}, (), {"ee": 2}, 1)
    assert [*here.lacks(whole)] == [
        Lacking("game", "bb", 4, 5),
        Lacking("game", "cc", 1, 0),
        Lacking("event", "ff", 0, 1),
        Lacking("anchors", "", 1, 2),
    ]
    assert not [*whole.lacks(here)], "what was deleted here is not lacking"


# --- backups that somebody made ----------------------------------------------------------------------------------


def rewritten(file: Path, change: Callable[[dict[str, bytes], dict[str, Any]], None]) -> Path:
    """The same backup with members and manifest changed."""
    with tarfile.open(file) as archive:
        members = {told.name: archive.extractfile(told).read() for told in archive}  # type: ignore[union-attr]
    manifest = json.loads(members.pop("manifest.json"))
    change(members, manifest)
    with tarfile.open(file, "w") as archive:
        for name, data in {"manifest.json": json.dumps(manifest).encode(), **members}.items():
            told = tarfile.TarInfo(name)
            told.size = len(data)
            archive.addfile(told, io.BytesIO(data))
    return file


def renamed(name: str, members: dict[str, bytes], manifest: dict[str, Any]) -> None:
    members[name] = members.pop("sqlite/ledger.db")
    manifest["members"][name] = manifest["members"].pop("sqlite/ledger.db")


@pytest.mark.parametrize(
    "name",
    ["../evil", "/tmp/evil", "sqlite/../evil", "sqlite/evil.db", "identities/../x/key.json", "identities/host/evil"],
)
def test_a_member_goes_nowhere_else(cli: Cli, name: str) -> None:
    file = rewritten(saved(cli), lambda members, manifest: renamed(name, members, manifest))
    assert "is no backup, or is damaged" in restored(cli, file, code=66)
    assert not list(cli.home.parent.rglob("evil*"))


def test_bytes_that_are_others_are_not_put_back(cli: Cli) -> None:
    def flip(members: dict[str, bytes], _: dict[str, Any]) -> None:
        data = bytearray(members["sqlite/ledger.db"])
        data[-1] ^= 1
        members["sqlite/ledger.db"] = bytes(data)

    assert "other bytes" in restored(cli, rewritten(saved(cli), flip), code=66)


def test_files_that_are_no_backups(cli: Cli) -> None:
    file = cli.home.parent / "other"
    for data in (b"", b"text", saved(cli).read_bytes()[:20_000]):
        file.write_bytes(data)
        assert "backup" in restored(cli, file, code=66)

    def without(members: dict[str, bytes], _: dict[str, Any]) -> None:
        del members["sqlite/ledger.db"]

    lacking = rewritten(saved_as(cli, "more"), without)
    assert "it lacks" in restored(cli, lacking, code=66)


def saved_as(cli: Cli, name: str) -> Path:
    file = cli.home.parent / name
    cli("backup", str(file))
    return file


def test_nothing_to_back_up(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = Cli(tmp_path / "home", capsys, monkeypatch)
    assert empty("backup", str(tmp_path / "backup")).code == 66
    assert not (tmp_path / "backup").exists()
