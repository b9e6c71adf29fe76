"""The rules at a table's page in Chromium: served by their hashes, run in a worker, in the place of advice (page.md).

That core does with them what it should is shown, for more cases and without WebAssembly, by `test_core_rules.py`.
"""

import gzip
import json
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import brotli
import httpx
import msgspec
import pytest

from ledger.analysis.advice import actions_of, read, refusal, state_of
from ledger.network.wire import ReadRequest
from ledger.page.assets import IMMUTABLE, page
from rules import SYSTEMS
from rules.base import NotationError
from tests.hostile.bombs import BOMBS
from tests.rules.test_letters import LINES
from tests.rules.test_sentences import SENTENCES
from tests.server.served import Server
from tests.web.cheat import Cheat
from tests.web.people import Person, Two, opened
from tests.web.table_page import LOADS_RULES
from tests.web.test_core import BEFORE, OPTIONS
from tests.web.test_core_chromium import Tab
from verifier import Replay

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ADVICE = re.compile(r"/(?:state|actions|explain)\?|/read$")
READY = "s.rules && s.rules.state === 'ready' && s.advice && s.advice.own && s.advice.size === s.game.size"
LOAD = """
  document.head.append(Object.assign(document.createElement('meta'), { name: 'rollproof-rules', content: given }));
  const { Loader } = await import('/page/ledger/web/ui/rules.js');
  window.loader = new Loader();
  loader.python.prepare();
"""
NEXT = """
  const { actions } = table.snapshot.advice;
  for (const action of [...actions.filter((each) => each.due), ...actions.filter((each) => each.type === 'roll')]) {
    if (action.line === undefined && action.fields.some((field) => field.required)) continue;
    const read = action.line && (await table.game.read({ action, line: action.line.example }));
    return (await table.game.sign(table.game.prepare(action.type, read ? read.body : action.body))).seq;
  }
  return null;
"""
"""What is offered first is done; what can be typed for it is typed as its example says."""


READ = """
  const [lines, requests] = given;
  for (let size = 0, tried = 0; size < lines.length && tried < 2; tried += 1) { // another game was here
    ({ size } = await loader.python.ask({ do: 'follow', at: 0, lines }));
  }
  const found = [];
  for (const request of requests) found.push(await loader.python.ask({ do: 'read', language: 'en', request }));
  return found;
"""


@pytest.mark.long
def test_the_rules_are_served_for_ever_by_their_hashes(server: Server) -> None:
    rules = {path: file for path, file in page().files.items() if path.startswith(IMMUTABLE)}
    assert {path.rpartition("/")[2] for path in rules} >= {
        "code.zip",
        "pyodide.asm.wasm",
        "msgspec.zip",
        "licences.txt",
    }
    with httpx.Client(base_url=server.address, timeout=60) as client:
        document = client.get("/", headers={"accept-language": "en"}).text
        for path, file in rules.items():
            assert path == f"rules/{file.digest.hex()}/{path.rpartition('/')[2]}"
            assert f"{path.removeprefix('rules/')}={len(file.data)}" in document
            for encoding in ("gzip", "identity", "br, gzip"):
                answer = client.get(f"/page/{path}", headers={"accept-encoding": encoding})
                assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
                assert answer.headers.get("content-encoding", "identity") in encoding
                assert answer.content == file.data
            for _ in range(600):  # who asks first does not wait for it
                if answer.headers["content-encoding"] == "br":
                    break
                time.sleep(0.1)
                answer = client.get(f"/page/{path}", headers={"accept-encoding": "br, gzip"})
            assert answer.headers["content-encoding"] == "br"
            assert answer.content == file.data
        assert client.get(f"/page/rules/{'0' * 64}/code.zip").status_code == 404


def named_rules() -> str:
    """What the document names."""
    document = page().documents["en"].decode()
    return str(re.findall(r'<meta name="rollproof-rules" content="([^"]*)">', document)[0])


