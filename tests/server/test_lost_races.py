"""Who writes next after a lost race: no party keeps another out by being faster (specs/network.md, "Losing a race")."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from ledger.server.races import BUDGET, HOLD, LONGEST, Races
from rules.protocol import Back
from tests.server.served import Plain, Server, roomy, seated
from verifier import verify
from verifier.log.bodies import AwayBody

GAME = bytes(32)


async def waited(turns: Races, author: str) -> float:
    """For how many seconds a line of this author is held back."""
    began = time.monotonic()
    await turns.wait(GAME, author)
    return time.monotonic() - began


def test_who_lost_a_race_goes_before_all_others_for_a_moment() -> None:
    async def run() -> None:
        turns = Races()
        assert await waited(turns, "mallory") < 0.1
        turns.lost(GAME, "alice")
        held = [asyncio.create_task(waited(turns, name)) for name in ("mallory", "bob")]
        assert await waited(turns, "alice") < 0.1
        await turns.wait(bytes(31) + b"1", "mallory")  # another game goes on
        await asyncio.sleep(HOLD / 5)
        assert not any(task.done() for task in held)
        turns.wrote(GAME, "mallory")
        await asyncio.sleep(0)
        assert not any(task.done() for task in held), "only a line of hers ends her turn"
        turns.wrote(GAME, "alice")
        assert max(await asyncio.gather(*held)) < HOLD

    asyncio.run(run())


@pytest.mark.long
def test_a_turn_that_is_not_used_ends_by_itself() -> None:
    async def run() -> None:
        turns = Races()
        for longest in (HOLD, LONGEST, LONGEST):
            turns.lost(GAME, "alice")
            turns.lost(GAME, "alice")
            assert longest - 0.1 < await waited(turns, "bob") < longest + 0.5

    asyncio.run(run())


@pytest.mark.long
def test_each_who_lost_has_its_turn_before_anybody_has_another() -> None:
    async def run() -> None:
        turns, order = Races(), []

        async def writes(name: str) -> None:
            await turns.wait(GAME, name)
            order.append(name)
            turns.wrote(GAME, name)

        for name in ("mallory", "alice", "bob", "alice", "mallory"):
            turns.lost(GAME, name)
        assert turns._games[GAME].row == ["alice", "bob"], "each once, and none whose turn it is"
        tasks = [asyncio.create_task(writes(name)) for name in ("carol", "bob", "alice")]
        await asyncio.sleep(HOLD / 5)
        assert order == [], "it is mallory's turn, who sends nothing"
        await asyncio.gather(*tasks)
        assert order == ["alice", "bob", "carol"]

    asyncio.run(run())


def test_who_loses_races_on_purpose_holds_the_others_up_for_a_tenth_of_the_time() -> None:
    """An hour of it, by a clock of its own."""
    now, turns_of = [0.0], []

    class Clocked(Races):
        def _over(self, game: bytes, author: str) -> None:
            raise AssertionError("by hand")

    async def run() -> None:
        turns, held = Clocked(lambda: now[0]), 0.0
        while now[0] < 3_600:
            turns.lost(GAME, "mallory")
            state = turns._games.get(GAME)
            if state is None or state.turn is None:
                now[0] += 0.05
                continue
            lasts = turns._parties[GAME, "mallory"].next
            turns_of.append(lasts)
            state.turn.ends.cancel()
            now[0] += lasts
            held += lasts
            Races._over(turns, GAME, "mallory")
        assert held <= BUDGET + 3_600 * 0.1
        assert max(turns_of) <= LONGEST

    asyncio.run(run())


def test_a_line_of_hers_uses_up_only_what_it_took() -> None:
    async def run() -> None:
        turns = Races()
        for _ in range(40):
            turns.lost(GAME, "alice")
            assert GAME in turns._games, "she has a turn each time"
            turns.wrote(GAME, "alice")
        assert not turns._games

    asyncio.run(run())


# --- at a server -----------------------------------------------------------------------------------------------------


def up_to_date(party: Plain) -> None:
    """The party has all lines that the checkpoint is of which it was shown: others write between two requests."""
    party.fetch()
    while party.view.checkpoint is None or party.view.checkpoint.head.size != party.view.replay.size:
        party.fetch()


@contextmanager
def racing(server: Server, mallory: Plain) -> Iterator[list[int]]:
    """Mallory signs herself away and back, thirty times a second; the numbers of her lines."""
    written: list[int] = []
    stop = threading.Event()

    mallory.http.close()

    def run() -> None:
        with httpx.Client(base_url=server.address, timeout=30) as mallory.http:
            away = False
            while not stop.is_set():
                began = time.monotonic()
                up_to_date(mallory)
                if mallory.view.replay.session.phase != "idle":
                    time.sleep(0.02)
                    continue
                away = "mallory" in mallory.view.replay.session.parties.away
                body = Back("mallory") if away else AwayBody("mallory")
                answer = mallory.offer(mallory.seat.sign(mallory.view, "back" if away else "away", body))
                if answer.status_code == 201:
                    written.append(answer.json()["seq"])
                time.sleep(max(0.0, 1 / 30 - (time.monotonic() - began)))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield written
    finally:
        stop.set()
        thread.join()


@pytest.mark.slow
def test_a_slow_player_gets_her_lines_in_beside_one_who_writes_thirty_a_second(tmp_path: Path) -> None:
    """Between what alice has read and her post go by 250 ms, in which mallory writes several lines."""
    with (
        roomy(tmp_path / "server") as server,
        seated(tmp_path, server.address, "alice", "mallory", contributors=("keeper", "alice")) as [alice, mallory],
        racing(server, mallory) as written,
    ):
        lost, took = 0, []
        for _ in range(4):
            began = time.monotonic()
            while True:
                up_to_date(alice)
                line = alice.seat.sign(alice.view, "roll", alice.typed())
                time.sleep(0.25)
                answer = alice.offer(line)
                if answer.status_code == 201:
                    break
                assert (answer.status_code, answer.json()["code"][:6]) == (409, "chain.")
                lost += 1
                assert time.monotonic() - began < 20, f"{lost} races lost"
            took.append(time.monotonic() - began)
            up_to_date(alice)
            assert alice.open().status_code == 201
            up_to_date(alice)
        assert len(written) >= 5, "she went on meanwhile"
        assert lost >= 2, "it was a race"
        print(f"{len(written)} lines of mallory's; alice's took {', '.join(f'{each:.1f}' for each in took)} s")
        report, _ = verify(b"".join(line + b"\n" for line in alice.view.lines(0)))
        assert report.verdict == "holds", report.findings
