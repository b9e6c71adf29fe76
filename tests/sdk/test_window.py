"""The window for plugins in Chromium: the table's own window, opened by a page of another origin (specs/window.md)."""

import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.page.package import package_files
from tests.server.served import Server, serving
from tests.web.people import Person, opened
from tests.web.table_page import PATIENCE, axe_findings, axe_source
from verifier import verify

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long

SDK = Path(__file__).parents[2] / "ledger" / "sdk"
FORMAT = "rollproof/window/v1"

HOSTILE = """<!doctype html><title>hostile</title><button id="open">Open</button><script>
const heard = [];
let source;
addEventListener('message', (event) => {
  source = event.source;
  heard.push({ origin: event.origin, ...JSON.parse(event.data) });
});
let address, opened;
document.getElementById('open').onclick = () => { opened = open(address, '_blank', 'popup,width=440,height=720'); };
let id = 0;
const send = (message) => opened.postMessage(message, '*');
const say = (type, more) => send(JSON.stringify({ format: 'rollproof/window/v1', id: id += 1, type, ...more }));
</script>"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), "--developer") as server:
        yield server


@contextmanager
def plugins(root: Path) -> Iterator[int]:
    """The port of a site on this machine: the example of a plugin, as it stands, and a hostile page."""
    for path, data in package_files().items():
        (root / "rollproof" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "rollproof" / path).write_bytes(data)
    shutil.copy(SDK / "examples" / "plugin.html", root / "index.html")
    (root / "hostile.html").write_text(HOSTILE)
    (root / "framing.html").write_text("<!doctype html><iframe></iframe>")
    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(root)))
    thread = threading.Thread(target=served.serve_forever, args=(0.02,))
    thread.start()
    yield served.server_port
    served.shutdown()
    thread.join()
    served.server_close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with plugins(tmp_path_factory.mktemp("site")) as port:
        yield port


@pytest.fixture
def alice(browser: "Browser", server: Server) -> Iterator[Person]:
    """Somebody who sits at a table, alone."""
    found = Person(browser, "alice", viewport={"width": 440, "height": 720})
    opened(found, server.address)
    yield found
    found.close()


def plugin(alice: Person, site: int, page: str = "", host: str = "localhost") -> "Page":
    """A page of another origin, in a tab of alice's browser."""
    tab = alice.context.new_page()
    tab.goto(f"http://{host}:{site}/{page}")
    return tab


def window_of(tab: "Page", button: str, address: str = "") -> "Page":
    """The window that a click of the player's in the plugin opens."""
    if address:
        tab.evaluate("(found) => { address = found; }", f"{address}/w")
    with tab.expect_popup() as popup:
        tab.click(button)
    window: Page = popup.value
    window.set_default_timeout(PATIENCE)
    return window


def rested(window: "Page") -> None:
    """Until taps count: the hint that they do not yet is gone."""
    window.locator(".resting").filter(has_not_text="One moment").first.wait_for(state="attached")


def chosen(window: "Page") -> None:
    window.locator("button.chosen").first.wait_for()
    rested(window)
    window.locator("button.chosen").first.click()
    window.get_by_role("heading", name="Connected with").wait_for()


def hostile(alice: Person, server: Server, site: int, *, connected: bool = True) -> tuple["Page", "Page"]:
    """A page that says what it likes, and its window."""
    tab = plugin(alice, site, "hostile.html")
    window = window_of(tab, "#open", server.address)
    heard(tab, "ready")
    if connected:
        tab.evaluate("say('hello')")
        chosen(window)
        heard(tab, "connected")
    return tab, window


def heard(tab: "Page", kind: str, count: int = 1) -> dict[str, Any]:
    """What the page was told: wait for so many messages of a kind, and give the last."""
    tab.wait_for_function(
        "([kind, count]) => heard.filter((each) => each.type === kind).length >= count", arg=[kind, count]
    )
    found: list[dict[str, Any]] = tab.evaluate("(kind) => heard.filter((each) => each.type === kind)", kind)
    return found[-1]


def events(alice: Person) -> int:
    """How many lines the log has."""
    return len(alice.log().splitlines())


