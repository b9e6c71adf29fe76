"""Rosters (specs/roster.md): three findings that are three things; forged, changed and shortened rosters; lost keys."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.seats.identity import Identity
from ledger.store.receipts import Receipt
from tests.conftest import SPECS
from tests.support.cli import Cli, make_home
from tests.support.table import ROLL, Table, declared, identity_from, joined, replaced
from verifier import Pins, Report, VerifierKey, verify
from verifier.checkpoints.note import Note, format_note, signature_line
from verifier.errors import NoteError
from verifier.log.roster import Entry, Roster
from verifier.rosters.roster import RosterError, Rotation, check_extends, parse_roster, parse_rotation, signed_roster

OLGA = identity_from("olga", b"o" * 32)
LATER, BEFORE = "2026-11-20T20:00:00.000Z", "2026-11-20T18:00:00.000Z"


def signed(roster: Roster, by: Identity = OLGA) -> bytes:
    return format_note(Note(roster.text, (signature_line(by.key, by.sign(roster.text.encode())),)))


def roster_of(table: Table, **changed: Entry) -> Roster:
    """All parties of a table; `changed` entries take the place of those."""
    entries = {name: Entry(key) for name, key in table.keys.items()} | changed
    return Roster("Spring Open", 1, "0" * 64, tuple(entries.values()))


def report_on(table: Table, roster: Roster) -> Report:
    return verify(table.log, pins=Pins(roster=parse_roster(signed(roster), OLGA.key)))[0]


def codes(report: Report) -> list[tuple[str, str | None, int | None]]:
    return [(f.code, f.fault, f.seq) for f in report.findings if f.severity == "error"]


def test_a_log_by_the_keys_of_the_roster(table: Table) -> None:
    report = report_on(table, roster_of(table))
    assert report.verdict == "holds"
    assert any("roster of Spring Open" in text for text in report.checked)
    assert not any("--key" in text for text in report.not_checked)


def test_unknown_key_other_name_and_bad_signature_are_three_things(table: Table) -> None:
    stranger = Entry(Identity.generate("bob").key)
    report = report_on(table, roster_of(table, bob=stranger))
    assert codes(report) == [("roster.unknown-key", "file", 0)]
    as_carol = Entry(type(table.keys["bob"])("carol", table.keys["bob"].public_bytes))
    report = report_on(table, roster_of(table, bob=as_carol))
    assert codes(report) == [("roster.other-name", "bob", 0)]
    assert report.findings[0].expected == "carol"
    line = next(line for line in table.lines if b'"author":"bob"' in line)
    event = json.loads(line)
    changed = line.replace(event["sig"].encode(), ("00" + event["sig"][2:]).encode())
    bad = table.log.replace(line, changed)
    report = verify(bad, pins=Pins(roster=roster_of(table)))[0]
    assert [code for code, _, _ in codes(report)] == ["signature.invalid"]


def test_nobody_is_blamed_for_a_game_that_they_never_joined(make_table: Callable[..., Table]) -> None:
    """A keeper puts bob's key into event 0 under a name of its own choice; bob has signed nothing."""
    table = make_table()
    as_carol = Entry(VerifierKey("carol", table.keys["bob"].public_bytes))
    report = report_on(table, roster_of(table, bob=as_carol))
    assert codes(report) == [("roster.other-name", "host", 0)]
    assert "carol signed nothing here" in report.findings[0].message
    table.ledger.append(table.game, table.seats["bob"].join(table.view))
    assert codes(report_on(table, roster_of(table, bob=as_carol))) == [("roster.other-name", "bob", 0)]
    lines = table.lines
    roster = roster_of(table, bob=as_carol)
    sig = json.loads(lines[1])["sig"].encode()
    for broken in (lines[1].replace(b"join", b"jion"), lines[1].replace(sig, b"0" * 128)):
        report = verify(b"%s\n%s\n" % (lines[0], broken), pins=Pins(roster=roster))[0]
        assert ("roster.other-name", "host", 0) in codes(report), "an event that does not hold is nobody's"


