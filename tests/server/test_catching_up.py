"""What a server lacks is brought, and nothing else by that way (specs/network.md, "Catching up")."""

import asyncio
import errno
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, cast

import pytest
from msgspec import Struct

from ledger.keeper.catching_up import MissingLines
from ledger.keeper.host import Host
from ledger.keeper.operations import CatchUp, Operation
from ledger.server.admission import Quiet
from ledger.server.catching_up import AT_A_TIME, MOST, CatchingUp
from ledger.server.limits import Gate, Limits
from ledger.server.problems import Problem, problem_of_outcome
from ledger.server.turns import Turns
from ledger.server.writer import Writer
from rules.systems.mtg.bodies import Options, RollBody
from tests.protocol.test_host import back_up, put_back
from tests.server.served import Plain, Server, seated, serving
from tests.server.test_put_back import copied, log_of, rolled
from tests.server.test_slow_readers import memory_of
from tests.support.hosted import Hosted
from tests.support.table import SYSTEM

A = ("a", "")
"""a caller"""

BIG = 31_000_000


class _Writer:
    """Does at once what it is given, and notes it."""

    def __init__(self, hosted: Hosted) -> None:
        self.hosted, self.given = hosted, list[Operation]()
        self.early: Operation | None = None
        """one that another process did before"""

    async def operate(self, operation: Operation, kind: type) -> object:
        self.given.append(operation)
        if self.early is None:
            assert isinstance(operation, CatchUp)
            self.early = operation
            self.hosted.process(CatchUp(operation.game, operation.first, operation.lines[:3]))
        (outcome,) = self.hosted.process(operation)
        if not isinstance(outcome, kind):
            raise problem_of_outcome(outcome)
        return outcome


