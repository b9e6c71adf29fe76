"""Who goes first at a server (specs/network.md, "Limits")."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from ledger.server import admission, front
from ledger.server.admission import FIRST_AT_ONCE, LENT, MAX_PAUSE, PATIENCE, SWEEP, Admission, Quiet
from ledger.server.front import Front
from ledger.server.limits import Limits, network_of

GAME = "/v1/games/" + 64 * "a"
ATTACKERS = [f"203.0.113.{number}" for number in range(10)]
BOB = "198.51.100.1"


async def _let_in(admission: Admission, order: list[str], network: str) -> None:
    async with admission.enter(network, "GET", "/v1/server") as first:
        assert not first
        order.append(network)


def test_one_request_of_each_address_is_let_in_in_turn() -> None:
    async def all_() -> list[str]:
        admission, order = Admission(Limits(), Quiet()), list[str]()
        asked = [_let_in(admission, order, each) for each in ATTACKERS for _ in range(20)]
        await asyncio.gather(*asked, _let_in(admission, order, BOB))
        return order

    order = asyncio.run(all_())
    assert len(order) == 201
    assert order.index(BOB) == 10, "after one of each"
    assert len(set(order[:11])) == 11


def test_requests_of_one_address_are_let_in_as_they_came() -> None:
    async def one(admission: Admission, order: list[int], number: int) -> None:
        async with admission.enter(BOB, "GET", "/v1/server"):
            order.append(number)

    async def all_() -> list[int]:
        admission, order = Admission(Limits(), Quiet()), list[int]()
        await asyncio.gather(*(one(admission, order, number) for number in range(9)))
        return order

    assert asyncio.run(all_()) == list(range(9))


def test_in_each_turn_of_the_loop_one_request_is_let_in() -> None:
    async def all_() -> list[int]:
        admission, order, seen = Admission(Limits(), Quiet()), list[str](), list[int]()
        asked = [asyncio.ensure_future(_let_in(admission, order, each)) for each in ATTACKERS]
        while len(order) < len(ATTACKERS):
            await asyncio.sleep(0)
            seen.append(len(order))
        await asyncio.gather(*asked)
        return seen

    seen = asyncio.run(all_())
    assert all(after - before <= 1 for before, after in pairwise(seen)), seen


def test_between_two_that_wait_the_loop_rests_as_long_as_it_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    used = 0.0
    sleep = asyncio.sleep

    async def rest(seconds: float) -> None:
        if seconds:
            rests.append(seconds)
        await sleep(0)

    async def one(admission: Admission, work: float) -> None:
        nonlocal used
        async with admission.enter(BOB, "GET", "/v1/server"):
            used += work

    async def all_() -> None:
        admission = Admission(Limits(), Quiet(), used=lambda: used)
        await asyncio.gather(*(one(admission, work) for work in (0.002, 3.0, 0.001)))

    monkeypatch.setattr(asyncio, "sleep", rest)
    asyncio.run(all_())
    assert rests == pytest.approx([0.002, MAX_PAUSE]), "and nobody waits behind the last"


def test_while_something_is_written_others_wait_for_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "PATIENCE", 3_600.0)

    async def all_() -> None:
        quiet, order = Quiet(), list[str]()
        admission = Admission(Limits(), quiet)
        with quiet.writing():
            asked = [asyncio.ensure_future(_let_in(admission, order, each)) for each in (BOB, BOB, BOB)]
            for _ in range(100):
                await asyncio.sleep(0)
            assert order == []
            async with admission.enter(BOB, "POST", GAME + "/lines") as first:
                assert first, "who plays does not wait"
        await asyncio.gather(*asked)
        assert len(order) == 3

    asyncio.run(all_())


def test_nobody_waits_for_ever_for_what_is_written() -> None:
    """Whoever waits has a share of the time, first after the time of patience."""

    async def all_() -> None:
        quiet, order = Quiet(), list[str]()
        began = time.monotonic()
        with quiet.writing():
            admission = Admission(Limits(), quiet)
            async with asyncio.timeout(20):
                await _let_in(admission, order, BOB)
                assert time.monotonic() - began >= PATIENCE * 0.9
                began = time.monotonic()
                await asyncio.gather(*(_let_in(admission, order, BOB) for _ in range(40)))
            waited = time.monotonic() - began
            assert waited < 20 * PATIENCE, "more than one in each time of patience"
            await asyncio.sleep(PATIENCE * LENT)
            assert quiet.writes, "what was lent is over"

    asyncio.run(all_())


def test_whoever_waits_goes_on_where_one_group_follows_another() -> None:
    async def all_() -> None:
        quiet, order, groups = Quiet(), list[str](), 0

        async def write() -> None:
            nonlocal groups
            while True:
                with quiet.writing():
                    groups += 1
                    await asyncio.sleep(PATIENCE / 2)

        writer = asyncio.create_task(write())
        await asyncio.sleep(0)
        admission = Admission(Limits(), quiet)
        async with asyncio.timeout(20):
            await asyncio.gather(*(_let_in(admission, order, BOB) for _ in range(40)))
        writer.cancel()
        assert groups < 20, "more than one after each group"

    asyncio.run(all_())


def test_what_is_lent_is_a_part_of_the_time_for_which_they_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short groups leave little: whoever asks much is not to have the time of those who play."""
    now = 0.0
    monkeypatch.setattr(admission, "time", SimpleNamespace(monotonic=lambda: now))

    async def all_() -> None:
        nonlocal now
        quiet = Quiet()
        with quiet.writing():
            asked = asyncio.ensure_future(quiet.come())
            await asyncio.sleep(0)
            now = 0.040
        await asked
        with quiet.writing():
            assert not quiet.writes
            now = 0.040 * (1 + LENT) - 0.0001
            assert not quiet.writes
            now = 0.040 * (1 + LENT) + 0.0001
            assert quiet.writes

    asyncio.run(all_())


