"""`rollproof event`: organizer, judge and players with homes of their own, from registration to the bundle."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ledger.home import Home
from tests.support.cli import Cli, make_identity
from verifier.shell.command import run as run_verifier

EVENT = "Spring Open"


class People:
    """Everybody's homes, and commands in each of them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.capsys, self.monkeypatch = folder, capsys, monkeypatch

    def at(self, home: str) -> Cli:
        return Cli(self.folder / home, self.capsys, self.monkeypatch)

    def new(self, home: str, *names: str) -> None:
        for name in names:
            make_identity(self.folder / home, name)

    def key(self, home: str, name: str) -> str:
        return str(Home(self.folder / home).key(name))

    def event(self, home: str, verb: str, *words: str | Path) -> Any:
        """The JSON of a command of an event."""
        return self.at(home).value("event", verb, EVENT, *words)

    def act(self, home: str, verb: str, *words: str | Path) -> Path:
        """An act that somebody signs into a file."""
        out = self.folder / f"{home}-{verb}.act"
        self.event(home, verb, *words, "--out", out, "--force")
        return out

    def take(self, *files: Path) -> list[dict[str, Any]]:
        result = self.at("hall")("event", "take", EVENT, *files, "--json")
        return [json.loads(line) for line in result.out.splitlines()]

    def hand_out(self, *homes: str) -> None:
        """Everybody gets the event as it is now."""
        log = self.folder / "event.jsonl"
        self.event("hall", "export", "--out", log, "--force")
        for home in homes:
            self.at(home).ok("event", "import", log)

    def status(self) -> Any:
        return self.event("hall", "status")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event with four players registered, two checked in by their codes, two at the desk."""
    folder = tmp_path_factory.mktemp("event")
    (folder / "players.csv").write_text("No,Player\n1,Alice Ito\n2,Bob Meyer\n3,=Carol()\n4,Dave Okafor\n")
    return folder


@pytest.fixture
def people(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> People:
    found = People(tmp_path, capsys, monkeypatch)
    shutil.copy(begun / "players.csv", tmp_path / "players.csv")
    found.new("hall", "hall", "olga")
    found.new("dana", "dana")
    for number in (1, 2, 3, 4):
        found.new(f"p{number}", f"p{number}")
    hall = found.at("hall")
    hall.ok("event", "new", EVENT, "--keeper", "hall", "--game", "dice", "--rounds", "3", "--as", "olga")
    found.event("hall", "register", tmp_path / "players.csv", "--codes", tmp_path / "codes.csv", "--as", "olga")
    found.event("hall", "appoint", found.key("dana", "dana"), "--role", "head", "--as", "olga")
    found.hand_out("dana", "p1", "p2", "p3", "p4")
    codes = [line.split(",")[2] for line in (tmp_path / "codes.csv").read_text().splitlines()[1:]]
    for number in (1, 2):
        file = found.act(f"p{number}", "check-in", "-p", str(number), "--code", codes[number - 1], "--as", f"p{number}")
        (told,) = found.take(file)
        assert told["type"] == "check-in", told
    for number in (3, 4):
        found.event(
            "hall", "check-in", "-p", str(number), "--key", found.key(f"p{number}", f"p{number}"), "--as", "olga"
        )
    return found


def paired(people: People, *rows: str) -> None:
    file = people.folder / "round.csv"
    file.write_text("Table,Player 1,Player 2\n" + "".join(f"{row}\n" for row in rows))
    people.event("hall", "pair", file, "--as", "olga")
    people.at("hall").ok("event", "start", EVENT, "--links", "16", "--as", "olga")
    people.event("hall", "tables", "--out", people.folder / "tables", "--force")
    people.hand_out("dana", "p1", "p2", "p3", "p4")


@pytest.mark.long
def test_a_day_from_registration_to_a_bundle_that_another_program_verifies(
    people: People, capsys: pytest.CaptureFixture[str]
) -> None:
    paired(people, "11,1,2", "14,3,4")
    table = people.folder / "tables" / "round-1-table-11.jsonl"
    for player in ("p1", "p2"):  # each on a machine of its own; the keeper takes what came
        people.at(player)("event", "join", EVENT, table, "--links", "16", "--as", player)
        game = json.loads(people.at(player).ok("games", "--json"))
        people.at(player).ok("export", game[0]["game"], "--out", table, "--force")
        people.at("hall")("import", table)
        people.at("hall").ok("export", game[0]["game"], "--out", table, "--force")
    people.take(people.act("p1", "call", "-t", "11", "--text", "a reroll", "--as", "p1"))
    people.take(people.act("p1", "slip", "2", "1", "-t", "11", "--as", "p1"))
    status = people.status()
    (call,), (claim,) = status["waiting"], status["claims"]
    people.hand_out("dana", "p2")
    answer = people.act("dana", "answer", str(call["line"]), "--text", "it was right", "--as", "dana")
    agree = people.act("p2", "agree", str(claim["line"]), "--as", "p2")
    slip = people.act("dana", "slip", "won=2", "won=0", "-t", "14", "--reason", "player 4 is not here", "--as", "dana")
    assert all("line" in told for told in people.take(answer, agree, slip))
    people.at("hall").ok("event", "end", EVENT, "--as", "olga")
    people.event("hall", "results", "--out", people.folder / "results.csv")
    results = (people.folder / "results.csv").read_text()
    assert "1,11,1,Alice Ito,2,2,Bob Meyer,1" in results
    assert "'=Carol()" in results
    people.event("hall", "close", "--as", "olga")
    people.at("hall").ok("event", "checkpoint", EVENT, "--out", people.folder / "event.checkpoint", "--as", "hall")
    alone = people.folder / "alone.bundle"
    people.event("hall", "bundle", "--out", alone)
    bundle = people.folder / "day.bundle"
    told = people.event(
        "hall", "bundle", "--checkpoint", people.folder / "event.checkpoint", "--out", bundle, "--names"
    )
    assert (told["games"], told["missing"]) == (2, 0)
    assert (people.folder / "event.checkpoint").read_bytes() in alone.read_bytes(), "its keeper signed no checkpoint"
    capsys.readouterr()
    assert run_verifier([str(bundle), "--json", "--key", people.key("hall", "olga")]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["kind"], report["verdict"]) == ("bundle", "holds")
    assert report["state"]["rounds"][0]["tables"][0]["result"] == [{"won": 2}, {"won": 1}]
    assert {game["verdict"] for game in report["state"]["games"]} == {"holds"}
    assert any("names" in text for text in report["checked"])
    people.at("hall").ok("event", "unpack", bundle, "--out", people.folder / "unpacked")
    assert run_verifier([str(people.folder / "unpacked" / "event.jsonl"), "--lang", "ja"]) == 0
    assert b"Alice" not in (people.folder / "unpacked" / "event.jsonl").read_bytes()
    data = bundle.read_bytes()
    bundle.write_bytes(data.replace(b'"won":2', b'"won":3', 1))
    assert run_verifier([str(bundle)]) == 1


@pytest.mark.long
def test_a_player_joins_no_table_that_the_event_does_not_say(people: People) -> None:
    paired(people, "11,1,2", "14,3,4")
    hall = people.at("hall")
    keys = [people.key(f"p{number}", f"p{number}") for number in (1, 2)]
    for number, key in enumerate(keys, 1):
        (people.folder / f"{number}.key").write_text(key)
    terms = ["--keeper", "hall", *(f"--player={people.folder / f'{n}.key'}" for n in (1, 2))]
    hall.ok("dice", "new", *terms, "--title", "Spring Open, round 1, table 11 ", "--links", "16")
    forged = people.folder / "forged.jsonl"
    hall.ok("export", "Spring Open, round 1, table 11 ", "--out", forged)
    p1 = people.at("p1")
    said = p1.refused("event", "join", EVENT, forged, "--as", "p1")
    assert "does not name the game" in said
    assert p1.value("games") == []
    other = people.folder / "tables" / "round-1-table-14.jsonl"
    assert "does not sit at table 14" in p1.refused("event", "join", EVENT, other, "--as", "p1")
    mine = people.folder / "tables" / "round-1-table-11.jsonl"
    assert "is what the event says" in p1.ok("event", "join", EVENT, mine, "--check")


@pytest.mark.long
@pytest.mark.parametrize(
    ("member", "body"), [("title", {"title": "another"}), ("contributors", {"contributors": "roller"})]
)
def test_a_player_joins_no_game_that_the_event_names_and_that_has_other_terms(
    people: People, monkeypatch: pytest.MonkeyPatch, member: str, body: dict[str, str]
) -> None:
    from verifier.event import tables

    def forged(*arguments: Any) -> dict[str, Any]:
        zero = event_zero(*arguments)
        return {**zero, "body": {**zero["body"], **body}}

    event_zero = tables.event_zero
    with monkeypatch.context() as patch:  # the keeper opens a game with terms of its own, and names it in the event
        patch.setattr(tables, "event_zero", forged)
        paired(people, "11,1,2")
    table = people.folder / "tables" / "round-1-table-11.jsonl"
    for words in (["--check"], []):
        said = people.at("p1").refused("event", "join", EVENT, table, *words, "--as", "p1")
        assert f"body.{member} differs" in said
    assert people.at("p1").value("games") == []


@pytest.mark.long
def test_what_is_wrong_is_refused_and_the_log_is_as_it_was(people: People) -> None:
    before = people.status()["lines"]
    stolen = people.act("p3", "check-in", "-p", "3", "--code", "A" * 43, "--as", "p3")
    (told,) = people.take(stolen)
    assert told["refused"]["code"] == "player.state"
    judge = people.act("dana", "drop", "-p", "1", "--reason", "no", "--as", "dana")
    changed = json.loads(judge.read_text())
    changed["act"]["number"] = 2
    judge.write_text(json.dumps(changed, separators=(",", ":"), sort_keys=True))
    (told,) = people.take(judge)
    assert told["refused"]["code"] == "act.signature"
    for garbage in (b"", b"{}", b"[" * 60_000, b"\xff", b"x" * 100_000):
        (people.folder / "garbage.act").write_bytes(garbage + b"\n")
        assert people.at("hall")("event", "take", EVENT, people.folder / "garbage.act").code in (65, 66)
    people.at("hall")
    assert "who keeps this event, is not here" in people.at("dana").refused(
        *("event", "drop", EVENT, "-p", "1", "--reason", "no", "--as", "dana")
    )
    assert people.status()["lines"] == before


@pytest.mark.long
def test_who_registers_reads_what_was_written_and_how_many_codes(people: People) -> None:
    codes = people.folder / "late-codes.csv"
    (people.folder / "late.csv").write_text("Name\nErin\nFay\n")
    told = people.at("hall").ok(
        "event", "register", EVENT, people.folder / "late.csv", "--codes", codes, "--as", "olga"
    )
    assert f"{codes}: 2 codes. Give each to its person alone" in " ".join(told.split())


def test_a_wrong_list_is_told_line_by_line_and_nothing_is_signed(people: People) -> None:
    before = people.status()["lines"]
    file = people.folder / "wrong.csv"
    file.write_text("Table,Player 1,Player 2\n11,1,Nobody\n11,2,3\nx,1,4\n")
    result = people.at("hall")("event", "pair", EVENT, file, "--as", "olga")
    assert result.code == 65
    assert [part in result.err for part in ("line 2", "line 4")] == [True, True]
    told = people.at("hall")("event", "pair", EVENT, file, "--as", "olga", "--json")
    assert [error["line"] for error in told.json["errors"]] == [2, 4]
    file.write_text("Table,Player 1,Player 2\n11,1,5\n")
    assert "5" in people.at("hall").refused("event", "pair", EVENT, file, "--dry-run")
    file.write_text("Table,Player 1,Player 2\n11,1,2\n,3,bye\n")
    assert people.event("hall", "pair", file, "--dry-run")["byes"] == [3]
    assert people.status()["lines"] == before


@pytest.mark.long
def test_a_wrong_pairing_after_the_start_opens_new_tables_and_keeps_the_old_games(people: People) -> None:
    paired(people, "11,1,2", "14,3,4")
    old = people.status()["rounds"][0]["tables"][0]["game"]
    file = people.folder / "new.csv"
    file.write_text("Table,Player 1,Player 2\n11,1,3\n14,2,4\n")
    people.at("hall").ok(
        *("event", "correct-pairing", EVENT, file, "--reason", "wrong opponents", "--links", "16", "--as", "olga")
    )
    tables = people.status()["rounds"][0]["tables"]
    assert [table["sides"] for table in tables] == [[[1], [3]], [[2], [4]]]
    assert old not in [table["game"] for table in tables]
    people.at("hall").ok("event", "open", EVENT, "--as", "hall")  # there is nothing left to open
    assert [table["game"] for table in people.status()["rounds"][0]["tables"]] == [table["game"] for table in tables]
    people.event("hall", "bundle", "--out", people.folder / "day.bundle")
    assert run_verifier([str(people.folder / "day.bundle"), "--json"]) == 0


@pytest.mark.long
def test_a_table_that_was_opened_when_the_machine_stopped_is_not_opened_twice(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger.cli.event_desk import EventDesk

    file = people.folder / "round.csv"
    file.write_text("Table,Player 1,Player 2\n11,1,2\n")
    people.event("hall", "pair", file, "--as", "olga")

    def stops(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(EventDesk, "write_own", stops)
        people.at("hall")("event", "start", EVENT, "--links", "16", "--as", "olga")
    games = people.at("hall").value("games")
    assert len(games) == 1
    assert "game" not in people.status()["rounds"][0]["tables"][0]
    people.at("hall").ok("event", "open", EVENT, "--links", "16", "--as", "hall")
    assert people.status()["rounds"][0]["tables"][0]["game"] == games[0]["game"]
    assert len(people.at("hall").value("games")) == 1


def test_names_of_a_bundle_are_taken_where_each_was_registered(people: People) -> None:
    kept = next((people.folder / "hall" / "events").glob("*.names.json")).read_bytes()
    log, names = people.folder / "again.jsonl", people.folder / "names.json"
    people.event("hall", "export", "--out", log, "--force")
    names.write_bytes(kept)
    people.at("p1").ok("event", "import", log, "--names", names)
    assert next(row["name"] for row in people.event("p1", "players")) == "Alice Ito"
    people.at("p2").ok("event", "import", log)
    shorter = people.folder / "shorter.jsonl"
    shorter.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    refused = people.at("p2")("event", "import", shorter)
    assert "are here: nothing in it is new" in refused.err
    taken = people.at("p2")("event", "import", shorter, "--names", names)
    assert (taken.code, "The names are taken" in taken.err) == (0, True), taken
    assert next(row["name"] for row in people.event("p2", "players")) == "Alice Ito"
    event = json.loads(kept)["event"].encode()
    for wrong, words in (
        (kept.replace(b"Alice", b"Mallory"), "Player 1 was not registered with the name"),
        (kept.replace(event, b"0" * 64), "The names file is that of another event"),
        (b"[]\n", "names.json: "),
    ):
        names.write_bytes(wrong)
        refused = people.at("p1")("event", "import", log, "--names", names)
        assert refused.code in (65, 66)
        assert words in refused.err
        assert next(row["name"] for row in people.event("p1", "players")) == "Alice Ito", "what was there stays"


def test_names_can_be_deleted_and_the_event_holds(people: People) -> None:
    names = list((people.folder / "hall" / "events").glob("*.names.json"))
    assert len(names) == 1
    assert names[0].stat().st_mode & 0o077 == 0
    assert next(row["name"] for row in people.event("hall", "players")) == "Alice Ito"
    names[0].unlink()
    assert next(row["name"] for row in people.event("hall", "players")) == ""
    people.event("hall", "export", "--out", people.folder / "event.jsonl", "--force")
    assert run_verifier([str(people.folder / "event.jsonl"), "--json"]) == 0


def test_the_record_is_read_in_words_from_home_log_and_bundle(people: People) -> None:
    people.event("hall", "drop", "-p", "2", "--reason", "a train", "--as", "olga")
    people.event("hall", "penalty", "-p", "1", "warning", "--text", "late", "--as", "olga")
    told = people.at("hall").ok("event", "log", EVENT, "--type", "drop", "--type", "penalty")
    lines = [line.split(maxsplit=3) for line in told.splitlines()[-2:]]
    assert [line[3] for line in lines] == [
        "olga  dropped Bob Meyer (2). Why: a train",
        "olga  gave Alice Ito (1) a warning: late",
    ]
    found = people.event("hall", "log", "--type", "penalty")["lines"]
    assert [str(each["line"]) for each in found] == [lines[1][0]]
    people.event("hall", "correct-penalty", lines[1][0], "--reason", "too hard", "--as", "olga")
    latest = people.event("hall", "log", "--limit", "1")["lines"]
    assert latest[0]["what"] == f"took back the penalty of line {lines[1][0]}, of Alice Ito (1). Why: too hard"
    log, bundle, named = (people.folder / name for name in ("record.jsonl", "event.bundle", "named.bundle"))
    people.event("hall", "export", "--out", log)
    people.event("hall", "bundle", "--out", bundle)
    people.event("hall", "bundle", "--out", named, "--names")
    for file, who in ((log, "player 2"), (bundle, "player 2"), (named, "Bob Meyer (2)")):
        read = people.at("p3").value("event", "log", file, "--type", "drop")["lines"]
        assert [each["what"] for each in read] == [f"dropped {who}. Why: a train"]


def test_what_does_not_hold_of_a_record_is_said_and_not_shown(people: People) -> None:
    log = people.folder / "record.jsonl"
    people.event("hall", "export", "--out", log)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:3]) + lines[3].replace(b'"seq":3', b'"seq":4') + b"".join(lines[4:]))
    told = people.at("p3")("event", "log", log)
    assert (told.code, "Line 3 does not hold, and nothing behind it is shown" in told.err) == (1, True)
    assert len(told.out.splitlines()) == 4, "a heading, and three lines"
    log.write_bytes(b"dear diary\n")
    told = people.at("p3")("event", "log", log)
    assert (told.code, told.err) == (
        66,
        f"rollproof: {log}: The file is no event log: its first line opens no event.\n",
    )
    whole = people.folder / "whole.bundle"
    people.event("hall", "bundle", "--out", whole, "--names")
    data = whole.read_bytes()
    whole.write_bytes(data[:-5])
    told = people.at("p3")("event", "log", whole)
    assert (told.code, "it is incomplete or damaged. Get it again" in told.err) == (66, True)
    told = people.at("p3")("event", "log", log, "--type", "void")
    assert (told.code, "there is no act 'void'" in told.err) == (64, True)
