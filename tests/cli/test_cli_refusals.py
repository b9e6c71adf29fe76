"""Wrong input gets one sentence that says what to do: no traceback, no verdict's code, and nothing is written."""

import json
import shlex
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_cli_help import of_games, shared
from tests.support.cli import PASSPHRASE, Cli, make_home, state_of

GAME = "Table 12"
AS_ALICE = ("--as", "alice")
ROLL = ("roll", GAME, "d20 Delina: compare", *AS_ALICE)
MAGIC = ("magic", "roll", GAME, "--source", "Delina", "--use", "compare", *AS_ALICE)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


def dump(home: Path) -> list[str]:
    """What the store holds. (A party may look, and remember what it saw, before it is refused.)"""
    lines: list[str] = []
    for path in sorted(home.glob("*.db")):
        connection = sqlite3.connect(path)
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            lines += sorted(repr(row) for row in connection.execute(f"SELECT '{table}', * FROM {table}"))
        connection.close()
    return lines


REFUSED: dict[str, tuple[tuple[str, ...], str]] = {
    # arguments
    "no such command": (("frobnicate",), "No such command 'frobnicate'. See: rollproof --help"),
    "a group without a command": (("rules",), "Missing command. See: rollproof rules --help"),
    "a game without a command": (("magic",), "Missing command. See: rollproof magic --help"),
    "an argument missing": (("state",), "Missing argument 'GAME|FILE'. See: rollproof state --help"),
    "no such option": (("games", "--frobnicate"), "No such option: --frobnicate"),
    "a number that is none": (("state", GAME, "--rolls", "x"), "--rolls"),
    "a number out of bounds": (("commit", GAME, "--links", "0", *AS_ALICE), "--links"),
    "not in UTF-8": (("games", "\udcff"), "not in UTF-8"),
    # games and parties
    "no such game": (("state", "nosuch"), "there is no game 'nosuch' here. See them with: rollproof games"),
    "nobody acts": (("join", GAME), "say who acts: --as alice or --as bob"),
    "no such identity": (("join", GAME, "--as", "zoe"), "rollproof identity new zoe"),
    "a name that is a path": (("identity", "new", "../zoe"), "is no name for a party"),
    "a name in capitals": (("identity", "new", "Zoe"), "is no name for a party"),
    "an identity twice": (("identity", "new", "alice"), "choose another name"),
    "joined twice": (("join", GAME, *AS_ALICE), "alice has joined already"),
    "the keeper joins": (("join", GAME, "--as", "host"), "host is a keeper"),
    "a judge commits": (("commit", GAME, "--as", "dana"), "dana is a judge"),
    # new games
    "no players": (("new", "--keeper", "host"), "--player NAME"),
    "a player that is nothing": (("new", "--keeper", "host", "--player", "zoe"), "rollproof identity show"),
    "a player's key that is none": (("new", "--keeper", "host", "--player", "zoe+00+AA=="), "key of 'zoe'"),
    "a party twice": (("new", "--keeper", "host", "--player", "alice", "--player", "alice"), "two parties are called"),
    "a keeper that is elsewhere": (("new", "--keeper", "zoe", "--player", "alice"), "there is no identity 'zoe' here"),
    "no such rules": (
        ("new", "--keeper", "host", "--player", "alice", "--system", "chess"),
        "there are no rules 'chess'",
    ),
    "contributors of another game": (
        ("new", "--keeper", "host", "--player", "alice", "--contributors", "host,bob"),
        "'bob' is no party of this game",
    ),
    "a keeper alone contributes": (
        ("new", "--keeper", "host", "--player", "alice", "--contributors", "host"),
        "contributors must have at least 2 items",
    ),
    "a game master in Magic": (("new", "--keeper", "host", "--player", "alice", "--gm", "bob"), "have no gm"),
    "a title too long": (("new", "--keeper", "host", "--player", "alice", "--title", "x" * 501), "title"),
    "options that are none": (
        ("new", "--keeper", "host", "--player", "alice", "--options", '{"x": 1}'),
        "there is no member x here; there can be planechase",
    ),
    # dice
    "no dice": ((*MAGIC, "--dice", "0d6"), "'0d6' is not dice notation: there is no die in it"),
    "no sides": ((*MAGIC, "--dice", "d0"), "'d0' is not dice notation"),
    "a negative die": ((*MAGIC, "--dice", "2d-3"), "'2d-3' is not dice notation"),
    "a million dice": ((*MAGIC, "--dice", "1000000d6"), "asks for too many dice: at most 1000"),
    "a die too large": ((*MAGIC, "--dice", f"d{2**53}"), "too many sides"),
    "no notation": ((*MAGIC, "--dice", "two"), "is not dice notation"),
    "no source": (("roll", GAME, "d20", *AS_ALICE), "does not say what instructs the roll"),
    "a line that cannot be read": (("roll", GAME, "d20 x | ", *AS_ALICE), ". As in: "),
    "the planar die without planes": (("roll", GAME, "planar x: y", *AS_ALICE), "(rule 706.7)"),
    "a modifier that is none": ((*MAGIC, "--dice", "d6", "--modifiers", "two"), "--modifiers: "),
    "a modifier of nothing": ((*MAGIC, "--dice", "d6", "--modifiers", "+0: x"), "--modifiers: "),
    "a text in two lines": (
        (*MAGIC, "--dice", "d6", "--doubles", "a\nb"),
        "must be a text without line breaks",
    ),
    "an id with a blank": (
        (*MAGIC, "--dice", "d6", "--store", "My Card"),
        'store must be a short name: 1 to 40 of a to z, 0 to 9, dot, underscore and hyphen, but is "My Card"',
    ),
    "a permanent that is not there": ((*MAGIC, "--dice", "d6", "--store", "centaur"), "(rule 706.8"),
    "doubles of one die": (("roll", GAME, "d20 x: y | doubles: z", *AS_ALICE), "(rule 706.5)"),
    # tables
    "a table that overlaps": (("roll", GAME, "d20 x | 1-9: A | 9+: B", *AS_ALICE), "(rule 706.3a)"),
    "a range backward": (("roll", GAME, "d20 x | 9-1: A", *AS_ALICE), "runs backward"),
    "a table that is not there": (
        ("magic", "roll", GAME, "--dice", "d20", "--source", "x", "--table", "@/nosuch/table.txt", *AS_ALICE),
        "/nosuch/table.txt: No such file",
    ),
    "a roll that is not there": (("roll", GAME, "@/nosuch/roll.txt", *AS_ALICE), "/nosuch/roll.txt: No such file"),
    # bodies in JSON
    "a body that is no JSON": (
        ("magic", "roll", GAME, "--body", "{", *AS_ALICE),
        "--body cannot be read: it is no JSON",
    ),
    "a body beside options": ((*MAGIC, "--body", "{}"), "put the other options into it"),
    "a body with a null": (
        ("magic", "roll", GAME, "--body", '{"source": null}', *AS_ALICE),
        "this roll cannot be written",
    ),
    "a body that is a list": (
        ("magic", "roll", GAME, "--body", "[]", *AS_ALICE),
        "the whole must be an object, but is an array",
    ),
    "a body with a member twice": (
        ("magic", "roll", GAME, "--body", '{"dice": "d6", "dice": "d20"}', *AS_ALICE),
        'has the member "dice" twice',
    ),
    "a body nested deep": (
        ("magic", "roll", GAME, "--body", "[" * 100_000, *AS_ALICE),
        "--body cannot be read: it nests",
    ),
    # out of turn
    "a judge rolls": ((*ROLL[:-1], "dana"), "dana is a judge"),
    "nothing to ignore": (("magic", "ignore", GAME, "--dice", "1", *AS_ALICE), "rollproof do "),
    "nothing to modify": (("magic", "modify", GAME, "--choice", "apply", *AS_ALICE), "rollproof do "),
    "nothing to reroll": (("magic", "reroll", GAME, *AS_ALICE), "alice has no reroll to bring now"),
    "a roll again that is not owed": (("roll", GAME, "again 3", *AS_ALICE), "(rule 706.3c)"),
    "dice that are no numbers": (("magic", "ignore", GAME, "--dice", "one", *AS_ALICE), "a whole number is wanted"),
    "a number that is not in the list": (("do", GAME, "99", *AS_ALICE), "there is no 99"),
    "a game of another kind": (
        ("t9a", "roll", GAME, "2d6 x", *AS_ALICE),
        "a game of magic: rollproof magic roll",
    ),
    "nothing to open": (("open", GAME, "--as", "bob"), "nothing to open"),
    "nothing to reveal": (("reveal", GAME, "--as", "host"), "nothing to reveal"),
    "nothing to void": (("void", GAME, "--as", "host"), "nothing to void"),
    "a player reveals": (("reveal", GAME, *AS_ALICE), "only the keeper can reveal: --as host"),
    "the keeper opens": (("open", GAME, "--as", "host"), "rollproof reveal"),
    "a player closes": (("close", GAME, *AS_ALICE), "only a keeper may write close"),
    "the keeper leaves": (("leave", GAME, "--party", "host", "--as", "dana"), "close the game instead"),
    "a scope that is none": (
        ("magic", "declare", "trigger", GAME, "--source", "x", "--on", "rolled", "--whose", "mine", *AS_ALICE),
        "--whose: any, opponents or you is wanted, not 'mine'",
    ),
    "an effect that does nothing": (("magic", "declare", "effect", GAME, "Luck", *AS_ALICE), ". As in: "),
    # rulings
    "a ruling on the future": (
        ("ruling", GAME, "void", "--subject", "99", "--text", "x", "--as", "dana"),
        "99 is none",
    ),
    "a ruling of no kind": (("ruling", GAME, "warn", "--subject", "1", "--text", "x", "--as", "dana"), 'but is "warn"'),
    "a ruling of a player": (("ruling", GAME, "void", "--subject", "1", "--text", "x", *AS_ALICE), "only a judge"),
    "a result that is none": (
        ("ruling", GAME, "correct", "--subject", "1", "--text", "x", "--result", "six", "--as", "dana"),
        "DIE=RESULT",
    ),
    # files
    "export into nowhere": (("export", GAME, "--out", "/nosuch/log.jsonl"), "there is no folder /nosuch"),
    "export over a folder": (("export", GAME, "--out", "/tmp"), "/tmp is a folder"),
    "verify against no id": (("verify", GAME, "--game", "abc"), "64 hex digits"),
    "verify against no key": (("verify", GAME, "--key", "abc"), "'abc' is no verifier key"),
    "a log of no type": (("log", GAME, "--type", "dance"), "there is no event 'dance'"),
    "rules that are not there": (("rules", "show", "chess"), "there are no rules 'chess'"),
}


