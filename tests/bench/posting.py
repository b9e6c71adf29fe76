"""Servers in processes of their own, and clients that cost as little as can be: what is measured is the server."""

import asyncio
import json
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path

import httpx
import msgspec
from msgspec import Struct

from ledger import lobby
from ledger.game.times import utc_now
from ledger.lobby import Link
from ledger.seats.identity import Identity
from ledger.seats.seed_chain import SeedChain
from rules import Body
from rules.protocol import Join
from rules.systems.mtg import Magic
from rules.systems.mtg.bodies import Options
from tests.bench.measure import environment
from verifier import VerifierKey
from verifier.dice.derivation import opening_message
from verifier.log.bodies import Commit, Opening
from verifier.log.format import signed_line, signed_message, unsigned_event
from verifier.log.merkle import leaf_hash
from verifier.opening import SentOpening

__all__ = ["Game", "Posting", "begin", "begin_all", "post_all", "process_of", "served"]

WIDE = {
    "MAX_TABLES": 10**6,
    "MAX_POSTS": 10**6,
    "MAX_BURST": 10**6,
    "MAX_CONNECTIONS": 10**5,
    "MAX_STREAMS": 10**5,
    "MAX_BYTES": 10**9,
    "MAX_BYTES_BURST": 10**9,
    "MAX_BYTES_DAY": 10**12,
}
WIDE |= {"MAX_CONCURRENT": 10**6, "MAX_WORK_ALL": 10**6}
BEGUN_AT_ONCE = 12
PASSPHRASE = "correct horse battery staple"


@contextmanager
def process_of(*arguments: str, cwd: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
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
def served(folder: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """As `process_of`, a server whose home is in `folder`, without limits."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "limits.json").write_text(json.dumps(WIDE))
    start = "from ledger.cli import main; main()"
    given = ("serve", "--home", "home", "--json", "--port", "0", "--limits", "limits.json", *options)
    with process_of("-c", start, *given, cwd=folder) as found:
        yield found


class Posting:
    """One kept connection, which posts as cheaply as Python can: what is measured is the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader, self._writer = reader, writer
        self._head = f"Host: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"

    @classmethod
    async def to(cls, address: str, token: str, own: str | None = None) -> "Posting":
        """Connect; `own` is the address of this machine to come from."""
        host, _, port = address.removeprefix("http://").partition(":")
        come_from = None if own is None else (own, 0)
        return cls(*await asyncio.open_connection(host, int(port), local_addr=come_from), token)

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


class Player(Struct):
    """A party at a table, with its secrets at hand: nothing of it is stored or checked, so as to cost nothing."""

    identity: Identity
    chain: SeedChain | None = None
    next: int = 1


class Game:
    """A game on the server, as its players write it."""

    def __init__(
        self, players: Sequence[Player], table: bytes, game: bytes, size: int, head: bytes, token: str
    ) -> None:
        self.players = {player.identity.name: player for player in players}
        self.table, self.game, self.size, self.head, self.token = table, game, size, head, token

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


def begin(address: str, names: Sequence[str], links: int) -> Game:
    """A table that was opened, sat down at, started, joined and committed at."""
    players = [Player(Identity.generate(name)) for name in names]
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
        game = Game(players, terms.id, found, len(lines), leaf_hash(lines[-1]), link.token.hex())
        for player in players:
            name = player.identity.name
            player.chain = SeedChain(found, name, links, secrets.token_bytes(32))
            for kind, body in (("join", Join()), ("commit", Commit(links, player.chain.tip.hex()))):
                http.post(f"{game.path}/lines", content=game.line(name, kind, body)).raise_for_status()
    return game


def begin_all(address: str, tables: int, names: Sequence[str], links: int) -> list[Game]:
    """As `begin`, so many tables, some at a time."""
    with ThreadPoolExecutor(BEGUN_AT_ONCE) as threads:
        return list(threads.map(lambda _: begin(address, names, links), range(tables)))


async def post_all(addresses: Sequence[str], posts: Sequence[tuple[Game, list[bytes]]]) -> float:
    """Seconds until all are taken; the tables at once, in turns at the addresses, each table's lines in order."""
    connections = [await Posting.to(at, game.token) for at, (game, _) in zip(cycle(addresses), posts, strict=False)]

    async def post(connection: Posting, game: Game, lines: list[bytes]) -> None:
        for line in lines:
            status, body = await connection.post(f"{game.path}/lines", line)
            assert status == 201, body

    began = time.perf_counter()
    await asyncio.gather(*(post(each, *what) for each, what in zip(connections, posts, strict=True)))
    taken = time.perf_counter() - began
    for connection in connections:
        await connection.close()
    return taken
