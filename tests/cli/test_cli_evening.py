"""An evening of D&D by the command line, as people type it: nothing is refused, and the commands are counted.

Each command stands in specs/guide/any-dice.md, "An evening", with their number.
"""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.cli_scene import GAME, Scene, begin

GUIDE = Path(__file__).parents[2] / "specs" / "guide" / "any-dice.md"


def evening() -> list[str]:
    """The commands of the guide's evening, without `rollproof`."""
    text = GUIDE.read_text(encoding="utf-8").partition("## An evening")[2]
    return [line.removeprefix("rollproof ") for line in text.splitlines() if line.startswith("rollproof ")]


@pytest.mark.long
def test_an_evening_has_no_command_that_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin(tmp_path / "begun", "dice", parties=("alice", "bob", "gina"))
    scene = Scene(Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch))
    noted = []
    for line in evening():
        calls = [call["call"] for call in scene.state["calls"]]
        hand = scene.state["decks"].get("things", {}).get("hands", {}).get("alice", [{"item": "-"}])
        typed = line.replace("things: CARD", f"things: {hand[0]['item']}").replace(
            "CALL", str(calls[-1] if calls else 0)
        )
        scene.typed.append(typed)
        done = scene.cli(*shlex.split(typed.replace("tavern", GAME)))
        assert done.code == 0, done
        noted += [line] if "dice d20, and nothing added" in done.err else []
    number = re.search(r"\*\*(\d+) commands\*\*", GUIDE.read_text(encoding="utf-8"))
    assert number is not None
    assert len(scene.typed) == int(number[1]) >= 20
    state = scene.state
    rolls = {roll["source"]: roll for roll in state["rolls"]}
    assert len(rolls["abilities"]["results"]) == 6
    assert rolls["longsword from behind"]["results"][0]["passed"] in (True, False)
    assert len(rolls["fireball, half of it if saved"]["dice"]) == 8
    assert (state["calls"][0]["waiting"], len(state["calls"][0]["answers"])) == ([], 2)
    assert state["decks"]["things"]["hands"] == {}
    assert noted == ["roll tavern 'call CALL' --as bob"], "a bare roll is told before it is signed"
    assert "holds" in scene.cli.ok("verify", "Scene").lower()
