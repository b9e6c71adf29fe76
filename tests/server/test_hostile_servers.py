"""What a hostile server does to a client, or a witness to a server: nothing, in bounded bytes and time."""

import asyncio
import itertools
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
import structlog

from ledger.client import Connection
from ledger.client import connection as wire
from ledger.errors import AwayError, LedgerError, ServerError
from ledger.network.answers import new_client
from ledger.server import cosigning
from ledger.server.cosigning import PublicWitness, _Asker, _WitnessError
from tests.hostile.servers import bomb, drops, hostile, json_answer

GAME = bytes(32)
OK = b"HTTP/1.1 200 OK\r\n"
ENCODED = b"Content-Encoding: gzip, gzip"
TAKEN = b'{"checkpoint":"note","seq":3}'
PROBLEM = b'{"type":"x","title":"t","status":422,"detail":"%s","code":"%s"}'


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEAD_WAIT", "FIRST_HEAD_WAIT", "BODY_WAIT", "LINES_WAIT", "SILENCE"):
        monkeypatch.setattr(wire, name, 1.0)  # long enough for a busy machine to hear the question
    monkeypatch.setattr(cosigning, "MAX_WITNESS_TIME", 0.3)


def forever(piece: bytes, first: bytes = b"") -> Iterator[bytes]:
    """A piece again and again."""
    return itertools.chain([first], itertools.repeat(piece))


def silence() -> Iterator[bytes]:
    time.sleep(2.0)
    yield b""


def asked_of(answer: Callable[[bytes], Iterable[bytes]], ask: Callable[[Connection], Any]) -> tuple[Any, list[bytes]]:
    """What a client makes of a server's answer, in at most 5 seconds and 20 MB; and what the server was sent."""

    async def run(address: str) -> Any:
        async with Connection(address, bytes(32), patience=0.0) as connection:
            try:
                return await ask(connection)
            except LedgerError as error:
                return error

    answer(b"")  # what takes long to make is made
    with hostile(answer) as (address, asked):
        begun = time.monotonic()
        tracemalloc.start()
        try:
            found = asyncio.run(run(address))
            assert tracemalloc.get_traced_memory()[1] < 20_000_000
        finally:
            tracemalloc.stop()
        assert time.monotonic() - begun < 5.0
        return found, asked


async def offer(connection: Connection) -> object:
    return await connection.offer(GAME, b"{}")


async def follow(connection: Connection) -> Any:
    async with connection.stream(GAME, 0) as events:
        return [event async for event in events]


async def lines(connection: Connection) -> Any:
    return await connection.lines(GAME, 0)


