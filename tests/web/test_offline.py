"""The page without its server: what it shows then, and that nothing kept hides a server that has changed."""

import http.server
import json
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from ledger.page.assets import page as page_files
from tests.server.event_day import Day, identity
from tests.server.served import serving, with_limits
from tests.web.people import Person, opened
from tests.web.table_page import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KEPT = "caches.open('rollproof page').then(async (kept) => (await kept.keys()).length)"


class Changed(http.server.BaseHTTPRequestHandler):
    """A server that is another one by now."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>x</title><h1>changed</h1>")

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.mark.long
def test_a_page_without_its_server_shows_what_the_browser_holds(browser: "Browser", tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server:
        alice = Person(browser, "alice", service_workers="allow")
        links = opened(alice, server.address, start=False)
        alice.page.locator("button:has-text('Start with')").click()
        alice.page.locator("#line").wait_for()
        alice.roll("2d6 for the door")
        dice = alice.sees_rolls(1)
        alice.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        assert alice.page.evaluate(KEPT) == 5
        address = server.address
    alice.page.goto(f"{address}/")
    alice.page.get_by_text("The server does not answer.").wait_for()
    alice.page.locator(".known a").first.wait_for()
    alice.page.goto(links["player"])
    assert alice.sees_rolls(1) == dice
    alice.page.get_by_text("no connection, trying again").wait_for()
    assert not alice.page.evaluate("caches.keys().then((all) => all.length > 1)")

    there = urlsplit(address)
    other = http.server.ThreadingHTTPServer((there.hostname or "", there.port or 0), Changed)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        alice.page.goto(f"{address}/")
        assert alice.page.locator("h1").inner_text() == "changed"
        answer = alice.page.goto(links["player"])
        assert answer is not None
        assert answer.status == 404, "a refusal is an answer too"
    finally:
        other.shutdown()
        other.server_close()
    alice.close()


@pytest.mark.slow
def test_an_event_without_its_server_shows_where_its_player_sits(browser: "Browser", tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="ja-JP")
    phone = context.new_page()
    phone.set_default_timeout(PATIENCE)
    root = tmp_path / "hall"
    with (
        serving(root, "--organizer", str(identity("olga").key), *with_limits(root)) as server,
        Day(server.address) as day,
    ):
        day.open()
        day.register()
        day.all_in()
        day.pair()
        phone.goto(f"{server.address}/e/{day.event}#wall.{day.codes[1]}")
        phone.get_by_text("第1ラウンド").first.wait_for()
        phone.evaluate("navigator.serviceWorker.ready.then(() => true)")
        kept = phone.evaluate(
            "caches.open('rollproof page').then(async (kept) => (await kept.keys()).map(({ url }) => url))"
        )
        paths = {urlsplit(url).path for url in kept}
        assert {"/e/", "/page/event.js", "/page/words-ja-event.js"} <= paths
        assert not any(day.event in path for path in paths), "no answer of the event"
        address = f"{server.address}/e/{day.event}"
    phone.goto("about:blank")
    phone.goto(f"{address}#wall.{day.codes[1]}")
    phone.get_by_text("第1ラウンド").first.wait_for()
    phone.get_by_text("サーバーが応答しません").first.wait_for()
    context.close()


def test_the_page_can_be_installed() -> None:
    files = page_files().files
    told = json.loads(files["ledger/web/ui/app.webmanifest"].data)
    assert told["start_url"] == told["scope"] == "/"
    assert {each["src"].removeprefix("/page/") for each in told["icons"]} <= set(files)
    sizes = {each["sizes"] for each in told["icons"]}
    assert {"192x192", "512x512"} <= sizes
    assert b'<link rel="manifest" href="/page/ledger/web/ui/app.webmanifest">' in page_files().documents["en"]
    worker = files["ledger/web/ui/offline.js"].data.decode()
    assert re.search(r"await fetch\(request\)", worker)
