"""Audits by a Dask cluster (specs/verification.md, "Other machines"): the same answers, whoever dies meanwhile."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.scribe import game
from tests.cluster.clusters import Cluster, started
from tests.support.cli import LIMIT, REPOSITORY

pytest.importorskip("distributed")
pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")]

LOGS = REPOSITORY / "specs" / "vectors" / "logs"
_BREAKS = '''
import os, pathlib, signal
from verifier.shell import audit

def end(path, tries):
    """Kill the process that reads a log, so many times."""
    marks = pathlib.Path(os.environ["DASK_TEMPORARY_DIRECTORY"])
    if sum(1 for _ in marks.glob(path.name + ".*")) < tries:
        (marks / f"{path.name}.{os.getpid()}").touch()
        os.kill(os.getpid(), signal.SIGKILL)

verify_file = audit.verify_file
def breaks(path, *rest, **more):
    match path.stem:
        case "kills-twice": end(path, 2)
        case "kills-once": end(path, 1)
        case "for-ever":
            while True: pass
        case "breaks": raise KeyError("x")
    return verify_file(path, *rest, **more)
audit.verify_file = breaks
'''


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-c", "from ledger.__main__ import main; main()", "verify", *map(str, words)]


def environment(home: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(REPOSITORY), "LC_ALL": "C", "LANGUAGE": "", "ROLLPROOF_HOME": str(home)}


def run(cwd: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    line, env = command(*words), environment(cwd / "home")
    return subprocess.run(line, cwd=cwd, env=env, capture_output=True, text=True, timeout=LIMIT, check=False)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Four workers, whose processes break over logs of some names."""
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "sitecustomize.py").write_text(_BREAKS)
    with started(folder, 4, folder) as found:
        yield found


def test_a_worker_that_is_killed_costs_no_answer(cluster: Cluster, tmp_path: Path) -> None:
    from distributed import Client

    log, cheat = game(400)[0], LOGS / "reveal.naturals--changed.jsonl"
    for number in range(30):
        (tmp_path / f"table-{number:02}.jsonl").write_bytes(log)
    shutil.copy(cheat, tmp_path / "table-99.jsonl")
    with Client(cluster.address, set_as_default=False) as client:
        pids = client.run(os.getpid)
        assert len(pids) == 4
        line, env = command("--json", "--dask", cluster.address, "."), environment(tmp_path)
        with (
            (tmp_path / "told").open("w+") as said,
            subprocess.Popen(line, cwd=tmp_path, env=env, stdout=-1, stderr=said, text=True) as audit,
        ):
            assert audit.stdout is not None
            first = audit.stdout.readline()
            at_work = {address for address, tasks in client.processing().items() if tasks}
            assert at_work, "there is something to lose"
            os.kill(pids[at_work.pop()], signal.SIGKILL)
            rest = audit.stdout.read()
        until = time.monotonic() + LIMIT
        while set(client.run(os.getpid).values()) <= set(pids.values()) and time.monotonic() < until:
            time.sleep(0.2)  # the nanny starts another
    reports = [json.loads(line) for line in (first + rest).splitlines()]
    assert [report["file"] for report in reports] == sorted(path.name for path in tmp_path.glob("*.jsonl"))
    assert [report["verdict"] for report in reports] == ["holds"] * 30 + ["fails"]
    assert (audit.returncode, (tmp_path / "told").read_text()) == (1, "")


def test_a_log_that_ends_who_reads_it_twice_is_not_finished_and_hides_no_other(
    cluster: Cluster, tmp_path: Path
) -> None:
    log = game(30)[0]
    names = ("a", "breaks", "for-ever", "kills-once", "kills-twice", "z")
    for name in names:
        (tmp_path / f"{name}.jsonl").write_bytes(log)
    done = run(tmp_path, "--json", "--dask", cluster.address, "--time-limit", "2", tmp_path)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    found = {Path(report["file"]).stem: report["findings"] for report in reports if report["verdict"] != "holds"}
    assert [Path(report["file"]).stem for report in reports] == list(names)
    assert {name: findings[0]["code"] for name, findings in found.items()} == {
        "breaks": "process.broke",
        "for-ever": "limit.time",
        "kills-twice": "process.died",
    }
    assert (done.returncode, done.stderr) == (3, "")