def test_a_key_counts_while_it_counts(table: Table) -> None:
    until = Entry(table.keys["alice"], until=LATER)
    assert report_on(table, roster_of(table, alice=until)).verdict == "holds"
    since = Entry(table.keys["alice"], since=LATER)
    report = report_on(table, roster_of(table, alice=since))
    assert codes(report) == [("roster.revoked", "file", 0)], "the game was opened before: nobody vouches for the key"
    opened = json.loads(table.lines[0])["time"]
    assert report_on(table, roster_of(table, alice=Entry(table.keys["alice"], since=opened))).verdict == "holds"
    before = Entry(table.keys["alice"], until=opened)
    assert codes(report_on(table, roster_of(table, alice=before))) == [("roster.revoked", "file", 0)]
    host = Entry(table.keys["host"], until=opened)
    assert codes(report_on(table, roster_of(table, host=host))) == [("roster.revoked", "file", 0)]
    table.roll("alice")
    last = json.loads(table.lines[-1])
    ended = Entry(table.keys["alice"], until=last["time"])
    report = report_on(table, roster_of(table, alice=ended))
    assert codes(report) == [("roster.revoked", "alice", last["seq"])]


def notices(report: Report) -> list[tuple[str, str | None, int | None]]:
    return [(f.code, f.fault, f.seq) for f in report.findings if f.severity == "notice" and f.step == 28]


def test_an_opening_has_no_date(table: Table) -> None:
    """Bob signs no event in alice's roll; his key opens for a request that alice dated."""
    table.request("alice", "roll", ROLL)
    request = json.loads(table.lines[-2])
    for time in (request["time"], json.loads(table.lines[-1])["time"]):
        report = report_on(table, roster_of(table, bob=Entry(table.keys["bob"], until=time)))
        assert (report.verdict, notices(report)) == ("holds", [])


def declare(table: Table, name: str) -> Receipt:
    return table.ledger.append(table.game, declared(table.seats[name], table.take(name)))


def test_a_date_that_somebody_else_wrote_blames_nobody(table: Table) -> None:
    """The host's clock, or the host, runs ahead; alice's program dates what she signs no earlier than the log is."""
    until = table.clock().replace("2026", "2027")
    roster = roster_of(table, alice=Entry(table.keys["alice"], until=until))
    table.clock.now = table.clock.now.replace(year=2028)
    late = table.ledger.append(table.game, replaced(table, "host")).seq
    # Alice's program signs on no log that is dated so far ahead: here her clock is wrong as well.
    seq = declare(table, "alice").seq
    events = [json.loads(line) for line in table.lines]
    assert events[seq]["time"] > events[late]["time"] > until
    declare(table, "alice")
    report = report_on(table, roster)
    assert (report.verdict, codes(report), notices(report)) == ("holds", [], [("roster.ended", None, seq)])
    assert report.findings[-1].code == "roster.ended"


def test_whoever_chooses_a_late_date_answers_for_it(table: Table) -> None:
    until = table.clock().replace("2026", "2027")
    both = roster_of(table, **{name: Entry(table.keys[name], until=until) for name in ("alice", "bob")})
    table.clock.now = table.clock.now.replace(year=2028)
    first, then = declare(table, "alice").seq, declare(table, "bob").seq
    declare(table, "alice")
    report = report_on(table, both)
    assert (codes(report), notices(report)) == ([("roster.revoked", "alice", first)], [("roster.ended", None, then)])
    order = [(finding.code, finding.severity) for finding in report.findings]
    assert order[0] == ("roster.revoked", "error")
    assert order[-1] == ("roster.ended", "notice")
    shorter = verify(joined(table.lines[:first]), pins=Pins(roster=both))[0]
    assert (shorter.verdict, notices(shorter)) == ("holds", [])


def test_the_date_on_the_boundary(table: Table) -> None:
    """UNTIL is the first time that does not count."""
    seq = declare(table, "alice").seq
    times = [json.loads(line)["time"] for line in table.lines]
    for until, expected in ((times[seq], [("roster.revoked", "alice", seq)]), (times[seq] + "x", [])):
        entry = Entry(table.keys["alice"], until=until)
        report = verify(table.log, pins=Pins(roster=roster_of(table, alice=entry)))[0]
        assert codes(report) == expected
    forced = Entry(table.keys["alice"], until=times[seq - 1])
    report = verify(table.log, pins=Pins(roster=roster_of(table, alice=forced)))[0]
    assert (codes(report), notices(report)) == ([], [("roster.ended", None, seq)])


