"""The 9th Age on the command line: a combat in six commands."""

import shutil
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.cli_scene import Scene, begin


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("t9a") / "home", "t9a")


@pytest.fixture
def scene(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch))


@pytest.mark.long
def test_hit_wound_armour_aegis_and_a_break_test_with_rerolls_in_six_commands(scene: Scene) -> None:
    told = scene("roll GAME '30 to hit 3+ reroll failed (Hatred) at once' --as alice")
    assert "must reroll" in told
    assert "rollproof" not in told, "nothing is waited for: the hits stand"
    scene("roll GAME 'to wound 3+ of successes reroll 1s (Poison) at once' --as alice")
    scene("roll GAME 'armour 6+ of successes' --as bob")
    scene("roll GAME 'aegis 6+ of failures' --as bob")
    scene("roll GAME '2d6 break test 7- may reroll failed (Rally Around the Flag)' --as bob")
    assert len(scene.typed) == 5
    scene.go_on("bob", "keep")
    assert len(scene.typed) <= 6
    rolls = scene.state["rolls"]
    assert [roll["player"] for roll in rolls] == ["alice", "alice", "bob", "bob", "bob"]
    assert len(rolls[1]["dice"]) == rolls[0]["successes"]
    assert len(rolls[2]["dice"]) == rolls[1]["successes"]


def test_the_other_army_brings_a_modifier_and_a_reroll_rule(scene: Scene) -> None:
    scene("roll GAME 2d6 charge range 13+ --as alice")
    told = scene("t9a modify GAME --as bob -- '-1 (Curse)'")
    assert "Curse" in told
    told = scene("t9a declare reroll GAME 'reroll throw (Distracting)' --as bob")
    assert "alice goes on: " in told
    told = scene("t9a reroll GAME --as alice")
    assert "~~" in told
    assert "rollproof" not in told
