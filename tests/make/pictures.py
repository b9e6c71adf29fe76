"""Take the pictures of the documentation: Chromium at a real server, as people see it, in English and Japanese.

python -m tests.make.pictures    # plays the scenes, writes specs/pictures

`pictures.json` has for each picture its hash, its width on the page, and the words that can be tapped or that head a
part of the screen. A test plays the scenes again: where a screen has other words, the picture is to be taken anew.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from PIL import Image

from tests.make.practice import SPECS, practice_logs
from tests.make.words import words
from tests.support.pages import steady
from verifier.language import translator

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PICTURES = SPECS / "pictures"
RECORD = PICTURES / "pictures.json"
LANGUAGES = {"": "en-GB", "-ja": "ja-JP"}
"""what a picture's name ends with → the language of the browser"""
_PHONE: Any = {"width": 390, "height": 700}
_DESK: Any = {"width": 1024, "height": 640}
_WORDS = "h1, h2, h3, button, label, summary, legend, #verdict"
_COLOURS = 48


class Picture(NamedTuple):
    """A picture, as Chromium took it, the words on it, and how wide the page was."""

    data: bytes
    words: list[str]
    width: int


def words_of(page: Page) -> list[str]:
    """Return what can be tapped and what heads a part, without what is another each time."""
    found = page.locator(_WORDS).all_inner_texts()
    return sorted({line for text in found for one in text.splitlines() if (line := steady(one))})


def translated(text: str, locale: str) -> str:
    """Return a text of the page in a language, as its words have it."""
    if locale.startswith("en"):
        return text
    files = words(locale[:2])
    return next(
        (file[text] for path, file in files.items() if "/ui/" in path and text in file), translator(locale[:2])(text)
    )


def pattern(template: str, locale: str) -> re.Pattern[str]:
    """Return what finds a text of the page whatever stands in its places."""
    return re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(translated(template, locale))))


def smaller(data: bytes) -> bytes:
    """Return a picture with few colours."""
    stream = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
    return stream.getvalue()


class Album:
    """Pictures as they are taken, by name."""

    def __init__(self) -> None:
        self.pictures: dict[str, Picture] = {}

    def take(self, name: str, page: Page, at: Locator | None = None) -> None:
        """Take a picture of what a page shows, or from where `at` begins."""
        from tests.web.table_page import until

        if at is not None:
            at.evaluate("element => { element.scrollIntoView({block: 'start'}); window.scrollBy(0, -12); }")
        until(page, "document.getAnimations().every(each => each.playState !== 'running')")
        width = int(page.evaluate("innerWidth"))
        self.pictures[name] = Picture(page.screenshot(), words_of(page), width)


def at_a_table(album: Album, browser: Browser, address: str, ending: str, locale: str) -> None:
    """A friend sits down by a link, agrees, rolls, and looks at what stands behind it; a judge corrects."""
    from tests.web.people import Person, opened

    alice = Person(browser, "alice", reduced_motion="reduce")
    bob, dana = (
        Person(browser, name, locale=locale, viewport=_PHONE, device_scale_factor=2, reduced_motion="reduce")
        for name in ("bob", "dana")
    )
    bob.page.goto(f"{address}/")
    bob.page.locator("#name").wait_for()
    album.take(f"open{ending}", bob.page)
    links = opened(alice, address, start=False)
    bob.page.goto(links["player"])
    bob.page.locator("#name").fill("bob")
    album.take(f"sit{ending}", bob.page)
    dana.page.goto(links["judge"])
    dana.page.locator("#name").fill("dana")
    for each in (bob, dana):
        each.page.keyboard.press("Enter")
        alice.page.locator(".people li", has_text=each.name).wait_for()
    alice.page.locator("button:has-text('Start with')").click()
    agree = pattern("Agree to these terms and play as {name}", locale)
    bob.page.get_by_role("button", name=agree).wait_for()
    bob.page.locator(".connection.live").wait_for()
    album.take(f"terms{ending}", bob.page)
    for each in (bob, dana):
        each.page.locator("button.main").last.click()
    for each in (alice, bob):
        each.page.locator("#line").wait_for()
    alice.page.get_by_text("has not agreed yet").first.wait_for(state="detached")
    bob.roll("4d6kh3 for Strength")
    for each in (bob, dana):
        each.sees_rolls(1)
    _look(album, bob.page, dana.page, ending, locale)
    for each in (alice, bob, dana):
        each.close()


