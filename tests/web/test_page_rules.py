"""The verify page with rules in Debian's Chromium, from disk and as a server sends it: the files of this version.

What Python says there is compared with the CPython that runs the test: every log and script of the vectors, damaged
logs, random games, and games of each system. 100,000 damaged logs and all scripts:
`pytest -m slow tests/web/test_page_rules.py`.
"""

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.analysis.explanation import explain
from ledger.browser.loaded import CODE, code, compressed_vendored_files
from ledger.browser.verify_page import verify_page, verify_page_policy
from ledger.server.pages import VERIFY_POLICY
from rules.data.text import plain
from rules.script import read, run
from tests.conftest import SPECS
from tests.hostile.bombs import BOMBS
from tests.support.scripts import Vector, scripts
from tests.web.agreement import differences
from tests.web.games import long_game, random_game
from verifier import VerifierKey, verify
from verifier.checkpoints.mldsa import mldsa_is_available
from verifier.checkpoints.policy import parse_policy
from verifier.language import translator
from verifier.log.terms import Pins
from verifier.shell.display import roll_text
from verifier.shell.webpage import EmbeddedFile, build_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOGS = sorted((SPECS / "vectors" / "logs").glob("*.jsonl"))
GAME = SPECS / "vectors" / "logs" / "holds--rejected-bytes.jsonl"
PATIENCE = 240_000
SAMPLE = 60
"""damaged logs, and scripts, of the tests that are not slow"""

Ask = Callable[..., Any]

ASK = """async ([name, text, language]) => {
  globalThis.python ??= new $python_python.Python($page_files.filesOfPage);
  const bytes = $bytes.fromBase64(text);
  const told = await $python_rules.verifyWithRules(python, name, bytes, {}, language, $python_rules.checkSignatures);
  const own = await new $worker.Bench().check(name, bytes, {});
  const shown = $page_with_rules.withRules(own, { state: 'told', told }, bytes);
  return { ...told, differ: shown.rules.differ };
}"""
"""what the page does with a log: Python's report, and whether the two programs differ"""
GIVEN = """async ([text, given]) => {
  globalThis.python ??= new $python_python.Python($page_files.filesOfPage);
  const bytes = $bytes.fromBase64(text);
  const options = {
    keys: given.keys, game: given.game, policy: given.policy === null ? null : $bytes.utf8(given.policy),
    receipts: given.receipts.map((receipt, i) => ({ name: `r${i}`, bytes: $bytes.utf8(receipt) })),
  };
  const told = await $python_rules.verifyWithRules(python, 'log', bytes, options, 'en', $python_rules.checkSignatures);
  const own = await new $worker.Bench().check('log', bytes, options);
  const differ = $page_with_rules.withRules(own, { state: 'told', told }, bytes).rules.differ;
  return [told.report, await $mldsa.mldsaIsAvailable(), differ];
}"""
"""the same, with what the caller knows; and whether the browser has ML-DSA-44"""
SCRIPT = """async (texts) => {
  globalThis.python ??= new $python_python.Python($page_files.filesOfPage);
  const ended = [];
  for (const script of texts) ended.push(await python.ask({ do: 'script', script }));
  return ended;
}"""
DRIVER = '''

_answer = answer


def answer(text):
    """Run rules scripts too: of the tests alone."""
    request = msgspec.json.decode(text)
    if request["do"] != "script":
        return _answer(text)
    from rules.script import read, run

    ended = run(read(request["script"].encode()))
    violation = ended.violation and [ended.violation.code, ended.violation.clause, str(ended.violation.message(str))]
    return msgspec.json.encode({"state": ended.session.view(), "violation": violation}).decode()
'''


def opened(browser: "Browser", path: Path, told: list[str]) -> "Page":
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    for kind in ("request", "console", "pageerror"):
        page.on(kind, lambda each: told.append(getattr(each, "url", None) or getattr(each, "text", None) or str(each)))
    page.goto(path.as_uri())
    return page