def test_what_is_missing_is_named_and_no_dice_are_made_up_for_it(cli: Cli) -> None:
    before = dump(cli.home)
    result = cli(*MAGIC)
    assert result.code == 64
    assert result.err.splitlines() == [
        "rollproof: --dice must be said too; nothing was rolled",
        "  --dice: kind and number of dice",
    ]
    assert dump(cli.home) == before


@pytest.mark.long
@pytest.mark.parametrize("case", REFUSED)
def test_wrong_input_is_refused_in_one_sentence_and_nothing_is_written(cli: Cli, case: str) -> None:
    arguments, sentence = REFUSED[case]
    before = dump(cli.home)
    assert sentence in cli.refused(*arguments)
    assert dump(cli.home) == before


UNREADABLE: dict[str, tuple[tuple[str, ...], str]] = {
    "import of nothing": (("import", "/nosuch.jsonl"), "/nosuch.jsonl: No such file"),
    "verify nothing": (("verify", "/nosuch.jsonl"), "no such file, folder or stored game"),
    "a script that is not there": (("rules", "check", "/nosuch.json"), "/nosuch.json: No such file"),
    "a script that is none": (("rules", "check", __file__), "no rules script"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_is_judged_and_cannot_be_read_is_2(cli: Cli, case: str) -> None:
    arguments, sentence = UNREADABLE[case]
    assert sentence in cli.refused(*arguments, code=2)
    assert sentence in cli(*arguments, "--json").out


KINDS: dict[str, tuple[int, str, tuple[str, ...]]] = {
    "typed wrong": (64, "usage", ("games", "--frobnicate")),
    "an argument missing": (64, "usage", ("state",)),
    "options that do not go together": (64, "usage", (*MAGIC, "--body", "{}")),
    "refused by the rules": (65, "refused", ("roll", GAME, "again 3", *AS_ALICE)),
    "refused by the protocol": (65, "refused", ("join", GAME, *AS_ALICE)),
    "not this party's to do": (65, "refused", ("reveal", GAME, *AS_ALICE)),
    "no such game": (66, "missing", ("state", "nosuch")),
    "no such identity": (66, "missing", ("join", GAME, "--as", "zoe")),
    "no such file": (66, "missing", ("check-opening", "/nosuch", GAME)),
    "a policy that is not there": (66, "missing", ("import", "/nosuch", "--policy", "/nosuch")),
    "a disk that cannot": (74, "machine", ("identity", "new", "zoe", "--home", "/proc/home")),
    "a passphrase too short": (77, "passphrase", ("identity", "new", "zoe")),
}


@pytest.mark.parametrize("case", KINDS)
def test_one_code_for_each_meaning_and_json_for_every_answer(cli: Cli, case: str) -> None:
    code, kind, arguments = KINDS[case]
    if kind == "passphrase":
        cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", "short")
    sentence = cli.refused(*arguments, code=code)
    result = cli(*arguments, "--json")
    told = result.json["error"]
    assert (told["kind"], told["exit_code"], result.code) == (kind, code, code)
    assert told["message"] in sentence.replace("rollproof: ", "")
    assert told.keys() == {"kind", "exit_code", "message", "code", "clause"}


@pytest.mark.long
def test_every_command_says_in_json_what_was_typed_wrong(cli: Cli) -> None:
    for words in (*shared(), *of_games()):
        result = cli(*words, "--nosuch", "--json")
        assert (result.code, result.json["error"]["kind"]) == (64, "usage"), (words, result)


def test_what_waits_is_75(cli: Cli) -> None:
    told = cli.value(*ROLL, "--request-only", code=75)
    assert (told["roll"]["status"], told["awaited"]) == ("pending", ["bob", "alice"])
    assert cli.value("reveal", GAME, "--as", "host", code=75)["error"]["kind"] == "waiting"


def test_a_bug_is_70_and_no_verdict(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("broken")

    monkeypatch.setattr("ledger.home.Home.games", broken)
    result = cli("games", "--json")
    assert (result.code, result.json["error"]["kind"]) == (70, "bug")
    assert "Traceback" in result.err


def test_a_line_that_would_be_read_is_told_as_a_command_that_works(cli: Cli) -> None:
    result = cli("roll", GAME, "roll two d20 and ignore the lower", "--request-only", *AS_ALICE)
    assert result.code == 64, result
    _, offered = result.err.split("; this would be read:\n  rollproof ")
    told = shlex.split(offered)
    assert told[0] == "roll"
    assert told[2:] == ["2d20 a card | ignore lowest: a card", "--request-only", *AS_ALICE]
    assert cli(*told).code == 75, "it asks, and waits"
    assert cli("state", GAME, "--json").json["rolls"][-1]["notation"] == "2d20"


# --- out of turn, with a roll waiting or open ----------------------------------------------------------------------


def test_a_second_roll_while_one_waits_is_refused(cli: Cli) -> None:
    cli.waits(*ROLL, "--request-only")
    sentence = cli.refused(*ROLL, code=65)
    assert "a roll waits for its dice" in sentence
    assert "rollproof open GAME" in sentence
    assert "`void GAME`" in sentence


def test_a_second_roll_while_one_is_open_is_refused(cli: Cli) -> None:
    cli.ok(*ROLL)
    cli.ok("magic", "declare", "effect", GAME, "may reroll one: Lucky", *AS_ALICE)
    assert "(rule 706" in cli.refused(*ROLL)
    assert "alice goes on first" in cli.refused("roll", GAME, "--as", "bob")


def test_nobody_rolls_before_all_have_joined(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--player", "bob", "--title", "Two")
    cli.ok("join", "Two", *AS_ALICE)
    sentence = cli.refused("roll", "Two", *ROLL[2:])
    assert "bob must join first (rule 706.1b)" in sentence
    assert "rollproof join GAME --as NAME" in sentence


def test_a_party_of_another_game_is_told_so(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--title", "Two")
    assert "bob is no party of game" in cli.refused("join", "Two", "--as", "bob")


def test_a_key_that_the_game_does_not_know_signs_nothing(cli: Cli) -> None:
    shutil.rmtree(cli.home / "identities" / "alice")
    cli.ok("identity", "new", "alice")
    assert "is not the alice of game" in cli.refused(*ROLL)


def test_a_title_that_fits_two_games_is_not_guessed(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--title", GAME)
    assert "fits 2 games" in cli.refused("state", GAME)


def test_an_option_of_magic_is_none_of_another_games(cli: Cli) -> None:
    new = ("new", "--keeper", "host", "--player", "alice")
    assert "No such option: --planechase" in cli.refused("t9a", *new, "--planechase")
    cli.ok("t9a", *new, "--title", "Battle")
    cli.ok("join", "Battle", *AS_ALICE)
    assert "No such option: --table" in cli.refused("t9a", "roll", "Battle", "1d6 x", "--table", "1-6: A", *AS_ALICE)


# --- passphrases and keys ------------------------------------------------------------------------------------------


def test_a_wrong_passphrase_signs_nothing(cli: Cli) -> None:
    before = dump(cli.home)
    cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE_ALICE", "another long passphrase")
    assert "the passphrase for alice is wrong" in cli.refused(*ROLL)
    assert dump(cli.home) == before


def test_no_passphrase_and_no_terminal(cli: Cli) -> None:
    cli.only()
    sentence = cli.refused(*ROLL)
    assert "ROLLPROOF_PASSPHRASE_ALICE" in sentence


@pytest.mark.parametrize("passphrase", ["", "short", "eleven long"])
def test_a_short_passphrase_makes_no_identity(cli: Cli, passphrase: str) -> None:
    cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", passphrase)
    assert "at least 12 characters" in cli.refused("identity", "new", "zoe")
    assert not (cli.home / "identities" / "zoe").exists()


def test_a_damaged_key_is_told(cli: Cli) -> None:
    key = cli.home / "identities" / "alice" / "key.json"
    key.write_bytes(key.read_bytes()[:100])
    assert "damaged" in cli.refused(*ROLL)
    (cli.home / "identities" / "alice" / "key.txt").write_text("alice+0+x\n")
    assert "key.txt cannot be used" in cli.refused(*ROLL)


def test_a_lost_memory_is_told_and_nothing_is_signed(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--title", "Two")
    for file in state_of(cli.home).iterdir():
        file.unlink()
    before = dump(cli.home)
    leave = ("leave", GAME, *AS_ALICE)
    for command in (ROLL, ("commit", GAME, *AS_ALICE), ("receipt", GAME, *AS_ALICE), ("join", "Two", *AS_ALICE), leave):
        result = cli(*command)
        assert dump(cli.home) == before
        assert result.code == 65
        assert "alice's memory is not on this machine" in result.err
        assert "rollproof identity forget alice" in result.err


def test_a_party_file_that_is_no_text(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"\xff\xfe")
    assert "rollproof identity show" in cli.refused("new", "--keeper", "host", "--player", str(tmp_path / "key"))


def test_a_table_file_that_is_none(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "table.txt"
    for text, sentence in ((b"\xff", "UTF-8"), (b"\n\n", "table must not be empty"), (b"A token", "--table: ")):
        file.write_bytes(text)
        assert sentence in cli.refused(*MAGIC[:-4], "--dice", "d20", "--table", f"@{file}", *AS_ALICE)


# --- stores --------------------------------------------------------------------------------------------------------


def test_a_store_that_is_no_database(cli: Cli) -> None:
    for file in cli.home.glob("ledger.db*"):
        file.unlink()
    (cli.home / "ledger.db").write_bytes(b"this is no database, but long enough to look like something" * 20)
    assert "ledger.db" in cli.refused("games")
    assert "ledger.db" in cli.refused("state", GAME, code=74)
    assert "ledger.db" in cli.refused("verify", GAME, code=74)


def test_a_store_that_somebody_changed(cli: Cli) -> None:
    connection = sqlite3.connect(cli.home / "ledger.db")
    connection.execute("DROP TRIGGER events_no_update")
    connection.execute("UPDATE events SET line = replace(line, '16', '17') WHERE seq = 1")
    connection.commit()
    connection.close()
    assert "changed by something else" in cli.refused("state", GAME)


def test_a_home_that_cannot_be_one(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in cli.refused("identity", "new", "zoe", "--home", str(tmp_path / "file" / "home"))


def test_a_shorter_log_than_the_party_saw_is_not_signed(cli: Cli, tmp_path: Path) -> None:
    old = shutil.copytree(cli.home, tmp_path / "old")
    cli.ok(*ROLL)
    shutil.rmtree(old / "identities")
    shutil.copytree(cli.home / "identities", old / "identities")
    assert "its end is missing" in cli.refused(*ROLL, "--home", str(old))


def test_an_export_that_fails_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ledger.store.ledger.Ledger.export", fail)
    out = tmp_path / "out"
    out.mkdir()
    assert "No space left" in cli.refused("export", GAME, "--out", str(out / "log.jsonl"))
    assert list(out.iterdir()) == []


SCRIPT: dict[str, Any] = {
    "format": "rollproof/script/v1",
    "system": "mtg-706-2023-11-17",
    "options": {"planechase": False},
    "parties": {"host": "keeper", "alice": "player"},
    "events": [{"author": "alice", "type": "roll", "body": {"source": "x", "dice": "d6", "use": "y"}, "naturals": [6]}],
}


def event_of_script(**members: Any) -> dict[str, Any]:
    return SCRIPT | {"events": [SCRIPT["events"][0] | members]}


def several(**scripts: Any) -> dict[str, Any]:
    return {"format": "rollproof/scripts/v1", "scripts": scripts}


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (event_of_script(naturals=[7]), "natural 1 is 7, but the die has 6 sides"),
        (event_of_script(naturals=[1, 2]), "event 1 draws 1 die but has 2 naturals"),
        (
            event_of_script(naturals=[9, 1], body={"dice": "d{blank,1,2}ro=0"}) | {"system": "dice-1", "options": {}},
            "natural 1 is 9, but the die has 3 sides",
        ),
        (event_of_script(naturals=[0]), "events, item 1, naturals, item 1 must be a whole number from 1 up, but is 0"),
        (event_of_script(author="zoe"), "event 1: zoe is none of the parties"),
        (
            event_of_script(type="reveal"),
            'event 1: there is no event "reveal" in a script; there are away, back, close, declare',
        ),
        (event_of_script(type="dance"), 'event 1: there is no event "dance" in a script'),
        (event_of_script(extra=1), "events, item 1 has no member extra; it can have author, type, body, naturals"),
        (SCRIPT | {"events": [{"author": "alice", "type": "close", "naturals": [1]}]}, "only a keeper"),
        (SCRIPT | {"extra": 1}, "there is no member extra here; there can be format, system"),
        (SCRIPT | {"format": "rollproof/script/v2"}, 'its format is "rollproof/script/v2"; this program reads'),
        (SCRIPT | {"system": "chess"}, 'its system is "chess"; this program knows'),
        (SCRIPT | {"options": {}}, "its options are not as these rules have them: planechase is missing"),
        (SCRIPT | {"options": []}, "the whole must be an object, but is an array"),
        (SCRIPT | {"parties": {"host": "keeper", "dana": "judge"}}, "exactly one keeper and at least one player"),
        (SCRIPT | {"parties": SCRIPT["parties"] | {"gus": "gm"}}, "these rules have no gm, but gus is one"),
        (SCRIPT | {"parties": SCRIPT["parties"] | {"Gus": "player"}}, "a name in parties must be a name: 1 to 32 of"),
        (SCRIPT | {"events": [SCRIPT["events"][0]] * 10_001}, "events must have at most 10000 items, but has 10001"),
        (SCRIPT | {"expect": {}}, "expect: a script expects either a violation or a state"),
        (SCRIPT | {"expect": {"violation": {"seq": "1", "clause": None}}}, "expect, violation, seq must be a whole"),
        (several(a=SCRIPT, b=SCRIPT | {"extra": 1}), "scripts, b has no member extra; it can have format, system"),
        (several(a=SCRIPT, b=SCRIPT | {"system": "chess"}), 'b: its system is "chess"; this program knows'),
        (several(a=SCRIPT | {"format": "rollproof/scripts/v1"}), 'a: its format is "rollproof/scripts/v1"; this'),
        (several(a=SCRIPT | {"parties": {"host": "keeper"}}), "scripts, a, parties must have"),
        (several(a=SCRIPT | {"parties": {"host": "keeper", "dana": "judge"}}), "a: its parties are not valid: "),
        (several(a=event_of_script(naturals=[7])), "a: event 1: natural 1 is 7, but the die has 6 sides"),
        (several(a=SCRIPT | {"options": {}}), "a: its options are not as these rules have them: planechase is missing"),
        (several(a=several(b=SCRIPT)), "scripts, a has no member scripts"),
        (several(a=[]), "scripts, a must be an object, but is an array"),
        (several(), "scripts must not be empty"),
        (several(**{f"n{number}": SCRIPT for number in range(1_001)}), "scripts must have at most 1000 items"),
        (
            several(a=SCRIPT | {"events": SCRIPT["events"] * 5_001}, b=SCRIPT | {"events": SCRIPT["events"] * 5_000}),
            "its scripts have 10001 events together; 10000 are allowed",
        ),
        (several(A=SCRIPT), "a name in scripts must be a name of a script: 1 to 100 of a to z"),
        (several(**{"a" * 101: SCRIPT}), "a name in scripts must be a name of a script"),
        (several(**{"a\n": SCRIPT}), "a name in scripts must be a name of a script"),
        (several(**{"a.violated": SCRIPT}), "a name in scripts must be a name of a script"),
        (several(a=SCRIPT) | {"system": "x"}, "there is no member system here; there can be format, scripts"),
        (json.dumps(several(a=SCRIPT, b=SCRIPT)).replace('"b"', '"a"').encode(), 'has the member "a" twice'),
        ({"format": "rollproof/scripts/v1"}, "scripts is missing"),
        (
            {name: value for name, value in SCRIPT.items() if name != "format"},
            "its format is missing; this program reads",
        ),
        (
            {"format": "rollproof/scripts/v2", "scripts": {}},
            "this program reads rollproof/script/v1, rollproof/scripts/v1",
        ),
        ({"format": 1}, "format must be a text, but is 1"),
        ([], "the whole must be an object, but is an array"),
        (b"", "this is no rules script: it is empty"),
        (b"\xef\xbb\xbf{}", "save it as UTF-8 without one"),
        (json.dumps(SCRIPT).encode("utf-16"), "it is UTF-16 text: save it as UTF-8"),
        (b"{\n\xff}", "it is not UTF-8 text: byte 3"),
        (b'{"format":"a","format":"b"}', 'an object in it has the member "format" twice'),
        (json.dumps(SCRIPT).replace('"use"', '"dice":"d20","use"').encode(), 'has the member "dice" twice'),
        (json.dumps(SCRIPT, indent=1).replace('"parties":', '"parties"').encode(), "cannot be read from column"),
    ],
)
def test_a_script_that_cannot_be_read_is_2_and_told_where(cli: Cli, tmp_path: Path, script: Any, sentence: str) -> None:
    file = tmp_path / "script.json"
    file.write_bytes(script if isinstance(script, bytes) else json.dumps(script).encode())
    if sentence == "only a keeper":  # the role comes before the naturals
        result = cli("rules", "check", str(file))
        assert (result.code, sentence in result.out) == (1, True)
    else:
        assert sentence in cli.refused("rules", "check", str(file), code=2)
        told = cli.value("rules", "check", str(file), code=2)["error"]
        assert (told["kind"], sentence in told["message"]) == ("unreadable", True)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (
            event_of_script(body={"source": "x", "dice": "d6", "uze": "y"}),
            "event 1 breaks body.malformed: the body of this roll is not as the specification has it: "
            "there is no member uze here",
        ),
        (
            SCRIPT
            | {"system": "wh40k-9e", "options": {"fast_rolling": False}}
            | {"events": [{"author": "alice", "type": "store", "body": {}}]},
            "event 1 breaks body.malformed: wh40k-9e has no store; it has declare, modify, reroll, resolve, roll",
        ),
        (event_of_script(author="host"), "event 1 breaks author.role: host is a keeper; only a player may write roll"),
    ],
)
def test_an_event_that_no_log_could_have_is_a_violation(
    cli: Cli, tmp_path: Path, script: dict[str, Any], sentence: str
) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps(script))
    result = cli("rules", "check", str(file))
    assert (result.code, result.err) == (1, "")
    assert sentence in result.out


def test_a_refusal_names_no_role_that_the_rules_do_not_have(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    act = {"author": "host", "type": "resolve", "body": {"roll": 1}}
    file.write_text(json.dumps(SCRIPT | {"events": [*SCRIPT["events"], act]}))
    assert "host is a keeper; only a player may write resolve" in cli("rules", "check", str(file)).out


@pytest.mark.parametrize(
    ("expect", "sentence"),
    [
        (
            {"violation": {"seq": 1, "clause": "706.1"}},
            "expects that event 1 breaks 706.1, but all its events are allowed",
        ),
        (
            {"violation": {"seq": 1, "clause": None}},
            "expects that event 1 breaks no clause of the rules, but the protocol",
        ),
        ({"state": {"rolls": []}}, "expects rolls to have 0 items, but it has 1 item"),
        ({"state": {"requests": 2}}, "expects requests to be 2, but it is 1"),
        ({"state": {"phase": None}}, 'expects phase to be null, but it is "idle"'),
        (
            {"state": {"rolls": [{"dice": [{"result": 5}]}]}},
            "expects rolls, item 1, dice, item 1, result to be 5, but it is 6",
        ),
        ({"state": {"luck": 1}}, "expects luck to be 1, but there is no such member"),
    ],
)
def test_what_a_script_expects_and_does_not_get_is_told_in_words(
    cli: Cli, tmp_path: Path, expect: dict[str, Any], sentence: str
) -> None:
    file = tmp_path / "script.json"
    file.write_text(json.dumps(SCRIPT | {"expect": expect}))
    result = cli("rules", "check", str(file))
    assert result.code == 1
    assert sentence in result.out
    assert "None" not in result.out


def test_another_violation_than_the_expected_is_told_with_both(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    wrong = event_of_script(author="host") | {"expect": {"violation": {"seq": 1, "clause": "706.1"}}}
    file.write_text(json.dumps(wrong))
    assert cli("rules", "check", str(file)).out == (
        "the script expects that event 1 breaks 706.1, but event 1 breaks no clause of the rules, but the protocol "
        "(author.role): host is a keeper; only a player may write roll\n"
    )


def test_the_passphrase_is_nowhere_in_what_is_told(cli: Cli) -> None:
    result = cli(*ROLL, "--json")
    assert PASSPHRASE not in result.out + result.err


def test_programs_read_a_refusal_by_its_code_and_clause(cli: Cli) -> None:
    told = cli.value("roll", GAME, "d20 x: y | doubles: z", *AS_ALICE, code=65)["error"]
    assert (told["kind"], told["code"], told["clause"]) == ("refused", "rules.violation", "706.5")
    assert "doubles" in told["message"]
    told = cli.value("magic", "resolve", GAME, "--nope", code=64)["error"]
    assert (told["kind"], told["code"]) == ("usage", None), "what was typed wrong is refused by no rule"


def test_what_is_wrong_with_the_words_is_told_before_a_missing_library(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    find: Any = importlib.util.find_spec
    absent = ("distributed", "litestar")
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None if name in absent else find(name, *more))
    log = tmp_path / "log.jsonl"
    cli.ok("export", GAME, "--out", log)
    assert "two identities" in cli.refused("serve", "--keeper", "host", "--judge", "host", code=64)
    assert "needs litestar" in cli.refused("serve")
    none = cli("verify", tmp_path / "none", "--dask", "local")
    assert (none.code, "there is no such file" in none.err, "distributed" in none.err) == (2, True, False)
    assert "needs distributed" in cli.refused("verify", log, "--dask", "local")
