"""The server's judge over HTTP (specs/network.md, "The server's judge"), and tables at which some contribute."""

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ledger import lobby
from ledger.game.times import utc_now
from rules.protocol import Back
from tests.server.machines import until
from tests.server.served import Plain, Server, seated, serving
from tests.support.postgres import cluster
from verifier import verify
from verifier.opening import SentOpening


def _events(party: Plain) -> list[dict[str, Any]]:
    party.fetch()
    return [json.loads(line) for line in party.view.lines(0)]


def _voids(party: Plain) -> list[dict[str, Any]]:
    return [event for event in _events(party) if event["type"] == "void"]


def _wait_for_void(party: Plain, count: int = 1) -> None:
    """Wait until so many rolls were called off, and the keeper has signed over what it wrote then."""

    def there() -> bool:
        voids, checkpoint = len(_voids(party)), party.view.checkpoint
        signed = checkpoint is not None and checkpoint.head.size == party.view.replay.size
        return voids >= count and signed and party.view.replay.session.phase == "idle"

    until(there, f"{count} voids")


def _holds(party: Plain) -> str:
    """The trust statement of a log that holds."""
    report, _ = verify(b"".join(line + b"\n" for line in party.view.lines(0)))
    assert report.verdict == "holds", report.findings
    return report.trust


@pytest.mark.long
def test_a_roll_whose_player_is_gone_is_called_off_and_the_others_go_on(tmp_path: Path) -> None:
    agreed: dict[str, Any] = {"judge_after": 1, "contributors": "roller"}
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "bob", "carol", "dave", **agreed) as [alice, bob, *_],
    ):
        assert [(event["author"], event["type"]) for event in _events(alice)][:3] == [
            ("keeper", "open"),
            ("keeper", "commit"),
            ("timer", "join"),
        ]
        bob.act("roll", bob.typed())  # and his machine dies
        _wait_for_void(alice)
        assert [(void["author"], void["body"]["missing"]) for void in _voids(alice)] == [("timer", ["bob"])]
        alice.act("roll", alice.typed())  # carol and dave have nothing to do with it
        assert alice.open().status_code == 201
        alice.fetch()
        assert alice.view.replay.session.phase == "idle"
        trust = _holds(alice)
        assert "keeper runs the judge timer too" in trust
        assert "1 by timer (keeper, who runs timer, could have known the dice first)" in trust


@pytest.mark.long
def test_two_play_and_one_goes_on_alone_when_the_other_was_signed_away(tmp_path: Path) -> None:
    agreed: dict[str, Any] = {"judge_after": 1, "away": "others"}
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "bob", **agreed) as [alice, bob],
    ):
        alice.act("roll", alice.typed())
        _wait_for_void(alice)
        alice.offered(alice.seat.away(alice.view, "bob"))
        assert [(event["author"], event["type"]) for event in _events(alice)][-2:] == [
            ("alice", "away"),
            ("keeper", "away"),
        ]
        alice.act("roll", alice.typed())
        assert alice.open().status_code == 201
        alice.fetch()
        assert alice.view.replay.session.phase == "idle"
        assert "keeper signed bob away" in _holds(alice)
        bob.act("back", Back("bob"))
        assert not bob.view.replay.session.parties.away


@contextmanager
def _following(party: Plain) -> Iterator[None]:
    """The party's stream is open, with a token of its own."""
    answer = party.post(party.path("access"), bytes(lobby.new_access(party.identity, party.game, utc_now())))
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    with party.http.stream("GET", party.path(f"stream?from={party.view.replay.size}"), headers=headers) as stream:
        assert stream.status_code == 200
        yield


@pytest.mark.slow
def test_a_roll_that_was_called_off_at_once_lets_the_others_go_on_without_who_was_gone(tmp_path: Path) -> None:
    """A phone died: nobody need wait for another roll, nor for the server's judge."""
    agreed: dict[str, Any] = {"judge_after": 240, "away": "others"}
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "bob", **agreed) as [alice, bob],
    ):
        with _following(bob):
            alice.fetch()
        until(lambda: "bob" not in _here(alice), "his stream has ended")
        alice.act("roll", alice.typed())
        alice.fetch()
        alice.offered(alice.seat.void(alice.view, ["bob"]))
        alice.fetch()
        alice.offered(alice.seat.away(alice.view, "bob"))
        assert _events(alice)[-1]["author"] == "alice", "he was heard just now"
        until(lambda: _events(alice)[-1]["author"] == "keeper", "the keeper's call")
        alice.fetch()
        assert alice.view.replay.session.parties.away == {"bob"}
        _holds(alice)


def _here(party: Plain) -> list[str]:
    """Who has a stream open, as the server says."""
    return next(json.loads(data)["here"] for name, data in party.stream_start() if name == "here")


