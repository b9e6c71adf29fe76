"""`rollproof` in a game of Warhammer 40,000: options to bodies, a turn as players type it, states in words."""

import json
import shlex
import shutil
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ledger.cli.place import Place

import ledger.demo
from ledger.cli import run as run_command
from ledger.cli import wh40k
from ledger.cli import wh40k_texts as texts
from ledger.cli.play import Play
from ledger.demo import wh40k as demonstration
from ledger.errors import UsageError
from rules import Event, Session, Violation
from rules.script import read, run
from rules.wh40k import Warhammer40k
from tests.cli import PASSPHRASE, REPOSITORY, Cli, make_home, on_terminal, state_of
from verifier.format import encode

GAME = "Battle"
SCRIPTS = sorted((REPOSITORY / "specs" / "vectors" / "scripts" / "wh40k").glob("*.json"))
MARINES = "5xIntercessor M6 WS3+ BS3+ S4 T4 W2 A2 Ld7 Sv3+"
BOY = "M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+"
RIFLE = ("--weapon", "Bolt rifle", "--by", "1-5", "--attacks", "2", "-S", "4", "--ap", "-1", "-D", "1")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a game of Warhammer 40,000: alice's marines and spawn, bob's boyz with a nob."""
    home = make_home(tmp_path_factory.mktemp("begun") / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
        patch.setenv("ROLLPROOF_HOME", str(home))
        patch.setenv("ROLLPROOF_STATE", str(state_of(home)))

        def ok(line: str) -> None:
            assert run_command(shlex.split(line)) == 0, line

        ok(f"new --system wh40k --keeper host --player alice --player bob --judge dana --title {GAME} --links 99")
        for name in ("alice", "bob", "dana"):
            ok(f"join {GAME} --as {name} --links 99")
        ok(f"declare unit {GAME} marines 'Intercessor Squad' --models '{MARINES}' --as alice")
        ok(f"declare unit {GAME} spawn --models '2xSpawn M2d6 WS4+ BS- S5 T5 W4 Ad6 Ld8 Sv5+' --as alice")
        nob = "1xNob M5 WS3+ BS5+ S5 T5 W2 A3 Ld7 Sv4+ inv5+ fnp6+"
        ok(f"declare unit {GAME} boyz 'Ork Boyz' --models '9xBoy {BOY}' --models '{nob}' --as bob")
        ok(f"declare phase {GAME} shooting --as alice")
    return home


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


class Taken(UsageError):
    """Stands for what would come next, so that nothing is written."""


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The bodies that commands make, instead of events."""
    made: list[Any] = []

    def check(_: Play, _author: str, _type: str, body: Any) -> None:
        made.append(msgspec.json.decode(msgspec.json.encode(body)))
        raise Taken("taken")

    monkeypatch.setattr(Play, "check", check)
    return made


# --- options to bodies ---------------------------------------------------------------------------------------------

COVER = {"source": "Dense Cover", "op": "subtract", "amount": 1}
ROLLS: list[tuple[str, dict[str, Any]]] = [
    (
        "10d6 --hit 3+ --minus 'Dense Cover:1' --reroll-ones Captain",
        {
            "for": "free",
            "source": "hit roll",
            "dice": "10d6",
            "test": "hit",
            "needs": 3,
            "modifiers": [COVER],
            "rerolls": [{"source": "Captain", "results": [1]}],
        },
    ),
    (
        "2d6 --sum --needs 7 --source charge",
        {"for": "free", "source": "charge", "dice": "2d6", "sum": True, "needs": 7},
    ),
    ("5D6 4+ --wound", {"for": "free", "source": "wound roll", "dice": "5d6", "test": "wound", "needs": 4}),
    (
        "d6 --save --needs 2 --source Nob",
        {"for": "free", "source": "Nob", "dice": "d6", "test": "save", "needs": 2},
    ),
    ("d3+1 --source Smite", {"for": "free", "source": "Smite", "dice": "d3+1", "sum": True}),
    (
        "2d6 --sum --source x --plus A:1 --divide 'B: or C:2' --multiply 3=D --minus 'E : 4'",
        {
            "for": "free",
            "source": "x",
            "dice": "2d6",
            "sum": True,
            "modifiers": [
                {"source": "A", "op": "add", "amount": 1},
                {"source": "E", "op": "subtract", "amount": 4},
                {"source": "B: or C", "op": "divide", "amount": 2},
                {"source": "D", "op": "multiply", "amount": 3},
            ],
        },
    ),
    (
        "3d6 4+ --hit --reroll-failed A --reroll-any B --reroll-results C:1-3,5",
        {
            "for": "free",
            "source": "hit roll",
            "dice": "3d6",
            "test": "hit",
            "needs": 4,
            "rerolls": [
                {"source": "A", "failed": True},
                {"source": "B"},
                {"source": "C", "results": [1, 2, 3, 5]},
            ],
        },
    ),
    ("--move spawn", {"for": "move", "unit": "spawn"}),
    ("--attacks 2", {"for": "attacks", "group": 2}),
    ("--hit --groups 1,2", {"for": "hit", "groups": [1, 2]}),
    ("--hit --groups 1-3 --count 1", {"for": "hit", "groups": [1, 2, 3], "count": 1}),
    ("--strength", {"for": "strength"}),
    ("--wound", {"for": "wound"}),
    ("--save --model 3", {"for": "save", "model": 3}),
    ("--save --model 3 --invulnerable", {"for": "save", "model": 3, "invulnerable": True}),
    ("--damage", {"for": "damage"}),
    ("--ignore", {"for": "ignore"}),
    ("--ignore --model 2 --count 3", {"for": "ignore", "model": 2, "count": 3}),
    ("--mortal", {"for": "mortal"}),
]


