"""What a seat remembers: nobody without its key changes, drops or puts back a record unnoticed (specs/seats.md)."""

import hashlib
import multiprocessing
import os
import shutil
import signal
import sqlite3
import stat
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from threading import Event
from typing import Any, cast

import msgspec
import psycopg
import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ledger.errors import MemoryLostError, StoreError
from ledger.seats import memory_file as module
from ledger.seats.known import KnownNumbers
from ledger.seats.memory_file import Memory
from ledger.seats.records import Acknowledgements, OwnChain, Record, RememberedReceipt, SeatHead
from ledger.seats.sealed_records import SealedRecord, seal, unseal_counter, unseal_record
from ledger.seats.service_checks import check_service, probe_service, service_errors

KEY, ANOTHER = b"k" * 32, b"a" * 32
GAMES = [bytes([number]) * 32 for number in range(1, 5)]


class Place:
    """Where bob's memory is: a state folder and an identity's folder, as files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path, self.copy = folder / "state" / "key.db", folder / "bob" / "memory"
        self.copy.parent.mkdir(parents=True, exist_ok=True)

    def begin(self, **members: Any) -> Memory:
        return Memory.begin(self.path, self.copy, "bob", KEY, **members)

    def open(self, key: bytes = KEY) -> Memory:
        return Memory(self.path, self.copy, "bob", key)

    def backup(self, name: str) -> "Place":
        """A copy of everything as it stands."""
        with closing(sqlite3.connect(self.path)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Place(Path(shutil.copytree(self.folder, self.folder.parent / name)))

    def restore_memory(self, backup: "Place") -> None:
        for each in self.path.parent.iterdir():
            each.unlink()
        shutil.copytree(backup.path.parent, self.path.parent, dirs_exist_ok=True)

    def restore_copy(self, backup: "Place") -> None:
        shutil.copy(backup.copy, self.copy)

    def change(self, *statements: str) -> None:
        """As somebody who may write the file but has no key."""
        with closing(sqlite3.connect(self.path, isolation_level=None)) as database:
            for statement in statements:
                database.execute(statement)

    def rows(self) -> list[tuple[bytes, int, bytes]]:
        with closing(sqlite3.connect(self.path)) as database:
            return database.execute("SELECT game, number, sealed FROM records ORDER BY game").fetchall()


def see(memory: Memory, game: bytes, size: int) -> None:
    """A record of `size` lines."""
    with memory.game(game) as turn:
        turn.change(head=SeatHead(size, f"{size:064x}"))


def size_of(memory: Memory, game: bytes) -> int:
    with memory.game(game) as turn:
        return turn.record.head.size


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Bob's memory, with a record of each game."""
    place = Place(tmp_path / "here")
    memory = place.begin()
    for number, game in enumerate(GAMES, 1):
        see(memory, game, number)
    memory.close()
    return place


# --- remembering -----------------------------------------------------------------------------------------------------


def test_what_was_recorded_is_there_again(place: Place) -> None:
    chain = OwnChain("aa" * 32, 16, "bb" * 32, 3, "cc" * 32)
    receipt = RememberedReceipt(7, "11" * 32, "note", "dd" * 32)
    given = Acknowledgements("ff" * 32, ("alice", "bob"))
    record = Record(
        SeatHead(7, "dd" * 32), (chain,), {"ee" * 32: 7}, "ff" * 32, given, (receipt,), ("line",), "", ("look",)
    )
    memory = place.open()
    with memory.game(GAMES[0]) as turn:
        turn.record = record
    memory.close()
    again = place.open()
    with again.game(GAMES[0]) as turn:
        assert turn.record == record
    with again.game(bytes(32)) as turn:
        assert turn.record == Record()
    assert [size_of(again, game) for game in GAMES[1:]] == [2, 3, 4]
    again.close()


