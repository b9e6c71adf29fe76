"""The rules at a table's page in Chromium: two visits, an event of each system, what can be done, memory.

Part of `python -m tests.bench.browser_rules`.
"""

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from tests.hostile.bombs import BOMBS
from tests.server.served import roomy
from tests.web.table_page import LOADS_RULES
from tests.web.test_core_chromium import Tab
from tests.web.test_page_seat_rules import LOAD, named_rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["seat_measured"]

PATIENCE = 600_000
SLOW_LINE = 1_600_000 / 8
"""bytes a second"""
AT_ONCE = "Math.random = () => 0;"
"""what spreads the pages of a hall"""
TIMED = """
  const { python } = loader;
  const timed = async (request) => {
    const began = performance.now();
    await python.ask(request);
    return performance.now() - began;
  };
  const follow = async (rolls) => {
    const first = { do: 'follow', at: 0, lines: given.slice(0, 1) };
    while ((await python.ask(first)).size !== 1); // another game was here
    const events = [], answers = [];
    for (let at = 1; at < given.length; at += 1) {
      events.push(await timed({ do: 'follow', at, lines: [given[at]] }));
      answers.push(await timed({ do: 'advise', language: 'en', rolls, party: 'alice' }));
    }
    return [events, answers];
  };
  const [events, all] = await follow(50);
  const [, offers] = await follow(1);
  return [events, all, offers];
"""
"""what a page asks, and the offers with the state of the latest roll alone"""
SETTLED = 10
"""seconds after which memory is read once more: what was needed for the start alone is given back"""


def _visits(browser: "Browser", link: str, *, slow: bool) -> list[dict[str, float]]:
    """Two visits of one browser, in seconds: until the log is shown, and until the rules are there."""
    context = browser.new_context(locale="en-GB")
    context.add_init_script(LOADS_RULES + AT_ONCE)
    told = []
    for _ in range(2):
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        session = context.new_cdp_session(page)
        if slow:
            session.send("Network.enable")
            line = {"offline": False, "latency": 150, "downloadThroughput": SLOW_LINE, "uploadThroughput": SLOW_LINE}
            session.send("Network.emulateNetworkConditions", line)
            session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        began = time.perf_counter()
        page.goto(link, wait_until="commit")
        page.locator(".entry.roll.fair").first.wait_for()
        shown = time.perf_counter() - began
        page.locator(".rules-bar").wait_for()
        page.locator(".rules-bar").wait_for(state="detached")
        told.append({"table": round(shown, 1), "rules": round(time.perf_counter() - began, 1)})
        page.close()
    context.close()
    return told


def _resident(browser: "Browser") -> dict[str, int]:
    """Resident megabytes of the renderer that has most of them, and which of them are no other process's too."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    told = []
    for each in found:
        if each["type"] == "renderer":
            lines = Path(f"/proc/{each['id']}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
            sizes = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
            own = sizes["Private_Clean"] + sizes["Private_Dirty"]
            told.append({"resident MB": sizes["Rss"] // 1024, "its own": own // 1024})
    return max(told, key=lambda each: each["resident MB"])


def seat_measured(browser: "Browser") -> Mapping[str, Any]:
    """All figures."""
    told: dict[str, Any] = {"systems": {}}
    with tempfile.TemporaryDirectory() as folder, roomy(Path(folder)) as server:
        tab = Tab(browser.new_context().new_page(), server.address)
        tab.page.set_default_timeout(PATIENCE)
        asked = {"system": "dice-1", "title": "Tavern", "roles": ["player", "spectator"]}
        links = tab.do("return here.openTable(given);", asked)["links"]
        tab.at(links["player"])
        tab.do("await table.sitting.sit('alice');")
        tab.until("s.table && s.table.canStart")
        tab.do("await table.host.start(table.snapshot.table.seats.map((seat) => seat.key));")
        tab.until("s.stage === 'agreeing'")
        tab.do("await table.game.agree();")
        for _ in range(10):
            tab.until("s.game.phase === 'idle' && s.game.parties.every((each) => each.links > 0)")
            tab.do("await table.game.sign(table.game.prepare('roll', { dice: '4d6' }));")
        told["visits"] = _visits(browser, links["spectator"], slow=False)
        told["visits, slow line and processor"] = _visits(browser, links["spectator"], slow=True)
        tab.do(LOAD, named_rules())
        tab.do("await loader.python.ask({ do: 'learn', signatures: [] });")
        told["with rules"] = _resident(browser)
        time.sleep(SETTLED)
        told[f"{SETTLED} s later"] = _resident(browser)
        for name, (system, make) in sorted(BOMBS.items()):
            lines = [line.decode() for line in make(60_000).splitlines()]
            figures: dict[str, float] = {"events": min(len(lines), 200) - 1}
            for what, times in zip(("event", "state and offers", "offers"), tab.do(TIMED, lines[:200]), strict=True):
                figures |= {f"{what} ms": round(median(times), 1), f"most for {what}": round(max(times), 1)}
            told["systems"][f"{system}: {name}"] = figures
        told["after them"] = _resident(browser)
    return told
