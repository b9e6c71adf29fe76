"""Later judges and other phones at the tables of an event (specs/event.md), each with a home of its own."""

import json
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ledger.cli.event_server import EventServer
from ledger.client.participant import Participant
from ledger.home import Home
from tests.server.killed import killing
from tests.server.machines import until
from tests.server.served import ROOMY, Server, serving, with_limits
from tests.server.test_event_commands import EVENT, Hall
from tests.support.cli import PASSPHRASE, make_identity
from verifier import verify
from verifier.shell.command import run as run_verifier

pytestmark = pytest.mark.long
TITLE = "Spring Open, round 1, table 11"
HOMES = {"olga": "olga", "dana": "dana", "judy": "judy", "p2 new": "p2"} | {f"p{n}": f"p{n}" for n in range(1, 5)}


class Floor(Hall):
    """The hall, where table 11 is played by players 1 and 2; `p2 new` is the second phone of player 2."""

    options: tuple[str, ...] = ()

    def sit(self, *tables: str) -> None:
        """Begin, start the tables, and let all sit down."""
        self.begin()
        self.pair(*(tables or ("11,1,2",)))
        for row in tables or ("11,1,2",):
            for number in row.split(",")[1:]:
                self.at(f"p{number}").ok("event", "join", EVENT, "--links", "16", "--as", f"p{number}")

    def key(self, home: str) -> str:
        return str(Home(self.folder / home).key(HOMES[home]))

    def game(self, table: int = 11) -> str:
        tables = self.status()["rounds"][-1]["tables"]
        return next(str(each["game"]) for each in tables if each["table"] == table)

    def log(self, table: int = 11) -> list[Any]:
        """The lines of a table, from the server, which must hold."""
        found = self.at("dana").value("event", "status", EVENT, "--as", "dana")
        game = next(each["game"] for each in found["rounds"][-1]["tables"] if each["table"] == table)
        data = self.bytes_of(game)
        report = verify(data)[0]
        assert report.verdict == "holds", report.findings
        return [json.loads(line) for line in data.splitlines()]

    def bytes_of(self, game: str) -> bytes:
        """The log of a game, with the token of whoever sits there."""
        import httpx

        from ledger.client.remotes import Remotes

        remote = Remotes(Home(self.folder / "p1")).of_game(bytes.fromhex(game)) or Remotes(
            Home(self.folder / "p3")
        ).of_game(bytes.fromhex(game))
        assert remote is not None
        bearer = {"authorization": f"Bearer {remote.token}"}
        return httpx.get(f"{self.server.address}/v1/games/{game}/log", headers=bearer, timeout=30).content

    def types(self, table: int = 11) -> list[str]:
        return [each["type"] for each in self.log(table)]

    def comes(self, home: str) -> None:
        """Take the event into a home, by its address."""
        address = f"{self.server.address}/e/{self.status()['event']}"
        self.at(home).ok("event", "import", address)

    def correct(self) -> None:
        self.does("olga", "correct-key", self.key("p2 new"), "-p", "2", "--reason", "a dead battery", "--as", "olga")

    def sign_away(self) -> None:
        """What a judge does for a dead phone: one act."""
        self.at("dana").ok("away", TITLE, "--party", "p2", "--void", "--as", "dana")

    def waits_for(self) -> list[tuple[int, int, str]]:
        return [(each["table"], each["player"], each["waits_for"]) for each in self.status()["new_keys"]]


