"""The wire alone: what is repeated, what is refused, what is bounded (specs/network.md)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from ledger.client import AwayError, Connection, ServerError
from ledger.client import connection as wire
from ledger.client.sse import MAX_EVENT, MAX_PARTS, StreamError, StreamEvent, read_events
from ledger.errors import LedgerError, UsageError
from ledger.network.answers import answer

GAME = bytes(32)
TAKEN = {"checkpoint": "note", "seq": 3}
PROBLEM = {"type": "urn:rollproof:problem:x", "title": "t", "status": 0, "detail": "Why.", "code": "x"}


def answers(*given: httpx.Response | Exception) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    """A server that gives these answers, one after the other; and what it was asked."""
    rest, asked = list(given), list[httpx.Request]()

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        found = rest.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return httpx.MockTransport(answer), asked


def offered(*given: httpx.Response | Exception, patience: float | None = 60.0) -> list[httpx.Request]:
    """What is sent until a line is taken."""
    transport, asked = answers(*given)

    async def offer() -> None:
        async with Connection("https://d.example.org", bytes(32), transport=transport, patience=patience) as connection:
            assert (await connection.offer(GAME, b"{}")).seq == 3

    asyncio.run(offer())
    return asked


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long it waited; nobody waits in these tests."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(f"{wire.__name__}.asyncio.sleep", sleep)
    return slept


def refused(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=PROBLEM | {"status": status, "code": code}, headers=headers)


def test_it_is_sent_again_byte_for_byte_until_there_is_an_answer(waits: list[float]) -> None:
    asked = offered(
        httpx.ConnectError("no route"),
        httpx.ReadError("cut"),
        refused(503, "draining", **{"Retry-After": "7"}),
        refused(429, "too-many"),
        httpx.Response(502, text="a proxy's"),
        httpx.Response(201, json=TAKEN),
    )
    assert {(request.method, request.url.path, request.content) for request in asked} == {
        ("POST", f"/v1/games/{GAME.hex()}/lines", b"{}")
    }
    assert all(request.headers["Authorization"] == f"Bearer {bytes(32).hex()}" for request in asked)
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0
    assert waits[2] == 7.0
    assert all(wait <= 30.0 for wait in waits)


@pytest.mark.parametrize("status", [400, 403, 404, 409, 410, 413, 422])
def test_what_is_refused_is_not_sent_again(status: int) -> None:
    transport, asked = answers(
        httpx.Response(status, json=PROBLEM | {"status": status, "clause": "1.2", "size": 7, "head": "1" * 64})
    )

    async def offer() -> None:
        async with Connection("http://localhost", transport=transport) as connection:
            await connection.offer(GAME, b"{}")

    with pytest.raises(ServerError, match="Why") as caught:
        asyncio.run(offer())
    error = caught.value
    assert (error.status, error.code, error.clause, error.size, error.head) == (status, "x", "1.2", 7, "1" * 64)
    assert len(asked) == 1


@pytest.mark.parametrize("code", ["keeper.away", "keeper.behind", "keeper.stopped"])
def test_a_keeper_that_signs_nothing_is_no_server_that_is_away(code: str) -> None:
    with pytest.raises(ServerError) as caught:
        offered(refused(503, code))
    assert (caught.value.clause, caught.value.size, caught.value.head) == (None, None, None)


def test_patience_ends() -> None:
    with pytest.raises(AwayError, match="cannot be reached: no route"):
        offered(httpx.ConnectError("no route"), patience=0.0)
    with pytest.raises(AwayError, match="cannot be reached: ConnectError"):
        offered(httpx.ConnectError(""), patience=0.0)
    with pytest.raises(AwayError, match="no whole answer in the time"):
        offered(httpx.ReadTimeout(""), patience=0.0)
    with pytest.raises(AwayError, match=r"^https://d\.example\.org: Why\."):
        offered(refused(503, "draining"), patience=0.0)


def test_pauses_grow_to_a_bound_and_what_the_server_asks_for_counts_too(
    waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{wire.__name__}.random.uniform", lambda _, most: most)
    away = [httpx.ConnectError("no route") for _ in range(8)]
    asked = [refused(429, "too-many", **{"Retry-After": told}) for told in ("7", "40", "99999", "99999999999")]
    offered(*away, *asked, httpx.Response(201, json=TAKEN), patience=None)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 40.0, 600.0, 30.0]


@pytest.mark.parametrize(
    ("patience", "size", "wait"),
    [(None, 0, 30.0), (0.0, 0, 10.0), (15.0, 0, 15.0), (60.0, 0, 30.0), (0.0, 1_000_000, 20.0)],
)
def test_the_head_of_an_answer_is_waited_for_within_bounds(
    patience: float | None, size: int, wait: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = list[float]()

    def noted(*given: Any, **more: Any) -> Any:
        waited.append(more["wait"])
        return answer(*given, **more)

    monkeypatch.setattr(wire, "answer", noted)
    transport, _ = answers(httpx.Response(201, json=TAKEN))

    async def offer() -> None:
        async with Connection("http://localhost", transport=transport, patience=patience) as connection:
            await connection.offer(GAME, b"x" * size)

    asyncio.run(offer())
    assert waited == [wait]


def test_what_is_sent_says_what_it_is() -> None:
    taken = [httpx.Response(200, json=TAKEN), httpx.Response(200), httpx.Response(200, content=b"note")]
    transport, asked = answers(*taken)

    async def ask() -> None:
        async with Connection("http://localhost", transport=transport, language="ja") as connection:
            await connection.offer(GAME, b"{}")
            await connection.catch_up(GAME, b"{}\n")
            await connection.checkpoint(GAME)

    asyncio.run(ask())
    types = [request.headers.get("Content-Type") for request in asked]
    assert types == ["application/json", "application/jsonl", None]
    assert {request.headers["Accept-Language"] for request in asked} == {"ja"}
    assert not any("Authorization" in request.headers for request in asked), "there is no token"
    assert "Accept-Language" not in offered(httpx.Response(201, json=TAKEN))[0].headers


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={"checkpoint": 1, "seq": "x"}),
        httpx.Response(302, headers={"Location": "https://elsewhere.example.org"}),
        httpx.Response(500, text="oops"),
        httpx.Response(200, content=b" " * 2_000_000),
        httpx.Response(200, content=b"[" * 100_000),
    ],
    ids=["html", "types", "elsewhere", "broken", "long", "deep"],
)
def test_answers_that_are_none(response: httpx.Response) -> None:
    with pytest.raises(AwayError, match="does not follow the protocol"):
        offered(response)


def test_lines_come_with_their_number() -> None:
    transport, asked = answers(
        httpx.Response(200, content=b"{}\n{}\n", headers={"Rollproof-Size": "9"}),
        httpx.Response(200, content=b"", headers={"Rollproof-Size": "9"}),
        httpx.Response(200, content=b""),
    )

    async def lines() -> None:
        async with Connection("https://d.example.org/dice/", transport=transport) as connection:
            assert await connection.lines(GAME, 7) == ([b"{}", b"{}"], 9)
            assert await connection.lines(GAME, 9) == ([], 9)
            with pytest.raises(AwayError):
                await connection.lines(GAME, 9)

    asyncio.run(lines())
    assert asked[0].method == "GET"
    assert str(asked[0].url) == f"https://d.example.org/dice/v1/games/{GAME.hex()}/log?from=7"


@pytest.mark.parametrize("size", ["00000000009", "", "-1", "9.0"])
def test_a_number_of_lines_that_is_none_is_no_answer(size: str) -> None:
    transport, _ = answers(httpx.Response(200, content=b"{}\n", headers={"Rollproof-Size": size}))

    async def lines() -> None:
        async with Connection("http://localhost", transport=transport) as connection:
            await connection.lines(GAME, 7)

    with pytest.raises(AwayError, match="how many lines"):
        asyncio.run(lines())


def test_lines_may_be_longer_than_other_answers() -> None:
    line = b"x" * 700_000
    transport, _ = answers(httpx.Response(200, content=b"\n".join([line, line, b""]), headers={"Rollproof-Size": "2"}))

    async def lines() -> None:
        async with Connection("http://localhost", transport=transport) as connection:
            assert await connection.lines(GAME, 0) == ([line, line], 2)

    asyncio.run(lines())


@pytest.mark.parametrize(
    "address", ["dice.example.org", "ftp://d.example.org", "https://", "http://d:port", "http://[::"]
)
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(UsageError):
        Connection(address)


# --- streams ---------------------------------------------------------------------------------------------------------


def read(data: bytes, size: int) -> list[StreamEvent]:
    """The events of a stream that comes in pieces of `size` bytes."""

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(data), size):
            yield data[at : at + size]

    async def collect() -> list[StreamEvent]:
        return [event async for event in read_events(pieces())]

    return asyncio.run(collect())


@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
@pytest.mark.parametrize("change", [bytes, lambda data: data.replace(b"\n", b"\r\n")], ids=["lf", "crlf"])
def test_events_come_whole_however_they_are_cut(size: int, change: Callable[[bytes], bytes]) -> None:
    data = change(
        b": hello\n\n"
        b'id: 5\nevent: line\ndata: {"a":1}\n\n'
        b"event:checkpoint\ndata:x\ndata: y\nretry: 10\n\n"
        b"event: nothing\n\n"
        b"data\n\n"
        b"data: the end is missing\n"
    )
    assert read(data, size) == [
        StreamEvent(""),
        StreamEvent("line", b'{"a":1}', "5"),
        StreamEvent("checkpoint", b"x\ny"),
        StreamEvent("message", b""),
    ]


@pytest.mark.parametrize("piece", [b"x", b"data: xxxxxxxxxxxx\n"], ids=["a line", "an event"])
def test_what_never_ends_is_cut_off(piece: bytes) -> None:
    with pytest.raises(StreamError):
        read(piece * (2 * MAX_EVENT // len(piece)), 65_536)


@pytest.mark.parametrize(
    ("most", "more"),
    [
        (b"x" * MAX_EVENT, b"x"),
        (b"data:" + b"x" * (MAX_EVENT - 1), b"x"),
        (b"data:\n" * (MAX_PARTS - 1) + b"data:", b"\ndata:"),
    ],
    ids=["a line without an end", "an event", "its lines"],
)
def test_what_is_read_of_a_stream_has_bounds(most: bytes, more: bytes) -> None:
    end = b"\n\n" if most.startswith(b"data") else b""
    read(most + end, 2 * MAX_EVENT)
    with pytest.raises(StreamError):
        read(most + more + end, 2 * MAX_EVENT)


def test_a_stream_that_is_refused() -> None:
    refusals = (refused(404, "not-found"), refused(503, "keeper.stopped"))
    away: tuple[httpx.Response | Exception, ...] = (
        *(refused(status, "x") for status in (429, 502, 503, 504)),
        httpx.Response(502, text="a proxy's"),
        httpx.ConnectError("no route"),
    )
    transport, _ = answers(*refusals, *away)

    async def follow() -> None:
        async with Connection("http://localhost", transport=transport) as connection:
            for expected in (*[ServerError] * len(refusals), *[AwayError] * len(away)):
                with pytest.raises(LedgerError) as caught:
                    async with connection.stream(GAME, 0):
                        pass
                assert type(caught.value) is expected

    asyncio.run(follow())


def test_a_table_is_looked_at_again_and_again(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """What was lost between two streams is made good: each begins with the table as it is."""
    monkeypatch.setattr(f"{wire.__name__}.random.uniform", lambda _, most: most)

    def shown(*titles: str) -> httpx.Response:
        tables = [
            json.dumps({"game": None, "here": [], "invites": [], "seats": [], "start": None, "terms": title})
            for title in titles
        ]
        stream = "".join(f"event: table\ndata: {table}\n\n: alive\n\n" for table in tables)
        return httpx.Response(200, text=f"{stream}event: bye\ndata: {{}}\n\nevent: table\ndata: after it\n\n")

    away = [httpx.ConnectError("no route") for _ in range(8)]
    transport, _ = answers(*away, shown("a", "b"), refused(503, "draining"), shown("c"), refused(404, "not-found"))

    async def look() -> list[str]:
        async with Connection("http://localhost", transport=transport) as connection:
            changes = connection.table_changes(bytes(32))
            found = [(await anext(changes)).terms for _ in range(3)]
            with pytest.raises(ServerError):
                await anext(changes)
        return found

    assert asyncio.run(look()) == ["a", "b", "c"]
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 0.5, 1.0, 0.5]


def test_problems_have_their_words() -> None:
    transport, _ = answers(
        httpx.Response(422, content=json.dumps(PROBLEM | {"status": 422, "detail": "1d20 は振れません"}).encode())
    )

    async def ask() -> None:
        async with Connection("http://localhost", transport=transport, language="ja") as connection:
            await connection.server()

    with pytest.raises(ServerError, match="振れません"):
        asyncio.run(ask())