def test_what_stands_behind_a_flaw_is_not_looked_at(table: Table) -> None:
    table.roll("alice")
    lines = table.lines
    time = json.loads(lines[-1])["time"]
    roster = roster_of(table, alice=Entry(table.keys["alice"], until=time))
    broken = b"".join(line + b"\n" for line in [*lines[:-1], lines[-1].replace(b"resolve", b"resolvo")])
    report = verify(broken, pins=Pins(roster=roster))[0]
    assert "roster.revoked" not in [code for code, _, _ in codes(report)]


# --- the roster itself ---------------------------------------------------------------------------------------------


def refused(data: bytes, key: Any = OLGA.key) -> str:
    with pytest.raises(NoteError) as caught:
        parse_roster(data, key)
    return str(caught.value)


def test_a_roster_is_the_organizers(table: Table) -> None:
    roster = roster_of(table)
    mallory = Identity.generate("olga")
    assert "not signed by olga" in refused(signed(roster, mallory))
    forged = signed(roster).replace(b"Spring Open", b"Spring Opem")
    assert "does not fit" in refused(forged)
    as_checkpoint = format_note(Note(roster.text, (signature_line(OLGA.key, OLGA.sign(b"rollproof/v1/event\n")),)))
    assert "does not fit" in refused(as_checkpoint)


@pytest.mark.long
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("rollproof/v1/roster", "rollproof/v1/rotation"),
        lambda text: text.replace("version 1", "version 01"),
        lambda text: text.replace("version 1", "version 0"),
        lambda text: text.replace("version 1", "version 2"),
        lambda text: text.replace("0" * 64, "0" * 63),
        lambda text: text.replace("0" * 64, "1" * 64),
        lambda text: text.replace("event Spring Open", "event "),
        lambda text: text.replace("event Spring Open", "event \u202eSpring"),
        lambda text: text.replace("key alice", "kei alice"),
        lambda text: text.replace(" - -", " -"),
        lambda text: text.replace(" - -", " - - -"),
        lambda text: text.replace(" - -", " - 2026-02-30T00:00:00.000Z"),
        lambda text: text.replace(" - -", f" {LATER} {BEFORE}"),
        lambda text: text + text.splitlines()[-1] + "\n",
        lambda text: text[: text.index("key ")],
        lambda text: text.replace("alice+", "alice+0"),
    ],
)
def test_rosters_of_another_form(table: Table, change: Callable[[str], str]) -> None:
    text = change(roster_of(table).text)
    assert refused(format_note(Note(text, (signature_line(OLGA.key, OLGA.sign(text.encode())),))))


def test_two_keys_of_a_name_do_not_count_at_one_time(table: Table) -> None:
    other = Identity.generate("alice").key
    overlap = (Entry(table.keys["alice"], until=LATER), Entry(other, since=BEFORE))
    assert "same time" in refused(signed(Roster("Open", 1, "0" * 64, overlap)))
    fits = (Entry(table.keys["alice"], until=BEFORE), Entry(other, since=BEFORE))
    read = parse_roster(signed(Roster("Open", 1, "0" * 64, fits)), OLGA.key)
    assert [str(entry) for entry in read.entries] == [str(entry) for entry in fits]


