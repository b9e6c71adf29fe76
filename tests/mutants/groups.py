"""What is broken: the systems of `rules`, operator by operator, and the guards of everything else, group by group."""

from collections.abc import Container, Iterator
from pathlib import Path

from tests.mutants import scripts, sites
from tests.mutants.guards import guards
from tests.mutants.scripts import Script
from tests.mutants.sites import Tree

__all__ = ["GROUPS", "GUARDED", "paths", "trees"]

ROOT = Path(__file__).parents[2]

GUARDED: dict[str, tuple[str, ...]] = {
    "verifier": (
        "verifier/*.py",
        *(f"verifier/{room}/*.py" for room in ("checkpoints", "dice", "disputes", "log", "rosters")),
    ),
    "event": ("verifier/event/*.py",),
    "seat": ("ledger/seats/*.py", "ledger/home.py", "ledger/game/signature_cache.py"),
    "keeper": (
        *(f"ledger/{room}/*.py" for room in ("keeper", "store", "transparency")),
        *(f"ledger/{name}.py" for name in ("game/core", "database/sqlite")),
    ),
    "server": ("ledger/server/*.py", "ledger/lobby/*.py"),
    "client": ("ledger/client/*.py", "ledger/network/remote_logs.py"),
    "core": ("ledger/web/core/*.js",),
    "web": ("verifier/web/*.js",),
}
"""groups whose guards are broken, with their files"""

TELLS = frozenset({"verifier.language", "verifier.errors", "verifier/web/words.js", "verifier/web/words-ja.js"})
"""modules that word what others have decided"""

GROUPS = (*sites.GROUPS, *GUARDED)


def paths(group: str) -> Iterator[tuple[str, Path]]:
    """Names and files of a group's modules."""
    if group not in GUARDED:
        yield from sites.modules(group)
        return
    for path in (path for pattern in GUARDED[group] for path in sorted(ROOT.glob(pattern))):
        if (name := _name(path)) not in TELLS:
            yield name, path


def trees(group: str, wanted: Container[str] | None = None, *, everything: bool = False) -> Iterator[Tree | Script]:
    """The modules of a group, or those of them that are wanted, with the changes of their guards or of everything.

    Of JavaScript there are none where Node or TypeScript, which reads it, is not installed.
    """
    found = [(name, path) for name, path in paths(group) if wanted is None or name in wanted]
    if group not in GUARDED:
        yield from (sites.sites(name, path) for name, path in found)
    elif any(path.suffix == ".js" for _, path in found):
        yield from scripts.scripts((path for _, path in found), everything=everything) if scripts.is_there() else ()
    else:
        yield from (guards(name, path, everything=everything) for name, path in found)


def _name(path: Path) -> str:
    """`ledger.server.app`, or the path below the root of what is no module of Python."""
    below = path.relative_to(ROOT)
    if path.suffix != ".py":
        return below.as_posix()
    parts = below.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