@pytest.mark.parametrize("address", ["cluster", "local"])
def test_a_folder_of_all_kinds_has_the_same_answers_as_here(cluster: Cluster, tmp_path: Path, address: str) -> None:
    event = tmp_path / "event"
    event.mkdir()
    for name in ("holds--as-expected", "holds--void-and-again", "signature.invalid--edited-by-keeper"):
        shutil.copy(LOGS / f"{name}.jsonl", event)
    log = game(30)[0]
    for name in ("one", "other"):
        (event / f"{name}.jsonl").write_bytes(log)
    (event / "cut.jsonl").write_bytes(log[:3000])
    (event / "empty.jsonl").touch()
    (event / "gone.jsonl").symlink_to("nowhere")
    (event / "out.jsonl").symlink_to(LOGS / "holds--roller.jsonl")
    os.mkfifo(event / "pipe.jsonl")
    here = run(tmp_path, "event", "no-such-game")
    there = run(
        tmp_path,
        "event",
        "no-such-game",
        *("--dask", cluster.address) if address == "cluster" else ("--dask", "local", "--jobs", "2"),
    )
    assert (there.stdout, there.stderr, there.returncode) == (here.stdout, here.stderr, here.returncode)
    assert here.returncode == 2
    assert "this link leads out of the folder" in here.stderr


@pytest.mark.slow
def test_another_version_judges_nothing_and_a_scheduler_that_goes_is_told(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for package in ("ledger", "rules", "verifier"):
        shutil.copytree(REPOSITORY / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / "rules" / "common" / "dice.py").open("a") as module:
        module.write("# another version\n")
    log = tmp_path / "log.jsonl"
    log.write_bytes(game(30)[0])
    with started(tmp_path / "cluster", 1, copy) as cluster:
        done = run(tmp_path, log, "--dask", cluster.address)
        assert (done.returncode, done.stdout) == (74, "")
        assert "has another version of this program" in done.stderr
        assert "Install the same version" in done.stderr
        assert done.stderr.count("\n") == 1
        cluster.scheduler.kill()
        cluster.scheduler.wait(LIMIT)
        gone = run(tmp_path, log, "--dask", cluster.address, "--json")
    assert gone.returncode == 75
    assert json.loads(gone.stdout)["error"]["kind"] == "waiting"
    assert "no Dask scheduler answers there" in gone.stderr


def test_ctrl_c_stops_a_cluster_of_this_machine_in_order(tmp_path: Path) -> None:
    """It reaches all processes of a terminal at once."""
    (tmp_path / "log.jsonl").write_bytes(game(200)[0])
    line, env = command(*["log.jsonl"] * 400, "--dask", "local", "--jobs", "2", "--json"), environment(tmp_path)
    process = subprocess.Popen(line, cwd=tmp_path, env=env, stdout=-1, stderr=-1, text=True, start_new_session=True)
    try:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["verdict"] == "holds"
        os.killpg(process.pid, signal.SIGINT)
        told = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
    assert process.returncode == 130
    assert json.loads(told[0].splitlines()[-1])["error"]["kind"] == "stopped"
    assert told[1] == "rollproof: stopped; nothing was signed\n"


def test_processes_of_a_cluster_that_is_elsewhere_are_not_for_here_to_say(tmp_path: Path) -> None:
    done = run(tmp_path, "x.jsonl", "--dask", "tcp://127.0.0.1:1", "--jobs", "3")
    assert done.returncode == 64
    assert "--jobs" in done.stderr


class _Future:
    """Of Dask's, as much as the pool looks at."""

    def __init__(self, status: str, outcome: object) -> None:
        self.status, self._outcome = status, outcome

    def result(self) -> object:
        return self._outcome

    exception = result


class _Client:
    """A cluster that takes work, and does none."""

    def __init__(self) -> None:
        self.begun: list[list[bytes]] = []

    def nthreads(self) -> dict[str, int]:
        return {"worker": 2}

    def submit(self, _function: object, _setup: bytes, names: list[bytes], *, pure: bool) -> _Future:
        self.begun.append(names)
        return _Future("pending", None)


def test_logs_that_were_lost_together_are_tried_one_by_one() -> None:
    from distributed import KilledWorker

    from ledger.cluster import DaskPool
    from verifier import Pins
    from verifier.shell.audit import AuditOptions
    from verifier.shell.files import Brought

    client = _Client()
    pool = DaskPool(client, AuditOptions(Pins(), Brought()))
    assert pool._done([(0, b"a")], _Future("finished", (0.1, [b"A"]))) == [(0, b"A")]
    for number, name in enumerate((b"b", b"c", b"d", b"e", b"f"), 1):
        pool.submit(number, name)
    assert client.begun == [[b"b", b"c", b"d", b"e", b"f"]], "as many as take half a second"
    killed = _Future("error", KilledWorker("task", "worker", 4))
    assert pool._done([(1, b"b"), (2, b"c")], killed) == []
    assert client.begun[1:] == [[b"b"], [b"c"]]
    assert pool._done([(1, b"b")], killed) == [(1, None)]
