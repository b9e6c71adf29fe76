"""A server: lines over HTTP, and how soon dice are seen (specs/network.md)."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rules.systems.mtg.bodies import DeclareTrigger
from tests.bench.measure import Measure, Race, Sizes, rate
from tests.bench.peers import Peers
from tests.bench.posting import Game, Posting, begin_all, post_all, process_of, served
from tests.bench.scribe import DIE
from verifier.log.merkle import leaf_hash

__all__ = ["NAMES", "Rolling", "measure_served"]

LINES_TARGET = 0.5
PEER_TARGET = 1.0
LATENCY_TARGET = 1 / 40
IDLE_TARGET = 1.0
PEER_SAVES = 100


def measure_served(folder: Path, sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    """Lines over HTTP beside a server that only inserts them; a roll from request to dice; tables that are idle."""
    yield from _lines(folder, sizes, peers)
    yield from _latency(folder, sizes)
    yield from _idle(folder, sizes)


# --- lines a second --------------------------------------------------------------------------------------------------


def _lines(folder: Path, sizes: Sizes, peers: Peers) -> Iterator[Measure]:
    ours, bare, saves = [], [], []
    declared = DeclareTrigger(source="Delina", on="rolled")
    with (
        served(folder / "lines") as (address, _),
        process_of("-m", "tests.bench.bare_server", "bare.db", cwd=folder) as (beside, _),
    ):
        games = begin_all(address, sizes.served_tables, ["alice"], 8)
        for _ in range(sizes.turns):
            posts = [
                (game, [game.line("alice", "declare", declared) for _ in range(sizes.served_lines)]) for game in games
            ]
            ours.append(asyncio.run(post_all([address], posts)))
            bare.append(asyncio.run(post_all([beside], posts)))
            if peers.there:
                saves.append(peers.seconds("save", PEER_SAVES) / PEER_SAVES)
    count = sizes.served_tables * sizes.served_lines
    result = Race.of(ours, bare)
    what = f"take lines over HTTP at {sizes.served_tables} tables: verified, under a checkpoint, durable, told to all"
    yield Measure(
        "served_lines_to_bare_inserts",
        what,
        "the same server, whose handler only inserts and commits in groups",
        rate(count, result.ours, "lines"),
        rate(count, result.bare, "lines"),
        result.ratio,
        LINES_TARGET,
    )
    if saves:
        result = Race.of([each / count for each in ours], saves)
        yield Measure(
            "served_lines_to_eventsourcing",
            what,
            f"{peers.versions['eventsourcing']}: save one event in process",
            rate(1, result.ours, "lines"),
            rate(1, result.bare, "events"),
            result.ratio,
            PEER_TARGET,
        )


# --- how soon dice are seen ------------------------------------------------------------------------------------------

NAMES = ("alice", "bob", "carol")


def _latency(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    tables, rolls, every = sizes.served_rolling, sizes.served_rolls, sizes.served_every
    with served(folder / "latency") as (address, _):
        games = begin_all(address, tables, NAMES, rolls + 2)
        seen, trips = asyncio.run(_roll_all(address, games, rolls, every))
    late = quantiles(seen, n=100)[98] if len(seen) > 1 else seen[0]
    trip, usual = median(trips), median(seen) * 1000
    yield Measure(
        "served_dice_to_round_trip",
        f"dice at all three players, {tables} tables, a roll each {every:g} s, p99 (median {usual:.0f} ms)",
        "the median of a bare round trip to the same server; 40 times is the target",
        f"{late * 1000:.0f} ms",
        f"{trip * 1000:.1f} ms",
        trip / late,
        LATENCY_TARGET,
    )


async def _roll_all(address: str, games: Sequence[Game], rolls: int, every: float) -> tuple[list[float], list[float]]:
    """Seconds from each request's post to its dice at the last of the players; and of bare round trips meanwhile."""
    seen: list[float] = []
    trips: list[float] = []
    done = asyncio.Event()

    async def trip() -> None:
        connection = await Posting.to(address, "0" * 64)
        while not done.is_set():
            began = time.perf_counter()
            await connection.get("/health")
            trips.append(time.perf_counter() - began)
            await asyncio.sleep(0.05)
        await connection.close()

    tripping = asyncio.create_task(trip())
    tables = [Rolling(address, game, seen) for game in games]
    await asyncio.gather(*(table.open() for table in tables))
    await asyncio.gather(*(table.play(rolls, every, every * at / len(tables)) for at, table in enumerate(tables)))
    done.set()
    await tripping
    for table in tables:
        await table.close()
    return seen, trips


