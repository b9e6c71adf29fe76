"""An evening at the table: the screen, the end, the story, the next table, what *leave* asks (specs/page.md)."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.served import Server
from tests.web.people import Person, opened
from tests.web.scene_games import Played, playing
from tests.web.table_page import axe_findings, until
from tests.web.test_scenes import shot

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

LOCKS = """globalThis.held = [];
Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => {
  const lock = { kind, released: false, release: async () => { lock.released = true; } };
  held.push(lock);
  return lock;
} } });"""


def rolled() -> Played:
    game = Played("dice-1", {}, alice="player", bob="player")
    game.type("bob", "roll", "2d6 for the <b>door</b>", 3, 4)
    return game


def test_the_screen_stays_awake_while_somebody_is_seated(browser: "Browser", server: Server) -> None:
    alice, bob = Person(browser, "alice", init=LOCKS), Person(browser, "bob", init=LOCKS)
    links = opened(alice, server.address, [bob], start=False)
    assert alice.page.evaluate("held") == []
    alice.page.locator("button:has-text('Start with')").click()
    bob.agree()
    eve = Person(browser, "eve", init=LOCKS)
    eve.page.goto(links["spectator"])
    eve.page.locator(".tray").wait_for()
    assert eve.page.evaluate("held") == []
    for each in (alice, bob):
        until(each.page, "held.length === 1 && held[0].kind === 'screen' && !held[0].released")
    alice.page.locator("summary", has_text="End the game").click()
    alice.page.locator(".save button", has_text="Close the game").click()
    alice.page.locator(".save button.danger", has_text="Close the game").click()
    until(bob.page, "held[0].released")
    for each in (alice, bob, eve):
        each.close()


WAITS = """(() => {
  const now = () => performance.timeOrigin + performance.now();
  addEventListener('pointerdown', () => { globalThis.tapped = now(); }, true);
  const look = () => {
    const told = document.querySelector('.tray .awaits');
    const { top, bottom } = told?.getBoundingClientRect() ?? { top: -1 };
    if (told && top >= 0 && bottom <= innerHeight) globalThis.told ??= { at: now(), words: told.innerText };
  };
  setInterval(look, 20);
})();"""
"""Each page notes when it was tapped, and when it said in view for whom a roll waits."""


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_two_phones_say_within_three_seconds_whose_phone_sleeps(
    browser: "Browser", server: Server, size: tuple[int, int], record_property: Any
) -> None:
    view = {"width": size[0], "height": size[1]}
    alice, bob = (Person(browser, name, init=WAITS, viewport=view) for name in ("alice", "bob"))
    carol = Person(browser, "carol")
    opened(alice, server.address, [bob, carol])
    key = alice.page.locator(".thrown button:not([aria-disabled])", has_text=re.compile(r"^\s*d20\s"))
    key.click()
    for each in (alice, bob, carol):
        each.sees_rolls(1)  # so each page has prepared for the next roll
        each.page.evaluate("globalThis.told = undefined")
    sleep = carol.context.new_cdp_session(carol.page)
    sleep.send("Debugger.enable")
    sleep.send("Debugger.pause")  # nothing of her page runs, and her connection stays
    alice.page.wait_for_timeout(1_000)  # no tap counts at once on what has just moved
    key.click()
    for each in (alice, bob):
        until(each.page, "globalThis.told !== undefined")
        told = each.page.evaluate("told")
        assert told["words"] == "Waits for carol"
        took = (told["at"] - alice.page.evaluate("tapped")) / 1_000
        record_property(
            f"seconds until {each.name} reads whose phone sleeps, at {size[0]} (to reach: 3)", round(took, 2)
        )
        assert 0.5 < took <= 3, "an ordinary roll is over by then, and says nothing of it"
        assert each.page.evaluate("scrollY") == 0
    sleep.send("Debugger.disable")
    for each in (alice, bob, carol):
        each.sees_rolls(2)
        each.page.locator(".tray .awaits").wait_for(state="detached")
        each.close()


def test_to_leave_asks_first(browser: "Browser", axe: str) -> None:
    game = rolled()
    with playing(browser, game, "alice") as page:
        page.get_by_text("Who is here", exact=False).first.click()
        page.get_by_role("button", name=re.compile("^Leave the game")).click()
        page.get_by_text("Leave the game for good?").wait_for()
        assert page.evaluate("fake.signed") is None
        assert axe_findings(page, axe) == []
        page.get_by_role("button", name="No", exact=True).click()
        assert page.get_by_text("Leave the game for good?").count() == 0
        page.get_by_role("button", name=re.compile("^Leave the game")).click()
        # A roll begins meanwhile: the tap does nothing until it is over, and says why.
        pending = "{ ...fake.snapshot.game, phase: 'pending', waiting }"
        waiting = '{ seq: 9, author: "bob", awaited: ["bob"], closer: "bob", closing: false, since: 0, mine: null }'
        page.evaluate(f"const waiting = {waiting}; void fake.change({{ game: {pending} }})")
        page.get_by_text("A roll waits: nobody can leave before it is over or called off.").wait_for()
        assert axe_findings(page, axe) == []
        page.get_by_role("button", name="Yes", exact=True).dispatch_event("click")
        assert page.evaluate("fake.signed") is None
        page.evaluate("void fake.change({ game: { ...fake.snapshot.game, phase: 'idle', waiting: null } })")
        page.get_by_role("button", name="Yes", exact=True).click()
        until(page, "fake.signed?.length === 1")
        assert page.evaluate("fake.signed")[0]["type"] == "leave"


def test_the_first_screen_says_who_is_away_and_who_has_left(browser: "Browser", server: Server) -> None:
    alice, bob, carol = (Person(browser, name) for name in ("alice", "bob", "carol"))
    opened(alice, server.address, [bob, carol], gone="Go on without them")
    status = alice.page.locator(".now .status")
    for each in (alice, bob):
        each.page.locator("summary", has_text="Who is here").click()
    alice.page.get_by_role("button", name="Be away").wait_for()
    assert alice.page.get_by_role("button", name="Sign bob away").count() == 0, "he is here"
    bob.page.get_by_role("button", name="Be away").click()
    bob.page.locator(".now .status", has_text="You are away").wait_for()
    status.get_by_text("Away: bob.", exact=True).wait_for()
    bob.page.locator(".late button", has_text="I am back").first.click()
    status.get_by_text("Away: bob.").wait_for(state="detached")
    bob.page.get_by_role("button", name="Leave the game").click()
    bob.page.get_by_role("button", name="Yes", exact=True).click()
    bob.page.locator(".now").get_by_text("You have left this game.").wait_for()
    for each in (alice, carol):
        each.page.locator(".now .status").get_by_text("bob left the game.", exact=True).wait_for()
    alice.roll()
    status.get_by_text("bob left the game.").wait_for(state="detached")
    carol.page.goto("about:blank")
    alice.page.get_by_role("button", name="Sign carol away").wait_for()
    for each in (alice, bob, carol):
        each.close()


def test_to_leave_says_first_what_is_owed_and_where_it_is_made_again(browser: "Browser", axe: str) -> None:
    game = rolled()
    game.call_off("alice", {"dice": "4d6kh3", "source": "Strength"})
    says = "You still owe a roll that was called off: Roll 4d6kh3 for Strength. Every report of this game will say"
    with playing(browser, game, "alice") as page:
        page.get_by_text("Who is here", exact=False).first.click()
        page.get_by_role("button", name=re.compile("^Leave the game")).click()
        page.get_by_text(says).wait_for()
        assert axe_findings(page, axe) == []
        page.get_by_role("button", name="Make that roll first").click()
        assert page.get_by_text("Leave the game for good?").count() == 0
        again = page.locator(".due button.sign")
        assert page.evaluate("fake.signed") is None
        until(page, "document.querySelector('.due button').getBoundingClientRect().bottom < innerHeight")
        again.click()
        until(page, "fake.signed?.length === 1")
        page.get_by_role("button", name=re.compile("^Leave the game")).click()
        page.get_by_text("Leave the game for good?").wait_for()
        assert page.get_by_text("You still owe").count() == 0, "it was made again"
    game = rolled()
    game.call_off("alice", {"dice": "4d6kh3"})
    with playing(browser, game, "bob") as page:
        page.get_by_text("Who is here", exact=False).first.click()
        page.get_by_role("button", name=re.compile("^Leave the game")).click()
        page.get_by_text("Leave the game for good?").wait_for()
        assert page.get_by_text("still owe").count() == 0, "alice owes it, not bob"


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_dice_alone_fill_the_screen(browser: "Browser", axe: str, size: tuple[int, int]) -> None:
    with playing(browser, rolled(), "alice", viewport={"width": size[0], "height": size[1]}) as page:
        page.get_by_role("button", name="Show the dice alone").click()
        box = page.locator(".tray").bounding_box()
        assert box == {"x": 0, "y": 0, "width": size[0], "height": size[1]}
        assert not page.locator(".game").is_visible()
        heights = [die.bounding_box() for die in page.locator(".tray .die").all()]
        assert all(each and each["height"] >= min(size) / 5 for each in heights), "reads from two metres"
        assert axe_findings(page, axe) == []
        page.keyboard.press("Escape")
        assert page.locator(".game").is_visible()


def test_a_phone_that_is_turned_shows_the_tray_alone(browser: "Browser") -> None:
    with playing(browser, rolled(), "alice", viewport={"width": 844, "height": 390}) as page:
        tray = page.locator(".tray").bounding_box()
        assert tray is not None
        assert tray["y"] + tray["height"] >= 385, "what stands below is scrolled to"
        assert page.evaluate("document.documentElement.scrollWidth") <= 844
    with playing(browser, shot(), "alice", viewport={"width": 844, "height": 390}) as page:
        heights = [die.bounding_box() for die in page.locator(".tray .die").all()]
        assert len(heights) == 20
        assert all(each and each["height"] >= 390 / 8 and each["y"] + each["height"] <= 390 for each in heights)


def test_the_story_is_a_page_to_keep(browser: "Browser", tmp_path: Path) -> None:
    with playing(browser, rolled(), "alice") as page:
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the story").click()
        assert saved.value.suggested_filename == "Tavern.html"
        saved.value.save_as(tmp_path / "story.html")
    text = (tmp_path / "story.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "<b>door" not in text, "what was typed is text"
    context = browser.new_context()
    story = context.new_page()
    story.goto((tmp_path / "story.html").as_uri())
    words = story.locator("main").inner_text()
    assert re.search(r"bob .*the <b>door</b>.*: 3, 4 = 7", words.replace("\n", " ")), words
    assert "rollproof verify" in words
    context.close()


def test_favourites_have_names_and_go_into_a_file(browser: "Browser", axe: str, tmp_path: Path) -> None:
    game = Played("dice-1", {}, alice="player", bob="player")
    with playing(browser, game, "alice") as page:
        page.locator("#line").fill("d20 + 7 for Longsword")
        page.locator(".line button.sign:not([aria-disabled])").first.click()
        page.locator(".again").get_by_role("button", name="Favourite: d20 + 7 for Longsword").click()
        page.get_by_text("Favourites: add, name, save").click()
        page.get_by_label("d20 + 7 for Longsword", exact=True).fill("Longsword +7")
        assert axe_findings(page, axe) == []
        key = page.locator(".favourites button.sign:not([aria-disabled])", has_text="Longsword +7")
        key.click()
        page.locator(".entry.roll").nth(1).wait_for()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save favourites").click()
        saved.value.save_as(tmp_path / "favourites.json")
    assert [roll["body"] for roll in game.rolls] == [{"dice": "d20 + 7", "source": "Longsword"}] * 2
    assert json.loads((tmp_path / "favourites.json").read_text()) == {
        "favourites": [{"name": "Longsword +7", "line": "d20 + 7 for Longsword"}]
    }
    with playing(browser, game, "bob") as page:  # another browser
        page.get_by_text("Favourites: add, name, save").click()
        page.locator(".favourites input[type=file]").set_input_files(tmp_path / "favourites.json")
        page.locator(".favourites button.sign", has_text="Longsword +7").wait_for()
        odd: list[Any] = [b"{", b'{"favourites": [{"name": 1}]}', b"[]"]
        for data in odd:
            page.locator(".favourites input[type=file]").set_input_files(
                {"name": "x.json", "mimeType": "application/json", "buffer": data}
            )
            page.get_by_text("There are no favourites in this file.").wait_for()


def test_a_favourite_is_added_from_its_fold_and_from_any_roll(browser: "Browser", axe: str) -> None:
    game = Played("dice-1", {}, alice="player", bob="player")
    game.type("bob", "roll", "2d6 + 1 for Stealth", 3, 4)
    with playing(browser, game, "alice") as page:
        page.get_by_text("Favourites: add, name, save").click()
        add = page.get_by_role("button", name="Add to favourites")
        assert add.get_attribute("aria-disabled") == "true"
        page.get_by_label("What is rolled").fill("d20 + 7 for")
        page.locator(".add-favourite .problem").wait_for()
        assert add.get_attribute("aria-disabled") == "true", "what cannot be read is no favourite"
        add.evaluate("(each) => each.click()")
        assert page.locator(".favourites > .line").count() == 0
        assert page.get_by_label("What is rolled").input_value() == "d20 + 7 for"
        page.get_by_label("What is rolled").fill("d20 + 7 for Longsword")
        page.get_by_label("What it is called (may be left out)").fill("Sword")
        page.locator(".add-favourite .sign:not([aria-disabled])").click()
        page.locator(".favourites button.sign", has_text="Sword").wait_for()
        assert page.get_by_label("What is rolled").input_value() == ""
        star = page.locator(".entry.roll .star")
        assert star.inner_text().split() == ["☆", "Favourite"]
        star.click()
        assert star.inner_text().split() == ["★", "Favourite"]
        page.locator(".favourites > .line button.sign:not([aria-disabled])", has_text="2d6 + 1 for Stealth").click()
        page.locator(".entry.roll").nth(1).wait_for()
        assert page.locator(".star[aria-pressed=true]").count() == 2, "the same line is the same favourite"
        assert axe_findings(page, axe) == []
        star.last.click()
        assert page.locator(".star[aria-pressed=true]").count() == 0
        assert page.locator(".favourites > .line").count() == 1
        page.reload()
        page.locator(".favourites button.sign", has_text="Sword").wait_for()
    assert [roll["body"] for roll in game.rolls] == [{"dice": "2d6 + 1", "source": "Stealth"}] * 2


def test_after_the_end_a_table_like_it_is_one_tap_away(browser: "Browser", server: Server) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    opened(alice, server.address, [bob])
    alice.page.locator("summary", has_text="End the game").click()
    alice.page.locator(".save button", has_text="Close the game").click()
    alice.page.locator(".save button.danger", has_text="Close the game").click()
    alice.page.get_by_role("button", name="Play again").click()
    alice.page.get_by_text("Who sits here").wait_for()
    alice.page.locator(".people", has_text="alice").wait_for()
    link = alice.page.locator("input.link").first.input_value()
    bob.sit(link)
    alice.page.locator("button:has-text('Start with')").click()
    bob.agree()
    bob.roll()
    alice.sees_rolls(1)
    for each in (alice, bob):
        each.close()


def test_the_link_is_shown_as_a_qr_code_made_here(browser: "Browser", server: Server, axe: str) -> None:
    alice = Person(browser, "alice")
    asked: list[str] = []
    opened(alice, server.address, start=False)
    alice.page.on("request", lambda request: asked.append(request.url))
    alice.page.get_by_text("Show it as a QR code").click()
    code = alice.page.get_by_role("img", name="QR code of the link for players")
    code.wait_for()
    size = int((code.get_attribute("viewBox") or "").split()[-1])
    assert size >= 8 + 17 + 4 * 6, "a link of 100 characters and more, and four modules of white around it"
    assert axe_findings(alice.page, axe) == []
    drawing = f"{server.address}/page/ledger/web/vendor/uqr.module.js"
    assert [url for url in asked if "#" in url or "qr" in url.lower()] == [drawing]
    alice.close()
