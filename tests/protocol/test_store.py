"""The store: append-only, byte for byte, all or nothing, and safe with several writers (specs/protocol.md)."""

import json
import multiprocessing
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ledger.database import sqlite
from ledger.database.sqlite import EVENTS_KIND
from ledger.errors import (
    BehindError,
    ForkError,
    LedgerError,
    NotTakenError,
    RefusedError,
    StoreError,
    TurnError,
    UntakenError,
    UsageError,
)
from ledger.game.party_view import LogView
from ledger.seats.identity import Identity
from ledger.store import stored_logs
from ledger.store.ledger import Ledger
from ledger.store.projections import project
from ledger.store.storage import SqliteStorage
from rules import Ruling
from rules.systems.mtg.bodies import DeclarePermanent
from tests.oracles.reference import leaf
from tests.support.cli import LIMIT
from tests.support.table import (
    READ_TABLES,
    ROLL,
    Forger,
    Table,
    dump,
    identity_from,
    joined,
    private_bytes,
    report_on,
    seat_in,
)
from verifier import Pins, verify

MakeTable = Callable[..., Table]


@pytest.fixture
def played(table: Table) -> Table:
    """A roll has been resolved; a second one waits, and alice has opened for it."""
    table.roll("alice")
    table.act("bob", "roll", ROLL)
    table.hand_in("alice")
    return table


@pytest.fixture
def other(tmp_path: Path) -> Any:
    """Another, empty store."""
    ledger = Ledger(tmp_path / "other" / "ledger.db")
    yield ledger
    ledger.close()


# --- on disk -------------------------------------------------------------------------------------------------------


def test_the_store_writes_ahead_and_syncs_before_it_acknowledges(played: Table) -> None:
    database = played.ledger._database
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"
    assert database.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert database.execute("PRAGMA recursive_triggers").fetchone() == (1,), "else REPLACE gets past the triggers"


@pytest.mark.parametrize("kept", ["events", "openings"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET game = game",
        "UPDATE {table} SET {column} = 'x'",
        "DELETE FROM {table}",
        "INSERT OR REPLACE INTO {table} SELECT * FROM {table}",
        "REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",
        "UPDATE OR REPLACE {table} SET {column} = 'x'",
    ],
)
def test_what_was_stored_can_be_neither_changed_nor_deleted(played: Table, kept: str, statement: str) -> None:
    before = dump(played.ledger)
    assert before[kept]
    column = {"events": "line", "openings": "link"}[kept]
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        played.ledger._database.execute(statement.format(table=kept, column=column))
    assert dump(played.ledger) == before


def test_lines_are_kept_byte_for_byte(table: Table, other: Ledger) -> None:
    appended = list(table.lines)
    for text in ("é – “x” 🎲 ß", 'quote " and backslash \\', "a" * 500, "´`~ ￿ \ufffd"):
        line = table.sign("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": text})
        receipt = table.ledger.append(table.game, line)
        appended.append(line)
        assert receipt.leaf == leaf(line).hex()
        assert text in json.loads(table.lines[-1])["body"]["text"]
    assert table.lines == appended
    assert table.log == joined(appended)
    other.importer.import_log(table.log, name="log")
    assert list(other.lines(table.game)) == appended


def test_lines_are_all_read_however_many_are_read_at_a_time(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = table.lines
    size = len(lines)
    for at_a_time in (1, 2, size - 1, size, size + 1):
        monkeypatch.setattr(stored_logs, "LINES_AT_A_TIME", at_a_time)
        for start, stop in ((0, size), (0, 2**53), (1, 4), (size - 1, size), (size, size + 3), (3, 2)):
            assert list(table.ledger.lines(table.game, start, stop)) == lines[start:stop]


def test_a_receipt_is_the_head_that_the_verifier_finds(table: Table) -> None:
    receipt = table.act("alice", "roll", ROLL)
    head = report_on(table.lines).head
    assert head is not None
    assert (receipt.size, receipt.leaf, receipt.root) == (head.size, head.leaf, head.root)
    assert (receipt.seq, receipt.game) == (receipt.size - 1, table.game.hex())


def test_a_store_that_is_opened_again_is_as_it_was(played: Table) -> None:
    before, state = dump(played.ledger), played.state
    played.restart()
    assert dump(played.ledger) == before
    assert played.state == state
    checkpoint = played.ledger.checkpoint(played.game)
    assert checkpoint is not None
    assert played.ledger.kept(played.game).checkpoint == checkpoint
    assert played.ledger.taken(played.game) == checkpoint.head.size
    played.hand_in_all()
    played.reveal()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(b"These are not the bytes of a database." * 200)
    with pytest.raises(StoreError, match="cannot be opened"):
        Ledger(path)
    with pytest.raises(StoreError, match="cannot be read"):
        Ledger(path, writable=False)
    assert path.read_bytes().startswith(b"These are not")


def test_a_database_of_another_kind_is_refused_and_left_alone(played: Table) -> None:
    before = dump(played.ledger)
    with pytest.raises(StoreError, match="is a database of another kind"):
        SqliteStorage(Path(played.ledger.path), kind=EVENTS_KIND, mode=0o600)
    assert dump(played.ledger) == before


def test_a_place_where_no_database_can_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="cannot be opened as a database"):
        Ledger(tmp_path / "file" / "ledger.db")


