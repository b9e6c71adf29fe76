"""Many logs at once: no file hides another, whatever it is (specs/verification.md, "Many logs")."""

import io
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.bench.scribe import Scribe, game
from tests.support.cli import LIMIT
from tests.support.workers import LatestFirst
from verifier import Pins, verify
from verifier.errors import Finding
from verifier.log.format import EVENT_LABEL
from verifier.log.signatures import SignatureQueue
from verifier.log.workers import Workers, WorkResult
from verifier.shell.audit import Audited, AuditOptions, audit, faults
from verifier.shell.files import Brought, find_logs, verify_file

ROOT = Path(__file__).parents[2]
LOGS = ROOT / "specs" / "vectors" / "logs"
PROGRAMS = {
    "rollproof-verify": "import sys; from verifier.__main__ import main; main()",
    "rollproof verify": "import sys; from ledger.cli import main; sys.argv.insert(1, 'verify'); main()",
}
OTHERS = {
    f"rollproof {word}": f"import sys; from ledger.cli import main; sys.argv.insert(1, '{word}'); main()"
    for word in ("import", "stats")
}


def command(program: str, *arguments: str | Path) -> list[str]:
    return [sys.executable, "-c", (PROGRAMS | OTHERS)[program], *map(str, arguments)]


def run(program: str, *arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a program with what it prints captured; nothing may hang."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LANG": "C", "LC_ALL": "C", "LANGUAGE": ""}
    environment |= {"ROLLPROOF_HOME": str(cwd / "home")}
    return subprocess.run(
        command(program, *arguments),
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


@pytest.fixture(scope="module")
def log() -> bytes:
    return game(30)[0]


@pytest.fixture
def event(tmp_path: Path, log: bytes) -> Path:
    """A folder with six good logs and with everything that can go wrong with a file."""
    folder = tmp_path / "event"
    (folder / "round-2").mkdir(parents=True)
    for number in range(3):
        (folder / f"table-{number}.jsonl").write_bytes(log)
        (folder / "round-2" / f"table-{number}.jsonl").write_bytes(log)
    (folder / "cut.jsonl").write_bytes(log[:3000])
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "noise.jsonl").write_bytes(os.urandom(5000))
    (folder / "one-long-line.jsonl").write_bytes(b'{"a":"' + b"x" * 3_000_000)
    (folder / "gone.jsonl").symlink_to("nowhere")
    (folder / "loop").symlink_to(folder)
    (folder / "itself.jsonl").symlink_to("itself.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    return folder


GOOD = {f"{place}table-{number}.jsonl" for place in ("", "round-2/") for number in range(3)}
UNOPENED = {"gone.jsonl", "itself.jsonl", "pipe.jsonl"}
UNREADABLE = {"empty.jsonl", "noise.jsonl", "one-long-line.jsonl"}


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_no_file_hides_another(event: Path, program: str, jobs: str) -> None:
    done = run(program, "--json", "--jobs", jobs, event)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = {str(Path(report["file"]).relative_to(event)): report["verdict"] for report in reports}
    assert {name for name, verdict in verdicts.items() if verdict == "holds"} == GOOD
    assert {name for name, verdict in verdicts.items() if verdict == "unreadable"} == UNREADABLE | UNOPENED
    assert verdicts["cut.jsonl"] == "fails"
    assert len(reports) == len(GOOD | UNREADABLE | UNOPENED) + 1
    unopened = [report["findings"][0] for report in reports if Path(report["file"]).name in UNOPENED]
    assert {finding["code"] for finding in unopened} == {"file.unopened"}
    assert all(str(event) in finding["message"] for finding in unopened)
    assert done.stderr == ""
    assert done.returncode == 2
    words = run(program, "--jobs", jobs, event)
    for name in UNOPENED:
        assert f"{event / name}: " in words.stderr
    assert len(words.stderr.splitlines()) == len(UNOPENED)
    assert "Traceback" not in words.stderr


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_summary_says_how_many_hold_and_who_is_at_fault_for_what(event: Path, program: str) -> None:
    by_keeper = LOGS / "signature.invalid--edited-by-keeper.jsonl"
    (event / "edited-1.jsonl").write_bytes(by_keeper.read_bytes())
    (event / "edited-2.jsonl").write_bytes(by_keeper.read_bytes())
    done = run(program, "--summary", event)
    lines = done.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Logs: "))
    assert len(lines[:at]) == len(GOOD | UNREADABLE) + 3
    assert lines[at] == "Logs: 15. Games: 2. Hold: 6. Fail: 3. Could not be read: 6."
    noise = event / "noise.jsonl"
    assert lines[at + 1] == f"  error file.not-a-log, fault: file: in 2 of the logs, such as {noise}"
    told = "\n".join(lines[at + 2 :])
    assert f"  error signature.invalid, fault: host: in 2 of the logs, such as {event / 'edited-1.jsonl'}" in told
    assert "  error file.empty, fault: file: in 1 of the logs" in told
    assert done.returncode == 2


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_short_line_a_log_for_programs(event: Path, program: str) -> None:
    done = run(program, "--summary", "--json", event)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {tuple(row) for row in rows} == {("file", "verdict", "game", "events", "valid_prefix", "error", "trust")}
    assert {row["error"] and row["error"]["code"] for row in rows} == {
        None,
        "file.empty",
        "file.not-a-log",
        "file.unopened",
        "line.unterminated",
    }


EXCEPTIONS = {
    "holds--void-and-again": "voided 1 roll",
    "holds--left-without-dice-hidden": "closed the game while",
    "holds--corrected-twice": "set results of dice",
    "holds--away-by-the-others": "away (1",
}


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("brief", [True, False])
def test_what_fell_away_by_somebodys_word_is_told_of_each_log_behind_all_reports(
    program: str, brief: bool, tmp_path: Path, log: bytes
) -> None:
    (tmp_path / "plain.jsonl").write_bytes(log)
    for name in EXCEPTIONS:
        (tmp_path / f"{name}.jsonl").write_bytes((LOGS / f"{name}.jsonl").read_bytes())
    lines = run(program, *(["--summary"] if brief else []), tmp_path).stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Logs: "))
    assert len(lines[at + 1 :]) == len(EXCEPTIONS)
    for line, name in zip(lines[at + 1 :], sorted(EXCEPTIONS), strict=True):
        assert line.startswith(f"  {tmp_path / name}.jsonl: ")
        assert EXCEPTIONS[name] in line
    alone = run(
        program, *(["--summary"] if brief else []), tmp_path / "holds--void-and-again.jsonl"
    ).stdout.splitlines()
    assert [line for line in alone if line.startswith(f"  {tmp_path}")] == ([lines[at + 4]] if brief else [])


def test_a_closer_that_opened_and_voided_is_told_behind_all_reports(tmp_path: Path) -> None:
    for name in ("holds--void-by-a-closer-that-had-opened.jsonl", "holds--roller.jsonl"):
        (tmp_path / name).write_bytes((LOGS / name).read_bytes())
    done = run("rollproof-verify", "--summary", tmp_path)
    assert done.returncode == 0, "the logs hold"
    assert "  notice void.opened, fault: alice: in 1 of the logs" in done.stdout
    assert "alice opened for 2 rolls that alice voided" in done.stdout


@pytest.mark.long
def test_a_folder_is_imported_but_for_what_is_no_file(event: Path, tmp_path: Path) -> None:
    program = "import sys; from ledger.cli import main; main()"
    arguments = [sys.executable, "-c", program, "import", "--home", str(tmp_path / "home"), str(event)]
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    for name in UNOPENED:
        assert f"{event / name}: " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


@pytest.mark.long
def test_the_exit_code_is_the_worst(tmp_path: Path, log: bytes) -> None:
    for number in range(6):
        (tmp_path / f"{number}.jsonl").write_bytes(log)
    assert run("rollproof-verify", tmp_path).returncode == 0
    (tmp_path / "cut.jsonl").write_bytes(log[:-1])
    assert run("rollproof-verify", tmp_path).returncode == 1
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert run("rollproof-verify", tmp_path).returncode == 2


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_told(event: Path) -> None:
    (event / "round-2").chmod(0)
    try:
        done = run("rollproof-verify", "--summary", event)
    finally:
        (event / "round-2").chmod(0o700)
    assert f"{event / 'round-2'}: Permission denied" in done.stderr
    assert done.returncode == 2


def test_a_pipe_that_is_named_alone_is_read(log: bytes) -> None:
    done = subprocess.run(
        command("rollproof-verify", "/dev/stdin"), cwd=ROOT, input=log, capture_output=True, timeout=LIMIT, check=False
    )
    assert done.stdout.startswith(b"/dev/stdin: HOLDS"), done.stderr
    assert done.returncode == 0


def test_logs_are_found_once_in_order_and_behind_links(event: Path, tmp_path: Path, log: bytes) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "table-9.jsonl").write_bytes(log)
    (event / "more").symlink_to(elsewhere)
    (event / "same.jsonl").symlink_to("table-0.jsonl")
    (event / "secret.jsonl").symlink_to(elsewhere / "table-9.jsonl")
    found = [str(path.relative_to(event)) for path in find_logs([event])]
    assert found == sorted(found)
    assert set(found) == GOOD | UNOPENED | UNREADABLE | {"cut.jsonl", "more", "same.jsonl", "secret.jsonl"}


