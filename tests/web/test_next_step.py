"""The next step of each game is in view of whoever is due: at the bottom of the screen, or one tap on the bar away."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.page_games import screens
from tests.web.scene_games import Played, playing
from tests.web.table_page import open_all, shown
from tests.web.test_plain_words import banes
from tests.web.test_scenes import (
    DOUBLE,
    IN_VIEW,
    NINTH,
    called,
    effects,
    first_die,
    magic,
    sheets,
    shot,
    to_save,
    warhammer,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

SIZES = [(390, 844), (1280, 800)]
LARGEST = 1 / 3
"""part of the screen's height that a step may cover"""
SCROLLED = (0, 100_000, 600)


def hatred() -> Played:
    game = Played(NINTH, {}, alice="player", bob="player")
    game.type("bob", "roll", "4xd6 To hit 4+ may reroll failed (Hatred)", 1, 2, 6, 1)
    return game


def several_saves() -> Played:
    """Wounds to save by a unit of two kinds of model, one by one."""
    game = warhammer(fast_saves=False)
    game.type("alice", "roll", "intercessors: Lance at ork-boyz by 1-2, A2 S8 AP-1 D1", 6, 6, 6, 6, kind="attack")
    game.do("alice", "resolve", {"roll": game.do("alice", "roll", {"for": "wound"}, 6, 6, 6, 6)})
    return game


