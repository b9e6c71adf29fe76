"""`python -m tests.oracles.answers`: what this Python says of logs, scripts and typed lines, a line for each.

A line is a name and a SHA-256: two Pythons, or two hash seeds, say the same where their lines are the same. Of a log
it is the report with the state, the words of each roll, explanations and offers; of a script, state and refusal; of a
typed line, the body that was read, or why none was. All languages take turns.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ledger.analysis.advice import actions_of, explain_roll, read, shortly, state_of
from ledger.analysis.explanation import explain
from ledger.errors import UsageError
from ledger.network.wire import ReadRequest
from rules.base import NotationError, Reason
from rules.data.language import Translate
from rules.data.text import plain
from rules.script import read as read_script
from rules.script import run
from tests.hostile.bombs import BOMBS
from tests.rules.test_letters import LINES
from tests.rules.test_sentences import SENTENCES
from tests.support.scripts import scripts
from tests.web.damaged_logs import damaged_log
from verifier import verify
from verifier.language import translator
from verifier.replay import Replay
from verifier.report import headline
from verifier.shell.display import roll_text

__all__ = ["answers"]

VECTORS = Path(__file__).parent.parent.parent / "specs" / "vectors"
LANGUAGES = ("en", "ja", "de")
LATER = (
    "\u1c89\u1c8a\ua7cb\u0264\ua7cc\ua7cd\ua7ce\ua7da\ua7db\ua7dc\u019b\u1c80\ua7d2\ua7f1"
    "\U00010d40\U00010d49\U00010d50\U00010d70\U00010ec2\U00011bf0\U00011dd9\U00011de0\U00011f04\U00011f50\U00011f59"
    "\U00016130\U00016d70\U00016ea0\U00016ebb\U0001ccd6\U0001ccf0\U0001ccf9\U0001d2c0\U0001e4f0\U0001e5f1\U00031350"
    "\u0897\u088f\u0c5c\u0cdc\u0cf3\u1acf\u20c1\u2ffc\u31e4\U0001fae9\U0001fa75\U0001e6c0\U00033479\ue000\xad\u200b"
)
"""letters, digits, pairs of cases, marks and signs that Unicode got after 14.0, up to 17.0; and what nobody sees"""
MOST_ROLLS = 3
"""of a log, the latest so many are explained"""


def of_log(name: str, log: bytes, language: str) -> dict[str, Any]:
    """All that is said of a log."""
    translate = translator(language)
    report, replay = verify(log, name=name, translate=translate)
    told: dict[str, Any] = {"report": report, "headline": headline(report, translate)}
    if replay is None or replay.size == 0:
        return told
    settled, opened = replay.session.system.rolls(replay.session.game)
    rolls = [*settled, *opened]
    lines = log.split(b"\n")[: report.valid_prefix]
    latest = [roll.roll for roll in rolls[-MOST_ROLLS:]]
    told["rolls"] = [[roll.roll, plain(roll_text(roll, replay.session.system, translate))] for roll in rolls]
    explanations = [msgspec.structs.asdict(explain(lambda: lines, roll, "log")) for roll in latest]
    told["explanations"] = [{name: each for name, each in one.items() if name != "session"} for one in explanations]
    told["reasons"] = [explain_roll(replay, roll, translate) for roll in latest]
    told["state"] = state_of(replay, 50, translate)
    told["offers"] = {party: actions_of(replay, party, translate) for party in replay.terms.roles}
    return told


def of_script(script: bytes, translate: Translate) -> dict[str, Any]:
    """How a rules script ends."""
    outcome = run(read_script(script))
    violation = outcome.violation
    refused = violation and [violation.code, violation.clause, violation.message(translate)]
    return {"state": outcome.session.view(), "refused": refused}


def of_line(replay: Replay, line: str, translate: Translate) -> Any:
    """What a typed line is read as."""
    try:
        return read(replay, msgspec.convert({"type": "roll", "line": line}, ReadRequest), translate)
    except NotationError as problem:
        return shortly(problem.message(translate))
    except UsageError as problem:
        return problem.message(translate)


def as_json(value: Any, translate: Translate) -> bytes:
    """JSON, in the order that things have; reasons in words."""

    def words(reason: Reason) -> Any:
        return [reason.clause, plain(reason.message(translate))]

    return msgspec.json.encode(value, enc_hook=words)


def answers(damaged: int, part: int = 1) -> Iterator[tuple[str, bytes]]:
    """Names and JSON: of every `part`-th log, script and sentence of the vectors, bombs, and so many damaged logs."""
    logs = sorted((VECTORS / "logs").glob("*.jsonl"))[::part]
    asked = [(path.name, path.read_bytes()) for path in logs]
    asked += [(f"bomb {name}", make(3_000)) for name, (_, make) in sorted(BOMBS.items())]
    asked += [(f"damaged {number}", damaged_log(number)) for number in range(damaged)]
    for at, (name, log) in enumerate(asked):
        language = LANGUAGES[at % 3]
        yield name, as_json(of_log(name, log, language), translator(language))
    for at, vector in enumerate(scripts()[::part]):
        translate = translator(LANGUAGES[at % 3])
        yield f"scripts/{vector}", as_json(of_script(vector.data, translate), translate)
    lines = [(system, line) for system, some in sorted(LINES.items()) for line in some]
    lines += [(each["system"], each["sentence"]) for each in SENTENCES[::part]]
    forms = ("{0}d6", "d{0}", "2d6 for {0}x", "{0}: 3d6 + {0}", "{0}")
    lines += [(system, form.format(one)) for system in LINES for one in LATER[::part] for form in forms]
    games = {system: _begun(make(3_000)) for system, make in dict(BOMBS.values()).items()}
    for at, (system, line) in enumerate(lines):
        translate = translator(LANGUAGES[at % 3])
        yield f"{system}: {line}", as_json(of_line(games[system], line, translate), translate)


def _begun(log: bytes) -> Replay:
    replay = Replay()
    for line in log.splitlines()[:12]:
        replay.step(line)
    return replay


def main() -> None:
    """Print a line for each; with --whole what was said, instead of its hash."""
    parser = argparse.ArgumentParser("python -m tests.oracles.answers", description=__doc__)
    parser.add_argument("--damaged", type=int, default=1_000)
    parser.add_argument("--part", type=int, default=1, help="every so many-th of the vectors alone")
    parser.add_argument("--whole", action="store_true")
    asked = parser.parse_args()
    for name, told in answers(asked.damaged, asked.part):
        print(json.dumps(name), told.decode() if asked.whole else hashlib.sha256(told).hexdigest())


if __name__ == "__main__":
    main()
