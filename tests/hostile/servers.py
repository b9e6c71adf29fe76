"""Servers that answer with whatever bytes a test gives them, on loopback."""

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

__all__ = ["bomb", "drops", "hostile", "json_answer"]

Answer = Callable[[bytes], Iterable[bytes]]
"""the pieces that are sent to whoever sent this head and body"""


@contextmanager
def hostile(answer: Answer) -> Iterator[tuple[str, list[bytes]]]:
    """A server's address, and what it was sent. It ends with the test, whatever is being sent."""
    asked: list[bytes] = []
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve(peer: socket.socket) -> None:
            with peer, suppress(OSError):
                data = peer.recv(65_536)
                asked.append(data)
                for piece in answer(data):
                    if ended.is_set():
                        return
                    peer.sendall(piece)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked
        finally:
            ended.set()
            listening.shutdown(socket.SHUT_RDWR)


def json_answer(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    """An answer whole."""
    length = b"Content-Length: %d" % len(body)
    return b"\r\n".join([b"HTTP/1.1 " + status, length, b"Content-Type: application/json", *headers, b"", body])


def drops(data: bytes, seconds: float = 0.02) -> Iterator[bytes]:
    """Bytes one by one, slowly."""
    for at in range(len(data)):
        yield data[at : at + 1]
        time.sleep(seconds)


@cache
def bomb(size: int) -> bytes:
    """So many zeros, compressed twice."""
    import gzip
    import zlib

    packer = zlib.compressobj(9, wbits=31)
    zeros = bytes(1 << 20)
    once = b"".join(packer.compress(zeros) for _ in range(size >> 20)) + packer.flush()
    return gzip.compress(once, 9)