@pytest.mark.long
def test_what_is_lacking_is_stored_in_pieces_and_charged_by_the_line(tmp_path: Path) -> None:
    hosted = Hosted(tmp_path, links=64)
    game = hosted.open(hosted.terms(SYSTEM, Options(planechase=False)))
    alice = hosted.clients[game]["alice"]
    backup, size = back_up(hosted), alice.view.replay.size
    for _ in range(AT_A_TIME // 2 + 5):
        hosted.process(alice.act("roll", RollBody(source="x", dice="1d20", use="y")))
        hosted.settle()
    log, whole = alice.log, alice.view.replay.size
    put_back(hosted, backup)
    writer, charged = _Writer(hosted), list[int]()
    catching_up = CatchingUp(hosted.host, cast("Writer", writer), Turns("test", 1, Gate(Limits()), Quiet()))

    async def body(file: IO[bytes]) -> None:
        assert charged, "before the body is read"
        for caller in (A, ("b", "")):
            with pytest.raises(Problem, match="at the moment"):
                await catching_up.take(game, caller, charged.append, body)
        file.write(log)

    async def nobody(_: IO[bytes]) -> None:
        raise AssertionError("where nothing is lacking nothing is read")

    assert asyncio.run(catching_up.take(game, A, charged.append, body))
    assert charged == [whole]
    *pieces, last = (each for each in writer.given if each is not writer.early)
    assert [len(cast("Any", each).lines) for each in pieces] == [AT_A_TIME, whole - size - 3 - AT_A_TIME]
    assert type(last).__name__ == "Resume"
    assert list(hosted.ledger.lines(game)) == alice.lines
    assert not asyncio.run(catching_up.take(game, A, charged.append, nobody))
    assert len(charged) == 1
    hosted.close()


class _Lacking(Struct):
    """A host that lacks a line of every game, and what it lacks of one."""

    game: bytes = b""
    here: int = 3
    seen: int = 4
    threads: list[threading.Thread] = []

    def lacking(self, game: bytes) -> "_Lacking":
        return _Lacking(game, threads=self.threads)

    def missing_in(self, _log: IO[bytes]) -> MissingLines:
        self.threads.append(threading.current_thread())
        return MissingLines(0, 1)


class _Stored:
    """A writer that stores everything."""

    async def operate(self, _operation: Operation, _kind: type) -> None:
        await asyncio.sleep(0)


def test_so_many_logs_are_taken_at_once_and_hashed_beside_the_loop() -> None:
    """Whoever they are from: each is as long as a body may be."""
    host = _Lacking()
    catching_up = CatchingUp(cast("Host", host), cast("Writer", _Stored()), Turns("test", 1, Gate(Limits()), Quiet()))

    async def all_() -> None:
        come = asyncio.Event()

        async def body(log: IO[bytes]) -> None:
            await come.wait()
            log.write(b"x")

        async def take(number: int) -> bool:
            return await catching_up.take(bytes([number]) * 32, (f"203.0.113.{number}", ""), lambda _: None, body)

        taken = [asyncio.create_task(take(number)) for number in range(MOST)]
        await asyncio.sleep(0.2)
        with pytest.raises(Problem, match="at the moment") as refused:
            await take(MOST)
        assert (refused.value.status, refused.value.code) == (429, "too-many")
        come.set()
        await asyncio.wait(taken, timeout=0.2)
        for each in taken:
            each.cancel()
        assert len(host.threads) >= MOST

    asyncio.run(all_())
    assert threading.main_thread() not in host.threads


def test_a_log_for_which_there_is_no_room_is_refused() -> None:
    catching_up = CatchingUp(
        cast("Host", _Lacking()), cast("Writer", _Stored()), Turns("test", 1, Gate(Limits()), Quiet())
    )

    async def body(_: IO[bytes]) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(Problem, match="no room for more") as refused:
        asyncio.run(catching_up.take(bytes(32), A, lambda _: None, body))
    assert (refused.value.status, refused.value.code) == (503, "store.full")


def test_lines_that_are_brought_are_bounded_for_each_address() -> None:
    gate = Gate(Limits(brought=10, brought_burst=1_000), lambda: 0.0)
    gate.lines("203.0.113.7", 1_000_000)
    with pytest.raises(Problem) as refused:
        gate.lines("203.0.113.7", 100)
    assert (refused.value.status, refused.value.retry) == (429, 10)
    gate.lines("203.0.113.8", 100)


@pytest.mark.long
def test_where_nothing_is_lacking_the_answer_comes_before_the_body(tmp_path: Path) -> None:
    with serving(tmp_path / "server") as server, seated(tmp_path, server.address, "alice") as [alice]:
        head = (
            f"POST {alice.path('catch-up')} HTTP/1.1\r\nHost: x\r\nAuthorization: {alice.headers['Authorization']}\r\n"
            f"Content-Length: {BIG}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as asking:
            asking.sendall(head.encode())
            assert b" 200 " in asking.recv(1_000).split(b"\r\n")[0]
        assert alice.post(alice.path("catch-up"), log_of(alice)).status_code == 200
        assert alice.post(alice.path("catch-up"), b"x\n" * 1_000).status_code == 200


@pytest.mark.long
def test_junk_that_is_brought_holds_nobody_up(tmp_path: Path) -> None:
    """While a keeper is behind: logs of 31 MB that are not what it lacks, of one line or of millions."""
    with ExitStack() as stack:
        server: Server = stack.enter_context(serving(tmp_path / "server"))
        [alice] = stack.enter_context(seated(tmp_path / "a", server.address, "alice"))
        restore = copied(server, "ledger.db")
        [other] = stack.enter_context(seated(tmp_path / "b", server.address, "bob"))
        rolled(alice)
        whole, others = log_of(alice), log_of(other)
        restore()
        assert other.post(other.path("catch-up"), others).status_code == 200
        began, waited, before = time.monotonic(), 0.0, memory_of(server)
        for junk in (b"\n" * BIG, b"x" * BIG, whole[:-2] + b"}" * BIG):
            with ThreadPoolExecutor(1) as beside:
                answered = beside.submit(alice.post, alice.path("catch-up"), junk)
                while not answered.done():
                    waited = max(waited, _roll(other))
                    assert memory_of(server) < before + 16_000_000, "no log is in memory as a whole"
            answer = answered.result()
            assert answer.status_code in (409, 503), answer.text
            assert answer.json()["code"] in ("catch-up", "keeper.behind")
        assert waited < 5
        print(f"three logs of junk: {time.monotonic() - began:.2f} s, another table's roll {waited:.2f} s")
        assert alice.post(alice.path("catch-up"), whole).status_code == 200
        rolled(alice)


def _roll(party: Plain) -> float:
    began = time.monotonic()
    rolled(party)
    return time.monotonic() - began