@pytest.mark.long
@pytest.mark.parametrize("program", [*PROGRAMS, *OTHERS])
def test_a_link_that_leads_out_of_the_folder_is_named_and_not_followed(
    program: str, tmp_path: Path, log: bytes
) -> None:
    event, elsewhere = tmp_path / "event", tmp_path / "elsewhere"
    for folder in (event, elsewhere):
        folder.mkdir()
        (folder / "table-9.jsonl").write_bytes(log)
    (event / "same.jsonl").symlink_to("table-9.jsonl")
    assert run(program, str(event), cwd=tmp_path).returncode == 0
    (event / "more").symlink_to(elsewhere)
    (event / "secret.jsonl").symlink_to(elsewhere / "table-9.jsonl")
    done = run(program, str(event), cwd=tmp_path)
    assert done.returncode == 2
    for name in ("more", "secret.jsonl"):
        assert f"{event / name}: this link leads out of the folder" in done.stderr
    assert run(program, str(event / "secret.jsonl"), cwd=tmp_path).returncode == 0, "who names it means it"


def test_the_same_name_at_fault_in_several_logs_is_counted_once_a_code() -> None:
    def log(name: str, *codes: str) -> Audited:
        findings = tuple(Finding(code, "error", 12, 3, "alice", None, "") for code in codes)
        return Audited(name, "", "fails", None, 9, findings)

    found = faults([log("b", "signature.invalid"), log("a", "signature.invalid", "rules.violation"), log("c")])
    assert [(f.fault, f.code, f.logs) for f in found] == [
        ("alice", "signature.invalid", ("a", "b")),
        ("alice", "rules.violation", ("a",)),
    ]


