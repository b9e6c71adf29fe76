"""Whose turn it is where many ask (specs/network.md, "Limits")."""

import asyncio
import time
from collections.abc import Callable
from functools import partial

import pytest

from ledger.server.admission import Quiet
from ledger.server.limits import Gate, Limits
from ledger.server.problems import Problem
from ledger.server.turns import Turns

ATTACKERS = [(f"203.0.113.{number}", "") for number in range(10)]
ALICE, BOB = ("198.51.100.1", "alice"), ("198.51.100.1", "bob")


def busy(seconds: float) -> None:
    """Use so much processor time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_who_asks_once_waits_for_one_question_of_each_who_asks_much() -> None:
    """By address, and of one address by whose token it is."""

    async def ask() -> list[str]:
        turns, answered = Turns("test", 1, Gate(Limits()), Quiet()), list[str]()
        said = answered.append

        def saying(name: str) -> Callable[[], None]:
            return lambda: said(name)

        asked = [turns.ask(each, saying("attacker")) for each in ATTACKERS for _ in range(20)]
        asked += [turns.ask(BOB, saying("bob")) for _ in range(20)]
        asked += [turns.ask(ALICE, saying("alice"))]
        await asyncio.gather(*asked)
        turns.close()
        return answered

    answered = asyncio.run(ask())
    assert len(answered) == 221
    assert answered.index("bob") <= 11
    assert answered.index("alice") <= 23, "one round more: bob at the same address came first"


@pytest.mark.parametrize("addresses", ["203.0.113.9", "2001:db8::{number:x}"], ids=["address", "network"])
def test_many_tokens_of_one_address_have_the_turns_of_one(addresses: str) -> None:
    """Whoever sits under many names, or has all addresses of a network, asks no sooner than who has one."""

    async def ask() -> list[str]:
        turns, answered = Turns("test", 1, Gate(Limits()), Quiet()), list[str]()
        said = answered.append

        def saying(name: str) -> Callable[[], None]:
            return lambda: said(name)

        crowd = [(addresses.format(number=number), f"token {number}") for number in range(1, 101)]
        asked = [turns.ask(each, saying("crowd")) for each in crowd]
        asked += [turns.ask(each, saying(each[1])) for each in (ALICE, BOB, ALICE)]
        await asyncio.gather(*asked)
        turns.close()
        return answered

    answered = asyncio.run(ask())
    assert answered[1:8] == ["crowd", "alice", "crowd", "bob", "crowd", "alice", "crowd"]


def test_questions_of_one_caller_are_answered_as_they_were_asked() -> None:
    async def ask() -> list[int]:
        turns, answered = Turns("test", 1, Gate(Limits()), Quiet()), list[int]()
        await asyncio.gather(*(turns.ask(BOB, partial(answered.append, number)) for number in range(9)))
        turns.close()
        return answered

    assert asyncio.run(ask()) == list(range(9))


@pytest.mark.parametrize("addresses", ["203.0.113.9", "2001:db8::{number:x}"], ids=["address", "network"])
def test_so_many_questions_of_one_network_wait_whatever_their_addresses(addresses: str) -> None:
    """Without a token: whoever has a token has a number of its own."""

    async def ask() -> None:
        turns = Turns("test", 1, Gate(Limits(questions=3)), Quiet())
        crowd = [(addresses.format(number=number), "") for number in range(1, 7)]
        asked = [asyncio.ensure_future(turns.ask(each, lambda: None)) for each in crowd[:4]]
        await asyncio.sleep(0)
        for each in crowd[4:]:
            with pytest.raises(Problem) as refused:
                await turns.ask(each, lambda: None)
            assert (refused.value.status, refused.value.code) == (429, "too-many")
        assert await turns.ask((crowd[4][0], "token"), lambda: 7) == 7
        await asyncio.gather(*asked)
        turns.close()

    asyncio.run(ask())


@pytest.mark.long
def test_a_caller_has_so_many_questions_and_so_much_time() -> None:
    now = 0.0
    gate = Gate(Limits(questions=3, work=100, work_burst=200), lambda: now)

    async def ask() -> None:
        nonlocal now
        turns = Turns("test", 1, gate, Quiet())
        asked = [asyncio.ensure_future(turns.ask(BOB, lambda: busy(0.1))) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await turns.ask(BOB, lambda: None)
        assert (refused.value.status, refused.value.code) == (429, "too-many")
        assert await turns.ask(ALICE, lambda: 7) == 7
        await asyncio.gather(*asked)
        with pytest.raises(Problem) as refused:  # 400 of 200 ms are used up
            await turns.ask(BOB, lambda: None)
        assert refused.value.retry in (3, 4)
        assert await turns.ask(ALICE, lambda: 7) == 7
        now += 4
        assert await turns.ask(BOB, lambda: 7) == 7
        turns.close()

    asyncio.run(ask())


def test_an_answer_that_has_begun_waits_where_another_would_be_refused() -> None:
    gate = Gate(Limits(work=1_000, work_burst=50))

    async def ask() -> float:
        turns = Turns("test", 1, gate, Quiet())
        await turns.ask(BOB, lambda: busy(0.1))
        with pytest.raises(Problem):
            await turns.ask(BOB, lambda: None)
        began = time.monotonic()
        assert await turns.go_on(BOB, lambda: 7) == 7
        turns.close()
        return time.monotonic() - began

    assert asyncio.run(ask()) >= 0.04


@pytest.mark.long
def test_all_questions_together_leave_time_to_who_plays() -> None:
    gate = Gate(Limits(work_all=200))

    async def ask() -> float:
        turns = Turns("test", 1, gate, Quiet())
        began = time.monotonic()
        await asyncio.gather(*(turns.ask(each, lambda: busy(0.05)) for each in ATTACKERS))
        turns.close()
        return time.monotonic() - began

    assert asyncio.run(ask()) > 1.0, "half a second of work, 0.2 at once and then 0.2 a second"


@pytest.mark.long
def test_what_fails_is_raised_and_paid_for_and_who_is_gone_is_passed_over() -> None:
    gate = Gate(Limits(work=100, work_burst=100))

    def fail() -> None:
        busy(0.15)
        raise KeyError

    async def ask() -> None:
        turns = Turns("test", 1, gate, Quiet())
        first = asyncio.ensure_future(turns.ask(ALICE, lambda: time.sleep(0.05)))
        gone = asyncio.ensure_future(turns.ask(ALICE, fail))
        await asyncio.sleep(0)
        gone.cancel()
        await first
        assert await turns.ask(ALICE, lambda: 7) == 7
        with pytest.raises(KeyError):
            await turns.ask(BOB, fail)
        with pytest.raises(Problem):
            await turns.ask(BOB, lambda: None)
        turns.close()

    asyncio.run(ask())
