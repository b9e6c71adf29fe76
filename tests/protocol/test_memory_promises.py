"""What every memory of a seat promises, whatever keeps it: a file, or a service (specs/seats.md)."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger.errors import MemoryLostError, StaleMemoryError, StoreError
from ledger.seats import memory_service, service_checks
from ledger.seats.known import KnownNumbers
from ledger.seats.memory import SeatMemory
from ledger.seats.memory_file import Memory
from ledger.seats.memory_service import ServiceMemory
from ledger.seats.records import OwnChain, SeatHead
from ledger.store.inspection import check_apart
from tests.support.cutting import Cutting
from tests.support.postgres import Cluster, cluster, follower

KEY, ANOTHER = bytes(range(32)), bytes(32)
GAME, OTHER = b"\x01" * 32, b"\x02" * 32
SECRET = "5e" * 32
WRITES = 20

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def service() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield found


class Kept:
    """A memory, and the machines that have it open."""

    def __init__(self, root: Path, url: str | None) -> None:
        self.root, self.url = root, url
        self._stack = ExitStack()

    def place(self, machine: str) -> Path:
        """What a machine has of its own; a file's machines are processes of one."""
        folder = self.root / (machine if self.url is not None else "one")
        folder.mkdir(exist_ok=True)
        return folder

    def begin(self, **more: Any) -> SeatMemory:
        folder = self.place("one")
        if self.url is None:
            return self._kept(Memory.begin(folder / "memory.db", folder / "copy", "bob", KEY, **more))
        return self._kept(ServiceMemory.begin(self.url, folder / "known.db", folder / "copy", "bob", KEY, **more))

    def open(self, machine: str = "one", key: bytes = KEY, url: str | None = None) -> SeatMemory:
        folder = self.place(machine)
        if self.url is None:
            return self._kept(Memory(folder / "memory.db", folder / "copy", "bob", key))
        if not (folder / "copy").exists():  # whoever brings the identity to a machine brings this
            (folder / "copy").write_bytes((self.place("one") / "copy").read_bytes())
        return self._kept(ServiceMemory(url or self.url, folder / "known.db", folder / "copy", "bob", key))

    def _kept(self, memory: SeatMemory) -> SeatMemory:
        self._stack.callback(memory.close)
        return memory

    def close(self) -> None:
        self._stack.close()

    def put_back(self) -> Callable[[], None]:
        """Copy what keeps the records now; what puts that back."""
        if self.url is None:
            file = self.place("one") / "memory.db"
            import sqlite3

            with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(self.root / "kept.db")) as other:
                one.backup(other)

            def back() -> None:
                with closing(sqlite3.connect(self.root / "kept.db")) as one, closing(sqlite3.connect(file)) as other:
                    one.backup(other)

            return back
        url = self.url
        with psycopg.connect(url) as connection:
            rows = connection.execute("SELECT * FROM records").fetchall()

        def back_there() -> None:
            with psycopg.connect(url) as connection:
                connection.execute("DELETE FROM records")
                for row in rows:
                    connection.execute("INSERT INTO records VALUES (%s, %s, %s, %s)", row)

        return back_there


