"""The page `verify.html` in Debian's Chromium, opened from disk, and the modules' vectors there too."""

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from ledger.cli import run as run_command
from tests.conftest import SPECS
from tests.web.games import Maker, long_game
from tests.web.test_verifier import check_vectors
from verifier.shell.webpage import build_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOGS = SPECS / "vectors" / "logs"
ROOT = SPECS.parent
ORIGIN = "http://localhost"  # a secure context, so WebCrypto is there; nothing listens, the test answers


@pytest.fixture
def page(browser: "Browser", tmp_path: Path) -> Iterator["Page"]:
    """The page from disk. Whatever it asks of any host, prints or throws makes the test fail."""
    (tmp_path / "verify.html").write_text(build_page(), encoding="utf-8")
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", offline=True)
    opened = context.new_page()
    told: list[str] = []
    opened.on("request", lambda request: told.append(request.url))
    opened.on("console", lambda message: told.append(message.text))
    opened.on("pageerror", lambda error: told.append(str(error)))
    opened.goto((tmp_path / "verify.html").as_uri())
    yield opened
    context.close()
    assert [each for each in told if not each.startswith(("file:", "blob:"))] == []


def give(page: "Page", *files: Path) -> str:
    """Choose files, and wait for the verdict."""
    page.set_input_files("#file", [str(file) for file in files])
    page.locator("#work").wait_for(state="hidden")
    page.locator("#verdict").wait_for()
    return page.locator("#verdict").inner_text()


@pytest.mark.long
def test_vectors_in_chromium(browser: "Browser", record_property: Any) -> None:
    context = browser.new_context()
    page = context.new_page()

    def answer(route: Any) -> None:
        path = ROOT / route.request.url.removeprefix(f"{ORIGIN}/")
        if path.name == "start":
            route.fulfill(body="<!doctype html><title>vectors</title>", content_type="text/html")
        else:
            kind = "text/javascript" if path.suffix == ".js" else "application/octet-stream"
            route.fulfill(body=path.read_bytes(), content_type=kind)

    page.route(f"{ORIGIN}/**", answer)
    page.goto(f"{ORIGIN}/start")
    # In one request, because each that a test answers takes milliseconds.
    names = [path.relative_to(SPECS / "vectors").as_posix() for path in (SPECS / "vectors").rglob("*.json*")]
    contents = {name: (SPECS / "vectors" / name).read_bytes().hex() for name in names}
    results = page.evaluate(
        """async (contents) => {
          const { runVectors } = await import('/tests/web/vectors.js');
          const { fromHex } = await import('/verifier/web/bytes.js');
          return JSON.stringify(await runVectors(async (path) => fromHex(contents[path])));
        }""",
        contents,
    )
    context.close()
    for kind, count in check_vectors(json.loads(results)).items():
        record_property(f"vectors in Chromium, {kind}", count)


@pytest.mark.long
def test_a_log_that_holds(page: "Page") -> None:
    workers: list[str] = []
    page.on("worker", lambda worker: workers.append(worker.url))
    page.reload()
    assert give(page, LOGS / "holds--void-and-again.jsonl") == "HOLDS, 13 events"
    assert {url.split(":")[0] for url in workers} == {"blob"}
    assert "unless ALL of host, alice and bob worked together" in page.locator(".trust").inner_text()
    assert "rollproof verify" in page.locator(".verdict .rules").inner_text()
    rolls = page.locator(".roll summary")
    assert rolls.count() == 2
    assert re.sub(r"\s+", " ", rolls.nth(0).inner_text()).endswith("No dice: alice called it off in event 7.")
    assert "d20 4 Fair: nobody could choose or predict it" in re.sub(r"\s+", " ", rolls.nth(1).inner_text())
    assert "HOLDS, 13 events" in page.get_by_role("status").inner_text()


@pytest.mark.long
def test_a_roll_opens_by_keyboard_to_lines_to_redo_it(page: "Page") -> None:
    give(page, LOGS / "holds--rejected-bytes.jsonl")
    assert page.evaluate("document.activeElement.id") == "verdict"
    page.locator(".roll summary").first.focus()
    page.keyboard.press("Enter")
    page.locator(".steps h3").first.wait_for()
    steps = page.locator(".steps").inner_text()
    for title in ("the event", "the commitments", "the openings", "the seed", "the dice"):
        assert title in steps
    assert "openssl dgst -sha256 -mac HMAC" in steps
    page.keyboard.press("Enter")
    assert not page.locator(".roll").first.evaluate("roll => roll.open")


