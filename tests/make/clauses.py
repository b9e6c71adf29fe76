"""Write specs/clauses.md: the systems, every clause of each, how it is enforced, and the vectors that show it.

`python -m tests.make.clauses` writes it, `--check` exits 1 where it is out of date.
"""

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from rules import SYSTEMS, System
from tests.support.scripts import scripts

SPECS = Path(__file__).parents[2] / "specs"
PAGE = SPECS / "clauses.md"

HEAD = """\
# Clauses and what shows them

This page lists every clause of each system, how it is enforced, and the vectors that show it.
`python -m tests.make.clauses` makes it from the systems and the rules scripts in `vectors/scripts/`; a test compares
it with them. Each clause has one script that holds and one that violates it (named by the verifier's finding), as
FILE--NAME with a link to the file, and the number of scripts of each kind.
"""


def vectors(system: str) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Names of the scripts of a system that hold and that violate, by clause."""
    holds, violates = defaultdict(list), defaultdict(list)
    for vector in scripts():
        script = vector.value
        if script["system"] != system:
            continue
        violation = script["expect"].get("violation")
        if violation is None:
            holds[vector.clause].append(str(vector))
        else:
            violates[violation["clause"]].append(str(vector))
    return holds, violates


def page_of(system: System[Any]) -> Path:
    """The system's page: the one that says that it is. Raises ValueError where there is none, or another."""
    (found,) = [path for path in SPECS.glob("*.md") if f"\nSystem id `{system.id}`" in path.read_text()]
    return found


def page() -> str:
    """The whole page."""
    return HEAD + _systems() + "".join(_section(system) for system in SYSTEMS.values())


def _systems() -> str:
    rows = ["", "## Systems", "", "| id | commands | game | page |", "|---|---|---|---|"]
    for system in SYSTEMS.values():
        page = page_of(system).name
        rows.append(f"| `{system.id}` | `rollproof {system.name}` | {system.title} | [{page}]({page}) |")
    return "\n".join(rows) + "\n"


def _section(system: System[Any]) -> str:
    holds, violates = vectors(system.id)
    rows = [
        "",
        f"## {system.title}",
        "",
        "| clause | asks | enforced | holds | violates |",
        "|---|---|---|---|---|",
    ]
    for clause in system.clauses:
        kept = _cell(clause.holds, len(holds[clause.number]))
        broken = (
            _cell(clause.violates, len(violates[clause.number])) if clause.violates else f"none: {clause.unviolable}"
        )
        rows.append(f"| {clause.number} | {clause.asks} | {clause.enforced} | {kept} | {broken} |")
    return "\n".join(rows) + "\n"


def _cell(name: str, count: int) -> str:
    told = name.rpartition("/")[2].removesuffix(".violates")
    return f"[{told}](vectors/scripts/{name.partition('--')[0]}.json) ({count})"


def main() -> int:
    """Write the page, or check it."""
    if "--check" in sys.argv:
        return int(not PAGE.exists() or PAGE.read_text() != page())
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
