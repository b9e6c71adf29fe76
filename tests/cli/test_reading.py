"""What only reads needs nothing that it could write to; and what is no regular file holds nothing up."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.cli import REPOSITORY, Cli, make_home, state_of

GAME = "Table 12"
LOGS = REPOSITORY / "specs" / "vectors" / "logs"
HOLDS = str(LOGS / "holds--as-expected.jsonl")
KEY = (REPOSITORY / "specs" / "vectors" / "notes" / "keys").read_text().split()[0]
PROGRAM = "from ledger.__main__ import main; main()"
READING = (
    ("games",),
    ("state", GAME),
    ("log", GAME),
    ("export", GAME),
    ("verify", GAME),
    ("explain", GAME, "7"),
    ("stats", GAME),
    ("compare", GAME, GAME),
    ("code", GAME),
    ("prove", GAME, "3"),
)
FILES = (("state",), ("log",), ("explain", "7"), ("stats",), ("code",))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


def rolled(cli: Cli) -> None:
    cli.ok("roll", GAME, "d20 Delina: compare", "--as", "alice")


def content(folder: Path) -> dict[str, bytes]:
    """All files but what SQLite makes for readers beside a database."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".db-shm")
    return {str(path): data for path in files if (data := path.read_bytes()) or path.suffix != ".db-wal"}


