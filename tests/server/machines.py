"""Machines of people: a home, and processes of the command line of their own."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.server.served import PASSPHRASE
from tests.support.cli import make_identity, state_of

__all__ = ["LIMIT", "Machine", "Running", "machines", "until"]

LIMIT = 60.0
"""seconds: what takes longer hangs, however busy the machine is"""
_COMMANDS = """
import contextlib, io, json, sys
from ledger.cli import run
for line in sys.stdin:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(json.loads(line))
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""


def until(done: Callable[[], bool], what: object = "") -> None:
    """Wait for something that another process does."""
    end = time.monotonic() + LIMIT
    while not done():
        assert time.monotonic() < end, what
        time.sleep(0.05)


class Running:
    """A command that goes on, such as `watch`; what it prints is kept."""

    def __init__(self, arguments: list[str], environment: dict[str, str]) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from ledger.cli import main; main()", *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)

    @property
    def said(self) -> str:
        return "".join(self.lines)

    def says(self, text: str) -> None:
        """Wait until it says so."""
        until(lambda: text in self.said or self.process.poll() is not None, f"{text!r} in {self.said}")
        assert text in self.said, self.said

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        """End it; its exit code."""
        with suppress(ProcessLookupError):
            self.process.send_signal(how)
        code = self.process.wait(LIMIT)
        self._reader.join(LIMIT)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


class Machine:
    """A home, with a process for commands and others that go on."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.home = folder
        for name in names:
            make_identity(folder, name)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ROLLPROOF")},
            "ROLLPROOF_HOME": str(folder),
            "ROLLPROOF_STATE": str(state_of(folder)),
            "ROLLPROOF_PASSPHRASE": PASSPHRASE.decode() if not names else "correct horse battery",
            "ROLLPROOF_LANG": "en",
        }
        self._commands: subprocess.Popen[str] | None = None
        self._running: list[Running] = []

    def __call__(self, line: str, code: int = 0) -> str:
        """What a command prints, typed without `rollproof`."""
        got, out, err = self.result(line)
        assert got == code, (line, got, out, err)
        return out if code == 0 else err

    def value(self, line: str) -> Any:
        """What a command prints with --json."""
        return json.loads(self(f"{line} --json"))

    def result(self, line: str) -> tuple[int, str, str]:
        """Exit code, standard output and standard error of a command."""
        if self._commands is None:
            self._commands = subprocess.Popen(
                [sys.executable, "-c", _COMMANDS],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._commands.stdin is not None
        assert self._commands.stdout is not None
        print(json.dumps(shlex.split(line)), file=self._commands.stdin, flush=True)
        code, out, err = json.loads(self._commands.stdout.readline())
        return code, out, err

    def begin(self, line: str) -> Running:
        """A command that goes on."""
        running = Running(shlex.split(line), self.environment)
        self._running.append(running)
        return running

    def lose(self) -> None:
        """End what goes on."""
        while self._running:
            self._running.pop().end(signal.SIGKILL)

    def close(self) -> None:
        """End all that runs."""
        self.lose()
        if self._commands is not None:
            self._commands.communicate()


@contextmanager
def machines(folder: Path, *names: str) -> Iterator[list[Machine]]:
    """A machine for each name, with the identity of that name."""
    made = [Machine(folder / name, name) for name in names]
    try:
        yield made
    finally:
        for machine in made:
            machine.close()
