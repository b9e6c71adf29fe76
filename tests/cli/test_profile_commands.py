"""One person at many tables, by commands: a lost machine, a new key, and one person in a season (specs/profile.md)."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.make.notes import Json
from tests.make.profiles import ANNA, ANNA2, ANNA3, BOB, LATER, OTHER, THIEF, TIME, Person, line, succession
from tests.support.cli import Cli, make_identity

Machine = Callable[[str], Cli]


@pytest.fixture
def machine(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Machines by name, each with a home and a memory of its own."""
    return lambda name: Cli(tmp_path / name, capsys, monkeypatch)


def evening(cli: Cli, title: str, log: Path) -> None:
    """An evening of anna's on this machine; the log is kept."""
    cli.ok("dice", "new", "--keeper", "host", "--player", "anna", "--called", "anna=アンナ", "--title", title)
    cli.ok("join", title, "--as", "anna", "--links", "16")
    cli.ok("roll", title, "20d6", "--as", "anna")
    cli.ok("close", title, "--as", "host")
    cli.ok("export", title, "--out", log)


@pytest.fixture
def evenings(machine: Machine, tmp_path: Path) -> Path:
    """Anna's machine is lost after the first evening; she has her file, and plays the second on another."""
    one = machine("one")
    for name in ("host", "anna"):
        make_identity(one.home, name)
    (tmp_path / "logs").mkdir()
    evening(one, "First", tmp_path / "logs" / "first.jsonl")
    file = tmp_path / "anna.profile"
    assert "rollproof identity restore anna.profile" in one.ok("identity", "backup", "anna", "--out", file)
    again = tmp_path / "again.profile"
    one.ok("identity", "backup", "anna", "--out", again)
    assert again.read_bytes() == file.read_bytes(), "one key names one recovery key"
    assert file.stat().st_mode & 0o077 == 0
    two = machine("two")
    make_identity(two.home, "host")
    assert "rollproof identity successions anna" in two.ok("identity", "restore", file)
    (tmp_path / "anna.succession").write_text(two.ok("identity", "successions", "anna"))
    evening(two, "Second", tmp_path / "logs" / "second.jsonl")
    return tmp_path


def players(cli: Cli, *what: str | Path) -> list[tuple[str, int]]:
    """Whose d6 are counted, and how many."""
    tests = cli.value("stats", *what)["tests"]
    return [(test["player"], test["dice"]) for test in tests if test["player"] is not None]


@pytest.mark.long
def test_two_evenings_of_one_person_count_as_one(evenings: Path, machine: Machine) -> None:
    count_as_one(evenings, machine("league"))
    takes_nobody_over(evenings, machine("thief"))
    changes_a_roster(evenings, machine("organizer"))


def count_as_one(evenings: Path, cli: Cli) -> None:
    apart = players(cli, evenings / "logs")
    assert [dice for _, dice in apart] == [20, 20]
    assert all(player.startswith("アンナ (anna) (") for player, _ in apart), "two keys of one name"
    succession = ("--succession", evenings / "anna.succession")
    assert players(cli, evenings / "logs", *succession) == [("アンナ (anna)", 40)]
    # The same as a season's data, and on its page; and a server that withholds the succession joins nobody.
    season = evenings / "season"
    cli.ok("export", "--parquet", season, evenings / "logs")
    ranked = cli.value("stats", season)["ranked"]
    assert sorted(one["test"]["dice"] for one in ranked if one["whose"] == "player") == [20, 20]
    ranked = cli.value("stats", season, *succession)["ranked"]
    mine = [one["test"] for one in ranked if one["whose"] == "player"]
    assert [(test["player"], test["dice"]) for test in mine] == [("アンナ (anna)", 40)]
    cli.ok("report", season, "--out", evenings / "season.html", *succession)
    assert "アンナ (anna)" in (evenings / "season.html").read_text("utf-8")
    cli.ok("report", evenings / "logs", "--out", evenings / "report.html", *succession)
    assert "アンナ (anna), d6" in (evenings / "report.html").read_text("utf-8")


def takes_nobody_over(evenings: Path, thief: Cli) -> None:
    """A thief of the file and its passphrase."""
    thief.ok("identity", "restore", evenings / "anna.profile")
    (evenings / "thief.succession").write_text(thief.ok("identity", "successions", "anna"))
    both = ("--succession", evenings / "anna.succession", "--succession", evenings / "thief.succession")
    result = thief("stats", evenings / "logs", *both, "--json")
    assert (result.code, len(result.json["tests"])) == (0, 3), "two keys, and all of them together"
    assert "Two successions of the key" in result.err