# --- processes -----------------------------------------------------------------------------------------------------


def make_echo() -> Callable[[bytes], bytes]:
    def echo(work: bytes) -> bytes:
        if work == b"die":
            os.kill(os.getpid(), signal.SIGKILL)
        return work[::-1]

    return echo


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.long
def test_a_process_that_dies_takes_only_its_own_work_with_it(depth: int) -> None:
    workers = Workers(2, make_echo, depth=depth)
    try:
        work = [b"ab", b"die", b"cd", b"ef", b"die", b"gh", b"ij", b"kl"]
        done: list[WorkResult] = []
        for number, piece in enumerate(work):
            while not workers.room:
                done += workers.wait()
            workers.submit(number, piece)
        while workers.busy:
            done += workers.wait()
    finally:
        workers.close()
    expected = [(number, None if piece == b"die" else piece[::-1]) for number, piece in enumerate(work)]
    assert sorted((d.number, d.result) for d in done if d.result is not None) == [e for e in expected if e[1]]
    assert {d.number for d in done if d.result is None} == {1, 4}


def test_a_process_that_died_before_it_got_work_is_replaced() -> None:
    workers = Workers(1, make_echo)
    try:
        (child,) = [each for each in multiprocessing.active_children() if each.is_alive()]
        child.kill()
        child.join()
        workers.submit(0, b"ab")
        assert workers.wait() == [WorkResult(0, None)]
        workers.submit(1, b"cd")
        assert workers.wait() == [WorkResult(1, b"dc")]
    finally:
        workers.close()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="what a forked process does need not be imported")
