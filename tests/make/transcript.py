"""Make `specs/vectors/transcript.json`.

python -m tests.make.transcript             # writes it
python -m tests.make.transcript --check     # writes nothing, exits 1 if a new one would have another shape

One table from its opening to its close, as it goes over the wire between a real server and the client of
`tests/oracles/network_client.py`, which was written from the pages alone. A server draws keys, chains and a nonce of
its own, so each run writes another transcript; `tests/oracles/test_transcript.py` replays the one that is
there, and holds a new one against it, by its `shape`.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.oracles import network_client
from tests.oracles.network_client import Client, Refused, sha256

FILE = Path(__file__).resolve().parents[2] / "specs" / "vectors" / "transcript.json"

DRAWN = ("link player", "link spectator", "nonce", "chain alice", "chain bob")
"""what the clients draw at random, in this order"""

HEADERS = ("accept", "authorization", "content-type")
ANSWER_HEADERS = ("content-type", "rollproof-size")

Json = dict[str, Any]


class Recorder(httpx.BaseTransport):
    """The network; what goes over it is written down."""

    def __init__(self) -> None:
        self.inner = httpx.HTTPTransport()
        self.exchanges: list[Json] = []
        self.who = ""
        self.step = ""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self.inner.handle_request(request)
        exchange = {"step": self.step, "who": self.who, **told(request)}
        headers = {name: response.headers[name] for name in ANSWER_HEADERS if name in response.headers}
        answer: Json = {"status": response.status_code, "headers": headers}
        self.exchanges.append({**exchange, "answer": answer})
        if headers["content-type"].startswith("text/event-stream"):
            assert isinstance(response.stream, httpx.SyncByteStream)
            answer["stream"] = ""
            return httpx.Response(response.status_code, headers=headers, stream=_Noted(response.stream, answer))
        answer["body"] = response.read().decode()
        return httpx.Response(response.status_code, headers=headers, content=answer["body"].encode())

    def close(self) -> None:
        """The clients share it."""


class _Noted(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, answer: Json) -> None:
        self._stream, self._answer = stream, answer

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._answer["stream"] += chunk.decode()
            yield chunk

    def close(self) -> None:
        self._stream.close()


def told(request: httpx.Request) -> Json:
    """A request as the transcript has it."""
    return {
        "method": request.method,
        "path": request.url.raw_path.decode(),
        "headers": {name: request.headers[name] for name in HEADERS if request.headers.get(name, "*/*") != "*/*"},
        "body": request.read().decode(),
    }


def key_of(name: str) -> Ed25519PrivateKey:
    """By the rule of specs/vectors/README.md."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"rollproof vectors key {name}".encode()).digest())


@contextmanager
def drawing(drawn: Callable[[int], bytes], clock: Callable[[], str]) -> Iterator[None]:
    """What the client draws and reads of its clock is given."""
    with patch("os.urandom", drawn), patch.object(network_client, "now", clock):
        yield


def play(alice: Client, bob: Client, step: Callable[[str, str], None]) -> None:
    """A whole table. `step` is told, before it is done, what is done, and by whom."""
    step("open the table", "alice")
    links = alice.open_table(["player", "spectator"], title="Transcript")
    for client in (alice, bob):
        step("read the table, and check it against the link", client.name)
        client.visit(links["player"])
        step("take a seat", client.name)
        client.sit()
    step("start", "alice")
    alice.start()
    for client in (alice, bob):
        step("read the log, and compare event 0", client.name)
        client.enter()
        step("join, and commit to a chain", client.name)
        client.join()
        client.commit(8)
    for client in (alice, bob):
        step("follow the stream", client.name)
        client.fetch()
        client.join_stream()
    step("ask for dice", "alice")
    seq = alice.write("roll", {"dice": "4d6kh3 + 2", "source": "Strength"})
    step("open, when the keeper has signed over the request", "bob")
    bob.follow(bob.may_open)
    bob.open()
    step("open last, as the closer", "alice")
    alice.follow(alice.may_open)
    alice.open()
    for client in (bob, alice):
        step("take the dice", client.name)
        client.follow_to(seq + 2)
    late = bob.line("declare", {"what": "deck", "deck": "bobs", "items": [{"item": "ace"}]})
    step("be first", "alice")
    alice.write("declare", {"what": "deck", "deck": "alices", "items": [{"item": "king"}]})
    step("lose a race", "bob")
    try:
        bob.offer(late)
    except Refused as refused:
        bob.lost(refused)
    step("sign anew", "bob")
    bob.write("declare", {"what": "deck", "deck": "bobs", "items": [{"item": "ace"}]})
    step("close the game", "alice")
    alice.end()
    step("take the close, and the end of the stream", "bob")
    size = len(bob.game.lines) + 1
    bob.follow_to(size)
    bob.follow(lambda: bob.ended)
    for client in (alice, bob):
        client.leave_stream()


def recorded(address: str) -> Json:
    """A transcript of a table at this server."""
    recorder = Recorder()
    clock: list[str] = []
    steps: list[Json] = []
    secrets = {name: sha256(f"rollproof vectors transcript {name}".encode()) for name in DRAWN}
    drawn = iter(secrets.values())
    now = network_client.now

    def at() -> str:
        clock.append(now())
        return clock[-1]

    def step(what: str, who: str) -> None:
        recorder.step, recorder.who = what, who
        steps.append({"step": what, "who": who})

    clients = [Client(name, address, key_of(name), recorder) for name in ("alice", "bob")]
    try:
        with drawing(lambda _length: next(drawn), at):
            play(clients[0], clients[1], step)
    finally:
        recorder.inner.close()
    return {
        "about": "Made by `python -m tests.make.transcript`; the secrets are those of tests.",
        "address": address,
        "keys": {name: key_of(name).private_bytes_raw().hex() for name in ("alice", "bob")},
        "drawn": {name: value.hex() for name, value in secrets.items()},
        "clock": clock,
        "steps": steps,
        "exchanges": recorder.exchanges,
    }


def shape(exchange: Json) -> Json:
    """What of an exchange is the same in each transcript: all but keys, ids, hashes, times and notes."""
    answer = exchange["answer"]

    def members(text: str) -> Any:
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            return None
        return sorted(value) if isinstance(value, dict) else value

    streamed = re.findall(r"^event: (\w+)$", answer.get("stream", ""), re.MULTILINE)
    return {
        "step": exchange["step"],
        "who": exchange["who"],
        "what": f"{exchange['method']} {re.sub('[0-9a-f]{64}', 'ID', exchange['path'])}",
        "headers": sorted(exchange["headers"]),
        "body": members(exchange["body"]),
        "status": answer["status"],
        "answer": members(answer["body"]) if "body" in answer else None,
        "answer headers": sorted(answer["headers"]),
        # What comes in between stands at a place of its own in each run: who is here, receipts.
        "streamed": [name for name in streamed if name in ("line", "checkpoint", "bye")],
    }


def shapes(transcript: Json) -> list[Json]:
    """What is the same in each transcript."""
    return [shape(each) for each in transcript["exchanges"]]


def main() -> int:
    from tests.server.served import serving

    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        found = recorded(server.address)
    if "--check" in sys.argv[1:]:
        if FILE.exists() and shapes(json.loads(FILE.read_bytes())) == shapes(found):
            return 0
        print(FILE.name)
        return 1
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=True) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
