"""Each game, table and log in PostgreSQL has an order of its own (specs/decisions/0019)."""

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from threading import Barrier, Event, Lock

import psycopg
import pytest
from psycopg_pool import PoolTimeout

from ledger.errors import RefusedError, RestoreError, StoreError
from ledger.seats.identity import Identity
from ledger.server.tables import Tables
from ledger.store import postgres as module
from ledger.store import postgres_copying
from ledger.store.game_cache import GameCache
from ledger.store.ledger import Ledger
from ledger.store.postgres import PostgresStorage
from ledger.transparency.anchors import Anchors, head_text
from tests.server.machines import until
from tests.server.served import Plain, Server
from tests.server.test_storage import _Table
from tests.support.postgres import Cluster, cluster
from verifier import verify
from verifier.checkpoints.checkpoint import Checkpoint, SignedCheckpoint
from verifier.checkpoints.note import signature_line

pytestmark = pytest.mark.long

TURNS = 40


@pytest.fixture(scope="module")
def postgres() -> Iterator[Cluster]:
    with cluster() as found:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield found


@pytest.fixture
def url(postgres: Cluster, tmp_path: Path) -> str:
    return postgres.make(tmp_path.name)


@pytest.fixture
def storages(url: str) -> Iterator[Sequence[PostgresStorage]]:
    """Two programs with one database."""
    with closing(PostgresStorage(url)) as one, closing(PostgresStorage(url)) as other:
        yield one, other


@pytest.fixture
def tables(storages: Sequence[PostgresStorage], tmp_path: Path) -> Iterator[Sequence[_Table]]:
    """Two games that both programs have."""
    ledger = Ledger(storages[0])
    with ExitStack() as stack:
        yield [stack.enter_context(closing(_Table(tmp_path / name, ledger))) for name in ("a", "b")]


def waiting(url: str) -> int:
    """How many connections wait for a lock."""
    with psycopg.connect(url, autocommit=True) as connection:
        statement = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        ((count,),) = connection.execute(statement).fetchall()
        return int(count)


def test_who_writes_to_one_game_waits_and_who_writes_to_another_does_not(
    url: str, storages: Sequence[PostgresStorage], tables: Sequence[_Table]
) -> None:
    """The second to write to a game sees what the first has written, and its line is refused, not stored."""
    here, there = tables
    other = Ledger(storages[1])
    mine, theirs, elsewhere = here.request("alice"), here.request("bob"), there.request("alice")
    with ThreadPoolExecutor(1) as threads:
        with here.ledger.group([here.game]):
            here.ledger.append(here.game, mine)
            other.append(there.game, elsewhere)
            late = threads.submit(other.append, here.game, theirs)
            until(lambda: waiting(url) == 1)
            assert not late.done()
        with pytest.raises(RefusedError, match="gone on"):
            late.result(60)
    assert here.log().endswith(mine + b"\n")
    for table in tables:
        assert verify(table.log())[0].verdict == "holds"


def test_two_that_write_to_the_same_games_never_wait_in_a_circle(url: str, storages: Sequence[PostgresStorage]) -> None:
    """Many games, so that each is in the midst of locking when the other begins; the database tells of each circle."""
    names = [f"{number:064x}" for number in range(900)]
    together = Barrier(2)

    def write(storage: PostgresStorage, names: list[str]) -> None:
        for _ in range(TURNS):
            together.wait(60)
            with storage.transaction(names):
                pass

    with ThreadPoolExecutor(2) as threads:
        done = [threads.submit(write, storages[0], names), threads.submit(write, storages[1], names[::-1])]
        for each in done:
            each.result(60)
    for storage in storages:
        storage.close()  # each connection tells what it counted when it ends
    with psycopg.connect(url) as connection:
        statement = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        ((circles,),) = connection.execute(statement).fetchall()
    assert circles == 0