@pytest.fixture(scope="module")
def page(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator["Page"]:
    """The page from disk. Whatever it asks of any host, prints or throws makes the test fail."""
    path = tmp_path_factory.mktemp("page") / "verify.html"
    path.write_bytes(verify_page())
    told: list[str] = []
    page = opened(browser, path, told)
    yield page
    page.context.close()
    assert [each for each in told if not each.startswith(("file:", "blob:"))] == []


@pytest.fixture(scope="module")
def with_scripts(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator["Page"]:
    """The page with the same files, whose driver runs rules scripts too."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(code())) as ours, zipfile.ZipFile(stream, "w") as archive:
        for name in ours.namelist():
            more = DRIVER.encode() if name == "ledger/browser/driver.py" else b""
            archive.writestr(name, ours.read(name) + more)
    packed = [EmbeddedFile(name, data, packed=True) for name, data in compressed_vendored_files().items()]
    path = tmp_path_factory.mktemp("scripts") / "verify.html"
    path.write_text(build_page([*packed, EmbeddedFile(CODE, stream.getvalue(), packed=False)]), encoding="utf-8")
    page = opened(browser, path, [])
    yield page
    page.context.close()


def give(page: "Page", *files: Path) -> str:
    """Choose files, and wait until the rules have been checked."""
    page.set_input_files("#file", [str(file) for file in files])
    page.locator("#verdict").wait_for()
    page.locator("#work").wait_for(state="hidden")
    return page.locator("#verdict").inner_text()


def reported(log: bytes, name: str, language: str = "en") -> Any:
    return json.loads(msgspec.json.encode(verify(log, name=name, translate=translator(language))[0]))


def asked(page: "Page", log: bytes, name: str = "log", language: str = "en") -> Any:
    """What the page makes of a log: as CPython here, and the page's two programs do not differ."""
    told = page.evaluate(ASK, [name, b64encode(log).decode(), language])
    assert told["report"] == reported(log, name, language), name
    return told


def rolls(log: bytes) -> list[list[Any]]:
    _, replay = verify(log)
    if replay is None or replay.size == 0:
        return []
    system = replay.session.system
    settled, opened_rolls = system.rolls(replay.session.game)
    return [[roll.roll, plain(roll_text(roll, system))] for roll in (*settled, *opened_rolls)]


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_game_is_judged_whole_from_disk_and_offline(page: "Page") -> None:
    assert give(page, GAME) == "HOLDS (all in order), 10 events"
    text = page.locator("#result").inner_text()
    assert "The rules of the game were checked too, by the same program as rollproof verify." in text
    assert "Rules (mtg-706-2023-11-17): every event was allowed when it was made." in text
    assert "4d20 (9, 3, 1, 16)" in page.locator(".roll summary").inner_text()
    assert "Two programs" not in text
    page.locator(".roll summary").click()
    steps = page.locator(".steps")
    steps.get_by_text("Step 6: the rules").wait_for()
    log = GAME.read_bytes()
    for reason in explain(lambda: log.split(b"\n")[:10], 6, "log").told:
        assert reason.message(str) in steps.inner_text()
    assert "rollproof explain" not in steps.inner_text()
    page.locator("#state + details summary").click()
    page.locator("#result pre", has_text="{").wait_for()  # `toggle`, which fills it, comes later than the click
    assert json.loads(page.locator("#result pre").inner_text()) == reported(log, "log")["state"]
    page.locator("#licences summary").click()
    page.locator("#licences pre").get_by_text("Mozilla Public License").wait_for()
    page.locator("#language").select_option("ja")
    page.get_by_text("ゲームのルールも、rollproof verifyと同じプログラムで検査しました。").wait_for()
    assert page.locator("#verdict").inner_text() == "成立(すべて正常です)、イベント10件"
    page.locator("#language").select_option("en")


@pytest.mark.long
def test_what_the_rules_refuse_fails_here_too(page: "Page") -> None:
    broken = next(path for path in LOGS if path.name.startswith("rules.") and b"mtg-706" in path.read_bytes())
    report = reported(broken.read_bytes(), broken.name)
    assert report["findings"][0]["step"] == 23
    assert (
        give(page, broken) == f"FAILS (something is wrong) at event {report['valid_prefix']} of {report['events']}; "
        "the events before it hold"
    )
    text = page.locator("#result").inner_text()
    assert report["findings"][0]["message"] in text
    assert report["findings"][0]["code"] in text
    assert "Two programs" not in text


@pytest.mark.slow
def test_what_is_stopped_is_unfinished_and_says_nothing_of_the_next(page: "Page", tmp_path: Path) -> None:
    long = tmp_path / "long.jsonl"
    long.write_bytes(long_game(Random(1), 3_000))
    page.set_input_files("#file", str(long))
    page.get_by_text("The rules of the game are being checked…").wait_for()
    page.locator("#stop").click()
    page.get_by_text("The rules of the game could not be checked here. It was stopped.").wait_for()
    assert page.locator("#verdict").inner_text().startswith("HOLDS, ")
    assert give(page, GAME).startswith("HOLDS (all in order)")


ENDED = """async (text) => {
  const python = new $python_python.Python($page_files.filesOfPage, { seconds: 0.01 });
  const bytes = $bytes.fromBase64(text);
  const ask = () => $python_rules.verifyWithRules(python, 'log', bytes, {}, 'en', $python_rules.checkSignatures);
  const ended = [];
  await ask().catch((error) => ended.push(error.words.text));
  python.seconds = 120;
  await python.ask({ do: 'nothing' }).catch((error) => ended.push(error.words.text));
  ended.push((await ask()).report.verdict);
  python.stop();
  return ended;
}"""


@pytest.mark.long
def test_what_takes_too_long_or_breaks_is_no_verdict_and_python_is_begun_anew(page: "Page") -> None:
    found = page.evaluate(ENDED, b64encode(GAME.read_bytes()).decode())
    late, broken = "It took longer than {seconds} seconds.", "Python ended with an error in this browser."
    assert found == [late, broken, "holds"]


@pytest.mark.long
def test_in_the_sandbox_of_a_server_it_judges_whole_too(browser: "Browser", tmp_path: Path) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    asked_for: list[str] = []
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))

    def serve(route: Any) -> None:
        asked_for.append(route.request.url)
        policy = VERIFY_POLICY.format(policy=verify_page_policy())
        headers = {"content-security-policy": policy, "content-type": "text/html; charset=utf-8"}
        route.fulfill(body=verify_page(), headers=headers)

    page.route("http://localhost/**", serve)
    page.goto("http://localhost/verify")
    assert page.evaluate("self.origin") == "null"
    assert give(page, GAME) == "HOLDS (all in order), 10 events"
    assert (asked_for, told) == (["http://localhost/verify"], [])
    context.close()


