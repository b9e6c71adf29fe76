"""A turn of Warhammer 40,000 by the command line, typed as the guide has it: each command taken, and counted."""

import re
import shutil
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.cli_scene import Scene, begin

GUIDE = Path(__file__).parents[2] / "specs" / "guide" / "games.md"
UNITS = (
    ("alice", "intercessors: Intercessors; 10 Intercessor M6 WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+"),
    ("alice", "devastators: Devastators; 5 Devastator M6 WS3+ BS3+ S4 T4 W1 A1 Ld7 Sv3+"),
    ("alice", "spawn: Chaos Spawn; 2 Spawn M2d6 WS4+ BS- S5 T5 W4 Ad6 Ld8 Sv5+"),
    ("bob", "boyz: Ork Boyz; 30 Boy M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+"),
    ("bob", "nobz: Nobz; 5 Nob M5 WS3+ BS5+ S5 T5 W3 A3 Ld7 Sv4+"),
)


def rows() -> list[tuple[str, str]]:
    """The commands of the guide's turn, with how often each is typed."""
    section = GUIDE.read_text(encoding="utf-8").split("### A turn of it")[1].split("\n## ")[0]
    return re.findall(r"^\|[^|]*\| `rollproof (.+?)` \| (once|while due) \|$", section, re.MULTILINE)


def most() -> int:
    """How many commands the guide says that it takes."""
    (number,) = re.findall(r"takes\sat\smost\s([0-9]+)\scommands", GUIDE.read_text(encoding="utf-8"))
    return int(number)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("evening") / "home", "wh40k", "--fast-rolling", "--fast-saves")


@pytest.fixture
def scene(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = Scene(Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch))
    for player, sheet in UNITS:
        scene(f"wh40k declare unit GAME '{sheet}' --as {player}")
    scene.typed.clear()
    return scene


def test_the_guide_has_every_moment_of_a_turn() -> None:
    typed = "\n".join(command for command, _ in rows())
    for moment in ("roll-off", "movement", "shooting", "charge", "--command", "fight", "morale", "Dd6", "reroll hit"):
        assert moment in typed


@pytest.mark.long
def test_a_turn_is_played_as_the_guide_has_it(scene: Scene) -> None:
    for command, often in rows():
        line = command.replace("TABLE", "GAME")
        if often == "once":
            scene(line)
        while often == "while due" and (waits := scene.state["waits_for"]) is not None:
            scene(line.replace("NAME", waits["party"]))
    state = scene.state
    assert len(scene.typed) <= most(), scene.typed
    assert state["turn"] == {"player": "alice", "phase": "morale"}
    (off,) = [roll["off"] for roll in state["rolls"] if roll["off"] is not None]
    assert off["winner"] in ("alice", "bob")
    assert [sequence["status"] for sequence in state["sequences"]] == ["resolved"] * 3
    charge = next(roll for roll in state["rolls"] if roll["source"] == "Charge")
    assert all(len(die["naturals"]) == 2 for die in charge["dice"])
    assert state["command"] == []
    assert {roll["for"] for roll in state["rolls"]} >= {"off", "move", "free", "hit"}
    assert state["units"]["boyz"]["models"][-1]["destroyed"]
