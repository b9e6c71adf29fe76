"""Rolls behind a screen on the table page in Chromium, seen by a game master and a player (specs/page.md)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server
from tests.web.people import Person
from tests.web.relay import Relay
from verifier import verify
from verifier.shown_roll import check_shown, parse_shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.long

TEXT = "the ghoul who listens"


@pytest.fixture
def relay(server: Server) -> Iterator[Relay]:
    """What stands before the server for the game master, and keeps all that leaves."""
    found = Relay(server.address)
    yield found
    found.close()


def opened(gil: Person, hana: Person, relay: Relay, server: Server, folder: Path, axe: str) -> dict[str, str]:
    """A table with a screen that gil opens, at which he is the game master; and hana, a player."""
    page = gil.page
    page.goto(f"{relay.address}/")
    page.get_by_text("Wait for them", exact=True).click()
    page.get_by_text("The game master may roll behind a screen", exact=True).click()
    page.get_by_text("You sit down as the game master").wait_for()
    gil.looked_at(folder, "open", axe)
    page.locator("#name").fill("gil")
    page.keyboard.press("Enter")
    page.get_by_text("Other links", exact=False).first.click()
    link = page.get_by_role("textbox", name="Link for players", exact=True).input_value()
    hana.page.goto(link.replace(relay.address, server.address))
    hana.page.locator("#name").fill("hana")
    hana.page.get_by_text("ついたての陰で振ることができます").first.wait_for()
    hana.page.keyboard.press("Enter")
    page.locator(".people li").nth(1).wait_for()
    page.locator("button:has-text('Start with')").click()
    hana.page.locator("button.main:has-text('同意')").click()
    for each in (gil, hana):
        each.page.locator(".behind-screen").wait_for()
    return {"player": link, "gm": page.url}


def asks(person: Person, dice: str, purpose: str) -> None:
    """Ask for a roll behind the screen."""
    form = person.page.locator(".behind-screen")
    if not form.get_attribute("open") and not person.page.locator("#secret-dice").is_visible():
        form.locator("summary").click()
    person.page.locator("#secret-dice").fill(dice)
    person.page.locator("#secret-for").fill(purpose)
    sign = form.locator("button.sign:not([aria-disabled])")
    sign.wait_for()
    assert not re.search("[0-9a-f]{20}", sign.inner_text()), "no hash stands on what is tapped"
    sign.click()


def tray(person: Person) -> "Locator":
    return person.page.locator(".tray")


def test_a_secret_and_a_blind_roll_shown_and_not(
    browser: "Browser", server: Server, relay: Relay, tmp_path: Path, axe: str
) -> None:
    gil, hana = Person(browser, "gil"), Person(browser, "hana", locale="ja-JP")
    opened(gil, hana, relay, server, tmp_path, axe)
    gil.page.locator(".behind-screen summary").click()
    gil.looked_at(tmp_path, "asks", axe)
    asks(gil, "2d6 + 3", TEXT)
    # The holder alone sees the dice, with a mark; everybody else that there was a roll.
    tray(gil).get_by_text("Only you see this").wait_for()
    tray(gil).get_by_text(TEXT, exact=True).wait_for()
    assert tray(gil).locator(".die").count() == 2
    total = tray(gil).locator(".total").inner_text()
    gil.looked_at(tmp_path, "own", axe)
    tray(hana).get_by_text("gilがついたての陰で振りました").wait_for()
    assert tray(hana).locator(".die").count() == 0
    assert "2d6" not in tray(hana).inner_text()
    hana.looked_at(tmp_path, "ja other", axe)
    # On a screen for the whole table stands what everybody may read.
    gil.page.get_by_role("button", name="Show the dice alone").click()
    assert tray(gil).locator(".die").count() == 0
    gil.page.keyboard.press("Escape")
    # A blind roll of the player's.
    hana.page.locator(".behind-screen summary").click()
    hana.looked_at(tmp_path, "ja asks blind", axe)
    asks(hana, "d20 + 5", "忍び足")
    tray(hana).get_by_text("目を見るのはgilだけです").wait_for()
    assert tray(hana).locator(".die").count() == 0
    tray(gil).get_by_text("忍び足", exact=True).wait_for()
    tray(gil).get_by_text("Only you see this").wait_for()
    hana.looked_at(tmp_path, "ja blind", axe)
    gil.looked_at(tmp_path, "blind", axe)
    # Nothing of it has left.
    before = relay.sent
    assert b"/lines" in before
    assert "忍び足".encode() not in before, "gil's page asks nothing about it either"
    # gil shows the first; his own mark is gone, and hana sees the dice.
    gil.page.locator(".behind summary").first.click()
    gil.looked_at(tmp_path, "behind my screen", axe)
    gil.page.get_by_role("button", name=f"Show everybody: 2d6 + 3 for {TEXT}: {total}").click()
    hana.page.get_by_text("ついたての陰で振られ、gilが見せることを選びました。").first.wait_for()
    hana.page.locator(".entry.roll.fair .die").first.wait_for()
    tray(hana).locator(".die").nth(1).wait_for()  # though another roll came after it
    tray(gil).locator(".die").nth(1).wait_for()
    assert tray(gil).get_by_text("Only you see this").count() == 0
    hana.page.locator(".entry.roll.fair", has_text=TEXT).wait_for()
    hana.looked_at(tmp_path, "ja shown", axe)
    (file,) = gil.save(gil.page.get_by_role("button", name="As a file that shows it")).values()
    data = gil.log()
    found = check_shown(data.splitlines(), parse_shown(file))
    assert (found.holder, len(found.naturals or ())) == ("gil", 1)
    shown = next(json.loads(line)["body"] for line in data.splitlines() if b'"type":"show"' in line)
    assert (shown["text"], sum(shown["naturals"]) + 3) == (TEXT, int(total))
    for kept in (TEXT, "ghoul", shown["secret"], shown["salt"], '"naturals"', '"secret"'):
        assert kept.encode() not in before, kept
    (story,) = hana.save(hana.page.get_by_role("button", name="物語を保存する")).values()
    assert "目を見るのはgilだけです" in story.decode()
    assert "ついたての陰のロールは数えていません" in hana.page.locator(".luck").inner_text()
    report, _ = verify(data)
    assert "hana asked for 1 roll blind, which gil alone saw; gil showed 0 and alone chose which." in report.trust
    gil.close()
    hana.close()
