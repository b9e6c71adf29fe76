"""A folder with logs that were made to stop whoever reads it: each file gets its own answer (specs/verification.md)."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.bench.scribe import game
from tests.hostile.bombs import BOMBS, LONG
from tests.hostile.cost import TIMES, cost, limited
from tests.hostile.forge import Forge
from tests.protocol.test_audit import command
from tests.support.cli import LIMIT

ROOT = Path(__file__).parents[2]
CHEAT = ROOT / "specs" / "vectors" / "logs" / "reveal.naturals--changed.jsonl"
MAGIC, AGE = "mtg-706-2023-11-17", "t9a-2022"
PROGRAMS = ("rollproof-verify", "rollproof verify")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits, pipes and /proc as Linux has them")


# --- the logs of the issue, made as they were: today the rules refuse what they begin with ---------------------------


def rerolls_on_a_thousand_dice(size: int) -> bytes:
    """Fifty unanswered rerolls on a thousand dice, and effects that are declined one by one."""
    forge = Forge(MAGIC, {"planechase": False})
    while forge.bytes < size:
        effects: list[dict[str, Any]] = [{"source": "x", "kind": "reroll", "optional": True}] * 50
        effects += [{"source": "x", "kind": "adjust", "amounts": [1], "optional": True}] * 50
        seq = forge.say("alice", "roll", {"source": "s", "dice": "1000d6", "effects": effects}, (6,) * 1000)
        for number in range(51, 101):
            forge.say("alice", "modify", {"roll": seq, "effect": number, "choice": "decline"})
        for number in range(1, 51):
            forge.say("alice", "modify", {"roll": seq, "effect": number, "choice": "decline"})
    return forge.log


def a_source_for_each_step_of_each_die(size: int) -> bytes:
    """A long source, told of each step of a thousand dice."""
    forge = Forge(MAGIC, {"planechase": False})
    while forge.bytes < size:
        seq = forge.say("alice", "roll", {"source": "s", "dice": "1000d6"}, (6,) * 1000)
        for number in range(1, 101):
            effect = {"source": LONG, "kind": "adjust", "amounts": [1]}
            forge.say("alice", "declare", {"what": "effect", "roll": seq, "effect": effect})
            forge.say("alice", "modify", {"roll": seq, "effect": number, "choice": "apply"})
    return forge.log


def orders_at_once(size: int) -> bytes:
    """A hundred orders that are carried out at once on hundreds of throws."""
    forge = Forge(AGE, {})
    while forge.bytes < size:
        rules = [{"source": "x", "which": "natural", "naturals": [number % 6 + 1]} for number in range(100)]
        body = {"source": "s", "dice": "1d6", "times": 500, "rerolls": rules, "at_once": True}
        forge.say("alice", "roll", body, (6,) * 1000)
    return forge.log


ISSUE: dict[str, tuple[str, Callable[[int], bytes], int, str]] = {
    "rerolls": (MAGIC, rerolls_on_a_thousand_dice, 610_000, "706.2"),
    "sources": (MAGIC, a_source_for_each_step_of_each_die, 1_200_000, "706.2"),
    "orders": (AGE, orders_at_once, 140_000, "T2.3"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", ISSUE)
def test_the_logs_of_the_issue(name: str) -> None:
    system, make, size, clause = ISSUE[name]
    found = cost(system, make(size))
    assert found.report.verdict == "fails"
    assert (found.report.findings[0].code, found.report.findings[0].clause) == ("rules.violation", clause)
    assert found.times < TIMES


# --- folders ---------------------------------------------------------------------------------------------------------


def run(
    program: str, *arguments: str | Path, megabytes: int | None = None, out: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program, under a limit of memory for it and all its processes each; what it writes may go to a file."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C", "LANGUAGE": ""}
    with Path(os.devnull if out is None else out).open("w") as stream:
        return subprocess.run(
            command(program, *arguments),
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE if out is None else stream,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT,
            check=False,
            preexec_fn=None if megabytes is None else lambda: limited(megabytes),
        )


@pytest.fixture(scope="module")
def bombs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five files: a bomb, a pipe, a sparse giant, a cheat and an honest log."""
    folder = tmp_path_factory.mktemp("bombs")
    (folder / "bomb.jsonl").write_bytes(BOMBS["dice-with-long-faces"][1](200_000))
    os.mkfifo(folder / "pipe.jsonl")
    with (folder / "giant.jsonl").open("wb") as stream:
        stream.truncate(20_000_000_000)
    shutil.copy(CHEAT, folder / "cheat.jsonl")
    (folder / "honest.jsonl").write_bytes(game(60)[0])
    return folder


