"""Who types a line on the page sees what it was read as before anything is signed (specs/rules.md, "Free text").

That the reading names every doubtful text is a property of the reader (tests/rules/test_free_text.py); here each way of
the page to type a line has it, in every system.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from rules import SYSTEMS
from tests.web.scene_games import Played, playing
from tests.web.table_page import open_all
from tests.web.test_scenes import DOUBLE, MAGIC, NINTH, dice, warhammer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SHEET = "stats agility 3, wits 2; track 1 1 2 3; tags rogue 2; drive 1"
READINGS: dict[str, tuple[Callable[[], Played], str, str, str, str]] = {
    "any dice": (dice, "What to roll", "d20 for orc", "d20 for half of orc 2", "source “half of orc 2”"),
    "Magic": (
        lambda: Played(MAGIC, {"planechase": True}, alice="player", bob="player"),
        "What to roll, and for what",
        "d20 Delina",
        "d20 Delina with Pixie Guide",
        "source “Delina with Pixie Guide”",
    ),
    "Warhammer": (warhammer, "What to roll", "2d6 sum for Charge", "2d6 for Charge", "each of the 2 dice by itself"),
    "The 9th Age": (
        lambda: Played(NINTH, {}, alice="player", bob="player"),
        "What to roll",
        "10 to hit 4+",
        "4 casting 9+",
        "no die shows 9 or more",
    ),
    "Double Down": (
        lambda: Played(DOUBLE, {}, gil="gm", alice="player"),
        "The sheet",
        f"Ash; {SHEET}",
        f"Ash, half ghost; {SHEET}",
        "character “Ash, half ghost”",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READINGS)
def test_what_a_line_was_read_as_is_shown_before_the_tap_that_signs_it(browser: "Browser", name: str) -> None:
    """Of every system: also where Enter is pressed before the line has been read."""
    make, label, plain, line, shown = READINGS[name]
    game = make()
    with playing(browser, game, "alice", viewport={"width": 390, "height": 844}) as page:
        open_all(page)
        whole = page.locator(".line").filter(has=page.get_by_label(label, exact=True)).first
        typed = whole.get_by_label(label, exact=True)
        reading, button = whole.locator(".read-as"), whole.locator("button.sign:not([aria-disabled])")
        typed.fill(plain)
        button.wait_for()
        assert reading.count() == 0
        events = len(game.events)
        typed.fill(line)
        typed.press("Enter")
        reading.wait_for()
        assert shown in reading.inner_text()
        assert len(game.events) == events, "nothing is signed before it is shown"
        button.click()
        for _ in range(200):
            if len(game.events) > events:
                break
            page.wait_for_timeout(50)
        assert game.events[events]["type"] in ("roll", "declare")


OFFERED: dict[str, tuple[str, str, str]] = {
    "any dice": ("What to roll", "d20+5 to hit with advantage", "d20adv+5 for to hit"),
    "Magic": (
        "What to roll, and for what",
        "roll two d20 and ignore the lower",
        "2d20 a card | ignore lowest: a card",
    ),
    "Warhammer": ("What to roll", "2d6 charge", "2d6 sum for charge"),
    "The 9th Age": ("What to roll", "poison 6", "6 poison"),
}
"""by a name above: the field, what is typed, and one of the lines that are offered for it"""


@pytest.mark.long
@pytest.mark.parametrize("name", OFFERED)
def test_a_line_that_would_be_read_is_filled_in_by_one_tap_and_signed_by_the_next(
    browser: "Browser", name: str
) -> None:
    label, line, right = OFFERED[name]
    game = READINGS[name][0]()
    with playing(browser, game, "alice", viewport={"width": 390, "height": 844}) as page:
        open_all(page)
        whole = page.locator(".line").filter(has=page.get_by_label(label, exact=True)).first
        typed = whole.get_by_label(label, exact=True)
        events = len(game.events)
        typed.fill(line)
        whole.get_by_role("button", name=right, exact=True).click()
        assert typed.input_value() == right
        whole.locator("button.sign:not([aria-disabled])").wait_for()
        assert (whole.locator(".problem, .instead").count(), len(game.events)) == (0, events)
        typed.press("Enter")
        for _ in range(200):
            if len(game.events) > events:
                break
            page.wait_for_timeout(50)
        assert game.events[events]["body"] == game.read({"line": right, "type": "roll", "party": "alice"})["body"]


def test_every_system_has_a_line() -> None:
    assert {make().system.id for make, *_ in READINGS.values()} == set(SYSTEMS)