@pytest.mark.long
def test_everything_is_reached_by_keyboard(page: "Page") -> None:
    give(page, LOGS / "holds--rejected-bytes.jsonl")
    page.evaluate("document.body.focus()")
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert {"SUMMARY"} <= reached
    page.evaluate("scrollTo(0, 0)")
    page.reload()
    order = []
    for _ in range(4):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert order == ["A", "language", "file", "SUMMARY"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("log", "verdict", "words"),
    [
        (
            "signature.invalid--edited-by-keeper.jsonl",
            "FAILS (something is wrong) at event 8 of 10; the events before it hold",
            "The signature of this event is not alice's: it is not what alice signed. host, the keeper, signed over",
        ),
        (
            "file.not-a-log--other-text.jsonl",
            "COULD NOT BE READ as a log",
            "The file is not a Rollproof log: its first line opens no game.",
        ),
    ],
)
def test_a_log_that_does_not_hold(page: "Page", log: str, verdict: str, words: str) -> None:
    assert give(page, LOGS / log) == verdict
    assert words in page.locator(".findings").inner_text()


@pytest.mark.long
def test_evidence(page: "Page") -> None:
    assert give(page, SPECS / "vectors" / "disputes" / "fork.evidence") == "The evidence HOLDS (it is proof)"
    assert "evidence.fork" in page.locator(".findings").inner_text()


@pytest.mark.long
def test_a_receipt_and_a_log(page: "Page", tmp_path: Path) -> None:
    notes = json.loads((SPECS / "vectors" / "notes.json").read_text(encoding="utf-8"))
    receipt = tmp_path / "mine.checkpoint"
    receipt.write_text(notes["checkpoints"][0]["note"], encoding="utf-8")
    log = LOGS / notes["log"]
    short = tmp_path / "short.jsonl"
    short.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:7]))
    page.set_input_files("#file", str(receipt))
    page.get_by_text("choose the log too").first.wait_for()
    assert give(page, short).startswith("FAILS (something is wrong): its 7 events hold")
    assert "its end is missing" in page.locator(".findings").inner_text()
    assert give(page, log, receipt).startswith("HOLDS")
    assert "mine.checkpoint" in page.locator("section:has(> #checked)").inner_text()


@pytest.mark.long
def test_a_key_that_is_known(page: "Page") -> None:
    give(page, LOGS / "expect.key--bob-is-another.jsonl")
    expected = json.loads((LOGS / "index.json").read_text(encoding="utf-8"))
    keys = next(each["expect"]["keys"] for each in expected if each["file"] == "expect.key--bob-is-another.jsonl")
    page.locator(".known summary").click()
    page.locator("#keys-known").fill("\n".join(keys))
    page.get_by_role("button", name="Verify again").click()
    page.get_by_text("expect.key").first.wait_for()
    page.locator("#keys-known").fill("nobody's key")
    page.get_by_role("button", name="Verify again").click()
    assert "no verifier key" in page.locator("#problem").inner_text()


@pytest.mark.long
def test_text_of_a_file_stays_text(page: "Page", tmp_path: Path) -> None:
    maker = Maker(Random(1), ["host", "alice", "bob"])
    maker.open()
    for name in ("alice", "bob"):
        maker.write(name, "join", {})
    for name in maker.parties:
        maker.commit(name, 8)
    maker.request("alice", "d6", {"dice": "d6", "source": "<img src=x onerror=alert(1)></script><b>bold</b>"})
    maker.reveal()
    maker.write("bob", "\u202eevil\u0007<i>", {})
    path = tmp_path / "markup.jsonl"
    path.write_bytes(maker.bytes())
    give(page, path)
    assert page.locator("#result img, #result i, #result script").count() == 0
    assert "<img src=x onerror=alert(1)>" in page.locator(".purpose").inner_text()
    assert "\\u202eevil\\x07<i>" in page.locator(".findings").inner_text()
    assert not re.search("[\u202e\u0007]", page.locator("#result").inner_text())