def test_a_database_that_is_somebody_elses_is_opened_as_it_is(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever may write to it and does not own it cannot change its mode."""

    def fail(*_: object) -> None:
        raise PermissionError("not yours")

    monkeypatch.setattr(Path, "chmod", fail)
    with closing(Ledger(table.ledger.path, table.clock)) as second:
        assert list(second.lines(table.game)) == table.lines


@pytest.mark.parametrize("written", [True, False], ids=["written", "at rest"])
def test_a_database_is_read_where_nothing_can_be_made_beside_it(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    """On a disk that is read-only; what was written and is not in the database yet is read too."""
    path = tmp_path / "copy" / "ledger.db"
    if written:
        path.parent.mkdir()
        for name in ("ledger.db", "ledger.db-wal"):
            shutil.copyfile(Path(table.ledger.path).with_name(name), path.with_name(name))
        assert path.with_name("ledger.db-wal").stat().st_size > 0
    else:
        with closing(Ledger(path, table.clock)) as rested:
            rested.importer.import_log(table.log, name="log")
        assert not path.with_name("ledger.db-wal").exists()
    connected = sqlite._connected

    def read_only(uri: str) -> sqlite3.Connection:
        if uri.endswith("?mode=ro"):
            raise sqlite3.OperationalError("unable to open database file")
        return connected(uri)

    monkeypatch.setattr(sqlite, "_connected", read_only)
    with closing(Ledger(path, table.clock, writable=False)) as ledger:
        assert list(ledger.lines(table.game)) == table.lines

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", fail)
    with pytest.raises(StoreError, match=r"cannot be read: .*No space") if written else nullcontext():
        sqlite.open_to_read(path).close()


@pytest.mark.parametrize(
    "error", [sqlite3.OperationalError("disk I/O error"), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x")]
)
def test_what_sqlite_raises_is_an_error_of_the_store(error: Exception, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="ledger cannot be read"), sqlite.reading("ledger"):
        raise error
    with pytest.raises(StoreError, match="could not be written, and is as it was"), sqlite.writing():
        raise error
    with pytest.raises(StoreError, match="cannot be opened as a database"):
        sqlite.open_reader(tmp_path)


def test_a_store_without_its_guards_deletes_nothing(played: Table) -> None:
    played.ledger._database.execute("DROP TRIGGER openings_no_delete")
    before = dump(played.ledger)
    with pytest.raises(StoreError, match="is not as this program makes it"):
        played.ledger.delete(played.game)
    assert dump(played.ledger) == before


def test_a_row_is_written_over_only_where_that_is_asked_for(table: Table) -> None:
    storage, (line, *_) = table.ledger._database, table.lines
    row = (table.game.hex(), 0, "x")
    with pytest.raises(StoreError), storage.transaction():
        storage.insert("events", ("game", "seq", "line"), [row])
    with storage.transaction():
        storage.insert("events", ("game", "seq", "line"), [row], new=False)
    assert table.lines[0] == line


def test_a_game_is_found_by_id_by_its_beginning_and_by_title(make_table: MakeTable) -> None:
    table = make_table(title="Round 3, table 12")
    game = table.game.hex()
    for text in (game, game[:4], game[:10].upper(), "Round 3, table 12"):
        assert table.ledger.catalog.find(text) == table.game
    for text in ("", game[:3], "Round 3", "0" * 64, "%", "_" * 64):
        with pytest.raises(UsageError, match="no game"):
            table.ledger.catalog.find(text)


def test_a_title_hides_no_game_and_two_of_one_title_are_told_apart(table: Table, make_table: MakeTable) -> None:
    logs = [make_table(title=title).log for title in (table.game.hex(), "Finals", "Finals")]
    for number, log in enumerate(logs):
        table.ledger.importer.import_log(log, name=str(number))
    assert table.ledger.catalog.find(table.game.hex()) == table.game
    with pytest.raises(UsageError, match="'Finals' fits 2 games"):
        table.ledger.catalog.find("Finals")


# --- refusals ------------------------------------------------------------------------------------------------------


def refused(table: Table, line: bytes, code: str) -> RefusedError:
    before, log = dump(table.ledger), table.log
    with pytest.raises(RefusedError) as caught:
        table.ledger.append(table.game, line)
    assert caught.value.code == code
    assert dump(table.ledger) == before
    assert table.log == log
    return caught.value


def test_an_event_that_was_signed_on_an_older_head_is_refused_and_says_what_to_do(table: Table) -> None:
    stale = table.sign("alice", "roll", ROLL)
    table.act("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "First."})
    assert "gone on" in str(refused(table, stale, "chain.seq"))


def test_an_event_of_another_prev_is_refused(table: Table) -> None:
    alice = Forger(table.identities["alice"])
    refused(table, alice.event(table.lines, "roll", ROLL, prev="0" * 64), "chain.prev")


def test_the_clock_of_an_author_may_be_five_minutes_ahead_and_no_more(table: Table) -> None:
    alice = Forger(table.identities["alice"])
    behind = table.clock.now
    refused(table, alice.event(table.lines, "roll", ROLL, time="2026-11-20T19:05:59.999Z"), "time.ahead")
    # Nobody's clock is dragged along by what was refused.
    receipt = table.act("alice", "roll", ROLL)
    time = json.loads(table.lines[receipt.seq])["time"]
    assert time < "2026-11-20T19:01"
    assert table.clock.now > behind


def test_a_game_goes_on_when_the_clock_was_set_back(table: Table) -> None:
    latest = table.view.replay.time
    table.clock.now -= timedelta(minutes=4)
    receipt = table.act("alice", "roll", ROLL)
    assert json.loads(table.lines[receipt.seq])["time"] == latest
    # An author whose clock was not set back is ahead of this one, and would drag the game on.
    table.void()
    bob = Forger(table.identities["bob"])
    refused(table, bob.event(table.lines, "roll", ROLL, time="2026-11-20T19:30:00.000Z"), "time.ahead")


def test_whoever_is_not_the_keeper_has_no_line_signed_and_leaves_no_trace(table: Table, tmp_path: Path) -> None:
    namesake = seat_in(tmp_path / "namesake", Identity.generate("host"), table.clock)
    line = Forger(table.identities["alice"]).event(table.lines, "roll", ROLL)
    before = dump(table.ledger)
    for seat in (table.seats["alice"], namesake):
        for append in (
            lambda seat: table.ledger.append(table.game, line, seat),
            lambda seat: table.ledger.append_all(table.game, [line], seat),
        ):
            with pytest.raises(TurnError, match="is not the keeper of game"):
                append(seat)
            assert dump(table.ledger) == before
            assert table.view.replay.size == len(table.lines)
    table.ledger.append(table.game, line)
    for seat in (table.seats["alice"], namesake):
        with pytest.raises(TurnError, match="is not the keeper of game"):
            table.ledger.sign_checkpoint(table.game, seat)
    namesake.close()


def test_a_line_that_the_keepers_seat_refuses_leaves_no_trace(table: Table) -> None:
    """It is dated no later than the line before it, so the store's clock is not asked; the seat's is, always."""
    time = table.view.replay.time
    table.clock.now -= timedelta(minutes=10)
    line = Forger(table.identities["alice"]).event(table.lines, "roll", ROLL, time=time)
    before = dump(table.ledger)
    for append in (
        lambda: table.ledger.append(table.game, line, table.seats["host"]),
        lambda: table.ledger.append_all(table.game, [line], table.seats["host"]),
    ):
        with pytest.raises(RefusedError) as caught:
            append()
        assert caught.value.code == "time.ahead"
        assert dump(table.ledger) == before
        assert table.view.replay.size == len(table.lines)


def test_a_line_stands_though_its_checkpoint_cannot_be_stored(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Ledger, "sign_checkpoint", fail)
    line = Forger(table.identities["alice"]).event(table.lines, "roll", ROLL)
    receipt = table.ledger.append(table.game, line, table.seats["host"])
    assert receipt.checkpoint is None
    assert table.lines[receipt.seq] == line


def test_of_lines_that_are_filled_in_all_stand_or_none(table: Table, other: Ledger) -> None:
    lines = table.lines
    assert other.fill(table.game, 0, lines[:4]) == 4
    with pytest.raises(RefusedError):
        other.fill(table.game, 4, [lines[4], lines[6]])
    assert other.view(table.game).replay.size == 4
    assert list(other.lines(table.game)) == lines[:4]
    with pytest.raises(NotTakenError):
        other.fill(table.game, 5, lines[5:])
    assert other.fill(table.game, 4, lines[4:]) == len(lines)


def test_a_roll_waits_for_its_closer_when_all_others_have_opened(table: Table) -> None:
    def waits() -> bool:
        return table.ledger.waits_for_closer(table.game)

    assert not waits()
    table.act("alice", "roll", ROLL)
    assert not waits(), "bob has not opened"
    table.hand_in("bob")
    assert waits()
    table.hand_in("alice")
    assert not waits(), "the keeper reveals"


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b"null", b"\xff\xfe", b"[" * 70_000, b'{"seq":1}', b"\n", b"x\0", b"0" * 100_000],
    ids=["empty", "object", "null", "not UTF-8", "deep", "short", "line feed", "nul", "long"],
)
def test_what_is_no_event_is_refused_and_leaves_no_trace(table: Table, line: bytes) -> None:
    before = dump(table.ledger)
    with pytest.raises(RefusedError):
        table.ledger.append(table.game, line)
    with pytest.raises(RefusedError):
        table.ledger.create(line)
    assert dump(table.ledger) == before


def test_a_line_of_a_byte_too_many_is_refused_like_the_verifier_refuses_it(table: Table) -> None:
    alice = Forger(table.identities["alice"])
    rows = [{"range": str(n), "effect": "é" * 311} for n in range(100)]
    members = {"source": "x", "dice": "d100", "table": rows}
    spare = 65_535 - len(alice.event(table.lines, "roll", members))
    assert 0 < spare <= 400, "the test is about the last byte"
    for extra, code in ((spare + 1, "line.too-long"), (spare, None)):
        line = alice.event(table.lines, "roll", members | {"source": "x" * (1 + extra)})
        assert len(line) == 65_535 + (code is not None)
        if code:
            refused(table, line, code)
        else:
            table.ledger.append(table.game, line)
    assert report_on(table.lines).verdict == "holds"


def test_a_game_that_is_not_there_takes_no_events(table: Table) -> None:
    with pytest.raises(UsageError, match="no game"):
        table.ledger.view(bytes(32))
    with pytest.raises(UsageError, match="no game"):
        table.ledger.append(bytes(32), table.lines[-1])


def test_the_same_event_zero_makes_no_second_game(table: Table) -> None:
    before = dump(table.ledger)
    with pytest.raises(LedgerError):
        table.ledger.create(table.lines[0])
    assert dump(table.ledger) == before
    assert table.roll("alice")


def test_an_opening_twice_is_an_opening_once(pending: Table) -> None:
    pending.hand_in("bob", "bob")
    assert [opening.author for opening in pending.ledger.openings(pending.game)] == ["bob"]


def test_an_opening_when_none_is_waited_for_is_refused(pending: Table) -> None:
    opening = pending.open("bob")
    pending.void()
    with pytest.raises(RefusedError) as caught:
        pending.ledger.hand_in(pending.game, opening)
    assert caught.value.code == "opening.set"


def test_the_keepers_opening_is_not_laid_open_before_the_others(pending: Table) -> None:
    with pytest.raises(LedgerError):
        pending.hand_in("host")


# --- an error in the middle ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["before", "after"])
def test_an_error_in_the_middle_of_an_append_leaves_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    before, log, size = dump(table.ledger), table.log, table.view.replay.size

    def break_down(*arguments: Any) -> None:
        if moment == "after":
            project(*arguments)
        raise KeyboardInterrupt

    line = table.sign("alice", "roll", ROLL)
    with monkeypatch.context() as patch:
        patch.setattr("ledger.store.line_writer.project", break_down)
        with pytest.raises(KeyboardInterrupt):
            table.ledger.append(table.game, line)
    assert dump(table.ledger) == before
    assert table.log == log
    assert table.view.replay.size == size
    # Nor is the program confused: the same line goes in when all is well again.
    table.ledger.append(table.game, line)
    assert table.lines[-1] == line


def test_a_full_disk_leaves_the_store_as_it_was(table: Table) -> None:
    before = dump(table.ledger)
    database = table.ledger._database
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    database.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        nonlocal before
        for number in range(200):
            table.act("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": f"{number}" * 100})
            before = dump(table.ledger)

    with pytest.raises(StoreError, match="full"):
        fill()
    assert dump(table.ledger) == before
    database.execute(f"PRAGMA max_page_count = {pages + 1_000}")
    table.act("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "Space again."})
    assert report_on(table.lines).verdict == "holds"


def test_an_error_in_the_middle_of_an_import_leaves_nothing(
    table: Table, other: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def break_down(*arguments: Any) -> None:
        seen.append(1)
        if len(seen) == 4:
            raise KeyboardInterrupt
        project(*arguments)

    empty = dump(other)
    with monkeypatch.context() as patch:
        patch.setattr("ledger.store.line_writer.project", break_down)
        with pytest.raises(KeyboardInterrupt):
            other.importer.import_log(table.log, name="log")
    assert dump(other) == empty
    assert other.catalog.games() == []
    assert other.importer.import_log(table.log, name="log")[1] == len(table.lines)


# --- import --------------------------------------------------------------------------------------------------------


def test_a_good_log_is_taken_whole(played: Table, other: Ledger) -> None:
    report, new, *_ = other.importer.import_log(played.log, name="log")
    assert (report.verdict, new) == ("holds", len(played.lines))
    assert {t: dump(other)[t] for t in READ_TABLES} == {t: dump(played.ledger)[t] for t in READ_TABLES}


def test_the_same_log_again_changes_nothing(played: Table) -> None:
    before = dump(played.ledger)
    assert played.ledger.importer.import_log(played.log, name="log")[1] == 0
    assert dump(played.ledger) == before


def test_a_longer_log_adds_its_new_lines_and_a_shorter_one_none(played: Table, other: Ledger) -> None:
    lines = played.lines
    assert other.importer.import_log(joined(lines[:9]), name="first")[1] == 9
    assert other.importer.import_log(joined(lines), name="then")[1] == len(lines) - 9
    assert other.importer.import_log(joined(lines[:4]), name="shorter")[1] == 0
    assert list(other.lines(played.game)) == lines
    assert dump(other)["rolls"] == dump(played.ledger)["rolls"]


def tampered(lines: list[bytes]) -> bytes:
    return joined(lines).replace(b"Delina", b"Celina", 1)


def unknown_system(lines: list[bytes]) -> bytes:
    return joined(lines).replace(b"mtg-706-2023-11-17", b"mtg-706-1993-08-05")


@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "verdict", "code"),
    [
        (tampered, "fails", "signature.invalid"),
        (lambda lines: joined(lines)[:-7], "fails", "line.unterminated"),
        (lambda lines: joined(lines[:3] + lines[4:]), "fails", "chain.seq"),
        (unknown_system, "unreadable", "file.system"),
        (lambda lines: joined(lines).replace(b"rollproof/v1", b"rollproof/v2", 1), "unreadable", "file.version"),
        (lambda lines: b"Round 3, table 12\n", "unreadable", "file.not-a-log"),
        (lambda lines: b"", "unreadable", "file.empty"),
        (lambda lines: joined(lines[1:]), "unreadable", "file.not-a-log"),
    ],
    ids=["tampered", "truncated", "gap", "unknown system", "unknown version", "text", "empty", "no beginning"],
)
@pytest.mark.parametrize("known", [False, True], ids=["new game", "known game"])
def test_what_does_not_hold_is_not_taken_at_all(
    played: Table, other: Ledger, make: Callable[[list[bytes]], bytes], verdict: str, code: str, known: bool
) -> None:
    if known:
        other.importer.import_log(joined(played.lines[:8]), name="beginning")
    before = dump(other)
    report, new, *_ = other.importer.import_log(make(played.lines), name="log")
    assert (report.verdict, new) == (verdict, 0)
    assert report.error is not None
    assert report.error.code == code
    assert dump(other) == before


def ruled(table: Table, lines: list[bytes], text: str) -> list[bytes]:
    """The lines, and two rulings of dana's."""
    lines = list(lines)
    for end in ("", " And more."):
        body = {"ruling": "uphold", "subject": 0, "text": text + end}
        lines.append(Forger(table.identities["dana"]).event(lines, "ruling", body))
    return lines


def closed(table: Table, lines: list[bytes]) -> list[bytes]:
    """The lines, and the keeper's signature over them."""
    return [*lines, Forger(table.identities["host"]).event(lines, "close", {})]


def test_a_game_is_listed_as_closed_from_its_close_on(table: Table, other: Ledger) -> None:
    other.importer.import_log(joined(table.lines), name="open")
    assert (other.catalog.games(), other.catalog.closed_games()) == ([table.game], [])
    other.importer.import_log(joined(closed(table, table.lines)), name="closed")
    assert other.catalog.closed_games() == [table.game]


def test_two_logs_that_the_keeper_signed_are_a_fork_and_not_taken(table: Table, other: Ledger) -> None:
    common = table.lines
    one, fork = (closed(table, ruled(table, common, text)) for text in ("One.", "Another."))
    other.importer.import_log(joined(one), name="one")
    before = dump(other)
    with pytest.raises(ForkError, match=f"event {len(common)}"):
        other.importer.import_log(joined(fork), name="fork")
    assert dump(other) == before


@pytest.mark.parametrize(("ours_taken", "words"), [(False, "signed over neither"), (True, "another event came first")])
def test_what_the_keeper_has_not_taken_replaces_nothing(
    table: Table, other: Ledger, ours_taken: bool, words: str
) -> None:
    one, fork = ruled(table, table.lines, "One."), ruled(table, table.lines, "Another.")
    other.importer.import_log(joined(closed(table, one) if ours_taken else one), name="one")
    before = dump(other)
    for length in (len(fork) - 1, len(fork)):
        with pytest.raises(NotTakenError, match=words):
            other.importer.import_log(joined(fork[:length]), name="fork")
        assert dump(other) == before


def test_what_the_keeper_has_not_taken_makes_room(table: Table, other: Ledger, tmp_path: Path) -> None:
    one, taken = ruled(table, table.lines, "One."), closed(table, ruled(table, table.lines, "Another."))
    other.importer.import_log(joined(one), name="one")
    before = other.view(table.game).replay.size
    imported = other.importer.import_log(joined(taken), name="taken")
    assert (imported.added, imported.untaken) == (3, tuple(one[-2:]))
    assert before == len(taken) - 1
    assert list(other.lines(table.game)) == taken
    fresh = Ledger(tmp_path / "fresh.db", table.clock)
    fresh.importer.import_log(joined(taken), name="taken")
    assert dump(other) == dump(fresh)
    fresh.close()
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other._database.execute("DELETE FROM events")


def test_a_checkpoint_takes_as_the_keepers_event_does(table: Table, other: Ledger) -> None:
    one, taken = ruled(table, table.lines, "One."), ruled(table, table.lines, "Another.")
    other.importer.import_log(joined(one), name="one")
    view = LogView(taken)
    checkpoint = bytes(table.seats["host"].checkpoint(view))
    assert other.importer.import_log(joined(taken), name="taken", checkpoint=checkpoint).untaken == tuple(one[-2:])
    with pytest.raises(NotTakenError, match="another event came first"):
        other.importer.import_log(joined(one), name="one")


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [(0, 0, "signed over neither"), (1, 0, "another event came first"), (0, 1, None), (1, 1, "signed over both")],
)
def test_what_the_keeper_signed_decides_from_the_first_line_that_differs(
    table: Table, other: Ledger, ours: int, theirs: int, words: str | None
) -> None:
    """Each side has a checkpoint over the lines that both have, and over so many more."""
    common, keeper = table.lines, Forger(table.identities["host"])
    one, fork = ruled(table, common, "One."), ruled(table, common, "Another.")

    def take(name: str, lines: list[bytes], more: int) -> tuple[bytes, ...]:
        checkpoint = bytes(keeper.checkpoint(LogView(lines[: len(common) + more])))
        return other.importer.import_log(joined(lines), name=name, checkpoint=checkpoint).untaken

    take("one", one, ours)
    if words is None:
        assert take("fork", fork, theirs) == tuple(one[-2:])
        return
    before = dump(other)
    with pytest.raises(ForkError if "both" in words else NotTakenError, match=words):
        take("fork", fork, theirs)
    assert dump(other) == before


