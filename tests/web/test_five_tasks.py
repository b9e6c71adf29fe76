"""What people do at the table, tap by tap, as the guide counts it (specs/guide/table.md).

Opening a table and inviting is counted by `test_throw.py`, a volley by `test_scenes.py`.
"""

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.scene_games import Played, playing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.long


class Hand:
    """Somebody's finger: each tap counts."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.count = 0

    def tap(self, what: "Locator") -> None:
        what.click()
        self.count += 1


def game() -> Played:
    return Played("dice-1", {}, alice="player", bob="player", dana="judge")


def test_a_roll_with_advantage_takes_four_taps(browser: "Browser", record_property: Any) -> None:
    played = game()
    with playing(browser, played, "alice") as page:
        hand = Hand(page)
        hand.tap(page.locator("summary", has_text="More dice, plus and minus, advantage"))
        hand.tap(page.locator(".dice-keys button", has_text=re.compile(r"^\s*d20\s*$")))
        hand.tap(page.get_by_role("button", name="advantage", exact=True))
        assert page.locator("#line").input_value() == "d20adv"
        hand.tap(page.locator(".line button.sign:not([aria-disabled])").first)
        page.locator(".entry.roll.fair").wait_for()
    assert [roll["body"]["dice"] for roll in played.rolls] == ["d20adv"]
    record_property("taps for a roll with advantage", hand.count)
    assert hand.count == 4


def test_a_doubtful_roll_is_explained_in_one_tap_and_saved_in_two_more(
    browser: "Browser", record_property: Any
) -> None:
    played = game()
    played.type("bob", "roll", "d20", 20)
    with playing(browser, played, "alice") as page:
        hand = Hand(page)
        hand.tap(page.locator(".tray .badge"))
        page.locator("dialog.explained").get_by_text("each had a part in it").first.wait_for()
        hand.tap(page.locator("dialog.explained").get_by_role("button", name="Close", exact=True))
        with page.expect_download() as saved:
            hand.tap(page.get_by_role("button", name="Save the log").first)
        assert saved.value.suggested_filename == "tavern.jsonl"
    record_property("taps to doubt a roll, and to have the log for a machine of one's own", hand.count)
    assert hand.count == 3


def test_a_judge_corrects_a_die_in_five_taps(browser: "Browser", record_property: Any) -> None:
    """`test_page_judge.py` plays it at a server, with what the others see of it."""
    played = game()
    seq = played.type("bob", "roll", "d20", 20)
    with playing(browser, played, "dana") as page:
        hand = Hand(page)
        hand.tap(page.locator(f"#event-{seq}").get_by_role("button", name="Rule on"))
        hand.tap(page.locator(".ruling-form label.key", has_text="Correct"))
        hand.tap(page.get_by_label("the reason"))
        page.keyboard.type("a cocked die")
        hand.tap(page.get_by_label("dice and their results"))
        page.keyboard.type("1=5")
        hand.tap(page.locator(".ruling-form button.sign:not([aria-disabled])", has_text="5"))
        page.locator(".entry.roll.fair .dice", has_text="counts as 5").wait_for()
    correction = {"ruling": "correct", "subject": seq, "text": "a cocked die", "results": [{"die": 1, "result": 5}]}
    assert played.events[-1]["body"] == correction
    record_property("taps for a judge who corrects a die", hand.count)
    assert hand.count == 5
