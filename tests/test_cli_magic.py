"""`rollproof` in a game of Magic: exchanges, effects that end, offers that a judge makes, events in words."""

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.cli import magic
from rules.mtg import Magic
from tests.cli import REPOSITORY, Cli, make_home

GAME = "Table 12"
AS_ALICE = ("--as", "alice")
ROLL = ("roll", GAME, "d20", "--source", "Delina, Wild Mage", "--use", "count the copies", *AS_ALICE)
SCRIPTS = sorted((REPOSITORY / "specs" / "vectors" / "scripts" / "mtg").glob("*.json"))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


def test_a_result_is_exchanged(cli: Cli) -> None:
    natural = cli.value(*ROLL)["roll"]["dice"][0]["naturals"][0]
    text = cli.ok("declare", "effect", GAME, "--source", "Whacker", "--exchange", "42", "--optional", *AS_ALICE)
    assert "effect 1, Whacker: exchange the result with 42, one die, optional" in text
    cli.ok("modify", GAME, "--effect", "1", "--apply", "--dice", "1", *AS_ALICE)
    cli.ok("resolve", GAME, "--results", "42", *AS_ALICE)
    assert f"({natural} exchanged for 42) = 42" in cli.ok("state", GAME)
    die = cli.value("state", GAME)["rolls"][0]["dice"][0]
    assert die["result"] == 42
    assert die["steps"] == [{"exchange": natural, "number": 42, "source": "Whacker"}]


def test_an_effect_does_one_thing(cli: Cli) -> None:
    cli.ok(*ROLL)
    declare = ("declare", "effect", GAME, "--source", "x", *AS_ALICE)
    assert "--reroll, --adjust +1" in cli.refused(*declare, "--reroll", "--exchange", "2")
    assert "scope is one" in cli.refused(*declare, "--exchange", "2", "--scope", "each")


def test_an_effect_ends(cli: Cli) -> None:
    cli.ok(*ROLL)
    cli.ok("declare", "effect", GAME, "--source", "Curse", "--adjust", "-1", "--as", "bob")
    ends = ("declare", "ends", GAME, "--effect", "1")
    assert "bob controls effect 1 (Curse), not alice (rule 706.2b)" in cli.refused(*ends, *AS_ALICE)
    cli.ok(*ends, "--as", "bob")
    cli.ok("resolve", GAME, *AS_ALICE)
    assert cli.value("state", GAME)["rolls"][0]["effects"][0]["answer"] == "ended"
    assert "say what ends" in cli.refused("declare", "ends", GAME, "1", "--effect", "1", *AS_ALICE)
    assert "say what ends" in cli.refused("declare", "ends", GAME, *AS_ALICE)


def test_a_die_that_shows_its_highest_number(cli: Cli) -> None:
    cli.ok("declare", "trigger", GAME, "--source", "Perfect Illumination", "--on", "highest", *AS_ALICE)
    cli.ok("roll", GAME, "3d1", "--source", "x", "--use", "x", *AS_ALICE)
    cli.ok("resolve", GAME, *AS_ALICE)
    assert [owed["die"] for owed in cli.value("state", GAME)["owed"]] == [1, 2, 3]


def test_a_judges_correction_offers_a_roll_again(cli: Cli) -> None:
    rows = ("--row", "1-20=A token", "--row-may-again", "21+=A token. You may roll again.")
    seq = str(cli.value("roll", GAME, "d20", "--source", "Delina", *rows, *AS_ALICE)["seq"])
    cli.ok("resolve", GAME, *AS_ALICE)
    cli.ok("ruling", GAME, "correct", "--subject", seq, "--text", "A bonus", "--result", "1=25", "--as", "dana")
    text = cli.ok("state", GAME)
    assert "alice goes on (may roll again):" in text
    assert f"--again {seq}, or rollproof resolve" in text
    assert "(rule 706.3b)" in cli.refused("roll", GAME, "d6", "--source", "x", "--use", "x", "--as", "bob")
    told = cli("resolve", GAME, seq, "--no-again", *AS_ALICE)
    assert told.code == 0
    assert "dana corrected" in told.err, "what was done to one's own roll is told"
    assert cli("roll", GAME, "d6", "--source", "x", "--use", "x", "--as", "bob").code == 0