@pytest.mark.parametrize(("options", "body"), ROLLS, ids=[options for options, _ in ROLLS])
def test_options_of_a_roll(cli: Cli, bodies: list[Any], options: str, body: dict[str, Any]) -> None:
    assert cli.refused("roll", GAME, *shlex.split(options), "--as", "alice") == "taken"
    assert bodies == [body]


GROUP: dict[str, Any] = {
    "target": "boyz",
    "weapon": "Gun",
    "type": "ranged",
    "bearers": [1, 2, 3, 4, 5],
    "A": 2,
    "S": 4,
    "AP": 0,
    "D": 1,
}
ACTS: list[tuple[str, dict[str, Any]]] = [
    ("reroll {} 7", {"roll": 7, "reroll": 1}),
    ("reroll {} 7 --rule 2 --dice 2,3", {"roll": 7, "reroll": 2, "dice": [2, 3]}),
    ("reroll {} 7 --command --dice 2", {"roll": 7, "command": True, "dice": [2]}),
    ("modify {} 7 --minus 'Dense Cover:1'", {"roll": 7, "modifiers": [COVER]}),
    (
        "modify {} 7 --at-least A:1 --treat 'B:0 when -1,-2' --set C:3",
        {
            "roll": 7,
            "modifiers": [
                {"source": "C", "op": "set", "amount": 3},
                {"source": "B", "op": "treat", "amount": 0, "when": [-1, -2]},
                {"source": "A", "op": "floor", "amount": 1},
            ],
        },
    ),
    ("resolve {} 7", {"roll": 7}),
    (
        "resolve {} 7 --results 3,-1 --passed 1,4 --triggered 1:2,5",
        {"roll": 7, "results": [3, -1], "passed": [1, 4], "triggered": [{"ability": 1, "parts": [2, 5]}]},
    ),
    ("resolve {} 7 --passed ''", {"roll": 7, "passed": []}),
    ("resolve {} --groups 1,2 --count 3", {"groups": [1, 2], "count": 3}),
    ("resolve {} --model 3", {"model": 3}),
    ("resolve {} --model 3 --mortal 2", {"model": 3, "mortal": 2}),
    ("declare phase {} Charge", {"what": "phase", "phase": "charge"}),
    ("declare gone {} spawn", {"what": "gone", "unit": "spawn"}),
    (
        "declare wounds {} spawn --model 2 --lost 0 --source Healed",
        {"what": "wounds", "unit": "spawn", "model": 2, "lost": 0, "source": "Healed"},
    ),
    ("declare move {} spawn", {"what": "move", "unit": "spawn"}),
    (
        "declare move {} spawn --source Warptime --plus Icon:1",
        {
            "what": "move",
            "unit": "spawn",
            "modifiers": [{"source": "Icon", "op": "add", "amount": 1}],
            "source": "Warptime",
        },
    ),
    (
        "declare characteristic {} AP -2 --worsen 'Dour Duty:1' --treat 'Bastion:0 when -1' --value 0",
        {
            "what": "characteristic",
            "characteristic": "AP",
            "printed": -2,
            "modifiers": [
                {"source": "Bastion", "op": "treat", "amount": 0, "when": [-1]},
                {"source": "Dour Duty", "op": "worsen", "amount": 1},
            ],
            "value": 0,
        },
    ),
    ("declare characteristic {} AP-2", {"what": "characteristic", "characteristic": "AP", "printed": -2}),
    ("declare characteristic {} sv3+", {"what": "characteristic", "characteristic": "Sv", "printed": 3}),
    ("declare characteristic {} S -", {"what": "characteristic", "characteristic": "S", "printed": "-"}),
    (
        "declare characteristic {} T --unit spawn --model 1",
        {"what": "characteristic", "characteristic": "T", "unit": "spawn", "model": 1},
    ),
    ("declare reroll {} 7 --reroll-failed A", {"what": "reroll", "roll": 7, "reroll": {"source": "A", "failed": True}}),
    (
        "declare mortal {} boyz --source Smite --count 3",
        {"what": "mortal", "target": "boyz", "source": "Smite", "count": 3},
    ),
    (
        "declare mortal {} boyz --source Smite --roll 12",
        {"what": "mortal", "target": "boyz", "source": "Smite", "roll": 12},
    ),
    (
        "declare attacks {} marines boyz --weapon Gun --attacks 2 -S 4",
        {"what": "attacks", "unit": "marines", "groups": [GROUP]},
    ),
    (
        "declare attacks {} marines boyz --weapon Gun --by 1,3-5 -A d6 -S 2d6 --ap -3 -D d3+3 --auto-hit --blast "
        "--announce 'hit 3+, wound 5, S 4, AP -3'",
        {
            "what": "attacks",
            "unit": "marines",
            "groups": [
                GROUP
                | {
                    "bearers": [1, 3, 4, 5],
                    "A": "d6",
                    "S": "2d6",
                    "AP": -3,
                    "D": "d3+3",
                    "abilities": [{"kind": "auto-hit", "source": "Gun"}, {"kind": "blast", "source": "Gun"}],
                    "announced": {"hit": 3, "wound": 5, "S": 4, "AP": -3},
                }
            ],
        },
    ),
    (
        "declare attacks {} marines boyz --weapon Gun --by 1 --melee -S x2 --mod 'hit -1 Dense Cover'",
        {
            "what": "attacks",
            "unit": "marines",
            "groups": [
                GROUP
                | {
                    "type": "melee",
                    "bearers": [1],
                    "A": "user",
                    "S": "user",
                    "modifiers": [
                        {"source": "Gun", "on": "S", "op": "multiply", "amount": 2},
                        {"source": "Dense Cover", "on": "hit", "op": "subtract", "amount": 1},
                    ],
                }
            ],
        },
    ),
    (
        "declare rules {} --groups 1,2 --mod 'save +1 Cover' --reroll 'wound failed Litany' --auto-hit --source Stars",
        {
            "what": "rules",
            "groups": [1, 2],
            "modifiers": [{"source": "Cover", "on": "save", "op": "add", "amount": 1}],
            "abilities": [
                {"kind": "auto-hit", "source": "Stars"},
                {"kind": "reroll", "of": "wound", "source": "Litany", "failed": True},
            ],
        },
    ),
]


