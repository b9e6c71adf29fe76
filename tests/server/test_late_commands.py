"""Who comes when the game has begun, by commands, each party with a home of its own (specs/network.md)."""

from pathlib import Path

import pytest

from tests.server.machines import Machine, machines
from tests.server.served import Server, serving
from verifier import verify

pytestmark = pytest.mark.long


def begun(server: Server, alice: Machine, bob: Machine, admits: str) -> tuple[str, dict[str, str]]:
    """A game of alice, its host, and bob, whose program follows; its id, and the links."""
    opened = alice.value(f"dice new --at {server.address} --title tavern {admits} --as alice")
    bob.begin(f"join '{opened['links']['player']}' --as bob").says("Waiting for alice")
    game: str = alice.value(f"start {opened['table']} --as alice")["game"]
    alice.begin(f"watch {game} --as alice").says("opens by itself")
    return game, opened["links"]


def holds(machine: Machine, game: str, folder: Path) -> str:
    """The report of a log that holds, as a machine has it."""
    machine(f"export {game} --out {folder / 'log.jsonl'}")
    report, _ = verify((folder / "log.jsonl").read_bytes())
    assert report.verdict == "holds", report.findings
    return machine(f"verify {folder / 'log.jsonl'}")


def test_a_late_player_and_a_judge_who_is_called(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "server") as server,
        machines(tmp_path, "alice", "bob", "carol", "dana") as [alice, bob, carol, dana],
    ):
        game, links = begun(server, alice, bob, "--admits player --admits judge")
        assert "d20 (" in bob(f"roll {game} d20 --as bob")
        assert "Nobody asks to come in." in alice(f"admit {game}")
        # Carol asks, is told for whom she waits, and her program ends as one that waits; run again it goes on.
        waits = carol(f"join '{links['player']}' --no-watch --as carol", code=75)
        assert "carol waits for alice to let carol in: run the same again" in waits
        told = alice(f"admit {game}")
        assert "carol asks to come in (player):" in told
        assert "d20 (" in bob(f"roll {game} d20 --as bob"), "asking holds nobody up"
        playing = carol.begin(f"join '{links['player']}' --as carol")
        playing.says("waits for alice, who lets carol in with:")
        assert "eve does not ask to come in: carol does" in alice(f"admit {game} eve --as alice", code=64)
        assert "is let in (player)" in alice(f"admit '{links['player']}' carol --as alice")
        playing.says("opens by itself")
        assert "carol: d20" in carol(f"roll {game} d20 --as carol")
        assert "is in this game already" in alice(f"admit {game} carol --as alice", code=64)
        # Dana is called, and judges when all have consented, each on a command of their own.
        judging = dana.begin(f"join '{links['judge']}' --as dana")
        judging.says("waits for alice")
        admitted = alice(f"admit {game} dana --as alice")
        assert "dana came later, and judges nothing until alice, bob have consented" in admitted
        judging.says("opens by itself")
        number = dana.value(f"state {game}")["rolls"][-1]["roll"]
        ruling = f"ruling {game} uphold --subject {number} --text 'it holds' --as dana"
        assert "judges nothing" in dana(ruling, code=65)
        assert f"rollproof consent {game[:12]} dana --as bob" in alice(f"consent {game} dana --as alice") + bob(
            f"roll {game} d6 --as bob"
        )
        bob(f"consent {game} dana --as bob")
        assert "ruling: upholds what stands" in dana(ruling)
        bob(f"roll {game} d6 --as bob")
        report = holds(bob, game, tmp_path)
        assert "let carol in by the host's word" in report
        assert "alone" not in report


@pytest.mark.slow
def test_whom_the_host_turns_away_is_told_and_a_table_that_admits_nobody(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "alice", "bob", "eve") as [alice, bob, eve]:
        game, links = begun(server, alice, bob, "--admits player")
        join = f"join '{links['player']}' --no-watch --as eve"
        eve(join, code=75)
        assert "eve has no seat at this table any more" in alice(f"unseat {game} eve --as alice")
        assert "alice, the host, has taken eve out of this table" in eve(join, code=65)
        assert "has begun" in alice(f"unseat {game} bob --as alice", code=65), "who plays is taken out by nobody"
        opened = alice.value(f"dice new --at {server.address} --as alice")
        alice(f"start {opened['table']} --as alice")
        refused = eve(f"join '{opened['links']['player']}' --no-watch --as eve", code=65)
        assert "the game has begun without eve, and no player comes later" in refused
