"""A client at a lie, or killed at each of its posts: what came of it."""

import json
import os
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from msgspec import Struct

from ledger.dev.lie import Lie
from ledger.dev.stage import LyingStage, NotReachedError, RealServer

__all__ = ["FOLDER_VARIABLE", "CrashVerdict", "Invited", "LieVerdict", "crash_client", "real_server", "try_lie"]

FOLDER_VARIABLE = "ROLLPROOF_CLIENT_DIR"
"""an empty folder for what the client stores: one for each table"""
_ROLLS = 3
"""rolls of a table at which a client is killed"""

Invited = Callable[[str], object]
"""receives the link by which the client sits down"""


class LieVerdict(Struct, frozen=True):
    """The outcome of one lie to a client."""

    lie: str
    passed: bool
    verdict: str
    """`refused`, `went on`; `taken`, `stopped`; `not reached`"""
    seen: tuple[str, ...]
    """what it did and must not do, or how far it got"""


class CrashVerdict(Struct, frozen=True):
    """The outcome of killing a client again and again."""

    passed: bool
    kills: tuple[str, ...]
    """at which posts: `lost` before the server had it, `unanswered` when the server had it"""
    rolls: int
    """how many came to their dice all the same"""
    seen: tuple[str, ...]


class _Client:
    """The program that is tried, in a process group of its own."""

    def __init__(self, command: str | None, link: str, folder: Path, output: Path) -> None:
        self._command = None if command is None else [*shlex.split(command), link]
        self._folder, self._output = folder, output
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def begin(self) -> None:
        """Start it, and end one that runs. Raises OSError if it cannot be started."""
        with self._lock:
            self._end()
            if self._command is None:
                return
            with self._output.open("ab") as output:
                self._process = subprocess.Popen(  # noqa: S603 - what the caller wants tried
                    self._command,
                    env={**os.environ, FOLDER_VARIABLE: str(self._folder)},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )

    def gone(self) -> bool:
        """Return True if it has ended by itself."""
        with self._lock:
            return self._process is not None and self._process.poll() is not None

    def kill(self) -> None:
        """End it, at once, with all that it started."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def said(self) -> tuple[str, ...]:
        """Return the end of its output."""
        if not self._output.exists():
            return ()
        return tuple(self._output.read_text(errors="replace").splitlines()[-5:])


@contextmanager
def real_server() -> Iterator[RealServer]:
    """A real server for any number of tables. Raises LedgerError."""
    with tempfile.TemporaryDirectory(prefix="rollproof-dev-") as folder, closing(RealServer(Path(folder))) as server:
        yield server


@contextmanager
def _tried(
    server: RealServer, command: str | None, *, port: int, patience: float, three: bool = False
) -> Iterator[tuple[LyingStage, _Client]]:
    with tempfile.TemporaryDirectory(prefix="rollproof-dev-") as folder:
        root = Path(folder)
        (root / "client").mkdir()
        stage = LyingStage(server, root, port=port, patience=patience, three=three)
        client = _Client(command, stage.link, root / "client", root / "client.log")
        stage.gone = client.gone
        try:
            yield stage, client
        finally:
            client.kill()
            stage.close()


def try_lie(
    server: RealServer,
    lie: Lie,
    command: str | None,
    invited: Invited = lambda _: None,
    *,
    port: int = 0,
    patience: float = 20.0,
    quiet: float = 5.0,
) -> LieVerdict:
    """Lie to a client.

    `command` starts it, with the link as its last argument; without, somebody starts one who is told the link.
    `patience`: seconds for each step that it takes; `quiet`: seconds without a wrong step after which it has refused.
    Raises LedgerError, OSError.
    """
    with _tried(server, command, port=port, patience=patience, three=lie.three) as (stage, client):
        client.begin()
        invited(stage.link)
        try:
            lie.tell(stage)
        except NotReachedError as error:
            found = (*stage.taken, str(error), *client.said())
            return LieVerdict(lie.name, False, "stopped" if lie.goes_on else "not reached", found)
        stage.watch(0.0 if lie.goes_on else quiet)
        if stage.taken:
            return LieVerdict(lie.name, False, "taken", (*dict.fromkeys(stage.taken),))
        return LieVerdict(lie.name, True, "went on" if lie.goes_on else "refused", client.said())


def crash_client(
    server: RealServer,
    command: str,
    *,
    rolls: int = _ROLLS,
    patience: float = 30.0,
    on_kill: Callable[[str], object] = lambda _: None,
) -> CrashVerdict:
    """Kill a client at each thing that it posts, twice: before the server has it, and before the client has the answer.

    It is started again each time, with the same folder and the same link, and has to go on with its seat: to send again
    byte for byte what may not have come, and never another thing in its place. Raises LedgerError, OSError.
    """
    with _tried(server, command, port=0, patience=patience) as (stage, client):
        kills: list[str] = []
        lock = Lock()

        def killed(at: str) -> bool:
            """Kill it here, where that was not done."""
            with lock:
                if at in kills:
                    return False
                kills.append(at)
                on_kill(at)
                client.begin()
                return True

        def request(method: str, path: str, body: bytes) -> tuple[int, bytes] | None:
            name = _post(method, path, body)
            return (503, b"{}") if name is not None and killed(f"{name}: lost") else None  # nobody reads it

        def answered(path: str, body: bytes) -> None:
            name = _post("POST", path, body)
            if name is not None:
                killed(f"{name}: unanswered")

        stage.proxy.request, stage.proxy.answered = request, answered
        client.begin()
        done = 0
        seen: list[str] = []
        try:
            stage.begin()
            for _ in range(rolls):
                stage.roll()
                done += 1
        except NotReachedError as error:
            seen += [str(error), *client.said()]
        seen = [*dict.fromkeys(stage.taken), *seen]
        return CrashVerdict(not seen, tuple(kills), done, tuple(seen))


def _post(method: str, path: str, body: bytes) -> str | None:
    """Name a post at which a client is killed; None for all else."""
    rest = path.rpartition("/")[2]
    if method != "POST" or rest not in ("seats", "lines", "openings"):
        return None
    if rest == "seats":
        return "seat"
    sent = json.loads(body)
    return str(sent["type"]) if rest == "lines" else f"opening {sent['opening']['index']}"