@pytest.mark.parametrize(("line", "body"), ACTS, ids=[line for line, _ in ACTS])
def test_options_of_other_events(cli: Cli, bodies: list[Any], line: str, body: dict[str, Any]) -> None:
    assert cli.refused(*shlex.split(line.format(GAME)), "--as", "alice") == "taken"
    assert bodies == [body]


def test_a_new_game_rolls_fast_unless_told(begun: Path) -> None:
    assert wh40k.options() == {"fast_rolling": True}
    assert wh40k.options(fast_rolling=False) == {"fast_rolling": False}


def test_lines_of_a_datasheet() -> None:
    assert texts.model_line("10xBoy M5 WS3+ BS5+ S4 T5 W1 A2 Ld6 Sv6+ inv5+ fnp6+") == {
        "count": 10,
        "name": "Boy",
        "M": 5,
        "WS": 3,
        "BS": 5,
        "S": 4,
        "T": 5,
        "W": 1,
        "A": 2,
        "Ld": 6,
        "Sv": 6,
        "invulnerable": 5,
        "ignores_wounds": 6,
    }
    odd = texts.model_line("2 x Spawn of M8 Doom  m2d6 ws- BS- s- T5 W4 AD6+1 LD- sv-")
    assert odd["name"] == "Spawn of M8 Doom"
    assert (odd["M"], odd["WS"], odd["S"], odd["A"], odd["Ld"], odd["Sv"]) == ("2d6", "-", "-", "d6+1", "-", "-")
    assert texts.model_line(f"1xTank {BOY.replace('M5', f'M12{chr(34)}')}")["M"] == 12


MODIFIERS: list[tuple[str, tuple[str, str, int]]] = [
    ("hit -1 Dense Cover", ("hit", "subtract", 1)),
    ("Wound +2 Dense Cover", ("wound", "add", 2)),
    ("inv + 1 Dense Cover", ("invulnerable", "add", 1)),
    ("s x2 Dense Cover", ("S", "multiply", 2)),
    ("A /2 Dense Cover", ("A", "divide", 2)),
    ("D at-least 1 Dense Cover", ("D", "floor", 1)),
    ("ap improve 1 Dense Cover", ("AP", "improve", 1)),
    ("AP worsen 1 Dense Cover", ("AP", "worsen", 1)),
    ("AP set -3 Dense Cover", ("AP", "set", -3)),
    ("Sv treat 2 Dense Cover", ("Sv", "treat", 2)),
]


def test_modifiers() -> None:
    for text, (on, op, amount) in MODIFIERS:
        assert texts.modifier(text) == {"source": "Dense Cover", "on": on, "op": op, "amount": amount}, text
    assert texts.modifier("ap treat 0 when -1,-2 Bastion of X")["when"] == [-1, -2]


TRIGGERS: list[tuple[str, dict[str, Any]]] = [
    ("hit 6 extra-hits 1 Source", {"on": "hit", "results": [6], "does": "extra_hits", "amount": 1}),
    ("hit unmodified 5+ wounds Source", {"on": "hit", "results": [5, 6], "does": "wound", "unmodified": True}),
    ("wound 6+ improve-ap 3 Source", {"on": "wound", "results": [6, 7], "does": "improve_ap", "amount": 3}),
    (
        "wound natural 4-6 mortal d3 instead Source",
        {"on": "wound", "results": [4, 5, 6], "does": "mortal", "amount": "d3", "instead": True, "unmodified": True},
    ),
    ("hit 1,2 slays Source", {"on": "hit", "results": [1, 2], "does": "slay"}),
    ("hit 6 extra-attacks 2 Source", {"on": "hit", "results": [6], "does": "extra_attacks", "amount": 2}),
]


