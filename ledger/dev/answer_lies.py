"""Lies in answers and events by themselves: receipts without worth, bytes that are no answer."""

import gzip
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from ledger.dev.lie import GOES_ON, STOPS, Lie, after_a_roll
from ledger.dev.proxy import StreamEvent
from ledger.dev.stage import CLIENT, LyingStage

__all__ = ["ANSWER_LIES"]


_MAX_TAKEN = 256 * 1024 * 1024
"""bytes of an answer without an end that a client may take, before it is said to have no bound"""


def _taken_without_a_checkpoint(stage: LyingStage) -> None:
    """Answer a line with a checkpoint from before the line."""

    def request(method: str, path: str, body: bytes) -> tuple[int, bytes] | None:
        if method != "POST" or not path.endswith("/lines"):
            return None
        event = json.loads(body)
        if stage.signed_lies:
            return None
        stage.signed_lies.append(event["type"])
        note = stage.keeper.note(event["game"], stage.lines_of(event["game"])[: event["seq"]])
        return 201, json.dumps({"checkpoint": note, "seq": event["seq"]}).encode()

    def posted(path: str, body: bytes) -> None:
        if path.endswith("/lines") and stage.signed_lies and json.loads(body)["type"] not in stage.signed_lies:
            stage.taken.append("it signed upon a line for which it has no checkpoint")

    stage.proxy.request, stage.proxy.posted = request, posted
    stage.begin(joined=False)
    stage.until(lambda: bool(stage.signed_lies), f"{CLIENT} does not join")


def _replayed(stage: LyingStage) -> None:
    sent: list[StreamEvent] = []

    def twice(_: str, event: StreamEvent) -> list[StreamEvent]:
        sent.append(event)
        return [event, event, *sent[-6:]]

    stage.proxy.event = twice
    stage.roll()
    stage.roll()


def _hostile_advice(stage: LyingStage) -> None:
    hostile = itertools.cycle(
        [
            b"null",
            b'{"__proto__":{"size":1},"size":9007199254740993,"rolls":{"__proto__":[]},"actions":{"length":3}}',
            b'{"size":1,"rolls":' + b"[" * 100_000 + b"]" * 100_000 + b',"actions":[]}',
        ]
    )

    def answer(path: str, data: bytes, _: dict[str, str]) -> bytes:
        return next(hostile) if "/state" in path or "/actions" in path else data

    stage.proxy.answer = answer
    stage.roll()


def _deep_here(stage: LyingStage) -> None:
    """Send an endlessly nested event of advice once, and then the truth."""
    stage.proxy.push(lambda _: [("here", "", b'{"here":' + b"[" * 100_000 + b"]" * 100_000 + b"}")])
    stage.roll()


def _once(stage: LyingStage, answer: Callable[[], Iterable[bytes]]) -> None:
    """Answer the client's first reading of the log with bytes that are no answer, and later ones truly."""
    lied: list[str] = []

    def raw(method: str, path: str) -> Iterable[bytes] | None:
        if method != "GET" or "/log" not in path or lied:
            return None
        lied.append(path)
        return answer()

    stage.proxy.raw = raw
    stage.begin()
    stage.until(lambda: bool(lied), f"{CLIENT} does not read the log")
    stage.roll()


_OK = b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: application/jsonl\r\nRollproof-Size: 9\r\n"


def _redirect(stage: LyingStage) -> None:
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    with elsewhere.accept()[0] as peer:
                        peer.settimeout(1)
                        head = peer.recv(65_536)
                        sent = " with the token" if b"authorization" in head.lower() else ""
                        stage.taken.append(f"it went where the server sent it{sent}")

        threading.Thread(target=accept, daemon=True).start()
        where = f"http://127.0.0.1:{elsewhere.getsockname()[1]}/log".encode()
        _once(
            stage,
            lambda: [
                b"HTTP/1.1 307 There\r\nAccess-Control-Allow-Origin: *\r\nLocation: ",
                where,
                b"\r\nContent-Length: 0\r\n\r\n",
            ],
        )
        with suppress(OSError):
            elsewhere.shutdown(socket.SHUT_RDWR)


