"""Kills and failing disks at every write of a command: nothing acknowledged is lost, no roll gets other dice.

A short form strikes some points in the ordinary run; `pytest -m slow tests/faults/test_faults.py` strikes every one.
"""

import contextlib
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ledger.cli import run
from ledger.home import Home
from tests.support.cli import LIMIT, PASSPHRASE, REPOSITORY, make_home, state_of
from tests.support.faults import Point, Struck, points, strace_works, strike
from verifier import verify

GAME = "Table 12"
COMMANDS = {
    "roll": ("roll", GAME, "3d20 Delina: count them", "--as", "alice"),
    "append": ("ruling", GAME, "uphold", "--as", "dana", "--subject", "3", "--text", "the log holds"),
    "export": ("export", GAME, "--out", "OUT"),
}
BLOWS = ("signal=SIGKILL", "error=EIO", "error=ENOSPC+")

pytestmark = pytest.mark.skipif(not strace_works(), reason="strace (Debian: strace) is not here, or may not trace")


class Prepared(NamedTuple):
    """A home, and what a command does to it when nothing strikes."""

    home: Path
    points: dict[str, list[Point]]
    naturals: list[int]
    """of the roll"""


@pytest.fixture(scope="module", autouse=True)
def passphrase() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
        patch.setenv("ROLLPROOF_LANG", "en")
        yield


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, passphrase: None) -> Prepared:
    folder = tmp_path_factory.mktemp("faults")
    home = make_home(folder / "home")
    found: dict[str, list[Point]] = {}
    naturals: list[int] = []
    for name in COMMANDS:
        copy = Path(shutil.copytree(home, folder / name))
        found[name] = points(arguments(name, copy), copy, folder / "trace")
        naturals = naturals or last_naturals(copy)
    return Prepared(home, found, naturals)


def arguments(name: str, home: Path) -> list[str]:
    return [str(home / "out.jsonl") if word == "OUT" else word for word in COMMANDS[name]]


def log_of(home: Path) -> bytes:
    """The stored log, which must verify."""
    ledger = Home(home).ledger()
    stream = io.BytesIO()
    try:
        ledger.export(ledger.catalog.find(GAME), stream)
    finally:
        ledger.close()
    report, _ = verify(stream.getvalue())
    assert report.verdict == "holds", report.findings
    return stream.getvalue()


def events(log: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.splitlines()]


def last_naturals(home: Path) -> list[int]:
    reveals = [event for event in events(log_of(home)) if event["type"] == "reveal"]
    return list(reveals[-1]["body"]["naturals"])


def go_on(*words: str, home: Path) -> None:
    """A command after the blow, which must succeed."""
    said = io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        patch.setenv("ROLLPROOF_STATE", str(state_of(home)))
        code = run([*words, "--home", str(home)])
    assert code == 0, said.getvalue()


def finish_roll(home: Path) -> None:
    """What people do after a crash: look whether the request is there, ask for it if not, and let the dice show."""
    types = [event["type"] for event in events(log_of(home))]
    if types[-1] == "roll":
        go_on("checkpoint", GAME, "--as", "host", home=home)
        for name in ("bob", "alice"):
            go_on("open", GAME, "--as", name, home=home)
        if events(log_of(home))[-1]["type"] == "roll":
            go_on("reveal", GAME, "--as", "host", home=home)
    elif types[-1] != "reveal":
        go_on(*COMMANDS["roll"], home=home)


def check(name: str, point: Point, blow: str, prepared: Prepared, folder: Path) -> None:
    home = Path(shutil.copytree(prepared.home, folder / "home"))
    try:
        before = log_of(home)
        struck = strike(arguments(name, home), home, point, blow)
        check_words(struck, point, blow)
        after = log_of(home)
        assert after.startswith(before), "nothing that was there is missing"
        if struck.code == 0 and name != "export":
            assert len(after) > len(before), "what was acknowledged is there"
        if name == "export":
            check_export(struck, home / "out.jsonl", before)
        if name == "roll":
            finish_roll(home)
            assert last_naturals(home) == prepared.naturals, "the roll has the dice that it would have had"
        else:
            go_on(*arguments(name, home), *(["--force"] if name == "export" else []), home=home)
        log_of(home)
    finally:
        shutil.rmtree(home)


