"""The table page in Chromium where something breaks: connections, tabs, servers, and browsers that keep nothing."""

import json
import re
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.server.served import Server, roomy
from tests.web.cheat import Cheat
from tests.web.people import Person, Two, opened, openings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


def assert_all_once(two: Two, rolls: int, *, lost: int = 0) -> None:
    """Both have the same log, with so many rolls, for each of which bob's page opened one link, once.

    `lost`: how many requests of bob's came second, at most, so that they were signed anew.
    """
    logs = {each.name: each.log() for each in (two.alice, two.bob)}
    assert logs["alice"] == logs["bob"]
    asked = [json.loads(line) for line in logs["bob"].splitlines() if json.loads(line)["type"] == "roll"]
    assert len(asked) == rolls
    sent = {body for path, body in two.cheat.posts if path.endswith("/openings")}
    assert len(sent) == rolls
    assert sorted(set(openings(two.cheat.posts))) == [("bob", index) for index in range(1, rolls + 1)]
    lines = [body for path, body in two.cheat.posts if path.endswith("/lines")]
    asked_for = [line for line in set(lines) if json.loads(line)["type"] == "roll"]
    assert 0 <= len(asked_for) - sum(event["author"] == "bob" for event in asked) <= lost


# --- the page is loaded anew -----------------------------------------------------------------------------------------


def _lost(reached: threading.Event) -> Callable[[str, str, bytes], tuple[int, bytes] | None]:
    """A line is lost on its way."""

    def request(method: str, path: str, _: bytes) -> tuple[int, bytes] | None:
        if method == "POST" and path.endswith("/lines"):
            reached.set()
            raise ConnectionResetError
        return None

    return request


def _unanswered(reached: threading.Event, over: threading.Event) -> Callable[[str, bytes, dict[str, str]], bytes]:
    """A line is taken, and the answer is lost."""

    def answer(path: str, data: bytes, _: dict[str, str]) -> bytes:
        if path.endswith("/lines"):
            reached.set()
            over.wait(60)
        return data

    return answer


@pytest.mark.parametrize("moment", ["sent and lost", "not answered", "waits", "has dice"])
@pytest.mark.slow
def test_a_page_that_is_loaded_anew_loses_nothing_and_repeats_nothing(two: Two, cheat: Cheat, moment: str) -> None:
    reached, over = threading.Event(), threading.Event()
    losing = {"sent and lost": (_lost(reached), None), "not answered": (None, _unanswered(reached, over))}

    two.roll()
    cheat.request, cheat.answer = losing.get(moment, (None, None))
    if moment == "waits":
        two.alice.context.set_offline(True)
    two.bob.roll("d12")
    if moment == "waits":
        two.bob.page.locator(".entry.roll.waits").wait_for()
    elif moment == "has dice":
        two.bob.sees_rolls(2)
    else:
        assert reached.wait(60)
    cheat.request = cheat.answer = None
    two.bob.page.reload()
    over.set()
    if moment == "waits":
        two.bob.page.locator(".entry.roll.waits").wait_for()
        two.bob.page.locator(".now .waits", has_text="The roll waits for alice.").wait_for()
        two.alice.context.set_offline(False)
    assert two.bob.sees_rolls(2) == two.alice.sees_rolls(2)
    two.roll(3)
    assert_all_once(two, 3)


# --- the network, the server, sleep ----------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["opens", "rolls"])
@pytest.mark.slow
def test_whoever_is_offline_in_a_roll_goes_on_when_back(two: Two, who: str) -> None:
    two.roll()
    two.bob.types("d20")
    two.bob.context.set_offline(True)
    if who == "opens":
        two.alice.roll()
        two.alice.page.locator(".now .waits.slow", has_text="The roll waits for bob.").wait_for()
        assert two.alice.page.locator(".tray .awaits").inner_text() == "Waits for bob"
    else:
        two.bob.page.locator(".line button.sign").click()
        two.bob.page.locator("button.sign.busy").wait_for()
        two.bob.page.locator(".connection", has_text="sending").or_(
            two.bob.page.get_by_text("no connection")
        ).wait_for()
    two.bob.context.set_offline(False)
    for each in (two.alice, two.bob):
        each.sees_rolls(2)
    assert_all_once(two, 2)


