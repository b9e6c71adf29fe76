"""The commands of a page, run in order as they stand, with nothing but a shell and Python.

A block is run if `<!-- run -->` stands above it, on one machine a page; `<!-- run NAME -->`, on the machine of that
name: a home folder and a memory of its own. `<!-- serve -->`: it goes on while the rest is run. `<!-- file NAME -->`
above a block is a file that its reader writes. Below a block, `<!-- says: TEXT -->`: it prints that; `<!-- prints -->`
above a block of text: it prints this, but for what differs each time (`<!-- prints exactly -->`: all of it); a line
`…` stands for any lines.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from tests.support.cli import LIMIT, REPOSITORY

__all__ = ["GUIDE", "Block", "Machines", "blocks", "matches", "played", "steady"]

GUIDE = REPOSITORY / "specs" / "guide"
_BLOCK = re.compile(r"<!-- (run|file|serve|prints|says:)(?: ([^\n]+?))? -->(?:\n```\w+\n(.*?)```)?", re.DOTALL)
_DIFFERS = (
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "TIME"),
    (re.compile(r"[a-z0-9.-]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{43}[A-Za-z0-9+/=]*"), "KEY"),
    (re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{12,}(?![0-9A-Za-z])"), "HEX"),
    (re.compile(r"~~|\*\*"), ""),
    (re.compile(r"\d+"), "N"),
)
"""what is another at each run: times, keys, hashes, dice, and which of the dice are dropped"""


class Block(NamedTuple):
    """A block of a page: commands for a machine, a file, or what the commands before it print."""

    kind: str
    name: str
    text: str


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page that are run, written or compared, in order."""
    return [Block(kind, name, text) for kind, name, text in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def steady(line: str) -> str:
    """Return a line without what is another at each run."""
    for pattern, put in _DIFFERS:
        line = pattern.sub(put, line)
    return line.strip()


def matches(told: str, printed: str, *, exactly: bool = False) -> bool:
    """Return whether a page's text is what was printed; its lines `…` stand for any lines."""
    form = str.strip if exactly else steady

    def lines(text: str) -> list[str]:
        return [f"{form(line)}\n" for line in text.strip().splitlines()]

    pattern = ".*".join(re.escape("".join(lines(part))) for part in re.split(r"^…$", told.strip(), flags=re.MULTILINE))
    return re.fullmatch(pattern, "".join(lines(printed)), re.DOTALL) is not None


class Machines:
    """The machines of a page: their variables and homes last from block to block, and so does what they began."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._going: list[subprocess.Popen[str]] = []

    def run(self, machine: str, commands: str) -> str:
        """Return what the commands print."""
        words, environment = self._shell(machine, commands, keep=True)
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == 0, f"{commands}\n{done.stdout}"
        return done.stdout

    def serve(self, machine: str, command: str) -> str:
        """Begin what goes on; return what it prints until it has said its address."""
        words, environment = self._shell(machine, f"exec {command}", keep=False)
        going = subprocess.Popen(
            words, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._going.append(going)
        assert going.stdout is not None
        return "".join(_until_address(going.stdout))

    def end(self) -> list[int]:
        """End what goes on, and what a page began and wrote the number of to a file; return the exit codes."""
        codes = []
        for going in self._going:
            going.terminate()
            codes.append(going.wait(LIMIT))
            assert going.stdout is not None
            going.stdout.close()
        for path in self.folder.glob("*.pid"):
            with suppress(ProcessLookupError):
                os.kill(int(path.read_text()), signal.SIGKILL)
        return codes

    def _shell(self, machine: str, commands: str, *, keep: bool) -> tuple[list[str], dict[str, str]]:
        home = self.folder / f".machine-{machine}"
        home.mkdir(exist_ok=True)
        kept = home / "variables"
        lines = ["set -euo pipefail", f"[ ! -f '{kept}' ] || . '{kept}'", commands]
        environment = {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "ROLLPROOF_PORT": "0",  # several pages are run beside each other
        }
        return ["bash", "-c", "\n".join([*lines, *([f"export -p > '{kept}'"] if keep else [])])], environment


def _until_address(stream: IO[str]) -> Iterator[str]:
    for line in stream:
        yield line
        if "http" in line:
            return


@contextmanager
def machines(folder: Path) -> Iterator[Machines]:
    """Give machines, and end what goes on there."""
    found = Machines(folder)
    try:
        yield found
    except BaseException:
        found.end()
        raise
    assert set(found.end()) <= {0}


def played(folder: Path, page: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    """Run a page; yield each block with what the commands above it printed, those of its own included."""
    printed = ""
    with machines(folder) as found:
        for block in page:
            if block.kind in ("run", "serve"):
                assert block.text, "no block of commands stands below the marker"
                printed = (found.run if block.kind == "run" else found.serve)(block.name or "here", block.text)
            elif block.kind == "file":
                (folder / block.name).write_text(block.text, encoding="utf-8")
            yield block, printed
