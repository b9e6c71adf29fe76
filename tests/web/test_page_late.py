"""Somebody comes later, and somebody's phone dies, on the table page in Chromium (specs/page.md)."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server
from tests.web.cheat import Cheat
from tests.web.people import Person, opened
from tests.web.table_page import until
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

IN_VIEW = """(selector) => {
  scrollTo(0, 0);
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight;
}"""
BELOW_TRAY = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const bottom = document.querySelector('.parts').getBoundingClientRect().top;
  return box.top >= document.querySelector('.tray').getBoundingClientRect().bottom && box.bottom <= bottom;
}"""


@pytest.mark.slow
def test_a_host_ends_a_link_in_the_game_and_who_comes_by_it_is_told(browser: "Browser", server: Server) -> None:
    alice, bob, carol = (Person(browser, name) for name in ("alice", "bob", "carol"))
    links = opened(alice, server.address, [bob])
    for each in (alice, bob):
        each.page.locator(".card.table summary", has_text="Invite").click()
    link = alice.page.locator(".card.table input.link").first
    alice.page.locator(".card.table summary", has_text="Other links").click()
    alice.page.get_by_role("button", name="Make a new one, which ends this").first.click()
    until(alice.page, f"document.querySelector('.card.table input.link').value !== {links['player']!r}")
    carol.page.goto(links["player"])
    carol.is_told("alice has made a new link in the place of this one: ask for it.")
    carol.page.goto("about:blank")
    carol.page.goto(link.input_value())
    carol.page.get_by_text("The game has begun. Ask alice to let you in.").wait_for()
    for each in (alice, bob, carol):
        each.close()


def test_a_late_friend_and_a_judge_come(browser: "Browser", server: Server, tmp_path: Path, axe: str) -> None:
    alice, bob, carol = (Person(browser, name) for name in ("alice", "bob", "carol"))
    dana = Person(browser, "dana", locale="ja-JP")
    links = opened(alice, server.address, [bob])
    alice.roll()
    bob.sees_rolls(1)
    # Whoever plays finds the link beside the people.
    for each in (alice, bob):
        each.page.locator(".card.table summary", has_text="Invite").click()
        assert each.page.locator(".card.table input.link").first.input_value() == links["player"]
    bob.page.get_by_text("Anybody who opens it asks alice to be let in.").wait_for()
    bob.looked_at(tmp_path, "invites", axe)
    alice.looked_at(tmp_path, "host invites", axe)
    # Carol opens the link, types a name, and sees that alice is asked.
    carol.page.goto(links["player"])
    carol.page.get_by_text("The game has begun. Ask alice to let you in.").wait_for()
    assert carol.page.evaluate(IN_VIEW, "#name"), "what she came for is in view"
    carol.looked_at(tmp_path, "may ask", axe)
    carol.page.locator("#name").fill("carol")
    carol.page.keyboard.press("Enter")
    carol.page.get_by_text("alice is asked to let you in, carol.").wait_for()
    carol.looked_at(tmp_path, "has asked", axe)
    bob.roll()
    alice.sees_rolls(2)
    # Alice has one card, and one tap; bob is asked for his consent, and tells nobody anything without it.
    letting = alice.page.get_by_role("button", name="Let carol in")
    letting.wait_for()
    assert alice.page.evaluate(IN_VIEW, ".status button"), "a line in view leads to the card, which moves no key"
    alice.page.locator(".status button").click()
    alice.page.locator("#late-title:focus").wait_for()
    alice.looked_at(tmp_path, "host is asked", axe)
    assert bob.page.get_by_role("button", name="Let carol in").count() == 0
    letting.click()
    letting.wait_for(state="detached")
    carol.page.locator("#line").wait_for()
    bob.page.get_by_text("carol came later, and rolls like everybody.").wait_for()
    bob.looked_at(tmp_path, "consent", axe)
    bob.page.get_by_text("not connected").wait_for(state="detached")
    carol.roll("3d6")
    for each in (alice, bob, carol):
        each.sees_rolls(3)
    bob.page.get_by_role("button", name="Agree to carol").click()
    bob.page.locator(".late").wait_for(state="detached")
    # A judge is called, who reads Japanese, and judges when all three have agreed.
    dana.page.goto(links["judge"])
    dana.page.get_by_text("ゲームは始まっています。aliceに参加を求めてください。").wait_for()
    dana.looked_at(tmp_path, "ja may ask", axe)
    dana.page.locator("#name").fill("dana")
    dana.page.keyboard.press("Enter")
    alice.page.get_by_role("button", name="Let dana in").click()
    dana.page.locator(".ruling-form").wait_for()
    dana.page.get_by_text("あなたは後から来ました。").wait_for()
    dana.looked_at(tmp_path, "ja judge waits", axe)
    for each in (bob, carol):
        each.page.get_by_role("button", name="Agree to dana").click()
        each.page.locator(".late").wait_for(state="detached")
    dana.page.locator(".late").wait_for(state="detached")
    report, replay = verify(alice.log())
    assert report.verdict == "holds"
    assert replay is not None
    assert replay.session.parties.late["carol"].settled is not None
    assert replay.session.parties.late["dana"].settled is not None
    assert all(late.by_host for late in replay.conduct.late.values())
    assert len(replay.contributors("bob")) == 4
    for each in (alice, bob, carol, dana):
        each.close()