@pytest.mark.slow
def test_a_server_that_is_killed_in_a_roll_and_started_again_goes_on_with_it(
    browser: "Browser", tmp_path: Path
) -> None:
    with roomy(tmp_path) as server:
        cheat = Cheat(server.address)
        two = Two(browser, server, cheat)
        two.roll()
        two.bob.context.set_offline(True)
        two.alice.roll("2d6")
        two.alice.page.locator(".entry.roll.waits").wait_for()
        server.stop(signal.SIGKILL)
        two.alice.page.locator(".connection", has_text="no connection").wait_for()
        again = server.again()
        try:
            two.bob.context.set_offline(False)
            assert two.alice.sees_rolls(2) == two.bob.sees_rolls(2)
            two.roll(3)
            assert_all_once(two, 3)
            two.close()
        finally:
            again.stop(signal.SIGKILL)
            cheat.close()


def test_a_laptop_that_slept_with_a_dead_connection_wakes_and_opens(
    browser: "Browser", server: Server, cheat: Cheat
) -> None:
    two = Two(browser, server, cheat, clock=True)
    two.roll()
    cheat.mute = True  # what is sent does not arrive, and nobody says that the connection is gone
    two.alice.roll()
    two.alice.page.locator(".now .waits.slow", has_text="The roll waits for bob.").wait_for()
    assert two.bob.page.locator(".entry.roll").count() == 1
    cheat.mute = False
    two.bob.page.clock.fast_forward(60_000)
    two.bob.sees_rolls(2)
    two.alice.sees_rolls(2)
    assert_all_once(two, 2)
    two.close()


def test_a_page_that_was_frozen_opens_when_it_is_thawed(two: Two) -> None:
    two.roll()
    session = two.bob.context.new_cdp_session(two.bob.page)
    session.send("Debugger.enable")
    session.send("Debugger.pause")  # nothing of the page runs; what the server sends waits for it
    two.alice.roll()
    two.alice.page.locator(".now .waits.slow", has_text="The roll waits for bob.").wait_for()
    session.send("Debugger.disable")
    for each in (two.alice, two.bob):
        each.sees_rolls(2)
    assert_all_once(two, 2)


# --- two tabs --------------------------------------------------------------------------------------------------------


def test_two_tabs_of_a_seat_take_turns_and_open_nothing_twice(two: Two) -> None:
    bob = two.bob
    first, second = bob.page, bob.tab()
    second.goto(first.url)
    second.locator("#line").wait_for()
    two.roll()
    bob.sees_rolls(1, second)
    for count, page in enumerate([second, first, second], 2):
        bob.roll(f"{count}d6", page)
        for tab in (first, second):
            bob.sees_rolls(count, tab)
        two.alice.sees_rolls(count)
    assert_all_once(two, 4)
    first.close()
    bob.page = second
    two.roll(5)
    bob.roll()
    two.alice.sees_rolls(6)
    bob.sees_rolls(6)
    assert_all_once(two, 6)
    assert len(openings(two.cheat.posts)) == 6  # not one was even sent again


def test_two_tabs_that_are_tapped_at_once_each_roll_or_ask_again(two: Two) -> None:
    bob = two.bob
    tabs = [bob.page, bob.tab()]
    tabs[1].goto(bob.page.url)
    for number, tab in enumerate(tabs):
        tab.locator("#line").fill(f"{number + 1}d4")
        tab.locator(".line button.sign:not([aria-disabled])").wait_for()
    for tab in tabs:
        tab.evaluate("document.querySelector('.line button.sign').click()")
    for tab in tabs:
        tab.locator("button.sign.busy").wait_for(state="detached")
    rolls = 2 - sum(tab.get_by_text("Somebody was faster").count() for tab in tabs)
    assert rolls >= 1
    for tab in tabs:
        bob.sees_rolls(rolls, tab)
    two.alice.sees_rolls(rolls)
    assert_all_once(two, rolls, lost=2)


HOLD = """(lock) => new Promise((granted) => {
  void navigator.locks.request(lock, () => new Promise((resolve) => { globalThis.release = resolve; granted(); }));
})"""
"""What a tab of the same origin could do that is stopped in the midst of its turn, or means harm."""