@pytest.mark.long
def test_languages(page: "Page") -> None:
    give(page, LOGS / "holds--void-and-again.jsonl")
    page.get_by_role("button", name="日本語").click()
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert page.locator("#verdict").inner_text() == "成立、イベント13件"
    text = page.locator("body").inner_text()
    assert "誰もこれらの出た目を選ぶことも予測することもできませんでした" in text
    for known in ("Delina, Wild Mage", "rollproof verify-page", "rollproof verify", "roll.voids", "English"):
        text = text.replace(known, "")
    text = re.sub(
        r"[\w./*-]+\.(jsonl|checkpoint)|[\w+/=]{16,}|Rollproof|\b(host|alice|bob)\b", "", text, flags=re.ASCII
    )
    assert re.findall(r"[A-Za-z]{4,}", text) == []


@pytest.mark.long
def test_nothing_is_wider_than_the_screen(page: "Page") -> None:
    for width in (360, 390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        give(page, LOGS / "holds--many-dice.jsonl")
        page.locator(".roll summary").first.click()
        page.locator(".steps h3").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.long
def test_the_policy_allows_the_pages_own_script_and_nothing_else(page: "Page") -> None:
    policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert policy is not None
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; worker-src blob:; "
        r"base-uri 'none'; form-action 'none'",
        policy,
    )


def test_no_other_script_runs(browser: "Browser", tmp_path: Path) -> None:
    (tmp_path / "verify.html").write_text(build_page(), encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto((tmp_path / "verify.html").as_uri())
    page.evaluate(
        """() => {
          const script = document.createElement('script');
          script.textContent = 'globalThis.ran = true';
          document.body.append(script);
          fetch('https://example.com/').catch(() => { globalThis.refused = true; });
        }"""
    )
    page.wait_for_function("globalThis.refused")
    assert page.evaluate("globalThis.ran === undefined")
    page.context.close()


def test_colours_have_contrast() -> None:
    """WCAG 2.2, 1.4.3: text has 4.5 to 1 on whatever it stands on, in both schemes."""
    css = (ROOT / "verifier" / "web" / "page" / "verify.css").read_text(encoding="utf-8")
    schemes = [
        dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part))
        for part in re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    ]
    assert len(schemes) == 2

    def light(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    pairs = [
        (text, ground)
        for text in ("ink", "quiet", "good", "bad", "doubt", "accent")
        for ground in ("ground", "paper", "soft")
    ]
    pairs += [("good", "good-ground"), ("bad", "bad-ground"), ("doubt", "doubt-ground"), ("paper", "accent")]
    for scheme in schemes:
        for text, ground in pairs:
            bright, dark = sorted((light(scheme[text]), light(scheme[ground])), reverse=True)
            assert (bright + 0.05) / (dark + 0.05) >= 4.5, (text, ground, scheme)


@pytest.mark.slow
def test_a_long_log_shows_its_progress(page: "Page", tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(long_game(Random(1), 20_000))
    page.set_default_timeout(300_000)
    page.set_input_files("#file", str(path))
    page.wait_for_function(
        "document.getElementById('bar').position > 0.1 && document.getElementById('bar').position < 1"
    )
    page.get_by_role("button", name="日本語").click()  # the page stays at hand meanwhile
    page.locator("#work").wait_for(state="hidden")
    assert page.locator(".roll").count() == 100
    page.locator(".more").click()
    page.wait_for_function("document.querySelectorAll('.roll').length === 200")


def test_the_command_writes_the_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "verify.html"
    assert run_command(["verify-page", "--out", str(out), "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told == {"file": str(out), "sha256": sha256(out.read_bytes()).hexdigest()}
    assert out.read_text(encoding="utf-8") == build_page()
    assert run_command(["verify-page", "--out", str(out)]) == 64
    assert "--force" in capfd.readouterr().err
    assert run_command(["verify-page", "--out", "-"]) == 0
    assert capfd.readouterr().out == build_page()


def test_the_page_is_told_by_its_hashes() -> None:
    """The policy names the very bytes between the tags, which is what a browser hashes."""
    page = build_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    for tag in ("script", "style"):
        [text] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"{tag}-src 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy[1]
    assert not re.search(r"https?://(?!c2sp|www\.w3)", re.sub(r"<script>.*</script>", "", page, flags=re.DOTALL))