class Rolling:
    """A table whose three players follow the stream, and open by themselves."""

    def __init__(self, address: str, game: Game, seen: list[float], own: str | None = None) -> None:
        """`own` is the address of this machine that the players come from."""
        self._address, self._game, self._seen, self._own = address, game, seen, own
        self._tasks: list[asyncio.Task[None]] = []
        self._posting: dict[str, Posting] = {}
        self._shown: dict[str, asyncio.Event] = {}

    async def open(self) -> None:
        """Connect all players."""
        for name in NAMES:
            self._posting[name] = await Posting.to(self._address, self._game.token, self._own)
            self._shown[name] = asyncio.Event()
            ready = asyncio.Event()
            self._tasks.append(asyncio.create_task(self._follow(name, ready)))
            await ready.wait()

    async def play(self, rolls: int, every: float, wait: float) -> None:
        """Roll so many times."""
        await asyncio.sleep(wait)
        for _ in range(rolls):
            next_at = time.perf_counter() + every
            for shown in self._shown.values():
                shown.clear()
            line = self._game.line("alice", "roll", DIE)
            began = time.perf_counter()
            status, body = await self._posting["alice"].post(f"{self._game.path}/lines", line)
            assert status == 201, body
            await self._all_shown()
            self._seen.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, next_at - time.perf_counter()))

    async def _all_shown(self) -> None:
        """Wait for the dice at all players; or for one that fails, and raise what it raised."""
        shown = asyncio.gather(*(each.wait() for each in self._shown.values()))
        waiting: list[asyncio.Future[Any]] = [shown, *self._tasks]
        ended, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for each in ended:
            each.result()

    async def _follow(self, name: str, ready: asyncio.Event) -> None:
        stream = await Posting.to(self._address, self._game.token, self._own)
        try:
            await self._hear(name, ready, stream)
        finally:
            await stream.close()

    async def _hear(self, name: str, ready: asyncio.Event, stream: Posting) -> None:
        last = b""
        opened: set[str] = set()
        async for kind, data in stream.events(f"{self._game.path}/stream?from={self._game.size}"):
            if kind == "here":
                ready.set()
            elif kind == "line":
                last = data
                if name == "alice" and b'"type":"reveal"' in data:
                    self._game.stands(data)
                if b'"type":"reveal"' in data:
                    opened.clear()
                    self._shown[name].set()
            elif kind == "checkpoint" and b'"type":"roll"' in last and name != "alice":
                await self._open(name, leaf_hash(last))
            elif kind == "opening" and name == "alice":
                told = json.loads(data)
                if told["request"] == leaf_hash(last).hex():  # one may come after its roll
                    opened.add(told["opening"]["author"])
                if opened == {"bob", "carol"}:
                    await self._open(name, leaf_hash(last))

    async def _open(self, name: str, request: bytes) -> None:
        status, body = await self._posting[name].post(f"{self._game.path}/openings", self._game.opening(name, request))
        assert status == 201, body

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in self._posting.values():
            await connection.close()


# --- tables where nothing goes on ------------------------------------------------------------------------------------


def _idle(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    tables = sizes.served_idle
    with served(folder / "idle") as (address, process):
        empty = _memory(process.pid)
        games = begin_all(address, tables, ["alice"], 8)
        held = asyncio.run(_hold(address, games, lambda: _memory(process.pid)))
    each = (held - empty) / tables
    whole = empty + 1_000 * each
    yield Measure(
        "served_idle_memory",
        f"1,000 idle tables with three streams each, worked out from {tables}, above {empty >> 20} MiB",
        "a GiB",
        f"{each / 1024:.0f} KiB each",
        f"{whole / (1 << 20):.0f} MiB in all",
        (1 << 30) / whole,
        IDLE_TARGET,
    )


async def _hold(address: str, games: Sequence[Game], look: Callable[[], int]) -> int:
    """What `look` says when three streams of each game are open and have said what stands."""
    streams = []
    for game in games:
        for _ in range(3):
            stream = await Posting.to(address, game.token)
            events = stream.events(f"{game.path}/stream?from=0")
            async for kind, _ in events:
                if kind == "here":
                    break
            streams.append((stream, events))
    found = look()
    for stream, events in streams:
        await events.aclose()
        await stream.close()
    return found


def _memory(pid: int) -> int:
    """Bytes of a process that are in memory; where the system does not say, 0."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
