"""What stands between a browser and its server: it keeps what the browser sends, and is as slow as a network."""

import queue
import socket
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

__all__ = ["Relay"]


class Relay:
    """A port that hands on what comes to a server's, both ways."""

    def __init__(self, address: str, delay: float = 0.0) -> None:
        """`delay`: seconds of each way; a request and its answer take twice as long."""
        self._to = urlsplit(address)
        self._delay = delay
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._sent: list[bytes] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def sent(self) -> bytes:
        """All that came from browsers until now."""
        return b"".join(self._sent)

    def close(self) -> None:
        for each in (self._listening, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                there = socket.create_connection((self._to.hostname, self._to.port))
                for each in (here, there):
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open += [here, there]
                for come, go, kept in ((here, there, self._sent), (there, here, None)):
                    way: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
                    threading.Thread(target=self._take, args=(come, way, kept), daemon=True).start()
                    threading.Thread(target=self._hand_on, args=(way, go), daemon=True).start()

    def _take(
        self, come: socket.socket, way: "queue.SimpleQueue[tuple[float, bytes]]", kept: list[bytes] | None
    ) -> None:
        with suppress(OSError):
            while data := come.recv(65_536):
                if kept is not None:
                    kept.append(data)
                way.put((time.monotonic() + self._delay, data))
        way.put((time.monotonic() + self._delay, b""))

    @staticmethod
    def _hand_on(way: "queue.SimpleQueue[tuple[float, bytes]]", go: socket.socket) -> None:
        with suppress(OSError):
            while True:
                at, data = way.get()
                time.sleep(max(0.0, at - time.monotonic()))
                if not data:
                    break
                go.sendall(data)
        with suppress(OSError):
            go.shutdown(socket.SHUT_WR)
