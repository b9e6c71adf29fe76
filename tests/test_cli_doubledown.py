"""Double Down on the command line: a scene at the table, what options become, what is told, wrong input."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from ledger.cli.doubledown import due, next_command, roll_notes, sections

from ledger.cli import run
from ledger.home import Home
from rules.script import read
from rules.script import run as run_script
from tests.cli import PASSPHRASE, QUICK, Cli, state_of
from tests.conftest import SPECS

GAME = "Bridge"
ASH = (
    *("--name", "Ash", "--stat", "agility=3", "--stat", "Toughness=5", "--track", "1,1,2,3", "--stress", "1"),
    *("--tag", "rogue=2", "--tag", "Four Arms=4", "--tag", "loud=1:exhausted", "--drive", "3"),
)
BROOK = ("--name", "Brook", "--stat", "agility=2", "--stat", "wits=4", "--track", "1,1,2", "--tag", "medic=3")
BRIDGE = ("declare", "call", GAME, "Cross the bridge", "--stat", "agility", "--difficulty", "14", "--for", "alice")
GATE = ("declare", "call", GAME, "Lift the gate", "--stat", "toughness", "--difficulty", "19")
TOGETHER = ("--for", "alice", "--for", "bob", "--combat")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home where all have joined and a GM has confirmed both sheets; it is copied, not played on."""
    home = tmp_path_factory.mktemp("doubledown")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_HOME", str(home))
        patch.setenv("ROLLPROOF_STATE", str(state_of(home)))
        patch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
        parties = ("--keeper", "host", "--player", "alice", "--player", "bob", "--gm", "gil")
        commands: list[tuple[str, ...]] = [
            ("new", *parties, "--system", "doubledown", "--title", GAME, "--links", "16"),
            *(("join", GAME, "--links", "16", "--as", name) for name in ("alice", "bob", "gil")),
            ("declare", "sheet", GAME, *ASH, "--as", "alice"),
            ("declare", "sheet", GAME, *BROOK, "--drive", "2", "--as", "bob"),
            ("declare", "confirm", GAME, "alice", "--as", "gil"),
            ("declare", "confirm", GAME, "--as", "gil"),
        ]
        for name in ("host", "alice", "bob", "gil"):
            Home(home).new_identity(name, PASSPHRASE.encode(), QUICK)
        for command in commands:
            assert run(command) == 0, command
    return home


