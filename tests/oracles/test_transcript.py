"""The transcript of specs/vectors is replayed, and held against a real server (tests/make/transcript.py)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.make import transcript
from tests.make.transcript import FILE, drawing, play, shapes, told
from tests.oracles.network_client import Client
from tests.oracles.test_openapi import document, judged, pointer
from tests.server.served import serving
from verifier import verify

TRANSCRIPT: dict[str, Any] = json.loads(FILE.read_bytes())
PAGE = Path(__file__).parents[2] / "specs" / "guide" / "clients.md"


class Playback(httpx.BaseTransport):
    """Answers what stands in a transcript to who sends, byte for byte, what stands in it."""

    def __init__(self, exchanges: list[dict[str, Any]]) -> None:
        self.left = iter(exchanges)
        self.step: tuple[str, str] = ("", "")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        expected = next(self.left)
        what = {name: expected[name] for name in ("method", "path", "headers", "body")}
        assert told(request) == what, expected["step"]
        assert self.step == (expected["step"], expected["who"])
        answer = expected["answer"]
        content = answer["stream"] if "stream" in answer else answer["body"]
        return httpx.Response(answer["status"], headers=answer["headers"], stream=_Bytes(content.encode()))

    def close(self) -> None:
        """The clients share it."""


class _Bytes(httpx.SyncByteStream):
    def __init__(self, data: bytes) -> None:
        self._data = data

    def __iter__(self) -> Iterator[bytes]:
        yield self._data


def test_a_client_that_is_written_from_the_pages_sends_what_the_transcript_has() -> None:
    """Given its keys, what it drew, and its clock; and it takes every answer."""
    playback = Playback(TRANSCRIPT["exchanges"])
    drawn, clock = (iter(TRANSCRIPT[name]) for name in ("drawn", "clock"))

    def step(what: str, who: str) -> None:
        playback.step = what, who

    clients = [Client(name, TRANSCRIPT["address"], transcript.key_of(name), playback) for name in ("alice", "bob")]
    for client in clients:
        assert client.key.private_bytes_raw().hex() == TRANSCRIPT["keys"][client.name]
    with drawing(lambda _length: bytes.fromhex(TRANSCRIPT["drawn"][next(drawn)]), lambda: next(clock)):
        play(clients[0], clients[1], step)
    assert next(playback.left, None) is None
    lines = clients[1].game.lines
    report, _ = verify(b"".join(line + b"\n" for line in lines))
    assert (report.verdict, report.state is not None and len(report.state["rolls"])) == ("holds", 1)


@pytest.mark.long
def test_a_server_still_answers_as_in_the_transcript(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        fresh = transcript.recorded(server.address)
    assert shapes(fresh) == shapes(TRANSCRIPT)


def test_the_page_has_the_steps_of_the_transcript_in_their_order() -> None:
    text = PAGE.read_text(encoding="utf-8")
    steps = re.findall(r"^\| \d+ \| \*\*([^*]+)\*\*", text, re.MULTILINE)
    assert steps == list(dict.fromkeys(each["step"] for each in TRANSCRIPT["steps"]))


@pytest.mark.long
def test_what_goes_over_the_wire_is_what_openapi_says() -> None:
    """By a validator of JavaScript: bodies, answers, refusals and events of streams."""
    cases: list[dict[str, Any]] = []

    def add(steps: tuple[str, ...], text: str) -> None:
        cases.append({"at": pointer(*steps), "value": json.loads(text)})

    for each in TRANSCRIPT["exchanges"]:
        topic = re.sub("/tables/[0-9a-f]{64}", "/tables/{table}", each["path"].partition("?")[0])
        path = re.sub("/games/[0-9a-f]{64}", "/games/{game}", topic)
        operation = ("paths", path, each["method"].lower())
        if each["body"]:
            add((*operation, "requestBody", "content", "application/json", "schema"), each["body"])
        answer = each["answer"]
        media = answer["headers"]["content-type"].partition(";")[0]
        number = str(answer["status"]) if answer["status"] < 300 else "default"
        if "stream" in answer:
            events = re.findall(r"^event: (\w+)\ndata: (.*)$", answer["stream"], re.MULTILINE)
            assert len(events) > 10
            for name, data in events:
                add((*operation, "responses", number, "content", media, "x-events", name), data)
        elif media.endswith("json"):
            add((*operation, "responses", number, "content", media, "schema"), answer["body"])
    assert len(cases) > 60
    found = judged(document(), cases)
    assert [(case, each) for case, each in zip(cases, found["cases"], strict=True) if not each["holds"]] == []
