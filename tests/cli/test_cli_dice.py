"""`dice-1` on the command line: four scenes as they are typed (specs/dice-1.md)."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import PassphraseError
from ledger.home import Home
from ledger.seats import key_file
from ledger.seats.key_file import KeyFile
from tests.support.cli import PASSPHRASE, Cli
from tests.support.cli_scene import Scene, begin


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("dice") / "home", "dice", parties=("alice", "bob", "gina"))


@pytest.fixture
def scene(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch))


def last(scene: Scene) -> Any:
    return scene.state["rolls"][-1]


def verified(scene: Scene) -> None:
    assert "holds" in scene.cli.ok("verify", "Scene").lower()


def test_one_line_is_the_whole_command(scene: Scene) -> None:
    told = scene("roll GAME '4d6kh3 + 2' --as alice")
    roll = last(scene)
    shown = ", ".join(
        str(die["result"]) if die["status"] == "counted" else f"~~{die['result']}~~" for die in roll["dice"]
    )
    assert f"4d6kh3 ({shown}) + 2 = {roll['results'][0]['total']}" in told
    assert (roll["notation"], roll["status"], scene.typed) == (
        "4d6kh3 + 2",
        "resolved",
        ["roll GAME '4d6kh3 + 2' --as alice"],
    )


@pytest.mark.long
def test_rolls_are_explained_counted_and_reported(scene: Scene, tmp_path: Path) -> None:
    told = scene("roll GAME 3d6!>=4 --as alice")
    assert "roll 8, alice: 3d6!>=4 (" in told
    scene("dice declare deck GAME 'cards: 2 Joker, King' --as bob")
    scene("roll GAME draw 2 from cards for luck --as bob")
    scene("roll GAME 2d{sword,shield=2} for faces --as bob")
    explained = scene.cli.ok("explain", "Scene", "8")
    assert "D1      alice rolls 3d6!>=4" in explained
    assert "D7      3d6!>=4 (" in explained
    assert "items are left in cards: number" in scene.cli.ok("explain", "Scene", "11")
    assert "alice" in scene.cli.ok("stats", "Scene")
    scene.cli.ok("report", "Scene", "--out", str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "3d6!&gt;=4" in page
    assert "Joker" in page
    verified(scene)


def test_an_unknown_notation_is_refused_with_its_place(scene: Scene) -> None:
    refused = scene.cli("roll", "Scene", "4d6r<2", "--as", "alice")
    assert refused.code == 64
    assert "character 4 on, “r<2”: write ro to reroll once, rr to reroll until it no longer matches" in refused.err


@pytest.mark.long
def test_savage_worlds(scene: Scene) -> None:
    """Action cards, a trait roll with its wild die and raises, damage that aces, a soak, a shuffle."""
    suits = ["Clubs", "Diamonds", "Hearts", "Spades"]
    values = [*range(2, 11), "Jack", "Queen", "King", "Ace"]
    # What begins with a digit would be a number of cards.
    cards = ", ".join(f'"{value} of {suit}"' for suit in suits for value in values)
    scene(f"dice declare deck GAME 'actions: 2 Joker, {cards}' --as gina")
    scene("roll GAME draw 3 from actions for round 1 --as gina")
    assert [die["sides"] for die in last(scene)["dice"]] == [54, 53, 52]
    scene("roll GAME '{d8!!, d6!!}kh1 + 1 for Shooting | 3- a miss | 4-7 a hit | 8+ a raise' --as alice")
    assert last(scene)["results"][0]["row"] in (1, 2, 3)
    scene("roll GAME '2d6!! + d6!! vs 7 for damage' --as alice")
    scene("dice declare call GAME 'bob: {d6!!, d6!!}kh1 vs 4 for Vigor to soak' --as gina")
    (call,) = scene.state["calls"]
    scene(f"roll GAME call {call['call']} --as bob")
    assert (last(scene)["least"], scene.state["calls"][0]["waiting"]) == (4, [])
    scene("dice declare shuffle GAME --deck actions --as gina")
    assert scene.state["decks"]["actions"]["left"] == 54
    verified(scene)


def test_fate(scene: Scene) -> None:
    scene("roll GAME '4dF + 3 vs 2 for Athletics | 1- fail | 2 tie | 3-4 succeed | 5+ with style' --as alice")
    roll = last(scene)
    total = roll["results"][0]["total"]
    assert total == 3 + sum(die["result"] for die in roll["dice"])
    assert roll["results"][0]["passed"] == (total >= 2)
    scene("roll GAME '4dF+2 for Fight' --as gina")
    attack = last(scene)["results"][0]["total"]
    scene(f"roll GAME '4dF+1 vs {attack} for defend' --as alice")
    verified(scene)


def test_dnd_5e(scene: Scene) -> None:
    """Six abilities, an attack with advantage, damage by kind, everybody's save."""
    scene("roll GAME 6x 4d6kh3 for abilities --as alice")
    assert [len(result["terms"][0]["throws"]) for result in last(scene)["results"]] == [4] * 6
    scene("roll GAME d20adv + 5 vs 16 for longsword --as alice")
    scene("roll GAME '1d8[slashing] + 2d6[fire] + 3 for damage' --as alice")
    labels = {one["label"]: one["value"] for one in last(scene)["results"][0]["labels"]}
    assert labels["slashing"] + labels["fire"] + 3 == last(scene)["results"][0]["total"]
    scene("dice declare call GAME vs 15 for Dexterity save --as gina")
    number = scene.state["calls"][0]["call"]
    assert "alice, bob" in scene.cli.ok("state", "Scene")
    scene(f"roll GAME 'call {number}: d20dis + 2' --as bob")
    assert scene.state["calls"][0]["waiting"] == ["alice"]
    offered = scene.cli.ok("do", "Scene", "--as", "alice")
    assert "answer the call of gina: Dexterity save" in offered
    scene(f"roll GAME 'call {number}: d20ro1 + 3' --as alice")
    assert scene.state["calls"][0]["waiting"] == []
    verified(scene)


