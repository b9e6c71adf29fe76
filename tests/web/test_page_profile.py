"""One person at many tables, in Chromium: a profile, its file, a new phone (specs/profile.md)."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.seats.profile import read_profile
from tests.server.served import Server
from tests.web.people import Person, opened
from verifier import VerifierKey
from verifier.log.succession import follow, parse_successions

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

PASSPHRASE = "seven songs in a row"


def keys(log: bytes) -> dict[str, str]:
    """The public keys of a log's parties, by what they are called."""
    parties = json.loads(log.splitlines()[0])["body"]["parties"]
    found = [(VerifierKey.parse(party["key"]), party.get("called")) for party in parties]
    return {called or key.name: key.public_bytes.hex() for key, called in found}


def evening(anna: Person, bob: Person, address: str) -> bytes:
    """Anna opens a table, both roll, and she closes it; the log."""
    links = opened(anna, address, start=False)
    bob.sit(links["player"])
    anna.page.get_by_role("button", name="and agree to the terms").click()
    bob.agree()
    bob.roll()
    anna.sees_rolls(1)
    log = anna.log()
    anna.page.get_by_text("End the game").click()
    anna.page.get_by_role("button", name="Close the game").click()
    anna.page.get_by_role("button", name="Close the game").click()
    anna.page.get_by_role("button", name="Play again").wait_for()
    return log


@pytest.mark.slow
def test_the_same_people_on_two_evenings_and_on_a_new_phone(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    anna, bob = Person(browser, "太郎"), Person(browser, "bob")
    anna.page.goto(server.address)
    anna.page.get_by_text("Nobody yet").wait_for()
    first = evening(anna, bob, server.address)

    # Offered once, after the first game that was closed.
    anna.page.get_by_text("Keep yourself safe?").wait_for()
    anna.looked_at(tmp_path, "offered", axe)
    anna.page.locator("#keep-passphrase").fill("short")
    anna.page.get_by_role("button", name="Save the file").click()
    anna.page.get_by_text("The passphrase is too short").wait_for()
    anna.page.locator("#keep-passphrase").fill(PASSPHRASE)
    ((_, file),) = anna.save("Save the file").items()
    anna.page.get_by_text("Keep the file where you still have it").wait_for()
    assert read_profile(file, PASSPHRASE.encode()).file.called == "太郎"
    bob.page.get_by_role("button", name="Not now").click()
    bob.page.get_by_text("Keep yourself safe?").wait_for(state="detached")

    second = evening(anna, bob, server.address)
    assert anna.page.get_by_text("Keep yourself safe?").count() == 0
    assert bob.page.get_by_text("Keep yourself safe?").count() == 0
    for name in ("太郎", "bob"):
        assert keys(first)[name] == keys(second)[name], name

    anna.page.goto(server.address)
    anna.page.get_by_text("Save the file again").click()
    ((_, again),) = anna.save("Save the file").items()
    assert again == file
    anna.looked_at(tmp_path, "you", axe)
    anna.close()

    # The phone is lost: a new one, which reads Japanese.
    (tmp_path / "file").write_bytes(file)
    phone = Person(browser, "太郎", locale="ja-JP")
    phone.page.goto(server.address)
    phone.page.get_by_text("新しいスマホの私です").click()
    phone.page.locator("#profile").set_input_files(tmp_path / "file")
    phone.page.locator("#profile-passphrase").fill("seven songs in a raw")
    phone.page.get_by_role("button", name="これは私です").click()
    phone.page.get_by_text("パスフレーズでこのファイルを開けないか、").wait_for()
    phone.looked_at(tmp_path, "ja wrong passphrase", axe)
    phone.page.locator("#profile-passphrase").fill(PASSPHRASE)
    phone.page.get_by_role("button", name="これは私です").click()
    phone.page.get_by_text("これからはこれがあなたです").wait_for()
    phone.looked_at(tmp_path, "ja you", axe)
    told = parse_successions(next(iter(phone.save("引き継ぎを保存").values())))
    links = opened(bob, server.address, start=False)
    phone.page.goto(links["player"])
    assert phone.page.locator("#name").get_attribute("placeholder") == "太郎"
    phone.page.locator("#name").press("Enter")
    phone.page.locator(".people").get_by_text("太郎").wait_for()
    bob.page.get_by_role("button", name="and agree to the terms").click()
    phone.page.get_by_role("button", name="太郎").click()
    phone.page.locator("#line").wait_for()
    bob.page.locator("#line").wait_for()
    third = keys(bob.log())
    assert third["太郎"] != keys(first)["太郎"]
    assert follow(told).of(keys(first)["太郎"]) == third["太郎"]
    for each in (phone, bob):
        each.close()


def test_a_key_of_its_own_for_one_table(browser: "Browser", server: Server, tmp_path: Path, axe: str) -> None:
    """Anna plays once as herself, once unknown; and where somebody has her key's name, she is told."""
    anna, bob = Person(browser, "anna"), Person(browser, "bob")
    links = opened(bob, server.address, start=False)
    anna.sit(links["player"])
    anna.page.goto(opened(bob, server.address, start=False)["player"])
    anna.page.get_by_text("A key of its own for this table").click()
    anna.page.get_by_text("The logs do not show").click()
    anna.looked_at(tmp_path, "own key", axe)
    anna.page.locator("#name").fill("nobody")
    anna.page.keyboard.press("Enter")
    anna.page.get_by_text("You sit here.").wait_for()
    false = Person(browser, "anna")
    third = opened(bob, server.address, start=False)["player"]
    false.sit(third)
    anna.page.goto(third)
    anna.page.get_by_text("has the name of your key, anna").wait_for()
    anna.page.locator("#name").fill("Anna")
    anna.page.keyboard.press("Enter")
    anna.page.get_by_text("You sit here.").wait_for()
    stored = anna.page.evaluate(
        """async () => new Promise((resolve) => { const open = indexedDB.open('rollproof', 1); open.onsuccess = () => {
        open.result.transaction('seats').objectStore('seats').getAll().onsuccess = ({ target }) =>
          resolve(target.result.map(({ key }) => key)); }; })"""
    )
    assert len(set(stored)) == 3, stored
    assert anna.page.locator(".people").count()
    for each in (anna, bob, false):
        each.close()
