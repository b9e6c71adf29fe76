"""`python -m tests.bench.page`: from a tap to dice on every screen, in Chromium, three contributors on one machine.

The keeper, alice and bob have a part in each roll; the server and both browsers run here. The parts follow each other:
sign (until the request leaves), post (until it is in bob's stream), opening (until the last opening leaves: alice's, as
she closes the roll), reveal (until it is in the last stream), verify (until its last signature is checked there),
render (until the last screen is painted).
"""

import argparse
import json
import os
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from tests.server.served import serving
from tests.web.people import Person, opened
from tests.web.table_page import launched

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["PARTS", "measured"]

PARTS = ("sign", "post", "opening", "reveal", "verify", "render")
PATIENCE = 60_000
PROBES = """(() => {
  const marks = globalThis.marks = [];
  const now = () => performance.timeOrigin + performance.now();
  const mark = (name) => marks.push([name, now()]);
  addEventListener('click', () => mark('tap'), true);
  const { fetch } = globalThis;
  globalThis.fetch = (url, given) => {
    const [, what] = /\\/(lines|openings)$/.exec(String(url)) ?? [];
    if (what && given?.method === 'POST') mark(what);
    return fetch(url, given);
  };
  const { read } = ReadableStreamDefaultReader.prototype;
  ReadableStreamDefaultReader.prototype.read = async function (...given) {
    const found = await read.apply(this, given);
    const text = found.value instanceof Uint8Array ? new TextDecoder().decode(found.value) : '';
    for (const type of ['roll', 'reveal']) if (text.includes(`"type":"${type}"`)) mark(type);
    return found;
  };
  const { verify } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.verify = async function (...given) {
    const holds = await verify.apply(this, given);
    mark('verified');
    return holds;
  };
  let shown = 0;
  new MutationObserver(() => {
    const count = document.querySelectorAll('.entry.roll.fair').length;
    if (count <= shown) return;
    shown = count;
    requestAnimationFrame(() => setTimeout(() => mark('painted')));
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['class'] });
})();"""
TAP = "() => { marks.length = 0; document.querySelector('.line button.sign').click(); }"


def _marks(page: "Page") -> list[tuple[str, float]]:
    for _ in range(PATIENCE // 20):
        found: list[tuple[str, float]] = page.evaluate("marks")
        if any(name == "painted" for name, _ in found):
            return found
        page.wait_for_timeout(20)
    raise AssertionError("no dice were shown")


def _parts(alice: list[tuple[str, float]], bob: list[tuple[str, float]]) -> dict[str, float]:
    """Milliseconds of each part of one roll, of what two pages marked."""

    def first(marks: list[tuple[str, float]], name: str) -> float:
        return next(at for each, at in marks if each == name)

    last = max((alice, bob), key=lambda marks: first(marks, "painted"))
    painted, came = first(last, "painted"), first(last, "reveal")
    verified = max([at for name, at in last if name == "verified" and came <= at <= painted], default=came)
    ends = [first(alice, "tap"), first(alice, "lines"), first(bob, "roll"), first(alice, "openings"), came, verified]
    return dict(zip(PARTS, (b - a for a, b in zip(ends, [*ends[1:], painted], strict=True)), strict=True))


def measured(rolls: int) -> dict[str, Any]:
    """Median milliseconds from tap to dice on every screen and of each part; quartiles; the machine's load.

    Raises StopIteration where there is no browser.
    """
    found = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        browser = next(browsers := launched())
        alice, bob = (Person(browser, name, init=PROBES) for name in ("alice", "bob"))
        opened(alice, server.address, [bob])
        for number in range(rolls + 1):
            alice.page.locator("#line").fill("4d6kh3 + 2")
            alice.page.locator(".line button.sign:not([aria-disabled])").wait_for()
            bob.page.evaluate("() => { marks.length = 0; }")
            alice.page.evaluate(TAP)
            marks = [_marks(each.page) for each in (alice, bob)]
            if number > 0:  # the first one finds everything cold
                found.append(_parts(*marks))
        for each in (alice, bob):
            each.close()
        next(browsers, None)
    totals = [sum(parts.values()) for parts in found]
    low, _, high = quantiles(totals, n=4)
    return {
        "rolls": rolls,
        "milliseconds": round(median(totals)),
        "quartiles": [round(low), round(high)],
        "parts": {name: round(median(parts[name] for parts in found), 1) for name in PARTS},
        "load": [round(each, 1) for each in os.getloadavg()],
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Measure, and print it."""
    parser = argparse.ArgumentParser("python -m tests.bench.page", description=__doc__)
    parser.add_argument("--rolls", type=int, default=30)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    told = measured(given.rolls)
    if given.json:
        print(json.dumps(told, indent=2))
        return
    print(f"From tap to dice on every screen: median {told['milliseconds']} ms of {given.rolls} rolls,")
    print(f"half of them between {told['quartiles'][0]} and {told['quartiles'][1]} ms.")
    print(", ".join(f"{name} {value} ms" for name, value in told["parts"].items()))
    print(f"Load of the machine: {told['load'][0]} on {told['cores']} cores.")


if __name__ == "__main__":
    main()
