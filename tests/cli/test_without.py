"""Rolls that were made without somebody (specs/protocol.md), as reports and figures have them."""

import shutil
from pathlib import Path

import pytest

from ledger.analysis.explanation import explain
from ledger.analysis.luck import LuckTally, caveats
from ledger.season.rows import decode, make_reader
from tests.conftest import SPECS
from tests.support.cli import Cli
from tests.support.cli_scene import Scene, begin
from verifier import verify
from verifier.shell.rolls import roll_lines

LOGS = SPECS / "vectors" / "logs"


def lines(name: str) -> list[bytes]:
    return (LOGS / f"{name}.jsonl").read_bytes().splitlines()


def tally(name: str) -> LuckTally:
    found = LuckTally()
    found.add(lines(name))
    return found


@pytest.mark.parametrize(
    ("name", "counted", "without"),
    [
        ("holds--without-bob", 2, {"bob": 2}),
        ("holds--without-bob-who-accepts", 2, {"bob": 1}),
        ("holds--without-bob-who-accepts-later", 2, {}),
        ("holds--without-bob-by-his-own-word", 1, {}),
        ("holds--without-bob-in-rolls-of-his-own-alone", 3, {}),
        ("holds--without-two", 1, {"carol": 2}),
    ],
)
def test_luck_and_seasons_leave_them_out_until_they_are_accepted(
    name: str, counted: int, without: dict[str, int]
) -> None:
    luck = tally(name).luck()
    assert sum(test.dice for test in luck.tests if test.player is not None) == counted
    assert luck.without == without
    told = " ".join(caveats(luck))
    assert ("made without bob, who has not accepted them: 2" in told) == (without == {"bob": 2})
    rows = decode(make_reader((LOGS,))(str(LOGS / f"{name}.jsonl").encode()))
    assert sum(len(roll.sides) for roll in rows.throws) == counted
    assert sum(bool(roll.without) for roll in rows.throws) == sum(without.values())


def test_each_roll_says_without_whom_it_was_made() -> None:
    _, replay = verify((LOGS / "holds--without-bob-who-accepts.jsonl").read_bytes())
    assert replay is not None
    told = [line.rpartition(": ")[2] for line in roll_lines(replay)[1:]]
    assert told == ["fair; without bob, who accepted it"] * 2 + ["fair; without bob"]


def test_a_reroll_is_no_roll_before_those_that_are_shown() -> None:
    _, replay = verify((LOGS / "holds--reroll-without-bob.jsonl").read_bytes())
    assert replay is not None
    told = roll_lines(replay)
    assert len(told) == 2, told
    assert told[1].endswith("fair; without bob")
    replay.conduct.rolls[2] = None  # a roll that the state keeps no more
    assert roll_lines(replay)[1] == "  Only the latest rolls are shown; of fair ones before them: 1."


def test_an_explanation_says_so_too() -> None:
    of = lines("holds--without-bob-who-accepts")
    requests = [number for number, line in enumerate(of) if b'"type":"roll"' in line]
    drawn = [explain(lambda: of, seq, "log.jsonl").draws[0] for seq in requests]
    assert [draw.without for draw in drawn] == [("bob",)] * 3
    assert [draw.unaccepted for draw in drawn] == [(), (), ("bob",)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begin(tmp_path_factory.mktemp("without") / "home", "dice", "--others-away")


@pytest.fixture
def scene(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(Cli(shutil.copytree(home, tmp_path / "home"), capsys, monkeypatch))


def test_who_is_back_accepts_what_was_rolled_meanwhile(scene: Scene) -> None:
    for name in ("alice", "host"):
        scene(f"away GAME --party bob --as {name}")
    scene("roll GAME d20 --as alice")
    rolls = scene.cli.ok("verify", "Scene", "--rolls")
    assert "fair; without bob\n" in rolls
    assert "bob has accepted 0 of them" in rolls
    back = scene.cli("back", "Scene", "--accept", "--as", "bob")
    assert (back.code, "host signed bob away" in back.err) == (0, True)
    assert "accepts the rolls that were made meanwhile" in scene.cli.ok("log", "Scene")
    assert "fair; without bob, who accepted it" in scene.cli.ok("verify", "Scene", "--rolls")
    number = str(scene.state["rolls"][-1]["roll"])
    assert "bob has accepted it" in scene.cli.ok("explain", "Scene", number)


def test_a_judge_accepts_for_nobody(scene: Scene) -> None:
    for name in ("alice", "host"):
        scene(f"away GAME --party bob --as {name}")
    told = scene.cli.refused("back", "Scene", "--party", "bob", "--accept", "--as", "alice")
    assert "only bob can accept" in told