@pytest.fixture(scope="module")
def tabs(browser: "Browser", server: Server) -> Iterator[dict[str, Any]]:
    """Alice and bob, whose server has nothing for who asks for advice, with rules."""
    cheat = Cheat(server.address)
    cheat.request = lambda _, path, __: (503, b"") if ADVICE.search(path) else None
    contexts = {name: browser.new_context() for name in ("alice", "bob")}
    found = {name: Tab(context.new_page(), cheat.address) for name, context in contexts.items()}
    for tab in found.values():
        tab.page.set_default_timeout(120_000)
        tab.do(LOAD, named_rules())
    yield {**found, "cheat": cheat}
    for context in contexts.values():
        context.close()
    cheat.close()


def sit_down(tabs: dict[str, Any], system: str) -> None:
    """Open a table, and have both join with rules."""
    role = "gm" if system == "doubledown-1" else "player"
    asked = {"system": system, "options": OPTIONS.get(system, {}), "title": "Tavern", "roles": ["player", role]}
    links = tabs["alice"].do("return here.openTable(given);", asked)["links"]
    for name, link in (("alice", links["player"]), ("bob", links[role])):
        tabs[name].at(link)
        tabs[name].do("table.game.know(loader.python); await table.sitting.sit(given);", name)
    tabs["alice"].until("s.table && s.table.seats.length === 2")
    tabs["alice"].do("await table.host.start(table.snapshot.table.seats.map((seat) => seat.key));")
    for name in ("alice", "bob"):
        tabs[name].until("s.stage === 'agreeing' && s.rules && s.rules.state === 'ready'")
        tabs[name].do("await table.game.agree();")
    for name in ("alice", "bob"):
        tabs[name].until("s.game.phase === 'idle' && s.game.parties.every((each) => each.links > 0)")


def play(tabs: dict[str, Any], turns: int) -> None:
    """Both do in turn what is offered."""
    for turn in range(turns):
        for name in ("alice", "bob"):
            tabs[name].until(f"s.game.phase === 'idle' && {READY}")
        seq = tabs[("alice", "bob")[turn % 2]].do(NEXT)
        for name in ("alice", "bob") if seq is not None else ():
            tabs[name].until(f"s.game.size > {seq} && s.game.phase === 'idle' && {READY}")


def assert_as_here(tab: Tab, name: str, replay: Replay) -> None:
    """What a page shows of a game is what this Python makes of it."""
    tab.until(f"s.game.size === {replay.size} && {READY}")
    state, actions = tab.do("return [table.snapshot.advice.state, table.snapshot.advice.actions];")
    assert state == msgspec.json.decode(msgspec.json.encode(state_of(replay, 50, str)))
    assert actions == msgspec.json.decode(msgspec.json.encode(actions_of(replay, name, str).actions))
    assert tab.do("return table.snapshot.lies;") == []
    assert state["rolls"]
    for roll in state["rolls"][-2:]:
        assert tab.do("return (await table.game.explain(given)).reasons;", roll["roll"])


@pytest.mark.slow
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_two_browsers_play_a_game_of_each_system_without_advice(tabs: dict[str, Any], system: str) -> None:
    sit_down(tabs, system)
    for name, body in BEFORE.get(system, []):
        at = tabs["bob" if name == "gail" else name]
        at.until(f"s.game.phase === 'idle' && {READY}")
        at.do("return table.game.sign(table.game.prepare('declare', given));", body)
    play(tabs, 6)
    lines = tabs["alice"].do("return new TextDecoder().decode(table.game.save().bytes);").splitlines()
    replay = Replay()
    for line in lines:
        replay.step(line.encode())
    joins = [json.loads(line)["body"] for line in lines if json.loads(line)["type"] == "join"]
    assert joins == [{"checks": "rules"}] * 2
    for name in ("alice", "bob"):
        assert_as_here(tabs[name], name, replay)
        tabs[name].do("table.close();")