def test_what_is_read_is_what_was_written(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    roster = roster_of(table, alice=Entry(table.keys["alice"], BEFORE, LATER))
    line = signature_line(OLGA.key, OLGA.sign(roster.text.encode()))
    data = signed_roster(roster, line)
    read = parse_roster(data, OLGA.key)
    assert read.text == roster.text
    assert read.hash == roster.hash
    monkeypatch.setattr("verifier.rosters.roster.MAX_ROSTER", len(data))
    assert signed_roster(roster, line) == data
    monkeypatch.setattr("verifier.rosters.roster.MAX_ROSTER", len(data) - 1)
    with pytest.raises(NoteError, match="longer than"):
        signed_roster(roster, line)


def test_no_roster_is_made_that_nobody_could_use(table: Table) -> None:
    twice = Roster("Open", 1, "0" * 64, (Entry(table.keys["alice"]), Entry(table.keys["alice"])))
    with pytest.raises(NoteError, match="stands twice"):
        signed_roster(twice, signature_line(OLGA.key, OLGA.sign(twice.text.encode())))


def test_what_is_wrong_in_a_roster_is_told_with_its_line(table: Table) -> None:
    text = roster_of(table).text
    for old, new, line in (("version 1", "version 0", 3), ("key alice", "kei alice", 6)):
        changed = text.replace(old, new)
        data = format_note(Note(changed, (signature_line(OLGA.key, OLGA.sign(changed.encode())),)))
        assert f"line {line}: " in refused(data)


# --- versions ------------------------------------------------------------------------------------------------------


def later(old: Roster, *entries: Entry, version: int | None = None, previous: str | None = None) -> Roster:
    return Roster(old.event, version or old.version + 1, previous or old.hash, entries)


def problem(new: Roster, old: Roster) -> str:
    with pytest.raises(NoteError) as caught:
        check_extends(new, old)
    return str(caught.value)


def test_a_version_extends_the_one_before(table: Table) -> None:
    old = roster_of(table)
    alice, *others = old.entries
    new_key = Identity.generate(alice.key.name).key
    good = later(old, Entry(alice.key, None, LATER), *others, Entry(new_key, LATER))
    check_extends(good, old)
    check_extends(old, old)
    assert "taken away" in problem(later(old, *others), old)
    assert "were changed" in problem(later(old, Entry(alice.key, BEFORE), *others), old)
    assert "were changed" in problem(later(good, *old.entries, Entry(new_key, LATER)), good)
    assert "older" in problem(old, good)
    assert "another version" in problem(later(old, *old.entries, previous="1" * 64), old)
    assert "two different" in problem(later(old, *old.entries, Entry(new_key), version=1), old)
    assert "two events" in problem(Roster("Other", 2, old.hash, old.entries), old)


def test_a_change_of_key_is_signed_by_both_keys() -> None:
    old, new = identity_from("alice", b"1" * 32), identity_from("alice", b"2" * 32)
    rotation = Rotation("Spring Open", old.key, new.key, LATER)

    def note(*by: Identity, text: str = rotation.text) -> bytes:
        return format_note(Note(text, tuple(signature_line(i.key, i.sign(text.encode())) for i in by)))

    assert parse_rotation(note(old, new)).time == LATER
    bob = identity_from("bob", b"3" * 32)
    to_bob = Rotation("Spring Open", old.key, bob.key, LATER).text
    for data in (
        note(old),
        note(new),
        note(new, bob),
        note(old, bob, text=to_bob),
        note(old, new, text=rotation.text + "more\n"),
        note(old, new, text=rotation.text.replace("time 2026", "time 26")),
    ):
        with pytest.raises(NoteError):
            parse_rotation(data)


# --- vectors -------------------------------------------------------------------------------------------------------

VECTORS = json.loads((SPECS / "vectors" / "disputes.json").read_text())
GAIL = VerifierKey.parse(VECTORS["organizer"])


@pytest.mark.parametrize("case", VECTORS["rosters"], ids=lambda case: case["about"])
def test_vectors_of_rosters(case: dict[str, Any]) -> None:
    if case["code"] is not None:
        with pytest.raises(RosterError) as caught:
            parse_roster(case["roster"].encode(), GAIL)
        assert caught.value.code == case["code"]
        return
    roster = parse_roster(case["roster"].encode(), GAIL)
    report, _ = verify((SPECS / "vectors" / "logs" / VECTORS["log"]).read_bytes(), pins=Pins(roster=roster))
    found = [{"code": code, "seq": seq, "fault": fault} for code, fault, seq in codes(report)]
    assert found == case["findings"]


@pytest.mark.parametrize("case", VECTORS["versions"], ids=lambda case: case["about"])
def test_vectors_of_versions(case: dict[str, Any]) -> None:
    old, new = (parse_roster(case[which].encode(), GAIL) for which in ("old", "new"))
    try:
        check_extends(new, old)
    except NoteError:
        assert not case["extends"]
    else:
        assert case["extends"]


@pytest.mark.parametrize("case", VECTORS["rotations"], ids=lambda case: case["about"])
def test_vectors_of_changes_of_key(case: dict[str, Any]) -> None:
    try:
        parse_rotation(case["rotation"].encode())
    except NoteError:
        assert not case["holds"]
    else:
        assert case["holds"]


# --- on the command line -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("begun") / "home")


@pytest.fixture
def cli(begun: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(Path(shutil.copytree(begun, tmp_path / "home")), capsys, monkeypatch)


def test_from_the_first_version_to_a_lost_key(cli: Cli, tmp_path: Path) -> None:
    cli.ok("identity", "new", "olga")
    keys = {row["name"]: row["key"] for row in cli.value("identity", "list")}
    organizer = keys.pop("olga")
    added = [word for key in keys.values() for word in ("--add", key)]
    one, two, three = (tmp_path / f"{n}.roster" for n in (1, 2, 3))
    cli.ok("roster", "new", "--event", "Spring Open", *added, "--as", "olga", "--out", one)
    log = tmp_path / "logs" / "table.jsonl"
    log.parent.mkdir()
    cli.ok("export", "Table 12", "--out", log)
    pinned = ("--roster", one, "--organizer", organizer)
    assert "roster of Spring Open" in cli.ok("verify", log, *pinned)
    for n in range(6):
        shutil.copy(log, log.with_name(f"{n}.jsonl"))
    assert "Hold: 7" in cli.ok("verify", log.parent, *pinned, "--jobs", "2", "--summary")

    cli.ok("identity", "new", "alice", "--home", tmp_path / "new")
    rotation = tmp_path / "alice.rotation"
    new_home = ("--new-home", tmp_path / "new")
    signed = cli.value("roster", "rotate", "--as", "alice", "--event", "Spring Open", *new_home, "--out", rotation)
    assert (signed["old"], signed["file"]) == (keys["alice"], str(rotation))
    cli.ok("roster", "change", one, "--rotation", rotation, "--as", "olga", "--out", two)
    assert cli("verify", log, "--roster", two, "--organizer", organizer).code == 0, "the log is older than the change"
    lost = ("--lost", "bob", "--since", "2020-01-01T00:00:00.000Z")
    told = cli.ok("roster", "change", two, *lost, "--as", "olga", "--out", three)
    assert "bob: the key ends, and what it signed from 2020-01-01T00:00:00.000Z on does not count" in told
    result = cli("verify", log, "--roster", three, "--organizer", organizer, "--json")
    assert result.code == 1
    assert next(f["code"] for f in result.json["findings"]) == "roster.revoked"
    shown = cli.value("roster", "show", three, "--organizer", organizer, "--before", one)
    assert (shown["version"], len(shown["keys"])) == (3, 5)
    assert cli("roster", "show", one, "--organizer", organizer, "--before", three).code == 1
    assert "roster.malformed" in cli.refused("roster", "show", one, "--organizer", organizer, "--before", log)


def test_what_is_refused(cli: Cli, tmp_path: Path) -> None:
    keys = {row["name"]: row["key"] for row in cli.value("identity", "list")}
    roster, out = tmp_path / "1.roster", tmp_path / "2.roster"
    cli.ok("roster", "new", "--event", "Open", "--add", keys["alice"], "--as", "dana", "--out", roster)
    assert "--organizer" in cli.refused("verify", "Table 12", "--roster", roster)
    told = cli.refused("verify", "Table 12", "--roster", roster, "--organizer", keys["alice"])
    assert "(roster.signature): it is not signed by alice" in told
    out.write_text("hello")
    told = cli.refused("verify", "Table 12", "--roster", out, "--organizer", keys["dana"])
    assert "(roster.malformed)" in told
    out.unlink()
    change = ("roster", "change", roster, "--out", out)
    assert "not signed by alice" in cli.refused(*change, "--add", keys["bob"], "--as", "alice")
    assert "still counts" in cli.refused(*change, "--lost", keys["bob"], "--as", "dana")
    assert "still counts" in cli.refused(*change, "--lost", "bob", "--as", "dana")
    assert "same name" in cli.refused(*change, "--lost", "alice", "--replace", keys["bob"], "--as", "dana")
    assert "no time" in cli.refused(*change, "--lost", "alice", "--since", "yesterday", "--as", "dana")
    assert "stands twice" in cli.refused(*change, "--add", keys["alice"], "--as", "dana")
    assert "go with --lost" in cli.refused(*change, "--replace", keys["bob"], "--as", "dana")
    assert "at least one key" in cli.refused("roster", "new", "--event", "Open", "--as", "dana", "--out", out)
    assert "exists" in cli.refused(
        "roster", "new", "--event", "Open", "--add", keys["bob"], "--as", "dana", "--out", roster
    )
    assert not out.exists()