ANSWERS: dict[str, Callable[[bytes], Iterable[bytes]]] = {
    "a bomb": lambda _: [json_answer(bomb(1 << 26), ENCODED)],
    "a bomb with an error": lambda _: [json_answer(bomb(1 << 26), ENCODED, status=b"422 No")],
    "another encoding": lambda _: [json_answer(TAKEN, b"Content-Encoding: br")],
    "a head that is never whole": lambda _: forever(b"X-A: " + b"a" * 1_000 + b"\r\n", OK),
    "a header without an end": lambda _: forever(b"a" * 10_000, OK + b"X-A: "),
    "a head that comes slowly": lambda _: itertools.chain([OK], drops(b"X-A: " + b"a" * 1_000)),
    "one more to come, for ever": lambda _: forever(b"HTTP/1.1 103 Early\r\n\r\n"),
    "nothing": lambda _: silence(),
    "a body that comes slowly": lambda _: itertools.chain(
        [OK + b"Content-Length: 1000\r\nContent-Type: text/event-stream\r\n\r\n{"], drops(b" " * 999)
    ),
    "a body without an end": lambda _: forever(
        b"2710\r\n" + b" " * 10_000 + b"\r\n", OK + b"Transfer-Encoding: chunked\r\n\r\n"
    ),
    "another host": lambda _: [
        b"HTTP/1.1 307 There\r\nLocation: http://127.0.0.2:1/secret\r\nContent-Length: 0\r\n\r\n"
    ],
    "no HTTP": lambda _: [b"\x00" * 1_000],
    "a chunk that is too long to be": lambda _: [OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 40 + b"\r\n"],
    "an unheard-of length": lambda _: [OK + b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n"],
}


@pytest.mark.parametrize("about", ANSWERS)
@pytest.mark.parametrize("ask", [offer, lines, follow])
@pytest.mark.long
def test_a_client_takes_no_harm(monkeypatch: pytest.MonkeyPatch, about: str, ask: Callable[[Connection], Any]) -> None:
    if ask is follow and about in ("a body that comes slowly", "a body without an end"):
        pytest.skip("a stream has no end")
    # A quick machine reads 20 MB of lines before LINES_WAIT is over. What is tried is that there is a bound in bytes.
    monkeypatch.setattr(wire, "MAX_LINES_ANSWER", 4_000_000)
    found, asked = asked_of(ANSWERS[about], ask)
    assert isinstance(found, AwayError)
    assert "\n" not in str(found)
    assert all(b"\r\nAccept-Encoding: identity\r\n" in sent for sent in asked)
    assert asked


@pytest.mark.long
def test_a_bomb_is_not_read() -> None:
    found, asked = asked_of(ANSWERS["a bomb"], offer)
    assert isinstance(found, AwayError)
    assert "it is encoded" in str(found)
    assert b"Accept-Encoding: identity" in asked[0]


def test_no_cookie_is_kept() -> None:
    async def twice(connection: Connection) -> int:
        return sum([(await connection.offer(GAME, b"{}")).seq == 3 for _ in range(2)])

    found, asked = asked_of(lambda _: [json_answer(TAKEN, b"Set-Cookie: a=b; Path=/", b"Connection: close")], twice)
    assert found == 2
    assert len(asked) == 2
    assert not any(b"cookie" in sent.lower() for sent in asked)


def test_empty_lines_by_the_million_cost_what_lines_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "LINES_WAIT", 30.0)
    body = b"\n" * 10_000_000
    head = OK + b"Rollproof-Size: 9\r\nContent-Length: %d\r\n\r\n" % len(body)
    with hostile(lambda _: [head, body]) as (address, _):

        async def run() -> tuple[list[bytes], int]:
            async with Connection(address, patience=0.0) as connection:
                return await connection.lines(GAME, 0)

        found, size = asyncio.run(run())
    assert (len(found), size) == (1_024, 9)


@pytest.mark.parametrize("size", [b"9" * 5_000, b"-1", "９".encode(), b""])
def test_a_number_of_lines_that_is_none(size: bytes) -> None:
    found, _ = asked_of(lambda _: [json_answer(b"", b"Rollproof-Size: " + size)], lines)
    assert isinstance(found, AwayError)
    assert "how many lines" in str(found)


def test_what_a_server_says_stays_on_its_line() -> None:
    problem = PROBLEM % (rb"No.\nrollproof: roll 7 holds\u001b[2J\u202e" + b"x" * 100_000, rb"x\ny")
    found, _ = asked_of(lambda _: [json_answer(problem, status=b"422 No")], offer)
    assert isinstance(found, ServerError)
    assert len(str(found)) < 1_100
    assert not set(str(found)) & set("\n\x1b\u202e")
    assert found.code == "x y"


@pytest.mark.parametrize("header", [b"9" * 400, b"999999999"])
def test_nobody_waits_for_ever_because_a_server_says_so(header: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        raise AwayError("enough")

    async def run(address: str) -> None:
        async with Connection(address, patience=None) as connection:
            await offer(connection)

    monkeypatch.setattr(f"{wire.__name__}.asyncio.sleep", sleep)
    problem = json_answer(PROBLEM % (b"No.", b"too-many"), b"Retry-After: " + header, status=b"429 No")
    with hostile(lambda _: [problem]) as (address, _), pytest.raises(AwayError):
        asyncio.run(run(address))
    assert slept[0] <= 600.0


@pytest.mark.parametrize("about", ANSWERS)
@pytest.mark.long
def test_a_server_takes_no_harm_from_a_witness(about: str) -> None:
    async def run(address: str) -> None:
        async with new_client(trust_env=False) as http:
            asker = _Asker(PublicWitness("w", None, address), http, structlog.get_logger())  # type: ignore[arg-type]
            answer = await asker._post("add-checkpoint", b"x")
            assert answer.status == 307

    with hostile(ANSWERS[about]) as (address, asked):
        begun = time.monotonic()
        if about == "another host":
            asyncio.run(run(address))
        else:
            with pytest.raises(_WitnessError):
                asyncio.run(run(address))
        assert time.monotonic() - begun < 5.0
        assert all(b"\r\nAccept-Encoding: identity\r\n" in sent for sent in asked)
