"""`python -m tests.bench.browser_rules`: the verify page with rules in Chromium, as a server sends it.

Sizes; the first verdict and the one with rules, on a fast line and at 1.6 Mbit/s, on this processor and on one that is
slowed down four times (the page; Chromium slows no worker of a sandbox); a log of each system, by the event; a long log
beside `verify` on one core here; and the memory of the tab's process. Then a table's page (`--table`: it alone).
What is told is one run, with the machine's load.
"""

import argparse
import gzip
import json
import os
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import TYPE_CHECKING, Any

from ledger.browser.verify_page import verify_page
from ledger.server.pages import verify_answer
from tests.bench.browser_seat import seat_measured
from tests.conftest import SPECS
from tests.hostile.bombs import BOMBS
from tests.web.games import long_game
from tests.web.table_page import launched
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["measured"]

GAME = SPECS / "vectors" / "logs" / "holds--rejected-bytes.jsonl"
PATIENCE = 600_000
SLOW_LINE = 1_600_000 / 8
"""bytes a second"""
TIMED = """async ([text]) => {
  globalThis.python ??= new $python_python.Python($page_files.filesOfPage, { seconds: 600 });
  const bytes = $bytes.fromBase64(text);
  const told = () => $python_rules.verifyWithRules(python, 'log', bytes, {}, 'en', $python_rules.checkSignatures);
  await python.ask({ do: 'learn', signatures: [] });
  const began = performance.now();
  const { report } = await told();
  const first = performance.now() - began;
  const again = performance.now();
  await told(); // its signatures are known
  const rest = { events: report.events, verdict: report.verdict, started: python.started };
  return { first, again: performance.now() - again, ...rest };
}"""


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        data, headers = verify_answer(zipped=True)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def _served() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}/verify"
    finally:
        server.shutdown()
        server.server_close()


def _visit(browser: "Browser", address: str, *, slow_line: bool, slow_processor: bool) -> dict[str, float]:
    """Seconds from the address to a page that takes a file, to the first verdict, and to the one with rules."""
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    session = context.new_cdp_session(page)
    if slow_line:
        session.send("Network.enable")
        line = {"offline": False, "latency": 150, "downloadThroughput": SLOW_LINE, "uploadThroughput": SLOW_LINE}
        session.send("Network.emulateNetworkConditions", line)
    if slow_processor:
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.locator("#licences").wait_for()  # its program has begun
    shown = time.perf_counter() - began
    page.set_input_files("#file", str(GAME))
    page.locator("#verdict").wait_for()
    first = time.perf_counter() - began
    page.get_by_text("The rules of the game were checked too").wait_for()
    whole = time.perf_counter() - began
    context.close()
    return {"page": round(shown, 1), "verdict": round(first, 1), "rules": round(whole, 1)}


def _memory(browser: "Browser") -> int:
    """Resident kilobytes of the renderer that has most of them."""
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = []
    for each in found:
        if each["type"] == "renderer":
            status = Path(f"/proc/{each['id']}/status").read_text(encoding="ascii")
            [line] = [line for line in status.splitlines() if line.startswith("VmRSS:")]
            sizes.append(int(line.split()[1]))
    return max(sizes)


def _timed(page: "Page", log: bytes) -> Mapping[str, Any]:
    found: dict[str, Any] = page.evaluate(TIMED, [b64encode(log).decode()])
    began = time.perf_counter()
    verify(log)
    return {**found, "here": (time.perf_counter() - began) * 1000}


def measured(events: int) -> dict[str, Any]:
    """All figures of the verify page. Raises StopIteration where there is no browser."""
    whole, small = verify_page(), verify_page(rules=False)
    told: dict[str, Any] = {
        "bytes": {"page": len(whole), "gzip": len(gzip.compress(whole, 6)), "small": len(small)},
        "seconds": {},
        "systems": {},
    }
    with tempfile.TemporaryDirectory() as folder, _served() as address:
        browser = next(browsers := launched())
        for name, ways in {
            "fast": {"slow_line": False, "slow_processor": False},
            "slow processor": {"slow_line": False, "slow_processor": True},
            "slow line": {"slow_line": True, "slow_processor": False},
            "both": {"slow_line": True, "slow_processor": True},
        }.items():
            told["seconds"][name] = _visit(browser, address, **ways)
        path = Path(folder) / "verify.html"
        path.write_bytes(whole)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(path.as_uri())
        first_of_system = dict(BOMBS.values())
        for system, make in sorted(first_of_system.items()):
            found = _timed(page, make(30_000))
            told["systems"][system] = round(found["again"] / found["events"], 2)
        told["started"] = round(found["started"] / 1000, 1)
        told["resident kB"] = _memory(browser)
        found = _timed(page, long_game(Random(1), events))
        told["long"] = {
            "events": found["events"],
            "verdict": found["verdict"],
            "milliseconds": round(found["first"]),
            "of verify": round(found["here"]),
            "ratio": round(found["first"] / found["here"], 2),
            "resident kB": _memory(browser),
        }
        next(browsers, None)
    return told


def main() -> None:
    """Measure, and print it as JSON."""
    parser = argparse.ArgumentParser("python -m tests.bench.browser_rules", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--table", action="store_true", help="of a table's page alone")
    asked = parser.parse_args()
    told = {} if asked.table else measured(asked.events)
    browsers = launched()
    told["table"] = seat_measured(next(browsers))
    next(browsers, None)
    told |= {"load": [round(each, 1) for each in os.getloadavg()], "cores": os.cpu_count()}
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