@pytest.mark.parametrize("before", ["workers.wait()", "pass"], ids=["idle", "at work"])
def test_a_process_whose_program_has_ended_ends_without_a_word(before: str) -> None:
    program = f"""
import os, time
from verifier.log.workers import Workers
workers = Workers(2, lambda: lambda work: time.sleep(0.1) or work)
workers.submit(0, b"ab")
{before}
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, timeout=LIMIT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


_BREAKS = """
import os, signal, sys
from verifier.shell import audit
verify_file = audit.verify_file
def breaks(path, *rest, **more):
    if path.name == "b.jsonl":
        {how}
    return verify_file(path, *rest, **more)
audit.verify_file = breaks
from verifier.__main__ import main
main()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a forked process has what was changed here")
@pytest.mark.parametrize("jobs", ["1", "2", "8"])
@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "process.died"),
        ("raise KeyError('x')", "process.broke"),
        ("bytearray(1 << 50)", "limit.memory"),
        ("while True: pass", "limit.time"),
    ],
)
def test_a_log_that_cannot_be_finished_is_told_and_hides_no_other(
    tmp_path: Path, log: bytes, how: str, code: str, jobs: str
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.jsonl").write_bytes(log)
    line = [sys.executable, "-c", _BREAKS.format(how=how), "--json", "--jobs", jobs, "--time-limit", "2", str(tmp_path)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, check=False)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["verdict"] for report in reports] == ["holds", "unfinished", "holds"]
    assert reports[1]["findings"][0]["code"] == code
    assert reports[1]["not_checked"]
    assert done.stderr == ""
    assert done.returncode == 3


@pytest.mark.slow
def test_how_far_it_came_is_told_of_a_log_that_takes_too_long(tmp_path: Path) -> None:
    (tmp_path / "long.jsonl").write_bytes(game(40_000)[0])
    done = run("rollproof-verify", "--json", "--time-limit", "3", "--jobs", "1", tmp_path / "long.jsonl")
    report = json.loads(done.stdout)
    assert done.returncode == 3
    assert (report["verdict"], report["head"], report["state"]) == ("unfinished", None, None)
    assert 0 < report["valid_prefix"] < report["events"] <= 40_000
    assert report["not_checked"] == [f"Anything from event {report['valid_prefix']} on."]


@pytest.mark.long
@pytest.mark.parametrize("begin", ["", "valid"])
@pytest.mark.parametrize("rest", ["sparse", "line feeds"])
def test_a_giant_is_not_read_as_lines(tmp_path: Path, log: bytes, begin: str, rest: str) -> None:
    """Where the first line decides nothing more is read; behind a log what is left is counted and no more."""
    giant, first = tmp_path / "giant.jsonl", log[: log.index(b"\n") + 1] if begin else b""
    with giant.open("wb") as stream:
        stream.write(first)
        if rest == "sparse":
            stream.truncate(len(first) + (200_000_000 if begin else 20_000_000_000))
        else:
            stream.write(b"\n" * 20_000_000)
    done = run("rollproof-verify", "--json", "--time-limit", "20", giant)
    report = json.loads(done.stdout)
    assert (report["verdict"], done.returncode) == (("fails", 1) if begin else ("unreadable", 2))
    assert report["events"] == (0 if not begin else 2 if rest == "sparse" else 20_000_001)


# --- order ---------------------------------------------------------------------------------------------------------

