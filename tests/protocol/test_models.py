"""The models of the protocol: each claim holds, and each attack is found where a rule is taken away (specs/models).

Needs Debian's spin and gcc, which .ci/run installs.
"""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.cli.absence import words

MODELS = Path(__file__).parents[2] / "specs" / "models"
RUN = MODELS / "run.py"
needs_spin = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("gcc") is None, reason="no Spin here: apt-get install spin gcc"
)


def models(*options: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    env = None if path is None else {"PATH": path}
    return subprocess.run(
        [sys.executable, str(RUN), *options], capture_output=True, text=True, check=False, timeout=3600, env=env
    )


def told(run: subprocess.CompletedProcess[str]) -> list[str]:
    """The claims and attacks that it prints, with their number of states."""
    return re.findall(r"^  (holds|VIOLATED|found|NOT FOUND) .* \([\d,]+ states\)$", run.stdout, re.MULTILINE)


@pytest.mark.slow
@needs_spin
def test_every_claim_holds_at_the_small_bound() -> None:
    run = models()
    assert run.returncode == 0, run.stdout + run.stderr
    assert told(run).count("holds") == 37
    assert set(told(run)) == {"holds", "found"}


@pytest.mark.slow
@needs_spin
def test_each_attack_is_found_when_its_rule_is_taken_away() -> None:
    run = models("--old-rules")
    assert run.returncode == 0, run.stdout + run.stderr
    assert told(run) == ["found"] * 79


@pytest.mark.long
def test_a_model_that_has_an_attack_fails_and_shows_the_way(tmp_path: Path) -> None:
    shutil.copytree(MODELS, tmp_path / "models")
    model = tmp_path / "models" / "rolls.py"
    model.write_text(model.read_text().replace("keeper_voids: bool = False", "keeper_voids: bool = True"))
    code = (
        "import rolls_claims; found, _ = rolls_claims.check(large=False); "
        "print(*(each.trace for each in found if not each.good), sep='\\n')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "models", capture_output=True, text=True, check=True
    )
    assert "the keeper voids and names others" in run.stdout


def test_secret_rolls_hold_against_every_coalition_and_each_of_their_rules_is_needed() -> None:
    code = "import sealed; found, table = sealed.check(large=True); print(*found, *table, *sealed.attacks(), sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=MODELS, capture_output=True, text=True, check=True)
    assert (run.stdout.count("good=True"), run.stdout.count("good=False")) == (8 + 12, 0), run.stdout
    # The last row of the table in specs/security.md, claim 5.
    for row in (
        "all          anna       gm      anna + gm + keeper or gm + judge + keeper",
        "all          gm         gm      gm + keeper",
        "list         anna       gm      anna + gm + keeper or gm + judge + keeper",
        "list         gm         gm      anna + gm + keeper or gm + judge + keeper",
    ):
        assert row in run.stdout


@pytest.mark.parametrize("rule", ["void_shows: bool = True", "tags_first: bool = True", "secret_in_seed: bool = True"])
def test_a_model_of_secret_rolls_that_has_an_attack_fails(rule: str, tmp_path: Path) -> None:
    shutil.copytree(MODELS, tmp_path / "models")
    model = tmp_path / "models" / "sealed.py"
    model.write_text(model.read_text().replace(rule, rule.replace("True", "False")))
    code = "import sealed; print(*(found.trace for found in sealed.check(large=False)[0] if not found.good), sep='\\n')"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "models", capture_output=True, text=True, check=True
    )
    assert "asks for a secret roll" in run.stdout


@pytest.mark.slow
def test_a_lost_browser_holds_against_every_coalition_and_each_of_its_rules_is_needed() -> None:
    code = "import replaced; print(*replaced.check(large=False), *replaced.attacks(), sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=MODELS, capture_output=True, text=True, check=True)
    assert (run.stdout.count("good=True"), run.stdout.count("good=False")) == (7 + 15, 0), run.stdout


def test_every_rule_of_a_lost_browser_is_told_on_their_page() -> None:
    of_rules = (MODELS / "replaced.py").read_text().partition("class Rules")[2].partition("class Game")[0]
    rules = re.findall(r"^    (\w+): bool = True  #", of_rules, re.MULTILINE)
    page = (MODELS / "README.md").read_text()
    assert len(rules) == 15
    assert {rule for rule in rules if f"`{rule}`" not in page} == set()


@needs_spin
@pytest.mark.slow
def test_every_claim_holds_at_the_large_bound() -> None:
    run = models("--bound", "large")
    assert run.returncode == 0, run.stdout + run.stderr
    assert set(told(run)) == {"holds", "found"}


def test_without_spin_it_says_how_to_install_it() -> None:
    run = models(path="/nowhere")
    assert (run.returncode, run.stdout) == (2, "")
    assert "apt-get install spin gcc" in run.stderr


def test_every_flag_of_the_models_is_told_on_their_page() -> None:
    flags = {
        flag for model in MODELS.glob("*.pml") for flag in re.findall(r"def(?:ined\()? ?([A-Z_]+)", model.read_text())
    }
    page = (MODELS / "README.md").read_text()
    assert {flag for flag in flags if f"`{flag}`" not in page} == set()


def test_what_an_answer_about_a_dead_phone_lets_whom_do_is_what_the_model_computes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sentences of the command line, against searches of the model (specs/models/rolls_claims.py)."""
    monkeypatch.syspath_prepend(MODELS)
    rolls = importlib.import_module("rolls_claims")
    seats = (rolls.KEEPER, rolls.ANNA, rolls.BOB)

    def repeats(*coalition: str, **served: bool) -> bool:
        """Whether a coalition repeats anna's roll when it knows the dice."""
        parties = (*seats, rolls.JUDGE) if served else seats
        found = rolls.search(rolls.Game(parties, "all", frozenset(coalition), requests=1, **served)).events
        return any((event.claim, event.roller) == ("repeat", rolls.ANNA) for event in found)

    server = {"away_by_others": True, "keepers_judge": True}
    assert "The operator of the server runs its judge too" in words("on", str)
    assert "could call off a roll whose dice they do not like" in words("on", str)
    assert repeats(rolls.KEEPER, rolls.JUDGE, **server)
    assert "the server alone gets no second roll" in words("wait", str)
    assert not repeats(rolls.KEEPER)
    assert not repeats(rolls.KEEPER, rolls.BOB)
    assert repeats(rolls.KEEPER, rolls.ANNA), "else the model would see nothing"