@pytest.mark.long
def test_who_does_not_open_cannot_have_the_closer_signed_away(tmp_path: Path) -> None:
    """Alice rolls, and waits for mallory: the void names mallory, and the keeper does not call alice away with her."""
    agreed: dict[str, Any] = {"judge_after": 1, "away": "others"}
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "mallory", **agreed) as [alice, mallory],
    ):
        alice.act("roll", alice.typed())
        _wait_for_void(mallory)
        assert [void["body"]["missing"] for void in _voids(mallory)] == [["mallory"]]
        mallory.offered(mallory.seat.away(mallory.view, "alice"))
        assert _events(mallory)[-1]["author"] == "mallory"
        alice.fetch()
        assert not alice.view.replay.session.parties.away
        alice.offered(alice.seat.away(alice.view, "mallory"))
        assert not alice.view.replay.session.parties.away, "mallory has written too"
        alice.act("roll", alice.typed())
        _wait_for_void(alice, 2)
        until(lambda: _events(alice)[-1]["type"] == "away", "the keeper's call")
        assert alice.view.replay.session.parties.away == {"mallory"}, "two rolls have waited for her"
        mallory.act("back", Back("mallory"))
        mallory.offered(mallory.seat.away(mallory.view, "alice"))
        alice.fetch()
        alice.offered(alice.seat.away(alice.view, "mallory"))
        assert not alice.view.replay.session.parties.away, "she is back: the void counts no more"
        _holds(alice)


@pytest.mark.long
def test_who_has_a_stream_open_is_called_away_when_two_rolls_have_waited_for_it(tmp_path: Path) -> None:
    agreed: dict[str, Any] = {"judge_after": 1, "away": "others"}
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "bob", **agreed) as [alice, bob],
        _following(bob),
    ):
        alice.act("roll", alice.typed())
        _wait_for_void(alice)
        alice.offered(alice.seat.away(alice.view, "bob"))
        assert _events(alice)[-1]["author"] == "alice", "bob is heard"
        alice.act("roll", alice.typed())
        _wait_for_void(alice, 2)
        until(lambda: _events(alice)[-1]["type"] == "away", "the keeper's call")
        assert alice.view.replay.session.parties.away == {"bob"}
        _holds(alice)


@pytest.mark.slow
def test_a_closer_has_its_own_time_from_the_last_other_opening_on(tmp_path: Path) -> None:
    """Bob opens when the others' turn is almost over: alice, who opens late too, has her dice. Then she never opens."""
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "bob", judge_after=4) as [alice, bob],
    ):
        alice.act("roll", alice.typed())
        time.sleep(3)
        assert bob.open().status_code == 201
        time.sleep(2.5)
        assert not _voids(alice), "five and a half seconds after the request, alice's turn is not over"
        assert alice.open().status_code == 201
        alice.fetch()
        assert alice.view.replay.session.phase == "idle"
        alice.act("roll", alice.typed())
        assert bob.open().status_code == 201
        _wait_for_void(bob)
        assert [void["body"]["missing"] for void in _voids(bob)] == [["alice"]]
        _holds(bob)


@pytest.mark.slow
def test_only_what_waits_for_longer_than_its_table_says_is_called_off(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path / "none", server.address, "carol") as [carol],
        seated(tmp_path / "long", server.address, "erin", judge_after=604_800) as [erin],
        seated(tmp_path, server.address, "alice", "bob", judge_after=1) as [alice, bob],
    ):
        for waiting in (carol, erin, alice):
            waiting.act("roll", waiting.typed())
        bob.fetch()
        pending = bob.view.replay.pending
        assert pending is not None
        late = SentOpening.of(bob.game, pending.request, bob.seat.opening(bob.view, ()))
        _wait_for_void(alice)
        assert [void["body"]["missing"] for void in _voids(alice)] == [["bob"]]
        answer = bob.post(bob.path("openings"), bytes(late))
        assert (answer.status_code, answer.json()["code"]) == (422, "opening.set"), "it came too late"
        assert [_events(each)[-1]["type"] for each in (carol, erin)] == ["roll", "roll"]
        assert "runs the judge" not in _holds(carol)


@pytest.mark.slow
def test_a_server_that_was_started_again_waits_anew_and_then_calls_off(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "bob", judge_after=3) as [alice, _],
    ):
        alice.act("roll", alice.typed())
        server.stop(signal.SIGKILL)
        again = Server(server.root, port=server.port)
        try:
            assert not _voids(alice)
            _wait_for_void(alice)
            assert [void["author"] for void in _voids(alice)] == ["timer"]
            _holds(alice)
        finally:
            assert again.stop() == 0


@pytest.mark.slow
def test_two_processes_call_a_roll_off_once_and_one_does_when_the_other_is_killed(tmp_path: Path) -> None:
    with cluster() as postgres:
        if postgres is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        url = postgres.make("judges")
        servers = [Server(tmp_path / "server", "--database", url) for _ in range(2)]
        try:
            with seated(tmp_path, servers[0].address, "alice", "bob", judge_after=1) as [alice, _]:
                for number in range(2):
                    alice.act("roll", alice.typed())
                    _wait_for_void(alice, number + 1)
                alice.act("roll", alice.typed())
                servers[0].stop(signal.SIGKILL)
                alice.http.base_url = servers[1].address
                _wait_for_void(alice, 3)
                kinds = [event["type"] for event in _events(alice)][-9:]
                assert kinds == ["roll", "void", "disclose"] * 3
                _holds(alice)
        finally:
            for server in servers:
                if server.process.poll() is None:
                    assert server.stop() == 0


@pytest.mark.slow
def test_a_list_of_contributors_over_http(tmp_path: Path) -> None:
    """Carol plays, and waits for nobody: alice and the keeper make all dice."""
    listed = ("alice", "keeper")
    with (
        serving(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "carol", contributors=listed) as [alice, carol],
    ):
        assert alice.view.replay.terms.contributors == ("keeper", "alice"), "in party order"
        carol.act("roll", carol.typed())
        assert alice.open().status_code == 201
        carol.fetch()
        assert carol.view.replay.session.phase == "idle"
        assert "carol had no part in these dice" in _holds(carol)