def test_one_thread_records_while_another_looks(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn is over when the copy is written too: until then nobody else has one."""
    memory, write = place.open(), module._write_copy

    def write_slowly(*given: Any, **more: Any) -> None:
        time.sleep(0.01)
        write(*given, **more)

    monkeypatch.setattr(module, "_write_copy", write_slowly)

    done = Event()

    def look() -> set[int]:
        found = set()
        while not done.is_set():
            found.add(size_of(memory, GAMES[1]))
        return found

    with ThreadPoolExecutor(2) as threads:
        looked = [threads.submit(look) for _ in range(2)]
        try:
            for size in range(10, 20):
                with memory.group():
                    see(memory, GAMES[0], size)
        finally:
            done.set()
        assert [each.result() for each in looked] == [{2}, {2}]
    assert size_of(memory, GAMES[0]) == 19
    memory.close()


def test_looking_alone_writes_nothing(place: Place) -> None:
    memory, before = place.open(), (place.rows(), place.copy.read_bytes())
    count = memory.counter.count
    for game in (*GAMES, bytes(32)):
        size_of(memory, game)
    assert (place.rows(), place.copy.read_bytes(), memory.counter.count) == (*before, count)
    memory.close()


def test_an_error_takes_back_what_was_not_settled(place: Place) -> None:
    memory = place.open()

    def fail(stopped: str) -> None:
        with memory.game(GAMES[0]) as turn:
            if stopped:
                turn.change(stopped=stopped)
                turn.settle()
            turn.change(head=SeatHead(50, ""))
            raise KeyError

    with pytest.raises(KeyError):
        fail("")
    assert size_of(memory, GAMES[0]) == 1
    with pytest.raises(KeyError):
        fail("somebody else has the key")
    memory.close()
    again = place.open()
    with again.game(GAMES[0]) as turn:
        assert (turn.record.head.size, turn.record.stopped) == (1, "somebody else has the key")
    again.close()


def test_records_are_sealed(place: Place) -> None:
    memory, secret = place.open(), "5ec2e7" * 10
    with memory.game(GAMES[0]) as turn:
        turn.change(chains=(OwnChain("aa" * 32, 16, secret),))
    written = b"".join(each.read_bytes() for each in place.folder.rglob("*") if each.is_file())
    assert secret.encode() not in written
    assert bytes.fromhex(secret) not in written
    assert b"head" not in written
    for each in place.path.parent.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each
    memory.close()


def test_a_record_is_synced_before_it_is_left(place: Place) -> None:
    memory = place.open()
    assert memory._database.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    statements: list[str] = []
    memory._database.conn.set_trace_callback(statements.append)
    with memory.game(GAMES[0]) as turn:
        turn.change(voided="aa" * 32)
    assert [statement.split()[0] for statement in statements if "PRAGMA" not in statement] == [
        "BEGIN",
        "INSERT",
        "UPDATE",
        "COMMIT",
        "BEGIN",
        "COMMIT",
    ], "one transaction, and one for the copy; what is known is not read again"
    assert statements[0] == "BEGIN IMMEDIATE"
    memory.close()


def test_a_group_of_turns_is_one_transaction(place: Place) -> None:
    memory, copy = place.open(), place.copy.read_bytes()
    statements: list[str] = []
    memory._database.conn.set_trace_callback(statements.append)
    with memory.group():
        for game in GAMES:
            see(memory, game, 40)
            see(memory, game, 41)
        assert place.copy.read_bytes() == copy, "it is not ahead of the memory"
    done = [statement.split()[0] for statement in statements if "PRAGMA" not in statement]
    assert done == ["BEGIN", *["INSERT"] * 8, "UPDATE", "COMMIT", "BEGIN", "COMMIT"]
    assert place.copy.read_bytes() != copy
    assert memory.counter.count == 5 + 8
    memory.close()
    again = place.open()
    assert [size_of(again, game) for game in GAMES] == [41] * 4
    again.close()


def test_an_error_in_one_turn_leaves_the_rest_of_the_group_alone(place: Place) -> None:
    memory = place.open()

    def fail() -> None:
        with memory.game(GAMES[1]) as turn:
            turn.change(stopped="somebody else has the key")
            turn.settle()
            turn.change(head=SeatHead(50, ""))
            raise KeyError

    with memory.group():
        see(memory, GAMES[0], 40)
        with pytest.raises(KeyError):
            fail()
        see(memory, GAMES[2], 40)
    memory.close()
    again = place.open()
    assert [size_of(again, game) for game in GAMES] == [40, 2, 40, 4]
    with again.game(GAMES[1]) as turn:
        assert turn.record.stopped
    again.close()


def test_what_a_group_recorded_stands_also_where_an_error_leaves_it(place: Place) -> None:
    memory = place.open()

    def fail() -> None:
        with memory.group():
            see(memory, GAMES[0], 40)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert size_of(memory, GAMES[0]) == 40, "whatever was signed in it may have left"
    memory.close()
    again = place.open()
    assert size_of(again, GAMES[0]) == 40
    again.close()


def test_a_group_that_cannot_be_written_leaves_nothing(place: Place) -> None:
    memory, before = place.open(), (place.rows(), place.copy.read_bytes())
    memory._database.execute(f"PRAGMA max_page_count = {memory._database.execute('PRAGMA page_count').fetchone()[0]}")

    def overflow() -> None:
        with memory.group():
            see(memory, GAMES[0], 40)
            with memory.game(GAMES[1]) as turn:
                turn.change(warnings=("x" * 100_000,))

    with pytest.raises(StoreError):
        overflow()
    assert (place.rows(), place.copy.read_bytes()) == before
    assert [size_of(memory, game) for game in GAMES] == [1, 2, 3, 4]
    see(memory, GAMES[0], 41)
    memory.close()
    place.open().close()


def test_the_hash_over_all_records_is_the_one_on_the_page(place: Place) -> None:
    """Made anew from the file, by what specs/seats.md says."""
    memory = place.open()
    with memory.group():
        for number in range(600):
            see(memory, hashlib.sha256(bytes([number % 256, number // 256])).digest(), number)
    see(memory, GAMES[2], 7)

    def sha(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    parts: dict[int, bytes] = dict.fromkeys(range(256), b"")
    for game, number, sealed in place.rows():
        parts[game[0]] += sha(game + number.to_bytes(8, "big") + sealed)
    assert memory.counter.digest == sha(b"".join(map(sha, parts.values()))).hex()
    memory.close()


# --- what is put back, taken away or changed -------------------------------------------------------------------------


def refused(place: Place, match: str) -> None:
    for _ in range(2):
        with pytest.raises(MemoryLostError, match=match) as caught:
            place.open()
    assert "signs and opens nothing" in str(caught.value)
    assert (caught.value.advice, caught.value.name) == ("identity.forget", "bob")


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_row_that_was_taken_away_is_missed(place: Place, number: int) -> None:
    place.change(f"DELETE FROM records WHERE game = x'{GAMES[number].hex()}'")
    refused(place, "taken away")


def test_the_counter_that_was_taken_away_is_missed(place: Place) -> None:
    place.change("DELETE FROM counter")
    refused(place, "empty, damaged")


def test_all_rows_that_were_taken_away_are_missed(place: Place) -> None:
    place.change("DELETE FROM records", "DELETE FROM counter")
    refused(place, "empty, damaged")


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_a_single_row_that_was_put_back_is_noticed(place: Place, number: int) -> None:
    old = {game: (count, sealed) for game, count, sealed in place.rows()}
    memory = place.open()
    for game in GAMES:
        see(memory, game, 40)
    memory.close()
    count, sealed = old[GAMES[number]]
    place.change(
        f"UPDATE records SET number = {count}, sealed = x'{sealed.hex()}' WHERE game = x'{GAMES[number].hex()}'"
    )
    refused(place, "put back")


def test_an_old_row_under_its_new_number_is_noticed(place: Place) -> None:
    [(_, _, sealed), *_] = place.rows()
    memory = place.open()
    see(memory, GAMES[0], 40)
    memory.close()
    place.change(f"UPDATE records SET sealed = x'{sealed.hex()}' WHERE game = x'{GAMES[0].hex()}'")
    refused(place, "put back")


def test_a_row_cannot_stand_for_another_game(place: Place) -> None:
    [(_, one, first), (_, two, second), *_] = place.rows()
    place.change(
        f"UPDATE records SET number = {two}, sealed = x'{second.hex()}' WHERE game = x'{GAMES[0].hex()}'",
        f"UPDATE records SET number = {one}, sealed = x'{first.hex()}' WHERE game = x'{GAMES[1].hex()}'",
    )
    refused(place, "put back")


def test_a_record_is_bound_to_its_game_and_number(place: Place) -> None:
    """Even if nothing stood for all records together."""
    [(_, one, first), (_, _, second), *_] = place.rows()
    memory = place.open()
    for row in (SealedRecord(one + 1, first), SealedRecord(one, second)):
        memory._rows[GAMES[0]] = row
        with pytest.raises(MemoryLostError, match="is damaged"):
            size_of(memory, GAMES[0])
    memory.close()


def test_what_is_sealed_and_no_record_is_damaged() -> None:
    """Too short to be sealed at all, or of another form, as a later program's may be."""
    aead = ChaCha20Poly1305(KEY)
    bound = b"record\n" + GAMES[0] + bytes(8)
    assert unseal_record(aead, GAMES[0], SealedRecord(0, seal(aead, b"{}", bound))) == Record()
    for sealed in (b"", b"x" * 11, b"x" * 99, seal(aead, b'{"later":1}', bound), seal(aead, b"\xff", bound)):
        assert unseal_record(aead, GAMES[0], SealedRecord(0, sealed)) is None
    counter = b"counter\n"
    for sealed in (b"", b"x" * 11, seal(aead, b'{"later":1}', counter), seal(aead, b"\xff", counter)):
        assert unseal_counter(aead, sealed) is None


def test_an_old_memory_is_behind_the_copy(place: Place) -> None:
    backup = place.backup("backup")
    memory = place.open()
    see(memory, GAMES[0], 40)
    memory.close()
    place.restore_memory(backup)
    refused(place, r"older than bob's own folder says \(5 records, 6 were made\): it was put back from a backup")


def test_an_old_copy_alone_is_no_harm(place: Place) -> None:
    """The memory is what counts; the copy may lag, as after a crash."""
    backup = place.backup("backup")
    memory = place.open()
    see(memory, GAMES[0], 40)
    memory.close()
    place.restore_copy(backup)
    again = place.open()
    assert size_of(again, GAMES[0]) == 40
    see(again, GAMES[0], 41)
    again.close()
    place.restore_memory(backup)
    refused(place, r"\(5 records, 7 were made\)")


def test_another_memory_of_as_many_records_is_told_from_this_one(place: Place) -> None:
    backup = place.backup("backup")
    for there, size in ((backup, 40), (place, 50)):
        memory = there.open()
        see(memory, GAMES[0], size)
        memory.close()
    backup.open().close()
    place.restore_memory(Place(backup.backup("again").folder))
    refused(place, "has other records than")


@pytest.mark.parametrize("damage", [b"", b"junk", b"\0" * 512])
def test_a_copy_that_is_damaged_or_missing_is_told(place: Place, damage: bytes) -> None:
    place.copy.write_bytes(damage)
    refused(place, "damaged or another key's")
    place.copy.unlink()
    refused(place, "is missing")


def test_a_memory_that_is_missing_is_told(place: Place) -> None:
    for each in place.path.parent.iterdir():
        each.unlink()
    refused(place, "is not on this machine")
    assert not place.path.exists(), "none is begun in its place"


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:5_000], lambda data: b"x" * len(data)])
def test_a_memory_that_is_damaged_is_told(place: Place, damage: Callable[[bytes], bytes]) -> None:
    place.backup("backup")  # the file alone has everything
    for each in place.path.parent.glob("*-*"):
        each.unlink()
    place.path.write_bytes(damage(place.path.read_bytes()))
    refused(place, "on this machine")


