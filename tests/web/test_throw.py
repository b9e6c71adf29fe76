"""The throw: from an opened page to dice that two people see without scrolling, counted in taps (specs/page.md)."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.served import Server
from tests.web.people import Person, opened
from tests.web.scene_games import Played, playing
from tests.web.table_page import PATIENCE, axe_findings, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

SIZES = [(390, 844), (1280, 800)]
TRAY_IN_VIEW = """[...document.querySelectorAll('.tray .die')].length > 0
  && [...document.querySelectorAll('.tray .die')].every((each) => {
    const { top, bottom, left, right } = each.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  })"""
TAPS_COUNT = "getComputedStyle(document.querySelector('.game')).pointerEvents === 'auto'"
"""Not in the moment after the tray has grown: Playwright's `click` scrolls while nothing takes it."""
KEYS = {"d4": "d4", "d6": "d6", "d8": "d8", "d10": "d10", "d12": "d12", "d20": "d20", "d%": "d%", "4dF": "4dF"}


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def game() -> Played:
    return Played("dice-1", {}, alice="player", bob="player")


class Taps:
    """A person who types nothing; each tap counts, and the page never scrolls on their account."""

    def __init__(self, browser: "Browser", size: tuple[int, int]) -> None:
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB")
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.count = 0

    def tap(self, name: "str | re.Pattern[str]") -> None:
        """A tap on a button that stands in view as it is: nobody has to scroll to it."""
        button = self.page.get_by_role("button", name=name).first
        button.wait_for()
        box, height = button.bounding_box(), self.page.evaluate("innerHeight")
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, f"{name} is not in view"
        button.click()
        self.count += 1

    def throws(self, die: str) -> None:
        """A tap on a die that stands in view as it is: nothing scrolls."""
        key = self.page.locator(".thrown button:not([aria-disabled])", has_text=re.compile(rf"^\s*{re.escape(die)}\s"))
        key.wait_for()
        until(self.page, TAPS_COUNT)
        box = key.bounding_box()
        height = self.page.evaluate("innerHeight")
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height - 60, "not below the screen, nor under the bar at its foot"
        self.page.mouse.click(
            box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        )  # as a finger: where it was seen
        assert self.page.evaluate("scrollY") == 0
        self.count += 1

    def sees(self, rolls: int) -> str:
        self.page.locator(".entry.roll.fair").nth(rolls - 1).wait_for(state="attached")
        until(self.page, TRAY_IN_VIEW)
        assert self.page.evaluate("scrollY") == 0
        return flat(self.page.locator(".tray .die").inner_text())


@pytest.mark.parametrize("size", SIZES)
def test_from_an_opened_page_to_a_shared_d20(
    browser: "Browser", server: Server, size: tuple[int, int], record_property: Any
) -> None:
    alice, bob = Taps(browser, size), Taps(browser, size)
    alice.page.goto(f"{server.address}/")
    alice.tap("Open the table and sit down")
    alice.tap(re.compile("^Copy"))
    bob.page.goto(alice.page.locator("input.link").first.input_value())
    bob.tap("Sit down")
    alice.page.locator(".people li").nth(1).wait_for()
    alice.tap(re.compile("^Start with"))
    bob.tap(re.compile("^Agree to these terms"))
    alice.page.get_by_text("has not agreed yet").first.wait_for(state="detached")
    alice.throws("d20")
    assert alice.sees(1) == bob.sees(1)
    for whose, each in (("who opens the table", alice), ("who gets the link", bob)):
        record_property(f"taps to a shared d20 in view at {size[0]} × {size[1]}, of {whose}", each.count)
    assert (alice.count, bob.count) == (4, 2)
    for who, rolls in ((bob, 2), (alice, 3)):
        before = who.count
        who.throws("d20")
        assert alice.sees(rolls) == bob.sees(rolls)
        assert who.count - before == 1
    for each in (alice, bob):
        each.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_each_key_says_what_it_signs_and_signs_that_once(browser: "Browser", size: tuple[int, int]) -> None:
    played = game()
    with playing(browser, played, "alice", viewport={"width": size[0], "height": size[1]}) as page:
        page.locator("summary", has_text="What a tap signs").click()
        below = [flat(each) for each in page.locator(".signs dl > div").all_inner_texts()]
        assert below == [f"{key} Roll {dice}" for key, dice in KEYS.items()]
        for i, (key, dice) in enumerate(KEYS.items()):
            button = page.locator(".thrown button").nth(i)
            assert flat(button.inner_text()) == f"{key} Roll {dice}"
            button.click()
            until(page, f"fake.signed?.length === {i + 1}")
            page.locator(".thrown button:not([aria-disabled])").nth(i).wait_for()
        assert [each["body"] for each in page.evaluate("fake.signed")] == [{"dice": dice} for dice in KEYS.values()]