def followed(two: Two) -> str:
    """The lock of bob's tab that follows: `rollproof stream KEY GAME`."""
    held = two.bob.page.evaluate("async () => (await navigator.locks.query()).held.map((each) => each.name)")
    found: str = next(name for name in held if name.startswith("rollproof stream "))
    return found


@pytest.mark.slow
def test_a_seat_that_another_tab_does_not_give_back_is_told_and_goes_on_when_it_is_free(two: Two) -> None:
    two.roll()
    before, other = len(openings(two.cheat.posts)), two.bob.tab()
    other.goto(f"{two.cheat.address}/")
    other.evaluate(HOLD, followed(two).replace("stream", "seat"))
    two.alice.roll()
    told = two.bob.is_told("Another tab of this browser holds this seat")
    assert len(openings(two.cheat.posts)) == before
    other.evaluate("globalThis.release()")
    for each in (two.alice, two.bob):
        each.sees_rolls(2)
    told.wait_for(state="detached")
    assert_all_once(two, 2)


STEAL = """(lock) => { globalThis.stealing = setInterval(() => {
  void navigator.locks.request(lock, { steal: true }, () => undefined).catch(() => undefined);
}, 5); }"""
"""What no page of ours does: the turn is taken from whoever has it, again and again."""


@pytest.mark.parametrize("what", ["seat", "stream"])
@pytest.mark.slow
def test_a_tab_that_steals_turns_ends_no_game_and_has_nothing_signed_twice(two: Two, what: str) -> None:
    two.roll()
    lock, url, other = followed(two), two.bob.page.url, two.bob.tab()
    other.goto(f"{two.cheat.address}/")
    other.evaluate(STEAL, lock.replace("stream", what))
    two.roll(2)
    tab = two.bob.tab()
    tab.goto(url)
    tab.locator("#line").wait_for()
    for count, page in enumerate((tab, two.bob.page), 3):
        two.bob.roll(page=page)
        two.bob.sees_rolls(count, page)
        two.alice.sees_rolls(count)
    two.roll(5)
    assert two.bob.page.locator(".problem").count() == 0
    assert_all_once(two, 5)


SOONER = "const late = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = (time) => late(time / 50);"
"""What is waited for in a page comes, or does not, fifty times sooner."""


def test_whoever_cannot_sit_down_because_of_another_tab_is_told(browser: "Browser", server: Server) -> None:
    host, guest = Person(browser, "alice"), Person(browser, "bob", init=SOONER)
    try:
        link = opened(host, server.address, start=False)["player"]
        table = re.search("/t/([0-9a-f]{64})", link)
        assert table is not None
        other = guest.tab()
        other.goto(f"{server.address}/")
        other.evaluate(HOLD, f"rollproof sit {table[1]} player")
        guest.page.goto(link)
        guest.page.locator("#name").fill("bob")
        guest.page.keyboard.press("Enter")
        guest.page.locator("button.busy").first.wait_for()
        guest.page.locator(".problem", has_text="Another tab of this browser holds this seat").first.wait_for()
        other.evaluate("globalThis.release()")
        guest.page.keyboard.press("Enter")
        guest.page.get_by_text("You sit here.").wait_for()
    finally:
        guest.close()
        host.close()


SHOUT = """(name) => {
  const channel = new BroadcastChannel(name);
  const bytes = (text) => new TextEncoder().encode(text);
  const event = (name, text) => ({ name, data: bytes(text), id: '' });
  const here = (names) => event('here', JSON.stringify({ here: names }));
  const deep = '['.repeat(100_000);
  const said = [
    null, 7, 'x', [], {}, { name: '__proto__' }, { name: '#trouble' }, { name: '#line', line: 'away' },
    ...['here', 'received', 'checkpoint'].map((each) => event(each, deep)),
    event('received', '{}'), event('checkpoint', '{"checkpoint":7}'),
    here(Array.from({ length: 10_000 }, (_, n) => `somebody ${n}`)), here(['<img src=x onerror=alert(1)>']),
    ...Array.from({ length: 500 }, () => ({ name: '#hello' })),
  ];
  for (const each of said) channel.postMessage(each);
  channel.close();
}"""
"""What a tab of the same origin could tell the others, and no page says."""
FORGE = """(name) => {
  const channel = new BroadcastChannel(name);
  channel.postMessage({ name: 'checkpoint', data: new TextEncoder().encode('{"checkpoint":"x"}'), id: '' });
  channel.close();
}"""


