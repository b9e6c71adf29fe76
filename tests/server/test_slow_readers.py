"""Readers that read nothing, or too little: what they cost is bounded, and they are ended (network.md, Limits)."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from psutil import Process

from ledger.page.assets import page
from ledger.server.sse import PIECE
from tests.server.attackers import connected, request, status_of, stuffed
from tests.server.served import ROOMY, Plain, Server, seated, serving, with_limits
from verifier.log.format import MAX_LINE
from verifier.log.merkle import leaf_hash

READERS = 60
MiB = 1 << 20

Served = tuple[Server, Plain, Plain]
"""a server, a party of a game with 600 lines of 64 kB, and one of an ordinary game"""

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("slow")
    limits = ROOMY | {"MAX_SENDING": 2}
    with (
        serving(root / "server", *with_limits(root / "server", limits)) as server,
        seated(root, server.address, "alice") as [alice],
        seated(root, server.address, "bob") as [bob],
    ):
        stuffed(server.root / "home", alice.game, 600, MAX_LINE)
        yield server, alice, bob


def memory_of(server: Server) -> int:
    """Bytes of memory that a server has."""
    found: int = Process(server.process.pid).memory_info().rss
    return found


@pytest.mark.parametrize("path", ["log", "stream", "tile/entries/001", "/verify"])
@pytest.mark.slow
def test_readers_that_read_nothing_hold_little_and_are_ended(served: Served, path: str) -> None:
    server, alice, _ = served
    path = path if path.startswith("/") else alice.path(path)
    httpx.get(f"{server.address}{path}", timeout=60)  # what is made once is kept
    before = memory_of(server)
    asked = request(path, alice.token.hex(), "Connection: close\r\n")
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(connected(server.port, takes=4_096)) for _ in range(READERS)]
        for reader in readers:
            reader.sendall(asked)
        most, until = 0, time.monotonic() + 3
        while time.monotonic() < until:
            most = max(most, memory_of(server) - before)
            time.sleep(0.05)
        assert most < READERS * MiB, f"{most / MiB:.0f} MiB for {READERS} readers"
        deadline = time.monotonic() + 10
        process = Process(server.process.pid)
        while len(process.net_connections()) > 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(process.net_connections()) <= 3, "who takes nothing is ended"


@pytest.mark.parametrize(
    "told",
    ["", "X-Forwarded-For: 203.0.113.7\r\n", "X-Forwarded-For: 203.0.113.7\r\nSec-Fetch-Site: cross-site\r\n"],
    ids=["direct", "by-a-proxy", "elsewhere"],
)
def test_what_one_address_does_not_take_is_bounded_and_nobody_elses_answer_is(tmp_path: Path, told: str) -> None:
    """Whoever lets it lie is cut off at once, as itself or by way of a proxy."""
    limits = with_limits(tmp_path, {"MAX_UNSENT": PIECE + 1_000})
    with serving(tmp_path / "server", *limits) as server, contextlib.ExitStack() as stack:
        httpx.get(f"{server.address}/verify", timeout=60)  # it is made once, and kept
        asked = request("/verify", "", told)
        readers = [
            stack.enter_context(connected(server.port, "127.0.0.1" if told else "127.0.0.7", takes=4_096))
            for _ in range(READERS)
        ]
        for reader in readers:
            reader.sendall(asked)

        def left() -> int:
            return len([each for each in Process(server.process.pid).net_connections() if each.raddr])

        time.sleep(2)
        assert 0 < left() < READERS
        whole = httpx.get(f"{server.address}/verify", headers={"X-Forwarded-For": "203.0.113.8"}, timeout=60)
        assert len(whole.content) > 1_000_000
        assert 0 < left() < READERS, "some wait for their time"


def test_who_reads_slowly_gets_all(served: Served) -> None:
    """The deadline is for a piece, and not for the whole."""
    server, alice, _ = served
    with connected(server.port, takes=65_536) as reader:
        reader.sendall(request(alice.path("log?from=4"), alice.token.hex(), "Connection: close\r\n"))
        got = 0
        for turn in range(200_000):
            part = reader.recv(262_144)
            if not part:
                break
            got += len(part)
            if turn < 8:
                time.sleep(0.5)
        assert got > 599 * MAX_LINE


@pytest.mark.parametrize("path", ["/o/" + "0" * 64, "/page/event.js"])
def test_who_reads_a_page_slowly_gets_all(served: Served, path: str) -> None:
    server, _, _ = served
    whole = httpx.get(f"{server.address}{path}", headers={"Accept-Encoding": "identity"}, timeout=60).content
    assert len(whole) > 1_000_000
    with connected(server.port, takes=16_384) as reader:
        reader.sendall(request(path, "", "Connection: close\r\n"))
        got = b""
        while part := reader.recv(65_536):
            got += part
            time.sleep(0.2 * len(part) / 65_536)
    assert got.endswith(b"\r\n\r\n" + whole)


def test_long_answers_are_what_they_were(served: Served) -> None:
    _, alice, _ = served
    size = int(alice.get(alice.path("log?from=2000")).headers["Rollproof-Size"])
    answer = alice.get(alice.path(f"log?from={size - 600}"))
    lines = answer.content.splitlines()
    assert lines == [b"x" * MAX_LINE] * 600
    entries = alice.get(alice.path("tile/entries/001")).content
    assert entries == (MAX_LINE.to_bytes(2, "big") + b"x" * MAX_LINE) * 256
    assert alice.get(alice.path("tile/0/001")).content == leaf_hash(b"x" * MAX_LINE) * 256
    rest = alice.get(alice.path(f"log?from={size - 3}"))
    assert rest.content == (b"x" * MAX_LINE + b"\n") * 3
    assert alice.get(alice.path(f"log?from={size}")).content == b""
    assert alice.get(alice.path(f"log?from={2**52}")).content == b""


def test_streams_are_counted_when_they_are_let_in(served: Served) -> None:
    """However many come in the same moment."""
    server, _, bob = served
    asked = request(bob.path("stream?from=0"), bob.token.hex())

    async def all_at_once() -> list[int]:
        found = await asyncio.gather(*(status_of(server.port, asked, "127.0.0.9") for _ in range(200)))
        for _, writer in found:
            writer.close()
        return [status for status, _ in found]

    for _ in range(3):
        statuses = asyncio.run(all_at_once())
        assert (statuses.count(200), statuses.count(429)) == (64, 136)
        time.sleep(0.5)


def test_files_of_rules_are_counted_when_they_are_let_in(tmp_path: Path) -> None:
    """However many come in the same moment; whoever drops one makes room."""
    path = f"/page/{max(page().files.values(), key=lambda file: len(file.data)).path}"
    asked = request(path, "")
    with serving(tmp_path, *with_limits(tmp_path, {"MAX_RULES": 3})) as server:
        assert httpx.get(f"{server.address}{path}", timeout=60).status_code == 200  # it is made once, and kept

        async def all_at_once() -> list[int]:
            found = await asyncio.gather(*(status_of(server.port, asked, f"127.0.0.{n + 1}") for n in range(60)))
            for _, writer in found:
                writer.transport.abort()
            return [status for status, _ in found]

        for _ in range(3):
            statuses = asyncio.run(all_at_once())
            assert (statuses.count(200), statuses.count(429)) == (3, 57)
            time.sleep(0.5)


def test_streams_that_are_dropped_at_once_leave_nothing(served: Served) -> None:
    """Opened, and dropped before, while and after the first events come: all are let in again afterwards."""
    server, _, bob = served
    asked = request(bob.path("stream?from=0"), bob.token.hex())

    async def drop(after: float) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.8", 0))
        writer.write(asked)
        await asyncio.sleep(after)
        writer.transport.abort()

    async def drop_all() -> None:
        for turn in range(20):
            await asyncio.gather(*(drop((turn % 5) * 0.005) for _ in range(30)))

    asyncio.run(drop_all())
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        figures = httpx.get(f"{server.address}/metrics").text
        if "\nrollproof_streams 0.0" in figures:
            break
        time.sleep(0.1)
    assert "\nrollproof_streams 0.0" in figures
    table = bob.table()
    assert table.here == ()