def test_triggers() -> None:
    for text, members in TRIGGERS:
        assert texts.trigger(text) == {"kind": "trigger", "source": "Source", **members}, text


# --- wrong input ---------------------------------------------------------------------------------------------------

ATTACKS = "declare attacks {} marines boyz --weapon Gun --attacks 2 -S 4"
WRONG: list[tuple[str, str]] = [
    ("roll {}", "say what is rolled"),
    ("roll {} 3+ --hit", "'3+' is no dice"),
    ("roll {} 10d6 --hit", "say what the hit roll needs"),
    ("roll {} 10d6 --hit x", "for example 3+; not 'x'"),
    ("roll {} 10d6 3+ --hit --needs 4", "3+ or --needs 4"),
    ("roll {} 10d6", "--source Charge"),
    ("roll {} 10d6 3+ --hit --wound", "--hit or --wound, not both"),
    ("roll {} d20 --source x", "(rule W1)"),
    ("roll {} 2000d6 --source x", "1000 dice at most"),
    ("roll {} d6 --damage", "leave d6 out"),
    ("roll {} d6 --source x --model 3", "leave d6 out"),
    ("roll {} --needs 3+", "name them after the game"),
    ("roll {} --hit --model 3", "--model goes with --save or --ignore"),
    ("roll {} --hit", "no attacks are under way"),
    ("roll {} --save", "no attacks are under way"),
    ("roll {} --wound", "(rule W19)"),
    ("roll {} --move marines", "(rule W9)"),
    ("roll {} --attacks 0", "--attacks"),
    ("roll {} d6 3+ --hit --minus Cover", "--minus 'Dense Cover:1'; not 'Cover'"),
    ("roll {} d6 3+ --hit --minus Cover:0", "at least 1"),
    ("roll {} d6 3+ --hit --minus Cover:99999999999", "at most nine digits"),
    ("roll {} d6 3+ --hit --reroll-results A", "'Oath:1,2'"),
    ("roll {} d6 3+ --hit --row 1=a", "--row means nothing"),
    ("roll {} d6 --body '{{}}'", "put dice into it"),
    ("reroll {}", "no roll is open"),
    ("reroll {} 7", "(rule W3)"),
    ("reroll {} 7 --rule 1 --command", "not both"),
    ("modify {}", "say what modifies the roll"),
    ("resolve {}", "nothing to resolve"),
    ("resolve {} --model 3 --groups 1", "do not go together"),
    ("resolve {} --model 3", "(rule W19)"),
    ("resolve {} --count 2", "--count goes with --groups"),
    ("resolve {} 7 --passed a", "not 'a'"),
    ("resolve {} 7 --triggered 1", "1:2,5"),
    ("resolve {} 7 --rows 1", "--rows means nothing"),
    ("store {}", "has no store"),
    ("ignore {} 1", "has no ignore"),
    ("declare phase {} lunch", "command, movement"),
    (f"declare unit {{}} Boyz! x --models '1xBoy {BOY}'", "a short name"),
    ("declare unit {} x", "a unit needs"),
    ("declare unit {} x --models 'Boy M5'", "how many, the name and the datasheet"),
    ("declare unit {} x --models '1xBoy M5 WS3+'", "says nothing of BS and S"),
    (f"declare unit {{}} x --models '1xBoy {BOY} foo3'", "'foo3'"),
    (f"declare unit {{}} x --models '1xBoy {BOY} S5'", "S stands twice"),
    (f"declare unit {{}} x --models '1xBoy {BOY} inv9+'", "inv goes from 2 to 6"),
    (f"declare unit {{}} x --models '101xBoy {BOY}'", "count"),
    (f"declare unit {{}} boyz --models '1xBoy {BOY}'", "(rule W20)"),
    ("declare attacks {} marines boyz --weapon Gun", "--attacks 2 -S 4"),
    (f"{ATTACKS.replace('boyz', 'foo')}", "there is no unit foo"),
    (f"{ATTACKS.replace('marines', 'foo')}", "there is no unit foo"),
    (f"{ATTACKS.replace('boyz', 'spawn')}", "(rule W20)"),
    (f"{ATTACKS} --attacks two", "--attacks takes a number, or dice"),
    (f"{ATTACKS} --ap 1", "--ap -1"),
    (f"{ATTACKS} --by 5-1", "1-5; not 5-1"),
    (f"{ATTACKS} --by 1-999999", "1000 numbers at most"),
    (f"{ATTACKS} --by 9", "(rule W20)"),
    (f"{ATTACKS} --mod 'hit Cover'", "'hit -1 Dense Cover'"),
    (f"{ATTACKS} --mod 'ap -1 Cover'", "'ap improve 1 Cover'"),
    (f"{ATTACKS} --mod 'WS +1 Cover'", "(rule W20)"),
    (f"{ATTACKS} --on 'hit 6 explode 1 A'", "'hit unmodified 6 extra-hits 1 Tesla'"),
    (f"{ATTACKS} --on 'hit 6 improve-ap 1 A'", "(rule W23)"),
    (f"{ATTACKS} --reroll 'hits 1 A'", "'hit 1 Captain'"),
    (f"{ATTACKS} --announce 'hit 4+'", "BS is 3, not 4"),
    (f"{ATTACKS} --announce foo", "'hit 3+, wound 5+"),
    ("declare rules {} --mod 'hit -1 A'", "(rule W19)"),
    ("declare rules {}", "say what bears on the attacks"),
    ("declare rules {} --blast", "--source"),
    ("declare mortal {} boyz --source Smite", "--count 3, or --roll N"),
    ("declare mortal {} boyz --source Smite --roll 7", "(rule W20)"),
    ("declare gone {}", "say which unit"),
    ("declare gone {} boyz", "boyz is bob's"),
    ("declare wounds {} spawn --model 1", "--lost 0"),
    ("declare move {} marines", "(rule W9)"),
    ("declare characteristic {} AP", "say of what"),
    ("declare characteristic {} X 3", "say which characteristic"),
    ("declare characteristic {} AP -x", "not '-x'"),
    ("declare characteristic {} AP -1 --plus A:1", "--improve"),
    ("declare characteristic {} S 4 --worsen A:1", "--plus and --minus"),
    ("declare characteristic {} S 4 --value 5", "S is 4, not 5 (rule W8)"),
    ("declare reroll {} 7", "say one rule"),
    ("declare reroll {} 7 --reroll-ones A --reroll-any B", "say one rule"),
    ("declare effect {} --source x --reroll", "wh40k-9e"),
]


