"""The rules in Debian's Firefox: the verify page, and a game of each system at a table's page, as in Chromium.

It takes `apt-get install firefox-esr`, and `npm install puppeteer-core` in a folder of NODE_PATH; else it is skipped.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.browser.verify_page import verify_page
from rules import SYSTEMS
from tests.conftest import SPECS
from tests.hostile.bombs import BOMBS
from tests.sdk.test_window import plugins
from tests.server.served import Server
from tests.web.cheat import Cheat
from tests.web.test_core import BEFORE
from tests.web.test_core_chromium import Tab
from tests.web.test_page_seat_rules import ADVICE, LOAD, READY, assert_as_here, named_rules, play, sit_down
from verifier import Replay, verify

pytestmark = pytest.mark.slow

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
NODE = shutil.which("node")
MODULE = "puppeteer-core/lib/esm/puppeteer/puppeteer-core.js"
VERDICT = """() => new Promise((resolve) => {
  const look = () => {
    const [verdict, work] = ['#verdict', '#work'].map((each) => document.querySelector(each));
    if (verdict && work.hidden) resolve([verdict.innerText, document.querySelector('#result').innerText]);
    else setTimeout(look, 100);
  };
  setTimeout(look, 500);
})"""


class Firefox:
    """One process of Firefox, with any number of pages that share nothing."""

    def __init__(self, module: Path) -> None:
        assert NODE is not None
        assert FIREFOX is not None
        command = [NODE, str(Path(__file__).with_name("firefox.mjs")), str(module), FIREFOX]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "Firefox has ended"
        answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def __call__(self, name: str, **given: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": name, **given}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()


class Page:
    """A page in a context of its own, as far as `Tab` uses Playwright's."""

    def __init__(self, firefox: Firefox, **size: int) -> None:
        self.firefox = firefox
        self.page = firefox("open", **size)

    def goto(self, url: str) -> None:
        """Go there, and wait for it: Firefox never says that a script which it shows as text has come."""
        self.firefox("goto", page=self.page, url=url, waits=not url.endswith(".js"))
        while self.evaluate("() => location.href") != url:
            pass

    def beside(self) -> "Page":
        """Another page of the same context."""
        return self._of(self.firefox("beside", page=self.page))

    def popup(self, selector: str) -> "Page":
        """The window that a click opens."""
        return self._of(self.firefox("popup", page=self.page, selector=selector))

    def _of(self, page: int) -> "Page":
        found = object.__new__(Page)
        found.firefox, found.page = self.firefox, page
        return found

    def does(self, what: str, **given: str) -> None:
        """`click` and `type` at a `selector`, which is waited for; `press` a `key`; `front`."""
        self.firefox(what, page=self.page, **given)

    def told(self) -> list[str]:
        """What the console says: of scripts, and of the browser itself."""
        return list(self.firefox("told", page=self.page))

    def until(self, holds: str) -> Any:
        """Wait until an expression holds; its value."""
        for _ in range(600):
            found = self.evaluate(f"() => {holds}")
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError(holds, self.evaluate("() => document.body.innerText"))

    def evaluate(self, script: str, given: Any = None) -> Any:
        return self.firefox("evaluate", page=self.page, script=script, given=given)

    def give(self, file: Path) -> list[str]:
        """Verdict and text of a file that is chosen."""
        self.firefox("give", page=self.page, selector="#file", files=[str(file)])
        return list(self.evaluate(VERDICT))


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    folders = [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    module = next((folder / MODULE for folder in folders if (folder / MODULE).is_file()), None)
    if FIREFOX is None or NODE is None or module is None:
        pytest.skip("it takes firefox-esr, Node, and puppeteer-core in NODE_PATH")
    found = Firefox(module)
    yield found
    found.close()


def test_the_verify_page_judges_a_game_of_each_system_from_disk(firefox: Firefox, tmp_path: Path) -> None:
    path = tmp_path / "verify.html"
    path.write_bytes(verify_page())
    page = Page(firefox, width=390, height=844)
    page.goto(path.as_uri())
    logs = [SPECS / "vectors" / "logs" / "holds--rejected-bytes.jsonl"]
    for system, make in sorted(dict(BOMBS.values()).items()):
        logs.append(tmp_path / f"{system}.jsonl")
        logs[-1].write_bytes(make(3_000))
    broken = [log for log in sorted(logs[0].parent.glob("rules.*.jsonl")) if verify(log.read_bytes())[0].findings]
    for log in [*logs, *broken[:3]]:
        report, _ = verify(log.read_bytes())
        verdict, text = page.give(log)
        assert verdict.startswith(report.verdict.upper()), log.name
        assert "The rules of the game were checked too" in text, log.name
        assert "Two programs" not in text
        for finding in report.findings:
            assert finding.message in text


@pytest.fixture(scope="module")
def tabs(firefox: Firefox, server: Server) -> Iterator[dict[str, Any]]:
    """Alice and bob, whose server gives no advice, with rules."""
    cheat = Cheat(server.address)
    cheat.request = lambda _, path, __: (503, b"") if ADVICE.search(path) else None
    found = {name: Tab(Page(firefox), cheat.address) for name in ("alice", "bob")}  # type: ignore[arg-type]
    for tab in found.values():
        tab.do(LOAD, named_rules())
    yield {**found, "cheat": cheat}
    cheat.close()


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_two_browsers_play_a_game_of_each_system_without_advice(tabs: dict[str, Any], system: str) -> None:
    sit_down(tabs, system)
    for name, body in BEFORE.get(system, []):
        at = tabs["bob" if name == "gail" else name]
        at.until(f"s.game.phase === 'idle' && {READY}")
        at.do("return table.game.sign(table.game.prepare('declare', given));", body)
    play(tabs, 4)
    lines = tabs["alice"].do("return new TextDecoder().decode(table.game.save().bytes);").splitlines()
    replay = Replay()
    for line in lines:
        replay.step(line.encode())
    for name in ("alice", "bob"):
        assert_as_here(tabs[name], name, replay)
        tabs[name].do("table.close();")


def test_a_plugin_of_another_origin_rolls_with_the_players_tap(
    firefox: Firefox, server: Server, tmp_path: Path
) -> None:
    """The example as it stands, and the window that it opens; a tap that comes too early does nothing."""
    table = Page(firefox, width=390, height=844)
    table.goto(f"{server.address}/")
    table.does("type", selector="#name", text="alice")
    table.does("click", selector="::-p-text(Wait for them)")
    table.does("click", selector="form button.main")
    table.does("click", selector="button::-p-text(Start with)")
    table.until("document.querySelector('#line') !== null")
    with plugins(tmp_path) as port:
        tab = table.beside()
        tab.goto(f"http://localhost:{port}/")
        tab.does("type", selector="[name=server]", text=server.address)
        window = tab.popup("#open button")
        window.does("front")
        window.until("document.querySelector('button.chosen') !== null")
        assert window.evaluate("() => document.querySelector('h2').innerText").startswith(f"http://localhost:{port} ")
        rested(window)
        window.does("click", selector="button.chosen")
        tab.until("document.querySelector('#now').innerText === 'You roll as alice.'")
        tab.does("front")
        tab.does("click", selector="#attack")
        window.does("front")
        window.does("click", selector="button.sign")
        assert window.evaluate("() => document.querySelector('button.sign .verb').innerText") == (
            "Roll d20 + 5 for the attack"
        ), "a tap that came too early does nothing"
        assert tab.evaluate("() => document.querySelector('#now').innerText") == "Tap in the window."
        rested(window)
        window.does("click", selector="button.sign")
        said = tab.until("/^The attack: [0-9]+$/u.exec(document.querySelector('#now').innerText)?.[0]")
        [natural] = window.until("[...document.querySelectorAll('.tray .die .number')].map((each) => each.textContent)")
        assert said == f"The attack: {natural}"
        time.sleep(1)  # nothing here says when taps count
        window.does("click", selector="button::-p-text(Disconnect)")
        tab.until("document.querySelector('#now').innerText === 'Not connected: disconnected'")


def rested(window: Page) -> None:
    """Until taps count: the hint that they do not yet is gone."""
    window.until("document.querySelector('.resting.rested') !== null")


def two_at_a_table(firefox: Firefox, address: str) -> tuple[Page, Page]:
    """Alice and bob, who came by the link, on phones; the terms are agreed to."""
    alice, bob = Page(firefox, width=390, height=844), Page(firefox, width=390, height=844)
    alice.goto(f"{address}/")
    alice.does("type", selector="#name", text="alice")
    alice.does("click", selector="form button.main")
    bob.goto(alice.until("document.querySelector('input.link')?.value"))
    bob.does("type", selector="#name", text="bob")
    bob.does("press", key="Enter")
    alice.until("document.querySelectorAll('.people li').length === 2")
    alice.does("click", selector="button::-p-text(Start with)")
    bob.does("click", selector="button::-p-text(Agree to these terms)")
    alice.until("!document.body.innerText.includes('has not agreed yet')")
    return alice, bob


def test_from_the_link_to_a_roll_that_is_taken_back_nothing_is_printed(firefox: Firefox, server: Server) -> None:
    """With the rules, which come when somebody rolls: neither a script nor the browser has anything to say."""
    alice, bob = two_at_a_table(firefox, server.address)
    alice.until("document.querySelectorAll('.thrown button:not([aria-disabled])').length === 8")
    alice.does("click", selector=".thrown button::-p-text(d20)")
    for page in (bob, alice):
        page.does("front")  # a tab that nobody looks at loads no rules
        page.until("document.querySelector('.outcome .total') && !document.querySelector('.advised')")
    alice.does("click", selector="button::-p-text(Take this roll back)")
    bob.does("front")
    bob.does("click", selector=".take-back.asked .sign:not([aria-disabled])")
    for page in (alice, bob):
        page.until("document.querySelector('.tray.struck') !== null")
    time.sleep(4)  # the service worker is registered after three seconds
    assert (alice.told(), bob.told()) == ([], [])
