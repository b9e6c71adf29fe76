"""The commands of the README and of the guide, run in order as they stand, with nothing but a shell and Python.

A block is run if `<!-- run -->` stands above it, on one machine a page; `<!-- run NAME -->`, on the machine of that
name: a home folder and a memory of its own. `<!-- file NAME -->` above a block is a file that its reader writes.
`<!-- says: TEXT -->` below a block: it prints that.
"""

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.cli import LIMIT, REPOSITORY

GUIDE = REPOSITORY / "specs" / "guide"
SITE = REPOSITORY / "specs" / "site"
PAGES = [REPOSITORY / "README.md", *sorted(GUIDE.glob("*.md")), SITE / "player.md"]
_BLOCK = re.compile(r"<!-- (run|file|says:)(?: ([^\n]+?))? -->(?:\n```\w+\n(.*?)```)?", re.DOTALL)
_MOST = 120
"""lines of the README"""


class Block(NamedTuple):
    """A block of a page: commands for a machine, a file, or what the commands before it print."""

    kind: str
    name: str
    text: str


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that are run or written, in order."""
    return [Block(kind, name, text) for kind, name, text in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def run_block(folder: Path, machine: str, commands: str) -> str:
    """What the commands print, in `folder`, on a machine whose variables last from block to block."""
    home = folder / f".machine-{machine}"
    home.mkdir(exist_ok=True)
    kept = home / "variables"
    lines = ["set -euo pipefail", f"[ ! -f '{kept}' ] || . '{kept}'", commands, f"export -p > '{kept}'"]
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        cwd=folder,
        env={
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
        },
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_runs_from_top_to_bottom(tmp_path: Path, page: Path) -> None:
    printed, ran = "", 0
    try:
        for block in blocks(page):
            if block.kind == "run":
                assert block.text, "no block of commands stands below the marker"
                assert not re.search(r"\bjq\b", block.text)
                printed = run_block(tmp_path, block.name or "here", block.text)
                ran += 1
            elif block.kind == "file":
                (tmp_path / block.name).write_text(block.text, encoding="utf-8")
            else:
                assert block.name in printed, printed
    finally:
        end_what_goes_on(tmp_path)
    assert ran or "```sh" not in page.read_text(encoding="utf-8"), "no block of this page is run"


def end_what_goes_on(folder: Path) -> None:
    """What a page began in the background, whose number it wrote to a file, and did not come to end."""
    for path in folder.glob("*.pid"):
        with suppress(ProcessLookupError):
            os.kill(int(path.read_text()), signal.SIGKILL)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_command_of_a_page_is_run(page: Path) -> None:
    """But for the README's two, which `.ci/run` runs in a fresh environment, and installation."""
    text = page.read_text(encoding="utf-8")
    shown = text.count("```sh\n")
    marked = len(re.findall(r"<!-- (?:run(?: \w+)?|demo|tests|install) -->\n```sh\n", text))
    assert shown == marked


def test_the_readme_is_short_and_leads_to_every_page_of_the_guide() -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    assert len(text.splitlines()) <= _MOST
    assert "specs/security.md" in text
    for page in GUIDE.glob("*.md"):
        assert f"(specs/guide/{page.name})" in text, page.name


def test_the_first_pages_in_japanese_have_the_same_commands() -> None:
    for page in sorted(SITE.glob("*.md")):
        english, japanese = (
            re.findall(r"^ *(?:rollproof|pipx|for|export) .*", path.read_text(encoding="utf-8"), re.MULTILINE)
            for path in (page, SITE / "ja" / page.name)
        )
        assert [line.removesuffix(" --lang ja") for line in japanese] == english, page.name
