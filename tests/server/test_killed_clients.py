"""Programs of players that are killed at any moment: the table goes on, and nothing is rolled twice."""

import json
import random
import signal
import time
from pathlib import Path

import pytest

from tests.server.machines import machines, until
from tests.server.served import serving
from verifier import verify


@pytest.mark.long
@pytest.mark.parametrize("rounds", [2, pytest.param(25, marks=pytest.mark.slow)])
def test_a_table_whose_programs_are_killed_goes_on(tmp_path: Path, rounds: int) -> None:
    chance = random.Random(rounds)
    with serving(tmp_path / "server") as server, machines(tmp_path / "homes", "alice", "bob") as (alice, bob):
        opened = alice.value(f"dice new --at {server.address} --as alice")
        watching = bob.begin(f"join '{opened['links']['player']}' --as bob")
        watching.says("Waiting for alice")
        game = alice.value(f"start {opened['table']} --as alice")["game"]
        for number in range(rounds):
            rolling = alice.begin(f"roll {game} d20 + {number} --as alice")
            time.sleep(chance.uniform(0.5, 2.5))
            rolling.end(signal.SIGKILL)
            watching.end(signal.SIGKILL)
            watching = bob.begin(f"watch {game} --as bob")
            # Whatever was begun is ended by what alice does next: nothing waits, and she can roll again.
            going_on = alice.begin(f"watch {game} --as alice")
            going_on.says("opens by itself")
            until(lambda: alice.value(f"state {game}")["phase"] == "idle", (going_on, watching))
            going_on.end()
            assert "d8 (" in alice(f"roll {game} d8 + {number} --as alice")
        log = tmp_path / "log.jsonl"
        alice(f"export {game} --out {log}")
    report, _ = verify(log.read_bytes(), name="log")
    assert report.verdict == "holds"
    events = [json.loads(line) for line in log.read_bytes().splitlines()]
    rolls = [event["body"]["dice"] for event in events if event["type"] == "roll"]
    assert len(set(rolls)) == len(rolls), "what was asked for once is rolled once"
    assert sum(roll.startswith("d8") for roll in rolls) == rounds
