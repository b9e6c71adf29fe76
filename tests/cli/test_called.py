"""Called names, as they are typed and kept (specs/log.md, "Called names")."""

from pathlib import Path

import pytest

from ledger.cli.describe import with_called
from ledger.seats.snapshots import members_of, take_up
from rules.actions import Action
from rules.data.language import Message
from tests.conftest import SPECS
from tests.support.cli import PASSPHRASE, Cli, make_identity, on_terminal
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


@pytest.fixture
def bridge(cli: Cli) -> Cli:
    """A game of any dice; the game master and a player are called otherwise than their keys."""
    make_identity(cli.home, "gil")
    called = [word for text in ("gil=Gilda", "alice=Anna") for word in ("--called", text)]
    cli.ok(*NEW, "--gm", "gil", *called)
    for name in ("alice", "bob", "gil"):
        cli.ok("join", "Scene", "--as", name)
    return cli


CALL = ("dice", "declare", "call", "Scene", "vs", "15", "for")


def test_offers_say_what_each_is_called_and_what_is_typed(bridge: Cli) -> None:
    actions = bridge.value("do", "Scene", "--as", "gil")["actions"]
    (calling,) = [each for each in actions if each["body"] == {"what": "call"}]
    (whom,) = [field for field in calling["fields"] if field["name"] == "parties"]
    assert [(each["value"], each["label"]) for each in whom["options"]] == [
        ("alice", "Anna"),
        ("bob", "bob"),
        ("gil", "Gilda"),
    ]
    bridge.ok(*CALL, "the rope", "--as", "gil")
    assert "Nothing is waited for. What Anna (alice) can do:" in bridge.ok("state", "Scene")
    bridge.ok(*CALL, "the bridge", "--as", "gil")
    asked = bridge("dice", "roll", "Scene", "--as", "alice").err
    for source in ("the rope", "the bridge"):
        assert f"answer the call of Gilda (gil): {source}" in asked
        assert f"answer the call of Gilda (gil): {source}" in bridge.ok("do", "Scene", "--as", "alice")
    waits = bridge.waits("roll", "Scene", "d20", "--request-only", "--as", "bob")
    assert "The dice wait for Anna (alice) to open:" in waits
    assert "The dice wait for bob to open:" in waits
    assert "There is nothing that Anna (alice) can do now." in bridge.ok("do", "Scene", "--as", "alice")
    assert "Anna (alice) can do" in bridge.refused("do", "Scene", "99", "--as", "alice")


@pytest.mark.long
def test_prompts_say_what_each_is_called_and_take_the_names_of_keys(bridge: Cli) -> None:
    for source in ("the rope", "the bridge"):
        bridge.ok(*CALL, source, "--as", "gil")
    env = {"ROLLPROOF_HOME": str(bridge.home), "ROLLPROOF_LANG": "en", "ROLLPROOF_PASSPHRASE": PASSPHRASE}
    answers = [("Which? Its number", "3"), ("(gil): the bridge, for example", "d20")]
    code, shown = on_terminal("dice", "roll", "Scene", "--as", "alice", env=env, columns=100, answers=answers)
    assert "3  answer the call of Gilda (gil): the bridge" in shown
    assert code == 0, shown


def test_who_goes_on_and_what_is_due_are_said_with_called_names(cli: Cli) -> None:
    make_identity(cli.home, "gil")
    cli.ok("doubledown", *NEW[1:], "--gm", "gil", "--called", "gil=Gilda", "--called", "alice=Anna")
    for name in ("alice", "bob", "gil"):
        cli.ok("join", "Scene", "--as", name)
    for name in ("alice", "bob"):
        sheet = f"{name}; stats agility 3; track 1 1 2; tags rogue 2"
        cli.ok("doubledown", "declare", "sheet", "Scene", sheet, "--as", name)
        cli.ok("doubledown", "declare", "confirm", "Scene", "--as", "gil")
    told = cli.ok("doubledown", "declare", "call", "Scene", "agility 10 for alice, bob: Lift the gate", "--as", "gil")
    assert "Anna (alice) goes on: contribute to Lift the gate; roller: alice (Anna), bob:" in " ".join(told.split())
    assert "bob goes on: contribute to Lift the gate; roller: alice (Anna), bob:" in " ".join(told.split())


def test_labels_of_actions_say_what_each_is_called() -> None:
    label = Message("answer the call of {gm}: {source}", gm="alice", source="ask alice")
    more = Message("{action}, for {player}", action=label, player="bob")

    def told(label: Message, called: dict[str, str]) -> str:
        return with_called(Action("roll", label, None), called).label.message()

    assert told(label, {"alice": "アリス"}) == "answer the call of アリス (alice): ask alice"
    assert told(label, {}) == "answer the call of alice: ask alice"
    assert told(more, {"alice": "A"}) == "answer the call of A (alice): ask alice, for bob"


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
