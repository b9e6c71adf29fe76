"""Warhammer 40,000 on the command line: a squad's shooting in few commands, units as their datasheets are pasted.

Commands are counted once the units stand, with everybody at one machine, in a game whose event 0 agrees to roll fast,
saves together too, and does without the Command Re-roll (`TERMS`): the text has saves one at a time (specs/wh40k.md,
Options), and with a Command Re-roll each roll waits for its player until it is used or waived.

    scene                                                                at most   test
    10 Intercessors, 20 shots, -1 to hit, two reroll rules, saves, wounds      6   ten_intercessors, rerolled_by_hand
    the same squad with a second weapon                               7, no JSON   with_a_second_weapon
    six saves that no die can pass                                             0   saves_that_no_die_can_pass
    random damage, a failed save                                          1 each   random_damage_and_a_failed_save
    a unit's datasheet                                            pasted as text   a_datasheet_is_pasted
    9th Age: hit, wound, armour, aegis, break test                             6   test_cli_t9a
"""

import shutil
from pathlib import Path

import pytest

from tests.support.cli import Cli
from tests.support.cli_scene import Scene, begin

INTERCESSORS = 'Intercessors\n10 Intercessors M6" WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+\n'
BOYZ = "boyz: Boyz; 20 Boyz M5 WS3+ BS5+ S4 T4 W1 A2 Ld6 Sv"
RULES = "hit -1 Dense Cover, reroll hit 1 always Captain, reroll wound 1 always Lieutenant"
RIFLES = f"Bolt rifle at boyz, A2 S4 AP-1 D1, {RULES}"
TERMS = ("--fast-rolling", "--fast-saves", "--no-command-reroll")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("wh40k") / "home", "wh40k", *TERMS)


@pytest.fixture
def scene(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = Scene(Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch))
    sheet = tmp_path / "intercessors.txt"
    sheet.write_text(INTERCESSORS, encoding="utf-8")
    scene(f"wh40k declare unit GAME @{sheet} --as alice")
    scene("wh40k declare phase GAME shooting --as alice")
    scene.typed.clear()
    return scene


def boyz(scene: Scene, save: str) -> None:
    """The enemy's unit; that it is there is no command of the scene."""
    scene(f"wh40k declare unit GAME '{BOYZ}{save}' --as bob")
    scene.typed.clear()


def go_on(scene: Scene) -> None:
    """What is waited for, as it is suggested: dice before all else."""
    while (waits := scene.state["waits_for"]) is not None:
        due = scene.due(waits["party"])
        action = next((each for each in due if each["type"] == "roll"), due[0])
        scene(action["command"].removeprefix("rollproof "))


def test_ten_intercessors_shoot_in_six_commands(scene: Scene) -> None:
    boyz(scene, "6+")
    scene(f"roll GAME 'intercessors: {RIFLES}' --as alice")
    go_on(scene)
    assert len(scene.typed) <= 6, scene.typed
    (sequence,) = scene.state["sequences"]
    assert sequence["status"] == "resolved"


@pytest.mark.long
def test_ten_intercessors_rerolled_by_hand_shoot_in_six_commands(scene: Scene) -> None:
    """With rules that may reroll: one command rerolls all the dice that a rule takes."""
    boyz(scene, "6+")
    scene(f"roll GAME 'intercessors: {RIFLES.replace('always ', '')}' --as alice")
    while (waits := scene.state["waits_for"]) is not None:
        due = scene.due(waits["party"])
        rerolls = [each for each in due if each["type"] == "reroll"]
        dice = [option["value"] for each in rerolls for field in each["fields"] for option in field["options"]]
        if dice:
            scene(f"wh40k reroll GAME --dice {','.join(map(str, dice))} --as {waits['party']}")
        else:
            scene(due[0]["command"].removeprefix("rollproof "))
    assert len(scene.typed) <= 6, scene.typed


def test_with_a_second_weapon_in_seven_and_no_json(scene: Scene) -> None:
    boyz(scene, "6+")
    pistol = "Bolt pistol at boyz by 1, A1 S4 AP0 D1"
    scene(f"roll GAME 'intercessors: {RIFLES}; {pistol}' --as alice")
    go_on(scene)
    assert len(scene.typed) <= 7, scene.typed
    assert not any("{" in line for line in scene.typed)


def test_saves_that_no_die_can_pass_are_told_and_done(scene: Scene) -> None:
    boyz(scene, "-")
    scene(f"roll GAME 'intercessors: {RIFLES}' --as alice")
    go_on(scene)
    assert not any("--as bob" in line for line in scene.typed), scene.typed


@pytest.mark.long
def test_random_damage_and_a_failed_save_take_one_command_each(scene: Scene) -> None:
    scene("wh40k declare unit GAME 'nobz: Nobz; 5 Nobz M5 WS3+ BS5+ S5 T4 W4 A3 Ld6 Sv6+' --as bob")
    scene.typed.clear()
    scene("roll GAME 'intercessors: Lascannon at nobz by 1-4, A1 S9 AP-3 Dd6' --as alice")
    go_on(scene)
    kinds = [roll["for"] for roll in scene.state["rolls"]]
    assert len(scene.typed) == len(kinds), (scene.typed, kinds)


def test_a_datasheet_is_pasted_as_it_is_printed(scene: Scene) -> None:
    models = scene.state["units"]["intercessors"]["models"]
    assert [(model["name"], model["W"]) for model in models] == [("Intercessors", 2)] * 10
    printed = 'Nobz\tM5" WS3+ BS5+ S5 T4 W2 A3 Ld7 Sv4+ inv 5+'
    scene(f"wh40k declare unit GAME '{printed}' --as bob")
    assert len(scene.state["units"]["nobz"]["models"]) == 1
    assert scene.typed == [f"wh40k declare unit GAME '{printed}' --as bob"]