def test_a_flipped_bit_is_noticed(place: Place) -> None:
    for table in ("records", "counter"):
        backup = place.backup(f"before-{table}")
        with closing(sqlite3.connect(place.path, isolation_level=None)) as database:
            [(rowid, sealed)] = database.execute(f"SELECT rowid, sealed FROM {table} LIMIT 1").fetchall()
            flipped = sealed[:40] + bytes([sealed[40] ^ 1]) + sealed[41:]
            database.execute(f"UPDATE {table} SET sealed = ? WHERE rowid = ?", (flipped, rowid))
        refused(place, "damaged|changed")
        place.restore_memory(backup)
        place.open().close()


def test_another_key_reads_nothing(place: Place) -> None:
    with pytest.raises(MemoryLostError, match="another key's"):
        place.open(ANOTHER)
    thief = Place(place.folder.parent / "thief")
    Memory.begin(thief.path, thief.copy, "bob", ANOTHER).close()
    place.restore_memory(thief)
    refused(place, "another key's")


@pytest.mark.parametrize(
    ("statement", "problem"),
    [(f"DELETE FROM records WHERE game = x'{GAMES[0].hex()}'", "taken away"), ("DROP TABLE records", "cannot be read")],
)
def test_what_is_changed_while_the_memory_is_open_is_noticed(place: Place, statement: str, problem: str) -> None:
    memory = place.open()
    place.change(statement)
    for _ in range(2):
        with pytest.raises(MemoryLostError, match=problem):
            size_of(memory, GAMES[0])
    memory.close()


