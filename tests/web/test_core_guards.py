"""The follower and the fork guard of a page, each branch by itself, upon logs of the vectors (specs/seats.md)."""

import json
import subprocess
from pathlib import Path

import pytest

from ledger.page.systems import systems_json
from tests.web.browsers import NODE


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_every_guard_of_a_seat_does_its_part() -> None:
    assert NODE is not None
    done = subprocess.run([NODE, Path(__file__).with_name("guards.mjs")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "42 checks\n", done.stdout


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_no_text_of_a_stranger_keeps_a_pattern_busy() -> None:
    """Links, files, notes, policies, lines, weapons: 50,000 hostile characters each, within a second."""
    assert NODE is not None
    program = Path(__file__).with_name("regexes.mjs")
    done = subprocess.run([NODE, program], capture_output=True, text=True, check=True, timeout=120)
    slowest = json.loads(done.stdout)
    assert len(slowest) > 10
    assert {name: spent for name, spent in slowest.items() if spent > 1_000} == {}


BOUNDED = {
    ("ledger/web/core/here.js", r"\/+$"): "the page's own address",
    ("ledger/web/core/links.js", r"\/+$"): "of a link, which has 2,000 characters at most",
    ("ledger/web/core/share.js", "=+$"): "of a roll's proof, encoded by the page itself",
    ("ledger/web/core/move.js", r"\/+$"): "a file's server, which has 2,000 at most",
    ("ledger/web/ui/files.js", "^[. -]+|[. -]+$"): "a title, which has 500 at most",
    (
        "ledger/web/ui/scenes/weapons.js",
        r"^(.+?)\s+(?:melee\s+){1,2}(\S+)\s+([-−–]?\d+)\s+(\S+)$",
    ): "a line of a weapon, whose bound is tried above",
    ("ledger/web/ui/scenes/weapons.js", r"\s*[|\t]\s*"): "the same",
}
"""patterns that take the square of what a text is long, and why no long text comes to them"""


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_no_pattern_of_a_page_takes_more_than_a_text_is_long() -> None:
    """Every regular expression in the page and in the verifier of browsers, on 20,000 hostile characters."""
    assert NODE is not None
    program = Path(__file__).with_name("patterns.cjs")
    done = subprocess.run([NODE, program, "20000"], capture_output=True, text=True, check=False, timeout=240)
    if "Cannot find module 'typescript'" in done.stderr:
        pytest.skip("TypeScript is not here (NODE_PATH)")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["count"] > 80
    assert {(file, pattern) for file, pattern, _ in told["slow"]} <= BOUNDED.keys(), told["slow"]


@pytest.mark.long
@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_a_hostile_systems_json_is_refused_or_does_no_harm() -> None:
    """Every member is wrong in every way, is missing, or has another name beside it."""
    assert NODE is not None
    program = Path(__file__).with_name("systems.mjs")
    done = subprocess.run([NODE, program], input=systems_json(), capture_output=True, check=True, timeout=120)
    told = json.loads(done.stdout)
    assert told["problems"] == []
    assert told["tried"] > 5_000
    assert 500 < told["taken"] < told["tried"] / 2, "what is not the page's to say: titles, numbers, defaults"
    assert told["events"] > 50
