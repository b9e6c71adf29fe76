"""The marks of files that programs make, and of files of others (`.gitattributes`)."""

import shutil
import subprocess

import pytest

from tests.make.words import ROOT, made

LINES = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
PATTERNS = [line.split()[0] for line in LINES if line and not line.startswith("#")]


def git(*arguments: str) -> str:
    """What git prints. Skips the test where there is no repository."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("there is no repository here")
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("pattern", PATTERNS)
def test_each_pattern_is_of_files_that_are_there(pattern: str) -> None:
    anchored = pattern.removeprefix("/") if "/" in pattern else f"**/{pattern}"
    assert git("ls-files", f":(glob){anchored}") != ""


def test_what_is_made_of_the_catalogues_is_marked() -> None:
    paths = [path.relative_to(ROOT).as_posix() for path, _ in made()]
    told = git("check-attr", "linguist-generated", "--", *paths).splitlines()
    assert [line for line in told if not line.endswith(": set")] == []
    assert len(told) == len(paths)