def open_files(folder: Path) -> list[str]:
    """Files of a folder that this process has open, where the system says so."""
    found = list[str]()
    for each in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            found.append(str(each.readlink()))
    return [each for each in found if each.startswith(f"{folder}/")]


def test_who_is_refused_keeps_no_file_open(place: Place) -> None:
    """A folder that is deleted or moved away then is not in use, on systems that care."""
    place.copy.unlink()
    with pytest.raises(MemoryLostError) as refused:
        place.open()
    assert open_files(place.folder) == [], refused


def test_what_a_machine_knows_of_a_service_is_told_where_it_cannot_be_read(tmp_path: Path) -> None:
    known = KnownNumbers(tmp_path / "known.db", "aa" * 16)
    known.put({GAMES[0]: 3})
    known.put({GAMES[0]: 2, GAMES[1]: 1})
    assert known.all() == {GAMES[0]: 3, GAMES[1]: 1}, "it goes only forward"
    with closing(sqlite3.connect(tmp_path / "known.db")) as database:
        database.execute("DROP TABLE known")
    with pytest.raises(StoreError, match="what this machine knows of its memory cannot be read"):
        known.all()
    known.close()


def test_a_group_that_failed_does_not_hide_what_another_program_recorded_then(place: Place) -> None:
    memory, other = place.open(), place.open()

    def fails() -> None:
        with memory.group():
            see(memory, GAMES[0], 40)
            raise sqlite3.OperationalError("disk full")

    with pytest.raises(StoreError):
        fails()
    for game in GAMES[1:3]:
        see(other, game, 50)
    assert [size_of(memory, game) for game in GAMES] == [1, 50, 50, 4]
    memory.close()
    other.close()


