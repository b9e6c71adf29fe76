"""`python -m tests.bench.verify_page`: a long log on the verifier's page beside its signatures alone, in Chromium.

In turns, in one browser: the page from disk, which verifies in a worker and shows its progress, from the choice of the
file until the first rolls are shown; and WebCrypto's checks of the log's signatures, made ready, with nothing around
them. What is told is the ratio, and that of processor time in all processes of the browser, which says more where the
machine has other work.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

from tests.conftest import SPECS
from tests.web.games import long_game
from tests.web.table_page import launched
from verifier.shell.webpage import build_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["measured"]

ROOT = SPECS.parent
ORIGIN = "http://localhost"  # a secure context; nothing listens, the answers are made here
PATIENCE = 1_800_000
WATCH = """() => {
  const [work, bar, file] = ['work', 'bar', 'file'].map((id) => document.getElementById(id));
  const seen = new Set();
  let start = 0;
  file.addEventListener('change', () => { start = performance.now(); }, { capture: true, once: true });
  const looking = new MutationObserver(() => { if (bar.position > 0 && bar.position < 1) seen.add(bar.position); });
  looking.observe(bar, { attributes: true });
  globalThis.turn = new Promise((resolve) => {
    const waiting = new MutationObserver(() => {
      if (!work.hidden) return;
      for (const each of [looking, waiting]) each.disconnect();
      resolve([performance.now() - start, seen.size]);
    });
    waiting.observe(work, { attributes: true });
  });
}"""
BARE = """async () => {
  const { checkAll, signaturesOf } = await import('/tests/web/signatures.js');
  globalThis.all ??= await signaturesOf(new Uint8Array(await (await fetch('/log')).arrayBuffer()));
  const start = performance.now();
  await checkAll(all);
  return [performance.now() - start, all.length];
}"""


def _answer(log: bytes) -> Callable[[Any], None]:
    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/log":
            route.fulfill(body=log)
        elif path.endswith(".js"):
            route.fulfill(body=(ROOT / path.lstrip("/")).read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>signatures</title>", content_type="text/html")

    return answer


def _pages(browser: "Browser", log: bytes, folder: Path) -> tuple["Page", "Page"]:
    (folder / "verify.html").write_text(build_page(), encoding="utf-8")
    (folder / "long.jsonl").write_bytes(log)
    shown, bare = browser.new_page(), browser.new_page()
    for page in (shown, bare):
        page.set_default_timeout(PATIENCE)
    shown.goto((folder / "verify.html").as_uri())
    bare.route(f"{ORIGIN}/**", _answer(log))
    bare.goto(f"{ORIGIN}/start")
    return shown, bare


def measured(events: int, times: int) -> dict[str, Any]:
    """Milliseconds of each turn; medians of the ratios; at how many places the progress bar was; the machine's load.

    Raises StopIteration where there is no browser.
    """
    log = long_game(Random(1), events)
    turns, moved, signatures = [], [], 0
    processor: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        browser = next(browsers := launched())
        shown, bare = _pages(browser, log, Path(folder))
        session = browser.new_browser_cdp_session()

        def used() -> float:
            return float(sum(each["cpuTime"] for each in session.send("SystemInfo.getProcessInfo")["processInfo"]))

        bare.evaluate(BARE)  # the first one makes them ready
        for _ in range(times):
            before = used()
            alone, signatures = bare.evaluate(BARE)
            shown.evaluate(WATCH)
            between = used()
            shown.set_input_files("#file", str(Path(folder) / "long.jsonl"))
            took, places = shown.evaluate("() => turn")
            assert shown.locator("#verdict").inner_text().startswith("HOLDS")
            processor.append((used() - between) / (between - before))
            turns.append((alone, took))
            moved.append(places)
        next(browsers, None)
    return {
        "events": log.count(b"\n"),
        "signatures": signatures,
        "milliseconds": [{"signatures": round(alone), "page": round(page)} for alone, page in turns],
        "ratio": round(median(page / alone for alone, page in turns), 2),
        "processor": round(median(processor), 2),
        "progress": min(moved),
        "load": [round(each, 1) for each in os.getloadavg()],
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Measure, and print it."""
    parser = argparse.ArgumentParser("python -m tests.bench.verify_page", description=__doc__)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    told = measured(given.events, given.times)
    if given.json:
        print(json.dumps(told, indent=2))
        return
    for turn in told["milliseconds"]:
        print(f"{told['signatures']} signatures: {turn['signatures']} ms alone, {turn['page']} ms on the page")
    print(f"{told['events']} events: the page takes {told['ratio']} times as long (median of {given.times}),")
    print(f"and {told['processor']} times the processor time.")
    print(f"Its progress bar was seen at {told['progress']} places. Load: {told['load'][0]} on {told['cores']} cores.")


if __name__ == "__main__":
    main()
