"""The page `verify.html` in Debian's Chromium, opened from disk, and the modules' vectors there too."""

import json
import re
import zlib
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from ledger.browser.verify_page import verify_page
from ledger.cli import run as run_command
from tests.conftest import SPECS
from tests.make.bundles import bundle_of
from tests.web.games import Maker, long_game
from tests.web.test_verifier import check_vectors
from verifier.shell.webpage import build_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOGS = SPECS / "vectors" / "logs"
ROOT = SPECS.parent
NO_MLDSA = """{
  const { importKey } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.importKey = function (...given) {
    if (given[2] === 'ML-DSA-44') return Promise.reject(new DOMException('', 'NotSupportedError'));
    return importKey.apply(this, given);
  };
  delete globalThis.Worker;
}"""
"""a browser without the algorithm, in which the page does its work itself: this script is not run in workers"""
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
    assert [each for each in told if not each.startswith(("file:", "blob:", "about:"))] == []


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
def test_a_policy_a_proof_and_openings_beside_a_log(page: "Page", tmp_path: Path) -> None:
    notes = json.loads((SPECS / "vectors" / "notes.json").read_text(encoding="utf-8"))
    log = LOGS / notes["log"]

    def file(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    met = next(each for each in notes["receipts"] if each["about"] == "a policy that is met")
    proofs = {each["about"]: each["proof"] for each in notes["proofs"]}
    policy, receipt = file("league.policy", met["policy"]), file("mine.checkpoint", met["receipts"][0])
    page.set_input_files("#file", str(policy))
    page.get_by_text("choose that too").first.wait_for()
    proof = file("event-4.tlog-proof", proofs["event 4, alice's"])
    page.set_input_files("#file", [str(proof), str(receipt)])
    page.get_by_text("what you know: the id of the game").first.wait_for()
    assert give(page, log) == "HOLDS, 11 events"
    assert "the cosignatures that it asks for are there" in page.locator("section:has(> #checked)").inner_text()
    assert "policy.unmet, step P10" in page.locator(".beside").inner_text(), "the proof has a checkpoint of its own"
    assert give(page, log, proof) == "HOLDS, 11 events"
    assert "HOLDS: host signed that this is event 4 of game" in page.locator(".beside").inner_text()
    assert "HOLDS: host signed" in page.get_by_role("status").inner_text()
    assert give(page, log, policy).startswith("FAILS (something is wrong): its 11 events hold")
    assert "The policy asks for a checkpoint of all 11 events" in page.locator("section:has(> #findings)").inner_text()
    page.set_input_files("#file", str(file("other.policy", "quorum nobody\n")))
    page.get_by_text("line 1 of the policy: no line above defines 'nobody'").first.wait_for()
    assert page.locator("#verdict").count() == 0

    openings = json.loads((SPECS / "vectors" / "openings.json").read_text("utf-8"))
    sent = [file(f"{n}.opening", openings["openings"][n]["sent"]) for n in (0, 6)]
    received = file("bob.received", openings["receipts"][0]["sent"])
    give(page, LOGS / openings["log"], *sent, received)
    texts = [" ".join(each.split()) for each in page.locator(".beside").all_inner_texts()]
    assert "0.opening holds: bob opened link 2 for roll" in texts[0]
    assert "The roll still waits." in texts[0]
    assert "6.opening does not hold: The opening is not bob's for this request" in texts[1]
    assert "bob.received holds: host received link 2 of bob" in texts[2]


@pytest.mark.long
def test_a_policy_where_the_browser_has_no_mldsa(page: "Page", tmp_path: Path) -> None:
    notes, mldsa = (json.loads((SPECS / "vectors" / f"{name}.json").read_text("utf-8")) for name in ("notes", "mldsa"))
    case, proof = mldsa["policies"][0], notes["proofs"][0]["proof"]
    texts = {"pq.policy": case["policy"], "pq.checkpoint": case["note"]}
    texts["4.tlog-proof"] = proof[: proof.index("\n\n") + 2] + case["note"]
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    page.add_init_script(NO_MLDSA)
    page.reload()
    verdict = give(page, LOGS / notes["log"], *(tmp_path / name for name in texts))
    assert verdict == "COULD NOT BE FINISHED: whether it holds is not known"
    words = "ML-DSA-44 to check the cosignatures of wanda, and this browser does not have it"
    assert words in page.locator(".verdict .meaning").first.inner_text()
    assert words in page.locator("section:has(> #not-checked)").inner_text()
    assert "COULD NOT BE FINISHED (policy.unchecked, step P10)" in page.locator(".beside").inner_text()
    page.locator("#language").select_option("ja")
    assert page.locator("#verdict").inner_text().startswith("終わりまで検証できず")


@pytest.mark.long
def test_a_proof_by_itself_in_two_languages(page: "Page", tmp_path: Path) -> None:
    notes = json.loads((SPECS / "vectors" / "notes.json").read_text(encoding="utf-8"))
    case = notes["proofs"][0]
    path = tmp_path / "event-4.tlog-proof"
    path.write_text(case["proof"], encoding="utf-8")
    page.set_input_files("#file", str(path))
    page.get_by_text("Type them, one a line.").first.wait_for()
    page.locator(".known summary").first.click()
    expected = case["expected"]
    page.locator("#keys-known").fill(f"{expected['game']}\n{expected['keeper']}\n{expected['index']}")
    page.get_by_role("button", name="Verify again").click()
    page.get_by_text("HOLDS: host signed that this is event 4").first.wait_for()
    assert "not checked: that alice signed it" in page.locator(".beside").inner_text()
    page.locator("#language").select_option("ja")
    assert "イベント4であると、hostが署名しています" in page.locator(".beside").inner_text()
    page.locator("#keys-known").fill(f"{expected['game']}\n{expected['keeper']}\n5")
    page.locator("#known button").click()
    page.get_by_text("proof.index").first.wait_for()
    assert "不成立" in page.locator(".beside").inner_text()


@pytest.mark.long
def test_a_key_that_is_known(page: "Page") -> None:
    give(page, LOGS / "expect.key--bob-is-another.jsonl")
    expected = json.loads((LOGS / "index.json").read_text(encoding="utf-8"))
    keys = next(each["expect"]["keys"] for each in expected if each["file"] == "expect.key--bob-is-another.jsonl")
    page.locator(".known summary").first.click()
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
def test_german(page: "Page") -> None:
    give(page, LOGS / "holds--void-and-again.jsonl")
    page.locator("#language").select_option("de")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.locator("#verdict").inner_text() == "STIMMT, 13 Ereignisse"
    text = page.locator("body").inner_text()
    assert "Niemand konnte" in text
    assert [each for each in ("Nobody could", "Choose a file", "Step 1", "Not checked", "Trust") if each in text] == []


@pytest.mark.long
def test_languages(page: "Page") -> None:
    give(page, LOGS / "holds--void-and-again.jsonl")
    page.locator("#language").select_option("ja")
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert page.locator("#verdict").inner_text() == "成立、イベント13件"
    text = page.locator("body").inner_text()
    assert "誰もこれらの出た目を選ぶことも予測することもできませんでした" in text
    for known in ("Delina, Wild Mage", "rollproof verify-page", "rollproof verify", "roll.voids", "English", "Deutsch"):
        text = text.replace(known, "")
    text = re.sub(
        r"[\w./*-]+\.(jsonl|bundle|checkpoint|policy|tlog-proof)|[\w+/=]{16,}|Rollproof|\b(host|alice|bob)\b",
        "",
        text,
        flags=re.ASCII,
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
@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_on_a_phone_no_column_of_a_table_is_cut(page: "Page", tmp_path: Path, language: str) -> None:
    vectors = json.loads((SPECS / "vectors" / "bundles.json").read_text(encoding="utf-8"))
    (tmp_path / "event.bundle").write_bytes(bundle_of(vectors, vectors["cases"][0]))
    page.locator("#language").select_option(language)
    cut = "[...document.querySelectorAll('.wide')].filter((each) => each.scrollWidth > each.clientWidth).length"
    give(page, LOGS / "holds--void-and-again.jsonl")
    page.locator(".roll summary").last.click()
    page.locator(".steps table").nth(1).wait_for()
    assert page.evaluate(cut) == 0
    give(page, tmp_path / "event.bundle")
    page.locator(".tables").first.wait_for()
    assert page.evaluate(cut) == 0


@pytest.mark.long
def test_the_policy_allows_the_pages_own_script_and_nothing_else(page: "Page") -> None:
    policy = page.locator("meta[http-equiv=Content-Security-Policy]").get_attribute("content")
    assert policy is not None
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; worker-src blob:; "
        r"base-uri 'none'; form-action 'none'",
        policy,
    )


@pytest.mark.long
def test_no_other_script_runs(browser: "Browser", tmp_path: Path) -> None:
    (tmp_path / "verify.html").write_text(build_page(), encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto((tmp_path / "verify.html").as_uri())
    # Not wait_for_function: what it asks again and again is evaluated, which the policy refuses.
    refused = page.evaluate(
        """() => {
          const script = document.createElement('script');
          script.textContent = 'globalThis.ran = true';
          document.body.append(script);
          return fetch('https://example.com/').then(() => false, () => true);
        }"""
    )
    assert refused
    assert page.evaluate("globalThis.ran === undefined")
    page.context.close()


def test_colours_have_contrast() -> None:
    """WCAG 2.2, 1.4.3: text has 4.5 to 1 on whatever it stands on, in both schemes."""
    css = (ROOT / "verifier" / "web" / "page" / "verify.css").read_text(encoding="utf-8")
    roots = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    schemes = [dict(found) for part in roots if (found := re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", part))]
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
    page.evaluate(
        """() => {
          const bar = document.getElementById('bar');
          globalThis.moved = new Promise((resolve) => new MutationObserver(() => {
            if (bar.position > 0.1 && bar.position < 1) resolve(true);
          }).observe(bar, { attributes: true }));
        }"""
    )
    page.set_input_files("#file", str(path))
    assert page.evaluate("() => moved")
    page.locator("#language").select_option("ja")  # the page stays at hand meanwhile
    page.locator("#work").wait_for(state="hidden")
    assert page.locator(".roll").count() == 100
    page.locator(".more").click()
    page.locator(".roll").nth(199).wait_for()
    assert page.locator(".roll").count() == 200


def test_the_command_writes_the_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "verify.html"
    for words, page in ((["--small", "--force"], build_page().encode()), (["--force"], verify_page())):
        assert run_command(["verify-page", "--out", str(out), "--json", *words]) == 0
        told = json.loads(capfd.readouterr().out)
        assert told == {"file": str(out), "sha256": sha256(page).hexdigest(), "bytes": len(page)}
        assert out.read_bytes() == page
    assert run_command(["verify-page", "--out", str(out)]) == 64
    assert "--force" in capfd.readouterr().err
    assert run_command(["verify-page", "--small", "--out", "-"]) == 0
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


ROLLS: list[dict[str, Any]] = json.loads((SPECS / "vectors" / "rolls.json").read_bytes())["cases"]


def opened_by_link(page: "Page", packed: str) -> str:
    """Open the page by a link with a roll in it; the verdict, or what is wrong with the link."""
    place = page.url.partition("#")[0]
    page.goto("about:blank")
    page.goto(f"{place}#roll={packed}")
    page.locator("#verdict, #problem:not(:empty)").first.wait_for()
    verdict = page.locator("#verdict")
    return verdict.inner_text() if verdict.count() else page.locator("#problem").inner_text()


def packed_roll(text: str) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")


@pytest.mark.long
def test_a_link_to_one_roll_verifies_itself(page: "Page") -> None:
    good = ROLLS[0]
    assert opened_by_link(page, packed_roll(good["file"])) == "The proof of a roll HOLDS"
    roll = re.sub(r"\s+", " ", page.locator(".roll summary").inner_text())
    assert "player 1 Strength event" in roll
    assert " ".join(map(str, good["naturals"])) in roll
    assert "alice" not in page.inner_text("main"), "names are not shown unless that was said"
    assert "Which of several rolls" in page.locator("#not-checked ~ ul").inner_text()
    page.locator(".roll summary").click()
    page.locator(".steps h3").first.wait_for()
    assert page.locator(".steps table").count() == 2
    page.locator("#language").select_option("ja")
    assert page.locator("#verdict").inner_text() == "ロールの証明は成り立ちます"
    page.locator("#language").select_option("en")
    assert opened_by_link(page, packed_roll(ROLLS[1]["file"])) == "The proof of a roll HOLDS"
    assert "bob" in page.inner_text(".roll summary")
    ruled = next(case for case in ROLLS if case["notices"] == ["roll-proof.ruling"])
    opened_by_link(page, packed_roll(ruled["file"]))
    page.locator(".roll", has_text="a judge ruled the roll void").wait_for()


@pytest.mark.long
@pytest.mark.parametrize(
    ("packed", "says"),
    [
        (packed_roll(next(case["file"] for case in ROLLS if case["code"] == "roll-proof.dice")), "DOES NOT HOLD"),
        (packed_roll("{"), "FAILS"),
        (packed_roll("x")[:-1] + "A", "no proof of a roll"),
        ("", "no proof of a roll"),
        (packed_roll('{"checkpoint":"rollproof/v1/' + "<img src=x onerror=alert(1)>" * 100_000), "no proof of a roll"),
    ],
    ids=["other dice", "no proof", "no deflate", "nothing", "a bomb with markup"],
)
def test_a_hostile_link_shows_no_roll(page: "Page", packed: str, says: str) -> None:
    told = opened_by_link(page, packed)
    assert says in told or "COULD NOT BE READ" in told
    assert page.locator(".roll").count() == 0
    assert page.locator("img").count() == 0


def test_an_event_and_its_bundle_are_verified_and_shown(page: "Page", tmp_path: Path) -> None:
    vectors = json.loads((SPECS / "vectors" / "bundles.json").read_text(encoding="utf-8"))
    cases = {case["about"]: bundle_of(vectors, case) for case in vectors["cases"]}
    for name, about in (("good", "all is well"), ("bad", "two logs swapped"), ("cut", "a bundle whose end is cut off")):
        (tmp_path / f"{name}.bundle").write_bytes(cases[about])
    event = json.loads((SPECS / "vectors" / "event.json").read_text(encoding="utf-8"))["event"]
    (tmp_path / "event.jsonl").write_text("".join(f"{line}\n" for line in event), encoding="utf-8")

    assert give(page, tmp_path / "good.bundle") == "HOLDS, 41 events"
    table = page.locator(".tables").first.inner_text()
    assert re.sub(r"\s+", " ", table).startswith(
        "Table Players Result Game 11 1 – 2 won 1 – 2 ✓ holds, 2 events set by henry"
    )
    assert "Spring Open" in page.locator(".verdict").inner_text()
    assert "olga organizer" in re.sub(r"\s+", " ", page.locator(".keys").inner_text())

    assert (
        give(page, tmp_path / "bad.bundle")
        == "FAILS (something is wrong): the event’s log holds, and not all that lies with it"
    )
    assert "fault: hall" in page.locator(".findings").inner_text()
    assert page.locator(".tables .fails").count() == 2
    give(page, tmp_path / "cut.bundle")
    assert "the file is incomplete or damaged. Get it again." in page.locator(".meaning").inner_text()

    assert give(page, tmp_path / "event.jsonl").startswith("HOLDS, ")
    assert "Dice of tables are not in it." in page.locator(".verdict").inner_text()
    page.select_option("#language", "de")
    assert "Runde 1" in page.locator("#result").inner_text()
    page.select_option("#language", "ja")
    assert "第1ラウンド" in page.locator("#result").inner_text()


@pytest.mark.long
@pytest.mark.parametrize(
    ("locale", "scheme", "width"), [("en", "light", 390), ("de", "dark", 1280), ("ja", "light", 1280)]
)
def test_an_event_is_shown_without_a_scroll_to_the_side(
    browser: "Browser", tmp_path: Path, locale: str, scheme: Any, width: int
) -> None:
    vectors = json.loads((SPECS / "vectors" / "bundles.json").read_text(encoding="utf-8"))
    case = next(case for case in vectors["cases"] if case["about"] == "two logs swapped")
    (tmp_path / "event.bundle").write_bytes(bundle_of(vectors, case))
    (tmp_path / "verify.html").write_text(build_page(), encoding="utf-8")
    context = browser.new_context(
        viewport={"width": width, "height": 844 if width == 390 else 800}, locale=locale, color_scheme=scheme
    )
    page = context.new_page()
    page.goto((tmp_path / "verify.html").as_uri())
    give(page, tmp_path / "event.bundle")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.screenshot(path=tmp_path / f"event-{locale}-{scheme}-{width}.png", full_page=True)
    context.close()