# --- several processes -----------------------------------------------------------------------------------------------


def test_two_programs_see_each_others_records(place: Place) -> None:
    one, other = place.open(), place.open()
    for size in range(10, 20, 2):
        see(one, GAMES[0], size)
        assert size_of(other, GAMES[0]) == size
        see(other, GAMES[0], size + 1)
        assert size_of(one, GAMES[0]) == size + 1
    one.close()
    other.close()


def test_what_another_program_recorded_is_read_and_nothing_else(place: Place) -> None:
    one, other = place.open(), place.open()
    read: list[str] = []
    one._database.conn.set_trace_callback(read.append)
    see(other, GAMES[0], 10)
    assert size_of(one, GAMES[0]) == 10
    assert [each for each in read if "FROM records" in each] == [
        f"SELECT game, number, sealed FROM records WHERE number > {one.counter.count - 1}"
    ]
    see(other, GAMES[1], 3)
    place.change(f"DELETE FROM records WHERE game = x'{GAMES[1].hex()}'")
    with pytest.raises(MemoryLostError, match="taken away"):  # as the hash says: then everything is read
        size_of(one, GAMES[0])
    one.close()
    other.close()


def sign_on(place: Place, leaf: str, start: Any, done: Any) -> None:
    """Sign on the history with this leaf, unless another was signed on."""
    memory = place.open()
    start.wait()
    with memory.game(GAMES[0]) as turn:
        if turn.record.head.leaf in ("", leaf):
            turn.change(head=SeatHead(9, leaf))
            done.put(leaf)
        else:
            done.put("")
    memory.close()


@pytest.mark.long
def test_of_two_processes_that_are_shown_two_forks_one_signs(place: Place) -> None:
    context = multiprocessing.get_context("spawn")
    for _ in range(2):
        memory = place.open()
        with memory.game(GAMES[0]) as turn:
            turn.record = Record(signed={"aa" * 32: 1})
        memory.close()
        start, done = context.Barrier(2), context.Queue()
        both = [context.Process(target=sign_on, args=(place, leaf * 32, start, done)) for leaf in ("aa", "bb")]
        for process in both:
            process.start()
        told = [done.get(timeout=60) for _ in both]
        for process in both:
            process.join()
            assert process.exitcode == 0
        assert sorted(map(bool, told)) == [False, True]


def count_up(place: Place, game: bytes, times: int) -> None:
    memory = place.open()
    for _ in range(times):
        with memory.game(game) as turn:
            turn.change(head=SeatHead(turn.record.head.size + 1, ""))
    memory.close()


