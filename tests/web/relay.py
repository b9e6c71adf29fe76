"""What stands between a browser and its server, and keeps every byte that the browser sends."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit

__all__ = ["Relay"]


class Relay:
    """A port that hands on what comes to a server's, both ways."""

    def __init__(self, address: str) -> None:
        self._to = urlsplit(address)
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
                self._open += [here, there]
                threading.Thread(target=self._hand_on, args=(here, there, self._sent), daemon=True).start()
                threading.Thread(target=self._hand_on, args=(there, here, None), daemon=True).start()

    @staticmethod
    def _hand_on(come: socket.socket, go: socket.socket, kept: list[bytes] | None) -> None:
        with suppress(OSError):
            while data := come.recv(65_536):
                if kept is not None:
                    kept.append(data)
                go.sendall(data)
        with suppress(OSError):
            go.shutdown(socket.SHUT_WR)
