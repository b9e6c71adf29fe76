"""The commands of the README, the guide and the first pages, run in order as they stand (tests/support/pages.py)."""

import re
from pathlib import Path

import pytest

from tests.make.practice import practice
from tests.support.cli import REPOSITORY
from tests.support.pages import GUIDE, blocks, matches, played

SITE = REPOSITORY / "specs" / "site"
JAPANESE = SITE / "ja"
PAGES = [REPOSITORY / "README.md", *sorted(GUIDE.glob("*.md")), *sorted(SITE.rglob("*.md"))]
NAMES = [path.relative_to(REPOSITORY).with_suffix("").as_posix().replace("/", "-") for path in PAGES]
_LONGEST = {"company.md", "event.md", "games.md", "playing.md", "organizer.md"}
PAGES_TO_RUN = [
    pytest.param(path, marks=pytest.mark.slow) if JAPANESE in path.parents or path.name in _LONGEST else path
    for path in PAGES
]
"""those in Japanese have the commands of the English ones, which another test holds"""
_MOST = 150
"""lines of the README"""


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES_TO_RUN, ids=NAMES)
def test_a_page_runs_from_top_to_bottom_and_prints_what_it_says(tmp_path: Path, page: Path) -> None:
    ran = 0
    if SITE in page.parents:
        (tmp_path / "practice.zip").write_bytes(practice())
    for block, printed in played(tmp_path, blocks(page)):
        ran += block.kind in ("run", "serve")
        if block.kind == "run":
            assert not re.search(r"\bjq\b", block.text)
        elif block.kind == "says:":
            assert block.name in printed, printed
        elif block.kind == "prints":
            told = f"python -m tests.make.casts writes it anew. It prints:\n{printed}"
            assert matches(block.text, printed, exactly=block.name == "exactly"), told
    assert ran or "```sh" not in page.read_text(encoding="utf-8"), "no block of this page is run"


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_command_of_a_page_is_run(page: Path) -> None:
    """But for the README's two, which `.ci/run` runs in a fresh environment, and installation."""
    text = page.read_text(encoding="utf-8")
    shown = text.count("```sh\n")
    marked = len(re.findall(r"<!-- (?:(?:run|serve)(?: \w+)?|demo|tests|install) -->\n```sh\n", text))
    assert shown == marked


def test_the_readme_is_short_and_leads_to_every_page_of_the_guide() -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    assert len(text.splitlines()) <= _MOST
    assert "specs/security.md" in text
    for page in GUIDE.glob("*.md"):
        assert f"(specs/guide/{page.name})" in text, page.name


@pytest.mark.parametrize("page", sorted(JAPANESE.glob("*.md")), ids=lambda page: page.stem)
def test_a_page_in_japanese_has_the_commands_of_the_english_one(page: Path) -> None:
    """But for the line that chooses the language. A guide may leave out what it leads to in English."""
    english = next(path for folder in (SITE, GUIDE, SITE.parent) if (path := folder / page.name).exists())

    def commands(path: Path) -> list[str]:
        run = [block.text for block in blocks(path) if block.kind in ("run", "serve", "file")]
        return [text.replace("export ROLLPROOF_LANG=ja\n", "") for text in run]

    if english.parent == SITE:
        assert commands(page) == commands(english)
        assert len(re.findall(r"!\[", page.read_text("utf-8"))) == len(re.findall(r"!\[", english.read_text("utf-8")))
    assert [text for text in commands(page) if text not in commands(english)] == []


def test_every_first_page_is_there_in_japanese() -> None:
    assert {page.name for page in SITE.glob("*.md")} <= {page.name for page in JAPANESE.glob("*.md")}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_an_extra_of_a_file_is_named_so_that_each_tool_takes_it(page: Path) -> None:
    """Without `./` pipx reads a requirement, installs the file and leaves the extra out."""
    named = re.findall(r"(\S*)rollproof-[\w.-]+\.whl\[", page.read_text(encoding="utf-8"))
    assert [before for before in named if not before.endswith("./")] == []