@pytest.fixture
def floor(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    for home, name in HOMES.items():
        make_identity(tmp_path / home, name)
    root = tmp_path / "hall"
    options = ("--organizer", str(Home(tmp_path / "olga").key("olga")), *with_limits(root, ROOMY))
    with serving(root, *options) as server:
        found = Floor(tmp_path, server, capsys, monkeypatch)
        found.options = options
        yield found


@pytest.mark.parametrize("first", ["the desk", "the judge"])
@pytest.mark.slow
def test_a_player_goes_on_with_another_phone_at_a_table_that_waits(
    floor: Floor, capsys: pytest.CaptureFixture[str], first: str
) -> None:
    floor.sit()
    floor.at("dana").ok("event", "join", EVENT, "--table", "11", "--as", "dana")
    assert floor.at("p1")("roll", TITLE, "2d6", "--as", "p1").code == 75
    if first == "the desk":
        floor.correct()
        assert floor.waits_for() == [(11, 2, "judge")]
        told = floor.at("dana").ok("event", "status", EVENT, "--as", "dana")
        assert f"rollproof event join '{EVENT}' --table 11 --as dana" in told
        assert f"rollproof away '{TITLE}' --party p2 --void --as dana" in told
        floor.sign_away()
    else:
        floor.sign_away()
        floor.correct()
    until(lambda: floor.waits_for() == [(11, 2, "phone")])
    assert "goes on as soon as the new phone joins" in floor.at("olga").ok("event", "status", EVENT, "--as", "olga")
    floor.comes("p2 new")
    floor.at("p2 new").ok("event", "join", EVENT, "--links", "16", "--as", "p2")
    assert floor.waits_for() == []
    lines = floor.log()
    began = next(at for at, line in enumerate(lines) if line["type"] == "void")
    wanted = ["void", "disclose", "away", "replace", "join", "back", "commit"]
    assert [line["type"] for line in lines[began:]] == wanted
    assert lines[began + 3]["body"]["correction"]["by"] == "olga"
    assert floor.at("p1")("roll", TITLE, "2d6", "--as", "p1").code == 75
    floor.at("p2 new").ok("open", TITLE, "--as", "p2")
    floor.at("p1").ok("open", TITLE, "--as", "p1")
    until(lambda: floor.types()[-1] == "reveal")
    assert "signs and opens nothing more" in floor.at("p2").refused("away", TITLE, "--as", "p2")
    floor.does("dana", "slip", "2", "0", "-t", "11", "--reason", "as seen", "--as", "dana")
    floor.does("olga", "end", "--as", "olga")
    floor.does("olga", "close", "--as", "olga")
    bundle = floor.folder / "day.bundle"
    floor.does("olga", "bundle", "--out", bundle)
    capsys.readouterr()
    assert run_verifier([str(bundle), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], [game["verdict"] for game in report["state"]["games"]]) == ("holds", ["holds"])
    notices = {finding.code: finding.message for finding in verify(floor.bytes_of(floor.game()))[0].findings}
    assert "olga, an organizer of the event, corrected the key, and the judge dana" in notices["party.replaced"]


def test_a_new_phone_waits_for_the_judge_and_a_bot_goes_on_by_itself(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.sit()
    floor.at("dana").ok("event", "join", EVENT, "--table", "11", "--as", "dana")
    floor.correct()
    floor.comes("p2 new")
    with monkeypatch.context() as patch:
        patch.setattr("ledger.cli.remote.WRITING", 0.5)
        waiting = floor.at("p2 new")("event", "join", EVENT, "--as", "p2")
    assert waiting.code == 75, waiting
    assert "when a judge of table 11 has signed p2's old phone away" in waiting.err
    floor.sign_away()
    until(lambda: floor.types()[-1] == "replace")
    # The program of the new phone takes the log of the game, and does the rest by itself.
    game = bytes.fromhex(floor.game())
    with monkeypatch.context() as patch:
        patch.setattr("ledger.cli.joining.join_game", lambda *_: None)
        floor.at("p2 new")("event", "join", EVENT, "--as", "p2")

    async def go_on() -> None:
        async with Participant(Home(floor.folder / "p2 new"), game, "p2", PASSPHRASE.encode(), links=16) as bot:
            await bot.agree()

    import asyncio

    asyncio.run(go_on())
    assert floor.types()[-3:] == ["join", "back", "commit"]


@pytest.mark.slow
def test_a_judge_who_is_appointed_at_noon_judges_at_once(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    floor.sit("11,1,2", "14,3,4")
    assert floor.at("p3")("roll", "Spring Open, round 1, table 14", "2d6", "--as", "p3").code == 75
    floor.does("olga", "appoint", floor.key("judy"), "--as", "olga")
    until(lambda: floor.types(11)[-1] == "admit")
    assert floor.types(14)[-1] == "roll", "a roll waits there"
    floor.comes("judy")
    with monkeypatch.context() as patch:
        patch.setattr("ledger.cli.remote.WRITING", 0.5)
        waiting = floor.at("judy")("event", "join", EVENT, "--table", "14", "--as", "judy")
        assert (waiting.code, "no roll waits there" in waiting.err) == (75, True), waiting
    floor.at("p4").ok("open", "Spring Open, round 1, table 14", "--as", "p4")
    floor.at("p3").ok("open", "Spring Open, round 1, table 14", "--as", "p3")
    until(lambda: floor.types(14)[-1] == "admit")
    judy = floor.at("judy")
    assert "a judge says which, with --table" in judy.refused("event", "join", EVENT, "--as", "judy")
    judy.ok("event", "join", EVENT, "--table", "11", "--as", "judy")
    judy.ok("away", TITLE, "--party", "p2", "--void", "--as", "judy")
    assert floor.types(11)[-3:] == ["admit", "join", "away"]
    notices = {finding.code: finding.message for finding in verify(floor.bytes_of(floor.game()))[0].findings}
    assert notices["party.admitted"].endswith("let judy in as a judge: olga, an organizer of the event, signed it.")
    floor.does("olga", "dismiss", "judy", "--reason", "her shift is over", "--as", "olga")
    floor.does("dana", "slip", "2", "0", "-t", "11", "--reason", "as seen", "--as", "dana")
    assert floor.types(11).count("admit") == floor.types(14).count("admit") == 1


@pytest.mark.slow
def test_what_a_judges_one_act_needs(floor: Floor) -> None:
    floor.sit()
    dana = floor.at("dana")
    dana.ok("event", "join", EVENT, "--table", "11", "--as", "dana")
    assert "give --party NAME" in dana.refused("away", TITLE, "--void", "--as", "dana")
    assert floor.at("p1")("roll", TITLE, "2d6", "--as", "p1").code == 75
    floor.at("p2").ok("open", TITLE, "--as", "p2")
    said = floor.at("dana").refused("away", TITLE, "--party", "p2", "--void", "--as", "dana")
    assert "does not wait for p2, but for p1" in said
    assert "p1 is no judge" in floor.at("p1").refused("away", TITLE, "--party", "p2", "--void", "--as", "p1")
    assert floor.types()[-1] == "roll"
    assert "sits at no table" in floor.at("p3").refused("event", "join", EVENT, "--table", "11", "--as", "p3")


@pytest.mark.parametrize("step", ["taken", "letting in"])
@pytest.mark.slow
def test_a_server_that_is_killed_before_it_lets_a_judge_in_does_so_when_it_is_back(floor: Floor, step: str) -> None:
    floor.sit("11,1,2", "14,3,4")
    root, port = floor.folder / "hall", floor.server.port
    floor.server.stop(signal.SIGKILL)
    again = killing(step)(root, *floor.options, port=port)
    with suppress(AssertionError):  # no answer, or that of a server that is gone by then
        floor.does("olga", "appoint", floor.key("judy"), "--as", "olga")
    again.wait()
    third = Server(root, *floor.options, port=port)
    try:
        if "judy" not in {each["name"] for each in floor.status()["staff"]}:
            floor.does("olga", "appoint", floor.key("judy"), "--as", "olga")
        until(lambda: [floor.types(table)[-1] for table in (11, 14)] == ["admit", "admit"])
    finally:
        third.stop(signal.SIGKILL)


def test_two_phones_and_a_server_that_writes_for_the_wrong_one(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new phone joins no table whose event 0 is not the event's, by whatever word its key waits."""
    floor.sit("11,1,2", "14,3,4")
    floor.at("dana").ok("event", "join", EVENT, "--table", "11", "--as", "dana")
    floor.correct()
    floor.sign_away()
    until(lambda: floor.types()[-1] == "replace")
    floor.comes("p2 new")
    sit_down, other = EventServer.sit_down, floor.game(14)

    def swapped(self: EventServer, who: Any, game: bytes) -> bytes:
        sit_down(self, who, game)
        lines, _ = self._call.remoted.run(self.connection.lines(bytes.fromhex(other), 0))
        return bytes(lines[0])

    with monkeypatch.context() as patch:
        patch.setattr(EventServer, "sit_down", swapped)
        said = floor.at("p2 new").refused("event", "join", EVENT, "--as", "p2")
    assert "opened the table with other terms than the event says" in said
    assert floor.types()[-1] == "replace"
