"""What every memory of a seat promises, whatever keeps it: a file, or a service (specs/seats.md)."""

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, nullcontext, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from ledger.errors import IdentityError, MemoryLostError, StaleMemoryError, StoreError, UsageError
from ledger.home import Home
from ledger.seats import memory_service, service_checks
from ledger.seats.known import KnownNumbers
from ledger.seats.memory import SeatMemory
from ledger.seats.memory_file import Memory
from ledger.seats.memory_service import ServiceMemory
from ledger.seats.records import OwnChain, SeatHead
from ledger.seats.service_checks import probe_service
from ledger.seats.service_rows import Begun, ServiceRow, ServiceRows
from ledger.store import inspection
from ledger.store.inspection import check_apart
from tests.protocol.test_memory import open_files
from tests.support.cli import QUICK
from tests.support.cutting import Cutting
from tests.support.postgres import Cluster, cluster, follower

KEY, ANOTHER = bytes(range(32)), bytes(32)
GAME, OTHER = b"\x01" * 32, b"\x02" * 32
SECRET = "5e" * 32
PASSPHRASE = b"correct horse battery"
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
    for each in (memory, other, kept.open("one")):
        with pytest.raises(MemoryLostError, match="moved"):
            see(each, 2)
        assert each.leave() == given, "as often as the file has to be written"


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


def test_who_has_only_looked_knows_too_how_far_a_record_had_come(served: Kept) -> None:
    """Another machine made it; one of them is enough to notice that it was put back."""
    memory = served.begin()
    see(memory, 1)
    back = served.put_back()
    see(memory, 2)
    other = served.open("two")
    assert size_of(other) == 2
    other.close()
    back()
    with pytest.raises(MemoryLostError, match="older than this machine knows"):
        served.open("two")
    assert size_of(served.open("three")) == 1, "who had not seen it"


def test_records_that_are_put_back_do_not_move(served: Kept) -> None:
    memory = served.begin()
    see(memory, 1)
    back = served.put_back()
    see(memory, 2)
    back()
    for ask in (memory.records, memory.leave):
        with pytest.raises(MemoryLostError, match="older than this machine knows"):
            ask()
    assert not memory.left


class Machine:
    """A home, and where its seats remember."""

    def __init__(self, root: Path, url: str | None) -> None:
        self.home = Home(root / "home", root / "state", url)

    def move(self) -> bytes:
        return self.home.move("bob", PASSPHRASE)

    def take(self, file: bytes) -> None:
        self.home.take(file, lambda _: PASSPHRASE)

    def memory(self) -> SeatMemory:
        return self.home.memory(self.home.identity("bob", PASSPHRASE))

    def see(self, size: int) -> None:
        with closing(self.memory()) as memory:
            see(memory, size)

    def seen(self) -> int:
        with closing(self.memory()) as memory:
            return size_of(memory)


def test_a_service_takes_a_file_once_for_all_machines(served: Kept, tmp_path: Path) -> None:
    """What was recorded since would be gone, and could be signed a second time."""
    first, one, two, last = (Machine(tmp_path / f"{n}", url) for n, url in enumerate((None, *[served.url] * 2, None)))
    first.home.new_identity("bob", PASSPHRASE, QUICK)
    first.see(1)
    there = first.move()
    one.take(there)
    assert one.seen() == 1
    one.see(2)
    for machine in (one, two):
        with pytest.raises(IdentityError, match="seat is in the service"):
            machine.take(there)
    assert two.home.names() == [], "nothing is left of it"
    back = one.move()
    assert one.move() != back, "as often as it has to be written"
    for machine in (one, two):
        with pytest.raises(IdentityError, match="this file was taken there before"):
            machine.take(there)
    last.take(back)
    assert last.seen() == 2
    last.see(3)
    again = last.move()
    with pytest.raises(IdentityError, match="taken here before"):
        last.take(there)
    two.take(again)
    assert two.seen() == 3
    with pytest.raises(MemoryLostError, match="bob signs and opens nothing"):
        one.seen()
    copies = [machine.home.root / "identities" / "bob" / "memory" for machine in (two, one)]
    shutil.copy(*copies)
    assert one.seen() == 3, "who brings the identity there again"


