"""Search every model and print each claim: `python specs/models/run.py [--bound large] [--old-rules] [--traces]`.

Exit codes: 0 every claim holds, or with --old-rules every attack is found; 1 not so; 2 Spin or a C compiler is missing,
or wrong usage; 3 a search could not be finished.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import replaced
import rolls_claims
import sealed
from state_search import Result

HERE = Path(__file__).parent


class NotFinishedError(Exception):
    """A search that ended before it had seen every state, or that could not be built."""


class Search(NamedTuple):
    """One search by Spin: a model with its flags, and formulas of it with what each says in words."""

    model: str
    about: str
    flags: str
    formulas: dict[str, str]
    liveness: bool = False


SEAT = {
    "one_link": "it opens one link for one request",
    "one_history": "it signs on one history",
    "open_or_void": "it does not both open for a request and void it",
    "only_taken": "it opens for no request that the keeper has not signed over",
}
TWICE = {name: SEAT[name] for name in ("one_link", "one_history", "open_or_void")}
EVIDENCE = {"no_evidence": "no honest party signs what counts as evidence against it"}
PROGRESS = {"progress": "every honest guest's events come into the log in the end"}
ALONE = "a seat, killed anywhere, in two processes, memory or folder put back alone"

SMALL = (
    Search("seat", ALONE, "", SEAT),
    Search("seat", "a seat, all put back, and shown what left it since", "-DRESTORE_BOTH -DSHOWN", SEAT),
    Search("taken", "two guests, an honest keeper", "-DLINES=9 -DWANTS=2", EVIDENCE),
    Search("taken", "two guests, an honest keeper", "-DLINES=9 -DWANTS=2", PROGRESS, liveness=True),
    Search("taken", "two guests, a keeper that signs anything", "-DCHEAT -DLINES=5", EVIDENCE),
    Search("taken", "the same, two events of each guest", "-DCHEAT -DLINES=5 -DWANTS=2", EVIDENCE),
)
LARGE = (
    Search("seat", ALONE + ", twice", "-DRESTORES=2", SEAT),
    Search("seat", ALONE.replace("two processes", "three"), "-DPROCESSES=3", SEAT),
    Search(
        "taken",
        "two guests, a keeper that signs anything, two events of each guest, a line more",
        "-DCHEAT -DLINES=6 -DWANTS=2",
        EVIDENCE,
    ),
)
LIMITS = (Search("seat", "a seat, all put back, and shown nothing that left it since", "-DRESTORE_BOTH", TWICE),)
OLD = (
    Search("seat", "all old rules", "-DOLD_RULES -DRESTORES=0", TWICE),
    Search("seat", "all old rules, one process", "-DOLD_RULES -DPROCESSES=1", SEAT),
    Search("seat", "look-up and record are two statements", "-DOLD_SPLIT -DOLD_MEMORY -DRESTORES=0", TWICE),
    Search("seat", "the memory has no counter and lies in what is backed up", "-DOLD_MEMORY", TWICE),
    Search("seat", "lines in the store are trusted", "-DOLD_TRUST", {"only_taken": SEAT["only_taken"]}),
    Search("seat", "its own signatures in the log are not looked at", "-DOLD_BLIND -DRESTORE_BOTH -DSHOWN", TWICE),
    Search("seat", "the folder's counter is written after the signature has left", "-DCOPY_LATE", TWICE),
    Search("seat", "the folder's counter is written after the turn", "-DCOPY_UNLOCKED", TWICE),
    Search("taken", "guests sign and open upon untaken events", "-DOLD_RULES", EVIDENCE),
    Search("taken", "guests sign upon untaken events; the keeper cheats", "-DOLD_SIGN -DCHEAT", EVIDENCE),
    Search("taken", "a guest's own events count against it", "-DOWN_COUNTS -DLINES=7 -DWANTS=2", EVIDENCE),
    Search("taken", "a head is what was signed, taken or not", "-DHEAD_UNTAKEN", PROGRESS, liveness=True),
)


def spin(search: Search, *, holds: bool, shortest: bool) -> list[Result]:
    """Search one model for a way to break each of its formulas; good if there is none, or if `holds` is false, one.

    Raises NotFinishedError.
    """
    with tempfile.TemporaryDirectory() as folder:
        model = shutil.copy(HERE / f"{search.model}.pml", folder)

        def run(*command: str) -> str:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            return done.stdout + done.stderr

        said = run("spin", "-a", *search.flags.split(), Path(model).name)
        breadth_first = shortest and not search.liveness
        options = [
            *([] if search.liveness else ["-DNOFAIR"]),
            *(["-DBFS"] if breadth_first else []),
            *(["-DCOLLAPSE"] if search in LARGE else []),  # half the memory, twice the time
        ]
        said += run("gcc", "-O1", "-w", "-DMEMLIM=6000", *options, "-o", "pan", "pan.c")

        def ask(formula: str) -> Result:
            found = run("./pan", *(["-a", "-f"] if search.liveness else []), "-m1000000", "-N", formula)
            errors, states = re.search(r"errors: (\d+)", found), re.search(r"(\d+) states, stored", found)
            cut = re.search("search depth too small|out of memory|MEMLIM", found)
            if errors is None or states is None or (cut and errors[1] == "0"):
                raise NotFinishedError(f"{search.model}.pml {search.flags} {formula}\n{said}{found}")
            broken = errors[1] != "0"
            steps = run("spin", "-t", "-p", *search.flags.split(), Path(model).name) if broken else ""
            words = search.formulas.get(formula, "")
            words = words if holds else f"against: {words}"
            return Result(words, int(states[1]), broken != holds, trace(steps))

        if holds and search.model == "seat":
            # One search for all claims of a seat; where it fails, one for each, to tell which.
            together = ask("all_of_them")
            if together.good:
                return [together._replace(what=words) for words in search.formulas.values()]
        return [ask(formula) for formula in search.formulas]


def trace(steps: str) -> tuple[str, ...]:
    """What the processes do in Spin's replay of a way, a line each."""
    lines = re.findall(r"proc +(\d+) \((\w+):\d+\) [\w.]+:(\d+) \(state \d+\)\s+\[(.*)\]", steps)
    silent = {"(1)", "IF", "else", ".(goto)"}
    return tuple(f"{name} {number}, line {line}: {what}" for number, name, line, what in lines if what not in silent)