def test_of_the_lines_that_a_server_streams_those_of_this_game_are_taken_in_their_order(
    table: Table, make_table: MakeTable, other: Ledger
) -> None:
    """A server can send any line at any place."""
    take, lines = other.importer.take_line, table.lines
    (fork, *_) = ruled(table, lines[:5], "Another.")[5:]
    elsewhere = make_table().lines[0]

    def refused(seq: int, line: bytes, error: type[LedgerError]) -> None:
        before = list(other.lines(table.game))
        with pytest.raises(error):
            take(table.game, seq, line)
        assert list(other.lines(table.game)) == before

    refused(0, elsewhere, NotTakenError)
    refused(0, b"{}", NotTakenError)
    refused(1, lines[0], RefusedError)
    refused(1, lines[1], RefusedError)
    for seq in range(5):
        assert take(table.game, seq, lines[seq])
    for seq in (0, 4):
        assert not take(table.game, seq, lines[seq]), "it is here"
        refused(seq, fork, NotTakenError)
    refused(5, lines[5].replace(b"-", b"+", 1), RefusedError)
    refused(5, lines[6], RefusedError)
    refused(6, lines[6], RefusedError)
    assert take(table.game, 5, lines[5])
    assert list(other.lines(table.game)) == lines[:6]


def test_a_line_is_waited_for_on_the_disk_and_its_checkpoint_is_not(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[bool] = []
    transaction = SqliteStorage.transaction

    def spied(storage: SqliteStorage, names: Any = None, *, durable: bool = True) -> AbstractContextManager[None]:
        waited.append(durable)
        return transaction(storage, names, durable=durable)

    monkeypatch.setattr(SqliteStorage, "transaction", spied)
    receipt = table.ledger.append(table.game, table.sign("alice", "roll", ROLL), table.seats["host"])
    assert receipt.checkpoint is not None
    assert waited == [True, False]


def test_a_checkpoint_that_a_crash_took_is_signed_again_byte_for_byte(table: Table) -> None:
    host = table.seats["host"]
    receipt = table.ledger.append(table.game, table.sign("alice", "roll", ROLL), host)
    assert receipt.checkpoint is not None
    table.close()
    with sqlite3.connect(table.ledger.path) as connection:  # what was not waited for is gone, the line is not
        assert connection.execute("DELETE FROM checkpoints").rowcount == 1
    connection.close()
    table.restart()
    assert table.view.replay.size == receipt.size
    again = table.ledger.sign_checkpoint(table.game, table.seats["host"])
    assert bytes(again) == bytes(receipt.checkpoint)


def test_pins_are_asked_for_before_anything_is_taken(table: Table, other: Ledger) -> None:
    assert other.importer.import_log(table.log, name="log", pins=Pins(bytes(32)))[1] == 0
    assert other.importer.import_log(table.log, name="log", pins=Pins(table.game, tuple(table.keys.values())))[1] > 0


# --- tampering with the store by hand -----------------------------------------------------------------------------


def tamper(table: Table, statement: str, *values: object) -> None:
    table.close()
    with sqlite3.connect(table.ledger.path) as connection:
        for trigger in ("events_no_update", "events_no_delete"):
            connection.execute(f"DROP TRIGGER {trigger}")
        assert connection.execute(statement, values).rowcount > 0
    connection.close()
    table.restart()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET line = replace(line, 'Delina', 'Celina')",
        "DELETE FROM events WHERE seq = 5",
        "DELETE FROM events WHERE seq = 0",
        "UPDATE events SET line = 'x' WHERE seq = 5",
        "UPDATE events SET line = line || ' ' WHERE seq = 5",
    ],
)
def test_a_store_that_was_changed_by_hand_is_noticed(played: Table, statement: str) -> None:
    played.void()
    tamper(played, statement)
    with pytest.raises((StoreError, UsageError), match=r"changed by something else|no game"):
        _ = played.view
    assert verify(played.log)[0].verdict != "holds"


