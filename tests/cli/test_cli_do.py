"""What `do` and `roll` tell: one offer for models that are alike, nothing printed that signs an example, what now."""

import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Cli, make_home
from tests.support.cli_scene import GAME, Scene, begin

BOYZ = "boyz: Boyz; 10 Boy M5 WS3+ BS5+ S4 T4 W1 A2 Ld6 Sv6+"
MARINES = "marines: Marines; 10 Marine M6 WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+"
TERMS = ("--fast-rolling", "--fast-saves", "--no-command-reroll")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("do") / "home", "wh40k", *TERMS)


@pytest.fixture
def scene(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = Scene(Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch))
    scene(f"wh40k declare unit GAME '{MARINES}' --as alice")
    scene(f"wh40k declare unit GAME '{BOYZ}' --as bob")
    return scene


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("judged") / "home")


@pytest.fixture
def magic(judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(judged, tmp_path / "home"), capsys, monkeypatch)


def options(action: dict[str, Any], name: str) -> list[Any]:
    (field,) = [field for field in action["fields"] if field["name"] == name]
    return [option["value"] for option in field["options"]]


# --- alike models --------------------------------------------------------------------------------------------------


def test_the_saves_of_ten_alike_models_are_one_offer(scene: Scene) -> None:
    scene("wh40k declare attacks GAME 'marines: Flamer at boyz, A2 S8, auto-hit Flamer' --as alice")
    scene("wh40k resolve GAME --groups 1 --as alice")
    scene("roll GAME --as alice")
    (save,) = scene.due("bob")
    assert save["label"] == "roll a save"
    assert options(save, "model") == [*range(1, 11)]
    assert "model: 1-10 (Boy)" in scene.cli.ok("do", "Scene", "--as", "bob") or not save["fields"][0]["required"]


def test_mortal_wounds_on_ten_models_that_ignore_them_are_one_offer(scene: Scene) -> None:
    scene("wh40k declare unit GAME 'nobz: Nobz; 10 Nob M5 WS3+ BS5+ S5 T5 W2 A3 Ld7 Sv4+ fnp 5+ mortal' --as bob")
    scene("wh40k declare mortal GAME --target nobz --source Smite --count 3 --as alice")
    (ignore,) = scene.due("bob")
    assert options(ignore, "model") == [*range(1, 11)]
    listed = scene.cli.ok("do", "Scene", "--as", "bob")
    assert "roll to ignore mortal wounds on a model of Nobz (due); model: 1-10 (Nob); count: a whole number" in listed
    refused = scene.cli(*ignore["command"].split()[1:]).err
    assert "model=, count= must be said too" in refused
    scene.cli.ok(*ignore["command"].split()[1:], "model=1", "count=1")


def test_what_is_to_be_chosen_is_asked_for(magic: Cli) -> None:
    """The first of several options is an example: whoever pastes its command would sign it."""
    actions = magic.value("do", "Table 12", "--as", "alice")["actions"]
    open_choices = [
        action
        for action in actions
        for field in action["fields"]
        if field["required"] and field.get("least", 1) < len(field.get("options", ()))
    ]
    for action in open_choices:
        assert action["command"].startswith("rollproof do "), action
        before = magic.value("state", "Table 12")
        assert magic(*shlex.split(action["command"])[1:]).code == 64
        assert magic.value("state", "Table 12") == before


def test_units_are_chosen_by_what_is_typed_with_their_names(scene: Scene) -> None:
    scene(f"wh40k declare unit GAME '{BOYZ.replace('boyz:', 'mob:')}' --as bob")
    listed = scene.cli.ok("do", GAME, "--as", "bob")
    assert "unit: boyz (Boyz), mob (Boyz)" in " ".join(listed.split())


# --- rulings --------------------------------------------------------------------------------------------------------


def test_a_ruling_by_its_number_asks_for_its_reasons_and_takes_them(magic: Cli) -> None:
    as_dana = ("--as", "dana")
    offered = magic.value("do", "Table 12", *as_dana)["actions"]
    number = next(action["number"] for action in offered if action["body"] == {"ruling": "uphold"})
    command = offered[number - 1]["command"].split()[1:]
    refused = magic(*command).err
    assert "subject=, text= must be said too" in refused
    assert "subject=: the number of the event (a whole number from 0 " in refused
    assert "9007199254740991" not in refused
    assert "text= must be said too" in magic(*command, "subject=0").err
    assert not magic.value("state", "Table 12")["rulings"]
    magic.ok(*command, "subject=0", "text=the terms hold")
    (ruling,) = magic.value("state", "Table 12")["rulings"]
    assert (ruling["ruling"], ruling["subject"], ruling["text"]) == ("uphold", 0, "the terms hold")