def test_what_another_tab_shouts_changes_nothing(two: Two) -> None:
    two.roll()
    name = followed(two).replace("rollproof stream", "rollproof")
    first, second, other = two.bob.page, two.bob.tab(), two.bob.tab()
    second.goto(first.url)
    two.bob.sees_rolls(1, second)
    other.goto(f"{two.cheat.address}/")
    for count in (2, 3):
        other.evaluate(SHOUT, name)
        two.bob.roll(page=(first, second)[count % 2])
        for page in (first, second):
            two.bob.sees_rolls(count, page)
            assert page.locator("[role=alert].loud").count() == 0
        two.alice.sees_rolls(count)
    assert_all_once(two, 3)


def test_what_another_tab_forges_is_told_as_what_a_server_forges(two: Two) -> None:
    """Which of both it was no page can know; nothing is signed any more, in no tab."""
    two.roll()
    name = followed(two).replace("rollproof stream", "rollproof")
    first, second, other = two.bob.page, two.bob.tab(), two.bob.tab()
    second.goto(first.url)
    two.bob.sees_rolls(1, second)
    other.goto(f"{two.cheat.address}/")
    other.evaluate(FORGE, name)
    for page in (first, second):
        page.locator("[role=alert].loud", has_text="The checkpoint that the server sent does not fit").wait_for()
        assert page.locator("button.sign:not([aria-disabled])").count() == 0


def test_a_tab_that_is_told_nothing_by_the_one_that_follows_says_so(two: Two) -> None:
    two.roll()
    lock, url, other = followed(two), two.bob.page.url, two.bob.tab()
    other.goto(f"{two.cheat.address}/")
    two.bob.page.close()
    other.evaluate(HOLD, lock)
    two.bob.page = two.bob.tab()
    two.bob.page.goto(url)
    told = two.bob.is_told("follows this table, and does not pass on what comes")
    other.close()
    told.wait_for(state="detached")
    two.roll(2)


# --- browsers that cannot keep a seat, or have not -------------------------------------------------------------------

NO_DATABASE = "Object.defineProperty(globalThis, 'indexedDB', { value: undefined });"
CLOSED_DATABASE = "IDBFactory.prototype.open = () => { throw new DOMException('closed', 'SecurityError'); };"
NO_ED25519 = """for (const name of ['generateKey', 'importKey', 'sign', 'verify']) {
  const known = SubtleCrypto.prototype[name];
  SubtleCrypto.prototype[name] = function (...given) {
    if (given.some((each) => each === 'Ed25519' || each?.name === 'Ed25519' || each?.algorithm?.name === 'Ed25519')) {
      return Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
    }
    return known.apply(this, given);
  };
}"""


@pytest.mark.parametrize("lacks", [NO_DATABASE, CLOSED_DATABASE, NO_ED25519], ids=["database", "closed", "Ed25519"])
@pytest.mark.slow
def test_a_browser_that_can_keep_no_key_says_so_before_anything_is_typed(
    browser: "Browser", server: Server, lacks: str, tmp_path: Path, axe: str
) -> None:
    alice, old = Person(browser, "alice"), Person(browser, "old", init=lacks)
    links = opened(alice, server.address)
    old.page.goto(f"{server.address}/")
    old.is_told("This browser cannot keep a key that signs")
    assert old.page.locator("#name").count() == 0
    old.looked_at(tmp_path, "home", axe)
    old.page.goto(links["spectator"])
    alice.roll()
    alice.sees_rolls(1)
    old.sees_rolls(1)  # it checks signatures by itself where the browser does not
    old.looked_at(tmp_path, "looks on", axe)
    alice.close()
    old.close()


def test_a_browser_without_a_key_says_so_in_the_lobby(browser: "Browser", server: Server) -> None:
    alice, old = Person(browser, "alice"), Person(browser, "old", init=NO_DATABASE)
    links = opened(alice, server.address, start=False)
    old.page.goto(links["player"])
    old.is_told("This browser cannot keep a key that signs")
    assert old.page.locator("#name").count() == 0
    alice.close()
    old.close()


