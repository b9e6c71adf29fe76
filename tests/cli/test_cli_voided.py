"""What the command line tells of rolls that ended without dice, of those that are owed, and of calls."""

import shlex
import shutil
from pathlib import Path

import pytest

from ledger.cli.describe import summary
from ledger.cli.hints import call_lines
from rules.protocol import Phase
from tests.conftest import SPECS
from tests.support.cli import PASSPHRASE, Cli, make_home
from verifier import Replay, verify
from verifier.shell.display import voided_row

LOGS = SPECS / "vectors" / "logs"
GAME = "Table 12"
ROLL = ("roll", GAME, "2d20 Delina's \u05d3 'quoted': 15 or more: again", "--as", "alice")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(Path(shutil.copytree(begun, tmp_path / "home")), capsys, monkeypatch)


def call_off(cli: Cli, *roll: str) -> None:
    """The judge calls the roll off, as bob does not open; nor does alice, who closes it."""
    cli.only("alice", "host", "dana")
    cli.waits(*roll)
    cli.ok("void", GAME, "--as", "dana", "--missing", "bob")
    cli.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", PASSPHRASE)


def typed_for(told: str, words: str) -> list[str]:
    """The command that stands below the line with these words, without the program's name."""
    lines = told.splitlines()
    at = next(number for number, line in enumerate(lines) if words in line)
    return shlex.split(lines[at + 1])[1:]


def test_what_is_owed_is_told_with_a_command_that_does_it(cli: Cli) -> None:
    call_off(cli, *ROLL)
    told = cli.ok("state", GAME)
    command = typed_for(told, "ask again for what was voided, the roll of event 7:")
    assert command[:2] == ["roll", cli.value("games")[0]["game"][:12]]
    assert "the same again" in cli.refused("roll", GAME, "d6 x: y", "--as", "alice")
    assert [event["type"] for event in cli.value(*command)["events"]] == ["roll", "reveal"]
    assert "ask again" not in cli.ok("state", GAME)


def test_to_leave_tells_first_what_is_owed_and_the_command_that_makes_it_again(
    cli: Cli, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_off(cli, *ROLL)
    other = Path(shutil.copytree(cli.home, cli.home.with_name("other")))
    left = cli("leave", GAME, "--as", "alice")
    assert left.code == 0
    assert "alice still owes the roll of event 7, which was voided: each report of this game will say" in left.err
    assert "alice, leave: leaves the game" in left.out
    assert "When alice left, alice still owed the roll of event 7" in " ".join(cli.ok("verify", GAME).split())
    # What it says to type instead is enough: nothing is owed then, and nothing is said.
    cli = Cli(other, capsys, monkeypatch)
    cli.ok(*typed_for(left.err, "It is made again by:"))
    cli.ok("leave", GAME, "--as", "alice")
    assert "still owed" not in cli.ok("verify", GAME)


def test_whoever_owes_nothing_leaves_without_a_word_and_a_judge_reads_what_another_owes(cli: Cli) -> None:
    call_off(cli, *ROLL)
    cli.ok("leave", GAME, "--as", "bob")
    taken = cli("leave", GAME, "--party", "alice", "--as", "dana", "--json")
    assert "alice still owes the roll of event 7" in taken.err
    assert taken.json["events"][0]["body"]["party"] == "alice"


def test_a_long_request_is_owed_with_a_short_command(cli: Cli) -> None:
    rows = [f"{n}: {'effect ' * 20}{n}" for n in range(1, 20)]
    call_off(cli, "roll", GAME, " | ".join(["d20 x", *rows, "20: nothing"]), "--as", "alice")
    command = typed_for(cli.ok("state", GAME), "the roll of event 7:")
    assert command == ["roll", cli.value("games")[0]["game"][:12], "--as", "alice"]
    assert [event["type"] for event in cli.value(*command)["events"]] == ["roll", "reveal"]


def test_the_state_tells_rolls_without_dice(cli: Cli) -> None:
    assert "Rolls without dice" not in cli.ok("state", GAME)
    call_off(cli, *ROLL)
    told = cli.ok("state", GAME)
    row = told.partition("Rolls without dice")[2].splitlines()[2]
    assert row.split()[:2] == ["7", "alice"]
    assert "dana (void, event 8)" in row
    assert "bob, says dana" in row
    assert "not known: the link of alice, bob is missing" in row
    cli.ok(*typed_for(told, "ask again for what was voided"))
    assert "the link of" not in cli.ok("state", GAME), "with the next roll their links are known"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("holds--void-undisclosed", "not disclosed yet"),
        ("holds--void-hidden", "not known: the link of"),
        ("holds--left-without-dice", "host (close, event 10)"),
        ("holds--left-without-dice-hidden", "not known: the link of"),
        ("holds--void-known-by-the-link-of-a-commit", "(void, event "),
    ],
)
def test_a_roll_without_dice_in_one_row(name: str, told: str) -> None:
    _, replay = verify((LOGS / f"{name}.jsonl").read_bytes())
    assert replay is not None
    rows = [voided_row(roll, replay) for roll in replay.voided]
    assert any(told in str(cell) for row in rows for cell in row)
    for row, roll in zip(rows, replay.voided, strict=True):
        assert row[:2] == (roll.pending.seq, roll.pending.roller)
        assert all(name in row[3] for name in roll.missing)
        assert not roll.naturals or row[4] == ", ".join(map(str, roll.naturals))


def test_calls_that_wait_for_others_are_told() -> None:
    """In the order of the parties, whoever called first; as long as the calls stand."""
    seen = set[str]()
    for path in LOGS.glob("holds--away-*.jsonl"):
        replay = Replay()
        for line in path.read_bytes().splitlines():
            replay.step(line)
            if replay.session.phase is Phase.IDLE:
                calls = call_lines(replay, "9c31", replay.terms.keys, str)
                assert len(calls) == len(replay.session.parties.calls)
                seen.update(calls)
    told = "host, alice called bob away; for it to take effect carol must call too:"
    assert f"{told}\n  rollproof away 9c31 --party bob --as carol" in seen
    assert any(each.count("--party bob --as") == 1 and each.startswith("alice called bob") for each in seen)


def test_events_that_end_rolls_or_take_somebody_out_in_a_line() -> None:
    def told(type: str, **body: object) -> str:
        return summary({"seq": 9, "author": "host", "type": type, "body": body}, "mtg-706-2023-11-17", str)

    assert told("close") == "the game is over"
    assert told("close", openings=[]) == "the game is over; no dice for event 8; opened for it: none"
    assert told("away", party="bob") == "signs bob away"
    assert told("leave", party="bob", burned="0" * 64) == "takes bob out of the game"
