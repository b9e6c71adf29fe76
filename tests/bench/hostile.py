"""What a hostile stranger costs those who play (`python -m tests.bench.hostile`; specs/network.md, "Limits").

Tables play, three players at each, and attacks from ten addresses come in turns with nobody attacking: so what else
goes on at this machine is in both figures. Attackers are a process of their own. Everything ends by itself.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import socket
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from msgspec import Struct
from psutil import Process

from tests.bench.measure import cores
from tests.bench.posting import Game, begin_all, process_of
from tests.bench.served import NAMES, Rolling

__all__ = ["ATTACKS", "Row", "fill", "measure"]

ADDRESSES = [f"127.0.0.{number}" for number in range(1, 11)]
"""of the attackers; who plays comes from others"""

ROOM_TO_BEGIN = {"MAX_TABLES": 10**6, "MAX_BYTES_BURST": 10**9, "MAX_BYTES_DAY": 10**12, "MAX_IDLE": 120}
"""who begins many tables comes from one address, and players wait between turns"""

HEAD = (
    "attack             requests   refused    p50 ms: without with   ratio    p99 ms: without with   ratio"
    "   ms a request   MiB before   after"
)


class Row(Struct, frozen=True):
    """One attack."""

    name: str
    requests: int
    refused: int
    without: Sequence[float]
    beside: Sequence[float]
    """seconds from a request's post to its dice at the last of the players"""
    each: float
    """processor time of the server for a hostile request, in seconds: what it used more than without the attack"""
    before: int
    after: int
    """bytes that the server has in memory"""

    @property
    def told(self) -> str:
        """As a line of the table."""
        late, late_beside = _late(self.without), _late(self.beside)
        half, half_beside = median(self.without), median(self.beside)
        return (
            f"{self.name:18} {self.requests:>8,} {self.refused:>9,} "
            f"{half * 1000:>17,.0f} {half_beside * 1000:>6,.0f} {half_beside / half:>7.1f} "
            f"{late * 1000:>17,.0f} {late_beside * 1000:>6,.0f} {late_beside / late:>7.1f} "
            f"{self.each * 1000:>14.2f} {self.before >> 20:>12} {self.after >> 20:>7}"
        )

    @property
    def ratio(self) -> float:
        """How much later the dice are, p99."""
        return _late(self.beside) / _late(self.without)


def _late(seen: Sequence[float]) -> float:
    return quantiles(seen, n=100)[98]


# --- attackers -------------------------------------------------------------------------------------------------------


class _Attacker:
    """One address: so many connections, of which each sends again and again, or never takes what it asked for."""

    def __init__(self, address: str, port: int, until: float) -> None:
        self.address, self.port, self.until = address, port, until
        self.requests = self.refused = 0

    async def all(self, count: int, make: Callable[[], bytes], *, reads: bool = True, every: float = 0.0) -> None:
        """Ask by so many connections at once, until the time is over."""
        await asyncio.gather(*(self._one(make, reads, every) for _ in range(count)))

    async def _one(self, make: Callable[[], bytes], reads: bool, every: float) -> None:
        while time.time() < self.until:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                async with asyncio.timeout(max(0.1, self.until - time.time())):
                    await self._connection(make, reads, every)
            await asyncio.sleep(0.1)

    async def _connection(self, make: Callable[[], bytes], reads: bool, every: float) -> None:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536 if reads else 4_096)
        connection.bind((self.address, 0))
        connection.setblocking(False)
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port))
        reader, writer = await asyncio.open_connection(sock=connection)
        try:
            while time.time() < self.until:
                asked = make()
                if asked:
                    writer.write(asked)
                    self.requests += 1
                if not reads:
                    writer.transport.pause_reading()  # type: ignore[attr-defined] # of streams it is a transport that can
                    await asyncio.sleep(max(0.0, self.until - time.time()))
                    return
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                self.refused += head[9:12] in (b"429", b"403", b"413", b"503")
                length = int(head.partition(b"content-length: ")[2].partition(b"\r")[0])
                await reader.readexactly(length)
                await asyncio.sleep(every)
        finally:
            writer.transport.abort()


