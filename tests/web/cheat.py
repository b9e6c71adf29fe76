"""A server that cheats one of its readers: it stands between a browser and a real one, and alters what goes through."""

import http.client
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ledger.home import Home
from ledger.seats.identity import Identity
from tests.server.served import PASSPHRASE
from verifier.checkpoints.checkpoint import Checkpoint, sign_checkpoint
from verifier.dice.derivation import received_message
from verifier.log.format import encode
from verifier.log.merkle import leaf_hash, root_of
from verifier.opening import ReceivedOpening

__all__ = ["Cheat", "Event", "Keeper"]

KEPT = ("content-encoding", "content-type", "content-security-policy", "rollproof-size", "retry-after")
"""headers of answers"""

Event = tuple[str, str, bytes]
"""name, id and data of an event of a stream"""
Answer = tuple[int, bytes]


class Cheat:
    """The address of a server that alters what another one says. What is `None` alters nothing."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.event: Callable[[str, Event], list[Event]] | None = None
        """path and event → what is sent in its place"""
        self.answer: Callable[[str, bytes, dict[str, str]], bytes] | None = None
        """path, body and headers (which can be changed) of an answer → its body"""
        self.request: Callable[[str, str, bytes], Answer | None] | None = None
        """method, path and body → an answer that the real server is not asked for"""
        self.posts: list[tuple[str, bytes]] = []
        """path and body of each `POST` that came"""
        self.mute = False
        """Streams that have something to tell while this is set stay open, and never tell anything any more."""
        self.instead: dict[str, str] = {}
        """ids of games that the real server knows by other ids"""
        cheat = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with suppress(OSError, http.client.HTTPException):
                    cheat.pass_on(self)

            do_POST = do_GET  # noqa: N815 - the names that the library calls

            def log_message(self, format: str, *_: Any) -> None:
                """Nothing is printed."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()

    def pass_on(self, handler: BaseHTTPRequestHandler) -> None:
        """One request, and its answer."""
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length)
        if handler.command == "POST":
            self.posts.append((handler.path, body))
        told = self.request(handler.command, handler.path, body) if self.request else None
        if told is not None:
            self._send(handler, told[0], told[1], {"Content-Type": "application/json"})
            return
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
                self._stream(handler, response)
                return
            kept = {n: v for n, v in response.getheaders() if n.lower() in KEPT}
            data = response.read()
            if self.answer is not None and response.status in (200, 201):
                data = self.answer(handler.path, data, kept)
            self._send(handler, response.status, data, kept)
        finally:
            connection.close()

    def _send(self, handler: BaseHTTPRequestHandler, status: int, data: bytes, headers: dict[str, str]) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def _stream(self, handler: BaseHTTPRequestHandler, response: http.client.HTTPResponse) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        fields: dict[str, bytes] = {}
        muted = False
        while line := response.readline():
            muted = muted or self.mute
            if muted:
                continue
            if line.strip():
                name, _, value = line.rstrip(b"\n").partition(b":")
                fields[name.decode()] = value.removeprefix(b" ")
                continue
            if "data" in fields:
                event = (fields["event"].decode(), fields.get("id", b"").decode(), fields["data"])
                for each in self.event(handler.path, event) if self.event else [event]:
                    self._write(handler, each)
            else:
                handler.wfile.write(b": here\n\n")
            handler.wfile.flush()
            fields = {}

    @staticmethod
    def _write(handler: BaseHTTPRequestHandler, event: Event) -> None:
        name, identifier, data = event
        head = f"id: {identifier}\n" if identifier else ""
        handler.wfile.write(f"{head}event: {name}\ndata: ".encode() + data + b"\n\n")


class Keeper:
    """The key of a real server's keeper, in the hands of whoever cheats."""

    def __init__(self, root: Path) -> None:
        home = Home(root / "home", root / "state")
        self.identity: Identity = home.identity("keeper", PASSPHRASE)

    def line(self, event: dict[str, Any]) -> bytes:
        """An event of the keeper's, signed."""
        unsigned = {name: value for name, value in event.items() if name != "sig"}
        sig = self.identity.sign(b"rollproof/v1/event\n" + encode(unsigned)).hex()
        return encode({**unsigned, "sig": sig})

    def checkpoint(self, game: str, lines: list[bytes]) -> bytes:
        """A checkpoint of some lines, as an event of a stream has it."""
        head = Checkpoint(bytes.fromhex(game), len(lines), root_of([leaf_hash(line) for line in lines]))
        note = bytes(sign_checkpoint(head, self.identity.key, self.identity.sign)).decode()
        return json.dumps({"checkpoint": note}).encode()

    def received(self, sent: dict[str, Any]) -> dict[str, Any]:
        """A receipt for an opening, as it travels."""
        opening = sent["opening"]
        message = received_message(
            bytes.fromhex(sent["game"]),
            bytes.fromhex(sent["request"]),
            opening["author"],
            opening["index"],
            bytes.fromhex(opening["link"]),
        )
        receipt = ReceivedOpening(
            author=opening["author"],
            format="rollproof/received/v1",
            game=sent["game"],
            index=opening["index"],
            link=opening["link"],
            receiver="keeper",
            request=sent["request"],
            sig=self.identity.sign(message).hex(),
        )
        found: dict[str, Any] = json.loads(bytes(receipt))
        return found
