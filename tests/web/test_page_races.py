"""Two pages in Chromium at a server as it is, of which one writes as fast as it can (network.md, "Losing a race")."""

import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import serving
from tests.web.people import Person, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

ROLLS = 4
WITHIN = 15.0
"""seconds from a tap to dice, also where the machine is busy; without turns a roll never came in"""
WRITE = """async (link) => {
  const { Here, IndexedDbStorage } = await import('/page/ledger/web/core/index.js');
  const here = await Here.open({ address: location.origin, storage: await IndexedDbStorage.open() });
  const table = here.table(link);
  await table.connect();
  globalThis.written = 0;
  globalThis.writing = true;
  for (let what = 'away'; globalThis.writing;) {
    try {
      await table.game.sign(table.game.prepare(what, { party: 'mallory' }));
      globalThis.written++;
      what = what === 'away' ? 'back' : 'away';
    } catch (error) {
      if (!globalThis.writing) break;
      await new Promise((resolve) => { setTimeout(resolve, 20); });
      const mine = table.snapshot.game?.parties.find((party) => party.mine);
      what = mine?.away ? 'back' : 'away';
    }
  }
}"""
"""A player's own core, in a tab of the player's browser: away and back, each as soon as the one before stands."""


def _busy() -> None:
    while True:
        pass


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that use all of a core."""
    processes = [multiprocessing.get_context("spawn").Process(target=_busy, daemon=True) for _ in range(count)]
    for each in processes:
        each.start()
    try:
        yield
    finally:
        for each in processes:
            each.kill()
            each.join()


def test_who_writes_as_fast_as_the_server_lets_it_keeps_nobody_out(browser: "Browser", tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        alice, mallory = Person(browser, "alice"), Person(browser, "mallory")
        links = opened(alice, server.address, [mallory])
        tab = mallory.tab()
        # A page has the core within itself; a document without one takes the modules one by one.
        tab.route("**/empty", lambda route: route.fulfill(content_type="text/html", body="<!doctype html>"))
        tab.goto(f"{server.address}/empty")
        tab.evaluate(f"(link) => {{ void ({WRITE})(link); }}", links["player"])
        tab.wait_for_function("() => globalThis.written >= 4")
        alice.page.locator("#kind").select_option("rolls")  # mallory's lines push them out of a log that shows all
        took = []
        with busy(2):
            for number in range(ROLLS):
                before = tab.evaluate("globalThis.written")
                alice.types("d20")
                began = time.monotonic()
                alice.page.locator(".line button.sign").click()
                alice.sees_rolls(number + 1)
                took.append(time.monotonic() - began)
                tab.wait_for_function("(before) => globalThis.written > before + 1", arg=before)
        tab.evaluate("globalThis.writing = false")
        print(
            f"alice's rolls took {', '.join(f'{each:.1f}' for each in took)} s, beside {tab.evaluate('written')} lines"
        )
        assert max(took) < WITHIN
        assert alice.page.get_by_text("Somebody was faster").count() == 0
        alice.close()
        mallory.close()
