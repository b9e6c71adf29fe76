"""The table page in Chromium at a server that shows openings or dice to some only (specs/page.md, specs/seats.md)."""

import json
from typing import TYPE_CHECKING

import pytest

from tests.web.cheat import Cheat, Event
from tests.web.people import Two, openings

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.long


def without(*names: str) -> "Callable[[str, Event], list[Event]]":
    """Events of these names are kept back."""
    return lambda _, event: [] if event[0] in names else [event]


def comes_again(two: Two) -> None:
    """The server is honest again, and bob's page connects anew."""
    two.cheat.event = None
    two.bob.context.set_offline(True)
    two.bob.context.set_offline(False)
    two.bob.page.reload()


def test_a_closer_who_is_shown_no_openings_does_not_open(two: Two, cheat: Cheat) -> None:
    """Bob's server hands alice's opening on to all but him: his page, the last to open, waits and says for whom."""
    two.roll()
    cheat.event = without("opening")
    before = len(openings(cheat.posts))
    two.bob.roll()
    two.bob.page.locator(".now .waits.slow", has_text="The roll waits for alice.").wait_for()
    two.alice.page.locator(".now .waits.slow", has_text="The roll waits for bob.").wait_for()
    assert len(openings(cheat.posts)) == before
    comes_again(two)
    assert two.bob.sees_rolls(2) == two.alice.sees_rolls(2)
    assert len(openings(cheat.posts)) == before + 1


def test_who_is_not_shown_the_others_openings_rolls_all_the_same(two: Two, cheat: Cheat) -> None:
    """Who is not the closer waits for no opening: what there was stands in the reveal, and is checked there."""
    cheat.event = without("opening", "received")
    two.roll()
    assert two.bob.page.locator("[role=alert].loud").count() == 0
    assert two.bob.log() == two.alice.log()


def test_dice_that_are_kept_from_one_stop_the_game_and_nothing_else(two: Two, cheat: Cheat) -> None:
    """Bob is shown no reveal, and neither what comes behind it."""
    two.roll()
    shown = True

    def until_the_dice(_: str, event: Event) -> list[Event]:
        nonlocal shown
        shown = shown and not (event[0] == "line" and json.loads(event[2])["type"] == "reveal")
        return [event] if shown else []

    cheat.event = until_the_dice
    code = two.alice.page.locator("#code").inner_text()
    two.alice.roll()
    two.alice.sees_rolls(2)
    two.alice.page.wait_for_function("(code) => document.querySelector('#code').innerText !== code", arg=code)
    two.bob.page.locator(".now .waits.slow", has_text="the server shows the dice next").wait_for()
    assert not two.bob.can_sign()
    # By another way than the server they find that bob lacks what alice has.
    two.bob.page.locator("#theirs").fill(two.alice.page.locator("#code").inner_text())
    two.bob.page.get_by_text("events yet. Wait, or tell the others your code.").wait_for()
    two.alice.page.locator("#theirs").fill(two.bob.page.locator("#code").inner_text())
    two.alice.page.get_by_text("The same: both have the same first").wait_for()
    # The next roll stands still: his part in it depends on what he was not shown.
    before = openings(cheat.posts)
    two.alice.roll()
    two.alice.page.locator(".now .waits.slow", has_text="The roll waits for bob.").wait_for()
    assert openings(cheat.posts) == before
    comes_again(two)
    assert two.bob.sees_rolls(3) == two.alice.sees_rolls(3)
    assert two.bob.log() == two.alice.log()
