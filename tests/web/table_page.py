"""The table page in Debian's Chromium: with a core that plays by itself, and what is read of screens."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.page.assets import ENTRY, JOINED, POLICY, page
from tests.conftest import SPECS
from tests.web.page_games import SECRET, TABLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""the shell draws no window of its own, which takes a third of the processor time"""
ORIGIN = "http://localhost"  # a secure context, so WebCrypto is there; nothing listens, the test answers
FAKE = SPECS.parent / "tests" / "web" / "fake_core.js"
PATIENCE = 60_000
"""milliseconds: no test depends on a quiet machine"""
SAVES_DATA = """
if (navigator.connection) Object.defineProperty(navigator.connection, 'saveData', {configurable: true, value: true});
"""
"""A browser that saves data loads no rules: what every test gets that does not ask for them."""
LOADS_RULES = SAVES_DATA.replace("value: true", "value: false")
LINK = f"/t/{TABLE}#player.{SECRET}"


def launched() -> Iterator["Browser"]:
    """A browser, for a fixture."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: chromium-headless-shell)")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        make = opened.new_context

        def saving(**options: Any) -> "BrowserContext":
            context: BrowserContext = make(**options)
            context.add_init_script(SAVES_DATA)
            return context

        opened.new_context = saving
        yield opened
        opened.close()


def axe_source() -> str:
    """axe-core, where it is installed; else the test is skipped."""
    folders = [*os.environ.get("NODE_PATH", "").split(os.pathsep), "/usr/share/nodejs"]
    for folder in folders:
        path = Path(folder) / "axe-core" / "axe.min.js"
        if folder and path.is_file():
            return path.read_text(encoding="utf-8")
    pytest.skip("axe-core is not installed (tests/oracles/node/package.json), or NODE_PATH does not lead to it")


def open_all(opened: "Page") -> None:
    """Open all that opens at a tap, and what is in it."""
    closed = "document.querySelectorAll('main details:not([open])')"
    while opened.evaluate(f"{closed}.length"):
        opened.evaluate(f"{closed}.forEach((each) => {{ each.open = true; }})")
        opened.wait_for_timeout(50)


def until(opened: "Page", holds: str) -> None:
    """Wait until an expression holds: the page's policy lets nobody, Playwright neither, make functions of texts."""
    for _ in range(200):
        if opened.evaluate(holds):
            return
        opened.wait_for_timeout(50)
    raise AssertionError(holds)


MOVES = "document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity)"
"""what moves on a screen, and comes to an end"""


def axe_findings(opened: "Page", source: str) -> list[str]:
    """What axe finds on the screen that is serious or critical, when nothing moves any more: rule, and where."""
    opened.evaluate(f"Promise.all({MOVES}.map((each) => each.finished.catch(() => null))).then(() => null)")
    opened.evaluate(source)
    found = opened.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']} ({each['impact']}): {', '.join(str(node['target']) for node in each['nodes'])}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def _answer(route: Any) -> None:
    path = re.sub(r"[?#].*", "", route.request.url.removeprefix(ORIGIN))
    headers = {"content-security-policy": POLICY}
    files = page().files
    if path == "/page/ledger/web/core/index.js":
        route.fulfill(body=FAKE.read_bytes(), content_type="text/javascript", headers=headers)
    elif path.removeprefix("/page/") in files:
        file = files[path.removeprefix("/page/")]
        route.fulfill(body=file.data, content_type=file.media_type, headers=headers)
    elif path == "/" or path.startswith("/t/"):
        # Module by module: the joined script has the real core in it.
        joined = f'src="/page/{JOINED}" integrity="{files[JOINED].integrity}"'
        document = page().documents["en"].decode().replace(joined, f'src="/page/{ENTRY}"')
        assert ENTRY in document
        route.fulfill(body=document, content_type="text/html", headers=headers)
    else:
        route.fulfill(status=404)


@contextmanager
def shown(
    browser: "Browser",
    fake: dict[str, Any],
    path: str = LINK,
    functions: Mapping[str, Callable[[str], str]] | None = None,
    fails: bool = False,
    init: str = "",
    **context: Any,
) -> Iterator["Page"]:
    """A screen of the fake core's, which can call these functions. `fails`: a part of it is to fail; `init`: a script
    that runs before any of the page.

    Whatever it asks of another host or prints makes the test fail. What it throws ends the test at once, by closing the
    page: nothing is waited for that cannot come.
    """
    options = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB", **context}
    opened = browser.new_context(**options)
    screen = opened.new_page()
    screen.set_default_timeout(PATIENCE)
    told: list[str] = []
    screen.on("request", lambda request: told.append(request.url))
    thrown: list[str] = []

    def threw(words: str) -> None:
        thrown.append(f"The page threw: {words}")
        opened.close()

    def printed(message: Any) -> None:
        if message.type == "error" and not fails:
            threw(message.text)
        elif message.type != "error":
            told.append(message.text)

    screen.on("pageerror", lambda error: threw(f"{error.name}: {error.message}\n{error.stack}"))
    screen.on("console", printed)
    screen.route("**/*", _answer)
    for name, function in (functions or {}).items():
        screen.expose_function(name, function)
    if init:
        screen.add_init_script(init)
    screen.add_init_script("delete Navigator.prototype.serviceWorker;")  # no server to fetch it from
    screen.add_init_script(f"globalThis.FAKE = {json.dumps(fake)};")
    try:
        screen.goto(f"{ORIGIN}{path}")
        screen.locator("main h2").first.wait_for()
        yield screen
    except Exception as failure:
        if thrown:
            raise AssertionError(thrown[0]) from failure
        raise
    finally:
        opened.close()
    assert thrown == []
    left = [each for each in told if not each.startswith((ORIGIN, "blob:", "[DOM] "))]  # advice on forms
    assert left == [], left
