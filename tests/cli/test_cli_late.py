"""Who comes when the game has begun, as it is typed (specs/protocol.md, "Who comes later")."""

import shutil
from pathlib import Path

import pytest

from ledger.seats import snapshots
from rules import Event
from tests.support.cli import Cli, make_identity, state_of
from tests.support.cli_scene import Scene, begin
from verifier import Replay, VerifierKey

ADMITS = ("--admits", "player", "--admits", "gm", "--admits", "judge")


def begun(folder: Path, system: str) -> Path:
    home = begin(folder / "home", system, *ADMITS)
    for name in ("carol", "dana", "gina"):
        make_identity(home, name)
    return home


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begun(tmp_path_factory.mktemp("late"), "dice")


@pytest.fixture
def scene(dice: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(Cli(shutil.copytree(dice, tmp_path / "home"), capsys, monkeypatch))


def contributors(scene: Scene) -> list[list[str]]:
    """Of each roll that was revealed."""
    events = scene.cli.value("log", "Scene")["events"]
    return [[each["author"] for each in event["body"]["openings"]] for event in events if event["type"] == "reveal"]


def test_a_late_player_comes_and_rolls(scene: Scene) -> None:
    scene("admit GAME carol --role player --as host")
    scene("roll GAME d20 --as alice")
    scene("join GAME --as carol")
    told = scene("roll GAME 3d6 --as carol")
    assert "carol: 3d6" in told
    assert contributors(scene) == [["host", "alice", "bob"], ["host", "alice", "bob", "carol"]]
    report = scene.cli.ok("verify", "Scene")
    assert "party.admitted" in report
    assert "host let carol in later, alone" in report


def test_who_was_admitted_rolls_only_with_a_chain_of_its_own(scene: Scene) -> None:
    scene("admit GAME carol --role player --as host")
    assert "joined" in scene.cli.refused("roll", "Scene", "d20", "--as", "carol")
    assert contributors(scene) == []


def test_a_memory_that_was_begun_anew_comes_into_no_game_that_was_opened_before(scene: Scene) -> None:
    """What counts is the time of event 0, and not of the admit, which a keeper writes when it likes."""
    key = VerifierKey.parse(str(scene.cli.value("identity", "show", "carol")["key"]))
    for file in state_of(scene.cli.home).glob(f"{key.public_bytes.hex()}*"):
        file.unlink()
    assert "and in no other" in scene.cli.ok("identity", "forget", "carol")
    scene("admit GAME carol --role player --as host")
    assert "this game was opened before" in scene.cli.refused("join", "Scene", "--as", "carol")


def test_a_judge_comes_and_judges_when_all_have_consented(scene: Scene) -> None:
    scene("admit GAME dana --role judge --as host")
    scene("join GAME --as dana")
    scene("roll GAME d20 --as alice")
    number = str(scene.state["rolls"][-1]["roll"])
    ruling = ("ruling", "Scene", "void", "--subject", number, "--text", "cocked", "--as", "dana")
    assert "before everybody who plays has consented" in scene.cli.refused(*ruling)
    scene("consent GAME dana --as alice")
    assert scene.state["newcomers"] == ["dana"]
    assert "before everybody who plays has consented" in scene.cli.refused(*ruling)
    scene("consent GAME dana --as bob")
    assert scene.state["newcomers"] == []
    scene.cli.ok(*ruling)
    assert scene.state["rolls"][-1]["status"] == "struck"


def test_a_role_that_event_0_does_not_admit_is_refused(scene: Scene) -> None:
    assert "No witness comes later" in scene.cli.refused("admit", "Scene", "dana", "--role", "witness", "--as", "host")
    assert "no role" in scene.cli.refused("admit", "Scene", "dana", "--role", "friend", "--as", "host")
    assert "is the name of a party" in scene.cli.refused("admit", "Scene", "alice", "--as", "host")


def test_a_late_player_of_double_down_has_a_sheet_and_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(Cli(begun(tmp_path, "doubledown"), capsys, monkeypatch))
    scene("admit GAME gina --role gm --as host")
    scene("admit GAME carol --role player --as host")
    scene("join GAME --as gina")
    scene("join GAME --as carol")
    assert list(scene.state["players"]) == ["alice", "bob", "carol"]
    assert scene.cli.value("do", "Scene", "--as", "gina")["actions"]


def test_a_game_of_two_sides_admits_no_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tmp_path / "home", "magic")
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    told = cli.refused("magic", "new", "--keeper", "host", "--player", "alice", "--admits", "player")
    assert "in these rules no player comes later" in told


@pytest.mark.long
def test_a_command_on_a_long_game_with_admits_does_not_replay_it_whole(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the snapshot of who came later alone, whom event 0 does not name."""
    monkeypatch.setattr(snapshots, "EVERY", 8)
    scene("admit GAME carol --role player --as host")
    scene("join GAME --as carol")
    for _ in range(8):
        scene("roll GAME d20 --as carol")
    carol = scene.cli.value("identity", "show", "carol")["key"]
    for path in (state_of(scene.cli.home) / "snapshots").glob("*"):
        if not path.stem.endswith(VerifierKey.parse(carol).public_bytes.hex()):
            path.unlink()
    followed, follow = list[bytes](), Replay.follow

    def noted(replay: Replay, line: bytes) -> Event:
        followed.append(line)
        return follow(replay, line)

    monkeypatch.setattr(Replay, "follow", noted)
    size = len(scene.cli.value("log", "Scene")["events"])
    followed.clear()
    with_it = scene.cli("state", "Scene")
    assert 2 <= len(followed) < size / 2
    for path in (state_of(scene.cli.home) / "snapshots").glob("*"):
        path.unlink()
    followed.clear()
    assert scene.cli("state", "Scene") == with_it
    assert len(followed) == size
