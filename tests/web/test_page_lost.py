"""A browser is lost in a game that goes on, and a new one takes its place, in Chromium (specs/page.md)."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.seats.identity import Identity
from ledger.seats.profile import read_profile, succeed
from tests.server.served import Server
from tests.web.cheat import Cheat, Event, Keeper
from tests.web.people import Person, opened
from tests.web.test_page_secret import asks, tray
from verifier import verify
from verifier.log.merkle import leaf_hash

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

PASSPHRASE = "seven songs in a row"
GONE = "Go on without them"


def started(
    alice: Person, address: str, others: list[Person], keeps: Person | None = None
) -> tuple[dict[str, str], bytes]:
    """A game that has begun; who `keeps` its profile safe does so before it agrees; the links, and its file."""
    links, file = opened(alice, address, others, start=False, gone=GONE), b""
    if keeps is not None:
        file = kept(keeps)
    alice.page.locator(".people li").nth(len(others)).wait_for()
    alice.page.locator("button:has-text('Start with')").click()
    for each in others:
        each.page.locator("button.main:has-text('Agree to these terms')").click()
    for each in (alice, *others):
        each.page.locator("#line").wait_for()
        each.page.get_by_text("has not agreed yet").first.wait_for(state="detached")
    return links, file


def kept(person: Person) -> bytes:
    """Who sits at a table keeps its profile safe before the start; its file."""
    table = person.page.url
    person.page.goto(table.partition("/t/")[0])
    person.page.get_by_text("Keep it safe").click()
    person.page.locator("#keep-passphrase").fill(PASSPHRASE)
    ((_, file),) = person.save("Save the file").items()
    person.page.goto(table)
    return file


def bring_in(person: Person, file: Path) -> None:
    """In a new browser, the file of the profile."""
    person.page.get_by_text("This is me on a new phone").click()
    person.page.locator("#profile").set_input_files(file)
    person.page.locator("#profile-passphrase").fill(PASSPHRASE)
    person.page.get_by_role("button", name="This is me", exact=True).click()
    person.page.get_by_text("This is you from now on.").wait_for()


def lose(person: Person) -> None:
    """The phone is at the bottom of a lake."""
    person.page.goto("about:blank")


def holds(person: Person) -> str:
    """What the report of a log that holds says of who goes on."""
    report, _ = verify(person.log())
    assert report.verdict == "holds", report.findings
    return next(str(each.message) for each in report.findings if each.code == "party.replaced")


def test_a_new_browser_goes_on_by_the_recovery_key_at_a_table_of_two(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    links, file = started(alice, server.address, [bob], keeps=bob)
    (tmp_path / "file").write_bytes(file)
    bob.roll()
    alice.sees_rolls(1)
    lose(bob)
    new = Person(browser, "bob")
    new.page.goto(links["player"])
    new.page.get_by_text("I was here, and my browser is lost").click()
    new.page.get_by_text("This is me on a new phone").click()
    new.page.locator("#profile").set_input_files(tmp_path / "file")
    new.page.locator("#profile-passphrase").fill(PASSPHRASE)
    new.looked_at(tmp_path, "brings the file", axe)
    new.page.get_by_role("button", name="This is me", exact=True).click()
    new.page.get_by_text("This is you from now on.").wait_for()
    new.page.get_by_role("button", name="I was bob here").click()
    new.page.get_by_text("Your recovery key says that you are bob.").wait_for()
    new.looked_at(tmp_path, "waits", axe)
    letting = alice.page.get_by_role("button", name="Let bob go on")
    letting.wait_for()
    alice.looked_at(tmp_path, "card recovery", axe)
    letting.click()
    alice.page.get_by_text("You have said that bob is away.").wait_for()
    new.page.get_by_role("button", name="I am back").first.click()
    alice.page.locator(".people li.away").wait_for(state="detached")
    alice.page.get_by_text("bob goes on under a new key, by the recovery key.").wait_for()
    new.roll()
    alice.sees_rolls(2)
    alice.looked_at(tmp_path, "went on", axe)
    assert "bob's recovery key signed for it" in holds(alice)
    # The old phone dries, and is told.
    bob.page.goto(links["player"])
    bob.is_told("bob goes on under another key.")
    bob.looked_at(tmp_path, "old browser", axe)
    for each in (alice, bob, new):
        each.close()


@pytest.mark.slow
def test_all_others_let_a_new_browser_go_on_in_two_taps_each(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    carol = Person(browser, "carol", locale="en-GB", color_scheme="dark")
    links, _ = started(alice, server.address, [bob, carol])
    lose(bob)
    new = Person(browser, "bob", color_scheme="dark")
    new.page.goto(links["player"])
    new.page.get_by_text("I was here, and my browser is lost").click()
    new.looked_at(tmp_path, "dark was here", axe)
    new.page.get_by_role("button", name="I was bob here").click()
    new.page.get_by_text("The others are asked to let you go on as bob").wait_for()
    code = new.page.get_by_text("The code of your key").inner_text().rpartition(": ")[2]
    for each in (alice, carol):
        each.page.get_by_text(f"This one’s is {code}.").wait_for()
        each.page.get_by_role("button", name="Let bob go on").click()
    carol.looked_at(tmp_path, "dark card", axe)
    for each in (alice, carol):
        each.page.locator(".people li.away").wait_for()
        each.page.get_by_role("button", name="Let bob go on").click()
    new.page.get_by_role("button", name="I am back").first.click()
    new.looked_at(tmp_path, "dark is back", axe)
    carol.page.get_by_text("by the word of alice and carol").wait_for()
    new.roll()
    carol.sees_rolls(1)
    assert "alice and carol" in holds(carol)
    for each in (alice, bob, carol, new):
        each.close()


@pytest.mark.slow
def test_the_old_browser_comes_back_first(browser: "Browser", server: Server, tmp_path: Path, axe: str) -> None:
    alice, bob, carol = (Person(browser, name) for name in ("alice", "bob", "carol"))
    links, _ = started(alice, server.address, [bob, carol])
    lose(bob)
    eve = Person(browser, "eve", locale="de-DE")
    eve.page.goto(links["player"])
    eve.page.get_by_text("Ich war hier, und mein Browser ist verloren").click()
    eve.page.get_by_role("button", name="Ich war hier bob").click()
    eve.page.get_by_text("Die anderen werden gefragt").wait_for()
    eve.looked_at(tmp_path, "de waits", axe)
    for each in (alice, carol):
        each.page.get_by_role("button", name="Let bob go on").click()
    carol.page.locator(".people li.away").wait_for()
    carol.page.get_by_role("button", name="Let bob go on").click()
    carol.page.get_by_text("carol agreed. Still missing: alice.").wait_for()
    carol.looked_at(tmp_path, "agreed", axe)
    bob.page.goto(links["player"])
    bob.is_told("Somebody asks to go on as you, in a new browser. If that is not you, say that you are back")
    bob.looked_at(tmp_path, "own place", axe)
    bob.page.get_by_role("button", name="I am back").first.click()
    alice.page.locator(".people li.away").wait_for(state="detached")
    bob.roll()
    alice.sees_rolls(1)
    # Alice opened the table, and turns eve's key away.
    alice.page.get_by_text("Not bob?").click()
    alice.page.get_by_role("button", name="Turn this key away").click()
    eve.is_told("alice hat dich abgewiesen")
    report, _ = verify(alice.log())
    assert report.verdict == "holds"
    assert not any(each.code == "party.replaced" for each in report.findings)
    for each in (alice, bob, carol, eve):
        each.close()


@pytest.mark.slow
def test_a_key_that_nobody_asked_for_is_told_as_the_servers_word(
    browser: "Browser", server: Server, cheat: Cheat, tmp_path: Path, axe: str
) -> None:
    """Alice's way to the server shows her no seat that asks: what the log then says is the server's word alone."""

    def event(_: str, event: Event) -> list[Event]:
        name, number, data = event
        if name != "table":
            return [event]
        state = json.loads(data)
        state["seats"] = [seat for seat in state["seats"] if "replaces" not in seat]
        return [(name, number, json.dumps(state).encode())]

    cheat.event = event
    carol, bob = Person(browser, "carol"), Person(browser, "bob")
    alice = Person(browser, "alice", locale="ja-JP")
    alice.address = cheat.address
    links = opened(carol, server.address, [bob], start=False, gone=GONE)
    alice.page.goto(links["player"].replace(server.address, cheat.address))
    alice.page.locator("#name").fill("alice")
    alice.page.keyboard.press("Enter")
    carol.page.locator(".people li").nth(2).wait_for()
    carol.page.locator("button:has-text('Start with')").click()
    bob.page.locator("button.main:has-text('Agree to these terms')").click()
    alice.page.locator("button.main:has-text('alice')").click()
    for each in (carol, bob, alice):
        each.page.locator("#line").wait_for()
    carol.page.get_by_text("has not agreed yet").first.wait_for(state="detached")
    lose(bob)
    new = Person(browser, "bob")
    new.page.goto(links["player"])
    new.page.get_by_text("I was here, and my browser is lost").click()
    new.page.get_by_role("button", name="I was bob here").click()
    carol.page.get_by_role("button", name="Let bob go on").click()
    going = alice.page.get_by_role("button", name="bob")
    assert going.count() == 0 or "続けてもらう" not in going.all_inner_texts(), "she is shown nobody who asks"
    alice.roll()  # it waits for bob, and so she can go on without him
    alice.page.get_by_role("button", name="bob抜きで続ける").click()
    alice.page.locator(".people li.away").wait_for()
    carol.page.locator(".people li.away").wait_for()
    carol.page.get_by_role("button", name="Let bob go on").click()
    alice.page.get_by_text("そう言っているのはサーバーだけです。").wait_for()
    alice.looked_at(tmp_path, "ja servers word", axe)
    for each in (alice, bob, carol, new):
        each.close()


@pytest.mark.slow
def test_a_replace_by_a_succession_that_nobody_brought_is_told_to_both_pages_and_signed_by_none(
    browser: "Browser", server: Server, cheat: Cheat, keeper: Keeper, tmp_path: Path, axe: str
) -> None:
    """Bob's succession is public: he gave it to his league. The server names its key while bob is away."""
    alice, bob = Person(browser, "alice"), Person(browser, "bob", color_scheme="dark")
    links, file = started(alice, cheat.address, [bob], keeps=bob)
    lose(bob)
    alice.roll()
    alice.page.get_by_role("button", name="Go on without bob").click()
    alice.page.locator(".people li.away").wait_for()
    bob.page.goto(links["player"])
    bob.page.get_by_role("button", name="I am back").first.wait_for()
    lines = alice.log().splitlines()
    last = json.loads(lines[-1])
    new = Identity.generate("bob")
    succession = json.loads(bytes(succeed(read_profile(file, PASSPHRASE.encode()), new, last["time"])))
    line = keeper.line(
        {
            "author": keeper.identity.name,
            "body": {"key": str(new.key), "succession": succession},
            "game": last["game"],
            "prev": leaf_hash(lines[-1]).hex(),
            "seq": len(lines),
            "time": last["time"],
            "type": "replace",
        }
    )
    sent = len([path for path, _ in cheat.posts if path.endswith("/lines")])
    note = keeper.checkpoint(last["game"], [*lines, line])
    cheat.apart = True
    cheat.push(lambda _size: [("line", str(len(lines)), line), ("checkpoint", "", note)])
    alice.page.get_by_text("This page sees nobody who asks for it with a link of this table").wait_for()
    alice.looked_at(tmp_path, "nobody asked", axe)
    assert alice.page.get_by_role("button", name="Let bob go on").count() == 0
    bob.is_told("Somebody asks to go on as you, in a new browser. If that is not you, say that you are back")
    bob.looked_at(tmp_path, "dark nobody asked", axe)
    assert len([path for path, _ in cheat.posts if path.endswith("/lines")]) == sent, "nothing is signed on it"
    for each in (alice, bob):
        each.close()