def test_a_plugin_of_another_origin_rolls_with_the_players_tap(
    alice: Person, server: Server, site: int, tmp_path: Path
) -> None:
    """The example as it stands: it connects, asks, is told of the dice, and has no key."""
    tab = plugin(alice, site)
    tab.fill("[name=server]", server.address)
    window = window_of(tab, "text=Connect")
    window.get_by_role("heading", name=f"http://localhost:{site} would like to roll with you").wait_for()
    looked_at(window, tmp_path, "question")
    assert tab.inner_text("#now") == "Choose a table in the window."
    chosen(window)
    tab.get_by_text("You roll as alice.").wait_for()
    before = events(alice)
    tab.click("#attack")
    request = window.locator("#request-title")
    request.wait_for()
    assert request.inner_text() == f"http://localhost:{site} asks you to sign:"
    assert window.inner_text("button.sign .verb") == "Roll d20 + 5 for the attack"
    looked_at(window, tmp_path, "request")
    assert events(alice) == before
    rested(window)
    window.click("button.sign")
    tab.get_by_text("The attack:").wait_for()
    log = alice.log()
    assert verify(log)[0].verdict == "holds"
    [natural] = json.loads(log.splitlines()[-1])["body"]["naturals"]
    assert tab.inner_text("#now") == f"The attack: {natural}"
    assert tab.inner_text("#rolls li").startswith(f"alice: {natural} ")
    looked_at(window, tmp_path, "connected")
    # What is rolled at the table itself the plugin is told of too.
    alice.page.bring_to_front()
    alice.roll("2d6")
    tab.locator("#rolls li").nth(1).wait_for()
    assert tab.evaluate("indexedDB.databases().then((found) => found.length)") == 0
    window.bring_to_front()
    rest = window.get_by_role("button", name="Disconnect")
    window.wait_for_timeout(800)
    rest.click()
    tab.get_by_text("Not connected: disconnected").wait_for()


def looked_at(window: "Page", folder: Path, what: str) -> None:
    window.screenshot(path=folder / f"{what}.png")
    assert axe_findings(window, axe_source()) == []


def test_no_is_said_and_a_request_is_taken_back(alice: Person, server: Server, site: int) -> None:
    tab, window = hostile(alice, server, site)
    before = events(alice)
    tab.evaluate("say('roll', { line: 'd6' })")
    window.locator("#request-title").wait_for()
    rested(window)
    window.get_by_role("button", name="No", exact=True).click()
    assert heard(tab, "refused")["code"] == "declined"
    tab.evaluate("say('roll', { line: 'd8' })")
    window.locator("#request-title").wait_for()
    tab.evaluate("say('roll', { line: 'd10' })")
    assert heard(tab, "refused", 2)["code"] == "busy"
    tab.evaluate("say('cancel', { of: id - 1 })")
    assert heard(tab, "refused", 3)["code"] == "cancelled"
    window.locator("#request-title").wait_for(state="detached")
    tab.evaluate("say('cancel', { of: 1 })")
    assert heard(tab, "refused", 4)["code"] == "nothing"
    tab.evaluate("say('roll', { line: 'seventeen bananas d' })")
    unread = heard(tab, "refused", 5)
    assert (unread["code"], unread["text"] != "") == ("unreadable", True)
    assert events(alice) == before


NOT_MESSAGES = (
    "undefined",
    "17",
    "{ format: FORMAT, id: 90, type: 'roll', line: 'd6' }",
    "new ArrayBuffer(5_000_000)",
    "'x'.repeat(20_000_000)",
    "'[' + '['.repeat(4_000)",
    "JSON.stringify({ format: FORMAT, id: 90, type: 'roll', line: 'd6' + ' '.repeat(5_000) })",
    "JSON.stringify({ format: FORMAT, id: 90, type: 'roll', line: 'd6', sign: true })",
    "JSON.stringify({ format: FORMAT, id: 90, type: 'roll', line: ['d6'] })",
    "JSON.stringify({ format: FORMAT, id: 90, type: 'roll', line: '' })",
    "JSON.stringify({ format: FORMAT, id: 90, type: 'roll', body: { dice: 'd6' } })",
    "JSON.stringify({ format: 'rollproof/window/v2', id: 90, type: 'roll', line: 'd6' })",
    "JSON.stringify({ format: FORMAT, id: 90.5, type: 'roll', line: 'd6' })",
    "JSON.stringify({ format: FORMAT, id: '90', type: 'roll', line: 'd6' })",
    "JSON.stringify({ format: FORMAT, id: 90, type: 'constructor' })",
    "JSON.stringify({ format: FORMAT, id: 90, type: '__proto__' })",
    *(
        f"JSON.stringify({{ format: FORMAT, id: 90, type: '{kind}', body: {{}} }})"
        for kind in ("sign", "leave", "away", "void", "consent", "close", "keys", "export", "move", "log", "link")
    ),
)
"""what is sent by hand, and is no message"""


