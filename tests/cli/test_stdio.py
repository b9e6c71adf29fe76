"""Standard output that is closed or full, arguments that are empty: one sentence, and never the code of a verdict."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import REPOSITORY

LOG = REPOSITORY / "specs" / "vectors" / "logs" / "holds--as-expected.jsonl"
VERIFIER = "from verifier.__main__ import main; main()"
PROGRAM = "from ledger.__main__ import main; main()"


def run(code: str, *words: str, redirect: str = "", home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(REPOSITORY), "PATH": "/usr/bin:/bin", "ROLLPROOF_HOME": str(home or "nowhere")}
    shell = f'exec "$0" "$@" {redirect}'
    return subprocess.run(
        ["bash", "-c", shell, sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True
    )


@pytest.mark.long
@pytest.mark.parametrize(("program", "words"), [(VERIFIER, ()), (PROGRAM, ("verify",)), (PROGRAM, ("log",))])
@pytest.mark.parametrize("extra", [(), ("--json",)])
def test_closed_or_full(program: str, words: tuple[str, ...], extra: tuple[str, ...], tmp_path: Path) -> None:
    arguments = (*words, str(LOG), *extra)
    usual = run(program, *arguments, home=tmp_path)
    closed = run(program, *arguments, redirect=">&-", home=tmp_path)
    assert (closed.returncode, closed.stdout) == (usual.returncode, "")
    assert "Traceback" not in closed.stderr
    both = run(program, *arguments, redirect=">&- 2>&-", home=tmp_path)
    assert both.returncode == usual.returncode
    if usual.stdout:
        full = run(program, *arguments, redirect=">/dev/full", home=tmp_path)
        assert (full.returncode, full.stdout) == (74, "")
        assert "No space left on device" in full.stderr
        assert len(full.stderr.splitlines()) == 1


def test_a_verdict_that_nobody_can_read_is_none() -> None:
    assert run(VERIFIER, "missing.jsonl", redirect="2>/dev/full").returncode == 74
    assert run(VERIFIER, "--help", redirect=">/dev/full").returncode == 74


@pytest.mark.long
def test_an_empty_argument_names_nothing(tmp_path: Path) -> None:
    for program, *words in ((VERIFIER,), (PROGRAM, "verify"), (PROGRAM, "import"), (PROGRAM, "stats")):
        refused = run(program, *words, "", home=tmp_path)
        assert refused.returncode == 64, words
        assert "empty argument" in refused.stderr


@pytest.mark.parametrize("option", ["--keeper", "--index", "--size", "--organizer"])
def test_an_option_that_would_check_nothing_is_refused(option: str) -> None:
    value = "host+28b5c9ff+AQEBAQEB" if option == "--organizer" else "3"
    if option == "--keeper":
        value = (REPOSITORY / "specs" / "vectors" / "notes" / "keys").read_text().split()[0]
    refused = run(VERIFIER, str(LOG), option, value)
    assert refused.returncode == 64
    assert "goes with" in refused.stderr


def test_the_verifier_names_its_version_and_format() -> None:
    assert run(VERIFIER, "--version").stdout.split()[0::2] == ["rollproof-verify", "rollproof/v1"]
