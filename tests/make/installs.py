"""Install a built package as people do, each time in a clean environment, and say what came of it.

python -m tests.make.installs WHEEL PYTHON…             # pip in a venv, pipx and uv tool, with each Python
python -m tests.make.installs WHEEL PYTHON… --extras    # each extra too: what it adds, and whether its commands run
python -m tests.make.installs WHEEL PYTHON… --beside    # beside `rules` and `verifier` of other projects

Rows of tables are printed as they come (specs/guide/installing.md). It needs the standard library alone, so the file
runs by itself where there is nothing but a Python. pip, pipx and uv get their caches in the new folder, so all comes
over the network. Exit code: 0 all is as it must be; 1 a row says FAILED.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PASSPHRASE = "correct horse battery staple"
THEIRS = ("rules==3.5", "verifier==1.0.0")
"""packages of other projects on the index, with folders called as ours"""
EXTRAS: dict[str, str] = {
    "client": "'{bin}/python' -c 'import httpx, ledger.client'",
    "online": "'{bin}/rollproof' serve --check --port 0",
    "postgres": "'{bin}/python' -c 'import psycopg, psycopg_pool'",
    "fast": "'{bin}/python' -c 'import nacl.bindings'",
    "report": "'{bin}/rollproof' report '{log}' --out page.html",
    "stats": "'{bin}/rollproof' stats '{log}'",
    "season": "'{bin}/rollproof' export --parquet season '{log}'",
    "cluster": "'{bin}/rollproof' verify '{log}' --dask local",
}
"""extra → a command that needs it"""


class Place:
    """A new folder with a home of its own, and what was run in it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.problems: list[str] = []

    def run(self, *words: str | Path, code: int = 0, **more: str) -> str:
        """Run a command; return what it printed. Another exit code than `code` is a problem."""
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "LC_ALL": "C.UTF-8",
            "TMPDIR": str(self.folder),
        }
        kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "UV_INDEX"))}
        environment |= {"ROLLPROOF_PASSPHRASE": PASSPHRASE, **kept, **more}
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != code:
            self.problems.append(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout[-2000:]}")
        return done.stdout

    def row(self, *cells: object) -> bool:
        """Print a row of a table, and why it failed; return whether it did not."""
        print("|", " | ".join(map(str, cells)), "|", "FAILED" if self.problems else "ok", "|", flush=True)
        for problem in self.problems:
            print("   ", problem.replace("\n", "\n    "), flush=True)
        return not self.problems


