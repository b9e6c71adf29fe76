"""A table on a real server, step by step as specs/network.md has them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rules import Body
from rules.lines import read_roll
from tests.server.served import Plain, Server, serving
from verifier import verify
from verifier.openings import parse_received


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server"), "--limits", str(_limits(tmp_path_factory))) as server:
        yield server


def _limits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("limits") / "limits.json"
    path.write_text('{"tables_an_hour": 1000, "posts_a_second": 1000, "refused_a_minute": 1000}')
    return path


@pytest.fixture
def party(tmp_path: Path, server: Server) -> Iterator["_Parties"]:
    parties = _Parties(tmp_path, server.address)
    yield parties
    for each in parties.made:
        each.close()


class _Parties:
    def __init__(self, root: Path, address: str) -> None:
        self._root, self._address = root, address
        self.made: list[Plain] = []

    def __call__(self, name: str) -> Plain:
        found = Plain(self._root / name, name, self._address)
        self.made.append(found)
        return found


def _roll(party: Plain, line: str) -> Body:
    session = party.view.replay.session
    return read_roll(session.system, line, session.game, party.name)


def _begun(party: "_Parties") -> tuple[Plain, Plain]:
    alice, bob = party("alice"), party("bob")
    links = alice.open_table("dice-1")
    assert alice.sit(links["player"]).status_code == 201
    assert bob.sit(links["player"]).status_code == 201
    assert bob.sit(links["player"]).status_code == 200
    assert alice.start().status_code == 201
    assert alice.start().status_code == 200
    alice.enter()
    bob.enter()
    return alice, bob


def test_from_the_link_to_dice(party: "_Parties") -> None:
    alice, bob = _begun(party)
    alice.act("roll", _roll(alice, "4d6kh3 for Strength"))
    taken = bob.open()
    assert taken.status_code == 201, taken.text
    received = parse_received(taken.json()["received"].encode())
    assert (received.author, received.receiver) == ("bob", "keeper")
    assert bob.open().status_code == 200
    assert alice.open().status_code == 201
    bob.fetch()
    assert bob.view.replay.session.phase == "idle"
    bob.act("roll", _roll(bob, "d20"))
    assert alice.open().status_code == 201
    assert bob.open().status_code == 201
    alice.fetch()
    log = b"".join(line + b"\n" for line in alice.view.lines(0))
    report, _ = verify(log)
    assert report.verdict == "holds"
    assert report.state is not None
    assert len(report.state["rolls"]) == 2