def _look(album: Album, bob: Page, dana: Page, ending: str, locale: str) -> None:
    bob.locator(".tray .die").first.wait_for()
    album.take(f"dice{ending}", bob, bob.locator(".tray").first)
    entry = bob.locator(".entry.roll.fair")
    entry.locator(".fairness summary").first.click()
    album.take(f"fair{ending}", bob, entry)
    theirs = dana.locator(".entry.roll.fair")
    theirs.get_by_role("button", name=pattern("Rule on {what}", locale)).first.click()
    dana.get_by_text(translated("Correct", locale), exact=True).click()
    dana.get_by_label(translated("the reason", locale)).fill(
        "a cocked die" if locale.startswith("en") else "傾いたダイス"
    )
    album.take(f"correct{ending}", dana, dana.locator(".ruling-form"))


def at_the_verify_page(album: Album, browser: Browser, folder: Path, ending: str, locale: str) -> None:
    """Somebody opens the page from the disk, and gives it a log that does not hold."""
    from ledger.browser.verify_page import verify_page

    (folder / "verify.html").write_bytes(verify_page())
    log = folder / "table-14.jsonl"
    log.write_bytes(practice_logs()["table-14.jsonl"])
    context = browser.new_context(viewport={"width": 640, "height": 640}, locale=locale, device_scale_factor=1.5)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto((folder / "verify.html").as_uri())
    page.set_input_files("#file", str(log))
    page.locator("#verdict").wait_for()
    page.locator("#work").wait_for(state="hidden")
    album.take(f"verify{ending}", page, page.locator("#verdict"))
    context.close()


def at_an_event(album: Album, browser: Browser, root: Path, ending: str, locale: str) -> None:
    """The wall of a hall, in the first round."""
    from tests.server.event_day import hall

    with hall(root) as day:
        _ = day.state
        for number in day.names:
            day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
        desk = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800}).new_page()
        desk.set_default_timeout(60_000)
        desk.goto(f"{day.address}/e/{day.event}#staff")
        desk.locator("#staff-name").fill("Dana")
        desk.locator("main button.main").click()
        day.does(day.olga, "appoint", key=desk.locator(".handed input").input_value(), role="organizer")
        pairings = b"Table,Player 1,Player 2\n11,Alice Ito,2\n12,3,4\n"
        file: Any = {"name": "round.csv", "mimeType": "text/csv", "buffer": pairings}
        desk.locator("#pairings-file").set_input_files(file)
        for button in ("Publish", "Start the round"):
            desk.get_by_role("button", name=button).click()
        desk.get_by_text("The wall, the bundle, the end").click()
        desk.get_by_role("button", name="A link for the wall").click()
        link = desk.locator('input[aria-label="Link for the wall"]').input_value()
        wall = browser.new_context(locale=locale, viewport=_DESK).new_page()
        wall.set_default_timeout(60_000)
        wall.goto(link)
        wall.locator(".pairings").get_by_text("佐藤 健", exact=True).wait_for()
        album.take(f"wall{ending}", wall)
        for page in (desk, wall):
            page.context.close()


@contextmanager
def scenes(browser: Browser, ending: str) -> Iterator[Album]:
    """Play all scenes in one language."""
    from tests.server.served import roomy

    album, locale = Album(), LANGUAGES[ending]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with roomy(root / "server") as server:
            at_a_table(album, browser, server.address, ending, locale)
        at_the_verify_page(album, browser, root, ending, locale)
        at_an_event(album, browser, root / "hall", ending, locale)
        yield album


def main() -> None:
    """Take all pictures, and write them."""
    from tests.web.table_page import launched

    record: dict[str, dict[str, Any]] = {}
    with contextmanager(launched)() as browser:
        for ending in LANGUAGES:
            with scenes(browser, ending) as album:
                for name, picture in album.pictures.items():
                    data = smaller(picture.data)
                    (PICTURES / f"{name}.png").write_bytes(data)
                    digest = sha256(data).hexdigest()
                    record[name] = {"sha256": digest, "width": picture.width, "words": picture.words}
                    print(f"{name}.png: {len(data)} bytes")
    RECORD.write_text(json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
