"""The overlay in Chromium: framed by a page of another site, over what moves (specs/page.md, "The overlay")."""

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.served import Plain, serving, with_limits
from tests.web.table_page import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Frame, Page

pytestmark = pytest.mark.long

AROUND = """<!doctype html><title>a stream</title>
<style>body { margin: 0; background: linear-gradient(90deg, #c33, #fd6, #3a6, #36c, #111, #fff); }
iframe { width: 100vw; height: 100vh; border: 0; color-scheme: light }</style><iframe src="{address}"></iframe>"""


class Around:
    """Another site, whose page has an overlay in a frame."""

    def __init__(self) -> None:
        self.framed = ""
        around = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = AROUND.replace("{address}", around.framed).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://localhost:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()


@pytest.fixture
def around() -> Iterator[Around]:
    made = Around()
    yield made
    made.server.shutdown()
    made.thread.join()
    made.server.server_close()


def framed(browser: "Browser", around: Around, address: str, **context: Any) -> tuple["Page", "Frame", list[str]]:
    """The page, its frame, and the addresses that they ask for."""
    around.framed = address
    page = browser.new_context(**context).new_page()
    page.set_default_timeout(PATIENCE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(around.address)
    return page, page.frames[1], asked


def roll(parties: list[Plain], line: str) -> list[int]:
    parties[0].act("roll", parties[0].typed(line))
    for party in (*parties[1:], parties[0]):
        party.open()
    for party in parties:
        party.fetch()
    naturals: list[int] = json.loads(list(parties[0].view.lines(0))[-1])["body"]["naturals"]
    return naturals


@contextmanager
def at_table(root: Path, address: str) -> Iterator[tuple[list[Plain], str]]:
    """Two who have joined and committed, and the address of their table's overlay."""
    parties = [Plain(root / name, name, address) for name in ("alice", "bob")]
    try:
        links = parties[0].open_table("dice-1")
        for party in parties:
            assert party.sit(links["player"]).status_code == 201
        assert parties[0].start().status_code == 201
        for party in parties:
            party.enter(64)
        yield parties, str(links["spectator"]).replace("/t/", "/o/")
    finally:
        for party in parties:
            party.close()


ABOVE = """document.querySelector('.outcome').getBoundingClientRect().bottom
  <= document.querySelector('.note').getBoundingClientRect().top"""


def until_shown(frame: "Frame", naturals: list[int]) -> None:
    """Until these dice stand there, in any order: dropped ones too."""
    frame.wait_for_function(
        "(wanted) => [...document.querySelectorAll('.tray:not(.past) .die')].map((each) => "
        "each.querySelector('.number, .unseen').textContent.trim()).sort().join() === wanted",
        arg=",".join(sorted(map(str, naturals))),
    )


REACHES = (
    "indexedDB.open('rollproof')",
    "localStorage",
    "navigator.locks.request('rollproof', () => {})",
    "fetch('/page/table.js').then((answer) => answer.text())",
    "fetch('http://localhost:1/')",
    "(() => { parent.document.title; })()",
    "(() => { top.location = 'http://localhost:1/'; if (top.location.href) throw 1; })()",
)
"""what no script in an overlay reaches"""
TRIED = "async () => { try { await REACH; return true; } catch { return false; } }"


def test_the_dice_stand_alone_on_nothing_in_an_origin_of_their_own(
    browser: "Browser", around: Around, tmp_path: Path
) -> None:
    with (
        serving(tmp_path, *with_limits(tmp_path)) as server,
        at_table(tmp_path, server.address) as (parties, address),
    ):
        page, frame, asked = framed(browser, around, address, locale="en-GB")
        frame.wait_for_selector(".tray.none", state="attached")
        until_shown(frame, roll(parties, "4d6kh3 for Strength"))
        assert frame.evaluate("self.origin") == "null"
        assert "Strength" in frame.inner_text(".tray .what")
        for reach in REACHES:
            assert not frame.evaluate(TRIED.replace("REACH", reach)), reach
        assert frame.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
        assert frame.evaluate("document.elementFromPoint(9, 9)") is None or not frame.evaluate(
            "document.elementFromPoint(9, 9).closest('button')"
        )
        # The server goes, and comes again: so do the dice.
        server.stop(signal.SIGTERM)
        frame.wait_for_selector(".note")
        assert frame.evaluate(ABOVE), "what went wrong hides no result"
        again = server.again()
        try:
            until_shown(frame, roll(parties, "2d20"))
            frame.wait_for_selector(".note", state="detached")
        finally:
            again.stop(signal.SIGKILL)
        here = {each.split("/")[2] for each in (server.address, around.address)}
        assert {url.split("/")[2] for url in asked if "localhost:1/" not in url} <= here
        page.context.close()


def test_a_link_that_seats_somebody_is_not_taken(browser: "Browser", around: Around, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for language, words in (("de-DE", "Link für Zuschauer"), ("ja-JP", "観戦者"), ("en-GB", "link for spectators")):
            page, frame, asked = framed(
                browser, around, f"{server.address}/o/{'7d' * 32}#player.{'A' * 43}", locale=language
            )
            assert words in frame.inner_text(".note.bad")
            assert not [url for url in asked if "/v1/" in url]
            page.context.close()
