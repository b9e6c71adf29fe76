"""A command that is stopped: no traceback, a code of its own, and it says what it had signed."""

import fcntl
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.bench.scribe import game
from tests.support.cli import PASSPHRASE, REPOSITORY, Cli, make_home, state_of

GAME = "Table 12"
ROLL = ("roll", GAME, "d20 Delina: compare", "--as", "alice")
VECTORS = REPOSITORY / "specs" / "vectors" / "logs"
PROGRAM = "from ledger.__main__ import main; main()"
INTERRUPTED = """
import builtins, os, signal
load = builtins.__import__
def stopped(name, *rest):
    if name == {module!r}:
        os.kill(os.getpid(), signal.{signal})
    return load(name, *rest)
builtins.__import__ = stopped
"""


def start(code: str, *words: str, home: Path, start_new_session: bool = False) -> subprocess.Popen[str]:
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(REPOSITORY),
        "LANGUAGE": "en",
        "ROLLPROOF_HOME": str(home),
        "ROLLPROOF_STATE": str(state_of(home)),
        "ROLLPROOF_PASSPHRASE": PASSPHRASE,
    }
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=start_new_session,
    )


@pytest.mark.long
@pytest.mark.parametrize("module", ["typer", "msgspec", "verifier.shell.command", "cryptography.exceptions"])
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_while_it_is_loaded(tmp_path: Path, module: str, name: str, code: int) -> None:
    program = INTERRUPTED.format(module=module, signal=name) + PROGRAM
    process = start(program, "verify", str(VECTORS / "holds--as-expected.jsonl"), "--json", home=tmp_path)
    out, err = process.communicate()
    assert (process.returncode, err) == (code, "rollproof: stopped; nothing was signed\n")
    assert json.loads(out)["error"] == {
        "kind": "stopped",
        "message": "stopped; nothing was signed",
        "exit_code": code,
        "signed": [],
    }


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_while_it_waits_for_a_pipe(tmp_path: Path, number: signal.Signals, code: int) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = start(PROGRAM, "verify", str(pipe), home=tmp_path)
    with pipe.open("wb"):  # it is open at both ends now
        process.send_signal(number)
        assert process.wait(60) == code
    assert process.communicate()[1] == "rollproof: stopped; nothing was signed\n"


def test_while_its_reader_is_slow(tmp_path: Path) -> None:
    """The answer is cut off in the middle; what is said of it begins a line of its own."""
    log = tmp_path / "long.jsonl"
    log.write_bytes(game(200)[0])
    process = start(PROGRAM, "verify", str(log), str(log), "--jobs", "1", "--json", home=tmp_path)
    assert process.stdout is not None
    room = fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4_096)
    while struct.unpack("i", fcntl.ioctl(process.stdout, termios.FIONREAD, b"\0" * 4))[0] < room:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "rollproof: stopped; nothing was signed\n")
    cut, last = out.splitlines()
    assert cut.startswith('{"file"')
    assert json.loads(last)["error"]["kind"] == "stopped"


def test_processes_that_verify_end_without_a_word(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.jsonl").symlink_to(tmp_path / "log")
    shutil.copy(VECTORS / "holds--as-expected.jsonl", tmp_path / "log")
    process = start(PROGRAM, "verify", str(tmp_path), "--jobs", "2", "--summary", home=tmp_path, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    _, err = process.communicate()
    assert (process.returncode, err) == (130, "rollproof: stopped; nothing was signed\n")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


@pytest.mark.parametrize(
    ("where", "signed"),
    [
        ("ledger.seats.seat.Seat.sign", []),
        ("ledger.store.ledger.Ledger.append", []),
        ("ledger.keeper.table.Table.open", ["event 7, alice's roll"]),
        ("ledger.seats.seat.Seat.reveal", ["event 7, alice's roll", "alice's opening", "bob's opening"]),
    ],
)
def test_what_was_signed_is_told(cli: Cli, where: str, signed: list[str]) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    cli.monkeypatch.setattr(where, stop)
    result = cli(*ROLL, "--json")
    assert (result.code, result.json["error"]["signed"]) == (130, signed)
    for text in signed or ["nothing was signed"]:
        assert text in result.err