async def _first(admission: Admission, network: str, method: str = "POST", path: str = GAME + "/lines") -> bool:
    async with admission.enter(network, method, path) as first:
        return first


@pytest.mark.parametrize(
    ("method", "path", "first"),
    [
        ("POST", GAME + "/lines", True),
        ("POST", GAME + "/openings", True),
        ("POST", GAME + "/received", True),
        ("GET", GAME + "/lines", False),
        ("POST", GAME + "/read", False),
        ("POST", GAME + "/catch-up", False),
        ("POST", GAME + "/lines/", False),
        ("POST", "/v1/tables", False),
        ("POST", "/v1/games/" + 63 * "a" + "/lines", False),
    ],
)
def test_posts_of_those_who_play_go_first(method: str, path: str, first: bool) -> None:
    async def one() -> bool:
        return await _first(Admission(Limits(), Quiet()), BOB, method, path)

    assert asyncio.run(one()) is first


def test_of_one_address_so_many_go_first_at_once() -> None:
    async def all_() -> None:
        admission = Admission(Limits(), Quiet())
        ended = asyncio.Event()

        @asynccontextmanager
        async def entered() -> AsyncIterator[bool]:
            async with admission.enter(BOB, "POST", GAME + "/lines") as first:
                yield first

        async def hold() -> bool:
            async with entered() as first:
                await ended.wait()
                return first

        held = [asyncio.ensure_future(hold()) for _ in range(FIRST_AT_ONCE)]
        await asyncio.sleep(0)
        assert not await _first(admission, BOB)
        assert await _first(admission, ATTACKERS[0]), "another address has its own"
        ended.set()
        assert all(await asyncio.gather(*held))
        assert await _first(admission, BOB)

    asyncio.run(all_())


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_where_many_posts_were_refused_the_next_wait_with_all_others() -> None:
    clock = _Clock()

    async def all_() -> None:
        admission = Admission(Limits(refused=3), Quiet(), clock)
        for _ in range(3):
            assert await _first(admission, BOB)
            admission.refused(BOB)
        assert not await _first(admission, BOB)
        assert await _first(admission, ATTACKERS[0])
        clock.now += 19
        assert not await _first(admission, BOB)
        clock.now += 1.1
        assert await _first(admission, BOB), "a third of a minute gives back one of three"
        for number in range(2 * SWEEP):
            clock.now += 60
            admission.refused(f"198.51.{number // 250}.{number % 250}")
        assert len(admission._refused) <= SWEEP

    asyncio.run(all_())


