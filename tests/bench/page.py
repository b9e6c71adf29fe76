"""`python -m tests.bench.page`: from a tap to dice on every screen, in Chromium, three contributors on one machine.

The keeper, alice and bob have a part in each roll; the server and both browsers run here. The parts follow each other:
sign (until the request leaves), post (until it is in bob's stream), opening (until the last opening leaves: alice's, as
she closes the roll), reveal (until it is in the last stream), verify (until its last signature is checked there),
render (until the last screen is painted).

`--delay` puts a network between browsers and server: so many milliseconds for a request and its answer, half of them
each way. `--slower` makes bob's processor so many times slower. `--profile` writes what both pages did meanwhile, for
Chromium's own tools, and says where the time went.
"""

import argparse
import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from tests.server.served import serving
from tests.web.people import Person, opened
from tests.web.relay import Relay
from tests.web.table_page import LOADS_RULES, launched

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

__all__ = ["PARTS", "PROBES", "measured"]

PARTS = ("sign", "post", "opening", "reveal", "verify", "render")
PATIENCE = 60_000
RULES_WITHIN = 120_000
MOST = 25
"""functions that are told of a profile"""
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
    for (const name of ['opening', 'checkpoint']) if (text.includes(`event: ${name}`)) mark(name);
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
    page.wait_for_timeout(400)  # to look is work of the page, too
    for _ in range(PATIENCE // 100):
        found: list[tuple[str, float]] = page.evaluate("marks")
        if any(name == "painted" for name, _ in found):
            return found
        page.wait_for_timeout(100)
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


class _Profile:
    """What a page's processor does, from now on."""

    def __init__(self, devtools: "CDPSession") -> None:
        self.devtools = devtools
        devtools.send("Profiler.enable")
        devtools.send("Profiler.setSamplingInterval", {"interval": 200})
        devtools.send("Profiler.start")

    def stop(self, path: Path, rolls: int) -> list[tuple[str, float]]:
        """Write it; milliseconds a roll of each function itself, the most first."""
        profile = self.devtools.send("Profiler.stop")["profile"]
        path.write_text(json.dumps(profile), encoding="utf-8")
        names = {
            node[
                "id"
            ]: f"{call['functionName'] or '(anonymous)'} {call['url'].rpartition('/')[2]}:{call['lineNumber'] + 1}"
            for node in profile["nodes"]
            for call in [node["callFrame"]]
        }
        spent: Counter[str] = Counter()
        for node, took in zip(profile["samples"], profile["timeDeltas"], strict=True):
            spent[names[node]] += took
        return [(name, round(took / 1_000 / rolls, 1)) for name, took in spent.most_common(MOST)]


def measured(
    rolls: int, *, delay: int = 0, slower: int = 1, rules: bool = False, profile: Path | None = None
) -> dict[str, Any]:
    """Median milliseconds from tap to dice on every screen and of each part; quartiles; the machine's load.

    Raises StopIteration where there is no browser.
    """
    found, told = [], {}
    init = PROBES + (LOADS_RULES if rules else "")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        browser = next(browsers := launched())
        relay = Relay(server.address, delay / 2_000)
        alice, bob = (Person(browser, name, init=init) for name in ("alice", "bob"))
        people = (alice, bob)
        opened(alice, relay.address, [bob])
        if rules:
            for each in people:
                each.page.wait_for_timeout(2_000)
                each.page.locator(".rules-bar").wait_for(state="detached", timeout=RULES_WITHIN)
        devtools = [each.context.new_cdp_session(each.page) for each in people]
        devtools[1].send("Emulation.setCPUThrottlingRate", {"rate": slower})
        profiles: list[_Profile] = []
        for number in range(rolls + 1):
            if number == 1 and profile is not None:
                profiles = [_Profile(each) for each in devtools]
            alice.page.locator("#line").fill("4d6kh3 + 2")
            alice.page.locator(".line button.sign:not([aria-disabled])").wait_for()
            bob.page.evaluate("() => { marks.length = 0; }")
            alice.page.evaluate(TAP)
            marks = [_marks(each.page) for each in people]
            if number > 0:  # the first one finds everything cold
                found.append(_parts(*marks))
        for each, one in zip(people, profiles, strict=False):
            assert profile is not None
            told[each.name] = one.stop(profile / f"{each.name}.cpuprofile", rolls)
        for each in people:
            each.close()
        relay.close()
        next(browsers, None)
    totals = sorted(sum(parts.values()) for parts in found)
    low, _, high = quantiles(totals, n=4)
    return {
        "rolls": rolls,
        "milliseconds": round(median(totals)),
        "quartiles": [round(low), round(high)],
        "p95": round(quantiles(totals, n=20, method="inclusive")[-1]),
        "parts": {name: round(median(parts[name] for parts in found), 1) for name in PARTS},
        "profiles": told,
        "load": [round(each, 1) for each in os.getloadavg()],
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Measure, and print it."""
    parser = argparse.ArgumentParser("python -m tests.bench.page", description=__doc__)
    parser.add_argument("--rolls", type=int, default=30)
    parser.add_argument("--delay", type=int, default=0, help="milliseconds for a request and its answer")
    parser.add_argument("--slower", type=int, default=1, help="times, of bob's processor")
    parser.add_argument("--rules", action="store_true", help="both pages have the rules")
    parser.add_argument("--profile", type=Path, help="a folder for what both pages did")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    given = parser.parse_args()
    told = measured(given.rolls, delay=given.delay, slower=given.slower, rules=given.rules, profile=given.profile)
    if given.json:
        print(json.dumps(told, indent=2))
        return
    print(f"From tap to dice on every screen: median {told['milliseconds']} ms of {given.rolls} rolls,")
    print(
        f"half of them between {told['quartiles'][0]} and {told['quartiles'][1]} ms, 95 of 100 within {told['p95']} ms."
    )
    print(", ".join(f"{name} {value} ms" for name, value in told["parts"].items()))
    for name, spent in told["profiles"].items():
        print(f"{name}, milliseconds a roll:")
        for function, took in spent:
            print(f"  {took:7.1f}  {function}")
    print(f"Load of the machine: {told['load'][0]} on {told['cores']} cores.")


if __name__ == "__main__":
    main()