def test_a_game_does_not_end_before_a_line_that_does_not_hold(played: Table) -> None:
    """Whoever changed it has also made the store forget how many lines there are."""
    tamper(played, "UPDATE events SET line = 'x' WHERE seq = 5")
    with closing(sqlite3.connect(played.ledger.path)) as connection, connection:
        connection.execute("DELETE FROM games")
    with pytest.raises(StoreError, match="event 5 of game"):
        _ = played.view


def test_a_view_whose_lines_are_gone_meanwhile_is_not_said_to_hold(played: Table) -> None:
    with closing(Ledger(played.ledger.path, played.clock)) as second:
        view = second.view(played.game)
        tamper(played, "DELETE FROM events WHERE seq >= 9")
        with pytest.raises(StoreError, match=r"event 9 of game .* does not hold"):
            view.verify(0, played.keys["alice"])


def test_a_last_line_that_was_changed_by_hand_is_found_by_the_verifier(table: Table) -> None:
    table.act("alice", "roll", ROLL)
    tamper(table, "UPDATE events SET line = replace(line, 'Delina', 'Celina')")
    error = report_on(table.lines).error
    assert error is not None
    assert error.code == "signature.invalid"


def test_nothing_is_appended_to_a_last_line_that_was_changed_by_hand(table: Table) -> None:
    table.act("alice", "roll", ROLL)
    tamper(table, "UPDATE events SET line = replace(line, 'Delina', 'Celina')")
    with pytest.raises(StoreError):
        table.void()


