"""Double Down on the command line: from sheets to the boons of a roll, and a group's roll."""

import shutil
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.cli_scene import Scene, begin


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("dd") / "home", "doubledown", parties=("alice", "bob", "gina"))


@pytest.fixture
def scene(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = Scene(Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch))
    sheet = tmp_path / "bo.txt"
    sheet.write_text("Bo\nstats: agility 2, wits 4\ntrack: 1 1 2 3\ntags: big 2\ndrive: 2\n", encoding="utf-8")
    scene("doubledown declare sheet GAME 'Ash; stats agility 3, wits 2; track 1 1 2 3; tags rogue 2' --as alice")
    scene(f"doubledown declare sheet GAME @{sheet} --as bob")
    scene("doubledown declare confirm GAME --player alice --as gina")
    scene("doubledown declare confirm GAME --as gina")
    assert "Bo" in scene.cli.ok("state", "Scene")
    scene.typed.clear()
    return scene


def test_a_call_and_its_roll_to_the_last_boon(scene: Scene) -> None:
    told = scene("doubledown declare call GAME agility 10 for alice: Cross the bridge --as gina")
    assert "alice goes on" in told
    scene("roll GAME rogue --as alice")
    scene.go_on("alice", "stand")
    scene.go_on("gina", "tension")
    assert len(scene.typed) <= 12
    (roll,) = scene.state["rolls"]
    assert roll["player"] == "alice"


def test_without_a_word_no_tag_is_exhausted(scene: Scene) -> None:
    scene("doubledown declare call GAME agility 10 for alice: Cross the bridge --as gina")
    scene("roll GAME --as alice")
    assert "exhausted" not in scene.cli.ok("state", "Scene")


@pytest.mark.long
def test_a_groups_roll(scene: Scene) -> None:
    scene("doubledown declare call GAME wits 10 for alice, bob: Read the runes --as gina")
    scene("doubledown modify GAME bob rolls, stress --as alice")
    told = scene("roll GAME --as bob")
    assert "vote" in told
    scene.go_on("alice", "vote")
    scene.go_on("bob", "vote")
    assert scene.state["rolls"][-1]["player"] == "bob"
