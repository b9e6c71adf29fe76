"""The table page in Chromium with as much as it can be given: long texts in every field, a long game (page.md)."""

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.page_games import advice_of, event, game_of, roll_of, screens, table_of
from tests.web.table_page import open_all, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

SCREENS = screens()
FIELDS = "input:not([type]), input[type=text], input[type=password], input[type=search], textarea"
LONG = {"words": "dice 7, " * 8_192, "one word": "9" * 65_536}
AWAY = {"home", "lobby of a guest"}
"""where Enter opens a table, or sits down at one"""
MOST = 5.0
"""seconds until the page has taken a text of 64 kB, or has answered to it; however busy the machine is"""


@pytest.mark.parametrize("name", ["home", "lobby of a guest", "game", "game master", "judge"])
@pytest.mark.slow
def test_no_text_is_too_long_for_a_field(browser: "Browser", name: str) -> None:
    """Typed or pasted: the page goes on, and is as wide as it was. What it throws or prints makes the test fail."""
    path, fake = SCREENS[name]
    with shown(browser, fake, path) as page:
        open_all(page)
        fields = page.locator(FIELDS)
        count = fields.count()
        assert count > 0
        for at in range(count):
            for what, text in LONG.items():
                field = fields.nth(at)
                if not field.is_visible() or not field.is_editable():
                    continue
                began = time.monotonic()
                field.fill(text)
                if name not in AWAY:
                    field.press("Enter")
                assert page.evaluate("document.body.offsetHeight") > 0, (at, what)
                assert time.monotonic() - began < MOST, (at, what)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


EVENTS = 20_000


def long_game() -> dict[str, Any]:
    """Half of its events are rolls."""
    rolls = [
        roll_of(seq, ("alice", "bob")[seq % 4 // 2], {"dice": "d20"}, [seq % 20 + 1], 20) for seq in range(8, EVENTS, 2)
    ]
    shows = [event(roll["seq"] + 1, "host", "reveal", {}) for roll in rolls]
    asked = [event(roll["seq"], roll["author"], "roll", roll["body"]) for roll in rolls]
    game = game_of(size=EVENTS, rolls=rolls, rulings=[])
    before = [each for each in game["events"] if each["seq"] < 8]
    game["events"] = sorted([*before, *asked, *shows], key=lambda each: each["seq"])
    return game


@pytest.mark.slow
def test_a_game_of_20_000_events_is_shown_and_stays_quick(browser: "Browser") -> None:
    path, fake = SCREENS["game"]
    advice = {**advice_of(fake["snapshot"]["advice"]["actions"]), "size": EVENTS}
    snapshot = {**fake["snapshot"], "table": table_of(), "game": long_game(), "advice": advice}
    with shown(browser, {"snapshot": snapshot}, path) as page:
        page.locator(".entry").first.wait_for()
        assert page.locator(".entry").count() < 500, "the others are shown when they are asked for"
        assert "left)" in page.get_by_role("button", name="Show more").inner_text()

        def within(seconds: float, what: str) -> None:
            page.evaluate("document.body.offsetHeight")
            spent = time.monotonic() - began
            assert spent < seconds, (what, spent)

        for kind in ("all", "rolls", "judged", "told"):
            began = time.monotonic()
            page.locator("#kind").select_option(kind)
            within(MOST, kind)
        began = time.monotonic()
        page.get_by_role("button", name="Show more").click()
        within(MOST, "more")
        began = time.monotonic()
        page.locator("#line").press_sequentially("4d6kh3")
        within(MOST, "typed")
        began = time.monotonic()
        page.locator("#line").fill("d20")
        page.locator(".line button.sign:not([aria-disabled])").click()
        page.locator(f"#event-{EVENTS}").wait_for()
        within(2 * MOST, "rolled")