@pytest.mark.parametrize("half", [0, 1])
def test_what_is_no_message_gets_nothing(alice: Person, server: Server, site: int, half: int) -> None:
    """Neither a signature, nor a key, nor a place on the screen; and the window goes on."""
    tab, window = hostile(alice, server, site)
    before = events(alice)
    sent = NOT_MESSAGES[half::2]  # more in so short a time would end the connection, as another test shows
    for at, expression in enumerate(sent):
        tab.evaluate(f"(FORMAT) => send({expression})", FORMAT)
        assert heard(tab, "refused", at + 1)["code"] == "malformed", expression
    tab.evaluate("opened.postMessage(JSON.stringify({ format: 'x' }), '*', [new MessageChannel().port1])")
    assert heard(tab, "refused", len(sent) + 1)["code"] == "malformed"
    assert window.locator("#request-title").count() == 0
    assert events(alice) == before


REACHES = (
    "opened.document",
    "opened.indexedDB",
    "opened.localStorage",
    "opened.location.href",
    "opened.navigator",
    "opened.caches",
    "opened.eval",
)


def test_a_handle_reads_nothing_and_signs_nothing(alice: Person, server: Server, site: int) -> None:
    """What a browser gives of a window of another origin; and no frame has the window."""
    tab, window = hostile(alice, server, site)
    for each in REACHES:
        assert tab.evaluate(
            f"() => {{ try {{ {each}; return 'reached'; }} catch (error) {{ return error.name; }} }}"
        ) == ("SecurityError"), each
    assert tab.evaluate("opened.length") == 0
    told = tab.evaluate("JSON.stringify(heard)")
    for secret in ("#player.", "/t/", "private", alice.page.url.partition("#")[2]):
        assert secret not in told
    tab.goto(f"http://localhost:{site}/framing.html")
    tab.evaluate("(url) => { document.querySelector('iframe').src = url; }", f"{server.address}/w")
    tab.wait_for_timeout(500)
    assert server.address not in [each.url for each in tab.frames][1]
    window.close()


FIRST_SEEN = """() => {
  window.first = null;
  const look = () => { if (document.querySelector('button.sign')) window.first ??= performance.now(); };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""


def test_a_tap_that_nobody_can_have_meant_does_nothing(alice: Person, server: Server, site: int) -> None:
    """A click that was under way when the request or the window came up; a key; a script's click; a sliver."""
    tab, window = hostile(alice, server, site)
    before = events(alice)
    tab.evaluate("say('roll', { line: 'd6' })")
    window.locator("button.sign").wait_for()
    box = window.locator("button.sign").bounding_box()
    assert box is not None
    window.mouse.move(box["x"] + 20, box["y"] + 10)
    tab.evaluate("say('cancel', { of: id })")
    heard(tab, "refused")
    # The clicks of somebody who clicks all the time, while the request comes up under the pointer.
    window.evaluate(FIRST_SEEN)
    tab.evaluate("say('roll', { line: 'd12' })")
    window.locator("button.sign").wait_for()
    window.mouse.click(box["x"] + 20, box["y"] + 10, click_count=2)
    window.locator("button.sign").focus()
    window.keyboard.press("Enter")
    assert window.evaluate("performance.now() - window.first") < 700, "too slow to try it"
    rested(window)
    window.evaluate("document.querySelector('button.sign').click()")
    window.evaluate("window.dispatchEvent(new Event('focus'))")  # the plugin brings it to the front once more
    window.mouse.click(box["x"] + 20, box["y"] + 10)
    # Pressed before the window stood still, and let go of after.
    window.evaluate("window.dispatchEvent(new Event('focus'))")
    window.mouse.down()
    rested(window)
    window.mouse.up()
    window.set_viewport_size({"width": 200, "height": 200})
    window.get_by_text("This window is too small").wait_for()
    window.wait_for_timeout(800)
    window.locator("button.sign").evaluate("(button) => button.scrollIntoView()")
    sliver = window.locator("button.sign").bounding_box()
    assert sliver is not None
    window.mouse.click(sliver["x"] + 5, sliver["y"] + 5)
    window.locator("button.sign").focus()
    window.keyboard.press("Enter")
    window.set_viewport_size({"width": 440, "height": 720})
    window.get_by_text("This window is too small").wait_for(state="detached")
    window.wait_for_timeout(800)  # the hint that taps count is the one from before, until the window has rested anew
    rested(window)
    assert window.locator("#request-title").count() == 1
    assert events(alice) == before
    # And the one that is meant.
    window.click("button.sign")
    assert heard(tab, "rolled")["roll"]["dice"][0]["sides"] == 12