def test_wrong_input_is_refused_in_one_sentence_and_nothing_is_written(cli: Cli) -> None:
    before = cli.value("log", GAME)
    for line, sentence in WRONG:
        assert sentence in cli.refused(*shlex.split(line.format(GAME)), "--as", "alice"), line
    assert cli.value("log", GAME) == before


def test_what_waits_for_dice_is_told(cli: Cli) -> None:
    cli.ok("roll", GAME, "d6", "--source", "x", "--request-only", "--as", "alice")
    for line in ("roll {}", "resolve {}", "reroll {}", "roll {} --hit", "resolve {} --model 1"):
        said = cli.refused(*shlex.split(line.format(GAME)), "--as", "alice")
        assert "reveal" in said or "no attacks" in said, said


# --- a turn --------------------------------------------------------------------------------------------------------


def next_line(said: str) -> list[str]:
    """The command that an answer proposes last."""
    line = next(line for line in reversed(said.splitlines()) if "rollproof " in line)
    return shlex.split(line.rpartition("rollproof ")[2])


def finish(cli: Cli, said: str) -> str:
    """Do what the answers say until the attacks are over; the last answer."""
    for _ in range(200):
        if "goes on" not in said:
            return said
        line = next_line(said)
        if line[0] == "resolve" and "--model" in line and "10" in line:
            # The nob may ignore its wounds.
            assert "rollproof roll GAME --ignore --model 10" in cli.refused(*line)
            line = ["roll", GAME, "--ignore", "--as", "bob"]
        said = cli.ok(*line)
    raise AssertionError(said)


def test_shooting(cli: Cli, tmp_path: Path) -> None:
    rules = ("--mod", "hit -1 Dense Cover", "--reroll", "hit 1 Captain", "--on", "hit unmodified 6 extra-hits 1 Tesla")
    said = cli.ok("declare", "attacks", GAME, "marines", "boyz", *RIFLE, *rules, "--as", "alice")
    assert "group 1, Bolt rifle at boyz: 10 attacks, hit on 3+, S 4 against T 5: wound on 5+, AP -1, D 1" in said
    said = cli.ok("declare", "rules", GAME, "--mod", "save +1 Light Cover", "--as", "bob")
    assert "alice goes on (hit)" in said
    said = cli.ok("roll", GAME, "--as", "alice")
    assert "still to be applied: -1 (Dense Cover)" in said
    ones = [die["die"] for die in cli.value("state", GAME)["rolls"][-1]["dice"] if die["value"] == 1]
    if ones:
        assert cli.value("reroll", GAME, "--as", "alice")["events"][0]["body"]["dice"] == ones
        assert "lets be rerolled" in cli.refused("reroll", GAME, "--as", "alice")
    said = cli.ok("resolve", GAME, "--as", "alice")
    assert "modified: -1 (Dense Cover)" in said
    hits = cli.value("state", GAME)["sequence"]
    state = cli.ok("state", GAME)
    if hits is not None:
        assert "Bolt rifle at boyz, by 1-5" in state
        assert "hit unmodified 6: extra hits 1 (Tesla)" in state
        assert f"{hits['hits']} hit" in state
    said = finish(cli, said)
    ended = cli.value("state", GAME)
    assert ended["sequence"] is None
    assert "attacks of marines: finished" in said
    lost = sum(loss["normal"] for loss in ended["sequences"][-1]["damage"])
    assert (f"boyz lost {lost} wound" if lost else "nobody lost a wound") in cli.ok("state", GAME)
    out = tmp_path / "battle.jsonl"
    cli.ok("export", GAME, "--out", out)
    assert "HOLDS" in cli.ok("verify", out)


