"""The lobby of the table page in Chromium: who is taken out, new links, names that look alike (specs/page.md)."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server, serving
from tests.web.page_games import me, table_of
from tests.web.people import Person, opened
from tests.web.table_page import open_all, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


def sees(person: Person, *names: str) -> None:
    """Wait until these sit there, and nobody else."""
    shown = "[...document.querySelectorAll('.people li strong')].map((each) => each.innerText.trim()).join()"
    person.page.wait_for_function(f"(names) => {shown} === names", arg=",".join(names))


def test_a_host_takes_somebody_out_and_ends_a_link(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob, mallory, carol = (Person(browser, name) for name in ("alice", "bob", "mallory", "carol"))
    links = opened(alice, server.address, [bob, mallory], start=False)
    sees(alice, "alice", "bob", "mallory")
    # A new link first: who sits by the old one goes on, and who comes by it is told.
    field = alice.page.get_by_role("textbox", name="Link for players", exact=True)
    alice.page.get_by_role("button", name="Make a new one, which ends this").first.click()
    alice.page.wait_for_function("(old) => document.querySelector('input.link').value !== old", arg=links["player"])
    new = field.input_value()
    assert new.split("#")[0] == links["player"].split("#")[0]
    carol.page.goto(links["player"])
    carol.is_told("alice has made a new link in the place of this one: ask for it.")
    assert carol.page.locator("#name").count() == 0
    carol.looked_at(tmp_path, "a link that was ended", axe)
    # Then mallory goes, whose page says so.
    alice.page.get_by_text("Take somebody out", exact=True).click()
    alice.page.get_by_role("button", name="Take mallory out").click()
    sees(alice, "alice", "bob")
    alice.looked_at(tmp_path, "host", axe)
    for _ in range(2):
        told = mallory.is_told("You do not sit here any more: alice has taken you out")
        assert "Ask alice without using this server" in told.inner_text()
        mallory.page.reload()
    mallory.is_told("You do not sit here any more")
    mallory.looked_at(tmp_path, "taken out", axe)
    assert mallory.page.locator("#name").count() == 0, "the link was ended: nobody sits down by it"
    carol.page.goto("about:blank")
    carol.sit(new)
    for each in (alice, bob):
        sees(each, "alice", "bob", "carol")
    alice.page.locator("button:has-text('Start with alice, bob and carol')").click()
    for each in (bob, carol):
        each.page.locator("button.main:has-text('Agree to these terms')").click()
    alice.page.locator("#line").wait_for()
    alice.page.get_by_text("has not agreed yet").first.wait_for(state="detached")
    alice.roll()
    bob.sees_rolls(1)
    mallory.page.reload()
    mallory.page.wait_for_timeout(500)
    assert not mallory.can_sign()
    for each in (alice, bob, mallory, carol):
        each.close()


def test_who_was_taken_out_can_sit_down_again_with_another_key(browser: "Browser", server: Server) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    opened(alice, server.address, [bob], start=False)
    sees(alice, "alice", "bob")
    alice.page.get_by_text("Take somebody out", exact=True).click()
    alice.page.get_by_role("button", name="Take bob out").click()
    sees(alice, "alice")
    told = bob.is_told("You can sit down again, with another key.")
    bob.page.locator("#name").fill("bob")
    bob.page.keyboard.press("Enter")
    told.wait_for(state="detached")
    sees(alice, "alice", "bob")
    alice.page.locator("button:has-text('Start with alice and bob')").click()
    bob.agree()
    bob.roll()
    alice.sees_rolls(1)
    alice.close()
    bob.close()


def test_a_name_that_looks_like_another_is_told_to_everybody(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob, posing = Person(browser, "alice"), Person(browser, "bob"), Person(browser, "b0b")
    opened(alice, server.address, [bob, posing], start=False)
    for each in (alice, bob, posing):
        each.is_told("b0b looks like bob, but is somebody else: ask who that is, without using this server.")
        assert each.page.locator("[role=alert].loud").count() == 1, "of the two the later one"
    alice.looked_at(tmp_path, "look-alike", axe)
    alice.page.get_by_text("Take somebody out", exact=True).click()
    alice.page.get_by_role("button", name="Take b0b out").click()
    for each in (alice, bob):
        each.page.locator("[role=alert].loud").wait_for(state="detached")
    for each in (alice, bob, posing):
        each.close()


def test_whoever_sits_down_reads_first_that_the_closed_game_is_public(
    browser: "Browser", tmp_path: Path, axe: str
) -> None:
    (tmp_path / "public").mkdir()
    public = ("--public-folder", str(tmp_path / "public"), "--public-address", "https://games.example.org")
    words = "everybody can read all of it at https://games.example.org"
    with serving(tmp_path, *public) as server:
        alice, bob, carol = (Person(browser, name) for name in ("alice", "bob", "carol"))
        alice.page.goto(f"{server.address}/")
        alice.page.get_by_text("my seat, links, whose dice").click()
        switch = alice.page.locator("label.check", has_text=words).locator("input")
        assert not switch.is_checked(), "not picked"
        switch.check()
        alice.looked_at(tmp_path, "the form", axe)
        alice.page.locator("#name").fill("alice")
        alice.page.get_by_role("button", name="Open the table and sit down").click()
        link = alice.page.get_by_role("textbox", name="Link for players", exact=True).input_value()
        bob.page.goto(link)
        bob.page.locator(".terms li", has_text=words).wait_for()
        assert bob.page.locator("#name").count() == 1, "and does not sit yet"
        bob.looked_at(tmp_path, "before sitting down", axe)
        opened(carol, server.address, start=False)
        assert carol.page.locator(".terms li", has_text=words).count() == 0
        for each in (alice, bob, carol):
            each.close()


LATER = {
    (): "When the game has begun, nobody can come in.",
    ("judge",): "When the game has begun, you can still let somebody in who asks by a link for: judge.",
    ("player", "judge"): (
        "When the game has begun, you can still let somebody in who asks by a link for: player and judge."
    ),
}


@pytest.mark.parametrize("admits", LATER)
def test_the_lobby_says_once_who_can_come_in_later(browser: "Browser", admits: tuple[str, ...]) -> None:
    terms = table_of(mine=True, admits=[*admits])
    with shown(browser, {"snapshot": {"stage": "lobby", "table": terms, "me": me(joined=False)}}) as page:
        page.get_by_text("What is agreed to").wait_for()
        open_all(page)
        words = page.locator("main").inner_text()
        assert re.findall(r"[^.\n]*(?:later|has begun|same link)[^.]*\.", words) == [LATER[admits]]
    with shown(browser, {"snapshot": {"stage": "lobby", "table": {**terms, "mine": False}}}) as page:
        page.get_by_text("What is agreed to").wait_for()
        assert page.get_by_text(LATER[admits].replace("you can", "alice can")).count() == 1
