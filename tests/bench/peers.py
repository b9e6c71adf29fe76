"""The peers that figures are compared with, in an environment of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.bench.measure import Race, Sizes, seconds

__all__ = ["PACKAGES", "Peers"]

PACKAGES = ("eventsourcing>=9.5,<9.6", "d20>=1.1,<1.2")
INSTALL_TIMEOUT = 600.0
"""seconds"""

# Each prints the seconds that its work took, without starting and without preparing.
_PROGRAM = """
import json, os, sqlite3, sys, tempfile, time
from importlib.metadata import version

def game(folder):
    os.environ.update(
        PERSISTENCE_MODULE="eventsourcing.sqlite", SQLITE_DBNAME=folder + "/peer.db", SQLITE_LOCK_TIMEOUT="60"
    )
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event

    class Game(Aggregate):
        @event("Opened")
        def __init__(self, title):
            self.title, self.rolls = title, []

        @event("Rolled")
        def roll(self, player, dice, naturals, source):
            self.rolls.append((player, dice, naturals, source))

    return Application(), Game("benchmark")

def filled(folder, count):
    app, one = game(folder)
    for number in range(count):
        one.roll("alice", "1d20", [number % 20 + 1], "Delina, Wild Mage")
    app.save(one)
    return app, one

def save(count, folder):
    app, one = game(folder)
    app.save(one)
    def work():
        for number in range(count):
            one.roll("alice", "1d20", [number % 20 + 1], "Delina, Wild Mage")
            app.save(one)
    return work

def aggregate(count, folder):
    app, one = filled(folder, count)
    return lambda: app.repository.get(one.id)

def aggregates(count, folder):
    app, first = game(folder)
    ids = []
    for _ in range(count):
        one = type(first)("benchmark")
        for number in range(300):
            one.roll("alice", "1d20", [number % 20 + 1], "Delina, Wild Mage")
        app.save(one)
        ids.append(one.id)
    def work():
        for each in ids:
            app.repository.get(each)
    return work

def projection(count, folder):
    app, one = filled(folder, count)
    def work():
        view = sqlite3.connect(folder + "/view.db")
        view.execute("CREATE TABLE rolls (game TEXT, seq INTEGER PRIMARY KEY, player TEXT, dice TEXT, naturals TEXT)")
        start, limit = 1, 1000
        while found := app.recorder.select_notifications(start, limit):
            rows = []
            for notification in found:
                event = app.mapper.to_domain_event(notification)
                if type(event).__name__ == "Rolled":
                    naturals = json.dumps(event.naturals)
                    key = (str(event.originator_id), event.originator_version)
                    rows.append((*key, event.player, event.dice, naturals))
            view.executemany("INSERT INTO rolls VALUES (?, ?, ?, ?, ?)", rows)
            start = found[-1].id + 1
        view.commit()
    return work

def rolled(notation):
    def prepare(count, folder):
        import d20
        def work():
            for _ in range(count):
                d20.roll(notation)
        return work
    return prepare

d20, d20_keep, d20_hundred = rolled("1d20+5"), rolled("4d6kh3+2"), rolled("100d6")

if sys.argv[1] == "versions":
    print(json.dumps({name: name + " " + version(name) for name in ("eventsourcing", "d20")}))
else:
    with tempfile.TemporaryDirectory(dir=sys.argv[3]) as folder:
        work = globals()[sys.argv[1]](int(sys.argv[2]), folder)
        start = time.perf_counter()
        work()
        print(time.perf_counter() - start)
"""


class Peers:
    """Where the peers are installed, if they are."""

    def __init__(self, say: Callable[[str], None], scratch: Path, *, install: bool) -> None:
        """`scratch`: a folder on the disk that ours uses too. If not `install`, only what is installed is used."""
        self._folder = _cache() / "bench-peers"
        self._scratch = scratch
        self.versions: Mapping[str, str] = {}
        problem = self._find()
        if problem and install:
            say(f"Installing the peers ({', '.join(PACKAGES)}) in {self._folder}")
            problem = self._install() or self._find()
        if problem:
            say(f"Without the peers eventsourcing and d20: {problem}")

    @property
    def there(self) -> bool:
        return bool(self.versions)

    def race(self, work: str, count: int, ours: Callable[[], object], sizes: Sizes) -> Race:
        """Ours and a peer's work in turns, `count` pieces of it each."""
        mine, theirs = [], []
        for _ in range(sizes.turns):
            theirs.append(float(self._run(work, str(count), str(self._scratch))))
            mine.append(seconds(ours))
        return Race.of(mine, theirs)

    def seconds(self, work: str, count: int) -> float:
        """How long a peer takes for `count` pieces of work."""
        return float(self._run(work, str(count), str(self._scratch)))

    @property
    def _python(self) -> Path:
        return self._folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def _run(self, *arguments: str) -> str:
        # Only what is installed there, nothing of ours.
        command = [str(self._python), "-I", "-c", _PROGRAM, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def _find(self) -> str | None:
        """Look for what is installed; returns what is wrong."""
        try:
            self.versions = json.loads(self._run("versions"))
        except (OSError, subprocess.CalledProcessError, ValueError):
            return "they are not installed (a full run installs them)"
        return None

    def _install(self) -> str | None:
        pip = [str(self._python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
        for command in ([sys.executable, "-m", "venv", "--clear", str(self._folder)], pip):
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_TIMEOUT, check=False)
            except (OSError, subprocess.TimeoutExpired) as error:
                return f"they cannot be installed ({error})"
            if done.returncode:
                last = (done.stderr.strip() or "no reason given").splitlines()[-1]
                return f"they cannot be installed ({last})"
        return None


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rollproof"