def test_groups_in_json_hits_without_a_roll_and_mortal_wounds(cli: Cli, tmp_path: Path) -> None:
    flamer = GROUP | {
        "weapon": "Flamer",
        "A": "d6",
        "bearers": [1],
        "abilities": [{"kind": "auto-hit", "source": "Flamer"}],
    }
    overload = {"kind": "trigger", "source": "Overload", "on": "hit", "results": [2, 3, 4, 5, 6]}
    melta = GROUP | {"weapon": "Melta", "S": 8, "D": "d6", "bearers": [1, 2]}
    melta |= {"abilities": [{**overload, "unmodified": True, "does": "mortal", "amount": 1}]}
    body = tmp_path / "body.json"
    body.write_text(json.dumps({"what": "attacks", "unit": "marines", "groups": [flamer, melta]}))
    said = cli.ok("declare", "attacks", GAME, "--body", f"@{body}", "--as", "alice")
    assert "group 1, Flamer at boyz: attacks to be rolled; group 2, Melta at boyz: 4 attacks" in said
    several = cli.refused("roll", GAME, "--as", "alice")
    assert "roll GAME --attacks 1 for Flamer at boyz; roll GAME --hit --groups 2 for Melta at boyz" in several
    assert "bob" not in several
    assert "alice goes on with the attacks" in cli.refused("roll", GAME, "--as", "bob")
    cli.ok("roll", GAME, "--attacks", "1", "--as", "alice")
    assert "resolve GAME --groups 1" in cli.refused("roll", GAME, "--as", "alice")
    said = cli.ok("resolve", GAME, "--groups", "1", "--as", "alice")
    assert "goes on (wound)" in said
    said = finish(cli, said)
    assert "attacks of marines: finished" in said


def test_the_next_step_says_what_the_last_roll_came_to(cli: Cli) -> None:
    always = ("--weapon", "Flamer", "--by", "1-5", "--attacks", "4", "-S", "10", "--ap", "-6", "--auto-hit")
    cli.ok("declare", "attacks", GAME, "marines", "boyz", *always, "--as", "alice")
    cli.ok("resolve", GAME, "--as", "alice")
    cli.ok("roll", GAME, "--as", "alice")
    said = cli.refused("roll", GAME, "--as", "alice")
    assert "bob goes on (save): rollproof resolve GAME" in said
    said = cli.ok("resolve", GAME, "--as", "alice")
    assert "to save by boyz, model 1-10" in said
    assert "say which model of boyz takes it, --model 1; there are 1-10" in cli.refused("roll", GAME, "--as", "bob")
    said = cli.ok("resolve", GAME, "--model", "1", "--as", "bob")
    assert "boyz: model 1, Boy, loses 1 wound: destroyed" in said
    assert "to save by boyz, model 2-10" in said
    cli.ok("roll", GAME, "--save", "--model", "10", "--as", "bob")
    cli.ok("resolve", GAME, "--as", "bob")
    if cli.value("state", GAME)["waits_for"]["choice"] == "save":
        assert "two saves" in cli.refused("roll", GAME, "--as", "bob")
    else:
        said = cli.ok("roll", GAME, "--as", "bob")
        assert "needs 6+" in said


def test_smite_a_move_and_the_command_reroll(cli: Cli) -> None:
    cli.ok("declare", "move", GAME, "spawn", "--plus", "Icon:1", "--as", "alice")
    assert "alice, roll: the Move of spawn" in cli.ok("roll", GAME, "--as", "alice")
    assert "rolled " in cli.ok("resolve", GAME, "--as", "alice")
    assert "+1 (Icon): " in cli.ok("state", GAME)
    said = cli.ok("roll", GAME, "2d6", "--sum", "--needs", "7", "--source", "Charge", "--as", "alice")
    assert "needs 7+" in said
    cli.ok("reroll", GAME, "--command", "--as", "alice")
    assert "(rule W21)" in cli.refused("reroll", GAME, "--command", "--as", "alice")
    cli.ok("modify", GAME, "--minus", "Tanglefoot:2", "--as", "bob")
    assert "-2 (Tanglefoot): " in cli.ok("resolve", GAME, "--as", "alice")
    said = cli.ok("declare", "mortal", GAME, "boyz", "--source", "Smite", "--count", "3", "--as", "alice")
    assert "Still to do: 3 mortal wounds on boyz (Smite)." in said
    said = cli.ok("resolve", GAME, "--model", "3", "--as", "bob")
    assert "boyz: model 3, Boy, loses 1 wound: destroyed" in said
    assert "rollproof roll GAME --ignore --model 10" in cli.refused("resolve", GAME, "--model", "10", "--as", "bob")
    said = cli.ok("roll", GAME, "--ignore", "--model", "10", "--as", "bob")
    assert len(cli.value("state", GAME)["rolls"][-1]["dice"]) == 2
    assert "mortal wounds: finished" in cli.ok("resolve", GAME, "--as", "bob")
    said = cli.ok(
        "declare", "wounds", GAME, "boyz", "--model", "3", "--lost", "0", "--source", "Painboy", "--as", "bob"
    )
    assert "boyz: model 3, Boy, regains 1 wound: 1 of 1 left" in said
    used = cli.ok("state", GAME)
    assert "alice    shooting  alice" in used


