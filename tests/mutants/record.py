"""Which tests come to which line, so that a change is shown only to those that can notice it.

The tests are run once, file by file, under coverage.py, and what comes out is kept in a folder of the user's cache. A
file of tests is run anew when it has changed since, or one of the vectors that it reads. Lines are told by function and
text, not by number: they survive edits elsewhere.
"""

import ast
import gzip
import hashlib
import json
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import coverage
    import pytest

__all__ = ["Reached", "reached", "record", "record_this_process"]

ROOT = Path(__file__).parents[2]
VECTORS = f"{ROOT / 'specs' / 'vectors'}/"
RECORDED = "ROLLPROOF_RECORDED"
"""the variable that names the folder of a recording, for processes that a test starts"""
EVERY = 0.05
"""seconds after which such a process looks which test is on, and saves what it has"""
TESTS: dict[str, tuple[str, ...]] = {
    "verifier": (
        *(f"oracles/test_{name}" for name in ("vectors", "standards", "ed25519", "roster_oracle", "roll_proof")),
        *(
            f"protocol/test_{name}"
            for name in ("notes", "attestation", "compare", "checkpoints", "receipts", "roster", "mldsa", "openings")
        ),
        *(f"protocol/test_{name}" for name in ("format", "audit", "follow", "keepers_judge", "host", "profile")),
        *(f"protocol/test_{name}" for name in ("late", "secret_rolls", "statements", "draws")),
        *(f"adversary/test_{name}" for name in ("adversary", "adversary_protocol", "damage", "text", "hostile")),
        *(f"adversary/test_adversary_{name}" for name in ("company", "seats", "lost", "witnesses")),
        *(f"adversary/test_{name}" for name in ("long_texts", "pasted")),
        *(f"cli/test_{name}" for name in ("codes", "verify", "cli_secret", "cli_voided", "cli_checkpoints", "without")),
        *(f"protocol/test_{name}" for name in ("fairness", "report_words")),
    ),
    "event": ("protocol/test_event_*", "oracles/test_event_oracle", "cli/test_event_report"),
    "seat": (
        *(f"protocol/test_{name}" for name in ("seats", "memory", "snapshots", "openings", "keepers_judge", "keeper")),
        *(f"protocol/test_{name}" for name in ("late", "secret_rolls", "snapshots_late", "statements", "profile")),
        *(f"protocol/test_{name}" for name in ("memory_promises", "receipts", "in_a_row", "platforms", "event_store")),
        "protocol/test_moving",
        *(f"adversary/test_adversary_{name}" for name in ("seats", "snapshots", "witnesses", "lost")),
        *(f"cli/test_{name}" for name in ("cli_identity", "cli_checkpoints", "cli_secret", "profile_commands")),
    ),
    "keeper": (
        *(f"protocol/test_{name}" for name in ("host", "keeper", "store", "rebuilding", "in_a_row", "keepers_judge")),
        *(f"protocol/test_{name}" for name in ("follow", "late", "openings", "checkpoints", "receipts", "statements")),
        *(f"protocol/test_{name}" for name in ("snapshots", "snapshots_late", "memory_promises", "schemas")),
        *(f"protocol/test_{name}" for name in ("event_store", "gone_*", "sent_again", "at_a_table")),
        *(f"adversary/test_adversary_{name}" for name in ("seats", "snapshots", "witnesses")),
        *(f"faults/test_{name}" for name in ("faults", "host_faults", "row_faults")),
        *(f"server/test_{name}" for name in ("storage", "lifecycle", "table", "parts", "witnesses", "put_back")),
        *(f"server/test_{name}" for name in ("backup", "files", "orders")),
        *(f"cli/test_{name}" for name in ("cli_checkpoints", "damaged", "reading")),
    ),
    "server": ("protocol/test_lobby", "oracles/test_network_client", "server/test_*"),
    "client": (
        *(f"server/test_{name}" for name in ("client", "connection", "parts", "homes", "killed_clients", "witnesses")),
        *(f"server/test_{name}" for name in ("finishing", "judge", "table", "lifecycle", "client_alone")),
        *(f"server/test_{name}" for name in ("game_sync", "remotes", "tables", "participant")),
        *(f"server/test_{name}" for name in ("hostile_servers", "late_commands", "lost_commands", "public_games")),
        *(f"cluster/test_{name}" for name in ("addresses", "hostile_addresses")),
    ),
    "core": ("web/test_core*",),
    "web": (*(f"web/test_{name}" for name in ("verifier", "code_points", "depth", "core_cheats", "shown_file")),),
}
"""who is asked about a group"""
LEFT_OUT = ("-k", "not rules_script and not every_clause and not every_vector")
"""of these: the scripts of the rules"""