# The look at `b` ends when all others, told later, are done and what was done before it has been seen: no clock in it.
_SLOW = """
import time
from pathlib import Path
from verifier.shell import audit
look_at = audit._audit_one
def slow(path, *rest):
    marks = path.parent / "marks"
    wanted = {"c", "d", "e", "f", "seen"} if path.stem == "b" else set()
    while not wanted <= {mark.name for mark in marks.iterdir()}:
        time.sleep(0.01)
    found = look_at(path, *rest)
    (marks / path.stem).touch()
    return found
audit._audit_one = slow
from verifier.__main__ import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a forked process has what was changed here")
def test_logs_are_told_in_order_though_one_takes_long_and_each_as_soon_as_it_can(tmp_path: Path, log: bytes) -> None:
    (tmp_path / "marks").mkdir()
    for name in "abcdef":
        (tmp_path / f"{name}.jsonl").write_bytes(log)
    command = [sys.executable, "-c", _SLOW, "--summary", "--jobs", "2", str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()  # while `b` is looked at
        (tmp_path / "marks" / "seen").touch()
        rest, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, said
    told = [Path(line.partition(": HOLDS")[0]).stem for line in [first, *rest.splitlines()] if ": HOLDS" in line]
    assert told == list("abcdef")


def test_answers_that_come_in_another_order_are_told_in_order(
    event: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = list(find_logs([event]))
    options = AuditOptions(Pins(), Brought())
    alone = list(audit(files, options, 1))
    assert [log.file for log in alone] == list(map(str, files))
    monkeypatch.setattr("verifier.shell.audit.Workers", LatestFirst)
    assert list(audit(files, options, 2)) == alone


def test_few_reports_wait_for_a_file_that_takes_long(
    tmp_path: Path, log: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many files there are: not more are begun or done ahead of it than the bound."""
    begun = list[int]()
    told = 0

    class Counting(LatestFirst):
        def submit(self, number: int, work: bytes) -> None:
            begun.append(number)
            assert number < told + 5
            super().submit(number, work)

    monkeypatch.setattr("verifier.shell.audit.Workers", Counting)
    monkeypatch.setattr("verifier.shell.audit.AHEAD", 5)
    paths = [tmp_path / f"{number}.jsonl" for number in range(23)]
    for path in paths:
        path.write_bytes(log)
    for each, path in zip(audit(paths, AuditOptions(Pins(), Brought()), 2), paths, strict=True):
        assert each.file == str(path)
        told += 1
    assert begun == list(range(23))


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("program", PROGRAMS)
def test_ctrl_c_ends_everything_at_once(tmp_path: Path, program: str) -> None:
    data = game(1_500)[0]
    for number in range(60):
        (tmp_path / f"{number}.jsonl").write_bytes(data)
    with subprocess.Popen(
        command(program, "--summary", "--jobs", "3", tmp_path),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it is under way
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        told, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert told.count("HOLDS") < 59, "it did not go on to the end"
    until = time.monotonic() + LIMIT  # those that were ended may take a moment to go
    while is_there(process.pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert not is_there(process.pid), "nobody of it is left"


def is_there(group: int) -> bool:
    """Whether a process of this group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# --- one long log --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_log() -> list[bytes]:
    return game(2_600)[0].splitlines(keepends=True)


def with_bad_signature(lines: list[bytes], *numbers: int) -> list[bytes]:
    """The log with signatures that do not hold, and a chain that breaks behind each."""
    changed = list(lines)
    for number in numbers:
        event = json.loads(changed[number])
        event["sig"] = event["sig"][::-1]
        changed[number] = json.dumps(event, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n"
    return changed


class Forger:
    """Signs as a party does, but for some events."""

    def __init__(self, scribe: Scribe, name: str, bad: tuple[int, ...]) -> None:
        self._scribe = scribe
        self._identity = scribe.identities[name]
        self.key = self._identity.key
        self._bad = bad

    def sign(self, message: bytes) -> bytes:
        signature = self._identity.sign(message)
        is_bad = message.startswith(EVENT_LABEL) and self._scribe.size in self._bad
        return signature[::-1] if is_bad else signature


def game_with_bad_signatures(events: int, bad: tuple[int, ...]) -> bytes:
    """A log in which all holds, its chain too, but for these signatures."""
    log = io.BytesIO()
    scribe = Scribe(log, events // 3 + 1)
    for name in list(scribe.identities):
        scribe.identities[name] = Forger(scribe, name, bad)  # type: ignore[assignment]
    scribe.write_rolls(events)
    return log.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("numbers", [(700,), (2_100,), (700, 720, 1_100, 2_100), (2_599,), (2_047, 2_048)])
def test_processes_give_the_report_that_one_gives(numbers: tuple[int, ...]) -> None:
    data = game_with_bad_signatures(2_600, numbers)
    alone, replay = verify(data)
    together, other = verify(data, jobs=3)
    assert together == alone
    assert alone.findings[0].seq == numbers[0]
    assert alone.findings[0].code == "signature.invalid"
    assert replay is not None
    assert other is not None
    assert replay.session == other.session


@pytest.mark.long
def test_the_first_of_two_failures_is_told_though_the_other_is_found_first(long_log: list[bytes]) -> None:
    lines = with_bad_signature(long_log, 1_000)
    lines[1_010] = b"{}\n"  # the replay fails here, while signatures before it wait
    for jobs in (1, 3):
        error = verify(b"".join(lines), jobs=jobs)[0].error
        assert error is not None
        assert (error.seq, error.step) == (1_000, 12)


@pytest.mark.long
@pytest.mark.parametrize("bad", [(700, 1_500), (2_100, 2_400), (2_040, 2_060)])
def test_the_first_bad_signature_is_told_in_whatever_order_answers_come(
    monkeypatch: pytest.MonkeyPatch, bad: tuple[int, ...]
) -> None:
    monkeypatch.setattr("verifier.log.signatures.Workers", LatestFirst)
    error = verify(game_with_bad_signatures(2_600, bad), jobs=2)[0].error
    assert error is not None
    assert error.seq == bad[0]


class OneAtATime(LatestFirst):
    """A process that is given three pieces ahead, and does one whenever somebody waits for it."""

    done = 0

    def submit(self, number: int, work: bytes) -> None:
        super().submit(number, work)
        self.room = len(self.pieces) < 3

    def wait(self, timeout: float | None = None) -> list[WorkResult]:
        if timeout == 0:
            return []
        OneAtATime.done += 1
        number, work = self.pieces.pop(0)
        return [WorkResult(number, self.function(work))]


@pytest.mark.parametrize("bad", [(), (6,), (598,)])
def test_what_is_handed_out_and_not_begun_when_the_log_ends_is_checked_by_the_one_who_waits(
    monkeypatch: pytest.MonkeyPatch, bad: tuple[int, ...]
) -> None:
    monkeypatch.setattr("verifier.log.signatures.Workers", OneAtATime)
    monkeypatch.setattr(OneAtATime, "done", 0)
    error = verify(game_with_bad_signatures(600, bad), jobs=2)[0].error
    assert (error and error.seq) == (bad[0] if bad else None)
    assert bad or OneAtATime.done == 1, "of three"


@pytest.mark.long
def test_signatures_that_a_dead_process_had_are_checked_again(
    long_log: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = Workers.wait
    dead: Any = lambda self, timeout=None: [WorkResult(done.number, None) for done in wait(self, timeout)]  # noqa: E731
    monkeypatch.setattr(Workers, "wait", dead)
    assert verify(b"".join(long_log), jobs=2)[0].verdict == "holds"
    error = verify(b"".join(with_bad_signature(long_log, 1_500)), jobs=2)[0].error
    assert error is not None
    assert error.seq == 1_500


def test_a_short_log_starts_no_process(monkeypatch: pytest.MonkeyPatch, log: bytes) -> None:
    monkeypatch.setattr("verifier.log.signatures.Workers", None)
    assert verify(log, jobs=8)[0].verdict == "holds"
    assert SignatureQueue(8)._workers is None


@pytest.mark.long
@pytest.mark.parametrize("program", ["rollproof-verify", "rollproof verify"])
@pytest.mark.parametrize("json", [False, True])
def test_two_histories_of_one_game_in_one_folder(program: str, json: bool, tmp_path: Path) -> None:
    """Each holds alone; who collects all players' copies finds the keeper out."""
    for name in ("alice", "bob"):
        shutil.copy(LOGS / f"holds--copy-shown-to-{name}.jsonl", tmp_path / f"{name}.jsonl")
    shutil.copy(LOGS / "holds--as-expected.jsonl", tmp_path)
    lines = (tmp_path / "alice.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "beginning.jsonl").write_bytes(b"".join(lines[:-1]))
    (tmp_path / "copy.jsonl").write_bytes(b"".join(lines))
    done = run(program, str(tmp_path), *(["--json"] if json else []), cwd=tmp_path)
    assert done.returncode == 1
    told = [line for line in done.stdout.splitlines() if ('"kind":"fork"' if json else "FORKED") in line]
    assert len(told) == 1
    assert done.stderr == ""
    assert any(f"{name}.jsonl" in told[0] for name in ("alice", "beginning", "copy"))
    assert "bob.jsonl" in told[0]
    assert json or "Logs: 5. Games: 2. Hold: 5." in done.stdout
    cut = (tmp_path / "bob.jsonl").read_bytes()[:-5]
    (tmp_path / "bob.jsonl").write_bytes(cut)
    done = run(program, str(tmp_path), cwd=tmp_path)
    assert "FORKED" in done.stdout, "what is left of a copy that was cut tells it too"
    (tmp_path / "bob.jsonl").unlink()
    assert run(program, str(tmp_path), cwd=tmp_path).returncode == 0, "one history, in three copies"


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [["stats"], ["stats", "--json"], ["report", "--out", "page.html"], ["report", "--json", "--out", "page.html"]],
)
def test_reports_and_statistics_tell_of_two_histories_too(words: list[str], tmp_path: Path) -> None:
    for name in ("alice", "bob"):
        shutil.copy(LOGS / f"holds--copy-shown-to-{name}.jsonl", tmp_path / f"{name}.jsonl")
    program = "import sys; from ledger.cli import main; main()"
    line = [sys.executable, "-c", program, *words, "--home", str(tmp_path / "home"), str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LANG": "C", "LC_ALL": "C"}
    done = subprocess.run(
        line, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 1, done.stderr
    page = (tmp_path / "page.html").read_text() if "report" in words else ""
    if "--json" in words:
        (fork,) = json.loads(done.stdout)["forks"]
        assert {Path(fork["one"]).name, Path(fork["other"]).name} == {"alice.jsonl", "bob.jsonl"}
    else:
        assert "FORKED: " in (page or done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("program", ["rollproof-verify", "rollproof verify", "rollproof import", "rollproof stats"])
def test_a_pipe_where_a_sidecar_should_be_holds_nothing_up(program: str, tmp_path: Path) -> None:
    for name in ("a", "b"):
        shutil.copy(LOGS / "holds--as-expected.jsonl", tmp_path / f"{name}.jsonl")
    os.mkfifo(tmp_path / "a.jsonl.checkpoint")
    done = run(program, str(tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert "a.jsonl.checkpoint: this is no regular file" in done.stderr
    assert "b.jsonl" in done.stdout or "dice" in done.stdout
    (tmp_path / "a.jsonl.checkpoint").unlink()
    (tmp_path / "a.jsonl.checkpoint").symlink_to("nowhere")
    done = run(program, str(tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert "a.jsonl.checkpoint: No such file" in done.stderr


@pytest.mark.parametrize("writes", [True, False], ids=["somebody-writes", "nobody-writes"])
def test_of_a_pipe_that_is_named_alone_what_comes_is_read(
    writes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.shell.files.PIPE_PAUSE", 5 if writes else 0.2)
    pipe = tmp_path / "log.jsonl"
    os.mkfifo(pipe)
    log = (LOGS / "holds--as-expected.jsonl").read_bytes()
    writer = threading.Thread(target=lambda: pipe.write_bytes(log))
    if writes:
        writer.start()
    report, _ = verify_file(pipe, Pins(), 1)
    if writes:
        writer.join()
        assert report.verdict == "holds"
    else:
        assert report.verdict == "unreadable"
        assert "nothing has come out of it for" in report.findings[0].message


@pytest.mark.long
def test_a_files_name_moves_no_cursor(tmp_path: Path) -> None:
    name = "x\nt.jsonl: HOLDS, 5 events\n\x1b[2J.jsonl"
    (tmp_path / name).symlink_to("nope")
    shutil.copy(LOGS / "holds--as-expected.jsonl", tmp_path / ("y\x1b[31m" + name))
    for program in ("rollproof-verify", "rollproof verify", "rollproof import", "rollproof stats"):
        done = run(program, str(tmp_path), cwd=tmp_path)
        assert done.returncode == 2
        assert "\x1b" not in done.stdout + done.stderr
        assert not [line for line in (done.stdout + done.stderr).splitlines() if line.startswith("t.jsonl")]


# --- the page ------------------------------------------------------------------------------------------------------


def test_the_example_of_the_page_is_what_the_program_prints() -> None:
    page = (ROOT / "specs" / "verification.md").read_text()
    block = page.partition("## Example")[2].split("```")[1].strip("\n")
    typed, printed = block.split("\n", 1)
    prompt, program, *arguments = typed.split()
    assert (prompt, program) == ("$", "rollproof-verify")
    assert run(program, *arguments, cwd=LOGS).stdout == printed + "\n"
