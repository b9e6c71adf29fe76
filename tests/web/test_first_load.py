"""The first visit on a slow phone: bytes, requests and time until the form can be tapped (specs/page.md)."""

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.served import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

MOST_BYTES = 300_000
MOST_REQUESTS = 8
RATE = 1_600_000 / 8
"""bytes a second"""
LATENCY = 150
SLOWER = 4


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP"])
def test_a_first_visit_on_a_slow_phone(browser: "Browser", server: Server, locale: str, record_property: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=locale)
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    sizes: list[float] = []
    devtools.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    line = {"offline": False, "latency": LATENCY, "downloadThroughput": RATE, "uploadThroughput": RATE}
    devtools.send("Network.emulateNetworkConditions", line)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    began = time.monotonic()
    page.goto(f"{server.address}/", wait_until="commit")
    page.locator("#name").wait_for()
    taken = time.monotonic() - began
    page.wait_for_load_state("networkidle")
    record_property(f"seconds to the form on a slow phone, {locale} (to reach: 3)", round(taken, 2))
    record_property(f"bytes of a first visit, {locale}", sum(sizes))
    record_property(f"requests of a first visit, {locale}", len(sizes))
    assert sum(sizes) <= MOST_BYTES
    assert len(sizes) <= MOST_REQUESTS
    context.close()
