"""Requests in very many pieces, and bodies that nobody reads: they cost what their bytes cost (network.md, Limits)."""

import contextlib
import socket
import time
from collections.abc import Sequence
from typing import Any

import pytest

from ledger.server.limits import Limits, Unsent
from ledger.server.protocol import LEAST, MAX_UNREAD, PIECES
from tests.server.attackers import connected
from tests.server.machines import until
from tests.server.test_surface import answering

HEAD = b"POST /x HTTP/1.1\r\nHost: x\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def chunks(size: int, count: int) -> bytes:
    """A body in so many chunks of this size."""
    return (b"%x\r\n" % size + b"x" * size + b"\r\n") * count + b"0\r\n\r\n"


class _Reading:
    """An application that reads bodies, and notes how much of each came, and whether all did."""

    def __init__(self) -> None:
        self.came: list[tuple[int, bool]] = []

    async def __call__(self, _scope: Any, receive: Any, send: Any) -> None:
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.came.append((size, False))
                return
            size, more = size + len(message["body"]), message["more_body"]
        self.came.append((size, True))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


def _answered(port: int, sent: Sequence[bytes]) -> bytes:
    """The first line of the answer to bytes that are sent piece by piece; nothing where it was lost with the rest."""
    answer = b""
    with connected(port) as connection, contextlib.suppress(ConnectionError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in sent:
            connection.sendall(piece)
            if len(sent) > 1:
                time.sleep(0.0005)  # so that the server reads it by itself
        while b"\r\n" not in answer and (part := connection.recv(65_536)):
            answer += part
    return answer.partition(b"\r\n")[0]


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ([CHUNKED + chunks(1, 10 * PIECES)], False),
        ([CHUNKED + chunks(LEAST // 4, 10 * PIECES)], False),
        ([CHUNKED + chunks(1, PIECES // 4)], True),
        ([CHUNKED + chunks(LEAST, 10 * PIECES)], True),
        ([CHUNKED + chunks(65_536, 16)], True),
        ([bytes([byte]) for byte in HEAD + b"X: " + b"x" * 10 * PIECES], False),
        ([HEAD + b"Content-Length: 9999\r\n\r\n", *[b"x"] * 10 * PIECES], False),
        ([HEAD + b"Content-Length: 65536\r\n\r\n", *[b"x" * 512] * 128], True),
    ],
    ids=["crumbs", "small", "few", "large-enough", "large", "head", "body", "packets"],
)
def test_what_comes_in_crumbs_is_refused(sent: Sequence[bytes], taken: bool) -> None:
    app = _Reading()
    with answering(app) as port:
        answer = _answered(port, sent)
        assert answer[:13] in ([b"HTTP/1.1 200 "] if taken else [b"HTTP/1.1 400 ", b""])
        until(lambda: bool(app.came) or sent[0] == HEAD[:1])
    assert [whole for _, whole in app.came] == [taken] * len(app.came)


def test_many_requests_on_one_connection_are_no_crumbs() -> None:
    app = _Reading()
    with answering(app) as port, connected(port) as connection:
        for _ in range(2 * PIECES):
            connection.sendall(CHUNKED + chunks(1, 2))
            answer = b""
            while not answer.endswith(b"\r\n\r\nok"):
                answer += connection.recv(65_536)
    assert app.came == [(2, True)] * 2 * PIECES


async def _does_not_read(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def _answer(connection: socket.socket) -> bytes:
    """All of an answer, or of what comes before the connection ends."""
    found = b""
    while not found.endswith(b"\r\n\r\nok") and (came := connection.recv(1_000)):
        found += came
    return found


@pytest.mark.parametrize(("size", "all_"), [(MAX_UNREAD // 2, True), (64 * MAX_UNREAD, False)])
def test_a_body_that_nobody_reads_is_taken_to_a_bound(size: int, all_: bool) -> None:
    """It came after its answer: whoever sends a little too much reads it, and asks on."""
    with answering(_does_not_read) as port, connected(port) as connection:
        connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % size)
        assert b" 200 " in _answer(connection)
        try:
            connection.sendall(b"x" * size)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            went_on = b" 200 " in _answer(connection)
        except ConnectionError:
            went_on = False
    assert went_on == all_


# --- what is sent and not taken --------------------------------------------------------------------------------------


def test_unsent_bytes_are_bounded_for_each_network_and_for_all() -> None:
    unsent = Unsent(Limits(unsent=1_000, unsent_all=2_500))
    assert unsent.hold("2001:db8::1", 600)
    assert not unsent.hold("2001:db8::2", 600), "the same network"
    assert unsent.hold("203.0.113.7", 1_000)
    assert unsent.hold(None, 900), "of a proxy before a request"
    assert not unsent.hold("203.0.113.8", 1), "all together"
    unsent.release("2001:db8::1", 600)
    assert unsent.hold("203.0.113.8", 600)
    for each, count in (("203.0.113.7", 1_000), (None, 900), ("203.0.113.8", 600)):
        unsent.release(each, count)
    assert unsent.hold("203.0.113.9", 1_000), "nothing is left of it"
