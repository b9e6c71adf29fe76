"""What players, judges and the desk of an event are told, in real Chromium (specs/page.md, "An event")."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.event.acts import new_claim_code
from tests.server.event_day import Day
from tests.web.table_page import axe_findings
from tests.web.test_page_event import DESK, Screens, _desk, _two_phones, csv, screens
from tests.web.test_page_event_judges import at_table, office

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

__all__ = ["screens"]

pytestmark = pytest.mark.long


def row(page: "Page", table: int) -> "Locator":
    """A table in the list of staff."""
    return page.locator(".tables li", has=page.locator(f"b:text-is('{table}')"))


def fold(page: "Page", title: str) -> "Locator":
    """A fold, opened."""
    found = page.locator("details", has=page.locator("summary", has_text=title)).last
    found.locator("summary").first.click()
    return found


def wall(screens: Screens) -> "Page":
    """A screen for everybody in the hall."""
    desk = _desk(screens)
    fold(desk, "The wall, the bundle, the end").get_by_role("button", name="A link for the wall").click()
    link = desk.locator('input[aria-label="Link for the wall"]').input_value()
    return screens.open(link.partition(screens.day.event)[2], DESK)


def results(day: Day, first: int, second: int) -> list[dict[str, int]]:
    return [{"won": first}, {"won": second}]


@pytest.mark.slow
def test_a_penalty_is_seen_by_everybody_whom_it_concerns(screens: Screens, axe: str, tmp_path: Path) -> None:
    jo, hedda = office(screens, "jo"), office(screens, "hedda", "head")
    alice, bob = _two_phones(screens)
    form = fold(jo, "Give a penalty")
    form.locator("#penalty-who").fill("Nobody")
    form.locator("#penalty-text").fill("late")
    form.get_by_role("button", name="Give it").click()
    form.get_by_text("Nobody is called Nobody, and nobody has that number.").wait_for()
    form.locator("#penalty-who").fill("e")
    form.get_by_role("button", name="Give it").click()
    form.get_by_text("Several are called so: choose one.").wait_for()
    form.locator("#penalty-who").fill("alice ito")
    form.get_by_text("Alice Ito, number 1").wait_for()
    form.get_by_role("button", name="Game loss").click()
    form.get_by_role("button", name="Give it").click()
    form.get_by_text("Given to Alice Ito, who sees it on their phone: Game loss (late)").wait_for()
    assert form.locator("[aria-pressed=true]").inner_text() == "Warning", "the next one is chosen anew"
    alice.locator("section", has_text="Your penalties").get_by_text("Game loss").wait_for()
    assert bob.get_by_text("Your penalties").count() == 0
    alice.screenshot(path=tmp_path / "a player's penalty.png", full_page=True)
    bob.get_by_role("button", name="Call a judge").click()
    hedda.locator(".calls", has_text="Alice Ito: Game loss (late)").wait_for()
    given = fold(hedda, "Penalties: 1")
    given.get_by_text("by jo, line").wait_for()
    assert fold(jo, "Penalties: 1").get_by_text("Correct it").count() == 0, "a floor judge does not"
    given.get_by_text("Correct it, or take it back").click()
    given.get_by_role("button", name="Warning").click()
    given.get_by_role("button", name="Make it this").click()
    given.get_by_text("Say why").wait_for()
    given.get_by_label("Why").fill("the first time")
    given.get_by_role("button", name="Make it this").click()
    alice.locator("section", has_text="Your penalties").get_by_text("Warning").wait_for()
    hedda.screenshot(path=tmp_path / "penalties.png", full_page=True)
    for page in (alice, jo, hedda):
        assert axe_findings(page, axe) == []
    again = hedda.locator(".penalties")
    again.get_by_text("Correct it, or take it back").click()
    again.get_by_label("Why").fill("it was somebody else")
    again.get_by_role("button", name="Take it back").click()
    for page in (alice, jo, hedda):
        page.get_by_text("hedda took it back. The reason: it was somebody else").wait_for()
    assert alice.locator("section", has_text="Your penalties").locator("strong").count() == 0
    assert bob.get_by_text("hedda took it back").count() == 0
    assert screens.problems == []


@pytest.mark.slow
def test_an_appeal_says_what_it_is_about_and_who_answers_it(screens: Screens, axe: str, tmp_path: Path) -> None:
    jo, hedda = office(screens, "jo"), office(screens, "hedda", "head")
    alice, _ = _two_phones(screens)
    alice.locator("#why").fill("Bob rolled twice")
    alice.get_by_role("button", name="Call a judge").click()
    jo.locator(".calls input").fill("the second roll counts")
    jo.get_by_role("button", name="Answered").click()
    alice.get_by_role("button", name="Ask the head judge").click()
    for page in (jo, hedda):
        card = page.locator(".calls .call", has_text="Appeal")
        card.get_by_text("Bob rolled twice").wait_for()
        card.get_by_text("the second roll counts").wait_for()
        page.screenshot(path=tmp_path / f"appeal {page is jo}.png", full_page=True)
        assert axe_findings(page, axe) == []
    jo.get_by_text("A head judge or an organizer answers the appeal.").wait_for()
    assert jo.get_by_role("button", name="Answered").count() == 0
    hedda.get_by_role("button", name="Answered").click()
    jo.get_by_text("Nobody calls.").wait_for()
    people = fold(jo, "A player drops, or comes back")
    people.locator("#people").fill("Dave")
    people.locator("#people-why").fill("gone home")
    people.get_by_role("button", name="Drop Dave Okafor").click()
    people.get_by_text("A head judge or an organizer can bring Dave Okafor back").wait_for()
    assert screens.problems == []


@pytest.mark.slow
def test_the_desk_chooses_an_office_each_time_and_is_asked_before_the_end(
    screens: Screens, axe: str, tmp_path: Path
) -> None:
    day = screens.day
    desk, alice = _desk(screens), screens.phone(1)
    _ = day.state
    for number in (2, 3, 4):
        day.post(f"/v1/events/{day.event}/acts", day.check_in(number))
    jo = screens.open("#staff")
    jo.locator("#staff-name").fill("jo")
    jo.locator("main button.main").click()
    offices = fold(desk, "Judges and organizers")
    assert offices.locator("[aria-pressed=true]").count() == 0
    offices.locator("#appoint-key").fill(jo.locator(".handed input").input_value())
    offices.get_by_role("button", name="Appoint", exact=True).click()
    offices.get_by_text("Choose the office of jo first.").wait_for()
    offices.get_by_role("button", name="Head judge").click()
    offices.get_by_role("button", name="Appoint", exact=True).click()
    offices.get_by_text("jo is head judge now.").wait_for()
    assert offices.locator("[aria-pressed=true]").count() == 0, "it is chosen anew"
    assert day.state.people["jo"].role == "head"
    offices.locator("summary", has_text="Dismiss jo").click()
    offices.locator("#dismiss-jo").fill("a wrong office")
    offices.get_by_role("button", name="Dismiss", exact=True).click()
    offices.locator("li", has_text="jo").wait_for(state="detached")
    assert day.state.people["jo"].until is not None
    desk.screenshot(path=tmp_path / "offices.png", full_page=True)
    assert axe_findings(desk, axe) == []
    pairings = desk.locator("#pairings-file")
    pairings.set_input_files(csv("Tisch;Eins\n1;2\n"))
    desk.get_by_text("Line 1:").wait_for()
    assert pairings.evaluate("input => input.files.length") == 0, "the same file is a new choice"
    desk.get_by_text("Read: round.csv").wait_for()
    pairings.set_input_files(csv("Table,Player 1,Player 2\n11,1,2\n12,3,4\n"))
    desk.get_by_role("button", name="Publish").click()
    desk.get_by_role("button", name="Start the round").click()
    alice.get_by_role("button", name="To the table").wait_for()
    jun = office(screens, "jun")
    table = row(jun, 12)
    table.get_by_text("Write the result").click()
    table.get_by_label("Why").first.fill("they left")
    table.get_by_role("button", name="2 : 0").click()
    table.get_by_role("button", name="Sign the result").click()
    desk.locator("#left").fill("their slip comes later")
    desk.get_by_role("button", name="End the round").click()
    end = fold(desk, "The wall, the bundle, the end")
    end.get_by_text("Close the event", exact=True).click()
    end.get_by_text("Round 1, table 11: Alice Ito and Bob Meyer").wait_for()
    assert end.get_by_text("table 12").count() == 0
    end.get_by_role("button", name="Close it for good").click()
    end.get_by_text("Nobody can undo this.").wait_for()
    end.screenshot(path=tmp_path / "close.png")
    end.get_by_role("button", name="Not yet").click()
    assert not day.state.closed
    day.does(day.olga, "slip", reason="both said so", round=1, sides=results(day, 2, 1), table=11)
    end.get_by_text("Round 1, table 11").wait_for(state="detached")
    end.get_by_role("button", name="Close it for good").click()
    end.get_by_role("button", name="Yes, close it").click()
    alice.get_by_text("The event is over").wait_for()
    own = alice.locator(".own-results li", has_text="Round 1, table 11")
    assert [" ".join(each.inner_text().split()) for each in own.locator(".result li").all()] == ["You 2", "Bob Meyer 1"]
    alice.screenshot(path=tmp_path / "own results.png", full_page=True)
    assert axe_findings(alice, axe) == []
    assert day.state.closed
    assert screens.problems == []


@pytest.mark.slow
def test_the_page_of_a_table_has_the_time_the_result_and_a_judge(screens: Screens, axe: str, tmp_path: Path) -> None:
    day = screens.day
    jo = office(screens, "jo")
    alice, bob = _two_phones(screens)
    at_table(alice, bob)
    event = alice.url
    alice.locator(".at-event .clock", has_text="left in round 1").wait_for()
    day.does(day.olga, "pause", minutes=10, reason="fire drill", round=1)
    alice.locator(".at-event .clock", has_text="Pause for").wait_for()
    alice.locator(".calls-judge summary").click()
    alice.locator("#why").fill("a die fell")
    alice.locator(".calls-judge").get_by_role("button", name="Call a judge").click()
    jo.locator(".calls").get_by_text("a die fell").wait_for()
    jo.locator(".calls input").fill("roll it again")
    jo.get_by_role("button", name="Answered").click()
    alice.locator(".earlier-call", has_text="An earlier call: a die fell jo said: roll it again").wait_for()
    day.does(day.olga, "penalty", number=1, penalty="warning", text="slow play")
    bob.get_by_role("button", name="← To the event").click()
    bob.get_by_role("button", name="2 : 1").click()
    bob.get_by_role("button", name="Sign: I won 2 : 1").click()
    bob.locator("#result-title", has_text="Your opponent signs next").wait_for()
    bob.get_by_role("button", name="To the table").click()
    alice.get_by_text("A result waits for your signature.").wait_for()
    alice.screenshot(path=tmp_path / "at the table.png")
    assert bob.get_by_text("A result waits for your signature.").count() == 0
    assert bob.get_by_text("Your penalties").count() == 0
    alice.locator(".at-event .loud", has_text="Your penalties: Warning").get_by_role(
        "button", name="Look at it"
    ).click()
    alice.locator("#penalties-title").wait_for()
    alice.get_by_role("button", name="To the table").click()
    alice.locator(".game").wait_for()
    assert axe_findings(alice, axe) == []
    alice.go_back()
    alice.locator("#mine-title").wait_for()
    assert alice.url == event, "the phone's own Back leads to the event"
    alice.get_by_role("button", name="To the table").click()
    alice.locator(".game").wait_for()
    alice.get_by_role("button", name="← To the event").click()
    alice.get_by_role("button", name="To the table").click()
    alice.locator(".game").wait_for()
    day.does(day.olga, "slip", reason="no-show", round=1, sides=results(day, 2, 0), table=11)
    for page in (alice, bob):
        page.locator("#news-title", has_text="The result stands").wait_for()
        page.get_by_text("Nothing is left to play at this table.").wait_for()
    bob.screenshot(path=tmp_path / "the result stands, at the table.png")
    day.does(day.olga, "correct-result", reason="sides swapped", round=1, sides=results(day, 0, 2), table=11)
    bob.go_back()
    for page in (alice, bob):
        told = page.locator(".corrected")
        told.get_by_text("olga corrected this result. The reason: sides swapped").wait_for()
        told.get_by_text("It was: Alice Ito 2 : Bob Meyer 0").wait_for()
        page.screenshot(path=tmp_path / f"corrected {page is alice}.png")
        assert axe_findings(page, axe) == []
    assert screens.problems == []


@pytest.mark.slow
def test_more_time_and_dice_by_hand_are_seen(screens: Screens, axe: str, tmp_path: Path) -> None:
    jo, screen = office(screens, "jo"), wall(screens)
    alice, _ = _two_phones(screens)
    row(jo, 12).locator(".missing").wait_for()
    table = row(jo, 11)
    table.get_by_text("More time").click()
    table.locator("#more-11").fill("x")
    table.get_by_role("button", name="Give more time").click()
    table.get_by_text("Type minutes from 1 to 600.").wait_for()
    table.locator("#more-11").fill("7")
    table.locator("#more-why-11").fill("a long search")
    table.get_by_role("button", name="Give more time").click()
    table.get_by_text("This table has 7 minutes more now.").wait_for()
    screen.locator(".pairings li", has_text="Alice Ito").first.get_by_text("7 minutes more").wait_for()
    assert screen.locator(".pairings li", has_text="Dave Okafor").get_by_text("more").count() == 0
    screen.screenshot(path=tmp_path / "wall.png")
    table.get_by_text("Dice by hand").click()
    table.get_by_label("Why, and who sees the dice").fill("a dead phone; jo sees each throw")
    table.get_by_role("button", name="Write it down").click()
    alice.get_by_text("Throw your dice by hand at this table.").wait_for()
    alice.get_by_text("sign the result on your phone as usual").wait_for()
    assert alice.get_by_role("button", name="To the table").count() == 0
    alice.screenshot(path=tmp_path / "by hand.png", full_page=True)
    row(jo, 11).locator(".seated").wait_for(state="detached")
    assert row(jo, 12).locator(".missing").count() == 1
    for page in (alice, jo, screen):
        assert axe_findings(page, axe) == []
    assert screens.problems == []


def test_a_players_own_old_link_on_the_new_phone_keeps_the_names(screens: Screens) -> None:
    day = screens.day
    alice, _ = _two_phones(screens)
    phone = screens.open("")
    phone.get_by_text("No code, or another phone").click()
    phone.locator("#lost-number").fill("1")
    phone.get_by_role("button", name="Make a key").click()
    key = phone.locator(".handed input").first.input_value()
    alice.context.close()
    day.does(day.olga, "correct-key", key=key, number=1, reason="another phone")
    phone.get_by_text("against Bob Meyer").wait_for()
    phone.goto("about:blank")
    phone.goto(f"{day.address}/e/{day.event}#{day.codes[1]}")
    phone.get_by_text("against Bob Meyer").wait_for()
    phone.get_by_text("You are Alice Ito, number 1.").wait_for()
    assert screens.problems == []


def test_a_player_of_a_link_is_looked_for_before_a_code_is_asked_for(screens: Screens) -> None:
    """The lines of the event may still be coming: an empty field would look as if the link had no code."""
    phone = screens.open(f"#{new_claim_code()}")
    phone.get_by_text("Your registration is being looked for…").wait_for()
    assert phone.locator("#code").count() == 0
    phone.locator("#code").wait_for()  # nobody has this code
    assert screens.problems == []