def _get(path: str, token: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()


def _post(path: str, token: str, body: bytes, more: str = "") -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{more}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


Attack = Callable[[_Attacker, str, str, bytes], Coroutine[Any, Any, None]]
"""by an attacker, with the path of a game, a token for it, and its log"""


async def _readers(by: _Attacker, path: str, token: str, _: bytes) -> None:
    """A2: logs and streams that nobody reads."""
    paths = cycle([f"{path}/log", f"{path}/stream?from=0"])
    await by.all(60, lambda: _get(next(paths), token), reads=False)


async def _unfinished(by: _Attacker, path: str, token: str, _: bytes) -> None:
    """A3: posts that never end."""
    head = _post(f"{path}/lines", token, b"{}").replace(b"Content-Length: 2", b"Content-Length: 60000")
    await by.all(255, lambda: head, reads=False)


async def _caught_up(by: _Attacker, path: str, token: str, log: bytes) -> None:
    """A4: whole logs, again and again."""
    await by.all(4, lambda: _post(f"{path}/catch-up", token, log))


async def _idle(by: _Attacker, _: str, __: str, ___: bytes) -> None:
    """A7: connections that say nothing."""
    await by.all(125, lambda: b"", reads=False)


async def _states(by: _Attacker, path: str, token: str, _: bytes) -> None:
    """A8: the dearest advice."""
    await by.all(10, lambda: _get(f"{path}/state?rolls={random.randint(1, 200)}", token))


async def _junk(by: _Attacker, path: str, token: str, _: bytes) -> None:
    """A9: posts that are refused."""
    made = cycle(
        [
            _post("/v1/tables", token, os.urandom(30).hex().encode(), "Origin: https://elsewhere.example\r\n"),
            _post(f"{path}/lines", token, b'{"a":' + b"[" * 2_000 + b"]" * 2_000 + b"}"),
        ]
    )
    await by.all(10, lambda: next(made))


async def _dropped(by: _Attacker, path: str, token: str, _: bytes) -> None:
    """Streams that are opened and dropped at once."""

    async def one() -> None:
        while time.time() < by.until:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", by.port, local_addr=(by.address, 0))
                writer.write(_get(f"{path}/stream?from=0", token))
                by.requests += 1
                head = await reader.readuntil(b"\r\n")
                by.refused += b" 429 " in head
                writer.transport.abort()

    await asyncio.gather(*(one() for _ in range(10)))


ATTACKS: dict[str, Attack] = {
    "slow readers": _readers,
    "unfinished posts": _unfinished,
    "catch-up": _caught_up,
    "idle connections": _idle,
    "states": _states,
    "junk": _junk,
    "dropped streams": _dropped,
}


def _attack(
    name: str, addresses: Sequence[str], told: tuple[int, str, str, bytes], seconds: float, result: Any
) -> None:
    """In a process of its own: the attack from these addresses, for so long."""
    port, path, token, log = told

    os.nice(10)  # attackers have machines of their own

    async def all_() -> list[_Attacker]:
        until = time.time() + seconds
        attackers = [_Attacker(address, port, until) for address in addresses]
        await asyncio.gather(*(ATTACKS[name](each, path, token, log) for each in attackers))
        return attackers

    attackers = asyncio.run(all_())
    result.put((sum(each.requests for each in attackers), sum(each.refused for each in attackers)))


# --- measuring -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[tuple[str, Process]]:
    (folder / "limits.json").write_text(json.dumps(ROOM_TO_BEGIN))
    start = "from ledger.cli import main; main()"
    given = ("--home", "home", "--json", "--port", "0", "--limits", "limits.json", "--proxies", "127.0.0.254")
    with process_of("-c", start, "serve", *given, cwd=folder) as (address, process):
        yield address, Process(process.pid)


class _Tables:
    """The tables that play on as long as this is open, and how soon their dice are seen."""

    def __init__(self, address: str, games: Sequence[Game], every: float) -> None:
        self._every = every
        self._seen: list[float] = []
        self._rolling = [
            Rolling(address, game, self._seen, f"127.1.{at // 250}.{at % 250 + 1}") for at, game in enumerate(games)
        ]

    async def play(self, seconds: float) -> list[float]:
        """How soon dice were seen, of rolls in this time."""
        self._seen.clear()
        rolls = max(1, round(seconds / self._every))
        count = len(self._rolling)
        await asyncio.gather(
            *(table.play(rolls, self._every, self._every * at / count) for at, table in enumerate(self._rolling))
        )
        return list(self._seen)

    async def __aenter__(self) -> "_Tables":
        for table in self._rolling:
            await table.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        for table in self._rolling:
            await table.close()


def _used(process: Process) -> float:
    return float(sum(process.cpu_times()[:2]))


def _played_log(address: str, game: Game) -> bytes:
    lines: list[bytes] = []
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {game.token}"}) as http:
        while True:
            answer = http.get(f"{game.path}/log?from={len(lines)}").raise_for_status()
            lines += answer.content.splitlines(keepends=True)
            if len(lines) >= int(answer.headers["Rollproof-Size"]):
                return b"".join(lines)


def measure(
    names: Sequence[str], tables: int, every: float, seconds: float, turns: int, say: Callable[[str], object]
) -> list[Row]:
    """Each attack in so many turns of so many seconds with it and without it."""
    with TemporaryDirectory(prefix="rollproof-hostile-") as folder, _served(Path(folder)) as (address, process):
        links = int(seconds / every + 1) * turns * 2 * len(names) + 16
        games = begin_all(address, tables, NAMES, links)
        (target,) = begin_all(address, 1, NAMES, 600)
        fill(address, target, 200)
        told = int(address.rpartition(":")[2]), target.path, target.token, _played_log(address, target)

        async def all_() -> list[Row]:
            async with _Tables(address, games, every) as playing:
                return [await _in_turns(name, playing, process, told, seconds, turns, say) for name in names]

        return asyncio.run(all_())


def fill(address: str, game: Game, rolls: int) -> None:
    """A game with some rolls, for those who ask about it."""

    async def roll() -> None:
        table = Rolling(address, game, [])
        await table.open()
        await table.play(rolls, 0.15, 0.0)  # as fast as an address may post
        await table.close()

    asyncio.run(roll())


async def _in_turns(
    name: str,
    playing: _Tables,
    process: Process,
    told: tuple[int, str, str, bytes],
    seconds: float,
    turns: int,
    say: Callable[[str], object],
) -> Row:
    context = multiprocessing.get_context("spawn")
    without: list[float] = []
    beside: list[float] = []
    requests = refused = 0
    more = 0.0
    before = process.memory_info().rss
    after = before
    for _ in range(turns):
        used = _used(process)
        without += await playing.play(seconds)
        usual = _used(process) - used
        results = context.Queue()
        attacker = context.Process(target=_attack, args=(name, ADDRESSES, told, seconds, results))
        attacker.start()
        await asyncio.sleep(1.5)  # until it has begun
        used = _used(process)
        beside += await playing.play(max(1.0, seconds - 1.0))
        more += _used(process) - used - usual * max(1.0, seconds - 1.0) / seconds
        after = max(after, process.memory_info().rss)
        asked, denied = await asyncio.to_thread(results.get, True, 60)
        requests, refused = requests + asked, refused + denied
        await asyncio.to_thread(attacker.join, 30)
        if attacker.is_alive():
            attacker.kill()
    row = Row(name, requests, refused, without, beside, max(0.0, more) / max(1, requests), before, after)
    say(row.told)
    return row


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m tests.bench.hostile", description=__doc__)
    parser.add_argument("--attacks", nargs="+", default=list(ATTACKS), choices=ATTACKS)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two rolls at a table")
    parser.add_argument("--seconds", type=float, default=15.0, help="of a turn")
    parser.add_argument("--turns", type=int, default=2)
    given = parser.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(f"{cores()} cores, load {load:.1f}; {given.tables} tables, a roll each {given.every:g} s")
    print(HEAD, flush=True)
    measure(given.attacks, given.tables, given.every, given.seconds, given.turns, lambda row: print(row, flush=True))


if __name__ == "__main__":
    main()