def test_a_tail_that_was_deleted_by_hand_is_noticed_by_whoever_saw_it(played: Table) -> None:
    played.void()
    tamper(played, "DELETE FROM events WHERE seq >= 9")
    with pytest.raises(StoreError, match=r"event 9 .* does not hold"):
        played.ledger.view(played.game)
    played.ledger.rebuild()  # now the store itself says nothing else
    for name in ("alice", "bob", "host"):
        with pytest.raises(BehindError, match="its end is missing"):
            played.seats[name].leave(played.view, name)


def test_who_goes_and_comes_back_is_listed_so_as_when_all_is_made_again(table: Table) -> None:
    for kind, party in (("away", "bob"), ("back", "bob"), ("away", "alice"), ("leave", "dana")):
        table.act(party, kind, {"party": party})
        made = dump(table.ledger)
        table.ledger.rebuild()
        assert dump(table.ledger) == made, (kind, party)


def test_read_tables_that_were_changed_by_hand_are_made_again_from_the_log(played: Table) -> None:
    before = dump(played.ledger)
    with sqlite3.connect(played.ledger.path) as connection:
        connection.execute("UPDATE dice SET natural = 20, result = 20")
        connection.execute("DELETE FROM parties")
    connection.close()
    assert dump(played.ledger) != before
    assert played.ledger.rebuild() == 1
    assert dump(played.ledger) == before


