"""A machine whose wire is pulled out ends no connection: both sides notice by themselves, within seconds."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.seats.identity import Identity
from ledger.seats.records import SeatHead
from ledger.seats.service_opening import begin_service_memory, open_service_memory
from ledger.store.postgres import PostgresStorage
from tests.server.served import PASSPHRASE
from tests.support.cli import LIMIT, QUICK
from tests.support.network import ALL, Network, able, network
from tests.support.postgres import Cluster, cluster

pytestmark = [pytest.mark.long, pytest.mark.skipif(not able(), reason="needs root, and network namespaces")]

NOTICED_WITHIN = 5.0
"""seconds; the system's own bounds are hours"""

# Each child says that it is within its transaction, waits for a word, and then says how long it waited for an answer.
WRITES = """
import sys, time
from ledger.errors import StoreError
from ledger.store.postgres import PostgresStorage
storage = PostgresStorage(sys.argv[1])
try:
    with storage.transaction(["a", "b"]):
        storage.execute("INSERT INTO things VALUES (1)")
        print("within", flush=True)
        sys.stdin.readline()
        begun = time.monotonic()
        storage.execute("INSERT INTO things VALUES (2)")
except StoreError as error:
    print(time.monotonic() - begun, flush=True)
"""
REMEMBERS = """
import sys, time
from pathlib import Path
from ledger.errors import StoreError
from ledger.seats.identity import Identity
from ledger.seats.records import SeatHead
from ledger.seats.service_opening import open_service_memory
folder = Path(sys.argv[2])
memory = open_service_memory(Identity.load(folder, sys.argv[4].encode()), folder, Path(sys.argv[3]), sys.argv[1])
try:
    with memory.group():
        with memory.game(b"a" * 32) as turn:
            turn.change(head=SeatHead(2, ""))
        name = memory._rows.name_of(b"a" * 32)
        memory._execute("SELECT 1 FROM records WHERE record = %s FOR UPDATE", [name])
        print("within", flush=True)
        sys.stdin.readline()
        begun = time.monotonic()
except StoreError as error:
    print(time.monotonic() - begun, flush=True)
"""


@pytest.fixture
def wire() -> Iterator[Network]:
    with network() as found:
        yield found


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster(ALL) as found:
        if found is None:
            pytest.skip("no PostgreSQL here: apt-get install postgresql")
        yield found


def child(wire: Network, program: str, *words: str) -> "subprocess.Popen[str]":
    started = subprocess.Popen(
        [*wire.within, sys.executable, "-c", program, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "within\n"
    return started


def noticed(started: "subprocess.Popen[str]") -> float:
    """How long the child waited for an answer that cannot come."""
    out, _ = started.communicate("go on\n", timeout=LIMIT)
    return float(out)


def test_what_a_machine_without_a_wire_had_locked_is_free_and_it_waits_for_no_answer(
    wire: Network, server: Cluster
) -> None:
    storage = PostgresStorage(server.make("games"))
    try:
        with storage.transaction():
            storage.execute("CREATE TABLE IF NOT EXISTS things (number BIGINT PRIMARY KEY)")
        gone = child(wire, WRITES, server.url_at(wire.here, "games"))
        wire.cut()
        begun = time.monotonic()
        with storage.transaction(["b", "c"]):
            storage.execute("INSERT INTO things VALUES (3)")
        assert time.monotonic() - begun < NOTICED_WITHIN
        assert noticed(gone) < NOTICED_WITHIN
        assert storage.read("SELECT number FROM things") == [(3,)]
    finally:
        storage.close()


def test_what_a_machine_without_a_wire_was_about_to_remember_keeps_nobody(
    wire: Network, server: Cluster, tmp_path: Path
) -> None:
    url, folder = server.make("memory"), tmp_path / "host"
    for each in ("host", "one", "two"):
        (tmp_path / each).mkdir()
    identity = Identity.generate("host")
    identity.save(folder, PASSPHRASE, QUICK)
    here = begin_service_memory(identity, folder, tmp_path / "one", url)
    try:
        with here.game(b"a" * 32) as turn:
            turn.change(head=SeatHead(1, ""))
        words = (server.url_at(wire.here, "memory"), str(folder), str(tmp_path / "two"), PASSPHRASE.decode())
        gone = child(wire, REMEMBERS, *words)
        wire.cut()
        begun = time.monotonic()
        with here.game(b"a" * 32) as turn:
            turn.change(head=SeatHead(3, ""))
        assert time.monotonic() - begun < NOTICED_WITHIN
        assert noticed(gone) < NOTICED_WITHIN
    finally:
        here.close()
    again = open_service_memory(identity, folder, tmp_path / "one", url)
    assert again.records()[b"a" * 32].head.size == 3
    again.close()