def test_a_service_takes_back_what_left_it_and_nothing_while_the_seat_is_there(served: Kept, tmp_path: Path) -> None:
    """Also a seat that remembers nothing yet, beside another's."""
    served.begin()
    first, one, two = (Machine(tmp_path / f"{n}", url) for n, url in enumerate((None, served.url, served.url)))
    first.home.new_identity("bob", PASSPHRASE, QUICK)
    there = first.move()
    one.take(there)
    with pytest.raises(IdentityError, match="seat is in the service"):
        two.take(there)
    two.take(one.move())
    two.see(1)
    (two.home.root / "identities" / "bob" / "memory").unlink()
    with pytest.raises(MemoryLostError, match="which says where bob's memory is, is missing"):
        two.seen()


def test_a_seat_comes_into_a_service_from_a_machine_where_it_had_left_a_file(served: Kept, tmp_path: Path) -> None:
    file, service = (Machine(tmp_path / "one", url) for url in (None, served.url))
    other = Machine(tmp_path / "two", None)
    file.home.new_identity("bob", PASSPHRASE, QUICK)
    other.take(file.move())
    other.see(1)
    service.take(other.move())
    assert service.seen() == 1
    service.see(2)


def test_a_seat_that_remembers_in_a_service_begins_in_no_file_beside_it(served: Kept, tmp_path: Path) -> None:
    first, one = Machine(tmp_path / "first", None), Machine(tmp_path / "one", served.url)
    first.home.new_identity("bob", PASSPHRASE, QUICK)
    there = first.move()
    one.take(there)
    without = Machine(tmp_path / "one", None)
    for act in (lambda: without.take(there), without.seen):
        with pytest.raises(UsageError, match="bob remembers in a service: say in ROLLPROOF_MEMORY where that is"):
            act()
    with pytest.raises(UsageError, match="bob remembers in a file of this machine: name no service"):
        Machine(tmp_path / "first", served.url).seen()
    one.see(1)