FIVE = {
    "bomb.jsonl": "holds",
    "pipe.jsonl": "unreadable",
    "giant.jsonl": "unreadable",
    "cheat.jsonl": "fails",
    "honest.jsonl": "holds",
}


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("jobs", ["1", "4"])
@pytest.mark.parametrize("megabytes", [None, 2_000])
def test_each_of_five_files_gets_its_answer(bombs: Path, program: str, jobs: str, megabytes: int | None) -> None:
    done = run(program, "--json", "--jobs", jobs, bombs, megabytes=megabytes)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert {Path(report["file"]).name: report["verdict"] for report in reports} == FIVE
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_every_bomb_gets_an_answer_under_a_limit_of_memory(tmp_path: Path) -> None:
    """`(ulimit -v 2000000; rollproof verify bombs --json --jobs 1)`."""
    for name, (_, make) in BOMBS.items():
        (tmp_path / f"{name}.jsonl").write_bytes(make(25_000))
    for name, (_, make, size, _) in ISSUE.items():
        (tmp_path / f"{name}.jsonl").write_bytes(make(size))
    with (tmp_path / "giant.jsonl").open("wb") as stream:
        stream.truncate(20_000_000_000)
    with (tmp_path / "line-feeds.jsonl").open("wb") as stream:
        for _ in range(30):
            stream.write(b"\n" * 1_000_000)
    done = run("rollproof verify", tmp_path, "--json", "--jobs", "1", megabytes=2_000)
    # Games that begin alike are forks of each other, which has a line of its own.
    told = [report for report in map(json.loads, done.stdout.splitlines()) if report.get("kind") != "fork"]
    verdicts = {Path(report["file"]).stem: report["verdict"] for report in told}
    expected = dict.fromkeys(BOMBS, "holds") | dict.fromkeys(ISSUE, "fails")
    assert verdicts == expected | {"giant": "unreadable", "line-feeds": "unreadable"}


@pytest.mark.slow
def test_three_hundred_megabytes_of_line_feeds(tmp_path: Path) -> None:
    """The first line decides, and nothing more is read: no more time than for a small file."""
    (tmp_path / "small.jsonl").write_bytes(b"\n")
    with (tmp_path / "line-feeds.jsonl").open("wb") as stream:
        for _ in range(300):
            stream.write(b"\n" * 1_000_000)
    taken = {}
    for name in ("small", "line-feeds"):
        turns = []
        for _ in range(3):
            begun = os.times()
            done = run("rollproof-verify", "--json", tmp_path / f"{name}.jsonl")
            ended = os.times()
            turns.append(ended.children_user + ended.children_system - begun.children_user - begun.children_system)
            assert json.loads(done.stdout)["verdict"] == "unreadable"
        taken[name] = median(turns)
    assert taken["line-feeds"] < 2 * taken["small"]


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "4"])
def test_a_worker_that_is_killed_takes_no_other_file_along(bombs: Path, tmp_path: Path, jobs: str) -> None:
    folder = tmp_path / "event"
    folder.mkdir()
    for name in FIVE:
        if name not in ("giant.jsonl", "pipe.jsonl"):
            shutil.copy(bombs / name, folder / name)
    (folder / "long.jsonl").write_bytes(game(10_000)[0])
    with (tmp_path / "told").open("wb") as told, (tmp_path / "said").open("wb") as said:
        line = command("rollproof-verify", "--json", "--jobs", jobs, folder)
        with subprocess.Popen(line, cwd=ROOT, stdout=told, stderr=said) as process:
            try:
                kill_reader(process.pid, folder / "long.jsonl")
                process.wait(LIMIT)
            finally:
                process.kill()
    reports = map(json.loads, (tmp_path / "told").read_bytes().splitlines())
    verdicts = {Path(report["file"]).name: report["verdict"] for report in reports}
    assert verdicts == {
        "bomb.jsonl": "holds",
        "cheat.jsonl": "fails",
        "honest.jsonl": "holds",
        "long.jsonl": "unfinished",
    }
    assert process.returncode == 3
    assert b"Traceback" not in (tmp_path / "said").read_bytes()


def children(task: Path) -> list[str]:
    """The processes that a thread has begun."""
    try:
        return (task / "children").read_text().split()
    except OSError:
        return []


def kill_reader(parent: int, path: Path) -> None:
    """Kill the child of a process that has this file open, as soon as there is one."""
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        for child in (child for task in Path(f"/proc/{parent}/task").iterdir() for child in children(task)):
            try:
                opened = {str(fd.readlink()) for fd in Path(f"/proc/{child}/fd").iterdir()}
            except OSError:
                continue
            if str(path) in opened:
                os.kill(int(child), signal.SIGKILL)
                return
        time.sleep(0.005)
    raise AssertionError("nobody read it")


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("jobs", ["1", "4"])
def test_a_full_disk_is_told_and_is_no_verdict(bombs: Path, program: str, jobs: str) -> None:
    done = run(program, "--json", "--jobs", jobs, bombs, out=Path("/dev/full"))
    assert done.returncode not in (0, 1)
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