def size(folder: Path) -> float:
    """Return the megabytes of the files below a folder, each once."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()) / 1e6


def seconds(do: Callable[[], object]) -> float:
    """Return how long something takes."""
    began = time.monotonic()
    do()
    return time.monotonic() - began


def version(python: str) -> str:
    """Return the version of a Python."""
    return subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def works(place: Place, folder: Path) -> float:
    """Try what was installed: its files, a game with its cheats, the documentation; return the seconds of the game."""
    program = folder / "rollproof"
    if "HOLDS: nothing differs." not in place.run(program, "version", "--verify"):
        place.problems.append("version --verify does not say that it holds")
    took = seconds(lambda: place.run(program, "demo"))
    place.run(program, "docs", "--out", "docs")
    place.run(folder / "rollproof-verify", "--version")
    return took


def pip(place: Place, python: str, what: str) -> Path:
    """Install with pip, in a new venv."""
    place.run(python, "-m", "venv", "env")
    place.run(place.folder / "env/bin/pip", "install", "-q", "--disable-pip-version-check", what)
    return place.folder / "env/bin"


def pipx(place: Place, python: str, what: str, programs: Path) -> Path:
    """Install with pipx."""
    place.run(programs / "pipx", "install", "--python", python, what)
    return place.folder / ".local/bin"


def uv(place: Place, python: str, what: str, programs: Path) -> Path:
    """Install with uv."""
    place.run(programs / "uv", "tool", "install", "--python", python, "--no-python-downloads", what)
    return place.folder / ".local/bin"


def tools(root: Path) -> tuple[Path, bool]:
    """Install pipx and uv; return the folder of their programs, and whether nothing failed."""
    place = Place(root / "tools")
    folder = pip(place, sys.executable, "pipx")
    place.run(folder / "pip", "install", "-q", "uv")
    return folder, not place.problems


def matrix(root: Path, wheel: str, pythons: list[str]) -> bool:
    """Install with each tool and each Python."""
    folder, good = tools(root)
    print("| tool | Python | install | on the disk | `rollproof demo` | |\n|---|---|---|---|---|---|", flush=True)
    for python in pythons:
        number = version(python)
        for name in ("pip in a venv", "pipx", "uv tool"):
            place = Place(root / f"{name}-{number}".replace(" ", "-"))
            how = {"pipx": pipx, "uv tool": uv}.get(name)
            began = time.monotonic()
            found = how(place, python, wheel, folder) if how else pip(place, python, wheel)
            took = time.monotonic() - began
            environment = (found / "rollproof").resolve().parents[1] if (found / "rollproof").exists() else found
            disk = size(environment)
            demo = works(place, found) if not place.problems else 0.0
            good &= place.row(name, number, f"{took:.0f} s", f"{disk:.0f} MB", f"{demo:.0f} s")
            shutil.rmtree(place.folder)
    return good


def packages(place: Place, folder: Path) -> int:
    """Return how many packages are installed."""
    return len(json.loads(place.run(folder / "pip", "list", "--format", "json", "--disable-pip-version-check")))


def extras(root: Path, wheel: str, python: str) -> bool:
    """Install each extra, and run a command that needs it."""
    number = version(python)
    base = Place(root / f"base-{number}")
    folder = pip(base, python, wheel)
    before, disk = packages(base, folder), size(folder.parent)
    for words in (
        *(("identity", "new", name) for name in ("host", "alice", "bob")),
        ("dice", "new", "--keeper", "host", "--player", "alice", "--player", "bob", "--title", "table"),
        *(("join", "table", "--as", name) for name in ("alice", "bob")),
        *(("roll", "table", "2d6", "--as", name) for name in ("alice", "bob")),
        ("export", "table", "--out", "table.jsonl"),
    ):
        base.run(folder / "rollproof", *words)
    good = base.row("none", number, f"{before} packages", f"{disk:.0f} MB")
    for name, command in EXTRAS.items():
        place = Place(root / f"{name}-{number}")
        began = time.monotonic()
        found = pip(place, python, f"{wheel}[{name}]")
        took = time.monotonic() - began
        more = packages(place, found) - before
        added = size(found.parent) - disk
        if not place.problems:
            place.run("sh", "-c", command.format(bin=found, log=base.folder / "table.jsonl"))
        good &= place.row(f"`{name}`", number, f"{more} packages", f"{added:.0f} MB", f"{took:.0f} s")
        shutil.rmtree(place.folder)
    shutil.rmtree(base.folder)
    return tools_take_an_extra(root, wheel, python) and good


def tools_take_an_extra(root: Path, wheel: str, python: str) -> bool:
    """Install an extra with pipx and uv, from the file's folder, as the pages write it."""
    programs, good = tools(root)
    for name, how in (("pipx", pipx), ("uv tool", uv)):
        place = Place(root / f"{name}-extra".replace(" ", "-"))
        shutil.copy(wheel, place.folder)
        program = how(place, python, f"./{Path(wheel).name}[client]", programs) / "rollproof"
        place.run("sh", "-c", EXTRAS["client"].format(bin=program.resolve().parent))
        good &= place.row(f"`client` with {name}", version(python))
        shutil.rmtree(place.folder)
    shutil.rmtree(programs.parents[1])
    return good


def beside(root: Path, wheel: str, python: str) -> bool:
    """Install it into one environment with what other projects call `rules` and `verifier`, in both orders."""
    number, good = version(python), True
    after = Place(root / f"after-{number}")
    folder = pip(after, python, wheel)
    for theirs in THEIRS:
        said = after.run(folder / "pip", "install", "-q", "--disable-pip-version-check", theirs)
        start = after.run(folder / "rollproof", "games", code=74).strip().splitlines()
        after.run(folder / "rollproof-verify", "x.jsonl", code=74)
        after.run(folder / "rollproof", "version", "--verify", code=1)
        checked = after.run(folder / "pip", "check").strip()
        good &= after.row(
            f"{theirs} after ours", number, f"pip says: {said.strip() or 'nothing'}; {checked}", start[:1]
        )
        after.run(folder / "pip", "install", "-q", "--force-reinstall", "--no-deps", wheel)
    before = Place(root / f"before-{number}")
    folder = pip(before, python, THEIRS[0])
    before.run(folder / "pip", "install", "-q", THEIRS[1])
    said = before.run(folder / "pip", "install", "-q", "--disable-pip-version-check", wheel)
    before.run(folder / "rollproof", "games")
    listed = before.run(folder / "rollproof", "version", "--verify", code=1)
    named = [line for line in listed.splitlines() if "DIFFERS" in line]
    good &= before.row("ours after theirs", number, f"pip says: {said.strip() or 'nothing'}", f"{len(named)} named")
    before.run(folder / "pip", "uninstall", "-q", "-y", "rules")
    before.run(folder / "rollproof", "games", code=74)
    return before.row("theirs removed", number, "code 74", "") and good


def main() -> int:
    """Install it in the ways that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", metavar="WHEEL", type=Path)
    parser.add_argument("pythons", metavar="PYTHON", nargs="+")
    parser.add_argument("--extras", action="store_true")
    parser.add_argument("--beside", action="store_true")
    given = parser.parse_args()
    wheel = str(given.wheel.absolute())
    with tempfile.TemporaryDirectory() as folder:
        if given.extras:
            good = not [python for python in given.pythons if not extras(Path(folder), wheel, python)]
        elif given.beside:
            good = not [python for python in given.pythons if not beside(Path(folder), wheel, python)]
        else:
            good = matrix(Path(folder), wheel, given.pythons)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
