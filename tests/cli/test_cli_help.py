"""Help: one page for what all games share, one for each game alone, at any width; completion."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules
from ledger.cli import command_tree, run
from ledger.cli.game_commands import game_command
from ledger.cli.root import HEADINGS
from tests import highroll
from tests.support.cli import PASSPHRASE, REPOSITORY, state_of
from tests.support.cli_scene import GAME, begin

LONGEST = 84
"""lines of a page of help at 80 columns"""


def page(capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, columns: int, *words: str) -> str:
    patch.setenv("COLUMNS", str(columns))
    assert run([*words, "--help"]) == 0
    return capsys.readouterr().out


def commands_of(group: Any, *above: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands_of(command, *above, name)
        else:
            yield (*above, name)


def shared() -> list[tuple[str, ...]]:
    return list(commands_of(command_tree()))


def of_games() -> list[tuple[str, ...]]:
    return [words for name in rules.games() for words in commands_of(game_command(name), name)]


def test_the_main_page_has_four_headings_and_fits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = page(capsys, monkeypatch, 80)
    assert len(text.splitlines()) < LONGEST
    assert max(map(len, text.splitlines())) <= 80
    headings = [line.removesuffix(":") for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    assert headings == ["Options", "Play", "Judge", "Organize", "Verify", "Commands of one game"]
    assert "…" not in text
    assert "..." not in text.partition("Options:")[2], "nothing is cut"


def test_every_shared_command_stands_under_one_heading() -> None:
    listed = [name for names in HEADINGS.values() for name in names]
    assert sorted(listed) == sorted({words[0] for words in shared()})


@pytest.mark.parametrize("words", [words for words in of_games() if len(words) > 2], ids=" ".join)
def test_a_kind_of_event_says_what_it_is(words: tuple[str, ...]) -> None:
    """Not `declare gone: Declare gone`: the schema's docstring does."""
    name, type_, kind = words
    command: Any = game_command(name)
    assert command.commands[type_].commands[kind].help.split("\n")[0] != f"{type_.capitalize()} {kind}."


def test_no_example_needs_a_tool_outside_of_python() -> None:
    for path in (*(REPOSITORY / "ledger").rglob("*.py"), *(REPOSITORY / "verifier").rglob("*.py")):
        assert " jq" not in path.read_text(encoding="utf-8"), path


def test_no_system_is_named_but_in_the_list() -> None:
    """Shared code of command line and ledger knows no game (the benchmark measures some)."""
    classes = [type(system) for system in rules.SYSTEMS.values()]
    names = {*rules.games(), *rules.SYSTEMS, *(one.__name__ for one in classes)}
    names |= {one.__module__.rpartition(".")[2] for one in classes} | {"Warhammer"}
    names.remove("dice")  # a game's name, and what every game has
    for path in (REPOSITORY / "ledger").rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        assert [n for n in names if f'"{n}' in code or f"rules.{n}" in code] == [], path


@pytest.mark.parametrize("words", [(), *((name,) for name in rules.games())], ids=" ".join)
def test_at_forty_columns_no_word_is_broken(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    wide, narrow = (page(capsys, monkeypatch, columns, *words) for columns in (100, 40))
    assert set(narrow.split()) == set(wide.split())
    assert all(len(line) <= 40 or " " not in line.strip() for line in narrow.splitlines())


@pytest.mark.parametrize("words", of_games(), ids=" ".join)
def test_a_games_page_is_short_says_what_each_option_means_and_has_an_example(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    text = page(capsys, monkeypatch, 80, *words)
    assert len(text.splitlines()) < LONGEST
    assert f"rollproof {' '.join(words)}" in text.partition("Examples:")[2]
    assert "--json" in text
    others = [rules.SYSTEMS[id_].title for name, id_ in rules.games().items() if name != words[0]]
    assert not any(title in text for title in others), "of this game alone"


@pytest.mark.parametrize("name", rules.games())
def test_a_game_lists_its_commands(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text = page(capsys, monkeypatch, 80, name)
    assert len(text.splitlines()) < LONGEST
    for event in rules.SYSTEMS[rules.games()[name]].bodies:
        assert f"\n  {event} " in text
        if event == "declare":
            assert "sheet" not in text, "kinds have a page of their own"


# --- completion ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = begin(tmp_path_factory.mktemp("complete") / "home", "magic")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
        patch.setenv("ROLLPROOF_HOME", str(folder))
        patch.setenv("ROLLPROOF_STATE", str(state_of(folder)))
        assert run(["roll", GAME, "2d6 x: y | may reroll one: Luck", "--as", "alice"]) == 0
    return folder


def completed(home: Path, line: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", "from ledger.cli import main; main()"],
        cwd=REPOSITORY,
        env={
            "PATH": "",
            "ROLLPROOF_HOME": str(home),
            "_ROLLPROOF_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split()


@pytest.mark.long
def test_games_events_and_options_are_completed(home: Path) -> None:
    assert completed(home, "rollproof mag") == ["magic"]
    assert {"roll", "reroll", "declare", "new"} <= set(completed(home, "rollproof magic "))
    assert "trigger" in completed(home, "rollproof magic declare t")
    assert "--mana-abilities" in completed(home, f"rollproof magic modify {GAME} --mana")


@pytest.mark.long
def test_values_are_completed_from_the_schema_and_from_what_is_offered(home: Path) -> None:
    assert completed(home, f"rollproof magic modify {GAME} --choice ") == ["apply", "decline"]
    assert completed(home, f"rollproof magic reroll {GAME} --as alice --dice ") == ["1", "2"]
    assert completed(home, f"rollproof magic reroll {GAME} --as bob --dice ") == []


# --- schemas -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [highroll.HighRoll.id, *rules.SYSTEMS])
def test_a_json_schema_names_every_event_and_says_what_members_mean(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    import json

    monkeypatch.setitem(rules._HOMES, highroll.HighRoll.id, "tests.highroll:HighRoll")
    assert run(["rules", "schema", system]) == 0
    schema = json.loads(capsys.readouterr().out)
    events = [each["properties"]["type"]["const"] for each in schema["oneOf"]]
    assert events == list(rules.SYSTEMS[system].bodies)
    referred = set(references(schema))
    assert {ref.removeprefix("#/$defs/") for ref in referred} <= set(schema["$defs"])
    titles = [p.get("title") for d in schema["$defs"].values() for p in d.get("properties", {}).values()]
    assert sum(title is not None for title in titles) > len(titles) / 2


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from ([value["$ref"]] if isinstance(value.get("$ref"), str) else [])
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)
