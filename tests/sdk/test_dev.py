"""`rollproof dev`: the lying server and what kills clients, on those that check and on those that do not."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.cli import run
from ledger.dev.lies import LIES
from ledger.dev.stage import RealServer
from ledger.dev.trials import crash_client, real_server, try_lie
from tests.sdk.test_package import NODE, NPM, SDK
from tests.sdk.test_package import installed as installed  # a fixture

PAGES = f"{sys.executable} -m tests.oracles.lied_to"
"""the client that is written from the pages alone"""
QUICK = {"none", "changed-dice", "second-request", "without-a-party", "withheld-opening", "redirect"}
"""lies that are told before each change; the others in the slow tests"""
UNSEEN = {"changed-sides"}
"""what only the rules show"""
GULLIBLE = [
    *("changed-dice", "moved-opening", "unsigned-line", "forged-checkpoint", "no-checkpoint", "other-games-checkpoint"),
    *("late-date", "early-date", "without-a-party", "one-more-party", "other-party-key", "other-contributors"),
    *("posed-seat", "other-terms", "other-keeper", "taken-without-a-checkpoint", "false-opening"),
]
"""lies that a client that checks nothing believes; the others break even that one"""
NEEDS_NODE = pytest.mark.skipif(NODE is None or NPM is None, reason="Node or npm is not here")


def lies(*names: str, without: frozenset[str] = frozenset({"silent"})) -> list[object]:
    """Cases of some lies: the quick ones are long, the others slow."""
    chosen = [name for name in names or LIES if name not in without]
    return [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in chosen]


@pytest.fixture(scope="module")
def server() -> Iterator[RealServer]:
    with real_server() as server:
        yield server


@pytest.mark.long
@pytest.mark.parametrize("name", lies())
def test_the_client_from_the_pages_refuses_each_lie(server: RealServer, name: str) -> None:
    verdict = try_lie(server, LIES[name], PAGES, patience=60.0, quiet=3.0)
    assert verdict.passed, verdict


@pytest.mark.long
@NEEDS_NODE
@pytest.mark.parametrize("name", lies(without=frozenset({"silent", *UNSEEN})))
def test_the_package_refuses_each_lie(server: RealServer, installed: Path, name: str) -> None:
    shutil.copy(SDK / "examples" / "player.mjs", installed)
    verdict = try_lie(server, LIES[name], f"{NODE} {installed / 'player.mjs'}", patience=60.0, quiet=3.0)
    assert verdict.passed, verdict


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[] if n in ("changed-dice", "without-a-party") else pytest.mark.slow) for n in GULLIBLE],
)
def test_who_believes_is_found_out(server: RealServer, name: str) -> None:
    """What shows that the lies are told, and that what a client does upon them is seen."""
    verdict = try_lie(server, LIES[name], f"{PAGES} --gullible", patience=60.0, quiet=30.0)
    assert (verdict.passed, verdict.verdict) == (False, "taken"), verdict


@pytest.mark.slow
@NEEDS_NODE
def test_who_knows_no_rules_is_shown_other_dice_than_were_asked_for(server: RealServer, installed: Path) -> None:
    """As specs/seats.md says: the verifier finds it, and it is the keeper's fault."""
    shutil.copy(SDK / "examples" / "player.mjs", installed)
    verdict = try_lie(server, LIES["changed-sides"], f"{NODE} {installed / 'player.mjs'}", patience=60.0)
    assert verdict.verdict == "taken"


@pytest.mark.slow
def test_a_server_that_never_answers_is_asked_again(server: RealServer) -> None:
    assert try_lie(server, LIES["silent"], PAGES).passed


@pytest.mark.long
@NEEDS_NODE
def test_the_packages_storage_brings_a_client_back_that_is_killed_at_everything(
    server: RealServer, installed: Path
) -> None:
    shutil.copy(SDK / "examples" / "player.mjs", installed)
    verdict = crash_client(server, f"{NODE} {installed / 'player.mjs'}", rolls=2, patience=90.0)
    assert verdict.passed, verdict
    posts = ("seat", "join", "commit", "opening 1", "opening 2")
    assert sorted(verdict.kills) == sorted(f"{post}: {how}" for post in posts for how in ("lost", "unanswered"))


@pytest.mark.long
def test_who_stores_nothing_does_not_come_back(server: RealServer) -> None:
    verdict = crash_client(server, PAGES, rolls=1, patience=60.0)
    assert (verdict.passed, verdict.rolls) == (False, 0)
    assert "seat: unanswered" in verdict.kills


def test_what_a_client_owes_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dev", "lying-server", "--list", "--json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["lie"] for each in listed] == list(LIES)
    assert {each["lie"] for each in listed if each["rules"]} == UNSEEN
    assert run(["dev", "lying-server", "--list", "--without-rules"]) == 0
    assert "changed-sides" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["lying-server"], "name a lie"),
        (["lying-server", "white"], "there is no lie 'white'"),
        (["lying-server", "forked", "none"], "started anew for each"),
        (["lying-server", "none", "--run", "node '"], "--run takes a command"),
        (["crash-storage"], "--run COMMAND"),
    ],
)
def test_what_was_typed_wrong_is_said(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert run(["dev", *arguments]) == 64
    assert says in capsys.readouterr().err
