"""Secret and blind rolls as they are typed, by who holds them and by everybody else (specs/commands.md)."""

import json
import shutil
from pathlib import Path

import pytest

from ledger.home import Home
from ledger.keeper.table import open_table
from ledger.seats import snapshots
from ledger.seats.snapshots import Snapshot
from ledger.store.game_view import GameView
from tests.support.cli import PASSPHRASE, Cli, state_of
from tests.support.cli_scene import GAME, Scene, begin
from verifier import Replay


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("secret") / "home", "dice", "--sealed", "kept", parties=("alice", "gina"))


@pytest.fixture
def scene(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(Cli(shutil.copytree(kept, tmp_path / "home"), capsys, monkeypatch))


def latest(scene: Scene) -> str:
    return str(scene.state["rolls"][-1]["roll"])


def log_of(scene: Scene, tmp_path: Path) -> str:
    scene("export GAME --out " + str(tmp_path / "log.jsonl") + " --force")
    return (tmp_path / "log.jsonl").read_text(encoding="utf-8")


def test_who_joins_as_a_game_master_seals(scene: Scene) -> None:
    assert scene.state["sealed"] == {"gina": {"unused": 63, "unshown": [], "owes": None}}


def test_the_holder_alone_sees_its_secret_roll(scene: Scene, tmp_path: Path) -> None:
    told = scene("roll GAME '2d6 + 3 for the trap' --secret --as gina")
    assert "For gina's eyes alone" in told
    assert "the trap" in told
    (roll,) = scene.state["rolls"]
    assert (roll["status"], roll["dice"], roll["results"], roll["source"]) == ("sealed", [], [], "")
    assert "the trap" not in log_of(scene, tmp_path)
    for command in ("state GAME", "log GAME", f"explain GAME {roll['roll']}", "report GAME --out r.html --force"):
        assert "the trap" not in scene(command.replace("r.html", str(tmp_path / "r.html")))
    assert "the trap" not in (tmp_path / "r.html").read_text(encoding="utf-8")
    listed = scene("show GAME --as gina")
    assert "the trap" in listed
    assert "holds no secret roll" in scene("show GAME --as alice")


def test_a_secret_roll_that_is_shown_comes_to_what_its_holder_saw(scene: Scene) -> None:
    answer = scene.cli.value("roll", "Scene", "d20", "+", "5", "--secret", "--as", "gina")
    naturals = answer["secret"]["naturals"]
    scene("roll GAME d20 --secret --as gina")
    number = answer["seq"]
    told = scene(f"show GAME {number} --as gina")
    assert "Not shown: 1 roll more" in told
    shown = scene.state["rolls"][0]
    assert (shown["status"], shown["dice"][0]["naturals"]) == ("shown", naturals)
    assert shown["results"][0]["total"] == naturals[0] + 5
    assert "holds and has not shown" in scene.cli.refused("show", "Scene", str(number), "--as", "gina")
    report = scene.cli.ok("verify", "Scene", "--rolls")
    assert "gina rolled 2 rolls in secret and showed 1: gina alone chose which." in report
    assert "rolled in secret, and not shown" in report
    assert "shown because its holder chose to" in report


def test_a_blind_roll_says_what_it_is_for_and_nothing_else(scene: Scene) -> None:
    answer = scene.cli.value("roll", "Scene", "d20 for Stealth", "--blind-to", "gina", "--as", "alice")
    assert "secret" not in answer
    (roll,) = scene.state["rolls"]
    assert (roll["player"], roll["sealed"], roll["source"], roll["dice"]) == ("alice", "gina", "Stealth", [])
    (own,) = scene.cli.value("show", "Scene", "--as", "gina")["rolls"]
    assert (own["request"], own["roller"], own["sides"], own["text"]) == (roll["roll"], "alice", [20], None)
    assert scene.cli.ok("show", "Scene", "--as", "gina").endswith(" (alice, Stealth)\n"), "whose, and what for"


@pytest.mark.long
def test_secrets_that_run_low_are_sealed_anew(scene: Scene) -> None:
    for _ in range(32):
        scene("roll GAME d6 --blind-to gina --as alice")
    assert scene.state["sealed"]["gina"]["unused"] == 63 - 32 + 63


def test_a_secret_that_is_owed_is_shown_by_itself(scene: Scene, tmp_path: Path) -> None:
    scene.cli.waits("roll", "Scene", "d20", "--blind-to", "gina", "--request-only", "--as", "alice")
    scene("void GAME --as alice")
    scene("roll GAME d20 --blind-to gina --as alice")
    assert scene.state["sealed"]["gina"]["owes"] is None
    assert '"type":"show"' in log_of(scene, tmp_path)


def test_a_show_beside_the_log_needs_no_keeper(scene: Scene, tmp_path: Path) -> None:
    scene("roll GAME 'd20 for the door' --secret --as gina")
    number = latest(scene)
    (own,) = scene.cli.value("show", "Scene", "--as", "gina")["rolls"]
    scene("close GAME --as host")
    assert "the game is closed" in scene.cli.refused("show", "Scene", number, "--as", "gina")
    file, log = tmp_path / "12.show", tmp_path / "log.jsonl"
    scene(f"show GAME {number} --as gina --out {file}")
    log_of(scene, tmp_path)
    told = scene.cli.ok("check-show", str(file), str(log))
    assert f"gina's secret roll of event {number}: {own['naturals'][0]}" in told
    assert "the door" in told
    changed = json.loads(file.read_text()) | {"secret": "ab" * 32}
    file.write_text(json.dumps(changed, sort_keys=True, separators=(",", ":")) + "\n")
    result = scene.cli("check-show", file, log)
    assert (result.code, "does not hold: its secret is not the one" in result.out) == (1, True)
    file.write_text("{}")
    scene.cli.refused("check-show", str(file), str(log), code=66)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("d20 vs 15", "without a target"),
        ("d20!", "rerolls and explodes no dice"),
        ("4d6ro1", "rerolls and explodes no dice"),
    ],
)
def test_what_is_no_list_of_dice_is_no_secret_roll(scene: Scene, line: str, said: str) -> None:
    assert said in scene.cli.refused("roll", "Scene", line, "--secret", "--as", "gina")
    assert scene.state["requests"] == 0