def test_a_memory_comes_with_all_its_records_or_not_at_all(served: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = served.begin()
    see(memory, 1)
    see(memory, 2, OTHER)
    given = memory.leave()
    sealed = list[bytes]()

    def fails(rows: ServiceRows, begun: Begun, game: bytes, row: ServiceRow) -> bytes:
        if sealed:
            raise KeyError
        sealed.append(game)
        return seal(rows, begun, game, row)

    seal = ServiceRows.seal
    monkeypatch.setattr(ServiceRows, "seal", fails)
    with pytest.raises(KeyError):
        served.begin(taken=given)
    monkeypatch.undo()
    assert memory.leave() == given
    again = served.begin(taken=given)
    assert again.count == given.count + 2, "this machine knows them from the first"
    assert (size_of(again), size_of(again, OTHER)) == (1, 2)
    assert served.url is not None
    with psycopg.connect(served.url) as connection:
        connection.execute("DELETE FROM records")
    with pytest.raises(MemoryLostError, match="older than this machine knows"):
        served.open("one")


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


def waiting(served: Kept) -> int:
    """How many transactions are open in the service: who moves the seat waits for each of them."""
    assert served.url is not None
    statement = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in %'"
    with psycopg.connect(served.url) as connection:
        ((found,),) = connection.execute(statement).fetchall()
    return int(found)


@pytest.mark.parametrize("lost", [True, False], ids=["a damaged record", "no table as it should be"])
def test_a_seat_that_cannot_be_moved_as_a_whole_is_not_ended(served: Kept, lost: bool) -> None:
    memory = served.begin()
    see(memory, 1)
    see(memory, 1, OTHER)
    assert served.url is not None
    damage = "UPDATE records SET sealed = (SELECT sealed FROM records ORDER BY record LIMIT 1)"
    with psycopg.connect(served.url) as connection:
        connection.execute(damage.encode() if lost else b"ALTER TABLE records RENAME COLUMN sealed TO gone")
    for _ in range(2):
        with pytest.raises(MemoryLostError if lost else StoreError, match="changed by somebody" if lost else "used"):
            memory.leave()
        assert waiting(served) == 0, "nobody is kept out meanwhile"
    assert not memory.left
    assert not served.open("two").left


def test_of_many_games_that_are_read_at_once_each_is_as_another_machine_left_it(served: Kept) -> None:
    memory, other = served.begin(), served.open("two")
    see(memory, 3)
    see(memory, 4, OTHER)
    with other.group([GAME, OTHER]):
        assert (size_of(other), size_of(other, OTHER)) == (3, 4)


def test_a_connection_that_was_cut_between_two_uses_is_made_anew(served: Kept, service: Cluster) -> None:
    memory = served.begin()
    for size in (1, 2):
        cut(service, served)
        see(memory, size)
    assert size_of(served.open("two")) == 2


def test_who_waits_for_a_seat_that_is_being_moved_gives_up_in_time(
    served: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_checks, "ANSWER_WITHIN", 200)
    memory = served.begin()
    assert isinstance(memory, ServiceMemory)
    assert served.url is not None
    with psycopg.connect(served.url) as moving:
        moving.execute("SELECT pg_advisory_xact_lock(%s)", [memory._lock])
        with pytest.raises(StoreError, match="the memory's service cannot be used"):
            see(memory, 1)
    see(memory, 2)


def test_who_is_refused_keeps_no_file_open(served: Kept) -> None:
    """A folder that is deleted or moved away then is not in use, on systems that care."""
    served.begin().close()
    assert served.url is not None
    with psycopg.connect(served.url) as connection:
        connection.execute("DELETE FROM seats")
    with pytest.raises(MemoryLostError) as refused:
        served.open("one")
    assert open_files(served.place("one")) == [], refused


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


@pytest.mark.parametrize("reachable", [True, False])
def test_what_became_of_a_transaction_is_asked_for(
    served: Kept, monkeypatch: pytest.MonkeyPatch, reachable: bool
) -> None:
    """Also where the service is away at first, or a wait for its standbys is broken off."""
    memory = served.begin()
    assert isinstance(memory, ServiceMemory)
    assert served.url is not None
    monkeypatch.setattr(memory_service, "LOOK_UP_WITHIN", 0.5)
    ids = "SELECT pg_current_xact_id()::text::bigint"
    with psycopg.connect(served.url) as waits, psycopg.connect(served.url, autocommit=True) as other:
        outcomes: dict[str, int] = {}
        for outcome in ("committed", "aborted"):
            with suppress(ZeroDivisionError), other.transaction():
                ((outcomes[outcome],),) = other.execute(ids).fetchall()
                if outcome == "aborted":
                    raise ZeroDivisionError
        ((outcomes["waits"],),) = waits.execute(ids).fetchall()
        connected, failed = ServiceMemory._connected, list[Exception]()

        def away(memory: ServiceMemory) -> Any:
            if len(failed) < 2 or not reachable:
                failed.append(StoreError("away") if len(failed) % 2 else psycopg.OperationalError("away"))
                raise failed[-1]
            return connected(memory)

        monkeypatch.setattr(ServiceMemory, "_connected", away)
        if reachable:
            assert memory._came_through(outcomes["committed"])
            assert not memory._came_through(outcomes["aborted"])
        else:
            outcomes["waits"] = outcomes["committed"]
        with pytest.raises(StoreError, match="it is not known whether"):
            memory._came_through(outcomes["waits"])


def test_a_lookup_waits_for_the_standbys_too(served: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = served.begin()
    assert isinstance(memory, ServiceMemory)
    connection, notices, asked = memory._connected(), memory._notices, list[str]()

    class Warned:
        """A connection on which the first wait is broken off."""

        def execute(self, statement: str, values: Any) -> Any:
            asked.append(statement.split()[0])
            if asked == ["SELECT", "UPDATE"]:
                notices.append("canceling wait for synchronous replication")
            return connection.execute(statement.encode(), values)

    ((made,),) = connection.execute("SELECT pg_current_xact_id()::text::bigint").fetchall()
    monkeypatch.setattr(memory, "_connected", Warned)
    assert memory._came_through(made)
    assert asked == ["SELECT", "UPDATE"] * 2


def test_a_wait_for_a_standby_that_was_broken_off_is_no_answer(served: Kept, service: Cluster) -> None:
    memory = served.begin()
    see(memory, 1)

    def break_off() -> None:
        with psycopg.connect(service.url(), autocommit=True) as breaking:
            waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            while not breaking.execute(waiting).fetchall():
                pass

    with psycopg.connect(service.url(), autocommit=True) as connection:
        try:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SHOW synchronous_standby_names").fetchone() != ("nobody",):
                pass
            for act in (lambda: see(memory, 2), memory.leave):
                thread = threading.Thread(target=break_off)
                thread.start()
                with pytest.raises(StoreError, match="has not confirmed what was recorded: canceling"):
                    act()
                thread.join(60)
        finally:
            connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SHOW synchronous_standby_names").fetchone() != ("",):
                pass
    assert memory.leave().records[GAME.hex()].head.size == 2


def test_a_transaction_that_the_service_takes_back_is_told(served: Kept) -> None:
    """Somebody in a group has passed over an error of the service."""
    memory = served.begin()
    assert isinstance(memory, ServiceMemory)

    def passes_over() -> None:
        with memory.group(), suppress(psycopg.Error):
            memory._execute("SELECT 1 / 0", [])

    with pytest.raises(StoreError, match="has not confirmed what was recorded: ROLLBACK"):
        passes_over()
    see(memory, 1)


def test_a_connection_that_ends_within_a_group_is_told(served: Kept, service: Cluster) -> None:
    memory = served.begin()
    see(memory, 1)

    def cut_within(size: int, look: bytes | None) -> None:
        with memory.group():
            if size:
                see(memory, size)
            cut(service, served)
            if look is not None:
                size_of(memory, look)

    for size, look in ((2, OTHER), (0, OTHER), (0, None)):
        with pytest.raises(StoreError, match="the memory's service cannot be used"):
            cut_within(size, look)
        assert size_of(memory) == 1
    see(memory, 3)


def cut(service: Cluster, served: Kept) -> None:
    """End all connections to this memory, as a restart of the service does."""
    assert served.url is not None
    with psycopg.connect(service.url(), autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s",
            [served.url.partition("?")[0].rpartition("/")[2]],
        )


def test_an_error_of_whoever_acts_leaves_what_was_recorded(served: Kept) -> None:
    """Whatever error it is: a store's, or that something else is lost."""
    memory = served.begin()

    def fails(error: Exception, size: int) -> None:
        with memory.group():
            see(memory, size)
            raise error

    for size, error in enumerate((StoreError("full"), MemoryLostError("gone"), ValueError("odd")), 1):
        with pytest.raises(type(error), match=str(error)):
            fails(error, size)
        assert size_of(served.open(f"at-{size}")) == size


@pytest.mark.slow
def test_the_service_is_restarted(served: Kept, service: Cluster) -> None:
    memory = served.begin()
    see(memory, 1)
    service.stop()
    with pytest.raises(StoreError, match="cannot be"):
        see(memory, 2)
    service.start()
    see(memory, 2)
    service.stop()
    service.start()
    see(memory, 3)  # it finds out, and connects anew
    assert size_of(memory) == 3


DAMAGED: dict[str, tuple[str, str]] = {
    "taken away": ("DELETE FROM seats", "is not in the service"),
    "changed": ("UPDATE seats SET sealed = sealed || '\\x00'", "damaged, or another key's"),
    "cut": ("UPDATE seats SET sealed = '\\x00'", "damaged, or another key's"),
    "all taken away": ("DROP TABLE records, seats", "is not in the service"),
}


@pytest.mark.parametrize(("statement", "problem"), DAMAGED.values(), ids=DAMAGED)
def test_a_seat_whose_own_record_is_gone_or_damaged_signs_nothing(served: Kept, statement: str, problem: str) -> None:
    memory = served.begin()
    assert served.url is not None
    with psycopg.connect(served.url) as connection:
        connection.execute(statement.encode())
    with pytest.raises(MemoryLostError, match=problem):
        served.open("one")
    if "DROP" not in statement:
        for _ in range(2):
            with pytest.raises(MemoryLostError, match=problem):
                see(memory, 1)
    assert size_of(served.begin()) == 0, "it is begun anew"


def test_a_memory_that_was_begun_anew_is_another_one(served: Kept) -> None:
    memory, other = served.begin(since="2026-11-22T05:00:00.000Z"), served.open("two")
    see(memory, 1)
    again = served.begin(since="2026-11-23T05:00:00.000Z")
    for each in (memory, other):
        with pytest.raises(MemoryLostError, match="another one than this machine's"):
            see(each, 2)
    assert waiting(served) == 0
    with again.game(GAME) as turn:
        assert (turn.record.head.size, turn.since) == (0, "2026-11-23T05:00:00.000Z")
    assert again.count == 1, "an earlier file is still an earlier one"


@pytest.mark.parametrize("copy", [None, b"", b"x" * 600])
def test_a_machine_without_the_copy_of_the_seats_record_signs_nothing(served: Kept, copy: bytes | None) -> None:
    served.begin().close()
    path = served.place("one") / "copy"
    path.unlink()
    if copy is not None:
        path.write_bytes(copy)
    url, known = served.url, served.place("one") / "known.db"
    assert url is not None
    with pytest.raises(MemoryLostError, match="is missing" if copy is None else "was not begun in a service"):
        ServiceMemory(url, known, path, "bob", KEY)


def test_a_copy_that_cannot_be_written_is_told(served: Kept) -> None:
    assert served.url is not None
    with pytest.raises(StoreError, match="copy cannot be written"):
        ServiceMemory.begin(served.url, served.place("one") / "known.db", served.root / "none" / "copy", "bob", KEY)


def test_memory_and_games_in_one_cluster_are_refused(served: Kept, service: Cluster) -> None:
    assert served.url is not None
    with pytest.raises(StoreError, match="one PostgreSQL cluster"):
        check_apart(served.url, service.url())


@pytest.mark.parametrize(("clusters", "refused"), [((7, 7), True), ((7, 8), False)])
def test_memory_and_games_are_in_two_clusters(
    monkeypatch: pytest.MonkeyPatch, clusters: tuple[int, int], refused: bool
) -> None:
    systems = dict(zip(("memory", "games"), clusters, strict=True))
    monkeypatch.setattr(inspection, "inspect", lambda url: SimpleNamespace(system=systems[url]))
    with pytest.raises(StoreError, match="one PostgreSQL cluster") if refused else nullcontext():
        check_apart("memory", "games")


def test_a_database_that_cannot_be_reached_is_told_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^localhost/games cannot be reached: ") as told:
        inspection.inspect(f"postgresql://keeper:hunter2@/games?host={tmp_path}")
    assert "hunter2" not in str(told.value)


def test_what_is_safe_is_not_called_unsafe(service: Cluster) -> None:
    state = inspection.inspect(service.url())
    assert (state.unsafe, state.standby, state.may_create) == ((), False, True)


def test_settings_that_lose_what_was_answered_are_refused(
    served: Kept, service: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When it connects, every five seconds, and before anything is begun there."""
    memory = served.begin()
    assert served.url is not None
    see(memory, 1)
    with psycopg.connect(service.url(), autocommit=True) as connection:
        try:
            connection.execute("ALTER SYSTEM SET full_page_writes = off")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SHOW full_page_writes").fetchone() != ("off",):
                pass
            with pytest.raises(StoreError, match="full_page_writes"):
                served.open("two")
            see(memory, 2)
            monkeypatch.setattr(memory_service, "LOOK_EVERY", -1.0)
            with pytest.raises(StoreError, match="full_page_writes"):
                see(memory, 3)
            with pytest.raises(StoreError, match="full_page_writes"):
                probe_service(served.url)
            with pytest.raises(StoreError, match="full_page_writes"):
                served.begin()
        finally:
            connection.execute("ALTER SYSTEM RESET full_page_writes")
            connection.execute("SELECT pg_reload_conf()")
            while connection.execute("SHOW full_page_writes").fetchone() != ("on",):
                pass
    assert size_of(memory) == 2, "and nothing was begun in its place"


@pytest.mark.slow
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
