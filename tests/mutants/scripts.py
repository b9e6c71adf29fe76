"""Where a module of JavaScript can be broken: its guards, as `guards` has them for Python (`guards.cjs` finds them)."""

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.mutants.altered import CHILD
from tests.mutants.sites import Site

__all__ = ["Script", "differing_vectors", "hand_down", "is_there", "scripts"]

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
NODE = "node"
SECONDS = 120
"""for all vectors, which take five seconds of a processor"""


@dataclass(frozen=True)
class Script:
    """A module and its places of change in the order of the file."""

    module: str
    """its path below the root"""
    path: Path
    sites: tuple[Site, ...]
    edits: dict[int, tuple[int, int, str]]
    """of each change, by its place among the changes: from where to where, and what is put there"""

    def altered(self, site: Site) -> str:
        """The source with a change; offsets are JavaScript's, in units of UTF-16."""
        start, end, put = self.edits[self.sites.index(site)]
        units = self.path.read_text(encoding="utf-8").encode("utf-16-le")
        return (units[: 2 * start] + put.encode("utf-16-le") + units[2 * end :]).decode("utf-16-le")


@cache
def is_there() -> bool:
    """Whether Node is, and TypeScript, whose tree is asked (tests/oracles/node, NODE_PATH)."""
    try:
        done = subprocess.run([NODE, "-e", "require('typescript')"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def scripts(paths: Iterable[Path], *, everything: bool = False) -> Iterator[Script]:
    """The modules with the changes of their guards, or of everything."""
    asked = [*(["--everything"] if everything else []), *map(str, paths)]
    done = subprocess.run([NODE, str(FOLDER / "guards.cjs"), *asked], capture_output=True, check=True)
    told: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    for path, found in told.items():
        module = Path(path).relative_to(ROOT).as_posix()
        sites = [Site(module, e["function"], e["line"], e["text"], e["change"], lambda: None) for e in found]
        edits = {number: (each["start"], each["end"], each["put"]) for number, each in enumerate(found)}
        yield Script(module, Path(path), tuple(sites), edits)


def hand_down(file: Path, script: Script, site: Site) -> None:
    """Let every Node that this process starts load the altered module."""
    file.write_text(json.dumps({"url": script.path.as_uri(), "source": script.altered(site)}), encoding="utf-8")
    os.environ["ROLLPROOF_MUTANT_SCRIPT"] = str(file)
    os.environ["NODE_OPTIONS"] = f"--import {(CHILD / 'altered.mjs').as_uri()}"


def differing_vectors(known: Path) -> str | None:
    """The first piece of the vectors of which something else comes out than stands in the file; it may be written."""
    command = [NODE, str(FOLDER / "vectors.mjs"), str(known)]
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "no end"
    return done.stdout.strip() or (f"Node ends with {done.returncode}" if done.returncode else None)
