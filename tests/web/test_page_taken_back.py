"""A mis-tap is taken back by all who play, on the table page in Chromium (specs/page.md, "Taking a roll back")."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server
from tests.web.people import Person, opened
from tests.web.table_page import until
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

TRAY = "document.querySelector('.tray').getBoundingClientRect().height"
KEYS = "document.querySelector('.now').getBoundingClientRect().top"
IN_VIEW = """() => {
  const box = document.querySelector('.take-back').getBoundingClientRect();
  const tray = document.querySelector('.tray').getBoundingClientRect();
  return box.top >= tray.top && box.bottom <= tray.bottom && box.height > 0;
}"""


BESIDE = """(() => {
  const key = document.querySelector('.take-back').getBoundingClientRect();
  const felt = document.querySelector('.tray .felt');
  return felt.scrollHeight <= felt.clientHeight && [...document.querySelectorAll('.tray .die')].every((each) => {
    const die = each.getBoundingClientRect();
    return die.right <= key.left || die.top >= key.bottom || die.bottom <= key.top;
  });
})()"""

CENTRED = """(() => {
  const tray = document.querySelector('.tray').getBoundingClientRect();
  const dice = [...document.querySelectorAll('.tray .dice > *')].map((each) => each.getBoundingClientRect());
  const [left, right] = [Math.min(...dice.map((each) => each.left)), Math.max(...dice.map((each) => each.right))];
  return Math.abs(left - tray.left - (tray.right - right)) <= 8;
})()"""


def asks(person: Person) -> None:
    person.page.get_by_role("button", name="Take this roll back").click()


def test_two_take_a_mis_tap_back_in_two_taps(browser: "Browser", server: Server, tmp_path: Path, axe: str) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    opened(alice, server.address, [bob])
    alice.roll("d20 # Strength")
    for each in (alice, bob):
        each.sees_rolls(1)
        each.page.get_by_role("button", name="Take this roll back").wait_for()
    before = bob.page.evaluate(TRAY), bob.page.evaluate(KEYS)
    alice.page.locator(".outcome.coming").wait_for(state="detached")
    alice.page.evaluate("scrollTo(0, 0)")
    alice.looked_at(tmp_path, "may ask", axe)
    asks(alice)
    alice.page.get_by_text("alice would take it back. Waits for bob.").wait_for()
    card = bob.page.locator(".take-back.asked")
    card.wait_for()
    natural = bob.page.locator(".tray .die").first.inner_text().strip()
    told = card.inner_text()
    assert "Take back the" in told
    assert "Asked by: alice." in told
    assert natural.split()[0] in told
    assert "alice: " in told
    assert "Strength" in told
    assert (bob.page.evaluate(TRAY), bob.page.evaluate(KEYS)) == before, "no key moves"
    assert bob.page.evaluate(IN_VIEW)
    card.locator(".sign:not([aria-disabled])").wait_for()
    bob.looked_at(tmp_path, "is asked", axe)
    alice.looked_at(tmp_path, "has asked", axe)
    card.get_by_role("button", name="Yes, take it back").click()
    for each in (alice, bob):
        each.page.locator(".tray.struck").get_by_text("alice and bob took it back: nothing comes of it.").wait_for()
        each.page.locator(".take-back").wait_for(state="detached")
        each.page.locator(".entry.roll.struck .ruling").wait_for()
    assert bob.page.evaluate(TRAY) == before[0]
    bob.looked_at(tmp_path, "taken back", axe)
    # The next roll is a roll like any; bob does not want that one back, and plays on.
    alice.roll("d6")
    bob.sees_rolls(2)
    assert bob.page.locator(".tray.struck").count() == 0
    asks(alice)
    bob.page.locator(".take-back.asked").get_by_role("button", name="No", exact=True).click()
    bob.page.locator(".take-back").wait_for(state="detached")
    bob.roll("2d6")
    for each in (alice, bob):
        each.sees_rolls(3)
    report, _ = verify(alice.log())
    assert [found.code for found in report.findings if found.code.startswith("roll.")] == ["roll.taken-back"]
    assert "alice and bob together took back 1 roll" in report.trust
    for each in (alice, bob):
        each.close()


def test_a_judge_is_asked_in_the_same_words_and_has_a_say(browser: "Browser", server: Server) -> None:
    alice, bob, dana = Person(browser, "alice"), Person(browser, "bob"), Person(browser, "dana")
    opened(alice, server.address, [bob], judge=dana)
    # However many dice there are, the way to ask stands beside them.
    for rolls, dice in enumerate(("3d6", "8d6", "15d6", "29d6", "40d6", "d20 # Strength"), 1):
        alice.roll(dice)
        for each in (alice, bob, dana):
            each.sees_rolls(rolls)
            each.page.get_by_role("button", name="Take this roll back").wait_for()
            until(each.page, BESIDE)
            until(each.page, CENTRED)
    asks(alice)
    words = []
    for each in (bob, dana):
        card = each.page.locator(".take-back.asked")
        card.get_by_role("button", name="Yes, take it back").wait_for()
        assert each.page.evaluate(IN_VIEW)
        words.append(card.locator("p").inner_text())
    assert words[0] == words[1], "a judge reads what a player reads"
    bob.page.locator(".take-back.asked .sign:not([aria-disabled])").click()
    alice.page.get_by_text("alice and bob would take it back. Waits for dana.").wait_for()
    assert alice.page.locator(".tray.struck").count() == 0, "not without the judge"
    dana.page.locator(".take-back.asked .sign:not([aria-disabled])").click()
    for each in (alice, bob, dana):
        each.page.locator(".tray.struck").get_by_text(
            "alice, bob and dana took it back: nothing comes of it."
        ).wait_for()
        each.close()


def test_nobody_takes_a_roll_back_alone(browser: "Browser", server: Server) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    opened(alice, server.address, [bob])
    alice.roll()
    bob.sees_rolls(1)
    asks(alice)
    bob.page.locator(".take-back.asked").wait_for()
    # Bob goes away for a while: that is played on the roll, and what was asked is over.
    bob.page.get_by_text("Who is here", exact=False).first.click()
    bob.page.locator(".act button", has_text="Be away").first.click()
    alice.page.locator(".take-back").wait_for(state="detached")
    alice.roll()
    alice.sees_rolls(2)
    alice.page.locator(".outcome.coming").wait_for(state="detached")
    assert alice.page.locator(".take-back").count() == 0
    for each in (alice, bob):
        each.close()


def test_the_form_picks_it_for_friends_and_for_nobody_who_plays_against_another(
    browser: "Browser", server: Server
) -> None:
    alice = Person(browser, "alice")
    alice.page.goto(f"{server.address}/")
    picked = alice.page.get_by_label("After a mis-tap all who play can take the latest roll back together")
    picked.wait_for()
    for system, friends in (
        ("Dice for any game", True),
        ("Double Down", True),
        ("Magic", False),
        ("9th Age", False),
        ("Warhammer", False),
    ):
        alice.page.locator("label.choice", has_text=system).click()
        assert picked.is_checked() is friends, system
    # At a table that was opened without it nobody is asked, and nothing of it is offered.
    alice.page.locator("label.choice", has_text="Dice for any game").click()
    picked.uncheck()
    alice.page.locator("#name").fill("alice")
    alice.page.keyboard.press("Enter")
    alice.page.locator(".terms").get_by_text("keeps the log").wait_for()
    assert alice.page.locator(".terms").get_by_text("mis-tap").count() == 0
    alice.close()