def test_a_message_counts_once_and_a_flood_ends_it(alice: Person, server: Server, site: int) -> None:
    tab, window = hostile(alice, server, site)
    before = events(alice)
    tab.evaluate("say('roll', { line: 'd6' })")
    window.locator("#request-title").wait_for()
    rested(window)
    window.click("button.sign")
    done = heard(tab, "rolled")
    tab.evaluate(
        "([format, id]) => send(JSON.stringify({ format, id, type: 'roll', line: 'd6' }))", [FORMAT, done["id"]]
    )
    assert heard(tab, "refused")["code"] == "malformed"
    assert window.locator("#request-title").count() == 0
    tab.evaluate("for (let at = 0; at < 5_000; at += 1) say('roll', { line: 'd20' })")
    assert heard(tab, "bye")["code"] == "flood"
    window.get_by_text("That page sent more than a plugin may send.").wait_for()
    said = tab.evaluate("heard.length")
    tab.evaluate("id = 90_000; say('hello'); say('roll', { line: 'd20' })")
    window.wait_for_timeout(300)
    assert tab.evaluate("heard.length") == said
    assert window.locator("button.sign").count() == 0
    assert events(alice) == before + 2  # a request, and its dice


FRAMED = """([message, url]) => new Promise((done) => {
  const frame = document.createElement('iframe');
  frame.src = url;
  frame.onload = () => {
    const run = frame.contentWindow.Function('handle', 'message', 'handle.postMessage(message, "*")');
    for (let at = 0; at < 100; at += 1) run(opened, message);
    done();
  };
  document.body.append(frame);
})"""


def test_only_its_opener_is_heard_and_only_from_the_origin_that_began(alice: Person, server: Server, site: int) -> None:
    """A frame in the plugin's page, another plugin with a window of its own, and the opener after it went elsewhere."""
    tab, window = hostile(alice, server, site)
    other, others = hostile(alice, server, site, connected=False)
    message = json.dumps({"format": FORMAT, "id": 500, "type": "roll", "line": "d100"})
    # A frame of the plugin's own origin, which has the handle by way of its page, and is not the opener.
    tab.evaluate(FRAMED, [message, f"http://localhost:{site}/framing.html"])
    window.wait_for_timeout(300)
    assert window.locator("#request-title").count() == 0
    assert tab.evaluate("heard.filter((each) => each.type !== 'ready' && each.type !== 'connected').length") == 0
    # The other plugin has a connection of its own, and asks in its own window.
    other.evaluate("say('hello')")
    chosen(others)
    heard(other, "connected")
    other.evaluate("say('roll', { line: 'd4' })")
    others.locator("#request-title").wait_for()
    assert window.locator("#request-title").count() == 0
    # The opener goes to another origin, and what is there writes on: it is not whom the player chose.
    tab.evaluate("(url) => { location.href = url; }", f"http://127.0.0.1:{site}/hostile.html")
    tab.wait_for_url("http://127.0.0.1:*/**")
    tab.wait_for_function("heard.length === 0")
    # The window says nothing to it by itself. Say it did: then the page has the handle.
    window.evaluate("opener.postMessage('{}', '*')")
    tab.wait_for_function("heard.length === 1")
    tab.evaluate("(message) => source.postMessage(message, '*')", message)
    window.wait_for_timeout(300)
    assert window.locator("#request-title").count() == 0
    others.bring_to_front()
    rested(others)
    others.click("button.sign")
    assert heard(other, "rolled")["roll"]["dice"][0]["sides"] == 4
    alice.page.bring_to_front()
    alice.roll("2d8")
    assert heard(other, "roll")["roll"]["dice"][1]["sides"] == 8
    assert tab.evaluate("heard.filter((each) => each.format).length") == 0, "told to the origin that came after"