@pytest.mark.long
def test_a_page_that_is_cut_short_judges_without_the_rules(browser: "Browser", tmp_path: Path) -> None:
    path = tmp_path / "verify.html"
    path.write_bytes(verify_page()[:4_000_000])
    page = opened(browser, path, [])
    assert give(page, GAME) == "HOLDS, 10 events"
    assert "Python did not start in this browser." in page.locator("#result").inner_text()
    page.context.close()


# --- agreement -------------------------------------------------------------------------------------------------------


DIFFER = """async (text) => {
  const bytes = $bytes.fromBase64(text);
  const own = await new $worker.Bench().check('log', bytes, {});
  const { verdict, events, validPrefix, head, findings } = own;
  const same = { verdict, events, valid_prefix: validPrefix, head, findings, checked: [], not_checked: [], trust: '' };
  const failing = (code, step, seq) => {
    const finding = { code, severity: 'error', step, seq, fault: 'host', clause: null, message: '' };
    return { ...same, verdict: 'fails', valid_prefix: seq, findings: [finding] };
  };
  const differ = (report) => {
    const told = { report, headline: '', rolls: [] };
    return $page_with_rules.withRules(own, { state: 'told', told }, bytes).rules.differ !== null;
  };
  const reports = [same, failing('rules.x', 23, 5), failing('signature.invalid', 12, 5), { ...same, events: 3 }];
  return reports.map(differ);
}"""
"""whether the page says that its programs differ: of the same report, of others that Python could have made"""


