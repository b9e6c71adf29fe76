"""Windows and macOS, as far as Linux can show them: what they lack is blocked, and what they do otherwise is done.

Nothing here ran on a real machine of theirs (specs/guide/files.md, "Other systems").
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.home import default_home
from ledger.seats.memory_places import STATE_VARIABLE, default_state
from tests.bench.scribe import game
from tests.support.cli import LIMIT
from verifier.log import workers
from verifier.shell.limits import time_limit

ROOT = Path(__file__).parents[2]

WITHOUT_POSIX = """
import importlib, json, os, pkgutil, signal, sys, time, warnings

# What others bring is loaded first: it asks for the platform itself.
import jinja2, matplotlib.pyplot, multiprocessing, numpy, rich.console, rich.progress, rich.table, scipy.stats
import sqlite_utils, typer, typer.rich_utils, typer.main, typer.testing
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.ciphers import aead
from cryptography.hazmat.primitives.kdf import hkdf, scrypt

for name in "crypt curses fcntl grp nis ossaudiodev pty pwd readline resource spwd syslog termios tty".split():
    sys.modules[name] = None
of_windows = {"SIGABRT", "SIGBREAK", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
for name in dir(signal):
    if name.startswith(("SIG", "ITIMER")) and name not in of_windows:
        delattr(signal, name)
for name in ("alarm", "getitimer", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"):
    delattr(signal, name)
of_posix = "chown fchmod fchown fork forkpty getegid geteuid getgid getgroups getpgid getsid getuid killpg "
of_posix += "lchown lockf mkfifo mknod nice openpty pread pwrite register_at_fork sched_getaffinity setsid setuid sync "
of_posix += "ttyname uname wait3 wait4 WNOHANG O_CLOEXEC O_DIRECTORY O_DSYNC O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC"
for name in of_posix.split():
    if hasattr(os, name):
        delattr(os, name)
del time.tzset, os.link  # a drive without hard links, too

# A text file without an encoding is in another one on Windows.
warnings.filterwarnings("error", category=EncodingWarning, module=r"(ledger|rules|verifier)\\b")

for package in ("rules", "verifier", "ledger"):
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        importlib.import_module(module.name)

sys.platform = "win32"  # the product's own ways; what others bring has asked already
from ledger.cli import run
for words in json.loads(sys.argv[1]):
    if run(words):
        sys.exit(f"{words} failed")
"""


@pytest.mark.long
def test_every_module_loads_and_a_game_is_played_without_what_only_posix_has(tmp_path: Path) -> None:
    commands = (
        "demo --dir demo",
        "identity new alice --home club",
        "identity show alice --home club",
        "identity new bob --home club",
        "dice new --keeper alice --player bob --title Table --home club",
        "join Table --as bob --home club",
        "roll Table d20 --as bob --home club",
        "games --home club",
        "export Table --home club --out table.jsonl --force",
        "verify --home club --time-limit 60 table.jsonl",
    )
    environment = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONUTF8": "1"}
    environment |= {"ROLLPROOF_PASSPHRASE": "correct horse battery", "MPLCONFIGDIR": str(tmp_path)}
    run = subprocess.run(
        [
            *(sys.executable, "-X", "warn_default_encoding", "-c", WITHOUT_POSIX),
            json.dumps([command.split() for command in commands]),
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_folders_are_those_of_the_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(STATE_VARIABLE, raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    monkeypatch.setattr(sys, "platform", "win32")
    assert default_state() == tmp_path / "Local" / "rollproof-state"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_state() == tmp_path / "Library" / "Application Support" / "rollproof-state"
    assert default_home() == tmp_path / "Library" / "Application Support" / "rollproof"


def test_where_processor_time_cannot_be_counted_there_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr("verifier.shell.limits.signal", None)
    with time_limit(1):
        assert sys.platform == "win32"


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_processes_are_spawned(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(workers, "platform", platform)
    assert workers.start_method() == "spawn"


PROGRAM = """
import sys

import verifier.log.workers

method, program = sys.argv[1:3]
verifier.log.workers.start_method = lambda: method
if program == "rollproof":
    from ledger.cli import main
else:
    from verifier.__main__ import main

if __name__ == "__main__":
    del sys.argv[1:3]
    main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("program", ["rollproof", "rollproof-verify"])
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_logs_are_verified_by_processes_that_are_not_forked(program: str, method: str, tmp_path: Path) -> None:
    """A folder by a process a log; and a long log whose signatures are checked by processes."""
    if method == "forkserver" and os.name == "nt":
        pytest.skip("Windows spawns")
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    logs = tmp_path / "logs"
    logs.mkdir()
    for number, data in enumerate([game(3)[0], game(600)[0], b"no log"]):
        (logs / f"{number}.jsonl").write_bytes(data)
    words = ["verify"] if program == "rollproof" else []
    for files, code, told in ((logs, 2, "Hold: 2. Fail: 0. Could not be read: 1."), (logs / "1.jsonl", 0, "HOLDS")):
        run = subprocess.run(
            [sys.executable, tmp_path / "program.py", method, program, *words, "--summary", "--jobs", "2", files],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT), "ROLLPROOF_HOME": str(tmp_path / "home"), "LANGUAGE": "en"},
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert run.returncode == code, run.stdout + run.stderr
        assert told in run.stdout + run.stderr


@pytest.mark.long
def test_no_module_of_the_product_imports_what_only_posix_has() -> None:
    only = {"crypt", "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty"}
    for package in ("rules", "verifier", "ledger"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    assert not {alias.name for alias in node.names} & only, path
                assert not (isinstance(node, ast.ImportFrom) and node.module in only), path
