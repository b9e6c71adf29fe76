"""Secrets stay in the program: not in environments, process lists, core dumps, or files that others can read."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.bench.scribe import game
from tests.support.cli import PASSPHRASE, Cli, make_home, make_identity
from verifier.shell import secrecy

SECRETS = {
    "ROLLPROOF_PASSPHRASE": "a secret of all",
    "ROLLPROOF_PASSPHRASE_ALICE_2": "a secret of alice",
    "ROLLPROOF_PEM_PASSPHRASE": "a secret of a file",
    "ROLLPROOF_DATABASE": "postgresql://u:secret@localhost/db",
    "ROLLPROOF_MEMORY": "postgresql://u:secret@localhost/seat",
}
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes in /proc")


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "home", capsys, monkeypatch)


def environments(process: int) -> Iterator[bytes]:
    """Of a process and of all that it started, as far as they are there."""
    with suppress(ProcessLookupError, FileNotFoundError):
        yield Path(f"/proc/{process}/environ").read_bytes()
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            yield from environments(int(child))


@pytest.mark.parametrize("program", ["ledger", "verifier"])
@pytest.mark.long
def test_no_process_has_a_passphrase_in_its_environment(program: str, tmp_path: Path) -> None:
    log, _ = game(2_000)
    for name in range(4):
        (tmp_path / f"{name}.jsonl").write_bytes(log)
    words = [sys.executable, "-m", program, *(["verify"] if program == "ledger" else []), str(tmp_path), "--jobs", "2"]
    env = os.environ | SECRETS | {"ROLLPROOF_HOME": str(tmp_path), "ROLLPROOF_PASSPHRASE_FILE": "a name"}
    most = 0
    with subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None:
            found = [each for each in environments(running.pid) if b"ROLLPROOF" in each]
            most = max(most, len(found))
            if len(found) >= 3:  # before, the program is only about to begin
                assert not any(b"secret" in each for each in found)
                assert all(b"ROLLPROOF_PASSPHRASE_FILE=a name" in each for each in found)
                limits = Path(f"/proc/{running.pid}/limits").read_text()
                assert next(line for line in limits.splitlines() if "core file" in line).split()[4:6] == ["0", "0"]
            time.sleep(0.02)
    assert most == 3


def test_what_was_in_the_environment_is_the_programs_alone() -> None:
    code = (
        "import os, subprocess, sys; from verifier.shell.secrecy import keep_secrets, secret_variable\n"
        "keep_secrets()\n"
        f"print([secret_variable(name) for name in {list(SECRETS)}] == {list(SECRETS.values())})\n"
        "print(dict(os.environ))\n"
        "print(subprocess.run(['env'], capture_output=True, text=True, check=True).stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | SECRETS, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("True\n")
    assert "secret" not in done.stdout


def test_a_passphrase_that_was_kept_is_used(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.only()
    monkeypatch.setattr(secrecy, "_kept", {"ROLLPROOF_PASSPHRASE_ALICE": PASSPHRASE})
    cli.ok("identity", "new", "alice")
    assert "passphrase of bob" in cli("identity", "new", "bob").err


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o777])
def test_a_seat_on_its_way_is_its_owners_alone_to_read(cli: Cli, tmp_path: Path, mask: int) -> None:
    make_identity(cli.home, "alice")
    before = os.umask(mask & 0o077)
    try:
        cli.ok("identity", "move", "alice", "--out", tmp_path / "alice.moved")
        (tmp_path / "again").mkdir()
        cli.ok("identity", "move", "alice", "--out", tmp_path / "again" / "alice.moved")
    finally:
        os.umask(before)
    for file in (tmp_path / "alice.moved", tmp_path / "again" / "alice.moved"):
        assert file.stat().st_mode & 0o777 == 0o600


# --- serving ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url", ["postgresql://u:secret@h/db", "postgres://:secret@h", "postgresql://h/db?user=u&password=secret"]
)
def test_no_password_stands_on_a_command_line(cli: Cli, url: str) -> None:
    told = cli.refused("serve", "--database", url, code=64)
    assert "--database-file" in told
    assert "secret" not in told


def test_a_database_is_named_by_a_file_or_the_environment(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "database"
    file.write_text("postgresql://u:secret@127.0.0.1:1/db?connect_timeout=1\n# and more\n")
    file.chmod(0o600)
    make_home(cli.home)
    served = []
    monkeypatch.setattr("ledger.server.run.serve", lambda *words: served.append(words[3].database))
    cli.ok("serve", "--database-file", file, "--keeper", "host", "--judge", "dana")
    monkeypatch.setenv("ROLLPROOF_DATABASE", "postgresql:///x")
    cli.ok("serve", "--keeper", "host", "--judge", "dana")
    monkeypatch.setattr(secrecy, "_kept", {"ROLLPROOF_DATABASE": "postgres:///y"})
    cli.ok("serve", "--keeper", "host", "--judge", "dana")
    cli.ok("serve", "--keeper", "host", "--judge", "dana", "--database", "postgresql://u@h/z")
    assert served == [
        "postgresql://u:secret@127.0.0.1:1/db?connect_timeout=1",
        "postgresql:///x",
        "postgres:///y",
        "postgresql://u@h/z",
    ]
    for words in (("--database", "postgresql://[x"), ("--database", "sqlite://x")):
        assert "postgresql://…" in cli.refused("serve", *words, code=64)
    assert "one of them" in cli.refused("serve", "--database", "postgresql:///x", "--database-file", file, code=64)


@pytest.mark.parametrize(("mode", "warned"), [(0o600, False), (0o640, False), (0o644, True), (0o666, True)])
def test_a_file_with_a_secret_that_everybody_can_read_is_told(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, warned: bool
) -> None:
    make_home(cli.home)
    cli.only()
    monkeypatch.setattr("ledger.server.run.serve", lambda *_: None)
    file = tmp_path / "x; touch y"
    file.write_text(PASSPHRASE + "\n")
    file.chmod(mode)
    told = cli("serve", "--passphrase-file", file, "--keeper", "host", "--judge", "dana")
    assert told.code == 0
    assert (f"chmod o= '{file}'" in told.err) is warned
