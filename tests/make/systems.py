"""Writes `specs/vectors/systems/` and `systems.json`: `python -m tests.make.systems`, or with `--check` compares.

For each system a game that holds, and one in which a player's event breaks a rule. Written by `reference.Writer`, from
the pages alone; what comes out is stated here by hand, and each system's own oracle must come to the same.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.make.vectors import pretty
from tests.oracles import reference_rules as rules
from tests.oracles.reference import Writer, leaf, root
from tests.oracles.reference_dice import Dice
from tests.oracles.reference_doubledown import DoubleDown
from tests.oracles.reference_t9a import NinthAge
from tests.oracles.reference_wh40k import Warhammer

HERE = Path(__file__).resolve().parents[2] / "specs" / "vectors"

PLAYERS = {"host": "keeper", "alice": "player", "bob": "player"}
WITH_GM = {"host": "keeper", "gil": "gm", "alice": "player", "bob": "player"}

Event = tuple[str, str, dict[str, Any], tuple[int, ...]]
"""author, type, body, and of a request the sides of its dice"""


def event(author: str, kind: str, sides: tuple[int, ...] = (), /, **body: Any) -> Event:
    """An event of the system's; `for_` stands for the member `for`."""
    return author, kind, {name.rstrip("_"): value for name, value in body.items()}, sides


@dataclass(frozen=True)
class System:
    """A system, a game of it, and an event upon that game that a rule refuses."""

    name: str
    id: str
    options: dict[str, Any]
    roles: dict[str, str]
    oracle: type[rules.Game]
    events: tuple[Event, ...]
    refused: Event
    clause: str


def sheet(character: str) -> dict[str, Any]:
    """A sheet of Double Down."""
    return {
        "character": character,
        "stats": {"agility": 3},
        "track": [1, 2, 3],
        "stress": 0,
        "tags": {},
        "drive": 0,
        "what": "sheet",
    }


SYSTEMS = (
    System(
        "dice",
        "dice-1",
        {},
        WITH_GM,
        Dice,
        (
            event("alice", "roll", (6, 6, 6, 6), dice="4d6kh3 + 2", source="Strength"),
            event("bob", "roll", (20,), dice="d20 + 5", least=15, source="the locked door"),
            event("gil", "roll", (100,), dice="d%"),
        ),
        event("alice", "roll", (), dice="4D6"),
        "D1",
    ),
    System(
        "t9a",
        "t9a-2022",
        {},
        PLAYERS,
        NinthAge,
        (
            event("alice", "roll", (6, 6, 6), source="to hit", dice="3d6", target="4+"),
            event("bob", "roll", (6, 6), source="a charge", dice="2d6"),
        ),
        event("bob", "roll", (), source="a charge", dice="D6"),
        "T1.1",
    ),
    System(
        "wh40k",
        "wh40k-9e",
        {"fast_rolling": True},
        PLAYERS,
        Warhammer,
        (
            event("alice", "declare", what="waive"),
            event("bob", "declare", what="waive"),
            event("alice", "roll", (6,), for_="free", source="a rule", dice="d6"),
            event("bob", "roll", (6, 6), for_="free", source="a rule", dice="2d3"),
        ),
        event("alice", "roll", (), for_="free", source="a rule", dice="1001d6"),
        "W1",
    ),
    System(
        "doubledown",
        "doubledown-1",
        {},
        WITH_GM,
        DoubleDown,
        (
            event("alice", "declare", **sheet("Ash")),
            event("gil", "declare", what="confirm", player="alice"),
            event(
                *("gil", "declare"), what="call", source="the bridge", stat="agility", difficulty=10, players=["alice"]
            ),
            event("alice", "roll", (20,), call=1),
        ),
        event("gil", "declare", what="confirm", player="bob"),
        "R2",
    ),
)


def played(system: System, label: str, *, refused: bool) -> tuple[Writer, list[dict[str, Any]], int]:
    """Play a game. Return its writer, its events as a script has them, and how many lines of it hold."""
    w = Writer(label, dict(system.roles), "all")
    w.open(system=system.id, options=system.options, title=f"A game of {system.name}")
    players = [name for name, role in system.roles.items() if role != "keeper"]
    w.join(*players, checks=players)
    w.commit(*system.roles, length=8)
    script: list[dict[str, Any]] = []
    for author, kind, body, sides in (*system.events, *((system.refused,) if refused else ())):
        told: dict[str, Any] = {"author": author, "type": kind, "body": body}
        if sides:
            w.request(author, kind, body, list(sides))
            w.reveal()
            told["naturals"] = w.naturals
        else:
            w.write(author, kind, body)
        script.append(told)
    before = len(w.lines) - (1 if refused else 0)
    if refused and system.refused[1] == "roll":
        w.write("host", "close", {})  # over a request whose dice nobody knows: the log has failed before
    else:
        w.close()
    return w, script, before


def files() -> dict[str, bytes]:
    """Every file by its path under specs/vectors/."""
    found: dict[str, bytes] = {}
    index: list[dict[str, Any]] = []
    for system in SYSTEMS:
        for refused in (False, True):
            name = f"{system.name}--{'violates' if refused else 'holds'}.jsonl"
            w, script, before = played(system, f"systems {name}", refused=refused)
            entry: dict[str, Any] = {
                "file": name,
                "system": system.id,
                "verdict": "fails" if refused else "holds",
                "events": len(w.lines),
                "valid_prefix": before if refused else len(w.lines),
            }
            if refused:
                entry |= {"code": "rules.violation", "clause": system.clause, "fault": system.refused[0]}
            else:
                leaves = [leaf(line) for line in w.lines]
                entry["head"] = {"size": len(leaves), "leaf": leaves[-1].hex(), "root": root(leaves).hex()}
            entry["rolls"] = [each["naturals"] for each in script if "naturals" in each]
            check(system, script, refused=refused)
            found[f"systems/{name}"] = b"".join(line + b"\n" for line in w.lines)
            index.append(entry)
    found["systems.json"] = pretty(index)
    return found


def check(system: System, script: list[dict[str, Any]], *, refused: bool) -> None:
    """Ask the system's oracle, which knows its page alone."""
    whole = {
        "format": rules.SCRIPT_FORMAT,
        "about": "",
        "system": system.id,
        "options": system.options,
        "parties": system.roles,
        "events": script,
    }
    result = rules.run_script(whole, system.oracle)
    violation = {"seq": len(script), "code": "rules.violation", "clause": system.clause} if refused else None
    if result.get("violation") != violation:
        raise AssertionError(f"{system.name}: {result.get('violation')}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the vectors of each system.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    arguments = parser.parse_args()
    made = files()
    there = {path.relative_to(HERE).as_posix() for path in (HERE / "systems").glob("*")} | {"systems.json"}
    wrong = [name for name, data in made.items() if not (HERE / name).exists() or (HERE / name).read_bytes() != data]
    wrong += sorted(there - set(made) - {"systems.json"})
    for name in wrong:
        print(name)
        if arguments.check:
            continue
        if name in made:
            (HERE / name).parent.mkdir(exist_ok=True)
            (HERE / name).write_bytes(made[name])
        else:
            (HERE / name).unlink()
    return 1 if arguments.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