def test_who_writes_to_anything_waits_for_all_and_all_wait_for_it(
    url: str, storages: Sequence[PostgresStorage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with more names than are locked one by one."""
    monkeypatch.setattr(module, "MAX_LOCKS", 3)
    entered, leave = Event(), Event()

    def hold(names: list[str] | None) -> None:
        with storages[0].transaction(names):
            entered.set()
            assert leave.wait(60)

    def write(names: list[str] | None) -> None:
        with storages[1].transaction(names):
            pass

    for first, second in ((None, ["a"]), (["a"], None), (["a"], list("bcde")), (list("abcd"), ["e"])):
        entered.clear()
        leave.clear()
        with ThreadPoolExecutor(2) as threads:
            holding = threads.submit(hold, first)
            assert entered.wait(60)
            writing = threads.submit(write, second)
            until(lambda: waiting(url) == 1)
            leave.set()
            holding.result(60)
            writing.result(60)


def test_a_log_whose_end_is_gone_takes_no_line(
    url: str, storages: Sequence[PostgresStorage], tables: Sequence[_Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines and end are put back behind the program's back, after its look: nothing is written behind the hole."""
    table, whole = tables
    line, upon = table.request("alice"), table.ledger.live(table.game)
    monkeypatch.setattr(GameCache, "_look_again", lambda *_: None)
    monkeypatch.setattr(PostgresStorage, "version", lambda _: 7)
    upon = table.ledger.live(table.game)
    last = upon.replay.size - 1
    with psycopg.connect(url) as connection:
        connection.execute("SELECT set_config('rollproof.deleting', 'events', true)")
        connection.execute("DELETE FROM events WHERE game = %s AND seq = %s", [table.game.hex(), last])
    with pytest.raises(StoreError, match="nothing to stand upon"):
        table.ledger.append(table.game, line, upon=upon)
    monkeypatch.undo()
    assert table.ledger.size(table.game) == last
    whole.roll("alice")


def test_a_group_is_told_by_what_it_wrote_to(storages: Sequence[PostgresStorage], tables: Sequence[_Table]) -> None:
    """And a program is not told of its own writing."""
    table, _ = tables
    stop, told = Event(), list[frozenset[str] | None]()
    other = Ledger(storages[1])

    def listen(storage: PostgresStorage, into: list[frozenset[str] | None]) -> None:
        into.extend(storage.listen(stop))

    own = list[frozenset[str] | None]()
    with ThreadPoolExecutor(2) as threads:
        listening = [threads.submit(listen, storages[1], told), threads.submit(listen, storages[0], own)]
        until(lambda: told == [None] and own == [None])
        table.roll("alice")
        until(lambda: len(told) > 1)
        other.append(table.game, table.request("bob"))
        until(lambda: len(own) > 1)
        stop.set()
        for each in listening:
            each.result(60)
    assert set(told[1:]) == {frozenset({table.game.hex()})}
    assert own[1:] == [frozenset({table.game.hex()})]


def test_many_ids_are_told_in_parts(storages: Sequence[PostgresStorage]) -> None:
    ids = {f"{number:064x}" for number in range(300)}
    stop = Event()
    found = set[str]()
    with ThreadPoolExecutor(1) as threads:
        heard = storages[0].listen(stop)
        assert next(heard) is None
        threads.submit(storages[1].tell, ids).result(60)
        while len(found) < len(ids):
            told = next(heard)
            assert told is not None
            found |= told
        stop.set()
    assert found == ids


def test_a_connection_that_was_cut_may_have_missed_anything(url: str, storages: Sequence[PostgresStorage]) -> None:
    heard = storages[0].listen(Event())
    assert next(heard) is None
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        )
    storages[1].tell({"0" * 64})
    assert next(heard) is None
    heard.close()


def cut(url: str) -> None:
    """The server is restarted, as far as its clients can tell."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_connection_that_was_cut_is_made_anew_where_nothing_is_lost_with_it(
    url: str, storages: Sequence[PostgresStorage]
) -> None:
    storage = storages[0]
    storage.execute("CREATE TABLE numbers (number integer PRIMARY KEY)")

    def numbers() -> list[int]:
        return [number for (number,) in storage.read("SELECT number FROM numbers ORDER BY number")]

    cut(url)
    storage.execute("INSERT INTO numbers VALUES (?)", (1,))
    cut(url)
    assert numbers() == [1]
    cut(url)
    storage.tell({"0" * 64})
    storage.execute("SELECT 1")
    cut(url)
    with storage.transaction(["a"]):
        storage.execute("INSERT INTO numbers VALUES (?)", (2,))

    def cut_within() -> None:
        with storage.transaction(["a"]):
            storage.execute("INSERT INTO numbers VALUES (?)", (3,))
            cut(url)
            storage.execute("INSERT INTO numbers VALUES (?)", (4,))

    with pytest.raises(StoreError, match="could not be written"):
        cut_within()
    assert numbers() == [1, 2], "half of a transaction is none"


def test_an_error_within_a_transaction_leaves_nothing_for_the_next(storages: Sequence[PostgresStorage]) -> None:
    storage = storages[0]
    storage.execute("CREATE TABLE numbers (number integer PRIMARY KEY)")

    def mistaken() -> None:
        with storage.transaction(["a"]):
            storage.execute("INSERT INTO numbers VALUES (?)", (1,))
            raise KeyError

    with pytest.raises(KeyError):
        mistaken()
    with storage.transaction(["a"]):
        storage.execute("INSERT INTO numbers VALUES (?)", (2,))
    assert storage.read("SELECT number FROM numbers") == [(2,)]


@pytest.mark.parametrize("error", [psycopg.OperationalError("gone"), PoolTimeout("gone"), psycopg.DataError("gone")])
def test_what_cannot_be_read_or_told_is_an_error_of_the_store(
    storages: Sequence[PostgresStorage], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(error: Exception) -> None:
        raise error

    monkeypatch.setattr(storages[0]._readers, "connection", partial(fail, error))
    with pytest.raises(StoreError, match="cannot be read: gone"):
        storages[0].read("SELECT 1")
    for told in (error, StoreError("the server cannot be reached")):
        monkeypatch.setattr(storages[0], "_writer", partial(fail, told))
        storages[0].tell({"0" * 64})


def test_a_server_that_does_not_answer_is_told_without_the_password(tmp_path: Path) -> None:
    where = f"postgresql://keeper:hunter2@/games?host={tmp_path}"
    for used in (
        lambda: PostgresStorage(where),
        lambda: postgres_copying.postgres_contents(where),
        lambda: postgres_copying.copy_tables(where, tmp_path),
    ):
        with pytest.raises(StoreError, match=r"cannot be (reached|copied): ") as told:
            used()
        assert "hunter2" not in str(told.value)


def test_who_writes_to_very_many_games_takes_one_lock_for_all(
    url: str, storages: Sequence[PostgresStorage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL has room for so many locks of all its connections together."""
    monkeypatch.setattr(module, "MAX_LOCKS", 3)
    counted = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
    found = []
    for count in (1, 3, 4, 50):
        with storages[0].transaction([str(number) for number in range(count)]):
            ((locks,),) = storages[0].execute(counted).fetchall()
            found.append(locks)
    assert found == [3, 5, 2, 2], "one is for the program, one for whoever writes to anything"


def test_what_is_told_without_a_name_may_be_anything(url: str, storages: Sequence[PostgresStorage]) -> None:
    """So a restore tells of itself."""
    heard = storages[0].listen(Event())
    assert next(heard) is None
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"NOTIFY {module.CHANNEL}".encode())
    assert next(heard) is None
    storages[1].tell({"0" * 64})
    assert next(heard) == frozenset(["0" * 64])
    heard.close()


