"""A server: lines over HTTP, and how soon dice are seen (specs/network.md)."""

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median, quantiles

import httpx
import msgspec
from msgspec import Struct

from ledger import lobby
from ledger.identity import Identity
from ledger.lobby import Link
from ledger.seat import utc_now
from ledger.seed_chain import SeedChain
from rules import Body
from rules.mtg import Magic
from rules.mtg.bodies import DeclareTrigger, Options
from rules.session import Join
from tests.bench.measure import Measure, Race, Sizes, environment, rate
from tests.bench.peers import Peers
from tests.bench.scribe import DIE
from verifier import VerifierKey
from verifier.derivation import opening_message
from verifier.format import Commit, Opening, signed_line, signed_message, unsigned_event
from verifier.merkle import leaf_hash
from verifier.opening import SentOpening

__all__ = ["measure_served"]

LINES_TARGET = 0.5
PEER_TARGET = 1.0
LATENCY_TARGET = 1 / 20
IDLE_TARGET = 1.0
PEER_SAVES = 100
WIDE = {"MAX_TABLES": 10**6, "MAX_POSTS": 10**6, "MAX_BURST": 10**6, "MAX_CONNECTIONS": 10**5, "MAX_STREAMS": 10**5}
WIDE |= {"MAX_CONCURRENT": 10**6}
PASSPHRASE = "correct horse battery staple"