@pytest.mark.parametrize(("status", "counts"), [(201, False), (409, False), (503, False), (422, True), (429, True)])
def test_refusals_count_but_not_to_come_too_late(status: int, counts: bool) -> None:
    async def app(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def all_() -> bool:
        front = Front(app, Limits(refused=1))
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        scope: Any = {"type": "http", "method": "POST", "path": GAME + "/lines", "headers": [], "client": (BOB, 1)}
        scope["raw_path"] = scope["path"].encode()
        await front(scope, None, send)  # type: ignore[arg-type] # this application receives nothing
        assert [each["type"] for each in sent] == ["http.response.start", "http.response.body"]
        return await _first(front._admission, BOB)

    assert asyncio.run(all_()) is not counts


async def _answered(front: Front, address: str, *, elsewhere: bool = False) -> float:
    """Return the seconds until a line that this address posts is answered."""
    headers = [(b"sec-fetch-site", b"cross-site"), (b"content-type", b"application/json")] if elsewhere else []
    scope: Any = {"type": "http", "method": "POST", "path": GAME + "/lines", "headers": headers, "client": (address, 1)}
    scope["raw_path"] = scope["path"].encode()

    async def send(message: Any) -> None:
        pass

    began = time.monotonic()
    await front(scope, None, send)  # type: ignore[arg-type] # this application receives nothing
    return time.monotonic() - began


def _refusing(status: int, limits: Limits) -> Front:
    async def app(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return Front(app, limits)


@pytest.mark.long
def test_who_does_not_wait_after_a_refusal_by_a_rate_waits_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "REFUSED_EVERY", 0.3)
    monkeypatch.setattr(front, "REMEMBERED", 3)

    async def all_() -> None:
        refusing = _refusing(429, Limits())
        assert await _answered(refusing, BOB) < 0.2
        assert await _answered(refusing, BOB) >= 0.3
        assert await _answered(refusing, ATTACKERS[0]) < 0.2, "nobody else waits"
        await asyncio.sleep(0.35)
        assert await _answered(refusing, BOB) < 0.2, "whoever waited is answered at once"
        for each in ATTACKERS[:3]:
            await _answered(refusing, each)
        assert await _answered(refusing, BOB) < 0.2, "of the latest only so many are remembered"
        assert len(refusing._too_many) == 3
        for each in (ATTACKERS[3], BOB, ATTACKERS[4], ATTACKERS[5]):
            await _answered(refusing, each)
        assert await _answered(refusing, BOB) >= 0.3, "and those are the latest"
        for status in (201, 409, 422):
            other = _refusing(status, Limits())
            assert max([await _answered(other, BOB) for _ in range(3)]) < 0.2

    asyncio.run(all_())


def test_refusals_of_another_sites_page_cost_its_visitor_no_first_place() -> None:
    async def all_() -> None:
        refusing = _refusing(422, Limits(refused=1))
        for _ in range(3):
            await _answered(refusing, BOB, elsewhere=True)
        assert await _first(refusing._admission, BOB)
        await _answered(refusing, BOB)
        assert not await _first(refusing._admission, BOB), "one's own do"

    asyncio.run(all_())


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::ffff:cb00:7107", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:DB8:0:0:ffff::1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("2001:db8::/64", "2001:db8::/64"),
        ("", ""),
    ],
)
def test_an_address_is_one_however_it_is_written(address: str, network: str) -> None:
    assert network_of(address) == network


def test_all_addresses_of_one_network_are_one_caller() -> None:
    """Whoever has a whole network of IPv6 has the requests at once, the turns and the refusals of one address."""
    entered: list[str] = []

    async def app(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        entered.append(scope["client"][0])
        await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 422, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask(front: Front, address: str, method: str = "GET", path: str = "/v1/server") -> int:
        told: list[Any] = []

        async def send(message: Any) -> None:
            told.append(message)

        scope: Any = {"type": "http", "method": method, "path": path, "headers": [], "client": (address, 1)}
        scope["raw_path"] = path.encode()
        await front(scope, None, send)  # type: ignore[arg-type] # this application receives nothing
        return int(told[0]["status"])

    async def all_() -> None:
        crowd = [f"2001:db8::{number:x}" for number in range(1, 10)]
        front = Front(app, Limits(connections=4, refused=1))
        statuses = await asyncio.gather(*(ask(front, each) for each in crowd), ask(front, "2001:db8:0:1::1"))
        assert statuses == [422] * 4 + [429] * 5 + [422]
        assert entered[1] == "2001:db8:0:1::1", "another network has the second turn"
        await ask(front, crowd[0], "POST", GAME + "/lines")
        assert not await _first(front._admission, network_of(crowd[1])), "one was refused"

    asyncio.run(all_())