def test_a_long_press_adds_to_the_line_and_signs_nothing(browser: "Browser", axe: str) -> None:
    with playing(browser, game(), "alice") as page:
        for key in ("d20", "d6", "d6", "4dF"):
            page.locator(".thrown button", has_text=re.compile(rf"^\s*{key}\s")).click(button="right")
        assert page.locator("#line").input_value() == "d20 + 2d6 + 4dF"
        assert page.evaluate("fake.signed") is None
        assert axe_findings(page, axe) == []


@pytest.mark.parametrize("size", SIZES)
def test_a_typed_line_is_completed_from_what_this_browser_rolled_and_keeps(
    browser: "Browser", server: Server, axe: str, size: tuple[int, int]
) -> None:
    """The latest first, each once; after the page is loaded anew too. To complete a line signs nothing."""
    view = {"width": size[0], "height": size[1]}
    alice, bob = Person(browser, "alice", viewport=view), Person(browser, "bob")
    opened(alice, server.address, [bob])
    sword, again, strength = "2d6 + 3 for Longsword", "2d6 + 3 for longsword again", "4d6kh3"
    for count, line in enumerate((sword, strength, again, sword), 1):
        alice.roll(line)
        for each in (alice, bob):
            each.sees_rolls(count)

    def offered(person: Person, typed: str) -> list[str]:
        person.page.locator("#line").fill("")
        person.page.locator("#line").press_sequentially(typed)
        return person.page.locator("#line-hint button").all_inner_texts()

    alice.page.locator(".again").get_by_role("button", name=f"Favourite: {strength}").click()
    alice.page.reload()
    alice.page.locator(".thrown").wait_for()
    assert offered(alice, "") == ["Use this"]
    assert offered(alice, "2d6") == [sword, again]
    assert offered(alice, "LONG") == [sword, again], "any part of the line, as people type it"
    assert offered(alice, "4d6") == [strength], "a favourite that was rolled is offered once"
    assert offered(alice, "d6") == [sword, again, strength]
    assert offered(alice, strength) == []
    assert offered(alice, "d12") == []
    assert offered(bob, "2d6") == [], "what another typed is no line of this browser"
    assert offered(alice, "d6")
    assert alice.page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert axe_findings(alice.page, axe) == []
    place = "scrollY + document.querySelector('#line').getBoundingClientRect().top"
    before = alice.page.evaluate(place)
    for way in ("tap", "keyboard"):
        assert offered(alice, "2d6") == [sword, again]
        if way == "tap":
            alice.page.get_by_role("button", name=f"Use this: {again}").click()
        else:
            for key in ("Tab", "Tab", "Enter"):
                alice.page.keyboard.press(key)
        until(alice.page, f"document.querySelector('#line').value === {again!r}")
        assert alice.page.evaluate("document.activeElement.id") == "line"
        assert alice.page.evaluate(place) == before
    alice.page.locator(".typed-line:has(#line) button.sign:not([aria-disabled])").wait_for()
    assert alice.page.locator(".entry.roll").count() == 4, "nothing was signed by it"
    alice.page.keyboard.press("Enter")
    alice.sees_rolls(5)
    assert "longsword again" in alice.page.locator(".entry.roll").first.inner_text()
    # At another table of this browser: what was rolled is of its game, favourites are of all.
    opened(alice, server.address)
    assert offered(alice, "d6") == [strength]
    for each in (alice, bob):
        each.close()
