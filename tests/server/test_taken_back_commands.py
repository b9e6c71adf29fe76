"""A roll that is taken back by commands, each party with a home of its own (protocol.md, "Taking a roll back")."""

from pathlib import Path

import pytest

from tests.server.machines import Machine, machines
from tests.server.served import Server, serving
from verifier import verify

pytestmark = pytest.mark.long


def begun(server: Server, alice: Machine, bob: Machine, *more: Machine, strike: str = "--strike") -> str:
    """A game of alice, its host, and others, whose programs follow; its id."""
    opened = alice.value(f"dice new --at {server.address} --title tavern {strike} --as alice")
    for name, each in zip(("bob", "carol"), (bob, *more), strict=False):
        each.begin(f"join '{opened['links']['player']}' --as {name}").says("Waiting for alice")
    game: str = alice.value(f"start {opened['table']} --as alice")["game"]
    alice.begin(f"watch {game} --as alice").says("opens by itself")
    return game


def last(machine: Machine, game: str) -> str:
    """The status of the latest roll, as a machine has it."""
    status: str = machine.value(f"state {game}")["rolls"][-1]["status"]
    return status


def test_two_take_a_mis_tap_back_and_roll_on(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "alice", "bob") as [alice, bob]:
        game = begun(server, alice, bob)
        assert "there is no roll here that all can take back" in alice(f"strike {game} --as alice", code=64)
        alice(f"roll {game} d20 --as alice")
        asked = alice(f"strike {game} --as alice")
        number = alice.value(f"state {game}")["rolls"][-1]["roll"]
        assert f"alice would take roll {number} back. Who has still to agree: bob." in asked
        assert "has agreed already" in alice(f"strike {game} --as alice", code=65)
        assert last(bob, game) == "resolved"
        assert f"rollproof strike {game[:12]} --as bob" in bob(f"state {game}")
        assert "strike" in bob(f"do {game} --as bob")
        bob(f"strike {game} --as bob")
        assert (last(alice, game), last(bob, game)) == ("struck", "struck")
        assert "there is no roll here" in bob(f"strike {game} --as bob", code=64)
        assert "alice: d6" in alice(f"roll {game} d6 --as alice")
        # bob refuses, which is no event: he plays on, and then alice cannot ask any more.
        alice(f"strike {game} --as alice")
        bob(f"roll {game} d20 --as bob")
        assert alice.value(f"state {game}")["rolls"][-2]["status"] == "resolved"
        bob(f"export {game} --out {tmp_path / 'log.jsonl'}")
        report, _ = verify((tmp_path / "log.jsonl").read_bytes())
        assert [found.code for found in report.findings if found.code == "roll.taken-back"] == ["roll.taken-back"]
        told = bob(f"verify {tmp_path / 'log.jsonl'}")
        assert "alice and bob together took back 1 roll after their dice were shown" in told
        assert f"took back the roll that alice had asked for in event {number}" in told
        assert "agrees to take the roll back" in bob(f"log {game}")
        assert "ruled void or taken back" in bob(f"explain {tmp_path / 'log.jsonl'} {number}")
        assert "the dice were fair; alice and bob took the roll back" in bob(f"verify {tmp_path / 'log.jsonl'} --rolls")


@pytest.mark.slow
def test_nobody_takes_a_roll_back_alone_while_the_others_are_away(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "alice", "bob", "carol") as [alice, bob, carol]:
        game = begun(server, alice, bob, carol)
        carol(f"away {game} --as carol")
        alice(f"roll {game} d20 --as alice")
        alice(f"strike {game} --as alice")
        bob(f"strike {game} --as bob")
        assert last(alice, game) == "struck", "who is away is not waited for"
        bob(f"away {game} --as bob")
        alice(f"roll {game} d20 --as alice")
        assert "nobody takes a roll back alone" in alice(f"strike {game} --as alice", code=65)
        carol(f"back {game} --as carol")
        assert "a judge can rule it void" in alice(f"strike {game} --as alice", code=64), "something came between"


@pytest.mark.slow
def test_a_table_without_it_says_so(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "alice", "bob") as [alice, bob]:
        game = begun(server, alice, bob, strike="")
        alice(f"roll {game} d20 --as alice")
        assert "opened without --strike" in alice(f"strike {game} --as alice", code=64)
