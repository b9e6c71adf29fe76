"""`rollproof event` at a server: organizer, judge and players with homes of their own (specs/event.md)."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.event_server import EventServer
from ledger.client.connection import Connection
from ledger.home import Home
from ledger.seats.identity import Identity
from tests.server.machines import until
from tests.server.served import ROOMY, Server, serving, with_limits
from tests.support.cli import Cli, make_identity
from verifier.event.bundle import read_manifest
from verifier.shell.command import run as run_verifier

pytestmark = pytest.mark.long
EVENT = "Spring Open"


class Hall:
    """A server, and homes of their own for everybody."""

    def __init__(
        self, folder: Path, server: Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.folder, self.server = folder, server
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def at(self, name: str) -> Cli:
        return Cli(self.folder / name, self._capsys, self._monkeypatch)

    def key(self, name: str) -> str:
        return str(Home(self.folder / name).key(name))

    def does(self, name: str, verb: str, *words: str | Path) -> Any:
        """The JSON of a command of the event, by whoever has this home."""
        return self.at(name).value("event", verb, EVENT, *words)

    def status(self, name: str = "olga") -> Any:
        return self.does(name, "status")

    def begin(self) -> list[str]:
        """The event, with four players who are in, and a head judge; the links of the players."""
        self.at("olga").ok(
            *("event", "new", EVENT, "--server", self.server.address, "--game", "dice", "--rounds", "3", "--as", "olga")
        )
        file, codes = self.folder / "players.csv", self.folder / "codes.csv"
        file.write_text("No,Player\n1,Alice Ito\n2,Bob Meyer\n3,Carol\n4,Dave Okafor\n")
        self.does("olga", "register", file, "--codes", codes, "--as", "olga")
        event = self.status()["event"]
        link = f"{self.server.address}/e/{event}"
        self.at("dana").ok("event", "import", link)
        self.does("olga", "appoint", str(Home(self.folder / "dana").key("dana")), "--role", "head", "--as", "olga")
        rows = [line.split(",") for line in codes.read_text().splitlines()]
        assert rows[0] == ["number", "name", "code", "link"]
        links = [row[3] for row in rows[1:]]
        assert links == [f"{link}#{code}" for _, _, code, _ in rows[1:]], "what each person is sent"
        for number, each in enumerate(links, 1):
            self.at(f"p{number}").ok("event", "import", each)
            self.does(f"p{number}", "check-in", "-p", str(number), "--as", f"p{number}")
        return links

    def pair(self, *rows: str) -> None:
        file = self.folder / "round.csv"
        file.write_text("Table,Player 1,Player 2\n" + "".join(f"{row}\n" for row in rows))
        self.does("olga", "pair", file, "--as", "olga")
        self.does("olga", "start", "--as", "olga")
        until(lambda: all("game" in table for table in self.status()["rounds"][-1]["tables"]))


def served(hall: Hall, name: str) -> bytes:
    """The bundle as the desk of somebody with this home gets it from the server."""
    (path,) = (hall.folder / name / "events").glob("*.server.json")
    known = json.loads(path.read_text())
    address = f"{known['address']}/v1/events/{path.name.partition('.')[0]}/bundle"
    asked = urllib.request.Request(address, headers={"Authorization": f"Bearer {known['token']}"})
    with urllib.request.urlopen(asked) as answer:
        data: bytes = answer.read()
    return data


@pytest.fixture
def hall(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    for name in ("olga", "dana", "p1", "p2", "p3", "p4"):
        make_identity(tmp_path / name, name)
    key = str(Home(tmp_path / "olga").key("olga"))
    root = tmp_path / "hall"
    with serving(root, "--organizer", key, *with_limits(root, ROOMY)) as server:
        yield Hall(tmp_path, server, capsys, monkeypatch)


def test_a_round_is_played_by_commands_and_ends_in_a_bundle(
    hall: Hall, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.begin()
    hall.pair("11,1,2", "14,3,4")
    for name in ("p1", "p2"):
        hall.at(name).ok("event", "join", EVENT, "--links", "16", "--as", name)
    title = "Spring Open, round 1, table 11"
    waiting = hall.at("p1")("roll", title, "2d6 for the gate", "--as", "p1")
    assert waiting.code == 75, waiting
    hall.at("p2").ok("open", title, "--as", "p2")
    hall.at("p1").ok("show", title)
    with urllib.request.urlopen(f"{hall.server.address}/v1/server") as answer:
        judge = json.loads(answer.read())["judge"]
    parties = json.dumps(hall.at("p1").value("log", title)["events"][0]["body"]["parties"])
    assert judge, "the server has a judge"
    assert (str(hall.key("p1")) in parties, judge in parties) == (True, False), "which sits at no event table"
    call = hall.does("p1", "call", "-t", "11", "--text", "a reroll", "--as", "p1")["lines"][0]["line"]
    hall.does("dana", "answer", str(call), "--text", "it was right", "--as", "dana")
    slip = hall.does("p1", "slip", "2", "1", "-t", "11", "--as", "p1")["lines"][0]["line"]
    hall.does("p2", "agree", str(slip), "--as", "p2")
    hall.does("dana", "slip", "2", "0", "-t", "14", "--reason", "a no-show", "--as", "dana")
    hall.does("olga", "end", "--as", "olga")
    assert next(row["name"] for row in hall.does("olga", "players")) == "Alice Ito"
    hall.does("olga", "results", "--out", hall.folder / "results.csv")
    assert "1,11,1,Alice Ito,2,2,Bob Meyer,1" in (hall.folder / "results.csv").read_text()
    hall.does("olga", "close", "--as", "olga")
    bundle = hall.folder / "day.bundle"
    hall.does("olga", "bundle", "--out", bundle)
    with bundle.open("rb") as stream:
        assert read_manifest(stream).files[0].name == "event.checkpoint"
    assert bundle.read_bytes() == served(hall, "olga"), "the desk saves another file"
    with monkeypatch.context() as bound:
        bound.setattr("ledger.client.connection.MAX_BUNDLE", bundle.stat().st_size - 1)
        longer = hall.at("olga")("event", "bundle", EVENT, "--out", hall.folder / "longer.bundle")
    assert longer.code != 0
    assert f"longer than {bundle.stat().st_size - 1} bytes" in longer.err
    assert not (hall.folder / "longer.bundle").exists()
    assert hall.does("olga", "bundle", "--names", "--out", bundle, "--force")["missing"] == 0
    capsys.readouterr()
    assert run_verifier([str(bundle), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["verdict"]) == ("bundle", "holds")
    assert [game["verdict"] for game in report["state"]["games"]] == ["holds", "holds"]
    assert "table.open" not in {each["code"] for each in report["findings"]}
    assert any("names" in text for text in report["checked"])


@pytest.mark.slow
def test_who_has_sat_down_is_said_and_two_are_paired_by_hand(hall: Hall) -> None:
    hall.begin()
    olga, both = hall.at("olga"), ("-p", "1", "-p", "2")
    assert "give a list, or --player" in olga.refused("event", "pair", EVENT, "--as", "olga")
    assert "give a list, or --player" in olga.refused("event", "pair", EVENT, "x.csv", "-p", "1", "--as", "olga")
    assert "twice at most" in olga.refused("event", "pair", EVENT, *both, "-p", "3", "--as", "olga")
    assert "goes with two players" in olga.refused("event", "pair", EVENT, "-p", "3", "-t", "5", "--as", "olga")
    assert hall.does("olga", "pair", *both, "--dry-run")["tables"] == [{"sides": [[1], [2]], "table": 1}]
    hall.does("olga", "pair", *both, "-t", "11", "--as", "olga")
    hall.does("olga", "start", "--as", "olga")
    until(lambda: "game" in hall.status()["rounds"][0]["tables"][0])
    assert hall.status()["missing"] == [{"table": 11, "players": [1, 2]}]
    assert "missing: 1 Alice Ito, 2 Bob Meyer" in olga.ok("event", "status", EVENT)
    hall.at("p1").ok("event", "join", EVENT, "--links", "16", "--as", "p1")
    assert hall.status()["missing"] == [{"table": 11, "players": [2]}]
    hall.at("p2").ok("event", "join", EVENT, "--links", "16", "--as", "p2")
    assert hall.status()["missing"] == []
    assert "all are seated" in olga.ok("event", "status", EVENT)
    assert hall.at("p1")("roll", "Spring Open, round 1, table 11", "2d6", "--as", "p1").code == 75
    assert [(each["table"], each["players"]) for each in hall.status()["rolls"]] == [(11, [2])]
    assert "table 11: a roll waits for 2 Bob Meyer since" in olga.ok("event", "status", EVENT)

    # A judge has the event by its address alone, and says who asks; a stranger learns nothing.
    stranger = hall.at("dana")("event", "status", EVENT)
    assert "say who you are, with --as NAME" in stranger.err
    assert "all are seated" not in stranger.out
    assert "all are seated" in hall.at("dana").ok("event", "status", EVENT, "--as", "dana")

    # Two who come while the round runs.
    assert hall.does("olga", "pair", "-p", "3", "-p", "4", "--dry-run")["round"] == 1
    hall.does("olga", "pair", "-p", "3", "-p", "4", "--as", "olga")
    until(lambda: all("game" in table for table in hall.status()["rounds"][0]["tables"]))
    assert hall.status()["missing"] == [{"table": 12, "players": [3, 4]}]
    for table in ("11", "12"):
        hall.does("dana", "slip", "2", "0", "-t", table, "--reason", "as seen", "--as", "dana")
    assert hall.status()["missing"] == [], "a result is there"
    hall.does("olga", "end", "--as", "olga")
    assert "missing" not in hall.status()
    hall.does("olga", "pair", *both, "--as", "olga")
    hall.does("olga", "pair", "-p", "3", "--as", "olga")
    hall.does("olga", "start", "--as", "olga")
    hall.does("olga", "pair", "-p", "4", "--as", "olga")
    round_ = hall.status()["rounds"][1]
    assert ([table["table"] for table in round_["tables"]], round_["byes"]) == ([1], [3, 4])


@pytest.mark.slow
def test_what_is_wrong_at_a_server_is_told(hall: Hall) -> None:
    links = hall.begin()
    olga = hall.at("olga")
    assert "give --keeper" in olga.refused("event", "new", "X", "--as", "olga")
    assert "may not begin an event" in hall.at("dana").refused(
        "event", "new", "X", "--server", hall.server.address, "--as", "dana"
    )
    assert "does not write close" in hall.at("dana").refused("event", "close", EVENT, "--as", "dana")
    assert "checked in already" in hall.at("p1").refused("event", "check-in", EVENT, "-p", "1", "--as", "p1")
    make_identity(hall.folder / "thief", "p2")
    hall.at("thief").ok("event", "import", links[1])
    assert "checked in already" in hall.at("thief").refused("event", "check-in", EVENT, "-p", "2", "--as", "p2")
    assert "no link to an event" in olga.refused("event", "import", links[0][:-1])
    hall.pair("11,1,2")
    assert "sits at no table" in hall.at("p3").refused("event", "join", EVENT, "--as", "p3")
    hall.server.stop()
    assert "as it is known here" in hall.at("p1")("event", "status", EVENT).err


def test_a_server_that_shows_another_table_or_another_history_is_found_out(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.begin()
    hall.pair("11,1,2", "14,3,4")
    tables = {table["table"]: table["game"] for table in hall.status()["rounds"][0]["tables"]}
    p1 = hall.at("p1")
    sit_down = EventServer.sit_down

    def swapped(self: EventServer, who: Identity, game: bytes) -> bytes:
        sit_down(self, who, game)
        lines, _ = self._call.remoted.run(self.connection.lines(bytes.fromhex(tables[14]), 0))
        return bytes(lines[0])

    with monkeypatch.context() as patch:
        patch.setattr(EventServer, "sit_down", swapped)
        for words in (["--check"], []):
            said = p1.refused("event", "join", EVENT, *words, "--as", "p1")
            assert "opened the table with other terms than the event says" in said
    assert p1.value("games") == []
    assert list((hall.folder / "p1" / "evidence").iterdir()), "what was shown is kept"
    assert "is what the event says" in p1.ok("event", "join", EVENT, "--check", "--as", "p1")
    lines = Connection.event_lines

    async def another(self: Connection, event: bytes, start: int) -> tuple[list[bytes], int]:
        found, size = await lines(self, event, start)
        return [line.replace(b'"round":1', b'"round":2') for line in found], size

    hall.does("olga", "penalty", "warning", "-p", "2", "--text", "late", "--as", "olga")
    before = len(list((hall.folder / "p2" / "evidence").glob("*")))
    with monkeypatch.context() as patch:
        patch.setattr(Connection, "event_lines", another)
        said = hall.at("p2").refused("event", "drop", EVENT, "-p", "2", "--reason", "a train", "--as", "p2")
        assert "shows an event that does not go on from the one here" in said
    assert len(list((hall.folder / "p2" / "evidence").glob("*"))) == before + 1
    assert hall.status()["players"]["dropped"] == 0