def test_before_the_players_tap_nothing_is_told(alice: Person, server: Server, site: int) -> None:
    """Not even whether somebody sits here; and who says no is not asked again by this window."""
    tab, window = hostile(alice, server, site, connected=False)
    tab.evaluate("say('roll', { line: 'd6' })")  # no hello yet: dropped
    tab.evaluate("say('hello'); say('roll', { line: 'd6' }); say('hello')")
    assert heard(tab, "refused", 2)["code"] == "not-connected"
    window.locator("button.chosen").wait_for()
    rested(window)
    window.get_by_role("button", name="No", exact=True).click()
    assert heard(tab, "bye")["code"] == "disconnected"
    told = tab.evaluate("heard.map(({ type, code }) => [type, code])")
    assert told == [
        ["ready", None],
        ["refused", "not-connected"],
        ["refused", "not-connected"],
        ["refused", "declined"],
        ["bye", "disconnected"],
    ]
    tab.evaluate("say('hello')")
    window.get_by_text("You can close this window.").wait_for()
    assert window.locator("button.chosen").count() == 0


SANDBOXED = """(url) => {
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
  frame.srcdoc = `<button id=go>Go</button><script>
    let opened;
    document.getElementById('go').onclick = () => { opened = open('${url}'); };
    const hello = JSON.stringify({ format: 'rollproof/window/v1', id: 1, type: 'hello' });
    addEventListener('message', () => opened.postMessage(hello, '*'));<\\/script>`;
  document.body.append(frame);
}"""


def test_no_other_page_of_the_server_has_an_opener_or_listens(alice: Person, server: Server, site: int) -> None:
    """`/w` alone keeps its opener: to who opens the table itself it is closed."""
    for path in ("/", alice.page.url.removeprefix(server.address)):
        tab = plugin(alice, site, "hostile.html")
        tab.evaluate("(found) => { address = found; }", server.address + path)
        with tab.expect_popup() as popup:
            tab.click("#open")
        window = popup.value
        window.locator("main").wait_for()
        assert window.evaluate("window.opener") is None
        tab.wait_for_function("opened.closed")
        assert tab.evaluate("heard.length") == 0
        window.close()
    alone = alice.context.new_page()
    alone.goto(f"{server.address}/w")
    alone.get_by_text(
        "This window is for a page of another site that rolls with you. No such page opened it."
    ).wait_for()
    # An opener without a name of its own (a sandbox, a file) is not heard.
    tab = plugin(alice, site, "hostile.html")
    tab.evaluate(SANDBOXED, f"{server.address}/w")
    with tab.expect_popup() as popup:
        tab.frame_locator("iframe").locator("#go").click()
    window = popup.value
    window.get_by_text("Waits for the page that opened this window").wait_for()
    window.wait_for_timeout(300)
    assert window.locator("#asks-title").count() == 0


TAKEN_BACK = """async () => {
  const { RollWindow } = await import('./rollproof/window.js');
  const sent = [];
  const handle = { closed: false, focus() {}, postMessage: (text, origin) => sent.push([JSON.parse(text), origin]) };
  const dice = new RollWindow(handle, 'https://dice.example.org');
  const refused = (promise) => promise.catch(({ code }) => code);
  const early = await refused(dice.roll('d4', { signal: AbortSignal.abort() }));
  const later = new AbortController();
  const waits = refused(dice.roll('d6', { signal: later.signal }));
  later.abort();
  dice.take({ format: 'rollproof/window/v1', type: 'refused', id: 1, code: 'cancelled', text: '' });
  dice.over('gone');
  const late = await refused(dice.roll('d8'));
  return [early, await waits, late, sent.map(([each, origin]) => [each.type, each.line ?? each.of, origin])];
}"""


def test_a_plugin_takes_back_what_it_asked_for_by_a_signal(alice: Person, site: int) -> None:
    """One that was given already asks for nothing; and all goes to the server's origin by name."""
    at = "https://dice.example.org"
    told = plugin(alice, site).evaluate(TAKEN_BACK)
    assert told == ["cancelled", "cancelled", "gone", [["roll", "d6", at], ["cancel", 1, at]]]
