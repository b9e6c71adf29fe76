"""Called names, as they are typed and kept (specs/log.md, "Called names")."""

from pathlib import Path

import pytest

from ledger.cli.describe import label_told
from ledger.seats.snapshots import members_of, take_up
from rules.data.language import Message
from tests.conftest import SPECS
from tests.support.cli import Cli, make_identity
from verifier import Replay

LOGS = SPECS / "vectors" / "logs"
NEW = ("dice", "new", "--keeper", "host", "--player", "alice", "--player", "bob", "--title", "Scene")


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    cli = Cli(tmp_path / "home", capsys, monkeypatch)
    for name in ("host", "alice", "bob"):
        make_identity(cli.home, name)
    return cli


def test_the_keeper_says_what_each_is_called_and_a_report_says_both_names(cli: Cli) -> None:
    cli.ok(*NEW, "--called", "alice=アリス", "--called", "bob=בוב")
    assert "アリス (alice)" in cli.ok("state", "Scene")
    assert "アリス (alice), join" in cli.ok("join", "Scene", "--as", "alice")
    assert "アリス (alice)" in cli.ok("log", "Scene")
    report = cli.ok("verify", "Scene")
    assert "compare the keys of host, alice (アリス) and \u2068bob (בוב)\u2069 with what they gave you" in report


def test_labels_of_actions_say_what_each_is_called(cli: Cli) -> None:
    make_identity(cli.home, "gil")
    cli.ok(
        "dice",
        "new",
        "--keeper",
        "host",
        "--player",
        "alice",
        "--gm",
        "gil",
        "--title",
        "Bridge",
        "--called",
        "gil=Gilda",
    )
    for name in ("alice", "gil"):
        cli.ok("join", "Bridge", "--as", name)
    cli.ok("dice", "declare", "call", "Bridge", "vs", "15", "for", "Dexterity save", "--as", "gil")
    assert "answer the call of Gilda (gil): Dexterity save" in cli.ok("do", "Bridge", "--as", "alice")
    label = Message("answer the call of {gm}: {source}", gm="alice", source="ask alice")
    assert label_told(label, {"alice": "アリス"}, str) == "answer the call of アリス (alice): ask alice"
    assert label_told(label, {}, str) == "answer the call of alice: ask alice"
    more = Message("{action}, for {player}", action=label, player="bob")
    assert label_told(more, {"alice": "A"}, str) == "answer the call of A (alice): ask alice, for bob"


@pytest.mark.parametrize(
    ("called", "told"),
    [
        (["アリス"], "--called is NAME=TEXT"),
        (["carol=Carol"], "NAME one of host, alice, bob"),
        (["alice=A", "bob=A"], "is called like"),
        (["alice=bob"], "is called like"),
        (["alice= Alice"], "neither begins nor ends with a blank"),
    ],
)
def test_what_nobody_can_be_called_is_refused(cli: Cli, called: list[str], told: str) -> None:
    options = [word for text in called for word in ("--called", text)]
    assert told in cli.refused(*NEW, *options)


def test_a_snapshot_has_what_those_are_called_who_came_later() -> None:
    lines = (LOGS / "holds--called-and-comes-later.jsonl").read_bytes().splitlines()
    replay, taken_up = Replay(), Replay()
    for line in lines:
        replay.step(line)
    taken_up.step(lines[0])
    take_up(taken_up, members_of(replay))
    assert taken_up.terms.called == replay.terms.called == {"alice": "アリス", "carol": "カロル"}


def test_the_page_to_file_and_the_statistics_say_what_each_is_called(cli: Cli, tmp_path: Path) -> None:
    """In a report the table of parties has both names, a roll the called one, and luck both; a Hebrew name too."""
    cli.ok(*NEW, "--called", "alice=アリス", "--called", "bob=בוב")
    for command in (("join", "Scene"), ("roll", "Scene", "d20")):
        for name in ("alice", "bob"):
            cli.ok(*command, "--as", name)
    pytest.importorskip("jinja2")
    cli.ok("report", "Scene", "--out", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert '<th scope="row"><bdi>アリス (alice)</bdi></th>' in page
    assert "<bdi>בוב</bdi>, <bdi>" in page
    assert "アリス (alice), d20" in page
    players = [test["player"] for test in cli.value("stats", "Scene")["tests"]]
    assert {"アリス (alice)", "\u2068בוב (bob)\u2069"} <= set(players)