def searched(some: Sequence[Search], *, holds: bool, shortest: bool) -> Iterator[tuple[str, Result]]:
    """All results, in order, under what each is about; two searches at a time."""
    with ThreadPoolExecutor(2) as pool:
        each = pool.map(lambda search: spin(search, holds=holds, shortest=shortest), some)
        for search, results in zip(some, each, strict=True):
            for result in results:
                yield search.about, result


def show(about: str, results: Iterable[tuple[str, Result]], words: tuple[str, str], *, traces: bool) -> bool:
    """Print results as they come; whether all are good."""
    good = True
    for under, result in results:
        if under != about:
            print(f"\n{under}" if about else under)
            about = under
        print(f"  {words[0] if result.good else words[1]:<10}{result.what} ({result.states:,} states)", flush=True)
        if traces or (words == HOLDS and not result.good):
            print("".join(f"      {step}\n" for step in result.trace), end="")
        good = good and result.good
    return good


HOLDS, BROKEN = ("holds", "VIOLATED"), ("found", "NOT FOUND")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Search the models of the protocol (specs/models/README.md).")
    parser.add_argument(
        "--bound", choices=("small", "large"), default="small", help="large takes two minutes or more, and 3 GB"
    )
    parser.add_argument("--old-rules", action="store_true", help="take rules away: the attacks must be found")
    parser.add_argument("--traces", action="store_true", help="print the way to each attack")
    options = parser.parse_args(arguments)
    if missing := [program for program in ("spin", "gcc") if shutil.which(program) is None]:
        print(f"{' and '.join(missing)} cannot be found. On Debian: apt-get install spin gcc", file=sys.stderr)
        return 2
    large = options.bound == "large"
    try:
        if options.old_rules:
            good = show("", searched(OLD, holds=False, shortest=options.traces), BROKEN, traces=options.traces)
            of_rolls = (("the roll, a rule taken away", result) for result in rolls_claims.attacks(rolls_claims.OLD))
            print()
            good &= show("", of_rolls, BROKEN, traces=options.traces)
            of_secrets = (("the secret roll, a rule taken away", result) for result in sealed.attacks())
            print()
            good &= show("", of_secrets, BROKEN, traces=options.traces)
            of_replaced = (("the lost browser, a rule taken away", result) for result in replaced.attacks())
            print()
            good &= show("", of_replaced, BROKEN, traces=options.traces)
        else:
            good = show(
                "",
                searched(SMALL + LARGE if large else SMALL, holds=True, shortest=False),
                HOLDS,
                traces=options.traces,
            )
            results, table = rolls_claims.check(large)
            good &= show(
                "", (("the roll, every coalition", result) for result in results), HOLDS, traces=options.traces
            )
            print("\nwhat coalitions can do, all else honest and nobody away", *table, sep="\n  ")
            print()
            secret, table = sealed.check(large)
            of_secrets = (("the secret roll, every coalition", result) for result in secret)
            good &= show("", of_secrets, HOLDS, traces=options.traces)
            print("\nwhat coalitions can do to secret rolls, all else honest", *table, sep="\n  ")
            of_replaced = (("the lost browser, every coalition", result) for result in replaced.check(large))
            print()
            good &= show("", of_replaced, HOLDS, traces=options.traces)
            print("\nassumed not to happen: what follows if it does")
            limits = [("", result._replace(what=f"{about}; {result.what}"))
                      for about, result in searched(LIMITS, holds=False, shortest=options.traces)]  # fmt: skip
            limits += [("", result) for result in rolls_claims.attacks(rolls_claims.LIMITS)]
            good &= show("", limits, BROKEN, traces=options.traces)
    except NotFinishedError as error:
        print(f"not finished: {error}", file=sys.stderr)
        return 3
    print(f"\n{'all as it should be' if good else 'NOT as it should be'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
