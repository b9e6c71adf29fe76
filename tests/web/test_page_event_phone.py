"""Another phone at an open table of an event, and a judge who is appointed later, in real Chromium (specs/page.md).

Each party has a browser context of its own.
"""

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.event_day import Day
from tests.server.machines import until
from tests.web.table_page import axe_findings
from tests.web.test_page_event import Screens, _desk, _judge, _two_phones, screens
from verifier.event.bundle import verify_bundle

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["screens"]

pytestmark = pytest.mark.long


def lines(day: Day, table: int) -> list[dict[str, Any]]:
    """The log of a table of the first round."""
    now = day.state.rounds[0].tables[table]
    assert now.line is not None
    game = day.state.openings[now.line].tables[table].game
    log = day.http.get(f"/v1/games/{game}/log?from=0", headers={"authorization": f"Bearer {day.token}"}).content
    return [json.loads(line) for line in log.splitlines()]


def at_table(*pages: "Page") -> None:
    """Players at their table, who can roll."""
    for page in pages:
        page.locator(".mine button.main").click()
    for page in pages:
        page.get_by_text("No dice yet. Roll below").wait_for()


def new_phone(screens: Screens, number: int) -> "Page":
    """A phone that shows a key for a player."""
    phone = screens.open("")
    phone.get_by_text("No code, or another phone").click()
    phone.locator("#lost-number").fill(str(number))
    phone.get_by_role("button", name="Make a key").click()
    phone.locator("#lost-title").wait_for()
    return phone


def give(screens: Screens, desk: "Page", phone: "Page", name: str) -> None:
    """The desk opens what the phone shows, and gives the phone to the player."""
    key = phone.locator(".handed input").first.input_value()
    desk.goto(f"{screens.day.address}/e/{screens.day.event}#staff.{key}")
    desk.get_by_role("button", name=f"Give the phone to {name}").click()


def without_phones(route: "Route") -> None:
    """A server that names no phone that waits for a judge."""
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "phones": []})


def to_table(jo: "Page", table: int = 11) -> None:
    """A judge opens a table of the list."""
    jo.locator("[aria-labelledby=tables-title] > ul > li", has_text=str(table)).get_by_role(
        "button", name="To the table"
    ).click()
    jo.locator("#rulings-title").wait_for()