Line = tuple[str, str, str]
"""module, function and text"""


class Reached:
    """Of each line the tests that come to it, and how long each test takes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._files: list[tuple[dict[Line, set[str]], dict[tuple[str, str], set[str]]]] = []
        """of each file of tests who comes to a line, and who to a function"""

    def add(self, told: dict[str, Any]) -> None:
        """Take up what a file of tests told."""
        names = list(told["tests"])
        self.seconds.update(told["tests"])
        lines: dict[Line, set[str]] = {}
        functions: dict[tuple[str, str], set[str]] = defaultdict(set)
        for module, function, text, numbers in told["lines"]:
            lines[module, function, text] = {names[number] for number in numbers}
            functions[module, function] |= lines[module, function, text]
        self._files.append((lines, functions))

    def tests(self, module: str, function: str, text: str) -> set[str]:
        """Those that come to a line; of a file that was recorded before there was such a line, to its function."""
        function = "" if module.endswith(".js") else function
        none: set[str] = set()
        found = (
            lines.get((module, function, text), functions.get((module, function), none))
            for lines, functions in self._files
        )
        return none.union(*found)

    def ways(self, module: str, function: str) -> dict[str, frozenset[str]]:
        """Of each test that comes to a function the lines of it that it comes to."""
        found: dict[str, set[str]] = defaultdict(set)
        for lines, _ in self._files:
            for (of_module, of_function, text), tests in lines.items():
                if (of_module, of_function) == (module, function):
                    for test in tests:
                        found[test].add(text)
        return {test: frozenset(texts) for test, texts in found.items()}


def files(groups: Iterable[str]) -> list[Path]:
    """The files of tests that are asked about these groups."""
    patterns = dict.fromkeys(pattern for group in groups for pattern in TESTS[group])
    found = dict.fromkeys(path for each in patterns for path in sorted((ROOT / "tests").glob(f"{each}.py")))
    return [path for path in found if "chromium" not in path.stem]


def reached(groups: Iterable[str], *, anew: bool = False) -> Reached:
    """What is known of the tests of these groups, after what is not has been recorded."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rollproof-mutants"
    folder.mkdir(parents=True, exist_ok=True)
    found = Reached()
    for path in files(groups):
        told = folder / f"{path.parent.name}-{path.stem}.json.gz"
        kept = json.loads(gzip.decompress(told.read_bytes())) if told.exists() and not anew else None
        if kept is None or kept["read"] != _digests(kept["read"]):
            began = time.monotonic()
            kept = _in_a_process(path)
            took = time.monotonic() - began
            print(f"which lines {path.relative_to(ROOT)} comes to: {took:.0f} s", file=sys.stderr, flush=True)
            told.write_bytes(gzip.compress(json.dumps(kept).encode()))
        found.add(kept)
    return found