# --- several writers -----------------------------------------------------------------------------------------------

WRITES = 12


def write(path: Path, folder: Path, name: str, secret: bytes, hosts: bytes, game: bytes, start: Any, done: Any) -> None:
    """In a process of its own: append WRITES events, signing again whenever somebody else was quicker; the keeper signs
    over what others wrote.
    """
    ledger, seat = Ledger(path), seat_in(folder, identity_from(name, secret))
    host = seat_in(folder.with_name("host"), identity_from("host", hosts))
    start.wait(timeout=LIMIT)
    receipts: list[tuple[int, str]] = []
    stale = 0
    while len(receipts) < WRITES:
        if name == "dana":
            body: Any = Ruling("uphold", 0, f"{name} {len(receipts)}")
        else:
            body = DeclarePermanent(f"{name}-{len(receipts)}", "Centaur of Attention")
        try:
            line = seat.sign(ledger.view(game), "ruling" if name == "dana" else "declare", body)
            receipt = ledger.append(game, line)
        except UntakenError:
            ledger.sign_checkpoint(game, host)
        except BehindError:
            stale += 1
        except RefusedError as error:
            if not error.code.startswith("chain."):
                raise
            stale += 1
        else:
            receipts.append((receipt.seq, receipt.leaf))
    seat.close()
    host.close()
    ledger.close()
    done.put((name, receipts, stale))