@pytest.mark.long
def test_two_programs_that_differ_are_told_of_loudly(page: "Page") -> None:
    found = page.evaluate(DIFFER, b64encode(GAME.read_bytes()).decode())
    assert found == [False, False, True, True]


@pytest.mark.long
def test_every_log_of_the_vectors_has_the_same_report(page: "Page") -> None:
    for number, path in enumerate(LOGS):
        told = asked(page, path.read_bytes(), path.name, ("en", "ja")[number % 2])
        assert told["differ"] is None, path.name
        if number % 2 == 0:
            assert told["rolls"] == rolls(path.read_bytes()), path.name


NOTES = json.loads((SPECS / "vectors" / "notes.json").read_text(encoding="utf-8"))


def given(lines: int, **known: Any) -> tuple[bytes, dict[str, Any]]:
    log = (SPECS / "vectors" / "logs" / NOTES["log"]).read_bytes().splitlines(keepends=True)
    return b"".join(log[:lines]), {"keys": [], "game": None, "policy": None, "receipts": []} | known


def cases_given() -> list[tuple[bytes, dict[str, Any]]]:
    """Receipts, policies of both algorithms, keys and ids, that are as the log has them and not."""
    mldsa = json.loads((SPECS / "vectors" / "mldsa.json").read_text(encoding="utf-8"))
    cases = [given(each["lines"], receipts=each["receipts"]) for each in NOTES["receipts"]]
    size = 1_000  # all of it
    cases += [
        given(size, policy=each["policy"], receipts=[one["note"]])
        for each in NOTES["policies"]
        for one in (each["checkpoints"] or ())[:2]
    ]
    cases += [given(size, policy=each["policy"], receipts=[each["note"]]) for each in mldsa["policies"]]
    keys = [each["verifier_key"] for each in NOTES["keys"].values()]
    game = json.loads(given(2)[0].splitlines()[1])["game"]
    return [*cases, given(9, keys=keys[:2], game=game), given(9, keys=keys[-1:]), given(9, game="00" * 32)]


@pytest.mark.long
def test_what_the_caller_knows_is_asked_for_here_too(page: "Page") -> None:
    cases = cases_given()
    assert len(cases) > 30
    for log, known in cases:
        report, has_mldsa, differ = page.evaluate(GIVEN, [b64encode(log).decode(), known])
        here, _ = verify(
            log,
            pins=Pins(known["game"] and bytes.fromhex(known["game"]), tuple(map(VerifierKey.parse, known["keys"]))),
            receipts={f"r{i}": text.encode() for i, text in enumerate(known["receipts"])},
            policy=None if known["policy"] is None else parse_policy(known["policy"].encode()),
        )
        if has_mldsa is not mldsa_is_available() and "+B" in (known["policy"] or ""):
            continue  # the browser, or the library here, has not the algorithm
        assert report == json.loads(msgspec.json.encode(here))
        assert differ is None


