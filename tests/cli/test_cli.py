"""`rollproof`: every command does what its help says, in words and in JSON."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.cli import command_tree
from ledger.errors import RefusedError
from ledger.home import Home, default_home
from ledger.seats import snapshots
from ledger.seats.keyless_seat import KeylessSeat
from ledger.seats.memory_file import Memory
from ledger.seats.seat import Seat
from ledger.seats.snapshots import Snapshot, Snapshots
from ledger.store.ledger import Ledger
from rules import SYSTEMS, Ruling, games
from tests.support.cli import PASSPHRASE, QUICK, REPOSITORY, Cli, make_home, state_of
from tests.support.scripts import script as vector
from tests.support.scripts import scripts as vectors
from tests.support.table import declared
from verifier import Replay, VerifierKey, verify

GAME = "Table 12"
ROLL = ("roll", GAME, "d20 Delina, Wild Mage: count the copies", "--as", "alice")
VECTORS = REPOSITORY / "specs" / "vectors"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(shutil.copytree(begun, tmp_path / "home"), capsys, monkeypatch)


@pytest.fixture
def empty(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(tmp_path / "empty", capsys, monkeypatch)


def types(told: Any) -> list[str]:
    return [event["type"] for event in told["events"]]


def stored(cli: Cli) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the store."""
    connection = sqlite3.connect(cli.home / "ledger.db")
    names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = {name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}
    connection.close()
    return rows


# --- help ----------------------------------------------------------------------------------------------------------


def commands(group: Any, *above: str) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        yield (*above, name)
        if hasattr(command, "commands"):
            yield from commands(command, *above, name)


def all_commands() -> list[tuple[str, ...]]:

    return list(commands(command_tree()))


GROUPS = (("dev",), ("event",), ("identity",), ("rules",), ("witness",), ("roster",))
"""commands that only have commands"""


@pytest.mark.parametrize("words", all_commands(), ids=" ".join)
def test_every_command_has_help_with_examples_and_json(empty: Cli, words: tuple[str, ...]) -> None:
    text = empty.ok(*words, "--help")
    if words not in GROUPS:
        assert f"rollproof {' '.join(words)}" in text.partition("Examples:")[2]
        assert "--json" in text
        assert "--home" in text
    assert not any("─" <= character <= "╿" for character in text), "no box characters"


def test_help_lists_commands_in_the_order_of_use(empty: Cli) -> None:
    text = empty.ok("--help")
    order = [text.index(f"  {name} ") for name in ("identity", "new", "join", "roll", "ruling", "export", "verify")]
    assert order == sorted(order)


def test_without_a_command_help_is_shown_and_nothing_is_done(empty: Cli) -> None:
    result = empty()
    assert result.code == 64
    assert result.out.startswith("Usage: rollproof")
    assert not empty.home.exists()


def test_the_version(empty: Cli) -> None:
    assert empty.ok("--version").startswith("rollproof ")


def test_help_starts_fast() -> None:
    """What is slow to load is loaded by the commands that need it."""
    code = "import sys, ledger.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    slow = {"msgspec", "cryptography", "sqlite_utils", "rich", "rules", "verifier.errors"}
    assert not slow & set(loaded.stdout.split())