@pytest.mark.slow
def test_a_phone_dies_while_a_roll_waits_and_the_other_plays_on(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    desk, jo = _desk(screens), _judge(screens)
    alice, bob = _two_phones(screens)
    at_table(alice, bob)
    to_table(jo)
    jo.locator(".people li", has_text="jo").get_by_text("here", exact=True).wait_for()
    alice.get_by_role("button", name="d20").first.click()
    for page in (alice, bob):
        page.locator(".tray .die").first.wait_for()
    bob.context.close()
    alice.get_by_role("button", name="d20").first.click()
    until(lambda: lines(day, 11)[-1]["type"] == "roll")

    phone = new_phone(screens, 2)
    key = phone.locator(".handed input").first.input_value()
    jo.goto(f"{day.address}/e/{day.event}#staff.{key}")
    jo.get_by_text("Only an organizer can do this: send Bob Meyer to the desk.").wait_for()
    assert jo.get_by_role("button", name="Give the phone to Bob Meyer").count() == 0
    desk.route("**/waiting", without_phones)
    give(screens, desk, phone, "Bob Meyer")
    desk.get_by_text("A judge has to go to table 11 now, and let the phone of Bob Meyer into the game.").wait_for()
    assert desk.locator(".phones").count() == 0, "the server names no phone, and the desk goes by its own act"
    desk.unroute("**/waiting")
    desk.locator("#phone-title").scroll_into_view_if_needed()
    desk.screenshot(path=tmp_path / "desk.png")
    told = "Table 11: a new phone of Bob Meyer waits for a judge, who lets it into the game."
    for page in (desk, jo):
        page.locator(".phones", has_text=told).wait_for()
    assert desk.locator(".phones").get_by_role("button").count() == 0, "an organizer has no seat there"
    assert jo.get_by_text("A player without a code").count() == 1
    assert jo.get_by_text("A player who has checked in already gets another phone at the desk.").count() == 1
    assert jo.get_by_text("Another phone, or a lost code").count() == 0, "what a judge cannot do is not offered"
    jo.screenshot(path=tmp_path / "queue.png", full_page=True)
    phone.get_by_text("A judge has to come to your table").wait_for()
    phone.screenshot(path=tmp_path / "phone waits.png")
    assert axe_findings(phone, axe) == []
    phone.get_by_role("button", name="Call a judge for this").click()
    phone.get_by_text("A judge is called, and comes.").wait_for()
    phone.locator(".mine button.main").click()
    phone.get_by_text("This phone plays for you when a judge has come to the table and let it in.").wait_for()
    phone.screenshot(path=tmp_path / "phone at the table.png")
    jo.get_by_role("button", name="A judge is called: Table 11").click()
    jo.locator(".calls li").get_by_text("another phone").wait_for()
    jo.locator(".calls li").get_by_role("button", name="To the table").click()
    jo.get_by_role("button", name="Bob Meyer goes on with the other phone").click()
    jo.get_by_text("First ask Alice Ito, by another way than this server.").wait_for()
    jo.locator("#phone-p2-title").scroll_into_view_if_needed()
    jo.screenshot(path=tmp_path / "judge confirms.png")
    assert axe_findings(jo, axe) == []
    # What the judge asks for stands on her screen, unfolded, with the button that the judge's screen names.
    own = alice.locator(".own-part")
    own.get_by_text("This device has not given its part in this roll.").wait_for()
    jo.get_by_text("Alice Ito taps “Take no part in this roll” there").wait_for()
    alice.screenshot(path=tmp_path / "the closer's own part.png")
    assert axe_findings(alice, axe) == []
    own.get_by_role("button", name="Take no part in this roll").click()
    own.get_by_text("This device takes no part in this roll any more.").wait_for()
    jo.get_by_role("button", name="Alice Ito has told me so: call the roll off, and Bob Meyer goes on").click()
    jo.locator("#phone-p2-title").wait_for(state="detached")
    desk.get_by_text("A judge has to go to table 11 now").wait_for(state="detached")
    desk.locator(".phones").wait_for(state="detached")

    # The new phone is in, and nobody has tapped on it; the roll is owed, and made with its part.
    phone.get_by_role("button", name="d20").first.wait_for()
    phone.screenshot(path=tmp_path / "phone plays.png")
    alice.locator(".due button.main").first.click()
    for page in (alice, phone):
        page.locator(".tray .die").first.wait_for()
    log = lines(day, 11)
    at = next(i for i, event in enumerate(log) if event["type"] == "void")
    assert [(event["type"], event["author"]) for event in log[at : at + 9]] == [
        ("void", "jo"),
        ("disclose", day.keeper.split("+")[0]),
        ("away", "jo"),
        ("replace", day.keeper.split("+")[0]),
        ("join", "p2"),
        ("back", "p2"),
        ("commit", "p2"),
        ("roll", "p1"),
        ("reveal", day.keeper.split("+")[0]),
    ]
    for page in (alice, phone):
        page.locator(".tray").get_by_text("new key: Bob Meyer").wait_for()
        assert page.get_by_text("had none").count() == 0, "the new phone had a part in the dice"
    assert log[at]["body"]["missing"] == ["p1", "p2"]
    assert {each["author"] for each in log[at + 8]["body"]["openings"]} >= {"p1", "p2"}
    assert log[at + 3]["body"]["correction"]["act"]["key"] == str(day.state.players[2].key)

    assert screens.problems == []
    holds(day)


def holds(day: Day) -> None:
    """The bundle that the server makes holds, with its games."""
    data = day.http.get(f"/v1/events/{day.event}/bundle", headers={"authorization": f"Bearer {day.token}"}).content
    report = verify_bundle(io.BytesIO(data))
    assert [each for each in report.findings if each.severity == "error"] == []


@pytest.mark.slow
def test_the_old_phone_is_told_and_a_lost_closer_is_asked_at_the_table(
    screens: Screens, axe: str, tmp_path: Path
) -> None:
    """Alice asks for dice, and her phone is not there to give the last part; it comes back later."""
    day = screens.day
    desk, jo = _desk(screens), _judge(screens)
    alice, bob = _two_phones(screens)
    at_table(alice, bob)
    to_table(jo)
    jo.locator(".people li", has_text="jo").get_by_text("here", exact=True).wait_for()
    bob.context.set_offline(True)
    alice.get_by_role("button", name="d20").first.click()
    until(lambda: lines(day, 11)[-1]["type"] == "roll")
    alice.context.set_offline(True)
    bob.context.set_offline(False)
    phone = new_phone(screens, 1)
    give(screens, desk, phone, "Alice Ito")
    jo.locator("#phone-p1-title").wait_for()
    jo.get_by_text("The roll waits for Alice Ito.").wait_for()
    jo.get_by_role("button", name="Alice Ito goes on with the other phone").click()
    jo.get_by_text("First Alice Ito says to you that the old phone has not given its part in this roll").wait_for()
    jo.locator("#phone-p1-title").scroll_into_view_if_needed()
    jo.screenshot(path=tmp_path / "judge asks her.png")
    jo.get_by_role("button", name="Alice Ito has told me so").click()
    phone.locator(".mine button.main").click()
    phone.locator(".due button.main").first.click()
    for page in (bob, phone):
        page.locator(".tray .die").first.wait_for()
    assert next(event for event in lines(day, 11) if event["type"] == "void")["body"]["missing"] == ["p1"]
    alice.context.set_offline(False)
    alice.get_by_text("goes on under another key").wait_for()
    alice.screenshot(path=tmp_path / "old phone at the table.png")
    alice.locator(".back button").click()
    alice.locator("#replaced-title").wait_for()
    alice.screenshot(path=tmp_path / "old phone.png")
    assert axe_findings(alice, axe) == []
    assert alice.locator("#door-title").count() == 0
    assert screens.problems == []
    holds(day)


def test_without_a_judge_or_before_all_sit_the_table_begins_anew(screens: Screens) -> None:
    day = screens.day
    desk, _jo = _desk(screens), _judge(screens)
    alice, bob = _two_phones(screens)
    alice.locator(".mine button.main").click()
    alice.locator(".game").wait_for()
    before = day.state.rounds[0].tables[11].line
    bob.context.close()
    phone = new_phone(screens, 2)
    give(screens, desk, phone, "Bob Meyer")
    desk.get_by_text("Table 11 goes on in a new game, with the new phone.").wait_for()
    assert day.state.rounds[0].tables[11].line != before
    at_table(alice, phone)
    assert screens.problems == []


@pytest.mark.slow
def test_a_judge_appointed_after_the_start_answers_a_call(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    alice, bob = _two_phones(screens)
    at_table(alice, bob)
    alice.get_by_role("button", name="d20").first.click()
    for page in (alice, bob):
        page.locator(".tray .die").first.wait_for()
    bob.context.set_offline(True)
    alice.get_by_role("button", name="d20").first.click()
    until(lambda: lines(day, 11)[-1]["type"] == "roll")
    jo = _judge(screens)
    jo.locator("[aria-labelledby=tables-title] > ul > li", has_text="11").get_by_role(
        "button", name="To the table"
    ).click()
    jo.get_by_text("You can judge here as soon as the server lets you in. It does so when no roll waits.").wait_for()
    jo.screenshot(path=tmp_path / "judge waits.png")
    assert axe_findings(jo, axe) == []
    bob.context.set_offline(False)
    jo.locator("#rulings-title").wait_for()
    alice.locator(".back button").click()
    alice.get_by_role("button", name="Call a judge").click()
    jo.get_by_role("button", name="A judge is called: Table 11").click()
    jo.locator(".calls li").get_by_role("button", name="To the table").click()
    jo.locator("#rulings-title").wait_for()
    jo.locator("#log-title").scroll_into_view_if_needed()
    jo.locator(".entry.roll").first.get_by_role("button", name="Rule").click()
    jo.locator("#rulings-title").wait_for()
    jo.get_by_text("Void", exact=True).click()
    jo.locator(".ruling-form textarea, .ruling-form input[type=text]").last.fill("a cocked die")
    jo.screenshot(path=tmp_path / "judge rules.png")
    jo.locator(".ruling-form button.main").last.click()
    until(lambda: lines(day, 11)[-1]["type"] == "ruling")
    log = lines(day, 11)
    (admit,) = [event for event in log if event["type"] == "admit"]
    assert admit["body"]["appointment"]["act"]["key"] == admit["body"]["key"]
    assert [event["type"] for event in log if event["author"] == "jo"] == ["join", "ruling"]
    assert not any(event["type"] == "consent" for event in log)
    assert screens.problems == []
    holds(day)