@pytest.mark.long
def test_odd_numbers_and_texts_have_the_same_report(page: "Page") -> None:
    lines = GAME.read_bytes().split(b"\n")
    numbers = ["9" * 5_000, "-" + "9" * 400, "1e400", "1E5", "-0", "0.5"]
    numbers += [str(number) for number in (2**53, 2**63, 2**64, -(2**63) - 1)]
    texts = ["1d\U0001ccd9", "１ｄ２０", "\u3000d6", "\U00010d50", "\u0897", "\U0001fae9", "\ue000", "\xa0", "d\u0000"]
    values = [*numbers, *(json.dumps(text, ensure_ascii=False) for text in texts)]
    values += ["[" * depth + "]" * depth for depth in (63, 64, 65, 400, 1_000, 5_000, 30_000)]
    # What cannot be read, and from where on: Python says so in other words and places with each version.
    values += [
        "1,",
        "[1,]",
        '{"a":1,}',
        '{"a":1 , }',
        "[1 ,\t]",
        "{,}",
        "[,]",
        "1 2",
        "tru",
        "NaN",
        "01",
        '"\\x"',
        '"\x01"',
        "-",
    ]
    for value in values:
        for member in (b'"dice":"4d20"', b'"source":"Four dice"'):
            changed = lines[6].replace(member, member.split(b":")[0] + b":" + value.encode())
            assert changed != lines[6]
            log = b"\n".join([*lines[:6], changed, *lines[7:]])
            assert asked(page, log)["differ"] is None, value[:40]


PREFIX = """async (asked) => (await $python_rules.checkSignatures(asked)).length"""


@pytest.mark.long
def test_signatures_behind_one_that_does_not_hold_are_not_checked(page: "Page") -> None:
    key = json.loads((SPECS / "vectors" / "signatures.json").read_text(encoding="utf-8"))["signatures"][0]
    assert key["valid"]
    question = [b64encode(bytes.fromhex(key[member])).decode() for member in ("public_key", "signature", "message")]
    forged = [question[0], question[1], b64encode(b"another message").decode()]
    assert page.evaluate(PREFIX, [forged] * 1_000) < 1_000
    assert page.evaluate(PREFIX, [question] * 300) == 300


@pytest.mark.long
def test_damaged_logs_have_the_same_report(page: "Page") -> None:
    assert differences(page, range(SAMPLE)) == []


@pytest.mark.slow
def test_100000_damaged_logs_have_the_same_report(page: "Page") -> None:
    """For hours `python -m tests.web.agreement` is better: it goes on where it was."""
    assert differences(page, range(100_000)) == []


@pytest.mark.long
def test_games_of_every_system_have_the_same_report(page: "Page") -> None:
    for name, (_, make) in sorted(BOMBS.items()):
        assert asked(page, make(3_000), name)["differ"] is None, name


@pytest.mark.long
def test_random_games_have_the_same_report(page: "Page") -> None:
    for number in range(SAMPLE // 4):
        log = random_game(Random(number)).bytes()
        assert asked(page, log, f"random {number}")["differ"] is None, number


def ended(script: bytes) -> Any:
    outcome = run(read(script))
    violation = outcome.violation and [outcome.violation.code, outcome.violation.clause, outcome.violation.message(str)]
    return json.loads(msgspec.json.encode({"state": outcome.session.view(), "violation": violation}))


def check_scripts(page: "Page", vectors: Sequence[Vector]) -> None:
    for at in range(0, len(vectors), 50):
        texts = [vector.data for vector in vectors[at : at + 50]]
        found = page.evaluate(SCRIPT, [text.decode() for text in texts])
        for vector, text, one in zip(vectors[at:], texts, found, strict=False):
            assert one == ended(text), str(vector)


@pytest.mark.long
def test_scripts_come_to_the_same(with_scripts: "Page") -> None:
    check_scripts(with_scripts, Random(1).sample(scripts(), SAMPLE))


@pytest.mark.slow
def test_every_script_of_the_vectors_comes_to_the_same(with_scripts: "Page") -> None:
    check_scripts(with_scripts, scripts())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BOMBS))
def test_a_bomb_is_judged_as_here_or_stopped_in_time(page: "Page", name: str) -> None:
    log = BOMBS[name][1](1_000_000)
    told = page.evaluate(ASK, [name, b64encode(log).decode(), "en"])
    assert told["report"] == reported(log, name)