def test_shadowrun(scene: Scene) -> None:
    scene("roll GAME '10d6>=5 vs 3 for Sneaking' --as alice")
    roll = last(scene)
    hits = sum(die["result"] >= 5 for die in roll["dice"])
    assert roll["results"][0]["total"] == hits
    assert roll["results"][0]["passed"] == (hits >= 3)
    told = scene("roll GAME '8d6!6>=5 for Pistols with Edge' --as bob")
    assert "success" in told
    roll = last(scene)
    assert len(roll["dice"]) == 8 + sum(die["result"] == 6 for die in roll["dice"])
    verified(scene)


def test_what_is_suggested_works_as_typed(scene: Scene) -> None:
    scene("dice declare deck GAME 'cards: 2 Joker, King' --as bob")
    scene("roll GAME draw from cards --as gina")
    scene("dice declare call GAME d20 for a save --as gina")
    for party in ("bob", "gina"):
        actions = scene.cli.value("do", "Scene", "--as", party)["actions"]
        commands = [
            f"{action['command'].removeprefix('rollproof ')} {action['example'] or ''}"
            for action in actions
            if action["type"] == "roll"
        ]
        assert len(commands) == (3 if party == "bob" else 2)
        for command in commands:
            scene(command)
    verified(scene)


def test_a_roll_derives_the_key_of_each_party_once_and_all_at_once(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deriving takes a tenth of a second at its usual cost, more than all else of the command."""
    derive, derived = key_file._derive, list[str]()

    def counted(file: KeyFile, passphrase: bytes) -> bytes:
        derived.append(file.name)
        assert threading.current_thread() is not threading.main_thread()
        return derive(file, passphrase)

    monkeypatch.setattr(key_file, "_derive", counted)
    scene("roll GAME d20 --as alice")
    assert sorted(derived) == sorted({*derived, "alice", "bob", "gina"})


def test_a_roll_opens_no_key_before_it_is_known_to_be_allowed(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Home, "open_ahead", lambda *_: pytest.fail("a key was opened"))
    assert scene.cli("roll", "Scene", "d20", "--as", "host").code != 0


def test_a_key_that_is_opened_ahead_with_a_wrong_passphrase_fails_where_it_is_needed(scene: Scene) -> None:
    home = Home(scene.cli.home)
    home.open_ahead({"alice": b"not the passphrase", "bob": PASSPHRASE.encode()})
    with pytest.raises(PassphraseError, match="alice is wrong"):
        home.identity("alice", b"not the passphrase")
    assert home.identity("bob", PASSPHRASE.encode()) is home.identity("bob", PASSPHRASE.encode())


def test_a_roll_looks_for_no_plugins(scene: Scene) -> None:
    """Sqlite-utils would look through all packages that are installed, and run what it finds beside the keys."""
    run = "import sys; from ledger.cli import run; run(sys.argv[1:]); import sqlite_utils.plugins as plugins"
    command = [sys.executable, "-c", f"{run}; print(plugins._plugins_loaded)", "roll", "Scene", "d20", "--as", "alice"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1] == "False", told


def test_a_roll_imports_nothing_that_it_does_not_need(scene: Scene) -> None:
    """Both are large, and sqlite-utils takes them where they are installed."""
    pytest.importorskip("numpy")
    run = "import sys; from ledger.cli import run; run(sys.argv[1:]); print(*{'numpy', 'pandas'} & {*sys.modules})"
    command = [sys.executable, "-c", run, "roll", "Scene", "d20", "--as", "alice"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1] == "", told
