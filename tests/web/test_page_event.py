"""An event in real Chromium: phones, the desk, the wall (specs/page.md, "An event")."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.event.acts import new_claim_code
from ledger.event.links import code_token
from ledger.lobby.links import token_hash
from tests.server.event_day import Day, hall, identity
from tests.server.machines import until
from tests.web.table_page import PATIENCE, axe_findings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.long
PHONE: Any = {"width": 390, "height": 844}
DESK: Any = {"width": 1280, "height": 800}
ROUND = "Table,Player 1,Player 2\n11,Alice Ito,2\n12,3,4\n"


class Screens:
    """Browsers of their own, as people have them, at one event."""

    def __init__(self, browser: "Browser", day: Day) -> None:
        self._browser, self.day = browser, day
        self.problems: list[str] = []

    def open(self, path: str, size: Any = PHONE, locale: str = "en-GB", ahead: int = 0, **more: Any) -> "Page":
        """`ahead`: seconds by which the clock of this browser is put forward."""
        page = self._browser.new_context(viewport=size, locale=locale, **more).new_page()
        page.set_default_timeout(PATIENCE)
        if ahead:
            page.clock.install(time=datetime.now(UTC) + timedelta(seconds=ahead))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.goto(f"{self.day.address}/e/{self.day.event}{path}")
        return page

    def phone(self, number: int, locale: str = "en-GB") -> "Page":
        """A phone that scans its code and checks in."""
        page = self.open(f"#{self.day.codes[number]}", locale=locale)
        page.locator("#door-title").wait_for()
        page.locator("main button.main").click()
        page.locator("#mine-title").wait_for()
        return page


@pytest.fixture
def screens(browser: "Browser", tmp_path: Path) -> Iterator[Screens]:
    with hall(tmp_path / "hall") as day:
        yield Screens(browser, day)


def csv(text: str) -> Any:
    return {"name": "round.csv", "mimeType": "text/csv", "buffer": text.encode()}


def test_a_round_from_the_door_to_the_result(screens: Screens, axe: str) -> None:
    day = screens.day
    alice, bob = screens.phone(1), screens.phone(2, "ja-JP")
    alice.wait_for_url(re.compile(r"/e/[0-9a-f]{64}$"))  # what is copied from the address has no code
    assert axe_findings(alice, axe) == []
    _ = day.state
    for number in (3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    desk = screens.open("#staff", DESK)
    desk.locator("#staff-name").fill("Dana")
    desk.locator("main button.main").click()
    key = desk.locator(".handed input").input_value()
    day.does(day.olga, "appoint", key=key, role="organizer")
    desk.locator("#pairings-file").set_input_files(csv(f"{ROUND}13,Nobody,5\n"))
    desk.get_by_text("Line 4: Nobody is called Nobody.").wait_for()
    assert desk.get_by_role("button", name="Publish").count() == 0, "a wrong list is not published"
    desk.locator("#pairings-file").set_input_files(csv(ROUND))
    desk.get_by_role("button", name="Publish").click()
    alice.get_by_text("Round 1, table 11").wait_for()
    alice.get_by_text("against Bob Meyer").wait_for()
    desk.get_by_role("button", name="Start the round").click()
    for page in (alice, bob):
        page.locator(".mine button.main").click()
        page.locator(".game").wait_for()
    assert axe_findings(desk, axe) == []
    alice.locator(".quick button, .dice button, #now-title ~ * button").first.wait_for()
    alice.get_by_role("button", name="d20").first.click()
    for page in (alice, bob):
        page.locator(".tray .die").first.wait_for()
        page.locator(".back button").click()
    alice.locator("#why").fill("a reroll")
    alice.get_by_role("button", name="Call a judge").click()
    desk.locator(".calls li").get_by_text("a reroll").wait_for()
    alice.get_by_role("button", name="2 : 1").click()
    alice.get_by_role("button", name="Sign: I won 2 : 1").click()
    bob.locator(".card.due button.main").click()
    alice.get_by_text("The result stands").wait_for()
    assert axe_findings(bob, axe) == []
    desk.get_by_role("button", name="5 minutes more").click()
    desk.locator(".calls li").get_by_text("This table has 5 minutes more now.").wait_for()
    desk.locator(".calls input").fill("it was right")
    desk.get_by_role("button", name="Answered").click()
    alice.get_by_text("it was right").wait_for()
    desk.get_by_text("The wall, the bundle, the end").click()
    desk.get_by_text("a bundle that is saved now has what there is so far").wait_for()
    desk.get_by_role("button", name="A link for the wall").click()
    wall = screens.open(
        desk.locator('input[aria-label="Link for the wall"]').input_value().partition(day.event)[2], DESK
    )
    wall.locator(".pairings").get_by_text("佐藤 健", exact=True).wait_for()
    assert wall.locator("main a, main button, main input").count() == 0, "no links on the wall"
    assert axe_findings(wall, axe) == []
    shown = wall.locator("body").inner_text()
    assert not any(code in shown for code in day.codes.values())
    desk.locator("#left").fill("they play on")
    desk.get_by_role("button", name="End the round").click()
    alice.get_by_text("Round 1 is over.").wait_for()
    desk.get_by_text("Verified here: 2 games hold.").wait_for()
    desk.route(re.compile("/bundle$"), _swapped)
    with desk.expect_download():
        desk.get_by_role("button", name="Save the bundle").click()
    desk.get_by_text("Verified here: 0 of 2 games hold.").wait_for()
    for words in ("The log of table 12 in round 1 does not hold", "Event 0 of table 11 in round 1 is not what"):
        desk.locator(".loud.bad").get_by_text(words).wait_for()
    desk.unroute_all()
    state = day.state
    assert state.rounds[0].tables[11].result is not None
    assert state.rounds[0].tables[12].left == "they play on"
    desk.locator("#walk-in").fill("Gus Late")
    desk.get_by_role("button", name="Register", exact=True).click()
    desk.locator(".handed-code svg").wait_for()
    late = screens.open(desk.locator(".handed-code input").input_value().partition(day.event)[2])
    late.get_by_text("You are Gus Late, number 5.").wait_for()
    assert screens.problems == []


def _swapped(route: "Route") -> None:
    """The bundle as a keeper gives it who puts two games in each other's place."""
    manifest, _, rest = route.fetch().body().partition(b"\n")
    one, other = re.findall(rb"games/([0-9a-f]{64})\.jsonl", manifest)
    swapped = manifest.replace(one, b"*").replace(other, one).replace(b"*", other)
    route.fulfill(status=200, body=swapped + b"\n" + rest)