@pytest.fixture
def table(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> "DoubleDownTable":
    home = tmp_path / "home"
    shutil.copytree(played, home)
    return DoubleDownTable(Cli(home, capsys, monkeypatch))


@pytest.fixture
def untouched(played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> "DoubleDownTable":
    """For commands that write nothing."""
    return DoubleDownTable(Cli(played, capsys, monkeypatch))


class DoubleDownTable:
    """Commands on a game with alice, bob and gil, the GM."""

    def __init__(self, cli: Cli) -> None:
        self.cli = cli

    def ok(self, author: str, *command: str) -> str:
        return self.cli.ok(*command, "--as", author)

    def body(self, author: str, *command: str) -> Any:
        """The body that a command writes."""
        return self.cli.value(*command, "--as", author)["events"][0]["body"]

    def refused(self, author: str, *command: str) -> str:
        """What a command says that is refused; nothing is written."""
        before = self.size
        told = self.cli.refused(*command, "--as", author)
        assert self.size == before
        return told

    @property
    def state(self) -> Any:
        return self.cli.value("state", GAME)

    @property
    def size(self) -> int:
        return len(self.cli.value("log", GAME)["events"])


# --- a scene -------------------------------------------------------------------------------------------------------


def test_a_lone_roll(table: DoubleDownTable) -> None:
    assert "rollproof roll" in table.ok("gil", *BRIDGE)
    told = table.ok("alice", "roll", GAME, "--tag", "rogue", "--drive", "1")
    assert "modifier +7: agility +3, stress track +1, tag rogue +2, drive +1" in told
    assert "doubling down rolls a second d20" in told
    assert "alice goes on (double down or resolve):\n  rollproof reroll" in told
    told = table.ok("alice", "reroll", GAME)
    assert "doubled down: " in told
    assert "alice goes on (resolve):\n  rollproof resolve" in told
    roll = table.state["rolls"][-1]
    told = table.ok("alice", "resolve", GAME, "--outcome", roll["outcome"].replace(" ", "-"))
    kind = "boons" if "success" in roll["outcome"] else "banes"
    assert f"{roll['outcome']}: " in told
    author = "alice" if kind == "boons" else "gil"
    assert table.state["owed"][0]["kind"] == kind
    told = table.ok(author, "declare", "spend", GAME, "story=1:A way in" if kind == "boons" else "complication=1:Dogs")
    assert f"bought with 1 {kind[:-1]}: " in told
    sheet = table.state["sheets"]["alice"]
    assert sheet["tags"]["rogue"]["exhausted"]
    assert sheet["drive"] == (2 if kind == "boons" else 3)
    assert "rogue 2 exhausted" in table.cli.ok("state", GAME)
    assert " buys a " in table.cli.ok("log", GAME, "--limit", "1")


def test_a_group_roll(table: DoubleDownTable) -> None:
    told = table.ok("gil", *GATE, *TOGETHER)
    assert "alice goes on (contribute):\n  rollproof modify" in told
    told = table.ok("bob", "modify", GAME, "--roller", "alice", "--drive", "1")
    assert "alice goes on (roll):\n  rollproof roll" in told
    assert "bob: alice rolls, drive 1" in table.cli.ok("state", GAME)
    told = table.ok("alice", "roll", GAME, "1", "--tag", "four arms", "--irrelevant", "--drive", "1")
    assert "toughness +5, stress track +1, tag four-arms +3, drive +1, drive of bob +1" in told
    assert "--double --as alice\n  rollproof declare vote" in told
    assert "R9" in table.refused("alice", "resolve", GAME)
    told = table.ok("bob", "declare", "vote", GAME, "--double")
    assert "votes: bob to double down" in told
    assert "declare count" not in told
    told = table.ok("alice", "declare", "vote", GAME, "--stand")
    assert "alice goes on (resolve):" in told
    assert "R9" in table.refused("alice", "reroll", GAME)
    told = table.ok("alice", "resolve", GAME)
    assert "votes: bob to double down, alice to stand" in told
    roll = table.state["rolls"][-1]
    assert f"damage {roll['damage']}" in told
    assert not table.state["calls"]


def test_who_is_elsewhere_is_told_what_to_run(table: DoubleDownTable) -> None:
    table.ok("gil", *BRIDGE)
    told = table.ok("alice", "roll", GAME, "--request-only")
    assert "1d20 (waiting)" in told
    assert "modifier +4" in told
    assert "rollproof open" in told


def test_what_else_can_be_done_is_told(table: DoubleDownTable) -> None:
    table.ok("gil", *BRIDGE)
    told = table.ok("gil", "declare", "call", GAME, "Tend", "--stat", "wits", "--difficulty", "11", "--for", "bob")
    assert "bob can roll, Tend:\n  rollproof roll" in told
    told = table.ok("gil", *GATE, "--for", "alice", "--for", "bob")
    assert "alice and bob can contribute to Lift the gate:\n  rollproof modify" in told
    told = table.ok("alice", "modify", GAME, "3", "--roller", "alice")
    assert "bob can contribute to Lift the gate:\n  rollproof modify" in told
    assert "can roll, Lift the gate" not in told
    told = table.ok("bob", "modify", GAME, "3", "--roller", "alice")
    assert "alice can roll, Lift the gate:\n  rollproof roll" in told
    told = table.ok("bob", "declare", "sheet", GAME, *BROOK)
    assert "Brook, bob, waits for a GM to confirm the sheet:\n  rollproof declare confirm" in told
    assert "drive stays 2, as it is in play" in told
    assert "Brook, bob: agility 2, wits 4; stress 0 of 2 (+1); tags medic 3; drive 2" in table.ok(
        "gil", "declare", "confirm", GAME
    )


# --- options to bodies ---------------------------------------------------------------------------------------------


def test_a_sheet_has_what_was_given(table: DoubleDownTable) -> None:
    assert table.body("alice", "declare", "sheet", GAME, *ASH) == {
        "what": "sheet",
        "character": "Ash",
        "stats": {"agility": 3, "toughness": 5},
        "track": [1, 1, 2, 3],
        "stress": 1,
        "tags": {"rogue": {"stars": 2}, "four-arms": {"stars": 4}, "loud": {"stars": 1, "exhausted": True}},
        "drive": 3,
    }


def test_a_later_sheet_keeps_what_changed_in_play(table: DoubleDownTable) -> None:
    new = ("--name", "Ash", "--stat", "agility=4", "--track", "1,2", "--tag", "loud=2", "--tag", "rogue=2")
    body = table.body("alice", "declare", "sheet", GAME, *new)
    assert (body["stress"], body["drive"]) == (1, 3)
    assert body["tags"] == {"loud": {"stars": 2, "exhausted": True}, "rogue": {"stars": 2}}
    body = table.body("alice", "declare", "sheet", GAME, *new[:-4], "--tag", "loud=2:ready", "--stress", "0")
    assert body["stress"] == 0
    assert body["tags"] == {"loud": {"stars": 2}}


def test_declarations_of_a_gm(table: DoubleDownTable) -> None:
    call = {"what": "call", "source": "Cross the bridge", "stat": "agility", "difficulty": 14, "players": ["alice"]}
    assert table.body("gil", *BRIDGE) == call
    assert table.body("gil", *BRIDGE, "--support", "--combat") == {**call, "support": True, "combat": True}
    assert table.body("gil", "declare", "withdraw", GAME, "2") == {"what": "withdraw", "call": 2}
    assert table.body("gil", "declare", "withdraw", GAME) == {"what": "withdraw", "call": 1}
    assert table.body("gil", "declare", "rest", GAME, "alice", "--tag", "Four Arms", "--tag", "loud") == {
        "what": "rest",
        "player": "alice",
        "tags": ["four-arms", "loud"],
    }
    told = table.ok("gil", "declare", "rest", GAME, "alice")
    assert "alice recovers nothing" in told
    table.ok("alice", "declare", "sheet", GAME, *ASH)
    assert table.body("gil", "declare", "confirm", GAME) == {"what": "confirm", "player": "alice"}
    assert "alice recovers loud" in table.ok("gil", "declare", "rest", GAME, "alice")


def test_contributions_votes_and_rolls(table: DoubleDownTable) -> None:
    table.ok("gil", *GATE, *TOGETHER)
    table.ok("gil", *BRIDGE)
    assert table.body("alice", "modify", GAME, "--roller", "alice") == {"call": 1, "roller": "alice"}
    given = ("--roller", "alice", "--stress", "--tag", "medic", "--irrelevant", "--drive", "2")
    gives = {"call": 1, "roller": "alice", "stress": True, "tag": "medic", "irrelevant": True, "drive": 2}
    assert table.body("bob", "modify", GAME, "1", *given) == gives
    body = table.body("alice", "modify", GAME, "--roller", "bob", "--stat", "--drive", "0")
    assert body == {"call": 1, "roller": "bob", "stat": True}
    assert "several calls stand" in table.refused("alice", "roll", GAME)
    assert table.body("alice", "roll", GAME, "1") == {"call": 1}
    number = table.state["open"]
    assert table.body("alice", "declare", "vote", GAME, "--double") == {"what": "vote", "roll": number, "double": True}
    assert table.body("gil", "declare", "count", GAME) == {"what": "count", "roll": number}
    assert table.body("alice", "reroll", GAME) == {"roll": number}
    roll = table.state["rolls"][-1]
    claims = ("--outcome", roll["outcome"], *("--drive", str(int("failure" in roll["outcome"]))))
    assert table.body("alice", "resolve", GAME, str(number), *claims) == {
        "roll": number,
        "outcome": roll["outcome"],
        "drive": int("failure" in roll["outcome"]),
    }


@pytest.mark.parametrize(
    ("text", "buy"),
    [
        ("stress", {"buy": "stress"}),
        ("stress=2@bob", {"buy": "stress", "amount": 2, "player": "bob"}),
        ("drive=2", {"buy": "drive", "amount": 2}),
        ("drive@bob", {"buy": "drive", "player": "bob"}),
        ("tag=rogue", {"buy": "tag", "tag": "rogue"}),
        ("tag=Four Arms@bob", {"buy": "tag", "tag": "four-arms", "player": "bob"}),
        ("story=3:A shortcut: to bob@home=1", {"buy": "story", "amount": 3, "text": "A shortcut: to bob@home=1"}),
        ("tension", {"buy": "tension"}),
        ("tension=4", {"buy": "tension", "amount": 4}),
        ("complication=2:Guards", {"buy": "complication", "amount": 2, "text": "Guards"}),
    ],
)
def test_what_is_bought(text: str, buy: dict[str, Any]) -> None:
    from ledger.cli.doubledown_texts import purchase

    assert purchase(text) == buy


def test_bodies_in_json(table: DoubleDownTable) -> None:
    body = {"what": "call", "source": "Jump", "stat": "agility", "difficulty": 10, "players": ["bob"]}
    assert table.body("gil", "declare", "call", GAME, "--body", json.dumps(body)) == body


# --- words ---------------------------------------------------------------------------------------------------------


def _view(name: str) -> Any:
    """The state that a script ends with."""
    outcome = run_script(read((SPECS / "vectors/scripts/doubledown" / name).read_bytes()))
    assert outcome.violation is None
    return outcome.session.view()


def test_notes_of_a_doubled_roll() -> None:
    view = _view("R5--worked-example.json")
    assert roll_notes(view["rolls"][0]) == [
        "modifier +7: agility +3, stress track +1, tag rogue +2, drive +1",
        "doubled down: total 13 is a failure; natural 20 is a critical success, "
        "so it goes up two tiers to critical success",
        *roll_notes(view["rolls"][0])[2:],
    ]
    assert "critical success: 5 boons" in roll_notes(view["rolls"][0])


def test_notes_of_a_failure() -> None:
    notes = roll_notes(_view("R7--failure-gives-drive.json")["rolls"][0])
    assert any(note.startswith("failure: ") and note.endswith("gains 1 drive") for note in notes)
    assert any("left for a GM to spend: stress=N inflicts stress" in note for note in notes)


def test_a_vote_that_a_gm_may_end() -> None:
    script = json.loads((SPECS / "vectors/scripts/doubledown/R9--voted-for.json").read_bytes())
    vote = {"author": "alice", "type": "declare", "body": {"what": "vote", "roll": 10, "double": True}}
    del script["expect"]
    script["events"][10:] = [vote]
    view = run_script(read(json.dumps(script).encode())).session.view()
    assert due(view, "9c31") == [
        "A GM may end the vote; who has not voted abstains:\n  rollproof declare count 9c31",
    ]
    assert next_command("vote", view, "9c31") == (
        "rollproof declare vote 9c31 --double --as bob\n  rollproof declare vote 9c31 --stand"
    )


def test_every_script_can_be_told() -> None:
    for path in sorted((SPECS / "vectors/scripts/doubledown").glob("*.json")):
        view = run_script(read(path.read_bytes())).session.view()
        for roll in view["rolls"]:
            assert all(roll_notes(roll)), path
        assert all(len(row) == len(section.columns) for section in sections(view) for row in section.rows), path
        assert all(line and "None" not in line for line in due(view, "9c31")), path
        if view["waits_for"]:
            command = next_command(view["waits_for"]["choice"], view, "9c31")
            assert command is not None, path
            assert command.startswith("rollproof "), path


def test_help_tells_of_the_game(untouched: DoubleDownTable) -> None:
    told = untouched.cli.ok("reroll", "--help")
    assert "Double Down: this is doubling down on the open roll" in told
    assert "|CALL" in untouched.cli.ok("roll", "--help")
    assert "|CALL" in untouched.cli.ok("modify", "--help")


# --- wrong input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("author", "command", "told"),
    [
        ("alice", "declare sheet G", "a sheet needs --name"),
        ("alice", "declare sheet G --name A --stat agility --track 1", "--stat takes NAME=STARS"),
        ("alice", "declare sheet G --name A --stat agility=x --track 1", "its stars, 1 to 5; not 'x'"),
        ("alice", "declare sheet G --name A --stat agility=9 --track 1", "1 to 5 stars, not 9"),
        ("alice", "declare sheet G --name A --stat ag!lity=3 --track 1", "not 'ag!lity'"),
        ("alice", "declare sheet G --name A --stat a=3 --stat A=2 --track 1", "--stat a is given twice"),
        ("alice", "declare sheet G --name A --stat a=3 --track 1-2", "--track takes numbers"),
        ("alice", "declare sheet G --name A --stat a=3 --track 1 --stress 3", "room for 0 stress"),
        ("alice", "declare sheet G --name A --stat a=3 --track 1 --tag b=2:tired", ":exhausted or :ready"),
        ("gil", "declare sheet G --name A --stat a=3 --track 1", "gil is no player"),
        ("gil", "declare call G Jump", "'Cross the bridge' --stat agility"),
        ("gil", "declare call G Jump --stat luck --difficulty 14 --for alice", "luck is no base stat"),
        ("gil", "declare call G Jump --stat agility --difficulty 4 --for alice", "difficulties begin at 10"),
        ("gil", "declare call G Jump --stat agility --difficulty ten --for alice", "--difficulty"),
        ("gil", "declare call G Jump --stat agility --difficulty 14 --for carol", "carol is no player"),
        ("alice", "declare call G Jump --stat agility --difficulty 14 --for bob", "a GM calls for rolls"),
        ("gil", "declare withdraw G", "no call stands"),
        ("gil", "declare rest G", "say who rested: alice and bob"),
        ("gil", "declare confirm G", "no sheet waits"),
        ("gil", "declare confirm G bob", "bob has no sheet to confirm"),
        ("alice", "declare vote G", "--double or --stand"),
        ("alice", "declare vote G --double", "no roll is open"),
        ("gil", "declare count G", "no roll is open"),
        ("alice", "roll G d20", "the die is always a d20; not 'd20'"),
        ("alice", "roll G", "no GM has called alice for a roll"),
        ("alice", "roll G 9", "there is no call 9"),
        ("gil", "roll G", "players roll"),
        ("alice", "roll G --source x", "--source means nothing for roll in doubledown-1"),
        ("bob", "modify G", "--roller NAME"),
        ("bob", "modify G --roller alice", "no GM has called bob for a group roll"),
        ("bob", "modify G 1 --roller alice --irrelevant", "give --tag too"),
        ("alice", "reroll G", "no roll is open"),
        ("alice", "resolve G 4 --outcome great", "--outcome is one of legendary success"),
        ("alice", "declare spend G", "say what is bought"),
        ("alice", "declare spend G 4", "say what is bought"),
        ("alice", "declare spend G drive", "alice has no boons left"),
        ("gil", "declare spend G tension", "gil has no banes left"),
        ("alice", "declare spend G 4 drive", "roll 4 has no boons or banes"),
        ("alice", "declare spend G 4 banana", "'banana' is nothing to buy: write stress[=N][@NAME]"),
        ("alice", "declare spend G 4 drive=", "'drive=' cannot be bought"),
        ("alice", "declare spend G 4 drive=1001", "N from 1 to 1000"),
        ("alice", "declare spend G 4 tag", "write tag=TAG[@NAME]"),
        ("alice", "declare spend G 4 tag=rogue=2", "not 'rogue=2'"),
        ("alice", "declare spend G 4 story=3", "write story=N:TEXT"),
        ("alice", "declare spend G 4 drive=1@Bob", "buys, item 1, player must be a name"),
        ("alice", "declare effect G --source x --reroll", "doubledown-1 has no declare effect; it has declare sheet"),
        ("alice", "store G", "doubledown-1 has no store"),
    ],
)
def test_wrong_input_is_told_in_one_sentence(untouched: DoubleDownTable, author: str, command: str, told: str) -> None:
    arguments = [GAME if part == "G" else part for part in command.split()]
    assert told in untouched.cli.refused(*arguments, "--as", author)


def test_wrong_input_has_written_nothing(untouched: DoubleDownTable) -> None:
    events = untouched.cli.value("log", GAME)["events"]
    assert [event["body"]["player"] for event in events[-2:]] == ["alice", "bob"]
    assert len(events) == 2 + 6 + 4