STEPS: dict[str, tuple[Callable[[], Played], str, str]] = {
    "to wound": (shot, "alice", "Go on: roll to wound"),
    "saves of two kinds of model": (to_save, "bob", "Roll the saves: "),
    "saves one by one": (several_saves, "bob", "Roll save 1 of 4: "),
    "to double down": (first_die, "alice", "Double down"),
    "banes to spend": (banes, "gil", "inflict stress on alice"),
    "dice of the 9th Age": (hatred, "bob", "Go on: no re-roll"),
    "to roll again": (magic, "alice", "Roll again"),
    "effects of cards": (effects, "alice", "Do without it"),
}
"""a game, who is due, and a button of the step"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", STEPS)
@pytest.mark.slow
def test_the_next_step_of_each_game_is_in_view(browser: "Browser", name: str, size: tuple[int, int]) -> None:
    """Wherever its player has scrolled to, and on no more than a third of the screen."""
    make, party, words = STEPS[name]
    width, height = size
    with playing(browser, make(), party, viewport={"width": width, "height": height}) as page:
        step = page.locator(".next-step .sign", has_text=words).first
        step.wait_for()
        for top in SCROLLED:
            page.evaluate(f"scrollTo(0, {top})")
            in_view(page, ".next-step .sign")
        box = page.locator(".next-step").bounding_box()
        assert box is not None
        assert box["height"] <= height * LARGEST + 1
        assert page.locator(".quick:not(.next-step) .course").count() == 0
        assert "↓" not in page.locator(".now .status").inner_text(), "there is nothing to be led to"
        page.evaluate("document.querySelector('.next-step').scrollTo(0, 100000)")
        step.scroll_into_view_if_needed()
        assert step.evaluate(IN_VIEW), "what the step does not hold is scrolled inside"


def in_view(page: "Page", button: str) -> None:
    """Wait until a button takes taps: at first no tap counts."""
    for _ in range(60):
        if page.locator(button).first.evaluate(IN_VIEW):
            return
        page.wait_for_timeout(50)
    raise AssertionError(button)


def test_what_only_looks_on_covers_nothing(browser: "Browser") -> None:
    for make, party in ((hatred, "alice"), (first_die, "bob"), (magic, "bob"), (shot, "bob")):
        with playing(browser, make(), party) as page:
            page.locator(".tray .die").first.wait_for()
            assert page.locator(".next-step > *").count() == 0
            step = page.locator(".next-step")
            assert step.evaluate("(each) => each.getBoundingClientRect().height") == 0


def test_the_choice_to_double_stands_above_its_odds(browser: "Browser") -> None:
    with playing(browser, first_die(), "alice", viewport={"width": 390, "height": 844}) as page:
        in_view(page, ".next-step .sign.main")
        keep = page.locator(".next-step .sign", has_text="Do not double down")
        assert keep.evaluate(IN_VIEW), "both answers are seen at once"


@pytest.mark.parametrize("size", SIZES)
def test_one_tap_on_the_bar_leads_to_a_call(browser: "Browser", size: tuple[int, int]) -> None:
    view = {"width": size[0], "height": size[1]}
    unconfirmed = sheets()
    for game, party, words in ((called(), "alice", "Roll the d20"), (unconfirmed, "gil", "Confirm this sheet")):
        with playing(browser, game, party, viewport=view) as page:
            open_all(page)
            button = page.locator(".asked-for .sign.main", has_text=words).first
            button.wait_for()
            status = page.locator(".now .status")
            for top in SCROLLED if size[0] < 800 else ():
                page.evaluate(f"scrollTo(0, {top})")
                if not button.evaluate(IN_VIEW):
                    page.locator(".parts button", has_text="Now").click()
                page.wait_for_timeout(100)
                assert button.evaluate(IN_VIEW), (words, top)
            page.evaluate("scrollTo(0, 0)")
            if button.evaluate(IN_VIEW):
                continue
            status.get_by_role("button").filter(has_text="↓").click()
            status.get_by_role("button").wait_for(state="detached")
            assert "↓" not in status.inner_text(), "the step is in view"
            assert button.evaluate(IN_VIEW)


def test_nobody_is_led_to_a_part_that_is_empty(browser: "Browser") -> None:
    game = Played(DOUBLE, {}, gil="gm", alice="player")
    with playing(browser, game, "alice", viewport={"width": 390, "height": 844}) as page:
        page.locator(".now .sign").first.wait_for()
        page.evaluate("scrollTo(0, 100000)")
        page.locator(".parts button", has_text="Now").click()
        page.wait_for_timeout(100)
        top = "(each) => each.getBoundingClientRect().top"
        assert 0 < page.locator("#now-title").evaluate(top) < 844 / 2


def test_a_call_of_which_the_state_says_nothing_leaves_no_empty_button(browser: "Browser") -> None:
    path, fake = screens()["game"]
    assert fake["snapshot"]["advice"]["actions"][0]["body"] == {"call": 6}
    with shown(browser, fake, path) as page:
        page.locator(".now .sign").first.wait_for()
        assert "↓" not in page.locator(".now .status").inner_text()
        assert page.locator(".now .status button").count() == 0


BESIDE = """() => [...document.querySelectorAll('.next-step .signed')].map((each) => {
  const [sign, fold] = [each.closest('.act').querySelector('.sign'), each].map((one) => one.getBoundingClientRect());
  return fold.left >= sign.right && fold.top >= sign.top - 12 && fold.bottom <= sign.bottom + 12;
})"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP"])
def test_what_is_signed_stands_beside_the_step_and_opens_below_it(browser: "Browser", locale: str) -> None:
    """So both answers are seen at once."""
    view = {"width": 390, "height": 844}
    with playing(browser, first_die(), "alice", viewport=view, locale=locale) as page:
        in_view(page, ".next-step .sign.main")
        assert page.evaluate(BESIDE) == [True, True]
        assert page.locator(".next-step .sign").last.evaluate(IN_VIEW), "the other answer too"
        page.locator(".next-step .signed summary").first.click()
        page.locator(".next-step .signed dl").first.wait_for()
        assert page.evaluate(BESIDE) == [False, True]
        width = page.locator(".next-step .act").first.evaluate("(each) => each.clientWidth")
        assert page.locator(".next-step .sign").first.evaluate("(each) => each.offsetWidth") == width


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP"])
def test_a_call_of_double_down_is_answered_on_the_first_screen(browser: "Browser", locale: str) -> None:
    view = {"width": 390, "height": 844}
    with playing(browser, called(), "alice", viewport=view, locale=locale) as page:
        button = page.locator(".asked-for .sign.main").first
        button.wait_for()
        assert button.evaluate(IN_VIEW)
