"""Taking turns: ours and a counterpart, one after the other, and the ratio of the two."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from msgspec import Struct

import verifier

__all__ = ["FULL", "QUICK", "Measure", "Race", "Sizes", "cores", "environment", "python", "race", "rate", "seconds"]


class Sizes(Struct, frozen=True):
    """How much is measured."""

    turns: int
    verify_events: int
    one_core_events: int
    append_rolls: int
    long_game: int
    hosted_games: int
    hosted_turns: int
    served_tables: int
    served_lines: int
    served_rolling: int
    served_rolls: int
    served_every: float
    served_idle: int
    rebuild_events: int
    rebuild_games: int
    dice: int
    fairness_d6: int
    fairness: int
    starts: int
    memory_events: int
    folder_logs: int
    command_events: int
    command_turns: int
    shared_processes: int
    shared_tables: int


FULL = Sizes(
    turns=5,
    verify_events=20_000,
    one_core_events=5_000,
    append_rolls=100,
    long_game=10_000,
    hosted_games=64,
    hosted_turns=20,
    served_tables=64,
    served_lines=20,
    served_rolling=200,
    served_rolls=6,
    served_every=5.0,
    served_idle=1_000,
    rebuild_events=10_000,
    rebuild_games=100,
    dice=1_000_000,
    fairness_d6=10_000_000,
    fairness=1_000_000,
    starts=15,
    memory_events=1_000_000,
    folder_logs=120,
    command_events=50_000,
    command_turns=7,
    shared_processes=4,
    shared_tables=256,
)
QUICK = Sizes(
    turns=1,
    verify_events=600,
    one_core_events=300,
    append_rolls=12,
    long_game=300,
    hosted_games=8,
    hosted_turns=1,
    served_tables=4,
    served_lines=5,
    served_rolling=2,
    served_rolls=2,
    served_every=0.5,
    served_idle=4,
    rebuild_events=300,
    rebuild_games=15,
    dice=100_000,
    fairness_d6=200_000,
    fairness=100_000,
    starts=1,
    memory_events=2_000,
    folder_logs=4,
    command_events=300,
    command_turns=1,
    shared_processes=2,
    shared_tables=4,
)


class Measure(Struct, frozen=True):
    """One line of the table. `ratio` has no unit, the greater the better; `target` is the least that it should be."""

    key: str
    what: str
    against: str
    ours: str
    bare: str
    ratio: float
    target: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the target was reached; None where there is none."""
        return None if self.target is None else self.ratio >= self.target


class Race(Struct, frozen=True):
    """Median seconds of both sides, and the median of bare / ours, turn by turn."""

    ours: float
    bare: float
    ratio: float

    @classmethod
    def of(cls, ours: Sequence[float], bare: Sequence[float]) -> "Race":
        return cls(median(ours), median(bare), median(b / o for o, b in zip(ours, bare, strict=True)))


def race(ours: Callable[[], object], bare: Callable[[], object], turns: int) -> Race:
    """Run both in turns, each first in every other turn."""
    taken: tuple[list[float], list[float]] = ([], [])
    for turn in range(turns):
        for side in (0, 1) if turn % 2 else (1, 0):
            taken[side].append(seconds((ours, bare)[side]))
    return Race.of(*taken)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rate(count: float, taken: float, unit: str) -> str:
    """How many in a second, in words."""
    return f"{count / taken:,.0f} {unit}/s"


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def python(*arguments: str) -> str:
    """What another Python prints, with this one's packages."""
    done = subprocess.run([sys.executable, *arguments], env=environment(), capture_output=True, text=True, check=True)
    return done.stdout


def environment() -> dict[str, str]:
    """The variables for a Python that finds this one's packages, and keeps what it compiles, as installed ones do."""
    root = str(Path(verifier.__file__).resolve().parent.parent)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, (root, kept.get("PYTHONPATH"))))}
