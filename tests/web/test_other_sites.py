"""A served page in Debian's Chromium, and pages of other sites around it (specs/page.md, "What is kept apart")."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.conftest import SPECS
from tests.server.served import Server, serving, with_limits
from tests.web.test_page import give

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

LOG = SPECS / "vectors" / "logs" / "holds--all-contributors.jsonl"
REFUSED = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Its limits are met soon: few refused posts, few tables."""
    root = tmp_path_factory.mktemp("served")
    with serving(root, *with_limits(root, {"MAX_REFUSED": REFUSED, "MAX_TABLES": 3})) as server:
        yield server


@contextmanager
def at(browser: "Browser", url: str) -> Iterator["Page"]:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


def test_the_served_verifier_works_and_has_no_part_in_the_origin_of_the_keys(
    browser: "Browser", server: Server
) -> None:
    with at(browser, f"{server.address}/verify") as page:
        assert page.evaluate("self.origin") == "null"
        assert "HOLDS" in give(page, LOG)
        for reach in (
            "indexedDB.open('rollproof')",
            "localStorage",
            "navigator.storage.getDirectory()",
            "navigator.locks.request('rollproof', () => {})",
            "fetch('/v1/server').then((answer) => answer.text())",
        ):
            reached = page.evaluate(
                "async (reach) => { try { await reach(); return true; } catch { return false; } }".replace(
                    "reach()", reach
                )
            )
            assert not reached, reach


@pytest.mark.parametrize("path", ["/", "/t/TABLE", "/verify", "/v1/server", "/health", "/v1/schema"])
def test_no_page_is_shown_in_a_frame_of_another(browser: "Browser", server: Server, elsewhere: int, path: str) -> None:
    with at(browser, f"http://localhost:{elsewhere}/") as page:
        framed = server.address + path.replace("TABLE", "0" * 64)
        page.evaluate(
            """(url) => new Promise((done) => {
              const frame = document.createElement('iframe');
              frame.onload = done;
              frame.src = url;
              document.body.append(frame);
            })""",
            framed,
        )
        [frame] = page.frames[1:]
        for _ in range(100):
            if frame.url:
                break
            page.wait_for_timeout(50)
        assert frame.url.startswith("chrome-error:"), frame.url


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["another-site", "another-port"])
def test_posts_of_other_sites_cost_the_visitor_nothing(
    browser: "Browser", server: Server, elsewhere: int, host: str
) -> None:
    """Neither does the visitor have to wait, nor are the tables used up that her address may open."""
    with at(browser, f"http://{host}:{elsewhere}/") as page:
        sent = page.evaluate(
            """async (url) => {
              let sent = 0;
              for (let at = 0; at < 40; at += 1) {
                // The page is kept from what is answered.
                await fetch(url, { method: "POST", mode: "no-cors", body: "{}" }).catch(() => {});
                sent += 1;
              }
              return sent;
            }""",
            f"{server.address}/v1/tables",
        )
    assert sent == 40
    own = httpx.post(f"{server.address}/v1/tables", content=b"{}")
    assert (own.status_code, own.json()["code"]) == (400, "malformed")


def test_nothing_is_put_into_a_page_of_another_site(browser: "Browser", server: Server, elsewhere: int) -> None:
    """Neither as a script, nor as a style or an image, nor as data."""
    with at(browser, f"http://localhost:{elsewhere}/") as page:
        for tag, path in (
            ("script", "/v1/server"),
            ("script", "/page/ledger/web/core/links.js"),
            ("link", "/page/ledger/web/ui/style.css"),
            ("img", "/page/ledger/web/ui/icon.svg"),
        ):
            loaded = page.evaluate(
                """([tag, url]) => new Promise((done) => {
                  const made = document.createElement(tag);
                  made.onload = () => done(true);
                  made.onerror = () => done(false);
                  made.rel = 'stylesheet';
                  made[tag === 'link' ? 'href' : 'src'] = url;
                  document.body.append(made);
                })""",
                [tag, server.address + path],
            )
            assert not loaded, path
        for path in ("/", "/page/ledger/web/core/links.js", "/metrics", "/health"):
            read = page.evaluate(
                "(url) => fetch(url).then((answer) => answer.text(), () => null)", server.address + path
            )
            assert read is None, path


POSTS = """async ([url, headers, count]) => {
  const told = [];
  for (let at = 0; at < count; at += 1) {
    told.push(await fetch(url, { method: "POST", body: "{}", headers }).then((answer) => answer.status, () => 0));
  }
  return told;
}"""


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"], ids=["another-site", "another-port"])
@pytest.mark.slow
def test_a_page_elsewhere_uses_up_its_own_limits_and_not_the_visitors(
    browser: "Browser", server: Server, elsewhere: int, host: str
) -> None:
    """It posts what a browser asks first for, until it is barred itself."""
    with at(browser, f"http://{host}:{elsewhere}/") as page:
        headers = {"Content-Type": "application/json"}
        told = page.evaluate(POSTS, [f"{server.address}/v1/tables", headers, 3 * REFUSED])
    assert told[-1] == 429
    assert 0 not in told
    own = httpx.post(f"{server.address}/v1/tables", content=b"{}")
    assert (own.status_code, own.json()["code"]) == (400, "malformed")


def test_a_page_elsewhere_has_nothing_of_the_visitors(browser: "Browser", server: Server, elsewhere: int) -> None:
    """The visitor has played here; the page gets what an outsider gets, and its credentials are none."""
    context = browser.new_context(locale="en-GB")
    own = context.new_page()
    own.goto(f"{server.address}/")
    own.evaluate("() => { localStorage.setItem('secret', 'here'); document.cookie = 'secret=here'; }")
    page = context.new_page()
    page.goto(f"http://localhost:{elsewhere}/")
    read = "([url, how]) => fetch(url, how).then((answer) => answer.status, () => 'refused')"
    assert page.evaluate(read, [f"{server.address}/v1/server", {}]) == 200
    assert page.evaluate(read, [f"{server.address}/v1/games/{'0' * 64}/log", {}]) == 404
    assert page.evaluate(read, [f"{server.address}/v1/server", {"credentials": "include"}]) == "refused"
    assert page.evaluate("() => localStorage.getItem('secret')") is None
    context.close()