@pytest.fixture(params=["file", "service"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    url = None
    if request.param == "service":
        url = request.getfixturevalue("service").make(f"{tmp_path.name[:40]}-{abs(hash(tmp_path))}")
    found = Kept(tmp_path, url)
    yield found
    found.close()


@pytest.fixture
def served(service: Cluster, tmp_path: Path) -> Iterator[Kept]:
    found = Kept(tmp_path, service.make(f"{tmp_path.name[:40]}-{abs(hash(tmp_path))}"))
    yield found
    found.close()


def see(memory: SeatMemory, size: int, game: bytes = GAME) -> None:
    with memory.game(game) as turn:
        turn.change(head=SeatHead(size, ""))


def size_of(memory: SeatMemory, game: bytes = GAME) -> int:
    with memory.game(game) as turn:
        return turn.record.head.size


# --- what both promise -------------------------------------------------------------------------------------------


def test_what_was_recorded_is_there_for_whoever_comes_next(kept: Kept) -> None:
    memory = kept.begin()
    see(memory, 3)
    assert size_of(kept.open("two")) == 3
    see(memory, 4)
    assert {game: record.head.size for game, record in kept.open("three").records().items()} == {GAME: 4}


def test_nobody_writes_over_what_it_has_not_seen(kept: Kept) -> None:
    """Two machines at once, both of which count: no record is lost, whoever has to begin its turn again."""
    kept.begin()
    memories = [kept.open("one"), kept.open("two")]
    lost = []

    def count(memory: SeatMemory) -> None:
        done = 0
        while done < WRITES:
            try:
                with memory.game(GAME) as turn:
                    turn.change(head=SeatHead(turn.record.head.size + 1, ""))
            except StaleMemoryError:
                lost.append(memory)
            else:
                done += 1

    threads = [threading.Thread(target=count, args=(memory,)) for memory in memories]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert size_of(memories[0]) == 2 * WRITES
    assert not lost or kept.url is not None, "in one file turns are taken"


def test_a_group_stands_as_a_whole_and_an_error_takes_what_was_not_settled(kept: Kept) -> None:
    memory = kept.begin()

    def fails() -> None:
        with memory.group():
            see(memory, 1)
            with memory.game(OTHER) as turn:
                turn.change(head=SeatHead(2, ""))
                turn.settle()
                turn.change(head=SeatHead(3, ""))
                raise ValueError("unsettled")

    with pytest.raises(ValueError, match="unsettled"):
        fails()
    again = kept.open("two")
    assert (size_of(again), size_of(again, OTHER)) == (1, 2)
    with memory.group():
        see(memory, 5)
        assert size_of(memory) == 5, "a later turn sees what an earlier one recorded"


def test_a_memory_that_was_put_back_signs_nothing(kept: Kept) -> None:
    memory = kept.begin()
    see(memory, 1)
    back = kept.put_back()
    see(memory, 2)
    memory.close()
    back()
    with pytest.raises(MemoryLostError, match=r"older|put back"):
        kept.open("one")


def test_a_memory_that_is_put_back_while_it_is_used_signs_nothing(kept: Kept) -> None:
    memory = kept.begin()
    see(memory, 1)
    back = kept.put_back()
    see(memory, 2)
    back()
    with pytest.raises(MemoryLostError):
        see(memory, 3)


def test_another_key_reads_nothing(kept: Kept) -> None:
    see(kept.begin(), 1)
    with pytest.raises(MemoryLostError):
        kept.open("one", ANOTHER)


def test_a_seat_that_left_signs_nowhere(kept: Kept) -> None:
    memory = kept.begin()
    other = kept.open("two")
    see(memory, 1)
    given = memory.leave()
    assert given.records[GAME.hex()].head.size == 1
    for each in (memory, other):
        with pytest.raises(MemoryLostError, match="moved"):
            see(each, 2)
    assert memory.leave().records == given.records or kept.url is not None


def test_a_seat_that_came_opens_nothing_of_its_old_chains(kept: Kept, tmp_path: Path) -> None:
    memory = kept.begin()
    with memory.game(GAME) as turn:
        turn.change(chains=(OwnChain("aa" * 32, 16, SECRET),))
    given = memory.leave()
    there = tmp_path / "there"
    there.mkdir()
    arrived = Kept(there, kept.url)
    with arrived.begin(taken=given).game(GAME) as turn:
        assert turn.record.chains[0].moved
    arrived.close()


def test_nothing_depends_on_the_clock(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = kept.begin()
    for number, jump in enumerate((0, 10**9, -(10**9)), 1):
        monkeypatch.setattr("time.time", lambda jump=jump: 1_700_000_000 + jump)
        see(memory, number)
        assert size_of(kept.open(f"at-{number}")) == number


def test_what_is_sealed_stays_sealed(kept: Kept) -> None:
    memory = kept.begin()
    with memory.game(GAME) as turn:
        turn.change(chains=(OwnChain("aa" * 32, 16, SECRET),))
    memory.close()
    stored = b"".join(path.read_bytes() for path in kept.root.rglob("*") if path.is_file())
    if kept.url is not None:
        with psycopg.connect(kept.url) as connection:
            for table in ("seats", "records"):
                rows = connection.execute(f"SELECT * FROM {table}".encode()).fetchall()
                stored += b"".join(bytes(value) for row in rows for value in row if isinstance(value, bytes))
                assert rows
        assert GAME not in stored, "nor which game it is"
    for secret in (SECRET.encode(), bytes.fromhex(SECRET), b"chains", b"head"):
        assert secret not in stored


# --- what a service promises besides -----------------------------------------------------------------------------


def test_a_stale_writer_loses_and_nothing_of_its_group_stands(served: Kept) -> None:
    memory = served.begin()
    see(memory, 9)
    other = served.open("two")

    def loses() -> None:
        with memory.group():
            see(memory, 7, OTHER)
            see(memory, 1)
            see(other, 2)

    with pytest.raises(StaleMemoryError):
        loses()
    assert (size_of(memory), size_of(memory, OTHER)) == (2, 0)


@pytest.mark.parametrize("before", [0, 1], ids=["new", "replaced"])
def test_of_many_games_the_one_that_was_written_elsewhere_is_named(served: Kept, before: int) -> None:
    games = [bytes([number]) * 32 for number in range(1, 6)]
    memory, other = served.begin(), served.open("two")
    for game in games[:before] + games[before and 2 :]:
        see(memory, 1, game)

    def loses() -> None:
        with memory.group(games):
            for game in games:
                see(memory, 2, game)
            see(other, 3, games[1])

    with pytest.raises(StaleMemoryError, match=games[1].hex()[:12]):
        loses()
    again = served.open("three")
    assert size_of(again, games[1]) == 3
    assert all(size_of(again, game) < 2 for game in games if game != games[1])
    with again.group(games):
        for game in games:
            see(again, 4, game)
    assert {size_of(memory, game) for game in games} == {4}


def test_a_damaged_record_stops_its_own_game_alone(served: Kept) -> None:
    memory = served.begin()
    see(memory, 1)
    see(memory, 1, OTHER)
    assert served.url is not None
    with psycopg.connect(served.url) as connection:
        sealed = connection.execute("SELECT record, sealed FROM records ORDER BY record").fetchall()
        connection.execute("UPDATE records SET sealed = %s WHERE record = %s", [sealed[1][1], sealed[0][0]])
    sizes: dict[bytes, int | None] = {}
    with memory.group([GAME, OTHER]):
        for game in (GAME, OTHER):
            try:
                sizes[game] = size_of(memory, game)
            except MemoryLostError:
                sizes[game] = None
    assert sorted(map(str, sizes.values())) == ["1", "None"]


def test_another_process_of_this_machine_records_while_one_connects(
    served: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has recorded meanwhile is no loss, whenever it does."""
    memory = served.begin()
    looked = service_checks.check_service

    def meanwhile(connection: Any) -> None:
        looked(connection)
        monkeypatch.setattr(memory_service, "check_service", looked)
        see(memory, size_of(memory) + 1)

    whole = KnownNumbers.all

    def then(known: KnownNumbers) -> dict[bytes, int]:
        monkeypatch.setattr(KnownNumbers, "all", whole)
        see(memory, size_of(memory) + 1)
        return whole(known)

    for name, patched in (("check_service", meanwhile), ("all", then)):
        monkeypatch.setattr(memory_service if name == "check_service" else KnownNumbers, name, patched)
        assert size_of(served.open("one")) == size_of(memory)


@pytest.mark.parametrize("column", ["record", "sealed", "number"])
def test_rows_that_the_service_changes_are_refused(served: Kept, column: str) -> None:
    memory = served.begin()
    see(memory, 1)
    see(memory, 2, OTHER)
    assert served.url is not None
    with psycopg.connect(served.url) as connection:
        if column == "number":
            connection.execute("UPDATE records SET number = number + 1")
        elif column == "sealed":
            connection.execute("UPDATE records SET sealed = (SELECT sealed FROM records ORDER BY record LIMIT 1)")
        else:  # two rows change their names
            connection.execute("UPDATE records SET record = record || '\\x00'")
            names = connection.execute("SELECT record FROM records ORDER BY record").fetchall()
            for (old,), (new,) in zip(names, reversed(names), strict=True):
                connection.execute("UPDATE records SET record = %s WHERE record = %s", [bytes(new)[:32], old])
    with pytest.raises(MemoryLostError):
        served.open("two").records()


@pytest.mark.parametrize(("cut", "stands"), [("before", False), ("after", True)])
def test_a_connection_that_is_cut_between_a_write_and_its_answer(
    served: Kept, service: Cluster, tmp_path_factory: pytest.TempPathFactory, cut: str, stands: bool
) -> None:
    """Whether it was recorded is looked up at the service; where it was not, nothing is said to be."""
    assert served.url is not None
    see(served.begin(), 1)
    with tempfile.TemporaryDirectory(prefix="rp-") as folder:
        way = Cutting(Path(folder), str(service.folder / ".s.PGSQL.5432"))
        memory = served.open("two", url=served.url.replace(str(service.folder), folder))
        way.cut = cut
        if stands:
            see(memory, 2)
        else:
            with pytest.raises(StoreError):
                see(memory, 2)
        assert way.cuts == 1
        assert size_of(served.open("three")) == (2 if stands else 1)
        see(memory, 3)
        assert size_of(served.open("four")) == 3
        way.close()


def test_an_outcome_that_cannot_be_looked_up_is_not_guessed(served: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = served.begin()
    assert isinstance(memory, ServiceMemory)
    monkeypatch.setattr(memory_service, "LOOK_UP_WITHIN", 0.2)
    monkeypatch.setattr(memory, "_swap", lambda *_: _broken(memory))
    monkeypatch.setattr(memory, "_came_through", lambda _: (_ for _ in ()).throw(StoreError("it is not known")))
    with pytest.raises(StoreError):
        see(memory, 2)
    monkeypatch.undo()
    assert size_of(memory) == 0


def _broken(memory: ServiceMemory) -> bool:
    raise psycopg.OperationalError("gone")


def test_the_service_is_restarted(served: Kept, service: Cluster) -> None:
    memory = served.begin()
    see(memory, 1)
    service.stop()
    with pytest.raises(StoreError, match="cannot be"):
        see(memory, 2)
    service.start()
    see(memory, 2)
    assert size_of(memory) == 2


def test_memory_and_games_in_one_cluster_are_refused(served: Kept, service: Cluster) -> None:
    assert served.url is not None
    with pytest.raises(StoreError, match="one PostgreSQL cluster"):
        check_apart(served.url, service.url())


def test_settings_that_lose_what_was_answered_are_refused(served: Kept, service: Cluster) -> None:
    served.begin()
    with psycopg.connect(service.url(), autocommit=True) as connection:
        try:
            connection.execute("ALTER SYSTEM SET full_page_writes = off")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SHOW full_page_writes").fetchone() != ("off",):
                pass
            with pytest.raises(StoreError, match="full_page_writes"):
                served.open("two")
        finally:
            connection.execute("ALTER SYSTEM RESET full_page_writes")
            connection.execute("SELECT pg_reload_conf()")


def test_standbys(tmp_path: Path) -> None:
    """An asynchronous one is refused; a synchronous one that takes over has all; one that lacks the last stops it."""
    with cluster() as primary:
        if primary is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        kept = Kept(tmp_path, primary.make("memory"))
        memory = kept.begin()
        see(memory, 1)
        with follower(primary) as standby, follower(primary) as late:
            with pytest.raises(StoreError, match="not synchronous"):
                kept.open("two")
            late.stop()
            with psycopg.connect(primary.url(), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
                connection.execute("SELECT pg_reload_conf()")
                while connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall() != [("sync",)]:
                    pass
            second = kept.open("two")
            see(second, 2)
            see(second, 3, OTHER)
            primary.kill()
            with pytest.raises(StoreError, match="cannot be"):
                see(second, 4)
            standby.promote()
            after = kept.open("two", url=standby.url("memory"))
            assert (size_of(after), size_of(after, OTHER)) == (2, 3)
            see(after, 4)
            standby.stop()
            late.start()
            late.promote()
            with pytest.raises(MemoryLostError, match="failover"):
                kept.open("two", url=late.url("memory"))
        kept.close()
