"""`ledger/web/core` in Debian's Chromium: what a browser keeps, its locks, its keys (specs/page.md, "Keys and memory")."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SPECS

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = shutil.which("chromium")
ROOT = SPECS.parent
ORIGIN = "http://localhost"  # a secure context; nothing listens, the test answers
STORAGE = """async () => {
  const { IndexedDbStorage } = await import('/ledger/web/core/indexeddb.js');
  const { Conflict, MemoryStorage } = await import('/ledger/web/core/storage.js');
  const tried = async (storage) => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    const told = [];
    await storage.write([{ store: 'seats', key: 'a', value: { key, name: 'alice' } }, { store: 'tables', key: 't', value: { table: 't' } }]);
    const seat = await storage.get('seats', 'a');
    told.push(seat.name, seat.key instanceof CryptoKey, seat.key.extractable, (await storage.all('tables')).length);
    await storage.write([{ store: 'memory', key: 'm', value: { number: 1 }, number: 0 }]);
    try {
      await storage.write([
        { store: 'memory', key: 'm', value: { number: 1, other: true }, number: 0 }, { store: 'tables', key: 'u', value: {} },
      ]);
      told.push('written over');
    } catch (error) {
      told.push(error instanceof Conflict);
    }
    told.push(JSON.stringify(await storage.get('memory', 'm')), (await storage.all('tables')).length);
    await storage.write([{ store: 'memory', key: 'm', value: { number: 2 }, number: 1 }, { store: 'tables', key: 't', value: undefined }]);
    told.push((await storage.get('memory', 'm')).number, (await storage.all('tables')).length, await storage.get('hosts', 'none') === undefined);
    const line = (text) => new TextEncoder().encode(text);
    await storage.putLines('g', 0, ['a', 'b', 'c'].map(line));
    await storage.putLines('h', 0, [line('z')]);
    await storage.putLines('g', 1, [line('d')]);
    told.push((await storage.lines('g')).map((each) => new TextDecoder().decode(each)).join(), (await storage.lines('h')).length);
    return told;
  };
  return [await tried(await IndexedDbStorage.open('trial')), await tried(new MemoryStorage())];
}"""
TURNS = """async () => {
  const { Here, IndexedDbStorage } = await import('/ledger/web/core/index.js');
  const { Memory } = await import('/ledger/web/core/memory.js');
  const storage = await IndexedDbStorage.open('turns');
  const here = await Here.open({ address: location.origin, storage });
  const memory = new Memory(storage, here.locks, 'g', 'alice');
  await Promise.all(Array.from({ length: 50 }, () => memory.turn(async ({ record }) => {
    const before = record.received.length;
    await new Promise((resolve) => setTimeout(resolve, Math.random()));
    record.received.push(String(before));
  })));
  const { number, received } = await memory.look();
  return [here.ability, number, received.length, new Set(received).size, navigator.locks !== undefined];
}"""


@pytest.fixture
def page() -> Iterator["Page"]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: chromium)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        opened = browser.new_context().new_page()

        def answer(route: Any) -> None:
            path = Path(route.request.url.removeprefix(f"{ORIGIN}/"))
            if path.suffix == ".js":
                route.fulfill(body=(ROOT / path).read_bytes(), content_type="text/javascript")
            else:
                route.fulfill(body="<!doctype html><title>core</title>", content_type="text/html")

        opened.route(f"{ORIGIN}/**", answer)
        opened.goto(f"{ORIGIN}/start")
        yield opened
        browser.close()


@pytest.mark.long
def test_storage_of_a_browser_is_as_that_of_a_program(page: "Page") -> None:
    browser, program = page.evaluate(STORAGE)
    assert browser == program
    assert browser == ["alice", True, False, 1, True, '{"number":1}', 1, 2, 0, True, "a,d", 1]


@pytest.mark.long
def test_tabs_take_turns_and_nothing_that_one_wrote_is_written_over(page: "Page") -> None:
    assert page.evaluate(TURNS) == [None, 50, 50, 50, True]
    again = page.context.new_page()  # another tab, at the same time
    again.route(f"{ORIGIN}/**", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    again.close()