def test_a_browser_that_does_not_promise_to_keep_is_told_of(browser: "Browser", server: Server) -> None:
    alice = Person(browser, "alice", init="navigator.storage.persist = async () => false;")
    carol = Person(browser, "carol", init="navigator.storage.persist = async () => true;")
    for each in (alice, carol):
        each.page.goto(f"{server.address}/")
        each.page.locator("#name").wait_for()
    assert alice.page.get_by_text("This browser has not promised to keep what is stored here.").count() == 1
    assert carol.page.get_by_text("This browser has not promised to keep").count() == 0
    alice.close()
    carol.close()


def test_cleared_site_data_end_the_seat_and_the_page_says_what_that_means(two: Two, tmp_path: Path, axe: str) -> None:
    two.roll()
    link = two.bob.page.url
    session = two.bob.context.new_cdp_session(two.bob.page)
    session.send("Storage.clearDataForOrigin", {"origin": two.cheat.address, "storageTypes": "all"})
    two.bob.page.goto("about:blank")
    two.bob.page.goto(link)
    two.bob.page.get_by_text("You look on: you have no seat in this game, in this browser.").wait_for()
    told = two.bob.page.locator(".now").inner_text()
    assert "Go on with a new one, as above, and tell the others without using this server" in told
    two.bob.sees_rolls(1)
    assert not two.bob.can_sign()
    two.bob.looked_at(tmp_path, "cleared", axe)
    before = len(openings(two.cheat.posts))
    two.alice.roll()
    two.alice.page.locator(".now .waits.slow", has_text="The roll waits for bob.").wait_for()
    assert len(openings(two.cheat.posts)) == before
    assert two.bob.page.locator(".entry.roll.waits").count() == 1


# --- storage -------------------------------------------------------------------------------------------------------

FULL = """(full) => {
  const store = IDBObjectStore.prototype;
  store.realPut ??= store.put;
  store.put = full ? function put() { this.transaction.abort(); } : store.realPut;
  const error = { configurable: true, get: () => new DOMException('', 'QuotaExceededError') };
  globalThis.realError ??= Object.getOwnPropertyDescriptor(IDBTransaction.prototype, 'error');
  Object.defineProperty(IDBTransaction.prototype, 'error', full ? error : globalThis.realError);
}"""
"""as a disk that is full ends a transaction"""


def test_a_browser_whose_storage_is_full_says_so_and_goes_on_when_there_is_room(
    browser: "Browser", server: Server, cheat: Cheat
) -> None:
    """Nothing leaves that it could not remember, and the page is not loaded anew: it tries again in half a minute."""
    two = Two(browser, server, cheat, clock=True)
    two.roll()
    sent = two.sent()
    two.bob.page.evaluate(FULL, True)
    two.alice.roll()
    told = two.bob.is_told("This browser could not save what it must remember (QuotaExceededError)")
    assert "did not send" in told.inner_text()
    assert two.bob.page.get_by_text("failed:").count() == 0
    assert two.sent() == sent
    two.bob.page.evaluate(FULL, False)
    two.bob.page.clock.fast_forward(30_000)
    for each in (two.alice, two.bob):
        each.sees_rolls(2)
    told.wait_for(state="detached")
    two.bob.page.evaluate(FULL, True)
    two.bob.roll()
    two.bob.page.locator(".problem", has_text="could not save what it must remember").first.wait_for()
    told = two.bob.is_told("could not save")  # seen before there is room again: it goes at once then
    two.bob.page.evaluate(FULL, False)
    two.bob.page.clock.fast_forward(30_000)
    told.wait_for(state="detached")
    two.bob.roll()
    for each in (two.alice, two.bob):
        each.sees_rolls(3)
    two.close()


def test_a_database_that_the_browser_closes_is_opened_again(two: Two) -> None:
    two.roll()
    two.bob.page.evaluate(
        """async () => {
          const real = IDBDatabase.prototype.transaction;
          IDBDatabase.prototype.transaction = function closed(...rest) {
            IDBDatabase.prototype.transaction = real;
            this.close(); // as where site data is cleared, or the disk fails
            return real.apply(this, rest);
          };
        }"""
    )
    two.roll(2)
    two.roll(3)
