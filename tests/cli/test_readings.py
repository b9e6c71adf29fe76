"""Who types a line is shown what it was read as before anything is signed, on every way in (specs/rules.md).

That the reading names every doubtful text is a property of the reader (tests/rules/test_free_text.py); here each way in
has it: the commands, `read` of a server, and `on_reading` of a program.
"""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from ledger.cli.play import Play
from ledger.home import Home
from ledger.keeper.table import open_table
from ledger.server.advice import read
from rules.data.language import Message
from tests.support.cli import PASSPHRASE, Cli
from tests.support.cli_scene import GAME, Scene, begin
from verifier.language import translator

LINES = {
    "dice": ("d20 for orc 2", "source “orc 2”"),
    "magic": ("d20 Delina: best of them", "use “best of them”"),
    "wh40k": ("d6 for Explodes on a 6", "source “Explodes on a 6”"),
    "t9a": ("2d6 take the best", "source “take the best”"),
}
PLAIN = {"dice": "d20 for orc", "magic": "d20 Delina", "wh40k": "d6 for Advance", "t9a": "2d6 charge 7+"}


class Stop(Exception):
    """What a program raises that will not have what was read."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    terms = {"wh40k": ("--no-command-reroll",)}
    return {name: begin(tmp_path_factory.mktemp("readings") / name, name, *terms.get(name, ())) for name in LINES}


@pytest.fixture(params=LINES)
def scene(
    request: Any,
    begun: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Any:
    cli = Cli(shutil.copytree(begun[request.param], tmp_path / "home"), capsys, monkeypatch)
    return SimpleNamespace(name=request.param, cli=cli, scene=Scene(cli))


@pytest.mark.long
def test_every_command_that_takes_a_line_shows_what_it_read_before_it_signs(
    scene: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, shown = LINES[scene.name]
    actions = scene.cli.value("do", GAME, "--as", "alice")["actions"]
    number = next(a["number"] for a in actions if a["type"] == "roll" and a["body"].get("for", "free") == "free")
    ways = [("roll", GAME, line), (scene.name, "roll", GAME, line), ("do", GAME, str(number), line)]
    if scene.name == "wh40k":
        ways[1] = ("wh40k", "roll", "free", GAME, line)
    before = scene.cli.value("state", GAME)["requests"]
    with monkeypatch.context() as patch:
        patch.setattr(Play, "request", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        for way in ways:
            done = scene.cli(*way, "--as", "alice")
            assert "read as" in done.err, way
            assert shown in done.err, way
    assert scene.cli.value("state", GAME)["requests"] == before
    assert "read as" not in scene.cli("roll", GAME, PLAIN[scene.name], "--as", "alice").err


@pytest.mark.long
def test_a_program_is_told_before_anything_is_signed_and_can_stop_it(scene: Any) -> None:
    line, shown = LINES[scene.name]
    told: list[str] = []

    def stop(reading: Message) -> None:
        told.append(str(reading))
        raise Stop

    secrets = dict.fromkeys(("host", "alice", "bob"), PASSPHRASE.encode())
    with open_table(Home(scene.cli.home), GAME, secrets) as table:
        size = table.view.replay.size
        with pytest.raises(Stop):
            table.roll("alice", line, on_reading=stop)
        assert table.view.replay.size == size
        assert shown in told[0]
        readings: list[Message] = []
        assert table.roll("alice", line, on_reading=readings.append).dice
        assert [str(reading) for reading in readings] == told
        table.roll("bob", PLAIN[scene.name], on_reading=stop)
        asked = {"line": line, "type": "roll", "party": "alice"}
        view, english = table.view, translator("en")
        assert shown in str(read(view, msgspec.json.encode(asked), english).reading)
        assert read(view, msgspec.json.encode({**asked, "line": PLAIN[scene.name]}), english).reading is None


def test_dice_of_a_call_that_nothing_is_added_to_are_told_however_it_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(Cli(begin(tmp_path / "home", "dice", parties=("alice", "bob", "gina")), capsys, monkeypatch))
    scene("dice declare call GAME 'd20 for Stealth' --as gina")
    call = scene.state["calls"][0]["call"]
    for way in (("roll", GAME, f"call {call}"), ("dice", "roll", GAME, "--call", str(call))):
        done = scene.cli(*way, "--as", "alice" if way[0] == "roll" else "bob")
        assert done.code == 0
        assert "dice d20, and nothing added" in done.err, way
