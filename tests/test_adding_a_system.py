"""The guide specs/adding-a-system.md, followed with a small system (tests/highroll/)."""

from pathlib import Path

import pytest

import rules
from ledger.demo.table import Table
from rules import script
from tests.highroll import HighRoll, Options, RerollBody, ResolveBody, RollBody
from verifier import verify

FOLDER = Path(__file__).with_name("highroll")
SCRIPTS = sorted(FOLDER.glob("*.json"))


@pytest.fixture(autouse=True)
def _one_line_in_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules._HOMES, HighRoll.id, "tests.highroll:HighRoll")


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_its_scripts_come_out_as_expected(path: Path) -> None:
    read = script.read(path.read_bytes())
    assert script.differences(read, script.run(read)) == []


def test_each_of_its_clauses_names_a_script_of_both_kinds() -> None:
    names = {path.stem for path in SCRIPTS}
    assert {clause.holds for clause in HighRoll.clauses} | {clause.violates for clause in HighRoll.clauses} == names


def test_a_game_of_it_is_played_through_the_ledger_and_verified(tmp_path: Path) -> None:
    said: list[str] = []
    table = Table(tmp_path, said.append, {"host": "keeper", "alice": "player", "bob": "player"})
    try:
        table.open(HighRoll.id, Options(), "High Roll")
        roll = table.act("alice", "roll", RollBody("3d6"))
        table.act("alice", "reroll", RerollBody(roll, (1, 3)))
        table.act("alice", "resolve", ResolveBody(roll))
        table.show(roll)
        table.finish()
        log = b"".join(line + b"\n" for line in table.lines())
    finally:
        table.close()
    report, _ = verify(log)
    assert (report.verdict, report.findings) == ("holds", ())
    assert report.state is not None
    assert report.state["rolls"][0]["total"] == sum(die["result"] for die in report.state["rolls"][0]["dice"])
    assert said[0].startswith("  alice: 3d6 (~~")