def test_a_host_turns_somebody_away(browser: "Browser", server: Server) -> None:
    alice, eve = Person(browser, "alice"), Person(browser, "eve")
    links = opened(alice, server.address)
    eve.page.goto(links["player"])
    eve.page.locator("#name").fill("eve")
    eve.page.keyboard.press("Enter")
    alice.page.get_by_text("Not eve?").click()
    alice.page.get_by_role("button", name="Turn eve away").click()
    eve.is_told("alice has turned you away, or so this server says.")
    alice.page.locator(".late").wait_for(state="detached")
    alice.close()
    eve.close()


def test_a_phone_dies_at_a_table_of_two_and_comes_back(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    links = opened(alice, server.address, [bob], gone="Go on without them")
    alice.roll()
    bob.sees_rolls(1)  # so his page has committed
    bob.page.goto("about:blank")  # the phone is dead
    alice.roll()
    # Two taps from the roll that waits to the next dice: go on without bob, and the roll.
    going = alice.page.get_by_role("button", name="Go on without bob")
    going.wait_for()
    assert alice.page.evaluate(IN_VIEW, ".late button.main")
    alice.looked_at(tmp_path, "phone died", axe)
    # A page that is loaded anew knows of nobody whether they are gone, until its stream has stood for as long.
    alice.page.route("**/stream?*", lambda route: route.abort())
    alice.page.reload()
    alice.page.locator(".now .since", has_text=re.compile(r"For (1[5-9] s|[2-9]\d s|\d+ min)")).wait_for()
    alice.page.wait_for_timeout(3_000)
    assert going.count() == 0
    with alice.page.expect_response(re.compile("/stream")):
        alice.page.unroute("**/stream?*")
    alice.page.wait_for_timeout(3_000)
    assert going.count() == 0, "the stream has just begun to say who is here"
    going.wait_for()
    going.click()
    alice.page.locator(".people li.away").wait_for()
    alice.page.locator(".due button.sign:not([aria-disabled])").click()  # the roll that she owes
    alice.sees_rolls(2)
    alice.page.locator(".tray").get_by_text("without bob").wait_for()
    alice.looked_at(tmp_path, "rolled without bob", axe)
    # Bob is back with one tap, and with the same tap he accepts what was rolled meanwhile, or not.
    bob.page.goto(links["player"])
    bob.page.get_by_role("button", name="I am back", exact=False).first.wait_for()
    back = bob.page.get_by_role("button", name="I am back, and accept them")
    back.wait_for()
    assert bob.page.evaluate(IN_VIEW, ".late button.main")
    bob.looked_at(tmp_path, "away", axe)
    back.click()
    alice.page.locator(".people li.away").wait_for(state="detached")
    bob.roll()
    alice.sees_rolls(3)
    report, replay = verify(alice.log())
    assert (report.verdict, replay is not None and replay.session.parties.away) == ("holds", frozenset())
    assert replay is not None
    ((request, names),) = replay.conduct.without.items()
    assert (names, replay.conduct.unaccepted(request)) == (("bob",), ())
    alice.close()
    bob.close()


@pytest.mark.slow
def test_a_phone_dies_before_its_owner_agreed_to_who_came_later(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    """Carol has no say yet in who is signed away, is offered none, and holds nobody up: alice goes on."""
    alice, bob, carol = (Person(browser, name) for name in ("alice", "bob", "carol"))
    links = opened(alice, server.address, [bob], gone="Go on without them")
    alice.roll()
    bob.sees_rolls(1)
    carol.page.goto(links["player"])
    carol.page.locator("#name").fill("carol")
    carol.page.keyboard.press("Enter")
    alice.page.get_by_role("button", name="Let carol in").click()
    bob.page.get_by_text("carol came later, and rolls like everybody.").wait_for()
    bob.page.goto("about:blank")  # the phone is dead
    # Alice says so at once, and is told why that is not enough yet.
    alice.page.get_by_text("Who is here").click()
    alice.page.get_by_role("button", name="Sign bob away").click()
    alice.page.locator("#said-title", has_text="You go on without bob").wait_for()
    alice.looked_at(tmp_path, "said", axe)
    # Carol's roll waits for bob, and she can call it off, as with any other; who goes on without bob is alice's to say.
    carol.roll()
    carol.page.get_by_text("Who can go on without bob: alice.").wait_for()
    carol.page.get_by_text("You came later, and have no say in that").wait_for()
    carol.looked_at(tmp_path, "no say", axe)
    assert carol.page.get_by_role("button", name="Go on without bob").count() == 0
    assert carol.page.get_by_role("button", name="Sign bob away").count() == 0
    carol.page.get_by_text("Call this roll off", exact=True).click()
    carol.page.get_by_role("button", name="Call this roll off; it waits for bob").click()
    alice.page.locator(".people li.away").wait_for()
    carol.page.locator(".due button.sign:not([aria-disabled])").click()  # the roll that she owes
    for each in (alice, carol):
        each.sees_rolls(2)
    assert alice.page.locator("#said-title").count() == 0
    _, replay = verify(alice.log())
    assert replay is not None
    assert replay.session.parties.is_newcomer("carol")
    assert (set(replay.session.parties.away), len(replay.contributors("carol"))) == ({"bob"}, 3)
    for each in (alice, bob, carol):
        each.close()


@pytest.mark.slow
def test_a_phone_dies_before_its_page_has_committed(
    browser: "Browser", server: Server, cheat: Cheat, tmp_path: Path, axe: str
) -> None:
    """Bob has agreed, and his phone dies before his first commit is here: nobody can roll, so nothing is called off."""
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    bob.address = cheat.address
    cheat.request = lambda _, path, body: (503, b"") if path.endswith("/lines") and b'"type":"commit"' in body else None
    links = opened(alice, server.address, [bob], gone="Go on without them")
    bob.page.goto("about:blank")
    alice.roll()
    alice.page.get_by_text("Waits for bob, whose page has to prepare for the next roll.").wait_for()
    alice.looked_at(tmp_path, "waits for bob", axe)
    alice.page.get_by_text("bob has no link left for this roll").wait_for()  # her tap is over
    going = alice.page.get_by_role("button", name="Go on without bob")
    going.wait_for()
    assert alice.page.evaluate(IN_VIEW, ".late button.main")
    alice.looked_at(tmp_path, "bob is gone", axe)
    alice.page.locator(".parts").get_by_role("button", name="Log").click()
    alice.page.locator(".parts").get_by_role("button", name="Now").click()
    assert alice.page.evaluate(BELOW_TRAY, "#gone-title")
    assert alice.page.evaluate(BELOW_TRAY, ".late button.main")
    going.click()
    alice.page.locator(".people li.away").wait_for()
    alice.roll()
    alice.sees_rolls(1)
    # Bob is back, and his page reaches the server.
    cheat.request = None
    bob.page.goto(links["player"].replace(server.address, cheat.address))
    bob.page.locator(".late button.sign", has_text="I am back").first.click()
    alice.page.locator(".people li.away").wait_for(state="detached")
    alice.roll()
    alice.sees_rolls(2)
    _, replay = verify(alice.log())
    assert replay is not None
    assert not list(replay.voided), "nothing was called off"
    assert len(replay.contributors("alice")) == 3
    alice.close()
    bob.close()
