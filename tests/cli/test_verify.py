"""One command line to verify with: the player's question first, the same words in both programs, at any width."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import REPOSITORY, on_terminal

LOGS = REPOSITORY / "specs" / "vectors" / "logs"
EVIDENCE = REPOSITORY / "specs" / "vectors" / "disputes" / "fork.evidence"
HOLDS = str(LOGS / "holds--as-expected.jsonl")
FAILS = str(LOGS / "signature.invalid--edited-by-keeper.jsonl")
KEY = (REPOSITORY / "specs" / "vectors" / "notes" / "keys").read_text().split()[0]
VERIFIER = "from verifier.__main__ import main; main()"
PROGRAM = "from ledger.__main__ import main; main()"
STYLE = re.compile(r"\x1b\[[0-9;]*m")


def run(code: str, *words: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        "PYTHONPATH": str(REPOSITORY),
        "PATH": "/usr/bin:/bin",
        "LANGUAGE": "en",
        "COLUMNS": "80",
        "ROLLPROOF_HOME": str(home),
    }
    return subprocess.run([sys.executable, "-c", code, *words], env=environment, capture_output=True, text=True)


SAME: tuple[tuple[str, ...], ...] = (
    (HOLDS,),
    (HOLDS, "--rolls"),
    (FAILS, HOLDS),
    (FAILS, "--summary"),
    (FAILS, "--json"),
    (HOLDS, "--summary", "--json"),
    (str(LOGS / "holds--void-and-again.jsonl"), "--rolls", "--lang", "ja"),
    (str(EVIDENCE),),
    (HOLDS, "--key", KEY),
    (HOLDS, "--receipt", str(LOGS / "none")),
    (HOLDS, "--policy", HOLDS),
    (HOLDS, "--policy", "/nosuch", "--json"),
    (HOLDS, "--game", "12"),
    (HOLDS, "--organizer", "x"),
    (HOLDS, "--index", "3"),
    (HOLDS, "--jobs", "0", "--json"),
    (HOLDS, "--nosuch"),
    (HOLDS, "--jobs"),
    ("--json",),
    ("",),
    ("--proof", HOLDS),
    ("--proof", HOLDS, "--game", "0" * 64, "--keeper", KEY, "--index", "3"),
    ("--", HOLDS),
)


@pytest.mark.long
@pytest.mark.parametrize("words", SAME, ids=lambda words: " ".join(Path(word).name for word in words))
def test_both_programs_say_the_same(tmp_path: Path, words: tuple[str, ...]) -> None:
    alone = run(VERIFIER, *words, home=tmp_path)
    handed = run(PROGRAM, "verify", *words, home=tmp_path)
    assert alone.returncode == handed.returncode
    for mine, other in ((handed.stdout, alone.stdout), (handed.stderr, alone.stderr)):
        told = mine.replace("rollproof verify --help", "rollproof-verify --help").replace("FILE|DIR|GAME", "FILE|DIR")
        assert told == re.sub("^rollproof-verify: ", "rollproof: ", other, flags=re.MULTILINE)
    assert "Traceback" not in alone.stderr
    assert (alone.returncode < 64) == bool(alone.stdout and '"error":{"kind"' not in alone.stdout)


def test_help_is_one_page(tmp_path: Path) -> None:
    alone = run(VERIFIER, "--help", home=tmp_path).stdout
    handed = run(PROGRAM, "verify", "--help", home=tmp_path).stdout
    assert [line for line in handed.splitlines() if "--home" in line]
    assert alone.startswith("Usage: rollproof-verify [OPTIONS] FILE|DIR...\n")
    assert handed.startswith("Usage: rollproof verify [OPTIONS] FILE|DIR|GAME...\n")
    shared = set(alone.replace("rollproof-verify", "rollproof verify").splitlines())
    assert len(shared - set(handed.splitlines())) <= 2, "the arguments, and nothing else"


def test_each_roll_is_told_first_and_why_it_is_fair(tmp_path: Path) -> None:
    told = run(VERIFIER, str(LOGS / "holds--void-and-again.jsonl"), "--rolls", home=tmp_path).stdout.splitlines()
    assert told[0].endswith("HOLDS (all in order), 13 events")
    assert "secrets that host, alice and bob had fixed before" in told[1]
    assert told[2].endswith("no dice, alice called it off")
    assert told[3] == "    roll 9, alice, Delina, Wild Mage: 1d20 (4) = 4: fair"
    struck = run(VERIFIER, str(LOGS / "holds--corrected-twice.jsonl"), "--rolls", home=tmp_path).stdout
    assert "the dice were fair; a judge put another result in their place" in struck
    cut = run(VERIFIER, FAILS, "--rolls", home=tmp_path).stdout
    assert "FAILS (something is wrong) at event 8" in cut
    assert "roll 6" in cut, "what stands before it is shown"


def verified(log: str, columns: int, home: Path, *options: str, **variables: str) -> str:
    env = {"ROLLPROOF_HOME": str(home), "LANGUAGE": "en", **variables}
    return on_terminal("verify", log, *options, env=env, columns=columns)[1]


@pytest.mark.long
@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("log", [HOLDS, FAILS])
def test_no_word_is_broken_on_a_terminal(tmp_path: Path, log: str, columns: int) -> None:
    lines = STYLE.sub("", verified(log, columns, tmp_path)).splitlines()
    assert all(len(line) <= columns or " " not in line.strip() for line in lines), lines
    piped = run(PROGRAM, "verify", log, "--rolls", home=tmp_path).stdout
    assert " ".join(lines).split() == piped.split(), "of one log on a terminal the rolls are shown"


@pytest.mark.long
def test_verdicts_are_told_in_colour_where_that_is_wanted(tmp_path: Path) -> None:
    assert "\x1b[1;32mHOLDS\x1b[0m (all" in verified(HOLDS, 200, tmp_path)
    assert "\x1b[1;31mFAILS\x1b[0m (something" in verified(FAILS, 200, tmp_path)
    assert "\x1b[1;31mFAILS\x1b[0m (something" in verified(FAILS, 200, tmp_path, "--summary")
    for plain in (
        verified(HOLDS, 200, tmp_path, NO_COLOR="1"),
        verified(HOLDS, 200, tmp_path, "--no-color"),
        verified(HOLDS, 200, tmp_path, TERM="dumb"),
        verified(HOLDS, 200, tmp_path, "--json"),
        run(PROGRAM, "verify", HOLDS, home=tmp_path).stdout,
    ):
        assert "\x1b" not in plain


def test_a_policy_that_cannot_be_used_is_told_with_file_and_line(tmp_path: Path) -> None:
    policy = tmp_path / "league.policy"
    policy.write_text("# whom we trust\nwitness nobody\n")
    for code, words in ((VERIFIER, ()), (PROGRAM, ("verify",))):
        refused = run(code, *words, HOLDS, "--policy", str(policy), home=tmp_path)
        assert (refused.returncode, refused.stdout) == (66, "")
        assert f"{policy}: line 2 of the policy" in refused.stderr


def test_a_short_form_a_log(tmp_path: Path) -> None:
    assert len(verified(HOLDS, 300, tmp_path, "--summary").splitlines()) == 1


@pytest.mark.long
def test_a_reader_that_goes_away_gets_no_verdict(tmp_path: Path) -> None:
    for code in (VERIFIER, PROGRAM):
        words = ("verify",) if code == PROGRAM else ()
        script = f'"$0" -c "$1" {" ".join(words)} {" ".join([FAILS] * 40)}; echo "code $?" >&2'
        done = subprocess.run(
            ["bash", "-c", f"{{ {script}; }} | head -1", sys.executable, code],
            env={"PYTHONPATH": str(REPOSITORY), "PATH": os.environ["PATH"], "ROLLPROOF_HOME": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.stdout.count("\n") == 1
        assert done.stderr == "code 141\n"