def test_how_many_dice_are_added_and_ignored(cli: Cli) -> None:
    sources = ("--ignore-any", "2=Krark's Other Thumb", "--ignore-lowest", "0=Advantage", "--ignore-highest", "x=1")
    cli.ok("roll", GAME, "2d6", "--source", "x", "--use", "x", *sources, *AS_ALICE)
    body = next(e["body"] for e in cli.value("log", GAME)["events"] if e["type"] == "roll")
    assert body["ignores"] == [
        {"source": "Advantage", "which": "lowest"},
        {"source": "x=1", "which": "highest", "extra": 1},
        {"source": "Krark's Other Thumb", "which": "any", "extra": 2, "count": 2},
    ]
    assert len(cli.value("state", GAME)["rolls"][0]["dice"]) == 5


# --- events in words -----------------------------------------------------------------------------------------------

BARBARIAN = {"source": "Barbarian Class", "which": "lowest", "extra": 1}
COST = {"source": "Night Shift", "kind": "adjust", "amounts": [1, -1], "cost": "1 life", "scope": "one"}


@pytest.mark.parametrize(
    ("type_", "body", "told"),
    [
        (
            "roll",
            {
                "source": "Farideh",
                "dice": "1d20",
                "use": "draw",
                "ignores": [BARBARIAN],
                "modifiers": [{"source": "Card", "amount": -2}],
            },
            "1d20 for Farideh; -2 (Card); dice added: 1, ignore the lowest (Barbarian Class); use: draw",
        ),
        (
            "roll",
            {
                "source": "X",
                "dice": "2d6",
                "table": [{"range": "1+", "effect": "e"}],
                "effects": [COST],
                "doubles": "d",
            },
            "2d6 for X; Night Shift: adjust by +1 or -1, one die, cost: 1 life; results table, rows: 1; doubles: d",
        ),
        ("roll", {"source": "Delina", "again": 7}, "roll again for roll 7 (Delina)"),
        ("reroll", {"roll": 7, "effect": 1, "dice": [2, 3]}, "roll 7: effect 1 rerolls dice 2, 3"),
        (
            "reroll",
            {"permanent": "centaur", "stored": [1, 2], "source": "Centaur"},
            "stored results 1, 2 of centaur (Centaur)",
        ),
        ("ignore", {"roll": 7, "dice": [1]}, "roll 7: die 1"),
        (
            "modify",
            {"roll": 7, "effect": 2, "choice": "apply", "amount": 1, "paid": True, "mana_abilities": []},
            "roll 7: effect 2 is applied to every die; +1; paid; mana abilities: none",
        ),
        ("modify", {"roll": 7, "effect": 2, "choice": "decline"}, "roll 7: effect 2 is declined"),
        ("store", {"roll": 7, "permanent": "centaur"}, "roll 7: on centaur"),
        (
            "resolve",
            {"roll": 7, "results": [3, 4], "rows": [0, 1], "doubles": False, "again": True},
            "roll 7; results 3, 4; rows 0, 1; no doubles; rolls again",
        ),
        ("resolve", {"trigger": 3}, "trigger 3"),
        (
            "declare",
            {"what": "effect", "roll": 7, "effect": {"source": "W", "kind": "exchange", "number": 2, "scope": "one"}},
            "roll 7: a further effect, W: exchange the result with 2, one die",
        ),
        (
            "declare",
            {"what": "trigger", "source": "S", "on": "result", "range": "5+"},
            "S triggers: result 5+, you",
        ),
        ("declare", {"what": "permanent", "permanent": "c", "name": "Centaur"}, "c stores results: Centaur"),
        ("declare", {"what": "gone", "permanent": "c"}, "c is gone"),
        ("declare", {"what": "ends", "trigger": 2}, "ability 2 has ended"),
        ("declare", {"what": "ends", "roll": 7, "effect": 2}, "roll 7: effect 2 has ended"),
    ],
)
def test_an_event_is_one_short_sentence(type_: str, body: dict[str, Any], told: str) -> None:
    assert magic.summarize({"type": type_, "body": body}) == told


def test_every_event_of_the_scripts_is_told_without_json() -> None:
    told = 0
    for line in (line for path in SCRIPTS for line in json.loads(path.read_text("utf-8"))["events"]):
        try:
            msgspec.convert(line["body"], Magic.bodies[line["type"]])
        except (KeyError, msgspec.ValidationError):
            continue  # the protocol's own, or in no log
        text = magic.summarize(line)
        assert text
        assert not {"[", "]", "\n", "'"} & set(text.replace("'s", "").replace("s' ", ""))
        assert len(text) < 1000
        told += 1
    assert told > 1500


def test_long_lists_are_cut() -> None:
    text = magic.summarize({"type": "ignore", "body": {"roll": 1, "dice": list(range(1, 1001))}})
    assert text == "roll 1: dice 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, and 988 more"