def _bomb(stage: LyingStage) -> None:
    packed = gzip.compress(bytes(1 << 20), 9)
    body = packed * 1_024  # members in a row are one stream: 1 GiB
    head = _OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)
    _once(stage, lambda: [head, body])


def _endless(stage: LyingStage) -> None:
    def pieces() -> Iterator[bytes]:
        yield _OK + b"Transfer-Encoding: chunked\r\n\r\n"
        size, piece = 0, b"10000\r\n" + b"x" * 65_536 + b"\r\n"
        while size < _MAX_TAKEN:
            size += 65_536
            yield piece
        stage.taken.append(f"it read {size >> 20} MiB of an answer that has no end")

    _once(stage, pieces)


def _no_http(stage: LyingStage) -> None:
    _once(stage, lambda: [b"\x00" * 1_000])


def _cut_short(stage: LyingStage) -> None:
    _once(stage, lambda: [_OK + b"Content-Length: 1000\r\n\r\n{"])


def _deep_table(stage: LyingStage) -> None:
    """Show an endlessly nested table, the first time that it has a start."""
    lied: list[str] = []

    def deep(data: bytes) -> bytes:
        if lied or b'"start":{' not in data:
            return data
        lied.append("lied")
        return data.replace(b'"start":', b'"start":' + b"[" * 100_000 + b"]" * 100_000 + b',"was":')

    def answer(path: str, data: bytes, _: dict[str, str]) -> bytes:
        return deep(data) if path.rpartition("/")[0].endswith("/tables") else data

    def event(_: str, event: StreamEvent) -> list[StreamEvent]:
        return [("table", event[1], deep(event[2]))] if event[0] == "table" else [event]

    stage.proxy.answer, stage.proxy.event = answer, event
    stage.begin()
    stage.until(lambda: bool(lied), f"{CLIENT} does not look at the table")
    stage.roll()


def _silent(stage: LyingStage) -> None:
    def pieces() -> Iterator[bytes]:
        time.sleep(stage.patience)
        yield b""

    stage.patience = max(stage.patience, 45.0)
    _once(stage, pieces)


ANSWER_LIES = (
    Lie(
        "taken-without-a-checkpoint",
        "a line counts as taken, by a checkpoint from before it",
        STOPS,
        _taken_without_a_checkpoint,
    ),
    Lie(
        "replayed",
        "each event of the stream comes twice, and old ones again",
        "goes on, and opens once for each",
        after_a_roll(_replayed),
        goes_on=True,
    ),
    Lie(
        "hostile-advice", "the server's advice is no such thing", "goes on", after_a_roll(_hostile_advice), goes_on=True
    ),
    Lie(
        "deep-event",
        "an event of the stream nests 100,000 levels deep",
        GOES_ON,
        after_a_roll(_deep_here),
        goes_on=True,
    ),
    Lie("deep-table", "the table nests 100,000 levels deep", GOES_ON, _deep_table, goes_on=True),
    Lie(
        "redirect",
        "the log is said to be at another address",
        f"does not go there; {GOES_ON}",
        _redirect,
        goes_on=True,
    ),
    Lie("bomb", "the log comes packed, 1 MB for 1 GB", GOES_ON, _bomb, goes_on=True),
    Lie("endless", "the log never ends", f"stops reading; {GOES_ON}", _endless, goes_on=True),
    Lie("no-http", "the answer is no HTTP", GOES_ON, _no_http, goes_on=True),
    Lie("cut-short", "the answer breaks off", GOES_ON, _cut_short, goes_on=True),
    Lie("silent", "the server is asked, and never answers", f"waits 30 seconds; {GOES_ON}", _silent, goes_on=True),
)
