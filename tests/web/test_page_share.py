"""A link to one roll, made on the table's page, and opened by somebody who was not there (specs/roll-proof.md)."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server
from tests.web.people import Person, opened
from verifier.checkpoints.checkpoint import parse_checkpoint
from verifier.checkpoints.roll_proof import make_roll_proof, verify_roll_proof

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.long


def test_a_roll_is_shown_to_somebody_who_was_not_there(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    opened(alice, server.address, [bob])
    alice.roll("4d6kh3 for Strength")
    bob.roll("d20 for what is not shown")
    for each in (alice, bob):
        each.sees_rolls(2)
    shown = bob.page.locator(".entry.roll", has_text="Strength")
    shown.locator(".fairness summary").click()
    shown.get_by_role("button", name="Show this roll to somebody").click()
    field = shown.get_by_label("The link to this roll", exact=True)
    field.wait_for()
    assert "You cannot take this back" in shown.inner_text()
    link = field.input_value()
    bob.looked_at(tmp_path, "share", axe)

    files = bob.save(shown.get_by_role("button", name="Save it as a file"))
    [(name, data)] = files.items()
    report = verify_roll_proof(data)
    assert (report.verdict, name) == ("holds", f"roll-{report.state and report.state['request']}.roll")
    log = bob.log()
    proof = json.loads(data)
    lines = log.splitlines()
    note = proof["checkpoint"]
    assert report.state is not None
    assert bytes(make_roll_proof(lines, report.state["request"], parse_checkpoint(note.encode()))) == data
    assert b"what is not shown" not in data

    # Somebody else, with the page that the server has for files of strangers: an origin of its own, with no network.
    carol = Person(browser, "carol")
    asked: list[str] = []
    carol.page.on("request", lambda request: asked.append(request.url))
    carol.page.goto(link)
    carol.page.locator("#verdict", has_text="The proof of a roll HOLDS").wait_for()
    roll = re.sub(r"\s+", " ", carol.page.locator(".roll summary").inner_text())
    assert "player" in roll
    assert "Strength" in roll
    assert " ".join(str(natural) for natural in report.state["naturals"]) in roll
    assert "alice" not in carol.page.inner_text("main")
    first = carol.page.locator("#result > section").first
    assert first.locator(".die").count() == 4, "the dice come before what the check says of them"
    assert [url.partition("#")[0] for url in asked if not url.startswith(("blob:", "data:"))] == [
        f"{server.address}/verify"
    ]
    shown.get_by_label("Show the names").check()
    bob.page.wait_for_function("before => document.querySelector('.share input.link').value !== before", arg=link)
    carol.page.goto("about:blank")
    carol.page.goto(field.input_value())
    carol.page.locator(".roll summary", has_text="alice").wait_for()
    for each in (alice, bob, carol):
        each.close()


def test_a_roll_has_a_short_link_until_it_is_taken_back(
    browser: "Browser", server: Server, elsewhere: int, tmp_path: Path, axe: str
) -> None:
    alice, bob = Person(browser, "alice"), Person(browser, "bob")
    opened(alice, server.address, [bob])
    alice.roll("4d6kh3 for Strength")
    for each in (alice, bob):
        each.sees_rolls(1)
    mine = _shown(alice)
    mine.get_by_role("button", name="Publish it under a short link, without names").click()
    field = mine.get_by_label("The short link, without names", exact=True)
    field.wait_for()
    alice.looked_at(tmp_path, "published", axe)
    link = field.input_value()
    assert re.fullmatch(re.escape(server.address) + "/r/[0-9a-f]{32}", link)
    theirs = _shown(bob)
    theirs.get_by_text("alice has published this roll under a short link.").wait_for()
    assert theirs.get_by_role("button", name="Publish").count() == 0

    carol = Person(browser, "carol")
    asked: list[str] = []
    carol.page.on("request", lambda request: asked.append(request.url))
    carol.page.goto(link)
    carol.page.locator("#verdict", has_text="The proof of a roll HOLDS").wait_for()
    die = carol.page.locator(".die").first
    assert die.is_visible()
    assert (die.bounding_box() or {"y": 9_999})["y"] < 400, "the dice are what a phone shows first"
    assert "alice" not in carol.page.inner_text("body")
    assert carol.page.title().startswith("Strength: ")
    assert [url for url in asked if not url.startswith("blob:")] == [link]
    assert carol.page.evaluate("self.origin") == "null"
    for reach in ("localStorage", "indexedDB.open('rollproof')", "fetch('/v1/server')"):
        script = f"async () => {{ try {{ await {reach}; return true; }} catch {{ return false; }} }}"
        assert not carol.page.evaluate(script), reach
    carol.looked_at(tmp_path, "short", axe)
    proof = carol.page.locator("#proof")
    assert proof.inner_text() == link.replace("/r/", "/v1/rolls/")

    # In a frame of a page elsewhere it shows the same; the table's page shows nothing there.
    card = carol.page.request.get(f"{server.address}/v1/oembed?url={link}").json()
    carol.page.goto(f"http://localhost:{elsewhere}/")
    carol.page.evaluate("html => { document.body.innerHTML = html; }", card["html"])
    framed = carol.page.frame_locator("iframe")
    framed.locator(".rolls.one .die").nth(3).wait_for()
    assert not framed.locator("footer").is_visible()
    carol.page.screenshot(path=tmp_path / "framed.png")

    mine.get_by_role("button", name="Take this link back").click()
    mine.get_by_role("button", name="Publish it under a short link").wait_for()
    answer = carol.page.goto(link)
    assert answer is not None
    assert answer.status == 410
    assert "took the link back" in carol.page.inner_text("body")
    for each in (alice, bob, carol):
        each.close()


def _shown(person: Person) -> "Locator":
    """The entry of the first roll, with what can be shown of it."""
    entry = person.page.locator(".entry.roll", has_text="Strength")
    entry.locator(".fairness summary").click()
    entry.get_by_role("button", name="Show this roll to somebody").click()
    return entry
