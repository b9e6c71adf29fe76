"""The guide specs/adding-a-system.md, followed with a small system (tests/highroll/)."""

from pathlib import Path

import pytest

import rules
from ledger import demo
from ledger.demo.stage import LiveStage
from rules import script
from rules.scene import scene_of
from tests.highroll import HighRoll
from tests.support.scripts import Vector, scripts_in
from verifier import verify

FOLDER = Path(__file__).parents[1] / "highroll"
SCRIPTS = [vector for path in sorted(FOLDER.glob("*.json")) for vector in scripts_in(path)]


@pytest.fixture(autouse=True)
def _one_line_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules._HOMES, HighRoll.id, "tests.highroll:HighRoll")


@pytest.mark.parametrize("vector", SCRIPTS, ids=str)
def test_its_scripts_come_out_as_expected(vector: Vector) -> None:
    read = script.read(vector.data)
    assert script.differences(read, script.run(read)) == []


def test_each_of_its_clauses_names_a_script_of_both_kinds() -> None:
    names = {vector.stem for vector in SCRIPTS}
    assert {clause.holds for clause in HighRoll.clauses} | {clause.violates for clause in HighRoll.clauses} == names


def test_its_scene_is_played_through_the_ledger_and_verified(tmp_path: Path) -> None:
    said: list[str] = []
    scene = scene_of(HighRoll())
    stage = LiveStage(tmp_path, said.append, HighRoll(), scene)
    try:
        stage.begin("High Roll")
        scene.play(stage)
        stage.finish()
        log = stage.log()
    finally:
        stage.close()
    report, _ = verify(log)
    assert (report.verdict, report.findings) == ("holds", ())
    assert report.state is not None
    assert report.state["rolls"][0]["total"] == sum(die["result"] for die in report.state["rolls"][0]["dice"])
    assert any(line.startswith("  alice: 3d6 (~~") for line in said)


def test_the_demonstration_tells_it_and_finds_what_was_tampered_with(tmp_path: Path) -> None:
    said: list[str] = []
    assert demo.run(tmp_path, said.append, system=HighRoll.id)
    assert demo.run_all(tmp_path, said.append, [HighRoll.id])
    assert any("10 of 10" in line for line in said)