def test_what_cannot_be_restored_makes_nothing(machine: Machine, tmp_path: Path) -> None:
    one, file = machine("one"), tmp_path / "anna.profile"
    make_identity(one.home, "anna")
    one.ok("identity", "backup", "anna", "--out", file)
    assert "has a key here, which is not lost" in one.refused("identity", "restore", file)
    assert one.ok("identity", "successions", "anna") == "anna has had one key from the beginning.\n"
    two = machine("two")
    changed = json.loads(file.read_bytes()) | {"called": "Mallory"}
    for damaged in (b"", b"{}", file.read_bytes()[:-9], json.dumps(changed).encode()):
        (tmp_path / "damaged").write_bytes(damaged)
        assert "no file of a profile" in two.refused("identity", "restore", tmp_path / "damaged", code=66)
    two.monkeypatch.setenv("ROLLPROOF_PASSPHRASE", "another passphrase")
    assert "wrong, or the file was changed" in two.refused("identity", "restore", file, code=77)
    assert not two.home.exists()


def changes_a_roster(evenings: Path, cli: Cli) -> None:
    """An organizer takes a succession into a roster."""
    make_identity(cli.home, "olga")
    chain = json.loads((evenings / "anna.succession").read_text())
    first, second = evenings / "open.roster", evenings / "open-2.roster"
    cli.ok("roster", "new", "--event", "Spring Open", "--add", chain["key"], "--out", first)
    succession = ("--succession", evenings / "anna.succession")
    assert "anna: the key ends" in cli.ok("roster", "change", first, *succession, "--out", second)
    organizer = cli.ok("identity", "show", "olga").strip()
    keys = cli.value("roster", "show", second, "--organizer", organizer, "--before", first)["keys"]
    assert [(key["key"], key["from"], key["until"]) for key in keys] == [
        (chain["key"], None, chain["time"]),
        (chain["new"], chain["time"], None),
    ]
    (evenings / "none.succession").touch()
    nobodys = ("--succession", evenings / "none.succession")
    assert "none of these successions" in cli.refused("roster", "change", first, *nobodys, "--out", evenings / "x")


def test_a_roster_follows_the_successions_of_several_people_in_any_order(machine: Machine, tmp_path: Path) -> None:
    cli = machine("organizer")
    make_identity(cli.home, "olga")
    first, second, none = (tmp_path / name for name in ("1.roster", "2.roster", "none.roster"))

    def saved(name: str, *lines: Json) -> tuple[str, Path]:
        (tmp_path / name).write_text("".join(map(line, lines)))
        return "--succession", tmp_path / name

    bob2 = Person("bob", 2)
    league = saved("league", succession(ANNA2, ANNA3, time=LATER), succession(BOB, bob2), succession(ANNA, ANNA2))
    cli.ok("roster", "new", "--event", "Spring Open", "--add", ANNA.key, "--add", BOB.key, "--out", first)
    cli.ok("roster", "change", first, *league, "--out", second)
    organizer = cli.ok("identity", "show", "olga").strip()
    keys = cli.value("roster", "show", second, "--organizer", organizer, "--before", first)["keys"]
    assert {key["key"]: (key["from"], key["until"]) for key in keys} == {
        ANNA.key: (None, TIME),
        ANNA2.key: (TIME, LATER),
        ANNA3.key: (LATER, None),
        BOB.key: (None, TIME),
        bob2.key: (TIME, None),
    }
    owners, thiefs = saved("owner", succession(ANNA, ANNA2)), saved("thief", succession(ANNA, THIEF))
    both = saved("both", succession(ANNA, THIEF), succession(ANNA, ANNA2))
    for split in ((*owners, *thiefs), (*thiefs, *owners), both):
        assert "ask whose they are" in cli.refused("roster", "change", first, *split, "--out", none)
    joined = saved("joined", succession(ANNA, ANNA2), succession(OTHER, ANNA2))
    assert "ask whose it is" in cli.refused("roster", "change", first, *joined, "--out", none)
    turning = saved("round", succession(ANNA, ANNA2), succession(ANNA2, ANNA))
    for before, nothing in ((first, turning), (second, turning), (second, league)):
        assert "none of these successions" in cli.refused("roster", "change", before, *nothing, "--out", none)
    assert not none.exists()
    # One step that was dated twice is no split, and the earlier date counts, in whichever order they come.
    dated = [succession(ANNA, ANNA2, time=time) for time in (TIME, LATER)]
    for number, order in enumerate((dated, dated[::-1])):
        twice, out = saved(f"twice {number}", *order), tmp_path / f"{number}.twice"
        cli.ok("roster", "change", first, *twice, "--out", out)
        keys = cli.value("roster", "show", out, "--organizer", organizer, "--before", first)["keys"]
        assert [key["until"] for key in keys if key["key"] == ANNA.key] == [TIME]
