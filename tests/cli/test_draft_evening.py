"""The evening of specs/guide/draft.md: each command is typed as it stands there, and none is refused for its form."""

import re
import shlex
from pathlib import Path

import pytest

from ledger.home import Home
from tests.conftest import SPECS
from tests.support.cli import QUICK, Cli

PAGE = SPECS / "guide" / "draft.md"


def commands() -> list[str]:
    """All commands of the page, without `rollproof`, in its order."""
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [line.removeprefix("$ rollproof ") for block in blocks for line in block.splitlines()]


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    make = Home.new_identity
    monkeypatch.setattr(Home, "new_identity", lambda self, name, passphrase: make(self, name, passphrase, QUICK))
    return Cli(tmp_path / "home", capsys, monkeypatch)


def test_the_page_says_how_many_commands_the_evening_takes() -> None:
    told = re.search(r"all (\d+) commands", PAGE.read_text(encoding="utf-8"))
    assert told is not None
    assert int(told[1]) == len(commands())


@pytest.mark.long
def test_every_command_of_the_evening_is_taken_as_it_is_typed(cli: Cli) -> None:
    for typed in commands():
        result = cli(*shlex.split(typed))
        assert result.code == 0, (typed, result.err)
    rolls = cli.value("state", "draft")["rolls"]
    thumb, night = (
        [roll for roll in rolls if roll["standing"] == [1]],
        [roll for roll in rolls if roll["standing"] == [2]],
    )
    assert [len(roll["dice"]) for roll in thumb] == [2, 2]
    assert [roll["effects"][0]["answer"] for roll in night] == ["applied"]
    left_out = [roll["without"] for roll in rolls if roll["without"]]
    assert [[(one["source"], one["why"]) for one in each] for each in left_out] == 2 * [
        [("Night Shift of the Living Dead", "left out")]
    ]
    flips = [roll for roll in rolls if roll["call"] == "heads"]
    assert [roll["won"] == roll["heads"] for roll in flips] == [True]
    assert [roll["triggered"] for roll in rolls if roll["random"]] == [[]]
    assert Path("draft.jsonl").exists()
