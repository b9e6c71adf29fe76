"""Judges at the tables of an event, in real Chromium (specs/page.md, "An event"), each with a browser of their own."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.event_day import Day
from tests.server.machines import until
from tests.web.table_page import axe_findings
from tests.web.test_page_event import Screens, _two_phones, screens

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["screens"]

pytestmark = pytest.mark.long


def lines(day: Day, table: int) -> list[dict[str, Any]]:
    """The log of a table of the first round."""
    now = day.state.rounds[0].tables[table]
    assert now.line is not None
    game = day.state.openings[now.line].tables[table].game
    log = day.http.get(f"/v1/games/{game}/log?from=0", headers={"authorization": f"Bearer {day.token}"}).content
    return [json.loads(line) for line in log.splitlines()]


def sits(day: Day, name: str, table: int) -> bool:
    """Whether somebody has joined a table of the first round."""
    return any(line["type"] == "join" and line["author"] == name for line in lines(day, table))


def office(screens: Screens, name: str, role: str = "judge") -> "Page":
    """The phone of somebody whom an organizer has appointed."""
    page = screens.open("#staff")
    page.locator("#staff-name").fill(name)
    page.locator("main button.main").click()
    screens.day.does(screens.day.olga, "appoint", key=page.locator(".handed input").input_value(), role=role)
    page.locator("#queue-title").wait_for()
    return page


def at_table(*pages: "Page") -> None:
    """Players at their table, who can roll."""
    for page in pages:
        page.locator(".mine button.main").click()
    for page in pages:
        page.get_by_text("No dice yet. Roll below").wait_for()


def to_table(page: "Page", table: int = 11) -> None:
    """A judge who goes to a table."""
    page.locator(".tables li", has=page.locator(f"b:text-is('{table}')")).get_by_role(
        "button", name="To the table"
    ).click()
    page.locator(".game").wait_for()


def test_a_judge_sits_down_by_itself_and_calls_off_a_roll_that_waits(
    screens: Screens, axe: str, tmp_path: Path
) -> None:
    day = screens.day
    jo, kim = office(screens, "jo"), office(screens, "kim")
    address = kim.url
    kim.goto("about:blank")  # a phone in a pocket
    alice, bob = _two_phones(screens)
    until(lambda: sits(day, "jo", 11) and sits(day, "jo", 12))  # nobody has tapped at jo's phone
    at_table(alice, bob)
    until(lambda: {"p1", "p2"} <= {line["author"] for line in lines(day, 11) if line["type"] == "commit"})
    bob.context.close()
    alice.get_by_role("button", name="d20").first.click()
    alice.locator(".waits.slow", has_text="The roll waits for Bob Meyer.").wait_for()
    kim.goto(address)
    to_table(kim)
    kim.get_by_text("You had not sat down at this table before the roll was asked for").wait_for()
    kim.get_by_text("A judge who sits here can: jo.").wait_for()
    assert kim.get_by_text("Call this roll off, as judge").count() == 0, "what is refused is not offered"
    kim.screenshot(path=tmp_path / "a judge who comes later.png", full_page=True)
    assert axe_findings(kim, axe) == []
    to_table(jo)
    jo.get_by_text("Call this roll off, as judge").click()
    jo.get_by_role("group", name="Who gave no part").get_by_role("button", name="Bob Meyer").wait_for()
    assert jo.get_by_role("button", name=re.compile(r"^p\d$")).count() == 0, "people have names"
    jo.screenshot(path=tmp_path / "a judge calls a roll off.png", full_page=True)
    assert axe_findings(jo, axe) == []
    jo.get_by_label("has told me so, by another way").check()
    jo.get_by_role("button", name="Call this roll off; it waits for").click()
    alice.locator(".entry.roll.off").wait_for()
    until(lambda: sits(day, "kim", 11))  # as soon as no roll waits
    assert screens.problems == []


@pytest.mark.slow
def test_a_judge_who_is_appointed_later_sits_down_by_itself_too(screens: Screens) -> None:
    day = screens.day
    alice, bob = _two_phones(screens)
    at_table(alice, bob)
    alice.get_by_role("button", name="d20").first.click()
    bob.locator(".tray .die").first.wait_for()
    office(screens, "kim")  # and nobody taps at kim's phone
    until(lambda: sits(day, "kim", 11))
    assert not any(line["type"] == "admit" for line in lines(day, 12)), "its players have not sat down"
    assert screens.problems == []


@pytest.mark.slow
def test_a_ruling_without_effect_is_not_offered_and_an_appeal_is_carried_out(
    screens: Screens, axe: str, tmp_path: Path
) -> None:
    jo, hedda = office(screens, "jo"), office(screens, "hedda", "head")
    alice, bob = _two_phones(screens)
    at_table(alice, bob)
    alice.get_by_role("button", name="d20").first.click()
    to_table(jo)
    kinds = ".ruling-form label.key"
    jo.locator(".entry.roll.fair").get_by_role("button", name="Rule on").click()
    jo.locator(kinds, has_text="Void").click()
    jo.get_by_label("the reason").fill("rolled twice")
    face = alice.locator(".tray .total").inner_text()
    form = jo.locator(".ruling-form")
    form.get_by_text(re.compile(rf"About this: Alice Ito, d20: {face} \(\d\d:\d\d\)\.")).wait_for()
    jo.locator(".ruling-form button.sign:not([aria-disabled])").click()
    alice.locator(".loud.doubt", has_text="jo ruled void what you did").wait_for()
    alice.get_by_role("button", name="In place of the roll that jo ruled void").wait_for()
    assert bob.get_by_role("button", name="In place of the roll").count() == 0
    to_table(hedda)
    # Both judges have their phones on; who is asked for nothing is not called missing, nor is one on the own screen.
    hedda.get_by_text("Everybody is here.").wait_for()
    hedda.locator(".people li", has_text="hedda").locator(".presence", has_text=re.compile("^here$")).wait_for()
    assert hedda.locator(".people li", has_text="jo").locator(".presence").inner_text() in ("here", "not at the table")
    for entry in (".entry.roll.struck", ".entry.event:has-text('rules the roll void')"):
        hedda.locator(entry).get_by_role("button", name="Rule on").first.click()
        hedda.get_by_text("This stays void: no ruling makes it count again.").wait_for()
        offered = [each.inner_text() for each in hedda.locator(kinds).all()]
        assert offered == ["Uphold", "Penalty"], "only what does something"
    hedda.screenshot(path=tmp_path / "the head judge rules.png", full_page=True)
    assert axe_findings(hedda, axe) == []
    hedda.locator(kinds, has_text="Uphold").click()
    hedda.get_by_label("the reason").fill("roll it again, and I correct it")
    hedda.locator(".ruling-form button.sign:not([aria-disabled])").click()
    told = alice.locator(".loud.doubt", has_text="hedda ruled once more on what you did")
    told.get_by_text("roll it again, and I correct it").wait_for()
    alice.locator(".entry.roll.struck", has_text="hedda ruled").wait_for()  # at the roll too
    alice.screenshot(path=tmp_path / "a player reads both rulings.png", full_page=True)
    hedda.locator(".entry.roll.struck").get_by_role("button", name="Rule on").first.click()
    assert hedda.locator(".ruling-form").get_by_text("This is an earlier roll.").count() == 0
    alice.get_by_role("button", name="In place of the roll that jo ruled void").click()
    hedda.locator(".ruling-form").get_by_text("This is an earlier roll. The latest one is of Alice Ito").wait_for()
    for page in (alice, bob, hedda):
        page.locator(".entry.roll.fair:not(.struck)").get_by_text("In place of the roll that jo ruled void").wait_for()
        assert page.get_by_text("In place of the roll that jo ruled void").count() == 1, "it was made"
    again = hedda.locator(".entry.roll.fair:not(.struck)")
    again.get_by_role("button", name="Rule on").click()
    assert [each.inner_text() for each in hedda.locator(kinds).all()] == ["Void", "Correct", "Uphold", "Penalty"]
    hedda.locator(kinds, has_text="Correct").click()
    hedda.get_by_label("the reason").fill("the first roll counts")
    hedda.get_by_label("dice and their results").fill("1=7")
    hedda.locator(".ruling-form button.sign:not([aria-disabled])").click()
    alice.locator(".loud.doubt", has_text="hedda corrected what you did").wait_for()
    assert screens.problems == []


@pytest.mark.slow
def test_a_judge_with_another_name_sees_who_is_missing_without_loading_anew(screens: Screens) -> None:
    day = screens.day
    jo = office(screens, "jo")
    _two_phones(screens)
    jo.locator(".seated.missing", has_text="Dave Okafor").wait_for()
    day.does(day.olga, "end", left=[{"reason": "later", "table": table} for table in (11, 12)], round=1)
    day.does(day.olga, "dismiss", name="jo", reason="a wrong role")
    jo.get_by_text("jo is a name that somebody has, or had").wait_for()
    jo.locator("#staff-name").fill("jo-floor")
    jo.get_by_role("button", name="Make a key").click()
    day.does(day.olga, "appoint", key=jo.locator(".handed input").input_value(), role="judge")
    jo.locator("#queue-title").wait_for()
    day.pair(2)
    day.does(day.olga, "start", minutes=50, round=2)
    jo.locator(".seated.missing", has_text="Dave Okafor").wait_for()
    assert screens.problems == []
