"""After a full game on the command line: what a party's secrets are, and that they stand nowhere but sealed in its own
files (specs/security.md, "Secrets at rest").
"""

import shutil
import sqlite3
import stat
from base64 import b64encode
from contextlib import closing
from pathlib import Path

import pytest

from ledger.seats.identity import Identity
from ledger.seats.memory_places import open_memory
from ledger.seats.records import OwnChain
from ledger.seats.seed_chain import SeedChain
from tests.support.cli import PASSPHRASE, Cli, make_home, state_of
from tests.support.table import private_bytes

GAME = "Table 12"
PARTIES = ("host", "alice", "bob", "dana")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(Path(shutil.copytree(begun, tmp_path / "home")), capsys, monkeypatch)


def folder_of(home: Path, name: str) -> Path:
    return next(path.parent for path in home.rglob("key.json") if path.parent.name == name)


def chains_of(home: Path, name: str, game: bytes) -> tuple[OwnChain, ...]:
    """What a party's seat remembers of its chains."""
    folder = folder_of(home, name)
    identity = Identity.load(folder, PASSPHRASE.encode())
    with closing(open_memory(identity, folder, state_of(home))) as memory, memory.game(game) as turn:
        return turn.record.chains


def secrets_of(home: Path, game: bytes) -> dict[str, list[bytes]]:
    """Each party's private key, storage key and the links that it has not opened; and the passphrase."""
    found = {}
    for name in PARTIES:
        identity = Identity.load(folder_of(home, name), PASSPHRASE.encode())
        found[name] = [private_bytes(identity), identity.storage_key(), PASSPHRASE.encode()]
        if name == "dana":
            continue
        for own in chains_of(home, name, game):
            chain = SeedChain(game, name, own.length, bytes.fromhex(own.secret))
            found[name] += [chain.link(index) for index in range(own.opened + 1, chain.length + 1)]
    return found


def forms(secret: bytes) -> list[bytes]:
    """As it might be written."""
    return [secret, secret.hex().encode(), secret.hex().upper().encode(), b64encode(secret).rstrip(b"=")]


def said(cli: Cli, *arguments: str | Path) -> bytes:
    result = cli(*arguments)
    return (result.out + result.err).encode()


def test_secrets_stand_nowhere(cli: Cli, tmp_path: Path) -> None:
    roll = ("roll", GAME, "d20 Delina: 15 or more: again", "--as", "alice")
    told = said(cli, *roll)
    told += said(cli, "magic", "resolve", GAME, "--as", "alice")
    told += said(cli, *roll, "--json")
    # Refusals and mistakes, which bring out error messages.
    told += said(cli, *roll)
    told += said(cli, "reveal", GAME, "--as", "host")
    told += said(cli, "commit", GAME, "--as", "dana")
    cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", "not the passphrase at all")
    told += said(cli, "magic", "resolve", GAME, "--as", "alice")
    cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
    told += said(cli, "magic", "resolve", GAME, "--as", "alice")
    told += said(cli, "close", GAME, "--as", "host")
    log = tmp_path / "out" / "table.jsonl"
    log.parent.mkdir()
    told += said(cli, "export", GAME, "--out", log)
    for command in (("verify", log), ("verify", log, "--json"), ("explain", log, "7"), ("state", GAME, "--json")):
        told += said(cli, *command)
    ledger = next(cli.home.rglob("ledger.db"))
    with sqlite3.connect(ledger) as database, sqlite3.connect(tmp_path / "out" / "backup.db") as backup:
        database.backup(backup)
    game = bytes.fromhex(cli.value("games")[0]["game"])
    secrets = secrets_of(cli.home, game)
    assert sum(map(len, secrets.values())) > 40

    public = [told, *(path.read_bytes() for path in (tmp_path / "out").iterdir())]
    public += [path.read_bytes() for path in ledger.parent.glob("ledger.db*")]
    files = {path: path.read_bytes() for path in cli.home.rglob("*") if path.is_file()}
    for name, owned in secrets.items():
        for form in (form for secret in owned for form in forms(secret)):
            assert not any(form in data for data in public), f"a secret of {name} is public"
            assert not any(form in data for data in files.values()), f"a secret of {name} is not sealed"


def test_a_secret_would_be_found(cli: Cli) -> None:
    """So the test above can fail: an opened link is in the log, and is found in each form that it has there."""
    cli.ok("roll", GAME, "d20 Delina: 15 or more: again", "--as", "alice")
    game = bytes.fromhex(cli.value("games")[0]["game"])
    [own] = chains_of(cli.home, "alice", game)
    link = SeedChain(game, "alice", own.length, bytes.fromhex(own.secret)).link(1)
    log = cli("export", GAME).out.encode()
    assert any(form in log for form in forms(link))


def test_files_of_secrets_are_for_their_owner_only(cli: Cli) -> None:
    cli.ok("roll", GAME, "d20 Delina: 15 or more: again", "--as", "alice")
    private = [path for path in cli.home.rglob("*") if path.name in ("key.json", "memory")]
    private += state_of(cli.home).iterdir()
    assert len(private) >= 7
    for path in private:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700, path.parent
