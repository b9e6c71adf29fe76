"""Secret and blind rolls at a served table, by commands, each party with a home of its own (specs/network.md)."""

import json
from pathlib import Path

import pytest

from tests.server.machines import Machine, Running, machines, until
from tests.server.served import Server, serving
from verifier import verify

pytestmark = pytest.mark.long


def begun(server: Server, gil: Machine, alice: Machine) -> tuple[str, dict[str, str], Running]:
    """A game of gil's, host and game master, with alice; both programs follow. Its id, the links, gil's program."""
    told = gil(f"dice new --at {server.address} --title crypt --sealed kept --seat gm --as gil")
    assert "Game masters may roll behind a screen" in told
    opened = {line.split("#")[1].split(".")[0]: line.strip() for line in told.splitlines() if "/t/" in line}
    joining = alice.begin(f"join '{opened['player']}' --as alice")
    joining.says("Game masters may roll behind a screen")
    joining.says("Waiting for gil")
    game: str = gil.value(f"start '{opened['gm']}' --as gil")["game"]
    watching = gil.begin(f"watch {game} --as gil")
    watching.says("opens by itself")
    joining.says("opens by itself")
    until(lambda: "gil" in alice.value(f"state {game}").get("sealed", {}), "gil's program seals by itself")
    return game, opened, watching


def log_of(machine: Machine, game: str, folder: Path) -> bytes:
    """The log as a machine has it, which holds."""
    machine(f"export {game} --out {folder / 'log.jsonl'} --force")
    data = (folder / "log.jsonl").read_bytes()
    report, _ = verify(data)
    assert report.verdict == "holds", report.findings
    return data


def test_my_secret_roll_and_a_blind_roll_shown_and_not(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "gil", "alice") as [gil, alice]:
        game, links, _ = begun(server, gil, alice)
        own = gil.value(f"roll '{links['gm']}' '2d6 + 3 for the trap' --secret --as gil")
        blind = alice.value(f"roll '{links['player']}' 'd20 + 5 for Stealth' --blind-to gil --as alice")
        assert "secret" not in blind
        assert "the trap" in gil(f"show {game} --as gil")
        assert "holds no secret roll" in alice(f"show {game} --as alice")
        # Nothing of it is anywhere but in gil's own memory: not at alice's, and not at the server's.
        data = log_of(alice, game, tmp_path)
        assert b"the trap" not in data
        assert b"Stealth" in data, "a blind roll says what it is for"
        for folder in (tmp_path / "server", alice.home):
            found = [path for path in folder.rglob("*") if path.is_file() and b"the trap" in path.read_bytes()]
            assert found == []
        events = [json.loads(line) for line in data.splitlines()]
        assert next(event["body"] for event in events if event["type"] == "reveal")["naturals"] == []
        # One is shown, and the other is not.
        assert "Not shown: 1 roll more" in gil(f"show '{links['gm']}' {own['seq']} --as gil")
        first, second = alice.value(f"state {game}")["rolls"]
        assert [die["naturals"][0] for die in first["dice"]] == own["secret"]["naturals"]
        assert (first["status"], second["status"], second["dice"]) == ("shown", "sealed", [])
        report = alice(f"verify {tmp_path / 'log.jsonl'}")
        assert "gil rolled 1 roll in secret and showed 0: gil alone chose which." in report
        assert "alice asked for 1 roll blind, which gil alone saw; gil showed 0 and alone chose which." in report


@pytest.mark.slow
def test_the_following_program_writes_what_its_holder_owes(tmp_path: Path) -> None:
    """Alice calls her blind roll off; gil's program shows the secret by itself, and her next one is taken."""
    with serving(tmp_path / "server") as server, machines(tmp_path, "gil", "alice") as [gil, alice]:
        game, _, watching = begun(server, gil, alice)
        watching.end()
        asked = f"roll {game} 'd20 for Stealth' --blind-to gil"
        alice(f"{asked} --request-only --as alice", code=75)
        alice(f"void {game} --as alice")
        assert "owes the secret" in alice(f"{asked} --as alice", code=65)
        gil.begin(f"watch {game} --as gil").says("gives the secret of the roll")
        assert alice.value(f"{asked} --as alice")["roll"]["status"] == "sealed"
        assert alice.value(f"state {game}")["sealed"]["gil"]["owes"] is None
        types = [json.loads(line)["type"] for line in log_of(alice, game, tmp_path).splitlines()]
        assert types.index("show") > types.index("void")


def test_a_table_without_secret_rolls_has_none(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, machines(tmp_path, "alice") as [alice]:
        told = alice.value(f"dice new --at {server.address} --link gm --as alice")
        game = alice.value(f"start {told['table']} --as alice")["game"]
        assert "no roll is secret" in alice(f"roll {game} d20 --secret --as alice", code=65)
        refused = alice(f"magic new --at {server.address} --sealed kept --if-gone wait --as alice", code=65)
        assert "in these rules no roll is secret" in refused