@pytest.mark.slow
def test_a_game_master_goes_on_in_a_new_browser_and_rolls_behind_the_screen_again(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    """What the lost browser rolled in secret stays unknown, and counted; what the new one rolls is shown."""
    gil, alice = Person(browser, "gil"), Person(browser, "alice", locale="de-DE")
    gil.page.goto(server.address)
    gil.page.get_by_text(GONE, exact=True).click()
    gil.page.get_by_text("The game master may roll behind a screen", exact=True).click()
    gil.page.locator("#name").fill("gil")
    gil.page.keyboard.press("Enter")
    gil.page.get_by_text("Other links", exact=False).first.click()
    links = {
        role: gil.page.get_by_role("textbox", name=f"Link for {words}", exact=True).input_value()
        for role, words in (("player", "players"), ("gm", "the game master"))
    }
    file = kept(gil)
    (tmp_path / "file").write_bytes(file)
    alice.page.goto(links["player"])
    alice.page.locator("#name").fill("alice")
    alice.page.keyboard.press("Enter")
    gil.page.locator(".people li").nth(1).wait_for()
    gil.page.locator("button:has-text('Start with')").click()
    alice.page.locator("button.main:has-text('zustimmen')").click()
    gil.page.locator(".behind-screen").wait_for()
    asks(gil, "2d6", "the ghoul who listens")
    tray(gil).get_by_text("Only you see this").wait_for()
    lose(gil)
    new = Person(browser, "gil", color_scheme="dark")
    new.page.goto(links["gm"])
    new.page.get_by_text("I was here, and my browser is lost").click()
    bring_in(new, tmp_path / "file")
    new.page.get_by_role("button", name="I was gil here").click()
    alice.page.get_by_role("button", name="gil weitermachen lassen").click()
    new.page.get_by_role("button", name="I am back").first.click()
    new.page.locator(".behind-screen").wait_for()
    new.looked_at(tmp_path, "dark new game master", axe)
    assert "ghoul" not in new.page.content(), "the secret is with the lost browser"
    assert new.page.locator(".offer.behind").count() == 0, "and so nothing of it can be shown"
    asks(new, "d20", "a second trap")
    tray(new).get_by_text("Only you see this").wait_for()
    new.looked_at(tmp_path, "dark rolls anew", axe)
    assert new.page.locator(".offer.behind summary").inner_text().split() == ["Behind", "my", "screen", "1"]
    tray(new).get_by_role("button", name="Show everybody: d20 for a second trap").click()
    alice.page.locator(".entry.roll.fair", has_text="a second trap").wait_for()
    alice.looked_at(tmp_path, "de is shown it", axe)
    report, _ = verify(new.log())
    assert "gil rolled 2 rolls in secret and showed 1: gil alone chose which." in report.trust
    assert "gil goes on under a new key, by gil's recovery key" in report.trust
    for each in (gil, alice, new):
        each.close()