def test_a_modifier_that_is_remembered_late(cli: Cli) -> None:
    charge = ("roll", GAME, "2d6", "--sum", "--needs", "7", "--source", "Charge", "--as", "alice")
    cli.ok(*charge)
    cli.ok("resolve", GAME, "--as", "alice")
    number = cli.value("state", GAME)["rolls"][-1]["roll"]
    assert f"roll {number}: -2 (Tanglefoot)" in cli.ok(
        "modify", GAME, str(number), "--minus", "Tanglefoot:2", "--as", "bob"
    )
    part = cli.value("state", GAME)["rolls"][-1]["parts"][0]
    assert part["result"] == part["unmodified"] - 2
    cli.ok(*charge)
    cli.ok("resolve", GAME, "--as", "alice")
    said = cli.refused("modify", GAME, str(number), "--minus", "Tanglefoot:2", "--as", "bob")
    assert f"roll {number} is settled, and what came of it was played on: a judge corrects it" in said


def test_a_characteristic_is_told_step_by_step(cli: Cli) -> None:
    options = ("AP", "-2", "--worsen", "Dour Duty:1", "--treat", "Bastion:0 when -1")
    told = "AP is 0: printed -2; worsened by 1 (Dour Duty): -1; treated as 0 (Bastion): 0"
    assert told in cli.ok("declare", "characteristic", GAME, *options, "--as", "bob")
    assert told in cli.ok("state", GAME)
    asked = cli.ok("declare", "characteristic", GAME, "BS", "--unit", "boyz", "--model", "1", "--as", "bob")
    assert "BS of model 1 of boyz is 5+: printed 5" in asked


def test_on_a_narrow_terminal_no_line_is_cut(cli: Cli) -> None:
    rules = ("--mod", "hit -1 Dense Cover", "--reroll", "hit 1,2,3,4,5,6 Captain")
    cli.ok("declare", "attacks", GAME, "marines", "boyz", *RIFLE, *rules, "--as", "alice")
    cli.ok("roll", GAME, "--as", "alice")
    code, shown = on_terminal("state", GAME, "--no-color", env={"ROLLPROOF_HOME": str(cli.home)})
    words = " ".join(shown.split())
    assert code == 0
    assert all(len(line) <= 60 for line in shown.splitlines() if "rollproof " not in line)
    assert "still to be applied: -1 (Dense Cover)" in words


# --- words and next steps, for all that the scripts play -----------------------------------------------------------


def sessions() -> Iterator[tuple[str, Session]]:
    """Every state that the scripts of the rules come to."""
    for path in SCRIPTS:
        script = read(path.read_bytes())
        for length in range(len(script.events) + 1):
            outcome = run(msgspec.structs.replace(script, events=script.events[:length]))
            if outcome.violation is None:
                yield f"{path.stem}, {length}", outcome.session


@pytest.fixture(scope="module")
def states() -> list[tuple[str, Session]]:
    return list(sessions())


def refusal(session: Session, author: str, type: str, members: dict[str, Any]) -> str | None:
    """The clause by which the rules refuse it, if they do."""
    body = msgspec.convert(members, Warhammer40k().bodies[type])
    event = Event(99, author, type, body, encode(body))
    if author in session.owes:  # what it owes it is told of, and not what it would do next
        session = msgspec.structs.replace(session, owes={})
    try:
        session.check_state(event)
        session.apply(event)
    except Violation as violation:
        return violation.clause or violation.code
    return None


def made(session: Session, line: str) -> tuple[str, str, dict[str, Any]]:
    """What a proposed command comes to: author, type, body."""
    _, type_, _, *words = shlex.split(line)
    maker = wh40k.BODIES[type_]
    defaults = {name: p.default for name, p in signature(maker).parameters.items()}
    given: dict[str, Any] = {}
    author = ""
    while words:
        name = words.pop(0).removeprefix("--").replace("-", "_")
        if name == "as":
            author = words.pop(0)
        elif defaults[name] is False:
            given[name] = True
        else:
            told = words.pop(0)
            given[name] = int(told) if name in ("model", "attacks", "rule", "mortal") else told
    return author, type_, maker(Place(session, author), **given)


def test_every_proposed_command_is_allowed(states: list[tuple[str, Session]]) -> None:
    proposed, told_instead = 0, []
    for name, session in states:
        waits = session.waits_for()
        if waits is None or waits.choice == "reveal":
            continue
        told = wh40k.next_command(waits.choice, session.view(), "9c31")
        assert told is not None, name
        for line in f"{told} --as {waits.party}".split(", or "):
            try:
                author, type_, members = made(session, line.replace("N,N", "1"))
            except UsageError as error:
                told_instead.append(str(error))
                continue
            assert author == waits.party, name
            proposed += 1
            # Which saves a model has does not stand in the state.
            allowed = (None, "W3") if "N,N" in line else (None, "W18")
            assert refusal(session, author, type_, members) in allowed, (name, line)
    assert proposed > 500
    assert all("may ignore wounds: rollproof roll GAME --ignore" in told for told in told_instead)


OPEN = ("W11", "W19", "W22", "state.pending")
"""by which a bare resolve may be refused: it is another's roll, or dice are needed after all"""