@contextmanager
def _process(*arguments: str, cwd: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server's address and process, ended with the block."""
    given = {**environment(), "ROLLPROOF_PASSPHRASE": PASSPHRASE, "ROLLPROOF_STATE": str(cwd / "state")}
    with subprocess.Popen(
        [sys.executable, *arguments], cwd=cwd, env=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["address"], process
        finally:
            process.send_signal(signal.SIGKILL)


@contextmanager
def _served(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    folder.mkdir(parents=True)
    (folder / "limits.json").write_text(json.dumps(WIDE))
    start = "from ledger.cli import main; main()"
    options = ("serve", "--home", "home", "--json", "--port", "0", "--limits", "limits.json")
    with _process("-c", start, *options, cwd=folder) as found:
        yield found


class _Posting:
    """One kept connection, which posts as cheaply as Python can: what is measured is the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader, self._writer = reader, writer
        self._head = f"Host: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"

    @classmethod
    async def to(cls, address: str, token: str) -> "_Posting":
        host, _, port = address.removeprefix("http://").partition(":")
        return cls(*await asyncio.open_connection(host, int(port)), token)

    async def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body of the answer."""
        self._writer.write(f"POST {path} HTTP/1.1\r\n{self._head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return await self._answer()

    async def get(self, path: str) -> tuple[int, bytes]:
        """Status and body of the answer."""
        self._writer.write(f"GET {path} HTTP/1.1\r\n{self._head}\r\n".encode())
        return await self._answer()

    async def _answer(self) -> tuple[int, bytes]:
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length: ")[2].partition(b"\r")[0])
        return int(head[9:12]), await self._reader.readexactly(length)

    async def events(self, path: str) -> AsyncGenerator[tuple[str, bytes], None]:
        """A stream's events, by name and data."""
        self._writer.write(f"GET {path} HTTP/1.1\r\n{self._head}\r\n".encode())
        await self._reader.readuntil(b"\r\n\r\n")
        name = ""
        while True:
            line = (await self._reader.readline()).rstrip()
            if line.startswith(b"event: "):
                name = line[7:].decode()
            elif line.startswith(b"data: "):
                yield name, line[6:]

    async def close(self) -> None:
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


class _Player(Struct):
    """A party at a table, with its secrets at hand: nothing of it is stored or checked, so as to cost nothing."""

    identity: Identity
    chain: SeedChain | None = None
    next: int = 1


class _Game:
    """A game on the server, as its players write it."""

    def __init__(self, players: Sequence[_Player], game: bytes, size: int, head: bytes, token: str) -> None:
        self.players = {player.identity.name: player for player in players}
        self.game, self.size, self.head, self.token = game, size, head, token

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game.hex()}"

    def line(self, name: str, type: str, body: Body) -> bytes:
        """The next line, signed; it stands from here on."""
        identity = self.players[name].identity
        event = unsigned_event(name, body, self.game.hex(), self.head.hex(), self.size, utc_now(), type)
        line = signed_line(event, identity.sign(signed_message(event)))
        self.stands(line)
        return line

    def stands(self, line: bytes) -> None:
        self.size, self.head = self.size + 1, leaf_hash(line)

    def opening(self, name: str, request: bytes) -> bytes:
        """The party's opening for a request."""
        player = self.players[name]
        assert player.chain is not None
        link = player.chain.link(player.next)
        message = opening_message(self.game, request, name, player.next, link)
        opening = Opening(name, player.next, link.hex(), player.identity.sign(message).hex())
        player.next += 1
        return bytes(SentOpening.of(self.game, request, opening))


def _begin(address: str, names: Sequence[str], links: int) -> _Game:
    """A table that was opened, sat down at, started, joined and committed at."""
    players = [_Player(Identity.generate(name)) for name in names]
    host = players[0].identity
    with httpx.Client(base_url=address) as http:
        keeper = VerifierKey.parse(http.get("/v1/server").json()["keeper"])
        link = Link(address, bytes(32), "player", secrets.token_bytes(32))
        nonce, options = secrets.token_bytes(32), Options(planechase=False)
        terms = lobby.new_terms(host, keeper, Magic.id, options, [link.invitation], nonce=nonce, time=utc_now())
        link = msgspec.structs.replace(link, table=terms.id)
        http.headers["Authorization"] = f"Bearer {link.token.hex()}"
        path = f"/v1/tables/{terms.id.hex()}"
        http.post("/v1/tables", content=bytes(terms)).raise_for_status()
        seats = [lobby.new_seat(player.identity, link) for player in players]
        for seat in seats:
            http.post(f"{path}/seats", content=bytes(seat)).raise_for_status()
        start = bytes(lobby.new_start(host, terms.id, seats))
        found = bytes.fromhex(http.post(f"{path}/start", content=start).raise_for_status().json()["game"])
        lines = http.get(f"/v1/games/{found.hex()}/log").content.splitlines()
        game = _Game(players, found, len(lines), leaf_hash(lines[-1]), link.token.hex())
        for player in players:
            name = player.identity.name
            player.chain = SeedChain(found, name, links, secrets.token_bytes(32))
            for kind, body in (("join", Join()), ("commit", Commit(links, player.chain.tip.hex()))):
                http.post(f"{game.path}/lines", content=game.line(name, kind, body)).raise_for_status()
    return game


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
        _served(folder / "lines") as (address, _),
        _process("-m", "tests.bench.bare_server", "bare.db", cwd=folder) as (beside, _),
    ):
        games = [_begin(address, ["alice"], 8) for _ in range(sizes.served_tables)]
        for _ in range(sizes.turns):
            posts = [
                (game, [game.line("alice", "declare", declared) for _ in range(sizes.served_lines)]) for game in games
            ]
            ours.append(asyncio.run(_post_all(address, posts)))
            bare.append(asyncio.run(_post_all(beside, posts)))
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


async def _post_all(address: str, posts: Sequence[tuple[_Game, list[bytes]]]) -> float:
    """Seconds until all are taken; the tables at once, each table's lines one after the other."""
    connections = [await _Posting.to(address, game.token) for game, _ in posts]

    async def post(connection: _Posting, game: _Game, lines: list[bytes]) -> None:
        for line in lines:
            status, body = await connection.post(f"{game.path}/lines", line)
            assert status == 201, body

    began = time.perf_counter()
    await asyncio.gather(*(post(each, *what) for each, what in zip(connections, posts, strict=True)))
    taken = time.perf_counter() - began
    for connection in connections:
        await connection.close()
    return taken


# --- how soon dice are seen ------------------------------------------------------------------------------------------

NAMES = ("alice", "bob", "carol")


def _latency(folder: Path, sizes: Sizes) -> Iterator[Measure]:
    tables, rolls, every = sizes.served_rolling, sizes.served_rolls, sizes.served_every
    with _served(folder / "latency") as (address, _):
        games = [_begin(address, NAMES, rolls + 2) for _ in range(tables)]
        seen, trips = asyncio.run(_roll_all(address, games, rolls, every))
    late = quantiles(seen, n=100)[98] if len(seen) > 1 else seen[0]
    trip, usual = median(trips), median(seen) * 1000
    yield Measure(
        "served_dice_to_round_trip",
        f"dice at all three players, {tables} tables, a roll each {every:g} s, p99 (median {usual:.0f} ms)",
        "the median of a bare round trip to the same server; 20 times is the target",
        f"{late * 1000:.0f} ms",
        f"{trip * 1000:.1f} ms",
        trip / late,
        LATENCY_TARGET,
    )


async def _roll_all(address: str, games: Sequence[_Game], rolls: int, every: float) -> tuple[list[float], list[float]]:
    """Seconds from each request's post to its dice at the last of the players; and of bare round trips meanwhile."""
    seen: list[float] = []
    trips: list[float] = []
    done = asyncio.Event()

    async def trip() -> None:
        connection = await _Posting.to(address, "0" * 64)
        while not done.is_set():
            began = time.perf_counter()
            await connection.get("/health")
            trips.append(time.perf_counter() - began)
            await asyncio.sleep(0.05)
        await connection.close()

    tripping = asyncio.create_task(trip())
    tables = [_Rolling(address, game, seen) for game in games]
    await asyncio.gather(*(table.open() for table in tables))
    await asyncio.gather(*(table.play(rolls, every, every * at / len(tables)) for at, table in enumerate(tables)))
    done.set()
    await tripping
    for table in tables:
        await table.close()
    return seen, trips


class _Rolling:
    """A table whose three players follow the stream, and open by themselves."""

    def __init__(self, address: str, game: _Game, seen: list[float]) -> None:
        self._address, self._game, self._seen = address, game, seen
        self._tasks: list[asyncio.Task[None]] = []
        self._posting: dict[str, _Posting] = {}
        self._shown: dict[str, asyncio.Event] = {}

    async def open(self) -> None:
        """Connect all players."""
        for name in NAMES:
            self._posting[name] = await _Posting.to(self._address, self._game.token)
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
            await asyncio.gather(*(shown.wait() for shown in self._shown.values()))
            self._seen.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, next_at - time.perf_counter()))

    async def _follow(self, name: str, ready: asyncio.Event) -> None:
        stream = await _Posting.to(self._address, self._game.token)
        try:
            await self._hear(name, ready, stream)
        finally:
            await stream.close()

    async def _hear(self, name: str, ready: asyncio.Event, stream: _Posting) -> None:
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
                opened.add(json.loads(data)["opening"]["author"])
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
    with _served(folder / "idle") as (address, process):
        empty = _memory(process.pid)
        games = [_begin(address, ["alice"], 8) for _ in range(tables)]
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


async def _hold(address: str, games: Sequence[_Game], look: Callable[[], int]) -> int:
    """What `look` says when three streams of each game are open and have said what stands."""
    streams = []
    for game in games:
        for _ in range(3):
            stream = await _Posting.to(address, game.token)
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