@pytest.mark.long
def test_four_processes_write_one_game_and_lose_and_fork_nothing(make_table: MakeTable) -> None:
    names = ("alice", "bob", "carol", "dana")
    table = make_table(
        roles={"host": "keeper", "alice": "player", "bob": "player", "carol": "player", "dana": "judge"},
        identities={name: Identity.generate(name) for name in ("host", *names)},
    )
    now = Ledger(table.ledger.path)
    for name in names:
        table.ledger.append(table.game, table.seats[name].join(table.take(name)))
    before = len(table.lines)
    context = multiprocessing.get_context("spawn")
    start, done = context.Barrier(len(names)), context.Queue()
    writers = [
        context.Process(
            target=write,
            args=(
                table.ledger.path,
                table.folder / name,
                name,
                private_bytes(table.identities[name]),
                private_bytes(table.identities["host"]),
                table.game,
                start,
                done,
            ),
        )
        for name in names
    ]
    for writer in writers:
        writer.start()
    told = [done.get(timeout=LIMIT) for _ in writers]
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    # This process, which had the game open all the time, sees the same game as one that opens it now.
    assert table.view.replay.head == now.view(table.game).replay.head
    now.close()
    lines = table.lines
    assert report_on(lines).verdict == "holds"
    assert len(lines) == before + WRITES * len(names)
    for _name, receipts, _stale in told:
        for seq, told_leaf in receipts:
            assert leaf(lines[seq]).hex() == told_leaf
    kept = dump(table.ledger)
    table.ledger.rebuild()
    assert dump(table.ledger) == kept


