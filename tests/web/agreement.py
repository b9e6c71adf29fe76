"""`python -m tests.web.agreement --told FILE`: damaged logs, judged by the verify page in Chromium and by Python here.

Compared of each log: the whole report (verdict, findings, state, words), the dice of each roll in words, the first
line, what the rules say of how the latest roll came to its outcome, and whether the page's two programs differ. A line
of JSON is added to FILE for each thousand; what stands in it already is not done again.
"""

import argparse
import json
import tempfile
import time
from base64 import b64encode
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.analysis.explanation import explain
from ledger.browser.verify_page import verify_page
from rules.data.text import plain
from tests.web.damaged_logs import damaged_log
from tests.web.table_page import launched
from verifier import verify
from verifier.language import translator
from verifier.report import headline
from verifier.shell.display import roll_text

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["differences"]

BLOCK = 1_000
"""logs of one worker, which remembers each signature that was checked"""
AT_ONCE = 50
LANGUAGES = ("en", "ja", "de")
ASK = """async (asked) => {
  globalThis.python ??= new $python_python.Python($page_files.filesOfPage);
  const answers = [];
  for (const [name, text, language] of asked) {
    const bytes = $bytes.fromBase64(text);
    const told = await $python_rules.verifyWithRules(python, name, bytes, {}, language, $python_rules.checkSignatures);
    const own = await new $worker.Bench().check(name, bytes, {});
    const { differ } = $page_with_rules.withRules(own, { state: 'told', told }, bytes).rules;
    const [roll] = told.rolls.slice(-1);
    const size = told.report.valid_prefix;
    const why = roll ? await $python_rules.explainByRules(python, bytes, size, roll[0], language) : [];
    answers.push({ report: told.report, headline: told.headline, rolls: told.rolls, why, differ });
  }
  return answers;
}"""


def _here(name: str, log: bytes, language: str) -> dict[str, Any]:
    """What the page has to say of a log."""
    translate = translator(language)
    report, replay = verify(log, name=name, translate=translate)
    rolls: list[list[Any]] = []
    why: list[list[Any]] = []
    if replay is not None and replay.size > 0:
        system = replay.session.system
        settled, opened = system.rolls(replay.session.game)
        rolls = [[roll.roll, plain(roll_text(roll, system, translate))] for roll in (*settled, *opened)]
    if rolls:
        lines = log.split(b"\n")[: report.valid_prefix]
        told = explain(lambda: lines, rolls[-1][0], "log").told
        why = [[reason.clause, plain(reason.message(translate))] for reason in told]
    told_here = {"report": report, "headline": headline(report, translate), "rolls": rolls, "why": why, "differ": None}
    return dict(json.loads(msgspec.json.encode(told_here)))


def differences(page: "Page", numbers: range, counted: Counter[str] | None = None) -> list[dict[str, Any]]:
    """The numbers of logs that the page judges otherwise than Python here, with the members that differ."""
    found = []
    for at in range(numbers.start, numbers.stop, AT_ONCE):
        logs = {number: damaged_log(number) for number in range(at, min(at + AT_ONCE, numbers.stop))}
        asked = [[f"{number}", b64encode(log).decode(), LANGUAGES[number % 3]] for number, log in logs.items()]
        for (number, log), told in zip(logs.items(), page.evaluate(ASK, asked), strict=True):
            here = _here(f"{number}", log, LANGUAGES[number % 3])
            if told != here:
                found.append({"number": number, "differ": [each for each in here if here[each] != told[each]]})
            if counted is not None:
                error = next((each for each in here["report"]["findings"] if each["severity"] == "error"), None)
                counted[here["report"]["verdict"] if error is None else f"step {error['step']}"] += 1
    return found


def main() -> None:
    """Compare what FILE does not have yet."""
    parser = argparse.ArgumentParser("python -m tests.web.agreement", description=__doc__)
    parser.add_argument("--told", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100_000)
    asked = parser.parse_args()
    had = asked.told.read_text(encoding="utf-8").splitlines() if asked.told.exists() else []
    done = {json.loads(line)["from"] for line in had}
    browsers = launched()
    browser = next(browsers)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "verify.html"
        path.write_bytes(verify_page())
        for start in range(0, asked.count, BLOCK):
            if start in done:
                continue
            began = time.perf_counter()
            page = browser.new_page()
            page.set_default_timeout(0)
            page.goto(path.as_uri())
            counted: Counter[str] = Counter()
            found = differences(page, range(start, min(start + BLOCK, asked.count)), counted)
            page.close()
            told = {"from": start, "differ": found, "first errors": dict(counted)}
            told["seconds"] = round(time.perf_counter() - began)
            with asked.told.open("a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")
    next(browsers, None)


if __name__ == "__main__":
    main()
