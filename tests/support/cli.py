"""Running `rollproof` in the tests: in this process, or on a terminal of its own."""

import contextlib
import io
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ledger.cli import run
from ledger.home import Home
from ledger.seats.key_file import Cost

__all__ = ["LIMIT", "PASSPHRASE", "QUICK", "Cli", "Result", "make_home", "make_identity", "on_terminal", "state_of"]

PASSPHRASE = "correct horse battery"
QUICK = Cost(n=16)
"""for identities whose passphrase nobody guesses: scrypt at its usual cost is most of a command's time"""
REPOSITORY = Path(__file__).parents[2]
LIMIT = 300
"""seconds: what takes longer hangs, however busy the machine is"""


class Result(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def problems(self) -> list[str]:
        """What stands on standard error, but for how a line was read."""
        return [line for line in self.err.splitlines() if not line.startswith("rollproof: read as ")]

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Cli:
    """Commands on one home, in this process."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self._capsys = capsys
        self.monkeypatch = monkeypatch
        monkeypatch.setenv("ROLLPROOF_HOME", str(home))
        monkeypatch.setenv("ROLLPROOF_STATE", str(state_of(home)))
        monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
        monkeypatch.setenv("ROLLPROOF_LANG", "en")
        monkeypatch.delenv("ROLLPROOF_AS", raising=False)
        monkeypatch.delenv("ROLLPROOF_LANG", raising=False)
        monkeypatch.setenv("LANGUAGE", "en")

    def __call__(self, *arguments: str | Path) -> Result:
        self._capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        return Result(code, captured.out, captured.err)

    def ok(self, *arguments: str | Path) -> str:
        """What a command that succeeds prints."""
        result = self(*arguments)
        assert result.code == 0, result
        assert not result.problems, result
        return result.out

    def value(self, *arguments: str | Path, code: int = 0) -> Any:
        """What a command that succeeds, or ends with this code, prints with --json."""
        result = self(*arguments, "--json")
        assert result.code == code, result
        return result.json

    def waits(self, *arguments: str | Path) -> str:
        """What a command prints that waits for somebody else."""
        result = self(*arguments)
        assert (result.code, result.problems) == (75, []), result
        return result.out

    def refused(self, *arguments: str | Path, code: int | None = None) -> str:
        """The one sentence of a command that fails, with this code, or any that is no verdict and no bug."""
        result = self(*arguments)
        assert result.code in ((64, 65, 66, 74, 75, 77) if code is None else (code,)), result
        assert not result.out, result
        assert result.err.startswith("rollproof: "), result
        assert result.err.count("\n") == 1, result
        return result.err.removeprefix("rollproof: ").strip()

    def only(self, *names: str) -> None:
        """From now on only these parties' passphrases are at hand."""
        self.monkeypatch.delenv("ROLLPROOF_PASSPHRASE", raising=False)
        for name in ("host", "alice", "bob", "dana"):
            self.monkeypatch.delenv(f"ROLLPROOF_PASSPHRASE_{name.upper()}", raising=False)
        for name in names:
            self.monkeypatch.setenv(f"ROLLPROOF_PASSPHRASE_{name.upper()}", PASSPHRASE)


def state_of(home: Path) -> Path:
    """Where the seats of a home remember: in it, for the tests alone, so that a machine is one folder."""
    return home / "state"


def make_identity(home: Path, name: str) -> None:
    """An identity on the machine of this home, under the passphrase of all and at little cost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_STATE", str(state_of(home)))
        Home(home).new_identity(name, PASSPHRASE.encode(), QUICK)


def make_home(folder: Path, title: str = "Table 12", links: int = 16) -> Path:
    """A home with host, alice, bob and dana, and a game of Magic that they have joined."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
        patch.setenv("ROLLPROOF_STATE", str(state_of(folder)))
        for name in ("host", "alice", "bob", "dana"):
            Home(folder).new_identity(name, PASSPHRASE.encode(), QUICK)
        parties = ["--keeper", "host", "--player", "alice", "--player", "bob", "--judge", "dana"]
        assert run(["new", *parties, "--title", title, "--links", str(links), "--home", str(folder)]) == 0
        for name in ("alice", "bob", "dana"):
            assert run(["join", title, "--as", name, "--links", str(links), "--home", str(folder)]) == 0
    return folder


def on_terminal(
    *arguments: str, env: Mapping[str, str], columns: int = 60, answers: Iterable[tuple[str, str]] = ()
) -> tuple[int, str]:
    """Run a command in a process of its own on a terminal; the exit code and all that the terminal shows.

    `answers`: what is typed when the terminal shows a text, in this order.
    """
    try:
        import fcntl
        import pty
        import struct
        import termios
    except ImportError:
        pytest.skip("Windows has other terminals")
    keyboard, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-c", "from ledger.cli import main; main()", *arguments]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY), "TERM": "xterm-256color", **env}
    environment["ROLLPROOF_STATE"] = str(state_of(Path(env["ROLLPROOF_HOME"])))
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as process:
        os.close(terminal)
        shown, rest = b"", list(answers)
        try:
            while chunk := _read(keyboard, shown):
                shown += chunk
                # The blank after the colon comes when the prompt is ready for what is typed.
                if rest and rest[0][0].encode() in shown and shown.endswith(b": "):
                    os.write(keyboard, f"{rest.pop(0)[1]}\n".encode())
        except AssertionError:
            process.kill()
            raise
        os.close(keyboard)
        return process.wait(LIMIT), shown.decode().replace("\r\n", "\n")


def _read(descriptor: int, shown: bytes) -> bytes:
    ready, _, _ = select.select([descriptor], [], [], LIMIT)
    assert ready, f"the command waits for something that is not typed, behind {shown!r}"
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # the other end is closed
        return b""