@pytest.mark.long
def test_completion_knows_games_identities_and_rules(cli: Cli) -> None:
    def complete(words: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", "from ledger.cli import main; main()"],
            cwd=REPOSITORY,
            env={
                "PATH": "",
                "ROLLPROOF_HOME": str(cli.home),
                "_ROLLPROOF_COMPLETE": "complete_bash",
                "COMP_WORDS": words,
                "COMP_CWORD": str(len(words.split(" ")) - 1),
            },
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    (game,) = cli.value("games")
    assert complete("rollproof state ").split() == [game["game"][:12]]
    assert complete("rollproof verify ").split() == [game["game"][:12]]
    assert complete("rollproof verify --ro").split() == ["--rolls", "--roster"]
    assert complete("rollproof join x --as al").split() == ["alice"]
    assert "mtg-706-2023-11-17" in complete("rollproof rules show m")


# --- identities and homes ------------------------------------------------------------------------------------------


def test_an_identity_is_made_listed_and_shown(empty: Cli) -> None:
    made = empty.value("identity", "new", "alice")
    assert str(VerifierKey.parse(made["key"])) == made["key"]
    assert empty.value("identity", "list") == [{"name": "alice", "key": made["key"]}]
    assert empty.ok("identity", "show").strip() == made["key"]
    assert made["key"] in empty.ok("identity", "list")
    assert empty.value("identity", "show", "alice")["passphrase_variable"] == "ROLLPROOF_PASSPHRASE_ALICE"


def test_a_key_of_another_program_is_taken_in(empty: Cli, tmp_path: Path) -> None:
    plain, sealed = tmp_path / "plain.pem", tmp_path / "sealed.pem"
    make = ["openssl", "genpkey", "-algorithm", "ed25519", "-out"]
    subprocess.run([*make, str(plain)], check=True, capture_output=True)
    subprocess.run(
        ["openssl", "pkcs8", "-topk8", "-in", str(plain), "-out", str(sealed), "-passout", "pass:of the file"],
        check=True,
    )
    made = empty.value("identity", "import", "alice", "--pem", plain)
    assert "ROLLPROOF_PEM_PASSPHRASE" in empty.refused("identity", "import", "bob", "--pem", sealed)
    empty.monkeypatch.setenv("ROLLPROOF_PEM_PASSPHRASE", "wrong")
    assert "passphrase is wrong" in empty.refused("identity", "import", "bob", "--pem", sealed)
    empty.monkeypatch.setenv("ROLLPROOF_PEM_PASSPHRASE", "of the file")
    other = empty.ok("identity", "import", "bob", "--pem", sealed).splitlines()[-1]
    keys = [VerifierKey.parse(made["key"]), VerifierKey.parse(other)]
    assert keys[0].public_bytes == keys[1].public_bytes
    assert [entry["name"] for entry in empty.value("identity", "list")] == ["alice", "bob"]
    assert "already" in empty.refused("identity", "import", "bob", "--pem", sealed)
    assert "cannot be read" in empty.refused("identity", "import", "carol", "--pem", Path(__file__))
    assert "none.pem" in empty.refused("identity", "import", "carol", "--pem", tmp_path / "none.pem")


def test_an_identity_that_is_weakly_sealed_is_told(empty: Cli) -> None:
    Home(empty.home).new_identity("alice", PASSPHRASE.encode(), QUICK)
    empty.ok("identity", "new", "bob")
    told = empty.ok("identity", "list")
    assert told.count("less work than usual") == 1
    assert "The key file of alice" in told


@pytest.mark.long
def test_secrets_are_for_their_owner_only(cli: Cli) -> None:
    def mode(*path: str) -> int:
        return cli.home.joinpath(*path).stat().st_mode & 0o777

    made = Home(cli.home.with_name("other"))
    made.new_identity("eve", b"a long passphrase")
    assert made.root.stat().st_mode & 0o777 == 0o700
    assert (made.root / "identities" / "eve").stat().st_mode & 0o777 == 0o700
    assert mode("identities", "alice", "key.json") == 0o600
    assert mode("identities", "alice", "memory") == 0o600
    assert mode("state") == 0o700


def test_home_is_the_option_then_the_variable_then_the_platforms(
    empty: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty.ok("identity", "new", "alice", "--home", tmp_path / "given")
    assert Home(tmp_path / "given").names() == ["alice"]
    assert empty.value("identity", "list") == []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("ROLLPROOF_HOME")
    if sys.platform == "linux":
        assert Home.locate().root == default_home() == tmp_path / "data" / "rollproof"


# --- opening a game ------------------------------------------------------------------------------------------------


def test_a_game_is_opened_with_names_keys_and_files(cli: Cli, tmp_path: Path) -> None:
    key = cli.ok("identity", "show", "bob").strip()
    file = tmp_path / "dana.txt"
    file.write_text(cli.ok("identity", "show", "dana"))
    parties = ("--keeper", "host", "--player", "alice", "--player", key, "--witness", file)
    told = cli.value(
        "magic", "new", *parties, "--planechase", "--title", "Keys", "--contributors", "dana,host", "--links", "3"
    )
    assert types(told) == ["open", "commit"]
    body = told["events"][0]["body"]
    assert [party["role"] for party in body["parties"]] == ["keeper", "player", "player", "witness"]
    assert body["parties"][2]["key"] == key
    assert body["options"] == {"planechase": True}
    assert body["contributors"] == ["host", "dana"], "in party order"
    assert body["system"] == "mtg-706-2023-11-17"
    assert told["events"][1]["body"]["length"] == 3


def test_opening_and_joining_say_what_comes_next_and_whom_to_trust(cli: Cli) -> None:
    text = cli.ok("new", "--keeper", "host", "--player", "alice", "--title", "Two")
    assert "rollproof join" in text
    text = cli.ok("join", "Two", "--as", "alice")
    assert "unless ALL of host and alice worked together" in text


def test_a_judge_joins_without_a_chain(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--judge", "dana", "--title", "Two")
    assert types(cli.value("join", "Two", "--as", "dana")) == ["join"]
    assert types(cli.value("join", "Two", "--as", "alice")) == ["join", "commit"]


def test_who_acts_is_the_variable_or_the_only_identity(cli: Cli) -> None:
    cli.monkeypatch.setenv("ROLLPROOF_AS", "alice")
    assert cli.value("leave", GAME)["events"][0]["author"] == "alice"


def test_a_game_is_played_in_json(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--system", "t9a", "--options", "{}", "--title", "Battle")
    cli.ok("join", "Battle", "--as", "alice")
    many = vector("t9a/T1.1--a-thousand-dice").value
    body = json.dumps(many["events"][0]["body"])
    told = cli.value("t9a", "roll", "Battle", "--body", body, "--as", "alice")
    assert types(told) == ["roll", "reveal"]
    cli.ok("state", "Battle")


# --- a roll --------------------------------------------------------------------------------------------------------


def test_a_roll_is_requested_opened_and_revealed_by_the_parties_here(cli: Cli) -> None:
    told = cli.value(*ROLL)
    assert types(told) == ["roll", "reveal"]
    assert [event["author"] for event in told["events"]] == ["alice", "host"]
    assert [opening["author"] for opening in told["events"][1]["body"]["openings"]] == ["host", "alice", "bob"]
    assert told["seq"] == told["roll"]["roll"] == told["events"][0]["seq"]
    assert told["roll"]["dice"][0]["naturals"] == told["events"][1]["body"]["naturals"]
    assert told["waits_for"] is None, "the roll stands"
    assert told["awaited"] == []


def test_a_roll_reads_as_dice_do(cli: Cli) -> None:
    text = cli.ok("roll", GAME, "d20+2 Delina: count the copies", "--as", "alice")
    natural = cli.value("state", GAME)["rolls"][-1]["dice"][0]["naturals"][0]
    assert f"d20 ({natural}) + 2 = {natural + 2}" in text
    assert "rollproof" not in text, "nothing is left to be done"
    assert f"({natural}) + 2 = {natural + 2} [resolved]" in cli.ok("magic", "resolve", GAME, "--as", "alice")


def test_one_seat_is_taken_at_a_time(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []
    course: list[tuple[str, ...]] = []
    seat, retire = Home.seat, Seat.retire

    def take(home: Home, name: str, passphrase: bytes, snapshots: Snapshots | None = None) -> Seat:
        taken.append(name)
        course.append(tuple(taken))
        return seat(home, name, passphrase, snapshots)

    def leave(self: Seat) -> KeylessSeat:
        taken.remove(self.name)
        return retire(self)

    monkeypatch.setattr(Home, "seat", take)
    monkeypatch.setattr(Seat, "retire", leave)
    cli.ok(*ROLL)
    assert course == [("alice",), ("host",), ("bob",), ("alice",), ("host",)]
    assert not taken


def test_only_parties_whose_passphrase_is_at_hand_act(cli: Cli) -> None:
    cli.only("alice", "host")
    told = cli.value(*ROLL, code=75)
    assert types(told) == ["roll"]
    assert told["awaited"] == ["bob", "alice"], "who rolls opens after the others"
    assert told["waits_for"] == {"party": "host", "choice": "reveal"}
    assert "the dice wait for bob and alice to open" in cli.refused("reveal", GAME, "--as", "host")
    assert "alice opens when bob has opened" in cli.refused("open", GAME, "--as", "alice")
    cli.only("bob")
    told = cli.value("open", GAME, "--as", "bob")
    assert types(told) == []
    assert told["awaited"] == ["alice"]
    again = cli.value("open", GAME, "--as", "bob")
    assert again == told, "the same opening again does no harm"
    cli.only("alice")
    assert cli.value("open", GAME, "--as", "alice")["awaited"] == []
    cli.only("host")
    told = cli.value("reveal", GAME, "--as", "host")
    assert types(told) == ["reveal"]
    assert told["roll"]["status"] == "open"


def test_who_is_awaited_is_told_what_to_type(cli: Cli) -> None:
    cli.only("alice")
    text = cli.waits(*ROLL)
    (game,) = cli.value("games")
    assert f"wait for bob to open:\n  rollproof open {game['game'][:12]} --as bob" in text
    assert f"  rollproof reveal {game['game'][:12]} --as host" in text
    assert "rollproof open" in cli.ok("state", GAME)


def test_a_wrong_passphrase_of_another_party_leaves_the_request_standing(cli: Cli) -> None:
    cli.only("alice", "host")
    cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE_BOB", "not the passphrase of bob")
    told = cli.value(*ROLL, code=75)
    assert types(told) == ["roll"]
    assert told["awaited"] == ["bob", "alice"]
    assert "bob did not act: the passphrase for bob is wrong" in told["notes"][0]


def test_the_request_only(cli: Cli) -> None:
    told = cli.value(*ROLL, "--request-only", code=75)
    assert types(told) == ["roll"]
    assert told["awaited"] == ["bob", "alice"]


def test_a_roll_is_called_off_by_whoever_rolls_and_asked_for_again(cli: Cli) -> None:
    cli.only("alice", "host")
    cli.waits(*ROLL)
    told = cli.value("void", GAME, "--missing", "bob", "--as", "alice")
    assert types(told) == ["void", "disclose"], "the keeper, who is here, discloses at once"
    assert told["events"][0]["body"]["missing"] == ["bob"]
    assert told["roll"]["status"] == "void"
    cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)
    assert "event 7, which was voided" in cli.refused(*ROLL[:2], "d6 Delina: count", *ROLL[3:])
    assert types(cli.value(*ROLL)) == ["roll", "reveal"]
    assert "bob" in cli.ok("log", GAME, "--type", "void")


def test_the_keeper_calls_nothing_off_and_whoever_opened_neither(cli: Cli) -> None:
    cli.only("alice", "bob")
    cli.waits(*ROLL, "--request-only")
    cli.only("host", "dana")
    cli.ok("checkpoint", GAME, "--as", "host")
    assert "for alice or dana to call off, not for host" in cli.refused("void", GAME, "--as", "host")
    assert "cannot name host" in cli.refused("void", GAME, "--missing", "host", "--as", "dana")
    cli.only("alice", "bob")
    for name in ("bob", "alice"):
        cli.ok("open", GAME, "--as", name)
    assert "cannot call it off any more" in cli.refused("void", GAME, "--as", "alice")
    cli.only("dana", "host")
    told = cli.value("void", GAME, "--missing", "alice", "--as", "dana")
    assert types(told) == ["void", "disclose"]
    assert [each["author"] for each in told["events"][1]["body"]["openings"]] == ["host", "alice", "bob"]


def test_whoever_told_the_judge_that_it_has_not_opened_never_does(cli: Cli) -> None:
    cli.only("alice", "host")
    cli.waits(*ROLL)
    assert "never will. Tell that to the judge." in cli.ok("decline", GAME, "--as", "alice")
    cli.only("bob", "alice")
    assert "a judge asks alice" in cli.refused("decline", GAME, "--as", "bob")
    cli.ok("open", GAME, "--as", "bob")
    assert "opens nothing for it" in cli.refused("open", GAME, "--as", "alice")
    cli.only("dana", "host")
    assert types(cli.value("void", GAME, "--missing", "alice", "--as", "dana")) == ["void", "disclose"]


def test_who_is_away_contributes_nothing(cli: Cli) -> None:
    cli.ok("away", GAME, "--as", "bob")
    told = cli.value(*ROLL)
    openings = told["events"][1]["body"]["openings"]
    assert [each["author"] for each in openings] == ["host", "alice"]
    cli.ok("magic", "resolve", GAME, "--as", "alice")
    assert "bob is away" in cli.refused("commit", GAME, "--as", "bob")
    cli.ok("back", GAME, "--as", "bob")
    assert [each["author"] for each in cli.value(*ROLL)["events"][1]["body"]["openings"]] == ["host", "alice", "bob"]


def test_a_chain_that_is_used_up_is_renewed(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--title", "Two")
    cli.ok("join", "Two", "--as", "alice", "--links", "2")
    assert "links for 1 more roll: alice commits anew" in cli.refused("commit", "Two", "--as", "alice")
    roll = [word if word != GAME else "Two" for word in ROLL]
    told = cli.value(*roll)
    assert told["chains_used_up"] == ["alice"]
    assert "rollproof commit" in cli.ok("magic", "resolve", "Two", "--as", "alice")
    assert "alice must commit to a seed chain first" in cli.refused(*roll)
    cli.ok("commit", "Two", "--as", "alice")
    assert types(cli.value(*roll)) == ["roll", "reveal"]


def test_an_event_that_comes_too_late_is_signed_anew(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    append, others = Ledger.append, ["bob"]

    def append_late(ledger: Ledger, game: bytes, line: bytes, keeper: Any = None) -> Any:
        if others:
            seat = Home(cli.home).seat(others.pop(), PASSPHRASE.encode())
            append(ledger, game, declared(seat, ledger.view(game)))
            seat.close()
        return append(ledger, game, line, keeper)

    monkeypatch.setattr(Ledger, "append", append_late)
    told = cli.value(*ROLL)
    assert types(told) == ["roll", "reveal"]
    assert told["seq"] == cli.value("log", GAME, "--type", "declare", "--limit", "1")["events"][0]["seq"] + 1


def test_commands_take_a_long_game_up_from_snapshots(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 4)
    cli.ok(*ROLL)
    left = sorted((state_of(cli.home) / "snapshots").glob("*"))
    assert left
    looks = [("state", GAME), ("log", GAME), ("export", GAME), ("do", GAME, "--as", "alice")]
    used, restore = list[int](), Snapshot.restore

    def noted(snapshot: Snapshot, first: bytes) -> Replay | None:
        used.append(snapshot.size)
        return restore(snapshot, first)

    monkeypatch.setattr(Snapshot, "restore", noted)
    with_them = [cli(*look) for look in looks]
    assert len(used) == len(looks)
    for path in left:
        path.unlink()
    assert [cli(*look) for look in looks] == with_them
    assert types(cli.value("magic", "resolve", GAME, "--as", "alice")) == ["resolve"]
    assert types(cli.value(*ROLL)) == ["roll", "reveal"]
    assert cli("verify", GAME).code == 0


RULING = ("ruling", GAME, "uphold", "--subject", "0", "--text", "the terms hold", "--as", "dana")


def test_an_event_waits_its_turn_however_many_come_first(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    append, others = Ledger.append, list(range(30))
    seat = Home(cli.home).seat("bob", PASSPHRASE.encode())

    def append_late(ledger: Ledger, game: bytes, line: bytes, keeper: Any = None) -> Any:
        if others:
            others.pop()
            append(ledger, game, declared(seat, ledger.view(game)))
        return append(ledger, game, line, keeper)

    monkeypatch.setattr(Ledger, "append", append_late)
    told = cli.value(*RULING)
    seat.close()
    assert not others
    assert told["notes"] == []
    seqs = [event["seq"] for event in cli.value("log", GAME, "--type", "declare", "--limit", "30")["events"]]
    assert told["seq"] == max(seqs) + 1


def test_what_oneself_writes_elsewhere_meanwhile_is_waited_for_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program of the same party may see the game's end first: nothing is missing, and nobody is told so."""
    begin, late = Memory.game, list[Memory]()
    ledger, seat = Home(cli.home).ledger(), Home(cli.home).seat("dana", PASSPHRASE.encode())

    def begin_late(memory: Memory, game: bytes) -> Any:
        if memory._name == "dana" and memory is not seat._memory and late.count(memory) < 15:
            late.append(memory)
            body = Ruling("uphold", 0, "the terms hold")
            ledger.append(game, seat.sign(ledger.view(game), "ruling", body))
            seat.sign(ledger.view(game), "ruling", body)  # so it has seen its own
        return begin(memory, game)

    monkeypatch.setattr(Memory, "game", begin_late)
    assert cli.value(*RULING)["notes"] == []
    assert len(late) == 15
    cli.ok("receipt", GAME, "--as", "dana", "--take", receipt_of(cli))
    assert 15 < len(late) < 30, "own events that the keeper has not taken are no history"
    seat.close()
    ledger.close()


def receipt_of(cli: Cli) -> Path:
    path = cli.home / "receipt"
    path.write_text(cli.ok("checkpoint", GAME))
    return path


def test_an_event_that_is_refused_though_nobody_came_first_is_not_signed_for_ever(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[bytes]()

    def refuse(ledger: Ledger, game: bytes, line: bytes, keeper: Any = None) -> Any:
        tried.append(line)
        raise RefusedError("no", "chain.prev", None)

    monkeypatch.setattr(Ledger, "append", refuse)
    assert cli.refused(*RULING) == "no"
    assert len(tried) == 1


# --- Magic ---------------------------------------------------------------------------------------------------------

TYPE = ("magic", "declare")


def test_a_player_chooses_which_die_is_ignored(cli: Cli) -> None:
    """Of two that are equal too: which die it is stands in the log. Here they are to differ."""
    for _ in range(20):
        told = cli.value("roll", GAME, "d20 Delina: count | +1 ignore any: Wyll", "--as", "alice")
        first, second = (die["naturals"][0] for die in told["roll"]["dice"])
        assert told["waits_for"] == {"party": "alice", "choice": "ignore"}
        if first != second:
            break
        cli.ok("magic", "ignore", GAME, "--dice", "2", "--as", "alice")
    text = cli.ok("magic", "ignore", GAME, "--dice", "2", "--as", "alice")
    assert f"~~{second}~~" in text
    assert "rollproof" not in text, "what is left leaves no choice"


def test_effects_are_declared_applied_and_declined(cli: Cli) -> None:
    cli.ok(*ROLL)
    cli.ok(*TYPE, "effect", GAME, "may reroll one: Lucky", "--as", "alice")
    cli.ok(*TYPE, "effect", GAME, "adjust -1/+1, mana {U}: Vedalken", "--as", "bob")
    text = cli.ok(*TYPE, "effect", GAME, "adjust -2, cost life: Curse", "--as", "bob")
    assert "Vedalken" in text
    told = cli.value("magic", "reroll", GAME, "--effect", "1", "--as", "alice")
    assert types(told) == ["reroll", "reveal"]
    assert len(told["roll"]["dice"][0]["naturals"]) == 2
    modify = ("magic", "modify", GAME, "--as", "alice", "--effect")
    cli.ok(*modify, "2", "--choice", "apply", "--amount", "+1", "--paid", "--mana-abilities", "Island: add {U}")
    told = cli.value(*modify, "3", "--choice", "decline")
    assert [effect["answer"] for effect in told["roll"]["effects"]] == ["applied", "applied", "declined"]
    natural = told["roll"]["dice"][0]["naturals"][1]
    assert f"~~ {natural}) + 1 = {natural + 1}" in cli.ok("magic", "resolve", GAME, "--as", "alice")


def test_which_of_several_is_meant_is_asked_for_with_what_can_be_typed(cli: Cli) -> None:
    cli.ok(*ROLL)
    cli.ok(*TYPE, "effect", GAME, "may adjust +1: Luck", "--as", "alice")
    result = cli("magic", "modify", GAME, "--as", "alice")
    assert result.code == 64
    commands = [line.removeprefix("  rollproof ").split() for line in result.err.splitlines() if "  rollproof" in line]
    assert len(commands) == 2, "apply and decline"
    assert {words[words.index("--choice") + 1] for words in commands} == {"apply", "decline"}
    cli.ok(*commands[0])


def test_a_chance_for_mana_abilities_can_be_passed_up(cli: Cli) -> None:
    cli.ok(*ROLL)
    cli.ok(*TYPE, "effect", GAME, "adjust +1, mana {U}: V", "--as", "alice")
    apply = ("magic", "modify", GAME, "--choice", "apply", "--paid", "--no-mana-abilities", "--as", "alice")
    assert cli.value(*apply)["events"][0]["body"]["mana_abilities"] == []


def test_a_table_is_typed_row_by_row_or_stands_in_a_file(cli: Cli, tmp_path: Path) -> None:
    rows = ["20: Two. Roll again.", "1–9: A Treasure", "10-19: Three. You may roll again."]
    body = cli.value("roll", GAME, " | ".join(["d20 Delina", *rows]), "--as", "alice")["events"][0]["body"]
    assert {row["range"]: row.get("again") for row in body["table"]} == {"20": True, "1–9": None, "10-19": "may"}
    file = tmp_path / "table.txt"
    file.write_text("\n".join(rows), encoding="utf-8")
    again = cli("roll", GAME, "--as", "alice")
    if again.code:  # the table asked for no repeat
        table = ("magic", "roll", GAME, "--dice", "d20", "--source", "Delina", "--table", f"@{file}", "--as", "alice")
        assert cli.value(*table)["events"][0]["body"]["table"] == body["table"]


def test_doubles_and_claims(cli: Cli) -> None:
    told = cli.value("roll", GAME, "2d6 x: sum | doubles: draw a card", "--as", "alice")
    first, second = (die["naturals"][0] for die in told["roll"]["dice"])
    right, wrong = ("--doubles", "--no-doubles") if first == second else ("--no-doubles", "--doubles")
    assert "(rule 706.5)" in cli.refused("magic", "resolve", GAME, wrong, "--as", "alice")
    cli.ok("magic", "resolve", GAME, right, "--results", f"{first},{second}", "--as", "alice")


def test_stored_results_and_their_reroll(cli: Cli) -> None:
    as_alice = ("--as", "alice")
    cli.ok(*TYPE, "permanent", GAME, "centaur: Centaur of Attention", *as_alice)
    cli.ok("roll", GAME, "2d6 Centaur | store on centaur", *as_alice)
    stored = cli.value("state", GAME)["permanents"]["centaur"]["stored"]
    assert len(stored) == 2
    told = cli.value("magic", "reroll", GAME, "--stored", "1,2", "--source", "Centaur", *as_alice)
    assert types(told) == ["reroll", "reveal"]
    cli.ok(*TYPE, "gone", GAME, *as_alice)
    assert cli.value("state", GAME)["permanents"] == {}


def test_triggers_are_told(cli: Cli) -> None:
    cli.ok(*TYPE, "trigger", GAME, "whenever you roll one or more dice: Brazen Dwarf", "--as", "alice")
    assert "Brazen Dwarf" in cli.ok(*ROLL)
    cli.ok(*TYPE, "ends", GAME, "--trigger", "1", "--as", "alice")
    assert cli.value("state", GAME)["triggers"] == []


def test_the_planar_die(cli: Cli) -> None:
    cli.ok("magic", "new", "--keeper", "host", "--player", "alice", "--title", "Planes", "--planechase")
    cli.ok("join", "Planes", "--as", "alice")
    told = cli.value("roll", "Planes", "planar Planar die: go on", "--as", "alice")
    assert told["roll"]["dice"][0]["face"] in ("blank", "planeswalk", "chaos")
    assert told["roll"]["dice"][0]["face"] in cli.ok("state", "Planes")


def test_a_body_in_json_can_say_everything(cli: Cli, tmp_path: Path) -> None:
    effects = [{"source": "Lucky", "kind": "adjust", "amounts": [1], "optional": True}]
    body = {"source": "x", "dice": "d8", "use": "y", "effects": effects}
    told = cli.value("magic", "roll", GAME, "--body", json.dumps(body), "--as", "alice")
    assert told["events"][0]["body"] == body
    decline = json.dumps({"roll": told["seq"], "effect": 1, "choice": "decline"})
    cli.ok("magic", "modify", GAME, "--body", decline, "--as", "alice")
    (tmp_path / "body.json").write_text(json.dumps(body))
    cli.ok("magic", "roll", GAME, "--body", f"@{tmp_path / 'body.json'}", "--as", "alice")


# --- judges, leaving, the end --------------------------------------------------------------------------------------


@pytest.mark.long
def test_rulings(cli: Cli) -> None:
    seq = str(cli.value(*ROLL)["seq"])
    cli.ok("magic", "resolve", GAME, "--as", "alice")
    as_dana = ("--text", "Seen on the table", "--as", "dana")
    told = cli.value("ruling", GAME, "correct", "--subject", seq, "--result", "1=19", *as_dana)
    assert told["roll"]["dice"][0]["result"] == 19
    cli.ok("ruling", GAME, "penalty", "--subject", seq, "--party", "bob", *as_dana)
    cli.ok("ruling", GAME, "uphold", "--subject", seq, *as_dana)
    assert "[struck]" in cli.ok("ruling", GAME, "void", "--subject", seq, *as_dana)
    state = cli.value("state", GAME)
    assert [ruling["ruling"] for ruling in state["rulings"]] == ["correct", "penalty", "uphold", "void"]
    told = cli.ok("state", GAME)
    assert "correct, die 1: 19" in told
    assert "penalty, bob" in told
    assert "Seen on the table" in told
    assert f"{seq}, alice: d20 for Delina, Wild Mage" in told
    assert f"rules the roll void (event {seq}, alice: d20 for Delina, Wild Mage)" in cli.ok("log", GAME)


def test_a_ruling_that_would_change_nothing_is_not_signed(cli: Cli) -> None:
    seq = cli.value(*ROLL)["seq"]
    because = ("--as", "dana", "--text", "cocked")
    before = stored(cli)
    for kind, more in (("correct", ("--result", "1=7")), ("void", ())):
        assert f"--subject {seq}" in cli.refused("ruling", GAME, kind, "--subject", str(seq + 1), *more, *because)
    assert "would change nothing" in cli.refused("ruling", GAME, "correct", "--subject", str(seq), *because)
    assert "would change nothing" in cli.refused(
        "ruling", GAME, "correct", "--subject", "0", "--result", "1=7", *because
    )
    assert stored(cli) == before
    assert "changes no dice" in cli("ruling", GAME, "void", "--subject", "0", *because).out
    ruled = cli.value("ruling", GAME, "correct", "--subject", str(seq), "--result", "1=19", *because)["seq"]
    again = cli.refused("ruling", GAME, "void", "--subject", str(ruled), *because)
    assert "a ruling is not taken back" in again
    assert f"--subject {seq}" in again
    void = cli.value("ruling", GAME, "void", "--subject", str(seq), *because)
    assert void["roll"]["status"] == "struck"
    voided = stored(cli)
    for subject in (seq, void["seq"]):
        for kind, more in (("correct", ("--result", "1=7")), ("void", ())):
            again = cli.refused("ruling", GAME, kind, "--subject", str(subject), *more, *because)
            assert f"roll {seq} is void, and stays so" in again
    assert stored(cli) == voided
    assert cli("ruling", GAME, "uphold", "--subject", str(seq), *because).code == 0


def test_leaving_and_being_taken_out(cli: Cli) -> None:
    cli.ok("leave", GAME, "--as", "bob")
    assert types(cli.value(*ROLL)) == ["roll", "reveal"]
    cli.ok("leave", GAME, "--party", "alice", "--as", "dana")
    assert cli.value("state", GAME)["left"] == ["alice", "bob"]


def test_a_game_is_closed_with_its_size_and_root(cli: Cli) -> None:
    text = cli.ok("close", GAME, "--as", "host")
    (row,) = cli.value("games")
    assert row["phase"] == "closed"
    assert f"{row['events']} {row['root']}" in text
    assert "the game is closed" in cli.refused(*ROLL)


# --- looking -------------------------------------------------------------------------------------------------------


def test_games_are_listed_and_found(cli: Cli) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--title", "Final")
    assert [row["title"] for row in cli.value("games")] == [GAME, "Final"]
    assert [row["title"] for row in cli.value("games", "fin")] == ["Final"]
    assert "Final" in cli.ok("games")
    assert cli.ok("games", "nothing") == "No game fits.\n"
    short = cli.value("games")[0]["game"][:6]
    assert cli.value("state", short) == cli.value("state", GAME)


def test_the_log_is_a_timeline(cli: Cli) -> None:
    cli.ok(*ROLL)
    lines = cli.ok("log", GAME).splitlines()
    assert lines[0].split() == ["event", "time", "(UTC)", "author", "type", "what"]
    assert len(lines) == 1 + len(cli.value("log", GAME)["events"])
    assert types(cli.value("log", GAME, "--type", "roll", "--type", "reveal")) == ["roll", "reveal"]
    assert types(cli.value("log", GAME, "--author", "dana")) == ["join"]
    assert types(cli.value("log", GAME, "--limit", "1")) == ["reveal"]


def test_the_state_is_the_rules_state(cli: Cli) -> None:
    cli.ok(*ROLL)
    state = cli.value("state", GAME)
    assert state["waits_for"] is None
    text = cli.ok("state", GAME)
    for word in ("Parties", "host", "keeper", "Rolls", "Delina, Wild Mage", "Next", "rollproof do"):
        assert word in text


# --- files ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def exported(cli: Cli, tmp_path: Path) -> Path:
    cli.ok(*ROLL)
    cli.ok("magic", "resolve", GAME, "--as", "alice")
    file = tmp_path / "game.jsonl"
    cli.ok("export", GAME, "--out", file)
    return file


def test_a_log_goes_out_and_comes_in_byte_for_byte(cli: Cli, exported: Path, tmp_path: Path) -> None:
    assert cli.ok("export", GAME).encode() == exported.read_bytes()
    assert verify(exported.read_bytes())[0].verdict == "holds"
    other = ("--home", tmp_path / "other")
    told = cli.value("import", exported, *other)
    assert told["added"] == told["events"] == exported.read_bytes().count(b"\n")
    assert cli.ok("export", GAME, *other).encode() == exported.read_bytes()
    assert cli.value("import", exported, *other)["added"] == 0
    assert cli.value("state", GAME, *other) == cli.value("state", GAME)


def test_a_log_that_goes_on_adds_its_new_events(cli: Cli, exported: Path, tmp_path: Path) -> None:
    other = ("--home", tmp_path / "other")
    cli.ok("import", exported, *other)
    cli.ok("close", GAME, "--as", "host")
    cli.ok("export", GAME, "--out", exported, "--force")
    assert "new: 1" in cli.ok("import", tmp_path, *other)


def test_export_writes_over_nothing_unless_told(cli: Cli, exported: Path) -> None:
    before = exported.read_bytes()
    cli.ok("close", GAME, "--as", "host")
    assert "--force" in cli.refused("export", GAME, "--out", exported)
    assert exported.read_bytes() == before
    told = cli.value("export", GAME, "--out", exported, "--force")
    assert told["events"] == exported.read_bytes().count(b"\n") > before.count(b"\n")
    assert not list(exported.parent.glob(".*")), "no part of a file is left"


def test_a_tampered_log_is_kept_out_and_nothing_else_is_touched(cli: Cli, exported: Path, tmp_path: Path) -> None:
    cli.ok("new", "--keeper", "host", "--player", "alice", "--title", "Another")
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(exported.read_bytes().replace(b"count the copies", b"count THE copies"))
    before = stored(cli)
    result = cli("import", bad)
    assert result.code == 1
    assert "FAILS (something is wrong) at event" in result.out
    assert "signature.invalid" in result.out
    assert "kept out" in result.err
    assert stored(cli) == before
    result = cli("import", bad, "--json")
    assert (result.code, result.json["verdict"]) == (1, "fails")
    result = cli("import", bad, "--home", tmp_path / "other")
    assert result.code == 1
    assert cli.value("games", "--home", tmp_path / "other") == []


def test_one_bad_file_keeps_no_good_one_out(cli: Cli, exported: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no log\n")
    result = cli("import", bad, exported, tmp_path / "none.jsonl", "--home", tmp_path / "other")
    assert result.code == 2
    assert len(cli.value("games", "--home", tmp_path / "other")) == 1


def test_a_fork_is_kept_out(cli: Cli, exported: Path, tmp_path: Path) -> None:
    other = shutil.copytree(cli.home, tmp_path / "other")
    cli.ok(*ROLL)
    fork = tmp_path / "fork.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROLLPROOF_STATE", str(state_of(other)))
        cli.ok("leave", GAME, "--as", "alice", "--home", other)
        cli.ok("export", GAME, "--out", fork, "--home", other)
    before = stored(cli)
    assert "forked" in cli.refused("import", fork, code=1)
    assert stored(cli) == before


def test_read_tables_are_made_again(cli: Cli, exported: Path) -> None:
    before = stored(cli)
    connection = sqlite3.connect(cli.home / "ledger.db")
    connection.execute("DELETE FROM rolls")
    connection.commit()
    connection.close()
    assert cli.value("rebuild") == {"games": 1}
    assert stored(cli) == before
    assert "games: 1" in cli.ok("rebuild")


# --- verify --------------------------------------------------------------------------------------------------------


def test_verify_says_what_the_verifier_says(cli: Cli, exported: Path) -> None:
    text = cli.ok("verify", exported)
    assert "HOLDS" in text
    assert "trust: Nobody could choose or predict" in text
    assert "not checked:" in text
    report = cli.value("verify", exported)
    assert report["verdict"] == "holds"
    assert report["file"] == str(exported)
    stored_report = cli.value("verify", GAME)
    named = [text.replace(stored_report["file"], report["file"]) for text in stored_report["checked"]]
    assert {**stored_report, "file": report["file"], "checked": named} == report


def test_verify_exits_by_the_worst(cli: Cli, exported: Path, tmp_path: Path) -> None:
    bad = tmp_path / "tampered.jsonl"
    bad.write_bytes(exported.read_bytes()[:-2] + b"\n")
    assert cli("verify", exported, bad).code == 1
    (tmp_path / "zero.jsonl").write_bytes(b"")
    result = cli("verify", tmp_path, "--json")
    assert result.code == 2
    verdicts = [json.loads(line)["verdict"] for line in result.out.splitlines()]
    assert verdicts == ["holds", "fails", "unreadable"]
    result = cli("verify", tmp_path, "--summary")
    assert result.code == 2
    assert "Logs: 3. Games: 1. Hold: 1. Fail: 1. Could not be read: 1." in result.out


def test_verify_knows_what_its_caller_knows(cli: Cli, exported: Path) -> None:
    (game,) = cli.value("games")
    key = cli.ok("identity", "show", "alice").strip()
    cli.ok("verify", exported, "--game", game["game"], "--key", key)
    result = cli("verify", exported, "--game", "00" * 32, "--json")
    assert (result.code, result.json["findings"][0]["code"]) == (1, "expect.game")


# --- rules ---------------------------------------------------------------------------------------------------------


def test_rules_are_listed_and_shown(empty: Cli) -> None:
    assert "mtg-706-2023-11-17" in [row["system"] for row in empty.value("rules", "list")]
    assert "Magic: The Gathering" in empty.ok("rules", "list")
    assert "706.3b" in empty.ok("rules", "show", "mtg")
    shown = empty.value("rules", "show", "mtg-706-2023-11-17")
    assert shown["agreement"] == "706.1b"
    assert {"number", "asks", "enforced"} <= set(shown["clauses"][0])
    assert not empty.home.exists(), "reading rules needs no home"


def script(tmp_path: Path, *events: dict[str, Any], **members: Any) -> Path:
    file = tmp_path / "script.json"
    file.write_text(
        json.dumps(
            {
                "format": "rollproof/script/v1",
                "system": "mtg-706-2023-11-17",
                "options": {"planechase": False},
                "parties": {"host": "keeper", "alice": "player", "bob": "player"},
                "events": events,
                **members,
            }
        )
    )
    return file


WHAT_IF = {
    "author": "alice",
    "type": "roll",
    "body": {"source": "Delina", "dice": "d20", "use": "compare", "modifiers": [{"source": "x", "amount": 2}]},
    "naturals": [7],
}
RESOLVE = {"author": "alice", "type": "resolve", "body": {"roll": 1}}


def test_a_judges_what_if_shows_the_state(empty: Cli, tmp_path: Path) -> None:
    file = script(tmp_path, WHAT_IF, RESOLVE)
    assert "d20 (7) + 2 = 9" in empty.ok("rules", "check", file)
    told = empty.value("rules", "check", file)
    assert told["holds"]
    assert told["violation"] is None
    assert told["state"]["rolls"][0]["dice"][0]["result"] == 9


def test_a_violation_names_its_clause(empty: Cli, tmp_path: Path) -> None:
    result = empty("rules", "check", script(tmp_path, WHAT_IF, RESOLVE, RESOLVE))
    assert result.code == 1
    assert result.out.startswith("event 3 breaks 706.3b: ")
    result = empty("rules", "check", script(tmp_path, WHAT_IF, {**RESOLVE, "author": "bob"}), "--json")
    assert result.code == 1
    assert result.json["violation"]["seq"] == 2
    assert result.json["violation"]["clause"] == "706.3b"


def test_an_expectation_is_met_or_not(empty: Cli, tmp_path: Path) -> None:
    met = script(tmp_path, WHAT_IF, RESOLVE, expect={"state": {"requests": 1}})
    assert "what the script expects" in empty.ok("rules", "check", met)
    result = empty("rules", "check", script(tmp_path, WHAT_IF, expect={"violation": {"seq": 1, "clause": "706.1"}}))
    assert result.code == 1
    assert "expects that event 1 breaks 706.1, but all its events are allowed" in result.out


def test_the_conformance_scripts_are_checked_at_once(empty: Cli) -> None:
    files = [VECTORS / "scripts" / "mtg" / f"{clause}.json" for clause in ("706.6", "706.5")]
    result = empty("rules", "check", *files)
    assert result.code == 0, result
    there = [(file, each.name) for file in files for each in vectors("mtg") if each.clause == file.stem]
    assert result.out.splitlines() == [f"{file}: {name}: as expected" for file, name in there]
    assert len(there) > 20
    values = [json.loads(line) for line in empty("rules", "check", *files, "--json").out.splitlines()]
    told = [(value["file"], value["script"], value["holds"]) for value in values]
    assert told == [(str(file), name, True) for file, name in there]


def test_one_script_of_a_file_is_checked_alone(empty: Cli, tmp_path: Path) -> None:
    file = VECTORS / "scripts" / "mtg" / "706.6.json"
    alone = tmp_path / "alone.json"
    alone.write_bytes(vector("mtg/706.6--barbarian-class").data)
    told = empty.ok("rules", "check", file, "--only", "barbarian-class")
    assert "This is what the script expects." in told
    assert told == empty.ok("rules", "check", alone)
    values = [
        empty.value("rules", "check", file, "--only", "barbarian-class"),
        empty.value("rules", "check", alone),
    ]
    assert [value.pop("script") for value in values] == ["barbarian-class", None]
    assert values[0] | {"file": ""} == values[1] | {"file": ""}
    for wrong in ((file, "--only", "barbarian"), (alone, "--only", "barbarian-class")):
        assert "it has no script" in empty.refused("rules", "check", *wrong, code=2)


def test_of_several_scripts_each_has_its_verdict_and_the_worst_counts(empty: Cli, tmp_path: Path) -> None:
    def one(*events: dict[str, Any], **members: Any) -> Any:
        return json.loads(script(tmp_path, *events, **members).read_bytes())

    several = {
        "allowed": one(WHAT_IF, RESOLVE),
        "refused": one(WHAT_IF, RESOLVE, RESOLVE),
        "other": one(WHAT_IF, expect={"state": {"requests": 2}}),
        "met": one(WHAT_IF, expect={"state": {"requests": 1}}),
    }
    file = tmp_path / "several.json"
    file.write_text(json.dumps({"format": "rollproof/scripts/v1", "scripts": several}))
    result = empty("rules", "check", file)
    assert result.code == 1
    verdicts = [line for line in result.out.splitlines() if line.startswith(f"{file}: ")]
    assert [line.removeprefix(f"{file}: ") for line in verdicts] == [
        "allowed: holds",
        "refused: FAILS",
        "other: FAILS",
        "met: as expected",
    ]
    assert "event 3 breaks 706.3b: " in result.out
    assert "the script expects requests to be 2, but it is 1" in result.out
    several["unplayable"] = one(WHAT_IF | {"naturals": [21]})
    file.write_text(json.dumps({"format": "rollproof/scripts/v1", "scripts": several}))
    result = empty("rules", "check", file)
    assert result.code == 2
    assert f"{file}: unplayable: event 1: natural 1 is 21, but the die has 20 sides" in result.err
    assert f"{file}: met: as expected" in result.out


# --- demo and bench ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("held", "code"), [(True, 0), (False, 1)])
def test_the_demo_exits_by_its_outcome(
    empty: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, held: bool, code: int
) -> None:
    def run(directory: Path, say: Any, systems: Iterable[str] = (), **options: Any) -> bool:
        say(f"in {directory.name}, {options.get('system')}, {list(systems)}")
        return held

    monkeypatch.setattr("ledger.demo.run", run)
    monkeypatch.setattr("ledger.demo.run_all", run)
    result = empty("demo", "--dir", tmp_path / "logs", "--all")
    assert (result.code, result.out) == (code, f"in logs, None, {list(SYSTEMS)}\n")
    result = empty("demo", "--dir", tmp_path / "logs", "--all", "--system", "magic")
    assert (result.code, result.out) == (code, f"in logs, None, ['{games()['magic']}']\n")
    result = empty("demo", "--dir", tmp_path / "logs", "--system", "magic")
    assert (result.code, result.out) == (code, f"in logs, {games()['magic']}, []\n")
    result = empty("demo", "--dir", tmp_path / "logs", "--json")
    assert (result.code, result.json["holds"]) == (code, held)
