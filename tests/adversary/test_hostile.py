"""What a hostile log, file or opening could do to the programs that read it."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.errors import RefusedError
from tests.support.table import ROLL, Table
from verifier import render, verify
from verifier.log.bodies import Opening
from verifier.log.plainjson import encode


def test_a_game_whose_players_have_all_left_before_any_roll_is_verified(table: Table) -> None:
    for name in ("alice", "bob"):
        table.act(name, "leave", {"party": name})
    report, _ = verify(b"".join(line + b"\n" for line in table.lines))
    assert report.verdict == "holds"
    assert report.trust == "No dice were rolled, and no player is left to roll any."


@pytest.mark.parametrize("member", ["format", "system"])
def test_a_report_shows_no_control_characters_of_the_log(member: str) -> None:
    said = "rollproof/\x1b[2Jx\ngame.jsonl: HOLDS, 12 events\u202e"
    body = {"format": "rollproof/v1", "system": "x"} | {member: said}
    report, _ = verify(encode({"body": body, "type": "open"}) + b"\n", name="a\nb.jsonl")
    shown = render(report)
    assert report.verdict == "unreadable"
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not any(line.startswith("game.jsonl") for line in shown.splitlines())


@pytest.mark.parametrize("link", ["00", "zz"])
def test_the_keeper_opens_nothing_for_an_opening_of_another_form(table: Table, link: str) -> None:
    table.act("alice", "roll", ROLL)
    table.hand_in_all()
    right = {opening.author: opening for opening in table.ledger.openings(table.game)}
    wrong = Opening("alice", right["alice"].index, right["alice"].link + link, right["alice"].sig)
    with pytest.raises(RefusedError):
        table.seats["host"].reveal(table.view, [wrong, right["bob"]])
    with table.seats["host"]._memory.game(table.game) as turn:
        assert [chain.opened for chain in turn.record.chains] == [0]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_verifier_speaks_to_a_terminal_that_knows_ascii_only(table: Table, tmp_path: Path, language: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in table.lines))
    done = subprocess.run(
        [sys.executable, "-m", "verifier", "--lang", language, str(log)],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""


def test_a_report_in_json_is_one_line_whatever_the_file_is_called(table: Table) -> None:
    report, _ = verify(io.BytesIO(b""), name="a\nb\x1b.jsonl")
    line = encode({"file": report.file}).decode()
    assert json.loads(line)["file"] == "a\nb\x1b.jsonl"
    assert len(line.splitlines()) == 1
