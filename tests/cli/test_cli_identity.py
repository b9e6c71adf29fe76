"""`rollproof identity move`, `take`, `forget`: a seat on another machine, or begun anew (specs/seats.md)."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cli import Cli, make_home, state_of

GAME = "Table 12"
ROLL = ("roll", GAME, "d20 Delina, Wild Mage: compare", "--as", "alice")

Machines = tuple[Cli, Cli]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def machine(
    begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Cli]:
    """Machines by name: `one` has everybody, others have nobody yet, but the log."""

    def at(name: str) -> Cli:
        home = tmp_path / name
        if name == "one" and not home.exists():
            shutil.copytree(begun, home)
        return Cli(home, capsys, monkeypatch)

    return at


@pytest.mark.long
def test_a_seat_goes_on_on_another_machine_with_a_new_chain(machine: Callable[[str], Cli], tmp_path: Path) -> None:
    file, log = tmp_path / "alice.moved", tmp_path / "log.jsonl"
    one = machine("one")
    one.ok(*ROLL)
    one.ok("magic", "resolve", GAME, "--as", "alice")
    key = one.ok("identity", "show", "alice")
    assert "rollproof identity take alice.moved" in one.ok("identity", "move", "alice", "--out", file)
    one.ok("identity", "move", "alice", "--out", file, "--force")  # the first may not have come to be
    assert "moved to another machine" in one.refused("commit", GAME, "--as", "alice")
    assert "this file was taken here before" in one.refused("identity", "take", file)
    one.ok("export", GAME, "--out", log)

    two = machine("two")
    two.ok("import", log)
    assert "rollproof commit GAME --as alice" in two.ok("identity", "take", file)
    assert two.ok("identity", "show", "alice") == key
    assert "is on this machine" in two.refused("identity", "take", file)
    committed = two.value("commit", GAME, "--as", "alice")["events"][-1]
    assert "link" in committed["body"], "the next link of the old chain: it is the same party"

    # And back again, with a later file; the earlier one is worth nothing here.
    later = tmp_path / "later.moved"
    two.ok("identity", "move", "alice", "--out", later)
    two.ok("export", GAME, "--out", log, "--force")
    one = machine("one")
    one.ok("import", log)
    assert "taken here before" in one.refused("identity", "take", file)
    one.ok("identity", "take", later)
    before = one.value("log", GAME)
    assert "came from another machine" in one.refused(*ROLL, code=65)
    assert one.value("log", GAME) == before, "a request that nobody could open is not signed"
    one.ok("commit", GAME, "--as", "alice")
    assert [event["type"] for event in one.value(*ROLL)["events"]] == ["roll", "reveal"]


def test_what_is_moved_is_sealed(machine: Callable[[str], Cli], tmp_path: Path) -> None:
    file, one = tmp_path / "alice.moved", machine("one")
    one.ok("identity", "move", "alice", "--out", file)
    first, second = file.read_bytes().splitlines()
    assert json.loads(first)["format"] == "rollproof/identity/v1"
    assert set(json.loads(second)) == {"format", "sealed"}
    two = machine("two")
    for damaged in (b"", first, first + b"\n" + second[:-4] + b'"}', file.read_bytes().replace(b'"alice"', b'"alicf"')):
        (tmp_path / "damaged").write_bytes(damaged + b"\n")
        two.refused("identity", "take", tmp_path / "damaged")
    two.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", "another passphrase")
    assert "passphrase for alice is wrong" in two.refused("identity", "take", file)
    assert two.value("identity", "list") == []
    two.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", "correct horse battery")
    two.ok("identity", "new", "alice")
    assert "another identity alice" in two.refused("identity", "take", file)


def test_a_seat_that_cannot_be_written_down_is_not_ended(machine: Callable[[str], Cli], tmp_path: Path) -> None:
    one, file = machine("one"), tmp_path / "alice.moved"
    file.write_text("something else")
    assert "exists" in one.refused("identity", "move", "alice", "--out", file)
    assert "no folder" in one.refused("identity", "move", "alice", "--out", tmp_path / "none" / "file")
    one.ok("away", GAME, "--as", "alice")


def test_who_lost_the_memory_begins_anew_in_later_games(machine: Callable[[str], Cli]) -> None:
    one = machine("one")
    assert "there is nothing to begin anew" in one.refused("identity", "forget", "alice")
    for file in state_of(one.home).iterdir():
        file.unlink()
    for name in ("alice", "host"):
        assert f"rollproof identity forget {name}" in one("commit", GAME, "--as", name).err
        assert "and in no other" in one.ok("identity", "forget", name)
        assert "was begun anew" in one.refused("commit", GAME, "--as", name)
    one.ok("new", "--keeper", "host", "--player", "alice", "--title", "Later", "--links", "16")
    one.ok("join", "Later", "--as", "alice", "--links", "16")
    later = ("roll", "Later", *ROLL[2:])
    assert [event["type"] for event in one.value(*later)["events"]] == ["roll", "reveal"]


def test_an_owner_is_told_by_every_command_until_somebody_has_seen_it(machine: Callable[[str], Cli]) -> None:
    one = machine("one")
    told = one.value(*ROLL)
    one.ok("magic", "resolve", GAME, "--as", "alice")
    one.ok("ruling", GAME, "void", "--subject", str(told["seq"]), "--text", "cocked", "--as", "dana")
    for _ in range(2):
        result = one("magic", "declare", "trigger", GAME, "--as", "alice", "--source", "a dwarf", "--on", "rolled")
        assert result.code == 0
        assert (
            f"dana ruled void event {told['seq']} (alice: d20 for Delina, Wild Mage). The reason: cocked" in result.err
        )
