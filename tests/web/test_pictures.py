"""The pictures of the documentation show what the pages show today (tests/make/pictures.py)."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("PIL")
from tests.make.pictures import LANGUAGES, PICTURES, RECORD, scenes
from tests.support.cli import REPOSITORY

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RECORDED: dict[str, dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
PAGES = sorted((REPOSITORY / "specs").rglob("*.md"))
MOST = 800_000
"""bytes of all pictures, which travel in the package"""
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+/pictures/([\w-]+)\.png)\)")


def test_each_picture_is_as_it_was_taken_and_stands_on_a_page() -> None:
    found = {path.stem: path for path in PICTURES.glob("*.png")}
    assert set(found) == set(RECORDED)
    for name, path in found.items():
        assert sha256(path.read_bytes()).hexdigest() == RECORDED[name]["sha256"], f"{name} was changed by hand"
    shown = {name for page in PAGES for _, _, name in _PICTURE.findall(page.read_text(encoding="utf-8"))}
    assert shown == set(RECORDED)
    assert sum(path.stat().st_size for path in found.values()) < MOST


@pytest.mark.parametrize(
    "page", [page for page in PAGES if _PICTURE.search(page.read_text(encoding="utf-8"))], ids=lambda page: page.stem
)
def test_what_a_page_says_to_tap_stands_on_its_pictures(page: Path) -> None:
    """What is bold in the paragraph above a picture is on it, or on one that the page shows before."""
    text = page.read_text(encoding="utf-8")
    words: list[str] = []
    begin = 0
    for match in _PICTURE.finditer(text):
        assert match[1], "a picture has words for who does not see it"
        words += RECORDED[match[3]]["words"]
        above = text[begin : match.start()].rstrip().split("\n\n")[-1]
        for bold in re.findall(r"\*\*([^*]+)\*\*", above):
            assert any(bold.rstrip(".…") in word for word in words), (bold, match[3])
        begin = match.end()


@pytest.mark.slow
@pytest.mark.parametrize("ending", LANGUAGES)
def test_the_screens_have_the_words_of_their_pictures(browser: "Browser", ending: str) -> None:
    with scenes(browser, ending) as album:
        taken = {name: picture.words for name, picture in album.pictures.items()}
    assert taken == {name: RECORDED[name]["words"] for name in taken}, "python -m tests.make.pictures takes them anew"
    assert len(taken) == len(RECORDED) / len(LANGUAGES)