def test_a_copy_is_put_back_whole_into_a_database_that_nobody_uses_and_that_has_no_more(
    url: str, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    with closing(PostgresStorage(url)) as storage, closing(_Table(tmp_path / "seats", Ledger(storage))) as table:
        table.roll("alice")
        log = table.log()
        columns, contents = postgres_copying.copy_tables(url, copies)
        assert contents.games == {table.game.hex(): log.count(b"\n")}

        def put_back(tables: Mapping[str, list[str]] = columns) -> None:
            postgres_copying.put_tables_back(url, copies, tables, contents)

        with pytest.raises(RestoreError, match="in use"):
            put_back()
    put_back()
    with pytest.raises(RestoreError, match="from a later version"):
        put_back({**columns, "games": [*columns["games"], "luck"]})
    with pytest.raises(RestoreError, match="from a later version"):
        put_back({**columns, "luck": ["number"]})
    with closing(PostgresStorage(url)) as storage:
        ledger = Ledger(storage)
        assert b"".join(line + b"\n" for line in ledger.lines(table.game)) == log
        _Table(tmp_path / "more", ledger).close()
    with pytest.raises(RestoreError, match="has changed meanwhile"):
        put_back()


def test_the_head_of_the_anchor_log_never_goes_back(storages: Sequence[PostgresStorage]) -> None:
    """Two programs add to it at once: each entry has one place, and the latest head is for all of them."""
    keeper = Identity.generate("keeper")

    def sign(origin: str, leaves: Sequence[bytes]) -> bytes:
        text = head_text(origin, leaves)
        time.sleep(0.002)
        return f"{text}\n{signature_line(keeper.key, keeper.sign(text.encode())).line}".encode()

    logs = [Anchors(storage, keeper.key) for storage in storages]
    seen = list[int]()
    reading = Lock()

    def add(log: Anchors, first: int) -> None:
        for number in range(first, first + TURNS):
            final = SignedCheckpoint(Checkpoint(number.to_bytes(32, "big"), 1, bytes(32)), ())
            log.add([final], sign)
            with reading:
                seen.append(int((log.checkpoint or b"\n0").split(b"\n")[1]))

    with ThreadPoolExecutor(2) as threads:
        for each in [threads.submit(add, log, at * TURNS) for at, log in enumerate(logs)]:
            each.result(60)
    for log in logs:
        found = log.head()
        assert found is not None
        assert found[0].head.size == len(found[1]) == 2 * TURNS
    assert seen == sorted(seen)


def test_one_seat_is_taken_once(storages: Sequence[PostgresStorage]) -> None:
    tables = [Tables(storage) for storage in storages]
    keys = [Identity.generate("alice").key for _ in tables]
    together = Barrier(2)

    def sit(at: int, table: str) -> bool | None:
        together.wait(60)
        return tables[at].sit(table, "{}", keys[at], "here", 8)

    with ThreadPoolExecutor(2) as threads:
        for number in range(TURNS):
            table = f"{number:064x}"
            tables[0].add(table, "{}", [])
            found = [each.result(60) for each in [threads.submit(sit, at, table) for at in (0, 1)]]
            assert sorted(map(bool, found)) == [False, True]
            assert len(tables[0].seats(table)) == 1


UNTOLD = """
from ledger.store.postgres import PostgresStorage
PostgresStorage.tell = lambda *_: None
from ledger.cli import main
main()
"""
"""a server that is killed, each time, between what it commits and telling of it"""


@pytest.mark.slow
def test_readers_of_another_process_find_what_nobody_told_them(tmp_path: Path, url: str) -> None:
    silent = type("Silent", (Server,), {"program": UNTOLD})(tmp_path / "server", "--database", url)
    other = Server(tmp_path / "server", "--database", url)
    alice = Plain(tmp_path / "a", "alice", silent.address)
    try:
        alice.sit(alice.open_table("dice-1")["player"])
        alice.start()
        alice.enter()
        alice.http.base_url = other.address
        with alice.http.stream("GET", alice.path("stream"), headers=alice.headers) as answer:
            lines = answer.iter_lines()
            next(line for line in lines if line == "event: here")
            alice.http.base_url = silent.address
            begun = time.monotonic()
            alice.act("roll", alice.typed())
            next(line for line in lines if line == "event: line")
            assert time.monotonic() - begun < 30
    finally:
        alice.close()
        for server in (silent, other):
            assert server.stop() == 0