def check_words(struck: Struck, point: Point, blow: str) -> None:
    """One sentence, and the code for a machine that failed, or for dice that wait (specs/commands.md)."""
    assert "Traceback" not in struck.err, struck.err
    if (point.call, blow) == ("write", "error=ENOSPC+"):
        # No write at all works any more, not even to /dev/null: nothing can be told, and Python itself ends with 120.
        assert struck.code in (0, 74, 75, 120), struck
    elif struck.code > 0:
        assert struck.code in (74, 75), struck
        assert "rollproof: " in struck.err or struck.code == 75, struck
    if blow == "signal=SIGKILL":
        assert struck.code == -9, struck


def check_export(struck: Struck, path: Path, log: bytes) -> None:
    """A whole file or none."""
    if struck.code == 0 or path.exists():
        assert path.read_bytes() == log


def chosen(every: Sequence[Point], some: int) -> list[Point]:
    """`some` points, spread evenly."""
    return [every[len(every) * n // some] for n in range(min(some, len(every)))]


@pytest.mark.long
@pytest.mark.parametrize("blow", BLOWS)
@pytest.mark.parametrize("name", COMMANDS)
def test_struck_at_some_points(name: str, blow: str, prepared: Prepared, tmp_path: Path) -> None:
    for point in chosen(prepared.points[name], 2):
        check(name, point, blow, prepared, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize("blow", BLOWS)
@pytest.mark.parametrize("name", COMMANDS)
def test_struck_at_every_point(
    name: str, blow: str, part: int, prepared: Prepared, tmp_path: Path, record_property: Any
) -> None:
    every = prepared.points[name][part::8]
    for point in every:
        check(name, point, blow, prepared, tmp_path)
    record_property("system calls struck", len(every))


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 8])
def test_eight_processes_at_once(games: int, tmp_path: Path, passphrase: None) -> None:
    """On one game and on eight: no fork, no lost event, nothing that a user sees but the answer."""
    home = make_home(tmp_path / "home", links=64)
    titles = [GAME]
    for number in range(1, games):
        titles.append(f"Table {number}")
        parties = ["--keeper", "host", "--player", "alice", "--player", "bob"]
        go_on("new", *parties, "--title", titles[-1], "--links", "64", home=home)
        for name in ("alice", "bob"):
            go_on("join", titles[-1], "--as", name, "--links", "64", home=home)
    program = (
        "import sys\nfrom ledger.cli import run\n"
        "for n in range(3):\n"
        "    code = run(['magic', 'declare', 'trigger', sys.argv[1], '--as', sys.argv[2],"
        " '--source', f'{sys.argv[3]}-{n}', '--on', 'rolled'])\n"
        "    if code: sys.exit(code)\n"
    )
    environment = {"PYTHONPATH": str(REPOSITORY), "ROLLPROOF_HOME": str(home), "ROLLPROOF_PASSPHRASE": PASSPHRASE}
    environment["ROLLPROOF_STATE"] = str(state_of(home))
    with contextlib.ExitStack() as running:
        processes = [
            running.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", program, titles[number % games], ("alice", "bob")[number % 2], f"p{number}"],
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(8)
        ]
        ended = [(*process.communicate(timeout=LIMIT), process.returncode) for process in processes]
    for out, err, code in ended:
        assert code == 0, err
        assert all(line.startswith("rollproof: read as ") for line in err.splitlines()), err
        assert "its end is missing" not in out
    sources = []
    for title in titles:
        stream = io.BytesIO()
        ledger = Home(home).ledger()
        ledger.export(ledger.catalog.find(title), stream)
        ledger.close()
        assert verify(stream.getvalue())[0].verdict == "holds"
        sources += [e["body"]["source"] for e in events(stream.getvalue()) if e["type"] == "declare"]
    assert sorted(sources) == sorted(f"p{number}-{n}" for number in range(8) for n in range(3))