def read_only(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the home on a file system that is mounted read-only, which binds root too."""
    script = f'mount --bind "{home}" "{home}" && mount -o remount,ro,bind "{home}" && exec "$0" "$@"'
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), "LANGUAGE": "en"}
    environment |= {"ROLLPROOF_HOME": str(home), "ROLLPROOF_STATE": str(state_of(home))}
    return subprocess.run(
        ["unshare", "-rm", "bash", "-c", script, sys.executable, "-c", PROGRAM, *words],
        env=environment,
        capture_output=True,
        text=True,
    )


CAN_MOUNT = (
    shutil.which("unshare") is not None
    and subprocess.run(["unshare", "-rm", "mount", "--bind", "/tmp", "/tmp"], capture_output=True).returncode == 0
)


@pytest.mark.slow
@pytest.mark.skipif(not CAN_MOUNT, reason="no user namespaces here")
@pytest.mark.parametrize("written", ["all", "beside"])
def test_reading_needs_no_writable_home(cli: Cli, written: str) -> None:
    """`beside`: what was written last is in the database's log only, as when its writer was killed."""
    rolled(cli)
    database = cli.home / "ledger.db"
    if written == "beside":
        with closing(sqlite3.connect(database)) as holding:
            holding.execute("SELECT count(*) FROM events").fetchone()
            cli.ok("magic", "declare", "effect", GAME, "may reroll one: Lucky", "--as", "alice")
            copy = shutil.copytree(cli.home, cli.home.with_name("killed"))
        assert (copy / "ledger.db-wal").stat().st_size
        (copy / "ledger.db-shm").unlink()
        shutil.rmtree(cli.home)
        copy.rename(cli.home)
    before = content(cli.home)
    for words in READING:
        done = read_only(cli.home, *words)
        assert (done.returncode, done.stderr) == (0, ""), (words, done)
        assert done.stdout
    assert ("Lucky" in read_only(cli.home, "log", GAME).stdout) == (written == "beside")
    refused = read_only(cli.home, "roll", GAME, "d20 Delina: compare", "--as", "alice", "--json")
    assert (refused.returncode, '"kind":"machine"' in refused.stdout) == (74, True), refused
    assert content(cli.home) == before


def test_reading_changes_nothing(cli: Cli) -> None:
    rolled(cli)
    before = content(cli.home)
    for words in READING:
        cli.ok(*words)
    assert content(cli.home) == before


def test_reading_makes_nothing(cli: Cli, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    for words in READING[1:]:
        result = cli(*words, "--home", nowhere)
        assert result.code in (2, 66), result
    cli.ok("games", "--home", nowhere)
    cli.ok("verify", HOLDS, "--home", nowhere)
    assert not nowhere.exists()


@pytest.mark.parametrize("words", FILES, ids=lambda words: words[0])
def test_a_file_as_well_as_a_game(cli: Cli, tmp_path: Path, words: tuple[str, ...]) -> None:
    rolled(cli)
    log = tmp_path / "log.jsonl"
    cli.ok("export", GAME, "--out", log)
    name, *rest = words
    assert cli.value(name, str(log), *rest)
    assert cli.value(name, GAME, *rest)


# --- pipes, sockets, devices -----------------------------------------------------------------------------------------

PROOF = ("--game", "0" * 64, "--keeper", KEY, "--index", "1")
AS_HOST = ("--as", "host")
WITH_A_PIPE: tuple[tuple[str, ...], ...] = (
    *(("verify", HOLDS, option, "PIPE") for option in ("--policy", "--receipt")),
    ("verify", HOLDS, "--roster", "PIPE", "--organizer", KEY),
    ("verify", "--proof", "PIPE", *PROOF),
    ("verify", "--proof", HOLDS, "PIPE", *PROOF),
    ("verify", HOLDS, "PIPE"),
    ("import", "PIPE"),
    ("import", HOLDS, "--policy", "PIPE"),
    *((name, "PIPE") for name in ("log", "state", "stats")),
    ("explain", "PIPE", "1"),
    ("report", "PIPE", "--out", "/nosuch/x.html"),
    ("compare", "PIPE", HOLDS),
    ("compare", HOLDS, "PIPE"),
    ("check-opening", "PIPE", HOLDS),
    ("prove", "PIPE", "1"),
    ("prove", HOLDS, "1", "--checkpoint", "PIPE"),
    ("check-proof", "PIPE", *PROOF),
    ("check-proof", HOLDS, "PIPE", *PROOF),
    ("check-proof", HOLDS, *PROOF, "--policy", "PIPE"),
    ("checkpoint", GAME, "--add", "PIPE", *AS_HOST),
    ("checkpoint", GAME, "--policy", "PIPE", "--add", HOLDS, *AS_HOST),
    ("receipt", GAME, "--take", "PIPE", *AS_HOST),
    ("witness", "answer", "PIPE", *AS_HOST),
    ("witness", "cosign", "PIPE", *AS_HOST),
    ("witness", "cosign", HOLDS, "--checkpoint", "PIPE", *AS_HOST),
    ("witness", "answer", HOLDS, "--game", "PIPE", *AS_HOST),
    ("witness", "request", "PIPE"),
    ("identity", "import", "zoe", "--pem", "PIPE"),
    ("identity", "take", "PIPE"),
    ("new", "--keeper", "host", "--player", "PIPE"),
    ("new", "--keeper", "host", "--player", "alice", "--options", "@PIPE"),
    ("roll", GAME, "@PIPE", "--as", "alice"),
    ("magic", "roll", GAME, "--body", "@PIPE", "--as", "alice"),
    ("rules", "check", "PIPE"),
    ("open", GAME, "--opening", "PIPE", "--as", "alice"),
    ("receive", GAME, "PIPE", "--as", "alice"),
    ("export", GAME, "--out", "PIPE"),
    ("roster", "show", "PIPE", "--organizer", KEY),
)


@pytest.fixture(params=["pipe", "socket", "device"])
def irregular(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "irregular"
    if request.param == "pipe":
        os.mkfifo(path)
        yield path
    elif request.param == "device":
        yield Path("/dev/zero")
    else:
        with closing(socket.socket(socket.AF_UNIX)) as listening, pytest.MonkeyPatch.context() as patch:
            patch.chdir(tmp_path)  # a socket's path is short
            listening.bind("irregular")
            yield path


def test_what_is_no_regular_file_holds_nothing_up(cli: Cli, irregular: Path) -> None:
    def hang(*_: object) -> None:
        raise AssertionError("it waits")

    before = signal.signal(signal.SIGALRM, hang)
    try:
        for words in WITH_A_PIPE:
            signal.alarm(60)
            result = cli(*(word.replace("PIPE", str(irregular)) for word in words))
            assert result.code in (2, 64, 65, 66, 74), (words, result)
            assert result.err.count("\n") in (1, 2), (words, result)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
