"""A server that only inserts what is posted and commits in groups: what a durable line over HTTP costs at least.

The same framework, connections and writer's thread as the real one; nothing is verified, signed or told to anybody.
"""

import asyncio
import json
import sqlite3
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from litestar import Litestar, Request, Response, get, post

from ledger.server.limits import Limits
from ledger.server.protocol import bounded_protocol

ANSWER = {"checkpoint": "a" * 250, "seq": 0}
_Waiting = list[tuple[str, bytes, "asyncio.Future[int]"]]


class _Store:
    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, game TEXT, line BLOB)")
        self.waiting: _Waiting = []
        self.wake = asyncio.Event()

    def insert(self, group: _Waiting) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        self.connection.executemany("INSERT INTO events (game, line) VALUES (?, ?)", [each[:2] for each in group])
        self.connection.execute("COMMIT")

    async def pump(self) -> None:
        loop, writer = asyncio.get_running_loop(), ThreadPoolExecutor(1)
        while True:
            await self.wake.wait()
            self.wake.clear()
            while self.waiting:
                group, self.waiting = self.waiting, []
                await loop.run_in_executor(writer, self.insert, group)
                for number, (_, _, done) in enumerate(group):
                    if not done.done():
                        done.set_result(number)


def make_app(path: str) -> Litestar:
    """The application over a database at `path`."""
    stores: list[_Store] = []

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        stores.append(_Store(path))
        pump = asyncio.create_task(stores[0].pump())
        try:
            yield
        finally:
            pump.cancel()

    @post("/v1/games/{game:str}/lines", status_code=201)
    async def offer(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
        body = await request.body()
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        stores[0].waiting.append((request.path_params["game"], body, done))
        stores[0].wake.set()
        await done
        return Response(ANSWER, status_code=201)

    @get("/health")
    async def health() -> str:
        return "ok\n"

    return Litestar([offer, health], lifespan=[lifespan], logging_config=None, openapi_config=None)


class _Server(uvicorn.Server):
    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        port = self.servers[0].sockets[0].getsockname()[1]
        print(json.dumps({"address": f"http://127.0.0.1:{port}"}), flush=True)


def main() -> None:
    """Serve until stopped; the argument is the database."""
    config = uvicorn.Config(
        make_app(sys.argv[1]),
        port=0,
        http=bounded_protocol(Limits(), lambda _: False),
        loop="asyncio",
        log_config=None,
        access_log=False,
    )
    _Server(config).run()


if __name__ == "__main__":
    main()