def _digests(names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of files, by their names below the root; nothing of one that is gone."""
    found = ((name, ROOT / name) for name in names)
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found if path.exists()}


def _in_a_process(path: Path) -> dict[str, Any]:
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.mutants.record", str(path), folder]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        return json.loads((Path(folder) / "told.json").read_bytes())  # type: ignore[no-any-return]


# --- in the process that runs a file of tests -------------------------------------------------------------------------


class _Recorder:
    """A plugin of pytest: tells coverage.py which test is on, and how long each took."""

    def __init__(self, cover: "coverage.Coverage", folder: Path) -> None:
        self.cover, self.folder = cover, folder
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        (self.folder / "now").write_text(nodeid)
        self.cover.switch_context(nodeid)
        self._began = _times()

    def pytest_runtest_logreport(self, report: "pytest.TestReport") -> None:
        if report.when == "call" and report.passed:
            self.seconds[report.nodeid] = 0

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        if nodeid in self.seconds:
            # What it costs, whatever else the machine does; one that mostly waits takes a process meanwhile.
            ran, passed = (now - then for now, then in zip(_times(), self._began, strict=True))
            self.seconds[nodeid] = round(max(ran, passed / 5), 4)
        if any(self.folder.glob("child*")) or any(self.folder.glob("node*")):
            time.sleep(2 * EVERY)


def _times() -> tuple[float, float]:
    """Seconds of processor, of this process and those that it has waited for, and of the clock."""
    told = os.times()
    return sum(told[:4]), told.elapsed


def record(path: Path, folder: Path) -> None:
    """Run a file of tests, and write what it came to into the folder."""
    import pytest

    from tests.mutants.altered import CHILD

    os.environ[RECORDED] = str(folder)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(CHILD), os.environ.get("PYTHONPATH"))))
    os.environ["NODE_OPTIONS"] = f"--import {(CHILD / 'record.mjs').as_uri()}"
    (folder / "now").write_text("")
    read = {path.relative_to(ROOT).as_posix()}
    sys.addaudithook(lambda name, values: _note_vectors(read, values[0]) if name == "open" else None)
    cover = _coverage(folder / "parent")
    cover.start()
    recorder = _Recorder(cover, folder)
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow", *LEFT_OUT]
    pytest.main([str(path), *options], plugins=[recorder])
    cover.stop()
    cover.save()
    told = {"read": _digests(sorted(read)), "tests": recorder.seconds, "lines": list(_lines(folder, recorder))}
    (folder / "told.json").write_text(json.dumps(told))


def _note_vectors(read: set[str], opened: object) -> None:
    """Keep the name of a file that is opened, if it is one of the vectors."""
    if isinstance(opened, str) and opened.startswith(VECTORS):
        read.add(Path(opened).relative_to(ROOT).as_posix())


def record_this_process() -> None:
    """Record a process that a test has started, whatever ends it: what it came to is saved again and again."""
    folder = Path(os.environ[RECORDED])
    cover = _coverage(folder / f"child-{os.getpid()}")
    cover.start()

    def watch() -> None:
        on = ""
        while True:
            now = (folder / "now").read_text()
            if now != on:
                on = now
                cover.switch_context(on)
            cover.save()
            time.sleep(EVERY)

    now = (folder / "now").read_text()
    cover.switch_context(now)
    threading.Thread(target=watch, daemon=True).start()


def _coverage(file: Path) -> "coverage.Coverage":
    import coverage

    whole = [f"{ROOT}/{package}/*" for package in ("verifier", "ledger")]
    return coverage.Coverage(data_file=str(file), config_file=False, include=whole, messages=False)


def _lines(folder: Path, recorder: _Recorder) -> Iterator[tuple[str, str, str, list[int]]]:
    """Module, function and text of each line with the numbers of the tests that come to it."""
    numbers = {name: number for number, name in enumerate(recorder.seconds)}
    found: dict[Line, set[int]] = defaultdict(set)
    for line, tests in (*_lines_of_python(folder), *_lines_of_javascript(folder)):
        found[line].update(numbers[name] for name in tests if name in numbers)
    for (module, function, text), came in found.items():
        yield module, function, text, sorted(came)


def _lines_of_python(folder: Path) -> Iterator[tuple[Line, Sequence[str]]]:
    import sqlite3

    import coverage

    for file in (*folder.glob("parent*"), *folder.glob("child*")):
        data = coverage.CoverageData(str(file))
        try:
            data.read()
        except (coverage.CoverageException, sqlite3.Error):
            continue  # its process was killed while it wrote
        for measured in filter(lambda file: file.endswith(".py"), data.measured_files()):  # templates have code too
            came = data.contexts_by_lineno(measured)
            for number, line in _places(Path(measured)):
                yield line, came.get(number, ())


def _lines_of_javascript(folder: Path) -> Iterator[tuple[Line, Sequence[str]]]:
    for file in folder.glob("node*"):
        for told in file.read_text().splitlines():
            test, ran = json.loads(told)
            for path, numbers in ran.items():
                texts = Path(path).read_text(encoding="utf-8").splitlines()
                module = Path(path).relative_to(ROOT).as_posix()
                for number in numbers:
                    yield (module, "", texts[number - 1].strip()), (test,)


def _places(path: Path) -> Iterable[tuple[int, Line]]:
    """Where each statement within a function begins; of what stands on its other lines, the function is told."""
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def walk(node: ast.AST, scope: tuple[str, ...]) -> Iterator[tuple[int, Line]]:
        for inner in ast.iter_child_nodes(node):
            named = isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            within = (*scope, inner.name) if named else scope  # type: ignore[attr-defined]
            if isinstance(inner, ast.stmt | ast.ExceptHandler) and within and not named:
                yield inner.lineno, (module, ".".join(within), lines[inner.lineno - 1].strip())
            yield from walk(inner, within)

    return walk(ast.parse(source), ())


if __name__ == "__main__":
    record(Path(sys.argv[1]), Path(sys.argv[2]))
