"""`ledger/web/core` in Debian's Chromium: what a browser keeps, its locks, its keys (specs/page.md)."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SPECS
from tests.server.served import roomy
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = SPECS.parent
CORE = "ledger/web/core/index.js"
ORIGIN = "http://localhost"  # a secure context; nothing listens, the test answers
STORAGE = """async () => {
  const { IndexedDbStorage } = await import('/ledger/web/core/indexeddb.js');
  const { Conflict, MemoryStorage } = await import('/ledger/web/core/storage.js');
  const tried = async (storage) => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    const told = [];
    await storage.write([
      { store: 'seats', key: 'a', value: { key, name: 'alice' } }, { store: 'tables', key: 't', value: { table: 't' } },
    ]);
    const seat = await storage.get('seats', 'a');
    told.push(seat.name, seat.key instanceof CryptoKey, seat.key.extractable, (await storage.all('tables')).length);
    await storage.write([{ store: 'memory', key: 'm', value: { number: 1 }, number: 0 }]);
    try {
      await storage.write([
        { store: 'memory', key: 'm', value: { number: 1, other: true }, number: 0 },
        { store: 'tables', key: 'u', value: {} },
      ]);
      told.push('written over');
    } catch (error) {
      told.push(error instanceof Conflict);
    }
    told.push(JSON.stringify(await storage.get('memory', 'm')), (await storage.all('tables')).length);
    await storage.write([
      { store: 'memory', key: 'm', value: { number: 2 }, number: 1 }, { store: 'tables', key: 't', value: undefined },
    ]);
    told.push((await storage.get('memory', 'm')).number, (await storage.all('tables')).length);
    told.push(await storage.get('hosts', 'none') === undefined);
    const line = (text) => new TextEncoder().encode(text);
    await storage.putLines('g', 0, ['a', 'b', 'c'].map(line));
    await storage.putLines('h', 0, [line('z')]);
    await storage.putLines('g', 1, [line('d')]);
    const text = (each) => new TextDecoder().decode(each);
    told.push((await storage.lines('g')).map(text).join(), (await storage.lines('h')).length);
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
def page(browser: "Browser") -> Iterator["Page"]:
    context = browser.new_context()
    opened = context.new_page()

    def answer(route: Any) -> None:
        path = Path(route.request.url.removeprefix(f"{ORIGIN}/"))
        if path.suffix == ".js":
            route.fulfill(body=(ROOT / path).read_bytes(), content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html><title>core</title>", content_type="text/html")

    opened.route(f"{ORIGIN}/**", answer)
    opened.goto(f"{ORIGIN}/start")
    yield opened
    context.close()


@pytest.mark.long
def test_storage_of_a_browser_is_as_that_of_a_program(page: "Page") -> None:
    browser, program = page.evaluate(STORAGE)
    assert browser == program
    assert browser == ["alice", True, False, 1, True, '{"number":1}', 1, 2, 0, True, "a,d", 1]


@pytest.mark.long
def test_turns_come_one_after_the_other_and_nothing_that_one_wrote_is_written_over(page: "Page") -> None:
    assert page.evaluate(TURNS) == [None, 50, 50, 50, True]


class Tab:
    """A page of a browser at a real server, with core and nothing else."""

    def __init__(self, page: "Page", address: str) -> None:
        self.page = page
        page.goto(f"{address}/page/{CORE}")  # shown as text: no page of the table runs here
        page.evaluate(
            f"""async () => {{
              const {{ Here, IndexedDbStorage }} = await import('/page/{CORE}');
              window.here = await Here.open({{ address: location.origin, storage: await IndexedDbStorage.open() }});
            }}"""
        )

    def do(self, script: str, given: Any = None) -> Any:
        return self.page.evaluate(f"async (given) => {{ {script} }}", given)

    def until(self, condition: str) -> None:
        self.page.evaluate(
            f"""() => new Promise((resolve) => {{
              const end = table.subscribe((s) => {{ if ({condition}) {{ resolve(); queueMicrotask(() => end()); }} }});
            }})"""
        )

    def at(self, link: str) -> "Tab":
        self.do("window.table = here.table(given); await table.connect();", link)
        return self


@pytest.mark.long
def test_browsers_play_at_a_real_server_with_two_tabs_and_a_reload_in_the_middle_of_a_roll(
    browser: "Browser", tmp_path: Path
) -> None:
    with roomy(tmp_path) as server:
        contexts = {name: browser.new_context() for name in ("host", "alice", "bob")}
        tabs = {name: Tab(context.new_page(), server.address) for name, context in contexts.items()}
        opened = tabs["host"].do("return here.openTable({ system: 'dice-1', title: 'Tavern' });")
        link = opened["links"]["player"]
        for name, tab in tabs.items():
            tab.at(link)
            if name != "host":
                tab.do("await table.sitting.sit(given);", name)
        tabs["host"].until("s.table && s.table.seats.length === 2")
        tabs["host"].do("await table.host.start(table.snapshot.table.seats.map((seat) => seat.key));")
        for name in ("alice", "bob"):
            tabs[name].until("s.stage === 'agreeing'")
            tabs[name].do("await table.game.agree();")
        bob, other = tabs["bob"], Tab(contexts["bob"].new_page(), server.address).at(link)
        other.until("s.game && s.line === 'live' && !s.leader")
        bob.until("s.leader")
        roll = "return table.game.sign(table.game.prepare('roll', { dice: '2d6' }));"
        for n, tab in enumerate((tabs["alice"], bob, other), 1):
            tab.until("s.game.parties.every((party) => party.links > 0) && s.game.phase === 'idle'")
            tab.do(roll)
            for each in (*tabs.values(), other):
                each.until(f"s.game.rolls.length === {n} && s.game.rolls[{n - 1}].fair")
        # Both tabs are gone while alice asks; the first that is back opens.
        bob.page.close()
        other.page.close()
        tabs["alice"].do("table.game.sign(table.game.prepare('roll', { dice: 'd20' }));")
        tabs["alice"].until("s.game.waiting && s.game.waiting.awaited.includes('bob')")
        again = Tab(contexts["bob"].new_page(), server.address).at(link)
        again.until("s.game.rolls.length === 4 && s.game.rolls[3].fair && s.leader")
        tabs["host"].do("await table.host.closeGame();")
        for each in (tabs["alice"], again):
            each.until("s.stage === 'closed' && s.game.checkpoint.size === s.game.size")
            log = each.do("return new TextDecoder().decode(table.game.save().bytes);")
            assert verify(log.encode())[0].verdict == "holds"
            assert each.do("return table.snapshot.warnings.length;") == 0
        for context in contexts.values():
            context.close()
