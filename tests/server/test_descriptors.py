"""Connections that only stay: there is room for who plays, and the log stays short (specs/network.md, "Limits")."""

import contextlib
import resource
import signal
import socket
import ssl
import time
from pathlib import Path

import httpx
import pytest
import structlog
from psutil import Process

from ledger.server.connections import ACCEPTED_AT_ONCE, KEPT_FREE, Connections, within_descriptors
from ledger.server.journal import Seldom, _seldom
from ledger.server.limits import Limits
from tests.server.attackers import connected
from tests.server.machines import until
from tests.server.served import Server, seated, with_limits
from tests.server.test_callers import certify

FILES = 400
ATTACKERS = [f"127.0.0.{number}" for number in range(1, 11)]


class _Few(Server):
    """It may have few files open, and begins with fewer."""

    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (128, {FILES}));"
        "from ledger.cli import main; main()"
    )


def _tls(folder: Path) -> tuple[tuple[str, ...], ssl.SSLContext]:
    """Options of a server that uses TLS itself, and what its clients trust."""
    certify(folder)
    words = ("--tls-cert", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem"))
    return words, ssl.create_default_context(cafile=str(folder / "cert.pem"))


@pytest.mark.long
def test_connections_on_which_tls_does_not_begin_take_nobodys_place(tmp_path: Path) -> None:
    """They are counted from their first moment, and go as soon as others that ask nothing."""
    words, trusted = _tls(tmp_path)
    limits = with_limits(tmp_path, {"MAX_IDLE": 2})
    server = _Few(tmp_path / "server", "--proxies", "127.0.0.254", *words, *limits)
    try:
        with contextlib.ExitStack() as stack:
            for _ in range(60):
                for address in ATTACKERS:
                    stack.enter_context(connected(server.port, address))
            time.sleep(0.5)
            assert Process(server.process.pid).num_fds() < FILES - 2 * ACCEPTED_AT_ONCE
            for number in range(5):
                way = httpx.HTTPTransport(verify=trusted, local_address=f"127.0.1.{number + 1}")
                with httpx.Client(transport=way, timeout=10) as player:
                    assert player.get(f"https://127.0.0.1:{server.port}/health").status_code == 200
            until(lambda: not Process(server.process.pid).net_connections("tcp")[1:])
        server.stop()
    finally:
        server.process.kill()
        _, log = server.process.communicate(timeout=30)
    assert log == b""


@pytest.mark.long
def test_what_is_no_tls_leaves_nothing(tmp_path: Path) -> None:
    """And what comes in one piece with the end of the handshake is answered."""
    words, trusted = _tls(tmp_path)
    server = Server(tmp_path / "server", *words)
    try:
        for junk in (b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02", b"\x00" * 100_000):
            with connected(server.port) as connection, contextlib.suppress(ConnectionError):
                connection.sendall(junk)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1_000)
        for _ in range(20):
            mine, its = ssl.MemoryBIO(), ssl.MemoryBIO()
            client = trusted.wrap_bio(its, mine, server_hostname="127.0.0.1")
            with connected(server.port) as connection:
                while True:
                    try:
                        client.do_handshake()
                        break
                    except ssl.SSLWantReadError:
                        connection.sendall(mine.read())
                        its.write(connection.recv(65_536))
                client.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                connection.sendall(mine.read())
                answer = b""
                while b"ok" not in answer:
                    its.write(connection.recv(65_536))
                    with contextlib.suppress(ssl.SSLWantReadError):
                        while True:
                            answer += client.read()  # a record
        until(lambda: not Process(server.process.pid).net_connections("tcp")[1:])
    finally:
        assert server.stop() == 0


@pytest.mark.long
def test_idle_connections_of_many_addresses_take_nobodys_place(tmp_path: Path) -> None:
    limits = with_limits(tmp_path, {"MAX_TABLES": 100})
    server = _Few(tmp_path / "server", "--proxies", "127.0.0.254", *limits)
    try:
        told = httpx.get(f"{server.address}/v1/server").json()["limits"]
        assert told["MAX_CONCURRENT"] == FILES - KEPT_FREE
        with contextlib.ExitStack() as stack:
            for _ in range(60):
                for address in ATTACKERS:
                    stack.enter_context(connected(server.port, address))
            time.sleep(0.5)
            began = time.monotonic()
            for number in range(20):
                with connected(server.port, f"127.0.1.{number}") as player:
                    player.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
                    assert b"200 OK" in player.recv(1_000)
            assert time.monotonic() - began < 10
            with seated(tmp_path, server.address, "alice") as [alice]:
                alice.act("roll", alice.typed())
                assert alice.open().status_code == 201
    finally:
        server.process.send_signal(signal.SIGTERM)
        _, log = server.process.communicate(timeout=30)
    assert len(log) < 10_000, log[:2_000].decode()
    assert b"Traceback" not in log


class _Open:
    """A connection that notes that it was dropped."""

    def __init__(self, idle: bool = True, since: float = 0.0) -> None:
        self.waiting_since = since if idle else None
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def test_whoever_has_most_makes_room() -> None:
    connections = Connections(Limits(connections=5, concurrent=6))
    many = [_Open(idle=number == 2) for number in range(4)]
    assert all(connections.enter("many", each) for each in many)
    others = [("one", _Open()), ("another", _Open()), ("third", _Open()), (None, _Open())]
    for network, each in others[:3]:
        assert connections.enter(network, each)
    assert [each.dropped for each in many] == [False, False, True, False], "who asks nothing goes first"
    assert connections.enter(*others[3]), "a proxy's"
    assert [each.dropped for each in many] == [False, False, True, True], "else who came last; and nobody twice"
    last = _Open()
    assert not connections.enter("many", last), "whoever has most is turned away"
    for each in (last, *many[2:]):
        connections.leave("many", each)
    for network, each in others:
        connections.leave(network, each)
        assert not each.dropped
    assert all(connections.enter("many", _Open()) for _ in range(3))
    assert not any(each.dropped for each in many[:2])


def test_one_address_has_no_more_than_its_own_places() -> None:
    connections = Connections(Limits(connections=2, concurrent=10))
    busy = _Open(idle=False)
    assert connections.enter("one", busy)
    assert connections.enter("one", _Open(idle=False))
    assert not connections.enter("one", _Open(idle=False))
    assert connections.enter("other", _Open())
    connections.leave("one", busy)


def test_connections_that_ask_nothing_make_room_for_others_of_their_address() -> None:
    connections = Connections(Limits(connections=2, concurrent=10))
    idle, busy, late = _Open(), _Open(idle=False), _Open()
    assert all(connections.enter("one", each) for each in (idle, busy, late))
    assert [each.dropped for each in (idle, busy, late)] == [True, False, False]


def test_of_an_address_the_connection_that_has_waited_for_longest_makes_room() -> None:
    connections = Connections(Limits(connections=3, concurrent=10))
    answered, late, early = _Open(idle=False), _Open(since=7), _Open(since=3)
    assert all(connections.enter("one", each) for each in (answered, late, early, _Open(since=9)))
    assert [each.dropped for each in (answered, late, early)] == [False, False, True]
    assert all(connections.enter("one", _Open(idle=False)) for _ in range(2))
    assert [each.dropped for each in (answered, late)] == [False, True]
    assert not connections.enter("one", _Open(since=1)), "all are answered"


def test_whoever_has_a_token_of_an_event_is_counted_by_it() -> None:
    connections = Connections(Limits(connections=2, concurrent=10))
    mine, others = [_Open(idle=False) for _ in range(3)], [_Open(idle=False) for _ in range(2)]
    for each in mine[:2]:
        assert connections.enter("hall", each)
        assert connections.move("hall", "event p1", each)
    assert all(connections.enter("hall", each) for each in others), "the hall has all its places"
    assert not connections.move("hall", "event p1", others[0]), "a token has so many"
    assert not connections.move("hall", "event p1", mine[2]), "who is not connected is not moved"
    connections.leave("event p1", mine[0])
    assert connections.move("hall", "event p1", others[0])


@pytest.mark.parametrize(
    ("limit", "concurrent", "one"),
    [((256, 1_024), 1_024 - KEPT_FREE, 256), ((10, 400), 256, 256), ((64, 64), 16, 16), ((1_024, 10**6), 10_000, 256)],
)
def test_bounds_follow_from_how_many_files_may_be_open(
    monkeypatch: pytest.MonkeyPatch, limit: tuple[int, int], concurrent: int, one: int
) -> None:
    given = [limit]
    monkeypatch.setattr(resource, "getrlimit", lambda _: given[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: given.append(wanted))
    found = within_descriptors(Limits())
    assert (found.concurrent, found.connections) == (concurrent, one)
    assert given[-1] == (limit[1], limit[1]), "as many as it may have"


def test_what_fails_again_and_again_is_told_once_a_minute() -> None:
    now = 0.0
    step = _seldom(Seldom(lambda: now))

    def told(level: str, **event: object) -> object:
        try:
            found = step(None, level, dict(event))
        except structlog.DropEvent:
            return None
        assert isinstance(found, dict)
        return found.get("repeated", 0)

    assert [told("error", event="failed", problem="full") for _ in range(100)] == [0] + [None] * 99
    assert told("error", event="failed", problem="away") == 0, "another failure"
    assert told("error", event="failed", exc_info=KeyError("x")) == 0
    assert told("error", event="failed", exc_info=KeyError("y")) is None
    assert [told("info", event="game") for _ in range(3)] == [0, 0, 0]
    now = 60.0
    assert told("error", event="failed", problem="full") == 99
    assert told("error", event="failed", problem="full") is None
