"""Connections that mean harm: they read nothing, or ask for the dearest, from addresses of their own."""

import asyncio
import contextlib
import socket
import sqlite3
from pathlib import Path

__all__ = ["connected", "request", "stuffed"]


def connected(port: int, address: str = "127.0.0.1", takes: int | None = None) -> socket.socket:
    """A connection from an address of this machine; `takes`: how many bytes its system reads ahead."""
    connection = socket.socket()
    if takes is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
    connection.settimeout(10)
    connection.bind((address, 0))
    connection.connect(("127.0.0.1", port))
    return connection


def request(path: str, token: str, more: str = "") -> bytes:
    """A GET, with a token in hex."""
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{more}\r\n".encode()


def stuffed(home: Path, game: bytes, count: int, size: int) -> None:
    """Put lines of any bytes behind those of a stored game: what a server hands out without looking at it."""
    with contextlib.closing(sqlite3.connect(home / "ledger.db")) as database, database:
        (start,) = database.execute("SELECT MAX(seq) + 1 FROM events WHERE game = ?", (game.hex(),)).fetchone()
        rows = ((game.hex(), seq, "x" * size) for seq in range(start, start + count))
        database.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)


async def status_of(port: int, asked: bytes, address: str) -> tuple[int, asyncio.StreamWriter]:
    """The status of the answer to a request; the connection stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(asked)
    head = await reader.readuntil(b"\r\n")
    return int(head.split()[1]), writer
