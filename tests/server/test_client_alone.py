"""What a client does by itself, and what it makes of a server's receipts: each goes wrong once, and is put right."""

import asyncio
import json
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from ledger.cli.call import Call
from ledger.cli.output import Output
from ledger.client import CheatedError, Connection, Participant
from ledger.client.event_loop_thread import EventLoopThread
from ledger.errors import AwayError
from ledger.home import Home
from tests.server.served import Server, roomy
from tests.server.test_client import NAMES, Played, shown, until
from tests.server.wire import Answer
from verifier.log.format import glance


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with roomy(tmp_path_factory.mktemp("server")) as server:
        yield server


def commits(table: Played, name: str) -> int:
    return sum(glance(line).author == name and glance(line).type == "commit" for line in table.lines)


def is_commit(request: httpx.Request) -> bool:
    return request.url.path.endswith("/lines") and json.loads(request.content)["type"] == "commit"


def refused(request: httpx.Request) -> httpx.Response:
    problem = {"type": "t", "title": "t", "status": 422, "detail": "Not now.", "code": "x"}
    return httpx.Response(422, json=problem)


def gone(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("no route")


@pytest.mark.parametrize("how", [refused, gone])
@pytest.mark.long
def test_a_renewal_that_failed_is_tried_again(
    runner: asyncio.Runner,
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: Callable[[httpx.Request], httpx.Response],
) -> None:
    """Bob's chain is spent and nobody asks him for anything: his program commits anew, as soon as it can."""
    monkeypatch.setattr("ledger.client.participant.AGAIN", 0.1)
    table = Played(tmp_path)

    async def play() -> None:
        await table.open(server.address)
        await table.start()
        await table.enter(links=3)
        failed, told = list[bytes](), list[str]()
        bob, wire = table.at["bob"], table.wires["bob"]
        bob._connection.patience = 0.0
        monkeypatch.setattr(bob, "_on_failure", told.append)

        def instead(request: httpx.Request) -> httpx.Response | None:
            if not is_commit(request) or len(failed) >= 3:
                return None
            failed.append(request.content)
            return how(request)

        wire.instead = instead
        act = bob._act_on  # once it has failed, nothing that comes has him look again
        monkeypatch.setattr(bob, "_act_on", lambda came: None if failed else act(came))
        before = commits(table, "bob")
        for number in range(2):
            record = await table.at[NAMES[number % 2]].roll("d20")
            while not record.dice:
                record = await shown(table, record.roll)
        async with asyncio.timeout(60):
            await until(lambda: len(failed) == 3)
        await until(lambda: commits(table, "bob") == before + 1)
        assert bool(told) is (how is refused)
        await table.close()

    runner.run(play())


@pytest.mark.long
def test_a_receipt_that_does_not_hold_is_evidence(
    runner: asyncio.Runner, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's answer to an opening: forged, of another opening, or none at all. Nothing more is sent then."""
    table = Played(tmp_path)

    async def rolled(alice: Participant) -> None:
        await alice.roll("d20")
        await asyncio.to_thread(alice.table.carry_on)

    async def forged(change: Callable[[dict[str, Any]], Any]) -> None:
        alice, wire = await table.again("alice", patience=0.5), table.wires["alice"]
        await alice.fetch()

        def answer(given: Answer) -> None:
            if given.path.endswith("/openings"):
                received = json.loads(given.body)["received"]
                given.body = json.dumps({"received": change(received)}).encode()

        wire.answer = answer
        with pytest.raises(CheatedError, match="the server gave for alice's opening is worthless") as found:
            await rolled(alice)
        folder = Path(found.value.evidence)
        assert (folder / "given.received").exists()
        assert "alice" in (folder / "why.txt").read_text()
        wire.sent.clear()
        with pytest.raises(CheatedError):
            await alice.roll("d20")
        with pytest.raises(CheatedError):
            await asyncio.wait_for(anext(alice.watch()), 20)
        assert not [request for request in wire.sent if request.method == "POST"]
        alice = await table.again("alice")
        await alice.fetch()
        await asyncio.to_thread(alice.table.carry_on)
        await until(lambda: alice.view.replay.pending is None)

    async def play() -> None:
        await table.open(server.address)
        await table.start()
        await table.enter()
        changes: list[Callable[[dict[str, Any]], Any]] = [
            lambda received: received | {"sig": "00" * 64},
            lambda received: received | {"author": "bob"},
            lambda received: received | {"request": "11" * 32},
            lambda _received: {"x": "\u001b[2J\n" * 100},
            lambda _received: [],
        ]
        for change in changes:
            await forged(change)
        await table.close()

    runner.run(play())


# --- an interrupt ----------------------------------------------------------------------------------------------------


def test_an_interrupt_ends_what_a_command_waits_for(request: pytest.FixtureRequest) -> None:
    """At once: a request goes on behind nobody's back, while the command says what it has to say."""
    ended, loop, main = Event(), EventLoopThread(), threading.get_ident()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))

    async def ask() -> None:
        try:
            await asyncio.sleep(0.1)  # until it is waited for
            signal.pthread_kill(main, signal.SIGINT)
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def fail() -> None:
        raise AwayError("gone")

    try:
        with pytest.raises(AwayError, match="gone"):
            loop.run(fail())
        with pytest.raises(KeyboardInterrupt):
            loop.run(ask())
        assert ended.wait(10)
    finally:
        loop.close()


# --- a plain connection ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("https://dice.example.org", True),
        ("http://localhost:8706", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:8706/dice", True),
        ("http://LOCALHOST", True),
        ("http://dice.example.org", False),
        ("http://127.0.0.1.example.org", False),
        ("http://localhost.example.org", False),
        ("http://192.168.0.7:8706", False),
        ("http://[::2]", False),
    ],
)
def test_who_can_read_along_is_told_once(
    address: str, private: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Connection(address).is_private is private
    call = Call(Home(tmp_path), Output(), "en", None)
    with call.closing:
        for _ in range(2):
            call.remoted.connect(address)
    told = capsys.readouterr().err
    assert told.count("is not encrypted: whoever is on the way can read along") == (0 if private else 1)
    assert private or address in told