@pytest.mark.long
def test_processes_take_turns_and_lose_nothing(place: Place) -> None:
    context = multiprocessing.get_context("spawn")
    counting = [context.Process(target=count_up, args=(place, game, 25)) for game in (GAMES[0], GAMES[0], GAMES[1])]
    for process in counting:
        process.start()
    for process in counting:
        process.join()
        assert process.exitcode == 0
    memory = place.open()
    assert (size_of(memory, GAMES[0]), size_of(memory, GAMES[1])) == (51, 27)
    assert memory.counter.count == 5 + 75
    memory.close()


def die_before_the_copy(place: Place) -> None:
    module._write_copy = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
    see(place.open(), GAMES[0], 40)


@pytest.mark.long
def test_killed_between_memory_and_copy_it_goes_on(place: Place) -> None:
    before = place.copy.read_bytes()
    process = multiprocessing.get_context("spawn").Process(target=die_before_the_copy, args=(place,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert place.copy.read_bytes() == before
    memory = place.open()
    assert size_of(memory, GAMES[0]) == 40, "the record was made"
    see(memory, GAMES[0], 41)
    memory.close()
    assert place.copy.read_bytes() != before


def write_until_killed(place: Place, told: Any) -> None:
    memory = place.open()
    for size in range(10, 1_000_000):
        see(memory, GAMES[0], size)
        told.send(size)


@pytest.mark.long
def test_killed_at_any_time_it_has_what_it_said(place: Place) -> None:
    context = multiprocessing.get_context("spawn")
    for stop in (3, 10, 17):
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=write_until_killed, args=(place, there))
        process.start()
        there.close()
        last = [here.recv() for _ in range(stop)][-1]
        process.kill()
        process.join()
        while here.poll():
            try:
                last = here.recv()
            except EOFError:
                break
        memory = place.open()
        assert size_of(memory, GAMES[0]) in (last, last + 1)
        memory.close()


def test_a_slower_process_does_not_put_an_older_copy_over_a_newer_one(place: Place) -> None:
    """What was made meanwhile has left the program already; a memory put back to before it would not be told."""
    slow, quick = place.open(), place.open()
    committed = Memory._committed

    def later(memory: Memory, sealed: bytes, version: int | None) -> None:
        if memory is slow:
            see(quick, GAMES[1], 50)
        committed(memory, sealed, version)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Memory, "_committed", later)
        see(slow, GAMES[0], 40)
    for memory in (slow, quick):
        memory.close()
    kept = place.open()
    assert unseal_counter(kept._aead, place.copy.read_bytes()) == kept.counter
    kept.close()