@pytest.mark.long
def test_a_worker_that_ends_is_no_verdict_and_is_made_anew(tabs: dict[str, Any]) -> None:
    sit_down(tabs, "dice-1")
    alice, bob = tabs["alice"], tabs["bob"]
    roll = "return table.game.sign(table.game.prepare('roll', { dice: '2d6' }));"
    bob.until(READY)
    bob.do("await loader.python.ask({ do: 'nothing' }).catch(() => {});")  # it ends with an error of Python's
    alice.do(roll)
    bob.until("s.game.rolls.length === 1 && s.game.rolls[0].fair")  # what depends on no rule goes on
    bob.until(f"s.game.phase === 'idle' && {READY}")
    bob.do(roll)
    bob.until(f"s.game.rolls.length === 2 && s.game.rolls[1].fair && {READY}")
    assert bob.do("return [table.snapshot.trouble, table.snapshot.warnings.length];") == [None, 0]


@pytest.mark.slow
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_lines_are_read_in_the_browser_as_here(tabs: dict[str, Any], system: str) -> None:
    """Also with what the Python of the browser knows of characters, and this one does not."""
    log = dict(BOMBS.values())[system](3_000).splitlines()[:12]
    replay = Replay()
    for line in log:
        replay.step(line)
    lines = [*LINES[system], *(each["sentence"] for each in SENTENCES if each["system"] == system)]
    requests = [{"type": "roll", "line": line} for line in lines]
    found = tabs["alice"].do(READ, [[line.decode() for line in log], requests])
    for request, told in zip(requests, found, strict=True):
        assert told == read_here(replay, request), request["line"]


def read_here(replay: Replay, request: dict[str, str]) -> dict[str, Any]:
    """As a worker answers."""
    try:
        asked = msgspec.convert(request, ReadRequest)
        return {"read": msgspec.to_builtins(read(replay, asked, str)), "problem": None, "lines": []}
    except NotationError as error:
        problem, lines = refusal(error, str)
        return {"read": None, "problem": problem, "lines": list(lines)}


@pytest.mark.long
def test_no_worker_is_made_but_that_of_the_rules(tabs: dict[str, Any]) -> None:
    """Trusted Types: an address of a script that is none of the page's own making is refused."""
    for made in ("'/page/table.js'", "URL.createObjectURL(new Blob(['']))"):
        tried = f"() => {{ try {{ new Worker({made}); return null; }} catch (error) {{ return error.name; }} }}"
        assert tabs["alice"].page.evaluate(tried) == "TypeError"


# --- what people see -------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_until_the_rules_are_there_the_servers_word_is_marked_and_a_lie_is_told_when_they_come(
    browser: "Browser", server: Server, cheat: Cheat, axe: str, tmp_path: Any
) -> None:
    two = Two(browser, server, cheat, bob=LOADS_RULES)
    bob = two.bob.page

    def other(path: str, data: bytes, _: dict[str, str]) -> bytes:
        if "/state?" not in path:
            return data
        told = json.loads(data)
        for roll in told["rolls"]:
            roll["summary"] = "= 20"
        return json.dumps(told).encode()

    cheat.answer = other
    two.roll()
    bob.locator(".rules-bar", has_text="the server’s word").or_(bob.locator(".loud")).first.wait_for()
    two.bob.is_told("The server and the rules disagree")
    bob.locator(".outcome .advised").wait_for(state="detached")
    assert "20" not in bob.locator(".outcome .total").inner_text() or bob.locator(".die", has_text="20").count()
    files = two.bob.save("Save the evidence")
    assert any(
        json.loads(data)["server"] != json.loads(data)["rules"]
        for name, data in files.items()
        if name.startswith("state")
    )
    two.bob.looked_at(tmp_path, "lie", axe)
    sent = two.sent()
    two.bob.roll()
    bob.locator(".problem", has_text="nothing more is signed here").wait_for()
    assert two.sent() == sent
    two.close()


