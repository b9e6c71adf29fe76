"""`rollproof demo`: every system's scene is played and tampered with; what the told one suggests works as typed."""

import shlex
from pathlib import Path

import pytest

from ledger.demo import run, run_all
from rules import SYSTEMS, games
from rules.scene import scene_of
from tests.support.cli import Cli, state_of


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_is_told_and_its_cheat_is_named(tmp_path: Path, system: str) -> None:
    said: list[str] = []
    assert run(tmp_path, said.append, system=system)
    text = "\n".join(said)
    keeper = next(name for name, role in scene_of(SYSTEMS[system]).roles.items() if role == "keeper")
    for told in (
        *("BEFORE THE FIRST DIE", "THE GAME", "How that die was made", "THE CHECK", "HOLDS", "THE CHEAT", "NEXT"),
        *("(reveal.naturals)", f"Fault: {keeper}."),
    ):
        assert told in text
    assert text.count("Why") >= 5
    assert all(len(line) < 500 for line in said), "a paragraph that nobody reads"


def test_newcomers_are_shown_a_table_that_one_cares_about(tmp_path: Path) -> None:
    said: list[str] = []
    assert run(tmp_path, said.append)
    told = [system for system in SYSTEMS.values() if scene_of(system).about]
    assert len(told) == 1
    assert said[0] == scene_of(told[0]).about


@pytest.mark.long
def test_what_it_suggests_works_as_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_STATE", str(state_of(tmp_path / "home")))
        cli = Cli(tmp_path / "home", capsys, patch)
        patch.chdir(tmp_path)
        lines = cli.ok("demo", "--dir", "two words").splitlines()
        commands = [shlex.split(line)[1:] for line in lines if line.startswith("  rollproof ")]
        expected = {"verify": 1, "log": 0, "state": 0, "explain": 0, "identity": 0}
        for command in commands:
            if command[0] != "demo":
                words = [word.replace("YOUR-NAME", "zoe") for word in command]
                assert cli(*words).code == expected.pop(words[0]), words
        assert not expected
        assert ["demo", "--all", "--dir", "two words"] in commands


@pytest.mark.long
def test_all_of_them_are_tampered_with_in_every_way(tmp_path: Path) -> None:
    said: list[str] = []
    assert run_all(tmp_path, said.append)
    assert sum("10 of 10 attempts were found out" in line for line in said) == len(SYSTEMS)
    for name in games():
        assert len(list(tmp_path.glob(f"{name}*.jsonl"))) == 11


def test_the_log_of_a_file_is_shown_as_far_as_it_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tmp_path, lambda _said: None)
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    whole, cheat = tmp_path / "dice.jsonl", tmp_path / "dice-cheat.jsonl"
    assert cli.value("log", whole)["events"][-1]["type"] == "close"
    assert cli.value("state", whole)["phase"] == "closed"
    assert "Next" not in cli.ok("state", whole)
    for command in ("log", "state"):
        shown = cli(command, cheat)
        assert (shown.code, "Shown is what stands before event 10." in shown.err) == (1, True)
    assert [event["seq"] for event in cli("log", cheat, "--json").json["events"]] == list(range(10))
    (tmp_path / "empty.jsonl").write_bytes(b"")
    assert "there is no game in it to show" in cli("state", tmp_path / "empty.jsonl").err
