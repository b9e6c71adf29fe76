"""Stands between a client and a real server, and alters what passes. Each request has a thread of its own."""

import http.client
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

__all__ = ["AlteringProxy", "HttpAnswer", "StreamEvent"]

_KEPT = (
    *("content-encoding", "content-type", "content-security-policy", "rollproof-size", "retry-after"),
    *("access-control-allow-origin", "access-control-expose-headers", "access-control-allow-methods"),
    *("access-control-allow-headers", "access-control-max-age"),
)
"""headers of answers"""
_COMMENTS = 15.0
"""seconds between the comments of a stream that has nothing to tell"""

StreamEvent = tuple[str, str, bytes]
"""name, id and data of an event of a stream"""
HttpAnswer = tuple[int, bytes, dict[str, str]]
"""status, body and headers"""


class _OpenStream:
    """A client's stream: what is waiting to be written to it, and how many lines of the log it has been given."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.waiting: queue.SimpleQueue[StreamEvent | bytes | None] = queue.SimpleQueue()
        """events, comments, or None for the end"""
        found = path.rpartition("from=")[2]
        self.size = int(found) if found.isdecimal() else 0


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Ignore a client that went away, or was killed."""


class AlteringProxy:
    """The address of a server that alters another one's answers. A setting of `None` alters nothing."""

    def __init__(self, upstream: str, port: int = 0) -> None:
        self.upstream = upstream
        self.event: Callable[[str, StreamEvent], list[StreamEvent]] | None = None
        """path and event → what is sent in its place"""
        self.answer: Callable[[str, bytes, dict[str, str]], bytes] | None = None
        """path, body and headers (which can be changed) of an answer → its body"""
        self.request: Callable[[str, str, bytes], tuple[int, bytes] | HttpAnswer | None] | None = None
        """method, path and body → an answer that the real server is not asked for"""
        self.raw: Callable[[str, str], Iterable[bytes] | None] | None = None
        """method and path → bytes that are sent in the place of any answer"""
        self.stream: Callable[[str], Sequence[StreamEvent] | None] | None = None
        """path of a stream → how one begins that the real server is not asked for"""
        self.posted: Callable[[str, bytes], None] | None = None
        """is told of path and body of each `POST`, before anything else is done about it"""
        self.answered: Callable[[str, bytes], None] | None = None
        """is told of a `POST` that the real server has answered, before the client has the answer"""
        self.posts: list[tuple[str, bytes]] = []
        """path and body of each `POST` that came"""
        self.mute = False
        """Streams that have something to tell while this is set stay open, and never tell anything any more."""
        self.apart = False
        """Nothing of the real server comes into any stream any more: only what is pushed."""
        self.instead: dict[str, str] = {}
        """ids of games that the real server knows by other ids"""
        self._streams: list[_OpenStream] = []
        proxy = self

        class ProxyHandler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with suppress(OSError, http.client.HTTPException):
                    proxy._pass_on(self)

            do_POST = do_OPTIONS = do_GET  # noqa: N815 - the names that the library calls

            def log_message(self, format: str, *_: Any) -> None:
                """Print nothing."""

        self.server = _QuietServer(("127.0.0.1", port), ProxyHandler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all that is open."""
        self.cut()
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()

    def game_streams(self) -> list[tuple[str, int]]:
        """Path, and number of lines that were given, of each stream of a game that is open."""
        return [(each.path, each.size) for each in self._streams if "/games/" in each.path]

    def push(self, events: Callable[[int], Iterable[StreamEvent]], kind: str = "/games/") -> None:
        """Write events to each open stream, by how many lines of the log it has been given."""
        for stream in [each for each in self._streams if kind in each.path]:
            for event in events(stream.size):
                stream.waiting.put(event)

    def cut(self) -> None:
        """End all streams, as a connection that breaks."""
        for stream in list(self._streams):
            stream.waiting.put(None)

    def _pass_on(self, handler: BaseHTTPRequestHandler) -> None:
        """Pass on one request, and its answer."""
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length)
        method, path = handler.command, handler.path
        if method == "POST":
            self.posts.append((path, body))
            if self.posted is not None:
                self.posted(path, body)
        raw = self.raw(method, path) if self.raw else None
        if raw is not None:
            handler.close_connection = True
            for piece in raw:
                handler.wfile.write(piece)
            return
        forged = self.request(method, path, body) if self.request else None
        if forged is not None:
            kind = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*"}
            self._send(handler, forged[0], forged[1], forged[2] if len(forged) == 3 else kind)
            return
        begun = self.stream(path) if self.stream and method == "GET" and "/stream" in path else None
        if begun is not None:
            self._follow(handler, begun, None)
            return
        self._ask(handler, body)

    def _ask(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        """Ask the real server."""
        address = urlsplit(self.upstream)
        connection = http.client.HTTPConnection(address.hostname or "", address.port or 80, timeout=60)
        try:
            headers = {name: value for name, value in handler.headers.items() if name.lower() != "host"}
            path = handler.path
            for shown, real in self.instead.items():
                path = path.replace(shown, real)
            connection.request(handler.command, path, body or None, headers)
            response = connection.getresponse()
            if "event-stream" in (response.getheader("Content-Type") or ""):
                self._follow(handler, (), response)
                return
            kept = {n: v for n, v in response.getheaders() if n.lower() in _KEPT}
            data = response.read()
            if self.answer is not None and response.status in (200, 201):
                data = self.answer(handler.path, data, kept)
            if handler.command == "POST" and response.status in (200, 201) and self.answered is not None:
                self.answered(handler.path, body)
            self._send(handler, response.status, data, kept)
        finally:
            connection.close()

    def _send(self, handler: BaseHTTPRequestHandler, status: int, data: bytes, headers: dict[str, str]) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        if status != 204:
            handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def _follow(
        self,
        handler: BaseHTTPRequestHandler,
        begun: Sequence[StreamEvent],
        response: http.client.HTTPResponse | None,
    ) -> None:
        """Follow a stream: the real one's events, and pushed ones, until one of the two ends."""
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Access-Control-Allow-Origin", "*")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        stream = _OpenStream(handler.path)
        for event in begun:
            self._write(handler, stream, event)
        self._streams.append(stream)
        if response is not None:
            threading.Thread(target=self._read, args=(stream, response), daemon=True).start()
        try:
            while True:
                try:
                    item = stream.waiting.get(timeout=_COMMENTS)
                except queue.Empty:
                    item = b": here\n\n"
                if item is None:
                    return
                if isinstance(item, bytes):
                    handler.wfile.write(item)
                else:
                    self._write(handler, stream, item)
                handler.wfile.flush()
        finally:
            self._streams.remove(stream)

    def _read(self, stream: _OpenStream, response: http.client.HTTPResponse) -> None:
        """Read the real stream to its end. All alterations happen here, in the order of arrival."""
        fields: dict[str, bytes] = {}
        muted = False
        with suppress(OSError, http.client.HTTPException, AttributeError, ValueError):
            while line := response.readline():
                muted = muted or self.mute
                if muted or self.apart:
                    continue
                if line.strip():
                    name, _, value = line.rstrip(b"\n").partition(b":")
                    fields[name.decode()] = value.removeprefix(b" ")
                    continue
                if "data" in fields:
                    event = (fields["event"].decode(), fields.get("id", b"").decode(), fields["data"])
                    for each in self.event(stream.path, event) if self.event else [event]:
                        stream.waiting.put(each)
                else:
                    stream.waiting.put(b": here\n\n")
                fields = {}
        if not self.apart:
            stream.waiting.put(None)

    @staticmethod
    def _write(handler: BaseHTTPRequestHandler, stream: _OpenStream, event: StreamEvent) -> None:
        name, identifier, data = event
        head = f"id: {identifier}\n" if identifier else ""
        handler.wfile.write(f"{head}event: {name}\ndata: ".encode() + data + b"\n\n")
        if name == "line" and identifier.isdecimal():
            stream.size = max(stream.size, int(identifier) + 1)