def test_a_bare_roll_or_resolve_is_allowed_or_says_what_is_open(states: list[tuple[str, Session]]) -> None:
    rolled = 0
    for name, session in states:
        for author in sorted({"alice", "bob"} - session.left):
            for type_ in ("roll", "resolve"):
                try:
                    members = wh40k.BODIES[type_](Place(session, author))
                except UsageError:
                    continue
                refused = refusal(session, author, type_, members)
                rolled += refused is None
                assert not refused or (type_ == "resolve" and refused in OPEN), (
                    name,
                    author,
                    refused,
                )
    assert rolled > 200


def test_every_state_can_be_told(states: list[tuple[str, Session]]) -> None:
    for _, session in states:
        view = session.view()
        for section in wh40k.sections(view):
            assert section.title
            assert all(section.columns)
            assert all(len(row) == len(section.columns) for row in section.rows)
            for text in (str(cell) for row in section.rows for cell in row):
                assert not any(mark in text for mark in "{}[]_"), text
        told = [*wh40k.due(view, "9c31"), *(note for roll in view["rolls"] for note in wh40k.roll_notes(roll))]
        assert all(text and not any(mark in text for mark in "{}[]_") for text in told), told


def test_a_game_without_fast_rolling_rolls_one_at_a_time(states: list[tuple[str, Session]]) -> None:
    slow = [s for name, s in states if name.startswith("W10--slow-without-fast-rolling") and s.view()["sequence"]]
    waiting = next(s for s in slow if s.view()["open"] is None and s.view()["sequence"]["next"]["step"] == "hit")
    assert wh40k.BODIES["roll"](Place(waiting, "alice")).get("count", 1) == 1


# --- the demonstration ---------------------------------------------------------------------------------------------


def test_the_demonstration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger.demo, "_GAMES", (demonstration,))
    said: list[str] = []
    assert ledger.demo.run(tmp_path, said.append), said
    assert (tmp_path / "wh40k.jsonl").exists()
    assert "10 of 10 attempts were found out, each for what it was." in said[-1]


def test_the_examples_are_of_commands_that_there_are() -> None:
    assert wh40k.EXAMPLES.keys() == wh40k.BODIES.keys() - {"options"}


# --- a log, line by line -------------------------------------------------------------------------------------------


def _gun(weapon: str, target: str, bearers: list[int], **more: object) -> dict[str, object]:
    return {"target": target, "weapon": weapon, "type": "ranged", "bearers": bearers, **PROFILE, **more}


PROFILE = {"A": 1, "S": 4, "AP": 0, "D": 1}


@pytest.mark.parametrize(
    ("type_", "body", "told"),
    [
        (
            "declare",
            {"what": "attacks", "unit": "marines", "groups": [_gun("Bolt rifle", "boyz", [1, 2, 3, 4, 5])]},
            "marines shoots at boyz with Bolt rifle (models 1-5)",
        ),
        (
            "declare",
            {
                "what": "attacks",
                "unit": "marines",
                "groups": [_gun("Bolt rifle", "boyz", [1]), _gun("Fist", "grots", [2, 4], type="melee")],
            },
            "marines attacks boyz with Bolt rifle (model 1) and grots with Fist (models 2 and 4)",
        ),
        (
            "declare",
            {"what": "attacks", "unit": "a", "groups": [_gun("Gun", f"t{n}", [1]) for n in range(5)]},
            "a shoots at t0 with Gun (model 1), t1 with Gun (model 1), t2 with Gun (model 1) and 2 more",
        ),
        (
            "roll",
            {"for": "free", "source": "Charge", "dice": "2d6", "sum": True, "needs": 7, "modifiers": [COVER]},
            "2d6 added together for Charge, 7+ is needed, -1 (Dense Cover)",
        ),
        ("roll", {"for": "save", "model": 3, "invulnerable": True}, "an invulnerable save for model 3"),
        ("reroll", {"roll": 4, "command": True, "dice": [2]}, "die 2 of roll 4, by the Command Re-roll"),
        ("modify", {"roll": 4, "modifiers": [COVER]}, "roll 4: -1 (Dense Cover)"),
        (
            "resolve",
            {"roll": 4, "results": [2, 5], "passed": [2]},
            "roll 4 is settled, results 2 and 5, success 2",
        ),
        ("resolve", {"model": 3, "mortal": 2}, "2 mortal wounds on model 3"),
    ],
)
def test_an_event_is_one_short_sentence(type_: str, body: dict[str, object], told: str) -> None:
    assert wh40k.summarize({"type": type_, "body": body}) == told


def test_every_event_of_the_scripts_is_told_without_json() -> None:
    events = [event for path in SCRIPTS for event in json.loads(path.read_text())["events"]]
    told = 0
    for event in events:
        if event["type"] not in Warhammer40k.bodies:
            continue
        try:
            msgspec.convert(event["body"], Warhammer40k.bodies[event["type"]])
        except msgspec.ValidationError:
            continue  # no log has it
        text = wh40k.summarize(event)
        assert text is not None
        assert not set("{}[]") & set(text)
        assert len(text) < 300
        told += 1
    assert told > 1000
