"""A hostile log in the worker of a table's page: answers within a limit, a page that is not frozen, a way to stop."""

from collections.abc import Iterator
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

import pytest

from tests.hostile.bombs import BOMBS
from tests.server.served import Server
from tests.web.games import long_game
from tests.web.test_core_chromium import Tab
from tests.web.test_page_seat_rules import LOAD, named_rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZE = 10_000
LIMIT = 10_000
"""milliseconds: `SECONDS` of ledger/web/core/rules.js"""
FOLLOW = """
  const { python } = loader;
  let turns = 0, slowest = 0;
  const timer = setInterval(() => { turns += 1; }, 1);
  const ask = async (request) => {
    const began = performance.now();
    const told = await python.ask(request);
    slowest = Math.max(slowest, performance.now() - began);
    return told;
  };
  while ((await ask({ do: 'follow', at: 0, lines: given.slice(0, 1) })).size !== 1); // another game was here
  for (let at = 1; at < given.length; at += 1) {
    const { size, refused } = await ask({ do: 'follow', at, lines: [given[at]] });
    if (refused !== null || size !== at + 1) throw new Error(JSON.stringify(refused));
    await ask({ do: 'advise', language: 'en', rolls: 50, party: 'alice' });
  }
  clearInterval(timer);
  return { turns, slowest };
"""
STOPPED = """
  const { python } = loader;
  const asked = python.ask({ do: 'verify', log: btoa(given), name: 'log', language: 'en', mldsa: false });
  const next = python.ask({ do: 'learn', signatures: [] }); // waits behind it
  setTimeout(() => python.stop(), 300);
  const why = await Promise.all([asked, next].map((each) => each.then(() => 'answered', (error) => error.words.text)));
  const late = await python.ask({ do: 'verify', log: btoa(given), name: 'log', language: 'en', mldsa: false }, 0.01)
    .then(() => 'answered', (error) => error.words.text);
  await python.ask({ do: 'learn', signatures: [] }); // another worker
  const other = new loader.constructor().python;
  other.prepare();
  setTimeout(() => other.stop(), 0); // while it loads
  await other.turn;
  return { why, late, ready: other.ready };
"""


@pytest.fixture(scope="module")
def tab(browser: "Browser", server: Server) -> Iterator[Tab]:
    context = browser.new_context()
    found = Tab(context.new_page(), server.address)
    found.page.set_default_timeout(120_000)
    found.do(LOAD, named_rules())
    found.do("await loader.python.ask({ do: 'learn', signatures: [] });")
    yield found
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BOMBS))
def test_each_answer_about_a_hostile_log_has_its_limit(tab: Tab, name: str) -> None:
    lines = [line.decode() for line in BOMBS[name][1](SIZE).splitlines()]
    told = tab.do(FOLLOW, lines)
    print(f"{name}: {told['slowest']:.0f} ms at most")
    assert told["slowest"] < LIMIT
    assert told["turns"] > 0  # the page had its turns meanwhile


@pytest.mark.long
def test_what_takes_long_can_be_stopped_and_another_worker_answers(tab: Tab) -> None:
    told = tab.do(STOPPED, long_game(Random(1), 3_000).decode("ascii"))
    assert told == {"why": ["It was stopped."] * 2, "late": "It took longer than {seconds} seconds.", "ready": False}
    until = monotonic() + 10
    while len(tab.page.workers) > 1 and monotonic() < until:  # what was stopped computes no more
        tab.page.wait_for_timeout(100)
    assert len(tab.page.workers) == 1