def test_a_memory_that_is_put_back_before_the_copy_is_written_is_told(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the two nothing else shows it: the copy is as old as what was put back."""
    backup, memory, committed = place.backup("backup"), place.open(), Memory._committed

    def put_back(*given: Any) -> None:
        with closing(sqlite3.connect(backup.path)) as old, closing(sqlite3.connect(place.path)) as now:
            old.backup(now)
        committed(*given)

    monkeypatch.setattr(Memory, "_committed", put_back)
    with pytest.raises(MemoryLostError, match="put back while it was used"):
        see(memory, GAMES[0], 40)
    memory.close()


def test_the_first_copy_is_on_the_disk_and_no_later_one_is_waited_for(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory without a copy is lost; a copy that is one behind costs nothing."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_ino))
    memory = place.begin()
    assert synced == [place.copy.stat().st_ino]
    see(memory, GAMES[0], 40)
    assert len(synced) == 1
    memory.close()


def test_a_copy_that_cannot_be_read_is_told(place: Place) -> None:
    place.copy.unlink()
    place.copy.mkdir()
    with pytest.raises(StoreError, match="cannot be read"):
        place.open()


def test_a_copy_that_cannot_be_written_is_told(place: Place) -> None:
    memory = place.open()
    shutil.rmtree(place.copy.parent)
    with pytest.raises(StoreError, match="cannot be written"):
        see(memory, GAMES[0], 40)
    memory.close()


# --- a service, as it answers ----------------------------------------------------------------------------------------


class Answers:
    """A connection to a service of these properties."""

    def __init__(self, **told: Any) -> None:
        self.told = {"standby": False, "fsync": "on", "full_page_writes": "on", "standbys": (0, 0, 0, "")} | told

    def execute(self, statement: Any, values: Any = ()) -> "Answers":
        asked = str(statement)
        member = "standby" if "in_recovery" in asked else "standbys" if "replication" in asked else values[0]
        self.row = self.told[member]
        return self

    def fetchall(self) -> list[Any]:
        return [self.row if isinstance(self.row, tuple) else (self.row,)]


NOT_ALL = "has a standby that is not synchronous"
SERVICES: dict[str, tuple[dict[str, Any], str | None]] = {
    "alone": ({}, None),
    "a standby": ({"standby": True}, "is a standby"),
    "no fsync": ({"fsync": "off"}, "has fsync off"),
    "torn pages": ({"full_page_writes": "off"}, "has full_page_writes off"),
    "standbys that it may not see": ({"standbys": (1, 0, 0, "")}, "may not see"),
    "one synchronous standby": ({"standbys": (0, 0, 0, "*")}, None),
    "one that is not, or next in line": ({"standbys": (0, 1, 0, "*")}, NOT_ALL),
    "any 1 of 2": ({"standbys": (0, 0, 2, "ANY 1 (a, b)")}, NOT_ALL),
    "any 2 of 2": ({"standbys": (0, 0, 2, "any  2 (a, b)")}, None),
    "any 2 of 2, and another": ({"standbys": (0, 1, 2, "ANY 2 (a, b)")}, NOT_ALL),
}


@pytest.mark.parametrize(("told", "problem"), SERVICES.values(), ids=SERVICES)
def test_no_service_is_used_that_may_lose_the_last_record(told: dict[str, Any], problem: str | None) -> None:
    if problem is None:
        check_service(cast("Any", Answers(**told)))
    else:
        with pytest.raises(StoreError, match=problem):
            check_service(cast("Any", Answers(**told)))


def test_a_service_that_cannot_be_reached_or_used_is_told_on_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"the memory's service cannot be reached: [^\n]+$"):
        probe_service(f"postgresql:///memory?host={tmp_path}")
    with pytest.raises(StoreError, match=r"the memory's service cannot be used: no room$"), service_errors():
        raise psycopg.OperationalError("no room\nmore")


# --- beginning anew, and another machine -----------------------------------------------------------------------------


def test_a_memory_that_was_begun_anew_takes_part_in_later_games_alone(place: Place) -> None:
    backup = place.backup("backup")
    since = "2026-11-22T05:00:00.000Z"
    memory = place.begin(since=since)
    with memory.game(GAMES[0]) as turn:
        assert (turn.record, turn.since) == (Record(), since)
    memory.close()
    place.restore_memory(backup)
    refused(place, "is not the one that")


def test_a_memory_begun_anew_in_the_place_of_a_damaged_one(place: Place) -> None:
    for each in place.path.parent.iterdir():
        each.write_bytes(b"junk")
    place.copy.unlink()
    memory = place.begin(since="2026-11-22T05:00:00.000Z")
    assert size_of(memory, GAMES[0]) == 0
    memory.close()


def test_a_seat_that_moved_signs_here_nothing_more(place: Place, tmp_path: Path) -> None:
    backup = place.backup("backup")
    memory = place.open()
    with memory.game(GAMES[0]) as turn:
        turn.change(chains=(OwnChain("aa" * 32, 16, "bb" * 32),))
    moved = memory.leave()
    for ended in (memory, place.open()):
        with pytest.raises(MemoryLostError, match="moved to another machine"):
            size_of(ended, GAMES[0])
        assert ended.leave() == moved, "as often as the file has to be written"
        ended.close()
    there = Place(tmp_path / "there")
    taken = there.begin(taken=msgspec.json.decode(msgspec.json.encode(moved), type=type(moved)))
    with taken.game(GAMES[0]) as turn:
        [chain] = turn.record.chains
        assert chain.moved, "it opens nothing there"
    assert [size_of(taken, game) for game in GAMES] == [1, 2, 3, 4]
    assert taken.counter.count > moved.count
    taken.close()
    place.restore_memory(backup)
    refused(place, "put back from a backup")


def interrupted(*_: object, **__: object) -> None:
    """Not by `exec`: of that Python notes that it was interrupted, and ends so, though the test has caught it."""
    raise KeyboardInterrupt


def test_killed_while_it_moves_the_seat_is_at_most_in_one_place(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = place.open()
    monkeypatch.setattr(module, "_write_copy", interrupted)
    with pytest.raises(KeyboardInterrupt):
        memory.leave()
    monkeypatch.undo()
    memory.close()
    again = place.open()
    with pytest.raises(MemoryLostError, match="moved to another machine"):
        size_of(again, GAMES[0])
    again.close()