def test_what_is_listed_for_a_judge_signs_no_example(magic: Cli) -> None:
    """A command with words of ours in it would sign these."""
    for action in magic.value("do", "Table 12", "--as", "dana")["actions"]:
        if action["type"] == "ruling":
            before = magic.value("state", "Table 12")["rulings"]
            assert magic(*action["command"].split()[1:]).code == 64
            assert magic.value("state", "Table 12")["rulings"] == before


# --- refusals that help ---------------------------------------------------------------------------------------------


def test_a_step_that_is_named_is_told_as_the_command_that_it_is(scene: Scene) -> None:
    refused = scene.cli.refused("roll", "Scene", "wound", "--as", "alice")
    assert refused.startswith("wound is not to be rolled now; what alice can do: rollproof do ")
    scene.cli.ok(*refused.rpartition("rollproof ")[2].split())
    scene("roll GAME 'marines: Bolt rifle at boyz, A2 S8, on hit unmodified 1-6: passes Aim' --as alice")
    refused = scene.cli.refused("roll", "Scene", "wound", "--as", "alice")
    assert "wound is a step of its own, which needs no line of dice: rollproof " in refused
    scene.cli.ok(*refused.rpartition("rollproof ")[2].split())
    assert scene.state["rolls"][-1]["for"] == "wound"


def test_a_roll_with_a_line_that_is_named_alone_is_told_how_it_is_written(scene: Scene) -> None:
    assert "write it as in roll-off for the first turn" in scene.cli.refused("roll", "Scene", "off", "--as", "alice")


def test_an_option_of_a_games_own_roll_is_told_as_the_command_that_takes_it(magic: Cli) -> None:
    magic.ok("roll", "Table 12", "d20 Each player rolls", "--as", "alice")
    first = magic.value("state", "Table 12")["rolls"][-1]["roll"]
    refused = magic.refused("roll", "Table 12", "--joins", str(first), "--as", "bob")
    told = f"rollproof magic roll 'Table 12' --joins {first} --as bob"
    assert refused.strip().endswith(f"No such option: --joins of every game's roll; a roll of magic has it: {told}")
    magic.ok(*shlex.split(told)[1:])
    assert magic.value("state", "Table 12")["rolls"][-1]["joins"] == first


def test_it_is_told_with_the_line_that_was_typed(magic: Cli) -> None:
    refused = magic.refused("roll", "--use", "heads: draw", "Table 12", "coin Krark", "--as", "alice")
    told = "rollproof magic roll --use 'heads: draw' 'Table 12' 'coin Krark' --as alice"
    assert refused.strip().endswith(told)
    magic.ok(*shlex.split(told)[1:])


def test_an_option_of_another_games_roll_is_told_as_that(scene: Scene) -> None:
    refused = scene.cli.refused("roll", "Scene", "--joins", "30", "--as", "alice")
    assert "--joins in this game, which is of wh40k; a roll of magic has it. See: " in refused
    scene.cli.ok(*refused.strip().rpartition("rollproof ")[2].split())


def test_an_option_of_several_rolls_of_a_game_is_told_with_the_help_of_each(scene: Scene) -> None:
    refused = scene.cli.refused("roll", "Scene", "--unit", "marines", "--as", "alice")
    assert refused.strip().endswith("See: rollproof wh40k roll attack --help, rollproof wh40k roll move --help")


def test_where_no_game_is_named_an_option_is_told_with_the_help_of_all_that_have_it(magic: Cli) -> None:
    refused = magic.refused("roll", "Table 13", "--call", "heads", "--as", "alice")
    for name in ("magic", "doubledown", "dice"):
        assert f"rollproof {name} roll --help" in refused
    assert "Possible options: --json" not in refused
    assert magic.refused("roll", "Table 12", "--frobnicate").strip().endswith("See: rollproof roll --help")