@pytest.mark.slow
def test_the_hall_sees_for_whom_a_table_waits(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    alice, bob = screens.phone(1), screens.phone(2)
    for number in (3, 4):
        assert day.post(f"/v1/events/{day.event}/acts", _checked_in(day, number)).status_code == 201
    day.pair()
    day.does(day.olga, "start", minutes=50, round=1)
    for page in (alice, bob):
        page.locator(".mine button.main").click()
        page.locator(".game").wait_for()
    alice.get_by_text("has not agreed yet").first.wait_for(state="detached")
    alice.get_by_role("button", name="d20").first.click()
    for page in (alice, bob):
        page.locator(".tray .die").first.wait_for()
    wall_code, path = new_claim_code(), f"/v1/events/{day.event}/waiting"
    given = {"tokens": [{"party": "wall", "token": token_hash(code_token(wall_code))}]}
    assert day.post(f"/v1/events/{day.event}/tokens", json.dumps(given).encode(), day.token).status_code == 200
    headers = {"authorization": f"Bearer {code_token(wall_code).hex()}"}
    assert day.http.get(path).status_code == 404, "for nobody without a token of the event"
    assert day.http.get(path, headers=headers).json()["waiting"] == []
    bob.goto("about:blank")
    alice.get_by_role("button", name="d20").first.click()
    until(lambda: day.http.get(path, headers=headers).json()["waiting"])
    (waiting,) = day.http.get(path, headers=headers).json()["waiting"]
    assert (waiting["table"], waiting["parties"]) == (11, ["p2"])
    assert [each["table"] for each in day.http.get(path, headers=headers).json()["missing"]] == [12]
    for locale, words in (("en-GB", "Table 11 waits for Bob Meyer ("), ("ja-JP", "11番卓はBob Meyerを待っています")):
        wall = screens.open(f"#wall.{wall_code}", DESK, locale, ahead=60)
        wall.locator(".long-waits li").get_by_text(words).wait_for()
        wall.screenshot(path=tmp_path / f"wall {locale}.png")
        assert axe_findings(wall, axe) == []
    assert wall.locator("main a, main button, main input").count() == 0
    bob.goto(f"{day.address}/e/{day.event}")
    bob.locator(".mine button.main").click()
    until(lambda: not day.http.get(path, headers=headers).json()["waiting"])
    wall.locator(".long-waits").wait_for(state="detached")
    assert screens.problems == []


@pytest.mark.slow
def test_staff_and_wall_see_who_has_sat_down(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    wall_code = new_claim_code()
    given = {"tokens": [{"party": "wall", "token": token_hash(code_token(wall_code))}]}
    assert day.post(f"/v1/events/{day.event}/tokens", json.dumps(given).encode(), day.token).status_code == 200
    alice, bob = _two_phones(screens)
    desk, jo, wall = _desk(screens), _judge(screens), screens.open(f"#wall.{wall_code}", DESK)
    row = "[aria-labelledby=tables-title] li"
    for page in (desk, jo):
        first = page.locator(row, has_text="Alice Ito").first
        first.get_by_text("not there yet: Alice Ito and Bob Meyer").wait_for()
        page.get_by_text("All are seated at 0 of 2 tables that play.").wait_for()
    desk.locator(".lacking li").first.get_by_text("not there yet: Alice Ito and Bob Meyer").wait_for()
    wall.locator(".pairings li", has_text="against Bob Meyer").get_by_text("not there yet").wait_for()
    bob.get_by_role("button", name="Call a judge").click()
    jo.locator(".calls li").get_by_text("not there yet: Alice Ito and Bob Meyer").wait_for()
    alice.locator(".mine button.main").click()
    for page in (desk, jo):
        page.locator(row, has_text="Alice Ito").first.get_by_text("not there yet: Bob Meyer").wait_for()
    wall.locator(".pairings li", has_text="against Bob Meyer").get_by_text("not there yet").wait_for(state="detached")
    assert wall.locator(".pairings li", has_text="against Alice Ito").get_by_text("not there yet").count() == 1
    for page, name in ((desk, "desk"), (jo, "judge"), (wall, "wall")):
        page.screenshot(path=tmp_path / f"{name}.png", full_page=True)
        assert axe_findings(page, axe) == []
    bob.locator(".mine button.main").click()
    for page in (desk, jo):
        page.locator(row, has_text="Alice Ito").first.get_by_text("all are seated").wait_for()
        page.get_by_text("All are seated at 1 of 2 tables that play.").wait_for()
    # A table that is opened anew is not said to be full because the one before was.
    tables = [{"sides": [[1], [2]], "table": 11}]
    day.does(day.olga, "correct-pairing", cancelled=[], reason="anew", round=1, tables=tables)
    jo.locator(row, has_text="Alice Ito").first.get_by_text("all are seated").wait_for(state="detached")
    jo.locator(row, has_text="Alice Ito").first.get_by_text("not there yet: Alice Ito and Bob Meyer").wait_for()
    assert screens.problems == []


@pytest.mark.slow
def test_two_are_paired_by_hand_and_codes_are_printed(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    _ = day.state
    for number in (1, 2, 3):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    desk = _desk(screens)
    desk.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")

    # Cards to cut out: of who was just registered, and from the list that was saved.
    desk.get_by_text("A list of players (CSV)").click()
    desk.locator("#players-file").set_input_files(csv("Name\nErin Novak\nFinn “the long one” Roe-Underwood of Hill\n"))
    with desk.expect_download() as saved:
        desk.get_by_role("button", name="Register them, and save their links").click()
    desk.locator("#walk-in").fill("Gus Late")
    desk.get_by_role("button", name="Register", exact=True).click()
    desk.locator(".handed-code svg").wait_for()
    desk.get_by_text("Players’ codes on paper").click()
    desk.locator("#links-file").set_input_files(csv("number,name,link\n5,Erin,https://dice.example.org/e/1\n"))
    desk.get_by_text("Line 2: This is no link of a player to this event.").wait_for()
    desk.locator("#links-file").set_input_files(str(saved.value.path()))
    for printed, (name, cards) in enumerate((("Print 3 cards", 3), ("Print 2 cards", 2)), start=1):
        desk.get_by_role("button", name=name).click()
        desk.wait_for_function("count => window.printed === count", arg=printed)
        desk.emulate_media(media="print")
        assert desk.locator(".paper .qr").count() == cards
        assert desk.locator(".paper").get_by_text("Erin Novak", exact=True).is_visible()
        assert not desk.locator("#register-title").is_visible(), "nothing else is printed"
        links = desk.locator(".paper .link").all_inner_texts()
        assert [bool(re.fullmatch(rf"{day.address}/e/{day.event}#[\w-]{{43}}", link)) for link in links] == [
            True
        ] * cards
        (tmp_path / f"cards {cards}.pdf").write_bytes(desk.pdf(format="A4"))
        desk.emulate_media(media="screen")
        desk.evaluate("() => dispatchEvent(new Event('afterprint'))")
        desk.locator(".paper").wait_for(state="detached")
    late = screens.open(links[0].partition(day.event)[2])
    late.get_by_text("You are Erin Novak, number 5.").wait_for()
    late.locator("main button.main").click()
    late.locator("#mine-title").wait_for()

    # By hand: before the round, one with a bye, and while it runs.
    desk.get_by_text("Pair two by hand").click()
    desk.get_by_role("button", name="Pair them").click()
    desk.get_by_text("Choose two players.").wait_for()
    desk.locator("#pair-one option", has_text="Erin Novak").wait_for(state="attached")
    assert desk.locator("#pair-one option", has_text="Dave Okafor").count() == 0, "who is not in is not offered"
    desk.locator("#pair-one").select_option(label="Alice Ito, number 1")
    desk.locator("#pair-other").select_option(label="Bob Meyer, number 2")
    desk.locator("#pair-table").fill("7")
    desk.get_by_role("button", name="Pair them").click()
    desk.get_by_text("Table 7: Alice Ito against Bob Meyer.").wait_for()
    assert desk.locator("#pair-one option", has_text="Alice Ito").count() == 0, "who has a table is not offered"
    desk.locator("#pair-one").select_option(label="Erin Novak, number 5")
    desk.locator("#pair-other").select_option(label="None: a bye")
    desk.get_by_role("button", name="Pair them").click()
    desk.get_by_text("Erin Novak has a bye.").wait_for()
    assert axe_findings(desk, axe) == []
    desk.screenshot(path=tmp_path / "by hand.png", full_page=True)
    desk.get_by_role("button", name="Start the round").click()
    dave = screens.phone(4)
    desk.get_by_text("The round runs: their table opens at once.").wait_for()
    desk.locator("#pair-one").select_option(label="Dave Okafor, number 4")
    desk.locator("#pair-other").select_option(label="佐藤 健, number 3")
    desk.get_by_role("button", name="Pair them").click()
    desk.get_by_text("Table 8: Dave Okafor against 佐藤 健.").wait_for()
    desk.get_by_text("Everybody who is in has a table or a bye.").wait_for()
    dave.locator(".mine button.main").click()
    dave.locator(".game").wait_for()
    round_ = day.state.rounds[0]
    assert {number: table.sides for number, table in round_.tables.items()} == {7: ((1,), (2,)), 8: ((4,), (3,))}
    assert round_.byes == (5,)

    # A judge writes a result: the players stand in the order of the pairing, and what each has won beside the name.
    jo = _judge(screens)
    row = jo.locator("[aria-labelledby=tables-title] li", has_text="Dave Okafor").first
    row.get_by_text("Write the result").click()
    sides = row.locator(".of-side")
    assert sides.locator("strong").all_inner_texts() == ["Dave Okafor", "佐藤 健"]
    for at, more in ((0, 1), (1, 2)):
        for _ in range(more):
            sides.nth(at).get_by_role("button", name="games won: one more").click()
    row.locator("#reason-8").fill("they told me")
    row.scroll_into_view_if_needed()
    jo.screenshot(path=tmp_path / "judge writes.png")
    assert axe_findings(jo, axe) == []
    row.get_by_role("button", name="Sign the result").click()
    jo.get_by_text("1 : 2").first.wait_for()
    result = day.state.rounds[0].tables[8].result
    assert result is not None
    assert [each.won for each in result] == [1, 2]
    assert screens.problems == []


def _checked_in(day: Day, number: int) -> bytes:
    _ = day.state
    return day.check_in(number)


def _desk(screens: Screens) -> "Page":
    """The organizer's desk, in a browser that an organizer has appointed."""
    desk = screens.open("#staff", DESK)
    desk.locator("#staff-name").fill("Dana")
    desk.locator("main button.main").click()
    screens.day.does(screens.day.olga, "appoint", key=desk.locator(".handed input").input_value(), role="organizer")
    desk.locator("#queue-title").wait_for()
    return desk


def test_a_name_that_is_taken_is_no_dead_end_and_the_desk_appoints(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    laptop = screens.open("#staff", DESK)
    laptop.locator("#staff-name").fill("Olga")
    laptop.locator("#staff-name").press("Enter")
    laptop.get_by_text("Somebody has, or had, the name olga at this event. Take another one: olga-2").wait_for()
    laptop.locator("#staff-name").fill("Dana")
    laptop.locator("#staff-name").press("Enter")
    laptop.get_by_text("Your name here: dana").wait_for()
    laptop.get_by_role("button", name="Another name").click()
    laptop.get_by_role("button", name="Keep the name dana").click()
    laptop.get_by_text("Your name here: dana").wait_for()
    assert axe_findings(laptop, axe) == []
    laptop.screenshot(path=tmp_path / "waiting.png")
    # Somebody else is appointed by that name: the screen says so, and asks for another one.
    day.does(day.olga, "appoint", key=str(identity("dana").key), role="judge")
    laptop.get_by_text("dana is a name that somebody has, or had, at this event.").wait_for()
    assert axe_findings(laptop, axe) == []
    laptop.screenshot(path=tmp_path / "taken.png")
    laptop.locator("#staff-name").fill("olga-desk")
    laptop.get_by_role("button", name="Make a key").click()
    laptop.get_by_text("Your name here: olga-desk").wait_for()
    key = laptop.locator(".handed input").input_value()
    day.does(day.olga, "appoint", key=key, role="organizer")
    laptop.locator("#queue-title").wait_for()

    jo = screens.open("#staff")
    jo.locator("#staff-name").fill("jo")
    jo.get_by_role("button", name="Make a key").click()
    key = jo.locator(".handed input").input_value()
    laptop.locator("#phone-key").fill(key)
    laptop.get_by_text("This is no player’s key.").wait_for()
    laptop.get_by_text("Judges and organizers", exact=True).click()
    laptop.locator("#appoint-key").fill("jo+12")
    laptop.locator("#appoint-key").press("Enter")
    laptop.get_by_text("This is no key").wait_for()
    laptop.locator("#appoint-key").fill(str(identity("p1").key))
    laptop.get_by_role("button", name="Appoint", exact=True).click()
    laptop.get_by_text("This is the key of a player’s phone").wait_for()
    laptop.get_by_role("group", name="Office").get_by_role("button", name="Head judge").click()
    laptop.locator("#appoint-key").fill(f" {key} ")
    laptop.locator("#appoint-key").press("Enter")
    laptop.get_by_text("jo is head judge now.").wait_for()
    jo.locator("#queue-title").wait_for()
    assert day.state.people["jo"].role == "head"
    assert axe_findings(laptop, axe) == []
    laptop.screenshot(path=tmp_path / "appoint.png", full_page=True)
    laptop.set_viewport_size(PHONE)
    laptop.locator("#appoint-key").scroll_into_view_if_needed()
    laptop.screenshot(path=tmp_path / "appoint-phone.png")

    # Whose phone it is already needs no phone.
    screens.phone(1)
    laptop.locator("#phone-key").fill(str(day.state.players[1].key))
    laptop.get_by_text("Alice Ito has this phone already.").wait_for()
    assert laptop.get_by_role("button", name="Give the phone").count() == 0
    assert screens.problems == []


def test_a_lost_phone_a_drop_a_wrong_pairing_and_paper(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    lost, bob = screens.phone(1), screens.phone(2)
    _ = day.state
    for number in (3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    day.pair()
    day.does(day.olga, "start", minutes=50, round=1)
    desk = _desk(screens)
    for page in (lost, bob):
        page.locator(".mine button.main").click()
        page.locator(".game").wait_for()
    before = day.state.rounds[0].tables[11].line
    lost.context.close()

    # Another phone shows a key; the organizer's opens it as a link, and gives it to the player.
    phone = screens.open("")
    phone.get_by_text("No code, or another phone").click()
    phone.locator("#lost-number").fill("9")
    phone.get_by_role("button", name="Make a key").click()
    phone.get_by_text("Nobody is registered with this number.").wait_for()
    phone.locator("#lost-number").fill("1")
    phone.get_by_role("button", name="Make a key").click()
    phone.locator("#lost-title").wait_for()
    assert axe_findings(phone, axe) == []
    key = phone.locator(".handed input").first.input_value()
    assert key.startswith("p1+")
    desk.goto(f"{day.address}/e/{day.event}#staff.{key}")
    desk.get_by_text("Alice Ito, number 1: look whether it is this person.").wait_for()
    assert axe_findings(desk, axe) == []
    desk.get_by_role("button", name="Give the phone to Alice Ito").click()
    desk.get_by_text("Table 11 goes on in a new game").wait_for()
    desk.locator("select.language").select_option("de")  # what was said before is said in the other language, too
    desk.get_by_text("Tisch 11 geht mit dem neuen Telefon in einem neuen Spiel weiter.").wait_for()
    desk.locator("select.language").select_option("en")
    phone.get_by_text("Round 1, table 11").wait_for()
    for page in (phone, bob):
        page.locator(".mine button.main").click()
        page.locator(".game").wait_for()
    phone.get_by_role("button", name="d20").first.click()
    for page in (phone, bob):
        page.locator(".tray .die").first.wait_for()
    assert day.state.rounds[0].tables[11].line != before
    assert day.state.players[1].key is not None
    assert str(day.state.players[1].key) == key
    stolen = day.http.get(
        f"/v1/events/{day.event}/names", headers={"authorization": f"Bearer {code_token(day.codes[1]).hex()}"}
    )
    assert stolen.status_code == 404, "the code of the lost phone opens nothing more"

    # A drop, which is taken back; each with a reason.
    desk.get_by_text("A player drops, or comes back").click()
    desk.locator("#people").fill("dave")
    desk.get_by_role("button", name="Drop Dave Okafor").click()
    desk.get_by_text("Say why, in a few words.").wait_for()
    desk.locator("select.language").select_option("ja")
    desk.get_by_text("理由を短く書いてください。").wait_for()
    desk.locator("select.language").select_option("en")
    desk.locator("#people-why").fill("he went home")
    desk.get_by_role("button", name="Drop Dave Okafor").click()
    desk.get_by_role("button", name="Bring Dave Okafor back").wait_for()
    assert day.state.players[4].state == "dropped"
    desk.locator("#people-why").fill("he came back")
    desk.get_by_role("button", name="Bring Dave Okafor back").click()
    desk.get_by_role("button", name="Drop Dave Okafor").wait_for()

    # Table 12 moves to 14, after the round has begun.
    desk.get_by_text("Correct the pairings").click()
    desk.locator("#repair-file").set_input_files(csv("Table,Player 1,Player 2\n14,3,4\n"))
    desk.locator("#repair-gone").fill("12")
    desk.locator("#repair-why").fill("table 12 is broken")
    desk.get_by_role("button", name="Correct them").click()
    desk.locator("[aria-labelledby=tables-title]").get_by_text("14", exact=True).wait_for()
    assert sorted(day.state.rounds[0].tables) == [11, 14]

    # The code on a table has no secret: it says who sits elsewhere, and opens nothing to a stranger.
    wrong = phone.context.new_page()
    wrong.goto(f"{day.address}/e/{day.event}#table.14")
    wrong.get_by_text("This is table 14. You sit at table 11.").wait_for()
    wrong.close()

    # The clock stands still; dice by hand are written down, and the players' screen says so.
    desk.get_by_text("Pause the round").click()
    desk.locator("#pause-why").fill("a fire drill")
    desk.get_by_role("button", name="Pause now").click()
    phone.locator(".back button").click()
    phone.get_by_text("Pause for").wait_for()
    table = desk.locator("[aria-labelledby=tables-title] > ul > li", has_text="11").first
    table.get_by_text("Dice by hand").click()
    desk.locator("#hand-11").fill("a flat battery; Dana looks on")
    desk.get_by_role("button", name="Write it down").click()
    phone.get_by_text("A judge wrote down why: a flat battery; Dana looks on").wait_for()
    assert day.state.rounds[0].paused == 10

    # A judge's tablet: staff checks in who sits at it.
    day.names[5] = "Erin Novak"
    desk.locator("#walk-in").fill("Erin Novak")
    desk.get_by_role("button", name="Register", exact=True).click()
    desk.locator(".handed-code svg").wait_for()
    tablet = screens.open("", DESK)
    tablet.get_by_text("No code, or another phone").click()
    tablet.locator("#lost-number").fill("5")
    while tablet.locator("#lost-title").count() == 0:  # until the line of the registration has come
        tablet.get_by_role("button", name="Make a key").click()
        tablet.locator("#lost-title, .problem").first.wait_for()
    desk.locator("#phone-key").fill(tablet.locator(".handed input").first.input_value())
    desk.locator("#phone-tablet").fill("Dana's tablet; Erin sat there")
    desk.get_by_role("button", name="Give the phone to Erin Novak").click()
    tablet.locator("#mine-title").wait_for()
    assert [code for code in day.state.counts if code in ("event.tablet", "event.by-hand")] == [
        "event.by-hand",
        "event.tablet",
    ]

    # Paper: what would come out of the printer.
    desk.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
    desk.get_by_text("Print", exact=True).click()
    sheets = {
        "Pairings by name": (["Alice Ito", "佐藤 健"], 0),
        "Pairings by table": (["Bob Meyer", "14"], 0),
        "Result slips": (["Table 11", "Signature"], 2),
        "Codes for the tables": (["14"], 2),
    }
    for printed, (name, (texts, codes)) in enumerate(sheets.items(), start=1):
        desk.get_by_role("button", name=name).click()
        desk.wait_for_function("count => window.printed === count", arg=printed)
        desk.emulate_media(media="print")
        paper = desk.locator(".paper")
        for text in texts:
            assert paper.get_by_text(text, exact=True).first.is_visible()
        assert paper.locator(".qr").count() == codes
        assert not desk.locator("#queue-title").is_visible(), "nothing else is printed"
        assert desk.pdf(format="A4").startswith(b"%PDF-")
        desk.emulate_media(media="screen")
        assert not paper.is_visible()
        desk.evaluate("() => dispatchEvent(new Event('afterprint'))")
        paper.wait_for(state="detached")
    assert screens.problems == []


def test_the_desk_leads_from_the_list_to_the_bundle(screens: Screens, axe: str, tmp_path: Path) -> None:
    """Two rounds of three at a desk: who is missing, which table lacks a result, then close, then save."""
    day = screens.day
    _ = day.state
    for number in (1, 2, 3):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    desk = _desk(screens)
    desk.get_by_text("Not in yet: Dave Okafor").wait_for()
    desk.get_by_text("A list of players (CSV)").click()
    desk.locator("#players-file").set_input_files(csv("Name\nErin Novak\nFinn Roe\n"))
    with desk.expect_download():
        desk.get_by_role("button", name="Register them, and save their links").click()
    desk.get_by_text("2 players are registered. Their links are in the file that was saved.").wait_for()
    desk.get_by_text("Not in yet: Dave Okafor, Erin Novak and Finn Roe").wait_for()
    for row, words in (
        ("12,3,4", "Line 3: Dave Okafor (number 4) has not checked in."),
        ("12,3,Alice Ito", "Line 3: Alice Ito (number 1) stands in line 2 too."),
        ("12,3,44", "Line 3: Nobody is registered with the number 44."),
    ):
        desk.locator("#pairings-file").set_input_files(csv(f"Table,Player 1,Player 2\n11,1,2\n{row}\n"))
        desk.get_by_text(words).wait_for()
        assert desk.get_by_role("button", name="Publish").count() == 0
    desk.screenshot(path=tmp_path / "refused.png")
    day.post(f"/v1/events/{day.event}/acts", day.check_in(4))
    desk.get_by_text("Not in yet: Erin Novak and Finn Roe").wait_for()
    wall_code = new_claim_code()
    given = {"tokens": [{"party": "wall", "token": token_hash(code_token(wall_code))}]}
    assert day.post(f"/v1/events/{day.event}/tokens", json.dumps(given).encode(), day.token).status_code == 200
    wall = screens.open(f"#wall.{wall_code}", DESK)
    sides = [{"won": 2}, {"won": 0}]
    for number in (1, 2, 3):
        rows = "11,1,2\n12,3,4\n" if number < 3 else "11,1,2\n,3,bye\n"
        desk.locator("#pairings-file").set_input_files(csv(f"Table,Player 1,Player 2\n{rows}"))
        desk.get_by_role("button", name="Publish").click()
        desk.get_by_role("button", name="Start the round").click()
        lacking = desk.locator(".lacking li")
        lacking.first.wait_for()
        assert lacking.nth(0).inner_text().split() == ["Table", "11", "Alice", "Ito", "and", "Bob", "Meyer"]
        assert lacking.count() == (2 if number < 3 else 1)
        box = [desk.locator(f"#{part}-title").bounding_box() for part in ("round", "tables", "register")]
        tops = [each["y"] for each in box if each is not None]
        assert tops == sorted(tops), "the tables stand under the round, above the players"
        if number == 1:
            desk.screenshot(path=tmp_path / "round.png", full_page=True)
            desk.set_viewport_size(PHONE)
            desk.screenshot(path=tmp_path / "round-phone.png", full_page=True)
            desk.set_viewport_size(DESK)
            desk.get_by_text("Correct the pairings").click()
            desk.locator("#repair-gone").fill("12")
            desk.locator("#repair-why").fill("as a trial")
            desk.locator("#repair-file").set_input_files(csv("Table,Player 1,Player 2\n14,3,5\n"))
            desk.get_by_text("Line 2: Erin Novak (number 5) has not checked in.").wait_for()
            desk.locator("#repair-file").set_input_files(csv("Table,Player 1,Player 2\n14,3,4\n"))
            desk.get_by_role("button", name="Correct them").click()
            desk.get_by_text("Corrected: 2 tables.").wait_for()
            assert desk.locator("#repair-file").input_value() == ""
        if number == 3:
            wall.locator(".pairings li", has_text="佐藤 健").get_by_text("no opponent in this round").wait_for()
            seen = wall.locator(".pairings li", has_text="against Bob Meyer")
            assert seen.locator("b").inner_text() == "Table 11"
            wall.screenshot(path=tmp_path / "wall.png")
        for table in sorted(day.state.rounds[number - 1].tables):
            day.does(day.olga, "slip", round=number, sides=sides, table=table, reason="as seen")
        desk.get_by_text("All tables have a result.").wait_for()
        with desk.expect_download():
            desk.get_by_role("button", name="End the round").click()
        wall.get_by_text(
            "It was the last round." if number == 3 else "Your next table appears here by itself."
        ).wait_for()
    desk.get_by_role("heading", name="All rounds are over").wait_for()
    assert desk.get_by_text("Next: round").count() == 0
    desk.get_by_text("Verified here: 6 games hold. Cancelled of these: 1").wait_for()

    # A result of an earlier round is corrected.
    desk.get_by_text("Round 1: tables").click()
    early = desk.locator("details.card", has_text="Round 1: tables").locator("li", has_text="Alice Ito")
    early.get_by_text("Correct the result").click()
    early.locator("#reason-11").fill("it was the other way")
    stood = [str(each["won"]) for each in sides]
    assert early.locator(".slip output").all_inner_texts() == stood, "it begins with what stands"
    assert early.get_by_role("button", name="Sign the result").get_attribute("aria-disabled") == "true"
    early.get_by_role("button", name="0 : 2").click()
    early.get_by_role("button", name="Sign the result").click()
    early.get_by_text("Done: the result is 0 : 2 now.").wait_for()
    assert early.locator("#reason-11").is_hidden(), "the form is closed"
    result = day.state.rounds[0].tables[11].result
    assert result is not None
    assert [each.won for each in result] == [0, 2]
    assert axe_findings(desk, axe) == []
    desk.screenshot(path=tmp_path / "rounds-over.png", full_page=True)

    looking = screens.open("")
    looking.get_by_text("Only looking on").click()
    looking.get_by_text("With a bye: number 3").wait_for()
    looking.get_by_text("Table 11").first.wait_for()
    looking.screenshot(path=tmp_path / "looking.png", full_page=True)

    # Closed: one thing is left to do, and nothing that would be refused is offered.
    desk.get_by_role("button", name="Close it for good").click()
    desk.get_by_role("button", name="Yes, close it").click()
    desk.get_by_role("heading", name="The event is closed").wait_for()
    wall.get_by_text("The event is over").wait_for()
    wall.screenshot(path=tmp_path / "wall-over.png")
    for words in ("Correct the result", "Give a penalty", "A player drops", "Another phone", "Close it for good"):
        assert desk.get_by_text(words).count() == 0, words
    with desk.expect_download():
        desk.get_by_role("button", name="Save the bundle").click()
    desk.get_by_text("Verified here: 6 games hold.").wait_for()
    desk.screenshot(path=tmp_path / "closed.png", full_page=True)
    desk.set_viewport_size(PHONE)
    desk.screenshot(path=tmp_path / "closed-phone.png", full_page=True)
    desk.get_by_text("Round 1: tables").click()
    with desk.expect_download() as saved:
        desk.get_by_role("button", name="Save the results of round 1 (CSV)").click()
    assert "1,11,1,Alice Ito,0,2,Bob Meyer,2" in Path(saved.value.path()).read_text()
    assert axe_findings(desk, axe) == []
    assert screens.problems == []


IN_AN_APP = "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36"


def test_the_door_says_what_may_go_wrong_with_a_phone(screens: Screens, axe: str) -> None:
    code = f"#{screens.day.codes[1]}"
    told = {
        "inside another app": screens.open(code, user_agent=IN_AN_APP),
        "5 minutes off": screens.open(code, ahead=300),
    }
    for words, phone in told.items():
        phone.get_by_text(words).wait_for()
        assert phone.locator(".loud").count() == 1
        assert axe_findings(phone, axe) == []
    late = told["5 minutes off"]
    late.locator("main button.main").click()  # it is told, and does not keep anybody out
    late.locator("#mine-title").wait_for()
    plain = screens.open(f"#{screens.day.codes[2]}")
    plain.get_by_text("You are Bob Meyer, number 2.").wait_for()
    assert plain.locator(".loud").count() == 0
    assert screens.problems == []


@pytest.mark.slow
def test_the_wifi_goes_for_a_while_and_nothing_is_lost(screens: Screens) -> None:
    day = screens.day
    _ = day.state
    for number in (3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    alice, bob = screens.phone(1), screens.phone(2)
    day.pair()
    day.does(day.olga, "start", minutes=50, round=1)
    for page in (alice, bob):
        page.locator(".mine button.main").click()
        page.locator(".game").wait_for()
    alice.get_by_text("has not agreed yet").first.wait_for(state="detached")
    bob.context.set_offline(True)
    alice.get_by_role("button", name="d20").first.click()
    until(lambda: _requested(day, 11) == 1)
    alice.context.set_offline(True)
    alice.wait_for_timeout(3_000)
    for page in (alice, bob):
        page.context.set_offline(False)
    for page in (alice, bob):
        page.locator(".tray:not(.past) .die").first.wait_for()
        page.locator(".back button").click()
    alice.context.set_offline(True)
    alice.get_by_role("button", name="2 : 0").click()
    alice.get_by_role("button", name="Sign: I won 2 : 0").click()
    alice.wait_for_timeout(1_000)
    alice.context.set_offline(False)
    bob.get_by_text("Is this right?").wait_for()
    assert _requested(day, 11) == 1, "nobody rolled again"
    assert screens.problems == []


def _two_phones(screens: Screens) -> tuple["Page", "Page"]:
    """Alice and Bob on phones, the others without screens; a round runs."""
    day = screens.day
    phones = screens.phone(1), screens.phone(2)
    _ = day.state
    for number in (3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    day.pair()
    day.does(day.olga, "start", minutes=50, round=1)
    return phones


def test_a_judge_who_has_not_looked_in_keeps_nobody_from_rolling(screens: Screens) -> None:
    day = screens.day
    day.does(day.olga, "appoint", key=str(identity("jo").key), role="judge")
    alice, bob = _two_phones(screens)
    for page in (alice, bob):
        page.locator(".mine button.main").click()
    for page in (alice, bob):
        page.get_by_text("No dice yet. Roll below").wait_for()
        assert page.get_by_text("must still agree").count() == 0
        assert page.locator(".people li", has_text="jo").locator(".presence").inner_text() == "not at the table"
        assert page.get_by_text("has not agreed yet").count() == 0
    alice.get_by_role("button", name="d20").first.click()
    bob.locator(".tray .die").first.wait_for()
    assert screens.problems == []


def test_a_result_is_told_and_signed_from_the_own_side(screens: Screens, axe: str, tmp_path: Path) -> None:
    """Bob sits second: what he taps is his, and the line has the sides as they were paired."""
    alice, bob = _two_phones(screens)
    table = screens.day.state.rounds[0].tables[11]
    assert table.sides == ((1,), (2,))
    bob.get_by_role("group", name="I lost").get_by_role("button", name="1 : 2").click()
    bob.screenshot(path=tmp_path / "slip.png", full_page=True)
    assert axe_findings(bob, axe) == []
    bob.get_by_role("button", name="Sign: I lost 1 : 2").click()
    bob.get_by_text("Your opponent signs next").wait_for()
    assert bob.locator(".result li").first.inner_text().split() == ["You", "1"]
    alice.get_by_text("Is this right?").wait_for()
    assert alice.locator(".result li").first.inner_text().split() == ["You", "2"]
    alice.screenshot(path=tmp_path / "agree.png", full_page=True)
    alice.get_by_role("button", name="Sign: I won 2 : 1").click()
    bob.get_by_text("The result stands").wait_for()
    result = screens.day.state.rounds[0].tables[11].result
    assert result is not None
    assert [side.won for side in result] == [2, 1]
    bob.get_by_role("button", name="What the words mean").click()
    bob.locator("dl").get_by_text("A round without an opponent.").wait_for()  # words of an event, too
    assert axe_findings(bob, axe) == []
    assert screens.problems == []


def test_two_who_sign_different_results_are_told_and_the_judge_sees_both(
    screens: Screens, axe: str, tmp_path: Path
) -> None:
    alice, bob = _two_phones(screens)
    jo = _judge(screens)
    alice.get_by_role("group", name="I won").get_by_role("button", name="2 : 1").click()
    alice.get_by_role("button", name="Sign: I won 2 : 1").click()
    bob.get_by_role("button", name="It was otherwise").click()
    bob.get_by_role("group", name="I won").get_by_role("button", name="2 : 1").click()
    bob.get_by_role("button", name="Sign: I won 2 : 1").click()
    for page, own, other in ((alice, ["2", "1"], "Bob Meyer"), (bob, ["2", "1"], "Alice Ito")):
        page.get_by_text("Your results differ").wait_for()
        page.get_by_text(f"{other} signed:").wait_for()
        lists = page.locator(".card.due .result")
        mine, theirs = ([li.inner_text().split()[-1] for li in one.locator("li").all()] for one in lists.all())
        assert (mine, theirs) == (own, own[::-1]), "each from the own side"
        page.screenshot(path=tmp_path / f"{other} says otherwise.png", full_page=True)
        assert axe_findings(page, axe) == []
    assert alice.get_by_role("button", name="Sign: I lost 1 : 2").count() == 1
    alice.get_by_role("button", name="Call a judge").click()
    jo.locator(".calls .contradicting").wait_for()
    for where in (".calls", ".tables"):
        said = jo.locator(f"{where} .contradicting li")
        assert [" ".join(each.inner_text().split()) for each in said.all()] == [
            "Alice Ito signed: Alice Ito 2 · Bob Meyer 1",
            "Bob Meyer signed: Alice Ito 1 · Bob Meyer 2",
        ]
    jo.screenshot(path=tmp_path / "judge.png", full_page=True)
    assert axe_findings(jo, axe) == []
    alice.get_by_role("button", name="Sign: I lost 1 : 2").click()
    bob.get_by_text("The result stands").wait_for()
    jo.locator(".tables .contradicting").wait_for(state="detached")
    assert screens.problems == []


def _judge(screens: Screens, name: str = "jo") -> "Page":
    """A judge's phone, whom an organizer has appointed."""
    jo = screens.open("#staff")
    jo.locator("#staff-name").fill(name)
    jo.locator("main button.main").click()
    screens.day.does(screens.day.olga, "appoint", key=jo.locator(".handed input").input_value(), role="judge")
    jo.locator("#queue-title").wait_for()
    return jo


def _in_view(page: "Page", words: str) -> bool:
    """Whether the button with these words is what one sees, and taps, where it stands."""
    found: bool = page.get_by_role("button", name=words).evaluate(
        """button => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return top >= 0 && bottom <= innerHeight && button.contains(at);
        }"""
    )
    return found


@pytest.mark.slow
def test_a_call_is_in_view_wherever_the_judge_is(screens: Screens, axe: str, tmp_path: Path) -> None:
    alice, _ = _two_phones(screens)
    jo = _judge(screens)
    called = "A judge is called: Table 11"
    jo.locator("#tables-title").wait_for()
    jo.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    alice.get_by_role("button", name="Call a judge").click()
    jo.get_by_role("button", name=called).wait_for()
    assert jo.evaluate("scrollY") > 0, "the screen is long"
    assert _in_view(jo, called)
    jo.screenshot(path=tmp_path / "call, scrolled.png")
    assert jo.locator(".tables li", has_text="Alice Ito").get_by_text("calls a judge").count() == 1
    assert jo.title().startswith("(1) ")
    assert axe_findings(jo, axe) == []
    jo.locator(".tables li", has_text="Dave Okafor").get_by_role("button", name="To the table").click()
    jo.locator(".game").wait_for()
    assert _in_view(jo, called)
    jo.locator(".parts").get_by_role("button").first.click()
    jo.screenshot(path=tmp_path / "call, at a table.png")
    jo.get_by_role("button", name=called).click()
    jo.locator(".calls input").fill("done")
    jo.get_by_role("button", name="Answered").click()
    jo.get_by_text("Nobody calls.").wait_for()
    assert jo.get_by_role("button", name=called).count() == 0
    jo.wait_for_function("() => !document.title.startsWith('(')")
    assert screens.problems == []


@pytest.mark.slow
def test_a_table_that_changes_says_why_and_leads_to_the_rolls_so_far(
    screens: Screens, axe: str, tmp_path: Path
) -> None:
    day = screens.day
    alice, bob = _two_phones(screens)
    for page in (alice, bob):
        page.locator(".mine button.main").click()
        page.locator(".game").wait_for()
    alice.get_by_text("has not agreed yet").first.wait_for(state="detached")
    alice.get_by_role("button", name="d20").first.click()
    for page in (alice, bob):
        page.locator(".tray .die").first.wait_for()
    bob.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tables = [{"sides": [[1], [3]], "table": 11}, {"sides": [[2], [4]], "table": 14}]
    day.does(day.olga, "correct-pairing", cancelled=[12], reason="mixed up", round=1, tables=tables)
    for page, table in ((alice, 11), (bob, 14)):
        page.locator("#changed-title").wait_for()
        assert page.evaluate("scrollY") == 0, "where it is said"
        page.get_by_text("Table 11 was ended, and the reason is: mixed up").wait_for()
        page.get_by_text(f"You sit at table {table} now, in a new game.").wait_for()
        page.screenshot(path=tmp_path / f"changed {table}.png")
        assert axe_findings(page, axe) == []
    bob.get_by_role("button", name="The rolls so far, table 11").click()
    bob.locator(".tray .die").first.wait_for()
    bob.get_by_text("This game was ended.").wait_for()
    day.does(day.olga, "extend", minutes=5, reason="the mix-up", round=1, table=14)
    bob.wait_for_timeout(1_000)
    bob.screenshot(path=tmp_path / "the rolls so far.png")
    assert bob.locator(".tray .die").count() > 0, "another line does not take it away"
    # A browser that has nothing of it fetches it; a line that comes meanwhile does not end that.
    bob.evaluate(FORGET_LINES)
    bob.reload()
    held: list[Route] = []
    bob.route(re.compile(r"/v1/games/[0-9a-f]{64}/log"), lambda route: held.append(route))
    with bob.expect_request(re.compile(r"/v1/games/[0-9a-f]{64}/log")):
        bob.get_by_role("button", name="The rolls so far, table 11").click()
    day.does(day.olga, "extend", minutes=5, reason="the mix-up", round=1, table=14)
    bob.wait_for_timeout(1_000)
    for each in held:
        each.continue_()
    bob.unroute_all()
    bob.locator(".tray .die").first.wait_for()
    bob.locator(".back button").click()
    bob.get_by_text("Round 1, table 14").wait_for()
    for table in (11, 14):
        day.does(day.olga, "slip", round=1, sides=[{"won": 2}, {"won": 0}], table=table, reason="as seen")
    day.does(day.olga, "end", left=[], round=1)
    bob.get_by_text("Round 1 is over.").wait_for()
    assert bob.locator("#changed-title").count() == 0
    assert screens.problems == []


FORGET_LINES = """() => new Promise((done, failed) => {
  const open = indexedDB.open('rollproof');
  open.onerror = failed;
  open.onsuccess = () => {
    const change = open.result.transaction('lines', 'readwrite');
    change.objectStore('lines').clear();
    change.oncomplete = () => (open.result.close(), done());
  };
})"""


def _requested(day: Day, table: int) -> int:
    """How many rolls were asked for at a table of the first round."""
    now = day.state.rounds[0].tables[table]
    game = None if now.line is None else day.state.openings[now.line].tables[table].game
    lines = day.http.get(f"/v1/games/{game}/log?from=0", headers={"authorization": f"Bearer {day.token}"}).content
    return sum(json.loads(line)["type"] == "roll" for line in lines.splitlines())


@pytest.mark.slow
def test_a_stream_and_who_looks_on_see_numbers_and_no_names(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    _ = day.state
    for number in (3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    players = screens.phone(1), screens.phone(2)
    desk = _desk(screens)
    desk.get_by_text("The wall, the bundle, the end").click()
    desk.get_by_text("A link for a stream", exact=True).click()
    desk.locator("#stream-table").fill("the first")
    desk.get_by_role("button", name="Make the link").click()
    desk.get_by_text("the first is no number of a table.").wait_for()
    desk.locator("#stream-table").fill("11")
    desk.get_by_role("button", name="Make the link").click()
    link = desk.locator('input[aria-label="Link for the stream"]').input_value()
    stream = desk.context.new_page()
    stream.set_default_timeout(PATIENCE)
    stream.goto(link)
    looking = screens.open("")
    looking.get_by_text("Only looking on").click()
    looking.get_by_text("No round has been paired yet.").wait_for()
    for round_ in (1, 2):  # the same link goes from game to game
        day.pair(round_)
        day.does(day.olga, "start", minutes=50, round=round_)
        for page in players:
            page.locator(".mine button.main").click()
            page.locator(".game").wait_for()
        players[0].get_by_text("has not agreed yet").first.wait_for(state="detached")
        players[0].get_by_role("button", name="d20").first.click()
        stream.locator(".tray:not(.past) .die").first.wait_for()
        stream.get_by_text("Number 1").wait_for()
        stream.screenshot(path=tmp_path / f"stream {round_}.png")
        for table in (11, 12):
            sides = [{"won": 2}, {"won": 0}]
            day.does(day.olga, "slip", round=round_, sides=sides, table=table, reason="as seen")
        day.does(day.olga, "end", left=[], round=round_)
        for page in players:
            page.locator(".back button").click()
            page.get_by_text(f"Round {round_} is over.").wait_for()
    looking.get_by_text("1 – 2").first.wait_for()
    assert axe_findings(looking, axe) == []
    seen = looking.locator("body").inner_text() + stream.locator("body").inner_text()
    assert [name for name in day.names.values() if name in seen] == []
    assert screens.problems == []


@pytest.mark.slow
def test_a_table_that_the_event_does_not_say_is_not_joined(screens: Screens) -> None:
    day = screens.day
    alice = screens.phone(1)
    _ = day.state
    for number in (2, 3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    day.pair()
    day.does(day.olga, "start", minutes=50, round=1)
    alice.locator(".mine button.main").wait_for()
    games = {table.table: game for game, (_, table) in day.state.games.items()}
    headers = {"authorization": f"Bearer {day.token}"}
    other = day.http.get(f"/v1/games/{games[12]}/log", headers=headers).content
    posts: list[str] = []
    alice.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    alice.route(
        re.compile(f"/v1/games/{games[11]}/log"),
        lambda route: route.fulfill(status=200, body=other, headers={"Rollproof-Size": "2"}),
    )
    alice.locator(".mine button.main").click()
    alice.locator(".loud.bad").get_by_text("Something here is not as it was signed").wait_for()
    assert [url for url in posts if url.endswith(("/lines", "/openings"))] == []
    assert screens.problems == []


@pytest.mark.slow
def test_an_event_that_cannot_be_is_told_and_a_stolen_code_comes_too_late(screens: Screens) -> None:
    day = screens.day
    screens.phone(1)
    thief = screens.open(f"#{day.codes[1]}")
    thief.get_by_text("Somebody has checked in with this code").wait_for()
    shown = screens.open(f"#{day.codes[2]}")
    shown.locator("#door-title").wait_for()
    forged = day.http.get(f"/v1/events/{day.event}/log").content.splitlines()
    line = forged[0].replace(b"Spring Open", b"Autumn Open").decode()
    victim = screens._browser.new_context(viewport=PHONE).new_page()
    victim.set_default_timeout(PATIENCE)
    body = f"id: 0\nevent: line\ndata: {line}\n\n"
    victim.route(
        re.compile("/stream"), lambda route: route.fulfill(status=200, body=body, content_type="text/event-stream")
    )
    victim.goto(f"{day.address}/e/{day.event}#{day.codes[2]}")
    victim.locator(".loud.bad").get_by_text("Nothing more is signed on it").wait_for()


@pytest.mark.slow
def test_one_tablet_seats_both_players_of_a_table(screens: Screens, axe: str) -> None:
    """A judge's tablet: the desk gives two keys of it to players, each roll has the links of both, and it says so."""
    day = screens.day
    _ = day.state
    for number in (3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    desk = _desk(screens)
    tablet = screens.open("", DESK)
    for number, name in ((1, "Alice Ito"), (2, "Bob Meyer")):
        if number == 2:
            tablet.get_by_text("Another player on this device").click()
            tablet.get_by_role("button", name="Let another player in").click()
            tablet.locator("#door-title").wait_for()
        tablet.get_by_text("No code, or another phone").click()
        tablet.locator("#lost-number").fill(str(number))
        tablet.get_by_role("button", name="Make a key").click()
        tablet.locator("#lost-title").wait_for()
        desk.locator("#phone-key").fill(tablet.locator(".handed input").first.input_value())
        desk.locator("#phone-tablet").fill(f"Dana's tablet; {name} sat there")
        desk.get_by_role("button", name=f"Give the phone to {name}").click()
        tablet.locator("#mine-title").wait_for()
    assert day.state.counts["event.tablet"][0] == 2
    assert axe_findings(tablet, axe) == []
    day.pair()
    day.does(day.olga, "start", minutes=50, round=1)
    tablet.locator(".mine button.main").click()
    tablet.locator(".game").wait_for()
    tablet.get_by_role("button", name="d20").first.click()
    tablet.locator(".tray .die").first.wait_for()
    tablet.locator(".shared").get_by_role("button", name="Alice Ito").click()
    tablet.locator('.shared [aria-pressed="true"]', has_text="Alice Ito").wait_for()
    tablet.locator(".game").wait_for()
    assert axe_findings(tablet, axe) == []
    tablet.get_by_role("button", name="d20").first.click()
    game = day.state.openings[day.state.rounds[0].tables[11].line or 0].tables[11].game
    assert game is not None
    until(lambda: len(_rolls(day, game)) == 2, 20)
    rolls = _rolls(day, game)
    assert [author for author, _ in rolls] == ["p2", "p1"]
    assert all({"p1", "p2"} <= openers for _, openers in rolls)

    # Loaded anew, both are still here, and the same code's holder acts.
    tablet.reload()
    tablet.locator('.shared [aria-pressed="true"]', has_text="Alice Ito").wait_for()
    tablet.locator(".shared").get_by_role("button", name="Bob Meyer").click()
    tablet.get_by_text("against Alice Ito").wait_for()
    assert screens.problems == []


def test_a_phone_that_two_share_keeps_the_key_of_each(screens: Screens) -> None:
    day = screens.day
    phone = screens.phone(1)
    key = str(day.state.players[1].key)
    phone.goto(f"{day.address}/e/{day.event}#{day.codes[2]}")
    phone.get_by_text("You are Bob Meyer, number 2.").wait_for()
    phone.locator("main button.main").click()
    phone.locator('.shared [aria-pressed="true"]', has_text="Bob Meyer").wait_for()
    phone.locator(".shared").get_by_role("button", name="Alice Ito").click()
    phone.get_by_text("You are Alice Ito, number 1.").wait_for()
    phone.goto(f"{day.address}/e/{day.event}#{day.codes[1]}")
    phone.get_by_text("You are Alice Ito, number 1.").wait_for()
    assert str(day.state.players[1].key) == key, "her key is the same"
    assert day.state.players[2].key is not None
    assert screens.problems == []


def _rolls(day: Day, game: str) -> list[tuple[str, set[str]]]:
    """Of each roll that was revealed its author, and whose links are in it."""
    lines = day.http.get(f"/v1/games/{game}/log?from=0", headers={"authorization": f"Bearer {day.token}"})
    events = [json.loads(line) for line in lines.content.splitlines()]
    asked = [event["author"] for event in events if event["type"] == "roll"]
    revealed = [event for event in events if event["type"] == "reveal"]
    return [
        (author, {opening["author"] for opening in event["body"]["openings"]})
        for author, event in zip(asked, revealed, strict=False)
    ]