def test_who_may_hold_is_said(scene: Scene) -> None:
    assert "can hold no secret roll" in scene.cli.refused("roll", "Scene", "d20", "--secret", "--as", "alice")
    assert "not both" in scene.cli.refused(
        "roll", "Scene", "d20", "--secret", "--blind-to", "gina", "--as", "gina", code=64
    )


def test_a_game_without_secret_rolls_has_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(Cli(begin(tmp_path / "home", "dice", parties=("alice", "gina")), capsys, monkeypatch))
    assert "no roll is secret" in scene.cli.refused("roll", "Scene", "d20", "--secret", "--as", "gina")
    told = scene.cli.refused("magic", "new", "--keeper", "host", "--player", "alice", "--sealed", "everyone")
    assert "in these rules no roll is secret" in told
    told = scene.cli.refused("dice", "new", "--keeper", "host", "--player", "alice", "--sealed", "always", code=64)
    assert "never, kept or everyone" in told


def test_who_forgets_its_memory_has_lost_its_secrets(scene: Scene) -> None:
    """They follow from no key: the signing key alone shows nothing and seals nothing."""
    scene("roll GAME d20 --secret --as gina")
    key = Home(scene.cli.home).key("gina").public_bytes.hex()
    (state_of(scene.cli.home) / f"{key}.db").unlink()
    scene("identity forget gina")
    assert "holds no secret roll" in scene("show GAME --as gina")
    scene.cli.refused("show", "Scene", latest(scene), "--as", "gina")
    scene.cli.refused("roll", "Scene", "d20", "--secret", "--as", "gina")
    assert len(scene.state["sealed"]["gina"]["unshown"]) == 1


@pytest.mark.long
def test_a_seal_that_was_made_anew_has_the_secrets_that_the_log_has(scene: Scene) -> None:
    """Another event came first, so gina's seat made its seal twice: the tags in the log are those of the second."""
    secret = PASSPHRASE.encode()
    with open_table(Home(scene.cli.home), GAME, {"gina": secret, "alice": secret, "host": secret}) as table:
        made: list[bytes] = []

        def seal(view: GameView) -> bytes:
            with table._seat_of("gina") as seat:
                assert seat is not None
                made.append(seat.seal(view))
            if len(made) == 1:
                table.roll("alice", "d6")
            return made[-1]

        with table._seat_of("gina") as seat:
            assert seat is not None
            table.append(seat, seal)
    assert len(made) == 2
    for _ in range(64):
        scene("roll GAME d6 --secret --as gina")
    scene(f"show GAME {latest(scene)} --as gina")
    assert scene.state["rolls"][-1]["status"] == "shown"


@pytest.mark.long
def test_a_secret_roll_of_a_long_game_is_seen_and_shown_as_without_snapshots(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 4)
    answer = scene.cli.value("roll", "Scene", "2d6", "for", "the trap", "--secret", "--as", "gina")
    for _ in range(3):
        scene("roll GAME d20 --as alice")
    files = list((state_of(scene.cli.home) / "snapshots").glob("*"))
    assert files
    assert not any(b"the trap" in path.read_bytes() for path in files)
    used, restore = list[int](), Snapshot.restore

    def noted(snapshot: Snapshot, first: bytes) -> Replay | None:
        used.append(snapshot.size)
        return restore(snapshot, first)

    monkeypatch.setattr(Snapshot, "restore", noted)
    listed = scene.cli.value("show", "Scene", "--as", "gina")
    assert used[0] > answer["seq"], "the roll is in the snapshot"
    assert "the trap" in str(listed)
    scene(f"show GAME {answer['seq']} --as gina")
    shown = scene.state["rolls"][0]
    naturals = [natural for die in shown["dice"] for natural in die["naturals"]]
    assert (shown["status"], naturals) == ("shown", answer["secret"]["naturals"])
    assert "holds and has not shown" in scene.cli.refused("show", "Scene", str(answer["seq"]), "--as", "gina")