@pytest.mark.long
def test_rules_that_are_not_those_of_the_document_are_not_used(
    browser: "Browser", server: Server, cheat: Cheat
) -> None:
    def other(path: str, data: bytes, headers: dict[str, str]) -> bytes:
        if not path.endswith("/code.zip"):
            return data
        packed = headers.pop("content-encoding", None) or headers.pop("Content-Encoding", None)
        unpack = {"br": brotli.decompress, "gzip": gzip.decompress}
        code = bytearray(unpack[packed](data) if packed else data)
        code[-100] ^= 1
        return bytes(code)

    cheat.answer = other
    two = Two(browser, server, cheat, bob=LOADS_RULES)
    two.bob.page.locator(".rules-bar", has_text="other rules than this page names").wait_for()
    two.roll()
    two.bob.roll("2d6 + 3")  # it goes on without them, and says so
    two.bob.sees_rolls(2)
    two.bob.page.locator(".outcome .advised").wait_for()
    two.close()


@pytest.mark.long
def test_nothing_is_loaded_at_the_first_page_nor_where_data_is_saved(browser: "Browser", server: Server) -> None:
    alice = Person(browser, "alice")
    asked: list[str] = []
    alice.page.on("request", lambda request: asked.append(request.url))
    opened(alice, server.address)
    bar = alice.page.locator(".rules-bar", has_text="set to save data")
    bar.wait_for()
    assert not [url for url in asked if "/page/rules/" in url]
    busy = iter(range(4))  # the server has no room at first, more often than a worker is begun

    def answer(route: Any) -> None:
        if route.request.url.endswith("/code.zip") and next(busy, None) is not None:
            route.fulfill(status=429, headers={"Retry-After": "1"})
        else:
            route.continue_()

    alice.page.route("**/page/rules/**", answer)
    bar.get_by_role("button").click()
    alice.page.locator(".rules-bar", has_text="being loaded").wait_for()
    alice.page.locator(".rules-bar").wait_for(state="detached")
    assert len({url for url in asked if "/page/rules/" in url}) == 6
    alice.close()


UNSEEN = """
  window.seen = false;
  Object.defineProperty(document, 'visibilityState', { get: () => (window.seen ? 'visible' : 'hidden') });
"""


@pytest.mark.long
def test_a_tab_that_nobody_looks_at_loads_no_rules(browser: "Browser", server: Server, cheat: Cheat) -> None:
    two = Two(browser, server, cheat, clock=True, bob=LOADS_RULES + UNSEEN)
    two.roll()
    bob = two.bob.page
    asked: list[str] = []
    bob.on("request", lambda request: asked.append(request.url))
    bob.clock.fast_forward(10_000)  # it would have begun
    assert not [url for url in asked if "/page/rules/" in url]
    bob.evaluate("() => { window.seen = true; document.dispatchEvent(new Event('visibilitychange')); }")
    bob.clock.fast_forward(10_000)
    bob.locator(".rules-bar", has_text="being loaded").wait_for()
    bob.locator(".rules-bar").wait_for(state="detached")
    two.close()


SLOW = "Object.defineProperty(navigator.connection, 'effectiveType', {configurable: true, value: '3g'});"


@pytest.mark.long
def test_on_a_slow_line_no_rules_are_loaded_before_the_first_roll(
    browser: "Browser", server: Server, cheat: Cheat
) -> None:
    two = Two(browser, server, cheat, clock=True, bob=LOADS_RULES + SLOW)
    bob = two.bob.page
    asked: list[str] = []
    bob.on("request", lambda request: asked.append(request.url))
    bob.clock.fast_forward(10_000)
    assert not [url for url in asked if "/page/rules/" in url]
    two.roll()
    bob.clock.fast_forward(10_000)
    bob.locator(".rules-bar", has_text="being loaded").wait_for()
    bob.locator(".rules-bar").wait_for(state="detached")
    two.close()
