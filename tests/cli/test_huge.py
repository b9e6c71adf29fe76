"""Files that are much too long, links that go round or out, and texts of 64 kB: bounded, and told."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import SPECS
from tests.support.cli import Cli, make_home
from tests.support.table import Forger, Table, joined

LOG = SPECS / "vectors" / "logs" / "holds--as-expected.jsonl"
WORDS = {
    "rules": "rules check HUGE",
    "options": "new --keeper host --player alice --options @HUGE",
    "body": "magic roll GAME --body @HUGE --as alice",
    "proof": "prove HUGE 1",
    "witness": "witness cosign HUGE --as dana",
    "request": "witness answer HUGE --as dana",
    "policy": "verify LOG --policy HUGE",
    "receipt": "verify LOG --receipt HUGE",
    "log": "verify HUGE",
    "import": "import HUGE",
    "opening": "check-opening LOG HUGE",
    "explain": "explain HUGE 3",
    "state": "state HUGE",
    "moved": "identity take HUGE",
    "limits": "serve --limits HUGE",
    "player": "new --keeper host --player HUGE",
}


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(make_home(tmp_path / "home"), capsys, monkeypatch)


@pytest.mark.parametrize("about", WORDS)
@pytest.mark.slow
def test_a_file_of_gigabytes_is_not_read(cli: Cli, tmp_path: Path, about: str) -> None:
    """5 GB, most of it a hole, in a process with 2 GB."""
    huge = tmp_path / "huge"
    with huge.open("wb") as stream:
        stream.write(b'{"x":"')
        stream.truncate(5 << 30)
    words = [
        {"HUGE": str(huge), "LOG": str(LOG), "GAME": "Table 12"}.get(w, w).replace("@HUGE", f"@{huge}")
        for w in WORDS[about].split()
    ]
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)); from ledger.cli import main;"
        f"sys.argv[1:] = {words!r}; main()"
    )
    begun = time.monotonic()
    told = subprocess.run(
        [sys.executable, "-c", program], env=dict(os.environ), capture_output=True, text=True, check=False
    )
    assert time.monotonic() - begun < 60
    assert told.returncode in (1, 2, 64, 65, 66), told
    assert "memory" not in told.stderr
    assert len(told.stderr) < 5_000


def test_links_that_go_round_or_to_devices_are_told_and_not_followed(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "deep").mkdir(parents=True)
    (folder / "good.jsonl").write_bytes(LOG.read_bytes())
    (folder / "deep" / "round").symlink_to(folder)
    (folder / "itself.jsonl").symlink_to(folder / "itself.jsonl")
    for name, to in (
        ("zero", "/dev/zero"),
        ("random", "/dev/urandom"),
        ("out", "/etc/passwd"),
        ("stdin", "/dev/stdin"),
    ):
        (folder / f"{name}.jsonl").symlink_to(to)
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "good.jsonl.checkpoint").symlink_to("/dev/zero")
    begun = time.monotonic()
    rows = [json.loads(line) for line in cli("verify", folder, "--json", "--summary", "--jobs", "1").out.splitlines()]
    assert time.monotonic() - begun < 20
    found = {Path(row["file"]).name: row["error"]["code"] for row in rows}
    assert found == dict.fromkeys(
        ["good.jsonl", "itself.jsonl", "zero.jsonl", "random.jsonl", "out.jsonl", "stdin.jsonl", "pipe.jsonl"],
        "file.unopened",
    )
    told = cli("import", folder)
    assert told.code == 2
    assert "root:" not in told.out + told.err


@pytest.mark.parametrize(
    "text", ["x" * 60_000, "卓" * 15_000, "\u05d0 " * 12_000, "<script>" * 7_000, "=cmd|'/c calc'!A1 " * 3_000]
)
@pytest.mark.long
def test_texts_of_64_kb_are_shown_as_what_they_are(cli: Cli, table: Table, tmp_path: Path, text: str) -> None:
    lines = list(table.lines)
    forger = Forger(table.identities["dana"])
    lines.append(forger.event(lines, "ruling", {"ruling": "uphold", "subject": 1, "text": text}))
    log = tmp_path / "long.jsonl"
    log.write_bytes(joined(lines))
    begun = time.monotonic()
    for words in (
        ("verify", log), ("state", log), ("log", log), ("explain", log, str(len(lines) - 1)), ("code", log),
        ("import", log), ("report", log, "--out", tmp_path / "x.html"), ("stats", log),
        ("verify", log, "--json"), ("log", log, "--json"),
    ):  # fmt: skip
        told = cli(*words)
        assert told.code in (0, 1, 65), (words, told.err[:300])
        assert "Traceback" not in told.err
    assert time.monotonic() - begun < 30
    assert "<script>" * 2 not in (tmp_path / "x.html").read_text(encoding="utf-8")
