"""Called names on the table page in Chromium: typed in any script, and shown so (specs/log.md, "Called names")."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server
from tests.web.people import Person, opened
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


def test_names_are_typed_and_shown_in_every_script(
    browser: "Browser", server: Server, tmp_path: Path, axe: str
) -> None:
    """Anna types hers with a capital, Tarō his in Japanese; somebody late comes in Hebrew, and a false Anna is told."""
    anna, taro = Person(browser, "Anna"), Person(browser, "太郎", locale="ja-JP")
    links = opened(anna, server.address, start=False)
    taro.page.goto(links["player"])
    taro.page.locator("#name").fill("anna")
    taro.page.keyboard.press("Enter")
    taro.page.get_by_text("annaという名の人が別にいます").wait_for()
    taro.page.locator("#name").fill("太郎")
    taro.page.get_by_text("呼び名は太郎になります。").wait_for()
    taro.looked_at(tmp_path, "ja types", axe)
    taro.page.keyboard.press("Enter")
    taro.page.locator(".people").get_by_text("太郎").wait_for()
    false = Person(browser, "Аnna")  # its first letter is Cyrillic
    false.page.goto(links["player"])
    false.page.locator("#name").fill("Аnna")
    false.page.keyboard.press("Enter")
    false.page.locator(".people li").nth(2).wait_for()
    anna.page.get_by_text("Аnna (nna) looks like Anna (anna), but is somebody else").wait_for()
    anna.looked_at(tmp_path, "lobby", axe)
    anna.page.get_by_text("Take somebody out").click()
    anna.page.get_by_role("button", name="Take Аnna (nna) out").click()
    anna.page.locator(".people li").nth(2).wait_for(state="detached")
    false.close()
    anna.page.get_by_role("button", name="Start with Anna and 太郎").click()
    taro.page.get_by_role("button", name="太郎").click()
    taro.page.locator("#line").wait_for()
    taro.page.get_by_text("まだ同意していません").first.wait_for(state="detached")
    taro.roll()
    anna.sees_rolls(1)
    assert anna.page.locator(".tray .what").inner_text().startswith("太郎")
    anna.page.get_by_text("Anna and 太郎 each had a part").first.wait_for(state="attached")
    anna.looked_at(tmp_path, "game", axe)
    taro.looked_at(tmp_path, "ja game", axe)
    noam = Person(browser, "נועם", locale="en-GB")
    noam.page.goto(links["player"])
    noam.page.locator("#name").fill("נועם")
    noam.page.keyboard.press("Enter")
    anna.page.get_by_role("button", name="Let").click()
    noam.page.locator("#line").wait_for()
    noam.roll()
    anna.sees_rolls(2)
    events = [json.loads(line) for line in anna.log().splitlines()]
    called = {party["key"].partition("+")[0]: party.get("called") for party in events[0]["body"]["parties"]}
    assert (called["anna"], "太郎" in called.values()) == ("Anna", True)
    (admit,) = [event["body"] for event in events if event["type"] == "admit"]
    assert admit["called"] == "נועם"
    report, _ = verify(anna.log())
    assert report.verdict == "holds"
    assert any("anna (Anna)" in text for text in report.not_checked)
    for each in (anna, taro, noam):
        each.close()