def test_two_programs_with_one_game_open_see_each_others_events(table: Table) -> None:
    second = Ledger(table.ledger.path, table.clock)
    table.act("alice", "roll", ROLL)
    second.sign_checkpoint(table.game, table.seats["host"])
    second.hand_in(table.game, table.seats["bob"].opening(table.view))
    openings = table.ledger.openings(table.game)
    second.hand_in(table.game, table.seats["alice"].opening(second.view(table.game), openings))
    second.append(table.game, table.seats["host"].reveal(table.view, table.ledger.openings(table.game)))
    assert table.view.replay.head == second.view(table.game).replay.head
    assert table.ledger.openings(table.game) == second.openings(table.game) == (), "they are in the log now"
    second.close()


def write_until_killed(path: Path, folder: Path, secret: bytes, game: bytes, told: Any) -> None:
    ledger, seat = Ledger(path), seat_in(folder, identity_from("dana", secret))
    while True:
        told.send(ledger.append(game, seat.sign(ledger.view(game), "ruling", Ruling("uphold", 0, "Again."))).leaf)


@pytest.mark.long
def test_what_was_acknowledged_before_a_kill_is_there_after_it(table: Table) -> None:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    table.take("dana")
    arguments = (table.ledger.path, table.folder / "dana", private_bytes(table.identities["dana"]), table.game, there)
    writer = context.Process(target=write_until_killed, args=arguments)
    writer.start()
    there.close()
    told = [here.recv() for _ in range(25)]
    writer.kill()
    writer.join()
    while here.poll():
        try:
            told.append(here.recv())
        except EOFError:
            break
    lines = table.lines
    assert report_on(lines).verdict == "holds"
    assert set(told) <= {leaf(line).hex() for line in lines}
    table.clock.now = datetime.now(UTC)
    table.act("dana", "ruling", {"ruling": "uphold", "subject": 0, "text": "The store goes on."})
