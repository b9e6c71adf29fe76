"""The first visit on a slow phone: bytes, requests and time until the form can be tapped (specs/page.md)."""

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.served import Server
from tests.web.people import Person, opened
from tests.web.table_page import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

MOST_BYTES = 300_000
MOST_REQUESTS = 8
RATE = 1_600_000 / 8
"""bytes a second"""
LATENCY = 150
SLOWER = 4


LOCALES = ["en-GB", "de-DE", "ja-JP"]


class SlowPhone:
    """A phone that was never here, on a slow line: what comes to it, in bytes and requests."""

    def __init__(self, browser: "Browser", locale: str) -> None:
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, locale=locale)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.sizes: list[float] = []
        devtools = self.context.new_cdp_session(self.page)
        devtools.send("Network.enable")
        devtools.on("Network.loadingFinished", lambda event: self.sizes.append(event["encodedDataLength"]))
        line = {"offline": False, "latency": LATENCY, "downloadThroughput": RATE, "uploadThroughput": RATE}
        devtools.send("Network.emulateNetworkConditions", line)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

    def opens(self, link: str) -> float:
        """Seconds until somebody can type a name."""
        began = time.monotonic()
        self.page.goto(link, wait_until="commit")
        self.page.locator("#name").wait_for()
        return time.monotonic() - began


@pytest.mark.parametrize("locale", LOCALES)
def test_a_first_visit_on_a_slow_phone(browser: "Browser", server: Server, locale: str, record_property: Any) -> None:
    phone = SlowPhone(browser, locale)
    taken = phone.opens(f"{server.address}/")
    phone.page.wait_for_load_state("networkidle")
    record_property(f"seconds to the form on a slow phone, {locale} (to reach: 3)", round(taken, 2))
    record_property(f"bytes of a first visit, {locale}", sum(phone.sizes))
    record_property(f"requests of a first visit, {locale}", len(phone.sizes))
    assert sum(phone.sizes) <= MOST_BYTES
    assert len(phone.sizes) <= MOST_REQUESTS
    phone.context.close()


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.slow
def test_a_friend_comes_by_a_link_on_a_slow_phone(
    browser: "Browser", server: Server, locale: str, record_property: Any
) -> None:
    alice = Person(browser, "alice")
    links = opened(alice, server.address, start=False)
    phone = SlowPhone(browser, locale)
    form = phone.opens(links["player"])
    phone.page.locator("#name").fill("bob")
    phone.page.keyboard.press("Enter")
    alice.page.locator(".people li").nth(1).wait_for()
    alice.page.locator("button:has-text('Start with')").click()
    phone.page.locator("section[aria-labelledby=agree-title] button.main").click()
    began = time.monotonic()
    phone.page.locator(".thrown button:not([aria-disabled])").first.wait_for()
    record_property(f"seconds to the form of a friend's link on a slow phone, {locale} (to reach: 3)", round(form, 2))
    record_property(f"seconds from agreeing to dice that can be tapped, {locale}", round(time.monotonic() - began, 2))
    record_property(f"bytes of a friend's first visit until dice can be tapped, {locale}", sum(phone.sizes))
    record_property(f"requests of it, {locale}", len(phone.sizes))
    assert sum(phone.sizes) <= MOST_BYTES
    alice.close()
    phone.context.close()
